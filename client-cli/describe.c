/* client-cli/describe.c: events in sentences, one function a kind (rules/waterloo-position, section
 * 7). */
#include "client-cli/describe.h"

#include <stdio.h>
#include <string.h>

#include "client-cli/words.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"

enum { PHRASE_MAX = 4096 };

/* What an event function works with: the event, where its lines go, and phrases that live as long.
 */
struct telling {
    struct buf *out;
    const cJSON *ev;
    const struct board *board;
    struct buf phrase[6];
    unsigned phrases;
};

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static long int_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return (long)json_int(item, 0);
}

static const char *bool_of(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(json_get(object, name)) ? "true" : "false";
}

static const char *town_of(const struct telling *t, const char *name)
{
    return board_name(t->board, text_of(t->ev, name));
}

/* A phrase buffer of this event, empty. */
static struct buf *phrase(struct telling *t)
{
    struct buf *buf = &t->phrase[t->phrases % 6];
    t->phrases++;
    buf_reset(buf);
    return buf;
}

static const char *units_list(struct telling *t, const cJSON *units)
{
    struct buf *out = phrase(t);
    const cJSON *u = NULL;
    cJSON_ArrayForEach(u, units)
    {
        if (out->len > 0) { buf_append_str(out, ", "); }
        buf_append_str(out, cJSON_IsString(u)   ? u->valuestring
                            : u->string == NULL ? text_of(u, "unit")
                                                : u->string);
    }
    if (out->len == 0) { words_say(out, "frag.none", NULL); }
    return buf_str(out);
}

static const char *counts_phrase(struct telling *t, const cJSON *counts)
{
    struct buf *out = phrase(t);
    const cJSON *c = NULL;
    cJSON_ArrayForEach(c, counts)
    {
        if (!cJSON_IsNumber(c)) { continue; }
        if (out->len > 0) { buf_append_str(out, ", "); }
        words_say(out, "frag.units_of", "n", words_int(c->valueint), "nation",
                  c->string == NULL ? "" : c->string, NULL);
    }
    if (out->len == 0) { words_say(out, "frag.none", NULL); }
    return buf_str(out);
}

static const char *dice_phrase(struct telling *t, const cJSON *dice)
{
    struct buf *out = phrase(t);
    const cJSON *d = NULL;
    cJSON_ArrayForEach(d, dice)
    {
        if (out->len > 0) { buf_append_str(out, ", "); }
        buf_append_str(out, words_int(cJSON_IsNumber(d) ? d->valueint : int_of(d, "die")));
    }
    if (out->len == 0) { words_say(out, "frag.none", NULL); }
    return buf_str(out);
}

/* "Namur → Wavre" of an item or group; from where it does not name its start. */
static const char *path_phrase(struct telling *t, const cJSON *item, const char *from)
{
    struct buf *out = phrase(t);
    const char *start = text_of(item, "from");
    buf_append_str(out, board_name(t->board, start[0] == '\0' ? from : start));
    const cJSON *town = NULL;
    cJSON_ArrayForEach(town, json_get(item, "path"))
    {
        if (!cJSON_IsString(town)) { continue; }
        if (out->len > 0) { buf_append_str(out, " → "); }
        buf_append_str(out, board_name(t->board, town->valuestring));
    }
    return buf_str(out);
}

static const char *side_phrase(struct telling *t, const char *side)
{
    struct buf *out = phrase(t);
    words_say(out, "frag.side", "side", side, NULL);
    return buf_str(out);
}

static void end_line(struct telling *t)
{
    buf_append_char(t->out, '\n');
}

static bool same_way(const cJSON *a, const cJSON *b)
{
    return strcmp(text_of(a, "from"), text_of(b, "from")) == 0 &&
           json_equal(json_get(a, "path"), json_get(b, "path")) &&
           cJSON_IsTrue(json_get(a, "forced")) == cJSON_IsTrue(json_get(b, "forced"));
}

/* Lines for items of the own side (those on one way together) and for groups of the other.
 * own, enemy: ids of the sentences; kind goes into them. */
