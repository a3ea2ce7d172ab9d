#!/usr/bin/env python3
"""Two people at two terminals: `vedette play` on the full screen, one of 80 by 24 and one wider.

They set up, march, talk, take back, look at their armies, change the size of the window, and play on
while the server is killed and comes back. Each step waits for what must appear; nothing sleeps for
luck. Ends with "N passed, N failed".
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 120  # against hanging alone: a busy machine takes its time


class Failure(Exception):
    pass


class Daemon:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.address, self.process = binary, folder, "127.0.0.1:0", None

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "--listen", self.address, "--database", os.path.join(self.folder, "v.db")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"listening on http://(\S+)", line)
        if not found:
            raise Failure("the daemon does not listen: " + line)
        self.address = found.group(1)

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None


class Terminals:
    """Sessions of a tmux server of our own."""

    def __init__(self, folder):
        self.socket = os.path.join(folder, "tmux")

    def tmux(self, *args):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.socket, *args], check=False,
                              capture_output=True, text=True)

    def open(self, name, width, height, command):
        done = self.tmux("new-session", "-d", "-s", name, "-x", str(width), "-y", str(height), command)
        if done.returncode != 0:
            raise Failure("tmux: " + done.stderr)

    def keys(self, name, *keys):
        self.tmux("send-keys", "-t", name, *keys)

    def type(self, name, text):
        self.tmux("send-keys", "-t", name, "-l", text)
        self.tmux("send-keys", "-t", name, "Enter")

    def screen(self, name):
        return self.tmux("capture-pane", "-p", "-t", name).stdout

    def wait(self, name, pattern, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            screen = self.screen(name)
            if re.search(pattern, screen, re.M):
                return screen
            time.sleep(0.02)
        raise Failure(f"{what}: {pattern!r} did not appear:\n{self.screen(name)}")

    def wait_said(self, name, pattern, what):
        """The same where more may have been said since, as a terminal in lines does: what has gone out at
        the top counts."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            said = self.tmux("capture-pane", "-p", "-S", "-", "-t", name).stdout
            if re.search(pattern, said, re.M):
                return said
            time.sleep(0.02)
        raise Failure(f"{what}: {pattern!r} was not said:\n{self.screen(name)}")

    def gone(self, name):
        """Until the session of that name has ended."""
        end = time.monotonic() + PATIENCE_S
        while self.tmux("has-session", "-t", name).returncode == 0:
            if time.monotonic() > end:
                raise Failure(f"{name} does not leave:\n{self.screen(name)}")
            time.sleep(0.02)

    def close(self):
        self.tmux("kill-server")


    def quit(self, *names):
        """Who plays leaves; the last to do so ends the tmux server."""
        for name in names:
            self.type(name, "quit")
        end = time.monotonic() + PATIENCE_S
        while self.tmux("list-sessions").returncode == 0 and time.monotonic() < end:
            time.sleep(0.02)
        if self.tmux("list-sessions").returncode == 0:
            raise Failure("quit does not leave")


class Client:
    """Commands of the client, all with one folder of accounts, and its play at a terminal."""

    def __init__(self, daemon, client, terminals, folder):
        self.client, self.terminals = client, terminals
        self.env = dict(os.environ, XDG_CONFIG_HOME=os.path.join(folder, "config"), VEDETTE_PASSWORD="a-fine-password",
                        VEDETTE_SERVER="http://" + daemon.address, LANG="C.UTF-8", LC_ALL="C.UTF-8")
        for name in ("NO_COLOR", "VEDETTE_TOKEN"):
            self.env.pop(name, None)

    def run(self, *args, status=0):
        done = subprocess.run([self.client, *args], env=self.env, check=False, capture_output=True, text=True)
        if done.returncode != status:
            raise Failure(f"vedette {' '.join(args)}: {done.returncode} {done.stdout} {done.stderr}")
        return done.stdout + done.stderr

    def play(self, match, name, width, height, *options):
        keep = " ".join(f"{k}='{self.env[k]}'" for k in ("XDG_CONFIG_HOME", "VEDETTE_SERVER", "LANG", "LC_ALL"))
        self.terminals.open(name, width, height,
                            f"env {keep} {self.client} play {match} --account {name} {' '.join(options)}")


