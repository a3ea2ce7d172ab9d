/* common/rules/austerlitz/actions.c: action forms (PROTOCOL section 5). They are sound, not
 * complete: few ways of each unit, few plans; all from the predicates that apply asks, too. */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/austerlitz/offers.h"

enum {
    FORMS_BYTES = 7800, /* of 8192: what is optional stops here */
    MOVE_BYTES = 5200,  /* all trees together */
    NODE_BYTES = 10,    /* "2217":{}, */
    NODES_MIN = 6,
    NODES_MAX = 48,
    WAYS_MAX = 8,
    PLANS_MAX = 12
};

static void begin(struct buf *out, const char *what)
{
    jw_object_begin(out);
    jw_key_str(out, "do", what);
}

/* ---- MOVE ---- */

/* Of a hex reached, beside a bit per side across which a branch goes on. good: it and all before it
 * are free; taken: it stands in the tree. */
enum { BRANCHES = (1 << HEX_SIDES) - 1, GOOD = 1 << HEX_SIDES, TAKEN = 2 << HEX_SIDES };

/* The tree of ways of one unit. good, contacts: what may be taken, of that where the enemy has
 * control, in the order of the reach; far: the first of those farthest west, east, north, south. */
struct tree {
    const struct au_now *now;
    unsigned unit, start, nodes, nodes_max, depth;
    unsigned good_count, contact_count, far[4];
    uint16_t good[AU_REACH_MAX], contacts[AU_REACH_MAX];
    uint8_t mark[AU_HEXES];
    struct au_reach reach;
    char text[NODES_MAX * NODE_BYTES + 2];
};

/* A hex may be the farthest one to one side: at is its column or row, or that counted from the
 * other end. */
static inline void consider_far(unsigned hex, unsigned at, unsigned *best, unsigned *best_at)
{
    if (at <= *best_at) { return; }
    *best_at = at;
    *best = hex;
}

static void find_good(struct tree *tree)
{
    const struct au_reach *reach = &tree->reach;
    const unsigned enemy = 1U << au_other(au_side(tree->unit));
    unsigned at[4] = {0, 0, 0, 0};
    tree->good_count = 0;
    tree->contact_count = 0;
    for (unsigned k = 0; k < 4; k++) {
        tree->far[k] = HEX_NONE;
    }
    tree->mark[tree->start] = GOOD;
    for (unsigned i = 1; i < reach->count; i++) { /* 0: where it stands */
        unsigned hex = reach->order[i];
        bool good = tree->now->at[hex] == AU_NONE && (tree->mark[reach->from[hex]] & GOOD) != 0;
        tree->mark[hex] = good ? GOOD : 0;
        if (!good) { continue; }
        tree->good[tree->good_count++] = (uint16_t)hex;
        if ((tree->now->control[hex] & enemy) != 0) {
            tree->contacts[tree->contact_count++] = (uint16_t)hex;
        }
        unsigned column = hex / AU_MAP_ROWS + 1, row = hex % AU_MAP_ROWS + 1;
        consider_far(hex, AU_HEXES - column, &tree->far[0], &at[0]);
        consider_far(hex, column, &tree->far[1], &at[1]);
        consider_far(hex, AU_HEXES - row, &tree->far[2], &at[2]);
        consider_far(hex, row, &tree->far[3], &at[3]);
    }
}

static bool is_full(const struct tree *tree)
{
    return tree->nodes >= tree->nodes_max;
}

static bool is_taken(const struct tree *tree, unsigned hex)
{
    return hex == tree->start || (tree->mark[hex] & TAKEN) != 0;
}

/* Takes the way to a good hex into the tree, if there is room for all of it. What leads to a hex
 * that is taken is taken, too. */
