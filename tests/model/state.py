"""tests/model/state.py: the state of a Waterloo match in the model, and questions about it.

Rule numbers are those of the rules page. Nothing here changes the game by itself; moving.py and
fighting.py do.
"""
from board import (CAV, INF, NATIONS, START, TYPE, UNITS, artillery, board, nation, side_of,
                   uside)


class Refuse(Exception):
    """An action is refused: rules is the set of rules that forbid it ("shape": not well formed; "*": the
    page does not say which rule)."""

    def __init__(self, rules):
        super().__init__(" ".join(sorted(rules)))
        self.rules = set(rules)


class DiceOut(Exception):
    """The list of dice ran out."""


class Battle:
    """W19.3: one battle. units: {id: {place, lane, advanced_ct, square, fired, moves}}."""

    def __init__(self, town, roads):
        self.town, self.roads = town, set(roads)
        self.units = {}
        self.eng = {1: None, 2: None, 3: None}  # lane: None or (role, ct of that side)
        self.flr = self.ftr = self.acted = self.test_due = self.over = False
        self.idle = 0
        self.rout = None  # {"side", "units": {unit: revealed}, "closed": set of towns}


def new_unit(place, lane=0):
    return {"place": place, "lane": lane, "advanced_ct": 0, "square": False, "fired": False, "moves": 0}


