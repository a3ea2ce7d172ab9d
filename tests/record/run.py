#!/usr/bin/env python3
"""Records of matches played over the wire: both verifiers, every changed byte, forgeries. Ends with "N passed, N failed"."""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "e2e")]

import verify as own  # noqa: E402
from jsonschema import Draft202012Validator  # noqa: E402
from contract import Contract  # noqa: E402
from suite import run_tests  # noqa: E402
from wire import Client, Daemon, Refused, new_match, pick, register  # noqa: E402

CHANGES_MIN = 2000


class Kept:
    """A finished match: its record, the receipts taken on the way, what each viewer was told."""

    def __init__(self, match, record, receipts):
        self.match, self.record, self.receipts = match, record, receipts
        self.lines = record.split(b"\n")[:-1]


def chain(lines):
    """A record of these lines (dicts or bytes), by whoever holds the key in the last: numbers, heads and marks anew."""
    raws = []
    for n, line in enumerate(lines[:-1]):
        if not isinstance(line, bytes):
            line = {**line, "n": n} if n else line
            line = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
        raws.append(line)
    match, last = json.loads(raws[0])["match"].encode(), json.loads(lines[-1])
    secret, head, marks = own.b64(last["key"], 32), b"\0" * 32, ""
    for n, raw in enumerate(raws):
        salt = own.blake(own.tagged("vedette1 salt", match, own.U64(n)), secret) if n else b""
        head = own.blake(own.tagged("vedette1 line", head, salt, raw))
        marks += text64(head[:6])
    end = {"key": last["key"], "head": text64(head), "marks": marks}
    return b"\n".join(raws) + b"\n" + json.dumps(end, separators=(",", ":")).encode() + b"\n"


