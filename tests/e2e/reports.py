#!/usr/bin/env python3
"""Bug reports that other servers had, played against ours: the daemon runs as a process, clients are of our making.

A report is a way in which others lost a secret, a move or a die. Its test is named by its number and asks for what is
right; `reports.py --list` prints the table. Ends with "N passed, N failed".

  BR-01  a copy of the starting state reached everybody           test_br01_first_sync
  BR-02  moves were checked, looking was not                      test_br02_looking_is_checked_as_acting_is
  BR-03  a spectator was sent more than the players               test_br03_spectators_of_twins_hear_the_same
  BR-04  legal-move hints named the piece                         test_br04_hints_rest_on_what_the_seat_knows
  BR-05  notes and talk were shown to those not signed in         test_br05_talk_is_denied_by_default
         ... nor are they to an administrator                     test_br05_an_administrator_sees_nothing
  BR-06  look, then take back                                     test_br06_what_was_seen_is_not_taken_back
  BR-07  the generator began again after a reload                 test_br07_dice_go_on_after_a_kill (and draws.py)
  BR-08  a private game was joined with a wrong password          test_br08_codes_open_one_seat_once
  BR-09  a message was lost while the line was down               test_br09_cut_at_every_message (see cut.py)
  BR-10  a double click played twice                              test_br10_twenty_at_once_are_one
  BR-11  two tabs of one account                                  test_br11_three_tabs_and_a_program
  BR-12  a pause refilled the clock                               clocks.py, test_br12_...
  BR-13  UTC was stored as local time                             clocks.py, test_br13_...
  BR-14  treated as absent although orders were in                clocks.py, test_br14_...
  BR-18  an apostrophe reached a statement                        test_br18_texts_come_back_or_are_refused
  BR-20  any site could open a socket                             test_br20_origins_fit_to_the_byte

Those about tournaments and load are not here: BR-15 to BR-17, BR-19 (connections that are never freed:
tests/protocol, test_memory_does_not_grow). Within the tests above these wait for their part of the server:
sign-up for tournaments (BR-10), notices (BR-11).
"""
import argparse
import concurrent.futures
import hashlib
import http.client
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
import unicodedata

from canary import Suite as Canaries
from contract import load
from run import Player, play
from wire import Client, Daemon, Gone, Refused, new_match, pick, register

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "record"))
UNIT = re.compile(r"\b(?:FR|AD|PR)-[A-Z]\b")
FRENCH = re.compile(r"\bFR-[A-R]\b")
WHOLE_LOGS = 500


def heard(client):
    return [text for direction, text in client.traffic if direction == "<"]


def lies_open(client, match):
    """Units that the rules have shown to all so far, by the public's history."""
    named, start = set(), 0
    while start is not None:
        page = client.call("match.history", match=match, **{"from": start, "as": "public"})
        for step in page["steps"]:
            named |= Canaries.lies_open(step["events"])
        start = page.get("next")
    return named


def refusal(call, *args, **params):
    """The error object that the call is refused with."""
    try:
        result = call(*args, **params)
    except Refused as refused:
        return refused.error
    raise AssertionError("not refused: %s %s: %s" % (args, params, json.dumps(result)[:300]))


def normal(texts, match):
    """What may differ between two matches: their ids, times, heads of chains and commitments."""
    text = "\n".join(texts).replace(match, "MATCH")
    text = re.sub(r'"(chain|commit|signature|key)":"[^"]*"', r'"\1":"*"', text)
    text = re.sub(r'\\"(commit)\\":\\"[^"]*\\"', r'"\1":"*"', text)
    return re.sub(r"\b1[78]\d{11}\b", "TIME", text)


class Keen(Player):
    """A seat that seeks battle: play that picks at random wanders about and never fights."""

    def best(self, rng):
        own = self.view["board"]["seats"][self.view["as"]]
        enemies = [town for town, at in self.view["board"]["towns"].items() if set(at["units"]) - set(own)]

        def taste(form):
            if form["do"] == "march":
                return 3 if any('"%s"' % town in json.dumps(form) for town in enemies) else 1
            return 2 if form["do"] == "fire" or form.get("kind") == "advance" or "pursuit" in form or form.get(
                "choice") == "fight" else 0
        forms = self.view["actions"]
        if rng.random() < 0.8:
            top = max(map(taste, forms))
            forms = [form for form in forms if taste(form) == top]
        return pick(forms, rng)

    def turn(self, rng):
        if self.refresh().get("actions"):
            self.act(self.best(rng))


