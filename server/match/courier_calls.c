/* server/match/courier_calls.c: what a player asks of the courier: how things fared, a test, what
 * is wanted of one match, the calendar of deadlines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/describe.h"
#include "common/words/words.h"
#include "server/match/courier_inside.h"
#include "server/match/live.h"
#include "server/notify/ics.h"

enum { SECRET_BYTES = 24, SECRET_CHARS = 32, TEST_MS = 10000, DELIVERIES_DEFAULT = 30 };

/* --- a call on its way ------------------------------------------------------------------------ */

struct job {
    struct courier *courier;
    struct match_call call;
    const struct cJSON *params;
    struct why why;
    struct buf out;
    int64_t now, limit;
    enum courier_channel channel;
    bool on, has_on;
    struct match_id match;
    struct hash hash;
    char secret[SECRET_CHARS + 1];
};

static void job_free(void *data)
{
    struct job *job = data;
    buf_finish(&job->out);
    sodium_memzero(job->secret, sizeof job->secret);
    free(job);
}

static struct job *job_create(struct courier *courier, const struct match_call *call,
                              const struct cJSON *params)
{
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        done_fail(call, ERR_INTERNAL, NULL);
        return NULL;
    }
    job->courier = courier;
    job->call = *call;
    job->params = params;
    job->now = courier_now(courier);
    why_clear(&job->why);
    buf_init(&job->out, 1U << 20);
    return job;
}

static void job_refuse(struct job *take_job, enum err err)
{
    done_fail(&take_job->call, err, &take_job->why);
    job_free(take_job);
}

static void on_done(void *ctx, enum err err)
{
    struct job *job = ctx;
    struct courier *courier = job->courier;
    if (err == ERR_OK && job->out.failed) { err = ERR_TOO_LARGE; }
    if (err == ERR_OK) {
        done_ok(&job->call, buf_str(&job->out), job->out.len);
    } else {
        done_fail(&job->call, err, &job->why);
    }
    courier_settled(courier);
}

static void on_done_look(void *ctx, enum err err)
{
    struct courier *courier = ((struct job *)ctx)->courier;
    on_done(ctx, err);
    courier_look(courier);
}

static void job_read(struct job *job, store_op_fn *read)
{
    job->courier->pending++;
    store_read(job->courier->config.store, read, job, job_free, on_done, job);
}

static void job_write(struct job *job, store_op_fn *write, store_done_fn *done)
{
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (unit == NULL) {
        job_refuse(job, ERR_INTERNAL);
        return;
    }
    job->courier->pending++;
    store_unit_add(unit, write, job, job_free);
    store_commit(job->courier->config.store, unit, done, job);
}

/* --- deliveries ------------------------------------------------------------------------------- */

static enum err op_deliveries(struct db *db, void *data)
{
    struct job *job = data;
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    outbox_write_deliveries(db, &job->call.account, (unsigned)job->limit, &job->out);
    jw_object_end(&job->out);
    return ERR_OK;
}

void courier_deliveries(struct courier *courier, const struct match_call *call,
                        const struct cJSON *params)
{
    static const char *const names[] = {"limit", NULL};
    struct job *job = job_create(courier, call, params);
    if (job == NULL) { return; }
    job->limit = DELIVERIES_DEFAULT;
    enum err err = json_only(params, names, &job->why);
    if (err == ERR_OK) {
        err = json_read_int(params, "limit", 1, COURIER_DELIVERIES_MAX, &job->limit, &job->why);
    }
    if (err != ERR_OK) {
        job_refuse(job, err);
        return;
    }
    job_read(job, op_deliveries);
}

/* --- a test ----------------------------------------------------------------------------------- */

static bool has_channel(const struct job *job, const struct courier_wants *wants)
{
    switch (job->channel) {
    case CHANNEL_MAIL: return courier_mail_address(job->courier, wants)[0] != '\0';
    case CHANNEL_WEBHOOK: return wants->wants.hook != HOOK_NONE;
    case CHANNEL_PUSH: return wants->wants.push_count > 0;
    case CHANNELS: break;
    }
    return false;
}

static enum err op_test(struct db *db, void *data)
{
    struct job *job = data;
    struct courier_wants wants;
    struct notice_row row = {.account = job->call.account, .kind = NOTICE_TEST, .seat = -1};
    enum err err = courier_wants_read(db, job->courier, &row, &wants);
    if (err != ERR_OK) { return err; }
    const bool has = has_channel(job, &wants);
    courier_wants_finish(&wants);
    if (!has) {
        return why_conflict(&job->why, "nowhere", "There is no such address to send a test to.");
    }
    if (notices_has_since(db, &job->call.account, NOTICE_TEST, job->now - TEST_MS)) {
        job->why.retry_after_ms = TEST_MS;
        return why_text(&job->why, ERR_RATE_LIMITED, "A test was sent just now.");
    }
    struct notice_add add = {.account = job->call.account,
                             .kind = NOTICE_TEST,
                             .seat = -1,
                             .number = (uint64_t)job->now,
                             .at = job->now,
                             .due = job->now};
    snprintf(add.data, sizeof add.data, "{\"channel\":\"%s\"}", courier_channels[job->channel]);
    buf_reset(&job->out);
    buf_append_str(&job->out, "{}");
    return notice_add_run(db, &add);
}

