/* client-cli/waterloo/standing_text.c: see standing_text.h.
 *
 *   order    = when ":" what
 *   when     = ("attacked" | "defending") {"in" towns | "by" count | "own" count | "odds" N:M}
 *            | ("pursued" | "routed") ["in" towns] | "supply" | "forced"
 *   what     = ("fight" | "deploy") {place units | "rest" (place | "spread" | "ask")}
 *            | ("retreat" | "flee") {"to" towns | UNIT "via" towns["!"] | "else" ("any" | "ask")}
 *            | ("losses" | "remove") [units] ["unsparing"] ["else" ("any" | "ask")] | "only"
 *   place    = "left" | "centre" | "right" | "reserve"     count = N | N+ | N-M | -M
 */
#include "client-cli/waterloo/standing_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

enum { WORDS_MAX = 128, LINE_MAX_BYTES = 4096, PLACES = 4 };

static const char *const place_words[PLACES] = {"left", "centre", "right", "reserve"};
static const char *const place_keys[PLACES] = {"1", "2", "3", "reserve"};

/* ---- writing ---- */

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static void print_list(struct buf *out, const cJSON *list)
{
    const cJSON *item = NULL;
    const char *comma = "";
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsString(item)) { continue; }
        buf_append_str(out, comma);
        buf_append_str(out, item->valuestring);
        comma = ",";
    }
}

static void print_named_list(struct buf *out, const char *word, const cJSON *list)
{
    if (cJSON_GetArraySize(list) == 0) { return; }
    buf_append_str(out, " ");
    buf_append_str(out, word);
    buf_append_str(out, " ");
    print_list(out, list);
}

static void print_count(struct buf *out, const char *word, const cJSON *count)
{
    const cJSON *min = json_get(count, "min"), *max = json_get(count, "max");
    long least = (long)json_int(min, 0), most = (long)json_int(max, 0);
    if (min == NULL && max == NULL) { return; }
    buf_append_str(out, " ");
    buf_append_str(out, word);
    buf_append_str(out, " ");
    if (min != NULL) { buf_append_str(out, words_int(least)); }
    if (max == NULL) {
        buf_append_str(out, "+");
    } else if (min == NULL || least != most) {
        buf_append_str(out, "-");
        buf_append_str(out, words_int(most));
    }
}

static void print_when(struct buf *out, const cJSON *when)
{
    const cJSON *ratio = json_get(when, "ratio");
    buf_append_str(out, text_of(when, "is"));
    print_named_list(out, "in", json_get(when, "in"));
    print_count(out, "by", json_get(when, "by"));
    print_count(out, "own", json_get(when, "own"));
    if (cJSON_GetArraySize(ratio) == 2) {
        buf_append_str(out, " odds ");
        buf_append_str(out, words_int((long)json_int(ratio->child, 0)));
        buf_append_str(out, ":");
        buf_append_str(out, words_int((long)json_int(ratio->child->next, 0)));
    }
}

static const char *what_word(const cJSON *what)
{
    const char *does = text_of(what, "do");
    if (strcmp(does, "respond") == 0) { return text_of(what, "choice"); }
    return strcmp(does, "allot") == 0 ? "losses" : strcmp(does, "rout_routes") == 0 ? "flee" : does;
}

static const char *place_word(const char *key)
{
    for (int i = 0; i < PLACES; i++) {
        if (strcmp(key, place_keys[i]) == 0) { return place_words[i]; }
    }
    return key;
}

static void print_what(struct buf *out, const cJSON *what)
{
    const cJSON *item = NULL;
    buf_append_str(out, what_word(what));
    cJSON_ArrayForEach(item, json_get(what, "columns"))
    {
        print_named_list(out, place_word(item->string), item);
    }
    if (text_of(what, "rest")[0] != '\0') {
        buf_append_str(out, " rest ");
        buf_append_str(out, place_word(text_of(what, "rest")));
    }
    print_named_list(out, "to", json_get(what, "to"));
    cJSON_ArrayForEach(item, json_get(what, "routes"))
    {
        buf_append_str(out, " ");
        buf_append_str(out, text_of(item, "unit"));
        print_named_list(out, "via", json_get(item, "path"));
        if (cJSON_IsTrue(json_get(item, "forced"))) { buf_append_str(out, "!"); }
    }
    if (json_get(what, "units") != NULL) {
        buf_append_str(out, " ");
        print_list(out, json_get(what, "units"));
    }
    if (cJSON_IsFalse(json_get(what, "spare"))) { buf_append_str(out, " unsparing"); }
    if (text_of(what, "else")[0] != '\0') {
        buf_append_str(out, " else ");
        buf_append_str(out, text_of(what, "else"));
    }
}

