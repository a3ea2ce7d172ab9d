#!/usr/bin/env python3
"""BR-13: the database of time zones is brought up to date under a running daemon, in a time of the test's making. Deadlines
ahead move as the new rules say, what ran stays charged, who watches is told, and the log says so. The database of the tests
is a folder of their own (TZDIR). Ends with "N passed, N failed".
"""
import os
import re
import shutil
import signal
import sys
import tempfile

import clocks
from clocks import Suite
from simtime import DAY, HOUR, ms, text
from wire import deadline as guard_of

SYSTEM = "/usr/share/zoneinfo"
START = ms("2026-06-18T10:00:00Z")
# Brussels is UTC+2 on that day; Algiers is UTC+1 all the year.
FIXED = {"kind": "correspondence", "bank_s": 0, "per_move_s": 3600, "zone": "Ruritania", "at": "23:55",
         "ladder": {"remind_s": [], "grace_s": 0}}
NIGHTS = {"kind": "correspondence", "bank_s": 0, "per_move_s": 86400, "sleep": True, "ladder": {"remind_s": [], "grace_s": 0}}
PLAIN = {"kind": "correspondence", "bank_s": 0, "per_move_s": 86400, "ladder": {"remind_s": [], "grace_s": 0}}


class Zones:
    """A folder of zones as a database has it; what is written replaces a file in one step, as a package does."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="vedette-zones-")
        self.put("Ruritania", "Europe/Brussels")
        self.put("Europe/London", "Europe/London")
        self.version("2026a")

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "wb") as file:
            file.write(data)
        os.rename(path + ".new", path)

    def put(self, name, like):
        with open(os.path.join(SYSTEM, like), "rb") as file:
            self.write(name, file.read())

    def version(self, version):
        self.write("tzdata.zi", ("# version %s\n" % version).encode())


class ZoneSuite(Suite):
    def update(self, daemon):
        """The daemon is told; the line of its log about it."""
        before = daemon.log_text().count("event=time_zones old=")
        daemon.process.send_signal(signal.SIGHUP)
        guard = guard_of(30)
        while daemon.log_text().count("event=time_zones old=") == before:
            assert guard(), "it says nothing of the zones:\n" + daemon.log_text()[-2000:]
        line = [one for one in daemon.log_text().splitlines() if "event=time_zones old=" in one][-1]
        return re.search(r"old=(\S+) new=(\S+) zones=(\d+) matches=(\d+)", line).groups()

    @staticmethod
    def told(seat, of, deadline):
        """The push that says the seat has that deadline."""
        return seat.client.push("match.changed", lambda params:
                                params.get("clock", {}).get("seats", {}).get(of, {}).get("deadline") == deadline)

    def test_deadlines_ahead_move_and_nothing_that_was(self):
        zones = Zones()
        daemon = self.daemon(START, env={"TZDIR": zones.folder})
        fixed = self.match(daemon, clock=FIXED)
        plain = self.match(daemon, clock=PLAIN)
        sleepers = self.match(daemon, clock=NIGHTS)
        for seat in sleepers:
            seat.client.call("account.set", timezone="Ruritania", sleep={"from": "23:00", "to": "07:00"})
        for seat in fixed + plain + sleepers:
            seat.client.call("match.watch", match=seat.match, actions=False)
        # Nights count from the next sitting on: AL, which is asked, places, and then FR is.
        sleepers[1].act(clocks.placements(clocks.ALLIED), {"do": "confirm_setup"})
        assert self.state(fixed[0], "AL")["deadline"] == "2026-06-18T21:55:00Z"
        assert self.state(sleepers[0], "FR")["deadline"] == "2026-06-19T18:00:00Z"  # 11 h, a night, 13 h
        # Ruritania gives up its summer time at four in the afternoon.
        daemon.move(START + 4 * HOUR)
        zones.put("Ruritania", "Africa/Algiers")
        zones.version("2026b")
        assert self.update(daemon) == ("2026a", "2026b", "1", "2")
        self.told(fixed[1], "AL", "2026-06-18T22:55:00Z")
        self.told(sleepers[1], "FR", "2026-06-19T18:00:00Z")  # the night is from 22:00 to 6:00 UTC: an hour more before it
        state = self.state(fixed[0], "AL")
        assert state["deadline"] == "2026-06-18T22:55:00Z" and state["used_s"] == 4 * 3600, state
        assert state["fixed"] == {"at": "2026-06-18T22:55:00Z", "zone": "Ruritania", "offset": "+01:00"}, state
        state = self.state(sleepers[0], "FR")
        assert state["used_s"] == 4 * 3600 and self.left(state, daemon.now) == 20 * HOUR, state
        assert [s["kind"] for s in state["why"]] == ["runs", "sleep", "runs"] and state["why"][1]["from"] == "2026-06-18T22:00:00Z", state
        assert self.state(plain[0], "AL")["deadline"] == text(START + DAY)
        # It goes into the store: a restart shows the same.
        daemon.beat()
        daemon.kill()
        daemon.start()
        self.again(daemon, fixed + plain + sleepers)
        assert self.state(fixed[0], "AL")["deadline"] == "2026-06-18T22:55:00Z"
        assert self.state(sleepers[0], "FR")["used_s"] == 4 * 3600
        # And what fires is what is shown.
        daemon.move(ms("2026-06-18T22:55:00Z") - 1, fixed[0].client, fixed[0].match)
        assert self.state(fixed[0], "AL")["misses"] == 0
        daemon.move(ms("2026-06-18T22:55:00Z"), fixed[0].client, fixed[0].match)
        assert self.state(fixed[0], "AL")["state"] == "out"
        self.finish()
        shutil.rmtree(zones.folder)

    def test_an_update_in_the_night_takes_no_time_back(self):
        """Asked at 12:00 of Ruritania, which changes in its night: eleven hours ran, and stay so; the night is an hour longer."""
        zones = Zones()
        daemon = self.daemon(START, env={"TZDIR": zones.folder})
        seats = self.match(daemon, clock=NIGHTS)
        for seat in seats:
            seat.client.call("account.set", timezone="Ruritania", sleep={"from": "23:00", "to": "07:00"})
            seat.client.call("match.watch", match=seat.match, actions=False)
        seats[1].act(clocks.placements(clocks.ALLIED), {"do": "confirm_setup"})
        daemon.move(ms("2026-06-19T02:00:00Z"), seats[0].client, seats[0].match)
        zones.put("Ruritania", "Africa/Algiers")
        assert self.update_by_itself(daemon, zones)[2:] == ("1", "1")
        self.told(seats[0], "FR", "2026-06-19T19:00:00Z")
        state = self.state(seats[0], "FR")
        assert state["used_s"] == 11 * 3600 and self.left(state, daemon.now) == 13 * HOUR, state
        # Back again at noon: it has woken at six, and used six hours since.
        daemon.move(ms("2026-06-19T12:00:00Z"), seats[0].client, seats[0].match)
        zones.put("Ruritania", "Europe/Brussels")
        self.update(daemon)
        state = self.state(seats[0], "FR")
        assert state["used_s"] == 17 * 3600 and state["deadline"] == "2026-06-19T19:00:00Z", state
        self.finish()
        shutil.rmtree(zones.folder)

    def update_by_itself(self, daemon, zones):
        zones.version("2027a")
        return self.update(daemon)

    def test_a_deadline_of_the_past_is_none_and_nothing_new_says_nothing(self):
        """By the new rules 23:55 was an hour ago: nobody is late for that, it is due at once and not before."""
        zones = Zones()
        zones.put("Ruritania", "Africa/Algiers")
        daemon = self.daemon(START, env={"TZDIR": zones.folder})
        seats = self.match(daemon, clock=FIXED)
        seats[0].client.call("match.watch", match=seats[0].match, actions=False)
        assert self.state(seats[0], "AL")["deadline"] == "2026-06-18T22:55:00Z"
        # Nothing has changed: it is read, and nothing follows.
        daemon.process.send_signal(signal.SIGHUP)
        daemon.move(ms("2026-06-18T22:25:00Z"), seats[0].client, seats[0].match)
        zones.put("Ruritania", "Europe/Brussels")  # where it is 0:25 of the next day then
        assert self.update(daemon) == ("2026a", "2026a", "1", "1")
        # 23:55 of that day was skipped as the clocks went forward by an hour: the instant after the gap, which is now.
        seats[0].client.push("match.view", lambda params: {"ev": "missed", "seat": "AL"} in params["view"]["events"])
        state = self.state(seats[0], "AL")
        assert (state["misses"], state["state"], state["used_s"]) == (1, "out", 44700), state  # 12 h 25 min ran
        lines = [one for one in daemon.log_text().splitlines() if "event=time_zones old=" in one]
        assert len(lines) == 1, lines
        self.finish()
        shutil.rmtree(zones.folder)


if __name__ == "__main__":
    sys.exit(clocks.main(ZoneSuite, __doc__))
