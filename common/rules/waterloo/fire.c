/* common/rules/waterloo/fire.c: fire (W9) and, where the match has it, morale (W17.1-W17.6). */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

enum { FIRE_DICE_MAX = 4, MORALE_GOOD = 3, MORALE_QUEUE_MAX = WL_UNITS + 1 };

/* W9.7: artillery in a column with no infantry or cavalry, in a lane that the enemy engages. */
static bool is_unsupported(const struct state *s, unsigned town, unsigned unit)
{
    if (!wl_is_artillery(unit) || s->unit[unit].place != WL_COL) { return false; }
    if (!wl_is_engaged(s, town, unit)) { return false; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *other = &s->unit[u];
        bool beside = other->town == town && other->place == WL_COL &&
                      other->lane == s->unit[unit].lane && wl_side(u) == wl_side(unit);
        if (beside && !wl_is_artillery(u)) { return false; }
    }
    return true;
}

/* W9.2: where the targets of the unit stand: WL_COL, WL_ADV. In *out_rule the rule that bars all
 * fire. */
static unsigned target_place(const struct state *s, unsigned town, unsigned unit,
                             const char **out_rule)
{
    const struct wl_unit *u = &s->unit[unit];
    unsigned own = wl_battle_side_of(s, unit);
    unsigned by = s->fight[town].lane[u->lane - 1].engaged_by;
    *out_rule = NULL;
    if (u->place == WL_ADV) {
        if (u->advanced_ct == s->ct_n) { *out_rule = "W9.2"; }
        return WL_COL;
    }
    if (!wl_is_artillery(unit)) {
        if (by == WL_NOBODY || by == own) { *out_rule = "W9.2"; }
        return WL_ADV;
    }
    if (by == WL_NOBODY) { return WL_COL; }
    if (by == own) {
        *out_rule = "W9.2"; /* masked (R17) */
    } else if (is_unsupported(s, town, unit)) {
        *out_rule = "W9.7";
    } else if (!wl_is_first_since(s, town, u->lane)) {
        *out_rule = "W9.6";
    }
    return WL_ADV;
}

const char *wl_forbid_firing(const struct state *s, unsigned town, unsigned unit)
{
    const struct wl_unit *u = &s->unit[unit];
    const char *rule = NULL;
    if (!wl_in_battle(s, town, unit) || u->place == WL_RES) { return "W9.1"; }
    if (u->fired) { return "W7.2"; }
    if (u->moves > 0 && wl_type(unit) != WL_HORSE_ARTILLERY) { return "W7.2"; }
    (void)target_place(s, town, unit, &rule);
    return rule;
}

const char *wl_forbid_fire(const struct state *s, unsigned town, unsigned unit, unsigned target)
{
    const char *rule = wl_forbid_firing(s, town, unit);
    if (rule != NULL) { return rule; }
    /* W9.1, W20.3: all that is not a known enemy unit of the lane is the same. */
    if (target >= WL_UNITS || wl_side(target) == wl_side(unit)) { return "W9.1"; }
    const struct wl_unit *t = &s->unit[target];
    if (!wl_in_battle(s, town, target) || t->lane != s->unit[unit].lane) { return "W9.1"; }
    if (t->place != target_place(s, town, unit, &rule)) { return "W9.2"; }
    return t->square && wl_type(unit) == WL_CAVALRY ? "W9.8" : NULL;
}

unsigned wl_fire_dice(const struct state *s, unsigned unit)
{
    unsigned cv = s->unit[unit].cv;
    return s->unit[unit].square ? (cv + 1) / 2 : cv; /* W9.3, W10.6 */
}

/* W9.4: charge, one shot, unsupported artillery, artillery at a square; never more than once over.
 */
unsigned wl_hit_on(const struct state *s, unsigned town, unsigned unit, unsigned target)
{
    const struct wl_unit *u = &s->unit[unit];
    const struct wl_unit *t = &s->unit[target];
    bool charge =
        wl_type(unit) == WL_CAVALRY && u->place == WL_ADV && u->advanced_ct + 1 == s->ct_n;
    bool one_shot = wl_is_artillery(unit) && t->place == WL_ADV;
    bool alone = !wl_is_artillery(unit) && is_unsupported(s, town, target);
    bool at_square = wl_is_artillery(unit) && t->square;
    return charge || one_shot || alone || at_square ? 5 : 6;
}

