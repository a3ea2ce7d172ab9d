/* common/words/describe_waterloo.c: events of Waterloo in sentences, one function a kind
 * (schema/games/waterloo/position.md, section 7): the same messages with the same arguments as in
 * the browser client. */
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/describe.h"
#include "common/words/phrases.h"
#include "common/words/tell.h"
#include "common/words/words.h"

void describe_date(struct buf *out, const char *date, const char *part)
{
    int year = 0, month = 0, day = 0;
    if (sscanf(date, "%d-%d-%d", &year, &month, &day) != 3 || month < 1 || month > 12) {
        buf_append_str(out, date);
        return;
    }
    words_say(out, "date.slot", "day", words_int(day), "month", words_int(month), "part", part,
              NULL);
}

/* ---- phrases of this event ---- */

static const char *town(struct telling *t, const char *id, const char *form)
{
    struct buf *out = tell_phrase(t);
    phrase_town(out, t->board, id, form);
    return buf_str(out);
}

/* Where it happens: the town or battle of the event. */
static const char *place(struct telling *t)
{
    const char *id = tell_text(t->ev, "town");
    return id[0] != '\0' ? id : tell_text(t->ev, "battle");
}

static const char *unit(struct telling *t, const char *id)
{
    struct buf *out = tell_phrase(t);
    phrase_unit(out, id, phrase_owns(t->viewer, id) ? "own" : "the");
    return buf_str(out);
}

static const char *dice(struct telling *t, const cJSON *list)
{
    struct buf *out = tell_phrase(t);
    phrase_dice(out, list);
    return buf_str(out);
}

static int total(const cJSON *counts)
{
    int n = 0;
    const cJSON *c = NULL;
    cJSON_ArrayForEach(c, counts)
    {
        n += cJSON_IsNumber(c) ? c->valueint : 0;
    }
    return n;
}

/* Units by name or by number, as the event has them. */
static const char *either(struct telling *t, const cJSON *of, int *out_n)
{
    struct buf *out = tell_phrase(t);
    if (cJSON_IsArray(of)) {
        *out_n = cJSON_GetArraySize(of);
        phrase_units(out, of, t->viewer);
    } else {
        *out_n = total(of);
        phrase_counts(out, of);
    }
    return buf_str(out);
}

/* A sentence about a seat, its own or another's, with the place of the event if it has one. */
static void tell_seat(struct telling *t, const char *id)
{
    tell_by_seat(t, id, place(t)[0] == '\0' ? "" : town(t, place(t), "in"));
}

/* ---- ways ---- */

static bool same_way(const cJSON *a, const cJSON *b)
{
    return strcmp(tell_text(a, "from"), tell_text(b, "from")) == 0 &&
           json_equal(json_get(a, "path"), json_get(b, "path")) &&
           strncmp(tell_text(a, "unit"), tell_text(b, "unit"), 2) == 0 &&
           cJSON_IsTrue(json_get(a, "forced")) == cJSON_IsTrue(json_get(b, "forced"));
}

static void tell_way(struct telling *t, const char *id, const cJSON *item, const char *units, int n)
{
    struct buf *way = tell_phrase(t);
    phrase_way(way, t->board, item, tell_text(t->ev, "town"));
    words_say(t->out, id, "units_t", units, "n", words_int(n), "way_t", buf_str(way), "forced",
              tell_bool(item, "forced"), "kind", tell_text(t->ev, "kind"), NULL);
    tell_end(t);
}

/* Those on one way together, named as their owner's or told by number. */
static void tell_units_way(struct telling *t, const char *id, const cJSON *list, const cJSON *item)
{
    for (const cJSON *before = list->child; before != item; before = before->next) {
        if (same_way(before, item)) { return; }
    }
    cJSON *ids = cJSON_CreateArray();
    int n = 0;
    for (const cJSON *other = item; other != NULL; other = other->next) {
        if (!same_way(other, item)) { continue; }
        cJSON_AddItemToArray(ids, cJSON_CreateString(tell_text(other, "unit")));
        n++;
    }
    struct buf *units = tell_phrase(t);
    phrase_units(units, ids, t->viewer);
    tell_way(t, id, item, buf_str(units), n);
    cJSON_Delete(ids);
}

