/* common/rules/austerlitz/read.c: reads actions: shape first, then what the names stand for. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/austerlitz/flow.h"

enum { ID_BYTES_MAX = 16 };

/* What each rule says to whom it stops. */
static const struct {
    const char *rule, *text;
} rule_texts[] = {
    {"3", "This is not an action of this step."},
    {"4.1", "The unit cannot move so: it is not yours on the map, has moved, or the hexes do not "
            "follow each other."},
    {"4.3", "The terrain or the hexside is forbidden to this unit."},
    {"4.4", "No unit enters a hex with an enemy, nor ends on one with a friend."},
    {"4.5", "The way costs more movement points than the unit has."},
    {"5.3", "A unit that enters an enemy-controlled hex stops there."},
    {"5.4", "A unit does not go from one enemy-controlled hex straight into another."},
    {"6.1", "No such combat is pending."},
    {"6.2", "Units in mutual control must fight, and the plan leaves one out."},
    {"6.3", "The combat is not composed as the rules allow."},
    {"7.2", "The unit cannot be pushed there, or need not go."},
    {"7.3", "The unit cannot take the place of that friend in this way."},
    {"7.4", "The unit has no way and is eliminated: name no hex."},
    {"7.6", "These are not losses that the exchange allows."},
    {"7.7", "This advance is not open."},
    {"8.1", "Only artillery bombards."},
    {"8.2", "Artillery in forest, marsh or village cannot fight."},
    {"8.3", "The target is not within range."},
    {"8.4", "Artillery in mutual control fights its enemy, in contact or by a shot at his ice."},
    {"8.5", "No trajectory is free."},
    {"8.8", "This battery has nothing to choose."},
    {"9.1", "The unit is not on the map."},
    {"9.4", "The unit cannot leave the map there."},
    {"10.2", "The ice of this hex cannot be broken by that shot."},
    {"10.3", "The ice of the hex is broken."},
    {"10.4", "A bridge is destroyed by an unmoved unit at its end, out of the enemy's hands; that "
             "unit then neither attacks nor enters enemy control."},
    {"10.5", "The bridge is destroyed already."},
    {"11.3", "There is no bombardment in fog or at night."},
    {"15.3", "Enemy units are named by the hex in which one stands."},
};

enum err au_refuse(struct why *why, const char *rule)
{
    for (size_t i = 0; i < sizeof rule_texts / sizeof rule_texts[0]; i++) {
        if (strcmp(rule_texts[i].rule, rule) == 0) {
            return why_rule(why, rule, rule_texts[i].text);
        }
    }
    return why_rule(why, rule, "The rules forbid it.");
}

/* ---- parts ---- */

enum err au_read_array(const cJSON *object, const char *name, size_t items_max, const cJSON **out,
                       struct why *why)
{
    enum err err = json_read_array(object, name, items_max, out, why);
    if (err != ERR_TOO_LARGE) { return err; }
    return why_member(why, name[0] == '!' ? name + 1 : name, "The list is too long.");
}

enum err au_read_hex(const cJSON *json, const char *member, uint16_t *out, struct why *why)
{
    unsigned hex = cJSON_IsString(json) && strlen(json->valuestring) == 4
                       ? hex_parse(&au_grid, json->valuestring)
                       : HEX_NONE;
    if (hex == HEX_NONE) { return why_member(why, member, "There is no such hex."); }
    *out = (uint16_t)hex;
    return ERR_OK;
}

enum err au_read_side(const cJSON *json, const char *member, unsigned *out, struct why *why)
{
    const char *name = "";
    char need[32] = "!";
    strncat(need, member, sizeof need - 2);
    enum err err = json_read_str(json, need, ID_BYTES_MAX, &name, why);
    if (err != ERR_OK) { return err; }
    for (unsigned side = 0; side < AU_SIDES; side++) {
        if (strcmp(name, au_side_ids[side]) == 0) {
            *out = side;
            return ERR_OK;
        }
    }
    return why_member(why, member, "The sides are french and allied.");
}

