/* client-cli/austerlitz/bot_au_move.c: a whole movement phase of Austerlitz thought out: attacks
 * worth making bring their units together, the others take their places; then it is done move by
 * move. */
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"
#include "client-cli/bots/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

enum { ATTACKS_MAX = 10, PACK_MAX = 6, TRIES = 3 };

/* A movement phase while it is thought out. Units that are free to go anywhere are off the map,
 * in pool, until they are given a place. */
struct march {
    struct bau *b;
    struct bau_scene scene;
    uint16_t home[BAU_UNITS], goal[BAU_UNITS];
    uint64_t pool;
    uint64_t can[BAU_HEXES]; /* own free units that could end there */
    struct bau_plan plan;    /* of the combats, as the units stand in the march */
    float worth;
};

/* ---- attacks ---- */

/* Units brought together against one enemy. */
struct pack {
    unsigned count, target;
    uint8_t unit[PACK_MAX + 2];
    uint16_t hex[PACK_MAX + 2];
    float worth;
};

static void place(struct march *m, unsigned unit, unsigned hex)
{
    bau_put(m->b, unit, hex);
    m->pool &= ~bau_bit(unit);
    m->b->army[m->b->me] |= bau_bit(unit);
}

static void unplace(struct march *m, unsigned unit)
{
    bau_lift(m->b, unit);
    m->pool |= bau_bit(unit);
    m->b->army[m->b->me] &= ~bau_bit(unit);
}

/* The combat against the target by those of ours who stand around it. */
static struct bau_entry combat_at(const struct march *m, unsigned target, uint64_t guns)
{
    struct bau_entry entry = {.ice = HEX_NONE, .defenders = bau_bit(target), .bombard = guns};
    for (uint64_t rest = bau_beside(m->b, target); rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        const struct bau_unit *unit = &m->b->unit[u];
        if (!unit->marked && !bau_is_helpless(unit->type, unit->hex)) {
            entry.contact |= bau_bit(u);
        }
    }
    return entry;
}

/* What standing there would owe to other enemies in whose control it is (6.2). */
static float side_cost(const struct march *m, unsigned unit, unsigned target)
{
    float cost = 0;
    for (uint64_t rest = bau_pairs(m->b, unit) & ~bau_bit(target); rest != 0; rest &= rest - 1) {
        unsigned e = bau_first(rest);
        bool fought = false;
        for (unsigned i = 0; i < m->plan.count; i++) {
            fought = fought || (m->plan.entry[i].defenders >> e & 1U) != 0;
        }
        cost += fought ? 0.2F : 0.3F * m->b->unit[e].potential;
    }
    return cost;
}

/* The unit and the hex beside the target that help its attackers most; false: none can come. */
static bool find_best_attacker(struct march *m, unsigned target, float *out_worth,
                               unsigned *out_unit, unsigned *out_hex)
{
    bool found = false;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned hex = bau_next(m->b->unit[target].hex, d);
        if (hex == HEX_NONE || m->b->at[hex] != BAU_NONE) { continue; }
        for (uint64_t rest = m->can[hex] & m->pool; rest != 0; rest &= rest - 1) {
            unsigned u = bau_first(rest);
            if (m->b->unit[u].marked || bau_is_helpless(m->b->unit[u].type, hex)) { continue; }
            place(m, u, hex);
            struct bau_entry entry = combat_at(m, target, 0);
            float worth = bau_worth(m->b, &entry) - side_cost(m, u, target);
            unplace(m, u);
            if (found && worth <= *out_worth) { continue; }
            found = true;
            *out_worth = worth;
            *out_unit = u;
            *out_hex = hex;
        }
    }
    return found;
}

