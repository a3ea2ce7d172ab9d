/* common/rules/waterloo/game.c: Waterloo as the rest of the house sees it. */
#include "common/rules/waterloo/wl.h"

extern const struct game game_waterloo;

/* Position page: the members that are sets, and the lists of units in events and columns. */
static const char *const set_members[] = {
    "1",         "2",        "3",           "AD",          "FR",   "PR",      "attack_roads",
    "confirmed", "departed", "ended",       "enemy_towns", "lost", "marched", "reserve",
    "roads",     "stranded", "surrendered", "units",       NULL};

/* Quiet wherever they are legal, the rolling of dice comes with end_movement (W4.11). */
static const char *const planned[] = {"march", "place", "unmarch", NULL};

const struct game game_waterloo = {
    .name = "waterloo",
    .about = wl_about,
    .rules_first = 1,
    .rules_now = 1,
    .state_bytes = sizeof(struct state),
    .early_draw = false, /* no die falls before the set-up is confirmed by all (W2.6) */
    .options = wl_options,
    .seats = wl_game_seats,
    .create = wl_create,
    .to_act = wl_to_act,
    .waits_for = wl_waits_for,
    .shown = wl_shown,
    .actions = wl_actions,
    .apply = wl_apply,
    .leave = wl_leave,
    .stop = wl_stop,
    .view = wl_view,
    .ask = wl_ask,
    .obey = wl_obey,
    .result = wl_result,
    .position_write = wl_position_write,
    .position_read = wl_position_read,
    .twin = wl_twin,
    .check = wl_check,
    .seat_code = wl_seat_id,
    .set_members = set_members,
    .form_rule = "W19",
    .phase = wl_phase,
    .interrupts = wl_interrupts,
    .asked = wl_asked,
    .orders = wl_orders,
    .may_talk = wl_may_talk,
    .next_talk = wl_next_talk,
    .talk_rule = "W18.2",
    .allies = wl_allies,
    .turn = wl_turn,
    .plan = wl_plan,
    .planned = planned,
};
