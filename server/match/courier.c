/* server/match/courier.c: the life of the courier: what is due, what is under way, what became of
 * it. */
#include "server/match/courier.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/jsonw.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/match/courier_inside.h"
#include "server/notify/hook.h"
#include "server/notify/mime.h"
#include "server/notify/notify.h"
#include "server/store/store.h"

enum {
    LOOK_MS = 20000, /* what others write is found within */
    RETRY_MAX_MS = 6 * 3600000,
    KEEP_DAYS = 30, /* what was sent is shown for so long */
    PUSH_TTL_S = 3 * 86400,
    DAY_MS = 86400000
};

const char *const courier_channels[CHANNELS] = {"mail", "webhook", "push"};

enum courier_channel courier_channel_of(const char *name)
{
    unsigned i = 0;
    while (i < CHANNELS && strcmp(courier_channels[i], name) != 0) {
        i++;
    }
    return (enum courier_channel)i;
}

int64_t courier_now(const struct courier *courier)
{
    return courier->config.now_ms != NULL ? courier->config.now_ms(courier->config.now_ctx)
                                          : clock_now_ms();
}

struct message *message_create(struct courier *courier)
{
    struct message *message = calloc(1, sizeof *message);
    if (message == NULL) { return NULL; }
    message->courier = courier;
    buf_init(&message->subject, 2048);
    buf_init(&message->text, (size_t)16 * COURIER_TEXT_MAX);
    buf_init(&message->json, (size_t)4 * COURIER_TEXT_MAX);
    return message;
}

void message_free(void *data)
{
    struct message *message = data;
    if (message == NULL) { return; }
    buf_finish(&message->subject);
    buf_finish(&message->text);
    buf_finish(&message->json);
    sodium_memzero(message->secret, sizeof message->secret);
    free(message);
}

void courier_settled(struct courier *courier)
{
    assert(courier->pending > 0);
    courier->pending--;
    if (!courier->closing || courier->pending > 0 || courier->closed == NULL) { return; }
    void (*closed)(void *ctx) = courier->closed;
    courier->closed = NULL;
    closed(courier->closed_ctx);
}

/* --- what is under way ------------------------------------------------------------------------ */

static void busy_add(struct courier *courier, const struct message *message)
{
    for (unsigned i = 0; i < message->count; i++) {
        assert(courier->busy_count < COURIER_BUSY_MAX);
        courier->busy[courier->busy_count++] = message->delivery[i].key;
    }
}

static void busy_remove(struct courier *courier, const struct message *message)
{
    for (unsigned i = 0; i < message->count; i++) {
        for (size_t k = 0; k < courier->busy_count; k++) {
            if (courier->busy[k] != message->delivery[i].key) { continue; }
            courier->busy[k] = courier->busy[--courier->busy_count];
            break;
        }
    }
}

/* --- what became of it ------------------------------------------------------------------------ */

/* Until the next attempt: twice as long each time, a quarter more or less. */
static int64_t back_off(const struct courier *courier, unsigned attempts)
{
    const int64_t first =
        1000 * (int64_t)(courier->config.retry_first_s == 0 ? 60 : courier->config.retry_first_s);
    int64_t wait = first << (attempts < 20 ? attempts : 20);
    if (wait > RETRY_MAX_MS) { wait = RETRY_MAX_MS; }
    return wait * 3 / 4 + randombytes_uniform((uint32_t)(wait / 2) + 1);
}

/* What the account is told when an address of its is given up. */
static enum err tell_dead(struct db *db, const struct message *message)
{
    struct notice_add add = {.account = message->account,
                             .kind = NOTICE_DEAD,
                             .seat = -1,
                             .number = (uint64_t)message->now,
                             .at = message->now,
                             .due = message->now};
    snprintf(add.data, sizeof add.data, "{\"channel\":\"%s\"}", courier_channels[message->channel]);
    return notice_add_run(db, &add);
}

