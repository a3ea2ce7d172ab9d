"""tests/model/austerlitz/gen.py: random positions, legal actions, spoilt ones and wild ones."""
import copy

import fight
import land
import march
import plan as plans
import position
from land import ARMIES, ARMY, BRIDGES, FOE, NEAR, SEAT, TYPE, TYPES, UNITS
from state import Refuse

# where the rules have most to say
_PLACES = (sorted(land.PONDS), sorted({h for ends in BRIDGES.values() for h in ends}), land.EDGE_HEXES, sorted(land.VIENNA),
           ["0101", "0134", "4401", "4434", "0128", "0133"], sorted(land.FORTIFIED), sorted(land.HEIGHT),
           sorted({h for pair, kind in land.SIDE.items() if kind == "escarpment" for h in pair}),
           sorted(h for h in land.HEXES if land.TERRAIN[h] in ("village", "forest", "marsh")), land.HEXES)


def options(rng):
    """One of the 20 combinations."""
    situation = rng.choice(["1805", "1809", "1813"])
    return {"information": rng.choice(["informed", "semi-blind"]), "situation": situation,
            "guard_1805": situation != "1805" and rng.random() < 0.5, "strengths": rng.choice(["printed", "printed", "dealt"])}


def deal(rng):
    """Potentials dealt anew within army and type."""
    out = {}
    for army in ARMIES:
        for kind in TYPES:
            same = [u for u in UNITS if ARMY[u] == army and TYPE[u] == kind]
            out.update(zip(same, rng.sample([land.PRINTED[u] for u in same], len(same))))
    return out


def make(rng, opts):
    """A position that may well be one that can be read."""
    p = {"turn": rng.choice([1, 2, 3, 5, 9, 11, 12, 12]), "side": rng.choice(ARMIES), "others": "aside"}
    spot = [rng.choice(rng.choice(_PLACES))]
    if rng.random() < 0.3:
        spot.append(rng.choice(rng.choice(_PLACES)))
    room = [h for s in spot for h in [s] + plans.within(s, rng.choice([1, 1, 2, 2, 3, 5]))]
    room = list(dict.fromkeys(room))
    p["broken_ice"] = sorted(h for h in room if h in land.ICE and rng.random() < rng.choice([0, 0, 0.15]))
    p["destroyed_bridges"] = sorted(b for b, e in BRIDGES.items() if e[0] in room and rng.random() < 0.3)
    room = [h for h in room if h not in p["broken_ice"]]
    rng.shuffle(room)
    n = min(len(room), rng.choice([2, 3, 4, 6, 8, 12, 20, 30]))
    guns = rng.random() < 0.4
    pool = sorted(UNITS, key=lambda u: rng.random() - (0.4 if guns and TYPE[u] == "artillery" else 0))
    chosen = pool[:n]
    units = {}
    for u, h in zip(chosen, room):
        units[u] = {"hex": h}
    for army in ARMIES:
        if not any(ARMY[u] == army for u in units) or rng.random() < 0.6:
            far = next(h for h in rng.sample(land.HEXES, 200) if h not in room and h not in p["broken_ice"] and h not in
                       [x["hex"] for x in units.values()])
            units[next(u for u in pool if ARMY[u] == army and u not in units)] = {"hex": far}
    _boxes(rng, units, pool, rng.choice([0, 0, 0, 1, 3, 9]), rng.random() < 0.3)
    if rng.random() < 0.3:
        p["demoralised"] = rng.choice(ARMIES)
    if opts["strengths"] == "dealt":
        power = deal(rng)
        for u in units:
            units[u]["potential"] = power[u]
    p["units"] = units
    _phase(rng, p)
    return p


def _boxes(rng, units, pool, n, near):
    """Some are gone; with near an army stands just before its threshold."""
    rest = [u for u in pool if u not in units]
    for u in rest[:n]:
        units[u] = {"box": rng.choice(["eliminated", "eliminated", "withdrawn"] + ["vienna"] * (ARMY[u] == "allied"))}
    if near:
        army, total = rng.choice(ARMIES), 0
        for u, x in units.items():
            if ARMY[u] == army and x.get("box") in ("eliminated", "withdrawn"):
                total += land.PRINTED[u]
        for u in rest[n:]:
            if ARMY[u] == army and total + land.PRINTED[u] < 66:
                total += land.PRINTED[u]
                units[u] = {"box": rng.choice(["eliminated", "withdrawn"])}


