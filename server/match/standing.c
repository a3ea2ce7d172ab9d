/* server/match/standing.c: standing orders: kept, and carried out. */
#include "server/match/standing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/match/live.h"

#define BIT(i) (UINT32_C(1) << (i))

/* --- kept --------------------------------------------------------------------------------------
 */

static bool on_standing(void *ctx, const struct standing_row *row)
{
    struct standing *standing = ctx;
    cJSON *orders = NULL;
    if (json_parse(row->orders, strlen(row->orders), &orders) != ERR_OK) { return false; }
    standing->seat[row->seat].version = row->version;
    standing->seat[row->seat].orders = orders;
    return true;
}

static bool on_asked(void *ctx, unsigned seat, const struct asked_row *row)
{
    struct standing *standing = ctx;
    standing->asked[seat] = *row;
    return true;
}

static bool on_held(void *ctx, const struct held_row *row)
{
    struct standing *standing = ctx;
    struct held *held = calloc(1, sizeof *held);
    struct held **end = &standing->held;
    if (held == NULL) { return false; }
    held->row = *row;
    held->row.action = NULL;
    if (json_parse(row->action, strlen(row->action), &held->action) != ERR_OK) {
        free(held);
        return false;
    }
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = held;
    standing->next_held = row->number + 1;
    return true;
}

enum err standing_read(struct db *db, int64_t match, struct standing *out_standing)
{
    struct standing standing;
    memset(&standing, 0, sizeof standing);
    standing.next_held = 1;
    const struct orders_reader reader = {on_standing, on_asked, on_held, &standing};
    enum err err = orders_read(db, match, &reader, &standing.pace_ms, &standing.hand_overs);
    if (err != ERR_OK) {
        standing_free(&standing);
        return err;
    }
    *out_standing = standing;
    return ERR_OK;
}

void standing_free(struct standing *standing)
{
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        cJSON_Delete(standing->seat[i].orders);
    }
    pace_free(standing->held);
    pace_free(standing->releasing);
    free(standing->ahead);
    memset(standing, 0, sizeof *standing);
}

/* --- what a flight changes ---------------------------------------------------------------------
 */

struct orders_write *standing_write(struct flight *flight)
{
    if (flight->orders != NULL) { return flight->orders; }
    flight->orders = calloc(1, sizeof *flight->orders);
    if (flight->orders == NULL) { return NULL; }
    flight->orders->match = flight->match->key;
    flight->orders->at = matches_now(flight->matches);
    return flight->orders;
}

void standing_forget(struct flight *flight)
{
    orders_write_free(flight->orders);
    flight->orders = NULL;
}

void standing_by_hand(struct flight *flight, unsigned seat)
{
    struct asked_row *asked = &flight->match->standing.asked[seat];
    if (asked->what == 0 || asked->by_hand) { return; }
    asked->by_hand = true;
    flight->asks |= BIT(seat);
}

static uint64_t asked_now(const struct core *core, unsigned seat)
{
    const struct game *game = core->game;
    if (!core->begun || core->over || game->interrupts == NULL) { return 0; }
    if (game->asked != NULL) { return game->asked(core->state, seat); }
    return game->interrupts(core->state) >> seat & 1U;
}

enum err standing_follow(struct flight *flight, const struct core_step *step)
{
    struct match *match = flight->match;
    for (unsigned seat = 0; seat < match->core->seats; seat++) {
        struct asked_row *asked = &match->standing.asked[seat];
        struct asked_row now = {asked_now(match->core, seat), asked->at, asked->by_hand};
        if ((now.what & ~asked->what) != 0) {
            now.at = step->at;
            now.by_hand = false;
        } else if (now.what == 0) {
            now = (struct asked_row){0, 0, false};
        }
        if (now.what == asked->what && now.at == asked->at) { continue; }
        *asked = now;
        flight->asks |= BIT(seat);
    }
    return ERR_OK;
}

void standing_mark(const struct match *match, struct standing_mark *out_mark)
{
    memcpy(out_mark->asked, match->standing.asked, sizeof out_mark->asked);
    out_mark->next_held = match->standing.next_held;
}

void standing_rollback(struct matches *matches, struct match *match,
                       const struct standing_mark *mark)
{
    memcpy(match->standing.asked, mark->asked, sizeof mark->asked);
    if (match->standing.next_held == mark->next_held) { return; }
    pace_drop(match, mark->next_held);
    pace_refresh(matches, match, NULL);
}

