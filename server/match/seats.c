/* server/match/seats.c: a seat changes hands: the line, the row, and who is shown what from then
 * on. */
#include "server/match/seats.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/live.h"
#include "server/match/standing.h"
#include "server/store/people.h"

static const char *const hows[SEAT_HOWS] = {"vacant", "substitute", "caretaker", "lent", "back"};

const char *seat_how_name(enum seat_how how)
{
    return hows[how];
}

/* What a flight makes of a seat. */
struct seat_change {
    unsigned seat;
    enum seat_how how;
    struct account_id account; /* who has the seat afterwards */
    struct account_id owner;   /* who has lent it then; "": nobody */
    int64_t until;
    bool moves; /* it is another account than before */
};

void seats_forget(struct flight *flight)
{
    free(flight->seat_change);
    flight->seat_change = NULL;
}

/* One call, until it is answered. */
struct giving {
    struct matches *matches;
    struct match_id id;
    unsigned seat;
    struct account_id account;
    enum seat_how how;
    int64_t until_ms;
    struct store_unit *unit;
    struct people_seat_write *write; /* the unit's, once it is under way */
    match_done_fn *done;
    void *ctx;
};

/* The answer to match_seat_give, whatever became of it. */
static void on_given(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct giving *giving = ctx;
    struct why knows;
    if (err != ERR_OK && giving->write != NULL && giving->write->knows) {
        why_clear(&knows);
        err = why_conflict(&knows, "knows", "That player knows more of the match than the public.");
        why = &knows;
    }
    store_unit_destroy(giving->unit);
    if (giving->done != NULL) { giving->done(giving->ctx, err, why, json, n); }
    free(giving);
}

/* --- judging -----------------------------------------------------------------------------------
 */

static enum err refuse_seat(struct why *why, const char *text)
{
    return why_conflict(why, "seat", text);
}

static bool is_lent(const struct match *match, unsigned seat)
{
    return match->owners[seat].text[0] != '\0';
}

static enum err judge_newcomer(const struct match *match, const struct giving *giving,
                               struct why *why)
{
    if (account_is_nobody(&giving->account)) {
        return refuse_seat(why, "Nobody is named who is to have it.");
    }
    for (unsigned i = 0; i < match->seats; i++) {
        if (account_id_same(&match->accounts[i], &giving->account) ||
            account_id_same(&match->owners[i], &giving->account)) {
            return refuse_seat(why, "That player has a seat in this match.");
        }
    }
    return ERR_OK;
}

static enum err judge_kind(const struct match *match, const struct giving *giving, struct why *why)
{
    unsigned seat = giving->seat;
    bool vacant = (match->vacant >> seat & 1U) != 0;
    switch (giving->how) {
    case SEAT_VACANT: return vacant ? refuse_seat(why, "It is offered to others already.") : ERR_OK;
    case SEAT_BACK:
        return vacant || is_lent(match, seat) ? ERR_OK : refuse_seat(why, "It is not lent.");
    case SEAT_LENT:
        if (is_lent(match, seat)) { return refuse_seat(why, "It is lent already."); }
        if (match->core->nonce[seat] == SEAT_NONCE_AWAITED) {
            return why_conflict(why, "nonce", "The seat's holder must open its nonce first.");
        }
        break;
    default: break;
    }
    return judge_newcomer(match, giving, why);
}

static enum err judge_give(struct matches *matches, const struct match *match,
                           const struct giving *giving, struct why *why)
{
    if (giving->seat >= match->seats || account_is_nobody(&match->accounts[giving->seat])) {
        return refuse_seat(why, "There is no such seat, or nobody has it.");
    }
    if (match->core->over) { return why_text(why, ERR_MATCH_OVER, "The match is over."); }
    if (match->seat_changes != 0) {
        return why_conflict(why, "seat_changes", "A seat is changing hands; try again.");
    }
    if (core_has_left(match->core, &matches->scratch, giving->seat)) {
        return refuse_seat(why, "That seat has left the match.");
    }
    return judge_kind(match, giving, why);
}

