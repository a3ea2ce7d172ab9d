/* client-cli/austerlitz/ask_austerlitz.c: questions of match.ask in words, and their answers in
 * sentences. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/phrases.h"
#include "common/words/words.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static int int_of(const cJSON *object, const char *name)
{
    return (int)json_int(json_get(object, name), 0);
}

static void line(struct buf *out)
{
    buf_append_char(out, '\n');
}

/* ---- questions ---- */

enum { WORDS_MAX = 64, WORD_BYTES = 32 };
struct asking {
    const struct av_view *v;
    char word[WORDS_MAX][WORD_BYTES];
    int words;
    struct buf *out, *why;
    const char *usage;
};

static bool fail(const struct asking *a, const char *id, const char *word)
{
    words_say(a->why, id, "word", word, "usage", a->usage, NULL);
    return false;
}

static const char *word_at(const struct asking *a, int i)
{
    return i < a->words ? a->word[i] : "";
}

static bool key_unit(const struct asking *a, const char *key, const char *word)
{
    char name[HEX_TEXT];
    int unit = av_find(a->v, word);
    if (word[0] == '\0') { return fail(a, "cli.order.usage", ""); }
    if (unit == AV_NONE) { return fail(a, "cli.austerlitz.order.nobody", word); }
    av_name(a->v, unit, name);
    jw_key_str(a->out, key, name);
    return true;
}

static bool key_hex(const struct asking *a, const char *word)
{
    char text[HEX_TEXT];
    unsigned hex = av_find_hex(a->v, word);
    if (word[0] == '\0') { return fail(a, "cli.order.usage", ""); }
    if (hex == HEX_NONE) { return fail(a, "cli.austerlitz.order.no_hex", word); }
    hex_text(&a->v->map->grid, hex, text);
    jw_key_str(a->out, "hex", text);
    return true;
}

static enum av_side side_of_word(const struct asking *a, const char *word)
{
    for (int side = 0; side < 2; side++) {
        if (strcasecmp(word, av_side_ids[side]) == 0 || strcasecmp(word, av_seat_ids[side]) == 0) {
            return (enum av_side)side;
        }
    }
    return a->v->seat;
}

static bool ask_unit(const struct asking *a)
{
    jw_key_str(a->out, "ask", strcasecmp(a->word[0], "reach") == 0 ? "reach" : "retreats");
    return key_unit(a, "unit", word_at(a, 1));
}

/* At an empty hex of a pond the shot would be at its ice (10.2); on dry land it is asked whether a
 * unit that stood there could be bombarded. */
static bool ask_range(const struct asking *a)
{
    unsigned hex = av_find_hex(a->v, word_at(a, 2));
    bool ice = hex != HEX_NONE && a->v->at[hex] == AV_NONE && a->v->map->terrain[hex] == AV_POND;
    jw_key_str(a->out, "ask", ice ? "ice_shot" : "bombard");
    return key_unit(a, "unit", word_at(a, 1)) && key_hex(a, word_at(a, 2));
}

static bool ask_way(const struct asking *a)
{
    jw_key_str(a->out, "ask", "move");
    if (!key_unit(a, "unit", word_at(a, 1))) { return false; }
    int unit = av_find(a->v, a->word[1]);
    struct av_ways *ways = malloc(sizeof *ways);
    struct av_way way = {0};
    for (int i = 2; i < a->words && way.len < AV_WAY_MAX; i++) {
        unsigned hex = av_find_hex(a->v, a->word[i]);
        if (hex == HEX_NONE) {
            free(ways);
            return fail(a, "cli.austerlitz.order.no_hex", a->word[i]);
        }
        way.hex[way.len++] = hex;
    }
    if (way.len == 1 && ways != NULL) { /* the cheapest */
        struct av_way found;
        av_find_ways(a->v, unit, ways);
        if (av_way_to(a->v, ways, unit, way.hex[0], &found)) { way = found; }
    }
    free(ways);
    if (way.len == 0) { return fail(a, "cli.order.usage", ""); }
    jw_key_array(a->out, "path");
    for (int i = 0; i < way.len; i++) {
        char text[HEX_TEXT];
        hex_text(&a->v->map->grid, way.hex[i], text);
        jw_str(a->out, text);
    }
    jw_array_end(a->out);
    return true;
}

static bool ask_control(const struct asking *a)
{
    enum av_side other = a->v->seat == AV_FRENCH ? AV_ALLIED : AV_FRENCH;
    jw_key_str(a->out, "ask", "control");
    jw_key_str(a->out, "side", av_side_ids[a->words > 2 ? side_of_word(a, a->word[2]) : other]);
    return key_hex(a, word_at(a, 1));
}

