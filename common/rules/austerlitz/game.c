/* common/rules/austerlitz/game.c: Austerlitz as the rest of the house sees it. */
#include "common/rules/austerlitz/au.h"

extern const struct game game_austerlitz;

/* Position page, Comparing. */
static const char *const shorthand[] = {"hex", "box", NULL};
static const char *const whole_members[] = {"hexes", NULL};

const struct game game_austerlitz = {
    .name = "austerlitz",
    .about = au_about,
    .rules_first = 1,
    .rules_now = 1,
    .state_bytes = sizeof(struct state),
    .early_draw = true, /* strengths are dealt before anybody acts; the Allies fight before the
                         * French have acted */
    .options = au_options,
    .seats = au_seats,
    .create = au_create,
    .to_act = au_to_act,
    .waits_for = au_to_act,
    .shown = au_shown,
    .actions = au_actions,
    .apply = au_apply,
    .leave = au_leave,
    .stop = au_stop,
    .view = au_view,
    .ask = au_ask,
    .obey = au_obey,
    .result = au_result,
    .position_write = au_position_write,
    .position_full = au_position_full,
    .position_read = au_position_read,
    .twin = au_twin,
    .check = au_check,
    .shorthand_members = shorthand,
    .whole_members = whole_members,
    .form_rule = "invalid_params",
    .phase = au_phase,
    .interrupts = au_interrupts,
};