static void take(struct tree *tree, unsigned hex)
{
    unsigned fresh = 0, depth = 0;
    if (hex == HEX_NONE || is_taken(tree, hex)) { return; }
    for (unsigned at = hex; at != tree->start; at = tree->reach.from[at], depth++) {
        fresh += !is_taken(tree, at);
    }
    if (tree->nodes + fresh > tree->nodes_max) { return; }
    for (unsigned at = hex; !is_taken(tree, at); at = tree->reach.from[at]) {
        tree->mark[at] |= TAKEN;
        tree->mark[tree->reach.from[at]] |= (uint8_t)(1U << tree->reach.across[at]);
    }
    tree->nodes += fresh;
    if (depth > tree->depth) { tree->depth = depth; }
}

/* Contacts first, then far to all sides, then what is near. */
static void fill_tree(struct tree *tree)
{
    for (unsigned i = 0; i < tree->contact_count && !is_full(tree); i++) {
        take(tree, tree->contacts[i]);
    }
    for (unsigned k = 0; k < 4; k++) {
        take(tree, tree->far[k]);
    }
    for (unsigned i = 0; i < tree->good_count && !is_full(tree); i++) {
        take(tree, tree->good[i]);
    }
}

/* What hangs on a hex, as JSON; returns the place behind it. */
static char *write_branch(const struct tree *tree, unsigned from, char *to)
{
    *to++ = '{';
    for (unsigned sides = tree->mark[from] & BRANCHES; sides != 0; sides &= sides - 1) {
        unsigned hex = au_next(from, au_first(sides));
        if (to[-1] == '}') { *to++ = ','; }
        *to++ = '"';
        memcpy(to, au_hex_ids[hex], HEX_TEXT - 1);
        to += HEX_TEXT - 1;
        *to++ = '"';
        *to++ = ':';
        to = write_branch(tree, hex, to);
    }
    *to++ = '}';
    return to;
}

static void write_move(const struct state *s, struct tree *tree, unsigned unit, struct buf *out)
{
    tree->unit = unit;
    tree->start = s->unit[unit].hex;
    tree->nodes = 0;
    tree->depth = 0;
    find_good(tree);
    fill_tree(tree);
    if (tree->nodes == 0) { return; }
    begin(out, "move");
    jw_key_str(out, "unit", au_unit_facts[unit].id);
    jw_key_object(out, "path");
    size_t len = (size_t)(write_branch(tree, tree->start, tree->text) - tree->text);
    jw_key_raw(out, "tree", tree->text, len);
    jw_key_int(out, "min", 1);
    jw_key_int(out, "max", tree->depth);
    jw_object_end(out);
    jw_object_end(out);
}

/* Whether a hex at an edge can be so near that the points suffice: no step costs less than one. */
static bool is_near_edge(unsigned hex, unsigned points)
{
    unsigned west = hex / AU_MAP_ROWS, north = hex % AU_MAP_ROWS;
    return west <= points || AU_HEXES / AU_MAP_ROWS - 1 - west <= points || north <= points ||
           AU_MAP_ROWS - 1 - north <= points;
}

/* A way off the map that loses nobody: by the Vienna road before all others (9.3, 9.5). */
static void write_exit(const struct state *s, const struct au_now *now,
                       const struct au_reach *reach, unsigned unit, struct buf *out)
{
    unsigned best = HEX_NONE, best_edge = AU_EDGES, best_box = AU_ON_MAP;
    unsigned points = au_points(s, unit, true), enemy = 1U << au_other(au_side(unit));
    if (!is_near_edge(s->unit[unit].hex, points)) { return; }
    for (unsigned i = 0; i < reach->count; i++) {
        unsigned hex = reach->order[i];
        if (au_hexes[hex].flags >> AU_EDGE_SHIFT == 0) { continue; }
        bool stopped = hex != s->unit[unit].hex && (now->control[hex] & enemy) != 0;
        for (unsigned edge = 0; edge < AU_EDGES && !stopped; edge++) {
            unsigned box = au_exit_box(unit, hex, edge);
            if (box == AU_ON_MAP || box == AU_ELIMINATED || best_box == AU_VIENNA) { continue; }
            if (best != HEX_NONE && box != AU_VIENNA) { continue; }
            if (reach->cost[hex] + au_exit_cost(s, now, unit, hex) > points) { continue; }
            best = hex;
            best_edge = edge;
            best_box = box;
        }
    }
    if (best == HEX_NONE) { return; }
    uint16_t path[AU_WAY_MAX];
    unsigned n = 0;
    for (unsigned at = best; at != s->unit[unit].hex; at = reach->from[at]) {
        path[n++] = (uint16_t)at;
    }
    begin(out, "move");
    jw_key_str(out, "unit", au_unit_facts[unit].id);
    jw_key_object(out, "path");
    jw_key_array(out, "list");
    while (n > 0) {
        au_write_hex(out, path[--n]);
    }
    jw_array_end(out);
    jw_object_end(out);
    jw_key_str(out, "exit_edge", au_edge_ids[best_edge]);
    jw_object_end(out);
}

