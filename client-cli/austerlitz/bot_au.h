/* client-cli/austerlitz/bot_au.h: what the parts of the Austerlitz bot share: the position as its
 * seat sees it, the arithmetic of moves and combats, what a combat and a place are worth.
 * Potentials of enemies that the seat does not know are estimates. Worth is counted in points of
 * combat potential; rule numbers are those of schema/games/austerlitz/rules.md. */
#ifndef VEDETTE_CLIENT_CLI_AUSTERLITZ_BOT_AU_H
#define VEDETTE_CLIENT_CLI_AUSTERLITZ_BOT_AU_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "client-cli/austerlitz/bot_au_data.h"

struct buf;
struct bot_mind;

/* A counter on the map. */
struct bau_unit {
    uint16_t hex;
    uint8_t side, type;
    uint8_t potential; /* known or estimated */
    uint8_t fact;      /* index of bau_unit_facts, BAU_NONE: not known which */
    bool known, moved;
    bool marked;      /* it has destroyed a bridge in this turn (10.4) */
    char name[4 + 1]; /* as the seat names it in actions */
};
/* Numbers of units are below 64: sets are bits of a uint64_t. The units move about in it while the
 * bot thinks: at and held follow (bau_put, bau_lift). */
struct bau {
    struct bau_unit unit[BAU_UNITS];
    unsigned units;
    uint64_t army[BAU_SIDES];
    uint8_t at[BAU_HEXES];              /* who stands there, BAU_NONE */
    uint8_t held[BAU_SIDES][BAU_HEXES]; /* how many units of that side control it (5) */
    uint64_t broken;                    /* bit per pond hex */
    uint32_t destroyed;                 /* bit per bridge */
    unsigned me, turn, turns;
    unsigned attacker; /* whose movement or combat phase it is */
    bool blind;        /* fog or night */
    unsigned demoralised, situation;
    bool guard_1805, semi_blind, dealt;
    int lost[BAU_SIDES];                     /* P */
    int gone[BAU_SIDES];                     /* withdrawn */
    int vienna;                              /* units that left by the Vienna road */
    uint8_t to_vienna[BAU_TYPES][BAU_HEXES]; /* points of movement to the exits (bau_find_vienna) */
};
static inline uint64_t bau_bit(unsigned unit)
{
    return UINT64_C(1) << unit;
}
static inline unsigned bau_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}
static inline unsigned bau_count(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}
static inline unsigned bau_other(unsigned side)
{
    return 1 - side;
}
static inline unsigned bau_next(unsigned hex, unsigned side)
{
    return bau_hexes[hex].next[side];
}
static inline bool bau_is_broken(const struct bau *b, unsigned hex)
{
    unsigned pond = bau_hexes[hex].pond;
    return pond != BAU_NONE && (b->broken >> pond & 1U) != 0;
}
/* Ice that a shot would break (10.2). */
static inline bool bau_is_ice(const struct bau *b, unsigned hex)
{
    return bau_hexes[hex].pond != BAU_NONE && !bau_is_broken(b, hex) &&
           (bau_hexes[hex].flags & BAU_CAUSEWAY) == 0;
}

/* Reads a view of a seat; mind: what is remembered of hidden counters, NULL: nothing. False: it is
 * none of Austerlitz, or one of a watcher. */
bool bau_read(const cJSON *view, const struct bot_mind *mind, struct bau *out);
/* Gives hidden counters the faces that are remembered of them (bot_au_memory.c). */
void bau_remember(const struct bot_mind *mind, struct bau *b);

/* ---- the map (bot_au_map.c) ---- */

void bau_put(struct bau *b, unsigned unit, unsigned hex);
/* Takes the unit off its hex; its hex stays noted. */
void bau_lift(struct bau *b, unsigned unit);
void bau_move(struct bau *b, unsigned unit, unsigned hex);
/* A hex breaks, or freezes again: control changes with it. */
void bau_set_broken(struct bau *b, unsigned hex, bool broken);
/* 4.3; BAU_NEVER. */
unsigned bau_step_cost(const struct bau *b, unsigned type, unsigned hex, unsigned side);
/* 5.2: whether a unit of that type in hex controls what lies across the side. */
bool bau_controls(const struct bau *b, unsigned type, unsigned hex, unsigned side);
bool bau_is_helpless(unsigned type, unsigned hex); /* 8.2 */
/* Enemies that the unit is in mutual control with (5.2). */
uint64_t bau_pairs(const struct bau *b, unsigned unit);
/* Enemies beside the unit. */
uint64_t bau_beside(const struct bau *b, unsigned unit);
/* Whether a shot from one hex at another has a range and a trajectory (8.3, 8.5). */
bool bau_can_shoot(const struct bau *b, unsigned from, unsigned at, unsigned min);
/* 7.2, 7.3, a chain of one friend at most: whether the unit has somewhere to go. */
bool bau_has_way(const struct bau *b, unsigned unit);

