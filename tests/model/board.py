"""tests/model/board.py: boards, units and the time record, as the rules page lists them.

Part of the model of the Waterloo rules that was written from the rules text alone (see waterloo.py).
The fixture is section 22 of the rules page; the real board is schema/games/waterloo/board.json.
"""
import json
import os

INF, CAV, FOOT, HORSE = "infantry", "cavalry", "foot_artillery", "horse_artillery"

# W1.6
_OOB = {
    "FR": (("A4 B4 C4 D4 E3 F3 G3", INF), ("H3 I3 J3 K2 L2 M2", CAV), ("N3 O3 P2", FOOT), ("Q2 R2", HORSE)),
    "AD": (("A4 B4 C4 D3 E3 F3", INF), ("G3 H3 I2 J2", CAV), ("K2 L2 M2", FOOT), ("N2", HORSE)),
    "PR": (("A3 B3 C3 D3 E3 F3 G2 H2", INF), ("I2 J2 K2 L2", CAV), ("M3 N2 O2", FOOT), ("P2", HORSE)),
}
TYPE, START = {}, {}
for _n, _groups in _OOB.items():
    for _text, _t in _groups:
        for _w in _text.split():
            TYPE["%s-%s" % (_n, _w[0])] = _t
            START["%s-%s" % (_n, _w[0])] = int(_w[1])
UNITS = sorted(TYPE)
assert len(UNITS) == 48
NATIONS = ("FR", "AD", "PR")
SURRENDER = {"FR": 9, "AD": 7, "PR": 8}  # W16.1


def nation(unit):
    return unit[:2]


def side_of(nation_or_seat):
    return "FR" if nation_or_seat == "FR" else "AL"


def uside(unit):
    return "FR" if unit[:2] == "FR" else "AL"


def mounted(unit):
    return TYPE[unit] in (CAV, HORSE)


def artillery(unit):
    return TYPE[unit] in (FOOT, HORSE)


def normal_length(unit):
    return 2 if mounted(unit) else 1


class Board:
    """Towns with their zones (france, west, east), roads, supply bases and the time record."""

    def __init__(self, name, towns, roads, supply, time, others):
        self.name, self.zone, self.supply, self.time, self.others = name, towns, supply, time, others
        self.adj = {t: {} for t in towns}
        self.capacity, self.river, self.ends = {}, {}, {}
        for rid, a, b, cls, river in roads:
            self.adj[a][b] = rid
            self.adj[b][a] = rid
            n = 8 if cls == "major" else 6  # W4.6
            self.capacity[rid] = n // 2 if river else n  # W4.7
            self.river[rid] = river
            self.ends[rid] = (a, b)
        self.towns = sorted(towns)


def _fixture():
    towns = {t: "france" for t in ("F1", "F2", "F3")}
    towns.update({t: "west" for t in ("W1", "W2", "W3", "W4", "BR", "GH")})
    towns.update({t: "east" for t in ("E1", "E2", "E3", "LI")})
    M, m = "major", "minor"
    roads = [
        ("r01", "F1", "W1", M, False), ("r02", "F1", "F2", M, False), ("r03", "F2", "F3", M, False),
        ("r04", "F2", "W2", M, False), ("r05", "F2", "E1", m, True), ("r06", "F3", "E2", m, False),
        ("r07", "W1", "W2", m, False), ("r08", "W1", "W4", m, False), ("r09", "W2", "E1", M, False),
        ("r10", "W2", "W3", M, False), ("r11", "W2", "W4", m, True), ("r12", "E1", "E2", m, False),
        ("r13", "E1", "E3", M, True), ("r14", "E2", "E3", m, True), ("r15", "W3", "W4", m, False),
        ("r16", "W3", "BR", M, False), ("r17", "W3", "E1", m, False), ("r18", "W4", "GH", m, False),
        ("r19", "W4", "BR", m, True), ("r20", "BR", "GH", M, False), ("r21", "BR", "E3", m, False),
        ("r22", "E3", "LI", M, False)]
    supply = {"BR": {"AD": 1, "PR": 1}, "GH": {"AD": 1}, "LI": {"PR": 1}}
    time = [("FR", False), ("AL", False), ("FR", True), ("AL", False), ("FR", False), ("AL", True)] * 2
    return Board("fixture", towns, roads, supply, time, {"FR": "F1", "AD": "GH", "PR": "LI"})


def _real(path):
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    towns, supply = {}, {}
    codes = {"anglo": "AD", "prussian": "PR"}
    for t in data["towns"]:
        zone = "france" if t["country"] == "france" else {"anglo": "west", "prussian": "east"}[t["zone"]]
        towns[t["id"]] = zone
        if t.get("supply"):
            supply[t["id"]] = {codes.get(n, n): 1 for n in t["supply"]}
    roads = [(r["a"] + "-" + r["b"], r["a"], r["b"], r["class"], bool(r["river"])) for r in data["roads"]]
    sides = {"french": "FR", "allied": "AL"}
    time = []
    for s in data["time_record"]:
        who = s.get("player") or s.get("side")
        time.append((sides.get(who, who), bool(s["night"])))
    return Board("real", towns, roads, supply, time, {"FR": "avesnes", "AD": "ghent", "PR": "liege"})


_CACHE = {}


def board(name):
    if name not in _CACHE:
        if name == "fixture":
            _CACHE[name] = _fixture()
        else:
            here = os.path.dirname(os.path.abspath(__file__))
            path = os.environ.get("VEDETTE_BOARD") or os.path.join(
                here, "..", "..", "schema", "games", "waterloo", "board.json")
            _CACHE[name] = _real(path)
    return _CACHE[name]
