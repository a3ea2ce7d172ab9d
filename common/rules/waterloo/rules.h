/* common/rules/waterloo/rules.h: what a rule forbids. apply, the action forms and the reader of
 * positions ask the same questions here, so what is offered is what is accepted. All return NULL or
 * the number of a rule that forbids it ("W4.6"), draw no dice and change nothing. */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_RULES_H
#define VEDETTE_COMMON_RULES_WATERLOO_RULES_H

#include "common/rules/waterloo/wl.h"

/* ---- set-up (setup.c) ---- */

/* W2.2-W2.4: may this unit start in that town at all? The limits to a town are apart. */
const char *wl_forbid_place(const struct state *s, unsigned unit, unsigned town);
/* W2.3, W2.4: units of that nation that may start in one town (FR 12, AD 3, PR 4). */
unsigned wl_place_max(unsigned nation);
/* W2.3, W2.4: the draft as it stands keeps the limits. */
const char *wl_forbid_draft(const struct state *s);
/* W2.1: all units of the seat are placed. */
const char *wl_forbid_confirm(const struct state *s, unsigned seat);

/* ---- movement (march.c) ---- */

/* W4.4: towns that the unit goes without a forced march. */
unsigned wl_march_length(unsigned unit);
/* Fills in a route from its towns. False: two of them are not joined by a road (W4.4). */
bool wl_make_route(const struct state *s, unsigned from, const uint8_t *towns, unsigned len,
                   bool forced, struct wl_route *out_route);
/* W3.4, W4.1-W4.8, W4.12, W4.13: may this unit of the phasing side be drafted so, beside the drafts
 * there are? The route comes from wl_make_route. */
const char *wl_forbid_march(const struct state *s, unsigned unit, const struct wl_route *route);
/* Puts the unit's march behind the drafts there are, or takes it back. */
void wl_draft(struct state *s, unsigned unit, const struct wl_route *route);
void wl_undraft(struct state *s, unsigned unit);
/* W4.6: units that the drafts put on a road; W4.2: towns out of which the nation's drafts go. */
unsigned wl_drafted_on(const struct state *s, unsigned road);
uint64_t wl_drafted_from(const struct state *s, unsigned nation);
/* Towns that hold an enemy and that drafts enter: of one seat's units, or of all (seat WL_NONE). */
uint64_t wl_drafted_attacks(const struct state *s, unsigned seat);
/* W4.9, W17.7: the plan, for the towns that the seat's own units enter (W18.4). */
const char *wl_forbid_end_movement(const struct state *s, unsigned seat);

/* ---- retreats of all three kinds (retreat.c) ---- */

/* The ways out of a town for a side: what W12.5-W12.8 look at, with the roads used up so far. */
struct wl_ways {
    const struct wl_board *board;
    uint64_t closed; /* towns that may not be entered (W12.8, W13.6) */
    uint64_t out;    /* index set of links of `town` that may be the first road (W12.7) */
    uint8_t used[PMAP_ROADS_MAX]; /* the ledger (W12.6), then what wl_use_route adds */
    uint8_t town;
};
/* W14.3: bit set of the towns that units of the side hold; those that wait for their rout routes
 * hold none. */
uint64_t wl_held_towns(const struct state *s, unsigned side);
/* The ways out of an attacked town, a battle, or a lost one whose routes are due, as they are now.
 */
void wl_find_ways(const struct state *s, unsigned town, unsigned side, struct wl_ways *out_ways);
/* A first road is left: a legal unforced path exists, whatever the type of the unit (W5.4, W13.5,
 * W19.2). */
bool wl_has_way(const struct wl_ways *ways);
/* Units that can leave by the first roads left, all told. */
unsigned wl_way_room(const struct wl_ways *ways);
/* W12.5-W12.8: may the unit take this route (wl_make_route from ways->town)? */
const char *wl_forbid_route(const struct wl_ways *ways, unsigned unit,
                            const struct wl_route *route);
/* Counts a route as declared. */
void wl_use_route(struct wl_ways *ways, const struct wl_route *route);

/* ---- response (respond.c) ---- */

/* The seat's units in the town are attacked and its answer is still owed. */
bool wl_owes_answer(const struct state *s, unsigned town, unsigned seat);
/* W5.2, W18.5: may the seat, which owes an answer there, choose to fight? */
const char *wl_forbid_fight(const struct state *s, unsigned town, unsigned seat);
/* The seat's units that answer in that town, as a bit set. */
uint64_t wl_contingent(const struct state *s, unsigned town, unsigned seat);
/* W5.3: the seat has answered in every attacked town with units of its own. */
const char *wl_forbid_end_response(const struct state *s, unsigned seat);
/* W5.9: the unit may take a hit of the stage that is being allotted, from that seat. */
const char *wl_forbid_allot(const struct state *s, unsigned seat, unsigned unit, unsigned cv);

