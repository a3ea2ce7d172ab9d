"""tests/model/austerlitz/march.py: movement, bridges, leaving the map (4, 5, 9, 10.4, 10.5)."""
import land
from land import ARMY, FOE, TYPE
from state import Refuse


def walk(st, unit, path, edge=None):
    """4, 5, 9.4: the costs of the steps; Refuse names the first rule that forbids one. Points are not judged here."""
    foe, here, costs = FOE[ARMY[unit]], st.hex[unit], []
    enter, leave = st.supplements(unit)
    entered = False  # the hex was entered in this move and is controlled
    for where in path:
        if where not in land.NEAR_SET[here]:
            raise Refuse("4.1")
        if st.side_at(where) == foe:
            raise Refuse("4.4")
        if where in st.broken:
            raise Refuse("10.3")
        cost = st.step(unit, here, where)
        if cost is None:
            raise Refuse("4.3")
        out, into = st.controlled(foe, here), st.controlled(foe, where)
        if entered:
            raise Refuse("5.3")
        if out and into:
            raise Refuse("5.4")
        if into and unit in st.mark:
            raise Refuse("10.4")
        costs.append(cost + (leave if out else 0) + (enter if into else 0))
        here, entered = where, into
    if edge:
        if edge not in land.edges(here) or entered:
            raise Refuse("9.4")
        costs.append(land.TABLES["movement"]["exit_map"]["cost"] + (leave if st.controlled(foe, here) else 0))
    elif here in st.at and st.at[here] != unit:
        raise Refuse("4.4")
    return costs


def check_move(st, seat, a):
    unit, edge = a["unit"], a.get("exit_edge")
    if ARMY.get(unit) != land.ARMY_OF[seat] or unit not in st.hex or unit in st.moved:
        raise Refuse("4.1")
    if not a["path"] and not edge:
        raise Refuse("4.1")
    if sum(walk(st, unit, a["path"], edge)) > st.points(unit):
        raise Refuse("4.5")


def exit_box(unit, where, edge):
    """9.3, 9.5: the box for a unit that leaves by choice."""
    if edge == "west":
        if ARMY[unit] == "french":
            return "withdrawn"
        return "vienna" if where in land.VIENNA else "eliminated"
    return "withdrawn" if ARMY[unit] == "allied" else "eliminated"


def do_move(st, seat, a):
    unit = a["unit"]
    edge = {"exit_edge": a["exit_edge"]} if "exit_edge" in a else {}
    st.tell("moved", unit=st.ref(unit), **{"from": st.hex[unit]}, path=list(a["path"]), **edge)
    last = a["path"][-1] if a["path"] else st.hex[unit]
    if not edge:
        st.put(unit, last)
        st.moved.add(unit)
        return
    side, box = ARMY[unit], exit_box(unit, last, a["exit_edge"])
    st.lift(unit, box)
    st.tell("left_map", unit=st.ref(unit, last), side=side, box=box, **st.track(side))


def check_destroy_bridge(st, seat, a):
    unit, bridge = a["unit"], a["bridge"]
    side = land.ARMY_OF[seat]
    if bridge in st.destroyed:
        raise Refuse("10.5")
    ends = land.BRIDGES[bridge]
    if ARMY.get(unit) != side or unit not in st.hex or unit in st.moved or unit in st.mark:
        raise Refuse("10.4")
    if st.hex[unit] not in ends:
        raise Refuse("10.4")
    if any(st.side_at(end) == FOE[side] or st.controlled(FOE[side], end) for end in ends):
        raise Refuse("10.4")


def do_destroy_bridge(st, seat, a):
    st.mark[a["unit"]] = a["bridge"]
    st.destroyed.add(a["bridge"])
    st.tell("bridge_destroyed", unit=st.ref(a["unit"]), bridge=a["bridge"])


def reach(st, unit):
    """Where the unit may end, with the least cost; and by which edges it may leave: {edge: {hex: (cost, box)}}."""
    foe, start, points = FOE[ARMY[unit]], st.hex[unit], st.points(unit)
    enter, leave = st.supplements(unit)
    best, todo, exits = {}, [(start, 0, False)], {}

    def go_out(here, used):
        total = used + land.TABLES["movement"]["exit_map"]["cost"] + (leave if st.controlled(foe, here) else 0)
        for edge in land.edges(here) if total <= points else ():
            old = exits.setdefault(edge, {}).get(here)
            if old is None or total < old[0]:
                exits[edge][here] = (total, exit_box(unit, here, edge))

    while todo:
        here, used, entered = todo.pop(0)
        if entered and best.get(here, 99) < used:
            continue
        go_out(here, used)
        out = st.controlled(foe, here)
        for where in land.NEAR[here]:
            cost = st.step(unit, here, where)
            if cost is None or st.side_at(where) == foe:
                continue
            into = st.controlled(foe, where)
            if into and (out or unit in st.mark):
                continue
            total = used + cost + (leave if out else 0) + (enter if into else 0)
            if total > points or best.get(where, 99) <= total:
                continue
            best[where] = total
            if not into:
                todo.append((where, total, True))
    ends = {h: c for h, c in best.items() if h not in st.at}  # a way round back to its own hex is left out
    return ends, exits


def encircled(st, side):
    """13.3, R22: units of a demoralised army that no free way leads off the map."""
    if st.demoralised != side:
        return []
    return sorted(st.hex[u] for u in st.army(side) if not _way_out(st, u, side))


def _is_exit(side, where):
    edges = land.edges(where)
    if side == "french":
        return "west" in edges
    return bool(edges - {"west"}) or where in land.VIENNA


def _way_out(st, unit, side):
    seen, todo = {st.hex[unit]}, [st.hex[unit]]
    for here in todo:
        if _is_exit(side, here):
            return True
        for where in land.NEAR[here]:
            if where in seen or st.step(unit, here, where) is None:
                continue
            if st.side_at(where) == FOE[side] or st.controlled(FOE[side], where):
                continue
            seen.add(where)
            todo.append(where)
    return False


__all__ = ["TYPE", "check_destroy_bridge", "check_move", "do_destroy_bridge", "do_move", "encircled", "exit_box", "reach", "walk"]
