/* server/match/pace.c: answers that are given and shown later. */
#include "server/match/pace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <uv.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/ladder.h"
#include "server/match/live.h"

#define BIT(i) (UINT32_C(1) << (i))

enum { RETRY_MS = 1000 };

int64_t pace_due(const struct match *match, unsigned seat)
{
    const struct standing *standing = &match->standing;
    if (standing->pace_ms == 0 || standing->asked[seat].what == 0) { return 0; }
    return standing->asked[seat].at + standing->pace_ms;
}

/* What the public would be told of it if it were a line now. The dice are those that the line would
 * have, so that it cannot be otherwise than when it is one. */
static bool tells_public(struct matches *matches, const struct match *match, unsigned seat,
                         const struct cJSON *action)
{
    const struct core *core = match->core;
    struct state *state = malloc(core->game->state_bytes);
    struct why why;
    if (state == NULL) { return true; }
    why_clear(&why);
    memcpy(state, core->state, core->game->state_bytes);
    enum err err = core_apply_to(core, &matches->scratch, state, seat, action, true, &why);
    free(state);
    return err == ERR_OK && (matches->scratch.events.told >> VIEWER_PUBLIC & 1U) != 0;
}

bool pace_holds(struct matches *matches, const struct match *match, unsigned seat,
                const struct cJSON *action, int64_t at)
{
    int64_t due = pace_due(match, seat);
    if (due == 0) { return false; }
    if (match->standing.held != NULL) { return true; }
    return at < due && tells_public(matches, match, seat, action);
}

/* --- the match as it will be -------------------------------------------------------------------
 */

/* Judges the action on that state, which it changes. out_drew: nothing more can be judged on it. */
static enum err judge_on(struct matches *matches, const struct match *match, struct state *state,
                         unsigned seat, const struct cJSON *action, bool plain, bool *out_drew,
                         struct why *why)
{
    struct scratch *scratch = &matches->scratch;
    const struct core *core = match->core;
    enum err err = core_apply_to(core, scratch, state, seat, action, false, why);
    if (err != ERR_OK) { return err; }
    if (scratch->events.failed || scratch->dice.exhausted || core->game->check(state) != NULL) {
        return ERR_INTERNAL;
    }
    *out_drew = dice_was_drawn(&scratch->dice);
    if (plain && (*out_drew || scratch->events.sealed)) {
        return why_conflict(why, "list", "only the last action of a list may draw or bind");
    }
    return ERR_OK;
}

static struct state *copy_state(const struct core *core, const struct state *state)
{
    struct state *copy = malloc(core->game->state_bytes);
    if (copy != NULL) { memcpy(copy, state, core->game->state_bytes); }
    return copy;
}

void pace_drop(struct match *match, uint64_t from)
{
    struct held **at = &match->standing.held;
    while (*at != NULL && (*at)->row.number < from) {
        at = &(*at)->next;
    }
    while (*at != NULL) {
        struct held *held = *at;
        *at = held->next;
        cJSON_Delete(held->action);
        free(held);
    }
}

/* When all that is held is shown: at the latest time of those whose answers it holds. */
static void set_due(struct match *match)
{
    int64_t due = 0;
    for (const struct held *held = match->standing.held; held != NULL; held = held->next) {
        int64_t own = pace_due(match, held->row.seat);
        if (own > due) { due = own; }
    }
    for (struct held *held = match->standing.held; held != NULL; held = held->next) {
        held->row.due = due;
    }
}

void pace_refresh(struct matches *matches, struct match *match, struct flight *flight)
{
    struct standing *standing = &match->standing;
    const struct core *core = match->core;
    free(standing->ahead);
    standing->ahead = NULL;
    standing->blind = false;
    if (standing->held == NULL) { return; }
    struct state *state = core->over ? NULL : copy_state(core, core->state);
    for (struct held *held = standing->held; held != NULL; held = held->next) {
        struct why why;
        why_clear(&why);
        bool asked = state != NULL && !standing->blind && standing->asked[held->row.seat].what != 0;
        if (asked && judge_on(matches, match, state, held->row.seat, held->action, false,
                              &standing->blind, &why) == ERR_OK) {
            continue;
        }
        /* What it answered has gone: it was taken back, or the match is over. */
        pace_drop(match, held->row.number);
        if (flight != NULL) { flight->holds = true; }
        break;
    }
    if (standing->held == NULL) {
        free(state);
        standing->blind = false;
        return;
    }
    standing->ahead = state;
    int64_t due = standing->held->row.due;
    set_due(match);
    if (flight != NULL && standing->held->row.due != due) { flight->holds = true; }
}