/* --- carried out -------------------------------------------------------------------------------
 */

/* Anything could follow. */
static bool may_follow(const struct standing *standing)
{
    bool any = standing->releasing != NULL;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        any = any || standing->seat[seat].orders != NULL;
    }
    return any;
}

/* What that entry of the seat's orders alone answers now. NULL: nothing. The caller's. */
static cJSON *obey_entry(struct matches *matches, const struct game *game,
                         const struct state *state, unsigned seat, cJSON *entry)
{
    cJSON *next = entry->next, *action = NULL;
    cJSON list = {.type = cJSON_Array, .child = entry};
    struct buf *out = &matches->patch;
    struct why why;
    buf_reset(out);
    entry->next = NULL;
    enum err err = game->obey(state, seat, &list, out);
    entry->next = next;
    if (err != ERR_OK || out->failed || json_parse(out->data, out->len, &action) != ERR_OK) {
        return NULL;
    }
    why_clear(&why);
    if (json_normalise(action, &why) != ERR_OK) {
        cJSON_Delete(action);
        return NULL;
    }
    return action;
}

enum err standing_note_fired(struct flight *flight, const struct fired_row *row)
{
    struct orders_write *write = standing_write(flight);
    if (write == NULL) { return ERR_INTERNAL; }
    if (write->fired_count == write->fired_room) {
        size_t room = write->fired_room == 0 ? 8 : write->fired_room * 2;
        struct fired_row *list = realloc(write->fired, room * sizeof *list);
        if (list == NULL) { return ERR_INTERNAL; }
        write->fired = list;
        write->fired_room = room;
    }
    write->fired[write->fired_count++] = *row;
    return ERR_OK;
}

/* The action becomes a line, or is held. ILLEGAL_ACTION and the like: it does not fit after all. */
static enum err carry_out(struct flight *flight, struct lines_write *write, int64_t at,
                          unsigned seat, unsigned entry, const cJSON *action)
{
    struct matches *matches = flight->matches;
    struct match *match = flight->match;
    struct core *core = match->core;
    struct core_step step;
    struct why why;
    int64_t version = match->standing.seat[seat].version;
    why_clear(&why);
    if (pace_holds(matches, match, seat, action, at)) {
        return pace_hold(matches, match, flight, seat, action, false, at, version, entry, &why);
    }
    enum err err =
        core_act_by(core, &matches->scratch, seat, action, false, "orders", at, &step, &why);
    if (err != ERR_OK) { return err == ERR_INTERNAL ? ERR_ILLEGAL_ACTION : err; }
    if (flight_note(matches, flight, &step, write) != ERR_OK) { return ERR_INTERNAL; }
    flight->steps[flight->step_count - 1].begins = true;
    const struct fired_row row = {step.n, core->tip[seat].seq, seat, entry, version};
    return standing_note_fired(flight, &row);
}

/* The first answer that any order gives. out_found: there was one. */
static enum err fire_one(struct flight *flight, struct lines_write *write, int64_t at,
                         bool *out_found)
{
    struct matches *matches = flight->matches;
    struct standing *standing = &flight->match->standing;
    const struct core *core = flight->match->core;
    *out_found = false;
    if (standing->blind || core->game->obey == NULL) { return ERR_OK; }
    for (unsigned seat = 0; seat < core->seats; seat++) {
        const struct asked_row *asked = &standing->asked[seat];
        if (standing->seat[seat].orders == NULL || asked->what == 0 || asked->by_hand) { continue; }
        unsigned entry = 0;
        for (cJSON *i = standing->seat[seat].orders->child; i != NULL; i = i->next, entry++) {
            const struct state *state = standing->ahead != NULL ? standing->ahead : core->state;
            cJSON *action = obey_entry(matches, core->game, state, seat, i);
            if (action == NULL) { continue; }
            enum err err = carry_out(flight, write, at, seat, entry, action);
            cJSON_Delete(action);
            if (err == ERR_INTERNAL) { return err; }
            *out_found = err == ERR_OK;
            if (err == ERR_OK) { return ERR_OK; }
        }
    }
    return ERR_OK;
}

/* Whether the match has come to wait for a seat that it did not wait for when it last stood still,
 * as everybody is shown it. */
static bool hands_over(struct match *match)
{
    uint32_t before = match->waits_before;
    if (match->core == NULL || !match->core->begun) { return false; }
    uint32_t now = match->core->tip[VIEWER_PUBLIC].waits_for;
    match->waits_before = now;
    return before != 0 && (now & ~before) != 0;
}

