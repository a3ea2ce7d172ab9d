"""tests/model/fighting.py: deployment and combat (W6-W14, W17.1-W17.6, W18.6, W18.7).

check_* return the set of rules that forbid an action; do_* carry out one that is allowed.
"""
from board import CAV, FOOT, HORSE, INF, TYPE, UNITS, artillery, nation, side_of, uside
from moving import end_step, march_dice, own_units, room_left, route_rules, turn_end
from state import groups, item, new_unit, path_roads

KINDS = ("advance", "withdraw", "redeploy", "to_reserve", "from_reserve", "form_square", "break_square")


def foe(role):
    return "def" if role == "att" else "att"


# -- deployment ------------------------------------------------------------------------------------
def check_deploy(st, seat, a):
    t = a["battle"]
    if t not in st.battles:
        return {"W6.2", "W19", "*", "shape"}
    b = st.battles[t]
    role = "def" if st.state == "DEPLOY_DEF" else "att"
    mine = [u for u in st.role_units(b, role) if st.owner(u) == seat]
    if st.next_deployer(b, role) != seat:
        return {"W6.2", "W6.3", "W18.6", "W19", "*"}
    cols = a["columns"]
    named = [u for k in ("1", "2", "3", "reserve") for u in cols.get(k, [])]
    r = set()
    own_units(st, seat, named, r)
    if sorted(named) != sorted(mine):
        r.add("W6.2")
    empty = 0
    for k in (1, 2, 3):
        there = list(cols.get(str(k), [])) + st.column(b, role, k)
        empty += not there
    rest = [u for u in st.role_units(b, role)
            if b.units[u]["place"] == "undeployed" and st.owner(u) != seat]
    if empty > len(rest):
        r.add("W6.2")
        if len({st.owner(u) for u in st.role_units(b, role)}) > 1:
            r.add("W18.6")
    return r


def do_deploy(st, seat, a):
    b = st.battles[a["battle"]]
    cols = {k: list(a["columns"].get(k, [])) for k in ("1", "2", "3", "reserve")}
    for k, units in cols.items():
        for u in units:
            b.units[u] = new_unit("res") if k == "reserve" else new_unit("col", int(k))
    st.tell_own(side_of(seat), {"ev": "deployed", "battle": b.town, "side": side_of(seat), "seat": seat,
                                "columns": cols})
    if st.deploying():
        return
    if st.state == "DEPLOY_DEF":
        side = st.other(st.phasing())
        for x in st.ongoing():
            st.tell_enemy(side, {"ev": "deployed", "battle": x.town, "side": side,
                                 "columns": column_counts(st, x, "def")})
        st.state = "DEPLOY_ATT"
        return
    for x in st.ongoing():
        shown = {u: {"type": TYPE[u], "cv": st.cv[u], "lane": d["lane"]}
                 for u, d in x.units.items() if d["place"] == "col"}
        st.tell_all({"ev": "revealed", "battle": x.town, "units": shown,
                     "reserve": st.counts([u for u, d in x.units.items() if d["place"] == "res"])})
    st.state = "COMBAT"
    start_ct(st, "att", 1)


def column_counts(st, b, role):
    out = {str(k): st.counts(st.column(b, role, k)) for k in (1, 2, 3)}
    out["reserve"] = st.counts([u for u in st.role_units(b, role) if b.units[u]["place"] == "res"])
    return out


def start_ct(st, side, n):
    """W7.1: a combat turn begins; what is counted by CT starts afresh (W12.6, W19.3)."""
    st.ct = {"side": side, "n": n, "round_over": False}
    st.ended = set()
    st.rledger = {"FR": {}, "AL": {}}
    for b in st.battles.values():
        b.acted = False
        for x in b.units.values():
            x["fired"], x["moves"] = False, 0
    st.tell_all({"ev": "combat_turn", "side": st.side_in(side), "ct": {"side": side, "n": n}})


# -- what a seat's unit in a battle may be asked at all --------------------------------------------
def battle_rules(st, seat, a, unit):
    """(rules, battle): the battle goes on, the unit is the seat's and is in it."""
    t = a["battle"]
    b = st.battles.get(t)
    if b is None:
        return {"W19", "*", "shape"}, None
    if b.over:
        return {"W14.1", "W19", "*"}, None
    if unit not in st.town:
        return {"shape", "*"}, None
    if st.owner(unit) != seat:
        return {"W18.1"}, None
    if unit not in b.units:
        return {"W7.2", "W19", "*"}, None
    return set(), b


