/* server/match/act.c: what changes a match: actions, undo, resignation, the begin; and lines in
 * flight (DESIGN 5). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/late.h"
#include "server/match/live.h"

struct flight *flight_create(struct matches *matches, struct match *match, unsigned step_cap)
{
    struct flight *flight =
        calloc(1, sizeof(struct flight) + step_cap * sizeof(struct flight_step));
    if (flight == NULL) { return NULL; }
    flight->matches = matches;
    flight->match = match;
    flight->step_cap = step_cap;
    flight->seat = -1;
    return flight;
}

void flight_destroy(struct flight *take_flight)
{
    if (take_flight == NULL) { return; }
    for (uint32_t i = 0; i < take_flight->step_count; i++) {
        for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
            views_drop(take_flight->steps[i].view[viewer]);
        }
        free(take_flight->steps[i].side);
    }
    offers_forget(take_flight);
    clocks_forget(take_flight);
    notices_forget(take_flight);
    standing_forget(take_flight);
    seats_forget(take_flight);
    free(take_flight->action_id);
    free(take_flight->answer);
    free(take_flight);
}

/* A line as a row. The bytes are in scratch->line. */
static enum err note_row(struct matches *matches, const struct core_step *step, uint64_t answer,
                         struct line_row *row)
{
    row->n = step->n;
    row->at = step->at;
    row->seat = step->seat;
    row->told = step->told;
    row->sealed = step->sealed;
    row->answer = answer;
    row->body = malloc(matches->scratch.line.len + 1);
    if (row->body == NULL) { return ERR_INTERNAL; }
    memcpy(row->body, matches->scratch.line.data, matches->scratch.line.len);
    row->body[matches->scratch.line.len] = '\0';
    row->body_len = matches->scratch.line.len;
    return ERR_OK;
}

enum err flight_note(struct matches *matches, struct flight *flight, const struct core_step *step,
                     struct lines_write *write)
{
    assert(flight->step_count < flight->step_cap);
    const struct match *match = flight->match;
    /* Which line of a list remembers the answer matters to nobody. */
    struct line_row *row = &write->lines[flight->step_count];
    enum err err = note_row(matches, step, flight->step_count == 0 ? flight->answer_hash : 0, row);
    if (err != ERR_OK) { return err; }
    struct flight_step *out = &flight->steps[flight->step_count++];
    out->n = step->n;
    out->at = step->at;
    out->told = step->told;
    flight->told |= step->told;
    err = clocks_note(matches, flight, step);
    if (err != ERR_OK) { return err; }
    if ((step->told >> VIEWER_PUBLIC & 1U) != 0) { out->side = side_make(match->core); }
    late_note(flight->match, match->core, out);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((step->told >> viewer & 1U) == 0) { continue; }
        out->tip[viewer] = match->core->tip[viewer];
        bool plain = match->interest[viewer][PLAIN] > 0;
        bool forms = match->interest[viewer][FORMS] > 0;
        if (!match->core->begun || (!plain && !forms)) { continue; }
        if (!views_make(matches, match->core, viewer, plain, forms, out->view[viewer])) {
            return ERR_INTERNAL;
        }
    }
    return standing_follow(flight, step);
}

/* --- the way back ------------------------------------------------------------------------------
 */

static void deferred_end(struct flight *flight, bool stored)
{
    while (flight->deferred != NULL) {
        struct deferred *deferred = flight->deferred;
        flight->deferred = deferred->next;
        if (!stored) {
            /* What it was judged on never was. */
            done_fail(&deferred->call, ERR_STORAGE_FAILED, NULL);
        } else if (deferred->err == ERR_OK) {
            done_ok(&deferred->call, deferred->json, deferred->json_len);
        } else {
            done_fail(&deferred->call, deferred->err, &deferred->why);
        }
        free(deferred->json);
        free(deferred);
    }
}

