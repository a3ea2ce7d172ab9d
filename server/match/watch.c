/* server/match/watch.c: who watches: views made once for all of them, pushed as whole views or as
 * deltas; long polls. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/diff.h"
#include "server/match/late.h"
#include "server/match/live.h"

/* --- views as messages -------------------------------------------------------------------------
 */

static void push_begin(struct buf *out, const char *method, const struct match_id *id)
{
    buf_reset(out);
    buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"");
    buf_append_str(out, method);
    buf_append_str(out, "\",\"params\":{\"match\":\"");
    buf_append_str(out, id->text);
    buf_append_str(out, "\"");
}

/* What stands in matches->view as a message; the view begins at `at`. */
static bool wrap_view(const struct buf *text, size_t at, struct view_msg *out)
{
    out->at = (uint32_t)at;
    out->msg = text->failed ? NULL : msg_create(text->data, text->len);
    return out->msg != NULL;
}

/* The same without the forms. */
static bool wrap_plain(struct matches *matches, size_t at, const struct view_forms *cut,
                       struct view_msg *out)
{
    const struct buf *whole = &matches->view;
    struct buf *text = &matches->patch;
    size_t after = cut->at + cut->len;
    buf_reset(text);
    buf_append(text, whole->data, cut->at);
    buf_append(text, whole->data + after, whole->len - after);
    return wrap_view(text, at, out);
}

bool views_make(struct matches *matches, const struct core *core, unsigned viewer, bool plain,
                bool forms, struct view_msg out_views[VARIANTS])
{
    struct view_forms cut;
    struct buf *text = &matches->view;
    push_begin(text, "match.view", &core->id);
    jw_key_int(text, "seq", (int64_t)core->tip[viewer].seq);
    buf_append_str(text, ",\"view\":");
    size_t at = text->len;
    core_view(core, viewer, forms, text, &cut);
    buf_append_str(text, "}}");
    if (text->failed) { return false; }
    bool good = true;
    if (forms) { good = wrap_view(text, at, &out_views[FORMS]); }
    if (good && plain && forms && cut.len == 0) {
        out_views[PLAIN] = out_views[FORMS];
        (void)msg_ref(out_views[PLAIN].msg);
    } else if (good && plain && forms) {
        good = wrap_plain(matches, at, &cut, &out_views[PLAIN]);
    } else if (good && plain) {
        good = wrap_view(text, at, &out_views[PLAIN]);
    }
    if (!good) { views_drop(out_views); }
    return good;
}

void views_drop(struct view_msg views[VARIANTS])
{
    for (unsigned i = 0; i < VARIANTS; i++) {
        msg_unref(views[i].msg);
        views[i].msg = NULL;
    }
}

const char *view_text(const struct view_msg *view, size_t *out_len)
{
    *out_len = view->msg->len - view->at - 2U;
    return msg_text(view->msg) + view->at;
}

/* --- the cache ---------------------------------------------------------------------------------
 */

static void deltas_drop(struct viewer_cache *cache)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        for (unsigned i = 0; i < DELTA_RING; i++) {
            msg_unref(cache->deltas[v][i].msg);
            cache->deltas[v][i].msg = NULL;
        }
    }
}

void cache_drop(struct match *match)
{
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if (match->cache[viewer] == NULL) { continue; }
        views_drop(match->cache[viewer]->view);
        deltas_drop(match->cache[viewer]);
        free(match->cache[viewer]);
        match->cache[viewer] = NULL;
    }
}

size_t cache_bytes(const struct match *match)
{
    size_t bytes = 0;
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        const struct viewer_cache *cache = match->cache[viewer];
        if (cache == NULL) { continue; }
        bytes += sizeof *cache;
        for (unsigned v = 0; v < VARIANTS; v++) {
            bytes += cache->view[v].msg == NULL ? 0 : cache->view[v].msg->len + 48U;
            for (unsigned i = 0; i < DELTA_RING; i++) {
                const struct msg *msg = cache->deltas[v][i].msg;
                bytes += msg == NULL ? 0 : msg->len + 48U;
            }
        }
    }
    return bytes;
}

static struct viewer_cache *cache_of(struct match *match, unsigned viewer)
{
    if (match->cache[viewer] == NULL) {
        match->cache[viewer] = calloc(1, sizeof *match->cache[viewer]);
        if (match->cache[viewer] != NULL) { match->cache[viewer]->seq = match->tip[viewer].seq; }
    }
    return match->cache[viewer];
}

bool view_possible(const struct match *match, unsigned viewer)
{
    /* A line in flight told this viewer something: its durable view is not to be had until that
     * landed. */
    return match->begun && match->core != NULL && !match->failing && !match->spoilt &&
           match->core->begun && match->core->tip[viewer].seq == match->tip[viewer].seq;
}