enum err au_read_name(const struct state *s, unsigned viewer, const cJSON *json, const char *member,
                      struct au_name *out, struct why *why)
{
    if (!cJSON_IsString(json)) { return why_member(why, member, "A unit is named by a string."); }
    const char *text = json->valuestring;
    bool by_hex = s->semi_blind != 0 && viewer != VIEWER_ALL && strlen(text) == 4;
    if (by_hex) {
        out->unit = AU_NONE;
        return au_read_hex(json, member, &out->hex, why);
    }
    out->hex = HEX_NONE;
    out->unit = strlen(text) < 4 ? (uint8_t)au_find_unit(text) : AU_NONE;
    if (out->unit == AU_NONE) { return why_member(why, member, "There is no such unit."); }
    return ERR_OK;
}

/* A list of names, appended to those of the action. */
static enum err read_names(const struct state *s, unsigned viewer, const cJSON *object,
                           const char *member, struct au_action *action, uint8_t *out_first,
                           uint8_t *out_n, struct why *why)
{
    const cJSON *list = NULL;
    *out_first = action->names;
    *out_n = 0;
    enum err err = au_read_array(object, member, AU_UNITS, &list, why);
    if (err != ERR_OK || list == NULL) { return err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        struct au_name name;
        err = au_read_name(s, viewer, i, member, &name, why);
        if (err != ERR_OK) { return err; }
        for (unsigned k = *out_first; k < action->names; k++) {
            if (action->name[k].unit == name.unit && action->name[k].hex == name.hex) {
                return why_member(why, member, "A unit is named twice.");
            }
        }
        if (action->names == AU_NAMES_MAX) {
            return why_member(why, member, "Too many units are named.");
        }
        action->name[action->names++] = name;
        (*out_n)++;
    }
    return ERR_OK;
}

enum err au_read_way(const cJSON *json, struct au_way *out, struct why *why)
{
    const cJSON *path = NULL;
    const char *edge = NULL;
    out->len = 0;
    out->edge = AU_EDGES;
    enum err err = au_read_array(json, "!path", AU_WAY_MAX, &path, why);
    if (err == ERR_OK) { err = json_read_str(json, "exit_edge", ID_BYTES_MAX, &edge, why); }
    if (err != ERR_OK) { return err; }
    for (const cJSON *i = path->child; i != NULL; i = i->next) {
        err = au_read_hex(i, "path", &out->hex[out->len], why);
        if (err != ERR_OK) { return err; }
        out->len++;
    }
    for (unsigned e = 0; edge != NULL && e < AU_EDGES; e++) {
        if (strcmp(edge, au_edge_ids[e]) == 0) { out->edge = (uint8_t)e; }
    }
    if (edge != NULL && out->edge == AU_EDGES) {
        return why_member(why, "exit_edge", "The edges are west, east, north and south.");
    }
    return ERR_OK;
}

enum err au_read_entry(const struct state *s, unsigned viewer, const cJSON *json,
                       struct au_action *action, struct why *why)
{
    static const char *const combat[] = {"ask", "bombard", "contact", "defenders", NULL};
    static const char *const shot[] = {"artillery", "hex", NULL};
    static const char *const lists[3] = {"contact", "bombard", "defenders"};
    if (action->entries == AU_PLAN_MAX) { return why_member(why, "plan", "The plan is too long."); }
    struct au_raw_entry *entry = &action->entry[action->entries];
    memset(entry, 0, sizeof *entry);
    entry->ice_hex = HEX_NONE;
    if (!cJSON_IsObject(json)) { return why_member(why, "plan", "An entry is an object."); }
    const cJSON *battery = json_get(json, "artillery");
    enum err err = json_only(json, battery != NULL ? shot : combat, why);
    if (err != ERR_OK) { return err; }
    action->entries++;
    if (battery != NULL) {
        err = au_read_hex(json_get(json, "hex"), "hex", &entry->ice_hex, why);
        if (err == ERR_OK && action->names == AU_NAMES_MAX) {
            return why_member(why, "plan", "Too many units are named.");
        }
        if (err != ERR_OK) { return err; }
        entry->first[1] = action->names;
        entry->n[1] = 1;
        return au_read_name(s, viewer, battery, "artillery", &action->name[action->names++], why);
    }
    for (unsigned i = 0; i < 3 && err == ERR_OK; i++) {
        err = read_names(s, viewer, json, lists[i], action, &entry->first[i], &entry->n[i], why);
    }
    return err;
}

