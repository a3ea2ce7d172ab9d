/* common/rules/austerlitz/flow.c: the state machine (3): what each action does, and what follows
 * from it without a choice (R31). */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/austerlitz/emit.h"
#include "common/rules/austerlitz/flow.h"

/* One call of apply or leave. */
struct call {
    struct state *s;
    struct dice *dice;
    struct events *events;
    struct au_now now;
};

static void see(struct call *c)
{
    au_see(c->s, &c->now);
}

/* ---- the end ---- */

/* 15.4: the faces of the combat in hand are turned up. */
static bool is_revealed(const struct state *s)
{
    return s->semi_blind != 0 && s->hand.index != 0 && s->hand.result != AU_NO_DIE;
}

static void clear_hand(struct call *c)
{
    if (is_revealed(c->s)) { au_tell_index(c->s, c->events, "concealed", c->s->hand.index); }
    memset(&c->s->hand, 0, sizeof c->s->hand);
}

static void clear_plan(struct state *s)
{
    memset(s->plan, 0, sizeof s->plan);
    for (unsigned i = 0; i < AU_PLAN_MAX; i++) {
        s->plan[i].ice_hex = HEX_NONE;
    }
    s->plan_count = 0;
}

static void clear_moved(struct state *s)
{
    for (unsigned u = 0; u < AU_UNITS; u++) {
        s->unit[u].moved = 0;
    }
}

static void go_over(struct call *c)
{
    clear_hand(c);
    clear_plan(c->s);
    clear_moved(c->s);
    c->s->step = AU_OVER;
    events_seal(c->events);
    au_tell_over(c->s, c->events);
}

static bool is_over(const struct state *s)
{
    return s->step == AU_OVER;
}

/* 3.4: at once when an army has no unit left on the map. */
static void end_if_gone(struct call *c)
{
    bool gone = au_army(c->s, AU_FRENCH) == 0 || au_army(c->s, AU_ALLIED) == 0;
    if (gone && !is_over(c->s)) { go_over(c); }
}

/* 12.2 to 12.5. */
static void check_morale(struct call *c)
{
    bool there[AU_SIDES];
    struct state *s = c->s;
    if (s->demoralised != AU_NOBODY) { return; }
    for (unsigned side = 0; side < AU_SIDES; side++) {
        unsigned gone = au_sum_of(s, side, AU_ELIMINATED) + au_sum_of(s, side, AU_WITHDRAWN);
        there[side] = gone >= au_tables.threshold[side];
    }
    unsigned defender = au_other(s->side);
    if (!there[AU_FRENCH] && !there[AU_ALLIED]) { return; }
    s->demoralised = (uint8_t)(there[defender] ? defender : s->side); /* 12.4 */
    au_tell_demoralised(s, c->events);
}

/* ---- phases ---- */

static void begin_phase(struct call *c, unsigned side)
{
    c->s->side = (uint8_t)side;
    c->s->step = AU_MOVE;
    au_tell_phase(c->s, c->events);
}

/* 3.1: after a combat phase. */
static void end_combat_phase(struct call *c)
{
    struct state *s = c->s;
    clear_plan(s);
    if (s->side == AU_ALLIED) {
        begin_phase(c, AU_FRENCH);
        return;
    }
    if (s->turn == au_tables.turns) {
        go_over(c);
        return;
    }
    for (unsigned u = 0; u < AU_UNITS; u++) {
        s->unit[u].bridge = AU_NONE; /* 10.4: until the end of the turn */
    }
    s->turn++;
    au_tell_turn(s, c->events);
    begin_phase(c, AU_ALLIED);
}

/* ---- losses ---- */

static void add_vacated(struct state *s, unsigned hex)
{
    struct au_hand *hand = &s->hand;
    unsigned k = hand->vacated_count;
    for (unsigned i = 0; i < k; i++) {
        if (hand->vacated[i] == hex) { return; }
    }
    if (k == AU_VACATED_MAX) { return; }
    for (; k > 0 && hand->vacated[k - 1] > hex; k--) {
        hand->vacated[k] = hand->vacated[k - 1];
    }
    hand->vacated[k] = (uint16_t)hex;
    hand->vacated_count++;
}

