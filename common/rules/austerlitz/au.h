/* common/rules/austerlitz/au.h: the state of a match of Austerlitz and what the files of this
 * folder share. Rule numbers are those of schema/games/austerlitz/rules.md. */
#ifndef VEDETTE_COMMON_RULES_AUSTERLITZ_AU_H
#define VEDETTE_COMMON_RULES_AUSTERLITZ_AU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "common/geometry/hex.h"
#include "common/rules/game.h"

/* ---- fixed facts, made at build time from schema/games/austerlitz ---- */

enum { AU_MAP_ROWS = 34, AU_HEXES = 44 * AU_MAP_ROWS };
enum { AU_UNITS = 52, AU_FRENCH_UNITS = 23, AU_NONE = 255, AU_NEVER = 255 };
enum au_side { AU_FRENCH, AU_ALLIED, AU_SIDES, AU_NOBODY = AU_SIDES }; /* seats FR, AL */
enum au_type { AU_INFANTRY, AU_CAVALRY, AU_ARTILLERY, AU_TYPES };
enum au_terrain { AU_CLEAR, AU_FOREST, AU_MARSH, AU_VILLAGE, AU_POND, AU_TERRAINS };
enum au_flag { AU_HEIGHT = 1, AU_FORTIFIED = 2, AU_CAUSEWAY = 4, AU_VIENNA_EXIT = 8 };
enum au_hexside { AU_OPEN, AU_STREAM, AU_BANK, AU_ESCARPMENT, AU_HEXSIDES };
/* From bit AU_EDGE_SHIFT of the flags on: the edges the hex lies at (2.5). */
enum { AU_EDGE_SHIFT = 4 };
enum au_edge { AU_WEST, AU_EAST, AU_NORTH, AU_SOUTH, AU_EDGES };
enum au_result { AU_AE, AU_AR, AU_EX, AU_DR, AU_DE, AU_NO_DIE, AU_RESULTS };
enum { AU_ROWS = 10, AU_SITUATIONS = 3, AU_DEGREES = 4 };

/* What lies in a hex and on its six sides (enum hex_side); pond, bridge: AU_NONE or their number;
 * next: the hex across (HEX_NONE), which a test compares with common/geometry. */
struct au_hex {
    uint8_t terrain, flags, pond, roads; /* roads: bit per side */
    uint8_t side[HEX_SIDES], bridge[HEX_SIDES];
    uint16_t next[HEX_SIDES];
};
struct au_bridge {
    const char *id;
    uint16_t a, b;
};
/* In the order of the order-of-battle file: the French, then the Allies. */
struct au_unit_fact {
    const char *id, *name;
    uint16_t start;
    uint8_t side, type, combat, guard;
};
/* tables.json; AU_NEVER for X. */
struct au_tables {
    uint8_t movement[AU_TYPES];
    uint8_t hex_cost[AU_TERRAINS][AU_TYPES], climb[AU_TYPES], side_cost[AU_HEXSIDES][AU_TYPES],
        bridged_cost[AU_TYPES], road_cost, exit_cost;
    uint8_t control_cost[AU_SITUATIONS][AU_SIDES][2]; /* enter, leave */
    int8_t hex_die[AU_TERRAINS], height_die, side_die[AU_HEXSIDES];
    uint8_t fortified[AU_TYPES];
    uint8_t crt[AU_ROWS][6];
    uint8_t range, range_height, range_min;
    uint8_t turns;
    struct {
        const char *hours;
        uint8_t fog, night;
    } turn[16];
    uint8_t blind_penalty[2]; /* the other for a demoralised army */
    uint8_t threshold[AU_SIDES];
    uint8_t points_french[3][2], points_allied[3][2]; /* losses, points; descending */
    uint8_t vienna_point;
    const char *degree[AU_DEGREES];
};
/* Made of board and tables as printed: all bridges there, no ice broken. What a step costs (4.3;
 * AU_NEVER off the map, too); sides across which broken ice or a lost bridge changes it, and sides
 * across which a unit has control (5.2), bit per side; the printed numbers. */
extern const uint8_t au_step_costs[AU_TYPES][AU_HEXES][HEX_SIDES];
extern const uint8_t au_step_varies[AU_HEXES];
extern const uint8_t au_control_sides[AU_HEXES];
extern const char au_hex_ids[AU_HEXES][HEX_TEXT];
/* A counter as members of JSON, with the brace before: what everybody sees of it, and all, up to
 * the value of its potential. */