/* --- writing -----------------------------------------------------------------------------------
 */

static struct seat_change *make_change(const struct match *match, const struct giving *giving)
{
    struct seat_change *change = calloc(1, sizeof *change);
    if (change == NULL) { return NULL; }
    unsigned seat = giving->seat;
    bool back = giving->how == SEAT_BACK && is_lent(match, seat);
    change->seat = seat;
    change->how = giving->how;
    change->account = match->accounts[seat];
    change->owner = match->owners[seat];
    change->until = match->until[seat];
    if (giving->how == SEAT_VACANT || (giving->how == SEAT_BACK && !back)) { return change; }
    change->account = back ? match->owners[seat] : giving->account;
    change->until = giving->how == SEAT_LENT ? giving->until_ms : 0;
    memset(&change->owner, 0, sizeof change->owner);
    if (giving->how == SEAT_LENT) { change->owner = match->accounts[seat]; }
    if (giving->how == SEAT_CARETAKER) {
        change->owner = is_lent(match, seat) ? match->owners[seat] : match->accounts[seat];
    }
    change->moves = true;
    return change;
}

static struct people_seat_write *make_write(struct matches *matches, const struct match *match,
                                            const struct seat_change *change)
{
    struct people_seat_write *write = calloc(1, sizeof *write);
    if (write == NULL) { return NULL; }
    const struct account_id *before = &match->accounts[change->seat];
    write->match = match->key;
    write->at = matches_now(matches);
    write->seat = change->seat;
    memcpy(write->how, hows[change->how], strlen(hows[change->how]) + 1);
    write->before = *before;
    if (!account_id_same(before, &change->account)) { write->after = change->account; }
    write->owner = change->owner;
    write->until = change->until;
    write->vacant = change->how == SEAT_VACANT;
    return write;
}

/* The lines: a nonce that only the old holder could have opened is lost, then the seat. */
static enum err make_lines(struct giving *giving, struct match *match, struct flight *flight,
                           struct lines_write *write)
{
    struct matches *matches = giving->matches;
    struct core *core = match->core;
    struct core_step step;
    struct why why;
    int64_t at = matches_now(matches);
    bool parts = giving->how == SEAT_SUBSTITUTE || giving->how == SEAT_CARETAKER;
    enum err err = ERR_OK;
    if (parts && core->nonce[giving->seat] == SEAT_NONCE_AWAITED) {
        why_clear(&why);
        err = core_nonce(core, &matches->scratch, giving->seat, NULL, at, &step, &why);
        write->nonces[giving->seat].lost = true;
        if (err == ERR_OK) { err = flight_note(matches, flight, &step, write); }
    }
    const struct line_host act = {.host = "seat",
                                  .to = -1,
                                  .how = hows[giving->how],
                                  .seat = core->codes[giving->seat],
                                  .ms = -1};
    if (err == ERR_OK) { err = core_tell(core, &matches->scratch, &act, at, &step); }
    return err == ERR_OK ? flight_note(matches, flight, &step, write) : err;
}

static char *make_answer(struct matches *matches, const struct match *match,
                         const struct giving *giving)
{
    const struct tip_viewer *tip = &match->core->tip[VIEWER_PUBLIC];
    struct buf *out = &matches->text;
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "match", match->id.text);
    jw_key_str(out, "seat", match->codes[giving->seat]);
    jw_key_str(out, "how", hows[giving->how]);
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    jw_object_end(out);
    return out->failed ? NULL : strndup(out->data, out->len);
}

