#!/usr/bin/env python3
"""Runs all suites of a built tree and adds up what they say.

A suite is a command. Its last line "N passed, N failed" counts, or the closing lines of Check
("Checks: N, Failures: N, Errors: N"); a suite that exits non-zero without saying that something
failed counts as one failure, and so does one that says nothing at all.
"""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
# What takes longest begins first, so that no worker is left without work at the end.
LONGEST = ("release/browser", "debug/protocol")
# Suites wait much for each other's processes: a third keeps two processors busy.
WORKERS = 3
# What the fuzzers of the gate pick is the same each time; other seeds are for the nights.
FUZZ_SEED = {"VEDETTE_FUZZ_SEED": "1815"}
# Databases of tests need not outlive the machine: in memory no commit waits for a disk.
MEMORY, MEMORY_LEAST = "/dev/shm", 2 << 30
CHECK = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)$", re.M)


def meson_tests(build, label):
    """The tests that meson knows of in a build folder: (name, command, environment, timeout)."""
    text = subprocess.run(["meson", "introspect", "--tests", build], check=True,
                          capture_output=True, text=True).stdout
    for test in json.loads(text):
        yield (label + "/" + test["name"], test["cmd"], dict(test.get("env") or {}),
               max(test["timeout"], 300))


def all_suites(args):
    py = sys.executable
    # What apt has installed for Python is the system's, whatever other one comes first in the PATH.
    apt_py = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else py
    release, debug = os.path.abspath(args.release), os.path.abspath(args.debug)
    yield ("tidy", [py, "tests/tidy/tidy.py", "--build", release], {}, 120)
    yield ("words", [py, "tests/words/check.py"], {}, 60)
    yield from meson_tests(debug, "debug")
    for case_tool, label in ((debug, "debug"), (release, "release")):
        for game in sorted(os.listdir(os.path.join(TOP, "tests/cases"))):
            folder = os.path.join("tests/cases", game)
            cases = sorted(os.path.join(folder, f) for f in os.listdir(os.path.join(TOP, folder))
                           if f.endswith(".json"))
            yield ("%s/cases of %s" % (label, game),
                   [os.path.join(case_tool, "client-cli/vedette"), "case", *cases], {}, 120)
    yield ("model/cases", [py, "tests/model/cases.py"], {}, 300)
    yield ("model/compare", [py, "tests/model/compare.py", "--step",
                             os.path.join(release, "tests/tools/vedette-step"),
                             "--matches", "60", "--seed", "1", "--views"], {}, 600)
    yield ("model/mirror", [py, "tests/model/compare.py", "--step",
                            os.path.join(release, "tests/tools/vedette-step"),
                            "--matches", "30", "--seed", "500", "--mirror"], {}, 600)
    yield ("model/hidden", [py, "tests/model/hidden.py", "--step",
                            os.path.join(release, "tests/tools/vedette-step"),
                            "--matches", "40", "--seed", "1"], {}, 600)
    yield ("model/cases of austerlitz", [py, "tests/model/austerlitz/cases.py"], {}, 120)
    yield ("model/compare austerlitz", [py, "tests/model/austerlitz/versus.py", "--step",
                                        os.path.join(release, "tests/tools/vedette-step"),
                                        "--matches", "50", "--seed", "1"], {}, 300)
    yield ("model/hidden of austerlitz", [py, "tests/model/austerlitz/hidden.py", "--step",
                                          os.path.join(release, "tests/tools/vedette-step"),
                                          "--matches", "80", "--seed", "1"], {}, 300)
    yield ("model/shapes", [py, "-W", "ignore", "tests/model/shapes.py", "--step",
                            os.path.join(release, "tests/tools/vedette-step"), "--matches", "10"], {}, 300)
    yield ("release/random matches", [os.path.join(release, "tests/props/props-waterloo")],
           {"VEDETTE_MATCHES": "1000"}, 600)
    yield ("release/random matches of austerlitz",
           [os.path.join(release, "tests/props/props-austerlitz")], {"VEDETTE_MATCHES": "120"}, 600)
    yield ("release/records of austerlitz", [py, "tests/record/played.py", "--build", release, "--matches", "3"], {}, 300)
    yield ("release/bots", [os.path.join(release, "tests/arena/arena"), "--matches", "100",
                            "--at-least", "95", "schema/games/waterloo/board.json"], {}, 300)
    yield ("release/bots of austerlitz", [os.path.join(release, "tests/arena/arena"), "--game", "austerlitz", "--matches", "100",
                                          "--at-least", "95", "--longest", "50"], {}, 300)
    yield ("release/bots with orders", [os.path.join(release, "tests/arena/arena"), "--matches", "200", "--enemy",
                                        "waterloo", "--orders", "schema/games/waterloo/board.json"], {}, 300)
    yield ("release/oracle", [os.path.join(release, "tests/oracle/oracle")], {}, 300)
    yield ("release/oracle, planted leaks",
           [os.path.join(release, "tests/oracle/oracle"), "--leaks"], {}, 300)
    yield ("release/oracle of austerlitz",
           [os.path.join(release, "tests/oracle/oracle"), "--game", "austerlitz"], {}, 300)
    yield ("release/oracle of austerlitz, planted leaks",
           [os.path.join(release, "tests/oracle/oracle"), "--game", "austerlitz", "--leaks"], {}, 300)
    yield ("release/oracle, reach of twins",
           [os.path.join(release, "tests/oracle/oracle"), "--reach"], {}, 300)
    yield ("release/oracle, blocks followed",
           [os.path.join(release, "tests/oracle/oracle"), "--follow"], {}, 300)
    yield ("release/audiences", [py, "tests/oracle/audience.py", "--daemon",
                                 os.path.join(release, "server/vedetted")], {}, 300)
    yield ("debug/oracle", [os.path.join(debug, "tests/oracle/oracle"),
                            "--steps", "800", "--seed", "500"], {}, 300)
    yield ("debug/sends that fail", [os.path.join(debug, "tests/oracle/sends")], {}, 300)
    for target in ("json", "position", "apply", "record", "rpc", "client", "import", "position-austerlitz",
                   "apply-austerlitz", "face-austerlitz", "orders"):
        yield ("debug/fuzz " + target, [os.path.join(debug, "tests/fuzz/fuzz-" + target)],
               {"VEDETTE_FUZZ_SAVE": debug, **FUZZ_SEED}, 300)
    yield ("debug/fuzz wire", [py, "tests/fuzz/wire.py", "--daemon",
                               os.path.join(debug, "server/vedetted")], FUZZ_SEED, 120)
    yield ("debug/fuzz hostile server", [py, "tests/fuzz/hostile.py", "--client",
                                         os.path.join(debug, "client-cli/vedette")], FUZZ_SEED, 120)
    yield ("release/garbage", [py, "tests/fuzz/wire.py", "--daemon",
                               os.path.join(release, "server/vedetted"), "--messages", "200000"], FUZZ_SEED, 300)
    yield ("debug/protocol", [py, "tests/protocol/run.py", os.path.join(debug, "server/vedetted")],
           {}, 600)
    yield ("debug/e2e", [py, "tests/e2e/run.py", "--daemon", os.path.join(debug, "server/vedetted"),
                         "--client", os.path.join(debug, "client-cli/vedette")], {}, 900)
    yield ("debug/cheats at austerlitz", [py, "tests/e2e/cheat.py", "--daemon", os.path.join(debug, "server/vedetted"),
                                          "--lines", "150"], {}, 300)
    yield ("debug/austerlitz", [py, "-W", "ignore", "tests/e2e/austerlitz.py", "--daemon",
                                os.path.join(debug, "server/vedetted"), "--client",
                                os.path.join(debug, "client-cli/vedette")], {}, 600)
    yield ("debug/two terminals", [py, "tests/client/two_terminals.py",
                                   "--daemon", os.path.join(debug, "server/vedetted"),
                                   "--client", os.path.join(debug, "client-cli/vedette")], {}, 300)
    yield ("debug/austerlitz at two terminals", [py, "tests/client/austerlitz.py",
                                                 "--daemon", os.path.join(debug, "server/vedetted"),
                                                 "--client", os.path.join(debug, "client-cli/vedette")], {}, 300)
    yield ("debug/offers", [py, "tests/client/offers.py", "--daemon", os.path.join(debug, "server/vedetted"),
                            "--client", os.path.join(debug, "client-cli/vedette")], {}, 300)
    yield ("debug/desk", [py, "tests/client/desk.py", "--daemon", os.path.join(debug, "server/vedetted"),
                          "--client", os.path.join(debug, "client-cli/vedette")], {}, 300)
    yield ("release/quickstart", [py, "tests/e2e/quickstart.py", "--build", os.path.dirname(release)], {}, 300)
    yield ("debug/cut handshakes", [py, "tests/e2e/handshake.py", "--daemon", os.path.join(debug, "server/vedetted"),
                                    "--client", os.path.join(debug, "client-cli/vedette")], {}, 600)
    yield ("release/browser", ["node", "tests/browser/run.mjs", "--daemon", os.path.join(release, "server/vedetted"),
                     "--client", os.path.join(release, "client-cli/vedette"), "--pictures",
                     os.path.join(release, "pictures")], {}, 1400)
    yield ("web/units", ["node", "tests/browser/units.mjs"], {}, 300)
    yield ("debug/records", [py, "tests/record/run.py", "--daemon", os.path.join(debug, "server/vedetted"),
                             "--client", os.path.join(debug, "client-cli/vedette")], {}, 900)
    yield ("debug/fair dice", [py, "tests/e2e/fair.py", "--daemon", os.path.join(debug, "server/vedetted"),
                               "--client", os.path.join(debug, "client-cli/vedette")], {}, 600)
    yield ("debug/notices", [apt_py, "tests/notify/run.py", "--daemon", os.path.join(debug, "server/vedetted")], {}, 900)
    yield ("debug/canaries", [py, "tests/e2e/canary.py", "--daemon",
                              os.path.join(debug, "server/vedetted")], {}, 600)
    yield ("debug/reports", [py, "tests/e2e/reports.py", "--daemon",
                             os.path.join(debug, "server/vedetted"), "--client",
                             os.path.join(debug, "client-cli/vedette"), "--seed", "1"], {}, 600)
    yield ("debug/bots of the daemon", [py, "tests/e2e/bots.py", "--daemon", os.path.join(debug, "server/vedetted"),
                                        "--seed", "1"], {}, 600)
    yield ("debug/three players", [py, "tests/e2e/three.py", "--daemon", os.path.join(debug, "server/vedetted"),
                                   "--seed", "1"], {}, 600)
    yield ("debug/people", [py, "tests/e2e/people.py", "--daemon", os.path.join(debug, "server/vedetted"), "--seed", "1"],
           {}, 300)
    yield ("debug/weeks", [py, "tests/e2e/weeks.py", "--daemon", os.path.join(debug, "server/vedetted"), "--client",
                           os.path.join(debug, "client-cli/vedette")], {}, 600)
    yield ("debug/clocks", [py, "tests/e2e/clocks.py", "--daemon", os.path.join(debug, "server/vedetted")], {}, 600)
    yield ("debug/walked out", [py, "tests/e2e/away.py", "--daemon", os.path.join(debug, "server/vedetted")], {}, 300)
    yield ("debug/zones", [py, "tests/e2e/zones.py", "--daemon", os.path.join(debug, "server/vedetted")], {}, 300)
    yield ("debug/who answered", [py, "tests/e2e/paced.py", "--daemon", os.path.join(debug, "server/vedetted")], {}, 300)
    yield ("debug/orders and kills", [py, "tests/e2e/orders.py", "--daemon",
                                      os.path.join(debug, "server/vedetted"), "--kills", "25"], {}, 600)
    yield ("debug/side doors", [py, "tests/e2e/sidedoors.py", "--daemon", os.path.join(debug, "server/vedetted"),
                                "--seed", "1"], {}, 300)
    yield ("release/chances", [os.path.join(release, "tests/unit/test_chances")], {}, 300)
    yield ("release/draws", [py, "tests/e2e/draws.py", "--daemon", os.path.join(release, "server/vedetted"),
                             "--seed", "1"], {}, 300)
    yield ("release/kill", [py, "tests/e2e/kill.py", "--daemon",
                            os.path.join(release, "server/vedetted"), "--kills", "200"], {}, 600)


