/* server/match/courier_sort.c: notices that are due: which still are news, and where they go. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "server/clock/zone.h"
#include "server/match/courier_inside.h"

enum { HOUR_MS = 3600000, MINUTE_MS = 60000, DAY_MINUTES = 1440 };

bool courier_is_urgent(enum notice_kind kind)
{
    return kind == NOTICE_REMINDER || kind == NOTICE_LATE || kind == NOTICE_MISSED ||
           kind == NOTICE_CLAIM || kind == NOTICE_VACANT || kind == NOTICE_AWAY ||
           kind == NOTICE_TEST;
}

/* --- what the account wants ------------------------------------------------------------------- */

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    return text != NULL && json_parse(text, strlen(text), &json) == ERR_OK ? json : NULL;
}

enum err courier_wants_read(struct db *db, const struct courier *courier,
                            const struct notice_row *row, struct courier_wants *out)
{
    char *text = NULL;
    (void)courier;
    memset(out, 0, sizeof *out);
    enum err err = notices_read_account(db, &row->account, &out->account);
    if (err == ERR_OK && row->match != 0) {
        err = outbox_read_override(db, row->match, &row->account, &text);
        if (err == ERR_NOT_FOUND) { err = ERR_OK; }
    }
    if (err == ERR_OK) {
        cJSON *of_match = parse(text);
        out->settings = parse(out->account.settings);
        wants_read(out->settings, of_match, &out->wants);
        out->paced = row->match != 0 && outbox_is_paced(db, row->match);
        cJSON_Delete(of_match);
    }
    free(text);
    if (err != ERR_OK) { courier_wants_finish(out); }
    return err;
}

void courier_wants_finish(struct courier_wants *wants)
{
    free(wants->account.settings);
    cJSON_Delete(wants->settings);
    wants->account.settings = NULL;
    wants->settings = NULL;
}

const char *courier_mail_address(const struct courier *courier, const struct courier_wants *wants)
{
    const cJSON *email = json_get(wants->settings, "email");
    const bool good = courier->has_mail && wants->account.confirmed;
    return good && cJSON_IsString(email) ? email->valuestring : "";
}

/* --- when ------------------------------------------------------------------------------------- */

/* The end of the quiet hours that `at` lies in; `at` itself if it does not. */
static int64_t after_quiet(const struct courier_wants *wants, int64_t at)
{
    const cJSON *name = json_get(wants->settings, "timezone");
    const struct zone *zone = zone_utc();
    int32_t minute = 0;
    const int from = wants->wants.quiet_from, to = wants->wants.quiet_to;
    if (from == to) { return at; }
    if (cJSON_IsString(name) && zone_find(name->valuestring, &zone) != ERR_OK) {
        zone = zone_utc();
    }
    int64_t day = zone_day(zone, at, &minute);
    const bool quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!quiet) { return at; }
    if (minute >= to) { day++; }
    const int64_t end = zone_instant_ms(zone, day, to, ZONE_LAST);
    return end > at ? end : at;
}

static int64_t when(const struct courier_wants *wants, const struct notice_row *row,
                    enum courier_channel channel, const struct endpoint_row *endpoint, int64_t now)
{
    if (courier_is_urgent(row->kind)) { return now; }
    int64_t at = now;
    if (channel == CHANNEL_MAIL && wants->wants.digest_h > 0) {
        const int64_t digest = endpoint->sent_at + (int64_t)wants->wants.digest_h * HOUR_MS;
        at = digest > at ? digest : at;
    }
    return after_quiet(wants, at);
}

/* --- where ------------------------------------------------------------------------------------ */

struct sorting {
    struct db *db;
    const struct courier *courier;
    const struct notice_row *row;
    const struct courier_wants *wants;
    int64_t now;
    bool seen;
    unsigned count;
};