struct au_face {
    struct {
        const char *text;
        uint8_t len;
    } shown, known;
};
extern const struct au_face au_faces[AU_UNITS];
extern const struct hex_grid au_grid;
extern const struct au_hex au_hexes[AU_HEXES];
extern const unsigned au_pond_count, au_bridge_count;
extern const uint16_t au_ponds[64];
extern const struct au_bridge au_bridges[32];
extern const struct au_unit_fact au_unit_facts[AU_UNITS];
extern const uint8_t au_unit_by_id_order[AU_UNITS];
extern const struct au_tables au_tables;
extern const char *const au_side_ids[AU_SIDES];
extern const char *const au_type_ids[AU_TYPES];
extern const char *const au_terrain_ids[AU_TERRAINS];
extern const char *const au_row_ids[AU_ROWS];
extern const char *const au_situation_ids[AU_SITUATIONS];

/* ---- the state: flat, no padding ---- */

enum au_step {
    AU_MOVE,
    AU_DECLARE,
    AU_RESOLVE,
    AU_EXCHANGE,
    AU_RETREAT,
    AU_BATTERY,
    AU_ADVANCE,
    AU_OVER,
    AU_STEPS
};
enum au_place { AU_ON_MAP, AU_ELIMINATED, AU_WITHDRAWN, AU_VIENNA, AU_ASIDE, AU_PLACES };
enum au_status { AU_PENDING, AU_DONE, AU_VOID, AU_STATUSES };
enum { AU_PLAN_MAX = AU_UNITS, AU_VACATED_MAX = 32 };

struct au_unit {
    uint16_t hex; /* HEX_NONE unless on the map */
    uint8_t place, potential;
    uint8_t moved;  /* only in AU_MOVE, of the moving side */
    uint8_t bridge; /* the one it destroyed this turn, or AU_NONE */
    uint8_t spare[2];
};
/* A declared combat: sets of units, bit per unit; or an ice shot: bombard holds the battery. */
struct au_entry {
    uint64_t contact, bombard, defenders;
    uint16_t ice_hex; /* HEX_NONE: a combat */
    uint8_t status, spare[5];
};
/* The combat in hand (EXCHANGE to ADVANCE); index 0: none. */
struct au_hand {
    uint64_t contact, bombard, defenders, to_retreat, to_choose;
    uint16_t vacated[AU_VACATED_MAX]; /* ascending */
    uint8_t vacated_count, index, result, spare[5];
};
struct state {
    struct au_unit unit[AU_UNITS];
    struct au_entry plan[AU_PLAN_MAX];
    struct au_hand hand;
    uint64_t broken;    /* bit per pond hex */
    uint32_t destroyed; /* bit per bridge */
    uint32_t rules;
    uint8_t semi_blind, situation, guard_1805, dealt; /* options */
    uint8_t turn, step, side; /* side: whose movement or combat phase it is */
    uint8_t plan_count;
    uint8_t demoralised, resigned; /* enum au_side, AU_NOBODY */
    uint8_t agreed;                /* the seats ended it: nobody has won */
    uint8_t spare[5];
};

/* ---- small questions (state.c) ---- */

