"""tests/model/gen.py: random actions for a state of the model: legal ones, and ones that may well not be."""
import copy

import fighting
import moving
import waterloo
from board import INF, NATIONS, TYPE, UNITS, artillery, nation, normal_length, side_of, uside
from pipe import pick
from state import path_roads


# How a match is fought: shares of fire, moves and retreats, running up; the rest ends the combat turn.
STYLES = ((0.45, 0.72, 0.80), (0.02, 0.20, 0.25), (0.0, 0.04, 0.05), (0.15, 0.75, 0.80), (0.2, 0.4, 0.75))


def reach(st, start, length, side, march=True):
    """Paths of up to length towns without a town twice; on a march none goes through an enemy."""
    out, todo = [], [((), start)]
    while todo:
        path, here = todo.pop()
        for t in st.board.adj[here]:
            if t == start or t in path:
                continue
            p = path + (t,)
            out.append(p)
            if len(p) < length and not (march and st.enemy_in(t, side)):
                todo.append((p, t))
    return out


def route_item(u, path):
    out = {"unit": u, "path": list(path)}
    if len(path) > normal_length(u):
        out["forced"] = True
    return out


def retreat_paths(st, u, town, role, attack_roads, closed, used):
    out = []
    for p in reach(st, town, normal_length(u) + 1, uside(u), march=False):
        roads = path_roads(st.board, town, p)
        if (roads[0] in attack_roads) != (role == "att") or any(t in closed for t in p):
            continue
        if any(used.get(r, 0) >= st.board.capacity[r] for r in roads):
            continue
        out.append(p)
    return out


def routes_for(st, rng, units, town, role, attack_roads, closed, used):
    """Random routes for all units that can have one; the rest are left over."""
    units = list(units)
    rng.shuffle(units)
    routes, left = [], []
    for u in units:
        paths = retreat_paths(st, u, town, role, attack_roads, closed, used)
        if paths and rng.random() < 0.6:
            paths = [p for p in paths if len(p) == 1] or paths
        if not paths:
            left.append(u)
            continue
        p = rng.choice(paths)
        routes.append(route_item(u, p))
        for r in path_roads(st.board, town, p):
            used[r] = used.get(r, 0) + 1
    return routes, left


# -- legal actions by state ------------------------------------------------------------------------
def setup(st, rng, seat):
    todo = [u for u in UNITS if st.owner(u) == seat and st.town[u] is None]
    if not todo and rng.random() < 0.8:
        return {"do": "confirm_setup"}
    units = todo or [u for u in UNITS if st.owner(u) == seat]
    if rng.random() < 0.3:
        units = rng.sample(units, rng.randint(1, len(units)))
    where, placements = dict(st.town), []
    for u in units:
        zone = {"FR": "france", "AD": "west", "PR": "east"}[nation(u)]
        most = {"FR": 12, "AD": 3, "PR": 4}[nation(u)]
        towns = [t for t in st.board.towns if st.board.zone[t] == zone and sum(
            1 for v, w in where.items() if w == t and v != u and nation(v) == nation(u)) < most]
        near = [t for t in towns if any(st.board.zone[x] != zone for x in st.board.adj[t])]
        where[u] = rng.choice(near if near and rng.random() < 0.7 else towns)
        placements.append({"unit": u, "town": where[u]})
    return {"do": "place", "placements": placements}


