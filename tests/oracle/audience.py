#!/usr/bin/env python3
"""Who is told what: every member of views, events, positions and results has a declared audience (x-audience),
and what the daemon sends keeps to it. Ends with "N passed, N failed".

The words are those of x-audiences in schema/openrpc.json.
"""
import argparse
import collections
import json
import os
import random
import sys
import traceback

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "e2e"))
from wire import Client, Daemon, Refused, new_match, pick, register  # noqa: E402

SIDES = {"FR": "FR", "AL": "AL", "AD": "AL", "PR": "AL"}


def load(*path):
    with open(os.path.join(TOP, "schema", *path), encoding="utf-8") as file:
        return json.load(file)


def members(node, path=""):
    """Every member declared below a schema: (path, its schema)."""
    if isinstance(node, dict):
        for name, inner in node.items():
            if name == "properties" and isinstance(inner, dict):
                for member, schema in inner.items():
                    yield path + "." + member, schema
            yield from members(inner, path + "/" + name)
    elif isinstance(node, list):
        for at, inner in enumerate(node):
            yield from members(inner, "%s/%d" % (path, at))


def parts_with_members():
    """The parts of schema/ that say what is sent: (name, schema)."""
    for game in sorted(os.listdir(os.path.join(TOP, "schema", "games"))):
        for part in ("view", "forms", "ask", "position"):
            yield game + " " + part, load("games", game, part + ".schema.json")
    rpc = load("openrpc.json")
    for method in rpc["methods"]:
        yield method["name"], method["result"]["schema"]
    for push in rpc["x-pushes"]:
        yield push["name"], push["params"]
    for name, schema in rpc["components"]["schemas"].items():
        yield name, schema


