#!/usr/bin/env python3
"""Cheats at a semi-blind match of Austerlitz: two seats, a spectator and a stranger call everything that takes a match, as
everybody, with whatever may make the daemon talk; every byte that each of them is sent is searched for faces that he may not know,
for what somebody else drafted, noted or ordered, for the key of the dice, and for an order that is not that of the hexes. Ends
with "N passed, N failed"."""
import argparse
import json
import os
import random
import sys

from suite import run_tests
from wire import Client, Daemon, Refused, pick, register

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(TOP, "schema", "games", "austerlitz", "oob.json"), encoding="utf-8") as oob:
    UNITS = {unit["id"]: unit for unit in json.load(oob)["units"]}
SIDE = {"FR": "french", "AL": "allied"}
MUTE = {"side", "type", "movement", "moved", "destroyed_bridge"}
VIEWERS = ("FR", "AL", "public", "all")
QUESTIONS = ("reach", "move", "retreats", "bombard", "ice_shot", "odds", "obligations", "control", "exchange", "advances", "encircled")


def hidden_words(viewer):
    """Ids and names that tell this viewer which counter is which."""
    ids = {u for u, unit in UNITS.items() if unit["side"] != SIDE.get(viewer)}
    own = {unit["name"] for u, unit in UNITS.items() if u not in ids}
    return ids | {UNITS[u]["name"] for u in ids} - own


