/* common/rules/waterloo/respond.c: the response step (W5.1-W5.6, W18.5): answers, and what the
 * enemy hears of them. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

enum { FIGHT_MIN = 3, CHOICE_FIGHT = 0, CHOICE_RETREAT = 1 };

static unsigned defending_side(const struct state *s)
{
    return wl_other(wl_phasing(s));
}

uint64_t wl_contingent(const struct state *s, unsigned town, unsigned seat)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool own = wl_side(u) == defending_side(s) && wl_seat_of_nation(s, wl_nation(u)) == seat;
        if (own && s->unit[u].town == town && wl_on_map(s, u)) { set |= WL_BIT64(u); }
    }
    return set;
}

static struct wl_answer *answer_of(struct state *s, unsigned town, unsigned seat)
{
    struct wl_fight *fight = &s->fight[town];
    for (unsigned i = 0; i < fight->answers; i++) {
        if (fight->answer[i].seat == seat) { return &fight->answer[i]; }
    }
    return NULL;
}

static bool has_answered(const struct state *s, unsigned town, unsigned seat)
{
    const struct wl_fight *fight = &s->fight[town];
    for (unsigned i = 0; i < fight->answers; i++) {
        if (fight->answer[i].seat == seat) { return true; }
    }
    return false;
}

bool wl_owes_answer(const struct state *s, unsigned town, unsigned seat)
{
    if (s->fight[town].phase != WL_ATTACKED || has_answered(s, town, seat)) { return false; }
    return wl_contingent(s, town, seat) != 0;
}

static bool any_owes(const struct state *s, unsigned town)
{
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if (wl_owes_answer(s, town, seat)) { return true; }
    }
    return false;
}

/* Units of the defender in the town, and those of them that have no route. */
static unsigned count_stay(const struct state *s, unsigned town)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = s->unit[u].town == town && wl_side(u) == defending_side(s) && wl_on_map(s, u);
        count += here && s->unit[u].route.len == 0;
    }
    return count;
}

const char *wl_forbid_fight(const struct state *s, unsigned town, unsigned seat)
{
    (void)seat;
    if (wl_count_side(s, town, defending_side(s)) < FIGHT_MIN) { return "W5.2"; }
    return count_stay(s, town) < FIGHT_MIN ? "W18.5" : NULL;
}

const char *wl_forbid_end_response(const struct state *s, unsigned seat)
{
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (wl_owes_answer(s, t, seat)) { return "W5.3"; }
    }
    return NULL;
}

/* ---- the step begins ---- */

/* W20.3: the enemy sees the defender as he stood now until the step ends. */
void wl_begin_response(struct wl_call *c)
{
    struct state *s = c->s;
    memset(s->ledger_retreat, 0, sizeof s->ledger_retreat);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        s->seen_town[u] = s->unit[u].town;
        if (s->unit[u].marked_until >= s->slot) { s->seen_marked |= WL_BIT64(u); }
    }
}

void wl_rebuild_told(struct state *s)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        struct wl_told *told = &s->unit[u].told;
        if (route->len == 0) { continue; }
        told->len = route->len;
        told->forced = route->forced;
        memcpy(told->town, route->town, sizeof told->town);
    }
}

/* ---- answers ---- */

static void record(struct wl_call *c, unsigned town, unsigned seat, unsigned choice, bool automatic)
{
    struct wl_fight *fight = &c->s->fight[town];
    struct wl_answer *answer = &fight->answer[fight->answers++];
    memset(answer, 0, sizeof *answer);
    answer->seat = (uint8_t)seat;
    answer->choice = (uint8_t)choice;
    answer->automatic = automatic;
}

/* W18.5: a fight given before is void when the ally's retreat leaves too few; that seat answers
 * again. */
