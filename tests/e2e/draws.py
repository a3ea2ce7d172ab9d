#!/usr/bin/env python3
"""Ten thousand matches made at once, over four starts of the daemon (one after SIGTERM, two after SIGKILL): no two have an
id, a secret, a commitment, a key or first draws in common, and what was promised is what is stored. Ends with
"N passed, N failed"."""
import argparse
import collections
import json
import os
import random
import sqlite3
import sys

from wire import Client, Daemon, register

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "record"))
from verify import b64, blake, draws, tagged  # noqa: E402  the independent verifier

FIRST = 32


def create(daemon, tokens, count):
    """Creates so many matches over all connections at once; (id, commitment) as the answers tell them."""
    clients, asked, told, sent = [Client(daemon.port, token) for token in tokens], collections.deque(), [], 0
    while len(told) < count:
        for client in clients:
            if sent < count and sum(1 for c, _ in asked if c is client) < 4:
                size = min(16, count - sent)
                numbers = list(range(client.next_id, client.next_id + size))
                client.next_id += size
                client.send_text(json.dumps([{"jsonrpc": "2.0", "id": n, "method": "match.create", "params": {
                    "game": "waterloo", "seat": "FR"}} for n in numbers]))
                asked.append((client, numbers))
                sent += size
        client, numbers = asked.popleft()
        for answer in (client.answer(n) for n in numbers):
            told.append((answer["match"], answer["commit"]))
    for client in clients:
        client.close()
    return told


def killed_amid(daemon, tokens, rng):
    """Asks for four batches of sixteen over each connection and kills the daemon when some of them are answered."""
    clients = [Client(daemon.port, token) for token in tokens]
    for client in clients:
        for batch in range(4):
            client.send_text(json.dumps([{"jsonrpc": "2.0", "id": 100 + 16 * batch + i, "method": "match.create", "params": {
                "game": "waterloo", "seat": "AL"}} for i in range(16)]))
    for client in clients[:rng.randrange(1, len(clients))]:
        while not any("result" in answer for number, answer in client.answers.items() if number >= 100):
            client.pump()
    daemon.kill()
    return [(m["result"]["match"], m["result"]["commit"]) for client in clients
            for number, m in client.answers.items() if number is not None and number >= 100 and "result" in m]


def check(daemon, told):
    """Holds what is stored against what was told. Problems as sentences."""
    problems = []
    with sqlite3.connect(daemon.database) as db:
        rows = {row[0]: row[1:] for row in db.execute("SELECT id, secret, commitment FROM match")}
    first = collections.defaultdict(list)
    for match, (secret, commit) in rows.items():
        key = blake(tagged("vedette1 dice", match.encode(), b"FR", b"", b"AL", b""), secret)
        mask = blake(tagged("vedette1 mask", match.encode()), secret)
        first["secret"].append(bytes(secret))
        first["commitment"].append(bytes(commit))
        first["key"].append(key)
        first["mask key"].append(mask)
        die, deal, mask_draw = draws(key, 1, 1), draws(key, 2, 1), draws(mask, 3, 1)
        first["dice"].append(bytes(1 + die(6) for _ in range(FIRST)))
        first["deals"].append(bytes(deal(256) for _ in range(16)))
        first["masks"].append(bytes(mask_draw(256) for _ in range(16)))
        if blake(tagged("vedette1 commit", match.encode(), secret)) != commit:
            problems.append("the commitment of %s is not of its secret" % match)
    for what, values in first.items():
        same = len(values) - len(set(values))
        if same:
            problems.append("%d of %d matches share a %s" % (same, len(values), what))
    for match, commit in told:
        if match not in rows or b64(commit, 32) != rows[match][1]:
            problems.append("%s is not stored as it was told" % match)
    faces = collections.Counter(face for dice in first["dice"] for face in dice)
    total = sum(faces.values())
    chi = sum((faces[face] - total / 6) ** 2 / (total / 6) for face in range(1, 7))
    # Chance gives more than 80 at five degrees of freedom once in 10^15.
    if chi > 80:
        problems.append("the first dice lean: %s" % dict(faces))
    starts = collections.Counter(match[:3] for match in rows)
    print("%d matches, %d first dice, chi-square %.1f at 5 degrees of freedom" % (len(rows), total, chi))
    if max(starts.values()) > 20:
        problems.append("ids begin alike: %s" % starts.most_common(3))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--matches", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    print("seed %d" % args.seed)
    rng = random.Random(args.seed)
    daemon = Daemon(args.daemon, config="[limits]\nrates = off\nmatches_per_account = 1000000\n").start()
    tokens = [register(daemon.port, "maker-%d" % i) for i in range(8)]
    told = create(daemon, tokens, args.matches // 4)
    daemon.stop()
    daemon.start()
    told += create(daemon, tokens, args.matches // 4)
    told += killed_amid(daemon, tokens, rng)
    daemon.start()
    told += create(daemon, tokens, args.matches // 4)
    told += killed_amid(daemon, tokens, rng)
    daemon.start()
    told += create(daemon, tokens, args.matches // 4)
    problems = check(daemon, told)
    if daemon.stop() != 0:
        problems.append("the daemon did not stop in good order")
    for problem in problems[:20]:
        print(problem)
    print("%d passed, %d failed" % (0 if problems else 1, 1 if problems else 0))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
