/* server/match/matches.c: which matches are in memory: found, kept while something holds them, put
 * to rest. */
#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/ladder.h"
#include "server/match/late.h"
#include "server/match/live.h"
#include "server/match/load.h"
#include "server/match/seats.h"

enum {
    MEMORY_DEFAULT =
        16 << 20, /* some 600 matches in play; one that comes back costs a millisecond */
    IDLE_MS_DEFAULT = 10000,
    SNAPSHOT_LINES_DEFAULT = 256,
    SWEEP_MS = 2000,
    TRIM_AFTER = 64, /* matches put to rest, after which memory goes back to the system */
    VIEW_BYTES_MAX = 1 << 20,
    MATCH_BLOCK = 40, /* some 32 KiB each */
    WATCH_BLOCK = 500
};

int64_t matches_now(const struct matches *matches)
{
    if (matches->config.now_ms != NULL) {
        return matches->config.now_ms(matches->config.hooks.ctx);
    }
    return clock_now_ms();
}

static void on_sweep(uv_timer_t *timer);

enum err matches_create(const struct matches_config *config, struct matches **out_matches)
{
    struct matches *matches = calloc(1, sizeof *matches);
    if (matches == NULL) { return ERR_INTERNAL; }
    matches->buckets = calloc(MATCHES_BUCKETS_MIN, sizeof(struct match *));
    if (matches->buckets == NULL) {
        free(matches);
        return ERR_INTERNAL;
    }
    matches->bucket_count = MATCHES_BUCKETS_MIN;
    matches->config = *config;
    if (matches->config.games == NULL) { matches->config.games = games; }
    if (matches->config.memory_bytes_max == 0) {
        matches->config.memory_bytes_max = MEMORY_DEFAULT;
    }
    if (matches->config.idle_ms == 0) { matches->config.idle_ms = IDLE_MS_DEFAULT; }
    if (matches->config.snapshot_lines == 0) {
        matches->config.snapshot_lines = SNAPSHOT_LINES_DEFAULT;
    }
    pool_init(&matches->match_pool, sizeof(struct match), MATCH_BLOCK);
    pool_init(&matches->watch_pool, sizeof(struct watch), WATCH_BLOCK);
    scratch_init(&matches->scratch);
    buf_init(&matches->view, VIEW_BYTES_MAX);
    buf_init(&matches->text, EVENTS_BYTES_MAX);
    buf_init(&matches->patch, VIEW_BYTES_MAX);
    (void)core_build();             /* made once, before readers ask for it */
    matches->held_next = INT64_MIN; /* to be looked up */
    (void)uv_timer_init(config->loop, &matches->sweep);
    matches->sweep.data = matches;
    (void)uv_timer_start(&matches->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
    uv_unref((uv_handle_t *)&matches->sweep);
    clocks_init(matches);
    zones_init(matches);
    *out_matches = matches;
    return ERR_OK;
}

static size_t bucket_of(const struct match_id *id, size_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = id->text; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    return (size_t)(hash & (count - 1));
}

struct match *match_find(struct matches *matches, const struct match_id *id)
{
    struct match *match = matches->buckets[bucket_of(id, matches->bucket_count)];
    while (match != NULL && !match_id_same(&match->id, id)) {
        match = match->hash_next;
    }
    return match;
}

static void grow_buckets(struct matches *matches)
{
    size_t count = matches->bucket_count * 2;
    struct match **buckets = calloc(count, sizeof *buckets);
    if (buckets == NULL) { return; } /* longer chains, no harm */
    for (size_t i = 0; i < matches->bucket_count; i++) {
        while (matches->buckets[i] != NULL) {
            struct match *match = matches->buckets[i];
            matches->buckets[i] = match->hash_next;
            size_t at = bucket_of(&match->id, count);
            match->hash_next = buckets[at];
            buckets[at] = match;
        }
    }
    free(matches->buckets);
    matches->buckets = buckets;
    matches->bucket_count = count;
}

struct match *match_make(struct matches *matches, const struct match_id *id)
{
    struct match *match = pool_alloc(&matches->match_pool);
    if (match == NULL) { return NULL; }
    match->id = *id;
    match->tasks_end = &match->tasks;
    if (matches->match_count >= matches->bucket_count) { grow_buckets(matches); }
    size_t at = bucket_of(id, matches->bucket_count);
    match->hash_next = matches->buckets[at];
    matches->buckets[at] = match;
    matches->match_count++;
    return match;
}

static void unlist(struct matches *matches, struct match *match)
{
    if (match->newer == NULL && match->older == NULL && matches->newest != match) { return; }
    if (match->newer != NULL) {
        match->newer->older = match->older;
    } else {
        matches->newest = match->older;
    }
    if (match->older != NULL) {
        match->older->newer = match->newer;
    } else {
        matches->oldest = match->newer;
    }
    match->newer = NULL;
    match->older = NULL;
}

void match_touch(struct matches *matches, struct match *match)
{
    match->used_ms = uv_now(matches->config.loop);
    if (matches->newest == match) { return; }
    unlist(matches, match);
    match->older = matches->newest;
    if (matches->newest != NULL) { matches->newest->newer = match; }
    matches->newest = match;
    if (matches->oldest == NULL) { matches->oldest = match; }
}

void match_count_bytes(struct matches *matches, struct match *match)
{
    size_t bytes = match->core == NULL ? 0 : core_bytes(match->core);
    bytes += late_bytes(match);
    bytes += cache_bytes(match);
    matches->stats.memory_bytes += bytes;
    matches->stats.memory_bytes -= match->bytes;
    match->bytes = bytes;
}

void match_rest(struct matches *matches, struct match *match)
{
    assert(match->first == NULL);
    if (match->core != NULL) {
        matches->stats.unloads++;
        matches->stats.loaded--;
    }
    core_destroy(match->core);
    match->core = NULL;
    clocks_drop(match);
    if (!match->past_read.reading) { past_read_finish(&match->past_read); }
    late_rest(match);
    cache_drop(match);
    for (unsigned i = 0; i < VIEWERS; i++) {
        free(match->frozen_views[i]);
        match->frozen_views[i] = NULL;
    }
    match->frozen = false;
    unlist(matches, match);
    match_count_bytes(matches, match);
}

/* Nobody needs what is loaded: it may go to rest. */
static bool may_rest(const struct match *match)
{
    return match->first == NULL && match->tasks == NULL && !match->loading && !match->failing &&
           match->due_count == 0;
}

void match_release(struct matches *matches, struct match *match)
{
    bool held = late_holds(match) || match->watches != NULL || match->waits != NULL ||
                match->tasks != NULL || match->first != NULL || match->loading || match->failing ||
                match->holds > 0 || match->core != NULL || match->newer != NULL ||
                match->older != NULL || matches->newest == match;
    if (held) { return; }
    struct match **link = &matches->buckets[bucket_of(&match->id, matches->bucket_count)];
    while (*link != match) {
        link = &(*link)->hash_next;
    }
    *link = match->hash_next;
    matches->match_count--;
    cache_drop(match);
    standing_free(&match->standing);
    offers_free(&match->offers);
    past_read_finish(&match->past_read);
    guests_finish(&match->guests);
    free(match->side);
    late_free(match);
    pool_free(&matches->match_pool, match);
}

/* The least recently used go until the budget is kept; with idle, also whatever was long untouched.
 */
static void put_to_rest(struct matches *matches, uint64_t before_ms)
{
    struct match *match = matches->oldest;
    while (match != NULL) {
        struct match *next = match->newer;
        bool over = matches->stats.memory_bytes > matches->config.memory_bytes_max;
        if (!over && match->used_ms >= before_ms) { break; }
        if (may_rest(match)) {
            match_rest(matches, match);
            match_release(matches, match);
            matches->rested++;
        }
        match = next;
    }
}

static void on_sweep(uv_timer_t *timer)
{
    struct matches *matches = timer->data;
    uint64_t now = uv_now(matches->config.loop);
    uint64_t idle = matches->config.idle_ms;
    watches_tell_leavers(matches);
    match_seats_look(matches);
    match_pace_look(matches);
    looks_sweep(matches);
    away_sweep(matches);
    put_to_rest(matches, now > idle ? now - idle : 0);
    if (matches->rested >= TRIM_AFTER) {
        matches->rested = 0;
        (void)malloc_trim(0);
    }
}

void matches_rest(struct matches *matches)
{
    put_to_rest(matches, UINT64_MAX);
}

void match_seat_taken(struct matches *matches, const struct match_id *id, unsigned seat,
                      const struct account_id *account)
{
    struct match *match = match_find(matches, id);
    struct account_id accounts[SEATS_MAX];
    memset(accounts, 0, sizeof accounts);
    accounts[seat] = *account;
    clocks_date(matches, id, accounts);
    if (match == NULL) { return; }
    match->accounts[seat] = *account;
    if (match->loading) { match->reseated |= (uint8_t)(1U << seat); }
}

void match_install(struct match *match, const struct matches *matches, const struct match_row *row)
{
    match->key = row->key;
    match->rules = row->rules;
    match->seats = (uint8_t)row->seats;
    memcpy(match->codes, row->codes, sizeof match->codes);
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        if ((match->reseated >> i & 1U) == 0) { match->accounts[i] = row->accounts[i]; }
        match->owners[i] = row->owners[i];
        match->until[i] = row->until[i];
    }
    match->reseated = 0;
    match->vacant = row->vacant;
    match->closed = row->closed;
    match->spectators_public = row->spectators_public;
    match->reveal_seats = row->reveal_seats;
    match->begun = row->begun;
    match->over = row->over;
    match->reveal_at = row->reveal_at;
    match->next_n = row->next_n;
    memcpy(match->tip, row->tip, sizeof match->tip);
    match->game = NULL;
    for (const struct game *const *game = matches->config.games; *game != NULL; game++) {
        if (strcmp((*game)->name, row->game) == 0) { match->game = *game; }
    }
    match->known = true;
}