static enum err note_failure(struct db *db, struct message *message, bool gone)
{
    const char *channel = courier_channels[message->channel];
    const struct courier_config *config = &message->courier->config;
    struct endpoint_row endpoint;
    endpoints_read(db, &message->account, channel, message->target, &endpoint);
    const int64_t bound = (int64_t)(config->dead_days == 0 ? 5 : config->dead_days) * DAY_MS;
    const bool dead =
        gone || (endpoint.failing_since != 0 && message->now - endpoint.failing_since >= bound);
    message->died = dead && endpoint.disabled_at == 0;
    enum err err = endpoints_note_failed(db, &message->account, channel, message->target,
                                         message->error, message->now, dead);
    if (err == ERR_OK && gone && message->channel == CHANNEL_PUSH) {
        err = outbox_drop_push(db, &message->account, message->address);
    }
    /* A browser that took its subscription back knows. */
    const bool told = message->died && !(gone && message->channel == CHANNEL_PUSH);
    return err == ERR_OK && told ? tell_dead(db, message) : err;
}

static enum err note_one(struct db *db, const struct message *message, unsigned i)
{
    const unsigned attempts = message->delivery[i].attempts;
    const int64_t key = message->delivery[i].key;
    const uint32_t max = message->courier->config.attempts_max;
    if (message->dropped != NULL) {
        return deliveries_end(db, key, message->dropped, message->why, message->now);
    }
    if (message->outcome == NOTIFY_SENT) {
        return deliveries_end(db, key, "sent", "", message->now);
    }
    if (message->outcome == NOTIFY_LATER && attempts + 1 < (max == 0 ? 12 : max)) {
        return deliveries_retry(db, key, message->error,
                                message->now + back_off(message->courier, attempts));
    }
    return deliveries_end(db, key, "failed", message->error, message->now);
}

static enum err op_note(struct db *db, void *data)
{
    struct message *message = data;
    enum err err = ERR_OK;
    message->died = false;
    for (unsigned i = 0; err == ERR_OK && i < message->count; i++) {
        err = note_one(db, message, i);
    }
    if (err != ERR_OK || message->dropped != NULL) { return err; }
    if (message->outcome == NOTIFY_SENT) {
        return endpoints_note_sent(db, &message->account, courier_channels[message->channel],
                                   message->target, message->now);
    }
    return note_failure(db, message, message->outcome == NOTIFY_GONE);
}

static void courier_run(struct courier *courier);

static void on_noted(void *ctx, enum err err)
{
    struct message *message = ctx;
    struct courier *courier = message->courier;
    if (err != ERR_OK) {
        /* It still waits in the store, and is sent once more: at least once. */
        log_event(LOG_WARN, "notice_not_noted", "kind=%s", err_kind(err));
    }
    if (message->died) {
        log_event(LOG_INFO, "address_given_up", "channel=%s", courier_channels[message->channel]);
    }
    busy_remove(courier, message);
    courier->stats.under_way = courier->busy_count;
    courier_run(courier);
    courier_settled(courier);
}

/* Written down; the message is freed with the unit. */
static void note(struct message *take_message)
{
    struct courier *courier = take_message->courier;
    struct store_unit *unit = store_unit_create(NULL, 0);
    take_message->now = courier_now(courier);
    if (unit == NULL) { abort(); }
    store_unit_add(unit, op_note, take_message, message_free);
    store_commit(courier->config.store, unit, on_noted, take_message);
}

static void on_sent(void *ctx, enum notify_outcome outcome, const char *error)
{
    struct message *message = ctx;
    struct courier *courier = message->courier;
    if (courier->closing && outcome == NOTIFY_LATER) {
        /* It was cut short by us: it still waits in the store, as if it had not been tried. */
        message_free(message);
        courier_settled(courier);
        return;
    }
    message->outcome = outcome;
    snprintf(message->error, sizeof message->error, "%s", error);
    if (outcome == NOTIFY_SENT) {
        courier->stats.sent[message->channel]++;
    } else {
        courier->stats.failed[message->channel]++;
        log_event(LOG_INFO, "notice_not_sent", "channel=%s why=\"%s\"",
                  courier_channels[message->channel], message->error);
    }
    note(message);
}

