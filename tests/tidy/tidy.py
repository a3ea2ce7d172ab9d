#!/usr/bin/env python3
"""Checks of the source itself: include arrows, forbidden symbols, sizes, words, methods against openrpc.

Every check has a sample under samples/ that must fail it: its first line says as which file it is
to be read and which check has to complain. Ends with "N passed, N failed".
"""
import argparse
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = os.path.join(TOP, "tests", "tidy", "samples")

BASE = ["common/base/"]
COMMON = ["common/"]
SERVER = COMMON + ["server/base/"]
# Folder -> what its files may include of ours; the longest folder that fits counts.
ARROWS = {
    "common/base/": BASE,
    "common/dice/": BASE + ["common/dice/"],
    "common/geometry/": BASE + ["common/geometry/"],
    "common/protocol/": BASE + ["common/protocol/"],
    "common/rules/": BASE + ["common/dice/", "common/geometry/", "common/rules/game.h",
                             "common/rules/events.h", "common/rules/case.h"],
    "common/record/": BASE + ["common/dice/", "common/record/", "common/rules/game.h"],
    "common/words/": BASE + ["common/words/"],
    "server/base/": SERVER,
    "server/store/": SERVER + ["server/store/"],
    "server/clock/": SERVER + ["server/clock/"],
    "server/notify/": SERVER + ["server/clock/", "server/notify/"],
    "server/match/": SERVER + ["server/store/", "server/clock/", "server/notify/", "server/match/"],
    "server/lobby/": SERVER + ["server/store/", "server/clock/", "server/notify/", "server/match/",
                               "server/lobby/"],
    "server/bots/": SERVER + ["server/store/", "server/lobby/", "server/bots/"],
    "server/tournament/": COMMON + ["server/"],
    "server/net/": COMMON + ["server/"],
    "server/main": COMMON + ["server/"],
    "client-cli/": COMMON + ["client-cli/"],
    "client-cli/net/": COMMON + ["client-cli/net/"],
    "client-cli/face/": COMMON + ["client-cli/face/"],
    "client-cli/waterloo/": COMMON + ["client-cli/face/", "client-cli/bots/bot.h", "client-cli/waterloo/"],
    "client-cli/austerlitz/": COMMON + ["client-cli/face/", "client-cli/bots/bot.h", "client-cli/austerlitz/"],
}
# A game's folder sees the interface, the tables of others never.
GAME = BASE + ["common/dice/", "common/geometry/", "common/rules/game.h", "common/rules/events.h"]
# A file that plays links the protocol alone: the rules only where cases are run.
RULES_IN_CLIENT = {"client-cli/records/case.c", "client-cli/records/record_show.c", "client-cli/records/verify.c"}
LIBRARIES = {
    "libwebsockets.h": ("server/net/", "client-cli/", "tests/"),
    "sqlite3.h": ("server/store/", "tests/"),
    "curl/curl.h": ("server/notify/", "tests/"),
    "glib.h": ("server/clock/", "tests/"),
    "uv.h": ("server/", "client-cli/", "tests/"),
    "check.h": ("tests/",),
}
IMPURE = re.compile(r"^(malloc|calloc|realloc|free|time|clock\w*|gettimeofday|s?rand(om)?|fopen\w*|"
                    r"open\w*|read|write|socket|connect|getenv|f?printf|puts|fputs|sqlite3_\w*|uv_\w*)$")
WORDS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|/wor" r"k/|/far" r"m/|\.libr" r"ary")
FUNCTION_LINES_MAX = 120
FILE_LINES_MAX = 1500
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=TOP, check=True,
                         capture_output=True, text=True).stdout
    return [p for p in out.split("\0") if p and os.path.exists(os.path.join(TOP, p))]


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def allowed_of(path):
    game = re.match(r"common/rules/([a-z]+)/", path)
    if game:
        return GAME + [game.group(0)]
    best = max((folder for folder in ARROWS if path.startswith(folder)), key=len, default=None)
    return None if best is None else ARROWS[best]


def check_arrows(path, text):
    allowed = allowed_of(path)
    for kind, name in INCLUDE.findall(text):
        if kind == "<":
            for library, folders in LIBRARIES.items():
                if name == library and not path.startswith(folders):
                    yield "%s includes <%s>, which only %s may" % (path, name, ", ".join(folders))
            continue
        if allowed is None:
            continue
        if not any(name.startswith(part) for part in allowed):
            yield '%s includes "%s" against the arrows' % (path, name)
        if path.startswith("client-cli/") and name.startswith("common/rules") \
                and path not in RULES_IN_CLIENT:
            yield '%s includes "%s": a client at play knows no rules' % (path, name)