const struct view_msg *view_current(struct matches *matches, struct match *match, unsigned viewer,
                                    enum variant variant)
{
    struct viewer_cache *cache = match->cache[viewer];
    uint64_t seq = match->tip[viewer].seq;
    if (cache != NULL && cache->seq == seq && cache->view[variant].msg != NULL) {
        return &cache->view[variant];
    }
    if (match->core == NULL) {
        match_want_core(matches, match);
        return NULL;
    }
    if (!view_possible(match, viewer)) { return NULL; }
    cache = cache_of(match, viewer);
    if (cache == NULL) { return NULL; }
    struct view_msg made[VARIANTS] = {{NULL, 0}, {NULL, 0}};
    if (!views_make(matches, match->core, viewer, variant == PLAIN, variant == FORMS, made)) {
        return NULL;
    }
    if (cache->seq != seq) {
        views_drop(cache->view);
        cache->seq = seq;
    }
    msg_unref(cache->view[variant].msg);
    cache->view[variant] = made[variant];
    match_touch(matches, match);
    match_count_bytes(matches, match);
    return &cache->view[variant];
}

/* A match that was at rest comes back without the view that its watchers have, and so the next line
 * would reach them whole. Whether it was at rest is nobody's to know: it tells that somebody else
 * has looked at it just now, in a match with pace too. */
void views_prepare(struct matches *matches, struct match *match)
{
    for (unsigned viewer = 0; viewer < VIEWERS && match->core != NULL; viewer++) {
        for (unsigned v = 0; v < VARIANTS; v++) {
            if (match->delta_interest[viewer][v] == 0) { continue; }
            (void)view_current(matches, match, viewer, (enum variant)v);
        }
    }
}

/* The patch from one view of the cache to the next, kept in the ring. */
static struct msg *delta_make(struct matches *matches, struct match *match, unsigned viewer,
                              enum variant variant, const struct view_msg *next, uint64_t seq)
{
    struct viewer_cache *cache = match->cache[viewer];
    if (cache->view[variant].msg == NULL || match->delta_interest[viewer][variant] == 0) {
        return NULL;
    }
    size_t before_len = 0;
    size_t after_len = 0;
    const char *before = view_text(&cache->view[variant], &before_len);
    const char *after = view_text(next, &after_len);
    struct buf *out = &matches->patch;
    push_begin(out, "match.delta", &match->id);
    jw_key_str(out, "as", match_viewer_name(match, viewer));
    jw_key_int(out, "from", (int64_t)cache->seq);
    jw_key_int(out, "seq", (int64_t)seq);
    buf_append_str(out, ",\"patch\":");
    if (!diff_write(before, before_len, after, after_len, out)) { return NULL; }
    buf_append_str(out, "}}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    if (msg == NULL) { return NULL; }
    struct delta *slot = &cache->deltas[variant][cache->next_delta[variant]];
    cache->next_delta[variant] = (uint8_t)((cache->next_delta[variant] + 1U) % DELTA_RING);
    msg_unref(slot->msg);
    slot->from = cache->seq;
    slot->to = seq;
    slot->at = uv_now(matches->config.loop);
    slot->msg = msg;
    return msg;
}

/* --- pushing -----------------------------------------------------------------------------------
 */

static bool push(struct matches *matches, struct watch *watch, enum match_push kind,
                 struct msg *msg)
{
    const struct match_hooks *hooks = &matches->config.hooks;
    return hooks->push(hooks->ctx, watch->client, &watch->match->id, watch->viewer, kind, msg);
}

static void set_due(struct watch *watch, bool due)
{
    if (watch->due == due) { return; }
    watch->due = due;
    if (due) {
        watch->match->due_count++;
    } else {
        watch->match->due_count--;
    }
}

/* Sends the deltas from what the watcher has to the current view. False: they are not all at hand,
 * or not taken. Old ones are not sent, for they are at hand only where somebody has kept the match
 * from its rest since. */
static bool push_deltas(struct matches *matches, struct watch *watch)
{
    struct match *match = watch->match;
    struct viewer_cache *cache = match->cache[watch->viewer];
    uint64_t seq = match->tip[watch->viewer].seq;
    if (!watch->delta || !watch->has_seq || cache == NULL || cache->seq != seq) { return false; }
    struct delta *chain[DELTA_RING];
    const uint64_t now = uv_now(matches->config.loop), idle_ms = matches->config.idle_ms;
    unsigned count = 0;
    uint64_t at = seq;
    while (at != watch->seq) {
        struct delta *found = NULL;
        for (unsigned i = 0; i < DELTA_RING && found == NULL; i++) {
            struct delta *delta = &cache->deltas[watch->variant][i];
            const bool fresh = delta->msg != NULL && now - delta->at <= idle_ms;
            if (fresh && delta->to == at) { found = delta; }
        }
        if (found == NULL || count == DELTA_RING) { return false; }
        chain[count++] = found;
        at = found->from;
    }
    while (count > 0) {
        const struct delta *delta = chain[--count];
        if (!push(matches, watch, PUSH_DELTA, delta->msg)) { return false; }
        watch->seq = delta->to;
    }
    return true;
}

/* What a watcher lacks: deltas, or the newest view. */
static void watch_serve(struct matches *matches, struct watch *watch)
{
    struct match *match = watch->match;
    if (!match->begun) { return; }
    uint64_t seq = match->tip[watch->viewer].seq;
    if ((watch->has_seq && watch->seq == seq) || push_deltas(matches, watch)) {
        set_due(watch, false);
        return;
    }
    if (match->frozen && match->frozen_views[watch->viewer] != NULL) {
        set_due(watch, false);
        return;
    }
    const struct view_msg *view = view_current(matches, match, watch->viewer, watch->variant);
    if (view == NULL) {
        set_due(watch, true);
        return;
    }
    set_due(watch, false);
    /* One that is not taken comes again by match_client_ready. */
    if (push(matches, watch, PUSH_VIEW, view->msg)) {
        watch->seq = seq;
        watch->has_seq = true;
    }
}

void watches_serve(struct matches *matches, struct match *match)
{
    if (match->due_count == 0) { return; }
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (watch->due) { watch_serve(matches, watch); }
    }
}

