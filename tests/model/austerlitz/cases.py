"""tests/model/austerlitz/cases.py: runs case files (DESIGN, section "Cases") on the model.

    python3 tests/model/austerlitz/cases.py [FILE...]

Without files it runs all of tests/cases/austerlitz. Prints a line a case that fails and `N passed, N failed`.
"""
import glob
import json
import os
import sys

import asks
import austerlitz
import looks
import position


def matches(part, whole):
    """Objects by the members named, arrays when length and every element match."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(k in whole and matches(v, whole[k]) for k, v in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(matches, part, whole))
    return type(part) is type(whole) and part == whole


def all_told(wanted, told):
    """Each wanted event matches a told one, a different one for each."""
    def go(i, used):
        return i == len(wanted) or any(j not in used and matches(wanted[i], e) and go(i + 1, used | {j})
                                       for j, e in enumerate(told))
    return go(0, frozenset())


def full(st):
    """The position with all defaults filled in."""
    p = dict({"turn": 1, "state": "MOVE", "side": "allied", "others": "start", "demoralised": "none", "broken_ice": [],
              "destroyed_bridges": [], "plan": {}, "resigned": "none", "agreed": False}, **position.write(st))
    p["options"] = st.options
    p["tracks"] = {s: st.track(s) for s in position.ARMIES}
    p["units"] = {u: dict({"moved": False, "potential": st.power[u]}, **x) for u, x in p["units"].items()}
    for e in p["plan"].values():
        e.setdefault("status", "pending")
        for k in ("contact", "bombard", "defenders") if "artillery" not in e else ():
            e.setdefault(k, [])
    for k in ("contact", "bombard", "defenders", "to_retreat", "to_choose", "vacated") if "hand" in p else ():
        p["hand"].setdefault(k, [])
    return p


def opened(p):
    """A wanted position with its shorthand opened."""
    boxes = ("eliminated", "withdrawn", "vienna")
    units = {u: {"box" if x in boxes else "hex": x} if isinstance(x, str) else x for u, x in p.get("units", {}).items()}
    return dict(p, units=units) if "units" in p else p


def answered(wanted, answer):
    """`hexes` match whole."""
    if any(k in wanted and wanted[k] != answer.get(k) for k in ("hexes",)):
        return False
    return matches(wanted, answer)


def run(case):
    """None, or why the case fails."""
    try:
        st = position.read(case["position"], case.get("options", {}))
    except position.Bad as bad:
        return None if case.get("refused") == "position" else "position refused: %s" % bad
    if case.get("refused") == "position":
        return "position read"
    dice, seen = list(case.get("dice", [])), {v: [] for v in ("FR", "AL", "public", "all")}
    for n, step in enumerate(case.get("steps", [])):
        at = "step %d: " % (n + 1)
        wanted = set(step.get("refused", "").split())
        if "ask" in step:
            refused, answer = asks.ask(st, step["seat"], step["ask"])
            if "refused" in step and not (refused and refused & wanted):
                return at + "asked: %s %s" % (refused, answer)
            if "answer" in step and (refused or not answered(step["answer"], answer)):
                return at + "answer %s %s" % (refused, json.dumps(answer))
            continue
        if "leave" in step:
            return None  # how a seat leaves is no part of the model
        refused, told, drawn = austerlitz.apply(st, step["seat"], step["action"], dice)
        dice = dice[drawn:]
        if "refused" in step:
            if not (refused and refused & wanted):
                return at + "refused %s, %s wanted" % (refused, step["refused"])
            continue
        if refused:
            return at + "refused %s" % sorted(refused)
        seen = told  # what a viewer gets after the last step
        if not all_told(step.get("events", []), told[step.get("as", step["seat"])]):
            return at + "told %s" % json.dumps(told[step.get("as", step["seat"])])
    if dice:
        return "dice left: %s" % dice
    want = case.get("expect", {})
    now = full(st)
    if not matches(opened(want.get("position", {})), now):
        return "position %s" % json.dumps(now)
    if "to_act" in want and want["to_act"] != st.to_act():
        return "to_act %s" % st.to_act()
    for viewer, asked in case.get("views", {}).items():
        text = json.dumps([looks.view(st, viewer), seen[viewer]], separators=(",", ":"))
        if any(x in text for x in asked.get("absent", [])) or any(x not in text for x in asked.get("present", [])):
            return "%s sees %s" % (viewer, text)
    again = position.write(position.read(position.write(st)))
    return None if again == position.write(st) else "does not read back: %s" % json.dumps(again)


def main(files):
    here = os.path.dirname(os.path.abspath(__file__))
    files = files or sorted(glob.glob(os.path.join(here, "..", "..", "cases", "austerlitz", "*.json")))
    passed = failed = 0
    for name in files:
        with open(name, encoding="utf-8") as f:
            data = json.load(f)
        for case in data if isinstance(data, list) else [data]:
            why = run(case)
            passed, failed = passed + (not why), failed + bool(why)
            if why:
                print("FAILED %s: %s" % (case["case"], why))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
