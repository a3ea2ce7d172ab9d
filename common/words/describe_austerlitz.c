/* common/words/describe_austerlitz.c: events of Napoléon à Austerlitz in sentences, one function a
 * kind (schema/games/austerlitz/position.md, section 3): the same messages with the same arguments
 * as in the browser client. A unit is told by its name to those who may know it, to all others by
 * side, type and hex. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/phrases.h"
#include "common/words/tell.h"
#include "common/words/words.h"

enum { ID_MAX = 64 };

/* ---- phrases ---- */

/* French counters begin with a figure, or are of the Guard (IC, CG, AG) or a corps (C04, A04). */
static const char *side_of_unit(const char *id)
{
    bool guard = strcmp(id, "IC") == 0 || strcmp(id, "CG") == 0 || strcmp(id, "AG") == 0;
    bool corps = (id[0] == 'A' || id[0] == 'C') && id[1] == '0';
    bool figure = id[0] >= '0' && id[0] <= '9';
    return guard || corps || figure ? "french" : "allied";
}

static const char *view_of(const struct telling *t, const char *side)
{
    return phrase_view(t->viewer, strcmp(side, "french") == 0 ? "FR" : "AL");
}

/* A hex by its place and number, or by its number alone: form as of a town, coded by itself. */
static void say_hex(struct buf *out, const char *hex, const char *form)
{
    char id[ID_MAX];
    snprintf(id, sizeof id, "place.austerlitz.%.20s", hex);
    if (words_text(id) != NULL) {
        words_say(out, id, "form", form, NULL);
    } else {
        words_say(out, "place.hex", "form", form, "name", hex, NULL);
    }
}

static const char *hex_of(struct telling *t, const char *hex, const char *form)
{
    struct buf *out = tell_phrase(t);
    say_hex(out, hex, form);
    return buf_str(out);
}

/* A unit that is known, with its code. */
static void say_known(const struct telling *t, struct buf *out, const char *unit, bool more)
{
    char id[ID_MAX];
    snprintf(id, sizeof id, "unit.austerlitz.%.20s", unit);
    if (words_text(id) == NULL) {
        buf_append_str(out, unit);
        return;
    }
    bool own = strcmp(view_of(t, side_of_unit(unit)), "own") == 0;
    struct buf name;
    buf_init(&name, 512);
    words_say(&name, id, "form", !own ? "the" : more ? "more" : "own", NULL);
    words_say(out, "unit.coded", "unit_t", buf_str(&name), "code", unit, NULL);
    buf_finish(&name);
}

/* A unit that is not, with its hex unless the sentence tells that. */
static void say_mute(struct buf *out, const cJSON *unit, bool where)
{
    struct buf name, in;
    buf_init(&name, 512);
    buf_init(&in, 512);
    words_say(&name, "unit.austerlitz.mute", "side", tell_text(unit, "side"), "type",
              tell_text(unit, "type"), NULL);
    if (where) {
        say_hex(&in, tell_text(unit, "hex"), "in");
        words_say(out, "unit.austerlitz.mute_at", "unit_t", buf_str(&name), "in_t", buf_str(&in),
                  NULL);
    } else {
        buf_append_str(out, buf_str(&name));
    }
    buf_finish(&name);
    buf_finish(&in);
}

static void say_unit(const struct telling *t, struct buf *out, const cJSON *unit, bool where,
                     bool more)
{
    if (cJSON_IsString(unit)) {
        say_known(t, out, unit->valuestring, more);
    } else {
        say_mute(out, unit, where);
    }
}

/* The unit of the event. where: with its hex, if it is not known. */
static const char *unit(struct telling *t, const char *member, bool where)
{
    struct buf *out = tell_phrase(t);
    say_unit(t, out, json_get(t->ev, member), where, false);
    return buf_str(out);
}

static const char *units(struct telling *t, const cJSON *list)
{
    struct phrase_list names;
    struct buf name;
    struct buf *out = tell_phrase(t);
    const cJSON *one = NULL;
    phrase_list_init(&names);
    buf_init(&name, 1024);
    cJSON_ArrayForEach(one, list)
    {
        buf_reset(&name);
        say_unit(t, &name, one, true, one != list->child);
        phrase_list_add(&names, buf_str(&name));
    }
    phrase_list_say(&names, true, out);
    phrase_list_finish(&names);
    buf_finish(&name);
    return buf_str(out);
}

