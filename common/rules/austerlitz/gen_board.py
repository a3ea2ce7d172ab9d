#!/usr/bin/env python3
"""Makes au_board.c, the map, the counters and the tables of Austerlitz, from its data files.

usage: gen_board.py board.json oob.json tables.json OUT [HEADER PREFIX]

HEADER declares the types and constants that the tables are made of, au.h unless it is named; PREFIX stands before their names
(for a program that may know the printed map, but none of the rules).
"""

import json
import re
import sys

SIDES = ["french", "allied"]
TYPES = ["infantry", "cavalry", "artillery"]
TERRAINS = ["clear", "forest", "marsh", "village", "pond"]
HEXSIDES = ["stream", "bank", "escarpment"]
RESULTS = ["AE", "AR", "EX", "DR", "DE"]
ROWS = ["1:5", "1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1"]
SITUATIONS = ["1805", "1809", "1813"]
ODD = {(0, -1): 0, (1, -1): 1, (1, 0): 2, (0, 1): 3, (-1, 0): 4, (-1, -1): 5}
EVEN = {(0, -1): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3, (-1, 1): 4, (-1, 0): 5}
NEVER, NONE, OFF = 255, 255, 0xFFFF
POINTS_MAX = 12


def check(condition, what):
    if not condition:
        sys.exit("gen_board.py: " + what)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def quoted(text):
    return json.dumps(text)


def row_of(values):
    return "{" + ", ".join(map(str, values)) + "}"


def point(hex_id):
    return int(hex_id[:2]), int(hex_id[2:])


class Board:
    def __init__(self, data):
        grid = data["grid"]
        self.columns, self.rows = grid["columns"], grid["rows"]
        check([list(k) for k in ODD] == list(grid["neighbours_odd_column"].values()), "odd columns")
        check([list(k) for k in EVEN] == list(grid["neighbours_even_column"].values()), "even ones")
        count = self.columns * self.rows
        self.terrain, self.flags = [0] * count, [0] * count
        self.sides = [[[0, NONE, 0] for _ in range(6)] for _ in range(count)]
        self.ponds, self.bridges = [], sorted(data["bridges"], key=lambda b: b["id"])
        self.read_hexes(data)
        self.read_sides(data)
        self.read_roads(data)

    def index(self, hex_id):
        column, row = point(hex_id)
        check(1 <= column <= self.columns and 1 <= row <= self.rows, hex_id + ": off the map")
        return (column - 1) * self.rows + row - 1

    def side(self, a, b):
        (c, r), (d, s) = point(a), point(b)
        found = (ODD if c % 2 else EVEN).get((d - c, s - r))
        check(found is not None, a + " and " + b + " are not adjacent")
        return found

    def neighbours(self, at):
        column, row = at // self.rows + 1, at % self.rows + 1
        around = []
        for step in ODD if column % 2 else EVEN:
            c, r = column + step[0], row + step[1]
            inside = 1 <= c <= self.columns and 1 <= r <= self.rows
            around.append((c - 1) * self.rows + r - 1 if inside else OFF)
        return around

    def read_hexes(self, data):
        for entry in data["hexes"]:
            at = self.index(entry["id"])
            check(self.terrain[at] == 0 and self.flags[at] == 0, entry["id"] + " twice")
            self.terrain[at] = TERRAINS.index(entry["terrain"])
            self.flags[at] = (int(entry.get("height", False)) | int(entry.get("fortified", False)) << 1
                              | int(entry.get("causeway", False)) << 2)
            if entry["terrain"] == "pond":
                self.ponds.append(at)
        self.ponds.sort()
        check(len(self.ponds) <= 64, "too many pond hexes for a mask")
        for hex_id in data["vienna_exits"]["hexes"]:
            self.flags[self.index(hex_id)] |= 8
        for at in range(len(self.flags)):
            column, row = at // self.rows + 1, at % self.rows + 1
            edges = (column == 1, column == self.columns, row == 1, row == self.rows)
            self.flags[at] |= sum(int(edge) << 4 + i for i, edge in enumerate(edges))

    def read_sides(self, data):
        numbers = {bridge["id"]: i for i, bridge in enumerate(self.bridges)}
        seen = set()
        for entry in data["hexsides"]:
            a, b = entry["a"], entry["b"]
            check((a, b) not in seen, a + "/" + b + " twice")
            seen |= {(a, b), (b, a)}
            bridge = NONE
            if "bridge" in entry:
                check(entry["kind"] == "stream", a + "/" + b + ": a bridge over no stream")
                bridge = numbers.pop(entry["bridge"])
                check({self.bridges[bridge]["a"], self.bridges[bridge]["b"]} == {a, b},
                      entry["bridge"] + " lies elsewhere")
            for here, there in ((a, b), (b, a)):
                self.sides[self.index(here)][self.side(here, there)][:2] = [
                    1 + HEXSIDES.index(entry["kind"]), bridge]
        check(not numbers, "bridges that lie on no hexside")
        check(len(self.bridges) <= 32, "too many bridges for a mask")

    def read_roads(self, data):
        for road in data["roads"]:
            for a, b in zip(road["hexes"], road["hexes"][1:]):
                for here, there in ((a, b), (b, a)):
                    self.sides[self.index(here)][self.side(here, there)][2] = 1