def check_sizes(path, text):
    lines = text.split("\n")
    if len(lines) > FILE_LINES_MAX:
        yield "%s has %d lines" % (path, len(lines))
    start = None
    for number, line in enumerate(lines, 1):
        if re.match(r"^[A-Za-z].*\)\s*\{?$", line) and not line.startswith(("typedef", "struct ")):
            start = number
        if line == "}" and start is not None:
            if number - start > FUNCTION_LINES_MAX:
                yield "%s:%d: a function of %d lines" % (path, start, number - start)
            start = None


def check_words(path, text):
    for number, line in enumerate(text.split("\n"), 1):
        found = WORDS.search(line)
        if found and not path.startswith("tests/tidy/"):
            yield "%s:%d: %s" % (path, number, found.group(0))


def check_guard(path, text):
    if not path.endswith(".h"):
        return
    guard = "VEDETTE_" + re.sub(r"[^A-Z0-9]", "_", path.upper())
    if "#ifndef %s\n#define %s\n" % (guard, guard) not in text:
        yield "%s is not guarded by its path (%s)" % (path, guard)


def check_names(path, text):
    """No _t types of our own: POSIX has the suffix."""
    for name in re.findall(r"^\}\s*(\w+_t);|^typedef[^;]*\b(\w+_t);", text, re.M):
        yield "%s names a type %s" % (path, name[0] or name[1])


SOURCE_CHECKS = {"arrows": check_arrows, "sizes": check_sizes, "words": check_words,
                 "guard": check_guard, "names": check_names}


def impure_symbols(names):
    return sorted(name for name in names if IMPURE.match(name))


def undefined_of(library):
    out = subprocess.run(["nm", "-u", library], capture_output=True, text=True, check=True).stdout
    names = {re.sub(r"@.*", "", line.split()[-1]) for line in out.splitlines() if " U " in line}
    return {re.sub(r"^__(\w+)_chk$", r"\1", name) for name in names}


def methods_in_code():
    text = "".join(read(p) for p in tracked("server/net/*.c"))
    return set(re.findall(r'\{\s*"((?:server|account|game|match)\.[a-z_]+)"', text))


def methods_in_schema():
    return {m["name"] for m in json.loads(read("schema/openrpc.json"))["methods"]}


def run_samples(report):
    for name in sorted(os.listdir(SAMPLES)):
        with open(os.path.join(SAMPLES, name), encoding="utf-8") as file:
            head, text = file.read().split("\n", 1)
        path, check = re.match(r"/\* as (\S+), must fail (\w+) \*/", head).groups()
        if check == "symbols":
            found = impure_symbols(text.split())
        else:
            found = list(SOURCE_CHECKS[check](path, text))
        report("sample %s fails %s" % (name, check), [] if found else ["nothing was found"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", help="a built folder, for the symbols of the rules libraries")
    args = parser.parse_args()
    counts = [0, 0]

    def report(what, problems):
        counts[1 if problems else 0] += 1
        if problems:
            print("FAILED %s" % what)
            for problem in problems:
                print("  " + problem)

    sources = [p for p in tracked("*.c", "*.h") if not p.startswith("tests/tidy/")]
    for name, check in SOURCE_CHECKS.items():
        report(name, [p for path in sources for p in check(path, read(path))])
    others = tracked("*.py", "*.md", "*.json", "*.sql", "*.sh", "*meson.build", "tests/run",
                     "deploy/*", ".ci/run")
    report("words elsewhere", [p for path in others for p in check_words(path, read(path))])
    if args.build:
        for game in sorted(os.listdir(os.path.join(TOP, "common/rules"))):
            library = os.path.join(args.build, "common/rules", game, "libvd_%s.a" % game)
            if os.path.isdir(os.path.join(TOP, "common/rules", game)):
                report("symbols of " + game, impure_symbols(undefined_of(library)))
    code, schema = methods_in_code(), methods_in_schema()
    report("methods are those of openrpc.json",
           ["only in code: " + m for m in sorted(code - schema)] +
           ["only in schema: " + m for m in sorted(schema - code)])
    run_samples(report)
    print("%d passed, %d failed" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