static inline uint64_t au_bit(unsigned unit)
{
    return UINT64_C(1) << unit;
}
static inline unsigned au_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}
static inline unsigned au_count(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}
static inline unsigned au_side(unsigned unit)
{
    return au_unit_facts[unit].side;
}
static inline unsigned au_type(unsigned unit)
{
    return au_unit_facts[unit].type;
}
static inline unsigned au_next(unsigned hex, unsigned side)
{
    return au_hexes[hex].next[side];
}
/* HEX_SIDES: not adjacent. */
static inline unsigned au_side_to(unsigned a, unsigned b)
{
    unsigned side = 0;
    while (side < HEX_SIDES && au_hexes[a].next[side] != b) {
        side++;
    }
    return side;
}
static inline unsigned au_other(unsigned side)
{
    return side == AU_FRENCH ? AU_ALLIED : AU_FRENCH;
}
static inline bool au_on_map(const struct state *s, unsigned unit)
{
    return s->unit[unit].place == AU_ON_MAP;
}
/* Bits of all units of a side. */
static inline uint64_t au_side_set(unsigned side)
{
    uint64_t french = (UINT64_C(1) << AU_FRENCH_UNITS) - 1;
    return side == AU_FRENCH ? french : ((UINT64_C(1) << AU_UNITS) - 1) & ~french;
}
/* Units of a side on the map. */
uint64_t au_army(const struct state *s, unsigned side);
/* Index of the unit, bridge with that id, AU_NONE if there is none. */
unsigned au_find_unit(const char *id);
unsigned au_find_bridge(const char *id);
/* The side that acts now: the victor in RETREAT and ADVANCE, nobody in OVER, else s->side. */
unsigned au_actor(const struct state *s);
/* The victor of a result for an attacker: AU_NOBODY after EX. */
unsigned au_victor(unsigned attacker, unsigned result);
/* 12.1: losses, and what is withdrawn, as printed (or dealt) potentials. */
unsigned au_sum_of(const struct state *s, unsigned side, unsigned place);
static inline bool au_is_blind(const struct state *s)
{
    return au_tables.turn[s->turn - 1].fog != 0 || au_tables.turn[s->turn - 1].night != 0;
} /* 11.1 */
static inline bool au_is_broken(const struct state *s, unsigned hex)
{
    return au_hexes[hex].pond != AU_NONE && (s->broken >> au_hexes[hex].pond & 1U) != 0;
}
static inline bool au_is_ice(const struct state *s, unsigned hex)
{
    return au_hexes[hex].pond != AU_NONE && (au_hexes[hex].flags & AU_CAUSEWAY) == 0 &&
           !au_is_broken(s, hex);
} /* 10.2: may be broken */
/* 15: may the viewer know the units of that side by id? */
bool au_knows(const struct state *s, unsigned viewer, unsigned side);
/* The start: every unit on its start hex with its printed potential (3.3); options, rules kept. */
void au_reset_state(struct state *s);
/* Takes a unit off the map. */
void au_remove(struct state *s, unsigned unit, unsigned place);
/* The units of a set in ascending order of their hexes (those off the map last): their number. */
unsigned au_list_by_hex(const struct state *s, uint64_t set, uint8_t out[AU_UNITS]);
void au_unit_list_by_id(uint64_t set, uint8_t out[AU_UNITS]);

/* Who stands where, and what each side controls: worked out anew after every change. */
enum { AU_STANDS = AU_SIDES };
struct au_now {
    uint8_t at[AU_HEXES]; /* unit or AU_NONE */
    /* Bit per side that controls the hex (5.1, 5.2); from bit AU_STANDS on: that stands there. */
    uint8_t control[AU_HEXES];
};
void au_see(const struct state *s, struct au_now *now);

/* ---- terrain and movement (terrain.c, move.c) ---- */

/* 4.3: what the step from a to the adjacent hex across side costs, before control; AU_NEVER. */
unsigned au_step_cost(const struct state *s, unsigned type, unsigned a, unsigned side);
/* The same from the printed tables; au_step_cost looks most steps up. */
unsigned au_price_step(const struct state *s, unsigned type, unsigned a, unsigned side);
/* 5.1, 5.2: whether a unit standing at hex a controls the hex across side. */
bool au_controls(const struct state *s, unsigned unit, unsigned a, unsigned side);
/* 5.2: each controls the other's hex. */
bool au_mutual(const struct state *s, unsigned a, unsigned b);
/* 8.2: artillery that can neither fight nor control where it stands. */
bool au_is_helpless(const struct state *s, unsigned unit);
bool au_may_attack(const struct state *s, unsigned unit); /* 8.2, 10.4 */
/* 4.2: movement points of a unit. in_phase: marks of its own movement phase count. */
unsigned au_points(const struct state *s, unsigned unit, bool in_phase);

enum { AU_WAY_MAX = 64 };
/* A move asked for: the hexes entered, and the edge it leaves by (AU_EDGES: none). */
struct au_way {
    uint16_t hex[AU_WAY_MAX];
    uint8_t len, edge;
};
struct au_costs {
    unsigned total;
    uint8_t step[AU_WAY_MAX + 1], count;
};
/* 4, 5, 9, 10: NULL if the unit may go that way, else the first rule broken. own_phase: it is its
 * side's MOVE (marks count); else as if it were. */
const char *au_forbid_move(const struct state *s, const struct au_now *now, unsigned unit,
                           const struct au_way *way, bool own_phase, struct au_costs *out_costs);
const char *au_forbid_destroy(const struct state *s, const struct au_now *now, unsigned unit,
                              unsigned bridge);
