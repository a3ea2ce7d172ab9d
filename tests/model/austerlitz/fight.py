"""tests/model/austerlitz/fight.py: combats and what follows from them (6.4 to 6.9, 7, 8, 10.2, 12)."""
import itertools

import land
import plan as plans
from land import ARMY, FOE, TABLES, TYPE
from state import Refuse

_C = TABLES["combat"]


# -- odds and the die -----------------------------------------------------------------------------------------------
def row_of(attack, defence):
    """6.5, 6.6: the number of the row before the shift."""
    rows = land.ROWS_OF_CRT
    text = "%d:1" % min(attack // defence, 6) if attack >= defence else "1:%d" % min(-(-defence // attack), 5)
    return rows.index(text)


def shifted(st, row, attacker):
    """6.6: one row against a demoralised army."""
    if st.demoralised is None:
        return row
    row += -1 if st.demoralised == attacker else 1
    return min(max(row, 0), len(land.ROWS_OF_CRT) - 1)


def strength(st, unit, defends):
    """6.4, 11.4."""
    value = st.power[unit]
    if TYPE[unit] == "artillery" and st.dark():
        value = (value + 1) // 2 if defends else value // 2
    if defends and st.hex[unit] in land.FORTIFIED:
        value *= _C["fortified"]["multiply"][TYPE[unit]]
    return value


def die_terms(st, contact, bombard, defenders):
    """6.7, 8.6, 8.7: the hex of the defender that counts (R17), and the terms of his sum."""
    guns = bool(bombard) or any(TYPE[u] == "artillery" for u in contact)
    found = []
    for d in defenders:
        here = st.hex[d]
        terms = []
        if land.TERRAIN[here] == "village" and here in land.FORTIFIED:
            terms.append(("fortified", 0))
        elif _C["defender_hex_die"][land.TERRAIN[here]]:
            terms.append((land.TERRAIN[here], _C["defender_hex_die"][land.TERRAIN[here]]))
        if contact and here in land.HEIGHT and not any(st.hex[u] in land.HEIGHT for u in contact):
            terms.append(("height", _C["height_die"]["value"]))
        crossed = [land.SIDE.get((st.hex[u], here)) for u in contact]
        if crossed and None not in crossed:
            mildest = max(sorted(crossed, key=["stream", "bank", "escarpment"].index), key=_C["hexside_die"].get)
            nothing = guns and mildest in _C["hexside_die"]["cancelled_by_artillery"]
            terms.append((mildest, 0 if nothing else _C["hexside_die"][mildest]))
        found.append((sum(die for _, die in terms), here, terms))
    _, here, terms = min(found, key=lambda one: one[:2])
    return here, terms


def modifier(st, contact, bombard, defenders):
    """6.7: the sum of its terms."""
    return sum(die for _, die in die_terms(st, contact, bombard, defenders)[1])


def totals(st, contact, bombard, defenders):
    return (sum(strength(st, u, False) for u in contact + bombard), sum(strength(st, u, True) for u in defenders))


# -- where a loser can go -------------------------------------------------------------------------------------------
def may_stand(st, unit, where):
    """7.2 (c), (d)."""
    return not st.controlled(FOE[ARMY[unit]], where) and st.step(unit, st.hex[unit], where) is not None


def tree(st, unit, gone=()):
    """7.2, 7.3: {hex: {}} where the hex is free, else {hex: the tree of the friend there}; {} if it has no way."""
    near = [n for n in land.NEAR[st.hex[unit]] if may_stand(st, unit, n)]
    free = {n: {} for n in near if n not in st.at}
    if free:
        return free
    out = {}
    for n in near:
        friend = st.at[n]
        if ARMY[friend] == ARMY[unit] and friend not in gone and friend != unit:
            on = tree(st, friend, (*gone, unit))
            if on:
                out[n] = on
    return out


def ways(branches):
    """All the ways of a tree: lists of hexes."""
    return [[h] + rest for h, on in sorted(branches.items()) for rest in (ways(on) if on else [[]])]


def judge_way(st, unit, a):
    """7.2 to 7.4: Refuse names what is wrong with `to` and `chain`."""
    branches = tree(st, unit)
    if "to" not in a:
        if branches:
            raise Refuse("7.2")
        return
    if not branches:
        raise Refuse("7.4")
    to, chain = a["to"], a.get("chain", [])
    if to not in branches:
        if st.side_at(to) == ARMY[unit] and to != st.hex[unit]:
            raise Refuse("7.3")
        raise Refuse("7.2")
    on = branches[to]
    for h in chain:
        if h not in on:
            raise Refuse("7.3")
        on = on[h]
    if on:
        raise Refuse("7.3")


def displace(st, unit, way):
    """7.3: the last of the chain first."""
    chain = [(unit, way[0])]
    for h in way[1:]:
        chain.append((st.at[chain[-1][1]], h))
    for u, h in reversed(chain):
        st.tell("displaced", unit=st.ref(u), **{"from": st.hex[u]}, to=h)
        st.put(u, h)


# -- losses ---------------------------------------------------------------------------------------------------------
def eliminate(st, groups, defender=None):
    """7.9, 12.2, 12.4: groups of units, one an army, lost at one moment."""
    for units in groups:
        refs = [st.ref(u) for u in units]
        for u in units:
            st.lift(u, "eliminated")
        if units:
            side = ARMY[units[0]]
            st.tell("eliminated", side=side, units=refs, P=st.losses(side))
    check_morale(st, [ARMY[units[0]] for units in groups if units], defender)


def check_morale(st, sides, defender=None):
    """12.2 to 12.4."""
    broke = [s for s in sides if st.broke(s)]
    if st.demoralised is None and broke:
        st.demoralised = defender if len(broke) > 1 else broke[0]
        st.tell("demoralised", side=st.demoralised)


# -- a combat -------------------------------------------------------------------------------------------------------
def begin(st, index):
    """The combat or ice shot comes up. True where the match goes on."""
    entry = st.plan[index - 1]
    left = plans.revalidate(st, entry)
    if left is None:
        entry["status"] = "void"
        st.tell("void", index=index)
        return
    if left[0] is None:
        return _ice(st, index, left[2])
    contact, bombard, defenders, dropped = left
    if dropped:
        st.tell("dropped", index=index, units=[st.ref(u) for u in dropped])
    if bombard and plans.is_ice(st, st.hex[defenders[0]]):
        return _ice(st, index, st.hex[defenders[0]])
    lost = [d for d in defenders if st.disabled(d)]
    rest = [d for d in defenders if d not in lost]
    st.hand = {"index": index, "contact": contact, "bombard": bombard, "defenders": rest or lost, "to_retreat": [],
               "to_choose": [], "vacated": [st.hex[d] for d in lost], "result": "no_die"}
    if not rest:
        eliminate(st, [lost])
        return after_retreat(st)
    _reveal(st, index, contact + bombard + defenders)
    if lost:
        eliminate(st, [lost])
    attack, defence = totals(st, contact, bombard, rest)
    odds = row_of(attack, defence)
    row = shifted(st, odds, st.side)
    change = modifier(st, contact, bombard, rest)
    die = st.dice[st.drawn]
    st.drawn += 1
    low, high = _C["die_clamp"]
    final = min(max(die + change, low), high)
    result = TABLES["crt"]["results"][land.ROWS_OF_CRT[row]][final - 1]
    st.tell("rolled", index=index, attack=attack, defence=defence, odds=land.ROWS_OF_CRT[odds], row=land.ROWS_OF_CRT[row], die=die,
            modifier=change, final_die=final, result=result)
    st.hand["result"] = result
    if result not in ("DR", "DE"):
        st.hand["vacated"] = []  # R35
    {"AE": _all_lost, "DE": _all_lost, "AR": _must_go, "DR": _must_go, "EX": _exchange}[result](st)


def _reveal(st, index, units):
    st.tell("reveal", index=index, units=[{"hex": st.hex[u], "id": u, "name": land.OOB[u]["name"], "potential": st.power[u]}
                                          for u in sorted(units, key=st.hex.get)])


def _ice(st, index, where):
    """10.2."""
    st.plan[index - 1]["status"] = "done"
    st.broken.add(where)
    st.tell("ice_broken", index=index, hex=where)
    if where in st.at:
        eliminate(st, [[st.at[where]]])


def _losers(st):
    return st.hand["contact"] if st.hand["result"] in ("AE", "AR") else st.hand["defenders"]


def _all_lost(st):
    losers = _losers(st)
    st.hand["vacated"] += [st.hex[u] for u in losers]
    eliminate(st, [losers])
    after_retreat(st)


def _must_go(st):
    st.hand["to_retreat"] = list(_losers(st))
    st.state = "RETREAT"


def loss_sets(st):
    """7.6: the sets of contact attackers that may be lost."""
    contact, due = st.hand["contact"], exchange_due(st)
    value = st.power
    if sum(value[u] for u in contact) <= due:
        return [list(contact)]
    out = []
    for n in range(1, len(contact) + 1):
        for some in itertools.combinations(contact, n):
            total = sum(value[u] for u in some)
            if total >= due and all(total - value[u] < due for u in some):
                out.append(list(some))
    return out


def exchange_due(st):
    return sum(st.power[d] for d in st.hand["defenders"])


def _exchange(st):
    st.state = "EXCHANGE"


def exchange(st, losses):
    """7.6, R33."""
    eliminate(st, [st.hand["defenders"], losses], FOE[st.side])
    close(st)


def go(st, unit, way):
    """7.1: one loser goes, or is lost where it has no way."""
    st.hand["to_retreat"].remove(unit)
    st.hand["vacated"].append(st.hex[unit])
    if way:
        displace(st, unit, way)
    else:
        eliminate(st, [[unit]])


def after_retreat(st):
    if st.hand["result"] == "AR" and st.state != "BATTERY":
        st.state = "BATTERY"
        st.hand["to_choose"] = list(st.hand["bombard"])
        return
    st.state = "ADVANCE"


def advances(st):
    """7.7: {unit: hexes} that may advance now."""
    fought = st.hand["defenders"] if st.hand["result"] in ("AE", "AR") else st.hand["contact"]
    if not st.hand["contact"]:
        fought = []
    out = {}
    for u in fought:
        if u in st.hex:
            to = sorted(h for h in set(st.hand["vacated"]) if h not in st.at and h in land.NEAR_SET[st.hex[u]]
                        and st.step(u, st.hex[u], h) is not None)
            if to:
                out[u] = to
    return out


def close(st):
    """The combat in hand is over."""
    index = st.hand["index"]
    st.plan[index - 1]["status"] = "done"
    if st.hand["result"] != "no_die":
        st.tell("concealed", index=index)
    st.hand = None


# -- actions --------------------------------------------------------------------------------------------------------
def check_resolve(st, seat, a):
    if not 1 <= a["index"] <= len(st.plan) or st.plan[a["index"] - 1]["status"] != "pending":
        raise Refuse("6.1")


def do_resolve(st, seat, a):
    begin(st, a["index"])


def check_exchange(st, seat, a):
    if set(a["losses"]) not in [set(x) for x in loss_sets(st)]:
        raise Refuse("7.6")


def do_exchange(st, seat, a):
    exchange(st, a["losses"])


def check_retreat(st, seat, a):
    if a["unit"] not in st.hand["to_retreat"]:
        raise Refuse("7.2")
    judge_way(st, a["unit"], a)


def do_retreat(st, seat, a):
    go(st, a["unit"], [a["to"]] + a.get("chain", []) if "to" in a else None)


def check_battery(st, seat, a):
    if a["unit"] not in st.hand["to_choose"]:
        raise Refuse("8.8")
    if "to" in a:
        judge_way(st, a["unit"], a)


def do_battery(st, seat, a):
    st.hand["to_choose"].remove(a["unit"])
    if "to" in a:
        displace(st, a["unit"], [a["to"]] + a.get("chain", []))
    else:
        st.tell("stayed", unit=st.ref(a["unit"]))


def check_advance(st, seat, a):
    may = advances(st)
    if len(set(a["moves"].values())) != len(a["moves"]) or any(h not in may.get(u, []) for u, h in a["moves"].items()):
        raise Refuse("7.7")


def do_advance(st, seat, a):
    for u, h in a["moves"].items():
        st.tell("advanced", unit=st.ref(u), **{"from": st.hex[u]}, to=h)
        st.put(u, h)
    if not a["moves"]:
        st.tell("held", index=st.hand["index"])
    close(st)


def settle(st):
    """R31: one step that leaves no choice in a combat; True if there was one."""
    hand = st.hand
    if st.state == "EXCHANGE":
        sets = loss_sets(st)
        if len(sets) > 1:
            return False
        exchange(st, sets[0])
        return True
    if st.state == "RETREAT":
        due = hand["to_retreat"]
        if len(due) == 1:
            left = ways(tree(st, due[0]))
            if len(left) > 1:
                return False
            go(st, due[0], left[0] if left else None)
            return True
        if due:
            return False
        after_retreat(st)
        return True
    if st.state == "BATTERY":
        for gun in hand["to_choose"]:
            if not tree(st, gun):
                hand["to_choose"].remove(gun)
                st.tell("stayed", unit=st.ref(gun))
                return True
        if hand["to_choose"]:
            return False
        after_retreat(st)
        return True
    if st.state == "ADVANCE" and not advances(st):
        close(st)
        return True
    return False