static bool ask_side(const struct asking *a)
{
    bool obliged = strcasecmp(a->word[0], "obliged") == 0;
    jw_key_str(a->out, "ask", obliged ? "obligations" : "encircled");
    jw_key_str(a->out, "side",
               av_side_ids[a->words > 1 ? side_of_word(a, a->word[1])
                           : obliged    ? a->v->side
                                        : a->v->seat]);
    return true;
}

static bool ask_row(const struct asking *a)
{
    long attack = strtol(word_at(a, 1), NULL, 10), defence = strtol(word_at(a, 2), NULL, 10);
    if (attack < 1 || defence < 1 || attack > 1000 || defence > 1000) {
        return fail(a, "cli.order.usage", "");
    }
    jw_key_str(a->out, "ask", "row");
    jw_key_int(a->out, "attack", attack);
    jw_key_int(a->out, "defence", defence);
    jw_key_str(a->out, "attacker", av_side_ids[a->v->side]);
    return true;
}

static const struct kind {
    const char *word;
    bool (*ask)(const struct asking *a);
} kinds[] = {
    {"reach", ask_unit},      {"retreats", ask_unit}, {"range", ask_range},    {"way", ask_way},
    {"control", ask_control}, {"obliged", ask_side},  {"encircled", ask_side}, {"row", ask_row},
};

bool aus_is_question(const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcasecmp(kinds[i].word, word) == 0) { return true; }
    }
    return strcasecmp(word, "odds") == 0;
}

void aus_write_odds(const struct av_view *v, const struct av_entry *entry, struct buf *out)
{
    if (entry->ice != HEX_NONE) {
        char name[HEX_TEXT] = "?", hex[HEX_TEXT];
        int unit = entry->bombard.count > 0 ? v->at[entry->bombard.hex[0]] : AV_NONE;
        if (unit != AV_NONE) { av_name(v, unit, name); }
        hex_text(&v->map->grid, entry->ice, hex);
        jw_object_begin(out);
        jw_key_str(out, "ask", "ice_shot");
        jw_key_str(out, "unit", name);
        jw_key_str(out, "hex", hex);
        jw_object_end(out);
        return;
    }
    struct buf plan;
    buf_init(&plan, 8192);
    aus_write_entry(v, entry, &plan);
    buf_append_str(out, "{\"ask\":\"odds\",");
    buf_append_str(out, buf_str(&plan) + 1);
    buf_finish(&plan);
}

bool aus_question(const struct face *face, const struct av_view *v, const char *text,
                  struct buf *out_question, struct buf *out_why)
{
    struct asking a = {.v = v, .out = out_question, .why = out_why, .usage = ""};
    const char *at = text;
    while (a.words < WORDS_MAX) {
        at += strspn(at, " \t,");
        size_t len = strcspn(at, " \t,");
        if (len == 0) { break; }
        snprintf(a.word[a.words++], WORD_BYTES, "%.*s",
                 (int)(len < WORD_BYTES ? len : WORD_BYTES - 1), at);
        at += len;
    }
    const struct order_word *w = face_word_find(face, word_at(&a, 0));
    if (w != NULL) { a.usage = face_how(face, w); }
    if (strcasecmp(word_at(&a, 0), "odds") == 0) {
        struct av_entry entry;
        if (!aus_read_entry(face, v, text, &entry, out_why)) { return false; }
        aus_write_odds(v, &entry, out_question);
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcasecmp(kinds[i].word, word_at(&a, 0)) != 0) { continue; }
        jw_object_begin(out_question);
        bool good = kinds[i].ask(&a);
        jw_object_end(out_question);
        return good;
    }
    return fail(&a, "cli.order.unknown", word_at(&a, 0));
}

/* ---- the table (6.5, 6.6, 6.8) ---- */

enum { ROWS = 10 };
static const char *const rows[ROWS] = {"1:5", "1:4", "1:3", "1:2", "1:1",
                                       "2:1", "3:1", "4:1", "5:1", "6:1"};
static const char results[ROWS][6][3] = {
    {"AE", "AE", "AE", "AR", "AR", "AR"}, {"AE", "AE", "AR", "AR", "AR", "AR"},
    {"AE", "AR", "AR", "AR", "AR", "DR"}, {"AE", "AR", "AR", "AR", "DR", "DR"},
    {"AR", "AR", "AR", "EX", "DR", "DR"}, {"AR", "AR", "EX", "DR", "DR", "DR"},
    {"AR", "EX", "DR", "DR", "DR", "DE"}, {"EX", "DR", "DR", "DR", "DE", "DE"},
    {"DR", "DR", "DR", "DE", "DE", "DE"}, {"DR", "DR", "DE", "DE", "DE", "DE"},
};

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static int row_of(const struct av_view *v, int attack, int defence)
{
    int row = attack >= defence ? 4 + attack / (defence < 1 ? 1 : defence) - 1
                                : 4 - ((defence + attack - 1) / (attack < 1 ? 1 : attack) - 1);
    row = clamp(row, 0, ROWS - 1);
    if (v->demoralised != AV_NONE) { row += v->demoralised == (int)v->side ? -1 : 1; }
    return clamp(row, 0, ROWS - 1);
}

