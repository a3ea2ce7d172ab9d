#!/usr/bin/env python3
"""End to end: the daemon and the clients as processes. Ends with "N passed, N failed"."""
import argparse
import json
import os
import pty
import random
import re
import subprocess
import sys
import tempfile

from contract import Contract
from suite import run_tests
from wire import Client, Daemon, Refused, deadline, new_match, pick, register

UNITS = {"FR": "ABCDEFGHIJKLMNOPQR", "AD": "ABCDEFGHIJKLMN", "PR": "ABCDEFGHIJKLMNOP"}
UNIT = re.compile(r"\b(FR|AD|PR)-([A-R])\b")
# Where a viewer may read ids of blocks that are not its own: turned up in battle, routed from there, or lost.
OPEN_PARTS = ("lost", "battles")


class Player:
    """A seat that picks at random from its forms."""

    def __init__(self, daemon, token, match, **watch):
        self.client = Client(daemon.port, token)
        self.match = match
        self.client.call("match.watch", match=match, **watch)
        self.view = self.client.push("match.view")["view"]

    def refresh(self):
        self.client.fence()
        for push in self.client.pushes:
            if push["method"] == "match.view" and push["params"]["match"] == self.match:
                self.view = push["params"]["view"]
        self.client.pushes.clear()
        return self.view

    def act(self, action):
        answer = self.client.call("match.act", match=self.match, seq=self.view["seq"], action=action)
        self.refresh()
        return answer

    def turn(self, rng):
        if self.refresh().get("actions"):
            self.act(pick(self.view["actions"], rng))


def play(players, rng, until, steps=20000):
    """Random play of all until a condition; False: it never held."""
    for _ in range(steps):
        for player in players:
            player.turn(rng)
            if until():
                return True
    return False


def enemy_ids(value, nations):
    return {m.group(0) for m in UNIT.finditer(json.dumps(value)) if m.group(1) in nations}


