/* common/rules/waterloo/supply.c: the end of a player turn: supply (W15), victory (W16), the next
 * slot. */
#include <string.h>

#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

/* W16.1: at so many units or fewer a nation surrenders. */
static const uint8_t surrender_at[WL_NATIONS] = {[WL_FR] = 9, [WL_AD] = 7, [WL_PR] = 8};

unsigned wl_owes_supply(const struct state *s, unsigned seat)
{
    unsigned owed = 0;
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if (wl_seat_of_nation(s, n) == seat) { owed += s->debt[n]; }
    }
    return owed;
}

/* W15.2, W15.3: each base that holds a French unit costs each nation named for it one unit. */
static bool find_debt(struct state *s)
{
    const struct wl_board *board = wl_board(s);
    uint64_t french = wl_towns_of_side(s, WL_SIDE_FR);
    bool any = false;
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        unsigned debt = 0;
        for (unsigned t = 0; t < board->map.towns; t++) {
            bool held = (french & WL_BIT64(t)) != 0;
            debt += held && (board->supply[t] & WL_BIT(n)) != 0;
        }
        unsigned left = wl_left(s, n);
        s->debt[n] = (uint8_t)(debt < left ? debt : left);
        any = any || s->debt[n] > 0;
    }
    return any;
}

/* All that belongs to the turn alone (W19.4). The draft of the next turn begins with a clean sheet.
 */
static void clear_turn(struct state *s)
{
    memset(s->groups_used, 0, sizeof s->groups_used);
    memset(s->ledger_move, 0, sizeof s->ledger_move);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        s->unit[u].marched = 0;
    }
}

/* What belongs to its battles: blocks stand up (W14.2). */
static void clear_battles(struct state *s)
{
    memset(s->ledger_retreat, 0, sizeof s->ledger_retreat);
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        wl_reset_fight(&s->fight[t]);
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        s->unit[u].won_ct = 0;
        s->unit[u].won_side = WL_NOBODY;
    }
    s->ct_n = 0;
    s->ct_side = 0;
    s->round_over = 0;
    s->ended = 0;
}

void wl_turn_end(struct wl_call *c)
{
    struct state *s = c->s;
    clear_battles(s);
    if (wl_phasing(s) == WL_SIDE_FR && find_debt(s)) {
        wl_tell_supply_due(c);
        wl_step_go(c, WL_SUPPLY);
    } else {
        wl_victory_check(c);
    }
}

static void pay(struct wl_call *c, unsigned seat, const struct wl_list *list)
{
    struct state *s = c->s;
    uint8_t town[WL_UNITS];
    uint64_t dead = 0;
    wl_tell_supply_removed(c, seat, list);
    for (unsigned i = 0; i < list->n; i++) {
        unsigned unit = list->unit[i];
        town[unit] = s->unit[unit].town;
        dead |= WL_BIT64(unit);
        s->debt[wl_nation(unit)]--;
        wl_eliminate(s, unit, WL_GONE_SUPPLY);
    }
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned unit = wl_unit_by_id_order[i];
        if ((dead & WL_BIT64(unit)) == 0) { continue; }
        wl_tell_eliminated(c, unit, WL_GONE_SUPPLY, town[unit], TELL_BOTH);
    }
}

/* W15.2: the owner chooses, anywhere on the map, at any CV, exactly as many of each nation as it
 * owes. */
enum err wl_act_remove(struct wl_call *c)
{
    static const char *const names[] = {"units", NULL};
    struct wl_list list = {0};
    uint64_t seen = 0;
    unsigned count[WL_NATIONS] = {0};
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_units(c, c->action, "!units", &seen, &list); }
    if (err != ERR_OK) { return err; }
    for (unsigned i = 0; i < list.n; i++) {
        count[wl_nation(list.unit[i])]++;
    }
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        bool own = wl_seat_of_nation(c->s, n) == c->seat;
        if (own && count[n] != c->s->debt[n]) { return wl_refuse(c, "W15.2"); }
    }
    pay(c, c->seat, &list);
    return ERR_OK;
}

