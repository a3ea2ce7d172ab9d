/* common/record/record.c: a record is cut into lines, and each is read. */
#include "common/record/record.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/dice/dice.h"

/* The key line must be what line_write_key writes. */
static enum err read_key_line(const char *text, size_t len, struct record *record, struct why *why)
{
    cJSON *json = NULL;
    struct buf again;
    buf_init(&again, len + 1);
    const char *key = "", *head = "", *marks = "";
    const size_t marks_len = record->count * MARK_CHARS;
    enum err err = json_parse(text, len, &json);
    if (err != ERR_OK) {
        err = why_text(why, ERR_INVALID_PARAMS, "The last line is no JSON.");
        goto out;
    }
    err = json_read_str(json, "!key", 64, &key, why);
    if (err == ERR_OK) { err = json_read_str(json, "!head", 64, &head, why); }
    if (err == ERR_OK) { err = json_read_str(json, "!marks", len, &marks, why); }
    if (err != ERR_OK) { goto out; }
    if (!b64_decode(key, record->secret.bytes, HASH_BYTES) ||
        !b64_decode(head, record->head.bytes, HASH_BYTES) || strlen(marks) != marks_len) {
        err = why_text(why, ERR_INVALID_PARAMS,
                       "The last line must hold a key, a head and a mark for each line.");
        goto out;
    }
    line_write_key(&again, &record->secret, &record->head, marks);
    if (again.failed || again.len != len || memcmp(again.data, text, len) != 0) {
        err = why_text(why, ERR_INVALID_PARAMS, "The last line is not written as it must be.");
        goto out;
    }
    record->marks = strdup(marks);
    if (record->marks == NULL) { err = ERR_INTERNAL; }
out:
    buf_finish(&again);
    cJSON_Delete(json);
    return err;
}

/* All lines of the log, from text[0..len-1] in which each is ended by '\n'. */
static enum err read_lines(const char *text, size_t len, struct record *record, uint64_t *out_line,
                           struct why *why)
{
    const char *at = text;
    for (size_t i = 0; at < text + len; i++) {
        const char *end = memchr(at, '\n', (size_t)(text + len - at));
        struct line *line = &record->lines[i];
        *out_line = i;
        enum err err = line_read(at, (size_t)(end - at), line, why);
        if (err != ERR_OK) { return err == ERR_INTERNAL ? err : ERR_INVALID_PARAMS; }
        record->count = i + 1;
        if ((i == 0) != (line->kind == LINE_HEADER) || line->n != i) {
            return why_text(why, ERR_INVALID_PARAMS,
                            i == 0 ? "The first line is no header."
                                   : "The number of the line does not follow.");
        }
        at = end + 1;
    }
    return ERR_OK;
}

/* heads[i] of all lines, with S as the record has it. */
static enum err make_heads(const char *text, size_t len, struct record *record)
{
    static const struct hash nothing = {{0}};
    record->heads = calloc(record->count, sizeof *record->heads);
    if (record->heads == NULL) { return ERR_INTERNAL; }
    const char *match = record->lines[0].header.match;
    const char *at = text;
    for (size_t i = 0; i < record->count; i++) {
        const char *end = memchr(at, '\n', (size_t)(text + len - at));
        line_head(match, &record->secret, i, i == 0 ? &nothing : &record->heads[i - 1], at,
                  (size_t)(end - at), &record->heads[i]);
        at = end + 1;
    }
    return ERR_OK;
}

enum err record_read(const char *text, size_t len, struct record *out_record, uint64_t *out_line,
                     struct why *out_why)
{
    size_t ends = 0;
    for (size_t i = 0; i < len; i++) {
        ends += text[i] == '\n' ? 1 : 0;
    }
    memset(out_record, 0, sizeof *out_record);
    *out_line = 0;
    const char *last = text;
    for (size_t i = 0; i + 1 < len; i++) {
        if (text[i] == '\n') { last = text + i + 1; }
    }
    out_record->lines = calloc(ends + 1, sizeof *out_record->lines);
    if (out_record->lines == NULL) { return ERR_INTERNAL; }
    enum err err = read_lines(text, (size_t)(last - text), out_record, out_line, out_why);
    if (err == ERR_OK && out_record->count == 0) {
        err = why_text(out_why, ERR_INVALID_PARAMS, "This is no record.");
    }
    if (err == ERR_OK) {
        *out_line = out_record->count;
        if (len == 0 || text[len - 1] != '\n') {
            err = why_text(out_why, ERR_INVALID_PARAMS, "The last line is not ended.");
        } else {
            err = read_key_line(last, (size_t)(text + len - 1 - last), out_record, out_why);
        }
    }
    if (err == ERR_OK) { err = make_heads(text, len, out_record); }
    if (err != ERR_OK) { record_finish(out_record); }
    return err;
}

void record_finish(struct record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        line_finish(&record->lines[i]);
    }
    free(record->lines);
    free(record->heads);
    free(record->marks);
    memset(record, 0, sizeof *record);
}

int record_seat(const struct record *record, const char *code)
{
    const struct line_header *header = &record->lines[0].header;
    for (unsigned i = 0; code != NULL && i < header->seats; i++) {
        if (strcmp(header->codes[i], code) == 0) { return (int)i; }
    }
    return -1;
}

enum record_nonce record_nonce(const struct record *record, unsigned seat, struct hash *out_nonce)
{
    if (record->lines[0].header.nonces[seat] == NULL) { return NONCE_WAIVED; }
    for (size_t i = 1; i < record->count; i++) {
        const struct line *line = &record->lines[i];
        if (line->kind != LINE_NONCE || record_seat(record, line->seat) != (int)seat) { continue; }
        if (line->lost) { return NONCE_LOST; }
        *out_nonce = line->nonce;
        return NONCE_OPENED;
    }
    return NONCE_KEPT;
}

void record_dice_key(const struct record *record, struct hash *out_key)
{
    const struct line_header *header = &record->lines[0].header;
    struct hash nonces[LINE_SEATS_MAX];
    const struct hash *opened[LINE_SEATS_MAX] = {NULL};
    for (unsigned i = 0; i < header->seats; i++) {
        if (record_nonce(record, i, &nonces[i]) == NONCE_OPENED) { opened[i] = &nonces[i]; }
    }
    dice_key(header->match, &record->secret, header->seats, header->codes, opened, out_key);
}