static void tell_ways(struct telling *t, const cJSON *list, const char *from, const char *own,
                      const char *enemy, const char *kind)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        const char *path = path_phrase(t, item, from);
        if (json_get(item, "count") != NULL) {
            struct buf *units = phrase(t);
            words_say(units, "frag.units_of", "n", words_int(int_of(item, "count")), "nation",
                      text_of(item, "nation"), NULL);
            words_say(t->out, enemy, "path_t", path, "units_of_t", buf_str(units), "forced",
                      bool_of(item, "forced"), "kind", kind, NULL);
            end_line(t);
            continue;
        }
        bool told = false;
        for (const cJSON *before = list->child; before != item; before = before->next) {
            told = told || same_way(before, item);
        }
        if (told) { continue; }
        struct buf *units = phrase(t);
        for (const cJSON *other = item; other != NULL; other = other->next) {
            if (!same_way(other, item)) { continue; }
            if (units->len > 0) { buf_append_str(units, ", "); }
            buf_append_str(units, text_of(other, "unit"));
        }
        words_say(t->out, own, "path_t", path, "unit_list_t", buf_str(units), "forced",
                  bool_of(item, "forced"), "kind", kind, NULL);
        end_line(t);
    }
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
            told = told || strcmp(text_of(before, "town"), text_of(item, "town")) == 0;
        }
        if (told) { continue; }
        struct buf *units = phrase(t);
        for (const cJSON *other = item; other != NULL; other = other->next) {
            if (strcmp(text_of(other, "town"), text_of(item, "town")) != 0) { continue; }
            if (units->len > 0) { buf_append_str(units, ", "); }
            buf_append_str(units, text_of(other, "unit"));
        }
        words_say(t->out, "event.placed", "unit_list_t", buf_str(units), "town",
                  board_name(t->board, text_of(item, "town")), NULL);
        end_line(t);
    }
}

static void tell_setup_confirmed(struct telling *t)
{
    words_say(t->out, "event.setup_confirmed", "side", text_of(t->ev, "seat"), NULL);
    end_line(t);
}

static void tell_turn(struct telling *t)
{
    struct buf *slot = phrase(t);
    long n = int_of(t->ev, "slot");
    if (n >= 1 && n <= (long)t->board->slots) {
        describe_date(slot, t->board->slot[n - 1].date, t->board->slot[n - 1].part);
    } else {
        words_say(slot, "frag.turn", "n", words_int(n), NULL);
    }
    words_say(t->out, "event.turn", "slot_t", buf_str(slot), "side", text_of(t->ev, "side"),
              "night", bool_of(t->ev, "night"), NULL);
    end_line(t);
}

static void tell_drafted(struct telling *t)
{
    tell_ways(t, json_get(t->ev, "marches"), "", "event.drafted", "event.drafted", "");
}

static void tell_undrafted(struct telling *t)
{
    words_say(t->out, "event.undrafted", "unit_list_t", units_list(t, json_get(t->ev, "units")),
              NULL);
    end_line(t);
}

static void tell_ended(struct telling *t)
{
    words_say(t->out, "event.ended", "seat", text_of(t->ev, "seat"), "step", text_of(t->ev, "step"),
              NULL);
    end_line(t);
}

/* The host's word on the match itself: how it ended, and who gave it up where somebody did. */
static void tell_match_ended(struct telling *t)
{
    words_say(t->out, "event.match_ended", "how", text_of(t->ev, "how"), "side",
              text_of(t->ev, "seat"), NULL);
    end_line(t);
}

static void tell_end_withdrawn(struct telling *t)
{
    words_say(t->out, "event.end_withdrawn", NULL);
    end_line(t);
}

static void tell_automatic(struct telling *t)
{
    words_say(t->out, "event.automatic", NULL);
    end_line(t);
}

static void tell_marched(struct telling *t)
{
    const cJSON *list = json_get(t->ev, "marches");
    if (list == NULL || list->child == NULL) {
        words_say(t->out, "event.marched.none", "side", text_of(t->ev, "side"), NULL);
        end_line(t);
        return;
    }
    tell_ways(t, list, "", "event.marched.own", "event.marched.enemy", "");
}

static void tell_march_dice(struct telling *t)
{
    const cJSON *die = NULL;
    const cJSON *group = NULL;
    cJSON_ArrayForEach(die, json_get(t->ev, "dice"))
    {
        words_say(t->out, "event.march_dice.own", "unit", text_of(die, "unit"), "die",
                  words_int(int_of(die, "die")), "lost", words_int(int_of(die, "lost")), NULL);
        end_line(t);
    }
    cJSON_ArrayForEach(group, json_get(t->ev, "marches"))
    {
        words_say(t->out, "event.march_dice.enemy", "path_t", path_phrase(t, group, ""), "dice_t",
                  dice_phrase(t, json_get(group, "dice")), NULL);
        end_line(t);
    }
    if (json_get(t->ev, "marches") != NULL) {
        words_say(t->out, "event.march_dice.sum", "lost", words_int(int_of(t->ev, "lost")), NULL);
        end_line(t);
    }
}

