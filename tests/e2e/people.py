#!/usr/bin/env python3
"""Reports of other servers, held against seats that change hands, channels and late spectators. Ends with "N passed, N failed".

  BR-02  only acting was checked, not looking          test_br02_a_seat_that_is_gone_opens_nothing_any_more
                                                       test_br02_late_spectators_are_told_by_no_method_of_the_present
  BR-05  talk was open to who asked for it             test_br05_what_is_said_on_a_channel_stays_on_it
  BR-08  a code opened a seat twice                    test_br08_an_offered_seat_goes_to_one_of_twenty
                                                       test_br08_after_the_recall_the_borrower_does_nothing
"""
import argparse
import http.client
import json
import os
import random
import shutil
import sys
import tempfile
import time

from run import Player, play
from suite import run_tests
from wire import Client, Daemon, Refused, new_match, register

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOUR = 3600000


def methods_with(name):
    with open(os.path.join(TOP, "schema", "openrpc.json"), encoding="utf-8") as file:
        methods = json.load(file)["methods"]
    return [m for m in methods if any(p["name"] == name for p in m["params"])]


def heard(client):
    client.fence()
    return "\n".join(text for direction, text in client.traffic if direction == "<")


class Suite:
    def __init__(self, args, daemon):
        self.args, self.daemon = args, daemon
        self.rng = random.Random(args.seed)
        self.serial = 0

    def account(self, stem="person"):
        self.serial += 1
        name = "%s-%d" % (stem, self.serial)
        return name, register(self.daemon.port, name)

    def client(self, token=None):
        return Client(self.daemon.port, token)

    def match(self, count=2, **params):
        codes = ("FR", "AL") if count == 2 else ("FR", "AD", "PR")
        people = [self.account() for _ in codes]
        params["options"] = {"players": count, **params.get("options", {})}
        if params.get("spectators") == "delayed":
            maker = self.client(people[0][1])
            match = maker.call("match.create", game="waterloo", seat="FR", **params)["match"]
            for (_, token), code in zip(people[1:], codes[1:]):
                self.client(token).call("match.join", match=match, seat=code, consent=True)
        else:
            match = new_match(self.daemon.port, [token for _, token in people], codes, **params)
        return match, people

    def refusal(self, call, *args, **params):
        try:
            result = call(*args, **params)
        except Refused as refused:
            return refused.error
        raise AssertionError("not refused: %s %s: %s" % (args, params, json.dumps(result)[:300]))

    def everything(self, client, match):
        """What the client gets by asking, refusals too."""
        answers = []
        for method, params in (
                ("match.get", {}), ("match.view", {}), ("match.history", {"from": 0}), ("match.replay", {"seq": 1}),
                ("match.talk", {"channel": "table"}), ("match.talk", {"channel": "side"}),
                ("match.talk", {"channel": "watchers"}), ("match.wait", {"after": 0, "timeout_s": 0}),
                ("match.receipt", {}), ("match.record", {}), ("match.clock", {}), ("match.note", {}),
                ("match.report", {"channel": "side", "n": 1, "text": "what"}),
                ("match.read", {"channel": "side", "n": 1}), ("match.read", {"channel": "watchers", "n": 1})):
            try:
                answers.append(client.call(method, match=match, **params))
            except Refused as refused:
                answers.append(refused.error)
        for which in ("open", "running", "finished", "vacant"):
            answers.append(client.call("match.list", filter=which, limit=100))
        for answer in answers:  # a receipt is of its moment
            for member in ("time", "signature"):
                answer.pop(member, None)
        return json.dumps(answers)

    def page(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        connection.request("GET", path)
        body = connection.getresponse().read().decode(errors="replace")
        connection.close()
        return body

    # ---- BR-02 ----

    def params_of(self, method, match):
        values = {"seq": 1, "after": 0, "timeout_s": 0, "channel": "table", "limit": 5, "from": 0, "delta": False,
                  "question": {"ask": "reach", "unit": "AD-A"}, "action": {"do": "confirm_setup"}, "match": match,
                  "what": "draw", "offer": 1, "accept": False, "lost": True, "text": "x", "version": 0}
        if method["name"] == "match.draft":
            values["actions"] = [values["action"]]
        if method["name"] == "match.standing":
            values["orders"] = []
        return {p["name"]: values[p["name"]] for p in method["params"] if p["name"] in values}

    def test_br02_a_seat_that_is_gone_opens_nothing_any_more(self):
        """Who had the Allied seat, by loan or until another took it over: no method names it for him, by whatever carriage."""
        match, people = self.match(spectators="public", access="open")
        holder = self.client(people[1][1])
        lent, token = self.account()
        holder.call("match.lend", match=match, name=lent, until=int(time.time() * 1000) + HOUR)
        borrower = self.client(token)
        borrower.call("match.watch", match=match)
        borrower.push("match.view")
        borrower.call("match.act", match=match, seq=borrower.call("match.view", match=match)["seq"],
                      action={"do": "place", "placements": [{"unit": "AD-A", "town": "ghent"}]})
        holder.call("match.watch", match=match)
        holder.call("match.recall", match=match)
        holder.call("match.vacate", match=match)
        newcomer = self.client(self.account()[1])
        newcomer.call("match.substitute", match=match, seat="AL")
        for client in (borrower, holder):
            client.push("match.changed", lambda p: p.get("unwatched") == "AL")
        at = [len(client.traffic) for client in (borrower, holder)]
        place = {"do": "place", "placements": [{"unit": "AD-B", "town": "ghent"}]}
        newcomer.call("match.act", match=match, seq=newcomer.call("match.view", match=match)["seq"], action=place)
        tried = 0
        for client, token in ((borrower, token), (holder, people[1][1])):
            for method in methods_with("as"):
                if method["name"] == "match.unwatch":
                    continue
                params = {**self.params_of(method, match), "as": "AL"}
                errors = [self.refusal(client.call, method["name"], **params)]
                if method["name"] != "match.watch":
                    answer = self.daemon.rpc({"jsonrpc": "2.0", "id": 1, "method": method["name"], "params": params}, token)
                    errors.append(json.loads(answer[1])["error"])
                assert {e["data"]["kind"] for e in errors} == {"forbidden"}, (method["name"], errors)
                tried += len(errors)
        assert tried > 40, tried
        for client, begin in zip((borrower, holder), at):
            client.fence()
            later = "\n".join(text for direction, text in client.traffic[begin:] if direction == "<")
            assert "AD-B" not in later and '"as":"AL"' not in later, later[:500]

    def test_br02_late_spectators_are_told_by_no_method_of_the_present(self):
        match, people = self.match(spectators="delayed", delay=2, access="open")
        players = [Player(self.daemon, token, match) for _, token in people]
        guest = self.client(self.account()[1])
        guest.call("match.watch", match=match)
        assert play(players, self.rng, lambda: players[0].view["turn"].get("slot", 0) == 4, steps=6000), "no slot 4"
        late = guest.call("match.view", match=match)
        assert late["turn"]["slot"] == 2, late["turn"]
        shown = late["seq"]
        word = "now-%032x" % self.rng.getrandbits(128)
        for player in players:
            player.client.call("match.say", match=match, channel="table", text=word)
        before = self.everything(guest, match)
        assert word not in before
        # Whatever is done within the turn: not a byte of it.
        for _ in range(40):
            for player in players:
                if player.refresh()["turn"]["slot"] != 4:
                    break
                forms = [form for form in player.view.get("actions", []) if form["do"] in ("march", "unmarch", "fire")]
                if forms:
                    from wire import pick
                    player.act(pick(self.rng.choice(forms), self.rng))
        assert players[0].refresh()["turn"]["slot"] == 4
        assert self.everything(guest, match) == before
        for method in methods_with("as"):
            for viewer in ("FR", "AL", "public"):
                params = {**self.params_of(method, match), "as": viewer}
                if method["name"] == "match.unwatch":
                    continue
                error = self.refusal(guest.call, method["name"], **params)
                assert error["data"]["kind"] in ("conflict", "forbidden"), (method["name"], error)
        for number in range(shown + 1, shown + 200, 13):
            error = self.refusal(guest.call, "match.replay", match=match, seq=number)
            assert error["data"]["kind"] == "not_found", error
        text = heard(guest)
        newest = players[0].client.call("match.view", match=match, actions=False)["chain"]
        assert word not in text and newest not in text

    # ---- BR-05 ----

    def test_br05_what_is_said_on_a_channel_stays_on_it(self):
        """Words on the allies' and on the spectators' channel: searched for in all that the others get, page and log too."""
        for spectators in ({"spectators": "public"}, {"spectators": "delayed", "delay": 1}):
            match, people = self.match(3, access="open", **spectators)
            french, dutch, prussian = (self.client(token) for _, token in people)
            guest, other = (self.client(self.account()[1]) for _ in range(2))
            nobody = self.client()
            for client in (french, dutch, prussian, guest, other):
                client.call("match.watch", match=match)
            aside, apart = ("%s-%032x" % (kind, self.rng.getrandbits(128)) for kind in ("aside", "apart"))
            dutch.call("match.say", match=match, channel="side", text=aside)
            guest.call("match.say", match=match, channel="watchers", text=apart)
            prussian.push("match.said", lambda p: p["text"] == aside)
            other.push("match.said", lambda p: p["text"] == apart)
            before = self.everything(nobody, match)
            for over in (False, True):
                if over:
                    french.call("match.resign", match=match)
                asks = {client: self.everything(client, match) for client in (french, dutch, prussian, guest, other, nobody)}
                got = {client: heard(client) + asks[client] for client in asks}
                for client in (french, guest, other, nobody):
                    assert aside not in got[client], "the allies' words reached others"
                for client in (dutch, prussian):
                    assert aside in got[client]
                if not over:
                    for client in (french, dutch, prussian, nobody):
                        assert apart not in got[client], "a seat heard the spectators"
                    # One message more or less is nothing that others could count.
                    dutch.call("match.say", match=match, channel="side", text="again")
                    other.call("match.say", match=match, channel="watchers", text="again")
                    assert self.everything(nobody, match) == before
            # After the end the spectators' words are for all; the allies' stay theirs, in the record too.
            assert apart in self.everything(french, match)
            record = french.call("match.record", match=match)["record"]
            pages = [self.page(path) for path in ("/", "/metrics", "/healthz", "/match/" + match)]
            for text in (record, *pages, self.daemon.log_text()):
                assert aside not in text and apart not in text

    # ---- BR-08 ----

    def test_br08_an_offered_seat_goes_to_one_of_twenty(self):
        match, people = self.match(spectators="public", access="open")
        self.client(people[1][1]).call("match.vacate", match=match)
        crowd = [(name, token, self.client(token)) for name, token in (self.account() for _ in range(20))]
        numbers = [(client, client.post("match.substitute", match=match, seat="AL", action_id="take-%d" % i))
                   for i, (_, _, client) in enumerate(crowd)]
        taken, reasons = [], set()
        for i, (client, number) in enumerate(numbers):
            try:
                client.answer(number)
                taken.append(i)
            except Refused as refused:
                reasons.add(refused.error["data"].get("reason"))
        assert len(taken) == 1, taken
        assert reasons <= {"seat_taken", "seat_changes", "seat"}, reasons
        winner = crowd[taken[0]]
        summary = winner[2].call("match.get", match=match)
        assert summary["seats"]["AL"] == {"account": winner[0]}, summary["seats"]
        # The same request again, also after a kill, is the same answer; another's is refused as before.
        self.daemon.kill()
        self.daemon.start()
        again = self.client(winner[1])
        assert again.call("match.substitute", match=match, seat="AL", action_id="take-%d" % taken[0])["you"] == ["AL"]
        loser = self.client(crowd[(taken[0] + 1) % 20][1])
        error = self.refusal(loser.call, "match.substitute", match=match, seat="AL", action_id="take-x")
        assert error["data"]["reason"] == "seat_taken", error
        lines = [event for step in again.call("match.history", match=match, **{"from": 0})["steps"]
                 for event in step["events"] if event["ev"] == "seat_changed"]
        assert [line["how"] for line in lines] == ["vacant", "substitute"], lines

    def test_br08_after_the_recall_the_borrower_does_nothing(self):
        """The borrower acts without end while the lender recalls: what is accepted was so before the recall, nothing after."""
        for _ in range(10):
            match, people = self.match(spectators="public", access="open")
            holder = self.client(people[1][1])
            lent, token = self.account()
            holder.call("match.lend", match=match, name=lent, until=int(time.time() * 1000) + HOUR)
            borrower = self.client(token)
            seq = borrower.call("match.view", match=match)["seq"]
            acts = [borrower.post("match.act", match=match, seq=seq + i,
                                  action={"do": "place", "placements": [{"unit": "AD-A", "town": town}]})
                    for i, town in enumerate(("ghent", "ath", "mons", "hal") * 3)]
            recall = holder.post("match.recall", match=match)
            acts += [borrower.post("match.act", match=match, seq=seq + 12 + i,
                                   action={"do": "place", "placements": [{"unit": "AD-A", "town": town}]})
                     for i, town in enumerate(("ghent", "ath", "mons", "hal") * 3)]
            holder.answer(recall)
            outcomes = []
            for number in acts:
                try:
                    borrower.answer(number)
                    outcomes.append("ok")
                except Refused as refused:
                    outcomes.append(refused.kind)
            assert set(outcomes) <= {"ok", "rate_limited", "forbidden", "stale_state"}, outcomes
            events = [event for step in holder.call("match.history", match=match, **{"from": 0})["steps"]
                      for event in step["events"]]
            back = [i for i, event in enumerate(events) if event.get("how") == "back"]
            assert len(back) == 1, events
            assert not [e for e in events[back[0]:] if e["ev"] == "placed"], events
            assert self.refusal(borrower.call, "match.act", match=match, seq=1,
                                action={"do": "confirm_setup"})["data"]["kind"] == "forbidden"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="vedette-people-")
    daemon = Daemon(args.daemon, folder=folder, config="[limits]\nrates = off\n").start()
    passed, failed = run_tests(Suite(args, daemon), args.only)
    shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