void watches_remind(struct match *match)
{
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (!watch->has_seq || watch->seq != match->tip[watch->viewer].seq) {
            set_due(watch, true);
        }
    }
}

void watches_forget(struct match *match)
{
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        set_due(watch, false);
    }
}

void watches_turn(struct matches *matches, struct match *match, unsigned seat)
{
    if (matches->config.hooks.turn == NULL || account_is_nobody(&match->accounts[seat])) { return; }
    struct buf *out = &matches->patch;
    push_begin(out, "account.turn", &match->id);
    jw_key_str(out, "seat", match->codes[seat]);
    int64_t deadline = match->deadline_ms[seat];
    if (deadline > 0 && deadline != ZONE_NEVER) { jw_key_int(out, "deadline", deadline); }
    buf_append_str(out, "}}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    if (msg == NULL) { return; }
    matches->config.hooks.turn(matches->config.hooks.ctx, &match->accounts[seat], msg);
    msg_unref(msg);
}

/* The step's view of one viewer becomes the cached one; those who watch as it get it. */
static void publish_viewer(struct matches *matches, struct match *match, unsigned viewer,
                           struct flight_step *step)
{
    struct view_msg *made = step->view[viewer];
    uint64_t before = match->tip[viewer].seq;
    match->tip[viewer] = step->tip[viewer];
    struct viewer_cache *cache = match->cache[viewer];
    if (made[PLAIN].msg == NULL && made[FORMS].msg == NULL) {
        /* Nobody watched when it was made; who came since is served when all has landed. */
        if (cache != NULL) { views_drop(cache->view); }
        cache = NULL;
    } else {
        cache = cache_of(match, viewer);
    }
    struct msg *deltas[VARIANTS] = {NULL, NULL};
    for (unsigned v = 0; v < VARIANTS && cache != NULL; v++) {
        if (made[v].msg != NULL && cache->seq == before) {
            deltas[v] = delta_make(matches, match, viewer, (enum variant)v, &made[v],
                                   step->tip[viewer].seq);
        }
    }
    if (cache != NULL) {
        views_drop(cache->view);
        memcpy(cache->view, made, sizeof cache->view);
        memset(made, 0, VARIANTS * sizeof *made);
        cache->seq = step->tip[viewer].seq;
    }
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (watch->viewer != viewer) { continue; }
        /* A watcher whose connection would not take an older one waits for match_client_ready. */
        bool follows = watch->has_seq && watch->seq == before;
        struct msg *view = cache == NULL ? NULL : cache->view[watch->variant].msg;
        if (view == NULL || watch->due || !follows) {
            if (view == NULL || watch->due || !watch->has_seq) { set_due(watch, true); }
            continue;
        }
        struct msg *delta = watch->delta ? deltas[watch->variant] : NULL;
        enum match_push kind = step->begins ? PUSH_STEP : PUSH_VIEW;
        if (push(matches, watch, delta != NULL ? PUSH_DELTA : kind, delta != NULL ? delta : view)) {
            watch->seq = step->tip[viewer].seq;
        }
    }
}

