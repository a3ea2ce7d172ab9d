/* server/match/courier_link.c: links that end mails (RFC 8058): signed, good once, for ninety days;
 * and the pages that they lead to. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"
#include "server/match/courier_inside.h"
#include "server/store/accounts.h"
#include "server/store/store.h"

enum {
    LINK_MAC_BYTES = 16,
    LINK_BODY_BYTES = ACCOUNT_ID_CHARS + MATCH_ID_CHARS + 4 + 8,
    LINK_BYTES = LINK_BODY_BYTES + LINK_MAC_BYTES,
    LINK_DAYS = 90,
    PAGE_BYTES_MAX = 8192
};
static_assert((LINK_BYTES * 4 + 2) / 3 <= COURIER_LINK_CHARS, "a link fits");

/* account, match or zeros, hours since 1970, eight random bytes; then their MAC. */
struct link {
    struct account_id account;
    struct match_id match; /* "": all mails */
    int64_t hours;
    struct hash hash; /* by which its use is remembered */
};

static void sign(const struct courier *courier, const uint8_t body[LINK_BODY_BYTES],
                 struct hash *out)
{
    struct hasher hasher;
    struct hash key;
    memcpy(key.bytes, courier->config.key, HASH_BYTES);
    hasher_begin(&hasher, &key, "vedette1 unsubscribe");
    hasher_part(&hasher, body, LINK_BODY_BYTES);
    hasher_end(&hasher, out);
}

void courier_make_link(const struct courier *courier, const struct account_id *account,
                       const struct match_id *match, int64_t now, char out[COURIER_LINK_CHARS + 1])
{
    uint8_t bytes[LINK_BYTES] = {0};
    struct hash mac;
    const uint32_t hours = (uint32_t)(now / 3600000);
    uint8_t *at = bytes;
    memcpy(at, account->text, ACCOUNT_ID_CHARS);
    at += ACCOUNT_ID_CHARS;
    if (match != NULL) { memcpy(at, match->text, MATCH_ID_CHARS); }
    at += MATCH_ID_CHARS;
    for (unsigned i = 0; i < 4; i++) {
        *at++ = (uint8_t)(hours >> (24 - 8 * i));
    }
    randombytes_buf(at, 8);
    sign(courier, bytes, &mac);
    memcpy(bytes + LINK_BODY_BYTES, mac.bytes, LINK_MAC_BYTES);
    b64_encode(out, bytes, sizeof bytes);
}

/* False: not one of ours, or too old. */
static bool read_link(const struct courier *courier, const char *text, int64_t now,
                      struct link *out)
{
    uint8_t bytes[LINK_BYTES];
    struct hash mac;
    memset(out, 0, sizeof *out);
    if (!b64_decode(text, bytes, sizeof bytes)) { return false; }
    sign(courier, bytes, &mac);
    if (sodium_memcmp(bytes + LINK_BODY_BYTES, mac.bytes, LINK_MAC_BYTES) != 0) { return false; }
    const uint8_t *at = bytes;
    memcpy(out->account.text, at, ACCOUNT_ID_CHARS);
    at += ACCOUNT_ID_CHARS;
    memcpy(out->match.text, at, MATCH_ID_CHARS);
    at += MATCH_ID_CHARS;
    for (unsigned i = 0; i < 4; i++) {
        out->hours = out->hours << 8 | *at++;
    }
    out->hash = mac;
    return now / 3600000 - out->hours <= LINK_DAYS * 24;
}

/* --- ending mails ----------------------------------------------------------------------------- */

struct leaving {
    struct courier *courier;
    struct link link;
    bool known, act, used;
    int64_t now;
    char *settings; /* of the account, for its language */
    courier_page_fn *done;
    void *ctx;
};

static void leaving_free(void *data)
{
    struct leaving *leaving = data;
    free(leaving->settings);
    free(leaving);
}

/* {"notices":{"mail":false}} put into the settings. */
static enum err end_all(struct db *db, const struct leaving *leaving)
{
    cJSON *old = NULL, *given = NULL;
    struct buf out;
    static const char no_mail[] = "{\"mail\":false}";
    buf_init(&out, 65536);
    enum err err = json_parse(leaving->settings, strlen(leaving->settings), &old);
    if (err == ERR_OK) { err = json_parse(no_mail, sizeof no_mail - 1, &given); }
    if (err == ERR_OK) {
        bool put = false;
        jw_object_begin(&out);
        for (const cJSON *i = old->child; i != NULL || !put; i = i == NULL ? NULL : i->next) {
            const int order = i == NULL ? 1 : strcmp(i->string, "notices");
            if (!put && order >= 0) {
                jw_key(&out, "notices");
                wants_merge(&out, json_get(old, "notices"), given);
                put = true;
            }
            if (i == NULL) { break; }
            if (order == 0) { continue; }
            jw_key(&out, i->string);
            jw_value(&out, i);
        }
        jw_object_end(&out);
        err = out.failed ? ERR_INTERNAL
                         : accounts_update_settings(db, &leaving->link.account, buf_str(&out));
    }
    cJSON_Delete(old);
    cJSON_Delete(given);
    buf_finish(&out);
    return err;
}

