/* server/match/ladder.c: events of clocks become lines, notices and ends; claims. */
#include "server/match/ladder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/log.h"
#include "server/match/drafts.h"
#include "server/match/live.h"
#include "server/match/seats.h"

#define BIT(i) (UINT32_C(1) << (i))

enum {
    LOOK_LINES_MAX = 24, /* of one flight; what is left comes with the next */
    LOOK_AGAIN_MS = 1000,
    LOAD_AGAIN_MS = 30000 /* after it could not be read */
};

/* --- notices -----------------------------------------------------------------------------------
 */

/* Told once for each deadline: so counted by it. */
static uint64_t number_of(int64_t at_ms, unsigned index)
{
    return (uint64_t)(at_ms / 1000) * CLOCK_REMINDERS_MAX + index;
}

void ladder_remind(struct flight *flight, const struct play_clock *play,
                   const struct clock_event *event)
{
    char data[64];
    int64_t deadline = play->clock.seat[event->seat].deadline_ms;
    (void)snprintf(data, sizeof data, "{\"deadline\":%lld}", (long long)deadline);
    /* Without memory nobody is reminded; the clock goes on all the same. */
    (void)!notices_note(flight, NOTICE_REMINDER, event->seat, number_of(deadline, event->index),
                        data);
}

static enum err note_late(struct flight *flight, const struct clock_event *event, int64_t until)
{
    char data[64];
    (void)snprintf(data, sizeof data, "{\"deadline\":%lld}", (long long)until);
    return notices_note(flight, NOTICE_LATE, event->seat, number_of(event->at_ms, 0), data);
}

static enum err note_claim(struct making *making, const struct clock_event *event)
{
    const struct match *match = making->match;
    char data[96];
    enum err err = ERR_OK;
    (void)snprintf(data, sizeof data, "{\"deadline\":%lld,\"seat\":\"%s\"}",
                   (long long)event->at_ms, match->codes[event->seat]);
    for (unsigned i = 0; err == ERR_OK && i < match->seats; i++) {
        if (!ladder_may_claim(making->matches, match, i, event->seat)) { continue; }
        err = notices_note(making->flight, NOTICE_CLAIM, i, number_of(event->at_ms, 0), data);
    }
    return err;
}

/* --- who may claim -----------------------------------------------------------------------------
 */

/* Two of three seats stand together if the third alone ends the match by leaving. */
bool ladder_allied(struct matches *matches, const struct match *match, unsigned a, unsigned b)
{
    const struct core *core = match->core;
    if (match->seats != 3 || a == b) { return a == b; }
    unsigned third = 3 - a - b;
    return !core_has_left(core, &matches->scratch, third) &&
           !core_leaves_behind(core, &matches->scratch, third, LEAVE_RESIGNED);
}

bool ladder_may_claim(struct matches *matches, const struct match *match, unsigned seat,
                      unsigned against)
{
    return seat != against && !core_has_left(match->core, &matches->scratch, seat) &&
           !ladder_allied(matches, match, seat, against);
}

/* Nobody but bots could claim: they never do (their own rule: the match ends by itself). */
static bool only_bots_may(struct matches *matches, const struct match *match, unsigned against)
{
    bool any = false;
    for (unsigned i = 0; i < match->seats; i++) {
        if (!ladder_may_claim(matches, match, i, against)) { continue; }
        any = true;
        if ((match->clock->bots >> i & 1U) == 0) { return false; }
    }
    return any;
}

/* --- events become lines -----------------------------------------------------------------------
 */

static enum err tell(struct making *making, const struct line_host *act)
{
    struct core_step step;
    struct matches *matches = making->matches;
    enum err err =
        core_tell(making->match->core, &matches->scratch, act, matches_now(matches), &step);
    return err == ERR_OK ? making_note(making, &step) : err;
}