def first_ct_after(b, lane, ct):
    """W19.3: is this the first CT of the other side after the lane became engaged?"""
    by, n = b.eng[lane]
    return ct["n"] == (n if by == "att" else n + 1)


# -- fire ------------------------------------------------------------------------------------------
def fire_rules(st, b, u, target):
    """W7.2, W9.1-W9.8 for a unit of the battle; (rules, hit_on)."""
    x, role = b.units[u], st.role(u)
    r = set()
    lane = x["lane"]
    if x["place"] == "res":
        return {"W9.1", "W9.2"}, 6
    if x["fired"]:
        r |= {"W7.2", "W9.1"}
    if x["moves"] and TYPE[u] != HORSE:
        r.add("W7.2")
    y = b.units.get(target)
    if y is None or st.role(target) == role or y["place"] == "res" or y["lane"] != lane:
        r.add("W9.1")
        y = None
    mine = b.eng[lane] is not None and b.eng[lane][0] == role
    theirs = b.eng[lane] is not None and b.eng[lane][0] != role
    hit_on = 6
    if artillery(u):
        if mine:
            r.add("W9.2")
        elif theirs:
            if not any(TYPE[v] in (INF, CAV) for v in st.column(b, role, lane)):
                r.add("W9.7")
            if not first_ct_after(b, lane, st.ct):
                r.add("W9.6")
            if y and y["place"] != "adv":
                r |= {"W9.2", "W9.6"}
            hit_on = 5
        elif y and y["square"]:
            hit_on = 5
    else:
        if x["place"] == "col":
            if not theirs:
                r.add("W9.2")
            if y and y["place"] != "adv":
                r.add("W9.2")
        else:
            if x["advanced_ct"] == st.ct["n"]:
                r |= {"W9.2", "W7.2"}
            if y and y["place"] != "col":
                r.add("W9.2")
            if TYPE[u] == CAV and x["advanced_ct"] + 1 == st.ct["n"]:
                hit_on = 5  # W9.5
        if y and y["square"] and TYPE[u] == CAV:
            r.add("W9.8")
        if (y and artillery(target) and y["place"] == "col" and mine
                and not any(TYPE[v] in (INF, CAV) for v in st.column(b, foe(role), lane))):
            hit_on = 5  # W9.7
        if x["square"]:
            hit_on = 6
    return r, hit_on


def check_fire(st, seat, a):
    r, b = battle_rules(st, seat, a, a["unit"])
    if b is None:
        return r
    return fire_rules(st, b, a["unit"], a["target"])[0]


def do_fire(st, seat, a):
    b, u, target = st.battles[a["battle"]], a["unit"], a["target"]
    _, hit_on = fire_rules(st, b, u, target)
    n = (st.cv[u] + 1) // 2 if b.units[u]["square"] else st.cv[u]  # W9.3, W10.6
    dice = [st.die() for _ in range(n)]
    hits = sum(1 for d in dice if d >= hit_on)
    lost = min(hits, st.cv[target])
    b.units[u]["fired"] = True
    b.ftr = True
    if st.role(u) == "att":
        b.acted = True
    st.tell_all({"ev": "fired", "battle": b.town, "unit": u, "target": target, "dice": dice,
                 "hit_on": hit_on, "hits": hits, "lost": lost})
    role, lane = st.role(target), b.units[target]["lane"]
    queue = []
    if lost == st.cv[target]:
        st.remove(target, "fire")
        del b.units[target]
        queue.append(lane)
    elif lost:
        st.cv[target] -= lost
        if st.cv[target] == 1 and st.morale:
            check_morale(st, b, target, queue)
    st.fix_lanes(b)
    while queue and st.morale:
        lane = queue.pop(0)
        for v in st.own_column(b, role, lane):
            if st.cv[v] == 1:
                check_morale(st, b, v, queue)
    st.fix_lanes(b)
    if st.empty_column(b, role):
        rout(st, b, role)