void step_publish(struct matches *matches, struct match *match, struct flight_step *step)
{
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((step->told >> viewer & 1U) == 0) { continue; }
        bool waited = viewer < match->seats && (match->tip[viewer].waits_for >> viewer & 1U) != 0;
        publish_viewer(matches, match, viewer, step);
        bool waits = viewer < match->seats && (match->tip[viewer].waits_for >> viewer & 1U) != 0;
        if (waits && !waited) { watches_turn(matches, match, viewer); }
    }
}

/* --- long polls --------------------------------------------------------------------------------
 */

static void on_wait_closed(uv_handle_t *handle)
{
    free(handle->data);
}

/* Takes a wait out of its lists; it is freed when its timer is closed. */
static void wait_unlink(struct matches *matches, struct wait *wait)
{
    struct match *match = wait->match;
    if (!wait->late) { match->interest[wait->viewer][wait->variant]--; }
    match->wait_count--;
    matches->wait_count--;
    *wait->link = wait->next;
    if (wait->next != NULL) { wait->next->link = wait->link; }
    *wait->client_link = wait->client_next;
    if (wait->client_next != NULL) { wait->client_next->client_link = wait->client_link; }
    wait->client->wait_count--;
    uv_close((uv_handle_t *)&wait->timer, on_wait_closed);
}

static void wait_unchanged(const struct wait *wait)
{
    struct buf out;
    buf_init(&out, 256);
    jw_object_begin(&out);
    const struct match *match = wait->match;
    uint64_t seq = wait->late ? match->late->n : match->tip[wait->viewer].seq;
    jw_key_int(&out, "seq", (int64_t)seq);
    jw_key_bool(&out, "unchanged", true);
    jw_object_end(&out);
    if (out.failed) {
        done_fail(&wait->call, ERR_INTERNAL, NULL);
    } else {
        done_ok(&wait->call, out.data, out.len);
    }
    buf_finish(&out);
}

static void on_wait_over(uv_timer_t *timer)
{
    struct wait *wait = timer->data;
    struct match *match = wait->match;
    struct matches *matches = wait->matches;
    match->holds++;
    wait_unlink(matches, wait);
    wait_unchanged(wait);
    match->holds--;
    match_release(matches, match);
}

void waits_publish(struct matches *matches, struct match *match)
{
    struct wait *next = NULL;
    for (struct wait *wait = match->waits; wait != NULL; wait = next) {
        next = wait->next;
        if (!match->begun || match->tip[wait->viewer].seq <= wait->after) { continue; }
        const struct view_msg *view =
            view_current(matches, match, wait->viewer, (enum variant)wait->variant);
        if (view == NULL) { continue; }
        size_t len = 0;
        struct msg *msg = msg_ref(view->msg);
        const char *text = view_text(view, &len);
        wait_unlink(matches, wait);
        done_ok(&wait->call, text, len);
        msg_unref(msg);
        /* The callback may have begun or ended other waits: begin again at the front. */
        next = match->waits;
    }
}

void wait_end(struct matches *matches, struct wait *wait, enum err err)
{
    wait_unlink(matches, wait);
    if (err == ERR_OK) {
        wait_unchanged(wait);
    } else {
        done_fail(&wait->call, err, NULL);
    }
}

void wait_answer(struct matches *matches, struct wait *wait, const char *text, size_t len)
{
    wait_unlink(matches, wait);
    done_ok(&wait->call, text, len);
}

void waits_end(struct matches *matches, struct match *match, enum err err)
{
    match->holds++;
    while (match->waits != NULL) {
        wait_end(matches, match->waits, err);
    }
    while (match->late != NULL && match->late->waits != NULL) {
        wait_end(matches, match->late->waits, err);
    }
    match->holds--;
}