static void tell_ways(struct telling *t, const cJSON *list, const char *id)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        int n = (int)tell_int(item, "count");
        if (json_get(item, "count") == NULL) {
            tell_units_way(t, id, list, item);
            continue;
        }
        struct buf *units = tell_phrase(t);
        words_say(units, "units.of", "n", words_int(n), "nation", tell_text(item, "nation"), NULL);
        tell_way(t, id, item, buf_str(units), n);
    }
}

/* ---- what happens in a battle: with its town before it ---- */

static void at_battle(struct telling *t, struct buf *what)
{
    words_say(t->out, "event.at", "town_t", town(t, tell_text(t->ev, "battle"), ""), "what_t",
              buf_str(what), NULL);
    tell_end(t);
}

/* ---- one function a kind of event ---- */

static void tell_placed(struct telling *t)
{
    const cJSON *list = json_get(t->ev, "placements");
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        bool told = false;
        for (const cJSON *before = list->child; before != item; before = before->next) {
            told = told || strcmp(tell_text(before, "town"), tell_text(item, "town")) == 0;
        }
        if (told) { continue; }
        cJSON *ids = cJSON_CreateArray();
        int n = 0;
        for (const cJSON *other = item; other != NULL; other = other->next) {
            if (strcmp(tell_text(other, "town"), tell_text(item, "town")) != 0) { continue; }
            cJSON_AddItemToArray(ids, cJSON_CreateString(tell_text(other, "unit")));
            n++;
        }
        struct buf *units = tell_phrase(t);
        phrase_units(units, ids, t->viewer);
        words_say(t->out, "event.placed", "units_t", buf_str(units), "n", words_int(n), "in_t",
                  town(t, tell_text(item, "town"), "in"), NULL);
        tell_end(t);
        cJSON_Delete(ids);
    }
}

static void tell_setup_confirmed(struct telling *t)
{
    tell_seat(t, "event.setup_confirmed");
}

static void tell_turn(struct telling *t)
{
    struct buf *slot = tell_phrase(t);
    long n = tell_int(t->ev, "slot");
    if (n >= 1 && n <= (long)t->board->slots) {
        describe_date(slot, t->board->slot[n - 1].date, t->board->slot[n - 1].part);
    } else {
        buf_append_str(slot, words_int(n));
    }
    words_say(t->out, "event.turn", "slot_t", buf_str(slot), "side_t", tell_side(t, "side"), "view",
              phrase_view(t->viewer, tell_text(t->ev, "side")), "night", tell_bool(t->ev, "night"),
              NULL);
    tell_end(t);
}

static void tell_drafted(struct telling *t)
{
    tell_ways(t, json_get(t->ev, "marches"), "event.drafted");
}

static void tell_undrafted(struct telling *t)
{
    struct buf *units = tell_phrase(t);
    phrase_units(units, json_get(t->ev, "units"), NULL);
    words_say(t->out, "event.undrafted", "units_t", buf_str(units), NULL);
    tell_end(t);
}

static void tell_ended(struct telling *t)
{
    tell_seat(t, "event.ended");
}

static void tell_end_withdrawn(struct telling *t)
{
    tell_seat(t, "event.end_withdrawn");
}

static void tell_automatic(struct telling *t)
{
    words_say(t->out, "event.automatic", "place", tell_truth(place(t)[0] != '\0'), "town_t",
              town(t, place(t), ""), NULL);
    tell_end(t);
}

static void tell_marched(struct telling *t)
{
    const cJSON *list = json_get(t->ev, "marches");
    if (list == NULL || list->child == NULL) {
        words_say(t->out, "event.marched.none", "side_t", tell_side(t, "side"), "view",
                  phrase_view(t->viewer, tell_text(t->ev, "side")), NULL);
        tell_end(t);
        return;
    }
    tell_ways(t, list, "event.marched");
}

