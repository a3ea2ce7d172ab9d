"""Clocks over the wire: how a match gets one, what is shown of it, what follows when time is over (DESIGN 6)."""
import datetime
import json
import os
import sqlite3
import struct
import subprocess
import tempfile
import time

import base
import test_matches
import vedette

T0 = 1796000000000  # 2026-11-30T00:53:20Z
MINUTE, HOUR, DAY = 60 * 1000, 3600 * 1000, 86400 * 1000
POST = {"kind": "correspondence", "bank_s": 0, "per_move_s": 3600,
        "ladder": {"remind_s": [600], "grace_s": 600, "then": "claim"}}


def instant(ms):
    text = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return text + (".%03dZ" % (ms % 1000) if ms % 1000 else "Z")


class Clock:
    """The time of a daemon, as a test sets it."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "clock")
        self.set(T0)

    def set(self, ms):
        self.ms = ms
        with open(self.path, "r+b" if os.path.exists(self.path) else "w+b") as file:
            file.write(struct.pack("<q", ms))


class WithClock(test_matches.WithMatch):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="vedette-clock-")
        cls.clock = Clock(cls.folder)
        cls.daemon = vedette.Daemon(base.DAEMON, env={"VEDETTE_CLOCK": cls.clock.path}).start()

    def setUp(self):
        self.clock.set(self.clock.ms + DAY - self.clock.ms % 1000)
        self.start = self.clock.ms

    def later(self, ms):
        self.clock.set(self.clock.ms + ms)
        self.daemon.signal(12)

    def told(self, seat, ev):
        """Waits for the event; it."""
        while True:
            for step in seat.client.call("match.history", match=seat.match)["steps"]:
                for event in step["events"]:
                    if event["ev"] == ev:
                        return event
            seat.client.call("match.wait", match=seat.match, after=seat.newest()["seq"], timeout_s=20)

    def count(self, seat, ev):
        history = seat.client.call("match.history", match=seat.match)
        return sum(event["ev"] == ev for step in history["steps"] for event in step["events"])

    def state(self, seat, wanted):
        """Waits until the clock of the seat is in that state; `clock` of match.get."""
        while True:
            clock = seat.client.call("match.get", match=seat.match)["clock"]
            if clock["seats"][seat.code]["state"] == wanted:
                return clock
            seat.client.push("match.changed", lambda p: "clock" in p)

    def clocked(self, clock, **more):
        seats = self.match(clock=clock, **more)
        for seat, code in zip(seats, ("FR", "AL")):
            seat.code = code
        return seats

    def back(self, seat):
        """The seat's connection after a restart."""
        seat.client = self.connect()
        seat.client.call("account.resume", token=seat.token)
        seat.client.call("match.watch", match=seat.match)


class Making(WithClock):
    def test_a_spec_is_named_member_by_member(self):
        client, _, _ = self.account()
        for clock, member in (({}, "clock.kind"), ({"kind": "slow"}, "clock.kind"),
                              ({"kind": "live", "bank_s": 0}, "clock.bank_s"),
                              ({"kind": "live", "days": ["mon"]}, "clock.days"),
                              ({"kind": "correspondence", "days": ["mon"]}, "clock.zone"),
                              ({"kind": "correspondence", "zone": "Mars/North", "days": ["mon"]}, "clock.zone"),
                              ({"kind": "live", "ladder": {"then": "tea"}}, "clock.ladder.then"),
                              ({"kind": "live", "ladder": {"then": "ally"}}, "clock.ladder.then"),
                              ({"kind": "live", "tempo": 3}, "clock.tempo"), ([], "clock")):
            data = self.refused("invalid_params", client.call, "match.create", game="waterloo", clock=clock)
            self.assertEqual(data["member"], member, clock)

    def test_it_is_shown_before_anybody_joins_and_copied_by_a_rematch(self):
        host, name, _ = self.account()
        guest, other, _ = self.account()
        made = host.call("match.create", game="waterloo", seat="FR", clock=POST)
        spec = made["clock_spec"]
        self.assertEqual((spec["kind"], spec["per_move_s"], spec["ladder"]["grace_s"]), ("correspondence", 3600, 600))
        self.assertNotIn("clock", made)
        match = made["match"]
        open_ones = guest.call("match.list", filter="open")["matches"]
        self.assertEqual([m["clock_spec"] for m in open_ones if m["match"] == match], [spec])
        self.assertEqual(host.call("match.clock", match=match), {"match": match, "spec": spec})
        guest.call("match.join", match=match)
        summary = guest.call("match.get", match=match)
        self.assertEqual(summary["clock_spec"], spec)
        self.assertEqual(set(summary["clock"]["seats"]), {"FR", "AL"})
        running = [m for m in host.call("match.list", filter="mine")["matches"] if m["match"] == match]
        self.assertEqual(running[0]["clock"], summary["clock"])
        host.call("match.resign", match=match)
        again = guest.call("match.rematch", match=match)
        self.assertEqual(again["clock_spec"], spec)
        self.assertNotIn("clock_spec", host.call("match.create", game="waterloo", seat="FR"))

    def test_a_match_without_one_says_so(self):
        french, _ = self.match()
        self.assertEqual(self.refused("conflict", french.client.call, "match.clock", match=french.match)["reason"], "clock")
        self.assertNotIn("clock", french.newest())


