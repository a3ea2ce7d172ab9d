"""tests/model/austerlitz/versus.py: plays random matches on the server's rules and on the model side by side.

    python3 tests/model/austerlitz/versus.py --step PATH_TO_vedette-step --matches N --seed S [--steps M] [--whole SHARE] [--seconds T]

Every match has its own seed (S, S+1, ..) and one of the 20 combinations of options. It begins at the start of the battle or in
a position made up (few units, crowds, ponds, bridges, edges, fog and night, markers near the threshold, plans and combats in
hand). Actions are legal ones, spoilt ones, wild ones and picks from the forms; both get the same dice. After each both must
agree on: accepted or refused, and by which rule; what was drawn; the position; who may act; what every viewer is told (order
aside, but for what the position page fixes) and sees; answers to questions; and every position reads back. A position made up
must be refused by both or by neither. A difference is printed with seed and step and a case. Last line: `N passed, N failed`.
"""
import argparse
import copy
import json
import os
import random
import sys
import time
from collections import Counter

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import asks  # noqa: E402
import austerlitz  # noqa: E402
import gen  # noqa: E402
import land  # noqa: E402
import looks  # noqa: E402
import march  # noqa: E402
import position  # noqa: E402
from pipe import Step, differences, pick  # noqa: E402

FORMS_MOST = 8192
SORTED = {"declared", "dropped", "reveal", "eliminated"}  # lists in events come in the order of the page


def event_differences(server, model):
    """What one was told and the other not; events of one kind in the order of the other side's are the same."""
    a, b = [json.dumps(e, sort_keys=True) for e in server], [json.dumps(e, sort_keys=True) for e in model]
    for x in list(a):
        if x in b:
            a.remove(x)
            b.remove(x)
    return (a, b) if a or b else None


def order(events):
    """The order that the page fixes: kinds of events one after the other, without repetitions."""
    out = []
    for e in events:
        if not out or out[-1] != e["ev"]:
            out.append(e["ev"])
    return out