/* A battery that could come into range and help. */
static void add_guns(struct march *m, struct pack *pack)
{
    unsigned at = m->b->unit[pack->target].hex;
    uint64_t guns = 0;
    struct bau_entry before = combat_at(m, pack->target, 0);
    float worth = bau_worth(m->b, &before);
    for (uint64_t rest = m->pool; rest != 0 && !m->b->blind && pack->count < PACK_MAX + 2;
         rest &= rest - 1) {
        unsigned u = bau_first(rest), best = HEX_NONE;
        float least = 0;
        if (m->b->unit[u].type != BAU_ARTILLERY || m->b->unit[u].marked) { continue; }
        for (unsigned hex = 0; hex < BAU_HEXES; hex++) {
            if ((m->can[hex] >> u & 1U) == 0 || m->b->at[hex] != BAU_NONE ||
                m->b->held[bau_other(m->b->me)][hex] != 0 ||
                hex_distance(&bau_grid, hex, at) > bau_tables.range_height ||
                !bau_can_shoot(m->b, hex, at, bau_tables.range_min)) {
                continue;
            }
            place(m, u, hex);
            float danger = bau_danger(m->b, &m->scene, u) - bau_place(m->b, &m->scene, u, hex);
            unplace(m, u);
            if (best == HEX_NONE || danger < least) {
                best = hex;
                least = danger;
            }
        }
        if (best == HEX_NONE) { continue; }
        struct bau_entry entry = combat_at(m, pack->target, guns | bau_bit(u));
        m->b->unit[u].hex = (uint16_t)best;
        float with = bau_worth(m->b, &entry);
        if (with < worth + 0.3F) { continue; }
        place(m, u, best);
        guns |= bau_bit(u);
        worth = with;
        pack->unit[pack->count] = (uint8_t)u;
        pack->hex[pack->count++] = (uint16_t)best;
    }
    pack->worth += worth - bau_worth(m->b, &before);
}

static void lay_out(struct march *m, const struct pack *pack)
{
    for (unsigned i = 0; i < pack->count; i++) {
        place(m, pack->unit[i], pack->hex[i]);
    }
}

static void take_in(struct march *m, const struct pack *pack)
{
    for (unsigned i = 0; i < pack->count; i++) {
        unplace(m, pack->unit[i]);
    }
}

/* Each of the pack once more, now that the others stand: what one could not do alone, two do. The
 * gain. */
static float refine(struct march *m, struct pack *pack)
{
    struct bau_entry entry = combat_at(m, pack->target, 0);
    float before = bau_worth(m->b, &entry);
    for (unsigned i = 0; i < pack->count; i++) {
        float worth = 0;
        unsigned unit = pack->unit[i], hex = pack->hex[i];
        unplace(m, unit);
        (void)find_best_attacker(m, pack->target, &worth, &unit, &hex);
        place(m, unit, hex);
        pack->unit[i] = (uint8_t)unit;
        pack->hex[i] = (uint16_t)hex;
    }
    entry = combat_at(m, pack->target, 0);
    return bau_worth(m->b, &entry) - before;
}

/* Whom to bring against the target: one after another while it gets better, each the best. */
static void find_pack(struct march *m, unsigned target, struct pack *out)
{
    struct bau_entry before = combat_at(m, target, 0);
    float start = before.contact == 0 ? 0 : bau_worth(m->b, &before), best = 0, owed = 0;
    unsigned count = 0;
    *out = (struct pack){.target = target};
    while (out->count < PACK_MAX) {
        float worth = 0;
        unsigned unit = 0, hex = 0;
        if (!find_best_attacker(m, target, &worth, &unit, &hex)) { break; }
        place(m, unit, hex);
        owed += side_cost(m, unit, target);
        out->unit[out->count] = (uint8_t)unit;
        out->hex[out->count++] = (uint16_t)hex;
        struct bau_entry entry = combat_at(m, target, 0);
        float gain = bau_worth(m->b, &entry) - start - owed - 0.15F * (float)out->count;
        if (gain > best) {
            best = gain;
            count = out->count;
        }
    }
    while (out->count > count) {
        unplace(m, out->unit[--out->count]);
    }
    out->worth = best;
    if (count > 1) { out->worth += refine(m, out); }
    add_guns(m, out);
    take_in(m, out);
}

