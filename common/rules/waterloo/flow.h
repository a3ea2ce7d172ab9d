/* common/rules/waterloo/flow.h: what the rules files share: one call of apply, the steps, reading
 * of actions. */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_FLOW_H
#define VEDETTE_COMMON_RULES_WATERLOO_FLOW_H

#include "common/rules/waterloo/rules.h"
#include "common/rules/waterloo/wl.h"

/* One action, or what the server does by itself. s is a copy until the action has passed. */
struct wl_call {
    struct state *s;
    struct dice *dice;
    struct events *events;
    struct why *why;
    const struct cJSON *action;
    unsigned seat;
};

/* Units in an order that matters. */
struct wl_list {
    uint8_t n, unit[WL_UNITS];
};
/* A unit on its way: route as declared; from: the town it left. */
struct wl_walk {
    uint8_t unit, from;
    uint8_t die, lost; /* forced march: die rolled (0: none), CV lost by it */
    struct wl_route route;
};
struct wl_walks {
    unsigned n;
    struct wl_walk walk[WL_UNITS];
};

#define WL_BIT(n)   (UINT32_C(1) << (n))
#define WL_BIT64(n) (UINT64_C(1) << (n))

/* ---- flow.c ---- */

/* The one door between steps: seals, for a step that ends ends a sitting (W20.5). */
void wl_step_go(struct wl_call *c, enum wl_step next);
/* Does whatever the server does by itself: automatic steps (W19.2) and steps that are complete. */
void wl_settle_call(struct wl_call *c);
/* The same on a state alone: the reader of positions refuses one that this changes. */
void wl_settle(struct state *s, struct dice *dice, struct events *events);
/* The seat has ended the step it is in: by itself, or by the server (W19.2). */
void wl_end_seat(struct wl_call *c, unsigned seat, bool automatic);

/* ---- supply.c ---- */

/* W3.2, W15.1: what follows the last battle, or a turn without any. */
void wl_turn_end(struct wl_call *c);
/* W3.1, W16: victory check, next slot. */
void wl_victory_check(struct wl_call *c);
/* W16: the match is over. why: 0 surrender, 1 time, 2 departed. */
void wl_game_over(struct wl_call *c, unsigned winner, unsigned why);
bool wl_settle_supply(struct wl_call *c);

/* ---- read.c: actions are hostile ---- */

/* ILLEGAL_ACTION with the rule and its sentence. */
enum err wl_refuse(struct wl_call *c, const char *rule) VD_CHECKED;
/* A unit of the seat that is on the map: W19 unknown or gone, W18.1 another's. */
enum err wl_read_unit(struct wl_call *c, const struct cJSON *item, const char *member,
                      unsigned *out_unit) VD_CHECKED;
/* The needed member `name` of object as a town: W19 unknown. */
enum err wl_read_town(struct wl_call *c, const struct cJSON *object, const char *name,
                      unsigned *out_town) VD_CHECKED;
/* The list `name` ("!name": it must be there) of the seat's units, none twice (W19), nor in *seen,
 * to which they are added. */
enum err wl_read_units(struct wl_call *c, const struct cJSON *object, const char *name,
                       uint64_t *seen, struct wl_list *out_list) VD_CHECKED;
/* What walks of a list break: a bad path the rule on length, a unit that is not in `from` (WL_NONE:
 * wherever it stands) the rule `elsewhere`. */
struct wl_walk_rules {
    const char *length, *elsewhere;
    unsigned from;
};
/* The list `name` (or "!name") of items {unit, path, forced}. */
enum err wl_read_walks(struct wl_call *c, const struct cJSON *object, const char *name,
                       const struct wl_walk_rules *rules, uint64_t *seen,
                       struct wl_walks *out_walks) VD_CHECKED;
/* INVALID_PARAMS unless an item of the list is an object with no members but those named. */
enum err wl_read_item(struct wl_call *c, const struct cJSON *item, const char *list,
                      const char *const *names) VD_CHECKED;
/* INVALID_PARAMS unless the action has no members but `do` and those named. */
enum err wl_read_only(struct wl_call *c, const char *const *names) VD_CHECKED;