/* The unit is complete: the match stands still again. */
static void standing_rest(struct matches *matches, struct match *match, struct store_unit *unit)
{
    if (!hands_over(match)) { return; }
    struct orders_write *write = calloc(1, sizeof *write);
    match->standing.hand_overs++;
    if (write == NULL) { return; } /* a count, no more */
    write->match = match->key;
    write->at = matches_now(matches);
    write->hands_over = true;
    store_unit_add(unit, orders_write_run, write, orders_write_free);
}

/* The next line that follows, if there is one. INTERNAL: the core has taken what cannot be sent. */
static enum err next_line(struct flight *flight, struct lines_write *write, int64_t at,
                          bool *out_found)
{
    enum err err = pace_next(flight, write, out_found);
    if (err == ERR_OK && !*out_found) { err = fire_one(flight, write, at, out_found); }
    if (err != ERR_OK || !*out_found) { return err; }
    return flight_end(flight->matches, flight, write, false);
}

void standing_run(struct matches *matches, struct match *match, struct flight *flight,
                  struct store_unit *unit)
{
    struct flight *last = flight;
    int64_t at =
        flight->step_count > 0 ? flight->steps[flight->step_count - 1].at : matches_now(matches);
    for (unsigned left = STANDING_LINES_MAX; left > 0 && may_follow(&match->standing); left--) {
        if (match->core == NULL || match->core->over || !match->core->begun) { break; }
        struct flight *next = flight_create(matches, match, 2);
        struct lines_write *write = lines_write_create(2);
        bool found = false;
        enum err err = next == NULL || write == NULL ? ERR_INTERNAL : ERR_OK;
        if (err == ERR_OK) { err = next_line(next, write, at, &found); }
        /* What is durable goes on without it, and what orders answer is found again. */
        if (err != ERR_OK) { match->spoilt = true; }
        if (err != ERR_OK || !found) {
            flight_destroy(next);
            lines_write_free(write);
            break;
        }
        flight_board(matches, match, next, unit, write);
        last->with = next;
        last = next;
    }
    standing_rest(matches, match, unit);
}

static enum err write_row(struct flight *flight, unsigned seat, int64_t version, const char *text)
{
    struct orders_write *write = standing_write(flight);
    if (write == NULL) { return ERR_INTERNAL; }
    assert(write->standing_count < ROW_SEATS_MAX);
    struct standing_row *row = &write->standing[write->standing_count++];
    *row = (struct standing_row){seat, version, write->at, strdup(text)};
    return row->orders == NULL ? ERR_INTERNAL : ERR_OK;
}

enum err standing_give_up(struct flight *flight, unsigned seat)
{
    struct standing *standing = &flight->match->standing;
    if (standing->seat[seat].version == 0) { return ERR_OK; }
    cJSON_Delete(standing->seat[seat].orders);
    standing->seat[seat].orders = NULL;
    standing->seat[seat].version = 0;
    return write_row(flight, seat, 0, "");
}

/* --- on its way --------------------------------------------------------------------------------
 */

/* A unit without its part of the orders must not be stored. */
static enum err refuse_unit(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_STORAGE_FAILED;
}

/* What is held as rows, all of it. */
static bool write_held(const struct match *match, struct orders_write *write)
{
    size_t count = 0;
    for (const struct held *held = match->standing.held; held != NULL; held = held->next) {
        count++;
    }
    write->held_cleared = true;
    if (count == 0) { return true; }
    write->held = calloc(count, sizeof *write->held);
    if (write->held == NULL) { return false; }
    for (const struct held *held = match->standing.held; held != NULL; held = held->next) {
        struct held_row *row = &write->held[write->held_count++];
        struct buf text;
        *row = held->row;
        buf_init(&text, STANDING_BYTES_MAX * 4);
        jw_value(&text, held->action);
        row->action = text.failed ? NULL : strdup(buf_str(&text));
        buf_finish(&text);
        if (row->action == NULL) { return false; }
    }
    return true;
}

/* The answer, where no line and no offer remembers it. */
static bool write_answer(const struct flight *flight, struct orders_write *write)
{
    if (flight->step_count > 0 || flight->change != NULL || flight->action_id == NULL) {
        return true;
    }
    memcpy(write->account, flight->call.account.text, sizeof write->account);
    write->params = flight->params;
    write->action_id = strdup(flight->action_id);
    write->answer = strdup(flight->answer);
    return write->action_id != NULL && write->answer != NULL;
}

