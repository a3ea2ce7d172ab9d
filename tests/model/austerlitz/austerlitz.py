"""tests/model/austerlitz/austerlitz.py: a second reading of the rules of Napoléon à Austerlitz, to hold the server's against.

Written from the rules text alone and sharing no code with common/rules. The modules: land.py (map, units, tables), state.py (the
state and questions about it), march.py (4, 5, 9, R22), plan.py (6.1 to 6.3, 6.9, 8), fight.py (6.4 on, 7), score.py (13), asks.py
(the questions), looks.py (views), position.py (reading and writing), gen.py (random actions and positions), versus.py (matches on
model and server side by side).

    st = position.read(position, options)
    refused, events, drawn = apply(st, "FR", {"do": "end_move"}, dice)

refused is None or the set of rules any of which may be named; then nothing has changed.
"""
import fight
import land
import march
import plan as plans
import score
from land import ARMY, ARMY_OF, BRIDGES, FOE, NEAR, UNITS
from state import Refuse, State, told

_NAME, _HEX, _BRIDGE, _EDGE = "name", "hex", "bridge", "edge"
_SHAPES = {
    "move": {"unit": _NAME, "path": [_HEX], "exit_edge?": _EDGE}, "destroy_bridge": {"unit": _NAME, "bridge": _BRIDGE},
    "end_move": {}, "declare": {"plan": [None]}, "resolve": {"index": int}, "exchange": {"losses": {_NAME}},
    "retreat": {"unit": _NAME, "to?": _HEX, "chain?": [_HEX]}, "battery": {"unit": _NAME, "stay?": True, "to?": _HEX, "chain?": [_HEX]},
    "advance": {"moves": dict}, "resign": {},
}
_COMBAT = {"contact?": {_NAME}, "bombard?": {_NAME}, "defenders": {_NAME}}
_SHOT = {"artillery": _NAME, "hex": _HEX}
_STATES = {"move": "MOVE", "destroy_bridge": "MOVE", "end_move": "MOVE", "declare": "DECLARE", "resolve": "RESOLVE",
           "exchange": "EXCHANGE", "retreat": "RETREAT", "battery": "BATTERY", "advance": "ADVANCE"}


def _fits(st, value, shape):
    if shape == _NAME:
        return isinstance(value, str) and (value in UNITS or (st.blind() and value in NEAR))
    if shape == _HEX:
        return isinstance(value, str) and value in NEAR
    if shape == _BRIDGE:
        return isinstance(value, str) and value in BRIDGES
    if shape == _EDGE:
        return isinstance(value, str) and value in land.EDGES
    if shape is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if shape is True:
        return value is True
    if shape is dict:
        return isinstance(value, dict) and all(_fits(st, k, _NAME) and _fits(st, v, _HEX) for k, v in value.items())
    if isinstance(shape, list):
        if not isinstance(value, list) or len(value) > 64:
            return False
        return all(_entry_fits(st, v) if shape[0] is None else _fits(st, v, shape[0]) for v in value)
    if isinstance(shape, set):
        return (isinstance(value, list) and all(_fits(st, v, _NAME) for v in value) and len(set(value)) == len(value))
    return _members(st, value, shape)


def _members(st, value, shape):
    if not isinstance(value, dict):
        return False
    names = {k.rstrip("?"): k for k in shape}
    if any(k not in names for k in value):
        return False
    return all(_fits(st, value[k], shape[n]) if k in value else n.endswith("?") for k, n in names.items())


def _entry_fits(st, e):
    return _members(st, e, _SHOT if isinstance(e, dict) and ("artillery" in e or "hex" in e) else _COMBAT)


def shape_ok(st, a):
    """The form of an action (position page, section 2)."""
    if not isinstance(a, dict) or not isinstance(a.get("do"), str) or a["do"] not in _SHAPES:
        return False
    if not _members(st, {k: v for k, v in a.items() if k != "do"}, _SHAPES[a["do"]]):
        return False
    if a["do"] == "battery" and ("stay" in a) == ("to" in a):
        return False
    return "chain" not in a or "to" in a


def _names(a):
    """Every unit named in an action."""
    out = [a[k] for k in ("unit", "artillery") if k in a]
    for k in ("losses", "contact", "bombard", "defenders", "moves"):
        out += list(a.get(k, []))
    for e in a.get("plan", []):
        out += _names(e)
    return out


def resolve_name(st, seat, name):
    """15.3: the unit that a seat means; Refuse where it may not name one so."""
    if not st.blind():
        return name
    if name in UNITS:
        if ARMY[name] != ARMY_OF[seat]:
            raise Refuse("15.3")
        return name
    if st.side_at(name) != FOE[ARMY_OF[seat]]:
        raise Refuse("15.3")
    return st.at[name]


