/* client-cli/austerlitz/aview.h: the map of Austerlitz and a view of a match of it, taken apart
 * into plain arrays: what orders, pictures and sentences of the terminal look at. */
#ifndef VEDETTE_CLIENT_CLI_AUSTERLITZ_AVIEW_H
#define VEDETTE_CLIENT_CLI_AUSTERLITZ_AVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/geometry/hex.h"

struct buf;

/* The name of a member; "" of an element, which has none. */
static inline const char *av_key(const cJSON *member)
{
    return member->string == NULL ? "" : member->string;
}

enum { AV_UNITS_MAX = 64, AV_ENTRIES_MAX = 64, AV_BRIDGES_MAX = 32, AV_PLACES_MAX = 96 };
enum { AV_LIST_MAX = 64, AV_ID_MAX = 5, AV_NAME_MAX = 64, AV_NONE = -1 };
enum av_side { AV_FRENCH, AV_ALLIED };
enum av_type { AV_INFANTRY, AV_CAVALRY, AV_ARTILLERY };
enum av_terrain { AV_CLEAR, AV_FOREST, AV_MARSH, AV_VILLAGE, AV_POND };
enum av_hexside { AV_OPEN, AV_STREAM, AV_BANK, AV_ESCARPMENT };
enum av_box { AV_ELIMINATED, AV_WITHDRAWN, AV_VIENNA };
enum av_state {
    AV_MOVE,
    AV_DECLARE,
    AV_RESOLVE,
    AV_EXCHANGE,
    AV_RETREAT,
    AV_BATTERY,
    AV_ADVANCE,
    AV_OVER,
    AV_UNKNOWN
};
extern const char *const av_side_ids[2], *const av_type_ids[3], *const av_state_ids[];
extern const char *const av_seat_ids[2];

struct av_place {
    unsigned hex;
    bool village;
    char name[AV_NAME_MAX]; /* in the language that is spoken */
};
/* The board data (schema/games/austerlitz/board.json). Hexes by the numbers of hex.h. */
struct av_map {
    struct hex_grid grid;
    uint8_t terrain[HEX_MAX];
    bool height[HEX_MAX], fortified[HEX_MAX], causeway[HEX_MAX], vienna[HEX_MAX];
    uint8_t side[HEX_MAX][HEX_SIDES];  /* enum av_hexside */
    uint8_t road[HEX_MAX];             /* bit per side that a road crosses */
    int8_t bridge[HEX_MAX][HEX_SIDES]; /* AV_NONE */
    int8_t place[HEX_MAX];
    int bridges, places;
    struct av_bridge {
        char id[8];
        unsigned a, b;
    } of_bridge[AV_BRIDGES_MAX];
    struct av_place of_place[AV_PLACES_MAX];
};

/* A unit on the map. */
struct av_unit {
    char id[AV_ID_MAX]; /* "": its face is turned down */
    char name[AV_NAME_MAX];
    unsigned hex;
    enum av_side side;
    enum av_type type;
    int potential; /* 0: unknown */
    int movement;
    bool mine; /* of the viewer's seat */
    bool moved;
    int bridge; /* that it has destroyed this turn, AV_NONE */
};
struct av_hexes {
    int count;
    unsigned hex[AV_LIST_MAX];
};
/* A declared combat, or (ice) a shot at that hex. */
struct av_entry {
    char status; /* 'p' pending, 'd' done, 'v' void */
    struct av_hexes contact, bombard, defenders;
    unsigned ice; /* HEX_NONE: none */
};
struct av_view {
    const struct av_map *map;
    const cJSON *view, *board; /* borrowed */
    enum av_state state;
    enum av_side seat; /* of a watcher AV_FRENCH */
    bool player, to_act, semi_blind, dealt;
    char situation[8];
    bool guard_1805;
    int turn, of;
    char hours[12];
    enum av_side side; /* whose phase it is */
    bool fog, night;
    int units;
    struct av_unit unit[AV_UNITS_MAX];
    int8_t at[HEX_MAX];   /* the unit there, AV_NONE */
    int boxed[2][3][3];   /* by side, box, type */
    int lost[2], left[2]; /* P, and D where has_left */
    bool has_left[2];
    int demoralised; /* a side, AV_NONE */
    bool broken[HEX_MAX];
    uint32_t destroyed; /* bit per bridge */
    int entries;
    struct av_entry entry[AV_ENTRIES_MAX]; /* 0 is number 1 */
    int hand;                              /* entry in hand, AV_NONE */
    char result[8];
    struct av_hexes fighting, to_retreat, to_choose, vacated;
    int due; /* in EXCHANGE: the potential to be matched */
};

/* Reads the board data. False: it is not that. */
bool av_map_read(const cJSON *json, struct av_map *out_map);
/* Takes a view apart. map and view are borrowed for as long as out_view is used. False: no view of
 * Austerlitz. */
bool av_read(const struct av_map *map, const cJSON *view, struct av_view *out_view);

/* Index of the unit that a word names: its id without regard to case, or the hex it stands in;
 * AV_NONE. */
int av_find(const struct av_view *v, const char *word);
/* The hex that a word names: its number, the name of a village or height (or its only beginning),
 * or a unit that is known; HEX_NONE. */
unsigned av_find_hex(const struct av_view *v, const char *word);
/* Index of the bridge of that id without regard to case; AV_NONE. */
int av_find_bridge(const struct av_map *map, const char *word);
/* What the seat calls a unit in actions: its id, or the hex of one that it does not know. */
void av_name(const struct av_view *v, int unit, char out[HEX_TEXT]);
/* "2319 Pratzen", "2218". */
void av_say_hex(const struct av_map *map, unsigned hex, struct buf *out);
bool av_has(const struct av_hexes *list, unsigned hex);

/* 5.1, 5.2: whether that unit, standing at a, controls the hex across side. */
bool av_controls(const struct av_view *v, int unit, unsigned a, unsigned side);
/* Whether any unit of that side controls the hex. */
bool av_is_held(const struct av_view *v, unsigned hex, enum av_side by);
/* 6.2: whether two units control each other's hex. */
bool av_mutual(const struct av_view *v, int a, int b);
/* 8.2, 10.4: whether it may attack in this phase. */
bool av_may_attack(const struct av_view *v, int unit);
/* What it counts in contact or bombardment (6.4, 11.4); 0: unknown. */
int av_counts(const struct av_view *v, int unit, bool attacks);

/* Ways across the map (aways.c). */
enum { AV_WAY_MAX = 24, AV_NEVER = 99 };
struct av_ways {       /* of one unit in its movement phase, however dear; its own hex costs 0 */
    int cost[HEX_MAX]; /* AV_NEVER: none */
    unsigned from[HEX_MAX];
    bool held[HEX_MAX]; /* by the enemy: it stops there */
};
struct av_way {
    int len;
    unsigned hex[AV_WAY_MAX]; /* entered one after another */
};
/* Points that it has to move with in its phase (4.2, 10.4, 11.2). */
int av_points(const struct av_view *v, int unit);
/* The cheapest ways of a unit (4, 5). */
void av_find_ways(const struct av_view *v, int unit, struct av_ways *out_ways);
/* The way to a hex; false: there is none, or it is its own. */
bool av_way_to(const struct av_view *v, const struct av_ways *ways, int unit, unsigned to,
               struct av_way *out_way);

#endif
