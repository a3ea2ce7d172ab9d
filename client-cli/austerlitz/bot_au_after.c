/* client-cli/austerlitz/bot_au_after.c: what the Austerlitz bot declares, and what it answers to
 * each combat: which first, whom to lose, where to push whom, who advances. */
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

enum { WAYS_MAX = 64 };

static unsigned unit_named(const struct bau *b, const char *name)
{
    for (unsigned i = 0; i < b->units; i++) {
        if (strcmp(b->unit[i].name, name) == 0) { return i; }
    }
    return BAU_NONE;
}

static unsigned hex_of(const cJSON *json)
{
    return cJSON_IsString(json) ? hex_parse(&bau_grid, json->valuestring) : HEX_NONE;
}

static void write_hex(struct buf *out, unsigned hex)
{
    char text[HEX_TEXT];
    hex_text(&bau_grid, hex, text);
    jw_str(out, text);
}

static void write_names(const struct bau *b, const char *key, uint64_t set, struct buf *out)
{
    if (set == 0) { return; }
    jw_key_array(out, key);
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        jw_str(out, b->unit[bau_first(rest)].name);
    }
    jw_array_end(out);
}

/* ---- DECLARE ---- */

/* A battery that is left over, and ice behind a defender: where that takes his way out it is broken
 * first (10.2, 7.4). */
static void add_ice_shots(struct bau *b, struct bau_plan *plan)
{
    uint64_t busy = 0;
    for (unsigned i = 0; i < plan->count; i++) {
        busy |= plan->entry[i].contact | plan->entry[i].bombard;
    }
    for (uint64_t rest = b->army[b->me] & ~busy; rest != 0 && !b->blind; rest &= rest - 1) {
        unsigned u = bau_first(rest), best = HEX_NONE;
        float gain = 0.5F;
        if (b->unit[u].type != BAU_ARTILLERY || b->unit[u].marked || bau_pairs(b, u) != 0) {
            continue;
        }
        for (unsigned i = 0; i < bau_pond_count; i++) {
            unsigned hex = bau_ponds[i];
            if (!bau_is_ice(b, hex) || b->at[hex] != BAU_NONE ||
                !bau_can_shoot(b, b->unit[u].hex, hex, 1)) {
                continue;
            }
            float change = 0;
            for (unsigned k = 0; k < plan->count; k++) {
                if (plan->entry[k].ice == HEX_NONE) { change -= bau_worth(b, &plan->entry[k]); }
            }
            bau_set_broken(b, hex, true);
            for (unsigned k = 0; k < plan->count; k++) {
                if (plan->entry[k].ice == HEX_NONE) { change += bau_worth(b, &plan->entry[k]); }
            }
            bau_set_broken(b, hex, false);
            if (change > gain) {
                gain = change;
                best = hex;
            }
        }
        if (best == HEX_NONE || plan->count == BAU_PLAN_MAX) { continue; }
        plan->entry[plan->count++] =
            (struct bau_entry){.bombard = bau_bit(u), .ice = (uint16_t)best};
        bau_set_broken(b, best, true);
    }
}

static void write_plan(const struct bau *b, const struct bau_plan *plan, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "do", "declare");
    jw_key_array(out, "plan");
    for (unsigned i = 0; i < plan->count; i++) {
        const struct bau_entry *entry = &plan->entry[i];
        jw_object_begin(out);
        if (entry->ice != HEX_NONE) {
            jw_key_str(out, "artillery", b->unit[bau_first(entry->bombard)].name);
            jw_key(out, "hex");
            write_hex(out, entry->ice);
        } else {
            write_names(b, "contact", entry->contact, out);
            write_names(b, "bombard", entry->bombard, out);
            write_names(b, "defenders", entry->defenders, out);
        }
        jw_object_end(out);
    }
    jw_array_end(out);
    jw_object_end(out);
}

static uint64_t named_set(const struct bau *b, const cJSON *names)
{
    uint64_t set = 0;
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, json_get(names, "list"))
    {
        unsigned u = cJSON_IsString(name) ? unit_named(b, name->valuestring) : BAU_NONE;
        if (u != BAU_NONE) { set |= bau_bit(u); }
    }
    return set;
}

