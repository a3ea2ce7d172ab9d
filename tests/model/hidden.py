"""tests/model/hidden.py: what a viewer sees must not change with what it may not know (W20).

    python3 tests/model/hidden.py --step PATH_TO_vedette-step --matches N --seed S

Plays random matches on the model. Now and then it makes another position that differs from the true one
only in hidden facts (which enemy unit stands where, CVs of hidden units, drafts, who has ended) and has
the server show both: the viewer's view and forms must be the same to the byte, and so must be the answer
to orders of any kind (accepted, or refused in the same words). Independent of the server's own idea of a
twin. Last line: `N passed, N failed`, a match counting as one.
"""
import argparse
import json
import random
import sys

import compare
import gen
import nasty
import position
import waterloo
from board import START, UNITS, board, nation, side_of, uside


def hidden(st, n):
    """Units of nation n that an enemy does not know (W20.1)."""
    seen = set()
    for b in st.battles.values():
        if st.state == "COMBAT":
            seen |= {u for u, x in b.units.items() if x["place"] in ("col", "adv")}
        if b.rout:
            seen |= {u for u, shown in b.rout["units"].items() if shown}
    return [u for u in UNITS if nation(u) == n and st.alive(u) and u not in seen]


def rename(x, names):
    """The value with unit ids renamed, keys too; sets of units in ascending order again."""
    if isinstance(x, dict):
        return {names.get(k, k): rename(v, names) for k, v in x.items()}
    if isinstance(x, list):
        out = [rename(v, names) for v in x]
        return sorted(out) if all(isinstance(v, str) and v in START for v in x) else out
    return names.get(x, x) if isinstance(x, str) else x


def twin(st, viewer, rng):
    """A position that this viewer cannot tell from st's, or None where the model cannot say one."""
    foes = [n for n in ("FR", "AD", "PR") if viewer == "public" or side_of(n) != side_of(viewer)]
    defender = st.other(st.phasing()) if st.slot else None
    if st.state in ("RESPOND", "PURSUIT_LOSS") and (viewer == "public" or side_of(viewer) != defender):
        return None  # the answers are secret, and what was there before is in no position
    p = position.write(st)
    names, cvs = {}, {}
    for n in foes if st.slot else ():
        units = hidden(st, n)
        mixed = rng.sample(units, len(units))
        names.update(zip(units, mixed))
        cvs.update({u: rng.randint(1, START[u]) for u in units})
    units = p.pop("units")
    marches = p.pop("marches", None)
    p = rename(p, names)
    p["units"] = {names.get(u, u): x for u, x in units.items()}
    for u, cv in cvs.items():
        p["units"][u] = dict(p["units"][u], cv=cv)
    if st.state.startswith("SETUP"):
        # nothing of an enemy's set-up is known before all have confirmed it
        if st.state == "SETUP_ALLIED" and viewer in ("FR", "public"):
            for u in p["units"]:
                p["units"][u].pop("town", None)
            p["confirmed"] = []
        elif st.state == "SETUP_FRENCH" and viewer != "FR":
            for u in p["units"]:
                if u.startswith("FR"):
                    p["units"][u].pop("town", None)
    # a statement of pursuit is told when it is used (W20.1), a deployment when all is deployed
    for t in p.get("attacks", {}):
        if not p["attacks"][t]["answers"] and "pursuit" in p:
            none = {s: "none" for s in st.side_seats(st.phasing())
                    if any(st.owner(u) == s for u in st.at(t, st.phasing())) and rng.random() < 0.5}
            p["pursuit"].pop(t, None)
            if none:
                p["pursuit"][t] = none
    if st.state.startswith("DEPLOY"):
        side = st.side_in("def" if st.state == "DEPLOY_DEF" else "att")
        if viewer == "public" or side_of(viewer) != side:
            for b in p["battles"].values():
                for u, x in b["units"].items():
                    if uside(u) == side:
                        x["place"] = "undeployed"
                        x.pop("lane", None)
    if marches is not None:
        mine = st.phasing() in ([side_of(viewer)] if viewer != "public" else [])
        p["marches"] = marches if mine else []
        if not mine:
            p["ended"], p["pursuit"] = [], {}
    return p