def _phase(rng, p):
    units = p["units"]
    kind = rng.random()
    for u, x in units.items():
        if "hex" in x and p["destroyed_bridges"] and rng.random() < 0.1 and (ARMY[u] == "allied" or p["side"] == "french"):
            bridge = rng.choice(p["destroyed_bridges"])
            if all(y.get("destroyed_bridge") != bridge for y in units.values()):
                x["destroyed_bridge"] = bridge
    if kind < 0.4:
        for u, x in units.items():
            if "hex" in x and ARMY[u] == p["side"] and rng.random() < 0.1:
                x["moved"] = True
    elif kind < 0.7:
        p["state"] = "DECLARE"
    else:
        p["state"] = "RESOLVE"
        plan = random_plan(rng, {u: x["hex"] for u, x in units.items() if "hex" in x}, p["side"])
        for e in plan:
            if rng.random() < 0.15:
                e["status"] = rng.choice(["done", "void"])
        p["plan"] = {str(n + 1): e for n, e in enumerate(plan)}
        if kind > 0.9:
            _hand(rng, p)


def random_plan(rng, at, side):
    """Entries with no regard to reach."""
    own, foes = [u for u in at if ARMY[u] == side], [u for u in at if ARMY[u] != side]
    rng.shuffle(own)
    rng.shuffle(foes)
    plan = []
    while own and foes and len(plan) < 6 and rng.random() < 0.85:
        d = foes.pop()
        own.sort(key=lambda u: land.distance(at[u], at[d]) + rng.random() * 2)
        e = {"defenders": [d]}
        guns = [u for u in own if TYPE[u] == "artillery"]
        if guns and rng.random() < 0.4:
            own.remove(guns[0])
            if rng.random() < 0.3:
                ice = [h for h in sorted(land.PONDS) if land.distance(h, at[guns[0]]) < 4]
                if ice:
                    plan.append({"artillery": guns[0], "hex": rng.choice(ice)})
                    foes.append(d)
                    continue
            e["bombard"] = [guns[0]]
        elif rng.random() < 0.3 and foes:
            e["defenders"].append(foes.pop())
        take = rng.choice([0, 1, 1, 2, 3]) if "bombard" in e else rng.choice([1, 1, 2, 3])
        if own[:take]:
            e["contact"] = own[:take]
        del own[:take]
        if "contact" in e or "bombard" in e:
            plan.append(e)
    return plan


def _hand(rng, p):
    """A combat in hand, coherent more often than not."""
    pending = [i for i, e in p["plan"].items() if "status" not in e and "artillery" not in e]
    if not pending:
        return
    i = rng.choice(pending)
    e = p["plan"][i]
    state = rng.choice(["RETREAT", "RETREAT", "BATTERY", "ADVANCE", "ADVANCE"])
    if len(e.get("contact", [])) > 1 and rng.random() < 0.5:
        state = "EXCHANGE"
    result = {"EXCHANGE": ["EX"], "RETREAT": ["AR", "DR"], "BATTERY": ["AR"], "ADVANCE": ["AE", "AR", "DR", "DE", "no_die"]}[state]
    h = {"index": int(i), "result": rng.choice(result)}
    for k in ("contact", "bombard", "defenders"):
        if e.get(k):
            h[k] = [u for u in e[k] if rng.random() < 0.95]
    if state == "RETREAT":
        due = h.get("contact" if h["result"] == "AR" else "defenders", [])
        h["to_retreat"] = [u for u in due if rng.random() < 0.8]
    if state == "BATTERY":
        h["to_choose"] = [u for u in h.get("bombard", []) if rng.random() < 0.9]
    if rng.random() < 0.9 and state == "ADVANCE":
        fought = h.get("contact", [])
        near = [n for u in fought if "hex" in p["units"][u] for n in NEAR[p["units"][u]["hex"]]]
        h["vacated"] = sorted(set(rng.sample(near, min(len(near), rng.choice([1, 2, 3])))))
    if rng.random() < 0.05:
        h[rng.choice(["to_retreat", "to_choose"])] = rng.sample(sorted(p["units"]), 1)
    p["state"], p["hand"] = state, {k: v for k, v in h.items() if v != []}