/* 7.9: P rises at once. losers: their hexes are open to an advance (7.7). */
static void eliminate(struct call *c, uint64_t set, bool losers)
{
    struct au_refs refs;
    if (set == 0) { return; }
    au_make_refs(c->s, set, &refs);
    for (unsigned i = 0; i < refs.n; i++) {
        if (losers) { add_vacated(c->s, refs.ref[i].hex); }
        au_remove(c->s, refs.ref[i].unit, AU_ELIMINATED);
    }
    see(c);
    au_tell_eliminated(c->s, c->events, au_side(refs.ref[0].unit), &refs);
}

static void eliminate_now(struct call *c, uint64_t set, bool losers)
{
    if (set == 0) { return; }
    eliminate(c, set, losers);
    check_morale(c);
    end_if_gone(c);
}

/* ---- a combat, stage by stage: each gives true when the combat has ended ---- */

static bool finish_combat(struct call *c)
{
    c->s->plan[c->s->hand.index - 1].status = AU_DONE;
    clear_hand(c);
    return true;
}

/* 7.7. */
static bool to_advance(struct call *c)
{
    if (!au_can_advance(c->s, &c->now)) { return finish_combat(c); }
    c->s->step = AU_ADVANCE;
    return false;
}

/* 8.8: batteries without a way stay by themselves. */
static bool to_batteries(struct call *c)
{
    uint8_t list[AU_UNITS];
    struct state *s = c->s;
    unsigned n = au_list_by_hex(s, s->hand.to_choose, list);
    for (unsigned i = 0; i < n; i++) {
        if (au_count_ways(s, &c->now, list[i], 1) > 0) { continue; }
        s->hand.to_choose &= ~au_bit(list[i]);
        au_tell_stayed(s, c->events, list[i]);
    }
    if (s->hand.to_choose == 0) { return to_advance(c); }
    s->step = AU_BATTERY;
    return false;
}

/* 7.1, 7.3: the last of a chain first. */
static void displace(struct call *c, unsigned unit, const struct au_chain *chain)
{
    uint8_t who[AU_CHAIN_MAX];
    struct state *s = c->s;
    for (unsigned i = 0; i < chain->len; i++) {
        who[i] = (uint8_t)unit;
        unit = c->now.at[chain->hex[i]];
    }
    for (unsigned i = chain->len; i-- > 0;) {
        struct au_ref ref = {s->unit[who[i]].hex, who[i]};
        s->unit[who[i]].hex = chain->hex[i];
        au_tell_step(s, c->events, "displaced", ref, chain->hex[i]);
    }
    see(c);
}

/* One that must go: by the chain, or (len 0) off the board (7.4). */
static void retreat(struct call *c, unsigned unit, const struct au_chain *chain)
{
    c->s->hand.to_retreat &= ~au_bit(unit);
    if (chain->len == 0) {
        eliminate_now(c, au_bit(unit), true);
        return;
    }
    add_vacated(c->s, c->s->unit[unit].hex);
    displace(c, unit, chain);
}

static bool to_retreats(struct call *c)
{
    struct state *s = c->s;
    while (au_count(s->hand.to_retreat) == 1) { /* R31 */
        struct au_chain chain = {.len = 0};
        unsigned unit = au_first(s->hand.to_retreat);
        if (au_count_ways(s, &c->now, unit, 2) > 1) { break; }
        (void)au_first_way(s, &c->now, unit, &chain);
        retreat(c, unit, &chain);
        if (is_over(s)) { return false; }
    }
    if (s->hand.to_retreat == 0) {
        if (s->hand.result == AU_AR) { s->hand.to_choose = s->hand.bombard; }
        return to_batteries(c);
    }
    s->step = AU_RETREAT;
    return false;
}

/* 7.6, R33: both sides' losses at one moment. */
static bool exchange(struct call *c, uint64_t losses)
{
    eliminate(c, c->s->hand.defenders, false);
    eliminate(c, losses, false);
    check_morale(c);
    end_if_gone(c);
    return !is_over(c->s) && finish_combat(c);
}

static bool to_exchange(struct call *c)
{
    uint64_t sets[AU_SETS_MAX];
    if (au_exchange_sets(c->s, sets) == 1) { return exchange(c, sets[0]); }
    c->s->step = AU_EXCHANGE;
    return false;
}

