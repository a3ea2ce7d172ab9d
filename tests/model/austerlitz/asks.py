"""tests/model/austerlitz/asks.py: the questions of match.ask (position page, section 4)."""
import copy

import austerlitz
import fight
import land
import march
import plan as plans
from land import ARMIES, ARMY, ARMY_OF, HEXES, UNITS
from state import Refuse

_OF = {"move": ("unit", "path", "exit_edge?"), "reach": ("unit",), "row": ("attack", "defence", "attacker"),
       "odds": ("contact?", "bombard?", "defenders"), "retreats": ("unit",), "bombard": ("unit", "hex"), "ice_shot": ("unit", "hex"),
       "obligations": ("side",), "control": ("hex", "side"), "exchange": (), "advances": (), "encircled": ("side",)}


def _fits(st, k, v):
    if k in ("attack", "defence"):
        return isinstance(v, int) and not isinstance(v, bool) and 1 <= v <= 1000
    if k in ("side", "attacker"):
        return isinstance(v, str) and v in ARMIES
    if k == "hex":
        return isinstance(v, str) and v in HEXES
    shape = {"unit": "name", "path": ["hex"], "exit_edge": "edge"}.get(k, {"name"})
    return austerlitz._fits(st, v, shape)


def ask(st, seat, q):
    """(refused, answer): one of them None."""
    if not isinstance(q, dict) or not isinstance(q.get("ask"), str) or q["ask"] not in _OF:
        return {"invalid_params"}, None
    names = {n.rstrip("?"): n for n in _OF[q["ask"]]}
    if set(q) - set(names) - {"ask"} or any(n not in q and not full.endswith("?") for n, full in names.items()):
        return {"invalid_params"}, None
    if not all(_fits(st, k, v) for k, v in q.items() if k != "ask"):
        return {"invalid_params"}, None
    try:
        return None, globals()["_" + q["ask"]](st, seat, q)
    except Refuse as no:
        return no.rules, None


def _as_if(st, unit):
    """Outside its own phase: as if it were that phase and nobody had moved, nor destroyed a bridge."""
    if st.state == "MOVE" and st.side == ARMY[unit]:
        return st
    st = copy.copy(st)
    st.moved, st.mark = set(), {}
    return st


def _unit(st, seat, q, own=False):
    unit = austerlitz.resolve_name(st, seat, q["unit"])
    if own and st.blind() and ARMY[unit] != ARMY_OF[seat]:
        raise Refuse("15.3")
    if unit not in st.hex:
        raise Refuse("9.1")
    return unit


def _move(st, seat, q):
    unit = _unit(st, seat, q, True)
    st = _as_if(st, unit)
    out = {"legal": False, "movement_points": st.points(unit)}
    try:
        if unit in st.moved or not q["path"] and "exit_edge" not in q:
            raise Refuse("4.1")
        costs = march.walk(st, unit, q["path"], q.get("exit_edge"))
        if sum(costs) > st.points(unit):
            raise Refuse("4.5")
    except Refuse as no:
        return dict(out, rule=min(no.rules))
    return dict(out, legal=True, cost=sum(costs), step_costs=costs)


def _reach(st, seat, q):
    unit = _unit(st, seat, q, True)
    st = _as_if(st, unit)
    if unit in st.moved:
        return {"hexes": {}, "exits": {}}
    hexes, exits = march.reach(st, unit)
    return {"hexes": hexes, "exits": {e: {h: {"cost": c, "box": b} for h, (c, b) in at.items()} for e, at in exits.items()}}


def _row(st, seat, q):
    row = fight.row_of(q["attack"], q["defence"])
    rows = land.ROWS_OF_CRT
    return {"odds": rows[row], "row": rows[fight.shifted(st, row, q["attacker"])]}


def _odds(st, seat, q):
    e = austerlitz.by_id(st, seat, {k: q.get(k, []) for k in ("contact", "bombard", "defenders")})
    side = st.side
    plans.judge_entry(st, side, e)
    if e["bombard"] and plans.is_ice(st, st.hex[e["defenders"][0]]):
        return {"ice_shot": True}
    lost = [d for d in e["defenders"] if st.disabled(d)]
    rest = [d for d in e["defenders"] if d not in lost]
    out = {"no_die": [st.name(seat, d) for d in sorted(lost, key=st.hex.get)]} if lost else {}
    if rest:
        out["modifier"] = fight.modifier(st, e["contact"], e["bombard"], rest)
        out["by"], terms = fight.die_terms(st, e["contact"], e["bombard"], rest)
        out["terms"] = [{"what": what, "die": die} for what, die in terms]
        if not st.blind():
            out["attack"], out["defence"] = fight.totals(st, e["contact"], e["bombard"], rest)
            out.update(_row(st, seat, {"attack": out["attack"], "defence": out["defence"], "attacker": side}))
    return out


def _retreats(st, seat, q):
    return {"hexes": fight.tree(st, _unit(st, seat, q))}


def _gun(st, seat, q, rule, least):
    unit = _unit(st, seat, q)
    out = {"legal": rule is None, "distance": land.distance(st.hex[unit], q["hex"])}
    if rule in (None, "8.5"):
        out["trajectories"] = land.trajectories(st.hex[unit], q["hex"])
        out["free"] = [t for t in out["trajectories"] if land.unblocked(t)]
    return dict(out, rule=rule) if rule else out


def _bombard(st, seat, q):
    unit = _unit(st, seat, q)
    rule = plans.aim(st, unit, q["hex"], 2) if land.TYPE[unit] == "artillery" else "8.1"
    return _gun(st, seat, q, rule, 2)


def _ice_shot(st, seat, q):
    unit = _unit(st, seat, q)
    rule = plans.shot(st, unit, q["hex"]) if land.TYPE[unit] == "artillery" else "8.1"
    return _gun(st, seat, q, rule, 1)


def _obligations(st, seat, q):
    return {"pairs": {st.hex[u]: sorted(st.hex[d] for d in foes) for u, foes in plans.pairs(st, q["side"]).items()}}


def _control(st, seat, q):
    by = st.controllers(q["side"], q["hex"])
    return {"controlled": bool(by), "by": by}


def _exchange(st, seat, q):
    if st.state != "EXCHANGE":
        raise Refuse("3")
    sets = [sorted(s, key=st.hex.get) for s in fight.loss_sets(st)]
    sets.sort(key=lambda s: [st.hex[u] for u in s])
    return {"sets": [[st.name(seat, u) for u in s] for s in sets]}


def _advances(st, seat, q):
    if st.state != "ADVANCE":
        raise Refuse("3")
    return {"moves": {st.name(seat, u): hexes for u, hexes in fight.advances(st).items()}}


def _encircled(st, seat, q):
    return {"hexes": march.encircled(st, q["side"])}


__all__ = ["UNITS", "ask"]