static void flight_landed(struct matches *matches, struct match *match, struct flight *flight)
{
    match->begun = match->begun || flight->begun;
    if (flight->step_count > 0) { match->next_n = flight->steps[flight->step_count - 1].n + 1; }
    if (flight->ended) { match->reveal_at = flight->reveal_at; }
    if (flight->reopens || flight->reveals) { match->reveal_at = 0; }
    match->over = (match->over && !flight->reopens) || flight->ended;
    clocks_landed(matches, match, flight);
    matches->stats.lines_stored += flight->step_count;
    if (flight->action_id != NULL) {
        store_note_answer(matches->config.store, &flight->call.account, flight->action_id);
    }
    if (flight->call.done != NULL) {
        done_ok(&flight->call, flight->answer, strlen(flight->answer));
    }
    seats_landed(matches, match, flight);
    for (uint32_t i = 0; i < flight->step_count; i++) {
        step_publish(matches, match, &flight->steps[i]);
        side_landed(matches, match, &flight->steps[i]);
    }
    waits_publish(matches, match);
    offers_landed(matches, match, flight);
    clocks_tell(matches, match, flight);
    notices_landed(matches, flight);
    standing_landed(matches, match, flight);
    seats_told(matches, match, flight);
    late_landed(matches, match, flight);
    deferred_end(flight, true);
    bool lives = flight->begins || flight->ended || flight->reopens || flight->reveals;
    if (lives && matches->config.hooks.changed != NULL) {
        matches->config.hooks.changed(matches->config.hooks.ctx, &match->id);
    }
}

/* The caller gets storage_failed, unless its action_id turns out to be stored all the same. */
static void flight_lost(struct matches *matches, struct match *match, struct flight *flight,
                        enum err err)
{
    matches->stats.commits_failed++;
    clocks_lost(matches, match, flight);
    if (flight->call.done != NULL) {
        if (flight->begins) {
            /* What the lobby wrote with it may have refused. */
            done_fail(&flight->call, err, NULL);
        } else if (flight->action_id != NULL) {
            answer_lookup(matches, match, &flight->call, flight->action_id, &flight->params, NULL,
                          ERR_STORAGE_FAILED);
        } else {
            done_fail(&flight->call, ERR_STORAGE_FAILED, NULL);
        }
    }
    deferred_end(flight, false);
}

/* One flight of the unit. */
static void on_flight(struct matches *matches, struct match *match, struct flight *flight,
                      enum err err)
{
    assert(match->first == flight);
    match->first = flight->next;
    if (match->first == NULL) { match->last = NULL; }
    if (flight->seat >= 0) { match->in_flight[flight->seat]--; }
    matches->stats.lines_in_flight -= flight->step_count;
    if (err == ERR_OK) {
        assert(!match->failing);
        flight_landed(matches, match, flight);
    } else {
        match->failing = true;
        flight_lost(matches, match, flight, err);
    }
    if (match->failing && match->first == NULL) {
        /* All failures are taken: the newest state is forgotten, the stored one is read again. */
        matches->stats.loaded -= match->core != NULL ? 1 : 0;
        core_destroy(match->core);
        match->core = NULL;
        clocks_drop(match);
        match->failing = false;
        match->seat_changes = 0;
        store_go_on(matches->config.store, &match->id);
        match_count_bytes(matches, match);
        log_event(LOG_WARN, "match_reloads", "match=%s", match->id.text);
    }
    flight_destroy(flight);
}

static void on_committed(void *ctx, enum err err)
{
    struct flight *flight = ctx;
    struct matches *matches = flight->matches;
    struct match *match = flight->match;
    unsigned count = 0;
    match->holds++;
    while (flight != NULL) {
        struct flight *with = flight->with;
        on_flight(matches, match, flight, err);
        flight = with;
        count++;
    }
    match->holds--;
    match_step(matches, match);
    while (count-- > 0) {
        matches_settled(matches);
    }
}

/* --- the way out -------------------------------------------------------------------------------
 */

/* What the tip will be, and now and then a snapshot. */
static void fill_write(struct matches *matches, struct match *match, struct flight *flight,
                       struct lines_write *write)
{
    const struct core *core = match->core;
    write->match = match->key;
    write->roll = core->roll;
    write->mask = core->mask;
    write->head = core->head;
    tip_write_viewers(core->tip, write->viewers);
    write->line_count = flight->step_count;
    write->first = flight->begins;
    write->begun = core->begun;
    flight->begun = core->begun;
    write->ended = flight->ended;
    if (flight->ended && core->on_time) {
        flight->reveal_at = matches_now(matches) + REVEAL_WAITS_MS;
    }
    write->reveal_at = flight->reveal_at;
    write->at = flight->steps[flight->step_count - 1].at;
    write->rules = core->rules;
    write->state_bytes = core->game->state_bytes;
    write->build = core_build();
    bool due = core->next_n - match->snapshot_n >= matches->config.snapshot_lines;
    if (!core->begun || (!due && !flight->rewinds)) { return; }
    struct buf blob;
    buf_init(&blob, 8U << 20);
    core_save(core, &blob);
    if (!blob.failed) { write->snapshot = buf_take(&blob, &write->snapshot_len); }
    buf_finish(&blob);
    match->snapshot_n = core->next_n;
}

