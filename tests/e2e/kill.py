#!/usr/bin/env python3
"""kill -9 of the daemon at random moments while two seats play.

After each restart: each seat's seq is the last one it was acknowledged or shown, or one later; both are back
by themselves; a request that was under way is sent again with its action_id and is done exactly once; an
answered one gets its first answer again. Ends with "N passed, N failed" (a kill counts once).
"""
import argparse
import json
import random
import sys
import threading

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

    def turn(self, rng):
        """One step of play. False: the match is over."""
        self.client.poll()
        for push in self.client.pushes:
            if push["method"] == "match.view":
                self.view = push["params"]["view"]
        self.client.pushes.clear()
        self.known = max(self.known, self.view["seq"])
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
    while passed + failed < args.kills:
        if not seats:
            match = new_match(daemon.port, tokens)
            seats = [Seat(token, match) for token in tokens]
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