void standing_print(struct buf *out, const struct board *board, const cJSON *order)
{
    (void)board;
    print_when(out, json_get(order, "when"));
    buf_append_str(out, " : ");
    print_what(out, json_get(order, "do"));
}

/* ---- reading ---- */

struct reading {
    const struct board *board;
    struct buf *why;
    char *word[WORDS_MAX];
    int words, at;
    bool failed;
};

/* Says what was not understood, once. */
static void fail(struct reading *r, const char *id, const char *word)
{
    if (!r->failed) { words_say(r->why, id, "word", word, NULL); }
    r->failed = true;
}

static const char *peek(const struct reading *r)
{
    return r->at < r->words ? r->word[r->at] : "";
}

static const char *next(struct reading *r)
{
    if (r->at >= r->words) {
        fail(r, "cli.standing.more", r->words > 0 ? r->word[r->words - 1] : "");
        return "";
    }
    return r->word[r->at++];
}

static bool take(struct reading *r, const char *word)
{
    bool is = r->at < r->words && strcasecmp(r->word[r->at], word) == 0;
    if (is) { r->at++; }
    return is;
}

static bool is_unit(const char *word)
{
    return strlen(word) == 4 && word[2] == '-' && isalpha((unsigned char)word[0]) &&
           isalpha((unsigned char)word[1]) && isalpha((unsigned char)word[3]);
}

static void write_unit(struct reading *r, const char *word, struct buf *out)
{
    char unit[5];
    if (!is_unit(word)) {
        fail(r, "cli.standing.unit", word);
        return;
    }
    for (int i = 0; i < 5; i++) {
        unit[i] = (char)toupper((unsigned char)word[i]);
    }
    jw_str(out, unit);
}

static void write_town(struct reading *r, const char *word, struct buf *out)
{
    char both[2 * BOARD_TOWN_NAME_MAX];
    snprintf(both, sizeof both, "%s %s", word, peek(r)); /* "Quatre Bras", as the map has it */
    int town = r->at < r->words ? board_town(r->board, both) : BOARD_NONE;
    if (town != BOARD_NONE) {
        r->at++;
    } else {
        town = board_town(r->board, word);
    }
    if (town == BOARD_NONE) {
        fail(r, "cli.standing.town", word);
        return;
    }
    jw_str(out, r->board->town[town].id);
}

/* A list with commas as an array under that name. out_forced (NULL: not asked): a "!" ends it. */
static void write_list(struct reading *r, const char *key, bool towns, bool *out_forced,
                       struct buf *out)
{
    char text[512];
    snprintf(text, sizeof text, "%s", next(r));
    size_t n = strlen(text);
    bool forced = n > 0 && text[n - 1] == '!';
    if (forced && out_forced != NULL) { text[n - 1] = '\0'; }
    if (out_forced != NULL) { *out_forced = forced; }
    if (key != NULL) {
        jw_key_array(out, key);
    } else {
        jw_array_begin(out);
    }
    for (char *save = NULL, *item = strtok_r(text, ",", &save); item != NULL;
         item = strtok_r(NULL, ",", &save)) {
        if (towns) {
            write_town(r, item, out);
        } else {
            write_unit(r, item, out);
        }
    }
    jw_array_end(out);
}