void flight_board(struct matches *matches, struct match *match, struct flight *flight,
                  struct store_unit *unit, struct lines_write *take_write)
{
    if (flight->step_count > 0) {
        fill_write(matches, match, flight, take_write);
        store_unit_add(unit, matches_write, take_write, lines_write_free);
    } else {
        lines_write_free(take_write);
    }
    offers_send(matches, match, flight, unit);
    late_send(match, flight, unit);
    standing_send(matches, match, flight, unit);
    clocks_send(matches, match, flight, unit);
    notices_send(matches, match, flight, unit);
    if (match->last != NULL) {
        match->last->next = flight;
    } else {
        match->first = flight;
    }
    match->last = flight;
    if (flight->seat >= 0) { match->in_flight[flight->seat]++; }
    matches->stats.lines_in_flight += flight->step_count;
    matches->pending++;
}

void flight_send(struct matches *matches, struct match *match, struct flight *flight,
                 struct store_unit *take_unit, struct lines_write *take_write)
{
    flight_board(matches, match, flight, take_unit, take_write);
    standing_run(matches, match, flight, take_unit);
    match_touch(matches, match);
    match_count_bytes(matches, match);
    store_commit(matches->config.store, take_unit, on_committed, flight);
}

/* The reply of PROTOCOL 4: seq and chain of the seat's last step, and the events of all of them. */
void answer_begin(struct buf *out)
{
    buf_reset(out);
    jw_object_begin(out);
    jw_key_array(out, "events");
}

static void answer_add(struct buf *out, const struct msg *said)
{
    if (said == NULL || said->len <= 2) { return; }
    jw_raw(out, msg_text((struct msg *)(uintptr_t)said) + 1, said->len - 2U);
}

static void answer_end(const struct making *making)
{
    const struct tip_viewer *tip = &making->match->core->tip[making->seat];
    struct buf *out = &making->matches->text;
    jw_array_end(out);
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    if (making->holds) { pace_write_answer(making->match, making->seat, "held", out); }
    jw_object_end(out);
}

void making_drop(struct making *making)
{
    flight_destroy(making->flight);
    lines_write_free(making->write);
    store_unit_destroy(making->unit);
}

enum err making_open(struct making *making, unsigned lines)
{
    making->flight = flight_create(making->matches, making->match, lines);
    making->write = lines_write_create(lines);
    making->unit = store_unit_create(&making->match->id, 0);
    if (making->flight == NULL || making->write == NULL || making->unit == NULL) {
        return ERR_INTERNAL;
    }
    struct flight *flight = making->flight;
    flight->call = making->task->call;
    flight->seat = (int)making->seat;
    if (making->action_id == NULL) { return ERR_OK; }
    flight->action_id = strdup(making->action_id);
    making->write->action_id = strdup(making->action_id);
    flight->params = making->params;
    flight->answer_hash = answer_hash(&flight->call.account, making->action_id);
    memcpy(making->write->account, flight->call.account.text, sizeof making->write->account);
    making->write->params = making->params;
    return flight->action_id == NULL || making->write->action_id == NULL ? ERR_INTERNAL : ERR_OK;
}

enum err flight_end(struct matches *matches, struct flight *flight, struct lines_write *write,
                    bool after)
{
    struct core *core = flight->match->core;
    if (core_ends(core)) {
        struct core_step step;
        enum err err = core_end(core, &matches->scratch, matches_now(matches), &step);
        if (err == ERR_OK) { err = flight_note(matches, flight, &step, write); }
        if (err != ERR_OK) { return err; }
    }
    flight->ended = core->over && !after;
    if (!flight->ended) { return ERR_OK; }
    struct buf result;
    buf_init(&result, 65536);
    core->game->result(core->state, &result);
    write->result = result.failed ? NULL : buf_take(&result, &(size_t){0});
    buf_finish(&result);
    return write->result == NULL ? ERR_INTERNAL : ERR_OK;
}

