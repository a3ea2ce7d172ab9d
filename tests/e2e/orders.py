#!/usr/bin/env python3
"""kill -9 of the daemon at random moments while two seats play with standing orders and a pace.

What orders answer and what was held are lines exactly once, with the time at which they were due; what was answered
before the blow stands after it. When a match is over its record is verified, and held against what `match.standing`
says was done by orders, and `vedetted check` plays all of them again. Ends with "N passed, N failed".
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import threading
import time

from fair import python_verifier
from wire import Client, Daemon, Gone, Refused, new_match, pick, register

T0 = 1796000000000
PACE_S = 600
ORDERS = [
    {"when": {"is": "attacked", "ratio": [2, 1]}, "do": {"do": "respond", "choice": "retreat"}},
    {"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "fight", "rest": "spread"}},
    {"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "retreat"}},
    {"when": {"is": "pursued"}, "do": {"do": "allot"}},
    {"when": {"is": "routed"}, "do": {"do": "rout_routes"}},
    {"when": {"is": "supply"}, "do": {"do": "remove"}},
    {"when": {"is": "forced"}, "do": {"do": "only"}}]


class Clock:
    """Runs a minute in some milliseconds, and goes on where it stood."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "clock")
        self.ms = T0
        self.write()

    def write(self):
        with open(self.path, "r+b" if os.path.exists(self.path) else "w+b") as file:
            file.write(struct.pack("<q", self.ms))

    def forward(self, daemon, ms):
        self.ms += ms
        self.write()
        process = daemon.process
        if process is not None and process.poll() is None:
            process.send_signal(12)


class Seat:
    def __init__(self, token, match, rng):
        self.token, self.match, self.rng = token, match, rng
        self.client = self.pending = None
        self.given = []  # what was held when the answer came

    def connect(self, port, problems):
        self.client = Client(port, self.token)
        if self.pending is not None:
            params, self.pending = self.pending, None
            self.send(params)
        held = self.client.call("match.held", match=self.match).get("answer", {}).get("given", [])
        if held and self.given and held[:len(self.given)] != self.given:
            problems.append("held were %s, now %s" % (self.given, held))

    def leave(self):
        """Other orders than before, or none: whatever is asked then they answer at once."""
        version = self.client.call("match.standing", match=self.match)["version"]
        orders = self.rng.sample(ORDERS, self.rng.randrange(len(ORDERS) + 1))
        try:
            self.client.call("match.standing", match=self.match, version=version, orders=orders)
        except Refused as refusal:
            if refusal.kind != "match_over":
                raise

    def send(self, params):
        self.pending = params
        try:
            answer = self.client.call("match.act", **params)
            self.given = answer.get("held", {}).get("given", [])
        except Refused as refusal:
            # By then what was held is shown, or orders have answered.
            if refusal.kind not in ("stale_state", "not_your_turn", "illegal_action", "match_over"):
                raise
        self.pending = None

    def turn(self):
        """One step of play; the state that the seat sees."""
        if self.rng.randrange(12) == 0:
            self.leave()
        view = self.client.call("match.view", match=self.match)
        held = self.client.call("match.held", match=self.match)
        state = view["state"]
        view = held.get("view", view) if held["seq"] == view["seq"] else view
        done = held.get("answer", {}).get("given") and "view" not in held
        if view.get("actions") and not done:
            self.send({"match": self.match, "seq": view["seq"], "action_id": "o-%x" % self.rng.getrandbits(60),
                       "action": pick(view["actions"], self.rng)})
        return state


def judge(daemon, match, seats):
    """A match that is over."""
    problems = []
    record = seats[0].client.call("match.record", match=match)["record"]
    try:
        python_verifier.verify(record.encode())
    except python_verifier.Bad as bad:
        problems.append("the record does not hold: %s" % bad)
    lines = [json.loads(line) for line in record.splitlines()[:-1]]
    for seat, code in zip(seats, ("FR", "AL")):
        by = [line for line in lines if line.get("seat") == code and line.get("by") == "orders"]
        fired = seat.client.call("match.standing", match=match)["fired"]
        if len(fired) != min(len(by), 32):
            problems.append("%s: %d lines by orders, %d told" % (code, len(by), len(fired)))
    return problems, sum(1 for line in lines if line.get("by") == "orders")


def play_until_killed(seats, clock, daemon, rng):
    """True when the match ended before the kill."""
    try:
        while True:
            for seat in seats:
                if seat.turn() == "GAME_OVER":
                    return True
                clock.forward(daemon, rng.randrange(1, 90000))
    except Gone:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    print("seed %d" % args.seed)
    rng = random.Random(args.seed)
    daemon = Daemon(args.daemon, config="[limits]\nrates = off\n")
    clock = Clock(daemon.folder)
    daemon.env = {**os.environ, **(daemon.env or {}), "VEDETTE_CLOCK": clock.path}
    daemon.start()
    tokens = [register(daemon.port, "orderly-%d" % i) for i in range(2)]
    seats, passed, failed, ordered, matches, kills = [], 0, 0, 0, 0, 0
    while kills < args.kills or seats or ordered == 0:  # whether orders are asked is for the dice to say
        if not seats:
            pace = {"pace": PACE_S} if matches % 3 else {}
            match = new_match(daemon.port, tokens, options={"turns": 12}, **pace)
            seats = [Seat(token, match, rng) for token in tokens]
        problems = []
        for seat in seats:
            seat.connect(daemon.port, problems)
        # The moment is random by design: the blow falls wherever the daemon happens to be.
        killer = threading.Timer(rng.uniform(0.02, 0.6), daemon.kill) if kills < args.kills else None
        if killer is not None:
            killer.start()
        over = play_until_killed(seats, clock, daemon, rng)
        if over and killer is not None and daemon.process.poll() is None:
            killer.cancel()
        if killer is not None:
            killer.join()
        if daemon.process is None or daemon.process.poll() is not None:
            kills += 1
            daemon.start()
            for seat in seats if over else ():
                seat.client = Client(daemon.port, seat.token)
        if over:
            more, count = judge(daemon, seats[0].match, seats)
            problems += more
            ordered += count
            matches += 1
            seats = []
        for problem in problems:
            print("after kill %d: %s" % (kills, problem))
        passed, failed = (passed, failed + 1) if problems else (passed + 1, failed)
    code = daemon.stop()
    check = subprocess.run([args.daemon, "--database", os.path.join(daemon.folder, "vedette.db"), "check"],
                           capture_output=True, text=True, check=False)
    if code != 0 or check.returncode != 0 or ", 0 faults" not in check.stdout + check.stderr:
        print("the daemon ended with %d; check: %s%s" % (code, check.stdout, check.stderr))
        failed += 1
    print("%d matches, %d lines by orders" % (matches, ordered))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
