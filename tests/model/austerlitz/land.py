"""tests/model/austerlitz/land.py: the map, the units and the tables, read from the data of the game (2, 1, 4.3, 6.8)."""
import json
import os

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "schema", "games", "austerlitz")


def _load(name):
    with open(os.path.join(_DATA, name), encoding="utf-8") as file:
        return json.load(file)


_MAP, _OOB, TABLES = _load("board.json"), _load("oob.json"), _load("tables.json")
COLUMNS, ROWS = _MAP["grid"]["columns"], _MAP["grid"]["rows"]
HEXES = ["%02d%02d" % (c, r) for c in range(1, COLUMNS + 1) for r in range(1, ROWS + 1)]
_LISTED = {h["id"]: h for h in _MAP["hexes"]}
TERRAIN = {h: _LISTED.get(h, {}).get("terrain", "clear") for h in HEXES}
HEIGHT = {h for h in HEXES if _LISTED.get(h, {}).get("height")}
FORTIFIED = {h for h in HEXES if _LISTED.get(h, {}).get("fortified")}
CAUSEWAY = {h for h in HEXES if _LISTED.get(h, {}).get("causeway")}
PONDS = {h for h in HEXES if TERRAIN[h] == "pond"}
ICE = PONDS - CAUSEWAY  # what a shot can break (10.2)
VIENNA = set(_MAP["vienna_exits"]["hexes"])


def _neighbours(h):
    c, r = int(h[:2]), int(h[2:])
    steps = _MAP["grid"]["neighbours_even_column" if c % 2 == 0 else "neighbours_odd_column"]
    at = [(c + x, r + y) for x, y in steps.values()]
    return ["%02d%02d" % (x, y) for x, y in at if 1 <= x <= COLUMNS and 1 <= y <= ROWS]


NEAR = {h: _neighbours(h) for h in HEXES}
NEAR_SET = {h: set(n) for h, n in NEAR.items()}
SIDE = {}  # (a, b) -> stream, bank or escarpment
for _s in _MAP["hexsides"]:
    SIDE[_s["a"], _s["b"]] = SIDE[_s["b"], _s["a"]] = _s["kind"]
BRIDGES = {b["id"]: (b["a"], b["b"]) for b in _MAP["bridges"]}
BRIDGE_AT = {}
for _id, (_a, _b) in BRIDGES.items():
    BRIDGE_AT[_a, _b] = BRIDGE_AT[_b, _a] = _id
LINKS = set()  # (a, b) that follow each other on a road (2.4)
for _r in _MAP["roads"]:
    for _a, _b in zip(_r["hexes"], _r["hexes"][1:]):
        LINKS |= {(_a, _b), (_b, _a)}
EDGES = ("west", "east", "north", "south")


def _edges(h):
    c, r = int(h[:2]), int(h[2:])
    return {e for e, on in zip(EDGES, (c == 1, c == COLUMNS, r == 1, r == ROWS)) if on}


_EDGES = {h: _edges(h) for h in HEXES}


def edges(h):
    """The map edges that a hex belongs to (2.5)."""
    return _EDGES[h]


EDGE_HEXES = [h for h in HEXES if edges(h)]


def distance(a, b):
    """In hexes. The second axial number grows by one to the south, whatever the column."""
    qa, qb = int(a[:2]), int(b[:2])
    dq, dr = qa - qb, int(a[2:]) - (qa + 1) // 2 - int(b[2:]) + (qb + 1) // 2
    return max(abs(dq), abs(dr), abs(dq + dr))


UNITS = [u["id"] for u in _OOB["units"]]
OOB = {u["id"]: u for u in _OOB["units"]}
ARMY = {u: OOB[u]["side"] for u in UNITS}
TYPE = {u: OOB[u]["type"] for u in UNITS}
PRINTED = {u: OOB[u]["combat"] for u in UNITS}
GUARD = {u for u in UNITS if OOB[u].get("guard_1805")}
ARMIES = ("french", "allied")
TYPES = ("infantry", "cavalry", "artillery")
FOE = {"french": "allied", "allied": "french"}
SEAT = {"french": "FR", "allied": "AL"}
ARMY_OF = {"FR": "french", "AL": "allied"}
THRESHOLD = TABLES["demoralisation"]["track_last_box"]
ROWS_OF_CRT = TABLES["crt"]["rows"]


def cost(kind, a, b, broken, destroyed):
    """4.3: the step cost before supplements, None where it is forbidden."""
    bridge = BRIDGE_AT.get((a, b))
    if b in broken:
        return None
    if (a, b) in LINKS and bridge not in destroyed:
        return TABLES["movement"]["road"]["cost"]
    hex_cost = TABLES["movement"]["hex_cost"][TERRAIN[b]][kind]
    side = SIDE.get((a, b))
    if side == "stream" and bridge and bridge not in destroyed:
        side = "stream_with_intact_bridge"
    side_cost = TABLES["movement"]["hexside_cost"][side][kind] if side else 0
    if "X" in (hex_cost, side_cost):
        return None
    climb = TABLES["movement"]["climb_supplement"][kind] if b in HEIGHT and a not in HEIGHT else 0
    return hex_cost + climb + side_cost


def trajectories(a, b):
    """8.5: all shortest chains of hexes from a to b, sorted."""
    if a == b:
        return [[a]]
    out = []
    for n in NEAR[a]:
        if distance(n, b) == distance(a, b) - 1:
            out += [[a] + rest for rest in trajectories(n, b)]
    return sorted(out)


def unblocked(chain):
    """8.5: nothing on the way stops the shot."""
    ends_high = chain[0] in HEIGHT or chain[-1] in HEIGHT
    for h in chain[1:-1]:
        if TERRAIN[h] in TABLES["bombardment"]["blocking_hexes"] or (h in HEIGHT and not ends_high):
            return False
    return not any(SIDE.get(pair) in TABLES["bombardment"]["blocking_hexsides"] for pair in zip(chain, chain[1:]))