/* ---- movement ---- */

/* An event of one unit that goes from one hex to another. */
static void tell_step(struct telling *t, const char *id, const char *to)
{
    words_say(t->out, id, "unit_t", unit(t, "unit", false), "from_t",
              hex_of(t, tell_text(t->ev, "from"), "from"), "to_t", hex_of(t, to, "to"), NULL);
    tell_end(t);
}

static void tell_moved(struct telling *t)
{
    const cJSON *path = json_get(t->ev, "path");
    int n = cJSON_GetArraySize(path);
    /* Who only steps off the map is told of by what follows. */
    if (n == 0) { return; }
    const cJSON *last = cJSON_GetArrayItem(path, n - 1);
    tell_step(t, "event.austerlitz.moved", cJSON_IsString(last) ? last->valuestring : "");
}

/* What the army has lost so far, and where it breaks. */
static void tell_track(struct telling *t)
{
    const char *side = tell_text(t->ev, "side");
    words_say(t->out, "event.austerlitz.track", "view", view_of(t, side), "side_t",
              tell_side_of(t, side), "lost", words_int(tell_int(t->ev, "P")), "breaks",
              tell_truth(cJSON_IsNumber(json_get(t->ev, "D"))), "at",
              words_int(tell_int(t->ev, "D")), NULL);
    tell_end(t);
}

static void tell_left_map(struct telling *t)
{
    const char *box = tell_text(t->ev, "box");
    words_say(t->out, "event.austerlitz.left_map", "unit_t", unit(t, "unit", true), "box", box,
              NULL);
    tell_end(t);
    if (strcmp(box, "vienna") != 0) { tell_track(t); }
}

static void tell_bridge_destroyed(struct telling *t)
{
    char id[ID_MAX];
    struct buf *bridge = tell_phrase(t);
    snprintf(id, sizeof id, "place.austerlitz.%.20s", tell_text(t->ev, "bridge"));
    words_say(bridge, id, NULL);
    words_say(t->out, "event.austerlitz.bridge_destroyed", "unit_t", unit(t, "unit", true),
              "bridge_t", buf_str(bridge), NULL);
    tell_end(t);
}

static void tell_turn(struct telling *t)
{
    long turn = tell_int(t->ev, "turn");
    struct buf *slot = tell_phrase(t);
    tell_austerlitz.say_turn(slot, t->ev);
    words_say(t->out, "event.austerlitz.turn", "slot_t", buf_str(slot), "light",
              turn == 1    ? "fog"
              : turn == 12 ? "night"
                           : "day",
              NULL);
    tell_end(t);
}

static void tell_phase(struct telling *t)
{
    const char *side = tell_text(t->ev, "side");
    words_say(t->out, "event.austerlitz.phase", "state", tell_text(t->ev, "state"), "view",
              view_of(t, side), "side_t", tell_side_of(t, side), NULL);
    tell_end(t);
}

/* ---- combats ---- */

/* The combat with that number in the plan. */
static void tell_combat(struct telling *t, const char *index, const cJSON *entry)
{
    const cJSON *contact = json_get(entry, "contact");
    const cJSON *guns = json_get(entry, "bombard");
    if (json_get(entry, "hex") != NULL) {
        struct buf *battery = tell_phrase(t);
        say_unit(t, battery, json_get(entry, "artillery"), true, false);
        words_say(t->out, "event.austerlitz.ice_shot", "index", index, "unit_t", buf_str(battery),
                  "in_t", hex_of(t, tell_text(entry, "hex"), "in"), NULL);
        tell_end(t);
        return;
    }
    int n = cJSON_GetArraySize(contact);
    int m = cJSON_GetArraySize(guns);
    const char *id = m == 0   ? "event.austerlitz.combat"
                     : n == 0 ? "event.austerlitz.bombardment"
                              : "event.austerlitz.combat_both";
    words_say(t->out, id, "index", index, "units_t", units(t, contact), "guns_t", units(t, guns),
              "defenders_t", units(t, json_get(entry, "defenders")), "n", words_int(n == 0 ? m : n),
              NULL);
    tell_end(t);
}