static enum err refuse_blind(struct why *why)
{
    return why_conflict(why, "held", "What you have answered rolls dice when it is shown: wait.");
}

enum err pace_hold(struct matches *matches, struct match *match, struct flight *flight,
                   unsigned seat, const struct cJSON *action, bool plain, int64_t at,
                   int64_t version, unsigned entry, struct why *why)
{
    struct standing *standing = &match->standing;
    const struct core *core = match->core;
    bool drew = false;
    if (standing->blind) { return refuse_blind(why); }
    struct state *state = copy_state(core, standing->ahead != NULL ? standing->ahead : core->state);
    struct held *held = calloc(1, sizeof *held);
    cJSON *copy = cJSON_Duplicate(action, true);
    enum err err = state == NULL || held == NULL || copy == NULL ? ERR_INTERNAL : ERR_OK;
    if (err == ERR_OK) { err = judge_on(matches, match, state, seat, action, plain, &drew, why); }
    if (err != ERR_OK) {
        free(state);
        free(held);
        cJSON_Delete(copy);
        return err;
    }
    held->row = (struct held_row){.number = standing->next_held++,
                                  .seat = seat,
                                  .at = at,
                                  .version = version,
                                  .entry = entry};
    held->action = copy;
    struct held **end = &standing->held;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = held;
    set_due(match);
    free(standing->ahead);
    standing->ahead = state;
    standing->blind = drew;
    flight->holds = true;
    flight->told |= BIT(seat);
    return ERR_OK;
}

enum err pace_try(struct matches *matches, const struct match *match, unsigned seat,
                  const struct cJSON *first, unsigned count, struct why *why)
{
    const struct standing *standing = &match->standing;
    if (standing->blind) { return refuse_blind(why); }
    struct state *state = copy_state(match->core, standing->ahead);
    enum err err = state == NULL ? ERR_INTERNAL : ERR_OK;
    bool drew = false;
    for (unsigned i = 0; i < count && err == ERR_OK; i++, first = first->next) {
        err = judge_on(matches, match, state, seat, first, i + 1 < count, &drew, why);
    }
    free(state);
    return err;
}

/* --- shown -------------------------------------------------------------------------------------
 */

bool pace_is_due(const struct matches *matches, const struct match *match)
{
    const struct held *held = match->standing.held;
    return held != NULL && held->row.due <= matches_now(matches);
}

void pace_free(struct held *take_held)
{
    while (take_held != NULL) {
        struct held *held = take_held;
        take_held = held->next;
        cJSON_Delete(held->action);
        free(held);
    }
}

/* It becomes a line with the time at which it is due. */
static enum err make_line(struct flight *flight, struct lines_write *write, const struct held *held,
                          bool *out_found)
{
    const struct held_row *row = &held->row;
    struct core *core = flight->match->core;
    struct core_step step;
    struct why why;
    why_clear(&why);
    enum err err = core_act_by(core, &flight->matches->scratch, row->seat, held->action, false,
                               row->version > 0 ? "orders" : NULL, row->due, &step, &why);
    if (err != ERR_OK) {
        log_event(LOG_WARN, "held_refused", "match=%s kind=%s", core->id.text, err_kind(err));
        return err == ERR_INTERNAL && step.broken == NULL ? ERR_INTERNAL : ERR_OK;
    }
    *out_found = true;
    err = flight_note(flight->matches, flight, &step, write);
    if (err != ERR_OK) { return err; }
    flight->steps[flight->step_count - 1].begins = true;
    const struct fired_row fired = {step.n, core->tip[row->seat].seq, row->seat, row->entry,
                                    row->version};
    return row->version > 0 ? standing_note_fired(flight, &fired) : ERR_OK;
}

enum err pace_next(struct flight *flight, struct lines_write *write, bool *out_found)
{
    struct standing *standing = &flight->match->standing;
    struct held *held = standing->releasing;
    *out_found = false;
    if (held == NULL) { return ERR_OK; }
    standing->releasing = held->next;
    held->next = NULL;
    enum err err = make_line(flight, write, held, out_found);
    pace_free(held);
    if (err == ERR_OK && *out_found) { return ERR_OK; }
    /* What came behind it was judged on it. */
    pace_free(standing->releasing);
    standing->releasing = NULL;
    return err;
}