static void read_plan(const struct bau *b, const cJSON *list, struct bau_plan *out)
{
    const cJSON *json = NULL;
    out->count = out->owed = 0;
    out->worth = 0;
    cJSON_ArrayForEach(json, list)
    {
        if (out->count == BAU_PLAN_MAX) { break; }
        struct bau_entry *entry = &out->entry[out->count++];
        const cJSON *gun = json_get(json, "artillery");
        *entry = (struct bau_entry){.contact = named_set(b, json_get(json, "contact")),
                                    .bombard = named_set(b, json_get(json, "bombard")),
                                    .defenders = named_set(b, json_get(json, "defenders")),
                                    .ice = (uint16_t)hex_of(json_get(json, "hex"))};
        if (cJSON_IsString(gun)) {
            unsigned u = unit_named(b, gun->valuestring);
            entry->bombard = u == BAU_NONE ? 0 : bau_bit(u);
        }
        if (entry->defenders != 0) { out->worth += bau_worth(b, entry); }
    }
}

/* The best of the plans that are offered: they meet what is owed, however tangled. */
static bool find_offered(const struct bau *b, const cJSON *view, struct bau_plan *out)
{
    bool found = false;
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, json_get(view, "actions"))
    {
        struct bau_plan plan;
        const cJSON *list = json_get(json_get(form, "plan"), "list");
        if (!cJSON_IsArray(list)) { continue; }
        read_plan(b, list, &plan);
        if (found && plan.worth <= out->worth) { continue; }
        *out = plan;
        found = true;
    }
    return found;
}

bool bau_act_declare(struct bau *b, const cJSON *view, struct buf *out_action)
{
    struct bau_plan plan;
    bau_find_plan(b, b->me, &plan);
    if (plan.owed > 0) {
        if (!find_offered(b, view, &plan)) { return false; }
    } else {
        add_ice_shots(b, &plan);
    }
    write_plan(b, &plan, out_action);
    return true;
}

/* ---- RESOLVE ---- */

static uint64_t units_at(const struct bau *b, const cJSON *hexes)
{
    uint64_t set = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, hexes)
    {
        unsigned hex = hex_of(item);
        if (hex != HEX_NONE && b->at[hex] != BAU_NONE) { set |= bau_bit(b->at[hex]); }
    }
    return set;
}

static struct bau_entry entry_at(const struct bau *b, const cJSON *json)
{
    return (struct bau_entry){.contact = units_at(b, json_get(json, "contact")),
                              .bombard = units_at(b, json_get(json, "bombard")),
                              .defenders = units_at(b, json_get(json, "defenders")),
                              .ice = (uint16_t)hex_of(json_get(json, "ice"))};
}

static bool is_pending(const cJSON *json)
{
    const cJSON *status = json_get(json, "status");
    return cJSON_IsString(status) && strcmp(status->valuestring, "pending") == 0;
}

/* What all that is still to be rolled is worth to us, but for the combat in hand. */
static float pending_worth(const struct bau *b, const cJSON *view)
{
    const cJSON *board = json_get(view, "board"), *json = NULL;
    int64_t hand = json_int(json_get(json_get(board, "hand"), "index"), 0), index = 0;
    float worth = 0;
    cJSON_ArrayForEach(json, json_get(board, "plan"))
    {
        if (++index == hand || !is_pending(json)) { continue; }
        struct bau_entry entry = entry_at(b, json);
        if (entry.ice != HEX_NONE || entry.defenders == 0 || (entry.contact | entry.bombard) == 0) {
            continue;
        }
        worth += bau_worth(b, &entry);
    }
    return b->attacker == b->me ? worth : -worth;
}

/* The ice first, then what promises most: what it shakes helps the rest. */
bool bau_act_resolve(struct bau *b, const cJSON *view, struct buf *out_action)
{
    const cJSON *json = NULL;
    int index = 0, best = 0;
    float most = 0;
    cJSON_ArrayForEach(json, json_get(json_get(view, "board"), "plan"))
    {
        index++;
        if (!is_pending(json)) { continue; }
        struct bau_entry entry = entry_at(b, json);
        bool void_soon = entry.defenders == 0 || (entry.contact | entry.bombard) == 0;
        float worth = entry.ice != HEX_NONE ? 1000.0F : void_soon ? -1000.0F : bau_worth(b, &entry);
        if (best != 0 && worth <= most) { continue; }
        best = index;
        most = worth;
    }
    if (best == 0) { return false; }
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "resolve");
    jw_key_int(out_action, "index", best);
    jw_object_end(out_action);
    return true;
}

/* ---- EXCHANGE ---- */

bool bau_act_exchange(struct bau *b, const cJSON *view, struct buf *out_action)
{
    const cJSON *form = json_get(view, "actions"), *names = NULL;
    uint64_t best = 0;
    float least = 0;
    form = form == NULL ? NULL : form->child;
    cJSON_ArrayForEach(names, json_get(form, "losses"))
    {
        uint64_t set = named_set(b, names);
        float cost = 0;
        for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
            cost += bau_prize(b, bau_first(rest));
        }
        if (set == 0 || (best != 0 && cost >= least)) { continue; }
        best = set;
        least = cost;
    }
    if (best == 0) { return false; }
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "exchange");
    write_names(b, "losses", best, out_action);
    jw_object_end(out_action);
    return true;
}

