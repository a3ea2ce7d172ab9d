"""Tests as methods test_... of a class with a daemon of its own: each is run, a daemon that is gone is started again, and at
the end it must stop well, without a word of a sanitizer."""
import sys
import time
import traceback


def run_tests(suite, only="", slow=None):
    """Runs the tests of suite (which has `daemon`, started) whose name contains `only`; (passed, failed)."""
    passed = failed = 0
    for name in sorted(n for n in dir(suite) if n.startswith("test_") and (only or "") in n):
        try:
            began = time.monotonic()
            getattr(suite, name)()
            if slow is not None and time.monotonic() - began > slow:
                print("%s took %.1f s" % (name, time.monotonic() - began))
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAILED %s" % name)
            traceback.print_exc(file=sys.stdout)
            if suite.daemon.process.poll() is not None:
                print("the daemon is gone:\n" + suite.daemon.log_text()[-6000:])
                suite.daemon.start()
    code, log = suite.daemon.stop(), suite.daemon.log_text()
    if code != 0 or "Sanitizer" in log or "runtime error" in log:
        failed += 1
        print("the daemon ended with %d\n%s" % (code, log[-6000:]))
    else:
        passed += 1
    return passed, failed