/* Off it goes. INTERNAL: no memory, or the core has taken a line that cannot be sent. */
static enum err give(struct giving *giving, struct match *match, const struct match_call *call)
{
    struct matches *matches = giving->matches;
    struct flight *flight = flight_create(matches, match, 2);
    struct lines_write *lines = lines_write_create(2);
    struct seat_change *change = make_change(match, giving);
    struct people_seat_write *write = change == NULL ? NULL : make_write(matches, match, change);
    if (giving->unit == NULL) { giving->unit = store_unit_create(&match->id, 0); }
    bool good = flight != NULL && lines != NULL && write != NULL && giving->unit != NULL;
    if (good) {
        match->spoilt = make_lines(giving, match, flight, lines) != ERR_OK;
        bool parts = giving->how == SEAT_SUBSTITUTE || giving->how == SEAT_CARETAKER;
        if (parts && !match->spoilt) {
            match->spoilt = standing_give_up(flight, giving->seat) != ERR_OK;
        }
        if (!match->spoilt) { flight->answer = make_answer(matches, match, giving); }
        match->spoilt = match->spoilt || flight->answer == NULL;
        good = !match->spoilt;
    }
    if (!good) {
        flight_destroy(flight);
        lines_write_free(lines);
        free(change);
        free(write);
        return ERR_INTERNAL;
    }
    flight->call = *call;
    flight->seat_change = change;
    match->seat_changes |= (uint8_t)(1U << giving->seat);
    giving->write = write;
    struct store_unit *unit = giving->unit;
    giving->unit = NULL;
    store_unit_add(unit, people_write_seat, write, free);
    flight_send(matches, match, flight, unit, lines);
    return ERR_OK;
}

static bool run_give(struct matches *matches, struct match *match, struct task *task)
{
    struct giving *giving = task->call.ctx;
    struct why why;
    why_clear(&why);
    enum err err = ERR_OK;
    if (matches->closing) { err = ERR_CLOSING; }
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
    err = judge_give(matches, match, giving, &why);
    if (err == ERR_OK) { err = give(giving, match, &task->call); }
    return err == ERR_OK || task_fail(task, err, &why);
}

void match_seat_give(struct matches *matches, const struct match_id *id, unsigned seat,
                     const struct account_id *account, enum seat_how how, int64_t until_ms,
                     struct store_unit *take_with, match_done_fn *done, void *ctx)
{
    struct giving *giving = calloc(1, sizeof *giving);
    if (giving == NULL) {
        struct why why;
        why_clear(&why);
        store_unit_destroy(take_with);
        if (done != NULL) { done(ctx, ERR_INTERNAL, &why, NULL, 0); }
        return;
    }
    giving->matches = matches;
    giving->id = *id;
    giving->seat = seat;
    if (account != NULL) { giving->account = *account; }
    giving->how = how;
    giving->until_ms = until_ms;
    giving->unit = take_with;
    giving->done = done;
    giving->ctx = ctx;
    struct match_call call = {.done = on_given, .ctx = giving};
    task_start_id(matches, &call, id, NULL, run_give);
}

bool match_seat_stands(struct matches *matches, const struct match_id *id, unsigned seat,
                       bool *out_vacant, int64_t *out_until_ms)
{
    const struct match *match = match_find(matches, id);
    if (match == NULL || !match->known || seat >= match->seats) { return false; }
    *out_vacant = (match->vacant >> seat & 1U) != 0;
    *out_until_ms = match->until[seat];
    return true;
}

int seats_moved(const struct flight *flight)
{
    const struct seat_change *change = flight->seat_change;
    return change != NULL && change->moves ? (int)change->seat : -1;
}

/* --- landing -----------------------------------------------------------------------------------
 */

static void switch_seat(struct match *match, const struct seat_change *change)
{
    unsigned seat = change->seat;
    match->accounts[seat] = change->account;
    match->owners[seat] = change->owner;
    match->until[seat] = change->until;
    match->vacant &= (uint8_t) ~(1U << seat);
    if (change->how == SEAT_VACANT) { match->vacant |= (uint8_t)(1U << seat); }
}

