/* common/rules/austerlitz/check.c: what must hold in every state between two lines; also what a
 * position must keep to (position.md, section 1). */
#include <string.h>

#include "common/rules/austerlitz/au.h"

enum { POTENTIAL_MAX = 16, CONTACT_MAX = 6 };

static bool is_clear(const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++) {
        if (byte[i] != 0) { return false; }
    }
    return true;
}

static const char *check_unit(const struct state *s, unsigned u)
{
    const struct au_unit *unit = &s->unit[u];
    if (unit->place >= AU_PLACES) { return "a unit is nowhere"; }
    bool on_map = unit->place == AU_ON_MAP;
    if (on_map != (unit->hex < AU_HEXES)) { return "a unit has a hex or a box, not both"; }
    if (unit->place == AU_VIENNA && au_side(u) == AU_FRENCH) {
        return "a french unit is in the Vienna box";
    }
    if (on_map && au_is_broken(s, unit->hex)) { return "a unit is on broken ice"; }
    bool phase = s->step == AU_MOVE && s->side == au_side(u);
    if (unit->moved > 1 || (unit->moved != 0 && (!on_map || !phase))) {
        return "a unit has moved out of its phase";
    }
    if (unit->bridge == AU_NONE) { return NULL; }
    if (unit->bridge >= au_bridge_count || (s->destroyed >> unit->bridge & 1U) == 0) {
        return "a unit has destroyed a bridge that stands";
    }
    if (!on_map || (au_side(u) == AU_FRENCH && s->side != AU_FRENCH)) {
        return "a unit out of its turn has destroyed a bridge";
    }
    return NULL;
}

/* Dealt potentials must be printed ones of the same army and type, none oftener than printed. */
static const char *check_potentials(const struct state *s)
{
    int8_t left[AU_SIDES][AU_TYPES][POTENTIAL_MAX] = {0};
    for (unsigned u = 0; u < AU_UNITS; u++) {
        left[au_side(u)][au_type(u)][au_unit_facts[u].combat]++;
    }
    for (unsigned u = 0; u < AU_UNITS; u++) {
        unsigned potential = s->unit[u].potential;
        if (s->dealt == 0 && potential != au_unit_facts[u].combat) {
            return "a potential is not the printed one";
        }
        if (s->dealt == 0) { continue; }
        if (s->unit[u].place == AU_ASIDE) {
            if (potential != 0) { return "a unit aside has a potential"; }
            continue;
        }
        bool good = potential < POTENTIAL_MAX && left[au_side(u)][au_type(u)][potential]-- > 0;
        if (!good) { return "a dealt potential is none of the army's and type's"; }
    }
    return NULL;
}

static const char *check_units(const struct state *s)
{
    uint32_t marks = 0;
    struct hex_set taken;
    memset(&taken, 0, sizeof taken);
    for (unsigned u = 0; u < AU_UNITS; u++) {
        const struct au_unit *unit = &s->unit[u];
        const char *broken = check_unit(s, u);
        if (broken != NULL) { return broken; }
        if (unit->place == AU_ON_MAP) {
            if (hex_set_has(&taken, unit->hex)) { return "two units are in one hex"; }
            hex_set_add(&taken, unit->hex);
        }
        if (unit->bridge == AU_NONE) { continue; }
        if ((marks >> unit->bridge & 1U) != 0) { return "two units destroyed the same bridge"; }
        marks |= UINT32_C(1) << unit->bridge;
    }
    return check_potentials(s);
}

static const char *check_morale(const struct state *s)
{
    bool aside = false, there[AU_SIDES];
    for (unsigned u = 0; u < AU_UNITS; u++) {
        aside = aside || s->unit[u].place == AU_ASIDE;
    }
    for (unsigned side = 0; side < AU_SIDES; side++) {
        unsigned gone = au_sum_of(s, side, AU_ELIMINATED) + au_sum_of(s, side, AU_WITHDRAWN);
        there[side] = gone >= au_tables.threshold[side];
        if (there[side] && s->demoralised == AU_NOBODY) { return "an army should be demoralised"; }
    }
    if (!aside && s->demoralised != AU_NOBODY && !there[s->demoralised]) {
        return "an army is demoralised too early";
    }
    return NULL;
}

