#!/usr/bin/env python3
"""Time over the wire: the daemon as a process, in a time of the test's making. Ends with "N passed, N failed".

  BR-12  a pause refilled the clock, the game never ended          test_br12_...
  BR-13  UTC was stored as local time                              test_br13_...
  BR-14  treated as absent although orders were in                 test_br14_...

Expected times are worked out by hand; the zones' changes of 2026 beside them.
"""
import argparse
import os
import shutil
import signal
import sys
import tempfile
import traceback
import urllib.request

from contract import Contract
from simtime import DAY, HOUR, MINUTE, SECOND, SimDaemon, ms, text
from wire import Client, Refused, deadline as guard_of, new_match, register

START = ms("2026-02-20T12:00:00Z")  # a Friday
ALLIED = {
    "thuin": "PR-E PR-F PR-G PR-H", "charleroi": "PR-A PR-B PR-C PR-D", "fosses": "PR-I PR-J PR-K PR-L",
    "ligny": "PR-M PR-N PR-O PR-P", "mons": "AD-A AD-B AD-C", "binche": "AD-D AD-E AD-F",
    "soignies": "AD-G AD-H AD-I", "nivelles": "AD-J AD-K AD-L", "quatre-bras": "AD-M AD-N"}
FRENCH = {"beaumont": "FR-A FR-B FR-C FR-H FR-N FR-Q", "laneffe": "FR-D FR-E FR-F FR-I",
          "maubeuge": "FR-G FR-J FR-K FR-L FR-M FR-O FR-P FR-R"}
WEEKDAYS = {"kind": "correspondence", "bank_s": 0, "per_move_s": 5 * 86400, "zone": "Europe/Brussels",
            "days": ["mon", "tue", "wed", "thu", "fri"], "ladder": {"remind_s": [], "grace_s": 0}}
FIVE_DAYS = {"kind": "correspondence", "bank_s": 0, "per_move_s": 5 * 86400, "ladder": {"remind_s": [], "grace_s": 0}}


def placements(towns):
    return {"do": "place", "placements": [{"unit": unit, "town": town} for town, units in towns.items()
                                          for unit in units.split()]}


class Seat:
    def __init__(self, daemon, token, match, seat):
        self.client = Client(daemon.port, token)
        self.match, self.seat = match, seat

    def act(self, *actions):
        answer = None
        for action in actions:
            seq = self.client.call("match.get", match=self.match)["seq"]
            answer = self.client.call("match.act", match=self.match, seq=seq, action=action)
        return answer


