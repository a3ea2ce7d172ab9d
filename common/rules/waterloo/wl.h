/* common/rules/waterloo/wl.h: the state of a Waterloo match and what the files of this folder
 * share. */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_WL_H
#define VEDETTE_COMMON_RULES_WATERLOO_WL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "common/geometry/pmap.h"
#include "common/rules/game.h"

/* ---- fixed facts ---- */

enum { WL_UNITS = 48, WL_NONE = 255, WL_LANES = 3, WL_PATH_MAX = 3, WL_SLOTS_MAX = 24 };
enum wl_nation { WL_FR, WL_AD, WL_PR, WL_NATIONS };
enum wl_side { WL_SIDE_FR, WL_SIDE_AL, WL_SIDES };
/* Why the game is over; agreed: nobody has won. */
enum wl_why { WL_WHY_SURRENDER, WL_WHY_TIME, WL_WHY_DEPARTED, WL_WHY_AGREED, WL_WHYS };
enum wl_type { WL_INFANTRY, WL_CAVALRY, WL_FOOT_ARTILLERY, WL_HORSE_ARTILLERY, WL_TYPES };
/* Index of a unit: FR-A..FR-R 0..17, AD-A..AD-N 18..31, PR-A..PR-P 32..47. Note that ascending *id*
 * order is AD, FR, PR: wl_unit_by_id_order[] walks units so. */
struct wl_unit_fact {
    const char *id; /* "FR-A" */
    uint8_t nation, type, cv;
};
extern const struct wl_unit_fact wl_unit_facts[WL_UNITS];
extern const uint8_t wl_unit_by_id_order[WL_UNITS];
extern const char *const wl_nation_ids[WL_NATIONS]; /* "FR", "AD", "PR" */
extern const char *const wl_side_ids[WL_SIDES];     /* "FR", "AL" */
extern const char *const wl_type_ids[WL_TYPES];     /* "infantry", ... */

enum wl_zone { WL_ZONE_FRANCE, WL_ZONE_ANGLO, WL_ZONE_PRUSSIAN };
enum { WL_ROAD_MAJOR = 0, WL_ROAD_MINOR = 1, WL_ROAD_RIVER = 1 }; /* pmap_road.cls; .flags */
enum wl_base { WL_BASE_REAL, WL_BASE_FIXTURE, WL_BASES };
struct wl_slot {
    uint8_t side, night;
    const char *date, *part; /* "1815-06-15", "morning"; empty in the fixture */
};
struct wl_board {
    struct pmap map;
    uint8_t zone[PMAP_TOWNS_MAX];
    uint8_t supply[PMAP_TOWNS_MAX]; /* bit per nation: this base costs it one unit (W15.1) */
    uint8_t slots;
    struct wl_slot slot[WL_SLOTS_MAX]; /* slot n is [n - 1] */
    uint8_t others[WL_NATIONS];        /* default town of units named nowhere (position 3) */
};
/* Made at build time from schema/games/waterloo (W1.2). */
extern const struct wl_board wl_boards[WL_BASES];

/* ---- the state: flat, no padding ---- */

enum wl_step {
    WL_SETUP_ALLIED,
    WL_SETUP_FRENCH,
    WL_MOVE,
    WL_RESPOND,
    WL_PURSUIT_LOSS,
    WL_DEPLOY_DEF,
    WL_DEPLOY_ATT,
    WL_COMBAT,
    WL_SUPPLY,
    WL_GAME_OVER,
    WL_STEPS
};
enum wl_gone {
    WL_ON_MAP,
    WL_GONE_BEFORE,
    WL_GONE_MARCH,
    WL_GONE_PURSUIT,
    WL_GONE_STRANDED,
    WL_GONE_FIRE,
    WL_GONE_RETREAT,
    WL_GONE_ROUT,
    WL_GONE_SUPPLY,
    WL_GONE_SURRENDER,
    WL_GONES
};
enum wl_place { WL_NOWHERE, WL_UNDEPLOYED, WL_COL, WL_ADV, WL_RES, WL_ROUTED };
enum wl_battle_side { WL_ATT, WL_DEF, WL_NOBODY };
enum wl_fight_phase { WL_PEACE, WL_ATTACKED, WL_BATTLE, WL_BATTLE_OVER };

