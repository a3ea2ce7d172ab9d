"""tests/model/austerlitz/position.py: the position page: what a reader refuses (section 1), reading, writing."""
from collections import Counter

import austerlitz
import fight
import land
import plan as plans
from land import ARMIES, ARMY, FOE, TYPE, TYPES, UNITS
from state import State

_MEMBERS = ("options", "turn", "state", "side", "units", "others", "tracks", "demoralised", "broken_ice", "destroyed_bridges",
            "plan", "hand", "resigned", "agreed")
_STATES = ("MOVE", "DECLARE", "RESOLVE", "EXCHANGE", "RETREAT", "BATTERY", "ADVANCE", "OVER")
_BOXES = ("eliminated", "withdrawn", "vienna")
_RESULTS = {"EXCHANGE": ("EX",), "RETREAT": ("AR", "DR"), "BATTERY": ("AR",), "ADVANCE": ("AE", "AR", "DR", "DE", "no_die")}
_OPTIONS = {"information": ("informed", "semi-blind"), "situation": ("1805", "1809", "1813"), "guard_1805": (False, True),
            "strengths": ("printed", "dealt")}


class Bad(Exception):
    """A position that must be refused; the text says why."""


def need(yes, why):
    if not yes:
        raise Bad(why)


def one_of(p, name, allowed, default):
    value = p.get(name, default)
    need(any(value == x and type(value) is type(x) for x in allowed), name)
    return value


def listed(x, allowed, why):
    need(isinstance(x, list) and all(isinstance(v, str) and v in allowed for v in x) and len(set(x)) == len(x), why)
    return list(x)


def members(x, allowed, why):
    need(isinstance(x, dict) and not set(x) - set(allowed), why)


def options_of(given):
    members(given, _OPTIONS, "options")
    out = {k: one_of(given, k, v, v[0]) for k, v in _OPTIONS.items()}
    need(not (out["guard_1805"] and out["situation"] == "1805"), "guard_1805 in 1805")
    return out


def read(p, options=None):
    """A State, or Bad."""
    members(p, _MEMBERS, "unknown member")
    need(None not in p.values(), "there is no null")
    given = dict(options or {})
    for k, v in p.get("options", {}).items():
        need(k not in given or given[k] == v, "options disagree")
        given[k] = v
    st = State(options_of(given))
    st.turn = one_of(p, "turn", range(1, 13), 1)
    st.state = one_of(p, "state", _STATES, "MOVE")
    st.side = one_of(p, "side", ARMIES, "allied")
    dem = one_of(p, "demoralised", ("none",) + ARMIES, "none")
    st.demoralised = None if dem == "none" else dem
    resigned = one_of(p, "resigned", ("none",) + ARMIES, "none")
    st.resigned = None if resigned == "none" else resigned
    st.agreed = one_of(p, "agreed", (False, True), False)
    need(st.state == "OVER" or not (st.resigned or st.agreed), "resigned")
    st.broken = set(listed(p.get("broken_ice", []), land.ICE, "broken_ice"))
    st.destroyed = set(listed(p.get("destroyed_bridges", []), land.BRIDGES, "destroyed_bridges"))
    _units(st, p)
    for h in st.at:
        need(h not in st.broken, "a unit on broken ice")
    _armies(st, p)
    _plan(st, p.get("plan", {}))
    _hand(st, p.get("hand"))
    _rest(st)
    return st


def _units(st, p):
    others = one_of(p, "others", ("start", "aside"), "start")
    named = p.get("units", {})
    members(named, UNITS, "units")
    dealt = st.options["strengths"] == "dealt"
    st.units = [u for u in UNITS if u in named or others == "start"]
    marks = []
    for u in st.units:
        x = named.get(u, land.OOB[u]["start"])
        if isinstance(x, str):
            x = {"box": x} if x in _BOXES else {"hex": x}
        members(x, ("hex", "box", "moved", "destroyed_bridge", "potential"), u)
        need(("hex" in x) != ("box" in x), u)
        one_of(x, "moved", (False, True), False)
        if "hex" in x:
            one_of(x, "hex", land.HEXES, None)
            need(x["hex"] not in st.at, "two units in a hex")
            st.put(u, x["hex"])
        else:
            one_of(x, "box", _BOXES, None)
            need(x["box"] != "vienna" or ARMY[u] == "allied", "french units in vienna")
            st.lift(u, x["box"])
        if x.get("moved"):
            need("hex" in x and st.state == "MOVE" and ARMY[u] == st.side, "moved")
            st.moved.add(u)
        if "destroyed_bridge" in x:
            bridge = one_of(x, "destroyed_bridge", land.BRIDGES, None)
            need("hex" in x and bridge in st.destroyed and bridge not in marks, "destroyed_bridge")
            # the allies move first: a french mark needs the french phases of the turn
            need(ARMY[u] == "allied" or st.side == "french", "destroyed_bridge of the wrong side or phase")
            marks.append(bridge)
            st.mark[u] = bridge
        need(("potential" in x) == dealt, "potential")
        if dealt:
            st.power[u] = one_of(x, "potential", range(2, 11), None)
    if dealt:
        for army in ARMIES:
            for kind in TYPES:
                same = [u for u in UNITS if ARMY[u] == army and TYPE[u] == kind]
                short = Counter(st.power[u] for u in st.units if u in same) - Counter(land.PRINTED[u] for u in same)
                need(not short, "dealt potentials")


