"""tests/model/austerlitz/state.py: the state of a match and the questions that every part of the rules asks of it."""
import land
from land import ARMY, FOE, GUARD, NEAR, SEAT, TABLES, TERRAIN, TYPE, UNITS

DEFAULTS = {"information": "informed", "situation": "1805", "guard_1805": False, "strengths": "printed"}


class Ref(tuple):
    """A unit in an event: (id, the hex where it stood just before)."""
    id = property(lambda self: self[0])
    hex = property(lambda self: self[1])


class State:
    """One match. Everything that a position holds, and the events of the action in hand."""

    def __init__(self, options=None):
        self.options = dict(DEFAULTS, **(options or {}))
        self.turn, self.state, self.side = 1, "MOVE", "allied"
        self.hex = {}    # unit -> hex
        self.at = {}     # hex -> unit
        self.box = {}    # unit -> box
        self.zones = {}  # what is controlled, see controlled()
        self.power = dict(land.PRINTED)
        self.units = list(UNITS)  # of this match
        self.moved = set()
        self.mark = {}   # unit -> the bridge it destroyed this turn
        self.broken, self.destroyed = set(), set()
        self.demoralised = None
        self.plan = []   # entries with "status"
        self.hand = None
        self.resigned, self.agreed = None, False
        self.out, self.dice, self.drawn = [], [], 0

    # -- units -----------------------------------------------------------------------------------------------------
    def put(self, unit, where):
        if unit in self.hex:
            del self.at[self.hex[unit]]
        self.hex[unit] = where
        self.at[where] = unit
        self.zones = {}

    def lift(self, unit, box):
        if unit in self.hex:
            del self.at[self.hex.pop(unit)]
        self.box[unit] = box
        self.zones = {}
        self.moved.discard(unit)
        self.mark.pop(unit, None)

    def army(self, side):
        """Units of that side on the map."""
        return [u for u in self.hex if ARMY[u] == side]

    def ref(self, unit, where=None):
        return Ref((unit, where or self.hex[unit]))

    def side_at(self, where):
        return ARMY[self.at[where]] if where in self.at else None

    # -- time ------------------------------------------------------------------------------------------------------
    def dark(self):
        """11.1: fog or night."""
        hour = TABLES["turns"][self.turn - 1]
        return hour["fog"] or hour["night"]

    def to_act(self):
        if self.state == "OVER":
            return []
        if self.state in ("RETREAT", "ADVANCE"):
            return [SEAT[self.victor()]]
        return [SEAT[self.side]]

    def victor(self):
        """6.8: the attacker after DR, DE and where nobody was left to roll for."""
        return FOE[self.side] if self.hand["result"] in ("AE", "AR") else self.side

    # -- control ---------------------------------------------------------------------------------------------------
    def disabled(self, unit, where=None):
        """8.2: artillery that cannot fight or control where it stands."""
        where = where or self.hex[unit]
        return TYPE[unit] == "artillery" and TERRAIN[where] in TABLES["combat"]["artillery_cannot_fight_in"]

    def controls(self, unit, where):
        """5.1, 5.2: the unit controls that hex."""
        here = self.hex[unit]
        if where not in land.NEAR_SET[here] or self.disabled(unit):
            return False
        if where in self.broken or TERRAIN[where] in TABLES["zoc"]["no_zoc_into"]:
            return False
        return land.SIDE.get((here, where)) not in TABLES["zoc"]["no_zoc_across"]

    def controllers(self, side, where):
        """Hexes of the units of a side that control a hex."""
        return sorted(n for n in NEAR[where] if self.side_at(n) == side and self.controls(self.at[n], where))

    def controlled(self, side, where):
        """A unit of the side controls the hex. All hexes at once, until something moves or breaks."""
        now = (len(self.broken), side)
        if now not in self.zones:
            self.zones[now] = {n for u in self.army(side) for n in NEAR[self.hex[u]] if self.controls(u, n)}
        return where in self.zones[now]

    def mutual(self, unit):
        """5.2: enemies in mutual control with the unit."""
        here = self.hex[unit]
        out = []
        for n in NEAR[here]:
            foe = self.at.get(n)
            if foe and ARMY[foe] != ARMY[unit] and self.controls(unit, n) and self.controls(foe, here):
                out.append(foe)
        return out

    def may_attack(self, unit):
        """8.2, 10.4: None, or the rule that keeps it from attacking."""
        if self.disabled(unit):
            return "8.2"
        return "10.4" if unit in self.mark else None

    # -- movement --------------------------------------------------------------------------------------------------
    def points(self, unit):
        """4.2: movement points now."""
        points = TABLES["unit_types"][TYPE[unit]]["movement"]
        if self.dark():
            effects = TABLES["visibility_effects"]
            low = self.demoralised == ARMY[unit]
            points -= effects["movement_penalty_demoralised" if low else "movement_penalty"]
        return points - (2 if unit in self.mark else 0)

    def supplements(self, unit):
        """5.5: to enter a controlled hex, to leave one."""
        situation = self.options["situation"]
        if self.options["guard_1805"] and unit in GUARD:
            situation = "1805"
        costs = TABLES["zoc"]["costs"][situation][ARMY[unit]]
        return costs["enter"], costs["leave"]

    def step(self, unit, a, b):
        """4.3: cost without supplements, None where forbidden."""
        return land.cost(TYPE[unit], a, b, self.broken, self.destroyed)

    # -- tracks ----------------------------------------------------------------------------------------------------
    def total(self, side, box):
        return sum(self.power[u] for u, b in self.box.items() if b == box and ARMY[u] == side)

    def losses(self, side):
        return self.total(side, "eliminated")

    def track(self, side):
        """P and D; no D where the marker was removed (12.3)."""
        out = {"P": self.losses(side)}
        if self.demoralised in (None, side):
            out["D"] = land.THRESHOLD[side] - self.total(side, "withdrawn")
        return out

    def broke(self, side):
        """12.2: losses and withdrawals reach the threshold."""
        return self.losses(side) + self.total(side, "withdrawn") >= land.THRESHOLD[side]

    # -- what is told ----------------------------------------------------------------------------------------------
    def tell(self, name, **members):
        self.out.append(dict(members, ev=name))

    def blind(self):
        return self.options["information"] == "semi-blind"

    def knows(self, viewer, unit):
        """15.2, 15.3: the viewer may know which unit this is, faces in a combat aside."""
        return not self.blind() or viewer == "all" or land.ARMY_OF.get(viewer) == ARMY[unit]

    def name(self, seat, unit):
        """How a seat names a unit on the map."""
        return unit if self.knows(seat, unit) else self.hex[unit]


def render(st, viewer, x):
    """An event as that viewer is told it."""
    if isinstance(x, Ref):
        return x.id if st.knows(viewer, x.id) else {"side": ARMY[x.id], "type": TYPE[x.id], "hex": x.hex}
    if isinstance(x, dict):
        return {k: render(st, viewer, v) for k, v in x.items()}
    if isinstance(x, list):
        if x and isinstance(x[0], Ref):
            x = sorted(x, key=lambda ref: ref.hex)
        return [render(st, viewer, v) for v in x]
    return x


def told(st):
    """{viewer: events} of the action in hand."""
    own = {"reveal", "concealed"}
    kept = [e for e in st.out if st.blind() or e["ev"] not in own]
    return {v: [render(st, v, e) for e in kept] for v in ("FR", "AL", "public", "all")}


class Refuse(Exception):
    """The rules, any of which may be named as the one that forbids the action."""

    def __init__(self, *rules):
        super().__init__(rules)
        self.rules = set(rules)