def merged(old, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    out = dict(old) if isinstance(old, dict) else {}
    for k, v in patch.items():
        if v is None:
            out.pop(k, None)
        else:
            out[k] = merged(out.get(k), v)
    return out


class Searcher:
    """Looks through what one viewer is sent; problems as sentences."""

    def __init__(self, viewer, secrets):
        self.viewer, self.secrets = viewer, secrets
        self.hidden = hidden_words(viewer)
        self.problems, self.texts, self.nodes = [], 0, 0
        self.patched = False
        self.seen = {}  # viewer, seq -> the view that a patch is for

    def problem(self, what, path, text):
        self.problems.append("%s: %s at %s in %s" % (self.viewer, what, "/".join(map(str, path)), text[:400]))

    def text(self, text):
        self.texts += 1
        for word, owner in self.secrets.items():
            if owner != self.viewer and word in text:
                self.problem("%s of %s" % (word, owner), (), text)
        self.walk(self.whole(json.loads(text)), (), text)

    def whole(self, message):
        """The message with the view that a patch leads to in the place of the patch."""
        self.patched = message.get("method") == "match.delta"
        if self.patched:
            patch = message["params"]
            view = merged(self.seen[patch["as"], patch["from"]], patch["patch"])
            message = dict(message, params=view)
        else:
            view = message.get("params", {}).get("view") or message.get("result")
        if isinstance(view, dict) and "board" in view and "seq" in view:
            self.seen[view["as"], view["seq"]] = view
        return message

    def walk(self, x, path, text):
        self.nodes += 1
        if isinstance(x, dict):
            if x.get("ev") == "reveal":  # 15.4: told to all
                return
            if "tracks" in x and "units" in x:
                self.board(x, path, text)
                x = {k: v for k, v in x.items() if k != "units"}
            for word in ("potential", "combat", "start", "key", "secret"):
                if word in x and "signature" not in x:
                    self.problem("a member %s" % word, path, text)
            for k, v in x.items():
                self.word(k, path, text)
                self.walk(v, path + (k,), text)
        elif isinstance(x, list):
            self.order(x, path, text)
            for i, v in enumerate(x):
                self.walk(v, path + (i,), text)
        elif isinstance(x, str):
            self.word(x, path, text)

    def word(self, word, path, text):
        if word in self.hidden:
            self.problem("the face %s" % word, path, text)

    def board(self, board, path, text):
        """15.3: the enemy's counters are mute but for those of the combat in hand."""
        hand = board.get("hand", {"result": "no_die"})
        up = {at for k in ("contact", "bombard", "defenders") for at in hand.get(k, [])} if hand["result"] != "no_die" else set()
        if not self.patched and list(board["units"]) != sorted(board["units"]):
            self.problem("units out of the order of their hexes", path, text)
        for at, unit in board["units"].items():
            if unit["side"] != SIDE.get(self.viewer) and at not in up and set(unit) - MUTE:
                self.problem("%s at %s" % (sorted(set(unit) - MUTE), at), path, text)

    def order(self, items, path, text):
        """15.8: lists of units go by hex."""
        ways = {"path", "chain", "trajectories", "free", "list", "to"}
        if any(step in ways for step in path) or len(items) < 2:
            return
        at = [v.get("hex") if isinstance(v, dict) and "side" in v else None for v in items]
        if None not in at and at != sorted(at):
            self.problem("units out of the order of their hexes", path, text)


class Suite:
    def __init__(self, args):
        self.args = args
        self.daemon = Daemon(args.daemon, config="[limits]\nrates = off\n").start()
        self.rng = random.Random(args.seed)
        self.serial = 0

    def seat(self, options, spectators):
        """Two seats, a spectator and a stranger with accounts, each with its searcher."""
        self.serial += 1
        tokens = [register(self.daemon.port, "cheat-%d-%d" % (self.serial, i)) for i in range(4)]
        clients = {who: Client(self.daemon.port, token) for who, token in zip(("FR", "AL", "watcher", "stranger"), tokens)}
        match = clients["FR"].call("match.create", game="austerlitz", seat="FR", spectators=spectators,
                                   options=options)["match"]
        clients["AL"].call("match.join", match=match, seat="AL")
        secrets = {"canary-%s-%s" % (who, what): who for who in SIDE for what in ("note", "order")}
        searchers = {who: Searcher(who if who in SIDE else "public", secrets) for who in clients}
        return match, clients, searchers

    def call(self, client, method, **params):
        try:
            return client.call(method, **params)
        except Refused as refused:
            return refused.error

    def search(self, clients, searchers):
        for who, client in clients.items():
            for way, text in client.traffic:
                if way == "<":
                    searchers[who].text(text)
            client.traffic.clear()

    def unit(self, view):
        """Some name of a unit: an id of either side, a hex with or without one."""
        return self.rng.choice([self.rng.choice(sorted(UNITS)), self.rng.choice(sorted(view["board"]["units"])), "2218"])

    def question(self, view):
        kind, unit, hexes = self.rng.choice(QUESTIONS), self.unit(view), sorted(view["board"]["units"])
        more = {"move": {"unit": unit, "path": [self.rng.choice(hexes)]}, "reach": {"unit": unit}, "retreats": {"unit": unit},
                "bombard": {"unit": unit, "hex": self.rng.choice(hexes)}, "ice_shot": {"unit": unit, "hex": "1926"},
                "odds": {"contact": [unit], "defenders": [self.unit(view)]}, "obligations": {"side": "allied"},
                "control": {"hex": self.rng.choice(hexes), "side": "french"}, "encircled": {"side": self.rng.choice(list(SIDE.values()))}}
        return dict({"ask": kind}, **more.get(kind, {}))

    def action(self, view):
        """Something that a cheat would send: units of both sides by id and by hex."""
        unit, other = self.unit(view), self.unit(view)
        return self.rng.choice([
            {"do": "move", "unit": unit, "path": ["2218"]}, {"do": "destroy_bridge", "unit": unit, "bridge": "BR06"},
            {"do": "declare", "plan": [{"contact": [unit], "defenders": [other]}]}, {"do": "retreat", "unit": unit, "to": "2218"},
            {"do": "declare", "plan": [{"artillery": unit, "hex": "1926"}]}, {"do": "exchange", "losses": [unit]},
            {"do": "battery", "unit": unit, "stay": True}, {"do": "advance", "moves": {unit: "2218"}}, {"do": "resolve", "index": 9}])

    def cheat(self, match, client, who, view):
        """One call of anything that shows or asks something, as anybody."""
        as_ = {} if self.rng.random() < 0.3 else {"as": self.rng.choice(VIEWERS)}
        reason = {"reason": "curiosity"} if self.rng.random() < 0.3 else {}
        seq = self.rng.choice([view["seq"], view["seq"], 0, 1, view["seq"] + 1])
        calls = [
            ("match.view", dict(as_, **reason)), ("match.history", dict(as_, **reason)), ("match.replay", dict(as_, seq=seq, **reason)),
            ("match.ask", dict(as_, question=self.question(view), **reason)), ("match.ask", dict(as_, question=self.question(view))),
            ("match.try", dict(as_, seq=seq, action=self.action(view))), ("match.record", {}), ("match.get", {}),
            ("match.plan", dict(as_, seq=seq, actions=[self.action(view)], questions=[self.question(view)])),
            ("match.receipt", as_), ("match.clock", {}), ("match.held", as_), ("match.seen", dict(as_, seq=seq)),
            ("match.talk", {"channel": self.rng.choice(["table", "side", "watchers"])}), ("match.watch", dict(as_, delta=True, **reason)),
            ("match.unwatch", as_), ("match.draft", as_), ("match.standing", as_), ("match.note", as_), ("match.undo", dict(as_, seq=seq)),
            ("match.claim", dict(as_, what="win", seat="FR")), ("match.notices", {"notices": {}}),
            ("match.wait", dict(as_, after=max(0, view["seq"] - 1), timeout_s=0, **reason)),
        ]
        if who not in SIDE or as_.get("as") not in (None, who):
            calls.append(("match.act", dict(as_, seq=seq, action=self.action(view))))
        if who not in SIDE:
            calls += [("match.join", {"seat": "FR"}), ("match.leave", {}), ("match.resign", as_), ("match.start", {}),
                      ("match.rematch", {}), ("match.substitute", {"seat": "AL"}), ("match.vacate", {"seat": "FR", "on": True}),
                      ("match.offer", dict(as_, what="rewind", to=0)), ("match.lend", {"seat": "FR", "name": "cheat-1-3", "until": 1})]
        method, params = self.rng.choice(calls)
        answer = self.call(client, method, match=match, **params)
        if method in ("match.view", "match.history", "match.replay", "match.ask", "match.plan") and as_.get("as") == "all":
            assert "data" in answer and "kind" in answer["data"], (who, method, params, answer)
        if method == "match.record":
            assert "record" not in answer, (who, answer)

    def secrets_of(self, match, client, who, view):
        """Plans of a seat that nobody else may hear of."""
        self.call(client, "match.note", match=match, text="canary-%s-note: the left" % who)
        draft = self.call(client, "match.draft", match=match)
        self.call(client, "match.draft", match=match, version=draft.get("version", 0),
                  actions=[{"do": "move", "unit": "104" if who == "FR" else "P1", "path": ["2218"], "canary-%s-order" % who: True}])

    def match(self, options, spectators, cheats, most):
        match, clients, searchers = self.seat(options, spectators)
        for who in ("FR", "AL", "watcher"):
            self.call(clients[who], "match.watch", match=match)
        states, lines = {}, 0
        while lines < most:
            views = {who: clients[who].call("match.view", match=match) for who in SIDE}
            view = views["FR"]
            states[view["state"]] = states.get(view["state"], 0) + 1
            if view["state"] == "OVER":
                break
            if lines % 20 == 0:
                for who in SIDE:
                    self.secrets_of(match, clients[who], who, view)
            busy = states[view["state"]] <= 6 or self.rng.random() < 0.1
            for _ in range(cheats if busy else 1):
                who = self.rng.choice(sorted(clients))
                self.cheat(match, clients[who], who, view)
            self.search(clients, searchers)
            seat = view["to_act"][0]
            mine = clients[seat].call("match.view", match=match)
            form = self.rng.choice(mine["actions"])
            if "exit_edge" in form and self.rng.random() < 0.9:
                form = mine["actions"][0]
            clients[seat].call("match.act", match=match, seq=mine["seq"], action=pick(form, self.rng))
            self.search(clients, searchers)
            lines += 1
        problems = [p for s in searchers.values() for p in s.problems]
        assert not problems, "%d: %s" % (len(problems), "\n".join(problems[:5]))
        print("%s, %s: %d lines, %s, %d texts, %d values searched" % (options, spectators, lines, states, sum(
            s.texts for s in searchers.values()), sum(s.nodes for s in searchers.values())))
        for client in clients.values():
            client.close()

    def test_the_search_finds_what_is_planted(self):
        mute = {"side": "allied", "type": "infantry", "movement": 6}
        board = {"tracks": {}, "units": {"2218": {"side": "french", "id": "104", "potential": 9}, "2319": mute}}
        pushed = {"method": "match.view", "params": {"view": {"as": "FR", "seq": 4, "board": board}}}
        patched = {"method": "match.delta", "params": {"as": "FR", "from": 4, "patch": {"seq": 5, "as": "FR", "board": {
            "units": {"2319": {"potential": 6}}}}}}
        planted = [
            dict(board, units={"2319": dict(mute, id="P1")}), dict(board, units={"2319": dict(mute, potential=6)}),
            dict(board, units={"2319": mute, "2218": mute}), {"error": {"message": "P1"}}, {"name": UNITS["P1"]["name"]}, {"text": "canary-AL-note"},
            {"units": [dict(mute, hex="2319"), dict(mute, hex="2218")]}, {"ev": "moved", "unit": "P1"}, {"key": "x"}, {"P1": 1}, patched]
        for x in planted:
            searcher = Searcher("FR", {"canary-AL-note": "AL"})
            searcher.text(json.dumps(pushed))
            assert not searcher.problems, searcher.problems
            searcher.text(json.dumps(x))
            assert searcher.problems, x

    def test_nothing_comes_out_with_spectators(self):
        self.match({"information": "semi-blind", "strengths": "dealt", "situation": "1809", "guard_1805": True}, "public",
                   self.args.cheats, self.args.lines)

    def test_nothing_comes_out_without_spectators(self):
        self.match({"information": "semi-blind"}, "none", self.args.cheats, self.args.lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--cheats", type=int, default=12)
    parser.add_argument("--lines", type=int, default=250)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    passed, failed = run_tests(Suite(args), args.only)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