def _armies(st, p):
    there = [s for s in ARMIES if st.army(s)]
    need(st.state == "OVER" or len(there) == 2, "an army with no unit on the map")
    if st.state == "OVER":
        ended = st.turn == 12 and st.side == "french"
        need(len(there) < 2 or st.resigned or st.agreed or ended, "OVER")
    broke = [s for s in ARMIES if st.broke(s)]
    need(st.demoralised or not broke, "past its threshold")
    if len(st.units) == len(UNITS) and st.demoralised:
        need(st.broke(st.demoralised), "demoralised")
    tracks = p.get("tracks", {})
    members(tracks, ARMIES, "tracks")
    for s, t in tracks.items():
        members(t, ("P", "D"), "tracks")
        need("P" in t and all(t[k] == st.track(s).get(k) and type(t[k]) is int for k in t), "tracks")  # D may be left out


def _plan(st, given):
    need(isinstance(given, dict), "plan")
    need(bool(given) == (st.state in ("RESOLVE", "EXCHANGE", "RETREAT", "BATTERY", "ADVANCE")), "plan")
    need(set(given) == {str(n + 1) for n in range(len(given))}, "indexes")
    seen = []
    for n in range(len(given)):
        e = given[str(n + 1)]
        need(isinstance(e, dict), "entry")
        status = one_of(e, "status", ("pending", "done", "void"), "pending")
        own = [u for u in st.units if ARMY[u] == st.side]
        foes = [u for u in st.units if ARMY[u] != st.side]
        guns = [u for u in own if TYPE[u] == "artillery"]
        if "artillery" in e:
            members(e, ("artillery", "hex", "status"), "ice shot")
            one_of(e, "artillery", guns, None)
            one_of(e, "hex", land.ICE, None)
            st.plan.append({"artillery": e["artillery"], "hex": e["hex"], "status": status})
            seen.append(e["artillery"])
            continue
        members(e, ("contact", "bombard", "defenders", "status"), "combat")
        x = {"contact": sorted(listed(e.get("contact", []), own, "contact")),
             "bombard": sorted(listed(e.get("bombard", []), guns, "bombard")),
             "defenders": sorted(listed(e.get("defenders"), foes, "defenders"))}
        need(x["defenders"] and (x["contact"] or x["bombard"]), "combat")
        need(not x["bombard"] or len(x["defenders"]) == 1, "more than one defender with bombard")
        seen += x["contact"] + x["bombard"] + x["defenders"]
        st.plan.append(dict(x, status=status))
    need(len(set(seen)) == len(seen), "a unit in two entries")
    pending = [e for e in st.plan if e["status"] == "pending"]
    if st.state == "RESOLVE":
        need(pending, "RESOLVE with nothing pending")
        need(len(pending) > 1 or len(st.plan) == 1, "RESOLVE with one entry pending of several")