/* What is stored against what was acknowledged. More: a commit that was reported lost landed all
 * the same; then it counts, and who watches is told. Less: acknowledged lines are gone, which no
 * answer can mend. False: that. */
static bool catch_up(struct matches *matches, struct match *match, const struct match_row *row)
{
    if (row->next_n == match->next_n) { return true; }
    log_event(LOG_ERROR, "log_differs", "match=%s known=%llu stored=%llu", match->id.text,
              (unsigned long long)match->next_n, (unsigned long long)row->next_n);
    if (row->next_n < match->next_n) {
        const struct match_hooks *hooks = &matches->config.hooks;
        if (hooks->fatal != NULL) { hooks->fatal(hooks->ctx, "the store has lost lines"); }
        return false;
    }
    match->next_n = row->next_n;
    match->over = row->over;
    match->reveal_at = row->reveal_at;
    memcpy(match->tip, row->tip, sizeof match->tip);
    cache_drop(match);
    watches_remind(match);
    return true;
}

/* Whom it lets watch, unless that has changed since it was read. */
static void install_guests(struct match *match, struct guests *guests)
{
    if (match->guests.stale) {
        match->guests.stale = false;
        return;
    }
    guests_finish(&match->guests);
    match->guests = *guests;
    memset(guests, 0, sizeof *guests);
}

