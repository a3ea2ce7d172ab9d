"""tests/model/moving.py: set-up, movement, response and pursuit fire, supply and victory (W2-W5, W15, W16).

check_* return the set of rules that forbid an action; do_* carry out one that is allowed.
"""
from board import NATIONS, SURRENDER, UNITS, mounted, nation, normal_length, side_of, uside
from state import Battle, dice_groups, groups, item, new_unit, path_roads


def own_units(st, seat, units, rules):
    """W18.1, ids exist, none twice (W19)."""
    for u in units:
        if u not in st.town:
            rules |= {"shape", "*"}
        elif st.owner(u) != seat:
            rules.add("W18.1")
    if len(set(units)) != len(units):
        rules |= {"shape", "*"}


# -- set-up ----------------------------------------------------------------------------------------
def check_place(st, seat, a):
    r = set()
    own_units(st, seat, [p["unit"] for p in a["placements"]], r)
    for p in a["placements"]:
        if p["town"] not in st.board.zone:
            r |= {"shape", "*"}
    where = dict(st.town)
    for p in a["placements"]:
        if p["unit"] in where and p["town"] in st.board.zone:
            where[p["unit"]] = p["town"]
    return r | setup_rules(st, where)


def setup_rules(st, where):
    r = set()
    count = {}
    for u, t in where.items():
        if t is None:
            continue
        zone, n = st.board.zone[t], nation(u)
        count[(n, t)] = count.get((n, t), 0) + 1
        if n == "FR":
            if zone != "france":
                r.add("W2.4")
        elif zone == "france":
            r |= {"W2.2", "W2.3"}
        elif zone != ("west" if n == "AD" else "east"):
            r.add("W2.3")
    for (n, t), c in count.items():
        if c > {"FR": 12, "AD": 3, "PR": 4}[n]:
            r.add("W2.4" if n == "FR" else "W2.3")
    return r


def do_place(st, seat, a):
    for p in a["placements"]:
        st.town[p["unit"]] = p["town"]
    st.tell_own(side_of(seat), {"ev": "placed", "seat": seat, "placements": [dict(p) for p in a["placements"]]})


def check_confirm_setup(st, seat, a):
    if any(st.town[u] is None for u in UNITS if st.owner(u) == seat):
        return {"W2.1", "W2.6"}
    return set()


def do_confirm_setup(st, seat, a):
    side = side_of(seat)
    st.confirmed.add(seat)
    st.tell_own(side, {"ev": "setup_confirmed", "seat": seat})
    if all(s in st.confirmed for s in st.side_seats(side)):
        for s in st.side_seats(side):
            st.tell_enemy(side, {"ev": "setup_confirmed", "seat": s})
        if side == "AL":
            st.state = "SETUP_FRENCH"
        else:
            begin_turn(st, 1)


def begin_turn(st, slot):
    """W3.1: the next player turn, in its movement step; marks that are past go (W12.11)."""
    st.slot, st.state = slot, "MOVE"
    st.confirmed, st.ended, st.marches, st.pursuit = set(), set(), [], {}
    st.groups, st.ledger, st.marched = {}, {}, set()
    st.rledger = {"FR": {}, "AL": {}}
    st.attacks, st.battles, st.loss, st.ct, st.won_at, st.debt = {}, {}, None, None, {}, {}
    for u in UNITS:
        if st.mark[u] < slot:
            st.mark[u] = 0
    st.tell_all({"ev": "turn", "slot": slot, "side": st.phasing(), "night": st.night()})


# -- movement --------------------------------------------------------------------------------------
def item_rules(st, u, start, path, forced):
    """W4.4, W4.5 (and W12.5, which says the same of retreats): rules broken, and the roads."""
    r = set()
    if any(t not in st.board.zone for t in path):
        return {"shape", "*"}, None
    if not path:
        return {"shape", "*"}, None
    roads = path_roads(st.board, start, path)
    if roads is None:
        r |= {"W4.4", "W1.1", "W1.2", "W4.5", "W12.5", "W12.9"}
    n = normal_length(u)
    if len(path) > n + 1:
        r.add("W4.4")
    if forced != (len(path) > n):
        r.add("W4.5")
    if len(set(path + [start])) != len(path) + 1:
        r.add("W4.5")
    return r, roads