static enum err tell_seat(struct making *making, const char *host, const char *how, unsigned seat)
{
    const struct line_host act = {
        .host = host, .how = how, .seat = making->match->core->codes[seat], .to = -1, .ms = -1};
    return tell(making, &act);
}

/* The seat loses by the clock, or by being gone; with it the match may be over. */
static enum err lose(struct making *making, unsigned seat, enum leave how)
{
    struct why why;
    why_clear(&why);
    if (core_has_left(making->match->core, &making->matches->scratch, seat)) { return ERR_OK; }
    return making_leave(making, seat, how, &why);
}

static enum err annul(struct making *making, unsigned seat)
{
    struct core_step step;
    struct matches *matches = making->matches;
    enum err err = core_stop(making->match->core, &matches->scratch, "abort", (int)seat,
                             matches_now(matches), &step);
    making->write->aborted = true;
    return err == ERR_OK ? making_note(making, &step) : err;
}

static enum err take_step(struct making *making, const struct clock_event *event)
{
    switch (event->what) {
    case CLOCK_DO_FORFEIT: return lose(making, event->seat, LEAVE_OUT_OF_TIME);
    case CLOCK_DO_ANNUL: return annul(making, event->seat);
    case CLOCK_DO_CLAIM:
        if (only_bots_may(making->matches, making->match, event->seat)) {
            return lose(making, event->seat, LEAVE_OUT_OF_TIME);
        }
        return note_claim(making, event);
    case CLOCK_DO_SUBSTITUTE:
    case CLOCK_DO_ALLY: /* ladder_hands, once this is stored */
        return notices_note(making->flight, NOTICE_VACANT, event->seat, number_of(event->at_ms, 0),
                            "{}");
    case CLOCK_DO_CARETAKER: return ERR_OK; /* likewise */
    case CLOCK_DO_COUNT: break;
    }
    return ERR_OK;
}

/* One event of the clock, as of the instant it was due. */
static enum err fire(struct making *making, const struct clock_event *event)
{
    struct play_clock *play = making->match->clock;
    unsigned seat = event->seat;
    clock_fire(&play->clock, &play->spec, event);
    play->changed = true;
    switch (event->kind) {
    case CLOCK_EV_NONE:
    case CLOCK_EV_BANK:
    case CLOCK_EV_EDGE: return ERR_OK;
    case CLOCK_EV_VACATION: {
        const bool told = play->clock.seat[seat].vacation_told;
        return tell_seat(making, told ? "pause" : "resume", "vacation", seat);
    }
    case CLOCK_EV_REMIND: ladder_remind(making->flight, play, event); return ERR_OK;
    case CLOCK_EV_LATE: {
        struct clock_event next;
        clock_next(&play->clock, &play->spec, &next);
        enum err err = note_late(making->flight, event, next.at_ms);
        return err == ERR_OK ? tell_seat(making, "late", NULL, seat) : err;
    }
    case CLOCK_EV_MISS: {
        enum err err = notices_note(making->flight, NOTICE_MISSED, seat,
                                    (uint64_t)play->clock.seat[seat].misses, "{}");
        return err == ERR_OK ? tell_seat(making, "miss", NULL, seat) : err;
    }
    case CLOCK_EV_STEP: return take_step(making, event);
    case CLOCK_EV_AWAY: return away_due(making, event);
    case CLOCK_EV_RESUME: {
        const struct line_host act = {.host = "resume", .how = "cap", .to = -1, .ms = -1};
        return tell(making, &act);
    }
    }
    return ERR_OK;
}

/* Time is out for the seat that holds the match up, and for nobody else: where two allies end a
 * step in secret both clocks run till then, and which of them has ended is told with the first line
 * that says whose time is out. True: the event was of one that has done its part. */
static bool excuse(struct making *making, const struct clock_event *event)
{
    struct match *match = making->match;
    bool out = event->kind == CLOCK_EV_LATE || event->kind == CLOCK_EV_MISS ||
               event->kind == CLOCK_EV_AWAY;
    uint32_t idle = out ? clocks_idle(match) : 0;
    if (idle == 0) { return false; }
    bool own = (idle >> event->seat & 1U) != 0;
    clocks_excuse(match, idle, event->at_ms);
    return own;
}