/* "3:1: 1 AR, 2 EX, 3–5 DR, 6 DE" */
static void say_row(int row, int modifier, struct buf *out)
{
    struct buf dice;
    char text[32];
    buf_init(&dice, 256);
    for (int from = 1; from <= 6;) {
        const char *result = results[row][clamp(from + modifier, 1, 6) - 1];
        int to = from;
        while (to < 6 && strcmp(results[row][clamp(to + 1 + modifier, 1, 6) - 1], result) == 0) {
            to++;
        }
        const char *comma = from == 1 ? "" : ", ";
        if (from == to) {
            snprintf(text, sizeof text, "%s%d %s", comma, from, result);
        } else {
            snprintf(text, sizeof text, "%s%d–%d %s", comma, from, to, result);
        }
        buf_append_str(&dice, text);
        from = to + 1;
    }
    words_say(out, "cli.austerlitz.ask.row_dice", "row", rows[row], "dice", buf_str(&dice), NULL);
    line(out);
    buf_finish(&dice);
}

/* Bounds of what mute units of a type may print (the order of battle is public). */
static const int least_of[3] = {3, 2, 2}, most_of[3] = {10, 5, 4};

static int total_of(const struct av_view *v, const cJSON *names, bool attacks, int bound)
{
    const cJSON *name = NULL;
    int total = 0;
    cJSON_ArrayForEach(name, names)
    {
        int unit = cJSON_IsString(name) ? av_find(v, name->valuestring) : AV_NONE;
        if (unit == AV_NONE) { continue; }
        struct av_view one = {.map = v->map, .fog = v->fog, .night = v->night};
        one.unit[0] = v->unit[unit];
        if (one.unit[0].potential == 0) {
            one.unit[0].potential = (bound > 0 ? most_of : least_of)[one.unit[0].type];
        }
        total += av_counts(&one, 0, attacks);
    }
    return total;
}

/* What the odds would be for each strength that mute defenders may have. */
static void say_unknown(const struct av_view *v, const cJSON *question, int modifier,
                        struct buf *out)
{
    const cJSON *defenders = json_get(question, "defenders");
    int attack = total_of(v, json_get(question, "contact"), true, 0) +
                 total_of(v, json_get(question, "bombard"), true, 0);
    int least = total_of(v, defenders, false, -1), most = total_of(v, defenders, false, 1);
    words_say(out, "cli.austerlitz.ask.odds_blind", "attack", words_int(attack), "modifier",
              words_int(modifier), NULL);
    line(out);
    for (int from = least; from <= most;) {
        int to = from, row = row_of(v, attack, from);
        char range[32];
        while (to < most && row_of(v, attack, to + 1) == row) {
            to++;
        }
        snprintf(range, sizeof range, from == to ? "%d" : "%d–%d", from, to);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.ask.if", "range", range, NULL);
        buf_append_char(out, ' ');
        say_row(row, modifier, out);
        from = to + 1;
    }
}

/* ---- answers ---- */

static void hexes_of_names(const struct av_view *v, const cJSON *names, struct av_hexes *out)
{
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, names)
    {
        int unit = cJSON_IsString(name) ? av_find(v, name->valuestring) : AV_NONE;
        if (unit != AV_NONE && out->count < AV_LIST_MAX) {
            out->hex[out->count++] = v->unit[unit].hex;
        }
    }
}

static void say_units_line(const struct av_view *v, const char *id, const cJSON *names,
                           struct buf *out)
{
    struct av_hexes hexes = {0};
    struct buf units;
    hexes_of_names(v, names, &hexes);
    buf_init(&units, 8192);
    aus_say_units(v, &hexes, &units);
    words_say(out, id, "units_t", buf_str(&units), NULL);
    line(out);
    buf_finish(&units);
}