def check_march(st, seat, a):
    r = set()
    own_units(st, seat, [m["unit"] for m in a["marches"]], r)
    side = side_of(seat)
    drafted = {m["unit"] for m in st.marches}
    used, starts = {}, {n: set() for n in NATIONS}
    for m in st.marches:
        starts[nation(m["unit"])].add(st.town[m["unit"]])
        for road in path_roads(st.board, st.town[m["unit"]], m["path"]):
            used[road] = used.get(road, 0) + 1
    for m in a["marches"]:
        u = m["unit"]
        if u not in st.town or st.owner(u) != seat:
            continue
        if not st.alive(u):
            r |= {"*", "shape"}
            continue
        if u in drafted:
            r |= {"W4.5", "W4.10"}
        if st.marked(u):
            r.add("W4.13")
        rules, roads = item_rules(st, u, st.town[u], m["path"], m.get("forced", False))
        r |= rules
        starts[nation(u)].add(st.town[u])
        if st.night() and m.get("forced", False):
            r.add("W3.4")
        for i, t in enumerate(m["path"]):
            if t in st.board.zone and st.enemy_in(t, side):
                if st.night():
                    r.add("W3.4")
                if i < len(m["path"]) - 1:
                    r.add("W4.8")
        for road in roads or ():
            used[road] = used.get(road, 0) + 1
    for n, towns in starts.items():
        if len(towns) > (2 if n == "FR" else 1):
            r.add("W4.2")
    for road, c in used.items():
        if c > st.board.capacity[road]:
            r |= {"W4.6", "W4.7"} if st.board.river[road] else {"W4.6"}
    return r


def do_march(st, seat, a):
    for m in a["marches"]:
        st.marches.append({"unit": m["unit"], "path": list(m["path"]), "forced": m.get("forced", False)})
    st.tell_own(side_of(seat), {"ev": "drafted", "seat": seat, "marches": [
        item(m["unit"], st.town[m["unit"]], m["path"], m.get("forced", False)) for m in a["marches"]]})
    withdraw_ends(st)


def check_unmarch(st, seat, a):
    r = set()
    own_units(st, seat, a["units"], r)
    drafted = {m["unit"] for m in st.marches}
    if any(u in st.town and u not in drafted for u in a["units"]):
        r |= {"W4.10", "W4.5", "W19"}
    return r


def do_unmarch(st, seat, a):
    st.marches = [m for m in st.marches if m["unit"] not in a["units"]]
    st.tell_own(side_of(seat), {"ev": "undrafted", "seat": seat, "units": list(a["units"])})
    withdraw_ends(st)


def attack_plan(st, side):
    """{town: marches that enter it} of drafts that attack."""
    out = {}
    for m in st.marches:
        t = m["path"][-1]
        if st.enemy_in(t, side):
            out.setdefault(t, []).append(m)
    return out


def plan_rules(st, seat):
    """W4.9 and W17.7 for the towns that this seat's own units enter (W18.4)."""
    r = set()
    for marches in attack_plan(st, side_of(seat)).values():
        if not any(st.owner(m["unit"]) == seat for m in marches):
            continue
        if sum(1 for m in marches if not (m["forced"] and st.cv[m["unit"]] == 1)) < 3:
            r.add("W4.9")
        if st.command:
            starts = sorted({st.town[m["unit"]] for m in marches})
            if any(b not in st.board.adj[c] for i, b in enumerate(starts) for c in starts[:i]):
                r |= {"W17.7", "W4.14"}
    return r


def withdraw_ends(st):
    """W18.4: an ally's draft may undo the end of a seat that had ended."""
    for s in sorted(st.ended):
        if plan_rules(st, s):
            st.ended.discard(s)
            for t in list(st.pursuit):
                st.pursuit[t].pop(s, None)
                if not st.pursuit[t]:
                    del st.pursuit[t]
            st.tell_own(side_of(s), {"ev": "end_withdrawn", "seat": s})