class Suite:
    def __init__(self, args):
        self.args = args
        self.contract = Contract()
        self.rng = random.Random(args.seed)
        self.serial = 0

    def name(self, stem):
        self.serial += 1
        return "%s-%d" % (stem, self.serial)

    def seats(self, count=2):
        return [register(self.daemon.port, self.name("player")) for _ in range(count)]

    # ---- tests ----

    def test_a_whole_match_keeps_its_secrets_and_the_contract(self):
        tokens = self.seats()
        match = new_match(self.daemon.port, tokens, options={"turns": 6}, spectators="public")
        players = [Player(self.daemon, token, match) for token in tokens]
        public = Player(self.daemon, None, match)
        assert play(players, self.rng, lambda: players[0].view["state"] == "GAME_OVER"), "no end"
        public.refresh()
        for player, nations in ((players[0], ("AD", "PR")), (players[1], ("FR",)),
                                (public, ("FR", "AD", "PR"))):
            revealed = set()
            for direction, text in player.client.traffic:
                if direction == ">":
                    continue
                message = json.loads(text)
                view = message.get("params", {}).get("view")
                events = (view or message.get("result", {})).get("events", [])
                for event in events:
                    if event["ev"] == "game_over":
                        break
                    if event["ev"] in ("revealed", "eliminated", "moved", "supply_removed"):
                        revealed |= enemy_ids(event, nations)
                seen = enemy_ids(message, nations)
                assert seen <= revealed, "%s saw %s\n%s" % (nations, sorted(seen - revealed), text[:600])
                if view:
                    closed = {k: v for k, v in view["board"].items() if k not in OPEN_PARTS}
                    assert not enemy_ids(closed, nations), "%s in %s" % (nations, json.dumps(closed)[:600])
            self.contract.traffic(player.client.traffic, limit=self.contract.seen + 400)
        assert not self.contract.problems, "\n".join(self.contract.problems[:10])

    def test_drafts_are_silent_on_every_method(self):
        tokens = self.seats()
        match = new_match(self.daemon.port, tokens, spectators="public")
        french, allied = [Player(self.daemon, token, match) for token in tokens]
        assert play([french, allied], self.rng,
                    lambda: french.view["state"] == "MOVE" and "FR" in french.view["to_act"]
                    and not french.view["board"].get("marches")), "no movement step"
        public = Player(self.daemon, None, match)
        others = [allied, public]
        # that somebody looks on is told once the row of the match has been read, which may take its time
        allied.client.push("match.changed", lambda told: told.get("watching") == 1)

        def everything(player):
            client = player.client
            return [client.call("match.view", match=match), client.call("match.get", match=match),
                    client.call("match.list", filter="running"),
                    client.call("match.history", match=match),
                    client.call("match.talk", match=match, channel="table"),
                    client.call("match.wait", match=match, after=player.view["seq"], timeout_s=0)]

        for player in others:
            player.refresh()
        before = [everything(player) for player in others]
        started = [len(player.client.traffic) for player in others]
        for round_no in range(100):
            drafts = [form for form in french.view["actions"] if form["do"] == "march"]
            assert drafts, "nothing to draft in round %d" % round_no
            action = pick(drafts, self.rng)
            french.act(action)
            french.act({"do": "unmarch", "units": [item["unit"] for item in action["marches"]]})
        for player in others:
            player.client.poll()
        quiet = [len(player.client.traffic) for player in others]
        after = [everything(player) for player in others]
        assert quiet == started, "messages reached others: %s to %s" % (started, quiet)
        assert before == after, "something changed for others"

    def test_three_seats_play(self):
        tokens = self.seats(3)
        match = new_match(self.daemon.port, tokens, seats=("FR", "AD", "PR"),
                          options={"players": 3, "turns": 4, "morale": True, "command_control": True})
        players = [Player(self.daemon, token, match) for token in tokens]
        assert play(players, self.rng, lambda: players[0].view["state"] == "GAME_OVER"), "no end"
        for player in players:
            self.contract.traffic(player.client.traffic, limit=self.contract.seen + 200)
        assert not self.contract.problems, "\n".join(self.contract.problems[:10])

    def test_deltas_add_up_to_the_views(self):
        tokens = self.seats()
        match = new_match(self.daemon.port, tokens, options={"turns": 2})
        players = [Player(self.daemon, token, match) for token in tokens]
        watcher = Client(self.daemon.port, tokens[0])
        watcher.call("match.watch", match=match, delta=True)
        held = watcher.push("match.view")["view"]
        play(players, self.rng, lambda: players[0].view["seq"] > 40, steps=400)
        watcher.fence()
        for push in watcher.pushes:
            if push["method"] == "match.delta":
                assert push["params"]["from"] == held["seq"], push
                held = merge(held, push["params"]["patch"])
            elif push["method"] == "match.view":
                held = push["params"]["view"]
        assert held == players[0].refresh(), "the patched view differs"

    def test_after_the_end_all_is_open(self):
        tokens = self.seats()
        match = new_match(self.daemon.port, tokens)
        players = [Player(self.daemon, token, match) for token in tokens]
        play(players, self.rng, lambda: players[0].view["state"] == "MOVE", steps=400)
        try:
            players[0].client.call("match.view", match=match, **{"as": "all"})
            raise AssertionError("as: all before the end")
        except Refused as refusal:
            assert refusal.kind in ("forbidden", "conflict"), refusal
        players[0].client.call("match.resign", match=match)
        view = players[1].client.call("match.view", match=match, **{"as": "all"})
        assert len(view["board"]["units"]) + len(view["board"]["lost"]) == 48, view
        summary = players[1].client.call("match.get", match=match)
        assert summary["state"] == "over" and summary["result"]["winners"] == ["AL"], summary
        try:
            players[1].act({"do": "end_movement"})
            raise AssertionError("an action after the end")
        except Refused as refusal:
            assert refusal.kind == "match_over", refusal

    def test_two_bots_finish(self):
        self.bots("random", "waterloo", {"turns": 6})

    def test_two_bots_of_the_other_sides_finish(self):
        self.bots("waterloo", "random", {"turns": 6})

    def bots(self, french, allied, options):
        tokens = self.seats()
        match = new_match(self.daemon.port, tokens, options=options)
        processes = []
        for token, policy in zip(tokens, (french, allied)):
            processes.append(self.cli(["bot", "--policy", policy, "--match", match], token))
        for process in processes:
            out, err = process.communicate(timeout=300)
            assert process.returncode == 0, (process.returncode, out[-500:], err[-500:])
        watcher = Client(self.daemon.port, tokens[0])
        assert watcher.call("match.get", match=match)["state"] == "over"

    def cli(self, command, token, **more):
        env = {**os.environ, "VEDETTE_TOKEN": token, "XDG_CONFIG_HOME": self.home, "NO_COLOR": "1",
               "TERM": "dumb"}
        return subprocess.Popen([self.args.client, "--server", "http://127.0.0.1:%d" % self.daemon.port,
                                 *command], env=env, text=True, stdin=more.get("stdin"),
                                stdout=more.get("stdout", subprocess.PIPE),
                                stderr=more.get("stderr", subprocess.PIPE))

    def test_two_people_play_a_match_in_terminals(self):
        """Two `vedette play --plain` on terminals of their own; each answers its prompts by number."""
        tokens = self.seats()
        match = new_match(self.daemon.port, tokens, options={"turns": 2})
        people = []
        for token in tokens:
            master, slave = pty.openpty()
            process = self.cli(["play", "--plain", match], token, stdin=slave, stdout=slave, stderr=slave)
            os.close(slave)
            people.append([process, master, ""])
        import select
        going = deadline(300)
        while any(p[0].poll() is None for p in people) and going():
            ready, _, _ = select.select([p[1] for p in people], [], [], 1)
            for person in people:
                if person[1] not in ready:
                    continue
                try:
                    person[2] += os.read(person[1], 65536).decode(errors="replace")
                except OSError:
                    continue
                if "The match is over" in person[2]:
                    os.write(person[1], b"quit\n")
                    person[2] = ""
                elif re.search(r"(^|\n)> ?$", person[2]):
                    choices = re.findall(r"^\s*(\d+)[.)] ", person[2], re.M)
                    person[2] = ""
                    answer = self.rng.choice(choices) if choices else "help"
                    os.write(person[1], (answer + "\n").encode())
        for process, master, text in people:
            assert process.poll() == 0, (process.poll(), text[-800:])
            os.close(master)
        assert Client(self.daemon.port, tokens[0]).call("match.get", match=match)["state"] == "over"

    # ---- running them ----

    def run(self):
        self.home = tempfile.mkdtemp(prefix="vedette-home-")
        self.daemon = Daemon(self.args.daemon, config="[limits]\nrates = off\n").start()
        passed, failed = run_tests(self, self.args.only)
        print("%d passed, %d failed" % (passed, failed))
        return 1 if failed else 0


def merge(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), value)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    return Suite(args).run()


if __name__ == "__main__":
    sys.exit(main())
