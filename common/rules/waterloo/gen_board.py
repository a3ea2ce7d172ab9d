#!/usr/bin/env python3
"""Makes wl_board.c, the fixed facts of Waterloo, from its data files.

usage: gen_board.py board.json fixture.json oob.json OUT
"""

import json
import sys

NATIONS = ["FR", "AD", "PR"]
SIDES = ["FR", "AL"]
TYPES = ["infantry", "cavalry", "foot_artillery", "horse_artillery"]
TOWNS_MAX, ROADS_MAX, DEGREE_MAX, SLOTS_MAX = 64, 128, 16, 24


def quoted(text):
    return json.dumps(text)


def check(condition, what):
    if not condition:
        sys.exit("gen_board.py: " + what)


def zone(town):
    if town["zone"] == "france" or town.get("country") == "france":
        check(town["zone"] in ("france", "none"), town["id"] + ": in France and in a zone")
        return "WL_ZONE_FRANCE"
    check(town["zone"] in ("anglo", "prussian"), town["id"] + ": no zone")
    return "WL_ZONE_" + town["zone"].upper()


def read_board(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    towns = sorted(data["towns"], key=lambda town: town["id"].encode())
    roads = sorted(data["roads"], key=lambda road: road["id"].encode())
    check(len(towns) <= TOWNS_MAX and len(roads) <= ROADS_MAX, path + ": too large")
    check(len({town["id"] for town in towns}) == len(towns), path + ": a town twice")
    check(len({road["id"] for road in roads}) == len(roads), path + ": a road twice")
    check(data["limits"]["road_units"] == {"major": 8, "minor": 6}, path + ": limits")
    check(data["limits"]["river"] == "half", path + ": river")
    slots = data["time_record"]
    check(0 < len(slots) <= SLOTS_MAX, path + ": slots")
    for i, slot in enumerate(slots):
        check(slot["turn"] == i + 1, path + ": slots out of order")
        check(slot["side"] == SIDES[i % 2], path + ": sides must alternate, FR first (W3.1)")
    return towns, roads, slots, data["others"]


def write_board(out, name, board):
    towns, roads, slots, _ = board
    index = {town["id"]: i for i, town in enumerate(towns)}
    out.append(f"static const char *const {name}_towns[] = {{")
    out += [f"    {quoted(town['id'])}," for town in towns]
    out.append("};")
    out.append(f"static const char *const {name}_roads[] = {{")
    out += [f"    {quoted(road['id'])}," for road in roads]
    out.append("};")
    out.append(f"static const struct pmap_road {name}_road[] = {{")
    for road in roads:
        a, b = index[road["a"]], index[road["b"]]
        check(a != b, road["id"] + ": a loop")
        flags = "WL_ROAD_RIVER" if road["river"] else "0"
        out.append(f"    {{{a}, {b}, WL_ROAD_{road['class'].upper()}, {flags}}},")
    out.append("};")


def links(towns, roads):
    index = {town["id"]: i for i, town in enumerate(towns)}
    table = [[] for _ in towns]
    for r, road in enumerate(roads):
        a, b = index[road["a"]], index[road["b"]]
        table[a].append((b, r))
        table[b].append((a, r))
    for i, row in enumerate(table):
        check(0 < len(row) <= DEGREE_MAX, towns[i]["id"] + ": degree")
        row.sort()
    return table


def write_entry(out, key, name, board):
    towns, roads, slots, others = board
    index = {town["id"]: i for i, town in enumerate(towns)}
    table = links(towns, roads)
    out.append(f"    [{key}] = {{")
    out.append("        .map = {")
    out.append(f"            .towns = {len(towns)}, .roads = {len(roads)},")
    out.append(f"            .town_ids = {name}_towns, .road_ids = {name}_roads,")
    out.append(f"            .road = {name}_road,")
    out.append("            .degree = {" + ", ".join(str(len(row)) for row in table) + "},")
    out.append("            .link = {")
    for row in table:
        out.append("                {" + ", ".join(f"{{{b}, {r}}}" for b, r in row) + "},")
    out.append("            },")
    out.append("        },")
    out.append("        .zone = {" + ", ".join(zone(town) for town in towns) + "},")
    masks = [sum(1 << NATIONS.index(nation) for nation in town["supply"]) for town in towns]
    out.append("        .supply = {" + ", ".join(map(str, masks)) + "},")
    out.append(f"        .slots = {len(slots)},")
    out.append("        .slot = {")
    for slot in slots:
        out.append(
            f"            {{WL_SIDE_{slot['side']}, {int(slot['night'])}, "
            f"{quoted(slot.get('date', ''))}, {quoted(slot.get('part', ''))}}},"
        )
    out.append("        },")
    out.append("        .others = {" + ", ".join(str(index[others[n]]) for n in NATIONS) + "},")
    out.append("    },")


def write_units(out, path):
    with open(path, encoding="utf-8") as file:
        units = json.load(file)["units"]
    units.sort(key=lambda unit: (NATIONS.index(unit["army"]), unit["letter"]))
    counts = [sum(unit["army"] == nation for unit in units) for nation in NATIONS]
    check(counts == [18, 14, 16], path + ": 18, 14 and 16 units (W1.5)")
    out.append("const struct wl_unit_fact wl_unit_facts[WL_UNITS] = {")
    for unit in units:
        check(unit["id"] == unit["army"] + "-" + unit["letter"], unit["id"] + ": id")
        check(unit["type"] in TYPES and 1 <= unit["cv"] <= 4, unit["id"] + ": type or cv")
        out.append(
            f"    {{{quoted(unit['id'])}, WL_{unit['army']}, WL_{unit['type'].upper()}, "
            f"{unit['cv']}}},"
        )
    out.append("};")
    order = sorted(range(len(units)), key=lambda i: units[i]["id"].encode())
    out.append("const uint8_t wl_unit_by_id_order[WL_UNITS] = {")
    out.append("    " + ", ".join(map(str, order)) + ",")
    out.append("};")
    for name, ids in (("nation", NATIONS), ("side", SIDES), ("type", TYPES)):
        bound = f"WL_{name.upper()}S"
        text = ", ".join(quoted(i) for i in ids)
        out.append(f"const char *const wl_{name}_ids[{bound}] = {{{text}}};")


def main():
    board_path, fixture_path, oob_path, out_path = sys.argv[1:]
    out = [
        "/* wl_board.c: made by gen_board.py from schema/games/waterloo; do not edit. */",
        '#include "common/rules/waterloo/wl.h"',
        "",
    ]
    write_units(out, oob_path)
    boards = [
        ("WL_BASE_REAL", "real", read_board(board_path)),
        ("WL_BASE_FIXTURE", "fixture", read_board(fixture_path)),
    ]
    for _, name, board in boards:
        write_board(out, name, board)
    out.append("const struct wl_board wl_boards[WL_BASES] = {")
    for key, name, board in boards:
        write_entry(out, key, name, board)
    out.append("};")
    with open(out_path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