/* All that is due, as far as one flight goes. */
static enum err fire_all(struct making *making, int64_t now)
{
    struct match *match = making->match;
    struct play_clock *play = match->clock;
    enum err err = offers_due(making, now);
    while (err == ERR_OK && play != NULL && !match->core->over &&
           making->flight->step_count + 3 < LOOK_LINES_MAX) {
        struct clock_event event;
        clock_next(&play->clock, &play->spec, &event);
        if (event.kind == CLOCK_EV_NONE || event.at_ms > now) { break; }
        if (event.kind == CLOCK_EV_MISS && play->spec.draft_plays &&
            drafts_try(making->matches, match, &event)) {
            break;
        }
        if (excuse(making, &event)) { continue; }
        err = fire(making, &event);
    }
    return err;
}

/* --- looking at a match ------------------------------------------------------------------------
 */

static void nobody_waits(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)ctx;
    (void)err;
    (void)why;
    (void)json;
    (void)n;
}

/* An end on time was not taken back: the match is open. */
static bool reveal(struct making *making)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct reveal_write *write = calloc(1, sizeof *write);
    enum err err = making_open(making, 1);
    if (err != ERR_OK || write == NULL) {
        free(write);
        making_drop(making);
        clocks_wake(matches, match, matches_now(matches) + LOOK_AGAIN_MS);
        return true;
    }
    making->flight->seat = -1;
    making->flight->reveals = true;
    making->flight->told |= (BIT(match->seats) - 1U) | BIT(VIEWER_PUBLIC);
    write->match = match->key;
    store_unit_add(making->unit, clocks_write_reveal, write, free);
    answer_begin(&matches->text);
    if (making_go(making) != ERR_OK) { making_drop(making); }
    return true;
}

void ladder_until(struct matches *matches, struct match *match, int64_t until)
{
    struct task nobody = {.call = {.done = nobody_waits}};
    struct making making = {.matches = matches, .match = match, .task = &nobody};
    enum err err = making_open(&making, LOOK_LINES_MAX);
    if (err == ERR_OK) {
        making.flight->seat = -1;
        answer_begin(&matches->text);
        err = fire_all(&making, until);
    }
    bool moved = match->clock != NULL && match->clock->changed;
    if (err == ERR_OK && making.flight->step_count == 0 && making.flight->change == NULL &&
        !moved) {
        /* It came too early, or what was due has been settled meanwhile. */
        making_drop(&making);
        ladder_hands(matches, match);
        clocks_look_again(matches, match);
        return;
    }
    making.flight->told |= (BIT(match->seats) - 1U) | BIT(VIEWER_PUBLIC);
    if (err == ERR_OK) { err = making_go(&making); }
    if (err == ERR_OK) { return; }
    match->spoilt = true;
    making_drop(&making);
    clocks_wake(matches, match, matches_now(matches) + LOOK_AGAIN_MS);
    log_event(LOG_ERROR, "clock_not_moved", "match=%s kind=%s", match->id.text, err_kind(err));
}

static bool run_look(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    int64_t now = matches_now(matches);
    if (match->frozen || matches->closing || match->next_n == 0) { return true; }
    if (match->core == NULL || match->failing || match->spoilt) {
        match_want_core(matches, match);
        return false;
    }
    if (match->core->over) {
        bool due = match->over && match->reveal_at > 0 && match->reveal_at <= now;
        if (due) { return reveal(&making); }
        if (match->over) { clocks_wake(matches, match, match->reveal_at); }
        return true;
    }
    /* What was answered before its time is over comes first. */
    pace_catch_up(matches, match);
    if (!match->spoilt && !match->core->over) { ladder_until(matches, match, now); }
    return true;
}

