/* common/rules/waterloo/flow.c: the state machine of W19: the steps, who acts, what the server does
 * by itself. */
#include "common/rules/waterloo/flow.h"

#include <assert.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"

enum { SETTLE_MAX = 4096 };

static bool settle_move(struct wl_call *c);

/* The steps of the game. settle: does one thing that the server does by itself, false if there is
 * none. */
static const struct step_row {
    const char *rule; /* where it is described */
    uint32_t next;    /* bit i: step i may follow; every step may end the game (W18.9) */
    bool (*settle)(struct wl_call *c);
} steps[WL_STEPS] = {
    [WL_SETUP_ALLIED] = {"W2.1", WL_BIT(WL_SETUP_FRENCH), wl_settle_setup},
    [WL_SETUP_FRENCH] = {"W2.1", WL_BIT(WL_MOVE), wl_settle_setup},
    [WL_MOVE] = {"W4", WL_BIT(WL_RESPOND) | WL_BIT(WL_SUPPLY) | WL_BIT(WL_MOVE), settle_move},
    [WL_RESPOND] = {"W5",
                    WL_BIT(WL_PURSUIT_LOSS) | WL_BIT(WL_DEPLOY_DEF) | WL_BIT(WL_SUPPLY) |
                        WL_BIT(WL_MOVE),
                    wl_settle_response},
    [WL_PURSUIT_LOSS] = {"W5.9", WL_BIT(WL_RESPOND), NULL},
    [WL_DEPLOY_DEF] = {"W6.2", WL_BIT(WL_DEPLOY_ATT), wl_settle_deployment},
    [WL_DEPLOY_ATT] = {"W6.3", WL_BIT(WL_COMBAT), wl_settle_deployment},
    [WL_COMBAT] = {"W7", WL_BIT(WL_COMBAT) | WL_BIT(WL_SUPPLY) | WL_BIT(WL_MOVE), wl_settle_combat},
    [WL_SUPPLY] = {"W15", WL_BIT(WL_MOVE), wl_settle_supply},
    [WL_GAME_OVER] = {"W16", 0, NULL},
};

/* The actions, and the steps in which they have a place. seals: none of them can be undone (W20.5).
 */
static const struct action_row {
    const char *name;
    wl_act_fn *act;
    uint32_t where;
    bool seals;
} actions[] = {
    {"place", wl_act_place, WL_BIT(WL_SETUP_ALLIED) | WL_BIT(WL_SETUP_FRENCH), false},
    {"confirm_setup", wl_act_confirm_setup, WL_BIT(WL_SETUP_ALLIED) | WL_BIT(WL_SETUP_FRENCH),
     true},
    {"march", wl_act_march, WL_BIT(WL_MOVE), false},
    {"unmarch", wl_act_unmarch, WL_BIT(WL_MOVE), false},
    {"end_movement", wl_act_end_movement, WL_BIT(WL_MOVE), true},
    {"respond", wl_act_respond, WL_BIT(WL_RESPOND), false},
    {"allot", wl_act_allot, WL_BIT(WL_PURSUIT_LOSS), false},
    {"end_response", wl_act_end_response, WL_BIT(WL_RESPOND), true},
    {"deploy", wl_act_deploy, WL_BIT(WL_DEPLOY_DEF) | WL_BIT(WL_DEPLOY_ATT), false},
    {"fire", wl_act_fire, WL_BIT(WL_COMBAT), false},
    {"move", wl_act_move, WL_BIT(WL_COMBAT), false},
    {"retreat", wl_act_retreat, WL_BIT(WL_COMBAT), false},
    {"rout_routes", wl_act_rout_routes, WL_BIT(WL_COMBAT), true},
    {"end_combat_turn", wl_act_end_combat_turn, WL_BIT(WL_COMBAT), true},
    {"remove", wl_act_remove, WL_BIT(WL_SUPPLY), true},
};

/* ---- steps ---- */

void wl_step_go(struct wl_call *c, enum wl_step next)
{
    assert(next < WL_STEPS);
    assert(next == WL_GAME_OVER || (steps[c->s->step].next & WL_BIT(next)) != 0);
    bool inner = next == WL_PURSUIT_LOSS || c->s->step == WL_PURSUIT_LOSS;
    if (!inner) { events_seal(c->events); }
    c->s->step = (uint8_t)next;
}

/* W19.2: the seat has units on the map, and one of them may march. */
static bool can_march(const struct state *s, unsigned seat)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool own = wl_on_map(s, u) && wl_seat_of_nation(s, wl_nation(u)) == seat;
        if (own && s->unit[u].marked_until < s->slot) { return true; }
    }
    return false;
}

