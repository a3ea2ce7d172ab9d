/* common/rules/waterloo/read.c: reading actions, which are hostile, and the words of refusals. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/flow.h"

enum { ITEMS_MAX = 100000 };

/* The sentence that goes with a rule. One for each rule, so that none can depend on hidden facts
 * (W20.3). */
static const struct rule_text {
    const char *rule, *text;
} rule_texts[] = {
    {"W2.1", "All units need a town before the set-up is confirmed."},
    {"W2.2", "No Allied unit may start in a French town."},
    {"W2.3", "Anglo-Dutch units start west of the line, 3 to a town; Prussians east, 4 to a town."},
    {"W2.4", "French units start in French towns, at most 12 to a town."},
    {"W2.6", "It is not for this seat to set up now."},
    {"W3.4", "At night there is neither attack nor forced march."},
    {"W4.2", "The French may move two groups, the Anglo-Dutch and the Prussians one each."},
    {"W4.4", "A march goes by roads: 1 town, 2 if mounted, one more if forced."},
    {"W4.5",
     "A unit marches once, visits no town twice, and is forced only if it goes one further."},
    {"W4.6", "A major road takes 8 units and a minor road 6."},
    {"W4.7", "Across a river a major road takes 4 units and a minor road 3."},
    {"W4.8", "A march may not pass through a town that holds an enemy."},
    {"W4.9", "An attack needs three units that are sure to arrive."},
    {"W4.10", "Only a drafted unit can be taken back."},
    {"W4.13", "A unit that has retreated may not march yet."},
    {"W4.15", "Pursuit can be stated only for towns that the seat attacks."},
    {"W5.2", "With fewer than three units the force must retreat."},
    {"W5.3", "The whole force answers once, each unit with a route or stranded."},
    {"W5.4", "A unit is stranded only when no road is left for it."},
    {"W5.9", "The hits must be allotted exactly, to units that may take them."},
    {"W6.2", "Each unit is placed once, and each column needs one."},
    {"W6.3", "A deployment binds once it is made."},
    {"W7.1", "It is not this side's combat turn."},
    {"W7.2", "In a combat turn a unit fires or moves; only horse artillery does both."},
    {"W7.7", "The attacker may not sit idle in a battle in which he can act."},
    {"W8.1", "There is no such move from where the unit stands."},
    {"W8.2", "The unit's type does not allow this move, or no more of them."},
    {"W8.4", "An engaged unit may not move."},
    {"W8.6", "No column may be left empty by a move."},
    {"W9.1", "A unit fires from its lane at a known enemy unit in the same lane."},
    {"W9.2", "The unit has no field of fire at that target."},
    {"W9.6", "Artillery has one shot at an enemy that has advanced, at once or not at all."},
    {"W9.7", "Artillery that stands alone against an advanced enemy may not fire."},
    {"W9.8", "Cavalry may not fire at a square."},
    {"W10.1", "Only infantry in a column forms square."},
    {"W10.2", "It is too late to form square."},
    {"W10.3", "A square may break only while no enemy is advanced in its lane."},
    {"W10.4", "A square may not move."},
    {"W11.1", "Only so many units may reinforce a battle in a combat turn."},
    {"W11.2", "The defender brings no reinforcements in his first combat turn."},
    {"W11.3", "A reinforcement comes from an adjacent town and from no other battle."},
    {"W11.4", "A unit that has retreated may not reinforce yet."},
    {"W11.5", "A winner may reinforce only from the next combat turn on."},
    {"W12.1", "The unit does not stand in this battle."},
    {"W12.2", "No unit may retreat in its side's first combat turn."},
    {"W12.3", "A unit that has moved or fired may not retreat."},
    {"W12.5", "A retreat goes by roads: 1 town, 2 if mounted, one more if forced."},
    {"W12.6", "The road is full."},
    {"W12.7", "The attacker leaves by an attack road, the defender by any other."},
    {"W12.8", "The way is barred by the enemy or by a battle."},
    {"W13.2", "A routed force must be given its routes first."},
    {"W13.5", "Every routed unit must be given a way out while one is left, and only those."},
    {"W13.6", "A rout waits to be answered."},
    {"W15.2", "Each base costs the nations named one unit each."},
    {"W17.7", "Two groups may attack together only from towns joined by a road."},
    {"W18.1", "The unit belongs to another seat."},
    {"W18.5", "The ally's retreat leaves too few units to fight."},
    {"W18.6",
     "The smaller contingent deploys first and leaves no column that its ally cannot fill."},
    {"W19", "There is no such thing to do now, or something is unknown or named twice."},
};

enum err wl_refuse(struct wl_call *c, const char *rule)
{
    for (size_t i = 0; i < sizeof rule_texts / sizeof rule_texts[0]; i++) {
        if (strcmp(rule_texts[i].rule, rule) == 0) {
            return why_rule(c->why, rule, rule_texts[i].text);
        }
    }
    return why_rule(c->why, rule, "A rule forbids this.");
}

enum err wl_read_unit(struct wl_call *c, const struct cJSON *item, const char *member,
                      unsigned *out_unit)
{
    if (!cJSON_IsString(item)) {
        return why_member(c->why, member, "The id of a unit is needed here.");
    }
    unsigned unit = wl_find_unit(item->valuestring);
    if (unit == WL_NONE) { return wl_refuse(c, "W19"); }
    if (wl_seat_of_nation(c->s, wl_nation(unit)) != c->seat) { return wl_refuse(c, "W18.1"); }
    if (c->s->unit[unit].gone != WL_ON_MAP) { return wl_refuse(c, "W19"); }
    *out_unit = unit;
    return ERR_OK;
}