class Match:
    def __init__(self, step, seed, steps, counts, whole=0.15):
        self.step, self.seed, self.steps, self.counts, self.whole = step, seed, steps, counts, whole
        self.rng = random.Random(seed)
        self.n, self.before, self.forms = 0, None, None
        self.options = gen.options(self.rng)
        self.bold = self.rng.choice([0.0, 0.1, 0.3])

    def problem(self, text, seat=None, action=None, dice=()):
        print("DIFFERENCE seed %d step %d: %s" % (self.seed, self.n, text))
        case = {"case": "seed %d step %d" % (self.seed, self.n), "game": "austerlitz", "options": self.options,
                "position": self.before, "dice": list(dice), "steps": [{"seat": seat, "action": action}]}
        print("  case: " + json.dumps(case), flush=True)
        return False

    def start(self):
        """True when both have begun from the same position, None where both refuse it."""
        rng = self.rng
        if rng.random() < self.whole:
            return self.create()
        self.before = gen.make(rng, self.options)
        if rng.random() < 0.15:
            self.before = spoil(self.before, rng)
        line = {"position": self.before, "options": self.options}
        try:
            self.st = position.read(self.before, self.options)
        except position.Bad as bad:
            self.counts["positions refused"] += 1
            return self.problem("position read, the model refuses it: %s" % bad) if self.step.send(line)["ok"] else None
        answer = self.step.send(dict(line, views=True))
        if not answer["ok"]:
            return self.problem("position refused: %s %s %s" % (answer["kind"], answer["member"], answer["text"]))
        return self.agree(answer, "start")

    def create(self):
        """The start of the battle, dealt where the options say so."""
        self.before = {}
        self.st = position.read({}, dict(self.options, strengths="printed"))
        self.st.options = self.options
        sizes = [n for army in land.ARMIES for kind in land.TYPES
                 for n in range(sum(land.ARMY[u] == army and land.TYPE[u] == kind for u in land.UNITS), 1, -1)]
        draws = [self.rng.randrange(n) for n in sizes] if self.options["strengths"] == "dealt" else []
        if draws:
            self.st.power, used = position.deal(draws)
            assert used == len(draws)
        answer = self.step.send({"create": True, "options": self.options, "deal": draws, "views": True})
        if not answer["ok"] or answer["dealt"] != len(draws):
            return self.problem("not begun: %s, %s dealt" % (answer["kind"], answer["dealt"]))
        return self.agree(answer, "start")

    def agree(self, answer, what, **case):
        mine = position.write(self.st)
        diff = differences(answer["position"], mine)
        if diff:
            return self.problem("%s: position (server's, model's): %s" % (what, json.dumps(diff)), **case)
        for k in ("to_act", "waits_for"):
            if answer[k] != self.st.to_act():
                return self.problem("%s: %s %s, the model says %s" % (what, k, answer[k], self.st.to_act()), **case)
        if answer["check"] is not None or answer["exhausted"] or answer["failed"]:
            return self.problem("%s: %s %s %s" % (what, answer["check"], answer["exhausted"], answer["failed"]), **case)
        self.forms = None
        for viewer, seen in answer.get("views", {}).items():
            forms = seen.pop("actions", None)
            diff = differences(seen, looks.view(self.st, viewer))
            if diff:
                return self.problem("%s: %s sees (server's, model's): %s" % (what, viewer, json.dumps(diff)), **case)
            if (forms is not None) != (viewer in self.st.to_act()) or forms == []:
                return self.problem("%s: forms of %s: %s" % (what, viewer, forms), **case)
            if forms:
                self.forms = forms
                size = len(json.dumps(forms, separators=(",", ":")))
                self.counts["largest forms"] = max(self.counts["largest forms"], size)
                if size > FORMS_MOST:
                    return self.problem("%s: forms of %d bytes" % (what, size), **case)
        return True

    def offered(self):
        """Whatever is picked from the forms is legal."""
        seat = self.st.to_act()[0]
        for form in self.rng.sample(self.forms, min(3, len(self.forms))):
            a = pick(form, self.rng)
            why = austerlitz.check(self.st, seat, a)
            self.counts["picks from forms"] += 1
            if why:
                return self.problem("a form offers what %s forbids" % why, seat, a)
        return self.complete(seat)

    def complete(self, seat):
        """Where the forms can hold all that is legal they do, or a question tells it (the rest: ask, below)."""
        st, forms = self.st, self.forms
        if st.state == "RESOLVE":
            want = [n + 1 for n, e in enumerate(st.plan) if e["status"] == "pending"]
            have = sorted(x for f in forms for x in f["index"])
            if want != have:
                return self.problem("forms offer to resolve %s, not %s" % (have, want), seat)
        if st.state == "MOVE":
            todo = {u for u in st.army(st.side) if u not in st.moved and any(gen.march.reach(st, u))}
            have = {f["unit"] for f in forms if f["do"] == "move"}
            if have - todo or ({"do": "end_move"} not in forms):
                return self.problem("forms move %s, not %s" % (have, todo), seat)
            able = {(st.at[end], b) for b, ends in land.BRIDGES.items() for end in ends if end in st.at
                    and gen._ok(march.check_destroy_bridge, st, {"unit": st.at[end], "bridge": b})}
            told = {(u, f["bridge"]) for f in forms if f["do"] == "destroy_bridge" for u in f["unit"]}
            if able != told:  # no question tells it
                return self.problem("forms destroy bridges %s, not %s" % (sorted(told), sorted(able)), seat)
            self.counts["units that may move"] += len(todo)
            self.counts["units that forms move"] += len(have)
        if st.state in ("RETREAT", "BATTERY"):
            due = sorted(st.name(seat, u) for u in st.hand["to_retreat" if st.state == "RETREAT" else "to_choose"])
            if sorted({f["unit"] for f in forms}) != due:
                return self.problem("forms for %s, not for %s" % (sorted({f["unit"] for f in forms}), due), seat)
        return True

    def question(self):
        seat = self.rng.choice(["FR", "AL"])
        q = gen.question(self.st, self.rng, seat)
        self.before = position.write(self.st)
        refused, mine = asks.ask(self.st, seat, q)
        answer = self.step.send({"seat": seat, "ask": q})
        self.counts["questions"] += 1
        if answer["ok"] != (refused is None):
            return self.problem("asked: %s %s, the model says %s %s" % (answer["rule"] or answer["kind"], answer.get("answer"), refused,
                                                                      mine), seat, q)
        if not answer["ok"]:
            got = answer["rule"] or answer["kind"]
            return got in refused or self.problem("asked, refused by %s, the model says %s" % (got, refused), seat, q)
        if q["ask"] == "reach" and not self.ways(seat, q, answer["answer"]):
            return False
        diff = differences(answer["answer"], mine)
        return not diff or self.problem("answer (server's, model's): %s" % json.dumps(diff), seat, q)

    def ways(self, seat, q, answer):
        """Each hex of a reach is got to by `from`, step by step, legally and at the cost that is told."""
        unit = austerlitz.resolve_name(self.st, seat, q["unit"])
        st, back = asks._as_if(self.st, unit), answer.pop("from")
        for end, cost in answer["hexes"].items():
            path = [end]
            while back.get(path[0]) != st.hex[unit] and len(path) < 12:
                path.insert(0, back.get(path[0], "0000"))
            try:
                told = sum(march.walk(st, unit, path))
            except march.Refuse as no:
                told = str(no)
            if told != cost:
                return self.problem("the way to %s is %s, at %s" % (end, path, told), seat, q)
        return True

    def action(self):
        rng, st = self.rng, self.st
        way = rng.random()
        if way < 0.15 * (1 + self.bold):
            seat, a = gen.wild(st, rng)
        elif way < 0.35 and self.forms:
            return st.to_act()[0], pick(rng.choice(self.forms), rng)
        elif way > 0.999:
            return rng.choice(["FR", "AL"]), {"do": "resign"}
        else:
            seat, a = gen.legal(st, rng)
            if rng.random() < 0.2:
                seat, a = gen.mutate(st, rng, seat, a)
        return seat, gen.named(st, seat, a) if rng.random() < 0.97 else a

    def play(self):
        """True when both sides agreed to the end."""
        begun = self.start()
        while begun and self.st.to_act() and self.n < self.steps:
            self.n += 1
            if self.forms and not self.offered():
                return False
            if self.rng.random() < 0.4 and not self.question():
                return False
            seat, a = self.action()
            if not self.one(seat, a, self.dice(seat, a)):
                return False
        return begun is not False

    def dice(self, seat, a):
        """At random; for a combat now and then such that something seldom seen comes of it."""
        dice = [self.rng.randint(1, 6) for _ in range(60)]
        if self.st.state == "RESOLVE" and self.rng.random() < 0.4:
            for first in self.rng.sample(range(1, 7), 6):
                st = copy.deepcopy(self.st)
                austerlitz.apply(st, seat, a, [first] + dice[1:])
                if st.state in ("EXCHANGE", "BATTERY"):
                    return [first] + dice[1:]
        return dice

    def one(self, seat, a, dice):
        self.before = position.write(self.st)
        state = self.st.state
        refused, told, drawn = austerlitz.apply(self.st, seat, a, dice)
        line = {"seat": seat, "action": a, "dice": dice}
        if self.rng.random() < 0.35:
            line["views"] = True
        answer = self.step.send(line)
        case = {"seat": seat, "action": a, "dice": dice[:max(answer["drawn"], drawn)]}
        if answer["ok"] != (refused is None):
            return self.problem("%s, the model says %s" % (answer["rule"] or answer["kind"], refused or "legal"), **case)
        if refused:
            got = answer["rule"] or answer["kind"]
            self.counts["refused " + got] += 1
            return got in refused or self.problem("refused by %s, the model says %s" % (got, sorted(refused)), **case)
        self.counts["steps in " + state] += 1
        if answer["drawn"] != drawn:
            return self.problem("%d dice drawn, the model draws %d" % (answer["drawn"], drawn), **case)
        for viewer, events in told.items():
            diff = event_differences(answer["events"][viewer], events)
            if diff:
                return self.problem("%s is told (server's, model's): %s" % (viewer, json.dumps(diff)), **case)
            if order(answer["events"][viewer]) != order(events):
                return self.problem("%s is told in this order: %s, not %s" % (viewer, order(answer["events"][viewer]), order(events)),
                                    **case)
        for e in told["all"]:
            self.counts["event " + e["ev"]] += 1
        if not self.agree(answer, "after", **case):
            return False
        if self.rng.random() < 0.05:
            again = position.write(position.read(copy.deepcopy(position.write(self.st)), self.options))
            if again != position.write(self.st):
                return self.problem("the model's position does not read back", **case)
        return True