static void void_fights(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    struct wl_fight *fight = &s->fight[town];
    if (count_stay(s, town) >= FIGHT_MIN) { return; }
    unsigned kept = 0;
    for (unsigned i = 0; i < fight->answers; i++) {
        struct wl_answer answer = fight->answer[i];
        if (answer.choice == CHOICE_FIGHT) {
            s->ended &= (uint8_t)~WL_BIT(answer.seat);
            wl_tell_answer_void(c, town, answer.seat);
        } else {
            fight->answer[kept++] = answer;
        }
    }
    for (unsigned i = kept; i < fight->answers; i++) {
        memset(&fight->answer[i], 0, sizeof fight->answer[i]);
    }
    fight->answers = (uint8_t)kept;
}

/* W5.6: routes are declared and count on the roads; when all contingents have answered pursuit fire
 * falls. */
static void answer_retreat(struct wl_call *c, unsigned town, unsigned seat,
                           const struct wl_walks *walks, const struct wl_list *stranded,
                           bool automatic)
{
    struct state *s = c->s;
    unsigned side = wl_side_of_seat(seat);
    for (unsigned i = 0; i < walks->n; i++) {
        struct wl_unit *u = &s->unit[walks->walk[i].unit];
        u->route = walks->walk[i].route;
        u->route.order = (uint16_t)i;
        for (unsigned k = 0; k < u->route.len; k++) {
            s->ledger_retreat[side][u->route.road[k]]++;
        }
    }
    for (unsigned i = 0; i < stranded->n; i++) {
        s->unit[stranded->unit[i]].stranded = 1;
    }
    record(c, town, seat, CHOICE_RETREAT, automatic);
    wl_rebuild_told(s);
    wl_tell_retreat_chosen(c, town, seat, walks, stranded, TELL_OWN);
    void_fights(c, town);
}

/* W5.6, W18.5: pursuit and moves wait until all contingents have answered. */
static void resolve(struct wl_call *c, unsigned town)
{
    if (!any_owes(c->s, town)) { wl_pursue(c, town); }
}

static enum err respond_retreat(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    struct wl_walks walks = {0};
    struct wl_list stranded = {0};
    uint64_t seen = 0;
    const struct wl_walk_rules rules = {"W12.5", "W5.3", town};
    enum err err = wl_read_walks(c, c->action, "routes", &rules, &seen, &walks);
    if (err == ERR_OK) { err = wl_read_units(c, c->action, "stranded", &seen, &stranded); }
    if (err != ERR_OK) { return err; }
    if (seen != wl_contingent(s, town, c->seat)) { return wl_refuse(c, "W5.3"); }
    struct wl_ways ways;
    wl_find_ways(s, town, defending_side(s), &ways);
    for (unsigned i = 0; i < walks.n; i++) {
        const char *rule = wl_forbid_route(&ways, walks.walk[i].unit, &walks.walk[i].route);
        if (rule != NULL) { return wl_refuse(c, rule); }
        wl_use_route(&ways, &walks.walk[i].route);
    }
    if (stranded.n > 0 && wl_has_way(&ways)) { return wl_refuse(c, "W5.4"); }
    answer_retreat(c, town, c->seat, &walks, &stranded, false);
    resolve(c, town);
    return ERR_OK;
}

enum err wl_act_respond(struct wl_call *c)
{
    static const char *const names[] = {"choice", "routes", "stranded", "town", NULL};
    static const char *const fight_names[] = {"choice", "town", NULL};
    const char *choice = NULL;
    unsigned town = 0;
    struct state *s = c->s;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = json_read_str(c->action, "!choice", 64, &choice, c->why); }
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "town", &town); }
    if (err != ERR_OK) { return err; }
    bool fight = strcmp(choice, "fight") == 0;
    if (!fight && strcmp(choice, "retreat") != 0) {
        return why_member(c->why, "choice", "The choice is \"fight\" or \"retreat\".");
    }
    if (fight) { err = wl_read_only(c, fight_names); }
    if (err != ERR_OK) { return err; }
    if (s->fight[town].phase != WL_ATTACKED) { return wl_refuse(c, "W19"); }
    if (has_answered(s, town, c->seat)) { return wl_refuse(c, "W5.3"); }
    if (wl_contingent(s, town, c->seat) == 0) { return wl_refuse(c, "W19"); }
    if (!fight) { return respond_retreat(c, town); }
    const char *rule = wl_forbid_fight(s, town, c->seat);
    if (rule != NULL) { return wl_refuse(c, rule); }
    record(c, town, c->seat, CHOICE_FIGHT, false);
    wl_tell_fight_chosen(c, town, c->seat, TELL_OWN);
    resolve(c, town);
    return ERR_OK;
}