/* A flight of nobody's: the time has come. The others follow it (standing_run). */
enum err pace_release(struct matches *matches, struct match *match)
{
    struct standing *standing = &match->standing;
    struct task nobody = {.call = {.done = NULL}};
    struct making making = {
        .matches = matches, .match = match, .task = &nobody, .seat = standing->held->row.seat};
    bool found = false;
    enum err err = making_open(&making, 2);
    standing->releasing = standing->held;
    standing->held = NULL;
    free(standing->ahead);
    standing->ahead = NULL;
    standing->blind = false;
    if (err == ERR_OK) {
        making.flight->holds = true;
        making.flight->told |= BIT(making.seat);
        err = pace_next(making.flight, making.write, &found);
    }
    buf_reset(&matches->text);
    buf_append_str(&matches->text, "{}");
    if (err == ERR_OK) { err = making_go(&making); }
    if (err == ERR_OK) { return ERR_OK; }
    making_drop(&making); /* what was held is read again */
    return ERR_INTERNAL;
}

void pace_catch_up(struct matches *matches, struct match *match)
{
    while (!match->spoilt && !matches->closing && pace_is_due(matches, match)) {
        int64_t due = match->standing.held->row.due;
        struct clock_event next = {.kind = CLOCK_EV_NONE};
        if (match->clock != NULL) { clock_next(&match->clock->clock, &match->clock->spec, &next); }
        if (next.kind != CLOCK_EV_NONE && next.at_ms <= due) { ladder_until(matches, match, due); }
        if (match->spoilt || !pace_is_due(matches, match)) { break; }
        match->spoilt = pace_release(matches, match) != ERR_OK;
    }
}

/* --- told to who is asked ----------------------------------------------------------------------
 */

void pace_write_answer(const struct match *match, unsigned seat, const char *name, struct buf *out)
{
    const struct standing *standing = &match->standing;
    int64_t due = pace_due(match, seat);
    if (due == 0) { return; }
    jw_key_object(out, name);
    jw_key_int(out, "asked", standing->asked[seat].at);
    jw_key_int(out, "until", standing->held != NULL ? standing->held->row.due : due);
    jw_key_array(out, "given");
    for (const struct held *held = standing->held; held != NULL; held = held->next) {
        if (held->row.seat == seat) { jw_value(out, held->action); }
    }
    jw_array_end(out);
    jw_object_end(out);
}

/* Member "view": the match as the seat will be shown it, with forms to go on with its sitting. */
static void write_ahead(const struct match *match, unsigned seat, struct buf *out)
{
    const struct standing *standing = &match->standing;
    if (standing->ahead == NULL || standing->blind || standing->asked[seat].what == 0) { return; }
    /* The match as its core would show it, had what is held been shown: with nothing said. */
    struct core ahead = *match->core;
    ahead.state = standing->ahead;
    ahead.said[seat] = NULL;
    ahead.tip[seat].undo = 0;
    jw_key(out, "view");
    core_view(&ahead, seat, true, out, NULL);
}

void pace_tell(struct matches *matches, struct match *match)
{
    const struct match_hooks *hooks = &matches->config.hooks;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        struct buf *out = &matches->patch;
        if (match->core == NULL ||
            match->interest[seat][PLAIN] + match->interest[seat][FORMS] == 0) {
            continue;
        }
        buf_reset(out);
        buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"match.changed\",\"params\":");
        jw_object_begin(out);
        jw_key_str(out, "match", match->id.text);
        size_t empty = out->len;
        pace_write_answer(match, seat, "answer", out);
        if (out->len == empty) { continue; }
        jw_object_end(out);
        buf_append_str(out, "}");
        struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
        for (struct watch *watch = match->watches; msg != NULL && watch != NULL;
             watch = watch->next) {
            if (watch->viewer != seat) { continue; }
            (void)hooks->push(hooks->ctx, watch->client, &match->id, seat, PUSH_CHANGED, msg);
        }
        msg_unref(msg);
    }
}

static bool run_held(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", NULL};
    struct why why;
    why_clear(&why);
    unsigned seat = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) {
        err = match_actor(matches, match, &task->call.account, task->params, &seat, &why);
    }
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err == ERR_OK && match->frozen) {
        err = why_conflict(&why, "frozen", "This server does not know the rules of this match.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (match->core == NULL || match->failing || match->spoilt) {
        match_want_core(matches, match);
        return false;
    }
    struct buf *out = &matches->view;
    buf_reset(out);
    jw_object_begin(out);
    jw_key_int(out, "seq", (int64_t)match->core->tip[seat].seq);
    pace_write_answer(match, seat, "answer", out);
    write_ahead(match, seat, out);
    jw_object_end(out);
    match_touch(matches, match);
    done_later(match, seat, &task->call, out->failed ? ERR_INTERNAL : ERR_OK, NULL,
               out->failed ? NULL : out->data, out->len);
    return true;
}