# -- actions --------------------------------------------------------------------------------------------------------
def legal(st, rng):
    """(seat, action), units by id; a legal action."""
    do = {"MOVE": _move, "DECLARE": _declare, "RESOLVE": _resolve, "EXCHANGE": _exchange, "RETREAT": _retreat, "BATTERY": _battery,
          "ADVANCE": _advance}[st.state]
    return st.to_act()[0], do(st, rng)


def _move(st, rng):
    todo = [u for u in st.army(st.side) if u not in st.moved]
    if not todo or rng.random() < rng.choice([0.03, 0.1, 0.3]):
        return {"do": "end_move"}
    if rng.random() < 0.1:
        for b in rng.sample(sorted(BRIDGES), len(BRIDGES)):
            for end in BRIDGES[b]:
                a = {"do": "destroy_bridge", "unit": st.at.get(end), "bridge": b}
                if a["unit"] and _ok(march.check_destroy_bridge, st, a):
                    return a
    unit = rng.choice(todo)
    path = walk(st, rng, unit, rng.choice([1, 2, 3, 9, 9]))
    here = path[-1] if path else st.hex[unit]
    edges = sorted(land.edges(here))
    if edges and rng.random() < 0.4:
        a = {"do": "move", "unit": unit, "path": path, "exit_edge": rng.choice(edges)}
        if _ok(march.check_move, st, a):
            return a
    while path:
        a = {"do": "move", "unit": unit, "path": path}
        if _ok(march.check_move, st, a):
            return a
        path = path[:-1]
    return {"do": "end_move"}


def _ok(check, st, a):
    try:
        check(st, SEAT[st.side], a)
    except Refuse:
        return False
    return True


def walk(st, rng, unit, most):
    """A random way of up to most steps that the rules allow, points aside or not."""
    path, here, left = [], st.hex[unit], st.points(unit)
    goal = rng.choice([h for h in st.hex.values()]) if rng.random() < 0.6 else rng.choice(land.EDGE_HEXES)
    while len(path) < most:
        steps = [n for n in NEAR[here] if st.step(unit, here, n) and st.side_at(n) != FOE[ARMY[unit]]]
        if not steps:
            break
        steps.sort(key=lambda n: land.distance(n, goal) + rng.random() * 1.5)
        path.append(steps[0])
        try:
            if sum(march.walk(st, unit, path, None)) > left:
                return path[:-1]
        except Refuse as no:
            if no.rules != {"4.4"}:
                return path[:-1]
        here = steps[0]
    return path


def _declare(st, rng):
    side = st.side
    for _ in range(12):
        plan = any_plan(st, rng)
        try:
            plans.judge_plan(st, side, plan)
            return {"do": "declare", "plan": plan}
        except Refuse:
            continue
    return {"do": "declare", "plan": stars(st)}


def any_plan(st, rng):
    """Combats that may be declared one by one; what is obliged and left over is added."""
    side, plan, busy = st.side, [], set()
    near = plans.attackable(st, side)
    ice, far = plans.shots(st, side)
    rng.shuffle(near)
    eager = rng.choice([0.1, 0.5, 0.9])
    due = plans.obliged(st, side)
    for gun, h in rng.sample(ice, len(ice)):
        if rng.random() < 0.3 * eager and gun not in busy and st.at.get(h) not in busy:
            plan.append({"artillery": gun, "hex": h})
            busy |= {gun, st.at.get(h, gun)}
    for u, d in near:
        if u in busy or d in busy or not (u in due or d in due or rng.random() < eager):
            continue
        e = {"contact": [u], "defenders": [d]}
        more = [x for x, y in near if y == d and x not in busy and x != u]
        if rng.random() < 0.4:
            more_d = [y for x, y in near if x == u and y not in busy and y != d]
            e["defenders"] += rng.sample(more_d, rng.randint(0, len(more_d)))
        elif more:
            e["contact"] += rng.sample(more, rng.randint(0, len(more)))
        if len(e["defenders"]) == 1 and rng.random() < 0.6:
            e["bombard"] = [g for g, y in far if y == d and g not in busy and g not in e["contact"]][:2]
        plan.append(e)
        busy |= {x for k in ("contact", "bombard", "defenders") for x in e.get(k, [])}
    for g, d in far:
        if g not in busy and d not in busy and rng.random() < eager:
            plan.append({"bombard": [g], "defenders": [d]})
            busy |= {g, d}
    return [{k: v for k, v in e.items() if v} for e in plan]