static bool fill_write(struct match *match, struct flight *flight)
{
    struct orders_write *write = standing_write(flight);
    if (write == NULL) { return false; }
    write->asked_changed = flight->asks;
    memcpy(write->asked, match->standing.asked, sizeof write->asked);
    if (flight->holds && !write_held(match, write)) { return false; }
    return write_answer(flight, write);
}

void standing_send(struct matches *matches, struct match *match, struct flight *flight,
                   struct store_unit *unit)
{
    if (match->core == NULL) { return; }
    struct standing *standing = &match->standing;
    if (flight->step_count > 0 && standing->held != NULL) { pace_refresh(matches, match, flight); }
    if (flight->orders == NULL && flight->asks == 0 && !flight->holds) { return; }
    if (!fill_write(match, flight)) {
        store_unit_add(unit, refuse_unit, NULL, NULL);
        return;
    }
    flight->held_due = standing->held == NULL ? 0 : standing->held->row.due;
    store_unit_add(unit, orders_write_run, flight->orders, orders_write_free);
    flight->orders = NULL;
}

/* Bucket of the histogram: the first whose bound is not below the count. */
static void count_finished(struct matches_stats *stats, uint32_t hand_overs)
{
    unsigned i = 0;
    while (i < HAND_OVER_BOUNDS && hand_overs > (uint32_t)HAND_OVER_STEP * (i + 1)) {
        i++;
    }
    stats->hand_overs[i]++;
    stats->hand_overs_sum += hand_overs;
    stats->hand_overs_count++;
}

void standing_landed(struct matches *matches, struct match *match, struct flight *flight)
{
    if (flight->holds) { pace_tell(matches, match); }
    if (flight->held_due != 0) { pace_expect(matches, flight->held_due); }
    if (flight->ended) { count_finished(&matches->stats, match->standing.hand_overs); }
}

/* --- match.standing ----------------------------------------------------------------------------
 */

/* `orders` and `version`, where orders are left. */
static enum err read_orders(const struct task *task, const cJSON **out_orders, int64_t *out_version,
                            struct why *why)
{
    static const char *const names[] = {"match", "as", "version", "orders", "action_id", NULL};
    const cJSON *params = task->params;
    enum err err = json_only(params, names, why);
    if (err == ERR_OK) {
        err = json_read_int(params, "version", 0, JSON_INT_MAX, out_version, why);
    }
    if (err == ERR_OK) { err = json_read_array(params, "orders", 4096, out_orders, why); }
    if (err == ERR_OK && (*out_orders == NULL) != (json_get(params, "version") == NULL)) {
        err = why_member(why, *out_orders == NULL ? "orders" : "version",
                         "Orders are left with the version that was edited.");
    }
    if (err == ERR_OK && *out_orders == NULL && json_get(params, "action_id") != NULL) {
        err = why_member(why, "action_id", "Nothing is changed.");
    }
    return err;
}

/* What there is, or was just left. */
static void write_orders(const struct standing *standing, unsigned seat, struct buf *out)
{
    jw_object_begin(out);
    jw_key_int(out, "version", standing->seat[seat].version);
    jw_key(out, "orders");
    if (standing->seat[seat].orders == NULL) {
        jw_raw(out, "[]", 2);
    } else {
        jw_value(out, standing->seat[seat].orders);
    }
}

static enum err judge_orders(const struct making *making, const cJSON *orders, int64_t version,
                             struct why *why)
{
    const struct match *match = making->match;
    const struct core *core = match->core;
    if (core->game->orders == NULL || core->game->obey == NULL) {
        return why_conflict(why, "game", "This game takes no standing orders.");
    }
    if (version != match->standing.seat[making->seat].version) {
        return why_conflict(why, "version", "The orders were changed elsewhere: look again.");
    }
    return core->game->orders(core->state, making->seat, orders, why);
}

/* The new orders take the place of the old, at once. */
static enum err leave_orders(struct making *making, const cJSON *orders)
{
    struct match *match = making->match;
    struct buf *text = &making->matches->patch;
    unsigned seat = making->seat;
    cJSON *copy = cJSON_Duplicate(orders, true);
    if (copy == NULL) { return ERR_INTERNAL; }
    buf_reset(text);
    jw_value(text, orders);
    if (text->failed) {
        cJSON_Delete(copy);
        return ERR_INTERNAL;
    }
    making->changed = true;
    cJSON_Delete(match->standing.seat[seat].orders);
    match->standing.seat[seat].orders = copy;
    match->standing.seat[seat].version++;
    making->flight->told |= BIT(seat);
    return write_row(making->flight, seat, match->standing.seat[seat].version, buf_str(text));
}