/* A march draft (MOVE) or a route still to be walked (RESPOND). len 0: none. */
struct wl_route {
    uint8_t len, forced;
    uint8_t town[WL_PATH_MAX], road[WL_PATH_MAX];
    uint16_t order; /* its rank, from 0: among all drafts, or in the answer's list */
};
/* What the enemy is to be told of a unit when the response step ends (W20.3). Zero outside it. */
struct wl_told {
    uint8_t len, forced, town[WL_PATH_MAX]; /* a retreat as it was declared */
    uint8_t die;                            /* its forced-march die; 0: none rolled */
    uint8_t stage_a, stage_b[2];            /* pursuit dice rolled by the unit; 0: none */
    uint8_t died_in;                        /* pursuit stage that eliminated it: 1 A, 2 B */
};
struct wl_unit {
    struct wl_route route;
    struct wl_told told;
    uint16_t advanced_ct; /* with WL_ADV: its owner's CT */
    uint16_t won_ct;      /* W11.5: CT in which its battle was won; 0: none */
    uint8_t won_side;     /* enum wl_battle_side of that CT */
    uint8_t town;         /* WL_NONE: gone, or not placed yet */
    uint8_t cv;           /* 0: gone */
    uint8_t gone;         /* enum wl_gone */
    uint8_t marked_until; /* last slot of the retreat mark; 0: none (W12.11) */
    uint8_t place, lane;  /* enum wl_place; lane 1..3 with WL_COL and WL_ADV, else 0 */
    uint8_t square, fired, moves;
    uint8_t marched;  /* marched this turn */
    uint8_t stranded; /* named stranded in an answer */
    uint8_t revealed; /* with WL_ROUTED: it was in a column or advanced */
    uint8_t spare;
};
struct wl_answer {
    uint8_t seat, choice, automatic,
        walked; /* choice: 0 fight, 1 retreat; walked: its units have gone */
};
struct wl_lane {
    uint16_t engaged_ct;
    uint8_t engaged_by; /* enum wl_battle_side */
    uint8_t spare;
};
/* What goes on in a town this turn. */
struct wl_fight {
    uint64_t enemy_towns;     /* rout: towns closed to the routed side (W13.6) */
    uint32_t attack_roads[4]; /* bit set of roads */
    struct wl_lane lane[WL_LANES];
    struct wl_answer answer[2]; /* in the order given */
    uint8_t phase;              /* enum wl_fight_phase */
    uint8_t answers;
    uint8_t fired_last_round, fired_this_round, attacker_acted, idle_rounds, test_due;
    uint8_t rout_side;  /* enum wl_battle_side; WL_NOBODY: no routes due */
    uint8_t no_pursuit; /* bit per seat: stated "none" (W4.15) */
    uint8_t spare[3];
};
/* zeroed memory is not a valid state: enum values of "nobody" are not 0 (see wl_reset_fight). */
struct state {
    uint64_t groups_used[WL_NATIONS]; /* bit set of towns: marches carried out this turn (W4.2) */
    /* What the enemy still sees of the defender while he answers (W20.5): the town of each of his
     * units, and which were marked, when the response step began. All 0 outside that step. */
    uint64_t seen_marked;
    uint8_t seen_town[WL_UNITS];
    struct wl_unit unit[WL_UNITS];
    struct wl_fight fight[PMAP_TOWNS_MAX];
    uint8_t ledger_move[PMAP_ROADS_MAX];
    uint8_t ledger_retreat[WL_SIDES][PMAP_ROADS_MAX];
    uint32_t rules;
    uint16_t ct_n;
    uint16_t spare_word;
    uint8_t ct_side;    /* enum wl_battle_side */
    uint8_t round_over; /* W7.7: this round is counted, only rout routes are due */
    uint8_t base;       /* enum wl_base */
    uint8_t players, morale, command_control, turns; /* options; turns: slots in this match */
    uint8_t step;                                    /* enum wl_step */
    uint8_t slot;                                    /* 0 in the set-up */
    uint8_t confirmed, ended;                        /* bit per seat */
    uint8_t departed;                                /* bit per seat */
    uint8_t pl_town, pl_stage, pl_asked, pl_hits[SEATS_MAX]; /* PURSUIT_LOSS: town, 0 A / 1 B, bit
                                                                per seat still to allot, its hits */
    uint8_t debt[WL_NATIONS];
    uint8_t surrendered;   /* bit per nation */
    uint8_t result_winner; /* enum wl_side, WL_NONE: none */
    uint8_t result_why;    /* enum wl_why */
    uint8_t spare[8];
};

/* ---- shared helpers (state.c) ---- */

static inline unsigned wl_nation(unsigned unit)
{
    return wl_unit_facts[unit].nation;
}
static inline unsigned wl_type(unsigned unit)
{
    return wl_unit_facts[unit].type;
}
static inline unsigned wl_side(unsigned unit)
{
    return wl_nation(unit) == WL_FR ? WL_SIDE_FR : WL_SIDE_AL;
}
static inline bool wl_is_mounted(unsigned unit)
{
    return wl_type(unit) == WL_CAVALRY || wl_type(unit) == WL_HORSE_ARTILLERY;
} /* W1.8 */
static inline bool wl_is_artillery(unsigned unit)
{
    return wl_type(unit) >= WL_FOOT_ARTILLERY;
}
static inline bool wl_on_map(const struct state *s, unsigned unit)
{
    return s->unit[unit].cv > 0 && s->unit[unit].town != WL_NONE;
}
static inline const struct wl_board *wl_board(const struct state *s)
{
    return &wl_boards[s->base];
}

/* Index of the unit with that id, WL_NONE if there is none. */
unsigned wl_find_unit(const char *id);
/* Seats: 0 FR; then AL, or AD and PR. Code of a seat as it is named now ("AL" after an ally left,
 * W18.9). */