/* --- sending ---------------------------------------------------------------------------------- */

static void send_mail(struct message *message)
{
    const struct mime_mail mail = {
        .to = message->address,
        .subject = buf_str(&message->subject),
        .text = buf_str(&message->text),
        .language = message->language,
        .id = message->id,
        .thread = message->thread[0] == '\0' ? NULL : message->thread,
        .unsubscribe = message->stop,
        .at = courier_now(message->courier),
    };
    notify_mail_once(message->courier->config.notify, &mail, on_sent, message);
}

static void send_standard(struct message *message)
{
    char id[64], stamp[64], signature[96] = "webhook-signature: ";
    const int64_t seconds = courier_now(message->courier) / 1000;
    const size_t head = strlen(signature);
    if (hook_sign(message->secret, message->id, seconds, buf_str(&message->json), message->json.len,
                  signature + head) != ERR_OK) {
        signature[head] = '\0';
    }
    snprintf(id, sizeof id, "webhook-id: %s", message->id);
    snprintf(stamp, sizeof stamp, "webhook-timestamp: %lld", (long long)seconds);
    const struct notify_post post = {
        .url = message->address,
        .headers = {"Content-Type: application/json", id, stamp, signature},
        .body = buf_str(&message->json),
        .n = message->json.len,
    };
    notify_post_once(message->courier->config.notify, &post, on_sent, message);
}

static void send_discord(struct message *message)
{
    struct buf body;
    buf_init(&body, 65536);
    hook_write_discord(&body, buf_str(&message->subject), buf_str(&message->text), message->link);
    const struct notify_post post = {.url = message->address,
                                     .headers = {"Content-Type: application/json"},
                                     .body = buf_str(&body),
                                     .n = body.len};
    notify_post_once(message->courier->config.notify, &post, on_sent, message);
    buf_finish(&body);
}

static void send_ntfy(struct message *message)
{
    struct buf title;
    char click[500];
    buf_init(&title, 2048);
    buf_append_str(&title, "Title: ");
    hook_write_ntfy_title(&title, buf_str(&message->subject));
    snprintf(click, sizeof click, "Click: %s", message->link);
    const struct notify_post post = {
        .url = message->address,
        .headers = {"Content-Type: text/plain; charset=utf-8", buf_str(&title), click,
                    message->urgent ? "Priority: high" : "Priority: default"},
        .body = buf_str(&message->text),
        .n = message->text.len,
    };
    notify_post_once(message->courier->config.notify, &post, on_sent, message);
    buf_finish(&title);
}

/* What one of the same match says later takes its place: 24 characters of a hash. */
static void send_push(struct message *message)
{
    char topic[WANTS_TARGET_BYTES];
    wants_target(message->link, topic);
    const struct notify_push push = {
        .endpoint = message->address,
        .topic = topic,
        .p256dh = message->p256dh,
        .auth = message->auth,
        .text = buf_str(&message->json),
        .urgent = message->urgent,
        .ttl_s = PUSH_TTL_S,
    };
    notify_push_once(message->courier->config.notify, &push, on_sent, message);
}

static void send_message(struct message *take_message)
{
    struct message *message = take_message;
    if (message->dropped != NULL) {
        message->courier->stats.dropped++;
        note(message);
    } else if (message->channel == CHANNEL_MAIL) {
        send_mail(message);
    } else if (message->channel == CHANNEL_PUSH) {
        send_push(message);
    } else if (message->hook == HOOK_DISCORD) {
        send_discord(message);
    } else if (message->hook == HOOK_NTFY) {
        send_ntfy(message);
    } else {
        send_standard(message);
    }
}

