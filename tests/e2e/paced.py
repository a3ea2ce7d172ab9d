#!/usr/bin/env python3
"""Nobody can tell who or what answered (option `pace`): all that an opponent and onlookers are sent, with the second at which
they are, captured in worlds that differ in that alone, and compared to the byte.

A match is played up to the enemy's attack; then the whole database is copied, so that each world goes on from the same
instant, with the same dice. Captured in each, at every tick of a clock of the test's making: what a WebSocket with views, one
with deltas, a spectator with an account and one without are pushed; what the opponent polls (match.get, view, clock, history,
talk, list, the other's profile); his webhook's posts. Chains alone are left out: they are hashes over what is not yet shown.

  forced   the losses of a pursuit of which one answer alone is legal, as their owner knows and nobody else: given by hand
           within D, given by hand at D, given at once by an order `forced`; who left the order is not even connected
  ladder   the answer to an attack that comes when the clock is out: by hand in that second, by orders that are left in that
           second, and by the ladder, which plays the draft that was saved, for one who is not connected

To show that the comparison can fail, a fourth world answers a second later, and must be told apart. Ends with "N passed, N
failed".
"""
import argparse
import difflib
import http.server
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import traceback

from simtime import HOUR, MINUTE, SECOND, SimDaemon, ms, text
from wire import Client, deadline as guard_of, new_match, register

START = ms("2026-06-18T10:00:00Z")
D = 600 * SECOND
ALLIED = {
    "fosses": "PR-I PR-E", "thuin": "PR-F PR-G PR-H", "charleroi": "PR-A PR-B PR-C PR-D", "ligny": "PR-M PR-N PR-O PR-P", "namur": "PR-J PR-K PR-L",
    "mons": "AD-A AD-B AD-C", "binche": "AD-D AD-E AD-F", "soignies": "AD-G AD-H AD-I", "nivelles": "AD-J AD-K AD-L",
    "quatre-bras": "AD-M AD-N"}
FRENCH = {"beaumont": "FR-A FR-B FR-C FR-N FR-Q", "laneffe": "FR-D FR-E FR-F FR-H FR-I FR-J",
          "maubeuge": "FR-G FR-K FR-L FR-M FR-O FR-P FR-R"}
LIVE = {"kind": "live", "bank_s": 36000, "increment_s": 0}
SLOW = {"kind": "correspondence", "bank_s": 0, "per_move_s": 3600,
        "ladder": {"remind_s": [600], "grace_s": 900, "draft": "play", "then": "claim"}}
CONFIG = "[server]\nurl = https://vedette.example\nbots = off\n[limits]\nrates = off\n[notify]\nprivate_hosts = on\ndelay_s = 0\n"