/* ---- what the names stand for (15.3) ---- */

unsigned au_find_named(const struct state *s, const struct au_now *now, unsigned viewer,
                       struct au_name name)
{
    if (name.unit != AU_NONE) {
        return au_knows(s, viewer, au_side(name.unit)) ? name.unit : AU_NONE;
    }
    unsigned there = now->at[name.hex];
    if (there == AU_NONE || au_knows(s, viewer, au_side(there))) { return AU_NONE; }
    return there;
}

bool au_find_entry(const struct state *s, const struct au_now *now, unsigned viewer,
                   const struct au_action *action, unsigned i, struct au_entry *out)
{
    const struct au_raw_entry *raw = &action->entry[i];
    uint64_t set[3] = {0, 0, 0};
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned n = 0; n < raw->n[k]; n++) {
            unsigned unit = au_find_named(s, now, viewer, action->name[raw->first[k] + n]);
            if (unit == AU_NONE) { return false; }
            set[k] |= au_bit(unit);
        }
    }
    memset(out, 0, sizeof *out);
    out->contact = set[0];
    out->bombard = set[1];
    out->defenders = set[2];
    out->ice_hex = raw->ice_hex;
    out->status = AU_PENDING;
    return true;
}

/* ---- actions ---- */

static enum err read_move(const struct state *s, unsigned viewer, const cJSON *json,
                          struct au_action *out, struct why *why)
{
    enum err err = au_read_name(s, viewer, json_get(json, "unit"), "unit", &out->unit, why);
    return err != ERR_OK ? err : au_read_way(json, &out->way, why);
}

static enum err read_bridge(const struct state *s, unsigned viewer, const cJSON *json,
                            struct au_action *out, struct why *why)
{
    const char *id = "";
    enum err err = au_read_name(s, viewer, json_get(json, "unit"), "unit", &out->unit, why);
    if (err == ERR_OK) { err = json_read_str(json, "!bridge", ID_BYTES_MAX, &id, why); }
    if (err != ERR_OK) { return err; }
    out->bridge = (uint8_t)au_find_bridge(id);
    if (out->bridge == AU_NONE) { return why_member(why, "bridge", "There is no such bridge."); }
    return ERR_OK;
}

static enum err read_nothing(const struct state *s, unsigned viewer, const cJSON *json,
                             struct au_action *out, struct why *why)
{
    return ERR_OK;
}

static enum err read_declare(const struct state *s, unsigned viewer, const cJSON *json,
                             struct au_action *out, struct why *why)
{
    const cJSON *plan = NULL;
    enum err err = au_read_array(json, "!plan", AU_PLAN_MAX, &plan, why);
    for (const cJSON *i = err == ERR_OK ? plan->child : NULL; i != NULL && err == ERR_OK;
         i = i->next) {
        if (json_get(i, "ask") != NULL) { return why_member(why, "ask", "No such member."); }
        err = au_read_entry(s, viewer, i, out, why);
    }
    return err;
}

static enum err read_index(const struct state *s, unsigned viewer, const cJSON *json,
                           struct au_action *out, struct why *why)
{
    return json_read_int(json, "!index", -JSON_INT_MAX, JSON_INT_MAX, &out->index, why);
}

static enum err read_exchange(const struct state *s, unsigned viewer, const cJSON *json,
                              struct au_action *out, struct why *why)
{
    uint8_t first = 0, n = 0;
    if (json_get(json, "losses") == NULL) {
        return why_member(why, "losses", "The losses are missing.");
    }
    return read_names(s, viewer, json, "losses", out, &first, &n, why);
}