static bool settle_move(struct wl_call *c)
{
    struct state *s = c->s;
    uint32_t seats = wl_seats_of_side(s, wl_phasing(s));
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        bool waits = (seats & ~(uint32_t)s->ended & WL_BIT(seat)) != 0;
        if (waits && !can_march(s, seat)) {
            wl_end_seat(c, seat, true);
            return true;
        }
    }
    if ((s->ended & seats) != seats) { return false; }
    s->ended = 0;
    wl_carry_out_marches(c);
    return true;
}

void wl_end_seat(struct wl_call *c, unsigned seat, bool automatic)
{
    static const char *const acts[WL_STEPS] = {
        [WL_MOVE] = "end_movement", [WL_RESPOND] = "end_response", [WL_COMBAT] = "end_combat_turn"};
    if (automatic) { wl_tell_automatic(c, seat, acts[c->s->step], NULL, WL_NONE); }
    wl_tell_ended(c, seat);
    c->s->ended |= (uint8_t)WL_BIT(seat);
    events_seal(c->events);
}

void wl_settle_call(struct wl_call *c)
{
    unsigned left = SETTLE_MAX;
    while (steps[c->s->step].settle != NULL && steps[c->s->step].settle(c)) {
        assert(left > 0); /* a turn that settles for ever is a mistake of ours */
        left--;
    }
}

void wl_settle(struct state *s, struct dice *dice, struct events *events)
{
    struct why why;
    struct wl_call c = {.s = s, .dice = dice, .events = events, .why = &why, .seat = WL_NONE};
    wl_settle_call(&c);
}

/* ---- who acts ---- */

/* Seats that have units to deploy in a battle where it is their turn (W18.6). */
static uint32_t deploying_seats(const struct state *s)
{
    uint32_t set = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_BATTLE) { continue; }
        for (unsigned seat = 0; seat < wl_seats(s); seat++) {
            if (wl_forbid_deploy(s, t, seat) == NULL) { set |= WL_BIT(seat); }
        }
    }
    return set;
}

static uint32_t routed_seats(const struct state *s)
{
    uint32_t set = 0;
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if (wl_owes_routes(s, seat)) { set |= WL_BIT(seat); }
    }
    return set;
}

/* Seats of the acting side that have not ended their combat turn. */
static uint32_t fighting_seats(const struct state *s)
{
    return wl_seats_of_side(s, wl_acting_side(s)) & ~(uint32_t)s->ended;
}

static uint32_t owing_seats(const struct state *s)
{
    uint32_t set = 0;
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if (wl_owes_supply(s, seat) > 0) { set |= WL_BIT(seat); }
    }
    return set;
}

uint32_t wl_to_act(const struct state *s)
{
    unsigned phasing = wl_phasing(s);
    switch ((enum wl_step)s->step) {
    case WL_SETUP_ALLIED: return wl_seats_of_side(s, WL_SIDE_AL) & ~(uint32_t)s->confirmed;
    case WL_SETUP_FRENCH: return wl_seats_of_side(s, WL_SIDE_FR);
    case WL_MOVE: return wl_seats_of_side(s, phasing) & ~(uint32_t)s->ended;
    case WL_RESPOND: return wl_seats_of_side(s, wl_other(phasing)) & ~(uint32_t)s->ended;
    case WL_PURSUIT_LOSS: return s->pl_asked;
    case WL_DEPLOY_DEF:
    case WL_DEPLOY_ATT: return deploying_seats(s);
    case WL_COMBAT: return fighting_seats(s) | routed_seats(s);
    case WL_SUPPLY: return owing_seats(s);
    case WL_GAME_OVER:
    case WL_STEPS: break;
    }
    return 0;
}

/* W13.6: the match does not wait for a rout to be answered until nothing else can go on. */
uint32_t wl_waits_for(const struct state *s)
{
    if (s->step != WL_COMBAT) { return wl_to_act(s); }
    uint32_t fighting = fighting_seats(s);
    return fighting != 0 ? fighting : routed_seats(s);
}

/* ---- apply ---- */

static enum err not_your_turn(struct wl_call *c)
{
    bool setup = c->s->step == WL_SETUP_ALLIED || c->s->step == WL_SETUP_FRENCH;
    enum err err = wl_refuse(c, setup ? "W2.6" : "W19");
    return err == ERR_ILLEGAL_ACTION ? ERR_NOT_YOUR_TURN : err;
}

