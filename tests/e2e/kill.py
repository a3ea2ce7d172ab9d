#!/usr/bin/env python3
"""kill -9 of the daemon at random moments while two seats play.

After each restart: each seat's seq is the last one it was acknowledged or shown, or one later; both are back
by themselves; a request that was under way is sent again with its action_id and is done exactly once; an
answered one gets its first answer again. Both seats put nonces into the dice, and the blow may fall amid that:
what was opened stays open, what was not is opened then, and the record of each match is verified. Ends with "N passed, N failed" (a kill counts once).
"""
import argparse
import hashlib
import json
import os
import random
import sys
import threading

from fair import b64, commitment, python_verifier
from wire import Client, Daemon, Gone, Refused, new_match, pick, register


class Seat:
    """A player that remembers what it was told."""

    def __init__(self, token, match):
        self.token, self.match = token, match
        self.known = 0             # the last seq acknowledged or shown
        self.serial = 0
        self.pending = None        # params of an act without an answer
        self.answered = None       # params and answer of the last one
        self.view = None
        self.client = None
        self.nonces = {}           # commitment: nonce
        self.opened = False        # it was answered so

    def connect(self, port, problems):
        """Comes back: what the seat is told must be what it knew, or one later."""
        self.client = Client(port, self.token)
        answer = self.client.call("match.watch", match=self.match)
        seq = answer["seq"]
        self.view = self.client.push("match.view")["view"]
        # The action that ends a match is followed by the host's line of the end, in one unit.
        later = 2 if self.view["state"] == "GAME_OVER" else 1
        if not self.known <= seq <= self.known + later:
            problems.append("seq is %d, the seat knew %d" % (seq, self.known))
        if self.answered is not None:
            params, first = self.answered
            again = self.client.call("match.act", **params)
            if again != first:
                problems.append("a repeat got %s, first %s" % (json.dumps(again), json.dumps(first)))
        if self.pending is not None:
            params, self.pending = self.pending, None
            try:
                done = self.client.call("match.act", **params)
                if not params["seq"] < done["seq"] <= params["seq"] + later:
                    problems.append("a retried action led to seq %d from %d" % (done["seq"], params["seq"]))
                self.answered = (params, done)
            except Refused as refusal:
                # The other seat was shown a line in between; then nothing of ours was stored.
                if refusal.kind != "stale_state":
                    problems.append("a retry was refused: %s" % refusal)
        self.known = max(self.known, self.client.call("match.view", match=self.match)["seq"])

    def put_in(self):
        """Opens the seat's nonce, or says that it is lost; also when it was, and the answer was not."""
        summary = self.client.call("match.get", match=self.match)
        seat, header = summary["you"][0], json.loads(summary["header"])
        commit = header["nonces"][seat]
        if self.opened and summary["nonces"][seat] not in ("opened", "lost"):
            raise AssertionError("a nonce that was answered is not stored: %s" % summary["nonces"])
        if commit is not None and not self.opened:
            lost = int.from_bytes(hashlib.sha256(commit.encode()).digest()[:1], "big") < 64
            how = {"lost": True} if lost else {"nonce": b64(self.nonces[commit])}
            answer = self.client.call("match.nonce", match=self.match, action_id="o-" + commit[:40], **how)
            self.known = max(self.known, answer["seq"])
        self.opened = True

    def turn(self, rng):
        """One step of play. False: the match is over."""
        self.client.fence()  # on a busy machine a push may be slower than the other seat's answer
        for push in self.client.pushes:
            if push["method"] == "match.view":
                self.view = push["params"]["view"]
        self.client.pushes.clear()
        self.known = max(self.known, self.view["seq"])
        if not self.opened:
            self.put_in()
            return True
        if self.view["state"] == "GAME_OVER":
            return False
        if not self.view.get("actions"):
            return True
        self.serial += 1
        params = {"match": self.match, "seq": self.view["seq"],
                  "action_id": "k%d-%d" % (self.serial, rng.getrandbits(48)),
                  "action": pick(self.view["actions"], rng)}
        self.pending = params
        try:
            answer = self.client.call("match.act", **params)
            self.answered = (params, answer)
            self.known = max(self.known, answer["seq"])
            self.view = self.client.push("match.view", lambda p: p["seq"] >= answer["seq"])["view"]
        except Refused as refusal:
            if refusal.kind != "stale_state":
                raise
            self.view = self.client.call("match.view", match=self.match)
        self.pending = None
        self.known = max(self.known, self.view["seq"])
        return True


def new_seats(daemon, tokens):
    """A match whose seats have stocks of nonces; the blow may fall at any moment of its making."""
    stocks = []
    for token in tokens:
        client = Client(daemon.port, token)
        nonces = {commitment(n): n for n in (os.urandom(32) for _ in range(2))}
        stock = client.call("account.nonces")["stock"]
        if stock < 60:
            client.call("account.nonces", commits=list(nonces))
        stocks.append(nonces)
        client.close()
    return new_match(daemon.port, tokens), stocks


def verify(daemon, match, token):
    """The record of a match that is over, by the verifier that shares nothing with the daemon."""
    record = Client(daemon.port, token).call("match.record", match=match)["record"]
    try:
        python_verifier.verify(record.encode())
    except python_verifier.Bad as bad:
        return ["the record of %s does not hold: %s" % (match, bad)]
    return []


def play_until_killed(seats, rng):
    """True when the match ended before the kill."""
    try:
        while True:
            for seat in seats:
                if not seat.turn(rng):
                    return True
    except Gone:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    print("seed %d" % args.seed)
    rng = random.Random(args.seed)
    daemon = Daemon(args.daemon, config="[limits]\nrates = off\n").start()
    tokens = [register(daemon.port, "killer-%d" % i) for i in range(2)]
    seats, passed, failed = [], 0, 0
    known = [{} for _ in tokens]
    while passed + failed < args.kills:
        if not seats:
            match, stocks = new_seats(daemon, tokens)
            seats = [Seat(token, match) for token in tokens]
            for seat, mine, new in zip(seats, known, stocks):
                mine.update(new)
                seat.nonces = mine
        problems = []
        for seat in seats:
            seat.connect(daemon.port, problems)
        # The moment is random by design: the blow falls wherever the daemon happens to be.
        killer = threading.Timer(rng.uniform(0.001, 0.08), daemon.kill)
        killer.start()
        over = play_until_killed(seats, rng)
        killer.join()
        daemon.start()
        if over:
            problems += verify(daemon, seats[0].match, tokens[0])
            seats = []
        for problem in problems:
            print("after kill %d: %s" % (passed + failed, problem))
        passed, failed = (passed, failed + 1) if problems else (passed + 1, failed)
    code = daemon.stop()
    if code != 0:
        print("the daemon stopped with %d" % code)
        failed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