enum err making_go(struct making *making)
{
    struct matches *matches = making->matches;
    struct flight *flight = making->flight;
    struct core *core = making->match->core;
    /* What is done after the end did not end it. */
    bool after = making->after_end || flight->reveals;
    enum err err = flight_end(matches, flight, making->write, after);
    if (err != ERR_OK) { return err; }
    if (matches->text.failed) { return ERR_INTERNAL; }
    flight->answer = strndup(matches->text.data, matches->text.len);
    if (making->action_id != NULL) {
        making->write->answer = strndup(matches->text.data, matches->text.len);
        /* What no line remembers is found in the store. */
        bool lines = flight->step_count > 0;
        if (lines && !idset_add(&core->answered, flight->answer_hash)) { return ERR_INTERNAL; }
    }
    if (flight->answer == NULL || (making->action_id != NULL && making->write->answer == NULL)) {
        return ERR_INTERNAL;
    }
    flight_send(matches, making->match, flight, making->unit, making->write);
    return ERR_OK;
}

enum err making_send(struct making *making)
{
    answer_end(making);
    return making_go(making);
}

/* What reproduces an internal error goes into the database (DESIGN 3). */
static void report_fault(struct matches *matches, struct match *match, unsigned seat,
                         const struct cJSON *action, const char *what)
{
    matches->stats.bad_states++;
    struct fault_write *write = calloc(1, sizeof *write);
    struct store_unit *unit = store_unit_create(NULL, 0);
    struct buf data;
    buf_init(&data, 4U << 20);
    jw_object_begin(&data);
    jw_key_str(&data, "game", match->core->game->name);
    jw_key_int(&data, "rules", match->core->rules);
    jw_key_int(&data, "n", (int64_t)match->core->next_n);
    jw_key_int(&data, "roll", (int64_t)match->core->roll);
    jw_key_int(&data, "mask", (int64_t)match->core->mask);
    jw_key_str(&data, "seat", match->codes[seat]);
    jw_key(&data, "action");
    jw_value(&data, action);
    jw_key(&data, "position");
    match->core->game->position_write(match->core->state, &data);
    jw_object_end(&data);
    if (write == NULL || unit == NULL || data.failed) {
        free(write);
        store_unit_destroy(unit);
        buf_finish(&data);
        return;
    }
    write->match = match->key;
    write->at = matches_now(matches);
    write->n = match->core->next_n;
    write->what = strdup(what);
    write->data = buf_take(&data, &write->data_len);
    buf_finish(&data);
    store_unit_add(unit, matches_write_fault, write, fault_write_free);
    store_commit(matches->config.store, unit, NULL, NULL);
    log_event(LOG_ERROR, "bad_state", "match=%s n=%llu", match->id.text,
              (unsigned long long)match->core->next_n);
}

/* --- what comes before a line ------------------------------------------------------------------
 */

/* Who asks, and whether he may act at all. False: answered. */
bool making_begin(struct making *making, bool *out_wait)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct task *task = making->task;
    struct why why;
    why_clear(&why);
    *out_wait = false;
    enum err err =
        json_read_str(task->params, "action_id", ACTION_ID_BYTES_MAX, &making->action_id, &why);
    if (err == ERR_OK && making->action_id != NULL && making->action_id[0] == '\0') {
        err = why_member(&why, "action_id", "action_id must not be empty");
    }
    if (err == ERR_OK) {
        err = match_actor(matches, match, &task->call.account, task->params, &making->seat, &why);
    }
    if (err == ERR_OK && !match->begun && !(making->early && match->next_n > 0)) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err == ERR_OK && match->frozen) {
        err = why_conflict(&why, "frozen", "This server does not know the rules of this match.");
    }
    if (err != ERR_OK) {
        (void)task_fail(task, err, &why);
        return false;
    }
    if (match->core != NULL && !match->failing) {
        /* What was to be shown by now comes before whatever follows. */
        pace_catch_up(matches, match);
    }
    if (match->core == NULL || match->failing || match->spoilt) {
        match_want_core(matches, match);
        *out_wait = true;
        return false;
    }
    return true;
}