static void tell_attacked(struct telling *t)
{
    words_say(t->out, "event.attacked", "town", town_of(t, "town"), "units_of_t",
              counts_phrase(t, json_get(t->ev, "units")), "roads",
              words_int(cJSON_GetArraySize(json_get(t->ev, "roads"))), NULL);
    end_line(t);
}

static void tell_fight_chosen(struct telling *t)
{
    words_say(t->out, "event.fight_chosen", "town", town_of(t, "town"), "side_t",
              side_phrase(t, text_of(t->ev, "seat")), NULL);
    end_line(t);
}

static void tell_retreat_chosen(struct telling *t)
{
    tell_ways(t, json_get(t->ev, "routes"), text_of(t->ev, "town"), "event.retreat_chosen.own",
              "event.retreat_chosen.enemy", "");
    const cJSON *stranded = json_get(t->ev, "stranded");
    if (cJSON_IsArray(stranded) && stranded->child != NULL) {
        words_say(t->out, "event.stranded.own", "town", town_of(t, "town"), "unit_list_t",
                  units_list(t, stranded), NULL);
        end_line(t);
    } else if (cJSON_IsObject(stranded) && stranded->child != NULL) {
        words_say(t->out, "event.stranded.enemy", "town", town_of(t, "town"), "units_of_t",
                  counts_phrase(t, stranded), NULL);
        end_line(t);
    }
}

static void tell_answer_void(struct telling *t)
{
    words_say(t->out, "event.answer_void", "town", town_of(t, "town"), NULL);
    end_line(t);
}

static void tell_pursuit(struct telling *t)
{
    struct buf *hits = phrase(t);
    words_say(hits, "frag.hits", "hits", words_int(int_of(t->ev, "hits")), NULL);
    words_say(t->out, "event.pursuit", "town", town_of(t, "town"), "stage", text_of(t->ev, "stage"),
              "dice_t", dice_phrase(t, json_get(t->ev, "dice")), "hits_t", buf_str(hits), NULL);
    end_line(t);
}

static void tell_allotted(struct telling *t)
{
    const cJSON *loss = NULL;
    cJSON_ArrayForEach(loss, json_get(t->ev, "losses"))
    {
        words_say(t->out, "event.allotted", "town", town_of(t, "town"), "unit",
                  text_of(loss, "unit"), "lost", words_int(int_of(loss, "cv")), NULL);
        end_line(t);
    }
}

static void tell_attrition(struct telling *t, const char *town)
{
    const cJSON *loss = NULL;
    cJSON_ArrayForEach(loss, json_get(t->ev, "attrition"))
    {
        if (!cJSON_IsNumber(loss) || loss->valueint == 0) { continue; }
        words_say(t->out, "event.attrition", "town", town, "unit", loss->string, "lost",
                  words_int(loss->valueint), NULL);
        end_line(t);
    }
}

static void tell_retreated(struct telling *t)
{
    const char *town = text_of(t->ev, "town");
    const char *kind = text_of(t->ev, "kind");
    tell_attrition(t, board_name(t->board, town));
    tell_ways(t, json_get(t->ev, "routes"), town, "event.retreated.own", "event.retreated.enemy",
              kind);
    tell_ways(t, json_get(t->ev, "hidden"), town, "event.retreated.own", "event.retreated.enemy",
              kind);
}

static long count_of(const cJSON *group)
{
    long n = 0;
    const cJSON *c = NULL;
    cJSON_ArrayForEach(c, group)
    {
        n += cJSON_IsNumber(c) ? c->valueint : 0;
    }
    return n;
}

static void tell_deployed(struct telling *t)
{
    const cJSON *columns = json_get(t->ev, "columns");
    const char *town = town_of(t, "battle");
    if (cJSON_IsArray(json_get(columns, "1")) || cJSON_IsArray(json_get(columns, "2")) ||
        cJSON_IsArray(json_get(columns, "3")) || cJSON_IsArray(json_get(columns, "reserve"))) {
        words_say(t->out, "event.deployed.own", "town", town, "col1_t",
                  units_list(t, json_get(columns, "1")), "col2_t",
                  units_list(t, json_get(columns, "2")), "col3_t",
                  units_list(t, json_get(columns, "3")), "reserve_t",
                  units_list(t, json_get(columns, "reserve")), NULL);
    } else {
        words_say(t->out, "event.deployed.enemy", "town", town, "side_t",
                  side_phrase(t, text_of(t->ev, "side")), "n1",
                  words_int(count_of(json_get(columns, "1"))), "n2",
                  words_int(count_of(json_get(columns, "2"))), "n3",
                  words_int(count_of(json_get(columns, "3"))), "reserve",
                  words_int(count_of(json_get(columns, "reserve"))), NULL);
    }
    end_line(t);
}