unsigned wl_seats(const struct state *s);
const char *wl_seat_id(const struct state *s, unsigned seat);
/* The seat that commands that nation now (W18.1, W18.9). */
unsigned wl_seat_of_nation(const struct state *s, unsigned nation);
unsigned wl_side_of_seat(unsigned seat);
/* Bit sets of seats of that side that have not left. */
uint32_t wl_seats_of_side(const struct state *s, unsigned side);
/* Viewers that see a side's secrets: its seats (both allies, W18.3) and VIEWER_ALL; and all the
 * others. */
uint32_t wl_own_viewers(const struct state *s, unsigned side);
uint32_t wl_enemy_viewers(const struct state *s, unsigned side);
uint32_t wl_all_viewers(const struct state *s);
/* The phasing side of the slot, and the other (W3.1). Attacker and defender by side. */
unsigned wl_phasing(const struct state *s);
static inline unsigned wl_other(unsigned side)
{
    return side == WL_SIDE_FR ? WL_SIDE_AL : WL_SIDE_FR;
}
bool wl_is_night(const struct state *s);
/* WL_ATT or WL_DEF of a unit in a battle of this turn. */
unsigned wl_battle_side_of(const struct state *s, unsigned unit);
/* Units of a side (or a nation) on the map in a town. */
unsigned wl_count_side(const struct state *s, unsigned town, unsigned side);
unsigned wl_count_nation(const struct state *s, unsigned town, unsigned nation);
/* Units of the nation left on the map anywhere. */
unsigned wl_left(const struct state *s, unsigned nation);
/* Bit set of towns that hold at least one unit of that side. */
uint64_t wl_towns_of_side(const struct state *s, unsigned side);
/* W4.6, W4.7: units that a road takes. */
unsigned wl_road_capacity(const struct wl_board *board, unsigned road);
/* A fight in its empty form. An empty state of those options: no unit placed, set-up, slot 0. */
void wl_reset_fight(struct wl_fight *fight);
void wl_reset_state(struct state *s);
static inline bool wl_road_in(const uint32_t set[4], unsigned road)
{
    return (set[road / 32] >> (road % 32) & 1U) != 0;
}
static inline void wl_road_add(uint32_t set[4], unsigned road)
{
    set[road / 32] |= UINT32_C(1) << (road % 32);
}

/* ---- the functions of struct game, by file ---- */

/* options.c */
enum err wl_options(const struct cJSON *options, struct buf *out_json, struct why *why);
enum err wl_read_options(
    const struct cJSON *options, struct state *out_state,
    struct why *why); /* members players, morale, command_control, turns; missing ones default */
unsigned wl_game_seats(const struct cJSON *options, const char *out_codes[SEATS_MAX]);
extern const char wl_about[];
/* flow.c and the rules files */
enum err wl_create(const struct cJSON *options, uint32_t rules, struct dice *dice,
                   struct state *out_state, struct events *events, struct why *why);
enum err wl_apply(struct state *s, unsigned seat, const struct cJSON *action, struct dice *dice,
                  struct events *events, struct why *why);
enum err wl_leave(struct state *s, unsigned seat, enum leave how, struct dice *dice,
                  struct events *events);
void wl_stop(struct state *s, struct events *events);
uint32_t wl_to_act(const struct state *s);
uint32_t wl_waits_for(const struct state *s);
/* view.c, actions.c, ask.c, obey.c, twin.c */
void wl_shown(const struct state *s, unsigned viewer, uint32_t *out_to_act,
              uint32_t *out_waits_for);
void wl_view(const struct state *s, unsigned viewer, struct buf *out_members);
void wl_actions(const struct state *s, unsigned seat, struct buf *out_json);
enum err wl_ask(const struct state *s, unsigned viewer, const struct cJSON *question,
                struct buf *out_json, struct why *why);
enum err wl_obey(const struct state *s, unsigned seat, const struct cJSON *orders,
                 struct buf *out_action);
void wl_twin(const struct state *s, unsigned viewer, struct dice *dice, struct state *out_twin,
             struct buf *out_names);
void wl_result(const struct state *s, struct buf *out_json);
/* orders.c */
enum err wl_orders(const struct state *s, unsigned seat, const struct cJSON *orders,
                   struct why *why);
/* phase.c */
const char *wl_phase(const struct state *s);
uint32_t wl_interrupts(const struct state *s);
uint64_t wl_asked(const struct state *s, unsigned seat);
bool wl_may_talk(const struct state *s, unsigned seat_a, unsigned seat_b);
bool wl_next_talk(const struct state *s, unsigned seat_a, unsigned seat_b, struct buf *out_json);
uint32_t wl_allies(unsigned seats, unsigned seat);
uint32_t wl_turn(const struct state *s);
/* plan.c */
bool wl_plan(struct state *s, unsigned seat);
/* position.c, check.c */
void wl_position_write(const struct state *s, struct buf *out_json);
enum err wl_position_read(const struct cJSON *options, const struct cJSON *in,
                          struct state *out_state, struct why *why);
const char *wl_check(const struct state *s);
/* Ids of the position page: "MOVE"; "fire" (a cause of being gone; "" for on the map). */
const char *wl_step_id(unsigned step);
const char *wl_gone_id(unsigned gone);

#endif