def text64(data):
    return own.base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Suite:
    def __init__(self, args):
        self.args = args
        self.rng = random.Random(args.seed)
        self.serial = 0
        self.folder = tempfile.mkdtemp(prefix="vedette-record-")

    # ---- tools ----

    def file(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def receipts_file(self, receipts):
        self.serial += 1
        return self.file("receipts-%d" % self.serial, "".join(json.dumps(r) + "\n" for r in receipts).encode())

    def theirs(self, paths, receipts=None):
        """What `vedette verify` says of each, and its exit status."""
        command = [self.args.client, "--json", "verify", *(["--receipts", receipts] if receipts else []), *paths]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode in (0, 1) and not done.stderr, done.stderr[-3000:]
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert [s["file"] for s in said] == list(paths)
        assert (done.returncode == 0) == all(s["good"] for s in said)
        return said

    def ours(self, data, receipts=()):
        try:
            own.verify(data, receipts)
            return {"good": True}
        except own.Bad as bad:
            step, place, why = bad.args
            return {"good": False, "step": step, "why": why, "receipt" if step == "receipts" else "line": place}

    def both(self, data, receipts=(), rules_may_differ=False):
        """Both verifiers on one record; they must agree."""
        self.serial += 1
        path = self.file("record-%d" % self.serial, data)
        theirs = self.theirs([path], self.receipts_file(receipts) if receipts else None)[0]
        ours = self.ours(data, receipts)
        same = all(theirs.get(k) == ours.get(k) for k in ("good", "step", "line", "receipt"))
        assert same or (rules_may_differ and theirs.get("step") == "rules" and ours["good"]), (theirs, ours)
        return theirs

    def agree(self, match, clients, what, **more):
        """One offers, all others agree; False: there is nothing to go back on."""
        try:
            offer = clients[0].call("match.offer", match=match, what=what, **more)
        except Refused as refused:
            assert refused.error["data"].get("reason") == "rewind", refused
            return False
        done = [c.call("match.answer", match=match, offer=offer["offer"], accept=True) for c in clients[1:]]
        assert done[-1]["outcome"] == "carried_out", done
        return True

    def play(self, resign_after=None, seats=("FR", "AL"), stop=None, rewinds=0, **params):
        """A match by random clients, with steps taken back now and then, and so many rewinds; stop: by draw or abort,
        not by resigning."""
        tokens = [register(self.daemon.port, "player-%d-%d" % (self.serial, i)) for i in range(len(seats))]
        self.serial += 1
        match = new_match(self.daemon.port, tokens, seats=seats, **params)
        clients = [Client(self.daemon.port, token) for token in tokens]
        public = Client(self.daemon.port)
        receipts, steps, due = [], 0, 20
        while True:
            for client in clients:
                view = client.call("match.view", match=match)
                if view["state"] == "GAME_OVER" or steps == resign_after:
                    if view["state"] != "GAME_OVER" and stop:
                        self.agree(match, clients, stop)
                    elif view["state"] != "GAME_OVER":
                        client.call("match.resign", match=match)
                    receipts += [c.call("match.receipt", match=match) for c in [*clients, public]]
                    record = clients[0].call("match.record", match=match)["record"].encode()
                    self.clients, self.tokens = clients, tokens
                    return Kept(match, record, receipts)
                if rewinds > 0 and (self.rng.random() < 0.04 or steps >= due):
                    due = steps + 20  # one at least, however the dice fall
                    rewinds -= self.agree(match, [client, *(c for c in clients if c is not client)], "rewind",
                                          to=self.rng.randint(1, view["seq"]))
                elif view.get("undo") and self.rng.random() < 0.3:
                    client.call("match.undo", match=match, seq=view["seq"])
                elif view.get("actions"):
                    client.call("match.act", match=match, seq=view["seq"],
                                action=pick(view["actions"], self.rng))
                    steps += 1
                if self.rng.random() < 0.05:
                    receipts.append(client.call("match.receipt", match=match))

    # ---- tests ----

    def test_1_records_of_matches_hold_for_both(self):
        self.kept = [
            self.play(spectators="public", options={"turns": 4}),
            self.play(spectators="public", options={"turns": 7, "morale": True, "command_control": True}),
            self.play(spectators="public", options={"players": 3, "turns": 5}, seats=("FR", "AD", "PR")),
            self.play(spectators="public", resign_after=45),
            self.play(spectators="public", resign_after=120),
            self.play(spectators="public", resign_after=90, stop="draw", rewinds=4),
            self.play(spectators="public", options={"players": 3, "turns": 24, "morale": True}, rewinds=3,
                      resign_after=100, stop="abort", seats=("FR", "AD", "PR")),
        ]
        for kept in self.kept:
            said = self.both(kept.record, kept.receipts)
            assert said["good"] and said["not_checked"] == [], said
            assert said["match"] == kept.match and said["lines"] == len(kept.lines) - 1
            assert set(said["nonces"].values()) == {"waived"}, said
            without = self.both(kept.record)
            assert without["good"] and without["not_checked"] == ["receipts"], without
        with open(os.path.join(HERE, "..", "..", "schema", "record.schema.json"), encoding="utf-8") as file:
            schema = Draft202012Validator(json.load(file))
        for kept in self.kept:
            for line in kept.lines:
                schema.validate(json.loads(line))
        everything = b"".join(k.record for k in self.kept)
        for needed in (b'"undo":', b'"roll":', b'"dice":', b'"how":"rules"', b'"how":"resign"', b'"how":"draw"',
                       b'"how":"abort"', b'"host":"rewind"'):
            assert needed in everything, needed

    def test_2_any_changed_byte_fails_at_its_line_in_both(self):
        changes, paths, wanted = [], [], []
        total = sum(len(k.record) for k in self.kept)
        for kept in self.kept:
            places = {at for _, at in self.members(kept.record)}
            share = 1 + CHANGES_MIN * len(kept.record) // total
            places |= {self.rng.randrange(len(kept.record)) for _ in range(share)}
            changes += [(kept.record, at) for at in sorted(places)]
        while len(changes) < CHANGES_MIN:
            changes.append((self.kept[0].record, self.rng.randrange(len(self.kept[0].record))))
        for number, (record, at) in enumerate(changes):
            other = self.rng.choice([b for b in (self.rng.randrange(256), record[at] ^ 1, *b'0aA",}1\n') if b != record[at]])
            data = record[:at] + bytes([other]) + record[at + 1:]
            line = record[:at].count(b"\n")
            said = self.ours(data)
            assert not said["good"] and said["line"] == line, (at, other, line, said)
            paths.append(self.file("changed-%d" % number, data))
            wanted.append(line)
        for start in range(0, len(paths), 500):
            said = self.theirs(paths[start:start + 500])
            for one, line in zip(said, wanted[start:start + 500]):
                assert not one["good"] and one["line"] == line, (one, line)
        for path in paths:
            os.unlink(path)
        print("%d bytes changed" % len(paths))

    def members(self, record):
        """A place in the value of each kind of member, by the kind of its line: (kind, place)."""
        found, at = {}, 0
        for raw in record.split(b"\n")[:-1]:
            line = json.loads(raw)
            kind = next((k for k in ("vedette", "host", "do", "undo", "key") if k in line), "?")
            for hit in re.finditer(rb'"([a-z_0-9A-Z-]+)":', raw):
                value = at + hit.end() + (1 if raw[hit.end():hit.end() + 1] in b'"[{' else 0)
                found.setdefault((kind, hit.group(1)), value)
            at += len(raw) + 1
        return found.items()

    def test_3_lines_taken_out_or_put_in_fail(self):
        kept = self.kept[1]
        for _ in range(40):
            at = self.rng.randrange(len(kept.lines))
            for lines in (kept.lines[:at] + kept.lines[at + 1:], kept.lines[:at] + [kept.lines[at]] + kept.lines[at:]):
                assert not self.both(b"".join(line + b"\n" for line in lines))["good"]
        for end in range(0, len(kept.record), 97):
            assert not self.ours(kept.record[:end])["good"]
        assert not self.both(kept.record[:-1])["good"]
        assert not self.both(b"")["good"]
        assert not self.both(kept.record + kept.record)["good"]

    def forge(self, kept, change):
        """The holder of the key writes another match: change gets the lines, parsed, and says how they are."""
        lines = [json.loads(line) for line in kept.lines[:-1]]
        return chain([*change(lines), kept.lines[-1]])

    def test_4_a_forgery_by_the_holder_of_the_key_is_shown_by_receipts_alone(self):
        def later(lines):
            lines[len(lines) // 2]["at"] += 1
            return lines

        def shorter(lines):
            """The last action before the resignation never was."""
            last = next(n for n in range(len(lines) - 2, 0, -1) if "do" in lines[n] and "roll" not in lines[n])
            assert not any("undo" in line for line in lines[last:])
            return lines[:last] + lines[last + 1:]

        forged = 0
        for kept, change in [(k, later) for k in self.kept] + [(k, shorter) for k in self.kept[3:5]]:
            assert chain(kept.lines) == kept.record
            try:
                record = self.forge(kept, change)
            except AssertionError:
                continue
            said = self.both(record)
            if change is shorter and not said["good"]:
                continue  # what came after rests on it
            assert said["good"], said
            said = self.both(record, kept.receipts)
            assert not said["good"] and said["step"] == "receipts", said
            forged += 1
        print("%d forgeries" % forged)
        assert forged >= 5, forged

    def test_5_the_holder_of_the_key_cannot_change_dice_rolls_or_rulings(self):
        kept = next(k for k in self.kept if any(b'"dice":' in line for line in k.lines[:-4]))

        def dice(lines):
            line = next(line for line in lines if "dice" in line)
            line["dice"][0][1][0] = line["dice"][0][1][0] % 6 + 1
            return lines

        def more(lines):
            line = next(line for line in lines if "dice" in line)
            draw = own.draws(self.key_of(kept), 1, line["roll"])
            faces = [1 + draw(n) for n, values in line["dice"] for _ in values]
            line["dice"][-1][1].append(1 + draw(line["dice"][-1][0]))
            assert faces
            return lines

        def roll(lines):
            next(line for line in lines if "roll" in line)["roll"] += 1
            return lines

        def illegal(lines):
            line = next(line for line in lines if "do" in line and line["do"]["do"] == "confirm" or
                        line.get("do", {}).get("do") == "march")
            line["do"] = {"do": "fly"}
            return lines

        def result(lines):
            lines[-1]["result"] = {**lines[-1]["result"], "winner": "nobody"}
            return lines

        def undo(lines):
            at = next(n for n, line in enumerate(lines) if "roll" in line and n + 2 < len(lines))
            seat = lines[at]["seat"]
            return lines[:at + 1] + [{"n": 0, "at": lines[at]["at"], "seat": seat, "undo": at}] + lines[at + 1:]

        for change, step in ((dice, "draws"), (roll, "rolls"), (more, "rules"), (illegal, "rules"), (result, "rules"),
                             (undo, "rules")):
            said = self.both(self.forge(kept, change), rules_may_differ=True)
            assert not said["good"] and said["step"] == step, (change.__name__, said)

    def key_of(self, kept):
        header, last = json.loads(kept.lines[0]), json.loads(kept.lines[-1])
        parts = [p for seat in header["seats"] for p in (seat.encode(), b"")]
        return own.blake(own.tagged("vedette1 dice", header["match"].encode(), *parts), own.b64(last["key"], 32))

    def mangle(self, value, depth=0):
        """The value with something in it changed at random."""
        rng = self.rng
        if isinstance(value, dict) and value and rng.random() < 0.9:
            name = rng.choice(sorted(value))
            how = rng.random()
            if how < 0.12:
                return {k: v for k, v in value.items() if k != name}
            if how < 0.2:
                return {**value, rng.choice(["to", "by", "roll", "dice", "undo", "seat", "zzz"]): rng.choice([1, "FR", [], {}])}
            return {**value, name: self.mangle(value[name], depth + 1)}
        if isinstance(value, list) and value and rng.random() < 0.9:
            at = rng.randrange(len(value))
            if rng.random() < 0.2:
                return value[:at] + value[at + 1:]
            return value[:at] + [self.mangle(value[at], depth + 1)] + value[at + rng.randrange(2):]
        if isinstance(value, int) and rng.random() < 0.7:
            return rng.choice([value + 1, value - 1, 0, -1, 1 << 40, (1 << 53) - 1, value * 2])
        return rng.choice([None, True, 0, 1, "", "FR", "AL", "undo", [], {}, [[6, [1]]], "\u0001\u007f", "\u00e9\U0001f600"])

    def test_6_records_forged_at_random_bring_no_verifier_down(self):
        """The holder of the key may write anything: what the two say of it is the same but for the rules."""
        paths, ours = [], []
        for number in range(600):
            kept = self.rng.choice(self.kept[:4])
            lines = [json.loads(line) for line in kept.lines[:-1]]
            for _ in range(self.rng.choice([1, 1, 2])):
                at = self.rng.choice([0, 1, *range(len(lines)), len(lines) - 1])
                how = self.rng.random()
                if how < 0.7:
                    lines[at] = self.mangle(lines[at])
                elif how < 0.8 and at:
                    lines.insert(at, lines[self.rng.randrange(1, len(lines))])
                elif at:
                    del lines[at]
                if not all(isinstance(line, dict) for line in lines):
                    break
            if not isinstance(lines[0], dict) or not isinstance(lines[0].get("match"), str):
                continue
            data = chain([*(line if isinstance(line, dict) else json.dumps(line).encode() for line in lines),
                          kept.lines[-1]])
            paths.append(self.file("forged-%d" % number, data))
            ours.append(self.ours(data))
        differ = 0
        for theirs, mine in zip(self.theirs(paths), ours):
            same = all(theirs.get(k) == mine.get(k) for k in ("good", "step", "line"))
            rules = theirs.get("step") == "rules" and mine["good"]
            assert same or rules, (theirs, mine)
            differ += rules
        assert differ > 20, "the rules have not been asked"

    def test_6_draws_that_are_no_runs_are_no_line(self):
        kept = next(k for k in self.kept if any(b'"dice":' in line for line in k.lines[:-4]))
        lines = [json.loads(line) for line in kept.lines[:-1]]
        at = next(n for n, line in enumerate(lines) if "dice" in line)
        for wrong in ("", "FR", {}, [], 0, True, None, [""], [[]], [{}], [[6]], [[6, ""]], [[6, {}]], [[6, []]],
                      [[6, [0]]], [[6, [7]]], [[6, [1]], [6, [1]]], [[0, [1]]], [[257, [1]]], [[True, [1]]], [[6, [True]]]):
            forged = [{**line, "dice": wrong} if n == at else line for n, line in enumerate(lines)]
            said = self.both(chain([*forged, kept.lines[-1]]))
            assert not said["good"] and (said["step"], said["line"]) == ("form", at), (wrong, said)

    def test_6_receipts_that_were_changed_or_of_elsewhere_fail(self):
        kept, other = self.kept[0], self.kept[1]
        good = kept.receipts
        for change in ({"seq": good[0]["seq"] + 1}, {"time": good[0]["time"] + 1}, {"viewer": "PR"},
                       {"chain": good[-1]["chain"]}, {"signature": good[-1]["signature"]},
                       {"key": text64(bytes(32))}):
            bad = [{**good[0], **change}]
            if bad[0] != good[0]:
                said = self.both(kept.record, bad)
                assert not said["good"] and said["step"] == "receipts" and said["receipt"] == 0, said
        said = self.both(kept.record, [good[0], other.receipts[0]])
        assert said["receipt"] == 1, said
        hello = Client(self.daemon.port).call("server.hello")
        assert {r["key"] for k in self.kept for r in k.receipts} == {hello["receipt_key"]}

    def test_7_record_show_tells_each_viewer_what_the_server_told_it(self):
        for kept in self.kept:
            path = self.file("shown", kept.record)
            viewers = [*json.loads(kept.lines[0])["seats"], "public", "all"]
            for viewer in viewers:
                done = subprocess.run([self.args.client, "--json", "record", "show", path, "--as", viewer],
                                      capture_output=True, text=True, check=True)
                shown = [json.loads(line) for line in done.stdout.splitlines()]
                told, start = [], 1
                while start is not None:
                    page = Client(self.daemon.port).call("match.history", match=kept.match, **{"as": viewer},
                                                         **{"from": start})
                    told += page["steps"]
                    start = page.get("next")
                assert [(s["seq"], s["at"], s["events"]) for s in shown] == \
                    [(s["seq"], s["at"], s["events"]) for s in told], viewer
            text = subprocess.run([self.args.client, "record", "show", path, "--from", "3"],
                                  capture_output=True, text=True, check=True).stdout
            assert text.count("\n") > 10 and min(int(row.split()[0]) for row in text.splitlines()) >= 3

    def test_8_who_may_have_the_record(self):
        tokens = [register(self.daemon.port, "owner-%d" % i) for i in range(2)]
        match = new_match(self.daemon.port, tokens, reveal="seats", spectators="public")
        seat, stranger = Client(self.daemon.port, tokens[0]), Client(self.daemon.port)

        def refusal(client, **params):
            try:
                client.call("match.record", **params)
            except Refused as refused:
                data = refused.error["data"]
                return data["kind"], data.get("reason", data.get("member"))
            return None
        assert refusal(seat, match=match) == ("conflict", "not_revealed")
        assert refusal(stranger, match=match) == ("conflict", "not_revealed")
        assert "key" not in seat.call("match.get", match=match)
        assert refusal(stranger, match="nosuchmatch")[0] in ("not_found", "invalid_params")
        assert refusal(seat, match=match, more=1) == ("invalid_params", "more")
        seat.call("match.resign", match=match)
        assert refusal(stranger, match=match) == ("conflict", "not_revealed"), "open to its seats alone"
        assert "key" not in stranger.call("match.get", match=match)
        record = seat.call("match.record", match=match)["record"].encode()
        assert self.both(record)["good"]
        assert seat.call("match.get", match=match)["key"] == json.loads(record.split(b"\n")[-2])["key"]
        assert stranger.call("match.receipt", match=match)["viewer"] == "public"
        assert seat.call("match.receipt", match=match, **{"as": "AL"})["viewer"] == "AL"
        contract = Contract()
        contract.traffic(seat.traffic)
        contract.traffic(stranger.traffic)
        assert not contract.problems, "\n".join(contract.problems[:10])

    def test_9_the_record_of_a_long_match_arrives(self):
        """Longer than any queue's bound: over both carriages, with other calls behind it."""
        tokens = [register(self.daemon.port, "long-%d" % i) for i in range(2)]
        match = new_match(self.daemon.port, tokens)
        clients = [Client(self.daemon.port, token) for token in tokens]
        view = clients[0].call("match.view", match=match)
        while True:
            for client in clients:
                view = client.call("match.view", match=match)
                form = next((f for f in view.get("actions", []) if f["do"] == "march"), None)
                if form is not None and "unmarch" not in [f["do"] for f in view["actions"]]:
                    break
                if view.get("actions"):
                    wanted = [f for f in view["actions"] if f["do"] not in ("unmarch",)]
                    client.call("match.act", match=match, seq=view["seq"], action=pick(wanted or view["actions"], self.rng))
            else:
                continue
            break
        action = pick(form, self.rng)
        back = {"do": "unmarch", "units": [item["unit"] for item in action["marches"]]}
        while True:
            answer = client.call("match.act", match=match, seq=view["seq"], actions=[action, back] * 32)
            view["seq"] = answer["seq"]
            if answer["seq"] > 8000:
                break
        client.call("match.resign", match=match)
        numbers = [client.post("match.record", match=match), client.post("server.hello"),
                   client.post("match.record", match=match), client.post("match.view", match=match)]
        # Two readers write them: either may be done first, and then the other may be one too many.
        records = []
        for number in (numbers[0], numbers[2]):
            try:
                records.append(client.answer(number)["record"])
            except Refused as refused:
                assert refused.kind == "rate_limited", refused
        record = records[0]
        assert len(record) > 3 * 256 * 1024 and records[-1] == record, len(record)
        assert client.answer(numbers[1])["name"] and client.answer(numbers[3])["seq"]
        assert client.call("match.record", match=match)["record"] == record
        # Nobody reads while they queue: the first arrives, others may be refused, and the connection lives.
        numbers = [client.post("match.record", match=match) for _ in range(8)] + [client.post("server.hello")]
        arrived = 0
        for number in numbers[:-1]:
            try:
                assert client.answer(number)["record"] == record
                arrived += 1
            except Refused as refused:
                assert refused.kind == "rate_limited" and refused.error["data"]["retry_after_ms"] > 0, refused
        assert arrived and client.answer(numbers[-1])["name"]
        print("%d of 8 long answers at once" % arrived)
        batch = [{"jsonrpc": "2.0", "id": 9000 + i, "method": "match.record", "params": {"match": match}} for i in range(3)]
        client.send_text(json.dumps(batch))
        assert [client.answer(9000 + i)["record"] == record for i in range(3)] == [True] * 3
        status, body = self.daemon.rpc({"jsonrpc": "2.0", "id": 1, "method": "match.record", "params": {"match": match}},
                                       clients[0] and tokens[0])
        assert status == 200 and json.loads(body)["result"]["record"] == record
        said = self.both(record.encode())
        assert said["good"], said
        path = os.path.join(self.folder, "saved")
        env = {**os.environ, "VEDETTE_TOKEN": tokens[0], "XDG_CONFIG_HOME": self.folder}
        subprocess.run([self.args.client, "--server", self.url(), "record", match, "-o", path], env=env, check=True,
                       stdout=subprocess.DEVNULL)
        with open(path, "rb") as file:
            assert file.read() == record.encode()

    def url(self):
        return "http://127.0.0.1:%d" % self.daemon.port

    def test_a_clients_keep_receipts_by_themselves(self):
        tokens = [register(self.daemon.port, "bot-%d" % i) for i in range(2)]
        match = new_match(self.daemon.port, tokens, options={"turns": 2})
        bots = []
        for number, token in enumerate(tokens):
            home = os.path.join(self.folder, "home-%d" % number)
            env = {**os.environ, "VEDETTE_TOKEN": token, "XDG_CONFIG_HOME": home}
            bots.append(subprocess.Popen([self.args.client, "--server", self.url(), "bot", "--match", match],
                                         env=env, stdout=subprocess.DEVNULL))
        assert [bot.wait(timeout=300) for bot in bots] == [0, 0]
        record = Client(self.daemon.port, tokens[0]).call("match.record", match=match)["record"].encode()
        path = self.file("of-bots", record)
        for number in range(2):
            receipts = os.path.join(self.folder, "home-%d" % number, "vedette", "receipts", match + ".jsonl")
            said = self.theirs([path], receipts)[0]
            assert said["good"] and "receipts" in said["checked"], said
            assert os.stat(receipts).st_mode & 0o077 == 0

    def test_a_play_keeps_a_receipt_when_it_is_left(self):
        token = register(self.daemon.port, "leaver")
        match = new_match(self.daemon.port, [token, register(self.daemon.port, "stayer")])
        home = os.path.join(self.folder, "home-play")
        env = {**os.environ, "VEDETTE_TOKEN": token, "XDG_CONFIG_HOME": home}
        for words in ("quit\n", "place auto\nquit\n", ""):
            done = subprocess.run([self.args.client, "--server", self.url(), "play", "--plain", match], env=env,
                                  input=words, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr[-3000:]
        Client(self.daemon.port, token).call("match.resign", match=match)
        record = Client(self.daemon.port, token).call("match.record", match=match)["record"].encode()
        said = self.theirs([self.file("left", record)],
                           os.path.join(home, "vedette", "receipts", match + ".jsonl"))[0]
        assert said["good"] and "receipts" in said["checked"], said

    def test_b_the_key_for_receipts_outlives_a_restart(self):
        before = Client(self.daemon.port).call("server.hello")["receipt_key"]
        kept = self.kept[0]
        assert self.daemon.stop() == 0
        self.daemon.start()
        client = Client(self.daemon.port)
        assert client.call("server.hello")["receipt_key"] == before
        receipt = client.call("match.receipt", match=kept.match)
        assert receipt["viewer"] == "public"
        assert self.both(kept.record, [*kept.receipts, receipt])["good"]
        assert client.call("match.record", match=kept.match)["record"].encode() == kept.record

    # ---- running them ----

    def run(self):
        self.daemon = Daemon(self.args.daemon, config="[limits]\nrates = off\n").start()
        passed, failed = run_tests(self)
        if not failed:
            shutil.rmtree(self.folder)
        print("%d passed, %d failed" % (passed, failed))
        return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    print("seed %d" % args.seed)
    return Suite(args).run()


if __name__ == "__main__":
    sys.exit(main())
