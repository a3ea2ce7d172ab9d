/* server/lobby/seat_bot.c: match.bot: a bot of the server's own sits down: a practice bot in a free
 * seat of a match that has not begun, a caretaker in a seat of a running one that is offered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/base/log.h"
#include "server/lobby/inside.h"
#include "server/match/seats.h"
#include "server/store/accounts.h"
#include "server/store/nonces.h"
#include "server/store/store.h"

enum { LEVEL_BYTES_MAX = 16 };

/* The levels of a match: its game's own bot, which is called as the game is, and random. */
static bool is_level(const struct job *job)
{
    return job->level == NULL || strcmp(job->level, job->row.game) == 0 ||
           strcmp(job->level, "random") == 0;
}

/* Whether this server has bots of that policy at all, free or not. */
static bool has_policy(struct db *db, const char *policy)
{
    enum { NO_MATCH = -1 };
    struct account_id any;
    return accounts_pick_house(db, policy, NO_MATCH, &any) == ERR_OK;
}

enum err seat_bot_read(struct db *db, struct job *job)
{
    if (!is_level(job)) { return ERR_OK; } /* judge says so */
    const char *policy = job->level == NULL ? job->row.game : job->level;
    if (strcmp(job->row.state, "running") == 0) { policy = "caretaker"; }
    if (job->level == NULL && !has_policy(db, policy)) { policy = "random"; }
    enum err err = accounts_pick_house(db, policy, job->row.key, &job->person);
    job->person_found = err == ERR_OK;
    if (err == ERR_OK && job->wants_nonces) {
        err = nonces_pick(db, &job->person, job->row.key + job->tries, &job->own_nonce);
    }
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

/* Who made the match or sits in it seats bots, nobody else. */
static enum err judge(struct job *job)
{
    const struct account_id *account = &job->call.account;
    if (!lobby_may_know(&job->row, account)) { return ERR_NOT_FOUND; }
    if (!account_id_same(&job->row.creator, account) && lobby_seat_of(&job->row, account) < 0) {
        return why_text(&job->why, ERR_FORBIDDEN, "Who made a match or sits in it seats bots.");
    }
    if (strcmp(job->row.state, "open") != 0 && strcmp(job->row.state, "running") != 0) {
        return why_conflict(&job->why, "over", "The match is over.");
    }
    if (!is_level(job)) {
        char text[WHY_TEXT_MAX];
        snprintf(text, sizeof text, "%.32s or random: a bot of another game cannot play this one.",
                 job->row.game);
        return why_member(&job->why, "level", text);
    }
    return ERR_OK;
}

static enum err need_bot(struct job *job)
{
    if (job->person_found) { return ERR_OK; }
    return why_conflict(&job->why, "no_bot", "This server has no such bot free for this match.");
}

static bool is_meant(const struct job *job, unsigned i)
{
    return job->seat == NULL || strcmp(job->seat, job->row.seat[i].code) == 0;
}

static enum err no_seat(struct job *job, const char *reason, const char *text)
{
    for (unsigned i = 0; i < job->row.seats; i++) {
        if (is_meant(job, i)) { return why_conflict(&job->why, reason, text); }
    }
    return why_member(&job->why, "seat", "There is no such seat in this match.");
}

static enum err find_free(struct job *job, unsigned *out_seat)
{
    for (unsigned i = 0; i < job->row.seats; i++) {
        if (!is_meant(job, i) || job->row.seat[i].account.text[0] != '\0') { continue; }
        *out_seat = i;
        return ERR_OK;
    }
    return no_seat(job, job->seat == NULL ? "full" : "seat_taken", "All seats are taken.");
}

static enum err find_vacant(struct job *job, unsigned *out_seat)
{
    for (unsigned i = 0; i < job->row.seats; i++) {
        if (!is_meant(job, i) || !job->row.seat[i].vacant) { continue; }
        *out_seat = i;
        return ERR_OK;
    }
    return no_seat(job, "already_started", "No seat of the running match is offered.");
}

static void on_given(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct job *job = ctx;
    (void)json;
    (void)n;
    if (err == ERR_OK) {
        job_summary(job);
        return;
    }
    job->why = *why;
    job_fail(job, err);
}

static void give_to_caretaker(struct job *job, unsigned seat)
{
    struct store_unit *unit = store_unit_create(&job->match, 0);
    if (unit == NULL) {
        job_fail(job, ERR_INTERNAL);
        return;
    }
    job_note_answer(job, unit);
    match_seat_give(job->lobby->config.matches, &job->match, seat, &job->person, SEAT_CARETAKER, 0,
                    unit, on_given, job);
}

static void decide(struct job *job)
{
    unsigned seat = 0;
    enum err err = judge(job);
    const bool running = err == ERR_OK && strcmp(job->row.state, "running") == 0;
    if (err == ERR_OK) { err = running ? find_vacant(job, &seat) : find_free(job, &seat); }
    if (err == ERR_OK) { err = need_bot(job); }
    if (err != ERR_OK) {
        job_fail(job, err);
    } else if (running) {
        give_to_caretaker(job, seat);
    } else {
        lobby_sit_down(job, seat, &job->person);
    }
}

void lobby_bot(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "seat", "level", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.bot", names, true);
    if (job == NULL) { return; }
    enum err err = json_read_str(call->params, "level", LEVEL_BYTES_MAX, &job->level, &job->why);
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    job->wants_bot = true;
    job->wants_nonces = true;
    job->changes = true;
    job_go(job, job->match.text, decide);
}

/* --- the ladder's caretakers -------------------------------------------------------------------
 */

/* One seat that the ladder gives to a caretaker. */
struct care {
    struct lobby *lobby;
    struct match_id match;
    unsigned seat;
    struct account_id account;
};

static enum err read_caretaker(struct db *db, void *data)
{
    struct care *care = data;
    const struct account_id nobody = {""};
    struct lobby_row row;
    enum err err = lobby_read_row(db, &care->match, &nobody, &row);
    if (err != ERR_OK) { return err; }
    err = accounts_pick_house(db, "caretaker", row.key, &care->account);
    lobby_row_finish(&row);
    return err;
}

static void care_end(struct care *care)
{
    care->lobby->pending--;
    free(care);
}

static void on_care_given(void *ctx, enum err err, const struct why *why, const char *json,
                          size_t n)
{
    struct care *care = ctx;
    (void)json;
    (void)n;
    log_event(err == ERR_OK ? LOG_INFO : LOG_WARN, "caretaker",
              "match=%s seat=%u outcome=%s reason=%s", care->match.text, care->seat, err_kind(err),
              why->reason);
    care_end(care);
}

static void on_caretaker(void *ctx, enum err err)
{
    struct care *care = ctx;
    if (err != ERR_OK) {
        log_event(LOG_WARN, "no_caretaker", "match=%s seat=%u why=%s", care->match.text, care->seat,
                  err_kind(err));
        care_end(care);
        return;
    }
    match_seat_give(care->lobby->config.matches, &care->match, care->seat, &care->account,
                    SEAT_CARETAKER, 0, NULL, on_care_given, care);
}

void lobby_give_caretaker(struct lobby *lobby, const struct match_id *match, unsigned seat)
{
    struct care *care = calloc(1, sizeof *care);
    if (care == NULL) { return; }
    care->lobby = lobby;
    care->match = *match;
    care->seat = seat;
    lobby->pending++;
    store_read(lobby->config.store, read_caretaker, care, NULL, on_caretaker, care);
}