class State:
    """The whole state. town, cv, mark, gone are by unit."""

    def __init__(self, options=None):
        options = options or {}
        self.players = options.get("players", 2)
        self.morale = options.get("morale", False)
        self.command = options.get("command_control", False)
        self.turns = options.get("turns", 99)  # player turns of the match, at most the time record
        self.board = board("real")
        self.slot, self.state = 0, "SETUP_ALLIED"
        self.town = {u: None for u in UNITS}
        self.cv = dict(START)
        self.mark = {u: 0 for u in UNITS}
        self.gone = {}
        self.confirmed, self.ended = set(), set()
        self.marches = []
        self.pursuit = {}
        self.groups, self.ledger, self.marched = {}, {}, set()
        self.rledger = {"FR": {}, "AL": {}}
        self.attacks = {}  # town: {"roads": set, "answers": [..], "held": [(seat or None, event)]}
        self.loss = None
        self.battles = {}
        self.ct = None
        self.won_at = {}
        self.debt = {}
        self.surrendered, self.departed = set(), set()
        self.result = None
        self.out, self.dice, self.dice_at = [], (), 0

    # -- seats -----------------------------------------------------------------------------------
    def seats(self):
        """The seats in play, by the names they have now (W18.9)."""
        return ["FR"] + self.allied()

    def allied(self):
        if self.players == 2 or self.departed & {"AD", "PR"}:
            return ["AL"]
        return ["AD", "PR"]

    def viewers_of(self, side):
        """Viewers that are told that side's own variants: its seats and the view of all."""
        if side == "FR":
            return ["FR", "all"]
        return (["AL"] if self.players == 2 else ["AD", "PR"]) + ["all"]

    def viewers_against(self, side):
        if side == "AL":
            return ["FR", "public"]
        return (["AL"] if self.players == 2 else ["AD", "PR"]) + ["public"]

    def owner(self, unit_or_nation):
        """The seat that commands a unit or nation (W18.1)."""
        n = unit_or_nation[:2]
        return "FR" if n == "FR" else ("AL" if self.allied() == ["AL"] else n)

    def phasing(self):
        return self.board.time[self.slot - 1][0]

    def night(self):
        return self.board.time[self.slot - 1][1]

    def other(self, side):
        return "AL" if side == "FR" else "FR"

    def side_seats(self, side):
        return ["FR"] if side == "FR" else self.allied()

    def role(self, unit):
        return "att" if uside(unit) == self.phasing() else "def"

    def side_in(self, role):
        return self.phasing() if role == "att" else self.other(self.phasing())

    # -- units -----------------------------------------------------------------------------------
    def alive(self, u):
        return u not in self.gone

    def at(self, town, side=None):
        return [u for u in UNITS if self.town[u] == town and u not in self.gone
                and (side is None or uside(u) == side)]

    def enemy_in(self, town, side):
        return any(self.town[u] == town and uside(u) != side for u in UNITS if u not in self.gone)

    def marked(self, u):
        return self.mark[u] >= self.slot > 0

    def counts(self, units):
        out = {}
        for u in units:
            out[nation(u)] = out.get(nation(u), 0) + 1
        return out

    def left(self, n):
        return [u for u in UNITS if u not in self.gone and nation(u) == n]

    # -- dice and events ----------------------------------------------------------------------------
    def die(self):
        if self.dice_at >= len(self.dice):
            raise DiceOut()
        self.dice_at += 1
        return self.dice[self.dice_at - 1]

    def tell(self, viewers, ev):
        self.out.append((tuple(viewers), ev))

    def tell_all(self, ev):
        self.tell(self.viewers_of("FR") + self.viewers_against("FR"), ev)

    def tell_own(self, side, ev):
        self.tell(self.viewers_of(side), ev)

    def tell_enemy(self, side, ev):
        self.tell(self.viewers_against(side), ev)

    def tell_both(self, side, own, enemy):
        self.tell_own(side, own)
        self.tell_enemy(side, enemy)

    def remove(self, u, why, hold=None):
        """Unit u leaves the game; everybody is told, in the response step the enemy later (W20.3)."""
        ev = {"ev": "eliminated", "unit": u, "type": TYPE[u], "why": why, "town": self.town[u]}
        if hold is None:
            self.tell_all(ev)
        else:
            self.tell_own(uside(u), ev)
            hold.append((None, ev))
        self.gone[u] = why
        self.town[u] = None
        self.won_at.pop(u, None)

    # -- battles ---------------------------------------------------------------------------------
    def role_units(self, b, role):
        return [u for u in b.units if self.role(u) == role]

    def column(self, b, role, lane):
        return sorted(u for u, x in b.units.items()
                      if x["place"] == "col" and x["lane"] == lane and self.role(u) == role)

    def advanced(self, b, lane, role=None):
        return sorted(u for u, x in b.units.items()
                      if x["place"] == "adv" and x["lane"] == lane and (role is None or self.role(u) == role))

    def own_column(self, b, role, lane):
        """W7.6: what stands in a column or advanced from it."""
        return sorted(self.column(b, role, lane) + self.advanced(b, lane, role))

    def empty_column(self, b, role):
        return any(not self.own_column(b, role, k) for k in (1, 2, 3))

    def facing(self, b, u):
        """The enemy units that u is engaged with (W7.5, R33): empty if it is not engaged."""
        x, role = b.units[u], self.role(u)
        foe = "def" if role == "att" else "att"
        if x["place"] == "col":
            return self.advanced(b, x["lane"], foe)
        if x["place"] == "adv":
            return self.column(b, foe, x["lane"])
        return []

    def engaged(self, b, u):
        x = b.units[u]
        if x["place"] == "adv":
            return True
        return x["place"] == "col" and bool(self.facing(b, u))

    def attrition(self, b, u):
        """W13.3, of a unit as it stands now."""
        t = TYPE[u]
        if t == CAV:
            return 1 if any(TYPE[f] == CAV for f in self.facing(b, u)) else 0
        return 2 if t == "foot_artillery" else 1

    def fix_lanes(self, b):
        """W19.3: a lane without an advanced unit is engaged by nobody."""
        for k in (1, 2, 3):
            if b.eng[k] and not self.advanced(b, k):
                b.eng[k] = None

    def ongoing(self):
        return [b for t, b in sorted(self.battles.items()) if not b.over]

    def battle_towns(self):
        if self.battles:
            return {t for t, b in self.battles.items() if not b.over}
        return set(self.attacks)

    def pending(self, seat=None, side=None):
        """Battles with rout routes due, of a seat or a side."""
        out = []
        for t, b in sorted(self.battles.items()):
            if b.rout and any((seat is None or self.owner(u) == seat) and (side is None or uside(u) == side)
                              for u in b.rout["units"]):
                out.append(b)
        return out

    # -- who acts --------------------------------------------------------------------------------
    def deploying(self):
        """{seat: battles in which it may place now} (W6.2, W6.3, W18.6)."""
        role = "def" if self.state == "DEPLOY_DEF" else "att"
        out = {}
        for b in self.ongoing():
            nxt = self.next_deployer(b, role)
            if nxt:
                out.setdefault(nxt, []).append(b.town)
        return out

    def next_deployer(self, b, role):
        waiting = {}
        total = {}
        for u in self.role_units(b, role):
            s = self.owner(u)
            total[s] = total.get(s, 0) + 1
            if b.units[u]["place"] == "undeployed":
                waiting[s] = waiting.get(s, 0) + 1
        if not waiting:
            return None
        # W18.6: fewer units first, a tie: PR first
        return min(waiting, key=lambda s: (total[s], 0 if s == "PR" else 1))

    def acting(self):
        """Seats of the side whose step it is that have not ended it."""
        st = self.state
        if st == "MOVE":
            return [s for s in self.side_seats(self.phasing()) if s not in self.ended]
        if st == "RESPOND":
            return [s for s in self.side_seats(self.other(self.phasing())) if s not in self.ended]
        if st == "COMBAT":
            return [s for s in self.side_seats(self.side_in(self.ct["side"])) if s not in self.ended]
        return []

    def to_act(self):
        st = self.state
        if st == "SETUP_ALLIED":
            return [s for s in self.allied() if s not in self.confirmed]
        if st == "SETUP_FRENCH":
            return ["FR"]
        if st in ("MOVE", "RESPOND"):
            return self.acting()
        if st == "PURSUIT_LOSS":
            return sorted(self.loss["hits"])
        if st in ("DEPLOY_DEF", "DEPLOY_ATT"):
            return sorted(self.deploying())
        if st == "COMBAT":
            return [s for s in self.seats() if s in self.acting() or self.pending(seat=s)]
        if st == "SUPPLY":
            return sorted({self.owner(n) for n in self.debt})
        return []

    def waits_for(self):
        """W13.6: a routed seat is waited for when nothing else can go on."""
        if self.state == "COMBAT" and self.acting():
            return self.acting()
        return self.to_act()

    # -- roads -----------------------------------------------------------------------------------
    def closed_to(self, side):
        """Towns that hold an enemy of side or are the site of a battle still going on (W12.8). Routed
        units that wait for their routes hold no town: it is the winner's (W14.3)."""
        routed = {u for b in self.battles.values() if b.rout for u in b.rout["units"]}
        out = {self.town[u] for u in UNITS if u not in self.gone and u not in routed and uside(u) != side}
        return out | self.battle_towns()