class Suite:
    def __init__(self, args, daemon):
        self.args, self.daemon = args, daemon
        self.rng = random.Random(args.seed)
        self.serial = 0
        self.notes = []

    def account(self, stem="reporter"):
        self.serial += 1
        name = "%s-%d" % (stem, self.serial)
        return name, register(self.daemon.port, name)

    def tokens(self, count=2):
        return [self.account()[1] for _ in range(count)]

    def client(self, token=None):
        return Client(self.daemon.port, token)

    def players(self, count=2, **params):
        tokens = self.tokens(count)
        seats = ("FR", "AL") if count == 2 else ("FR", "AD", "PR")
        options = {"players": count, **params.pop("options", {})}
        match = new_match(self.daemon.port, tokens, seats=seats, options=options, **params)
        return match, tokens, [Keen(self.daemon, token, match) for token in tokens]

    def set_up(self, players):
        assert play(players, self.rng, lambda: players[0].view["state"] == "MOVE", steps=4000), "no movement"
        for player in players:
            player.refresh()

    # ---- BR-01 ----

    def all_that_it_is_sent(self, token, match, seqs):
        """A client that comes now and asks for everything: what it hears until all is quiet."""
        client = self.client(token)
        calls = [("match.watch", {}), ("match.watch", {"delta": True}), ("match.view", {}), ("match.get", {}),
                 ("match.history", {"from": 0, "limit": 100}), ("match.talk", {"channel": "table"}),
                 ("match.wait", {"after": 0, "timeout_s": 0}),
                 ("match.ask", {"question": {"ask": "capacity", "side": "FR"}}), ("match.record", {}),
                 ("match.receipt", {}), ("match.try", {"seq": 1, "action": {"do": "confirm_setup"}}),
                 ("match.try", {"seq": seqs, "action": {"do": "march", "marches": [{"unit": "x", "path": ["y"]}]}})]
        calls += [("match.replay", {"seq": seq}) for seq in range(0, seqs, 3)]
        for method, params in calls:
            try:
                client.call(method, match=match, **params)
            except Refused:
                pass
        for which in ("open", "running", "finished"):
            client.call("match.list", filter=which, limit=50)
        client.fence()
        texts = heard(client)
        client.close()
        for path in ("/", "/metrics", "/healthz", "/games"):
            texts.append(self.get(path)[1])
        return "\n".join(texts)

    def get(self, path, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read().decode(errors="replace")
        connection.close()
        return answer.status, str(answer.headers) + body

    def test_br01_first_sync(self):
        """Nobody who comes late, comes back or asks from the beginning is sent the French blocks, whatever he asks."""
        match, tokens, players = self.players(3, spectators="public")
        self.set_up(players)
        spectator = self.account("spectator")[1]

        def look(stage):
            nobody = self.client()
            known = lies_open(nobody, match)
            last = nobody.call("match.view", match=match)["seq"]
            for who, token in (("A", tokens[1]), ("P", tokens[2]), ("W", spectator), ("N", None)):
                named = set(FRENCH.findall(self.all_that_it_is_sent(token, match, last)))
                assert named <= known, "%s is told of %s %s" % (who, sorted(named - known), stage)
            own = set(FRENCH.findall(self.all_that_it_is_sent(tokens[0], match, last)))
            assert len(own) == 18, "the French are not told of their own"
            return last

        at = look("after the set-up")
        public = Player(self.daemon, None, match)
        assert play(players, self.rng, lambda: public.refresh()["seq"] >= at + 20, steps=2000), "no twenty steps"
        look("after twenty events")
        slot = public.view["turn"]["slot"]
        assert play(players, self.rng, lambda: public.refresh()["turn"]["slot"] > slot, steps=4000), "no turn's end"
        look("after the end of a turn")

    # ---- BR-02 ----

    @staticmethod
    def params_of(method, match):
        """Something for each member that the method asks for, and those it may take."""
        values = {"seq": 1, "after": 0, "timeout_s": 0, "channel": "table", "limit": 5, "from": 0, "delta": False,
                  "question": {"ask": "reach", "unit": "FR-A"}, "action": {"do": "confirm_setup"}, "match": match,
                  "what": "draw", "offer": 1, "accept": False, "lost": True, "text": "x", "version": 0}
        if method["name"] == "match.draft":
            values["actions"] = [values["action"]]
        if method["name"] == "match.standing":
            values["orders"] = []
        return {p["name"]: values[p["name"]] for p in method["params"] if p["name"] in values}

    def test_br02_looking_is_checked_as_acting_is(self):
        """With an Allied session every method that takes `as`, naming the French: refused alike, and nothing moves."""
        match, tokens, players = self.players(2, spectators="none", access="open")
        self.set_up(players)
        allied = self.client(tokens[1])
        methods = [m for m in load("openrpc.json")["methods"] if any(p["name"] == "match" for p in m["params"])]
        summary = players[0].client.call("match.get", match=match)
        own = players[0].view
        tried, errors = 0, set()

        def shape(error):
            return json.dumps([error["code"], error["data"]])

        for method in [m for m in methods if any(p["name"] == "as" for p in m["params"])]:
            params = self.params_of(method, match)
            for seat in ("FR",):
                if method["name"] in ("match.unwatch",):
                    continue  # ends the own connection's watches, of which it has none
                errors.add(shape(refusal(allied.call, method["name"], **{**params, "as": seat})))
                answer = json.loads(self.daemon.rpc({"jsonrpc": "2.0", "id": 1, "method": method["name"], "params": {
                    **params, "as": seat}}, tokens[1])[1]) if method["name"] != "match.watch" else None
                if answer is not None:
                    errors.add(shape(answer["error"]))
                tried += 2 if answer is not None else 1
        assert tried >= 18, "only %d tries" % tried
        assert len(errors) == 1, "refused in several ways: %s" % errors
        assert errors == {shape({"code": 2, "data": {"kind": "forbidden"}})}, errors
        for method in methods:  # those without `as` tell the caller's own
            if any(p["name"] == "as" for p in method["params"]) or method["name"] in (
                    "match.join", "match.leave", "match.start", "match.say", "match.vacate", "match.bot"):
                continue
            try:
                allied.call(method["name"], **self.params_of(method, match))
            except Refused:
                pass
        allied.fence()
        assert not FRENCH.findall("\n".join(heard(allied))), "the French were named"
        assert not [p for p in allied.pushes if p["params"].get("view", {}).get("as") == "FR"], "a French view was pushed"
        assert players[0].client.call("match.get", match=match) == summary, "the summary shows the tries"
        assert players[0].refresh() == own, "the French view shows the tries"
        audit = [line for line in self.daemon.log_text().splitlines() if "event=forbidden" in line]
        assert len([line for line in audit if "method=match.view" in line]) == 2, audit[:3]
        assert len(audit) >= tried, "%d tries, %d lines" % (tried, len(audit))

    # ---- BR-03 ----

    def stands_of(self, player):
        return {u: unit["town"] for u, unit in player.view["board"]["units"].items()}

    def place(self, player, towns):
        player.act({"do": "place", "placements": [{"unit": u, "town": t} for u, t in sorted(towns.items())]})

    def test_br03_spectators_of_twins_hear_the_same(self):
        """Matches that differ in hidden names alone: who looks on early, late or again hears the same bytes in both."""
        scout, tokens, scouted = self.players(2, spectators="public")
        self.set_up(scouted)
        french, allied = self.stands_of(scouted[0]), self.stands_of(scouted[1])
        facts = scouted[0].view["board"]["units"]
        names = {}
        for kind in {fact["type"] for fact in facts.values()}:
            units = sorted(u for u in facts if facts[u]["type"] == kind)
            names.update(zip(units, units[1:] + units[:1]))
        assert any(french[u] != french[v] for u, v in names.items()), "no block changes places"
        matches = [new_match(self.daemon.port, tokens, spectators="public") for _ in range(2)]
        looker = self.account("spectator")[1]
        worlds = []
        for at, match in enumerate(matches):
            players = [Player(self.daemon, token, match) for token in tokens]
            early = self.client(looker)
            early.call("match.watch", match=match)
            guest = self.client()
            guest.call("match.watch", match=match, delta=True)
            own = {(u if at == 0 else names[u]): town for u, town in french.items()}
            worlds.append({"match": match, "players": players, "early": early, "guest": guest, "own": own})
        for world in worlds:
            self.place(world["players"][1], allied)
            world["players"][1].act({"do": "confirm_setup"})
            world["players"][0].refresh()
            self.place(world["players"][0], world["own"])
            world["players"][0].act({"do": "confirm_setup"})
        done, sat_out = 0, 0
        while done < 10 and sat_out < 60:
            for player in worlds[0]["players"] + worlds[1]["players"]:
                player.refresh()
            seat = 0 if "FR" in worlds[0]["players"][0].view["to_act"] else 1
            view = worlds[0]["players"][seat].view
            if view["state"] != "MOVE":
                break
            action = self.quiet_march(view, seat) if self.rng.random() < 0.8 else None
            if action is None:
                action = {"do": "end_movement"}
                done += 1
            sat_out += 1
            for at, world in enumerate(worlds):
                player = world["players"][seat]
                renamed = json.loads(json.dumps(action))
                for item in renamed.get("marches", []):
                    item["unit"] = names[item["unit"]] if seat == 0 and at == 1 else item["unit"]
                player.act(renamed)
        assert done >= 6, "only %d turns" % done
        streams = []
        for world in worlds:
            world["early"].fence()
            world["guest"].fence()
            late = self.client(looker)
            last = late.call("match.view", match=world["match"])["seq"]
            late.call("match.history", match=world["match"], limit=100)
            late.close()
            again = self.client(looker)
            again.call("match.watch", match=world["match"], seq=max(0, last - 4), delta=True)
            again.call("match.replay", match=world["match"], seq=last // 2)
            again.call("match.get", match=world["match"])
            again.fence()
            streams.append([normal(heard(c), world["match"]) for c in (world["early"], world["guest"], late, again)])
        for here, there, who in zip(*streams, ("early", "guest", "late", "again")):
            assert here == there, "the %s spectator can tell them apart:\n%s" % (who, first_difference(here, there))
        assert sum(map(len, streams[0])) > 10000, "hardly anything was said"
        assert not UNIT.findall("\n".join(streams[0])), "spectators were told a name though no battle was fought"

    def quiet_march(self, view, seat):
        """An unforced march of one block to a town next to it in which nobody stands; None: none offered."""
        found = []
        for form in view["actions"]:
            for _ in range(6):
                action = pick(form, self.rng)
                if action["do"] != "march":
                    break
                items = [i for i in action["marches"] if not i.get("forced") and len(i["path"]) == 1
                         and i["path"][0] not in view["board"]["towns"]]
                if items:
                    found.append({"do": "march", "marches": items[:1]})
        return self.rng.choice(found) if found else None

    # ---- BR-04 ----

    def test_br04_hints_rest_on_what_the_seat_knows(self):
        """match.ask and match.try about blocks of the enemy answer alike, hidden or not existing, to the byte."""
        match, _, players = self.players(2)
        self.set_up(players)
        french = [u for u in players[0].view["board"]["units"]]
        towns = sorted(players[0].view["board"]["towns"])
        allied, client = players[1], players[1].client
        nobody = ["FR-Z", "XX-A", "fr-a", ""]
        for question in ({"ask": "reach", "unit": None}, {"ask": "path", "unit": None, "path": [towns[0]]},
                         {"ask": "odds", "battle": towns[0], "unit": "AD-A", "target": None},
                         {"ask": "odds", "battle": towns[1], "unit": None, "target": "FR-A"}):
            texts = set()
            for unit in french + nobody:
                asked = {k: unit if v is None else v for k, v in question.items()}
                texts.add(json.dumps(refusal(client.call, "match.ask", match=match, question=asked)))
            assert len(texts) == 1, "%s: %s" % (question, texts)
        assert play(players, self.rng, lambda: players[0].view["state"] == "MOVE"
                    and "AL" in players[0].view["to_act"] and players[1].refresh().get("actions"), steps=6000)
        for action in ({"do": "march", "marches": [{"unit": None, "path": [towns[0]]}]}, {"do": "unmarch", "units": [None]},
                       {"do": "fire", "battle": towns[0], "unit": "AD-A", "target": None}):
            texts = set()
            for unit in french + nobody[:3]:
                asked = json.loads(json.dumps(action).replace("null", json.dumps(unit)))
                texts.add(json.dumps(refusal(client.call, "match.try", match=match, seq=allied.refresh()["seq"],
                                             action=asked)))
            known = [json.loads(t) for t in texts]
            assert len({(e["code"], e["data"].get("rule"), e["message"]) for e in known}) <= 2, texts
        self.time_answers(client, match, french)
        while not self.in_a_battle(players, match):
            match, _, players = self.players(2)

    def in_a_battle(self, players, match):
        """W9.1: what is no revealed block of the lane is refused as a target in one way, wherever it is. False: nobody
        fought in this match."""
        def fires():
            return next(((p, f) for p in players for f in p.refresh().get("actions", []) if f["do"] == "fire"), None)
        assert play(players, self.rng, lambda: fires() is not None or players[0].view["state"] == "GAME_OVER")
        if players[0].view["state"] == "GAME_OVER":
            return False
        player, form = fires()
        enemy = "FR" if player is players[1] else "A"
        fire = pick(form, self.rng)
        battle = player.view["board"]["battles"][fire["battle"]]
        shown = set(UNIT.findall(json.dumps(battle)))
        lost = set(player.view["board"]["lost"])
        hidden = [u for u in (["FR-%s" % c for c in "ABCDEFGHIJKLMNOPQR"] if enemy == "FR" else
                              ["AD-%s" % c for c in "ABCDEFGHIJKLMN"] + ["PR-%s" % c for c in "ABCDEFGHIJKLMNOP"])
                  if u not in shown and u not in lost]
        texts = {json.dumps(refusal(player.client.call, "match.try", match=match, seq=player.view["seq"],
                                    action={**fire, "target": unit}))
                 for unit in hidden + ["FR-Z", "nobody"] if unit not in player.view["board"]["units"]}
        assert len(texts) == 1 and "W9.1" in texts.pop(), texts
        return True

    def time_answers(self, client, match, french):
        """Told, not asserted: how long the answers take, hidden against not existing."""
        times = {"hidden": [], "none": []}
        for i in range(1000):
            for kind, unit in (("hidden", french[i % len(french)]), ("none", "FR-%s" % "STUVWXYZ"[i % 8])):
                began = time.perf_counter()
                refusal(client.call, "match.ask", match=match, question={"ask": "reach", "unit": unit})
                times[kind].append((time.perf_counter() - began) * 1e6)
        centre = {kind: statistics.median(values) for kind, values in times.items()}
        self.notes.append("BR-04: 1000 refusals each, medians: hidden %.0f us, not existing %.0f us" % (
            centre["hidden"], centre["none"]))

    # ---- BR-05 ----

    def test_br05_talk_is_denied_by_default(self):
        """What is said in a closed match is for its seats alone, during it and after its end."""
        for access, reveal in (("private", "end"), ("invite", "seats")):
            secret = "said-%032x" % self.rng.getrandbits(128)
            people = [self.account("talker") for _ in range(2)]
            clients = [self.client(token) for _, token in people]
            made = clients[0].call("match.create", game="waterloo", seat="FR", access=access, spectators="none",
                                   reveal=reveal, title="T" + secret, invite=[people[1][0]])
            match, code = made["match"], made["seats"]["AL"]["code"]
            clients[1].call("match.join", match=match, seat="AL", code=code)
            clients[0].call("match.say", match=match, channel="table", text=secret)
            outside = [self.client(self.account("stranger")[1]), self.client()]
            bot = clients[0].call("account.token", label="b", scope="read")["token"]
            texts = []
            for over in (False, True):
                if over:
                    clients[0].call("match.resign", match=match)
                for client in outside:
                    for method in ("match.talk", "match.get", "match.view", "match.history", "match.watch",
                                   "match.record", "match.receipt"):
                        extra = {"channel": "table"} if method == "match.talk" else {}
                        assert refusal(client.call, method, match=match, **extra)["data"]["kind"] == "not_found"
                    refusal(client.call, "match.say", match=match, channel="table", text="me too")
                    for which in ("open", "running", "finished"):
                        client.call("match.list", filter=which, limit=100)
                    for name, _ in people:
                        client.call("account.profile", name=name)
                    client.fence()
                texts += [self.get(path)[1] for path in ("/", "/metrics", "/match/" + match, "/" + match)]
            for channel in ("side", "watchers", "note", "FR"):  # what does not exist is not taken for something else
                error = refusal(clients[0].call, "match.say", match=match, channel=channel, text=secret)
                assert error["data"]["kind"] in ("invalid_params", "forbidden", "match_over", "conflict"), error
            texts += self.notebook(match, clients, outside, secret)
            texts += [t for client in outside for t in heard(client)]
            assert secret not in "\n".join(texts), "somebody else was told"
            assert self.client(bot).call("match.talk", match=match, channel="table")["messages"][0]["text"] == secret
            assert clients[1].call("match.talk", match=match, channel="table")["messages"][0]["text"] == secret
        assert "said-" not in self.daemon.log_text(), "the log tells it"

    def admin(self, *words):
        done = subprocess.run([self.daemon.binary, "--database", self.daemon.database, "account", *words], check=True,
                              capture_output=True, text=True, timeout=60)
        return done.stdout

    def with_role(self, role):
        """A client of a new account with that role."""
        name, token = self.account(role)
        before = self.client(token)
        self.admin("role", name, role, "on")
        try:  # the daemon closes what was signed in before
            while True:
                before.pump()
        except Gone:
            return self.client(token)

    def test_br05_an_administrator_sees_nothing(self):
        """F's note, a line of one ally to the other, and the set-up: an administrator without the referee's role is a stranger.
        The referee sees the set-up, with a reason that all are told first, and neither the note nor the line."""
        names = [self.account("seat") for _ in range(3)]
        clients = [self.client(token) for _, token in names]
        secret = "said-%032x" % self.rng.getrandbits(128)
        made = clients[0].call("match.create", game="waterloo", seat="FR", access="private", spectators="none",
                               options={"players": 3}, invite=[name for name, _ in names[1:]])
        match = made["match"]
        clients[1].call("match.join", match=match, seat="AD")
        clients[2].call("match.join", match=match, seat="PR")
        clients[0].call("match.note", match=match, text="note" + secret)
        clients[1].call("match.say", match=match, channel="side", text="side" + secret)
        clients[0].call("match.say", match=match, channel="table", text="table" + secret)
        nobody, admin, organiser = self.client(), self.with_role("admin"), self.with_role("organiser")
        referee = self.with_role("referee")
        asked = (("match.note", {}), ("match.talk", {"channel": "side"}), ("match.talk", {"channel": "table"}),
                 ("match.view", {}), ("match.view", {"as": "FR"}), ("match.view", {"as": "all"}), ("match.history", {"as": "all"}),
                 ("match.get", {}), ("match.watch", {"as": "all"}), ("match.draft", {}), ("match.standing", {}))
        for client in (nobody, admin, organiser, referee):
            for method, params in asked:
                error = refusal(client.call, method, match=match, **params)
                assert error["data"]["kind"] in ("not_found", "not_signed_in", "forbidden"), (method, params, error)
        for client in (admin, organiser):
            error = refusal(client.call, "match.view", match=match, **{"as": "all"}, reason="I run this place")
            assert error["data"]["kind"] == "not_found", error
        told = [step for step in clients[0].call("match.history", match=match)["steps"]]
        assert "looked" not in json.dumps(told), "a look that was refused left a line"
        clients[2].call("match.watch", match=match)
        view = referee.call("match.view", match=match, **{"as": "all"}, reason="A question of the Prussians")
        push = clients[2].push("match.view", lambda params: "looked" in json.dumps(params["view"]["events"]))
        assert push["view"]["events"][-1]["reason"] == "A question of the Prussians", push["view"]["events"]
        assert view["as"] == "all"
        for method, params in (("match.note", {}), ("match.note", {"as": "FR"}), ("match.talk", {"channel": "side"}),
                               ("match.draft", {}), ("match.standing", {}), ("match.view", {"as": "FR"})):
            error = refusal(referee.call, method, match=match, **params)
            assert error["data"]["kind"] in ("not_found", "forbidden"), (method, error)
        texts = [t for client in (nobody, admin, organiser, referee) for t in heard(client)]
        texts += [self.get(path)[1] for path in ("/", "/metrics", "/match/" + match)]
        assert secret not in "\n".join(texts), "somebody else was told"
        assert secret not in self.daemon.log_text() + self.admin("list") + self.admin("audit", names[0][0]), "it is told elsewhere"

    @staticmethod
    def notebook(match, clients, outside, secret):
        """A seat's notebook: its own alone, also after the end. What the other seat heard of it."""
        clients[0].call("match.note", match=match, text="note" + secret)
        assert clients[0].call("match.note", match=match)["text"] == "note" + secret
        from_here = len(clients[1].traffic)
        for client in [clients[1], *outside]:
            for params in ({}, {"as": "FR"}, {"as": "AL"}, {"as": "public"}, {"as": "all"}):
                try:
                    client.call("match.note", match=match, **params)
                except Refused as refused:
                    assert refused.kind in ("forbidden", "not_found", "not_signed_in"), refused
        clients[1].fence()
        return [t for d, t in clients[1].traffic[from_here:] if d == "<"]

    # ---- BR-06 ----

    def test_br06_what_was_seen_is_not_taken_back(self):
        """After a draw, something learnt, or the end of a sitting undo is refused, and the refusal changes nothing."""
        tried, taken, kinds = 0, 0, set()
        while tried < 120 or taken < 10 or not {"confirm_setup", "end_movement", "fire", "deploy", "move"} <= kinds:
            match, _, players = self.players(2)
            assert tried < 20000, (tried, taken, kinds)
            while players[0].refresh()["state"] != "GAME_OVER":
                for player in players:
                    if not player.refresh().get("actions"):
                        continue
                    action = player.best(self.rng)
                    answer = player.client.call("match.act", match=match, seq=player.view["seq"], action=action)
                    if player.refresh()["state"] == "GAME_OVER":
                        break
                    if self.is_sealed(action, answer["events"], player.view):
                        before = [p.refresh() for p in players]
                        error = refusal(player.client.call, "match.undo", match=match, seq=player.view["seq"])
                        assert error["data"] == {"kind": "conflict", "reason": "undo"}, (action, error)
                        assert [p.refresh() for p in players] == before, "a refused undo changed something"
                        tried += 1
                        kinds.add(action["do"])
                    elif player.view.get("undo") and self.rng.random() < 0.3:
                        player.client.call("match.undo", match=match, seq=player.view["seq"])
                        taken += 1

        self.rewind()

    def rewind(self):
        """By consent of all: in the open, the log goes on, what was rolled stays in it, the next roll is a new one."""
        match, _, players = self.players(2, spectators="public")
        rolled = []
        while len(rolled) < 2 or players[0].refresh()["state"] == "GAME_OVER":
            if players[0].refresh()["state"] == "GAME_OVER":  # hardly a die was rolled, or the last ended it: another one
                match, _, players = self.players(2, spectators="public")
                rolled = []
            for player in players:
                if player.refresh().get("actions"):
                    answer = player.client.call("match.act", match=match, seq=player.view["seq"],
                                                action=player.best(self.rng))
                    rolled += ['"dice"' in json.dumps(answer["events"])] if '"dice"' in json.dumps(answer["events"]) else []
                    player.refresh()
        french, allied = players
        public = self.client()
        history = self.steps(french.client, match)
        to = next(s["seq"] for s in history if any(e["ev"] == "turn" for e in s["events"]))
        before, seen = french.refresh(), self.steps(public, match)
        offer = french.client.call("match.offer", match=match, what="rewind", to=to)
        assert french.refresh()["seq"] == before["seq"], "an offer alone changed the match"
        error = refusal(french.client.call, "match.answer", match=match, offer=offer["offer"], accept=True)
        assert error["data"]["kind"] == "conflict", error
        allied.client.call("match.answer", match=match, offer=offer["offer"], accept=True)
        now = french.refresh()
        told = [e for e in now["events"] if e["ev"] == "rewound"]
        assert len(told) == 1 and told[0]["to"] >= to and set(told[0]["by"]) == {"FR", "AL"}, now["events"]
        was = french.client.call("match.replay", match=match, seq=told[0]["to"])
        assert now["seq"] == before["seq"] + 1 and now["chain"] != was["chain"]
        assert {k: now[k] for k in ("state", "turn", "board")} == {k: was[k] for k in ("state", "turn", "board")}
        after = self.steps(public, match)
        assert after[:len(seen)] == seen, "what the public was told is not there any more"
        assert [e["ev"] for e in after[-1]["events"]] == ["rewound"], after[-1]
        play(players, self.rng, lambda: players[0].refresh()["seq"] > now["seq"] + 25
             or players[0].view["state"] == "GAME_OVER", steps=900)
        if players[0].view["state"] != "GAME_OVER":
            french.client.call("match.resign", match=match)
        lines = [json.loads(line) for line in french.client.call(
            "match.record", match=match)["record"].splitlines()[:-1]]
        numbers = [line["roll"] for line in lines if "roll" in line]
        assert numbers == list(range(1, len(numbers) + 1)), "a roll came twice"
        assert [line["by"] for line in lines if line.get("host") == "rewind"] == [["FR", "AL"]]
        self.verify(french.client.call("match.record", match=match)["record"])

    @staticmethod
    def steps(client, match):
        """The whole history."""
        steps, start = [], 0
        while start is not None:
            page = client.call("match.history", match=match, **{"from": start})
            steps += page["steps"]
            start = page.get("next")
        return steps

    def verify(self, record):
        """Both verifiers, ours and the independent one."""
        path = os.path.join(self.daemon.folder, "record")
        with open(path, "w", encoding="utf-8") as file:
            file.write(record)
        for command in ([self.args.client, "verify", path],
                        [sys.executable, os.path.join(TOP, "tests", "record", "verify.py"), path]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            assert done.returncode == 0, (command, done.stdout[-500:], done.stderr[-500:])

    @staticmethod
    def is_sealed(action, events, view):
        """W20.5: it drew a die, ended a sitting, or brought a unit out of the reserve."""
        dice = '"dice"' in json.dumps(events) or '"die"' in json.dumps(events)
        ends = ("confirm_setup", "end_movement", "end_response", "end_combat_turn", "rout_routes", "remove", "fire")
        last = action["do"] == "deploy" and view["state"] not in ("DEPLOY_DEF", "DEPLOY_ATT")
        return dice or last or action["do"] in ends or action.get("kind") == "from_reserve"

    # ---- BR-07 ----

    def test_br07_dice_go_on_after_a_kill(self):
        """Killed amid play, the daemon goes on with the dice that it was bound to; no roll is skipped or done again."""
        from verify import draws  # the independent verifier's stream
        import sqlite3
        kills = rolled = 0
        for _ in range(20):
            if kills >= 4 and rolled >= 15:
                break
            match, tokens, players = self.players(2)
            known = []
            for stop in range(25, 400, 25):
                assert play(players, self.rng, lambda: players[0].refresh()["seq"] >= stop
                            or players[0].view["state"] == "GAME_OVER", steps=9000), "no %d steps" % stop
                self.daemon.kill()
                kills += 1
                with sqlite3.connect(self.daemon.database) as db:
                    lines = [json.loads(body) for (body,) in db.execute(
                        "SELECT l.body FROM line l JOIN match m ON m.key = l.match WHERE m.id = ? ORDER BY l.n", (match,))]
                    secret = db.execute("SELECT secret FROM match WHERE id = ?", (match,)).fetchone()[0]
                assert lines[:len(known)] == known, "an old line changed"
                known = lines
                self.daemon.start()
                players = [Keen(self.daemon, token, match) for token in tokens]
                if players[0].view["state"] == "GAME_OVER" or (kills >= 4 and stop >= 100):
                    break
            rolls = [line for line in known if "roll" in line]
            rolled += len(rolls)
            assert [line["roll"] for line in rolls] == list(range(1, len(rolls) + 1)), "a roll was skipped or repeated"
            key = hashlib.blake2b(tagged("vedette1 dice", match, ["FR", "AL"]), digest_size=32, key=secret).digest()
            for line in rolls:
                draw = draws(key, 1, line["roll"])
                for faces, values in line.get("dice", []):
                    assert values == [1 + draw(faces) for _ in values], line
        assert rolled >= 15, "hardly a die was rolled"

    # ---- BR-08 ----

    def test_br08_codes_open_one_seat_once(self):
        """A closed match is entered by its own fresh code for that seat and by nothing else."""
        maker = self.client(self.account("maker")[1])
        made = maker.call("match.create", game="waterloo", access="private", spectators="none",
                          options={"players": 3}, start="manual")
        other = maker.call("match.create", game="waterloo", access="private", spectators="none", seat="FR")
        match = made["match"]
        codes = {seat: state["code"] for seat, state in made["seats"].items()}
        assert len(set(codes.values())) == 3 and all(len(c) == 22 for c in codes.values()), "not 128 bits each"
        guest = self.client(self.account("guest")[1])
        nobody = self.client()

        def join(client, **params):
            return refusal(client.call, "match.join", match=match, **params)["data"]["kind"]

        wrong = "A" * 22
        near = codes["FR"][:-1] + ("A" if codes["FR"][-1] != "A" else "Q")
        for params in ({}, {"seat": "FR"}, {"code": ""}, {"code": wrong}, {"code": near}, {"code": codes["FR"][:21]},
                       {"code": codes["FR"] + "A"}, {"code": other["seats"]["AL"]["code"]},
                       {"seat": "FR", "code": wrong}):
            assert join(guest, **params) == "not_found", params
        assert join(nobody, code=codes["FR"]) == "not_signed_in"
        assert join(guest, seat="AD", code=codes["FR"]) == "forbidden", "a code opened another seat"
        for method in ("match.watch", "match.view", "match.get", "match.start", "match.leave"):
            assert refusal(guest.call, method, match=match)["data"]["kind"] == "not_found", method
        guest.call("match.join", match=match, code=codes["AD"])
        thief = self.client(self.account("thief")[1])
        for params in ({"code": codes["AD"]}, {"seat": "AD", "code": codes["AD"]}, {"seat": "PR", "code": codes["AD"]}):
            assert join(thief, **params) == "not_found", "a used code opened something"
        assert refusal(guest.call, "match.start", match=match)["data"]["kind"] == "forbidden", "a guest started it"
        told = json.dumps(guest.call("match.get", match=match))
        assert not any(code in told for code in codes.values()), "a guest is told the codes"
        guest.call("match.leave", match=match)
        assert join(thief, code=codes["AD"]) == "not_found", "the code of a seat that was given back still opens it"
        fresh = maker.call("match.get", match=match)["seats"]["AD"]["code"]
        thief.call("match.join", match=match, code=fresh)
        ids = [maker.call("match.create", game="waterloo", access="private")["match"] for _ in range(20)]
        assert len({i[:4] for i in ids}) > 15, "ids follow each other"
        for query in ("/?code=" + fresh, "/ws?code=" + fresh, "/rpc?code=" + fresh):
            self.get(query)
        assert fresh not in self.daemon.log_text(), "the log tells a code"

    # ---- BR-09: a session of its own, cut.py ----

    def test_br09_cut_at_every_message(self):
        from cut import run_cuts
        notes = run_cuts(self.daemon, self.rng.randrange(1 << 30), lines=60)
        self.notes.append("BR-09: " + notes)

    def test_br09_our_own_client_comes_back(self):
        """Two bots of the terminal client play a match to its end over lines that are cut up to twelve times each; how much is
        said in a match of chance is for the dice to say."""
        cuts = 0
        while cuts < 3:
            cuts += self.match_over_cut_lines()

    def match_over_cut_lines(self):
        """How often its lines were cut."""
        from cut import KINDS, Proxy
        match, tokens, players = self.players(2, options={"turns": 3})
        plans = [(kind, at) for at in (14, 9, 21, 11) for kind in KINDS]
        proxies = [Proxy(self.daemon.port, plans, 12) for _ in range(2)]
        bots = []
        for proxy, token in zip(proxies, tokens):
            env = {**os.environ, "VEDETTE_TOKEN": token, "XDG_CONFIG_HOME": tempfile.mkdtemp(prefix="vedette-home-"),
                   "XDG_STATE_HOME": tempfile.mkdtemp(prefix="vedette-state-"), "TERM": "dumb"}
            bots.append(subprocess.Popen([self.args.client, "--server", "http://127.0.0.1:%d" % proxy.port, "bot", "--policy",
                                          "random", "--match", match], env=env, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True))
        for bot in bots:
            out, _ = bot.communicate(timeout=300)
            assert bot.returncode == 0, out[-1000:]
        for proxy in proxies:
            proxy.close()
        cuts = [proxy.cuts for proxy in proxies]
        assert players[0].refresh()["state"] == "GAME_OVER"
        record = players[0].client.call("match.record", match=match)["record"]
        self.verify(record)
        self.notes.append("BR-09: two bots came back after %d and %d cuts; %d lines" % (
            *cuts, len(record.splitlines())))
        return sum(cuts)

    # ---- BR-10 ----

    def test_br10_twenty_at_once_are_one(self):
        """One thing sent twenty times at once over five connections happens once; again under a new id it is stale."""
        match, tokens, players = self.players(2)
        assert play(players, self.rng, lambda: any("FR" in p.view["to_act"] and p.view["state"] == "MOVE"
                                                   for p in players), steps=4000)
        five = [self.client(tokens[0]) for _ in range(5)]

        def at_once(method, **params):
            asked = [(client, client.post(method, **params)) for _ in range(4) for client in five]
            answers = [client.answer(number) for client, number in asked]
            assert answers == [answers[0]] * 20, "%s was answered in several ways" % method
            return answers[0]

        french = players[0]
        action = pick([f for f in french.refresh()["actions"] if f["do"] == "march"], self.rng)
        before = french.view["seq"]
        done = at_once("match.act", match=match, seq=before, action=action, action_id="once-1")
        assert done["seq"] == before + 1 == french.refresh()["seq"]
        error = refusal(five[0].call, "match.act", match=match, seq=before, action=action, action_id="once-2")
        assert error["data"] == {"kind": "stale_state", "seq": before + 1}, error
        at_once("match.undo", match=match, seq=before + 1, action_id="once-3")
        assert french.refresh()["seq"] == before + 2
        rolled = at_once("match.act", match=match, seq=before + 2, action={"do": "end_movement"}, action_id="once-4")
        assert french.refresh()["seq"] == rolled["seq"] == before + 3
        said = at_once("match.say", match=match, channel="table", text="once", action_id="once-5")
        talk = french.client.call("match.talk", match=match, channel="table")["messages"]
        assert [m["n"] for m in talk] == [said["n"]], talk
        made = at_once("match.create", game="waterloo", seat="AL", title="once", action_id="once-6")
        mine = french.client.call("match.list", filter="mine", limit=100)["matches"]
        assert [m["match"] for m in mine if m.get("title") == "once"] == [made["match"]], mine
        open_match = self.client(self.account()[1]).call("match.create", game="waterloo", seat="AL")["match"]
        at_once("match.join", match=open_match, action_id="once-7")
        error = refusal(five[0].call, "match.join", match=open_match, action_id="once-8")
        assert error["data"]["kind"] == "conflict", error
        over = at_once("match.resign", match=match, action_id="once-9")
        assert over["state"] == "over"
        record = french.client.call("match.record", match=match)["record"].splitlines()
        acts = [json.loads(line) for line in record[:-1]]
        assert sum(1 for line in acts if line.get("do") == action) == 1, "it was stored more than once"
        assert sum(1 for line in acts if line.get("host") == "end") == 1

    # ---- BR-11 ----

    def test_br11_three_tabs_and_a_program(self):
        """One account in three tabs and a script: all come to the same view; the edit of an old version is told so."""
        match, tokens, players = self.players(2)
        self.set_up(players)
        tabs = [Player(self.daemon, tokens[0], match, **({"delta": False})) for _ in range(3)]

        def drafts(view):
            return [f for f in view["actions"] if f["do"] == "march"]

        old = tabs[1].refresh()["seq"]
        tabs[0].refresh()
        tabs[0].act(pick(drafts(tabs[0].view), self.rng))
        error = refusal(tabs[1].client.call, "match.act", match=match, seq=old,
                        action=pick(drafts(tabs[0].view), self.rng))
        assert error["data"] == {"kind": "stale_state", "seq": old + 1}, error
        tabs[1].refresh()
        tabs[1].act(pick(drafts(tabs[1].view), self.rng))
        tabs[2].refresh()
        tabs[2].client.call("match.undo", match=match, seq=tabs[2].view["seq"])
        draft = tabs[0].client.call("match.draft", match=match, version=0, actions=[{"do": "end_movement"}])
        error = refusal(tabs[1].client.call, "match.draft", match=match, version=0, actions=[])
        assert error["data"]["kind"] == "conflict" and error["data"]["reason"] == "version", error
        held = [tab.client.call("match.draft", match=match) for tab in tabs]
        assert held == [held[0]] * 3 and held[0]["version"] == draft["version"] == 1, held
        tabs[1].client.close()
        script = json.loads(self.daemon.rpc({"jsonrpc": "2.0", "id": 1, "method": "match.view", "params": {
            "match": match}}, tokens[0])[1])["result"]
        answer = json.loads(self.daemon.rpc({"jsonrpc": "2.0", "id": 2, "method": "match.act", "params": {
            "match": match, "seq": script["seq"], "action": {"do": "end_movement"}}}, tokens[0])[1])["result"]
        views = [tab.refresh() for tab in (tabs[0], tabs[2], players[0])]
        assert views[0] == views[1] == views[2], "the tabs differ"
        assert views[0]["seq"] == answer["seq"] and views[0]["chain"] == answer["chain"]
        assert [s["seq"] for s in tabs[0].client.call("match.history", match=match, limit=100)["steps"]][-4:] == list(
            range(answer["seq"] - 3, answer["seq"] + 1))

    # ---- BR-18 ----

    def texts(self):
        """Five hundred strings that broke others."""
        plain = ["'", "''", "\"", "\\", "\\'", "%", "%s%n", "%00", "`", ";", "--", "'; DROP TABLE match; --", "' OR '1'='1",
                 "\" OR \"\"=\"", "1); DELETE FROM account; --", "$(id)", "${jndi:ldap://x}", "{{7*7}}", "<b>", "</script>",
                 "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&lt;", "]]>", "{\"a\":1}", "[1,2", "null",
                 "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r\nSet-Cookie: a=b", "\n", "\r", "a\nb", "\u0001", "a\u007fb",
                 "\u0007", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u202eevil", "\u200b", "\ufeff", "\u2028", "\u2029",
                 "e\u0301", "\u00e9", "\ufb01", "\u0130", "ß", "\U0001f3b2", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
                 "\U000e0041", "\uffff", "\ufffd", " ", "  x  ", "\u00a0", "." * 50, "../../etc/passwd", "file:///etc/passwd",
                 "http://x/", "a" * 200, "\u4e16\u754c", "\u0627\u0644\u0639\u0631\u0628\u064a\u0629", "Z\u0351\u036b\u0343"]
        made = list(plain)
        while len(made) < 500:
            made.append("".join(self.rng.choice(plain) for _ in range(self.rng.randrange(1, 4))))
        return made

    def test_br18_texts_come_back_or_are_refused(self):
        """Every text field takes hostile text whole or refuses it naming the member; nothing is ever cut or changed."""
        match, tokens, players = self.players(2)
        client, corpus = self.client(tokens[0]), self.texts()
        taken = dict.fromkeys(("say", "title", "label", "email", "name", "profile"), 0)

        def put(field, text, method, /, **params):
            try:
                result = client.call(method, **params)
            except Refused as refused:
                kind, member = refused.kind, refused.error["data"].get("member")
                assert kind in ("invalid_params", "too_large", "not_found", "conflict"), (field, text, refused.error)
                assert member is not None or kind in ("too_large", "conflict", "not_found"), (field, text, refused.error)
                return None
            taken[field] += 1
            return result

        for text in corpus:
            said = put("say", text, "match.say", match=match, channel="table", text=text)
            assert said is None or said["text"] == text, (text, said)
        talk, before = [], None
        while len(talk) < taken["say"]:
            page = client.call("match.talk", match=match, channel="table", limit=100,
                               **({"before": before} if before is not None else {}))["messages"]
            talk = [m["text"] for m in page] + talk
            before = page[0]["n"]
        kept = [t for t in corpus if t in set(talk)]
        assert len(kept) >= taken["say"] > 300, "said %d, kept %d" % (taken["say"], len(kept))
        for at, text in enumerate(corpus):
            made = put("title", text, "match.create", game="waterloo", title=text) if at % 4 == 0 else None
            if made is not None:
                assert client.call("match.get", match=made["match"]).get("title", "") == text, text
                client.call("match.leave", match=made["match"])
            token = put("label", text, "account.token", label=text, scope="read") if at % 4 == 1 else None
            if token is not None:
                labels = [t.get("label") for t in client.call("account.tokens")["tokens"]]
                assert text in labels, (text, labels)
                for one in client.call("account.tokens")["tokens"]:
                    if one.get("label") == text:
                        client.call("account.revoke", token_id=one["token_id"])
            mail = put("email", text, "account.set", email=text) if at % 4 == 2 else None
            if mail is not None:
                assert client.call("account.get").get("email", "") == text, text
            if at % 4 == 3:
                put("profile", text, "account.profile", name=text)
            if at < 64:
                name = "%s%d" % (text[:12], at)
                made = put("name", name, "account.register", name=name, password="x" * 12)
                assert made is None or made["account"]["name"] == unicodedata.normalize("NFC", name), (name, made)
            for method, params in (("account.set", {"language": text}), ("account.set", {"timezone": text}),
                                   ("match.get", {"match": text}), ("match.list", {"filter": "open", "player": text}),
                                   ("match.list", {"filter": text}), ("game.get", {"game": text}),
                                   ("match.join", {"match": match, "seat": text, "code": text}),
                                   ("server.hello", {"client": text})) if at % 5 == 0 else ():
                try:
                    client.call(method, **params)
                except Refused as refused:
                    assert refused.kind in ("invalid_params", "not_found", "conflict", "too_large", "forbidden"), (
                        method, text, refused.error)
        self.raw_texts(tokens[0], match)
        self.log_and_screens(match, tokens[0], corpus)
        self.no_statement_is_joined()

    def raw_texts(self, token, match):
        """What no JSON writer of ours would make: lone surrogates, NUL, invalid UTF-8, headers full of it."""
        for raw in (b'"\\ud800"', b'"\\udc00x"', b'"\xff"', b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\\u0000"', b'"a\x00b"'):
            body = (b'{"jsonrpc":"2.0","id":1,"method":"match.say","params":{"match":"' + match.encode()
                    + b'","channel":"table","text":' + raw + b'}}')
            connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
            connection.request("POST", "/rpc", body, {"Authorization": "Bearer " + token})
            answer = json.loads(connection.getresponse().read())
            connection.close()
            assert "error" in answer or answer["result"]["text"], (raw, answer)
            if "error" in answer:
                assert answer["error"]["data"]["kind"] in ("parse", "invalid_params"), answer
        for header in ("Bearer ' OR 1=1 --", "Bearer " + "x" * 300, "Basic eDp5", "bearer", "Bearer \xe9"):
            connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
            connection.putrequest("POST", "/rpc")
            connection.putheader("Authorization", header.encode("latin-1"))
            connection.putheader("X-Forwarded-For", "'; --")
            connection.putheader("Content-Length", "2")
            connection.endheaders(b"{}")
            assert connection.getresponse().status in (200, 400, 401), header
            connection.close()

    def log_and_screens(self, match, token, corpus):
        """A log line an event; a terminal gets no control characters that were not meant."""
        for line in self.daemon.log_text().splitlines():
            assert line.startswith("at=") and " level=" in line, "no log line: %r" % line[:200]
            assert "\x1b" not in line and "\x07" not in line, line
        home = tempfile.mkdtemp(prefix="vedette-home-")
        env = {**os.environ, "VEDETTE_TOKEN": token, "XDG_CONFIG_HOME": home, "NO_COLOR": "1", "TERM": "dumb"}
        base = [self.args.client, "--server", "http://127.0.0.1:%d" % self.daemon.port]
        for command in (["matches", "--mine"], ["matches"], ["show", match], ["history", match]):
            done = subprocess.run([*base, *command], env=env, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
            out = done.stdout + done.stderr
            bad = [b for b in out if b < 0x20 and b not in (0x0a, 0x09)]
            assert not bad, (command, out[:400])
            text = out.decode("utf-8")
            assert not any(c in text for c in "\u202e\u2028\u2029\x7f"), command
        del corpus

    def no_statement_is_joined(self):
        """No SQL is put together from texts: every statement stands whole in the source."""
        words = re.compile(r'"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|ATTACH|VACUUM)\b')
        joined = re.compile(r"\b(s?n?printf|sqlite3_v?s?n?m?printf|strcat|strncat|buf_append\w*|asprintf)\s*\(")
        found = []
        for folder, _, files in os.walk(os.path.join(TOP, "server")):
            for name in files:
                if not name.endswith((".c", ".h")):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                for call in joined.finditer(text):
                    part = text[call.start():text.find(";", call.start())]
                    if words.search(part):
                        found.append("%s: %s" % (name, " ".join(part.split())[:160]))
        assert all("%u" in f or "%d" in f for f in found) and not any("%s" in f for f in found), found

    # ---- BR-20 ----

    def handshake(self, origin, token=None, cookie=None, path="/ws"):
        """The status of a WebSocket handshake with that Origin header (None: without one)."""
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=60) as link:
            lines = ["GET %s HTTP/1.1" % path, "Host: 127.0.0.1:%d" % self.daemon.port, "Upgrade: websocket",
                     "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
            lines += ["Origin: " + origin] if origin is not None else []
            lines += ["Cookie: token=%s" % cookie] if cookie else []
            lines += ["Authorization: Bearer " + token] if token else []
            link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            answer = b""
            while b"\r\n" not in answer:
                data = link.recv(4096)
                if not data:
                    raise Gone("no answer")
                answer += data
            return int(answer.split()[1])

    def post(self, origin, headers=None, method="account.get"):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        head = {"Content-Type": "application/json", **(headers or {})}
        if origin is not None:
            head["Origin"] = origin
        connection.request("POST", "/rpc", json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}), head)
        answer = connection.getresponse()
        body = answer.read()
        shared = answer.headers.get("Access-Control-Allow-Origin")
        connection.close()
        return answer.status, body, shared

    def test_br20_origins_fit_to_the_byte(self):
        """Only the own origin and those listed; nothing is ever taken from a cookie."""
        own = "http://127.0.0.1:%d" % self.daemon.port
        token = self.account()[1]
        bad = ["http://evil.example", own + ".evil.example", "http://evil.example/" + own, "http://127.0.0.1", own + "1",
               "http://127.0.0.1:%d" % (self.daemon.port + 1), "ws://127.0.0.1:%d" % self.daemon.port, "null", own.upper(),
               own + "/", "http://x@127.0.0.1:%d" % self.daemon.port, "http://play.example.org.evil.example",
               "https://PLAY.example.org", "https://pl\u0430y.example.org", "https://xn--ply-8cd.example.org",
               "https://play.example.org:443", "https://play.example.org:8443", "http://play.example.org", "file://", "*",
               own + " " + own, "https://play.example.org https://other.example.org"]
        for origin in bad:
            assert self.handshake(origin, token, token) == 403, origin
            status, body, shared = self.post(origin.encode() if not origin.isascii() else origin,
                                             {"Authorization": "Bearer " + token})
            assert status == 403 and b"reporter" not in body and shared is None, (origin, status)
        for origin in (own, "https://play.example.org"):
            assert self.handshake(origin) == 101, origin
            status, body, shared = self.post(origin, {"Authorization": "Bearer " + token})
            assert status == 200 and b'"result"' in body and shared in (None, origin), (origin, status, shared)
        for headers in ({"Cookie": "token=" + token}, {"Cookie": "Authorization=Bearer " + token}, {}):
            for origin in (None, own):  # without a bearer token there is no account, whatever the cookie
                assert b'"not_signed_in"' in self.post(origin, headers)[1], (origin, headers)
        client = Client(self.daemon.port)
        assert refusal(client.call, "account.get")["data"]["kind"] == "not_signed_in"
        for path in ("/", "/healthz", "/rpc"):
            assert "set-cookie" not in self.get(path)[1].lower(), path


def tagged(label, match, seats):
    """T of schema/record.md for the dice key of a match whose seats have all waived."""
    parts = [match.encode()]
    for seat in seats:
        parts += [seat.encode(), b""]
    return label.encode() + b"\0" + b"".join(len(p).to_bytes(4, "little") + p for p in parts)


def first_difference(here, there):
    for a, b in zip(here.splitlines(), there.splitlines()):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), 0)
            return "%s\n%s" % (a[max(0, at - 200):at + 200], b[max(0, at - 200):at + 200])
    return "one is longer"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon")
    parser.add_argument("--client")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    if args.list:
        print("\n".join(line.strip() for line in __doc__.splitlines() if line.startswith("  BR-")))
        return 0
    print("seed %d" % args.seed)
    config = ("[server]\nlog_level = debug\norigins = https://play.example.org https://other.example.org\n"
              "[limits]\nrates = off\n")
    daemon = Daemon(args.daemon, config=config).start()
    suite = Suite(args, daemon)
    passed = failed = 0
    for name in [n for n in dir(suite) if n.startswith("test_")]:
        if args.only and not any(part in name for part in args.only):
            continue
        title = name[5:].replace("br", "BR-", 1).replace("_", " ")
        began = time.monotonic()
        try:
            getattr(suite, name)()
            passed += 1
            print("passed  %-60s %5.1f s" % (title, time.monotonic() - began), flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAILED  " + title)
            traceback.print_exc(file=sys.stdout)
            if daemon.process.poll() is not None:
                print("the daemon died:\n" + daemon.log_text()[-6000:])
                daemon.start()
    code = daemon.stop()
    log = daemon.log_text()
    if code != 0 or "Sanitizer" in log or "runtime error" in log:
        failed += 1
        print("the daemon ended with %d\n%s" % (code, log[-6000:]))
    for note in suite.notes:
        print(note)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