static void answer_odds(const struct av_view *v, const cJSON *question, const cJSON *answer,
                        struct buf *out)
{
    const cJSON *no_die = json_get(answer, "no_die");
    if (cJSON_IsTrue(json_get(answer, "ice_shot"))) {
        words_say(out, "cli.austerlitz.ask.ice", NULL);
        line(out);
        return;
    }
    if (cJSON_GetArraySize(no_die) > 0) {
        say_units_line(v, "cli.austerlitz.ask.no_die", no_die, out);
    }
    if (cJSON_GetArraySize(no_die) == cJSON_GetArraySize(json_get(question, "defenders"))) {
        return;
    }
    int modifier = int_of(answer, "modifier"), row = 0;
    if (json_get(answer, "row") == NULL) {
        say_unknown(v, question, modifier, out);
        return;
    }
    while (row < ROWS - 1 && strcmp(rows[row], text_of(answer, "row")) != 0) {
        row++;
    }
    words_say(out, "cli.austerlitz.ask.odds", "attack", words_int(int_of(answer, "attack")),
              "defence", words_int(int_of(answer, "defence")), "odds", text_of(answer, "odds"),
              "modifier", words_int(modifier), NULL);
    buf_append_char(out, ' ');
    say_row(row, modifier, out);
}

void aus_say_rule(const char *rule, struct buf *out)
{
    char id[64];
    snprintf(id, sizeof id, "rule.austerlitz.%.20s", rule);
    words_say(out, "cli.austerlitz.ask.not_allowed", "rule", rule, NULL);
    if (words_text(id) != NULL) {
        buf_append_char(out, ' ');
        words_say(out, id, NULL);
    }
}

static void answer_move(const struct av_view *v, const cJSON *question, const cJSON *answer,
                        struct buf *out)
{
    if (!cJSON_IsTrue(json_get(answer, "legal"))) {
        aus_say_rule(text_of(answer, "rule"), out);
        line(out);
        return;
    }
    struct buf path;
    const cJSON *hex = NULL, *step = json_get(answer, "step_costs");
    step = step == NULL ? NULL : step->child;
    buf_init(&path, 4096);
    cJSON_ArrayForEach(hex, json_get(question, "path"))
    {
        char text[32];
        if (!cJSON_IsString(hex)) { continue; }
        snprintf(text, sizeof text, "%s%.4s (%d)", path.len > 0 ? " → " : "", hex->valuestring,
                 step == NULL ? 0 : (int)json_int(step, 0));
        buf_append_str(&path, text);
        step = step == NULL ? NULL : step->next;
    }
    (void)v;
    words_say(out, "cli.austerlitz.ask.way", "unit", text_of(question, "unit"), "path",
              buf_str(&path), "cost", words_int(int_of(answer, "cost")), "points",
              words_int(int_of(answer, "movement_points")), NULL);
    line(out);
    buf_finish(&path);
}

static void answer_reach(const cJSON *question, const cJSON *answer, struct buf *out)
{
    const cJSON *hexes = json_get(answer, "hexes"), *hex = NULL, *edge = NULL;
    words_say(out, "cli.austerlitz.ask.reach", "unit", text_of(question, "unit"), "n",
              words_int(cJSON_GetArraySize(hexes)), NULL);
    line(out);
    for (int cost = 1; cost <= 9; cost++) {
        struct buf list;
        buf_init(&list, 16384);
        cJSON_ArrayForEach(hex, hexes)
        {
            if (json_int(hex, 0) != cost) { continue; }
            buf_append_char(&list, ' ');
            buf_append_str(&list, av_key(hex));
        }
        if (list.len > 0) {
            buf_append_str(out, "  ");
            words_say(out, "cli.austerlitz.ask.points", "n", words_int(cost), NULL);
            buf_append_str(out, buf_str(&list));
            line(out);
        }
        buf_finish(&list);
    }
    cJSON_ArrayForEach(edge, json_get(answer, "exits"))
    {
        cJSON_ArrayForEach(hex, edge)
        {
            char id[48];
            snprintf(id, sizeof id, "box.austerlitz.%.20s", text_of(hex, "box"));
            words_say(out, "cli.austerlitz.ask.exit", "edge", av_key(edge), "hex", av_key(hex),
                      "cost", words_int(int_of(hex, "cost")), "box_t",
                      words_text(id) == NULL ? "" : words_text(id), NULL);
            line(out);
        }
    }
}

