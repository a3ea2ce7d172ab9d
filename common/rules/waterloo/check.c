/* common/rules/waterloo/check.c: what must hold in every state that is at rest. It runs on the copy
 * after every line, so it walks the units once and the fights once. */
#include "common/rules/waterloo/wl.h"

/* What one walk over the units gathers. */
struct walk {
    uint64_t towns[WL_SIDES];                      /* towns that hold units of a side */
    uint8_t column[PMAP_TOWNS_MAX][2][WL_LANES];   /* units in and advanced from a column */
    uint8_t advanced[PMAP_TOWNS_MAX][2][WL_LANES]; /* advanced ones */
    uint8_t waiting[PMAP_TOWNS_MAX][2];            /* undeployed */
    uint8_t routed[PMAP_TOWNS_MAX][2];
};

static const char *check_head(const struct state *s)
{
    const struct wl_board *board = wl_board(s);
    bool setup = s->step == WL_SETUP_ALLIED || s->step == WL_SETUP_FRENCH;
    if (s->base >= WL_BASES) { return "base"; }
    if (s->step >= WL_STEPS) { return "step"; }
    if (s->players != 2 && s->players != 3) { return "players"; }
    if (s->turns < 1 || s->turns > board->slots) { return "turns"; }
    if (setup != (s->slot == 0) && s->step != WL_GAME_OVER) { return "slot in the set-up"; }
    if (s->slot > s->turns) { return "slot after the last"; }
    if (s->ct_side > WL_DEF) { return "side of the combat turn"; }
    if (s->step == WL_COMBAT && s->ct_n == 0) { return "number of the combat turn"; }
    unsigned seats = (1U << wl_seats(s)) - 1U;
    if (((s->confirmed | s->ended | s->departed) & ~seats) != 0) { return "seats"; }
    if (!setup && s->step != WL_GAME_OVER && s->confirmed != 0) { return "confirmed in play"; }
    if ((s->surrendered & 1U << WL_FR) != 0) { return "the French surrendered and play on"; }
    bool agreed = s->result_winner == WL_NONE && s->result_why == WL_WHY_AGREED;
    if ((s->step == WL_GAME_OVER) != (s->result_winner < WL_SIDES || agreed)) { return "result"; }
    if ((s->step == WL_PURSUIT_LOSS) != (s->pl_asked != 0)) { return "losses to allot"; }
    if ((s->step == WL_PURSUIT_LOSS) != (s->pl_town != WL_NONE)) { return "town of the losses"; }
    bool owed = s->debt[WL_AD] != 0 || s->debt[WL_PR] != 0;
    if ((s->step == WL_SUPPLY) != owed || s->debt[WL_FR] != 0) { return "supply debt"; }
    return NULL;
}

static const char *check_gone(const struct wl_unit *unit)
{
    bool clean =
        unit->cv == 0 && unit->town == WL_NONE && unit->place == WL_NOWHERE && unit->route.len == 0;
    return clean ? NULL : "a unit that is gone is still somewhere";
}

static const char *check_battle_unit(const struct state *s, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    bool in_lane = unit->place == WL_COL || unit->place == WL_ADV;
    if (in_lane != (unit->lane >= 1 && unit->lane <= WL_LANES)) { return "lane of a unit"; }
    if (unit->place == WL_ADV && (unit->advanced_ct == 0 || wl_is_artillery(u))) {
        return "an advanced unit";
    }
    if (unit->place != WL_ADV && unit->advanced_ct != 0) { return "an advance left over"; }
    bool may_square = unit->place == WL_COL && wl_type(u) == WL_INFANTRY;
    if (unit->square && !may_square) { return "a square that is none (W10.1)"; }
    bool acts = s->step == WL_COMBAT && wl_battle_side_of(s, u) == s->ct_side;
    if ((unit->fired || unit->moves) && !acts) { return "an act out of turn"; }
    return NULL;
}