/* Hexes where a unit could end in its movement phase (4, 5), those of friends included. */
struct bau_reach {
    uint8_t cost[BAU_HEXES];  /* BAU_NEVER: out of reach */
    uint16_t from[BAU_HEXES]; /* the hex before */
    uint16_t order[BAU_HEXES];
    unsigned count;
};
unsigned bau_points(const struct bau *b, unsigned unit);
void bau_find_reach(const struct bau *b, unsigned unit, struct bau_reach *out);
/* Points that leaving the map from that hex costs (9.4). */
unsigned bau_exit_cost(const struct bau *b, unsigned unit, unsigned hex);
/* Whether the Allied unit could leave by the Vienna road now, and from which hex (9.4, 9.5). */
bool bau_finds_exit(const struct bau *b, unsigned unit, unsigned *out_hex);
/* Points of movement from each hex to the nearest of the goals, over ground alone, with what each
 * goal costs from the start (below 24); 250: far. */
enum { BAU_EXITS_MAX = 8 };
struct bau_goal {
    uint16_t hex;
    uint8_t cost;
};
void bau_find_distance(const struct bau *b, unsigned type, const struct bau_goal *goals,
                       unsigned count, uint8_t out[BAU_HEXES]);
/* Fills in to_vienna, which what units are worth asks. */
void bau_find_vienna(struct bau *b);

/* ---- combat (bot_au_fight.c) ---- */

struct bau_entry {
    uint64_t contact, bombard, defenders;
    uint16_t ice; /* HEX_NONE: a combat */
};
/* Of six rolls how many bring each result. */
struct bau_odds {
    unsigned row;
    uint8_t count[BAU_RESULTS];
};
/* 6.4 to 6.8; helpless defenders (8.2) are left out. */
void bau_find_odds(const struct bau *b, const struct bau_entry *entry, struct bau_odds *out);
/* What the attacker may expect of the combat. */
float bau_worth(const struct bau *b, const struct bau_entry *entry);
enum { BAU_PLAN_MAX = BAU_UNITS };
struct bau_plan {
    struct bau_entry entry[BAU_PLAN_MAX];
    unsigned count, owed; /* owed: units that 6.2 wants in a combat and that are in none */
    float worth;
};
/* The best combats found for the attacker as the units stand. Units of only that must fight are in
 * them; where no way was found, owed tells. */
void bau_find_plan(const struct bau *b, unsigned attacker, struct bau_plan *out);

/* Turns until the Allied unit could be off the map by the Vienna road; 99: not in this battle. */
unsigned bau_turns_to_vienna(const struct bau *b, unsigned unit);
/* What losing or killing so much more of an army is worth to the other, thresholds included. */
float bau_toll(const struct bau *b, unsigned side, int potential);
/* What the unit itself is worth to its enemy: potential, and what it is about to do. */
float bau_prize(const struct bau *b, unsigned unit);

/* ---- places (bot_au_place.c) ---- */

/* What is the same for a whole phase: where enemies could come, what draws units where. */
struct bau_scene {
    uint64_t threat[BAU_HEXES]; /* enemies that could come there in their next turn */
    /* Points of movement: to the nearest enemy that we can match; the same, for the French sooner
     * to those on their way to Vienna; to the heights of Pratzen; to the Santon. */
    uint8_t front[BAU_TYPES][BAU_HEXES], hunt[BAU_TYPES][BAU_HEXES];
    uint8_t pratzen[BAU_TYPES][BAU_HEXES], santon[BAU_TYPES][BAU_HEXES];
    uint64_t centre,
        wing; /* own units that break, or hold, the Pratzen; that hold the left or right */
    uint64_t guards, shutters; /* own units that keep the exits; those that shut them */
    uint64_t column;           /* own units that make for Vienna */
    float alarm;               /* 0 to 1: how near the Allies are to Vienna */
};
void bau_find_scene(const struct bau *b, struct bau_scene *out);
/* What the unit may expect to lose where it stands, to the enemy's next turn. */
float bau_danger(const struct bau *b, const struct bau_scene *scene, unsigned unit);
/* What it costs the French that the exits stand open, and that Allied units could pass them in
 * their next turn. */
float bau_leak(const struct bau *b);
/* What it is worth that the unit stands there, enemies aside. */
float bau_place(const struct bau *b, const struct bau_scene *scene, unsigned unit, unsigned hex);

/* ---- the answers: each writes an action or returns false ---- */

bool bau_act_move(struct bau *b, unsigned attempt, struct bot_mind *mind, struct buf *out_action);
bool bau_act_declare(struct bau *b, const cJSON *view, struct buf *out_action);
bool bau_act_resolve(struct bau *b, const cJSON *view, struct buf *out_action);
bool bau_act_exchange(struct bau *b, const cJSON *view, struct buf *out_action);
bool bau_act_retreat(struct bau *b, const cJSON *view, struct buf *out_action);
bool bau_act_battery(struct bau *b, const cJSON *view, struct buf *out_action);
bool bau_act_advance(struct bau *b, const cJSON *view, struct buf *out_action);

#endif
