/* common/rules/waterloo/position_write.c: the whole state in the full form of the position page:
 * every member that has a meaning in the state, defaults written out. */
#include "common/base/jsonw.h"
#include "common/rules/waterloo/wl.h"

static const char *const step_ids[WL_STEPS] = {
    [WL_SETUP_ALLIED] = "SETUP_ALLIED",
    [WL_SETUP_FRENCH] = "SETUP_FRENCH",
    [WL_MOVE] = "MOVE",
    [WL_RESPOND] = "RESPOND",
    [WL_PURSUIT_LOSS] = "PURSUIT_LOSS",
    [WL_DEPLOY_DEF] = "DEPLOY_DEF",
    [WL_DEPLOY_ATT] = "DEPLOY_ATT",
    [WL_COMBAT] = "COMBAT",
    [WL_SUPPLY] = "SUPPLY",
    [WL_GAME_OVER] = "GAME_OVER",
};
static const char *const gone_ids[WL_GONES] = {
    [WL_ON_MAP] = "",
    [WL_GONE_BEFORE] = "before",
    [WL_GONE_MARCH] = "march",
    [WL_GONE_PURSUIT] = "pursuit",
    [WL_GONE_STRANDED] = "stranded",
    [WL_GONE_FIRE] = "fire",
    [WL_GONE_RETREAT] = "retreat",
    [WL_GONE_ROUT] = "rout",
    [WL_GONE_SUPPLY] = "supply",
    [WL_GONE_SURRENDER] = "surrender",
};
static const char *const battle_side_ids[] = {"att", "def", "none"};
static const char *const place_ids[] = {"", "undeployed", "col", "adv", "res", ""};
static const char *const why_ids[WL_WHYS] = {"surrender", "time", "departed", "agreed"};
static const char *const lane_ids[WL_LANES] = {"1", "2", "3"};

const char *wl_step_id(unsigned step)
{
    return step_ids[step];
}

const char *wl_gone_id(unsigned gone)
{
    return gone_ids[gone];
}

static const char *town_id(const struct state *s, unsigned town)
{
    return wl_board(s)->map.town_ids[town];
}

static void write_seats(const struct state *s, const char *name, unsigned seats, struct buf *out)
{
    jw_key_array(out, name);
    /* Ascending by code: AD or AL, FR, PR. */
    static const uint8_t by_code[SEATS_MAX] = {1, 0, 2};
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        /* Of two allies the second may be called AL, which comes before FR. */
        unsigned seat = by_code[i];
        if (s->players == 3 && wl_seat_id(s, 2)[0] == 'A') { seat = (unsigned[]){1, 2, 0}[i]; }
        if ((seats >> seat & 1U) != 0) { jw_str(out, wl_seat_id(s, seat)); }
    }
    jw_array_end(out);
}

static void write_towns(const struct state *s, uint64_t set, struct buf *out)
{
    jw_array_begin(out);
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if ((set >> t & 1U) != 0) { jw_str(out, town_id(s, t)); }
    }
    jw_array_end(out);
}

static void write_roads(const struct state *s, const uint32_t set[4], struct buf *out)
{
    jw_key_array(out, "attack_roads");
    for (unsigned r = 0; r < wl_board(s)->map.roads; r++) {
        if (wl_road_in(set, r)) { jw_str(out, wl_board(s)->map.road_ids[r]); }
    }
    jw_array_end(out);
}

static void write_ledger(const struct state *s, const char *name, const uint8_t *ledger,
                         struct buf *out)
{
    jw_key_object(out, name);
    for (unsigned r = 0; r < wl_board(s)->map.roads; r++) {
        if (ledger[r] != 0) { jw_key_int(out, wl_board(s)->map.road_ids[r], ledger[r]); }
    }
    jw_object_end(out);
}

