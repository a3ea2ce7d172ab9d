#!/usr/bin/env python3
"""Random matches of a game, each written as a record and held by both verifiers.

    python3 tests/record/played.py --build BUILD [--game austerlitz] [--matches N] [--seed S] [--ways N,N..] [--own N]

BUILD has tests/props/played (which plays by the forms and writes what a host would have written) and client-cli/vedette. N matches
of each way to play: for Austerlitz the two modes of information by (1805, 1809, 1809 with Guard, 1813, 1813 with Guard), and
strengths that are dealt. `vedette verify` plays every line again by the rules; the independent verifier takes the
chain and the dice apart without them (of every match, or with --own of so many of a way). Ends with "N passed, N failed", a match
counting as one.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import verify  # noqa: E402  the independent verifier

SITUATIONS = [{"situation": "1805"}, {"situation": "1809"}, {"situation": "1809", "guard_1805": True}, {"situation": "1813"},
              {"situation": "1813", "guard_1805": True}]
WAYS = {
    "austerlitz": [dict(s, information=i) for i in ("informed", "semi-blind") for s in SITUATIONS]
    + [{"strengths": "dealt", "information": "semi-blind"}],
    "waterloo": [{}, {"players": 3}, {"morale": True}, {"command_control": True}],
}
BATCH = 50


def batch(args, way, folder, seed, count, own):
    """(good, problems, lines) of so many matches of a way."""
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    run = [os.path.join(args.build, "tests/props/played"), args.game, folder, str(seed), str(count), json.dumps(way)]
    played = subprocess.run(run, capture_output=True, text=True)
    if played.returncode != 0:
        return 0, ["%s, seeds %d to %d: %s" % (way, seed, seed + count - 1, played.stdout[-2000:] + played.stderr[-500:])], 0
    paths = [os.path.join(folder, "%d.jsonl" % n) for n in range(seed, seed + count)]
    said = subprocess.run([os.path.join(args.build, "client-cli/vedette"), "--json", "verify", *paths], capture_output=True, text=True)
    theirs = {s["file"]: s for s in map(json.loads, said.stdout.splitlines())}
    good, problems, lines = 0, [], 0
    for n, path in enumerate(paths):
        with open(path, "rb") as file:
            data = file.read()
        lines += data.count(b"\n")
        answer = theirs.get(path, {"good": False})
        why = None if answer["good"] else "vedette verify: %s" % json.dumps(answer)
        try:
            if n < own:
                verify.verify(data, [])
        except verify.Bad as bad:
            why = "verify.py: %s" % (bad.args,)
        if why:
            problems.append("%s, seed %s: %s" % (way, os.path.basename(path), why))
        else:
            good += 1
    return good, problems, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--game", default="austerlitz", choices=sorted(WAYS))
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", help="numbers of the ways, from 0")
    parser.add_argument("--own", type=int, help="records of a way for the independent verifier (default: all)")
    args = parser.parse_args()
    passed, failed, began = 0, 0, time.monotonic()
    ways = WAYS[args.game]
    chosen = [int(n) for n in args.ways.split(",")] if args.ways else range(len(ways))
    with tempfile.TemporaryDirectory(prefix="vedette-played-") as folder:
        for number in chosen:
            good, bad, lines, own = 0, [], 0, args.own if args.own is not None else args.matches
            for first in range(0, args.matches, BATCH):
                some = min(BATCH, args.matches - first)
                seed = args.seed + number * 1000000 + first
                g, b, n = batch(args, ways[number], folder, seed, some, max(0, min(some, own - first)))
                good, bad, lines = good + g, bad + b, lines + n
            print("way %d %s: %d matches, %d lines, %d of %d records hold (%.0f s)" % (
                number, json.dumps(ways[number]), args.matches, lines, good, args.matches, time.monotonic() - began), flush=True)
            print("\n".join(bad[:10]), end="\n" if bad else "", flush=True)
            passed, failed = passed + good, failed + args.matches - good
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