def check_morale(st, b, u, queue):
    """W17.1: one check; a unit that fails falls back to the reserve."""
    d = st.die()
    st.tell_all({"ev": "morale", "battle": b.town, "unit": u, "die": d, "good": d <= 3})
    if d > 3:
        queue.append(b.units[u]["lane"])
        x = b.units[u]
        x.update({"place": "res", "lane": 0, "advanced_ct": 0, "square": False})


# -- moves -----------------------------------------------------------------------------------------
def move_rules(st, b, u, kind, to):
    x, role, t = b.units[u], st.role(u), TYPE[u]
    lane = x["lane"]
    r = set()
    if x["fired"] and t != HORSE:
        r.add("W7.2")
    limit = 2 if t == CAV else 1
    if x["moves"] >= limit:
        r.add("W8.2")
        if t == HORSE or x["moves"] == 2:
            r |= {"W8.4", "W7.2"}
        r.add("W7.2")
    eng = x["place"] != "res" and st.engaged(b, u)
    if x["square"] and kind != "break_square":
        r.add("W10.4")
    if kind == "advance":
        if x["place"] != "col":
            r |= {"W8.1", "W8.4"}
        elif not st.column(b, foe(role), lane):
            r |= {"W8.1", "W8.4"}
        if artillery(u):
            r.add("W8.2")
        if eng:
            r.add("W8.4")
    elif kind == "withdraw":
        if x["place"] != "adv":
            r.add("W8.1")
            if eng:
                r.add("W8.4")
    elif kind in ("redeploy", "to_reserve"):
        if x["place"] != "col":
            r.add("W8.1")
        if eng:
            r.add("W8.4")
        if kind == "redeploy" and abs(to - lane) != 1:
            r |= {"W8.1", "W8.3"}
        if x["place"] == "col" and st.own_column(b, role, lane) == [u]:
            r.add("W8.6")
    elif kind == "from_reserve":
        if x["place"] != "res":
            r.add("W8.1")
            if eng:
                r.add("W8.4")
    elif kind == "form_square":
        if t != INF or x["place"] != "col":
            r |= {"W10.1"}
            if eng:
                r |= {"W8.4", "W10.2"}
        if x["moves"] or x["fired"]:
            r.add("W10.2")
        if x["square"]:
            r |= {"W10.1", "W10.2"}
        if eng and x["place"] == "col" and not first_ct_after(b, lane, st.ct):
            r |= {"W10.2", "W8.4"}
    else:
        if not x["square"]:
            r |= {"W10.1", "W10.2", "W10.3", "W8.1", "W8.4"}
        if eng:
            r |= {"W10.3", "W8.4"}
        if x["moves"] or x["fired"]:
            r.add("W10.2")
    return r


def check_move(st, seat, a):
    kind = a["kind"]
    if kind not in KINDS or (kind in ("redeploy", "from_reserve")) != ("to" in a):
        return {"shape", "*"}
    r, b = battle_rules(st, seat, a, a["unit"])
    if b is None:
        return r
    return move_rules(st, b, a["unit"], kind, a.get("to"))


def do_move(st, seat, a):
    b, u, kind = st.battles[a["battle"]], a["unit"], a["kind"]
    x, role = b.units[u], st.role(u)
    ev = {"ev": "moved", "battle": b.town, "unit": u, "kind": kind}
    if x["place"] != "res":
        ev["from"] = x["lane"]
    x["moves"] += 1
    if kind == "advance":
        x["place"], x["advanced_ct"] = "adv", st.ct["n"]
        if b.eng[x["lane"]] is None:
            b.eng[x["lane"]] = (role, st.ct["n"])
        if role == "att":
            b.acted = True
        ev["to"] = x["lane"]
    elif kind == "withdraw":
        x["place"], x["advanced_ct"] = "col", 0
        ev["to"] = x["lane"]
    elif kind == "to_reserve":
        x["place"], x["lane"] = "res", 0
    elif kind in ("redeploy", "from_reserve"):
        ev["to"] = a["to"]
        if kind == "from_reserve":
            ev["type"], ev["cv"] = TYPE[u], st.cv[u]
        x["place"], x["lane"] = "col", a["to"]
        if st.engaged(b, u):
            x["moves"] = 2  # W8.4
    else:
        x["square"] = kind == "form_square"
        ev["to"] = x["lane"]
    st.fix_lanes(b)
    st.tell_all(ev)