static void write_item(const struct state *s, unsigned u, struct buf *out)
{
    const struct wl_route *route = &s->unit[u].route;
    jw_object_begin(out);
    jw_key_str(out, "unit", wl_unit_facts[u].id);
    jw_key_array(out, "path");
    for (unsigned i = 0; i < route->len; i++) {
        jw_str(out, town_id(s, route->town[i]));
    }
    jw_array_end(out);
    jw_key_bool(out, "forced", route->forced != 0);
    jw_object_end(out);
}

/* The routes of the units in that bit set, in the order in which they were drafted. */
static void write_items(const struct state *s, const char *name, uint64_t units, struct buf *out)
{
    jw_key_array(out, name);
    while (units != 0) {
        unsigned next = WL_NONE;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            bool waits = (units >> u & 1U) != 0;
            if (waits && (next == WL_NONE || s->unit[u].route.order < s->unit[next].route.order)) {
                next = u;
            }
        }
        write_item(s, next, out);
        units &= ~(UINT64_C(1) << next);
    }
    jw_array_end(out);
}

static uint64_t routed_units(const struct state *s)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].route.len > 0) { set |= UINT64_C(1) << u; }
    }
    return set;
}

static void write_units(const struct state *s, struct buf *out)
{
    jw_key_object(out, "units");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        const struct wl_unit *unit = &s->unit[u];
        jw_key_object(out, wl_unit_facts[u].id);
        if (unit->gone != WL_ON_MAP) {
            jw_key_str(out, "gone", gone_ids[unit->gone]);
        } else {
            if (unit->town != WL_NONE) { jw_key_str(out, "town", town_id(s, unit->town)); }
            jw_key_int(out, "cv", unit->cv);
            jw_key_int(out, "marked_until", unit->marked_until);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_pursuit(const struct state *s, struct buf *out)
{
    jw_key_object(out, "pursuit");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].no_pursuit == 0) { continue; }
        jw_key_object(out, town_id(s, t));
        for (unsigned seat = 0; seat < wl_seats(s); seat++) {
            if ((s->fight[t].no_pursuit >> seat & 1U) != 0) {
                jw_key_str(out, wl_seat_id(s, seat), "none");
            }
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

/* What the turn has used up: groups, roads, units that marched (W19.4). */
static void write_used(const struct state *s, struct buf *out)
{
    jw_key_object(out, "groups_used");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        jw_key(out, wl_nation_ids[n]);
        write_towns(s, s->groups_used[n], out);
    }
    jw_object_end(out);
    write_ledger(s, "ledger_move", s->ledger_move, out);
    jw_key_array(out, "marched");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if (s->unit[u].marched) { jw_str(out, wl_unit_facts[u].id); }
    }
    jw_array_end(out);
}

static void write_answer(const struct state *s, unsigned town, const struct wl_answer *answer,
                         struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "seat", wl_seat_id(s, answer->seat));
    jw_key_str(out, "choice", answer->choice ? "retreat" : "fight");
    uint64_t mine = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = wl_on_map(s, u) && s->unit[u].town == town;
        bool seat = wl_seat_of_nation(s, wl_nation(u)) == answer->seat;
        if (here && seat) { mine |= UINT64_C(1) << u; }
    }
    write_items(s, "routes", mine & routed_units(s), out);
    jw_key_array(out, "stranded");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((mine >> u & 1U) != 0 && s->unit[u].stranded) { jw_str(out, wl_unit_facts[u].id); }
    }
    jw_array_end(out);
    jw_key_bool(out, "automatic", answer->automatic != 0);
    jw_object_end(out);
}