def movement(st, rng, seat):
    side = side_of(seat)
    mine = [m["unit"] for m in st.marches if st.owner(m["unit"]) == seat]
    if mine and rng.random() < 0.08:
        return {"do": "unmarch", "units": rng.sample(mine, rng.randint(1, len(mine)))}
    end = {"do": "end_movement"}
    towns = sorted(t for t, ms in moving.attack_plan(st, side).items()
                   if any(st.owner(m["unit"]) == seat for m in ms))
    if towns and rng.random() < 0.5:
        end["pursuit"] = {t: rng.choice(["all", "none"]) for t in towns if rng.random() < 0.6}
    bad = moving.plan_rules(st, seat)
    if bad and rng.random() < 0.3:
        return {"do": "unmarch", "units": mine}
    if not bad and rng.random() < (0.5 if mine else 0.12):
        return end
    drafted = {m["unit"] for m in st.marches}
    free = [u for u in UNITS if st.alive(u) and st.owner(u) == seat and u not in drafted
            and not st.marked(u)]
    starts = {n: {st.town[m["unit"]] for m in st.marches if nation(m["unit"]) == n} for n in NATIONS}
    free = [u for u in free if st.town[u] in starts[nation(u)]
            or len(starts[nation(u)]) < (2 if nation(u) == "FR" else 1)]
    rng.shuffle(free)
    options = {}
    for u in free[:14]:
        n = normal_length(u) + (0 if st.night() or rng.random() < 0.5 else 1)
        for p in reach(st, st.town[u], n, side):
            if st.night() and any(st.enemy_in(t, side) for t in p):
                continue
            options.setdefault(p[-1], []).append((u, p))
    if not options:
        return end if not bad else {"do": "unmarch", "units": mine}
    foes = [t for t in options if st.enemy_in(t, side)]
    target = rng.choice(foes if foes and rng.random() < 0.75 else sorted(options))
    chosen, marches = set(), []
    want = rng.choice([3, 3, 4, 5, 6, 8]) if target in foes else rng.randint(1, 4)
    for u, p in rng.sample(options[target], len(options[target])):
        if u in chosen or len(chosen) >= want:
            continue
        trial = {"do": "march", "marches": marches + [route_item(u, p)]}
        if not waterloo.check(st, seat, trial):
            marches = trial["marches"]
            chosen.add(u)
    if not marches:
        return end if not bad else {"do": "unmarch", "units": mine}
    return {"do": "march", "marches": marches}


def response(st, rng, seat):
    todo = [t for t in moving.seat_towns(st, seat) if not moving.answer_of(st, t, seat)]
    if not todo:
        return {"do": "end_response"}
    t = rng.choice(todo)
    if moving.staying(st, t, seat) >= 3 and rng.random() < 0.65:
        return {"do": "respond", "town": t, "choice": "fight"}
    side = side_of(seat)
    routes, left = routes_for(st, rng, moving.defenders(st, t, seat), t, "def", st.attacks[t]["roads"],
                              st.closed_to(side), dict(st.rledger[side]))
    out = {"do": "respond", "town": t, "choice": "retreat"}
    if routes:
        out["routes"] = routes
    if left:
        out["stranded"] = left
    return out


def allotment(st, rng, seat):
    t = st.loss["town"]
    able = moving.may_take(st, t, st.loss["stage"], seat)
    loss = {}
    for _ in range(st.loss["hits"][seat]):
        u = rng.choice([u for u in able if loss.get(u, 0) < st.cv[u]])
        loss[u] = loss.get(u, 0) + 1
    items = [{"unit": u, "cv": n} for u, n in loss.items()]
    rng.shuffle(items)
    return {"do": "allot", "town": t, "losses": items}


def deployment(st, rng, seat):
    t = rng.choice(st.deploying()[seat])
    b = st.battles[t]
    role = "def" if st.state == "DEPLOY_DEF" else "att"
    mine = [u for u in st.role_units(b, role) if st.owner(u) == seat]
    for _ in range(50):
        cols = {}
        for u in mine:
            cols.setdefault(rng.choice(["1", "2", "3", "1", "2", "3", "reserve"]), []).append(u)
        a = {"do": "deploy", "battle": t, "columns": cols}
        if not fighting.check_deploy(st, seat, a):
            return a
    rng.shuffle(mine)
    cols = {"1": mine[0::3], "2": mine[1::3], "3": mine[2::3]}
    return {"do": "deploy", "battle": t, "columns": cols}


