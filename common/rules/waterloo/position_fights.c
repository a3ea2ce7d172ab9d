/* common/rules/waterloo/position_fights.c: the attacks and battles of a position. */
#include <string.h>

#include "common/rules/waterloo/position.h"

#define BIT64(n) (UINT64_C(1) << (n))

static const char *const lane_ids[WL_LANES] = {"1", "2", "3"};

static unsigned attacker(const struct state *s)
{
    return wl_phasing(s);
}

static bool side_is(const struct state *s, unsigned unit, unsigned battle_side)
{
    return wl_battle_side_of(s, unit) == battle_side;
}

static bool read_battle_side(const char *text, unsigned *out)
{
    if (strcmp(text, "att") == 0) { *out = WL_ATT; }
    if (strcmp(text, "def") == 0) { *out = WL_DEF; }
    return strcmp(text, "att") == 0 || strcmp(text, "def") == 0;
}

/* The latest CT that a side has begun: the defender's n-th follows the attacker's. */
static unsigned last_ct(const struct state *s, unsigned battle_side)
{
    if (s->step != WL_COMBAT) { return 0; }
    return battle_side == WL_DEF && s->ct_side == WL_ATT ? s->ct_n - 1U : s->ct_n;
}

static enum err read_roads(struct wl_reader *r, const cJSON *object, unsigned town, bool needed)
{
    struct wl_fight *fight = &r->s->fight[town];
    const struct pmap *map = &wl_board(r->s)->map;
    enum err err = wl_pos_set(r, object, "attack_roads", wl_pos_add_road, fight->attack_roads);
    if (err != ERR_OK) { return err; }
    bool any = false;
    for (unsigned road = 0; road < map->roads; road++) {
        if (!wl_road_in(fight->attack_roads, road)) { continue; }
        any = true;
        if (map->road[road].a != town && map->road[road].b != town) {
            return why_member(r->why, "attack_roads", "An attack road ends in the town.");
        }
    }
    if (needed && !any) {
        return why_member(r->why, "attack_roads", "An attack has at least one road.");
    }
    return ERR_OK;
}

/* ---- attacks and their answers ---- */

/* Units of that seat that stand in the town. */
static uint64_t units_of_seat(const struct state *s, unsigned town, unsigned seat)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = wl_on_map(s, u) && s->unit[u].town == town;
        if (here && wl_seat_of_nation(s, wl_nation(u)) == seat) { set |= BIT64(u); }
    }
    return set;
}

static enum err read_routes(struct wl_reader *r, const cJSON *answer, uint64_t mine,
                            uint64_t *named)
{
    const cJSON *list = NULL;
    uint16_t order = 0;
    enum err err = json_read_array(answer, "routes", WL_UNITS, &list, r->why);
    if (err == ERR_TOO_LARGE) { return ERR_INVALID_PARAMS; }
    if (err != ERR_OK || list == NULL) { return err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        unsigned unit = WL_NONE;
        struct wl_route route = {0};
        err = wl_pos_item(r, i, "routes", &unit, &route);
        if (err != ERR_OK) { return err; }
        if ((mine & BIT64(unit)) == 0 || (*named & BIT64(unit)) != 0) {
            return why_member(r->why, "routes", "A route is of a unit of the seat in the town.");
        }
        *named |= BIT64(unit);
        route.order = order++;
        r->s->unit[unit].route = route;
    }
    return ERR_OK;
}