static void tell_march_dice(struct telling *t)
{
    const cJSON *one = NULL;
    const cJSON *group = NULL;
    cJSON_ArrayForEach(one, json_get(t->ev, "dice"))
    {
        words_say(t->out, "event.march_dice.unit", "unit_t", unit(t, tell_text(one, "unit")),
                  "dice_t", tell_die(t, tell_int(one, "die")), "lost",
                  words_int(tell_int(one, "lost")), NULL);
        tell_end(t);
    }
    cJSON_ArrayForEach(group, json_get(t->ev, "marches"))
    {
        struct buf *units = tell_phrase(t);
        struct buf *way = tell_phrase(t);
        words_say(units, "units.of", "n", words_int(tell_int(group, "count")), "nation",
                  tell_text(group, "nation"), NULL);
        phrase_way(way, t->board, group, "");
        words_say(t->out, "event.march_dice.group", "units_t", buf_str(units), "way_t",
                  buf_str(way), "dice_t", dice(t, json_get(group, "dice")), NULL);
        tell_end(t);
    }
    if (json_get(t->ev, "marches") != NULL) {
        words_say(t->out, "event.march_dice.sum", "lost", words_int(tell_int(t->ev, "lost")), NULL);
        tell_end(t);
    }
}

static void tell_attacked(struct telling *t)
{
    struct buf *units = tell_phrase(t);
    const char *view = phrase_view(t->viewer, tell_text(t->ev, "side"));
    /* With three players it may be the ally who stands there: it is told as it is to all. */
    const char *who = t->viewer == NULL ? "" : t->viewer;
    const bool shared = strcmp(who, "AD") == 0 || strcmp(who, "PR") == 0;
    if (shared && strcmp(view, "enemy") == 0) { view = "other"; }
    phrase_counts(units, json_get(t->ev, "units"));
    words_say(t->out, "event.attacked", "view", view, "on_t", town(t, place(t), "on"), "in_t",
              town(t, place(t), "in"), "units_t", buf_str(units), "roads",
              words_int(cJSON_GetArraySize(json_get(t->ev, "roads"))), NULL);
    tell_end(t);
}

static void tell_fight_chosen(struct telling *t)
{
    tell_seat(t, "event.fight_chosen");
}

static void tell_retreat_chosen(struct telling *t)
{
    tell_ways(t, json_get(t->ev, "routes"), "event.retreat_chosen");
    int n = 0;
    const char *units = either(t, json_get(t->ev, "stranded"), &n);
    if (n == 0) { return; }
    words_say(t->out, "event.stranded", "units_t", units, "in_t", town(t, place(t), "in"), NULL);
    tell_end(t);
}

static void tell_answer_void(struct telling *t)
{
    tell_seat(t, "event.answer_void");
}

static void tell_pursuit(struct telling *t)
{
    words_say(t->out, "event.pursuit", "view", phrase_view(t->viewer, tell_text(t->ev, "side")),
              "in_t", town(t, place(t), "in"), "stage", tell_text(t->ev, "stage"), "dice_t",
              dice(t, json_get(t->ev, "dice")), "hits", words_int(tell_int(t->ev, "hits")), NULL);
    tell_end(t);
}

static void tell_allotted(struct telling *t)
{
    const cJSON *loss = NULL;
    cJSON_ArrayForEach(loss, json_get(t->ev, "losses"))
    {
        words_say(t->out, "event.allotted", "unit_t", unit(t, tell_text(loss, "unit")), "lost",
                  words_int(tell_int(loss, "cv")), NULL);
        tell_end(t);
    }
}

static void tell_attrition(struct telling *t)
{
    const cJSON *loss = NULL;
    cJSON_ArrayForEach(loss, json_get(t->ev, "attrition"))
    {
        if (!cJSON_IsNumber(loss) || loss->valueint == 0) { continue; }
        words_say(t->out, "event.attrition", "unit_t", unit(t, loss->string), "lost",
                  words_int(loss->valueint), NULL);
        tell_end(t);
    }
}