void courier_test(struct courier *courier, const struct match_call *call,
                  const struct cJSON *params)
{
    static const char *const names[] = {"channel", NULL};
    const char *channel = NULL;
    struct job *job = job_create(courier, call, params);
    if (job == NULL) { return; }
    enum err err = json_only(params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(params, "!channel", 16, &channel, &job->why); }
    if (err == ERR_OK) {
        job->channel = courier_channel_of(channel);
        if (job->channel == CHANNELS) {
            err = why_member(&job->why, "channel", "mail, webhook or push.");
        }
    }
    if (err != ERR_OK) {
        job_refuse(job, err);
        return;
    }
    job_write(job, op_test, on_done_look);
}

/* --- one match -------------------------------------------------------------------------------- */

static enum err find_match(struct db *db, const struct job *job, int64_t *out_key)
{
    struct match_row row;
    enum err err = matches_read_row(db, &job->match, false, &row);
    if (err != ERR_OK) { return err; }
    bool sits = false;
    for (unsigned i = 0; i < row.seats; i++) {
        sits = sits || account_id_same(&row.accounts[i], &job->call.account);
    }
    *out_key = row.key;
    match_row_finish(&row);
    return sits ? ERR_OK : ERR_NOT_FOUND;
}

static void write_override(struct job *job, const char *settings)
{
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    if (settings != NULL) { jw_key_raw(&job->out, "notices", settings, strlen(settings)); }
    jw_object_end(&job->out);
}

static enum err op_override(struct db *db, void *data)
{
    struct job *job = data;
    struct buf merged;
    char *text = NULL;
    cJSON *old = NULL;
    int64_t key = 0;
    const cJSON *given = json_get(job->params, "notices");
    enum err err = find_match(db, job, &key);
    if (err == ERR_OK) {
        err = outbox_read_override(db, key, &job->call.account, &text);
        if (err == ERR_NOT_FOUND) { err = ERR_OK; }
    }
    if (err != ERR_OK) { return err; }
    buf_init(&merged, 4096);
    if (text != NULL && json_parse(text, strlen(text), &old) != ERR_OK) { old = NULL; }
    if (given == NULL) {
        write_override(job, text);
    } else if (given->child == NULL) {
        err = outbox_write_override(db, key, &job->call.account, NULL);
        write_override(job, NULL);
    } else {
        wants_merge_match(&merged, old, given);
        err = merged.failed ? ERR_TOO_LARGE
                            : outbox_write_override(db, key, &job->call.account, buf_str(&merged));
        write_override(job, buf_str(&merged));
    }
    cJSON_Delete(old);
    free(text);
    buf_finish(&merged);
    return err;
}

void courier_match_notices(struct courier *courier, const struct match_call *call,
                           const struct cJSON *params)
{
    static const char *const names[] = {"action_id", "match", "notices", NULL};
    const char *id = NULL, *action_id = NULL;
    struct job *job = job_create(courier, call, params);
    if (job == NULL) { return; }
    const cJSON *notices = json_get(params, "notices");
    enum err err = json_only(params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(params, "!match", 64, &id, &job->why); }
    if (err == ERR_OK) { err = json_read_str(params, "action_id", 64, &action_id, &job->why); }
    if (err == ERR_OK && notices != NULL) { err = wants_check_match(notices, &job->why); }
    if (err == ERR_OK && !match_id_read(id, &job->match)) { err = ERR_NOT_FOUND; }
    if (err != ERR_OK) {
        job_refuse(job, err);
        return;
    }
    if (notices == NULL) {
        job_read(job, op_override);
    } else {
        job_write(job, op_override, on_done);
    }
}

/* --- the calendar ----------------------------------------------------------------------------- */

static void hash_secret(const char *secret, struct hash *out)
{
    struct hasher hasher;
    hasher_begin(&hasher, NULL, "vedette1 calendar");
    hasher_part_str(&hasher, secret);
    hasher_end(&hasher, out);
}

static enum err op_calendar(struct db *db, void *data)
{
    struct job *job = data;
    enum err err = ERR_OK;
    if (job->has_on) {
        err = calendars_write(db, &job->call.account, job->on ? &job->hash : NULL, job->now);
    } else {
        job->on = calendars_has(db, &job->call.account);
    }
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_bool(&job->out, "on", job->on);
    if (job->has_on && job->on) {
        char url[400];
        snprintf(url, sizeof url, "%.255s/calendar/%s.ics", job->courier->url, job->secret);
        jw_key_str(&job->out, "url", url);
    }
    jw_object_end(&job->out);
    return err;
}