def combat(st, rng, seat):
    own = st.pending(seat=seat)
    if own and (seat not in st.acting() or rng.random() < 0.9):
        b = rng.choice(own)
        side = side_of(seat)
        routes, lost = routes_for(st, rng, fighting.rout_units(st, b, seat), b.town, b.rout["side"], b.roads,
                                  fighting.rout_closed(st, b), dict(st.rledger[side]))
        out = {"do": "rout_routes", "battle": b.town, "routes": routes}
        if lost:
            out["lost"] = lost
        return out
    fires, moves = [], []
    role = st.ct["side"]
    for b in st.ongoing():
        mine = [u for u in sorted(st.role_units(b, role)) if st.owner(u) == seat]
        foes = [v for v in sorted(b.units) if st.role(v) != role and b.units[v]["place"] != "res"]
        for u in mine:
            for v in foes:
                if not fighting.fire_rules(st, b, u, v)[0]:
                    fires.append({"do": "fire", "battle": b.town, "unit": u, "target": v})
            for kind in fighting.KINDS:
                for to in (1, 2, 3) if kind in ("redeploy", "from_reserve") else (None,):
                    if not fighting.move_rules(st, b, u, kind, to):
                        a = {"do": "move", "battle": b.town, "unit": u, "kind": kind}
                        if to:
                            a["to"] = to
                        moves.append(a)
                        if kind == "advance":
                            moves += [a, a]
    pick = rng.random()
    fire_to, move_to, retreat_to = STYLES[getattr(rng, "style", 0)]
    if fires and pick < fire_to:
        return rng.choice(fires)
    if moves and pick < move_to:
        return rng.choice(moves)
    if pick < retreat_to and st.ct["n"] > 1 and not st.pending():
        b = rng.choice(st.ongoing())
        units = [u for u in sorted(st.role_units(b, role)) if st.owner(u) == seat
                 and not b.units[u]["fired"] and not b.units[u]["moves"]]
        if units:
            if rng.random() < 0.75:
                units = rng.sample(units, rng.randint(1, min(3, len(units))))
            side = side_of(seat)
            routes, _ = routes_for(st, rng, units, b.town, role, b.roads, st.closed_to(side),
                                   dict(st.rledger[side]))
            if routes:
                return {"do": "retreat", "battle": b.town, "routes": routes}
    end = {"do": "end_combat_turn"}
    if rng.random() < 0.5:
        end["reinforcements"] = []
        taken = set()
        for b in st.ongoing():
            could = [u for u in fighting.could_reinforce(st, seat, b) if u not in taken]
            rng.shuffle(could)
            units = []
            for u in could:
                if sum(1 for v in units if nation(v) == nation(u)) < (2 if nation(u) == "FR" else 1):
                    units.append(u)
            if units:
                taken |= set(units)
                end["reinforcements"].append({"battle": b.town, "units": units})
    if not fighting.check_end_combat_turn(st, seat, end):
        return end
    if fires or moves:
        return rng.choice(fires + [m for m in moves if m["kind"] == "advance"] or moves)
    b = rng.choice(st.ongoing())
    side = side_of(seat)
    units = [u for u in sorted(st.role_units(b, role)) if st.owner(u) == seat]
    routes, _ = routes_for(st, rng, units, b.town, role, b.roads, st.closed_to(side), dict(st.rledger[side]))
    return {"do": "retreat", "battle": b.town, "routes": routes[:1]}


def removal(st, rng, seat):
    units = []
    for n, c in st.debt.items():
        if st.owner(n) == seat:
            units += rng.sample(st.left(n), c)
    return {"do": "remove", "units": units}


_BY = {"SETUP_ALLIED": setup, "SETUP_FRENCH": setup, "MOVE": movement, "RESPOND": response,
       "PURSUIT_LOSS": allotment, "DEPLOY_DEF": deployment, "DEPLOY_ATT": deployment, "COMBAT": combat,
       "SUPPLY": removal}


def legal(st, rng):
    """(seat, action) that the model allows; nearly always, since random tries may run out."""
    for _ in range(40):
        seat = rng.choice(st.to_act())
        a = _BY[st.state](st, rng, seat)
        if not waterloo.check(st, seat, a):
            return seat, a
    return None


# -- actions that may be anything ------------------------------------------------------------------
def some_unit(st, rng, seat=None):
    units = UNITS if seat is None or rng.random() < 0.15 else [u for u in UNITS if st.owner(u) == seat]
    alive = [u for u in units if st.alive(u)]
    return rng.choice(alive if alive and rng.random() < 0.93 else units)