class Running(WithClock):
    def test_what_is_shown_is_the_same_for_all_and_stays_with_its_step(self):
        french, allied = self.clocked(POST, spectators="public")
        public = self.connect()
        begun = allied.newest()
        # The Allies set up first (W2.6).
        deadline = instant(self.start + HOUR)
        self.assertEqual(begun["clock"], {"kind": "correspondence", "FR": {"bank_s": 0},
                                          "AL": {"bank_s": 0, "deadline": deadline}})
        for client in (french.client, public):
            self.assertEqual(client.call("match.view", match=french.match)["clock"], begun["clock"])
        clock = french.client.call("match.get", match=french.match)["clock"]
        self.assertEqual(clock["seats"]["AL"], {"bank_s": 0, "state": "runs", "deadline": deadline,
                                                "span_end": deadline, "misses": 0})
        told = french.client.call("match.clock", match=french.match)
        self.assertEqual(told["now"], instant(self.start))
        self.assertEqual(told["seats"]["AL"]["why"], [{"from": instant(self.start), "to": deadline, "kind": "runs"}])
        self.assertEqual([n["if"] for n in told["seats"]["AL"]["next"]][:2], ["late", "miss"])
        self.later(10 * MINUTE)
        self.assertEqual(french.newest()["clock"], begun["clock"])

    def test_quiet_steps_move_no_clock(self):
        french, allied = self.clocked(POST)
        before = [french.client.call("match.view", match=allied.match),
                  french.client.call("match.get", match=allied.match)]
        self.later(5 * MINUTE)
        allied.newest()
        allied.act({"do": "place", "placements": [{"unit": "AD-A", "town": "mons"}]})
        allied.newest()
        self.assertEqual(french.client.call("match.view", match=allied.match), before[0])
        self.assertEqual(french.client.call("match.get", match=allied.match), before[1])

    def test_who_is_asked_is_told_till_when(self):
        host, _, _ = self.account()
        guest, _, _ = self.account()
        match = host.call("match.create", game="waterloo", seat="FR", clock=POST)["match"]
        guest.call("match.join", match=match)
        turn = guest.push("account.turn")
        self.assertEqual((turn["seat"], turn["deadline"]), ("AL", self.start + HOUR))

    def test_late_missed_claimed_and_taken_back(self):
        french, allied = self.clocked(POST)
        self.later(HOUR)
        self.assertEqual(self.told(french, "late")["seat"], "AL")
        self.later(11 * MINUTE)
        self.assertEqual(self.told(french, "missed"), {"ev": "missed", "seat": "AL"})
        self.state(allied, "out")
        self.assertEqual(self.refused("conflict", french.client.call, "match.claim", match=french.match, what="grant",
                                      seat="FR")["reason"], "claim")
        done = french.client.call("match.claim", match=french.match, what="win", action_id="w")
        self.assertEqual(done["events"][-1]["how"], "time")
        self.assertEqual(french.client.call("match.claim", match=french.match, what="win", action_id="w"), done)
        self.refused("match_over", allied.client.call, "match.claim", match=french.match, what="win")
        summary = french.client.call("match.get", match=french.match)
        self.assertEqual((summary["state"], summary["revealed"]), ("over", False))
        self.assertEqual(summary["reveal_at"], self.clock.ms + 2 * DAY)
        self.assertNotIn("key", summary)
        self.assertEqual(self.refused("conflict", french.client.call, "match.record", match=french.match)["reason"],
                         "not_revealed")
        # Both would rather finish the game (W-06).
        made = allied.client.call("match.offer", match=allied.match, what="reopen")
        self.assertEqual(made["awaits"], ["FR"])
        self.assertEqual(french.client.call("match.get", match=french.match)["offers"], [made])
        summary = french.client.call("match.get", match=french.match)
        self.assertEqual((summary["revealed"], summary["offers"]), (False, [made]))
        self.assertIn("reveal_at", summary)
        back = french.client.call("match.answer", match=french.match, offer=made["offer"], accept=True)
        self.assertEqual(back["events"], [{"ev": "reopened", "by": ["FR", "AL"]}])
        summary = french.client.call("match.get", match=french.match)
        self.assertEqual((summary["state"], summary["over"]), ("running", False))
        self.assertNotIn("result", summary)
        self.assertEqual(allied.newest()["state"], "SETUP_ALLIED")
        allied.client.call("match.resign", match=allied.match)
        self.assertIn('"how":"time"', allied.client.call("match.record", match=allied.match)["record"])

    def test_an_end_on_time_is_opened_after_two_days_also_across_a_restart(self):
        french, allied = self.clocked({**POST, "ladder": {**POST["ladder"], "then": "forfeit"}})
        self.later(2 * HOUR)
        self.told(allied, "match_ended")
        self.later(47 * HOUR)
        self.refused("conflict", allied.client.call, "match.view", match=allied.match, **{"as": "all"})
        self.daemon.kill()
        self.daemon.start()
        for seat in (french, allied):
            self.back(seat)
        self.refused("conflict", allied.client.call, "match.view", match=allied.match, **{"as": "all"})
        self.later(HOUR + 1)
        allied.client.push("match.changed", lambda p: p.get("revealed"))
        self.assertEqual(allied.client.call("match.view", match=allied.match, **{"as": "all"})["as"], "all")
        summary = allied.client.call("match.get", match=allied.match)
        self.assertEqual((summary["revealed"], "reveal_at" in summary), (True, False))

    def test_a_restart_amid_the_grace_charges_nobody_and_tells_nothing_twice(self):
        french, allied = self.clocked(POST)
        self.later(HOUR + MINUTE)
        self.told(french, "late")
        for how in ("kill", "stop"):
            self.daemon.signal(12)
            allied.client.call("server.hello")
            getattr(self.daemon, how)()
            self.clock.set(self.clock.ms + 5 * DAY)
            self.daemon.start()
            for seat in (allied, french):
                self.back(seat)
            told = allied.client.call("match.clock", match=allied.match)
            self.assertEqual(told["seats"]["AL"]["state"], "grace")
            self.assertIn("outage", [held["kind"] for held in told["held"]])
        self.later(7 * MINUTE)
        self.assertEqual(self.count(french, "missed"), 0)
        self.later(3 * MINUTE)
        self.told(french, "missed")
        self.assertEqual(self.count(french, "late"), 1)

    def test_pauses_and_gifts(self):
        french, allied = self.clocked({"kind": "live", "bank_s": 600})
        offer = allied.client.call("match.offer", match=allied.match, what="pause")
        self.assertEqual(offer["awaits"], ["FR"])
        done = french.client.call("match.answer", match=french.match, offer=offer["offer"], accept=True)
        self.assertEqual(done["events"], [{"ev": "paused", "how": "agreed", "by": ["FR", "AL"]}])
        changed = allied.client.push("match.changed", lambda p: "paused" in p.get("clock", {}))
        self.assertEqual(changed["clock"]["seats"]["AL"]["state"], "paused")
        self.later(3 * DAY)
        offer = french.client.call("match.offer", match=french.match, what="resume")
        self.assertEqual(offer["until"], self.clock.ms + DAY)
        self.later(DAY)
        self.told(allied, "resumed")
        self.assertEqual(self.state(allied, "runs")["seats"]["AL"]["bank_s"], 600)
        gift = french.client.call("match.offer", match=french.match, what="time", seat="AL", s=90)
        self.assertEqual((gift["what"], gift["outcome"]), ("time", "carried_out"))
        self.assertEqual(gift["events"], [{"ev": "granted", "seat": "AL", "by": ["FR"], "s": 90}])
        self.assertEqual(allied.client.call("match.get", match=allied.match)["clock"]["seats"]["AL"]["bank_s"], 690)

    def test_a_vacation_that_a_crash_cut_off_counts(self):
        """The settings were stored, the daemon died before the clocks had them: the start finds that."""
        french, allied = self.clocked({"kind": "correspondence", "bank_s": 0, "per_move_s": 86400, "vacation_days": 10})
        today = datetime.datetime.fromtimestamp(self.clock.ms // 1000, datetime.timezone.utc).date()
        away = {"from": str(today), "to": str(today + datetime.timedelta(days=2))}
        name = allied.client.call("account.get")["name"]
        self.daemon.kill()
        with sqlite3.connect(self.daemon.database) as database:
            settings, = database.execute("SELECT settings FROM account WHERE name = ?", (name,)).fetchone()
            database.execute("UPDATE account SET settings = ? WHERE name = ?",
                             (json.dumps({**json.loads(settings), "vacation": [away]}, separators=(",", ":"),
                                         sort_keys=True), name))
        database.close()
        self.daemon.start()
        watcher = self.connect()
        watcher.call("account.resume", token=french.token)
        watcher.call("match.watch", match=french.match)
        watcher.push("match.view", lambda p: {"ev": "paused", "how": "vacation", "seat": "AL"} in p["view"]["events"])

    def test_a_table_does_not_stand_open_for_ever(self):
        made, late = self.account()[0], self.account()[0]
        tables = [made.call("match.create", game="waterloo", seat="FR", access=access) for access in ("open", "private")]
        first = {"match": tables[0]["match"]}
        code = tables[1]["seats"]["AL"]["code"]
        self.assertEqual(tables[0]["expires_at"], tables[0]["created_at"] + 30 * DAY)
        self.later(30 * DAY - 1)
        self.assertEqual(made.call("match.get", **first)["state"], "open")
        self.later(1)
        for table in ({}, {"match": tables[1]["match"], "code": code}):
            data = self.refused("conflict", late.call, "match.join", **{**first, **table})
            self.assertIn(data["reason"], ("expired", "over"))
        end = time.monotonic() + 30
        while made.call("match.list", filter="open")["matches"]:
            self.assertLess(time.monotonic(), end, "it is still listed")
            time.sleep(0.1)
        self.assertEqual(made.call("match.get", **first)["state"], "aborted")

    def test_a_live_match_begins_when_all_are_here(self):
        """W-11: who has gone away since he made a table does not lose there by the clock."""
        maker, name, _ = self.account()
        joiner, _, _ = self.account()
        live = {"game": "waterloo", "seat": "FR", "clock": {"kind": "live"}}
        match = maker.call("match.create", **live)["match"]
        hidden, _, _ = self.account()
        hidden.call("account.set", presence=False)
        unseen = hidden.call("match.create", **live)["match"]
        slow = maker.call("match.create", game="waterloo", seat="FR", clock=POST)["match"]
        maker.call("account.logout")
        hidden.call("account.logout")
        self.later(10 * MINUTE)
        data = self.refused("conflict", joiner.call, "match.join", match=match)
        self.assertEqual(data["reason"], "not_here")
        for other in (unseen, slow):
            self.assertEqual(joiner.call("match.join", match=other)["state"], "running")
        maker.call("account.login", name=name, password=base.PASSWORD)
        self.assertEqual(joiner.call("match.join", match=match)["state"], "running")

    def test_no_bank_grows_for_ever(self):
        """Whoever gives and gives could make a clock that no server reads any more."""
        french, allied = self.clocked({"kind": "live", "bank_s": 600})
        year = 366 * 86400

        def give(s):
            return french.client.call("match.offer", match=french.match, what="time", seat="AL", s=s)
        for _ in range(4):
            self.assertEqual(give(year)["outcome"], "carried_out")
        with self.assertRaises(vedette.Refused) as caught:
            give(year)
        self.assertEqual(caught.exception.data["reason"], "bank")
        give(year - 600)
        bank = french.client.call("match.get", match=french.match)["clock"]["seats"]["AL"]["bank_s"]
        self.assertEqual(bank, 5 * year)
        offer = allied.client.call("match.offer", match=allied.match, what="time", seat="FR", s=year)
        self.assertEqual(french.client.call("match.answer", match=french.match, offer=offer["offer"], accept=True)["outcome"],
                         "carried_out") if offer.get("awaits") else None
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.connect().call("match.get", match=french.match)["state"], "running")

    def test_vacation_and_sleep_are_the_players_own(self):
        french, allied = self.clocked({"kind": "correspondence", "bank_s": 0, "per_move_s": 3600, "vacation_days": 10,
                                       "sleep": True})
        today = datetime.datetime.fromtimestamp(self.clock.ms // 1000, datetime.timezone.utc).date()
        away = {"from": str(today), "to": str(today + datetime.timedelta(days=2))}
        got = allied.client.call("account.set", vacation=[away], sleep={"from": "23:00", "to": "07:00"},
                                 timezone="Europe/Brussels")
        self.assertEqual((got["vacation"], got["sleep"]), ([away], {"from": "23:00", "to": "07:00"}))
        self.assertEqual(self.told(french, "paused"), {"ev": "paused", "how": "vacation", "seat": "AL"})
        clock = self.state(allied, "vacation")
        self.assertGreater(clock["seats"]["AL"]["deadline"], instant(self.start + DAY))
        told = french.client.call("match.clock", match=french.match)["seats"]["AL"]
        self.assertEqual(told["why"][0]["kind"], "vacation")
        self.later(4 * DAY)
        self.assertEqual(self.told(french, "resumed"), {"ev": "resumed", "how": "vacation", "seat": "AL"})
        for params, member in (({"sleep": {"from": "20:00", "to": "09:00"}}, "sleep"),
                               ({"vacation": [{"from": "2026-02-30", "to": "2026-03-01"}]}, "vacation"),
                               ({"timezone": "Nowhere/Land"}, "timezone"), ({"sleep": {"from": "1", "to": "2"}}, "sleep")):
            data = self.refused("invalid_params", allied.client.call, "account.set", **params)
            self.assertTrue(data["member"].startswith(member), data)
        got = allied.client.call("account.set", vacation=[], sleep={})
        self.assertNotIn("vacation", got)
        self.assertNotIn("sleep", got)

    def test_the_files_agree_and_a_match_moves_with_its_clock(self):
        french, allied = self.clocked(POST, spectators="none")
        self.later(20 * MINUTE)
        french.client.call("server.hello")
        self.assertEqual(self.daemon.stop(), 0)
        command = [base.DAEMON, "--database", self.daemon.database]
        env = self.daemon.env
        checked = subprocess.run([*command, "check"], capture_output=True, text=True, env=env)
        self.assertIn(" 0 faults", checked.stdout)
        moved = subprocess.run([*command, "export", french.match], capture_output=True, text=True, env=env).stdout
        first = json.loads(moved.split("\n", 1)[0])
        self.assertEqual((first["clock"]["per_move_s"], first["clock_at"]), (3600, self.clock.ms))
        other = vedette.Daemon(base.DAEMON, env=env)
        self.addCleanup(other.remove)
        file = os.path.join(other.folder, "match")
        with open(file, "w", encoding="utf-8") as out:
            out.write(moved)
        self.clock.set(self.clock.ms + 40 * DAY)
        taken = subprocess.run([base.DAEMON, "--database", other.database, "import", file], capture_output=True,
                               text=True, env=env)
        self.assertEqual(taken.returncode, 0, taken.stderr)
        codes = {line.split()[4]: line.split()[6] for line in taken.stdout.splitlines()}
        other.start()
        self.clock.set(self.clock.ms + DAY)
        player = other.client()
        self.addCleanup(player.close)
        player.call("account.register", name="Mover", password=base.PASSWORD)
        player.call("match.join", match=french.match, seat="AL", code=codes["AL"])
        player.call("match.watch", match=french.match)
        while player.call("match.get", match=french.match)["clock"]["seats"]["AL"]["state"] != "runs":
            player.push("match.changed", lambda p: "clock" in p)
        clock = player.call("match.get", match=french.match)["clock"]["seats"]
        self.assertEqual(clock["AL"]["deadline"], instant(self.clock.ms + 40 * MINUTE))
        other.stop()
        checked = subprocess.run([base.DAEMON, "--database", other.database, "check"], capture_output=True, text=True,
                                 env=env)
        self.assertIn(" 0 faults", checked.stdout, checked.stdout)
        self.daemon.start()