# -- retreat and rout --------------------------------------------------------------------------------
def check_retreat(st, seat, a):
    t = a["battle"]
    b = st.battles.get(t)
    if b is None:
        return {"W19", "*", "shape"}
    r = set()
    if st.pending():
        r.add("W13.6")
    if b.over:
        return r | {"W14.1", "W19", "*"}
    units = [i["unit"] for i in a["routes"]]
    own_units(st, seat, units, r)
    if st.ct["n"] == 1:
        r.add("W12.2")
    if any(u not in b.units for u in units):
        r |= {"W12.1", "W19", "*"}
    if any(b.units[u]["fired"] or b.units[u]["moves"] for u in units if u in b.units):
        r |= {"W12.3", "W7.2"}
    role, side = st.ct["side"], side_of(seat)
    used = dict(st.rledger[side])
    mine = [i for i in a["routes"] if i["unit"] in b.units and st.owner(i["unit"]) == seat]
    r |= route_rules(st, role, side, t, b.roads, st.closed_to(side), mine, used)
    return r


def charge_roads(st, side, town, items):
    for i in items:
        for road in path_roads(st.board, town, i["path"]):
            st.rledger[side][road] = st.rledger[side].get(road, 0) + 1


def depart(st, side, town, items, revealed, kind, attrition=None):
    """Units that leave a battle move, are marked and roll (W12.5, W12.11)."""
    for i in items:
        st.town[i["unit"]] = i["path"][-1]
        st.mark[i["unit"]] = st.slot + 1
    ev = {"ev": "retreated", "town": town, "kind": kind, "side": side, "routes": items}
    shown = sorted((i for i in items if revealed[i["unit"]]), key=lambda i: i["unit"])
    out = dict(ev, routes=shown, hidden=groups([i for i in items if not revealed[i["unit"]]]))
    if attrition:
        ev["attrition"] = attrition
        out["attrition"] = {u: n for u, n in attrition.items() if revealed[u]}
    st.tell_both(side, ev, out)
    march_dice(st, side, [i for i in items if i["forced"]])


def do_retreat(st, seat, a):
    b = st.battles[a["battle"]]
    side, role = side_of(seat), st.ct["side"]
    mixed = len({st.owner(u) for u in st.role_units(b, role)}) > 1
    items = [item(i["unit"], b.town, i["path"], i.get("forced", False)) for i in a["routes"]]
    charge_roads(st, side, b.town, items)
    revealed = {i["unit"]: b.units[i["unit"]]["place"] != "res" for i in items}
    loss = {}
    for i in items:  # W12.4: judged before any unit of the batch leaves
        u = i["unit"]
        if any(TYPE[f] in (INF, CAV) for f in st.facing(b, u)):
            n = min(st.attrition(b, u), st.cv[u])
            if n:
                loss[u] = n
    for i in items:
        u = i["unit"]
        del b.units[u]
        if u in loss:
            if st.cv[u] == loss[u]:
                st.remove(u, "retreat")
            else:
                st.cv[u] -= loss[u]
    st.fix_lanes(b)
    if role == "att":
        b.acted = True
    alive = [i for i in items if st.alive(i["unit"])]
    depart(st, side, b.town, alive, revealed, "battle", loss)
    if not st.role_units(b, role):
        over(st, b, foe(role))
    elif mixed or b.test_due:
        b.test_due = True
    elif st.empty_column(b, role):
        rout(st, b, role)


def over(st, b, winner):
    """W14: the battle is over; winner's units stand up."""
    side = st.side_in(winner)
    units = sorted(st.role_units(b, winner))
    full = {u: st.cv[u] for u in units}
    ev = {"ev": "battle_over", "battle": b.town, "winner": side}
    st.tell_both(side, dict(ev, survivors=full), dict(ev, survivors=st.counts(units)))
    for u in units:
        st.won_at[u] = {"side": st.ct["side"], "n": st.ct["n"]}
    b.over = True
    b.units, b.eng = {}, {1: None, 2: None, 3: None}
    b.flr = b.ftr = b.acted = b.test_due = False
    b.idle = 0