class Receiver:
    """Takes the posts of webhooks."""

    def __init__(self):
        self.posts = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.posts.append((self.headers["webhook-timestamp"], body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = "http://127.0.0.1:%d/hook" % self.server.server_address[1]


def placements(towns):
    return {"do": "place", "placements": [{"unit": unit, "town": town} for town, units in towns.items()
                                          for unit in units.split()]}


def act(client, match, *actions):
    for action in actions:
        seq = client.call("match.view", match=match)["seq"]
        client.call("match.act", match=match, seq=seq, action=action)


class Base:
    """A match up to where the French may attack Fosses; every world begins with a copy of its database."""

    def __init__(self, binary, receiver, clock):
        self.binary = binary
        daemon = SimDaemon(binary, START, CONFIG).start()
        self.folder = daemon.folder
        self.tokens = [register(daemon.port, name) for name in ("opponent", "answerer", "onlooker")]
        self.match = new_match(daemon.port, self.tokens[:2], spectators="public", pace=D // SECOND, clock=clock)
        french, allied = (Client(daemon.port, token) for token in self.tokens[:2])
        french.call("account.set", notices={"webhook": {"url": receiver.url, "kind": "standard"}})
        act(allied, self.match, placements(ALLIED), {"do": "confirm_setup"})
        act(french, self.match, placements(FRENCH), {"do": "confirm_setup"})
        guard = guard_of(60)  # what he is told of the set-up is told before the worlds part
        while ("turn", "sent") not in [(d["kind"], d["state"]) for d in french.call("account.deliveries")["deliveries"]]:
            assert guard(), french.call("account.deliveries")
        for client in (french, allied):
            client.close()
        assert daemon.stop() == 0, daemon.log_text()[-2000:]

    def done(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class World:
    def __init__(self, base, receiver):
        folder = tempfile.mkdtemp(prefix="vedette-world-")
        for name in os.listdir(base.folder):
            if name.startswith("vedette.db"):
                shutil.copy(os.path.join(base.folder, name), folder)
        self.receiver, self.match, self.tokens = receiver, base.match, base.tokens
        receiver.posts.clear()
        self.daemon = SimDaemon(base.binary, START, CONFIG, folder=folder).start()
        self.seen = []
        port = self.daemon.port
        self.listeners = {"opponent": Client(port, self.tokens[0]), "opponent's deltas": Client(port, self.tokens[0]),
                          "onlooker": Client(port, self.tokens[2]), "anybody": Client(port)}
        self.poller = Client(port, self.tokens[0])
        self.heard = {}
        for name, client in self.listeners.items():
            client.call("match.watch", match=self.match, delta="deltas" in name)
            client.push("match.view")
        for name, client in self.listeners.items():  # that two look on is told by real time
            client.push("match.changed", lambda told: told.get("watching") == 2)
            client.fence()
            self.heard[name] = len(client.traffic)
        self.answerer = None

    # ---- the one who answers ----

    def comes(self):
        self.answerer = Client(self.daemon.port, self.tokens[1])
        self.answerer.call("match.watch", match=self.match, actions=False)

    def goes(self):
        self.answerer.close()
        self.answerer = None

    def answers(self, *actions):
        act(self.answerer, self.match, *actions)

    def leaves(self, orders):
        version = self.answerer.call("match.standing", match=self.match)["version"]
        self.answerer.call("match.standing", match=self.match, version=version, orders=orders)

    # ---- the time, and what is seen ----

    def tick(self, at, then=None, shown=None):
        """It is so late; `then` happens; once `shown` holds for the opponent's view all that came is noted."""
        self.daemon.set(at)
        self.daemon.beat()
        if then is not None:
            then()
        guard = guard_of(60)
        while shown is not None and not shown(self.poller.call("match.view", match=self.match)):
            assert guard(), "%s: %s" % (text(at), json.dumps(self.poller.call("match.view", match=self.match))[:400])
        # The answers of these stand behind what the match was read for, so that its pushes are on their way after them.
        for method, params in (("match.get", {"match": self.match}), ("match.view", {"match": self.match}),
                               ("match.clock", {"match": self.match}), ("match.history", {"match": self.match, "limit": 200}),
                               ("match.talk", {"match": self.match, "channel": "table"}), ("match.held", {"match": self.match}),
                               ("match.list", {"filter": "running"}), ("account.profile", {"name": "answerer"}),
                               ("account.get", {})):
            self.seen.append("%s polled %s %s" % (text(at), method, json.dumps(self.poller.call(method, **params))))
        for name, client in self.listeners.items():
            client.fence()
            for direction, frame in client.traffic[self.heard[name]:]:
                if '"server.hello"' not in frame and '"name":"Vedette"' not in frame:  # the fence itself
                    self.seen.append("%s %s %s %s" % (text(at), name, direction, frame))
            self.heard[name] = len(client.traffic)

    def posted(self, count):
        """The opponent has been told so much outside of his clients, before it is any later."""
        guard = guard_of(60)
        while len(self.receiver.posts) < count:
            assert guard(), self.poller.call("account.deliveries")
            time.sleep(0.01)  # the receiver is a thread of this program

    def end(self):
        """What was seen, without the chains."""
        self.seen += ["posted %s %s" % post for post in sorted(self.receiver.posts)]
        for client in [*self.listeners.values(), self.poller] + ([self.answerer] if self.answerer else []):
            client.close()
        assert self.daemon.stop() == 0, self.daemon.log_text()[-2000:]
        assert "level=error" not in self.daemon.log_text(), self.daemon.log_text()[-2000:]
        shutil.rmtree(self.daemon.folder, ignore_errors=True)
        return [re.sub(r'"chain":\s?"[^"]*"', '"chain":"*"', line) for line in self.seen]


def attack(world, town="fosses", units="FR-H FR-I FR-J"):
    """The French march there, and end their movement; they pursue who gives way."""
    act(world.poller, world.match, {"do": "march", "marches": [{"unit": unit, "path": [town]} for unit in units.split()]},
        {"do": "end_movement"})


GIVE_WAY = {"do": "respond", "town": "fosses", "choice": "retreat",
            "routes": [{"unit": "PR-E", "path": ["namur"]}, {"unit": "PR-I", "path": ["namur"]}]}
DEPLOY = {"do": "deploy", "battle": "thuin", "columns": {"1": ["PR-F"], "2": ["PR-G"], "3": ["PR-H"], "reserve": []}}


def differences(one, other):
    lines = list(difflib.unified_diff(one, other, lineterm="", n=0))
    return "\n".join(line[:600] for line in lines[:12])


class Differs(AssertionError):
    """Two worlds that a program can tell apart."""


class Captures:
    def __init__(self, binary):
        self.binary, self.receiver = binary, Receiver()

    def same(self, seen, odd):
        names = list(seen)
        for name in names[1:]:
            if seen[name] != seen[names[0]]:
                raise Differs("%s and %s can be told apart:\n%s" % (names[0], name, differences(seen[names[0]], seen[name])))
        assert odd != seen[names[0]], "a second later is no difference: nothing is compared"
        assert sum(map(len, seen[names[0]])) > 50000 and any(line.startswith("posted") for line in seen[names[0]])
        return len(seen[names[0]]), sum(map(len, seen[names[0]]))

    # ---- a forced answer ----

    def forced(self, base, how):
        """Who is attacked must give way, with two units of which one is mounted: a hit of the pursuit must fall on that one. He
        knows it, the enemy does not. None: the dice asked nobody."""
        world = World(base, self.receiver)
        world.comes()
        if how == "orders":
            world.leaves([{"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "retreat", "routes": GIVE_WAY["routes"]}},
                          {"when": {"is": "forced"}, "do": {"do": "only"}}])
            world.goes()
        asked = START + MINUTE
        world.tick(asked, lambda: attack(world), lambda view: view["state"] == "RESPOND")
        moved = lambda view: view["state"] != "RESPOND"
        hit = [True]

        def by_hand():
            world.answers(GIVE_WAY)
            hit[0] = world.answerer.call("match.view", match=world.match)["state"] == "PURSUIT_LOSS"
            if hit[0]:
                world.answers({"do": "allot", "town": "fosses", "losses": [{"unit": "PR-I", "cv": 1}]})
            world.answers({"do": "end_response"})
        for late in (SECOND, MINUTE, D - SECOND, D, D + SECOND, D + MINUTE):
            then = by_hand if late == {"early": MINUTE, "at": D, "late": D + SECOND}.get(how) else None
            due = D + SECOND if how == "late" else D
            world.tick(asked + late, then, moved if late >= due else None)
        if how == "orders":
            world.comes()
            fired = world.answerer.call("match.standing", match=world.match)["fired"]
            assert [one["entry"] for one in reversed(fired)][:2] == [0, 1], fired
        # His own turn, the same in all worlds: the enemy is told that it is his.
        world.tick(asked + HOUR, lambda: world.answers({"do": "end_movement"}) if hit[0] else None)
        if hit[0]:
            world.posted(1)
        world.tick(asked + 2 * HOUR)
        seen = world.end()
        return seen if hit[0] else None

    def test_forced(self):
        last = AssertionError("the dice never asked for losses")
        for attempt in range(40):
            base = Base(self.binary, self.receiver, LIVE)
            seen = {"early": self.forced(base, "early")}
            if seen["early"] is None:
                base.done()
                continue
            for how in ("at", "orders"):
                seen[how] = self.forced(base, how)
            odd = self.forced(base, "late")
            base.done()
            try:
                print("forced: %d attempts, %d lines of %d bytes are the same" % (attempt + 1, *self.same(seen, odd)))
                return
            except Differs as differs:
                if isinstance(last, Differs):
                    raise
                last = differs  # as test_ladder says
        raise last

    # ---- by the ladder ----

    def ladder(self, base, how):
        """Attacked at START + 1 min; that he fights is shown D after that, and that his deployment is missing. From then on the
        clock runs for an hour, and grace for a quarter."""
        world = World(base, self.receiver)
        world.comes()
        asked = START + MINUTE
        fight = {"do": "respond", "town": "thuin", "choice": "fight"}
        if how == "orders":  # he who has begun to answer by hand is left to end it by hand
            world.leaves([{"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "fight"}}])
        world.tick(asked, lambda: attack(world, "thuin", "FR-A FR-B FR-C"), lambda view: view["state"] == "RESPOND")
        world.tick(asked + SECOND, None if how == "orders" else lambda: world.answers(fight, {"do": "end_response"}))
        asked += D
        world.tick(asked, shown=lambda view: view["state"] == "DEPLOY_DEF")

        def saves():
            if how == "draft":
                world.answerer.call("match.draft", match=world.match, version=0, actions=[DEPLOY])
        world.tick(asked + 30 * SECOND, saves)
        if how == "draft":
            world.goes()
        for at in (D - SECOND, D, HOUR - 10 * MINUTE, HOUR - SECOND):
            world.tick(asked + at)
        late = lambda view: {"ev": "late", "seat": "AL"} in view["events"]
        world.tick(asked + HOUR, shown=late)
        out = asked + HOUR + 15 * MINUTE
        gone = lambda view: view["state"] == "DEPLOY_ATT"
        if how == "early":
            self.in_that_second(world, out - SECOND, lambda: world.answers(DEPLOY), gone)
        else:
            world.tick(out - SECOND)
        if how == "hand":
            self.in_that_second(world, out, lambda: world.answers(DEPLOY), gone)
        elif how == "orders":
            self.in_that_second(world, out, lambda: world.leaves(
                [{"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "fight", "rest": "spread"}}]), gone)
        else:
            world.tick(out, shown=gone)
        world.posted(1)  # it is his turn
        world.tick(out + SECOND)
        world.tick(out + HOUR)
        world.posted(3)  # a reminder; his time is out as well
        return world.end()

    @staticmethod
    def in_that_second(world, at, then, shown):
        """Before anybody has looked at the clock: what is done in the second at which time is out is done in time."""
        world.daemon.set(at)
        then()
        world.tick(at, shown=shown)

    def test_ladder(self):
        """A push that a busy machine sends a moment late is noted a tick later, in one world and not in the other: what tells
        the worlds apart does so every time."""
        for attempt in range(4):
            base = Base(self.binary, self.receiver, SLOW)
            seen = {how: self.ladder(base, how) for how in ("hand", "orders", "draft")}
            odd = self.ladder(base, "early")
            base.done()
            try:
                print("ladder: %d attempts, %d lines of %d bytes are the same" % (attempt + 1, *self.same(seen, odd)))
                return
            except Differs as differs:
                last = differs
        raise last


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True, help="built with -Dfaults=true")
    parser.add_argument("only", nargs="?", default="")
    args = parser.parse_args()
    captures = Captures(args.daemon)
    passed = failed = 0
    for name in sorted(n for n in dir(captures) if n.startswith("test_") and args.only in n):
        try:
            getattr(captures, name)()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAILED %s" % name)
            traceback.print_exc(file=sys.stdout)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