static void tell_declared(struct telling *t)
{
    const cJSON *plan = json_get(t->ev, "plan");
    int n = cJSON_GetArraySize(plan);
    words_say(t->out, "event.austerlitz.declared", "n", words_int(n), NULL);
    tell_end(t);
    for (int index = 1, told = 0; told < n && index < 100; index++) {
        const char *name = words_int(index);
        const cJSON *entry = json_get(plan, name);
        if (entry == NULL) { continue; }
        tell_combat(t, name, entry);
        told++;
    }
}

/* A sentence about the combat of the event. */
static void tell_index(struct telling *t, const char *id)
{
    const cJSON *list = json_get(t->ev, "units");
    words_say(t->out, id, "index", words_int(tell_int(t->ev, "index")), "units_t",
              list == NULL ? "" : units(t, list), NULL);
    tell_end(t);
}

static void tell_dropped(struct telling *t)
{
    tell_index(t, "event.austerlitz.dropped");
}

static void tell_void(struct telling *t)
{
    tell_index(t, "event.austerlitz.void");
}

static void tell_held(struct telling *t)
{
    tell_index(t, "event.austerlitz.held");
}

static void tell_concealed(struct telling *t)
{
    tell_index(t, "event.austerlitz.concealed");
}

static void tell_reveal(struct telling *t)
{
    struct phrase_list list;
    struct buf name, whole;
    struct buf *all = tell_phrase(t);
    const cJSON *one = NULL;
    phrase_list_init(&list);
    buf_init(&name, 1024);
    buf_init(&whole, 1024);
    cJSON_ArrayForEach(one, json_get(t->ev, "units"))
    {
        buf_reset(&name);
        buf_reset(&whole);
        say_known(t, &name, tell_text(one, "id"), false);
        words_say(&whole, "unit.with_potential", "unit_t", buf_str(&name), "potential",
                  words_int(tell_int(one, "potential")), NULL);
        phrase_list_add(&list, buf_str(&whole));
    }
    phrase_list_say(&list, true, all);
    words_say(t->out, "event.austerlitz.reveal", "index", words_int(tell_int(t->ev, "index")),
              "units_t", buf_str(all), NULL);
    tell_end(t);
    phrase_list_finish(&list);
    buf_finish(&name);
    buf_finish(&whole);
}

static void tell_rolled(struct telling *t)
{
    char modifier[32];
    long by = tell_int(t->ev, "modifier");
    const char *odds = tell_text(t->ev, "odds"), *row = tell_text(t->ev, "row");
    snprintf(modifier, sizeof modifier, "%s%ld", by < 0 ? "−" : "+", labs(by));
    words_say(t->out, "event.austerlitz.rolled", "index", words_int(tell_int(t->ev, "index")),
              "attack", words_int(tell_int(t->ev, "attack")), "defence",
              words_int(tell_int(t->ev, "defence")), "odds", odds, "row", row, "shifted",
              tell_truth(strcmp(odds, row) != 0), "dice_t", tell_die(t, tell_int(t->ev, "die")),
              "modified", tell_truth(by != 0), "modifier", modifier, "final_die",
              words_int(tell_int(t->ev, "final_die")), "result", tell_text(t->ev, "result"), NULL);
    tell_end(t);
}

static void tell_ice_broken(struct telling *t)
{
    words_say(t->out, "event.austerlitz.ice_broken", "in_t",
              hex_of(t, tell_text(t->ev, "hex"), "in"), NULL);
    tell_end(t);
}

static void tell_eliminated(struct telling *t)
{
    const cJSON *list = json_get(t->ev, "units");
    words_say(t->out, "event.austerlitz.eliminated", "units_t", units(t, list), "n",
              words_int(cJSON_GetArraySize(list)), NULL);
    tell_end(t);
    tell_track(t);
}

static void tell_displaced(struct telling *t)
{
    tell_step(t, "event.austerlitz.displaced", tell_text(t->ev, "to"));
}

static void tell_advanced(struct telling *t)
{
    tell_step(t, "event.austerlitz.advanced", tell_text(t->ev, "to"));
}