/* A record or core came from the store, or did not. */
static void on_loaded(void *ctx, enum err err)
{
    struct load_job *job = ctx;
    struct matches *matches = job->owner;
    struct match *match = job->match;
    bool clock_broken = false;
    match->loading = false;
    /* A record alone may have been read before the match began. */
    if (err == ERR_OK && job->want_core && !catch_up(matches, match, &job->row)) {
        err = ERR_STORAGE_FAILED;
    }
    if (err == ERR_OK) {
        install_guests(match, &job->guests);
        if (!match->begun && match->first == NULL) { match_install(match, matches, &job->row); }
        if (job->core != NULL) {
            match->core = job->core;
            match->core->say_all = looks_any(&match->looks);
            job->core = NULL;
            clock_broken = !clocks_install(match, &job->clock);
            offers_free(&match->offers);
            match->offers = job->offers;
            memset(&job->offers, 0, sizeof job->offers);
            standing_free(&match->standing);
            match->standing = job->standing;
            memset(&job->standing, 0, sizeof job->standing);
            match->waits_before = match->core->tip[VIEWER_PUBLIC].waits_for;
            pace_refresh(matches, match, NULL);
            match->snapshot_n = job->snapshot_n;
            side_loaded(match);
            late_loaded(match);
            views_prepare(matches, match);
            match->waits_known = false;
            matches->stats.loads++;
            matches->stats.loaded++;
        }
        match->frozen = job->frozen;
        memcpy(match->frozen_views, job->frozen_views, sizeof match->frozen_views);
        memset(job->frozen_views, 0, sizeof job->frozen_views);
        if (match->core != NULL || match->frozen) {
            match_count_bytes(matches, match);
            match_touch(matches, match);
            put_to_rest(matches, 0);
        }
        if (clock_broken) {
            match_rest(matches, match);
            match->broken = true;
        } else if (match->core != NULL) {
            clocks_look_again(matches, match);
        }
    } else if (err == ERR_NOT_FOUND) {
        match->absent = true;
    } else {
        match->broken = true;
        log_event(LOG_ERROR, "match_not_loaded", "match=%s kind=%s", match->id.text, err_kind(err));
    }
    match_step(matches, match);
    matches_settled(matches);
}