static void write_attacks(const struct state *s, struct buf *out)
{
    jw_key_object(out, "attacks");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        const struct wl_fight *fight = &s->fight[t];
        if (fight->phase != WL_ATTACKED) { continue; }
        jw_key_object(out, town_id(s, t));
        write_roads(s, fight->attack_roads, out);
        jw_key_array(out, "answers");
        for (unsigned i = 0; i < fight->answers; i++) {
            write_answer(s, t, &fight->answer[i], out);
        }
        jw_array_end(out);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_pursuit_loss(const struct state *s, struct buf *out)
{
    jw_key_object(out, "pursuit_loss");
    jw_key_str(out, "town", town_id(s, s->pl_town));
    jw_key_str(out, "stage", s->pl_stage == 0 ? "A" : "B");
    jw_key_object(out, "hits");
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if ((s->pl_asked >> seat & 1U) != 0) {
            jw_key_int(out, wl_seat_id(s, seat), s->pl_hits[seat]);
        }
    }
    jw_object_end(out);
    jw_object_end(out);
}

static void write_rout(const struct state *s, unsigned town, struct buf *out)
{
    const struct wl_fight *fight = &s->fight[town];
    jw_key_object(out, "rout");
    jw_key_str(out, "side", battle_side_ids[fight->rout_side]);
    jw_key_object(out, "units");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if (s->unit[u].place != WL_ROUTED || s->unit[u].town != town || !wl_on_map(s, u)) {
            continue;
        }
        jw_key_object(out, wl_unit_facts[u].id);
        jw_key_bool(out, "revealed", s->unit[u].revealed != 0);
        jw_object_end(out);
    }
    jw_object_end(out);
    jw_key(out, "enemy_towns");
    write_towns(s, fight->enemy_towns, out);
    jw_object_end(out);
}

static void write_battle_unit(const struct wl_unit *unit, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "place", place_ids[unit->place]);
    if (unit->place == WL_COL || unit->place == WL_ADV) { jw_key_int(out, "lane", unit->lane); }
    if (unit->place == WL_ADV) { jw_key_int(out, "advanced_ct", unit->advanced_ct); }
    jw_key_bool(out, "square", unit->square != 0);
    jw_key_bool(out, "fired", unit->fired != 0);
    jw_key_int(out, "moves", unit->moves);
    jw_object_end(out);
}

static void write_battle(const struct state *s, unsigned town, struct buf *out)
{
    const struct wl_fight *fight = &s->fight[town];
    bool over = fight->phase == WL_BATTLE_OVER;
    jw_key_object(out, town_id(s, town));
    jw_key_bool(out, "over", over);
    if (!over || fight->rout_side != WL_NOBODY) { write_roads(s, fight->attack_roads, out); }
    if (fight->rout_side != WL_NOBODY) { write_rout(s, town, out); }
    if (!over) {
        jw_key_object(out, "units");
        for (unsigned i = 0; i < WL_UNITS; i++) {
            unsigned u = wl_unit_by_id_order[i];
            if (s->unit[u].town != town || !wl_on_map(s, u)) { continue; }
            jw_key(out, wl_unit_facts[u].id);
            write_battle_unit(&s->unit[u], out);
        }
        jw_object_end(out);
        jw_key_object(out, "lanes");
        for (unsigned i = 0; i < WL_LANES; i++) {
            jw_key_object(out, lane_ids[i]);
            jw_key_str(out, "engaged_by", battle_side_ids[fight->lane[i].engaged_by]);
            if (fight->lane[i].engaged_by != WL_NOBODY) {
                jw_key_int(out, "engaged_ct", fight->lane[i].engaged_ct);
            }
            jw_object_end(out);
        }
        jw_object_end(out);
        jw_key_bool(out, "fired_last_round", fight->fired_last_round != 0);
        jw_key_bool(out, "fired_this_round", fight->fired_this_round != 0);
        jw_key_bool(out, "attacker_acted", fight->attacker_acted != 0);
        jw_key_int(out, "idle_rounds", fight->idle_rounds);
        jw_key_bool(out, "test_due", fight->test_due != 0);
    }
    jw_object_end(out);
}

static void write_battles(const struct state *s, struct buf *out)
{
    jw_key_object(out, "battles");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        unsigned phase = s->fight[t].phase;
        if (phase == WL_BATTLE || phase == WL_BATTLE_OVER) { write_battle(s, t, out); }
    }
    jw_object_end(out);
}