/* W17.1: units at CV 1 in the column or advanced from it, in ascending id; those that fail fall
 * back at once. Returns how many fell back. */
static unsigned check_column(struct wl_call *c, unsigned town, unsigned side, unsigned lane,
                             unsigned only)
{
    struct state *s = c->s;
    unsigned fell = 0;
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned unit = wl_unit_by_id_order[i];
        const struct wl_unit *u = &s->unit[unit];
        if (only != WL_NONE && unit != only) { continue; }
        if (u->town != town || u->lane != lane || u->cv != 1 || wl_side(unit) != side) { continue; }
        unsigned die = dice_die(c->dice, 6);
        bool good = die <= MORALE_GOOD;
        wl_tell_morale(c, town, unit, die, good);
        if (good) { continue; }
        uint8_t fired = u->fired;
        uint8_t moves = u->moves;
        wl_take_up(s, unit);
        s->unit[unit].place = WL_RES;
        s->unit[unit].fired = fired; /* W17.5: spends nothing, gives nothing back */
        s->unit[unit].moves = moves;
        fell++;
    }
    return fell;
}

/* W17.4: first in, first out; each event makes the whole column check, each that fails is a new
 * event. All events are of one column, so the queue is a count. */
static void check_morale(struct wl_call *c, unsigned town, unsigned side, unsigned lane,
                         unsigned target, bool eliminated)
{
    unsigned events = eliminated ? 1 : check_column(c, town, side, lane, target);
    while (events > 0) {
        events += check_column(c, town, side, lane, WL_NONE);
        events--;
    }
}

/* W9.3, W9.9: takes effect at once. */
static void fire(struct wl_call *c, unsigned town, unsigned unit, unsigned target)
{
    struct state *s = c->s;
    uint8_t dice[FIRE_DICE_MAX];
    unsigned n = wl_fire_dice(s, unit);
    unsigned hit_on = wl_hit_on(s, town, unit, target);
    unsigned hits = 0;
    for (unsigned i = 0; i < n; i++) {
        dice[i] = (uint8_t)dice_die(c->dice, 6);
        hits += dice[i] >= hit_on;
    }
    unsigned lane = s->unit[target].lane;
    unsigned side = wl_side(target);
    unsigned battle_side = wl_battle_side_of(s, target);
    unsigned lost = wl_lose(s, target, hits, WL_GONE_FIRE);
    bool eliminated = s->unit[target].gone != WL_ON_MAP;
    s->unit[unit].fired = 1;
    s->fight[town].fired_this_round = 1;
    if (s->ct_side == WL_ATT) { s->fight[town].attacker_acted = 1; }
    wl_tell_fired(c, town, unit, target, dice, n, hit_on, hits, lost);
    if (eliminated) { wl_tell_eliminated(c, target, WL_GONE_FIRE, town, TELL_BOTH); }
    bool checks = eliminated || (lost > 0 && s->unit[target].cv == 1);
    if (s->morale && checks) { check_morale(c, town, side, lane, target, eliminated); }
    (void)wl_test_rout(c, town, battle_side);
}

enum err wl_act_fire(struct wl_call *c)
{
    static const char *const names[] = {"battle", "target", "unit", NULL};
    const char *target_id = NULL;
    unsigned town = 0;
    unsigned unit = 0;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "battle", &town); }
    if (err == ERR_OK) { err = wl_read_unit(c, json_get(c->action, "unit"), "unit", &unit); }
    if (err == ERR_OK) { err = json_read_str(c->action, "!target", 4096, &target_id, c->why); }
    if (err != ERR_OK) { return err; }
    if (c->s->fight[town].phase != WL_BATTLE) { return wl_refuse(c, "W19"); }
    const char *rule = wl_forbid_fire(c->s, town, unit, wl_find_unit(target_id));
    if (rule != NULL) { return wl_refuse(c, rule); }
    fire(c, town, unit, wl_find_unit(target_id));
    return ERR_OK;
}
