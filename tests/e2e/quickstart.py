#!/usr/bin/env python3
"""deploy/quickstart as a newcomer runs it: start, start again, stop, another port, an ended match.

quickstart.py --build FOLDER, the folder that holds `release`. The demo lives in a folder of its own, with a blank in its name.
Ends with "N passed, N failed".
"""
import argparse
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Failure(Exception):
    pass


def free_ports():
    """Two ports below those that the system gives out by itself, so that no other daemon or connection gets one meanwhile."""
    found = []
    for port in random.sample(range(20000, 30000), 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                found.append(port)
            except OSError:
                continue
        if len(found) == 2:
            return found
    raise Failure("no free port")


class Demo:
    def __init__(self, build, var):
        self.env = dict(os.environ, VEDETTE_BUILD=build, VEDETTE_VAR=var)
        self.client = os.path.join(build, "release/client-cli/vedette")
        self.var = var

    def run(self, *args, port=None, code=0):
        env = dict(self.env, **({"VEDETTE_PORT": str(port)} if port else {}))
        done = subprocess.run(["deploy/quickstart", *args], cwd=TOP, env=env, check=False, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=200)
        if done.returncode != code:
            raise Failure(f"quickstart {args}: {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def act(self, port, *args):
        env = dict(os.environ, XDG_CONFIG_HOME=os.path.join(self.var, "config"))
        return subprocess.run([self.client, "--server", f"http://localhost:{port}", "--account", "napoleon", *args],
                              env=env, check=True, capture_output=True, text=True).stdout


def expect(text, pattern):
    found = re.search(pattern, text)
    if not found:
        raise Failure(f"{pattern!r} is not in:\n{text}")
    return found


def healthy(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def story(demo):
    port, other = free_ports()
    expect(demo.run("--help"), r"(?m)^Usage: .*quickstart")
    expect(demo.run("dance", code=2), r"(?m)^Usage: .*quickstart")
    expect(demo.run("stop"), r"Nothing was running")
    yield "help, and nothing to stop"

    said = demo.run(port=port)
    match = expect(said, r"Match (\w+) of Waterloo waits for you").group(1)
    if not healthy(port):
        raise Failure("the daemon does not answer")
    expect(demo.act(port, "show", match), r"You: FR")
    yield "a daemon and a match"
    said = demo.run()
    expect(said, f"runs already, on port {port}")
    expect(said, f"http://localhost:{port}\\b")
    expect(said, f"Match {match} ")
    yield "started again it tells the port that it has"

    expect(demo.run("stop"), r"Stopped the daemon")
    if healthy(port):
        raise Failure("the daemon still answers")
    expect(demo.run(port=other), f"Match {match} ")
    expect(demo.act(other, "show", match), r"You: FR")
    yield "stopped, started on another port: the match and the accounts are there"

    demo.act(other, "resign", match)
    if expect(demo.run(port=other), r"Match (\w+) of Waterloo").group(1) == match:
        raise Failure("a match that is over is offered")
    yield "after its end there is another match"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="vedette-quickstart-")
    demo = Demo(os.path.abspath(args.build), os.path.join(folder, "a demo"))
    passed, failed = 0, 0
    try:
        for name in story(demo):
            passed += 1
            print("ok", name, flush=True)
    except (Failure, subprocess.SubprocessError) as failure:
        failed = 1
        print("FAILED", failure, file=sys.stderr)
    finally:
        demo.run("stop")
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