def check_end_movement(st, seat, a):
    r = plan_rules(st, seat)
    plan = attack_plan(st, side_of(seat))
    for t in a.get("pursuit", {}):
        if t not in plan or not any(st.owner(m["unit"]) == seat for m in plan[t]):
            r.add("W4.15")
            if t not in st.board.zone:
                r |= {"shape", "*"}
    return r


def do_end_movement(st, seat, a):
    for t, how in a.get("pursuit", {}).items():
        if how == "none":
            st.pursuit.setdefault(t, {})[seat] = "none"
    end_step(st, seat, "MOVE")


def end_step(st, seat, step):
    st.ended.add(seat)
    ev = {"ev": "ended", "seat": seat, "step": step}
    if step == "COMBAT":
        st.tell_all(ev)
    else:
        st.tell_own(side_of(seat), ev)


def carry_out(st):
    """The movement step ends: marches, dice, attacks (W4.11, W5.1)."""
    side = st.phasing()
    items, roads_in = [], {}
    for m in st.marches:
        u = m["unit"]
        start = st.town[u]
        items.append(item(u, start, m["path"], m["forced"]))
        roads = path_roads(st.board, start, m["path"])
        for road in roads:
            st.ledger[road] = st.ledger.get(road, 0) + 1
        st.groups.setdefault(nation(u), set()).add(start)
        st.marched.add(u)
        roads_in.setdefault(m["path"][-1], set()).add(roads[-1])
        st.town[u] = m["path"][-1]
    st.marches, st.ended = [], set()
    st.tell_both(side, {"ev": "marched", "side": side, "marches": items},
                 {"ev": "marched", "side": side, "marches": groups(items)})
    march_dice(st, side, [i for i in items if i["forced"]])
    for t in st.board.towns:
        mine = st.at(t, side)
        if mine and st.enemy_in(t, side):
            st.attacks[t] = {"roads": roads_in[t], "answers": [], "held": []}
            st.tell_all({"ev": "attacked", "town": t, "side": side, "roads": sorted(roads_in[t]),
                         "units": st.counts(mine)})
    if not st.attacks:
        turn_end(st)
    else:
        st.state = "RESPOND"


def march_dice(st, side, items, hold=None):
    """W4.11 for forced items, in this order; on a retreat too."""
    if not items:
        return
    rolled, dice, lost = [], [], 0
    for i in items:
        d = st.die()
        n = 1 if d <= 3 else 0
        lost += n
        rolled.append((i, d))
        dice.append({"unit": i["unit"], "die": d, "lost": n})
    st.tell_own(side, {"ev": "march_dice", "side": side, "lost": lost, "dice": dice})
    foe = {"ev": "march_dice", "side": side, "lost": lost, "marches": dice_groups(rolled)}
    if hold is None:
        st.tell_enemy(side, foe)
    else:
        hold.append((None, foe))
    for d in dice:
        if d["lost"]:
            u = d["unit"]
            if st.cv[u] == 1:
                st.remove(u, "march", hold)
            else:
                st.cv[u] -= 1


# -- response --------------------------------------------------------------------------------------
def defenders(st, town, seat=None):
    side = st.other(st.phasing())
    return [u for u in st.at(town, side) if seat is None or st.owner(u) == seat]


def answer_of(st, town, seat):
    for x in st.attacks[town]["answers"]:
        if x["seat"] == seat:
            return x
    return None


def contingents(st, town):
    """Seats that have or had units to answer for in an attacked town."""
    seats = {st.owner(u) for u in defenders(st, town)} | {x["seat"] for x in st.attacks[town]["answers"]}
    return [s for s in st.side_seats(st.other(st.phasing())) if s in seats]


def staying(st, town, seat):
    """W18.5: what stays in the town if this seat's contingent does: fighting, stranded, not yet answered."""
    n = 0
    for u in defenders(st, town):
        s = st.owner(u)
        x = answer_of(st, town, s)
        if s != seat and x and x["choice"] == "retreat" and u not in x["stranded"]:
            continue
        n += 1
    return n