void match_held(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_held);
}

/* --- the time ----------------------------------------------------------------------------------
 */

struct due_read {
    struct matches *matches;
    int64_t now, next;
    struct match_id *due;
    size_t count, room;
};

static bool on_due_row(void *ctx, const struct match_id *id, int64_t due)
{
    struct due_read *read = ctx;
    if (due > read->now) {
        if (due < read->next) { read->next = due; }
        return true;
    }
    if (read->count == read->room) {
        size_t room = read->room == 0 ? 16 : read->room * 2;
        struct match_id *list = realloc(read->due, room * sizeof *list);
        if (list == NULL) { return false; }
        read->due = list;
        read->room = room;
    }
    read->due[read->count++] = *id;
    return true;
}

static enum err due_run(struct db *db, void *due_read)
{
    struct due_read *read = due_read;
    read->count = 0;
    read->next = INT64_MAX;
    return orders_read_due(db, on_due_row, read);
}

static void due_free(void *due_read)
{
    struct due_read *read = due_read;
    free(read->due);
    free(read);
}

static void on_released(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)ctx;
    (void)err;
    (void)why;
    (void)json;
    (void)n;
}

static bool run_release(struct matches *matches, struct match *match, struct task *task)
{
    if (!match->begun || match->frozen || matches->closing) {
        done_ok(&task->call, "{}", 2);
        return true;
    }
    if (match->core == NULL || match->failing || match->spoilt) {
        match_want_core(matches, match);
        return false;
    }
    pace_catch_up(matches, match);
    done_ok(&task->call, "{}", 2);
    return true;
}

static void on_timer(uv_timer_t *timer)
{
    match_pace_look(timer->data);
}

static void set_timer(struct matches *matches)
{
    int64_t now = matches_now(matches);
    if (matches->held_timer == NULL) {
        matches->held_timer = malloc(sizeof *matches->held_timer);
        if (matches->held_timer == NULL) { return; } /* the sweep looks as well, if later */
        (void)uv_timer_init(matches->config.loop, matches->held_timer);
        uv_unref((uv_handle_t *)matches->held_timer);
        matches->held_timer->data = matches;
    }
    int64_t wait = matches->held_next > now ? matches->held_next - now : 0;
    if (matches->held_next == INT64_MAX) {
        (void)uv_timer_stop(matches->held_timer);
    } else {
        (void)uv_timer_start(matches->held_timer, on_timer, (uint64_t)wait, 0);
    }
}

void pace_expect(struct matches *matches, int64_t due)
{
    if (due >= matches->held_next) { return; }
    matches->held_next = due;
    set_timer(matches);
}

static void on_due_read(void *ctx, enum err err)
{
    struct due_read *read = ctx;
    struct matches *matches = read->matches;
    static const struct match_call nobody = {.done = on_released};
    matches->held_reading = false;
    int64_t next = err == ERR_OK ? read->next : read->now + RETRY_MS;
    if (err == ERR_OK && !matches->closing) {
        for (size_t i = 0; i < read->count; i++) {
            task_start_id(matches, &nobody, &read->due[i], NULL, run_release);
        }
        /* Whatever was due and fails is due again. */
        if (read->count > 0 && next > read->now + RETRY_MS) { next = read->now + RETRY_MS; }
    }
    if (next < matches->held_next) { matches->held_next = next; }
    set_timer(matches);
    matches_settled(matches);
}

void match_pace_look(struct matches *matches)
{
    int64_t now = matches_now(matches);
    if (matches->closing || matches->held_reading || now < matches->held_next) { return; }
    struct due_read *read = calloc(1, sizeof *read);
    if (read == NULL) { return; }
    read->matches = matches;
    read->now = now;
    matches->held_reading = true;
    matches->held_next = INT64_MAX; /* what comes meanwhile brings it forward again */
    matches->pending++;
    store_read(matches->config.store, due_run, read, due_free, on_due_read, read);
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle);
}

void pace_close(struct matches *matches)
{
    if (matches->held_timer == NULL) { return; }
    uv_close((uv_handle_t *)matches->held_timer, on_timer_closed);
    matches->held_timer = NULL;
}