static void tell_retreated(struct telling *t)
{
    tell_attrition(t);
    tell_ways(t, json_get(t->ev, "routes"), "event.retreated");
    tell_ways(t, json_get(t->ev, "hidden"), "event.retreated");
}

static const char *names(struct telling *t, const cJSON *units)
{
    struct phrase_list list;
    struct buf name;
    struct buf *out = tell_phrase(t);
    const cJSON *u = NULL;
    phrase_list_init(&list);
    buf_init(&name, 1024);
    cJSON_ArrayForEach(u, units)
    {
        buf_reset(&name);
        if (cJSON_IsString(u)) { phrase_unit(&name, u->valuestring, ""); }
        phrase_list_add(&list, buf_str(&name));
    }
    phrase_list_say(&list, true, out);
    phrase_list_finish(&list);
    buf_finish(&name);
    return buf_str(out);
}

static void tell_deployed(struct telling *t)
{
    const cJSON *columns = json_get(t->ev, "columns");
    const cJSON *left = json_get(columns, "1"), *centre = json_get(columns, "2"),
                *right = json_get(columns, "3"), *reserve = json_get(columns, "reserve");
    const char *view = phrase_view(t->viewer, tell_text(t->ev, "side"));
    const char *in = town(t, place(t), "in");
    const char *who = tell_side(t, "side");
    if (cJSON_IsArray(left) || cJSON_IsArray(centre) || cJSON_IsArray(right) ||
        cJSON_IsArray(reserve)) {
        words_say(t->out, "event.deployed.units", "in_t", in, "side_t", who, "view", view, "left_t",
                  names(t, left), "centre_t", names(t, centre), "right_t", names(t, right),
                  "reserve_t", names(t, reserve), NULL);
    } else {
        words_say(t->out, "event.deployed.counts", "in_t", in, "side_t", who, "view", view, "left",
                  words_int(total(left)), "centre", words_int(total(centre)), "right",
                  words_int(total(right)), "reserve", words_int(total(reserve)), NULL);
    }
    tell_end(t);
}

static void add_with_cv(struct phrase_list *list, const char *id, long cv)
{
    struct buf name, whole;
    buf_init(&name, 1024);
    buf_init(&whole, 1024);
    phrase_unit(&name, id, "");
    words_say(&whole, "unit.with_cv", "unit_t", buf_str(&name), "cv", words_int(cv), NULL);
    phrase_list_add(list, buf_str(&whole));
    buf_finish(&name);
    buf_finish(&whole);
}

/* The units of one side in a lane, with their strengths. */
static const char *shown(struct telling *t, int lane, bool french, int *count)
{
    struct phrase_list list;
    struct buf *out = tell_phrase(t);
    const cJSON *u = NULL;
    phrase_list_init(&list);
    cJSON_ArrayForEach(u, json_get(t->ev, "units"))
    {
        bool of_french = u->string != NULL && strncmp(u->string, "FR", 2) == 0;
        if (u->string == NULL || tell_int(u, "lane") != lane || of_french != french) { continue; }
        add_with_cv(&list, u->string, tell_int(u, "cv"));
    }
    *count += list.items;
    phrase_list_say(&list, true, out);
    phrase_list_finish(&list);
    return buf_str(out);
}

static void tell_revealed(struct telling *t)
{
    words_say(t->out, "event.revealed", "in_t", town(t, place(t), "in"), NULL);
    tell_end(t);
    for (int lane = 1; lane <= 3; lane++) {
        int count = 0;
        const char *french = shown(t, lane, true, &count);
        const char *allies = shown(t, lane, false, &count);
        if (count == 0) { continue; }
        struct buf *where = tell_phrase(t);
        struct buf *what = tell_phrase(t);
        words_say(where, "list.lane", "lane", words_int(lane), NULL);
        words_say_within(what, "event.revealed.lane", "where_t", buf_str(where), "french_t", french,
                         "allies_t", allies, NULL);
        at_battle(t, what);
    }
}