static void write_bridges(const struct state *s, const struct au_now *now, unsigned seat,
                          struct buf *out)
{
    for (unsigned b = 0; b < au_bridge_count; b++) {
        const uint16_t ends[2] = {au_bridges[b].a, au_bridges[b].b};
        bool begun = false;
        for (unsigned i = 0; i < 2; i++) {
            unsigned u = now->at[ends[i]];
            if (u == AU_NONE || au_side(u) != seat || au_forbid_destroy(s, now, u, b) != NULL) {
                continue;
            }
            if (!begun) {
                begin(out, "destroy_bridge");
                jw_key_str(out, "bridge", au_bridges[b].id);
                jw_key_array(out, "unit");
            }
            begun = true;
            jw_str(out, au_unit_facts[u].id);
        }
        if (!begun) { continue; }
        jw_array_end(out);
        jw_object_end(out);
    }
}

static void write_moves(const struct state *s, const struct au_now *now, unsigned seat,
                        struct buf *out)
{
    uint8_t list[AU_UNITS];
    uint64_t ready = 0;
    struct tree tree; /* one for all units: it is large */
    for (uint64_t rest = au_army(s, seat); rest != 0; rest &= rest - 1) {
        if (s->unit[au_first(rest)].moved == 0) { ready |= rest & -rest; }
    }
    unsigned n = au_list_by_hex(s, ready, list), nodes = NODES_MAX;
    if (n > 0 && MOVE_BYTES / NODE_BYTES / n < nodes) { nodes = MOVE_BYTES / NODE_BYTES / n; }
    if (nodes < NODES_MIN) { nodes = NODES_MIN; }
    tree.now = now;
    tree.nodes_max = nodes;
    begin(out, "end_move");
    jw_object_end(out);
    write_bridges(s, now, seat, out);
    for (unsigned i = 0; i < n; i++) {
        au_find_reach(s, now, list[i], true, &tree.reach);
        write_move(s, &tree, list[i], out);
        size_t before = out->len;
        write_exit(s, now, &tree.reach, list[i], out);
        if (out->len > FORMS_BYTES - (n - i - 1) * 80) { buf_cut(out, before); }
    }
}

/* ---- DECLARE ---- */

void au_write_names(const struct state *s, unsigned seat, uint64_t set, bool form, struct buf *out)
{
    uint8_t list[AU_UNITS];
    unsigned n = au_list_by_hex(s, set, list);
    if (form) {
        jw_object_begin(out);
        jw_key(out, "list");
    }
    jw_array_begin(out);
    for (unsigned i = 0; i < n; i++) {
        au_write_name(s, seat, list[i], out);
    }
    jw_array_end(out);
    if (form) { jw_object_end(out); }
}

static void write_entry(const struct state *s, unsigned seat, const struct au_entry *entry,
                        bool form, struct buf *out)
{
    const struct {
        const char *name;
        uint64_t set;
    } lists[3] = {
        {"contact", entry->contact}, {"bombard", entry->bombard}, {"defenders", entry->defenders}};
    jw_object_begin(out);
    if (entry->ice_hex != HEX_NONE) {
        jw_key(out, "artillery");
        au_write_name(s, seat, au_first(entry->bombard), out);
        jw_key(out, "hex");
        au_write_hex(out, entry->ice_hex);
    }
    for (unsigned i = 0; i < 3 && entry->ice_hex == HEX_NONE; i++) {
        if (lists[i].set == 0) { continue; }
        jw_key(out, lists[i].name);
        au_write_names(s, seat, lists[i].set, form, out);
    }
    jw_object_end(out);
}