bool wait_add(struct matches *matches, struct match *match, struct task *task, unsigned viewer,
              enum variant variant, bool late, uint64_t after, uint64_t timeout_ms)
{
    struct wait **list = late ? &match->late->waits : &match->waits;
    struct match_client *client = task->call.client;
    struct wait *wait = calloc(1, sizeof *wait);
    if (wait == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    wait->match = match;
    wait->matches = matches;
    wait->client = client;
    wait->call = task->call;
    wait->after = after;
    wait->viewer = (uint8_t)viewer;
    wait->variant = (uint8_t)variant;
    wait->late = late;
    wait->next = *list;
    wait->link = list;
    if (wait->next != NULL) { wait->next->link = &wait->next; }
    *list = wait;
    wait->client_next = client->waits;
    wait->client_link = &client->waits;
    if (wait->client_next != NULL) { wait->client_next->client_link = &wait->client_next; }
    client->waits = wait;
    client->wait_count++;
    match->wait_count++;
    matches->wait_count++;
    if (!late) { match->interest[viewer][variant]++; }
    (void)uv_timer_init(matches->config.loop, &wait->timer);
    wait->timer.data = wait;
    (void)uv_timer_start(&wait->timer, on_wait_over, timeout_ms, 0);
    return true;
}

static bool run_wait(struct matches *matches, struct match *match, struct task *task)
{
    if (late_is(match, &task->call.account, task->params)) {
        return late_wait(matches, match, task);
    }
    static const char *const names[] = {"match", "after", "as", "timeout_s", "actions", NULL};
    struct why why;
    why_clear(&why);
    int64_t after = 0;
    int64_t timeout_s = 30;
    bool forms = true;
    unsigned viewer = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) {
        err = json_read_int(task->params, "!after", 0, JSON_INT_MAX, &after, &why);
    }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "timeout_s", 0, MATCH_WAIT_S_MAX, &timeout_s, &why);
    }
    if (err == ERR_OK) { err = json_read_bool(task->params, "actions", &forms, &why); }
    if (err == ERR_OK) {
        err = match_viewer(match, &task->call.account, task->params, &viewer, &why);
    }
    if (err == ERR_OK && task->call.client == NULL) {
        err = why_text(&why, ERR_FORBIDDEN, "There is no connection to wait on.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    enum variant variant = forms ? FORMS : PLAIN;
    uint64_t seq = match->tip[viewer].seq;
    if (match->begun && (uint64_t)after > seq) {
        err = why_text(&why, ERR_STALE_STATE, "No such seq yet.");
        why.seq = (int64_t)seq;
        return task_fail(task, err, &why);
    }
    if (match->begun && (uint64_t)after < seq) {
        if (match->frozen) { return task_text(task, ERR_CONFLICT, "The match is frozen."); }
        const struct view_msg *view = view_current(matches, match, viewer, variant);
        if (view == NULL && view_possible(match, viewer)) {
            return task_fail(task, ERR_INTERNAL, NULL);
        }
        if (view == NULL) { return false; }
        size_t len = 0;
        const char *text = view_text(view, &len);
        struct msg *msg = msg_ref(view->msg);
        done_ok(&task->call, text, len);
        msg_unref(msg);
        return true;
    }
    if (task->call.client->wait_count >= MATCH_CLIENT_WAITS_MAX) {
        return task_text(task, ERR_TOO_LARGE, "Too many waits on one connection.");
    }
    if (timeout_s == 0 || matches->closing) { timeout_s = 0; }
    return wait_add(matches, match, task, viewer, variant, false, (uint64_t)after,
                    (uint64_t)timeout_s * 1000);
}

void match_wait(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_wait);
}

/* --- watching ----------------------------------------------------------------------------------
 */

static bool has_seat(const struct match *match, unsigned viewer, const struct account_id *account)
{
    return viewer < match->seats && !account_is_nobody(account) &&
           (account_id_same(&match->accounts[viewer], account) ||
            account_id_same(&match->owners[viewer], account));
}

static uint32_t seats_present(const struct match *match)
{
    uint32_t bits = 0;
    for (const struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (has_seat(match, watch->viewer, &watch->account)) { bits |= 1U << watch->viewer; }
    }
    return bits;
}

uint32_t match_present(struct matches *matches, const struct match_id *id)
{
    const struct match *match = match_find(matches, id);
    return match == NULL ? 0 : seats_present(match);
}

bool match_is_connected(const struct matches *matches, const struct account_id *account)
{
    const struct match_hooks *hooks = &matches->config.hooks;
    return hooks->is_here == NULL || hooks->is_here(hooks->ctx, account);
}

static void tell_present(const struct matches *matches, const struct match_id *id)
{
    const struct match_hooks *hooks = &matches->config.hooks;
    if (hooks->present != NULL && !matches->closing) { hooks->present(hooks->ctx, id); }
}

/* Who comes is told of at once. */
static void note_arrival(struct matches *matches, struct match *match)
{
    uint32_t bits = seats_present(match);
    away_look(matches, match);
    if (bits == match->present) { return; }
    match->present = bits;
    tell_present(matches, &match->id);
}

struct match_crowd match_crowd_show(struct matches *matches, const struct match_id *id,
                                    const struct match_crowd *crowd)
{
    struct match *match = match_find(matches, id);
    if (match == NULL) { return *crowd; }
    const struct match_crowd before = match->crowd;
    match->crowd = *crowd;
    return before;
}