/* True: the action_id was seen before, and the answer is or will be given. */
bool making_repeated(struct making *making)
{
    if (making->action_id == NULL) { return false; }
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct task *task = making->task;
    params_hash(making->method, task->params, &matches->text, &making->params);
    uint64_t hash = answer_hash(&task->call.account, making->action_id);
    for (struct flight *flight = match->first; flight != NULL; flight = flight->next) {
        if (flight->answer_hash != hash || flight->action_id == NULL ||
            strcmp(flight->action_id, making->action_id) != 0 ||
            !account_id_same(&flight->call.account, &task->call.account)) {
            continue;
        }
        struct why why;
        why_clear(&why);
        if (memcmp(&flight->params, &making->params, sizeof flight->params) == 0) {
            done_after(flight, &task->call, ERR_OK, NULL, flight->answer, strlen(flight->answer));
        } else {
            enum err err =
                why_conflict(&why, "action_id", "That action_id was used for something else.");
            done_after(flight, &task->call, err, &why, NULL, 0);
        }
        return true;
    }
    /* Used in this match, or anywhere else: then the store knows. */
    if (task->looked_up ||
        (!idset_has(&match->core->answered, hash) &&
         !store_may_have_answer(matches->config.store, &task->call.account, making->action_id))) {
        return false;
    }
    struct task *again = malloc(sizeof *again);
    if (again != NULL) {
        *again = *task;
        task->draft = NULL;
    }
    answer_lookup(matches, match, &task->call, making->action_id, &making->params, again,
                  ERR_INTERNAL);
    return true;
}

/* Over, stale, or too much at once; answered then. */
bool making_refused(struct making *making, int64_t seq)
{
    struct match *match = making->match;
    struct why why;
    why_clear(&why);
    enum err err = ERR_OK;
    bool open = making->after_end && match->core->on_time && (!match->over || match->reveal_at > 0);
    if (match->core->over && !open) {
        err = why_text(&why, ERR_MATCH_OVER, "The match is over.");
    } else if (seq >= 0 && (uint64_t)seq != match->core->tip[making->seat].seq) {
        err = why_text(&why, ERR_STALE_STATE, "The match has gone on.");
        why.seq = (int64_t)match->core->tip[making->seat].seq;
    } else if (match->in_flight[making->seat] >= MATCH_IN_FLIGHT_MAX ||
               store_is_busy(making->matches->config.store)) {
        err = why_text(&why, ERR_RATE_LIMITED, "Too much at once; try again.");
        why.retry_after_ms = 100;
    }
    if (err == ERR_OK) { return false; }
    done_later(match, making->seat, &making->task->call, err, &why, NULL, 0);
    return true;
}

/* `action` or `actions` of params: the first of a linked list of them, and how many. */
static enum err read_actions(const struct cJSON *params, const struct cJSON **out_first,
                             unsigned *out_count, struct why *why)
{
    const cJSON *one = NULL;
    const cJSON *list = NULL;
    enum err err = json_read_object(params, "action", &one, why);
    if (err == ERR_OK && cJSON_GetArraySize(json_get(params, "actions")) > MATCH_LIST_MAX) {
        return why_text(why, ERR_TOO_LARGE, "A list holds up to 64 actions.");
    }
    if (err == ERR_OK) { err = json_read_array(params, "actions", MATCH_LIST_MAX, &list, why); }
    if (err != ERR_OK) { return err; }
    if ((one == NULL) == (list == NULL)) {
        return why_member(why, one == NULL ? "action" : "actions",
                          "either action or actions must be there");
    }
    if (one != NULL) {
        *out_first = one;
        *out_count = 1;
        return ERR_OK;
    }
    unsigned count = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (!cJSON_IsObject(item)) { return why_member(why, "actions", "actions are objects"); }
        count++;
    }
    if (count == 0) { return why_member(why, "actions", "the list is empty"); }
    *out_first = list->child;
    *out_count = count;
    return ERR_OK;
}

/* `draft` takes the place of both. */
static enum err read_draft(const struct cJSON *params, struct why *why)
{
    int64_t version = 0;
    enum err err = json_read_int(params, "draft", 1, JSON_INT_MAX, &version, why);
    if (err != ERR_OK) { return err; }
    if (json_get(params, "action") == NULL && json_get(params, "actions") == NULL) {
        return ERR_OK;
    }
    return why_member(why, "draft", "either action, actions or draft must be there");
}

/* Answered with the error. An internal fault after the core took lines: once those in flight have
 * landed it is read again. */
