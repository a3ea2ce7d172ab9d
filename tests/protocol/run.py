#!/usr/bin/env python3
"""Runs the protocol tests against a daemon: run.py DAEMON [NAME...]. The last line is `N passed, N failed`.

NAME: only tests whose id contains it.
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import base  # noqa: E402


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
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Counted).run(suite)
    bad = len(result.failures) + len(result.errors)
    print("%d passed, %d failed" % (result.passed, bad), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