static void write_count(struct reading *r, const char *key, struct buf *out)
{
    const char *word = next(r);
    long min = -1, max = -1;
    char *end = NULL;
    if (word[0] != '-') {
        min = strtol(word, &end, 10);
        if (end == word) { fail(r, "cli.standing.count", word); }
    }
    const char *rest = word[0] == '-' ? word : end;
    if (strcmp(rest, "") == 0) {
        max = min;
    } else if (rest[0] == '-' && rest[1] != '\0') {
        max = strtol(rest + 1, &end, 10);
        if (end == rest + 1 || *end != '\0') { fail(r, "cli.standing.count", word); }
    } else if (strcmp(rest, "+") != 0) {
        fail(r, "cli.standing.count", word);
    }
    jw_key_object(out, key);
    if (min >= 0) { jw_key_int(out, "min", min); }
    if (max >= 0) { jw_key_int(out, "max", max); }
    jw_object_end(out);
}

static void write_odds(struct reading *r, struct buf *out)
{
    const char *word = next(r);
    int by = 0, own = 0;
    char rest = '\0';
    if (sscanf(word, "%d:%d%c", &by, &own, &rest) != 2) { fail(r, "cli.standing.odds", word); }
    jw_key_array(out, "ratio");
    jw_int(out, by);
    jw_int(out, own);
    jw_array_end(out);
}

static void read_when(struct reading *r, struct buf *out)
{
    static const char *const kinds[] = {"attacked", "defending", "pursued",
                                        "routed",   "supply",    "forced"};
    const char *is = next(r);
    bool known = false;
    jw_key_object(out, "when");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcasecmp(is, kinds[i]) != 0) { continue; }
        jw_key_str(out, "is", kinds[i]);
        known = true;
    }
    if (!known) { fail(r, "cli.standing.when", is); }
    while (!r->failed && !take(r, ":")) {
        if (take(r, "in")) {
            write_list(r, "in", true, NULL, out);
        } else if (take(r, "by")) {
            write_count(r, "by", out);
        } else if (take(r, "own")) {
            write_count(r, "own", out);
        } else if (take(r, "odds")) {
            write_odds(r, out);
        } else {
            fail(r, r->at < r->words ? "cli.standing.clause" : "cli.standing.more",
                 r->at < r->words ? peek(r) : is);
        }
    }
    jw_object_end(out);
}

static int place_of(const char *word)
{
    for (int i = 0; i < PLACES; i++) {
        if (strcasecmp(word, place_words[i]) == 0 || strcmp(word, place_keys[i]) == 0) { return i; }
    }
    return -1;
}

static void read_deployment(struct reading *r, struct buf *out)
{
    struct buf columns;
    const char *rest = NULL;
    buf_init(&columns, LINE_MAX_BYTES);
    while (!r->failed && r->at < r->words) {
        const char *word = next(r);
        int place = place_of(word);
        if (strcasecmp(word, "rest") == 0) {
            rest = next(r);
            place = place_of(rest);
            if (place >= 0) { rest = place_keys[place]; }
        } else if (place >= 0) {
            struct buf list;
            buf_init(&list, LINE_MAX_BYTES);
            write_list(r, NULL, false, NULL, &list);
            if (columns.len > 0) { buf_append_char(&columns, ','); }
            buf_append_char(&columns, '"');
            buf_append_str(&columns, place_keys[place]);
            buf_append_str(&columns, "\":");
            buf_append(&columns, buf_str(&list), list.len);
            buf_finish(&list);
        } else {
            fail(r, "cli.standing.clause", word);
        }
    }
    if (columns.len > 0) {
        buf_append_char(&columns, '}');
        struct buf whole;
        buf_init(&whole, LINE_MAX_BYTES);
        buf_append_char(&whole, '{');
        buf_append(&whole, buf_str(&columns), columns.len);
        jw_key_raw(out, "columns", buf_str(&whole), whole.len);
        buf_finish(&whole);
    }
    if (rest != NULL) { jw_key_str(out, "rest", rest); }
    buf_finish(&columns);
}