def seat_towns(st, seat):
    """Attacked towns for which the seat has to answer or has answered."""
    return [t for t in sorted(st.attacks) if seat in contingents(st, t)]


def route_rules(st, role, side, town, attack_roads, closed, items, used):
    """W12.5-W12.9 for routes out of a town. used: the ledger, which is counted up."""
    r = set()
    for i in items:
        u, path, forced = i["unit"], i["path"], i.get("forced", False)
        rules, roads = item_rules(st, u, town, path, forced)
        if rules and "*" not in rules:
            rules.add("W12.5")
        r |= rules
        if roads is None:
            continue
        if (roads[0] in attack_roads) != (role == "att"):
            r.add("W12.7")
        if any(t in closed for t in path):
            r.add("W12.8")
        for road in roads:
            used[road] = used.get(road, 0) + 1
    for road, c in used.items():
        if c > st.board.capacity[road]:
            r |= {"W12.6", "W4.7" if st.board.river[road] else "W4.6"}
    return r


def room_left(st, role, town, attack_roads, closed, used):
    """Is a legal unforced path left (one town: the same for every type, W19.2)?"""
    return any((road in attack_roads) == (role == "att") and t not in closed
               and used.get(road, 0) < st.board.capacity[road] for t, road in st.board.adj[town].items())


def check_respond(st, seat, a):
    t = a["town"]
    if t not in st.attacks:
        return {"W5.1", "W5.2", "W19", "*", "shape"}
    mine = defenders(st, t, seat)
    if answer_of(st, t, seat):
        return {"W5.3", "W19", "*"}
    if not mine:
        return {"W5.1", "W5.3", "W19", "*", "W18.1"}
    if a["choice"] == "fight":
        return {"W5.2", "W18.5"} if staying(st, t, seat) < 3 else set()
    r = set()
    named = [i["unit"] for i in a.get("routes", [])] + list(a.get("stranded", []))
    own_units(st, seat, named, r)
    if sorted(named) != mine:
        r.add("W5.3")
    side = side_of(seat)
    used, closed = dict(st.rledger[side]), st.closed_to(side)
    roads = st.attacks[t]["roads"]
    routes = [i for i in a.get("routes", []) if i["unit"] in mine]
    r |= route_rules(st, "def", side, t, roads, closed, routes, used)
    if a.get("stranded") and room_left(st, "def", t, roads, closed, used):
        r |= {"W5.4"}
    return r


def do_respond(st, seat, a, automatic=False):
    t, side = a["town"], side_of(seat)
    att = st.attacks[t]
    if a["choice"] == "fight":
        att["answers"].append({"seat": seat, "choice": "fight", "routes": [], "stranded": [],
                               "automatic": automatic})
        ev = {"ev": "fight_chosen", "town": t, "seat": seat, "side": side}
        st.tell_own(side, ev)
        att["held"].append((seat, ev))
    else:
        routes = [item(i["unit"], t, i["path"], i.get("forced", False)) for i in a.get("routes", [])]
        stranded = list(a.get("stranded", []))
        att["answers"].append({"seat": seat, "choice": "retreat", "automatic": automatic,
                               "routes": routes, "stranded": stranded})
        for i in routes:
            for road in path_roads(st.board, t, i["path"]):
                st.rledger[side][road] = st.rledger[side].get(road, 0) + 1
        st.tell_own(side, {"ev": "retreat_chosen", "town": t, "seat": seat, "side": side, "routes": routes,
                           "stranded": stranded})
        att["held"].append((None, {"ev": "retreat_chosen", "town": t, "seat": seat, "side": side,
                                   "routes": groups(routes), "stranded": st.counts(stranded)}))
        # W18.5: an ally's fight that this leaves too weak is void
        for x in list(att["answers"]):
            if x["choice"] == "fight" and staying(st, t, x["seat"]) < 3:
                att["answers"].remove(x)
                att["held"] = [h for h in att["held"] if h[0] != x["seat"]]
                st.ended.discard(x["seat"])
                st.tell_own(side, {"ev": "answer_void", "town": t, "seat": x["seat"]})
    if all(answer_of(st, t, s) for s in contingents(st, t)):
        pursue(st, t)