static void write_combat(const struct state *s, struct buf *out)
{
    jw_key_object(out, "ct");
    jw_key_str(out, "side", battle_side_ids[s->ct_side]);
    jw_key_int(out, "n", s->ct_n);
    jw_key_bool(out, "round_over", s->round_over != 0);
    jw_object_end(out);
    jw_key_object(out, "won_at");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if (s->unit[u].won_ct == 0 || !wl_on_map(s, u)) { continue; }
        jw_key_object(out, wl_unit_facts[u].id);
        jw_key_str(out, "side", battle_side_ids[s->unit[u].won_side]);
        jw_key_int(out, "n", s->unit[u].won_ct);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_ledger_retreat(const struct state *s, struct buf *out)
{
    jw_key_object(out, "ledger_retreat");
    for (unsigned side = 0; side < WL_SIDES; side++) {
        write_ledger(s, wl_side_ids[side], s->ledger_retreat[side], out);
    }
    jw_object_end(out);
}

static void write_nations(const char *name, unsigned nations, struct buf *out)
{
    jw_key_array(out, name);
    static const uint8_t by_id[WL_NATIONS] = {WL_AD, WL_FR, WL_PR};
    for (unsigned i = 0; i < WL_NATIONS; i++) {
        if ((nations >> by_id[i] & 1U) != 0) { jw_str(out, wl_nation_ids[by_id[i]]); }
    }
    jw_array_end(out);
}

/* Position page sections 1 and 5: the members that its table names for the state. */
void wl_position_write(const struct state *s, struct buf *out)
{
    unsigned step = s->step;
    bool setup = step == WL_SETUP_ALLIED || step == WL_SETUP_FRENCH;
    bool turn = step >= WL_RESPOND && step <= WL_SUPPLY;
    jw_object_begin(out);
    jw_key_str(out, "base", s->base == WL_BASE_FIXTURE ? "fixture" : "real");
    jw_key_int(out, "slot", s->slot);
    jw_key_str(out, "state", step_ids[step]);
    write_units(s, out);
    if (setup) { write_seats(s, "confirmed", s->confirmed, out); }
    if (step == WL_MOVE) { write_items(s, "marches", routed_units(s), out); }
    if (step == WL_MOVE || step == WL_RESPOND || step == WL_COMBAT) {
        write_seats(s, "ended", s->ended, out);
    }
    if (step == WL_MOVE || step == WL_RESPOND || step == WL_PURSUIT_LOSS) { write_pursuit(s, out); }
    if (turn) { write_used(s, out); }
    if (turn && step != WL_SUPPLY) { write_ledger_retreat(s, out); }
    if (step == WL_RESPOND || step == WL_PURSUIT_LOSS) { write_attacks(s, out); }
    if (step == WL_PURSUIT_LOSS) { write_pursuit_loss(s, out); }
    if (step >= WL_DEPLOY_DEF && step <= WL_COMBAT) { write_battles(s, out); }
    if (step == WL_COMBAT) { write_combat(s, out); }
    if (step == WL_SUPPLY) {
        jw_key_object(out, "debt");
        for (unsigned n = 0; n < WL_NATIONS; n++) {
            if (s->debt[n] != 0) { jw_key_int(out, wl_nation_ids[n], s->debt[n]); }
        }
        jw_object_end(out);
    }
    if (!setup) { write_nations("surrendered", s->surrendered, out); }
    write_seats(s, "departed", s->departed, out);
    if (step == WL_GAME_OVER) {
        jw_key_object(out, "result");
        if (s->result_winner < WL_SIDES) {
            jw_key_str(out, "winner", wl_side_ids[s->result_winner]);
        }
        jw_key_str(out, "why", why_ids[s->result_why]);
        jw_object_end(out);
    }
    jw_object_end(out);
}