def rout(st, b, role):
    """W13: one side's whole force in the battle routs."""
    side = st.side_in(role)
    units = sorted(st.role_units(b, role))
    own_ct = st.ct["side"] == role
    loss = {u: min(st.attrition(b, u), st.cv[u]) for u in units}
    revealed = {u: b.units[u]["place"] != "res" for u in units}
    held = {u for u in units if own_ct and (b.units[u]["fired"] or b.units[u]["moves"])}  # W13.4
    ev = {"ev": "routed", "battle": b.town, "side": side,
          "reserve": st.counts([u for u in units if not revealed[u]])}
    st.tell_both(side, dict(ev, attrition=loss),
                 dict(ev, attrition={u: n for u, n in loss.items() if revealed[u]}))
    closed = st.closed_to(side) | {b.town}
    for u in units:
        del b.units[u]
        if loss[u] == st.cv[u] or u in held:
            st.cv[u] -= loss[u]
            st.remove(u, "rout")
        else:
            st.cv[u] -= loss[u]
    over(st, b, foe(role))
    left = [u for u in units if st.alive(u)]
    if left:
        b.rout = {"side": role, "units": {u: revealed[u] for u in left}, "closed": closed}


def rout_closed(st, b):
    """W13.6: towns closed at the moment of the rout, and any that an enemy's own rout has come to since
    (W12.8: no retreat into a town that holds an enemy)."""
    return b.rout["closed"] | st.closed_to(st.side_in(b.rout["side"]))


def rout_units(st, b, seat):
    return sorted(u for u in b.rout["units"] if st.owner(u) == seat)


def check_rout_routes(st, seat, a):
    t = a["battle"]
    b = st.battles.get(t)
    if b is None or not b.rout or not rout_units(st, b, seat):
        return {"W13.2", "W13.6", "W19", "*", "shape"}
    named = [i["unit"] for i in a.get("routes", [])] + list(a.get("lost", []))
    r = set()
    own_units(st, seat, named, r)
    if sorted(named) != rout_units(st, b, seat):
        r |= {"W13.2", "W13.4", "W13.5", "W5.3"}
    role, side = b.rout["side"], side_of(seat)
    used = dict(st.rledger[side])
    routes = [i for i in a.get("routes", []) if i["unit"] in rout_units(st, b, seat)]
    r |= route_rules(st, role, side, t, b.roads, rout_closed(st, b), routes, used)
    if a.get("lost") and room_left(st, role, t, b.roads, rout_closed(st, b), used):
        r.add("W13.5")
    return r


def do_rout_routes(st, seat, a):
    b = st.battles[a["battle"]]
    side = side_of(seat)
    items = [item(i["unit"], b.town, i["path"], i.get("forced", False)) for i in a.get("routes", [])]
    revealed = dict(b.rout["units"])
    charge_roads(st, side, b.town, items)
    for u in rout_units(st, b, seat):
        del b.rout["units"][u]
    if not b.rout["units"]:
        b.rout = None
    if items:
        depart(st, side, b.town, items, revealed, "rout")
    for u in a.get("lost", []):
        st.remove(u, "rout")


# -- the end of a combat turn ------------------------------------------------------------------------
def could_act(st, seat, b):
    """W7.7: could the seat's units fire, advance or retreat now?"""
    role = st.ct["side"]
    enemies = [v for v in b.units if st.role(v) != role]
    way = not st.pending() and room_left(st, role, b.town, b.roads, st.closed_to(side_of(seat)),
                                         st.rledger[side_of(seat)])
    for u in st.role_units(b, role):
        if st.owner(u) != seat:
            continue
        x = b.units[u]
        if way and st.ct["n"] > 1 and not x["fired"] and not x["moves"]:
            return True
        if not move_rules(st, b, u, "advance", None):
            return True
        if any(not fire_rules(st, b, u, v)[0] for v in enemies):
            return True
    return False


def could_reinforce(st, seat, b):
    """Units of the seat that W11 would let into this battle now."""
    if st.ct["side"] == "def" and st.ct["n"] == 1:
        return []
    return [u for u in UNITS if st.owner(u) == seat and st.alive(u) and not reinforce_rules(st, b, u)]


def reinforce_rules(st, b, u):
    r = set()
    if st.town[u] not in st.board.adj[b.town]:
        r.add("W11.3")
    if any(u in x.units or (x.rout and u in x.rout["units"]) for x in st.battles.values()):
        r |= {"W11.3", "W13.6"}
    if st.marked(u):
        r.add("W11.4")
    if st.won_at.get(u) == {"side": st.ct["side"], "n": st.ct["n"]}:
        r.add("W11.5")
    return r