/* W7.1, W13.2, W13.6: what a seat may not do in a combat turn, whatever the action says. */
static const char *forbid_in_combat(const struct state *s, unsigned seat, wl_act_fn *act)
{
    if (act == wl_act_rout_routes) { return wl_owes_routes(s, seat) ? NULL : "W19"; }
    if (wl_side_of_seat(seat) != wl_acting_side(s)) { return "W7.1"; }
    if (!wl_owes_routes(s, seat)) { return NULL; }
    return act == wl_act_end_combat_turn || act == wl_act_retreat ? "W13.6" : "W13.2";
}

static enum err apply(struct wl_call *c)
{
    const char *name = NULL;
    if (!cJSON_IsObject(c->action)) {
        return why_member(c->why, "action", "An action is an object.");
    }
    enum err err = json_read_str(c->action, "!do", 64, &name, c->why);
    if (err != ERR_OK) { return err; }
    const struct action_row *row = actions;
    const struct action_row *end = actions + sizeof actions / sizeof actions[0];
    while (row != end && strcmp(row->name, name) != 0) {
        row++;
    }
    if (row == end) { return why_member(c->why, "do", "There is no such action."); }
    if (c->seat >= SEATS_MAX || (wl_to_act(c->s) & WL_BIT(c->seat)) == 0) {
        return not_your_turn(c);
    }
    if ((row->where & WL_BIT(c->s->step)) == 0) { return wl_refuse(c, "W19"); }
    if (c->s->step == WL_COMBAT) {
        const char *rule = forbid_in_combat(c->s, c->seat, row->act);
        if (rule != NULL) { return wl_refuse(c, rule); }
    }
    err = row->act(c);
    if (err != ERR_OK) { return err; }
    if (row->seals) { events_seal(c->events); }
    wl_settle_call(c);
    return ERR_OK;
}

/* W19: a refused action changes nothing, so the rules work on a copy. */
enum err wl_apply(struct state *s, unsigned seat, const struct cJSON *action, struct dice *dice,
                  struct events *events, struct why *why)
{
    struct state copy;
    struct why own;
    memcpy(&copy, s, sizeof copy);
    struct wl_call c = {.s = &copy,
                        .dice = dice,
                        .events = events,
                        .why = why == NULL ? &own : why,
                        .action = action,
                        .seat = seat};
    enum err err = apply(&c);
    if (err == ERR_OK) { memcpy(s, &copy, sizeof copy); }
    return err;
}

/* W2.1: the set-up, on the real board. */
enum err wl_create(const struct cJSON *options, uint32_t rules, struct dice *dice,
                   struct state *out_state, struct events *events, struct why *why)
{
    (void)dice;
    (void)events;
    struct state s;
    memset(&s, 0, sizeof s);
    enum err err = wl_read_options(options, &s, why);
    if (err != ERR_OK) { return err; }
    s.rules = rules;
    s.base = WL_BASE_REAL;
    wl_reset_state(&s);
    memcpy(out_state, &s, sizeof s);
    return ERR_OK;
}

/* ---- units ---- */

void wl_take_up(struct state *s, unsigned unit)
{
    struct wl_unit *u = &s->unit[unit];
    unsigned lane = u->lane;
    bool was_advanced = u->place == WL_ADV;
    u->place = WL_NOWHERE;
    u->lane = 0;
    u->advanced_ct = 0;
    u->square = 0;
    u->fired = 0;
    u->moves = 0;
    if (!was_advanced) { return; }
    for (unsigned other = 0; other < WL_UNITS; other++) {
        const struct wl_unit *o = &s->unit[other];
        if (o->place == WL_ADV && o->town == u->town && o->lane == lane) { return; }
    }
    /* W19.3: the last one leaves. Only one side can be advanced in a lane (W7.5). */
    s->fight[u->town].lane[lane - 1].engaged_by = WL_NOBODY;
    s->fight[u->town].lane[lane - 1].engaged_ct = 0;
}

void wl_eliminate(struct state *s, unsigned unit, enum wl_gone cause)
{
    wl_take_up(s, unit);
    struct wl_unit *u = &s->unit[unit];
    struct wl_unit gone = {.told = u->told,
                           .won_side = WL_NOBODY,
                           .town = WL_NONE,
                           .gone = (uint8_t)cause,
                           .marched = u->marched};
    *u = gone;
}

unsigned wl_lose(struct state *s, unsigned unit, unsigned cv, enum wl_gone cause)
{
    struct wl_unit *u = &s->unit[unit];
    if (cv >= u->cv) {
        cv = u->cv;
        wl_eliminate(s, unit, cause);
    } else {
        u->cv = (uint8_t)(u->cv - cv);
    }
    return cv;
}