/* All combats as the units stand, and what the pack risks. */
static float judge(struct march *m, const struct pack *pack, struct bau_plan *out_plan)
{
    float cost = 0;
    bau_find_plan(m->b, m->b->me, out_plan);
    for (unsigned i = 0; i < pack->count; i++) {
        unsigned u = pack->unit[i];
        bool bound = ((m->scene.guards | m->scene.column) >> u & 1U) != 0;
        float left =
            bau_place(m->b, &m->scene, u, m->home[u]) - bau_place(m->b, &m->scene, u, pack->hex[i]);
        cost += 0.5F * bau_danger(m->b, &m->scene, u) + (bound ? 1.0F : 0.3F) * left;
    }
    return out_plan->worth - 1000.0F * (float)out_plan->owed - cost;
}

/* Keeps the best few, best first. */
static unsigned keep_best(struct pack best[TRIES], unsigned count, const struct pack *pack)
{
    unsigned i = count;
    while (i > 0 && best[i - 1].worth < pack->worth) {
        if (i < TRIES) { best[i] = best[i - 1]; }
        i--;
    }
    if (i < TRIES) { best[i] = *pack; }
    return count < TRIES ? count + 1 : TRIES;
}

/* Of the best packs, looked at one by one, the one that makes the whole better. */
static bool attack_once(struct march *m)
{
    struct pack best[TRIES];
    unsigned count = 0;
    for (uint64_t rest = m->b->army[bau_other(m->b->me)]; rest != 0; rest &= rest - 1) {
        struct pack pack;
        find_pack(m, bau_first(rest), &pack);
        if (pack.count > 0 && pack.worth >= 0.5F) { count = keep_best(best, count, &pack); }
    }
    const struct pack *chosen = NULL;
    struct bau_plan plan, chosen_plan;
    float gain = 0.6F;
    for (unsigned i = 0; i < count; i++) {
        lay_out(m, &best[i]);
        float worth = judge(m, &best[i], &plan) - m->worth;
        take_in(m, &best[i]);
        if (worth > gain) {
            gain = worth;
            chosen = &best[i];
            chosen_plan = plan;
        }
    }
    if (chosen == NULL) { return false; }
    lay_out(m, chosen);
    m->plan = chosen_plan;
    m->worth = chosen_plan.worth - 1000.0F * (float)chosen_plan.owed;
    return true;
}

/* ---- places ---- */

/* All combats as the units stand now, into the march's plan. */
static float find_worth(struct march *m)
{
    bau_find_plan(m->b, m->b->me, &m->plan);
    return m->plan.worth - 1000.0F * (float)m->plan.owed;
}

/* What the unit gets at a hex where it touches or could fire at the enemy: all combats are weighed
 * anew. */
static float worth_in_contact(struct march *m)
{
    struct bau_plan plan;
    bau_find_plan(m->b, m->b->me, &plan);
    return plan.worth - 1000.0F * (float)plan.owed - m->worth;
}

static bool touches(const struct march *m, unsigned unit)
{
    if (bau_pairs(m->b, unit) != 0) { return true; }
    const struct bau_unit *u = &m->b->unit[unit];
    if (bau_is_helpless(u->type, u->hex)) { return false; }
    if (bau_beside(m->b, unit) != 0) { return true; }
    if (u->type != BAU_ARTILLERY || m->b->blind) { return false; }
    for (uint64_t rest = m->b->army[bau_other(m->b->me)]; rest != 0; rest &= rest - 1) {
        unsigned at = m->b->unit[bau_first(rest)].hex;
        if (hex_distance(&bau_grid, u->hex, at) <= bau_tables.range_height &&
            bau_can_shoot(m->b, u->hex, at, bau_tables.range_min)) {
            return true;
        }
    }
    return false;
}