def path_roads(bd, start, path):
    """The roads of a path, or None where two towns of it are not joined."""
    out, here = [], start
    for t in path:
        r = bd.adj[here].get(t)
        if r is None:
            return None
        out.append(r)
        here = t
    return out


def item(u, start, path, forced):
    return {"unit": u, "from": start, "path": list(path), "forced": bool(forced)}


def groups(items):
    """W20.3: items merged by nation, start, path and forced, sorted by these."""
    out = {}
    for i in items:
        key = (NATIONS.index(nation(i["unit"])), i["from"], tuple(i["path"]), i["forced"])
        out[key] = out.get(key, 0) + 1
    return [{"nation": NATIONS[k[0]], "from": k[1], "path": list(k[2]), "forced": k[3], "count": n}
            for k, n in sorted(out.items())]


def dice_groups(rolled):
    """Groups of force-marching items with their dice sorted. rolled: [(item, die)]."""
    out = []
    for g in groups([i for i, _ in rolled]):
        g["dice"] = sorted(d for i, d in rolled
                           if (nation(i["unit"]), i["from"], i["path"], i["forced"])
                           == (g["nation"], g["from"], g["path"], g["forced"]))
        out.append(g)
    return out


__all__ = ["Battle", "DiceOut", "Refuse", "State", "artillery", "dice_groups", "groups", "item", "new_unit",
           "path_roads", "CAV", "INF"]