/* ---- deployment (deploy.c) ---- */

/* W6.3, W18.6: may the seat deploy its units of that battle now? */
const char *wl_forbid_deploy(const struct state *s, unsigned town, unsigned seat);
/* W6.2, W18.6: are these numbers of the seat's units in columns 1 to 3 enough? */
const char *wl_forbid_columns(const struct state *s, unsigned town, unsigned seat,
                              const unsigned columns[WL_LANES]);
/* How many columns the seat must fill by itself at least, and which it may leave to its ally: bit
 * set of columns that are empty and that nobody else can fill (W18.6). */
unsigned wl_columns_to_fill(const struct state *s, unsigned town, unsigned seat,
                            unsigned *out_at_least);

/* ---- combat (battle.c) ---- */

enum wl_kind {
    WL_ADVANCE,
    WL_WITHDRAW,
    WL_REDEPLOY,
    WL_TO_RESERVE,
    WL_FROM_RESERVE,
    WL_FORM_SQUARE,
    WL_BREAK_SQUARE,
    WL_KINDS
};
extern const char *const wl_kind_ids[WL_KINDS];

/* The unit stands in that battle, which is going on. */
bool wl_in_battle(const struct state *s, unsigned town, unsigned unit);
/* W7.5: the unit is engaged. W12.4, W13.3: by enemy infantry or cavalry; by enemy cavalry. */
bool wl_is_engaged(const struct state *s, unsigned town, unsigned unit);
bool wl_faces_troops(const struct state *s, unsigned town, unsigned unit);
bool wl_faces_cavalry(const struct state *s, unsigned town, unsigned unit);
/* W7.6: units of a side in a column and advanced from it. */
unsigned wl_column(const struct state *s, unsigned town, unsigned battle_side, unsigned lane);
/* The acting side of the combat turn (enum wl_side), and whether this is its first since the lane
 * became engaged (W9.6, W10.2). */
unsigned wl_acting_side(const struct state *s);
bool wl_is_first_since(const struct state *s, unsigned town, unsigned lane);
/* W7.2, W9.1-W9.8: may the unit, of the acting side, fire at that target in this battle? target is
 * any unit or WL_NONE (W20.3: refused in one way). wl_forbid_firing: may it fire at all, whatever
 * the target. */
const char *wl_forbid_firing(const struct state *s, unsigned town, unsigned unit);
const char *wl_forbid_fire(const struct state *s, unsigned town, unsigned unit, unsigned target);
/* W9.3, W10.6: dice; W9.4: 5 or 6. */
unsigned wl_fire_dice(const struct state *s, unsigned unit);
unsigned wl_hit_on(const struct state *s, unsigned town, unsigned unit, unsigned target);
/* W7.2, W8, W10: to is the lane with redeploy and from_reserve, 0 with all else. */
const char *wl_forbid_move(const struct state *s, unsigned town, unsigned unit, enum wl_kind kind,
                           unsigned to);
/* W12.2, W12.3, W13.6: may the unit leave the battle at all? The route is apart. */
const char *wl_forbid_retreat(const struct state *s, unsigned town, unsigned unit);

/* ---- end of a combat turn (reinforce.c) ---- */

/* W11.1-W11.5: may this unit join that battle at the end of this combat turn? */
const char *wl_forbid_reinforce(const struct state *s, unsigned town, unsigned unit);
/* W11.1: units of that nation that may join one battle in a combat turn. */
unsigned wl_reinforce_max(unsigned nation);
/* W7.7, W13.6: may the seat end its combat turn? */
const char *wl_forbid_end_combat_turn(const struct state *s, unsigned seat);

/* ---- rout (rout.c) ---- */

/* The seat's routed units of that battle without routes yet, as a bit set; of any battle. */
uint64_t wl_routed(const struct state *s, unsigned town, unsigned seat);
bool wl_owes_routes(const struct state *s, unsigned seat);
/* Any seat owes routes (W13.6). */
bool wl_rout_is_pending(const struct state *s);

/* ---- supply (supply.c) ---- */

/* W15.2: units of its nations that the seat has to remove now. */
unsigned wl_owes_supply(const struct state *s, unsigned seat);

#endif
