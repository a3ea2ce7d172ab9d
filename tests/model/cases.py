"""tests/model/cases.py: runs case files (DESIGN of the project, section "Cases") on the model.

    python3 tests/model/cases.py [FILE...]

Without files it runs all of tests/cases/waterloo. A file holds one case or an array of cases. Prints a line a case that fails and `N passed, N failed`.
"""
import glob
import json
import os
import sys

import position
import waterloo

SETS = {"confirmed", "ended", "marched", "surrendered", "departed", "attack_roads", "stranded",
        "enemy_towns"}


def matches(part, whole, name=""):
    """Position page section 5: objects by members, sets in any order, other arrays element by element."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(k in whole and matches(v, whole[k], k if name != "groups_used"
                                                                      else "confirmed")
                                               for k, v in part.items())
    if isinstance(part, list):
        if not isinstance(whole, list) or len(part) != len(whole):
            return False
        if name in SETS:
            return sorted(part) == sorted(whole)
        return all(matches(a, b) for a, b in zip(part, whole))
    return type(part) is type(whole) and part == whole


def events_match(wanted, told):
    """Each wanted event matches a told one, a different one for each."""
    def go(i, used):
        if i == len(wanted):
            return True
        return any(j not in used and matches(wanted[i], e) and go(i + 1, used | {j})
                   for j, e in enumerate(told))
    return go(0, frozenset())


def run(case):
    """None, or why the case fails."""
    options = case.get("options", {})
    st = position.read(case["position"], options)
    dice = list(case.get("dice", []))
    for n, step in enumerate(case["steps"]):
        if "orders" in step and "action" not in step:
            continue  # the model knows no orders; what they give is an action like any other
        refused, events, drawn = waterloo.apply(st, step["seat"], step["action"], dice)
        dice = dice[drawn:]
        if "refused" in step:
            if refused is None:
                return "step %d: accepted, %s wanted" % (n + 1, step["refused"])
            if not refused & (set(step["refused"].split()) | {"*"}):
                return "step %d: refused %s, %s wanted" % (n + 1, sorted(refused), step["refused"])
            continue
        if refused is not None:
            return "step %d: refused %s" % (n + 1, sorted(refused))
        viewer = step.get("as", step["seat"])
        if viewer == "AL" and st.players == 3:  # W18.9
            viewer = "PR" if "AD" in st.departed else "AD"
        told = events[viewer]
        if not events_match(step.get("events", []), told):
            return "step %d: told %s" % (n + 1, json.dumps(told))
    if dice:
        return "dice left: %s" % dice
    want = case.get("expect", {})
    full = position.write(st)
    if not matches(want.get("position", {}), full):
        bad = [k for k, v in want["position"].items() if not matches(v, full.get(k), k)]
        return "position differs in %s: %s" % (bad, json.dumps({k: full.get(k) for k in bad}))
    if "to_act" in want and sorted(want["to_act"]) != sorted(st.to_act()):
        return "to_act %s" % st.to_act()
    again = position.write(position.read(full, options))
    if again != full:
        bad = [k for k in full if full[k] != again.get(k)]
        return "the full form does not read back: %s" % json.dumps({k: [full[k], again.get(k)] for k in bad})
    return None


def main(files):
    here = os.path.dirname(os.path.abspath(__file__))
    files = files or sorted(glob.glob(os.path.join(here, "..", "cases", "waterloo", "*.json")))
    passed = failed = 0
    for name in files:
        with open(name, encoding="utf-8") as f:
            data = json.load(f)
        for case in data if isinstance(data, list) else [data]:
            try:
                why = run(case)
            except Exception as e:  # a model error fails the case, not the run
                why = "%s: %s" % (type(e).__name__, e)
            if why:
                failed += 1
                print("FAILED %s: %s" % (case["case"], why))
            else:
                passed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
