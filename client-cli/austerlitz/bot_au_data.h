/* client-cli/austerlitz/bot_au_data.h: the printed map, counters and tables of Austerlitz as the
 * bot has them, made at build time from schema/games/austerlitz by gen_board.py. Nothing of a
 * match. */
#ifndef VEDETTE_CLIENT_CLI_AUSTERLITZ_BOT_AU_DATA_H
#define VEDETTE_CLIENT_CLI_AUSTERLITZ_BOT_AU_DATA_H

#include <stdint.h>

#include "common/geometry/hex.h"

enum { BAU_HEXES = 44 * 34, BAU_UNITS = 52, BAU_NONE = 255, BAU_NEVER = 255 };
enum bau_side { BAU_FRENCH, BAU_ALLIED, BAU_SIDES, BAU_NOBODY = BAU_SIDES };
enum bau_type { BAU_INFANTRY, BAU_CAVALRY, BAU_ARTILLERY, BAU_TYPES };
enum bau_terrain { BAU_CLEAR, BAU_FOREST, BAU_MARSH, BAU_VILLAGE, BAU_POND, BAU_TERRAINS };
enum bau_flag { BAU_HEIGHT = 1, BAU_FORTIFIED = 2, BAU_CAUSEWAY = 4, BAU_VIENNA_EXIT = 8 };
enum bau_hexside { BAU_OPEN, BAU_STREAM, BAU_BANK, BAU_ESCARPMENT, BAU_HEXSIDES };
/* From bit BAU_EDGE_SHIFT of the flags on: the edges the hex lies at. */
enum { BAU_EDGE_SHIFT = 4 };
enum bau_edge { BAU_WEST, BAU_EAST, BAU_NORTH, BAU_SOUTH, BAU_EDGES };
enum bau_result { BAU_AE, BAU_AR, BAU_EX, BAU_DR, BAU_DE, BAU_RESULTS };
enum { BAU_ROWS = 10, BAU_SITUATIONS = 3, BAU_DEGREES = 4 };

/* What lies in a hex and on its six sides (enum hex_side); pond, bridge: BAU_NONE or their number;
 * next: the hex across (HEX_NONE: off the map); roads: bit per side. */
struct bau_hex {
    uint8_t terrain, flags, pond, roads;
    uint8_t side[HEX_SIDES], bridge[HEX_SIDES];
    uint16_t next[HEX_SIDES];
};
struct bau_bridge {
    const char *id;
    uint16_t a, b;
};
/* In the order of the order-of-battle file: the French, then the Allies. */
struct bau_unit_fact {
    const char *id, *name;
    uint16_t start;
    uint8_t side, type, combat, guard;
};
struct bau_tables {
    uint8_t movement[BAU_TYPES];
    uint8_t hex_cost[BAU_TERRAINS][BAU_TYPES], climb[BAU_TYPES], side_cost[BAU_HEXSIDES][BAU_TYPES],
        bridged_cost[BAU_TYPES], road_cost, exit_cost;
    uint8_t control_cost[BAU_SITUATIONS][BAU_SIDES][2]; /* enter, leave */
    int8_t hex_die[BAU_TERRAINS], height_die, side_die[BAU_HEXSIDES];
    uint8_t fortified[BAU_TYPES];
    uint8_t crt[BAU_ROWS][6];
    uint8_t range, range_height, range_min;
    uint8_t turns;
    struct {
        const char *hours;
        uint8_t fog, night;
    } turn[16];
    uint8_t blind_penalty[2]; /* the other for a demoralised army */
    uint8_t threshold[BAU_SIDES];
    uint8_t points_french[3][2], points_allied[3][2]; /* losses, points; descending */
    uint8_t vienna_point;
    const char *degree[BAU_DEGREES];
};
extern const struct hex_grid bau_grid;
extern const struct bau_hex bau_hexes[BAU_HEXES];
extern const unsigned bau_pond_count, bau_bridge_count;
extern const uint16_t bau_ponds[64];
extern const struct bau_bridge bau_bridges[32];
extern const struct bau_unit_fact bau_unit_facts[BAU_UNITS];
extern const uint8_t bau_unit_by_id_order[BAU_UNITS];
extern const struct bau_tables bau_tables;
extern const char *const bau_side_ids[BAU_SIDES];
extern const char *const bau_type_ids[BAU_TYPES];
extern const char *const bau_terrain_ids[BAU_TERRAINS];
extern const char *const bau_row_ids[BAU_ROWS];
extern const char *const bau_situation_ids[BAU_SITUATIONS];

#endif
