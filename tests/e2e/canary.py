#!/usr/bin/env python3
"""Canaries: what nobody else may know is planted, everything that anybody else can get hold of is kept, and
searched for it. The daemon runs as a process and logs all it can. Ends with "N passed, N failed"."""
import argparse
import base64
import http.client
import json
import random
import re
import subprocess
import sys
import traceback

from contract import load
from wire import Client, Daemon, Gone, Refused, pick

UNIT = re.compile(r"\b(?:FR|AD|PR)-[A-R]\b")
# Every method that takes a match, with what else it asks for.
ON_A_MATCH = {
    "match.act": {"seq": 1, "action": {"do": "confirm_setup"}}, "match.ask": {"question": {"ask": "capacity", "side": "FR"}},
    "match.get": {}, "match.history": {}, "match.join": {}, "match.leave": {}, "match.replay": {"seq": 1},
    "match.resign": {}, "match.say": {"channel": "table", "text": "x"}, "match.start": {},
    "match.talk": {"channel": "table"}, "match.try": {"seq": 1, "action": {"do": "confirm_setup"}}, "match.plan": {"seq": 1},
    "match.undo": {"seq": 1}, "match.unwatch": {}, "match.view": {}, "match.wait": {"after": 0, "timeout_s": 1},
    "match.watch": {}, "match.receipt": {}, "match.record": {}, "match.nonce": {"lost": True},
    "match.offer": {"what": "draw"}, "match.answer": {"offer": 1, "accept": True}, "match.note": {},
    "match.draft": {}, "match.rematch": {}, "match.seen": {"seq": 0}, "match.notices": {},
    "match.bot": {}, "match.substitute": {"seat": "AL"}, "match.lend": {"name": "Nobody", "until": 4000000000000},
    "match.recall": {}, "match.kick": {"name": "Nobody"}, "match.vacate": {},
    "match.clock": {}, "match.claim": {"what": "win"}, "match.standing": {}, "match.held": {},
    "match.read": {"channel": "table", "n": 1}, "match.mute": {"name": "Nobody"},
    "match.report": {"name": "Nobody", "text": "x"},
}
METHODS = load("openrpc.json")["methods"]
TAKES_AS = tuple(m["name"] for m in METHODS if any(p["name"] == "as" for p in m["params"]))
assert set(ON_A_MATCH) == {m["name"] for m in METHODS if any(p["name"] == "match" for p in m["params"])}, \
    "a method of a match is not asked by those outside"


class Person:
    """An account with secrets of its own."""

    def __init__(self, suite, stem):
        self.name = "%s-%d" % (stem, suite.rng.randrange(10 ** 9))
        self.email = suite.canary(stem + ".mail") + "@example.org"
        self.password = suite.canary(stem + ".password")
        self.client = Client(suite.daemon.port)
        self.client.call("server.hello", client=suite.canary(stem + ".program")[:60])
        self.token = self.client.call("account.register", name=self.name, password=self.password,
                                      email=self.email)["token"]
        self.label = suite.canary(stem + ".label")
        self.bot = self.client.call("account.token", label=self.label, scope="read")["token"]
        self.secrets = {self.email, self.password, self.token, self.label, self.bot}

    def heard(self):
        return "\n".join(text for direction, text in self.client.traffic if direction == "<")


