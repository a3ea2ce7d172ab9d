#!/usr/bin/env python3
"""Runs the protocol tests against a daemon: run.py DAEMON [NAME...]. The last line is `N passed, N failed`.

NAME: only tests whose id contains it. What the daemon sent in all of them is held against schema/ and counts as one
more test.
"""
import collections
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(1, os.path.join(HERE, "..", "e2e"))

import base  # noqa: E402
import vedette  # noqa: E402
from contract import Contract  # noqa: E402

OF_A_KIND = 150  # messages held against the schemas, for each method and each push


class Listener:
    """Holds every answer and push against the contract, the first of each kind."""

    def __init__(self):
        self.contract = Contract()
        self.asked = {}
        self.counts = collections.Counter()

    def hear(self, direction, connection, text):
        try:
            messages = json.loads(text)
        except (ValueError, RecursionError):
            return
        for message in messages if isinstance(messages, list) else [messages]:
            if isinstance(message, dict):
                self.one(direction, id(connection), message)

    def one(self, direction, connection, message):
        key = connection, json.dumps(message.get("id"))
        if direction == ">":
            if isinstance(message.get("method"), str):
                self.asked[key] = message["method"], message.get("params", {})
        elif "method" in message:
            if self.often(message["method"]):
                self.contract.push(message)
        else:
            method, params = self.asked.pop(key, (None, {}))
            if not self.often(method, message.get("error", {}).get("code")):
                return
            if "error" in message:
                self.contract.answer(str(method), params, message)
            elif method in self.contract.results:
                self.contract.answer(method, params, message)
            else:
                self.contract.problems.append("an answer to nothing: %s" % json.dumps(message)[:200])

    def often(self, *kind):
        self.counts[kind] += 1
        return self.counts[kind] <= OF_A_KIND


class Counted(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def main():
    if len(sys.argv) < 2:
        print(__doc__.strip())
        return 2
    base.DAEMON = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2:]
    tests = flat(unittest.defaultTestLoader.discover(HERE, pattern="test_*.py"))
    suite = unittest.TestSuite(t for t in tests
                               if not wanted or any(part in t.id() for part in wanted))
    listener = Listener()
    vedette.on_message = listener.hear
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Counted).run(suite)
    bad = len(result.failures) + len(result.errors)
    for problem in listener.contract.problems[:20]:
        print("against the schemas: " + problem)
    print("%d messages held against the schemas, %d did not fit" % (listener.contract.seen, len(listener.contract.problems)))
    if listener.contract.problems:
        bad += 1
    else:
        result.passed += 1
    print("%d passed, %d failed" % (result.passed, bad), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