class Traffic:
    """What the viewers of one match are sent, held against the declarations."""

    def __init__(self):
        self.view = load("games", "waterloo", "view.schema.json")
        positions = load("games", "waterloo", "position.schema.json")
        self.defs = {"view": self.view["$defs"], "event": positions["$defs"]}
        self.events = {v["properties"]["ev"]["const"]: v for v in positions["$defs"]["event"]["oneOf"]}
        self.problems, self.checks = [], collections.Counter()

    def resolve(self, schema, where):
        while "$ref" in schema:
            schema = {**{k: v for k, v in schema.items() if k != "$ref"},
                      **self.defs[where][schema["$ref"].rsplit("/", 1)[1]]}
        return schema

    def wrong(self, path, audience, text, values):
        self.problems.append("%s is for %s: %s: %s" % (path, audience, text, json.dumps(values)[:500]))

    # ---- views of one moment ----

    def views(self, views):
        """views: {viewer: view}, all of the same moment."""
        self.compare(self.view, views, "view", views)

    def compare(self, schema, values, path, views):
        schema = self.resolve(schema, "view")
        for name, inner in schema.get("properties", {}).items():
            inner_values = {v: value[name] for v, value in values.items() if name in value}
            if not inner_values:
                continue
            here = "%s.%s" % (path, name)
            self.judge(inner, here, inner_values, set(values), views)
            self.descend(inner, inner_values, here, views)
        inner = schema.get("additionalProperties")
        if isinstance(inner, dict):
            for key in set().union(*values.values()):
                found = {v: value[key] for v, value in values.items() if key in value}
                self.descend(inner, found, path + "[]", views)

    def descend(self, schema, values, path, views):
        if all(isinstance(value, dict) for value in values.values()):
            self.compare(schema, values, path, views)

    def judge(self, member, path, values, viewers, views):
        audience, member = member.get("x-audience"), self.resolve(member, "view")
        self.checks[audience] += 1
        sides = {SIDES.get(v) for v in values}
        nested = all(isinstance(value, dict) for value in values.values())
        if audience == "all":
            if set(values) != viewers:
                self.wrong(path, audience, "some have it not", values)
            elif len({self.shape(member, v) for v in values.values()}) > 1:
                self.wrong(path, audience, "it is not the same", values)
        elif audience == "side":
            values = {v: value for v, value in values.items() if value != {}}
            sides = {SIDES.get(v) for v in values}
            units = nested and all(k[2:3] == "-" for value in values.values() for k in value)
            if None in sides:
                self.wrong(path, audience, "the public has it", values)
            elif units and any(SIDES[k[:2]] != SIDES[v] for v, value in values.items() for k in value):
                self.wrong(path, audience, "a unit of the enemy", values)
            elif not units and len(sides) > 1:
                self.wrong(path, audience, "both sides have it", values)
        elif audience == "known" and not nested:
            if len({json.dumps(v) for v in values.values()}) > 1:
                self.wrong(path, audience, "those who know it are told differently", values)
        elif audience == "known":
            for viewer, value in values.items():
                strange = [k for k in value if k[2:3] == "-" and SIDES[k[:2]] != SIDES.get(viewer)]
                if any(k not in views_of(values, v) for k in strange for v in viewers):
                    self.wrong(path, audience, "not everybody knows it", values)
        elif audience == "others" and nested:
            for viewer, value in values.items():
                if any(SIDES.get(k) == SIDES.get(viewer) for k in value):
                    self.wrong(path, audience, "of its own side", values)
        elif audience == "acting":
            for viewer in values:
                if viewer not in views[viewer]["to_act"]:
                    self.wrong(path, audience, viewer + " is not to act", values)

    def shape(self, schema, value):
        """A value without the parts that are declared by themselves: of a map with such parts its keys."""
        schema = self.resolve(schema, "view")
        if isinstance(value, dict) and "properties" in schema:
            return ""
        inner = schema.get("additionalProperties")
        if isinstance(value, dict) and isinstance(inner, dict):
            return json.dumps({k: self.shape(inner, v) for k, v in sorted(value.items())})
        return json.dumps(value, sort_keys=True)

    # ---- events of a whole match ----

    def histories(self, histories):
        """histories: {viewer: [event]}."""
        told = {viewer: collections.Counter() for viewer in histories}
        for viewer, events in histories.items():
            for event in events:
                schema = self.events.get(event["ev"])
                if schema is None:
                    continue
                side = event.get("side") or SIDES.get(event.get("seat"))
                self.event(schema, event, event["ev"], viewer, side)
                told[viewer][self.common(schema, event)] += 1
        for key in set().union(*told.values()):
            if json.loads(key) and len({told[v][key] for v in told}) > 1:
                self.wrong("events", "all", "told not to all or not as often",
                           {key: {v: told[v][key] for v in told}})

    def common(self, schema, event):
        """Those members of an event that are for all, if its kind is."""
        if schema["properties"]["ev"].get("x-audience") != "all":
            return "{}"
        return json.dumps({name: event[name] for name, inner in schema["properties"].items()
                           if inner.get("x-audience") == "all" and name in event and
                           not isinstance(event[name], (dict, list))}, sort_keys=True)

    def event(self, schema, value, path, viewer, side):
        schema = self.resolve(schema, "event")
        for variant in schema.get("anyOf", []) + schema.get("oneOf", []):
            variant = self.resolve(variant, "event")
            if isinstance(value, dict) and set(value) <= set(variant.get("properties", {})):
                self.event(variant, value, path, viewer, side)
                return
            if isinstance(value, list) and variant.get("type") == "array":
                schema = variant
        if isinstance(value, list):
            for item in value:
                self.event(schema.get("items", {}), item, path + "[]", viewer, side)
        if not isinstance(value, dict):
            return
        for name, inner in schema.get("properties", {}).items():
            if name not in value:
                continue
            audience, here = inner.get("x-audience"), "%s.%s" % (path, name)
            self.checks[audience] += 1
            own = SIDES.get(viewer) == side
            if audience == "side" and not own or audience == "others" and own:
                self.wrong("event " + here, audience, viewer + " has it", {name: value[name]})
            self.event(inner, value[name], here, viewer, side)


def taste(form, enemies):
    """How much a form leads to battle."""
    do = form["do"]
    if do == "march":
        text = json.dumps(form)
        return 3 if any('"%s"' % town in text for town in enemies) else 1
    if do == "fire" or form.get("kind") == "advance" or "pursuit" in form or form.get("choice") == "fight":
        return 2
    return 0


def views_of(values, viewer):
    return values.get(viewer, {})