static void tell_combat_turn(struct telling *t)
{
    words_say(t->out, "event.combat_turn", "n", words_int(tell_int(json_get(t->ev, "ct"), "n")),
              "side_t", tell_side(t, "side"), "view",
              phrase_view(t->viewer, tell_text(t->ev, "side")), NULL);
    tell_end(t);
}

static void tell_fired(struct telling *t)
{
    static const char cavalry[] =
        "FR-H FR-I FR-J FR-K FR-L FR-M AD-G AD-H AD-I AD-J PR-I PR-J PR-K PR-L";
    const char *id = tell_text(t->ev, "unit");
    bool twice = tell_int(t->ev, "hit_on") == 5;
    bool charge = twice && strlen(id) == 4 && strstr(cavalry, id) != NULL;
    struct buf *target = tell_phrase(t);
    struct buf *what = tell_phrase(t);
    phrase_unit(target, tell_text(t->ev, "target"), charge ? "the" : "at");
    words_say_within(what, charge ? "event.charged" : "event.fired", "unit_t", unit(t, id),
                     "target_t", buf_str(target), "mode", twice ? "double" : "plain", "dice_t",
                     dice(t, json_get(t->ev, "dice")), "hits", words_int(tell_int(t->ev, "hits")),
                     NULL);
    at_battle(t, what);
}

static void tell_morale(struct telling *t)
{
    struct buf *what = tell_phrase(t);
    words_say_within(what, "event.morale", "unit_t", unit(t, tell_text(t->ev, "unit")), "dice_t",
                     tell_die(t, tell_int(t->ev, "die")), "good", tell_bool(t->ev, "good"), NULL);
    at_battle(t, what);
}

static void tell_moved(struct telling *t)
{
    char id[64];
    snprintf(id, sizeof id, "event.%.40s", tell_text(t->ev, "kind"));
    long to = tell_int(t->ev, "to");
    struct buf *what = tell_phrase(t);
    words_say_within(what, words_text(id) == NULL ? "event.redeploy" : id, "unit_t",
                     unit(t, tell_text(t->ev, "unit")), "lane",
                     words_int(to == 0 ? tell_int(t->ev, "from") : to), "cv",
                     words_int(tell_int(t->ev, "cv")), NULL);
    at_battle(t, what);
}

static void tell_routed(struct telling *t)
{
    words_say(t->out, "event.routed", "side_t", tell_side(t, "side"), "view",
              phrase_view(t->viewer, tell_text(t->ev, "side")), "in_t", town(t, place(t), "in"),
              NULL);
    tell_end(t);
    tell_attrition(t);
    const cJSON *reserve = json_get(t->ev, "reserve");
    if (total(reserve) == 0) { return; }
    struct buf *units = tell_phrase(t);
    phrase_counts(units, reserve);
    words_say(t->out, "event.routed.reserve", "units_t", buf_str(units), "n",
              words_int(total(reserve)), NULL);
    tell_end(t);
}

static void tell_battle_over(struct telling *t)
{
    const cJSON *survivors = json_get(t->ev, "survivors");
    const cJSON *u = NULL;
    struct phrase_list list;
    struct buf *units = tell_phrase(t);
    bool named = survivors != NULL && survivors->child != NULL &&
                 survivors->child->string != NULL && strlen(survivors->child->string) > 2;
    phrase_list_init(&list);
    cJSON_ArrayForEach(u, survivors)
    {
        if (named && cJSON_IsNumber(u) && u->string != NULL) {
            add_with_cv(&list, u->string, u->valueint);
        }
    }
    if (named) {
        phrase_list_say(&list, true, units);
    } else {
        phrase_counts(units, survivors);
    }
    phrase_list_finish(&list);
    words_say(t->out, "event.battle_over", "in_t", town(t, place(t), "in"), "side_t",
              tell_side(t, "winner"), "view", phrase_view(t->viewer, tell_text(t->ev, "winner")),
              "units_t", buf_str(units), NULL);
    tell_end(t);
}

