#!/usr/bin/env python3
"""Weeks of a match of three, in a time of the test's making: vacations, nights in three zones, a change to summer time, a
daemon that is killed and one that is stopped for days, a player who is late and one who vanishes. It ends as the ladder says
that was agreed when the table was made. All that the clocks say is held against a walk through the minutes (clock_golden.py);
every notice is taken by a mail server, read, and searched for what is hidden. Ends with "N passed, N failed".

--mails FILE writes all notices out, to be read by a person.
"""
import argparse
import bisect
import datetime as dt
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import traceback
import zoneinfo

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[1:1] = [os.path.join(TOP, "tests", "unit"), os.path.join(TOP, "tests", "protocol")]

from clock_golden import runs
from contract import Contract
from mailbox import Mailbox
from simtime import DAY, HOUR, MINUTE, SimDaemon, ms, text
from wire import Client, Refused, deadline, pick

START = ms("2026-03-16T08:00:00Z")  # a Monday
DAYS = 75
VANISHES = ms("2026-04-01T12:00:00Z")
UNIT = re.compile(r"\b(FR|AD|PR)-([A-R])\b")
PEOPLE = {  # seat: name, zone, night, days away
    "FR": ("Emmanuel", "Europe/Brussels", ("23:00", "07:00"), ("2026-03-31", "2026-04-01")),
    "AD": ("Arthur", "America/New_York", ("23:30", "06:30"), ("2026-03-23", "2026-03-27")),
    "PR": ("Gebhard", "Asia/Kathmandu", ("22:00", "06:00"), None),
}
SPEC = {"kind": "correspondence", "bank_s": 2 * 86400, "per_move_s": 86400, "zone": "Europe/Brussels", "sleep": True,
        "vacation_days": 10, "pauses": {"policy": "capped", "cap_s": 2 * 86400},
        "ladder": {"remind_s": [43200], "grace_s": 43200, "misses": 1, "again_s": 21600,
                   "then": [{"do": "substitute", "for_s": 172800}, {"do": "ally", "for_s": 86400}, {"do": "caretaker"}]}}
CANARIES = {"side": "okapi-of-the-allies", "note": "quagga-in-the-notebook", "draft": "axolotl-in-a-draft"}


