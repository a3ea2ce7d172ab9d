"""tests/model/nasty.py: random positions in the middle of a match, as unkind as the rules let them be."""
import copy

import position
import waterloo
from board import INF, START, UNITS, artillery, board, uside

SHORT = {"FR": 9, "AD": 7, "PR": 8}


def _clusters(rng, bd, n):
    """n towns that hang together."""
    out = [rng.choice(bd.towns)]
    while len(out) < n:
        edge = sorted({t for x in out for t in bd.adj[x]} - set(out))
        if not edge:
            break
        out.append(rng.choice(edge))
    return out


def _armies(rng):
    """(alive, gone): now and then a nation near its surrender."""
    alive, gone = [], []
    for n in ("FR", "AD", "PR"):
        units = [u for u in UNITS if u.startswith(n)]
        rng.shuffle(units)
        keep = rng.choice([len(units), len(units), rng.randint(SHORT[n] + 1, len(units)), SHORT[n] + 1,
                           SHORT[n] + rng.randint(1, 3)])
        if n != "FR" and rng.random() < 0.04:
            keep = rng.randint(1, 3)
        alive += units[:keep]
        gone += units[keep:]
    return alive, gone


def _cv(rng, u):
    return rng.randint(1, START[u]) if rng.random() < 0.5 else START[u]


def _base(rng, bd, slots):
    alive, gone = _armies(rng)
    p = {"base": bd.name, "slot": rng.choice(slots), "units": {u: {"gone": "before"} for u in gone}}
    return p, alive


def _put(p, rng, u, town, mark=0):
    p["units"][u] = {"town": town, "cv": _cv(rng, u)}
    if mark:
        p["units"][u]["marked_until"] = mark


def _day_slots(bd, side=None):
    return [i + 1 for i, (s, night) in enumerate(bd.time) if not night and side in (None, s)]


def starved(rng, bd, options):
    """A French turn with bases held and an Allied nation that can hardly pay."""
    p, alive = _base(rng, bd, [i + 1 for i, (s, _) in enumerate(bd.time) if s == "FR"])
    short = rng.choice(["AD", "PR", "ADPR"])
    keep = {n: rng.randint(1, 3) for n in ("AD", "PR")}
    for u in list(alive):
        if u[:2] in short:
            keep[u[:2]] -= 1
            if keep[u[:2]] < 0:
                alive.remove(u)
                p["units"][u] = {"gone": "before"}
    bases = rng.sample(sorted(bd.supply), rng.randint(1, len(bd.supply)))
    free = [t for t in bd.towns if t not in bd.supply]
    for i, u in enumerate(alive):
        _put(p, rng, u, (bases + free)[i % len(bases)] if uside(u) == "FR" else rng.choice(free))
    return p


def field(rng, bd, options):
    """A movement step with both armies at close quarters."""
    p, alive = _base(rng, bd, list(range(1, len(bd.time) + 1)))
    towns = _clusters(rng, bd, rng.randint(4, 8))
    fr = rng.sample(towns, rng.randint(1, len(towns) - 1))
    if rng.random() < 0.3:
        fr = sorted(set(fr) | set(rng.sample(sorted(bd.supply), rng.randint(1, 3))))
    al = [t for t in towns if t not in fr]
    if not al:
        return field(rng, bd, options)
    for u in alive:
        _put(p, rng, u, rng.choice(fr if uside(u) == "FR" else al), p["slot"] if rng.random() < 0.1 else 0)
    return p