bool making_fails(struct making *making, enum err err, const struct why *why)
{
    if (making->changed) { making->match->spoilt = true; }
    making_drop(making);
    done_later(making->match, making->seat, &making->task->call, err, why, NULL, 0);
    return true;
}

/* A line that core has just taken, for its seat told and on its way. */
enum err making_note(struct making *making, const struct core_step *step)
{
    making->changed = true;
    answer_add(&making->matches->text, making->match->core->said[making->seat]);
    return flight_note(making->matches, making->flight, step, making->write);
}

/* The seat's nonce is open or lost with this. */
static enum err make_nonce(struct making *making, unsigned seat, const struct hash *nonce,
                           struct why *why)
{
    struct core_step step;
    struct matches *matches = making->matches;
    enum err err = core_nonce(making->match->core, &matches->scratch, seat, nonce,
                              matches_now(matches), &step, why);
    if (err != ERR_OK) { return err; }
    struct nonce_write *write = &making->write->nonces[seat];
    write->opened = nonce != NULL;
    write->lost = nonce == NULL;
    if (nonce != NULL) { write->nonce = *nonce; }
    return making_note(making, &step);
}

/* Each action in turn on the newest state; the core is as it was unless OK. With flight, lines are
 * noted as well. */
static enum err apply_all(struct making *making, const struct cJSON *first, unsigned count,
                          struct why *why)
{
    struct matches *matches = making->matches;
    struct core *core = making->match->core;
    const struct cJSON *action = first;
    int64_t at = matches_now(matches);
    for (unsigned i = 0; i < count; i++, action = action->next) {
        struct core_step step;
        bool plain = i + 1 < count;
        enum err err = ERR_OK;
        if (pace_holds(matches, making->match, making->seat, action, at)) {
            err = pace_hold(matches, making->match, making->flight, making->seat, action, plain, at,
                            0, 0, why);
            if (err != ERR_OK) { return err; }
            making->holds = true;
            standing_by_hand(making->flight, making->seat);
            continue;
        }
        err = core_act(core, &matches->scratch, making->seat, action, plain, at, &step, why);
        if (err == ERR_INTERNAL && step.broken != NULL) {
            report_fault(matches, making->match, making->seat, action, step.broken);
        }
        if (err != ERR_OK) { return err; }
        making->changed = true;
        standing_by_hand(making->flight, making->seat);
        answer_add(&matches->text, core->said[making->seat]);
        err = flight_note(matches, making->flight, &step, making->write);
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

/* Plays a list to its end, or takes it back whole. */
static enum err apply_list(struct making *making, const struct cJSON *first, unsigned count,
                           struct why *why)
{
    if (count == 1) { return apply_all(making, first, 1, why); }
    struct core_mark mark;
    struct standing_mark standing;
    struct clock_mark clock;
    struct core *core = making->match->core;
    enum err err = core_mark(core, &mark);
    if (err != ERR_OK) { return err; }
    standing_mark(making->match, &standing);
    err = clocks_mark(making->match, making->flight, &clock);
    if (err == ERR_OK) { err = apply_all(making, first, count, why); }
    if (err != ERR_OK && err != ERR_INTERNAL) {
        core_rollback(core, &mark);
        standing_rollback(making->matches, making->match, &standing);
        clocks_rollback(making->match, making->flight, &clock);
        making->changed = false;
    }
    clocks_mark_finish(&clock);
    core_mark_finish(&mark);
    return err;
}

bool match_run_act(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {
        .matches = matches, .match = match, .task = task, .method = "match.act"};
    static const char *const names[] = {"match",   "as",        "seq",   "action",
                                        "actions", "action_id", "draft", NULL};
    struct why why;
    why_clear(&why);
    int64_t seq = -1;
    const struct cJSON *first = NULL;
    unsigned count = 0;
    bool draft = draft_is_named(task->params);
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_int(task->params, "!seq", 0, JSON_INT_MAX, &seq, &why); }
    if (err == ERR_OK && draft) { err = read_draft(task->params, &why); }
    if (err == ERR_OK && !draft) { err = read_actions(task->params, &first, &count, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_repeated(&making) || making_refused(&making, seq)) { return true; }
    if (draft && !draft_is_there(&making, &first, &count)) { return true; }
    err = making_open(&making, count + 1);
    answer_begin(&matches->text);
    if (err == ERR_OK) { err = apply_list(&making, first, count, &why); }
    if (err == ERR_OK && draft) { err = draft_spend(&making); }
    if (err == ERR_OK) { err = making_send(&making); }
    if (err == ERR_OK) { return true; }
    if (err != ERR_INTERNAL) { matches->stats.lines_refused++; }
    return making_fails(&making, err, &why);
}

void match_act(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, match_run_act);
}

/* The seat goes. Where the match goes on without it, nothing may be drawn while its nonce is
 * awaited: it counts as lost. */
enum err making_leave(struct making *making, unsigned seat, enum leave how, struct why *why)
{
    struct core_step step;
    struct matches *matches = making->matches;
    struct core *core = making->match->core;
    enum err err = ERR_OK;
    if (core->nonce[seat] == SEAT_NONCE_AWAITED &&
        core_leaves_behind(core, &matches->scratch, seat, how)) {
        err = make_nonce(making, seat, NULL, why);
    }
    if (err != ERR_OK) { return err; }
    err = core_leave(core, &matches->scratch, seat, how, matches_now(matches), &step, why);
    making->flight->leaves = err == ERR_OK;
    return err != ERR_OK ? err : making_note(making, &step);
}

static enum err make_undo(struct making *making, struct why *why)
{
    struct core_step step;
    struct matches *matches = making->matches;
    const struct standing *standing = &making->match->standing;
    if (standing->held != NULL && standing->asked[making->seat].what != 0) {
        return why_conflict(why, "undo", "What you have answered stands, though it is not shown.");
    }
    enum err err = core_undo(making->match->core, &matches->scratch, making->seat,
                             matches_now(matches), &step, why);
    if (err != ERR_OK) { return err; }
    standing_by_hand(making->flight, making->seat);
    return making_note(making, &step);
}

/* Undo and resignation. */
static bool run_line(struct matches *matches, struct match *match, struct task *task, bool undo)
{
    struct making making = {.matches = matches,
                            .match = match,
                            .task = task,
                            .method = undo ? "match.undo" : "match.resign"};
    static const char *const undo_names[] = {"match", "as", "seq", "action_id", NULL};
    static const char *const resign_names[] = {"match", "as", "action_id", NULL};
    struct why why;
    why_clear(&why);
    int64_t seq = -1;
    enum err err = json_only(task->params, undo ? undo_names : resign_names, &why);
    if (err == ERR_OK && undo) {
        err = json_read_int(task->params, "!seq", 0, JSON_INT_MAX, &seq, &why);
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_repeated(&making) || making_refused(&making, seq)) { return true; }
    err = making_open(&making, 3);
    answer_begin(&matches->text);
    if (err == ERR_OK) {
        err = undo ? make_undo(&making, &why)
                   : making_leave(&making, making.seat, LEAVE_RESIGNED, &why);
    }
    if (err == ERR_OK) { err = making_send(&making); }
    return err == ERR_OK || making_fails(&making, err, &why);
}

static bool run_undo(struct matches *matches, struct match *match, struct task *task)
{
    return run_line(matches, match, task, true);
}

static bool run_resign(struct matches *matches, struct match *match, struct task *task)
{
    return run_line(matches, match, task, false);
}

void match_undo(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_undo);
}

