/* common/rules/waterloo/setup.c: the set-up (W2). */
#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

unsigned wl_place_max(unsigned nation)
{
    static const uint8_t max[WL_NATIONS] = {[WL_FR] = 12, [WL_AD] = 3, [WL_PR] = 4};
    return max[nation];
}

const char *wl_forbid_place(const struct state *s, unsigned unit, unsigned town)
{
    unsigned zone = wl_board(s)->zone[town];
    if (wl_nation(unit) == WL_FR) { return zone == WL_ZONE_FRANCE ? NULL : "W2.4"; }
    if (zone == WL_ZONE_FRANCE) { return "W2.2"; }
    unsigned own = wl_nation(unit) == WL_AD ? WL_ZONE_ANGLO : WL_ZONE_PRUSSIAN;
    return zone == own ? NULL : "W2.3";
}

const char *wl_forbid_draft(const struct state *s)
{
    uint8_t count[PMAP_TOWNS_MAX][WL_NATIONS] = {{0}};
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!wl_on_map(s, u)) { continue; }
        unsigned nation = wl_nation(u);
        if (++count[s->unit[u].town][nation] > wl_place_max(nation)) {
            return nation == WL_FR ? "W2.4" : "W2.3";
        }
    }
    return NULL;
}

const char *wl_forbid_confirm(const struct state *s, unsigned seat)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool own = wl_seat_of_nation(s, wl_nation(u)) == seat;
        if (own && s->unit[u].gone == WL_ON_MAP && s->unit[u].town == WL_NONE) { return "W2.1"; }
    }
    return NULL;
}

/* W2.6: sets or changes the towns of the units named; the whole draft must keep the limits after
 * it. */
enum err wl_act_place(struct wl_call *c)
{
    static const char *const names[] = {"placements", NULL};
    static const char *const item_names[] = {"town", "unit", NULL};
    const cJSON *placements = NULL;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) {
        err = json_read_array(c->action, "!placements", 100000, &placements, c->why);
    }
    if (err != ERR_OK) { return err; }
    struct wl_list list = {0};
    uint8_t towns[WL_UNITS];
    uint64_t seen = 0;
    for (const cJSON *i = placements->child; i != NULL; i = i->next) {
        unsigned unit = 0;
        unsigned town = 0;
        err = wl_read_item(c, i, "placements", item_names);
        if (err == ERR_OK) { err = wl_read_unit(c, json_get(i, "unit"), "unit", &unit); }
        if (err == ERR_OK) { err = wl_read_town(c, i, "town", &town); }
        if (err != ERR_OK) { return err; }
        if ((seen & WL_BIT64(unit)) != 0) { return wl_refuse(c, "W19"); }
        seen |= WL_BIT64(unit);
        const char *rule = wl_forbid_place(c->s, unit, town);
        if (rule != NULL) { return wl_refuse(c, rule); }
        c->s->unit[unit].town = (uint8_t)town;
        towns[list.n] = (uint8_t)town;
        list.unit[list.n++] = (uint8_t)unit;
    }
    if (list.n == 0) { return wl_refuse(c, "W19"); }
    const char *rule = wl_forbid_draft(c->s);
    if (rule != NULL) { return wl_refuse(c, rule); }
    wl_tell_placed(c, &list, towns);
    return ERR_OK;
}

/* W2.6: binds. The enemy hears of it when the side's last seat has confirmed. */
enum err wl_act_confirm_setup(struct wl_call *c)
{
    static const char *const names[] = {NULL};
    enum err err = wl_read_only(c, names);
    if (err != ERR_OK) { return err; }
    const char *rule = wl_forbid_confirm(c->s, c->seat);
    if (rule != NULL) { return wl_refuse(c, rule); }
    c->s->confirmed |= (uint8_t)WL_BIT(c->seat);
    wl_tell_setup_confirmed(c, c->seat, TELL_OWN);
    return ERR_OK;
}

/* W2.1, W2.6: the French set up when all Allied seats have confirmed; then the first turn begins.
 */
bool wl_settle_setup(struct wl_call *c)
{
    struct state *s = c->s;
    unsigned side = s->step == WL_SETUP_ALLIED ? WL_SIDE_AL : WL_SIDE_FR;
    uint32_t seats = wl_seats_of_side(s, side);
    if ((s->confirmed & seats) != seats) { return false; }
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        if ((seats & WL_BIT(seat)) != 0) { wl_tell_setup_confirmed(c, seat, TELL_ENEMY); }
    }
    if (side == WL_SIDE_AL) {
        wl_step_go(c, WL_SETUP_FRENCH);
        return true;
    }
    s->confirmed = 0;
    s->slot = 1;
    wl_step_go(c, WL_MOVE);
    wl_tell_turn(c);
    return true;
}