def check_end_combat_turn(st, seat, a):
    r = set()
    if st.ct["side"] == "att" and st.ct["n"] >= 2:
        for b in st.ongoing():
            if not b.flr and not b.acted and could_act(st, seat, b):
                r.add("W7.7")
    seen = []
    for x in a.get("reinforcements", []):
        seen += x["units"]
    own_units(st, seat, seen, r)
    names = [x["battle"] for x in a.get("reinforcements", [])]
    if len(set(names)) != len(names):
        r |= {"*", "shape"}
    for x in a.get("reinforcements", []):
        b = st.battles.get(x["battle"])
        if b is None or b.over:
            r |= {"W11.1", "W11.3", "W14.1", "W19", "*", "shape"}
            continue
        if x["units"] and st.ct["side"] == "def" and st.ct["n"] == 1:
            r.add("W11.2")
        count = st.counts([u for u in x["units"] if u in st.town])
        if any(c > (2 if n == "FR" else 1) for n, c in count.items()):
            r.add("W11.1")
        for u in x["units"]:
            if u not in st.town or st.owner(u) != seat:
                continue
            if not st.alive(u):
                r |= {"*", "shape", "W11.3"}
                continue
            r |= reinforce_rules(st, b, u)
    return r


def do_end_combat_turn(st, seat, a):
    side = side_of(seat)
    for x in a.get("reinforcements", []):
        b = st.battles[x["battle"]]
        came = {}
        for u in x["units"]:
            came.setdefault(st.town[u], []).append(u)
        for t, units in sorted(came.items()):
            ev = {"ev": "reinforced", "battle": b.town, "side": side, "from": t}
            st.tell_both(side, dict(ev, units=units), dict(ev, units=st.counts(units)))
            if st.ct["side"] == "att":
                b.roads.add(st.board.adj[t][b.town])
            for u in units:
                st.town[u] = b.town
                st.won_at.pop(u, None)
                b.units[u] = new_unit("res")
    end_step(st, seat, "COMBAT")


def close_ct(st):
    """All seats of the acting side have ended: tests that waited, the round, and who goes on."""
    role = st.ct["side"]
    for b in st.ongoing():
        if b.test_due:  # W18.7
            b.test_due = False
            if st.empty_column(b, role):
                rout(st, b, role)
    if role == "def" and not st.ct["round_over"]:
        st.ct["round_over"] = True
        for b in st.ongoing():
            b.idle = 0 if b.ftr else b.idle + 1
            b.flr, b.ftr = b.ftr, False
            if b.idle == 5:
                rout(st, b, "att")
    settle_routs(st)
    if st.pending():
        return
    if not st.ongoing():
        turn_end(st)
    elif role == "att":
        start_ct(st, "def", st.ct["n"])
    else:
        start_ct(st, "att", st.ct["n"] + 1)


def settle_routs(st):
    """W19.2: a rout with no road out left: all lost."""
    done = False
    for b in [x for x in st.battles.values() if x.rout]:
        for seat in st.seats():
            if not b.rout or not rout_units(st, b, seat):
                continue
            side = side_of(seat)
            if not room_left(st, b.rout["side"], b.town, b.roads, rout_closed(st, b),
                             st.rledger[side]):
                st.tell_own(side, {"ev": "automatic", "seat": seat, "do": "rout_routes", "battle": b.town})
                do_rout_routes(st, seat, {"lost": rout_units(st, b, seat), "battle": b.town})
                done = True
    return done


def settle_fighting(st):
    """One automatic step (W19.2) in combat; False when there is none."""
    if st.state != "COMBAT":
        return False
    if settle_routs(st):
        return True
    for s in st.acting():
        if st.pending(seat=s):
            continue
        if any(st.owner(u) == s for b in st.ongoing() for u in b.units):
            continue
        if any(could_reinforce(st, s, b) for b in st.ongoing()):
            continue
        st.tell_own(side_of(s), {"ev": "automatic", "seat": s, "do": "end_combat_turn"})
        end_step(st, s, "COMBAT")
        return True
    if not st.acting():
        before = (st.state, st.slot, dict(st.ct), len(st.out))
        close_ct(st)
        return st.state != "COMBAT" or (st.state, st.slot, st.ct, len(st.out)) != before
    return False


__all__ = ["CAV", "FOOT", "nation", "uside"]