def response(rng, bd, options):
    """A response step with several attacked towns and few ways out."""
    p, alive = _base(rng, bd, _day_slots(bd))
    att = bd.time[p["slot"] - 1][0]
    towns = _clusters(rng, bd, rng.randint(4, 9))
    attacked = rng.sample(towns, min(rng.randint(1, 3), len(towns) - 2))
    rest = [t for t in towns if t not in attacked]
    own = {"FR": [], "AL": []}
    for t in rest:
        own[rng.choice(["FR", "AL", att])].append(t)
    far = [t for t in bd.towns if t not in towns]
    own["FR"] = own["FR"] or [far[0]]
    own["AL"] = own["AL"] or [far[-1]]
    p["state"] = "RESPOND"
    p["attacks"] = {t: {"attack_roads": sorted(rng.sample(sorted(bd.adj[t].values()),
                                                          rng.randint(1, min(2, len(bd.adj[t])))))}
                    for t in attacked}
    sides = {s: [u for u in alive if uside(u) == s] for s in ("FR", "AL")}
    for s in sides:
        rng.shuffle(sides[s])
        for t in attacked:
            for _ in range(rng.randint(3, 6) if s == att else rng.choice([1, 2, 2, 3, 4, 5, 7])):
                if sides[s]:
                    _put(p, rng, sides[s].pop(), t)
        for u in sides[s]:
            _put(p, rng, u, rng.choice(own[s]))
    for t in list(attacked):
        here = [u for u, x in p["units"].items() if x.get("town") == t]
        if sum(1 for u in here if uside(u) == att) < 3 or all(uside(u) == att for u in here):
            attacked.remove(t)
            del p["attacks"][t]
            for u in here:
                p["units"][u] = {"gone": "before"}
    if not attacked:
        return response(rng, bd, options)
    p["pursuit"] = {}
    for t in attacked:
        owners = {("FR" if att == "FR" else "AL" if options.get("players", 2) == 2 else u[:2])
                  for u, x in p["units"].items() if x.get("town") == t and uside(u) == att}
        none = {s: "none" for s in sorted(owners) if rng.random() < 0.2}
        if none:
            p["pursuit"][t] = none
    for u, x in p["units"].items():
        if "town" in x and uside(u) != att and rng.random() < 0.1:
            x["marked_until"] = p["slot"]
    if rng.random() < 0.4:
        side = "AL" if att == "FR" else "FR"
        p["ledger_retreat"] = {side: {r: rng.randint(1, bd.capacity[r]) for t in attacked
                                      for r in bd.adj[t].values() if rng.random() < 0.3}}
    return p


def _lanes(rng, att, deff, n, side):
    """Battle members for these units: lanes, advanced units, squares, what was done in this CT."""
    units = {}
    lanes = {}
    pools = {"att": list(att), "def": list(deff)}
    cols = {"att": {1: [], 2: [], 3: []}, "def": {1: [], 2: [], 3: []}}
    for role, pool in pools.items():
        rng.shuffle(pool)
        for k in (1, 2, 3):
            cols[role][k].append(pool.pop())
        for u in pool:
            k = rng.choice([1, 2, 3, 1, 2, 3, 0])
            if k:
                cols[role][k].append(u)
            else:
                units[u] = {"place": "res"}
    for k in (1, 2, 3):
        who = rng.choice(["none", "none", "att", "att", "def"])
        adv = []
        if who != "none":
            last = n if (who == "att" or side == "def") else n - 1
            for u in cols[who][k]:
                if not artillery(u) and last >= 1 and rng.random() < 0.6:
                    adv.append(u)
                    units[u] = {"place": "adv", "lane": k, "advanced_ct": rng.randint(max(1, last - 2), last)}
        for role in ("att", "def"):
            for u in cols[role][k]:
                if u not in units:
                    units[u] = {"place": "col", "lane": k}
        if adv:
            ct = min(units[u]["advanced_ct"] for u in adv)
            lanes[str(k)] = {"engaged_by": who, "engaged_ct": rng.randint(1, ct) if rng.random() < 0.2 else ct}
        else:
            lanes[str(k)] = {"engaged_by": "none"}
    return units, lanes