def retreating(st, t, seat=None):
    return [i["unit"] for x in st.attacks[t]["answers"] for i in x["routes"]
            if st.alive(i["unit"]) and (seat is None or x["seat"] == seat)]


def pursue(st, t):
    """W5.8: all contingents of a town have answered."""
    att, side = st.attacks[t], st.phasing()
    units = retreating(st, t)
    if not units:
        return
    firers = [u for u in st.at(t, side) if st.pursuit.get(t, {}).get(st.owner(u)) != "none"]
    horse = [u for u in units if mounted(u)]
    if not horse:
        stage_b(st, t, firers)
        return
    total = sum(st.cv[u] for u in horse)
    hits, rolls = 0, {}
    for u in firers:
        if mounted(u) and hits < total:
            d = st.die()
            rolls[u] = [d]
            hits += d >= 4
    if rolls:
        tell_pursuit(st, t, "A", rolls, hits)
    if hits < total:
        allot(st, t, "A", hits)
        return
    allot(st, t, "A", hits)  # eliminates them: nobody is asked
    if retreating(st, t):
        stage_b(st, t, [u for u in firers if u not in rolls])
    else:
        walk(st, t)


def stage_b(st, t, firers):
    hits, rolls = 0, {}
    for u in firers:
        rolls[u] = [st.die() for _ in range(2 if mounted(u) else 1)]
        hits += sum(1 for d in rolls[u] if d >= 4)
    if rolls:
        tell_pursuit(st, t, "B", rolls, hits)
    allot(st, t, "B", hits)


def tell_pursuit(st, t, stage, rolls, hits):
    side = st.phasing()
    ev = {"ev": "pursuit", "town": t, "side": side, "stage": stage, "hits": hits,
          "dice": sorted(d for r in rolls.values() for d in r)}
    full = dict(ev, rolls=rolls)
    # the firer's side learns of it when the response step ends, with its own rolls
    st.tell(st.viewers_of(st.other(side))[:-1], ev)
    st.tell(["all"], full)
    st.attacks[t]["held"].append(("firer", (full, ev)))


def may_take(st, t, stage, seat=None):
    return [u for u in retreating(st, t, seat) if stage == "B" or mounted(u)]


def allot(st, t, stage, hits):
    """W5.9, W18.5, W19.2: who takes the hits of a stage, and who is asked. Goes on when nobody is."""
    able = may_take(st, t, stage)
    total = sum(st.cv[u] for u in able)
    hits = min(hits, total)
    whole_a = stage == "A" and hits == total
    if hits:
        seats = [s for s in contingents(st, t) if retreating(st, t, s)]
        seats.sort(key=lambda s: (-len(retreating(st, t, s)), 0 if s == "AD" else 1))
        room = {s: sum(st.cv[u] for u in may_take(st, t, stage, s)) for s in seats}
        share = {s: 0 for s in seats}
        left, k = hits, 0
        while left:
            s = seats[k % len(seats)]
            k += 1
            if share[s] < room[s]:
                share[s] += 1
                left -= 1
        asked = {}
        for s in seats:
            if hits == total:
                if share[s]:
                    auto_allot(st, t, s, {u: st.cv[u] for u in may_take(st, t, stage, s)})
            elif len(retreating(st, t, s)) >= 2:
                asked[s] = share[s]
            elif share[s]:
                auto_allot(st, t, s, {retreating(st, t, s)[0]: share[s]})
        if asked:
            st.loss = {"town": t, "stage": stage, "hits": asked}
            st.state = "PURSUIT_LOSS"
            return
    if not whole_a:
        walk(st, t)


def auto_allot(st, t, seat, losses):
    st.tell_own(side_of(seat), {"ev": "automatic", "seat": seat, "do": "allot", "town": t})
    take_losses(st, t, seat, [{"unit": u, "cv": n} for u, n in sorted(losses.items())])