enum err wl_read_town(struct wl_call *c, const struct cJSON *object, const char *name,
                      unsigned *out_town)
{
    const cJSON *item = json_get(object, name);
    if (item == NULL) { return why_member(c->why, name, "This member is missing."); }
    if (!cJSON_IsString(item)) {
        return why_member(c->why, name, "The id of a town is needed here.");
    }
    unsigned town = pmap_town(&wl_board(c->s)->map, item->valuestring);
    if (town == PMAP_NONE) { return wl_refuse(c, "W19"); }
    *out_town = town;
    return ERR_OK;
}

enum err wl_read_units(struct wl_call *c, const struct cJSON *object, const char *name,
                       uint64_t *seen, struct wl_list *out_list)
{
    const cJSON *list = NULL;
    const char *member = name[0] == '!' ? name + 1 : name;
    enum err err = json_read_array(object, name, ITEMS_MAX, &list, c->why);
    if (err != ERR_OK || list == NULL) { return err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        unsigned unit = 0;
        err = wl_read_unit(c, i, member, &unit);
        if (err != ERR_OK) { return err; }
        if ((*seen & WL_BIT64(unit)) != 0) { return wl_refuse(c, "W19"); }
        *seen |= WL_BIT64(unit);
        out_list->unit[out_list->n++] = (uint8_t)unit;
    }
    return ERR_OK;
}

enum err wl_read_item(struct wl_call *c, const struct cJSON *item, const char *list,
                      const char *const *names)
{
    if (!cJSON_IsObject(item)) {
        return why_member(c->why, list, "The items of this list are objects.");
    }
    return json_only(item, names, c->why);
}

/* A path of town ids, as towns. One that is longer than any march, or empty, breaks the rule on
 * length. */
static enum err read_path(struct wl_call *c, const cJSON *path, const char *length,
                          uint8_t towns[WL_PATH_MAX], unsigned *out_n)
{
    unsigned n = 0;
    for (const cJSON *i = path->child; i != NULL; i = i->next) {
        if (!cJSON_IsString(i)) {
            return why_member(c->why, "path", "The ids of towns are needed here.");
        }
        unsigned town = pmap_town(&wl_board(c->s)->map, i->valuestring);
        if (town == PMAP_NONE) { return wl_refuse(c, "W19"); }
        if (n == WL_PATH_MAX) { return wl_refuse(c, length); }
        towns[n++] = (uint8_t)town;
    }
    *out_n = n;
    return n == 0 ? wl_refuse(c, length) : ERR_OK;
}

static enum err read_walk(struct wl_call *c, const cJSON *item, const char *member,
                          const struct wl_walk_rules *rules, uint64_t *seen,
                          struct wl_walk *out_walk)
{
    static const char *const names[] = {"forced", "path", "unit", NULL};
    const cJSON *path = NULL;
    bool forced = false;
    unsigned unit = 0;
    unsigned n = 0;
    uint8_t towns[WL_PATH_MAX];
    enum err err = wl_read_item(c, item, member, names);
    if (err == ERR_OK) { err = json_read_array(item, "!path", ITEMS_MAX, &path, c->why); }
    if (err == ERR_OK) { err = json_read_bool(item, "forced", &forced, c->why); }
    if (err == ERR_OK && json_get(item, "unit") == NULL) {
        err = why_member(c->why, "unit", "This member is missing.");
    }
    if (err == ERR_OK) { err = wl_read_unit(c, json_get(item, "unit"), "unit", &unit); }
    if (err != ERR_OK) { return err; }
    if ((*seen & WL_BIT64(unit)) != 0) { return wl_refuse(c, "W19"); }
    *seen |= WL_BIT64(unit);
    if (rules->from != WL_NONE && c->s->unit[unit].town != rules->from) {
        return wl_refuse(c, rules->elsewhere);
    }
    err = read_path(c, path, rules->length, towns, &n);
    if (err != ERR_OK) { return err; }
    out_walk->unit = (uint8_t)unit;
    out_walk->from = c->s->unit[unit].town;
    if (!wl_make_route(c->s, out_walk->from, towns, n, forced, &out_walk->route)) {
        return wl_refuse(c, rules->length);
    }
    return ERR_OK;
}

enum err wl_read_walks(struct wl_call *c, const struct cJSON *object, const char *name,
                       const struct wl_walk_rules *rules, uint64_t *seen,
                       struct wl_walks *out_walks)
{
    const cJSON *list = NULL;
    const char *member = name[0] == '!' ? name + 1 : name;
    enum err err = json_read_array(object, name, ITEMS_MAX, &list, c->why);
    if (err != ERR_OK || list == NULL) { return err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        /* Not more than there are units: the next would be named twice. */
        struct wl_walk walk = {0};
        err = read_walk(c, i, member, rules, seen, &walk);
        if (err != ERR_OK) { return err; }
        out_walks->walk[out_walks->n++] = walk;
    }
    return ERR_OK;
}

enum err wl_read_only(struct wl_call *c, const char *const *names)
{
    for (const cJSON *i = c->action->child; i != NULL; i = i->next) {
        if (strcmp(i->string, "do") == 0) { continue; }
        const char *const *name = names;
        while (*name != NULL && strcmp(*name, i->string) != 0) {
            name++;
        }
        if (*name == NULL) {
            return why_member(c->why, i->string, "There is no such member here.");
        }
    }
    return ERR_OK;
}
