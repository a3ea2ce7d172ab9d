"""tests/model/austerlitz/plan.py: what may be declared (6.1 to 6.3, 8, 10.2) and what is left of it when it comes up (6.9)."""
import land
from land import ARMY, FOE, TABLES, TYPE
from state import Refuse

_GUNS = TABLES["bombardment"]


def is_ice(st, where):
    """10.2: a pond hex that a shot can break."""
    return where in land.ICE and where not in st.broken


def reach_of(st, gun):
    """8.3."""
    return _GUNS["range_from_height"] if st.hex[gun] in land.HEIGHT else _GUNS["range"]


def aim(st, gun, where, least):
    """8.2, 10.4, 11.3, 8.3, 8.5: None, or the first rule that keeps a battery from firing there."""
    if st.may_attack(gun):
        return st.may_attack(gun)
    if st.dark():
        return "11.3"
    return sight(st, gun, where, least)


def sight(st, gun, where, least):
    """8.3, 8.5 alone."""
    if not least <= land.distance(st.hex[gun], where) <= reach_of(st, gun):
        return "8.3"
    if not any(land.unblocked(t) for t in land.trajectories(st.hex[gun], where)):
        return "8.5"
    return None


def shot(st, gun, where):
    """10.2: None, or the first rule that keeps the battery from breaking the ice there."""
    if not is_ice(st, where) or st.side_at(where) == ARMY[gun]:
        return "10.2"
    return aim(st, gun, where, 1)


def each(units, why):
    """Refuse with what forbids some of the units."""
    rules = {why(u) for u in units} - {None}
    if rules:
        raise Refuse(*rules)


def judge_entry(st, side, e):
    """Refuse names the first rule that forbids the entry."""
    contact, bombard, defenders = e.get("contact", []), e.get("bombard", []), e.get("defenders", [])
    if "artillery" in e:
        gun = e["artillery"]
        if ARMY.get(gun) != side or gun not in st.hex:
            raise Refuse("6.3")
        if TYPE[gun] != "artillery":
            raise Refuse("8.1")
        why = shot(st, gun, e["hex"])
        if why:
            raise Refuse(why)
        return
    if not contact + bombard or not defenders:
        raise Refuse("6.3")
    if any(u not in st.hex or ARMY[u] != side for u in contact + bombard):
        raise Refuse("6.3")
    if any(d not in st.hex or ARMY[d] == side for d in defenders):
        raise Refuse("6.3")
    # which unit of a list is judged first is not said: the first rule that each of them breaks
    each(contact, lambda u: st.may_attack(u)
         or ("6.3" if any(st.hex[d] not in land.NEAR_SET[st.hex[u]] for d in defenders) else None))
    if bombard and len(defenders) > 1:
        raise Refuse("6.3")
    each(bombard, lambda u: "8.1" if TYPE[u] != "artillery" else aim(st, u, st.hex[defenders[0]], 2))


def engaged(st, plan):
    """Units that have their combat by this plan, each as often as it is named (an ice shot counts the unit in its hex)."""
    out = []
    for e in plan:
        if "artillery" in e:
            out += [e["artillery"]] + [st.at[h] for h in [e["hex"]] if h in st.at]
        else:
            out += e.get("contact", []) + e.get("bombard", []) + e.get("defenders", [])
    return out


def pairs(st, side):
    """6.2: attackers of the side in mutual control, with their enemies; those that may not attack now (10.4) owe nothing."""
    out = {}
    for u in st.army(side):
        if side != st.side or st.may_attack(u) is None:
            foes = st.mutual(u)
            if foes:
                out[u] = foes
    return out


def obliged(st, side):
    """6.2: everybody who must be in some combat."""
    due = pairs(st, side)
    return set(due) | {d for foes in due.values() for d in foes}


def judge_plan(st, side, plan):
    """6.1 to 6.3, 8.4: Refuse names the first rule that forbids the plan."""
    for e in plan:
        judge_entry(st, side, e)
    named = engaged(st, plan)
    if len(set(named)) != len(named):
        raise Refuse("6.3")
    for e in plan:
        guns = [e["artillery"]] if "artillery" in e else e.get("bombard", [])
        target = e["hex"] if "artillery" in e else None
        for gun in guns:
            foes = st.mutual(gun)
            if foes and target not in [st.hex[f] for f in foes]:
                raise Refuse("8.4")
    if obliged(st, side) - set(named):
        raise Refuse("6.2")


def attackable(st, side):
    """Contact pairs that may be declared: [(attacker, defender)]."""
    return [(u, st.at[n]) for u in st.army(side) if st.may_attack(u) is None
            for n in land.NEAR[st.hex[u]] if st.side_at(n) == FOE[side]]


def within(h, most):
    """Hexes up to so far away, nearest first."""
    seen, ring = {h}, [h]
    out = []
    for _ in range(most):
        ring = [n for x in ring for n in land.NEAR[x] if not (n in seen or seen.add(n))]
        out += ring
    return out


def shots(st, side):
    """Ice shots and bombardments that may be declared: [(battery, hex)], [(battery, defender)]."""
    ice, far = [], []
    if st.dark():
        return ice, far
    for gun in st.army(side):
        if TYPE[gun] != "artillery" or st.may_attack(gun):
            continue
        for h in within(st.hex[gun], reach_of(st, gun)):
            if h in land.PONDS and shot(st, gun, h) is None:
                ice.append((gun, h))
            if st.side_at(h) == FOE[side] and aim(st, gun, h, 2) is None:
                far.append((gun, st.at[h]))
    return ice, far


def declarable(st, side):
    """R31: some combat or ice shot could be declared."""
    return bool(attackable(st, side)) or any(shots(st, side))


def revalidate(st, entry):
    """6.9, R34: (contact, bombard, defenders, dropped) of a combat that comes up, or None where it is void. An ice shot by
    its hex alone: (None, battery, hex)."""
    if "artillery" in entry:
        gun = entry["artillery"]
        return None if gun not in st.hex or shot(st, gun, entry["hex"]) else (None, gun, entry["hex"])
    contact = [u for u in entry["contact"] if u in st.hex]
    bombard = [u for u in entry["bombard"] if u in st.hex]
    before = contact + bombard
    defenders = []
    for d in entry["defenders"]:
        if d not in st.hex:
            continue
        before.append(d)
        here = st.hex[d]
        if any(here in land.NEAR_SET[st.hex[u]] for u in contact) or any(_can_hit(st, u, here) for u in bombard):
            defenders.append(d)
    contact = [u for u in contact if not st.disabled(u)
               and all(st.hex[d] in land.NEAR_SET[st.hex[u]] for d in defenders)]
    bombard = [u for u in bombard if defenders and _can_hit(st, u, st.hex[defenders[0]])]
    if not contact + bombard or not defenders:
        return None
    return contact, bombard, defenders, [u for u in before if u not in contact + bombard + defenders]


def _can_hit(st, gun, where):
    # nearer than 8.3 allows it is no bombardment any more, though its unit may stand on the ice
    return not st.disabled(gun) and not st.dark() and sight(st, gun, where, 2) is None