/* ---- RETREAT, BATTERY ---- */

/* A way that is offered to a unit; form: where it stands. */
struct way {
    const cJSON *form;
    unsigned unit, hex; /* HEX_NONE: it has none, and is lost */
};

static unsigned list_ways(const struct bau *b, const cJSON *view, struct way out[WAYS_MAX])
{
    unsigned n = 0;
    const cJSON *form = NULL, *item = NULL;
    cJSON_ArrayForEach(form, json_get(view, "actions"))
    {
        const cJSON *name = json_get(form, "unit"), *to = json_get(form, "to");
        unsigned u = cJSON_IsString(name) ? unit_named(b, name->valuestring) : BAU_NONE;
        if (u == BAU_NONE || json_get(form, "stay") != NULL) { continue; }
        if (!cJSON_IsArray(to) && n < WAYS_MAX) {
            out[n++] = (struct way){form, u, to == NULL ? HEX_NONE : hex_of(to)};
            continue;
        }
        cJSON_ArrayForEach(item, to)
        {
            if (n < WAYS_MAX) { out[n++] = (struct way){form, u, hex_of(item)}; }
        }
    }
    return n;
}

static void write_way(const struct bau *b, const char *what, const struct way *way, struct buf *out)
{
    const cJSON *chain = json_get(json_get(way->form, "chain"), "list");
    jw_object_begin(out);
    jw_key_str(out, "do", what);
    jw_key_str(out, "unit", b->unit[way->unit].name);
    if (way->hex != HEX_NONE) {
        jw_key(out, "to");
        write_hex(out, way->hex);
    }
    if (chain != NULL) {
        jw_key(out, "chain");
        jw_value(out, chain);
    }
    jw_object_end(out);
}

/* What it is worth to us that an enemy stands where he is. */
static float exposure(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    const struct bau_hex *hex = &bau_hexes[u->hex];
    float worth = 0;
    if ((hex->flags & BAU_HEIGHT) != 0) { worth -= 0.8F; }
    if (hex->terrain == BAU_FOREST || hex->terrain == BAU_VILLAGE) { worth -= 0.7F; }
    if ((hex->flags & BAU_FORTIFIED) != 0 && u->type != BAU_CAVALRY) {
        worth -= 0.4F * u->potential;
    }
    if (bau_is_helpless(u->type, u->hex)) { worth += 2.5F; }
    if (bau_is_ice(b, u->hex)) { worth += 0.8F; }
    if (u->side == BAU_ALLIED) {
        float far = b->to_vienna[u->type][u->hex];
        worth += 0.25F * (far > 60 ? 60 : far);
    }
    if (!bau_has_way(b, unit)) { worth += 0.35F * u->potential; }
    for (unsigned d = 0; d < HEX_SIDES; d++) { /* away from support */
        unsigned n = bau_next(u->hex, d);
        if (n == HEX_NONE || b->at[n] == BAU_NONE) { continue; }
        worth += b->unit[b->at[n]].side == u->side ? -0.5F : 0;
    }
    /* In mutual control it must attack in its turn: good where we stand fast. */
    unsigned stand = 0;
    for (uint64_t rest = bau_pairs(b, unit); rest != 0; rest &= rest - 1) {
        unsigned potential = b->unit[bau_first(rest)].potential;
        stand = potential > stand ? potential : stand;
    }
    if (stand != 0) { worth += stand >= u->potential ? 1.0F : -0.6F; }
    return worth;
}

/* Where to push whom: the weak first into what the strong would need. */
bool bau_act_retreat(struct bau *b, const cJSON *view, struct buf *out_action)
{
    struct way ways[WAYS_MAX];
    unsigned n = list_ways(b, view, ways), best = WAYS_MAX;
    uint64_t others =
        units_at(b, json_get(json_get(json_get(view, "board"), "hand"), "to_retreat"));
    float most = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned u = ways[i].unit, home = b->unit[u].hex;
        float worth = 0;
        if (ways[i].hex == HEX_NONE) {
            worth = -100.0F; /* lost in any case: the others may yet be shut in by their company */
        } else if (b->at[ways[i].hex] != BAU_NONE) {
            worth = -50.0F + 0.1F * (float)i; /* a chain, where nothing is free */
        } else {
            bau_move(b, u, ways[i].hex);
            worth = exposure(b, u) + 0.5F * pending_worth(b, view);
            for (uint64_t rest = others & ~bau_bit(u); rest != 0; rest &= rest - 1) {
                unsigned o = bau_first(rest);
                if (!bau_has_way(b, o)) { worth += bau_prize(b, o); }
            }
            bau_move(b, u, home);
        }
        if (best != WAYS_MAX && worth <= most) { continue; }
        best = i;
        most = worth;
    }
    if (best == WAYS_MAX) { return false; }
    write_way(b, "retreat", &ways[best], out_action);
    return true;
}