static enum err send_by(struct sorting *sorting, enum courier_channel channel, const char *address)
{
    struct delivery_row delivery = {.notice = *sorting->row};
    struct endpoint_row endpoint;
    uint8_t random[16];
    /* In a match with pace a channel that others may read tells nothing of who looked when. */
    if (sorting->seen && !(sorting->wants->paced && channel == CHANNEL_WEBHOOK)) { return ERR_OK; }
    wants_target(address, delivery.target);
    endpoints_read(sorting->db, &sorting->row->account, courier_channels[channel], delivery.target,
                   &endpoint);
    if (endpoint.disabled_at != 0) { return ERR_OK; }
    randombytes_buf(random, sizeof random);
    b64_encode(delivery.id, random, sizeof random);
    memcpy(delivery.channel, courier_channels[channel], strlen(courier_channels[channel]) + 1);
    sorting->count++;
    return deliveries_insert(sorting->db, &delivery,
                             when(sorting->wants, sorting->row, channel, &endpoint, sorting->now));
}

/* A test goes by one channel, and a dead address is not told by itself. */
static bool takes_channel(const struct notice_row *row, enum courier_channel channel)
{
    if (row->kind != NOTICE_TEST) { return true; }
    cJSON *data = parse(row->data);
    const cJSON *name = json_get(data, "channel");
    const bool takes = cJSON_IsString(name) && courier_channel_of(name->valuestring) == channel;
    cJSON_Delete(data);
    return takes;
}

static enum err send_all(struct sorting *sorting)
{
    const struct wants *wants = &sorting->wants->wants;
    const char *mail = courier_mail_address(sorting->courier, sorting->wants);
    enum err err = ERR_OK;
    const bool test = sorting->row->kind == NOTICE_TEST;
    if (mail[0] != '\0' && (wants->mail || test) && takes_channel(sorting->row, CHANNEL_MAIL)) {
        err = send_by(sorting, CHANNEL_MAIL, mail);
    }
    if (err == ERR_OK && wants->hook != HOOK_NONE && takes_channel(sorting->row, CHANNEL_WEBHOOK)) {
        err = send_by(sorting, CHANNEL_WEBHOOK, wants->url);
    }
    for (unsigned i = 0; err == ERR_OK && i < wants->push_count; i++) {
        if (!takes_channel(sorting->row, CHANNEL_PUSH)) { break; }
        err = send_by(sorting, CHANNEL_PUSH, wants->push[i].endpoint);
    }
    return err;
}

static enum err sort_one(struct db *db, struct sort_job *job, const struct notice_row *row)
{
    struct courier_wants wants;
    if (notice_is_stale(db, row)) {
        job->dropped++;
        return notices_set_state(db, row->key, "stale");
    }
    enum err err = courier_wants_read(db, job->courier, row, &wants);
    if (err == ERR_NOT_FOUND) { return notices_set_state(db, row->key, "stale"); }
    if (err != ERR_OK) { return err; }
    struct sorting sorting = {.db = db,
                              .courier = job->courier,
                              .row = row,
                              .wants = &wants,
                              .now = job->now,
                              .seen = !wants.wants.always && notice_was_seen(db, row)};
    const bool wanted = (wants.wants.kinds >> row->kind & 1U) != 0 && !wants.account.disabled;
    if (wanted) { err = send_all(&sorting); }
    if (sorting.seen && sorting.count == 0) { job->dropped++; }
    const char *state = sorting.count > 0 ? "sending" : sorting.seen ? "seen" : "done";
    courier_wants_finish(&wants);
    return err != ERR_OK ? err : notices_set_state(db, row->key, state);
}

enum err courier_sort(struct db *db, void *sort_job)
{
    struct sort_job *job = sort_job;
    struct notice_row rows[COURIER_SORT_MAX];
    job->dropped = 0;
    const unsigned count = notices_read_due(db, job->now, COURIER_SORT_MAX, rows);
    enum err err = ERR_OK;
    for (unsigned i = 0; err == ERR_OK && i < count; i++) {
        err = sort_one(db, job, &rows[i]);
    }
    return err;
}
