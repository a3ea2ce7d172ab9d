#!/usr/bin/env python3
"""Fair dice end to end: nonces that the terminal clients put in by themselves, servers that are restored from
an older copy, matches that move to another server. Every record is verified, by the program and without it.
Ends with "N passed, N failed".
"""
import argparse
import base64
import glob
import hashlib
import json
import os
import random
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time

from suite import run_tests
from wire import Client, Daemon, Refused, new_match, pick, register

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "record"))
import verify as python_verifier  # noqa: E402


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def tagged(label, *parts):
    return label.encode() + b"\0" + b"".join(struct.pack("<I", len(p)) + p for p in parts)


def commitment(nonce):
    return b64(hashlib.blake2b(tagged("vedette1 nonce", nonce), digest_size=32).digest())


def header_head(header):
    return b64(hashlib.blake2b(tagged("vedette1 line", b"\0" * 32, b"", header.encode()), digest_size=32).digest())


class Person:
    """Somebody with a folder of settings of their own, and the terminal client."""

    def __init__(self, suite, name):
        self.suite, self.name = suite, name
        self.home = os.path.join(suite.folder, "home-" + name)
        os.makedirs(self.home)

    def start(self, *command, **more):
        env = {**os.environ, "XDG_CONFIG_HOME": self.home, "VEDETTE_PASSWORD": "correct horse battery", "NO_COLOR": "1"}
        env.pop("VEDETTE_TOKEN", None)
        return subprocess.Popen([self.suite.args.client, "--server", "http://127.0.0.1:%d" % self.suite.daemon.port,
                                 *command], env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **more)

    def run(self, *command, said="", code=0):
        process = self.start(*command)
        out, err = process.communicate(said, timeout=300)
        assert process.returncode == code, (command, process.returncode, out[-2000:], err[-2000:])
        return out, err

    def token(self):
        with open(glob.glob(os.path.join(self.home, "vedette", "*.json"))[0], encoding="utf-8") as file:
            return json.load(file)["accounts"][self.name]["token"]

    def files(self, *pattern):
        return glob.glob(os.path.join(self.home, "vedette", *pattern))

    def nonces(self):
        """{commitment: [lines]} of what the client keeps."""
        kept = {}
        for path in self.files("nonces", "*"):
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, path
            with open(path, encoding="utf-8") as file:
                kept[os.path.basename(path)] = [json.loads(line) for line in file]
        return kept

    def match_path(self, match):
        return os.path.join(self.home, "vedette", "matches", match + ".jsonl")

    def match_lines(self, match):
        with open(self.match_path(match), encoding="utf-8") as file:
            return [json.loads(line) for line in file]