/* A battery keeps firing from where it stands unless the enemy is upon it. */
bool bau_act_battery(struct bau *b, const cJSON *view, struct buf *out_action)
{
    struct way ways[WAYS_MAX];
    struct bau_scene scene;
    unsigned n = list_ways(b, view, ways), best = WAYS_MAX;
    const cJSON *form = json_get(view, "actions");
    const cJSON *name = json_get(form == NULL ? NULL : form->child, "unit");
    unsigned first = cJSON_IsString(name) ? unit_named(b, name->valuestring) : BAU_NONE;
    if (first == BAU_NONE) { return false; }
    bau_find_scene(b, &scene);
    float stay = bau_place(b, &scene, first, b->unit[first].hex) - bau_danger(b, &scene, first);
    float most = stay + 0.8F;
    for (unsigned i = 0; i < n; i++) {
        unsigned u = ways[i].unit, home = b->unit[u].hex;
        if (u != first || ways[i].hex == HEX_NONE || b->at[ways[i].hex] != BAU_NONE) { continue; }
        bau_move(b, u, ways[i].hex);
        float worth = bau_place(b, &scene, u, ways[i].hex) - bau_danger(b, &scene, u);
        bau_move(b, u, home);
        if (worth <= most) { continue; }
        best = i;
        most = worth;
    }
    if (best != WAYS_MAX) {
        write_way(b, "battery", &ways[best], out_action);
        return true;
    }
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "battery");
    jw_key_str(out_action, "unit", b->unit[first].name);
    jw_key_bool(out_action, "stay", true);
    jw_object_end(out_action);
    return true;
}

/* ---- ADVANCE ---- */

struct step {
    unsigned unit, hex;
};

static unsigned list_steps(const struct bau *b, const cJSON *view, struct step out[WAYS_MAX])
{
    unsigned n = 0;
    const cJSON *form = NULL, *item = NULL;
    cJSON_ArrayForEach(form, json_get(view, "actions"))
    {
        const cJSON *moves = json_get(form, "moves"), *of = moves == NULL ? NULL : moves->child;
        if (of == NULL || of->next != NULL || !cJSON_IsArray(of)) { continue; }
        unsigned u = unit_named(b, of->string);
        cJSON_ArrayForEach(item, of)
        {
            unsigned hex = hex_of(item);
            if (u != BAU_NONE && hex != HEX_NONE && n < WAYS_MAX) {
                out[n++] = (struct step){u, hex};
            }
        }
    }
    return n;
}

static float stand_worth(const struct bau *b, const struct bau_scene *scene, const cJSON *view,
                         unsigned unit)
{
    unsigned hex = b->unit[unit].hex;
    return bau_place(b, scene, unit, hex) - bau_danger(b, scene, unit) + pending_worth(b, view);
}

bool bau_act_advance(struct bau *b, const cJSON *view, struct buf *out_action)
{
    struct step steps[WAYS_MAX];
    struct bau_scene scene;
    unsigned n = list_steps(b, view, steps);
    uint64_t gone = 0;
    bau_find_scene(b, &scene);
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "advance");
    jw_key_object(out_action, "moves");
    for (;;) {
        unsigned best = WAYS_MAX;
        float most = 0.3F;
        for (unsigned i = 0; i < n; i++) {
            unsigned u = steps[i].unit, home = b->unit[u].hex;
            if ((gone >> u & 1U) != 0 || b->at[steps[i].hex] != BAU_NONE) { continue; }
            float before = stand_worth(b, &scene, view, u);
            bau_move(b, u, steps[i].hex);
            float gain = stand_worth(b, &scene, view, u) - before;
            bau_move(b, u, home);
            if (gain <= most) { continue; }
            most = gain;
            best = i;
        }
        if (best == WAYS_MAX) { break; }
        unsigned u = steps[best].unit;
        jw_key(out_action, b->unit[u].name);
        write_hex(out_action, steps[best].hex);
        bau_move(b, u, steps[best].hex);
        gone |= bau_bit(u);
    }
    jw_object_end(out_action);
    jw_object_end(out_action);
    return true;
}