def stars(st):
    """The plan of R7: everybody obliged is in a combat of one against several, or of several against one."""
    pairs = plans.pairs(st, st.side)
    links = {(u, d) for u, foes in pairs.items() for d in foes}
    nodes = sorted({x for link in links for x in link})
    near = {x: {y for link in links if x in link for y in link if y != x} for x in nodes}
    centre, leaf = {}, {}
    for x in nodes:
        if x in centre or x in leaf:
            continue
        for y in sorted(near[x]):
            if y in centre:
                leaf[x] = y
                centre[y].append(x)
                break
            if y not in leaf:
                centre[y], leaf[x] = [x], y
                break
        else:
            # all its friends are leaves: one leaves its star, or becomes the centre where it was alone with it
            y = sorted(near[x])[0]
            old = leaf.pop(y)
            centre[old].remove(y)
            centre[y], leaf[x] = [x], y
            if not centre[old]:
                del centre[old]
                leaf[old] = y
                centre[y].append(old)
    plan = []
    for c, leaves in sorted(centre.items()):
        own = ARMY[c] == st.side
        plan.append({"contact": [c] if own else sorted(leaves), "defenders": sorted(leaves) if own else [c]})
    return plan


def _resolve(st, rng):
    return {"do": "resolve", "index": rng.choice([n + 1 for n, e in enumerate(st.plan) if e["status"] == "pending"])}


def _exchange(st, rng):
    losses = rng.choice(fight.loss_sets(st))
    return {"do": "exchange", "losses": rng.sample(losses, len(losses))}


def _go(st, rng, do, unit):
    way = fight.ways(fight.tree(st, unit))
    if not way:
        return {"do": do, "unit": unit}
    way = rng.choice(way)
    return dict({"do": do, "unit": unit, "to": way[0]}, **({"chain": way[1:]} if way[1:] else {}))


def _retreat(st, rng):
    return _go(st, rng, "retreat", rng.choice(st.hand["to_retreat"]))


def _battery(st, rng):
    unit = rng.choice(st.hand["to_choose"])
    return {"do": "battery", "unit": unit, "stay": True} if rng.random() < 0.4 else _go(st, rng, "battery", unit)


def _advance(st, rng):
    moves = {}
    for u, hexes in fight.advances(st).items():
        left = [h for h in hexes if h not in moves.values()]
        if left and rng.random() < 0.7:
            moves[u] = rng.choice(left)
    return {"do": "advance", "moves": moves}


def named(st, seat, a):
    """The action with the units of the enemy named as the seat may name them."""
    def name(x):
        return st.name(seat, x) if isinstance(x, str) and x in st.hex else x

    out = {}
    for k, v in a.items():
        if k in ("unit", "artillery"):
            out[k] = name(v)
        elif k in ("losses", "contact", "bombard", "defenders") and isinstance(v, list):
            out[k] = [name(x) for x in v]
        elif k == "plan" and isinstance(v, list):
            out[k] = [named(st, seat, e) if isinstance(e, dict) else e for e in v]
        else:
            out[k] = v
    return out


# -- spoilt ---------------------------------------------------------------------------------------------------------
def _unit(st, rng):
    pick = rng.random()
    if pick < 0.75 and st.hex:
        return rng.choice(sorted(st.hex))
    if pick < 0.9:
        return rng.choice(UNITS)
    return rng.choice(land.HEXES if pick < 0.95 else ["", "XX", 7, None, "0000", "4435", "1a11"])


def _hex(st, rng):
    pick = rng.random()
    if pick < 0.7:
        h = rng.choice(sorted(st.at))
        return rng.choice([h] + NEAR[h] + plans.within(h, 3))
    return rng.choice(land.HEXES) if pick < 0.95 else rng.choice(["0000", "4501", 12, "P1", "", None, "2218 "])