static void tell_revealed(struct telling *t)
{
    const cJSON *units = json_get(t->ev, "units");
    for (int lane = 1; lane <= 3; lane++) {
        struct buf *list = phrase(t);
        const cJSON *u = NULL;
        cJSON_ArrayForEach(u, units)
        {
            if (int_of(u, "lane") != lane) { continue; }
            struct buf *arm = phrase(t);
            words_say(arm, "frag.arm_short", "arm", text_of(u, "type"), NULL);
            if (list->len > 0) { buf_append_str(list, ", "); }
            words_say(list, "frag.unit_full", "unit", u->string, "arm_t", buf_str(arm), "cv",
                      words_int(int_of(u, "cv")), NULL);
            t->phrases--; /* the arm's phrase is free again */
        }
        if (list->len == 0) { continue; }
        words_say(t->out, "event.revealed", "town", town_of(t, "battle"), "lane", words_int(lane),
                  "unit_list_t", buf_str(list), NULL);
        end_line(t);
    }
}

static void tell_combat_turn(struct telling *t)
{
    words_say(t->out, "event.combat_turn", "n", words_int(int_of(json_get(t->ev, "ct"), "n")),
              "side_t", side_phrase(t, text_of(t->ev, "side")), NULL);
    end_line(t);
}

static void tell_fired(struct telling *t)
{
    struct buf *hits = phrase(t);
    words_say(hits, "frag.hits", "hits", words_int(int_of(t->ev, "hits")), NULL);
    words_say(t->out, "event.fired", "town", town_of(t, "battle"), "unit", text_of(t->ev, "unit"),
              "target", text_of(t->ev, "target"), "double",
              int_of(t->ev, "hit_on") == 5 ? "true" : "false", "dice_t",
              dice_phrase(t, json_get(t->ev, "dice")), "hits_t", buf_str(hits), "lost",
              words_int(int_of(t->ev, "lost")), NULL);
    end_line(t);
}

static void tell_morale(struct telling *t)
{
    words_say(t->out, "event.morale", "town", town_of(t, "battle"), "unit", text_of(t->ev, "unit"),
              "die", words_int(int_of(t->ev, "die")), "good", bool_of(t->ev, "good"), NULL);
    end_line(t);
}

static void tell_moved(struct telling *t)
{
    char id[64];
    snprintf(id, sizeof id, "event.%.40s", text_of(t->ev, "kind"));
    struct buf *arm = phrase(t);
    struct buf *full = phrase(t);
    words_say(arm, "frag.arm", "arm", text_of(t->ev, "type"), NULL);
    words_say(full, "frag.unit_full", "unit", text_of(t->ev, "unit"), "arm_t", buf_str(arm), "cv",
              words_int(int_of(t->ev, "cv")), NULL);
    long to = int_of(t->ev, "to");
    long from = int_of(t->ev, "from");
    words_say(t->out, id, "town", town_of(t, "battle"), "unit", text_of(t->ev, "unit"),
              "unit_full_t", buf_str(full), "from", words_int(from == 0 ? to : from), "to",
              words_int(to == 0 ? from : to), NULL);
    end_line(t);
}

static void tell_routed(struct telling *t)
{
    words_say(t->out, "event.routed", "town", town_of(t, "battle"), "side_t",
              side_phrase(t, text_of(t->ev, "side")), NULL);
    end_line(t);
    tell_attrition(t, town_of(t, "battle"));
}

static void tell_battle_over(struct telling *t)
{
    const cJSON *survivors = json_get(t->ev, "survivors");
    bool own = survivors != NULL && survivors->child != NULL && survivors->child->string != NULL &&
               strlen(survivors->child->string) > 2;
    words_say(t->out, own ? "event.battle_over.own" : "event.battle_over.enemy", "town",
              town_of(t, "battle"), "side", text_of(t->ev, "winner"), "unit_list_t",
              own ? units_list(t, survivors) : "", "units_of_t",
              own ? "" : counts_phrase(t, survivors), NULL);
    end_line(t);
}