/* --- what is due ------------------------------------------------------------------------------ */

struct pick_job {
    struct courier *courier;
    int64_t now;
    int64_t busy[COURIER_BUSY_MAX + COURIER_TOGETHER_MAX * COURIER_PICK_MAX];
    size_t busy_count;
    struct message *first, **last;
    bool sorts;   /* out: notices are due */
    bool more;    /* out: other deliveries are */
    int64_t next; /* out: of what waits */
};

static void pick_free(void *data)
{
    struct pick_job *job = data;
    while (job->first != NULL) {
        struct message *message = job->first;
        job->first = message->next;
        message_free(message);
    }
    free(job);
}

static bool is_taken(const struct pick_job *job, int64_t key)
{
    for (size_t i = 0; i < job->busy_count; i++) {
        if (job->busy[i] == key) { return true; }
    }
    return false;
}

static enum err pick_one(struct db *db, struct pick_job *job, const struct delivery_row *row)
{
    if (is_taken(job, row->key)) { return ERR_OK; } /* it went with another */
    struct message *message = message_create(job->courier);
    if (message == NULL) { return ERR_INTERNAL; }
    enum err err = courier_word(db, job->courier, row, job->now, message);
    if (err != ERR_OK) {
        message_free(message);
        return err;
    }
    for (unsigned i = 0; i < message->count; i++) {
        job->busy[job->busy_count++] = message->delivery[i].key;
    }
    *job->last = message;
    job->last = &message->next;
    return ERR_OK;
}

static enum err op_pick(struct db *db, void *data)
{
    struct pick_job *job = data;
    struct delivery_row rows[COURIER_PICK_MAX];
    const int64_t notice = notices_read_next(db);
    job->sorts = notice <= job->now;
    unsigned count = 0;
    if (job->busy_count + COURIER_TOGETHER_MAX * COURIER_PICK_MAX <= COURIER_BUSY_MAX) {
        count =
            deliveries_read_due(db, job->now, job->busy, job->busy_count, COURIER_PICK_MAX, rows);
    }
    enum err err = ERR_OK;
    for (unsigned i = 0; err == ERR_OK && i < count; i++) {
        err = pick_one(db, job, &rows[i]);
    }
    const int64_t delivery = deliveries_read_next(db, job->busy, job->busy_count);
    job->more = count > 0 && delivery <= job->now;
    job->next = notice < delivery ? notice : delivery;
    return err;
}

static void on_timer(uv_timer_t *timer)
{
    courier_run(timer->data);
}

/* The next look: when something is due, and every now and then. */
static void set_timer(struct courier *courier)
{
    if (courier->closing) { return; }
    int64_t wait = LOOK_MS;
    if (courier->wake_at != INT64_MAX) {
        const int64_t left = courier->wake_at - courier_now(courier);
        /* What is due but cannot go yet goes when something under way has ended. */
        if (left > 0 && left < wait) { wait = left; }
    }
    uv_timer_start(&courier->timer, on_timer, (uint64_t)wait, 0);
}

static void work_done(struct courier *courier, bool again)
{
    courier->working = false;
    again = again || courier->again;
    courier->again = false;
    if (again) {
        courier_run(courier);
    } else {
        set_timer(courier);
    }
    courier_settled(courier);
}

static void on_sorted(void *ctx, enum err err)
{
    struct sort_job *job = ctx;
    struct courier *courier = (struct courier *)(uintptr_t)job->courier;
    if (err == ERR_OK) { courier->stats.dropped += job->dropped; }
    work_done(courier, err == ERR_OK);
}

static void sort_start(struct courier *courier)
{
    struct sort_job *job = calloc(1, sizeof *job);
    struct store_unit *unit = store_unit_create(NULL, 0);
    if (job == NULL || unit == NULL) { abort(); }
    job->courier = courier;
    job->now = courier_now(courier);
    store_unit_add(unit, courier_sort, job, free);
    store_commit(courier->config.store, unit, on_sorted, job);
}