/* 6.8. */
static bool apply_result(struct call *c)
{
    struct au_hand *hand = &c->s->hand;
    switch (hand->result) {
    case AU_AE: eliminate_now(c, hand->contact, true); break; /* R12 */
    case AU_AR: hand->to_retreat = hand->contact; return to_retreats(c);
    case AU_EX: return to_exchange(c);
    case AU_DR: hand->to_retreat = hand->defenders; return to_retreats(c);
    default: eliminate_now(c, hand->defenders, true); break;
    }
    return !is_over(c->s) && to_advance(c);
}

/* 6.4 to 6.8. */
static bool roll(struct call *c)
{
    struct state *s = c->s;
    struct au_hand *hand = &s->hand;
    struct au_roll r = {.index = hand->index};
    r.attack = au_attack_total(s, hand->contact, hand->bombard);
    r.defence = au_defence_total(s, hand->defenders);
    r.odds = au_odds_row(r.attack, r.defence);
    r.row = au_shift_row(s, s->side, r.odds);
    r.modifier = au_modifier(s, hand->contact, hand->bombard, hand->defenders);
    r.die = dice_die(c->dice, 6);
    int final = (int)r.die + r.modifier;
    r.final_die = final < 1 ? 1U : final > 6 ? 6U : (unsigned) final;
    r.result = au_tables.crt[r.row][r.final_die - 1];
    hand->result = (uint8_t)r.result;
    if (r.result != AU_DR && r.result != AU_DE) { hand->vacated_count = 0; } /* R35 */
    events_seal(c->events);
    au_tell_rolled(s, c->events, &r);
    return apply_result(c);
}

/* 10.2: no die; whoever stands there is lost. */
static bool break_ice(struct call *c, unsigned index, unsigned hex)
{
    struct state *s = c->s;
    unsigned there = c->now.at[hex];
    s->broken |= UINT64_C(1) << au_hexes[hex].pond;
    s->plan[index].status = AU_DONE;
    au_tell_ice(s, c->events, index + 1, hex);
    if (there != AU_NONE) { eliminate_now(c, au_bit(there), false); }
    see(c);
    return !is_over(s);
}

/* A combat or an ice shot comes up. */
static bool run_entry(struct call *c, unsigned index)
{
    struct state *s = c->s;
    struct au_entry entry = s->plan[index];
    uint64_t dropped = 0;
    events_seal(c->events);
    if (!au_revalidate(s, &c->now, s->side, &entry, &dropped)) {
        s->plan[index].status = AU_VOID;
        au_tell_index(s, c->events, "void", index + 1);
        return true;
    }
    if (entry.ice_hex != HEX_NONE) { return break_ice(c, index, entry.ice_hex); }
    if (dropped != 0) { au_tell_dropped(s, c->events, index + 1, dropped); }
    unsigned ice = au_ice_of(s, entry.bombard, entry.defenders);
    if (ice != HEX_NONE) { return break_ice(c, index, ice); } /* R34 */
    uint64_t helpless = au_helpless_of(s, entry.defenders);
    s->hand.index = (uint8_t)(index + 1);
    s->hand.contact = entry.contact;
    s->hand.bombard = entry.bombard;
    s->hand.defenders = entry.defenders & ~helpless;
    bool no_die = s->hand.defenders == 0;
    if (no_die) { /* 8.2: nobody left to roll for; nothing is shown (15.4) */
        s->hand.defenders = helpless;
        s->hand.result = AU_NO_DIE;
    } else if (s->semi_blind != 0) {
        au_tell_reveal(s, c->events, index + 1, entry.contact | entry.bombard | entry.defenders);
    }
    eliminate_now(c, helpless, true); /* R35 */
    if (is_over(s)) { return false; }
    return no_die ? to_advance(c) : roll(c);
}

/* When one has ended: the last pending comes up by itself, none left ends the phase (R31). */
static void after_combat(struct call *c)
{
    struct state *s = c->s;
    while (!is_over(s)) {
        unsigned pending = 0, last = 0;
        for (unsigned i = 0; i < s->plan_count; i++) {
            if (s->plan[i].status != AU_PENDING) { continue; }
            pending++;
            last = i;
        }
        s->step = AU_RESOLVE;
        if (pending == 0) {
            end_combat_phase(c);
            return;
        }
        if (pending > 1 || !run_entry(c, last)) { return; }
    }
}

static void go_on(struct call *c, bool ended)
{
    if (ended) { after_combat(c); }
}

/* ---- the actions ---- */