/* Who goes is told of with the next sweep: most come back at once, over a new connection. So is who
 * looks on, or does so no more. */
static void note_crowd(struct matches *matches, const struct match_id *id)
{
    for (unsigned i = 0; i < matches->leaver_count; i++) {
        if (match_id_same(&matches->leavers[i], id)) { return; }
    }
    if (matches->leaver_count == LEAVERS_MAX) {
        tell_present(matches, id);
        return;
    }
    matches->leavers[matches->leaver_count++] = *id;
}

void watches_tell_leavers(struct matches *matches)
{
    for (unsigned i = 0; i < matches->leaver_count; i++) {
        struct match *match = match_find(matches, &matches->leavers[i]);
        if (match == NULL) { continue; }
        match->present = seats_present(match);
        away_look(matches, match);
        tell_present(matches, &match->id);
    }
    matches->leaver_count = 0;
}

void match_client_shown(struct matches *matches, const struct match_client *client)
{
    for (const struct watch *watch = client->watches; watch != NULL; watch = watch->client_next) {
        if (has_seat(watch->match, watch->viewer, &watch->account)) {
            tell_present(matches, &watch->match->id);
        }
    }
}

void watch_end(struct matches *matches, struct watch *watch)
{
    struct match *match = watch->match;
    if (watch->late || watch->viewer >= VIEWER_PUBLIC ||
        has_seat(match, watch->viewer, &watch->account)) {
        note_crowd(matches, &match->id);
    }
    set_due(watch, false);
    if (watch->late) {
        match->late->watch_count--;
    } else {
        match->interest[watch->viewer][watch->variant]--;
        if (watch->delta) { match->delta_interest[watch->viewer][watch->variant]--; }
    }
    match->watch_count--;
    matches->watch_count--;
    *watch->link = watch->next;
    if (watch->next != NULL) { watch->next->link = watch->link; }
    *watch->client_link = watch->client_next;
    if (watch->client_next != NULL) { watch->client_next->client_link = watch->client_link; }
    watch->client->watch_count--;
    pool_free(&matches->watch_pool, watch);
}

void watches_end(struct matches *matches, struct match *match)
{
    while (match->watches != NULL) {
        watch_end(matches, match->watches);
    }
    while (match->late != NULL && match->late->watches != NULL) {
        watch_end(matches, match->late->watches);
    }
}

bool watch_is_stranger(const struct match *match, const struct watch *watch)
{
    return watch->viewer < match->seats && !has_seat(match, watch->viewer, &watch->account);
}

