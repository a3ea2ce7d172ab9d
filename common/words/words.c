#include "common/words/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"

enum { ARGS_MAX = 32 };

/* ---- the language ---- */

/* Sentences are made of phrases, deep down: what is spoken is the thread's. */
static _Thread_local const struct words_table *spoken;

static const struct words_table *table_of(const char *language)
{
    size_t n = strcspn(language, "_-.@");
    for (const struct words_table *t = words_tables; t->language != NULL; t++) {
        if (strlen(t->language) == n && strncmp(t->language, language, n) == 0) { return t; }
    }
    return NULL;
}

bool words_set_language(const char *language)
{
    const struct words_table *table = table_of(language);
    if (table != NULL) { spoken = table; }
    return table != NULL;
}

const char *words_language(void)
{
    return spoken == NULL ? "en" : spoken->language;
}

static const char *find(const struct words_table *table, const char *id)
{
    size_t low = 0;
    size_t high = table == NULL ? 0 : table->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(id, table->word[middle].id);
        if (order == 0) { return table->word[middle].text; }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

const char *words_text(const char *id)
{
    const char *text = find(spoken, id);
    return text != NULL ? text : find(table_of("en"), id);
}

/* ---- messages ---- */

const char *words_int(long value)
{
    static _Thread_local char texts[8][24];
    static _Thread_local unsigned turn;
    turn = (turn + 1) % 8;
    snprintf(texts[turn], sizeof texts[turn], "%ld", value);
    return texts[turn];
}

/* Whether the message is a phrase, which stands within a sentence (schema/words/README.md). */
static bool is_phrase(const char *id)
{
    static const char *const parts[] = {"number.", "list.",  "way",   "units.",
                                        "unit.",   "place.", "side.", "arm."};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strncmp(id, parts[i], strlen(parts[i])) == 0) { return true; }
    }
    return false;
}

static void say(struct buf *out, const char *id, bool head, va_list list)
{
    const char *args[ARGS_MAX + 2] = {0};
    for (size_t i = 0; i < ARGS_MAX; i++) {
        args[i] = va_arg(list, const char *);
        if (i % 2 == 0 && args[i] == NULL) { break; }
        if (args[i] == NULL) { args[i] = ""; }
    }
    const char *message = words_text(id);
    words_format(out, message == NULL ? id : message, args, head);
}

void words_say(struct buf *out, const char *id, ...)
{
    va_list list;
    va_start(list, id);
    say(out, id, !is_phrase(id), list);
    va_end(list);
}

void words_say_within(struct buf *out, const char *id, ...)
{
    va_list list;
    va_start(list, id);
    say(out, id, false, list);
    va_end(list);
}

/* ---- refusals ---- */

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static long number_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e9
               ? (long)item->valuedouble
               : 0;
}

/* The reason of a game's rule: each has a number of its own kind, the first game's stand alone. */
static void say_rule(struct buf *out, const char *game, const char *rule)
{
    char id[128];
    snprintf(id, sizeof id, "rule.%.40s.%.40s", game, rule);
    const char *reason = words_text(id);
    if (reason == NULL) {
        snprintf(id, sizeof id, "rule.%.40s", rule);
        reason = words_text(id);
    }
    if (reason == NULL) { reason = words_text("rule.unknown"); }
    words_say(out, "cli.refused", "rule", rule, "reason_t", reason, NULL);
}

void words_error(struct buf *out, const cJSON *error)
{
    words_refusal(out, error, "");
}

void words_refusal(struct buf *out, const cJSON *error, const char *game)
{
    const cJSON *data = json_get(error, "data");
    const char *kind = text_of(data, "kind");
    const char *message = text_of(error, "message");
    const char *rule = text_of(data, "rule");
    char id[64];
    snprintf(id, sizeof id, "error.%.40s", kind);
    if (strcmp(kind, "illegal_action") == 0) {
        say_rule(out, game, rule);
    } else if (words_text(id) == NULL && message[0] != '\0') {
        buf_append_str(out, message);
    } else if (words_text(id) == NULL) {
        words_say(out, "cli.refused_plainly", NULL);
    } else {
        long ms = number_of(data, "retry_after_ms");
        words_say(out, id, "member", text_of(data, "member"), "reason", text_of(data, "reason"),
                  "seconds", words_int((ms + 999) / 1000), NULL);
    }
}

/* ---- cells ---- */

int words_char_width(wchar_t ch)
{
    unsigned c = (unsigned)ch;
    bool wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) ||
                (c >= 0x3041 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
                (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
                (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) ||
                (c >= 0x20000 && c <= 0x3fffd);
    bool none = (c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f) || c == 0xfeff;
    return none ? 0 : wide ? 2 : 1;
}

int words_width(const char *text)
{
    int cells = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        int more = c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : c[0] >= 0xc0 ? 1 : 0;
        unsigned ch = more == 0 ? c[0] : c[0] & (0x3fU >> more);
        for (c++; more > 0 && (*c & 0xc0) == 0x80; more--, c++) {
            ch = ch << 6 | (*c & 0x3fU);
        }
        cells += words_char_width((wchar_t)ch);
    }
    return cells;
}