static enum err end_match(struct db *db, const struct leaving *leaving)
{
    struct match_row row;
    char *text = NULL;
    cJSON *old = NULL, *given = NULL;
    struct buf out;
    enum err err = matches_read_row(db, &leaving->link.match, false, &row);
    if (err != ERR_OK) { return err == ERR_NOT_FOUND ? ERR_OK : err; }
    buf_init(&out, 8192);
    err = outbox_read_override(db, row.key, &leaving->link.account, &text);
    if (err == ERR_OK) { err = json_parse(text, strlen(text), &old); }
    if (err == ERR_NOT_FOUND) { err = ERR_OK; }
    if (err == ERR_OK) { err = json_parse("{\"mail\":false}", 14, &given); }
    if (err == ERR_OK) {
        wants_merge_match(&out, old, given);
        err = outbox_write_override(db, row.key, &leaving->link.account, buf_str(&out));
    }
    match_row_finish(&row);
    free(text);
    cJSON_Delete(old);
    cJSON_Delete(given);
    buf_finish(&out);
    return err;
}

static enum err op_leave(struct db *db, void *data)
{
    struct leaving *leaving = data;
    struct notice_account account;
    free(leaving->settings);
    leaving->settings = NULL;
    leaving->used = false;
    enum err err = notices_read_account(db, &leaving->link.account, &account);
    if (err == ERR_NOT_FOUND) {
        leaving->known = false;
        return ERR_OK;
    }
    if (err != ERR_OK) { return err; }
    leaving->settings = account.settings;
    if (!leaving->act) { return ERR_OK; }
    err = unsubscribed_insert(db, &leaving->link.hash, leaving->now);
    if (err == ERR_CONFLICT) {
        /* Whoever wants mail again is not undone by an old one. */
        leaving->used = true;
        return ERR_OK;
    }
    if (err != ERR_OK) { return err; }
    return leaving->link.match.text[0] != '\0' ? end_match(db, leaving) : end_all(db, leaving);
}

/* --- pages ------------------------------------------------------------------------------------ */

static void write_text(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<') {
            buf_append_str(out, "&lt;");
        } else if (*text == '&') {
            buf_append_str(out, "&amp;");
        } else {
            buf_append_char(out, *text);
        }
    }
}

static void write_page(struct leaving *leaving, struct buf *out, const char *step)
{
    struct buf text;
    cJSON *settings = NULL;
    if (leaving->settings == NULL ||
        json_parse(leaving->settings, strlen(leaving->settings), &settings) != ERR_OK) {
        settings = NULL;
    }
    const char *language = courier_speak(settings);
    const char *host = leaving->courier->url;
    buf_init(&text, 2048);
    words_say(&text, "notice.page", "step", step, "of_match",
              leaving->link.match.text[0] != '\0' ? "true" : "false", "host", host, NULL);
    buf_append_str(out, "<!doctype html>\n<html lang=\"");
    buf_append_str(out, language);
    buf_append_str(out, "\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                        "content=\"width=device-width\">\n<title>Vedette</title>\n<p>");
    write_text(out, buf_str(&text));
    buf_append_str(out, "</p>\n");
    if (strcmp(step, "ask") == 0) {
        buf_reset(&text);
        words_say(&text, "notice.page_button", NULL);
        buf_append_str(out, "<form method=\"post\"><button>");
        write_text(out, buf_str(&text));
        buf_append_str(out, "</button></form>\n");
    }
    buf_append_str(out, "</html>\n");
    buf_finish(&text);
    cJSON_Delete(settings);
}

static void on_left(void *ctx, enum err err)
{
    struct leaving *leaving = ctx;
    struct courier *courier = leaving->courier;
    struct buf out;
    buf_init(&out, PAGE_BYTES_MAX);
    const char *step = err != ERR_OK     ? "failed"
                       : !leaving->known ? "gone"
                       : leaving->used   ? "used"
                       : leaving->act    ? "done"
                                         : "ask";
    write_page(leaving, &out, step);
    const struct courier_page page = {.status = err != ERR_OK     ? 503
                                                : !leaving->known ? 404
                                                                  : 200,
                                      .type = "text/html; charset=utf-8",
                                      .body = buf_str(&out),
                                      .etag = "",
                                      .n = out.len};
    leaving->done(leaving->ctx, &page);
    buf_finish(&out);
    courier_settled(courier);
}

void courier_unsubscribe(struct courier *courier, const char *link, bool act, courier_page_fn *done,
                         void *ctx)
{
    struct leaving *leaving = calloc(1, sizeof *leaving);
    struct store_unit *unit = act ? store_unit_create(NULL, STORE_MAY_REFUSE) : NULL;
    if (leaving == NULL || (act && unit == NULL)) { abort(); }
    leaving->courier = courier;
    leaving->now = courier_now(courier);
    leaving->act = act;
    leaving->done = done;
    leaving->ctx = ctx;
    leaving->known = read_link(courier, link, leaving->now, &leaving->link);
    courier->pending++;
    if (act && leaving->known) {
        store_unit_add(unit, op_leave, leaving, leaving_free);
        store_commit(courier->config.store, unit, on_left, leaving);
        return;
    }
    store_unit_destroy(unit);
    leaving->act = false;
    store_read(courier->config.store, op_leave, leaving, leaving_free, on_left, leaving);
}