def some_path(st, rng, start):
    path, here = [], start
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4])):
        here = rng.choice(sorted(st.board.adj[here])) if here and rng.random() < 0.97 else rng.choice(st.board.towns)
        path.append(here)
    return path


def some_item(st, rng, u):
    path = some_path(st, rng, st.town[u] or rng.choice(st.board.towns))
    out = {"unit": u, "path": path}
    if (len(path) > normal_length(u)) != (rng.random() < 0.1):
        out["forced"] = True
    return out


def wild(st, rng):
    """(seat, action): well formed, aimed at what the state is about, often forbidden."""
    seats = st.seats()
    seat = rng.choice(st.to_act() if rng.random() < 0.9 else seats)
    s = st.state
    if rng.random() < 0.08:
        s = rng.choice(sorted(_BY))
    battles = sorted(st.battles) or [rng.choice(st.board.towns)]
    t = rng.choice(battles)
    b = st.battles.get(t)

    def unit_in(foe=False):
        if b and b.units and rng.random() < 0.92:
            pool = [u for u in sorted(b.units) if (st.owner(u) == seat) != foe]
            if pool:
                return rng.choice(pool)
        return some_unit(st, rng, None if foe else seat)

    if s.startswith("SETUP"):
        n = rng.choice([1, 1, 2, 5])
        return seat, rng.choice([
            {"do": "place", "placements": [{"unit": some_unit(st, rng, seat), "town": rng.choice(st.board.towns)}
                                           for _ in range(n)]}, {"do": "confirm_setup"}])
    if s == "MOVE":
        pick = rng.random()
        if pick < 0.2:
            return seat, {"do": "unmarch", "units": [some_unit(st, rng, seat)]}
        if pick < 0.4:
            a = {"do": "end_movement"}
            if rng.random() < 0.3:
                a["pursuit"] = {rng.choice(st.board.towns): rng.choice(["all", "none"])}
            return seat, a
        units = [some_unit(st, rng, seat) for _ in range(rng.choice([1, 1, 2, 4]))]
        if rng.random() < 0.5:
            town = st.town[units[0]]
            here = [u for u in UNITS if st.town[u] == town and town and st.owner(u) == seat]
            path = some_path(st, rng, town or rng.choice(st.board.towns))
            return seat, {"do": "march", "marches": [
                dict({"unit": u, "path": path}, **({"forced": True} if len(path) > normal_length(u) else {}))
                for u in here[:rng.randint(1, 9)] or units]}
        return seat, {"do": "march", "marches": [some_item(st, rng, u) for u in units]}
    if s == "RESPOND":
        if rng.random() < 0.2 or not st.attacks:
            return seat, {"do": "end_response"}
        t = rng.choice(sorted(st.attacks) if rng.random() < 0.95 else st.board.towns)
        if rng.random() < 0.3:
            return seat, {"do": "respond", "town": t, "choice": "fight"}
        units = [u for u in UNITS if st.town[u] == t and st.owner(u) == seat]
        if rng.random() < 0.1 and units:
            units.pop()
        a = {"do": "respond", "town": t, "choice": "retreat", "routes": [], "stranded": []}
        for u in units:
            if rng.random() < 0.1:
                a["stranded"].append(u)
            else:
                a["routes"].append(some_item(st, rng, u))
        return seat, a
    if s == "PURSUIT_LOSS":
        town = st.loss["town"] if st.loss and rng.random() < 0.95 else rng.choice(st.board.towns)
        units = moving.retreating(st, town) if town in st.attacks else []
        n = rng.randint(0, 3)
        return seat, {"do": "allot", "town": town, "losses": [
            {"unit": rng.choice(units or UNITS), "cv": rng.choice([1, 1, 1, 2, 3])} for _ in range(n)]}
    if s.startswith("DEPLOY"):
        units = [u for u in sorted(b.units) if st.owner(u) == seat] if b else [some_unit(st, rng, seat)]
        if rng.random() < 0.1 and units:
            units.pop()
        cols = {}
        for u in units:
            cols.setdefault(rng.choice(["1", "2", "3", "reserve"]), []).append(u)
        return seat, {"do": "deploy", "battle": t, "columns": cols}
    if s == "SUPPLY":
        return seat, {"do": "remove", "units": [some_unit(st, rng, seat) for _ in range(rng.randint(0, 3))]}
    pick = rng.random()
    if pick < 0.35:
        target = "AD-Z" if rng.random() < 0.02 else unit_in(True)
        return seat, {"do": "fire", "battle": t, "unit": unit_in(), "target": target}
    if pick < 0.65:
        kind = rng.choice(fighting.KINDS)
        a = {"do": "move", "battle": t, "unit": unit_in(), "kind": kind}
        if (kind in ("redeploy", "from_reserve")) != (rng.random() < 0.03):
            a["to"] = rng.randint(1, 3)
        return seat, a
    if pick < 0.78:
        routes = []
        for _ in range(rng.choice([1, 1, 2, 4])):
            u = unit_in()
            path = some_path(st, rng, t)
            routes.append(dict({"unit": u, "path": path},
                               **({"forced": True} if len(path) > normal_length(u) else {})))
        return seat, {"do": "retreat", "battle": t, "routes": routes}
    if pick < 0.86:
        pend = st.pending(seat=seat) or st.pending()
        if pend:
            b = pend[0]
            units = fighting.rout_units(st, b, seat)
            a = {"do": "rout_routes", "battle": b.town, "routes": [], "lost": []}
            for u in units:
                if rng.random() < 0.15:
                    a["lost"].append(u)
                else:
                    a["routes"].append(some_item(st, rng, u))
            return seat, a
        return seat, {"do": "rout_routes", "battle": t, "routes": [], "lost": []}
    a = {"do": "end_combat_turn"}
    if rng.random() < 0.7:
        near = [u for u in UNITS if st.owner(u) == seat and st.alive(u)
                and st.town[u] in st.board.adj.get(t, ()) or rng.random() < 0.02]
        a["reinforcements"] = [{"battle": t, "units": rng.sample(near, min(len(near), rng.choice([1, 1, 2, 3])))}]
    return seat, a