enum err wl_act_end_response(struct wl_call *c)
{
    static const char *const names[] = {NULL};
    enum err err = wl_read_only(c, names);
    if (err != ERR_OK) { return err; }
    const char *rule = wl_forbid_end_response(c->s, c->seat);
    if (rule != NULL) { return wl_refuse(c, rule); }
    wl_end_seat(c, c->seat, false);
    return ERR_OK;
}

/* ---- what the server does by itself (W19.2) ---- */

/* A contingent that must retreat, and no road out is left: all are stranded. */
static bool settle_stranded(struct wl_call *c, unsigned town, unsigned seat)
{
    struct state *s = c->s;
    if (!wl_owes_answer(s, town, seat) || wl_forbid_fight(s, town, seat) == NULL) { return false; }
    struct wl_ways ways;
    wl_find_ways(s, town, defending_side(s), &ways);
    if (wl_has_way(&ways)) { return false; }
    struct wl_walks none = {0};
    struct wl_list stranded = {0};
    uint64_t units = wl_contingent(s, town, seat);
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((units & WL_BIT64(u)) != 0) { stranded.unit[stranded.n++] = (uint8_t)u; }
    }
    wl_tell_automatic(c, seat, "respond", "town", town);
    answer_retreat(c, town, seat, &none, &stranded, true);
    resolve(c, town);
    return true;
}

/* No unit of the seat in an attacked town, or every answer of it was automatic. */
static bool ends_by_itself(struct state *s, unsigned seat)
{
    if (wl_forbid_end_response(s, seat) != NULL) { return false; }
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        const struct wl_answer *answer = answer_of(s, t, seat);
        if (answer != NULL && !answer->automatic) { return false; }
    }
    return true;
}

bool wl_settle_response(struct wl_call *c)
{
    struct state *s = c->s;
    uint32_t seats = wl_seats_of_side(s, defending_side(s));
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_ATTACKED) { continue; }
        for (unsigned seat = 0; seat < wl_seats(s); seat++) {
            if (settle_stranded(c, t, seat)) { return true; }
        }
    }
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        bool waits = (seats & ~(uint32_t)s->ended & WL_BIT(seat)) != 0;
        if (waits && ends_by_itself(s, seat)) {
            wl_end_seat(c, seat, true);
            return true;
        }
    }
    if ((s->ended & seats) != seats) { return false; }
    wl_end_response(c);
    return true;
}

/* ---- the step ends ---- */

/* The routes declared in the town by the seat (WL_NONE: by all), for the enemy: order does not
 * matter. left: only of those that went. */
static void declared_walks(const struct state *s, unsigned town, unsigned seat, bool left,
                           struct wl_walks *walks)
{
    memset(walks, 0, sizeof *walks);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_told *told = &s->unit[u].told;
        bool own = seat == WL_NONE || wl_seat_of_nation(s, wl_nation(u)) == seat;
        bool defends = wl_side(u) == defending_side(s);
        if (!own || !defends || s->seen_town[u] != town || told->len == 0) { continue; }
        if (left && told->died_in != 0) { continue; }
        struct wl_walk *walk = &walks->walk[walks->n++];
        walk->unit = (uint8_t)u;
        walk->from = (uint8_t)town;
        walk->die = left ? told->die : 0;
        walk->lost = walk->die > 0 && walk->die <= 3;
        walk->route.len = told->len;
        walk->route.forced = told->forced;
        memcpy(walk->route.town, told->town, sizeof told->town);
    }
}

static uint64_t died_in(const struct state *s, unsigned town, unsigned stage)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = s->seen_town[u] == town && s->unit[u].told.died_in == stage;
        if (here) { set |= WL_BIT64(u); }
    }
    return set;
}

static bool has_fired(const struct state *s, unsigned town, unsigned stage)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_told *told = &s->unit[u].told;
        bool rolled = stage == 1 ? told->stage_a > 0 : told->stage_b[0] > 0;
        if (s->unit[u].town == town && rolled) { return true; }
    }
    return false;
}