static void load_start(struct matches *matches, struct match *match, bool want_core)
{
    struct load_job *job = load_job_create(&match->id, matches->config.games, want_core);
    if (job == NULL) {
        match->broken = true;
        return;
    }
    job->owner = matches;
    job->match = match;
    match->loading = true;
    match->broken = false;
    matches->pending++;
    store_read(matches->config.store, load_job_run, job, load_job_free, on_loaded, job);
}

void match_want_core(struct matches *matches, struct match *match)
{
    if (match->core != NULL || match->loading || match->failing || match->first != NULL ||
        match->frozen || match->broken || match->next_n == 0) {
        return;
    }
    load_start(matches, match, true);
}

/* Answers the task with what is known to be wrong with its match; false: nothing is. */
static bool task_refused(struct match *match, struct task *task)
{
    if (match->absent) { return task_text(task, ERR_NOT_FOUND, "There is no such match."); }
    if (match->broken) {
        return task_text(task, ERR_STORAGE_FAILED, "The match could not be read; try again.");
    }
    return false;
}

/* A core that took lines which could not be sent goes once those in flight have landed. */
static void drop_spoilt(struct matches *matches, struct match *match)
{
    if (!match->spoilt || match->first != NULL) { return; }
    matches->stats.loaded -= match->core != NULL ? 1 : 0;
    core_destroy(match->core);
    match->core = NULL;
    clocks_drop(match);
    match->spoilt = false;
    match_count_bytes(matches, match);
}

/* What calls are judged by was read. */
static bool is_known(const struct match *match)
{
    return match->known && match->guests.known;
}

void guests_note(struct match *match, const struct account_id *account, enum guest_kind kind,
                 bool on)
{
    if (match->loading) { match->guests.stale = true; }
    if (match->guests.known && !guests_set(&match->guests, account, kind, on)) {
        guests_finish(&match->guests); /* to be read again */
    }
}

void match_shut_out(struct matches *matches, const struct match_id *id,
                    const struct account_id *account, bool on)
{
    struct match *match = match_find(matches, id);
    if (match == NULL) { return; }
    guests_note(match, account, GUEST_SHUT, on);
    if (on) { watches_end_guest(matches, match, account); }
    match_release(matches, match);
}

void match_step(struct matches *matches, struct match *match)
{
    match->holds++;
    drop_spoilt(matches, match);
    watches_serve(matches, match);
    if (match->wait_count > 0) { waits_publish(matches, match); }
    /* Each task there is now gets one try; those that must go on waiting go to the end. */
    size_t count = 0;
    for (const struct task *task = match->tasks; task != NULL; task = task->next) {
        count++;
    }
    while (count-- > 0 && match->tasks != NULL) {
        struct task *task = match->tasks;
        match->tasks = task->next;
        if (match->tasks == NULL) { match->tasks_end = &match->tasks; }
        matches->task_count--;
        bool done = task_refused(match, task);
        if (done) { ladder_refused(matches, match, task); }
        if (!done && is_known(match)) { done = task->run(matches, match, task); }
        if (!done) { task_keep(matches, match, task); }
        if (done) {
            cJSON_Delete(task->draft);
            free(task);
        }
        assert(matches->pending > 0);
        matches->pending--;
    }
    if (match->broken) { watches_forget(match); }
    match->broken = false;
    drop_spoilt(matches, match);
    /* Whoever asks for what cannot be had while a load is under way would wait for ever otherwise.
     */
    if (match->tasks != NULL && is_known(match) && !match->loading) {
        match_want_core(matches, match);
    }
    if (match->tasks != NULL && !is_known(match) && !match->loading) {
        load_start(matches, match, false);
    }
    match->holds--;
    match_release(matches, match);
}

void task_keep(struct matches *matches, struct match *match, struct task *take_task)
{
    take_task->next = NULL;
    *match->tasks_end = take_task;
    match->tasks_end = &take_task->next;
    matches->task_count++;
    matches->pending++;
}

void task_start(struct matches *matches, const struct match_call *call, const struct cJSON *params,
                task_fn *run)
{
    struct why why;
    why_clear(&why);
    const char *text = NULL;
    struct match_id id;
    enum err err = json_read_str(params, "!match", 64, &text, &why);
    if (err == ERR_OK && !match_id_read(text, &id)) {
        err = why_text(&why, ERR_NOT_FOUND, "There is no such match.");
    }
    if (err != ERR_OK) {
        done_fail(call, err, &why);
        return;
    }
    task_start_id(matches, call, &id, params, run);
}

