#!/usr/bin/env python3
"""Whole matches of Austerlitz through the daemon, each option once, with a spectator, an undo now and then and a restart:
all traffic is held against the schemas, no viewer of a semi-blind match is sent the name of a unit that he may not know, and
both verifiers take the record. Ends with "N passed, N failed"."""
import argparse
import json
import os
import random
import subprocess
import sys

from contract import Contract
from suite import run_tests
from wire import Client, Daemon, Refused, pick, register

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "record"))
import verify as own  # noqa: E402  the independent verifier

with open(os.path.join(TOP, "schema", "games", "austerlitz", "oob.json"), encoding="utf-8") as oob:
    UNITS = json.load(oob)["units"]
SIDE = {"FR": "french", "AL": "allied"}


def strange_units(view, viewer):
    """Ids of the enemy (of everybody, for the public) that stand in a view or its events without being turned up."""
    hand = view["board"].get("hand", {"result": "no_die"})
    known = {unit["id"] for event in view.get("events", []) if event["ev"] == "reveal" for unit in event["units"]}
    if hand["result"] != "no_die":
        fighting = {at for name in ("contact", "bombard", "defenders") for at in hand.get(name, [])}
        known |= {unit["id"] for at, unit in view["board"]["units"].items() if at in fighting and "id" in unit}
    text = json.dumps(view)
    hidden = {unit["id"] for unit in UNITS if unit["side"] != SIDE.get(viewer)}
    return {unit for unit in hidden - known if '"%s"' % unit in text}


class Suite:
    def __init__(self, args):
        self.args = args
        self.daemon = Daemon(args.daemon, config="[limits]\nrates = off\n").start()
        self.contract = Contract("austerlitz")
        self.random = random.Random(args.seed)
        self.serial = 0

    def seat_two(self, options):
        self.serial += 1
        tokens = [register(self.daemon.port, "officer-%d-%d" % (self.serial, i)) for i in range(2)]
        clients = [Client(self.daemon.port, token) for token in tokens]
        match = clients[0].call("match.create", game="austerlitz", seat="FR", spectators="public",
                                options=options)["match"]
        clients[1].call("match.join", match=match, seat="AL")
        return match, tokens, clients

    def look(self, client, match, viewer, semi_blind):
        view = client.call("match.view", match=match)
        self.contract.view(view, viewer)
        if semi_blind:
            strange = strange_units(view, viewer)
            assert not strange or view["state"] == "OVER", (viewer, strange, view)
        return view

    def plan(self, actor, match, view, action, semi_blind):
        """What the seat would see with the action done."""
        planned = actor.call("match.plan", match=match, seq=view["seq"], actions=[action])
        assert "refused" not in planned and "plan" not in planned, planned
        assert not semi_blind or not strange_units({**view, **planned["view"]}, view["as"]), planned
        return planned["view"]

    @staticmethod
    def compare(planned, view, after):
        """What can be taken back was shown by the plan as it came; of what binds nothing was."""
        assert planned["board"] == (after if after.get("undo") else view)["board"], (planned, view, after)

    def play(self, options, lines_max=100000):
        """A match of random clients; its record."""
        semi_blind = options.get("information") == "semi-blind"
        match, tokens, clients = self.seat_two(options)
        public, lines = Client(self.daemon.port), 0
        restart = self.random.randrange(20, 120)
        while True:
            view = self.look(clients[lines % 2], match, ("FR", "AL")[lines % 2], semi_blind)
            if view["state"] == "OVER":
                break
            seat = view["to_act"][0]
            actor = clients[("FR", "AL").index(seat)]
            view = self.look(actor, match, seat, semi_blind)
            if lines % 16 == 0:
                self.look(public, match, "public", semi_blind)
            if lines == lines_max:
                actor.call("match.resign", match=match)
                lines += 1
                continue
            forms = view["actions"]
            assert len(json.dumps(forms, separators=(",", ":"))) <= 8192
            form = forms[0] if self.random.random() < 0.1 else self.random.choice(forms)
            action = pick(form, self.random)
            planned = self.plan(actor, match, view, action, semi_blind) if lines % 4 == 0 else None
            actor.call("match.act", match=match, seq=view["seq"], action=action)
            if planned is not None:
                self.compare(planned, view, actor.call("match.view", match=match))
            if self.random.random() < 0.05:
                after = actor.call("match.view", match=match)
                if after.get("undo"):
                    actor.call("match.undo", match=match, seq=after["seq"])
            lines += 1
            if lines == restart:
                self.daemon.stop()
                self.daemon.start()
                clients = [Client(self.daemon.port, token) for token in tokens]
                public = Client(self.daemon.port)
        record = clients[0].call("match.record", match=match)
        assert not self.contract.problems, self.contract.problems[:3]
        for client in clients + [public]:
            client.close()
        return record, lines

    def verify(self, record):
        data = record["record"].encode()
        own.verify(data, [])
        path = os.path.join(self.daemon.folder, "record-%d" % self.serial)
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run([self.args.client, "verify", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def test_informed_1805(self):
        self.verify(self.play({})[0])

    def test_semi_blind_dealt_1809_guard(self):
        record, lines = self.play({"information": "semi-blind", "situation": "1809", "guard_1805": True, "strengths": "dealt"})
        self.verify(record)
        print("%d lines" % lines)

    def test_semi_blind_printed_1813_resigned(self):
        self.verify(self.play({"information": "semi-blind", "situation": "1813"}, 150)[0])

    def terminal(self, home, *args):
        """What `vedette` says as the person of that home, and its exit status."""
        os.makedirs(home, exist_ok=True)
        env = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home,
               "VEDETTE_PASSWORD": "correct horse battery"}
        done = subprocess.run([self.args.client, "--server", "http://127.0.0.1:%d" % self.daemon.port, "--json", *args],
                              env=env, capture_output=True, text=True, check=False, timeout=120)
        return done.stdout, done.returncode

    def test_terminals_put_nonces_into_a_match_that_draws_early(self):
        homes = [os.path.join(self.daemon.folder, name) for name in ("ney", "bagration")]
        for home in homes:
            assert self.terminal(home, "register", os.path.basename(home))[1] == 0
        out, code = self.terminal(homes[0], "new", "austerlitz", "--seat", "FR", "--option", "strengths=dealt")
        assert code == 0, out
        match = json.loads(out.splitlines()[-1])["match"]
        assert self.terminal(homes[1], "join", match, "--seat", "AL")[1] == 0
        assert self.terminal(homes[1], "show", match)[1] == 1  # the other nonce is still awaited
        out, code = self.terminal(homes[0], "show", match)
        assert code == 0 and json.loads(out)["state"] == "MOVE", out
        assert self.terminal(homes[1], "act", match, '{"do":"end_move"}')[1] == 0

    def test_options_that_do_not_go_together_are_refused(self):
        token = register(self.daemon.port, "quartermaster")
        client = Client(self.daemon.port, token)
        for options in ({"guard_1805": True}, {"situation": "1812"}, {"players": 3}, {"strengths": "guessed"}):
            try:
                client.call("match.create", game="austerlitz", seat="FR", options=options)
                raise AssertionError("taken: %s" % options)
            except Refused as refused:
                assert refused.kind == "invalid_params", refused


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    passed, failed = run_tests(Suite(args), args.only)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