def wild(st, rng):
    """(seat, action): anything."""
    seat = rng.choice(["FR", "AL"] + st.to_act() * 4)
    fit = {"MOVE": ["move", "move", "destroy_bridge"], "DECLARE": ["declare"], "RESOLVE": ["resolve"], "EXCHANGE": ["exchange"],
           "RETREAT": ["retreat"], "BATTERY": ["battery"], "ADVANCE": ["advance"]}[st.state]
    everything = ["move", "destroy_bridge", "end_move", "declare", "resolve", "exchange", "retreat", "battery", "advance", "march", 5]
    do = rng.choice(fit) if rng.random() < 0.8 else rng.choice(everything)
    a = {"do": do}
    if do == "move":
        unit = _unit(st, rng)
        here = st.hex.get(unit, _hex(st, rng)) if isinstance(unit, str) else "2218"
        path = []
        for _ in range(rng.randint(0, 5)):
            here = rng.choice(NEAR[here]) if here in NEAR and rng.random() < 0.95 else _hex(st, rng)
            path.append(here)
        a.update(unit=unit, path=path)
        if rng.random() < 0.2:
            a["exit_edge"] = rng.choice(list(land.EDGES) + ["up"] * (rng.random() < 0.1))
    elif do == "destroy_bridge":
        bridge = rng.choice(sorted(BRIDGES))
        a.update(unit=rng.choice([_unit(st, rng)] + [st.at[e] for e in BRIDGES[bridge] if e in st.at] * 4), bridge=bridge)
    elif do == "declare":
        a["plan"] = [_wild_entry(st, rng) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    elif do == "resolve":
        a["index"] = rng.choice([0, 1, 2, 3, 4, 9, -1, "1", 1000])
    elif do == "exchange":
        units = st.hand["contact"] if st.hand else [_unit(st, rng)]
        a["losses"] = rng.sample(units, rng.randint(0, len(units))) + [_unit(st, rng)] * (rng.random() < 0.1)
    elif do in ("retreat", "battery"):
        due = (st.hand or {}).get("to_retreat" if do == "retreat" else "to_choose")
        a["unit"] = rng.choice(due) if due and rng.random() < 0.9 else _unit(st, rng)
        if rng.random() < 0.85:
            here = st.hex.get(a["unit"]) if isinstance(a["unit"], str) else None
            a["to"] = rng.choice(NEAR[here]) if here and rng.random() < 0.85 else _hex(st, rng)
        if rng.random() < 0.4:
            last, a["chain"] = a.get("to"), []
            for _ in range(rng.randint(0, 3)):
                last = rng.choice(NEAR[last]) if last in NEAR else _hex(st, rng)
                a["chain"].append(last)
        if do == "battery" and rng.random() < 0.3:
            a["stay"] = True
    elif do == "advance":
        fought = ([u for k in ("contact", "defenders", "bombard") for u in st.hand[k]] if st.hand else []) + [_unit(st, rng)]
        to = (st.hand["vacated"] if st.hand else []) or [_hex(st, rng)]
        a["moves"] = {str(u): rng.choice(to) if rng.random() < 0.9 else _hex(st, rng)
                      for u in rng.sample(fought, rng.randint(1, min(3, len(fought))))}
    return seat, a


def _wild_entry(st, rng):
    own, foes = st.army(st.side), st.army(FOE[st.side])
    guns = [u for u in own if TYPE[u] == "artillery"]
    if rng.random() < 0.25:
        return {"artillery": rng.choice(guns) if guns and rng.random() < 0.8 else _unit(st, rng), "hex": _hex(st, rng)}
    d = rng.choice(foes)
    close = [u for u in own if land.distance(st.hex[u], st.hex[d]) == 1] or own
    e = {"defenders": [d] + [rng.choice(foes)] * (rng.random() < 0.2)}
    if rng.random() < 0.7:
        e["contact"] = rng.sample(close, rng.randint(0, min(3, len(close))))
    if guns and rng.random() < 0.4:
        e["bombard"] = rng.sample(guns, rng.randint(0, min(2, len(guns))))
    if rng.random() < 0.1:
        e.setdefault(rng.choice(["contact", "bombard", "defenders"]), []).append(_unit(st, rng))
    return e


def mutate(st, rng, seat, a):
    """(seat, action): a good action with something changed."""
    a = copy.deepcopy(a)
    pick = rng.random()
    keys = [k for k in a if k != "do"]
    if pick < 0.05:
        return {"FR": "AL", "AL": "FR"}[seat], a
    if pick < 0.1:
        a[rng.choice(["extra", "unit", "chain", "stay", "exit_edge", "to"])] = rng.choice([True, "west", "2218", [], {}])
        return seat, a
    if pick < 0.14 and keys:
        del a[rng.choice(keys)]
        return seat, a
    k = rng.choice(keys) if keys else None
    if k == "unit":
        a[k] = _unit(st, rng)
    elif k in ("path", "chain") and a[k]:
        i = rng.randrange(len(a[k]))
        how = rng.random()
        if how < 0.3:
            a[k][i] = _hex(st, rng)
        elif how < 0.7:
            a[k].append(rng.choice(NEAR[a[k][-1]]))
        elif how < 0.85:
            a[k].pop(i)
        else:
            a[k].insert(i, a[k][i])
    elif k == "to":
        a[k] = _hex(st, rng)
    elif k == "exit_edge":
        a[k] = rng.choice(land.EDGES)
    elif k == "losses":
        a[k] = a[k][:-1] if rng.random() < 0.5 else a[k] + [_unit(st, rng)]
    elif k == "plan":
        _spoil_plan(st, rng, a)
    elif k == "moves":
        a[k][rng.choice([str(_unit(st, rng))] + list(a[k]))] = _hex(st, rng)
    elif k == "index":
        a[k] += rng.choice([-1, 1, 2])
    elif k == "bridge":
        a[k] = rng.choice(sorted(BRIDGES))
    return seat, a


def _spoil_plan(st, rng, a):
    plan = a["plan"]
    if not plan or rng.random() < 0.2:
        plan.append(_wild_entry(st, rng))
        return
    e = rng.choice(plan)
    how = rng.random()
    if how < 0.25:
        plan.remove(e)
    elif how < 0.35:
        plan.append(copy.deepcopy(e))
    elif "artillery" in e:
        if how < 0.7:
            e["hex"] = _hex(st, rng)
        else:
            e["artillery"] = _unit(st, rng)
    else:
        k = rng.choice(["contact", "bombard", "defenders"])
        if how < 0.7 or not e.get(k):
            e.setdefault(k, []).append(_unit(st, rng))
        else:
            e[k].pop(rng.randrange(len(e[k])))


def question(st, rng, seat):
    """A question of that seat, sensible or not."""
    unit = st.name(seat, u) if (u := _unit(st, rng)) in st.hex else u
    kind = rng.choice(["move", "reach", "reach", "row", "odds", "odds", "retreats", "retreats", "bombard", "ice_shot", "obligations",
                       "control", "exchange", "advances", "encircled"])
    q, side = {"ask": kind}, rng.choice(ARMIES)
    if kind == "move":
        path = walk(st, rng, u, rng.choice([1, 3, 9])) if u in st.hex else []
        if rng.random() < 0.5:
            path = path + [_hex(st, rng)] if rng.random() < 0.5 or not path else path + [rng.choice(NEAR[path[-1]])]
        q.update(unit=unit, path=path)
        if rng.random() < 0.2:
            q["exit_edge"] = rng.choice(land.EDGES)
    elif kind in ("reach", "retreats"):
        q["unit"] = unit
    elif kind == "row":
        q.update(attack=rng.choice([0, 1, 2, 5, 8, 17, 40, 1000, 1001]), defence=rng.choice([1, 2, 3, 8, 17, 50]), attacker=side)
    elif kind == "odds":
        e = rng.choice(any_plan(st, rng) or [_wild_entry(st, rng)])
        if rng.random() < 0.5 or "artillery" in e:
            e = _wild_entry(st, rng)
        q.update({k: v for k, v in named(st, seat, e).items()})
    elif kind in ("bombard", "ice_shot"):
        guns = [g for g in st.hex if TYPE[g] == "artillery"]
        g = rng.choice(sorted(guns)) if guns and rng.random() < 0.9 else u
        near = plans.within(st.hex[g], 4) if g in st.hex else []
        q.update(unit=st.name(seat, g) if g in st.hex else g, hex=rng.choice(near) if near else _hex(st, rng))
    elif kind in ("obligations", "encircled"):
        q["side"] = side
    elif kind == "control":
        q.update(hex=_hex(st, rng), side=side)
    return q


__all__ = ["legal", "make", "mutate", "named", "options", "position", "question", "wild"]
