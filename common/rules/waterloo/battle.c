/* common/rules/waterloo/battle.c: what units do in a combat turn: moves (W8) and squares (W10). */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

const char *const wl_kind_ids[WL_KINDS] = {
    "advance", "withdraw", "redeploy", "to_reserve", "from_reserve", "form_square", "break_square"};

/* W8.1: where each kind of move starts, and whether it names the lane it goes to. */
static const struct kind_row {
    uint8_t from; /* enum wl_place */
    bool names_lane;
} kinds[WL_KINDS] = {
    [WL_ADVANCE] = {WL_COL, false},      [WL_WITHDRAW] = {WL_ADV, false},
    [WL_REDEPLOY] = {WL_COL, true},      [WL_TO_RESERVE] = {WL_COL, false},
    [WL_FROM_RESERVE] = {WL_RES, true},  [WL_FORM_SQUARE] = {WL_COL, false},
    [WL_BREAK_SQUARE] = {WL_COL, false},
};

/* ---- questions about a battle ---- */

unsigned wl_acting_side(const struct state *s)
{
    unsigned phasing = wl_phasing(s);
    return s->ct_side == WL_ATT ? phasing : wl_other(phasing);
}

bool wl_in_battle(const struct state *s, unsigned town, unsigned unit)
{
    const struct wl_unit *u = &s->unit[unit];
    return s->fight[town].phase == WL_BATTLE && u->town == town && u->place >= WL_COL &&
           u->place <= WL_RES;
}

unsigned wl_column(const struct state *s, unsigned town, unsigned battle_side, unsigned lane)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        bool there = unit->town == town && unit->lane == lane;
        count += there && wl_battle_side_of(s, u) == battle_side;
    }
    return count;
}

static const struct wl_lane *lane_of(const struct state *s, unsigned town, unsigned unit)
{
    return &s->fight[town].lane[s->unit[unit].lane - 1];
}

/* The unit stands in its column, and an enemy is advanced against it. */
static bool is_faced(const struct state *s, unsigned town, unsigned unit)
{
    if (s->unit[unit].place != WL_COL) { return false; }
    unsigned by = lane_of(s, town, unit)->engaged_by;
    return by != WL_NOBODY && by != wl_battle_side_of(s, unit);
}

bool wl_is_engaged(const struct state *s, unsigned town, unsigned unit)
{
    return s->unit[unit].place == WL_ADV || is_faced(s, town, unit);
}

/* Enemy units that an engaged unit is engaged with: for a unit in a column those advanced, for an
 * advanced unit the column (R33). Bit by type. */
static unsigned faced_types(const struct state *s, unsigned town, unsigned unit)
{
    if (!wl_is_engaged(s, town, unit)) { return 0; }
    unsigned place = s->unit[unit].place == WL_ADV ? WL_COL : WL_ADV;
    unsigned types = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *other = &s->unit[u];
        bool there =
            other->town == town && other->place == place && other->lane == s->unit[unit].lane;
        if (there && wl_side(u) != wl_side(unit)) { types |= WL_BIT(wl_type(u)); }
    }
    return types;
}

bool wl_faces_troops(const struct state *s, unsigned town, unsigned unit)
{
    return (faced_types(s, town, unit) & (WL_BIT(WL_INFANTRY) | WL_BIT(WL_CAVALRY))) != 0;
}

bool wl_faces_cavalry(const struct state *s, unsigned town, unsigned unit)
{
    return (faced_types(s, town, unit) & WL_BIT(WL_CAVALRY)) != 0;
}

/* W19.3: for a lane engaged in {att, n} it is the defender's CT n, in {def, n} the attacker's CT
 * after that. */
bool wl_is_first_since(const struct state *s, unsigned town, unsigned lane)
{
    const struct wl_lane *l = &s->fight[town].lane[lane - 1];
    if (l->engaged_by == WL_NOBODY || l->engaged_by == s->ct_side) { return false; }
    unsigned first = l->engaged_by == WL_ATT ? l->engaged_ct : l->engaged_ct + 1U;
    return s->ct_n == first;
}

/* ---- moves ---- */

/* W8.2: moves in a combat turn. */
static unsigned moves_max(unsigned unit)
{
    return wl_type(unit) == WL_CAVALRY ? 2 : 1;
}

/* W10.1-W10.3: squares. */
static const char *forbid_square(const struct state *s, unsigned town, unsigned unit, bool form)
{
    const struct wl_unit *u = &s->unit[unit];
    if (wl_type(unit) != WL_INFANTRY) { return "W10.1"; }
    if (form == (u->square != 0)) { return "W10.1"; }
    bool engaged = is_faced(s, town, unit);
    if (!form) { return engaged ? "W10.3" : NULL; }
    return engaged && !wl_is_first_since(s, town, u->lane) ? "W10.2" : NULL;
}

/* W8.1: redeploy goes to a neighbouring column, from_reserve to any; nothing else names one. */
static const char *forbid_lane(const struct state *s, unsigned unit, enum wl_kind kind, unsigned to)
{
    if (!kinds[kind].names_lane) { return to == 0 ? NULL : "W8.1"; }
    if (to < 1 || to > WL_LANES) { return "W8.1"; }
    if (kind == WL_FROM_RESERVE) { return NULL; }
    unsigned from = s->unit[unit].lane;
    return to + 1 == from || from + 1 == to ? NULL : "W8.1";
}