def places(x):
    """(container, key) of everything inside a JSON value."""
    for k, v in (x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()):
        yield x, k
        yield from places(v)


def corrupt(rng, a):
    """An action with one value of the wrong kind, or one member less."""
    spots = list(places(a))
    where, k = rng.choice(spots)
    if rng.random() < 0.3:
        del where[k]
    else:
        where[k] = rng.choice([True, 0, -1, 4, 2 ** 31, 2 ** 53 - 1, "", "x", "FR-A", "A" * 300, [], [[]], {},
                               {"unit": 1}, ["FR-A"], [1], "fire", "W2"])
    return a


def mutate(st, rng, seat, a):
    """A legal action with one thing changed."""
    a = copy.deepcopy(a)
    if rng.random() < 0.2:
        return seat, corrupt(rng, a)
    lists = [v for v in a.values() if isinstance(v, list) and v]
    pick = rng.random()
    if pick < 0.15:
        return rng.choice(st.seats()), a
    if pick < 0.45 and lists:
        v = rng.choice(lists)
        what = rng.random()
        if what < 0.3:
            v.pop(rng.randrange(len(v)))
        elif what < 0.4:
            v.append(copy.deepcopy(rng.choice(v)))
        else:
            x = rng.choice(v)
            if isinstance(x, dict) and "path" in x:
                x["path"] = some_path(st, rng, rng.choice(x["path"]))
            elif isinstance(x, dict) and "unit" in x:
                x["unit"] = some_unit(st, rng, seat)
            elif isinstance(x, str):
                v[v.index(x)] = some_unit(st, rng, seat)
        return seat, a
    if "unit" in a and pick < 0.7:
        a["unit"] = some_unit(st, rng, seat)
    elif "battle" in a and pick < 0.8:
        a["battle"] = rng.choice(sorted(st.battles) + [rng.choice(st.board.towns)])
    elif "to" in a:
        a["to"] = rng.randint(1, 3)
    elif "target" in a:
        a["target"] = some_unit(st, rng)
    elif pick < 0.9:
        a["extra"] = 1
    return seat, a


__all__ = ["INF", "TYPE", "artillery", "legal", "mutate", "pick", "wild"]