/* What the names of an action stand for. */
struct meant {
    unsigned unit;
    uint64_t losses;
    struct au_entry plan[AU_PLAN_MAX];
    uint8_t mover[AU_UNITS];
};

static const char *do_move(struct call *c, const struct au_action *action,
                           const struct meant *meant)
{
    struct state *s = c->s;
    unsigned u = meant->unit;
    struct au_costs costs;
    if (au_side(u) != s->side) { return "4.1"; }
    const char *rule = au_forbid_move(s, &c->now, u, &action->way, true, &costs);
    if (rule != NULL) { return rule; }
    const struct au_way *way = &action->way;
    struct au_ref ref = {s->unit[u].hex, (uint8_t)u};
    au_tell_moved(s, c->events, ref, way);
    unsigned last = way->len > 0 ? way->hex[way->len - 1] : ref.hex;
    if (way->edge == AU_EDGES) {
        s->unit[u].hex = (uint16_t)last;
        s->unit[u].moved = 1;
        return NULL;
    }
    unsigned box = au_exit_box(u, last, way->edge);
    au_remove(s, u, box);
    ref.hex = (uint16_t)last;
    au_tell_left(s, c->events, ref, box);
    check_morale(c);
    end_if_gone(c);
    return NULL;
}

static const char *do_destroy(struct call *c, const struct au_action *action,
                              const struct meant *meant)
{
    struct state *s = c->s;
    if (au_side(meant->unit) != s->side) {
        return (s->destroyed >> action->bridge & 1U) != 0 ? "10.5" : "10.4";
    }
    const char *rule = au_forbid_destroy(s, &c->now, meant->unit, action->bridge);
    if (rule != NULL) { return rule; }
    s->destroyed |= UINT32_C(1) << action->bridge;
    s->unit[meant->unit].bridge = action->bridge;
    au_tell_bridge(s, c->events, meant->unit, action->bridge);
    return NULL;
}

static const char *do_end_move(struct call *c, const struct au_action *action,
                               const struct meant *meant)
{
    struct state *s = c->s;
    clear_moved(s);
    s->step = AU_DECLARE;
    au_tell_phase(s, c->events);
    if (!au_can_declare(s, &c->now, s->side)) {
        au_tell_declared(s, c->events);
        end_combat_phase(c);
    }
    return NULL;
}

static const char *do_declare(struct call *c, const struct au_action *action,
                              const struct meant *meant)
{
    struct state *s = c->s;
    const char *rule = au_forbid_plan(s, &c->now, s->side, meant->plan, action->entries);
    if (rule != NULL) { return rule; }
    memcpy(s->plan, meant->plan, action->entries * sizeof s->plan[0]);
    s->plan_count = action->entries;
    s->step = AU_RESOLVE;
    au_tell_declared(s, c->events);
    if (s->plan_count == 0) { end_combat_phase(c); }
    return NULL;
}

static const char *do_resolve(struct call *c, const struct au_action *action,
                              const struct meant *meant)
{
    struct state *s = c->s;
    bool there = action->index >= 1 && action->index <= s->plan_count;
    if (!there || s->plan[action->index - 1].status != AU_PENDING) { return "6.1"; }
    go_on(c, run_entry(c, (unsigned)action->index - 1));
    return NULL;
}

static const char *do_exchange(struct call *c, const struct au_action *action,
                               const struct meant *meant)
{
    uint64_t sets[AU_SETS_MAX];
    unsigned n = au_exchange_sets(c->s, sets), i = 0;
    while (i < n && sets[i] != meant->losses) {
        i++;
    }
    if (i == n) { return "7.6"; }
    go_on(c, exchange(c, meant->losses));
    return NULL;
}

static const char *do_retreat(struct call *c, const struct au_action *action,
                              const struct meant *meant)
{
    struct state *s = c->s;
    if ((s->hand.to_retreat >> meant->unit & 1U) == 0) { return "7.2"; }
    const char *rule = au_forbid_retreat(s, &c->now, meant->unit, &action->chain);
    if (rule != NULL) { return rule; }
    retreat(c, meant->unit, &action->chain);
    go_on(c, !is_over(s) && to_retreats(c));
    return NULL;
}