def story(daemon, client, terminals, folder):
    """Yields a name for each thing that held."""
    at = Client(daemon, client, terminals, folder)
    run = at.run
    run("register", "anna")
    run("register", "bert")
    run("register", "carl")
    match = json.loads(run("--json", "new", "waterloo", "--seat", "FR", "--account", "anna",
                           "--spectators", "public"))["match"]
    run("join", match, "--seat", "AL", "--account", "bert")
    if "Waiting for the Allies" not in run("show", match, "--account", "carl"):
        raise Failure("a spectator does not see whom the match waits for")
    for language, words in (("fr", "En attente\u202f: les Alliés."), ("ja", "連合軍を待っています。"),
                            ("ru", "Ожидается ход: союзники."), ("zh", "等待同盟军。")):
        if words not in run("--language", language, "show", match, "--account", "carl"):
            raise Failure(f"show does not speak {language}")
    at.play(match, "anna", 80, 24)
    at.play(match, "bert", 140, 44, "--no-color")
    yield "accounts, a match and two terminals"
    for shell in ("bash", "zsh", "fish"):
        script = run("completion", shell)
        odd = [line for line in script.splitlines() if line.replace("'\\''", "").count("'") % 2 == 1]
        if odd or "verify" not in script:
            raise Failure(f"completion for {shell}: quotes that do not close: {odd}")
        if shutil.which(shell) is not None:
            done = subprocess.run([shell, "-n"], input=script, check=False, capture_output=True, text=True)
            if done.returncode != 0 or done.stderr:
                raise Failure(f"{shell} refuses its script: {done.stderr}")
    yield "completion scripts are whole"

    terminals.wait("bert", r"30 units to place", "the Allied set-up is asked")
    terminals.wait("anna", r"Waiting for the Allies", "the French wait")
    terminals.type("bert", "place AD-A ghent")
    terminals.wait("bert", r"29 units to place", "one unit is placed")
    if re.search(r"Ghent\W*A1", terminals.screen("anna")):
        raise Failure("the French see a set-up that is not confirmed (W20.1)")
    yield "a set-up draft is hidden"
    terminals.type("bert", "place PR-A ghent")
    terminals.wait("bert", r"Not allowed, rule W2\.3", "a refusal names its rule")
    yield "a refusal cites the rule"
    terminals.type("bert", "undo")
    terminals.wait("bert", r"30 units to place", "the draft is taken back")
    yield "undo"
    terminals.type("bert", "1")
    terminals.wait("bert", r"All placed: confirm", "all are placed")
    terminals.type("bert", "confirm")
    terminals.wait("anna", r"18 units to place", "the French are asked")
    terminals.type("anna", "place auto")
    terminals.wait("anna", r"All placed", "the French are placed")
    terminals.type("anna", "confirm")
    terminals.wait("anna", r"Your march orders", "the first turn")
    terminals.wait("bert", r"Maubeuge F9", "the Allies see counts on the map")
    yield "set-up by numbered choices and by orders"

    terminals.keys("anna", "-l", "mar")
    terminals.keys("anna", "Tab")
    terminals.wait("anna", r"^> march\s*$", "tab completes a command")
    terminals.keys("anna", "-l", "FR-A FR-C mon")
    terminals.keys("anna", "Tab")
    terminals.wait("anna", r"^> march FR-A FR-C mons\s*$", "tab completes a town")
    terminals.keys("anna", "Enter")
    terminals.wait("anna", r"Ordered: your I Corps \(FR-A\) and Imperial Guard \(FR-C\) from Maubeuge to Mons\.", "a draft")
    if "Mons" in terminals.screen("bert").split("Ordered")[0] and "Ordered" in terminals.screen("bert"):
        raise Failure("the Allies were told of a draft")
    terminals.type("anna", "armies")
    terminals.wait("anna", r"FR-Ai4>", "own armies, the draft marked")
    terminals.type("anna", "map")
    terminals.type("anna", "say the guns are cold")
    terminals.wait("bert", r"the guns are cold", "talk reaches the other")
    yield "completion, drafts, talk"

    terminals.type("anna", "help")
    terminals.wait("anna", r"quit: leave", "help lists the orders down to the last")
    terminals.type("anna", "march FR-B thuin")
    terminals.wait("anna", r"Maubeu\S* F9", "an order brings the map back")
    terminals.wait("anna", r"Ordered: your III Corps \(FR-B\) from Beaumont to Thuin\.", "and is carried out")
    terminals.type("anna", "history")
    terminals.wait("anna", r"The Allies have confirmed their set-up\.", "history reads back over a whole page")
    terminals.type("anna", "map")
    terminals.wait("anna", r"Maubeu\S* F9", "the map again")
    yield "help and history are pages"

    terminals.tmux("resize-window", "-t", "anna", "-x", "100", "-y", "36")
    terminals.wait("anna", r"^> *$", "the screen is drawn anew")
    if "Maubeuge" not in terminals.screen("anna"):
        raise Failure("the map is not redrawn after a change of size:\n" + terminals.screen("anna"))
    yield "the window changes its size"

    daemon.kill()
    terminals.wait("anna", r"no connection", "the loss of the server is told")
    daemon.start()
    terminals.wait("anna", r"connected", "it comes back by itself")
    terminals.type("anna", "end")
    terminals.wait("anna", r"Your I Corps \(FR-A\) and Imperial Guard \(FR-C\) march from Maubeuge to Mons", "the draft outlived the server")
    terminals.wait("bert", r"Two French units march from Maubeuge to", "the Allies are told in counts")
    terminals.wait("bert", r"Your march orders", "it is the Allies' turn")
    yield "a killed server is outlived"

    terminals.type("bert", "offer draw")
    terminals.wait("anna", r"the Allies offer a draw", "the draw is offered to the other")
    terminals.wait("anna", r"\d\) decline 1", "and can be answered by number")
    terminals.type("anna", "decline")
    terminals.wait("bert", r"the French decline", "its maker is told")
    terminals.type("anna", "offer rewind")
    screen = terminals.wait("anna", r"^ *\d+ +Your I Corps \(FR-A\) and Imperial Guard \(FR-C\) march", "the steps by number")
    step = int(re.findall(r"(?m)^ *(\d+) +Your I Corps \(FR-A\) and Imperial Guard \(FR-C\) march", screen)[-1])
    terminals.type("anna", "offer rewind %d" % (step - 1))
    terminals.wait("bert", r"the French offer to go back", "the way back is offered")
    terminals.wait("bert", r"taken back; the history keeps", "and what would be lost")
    terminals.type("bert", "accept")
    terminals.wait("anna", r"Your march orders", "the French move again")
    terminals.wait("bert", r"Maubeuge F9", "they are back where they were")
    terminals.type("anna", "end")
    terminals.wait("bert", r"Your march orders", "and it is the Allies' turn again")
    yield "a draw declined, a way back agreed to"

    end = time.monotonic() + 2 * PATIENCE_S
    while time.monotonic() < end:
        if "The match is over" in terminals.screen("anna") and "The match is over" in terminals.screen("bert"):
            break
        for name in ("anna", "bert"):
            if re.search(r"^(\d.*)?\d\) staff", terminals.screen(name), re.M):
                terminals.type(name, "staff")
        time.sleep(0.02)
    terminals.wait("anna", r"The match is over", "the staffs play it out")
    terminals.wait("bert", r"The match is over", "both are told")
    yield "a whole match"
    terminals.quit("anna", "bert")
    yield "quit leaves"

    match = json.loads(run("--json", "new", "waterloo", "--seat", "AL", "--account", "anna", "--clock", "live"))["match"]
    run("join", match, "--seat", "FR", "--account", "bert")
    at.env["LC_ALL"] = "xx_XX.UTF-8"  # that no machine has
    at.play(match, "anna", 80, 24, "--language fr")
    terminals.wait("anna", r"^ Mise en place .* échéance \d\d:\d\d ", "80 columns have room for the hour, in UTF-8")
    terminals.keys("anna", "place", "C-c")
    terminals.wait("anna", r"^> *$", "Ctrl-C takes back what is typed")
    terminals.keys("anna", "C-c")
    terminals.wait("anna", r"quit laisse la partie", "and then says how to leave")
    terminals.keys("anna", "C-c")
    terminals.gone("anna")
    yield "a deadline in little room, a locale that is not there, Ctrl-C"


def tell(tell_story, what):
    """Tells a story with a daemon and terminals of its own; gives what the process ends with."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    args = parser.parse_args()
    if shutil.which("tmux") is None:
        print("two terminals: tmux is not installed", file=sys.stderr)
        print("0 passed, 1 failed")
        return 1
    folder = tempfile.mkdtemp(prefix="vedette-terminals-")
    daemon = Daemon(os.path.abspath(args.daemon), folder)
    terminals = Terminals(folder)
    passed, failed = 0, 0
    try:
        daemon.start()
        for name in tell_story(daemon, os.path.abspath(args.client), terminals, folder):
            passed += 1
            print("ok", name, flush=True)
    except Failure as failure:
        failed = 1
        print("FAILED", failure, file=sys.stderr)
        for name in ("anna", "bert"):
            print(f"--- {name}\n{terminals.screen(name)}", file=sys.stderr)
    finally:
        terminals.close()
        daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(tell(story, __doc__))