static enum err read_answer(struct wl_reader *r, const cJSON *in, unsigned town)
{
    static const char *const names[] = {"automatic", "choice", "routes", "seat", "stranded", NULL};
    struct state *s = r->s;
    struct wl_fight *fight = &s->fight[town];
    const char *seat_id = "";
    const char *choice = "";
    unsigned seat = 0;
    bool automatic = false;
    uint64_t stranded = 0;
    uint64_t named = 0;
    enum err err = json_only(in, names, r->why);
    if (err == ERR_OK) { err = json_read_str(in, "!seat", 8, &seat_id, r->why); }
    if (err == ERR_OK) { err = wl_pos_seat(r, seat_id, "seat", &seat); }
    if (err == ERR_OK) { err = json_read_str(in, "!choice", 8, &choice, r->why); }
    if (err == ERR_OK) { err = json_read_bool(in, "automatic", &automatic, r->why); }
    if (err != ERR_OK) { return err; }
    bool retreat = strcmp(choice, "retreat") == 0;
    if (!retreat && strcmp(choice, "fight") != 0) {
        return why_member(r->why, "choice", "A choice is fight or retreat.");
    }
    bool twice = fight->answers > 0 && fight->answer[0].seat == seat;
    if (fight->answers == 2 || twice || wl_side_of_seat(seat) == attacker(s)) {
        return why_member(r->why, "seat", "Each defending seat answers once.");
    }
    uint64_t mine = units_of_seat(s, town, seat);
    err = read_routes(r, in, mine, &named);
    if (err == ERR_OK) { err = wl_pos_set(r, in, "stranded", wl_pos_add_unit, &stranded); }
    if (err != ERR_OK) { return err; }
    if ((stranded & ~mine) != 0 || (stranded & named) != 0) {
        return why_member(r->why, "stranded", "A stranded unit is of the seat, in the town.");
    }
    if ((stranded | named) != (retreat ? mine : 0)) {
        return why_member(r->why, "routes", "A retreat names every unit of the seat once (W5.3).");
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if ((stranded & BIT64(u)) != 0) { s->unit[u].stranded = 1; }
    }
    fight->answer[fight->answers++] =
        (struct wl_answer){.seat = (uint8_t)seat, .choice = retreat, .automatic = automatic};
    return ERR_OK;
}

/* Whose units have gone: all of a town whose contingents have all answered, unless losses are due.
 */
static enum err settle_answers(struct wl_reader *r, unsigned town, bool losses_due)
{
    struct state *s = r->s;
    struct wl_fight *fight = &s->fight[town];
    unsigned answered = 0;
    for (unsigned i = 0; i < fight->answers; i++) {
        answered |= 1U << fight->answer[i].seat;
    }
    bool waits = losses_due;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = wl_on_map(s, u) && s->unit[u].town == town && wl_side(u) != attacker(s);
        if (here && (answered >> wl_seat_of_nation(s, wl_nation(u)) & 1U) == 0) { waits = true; }
    }
    for (unsigned i = 0; i < fight->answers; i++) {
        fight->answer[i].walked = !waits && fight->answer[i].choice != 0;
    }
    for (unsigned u = 0; u < WL_UNITS && !waits; u++) {
        if (s->unit[u].town == town && s->unit[u].route.len > 0) {
            return why_member(r->why, "routes", "The server would walk these routes.");
        }
    }
    return ERR_OK;
}

/* The town whose losses are asked for, PMAP_NONE if none. */
static unsigned losses_town(struct wl_reader *r)
{
    const cJSON *loss = json_get(r->in, "pursuit_loss");
    const cJSON *town = loss == NULL ? NULL : json_get(loss, "town");
    return cJSON_IsString(town) ? pmap_town(&wl_board(r->s)->map, town->valuestring) : PMAP_NONE;
}

static enum err read_attack(struct wl_reader *r, const cJSON *in, unsigned town)
{
    static const char *const names[] = {"answers", "attack_roads", NULL};
    struct state *s = r->s;
    const cJSON *answers = NULL;
    s->fight[town].phase = WL_ATTACKED;
    enum err err = json_only(in, names, r->why);
    if (err == ERR_OK) { err = read_roads(r, in, town, true); }
    if (err == ERR_OK) { err = json_read_array(in, "answers", 2, &answers, r->why); }
    if (err != ERR_OK) { return err == ERR_TOO_LARGE ? ERR_INVALID_PARAMS : err; }
    if (wl_count_side(s, town, attacker(s)) == 0) {
        return why_member(r->why, "attacks", "An attack has attackers.");
    }
    for (const cJSON *i = answers == NULL ? NULL : answers->child; i != NULL; i = i->next) {
        err = read_answer(r, i, town);
        if (err != ERR_OK) { return err; }
    }
    if (s->fight[town].answers == 0 && wl_count_side(s, town, wl_other(attacker(s))) == 0) {
        return why_member(r->why, "attacks", "An attack has a defender, or his answer.");
    }
    return settle_answers(r, town, town == losses_town(r));
}