def write_board(out, board):
    out.append(f"const struct hex_grid au_grid = {{{board.columns}, {board.rows}, 0}};")
    out.append("const struct au_hex au_hexes[AU_HEXES] = {")
    for at in range(board.columns * board.rows):
        pond = board.ponds.index(at) if at in board.ponds else NONE
        kinds, bridges, roads = zip(*board.sides[at])
        mask = sum(road << side for side, road in enumerate(roads))
        out.append(f"    {{{board.terrain[at]}, {board.flags[at]}, {pond}, {mask}, "
                   f"{row_of(kinds)}, {row_of(bridges)}, {row_of(board.neighbours(at))}}},")
    out.append("};")
    out.append(f"const unsigned au_pond_count = {len(board.ponds)};")
    out.append("const uint16_t au_ponds[64] = " + row_of(board.ponds) + ";")
    out.append(f"const unsigned au_bridge_count = {len(board.bridges)};")
    out.append("const struct au_bridge au_bridges[32] = {")
    for bridge in board.bridges:
        out.append(f"    {{{quoted(bridge['id'])}, {board.index(bridge['a'])}, "
                   f"{board.index(bridge['b'])}}},")
    out.append("};")


def write_units(out, data, tables, board):
    units = data["units"]
    check([unit["side"] for unit in units] == ["french"] * 23 + ["allied"] * 29, "23 and 29 units")
    for side in SIDES:
        total = sum(unit["combat"] for unit in units if unit["side"] == side)
        check(total == data["totals"][side], side + ": total")
    out.append("const struct au_unit_fact au_unit_facts[AU_UNITS] = {")
    for unit in units:
        check(unit["movement"] == tables["unit_types"][unit["type"]]["movement"],
              unit["id"] + ": movement")
        out.append(f"    {{{quoted(unit['id'])}, {quoted(unit['name'])}, {board.index(unit['start'])}, "
                   f"{SIDES.index(unit['side'])}, {TYPES.index(unit['type'])}, {unit['combat']}, "
                   f"{int(unit['guard_1805'])}}},")
    out.append("};")
    order = sorted(range(len(units)), key=lambda i: units[i]["id"].encode())
    out.append("const uint8_t au_unit_by_id_order[AU_UNITS] = " + row_of(order) + ";")


def costs(row):
    return row_of(NEVER if row[kind] == "X" else row[kind] for kind in TYPES)