/* match.changed for one that may watch no more as it did. */
void watch_tell_ended(struct matches *matches, struct watch *watch)
{
    struct buf *out = &matches->patch;
    push_begin(out, "match.changed", &watch->match->id);
    jw_key_str(out, "unwatched", match_viewer_name(watch->match, watch->viewer));
    buf_append_str(out, "}}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    if (msg != NULL) { (void)push(matches, watch, PUSH_CHANGED, msg); }
    msg_unref(msg);
}

void watches_end_strangers(struct matches *matches, struct match *match)
{
    struct watch *next = NULL;
    for (struct watch *watch = match->watches; watch != NULL; watch = next) {
        next = watch->next;
        if (!watch_is_stranger(match, watch)) { continue; }
        if (match->begun) { watch_tell_ended(matches, watch); }
        watch_end(matches, watch);
    }
    match->holds++;
    struct wait *after = NULL;
    for (struct wait *wait = match->waits; wait != NULL; wait = after) {
        after = wait->next;
        if (wait->viewer >= match->seats || has_seat(match, wait->viewer, &wait->call.account)) {
            continue;
        }
        wait_unlink(matches, wait);
        done_fail(&wait->call, ERR_FORBIDDEN, NULL);
        /* The callback may have ended others: begin again at the front. */
        after = match->waits;
    }
    match->holds--;
}

void watches_end_lookers(struct matches *matches, struct match *match)
{
    struct watch *next = NULL;
    for (struct watch *watch = match->watches; watch != NULL; watch = next) {
        next = watch->next;
        if (watch->viewer != VIEWER_ALL || look_stands(&match->looks, &watch->account)) {
            continue;
        }
        watch_tell_ended(matches, watch);
        watch_end(matches, watch);
    }
    match->holds++;
    struct wait *after = NULL;
    for (struct wait *wait = match->waits; wait != NULL; wait = after) {
        after = wait->next;
        if (wait->viewer != VIEWER_ALL || look_stands(&match->looks, &wait->call.account)) {
            continue;
        }
        wait_unlink(matches, wait);
        done_fail(&wait->call, ERR_FORBIDDEN, NULL);
        after = match->waits;
    }
    match->holds--;
}

void watches_end_guest(struct matches *matches, struct match *match,
                       const struct account_id *account)
{
    struct watch *next = NULL;
    for (struct watch *watch = match->watches; watch != NULL; watch = next) {
        next = watch->next;
        if (!account_id_same(&watch->account, account)) { continue; }
        watch_tell_ended(matches, watch);
        watch_end(matches, watch);
    }
    match->holds++;
    struct wait *after = NULL;
    for (struct wait *wait = match->waits; wait != NULL; wait = after) {
        after = wait->next;
        if (!account_id_same(&wait->call.account, account)) { continue; }
        wait_unlink(matches, wait);
        done_fail(&wait->call, ERR_FORBIDDEN, NULL);
        after = match->waits;
    }
    late_end(matches, match, account, ERR_FORBIDDEN);
    match->holds--;
}

uint32_t match_watching(struct matches *matches, const struct match_id *id)
{
    const struct match *match = match_find(matches, id);
    uint32_t count = match == NULL ? 0 : late_count(match);
    for (const struct watch *watch = match == NULL ? NULL : match->watches; watch != NULL;
         watch = watch->next) {
        count += watch->viewer >= VIEWER_PUBLIC && match_seat_of(match, &watch->account) < 0;
    }
    return count;
}

static struct watch *watch_find(const struct match *match, const struct match_client *client,
                                unsigned viewer)
{
    struct watch *watch = match->watches;
    while (watch != NULL && (watch->client != client || watch->viewer != viewer)) {
        watch = watch->next;
    }
    return watch;
}

struct watch *watch_add(struct matches *matches, struct match *match, const struct match_call *call,
                        unsigned viewer, enum variant variant, bool delta, bool late)
{
    struct watch **list = late ? &match->late->watches : &match->watches;
    struct match_client *client = call->client;
    struct watch *watch = pool_alloc(&matches->watch_pool);
    if (watch == NULL) { return NULL; }
    watch->match = match;
    watch->client = client;
    watch->account = call->account;
    watch->viewer = (uint8_t)viewer;
    watch->variant = (uint8_t)variant;
    watch->delta = delta;
    watch->late = late;
    watch->next = *list;
    watch->link = list;
    if (watch->next != NULL) { watch->next->link = &watch->next; }
    *list = watch;
    watch->client_next = client->watches;
    watch->client_link = &client->watches;
    if (watch->client_next != NULL) { watch->client_next->client_link = &watch->client_next; }
    client->watches = watch;
    client->watch_count++;
    match->watch_count++;
    matches->watch_count++;
    if (late || viewer >= VIEWER_PUBLIC) { note_crowd(matches, &match->id); }
    if (late) {
        match->late->watch_count++;
        return watch;
    }
    match->interest[viewer][variant]++;
    if (delta) { match->delta_interest[viewer][variant]++; }
    note_arrival(matches, match);
    return watch;
}

static void watch_reply(const struct match *match, const struct match_call *call, unsigned viewer,
                        bool unchanged)
{
    const struct tip_viewer *tip = &match->tip[viewer];
    struct buf out;
    buf_init(&out, 512);
    jw_object_begin(&out);
    jw_key_str(&out, "match", match->id.text);
    jw_key_str(&out, "as", match_viewer_name(match, viewer));
    jw_key_int(&out, "seq", match->begun ? (int64_t)tip->seq : 0);
    /* Before the begin the head is 32 zero bytes (FAIRNESS 5). */
    jw_key_b64(&out, "chain", tip->head.bytes, HASH_BYTES);
    if (unchanged) { jw_key_bool(&out, "unchanged", true); }
    jw_object_end(&out);
    if (out.failed) {
        done_fail(call, ERR_INTERNAL, NULL);
    } else {
        done_ok(call, out.data, out.len);
    }
    buf_finish(&out);
}

static bool run_watch(struct matches *matches, struct match *match, struct task *task)
{
    if (late_is(match, &task->call.account, task->params)) {
        return late_watch(matches, match, task);
    }
    static const char *const names[] = {"match", "as", "delta", "actions", "seq", NULL};
    struct why why;
    why_clear(&why);
    int64_t seq = -1;
    bool delta = false;
    bool forms = true;
    unsigned viewer = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_bool(task->params, "delta", &delta, &why); }
    if (err == ERR_OK) { err = json_read_bool(task->params, "actions", &forms, &why); }
    if (err == ERR_OK) { err = json_read_int(task->params, "seq", 0, JSON_INT_MAX, &seq, &why); }
    if (err == ERR_OK) {
        err = match_viewer(match, &task->call.account, task->params, &viewer, &why);
    }
    struct match_client *client = task->call.client;
    if (err == ERR_OK && client == NULL) {
        err = why_text(&why, ERR_FORBIDDEN, "Pushes exist on WebSocket alone; use match.wait.");
    }
    uint64_t current = match->begun ? match->tip[viewer].seq : 0;
    if (err == ERR_OK && seq >= 0 && (uint64_t)seq > current) {
        err = why_text(&why, ERR_STALE_STATE, "No such seq yet.");
        why.seq = (int64_t)current;
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct watch *watch = watch_find(match, client, viewer);
    if (watch != NULL) { watch_end(matches, watch); }
    if (client->watch_count >= MATCH_CLIENT_WATCHES_MAX ||
        match->watch_count >= MATCH_WATCHERS_MAX) {
        return task_text(task, ERR_TOO_LARGE, "Too many watchers.");
    }
    watch = watch_add(matches, match, &task->call, viewer, forms ? FORMS : PLAIN, delta, false);
    if (watch == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    bool unchanged = match->begun && seq >= 0 && (uint64_t)seq == current;
    watch->has_seq = seq >= 0 && match->begun;
    watch->seq = watch->has_seq ? (uint64_t)seq : 0;
    if (!unchanged && match->begun) { set_due(watch, true); }
    views_prepare(matches, match);
    watch_reply(match, &task->call, viewer, unchanged);
    /* The reply may have led to the end of the connection, and so of the watch. */
    watches_serve(matches, match);
    return true;
}

void match_watch(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_watch);
}

static bool run_unwatch(struct matches *matches, struct match *match, struct task *task)
{
    if (late_is(match, &task->call.account, task->params)) {
        return late_unwatch(matches, match, task);
    }
    static const char *const names[] = {"match", "as", NULL};
    struct why why;
    why_clear(&why);
    const char *as = NULL;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_str(task->params, "as", ROW_CODE_BYTES, &as, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool watched = false;
    struct watch *next = NULL;
    for (struct watch *watch = match->watches; watch != NULL; watch = next) {
        next = watch->next;
        if (watch->client != task->call.client) { continue; }
        watched = true;
        bool named = as == NULL || strcmp(match_viewer_name(match, watch->viewer), as) == 0;
        if (named) { watch_end(matches, watch); }
    }
    /* Who may not know of the match must not hear that there is one. */
    unsigned viewer = VIEWER_PUBLIC;
    if (!watched) { err = match_viewer(match, &task->call.account, NULL, &viewer, &why); }
    if (err == ERR_NOT_FOUND) { return task_fail(task, err, &why); }
    done_ok(&task->call, "{}", 2);
    return true;
}

void match_unwatch(struct matches *matches, const struct match_call *call,
                   const struct cJSON *params)
{
    task_start(matches, call, params, run_unwatch);
}

void match_tell(struct matches *matches, const struct match_id *id, struct msg *msg)
{
    const struct match *match = match_find(matches, id);
    if (match == NULL) { return; }
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        (void)push(matches, watch, PUSH_CHANGED, msg);
    }
}

void match_tell_late(struct matches *matches, const struct match_id *id, struct msg *msg)
{
    const struct match *match = match_find(matches, id);
    if (match == NULL || match->late == NULL) { return; }
    for (struct watch *watch = match->late->watches; watch != NULL; watch = watch->next) {
        (void)push(matches, watch, PUSH_CHANGED, msg);
    }
}

void match_client_gone(struct matches *matches, struct match_client *client)
{
    for (size_t i = 0; matches->task_count > 0 && i < matches->bucket_count; i++) {
        for (struct match *match = matches->buckets[i]; match != NULL; match = match->hash_next) {
            for (struct task *task = match->tasks; task != NULL; task = task->next) {
                if (task->call.client == client) { task->call.client = NULL; }
            }
        }
    }
    while (client->watches != NULL) {
        struct match *match = client->watches->match;
        watch_end(matches, client->watches);
        match_release(matches, match);
    }
    while (client->waits != NULL) {
        struct wait *wait = client->waits;
        struct match *match = wait->match;
        match->holds++;
        wait_unlink(matches, wait);
        /* It is read only by a connection that signed out, or was signed out. */
        done_fail(&wait->call, ERR_FORBIDDEN, NULL);
        match->holds--;
        match_release(matches, match);
    }
}

void match_client_ready(struct matches *matches, struct match_client *client)
{
    for (struct watch *watch = client->watches; watch != NULL; watch = watch->client_next) {
        if (watch->late) {
            late_serve(matches, watch);
        } else {
            watch_serve(matches, watch);
        }
    }
}