const char *wl_forbid_move(const struct state *s, unsigned town, unsigned unit, enum wl_kind kind,
                           unsigned to)
{
    const struct wl_unit *u = &s->unit[unit];
    bool square = kind == WL_FORM_SQUARE || kind == WL_BREAK_SQUARE;
    if (!wl_in_battle(s, town, unit) || u->place != kinds[kind].from) {
        bool advanced = wl_in_battle(s, town, unit) && u->place == WL_ADV;
        if (square) { return "W10.1"; }
        return advanced ? "W8.4" : "W8.1";
    }
    const char *rule = forbid_lane(s, unit, kind, to);
    if (rule != NULL) { return rule; }
    if (kind == WL_ADVANCE && wl_is_artillery(unit)) { return "W8.2"; }
    if (!square && is_faced(s, town, unit)) { return "W8.4"; }
    if (!square && u->square) { return "W10.4"; }
    if (u->fired && wl_type(unit) != WL_HORSE_ARTILLERY) { return "W7.2"; }
    if (u->moves >= moves_max(unit)) { return "W8.2"; }
    if (square) { return forbid_square(s, town, unit, kind == WL_FORM_SQUARE); }
    unsigned own = wl_battle_side_of(s, unit);
    bool leaves = kind == WL_REDEPLOY || kind == WL_TO_RESERVE;
    if (leaves && wl_column(s, town, own, u->lane) == 1) { return "W8.6"; }
    bool nobody =
        kind == WL_ADVANCE && wl_column(s, town, own == WL_ATT ? WL_DEF : WL_ATT, u->lane) == 0;
    return nobody ? "W8.1" : NULL;
}

/* W7.4, W7.5: into the middle ground; the lane is engaged from now on. */
static void advance(struct state *s, unsigned town, unsigned unit)
{
    struct wl_lane *lane = &s->fight[town].lane[s->unit[unit].lane - 1];
    s->unit[unit].place = WL_ADV;
    s->unit[unit].advanced_ct = s->ct_n;
    if (lane->engaged_by == WL_NOBODY) {
        lane->engaged_by = s->ct_side;
        lane->engaged_ct = s->ct_n;
    }
    if (s->ct_side == WL_ATT) { s->fight[town].attacker_acted = 1; }
}

/* Puts the unit on another place, keeping what it has done in this combat turn. */
static void place(struct state *s, unsigned unit, unsigned where, unsigned lane)
{
    struct wl_unit *u = &s->unit[unit];
    uint8_t fired = u->fired;
    uint8_t moves = u->moves;
    wl_take_up(s, unit);
    u->place = (uint8_t)where;
    u->lane = (uint8_t)lane;
    u->fired = fired;
    u->moves = moves;
}

static void carry_out(struct state *s, unsigned town, unsigned unit, enum wl_kind kind, unsigned to)
{
    struct wl_unit *u = &s->unit[unit];
    u->moves++;
    switch (kind) {
    case WL_ADVANCE: advance(s, town, unit); break;
    case WL_WITHDRAW: place(s, unit, WL_COL, u->lane); break;
    case WL_TO_RESERVE: place(s, unit, WL_RES, 0); break;
    case WL_REDEPLOY:
    case WL_FROM_RESERVE:
        place(s, unit, WL_COL, to);
        if (is_faced(s, town, unit)) { u->moves = 2; } /* W8.4: its moves are over */
        break;
    case WL_FORM_SQUARE:
    case WL_BREAK_SQUARE: u->square = kind == WL_FORM_SQUARE; break;
    case WL_KINDS: break;
    }
}

enum err wl_act_move(struct wl_call *c)
{
    static const char *const names[] = {"battle", "kind", "to", "unit", NULL};
    const char *kind_id = NULL;
    int64_t to = 0;
    unsigned town = 0;
    unsigned unit = 0;
    unsigned kind = 0;
    struct state *s = c->s;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "battle", &town); }
    if (err == ERR_OK) { err = wl_read_unit(c, json_get(c->action, "unit"), "unit", &unit); }
    if (err == ERR_OK) { err = json_read_str(c->action, "!kind", 64, &kind_id, c->why); }
    if (err == ERR_OK) { err = json_read_int(c->action, "to", 1, WL_LANES, &to, c->why); }
    if (err != ERR_OK) { return err; }
    while (kind < WL_KINDS && strcmp(wl_kind_ids[kind], kind_id) != 0) {
        kind++;
    }
    if (kind == WL_KINDS) { return why_member(c->why, "kind", "There is no such move."); }
    if (kinds[kind].names_lane && to == 0) {
        return why_member(c->why, "to", "This move names the lane it goes to.");
    }
    if (!kinds[kind].names_lane && to != 0) {
        return why_member(c->why, "to", "This move names no lane.");
    }
    if (s->fight[town].phase != WL_BATTLE) { return wl_refuse(c, "W19"); }
    const char *rule = wl_forbid_move(s, town, unit, (enum wl_kind)kind, (unsigned)to);
    if (rule != NULL) { return wl_refuse(c, rule); }
    unsigned from = s->unit[unit].lane;
    carry_out(s, town, unit, (enum wl_kind)kind, (unsigned)to);
    wl_tell_moved(c, town, unit, (enum wl_kind)kind, from, s->unit[unit].lane);
    return ERR_OK;
}