class Secrets:
    """Matches whose positions are shown in two ways."""

    def __init__(self, step, seed):
        self.step, self.seed = step, seed
        self.rng = random.Random(seed)
        self.rng.style = self.rng.choice([0, 0, 1, 3, 4])
        self.shown = self.refused = self.asked = 0

    def play(self, steps):
        rng = self.rng
        options = {"players": rng.choice([2, 3]), "morale": rng.random() < 0.5}
        if rng.random() < 0.25:
            st = waterloo.create(options)
            st.board = board("fixture")
        else:
            st = position.read(nasty.make(rng, options), options)
        for n in range(steps):
            if not st.to_act():
                break
            if rng.random() < 0.35 and not self.same(st, options, n):
                return False
            good = gen.legal(st, rng)
            if good is None:
                break
            waterloo.apply(st, *good, [rng.randint(1, 6) for _ in range(300)])
        return True

    def same(self, st, options, n):
        viewer = self.rng.choice([v for v in waterloo.viewers(st) if v != "all"])
        other = twin(st, viewer, self.rng)
        if other is None:
            return True
        true = position.write(st)
        a = self.step.send({"options": options, "position": true, "views": True})
        b = self.step.send({"options": options, "position": other, "views": True})
        if not a["ok"] or not b["ok"]:
            self.refused += 1
            return True
        self.shown += 1
        x, y = json.dumps(a["views"][viewer]), json.dumps(b["views"][viewer])
        if x == y:
            return self.answers(st, viewer, options, true, other, n)
        diff = compare.differences(a["views"][viewer], b["views"][viewer])
        print("LEAK seed %d step %d: %s sees %s" % (self.seed, n, viewer, json.dumps(diff)[:2000]))
        print("  one: " + json.dumps({"options": options, "position": true}))
        print("  other: " + json.dumps({"options": options, "position": other}))
        return False


    def answers(self, st, viewer, options, true, other, n):
        """Whether an order is refused, and in which words, rests on nothing hidden (W20.3)."""
        seat = "AL" if st.departed and viewer in ("AD", "PR") else viewer
        for _ in range(3 if seat in st.to_act() else 0):
            _, a = gen.wild(st, self.rng)
            if self.rng.random() < 0.3:
                who, good = gen.legal(st, self.rng) or (None, None)
                a = gen.mutate(st, self.rng, seat, good)[1] if who == seat else a
            said = []
            for p in (true, other):
                self.step.send({"options": options, "position": p})
                b = self.step.send({"seat": viewer, "action": a,
                                    "dice": [self.rng.randint(1, 6) for _ in range(200)]})
                said.append([b[k] for k in ("ok", "kind", "rule", "member", "text")])
            self.asked += 1
            if said[0] != said[1]:
                print("LEAK seed %d step %d: %s is answered %s to %s" % (
                    self.seed, n, viewer, json.dumps(said), json.dumps(a)))
                print("  one: " + json.dumps({"options": options, "position": true}))
                print("  other: " + json.dumps({"options": options, "position": other}))
                return False
        return True


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--step", required=True)
    args.add_argument("--matches", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--steps", type=int, default=300)
    args = args.parse_args()
    step = compare.Step(args.step)
    passed = failed = shown = refused = asked = 0
    print("seeds %d to %d" % (args.seed, args.seed + args.matches - 1))
    for seed in range(args.seed, args.seed + args.matches):
        match = Secrets(step, seed)
        if match.play(args.steps):
            passed += 1
        else:
            failed += 1
        shown += match.shown
        refused += match.refused
        asked += match.asked
    step.close()
    print("%d pairs shown, %d not read, %d orders given in both" % (shown, refused, asked))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