void ladder_look(struct matches *matches, const struct match_id *id)
{
    const struct match_call call = {.done = nobody_waits};
    task_start_id(matches, &call, id, NULL, run_look);
}

void ladder_refused(struct matches *matches, const struct match *match, const struct task *task)
{
    if (task->run != run_look || match->absent || matches->closing) { return; }
    clocks_wake(matches, match, matches_now(matches) + LOAD_AGAIN_MS);
}

/* --- seats that the ladder hands on ------------------------------------------------------------
 */

/* What the step that is due for the seat asks for and is not done yet. */
enum hand { HAND_NONE, HAND_OFFER, HAND_CARETAKER, HAND_TAKE_BACK };

static enum hand hand_due(const struct match *match, unsigned seat)
{
    const struct play_clock *play = match->clock;
    bool vacant = (match->vacant >> seat & 1U) != 0;
    bool offered = (match->ladder_offers >> seat & 1U) != 0;
    switch (clock_step_due(&play->clock, &play->spec, seat)) {
    case CLOCK_DO_SUBSTITUTE: return vacant ? HAND_NONE : HAND_OFFER;
    case CLOCK_DO_CARETAKER: return (play->bots >> seat & 1U) != 0 ? HAND_NONE : HAND_CARETAKER;
    case CLOCK_DO_CLAIM:
    case CLOCK_DO_FORFEIT:
    case CLOCK_DO_ANNUL:
    case CLOCK_DO_ALLY: return HAND_NONE; /* who was offered stays so */
    case CLOCK_DO_COUNT: return vacant && offered ? HAND_TAKE_BACK : HAND_NONE;
    }
    return HAND_NONE;
}

bool ladder_wants_hands(const struct match *match)
{
    for (unsigned i = 0; match->clock != NULL && !match->over && i < match->seats; i++) {
        if (hand_due(match, i) != HAND_NONE) { return true; }
    }
    return false;
}

void ladder_hands(struct matches *matches, struct match *match)
{
    static const struct account_id nobody = {""};
    const struct match_hooks *hooks = &matches->config.hooks;
    if (match->clock == NULL || match->over || matches->closing || match->seat_changes != 0) {
        return;
    }
    for (unsigned i = 0; i < match->seats; i++) {
        switch (hand_due(match, i)) {
        case HAND_NONE: break;
        case HAND_OFFER:
            match->ladder_offers |= (uint8_t)(1U << i);
            match_seat_give(matches, &match->id, i, &nobody, SEAT_VACANT, 0, NULL, NULL, NULL);
            return; /* one after the other: the next when this has landed */
        case HAND_TAKE_BACK:
            match->ladder_offers &= (uint8_t) ~(1U << i);
            match_seat_give(matches, &match->id, i, &nobody, SEAT_BACK, 0, NULL, NULL, NULL);
            return;
        case HAND_CARETAKER:
            if (hooks->caretaker != NULL) { hooks->caretaker(hooks->ctx, &match->id, i); }
            return;
        }
    }
}

/* --- match.claim -------------------------------------------------------------------------------
 */

/* Whose time is out: the seat that is named, or the only one that anything is due against. */
static enum err find_against(const struct making *making, const char *code, unsigned *out_seat,
                             struct why *why)
{
    const struct match *match = making->match;
    const struct play_clock *play = match->clock;
    unsigned found = 0;
    for (unsigned i = 0; i < match->seats; i++) {
        if (code != NULL && strcmp(match->codes[i], code) == 0) {
            *out_seat = i;
            return ERR_OK;
        }
        bool due = clock_step_due(&play->clock, &play->spec, i) != CLOCK_DO_COUNT ||
                   clock_away_claims(&play->clock, &play->spec, i) != 0;
        if (code != NULL || !due || i == making->seat) { continue; }
        *out_seat = i;
        found++;
    }
    if (code != NULL) { return why_member(why, "seat", "There is no such seat."); }
    if (found > 1) {
        return why_member(why, "seat", "More than one seat is out of time or gone: which?");
    }
    return found == 1 ? ERR_OK : why_conflict(why, "claim", "Nobody is out of time, or gone.");
}