static void on_picked(void *ctx, enum err err)
{
    struct pick_job *job = ctx;
    struct courier *courier = job->courier;
    if (err != ERR_OK) { log_event(LOG_WARN, "notices_not_read", "kind=%s", err_kind(err)); }
    while (err == ERR_OK && job->first != NULL) {
        struct message *message = job->first;
        job->first = message->next;
        busy_add(courier, message);
        courier->pending++;
        send_message(message);
    }
    courier->stats.under_way = courier->busy_count;
    courier->wake_at = err == ERR_OK ? job->next : INT64_MAX;
    if (err == ERR_OK && job->sorts && !courier->closing) {
        sort_start(courier); /* goes on as the same work */
        return;
    }
    work_done(courier, err == ERR_OK && job->more);
}

static enum err op_prune(struct db *db, void *data)
{
    const int64_t *now = data;
    return outbox_prune(db, *now - (int64_t)KEEP_DAYS * DAY_MS);
}

/* Once a day what is old goes. */
static void prune(struct courier *courier)
{
    const int64_t now = courier_now(courier);
    if (now - courier->pruned_at < DAY_MS) { return; }
    courier->pruned_at = now;
    int64_t *at = malloc(sizeof *at);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (at == NULL || unit == NULL) {
        free(at);
        store_unit_destroy(unit);
        return;
    }
    *at = now;
    store_unit_add(unit, op_prune, at, free);
    store_commit(courier->config.store, unit, NULL, NULL);
}

static void courier_run(struct courier *courier)
{
    if (courier->closing) { return; }
    if (courier->working) {
        courier->again = true;
        return;
    }
    struct pick_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        set_timer(courier);
        return;
    }
    prune(courier);
    courier->working = true;
    courier->pending++;
    job->courier = courier;
    job->now = courier_now(courier);
    job->last = &job->first;
    memcpy(job->busy, courier->busy, courier->busy_count * sizeof courier->busy[0]);
    job->busy_count = courier->busy_count;
    store_read(courier->config.store, op_pick, job, pick_free, on_picked, job);
}

void courier_due(struct courier *courier, int64_t due)
{
    if (due >= courier->wake_at) { return; }
    courier->wake_at = due;
    if (due <= courier_now(courier)) {
        courier_run(courier);
    } else {
        set_timer(courier);
    }
}

void courier_look(struct courier *courier)
{
    courier_run(courier);
}

/* --- life ------------------------------------------------------------------------------------- */

enum err courier_create(const struct courier_config *config, struct courier **out_courier)
{
    struct courier *courier = calloc(1, sizeof *courier);
    if (courier == NULL) { return ERR_INTERNAL; }
    courier->config = *config;
    courier->wake_at = INT64_MAX;
    courier->has_mail = notify_has_mail(config->notify);
    snprintf(courier->url, sizeof courier->url, "%s", notify_url(config->notify));
    uv_timer_init(config->loop, &courier->timer);
    courier->timer.data = courier;
    courier_run(courier);
    *out_courier = courier;
    return ERR_OK;
}

void courier_close(struct courier *courier, void (*done)(void *ctx), void *ctx)
{
    courier->closing = true;
    courier->closed = done;
    courier->closed_ctx = ctx;
    uv_timer_stop(&courier->timer);
    courier->pending++; /* so that done is called from one place */
    courier_settled(courier);
}

static void on_closed(uv_handle_t *handle)
{
    struct courier *courier = handle->data;
    sodium_memzero(courier->config.key, sizeof courier->config.key);
    free(courier);
}

void courier_destroy(struct courier *take_courier)
{
    if (take_courier == NULL) { return; }
    uv_close((uv_handle_t *)&take_courier->timer, on_closed);
}

void courier_get_stats(const struct courier *courier, struct courier_stats *out_stats)
{
    *out_stats = courier->stats;
}