void task_start_id(struct matches *matches, const struct match_call *call,
                   const struct match_id *id, const struct cJSON *params, task_fn *run)
{
    struct task task = {.call = *call, .params = params, .run = run};
    struct match *match = match_find(matches, id);
    if (match == NULL) { match = match_make(matches, id); }
    if (match == NULL) {
        done_fail(call, ERR_INTERNAL, NULL);
        return;
    }
    /* Seats of a match that has not begun come and go without our knowing. */
    if (!match->begun && match->first == NULL) { match->known = false; }
    match->holds++;
    bool done = is_known(match) && run(matches, match, &task);
    match->holds--;
    if (done) {
        if (match->spoilt) {
            match_step(matches, match);
        } else {
            match_release(matches, match);
        }
        return;
    }
    struct task *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        done_fail(call, ERR_INTERNAL, NULL);
        match_release(matches, match);
        return;
    }
    *kept = task;
    task_keep(matches, match, kept);
    if (!is_known(match) && !match->loading) {
        load_start(matches, match, false);
        if (match->broken) { match_step(matches, match); }
    }
}

void matches_settled(struct matches *matches)
{
    assert(matches->pending > 0);
    matches->pending--;
    if (matches->closing && matches->pending == 0 && !matches->closed_told) {
        matches->closed_told = true;
        if (matches->close_done != NULL) { matches->close_done(matches->close_ctx); }
    }
}

/* A match that somebody waits for; there is one. Answers may change the table, so it is asked for
 * anew. */
static struct match *find_waited(const struct matches *matches)
{
    for (size_t i = 0; i < matches->bucket_count; i++) {
        for (struct match *match = matches->buckets[i]; match != NULL; match = match->hash_next) {
            if (match->waits != NULL || (match->late != NULL && match->late->waits != NULL)) {
                return match;
            }
        }
    }
    assert(false);
    return NULL;
}

void matches_close(struct matches *matches, void (*done)(void *ctx), void *ctx)
{
    matches->closing = true;
    matches->closed_told = false;
    matches->close_done = done;
    matches->close_ctx = ctx;
    matches->pending++; /* so that done is called from one place */
    clocks_close(matches);
    while (matches->wait_count > 0) {
        struct match *match = find_waited(matches);
        waits_end(matches, match, ERR_OK);
        match_release(matches, match);
    }
    matches_settled(matches);
}

/* The timers are part of the block, which therefore lives until the last of them is closed. */
static void on_timer_closed(uv_handle_t *handle)
{
    struct matches *matches = handle->data;
    if (--matches->handles_open == 0) { free(matches); }
}

void matches_destroy(struct matches *take_matches)
{
    struct matches *matches = take_matches;
    if (matches == NULL) { return; }
    for (size_t i = 0; i < matches->bucket_count; i++) {
        struct match *next = NULL;
        for (struct match *match = matches->buckets[i]; match != NULL; match = next) {
            next = match->hash_next;
            waits_end(matches, match, ERR_CLOSING);
            watches_end(matches, match);
            if (match->first == NULL) { match_rest(matches, match); }
            match_release(matches, match);
        }
    }
    assert(matches->match_count == 0);
    pace_close(matches);
    pool_finish(&matches->match_pool);
    pool_finish(&matches->watch_pool);
    scratch_finish(&matches->scratch);
    buf_finish(&matches->view);
    buf_finish(&matches->text);
    buf_finish(&matches->patch);
    free(matches->buckets);
    wakes_finish(&matches->wakes);
    matches->handles_open = 4;
    (void)uv_timer_stop(&matches->zones);
    uv_close((uv_handle_t *)&matches->zones, on_timer_closed);
    uv_close((uv_handle_t *)&matches->sweep, on_timer_closed);
    uv_close((uv_handle_t *)&matches->wake, on_timer_closed);
    uv_close((uv_handle_t *)&matches->beat, on_timer_closed);
}

void matches_stats(const struct matches *matches, struct matches_stats *out_stats)
{
    *out_stats = matches->stats;
    out_stats->known = matches->match_count;
    out_stats->pending = matches->pending;
    out_stats->watches = matches->watch_count;
    out_stats->waits = matches->wait_count;
}