class Suite:
    def __init__(self, binary):
        self.binary = binary
        self.contract = Contract()
        self.serial = 0
        self.daemons, self.seats = [], []

    # ---- tools ----

    def daemon(self, start=START, **more):
        daemon = SimDaemon(self.binary, start, "[limits]\nrates = off\n", **more).start()
        self.daemons.append(daemon)
        return daemon

    def match(self, daemon, count=2, **params):
        """Seats of a running match."""
        codes = ("FR", "AL") if count == 2 else ("FR", "AD", "PR")
        if count == 3:
            params.setdefault("options", {})["players"] = 3
        tokens = []
        for _ in codes:
            self.serial += 1
            tokens.append(register(daemon.port, "hand-%d" % self.serial))
        match = new_match(daemon.port, tokens, codes, **params)
        seats = [Seat(daemon, token, match, code) for token, code in zip(tokens, codes)]
        for seat, token in zip(seats, tokens):
            seat.token = token
        self.seats += seats
        return seats

    def again(self, daemon, seats):
        """After a restart: new connections."""
        for seat in seats:
            self.hold(seat)
            seat.client = Client(daemon.port, seat.token)

    def hold(self, seat):
        self.contract.traffic(seat.client.traffic, limit=self.contract.seen + 200)
        assert not self.contract.problems, "\n".join(self.contract.problems[:5])
        seat.client.close()

    def finish(self):
        """After each test: all that passed keeps to the schemas, every daemon stops well."""
        for seat in self.seats:
            self.hold(seat)
        self.seats = []
        for daemon in self.daemons:
            code = daemon.stop()
            log = daemon.log_text()
            assert code == 0 and "Sanitizer" not in log and "runtime error" not in log, log[-4000:]
            assert "level=error" not in log, [line for line in log.splitlines() if "level=error" in line]
            shutil.rmtree(daemon.folder, ignore_errors=True)
        self.daemons = []

    def drop(self):
        """After a test that failed."""
        for seat in self.seats:
            seat.client.close()
        for daemon in self.daemons:
            if daemon.process.poll() is None:
                daemon.kill()
        self.seats, self.daemons, self.contract.problems = [], [], []

    @staticmethod
    def state(seat, of):
        """What match.get and match.clock say of a seat's clock: both the same."""
        short = seat.client.call("match.get", match=seat.match)["clock"]["seats"][of]
        long = seat.client.call("match.clock", match=seat.match)["seats"][of]
        for name in ("deadline", "misses", "span_end"):
            assert short.get(name) == long.get(name), (name, short, long)
        return long

    @staticmethod
    def left(state, now):
        """How long the clock still runs, by its own explanation; without holes up to the deadline."""
        at, runs = now, 0
        for span in state["why"]:
            assert ms(span["from"]) == at, (text(at), span)
            at = ms(span["to"])
            runs += at - ms(span["from"]) if span["kind"] == "runs" else 0
        assert at == ms(state["deadline"]), state
        return runs

    @staticmethod
    def events(seat):
        return [event for step in seat.client.call("match.history", match=seat.match)["steps"]
                for event in step["events"]]

    def refused(self, kind, call, *args, **params):
        try:
            call(*args, **params)
        except Refused as refusal:
            assert refusal.kind == kind, refusal
            return refusal.error["data"]
        raise AssertionError("%s was not refused" % (params,))

    # ---- BR-12 ----

    def test_br12_weekends_give_nothing_back(self):
        """Five days a move, the weekend stands, nobody moves. Asked on Friday 20 at 13:00 in Brussels: 11 h of that day, and
        109 h from Monday 0:00 on: Friday 27 at 13:00, winter time all along."""
        daemon = self.daemon()
        seats = self.match(daemon, clock=WEEKDAYS)
        french, allied = seats
        assert self.state(french, "AL")["deadline"] == "2026-02-27T12:00:00Z"
        for now, state, left in (("2026-02-20T22:59:59Z", "runs", 5 * DAY - 11 * HOUR + SECOND),
                                 ("2026-02-20T23:00:00Z", "closed", 5 * DAY - 11 * HOUR),
                                 ("2026-02-21T15:00:00Z", "closed", 5 * DAY - 11 * HOUR),
                                 ("2026-02-22T22:59:59Z", "closed", 5 * DAY - 11 * HOUR),
                                 ("2026-02-22T23:00:00Z", "runs", 5 * DAY - 11 * HOUR),
                                 ("2026-02-25T23:00:00Z", "runs", 37 * HOUR)):
            daemon.move(ms(now), french.client, french.match)
            seen = self.state(allied, "AL")
            assert (seen["state"], self.left(seen, ms(now))) == (state, left), (now, seen)
            assert seen["deadline"] == "2026-02-27T12:00:00Z", (now, seen)
            assert seen["used_s"] * SECOND == 5 * DAY - left - (5 * DAY - left) % SECOND, (now, seen)
        daemon.move(ms("2026-02-27T11:59:59.999Z"), french.client, french.match)
        assert self.state(french, "AL")["misses"] == 0
        daemon.move(ms("2026-02-27T12:00:00Z"), french.client, french.match)
        assert self.state(french, "AL")["state"] == "out"
        assert self.events(allied)[-1] == {"ev": "missed", "seat": "AL"}
        self.finish()

    def test_br12_restarts_in_and_out_of_the_weekend(self):
        """A daemon that is gone for a day of the weekend moves nothing; one that is gone for a day of the week moves it by a
        day; and the host's zone is another each time."""
        daemon = self.daemon(env={"TZ": "Asia/Tokyo"})
        seats = self.match(daemon, clock=WEEKDAYS)
        french, _ = seats
        for gone, back, zone, deadline in (
                ("2026-02-21T10:00:00Z", "2026-02-22T10:00:00Z", "America/New_York", "2026-02-27T12:00:00Z"),
                ("2026-02-24T10:00:00Z", "2026-02-25T11:00:00Z", "Pacific/Auckland", "2026-03-02T13:00:00Z"),
                ("2026-02-27T22:00:00Z", "2026-03-02T00:00:00Z", "UTC", "2026-03-02T15:00:00Z")):
            daemon.move(ms(gone), french.client, french.match)
            daemon.beat()
            daemon.kill()
            daemon.set(ms(back))
            daemon.env["TZ"] = zone
            daemon.start()
            self.again(daemon, seats)
            seen = self.state(french, "AL")
            assert seen["deadline"] == deadline, (back, seen)
            assert self.left(seen, ms(back)) + seen["used_s"] * SECOND == 5 * DAY, seen
            held = french.client.call("match.clock", match=french.match)["held"][-1]
            assert (held["kind"], held["to"]) == ("outage", back), held
        self.finish()

    def offer(self, maker, others, what, **more):
        offer = maker.client.call("match.offer", match=maker.match, what=what, **more)["offer"]
        for other in others:
            other.client.call("match.answer", match=maker.match, offer=offer, accept=True)

    def test_br12_pauses_by_consent_give_nothing_back(self):
        """Every Friday evening all agree to pause, on Monday to go on. Asked on Friday at 12:00Z."""
        daemon = self.daemon()
        french, allied = self.match(daemon, clock=FIVE_DAYS)
        due = START + 5 * DAY
        for week in range(4):
            pause, resume = START + (7 * week + 1) * DAY + 250, START + (7 * week + 3) * DAY + 7 * HOUR + 750
            if due <= pause:
                break
            daemon.move(pause, french.client, french.match)
            before = self.left(self.state(french, "AL"), pause)
            self.offer(french, [allied], "pause")
            seen = self.state(allied, "AL")
            assert seen["state"] == "paused" and "deadline" not in seen, seen
            assert french.client.call("match.get", match=french.match)["clock"]["paused"]["since"] == text(pause)
            daemon.move(pause + DAY, french.client, french.match)
            assert self.state(allied, "AL")["used_s"] == (5 * DAY - before) // SECOND
            daemon.move(resume, french.client, french.match)
            self.offer(allied, [french], "resume")
            seen = self.state(french, "AL")
            due += resume - pause
            assert self.left(seen, resume) == before and seen["deadline"] == text(due), (week, seen)
        assert due == START + 5 * DAY + 2 * DAY + 7 * HOUR + 500, text(due)
        daemon.move(due - 1, french.client, french.match)
        assert self.state(french, "AL")["state"] == "runs"
        daemon.move(due, french.client, french.match)
        assert self.state(french, "AL")["state"] == "out"
        told = [event["ev"] for event in self.events(french)]
        assert told == ["paused", "resumed", "missed"], told
        self.finish()

    # ---- BR-13 ----

    def test_br13_sunday_at_five_to_midnight(self):
        """Asked in February, due in April. Brussels and New York have summer time by then, Auckland no longer from that very
        day's 3 o'clock on, Kathmandu never: 43 days and 13 h after asking a span ends, and the next Sunday is April 5."""
        daemon = self.daemon(env={"TZ": "Australia/Lord_Howe"})
        for zone, deadline, offset in (("Europe/Brussels", "2026-04-05T21:55:00Z", "+02:00"),
                                       ("America/New_York", "2026-04-06T03:55:00Z", "-04:00"),
                                       ("Pacific/Auckland", "2026-04-05T11:55:00Z", "+12:00"),
                                       ("Asia/Kathmandu", "2026-04-05T18:10:00Z", "+05:45")):
            clock = {"kind": "correspondence", "bank_s": 0, "per_move_s": 3762000, "zone": zone, "at": "23:55",
                     "days": ["sun"], "ladder": {"remind_s": [], "grace_s": 0}}
            french, _ = self.match(daemon, clock=clock)
            for _ in range(2):
                seen = french.client.call("match.clock", match=french.match)
                assert seen["seats"]["AL"]["deadline"] == deadline, (zone, seen)
                assert seen["spec"]["zone"] == zone and seen["spec"]["at"] == "23:55", seen
                assert seen["seats"]["AL"]["why"], seen
                assert self.view_deadline(french, "AL") == deadline
            assert self.offset_then(french, deadline) == offset
        self.finish()

    @staticmethod
    def view_deadline(seat, of):
        return seat.client.call("match.view", match=seat.match)["clock"][of]["deadline"]

    @staticmethod
    def offset_then(seat, deadline):
        """The offset that the match's zone has at the deadline, as match.clock tells it: of the spans with a zone, the last."""
        clock = seat.client.call("match.clock", match=seat.match)
        fixed = clock["seats"]["AL"]["fixed"]
        assert fixed["at"] == deadline and fixed["zone"] == clock["spec"]["zone"], fixed
        return fixed["offset"]

    def test_br13_in_the_hour_that_is_skipped_and_the_one_that_is_there_twice(self):
        for zone, asked, at, deadline in (
                ("Europe/Brussels", "2026-03-28T12:00:00Z", "02:30", "2026-03-29T01:00:00Z"),
                ("America/New_York", "2026-03-07T12:00:00Z", "02:30", "2026-03-08T07:00:00Z"),
                ("Europe/Brussels", "2026-10-24T12:00:00Z", "02:30", "2026-10-25T01:30:00Z"),
                ("America/New_York", "2026-10-31T12:00:00Z", "01:30", "2026-11-01T06:30:00Z")):
            daemon = self.daemon(ms(asked), env={"TZ": "Asia/Kathmandu"})
            clock = {"kind": "correspondence", "bank_s": 0, "per_move_s": 3600, "zone": zone, "at": at,
                     "days": ["sun"], "ladder": {"remind_s": [], "grace_s": 0}}
            french, _ = self.match(daemon, clock=clock)
            assert self.state(french, "AL")["deadline"] == deadline, (zone, asked)
            daemon.move(ms(deadline) - 1, french.client, french.match)
            assert self.state(french, "AL")["misses"] == 0
            daemon.move(ms(deadline), french.client, french.match)
            assert self.state(french, "AL")["misses"] == 1
            self.finish()

    def test_br13_a_newer_zone_database_moves_only_what_is_ahead(self):
        """Brussels gives up summer time while the daemon is away for an hour: 23:55 is an hour later in UTC, what was used
        stays used."""
        folder = tempfile.mkdtemp(prefix="vedette-zones-")
        os.mkdir(os.path.join(folder, "Europe"))
        here = os.path.join(folder, "Europe", "Brussels")
        shutil.copy("/usr/share/zoneinfo/Europe/Brussels", here)
        start = ms("2026-06-18T10:00:00Z")
        daemon = self.daemon(start, env={"TZDIR": folder})
        clock = {"kind": "correspondence", "bank_s": 0, "per_move_s": 3600, "zone": "Europe/Brussels", "at": "23:55",
                 "ladder": {"remind_s": [], "grace_s": 0}}
        seats = self.match(daemon, clock=clock)
        french = seats[0]
        assert self.state(french, "AL")["deadline"] == "2026-06-18T21:55:00Z"
        daemon.move(start + HOUR, french.client, french.match)
        used = self.state(french, "AL")["used_s"]
        assert daemon.stop() == 0
        shutil.copy("/usr/share/zoneinfo/Africa/Algiers", here)
        daemon.set(start + 2 * HOUR)
        daemon.start()
        self.again(daemon, seats)
        seen = self.state(french, "AL")
        assert (seen["deadline"], seen["fixed"]["offset"], seen["used_s"]) == ("2026-06-18T22:55:00Z", "+01:00", used), seen
        daemon.move(ms("2026-06-18T22:54:59Z"), french.client, french.match)
        assert self.state(french, "AL")["misses"] == 0
        daemon.move(ms("2026-06-18T22:55:00Z"), french.client, french.match)
        assert self.state(french, "AL")["misses"] == 1
        self.finish()
        shutil.rmtree(folder)

    # ---- what the host may publish ----

    def test_metrics_move_by_nothing_that_is_done_with_a_clock(self):
        """Quiet acts, drafts, orders, notes, a calendar of one's own, what is due by itself: /metrics stays as it is, to the
        byte; only open connections and finished matches are counted there."""
        daemon = self.daemon()
        french, allied = self.match(daemon, pace=600, clock={**self.DAILY, "vacation_days": 9, "sleep": True})
        self.set_up(french, allied)

        def page():
            with urllib.request.urlopen("http://127.0.0.1:%d/metrics" % daemon.port) as answer:
                return answer.read()
        before = page()
        assert b"vedette_connections" in before
        french.client.call("match.draft", match=french.match, version=0, actions=[{"do": "end_movement"}])
        french.act({"do": "march", "marches": [{"unit": "FR-A", "path": ["thuin"]}]})  # quiet
        allied.client.call("match.standing", match=allied.match, version=0, orders=[
            {"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "fight", "rest": "spread"}}])
        allied.client.call("match.note", match=allied.match, text="a note")
        french.client.call("account.set", timezone="Europe/Brussels", sleep={"from": "23:00", "to": "07:00"})
        french.client.call("match.clock", match=french.match)
        for at in (HOUR, 12 * HOUR, DAY - 1):
            daemon.move(START + at, french.client, french.match)
        assert page() == before
        # Time runs out, and with it grace: lines that all are told of, and nothing here.
        daemon.move(START + 3 * DAY, french.client, french.match)
        assert "missed" in [e["ev"] for e in self.events(allied)]
        assert page() == before
        self.finish()

    # ---- W-01 ----

    def test_who_is_asked_when_he_is_away_is_told_of(self):
        """The opponent who is on vacation when it comes to be his move: a line says that his clock stands, and one that it goes
        on; also over a restart they are told once."""
        daemon = self.daemon()
        clock = {**self.DAILY, "vacation_days": 9}
        french, allied = self.match(daemon, clock=clock)
        french.client.call("account.set", timezone="UTC", vacation=[{"from": "2026-02-20", "to": "2026-02-22"}])
        assert "paused" not in [e["ev"] for e in self.events(allied)]  # he is not asked
        allied.act(placements(ALLIED), {"do": "confirm_setup"})
        allied.client.call("match.watch", match=allied.match, actions=False)
        daemon.move(START, allied.client, allied.match)
        guard = guard_of(30)
        while {"ev": "paused", "how": "vacation", "seat": "FR"} not in self.events(allied):
            assert guard(), self.events(allied)
        assert self.state(allied, "FR")["state"] == "vacation"
        daemon.beat()
        daemon.kill()
        daemon.start()
        self.again(daemon, [french, allied])
        daemon.move(ms("2026-02-23T00:00:00Z"), allied.client, allied.match)
        guard = guard_of(30)
        while {"ev": "resumed", "how": "vacation", "seat": "FR"} not in self.events(allied):
            assert guard(), self.events(allied)
        told = [e["ev"] for e in self.events(allied) if e["ev"] in ("paused", "resumed")]
        assert told == ["paused", "resumed"], told
        assert self.state(allied, "FR")["deadline"] == "2026-02-24T00:00:00Z"
        self.finish()

    # ---- BR-14 ----

    def set_up(self, french, allied):
        allied.act(placements(ALLIED), {"do": "confirm_setup"})
        french.act(placements(FRENCH), {"do": "confirm_setup"})

    DAILY = {"kind": "correspondence", "bank_s": 0, "per_move_s": 86400,
             "ladder": {"remind_s": [], "grace_s": 3600, "then": "claim"}}

    def test_br14_who_left_orders_or_held_still_was_there(self):
        """(a) standing orders answer for the one who is away; (c) a turn in which nothing is moved is a turn. No miss, no time
        of grace used, nothing late."""
        daemon = self.daemon()
        french, allied = self.match(daemon, clock=self.DAILY)
        self.set_up(french, allied)
        stand = [{"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "fight", "rest": "spread"}}]
        allied.client.call("match.standing", match=allied.match, version=0, orders=stand)
        french.act({"do": "march", "marches": [{"unit": "FR-" + u, "path": ["thuin"]} for u in "ABCH"]},
                   {"do": "end_movement"})
        view = french.client.call("match.view", match=french.match)
        assert view["waits_for"] == ["FR"], view["waits_for"]  # the answer and the deployment are given
        clock = french.client.call("match.clock", match=french.match)
        assert clock["seats"]["AL"]["misses"] == 0 and clock["seats"]["AL"]["state"] == "stands", clock
        daemon.move(START + 23 * HOUR, french.client, french.match)
        self.finish()
        # (c)
        daemon = self.daemon()
        french, allied = self.match(daemon, clock=self.DAILY)
        self.set_up(french, allied)
        daemon.move(START + DAY - 1, french.client, french.match)
        french.act({"do": "end_movement"})
        seen = french.client.call("match.clock", match=french.match)
        assert seen["seats"]["FR"]["misses"] == 0 and seen["seats"]["FR"]["state"] == "stands", seen
        assert not [e for e in self.events(allied) if e["ev"] in ("late", "missed")]
        self.finish()

    def test_br14_nothing_and_a_draft_are_what_the_match_says(self):
        """(d) nothing at all: late, then a miss. (b) a draft that was never sent: the same, where the match says that a draft
        is nothing, and it says so beforehand; the others see no difference."""
        seen = []
        for draft in (False, True):
            daemon = self.daemon()
            french, allied = self.match(daemon, clock=self.DAILY)
            self.set_up(french, allied)
            assert french.client.call("match.clock", match=french.match)["spec"]["ladder"]["draft"] == "miss"
            if draft:
                french.client.call("match.draft", match=french.match, version=0, actions=[{"do": "end_movement"}])
            daemon.move(START + DAY, french.client, french.match)
            assert self.state(allied, "FR")["state"] == "grace"
            daemon.move(START + DAY + HOUR, french.client, french.match)
            state = self.state(allied, "FR")
            assert (state["state"], state["misses"], state["claims"]) == ("out", 1, ["win", "grant", "annul"]), state
            seen.append((self.events(allied), state))
            self.finish()
        assert seen[0] == seen[1]

    def test_br14_a_draft_is_played_where_the_match_says_so(self):
        daemon = self.daemon()
        clock = {**self.DAILY, "ladder": {**self.DAILY["ladder"], "draft": "play"}}
        french, allied = self.match(daemon, clock=clock)
        self.set_up(french, allied)
        french.client.call("match.draft", match=french.match, version=0, actions=[{"do": "end_movement"}])
        daemon.move(START + DAY, french.client, french.match)
        assert self.state(allied, "FR")["state"] == "grace"
        daemon.set(START + DAY + HOUR)
        daemon.process.send_signal(signal.SIGUSR2)
        view = allied.client.call("match.view", match=allied.match)
        while view["waits_for"] == ["FR"]:
            view = allied.client.call("match.wait", match=allied.match, after=view["seq"], timeout_s=20)
            assert "unchanged" not in view, "the draft was not played"
        state = self.state(allied, "FR")
        assert (state["state"], state["misses"]) == ("stands", 0), state
        assert [e["ev"] for e in self.events(allied)][-1] != "missed"
        guard = guard_of(60)  # emptied behind the line
        while french.client.call("match.draft", match=french.match)["actions"]:
            assert guard(), "the draft is still there"
        self.finish()
        # One that the rules refuse is nothing, and so is one that leaves the turn open.
        for actions in ([{"do": "end_combat_turn"}],
                        [{"do": "march", "marches": [{"unit": "FR-A", "path": ["thuin"]}]}]):
            daemon = self.daemon()
            french, allied = self.match(daemon, clock=clock)
            self.set_up(french, allied)
            french.client.call("match.draft", match=french.match, version=0, actions=actions)
            daemon.move(START + DAY + HOUR, french.client, french.match)
            state = self.state(allied, "FR")
            assert (state["state"], state["misses"]) == ("out", 1), state
            self.finish()

    # ---- what a passed deadline gives ----

    def test_claims_are_what_the_match_allows_W_05(self):
        for what in ("win", "grant", "annul"):
            daemon = self.daemon()
            french, allied = self.match(daemon, clock=self.DAILY)
            self.refused("conflict", french.client.call, "match.claim", match=french.match, what=what)
            daemon.move(START + DAY, french.client, french.match)  # late, not yet missed
            self.refused("conflict", french.client.call, "match.claim", match=french.match, what=what)
            daemon.move(START + DAY + HOUR, french.client, french.match)
            self.refused("conflict", allied.client.call, "match.claim", match=allied.match, what=what)
            french.client.call("match.claim", match=french.match, what=what)
            got = french.client.call("match.get", match=french.match)
            if what == "grant":
                assert got["state"] == "running", got
                state = self.state(allied, "AL")
                assert (state["state"], state["misses"]) == ("runs", 1), state
                assert state["deadline"] == text(START + DAY + HOUR + DAY), state
            else:
                assert (got["over"], got["state"]) == (True, "over" if what == "win" else "aborted"), got
                assert got["result"]["winners"] == (["FR"] if what == "win" else []), got
            self.finish()

    def test_an_end_on_time_is_taken_back_by_consent_W_06(self):
        daemon = self.daemon()
        french, allied = self.match(daemon, clock={**self.DAILY, "ladder": {"remind_s": [], "grace_s": 0, "then": "forfeit"}})
        daemon.move(START + DAY, french.client, french.match)
        got = french.client.call("match.get", match=french.match)
        while not got["over"]:
            french.client.call("match.wait", match=french.match, after=got["seq"], timeout_s=5)
            got = french.client.call("match.get", match=french.match)
        assert not got["revealed"], "an end on time waits two days"
        daemon.move(START + 2 * DAY)
        self.offer(allied, [french], "reopen")
        got = french.client.call("match.get", match=french.match)
        assert not got["over"] and got["waits_for"] == ["AL"], got
        state = self.state(french, "AL")
        assert state["deadline"] == text(START + 2 * DAY + 2 * DAY), state  # a day's span, and a day is given
        self.finish()


def main(kind=Suite, doc=__doc__):
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--daemon", required=True, help="built with -Dfaults=true")
    parser.add_argument("only", nargs="?", default="")
    args = parser.parse_args()
    suite = kind(args.daemon)
    passed = failed = 0
    for name in sorted(n for n in vars(kind) if n.startswith("test_") and args.only in n):
        try:
            getattr(suite, name)()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAILED %s" % name)
            traceback.print_exc(file=sys.stdout)
            for daemon in suite.daemons:
                print("\n".join(daemon.log_text().splitlines()[-12:]))
            suite.drop()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