static const char *check_end(const struct state *s)
{
    bool gone = au_army(s, AU_FRENCH) == 0 || au_army(s, AU_ALLIED) == 0;
    if (s->step != AU_OVER) {
        if (s->resigned != AU_NOBODY || s->agreed != 0) { return "the match goes on all the same"; }
        return gone ? "an army is gone, and the match goes on" : NULL;
    }
    bool time = s->turn == au_tables.turns && s->side == AU_FRENCH;
    bool given = s->resigned != AU_NOBODY || s->agreed != 0;
    return gone || time || given ? NULL : "the match is over for no reason";
}

static const char *check_board(const struct state *s)
{
    if (s->step >= AU_STEPS || s->side >= AU_SIDES) { return "no such step"; }
    if (s->turn < 1 || s->turn > au_tables.turns) { return "no such turn"; }
    if (s->demoralised > AU_NOBODY || s->resigned > AU_NOBODY || s->agreed > 1) {
        return "no such side";
    }
    if (s->situation >= AU_SITUATIONS || (s->guard_1805 != 0 && s->situation == 0)) {
        return "no such options";
    }
    for (unsigned i = 0; i < 64; i++) {
        if ((s->broken >> i & 1U) == 0) { continue; }
        bool ice = i < au_pond_count && (au_hexes[au_ponds[i]].flags & AU_CAUSEWAY) == 0;
        if (!ice) { return "broken ice where there is none"; }
    }
    if ((s->destroyed & ~((UINT32_C(1) << au_bridge_count) - 1)) != 0) {
        return "no such bridge is destroyed";
    }
    return NULL;
}

/* ---- plan and hand ---- */

static bool are_artillery(uint64_t set)
{
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        if (au_type(au_first(rest)) != AU_ARTILLERY) { return false; }
    }
    return true;
}

static const char *check_entry(const struct state *s, const struct au_entry *entry)
{
    uint64_t own = au_side_set(s->side), enemy = au_side_set(au_other(s->side));
    if (entry->status >= AU_STATUSES) { return "an entry of the plan has no status"; }
    if (((entry->contact | entry->bombard) & ~own) != 0 || (entry->defenders & ~enemy) != 0) {
        return "a unit is on the wrong side of a combat";
    }
    if (!are_artillery(entry->bombard)) { return "a unit bombards that is no artillery"; }
    for (uint64_t rest = entry->contact | entry->bombard | entry->defenders; rest != 0;
         rest &= rest - 1) {
        if (s->unit[au_first(rest)].place == AU_ASIDE) { return "a unit aside is to fight"; }
    }
    if (entry->ice_hex != HEX_NONE) {
        bool shot = entry->contact == 0 && entry->defenders == 0 && au_count(entry->bombard) == 1;
        bool ice = entry->ice_hex < AU_HEXES && au_hexes[entry->ice_hex].pond != AU_NONE &&
                   (au_hexes[entry->ice_hex].flags & AU_CAUSEWAY) == 0;
        return shot && ice ? NULL : "an ice shot is none";
    }
    if ((entry->contact & entry->bombard) != 0) { return "a unit is in an entry twice"; }
    if ((entry->contact | entry->bombard) == 0 || entry->defenders == 0) {
        return "a combat lacks a side";
    }
    if (entry->bombard != 0 && au_count(entry->defenders) != 1) {
        return "several units are bombarded together";
    }
    return NULL;
}

static const char *check_plan(const struct state *s)
{
    uint64_t fights = 0;
    unsigned pending = 0;
    bool combat = s->step >= AU_RESOLVE && s->step <= AU_ADVANCE;
    if (s->plan_count > AU_PLAN_MAX || combat != (s->plan_count > 0)) {
        return "a plan in a step without one, or none";
    }
    for (unsigned i = 0; i < s->plan_count; i++) {
        const struct au_entry *entry = &s->plan[i];
        const char *broken = check_entry(s, entry);
        if (broken != NULL) { return broken; }
        uint64_t units = entry->contact | entry->bombard | entry->defenders;
        if ((fights & units) != 0) { return "a unit is in two entries"; }
        fights |= units;
        pending += entry->status == AU_PENDING;
    }
    if (combat && pending == 0) { return "nothing is pending"; }
    if (s->step == AU_RESOLVE && pending == 1 && s->plan_count > 1) {
        return "the last combat should have come up by itself";
    }
    return NULL;
}

static bool are_at(const struct state *s, uint64_t set, unsigned place)
{
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        if (s->unit[au_first(rest)].place != place) { return false; }
    }
    return true;
}