/* 9.3, 9.5: the box of a unit that leaves by that edge of that hex; AU_ON_MAP: no such edge. */
unsigned au_exit_box(unsigned unit, unsigned hex, unsigned edge);
static inline bool au_hex_is_at(unsigned hex, unsigned edge)
{
    return (au_hexes[hex].flags >> (AU_EDGE_SHIFT + edge) & 1U) != 0;
}
/* What leaving from a hex costs (9.4). */
unsigned au_exit_cost(const struct state *s, const struct au_now *now, unsigned unit, unsigned hex);
/* Movement points that any unit has, and hexes within as many steps. */
enum { AU_POINTS_MAX = 12, AU_REACH_MAX = 1 + 3 * AU_POINTS_MAX * (AU_POINTS_MAX + 1) };
/* All hexes a unit can reach: least cost (AU_NEVER: not), the hex before; its own hex costs 0. */
struct au_reach {
    uint8_t cost[AU_HEXES];
    uint16_t from[AU_HEXES];
    uint8_t across[AU_HEXES];     /* the side of the hex before that is crossed */
    uint16_t order[AU_REACH_MAX]; /* in ascending cost */
    unsigned count;
    /* What the search itself needs. met: each hex when it was first come upon, place: of a hex in
     * met; due: for every cost, bit per hex of met that was found at it (a cheaper way may have
     * been found since). */
    unsigned met_count;
    uint16_t met[AU_REACH_MAX], place[AU_HEXES];
    uint64_t due[AU_POINTS_MAX + 1][(AU_REACH_MAX + 63) / 64];
};
void au_find_reach(const struct state *s, const struct au_now *now, unsigned unit, bool own_phase,
                   struct au_reach *out);
/* 13.3, R22: units of that side that are encircled. */
uint64_t au_encircled(const struct state *s, const struct au_now *now, unsigned side);

/* ---- combat (plan.c, combat.c, after.c) ---- */

/* 8.3, 8.5: a shot from a unit's hex at another, of at least min hexes: the rule against it.
 * out_paths, out_free (of 8), where only 8.5 is in question: their number in out_count, 0 else. */
struct au_shot {
    struct hex_path path[8];
    uint8_t free, count; /* free: bit per path */
    uint8_t distance;
};
const char *au_forbid_shot(const struct state *s, unsigned unit, unsigned hex, unsigned min,
                           struct au_shot *out);
const char *au_forbid_ice_hex(const struct state *s, const struct au_now *now, unsigned side,
                              unsigned hex);
/* 6.2 to 6.3, 8: an entry of a plan for the attacker; NULL, or the first rule against it. */
const char *au_forbid_entry(const struct state *s, const struct au_now *now, unsigned attacker,
                            const struct au_entry *entry);
/* A whole plan. */
const char *au_forbid_plan(const struct state *s, const struct au_now *now, unsigned attacker,
                           const struct au_entry *plan, unsigned count);
/* 6.2: enemies that unit is in mutual control with. */
uint64_t au_pairs(const struct state *s, const struct au_now *now, unsigned unit);
/* R31: whether anything could be declared. */
bool au_can_declare(const struct state *s, const struct au_now *now, unsigned attacker);
/* A plan that meets the obligation and no more (R7): its number of entries. */
unsigned au_least_plan(const struct state *s, const struct au_now *now, unsigned attacker,
                       struct au_entry out[AU_PLAN_MAX]);
/* 6.5, 6.6: the row before and after the shift. */
unsigned au_odds_row(unsigned attack, unsigned defence);
unsigned au_shift_row(const struct state *s, unsigned attacker, unsigned row);
/* 6.4, 6.7 of the units that take part. */
unsigned au_attack_total(const struct state *s, uint64_t contact, uint64_t bombard);
unsigned au_defence_total(const struct state *s, uint64_t defenders);
int au_modifier(const struct state *s, uint64_t contact, uint64_t bombard, uint64_t defenders);
/* 6.7 term by term, of the defender that counts (R17): what his hex, his height and the hexside
 * add, together sum. fortified: a village's works, which double in its place; side: what all have
 * to cross (enum au_hexside); cancelled: artillery takes it away (8.7). */
struct au_die {
    unsigned hex, side;
    int ground, height, across, sum;
    bool fortified, cancelled;
};
struct au_die au_die_of(const struct state *s, uint64_t contact, uint64_t bombard,
                        uint64_t defenders);
/* 8.2: defenders lost without a die. */
uint64_t au_helpless_of(const struct state *s, uint64_t set);
/* 10.2: a bombardment of a unit on the ice; the hex, or HEX_NONE. */
unsigned au_ice_of(const struct state *s, uint64_t bombard, uint64_t defenders);
/* 6.9: drops from the entry; the units dropped. True: the combat or the shot still stands. */
bool au_revalidate(const struct state *s, const struct au_now *now, unsigned attacker,
                   struct au_entry *entry, uint64_t *out_dropped);

/* 7.2: free hexes for a unit that must go, a bit per side. */
unsigned au_free_sides(const struct state *s, const struct au_now *now, unsigned unit);
/* 7.3: sides where a friend stands that could be displaced first, in a chain without the units of
 * seen. */