/* Units of the seat that stayed in the town as stranded, lost or not. */
static void stranded_list(const struct state *s, unsigned town, unsigned seat, struct wl_list *list)
{
    memset(list, 0, sizeof *list);
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        bool own = wl_side(u) == defending_side(s) && wl_seat_of_nation(s, wl_nation(u)) == seat;
        bool stayed = s->unit[u].stranded || s->unit[u].gone == WL_GONE_STRANDED;
        if (own && stayed && s->seen_town[u] == town) { list->unit[list->n++] = (uint8_t)u; }
    }
}

/* The moves as the enemy hears of them. */
static void tell_moves(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    struct wl_walks walks;
    bool rolled = false;
    unsigned side = defending_side(s);
    declared_walks(s, town, WL_NONE, true, &walks);
    if (walks.n == 0) { return; }
    wl_tell_retreated(c, town, side, WL_BY_RESPONSE, &walks, 0, NULL, TELL_ENEMY);
    for (unsigned i = 0; i < walks.n; i++) {
        rolled = rolled || walks.walk[i].die > 0;
    }
    if (!rolled) { return; }
    wl_tell_march_dice(c, side, &walks, TELL_ENEMY);
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        for (unsigned k = 0; k < walks.n; k++) {
            const struct wl_walk *walk = &walks.walk[k];
            if (walk->unit != u || s->unit[u].gone != WL_GONE_MARCH) { continue; }
            unsigned to = walk->route.town[walk->route.len - 1];
            wl_tell_eliminated(c, u, WL_GONE_MARCH, to, TELL_ENEMY);
        }
    }
}

/* W20.3: one town's events, for the enemy, in the order in which they happened. */
static void tell_town(struct wl_call *c, unsigned town, uint64_t lost)
{
    struct state *s = c->s;
    const struct wl_fight *fight = &s->fight[town];
    bool gone = false;
    for (unsigned i = 0; i < fight->answers; i++) {
        const struct wl_answer *answer = &fight->answer[i];
        struct wl_walks walks;
        struct wl_list stranded;
        gone = gone || answer->walked != 0;
        if (answer->choice == CHOICE_FIGHT) {
            wl_tell_fight_chosen(c, town, answer->seat, TELL_ENEMY);
            continue;
        }
        declared_walks(s, town, answer->seat, false, &walks);
        stranded_list(s, town, answer->seat, &stranded);
        wl_tell_retreat_chosen(c, town, answer->seat, &walks, &stranded, TELL_ENEMY);
    }
    for (unsigned stage = 1; stage <= 2; stage++) {
        if (has_fired(s, town, stage)) { wl_tell_pursuit(c, town, stage, TELL_ENEMY); }
        wl_tell_eliminated_set(c, died_in(s, town, stage), WL_GONE_PURSUIT, town, TELL_ENEMY);
    }
    if (gone) { tell_moves(c, town); }
    wl_tell_eliminated_set(c, lost, WL_GONE_STRANDED, town, TELL_ENEMY);
}

void wl_tell_cut_response(struct wl_call *c)
{
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        if (c->s->fight[t].phase == WL_ATTACKED) { tell_town(c, t, 0); }
    }
}

/* W5.5: where 1 or 2 are left they are eliminated; more fight the battle. */
static uint64_t lose_stranded(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    unsigned side = defending_side(s);
    uint64_t lost = 0;
    if (wl_count_side(s, town, side) >= FIGHT_MIN) { return 0; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_side(u) != side || s->unit[u].town != town) { continue; }
        wl_eliminate(s, u, WL_GONE_STRANDED);
        lost |= WL_BIT64(u);
    }
    wl_tell_eliminated_set(c, lost, WL_GONE_STRANDED, town, TELL_OWN);
    return lost;
}