/* Who has the seat no more is remembered: the borrower, or all that had to do with it. */
static void note_sat(struct match *match, const struct seat_change *change)
{
    unsigned seat = change->seat;
    bool moves = !account_id_same(&match->accounts[seat], &change->account);
    if (moves && change->how != SEAT_LENT) {
        guests_note(match, &match->accounts[seat], GUEST_SAT, true);
    }
    if (moves && is_lent(match, seat) && change->how != SEAT_BACK) {
        guests_note(match, &match->owners[seat], GUEST_SAT, true);
    }
}

void seats_landed(struct matches *matches, struct match *match, const struct flight *flight)
{
    const struct seat_change *change = flight->seat_change;
    bool over = flight->ended;
    if (change == NULL && !over) { return; }
    if (change != NULL) {
        match->seat_changes &= (uint8_t) ~(1U << change->seat);
        note_sat(match, change);
        switch_seat(match, change);
        if (change->how == SEAT_LENT) {
            matches->lent_next = INT64_MIN; /* to be looked up again */
            matches->lent_again = true;
        }
    }
    for (unsigned i = 0; over && i < match->seats; i++) {
        match->vacant = 0;
        if (!is_lent(match, i)) { continue; }
        guests_note(match, &match->accounts[i], GUEST_SAT, true);
        match->accounts[i] = match->owners[i];
        memset(&match->owners[i], 0, sizeof match->owners[i]);
        match->until[i] = 0;
    }
    watches_end_strangers(matches, match);
}

void seats_told(struct matches *matches, struct match *match, const struct flight *flight)
{
    const struct seat_change *change = flight->seat_change;
    if (change == NULL) { return; }
    bool waits = (match->tip[change->seat].waits_for >> change->seat & 1U) != 0;
    if (waits && change->how != SEAT_VACANT) { watches_turn(matches, match, change->seat); }
    if (matches->config.hooks.changed != NULL) {
        matches->config.hooks.changed(matches->config.hooks.ctx, &match->id);
    }
}

/* --- loans that end by themselves --------------------------------------------------------------
 */

enum { LENT_AT_ONCE = 64 };

struct lent_read {
    struct matches *matches;
    int64_t now, next;
    unsigned count;
    struct {
        struct match_id match;
        unsigned seat;
    } over[LENT_AT_ONCE];
};

static bool on_lent_row(void *ctx, const struct match_id *match, unsigned seat, int64_t until)
{
    struct lent_read *read = ctx;
    (void)until;
    read->over[read->count].match = *match;
    read->over[read->count].seat = seat;
    return ++read->count < LENT_AT_ONCE;
}

static enum err lent_run(struct db *db, void *lent_read)
{
    struct lent_read *read = lent_read;
    read->count = 0;
    enum err err = people_read_next_until(db, &read->next);
    return err == ERR_OK ? people_read_lent(db, read->now, on_lent_row, read) : err;
}

static void on_lent(void *ctx, enum err err)
{
    struct lent_read *read = ctx;
    struct matches *matches = read->matches;
    static const struct account_id nobody = {""};
    matches->lent_reading = false;
    if (err == ERR_OK) {
        if (!matches->lent_again) { matches->lent_next = read->next; }
        for (unsigned i = 0; i < read->count; i++) {
            match_seat_give(matches, &read->over[i].match, read->over[i].seat, &nobody, SEAT_BACK,
                            0, NULL, NULL, NULL);
        }
    }
    matches_settled(matches);
}

void match_seats_look(struct matches *matches)
{
    int64_t now = matches_now(matches);
    if (matches->closing || matches->lent_reading || now < matches->lent_next) { return; }
    struct lent_read *read = calloc(1, sizeof *read);
    if (read == NULL) { return; }
    read->matches = matches;
    read->now = now;
    matches->lent_reading = true;
    matches->lent_again = false;
    matches->pending++;
    store_read(matches->config.store, lent_run, read, free, on_lent, read);
}