def _hand(st, h):
    need((h is not None) == (st.state in _RESULTS), "hand")
    if h is None:
        return
    members(h, ("index", "result", "contact", "bombard", "defenders", "to_retreat", "to_choose", "vacated"), "hand")
    need("index" in h and "result" in h, "hand")
    index = one_of(h, "index", range(1, len(st.plan) + 1), None)
    entry = st.plan[index - 1]
    need(entry["status"] == "pending" and "artillery" not in entry, "hand: no pending combat")
    result = one_of(h, "result", _RESULTS[st.state], None)
    hand = {"index": index, "result": result}
    for k in ("contact", "bombard", "defenders"):
        hand[k] = sorted(listed(h.get(k, []), entry[k], "hand: " + k))
    need((hand["contact"] or hand["bombard"]) and hand["defenders"], "hand: a side is missing (6.3)")
    need(len(hand["contact"]) <= 6, "hand: more in contact than there are hexes beside a defender (6.3)")
    due = hand["contact"] if result == "AR" else hand["defenders"] if result == "DR" else []
    hand["to_retreat"] = sorted(listed(h.get("to_retreat", []), [u for u in due if u in st.hex], "to_retreat"))
    hand["to_choose"] = sorted(listed(h.get("to_choose", []), [u for u in hand["bombard"] if u in st.hex], "to_choose"))
    if result == "no_die":
        need(all(TYPE[u] == "artillery" and st.box.get(u) == "eliminated" for u in hand["defenders"]), "hand: no_die")
    hand["vacated"] = sorted(listed(h.get("vacated", []), land.HEXES, "vacated"))
    need(bool(hand["to_retreat"]) == (st.state == "RETREAT"), "to_retreat")
    need(bool(hand["to_choose"]) == (st.state == "BATTERY"), "to_choose")
    st.hand = hand


def _rest(st):
    """Every position not at rest, in which the server would act by itself (R31)."""
    if st.state == "DECLARE":
        need(plans.declarable(st, st.side), "DECLARE with nothing to declare")
    elif st.state == "EXCHANGE":
        need(all(u in st.hex for u in st.hand["contact"] + st.hand["defenders"]), "EXCHANGE: all stand on the map (R33)")
        need(len(fight.loss_sets(st)) > 1, "EXCHANGE with fewer than two sets")
    elif st.state == "RETREAT":
        due = st.hand["to_retreat"]
        need(len(due) > 1 or len(fight.ways(fight.tree(st, due[0]))) > 1, "RETREAT")
    elif st.state == "BATTERY":
        need(all(fight.tree(st, u) for u in st.hand["to_choose"]), "BATTERY")
    elif st.state == "ADVANCE":
        need(fight.advances(st), "ADVANCE with no legal advance")


def write(st):
    """The long form, without what has its default."""
    p = {"options": {k: v for k, v in st.options.items() if v != _OPTIONS[k][0]}, "turn": st.turn, "state": st.state,
         "side": st.side, "units": {u: _unit(st, u) for u in sorted(st.units)}, "demoralised": st.demoralised,
         "broken_ice": sorted(st.broken), "destroyed_bridges": sorted(st.destroyed), "plan": {}, "resigned": st.resigned,
         "agreed": st.agreed, "hand": None}
    if len(st.units) < len(UNITS):
        p["others"] = "aside"
    if [st.track(s) for s in ARMIES] != [{"P": 0, "D": land.THRESHOLD[s]} for s in ARMIES]:
        p["tracks"] = {s: st.track(s) for s in ARMIES}
    for n, e in enumerate(st.plan):
        x = {k: sorted(v) if isinstance(v, list) else v for k, v in e.items() if v and (k, v) != ("status", "pending")}
        p["plan"][str(n + 1)] = x
    if st.hand:
        p["hand"] = {k: sorted(set(v)) if isinstance(v, list) else v for k, v in st.hand.items() if v}
    default = {"turn": 1, "state": "MOVE", "side": "allied"}
    return {k: v for k, v in p.items() if v not in (None, [], {}, False) and default.get(k) != v or k == "units"}


def deal(draws):
    """14.5, R36: (potentials by unit, draws used) for the draws of the deal lane, each below the number that is left."""
    power, at = dict(land.PRINTED), 0
    for army in ARMIES:
        for kind in TYPES:
            same = [u for u in UNITS if ARMY[u] == army and TYPE[u] == kind]
            values = [land.PRINTED[u] for u in same]
            for i in range(len(values) - 1, 0, -1):
                j = draws[at] % (i + 1)
                at += 1
                values[i], values[j] = values[j], values[i]
            power.update(zip(same, values))
    return power, at


def _unit(st, u):
    x = {"hex": st.hex[u]} if u in st.hex else {"box": st.box[u]}
    if u in st.moved:
        x["moved"] = True
    if u in st.mark:
        x["destroyed_bridge"] = st.mark[u]
    if st.options["strengths"] == "dealt":
        x["potential"] = st.power[u]
    return x


__all__ = ["Bad", "FOE", "austerlitz", "read", "write"]