def by_id(st, seat, a):
    """The action with every unit named by its id."""
    out = {}
    for k, v in a.items():
        if k in ("unit", "artillery"):
            out[k] = resolve_name(st, seat, v)
        elif k in ("losses", "contact", "bombard", "defenders"):
            out[k] = [resolve_name(st, seat, x) for x in v]
        elif k == "moves":
            out[k] = {resolve_name(st, seat, x): h for x, h in v.items()}
        elif k == "plan":
            out[k] = [by_id(st, seat, e) for e in v]
        else:
            out[k] = v
    return out


def check(st, seat, a):
    """Rules any of which may be named as the one that forbids the action; empty if it is allowed."""
    if st.state == "OVER":
        return {"match_over"}
    if not shape_ok(st, a):
        return {"invalid_params"}
    if a["do"] == "resign":
        return set()
    if seat not in st.to_act():
        return {"not_your_turn"}
    if _STATES[a["do"]] != st.state:
        return {"3"}
    try:
        a = by_id(st, seat, a)
        _CHECKS[a["do"]](st, seat, a)
    except Refuse as no:
        return no.rules
    return set()


def _check_declare(st, seat, a):
    plans.judge_plan(st, st.side, a["plan"])


def _do_declare(st, seat, a):
    st.plan = [dict(e, status="pending") if "artillery" in e else
               dict({k: list(e.get(k, [])) for k in ("contact", "bombard", "defenders")}, status="pending") for e in a["plan"]]
    declared(st)


def declared(st):
    entries = {}
    for n, e in enumerate(st.plan):
        if "artillery" in e:
            entries[str(n + 1)] = {"artillery": st.ref(e["artillery"]), "hex": e["hex"]}
        else:
            entries[str(n + 1)] = {k: [st.ref(u) for u in e[k]] for k in ("contact", "bombard", "defenders") if e[k]}
    st.tell("declared", plan=entries)
    st.state = "RESOLVE"
    if not st.plan:
        next_phase(st)


def _do_end_move(st, seat, a):
    st.moved = set()
    st.state = "DECLARE"
    st.tell("phase", state="DECLARE", side=st.side)
    if not plans.declarable(st, st.side):  # R31
        declared(st)


def next_phase(st):
    st.plan, st.hand = [], None
    if st.side == "french":
        if st.turn == len(land.TABLES["turns"]):
            score.finish(st)
            return
        st.turn += 1
        st.mark = {}
        st.tell("turn", turn=st.turn)
    st.side, st.state = FOE[st.side], "MOVE"
    st.tell("phase", state="MOVE", side=st.side)


_CHECKS = {"move": march.check_move, "destroy_bridge": march.check_destroy_bridge, "end_move": lambda st, seat, a: None,
           "declare": _check_declare, "resolve": fight.check_resolve, "exchange": fight.check_exchange,
           "retreat": fight.check_retreat, "battery": fight.check_battery, "advance": fight.check_advance}
_DOES = {"move": march.do_move, "destroy_bridge": march.do_destroy_bridge, "end_move": _do_end_move, "declare": _do_declare,
         "resolve": fight.do_resolve, "exchange": fight.do_exchange, "retreat": fight.do_retreat, "battery": fight.do_battery,
         "advance": fight.do_advance}


def settle(st):
    """The server's own steps (R31), the end of a combat, of the phase, of the match."""
    while st.state != "OVER":
        if not all(st.army(side) for side in land.ARMIES):  # 3.4
            if st.hand:
                fight.close(st)
            score.finish(st)
            return
        if st.hand:
            if not fight.settle(st):
                return
            continue
        if not st.plan:
            return
        pending = [n for n, e in enumerate(st.plan) if e["status"] == "pending"]
        st.state = "RESOLVE"
        if not pending:
            next_phase(st)
        elif len(pending) == 1 and len(st.plan) > 1:
            fight.begin(st, pending[0] + 1)
        else:
            return


def apply(st, seat, a, dice=()):
    """(refused, events, drawn): the state changes only when refused is None."""
    rules = check(st, seat, a)
    if rules:
        return rules, {}, 0
    st.out, st.dice, st.drawn = [], dice, 0
    if a["do"] == "resign":
        st.resigned = ARMY_OF[seat]
        if st.hand:
            fight.close(st)
        score.finish(st)
    else:
        a = by_id(st, seat, a)
        _DOES[a["do"]](st, seat, a)
        if a["do"] == "move" and "exit_edge" in a:
            fight.check_morale(st, [ARMY[a["unit"]]])
        settle(st)
    return None, told(st), st.drawn


__all__ = ["State", "apply", "check", "settle"]