def spoil(p, rng):
    """A position with something changed, that may have to be refused."""
    p = copy.deepcopy(p)
    units = sorted(p["units"])
    u, v = rng.choice(units), rng.choice(units)
    choices = [
        lambda: p.update(turn=rng.choice([0, 13, "1", 12])), lambda: p.update(side=rng.choice(["french", "allied", "prussian"])),
        lambda: p.update(state=rng.choice(["MOVE", "DECLARE", "RESOLVE", "RETREAT", "OVER", "EXCHANGE", "SETUP"])),
        lambda: p["units"].update({u: p["units"][v]}), lambda: p["units"].update({u: rng.choice(["vienna", "eliminated", "2218", "9999"])}),
        lambda: p["units"][u].update(moved=rng.choice([True, False])), lambda: p["units"].pop(u),
        lambda: p["units"][u].update(destroyed_bridge=rng.choice(["BR01", "BR06", "BR20"])),
        lambda: p["units"][u].update(potential=rng.choice([1, 2, 4, 9, 11])), lambda: p.update(others="start"),
        lambda: p.update(tracks={"allied": {"P": rng.choice([0, 5]), "D": 66}}), lambda: p.update(demoralised=rng.choice(["french", "x"])),
        lambda: p.update(broken_ice=[rng.choice(["1926", "1927", "2218"])]), lambda: p.update(destroyed_bridges=["BR02", "BR02"]),
        lambda: p.update(plan={}), lambda: p.pop("plan", None), lambda: p.update(resigned=rng.choice(["french", "none"])),
        lambda: p.update(agreed=rng.choice([True, False])), lambda: p.update(note=1), lambda: p.pop("hand", None),
        lambda: p.update(state="OVER"), lambda: p.update(state="OVER", turn=12, side="french"),
        lambda: p.update(hand={"index": 1, "result": "DR"}), lambda: p["units"].update(XX="2218"),
    ]
    if "plan" in p and p["plan"]:
        e = p["plan"][rng.choice(sorted(p["plan"]))]
        choices += [lambda: p["plan"].update({"9": e}), lambda: e.update(status=rng.choice(["done", "void", "late"])),
                    lambda: e.update(defenders=[u]), lambda: e.update(contact=[u, v]), lambda: e.update(bombard=[u]), e.clear] * 2
    if "hand" in p:
        h = p["hand"]
        choices += [lambda: h.update(index=rng.choice([0, 1, 2, 9])), lambda: h.update(result=rng.choice(["AE", "AR", "EX", "no_die", "XX"])),
                    lambda: h.update(to_retreat=[u]), lambda: h.update(to_choose=[u]), lambda: h.update(vacated=["2218"]),
                    lambda: h.pop("result", None), lambda: h.update(contact=[u])] * 3
    for _ in range(rng.choice([1, 1, 2])):
        try:
            rng.choice(choices)()
        except (KeyError, AttributeError):
            pass
    return p


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--step", required=True)
    args.add_argument("--matches", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--steps", type=int, default=150)
    args.add_argument("--seconds", type=float, default=0)
    args.add_argument("--whole", type=float, default=0.15, help="share of matches from the start of the battle")
    args.add_argument("--failures", type=int, default=1000)
    args.add_argument("--verbose", action="store_true")
    args = args.parse_args()
    step = Step(args.step, "austerlitz")
    counts, passed, failed, began = Counter(), 0, 0, time.monotonic()
    for seed in range(args.seed, args.seed + args.matches):
        if args.seconds and time.monotonic() - began > args.seconds or failed >= args.failures:
            break
        if Match(step, seed, args.steps, counts, args.whole).play():
            passed += 1
        else:
            failed += 1
    step.close()
    if args.verbose:
        print("\n".join("%8d %s" % (n, what) for what, n in sorted(counts.items())))
    print("%d steps, %d refusals, %d questions, %d picks from forms" % (
        sum(n for k, n in counts.items() if k.startswith("steps in")), sum(n for k, n in counts.items() if k.startswith("refused ")),
        counts["questions"], counts["picks from forms"]))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