void match_resign(struct matches *matches, const struct match_call *call,
                  const struct cJSON *params)
{
    task_start(matches, call, params, run_resign);
}

/* --- nonces ------------------------------------------------------------------------------------
 */

/* `nonce` or `lost`. */
static enum err read_nonce(const struct cJSON *params, struct hash *out_nonce, bool *out_lost,
                           struct why *why)
{
    const char *text = NULL;
    enum err err = json_read_str(params, "nonce", 64, &text, why);
    if (err == ERR_OK) { err = json_read_bool(params, "lost", out_lost, why); }
    if (err != ERR_OK) { return err; }
    if ((text != NULL) == *out_lost) {
        return why_member(why, *out_lost ? "lost" : "nonce", "either nonce or lost must be there");
    }
    if (text != NULL && !b64_decode(text, out_nonce->bytes, HASH_BYTES)) {
        return why_member(why, "nonce", "a nonce is 32 bytes as base64url");
    }
    return ERR_OK;
}

/* It was opened so before, perhaps by a call whose answer was lost: nothing more to do. */
static bool nonce_stands(const struct making *making, const struct hash *nonce)
{
    const struct core *core = making->match->core;
    if (nonce == NULL) { return core->nonce[making->seat] == SEAT_NONCE_LOST; }
    return core->nonce[making->seat] == SEAT_NONCE_OPENED &&
           memcmp(nonce, &core->nonces[making->seat], sizeof *nonce) == 0;
}