static void tell_stayed(struct telling *t)
{
    words_say(t->out, "event.austerlitz.stayed", "unit_t", unit(t, "unit", true), NULL);
    tell_end(t);
}

static void tell_demoralised(struct telling *t)
{
    const char *side = tell_text(t->ev, "side");
    words_say(t->out, "event.austerlitz.demoralised", "view", view_of(t, side), "side_t",
              tell_side_of(t, side), NULL);
    tell_end(t);
}

/* ---- the end ---- */

static void tell_score(struct telling *t, const char *side)
{
    const cJSON *score = json_get(t->ev, side);
    words_say(t->out, "event.austerlitz.score", "side_t", tell_side_of(t, side), "losses",
              words_int(tell_int(score, "losses")), "points", words_int(tell_int(score, "points")),
              NULL);
    tell_end(t);
}

static void tell_encircled(struct telling *t)
{
    struct phrase_list list;
    struct buf *hexes = tell_phrase(t);
    struct buf name;
    const cJSON *one = NULL;
    phrase_list_init(&list);
    buf_init(&name, 512);
    cJSON_ArrayForEach(one, json_get(t->ev, "encircled"))
    {
        buf_reset(&name);
        say_hex(&name, cJSON_IsString(one) ? one->valuestring : "", "coded");
        phrase_list_add(&list, buf_str(&name));
    }
    phrase_list_say(&list, true, hexes);
    if (list.items > 0) {
        words_say(t->out, "event.austerlitz.encircled", "hexes_t", buf_str(hexes), NULL);
        tell_end(t);
    }
    phrase_list_finish(&list);
    buf_finish(&name);
}

static void tell_over(struct telling *t)
{
    char degree[ID_MAX];
    struct buf *phrase = tell_phrase(t);
    snprintf(degree, sizeof degree, "%.40s", tell_text(t->ev, "degree"));
    for (char *c = degree; *c != '\0'; c++) {
        *c = *c == ' ' ? '_' : *c;
    }
    words_say(phrase, "degree.austerlitz", "degree", degree, NULL);
    words_say(t->out, "event.austerlitz.over", "winner", tell_text(t->ev, "winner"), "degree_t",
              buf_str(phrase), NULL);
    tell_end(t);
    /* Who left, and what was agreed, the host tells; the score decided nothing then. */
    if (json_get(t->ev, "resigned") != NULL || json_get(t->ev, "agreed") != NULL) { return; }
    tell_score(t, "french");
    tell_score(t, "allied");
    tell_encircled(t);
}

static const struct tell_kind kinds[] = {
    {"moved", tell_moved},
    {"left_map", tell_left_map},
    {"bridge_destroyed", tell_bridge_destroyed},
    {"declared", tell_declared},
    {"dropped", tell_dropped},
    {"void", tell_void},
    {"reveal", tell_reveal},
    {"rolled", tell_rolled},
    {"ice_broken", tell_ice_broken},
    {"eliminated", tell_eliminated},
    {"displaced", tell_displaced},
    {"stayed", tell_stayed},
    {"advanced", tell_advanced},
    {"held", tell_held},
    {"demoralised", tell_demoralised},
    {"concealed", tell_concealed},
    {"turn", tell_turn},
    {"phase", tell_phase},
    {"over", tell_over},
};

static const char *side_of_seat(const char *seat)
{
    return strcmp(seat, "FR") == 0 ? "french" : strcmp(seat, "AL") == 0 ? "allied" : seat;
}

static void say_turn(struct buf *out, const cJSON *turn)
{
    long n = tell_int(turn, "turn");
    struct buf hours;
    if (n == 0) { return; }
    buf_init(&hours, 256);
    words_say_within(&hours, "date.hours", "from", words_int(n + 6), "to", words_int(n + 7), NULL);
    words_say(out, "date.turn", "turn", words_int(n), "hours_t", buf_str(&hours), NULL);
    buf_finish(&hours);
}

const struct tell_game tell_austerlitz = {
    .game = "austerlitz",
    .kinds = kinds,
    .kind_count = sizeof kinds / sizeof kinds[0],
    .side_of_seat = side_of_seat,
    .say_turn = say_turn,
};