def run_suite(suite):
    name, command, env, timeout = suite
    started = time.monotonic()
    # On a busy machine a test may wait long for its turn: the limits are there against hanging alone.
    environment = {**os.environ, "CK_TIMEOUT_MULTIPLIER": "10", "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0",
                   "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1", **env}
    try:
        done = subprocess.run(command, cwd=TOP, env=environment, timeout=timeout, text=True,
                              errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text = late.stdout or b""
        output = (text if isinstance(text, str) else text.decode(errors="replace"))
        output += "\ntimed out after %d s\n" % timeout
        code = 124
    except OSError as error:
        output, code = str(error) + "\n", 127
    passed = failed = 0
    plain = PLAIN.findall(output)
    checks = CHECK.findall(output)
    if plain:
        passed, failed = int(plain[-1][0]), int(plain[-1][1])
    else:
        for total, failures, errors in checks:
            failed += int(failures) + int(errors)
            passed += int(total) - int(failures) - int(errors)
    if code != 0 and failed == 0:
        failed = 1
    if code == 0 and passed + failed == 0:
        failed, output = 1, output + "the suite said nothing of what it ran\n"
    return name, passed, failed, output, time.monotonic() - started


def needs_debug(suite, debug):
    return suite[0].startswith("debug/") or any(str(part).startswith(debug) for part in suite[1])


class Builder(threading.Thread):
    """Builds the debug folder while suites of the release run; ready is set at its end, failed is what it said."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.ready, self.failed = folder, threading.Event(), ""

    def run(self):
        done = subprocess.run(["nice", "-n", "5", "ninja", "-C", self.folder, "--quiet", "-j", str(os.cpu_count() or 1)], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        with open(os.path.join(self.folder, "build.log"), "w", encoding="utf-8") as log:
            log.write(done.stdout)
        if done.returncode != 0:
            self.failed = done.stdout or "ninja ended with %d" % done.returncode
        self.ready.set()


class Runner:
    """Hands suites to the workers in order; one that needs what is being built is passed over until it is there."""

    def __init__(self, suites, debug, builder):
        self.left, self.debug, self.builder = list(suites), debug, builder
        self.lock = threading.Lock()
        self.passed = self.failed = 0

    def take(self):
        """The next suite that can run, or None at the end; waits for the build when nothing else is left."""
        while True:
            with self.lock:
                built = self.builder is None or self.builder.ready.is_set()
                if built and self.builder is not None and self.builder.failed:
                    self.left = [s for s in self.left if not needs_debug(s, self.debug)]
                for at, suite in enumerate(self.left):
                    if built or not needs_debug(suite, self.debug):
                        return self.left.pop(at)
                if not self.left:
                    return None
            self.builder.ready.wait()

    def work(self):
        while (suite := self.take()) is not None:
            name, ok, bad, output, seconds = run_suite(suite)
            with self.lock:
                print("%-32s %5d passed, %3d failed  %6.1f s" % (name, ok, bad, seconds), flush=True)
                if bad:
                    print("\n".join("    " + line for line in output.splitlines()[-60:]), flush=True)
                self.passed += ok
                self.failed += bad


def in_memory():
    """Has temporary files kept in memory where there is room; what removes them at the end, or None."""
    try:
        if "TMPDIR" in os.environ or shutil.disk_usage(MEMORY).free < MEMORY_LEAST:
            return None
        folder = tempfile.TemporaryDirectory(prefix="vedette-gate-", dir=MEMORY, ignore_cleanup_errors=True)
    except OSError:
        return None
    os.environ["TMPDIR"] = folder.name
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--release", required=True)
    parser.add_argument("--debug", required=True)
    parser.add_argument("--build-debug", action="store_true", help="build the debug folder beside the suites of the release")
    parser.add_argument("only", nargs="*", help="run suites whose name contains one of these")
    args = parser.parse_args()
    began = time.monotonic()
    suites = [s for s in all_suites(args)
              if not args.only or any(part in s[0] for part in args.only)]
    suites.sort(key=lambda suite: LONGEST.index(suite[0]) if suite[0] in LONGEST else len(LONGEST))
    builder = Builder(args.debug) if args.build_debug else None
    if builder is not None:
        builder.start()
    memory = in_memory()
    runner = Runner(suites, os.path.abspath(args.debug), builder)
    workers = [threading.Thread(target=runner.work) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if builder is not None and builder.failed:
        print("The debug build failed:\n" + builder.failed)
        runner.failed += 1
    if memory is not None:
        memory.cleanup()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print("%.0f s, of the processors %.0f s" % (time.monotonic() - began, used.ru_utime + used.ru_stime))
    print("%d passed, %d failed" % (runner.passed, runner.failed))
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
