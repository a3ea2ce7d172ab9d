#!/usr/bin/env python3
"""Notices, end to end: the daemon as a process on a clock that the tests move, a real mail server and receivers of posts on
the loopback. Ends with "N passed, N failed"."""
import argparse
import http.client
import json
import os
import random
import re
import socket
import sqlite3
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "e2e"), HERE]

# pylint: disable=wrong-import-position
from contract import load
from far import Browser, Clock, MailServer, Receiver, verify_standard
from suite import run_tests
from wire import Client, Daemon, Gone, Refused, pick

URL = "https://vedette.example"
LANGUAGES = ("en", "fr", "ja", "ru", "zh")
WORDS = {language: load("words", language + ".json") for language in LANGUAGES}
UNIT = re.compile(r"\b(?:FR|AD|PR)-[A-R]\b")


def confirmed(word, value):
    """A part of a select message of the catalogue: what {kind, select, value {..}} says."""
    found = re.search(r"\b%s \{((?:[^{}]|\{[^{}]*\})*)\}" % value, word)
    return found.group(1)


class Player:
    """An account with a confirmed address, and its client."""

    def __init__(self, suite, stem, mail=True, **settings):
        suite.count += 1
        suite.mail.answer = None
        self.suite = suite
        self.name = "%s-%d" % (stem, suite.count)
        self.address = "%s@example.org" % self.name
        self.client = Client(suite.daemon.port)
        given = {"email": self.address} if mail else {}
        for name in ("language", "timezone"):
            if name in settings:
                given[name] = settings.pop(name)
        self.token = self.client.call("account.register", name=self.name, password="correct horse", **given)["token"]
        if mail:
            letter = suite.mail.box.take(lambda m: m.to == [self.address])
            token = re.search(r"#token=([A-Za-z0-9_-]{43})", letter.text).group(1)
            self.client.call("account.confirm", token=token)
        if settings:
            self.client.call("account.set", **settings)

    def call(self, method, **params):
        return self.client.call(method, **params)

    def set(self, **notices):
        return self.call("account.set", notices=notices)["notices"]

    def mail(self, wanted=lambda mail: True):
        return self.suite.mail.box.take(lambda m: m.to == [self.address] and wanted(m))

    def mail_in_time(self):
        """The next mail of what the daemon does by itself when it looks at the clock: a minute after that, whenever it was."""
        for _ in range(60):
            self.suite.clock.move(61)
            try:
                return self.suite.mail.box.take(lambda m: m.to == [self.address], 1)
            except AssertionError:
                pass
        raise AssertionError("it did not come: %r" % self.deliveries())

    def mails_left(self):
        return [m for m in self.suite.mail.box.left() if m.to == [self.address]]

    def again(self):
        """After a restart."""
        self.client = Client(self.suite.daemon.port, self.token)

    def deliveries(self, **wanted):
        rows = self.call("account.deliveries", limit=100)["deliveries"]
        return [row for row in rows if all(row.get(k) == v for k, v in wanted.items())]

    def until(self, state, kind, **more):
        """Waits for a delivery to come to that state."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            rows = self.deliveries(state=state, kind=kind, **more)
            if rows:
                return rows
        raise AssertionError("no %s %s: %r" % (state, kind, self.deliveries()))


class Suite:
    def __init__(self, binary, seed):
        self.rng = random.Random(seed)
        self.count = 0
        self.mail, self.hook = MailServer(), Receiver()
        folder = tempfile.mkdtemp(prefix="vedette-notices-")
        self.clock = Clock(os.path.join(folder, "clock"))
        self.daemon = Daemon(binary, folder=folder, config=self.config(), env={"VEDETTE_CLOCK": self.clock.path})
        self.clock.daemon = self.daemon
        self.daemon.start()

    def config(self, delay=60, private="on"):
        return ("[server]\nurl = %s\nlog_level = debug\nbots = off\n[limits]\nrates = off\n[notify]\n"
                "smtp_url = smtp://127.0.0.1:%d\nsmtp_tls = none\nfrom = Vedette <post@vedette.example>\n"
                "contact = mailto:ops@vedette.example\nprivate_hosts = %s\ndelay_s = %d\ntimeout_s = 30\n"
                % (URL, self.mail.port, private, delay))

    # ---- playing ----

    def match(self, *players, seats=("FR", "AL"), game="waterloo", **params):
        match = players[0].call("match.create", game=game, seat=seats[0], **params)["match"]
        for player, seat in zip(players[1:], seats[1:]):
            player.call("match.join", match=match, seat=seat)
        return match

    def act(self, player, match):
        """One action, picked at random; what everybody is shown it waits for then."""
        view = player.call("match.view", match=match)
        return player.call("match.act", match=match, seq=view["seq"], action=pick(view["actions"], self.rng))

    def waits_for(self, player, match):
        return player.call("match.get", match=match)["waits_for"]

    def sit(self, player, match, seat):
        """The seat plays until the match waits for another."""
        while seat in self.waits_for(player, match):
            self.act(player, match)

    def pair(self, left=None, right=None, **params):
        """A match in which it is the turn of FR: (match, FR, AL). The set-up of AL is done, no mail is left."""
        fr = Player(self, "anna", **(left or {}))
        al = Player(self, "bert", **(right or {}))
        match = self.match(fr, al, **{"spectators": "public", **params})
        self.sit(al, match, "AL")
        assert self.waits_for(fr, match) == ["FR"]
        return match, fr, al

    def get(self, path, method="GET", body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, text

    def fence(self, player):
        """Everything that was due when it is called has been sent, or is written down as waiting: a test message, which
        goes through the same outbox, has come."""
        player.call("account.notify_test", channel="webhook")
        self.hook.box.take(lambda p: p.path == "/fence")
        self.clock.move(11)  # one test in ten seconds

    def fencer(self):
        return Player(self, "fencer", mail=False, notices={"webhook": {"url": self.hook.url("/fence"), "kind": "ntfy"}})

    # ---- what a notice says ----

    def test_a_mail_says_what_everybody_was_shown(self):
        match, fr, al = self.pair({"timezone": "Asia/Kathmandu"}, clock={"kind": "correspondence", "per_move_s": 86400,
                                                                        "bank_s": 86400}, title="Sunday <b>game</b>")
        self.clock.move(61)
        mail = fr.mail(lambda m: "Your move" in m["Subject"])
        assert mail["Subject"].startswith("Your move: Sunday <b>game</b>"), mail["Subject"]
        assert mail["From"] == "Vedette <post@vedette.example>" and mail.sender == "post@vedette.example"
        assert mail["Auto-Submitted"] == "auto-generated" and mail["Content-Language"] == "en"
        assert mail["In-Reply-To"] == mail["References"] == "<match.%s@vedette.example>" % match
        assert re.fullmatch(r"<[A-Za-z0-9_-]{22}@vedette.example>", mail["Message-ID"])
        assert mail["Date"].datetime.timestamp() * 1000 == self.clock.at_ms // 1000 * 1000
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        public = Client(self.daemon.port).call("match.get", match=match)
        assert public["chain"] in mail.text, (public, mail.text)
        assert "%s/match/%s" % (URL, match) in mail.text
        deadline = public["clock"]["seats"]["FR"]["deadline"]
        stands = re.search(r"Until (\d{4}-\d\d-\d\d \d\d:\d\d) Asia/Kathmandu \(UTC\+05:45\)", mail.text).group(1)
        local = time.strftime("%Y-%m-%d %H:%M", time.gmtime(
            time.mktime(time.strptime(deadline[:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone + 5.75 * 3600))
        assert stands == local, (stands, deadline)
        history = Client(self.daemon.port).call("match.history", match=match)["steps"]
        told = [e["ev"] for step in history for e in step["events"]]
        assert "setup_confirmed" in told and "- The Allies" in mail.text, mail.text
        # both parts say the same; what a person wrote is not markup
        assert "Sunday" not in mail.html or "<b>game" not in mail.html
        words = re.sub(r"&\w+;|&#39;", "", re.sub(r"<[^>]+>", "", mail.html.split("<body", 1)[1].split(">", 1)[1]))
        assert re.sub(r"\W", "", words) == re.sub(r"\W", "", re.sub(r"[&<>'\"]|^- ", "", mail.text, flags=re.M))
        # a reply to the second stands in the same thread, with a name of its own
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        second = fr.mail()
        assert second["References"] == mail["References"] and second["Message-ID"] != mail["Message-ID"]
        assert "What happened since your last move" in second.text

    def test_every_language(self):
        """Subject, language, first sentence and what happened, by the catalogue; and no hole in any."""
        for language in LANGUAGES:
            match, fr, al = self.pair({"language": language})
            self.clock.move(61)
            mail = fr.mail(lambda m, l=language: m["Content-Language"] == l)
            subject = confirmed(WORDS[language]["notice.subject"], "turn").replace("{title}", WORDS[language]["game.waterloo"] + " " + match)
            assert mail["Subject"].replace("\u202f", " ").startswith(subject.replace("\u202f", " ")), (mail["Subject"], subject)
            lead = confirmed(WORDS[language]["notice.lead"], "turn").split("{")[0].strip()
            assert mail.text.startswith(lead), (mail.text, lead)
            assert WORDS[language]["notice.since"] in mail.text
            for hole in ("{", "}", "notice.", "event.", "select"):
                assert hole not in mail.text + mail["Subject"], (hole, mail.text)
            assert al.call("match.resign", match=match)

    def test_a_match_of_austerlitz_in_every_language(self):
        """Its own name, hour and sentences; a semi-blind one tells of no counter more than all were shown; its end too."""
        for language in LANGUAGES:
            words = WORDS[language]
            fr, al = Player(self, "anna", language=language), Player(self, "bert")
            match = self.match(fr, al, game="austerlitz", spectators="public", options={"information": "semi-blind"})
            for action in ({"do": "move", "unit": "D1", "path": ["2322"]}, {"do": "end_move"}):
                seq = al.call("match.view", match=match)["seq"]
                al.call("match.act", match=match, seq=seq, action=action)
            while "AL" in self.waits_for(al, match):
                self.act(al, match)
            self.clock.move(61)
            mail = fr.mail(lambda m, l=language: m["Content-Language"] == l)
            assert words["game.austerlitz"] in mail["Subject"], mail["Subject"]
            hour = re.sub(r"\{from, select.*?other \{\{from\}\}\}", "07", re.sub(r"\{to, select.*?other \{\{to\}\}\}", "08", words["date.hours"]))
            assert hour.replace("{from}", "7").replace("{to}", "8") in mail["Subject"], (mail["Subject"], hour)
            story = "\n".join(line for line in mail.text.splitlines() if line.startswith("- "))
            assert "2322" in story and "D1" not in story, mail.text  # elsewhere a chain may have it
            for hole in ("{", "}", "notice.", "event.a", "unit.a", "place.a", "select", "waterloo"):
                assert hole not in mail.text + mail["Subject"], (hole, mail.text)
            al.call("match.resign", match=match)
            self.clock.move(61)
            over = fr.mail(lambda m: m["Subject"] != mail["Subject"])
            assert words["event.austerlitz.over"].split("french {")[1].split("}")[0] in over.text, over.text
            self.mail.box.forget()

    def test_what_a_person_wrote_is_no_header(self):
        """Titles with everything in them: one Subject, no header more, or the title was refused."""
        fr, al = Player(self, "anna"), Player(self, "bert")
        taken = 0
        for title in ("a\r\nBcc: eve@example.org", "=?UTF-8?B?QmNj?=", "\"; DROP", "\u202egnp", "a\tb", "x" * 200,
                      "<script>alert(1)</script>", "L\u00e9o \u2014 \u65e5\u672c\u8a9e \U0001f40e", "%s%n%d", " lead", "a  b"):
            try:
                match = self.match(fr, al, title=title)
            except (Refused, ValueError):
                continue
            taken += 1
            self.clock.move(61)
            mail = al.mail()
            assert mail.message.keys().count("Subject") == 1 and "Bcc" not in mail.message, mail.raw
            shown = re.sub(r"[\x00-\x1f\x7f]", " ", title)
            assert shown in mail["Subject"] or shown.strip() in mail["Subject"], (shown, mail["Subject"])
            assert "<script" not in mail.html
            fr.call("match.resign", match=match)
            self.clock.move(61)
            al.mail(lambda m: "over" in m["Subject"])
            fr.mail(lambda m: "over" in m["Subject"])
            self.mail.box.forget()
        assert taken >= 8, taken

    # ---- when there is one ----

    def test_one_for_each_sitting_of_what_everybody_is_shown(self):
        """As many as the public saw the match begin to wait for the seat; none for quiet lines; swords-and-ravens 302, imperial
        588: never five for one turn, never after the move."""
        fr, al = Player(self, "anna"), Player(self, "bert")
        match = self.match(fr, al, spectators="public")
        public = Client(self.daemon.port)
        sat = {"FR": 0, "AL": 0}
        before = []
        for _ in range(260):
            now = public.call("match.get", match=match)
            if not now["waits_for"]:
                break
            for seat in now["waits_for"]:
                if seat not in before:
                    sat[seat] += 1
                    self.clock.move(61)
                    player = fr if seat == "FR" else al
                    player.mail(lambda m: "Your move" in m["Subject"])
            before = now["waits_for"]
            player = fr if before[0] == "FR" else al
            self.act(player, match)
        assert sat["FR"] > 5 and sat["AL"] > 5, sat
        self.clock.move(61)
        for player, seat in ((fr, "FR"), (al, "AL")):
            rows = player.deliveries(kind="turn", state="sent", channel="mail")
            assert len({row["id"] for row in rows}) == len(rows)
            assert len([m for m in self.mail.box.all if m.to == [player.address] and "Your move" in m["Subject"]]) == sat[seat]

    def test_taken_back_when_the_player_moves(self):
        fencer = self.fencer()
        match, fr, al = self.pair()
        self.sit(fr, match, "FR")  # within the minute
        self.clock.move(61)
        self.fence(fencer)
        assert not fr.mails_left(), fr.mails_left()
        assert not fr.deliveries(kind="turn")
        assert al.mail()["Subject"].startswith("Your move")

    def test_dropped_when_stale_at_the_time_of_sending(self):
        """The mail server is away; the player moves meanwhile; when it is back nothing old comes: no flood."""
        match, fr, al = self.pair()
        self.mail.answer = "451 not now"
        self.clock.move(61)
        self.mail.refused.take(lambda m: m.to == [fr.address])
        fr.until("waiting", "turn", attempts=1)
        self.sit(fr, match, "FR")
        self.mail.answer = None
        self.clock.move(3600)
        assert fr.until("stale", "turn")[0]["attempts"] == 1
        assert al.mail()["Subject"].startswith("Your move")
        assert not fr.mails_left(), fr.mails_left()

    def test_no_flood_when_the_queue_drains(self):
        """Eight matches wait while the mail server is away: one mail about all of them."""
        fr, al = Player(self, "anna"), Player(self, "bert", mail=False)
        self.mail.answer = "451 not now"
        matches = [self.match(fr, al) for _ in range(8)]
        for match in matches:
            self.sit(al, match, "AL")
        self.clock.move(61)
        end = time.monotonic() + 60
        while len(fr.deliveries(kind="turn", attempts=1)) < 8 and time.monotonic() < end:
            pass
        self.mail.refused.forget()
        self.mail.answer = None
        self.clock.move(3600)
        mail = fr.mail()
        assert mail["Subject"] == "8 things to see", mail["Subject"]
        for match in matches:
            assert match in mail.text
        assert not fr.mails_left()
        assert len(fr.until("sent", "turn")) == 8

    def test_an_open_tab_is_no_acknowledgement(self):
        """18xx 3755, 7150: a connection that watches suppresses nothing; match.seen does, for all channels at once (BR-11)."""
        fencer = self.fencer()
        match, fr, _ = self.pair(right={"mail": False})
        fr.set(webhook={"url": self.hook.url("/tab"), "kind": "standard"})
        tabs = [Client(self.daemon.port, fr.token) for _ in range(3)]
        for tab in tabs:
            tab.call("match.watch", match=match)
        self.clock.move(61)
        fr.mail(lambda m: "Your move" in m["Subject"])
        self.hook.box.take(lambda p: p.path == "/tab")
        second, fr2, al2 = self.pair(left={"notices": {"webhook": {"url": self.hook.url("/tab2"), "kind": "standard"}}})
        view = fr2.call("match.view", match=second)
        one = Client(self.daemon.port, fr2.token)
        assert one.call("match.seen", match=second, seq=view["seq"]) == {"seq": view["seq"]}
        self.clock.move(61)
        self.fence(fencer)
        assert not fr2.mails_left() and not [p for p in self.hook.box.left() if p.path == "/tab2"]
        # a seq beyond what there is, or of another's seat, is none
        for params, kind in (({"seq": view["seq"] + 1}, "stale_state"), ({"seq": view["seq"], "as": "AL"}, "forbidden")):
            try:
                one.call("match.seen", match=second, **params)
                raise AssertionError("taken: %r" % params)
            except Refused as refused:
                assert refused.kind == kind, refused.error
        # an older one does not count for a newer turn
        self.sit(fr2, second, "FR")
        self.sit(al2, second, "AL")
        fr2.call("match.seen", match=second, seq=view["seq"])
        self.clock.move(61)
        fr2.mail(lambda m: "Your move" in m["Subject"])

    def test_always_means_always(self):
        match, fr, _ = self.pair(left={"notices": {"always": True}})
        fr.call("match.seen", match=match, seq=fr.call("match.view", match=match)["seq"])
        self.clock.move(61)
        fr.mail(lambda m: "Your move" in m["Subject"])

    def test_in_a_match_with_pace_a_shared_channel_tells_nothing_of_who_looked(self):
        match, fr, _ = self.pair(left={"notices": {"webhook": {"url": self.hook.url("/pace"), "kind": "discord"}}}, pace=3600)
        fencer = self.fencer()
        fr.call("match.seen", match=match, seq=fr.call("match.view", match=match)["seq"])
        self.clock.move(61)
        assert "Your move" in self.hook.box.take(lambda p: p.path == "/pace").json()["content"]
        self.fence(fencer)
        assert not fr.mails_left(), "a mail is for its reader alone"

    def test_only_a_confirmed_address_gets_mail(self):
        fencer = self.fencer()
        fr, al = Player(self, "anna", mail=False), Player(self, "bert")
        fr.call("account.set", email=fr.address)
        self.mail.box.take(lambda m: m.to == [fr.address])  # the one that asks to confirm
        match = self.match(fr, al)
        self.sit(al, match, "AL")
        self.clock.move(61)
        self.fence(fencer)
        assert not fr.mails_left() and not fr.deliveries()

    # ---- kinds ----

    def test_begun_offer_over(self):
        fr, al = Player(self, "anna"), Player(self, "bert")
        match = self.match(fr, al)
        self.clock.move(61)
        assert fr.mail()["Subject"].startswith("It has begun")
        assert al.mail()["Subject"].startswith("Your move")
        offer = fr.call("match.offer", match=match, what="draw")
        self.clock.move(61)
        mail = al.mail()
        assert mail["Subject"].startswith("An offer to you") and "a draw" in mail.text and "the French" in mail.text, mail.text
        fr.call("match.answer", match=match, offer=offer["offer"], accept=False)
        fr.call("match.offer", match=match, what="abort")
        self.clock.move(30)
        fr.call("match.answer", match=match, offer=offer["offer"] + 1, accept=False)  # withdrawn: no news any more
        fr.call("match.resign", match=match)
        self.clock.move(61)
        for player in (fr, al):
            mail = player.mail()
            assert mail["Subject"].startswith("It is over"), mail["Subject"]
            assert "What happened since your last move" in mail.text, mail.text
        assert not fr.mails_left() and not al.mails_left()

    def test_who_is_called_by_name_is_told(self):
        """@name and @SEAT in the talk: told once in ten minutes, not of what was read meanwhile, nor by whom one wants to hear
        nothing, nor where it was said to be unwanted for that match; what was said stays where it was said."""
        fencer = self.fencer()
        match, fr, al = self.pair()
        self.clock.move(61)
        fr.mail(lambda m: "Your move" in m["Subject"])

        def say(player, text, channel="table"):
            return player.call("match.say", match=match, channel=channel, text=text)
        said = say(fr, "the secret word is herring, @%s, is it not" % al.name.upper())
        self.clock.move(61)
        mail = al.mail(lambda m: "called" in m["Subject"])
        assert mail["Subject"].startswith("You were called: Waterloo"), mail["Subject"]
        assert "herring" not in mail.text and "called by name" in mail.text, mail.text
        al.until("sent", "mention")
        # Not twice in ten minutes, of others' names not at all, and not of one's own.
        for text in ("@%s again" % al.name, "mail me: me@%s, @%sx" % (al.name, al.name), "@%s and @FR is me" % fr.name):
            say(fr, text)
        self.clock.move(300)
        self.fence(fencer)
        assert not al.mails_left() and not fr.mails_left(), (al.mails_left(), fr.mails_left())
        # After that by the seat; but what is read before it is sent is no news.
        self.clock.move(301)
        n = say(fr, "@AL come here")["n"]
        assert n > said["n"]
        al.call("match.read", match=match, channel="table", n=n)
        self.clock.move(61)
        self.fence(fencer)
        assert not al.mails_left(), al.mails_left()
        self.clock.move(601)
        say(fr, "@AL, now")
        self.clock.move(61)
        al.mail(lambda m: "called" in m["Subject"])
        # Unwanted for this match; and muted.
        al.call("match.notices", match=match, notices={"kinds": {"mention": False}})
        self.clock.move(601)
        say(fr, "@AL?")
        self.clock.move(61)
        self.fence(fencer)
        al.call("match.notices", match=match, notices={"kinds": {"mention": True}})
        al.call("match.mute", match=match, name=fr.name)
        self.clock.move(601)
        say(fr, "@AL!")
        self.clock.move(61)
        self.fence(fencer)
        assert not al.mails_left(), al.mails_left()

    def test_spectators_call_no_seat_and_nobody_who_was_shut_out(self):
        """What is said among spectators is for those who may hear it: who has taken a seat since, or was shut out, is not told
        either that he was called there; others are."""
        fencer = self.fencer()
        match, fr, al = self.pair()
        seated, barred, other, caller = (Player(self, stem) for stem in ("dora", "emil", "gerd", "hugo"))
        for player in (seated, barred, other):
            player.call("match.say", match=match, channel="watchers", text="I am here")
        al.call("match.vacate", match=match)
        seated.call("match.substitute", match=match, seat="AL")
        fr.call("match.kick", match=match, name=barred.name)
        self.clock.move(61)
        caller.call("match.say", match=match, channel="watchers",
                    text=" ".join("@" + player.name for player in (seated, barred, other, fr, al)) + " @FR @AL")
        self.clock.move(61)
        other.mail(lambda m: "called" in m["Subject"])
        self.fence(fencer)
        for player in (seated, barred, fr, al):
            assert not player.deliveries(kind="mention"), (player.name, player.deliveries(kind="mention"))
            called = [m for m in player.mails_left() if "called" in m["Subject"]]
            assert not called, called

    def test_being_called_in_every_language(self):
        for language in LANGUAGES:
            match, fr, al = self.pair(right={"language": language})
            fr.call("match.say", match=match, channel="table", text="@AL")
            self.clock.move(61)
            subject = confirmed(WORDS[language]["notice.subject"], "mention").split("{")[0]
            mail = al.mail(lambda m, s=subject: m["Subject"].replace("\u202f", " ").startswith(s.replace("\u202f", " ")))
            assert mail.text.startswith(confirmed(WORDS[language]["notice.lead"], "mention").strip()), mail.text
            fr.call("match.resign", match=match)

    def test_who_walked_out_is_told_that_they_wait_and_what_came_of_it(self):
        clock = {"kind": "live", "away": {"after_s": 300, "then": "convert"}}
        fr, al = Player(self, "anna"), Player(self, "bert")
        match = self.match(fr, al, clock=clock)
        self.clock.move(61)
        assert al.mail()["Subject"].startswith("Your move") and fr.mail()["Subject"].startswith("It has begun")
        watcher = fr.client
        watcher.call("match.watch", match=match)
        al.client.close()
        watcher.push("match.changed", lambda p: "away" in p.get("clock", {}).get("seats", {}).get("AL", {}))
        self.clock.move(61)
        mail = al.mail(lambda m: "They wait for you" in m["Subject"])
        assert "You are gone from a live match" in mail.text and "Until " in mail.text, mail.text
        self.clock.move(240)
        watcher.push("match.view", lambda p: p["view"]["clock"]["kind"] == "correspondence")
        self.clock.move(61)
        assert "goes on by correspondence" in al.mail(lambda m: "By correspondence from now on" in m["Subject"]).text
        fr.mail(lambda m: "By correspondence from now on" in m["Subject"])

    def test_invitations(self):
        al = Player(self, "bert")
        fr = Player(self, "anna", mail=False)
        match = fr.call("match.create", game="waterloo", seat="FR", access="invite", invite=[al.name])["match"]
        self.clock.move(61)
        mail = al.mail()
        assert mail["Subject"].startswith("%s asks you to play" % fr.name), mail["Subject"]
        assert "%s/match/%s" % (URL, match) in mail.text
        other = fr.call("match.create", game="waterloo", seat="FR", access="invite", invite=[al.name])["match"]
        al.call("match.join", match=other, seat="AL")  # before it is told
        self.clock.move(61)
        assert al.mail()["Subject"].startswith("Your move")
        assert not al.mails_left(), al.mails_left()

    def test_the_ladder_is_told(self):
        """A day before the deadline, at it, when a miss is recorded, and what the other may claim."""
        match, fr, al = self.pair(clock={"kind": "correspondence", "per_move_s": 3 * 86400, "bank_s": 0, "ladder": {
            "remind_s": [86400], "grace_s": 86400, "misses": 0, "then": "claim"}})
        self.clock.move(61)
        fr.mail(lambda m: "Your move" in m["Subject"])
        fr.call("match.seen", match=match, seq=fr.call("match.view", match=match)["seq"])
        self.mail.box.forget()
        for days, seat, subject in ((2, fr, "Still your move"), (1, fr, "Your time is up"), (1, fr, "A missed deadline")):
            self.clock.move(days * 86400)
            mail = seat.mail_in_time()
            assert mail["Subject"].startswith(subject), (mail["Subject"], subject)
        mail = al.mail_in_time()
        assert mail["Subject"].startswith("You may claim") and "the French" in mail.text, mail.text
        assert not fr.mails_left()

    def test_a_seat_that_is_offered(self):
        match, fr, _ = self.pair(clock={"kind": "correspondence", "per_move_s": 86400, "bank_s": 0, "ladder": {
            "remind_s": [], "grace_s": 0, "misses": 0, "then": "substitute"}}, right={"mail": False})
        self.clock.move(61)
        fr.mail()
        self.clock.move(86400)
        subjects = {fr.mail_in_time()["Subject"].split(":")[0]}
        while len(subjects) < 2 and not any("things" in s for s in subjects):
            subjects.add(fr.mail_in_time()["Subject"].split(":")[0])
        assert "Your seat is offered to others" in subjects or "2 things to see" in subjects, subjects
        assert match

    def test_kinds_and_matches_have_settings_of_their_own(self):
        """18xx 4275."""
        fencer = self.fencer()
        match, fr, al = self.pair(left={"notices": {"kinds": {"turn": False, "over": True}}})
        self.clock.move(61)
        self.fence(fencer)
        assert not [m for m in fr.mails_left() if "Your move" in m["Subject"]]
        assert fr.call("match.notices", match=match) == {}
        assert fr.call("match.notices", match=match, notices={"kinds": {"turn": True}}) == {"notices": {"kinds": {"turn": True}}}
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        fr.mail(lambda m: "Your move" in m["Subject"])
        fr.call("match.notices", match=match, notices={"mail": False})
        assert fr.call("match.notices", match=match) == {"notices": {"kinds": {"turn": True}, "mail": False}}
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        self.fence(fencer)
        assert not fr.mails_left()
        assert fr.call("match.notices", match=match, notices={}) == {}
        try:
            al.call("match.notices", match="a" * 10)
            raise AssertionError("there is no such match")
        except Refused as refused:
            assert refused.kind == "not_found"

    def test_digest(self):
        """One mail in six hours, whatever happens; what is urgent does not wait."""
        fr = Player(self, "anna", notices={"digest": 6})
        al = Player(self, "bert", mail=False)
        fencer = self.fencer()
        first = self.match(fr, al)
        self.sit(al, first, "AL")
        self.clock.move(61)
        fr.mail()
        fr.until("sent", "turn")
        later = [self.match(fr, al) for _ in range(3)]
        for match in later:
            self.sit(al, match, "AL")
        self.clock.move(5 * 3600)
        self.fence(fencer)
        assert not fr.mails_left(), fr.mails_left()
        self.clock.move(3700)
        mail = fr.mail()
        assert mail["Subject"] == "3 things to see" and all(match in mail.text for match in later)
        assert not fr.mails_left()

    def test_quiet_hours(self):
        """22:00 to 07:30 in Tokyo: it comes at 07:30."""
        fencer = self.fencer()
        fr = Player(self, "anna", timezone="Asia/Tokyo", notices={"quiet": {"from": "22:00", "to": "07:30"}})
        al = Player(self, "bert", mail=False)
        tokyo = (self.clock.at_ms // 1000 + 9 * 3600) % 86400
        self.clock.move((23 * 3600 - tokyo) % 86400)
        match = self.match(fr, al)
        self.sit(al, match, "AL")
        self.clock.move(61)
        self.fence(fencer)
        assert not fr.mails_left()
        row = fr.until("waiting", "turn")[0]
        assert (row["next"] // 1000 + 9 * 3600) % 86400 == 7 * 3600 + 1800, row
        self.clock.move(8 * 3600 + 1800)
        fr.mail(lambda m: "Your move" in m["Subject"])

    # ---- getting through ----

    def test_tried_again_with_patience(self):
        """4yz: later, twice as long each time, a quarter more or less, under the same name; 5yz: never."""
        match, fr, al = self.pair()
        self.mail.answer = "451 not now"
        self.clock.move(61)
        names = set()
        for attempt in range(5):
            names.add(self.mail.refused.take(lambda m: m.to == [fr.address])["Message-ID"])
            row = fr.until("waiting", "turn", attempts=attempt + 1)[0]
            wait = (row["next"] - self.clock.at_ms) / 1000
            assert 45 * 2 ** attempt <= wait <= 75 * 2 ** attempt, (attempt, wait)
            assert "451" in row["error"], row
            if attempt == 2:  # neither lost nor doubled by a restart
                assert self.daemon.stop() == 0
                self.daemon.start()
                fr.again()
                al.again()
            self.clock.move(wait + 1)
        self.mail.refused.take(lambda m: m.to == [fr.address])
        fr.until("waiting", "turn", attempts=6)
        self.mail.answer = None
        self.clock.move(86400)
        mail = fr.mail()
        assert names == {mail["Message-ID"]}, (names, mail["Message-ID"])
        assert fr.until("sent", "turn")[0]["attempts"] == 7
        self.mail.answer = "550 no such user"
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        row = fr.until("failed", "turn")[0]
        assert row["attempts"] == 1 and "550" in row["error"] and "no such user" not in row["error"]
        self.mail.answer = None

    def test_killed_while_it_waits(self):
        match, fr, al = self.pair()
        self.daemon.kill()
        self.daemon.start()
        fr.again()
        self.clock.move(61)
        assert match in fr.mail(lambda m: "Your move" in m["Subject"]).text
        al.again()

    def test_a_match_that_does_not_play_holds_up_nobody(self):
        """Its notice comes without what happened; those of other matches come as ever."""
        broken, fr, al = self.pair()
        sound, *_ = self.pair()
        self.daemon.stop()
        with sqlite3.connect(self.daemon.database) as database:
            key, = database.execute("SELECT key FROM match WHERE id = ?", (broken,)).fetchone()
            database.execute("DELETE FROM snapshot WHERE match = ?", (key,))
            database.execute("UPDATE line SET body = '{}' WHERE match = ? AND n = 2", (key,))
        database.close()
        self.daemon.start()
        self.clock.move(61)
        mails = [self.mail.box.take(lambda m: "Your move" in m["Subject"]) for _ in range(2)]
        texts = {match: m.text for m in mails for match in (broken, sound) if match in m.text}
        assert "What happened" in texts[sound] and "What happened" not in texts[broken], texts

    def test_webhooks_are_signed(self):
        match, fr, al = self.pair(right={"mail": False})
        secret = fr.set(mail=False, webhook={"url": self.hook.url("/signed"), "kind": "standard"})["webhook"]["secret"]
        self.hook.status["/signed"] = 503
        self.clock.move(61)
        ids = [verify_standard(secret, self.hook.box.take(lambda p: p.path == "/signed"))]
        row = fr.until("waiting", "turn", attempts=1)[0]
        self.hook.status["/signed"] = 204
        self.clock.move(80)
        post = self.hook.box.take(lambda p: p.path == "/signed")
        ids.append(verify_standard(secret, post))
        assert ids[0] == ids[1] == row["id"]
        assert post.headers["webhook-timestamp"] == str(self.clock.at_ms // 1000)
        body = post.json()
        public = Client(self.daemon.port).call("match.get", match=match)
        assert body["type"] == "turn" and body["data"]["match"] == match and body["data"]["seat"] == "FR"
        assert body["data"]["chain"] == public["chain"] and body["data"]["waits_for"] == ["FR"]
        history = Client(self.daemon.port).call("match.history", match=match)["steps"]
        assert body["data"]["events"] == [e for step in history for e in step["events"]]

    def test_discord_and_ntfy(self):
        match, fr, _ = self.pair(left={"language": "ja", "notices": {"webhook": {"url": self.hook.url("/discord"),
                                                                                 "kind": "discord"}}})
        self.clock.move(61)
        body = self.hook.box.take(lambda p: p.path == "/discord").json()
        assert body["allowed_mentions"] == {"parse": []} and len(body["content"]) <= 2000
        assert "%s/match/%s" % (URL, match) in body["content"]
        fr.set(webhook={"url": self.hook.url("/ntfy"), "kind": "ntfy"})
        fr.call("account.notify_test", channel="webhook")
        post = self.hook.box.take(lambda p: p.path == "/ntfy")
        assert post.headers["Click"] == URL + "/settings"
        assert post.headers["Title"].startswith("=?UTF-8?B?") and WORDS["ja"]["notice.lead"]
        assert post.body.decode() == confirmed(WORDS["ja"]["notice.lead"], "test")

    def test_web_push(self):
        browsers = [Browser(self.hook.url("/push/%d" % i)) for i in range(2)]
        match, fr, al = self.pair(left={"notices": {"mail": False, "push": [b.subscription() for b in browsers]}})
        hello = fr.call("server.hello")
        self.clock.move(61)
        topics = set()
        for i, browser in enumerate(browsers):
            post = self.hook.box.take(lambda p, i=i: p.path == "/push/%d" % i)
            text = browser.read(post)
            assert text["match"] == match and text["kind"] == "turn" and text["title"].startswith("Your move"), text
            assert text["url"] == "%s/match/%s" % (URL, match) and int(post.headers["TTL"]) > 0
            browser.check_vapid(post, hello["notices"]["push_key"], self.hook.url(""), self.clock.at_ms // 1000)
            topics.add(post.headers["Topic"])
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", post.headers["Topic"])
        assert len(topics) == 1
        # a subscription that is gone is forgotten; the other stays
        self.hook.status["/push/1"] = 410
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        self.hook.box.take(lambda p: p.path == "/push/0")
        self.hook.box.take(lambda p: p.path == "/push/1")
        fr.until("failed", "turn", channel="push")
        assert [s["endpoint"] for s in fr.call("account.get")["notices"]["push"]] == [browsers[0].endpoint]
        # the key stays over a restart
        assert self.daemon.stop() == 0
        self.daemon.start()
        fr.again()
        assert fr.call("server.hello")["notices"] == hello["notices"]

    def test_a_dead_address_is_given_up_and_told(self):
        """Days without success: no more is sent there, the player is told by the other way, and may set it anew."""
        fencer = self.fencer()
        match, fr, al = self.pair(right={"mail": False}, left={"notices": {"webhook": {"url": self.hook.url("/dead"),
                                                                                       "kind": "standard"}}})
        self.hook.status["/dead"] = 500
        self.clock.move(61)
        fr.mail(lambda m: "Your move" in m["Subject"])
        for attempt in range(1, 12):
            self.hook.box.take(lambda p: p.path == "/dead")
            row = fr.until("waiting", "turn", channel="webhook", attempts=attempt)[0]
            self.clock.move((row["next"] - self.clock.at_ms) / 1000 + 1)
        self.hook.box.take(lambda p: p.path == "/dead")
        assert fr.until("failed", "turn", channel="webhook")[0]["attempts"] == 12
        address = [a for a in fr.call("account.deliveries")["addresses"] if a["channel"] == "webhook"][0]
        assert "failing_since" in address and "disabled_at" not in address and "500" in address["error"]
        self.clock.move(6 * 86400)
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        self.hook.box.take(lambda p: p.path == "/dead")
        told = fr.mail(lambda m: "your webhook" in m.text)
        assert "your webhook" in told.text, told.text
        address = [a for a in fr.call("account.deliveries")["addresses"] if a["channel"] == "webhook"][0]
        assert "disabled_at" in address, address
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        self.fence(fencer)
        assert not [p for p in self.hook.box.left() if p.path == "/dead"]
        self.hook.status["/dead"] = 200
        fr.set(webhook={"url": self.hook.url("/dead"), "kind": "standard"})
        fr.call("account.notify_test", channel="webhook")
        self.hook.box.take(lambda p: p.path == "/dead")

    def test_an_address_that_swallows_delays_no_move(self):
        """Forty notices lead to a hole that takes a connection and never answers; play goes on while the first of them is
        still being tried, which is for more than a minute."""
        hole = socket.create_server(("127.0.0.1", 0), backlog=256)
        hole.settimeout(60)
        url = "http://127.0.0.1:%d/hole" % hole.getsockname()[1]
        other = Suite.__new__(Suite)
        config = self.config(delay=0).replace("timeout_s = 30", "timeout_s = 100")
        patient = Daemon(self.daemon.binary, folder=tempfile.mkdtemp(prefix="vedette-notices-"), config=config).start()
        try:
            other.daemon, other.count, other.mail = patient, 0, self.mail
            fr, al = Player(other, "anna", mail=False), Player(other, "bert", mail=False)
            for player in (fr, al):
                player.set(webhook={"url": url, "kind": "standard"})
            matches = [self.match(fr, al) for _ in range(20)]
            held = hole.accept()[0]
            for match in matches:
                for _ in range(6):
                    player = fr if self.waits_for(fr, match) == ["FR"] else al
                    view = player.call("match.view", match=match)
                    player.call("match.act", match=match, seq=view["seq"], action=pick(view["actions"], self.rng))
            assert self.is_open(held), "nothing was under way any more when the last move was answered"
            fr.set(webhook={})
            al.set(webhook={})
            held.close()
        finally:
            hole.close()
            assert patient.stop() == 0

    @staticmethod
    def is_open(connection):
        """Whether the other end is still there, whatever it has said."""
        connection.setblocking(False)
        try:
            while connection.recv(65536):
                pass
            return False
        except BlockingIOError:
            return True

    def test_what_a_webhook_may_not(self):
        """No redirect is followed, an answer without end ends the attempt, and with private_hosts off nothing private is
        reached, whatever resolves to it."""
        _, fr, _ = self.pair(right={"mail": False})
        fr.set(mail=False, webhook={"url": self.hook.url("/moved"), "kind": "standard"})
        self.hook.status["/moved"] = 307
        self.clock.move(61)
        self.hook.box.take(lambda p: p.path == "/moved")
        row = fr.until("waiting", "turn", attempts=1, channel="webhook")[0]
        assert "307" in row["error"]
        self.hook.status["/moved"], self.hook.extra["/moved"] = 200, b"x" * (1 << 20)
        self.clock.move(80)
        self.hook.box.take(lambda p: p.path == "/moved")
        fr.until("sent", "turn", channel="webhook")
        assert not [p for p in self.hook.box.all if p.path == "/elsewhere"]
        other = Suite.__new__(Suite)
        folder = tempfile.mkdtemp(prefix="vedette-notices-")
        strict = Daemon(self.daemon.binary, folder=folder, config=self.config(delay=0, private="off")).start()
        try:
            other.daemon, other.count, other.mail = strict, 0, self.mail
            player = Player(other, "eve", mail=False)
            for url in (self.hook.url("/x"), "https://localhost/x", "https://127.0.0.1/x", "https://[::1]/", "https://10.0.0.1/"):
                try:
                    player.set(webhook={"url": url, "kind": "standard"})
                    raise AssertionError("taken: " + url)
                except Refused as refused:
                    assert refused.error["data"]["member"] == "notices.webhook.url"
            # a public name for a private address: refused when it is connected to (this one is 127.0.0.1 by its digits)
            player.set(webhook={"url": "https://127.1.0.1.nip.invalid/", "kind": "standard"})
            player.call("account.notify_test", channel="webhook")
            assert player.until("waiting", "test", attempts=1)
        finally:
            assert strict.stop() == 0

    def test_no_mail_no_promise(self):
        """A server without mail says so; webhooks work all the same."""
        folder = tempfile.mkdtemp(prefix="vedette-notices-")
        config = "[server]\nbots = off\n[limits]\nrates = off\n[notify]\nprivate_hosts = on\ndelay_s = 0\n"
        bare = Daemon(self.daemon.binary, folder=folder, config=config).start()
        try:
            client = Client(bare.port)
            assert client.call("server.hello")["notices"]["mail"] is False
            client.call("account.register", name="bare", password="correct horse", email="bare@example.org")
            try:
                client.call("account.notify_test", channel="mail")
                raise AssertionError("there is no mail")
            except Refused as refused:
                assert refused.error["data"]["reason"] == "nowhere"
            client.call("account.set", notices={"webhook": {"url": self.hook.url("/bare"), "kind": "ntfy"}})
            client.call("account.notify_test", channel="webhook")
            self.hook.box.take(lambda p: p.path == "/bare")
        finally:
            assert bare.stop() == 0
        for bad in ("smtp_url = http://x", "smtp_url = smtp://x", "smtp_url = smtp://x\nfrom = nobody", "smtp_tls = perhaps",
                    "delay_s = x", "url = y", "nonsense = 1"):
            with open(bare.config, "w", encoding="utf-8") as file:
                file.write("[notify]\n" + bad + "\n")
            try:
                bare.start()
                bare.stop()
                raise AssertionError("it started with " + bad)
            except AssertionError as error:
                assert "did not start" in str(error), error
                bare.process.wait(60)

    def test_mail_server_that_wants_a_password(self):
        far = MailServer(user="post", password="hush hush")
        folder = tempfile.mkdtemp(prefix="vedette-notices-")
        with open(os.path.join(folder, "secret"), "w", encoding="utf-8") as file:
            file.write("hush hush\n")
        config = ("[server]\nurl = %s\nbots = off\n[notify]\nsmtp_url = smtp://127.0.0.1:%d\nsmtp_tls = none\nfrom = a@vedette.example\n"
                  "user = post\npassword_file = %s\n" % (URL, far.port, os.path.join(folder, "secret")))
        daemon = Daemon(self.daemon.binary, folder=folder, config=config).start()
        try:
            Client(daemon.port).call("account.register", name="carl", password="correct horse", email="carl@example.org")
            assert far.box.take().to == ["carl@example.org"]
        finally:
            assert daemon.stop() == 0
            far.stop()

    # ---- links ----

    def test_unsubscribe_with_one_click(self):
        fencer = self.fencer()
        match, fr, al = self.pair()
        self.clock.move(61)
        mail = fr.mail(lambda m: "Your move" in m["Subject"])
        link = re.fullmatch(r"<%s(/unsubscribe/\S+)>" % URL, mail["List-Unsubscribe"]).group(1)
        of_match = re.search(r"about this match: %s(\S+)" % URL, mail.text).group(1)
        status, _, page = self.get(link)
        assert status == 200 and "<form method=\"post\">" in page
        assert "notices" not in fr.call("account.get"), "looking at it does nothing"
        # only this match
        status, _, _ = self.get(of_match, "POST", "List-Unsubscribe=One-Click",
                                {"Content-Type": "application/x-www-form-urlencoded"})
        assert status == 200 and fr.call("match.notices", match=match) == {"notices": {"mail": False}}
        fr.call("match.notices", match=match, notices={})
        # all
        assert self.get(link, "POST", "List-Unsubscribe=One-Click")[0] == 200
        assert fr.call("account.get")["notices"] == {"mail": False}
        fr.set(mail=True)
        status, _, page = self.get(link, "POST", "List-Unsubscribe=One-Click")
        assert status == 200 and "used before" in page and fr.call("account.get")["notices"] == {"mail": True}
        # forged, cut, or of nobody
        flipped = link[:-3] + ("A" if link[-3] != "A" else "B") + link[-2:]
        for bad in (flipped, link[:-1], link + "A", "/unsubscribe/x", "/unsubscribe/" + "A" * 67):
            assert self.get(bad, "POST", "")[0] == 404, bad
        assert fr.call("account.get")["notices"] == {"mail": True}
        # it grows old
        self.clock.move(91 * 86400)
        self.sit(fr, match, "FR")
        self.sit(al, match, "AL")
        self.clock.move(61)
        newer = fr.mail(lambda m: "Your move" in m["Subject"])
        self.clock.move(91 * 86400)
        old = re.fullmatch(r"<%s(/unsubscribe/\S+)>" % URL, newer["List-Unsubscribe"]).group(1)
        assert self.get(old, "POST", "")[0] == 404
        self.fence(fencer)

    def test_calendar(self):
        match, fr, al = self.pair(clock={"kind": "correspondence", "per_move_s": 86400}, title="Ligny; or, the\\road")
        assert fr.call("account.calendar") == {"on": False}
        made = fr.call("account.calendar", on=True)
        path = made["url"][len(URL):]
        assert re.fullmatch(r"/calendar/[A-Za-z0-9_-]{32}\.ics", path)
        status, headers, text = self.get(path)
        assert status == 200 and headers["Content-Type"] == "text/calendar; charset=utf-8"
        assert text.endswith("\r\n") and all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        lines = text.replace("\r\n ", "").split("\r\n")
        deadline = fr.call("match.get", match=match)["clock"]["seats"]["FR"]["deadline"]
        assert "DTSTART:" + re.sub(r"[-:]", "", deadline[:19]) + "Z" in lines, (deadline, lines)
        assert "UID:%s-FR-1@vedette" % match in lines and "URL:%s/match/%s" % (URL, match) in lines
        assert any(line.startswith("SUMMARY:") and "Ligny\\; or\\, the\\\\road" in line for line in lines)
        assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 1
        etag = headers["ETag"]
        assert self.get(path, headers={"If-None-Match": etag})[0] == 304
        status, headers, text = self.get(path, "HEAD")
        assert status == 200 and text == ""
        self.sit(fr, match, "FR")
        status, headers, text = self.get(path, headers={"If-None-Match": etag})
        assert status == 200 and "BEGIN:VEVENT" not in text, "it is the other's turn"
        assert fr.call("account.calendar") == {"on": True}, "the address is told once"
        newer = fr.call("account.calendar", on=True)["url"]
        assert newer != made["url"] and self.get(path)[0] == 404
        assert fr.call("account.calendar", on=False) == {"on": False}
        assert self.get(newer[len(URL):])[0] == 404
        assert self.get("/calendar/x.ics")[0] == 404
        log = self.daemon.log_text()
        for secret in (made["url"], newer):
            assert secret.rsplit("/", 1)[1][:32] not in log
        assert al.call("account.calendar") == {"on": False}

    # ---- what is hidden ----

    def test_nothing_hidden_in_any_message(self):
        """A match is played far; all that both were sent, on every channel, names no block that did not lie open to all, no
        draft, note, standing order or talk of anybody, no token; and says of every match what a spectator could read."""
        fr, al = Player(self, "anna"), Player(self, "bert", language="zh")
        for player, path in ((fr, "/canary/fr"), (al, "/canary/al")):
            player.set(webhook={"url": self.hook.url(path), "kind": "standard"})
        match = self.match(fr, al, spectators="public", options={"turns": 16})
        public = Client(self.daemon.port)
        secrets = [fr.token, al.token]
        for player in (fr, al):
            note, draft, said = ("canary-%012x" % self.rng.getrandbits(48) for _ in range(3))
            player.call("match.note", match=match, text=note)
            player.call("match.draft", match=match, version=0, actions=[{"do": draft}])
            player.call("match.say", match=match, channel="table", text=said)
            secrets += [note, draft, said]
        for _ in range(500):
            now = public.call("match.get", match=match)
            if not now.get("waits_for") or now.get("over"):
                break
            self.act(fr if now["waits_for"][0] == "FR" else al, match)
            if self.rng.randrange(3) == 0:
                self.clock.move(61)
        self.clock.move(61)
        self.fence(self.fencer())
        told = json.dumps([s["events"] for s in public.call("match.history", match=match, **{"from": 1, "limit": 200})["steps"]])
        at = 201
        while True:
            steps = public.call("match.history", match=match, **{"from": at, "limit": 200})["steps"]
            if not steps:
                break
            told += json.dumps([s["events"] for s in steps])
            at += 200
        open_to_all = set(UNIT.findall(told))
        posts = [p.body.decode() for p in self.hook.box.all if p.path.startswith("/canary/")]
        mails = [m.text + m.html + m.raw.decode() for m in self.mail.box.all
                 if m.to in ([fr.address], [al.address]) and match in m.text]
        assert len(posts) > 10 and len(mails) > 10, (len(posts), len(mails))
        for text in posts + mails:
            assert set(UNIT.findall(text)) <= open_to_all, set(UNIT.findall(text)) - open_to_all
            assert not [s for s in secrets if s in text], text
        log = self.daemon.log_text()
        assert not [s for s in secrets + [fr.address, al.address] if s in log]

    # ---- settings ----

    def test_settings_member_by_member(self):
        player = Player(self, "anna")
        full = player.set(webhook={"url": self.hook.url("/s"), "kind": "standard"}, digest=3, kinds={"over": False})
        assert full == {"webhook": {"url": self.hook.url("/s"), "kind": "standard", "secret": full["webhook"]["secret"]},
                        "digest": 3, "kinds": {"over": False}}
        assert player.set(kinds={"begun": False})["kinds"] == {"begun": False, "over": False}
        assert player.set(webhook={"url": self.hook.url("/s"), "kind": "standard"})["webhook"] == full["webhook"]
        assert player.set(webhook={"url": self.hook.url("/t"), "kind": "standard"})["webhook"]["secret"] != full["webhook"]["secret"]
        bot = player.call("account.token", label="bot", scope="read")["token"]
        seen = Client(self.daemon.port, bot).call("account.get")["notices"]
        assert seen["webhook"] == {"kind": "standard"}, "a token of little scope sees no secret"
        assert "webhook" not in player.set(webhook={})
        for bad, member in (({"mail": 1}, "mail"), ({"always": "yes"}, "always"), ({"digest": 1000}, "digest"),
                            ({"digest": -1}, "digest"), ({"kinds": {"dead": False}}, "kinds"), ({"kinds": []}, "kinds"),
                            ({"quiet": {"from": "25:00", "to": "07:00"}}, "quiet"), ({"quiet": {"from": "07:00"}}, "quiet"),
                            ({"webhook": {"url": "x", "kind": "standard"}}, "webhook.url"),
                            ({"webhook": {"url": self.hook.url("/s"), "kind": "irc"}}, "webhook.kind"),
                            ({"webhook": {"url": self.hook.url("/s"), "kind": "standard", "secret": "x"}}, "webhook.secret"),
                            ({"push": [{"endpoint": self.hook.url("/p")}]}, "push"), ({"push": [{}] * 9}, "push")):
            try:
                player.set(**bad)
                raise AssertionError("taken: %r" % bad)
            except Refused as refused:
                assert refused.error["data"]["member"] == "notices." + member, (bad, refused.error)

    def test_a_test_message(self):
        player = Player(self, "anna")
        player.call("account.notify_test", channel="mail")
        assert player.mail()["Subject"] == "A test message"
        for channel, kind in (("mail", "rate_limited"), ("push", "conflict"), ("smoke", "invalid_params")):
            try:
                player.call("account.notify_test", channel=channel)
                raise AssertionError("sent: " + channel)
            except Refused as refused:
                assert refused.kind == kind, refused.error
        player.set(mail=False)
        self.clock.move(11)
        player.call("account.notify_test", channel="mail")  # even then: it was asked for
        player.mail()

    def test_a_deleted_account_hears_nothing(self):
        fencer = self.fencer()
        _, fr, al = self.pair()
        try:
            fr.call("account.delete", password="correct horse")
        except Gone:
            pass
        self.clock.move(61)
        self.fence(fencer)
        assert not fr.mails_left()
        assert not al.deliveries(kind="turn")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("only", nargs="?", default="")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    suite = Suite(args.daemon, args.seed)
    passed, failed = run_tests(suite, args.only, 5)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