def combat(rng, bd, options):
    """One to three battles, any combat turn, now and then a rout that waits for its routes."""
    p, alive = _base(rng, bd, _day_slots(bd))
    att = bd.time[p["slot"] - 1][0]
    deff = "AL" if att == "FR" else "FR"
    towns = _clusters(rng, bd, rng.randint(5, 9))
    where = rng.sample(towns, min(rng.choice([1, 1, 2, 2, 3]), len(towns) - 2))
    n, side = rng.choice([1, 1, 2, 2, 3, 4, 6]), rng.choice(["att", "def"])
    p["state"], p["ct"] = "COMBAT", {"side": side, "n": n}
    pool = {s: [u for u in alive if uside(u) == s] for s in ("FR", "AL")}
    for s in pool:
        rng.shuffle(pool[s])
    p["battles"] = {}
    acting = att if side == "att" else deff
    routs = rng.choice([0.2, 0.2, 0.9])
    for t in where:
        a = [pool[att].pop() for _ in range(min(len(pool[att]), rng.randint(3, 7)))]
        d = [pool[deff].pop() for _ in range(min(len(pool[deff]), rng.randint(3, 7)))]
        if len(a) < 3 or len(d) < 3:
            pool[att] += a
            pool[deff] += d
            continue
        for u in a + d:
            _put(p, rng, u, t)
        roads = sorted(rng.sample(sorted(bd.adj[t].values()), rng.randint(1, min(2, len(bd.adj[t])))))
        if len(where) > 1 and t != where[0] and rng.random() < routs:
            role = rng.choice(["att", "def"])
            p["battles"][t] = {"over": True, "attack_roads": roads, "rout": {
                "side": role, "units": {u: {"revealed": rng.random() < 0.7} for u in
                                        rng.sample(a if role == "att" else d, 3)}}}
            for u in (a if role == "att" else d):
                if u not in p["battles"][t]["rout"]["units"]:
                    p["units"][u] = {"gone": "rout"}
            continue
        units, lanes = _lanes(rng, a, d, n, side)
        b = p["battles"][t] = {"attack_roads": roads, "units": units, "lanes": lanes}
        for u, x in units.items():
            mine = uside(u) == acting
            if x["place"] == "adv" and mine and x["advanced_ct"] == n:
                x["moves"] = 1
            elif mine and x["place"] != "res" and rng.random() < 0.15:
                x["fired"] = True
            elif mine and rng.random() < 0.1 and x["place"] == "col":
                x["moves"] = 1
            if x["place"] == "col" and waterloo.fighting.TYPE[u] == INF and rng.random() < 0.12:
                x["square"] = True
        fired = any(x.get("fired") for x in units.values())
        b["fired_this_round"] = fired or (side == "def" and rng.random() < 0.5)
        if side == "att" and n >= 1:
            b["attacker_acted"] = fired or any(
                x["place"] == "adv" and uside(u) == att and x["advanced_ct"] == n for u, x in units.items())
        if n > 1:
            b["fired_last_round"] = rng.random() < 0.5
            b["idle_rounds"] = 0 if b["fired_last_round"] else rng.randint(1, min(4, n - 1))
    rest = [t for t in towns if t not in p["battles"]]
    far = [t for t in bd.towns if t not in towns]
    own = {"FR": [], "AL": []}
    for t in rest:
        own[rng.choice(["FR", "AL"])].append(t)
    own["FR"], own["AL"] = own["FR"] or [far[0]], own["AL"] or [far[-1]]
    for s in pool:
        for u in pool[s]:
            _put(p, rng, u, rng.choice(own[s]), rng.choice([0, 0, 0, 0, p["slot"], p["slot"] + 1]))
    for u, x in p["units"].items():
        if x.get("marked_until", 0) > len(bd.time):
            x["marked_until"] = p["slot"]
    return p


def deploy(rng, bd, options):
    """A deployment of one or two battles."""
    p = combat(rng, bd, options)
    del p["ct"]
    p["state"] = "DEPLOY_DEF"
    for t in list(p["battles"]):
        b = p["battles"][t]
        if b.get("over"):
            for u in b["rout"]["units"]:
                p["units"][u] = {"gone": "before"}
            del p["battles"][t]
        else:
            p["battles"][t] = {"attack_roads": b["attack_roads"]}
    return p


def make(rng, options):
    """A position at rest (position page, section 4), and the model's state of it."""
    while True:
        bd = board(rng.choice(["fixture", "fixture", "real"]))
        p = rng.choice([field, field, response, response, combat, combat, combat, deploy]
                       + [starved] * (rng.random() < 0.2))(rng, bd, options)
        if p.get("state") in ("COMBAT", "DEPLOY_DEF") and not any(
                not b.get("over") for b in p["battles"].values()):
            continue
        st = position.read(p, options)
        if st.state == "COMBAT" and options.get("players", 2) == 3 and rng.random() < 0.15:
            side = st.side_in(st.ct["side"])
            if side == "AL":
                st.ended.add(rng.choice(["AD", "PR"]))
        trial = copy.deepcopy(st)
        trial.out, trial.dice, trial.dice_at = [], (), 0
        try:
            waterloo.settle(trial)
        except Exception:
            continue
        if trial.out or not st.to_act() or st.slot > st.turns:
            continue
        return position.write(st)
