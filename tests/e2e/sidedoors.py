#!/usr/bin/env python3
"""Side doors: what is not in a view, but might show something all the same. The daemon runs as a process. Ends with
"N passed, N failed"."""
import argparse
import http.client
import json
import random
import sys
import traceback

from reports import Keen, refusal
from run import Player, play
from wire import Client, Daemon, new_match, pick, register

SEALED = ("confirm_setup", "end_movement", "end_response", "end_combat_turn", "fire")


class Suite:
    def __init__(self, daemon, seed):
        self.daemon = daemon
        self.rng = random.Random(seed)
        self.serial = 0

    def token(self):
        self.serial += 1
        return register(self.daemon.port, "door-%d" % self.serial)

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        connection.request("GET", path)
        body = connection.getresponse().read()
        connection.close()
        return body

    # ---- lists of actions ----

    def test_a_list_never_sees_a_die_and_thinks_again(self):
        """Whatever draws or seals may stand last in a list alone; else it is refused for that, the dice unseen."""
        tried, rolls = 0, 0
        while tried < 40 or rolls < 10:
            tokens = [self.token(), self.token()]
            match = new_match(self.daemon.port, tokens)
            players = [Keen(self.daemon, token, match) for token in tokens]
            while players[0].refresh()["state"] != "GAME_OVER":
                for player in players:
                    if not player.refresh().get("actions"):
                        continue
                    action = player.best(self.rng)
                    if action["do"] in SEALED and player.view["state"] not in ("RESPOND", "PURSUIT_LOSS"):
                        self.try_lists(player, match, action)
                        tried += 1
                    player.act(action)
                    if player.view["state"] == "GAME_OVER":
                        break
            lines = [json.loads(line) for line in players[0].client.call(
                "match.record", match=match)["record"].splitlines()[:-1]]
            numbers = [line["roll"] for line in lines if "roll" in line]
            assert numbers == list(range(1, len(numbers) + 1)), "a refused list used up a roll"
            rolls += len(numbers)

    def try_lists(self, player, match, action):
        before = player.view
        answers = set()
        for second in (action, {"do": "end_movement"}, {"do": "no such thing"}, pick(player.view["actions"], self.rng)):
            for method in ("match.act", "match.try"):
                error = refusal(player.client.call, method, match=match, seq=before["seq"], actions=[action, second])
                answers.add(json.dumps(error))
        # Said before it is rolled: the words are the same whatever would have come of it, and whatever follows.
        assert len(answers) == 1, (action, answers)
        error = json.loads(answers.pop())
        assert error["data"] == {"kind": "conflict", "reason": "list"}, (action, error)
        assert player.refresh() == before, "a refused list left something"

    # ---- quiet actions ----

    def everything(self, client, matches):
        """All that one who is not told can ask for, of several matches."""
        answers = [self.get("/metrics"), self.get("/healthz"), client.call("account.profile", name="door-1")]
        for which in ("open", "running", "finished"):
            answers.append(client.call("match.list", filter=which, limit=100))
        for match in matches:
            seq = client.call("match.view", match=match)["seq"]
            answers += [client.call("match.get", match=match), client.call("match.view", match=match),
                        client.call("match.history", match=match, limit=100),
                        client.call("match.talk", match=match, channel="table"),
                        client.call("match.replay", match=match, seq=seq),
                        client.call("match.wait", match=match, after=seq, timeout_s=0)]
        return [json.dumps(a) if not isinstance(a, bytes) else a for a in answers]

    def quiet_acts(self, client, match, seat):
        """Thirty quiet things of a seat, by the connection or by POST; returns how many were taken."""
        done = 0
        for round_no in range(30):
            view = client.call("match.view", match=match)
            forms = [f for f in view.get("actions", []) if f["do"] in ("place", "march", "unmarch")]
            if forms:
                client.call("match.act", match=match, seq=view["seq"], action=pick(forms, self.rng))
                done += 1
            for method, params in (("match.note", {"text": "n%d" % round_no}),
                                   ("match.draft", {"version": round_no, "actions": [{"do": "end_movement"}]}),
                                   ("match.try", {"seq": view["seq"], "action": {"do": "end_movement"}})):
                try:
                    client.call(method, match=match, **params)
                except Exception:  # pylint: disable=broad-except
                    pass
        if view.get("undo"):
            client.call("match.undo", match=match, seq=client.call("match.view", match=match)["seq"])
        return done

    def test_quiet_actions_show_nowhere(self):
        """Set-up, marches, notes and drafts: others' lists, numbers, presence, metrics and pushes stay as they are."""
        tokens = [self.token(), self.token()]
        matches = [new_match(self.daemon.port, tokens, spectators="public") for _ in range(3)]
        clients = [Client(self.daemon.port, token) for token in tokens]
        guest, stranger = Client(self.daemon.port), Client(self.daemon.port, self.token())
        for client in (guest, stranger):
            for match in matches:
                client.call("match.watch", match=match, delta=True)
        for client in (guest, stranger):  # how many look on is told by real time
            while not all(any(push["params"].get("match") == match and push["params"].get("watching") == 2
                              for push in client.pushes) for match in matches):
                client.pump()
        tried = set()
        for _ in range(400):
            view = clients[0].call("match.view", match=matches[1])
            seat = 0 if "FR" in view["to_act"] else 1
            if view["state"] == "GAME_OVER" or tried >= {"SETUP_ALLIED", "SETUP_FRENCH", "MOVE"}:
                break
            view = clients[seat].call("match.view", match=matches[1])
            if view["state"] not in tried and view["state"] in ("SETUP_ALLIED", "SETUP_FRENCH", "MOVE"):
                tried.add(view["state"])
                others = [clients[1 - seat], guest, stranger]
                for client in others:
                    client.fence()
                before = [self.everything(client, matches) for client in others]
                counts = [len(client.pushes) for client in others]
                assert self.quiet_acts(clients[seat], matches[1], seat) > 10, view["state"]
                for client in others:
                    client.fence()
                assert counts == [len(client.pushes) for client in others], "something was pushed"
                after = [self.everything(client, matches) for client in others]
                for there, here in zip(before, after):
                    for a, b in zip(there, here):
                        assert a == b, "it shows in %s: %s / %s" % (view["state"], a[:300], b[:300])
                view = clients[seat].call("match.view", match=matches[1])
            ends = [f for f in view["actions"] if f["do"] in ("confirm_setup", "end_movement")]
            clients[seat].call("match.act", match=matches[1], seq=view["seq"], action=pick(ends or view["actions"], self.rng))
        assert tried == {"SETUP_ALLIED", "SETUP_FRENCH", "MOVE"}, tried

    def test_who_acts_without_watching_is_not_here(self):
        """Presence is told of those who look at a match, never of those who act by requests."""
        tokens = [self.token(), self.token()]
        match = new_match(self.daemon.port, tokens, spectators="public")
        players = [Player(self.daemon, token, match) for token in tokens]
        play(players, self.rng, lambda: players[0].view["state"] == "MOVE", steps=2000)
        watcher = Client(self.daemon.port)
        watcher.call("match.watch", match=match)
        watcher.push("match.changed", lambda params: params.get("watching") == 1)
        players[0].client.close()
        watcher.push("match.changed", lambda params: params.get("presence", {}).get("FR") == "away")
        watcher.fence()
        before, pushes = self.presence(players[1].client, match), len(watcher.pushes)
        for number in range(10):
            answer = json.loads(self.daemon.rpc({"jsonrpc": "2.0", "id": number, "method": "match.view",
                                                 "params": {"match": match}}, tokens[0])[1])["result"]
            forms = [f for f in answer.get("actions", []) if f["do"] in ("march", "unmarch")]
            if forms:
                self.daemon.rpc({"jsonrpc": "2.0", "id": number, "method": "match.act", "params": {
                    "match": match, "seq": answer["seq"], "action": pick(forms, self.rng)}}, tokens[0])
        watcher.fence()
        assert self.presence(players[1].client, match) == before
        assert len(watcher.pushes) == pushes, watcher.pushes[pushes:]

    @staticmethod
    def presence(client, match):
        return client.call("match.get", match=match).get("presence", {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    daemon = Daemon(args.daemon, config="[limits]\nrates = off\n").start()
    suite = Suite(daemon, args.seed)
    passed = failed = 0
    for name in [n for n in dir(suite) if n.startswith("test_")]:
        if args.only and not any(part in name for part in args.only):
            continue
        try:
            getattr(suite, name)()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAILED " + name)
            traceback.print_exc(file=sys.stdout)
    if daemon.stop() != 0:
        failed += 1
        print("the daemon did not stop in good order\n" + daemon.log_text()[-4000:])
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