/* What its passed deadline gives; that its player is gone gives nothing here. */
static uint32_t ladder_claims(const struct play_clock *play, unsigned against)
{
    bool due = clock_step_due(&play->clock, &play->spec, against) == CLOCK_DO_CLAIM;
    return due ? play->spec.claims : 0;
}

static enum err judge_claim(const struct making *making, const char *what, unsigned against,
                            struct why *why)
{
    struct matches *matches = making->matches;
    const struct match *match = making->match;
    const struct play_clock *play = match->clock;
    if (core_has_left(match->core, &matches->scratch, making->seat)) {
        return why_conflict(why, "left", "Your seat has left the match.");
    }
    if (strcmp(what, "ally") == 0) {
        bool due = clock_step_due(&play->clock, &play->spec, against) == CLOCK_DO_ALLY;
        bool allied =
            making->seat != against && ladder_allied(matches, match, making->seat, against);
        return due && allied ? ERR_OK
                             : why_conflict(why, "claim", "That is not to be claimed now.");
    }
    uint32_t bit = clock_claim_bit(what);
    if (bit == 0) { return why_member(why, "what", "what is win, grant, annul, ally or convert"); }
    bool may = ladder_may_claim(matches, match, making->seat, against) &&
               (ladder_claims(play, against) & bit) != 0;
    return may ? ERR_OK : away_judge(making, what, against, why);
}

static enum err grant(struct making *making, unsigned seat)
{
    struct play_clock *play = making->match->clock;
    const struct core *core = making->match->core;
    int64_t at = clocks_settle(making->flight, play, matches_now(making->matches));
    clock_grant(&play->clock, &play->spec, seat, play->spec.grant_ms, at);
    play->changed = true;
    making->changed = true;
    const struct line_host act = {.host = "grant",
                                  .to = -1,
                                  .seat = core->codes[seat],
                                  .by_count = 1,
                                  .by = {core->codes[making->seat]},
                                  .ms = play->spec.grant_ms};
    return tell(making, &act);
}

static enum err carry_claim(struct making *making, const char *what, unsigned against)
{
    const struct play_clock *play = making->match->clock;
    if (strcmp(what, "grant") == 0) { return grant(making, against); }
    if (strcmp(what, "convert") == 0) { return away_convert(making, against, (int)making->seat); }
    if (strcmp(what, "annul") == 0) { return annul(making, against); }
    const bool out =
        strcmp(what, "ally") == 0 || (ladder_claims(play, against) & CLOCK_CLAIM_WIN) != 0;
    return lose(making, against, out ? LEAVE_OUT_OF_TIME : LEAVE_AWAY);
}

static bool run_claim(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {
        .matches = matches, .match = match, .task = task, .method = "match.claim"};
    static const char *const names[] = {"match", "as", "what", "seat", "action_id", NULL};
    struct why why;
    why_clear(&why);
    const char *what = NULL;
    const char *code = NULL;
    unsigned against = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_str(task->params, "!what", 16, &what, &why); }
    if (err == ERR_OK) { err = json_read_str(task->params, "seat", 8, &code, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_repeated(&making) || making_refused(&making, -1)) { return true; }
    err = match->clock != NULL ? find_against(&making, code, &against, &why)
                               : why_conflict(&why, "clock", "This match has no clock.");
    if (err == ERR_OK) { err = judge_claim(&making, what, against, &why); }
    if (err == ERR_OK) { err = making_open(&making, 3); }
    answer_begin(&matches->text);
    if (err == ERR_OK) { err = carry_claim(&making, what, against); }
    if (err == ERR_OK) { err = making_send(&making); }
    return err == ERR_OK || making_fails(&making, err, &why);
}

void match_claim(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_claim);
}