/* The best place for one of the pool. */
static void settle(struct march *m, unsigned unit, const struct bau_reach *reach)
{
    enum { LOOKS = 6 };
    struct spot {
        uint16_t hex;
        float worth;
    } contact[LOOKS];
    unsigned contacts = 0, best = m->home[unit];
    bool guard = (m->scene.guards >> unit & 1U) != 0;
    bool shutter = (m->scene.shutters >> unit & 1U) != 0;
    float most = -1e9F;
    for (unsigned i = 0; i < reach->count; i++) {
        unsigned hex = reach->order[i];
        if (m->b->at[hex] != BAU_NONE) { continue; }
        place(m, unit, hex);
        float worth = bau_place(m->b, &m->scene, unit, hex) - 0.01F * reach->cost[hex] -
                      (guard ? 0.4F : 1.0F) * bau_danger(m->b, &m->scene, unit) -
                      (shutter ? bau_leak(m->b) : 0);
        bool close = touches(m, unit);
        unplace(m, unit);
        if (!close) {
            if (worth > most) {
                most = worth;
                best = hex;
            }
            continue;
        }
        unsigned k = contacts < LOOKS ? contacts++ : LOOKS;
        if (k == LOOKS) {
            if (contact[LOOKS - 1].worth >= worth) { continue; }
            k = LOOKS - 1;
        }
        for (; k > 0 && contact[k - 1].worth < worth; k--) {
            contact[k] = contact[k - 1];
        }
        contact[k] = (struct spot){(uint16_t)hex, worth};
    }
    for (unsigned i = 0; i < contacts; i++) {
        place(m, unit, contact[i].hex);
        float worth = contact[i].worth + worth_in_contact(m);
        unplace(m, unit);
        if (worth > most) {
            most = worth;
            best = contact[i].hex;
        }
    }
    m->pool &= ~bau_bit(unit);
    if (m->b->at[best] != BAU_NONE) { return; } /* somebody is to stand where it is shut in */
    place(m, unit, best);
    if (touches(m, unit)) { m->worth = find_worth(m); }
}

/* ---- the whole phase ---- */

static void find_ways(struct march *m, uint64_t free)
{
    struct bau_reach reach;
    for (uint64_t rest = free; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        bau_find_reach(m->b, u, &reach);
        for (unsigned i = 0; i < reach.count; i++) {
            m->can[reach.order[i]] |= bau_bit(u);
        }
    }
}

/* Which of a set is settled next: who stands nearest to the enemy. */
static unsigned next_of(const struct march *m, uint64_t set)
{
    unsigned best = bau_first(set);
    float least = 1e9F;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        const struct bau_unit *unit = &m->b->unit[u];
        float front = m->scene.front[unit->type][m->home[u]] - 0.2F * unit->potential +
                      (unit->type == BAU_ARTILLERY ? 6.0F : 0);
        if (front < least) {
            least = front;
            best = u;
        }
    }
    return best;
}

/* here: the map as it is, of which reach is asked. */
static void settle_all(struct march *m, uint64_t set, const struct bau *here)
{
    struct bau_reach reach;
    for (uint64_t rest = set; rest != 0;) {
        unsigned u = next_of(m, rest);
        rest &= ~bau_bit(u);
        m->b->unit[u].hex = m->home[u];
        bau_find_reach(here, u, &reach);
        settle(m, u, &reach);
    }
}

/* Those who keep the exits of the Vienna road: from where they stand one after another to where it
 * is best with the others as they are, twice. */
static void shut(struct march *m, uint64_t set, const struct bau *here)
{
    enum { ROUNDS = 2 };
    struct bau_reach reach;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        place(m, u, m->home[u]);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
            unsigned u = bau_first(rest);
            unplace(m, u);
            m->worth = find_worth(m);
            m->b->unit[u].hex = m->home[u];
            bau_find_reach(here, u, &reach);
            settle(m, u, &reach);
        }
    }
}

