#!/usr/bin/env python3
"""Builds the browser client: build.py --node NODE --npm NPM --out DIR --stamp FILE --depfile FILE

Fetches the packages of the lock file when they are not there yet, checks types, builds the page into DIR and packs
each text file by gzip and brotli beside it, so that the daemon packs nothing while it serves. Two builds of one
checkout wait for each other.
"""
import argparse
import fcntl
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.normpath(os.path.join(HERE, "..", "..", "schema"))
PARTS = ["src", "public", "tools"]
FILES = ["package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "index.html", "build.py"]


def sources():
    found = [os.path.join(HERE, name) for name in FILES]
    for folder in [os.path.join(HERE, part) for part in PARTS] + [SCHEMA]:
        for base, dirs, names in os.walk(folder):
            dirs[:] = [name for name in dirs if name not in ("gen", "migrations")]
            found += [os.path.join(base, name) for name in sorted(names)]
    return sorted(found)


def run(*command):
    done = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.stdout.write(done.stdout)
        sys.exit("%s failed" % " ".join(os.path.basename(word) for word in command[:3]))


def fetch_packages(npm):
    """npm keeps what it installed beside the packages; it is compared by time with the lock file."""
    lock = os.path.join(HERE, "package-lock.json")
    have = os.path.join(HERE, "node_modules", ".package-lock.json")
    if os.path.exists(have) and os.path.getmtime(have) >= os.path.getmtime(lock):
        return
    print("Fetching the npm packages of the browser client", flush=True)
    run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    os.utime(have)


def main():
    parser = argparse.ArgumentParser()
    for name in ("node", "npm", "out", "stamp", "depfile"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    out = os.path.abspath(args.out)
    stamp, depfile = os.path.abspath(args.stamp), os.path.abspath(args.depfile)
    with open(os.path.join(HERE, "package.json"), encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fetch_packages(args.npm)
        tools = os.path.join(HERE, "node_modules")
        run(args.node, "tools/gen-types.mjs")
        run(args.node, os.path.join(tools, "typescript", "bin", "tsc"), "--noEmit")
        fresh = out + ".new"
        shutil.rmtree(fresh, ignore_errors=True)
        run(args.node, os.path.join(tools, "vite", "bin", "vite.js"), "build", "--outDir", fresh, "--emptyOutDir",
            "--logLevel", "warn")
        run(args.node, "tools/pack.mjs", fresh)
        shutil.rmtree(out, ignore_errors=True)
        os.rename(fresh, out)
    with open(depfile, "w", encoding="utf-8") as file:
        file.write("%s: %s\n" % (args.stamp, " ".join(path.replace(" ", "\\ ") for path in sources())))
    with open(stamp, "w", encoding="utf-8"):
        pass


main()