def take_losses(st, t, seat, losses):
    side = side_of(seat)
    st.tell_own(side, {"ev": "allotted", "town": t, "seat": seat, "side": side, "losses": losses})
    for x in losses:
        u = x["unit"]
        if st.cv[u] == x["cv"]:
            st.remove(u, "pursuit", st.attacks[t]["held"])
        else:
            st.cv[u] -= x["cv"]
    for x in st.attacks[t]["answers"]:
        x["routes"] = [i for i in x["routes"] if st.alive(i["unit"])]


def check_allot(st, seat, a):
    t = a["town"]
    if t != st.loss["town"]:
        return {"W5.9", "W19", "*", "shape"}
    r = set()
    own_units(st, seat, [x["unit"] for x in a["losses"]], r)
    if any(x["unit"] in st.gone or not 1 <= x["cv"] <= 4 for x in a["losses"]):
        r |= {"*", "shape"}
    able = may_take(st, t, st.loss["stage"], seat)
    if any(x["unit"] not in able or x["cv"] > st.cv[x["unit"]] for x in a["losses"]):
        r.add("W5.9")
    if sum(x["cv"] for x in a["losses"]) != st.loss["hits"].get(seat, 0):
        r.add("W5.9")
    return r


def do_allot(st, seat, a):
    t = a["town"]
    take_losses(st, t, seat, [{"unit": x["unit"], "cv": x["cv"]} for x in a["losses"]])
    del st.loss["hits"][seat]
    if not st.loss["hits"]:
        st.loss, st.state = None, "RESPOND"
        walk(st, t)


def walk(st, t):
    """W5.6: the survivors move, in the order in which the contingents answered."""
    side = st.other(st.phasing())
    held = st.attacks[t]["held"]
    moved = []
    for x in st.attacks[t]["answers"]:
        moved += [i for i in x["routes"] if st.alive(i["unit"])]
        x["routes"] = []
    if not moved:
        return
    for i in moved:
        st.town[i["unit"]] = i["path"][-1]
        st.mark[i["unit"]] = st.slot + 1
    st.tell_own(side, {"ev": "retreated", "town": t, "kind": "response", "side": side, "routes": moved})
    held.append((None, {"ev": "retreated", "town": t, "kind": "response", "side": side, "routes": [],
                        "hidden": groups(moved)}))
    march_dice(st, side, [i for i in moved if i["forced"]], held)


def check_end_response(st, seat, a):
    """W19: the seat has answered in every attacked town with units of its own."""
    if all(answer_of(st, t, seat) for t in seat_towns(st, seat)):
        return set()
    return {"W5.2", "W5.3", "W19"}


def do_end_response(st, seat, a):
    end_step(st, seat, "RESPOND")


def finish_response(st):
    """All have ended: 1 or 2 stranded are lost (W5.5), the enemy is told, battles begin."""
    side = st.other(st.phasing())
    for t in sorted(st.attacks):
        left = defenders(st, t)
        if len(left) < 3:
            for u in left:
                st.remove(u, "stranded", st.attacks[t]["held"])
    for t in sorted(st.attacks):
        for who, ev in st.attacks[t]["held"]:
            if who == "firer":
                st.tell(st.viewers_of(st.other(side))[:-1], ev[0])
                st.tell(["public"], ev[1])
            else:
                st.tell_enemy(side, ev)
    for t in sorted(st.attacks):
        if defenders(st, t):
            b = st.battles[t] = Battle(t, st.attacks[t]["roads"])
            for u in st.at(t):
                b.units[u] = new_unit("undeployed")
    st.attacks, st.pursuit, st.ended = {}, {}, set()
    if st.battles:
        st.state = "DEPLOY_DEF"
    else:
        turn_end(st)


