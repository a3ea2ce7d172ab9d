#!/usr/bin/env python3
"""Holds what a game writes against its schemas: random matches of Austerlitz, every view, form, event, position, question
and answer; and its case files. Ends with "N passed, N failed".
"""
import argparse
import json
import os
import random
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "e2e"))
from contract import GAME_MEMBERS, load, validator  # noqa: E402
from wire import pick  # noqa: E402

GAME = "austerlitz"
SITUATIONS = [("1805", False), ("1809", False), ("1809", True), ("1813", False), ("1813", True)]


class Shapes:
    def __init__(self):
        positions = load("games", GAME, "position.schema.json")
        asks = load("games", GAME, "ask.schema.json")
        self.checks = {"view": validator(load("games", GAME, "view.schema.json")),
                       "actions": validator(load("games", GAME, "forms.schema.json")),
                       "position": validator(positions), "case": validator(positions, "/$defs/case"),
                       "action": validator(positions, "/$defs/action"), "event": validator(positions, "/$defs/event"),
                       "question": validator(asks), "answer": validator(asks, "/$defs/answer")}
        self.counts, self.problems = dict.fromkeys(self.checks, 0), []

    def hold(self, what, value, where):
        self.counts[what] += 1
        for problem in self.checks[what].iter_errors(value):
            if len(self.problems) < 20:
                path = "/".join(map(str, problem.absolute_path))
                self.problems.append("%s: %s at %s: %s in %s" % (where, what, path, problem.message[:200],
                                                                 json.dumps(value)[:300]))
            break


def units_seen(view, seat):
    """The units that a seat can name: by id where it knows it, else by hex."""
    return [unit.get("id", at) for at, unit in view["board"]["units"].items()]


def question(draw, view, seat, hexes):
    unit, at = draw.choice(units_seen(view, seat)), draw.choice(hexes)
    side = draw.choice(["french", "allied"])
    return draw.choice([{"ask": "reach", "unit": unit}, {"ask": "move", "unit": unit, "path": [at]},
                        {"ask": "retreats", "unit": unit}, {"ask": "bombard", "unit": unit, "hex": at},
                        {"ask": "ice_shot", "unit": unit, "hex": at}, {"ask": "obligations", "side": side},
                        {"ask": "control", "hex": at, "side": side}, {"ask": "encircled", "side": side},
                        {"ask": "exchange"}, {"ask": "advances"},
                        {"ask": "odds", "contact": [unit], "defenders": [draw.choice(units_seen(view, seat))]},
                        {"ask": "row", "attack": draw.randint(1, 40), "defence": draw.randint(1, 40), "attacker": side}])


def say(child, line):
    child.stdin.write(json.dumps(line) + "\n")
    child.stdin.flush()
    return json.loads(child.stdout.readline())


def play(child, seed, shapes):
    draw = random.Random(seed)
    situation, guard = SITUATIONS[seed % 5]
    options = {"information": ["informed", "semi-blind"][seed // 5 % 2], "situation": situation, "guard_1805": guard}
    hexes = ["%02d%02d" % (c, r) for c in range(1, 45) for r in range(1, 35)]
    now = say(child, {"options": options, "create": True, "views": True})
    while now["to_act"]:
        where = "seed %d" % seed
        looks = draw.random() < 0.15  # validation is slow
        for viewer, view in now["views"].items() if looks else ():
            shapes.hold("view", {k: view[k] for k in GAME_MEMBERS if k in view}, where + " " + viewer)
            if "actions" in view:
                shapes.hold("actions", view["actions"], where)
        for viewer, events in now["events"].items():
            for event in events:
                shapes.hold("event", event, where + " " + viewer)
        if looks:
            shapes.hold("position", now["position"], where)
        seat = now["to_act"][0]
        view = now["views"][seat]
        forms = view["actions"]
        form = forms[0] if draw.random() < 0.1 else draw.choice(forms)
        action = pick(form, draw)
        shapes.hold("action", action, where)
        if draw.random() < 0.3:
            asker = draw.choice(["FR", "AL"])
            asked = question(draw, now["views"][asker], asker, hexes)
            told = say(child, {"seat": asker, "ask": asked})
            shapes.hold("question", asked, where)
            if told["ok"]:
                shapes.hold("answer", told["answer"], where)
        after = say(child, {"seat": seat, "action": action, "dice": [draw.randint(1, 6) for _ in range(8)], "views": True})
        if not after["ok"] or after["check"] is not None or after["exhausted"]:
            shapes.problems.append("%s: %s: %s" % (where, json.dumps(action), json.dumps(after)[:300]))
            return
        now = after
    shapes.hold("position", now["position"], "the end of seed %d" % seed)


def hold_case(shapes, case, name):
    shapes.hold("case", case, name)
    if "refused" not in case:
        position = dict(case["position"])
        if case.get("options", {}).get("strengths") == "dealt":
            position["options"] = case["options"]
        shapes.hold("position", position, name)
    for step in case.get("steps", []):
        if "ask" in step:
            if "invalid_params" not in step.get("refused", ""):
                shapes.hold("question", step["ask"], name)
        elif "invalid_params" not in step.get("refused", ""):
            shapes.hold("action", step["action"], name)


def hold_cases(shapes):
    """A file holds a case or a list of them."""
    folder = os.path.join(TOP, "tests", "cases", GAME)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            data = json.load(file)
        for case in data if isinstance(data, list) else [data]:
            hold_case(shapes, case, "%s: %s" % (name, case["case"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", required=True, help="the built vedette-step")
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    shapes = Shapes()
    hold_cases(shapes)
    with subprocess.Popen([args.step, GAME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        for seed in range(args.seed, args.seed + args.matches):
            play(child, seed, shapes)
        child.stdin.close()
    print(", ".join("%s %d" % (what, n) for what, n in shapes.counts.items()))
    print("\n".join(shapes.problems))
    print("%d passed, %d failed" % (sum(shapes.counts.values()) - len(shapes.problems), len(shapes.problems)))
    return 1 if shapes.problems else 0


if __name__ == "__main__":
    sys.exit(main())
