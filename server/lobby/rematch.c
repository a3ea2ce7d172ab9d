/* server/lobby/rematch.c: match.rematch: the same table again, with the seats changed round. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/rules/game.h"
#include "server/lobby/inside.h"
#include "server/store/store.h"

/* Everybody moves up one seat; of two that is a swap. */
static unsigned next_seat(const struct lobby_row *row, int seat)
{
    return ((unsigned)seat + 1) % row->seats;
}

/* ---- one was asked for already: sit down in it ---- */

struct sitting {
    lobby_done_fn *done;
    void *ctx;
    cJSON *params;
};

static void on_sat(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct sitting *sitting = ctx;
    sitting->done(sitting->ctx, err, why, json, n);
    cJSON_Delete(sitting->params);
    free(sitting);
}

/* The call goes on as a match.join of the rematch; or, where the caller sits in it, as a match.get.
 */
static void sit_down(struct job *job)
{
    struct lobby *lobby = job->lobby;
    struct lobby_call call = job->call;
    int seat = lobby_seat_of(&job->row, &call.account);
    struct sitting *sitting = calloc(1, sizeof *sitting);
    cJSON *params = cJSON_CreateObject();
    bool good = sitting != NULL && params != NULL &&
                cJSON_AddStringToObject(params, "match", job->rematch.text) != NULL;
    bool joins = !job->sits_in_rematch;
    if (joins) {
        const char *code = job->row.seat[next_seat(&job->row, seat)].code;
        good = good && cJSON_AddStringToObject(params, "seat", code) != NULL;
        /* He has played on these terms before. */
        good = good && cJSON_AddTrueToObject(params, "consent") != NULL;
    }
    if (!good) {
        free(sitting);
        cJSON_Delete(params);
        job_fail(job, ERR_INTERNAL);
        return;
    }
    *sitting = (struct sitting){call.done, call.ctx, params};
    job_drop(job);
    call.params = params;
    call.done = on_sat;
    call.ctx = sitting;
    (joins ? lobby_join : lobby_get)(lobby, &call);
}

/* ---- a new one ---- */

static enum err prepare_rematch(struct job *job, const struct game *game)
{
    const struct lobby_row *row = &job->row;
    size_t len = strlen(row->options);
    struct lobby_insert *insert = calloc(1, sizeof *insert + len + 1);
    if (insert == NULL) { return ERR_INTERNAL; }
    job->insert = insert;
    memcpy(insert->options, row->options, len);
    insert->options_len = len;
    lobby_fill_insert(job, game, insert);
    insert->rematch_of = row->key;
    memcpy(insert->title, row->title, sizeof insert->title);
    if (row->clock != NULL && strlen(row->clock) < sizeof insert->clock) {
        memcpy(insert->clock, row->clock, strlen(row->clock) + 1);
    }
    memcpy(insert->access, "invite", sizeof "invite");
    memcpy(insert->spectators, row->spectators, sizeof insert->spectators);
    memcpy(insert->reveal, row->reveal, sizeof insert->reveal);
    insert->pace_s = row->pace_s;
    insert->talk = row->talk;
    insert->delay = row->delay;
    int seat = lobby_seat_of(row, &job->call.account);
    job->seat = row->seat[next_seat(row, seat)].code;
    for (unsigned i = 0; i < row->seats; i++) {
        if ((int)i == seat || row->seat[i].account.text[0] == '\0' || job->shut_out[i]) {
            continue;
        }
        insert->invite[insert->invites++] = row->seat[i].account;
    }
    return lobby_lay_seats(job, game, insert);
}

static void decide_rematch(struct job *job)
{
    const struct lobby_row *row = &job->row;
    const struct account_id *account = &job->call.account;
    const struct game *game = lobby_find_game(job->lobby, row->game);
    enum err err = lobby_may_know(row, account) && game != NULL ? ERR_OK : ERR_NOT_FOUND;
    if (err == ERR_OK && lobby_seat_of(row, account) < 0) {
        err = why_text(&job->why, ERR_FORBIDDEN, "Only who played it asks for another.");
    }
    bool over = strcmp(row->state, "open") != 0 && strcmp(row->state, "running") != 0;
    if (err == ERR_OK && (!over || !row->headed)) {
        err = why_conflict(&job->why, "not_over", "The match is not over.");
    }
    if (err == ERR_OK && job->rematch.text[0] != '\0' && !job->shut_out_of_rematch) {
        sit_down(job);
        return;
    }
    if (err == ERR_OK && job->count >= job->lobby->config.matches_per_account) {
        err = lobby_too_many(job);
    }
    if (err == ERR_OK) { err = prepare_rematch(job, game); }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    job_commit_insert(job);
}

void lobby_rematch(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.rematch", names, true);
    if (job == NULL) { return; }
    job->wants_count = true;
    job->wants_rematch = true;
    job->changes = true;
    job_go(job, job->match.text, decide_rematch);
}
