/* server/lobby/hands.c: match.substitute, match.vacate, match.lend, match.recall, match.kick: who
 * may have a seat of a running match, and who is shown the door. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/lobby/inside.h"
#include "server/lobby/names.h"
#include "server/match/seats.h"
#include "server/store/accounts.h"
#include "server/store/store.h"

enum { DAY_MS = 86400000 };

enum err hands_read(struct db *db, struct job *job)
{
    const struct account_id *account = &job->call.account;
    if (job->folded[0] == '\0') { return people_read_ties(db, job->row.key, account, &job->ties); }
    struct account_row *row = malloc(sizeof *row);
    if (row == NULL) { return ERR_INTERNAL; }
    enum err err = accounts_read_by_folded(db, job->folded, row);
    job->person_found = err == ERR_OK;
    if (err == ERR_OK) {
        job->person = row->id;
        free(row->settings);
        job->person_deaf = accounts_have_blocked(db, row->id.text, account->text) ||
                           accounts_are_barred(db, job->row.key, row->id.text);
        err = people_read_ties(db, job->row.key, &job->person, &job->ties);
    }
    free(row);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

static enum err read_name(struct job *job, bool needed)
{
    const char *text = NULL;
    char name[ACCOUNT_NAME_BYTES];
    enum err err =
        json_read_str(job->call.params, needed ? "!name" : "name", 256, &text, &job->why);
    if (err == ERR_OK && text == NULL) { return ERR_OK; }
    if (err == ERR_OK) { err = name_read(text, name, sizeof name, &job->why); }
    if (err == ERR_OK) { err = name_fold(name, job->folded); }
    return err == ERR_INVALID_PARAMS ? why_member(&job->why, "name", job->why.text) : err;
}

void hands_begin(struct lobby *lobby, const struct lobby_call *call, const char *method,
                 const char *const *names, bool needed, bool changes,
                 void (*decide)(struct job *job))
{
    struct job *job = lobby_begin_job(lobby, call, method, names, true);
    if (job == NULL) { return; }
    enum err err = read_name(job, needed);
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    job->wants_ties = true;
    job->changes = changes;
    job_go(job, job->match.text, decide);
}

static enum err need_running(struct job *job)
{
    if (strcmp(job->row.state, "open") == 0 || (job->row.headed && !job->row.begun)) {
        return why_conflict(&job->why, "not_started", "The match has not begun.");
    }
    if (strcmp(job->row.state, "running") != 0) {
        return why_conflict(&job->why, "over", "The match is over.");
    }
    return ERR_OK;
}

static enum err need_known(const struct job *job)
{
    return lobby_may_know(&job->row, &job->call.account) ? ERR_OK : ERR_NOT_FOUND;
}

static enum err no_such_person(struct job *job)
{
    (void)why_member(&job->why, "name", "There is no player of that name.");
    return ERR_NOT_FOUND;
}

/* Whoever saw more than the public may not have a seat: he would play with it. */
static enum err refuse_knowing(struct job *job, const char *text)
{
    bool knows = job->ties.sat || job->ties.late;
    return knows ? why_conflict(&job->why, "knows", text) : ERR_OK;
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

static void give(struct job *job, unsigned seat, const struct account_id *account,
                 enum seat_how how, int64_t until)
{
    struct store_unit *unit = store_unit_create(&job->match, 0);
    if (unit == NULL) {
        job_fail(job, ERR_INTERNAL);
        return;
    }
    job_note_answer(job, unit);
    match_seat_give(job->lobby->config.matches, &job->match, seat, account, how, until, unit,
                    on_given, job);
}

enum err lobby_need_consent(struct job *job)
{
    bool consent = false;
    enum err err = json_read_bool(job->call.params, "consent", &consent, &job->why);
    bool delayed = strcmp(job->row.spectators, "delayed") == 0;
    bool creator = account_id_same(&job->row.creator, &job->call.account);
    if (err != ERR_OK || !delayed || creator || consent) { return err; }
    (void)why_member(&job->why, "consent", "");
    return why_conflict(&job->why, "consent",
                        "Spectators see all of this match some turns late; say that you agree.");
}

/* ---- match.substitute ---- */

static enum err find_vacant(struct job *job, unsigned *out_seat)
{
    for (unsigned i = 0; i < job->row.seats; i++) {
        if (strcmp(job->row.seat[i].code, job->seat) != 0) { continue; }
        *out_seat = i;
        return job->row.seat[i].vacant
                   ? ERR_OK
                   : why_conflict(&job->why, "seat_taken", "That seat is not offered.");
    }
    return why_member(&job->why, "seat", "There is no such seat in this match.");
}

static enum err judge_substitute(struct job *job, unsigned *out_seat)
{
    enum err err = need_known(job);
    if (err == ERR_OK) { err = need_running(job); }
    if (err == ERR_OK) { err = find_vacant(job, out_seat); }
    if (err == ERR_OK && job->ties.sits) {
        err = why_conflict(&job->why, "already_joined", "You have a seat in this match.");
    }
    if (err == ERR_OK && (job->ties.shut || job->blocked)) {
        err = why_text(&job->why, ERR_FORBIDDEN, "You were shut out of this match.");
    }
    if (err == ERR_OK) { err = refuse_knowing(job, "You know more of it than the public."); }
    if (err == ERR_OK) { err = lobby_need_consent(job); }
    if (err == ERR_OK && job->count >= job->lobby->config.matches_per_account) {
        err = lobby_too_many(job);
    }
    return err;
}

static void decide_substitute(struct job *job)
{
    unsigned seat = 0;
    enum err err = judge_substitute(job, &seat);
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    give(job, seat, &job->call.account, SEAT_SUBSTITUTE, 0);
}

void lobby_substitute(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "seat", "consent", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.substitute", names, true);
    if (job == NULL) { return; }
    if (job->seat == NULL) {
        job_fail(job, why_member(&job->why, "seat", "Which seat must be said."));
        return;
    }
    job->wants_count = true;
    job->wants_ties = true;
    job->changes = true;
    job_go(job, job->match.text, decide_substitute);
}

/* ---- match.lend, match.recall ---- */

/* The caller's seat; `seat` of the params may name it. */
static enum err own_seat(struct job *job, unsigned *out_seat)
{
    int seat = lobby_seat_of(&job->row, &job->call.account);
    enum err err = seat >= 0 ? ERR_OK : need_known(job);
    if (err == ERR_OK && seat < 0) {
        err = why_text(&job->why, ERR_FORBIDDEN, "You have no seat in this match.");
    }
    if (err != ERR_OK) { return err; }
    *out_seat = (unsigned)seat;
    if (job->seat != NULL && strcmp(job->seat, job->row.seat[seat].code) != 0) {
        return why_text(&job->why, ERR_FORBIDDEN, "That seat is not yours.");
    }
    return need_running(job);
}

static enum err judge_lend(struct job *job, unsigned *out_seat, int64_t until)
{
    enum err err = own_seat(job, out_seat);
    if (err != ERR_OK) { return err; }
    if (job->row.seat[*out_seat].until != 0) {
        return why_conflict(&job->why, "lent", "The seat is lent already.");
    }
    if (until <= job->now || until > job->now + (int64_t)LOBBY_LEND_DAYS_MAX * DAY_MS) {
        return why_member(&job->why, "until", "A seat is lent for up to 90 days from now.");
    }
    /* One who has blocked the lender hears nothing of it, and the lender nothing of that; no more
     * does one whom somebody of the match has blocked. */
    if (!job->person_found || job->person_deaf) { return no_such_person(job); }
    if (job->ties.sits) {
        return why_conflict(&job->why, "seat", "That player has a seat in this match.");
    }
    if (job->ties.shut) {
        return why_conflict(&job->why, "shut_out", "That player was shut out of this match.");
    }
    return refuse_knowing(job, "That player knows more of the match than the public.");
}

static void decide_lend(struct job *job)
{
    unsigned seat = 0;
    int64_t until = 0;
    enum err err = json_read_int(job->call.params, "!until", 1, JSON_INT_MAX, &until, &job->why);
    if (err == ERR_OK) { err = judge_lend(job, &seat, until); }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    give(job, seat, &job->person, SEAT_LENT, until);
}

void lobby_lend(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "seat", "name", "until", "action_id", NULL};
    hands_begin(lobby, call, "match.lend", names, true, true, decide_lend);
}