/* The result, and who has still to go, must fit the step. */
static const char *check_step_of_hand(const struct state *s)
{
    const struct au_hand *hand = &s->hand;
    unsigned result = hand->result;
    uint64_t losers = result == AU_AR ? hand->contact : hand->defenders;
    bool fits = false;
    switch (s->step) {
    case AU_EXCHANGE:
        fits = result == AU_EX && are_at(s, hand->contact | hand->defenders, AU_ON_MAP);
        break;
    case AU_RETREAT:
        fits = (result == AU_AR || result == AU_DR) && hand->to_retreat != 0 &&
               (hand->to_retreat & ~losers) == 0 && are_at(s, hand->to_retreat, AU_ON_MAP);
        break;
    case AU_BATTERY:
        fits = result == AU_AR && hand->to_choose != 0 && (hand->to_choose & ~hand->bombard) == 0 &&
               are_at(s, hand->to_choose, AU_ON_MAP);
        break;
    default: fits = result != AU_EX; break;
    }
    bool lists = (s->step == AU_RETREAT || hand->to_retreat == 0) &&
                 (s->step == AU_BATTERY || hand->to_choose == 0);
    if (!fits || !lists) { return "the combat in hand does not fit the step"; }
    bool lost = are_artillery(hand->defenders) && are_at(s, hand->defenders, AU_ELIMINATED);
    return result == AU_NO_DIE && !lost ? "a combat without a die had defenders" : NULL;
}

static const char *check_hand(const struct state *s)
{
    const struct au_hand *hand = &s->hand;
    bool in_hand = s->step >= AU_EXCHANGE && s->step <= AU_ADVANCE;
    if (!in_hand) {
        return is_clear(hand, sizeof *hand) ? NULL : "a combat in hand in a step without one";
    }
    if (hand->index < 1 || hand->index > s->plan_count || hand->result >= AU_RESULTS ||
        hand->vacated_count > AU_VACATED_MAX) {
        return "no such combat is in hand";
    }
    const struct au_entry *entry = &s->plan[hand->index - 1];
    if (entry->status != AU_PENDING || entry->ice_hex != HEX_NONE) {
        return "the combat in hand is not pending";
    }
    if ((hand->contact & ~entry->contact) != 0 || (hand->bombard & ~entry->bombard) != 0 ||
        (hand->defenders & ~entry->defenders) != 0) {
        return "a unit in hand is not of the combat";
    }
    if ((hand->contact | hand->bombard) == 0 || hand->defenders == 0 ||
        au_count(hand->contact) > CONTACT_MAX) {
        return "the combat in hand lacks a side, or has more than six in contact";
    }
    for (unsigned i = 0; i < hand->vacated_count; i++) {
        bool rising = i == 0 || hand->vacated[i - 1] < hand->vacated[i];
        if (!rising || hand->vacated[i] >= AU_HEXES) { return "the vacated hexes are none"; }
    }
    return check_step_of_hand(s);
}

/* R31: nothing may be left that goes by itself. */
static const char *check_rest(const struct state *s)
{
    struct au_now now;
    uint64_t sets[AU_SETS_MAX];
    au_see(s, &now);
    switch (s->step) {
    case AU_DECLARE: return au_can_declare(s, &now, s->side) ? NULL : "nothing can be declared";
    case AU_EXCHANGE: return au_exchange_sets(s, sets) > 1 ? NULL : "an exchange without a choice";
    case AU_RETREAT: {
        unsigned unit = au_first(s->hand.to_retreat);
        bool choice = au_count(s->hand.to_retreat) > 1 || au_count_ways(s, &now, unit, 2) > 1;
        return choice ? NULL : "a retreat without a choice";
    }
    case AU_BATTERY:
        for (uint64_t rest = s->hand.to_choose; rest != 0; rest &= rest - 1) {
            if (au_count_ways(s, &now, au_first(rest), 1) == 0) {
                return "a battery without a way";
            }
        }
        return NULL;
    case AU_ADVANCE: return au_can_advance(s, &now) ? NULL : "an advance that nobody can make";
    default: return NULL;
    }
}

const char *au_check(const struct state *s)
{
    const char *broken = check_board(s);
    if (broken == NULL) { broken = check_units(s); }
    if (broken == NULL) { broken = check_end(s); }
    if (broken == NULL) { broken = check_morale(s); }
    if (broken == NULL) { broken = check_plan(s); }
    if (broken == NULL) { broken = check_hand(s); }
    return broken != NULL ? broken : check_rest(s);
}