enum err wl_pos_attacks(struct wl_reader *r)
{
    const cJSON *attacks = NULL;
    enum err err = json_read_object(r->in, "attacks", &attacks, r->why);
    if (err != ERR_OK || attacks == NULL) { return err; }
    for (const cJSON *i = attacks->child; i != NULL; i = i->next) {
        unsigned town = 0;
        err = wl_pos_town(r, i->string, "attacks", &town);
        if (err == ERR_OK) { err = read_attack(r, i, town); }
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

/* In MOVE the towns that drafts of that seat enter, later those that are attacked (W4.15). */
static bool may_state(const struct state *s, unsigned seat, unsigned town)
{
    if (s->step != WL_MOVE) { return s->fight[town].phase == WL_ATTACKED; }
    bool enters = false;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        bool mine = wl_seat_of_nation(s, wl_nation(u)) == seat;
        if (mine && route->len > 0 && route->town[route->len - 1] == town) { enters = true; }
    }
    return enters && (s->ended >> seat & 1U) != 0;
}

enum err wl_pos_pursuit(struct wl_reader *r)
{
    struct state *s = r->s;
    const cJSON *pursuit = NULL;
    enum err err = json_read_object(r->in, "pursuit", &pursuit, r->why);
    if (err != ERR_OK || pursuit == NULL) { return err; }
    for (const cJSON *i = pursuit->child; i != NULL; i = i->next) {
        unsigned town = 0;
        err = wl_pos_town(r, i->string, "pursuit", &town);
        if (err != ERR_OK) { return err; }
        if (!cJSON_IsObject(i)) {
            return why_member(r->why, "pursuit", "A town has the statements of seats.");
        }
        for (const cJSON *j = i->child; j != NULL; j = j->next) {
            unsigned seat = 0;
            const char *said = cJSON_IsString(j) ? j->valuestring : "";
            bool none = strcmp(said, "none") == 0;
            err = wl_pos_seat(r, j->string, "pursuit", &seat);
            if (err != ERR_OK) { return err; }
            if (!none && strcmp(said, "all") != 0) {
                return why_member(r->why, "pursuit", "Pursuit is all or none.");
            }
            if (wl_side_of_seat(seat) != attacker(s) || !may_state(s, seat, town)) {
                return why_member(r->why, "pursuit", "A statement is of a seat that attacks.");
            }
            if (none) { s->fight[town].no_pursuit |= (uint8_t)(1U << seat); }
        }
    }
    return ERR_OK;
}

enum err wl_pos_pursuit_loss(struct wl_reader *r)
{
    static const char *const names[] = {"hits", "stage", "town", NULL};
    struct state *s = r->s;
    const cJSON *loss = NULL;
    const cJSON *hits = NULL;
    const char *town_id = "";
    const char *stage = "";
    unsigned town = 0;
    enum err err = json_read_object(r->in, "!pursuit_loss", &loss, r->why);
    if (err == ERR_OK) { err = json_only(loss, names, r->why); }
    if (err == ERR_OK) { err = json_read_str(loss, "!town", 64, &town_id, r->why); }
    if (err == ERR_OK) { err = wl_pos_town(r, town_id, "town", &town); }
    if (err == ERR_OK) { err = json_read_str(loss, "!stage", 4, &stage, r->why); }
    if (err == ERR_OK) { err = json_read_object(loss, "!hits", &hits, r->why); }
    if (err != ERR_OK) { return err; }
    bool mounted_only = strcmp(stage, "A") == 0;
    if (!mounted_only && strcmp(stage, "B") != 0) {
        return why_member(r->why, "stage", "A stage is A or B.");
    }
    if (s->fight[town].phase != WL_ATTACKED) {
        return why_member(r->why, "pursuit_loss", "Pursuit falls in an attacked town.");
    }
    s->pl_town = (uint8_t)town;
    s->pl_stage = !mounted_only;
    for (const cJSON *i = hits->child; i != NULL; i = i->next) {
        unsigned seat = 0;
        int64_t count = 0;
        unsigned most = 0;
        err = wl_pos_seat(r, i->string, "hits", &seat);
        if (err != ERR_OK) { return err; }
        for (unsigned u = 0; u < WL_UNITS; u++) {
            bool mine = (units_of_seat(s, town, seat) & BIT64(u)) != 0;
            bool retreats = mine && s->unit[u].route.len > 0;
            if (retreats && (!mounted_only || wl_is_mounted(u))) { most += s->unit[u].cv; }
        }
        bool asked = wl_side_of_seat(seat) != attacker(s);
        if (!asked || json_read_int(hits, i->string, 0, most, &count, NULL) != ERR_OK) {
            return why_member(r->why, "hits", "These are more hits than the seat can take.");
        }
        s->pl_asked |= (uint8_t)(1U << seat);
        s->pl_hits[seat] = (uint8_t)count;
    }
    return ERR_OK;
}

/* ---- combat turns ---- */

static enum err read_ct(struct wl_reader *r, const cJSON *ct, unsigned *out_side, unsigned *out_n)
{
    const char *side = "";
    int64_t n = 0;
    enum err err = json_read_str(ct, "!side", 8, &side, r->why);
    if (err == ERR_OK) { err = json_read_int(ct, "!n", 1, WL_CT_MAX, &n, r->why); }
    if (err != ERR_OK) { return err; }
    if (!read_battle_side(side, out_side)) {
        return why_member(r->why, "side", "A side of a battle is att or def.");
    }
    *out_n = (unsigned)n;
    return ERR_OK;
}

enum err wl_pos_ct(struct wl_reader *r)
{
    static const char *const names[] = {"n", "round_over", "side", NULL};
    struct state *s = r->s;
    if (s->step != WL_COMBAT) { return ERR_OK; }
    const cJSON *ct = NULL;
    unsigned side = WL_ATT;
    unsigned n = 1;
    bool round_over = false;
    enum err err = json_read_object(r->in, "ct", &ct, r->why);
    if (err == ERR_OK && ct != NULL) {
        err = json_only(ct, names, r->why);
        if (err == ERR_OK) { err = read_ct(r, ct, &side, &n); }
        if (err == ERR_OK) { err = json_read_bool(ct, "round_over", &round_over, r->why); }
    }
    if (err != ERR_OK) { return err; }
    s->ct_side = (uint8_t)side;
    s->ct_n = (uint16_t)n;
    s->round_over = round_over;
    if (round_over && side != WL_DEF) {
        return why_member(r->why, "round_over", "A round ends with the defender's combat turn.");
    }
    return ERR_OK;
}

enum err wl_pos_won_at(struct wl_reader *r)
{
    static const char *const names[] = {"n", "side", NULL};
    struct state *s = r->s;
    const cJSON *won = NULL;
    enum err err = json_read_object(r->in, "won_at", &won, r->why);
    if (err != ERR_OK || won == NULL) { return err; }
    for (const cJSON *i = won->child; i != NULL; i = i->next) {
        unsigned unit = 0;
        unsigned side = 0;
        unsigned n = 0;
        err = wl_pos_unit(r, i->string, "won_at", &unit);
        if (err == ERR_OK) { err = json_only(i, names, r->why); }
        if (err == ERR_OK) { err = read_ct(r, i, &side, &n); }
        if (err != ERR_OK) { return err; }
        if (n > last_ct(s, side)) {
            return why_member(r->why, "won_at", "A battle is not won in a later combat turn.");
        }
        if (!wl_on_map(s, unit) || s->unit[unit].place != WL_NOWHERE) {
            return why_member(r->why, "won_at", "A unit that has won stands outside battles.");
        }
        s->unit[unit].won_side = (uint8_t)side;
        s->unit[unit].won_ct = (uint16_t)n;
    }
    return ERR_OK;
}

/* ---- battles ---- */

static enum err give_place(struct wl_reader *r, unsigned u, unsigned town, unsigned place,
                           unsigned lane, const char *member)
{
    struct wl_unit *unit = &r->s->unit[u];
    bool given = (r->has_place & BIT64(u)) != 0;
    if (given && (unit->place != place || unit->lane != lane)) {
        return why_member(r->why, member, "A unit has two places in a battle.");
    }
    enum err err = wl_pos_give_town(r, u, town, member);
    if (err != ERR_OK) { return err; }
    r->has_place |= BIT64(u);
    unit->place = (uint8_t)place;
    unit->lane = (uint8_t)lane;
    return ERR_OK;
}

/* A text of a lane or the reserve. battle_side WL_NOBODY: of both sides. */
static enum err read_text(struct wl_reader *r, const cJSON *object, const char *name, unsigned town,
                          unsigned battle_side, unsigned place, unsigned lane)
{
    const char *text = "";
    enum err err = json_read_str(object, name, 1024, &text, r->why);
    struct wl_pos_token token;
    while (err == ERR_OK && wl_pos_next_token(r, &text, name, place == WL_ADV, &token, &err)) {
        unsigned u = token.unit;
        if ((r->has_place & BIT64(u)) != 0) {
            return why_member(r->why, name, "A unit has two places in a battle.");
        }
        if (battle_side != WL_NOBODY && !side_is(r->s, u, battle_side)) {
            return why_member(r->why, name, "A unit stands on the wrong side of a battle.");
        }
        err = give_place(r, u, town, place, lane, name);
        if (err == ERR_OK && token.cv != 0) { err = wl_pos_give_cv(r, u, token.cv, name); }
        if (place == WL_ADV) { r->s->unit[u].advanced_ct = 1; }
        if (token.ct > WL_CT_MAX) { return why_member(r->why, name, "That is no combat turn."); }
        if (token.ct != 0) {
            r->s->unit[u].advanced_ct = (uint16_t)token.ct;
            r->has_ct |= BIT64(u);
        }
    }
    return err;
}

static bool read_place(const char *text, unsigned *out)
{
    static const char *const ids[] = {"", "undeployed", "col", "adv", "res"};
    for (unsigned p = WL_UNDEPLOYED; p <= WL_RES; p++) {
        if (strcmp(text, ids[p]) == 0) {
            *out = p;
            return true;
        }
    }
    return false;
}

static enum err read_battle_unit(struct wl_reader *r, const cJSON *in, unsigned u, unsigned town)
{
    static const char *const names[] = {"advanced_ct", "fired",  "lane", "moves",
                                        "place",       "square", NULL};
    struct wl_unit *unit = &r->s->unit[u];
    bool given = (r->has_place & BIT64(u)) != 0;
    const char *place_text = NULL;
    unsigned place = given ? unit->place : WL_UNDEPLOYED;
    int64_t lane = 0;
    int64_t ct = 0;
    int64_t moves = 0;
    bool square = false;
    bool fired = false;
    enum err err = json_only(in, names, r->why);
    if (err == ERR_OK) { err = json_read_str(in, "place", 16, &place_text, r->why); }
    if (err == ERR_OK && place_text != NULL && !read_place(place_text, &place)) {
        err = why_member(r->why, "place", "There is no such place in a battle.");
    }
    if (err == ERR_OK && given && place != unit->place) {
        err = why_member(r->why, "units", "A unit has two places in a battle.");
    }
    if (given) { lane = unit->lane; }
    if (err == ERR_OK) { err = json_read_int(in, "lane", 1, WL_LANES, &lane, r->why); }
    if (err == ERR_OK) { err = json_read_int(in, "advanced_ct", 1, WL_CT_MAX, &ct, r->why); }
    if (err == ERR_OK) { err = json_read_int(in, "moves", 0, 2, &moves, r->why); }
    if (err == ERR_OK) { err = json_read_bool(in, "square", &square, r->why); }
    if (err == ERR_OK) { err = json_read_bool(in, "fired", &fired, r->why); }
    if (err != ERR_OK) { return err; }
    if ((place == WL_COL || place == WL_ADV) != (lane != 0)) {
        return why_member(r->why, "lane", "Units in a column or advanced have a lane.");
    }
    if (ct != 0 && (place != WL_ADV || (r->has_ct & BIT64(u)) != 0)) {
        return why_member(r->why, "advanced_ct", "An advanced unit has one such combat turn.");
    }
    err = give_place(r, u, town, place, (unsigned)lane, "units");
    if (err != ERR_OK) { return err; }
    if (place == WL_ADV && (ct != 0 || unit->advanced_ct == 0)) {
        unit->advanced_ct = (uint16_t)(ct != 0 ? ct : 1);
    }
    unit->square = square;
    unit->fired = fired;
    unit->moves = (uint8_t)moves;
    return ERR_OK;
}

static enum err read_lanes(struct wl_reader *r, const cJSON *battle, unsigned town)
{
    static const char *const lane_names[] = {"1", "2", "3", NULL};
    static const char *const names[] = {"adv", "att", "def", "engaged_by", "engaged_ct", NULL};
    const cJSON *lanes = NULL;
    enum err err = json_read_object(battle, "lanes", &lanes, r->why);
    if (err == ERR_OK && lanes != NULL) { err = json_only(lanes, lane_names, r->why); }
    for (unsigned i = 0; i < WL_LANES && err == ERR_OK && lanes != NULL; i++) {
        const cJSON *lane = json_get(lanes, lane_ids[i]);
        if (lane == NULL) { continue; }
        err = json_only(lane, names, r->why);
        if (err == ERR_OK) { err = read_text(r, lane, "att", town, WL_ATT, WL_COL, i + 1); }
        if (err == ERR_OK) { err = read_text(r, lane, "def", town, WL_DEF, WL_COL, i + 1); }
        if (err == ERR_OK) { err = read_text(r, lane, "adv", town, WL_NOBODY, WL_ADV, i + 1); }
    }
    return err;
}

static enum err read_rout(struct wl_reader *r, const cJSON *rout, unsigned town)
{
    static const char *const names[] = {"enemy_towns", "side", "units", NULL};
    static const char *const unit_names[] = {"revealed", NULL};
    struct wl_fight *fight = &r->s->fight[town];
    const cJSON *units = NULL;
    const char *side_text = "";
    unsigned side = 0;
    enum err err = json_only(rout, names, r->why);
    if (err == ERR_OK) { err = json_read_str(rout, "!side", 8, &side_text, r->why); }
    if (err == ERR_OK) { err = json_read_object(rout, "!units", &units, r->why); }
    if (err != ERR_OK) { return err; }
    if (!read_battle_side(side_text, &side) || units->child == NULL) {
        return why_member(r->why, "rout", "A rout has a side and units without routes.");
    }
    fight->rout_side = (uint8_t)side;
    for (const cJSON *i = units->child; i != NULL; i = i->next) {
        unsigned u = 0;
        bool revealed = true;
        err = wl_pos_unit(r, i->string, "rout", &u);
        if (err == ERR_OK) { err = json_only(i, unit_names, r->why); }
        if (err == ERR_OK) { err = json_read_bool(i, "revealed", &revealed, r->why); }
        if (err == ERR_OK) { err = give_place(r, u, town, WL_ROUTED, 0, "rout"); }
        if (err != ERR_OK) { return err; }
        if (!side_is(r->s, u, side)) {
            return why_member(r->why, "rout", "A routed unit is of the routed side.");
        }
        r->s->unit[u].revealed = revealed;
    }
    return ERR_OK;
}

static enum err read_counters(struct wl_reader *r, const cJSON *battle, struct wl_fight *fight)
{
    bool last = r->s->step == WL_COMBAT && r->s->ct_n > 1;
    bool now = false;
    bool acted = false;
    bool test_due = false;
    int64_t idle = 0;
    enum err err = json_read_bool(battle, "fired_last_round", &last, r->why);
    if (err == ERR_OK) { err = json_read_bool(battle, "fired_this_round", &now, r->why); }
    if (err == ERR_OK) { err = json_read_bool(battle, "attacker_acted", &acted, r->why); }
    if (err == ERR_OK) { err = json_read_int(battle, "idle_rounds", 0, 4, &idle, r->why); }
    if (err == ERR_OK) { err = json_read_bool(battle, "test_due", &test_due, r->why); }
    if (err != ERR_OK) { return err; }
    fight->fired_last_round = last;
    fight->fired_this_round = now;
    fight->attacker_acted = acted;
    fight->idle_rounds = (uint8_t)idle;
    fight->test_due = test_due;
    if (acted && r->s->ct_side == WL_DEF) {
        return why_member(r->why, "attacker_acted", "The attacker acts in his own combat turn.");
    }
    if (test_due && wl_seats(r->s) != 3) {
        return why_member(r->why, "test_due", "Only three players have a test due (W18.7).");
    }
    return ERR_OK;
}

static enum err read_over(struct wl_reader *r, const cJSON *battle, unsigned town)
{
    static const char *const names[] = {"attack_roads", "over", "rout", NULL};
    const cJSON *rout = NULL;
    r->s->fight[town].phase = WL_BATTLE_OVER;
    enum err err = json_only(battle, names, r->why);
    if (err == ERR_OK) { err = json_read_object(battle, "rout", &rout, r->why); }
    if (err != ERR_OK) { return err; }
    if (r->s->step != WL_COMBAT) { return why_member(r->why, "over", "A battle ends in combat."); }
    if (rout == NULL && json_get(battle, "attack_roads") != NULL) {
        return why_member(r->why, "attack_roads",
                          "A battle that is over has attack roads only "
                          "while routes are due.");
    }
    if (rout == NULL) { return ERR_OK; }
    err = read_roads(r, battle, town, false);
    return err != ERR_OK ? err : read_rout(r, rout, town);
}

static enum err read_battle(struct wl_reader *r, const cJSON *battle, unsigned town)
{
    static const char *const names[] = {"attack_roads",
                                        "attacker_acted",
                                        "fired_last_round",
                                        "fired_this_round",
                                        "idle_rounds",
                                        "lanes",
                                        "over",
                                        "reserve",
                                        "test_due",
                                        "units",
                                        NULL};
    bool over = false;
    const cJSON *units = NULL;
    if (!cJSON_IsObject(battle)) { return why_member(r->why, "battles", "A battle is an object."); }
    enum err err = json_read_bool(battle, "over", &over, r->why);
    if (err != ERR_OK) { return err; }
    if (over) { return read_over(r, battle, town); }
    r->s->fight[town].phase = WL_BATTLE;
    err = json_only(battle, names, r->why);
    if (err == ERR_OK) { err = read_roads(r, battle, town, true); }
    if (err == ERR_OK) { err = read_lanes(r, battle, town); }
    if (err == ERR_OK) { err = read_text(r, battle, "reserve", town, WL_NOBODY, WL_RES, 0); }
    if (err == ERR_OK) { err = json_read_object(battle, "units", &units, r->why); }
    for (const cJSON *i = units == NULL ? NULL : units->child; i != NULL && err == ERR_OK;
         i = i->next) {
        unsigned u = 0;
        err = wl_pos_unit(r, i->string, "units", &u);
        if (err == ERR_OK) { err = read_battle_unit(r, i, u, town); }
    }
    return err != ERR_OK ? err : read_counters(r, battle, &r->s->fight[town]);
}

enum err wl_pos_battles(struct wl_reader *r)
{
    unsigned step = r->s->step;
    if (step != WL_DEPLOY_DEF && step != WL_DEPLOY_ATT && step != WL_COMBAT) { return ERR_OK; }
    const cJSON *battles = NULL;
    enum err err = json_read_object(r->in, "battles", &battles, r->why);
    if (err != ERR_OK || battles == NULL) { return err; }
    for (const cJSON *i = battles->child; i != NULL; i = i->next) {
        unsigned town = 0;
        err = wl_pos_town(r, i->string, "battles", &town);
        if (err == ERR_OK) { err = read_battle(r, i, town); }
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

/* ---- battles once all units have their towns ---- */

/* Who engages a lane by its advanced units, and since when. */
static enum err engage_lane(struct wl_reader *r, const cJSON *lane, unsigned town, unsigned number)
{
    struct state *s = r->s;
    struct wl_lane *out = &s->fight[town].lane[number - 1];
    unsigned by = WL_NOBODY;
    unsigned since = WL_CT_MAX + 1;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        if (unit->town != town || unit->place != WL_ADV || unit->lane != number) { continue; }
        unsigned side = wl_battle_side_of(s, u);
        if (by != WL_NOBODY && by != side) {
            return why_member(r->why, "lanes", "Both sides are advanced in a lane (W7.5).");
        }
        by = side;
        if (unit->advanced_ct < since) { since = unit->advanced_ct; }
        if (wl_is_artillery(u)) {
            return why_member(r->why, "lanes", "Artillery may not advance (W8.2).");
        }
        if (unit->advanced_ct > last_ct(s, side)) {
            return why_member(r->why, "advanced_ct", "An advance is later than the combat turn.");
        }
    }
    out->engaged_by = (uint8_t)by;
    out->engaged_ct = (uint16_t)(by == WL_NOBODY ? 0 : since);
    if (lane == NULL) { return ERR_OK; }
    const char *text = NULL;
    int64_t ct = 0;
    enum err err = json_read_str(lane, "engaged_by", 8, &text, r->why);
    if (err == ERR_OK) { err = json_read_int(lane, "engaged_ct", 1, WL_CT_MAX, &ct, r->why); }
    if (err != ERR_OK) { return err; }
    unsigned said = WL_NOBODY;
    if (text != NULL && !read_battle_side(text, &said) && strcmp(text, "none") != 0) {
        return why_member(r->why, "engaged_by", "A lane is engaged by att, def or none.");
    }
    if (text != NULL && said != by) {
        return why_member(r->why, "engaged_by", "The advanced units belie this.");
    }
    if (ct != 0 && by == WL_NOBODY) {
        return why_member(r->why, "engaged_ct", "Nobody engages this lane.");
    }
    if (ct != 0 && (ct > since || ct > last_ct(s, by))) {
        return why_member(r->why, "engaged_ct", "A lane is engaged since the first advance.");
    }
    if (ct != 0) { out->engaged_ct = (uint16_t)ct; }
    return ERR_OK;
}

static enum err check_battle_unit(struct wl_reader *r, unsigned u)
{
    const struct state *s = r->s;
    const struct wl_unit *unit = &s->unit[u];
    bool combat = s->step == WL_COMBAT;
    bool own_ct = combat && wl_battle_side_of(s, u) == s->ct_side;
    if (combat && unit->place == WL_UNDEPLOYED) {
        return why_member(r->why, "battles", "A unit in the town has no place in the battle.");
    }
    if (unit->square && (unit->place != WL_COL || wl_type(u) != WL_INFANTRY || !combat)) {
        return why_member(r->why, "square", "A square is infantry in a column (W10.1).");
    }
    if (!own_ct && (unit->fired || unit->moves != 0)) {
        return why_member(r->why, "units", "Who is not in its combat turn has not acted in it.");
    }
    if (!combat && unit->place == WL_ADV) {
        return why_member(r->why, "units", "Nobody advances before combat.");
    }
    return ERR_OK;
}

/* Counts of a side in a battle: units in each column (advanced ones too, W7.6) and of each seat the
 * deployed and the others. */
struct counts {
    unsigned column[WL_LANES], deployed[SEATS_MAX], waiting[SEATS_MAX];
};

static struct counts count_side(const struct state *s, unsigned town, unsigned battle_side)
{
    struct counts c = {0};
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        if (!wl_on_map(s, u) || unit->town != town || !side_is(s, u, battle_side)) { continue; }
        unsigned seat = wl_seat_of_nation(s, wl_nation(u));
        if (unit->lane != 0) { c.column[unit->lane - 1]++; }
        if (unit->place == WL_UNDEPLOYED) {
            c.waiting[seat]++;
        } else {
            c.deployed[seat]++;
        }
    }
    return c;
}

static enum err check_side(struct wl_reader *r, unsigned town, unsigned battle_side)
{
    const struct state *s = r->s;
    struct counts c = count_side(s, town, battle_side);
    unsigned waiting = 0;
    unsigned deployed = 0;
    unsigned empty = 0;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        if (c.deployed[seat] != 0 && c.waiting[seat] != 0) {
            return why_member(r->why, "battles", "A seat is half deployed.");
        }
        waiting += c.waiting[seat];
        deployed += c.deployed[seat];
    }
    for (unsigned i = 0; i < WL_LANES; i++) {
        empty += c.column[i] == 0;
    }
    if (s->step == WL_DEPLOY_DEF && battle_side == WL_ATT && deployed != 0) {
        return why_member(r->why, "battles", "The attacker deploys after the defender (W6.3).");
    }
    if (s->step == WL_DEPLOY_ATT && battle_side == WL_DEF && waiting != 0) {
        return why_member(r->why, "battles", "The defender deploys before the attacker (W6.3).");
    }
    if (empty > waiting && !s->fight[town].test_due) {
        return why_member(r->why, "battles", "A column is empty (W6.2, W13.1).");
    }
    return ERR_OK;
}