void au_write_plan(const struct state *s, unsigned seat, const struct au_entry *plan,
                   unsigned count, bool form, struct buf *out)
{
    begin(out, "declare");
    jw_key(out, "plan");
    if (form) {
        jw_object_begin(out);
        jw_key(out, "list");
    }
    jw_array_begin(out);
    for (unsigned i = 0; i < count; i++) {
        write_entry(s, seat, &plan[i], form, out);
    }
    jw_array_end(out);
    if (form) { jw_object_end(out); }
    jw_object_end(out);
}

/* What a plan can be made of: first what must be, then what may be added. */
struct plans {
    const struct state *s;
    const struct au_now *now;
    unsigned seat, least;
    struct au_entry plan[AU_PLAN_MAX];
    uint64_t spare; /* attackers that need not fight, and have no place yet */
};

static bool can_shoot(const struct plans *p, unsigned unit, uint64_t defenders)
{
    struct au_shot shot;
    if (au_count(defenders) != 1 || au_type(unit) != AU_ARTILLERY) { return false; }
    unsigned hex = p->s->unit[au_first(defenders)].hex;
    return au_forbid_shot(p->s, unit, hex, au_tables.range_min, &shot) == NULL;
}

static bool is_beside_all(const struct state *s, unsigned unit, uint64_t others)
{
    for (uint64_t rest = others; rest != 0; rest &= rest - 1) {
        if (au_side_to(s->unit[unit].hex, s->unit[au_first(rest)].hex) == HEX_SIDES) {
            return false;
        }
    }
    return true;
}

/* Spare attackers that can join the entry do. */
static void reinforce(struct plans *p, struct au_entry *entry)
{
    for (uint64_t rest = p->spare; rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        if (is_beside_all(p->s, u, entry->defenders)) {
            entry->contact |= au_bit(u);
        } else if (can_shoot(p, u, entry->defenders)) {
            entry->bombard |= au_bit(u);
        } else {
            continue;
        }
        p->spare &= ~au_bit(u);
    }
}

static unsigned add_combats(struct plans *p, unsigned count, uint64_t fought)
{
    uint8_t list[AU_UNITS];
    unsigned n = au_list_by_hex(p->s, au_army(p->s, au_other(p->seat)) & ~fought, list);
    for (unsigned i = 0; i < n; i++) {
        struct au_entry entry = {.defenders = au_bit(list[i]), .ice_hex = HEX_NONE};
        reinforce(p, &entry);
        if ((entry.contact | entry.bombard) != 0) { p->plan[count++] = entry; }
    }
    return count;
}

/* 10.2: batteries still spare may break the ice of an empty hex. */
static unsigned add_ice_shots(struct plans *p, unsigned count)
{
    for (uint64_t rest = p->spare; rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        for (unsigned i = 0; i < au_pond_count && au_type(u) == AU_ARTILLERY; i++) {
            unsigned hex = au_ponds[i];
            struct au_shot shot;
            if (p->now->at[hex] != AU_NONE ||
                au_forbid_ice_hex(p->s, p->now, p->seat, hex) != NULL ||
                au_forbid_shot(p->s, u, hex, 1, &shot) != NULL) {
                continue;
            }
            p->plan[count++] = (struct au_entry){.bombard = au_bit(u), .ice_hex = (uint16_t)hex};
            p->spare &= ~au_bit(u);
            break;
        }
    }
    return count;
}