def write_tables(out, tables):
    move, fight = tables["movement"], tables["combat"]
    hexes, sides = move["hex_cost"], move["hexside_cost"]
    check(tables["crt"]["rows"] == ROWS and tables["crt"]["die"] == [1, 2, 3, 4, 5, 6], "crt")
    check(fight["die_clamp"] == [1, 6] and fight["fortified"]["replaces_village_die"], "die")
    check(fight["hexside_die"]["cancelled_by_artillery"] == ["stream", "bank"], "cancelled")
    check(tables["zoc"]["no_zoc_into"] == ["forest", "village", "pond_broken"], "control into")
    check(tables["zoc"]["no_zoc_across"] == ["escarpment"], "control across")
    check(fight["artillery_cannot_fight_in"] == ["forest", "marsh", "village"], "artillery")
    last = tables["demoralisation"]["track_last_box"]
    shots, seen = tables["bombardment"], tables["visibility_effects"]
    check(shots["blocking_hexes"] == ["forest", "village"] and not seen["bombardment"], "trajectory")
    check(shots["blocking_hexsides"] == ["escarpment"], "trajectory over an escarpment")
    points = [tables["unit_types"][t]["movement"] for t in TYPES]
    check(max(points) <= POINTS_MAX and move["road"]["cost"] >= 1, "movement")
    victory = tables["victory"]
    out.append("const struct au_tables au_tables = {")
    out.append("    .movement = " + row_of(tables["unit_types"][t]["movement"] for t in TYPES) + ",")
    out.append("    .hex_cost = {" + ", ".join(costs(hexes[t]) for t in TERRAINS) + "},")
    out.append("    .climb = " + costs(move["climb_supplement"]) + ",")
    out.append("    .side_cost = {{0}, " + ", ".join(costs(sides[s]) for s in HEXSIDES) + "},")
    out.append("    .bridged_cost = " + costs(sides["stream_with_intact_bridge"]) + ",")
    out.append(f"    .road_cost = {move['road']['cost']}, .exit_cost = {move['exit_map']['cost']},")
    out.append("    .control_cost = {")
    for situation in SITUATIONS:
        row = tables["zoc"]["costs"][situation]
        pairs = ", ".join(f"{{{row[s]['enter']}, {row[s]['leave']}}}" for s in SIDES)
        out.append(f"        {{{pairs}}},")
    out.append("    },")
    out.append("    .hex_die = " + row_of(fight["defender_hex_die"][t] for t in TERRAINS) + ",")
    out.append("    .fortified = " + row_of(fight["fortified"]["multiply"][t] for t in TYPES) + ",")
    out.append(f"    .height_die = {fight['height_die']['value']},")
    out.append("    .side_die = {0, " + ", ".join(str(fight["hexside_die"][s]) for s in HEXSIDES)
               + "},")
    out.append("    .crt = {")
    for name in ROWS:
        cells = [RESULTS.index(cell) for cell in tables["crt"]["results"][name]]
        out.append(f"        {row_of(cells)},")
    out.append("    },")
    out.append(f"    .range = {shots['range']}, .range_height = {shots['range_from_height']}, "
               f".range_min = {shots['min_range_against_units']},")
    out.append(f"    .turns = {len(tables['turns'])},")
    out.append("    .turn = {")
    for number, turn in enumerate(tables["turns"], 1):
        check(turn["turn"] == number and number <= 16, "turns")
        out.append(f"        {{{quoted(turn['hours'])}, {int(turn['fog'])}, {int(turn['night'])}}},")
    out.append("    },")
    out.append(f"    .blind_penalty = {{{seen['movement_penalty']}, "
               f"{seen['movement_penalty_demoralised']}}},")
    out.append("    .threshold = " + row_of(last[s] for s in SIDES) + ",")
    for name in ("french", "allied"):
        rows = victory[name + "_points"]
        check(1 <= len(rows) <= 3 and rows == sorted(rows, reverse=True), name + " points")
        cells = ", ".join(row_of(row) for row in rows)
        out.append(f"    .points_{name} = {{{cells}}},")
    out.append(f"    .vienna_point = {victory['allied_vienna_point_per_unit']},")
    degrees = victory["degrees"]
    out.append("    .degree = {" + ", ".join(quoted(degrees[k]) for k in ("0", "1", "2", "3+"))
               + "},")
    out.append("};")