static void decide_recall(struct job *job)
{
    static const struct account_id nobody = {""};
    unsigned seat = 0;
    enum err err = own_seat(job, &seat);
    if (err == ERR_OK && job->row.seat[seat].owner.text[0] == '\0') {
        err = why_conflict(&job->why, "not_lent", "The seat is not lent.");
    }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    give(job, seat, &nobody, SEAT_BACK, 0);
}

void lobby_recall(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "seat", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.recall", names, true);
    if (job == NULL) { return; }
    job->changes = true;
    job_go(job, job->match.text, decide_recall);
}

/* ---- match.vacate ---- */

static void decide_vacate(struct job *job)
{
    static const struct account_id nobody = {""};
    unsigned seat = 0;
    bool on = true;
    enum err err = json_read_bool(job->call.params, "on", &on, &job->why);
    if (err == ERR_OK) { err = own_seat(job, &seat); }
    if (err == ERR_OK && job->row.seat[seat].until != 0) {
        err = why_conflict(&job->why, "lent", "The seat is lent; it must be back first.");
    }
    if (err == ERR_OK && job->row.seat[seat].vacant == on) {
        err = why_conflict(&job->why, "vacant",
                           on ? "The seat is offered already." : "The seat is not offered.");
    }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    give(job, seat, &nobody, on ? SEAT_VACANT : SEAT_BACK, 0);
}