unsigned au_chain_sides(const struct state *s, const struct au_now *now, unsigned unit,
                        uint64_t seen);
/* Ways of a unit, chains told apart; counts no further than max. */
unsigned au_count_ways(const struct state *s, const struct au_now *now, unsigned unit,
                       unsigned max);
enum { AU_CHAIN_MAX = AU_UNITS };
/* A way: hex[0] is where the unit goes, hex[1] where the friend there goes, and so on. */
struct au_chain {
    uint16_t hex[AU_CHAIN_MAX];
    uint8_t len;
};
/* The first way in ascending order of hexes; false: none. */
bool au_first_way(const struct state *s, const struct au_now *now, unsigned unit,
                  struct au_chain *out);
/* Up to max ways, in ascending order of their hexes: the number written. */
unsigned au_list_ways(const struct state *s, const struct au_now *now, unsigned unit,
                      struct au_chain *out, unsigned max);
/* NULL, or the rule against it (7.2, 7.3, 7.4). len 0: no `to`. */
const char *au_forbid_retreat(const struct state *s, const struct au_now *now, unsigned unit,
                              const struct au_chain *chain);
enum { AU_SETS_MAX = 64 };
/* 7.6: the sets of losses the attacker may choose among, ordered by their hexes: their number. */
unsigned au_exchange_sets(const struct state *s, uint64_t out[AU_SETS_MAX]);
/* 7.7: hexes that a unit of the victor may enter now, into out; their number. */
unsigned au_advances_of(const struct state *s, const struct au_now *now, unsigned unit,
                        uint16_t out[HEX_SIDES]);
bool au_can_advance(const struct state *s, const struct au_now *now);

/* ---- the end (score.c) ---- */

struct au_score {
    unsigned losses[AU_SIDES], points[AU_SIDES];
    uint64_t encircled;
    uint8_t winner, degree; /* enum au_side or AU_NOBODY; index of au_tables.degree */
};
void au_score(const struct state *s, struct au_score *out);

/* ---- the functions of struct game, by file ---- */

extern const char au_about[];
enum err au_options(const struct cJSON *options, struct buf *out_json, struct why *why);
/* Sets those options of the state that are members of the object; whether they go together. */
enum err au_read_choices(const struct cJSON *options, struct state *out_state, struct why *why);
enum err au_check_choices(const struct state *s, struct why *why);
/* Members: all, or those that are not the default. */
void au_write_options(const struct state *s, bool all, struct buf *out);
/* Fills in the members of the state that are options. */
enum err au_read_options(const struct cJSON *options, struct state *out_state, struct why *why);
unsigned au_seats(const struct cJSON *options, const char *out_codes[SEATS_MAX]);
enum err au_create(const struct cJSON *options, uint32_t rules, struct dice *dice,
                   struct state *out_state, struct events *events, struct why *why);
enum err au_apply(struct state *s, unsigned seat, const struct cJSON *action, struct dice *dice,
                  struct events *events, struct why *why);
enum err au_leave(struct state *s, unsigned seat, enum leave how, struct dice *dice,
                  struct events *events);
void au_stop(struct state *s, struct events *events);
uint32_t au_to_act(const struct state *s);
const char *au_phase(const struct state *s);
uint32_t au_interrupts(const struct state *s);
void au_shown(const struct state *s, unsigned viewer, uint32_t *out_to_act,
              uint32_t *out_waits_for);
void au_view(const struct state *s, unsigned viewer, struct buf *out_members);
void au_actions(const struct state *s, unsigned seat, struct buf *out_json);
enum err au_ask(const struct state *s, unsigned viewer, const struct cJSON *question,
                struct buf *out_json, struct why *why);
enum err au_obey(const struct state *s, unsigned seat, const struct cJSON *orders,
                 struct buf *out_action);
void au_twin(const struct state *s, unsigned viewer, struct dice *dice, struct state *out_twin,
             struct buf *out_names);
void au_result(const struct state *s, struct buf *out_json);
void au_position_write(const struct state *s, struct buf *out_json);
void au_position_full(const struct state *s, struct buf *out_json);
enum err au_position_read(const struct cJSON *options, const struct cJSON *in,
                          struct state *out_state, struct why *why);
const char *au_check(const struct state *s);
extern const char *const au_step_ids[AU_STEPS];
extern const char *const au_place_ids[AU_PLACES];
extern const char *const au_status_ids[AU_STATUSES];
extern const char *const au_result_ids[AU_RESULTS];
extern const char *const au_edge_ids[AU_EDGES];
extern const char *const au_seat_ids[AU_SIDES];

#endif