/* W19.2: a debt equal to all the units that a nation has left. */
static bool settle_whole_nation(struct wl_call *c, unsigned nation)
{
    struct state *s = c->s;
    if (s->debt[nation] == 0 || s->debt[nation] != wl_left(s, nation)) { return false; }
    struct wl_list list = {0};
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned unit = wl_unit_by_id_order[i];
        if (wl_nation(unit) == nation && wl_on_map(s, unit)) {
            list.unit[list.n++] = (uint8_t)unit;
        }
    }
    unsigned seat = wl_seat_of_nation(s, nation);
    wl_tell_automatic(c, seat, "remove", NULL, WL_NONE);
    pay(c, seat, &list);
    return true;
}

bool wl_settle_supply(struct wl_call *c)
{
    unsigned owed = 0;
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if (settle_whole_nation(c, n)) { return true; }
        owed += c->s->debt[n];
    }
    if (owed > 0) { return false; }
    wl_victory_check(c);
    return true;
}

void wl_game_over(struct wl_call *c, unsigned winner, unsigned why)
{
    struct state *s = c->s;
    clear_battles(s);
    clear_turn(s);
    memset(s->debt, 0, sizeof s->debt);
    memset(s->seen_town, 0, sizeof s->seen_town);
    s->seen_marked = 0;
    s->confirmed = 0;
    s->pl_town = WL_NONE;
    s->pl_stage = 0;
    s->pl_asked = 0;
    memset(s->pl_hits, 0, sizeof s->pl_hits);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        struct wl_unit *unit = &s->unit[u];
        wl_take_up(s, u);
        memset(&unit->route, 0, sizeof unit->route);
        memset(&unit->told, 0, sizeof unit->told);
        unit->stranded = 0;
        unit->revealed = 0;
    }
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        wl_reset_fight(&s->fight[t]);
    }
    s->result_winner = (uint8_t)winner;
    s->result_why = (uint8_t)why;
    wl_step_go(c, WL_GAME_OVER);
    if (why != WL_WHY_AGREED) { wl_tell_game_over(c); }
}

/* W16.3: its remaining units are removed. */
static void surrender(struct wl_call *c, unsigned nation, unsigned left)
{
    struct state *s = c->s;
    s->surrendered |= (uint8_t)WL_BIT(nation);
    wl_tell_surrendered(c, nation, left);
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned unit = wl_unit_by_id_order[i];
        if (wl_nation(unit) != nation || !wl_on_map(s, unit)) { continue; }
        unsigned town = s->unit[unit].town;
        wl_eliminate(s, unit, WL_GONE_SURRENDER);
        wl_tell_eliminated(c, unit, WL_GONE_SURRENDER, town, TELL_BOTH);
    }
}

/* W3.1, W12.11: the marker advances; marks that held for the turn now over expire. */
static void next_slot(struct wl_call *c)
{
    struct state *s = c->s;
    clear_turn(s);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].marked_until <= s->slot) { s->unit[u].marked_until = 0; }
    }
    s->slot++;
    wl_step_go(c, WL_MOVE);
    wl_tell_turn(c);
}

void wl_victory_check(struct wl_call *c)
{
    struct state *s = c->s;
    unsigned french = wl_left(s, WL_FR);
    if (french <= surrender_at[WL_FR]) { /* W16.2 */
        wl_tell_surrendered(c, WL_FR, french);
        wl_game_over(c, WL_SIDE_AL, WL_WHY_SURRENDER);
        return;
    }
    for (unsigned n = WL_AD; n <= WL_PR; n++) {
        unsigned left = wl_left(s, n);
        bool already = (s->surrendered & WL_BIT(n)) != 0;
        if (!already && left <= surrender_at[n]) { surrender(c, n, left); }
    }
    uint32_t both = WL_BIT(WL_AD) | WL_BIT(WL_PR);
    if ((s->surrendered & both) == both) {
        wl_game_over(c, WL_SIDE_FR, WL_WHY_SURRENDER);
    } else if (s->slot >= s->turns) { /* W16.4 */
        wl_game_over(c, WL_SIDE_AL, WL_WHY_TIME);
    } else {
        next_slot(c);
    }
}