static void read_routes(struct reading *r, struct buf *out)
{
    struct buf routes;
    const char *otherwise = NULL;
    buf_init(&routes, LINE_MAX_BYTES);
    while (!r->failed && r->at < r->words) {
        if (take(r, "to")) {
            write_list(r, "to", true, NULL, out);
        } else if (take(r, "else")) {
            otherwise = next(r);
        } else if (is_unit(peek(r))) {
            bool forced = false;
            const char *unit = next(r);
            if (!take(r, "via")) { fail(r, "cli.standing.via", unit); }
            if (routes.len > 0) { buf_append_char(&routes, ','); }
            struct buf one;
            buf_init(&one, LINE_MAX_BYTES);
            jw_object_begin(&one);
            jw_key(&one, "unit");
            write_unit(r, unit, &one);
            write_list(r, "path", true, &forced, &one);
            if (forced) { jw_key_bool(&one, "forced", true); }
            jw_object_end(&one);
            buf_append(&routes, buf_str(&one), one.len);
            buf_finish(&one);
        } else {
            fail(r, "cli.standing.clause", peek(r));
        }
    }
    if (routes.len > 0) {
        struct buf whole;
        buf_init(&whole, LINE_MAX_BYTES * 2);
        buf_append_char(&whole, '[');
        buf_append(&whole, buf_str(&routes), routes.len);
        buf_append_char(&whole, ']');
        jw_key_raw(out, "routes", buf_str(&whole), whole.len);
        buf_finish(&whole);
    }
    if (otherwise != NULL) { jw_key_str(out, "else", otherwise); }
    buf_finish(&routes);
}

static void read_units(struct reading *r, struct buf *out)
{
    while (!r->failed && r->at < r->words) {
        if (take(r, "unsparing")) {
            jw_key_bool(out, "spare", false);
        } else if (take(r, "else")) {
            jw_key_str(out, "else", next(r));
        } else {
            write_list(r, "units", false, NULL, out);
        }
    }
}

static void read_what(struct reading *r, struct buf *out)
{
    const char *word = next(r);
    jw_key_object(out, "do");
    if (strcasecmp(word, "fight") == 0) {
        jw_key_str(out, "do", "respond");
        jw_key_str(out, "choice", "fight");
        read_deployment(r, out);
    } else if (strcasecmp(word, "retreat") == 0) {
        jw_key_str(out, "do", "respond");
        jw_key_str(out, "choice", "retreat");
        read_routes(r, out);
    } else if (strcasecmp(word, "deploy") == 0) {
        jw_key_str(out, "do", "deploy");
        read_deployment(r, out);
    } else if (strcasecmp(word, "flee") == 0) {
        jw_key_str(out, "do", "rout_routes");
        read_routes(r, out);
    } else if (strcasecmp(word, "losses") == 0) {
        jw_key_str(out, "do", "allot");
        read_units(r, out);
    } else if (strcasecmp(word, "remove") == 0) {
        jw_key_str(out, "do", "remove");
        read_units(r, out);
    } else if (strcasecmp(word, "only") == 0) {
        jw_key_str(out, "do", "only");
        if (r->at < r->words) { fail(r, "cli.standing.clause", peek(r)); }
    } else {
        fail(r, "cli.standing.what", word);
    }
    jw_object_end(out);
}

bool standing_parse(const struct board *board, const char *line, struct buf *out_json,
                    struct buf *out_why)
{
    char text[LINE_MAX_BYTES];
    struct reading r = {.board = board, .why = out_why};
    struct buf json;
    size_t n = 0;
    buf_init(&json, (size_t)LINE_MAX_BYTES * 4);
    for (const char *c = line; *c != '\0' && n + 3 < sizeof text; c++) { /* ":" is a word */
        bool apart = *c == ':' &&
                     !(c > line && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1]));
        if (apart) { text[n++] = ' '; }
        text[n++] = *c;
        if (apart) { text[n++] = ' '; }
    }
    text[n] = '\0';
    for (char *save = NULL, *word = strtok_r(text, " \t", &save);
         word != NULL && r.words < WORDS_MAX; word = strtok_r(NULL, " \t", &save)) {
        r.word[r.words++] = word;
    }
    jw_object_begin(&json);
    read_when(&r, &json);
    if (!r.failed) { read_what(&r, &json); }
    jw_object_end(&json);
    if (!r.failed) { buf_append(out_json, buf_str(&json), json.len); }
    buf_finish(&json);
    return !r.failed;
}