/* Once more those in danger who touch nobody: the others, who may support them, stand by now. */
static void settle_again(struct march *m, uint64_t set, const struct bau *here)
{
    struct bau_reach reach;
    for (uint64_t rest = set & m->b->army[m->b->me]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        if (bau_danger(m->b, &m->scene, u) < 0.3F || touches(m, u)) { continue; }
        unplace(m, u);
        m->b->unit[u].hex = m->home[u];
        bau_find_reach(here, u, &reach);
        settle(m, u, &reach);
    }
}

/* Those that the Vienna road is open to leave by it: a point each (13.4). */
static uint64_t find_leavers(struct march *m, uint64_t free)
{
    uint64_t leavers = 0;
    for (uint64_t rest = m->b->me == BAU_ALLIED ? free : 0; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest), hex = 0;
        if (!bau_finds_exit(m->b, u, &hex)) { continue; }
        m->goal[u] = (uint16_t)hex;
        leavers |= bau_bit(u);
    }
    return leavers;
}

static uint64_t think(struct march *m, struct bau *b)
{
    static const struct pack nothing = {.count = 0};
    struct bau here;
    memset(m, 0, sizeof *m);
    m->b = b;
    bau_find_vienna(b);
    bau_find_scene(b, &m->scene);
    here = *b; /* reach is asked of the map as it is */
    uint64_t free = 0;
    for (uint64_t rest = b->army[b->me]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        m->home[u] = m->goal[u] = b->unit[u].hex;
        if (!b->unit[u].moved) { free |= bau_bit(u); }
    }
    uint64_t leavers = find_leavers(m, free);
    find_ways(m, free & ~leavers);
    for (uint64_t rest = free; rest != 0; rest &= rest - 1) {
        unplace(m, bau_first(rest));
    }
    m->pool &= ~leavers;
    m->worth = judge(m, &nothing, &m->plan);
    shut(m, m->pool & m->scene.shutters, &here);
    for (unsigned n = 0; n < ATTACKS_MAX && attack_once(m); n++) {}
    uint64_t others = m->pool;
    settle_all(m, others, &here);
    settle_again(m, others, &here);
    for (uint64_t rest = free & ~leavers; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        if (b->at[b->unit[u].hex] == u) { m->goal[u] = b->unit[u].hex; }
    }
    *b = here;
    return leavers;
}

/* ---- done move by move ---- */

/* The same through a movement phase of ours: the enemy stands still. */
static uint64_t phase_of(const struct bau *b)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325) ^ (b->turn * 2 + b->attacker);
    for (uint64_t rest = b->army[bau_other(b->me)]; rest != 0; rest &= rest - 1) {
        key = (key ^ (b->unit[bau_first(rest)].hex + 1U)) * UINT64_C(0x100000001b3);
    }
    return key;
}

static void intend(struct bau *b, struct bot_mind *mind)
{
    struct march m;
    uint64_t leavers = think(&m, b);
    mind->phase = phase_of(b);
    mind->intents = 0;
    for (uint64_t rest = b->army[b->me]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        bool leaves = (leavers >> u & 1U) != 0;
        if (b->unit[u].moved || (m.goal[u] == m.home[u] && !leaves)) { continue; }
        mind->intent[mind->intents++] =
            (struct bot_intent){b->unit[u].fact, m.home[u], m.goal[u], leaves};
    }
}

static void write_path(const struct bau_reach *reach, unsigned hex, struct buf *out)
{
    uint16_t path[BAU_HEXES];
    unsigned n = 0;
    for (unsigned at = hex; reach->from[at] != HEX_NONE; at = reach->from[at]) {
        path[n++] = (uint16_t)at;
    }
    jw_key_array(out, "path");
    while (n > 0) {
        char text[HEX_TEXT];
        hex_text(&bau_grid, path[--n], text);
        jw_str(out, text);
    }
    jw_array_end(out);
}

