"""tests/model/compare.py: plays random matches on the server's rules and on the model side by side.

    python3 tests/model/compare.py --step PATH_TO_vedette-step --matches N --seed S [--steps M]
        [--mirror] [--views]

Every match has its own seed (S, S+1, ..). Actions are legal ones, mutations of them and wild ones; both
sides get the same dice. After every action both must agree on: accepted or refused (and the rule: one of
those that the model says forbid it), what was drawn, the whole position, who may act, whom the match
waits for, and what each viewer is told (order aside). A difference is printed with the seed, the step and
a case that starts from the position before. Last line: `N passed, N failed`, a match counting as one.
With --views the view and the forms of a viewer must stay the same while it is told nothing. With --mirror a second server plays the same match with every list of an action in another order (where no
die hangs on it): what the enemy is told must be the same to the byte (W20.3).
"""
import argparse
import json
import random
import sys

import gen
import nasty
import position
import waterloo
from board import board
from pipe import Step, differences

LEAVES = ("SETUP_ALLIED", "RESPOND", "PURSUIT_LOSS", "DEPLOY_DEF", "DEPLOY_ATT")
SETS = {"confirmed", "ended", "marched", "surrendered", "departed", "attack_roads", "stranded",
        "enemy_towns", "roads"}


def plain(x, name=""):
    """The value with sets in ascending order, as text."""
    if isinstance(x, dict):
        inner = "marched" if name == "groups_used" else ""
        return {k: plain(v, inner or k) for k, v in x.items()}
    if isinstance(x, list):
        if name in SETS and all(isinstance(v, str) for v in x):
            return sorted(x)
        return [plain(v) for v in x]
    return x


def event_differences(server, model):
    """What one was told and the other not."""
    key = lambda e: json.dumps(plain(e), sort_keys=True)
    a, b = [key(e) for e in server], [key(e) for e in model]
    for x in list(a):
        if x in b:
            a.remove(x)
            b.remove(x)
    return a, b