def when(at):
    return dt.datetime.fromtimestamp(at // 1000, dt.timezone.utc)


class Book:
    """What the clocks should say, kept by hand: minutes of each seat, by a walk through them."""

    def __init__(self):
        self.bank = {seat: SPEC["bank_s"] // 60 for seat in PEOPLE}
        self.asked = {seat: None for seat in PEOPLE}
        self.players, self.flags, self.sums = {}, {}, {}
        for seat, (_, zone, sleep, away) in PEOPLE.items():
            self.players[seat] = {"zone": zone, "sleep": sleep}
            if away:
                self.players[seat]["vacation"] = away
            # Of each minute from the start on: whether it runs.
            self.flags[seat] = [runs({}, self.players[seat], when(START + at * MINUTE)) for at in range(DAYS * 1440)]
            self.sum_up(seat)

    def sum_up(self, seat):
        self.sums[seat] = [0, *itertools.accumulate(self.flags[seat])]

    def stand(self, begins, ends):
        """An outage, a pause: nobody's minutes run."""
        for seat, flags in self.flags.items():
            for at in range((begins - START) // MINUTE, (ends - START) // MINUTE):
                flags[at] = False
            self.sum_up(seat)

    def is_up(self, seat, at):
        return self.flags[seat][(at - START) // MINUTE]

    def used(self, seat, a, b):
        """Minutes that ran from a to b."""
        return self.sums[seat][(b - START) // MINUTE] - self.sums[seat][(a - START) // MINUTE]

    def after(self, seat, at, minutes):
        """The instant at which so many minutes have run from `at` on."""
        if minutes == 0:
            return at
        sums = self.sums[seat]
        return START + bisect.bisect_left(sums, sums[(at - START) // MINUTE] + minutes) * MINUTE

    def deadline(self, seat):
        return self.after(seat, self.asked[seat], SPEC["per_move_s"] // 60 + self.bank[seat])

    def hand_over(self, seat, at):
        self.bank[seat] -= max(0, self.used(seat, self.asked[seat], at) - SPEC["per_move_s"] // 60)
        self.bank[seat] = max(0, self.bank[seat])
        self.asked[seat] = None


class Weeks:
    def __init__(self, binary, seed):
        self.rng = random.Random(seed)
        self.box = Mailbox()
        config = ("[server]\nbots = caretaker:1\nurl = https://vedette.example\n[limits]\nrates = off\n[notify]\nsmtp_url = %s\n"
                  "smtp_tls = none\nfrom = Vedette <vedette@example.org>\ndelay_s = 60\n" % self.box.url)
        self.daemon = SimDaemon(binary, START, config, env={"TZ": "Pacific/Auckland"}).start()
        self.contract = Contract()
        self.book = Book()
        self.tokens, self.clients, self.mails = {}, {}, []
        self.waits = []
        self.gone = set()      # who will not move again
        self.sittings = {seat: 0 for seat in PEOPLE}
        self.deadlines = {seat: set() for seat in PEOPLE}  # all that were ever shown
        self.vanished = self.handed_on = 0

    # ---- tools ----

    def address(self, seat):
        return PEOPLE[seat][0].lower() + "@example.org"

    def connect(self):
        for seat, token in self.tokens.items():
            if seat in self.clients:
                self.contract.traffic(self.clients[seat].traffic, limit=self.contract.seen + 150)
                self.clients[seat].close()
            self.clients[seat] = Client(self.daemon.port, token)
        assert not self.contract.problems, "\n".join(self.contract.problems[:5])

    def get(self, seat="FR"):
        return self.clients[seat].call("match.get", match=self.match)

    def clock(self, seat="FR"):
        return self.clients[seat].call("match.clock", match=self.match)

    def collect(self):
        """Takes what has come in by mail."""
        with self.box.news:
            taken, self.box.mails = self.box.mails, []
        for to, message in taken:
            self.mails.append((self.daemon.now, to, message))
        return len(taken)

    def mailed(self, seat, subject="Your move"):
        """How many notices of that kind went to that seat's player since it vanished, or so far."""
        self.collect()
        return sum(to == [self.address(seat)] and self.tells(message, subject) and at >= self.vanished
                   for at, to, message in self.mails)

    @staticmethod
    def tells(message, subject):
        """By itself, or as one of the things to see that came at once."""
        if message["Subject"].startswith(subject):
            return True
        part = next((p for p in message.walk() if p.get_content_type() == "text/plain"), message)
        return "things to see" in message["Subject"] and subject in part.get_payload(decode=True).decode()

    def wait_mail(self, seat, count, subject="Your move"):
        """The clock stands meanwhile."""
        goes_on = deadline(60)
        while self.mailed(seat, subject) < count:
            assert goes_on(), "no notice to %s at %s\n%s" % (seat, text(self.daemon.now), self.daemon.log_text()[-3000:])
            with self.box.news:
                self.box.news.wait(1)

    def move(self, at):
        self.daemon.move(at, self.clients["FR"], self.match)

    def check_clocks(self):
        """What the server says of every seat is what the book says."""
        state = self.get()["clock"]["seats"]
        for seat in PEOPLE:
            if seat in self.gone:
                continue
            if self.book.asked[seat] is None:
                assert state[seat]["bank_s"] == self.book.bank[seat] * 60, (seat, state[seat], self.book.bank[seat])
                assert "deadline" not in state[seat], (seat, state[seat])
            elif state[seat]["state"] not in ("grace", "out"):
                want = text(self.book.deadline(seat))
                self.deadlines[seat].add(ms(want))
                assert state[seat]["deadline"] == want, (seat, text(self.daemon.now), state[seat], want)

    # ---- the people ----

    def enter(self):
        for seat, (name, zone, sleep, away) in PEOPLE.items():
            client = Client(self.daemon.port)
            self.tokens[seat] = client.call("account.register", name=name, password="correct horse battery",
                                            email=self.address(seat), language="en", timezone=zone)["token"]
            _, body = self.box.wait(self.address(seat), lambda subject, body: "/confirm#" in body)
            client.call("account.confirm", token=re.search(r"#token=([A-Za-z0-9_-]{43})\b", body).group(1))
            client.call("account.set", sleep={"from": sleep[0], "to": sleep[1]}, notices={"always": True},
                        **({"vacation": [{"from": away[0], "to": away[1]}]} if away else {}))
            client.close()
        self.connect()
        created = self.clients["FR"].call("match.create", game="waterloo", seat="FR", options={"players": 3},
                                          spectators="public", clock=SPEC, title="The hundred days")
        self.match = created["match"]
        for seat in ("AD", "PR"):
            self.clients[seat].call("match.join", match=self.match, seat=seat)
        spec = self.get()["clock_spec"]
        assert spec["ladder"]["then"] == SPEC["ladder"]["then"] and spec["ladder"]["misses"] == 1, spec
        self.note_asked(before=[])

    def note_asked(self, before):
        """Who is asked now, and was not: a sitting each, and a notice."""
        got = self.get()
        self.waits = got["waits_for"]
        fresh = [seat for seat in self.waits if seat not in before and seat not in self.gone]
        for seat in fresh:
            self.book.asked[seat] = self.daemon.now
            self.sittings[seat] += 1
        self.check_clocks()
        wanted = {seat: self.mailed(seat) + 1 for seat in fresh}
        if fresh:
            self.move(self.daemon.now + 2 * MINUTE)
            for seat, count in wanted.items():
                self.wait_mail(seat, count)
        return got

    def act(self, seat):
        """The seat plays its sitting to the end, at this instant; forms are picked at random."""
        before = list(self.waits)
        client = self.clients[seat]
        for _ in range(400):
            view = client.call("match.view", match=self.match)
            if seat not in view["waits_for"] or not view.get("actions"):
                break
            client.call("match.act", match=self.match, seq=view["seq"], action=pick(view["actions"], self.rng))
        now = self.get()["waits_for"]
        for other in before:
            if other not in now and other not in self.gone:
                self.book.hand_over(other, self.daemon.now)
        return self.note_asked([other for other in before if other in now])

    def there(self):
        """Who can move on: those asked but for who is gone, and for an ally who has ended a step that the other has not. That
        one still seems to be waited for, to all but himself (W20.3), and his clock runs on."""
        return [seat for seat in self.waits if seat not in self.gone
                and seat in self.clients[seat].call("match.view", match=self.match, actions=False)["waits_for"]]

    def next_move(self):
        """Who of those asked moves next, and when: awake, at home, in time."""
        there = self.there()
        ends = min(self.book.deadline(s) for s in self.waits if s not in self.gone) - 5 * MINUTE
        plans = []
        for seat in there:
            at = self.daemon.now + self.rng.randint(60, 1200) * MINUTE
            while not self.book.is_up(seat, at):
                at += 30 * MINUTE
            plans.append((at, seat))
        at, seat = min(plans)
        if at > ends:  # whose day it is moves before that
            at, seat = max(self.daemon.now, ends), min(there, key=self.book.deadline)
        return seat, at

    def play(self, until):
        """They play until that time, or the end; True: it is over."""
        while self.daemon.now < until:
            got = self.get()
            if got["over"]:
                return True
            seat, at = self.next_move()
            if at >= until:
                self.move(until)
                break
            self.move(at)
            self.check_clocks()
            self.act(seat)
        self.check_clocks()
        return self.get()["over"]

    # ---- what happens ----

    def outage(self, gone, back, kill):
        """The daemon is away; nobody is charged, and it is told afterwards."""
        self.move(gone)
        self.check_clocks()
        if kill:
            self.daemon.beat()
            self.daemon.kill()
        else:
            assert self.daemon.stop() == 0
        self.daemon.set(back)
        self.daemon.env["TZ"] = "America/Los_Angeles"
        self.daemon.start()
        self.connect()
        self.book.stand(gone, back)
        held = self.clock()["held"][-1]
        assert (held["kind"], held["from"], held["to"]) == ("outage", text(gone), text(back)), held
        self.check_clocks()

    def pause(self, hours):
        """All agree to a pause, and to go on."""
        begins = self.daemon.now
        for what in ("pause", "resume"):
            offer = self.clients["FR"].call("match.offer", match=self.match, what=what)["offer"]
            for seat in ("AD", "PR"):
                self.clients[seat].call("match.answer", match=self.match, offer=offer, accept=True)
            if what == "pause":
                assert self.get()["clock"]["paused"]["since"] == text(begins)
                self.move(begins + hours * HOUR)
        self.book.stand(begins, begins + hours * HOUR)
        self.check_clocks()

    def be_late(self):
        """Somebody moves after his time, in the grace: late, and no miss."""
        while len(self.there()) != 1 or len(self.waits) != 1:
            other, at = self.next_move()
            self.move(at)
            self.act(other)
        seat = self.waits[0]
        due = self.book.deadline(seat)
        self.move(due)
        state = self.clock()["seats"][seat]
        grace = self.book.after(seat, due, SPEC["ladder"]["grace_s"] // 60)
        assert (state["state"], state["deadline"]) == ("grace", text(grace)), state
        self.move(grace - 2 * MINUTE)
        assert self.clock()["seats"][seat]["misses"] == 0
        self.act(seat)
        assert self.events()[-1]["ev"] != "missed" and {"ev": "late", "seat": seat} in self.events()
        assert self.book.bank[seat] == 0
        return seat

    def events(self, viewer="public"):
        steps, start = [], 0
        while True:
            page = self.clients["FR"].call("match.history", match=self.match, **{"as": viewer, "from": start, "limit": 200})
            steps += page["steps"]
            if "next" not in page:
                break
            start = page["next"]
        self.steps = steps
        return [event for step in steps for event in step["events"]]

    def vanish(self):
        """PR moves no more. Every step of the ladder comes when the book says, and not a minute before."""
        while "PR" not in self.waits:
            seat, at = self.next_move()
            self.move(at)
            self.act(seat)
        late = self.book.deadline("PR")
        self.gone.add("PR")
        self.vanished = self.daemon.now
        self.finish_others(late)
        ladder, steps = SPEC["ladder"], []
        first = self.book.after("PR", late, ladder["grace_s"] // 60)
        second = self.book.after("PR", first, ladder["again_s"] // 60)
        steps = [(late, "grace", 0), (first, "grace", 1), (second, "out", 2)]
        for at, word, misses in steps:
            if misses == 0:
                self.move_idle(late - SPEC["ladder"]["remind_s"][0] * 1000)
                self.move(self.daemon.now + 2 * MINUTE)
                self.wait_mail("PR", 1, "Still your move")
            self.move_idle(at - MINUTE)
            before = self.clock()["seats"]["PR"]
            assert before["deadline"] == text(at), (text(at), before)
            self.move_idle(at)
            after = self.clock()["seats"]["PR"]
            assert (after["state"], after["misses"]) == (word, misses), (text(at), after)
            self.move(at + 2 * MINUTE)
            self.wait_mail("PR", max(1, misses), "Your time is up" if misses == 0 else "A missed deadline")
        assert [e for e in self.events() if e["ev"] in ("late", "missed") and e["seat"] == "PR"] == [
            {"ev": "late", "seat": "PR"}, {"ev": "missed", "seat": "PR"}, {"ev": "missed", "seat": "PR"}]
        self.offered(second)
        return second

    def move_idle(self, at):
        """Time passes; those who are asked and still there move in it as they would."""
        while True:
            if not self.there():
                break
            seat, soon = self.next_move()
            if soon >= at:
                break
            self.move(soon)
            self.act(seat)
        self.move(at)

    def finish_others(self, before):
        """The others move until only the vanished one is waited for."""
        while self.there():
            seat, at = self.next_move()
            if at >= before:
                at = max(self.daemon.now, before - 10 * MINUTE)
            self.move(at)
            self.act(seat)

    def offered(self, since):
        """The seat is offered: to anybody, then to the ally, then a caretaker takes it."""
        stranger = Client(self.daemon.port)
        goes_on = deadline(60)
        while not [m for m in stranger.call("match.list", filter="vacant")["matches"] if m["match"] == self.match]:
            assert goes_on(), "the seat is not offered"
        stranger.close()
        assert self.clock()["seats"]["PR"]["deadline"] == text(since + 2 * DAY)
        self.move(since + 2 * DAY)
        try:
            self.clients["FR"].call("match.claim", match=self.match, what="ally", seat="PR")
            raise AssertionError("the enemy took the seat")
        except Refused as refusal:
            assert refusal.kind == "conflict", refusal
        self.move(since + 3 * DAY - MINUTE)
        assert not [e for e in self.events() if e["ev"] == "seat_changed" and e["how"] == "caretaker"]
        self.move(since + 3 * DAY)
        goes_on = deadline(120)
        while not [e for e in self.events() if e["ev"] == "seat_changed" and e.get("how") == "caretaker"]:
            assert goes_on(), "no caretaker came\n" + self.daemon.log_text()[-3000:]

    def end(self):
        """The caretaker plays at once; the two others as before, to the end by the rules."""
        seq, goes_on = 0, deadline(60)
        while not self.get()["over"]:
            got = self.get()
            if got["seq"] != seq:
                seq, goes_on = got["seq"], deadline(60)
            assert goes_on(), "nothing moves: %s\n%s" % (got, self.daemon.log_text()[-3000:])
            self.waits = got["waits_for"]
            there = self.there()
            if not there:  # the caretaker's turn
                self.clients["FR"].call("match.wait", match=self.match, after=seq, timeout_s=5)
                continue
            self.move(self.daemon.now + self.rng.randint(5, 90) * MINUTE)
            self.act_blind(self.rng.choice(there))
        return self.get()

    def act_blind(self, seat):
        client = self.clients[seat]
        for _ in range(400):
            view = client.call("match.view", match=self.match)
            if seat not in view["waits_for"] or not view.get("actions"):
                return
            try:
                client.call("match.act", match=self.match, seq=view["seq"], action=pick(view["actions"], self.rng))
            except Refused as refusal:
                assert refusal.kind in ("stale_state", "not_your_turn"), refusal  # the caretaker was quicker


def plain(message):
    return message.get_body(("plain",)).get_content().replace("\r\n", "\n")


# --- what the notices say -------------------------------------------------------------------------------------------------

def unit_names():
    """English name of each block -> its ids, longest name first."""
    with open(os.path.join(TOP, "schema", "words", "en.json"), encoding="utf-8") as file:
        words = json.load(file)
    names = {}
    for key, value in words.items():
        if re.fullmatch(r"unit\.(FR|AD|PR)-[A-R]", key):
            for name in re.findall(r"<b>(.*?)</b>", value):
                names.setdefault(name, set()).add(key[5:])
    assert len(names) >= 40, names
    return sorted(names.items(), key=lambda item: -len(item[0]))


class Notices:
    """All mails of a match, against what the public was shown."""

    def __init__(self, weeks):
        self.weeks = weeks
        weeks.events()
        self.chains, self.named, known = {}, {}, set()
        for step in weeks.steps:
            known |= {m.group(0) for m in UNIT.finditer(json.dumps(step["events"]))}
            self.chains[step["seq"]] = step["chain"]
            self.named[step["seq"]] = set(known)
        self.names = unit_names()
        self.mails = [(at, to, message) for at, to, message in weeks.mails if "/confirm#" not in plain(message)]

    def seq_of(self, body):
        found = re.search(r"Everybody was shown step (\d+) last, its chain ([A-Za-z0-9_-]{43})", body)
        assert found, body
        assert self.chains[int(found.group(1))] == found.group(2), "a chain that the public was not shown\n" + body
        return int(found.group(1))

    def test_every_one_has_both_parts_a_way_out_and_the_chain(self):
        assert len(self.mails) >= sum(self.weeks.sittings.values()) + 5, len(self.mails)
        for _, to, message in self.mails:
            assert to == [message["To"]] and message["From"] == "Vedette <vedette@example.org>", message
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click", message
            assert re.fullmatch(r"<https://vedette\.example/unsubscribe/[A-Za-z0-9_-]+>", message["List-Unsubscribe"]), message
            html = message.get_body(("html",)).get_content()
            self.seq_of(plain(message))
            assert self.weeks.match in plain(message) and self.weeks.match in html and "<script" not in html
            for line in plain(message).splitlines():
                if line.startswith("- "):
                    assert line[2:] in re.sub(r"<[^>]+>", "", html).replace("&#39;", "'").replace("&amp;", "&"), line

    def test_one_for_each_sitting(self):
        for seat, count in self.weeks.sittings.items():
            turns = [m for at, to, m in self.mails if to == [self.weeks.address(seat)]
                     and m["Subject"].startswith("Your move") and at <= self.weeks.handed_on]
            assert len(turns) == count, (seat, len(turns), count)
            told = [self.seq_of(plain(m)) for m in turns]
            assert told == sorted(told), (seat, told)

    def test_deadlines_are_those_of_the_clocks_in_the_readers_zone(self):
        seen = 0
        for at, to, message in self.mails:
            seat = next(s for s in PEOPLE if [self.weeks.address(s)] == to)
            found = re.search(r"^Until (\S+) (\S+) (\S+) \(UTC([+-]\d\d:\d\d)\)$", plain(message), re.M)
            if not message["Subject"].startswith("Your move") or at > self.weeks.handed_on:
                continue  # then the book is closed
            assert found, plain(message)
            day, minute, zone, offset = found.groups()
            assert zone == PEOPLE[seat][1], plain(message)
            due = ms("%sT%s:00%s" % (day, minute, offset))
            assert due in self.weeks.deadlines[seat], (seat, text(at), text(due), plain(message))
            local = when(due).astimezone(zoneinfo.ZoneInfo(zone))
            assert local.strftime("%Y-%m-%d %H:%M%z") == "%s %s%s" % (day, minute, offset.replace(":", "")), plain(message)
            seen += 1
        assert seen > 15, seen

    def test_nothing_hidden_is_in_any(self):
        """No block that the public did not see turned up by then, by id or by name, and no word that was said in private."""
        for _, to, message in self.mails:
            seat = next(s for s in PEOPLE if [self.weeks.address(s)] == to)
            for body in (str(message["Subject"]), plain(message), message.get_body(("html",)).get_content()):
                self.search(body, self.named[self.seq_of(plain(message))], message)
                for canary in CANARIES.values():
                    assert canary not in body, body
                for other, token in self.weeks.tokens.items():
                    assert token not in body, "a token in a mail"
                    assert other == seat or self.weeks.address(other) not in body, body

    def search(self, body, known, message):
        for found in UNIT.finditer(body):
            assert found.group(0) in known, "%s was never turned up\n%s" % (found.group(0), message)
        for name, ids in self.names:
            if name in body:
                assert ids & known, "%s was never turned up\n%s" % (name, message)
                body = body.replace(name, "")

    def test_the_search_finds_what_it_should(self):
        """A mail that names a block which nobody has seen is found."""
        hidden = next((name, ids) for name, ids in self.names if not ids & self.named[1])
        for body in ("the %s marches" % hidden[0], "%s marches" % sorted(hidden[1])[0]):
            try:
                self.search(body, self.named[1], body)
            except AssertionError:
                continue
            raise AssertionError("%r passes" % body)

    def test_who_vanished_was_told_of_each_step(self):
        """Reminder, grace, both misses; and the others of what they may do."""
        to = [self.weeks.address("PR")]
        last = [str(m["Subject"]).split(":")[0] for at, a, m in self.mails if a == to and at >= self.weeks.vanished]
        assert last[-5:-2] == ["Still your move", "Your time is up", "A missed deadline"], last
        # With the second miss the seat is offered to others: told by one message or by two, and then once more.
        assert last[-2] in ("2 things to see", "A missed deadline") and last[-1] == "Your seat is offered to others", last
        assert not [m for at, a, m in self.mails if a == to and at > self.weeks.handed_on], "somebody else has the seat"


class Story(Weeks):
    """The weeks in their order; what one leaves the next begins with."""

    def test_a_everybody_comes_in_and_sets_up(self):
        self.enter()
        self.clients["AD"].call("match.note", match=self.match, text=CANARIES["note"])
        self.clients["PR"].call("match.draft", match=self.match, version=0,
                                actions=[{"do": "place", "placements": [], "why": CANARIES["draft"]}])
        self.clients["AD"].call("match.say", match=self.match, channel="side", text=CANARIES["side"])
        assert not self.play(ms("2026-03-19T12:00:00Z"))

    def test_b_a_pause_by_consent(self):
        self.pause(10)
        assert not self.play(ms("2026-03-23T12:00:00Z"))

    def test_c_a_vacation_stands_and_is_told(self):
        """Arthur is away from Monday to Friday, by the days of New York."""
        while "AD" not in self.waits:
            seat, at = self.next_move()
            self.move(at)
            self.act(seat)
        assert self.daemon.now < ms("2026-03-27T00:00:00Z"), text(self.daemon.now)
        self.move(self.daemon.now + HOUR)
        state = self.clock()["seats"]["AD"]
        assert state["state"] == "vacation" and state["timezone"] == "America/New_York", state
        assert any(span["kind"] == "vacation" and span["offset"] == "-04:00" for span in state["why"]), state
        spent = SPEC["vacation_days"] - state["vacation_days_left"]
        assert 1 <= spent <= 5, state
        self.check_clocks()
        stranger = Client(self.daemon.port)  # and everybody sees that it stands
        seen = stranger.call("match.get", match=self.match)["clock"]["seats"]["AD"]
        assert (seen["state"], seen["deadline"]) == ("vacation", state["deadline"]), seen
        stranger.close()
        assert not self.play(ms("2026-03-27T20:00:00Z"))

    def test_d_a_daemon_that_is_killed_charges_nobody(self):
        self.outage(self.daemon.now + 10 * MINUTE, self.daemon.now + 9 * HOUR, kill=True)
        assert not self.play(ms("2026-03-28T18:00:00Z"))

    def test_e_a_daemon_that_is_stopped_while_summer_time_begins(self):
        """Brussels goes forward on the 29th at 1:00Z, while nobody is there."""
        gone = ms("2026-03-28T21:00:00Z")
        self.outage(gone, gone + 26 * HOUR, kill=False)
        assert not self.play(ms("2026-03-30T09:00:00Z"))

    def test_f_somebody_is_late_and_misses_nothing(self):
        self.be_late()
        assert not self.play(VANISHES)

    def test_g_one_vanishes_and_the_ladder_is_gone_up_as_written(self):
        self.vanish()

    def test_h_the_match_goes_on_to_its_end(self):
        self.collect()
        self.handed_on = self.daemon.now
        got = self.end()
        assert got["over"] and got["state"] == "over" and got["revealed"], got
        told = [e["ev"] if e["ev"] != "seat_changed" else e["how"] for e in self.events()
                if e["ev"] in ("late", "missed", "seat_changed", "match_ended") and e.get("seat") in ("PR", None)]
        assert told == ["late", "missed", "missed", "vacant", "caretaker", "match_ended"], told
        self.collect()
        record = self.clients["AD"].call("match.record", match=self.match)["record"]
        with open(os.path.join(self.daemon.folder, "record"), "w", encoding="utf-8") as file:
            file.write(record)
        for seat in self.tokens:
            self.contract.traffic(self.clients[seat].traffic, limit=self.contract.seen + 1500)
        assert not self.contract.problems, "\n".join(self.contract.problems[:5])


def run(suite, tests):
    """(passed, failed); a story ends with what fails."""
    passed = 0
    for name in tests:
        try:
            getattr(suite, name)()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            print("FAILED %s" % name)
            traceback.print_exc(file=sys.stdout)
            return passed, 1
    return passed, 0


def tests_of(suite):
    return sorted(name for name in dir(suite) if name.startswith("test_"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True, help="built with -Dfaults=true")
    parser.add_argument("--client", help="the terminal client, to verify the record")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mails", help="a file for all notices")
    args = parser.parse_args()
    story = Story(args.daemon, args.seed)
    passed, failed = run(story, tests_of(story))
    print("until %s, sittings %s, %d mails" % (text(story.daemon.now), story.sittings, len(story.mails)))
    story.collect()
    if args.mails:
        with open(args.mails, "w", encoding="utf-8") as file:
            for at, to, message in story.mails:
                file.write("==== %s to %s: %s\n%s\n" % (text(at), to[0], message["Subject"], plain(message)))
    if not failed:
        notices = Notices(story)
        for name in tests_of(notices):
            more, wrong = run(notices, [name])
            passed, failed = passed + more, failed + wrong
    if story.daemon.process.poll() is None:
        code, log = story.daemon.stop(), story.daemon.log_text()
        bad = code != 0 or "Sanitizer" in log or "runtime error" in log or "level=error" in log
        passed, failed = passed + (not bad), failed + bad
        if bad or failed:
            print("the daemon ended with %d\n%s" % (code, log[-4000:]))
    if not failed:
        checked = subprocess.run([args.daemon, "--database", story.daemon.database, "check"], capture_output=True, text=True,
                                 check=False)
        good = checked.returncode == 0 and ", 0 faults" in checked.stdout
        if args.client:
            verified = subprocess.run([args.client, "verify", os.path.join(story.daemon.folder, "record")],
                                      capture_output=True, text=True, check=False)
            good = good and verified.returncode == 0
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(checked.stdout + checked.stderr)
        shutil.rmtree(story.daemon.folder, ignore_errors=True)
    story.box.close()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