/* One of the moves that can be made now. */
static bool write_move(const struct bau *b, const struct bot_intent *intent, struct buf *out)
{
    struct bau_reach reach;
    unsigned u = b->at[intent->from];
    if (u == BAU_NONE || b->unit[u].side != b->me || b->unit[u].moved ||
        b->unit[u].fact != intent->unit || (b->at[intent->to] != BAU_NONE && !intent->leaves)) {
        return false;
    }
    bau_find_reach(b, u, &reach);
    if (reach.cost[intent->to] == BAU_NEVER) { return false; }
    jw_object_begin(out);
    jw_key_str(out, "do", "move");
    jw_key_str(out, "unit", b->unit[u].name);
    write_path(&reach, intent->to, out);
    if (intent->leaves) { jw_key_str(out, "exit_edge", "west"); }
    jw_object_end(out);
    return true;
}

/* Points of movement that the Allies would lose on their ways to Vienna without the bridge. */
static unsigned worth_of_bridge(const struct bau *b, unsigned bridge)
{
    enum { FAR = 60 };
    struct bau without = *b;
    unsigned gain = 0;
    without.destroyed |= UINT32_C(1) << bridge;
    bau_find_vienna(&without);
    for (uint64_t rest = b->army[BAU_ALLIED]; rest != 0; rest &= rest - 1) {
        const struct bau_unit *u = &b->unit[bau_first(rest)];
        unsigned now = b->to_vienna[u->type][u->hex];
        if (now < FAR) { gain += without.to_vienna[u->type][u->hex] - now; }
    }
    return gain;
}

/* A French unit that stays where it is, with nobody to attack, breaks a bridge that many Allies
 * would use (10.4). */
static bool break_bridge(struct bau *b, struct buf *out)
{
    enum { ENOUGH = 4 };
    if (b->me != BAU_FRENCH) { return false; }
    bau_find_vienna(b);
    for (unsigned i = 0; i < bau_bridge_count; i++) {
        const struct bau_bridge *bridge = &bau_bridges[i];
        unsigned u = b->at[bridge->a], v = b->at[bridge->b];
        if (u == BAU_NONE || b->unit[u].side != BAU_FRENCH || b->unit[u].moved) { u = v; }
        bool free = u != BAU_NONE && b->unit[u].side == BAU_FRENCH && !b->unit[u].moved &&
                    !b->unit[u].marked && b->unit[u].type != BAU_ARTILLERY && bau_beside(b, u) == 0;
        bool clear = (b->at[bridge->a] == BAU_NONE || b->at[bridge->a] == u) &&
                     (b->at[bridge->b] == BAU_NONE || b->at[bridge->b] == u) &&
                     b->held[BAU_ALLIED][bridge->a] == 0 && b->held[BAU_ALLIED][bridge->b] == 0;
        if (!free || !clear || (b->destroyed >> i & 1U) != 0 || worth_of_bridge(b, i) < ENOUGH) {
            continue;
        }
        jw_object_begin(out);
        jw_key_str(out, "do", "destroy_bridge");
        jw_key_str(out, "unit", b->unit[u].name);
        jw_key_str(out, "bridge", bridge->id);
        jw_object_end(out);
        return true;
    }
    return false;
}

bool bau_act_move(struct bau *b, unsigned attempt, struct bot_mind *mind, struct buf *out_action)
{
    if (attempt == 0 && mind->phase != phase_of(b)) { intend(b, mind); }
    for (unsigned i = 0; i < mind->intents; i++) {
        if (!write_move(b, &mind->intent[i], out_action)) { continue; }
        mind->intent[i] = mind->intent[--mind->intents]; /* whatever comes of it, once */
        return true;
    }
    if (attempt == 0 && break_bridge(b, out_action)) { return true; }
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "end_move");
    jw_object_end(out_action);
    return true;
}