def step_cost(board, tables, kind, at, side):
    """4.3 with all bridges there and no ice broken: as au_price_step has it."""
    move, across = tables["movement"], board.neighbours(at)[side]
    hexside, bridge, road = board.sides[at][side]
    if across == OFF:
        return NEVER
    if road:
        return move["road"]["cost"]
    kinds = move["hexside_cost"]
    row = kinds["stream_with_intact_bridge"] if bridge != NONE else (
        kinds[HEXSIDES[hexside - 1]] if hexside else dict.fromkeys(TYPES, 0))
    enter = move["hex_cost"][TERRAINS[board.terrain[across]]][kind]
    if "X" in (enter, row[kind]):
        return NEVER
    climbs = board.flags[across] & 1 and not board.flags[at] & 1
    return enter + row[kind] + (move["climb_supplement"][kind] if climbs else 0)


def no_control(board, tables, at, side):
    """5.2 with no ice broken: whether control does not go across that side."""
    zoc, across = tables["zoc"], board.neighbours(at)[side]
    hexside = board.sides[at][side][0]
    return across == OFF or TERRAINS[board.terrain[across]] in zoc["no_zoc_into"] or (
        hexside != 0 and HEXSIDES[hexside - 1] in zoc["no_zoc_across"])


def mask_of(flags):
    return sum(1 << side for side, flag in enumerate(flags) if flag)


def write_made(out, board, tables):
    """What follows from the board and the tables, so that nobody works it out in play."""
    hexes = range(board.columns * board.rows)
    out.append("const uint8_t au_step_costs[AU_TYPES][AU_HEXES][HEX_SIDES] = {")
    for kind in TYPES:
        rows = (row_of(step_cost(board, tables, kind, at, side) for side in range(6)) for at in hexes)
        out.append("    {" + ",\n     ".join(rows) + "},")
    out.append("};")
    varies = (mask_of(bridge != NONE or across in board.ponds for (_, bridge, _), across
                      in zip(board.sides[at], board.neighbours(at))) for at in hexes)
    out.append("const uint8_t au_step_varies[AU_HEXES] = " + row_of(varies) + ";")
    control = (mask_of(not no_control(board, tables, at, side) for side in range(6))
               for at in hexes)
    out.append("const uint8_t au_control_sides[AU_HEXES] = " + row_of(control) + ";")
    names = (quoted(f"{at // board.rows + 1:02}{at % board.rows + 1:02}") for at in hexes)
    out.append("const char au_hex_ids[AU_HEXES][HEX_TEXT] = " + row_of(names) + ";")


def text_of(text):
    return f"{{{quoted(text)}, {len(text.encode())}}}"


def write_faces(out, data):
    """Counters as a view tells them: what everybody sees, and what who knows the unit sees."""
    out.append("const struct au_face au_faces[AU_UNITS] = {")
    for unit in data["units"]:
        shown = json.dumps({k: unit[k] for k in ("side", "type", "movement")}, ensure_ascii=False,
                           separators=(",", ":"))[:-1]
        known = json.dumps({k: unit[k] for k in ("id", "name")}, ensure_ascii=False,
                           separators=(",", ":"))[1:-1]
        known = f'{shown},{known},"potential":'
        out.append(f"    {{{text_of(shown)}, {text_of(known)}}},")
    out.append("};")


def main():
    board_path, oob_path, tables_path, out_path = sys.argv[1:5]
    header, prefix = sys.argv[5:] or ("common/rules/austerlitz/au.h", "")
    out = [
        "/* Made by gen_board.py from schema/games/austerlitz; do not edit. */",
        f'#include "{header}"',
        "",
    ]
    tables = load(tables_path)
    board = Board(load(board_path))
    write_board(out, board)
    write_units(out, load(oob_path), tables, board)
    write_tables(out, tables)
    if not prefix:  # the rules alone
        write_made(out, board, tables)
        write_faces(out, load(oob_path))
    for name, ids in (("side", SIDES), ("type", TYPES), ("terrain", TERRAINS), ("row", ROWS),
                      ("situation", SITUATIONS)):
        text = ", ".join(quoted(i) for i in ids)
        out.append(f"const char *const au_{name}_ids[{len(ids)}] = {{{text}}};")
    head, text = "\n".join(out[:3]), "\n".join(out[3:])
    text = re.sub(r"\bau_", prefix + "au_", re.sub(r"\bAU_", prefix.upper() + "AU_", text))
    with open(out_path, "w", encoding="utf-8") as file:
        file.write(head + "\n" + text + "\n")


main()