static void tell_reinforced(struct telling *t)
{
    const cJSON *units = json_get(t->ev, "units");
    bool own = cJSON_IsArray(units);
    words_say(t->out, own ? "event.reinforced.own" : "event.reinforced.enemy", "town",
              town_of(t, "battle"), "from", town_of(t, "from"), "unit_list_t",
              own ? units_list(t, units) : "", "units_of_t", own ? "" : counts_phrase(t, units),
              NULL);
    end_line(t);
}

static void tell_supply_due(struct telling *t)
{
    words_say(t->out, "event.supply_due", "units_of_t", counts_phrase(t, json_get(t->ev, "debt")),
              NULL);
    end_line(t);
}

static void tell_supply_removed(struct telling *t)
{
    words_say(t->out, "event.supply_removed", "unit_list_t",
              units_list(t, json_get(t->ev, "units")), NULL);
    end_line(t);
}

static void tell_eliminated(struct telling *t)
{
    struct buf *arm = phrase(t);
    struct buf *place = phrase(t);
    words_say(arm, "frag.arm", "arm", text_of(t->ev, "type"), NULL);
    if (text_of(t->ev, "town")[0] != '\0') {
        buf_append_str(place, town_of(t, "town"));
        buf_append_str(place, ": ");
    }
    words_say(t->out, "event.eliminated", "town", buf_str(place), "unit", text_of(t->ev, "unit"),
              "arm_t", buf_str(arm), "cause", text_of(t->ev, "why"), NULL);
    end_line(t);
}

static void tell_surrendered(struct telling *t)
{
    struct buf *units = phrase(t);
    words_say(units, "frag.units", "n", words_int(int_of(t->ev, "left")), NULL);
    words_say(t->out, "event.surrendered", "side", text_of(t->ev, "nation"), "units_t",
              buf_str(units), NULL);
    end_line(t);
}

static void tell_game_over(struct telling *t)
{
    words_say(t->out, "event.game_over", "winner", text_of(t->ev, "winner"), "why",
              text_of(t->ev, "why"), NULL);
    end_line(t);
}

static void tell_seat(struct telling *t, const char *id)
{
    words_say(t->out, id, "side", text_of(t->ev, "seat"), NULL);
    end_line(t);
}

static void tell_undone(struct telling *t)
{
    tell_seat(t, "event.undone");
}

static void tell_resigned(struct telling *t)
{
    tell_seat(t, "event.resigned");
}

static void tell_left(struct telling *t)
{
    tell_seat(t, "event.left");
}

static void tell_nonce(struct telling *t)
{
    const cJSON *lost = json_get(t->ev, "lost");
    words_say(t->out, "event.nonce", "side", text_of(t->ev, "seat"), "lost",
              cJSON_IsTrue(lost) ? "true" : "false", NULL);
    end_line(t);
}

static void tell_restored(struct telling *t)
{
    tell_seat(t, "event.restored");
}

static void tell_begun(struct telling *t)
{
    tell_seat(t, "event.begun");
}

static void tell_created(struct telling *t)
{
    tell_seat(t, "event.created");
}

static const struct kind {
    const char *ev;
    void (*tell)(struct telling *t);
} kinds[] = {
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
    {"undone", tell_undone},
    {"resigned", tell_resigned},
    {"left", tell_left},
    {"match_ended", tell_match_ended},
    {"nonce", tell_nonce},
    {"restored", tell_restored},
    {"begun", tell_begun},
    {"created", tell_created},
};

void describe_events(struct buf *out, const cJSON *events, const struct board *board)
{
    struct telling t = {.out = out, .board = board};
    for (size_t i = 0; i < 6; i++) {
        buf_init(&t.phrase[i], PHRASE_MAX);
    }
    cJSON_ArrayForEach(t.ev, events)
    {
        const char *ev = text_of(t.ev, "ev");
        size_t k = 0;
        t.phrases = 0;
        while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].ev, ev) != 0) {
            k++;
        }
        if (k < sizeof kinds / sizeof kinds[0]) {
            kinds[k].tell(&t);
        } else {
            words_say(out, "event.unknown", "ev", ev, NULL);
            end_line(&t);
        }
    }
    for (size_t i = 0; i < 6; i++) {
        buf_finish(&t.phrase[i]);
    }
}