/* With the last nonce a game begins that could not before. */
static enum err make_begin(struct making *making, struct why *why)
{
    struct core_step step;
    struct matches *matches = making->matches;
    struct core *core = making->match->core;
    if (core->begun || !core_may_begin(core)) { return ERR_OK; }
    enum err err = core_begin(core, &matches->scratch, matches_now(matches), &step, why);
    return err != ERR_OK ? err : making_note(making, &step);
}

static bool run_nonce(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {
        .matches = matches, .match = match, .task = task, .method = "match.nonce", .early = true};
    static const char *const names[] = {"match", "as", "nonce", "lost", "action_id", NULL};
    struct why why;
    why_clear(&why);
    struct hash opened;
    bool lost = false;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = read_nonce(task->params, &opened, &lost, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    const struct hash *nonce = lost ? NULL : &opened;
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_repeated(&making) || making_refused(&making, -1)) { return true; }
    answer_begin(&matches->text);
    if (nonce_stands(&making, nonce)) {
        answer_end(&making);
        if (matches->text.failed) { return task_fail(task, ERR_INTERNAL, NULL); }
        done_later(match, making.seat, &task->call, ERR_OK, NULL, matches->text.data,
                   matches->text.len);
        return true;
    }
    err = making_open(&making, 3);
    if (err == ERR_OK) { err = make_nonce(&making, making.seat, nonce, &why); }
    if (err == ERR_OK) { err = make_begin(&making, &why); }
    if (err == ERR_OK) { err = making_send(&making); }
    return err == ERR_OK || making_fails(&making, err, &why);
}

void match_nonce(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_nonce);
}

/* --- try ---------------------------------------------------------------------------------------
 */

/* All but the last as act would, then back again. */
static enum err try_plain(struct making *making, const struct cJSON **action, unsigned count,
                          struct why *why)
{
    struct matches *matches = making->matches;
    for (unsigned i = 0; i + 1 < count; i++, *action = (*action)->next) {
        struct core_step step;
        enum err err = core_act(making->match->core, &matches->scratch, making->seat, *action, true,
                                matches_now(matches), &step, why);
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

/* Nothing is rolled: other keys than the match's, so that no answer can depend on the coming dice.
 */
static enum err try_list(struct making *making, const struct cJSON *first, unsigned count,
                         struct why *why)
{
    struct core *core = making->match->core;
    struct hash key = core->key;
    struct hash mask_key = core->mask_key;
    struct core_mark mark = {.state = NULL};
    enum err err = count > 1 ? core_mark(core, &mark) : ERR_OK;
    if (err != ERR_OK) { return err; }
    memset(&core->key, 0, sizeof core->key);
    memset(&core->mask_key, 0, sizeof core->mask_key);
    const struct cJSON *action = first;
    err = try_plain(making, &action, count, why);
    if (err == ERR_OK) {
        err = core_try(core, &making->matches->scratch, making->seat, action, why);
    }
    core->key = key;
    core->mask_key = mask_key;
    if (count > 1) { core_rollback(core, &mark); }
    core_mark_finish(&mark);
    return err;
}

static bool run_try(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    static const char *const names[] = {"match", "as", "seq", "action", "actions", NULL};
    struct why why;
    why_clear(&why);
    int64_t seq = -1;
    const struct cJSON *first = NULL;
    unsigned count = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_int(task->params, "!seq", 0, JSON_INT_MAX, &seq, &why); }
    if (err == ERR_OK) { err = read_actions(task->params, &first, &count, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_refused(&making, seq)) { return true; }
    bool ahead = match->standing.held != NULL && pace_due(match, making.seat) != 0;
    err = ahead ? pace_try(matches, match, making.seat, first, count, &why)
                : try_list(&making, first, count, &why);
    static const char accepted[] = "{\"accepted\":true}";
    match_touch(matches, match);
    done_later(match, making.seat, &task->call, err, &why, err == ERR_OK ? accepted : NULL,
               sizeof accepted - 1);
    return true;
}

void match_try(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_try);
}