void lobby_vacate(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "seat", "on", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.vacate", names, true);
    if (job == NULL) { return; }
    job->changes = true;
    job_go(job, job->match.text, decide_vacate);
}

/* ---- match.kick ---- */

static enum err judge_kick(struct job *job)
{
    enum err err = need_known(job);
    if (err == ERR_OK && !account_id_same(&job->row.creator, &job->call.account)) {
        err = why_text(&job->why, ERR_FORBIDDEN, "Only who made a match shuts others out.");
    }
    if (err == ERR_OK && !job->person_found) { err = no_such_person(job); }
    if (err == ERR_OK && account_id_same(&job->person, &job->call.account)) {
        err = why_member(&job->why, "name", "That is you.");
    }
    bool open = strcmp(job->row.state, "open") == 0;
    if (err == ERR_OK && !open && job->ties.sits) {
        err = why_conflict(&job->why, "seat", "Who has a seat in a match that runs stays.");
    }
    return err;
}

/* The seat that the person gives up with it, before the begin. */
static void add_unseat(struct job *job, struct store_unit *unit)
{
    int seat = lobby_seat_of(&job->row, &job->person);
    if (seat < 0) { return; }
    struct lobby_seat_write *write = calloc(1, sizeof *write);
    if (write != NULL) {
        write->match = job->row.key;
        write->at = job->now;
        write->seat = (unsigned)seat;
        write->account = job->person;
        lobby_make_join_code(job->row.access, write->join_code);
    }
    job_unit_add(unit, lobby_write_seat, write);
}

static void decide_kick(struct job *job)
{
    bool on = true;
    enum err err = json_read_bool(job->call.params, "on", &on, &job->why);
    if (err == ERR_OK) { err = judge_kick(job); }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    struct people_bar_write *write = calloc(1, sizeof *write);
    if (write != NULL) {
        *write = (struct people_bar_write){job->row.key, job->now, job->person, on};
    }
    job_unit_add(unit, people_write_bar, write);
    if (on && strcmp(job->row.state, "open") == 0) { add_unseat(job, unit); }
    job->shuts = on ? 1 : -1;
    job_commit(job, unit);
}

void lobby_kick(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "name", "on", "action_id", NULL};
    hands_begin(lobby, call, "match.kick", names, true, true, decide_kick);
}