/* W6.1, W5.10: a battle, or a town that the attackers hold. */
static bool begin_battle(struct state *s, unsigned town)
{
    struct wl_fight battle;
    bool both = wl_count_side(s, town, defending_side(s)) > 0;
    wl_reset_fight(&battle);
    if (both) {
        battle.phase = WL_BATTLE;
        memcpy(battle.attack_roads, s->fight[town].attack_roads, sizeof battle.attack_roads);
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (s->unit[u].town == town) { s->unit[u].place = WL_UNDEPLOYED; }
        }
    }
    s->fight[town] = battle;
    return both;
}

void wl_end_response(struct wl_call *c)
{
    struct state *s = c->s;
    uint64_t lost[PMAP_TOWNS_MAX];
    bool battles = false;
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        lost[t] = s->fight[t].phase == WL_ATTACKED ? lose_stranded(c, t) : 0;
    }
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        if (s->fight[t].phase != WL_ATTACKED) { continue; }
        tell_town(c, t, lost[t]);
        battles = begin_battle(s, t) || battles;
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        memset(&s->unit[u].told, 0, sizeof s->unit[u].told);
        s->unit[u].stranded = 0;
    }
    memset(s->seen_town, 0, sizeof s->seen_town);
    s->seen_marked = 0;
    s->ended = 0;
    if (battles) {
        wl_step_go(c, WL_DEPLOY_DEF);
    } else {
        wl_turn_end(c);
    }
}

/* ---- W18.9: one ally has left in the step ---- */

/* A contingent of the town, by the seats that there were, still owes an answer. */
static bool is_open(const struct state *s, unsigned town)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        unsigned seat = wl_nation(u) == WL_AD ? 1 : 2;
        bool here = s->unit[u].town == town && wl_side(u) == WL_SIDE_AL;
        if (here && !has_answered(s, town, seat)) { return true; }
    }
    return false;
}

/* Nothing has been answered in the town. */
static void reopen(struct state *s, unsigned town)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        struct wl_unit *unit = &s->unit[u];
        if (unit->town != town || wl_side(u) != WL_SIDE_AL) { continue; }
        for (unsigned k = 0; k < unit->route.len; k++) {
            s->ledger_retreat[WL_SIDE_AL][unit->route.road[k]]--;
        }
        memset(&unit->route, 0, sizeof unit->route);
        memset(&unit->told, 0, sizeof unit->told);
        unit->stranded = 0;
    }
    memset(s->fight[town].answer, 0, sizeof s->fight[town].answer);
    s->fight[town].answers = 0;
}

/* Two answers become one: if either fights, what is left in the town fights. The routes still to be
 * walked of the second come after those of the first. */
static void join_answers(struct state *s, unsigned town, unsigned stays)
{
    struct wl_fight *fight = &s->fight[town];
    unsigned first = fight->answers == 2 ? fight->answer[0].seat : WL_NONE;
    for (unsigned u = 0; u < WL_UNITS && first != WL_NONE; u++) {
        unsigned seat = wl_nation(u) == WL_AD ? 1 : 2;
        bool here = s->unit[u].town == town && wl_side(u) == WL_SIDE_AL;
        if (here && s->unit[u].route.len > 0 && seat != first) {
            s->unit[u].route.order = (uint16_t)(s->unit[u].route.order + WL_UNITS);
        }
    }
    if (fight->answers == 2) {
        if (fight->answer[1].choice == CHOICE_FIGHT) { fight->answer[0] = fight->answer[1]; }
        memset(&fight->answer[1], 0, sizeof fight->answer[1]);
        fight->answers = 1;
    }
    if (fight->answers == 1) { fight->answer[0].seat = (uint8_t)stays; }
    wl_close_ranks(s, town);
}

/* What is settled stays; where a town still waited for an answer the one who stays answers for all.
 */
void wl_leave_response(struct wl_call *c, unsigned left, unsigned stays)
{
    struct state *s = c->s;
    (void)left;
    if (defending_side(s) != WL_SIDE_AL) { return; }
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_ATTACKED) { continue; }
        if (is_open(s, t)) {
            reopen(s, t);
        } else {
            join_answers(s, t, stays);
        }
    }
    if (wl_forbid_end_response(s, stays) != NULL) { s->ended &= (uint8_t)~WL_BIT(stays); }
}