class Suite:
    def __init__(self, daemon, seed):
        self.daemon = daemon
        self.rng = random.Random(seed)
        self.planted = {}  # canary -> what it is
        self.http = []     # what HTTP answered to those outside

    def canary(self, what):
        text = "canary-%s-%012x" % (what, self.rng.getrandbits(48))
        self.planted[text] = what
        return text

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read().decode(errors="replace")
        headers = str(answer.headers)
        connection.close()
        self.http.append(headers + body)
        return body

    def found(self, secrets, texts):
        """Those of the secrets that stand in one of the texts, also as base64 of either kind or with escapes."""
        found = []
        for secret in secrets:
            raw = secret.encode()
            forms = {secret, json.dumps(secret)[1:-1], raw.hex(),
                     base64.b64encode(raw).decode().rstrip("=")[:-1],
                     base64.urlsafe_b64encode(raw).decode().rstrip("=")[:-1]}
            found += [(secret, where) for where, text in texts.items() if any(f in text for f in forms)]
        return found

    def outside(self, person, match, guest):
        """All that one who is not in the match asks for: both by WebSocket and by POST."""
        names = {"player": person.name}
        calls = [(method, {"match": match, **params}) for method, params in ON_A_MATCH.items()]
        calls += [(method, {"match": match, "as": viewer, **ON_A_MATCH[method]}) for method in TAKES_AS
                  for viewer in ("FR", "AL", "AD", "public", "all")]
        calls += [("match.list", {"filter": f, **more}) for f in ("open", "running", "finished")
                  for more in ({}, names)]
        calls += [("account.profile", {"name": person.name}), ("account.export", {}), ("account.get", {}),
                  ("account.tokens", {}), ("match.list", {"filter": "mine"})]
        for client, token in guest:
            for method, params in calls:
                try:
                    client.call(method, **params)
                except Refused:
                    pass
                if method not in ("match.watch", "match.unwatch"):
                    self.http.append(self.daemon.rpc({"jsonrpc": "2.0", "id": 1, "method": method,
                                                      "params": params}, token)[1].decode())
        for path in ("/metrics", "/healthz", "/", "/games", "/nothing", "/rpc", "/ws"):
            self.get(path)

    def closed_match(self, seats, access, options):
        """A match that only its seats may know, with a title and talk."""
        people = [Person(self, seat) for seat in seats]
        title, talk = self.canary("title"), self.canary("talk")
        made = people[0].client.call("match.create", game="waterloo", seat=seats[0], access=access, title=title,
                                     options=options, spectators="none", action_id=self.canary("action-id"))
        codes = {seat: state["code"] for seat, state in made["seats"].items() if "code" in state}
        for seat, person in zip(seats[1:], people[1:]):
            person.client.call("match.join", match=made["match"], seat=seat, code=codes[seat])
        for person in people:
            person.client.call("match.watch", match=made["match"])
            person.client.call("match.say", match=made["match"], channel="table", text=talk)
            note, draft = self.canary("note"), self.canary("draft")
            person.client.call("match.note", match=made["match"], text=note)
            person.client.call("match.draft", match=made["match"], version=0, actions=[{"do": draft}])
            person.secrets |= {note, draft}
        return made["match"], people, {title, talk, *codes.values()}

    # ---- tests ----

    def test_a_closed_match_is_like_none(self):
        """To a stranger and a guest every method answers for it as for a match that does not exist."""
        stranger = Person(self, "stranger")
        nobody = Client(self.daemon.port)
        for access in ("private", "invite"):
            match, _, _ = self.closed_match(["FR", "AL"], access, {})
            missing = "a" * len(match)
            differ = []
            for client in (stranger.client, nobody):
                for method, params in ON_A_MATCH.items():
                    for viewer in ("", "FR", "AL", "public", "all") if method in TAKES_AS else ("",):
                        extra = {"as": viewer} if viewer else {}
                        answers = []
                        for name in (match, missing):
                            try:
                                answers.append(client.call(method, match=name, **params, **extra))
                            except Refused as refused:
                                answers.append(refused.error)
                        if json.dumps(answers[0]).replace(match, missing) != json.dumps(answers[1]):
                            differ.append((access, method, viewer, answers))
            assert not differ, differ[:5]

    def test_nothing_private_is_heard_by_anybody_else(self):
        match, people, secrets = self.closed_match(["FR", "AD", "PR"], "private", {"players": 3})
        rng = self.rng
        for _ in range(60):
            for person in people:
                view = person.client.call("match.view", match=match)
                if view.get("actions"):
                    person.client.call("match.act", match=match, seq=view["seq"],
                                       action=pick(view["actions"], rng))
        stranger = Person(self, "stranger")
        nobody = Client(self.daemon.port)
        self.outside(people[0], match, [(stranger.client, stranger.token), (nobody, None)])
        texts = {"stranger": stranger.heard(),
                 "guest": "\n".join(t for d, t in nobody.traffic if d == "<"), "http": "\n".join(self.http)}
        everything = secrets.union(*(p.secrets for p in people), {c for c in self.planted if "action-id" in c})
        own = {s for s in everything if s in stranger.secrets}
        assert not self.found(everything - own, texts), self.found(everything - own, texts)[:5]
        assert not UNIT.search(texts["stranger"] + texts["guest"]), "a unit was named"
        heard = "\n".join(person.heard() for person in people)
        assert len(self.found(secrets | people[1].secrets, {"seats": heard})) >= len(secrets) + 2, "no control"
        for person in people:  # each hears what is said in the match, but nothing of the others' own
            others = set().union(*(p.secrets for p in people if p is not person))
            assert not self.found(others, {person.name: person.heard()})

    def test_a_referee_is_heard_by_the_seats_and_hears_nothing_private(self):
        """He sees every unit; the seats hear why, strangers hear nothing; notes, drafts and what was said are not his."""
        match, people, secrets = self.closed_match(["FR", "AL"], "private", {})
        stranger, nobody = Person(self, "stranger"), Client(self.daemon.port)
        referee = Person(self, "referee")
        subprocess.run([self.daemon.binary, "--database", self.daemon.database, "account", "role", referee.name, "referee", "on"],
                       check=True, timeout=60)
        try:  # the daemon closes what was signed in before
            while True:
                referee.client.pump()
        except Gone:
            referee.client = Client(self.daemon.port, referee.token)
        reason = self.canary("reason")
        asked = (("match.view", {}), ("match.watch", {}), ("match.history", {}), ("match.replay", {"seq": 1}),
                 ("match.ask", {"question": {"ask": "capacity", "side": "FR"}}), ("match.wait", {"after": 0, "timeout_s": 0}))
        for method, params in asked:
            referee.client.call(method, match=match, **{"as": "all"}, reason=reason, **params)
        for person in people:
            person.client.push("match.view", lambda params: reason in json.dumps(params["view"]["events"]))
        self.outside(people[0], match, [(stranger.client, stranger.token), (nobody, None)])
        texts = {"stranger": stranger.heard(), "guest": "\n".join(t for d, t in nobody.traffic if d == "<"),
                 "http": "\n".join(self.http)}
        assert not self.found({reason}, texts), self.found({reason}, texts)
        told = referee.heard()
        assert UNIT.search(told), "he sees no unit"
        private = secrets.union(*(person.secrets for person in people))
        assert not self.found(private, {"referee": told}), self.found(private, {"referee": told})[:5]

    def test_hidden_units_stay_hidden_on_every_channel(self):
        """Enemy, spectator and guest of an open match: no id before it lies open, by no way of asking. How long a match of
        chance lasts is for the dice to say: as many are played as it takes."""
        people = [Person(self, seat) for seat in ("FR", "AL")]
        outsiders = Person(self, "spectator"), Client(self.daemon.port)
        asked = 0
        while asked <= 5:
            self.http.clear()
            times, open_now = self.hidden_match(people, *outsiders)
            asked += times
            named = set(UNIT.findall("\n".join(self.http)))
            assert named <= open_now, named - open_now

    def hidden_match(self, people, stranger, nobody):
        """One match, up to its last turn or its end: how often those outside asked for all, and the units that lay open."""
        match = people[0].client.call("match.create", game="waterloo", seat="FR", spectators="public",
                                      options={"turns": 16})["match"]
        people[1].client.call("match.join", match=match, seat="AL")
        watching = {"FR": people[0].client, "AL": people[1].client, "spectator": stranger.client, "guest": nobody}
        for client in watching.values():
            client.call("match.watch", match=match)
        open_now, asked = set(), 0
        for step in range(400):
            for person in people:
                view = person.client.call("match.view", match=match)
                if not view.get("actions"):
                    continue
                if view["turn"]["slot"] == view["turn"]["of"] - 1:
                    break
                done = person.client.call("match.act", match=match, seq=view["seq"],
                                          action=pick(view["actions"], self.rng))
                open_now |= self.lies_open(done["events"])
                if any(event["ev"] == "game_over" for event in done["events"]):
                    break
            view = nobody.call("match.view", match=match)
            if view["state"] == "GAME_OVER" or view["turn"]["slot"] == view["turn"]["of"] - 1:
                break  # after the end all lies open
            if step % 20 == 0:
                asked += 1
                self.outside(people[0], match, [(stranger.client, stranger.token), (nobody, None)])
            for viewer, client in watching.items():
                client.fence()
                open_now |= self.lies_open([e for push in client.pushes for e in
                                            push["params"].get("view", {}).get("events", [])])
                client.pushes.clear()
                own = {"FR": ("FR",), "AL": ("AD", "PR")}.get(viewer, ())
                while client.traffic:
                    direction, text = client.traffic.pop(0)
                    named = {u for u in UNIT.findall(text) if u[:2] not in own} if direction == "<" else set()
                    assert named <= open_now, "%s heard of %s: %s" % (viewer, named - open_now, text[:500])
        if view["state"] != "GAME_OVER":
            people[0].client.call("match.resign", match=match)
        for client in watching.values():  # what the end shows is nobody's secret
            client.fence()
            client.pushes.clear()
            client.traffic.clear()
        return asked, open_now

    @staticmethod
    def lies_open(events):
        """Units that an event shows to all, or whose end it tells."""
        named = set()
        for event in events:
            if event["ev"] in ("revealed", "eliminated", "moved", "supply_removed", "fired", "morale"):
                named |= set(UNIT.findall(json.dumps(event)))
        return named

    def test_zz_the_log_at_its_loudest_and_the_pages_name_no_secret(self):
        """Last: all canaries, all unit ids, all tokens, in the log of everything above."""
        log = self.daemon.log_text()
        assert "level=debug" in log, "the log is not loud"
        assert not self.found(self.planted, {"log": log}), self.found(self.planted, {"log": log})[:5]
        assert not UNIT.search(log), UNIT.search(log).group(0)
        pages = self.get("/metrics") + self.get("/healthz")
        assert not self.found(self.planted, {"pages": pages}) and not UNIT.search(pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    daemon = Daemon(args.daemon, config="[server]\nlog_level = debug\n[limits]\nrates = off\n").start()
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
            traceback.print_exc()
    daemon.stop()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