static void answer_retreats(const struct av_view *v, const cJSON *question, const cJSON *answer,
                            struct buf *out)
{
    struct phrase_list list;
    struct buf one, unit;
    const cJSON *hex = NULL, *next = NULL;
    phrase_list_init(&list);
    buf_init(&one, 4096);
    buf_init(&unit, 1024);
    cJSON_ArrayForEach(hex, json_get(answer, "hexes"))
    {
        buf_reset(&one);
        buf_append_str(&one, av_key(hex));
        if (hex->child != NULL) { /* a friend makes room */
            buf_append_str(&one, " (");
            cJSON_ArrayForEach(next, hex)
            {
                buf_append_str(&one, next == hex->child ? "→ " : ", ");
                buf_append_str(&one, av_key(next));
            }
            buf_append_char(&one, ')');
        }
        phrase_list_add(&list, buf_str(&one));
    }
    int which = av_find(v, text_of(question, "unit"));
    if (which != AV_NONE) { aus_say_unit(v, which, &unit); }
    buf_reset(&one);
    phrase_list_say(&list, false, &one);
    words_say(out, "cli.austerlitz.ask.retreats", "unit_t", buf_str(&unit), "n",
              words_int(cJSON_GetArraySize(json_get(answer, "hexes"))), "hexes_t", buf_str(&one),
              NULL);
    line(out);
    phrase_list_finish(&list);
    buf_finish(&one);
    buf_finish(&unit);
}

static void answer_shot(const cJSON *question, const cJSON *answer, struct buf *out)
{
    if (!cJSON_IsTrue(json_get(answer, "legal"))) {
        aus_say_rule(text_of(answer, "rule"), out);
        line(out);
        return;
    }
    words_say(out, "cli.austerlitz.ask.range", "unit", text_of(question, "unit"), "hex",
              text_of(question, "hex"), "n", words_int(int_of(answer, "distance")), "ice",
              strcmp(text_of(question, "ask"), "ice_shot") == 0 ? "true" : "false", NULL);
    line(out);
}

static void answer_control(const struct av_view *v, const cJSON *question, const cJSON *answer,
                           struct buf *out)
{
    struct av_hexes hexes = {0};
    struct buf units;
    hexes_of_names(v, json_get(answer, "by"), &hexes);
    buf_init(&units, 8192);
    aus_say_units(v, &hexes, &units);
    words_say(out, "cli.austerlitz.ask.control", "hex", text_of(question, "hex"), "controlled",
              cJSON_IsTrue(json_get(answer, "controlled")) ? "true" : "false", "units_t",
              buf_str(&units), NULL);
    line(out);
    buf_finish(&units);
}

static void answer_obliged(const struct av_view *v, const cJSON *answer, struct buf *out)
{
    const cJSON *pair = NULL;
    if (cJSON_GetArraySize(json_get(answer, "pairs")) == 0) {
        words_say(out, "cli.austerlitz.ask.nobody_obliged", NULL);
        line(out);
    }
    cJSON_ArrayForEach(pair, json_get(answer, "pairs"))
    {
        struct buf unit, units;
        struct av_hexes hexes = {0};
        int which = av_find(v, av_key(pair));
        buf_init(&unit, 1024);
        buf_init(&units, 8192);
        if (which != AV_NONE) { aus_say_unit(v, which, &unit); }
        hexes_of_names(v, pair, &hexes);
        aus_say_units(v, &hexes, &units);
        words_say(out, "cli.austerlitz.ask.obliged", "unit_t", buf_str(&unit), "units_t",
                  buf_str(&units), NULL);
        line(out);
        buf_finish(&unit);
        buf_finish(&units);
    }
}

void aus_answer(const struct av_view *v, const cJSON *question, const cJSON *answer,
                struct buf *out)
{
    const char *ask = text_of(question, "ask");
    if (strcmp(ask, "odds") == 0) {
        answer_odds(v, question, answer, out);
    } else if (strcmp(ask, "move") == 0) {
        answer_move(v, question, answer, out);
    } else if (strcmp(ask, "reach") == 0) {
        answer_reach(question, answer, out);
    } else if (strcmp(ask, "retreats") == 0) {
        answer_retreats(v, question, answer, out);
    } else if (strcmp(ask, "bombard") == 0 || strcmp(ask, "ice_shot") == 0) {
        answer_shot(question, answer, out);
    } else if (strcmp(ask, "control") == 0) {
        answer_control(v, question, answer, out);
    } else if (strcmp(ask, "obligations") == 0) {
        answer_obliged(v, answer, out);
    } else if (strcmp(ask, "encircled") == 0) {
        say_units_line(v, "cli.austerlitz.ask.encircled", json_get(answer, "hexes"), out);
    } else if (strcmp(ask, "row") == 0) {
        int row = 0;
        while (row < ROWS - 1 && strcmp(rows[row], text_of(answer, "row")) != 0) {
            row++;
        }
        say_row(row, 0, out);
    } else { /* one of the JSON alone */
        char *text = cJSON_PrintUnformatted(answer);
        buf_append_str(out, text == NULL ? "" : text);
        line(out);
        cJSON_free(text);
    }
}