/* A plan among the forms, if the rules take it and there is room. */
static void offer_plan(const struct plans *p, const struct au_entry *plan, unsigned count,
                       bool always, struct buf *out)
{
    size_t before = out->len;
    if (au_forbid_plan(p->s, p->now, p->seat, plan, count) != NULL) { return; }
    au_write_plan(p->s, p->seat, plan, count, true, out);
    if (!always && out->len > FORMS_BYTES) { buf_cut(out, before); }
}

static void write_plans(const struct state *s, const struct au_now *now, unsigned seat,
                        struct buf *out)
{
    struct plans p = {.s = s, .now = now, .seat = seat};
    uint64_t fought = 0;
    p.least = au_least_plan(s, now, seat, p.plan);
    offer_plan(&p, p.plan, p.least, true, out);
    for (unsigned i = 0; i < p.least; i++) {
        fought |= p.plan[i].contact | p.plan[i].defenders;
    }
    for (uint64_t rest = au_army(s, seat) & ~fought; rest != 0; rest &= rest - 1) {
        if (au_may_attack(s, au_first(rest))) { p.spare |= rest & -rest; }
    }
    struct plans strong = p; /* everybody who can joins what must be fought */
    for (unsigned i = 0; i < p.least; i++) {
        reinforce(&strong, &strong.plan[i]);
    }
    if (strong.spare != p.spare) { offer_plan(&strong, strong.plan, p.least, false, out); }
    unsigned all = add_combats(&strong, p.least, fought);
    if (all > p.least) { offer_plan(&strong, strong.plan, all, false, out); }
    unsigned with_ice = add_ice_shots(&strong, all);
    if (with_ice > all) { offer_plan(&strong, strong.plan, with_ice, false, out); }
    unsigned wide = add_combats(&p, p.least, fought); /* as many combats as can be */
    for (unsigned i = p.least; i < wide && i < p.least + PLANS_MAX; i++) {
        struct au_entry extra = p.plan[i], kept = p.plan[p.least];
        p.plan[p.least] = extra;
        offer_plan(&p, p.plan, p.least + 1, false, out);
        p.plan[p.least] = kept;
    }
}

/* ---- after the die ---- */

static void write_resolves(const struct state *s, struct buf *out)
{
    begin(out, "resolve");
    jw_key_array(out, "index");
    for (unsigned i = 0; i < s->plan_count; i++) {
        if (s->plan[i].status == AU_PENDING) { jw_int(out, i + 1); }
    }
    jw_array_end(out);
    jw_object_end(out);
}

static void write_exchanges(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t sets[AU_SETS_MAX];
    unsigned n = au_exchange_sets(s, sets);
    begin(out, "exchange");
    jw_key_array(out, "losses");
    for (unsigned i = 0; i < n; i++) {
        au_write_names(s, seat, sets[i], true, out);
    }
    jw_array_end(out);
    jw_object_end(out);
}

void au_write_way(const struct au_chain *chain, bool form, struct buf *out)
{
    jw_key(out, "to");
    au_write_hex(out, chain->hex[0]);
    if (chain->len < 2) { return; }
    jw_key(out, "chain");
    if (form) {
        jw_object_begin(out);
        jw_key(out, "list");
    }
    jw_array_begin(out);
    for (unsigned i = 1; i < chain->len; i++) {
        au_write_hex(out, chain->hex[i]);
    }
    jw_array_end(out);
    if (form) { jw_object_end(out); }
}

/* The ways of one unit: its free hexes as one choice, chains one by one. */
static void write_ways(const struct state *s, const struct au_now *now, unsigned seat,
                       unsigned unit, const char *what, struct buf *out)
{
    struct au_chain chain[WAYS_MAX];
    unsigned n = au_list_ways(s, now, unit, chain, WAYS_MAX);
    bool free = n > 0 && chain[0].len == 1;
    if (n == 0 || free) {
        begin(out, what);
        jw_key(out, "unit");
        au_write_name(s, seat, unit, out);
        if (free) { jw_key_array(out, "to"); }
        for (unsigned i = 0; i < n; i++) {
            au_write_hex(out, chain[i].hex[0]);
        }
        if (free) { jw_array_end(out); }
        jw_object_end(out);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        size_t before = out->len;
        begin(out, what);
        jw_key(out, "unit");
        au_write_name(s, seat, unit, out);
        au_write_way(&chain[i], true, out);
        jw_object_end(out);
        if (i > 0 && out->len > FORMS_BYTES) { buf_cut(out, before); }
    }
}