/* to and chain; a chain needs a to. */
static enum err read_chain(const cJSON *json, struct au_action *out, struct why *why)
{
    const cJSON *to = json_get(json, "to"), *chain = NULL;
    enum err err = au_read_array(json, "chain", AU_CHAIN_MAX - 1, &chain, why);
    if (err != ERR_OK) { return err; }
    if (to == NULL) {
        return chain == NULL ? ERR_OK : why_member(why, "chain", "A chain needs a hex to go to.");
    }
    err = au_read_hex(to, "to", &out->chain.hex[out->chain.len++], why);
    for (const cJSON *i = chain == NULL ? NULL : chain->child; i != NULL && err == ERR_OK;
         i = i->next) {
        err = au_read_hex(i, "chain", &out->chain.hex[out->chain.len++], why);
    }
    return err;
}

static enum err read_retreat(const struct state *s, unsigned viewer, const cJSON *json,
                             struct au_action *out, struct why *why)
{
    enum err err = au_read_name(s, viewer, json_get(json, "unit"), "unit", &out->unit, why);
    return err != ERR_OK ? err : read_chain(json, out, why);
}

static enum err read_battery(const struct state *s, unsigned viewer, const cJSON *json,
                             struct au_action *out, struct why *why)
{
    bool stay = false;
    enum err err = read_retreat(s, viewer, json, out, why);
    if (err == ERR_OK) { err = json_read_bool(json, "stay", &stay, why); }
    if (err != ERR_OK) { return err; }
    bool one = stay ? out->chain.len == 0 : out->chain.len > 0 && json_get(json, "stay") == NULL;
    return one ? ERR_OK : why_member(why, "stay", "A battery goes to a hex, or it stays.");
}

static enum err read_advance(const struct state *s, unsigned viewer, const cJSON *json,
                             struct au_action *out, struct why *why)
{
    const cJSON *moves = NULL;
    enum err err = json_read_object(json, "!moves", &moves, why);
    if (err != ERR_OK) { return err; }
    for (const cJSON *i = moves->child; i != NULL; i = i->next) {
        cJSON name = {.type = cJSON_String, .valuestring = i->string};
        if (out->names == AU_UNITS) { return why_member(why, "moves", "Too many units."); }
        err = au_read_name(s, viewer, &name, "moves", &out->name[out->names], why);
        if (err == ERR_OK) { err = au_read_hex(i, "moves", &out->to[out->names], why); }
        if (err != ERR_OK) { return err; }
        out->names++;
    }
    return ERR_OK;
}

typedef enum err read_fn(const struct state *s, unsigned viewer, const cJSON *json,
                         struct au_action *out, struct why *why);

static const struct {
    const char *name;
    read_fn *read;
    const char *members[6];
} actions[AU_DOS] = {
    [AU_DO_MOVE] = {"move", read_move, {"do", "exit_edge", "path", "unit"}},
    [AU_DO_DESTROY_BRIDGE] = {"destroy_bridge", read_bridge, {"bridge", "do", "unit"}},
    [AU_DO_END_MOVE] = {"end_move", read_nothing, {"do"}},
    [AU_DO_DECLARE] = {"declare", read_declare, {"do", "plan"}},
    [AU_DO_RESOLVE] = {"resolve", read_index, {"do", "index"}},
    [AU_DO_EXCHANGE] = {"exchange", read_exchange, {"do", "losses"}},
    [AU_DO_RETREAT] = {"retreat", read_retreat, {"chain", "do", "to", "unit"}},
    [AU_DO_BATTERY] = {"battery", read_battery, {"chain", "do", "stay", "to", "unit"}},
    [AU_DO_ADVANCE] = {"advance", read_advance, {"do", "moves"}},
    [AU_DO_RESIGN] = {"resign", read_nothing, {"do"}},
};

enum err au_read_action(const struct state *s, unsigned viewer, const cJSON *json,
                        struct au_action *out, struct why *why)
{
    const char *name = "";
    memset(out, 0, sizeof *out);
    enum err err = json_read_str(json, "!do", ID_BYTES_MAX * 2, &name, why);
    if (err != ERR_OK) { return err; }
    for (unsigned i = 0; i < AU_DOS; i++) {
        if (strcmp(actions[i].name, name) != 0) { continue; }
        out->what = i;
        err = json_only(json, actions[i].members, why);
        return err != ERR_OK ? err : actions[i].read(s, viewer, json, out, why);
    }
    return why_member(why, "do", "There is no such action.");
}
