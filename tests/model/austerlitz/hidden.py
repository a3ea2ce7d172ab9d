"""tests/model/austerlitz/hidden.py: whether a viewer can tell two positions apart that differ only in what it may not know.

    python3 tests/model/austerlitz/hidden.py --step PATH_TO_vedette-step --matches N --seed S [--steps M]

Plays matches of the semi-blind game on the model. Now and then it has the mute counters of an enemy (of both armies for the
public) change places with others of their type, and their strengths where they were dealt, and shows both positions to the server:
view and forms of the viewer must be the same to the byte, and so must be the answers to questions, the refusals of orders, and
what it is told and sees after an action (the enemy's own, renamed) that shows no face and moves no marker. Independent of the
server's own idea of a twin. Last line: `N passed, N failed`, a match counting as one.
"""
import argparse
import json
import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import austerlitz  # noqa: E402
import gen  # noqa: E402
import looks  # noqa: E402
import position  # noqa: E402
from land import ARMY, SEAT, TYPE  # noqa: E402
from pipe import Step, differences  # noqa: E402

TELLING = {"reveal", "rolled", "eliminated", "left_map", "demoralised", "over"}


def renamed(x, names):
    """Unit ids renamed, as members and as values; lists of ids in ascending order again."""
    if isinstance(x, dict):
        return {names.get(k, k): renamed(v, names) for k, v in x.items()}
    if isinstance(x, list):
        out = [renamed(v, names) for v in x]
        return sorted(out) if out and all(v in ARMY for v in x if isinstance(v, str)) and isinstance(x[0], str) else out
    return names.get(x, x) if isinstance(x, str) else x


def twin(st, viewer, rng):
    """(position, names): another position that this viewer cannot tell from st's."""
    names = {}
    mute = [u for u in st.hex if SEAT[ARMY[u]] != viewer and u not in looks.shown(st)]
    for kind in {(ARMY[u], TYPE[u]) for u in mute}:
        same = sorted(u for u in mute if (ARMY[u], TYPE[u]) == kind)
        names.update(zip(same, rng.sample(same, len(same))))
    p = renamed(position.write(st), names)
    if st.options["strengths"] == "dealt":
        for kind in {(ARMY[u], TYPE[u]) for u in mute}:
            same = [names[u] for u in mute if (ARMY[u], TYPE[u]) == kind]
            values = [st.power[u] for u in same]
            rng.shuffle(values)
            for u, value in zip(same, values):
                p["units"][u]["potential"] = value
    return p, names


class Secrets:
    def __init__(self, steps, seed, counts):
        self.a, self.b = steps
        self.seed, self.counts = seed, counts
        self.rng = random.Random(seed)

    def leak(self, n, what, one, other):
        print("LEAK seed %d step %d: %s" % (self.seed, n, what))
        print("  one: %s\n  other: %s" % (json.dumps(one), json.dumps(other)))
        return False

    def play(self, steps):
        rng = self.rng
        options = dict(gen.options(rng), information="semi-blind")
        while True:
            try:
                st = position.read(gen.make(rng, options), options)
                break
            except position.Bad:
                continue
        for n in range(steps):
            if not st.to_act():
                break
            if rng.random() < 0.4 and not self.same(st, options, n):
                return False
            seat, a = gen.legal(st, rng)
            austerlitz.apply(st, seat, gen.named(st, seat, a), [rng.randint(1, 6) for _ in range(60)])
        return True

    def same(self, st, options, n):
        rng = self.rng
        viewer = rng.choice(["FR", "AL", "public"])
        other, names = twin(st, viewer, rng)
        true = position.write(st)
        told = [step.send({"options": options, "position": p, "views": True}) for step, p in ((self.a, true), (self.b, other))]
        if not told[0]["ok"] or not told[1]["ok"]:
            return self.leak(n, "one is read, one is not", true, other)
        if json.dumps(told[0]["views"][viewer]) != json.dumps(told[1]["views"][viewer]):
            return self.leak(n, "%s sees %s" % (viewer, differences(told[0]["views"][viewer], told[1]["views"][viewer])), true, other)
        self.counts["pairs"] += 1
        return self.answers(st, viewer, n, true, other) and self.goes_on(st, viewer, names, n, true, other)

    def answers(self, st, viewer, n, true, other):
        """Questions and refused orders of a seat."""
        for _ in range(4 if viewer != "public" else 0):
            if self.rng.random() < 0.5:
                line = {"seat": viewer, "ask": gen.question(st, self.rng, viewer)}
            else:
                line = {"seat": viewer, "action": gen.named(st, viewer, gen.wild(st, self.rng)[1])}
                if not austerlitz.check(st, viewer, line["action"]):
                    continue
            said = [[answer.get(k) for k in ("ok", "kind", "rule", "member", "text", "answer")]
                    for answer in (step.send(line) for step in (self.a, self.b))]
            self.counts["asked"] += 1
            if json.dumps(said[0]) != json.dumps(said[1]):
                return self.leak(n, "%s is answered %s to %s" % (viewer, json.dumps(said), json.dumps(line)), true, other)
        return True

    def goes_on(self, st, viewer, names, n, true, other):
        """An action of whoever acts."""
        seat, a = gen.legal(st, self.rng)
        b = renamed(a, names)
        line = {"seat": seat, "views": True, "dice": [self.rng.randint(1, 6) for _ in range(60)]}
        back = {names.get(u, u): h for u, h in st.hex.items()}
        at = {h: u for u, h in back.items()}

        def call(action, where):
            def name(u):
                return u if SEAT[ARMY[u]] == seat else where[u]
            if "plan" in action:
                return dict(action, plan=[{k: [name(u) for u in v] if isinstance(v, list) else v for k, v in e.items()}
                                          for e in action["plan"]])
            return dict(action, unit=name(action["unit"])) if action["do"] == "retreat" else action

        assert len(at) == len(st.at)
        one = self.a.send(dict(line, action=call(a, st.hex)))
        two = self.b.send(dict(line, action=call(b, back)))
        if not one["ok"] or any(e["ev"] in TELLING for x in (one, two) if x["ok"] for e in x["events"]["all"]):
            return True
        if st.options["guard_1805"] and not two["ok"]:
            return True  # the Guard goes where others cannot (15.8)
        self.counts["actions"] += 1
        if not two["ok"] or json.dumps(one["events"][viewer]) != json.dumps(two["events"][viewer]):
            return self.leak(n, "%s is told %s or %s (%s) of %s" % (viewer, json.dumps(one["events"][viewer]), json.dumps(
                two["events"][viewer]), two["rule"], json.dumps(a)), true, other)
        if json.dumps(one["views"][viewer]) != json.dumps(two["views"][viewer]):
            return self.leak(n, "%s sees, after %s: %s" % (viewer, a, differences(one["views"][viewer], two["views"][viewer])), true, other)
        return True


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--step", required=True)
    args.add_argument("--matches", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--steps", type=int, default=60)
    args = args.parse_args()
    steps = Step(args.step, "austerlitz"), Step(args.step, "austerlitz")
    counts, passed, failed = {"pairs": 0, "asked": 0, "actions": 0}, 0, 0
    for seed in range(args.seed, args.seed + args.matches):
        if Secrets(steps, seed, counts).play(args.steps):
            passed += 1
        else:
            failed += 1
    for step in steps:
        step.close()
    print("%(pairs)d pairs shown, %(asked)d questions and orders, %(actions)d actions in both" % counts)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
