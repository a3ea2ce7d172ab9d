/* common/rules/waterloo/emit.h: the events of the position page, section 7, each to those who may
 * be told. */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_EMIT_H
#define VEDETTE_COMMON_RULES_WATERLOO_EMIT_H

#include "common/rules/waterloo/flow.h"

/* Who is told: the side named in the page's middle column (with VIEWER_ALL), everybody else, or
 * both. */
enum { TELL_OWN = 1, TELL_ENEMY = 2, TELL_BOTH = 3 };
enum { WL_PURSUIT_DICE_MAX = 2 };

/* Set-up (W2). towns: one for each unit of the list. */
void wl_tell_placed(struct wl_call *c, const struct wl_list *list, const uint8_t *towns);
void wl_tell_setup_confirmed(struct wl_call *c, unsigned seat, unsigned who);
void wl_tell_turn(struct wl_call *c);
/* Movement (W4). Walks in the order given. */
void wl_tell_drafted(struct wl_call *c, const struct wl_walks *walks);
void wl_tell_undrafted(struct wl_call *c, const struct wl_list *list);
void wl_tell_ended(struct wl_call *c, unsigned seat);
void wl_tell_end_withdrawn(struct wl_call *c, unsigned seat);
/* key: "town" or "battle" with a town, or NULL. */
void wl_tell_automatic(struct wl_call *c, unsigned seat, const char *what, const char *key,
                       unsigned town);
void wl_tell_marched(struct wl_call *c, unsigned side, const struct wl_walks *walks);
void wl_tell_march_dice(struct wl_call *c, unsigned side, const struct wl_walks *walks,
                        unsigned who);
void wl_tell_attacked(struct wl_call *c, unsigned town);
/* Response (W5). */
void wl_tell_fight_chosen(struct wl_call *c, unsigned town, unsigned seat, unsigned who);
void wl_tell_retreat_chosen(struct wl_call *c, unsigned town, unsigned seat,
                            const struct wl_walks *walks, const struct wl_list *stranded,
                            unsigned who);
void wl_tell_answer_void(struct wl_call *c, unsigned town, unsigned seat);
/* Dice from wl_told of the firers. TELL_OWN: the side that retreats, and VIEWER_ALL, while the step
 * lasts; TELL_ENEMY: the firers and the public, when it has ended. */
void wl_tell_pursuit(struct wl_call *c, unsigned town, unsigned stage, unsigned who);
/* cv: loss by unit index. */
void wl_tell_allotted(struct wl_call *c, unsigned town, unsigned seat, const struct wl_list *list,
                      const uint8_t *cv);
void wl_tell_retreated(struct wl_call *c, unsigned town, unsigned side, enum wl_retreat_kind kind,
                       const struct wl_walks *walks, uint64_t revealed, const uint8_t *attrition,
                       unsigned who);
/* Deployment (W6): columns 1 to 3, then the reserve. */
void wl_tell_deployed(struct wl_call *c, unsigned town, unsigned seat,
                      const struct wl_list columns[WL_LANES + 1]);
void wl_tell_deployed_counts(struct wl_call *c, unsigned town);
void wl_tell_revealed(struct wl_call *c, unsigned town);
/* Battle (W7-W14, W17). */
void wl_tell_combat_turn(struct wl_call *c);
void wl_tell_fired(struct wl_call *c, unsigned town, unsigned unit, unsigned target,
                   const uint8_t *dice, unsigned n, unsigned hit_on, unsigned hits, unsigned lost);
void wl_tell_morale(struct wl_call *c, unsigned town, unsigned unit, unsigned die, bool good);
/* from, to: lanes, 0 for none. */
void wl_tell_moved(struct wl_call *c, unsigned town, unsigned unit, enum wl_kind kind,
                   unsigned from, unsigned to);
/* units: all that routed; lost by unit index; in_reserve: those of them that the enemy does not
 * know. */
void wl_tell_routed(struct wl_call *c, unsigned town, unsigned side, uint64_t units,
                    uint64_t in_reserve, const uint8_t *lost);
void wl_tell_battle_over(struct wl_call *c, unsigned town, unsigned winner_side);
void wl_tell_reinforced(struct wl_call *c, unsigned town, unsigned from, unsigned side,
                        const struct wl_list *list);
/* Supply and the end (W15, W16). */
void wl_tell_supply_due(struct wl_call *c);
void wl_tell_supply_removed(struct wl_call *c, unsigned seat, const struct wl_list *list);
void wl_tell_eliminated(struct wl_call *c, unsigned unit, unsigned cause, unsigned town,
                        unsigned who);
/* The same for all units of a bit set, in ascending order of their ids. */
void wl_tell_eliminated_set(struct wl_call *c, uint64_t units, unsigned cause, unsigned town,
                            unsigned who);
void wl_tell_surrendered(struct wl_call *c, unsigned nation, unsigned left);
void wl_tell_game_over(struct wl_call *c);

#endif