# -- the end of a player turn ----------------------------------------------------------------------
def turn_end(st):
    """W15, W16."""
    st.battles, st.attacks, st.ct, st.won_at, st.ended, st.pursuit = {}, {}, None, {}, set(), {}
    st.rledger = {"FR": {}, "AL": {}}
    st.debt = {}
    if st.phasing() == "FR":
        for town, nations in st.board.supply.items():
            if st.at(town, "FR"):
                for n, c in nations.items():
                    if n not in st.surrendered:
                        st.debt[n] = st.debt.get(n, 0) + c
        for n in list(st.debt):
            st.debt[n] = min(st.debt[n], len(st.left(n)))
            if not st.debt[n]:
                del st.debt[n]
    if st.debt:
        st.state = "SUPPLY"
        st.tell_all({"ev": "supply_due", "debt": dict(st.debt)})
    else:
        victory(st)


def check_remove(st, seat, a):
    r = set()
    own_units(st, seat, a["units"], r)
    if any(u in st.gone for u in a["units"]):
        r |= {"*", "shape", "W15.2"}
    want = {n: c for n, c in st.debt.items() if st.owner(n) == seat}
    if st.counts([u for u in a["units"] if u in st.town]) != want:
        r.add("W15.2")
    return r


def do_remove(st, seat, a):
    st.tell_all({"ev": "supply_removed", "seat": seat, "units": sorted(a["units"])})
    for n in {nation(u) for u in a["units"]}:
        st.debt.pop(n, None)
    for u in a["units"]:
        st.remove(u, "supply")


def victory(st):
    """W16, then the next player turn."""
    left = {n: len(st.left(n)) for n in NATIONS}
    if left["FR"] <= SURRENDER["FR"]:
        st.tell_all({"ev": "surrendered", "nation": "FR", "left": left["FR"]})
        game_over(st, "AL", "surrender")
        return
    for n in ("AD", "PR"):
        if n not in st.surrendered and left[n] <= SURRENDER[n]:
            st.surrendered.add(n)
            st.tell_all({"ev": "surrendered", "nation": n, "left": left[n]})
            for u in st.left(n):
                st.remove(u, "surrender")
    if len(st.surrendered) == 2:
        game_over(st, "FR", "surrender")
    elif st.slot >= min(st.turns, len(st.board.time)):
        game_over(st, "AL", "time")
    else:
        begin_turn(st, st.slot + 1)


def game_over(st, winner, why):
    st.state = "GAME_OVER"
    st.result = {"winner": winner, "why": why}
    st.tell_all({"ev": "game_over", "winner": winner, "why": why})


def settle_moving(st):
    """One automatic step (W19.2) outside battles; False when there is none."""
    if st.state == "MOVE":
        for s in st.acting():
            units = [u for u in UNITS if st.alive(u) and st.owner(u) == s]
            if all(st.marked(u) for u in units):
                st.tell_own(side_of(s), {"ev": "automatic", "seat": s, "do": "end_movement"})
                do_end_movement(st, s, {})
                return True
        if not st.acting():
            carry_out(st)
            return True
    elif st.state == "RESPOND":
        side = st.other(st.phasing())
        closed = st.closed_to(side)
        for t in sorted(st.attacks):
            for s in contingents(st, t):
                if answer_of(st, t, s) or staying(st, t, s) >= 3:
                    continue
                if not room_left(st, "def", t, st.attacks[t]["roads"], closed, st.rledger[side]):
                    st.tell_own(side, {"ev": "automatic", "seat": s, "do": "respond", "town": t})
                    do_respond(st, s, {"town": t, "choice": "retreat",
                                       "stranded": defenders(st, t, s)}, True)
                    return True
        for s in st.acting():
            answers = [answer_of(st, t, s) for t in seat_towns(st, s)]
            if all(x and x["automatic"] for x in answers) and not check_end_response(st, s, {}):
                st.tell_own(side, {"ev": "automatic", "seat": s, "do": "end_response"})
                do_end_response(st, s, {})
                return True
        if not st.acting():
            finish_response(st)
            return True
    elif st.state == "SUPPLY":
        for n in sorted(st.debt):
            if st.debt[n] == len(st.left(n)):
                st.tell_own("AL", {"ev": "automatic", "seat": st.owner(n), "do": "remove"})
                do_remove(st, st.owner(n), {"units": st.left(n)})
                return True
        if not st.debt:
            victory(st)
            return True
    return False