class Suite:
    def __init__(self, args):
        self.args = args
        self.rng = random.Random(args.seed)
        self.folder = tempfile.mkdtemp(prefix="vedette-fair-")
        self.serial = 0

    # ---- helpers ----

    def person(self, stem):
        self.serial += 1
        person = Person(self, "%s-%d" % (stem, self.serial))
        person.run("register", person.name)
        return person

    def two(self, turns=2):
        """Two people and a match of theirs that has just begun."""
        french, allied = self.person("french"), self.person("allied")
        out, _ = french.run("--json", "new", "waterloo", "--seat", "FR", "--spectators", "public",
                            "--option", "turns=%d" % turns)
        match = json.loads(out)["match"]
        allied.run("join", match, "--seat", "AL")
        return french, allied, match

    def bots(self, match, *people):
        processes = [p.start("bot", "--policy", "random", "--match", match) for p in people]
        said = [process.communicate(timeout=300) for process in processes]
        assert [p.returncode for p in processes] == [0] * len(people), said
        return [err for _, err in said]

    def summary(self, match, token=None):
        return Client(self.daemon.port, token).call("match.get", match=match)

    def record(self, match, token):
        return Client(self.daemon.port, token).call("match.record", match=match)["record"]

    def verify(self, record, receipts=None):
        """What both verifiers say of a record: the program's verdict."""
        self.serial += 1
        path = os.path.join(self.folder, "record-%d" % self.serial)
        with open(path, "w", encoding="utf-8") as file:
            file.write(record)
        given = ["--receipts", receipts] if receipts else []
        done = subprocess.run([self.args.client, "--json", "verify", path, *given], capture_output=True, text=True,
                              check=False)
        said = json.loads(done.stdout)
        signed = []
        if receipts:
            with open(receipts, encoding="utf-8") as file:
                signed = [json.loads(line) for line in file]
        try:
            python_verifier.verify(record.encode(), signed)
            other = True
        except python_verifier.Bad:
            other = False
        assert said["good"] == other, (said, other)
        return said

    def admin(self, *command, code=0):
        done = subprocess.run([self.args.daemon, "--database", self.daemon.database, *command], capture_output=True,
                              text=True, check=False, timeout=120)
        assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr

    def play(self, match, tokens, steps, dice=False):
        """Random play of seats whose nonces are settled; with dice: until some were rolled. True: so they were."""
        clients = [Client(self.daemon.port, token) for token in tokens]
        rolled = False
        for _ in range(steps):
            for client in clients:
                view = client.call("match.view", match=match)
                if view.get("actions") and not (dice and rolled):
                    answer = client.call("match.act", match=match, seq=view["seq"],
                                         action=pick(view["actions"], self.rng))
                    rolled = rolled or '"dice":' in json.dumps(answer["events"])
            if dice and rolled or view["state"] == "GAME_OVER":
                break
        for client in clients:
            client.close()
        return rolled

    def running(self, match):
        return self.summary(match)["state"] == "running"

    def finish(self, match, token):
        Client(self.daemon.port, token).call("match.resign", match=match)
        record = self.record(match, token)
        said = self.verify(record)
        assert said["good"] and "rules" in said["checked"], said
        return record, said

    # ---- nonces ----

    def test_two_clients_open_their_nonces_by_themselves(self):
        french, allied, match = self.two()
        before = self.summary(match, french.token())
        assert before["nonces"] == {"FR": "awaited", "AL": "awaited"}, before
        stocks = [set(person.nonces()) for person in (french, allied)]
        assert [len(stock) for stock in stocks] == [16, 16]
        self.bots(match, french, allied)
        after = self.summary(match, french.token())
        assert after["nonces"] == {"FR": "opened", "AL": "opened"}, after
        assert after["header"] == before["header"] and after["commit"] == before["commit"]
        dealt = json.loads(before["header"])["nonces"]
        for person, stock, seat in ((french, stocks[0], "FR"), (allied, stocks[1], "AL")):
            assert dealt[seat] in stock
            kept = person.nonces()
            assert kept[dealt[seat]][1:] == [{"match": match, "head": header_head(before["header"])}], kept[dealt[seat]]
            assert [c for c, lines in kept.items() if len(lines) > 1] == [dealt[seat]]
            # The stock is full again, on both sides.
            assert Client(self.daemon.port, person.token()).call("account.nonces") == {"stock": 16}
            assert len(kept) == 17
            lines = person.match_lines(match)
            assert [line["commit"] for line in lines if "commit" in line] == [before["commit"]]
            assert [line["header"] for line in lines if "header" in line] == [before["header"]]
            steps = [line for line in lines if "seq" in line]
            history = Client(self.daemon.port, person.token()).call("match.history", match=match, **{"from": 0})
            chains = {step["seq"]: step["chain"] for step in history["steps"]}
            assert steps and all(chains.get(s["seq"], s["chain"]) == s["chain"] for s in steps)
            for path in person.files("matches", "*") + person.files("servers", "*"):
                assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, path
        record = self.record(match, french.token())
        for person in (french, allied):
            said = self.verify(record, person.files("receipts", match + ".jsonl")[0])
            assert said["good"] and said["nonces"] == {"FR": "opened", "AL": "opened"}, said
            assert {"rules", "receipts"} <= set(said["checked"])
        lines = record.splitlines()
        opened = [n for n, line in enumerate(lines) if '"nonce":' in line]
        acted = [n for n, line in enumerate(lines) if '"do":' in line]
        assert len(opened) == 2 and max(opened) < next(
            (n for n, line in enumerate(lines) if '"roll":' in line), len(lines))
        for n in opened:
            seat = json.loads(lines[n])["seat"]
            assert n < next(k for k in acted if json.loads(lines[k])["seat"] == seat)
        self.changed_nonces_fail(record, opened)

    def changed_nonces_fail(self, record, opened):
        """Any changed byte of a line that opens a nonce is found there, and so is a changed commitment."""
        lines = record.splitlines()
        for n in [*opened, 0]:
            at = self.rng.randrange(lines[n].index('"nonce'), len(lines[n]) - 2)
            other = self.rng.choice([c for c in "AbC9_z" if c != lines[n][at]])
            bad = lines[:n] + [lines[n][:at] + other + lines[n][at + 1:]] + lines[n + 1:]
            said = self.verify("\n".join(bad) + "\n")
            assert not said["good"] and said["line"] == n, (n, at, said)

    def test_a_client_without_the_nonce_says_that_it_is_lost_when_its_person_acts(self):
        french, allied, match = self.two()
        # The French go on at another machine: same account, nothing kept.
        moved = Person(self, "moved-" + french.name)
        moved.name = french.name
        moved.run("login", french.name)
        assert Client(self.daemon.port, french.token()).call("account.nonces") == {"stock": 15 + 1}
        _, err = moved.run("show", match)
        assert self.summary(match, french.token())["nonces"]["FR"] == "awaited"
        errors = self.bots(match, moved, allied)
        assert "does not hold the secret" in errors[0] and "FR" in errors[0], errors
        assert self.summary(match, french.token())["nonces"] == {"FR": "lost", "AL": "opened"}
        said = self.verify(self.record(match, french.token()))
        assert said["good"] and said["nonces"] == {"FR": "lost", "AL": "opened"}, said

    def test_an_order_in_play_waits_until_the_nonce_is_said_to_be_lost(self):
        _, allied, match = self.two()
        moved = Person(self, "moved-" + allied.name)
        moved.name = allied.name
        moved.run("login", allied.name)
        # Looking on gives nothing up: the other machine may still open it.
        moved.run("play", "--plain", match, said="map\nquit\n")
        assert self.summary(match, allied.token())["nonces"]["AL"] == "awaited"
        out, _ = moved.run("play", "--plain", match, said="place auto\nmap\nquit\n")
        assert "does not hold the secret" in out, out
        assert self.summary(match, allied.token())["nonces"]["AL"] == "lost"
        view = Client(self.daemon.port, allied.token()).call("match.view", match=match)
        assert len([u for u in view["board"]["units"].values() if "town" in u]) == 30, view["board"]["units"]

    def test_an_account_without_a_stock_waives(self):
        french = self.person("french")
        token = register(self.daemon.port, "program-%d" % self.serial)
        out, _ = french.run("--json", "new", "waterloo", "--seat", "FR", "--option", "turns=2")
        match = json.loads(out)["match"]
        Client(self.daemon.port, token).call("match.join", match=match, seat="AL")
        summary = self.summary(match, token)
        assert summary["nonces"] == {"FR": "awaited", "AL": "waived"}
        assert json.loads(summary["header"])["nonces"]["AL"] is None
        # The program need do nothing, and may act at once.
        client = Client(self.daemon.port, token)
        view = client.call("match.view", match=match)
        client.call("match.act", match=match, seq=view["seq"], action=pick(view["actions"], self.rng))
        french.run("play", "--plain", match, said="quit\n")
        assert self.summary(match, token)["nonces"] == {"FR": "opened", "AL": "waived"}
        _, said = self.finish(match, token)
        assert said["nonces"] == {"FR": "opened", "AL": "waived"}, said

    def test_act_opens_the_nonce_on_its_way(self):
        _, allied, match = self.two()
        out, _ = allied.run("act", match, "place auto")
        assert out, "nothing was told"
        assert self.summary(match, allied.token())["nonces"]["AL"] == "opened"

    def test_a_client_that_died_between_keeping_and_opening_opens_it_later(self):
        french, allied, match = self.two()
        summary = self.summary(match, french.token())
        dealt = json.loads(summary["header"])["nonces"]
        path = french.files("nonces", dealt["FR"])[0]
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"match": match, "head": header_head(summary["header"])}) + "\n")
        # The other one's mark is torn: that was never opened either.
        with open(allied.files("nonces", dealt["AL"])[0], "a", encoding="utf-8") as file:
            file.write('{"match":"other')
        for person in (french, allied):
            person.run("play", "--plain", match, said="quit\n")
        assert self.summary(match, french.token())["nonces"] == {"FR": "opened", "AL": "opened"}
        assert len(allied.nonces()[dealt["AL"]]) == 2

    def test_a_nonce_that_was_opened_elsewhere_is_never_opened_again(self):
        french, _, match = self.two()
        dealt = json.loads(self.summary(match, french.token())["header"])["nonces"]["FR"]
        with open(french.files("nonces", dealt)[0], "a", encoding="utf-8") as file:
            file.write(json.dumps({"match": "othermatch", "head": header_head("x")}) + "\n")
        french.run("play", "--plain", match, said="quit\n")
        assert self.summary(match, french.token())["nonces"]["FR"] == "awaited"

    def test_nothing_is_opened_for_a_match_that_was_shown_otherwise(self):
        french, _, match = self.two()
        lines = french.match_lines(match)
        assert list(lines[0]) == ["commit", "server"], lines
        lines[0]["commit"] = b64(os.urandom(32))
        with open(french.match_path(match), "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
        out, _ = french.run("play", "--plain", match, said="quit\n")
        assert "is not the one that this machine was shown before" in out, out
        assert self.summary(match, french.token())["nonces"]["FR"] == "awaited"

    def test_a_changed_log_and_another_key_are_noticed(self):
        french, allied, match = self.two()
        for person in (french, allied):
            out, _ = person.run("play", "--plain", match, said="quit\n")
            assert "WARNING" not in out, out
        out, _ = french.run("play", "--plain", match, said="quit\n")
        assert "WARNING" not in out, out
        lines = french.match_lines(match)
        last = max(n for n, line in enumerate(lines) if "seq" in line)
        lines[last]["chain"] = b64(os.urandom(32))
        with open(french.match_path(match), "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
        with open(french.files("servers", "*")[0], "w", encoding="utf-8") as file:
            file.write(b64(os.urandom(32)) + "\n")
        out, err = french.run("play", "--plain", match, said="quit\n")
        assert "has been changed behind step %d" % lines[last]["seq"] in out, out
        assert "signs receipts with another key than before" in out + err, (out, err)

    def test_kill_9_between_dealing_opening_and_playing(self):
        french, allied, match = self.two(turns=24)
        header = self.summary(match, french.token())["header"]
        self.daemon.kill()
        self.daemon.start()
        assert self.summary(match, french.token())["nonces"] == {"FR": "awaited", "AL": "awaited"}
        french.run("play", "--plain", match, said="quit\n")
        self.daemon.kill()
        self.daemon.start()
        summary = self.summary(match, french.token())
        assert summary["nonces"] == {"FR": "opened", "AL": "awaited"} and summary["header"] == header
        allied.run("play", "--plain", match, said="quit\n")
        self.daemon.kill()
        self.daemon.start()
        self.play(match, [french.token(), allied.token()], 8)
        self.daemon.kill()
        self.daemon.start()
        record, said = self.finish(match, allied.token())
        assert said["nonces"] == {"FR": "opened", "AL": "opened"} and record.splitlines()[0] == header

    def test_matches_that_begin_at_once_are_dealt_different_nonces(self):
        tokens = [register(self.daemon.port, "quick-%d-%d" % (self.serial, i)) for i in range(2)]
        clients = [Client(self.daemon.port, token) for token in tokens]
        nonces = [[os.urandom(32) for _ in range(16)] for _ in tokens]
        for client, mine in zip(clients, nonces):
            for at in range(0, 16, 8):
                client.call("account.nonces", commits=[commitment(n) for n in mine[at:at + 8]])
        matches = [clients[0].call("match.create", game="waterloo", seat="FR")["match"] for _ in range(20)]
        joins = [clients[1].post("match.join", match=match, seat="AL") for match in matches]
        for join in joins:
            clients[1].answer(join)
        dealt = {"FR": [], "AL": []}
        for match in matches:
            for seat, commit in json.loads(clients[0].call("match.get", match=match)["header"])["nonces"].items():
                dealt[seat].append(commit)
        for seat, mine in (("FR", nonces[0]), ("AL", nonces[1])):
            given = [c for c in dealt[seat] if c is not None]
            assert sorted(given) == sorted(commitment(n) for n in mine), (seat, len(given), len(set(given)))
            assert len(dealt[seat]) == 20

    # ---- restored from an older copy ----

    def test_a_restored_match_goes_on_with_other_dice(self):
        """Random matches may end before dice were rolled on both sides of the restore; then another is tried."""
        assert any(self.restored_match() for _ in range(8)), "no dice in eight matches"

    def restored_match(self):
        french, allied, match = self.two(turns=24)
        for person in (french, allied):
            person.run("play", "--plain", match, said="quit\n")
        tokens = [french.token(), allied.token()]
        if not self.play(match, tokens, 2000, dice=True) or not self.running(match):
            return False
        for person in (french, allied):
            person.run("play", "--plain", match, said="quit\n")
        open_match = json.loads(french.run("--json", "new", "waterloo", "--seat", "FR")[0])["match"]
        before = self.summary(match, tokens[0])
        backup = os.path.join(self.folder, "backup-%d" % self.serial)
        self.admin("backup", backup)
        lost = before
        for _ in range(20):
            self.play(match, tokens, 1)
            lost = self.summary(match, tokens[0])
        if lost["state"] != "running" or lost["seq"] == before["seq"]:
            return False
        french.run("play", "--plain", match, said="quit\n")
        # Not while the daemon has it; one clear line.
        for command in (["restore", backup], ["check"], ["import", backup]):
            out, err = self.admin(*command, code=1)
            assert out == "" and err.count("\n") == 1 and ("in use" in err or "no exported match" in err), (out, err)
        # A daemon that is killed while it restores leaves the old or the new one; here the old one.
        assert self.daemon.stop() == 0
        self.admin("restore", os.path.join(self.folder, "nowhere"), code=1)
        out, _ = self.admin("restore", backup)
        assert "1 running matches" in out or "running matches were marked" in out, out
        kept = out.splitlines()[-1].split(" kept as ")[1]
        assert os.path.exists(kept) and not os.path.exists(self.daemon.database + ".restoring")
        assert stat.S_IMODE(os.stat(self.daemon.database).st_mode) == 0o600
        out, _ = self.admin("check")
        assert ", 0 faults" in out, out
        self.daemon.start()
        after = self.summary(match, tokens[0])
        assert after["seq"] == before["seq"] + 1, (before["seq"], after["seq"])
        view = Client(self.daemon.port, tokens[0]).call("match.view", match=match)
        assert view["events"] == [{"ev": "restored"}], view["events"]
        assert Client(self.daemon.port, tokens[0]).call("account.nonces") == {"stock": 0}
        # The client notices that the server knows less than it was shown.
        out, _ = french.run("play", "--plain", match, said="quit\n")
        assert "has gone back behind step" in out or "has been changed behind step" in out, out
        rolled = self.play(match, tokens, 2000, dice=True) and self.running(match)
        if not rolled:
            return False
        record, _ = self.finish(match, tokens[0])
        lines = [json.loads(line) for line in record.splitlines()]
        at = next(n for n, line in enumerate(lines) if line.get("host") == "restored")
        rolls = [line["roll"] for line in lines if "roll" in line]
        earlier = [line["roll"] for line in lines[:at] if "roll" in line]
        assert len(rolls) > len(earlier) and rolls[len(earlier)] == len(earlier) + 1 + 2 ** 32, rolls
        # A match that had not begun gets the line behind its header, and its first roll lies as far on.
        allied.run("join", open_match, "--seat", "AL")
        for person in (french, allied):
            person.run("play", "--plain", open_match, said="quit\n")
        if not self.play(open_match, tokens, 2000, dice=True) or not self.running(open_match):
            return False
        record, said = self.finish(open_match, tokens[0])
        lines = [json.loads(line) for line in record.splitlines()]
        assert [line.get("host") for line in lines[1:3]] == ["restored", "begin"], lines[:3]
        assert next(line["roll"] for line in lines if "roll" in line) == 2 ** 32 + 1
        assert said["nonces"] == {"FR": "opened", "AL": "opened"}, said
        return True

    def test_a_restore_into_nothing_and_twice(self):
        french, allied, match = self.two(turns=24)
        for person in (french, allied):
            person.run("play", "--plain", match, said="quit\n")
        tokens = [french.token(), allied.token()]
        self.play(match, tokens, 3)
        backup = os.path.join(self.folder, "backup-%d" % self.serial)
        self.admin("backup", backup)
        self.daemon.kill()
        os.unlink(self.daemon.database)
        for rest in glob.glob(self.daemon.database + "-*"):
            os.unlink(rest)
        out, _ = self.admin("restore", backup)
        assert "kept as" not in out, out
        # Of itself: so is a file marked that was put back by other means.
        self.admin("restore", self.daemon.database)
        second = backup + "-2"
        self.admin("backup", second)
        self.admin("restore", second)
        assert ", 0 faults" in self.admin("check")[0]
        self.daemon.start()
        self.play(match, tokens, 3)
        record, _ = self.finish(match, tokens[0])
        assert sum('"restored"' in line for line in record.splitlines()) == 3

    def test_a_restore_that_is_killed_leaves_the_old_or_the_new(self):
        """kill -9 at random moments of it: by design, as in kill.py."""
        tokens = [register(self.daemon.port, "many-%d-%d" % (self.serial, i)) for i in range(2)]
        for _ in range(40):
            new_match(self.daemon.port, tokens)
        backup = os.path.join(self.folder, "many-%d" % self.serial)
        self.admin("backup", backup)
        marks = ("SELECT count(*), (SELECT count(*) FROM tip JOIN match ON match.key = tip.match AND state = 'running')"
                 " FROM line WHERE body LIKE '%\"restored\"%'")
        connection = sqlite3.connect(backup)
        before, running = connection.execute(marks).fetchone()
        connection.close()
        assert running >= 40
        seen = set()
        took = None  # how long one lasts, by the last that was not killed in time
        for round_no in range(16):
            place = os.path.join(self.folder, "killed-%d" % round_no)
            os.makedirs(place)
            database = os.path.join(place, "vedette.db")
            shutil.copy(backup, database)
            command = [self.args.daemon, "--database", database, "restore", backup]
            started = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if took is not None:  # the second is killed at once, before it can have done anything
                killer = threading.Timer(took * self.rng.random() if round_no > 1 else 0, process.kill)
                killer.start()
            err = process.communicate()[1]
            if process.returncode == 0:
                took = time.monotonic() - started
            assert took is not None, err
            if round_no > 0:
                killer.join()
            done = subprocess.run([self.args.daemon, "--database", database, "check"], capture_output=True, text=True,
                                  check=False)
            assert done.returncode == 0 and ", 0 faults" in done.stdout, (done.stdout, done.stderr)
            connection = sqlite3.connect(database)
            marked = connection.execute(marks).fetchone()[0] - before
            connection.close()
            assert marked in (0, running), (marked, running)
            seen.add(marked > 0)
            # What was left behind is in nobody's way.
            again = subprocess.run(command, capture_output=True, text=True, check=False)
            assert again.returncode == 0, again.stderr
            assert not os.path.exists(database + ".restoring")
        assert seen == {True, False}, "the kills fell all on one side: %s" % seen

    # ---- to another server ----

    def test_a_match_moves_to_another_server_and_goes_on(self):
        french, allied, match = self.two(turns=24)
        french.run("play", "--plain", match, said="quit\n")
        tokens = [french.token(), allied.token()]
        out, err = self.admin("export", match)
        early = out
        allied.run("play", "--plain", match, said="quit\n")
        self.play(match, tokens, 8)
        out, err = self.admin("export", match)
        assert err == "" and json.loads(out.splitlines()[0])["vedette"] == "match/1"
        assert not any(p.name in out for p in (french, allied))
        path = os.path.join(self.folder, "moved-%d" % self.serial)
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)
        for wrong, why in (("nosuchmatch", "there is no match"), ("aaaaaaaaaa", "there is no match")):
            _, err = self.admin("export", wrong, code=1)
            assert why in err, err
        here, self.daemon = self.daemon, Daemon(self.args.daemon, config="[limits]\nrates = off\n")
        try:
            self.refuses_what_is_no_export(path, out)
            said, _ = self.admin("import", path)
            codes = {words[4]: words[6] for words in map(str.split, said.splitlines())}
            assert set(codes) == {"FR", "AL"}, said
            _, err = self.admin("import", path, code=1)
            assert "already" in err and err.count("\n") == 1, err
            assert ", 0 faults" in self.admin("check")[0]
            self.daemon.start()
            _, err = self.admin("import", path, code=1)
            assert "in use" in err and err.count("\n") == 1, err
            self.goes_on_elsewhere(match, codes, early)
        finally:
            if self.daemon.process is not None and self.daemon.process.poll() is None:
                assert self.daemon.stop() == 0
            self.daemon = here
        Client(self.daemon.port, tokens[0]).call("match.resign", match=match)
        _, err = self.admin("export", match, code=1)
        assert "is over" in err, err

    def refuses_what_is_no_export(self, path, text):
        """A file changed in any line is taken whole or not at all."""
        lines = text.splitlines()
        for n in (0, 1, 2, len(lines) // 2, len(lines) - 1):
            at = self.rng.randrange(len(lines[n]) // 2, len(lines[n]) - 3)
            other = "x" if lines[n][at] != "x" else "y"
            bad = path + "-bad"
            with open(bad, "w", encoding="utf-8") as file:
                file.write("\n".join(lines[:n] + [lines[n][:at] + other + lines[n][at + 1:]] + lines[n + 1:]) + "\n")
            _, err = self.admin("import", bad, code=1)
            assert err.splitlines()[-1].startswith("vedetted: the file is no exported match: "), err
        with open(path + "-bad", "w", encoding="utf-8") as file:
            file.write("\n".join(lines[:-1]) + "\n")
        self.admin("import", path + "-bad", code=1)
        assert "0 matches, 0 faults" in self.admin("check")[0]

    def goes_on_elsewhere(self, match, codes, early):
        people = {seat: register(self.daemon.port, "new-%s" % seat) for seat in ("FR", "AL")}
        stranger = Client(self.daemon.port, register(self.daemon.port, "stranger"))
        for code in ("x" * 22, codes["FR"][:-1]):
            try:
                stranger.call("match.join", match=match, seat="FR", code=code)
                raise AssertionError("a wrong code opened a seat")
            except Refused as refusal:
                assert refusal.kind in ("not_found", "forbidden", "conflict"), refusal
        clients = {seat: Client(self.daemon.port, token) for seat, token in people.items()}
        for seat, client in clients.items():
            summary = client.call("match.join", match=match, code=codes[seat])
            assert summary["you"] == [seat] and summary["state"] == "running", summary
            assert summary["nonces"] == {"FR": "opened", "AL": "opened"}, summary
        try:
            stranger.call("match.join", match=match, code=codes["FR"])
            raise AssertionError("a code was good twice")
        except Refused:
            pass
        view = clients["FR"].call("match.view", match=match)
        assert view["events"] == [{"ev": "restored"}], view["events"]
        self.play(match, list(people.values()), 8)
        record, said = self.finish(match, people["FR"])
        assert said["nonces"] == {"FR": "opened", "AL": "opened"}
        assert sum('"restored"' in line for line in record.splitlines()) == 1
        assert early.splitlines()[1] == record.splitlines()[0]
        assert ", 0 faults" in (self.daemon.stop(), self.admin("check"))[1][0]

    def test_a_nonce_is_opened_on_the_server_that_the_match_moved_to(self):
        """The seat of a match that moved keeps the nonce of its first holder, who opens it there."""
        french, allied, match = self.two(turns=24)
        path = os.path.join(self.folder, "early-%d" % self.serial)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.admin("export", match)[0])
        here, self.daemon = self.daemon, Daemon(self.args.daemon, config="[limits]\nrates = off\n")
        try:
            said, _ = self.admin("import", path)
            codes = {words[4]: words[6] for words in map(str.split, said.splitlines())}
            self.daemon.start()
            french.run("register", french.name)
            allied.run("register", allied.name)
            french.run("join", match, "--code", codes["FR"])
            stranger = self.person("substitute")
            stranger.run("join", match, "--code", codes["AL"])
            self.bots(match, french, stranger)
            assert self.summary(match, stranger.token())["nonces"] == {"FR": "opened", "AL": "lost"}
            said = self.verify(self.record(match, stranger.token()))
            assert said["good"] and said["nonces"] == {"FR": "opened", "AL": "lost"}, said
            assert self.daemon.stop() == 0
        finally:
            if self.daemon.process is not None and self.daemon.process.poll() is None:
                self.daemon.kill()
            self.daemon = here

    # ---- running them ----

    def run(self):
        self.daemon = Daemon(self.args.daemon, config="[limits]\nrates = off\n").start()
        passed, failed = run_tests(self, self.args.only)
        print("%d passed, %d failed" % (passed, failed))
        return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    return Suite(args).run()


if __name__ == "__main__":
    sys.exit(main())