static bool run_leave(struct matches *matches, struct match *match, struct task *task,
                      const cJSON *orders, int64_t version)
{
    struct making making = {
        .matches = matches, .match = match, .task = task, .method = "match.standing"};
    struct why why;
    why_clear(&why);
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_repeated(&making) || making_refused(&making, -1)) { return true; }
    enum err err = judge_orders(&making, orders, version, &why);
    if (err == ERR_OK) { err = making_open(&making, 1); }
    if (err == ERR_OK) { err = leave_orders(&making, orders); }
    if (err == ERR_OK) {
        buf_reset(&matches->text);
        write_orders(&match->standing, making.seat, &matches->text);
        jw_object_end(&matches->text);
        err = making_go(&making);
    }
    return err == ERR_OK || making_fails(&making, err, &why);
}

/* Which of them answered what, read from the store. */
struct fired_read {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    int64_t key;
    unsigned seat, count;
    struct fired_row rows[STANDING_FIRED_MAX];
    struct buf text;
};

static void fired_free(void *fired_read)
{
    struct fired_read *read = fired_read;
    buf_finish(&read->text);
    free(read);
}

static bool on_fired(void *ctx, const struct fired_row *row)
{
    struct fired_read *read = ctx;
    read->rows[read->count++] = *row;
    return read->count < STANDING_FIRED_MAX;
}

static enum err fired_run(struct db *db, void *fired_read)
{
    struct fired_read *read = fired_read;
    read->count = 0;
    return orders_read_fired(db, read->key, read->seat, STANDING_FIRED_MAX, on_fired, read);
}

static void on_fired_read(void *ctx, enum err err)
{
    struct fired_read *read = ctx;
    struct matches *matches = read->matches;
    struct match *match = read->match;
    struct buf *out = &read->text;
    jw_key_array(out, "fired");
    for (unsigned i = 0; i < read->count; i++) {
        jw_object_begin(out);
        jw_key_int(out, "seq", (int64_t)read->rows[i].seq);
        jw_key_int(out, "version", read->rows[i].version);
        jw_key_int(out, "entry", read->rows[i].entry);
        jw_object_end(out);
    }
    jw_array_end(out);
    jw_object_end(out);
    if (err == ERR_OK && !out->failed) {
        done_ok(&read->call, out->data, out->len);
    } else {
        done_fail(&read->call, err == ERR_OK ? ERR_INTERNAL : err, NULL);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

/* Something that the seat is told of is on its way to the disk. */
static bool is_moving(const struct match *match, unsigned seat)
{
    for (const struct flight *flight = match->first; flight != NULL; flight = flight->next) {
        if ((flight->told >> seat & 1U) != 0) { return true; }
    }
    return false;
}

/* What is on its way is waited for: a seat that has left orders sees what it left. */
static bool run_show(struct matches *matches, struct match *match, struct task *task)
{
    struct why why;
    why_clear(&why);
    unsigned seat = 0;
    enum err err = match_actor(matches, match, &task->call.account, task->params, &seat, &why);
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (match->frozen) {
        return task_fail(task, why_conflict(&why, "frozen", "This server lacks the match's rules."),
                         &why);
    }
    if (match->core == NULL || match->failing || match->spoilt || is_moving(match, seat)) {
        match_want_core(matches, match);
        return false;
    }
    struct fired_read *read = calloc(1, sizeof *read);
    if (read == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    *read = (struct fired_read){matches, match, task->call, match->key, seat, 0, {{0}}, {0}};
    buf_init(&read->text, 4 * STANDING_BYTES_MAX);
    write_orders(&match->standing, seat, &read->text);
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, fired_run, read, fired_free, on_fired_read, read);
    return true;
}

static bool run_standing(struct matches *matches, struct match *match, struct task *task)
{
    struct why why;
    why_clear(&why);
    const cJSON *orders = NULL;
    int64_t version = -1;
    enum err err = read_orders(task, &orders, &version, &why);
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    return orders == NULL ? run_show(matches, match, task)
                          : run_leave(matches, match, task, orders, version);
}

void match_standing(struct matches *matches, const struct match_call *call,
                    const struct cJSON *params)
{
    task_start(matches, call, params, run_standing);
}