class Match:
    """One match on both sides."""

    def __init__(self, step, seed, steps, verbose, mirror=None, reader=None,
                 views=False):
        self.step, self.seed, self.steps, self.verbose = step, seed, steps, verbose
        self.mirror, self.reader = mirror, reader
        self.views = {} if views else None
        self.rng = random.Random(seed)
        self.rng.style = self.rng.choice([0, 0, 0, 1, 2, 3, 4])
        self.n = 0
        self.before = None
        self.blind = False
        # with one face on all dice the order of forced marches shows nothing either
        self.same = self.rng.choice([0, 1, 4, 6]) if mirror else 0

    def problem(self, text, seat=None, action=None, dice=()):
        print("DIFFERENCE seed %d step %d: %s" % (self.seed, self.n, text))
        if action is not None:
            case = {"case": "seed %d step %d" % (self.seed, self.n), "game": "waterloo",
                    "options": self.options, "position": self.before, "dice": list(dice),
                    "steps": [{"seat": seat, "action": action}], "expect": {}}
            print("  case: " + json.dumps(case))
        return False

    def compare_state(self, answer, what):
        """None, or how the states differ."""
        mine = position.write(self.st)
        theirs = answer["position"]
        if self.st.state == "GAME_OVER":
            for p in (mine, theirs):
                for u in p["units"].values():
                    u.pop("marked_until", None)
        diff = differences(plain(theirs), plain(mine))
        if diff:
            return "%s: position (server's, model's): %s" % (what, json.dumps(diff))
        names = self.codes
        for k, want in (("to_act", self.st.to_act()), ("waits_for", self.st.waits_for())):
            if sorted(answer[k]) != sorted(names(s) for s in want):
                return "%s: %s %s, the model says %s" % (what, k, answer[k], want)
        if answer["check"] is not None:
            return "%s: broken invariant %s" % (what, answer["check"])
        return None

    def codes(self, seat):
        """The seat's code on the server: AL stands for the ally that is left (W18.9)."""
        if self.st.players == 3 and seat == "AL":
            return "PR" if "AD" in self.st.departed else "AD"
        return seat

    def start(self):
        rng = self.rng
        self.options = {"players": rng.choice([2, 3]), "morale": rng.random() < 0.5,
                        "command_control": rng.random() < 0.5}
        if rng.random() < 0.1:
            self.options["turns"] = rng.randint(2, 24)
        if rng.random() < 0.35:
            self.st = waterloo.create(self.options)
            if rng.random() < 0.5:
                self.st.board = board("fixture")
                line = {"position": position.write(self.st)}
            else:
                line = {"create": True}
        else:
            start = nasty.make(rng, self.options)
            self.st = position.read(start, self.options)
            line = {"position": start}
        answer = self.step.send(dict(line, options=self.options))
        if self.mirror:
            self.mirror.send(dict(line, options=self.options))
        self.before = line.get("position")
        if not answer["ok"]:
            return "start refused: %s %s %s: %s" % (answer["kind"], answer["member"], answer["text"],
                                                    json.dumps(line))
        why = self.compare_state(answer, "start")
        return why and why + "\n  case start: " + json.dumps(line)

    def action(self):
        pick = self.rng.random()
        if pick < 0.22:
            return gen.wild(self.st, self.rng)
        good = gen.legal(self.st, self.rng)
        if good is None:
            return gen.wild(self.st, self.rng)
        if pick < 0.34:
            return gen.mutate(self.st, self.rng, *good)
        return good

    def play(self):
        """True when both sides agreed to the end."""
        why = self.start()
        if why:
            return self.problem(why)
        while self.st.to_act() and self.n < self.steps:
            self.n += 1
            if not self.mirror and self.rng.random() < (0.02 if self.st.state in LEAVES else 0.002):
                if not self.leave(self.rng.choice(self.st.seats())):
                    return False
                continue
            seat, a = self.action()
            form = self.form() if self.views and self.rng.random() < 0.3 else None
            if form:
                seat, a = form
                if waterloo.check(self.st, seat, a):
                    return self.problem("a form offers what %s forbids" % waterloo.check(self.st, seat, a), seat, a)
            dice = [self.same or self.rng.randint(1, 6) for _ in range(300)]
            if not self.one(seat, a, dice):
                return False
            if self.reader and self.rng.random() < 0.1 and not self.reread():
                return False
        return True

    def truth(self):
        """What the views say of the board is so, as far as each viewer may know it (W20.1)."""
        st = self.st
        if st.state.startswith("SETUP"):
            return None
        for v, view in self.views.items():
            side = None if v == "public" else "all" if v == "all" else waterloo.moving.side_of(v)
            open_ = side == "all" or st.state not in ("RESPOND", "PURSUIT_LOSS") or (
                side and side != st.phasing())
            board_ = view["board"]
            towns, own, gone = {}, {}, {}
            for u in sorted(st.town):
                if u in st.gone:
                    gone[u] = {"type": gen.TYPE[u], "why": st.gone[u]}
                    continue
                t = towns.setdefault(st.town[u], {"units": {}})
                for k in ["units"] + ["marked"] * st.marked(u):
                    t.setdefault(k, {})[u[:2]] = t.get(k, {}).get(u[:2], 0) + 1
                if side in ("all", gen.uside(u)):
                    own[u] = (gen.TYPE[u], st.cv[u], st.town[u])
            if open_ and (towns != board_["towns"] or gone != board_["lost"]):
                return "%s sees %s" % (v, json.dumps(differences([board_["towns"], board_["lost"]], [towns, gone])))
            seen = {u: (x["type"], x["cv"], x["town"]) for u, x in board_["units"].items()}
            if seen != own:
                return "%s sees units %s, not %s" % (v, seen, own)
            for b in st.ongoing():
                shown = board_["battles"][b.town]
                for k in ("1", "2", "3"):
                    for role in ("att", "def"):
                        want = {u: (gen.TYPE[u], st.cv[u], x["square"]) for u, x in b.units.items()
                                if x["lane"] == int(k) and st.role(u) == role}
                        have = {u: (x["type"], x["cv"], x.get("square", False))
                                for u, x in shown["lanes"][k].get(role, {}).get("units", {}).items()}
                        if st.state == "COMBAT" and have != want:
                            return "%s sees lane %s %s: %s, not %s" % (v, k, role, have, want)
                for role in ("att", "def"):
                    res = [u for u in st.role_units(b, role) if b.units[u]["place"] == "res"]
                    have = shown.get("reserve", {}).get(role, {})
                    count = dict(have.get("hidden", {}))
                    for u in have.get("units", {}):
                        count[u[:2]] = count.get(u[:2], 0) + 1
                    if st.state == "COMBAT" and count != st.counts(res):
                        return "%s sees reserve %s, not %s" % (v, have, res)
        return None

    def form(self):
        """(seat, action) picked from the forms that the server offers."""
        seat = self.rng.choice(self.st.to_act())
        forms = self.views.get(self.codes(seat), {}).get("actions")
        return (seat, gen.pick(forms, self.rng)) if forms else None

    def quiet(self, answer):
        """A view changes only by a line that tells its viewer something: None, or which did otherwise."""
        old, self.views = self.views, answer["views"]
        for v, told in answer["events"].items():
            if v in old and not told and json.dumps(old[v]) != json.dumps(self.views[v]):
                return "%s is told nothing but sees %s" % (
                    v, json.dumps(differences(self.views[v], old[v]))[:1500])
        return None

    def reread(self):
        """Every position of a match is one that can be read, and comes out as it went in."""
        p = position.write(self.st)
        if self.rng.random() < 0.7:
            p = position.shorten(p, self.rng)
        answer = self.reader.send({"options": self.options, "position": p})
        if not answer["ok"]:
            return self.problem("position refused: %s %s: %s" % (answer["member"], answer["text"], json.dumps(p)))
        why = self.compare_state(answer, "read back")
        return not why or self.problem(why + "\n  case start: " + json.dumps(p))

    def mirrored(self, seat, a, dice, answer):
        """The same action with its lists in another order: None, or what the others are told otherwise."""
        a = json.loads(json.dumps(a))
        lists = [v for v in a.values() if isinstance(v, list)]
        lists += [x["units"] for v in lists for x in v if isinstance(x, dict) and "units" in x]
        lists += [v for x in a.values() if isinstance(x, dict) for v in x.values() if isinstance(v, list)]
        for v in lists:
            if self.same or not any(isinstance(x, dict) and x.get("forced") for x in v):
                random.Random(self.n).shuffle(v)
        other = self.mirror.send({"seat": self.codes(seat), "action": a, "dice": dice})
        if not other["ok"]:
            return "refused: %s %s" % (other["rule"], json.dumps(a))
        own = {"FR", "all"} if seat == "FR" else {"AL", "AD", "PR", "all"}
        for v, told in answer["events"].items():
            if v not in own and json.dumps(told) != json.dumps(other["events"][v]):
                return "%s is told %s, or %s" % (v, json.dumps(told), json.dumps(other["events"][v]))
        return None

    def leave(self, seat):
        """A seat leaves (W18.9). How an ally takes over is not settled by the page: the model goes on from
        the server's position."""
        if seat in ("AD", "PR") and self.st.state in ("COMBAT", "PURSUIT_LOSS") and self.st.ended:
            return True  # who has reinforced, or has ended its response, is in no position
        self.before = position.write(self.st)
        code = self.codes(seat)
        answer = self.step.send({"seat": code, "leave": "resigned", "dice": [3] * 300})
        events, _ = waterloo.leave(self.st, seat)
        what = "%s leaves" % code
        if not answer["ok"] or answer["check"] is not None:
            return self.problem("%s: %s %s" % (what, answer["kind"], answer["check"]), seat, {"do": "leave"})
        if self.st.state == "GAME_OVER":
            why = self.compare_state(answer, what)
            told = event_differences(answer["events"]["all"], events["all"])
            return not (why or any(told)) or self.problem(why or what + str(told), seat, {"do": "leave"})
        theirs = answer["position"]
        for k in ("departed", "base", "surrendered"):
            if k in theirs and theirs[k] != self.before.get(k) and k != "departed":
                return self.problem("%s: %s changed" % (what, k), seat, {"do": "leave"})
        if theirs["departed"] != sorted(self.st.departed) or not answer["to_act"]:
            return self.problem("%s: %s" % (what, answer["to_act"]), seat, {"do": "leave"})
        # what the enemy is still to be told of a response step is in no position
        self.blind = self.st.state in ("RESPOND", "PURSUIT_LOSS")
        self.st = position.read(theirs, self.options)
        if self.views is not None:
            self.views = {}
        why = self.compare_state(answer, what)
        return not why or self.problem(why, seat, {"do": "leave"})

    def one(self, seat, a, dice):
        self.before = position.write(self.st)
        state = self.st.state
        refused, events, drawn = waterloo.apply(self.st, seat, a, dice)
        line = {"seat": self.codes(seat), "action": a, "dice": dice}
        if self.views is not None:
            line["views"] = True
        answer = self.step.send(line)
        if self.verbose:
            print(self.n, state, seat, json.dumps(a), sorted(refused) if refused else "ok")
        used = dice[:max(drawn, answer["drawn"])]
        if refused is not None:
            if answer["ok"]:
                return self.problem("accepted, the model refuses by %s" % sorted(refused), seat, a, used)
            rule = "shape" if answer["kind"] == "invalid_params" else answer["rule"]
            if rule not in refused and "*" not in refused:
                return self.problem("refused by %s (%s %s), the model by %s"
                                    % (rule, answer["kind"], answer["text"], sorted(refused)), seat, a, used)
            return True
        if not answer["ok"]:
            return self.problem("refused by %s %s %s (%s), the model accepts"
                                % (answer["kind"], answer["rule"], answer["member"], answer["text"]),
                                seat, a, used)
        if answer["exhausted"] or answer["drawn"] != drawn:
            return self.problem("drew %d dice, the model %d" % (answer["drawn"], drawn), seat, a, used)
        seen = self.mirrored(seat, a, dice, answer) if self.mirror else None
        if seen:
            return self.problem("with lists in another order: " + seen, seat, a, used)
        seen = self.quiet(answer) if self.views is not None else None
        if seen:
            return self.problem(seen, seat, a, used)
        why = self.compare_state(answer, "after")
        if not why and self.views:
            why = self.truth()
        told = []
        self.blind = self.blind and state in ("RESPOND", "PURSUIT_LOSS")
        for viewer, model in events.items():
            if self.blind:
                continue
            extra, missing = event_differences(answer["events"][viewer], model)
            if extra or missing:
                told.append("%s is told %s, by the model %s" % (viewer, extra, missing))
        if told:
            why = (why + "\n  " if why else "") + "\n  ".join(told)
        if why:
            return self.problem(why, seat, a, used)
        seals = waterloo.sealed(state, a, self.st.state, events["all"])
        free = drawn or a["do"] == "retreat" or any(e["ev"] == "automatic" for e in events["all"])
        if not free and answer["sealed"] != seals:
            return self.problem("sealed is %s after %s" % (answer["sealed"], json.dumps(a)), seat, a, used)
        return True


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--step", required=True)
    args.add_argument("--matches", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--steps", type=int, default=800)
    args.add_argument("--mirror", action="store_true")
    args.add_argument("--views", action="store_true")
    args.add_argument("--verbose", action="store_true")
    args = args.parse_args()
    passed = failed = steps = 0
    step = Step(args.step)
    reader = Step(args.step)
    mirror = Step(args.step) if args.mirror else None
    print("seeds %d to %d" % (args.seed, args.seed + args.matches - 1))
    for seed in range(args.seed, args.seed + args.matches):
        match = Match(step, seed, args.steps, args.verbose, mirror, reader, args.views)
        if match.play():
            passed += 1
        else:
            failed += 1
        steps += match.n
    step.close()
    reader.close()
    if mirror:
        mirror.close()
    print("%d actions compared" % steps)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