static enum err finish_battle(struct wl_reader *r, const cJSON *battle, unsigned town)
{
    struct state *s = r->s;
    const cJSON *lanes = json_get(battle, "lanes");
    enum err err = ERR_OK;
    for (unsigned u = 0; u < WL_UNITS && err == ERR_OK; u++) {
        if (!wl_on_map(s, u) || s->unit[u].town != town) { continue; }
        if ((r->has_place & BIT64(u)) == 0) { s->unit[u].place = WL_UNDEPLOYED; }
        err = check_battle_unit(r, u);
    }
    for (unsigned i = 0; i < WL_LANES && err == ERR_OK; i++) {
        err = engage_lane(r, lanes == NULL ? NULL : json_get(lanes, lane_ids[i]), town, i + 1);
    }
    if (err == ERR_OK) { err = check_side(r, town, WL_ATT); }
    return err != ERR_OK ? err : check_side(r, town, WL_DEF);
}

static enum err finish_rout(struct wl_reader *r, const cJSON *battle, unsigned town)
{
    struct state *s = r->s;
    struct wl_fight *fight = &s->fight[town];
    unsigned routed = fight->rout_side == WL_ATT ? attacker(s) : wl_other(attacker(s));
    const cJSON *rout = json_get(battle, "rout");
    uint64_t closed = 0;
    enum err err = wl_pos_set(r, rout, "enemy_towns", wl_pos_add_town, &closed);
    if (err != ERR_OK) { return err; }
    if (json_get(rout, "enemy_towns") == NULL) { closed = wl_towns_of_side(s, wl_other(routed)); }
    fight->enemy_towns = closed | BIT64(town);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = wl_on_map(s, u) && s->unit[u].town == town;
        if (here && wl_side(u) == routed && s->unit[u].place != WL_ROUTED) {
            return why_member(r->why, "rout", "A unit of the routed side is not named.");
        }
    }
    return ERR_OK;
}

enum err wl_pos_finish_battles(struct wl_reader *r)
{
    struct state *s = r->s;
    const cJSON *battles = json_get(r->in, "battles");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        const struct wl_fight *fight = &s->fight[t];
        enum err err = ERR_OK;
        if (fight->phase == WL_PEACE) { continue; }
        const cJSON *battle = json_get(battles, wl_board(s)->map.town_ids[t]);
        if (fight->phase == WL_BATTLE) { err = finish_battle(r, battle, t); }
        if (fight->rout_side != WL_NOBODY) { err = finish_rout(r, battle, t); }
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}