static const char *do_battery(struct call *c, const struct au_action *action,
                              const struct meant *meant)
{
    struct state *s = c->s;
    unsigned u = meant->unit;
    if ((s->hand.to_choose >> u & 1U) == 0) { return "8.8"; }
    if (action->chain.len > 0) {
        const char *rule = au_forbid_retreat(s, &c->now, u, &action->chain);
        if (rule != NULL) { return rule; }
        displace(c, u, &action->chain);
    } else {
        au_tell_stayed(s, c->events, u);
    }
    s->hand.to_choose &= ~au_bit(u);
    go_on(c, to_batteries(c));
    return NULL;
}

static const char *do_advance(struct call *c, const struct au_action *action,
                              const struct meant *meant)
{
    struct state *s = c->s;
    uint64_t movers = 0;
    uint8_t list[AU_UNITS];
    uint16_t goal[AU_UNITS];
    for (unsigned i = 0; i < action->names; i++) {
        uint16_t to[HEX_SIDES];
        unsigned u = meant->mover[i], n = au_advances_of(s, &c->now, u, to), k = 0;
        while (k < n && to[k] != action->to[i]) {
            k++;
        }
        bool taken = (movers >> u & 1U) != 0;
        for (unsigned j = 0; j < i; j++) {
            taken = taken || action->to[j] == action->to[i];
        }
        if (k == n || taken) { return "7.7"; }
        movers |= au_bit(u);
        goal[u] = action->to[i];
    }
    unsigned n = au_list_by_hex(s, movers, list);
    if (n == 0) { au_tell_index(s, c->events, "held", s->hand.index); }
    for (unsigned i = 0; i < n; i++) {
        struct au_ref ref = {s->unit[list[i]].hex, list[i]};
        s->unit[list[i]].hex = goal[list[i]];
        au_tell_step(s, c->events, "advanced", ref, goal[list[i]]);
    }
    see(c);
    go_on(c, finish_combat(c));
    return NULL;
}

static const char *do_resign(struct call *c, const struct au_action *action,
                             const struct meant *meant)
{
    return NULL; /* done in apply, which knows the seat */
}

typedef const char *do_fn(struct call *c, const struct au_action *action,
                          const struct meant *meant);

/* The steps in which each is an action, and what it does. */
static const struct {
    do_fn *run;
    uint8_t step;
} doings[AU_DOS] = {
    [AU_DO_MOVE] = {do_move, AU_MOVE},          [AU_DO_DESTROY_BRIDGE] = {do_destroy, AU_MOVE},
    [AU_DO_END_MOVE] = {do_end_move, AU_MOVE},  [AU_DO_DECLARE] = {do_declare, AU_DECLARE},
    [AU_DO_RESOLVE] = {do_resolve, AU_RESOLVE}, [AU_DO_EXCHANGE] = {do_exchange, AU_EXCHANGE},
    [AU_DO_RETREAT] = {do_retreat, AU_RETREAT}, [AU_DO_BATTERY] = {do_battery, AU_BATTERY},
    [AU_DO_ADVANCE] = {do_advance, AU_ADVANCE}, [AU_DO_RESIGN] = {do_resign, AU_STEPS},
};

/* Names into units (15.3); false: one that the seat may not use. */
static bool find_meant(const struct call *c, unsigned seat, const struct au_action *action,
                       struct meant *out)
{
    const struct state *s = c->s;
    switch (action->what) {
    case AU_DO_MOVE:
    case AU_DO_DESTROY_BRIDGE:
    case AU_DO_RETREAT:
    case AU_DO_BATTERY:
        out->unit = au_find_named(s, &c->now, seat, action->unit);
        return out->unit != AU_NONE;
    case AU_DO_DECLARE:
        for (unsigned i = 0; i < action->entries; i++) {
            if (!au_find_entry(s, &c->now, seat, action, i, &out->plan[i])) { return false; }
        }
        return true;
    case AU_DO_EXCHANGE:
    case AU_DO_ADVANCE:
        out->losses = 0;
        for (unsigned i = 0; i < action->names; i++) {
            unsigned unit = au_find_named(s, &c->now, seat, action->name[i]);
            if (unit == AU_NONE) { return false; }
            out->losses |= au_bit(unit);
            if (i < AU_UNITS) { out->mover[i] = (uint8_t)unit; }
        }
        return true;
    default: return true;
    }
}

static void give_up(struct call *c, unsigned seat)
{
    c->s->resigned = (uint8_t)seat;
    go_over(c);
}