/* ---- state changes that several files need ---- */

/* flow.c. Takes the unit off its place in a battle; its lane may be free then (W19.3). */
void wl_take_up(struct state *s, unsigned unit);
/* W1.7: out of the game. */
void wl_eliminate(struct state *s, unsigned unit, enum wl_gone cause);
/* W1.7: the unit loses that many CV, no more than it has. Returns what it lost; it may be gone. */
unsigned wl_lose(struct state *s, unsigned unit, unsigned cv, enum wl_gone cause);
/* march.c, W4.11: dice of the forced marches of the list, in its order; who: TELL_ bits of emit.h.
 */
void wl_roll_marches(struct wl_call *c, unsigned side, struct wl_walks *walks, unsigned who);
void wl_carry_out_marches(struct wl_call *c);
/* W18.4: ends that the plan no longer bears are taken back. */
void wl_withdraw_ends(struct wl_call *c);

/* respond.c */
void wl_begin_response(struct wl_call *c);
void wl_end_response(struct wl_call *c);
bool wl_settle_response(struct wl_call *c);
/* W18.9: the match ends amid the response step. What has happened in it so far is told to the enemy
 * before the end, as at end_response (W20.3): the board that stays to be seen shows it (R50). */
void wl_tell_cut_response(struct wl_call *c);
/* What the enemy is to be told, as far as a position tells it. */
void wl_rebuild_told(struct state *s);
void wl_leave_response(struct wl_call *c, unsigned left, unsigned stays);

/* deploy.c */
bool wl_settle_deployment(struct wl_call *c);
void wl_leave_deployment(struct state *s);

/* retreat.c, rout.c */
enum wl_retreat_kind { WL_BY_RESPONSE, WL_BY_BATTLE, WL_BY_ROUT };
/* W5.6, W12, W13: the units go, with dice and marks. revealed: bit set of units that the enemy
 * knows; attrition: CV lost by unit, or NULL. */
void wl_walk(struct wl_call *c, unsigned town, unsigned side, enum wl_retreat_kind kind,
             struct wl_walks *walks, uint64_t revealed, const uint8_t *attrition, unsigned who);
/* W13.3 by type. */
unsigned wl_attrition(const struct state *s, unsigned town, unsigned unit);
/* W13.1: a rout if one of the side's columns is empty. True: it routed. */
bool wl_test_rout(struct wl_call *c, unsigned town, unsigned battle_side);
void wl_rout(struct wl_call *c, unsigned town, unsigned battle_side);
/* W14: the battle is over, won by that side. */
void wl_battle_over(struct wl_call *c, unsigned town, unsigned winner_side);
bool wl_settle_routs(struct wl_call *c);
/* W12.12, W18.7: the tests that waited for the end of both seats' combat turn. */
void wl_test_withdrawals(struct wl_call *c);

/* reinforce.c */
void wl_begin_combat(struct wl_call *c);
bool wl_settle_combat(struct wl_call *c);

/* The actions, one a function, by the name of `do`. */
typedef enum err wl_act_fn(struct wl_call *c);
wl_act_fn wl_act_place, wl_act_confirm_setup;                /* setup.c */
wl_act_fn wl_act_march, wl_act_unmarch, wl_act_end_movement; /* march.c */
wl_act_fn wl_act_respond, wl_act_allot, wl_act_end_response; /* respond.c, pursuit.c */
wl_act_fn wl_act_deploy;                                     /* deploy.c */
wl_act_fn wl_act_fire, wl_act_move;                          /* battle.c */
wl_act_fn wl_act_retreat, wl_act_rout_routes;                /* retreat.c, rout.c */
wl_act_fn wl_act_end_combat_turn;                            /* reinforce.c */
wl_act_fn wl_act_remove;                                     /* supply.c */

/* pursuit.c: W5.6-W5.9 once all contingents have answered. */
void wl_pursue(struct wl_call *c, unsigned town);
void wl_walk_answers(struct wl_call *c, unsigned town);
void wl_close_ranks(struct state *s, unsigned town);

/* setup.c */
bool wl_settle_setup(struct wl_call *c);

#endif
