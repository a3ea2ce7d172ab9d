#include "client-cli/words.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"

enum { ARGS_MAX = 24, NAME_MAX_BYTES = 32 };

const char *words_text(const char *id)
{
    for (const struct word *w = words_table; w->id != NULL; w++) {
        if (strcmp(w->id, id) == 0) { return w->en; }
    }
    return NULL;
}

const char *words_int(long value)
{
    static char texts[8][24];
    static unsigned turn;
    turn = (turn + 1) % 8;
    snprintf(texts[turn], sizeof texts[turn], "%ld", value);
    return texts[turn];
}

static const char *find_arg(const char *const *args, const char *name)
{
    for (size_t i = 0; args[i] != NULL; i += 2) {
        if (strcmp(args[i], name) == 0) { return args[i + 1] == NULL ? "" : args[i + 1]; }
    }
    return "";
}

/* The place after the brace that closes the one at open. */
static const char *after_brace(const char *open)
{
    int depth = 0;
    for (const char *c = open; *c != '\0'; c++) {
        if (*c == '{') { depth++; }
        if (*c == '}' && --depth == 0) { return c + 1; }
    }
    return open + strlen(open);
}

static const char *skip(const char *c)
{
    return c + strspn(c, " ,");
}

static const char *read_name(const char *c, char *out)
{
    c = skip(c);
    size_t n = strcspn(c, " ,{}");
    size_t keep = n < NAME_MAX_BYTES - 1 ? n : NAME_MAX_BYTES - 1;
    memcpy(out, c, keep);
    out[keep] = '\0';
    return c + n;
}

static void format(struct buf *out, const char *from, const char *end, const char *const *args,
                   const char *number);

/* Of the branches "key {text} key {text}" the first that fits the value. */
static void choose(struct buf *out, const char *c, const char *end, bool plural, const char *value,
                   const char *const *args, const char *number)
{
    while (c < end) {
        char key[NAME_MAX_BYTES];
        c = skip(read_name(c, key));
        if (*c != '{') { return; }
        const char *next = after_brace(c);
        bool fits = strcmp(key, "other") == 0 || strcmp(key, value) == 0;
        if (plural && key[0] == '=') { fits = strcmp(key + 1, value) == 0; }
        if (plural && strcmp(key, "one") == 0) { fits = strcmp(value, "1") == 0; }
        if (fits) {
            format(out, c + 1, next - 1, args, plural ? value : number);
            return;
        }
        c = skip(next);
    }
}

static void format(struct buf *out, const char *from, const char *end, const char *const *args,
                   const char *number)
{
    for (const char *c = from; c < end; c++) {
        if (*c == '#' && number != NULL) {
            buf_append_str(out, number);
        } else if (*c == '{') {
            const char *next = after_brace(c);
            char name[NAME_MAX_BYTES], kind[NAME_MAX_BYTES] = "";
            const char *at = read_name(c + 1, name);
            const char *value = find_arg(args, name);
            if (*skip(at) != '}') { at = read_name(at, kind); }
            if (strcmp(kind, "plural") == 0 || strcmp(kind, "select") == 0) {
                choose(out, skip(at), next - 1, kind[0] == 'p', value, args, number);
            } else {
                buf_append_str(out, value);
            }
            c = next - 1;
        } else {
            buf_append_char(out, *c);
        }
    }
}

void words_format(struct buf *out, const char *message, const char *const *args)
{
    format(out, message, message + strlen(message), args, NULL);
}

void words_say(struct buf *out, const char *id, ...)
{
    const char *args[ARGS_MAX + 2] = {0};
    va_list list;
    va_start(list, id);
    for (size_t i = 0; i < ARGS_MAX; i++) {
        args[i] = va_arg(list, const char *);
        if (i % 2 == 0 && args[i] == NULL) { break; }
        if (args[i] == NULL) { args[i] = ""; }
    }
    va_end(list);
    const char *message = words_text(id);
    words_format(out, message == NULL ? id : message, args);
}

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

void words_error(struct buf *out, const cJSON *error)
{
    const cJSON *data = json_get(error, "data");
    const char *kind = text_of(data, "kind");
    const char *message = text_of(error, "message");
    char id[64];
    snprintf(id, sizeof id, "error.%.40s", kind);
    if (words_text(id) == NULL) {
        buf_append_str(out, message[0] != '\0' ? message : "The server refused without a reason.");
        return;
    }
    long ms = number_of(data, "retry_after_ms");
    char reason[1024]; /* a sentence, however the server wrote it */
    snprintf(reason, sizeof reason, "%s", message);
    if (reason[0] >= 'a' && reason[0] <= 'z') { reason[0] = (char)(reason[0] - 'a' + 'A'); }
    size_t n = strlen(reason);
    if (n > 0 && n + 1 < sizeof reason && strchr(".!?", reason[n - 1]) == NULL) {
        reason[n] = '.';
        reason[n + 1] = '\0';
    }
    words_say(out, id, "rule", text_of(data, "rule"), "member", text_of(data, "member"), "reason_t",
              reason, "reason", text_of(data, "reason"), "seconds", words_int((ms + 999) / 1000),
              "method", text_of(data, "method"), NULL);
}