/* Position page 2: match_over, shape, turn, step, names, then the rules of the action. */
enum err au_apply(struct state *s, unsigned seat, const cJSON *json, struct dice *dice,
                  struct events *events, struct why *why)
{
    struct au_action action;
    struct meant meant;
    struct call c;
    c.s = s;
    c.dice = dice;
    c.events = events;
    if (is_over(s)) { return why_text(why, ERR_MATCH_OVER, "The match is over."); }
    if (seat >= AU_SIDES) { return ERR_FORBIDDEN; }
    enum err err = au_read_action(s, seat, json, &action, why);
    if (err != ERR_OK) { return err; }
    if (action.what == AU_DO_RESIGN) {
        see(&c);
        give_up(&c, seat);
        return ERR_OK;
    }
    if (au_actor(s) != seat) { return why_text(why, ERR_NOT_YOUR_TURN, "The other side acts."); }
    if (doings[action.what].step != s->step) { return au_refuse(why, "3"); }
    see(&c);
    if (!find_meant(&c, seat, &action, &meant)) { return au_refuse(why, "15.3"); }
    const char *rule = doings[action.what].run(&c, &action, &meant);
    if (rule != NULL) { return au_refuse(why, rule); }
    if (au_actor(s) != seat) { events_seal(events); } /* its sitting has ended */
    return ERR_OK;
}

/* A seat that resigns, is struck or loses by the clock: the other side wins (3). */
enum err au_leave(struct state *s, unsigned seat, enum leave how, struct dice *dice,
                  struct events *events)
{
    struct call c;
    (void)how;
    c.s = s;
    c.dice = dice;
    c.events = events;
    if (is_over(s)) { return ERR_MATCH_OVER; }
    if (seat >= AU_SIDES) { return ERR_CONFLICT; }
    give_up(&c, seat);
    return ERR_OK;
}

void au_stop(struct state *s, struct events *events)
{
    struct call c;
    if (is_over(s)) { return; }
    c.s = s;
    c.dice = NULL;
    c.events = events;
    s->agreed = 1;
    go_over(&c);
}

/* 14.5, R36: the printed potentials of each army and type, shuffled and given out again. */
static void deal(struct state *s, struct dice *dice)
{
    for (unsigned side = 0; side < AU_SIDES; side++) {
        for (unsigned type = 0; type < AU_TYPES; type++) {
            uint8_t who[AU_UNITS], potential[AU_UNITS];
            unsigned n = 0;
            for (unsigned u = 0; u < AU_UNITS; u++) {
                if (au_side(u) != side || au_type(u) != type) { continue; }
                who[n] = (uint8_t)u;
                potential[n++] = au_unit_facts[u].combat;
            }
            dice_shuffle(dice, LANE_DEAL, potential, n);
            for (unsigned i = 0; i < n; i++) {
                s->unit[who[i]].potential = potential[i];
            }
        }
    }
}

enum err au_create(const cJSON *options, uint32_t rules, struct dice *dice, struct state *out_state,
                   struct events *events, struct why *why)
{
    memset(out_state, 0, sizeof *out_state);
    enum err err = au_read_options(options, out_state, why);
    if (err != ERR_OK) { return err; }
    out_state->rules = rules;
    au_reset_state(out_state);
    if (out_state->dealt != 0) { deal(out_state, dice); }
    (void)events; /* the start is told by the view */
    return ERR_OK;
}

uint32_t au_to_act(const struct state *s)
{
    unsigned actor = au_actor(s);
    return actor < AU_SIDES ? UINT32_C(1) << actor : 0;
}

/* For spans of clocks and notices: everybody knows the step (15.1). */
const char *au_phase(const struct state *s)
{
    switch (s->step) {
    case AU_MOVE: return "move";
    case AU_OVER: return "over";
    default: return "combat";
    }
}

/* The defender pushes back and advances amid the attacker's phase (7.1, 7.7). */
uint32_t au_interrupts(const struct state *s)
{
    unsigned actor = au_actor(s);
    return actor < AU_SIDES && actor != s->side ? UINT32_C(1) << actor : 0;
}

/* 15.1: who is awaited is known to all. */
void au_shown(const struct state *s, unsigned viewer, uint32_t *out_to_act, uint32_t *out_waits_for)
{
    (void)viewer;
    *out_to_act = au_to_act(s);
    *out_waits_for = au_to_act(s);
}