static const char *check_unit(const struct state *s, unsigned u, struct walk *w)
{
    const struct wl_unit *unit = &s->unit[u];
    const struct wl_board *board = wl_board(s);
    if (unit->gone >= WL_GONES) { return "cause of being gone"; }
    if (unit->gone != WL_ON_MAP) { return check_gone(unit); }
    if (unit->cv < 1 || unit->cv > wl_unit_facts[u].cv) { return "combat value"; }
    if (unit->town == WL_NONE) { return s->slot == 0 ? NULL : "a unit without a town"; }
    if (unit->town >= board->map.towns) { return "town of a unit"; }
    if (unit->marked_until > s->slot + 1) { return "a mark too long (W12.11)"; }
    if (unit->route.len > WL_PATH_MAX) { return "a route too long"; }
    bool plans = s->step == WL_MOVE || s->step == WL_RESPOND || s->step == WL_PURSUIT_LOSS;
    if (unit->route.len != 0 && !plans) { return "a route left over"; }
    if ((s->surrendered >> wl_nation(u) & 1U) != 0) {
        return "a unit of a nation that surrendered";
    }
    const struct wl_fight *fight = &s->fight[unit->town];
    unsigned side = wl_side(u);
    unsigned bs = wl_battle_side_of(s, u);
    w->towns[side] |= UINT64_C(1) << unit->town;
    if (fight->phase == WL_BATTLE) {
        if (unit->place == WL_NOWHERE || unit->place == WL_ROUTED) {
            return "no place in a battle";
        }
        if (unit->place == WL_UNDEPLOYED) { w->waiting[unit->town][bs]++; }
        const char *broken = check_battle_unit(s, u);
        if (broken != NULL) { return broken; }
        if (unit->lane != 0) { w->column[unit->town][bs][unit->lane - 1]++; }
        if (unit->place == WL_ADV) { w->advanced[unit->town][bs][unit->lane - 1]++; }
        return unit->won_ct != 0 ? "won and still fighting" : NULL;
    }
    if (unit->place == WL_ROUTED) {
        if (fight->rout_side != bs) { return "routed without a rout"; }
        w->routed[unit->town][bs]++;
        return NULL;
    }
    if (unit->place != WL_NOWHERE || unit->lane != 0) { return "a place without a battle"; }
    if (unit->square || unit->fired || unit->moves) { return "battle marks without a battle"; }
    if ((unit->won_ct != 0) != (unit->won_side != WL_NOBODY)) { return "won at"; }
    return NULL;
}

static const char *check_lanes(const struct state *s, unsigned t, const struct walk *w)
{
    const struct wl_fight *fight = &s->fight[t];
    for (unsigned i = 0; i < WL_LANES; i++) {
        unsigned att = w->advanced[t][WL_ATT][i];
        unsigned def = w->advanced[t][WL_DEF][i];
        unsigned by = att != 0 ? WL_ATT : def != 0 ? WL_DEF : WL_NOBODY;
        if (att != 0 && def != 0) { return "both sides advanced in a lane (W7.5)"; }
        if (fight->lane[i].engaged_by != by) { return "engaged by"; }
        if ((by != WL_NOBODY) != (fight->lane[i].engaged_ct != 0)) { return "engaged at"; }
        for (unsigned side = WL_ATT; side <= WL_DEF; side++) {
            bool empty = w->column[t][side][i] == 0 && w->waiting[t][side] == 0;
            if (empty && !fight->test_due) { return "an empty column (W13.1)"; }
        }
    }
    return NULL;
}

static const char *check_fight(const struct state *s, unsigned t, const struct walk *w)
{
    const struct wl_fight *fight = &s->fight[t];
    bool both = (w->towns[WL_SIDE_FR] & w->towns[WL_SIDE_AL] & UINT64_C(1) << t) != 0;
    bool answers = s->step == WL_RESPOND || s->step == WL_PURSUIT_LOSS;
    bool battles = s->step >= WL_DEPLOY_DEF && s->step <= WL_COMBAT;
    switch (fight->phase) {
    case WL_PEACE: return both && s->step != WL_GAME_OVER ? "both sides in a peaceful town" : NULL;
    case WL_ATTACKED:
        if (fight->answers > 2) { return "answers"; }
        return answers ? NULL : "an attack out of its step";
    case WL_BATTLE:
        if (!battles) { return "a battle out of its step"; }
        if (s->step == WL_COMBAT && w->waiting[t][WL_ATT] + w->waiting[t][WL_DEF] != 0) {
            return "undeployed in combat";
        }
        if (fight->idle_rounds > 4) { return "idle rounds (W7.7)"; }
        return check_lanes(s, t, w);
    case WL_BATTLE_OVER:
        if (s->step != WL_COMBAT) { return "a battle over out of combat"; }
        if (fight->rout_side == WL_NOBODY) { return both ? "both sides after a battle" : NULL; }
        return w->routed[t][fight->rout_side] == 0 ? "a rout without units" : NULL;
    default: return "phase of a fight";
    }
}

static const char *check_ledgers(const struct state *s)
{
    const struct wl_board *board = wl_board(s);
    for (unsigned r = 0; r < board->map.roads; r++) {
        unsigned most = wl_road_capacity(board, r);
        if (s->ledger_move[r] > most) { return "a road over its capacity (W4.6)"; }
        if (s->ledger_retreat[0][r] > most || s->ledger_retreat[1][r] > most) {
            return "a road over its capacity in retreat (W12.6)";
        }
    }
    return NULL;
}

const char *wl_check(const struct state *s)
{
    struct walk w = {0};
    const char *broken = check_head(s);
    for (unsigned u = 0; u < WL_UNITS && broken == NULL; u++) {
        broken = check_unit(s, u, &w);
    }
    if (s->step == WL_GAME_OVER) { return broken; } /* it may end amid a fight (W18.9) */
    for (unsigned t = 0; t < wl_board(s)->map.towns && broken == NULL; t++) {
        broken = check_fight(s, t, &w);
    }
    if (broken == NULL) { broken = check_ledgers(s); }
    if (broken == NULL && wl_to_act(s) == 0) { broken = "nobody is to act"; }
    return broken;
}