class Suite:
    def __init__(self, daemon, seed):
        self.daemon = daemon
        self.rng = random.Random(seed)
        self.moments, self.histories = [], []

    def test_every_member_has_an_audience(self):
        words = load("openrpc.json")["x-audiences"]
        missing = ["%s: %s" % (name, path) for name, schema in parts_with_members()
                   for path, member in members(schema) if member.get("x-audience") not in words]
        assert not missing, "%d members without an audience: %s" % (len(missing), missing[:20])

    def test_views_and_events_keep_to_it_with_two_seats(self):
        self.matches(["FR", "AL"], {"turns": 24}, 900)

    def test_views_and_events_keep_to_it_with_three_seats(self):
        self.matches(["FR", "AD", "PR"], {"players": 3, "morale": True, "turns": 24}, 900)

    def matches(self, seats, options, steps):
        """Until there was some fighting to look at."""
        states = collections.Counter()
        for _ in range(5):
            states += self.match(seats, options, steps)
            if states["COMBAT"] > 20:
                return
        raise AssertionError("no fighting: %s" % states)

    def match(self, seats, options, steps):
        tokens = [register(self.daemon.port, "%s-%d" % (seat, self.rng.randrange(10 ** 9))) for seat in seats]
        match = new_match(self.daemon.port, tokens, seats, options=options, spectators="public")
        clients = dict(zip(seats, [Client(self.daemon.port, token) for token in tokens]))
        clients["public"] = Client(self.daemon.port)
        traffic, first = Traffic(), len(self.moments)
        for _ in range(steps):
            views = {v: c.call("match.view", match=match) for v, c in clients.items()}
            traffic.views(views)
            self.moments.append(views)
            able = [seat for seat in seats if "actions" in views[seat]]
            if not able:
                break
            seat = self.rng.choice(able)
            forms = views[seat]["actions"]
            if self.rng.random() < 0.8:
                enemies = [town for town, at in views[seat]["board"]["towns"].items()
                           if any(SIDES[nation] != SIDES[seat] for nation in at["units"])]
                best = max(taste(form, enemies) for form in forms)
                forms = [form for form in forms if taste(form, enemies) == best]
            action = pick(forms, self.rng)
            clients[seat].call("match.act", match=match, seq=views[seat]["seq"], action=action)
        histories = {v: history(c, match) for v, c in clients.items()}
        traffic.histories(histories)
        self.histories.append(histories)
        states = collections.Counter(views["public"]["state"] for views in self.moments[first:])
        kinds = {event["ev"] for event in histories["public"]}
        print("states %s; %d kinds of events; checks %s" % (dict(states), len(kinds), dict(traffic.checks)))
        assert not traffic.problems, "\n".join(
            ["%d contradictions" % len(traffic.problems)] + unlike(traffic.problems))
        assert traffic.checks["side"] > 100 and traffic.checks["all"] > 1000, traffic.checks
        return states

    def test_zz_a_wrong_declaration_is_contradicted(self):
        """What others are told less of, declared as for all; what all are told, as one side's."""
        for member, audience in (("units", "all"), ("marches", "all"), ("prompt", "all"), ("ct", "side"),
                                 ("lost", "side"), ("nations", "acting"), ("roads", "all")):
            traffic = Traffic()
            for path, schema in members(traffic.view):
                if path.endswith("." + member) and ("/board" in path or member == "prompt"):
                    schema["x-audience"] = audience
            for views in self.moments:
                traffic.views(views)
            assert traffic.problems, "%s for %s went by" % (member, audience)
        for kind, member, audience in (("drafted", "ev", "all"), ("fired", "dice", "side"),
                                       ("marched", "side", "others"), ("march_dice", "dice", "others")):
            traffic = Traffic()
            traffic.events[kind]["properties"][member]["x-audience"] = audience
            for histories in self.histories:
                traffic.histories(histories)
            assert traffic.problems, "%s.%s for %s went by" % (kind, member, audience)

    def test_what_is_one_accounts_own_is_told_to_nobody_else(self):
        """Every text of a member for self or creator, searched for in what others are sent."""
        name = "own-%d" % self.rng.randrange(10 ** 9)
        owner = Client(self.daemon.port)
        secrets = {owner.call("account.register", name=name, password="correct horse battery",
                              email=name + "@example.org", language="eo",
                              timezone="Europe/Brussels")["token"], name + "@example.org"}
        made = owner.call("match.create", game="waterloo", seat="FR", access="private", spectators="public")
        secrets |= {seat["code"] for seat in made["seats"].values() if "code" in seat}
        secrets.add(owner.call("account.token", label="bot " + name, scope="play")["token"])
        other = Client(self.daemon.port, register(self.daemon.port, "other-%d" % self.rng.randrange(10 ** 9)))
        for client in (other, Client(self.daemon.port)):
            for method, params in (("match.get", {"match": made["match"]}), ("account.profile", {"name": name}),
                                   ("match.list", {"filter": "open"}), ("match.view", {"match": made["match"]})):
                try:
                    client.call(method, **params)
                except Refused:
                    pass
            heard = "\n".join(text for direction, text in client.traffic if direction == "<")
            assert not [s for s in secrets if s in heard], heard[:2000]


def history(client, match):
    steps, at = [], 0
    while True:
        page = client.call("match.history", match=match, **{"from": at})
        steps += page["steps"]
        if "next" not in page:
            return [event for step in steps for event in step["events"]]
        at = page["next"]


def unlike(problems):
    """One of each kind."""
    return list({text.split(":")[0]: text for text in problems}.values())[:40]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
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
            traceback.print_exc()
    daemon.stop()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
