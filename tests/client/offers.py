#!/usr/bin/env python3
"""Offers from a terminal: `vedette offer` and `answer`, `play --plain`, and bots that are asked.

Each step waits for what must come; nothing sleeps for luck. Ends with "N passed, N failed".
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

from two_terminals import Daemon, Failure, PATIENCE_S


class Players:
    def __init__(self, client, daemon, folder):
        self.client, self.folder = client, folder
        self.env = dict(os.environ, VEDETTE_PASSWORD="a-fine-password", VEDETTE_SERVER="http://" + daemon.address,
                        LANG="C.UTF-8", LC_ALL="C.UTF-8")
        self.env.pop("VEDETTE_TOKEN", None)

    def env_of(self, who):
        return dict(self.env, XDG_CONFIG_HOME=os.path.join(self.folder, who))

    def run(self, who, *args, text=None, status=0):
        done = subprocess.run([self.client, *args], env=self.env_of(who), input=text, check=False, timeout=60,
                              capture_output=True, text=True)
        if done.returncode != status:
            raise Failure("vedette %s: %d, not %d\n%s%s" % (" ".join(args), done.returncode, status, done.stdout,
                                                            done.stderr))
        return done.stdout + (done.stderr if status else "")

    def begin(self):
        match = json.loads(self.run("anna", "--json", "new", "waterloo", "--seat", "FR"))["match"]
        self.run("bert", "join", match)
        for who in ("bert", "anna"):
            self.run(who, "act", match, "place", "auto")
            self.run(who, "act", match, "confirm")
        return match


def needs(text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text, re.M):
            raise Failure("no %r in:\n%s" % (pattern, text))


def last_step(players, who, match):
    return json.loads(players.run(who, "--json", "history", match).splitlines()[-1])["seq"]


def commands(players):
    match = players.begin()
    needs(players.run("anna", "offer", match, "draw"), r"^Offer 1: you offer a draw", r"answer %s 1 no" % match)
    needs(players.run("bert", "offer", match), r"^Offer 1: the French offer a draw", r"answer %s 1 yes" % match)
    needs(players.run("anna", "answer", match, "1", "yes", status=1), r"your own offer")
    needs(players.run("bert", "answer", match, "1", "no"), r"Declined")
    needs(players.run("bert", "offer", match), r"No offer is open")
    needs(players.run("bert", "answer", match, "1", "no", status=1), r"no longer open")
    yield "a draw is offered, listed, declined"
    step = last_step(players, "anna", match)
    said = players.run("anna", "offer", match, "rewind", str(step - 1))
    needs(said, r"your step %d" % (step - 1), r"is taken back", r"^ +%d .*Your set-up" % step)
    # The other has fewer steps: it is shown its own.
    own = last_step(players, "bert", match)
    needs(players.run("bert", "offer", match), r"your step %d" % (own - 1), r"^ +%d .*The French" % own)
    one = json.loads(players.run("bert", "--json", "offer", match))
    assert one["lost"] == {"to": own - 1, "steps": 1, "learned": [], "shown": []}, one
    needs(players.run("bert", "answer", match, "2", "yes"), r"goes back")
    needs(players.run("anna", "show", match), r"Set-up")
    assert last_step(players, "anna", match) == step + 1 and last_step(players, "bert", match) == own + 1
    players.run("anna", "act", match, "confirm")
    yield "a rewind is shown to each in its own steps, and carried out"
    needs(players.run("anna", "offer", match, "pause", status=1), "no clock")
    needs(players.run("anna", "offer", match, "rewind", "x", status=2), "vedette history")
    needs(players.run("anna", "answer", match, "2", "perhaps", status=2), "yes or no")
    players.run("anna", "offer", match, "abort")
    needs(players.run("bert", "answer", match, "3", "yes"), r"broken off|break the match off")
    record = os.path.join(players.folder, match + ".record")
    players.run("anna", "record", match, "--output", record)
    needs(players.run("anna", "verify", record), r"holds:.* 1 times gone back")
    needs(players.run("anna", "record", "show", record, "--as", "AL"), r"goes back", r"The French have confirmed")
    yield "an abort; its record holds and is shown"


def plain(players):
    match = players.begin()
    step = last_step(players, "anna", match)
    said = players.run("anna", "play", "--plain", match,
                       text="offer draw\noffer\noffer rewind\noffer rewind %d\ndecline 1\nquit\n" % (step - 1))
    needs(said, r"^Offer 1: you offer a draw", r"decline 1", r"last step that is to stay", r"^ +%d .*Your set-up" % step,
          r"^Offer 2: you offer to go back", r"you have taken it back")
    said = players.run("bert", "play", "--plain", match, text="accept\nquit\n")
    needs(said, r"^Offer 2: the French offer to go back", r"accept 2 or decline 2", r"goes back")
    needs(players.run("anna", "play", "--plain", match, text="quit\n"), r"goes back")
    needs(players.run("anna", "show", match), r"Set-up")
    players.run("anna", "act", match, "confirm")
    yield "offers in play --plain"


def bots(players, policy):
    """A bot declines at once what it is not lost enough for, agrees to break off, and plays on in between."""
    players.run("robot-" + policy, "register", "robot-" + policy)
    match = json.loads(players.run("anna", "--json", "new", "waterloo", "--seat", "FR"))["match"]
    players.run("robot-" + policy, "join", match)
    for offered_before in (True, False):
        bot = None
        if not offered_before:
            players.run("anna", "offer", match, "draw")
        log = open(os.path.join(players.folder, "bot.log"), "ab")
        bot = subprocess.Popen([players.client, "bot", "--policy", policy, "--match", match, "--seed", "5"],
                               env=players.env_of("robot-" + policy), stdout=log, stderr=log)
        log.close()
        try:
            if offered_before:
                wait_for(lambda: "FR" in json.loads(players.run("anna", "--json", "show", match))["to_act"])
                players.run("anna", "act", match, "place", "auto")
                players.run("anna", "act", match, "confirm")
                players.run("anna", "offer", match, "draw")
                wait_for(lambda: "No offer" in players.run("anna", "offer", match))
                players.run("anna", "offer", match, "rewind", str(last_step(players, "anna", match) - 1))
                wait_for(lambda: "No offer" in players.run("anna", "offer", match))
                # Nothing came of them, and it still plays: our movement ended, it answers and moves.
                players.run("anna", "act", match, "end")
                wait_for(lambda: "FR" in json.loads(players.run("anna", "--json", "show", match))["to_act"])
                yield "a %s bot declines and plays on" % policy
            else:
                wait_for(lambda: "No offer" in players.run("anna", "offer", match))
                yield "a %s bot answers what was offered while it was away" % policy
                players.run("anna", "offer", match, "abort")
                bot.wait(timeout=PATIENCE_S)
                if bot.returncode != 0:
                    raise Failure("the bot ended with %d" % bot.returncode)
                state = json.loads(players.run("anna", "--json", "show", match))["state"]
                assert state == "GAME_OVER", state
                yield "a %s bot agrees to break off, and leaves" % policy
        finally:
            if bot.poll() is None:
                bot.kill()
            bot.wait()


def wait_for(holds):
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise Failure("it did not come")


def run_stories(description, name, *stories):
    """Each story (of the players, yielding what held) with one daemon and the accounts anna and bert; the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="vedette-%s-" % name)
    daemon = Daemon(os.path.abspath(args.daemon), folder)
    passed = failed = 0
    try:
        daemon.start()
        players = Players(os.path.abspath(args.client), daemon, folder)
        for who in ("anna", "bert"):
            players.run(who, "register", who)
        for story in stories:
            try:
                for held in story(players):
                    passed += 1
                    print("ok", held, flush=True)
            except (Failure, AssertionError, subprocess.TimeoutExpired) as error:
                failed += 1
                print("FAILED", name, error, flush=True)
    finally:
        daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run_stories(__doc__, "offers", commands, plain, lambda players: bots(players, "waterloo"),
                         lambda players: bots(players, "random")))