static void tell_reinforced(struct telling *t)
{
    int n = 0;
    const char *units = either(t, json_get(t->ev, "units"), &n);
    words_say(t->out, "event.reinforced", "units_t", units, "n", words_int(n), "from_t",
              town(t, tell_text(t->ev, "from"), "from"), "to_t", town(t, place(t), "to"), NULL);
    tell_end(t);
}

static void tell_supply_due(struct telling *t)
{
    struct buf *units = tell_phrase(t);
    phrase_counts(units, json_get(t->ev, "debt"));
    words_say(t->out, "event.supply_due", "units_t", buf_str(units), NULL);
    tell_end(t);
}

static void tell_supply_removed(struct telling *t)
{
    int n = 0;
    const char *units = either(t, json_get(t->ev, "units"), &n);
    words_say(t->out, "event.supply_removed", "units_t", units, "n", words_int(n), NULL);
    tell_end(t);
}

static void tell_eliminated(struct telling *t)
{
    bool somewhere = place(t)[0] != '\0';
    words_say(t->out, "event.eliminated", "unit_t", unit(t, tell_text(t->ev, "unit")), "why",
              tell_text(t->ev, "why"), "place", tell_truth(somewhere), "in_t",
              somewhere ? town(t, place(t), "in") : "", NULL);
    tell_end(t);
}

static void tell_surrendered(struct telling *t)
{
    long left = tell_int(t->ev, "left");
    struct buf *units = tell_phrase(t);
    words_say(units, "units.of", "n", words_int(left), "nation", tell_text(t->ev, "nation"), NULL);
    words_say(t->out, "event.surrendered", "side_t", tell_side(t, "nation"), "units_t",
              buf_str(units), "left", words_int(left), NULL);
    tell_end(t);
}

static void tell_game_over(struct telling *t)
{
    words_say(t->out, "event.game_over", "winner", tell_text(t->ev, "winner"), "why",
              tell_text(t->ev, "why"), NULL);
    tell_end(t);
}

static const struct tell_kind kinds[] = {
    {"placed", tell_placed},
    {"setup_confirmed", tell_setup_confirmed},
    {"turn", tell_turn},
    {"drafted", tell_drafted},
    {"undrafted", tell_undrafted},
    {"ended", tell_ended},
    {"end_withdrawn", tell_end_withdrawn},
    {"automatic", tell_automatic},
    {"marched", tell_marched},
    {"march_dice", tell_march_dice},
    {"attacked", tell_attacked},
    {"fight_chosen", tell_fight_chosen},
    {"retreat_chosen", tell_retreat_chosen},
    {"answer_void", tell_answer_void},
    {"pursuit", tell_pursuit},
    {"allotted", tell_allotted},
    {"retreated", tell_retreated},
    {"deployed", tell_deployed},
    {"revealed", tell_revealed},
    {"combat_turn", tell_combat_turn},
    {"fired", tell_fired},
    {"morale", tell_morale},
    {"moved", tell_moved},
    {"routed", tell_routed},
    {"battle_over", tell_battle_over},
    {"reinforced", tell_reinforced},
    {"supply_due", tell_supply_due},
    {"supply_removed", tell_supply_removed},
    {"eliminated", tell_eliminated},
    {"surrendered", tell_surrendered},
    {"game_over", tell_game_over},
};

static const char *side_of_seat(const char *seat)
{
    return seat;
}

static void say_turn(struct buf *out, const cJSON *turn)
{
    const char *date = tell_text(turn, "date");
    if (tell_int(turn, "slot") == 0) {
        words_say(out, "date.setup", NULL);
    } else if (date[0] != '\0') {
        describe_date(out, date, tell_text(turn, "part"));
    } else {
        buf_append_str(out, words_int(tell_int(turn, "slot")));
    }
}

const struct tell_game tell_waterloo = {
    .game = "waterloo",
    .kinds = kinds,
    .kind_count = sizeof kinds / sizeof kinds[0],
    .side_of_seat = side_of_seat,
    .say_turn = say_turn,
};
