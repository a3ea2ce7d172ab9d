/* server/match/notices.c: what lines tell players outside of their clients; what a player has
 * seen. */
#include "server/match/notices.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/match/live.h"

enum err notices_note(struct flight *flight, enum notice_kind kind, unsigned seat, uint64_t number,
                      const char *data)
{
    struct notice_note *note = calloc(1, sizeof *note);
    if (note == NULL || strlen(data) >= sizeof note->data) {
        free(note);
        return ERR_INTERNAL;
    }
    note->kind = kind;
    note->seat = seat;
    note->number = number;
    memcpy(note->data, data, strlen(data) + 1);
    note->next = flight->notes;
    flight->notes = note;
    return ERR_OK;
}

void notices_forget(struct flight *flight)
{
    while (flight->notes != NULL) {
        struct notice_note *note = flight->notes;
        flight->notes = note->next;
        free(note);
    }
}

/* A unit without its part of the notices must not be stored. */
static enum err refuse_unit(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_STORAGE_FAILED;
}

static bool told_public(const struct match *match, const struct flight_step *step)
{
    return (step->told >> VIEWER_PUBLIC & 1U) != 0 && match->core->begun;
}

/* Whether the public was shown anything that notices follow from. */
static bool concerns(const struct match *match, const struct flight *flight)
{
    if (flight->notes != NULL || flight->ended || seats_moved(flight) >= 0) { return true; }
    for (uint32_t i = 0; i < flight->step_count; i++) {
        if (!told_public(match, &flight->steps[i])) { continue; }
        if (!match->waits_known ||
            flight->steps[i].tip[VIEWER_PUBLIC].waits_for != match->waits_shown) {
            return true;
        }
    }
    return false;
}

static struct notices_write *make_write(struct matches *matches, const struct match *match,
                                        struct flight *flight)
{
    struct notices_write *write = notices_write_create(flight->step_count);
    if (write == NULL) { return NULL; }
    write->match = match->key;
    write->at = matches_now(matches);
    write->due = write->at + matches->config.notice_delay_ms;
    write->over = flight->ended;
    if (seats_moved(flight) >= 0) { write->moved = UINT32_C(1) << (unsigned)seats_moved(flight); }
    write->seats = match->seats;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        write->seq[seat] = match->core->tip[seat].seq;
    }
    size_t count = 0;
    for (uint32_t i = 0; i < flight->step_count; i++) {
        const struct tip_viewer *tip = &flight->steps[i].tip[VIEWER_PUBLIC];
        if (!told_public(match, &flight->steps[i])) { continue; }
        write->steps[count].seq = tip->seq;
        write->steps[count].waits_for = tip->waits_for;
        count++;
    }
    write->step_count = count;
    for (struct notice_note *note = flight->notes; note != NULL; note = note->next) {
        note->seq = match->core->tip[note->seat].seq;
    }
    write->notes = flight->notes;
    flight->notes = NULL;
    return write;
}

void notices_send(struct matches *matches, struct match *match, struct flight *flight,
                  struct store_unit *unit)
{
    if (match->core == NULL || !concerns(match, flight)) { return; }
    struct notices_write *write = make_write(matches, match, flight);
    if (write == NULL) {
        store_unit_add(unit, refuse_unit, NULL, NULL);
        return;
    }
    if (write->step_count > 0) {
        match->waits_shown = write->steps[write->step_count - 1].waits_for;
        match->waits_known = true;
    }
    flight->notices_due = write->due;
    store_unit_add(unit, notices_write_run, write, notices_write_free);
}

void notices_landed(struct matches *matches, struct flight *flight)
{
    const struct match_hooks *hooks = &matches->config.hooks;
    if (flight->notices_due != 0 && hooks->noticed != NULL) {
        hooks->noticed(hooks->ctx, flight->notices_due);
    }
}

/* --- what a player has seen --------------------------------------------------------------------
 */

struct seeing {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    uint64_t seq;
};

static void on_seen(void *ctx, enum err err)
{
    struct seeing *seeing = ctx;
    struct matches *matches = seeing->matches;
    struct match *match = seeing->match;
    if (err == ERR_OK) {
        struct buf *out = &matches->text;
        buf_reset(out);
        jw_object_begin(out);
        jw_key_int(out, "seq", (int64_t)seeing->seq);
        jw_object_end(out);
        done_ok(&seeing->call, out->data, out->len);
    } else {
        done_fail(&seeing->call, ERR_STORAGE_FAILED, NULL);
    }
    free(seeing);
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static enum err read_seen(struct matches *matches, struct match *match, const struct task *task,
                          unsigned *out_seat, int64_t *out_seq, struct why *why)
{
    static const char *const names[] = {"match", "as", "seq", NULL};
    enum err err = json_only(task->params, names, why);
    if (err == ERR_OK) { err = json_read_int(task->params, "!seq", 0, JSON_INT_MAX, out_seq, why); }
    if (err == ERR_OK) {
        err = match_actor(matches, match, &task->call.account, task->params, out_seat, why);
    }
    if (err == ERR_OK && (uint64_t)*out_seq > match->tip[*out_seat].seq) {
        err = why_text(why, ERR_STALE_STATE, "There is no such seq yet.");
        why->seq = (int64_t)match->tip[*out_seat].seq;
    }
    return err;
}

static bool run_seen(struct matches *matches, struct match *match, struct task *task)
{
    struct why why;
    why_clear(&why);
    unsigned seat = 0;
    int64_t seq = 0;
    enum err err = read_seen(matches, match, task, &seat, &seq, &why);
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct seeing *seeing = calloc(1, sizeof *seeing);
    struct seen_write *write = calloc(1, sizeof *write);
    struct store_unit *unit = store_unit_create(NULL, 0);
    if (seeing == NULL || write == NULL || unit == NULL) {
        free(seeing);
        free(write);
        store_unit_destroy(unit);
        return task_fail(task, ERR_INTERNAL, NULL);
    }
    *seeing = (struct seeing){matches, match, task->call, (uint64_t)seq};
    *write = (struct seen_write){match->key, task->call.account, seat, (uint64_t)seq,
                                 matches_now(matches)};
    store_unit_add(unit, seen_write_run, write, free);
    match->holds++;
    matches->pending++;
    store_commit(matches->config.store, unit, on_seen, seeing);
    return true;
}

void match_seen(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_seen);
}