void courier_calendar(struct courier *courier, const struct match_call *call,
                      const struct cJSON *params)
{
    static const char *const names[] = {"on", NULL};
    uint8_t random[SECRET_BYTES];
    struct job *job = job_create(courier, call, params);
    if (job == NULL) { return; }
    enum err err = json_only(params, names, &job->why);
    if (err == ERR_OK) { err = json_read_bool(params, "on", &job->on, &job->why); }
    if (err != ERR_OK) {
        job_refuse(job, err);
        return;
    }
    job->has_on = json_get(params, "on") != NULL;
    randombytes_buf(random, sizeof random);
    b64_encode(job->secret, random, sizeof random);
    hash_secret(job->secret, &job->hash);
    if (job->has_on) {
        job_write(job, op_calendar, on_done);
    } else {
        job_read(job, op_calendar);
    }
}

/* --- its page --------------------------------------------------------------------------------- */

struct reading {
    struct courier *courier;
    struct hash hash;
    struct buf out;
    const char *zone;
    int64_t now;
    courier_page_fn *done;
    void *ctx;
};

static void reading_free(void *data)
{
    struct reading *reading = data;
    buf_finish(&reading->out);
    free(reading);
}

static bool add_match(void *ctx, const struct calendar_match *match)
{
    struct reading *reading = ctx;
    char uid[96], url[300];
    struct buf title, side, summary, until, text;
    const int64_t at = courier_deadline(match->told, match->code);
    if (at <= 0) { return true; }
    buf_init(&title, 1024);
    buf_init(&side, 256);
    buf_init(&summary, 2048);
    buf_init(&until, 256);
    buf_init(&text, 4096);
    const char *base = reading->courier->url;
    courier_write_title(&title, match->title, match->game, match->id.text);
    describe_side(&side, match->game, match->code);
    courier_write_time(&until, at, reading->zone);
    snprintf(uid, sizeof uid, "%s-%s-%llu@vedette", match->id.text, match->code,
             (unsigned long long)match->sitting);
    snprintf(url, sizeof url, "%.240s/match/%s", base, match->id.text);
    words_say(&summary, "notice.subject", "kind", "deadline", "title", buf_str(&title), "name", "",
              NULL);
    words_say(&text, "notice.lead", "kind", "turn", "side_t", buf_str(&side), "about_t", "", "name",
              "", "channel", "", NULL);
    buf_append_char(&text, '\n');
    words_say(&text, "notice.deadline", "time", buf_str(&until), NULL);
    const struct ics_event event = {.uid = uid,
                                    .at = at,
                                    .stamp = match->began,
                                    .summary = buf_str(&summary),
                                    .description = buf_str(&text),
                                    .url = url};
    ics_add(&reading->out, &event);
    buf_finish(&title);
    buf_finish(&side);
    buf_finish(&summary);
    buf_finish(&until);
    buf_finish(&text);
    return true;
}

static enum err op_read_calendar(struct db *db, void *data)
{
    struct reading *reading = data;
    struct account_id account;
    struct notice_account row;
    cJSON *settings = NULL;
    enum err err = calendars_read(db, &reading->hash, &account);
    if (err == ERR_OK) { err = notices_read_account(db, &account, &row); }
    if (err != ERR_OK) { return err; }
    if (json_parse(row.settings, strlen(row.settings), &settings) != ERR_OK) { settings = NULL; }
    const cJSON *zone = json_get(settings, "timezone");
    reading->zone = cJSON_IsString(zone) ? zone->valuestring : NULL;
    (void)courier_speak(settings);
    buf_reset(&reading->out);
    ics_begin(&reading->out, "Vedette");
    err = calendars_each(db, &account, add_match, reading);
    ics_end(&reading->out);
    reading->zone = NULL;
    cJSON_Delete(settings);
    free(row.settings);
    return err;
}

static void on_calendar_read(void *ctx, enum err err)
{
    struct reading *reading = ctx;
    struct courier *courier = reading->courier;
    char etag[2 * 16 + 3] = "";
    struct hash hash;
    if (err == ERR_OK && reading->out.failed) { err = ERR_TOO_LARGE; }
    if (err == ERR_OK) {
        hash_bytes(reading->out.data, reading->out.len, &hash);
        etag[0] = '"';
        (void)sodium_bin2hex(etag + 1, sizeof etag - 1, hash.bytes, 16);
        memcpy(etag + 33, "\"", 2);
    }
    const bool good = err == ERR_OK;
    const char *bad = err == ERR_NOT_FOUND ? "not found\n" : "not now\n";
    const struct courier_page page = {.status = good                   ? 200
                                                : err == ERR_NOT_FOUND ? 404
                                                                       : 503,
                                      .type = good ? "text/calendar; charset=utf-8"
                                                   : "text/plain; charset=utf-8",
                                      .body = good ? buf_str(&reading->out) : bad,
                                      .etag = etag,
                                      .n = good ? reading->out.len : strlen(bad)};
    reading->done(reading->ctx, &page);
    courier_settled(courier);
}

void courier_read_calendar(struct courier *courier, const char *secret, courier_page_fn *done,
                           void *ctx)
{
    struct reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) { abort(); }
    reading->courier = courier;
    reading->done = done;
    reading->ctx = ctx;
    reading->now = courier_now(courier);
    hash_secret(secret, &reading->hash);
    buf_init(&reading->out, 1U << 20);
    courier->pending++;
    store_read(courier->config.store, op_read_calendar, reading, reading_free, on_calendar_read,
               reading);
}