static void write_retreats(const struct state *s, const struct au_now *now, unsigned seat,
                           struct buf *out)
{
    uint8_t list[AU_UNITS];
    unsigned n = au_list_by_hex(s, s->hand.to_retreat, list);
    for (unsigned i = 0; i < n; i++) {
        write_ways(s, now, seat, list[i], "retreat", out);
    }
}

static void write_batteries(const struct state *s, const struct au_now *now, unsigned seat,
                            struct buf *out)
{
    uint8_t list[AU_UNITS];
    unsigned n = au_list_by_hex(s, s->hand.to_choose, list);
    for (unsigned i = 0; i < n; i++) {
        begin(out, "battery");
        jw_key(out, "unit");
        au_write_name(s, seat, list[i], out);
        jw_key_bool(out, "stay", true);
        jw_object_end(out);
        write_ways(s, now, seat, list[i], "battery", out);
    }
}

static void key_name(const struct state *s, unsigned seat, unsigned unit, struct buf *out)
{
    if (au_knows(s, seat, au_side(unit))) {
        jw_key(out, au_unit_facts[unit].id);
    } else {
        au_key_hex_of(out, s->unit[unit].hex);
    }
}

/* Nobody, each alone with its choice, and (where there are several) all at once. */
static void write_advances(const struct state *s, const struct au_now *now, unsigned seat,
                           struct buf *out)
{
    uint8_t list[AU_UNITS];
    uint16_t goal[AU_UNITS], taken[AU_UNITS];
    unsigned n = au_list_by_hex(s, au_army(s, seat), list), movers = 0;
    begin(out, "advance");
    jw_key_object(out, "moves");
    jw_object_end(out);
    jw_object_end(out);
    for (unsigned i = 0; i < n; i++) {
        uint16_t to[HEX_SIDES];
        unsigned ways = au_advances_of(s, now, list[i], to);
        if (ways == 0) { continue; }
        begin(out, "advance");
        jw_key_object(out, "moves");
        key_name(s, seat, list[i], out);
        jw_array_begin(out);
        for (unsigned k = 0; k < ways; k++) {
            au_write_hex(out, to[k]);
        }
        jw_array_end(out);
        jw_object_end(out);
        jw_object_end(out);
        for (unsigned k = 0; k < ways; k++) {
            unsigned j = 0;
            while (j < movers && taken[j] != to[k]) {
                j++;
            }
            if (j < movers) { continue; }
            goal[movers] = list[i];
            taken[movers++] = to[k];
            break;
        }
    }
    if (movers < 2) { return; }
    begin(out, "advance");
    jw_key_object(out, "moves");
    for (unsigned i = 0; i < movers; i++) {
        key_name(s, seat, goal[i], out);
        au_write_hex(out, taken[i]);
    }
    jw_object_end(out);
    jw_object_end(out);
}

void au_actions(const struct state *s, unsigned seat, struct buf *out)
{
    struct au_now now;
    jw_array_begin(out);
    if (au_actor(s) == seat && seat < AU_SIDES) {
        au_see(s, &now);
        switch (s->step) {
        case AU_MOVE: write_moves(s, &now, seat, out); break;
        case AU_DECLARE: write_plans(s, &now, seat, out); break;
        case AU_RESOLVE: write_resolves(s, out); break;
        case AU_EXCHANGE: write_exchanges(s, seat, out); break;
        case AU_RETREAT: write_retreats(s, &now, seat, out); break;
        case AU_BATTERY: write_batteries(s, &now, seat, out); break;
        case AU_ADVANCE: write_advances(s, &now, seat, out); break;
        default: break;
        }
    }
    jw_array_end(out);
}
