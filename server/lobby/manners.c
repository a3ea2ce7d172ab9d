/* server/lobby/manners.c: match.mute and match.report: whom one does not want to hear, what one has
 * not read, what the host should look at. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/game.h"
#include "server/lobby/inside.h"
#include "server/store/store.h"
#include "server/store/talk.h"

/* ---- match.mute ---- */

struct mute_write {
    int64_t match;
    struct account_id account, other;
    bool on;
};

static enum err op_mute(struct db *db, void *data)
{
    const struct mute_write *in = data;
    return talk_write_mute(db, in->match, &in->account, &in->other, in->on);
}

static void decide_mute(struct job *job)
{
    bool on = true;
    enum err err = json_read_bool(job->call.params, "on", &on, &job->why);
    if (err == ERR_OK && !lobby_may_know(&job->row, &job->call.account)) { err = ERR_NOT_FOUND; }
    if (err == ERR_OK && !job->person_found) {
        (void)why_member(&job->why, "name", "There is no player of that name.");
        err = ERR_NOT_FOUND;
    }
    if (err == ERR_OK && account_id_same(&job->person, &job->call.account)) {
        err = why_member(&job->why, "name", "That is you.");
    }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    struct mute_write *write = calloc(1, sizeof *write);
    if (write != NULL) {
        *write = (struct mute_write){job->row.key, job->call.account, job->person, on};
    }
    job_unit_add(unit, op_mute, write);
    job_commit(job, unit);
}

void lobby_mute(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "name", "on", "action_id", NULL};
    hands_begin(lobby, call, "match.mute", names, true, false, decide_mute);
}

/* ---- what one has not read ---- */

/* How many turns late the account reads what is said at the table. */
static uint32_t lag_of(const struct lobby_row *row, const struct account_id *account)
{
    bool over = strcmp(row->state, "over") == 0 || strcmp(row->state, "aborted") == 0;
    bool open = over && row->revealed && strcmp(row->reveal, "end") == 0;
    bool lags = strcmp(row->spectators, "delayed") == 0 && lobby_seat_of(row, account) < 0;
    return lags && !open ? row->delay : 0;
}

/* Whether the account may read the channel now: as match.talk has it. sat: it had a seat once. */
static bool may_read(const struct lobby *lobby, const struct lobby_row *row,
                     const struct account_id *account, bool sat, enum talk_channel channel)
{
    int seat = lobby_seat_of(row, account);
    const struct game *game = lobby_find_game(lobby, row->game);
    bool watches = strcmp(row->spectators, "none") != 0 && !row->shut;
    bool over = strcmp(row->state, "over") == 0 || strcmp(row->state, "aborted") == 0;
    switch (channel) {
    case TALK_SIDE:
        return seat >= 0 && game != NULL && game->allies != NULL &&
               game->allies(row->seats, (unsigned)seat) != 0;
    case TALK_WATCHERS: return watches && row->talk && (over || (seat < 0 && !sat));
    default: return seat >= 0 || watches;
    }
}

enum err manners_unread(struct db *db, const struct lobby *lobby, const struct lobby_row *row,
                        const struct account_id *account, int out_unread[TALK_CHANNELS])
{
    struct people_ties ties;
    enum err err = people_read_ties(db, row->key, account, &ties);
    for (unsigned i = 0; i < TALK_CHANNELS && err == ERR_OK; i++) {
        const struct talk_read read = {.match = row->key,
                                       .channel = (enum talk_channel)i,
                                       .account = *account,
                                       .delay = lag_of(row, account)};
        unsigned count = 0;
        out_unread[i] = -1;
        if (!may_read(lobby, row, account, ties.sat, read.channel)) { continue; }
        err = talk_count_unread(db, &read, &count);
        out_unread[i] = (int)count;
    }
    return err;
}

/* ---- match.report ---- */

enum { REPORT_BYTES_MAX = 2000 };

struct report_write {
    struct talk_report report;
    struct talk_read read;
    char why[REPORT_BYTES_MAX + 1];
};

static enum err op_report(struct db *db, void *data)
{
    struct report_write *in = data;
    bool found = in->report.n == 0;
    enum err err = found ? ERR_OK : talk_find(db, &in->read, in->report.n, &found);
    if (err == ERR_OK && !found) { err = ERR_NOT_FOUND; }
    in->report.why = in->why;
    return err == ERR_OK ? talk_write_report(db, &in->report) : err;
}

/* {channel, n} or {name}. */
static enum err read_subject(struct job *job, struct report_write *write)
{
    const cJSON *params = job->call.params;
    const char *channel = NULL;
    int64_t n = 0;
    enum err err = json_read_str(params, "channel", 16, &channel, &job->why);
    if (err == ERR_OK) {
        err = json_read_int(params, channel == NULL ? "n" : "!n", 1, JSON_INT_MAX, &n, &job->why);
    }
    if (err != ERR_OK) { return err; }
    if ((channel == NULL) == (job->folded[0] == '\0') || (channel == NULL && n != 0)) {
        return why_member(&job->why, "channel", "Either a message or a player is reported.");
    }
    if (channel == NULL) { return ERR_OK; }
    write->report.n = (uint64_t)n;
    if (!talk_channel_read(channel, &write->report.channel)) {
        return why_member(&job->why, "channel", "A channel is table, side or watchers.");
    }
    bool may =
        may_read(job->lobby, &job->row, &job->call.account, job->ties.sat, write->report.channel);
    return may ? ERR_OK : why_text(&job->why, ERR_FORBIDDEN, "You may not read that channel.");
}

static void on_reported(void *ctx, enum err err)
{
    struct job *job = ctx;
    if (err == ERR_OK) {
        buf_append_str(&job->text, "{}");
        job_answer(job);
        return;
    }
    if (err == ERR_NOT_FOUND) { (void)why_member(&job->why, "n", "There is no such message."); }
    if (err == ERR_TOO_LARGE) {
        (void)why_text(&job->why, err, "The host has not looked at your other reports yet.");
    }
    if (err == ERR_CONFLICT) {
        (void)why_conflict(&job->why, "action_id", "This action_id was used.");
    }
    job_fail(job, err);
}

static enum err fill_report(struct job *job, struct report_write *write)
{
    const char *text = NULL;
    enum err err = lobby_may_know(&job->row, &job->call.account) ? ERR_OK : ERR_NOT_FOUND;
    if (err == ERR_OK) {
        err = json_read_str(job->call.params, "!text", REPORT_BYTES_MAX, &text, &job->why);
    }
    if (err == ERR_OK && strspn(text, " \t\r\n") == strlen(text)) {
        err = why_member(&job->why, "text", "What is wrong must be said.");
    }
    if (err == ERR_OK) { err = read_subject(job, write); }
    if (err == ERR_OK && job->folded[0] != '\0' && !job->person_found) {
        (void)why_member(&job->why, "name", "There is no player of that name.");
        err = ERR_NOT_FOUND;
    }
    if (err != ERR_OK) { return err; }
    memcpy(write->why, text, strlen(text) + 1);
    write->report.match = job->row.key;
    write->report.at = job->now;
    write->report.id = job->row.id;
    write->report.reporter = job->call.account;
    write->report.accused = job->person;
    write->read = (struct talk_read){.match = job->row.key,
                                     .channel = write->report.channel,
                                     .account = job->call.account,
                                     .delay = lag_of(&job->row, &job->call.account)};
    return ERR_OK;
}

/* What a repeat of the call is answered with. */
static void keep_answer(struct job *job, struct store_unit *unit)
{
    static const char answer[] = "{}";
    if (job->action_id == NULL) { return; }
    job_note_answer(job, unit);
    struct lobby_answer_fill *fill = malloc(sizeof *fill + sizeof answer);
    if (fill != NULL) {
        fill->account = job->call.account;
        memcpy(fill->action_id, job->action_id, strlen(job->action_id) + 1);
        fill->len = sizeof answer - 1;
        memcpy(fill->body, answer, sizeof answer);
    }
    job_unit_add(unit, lobby_fill_answer, fill);
}

static void decide_report(struct job *job)
{
    struct report_write *write = calloc(1, sizeof *write);
    enum err err = write == NULL ? ERR_INTERNAL : fill_report(job, write);
    if (err != ERR_OK) {
        free(write);
        job_fail(job, err);
        return;
    }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    job_unit_add(unit, op_report, write);
    if (unit == NULL) {
        job_fail(job, ERR_INTERNAL);
        return;
    }
    keep_answer(job, unit);
    store_commit(job->lobby->config.store, unit, on_reported, job);
}

void lobby_report(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "name", "channel", "n", "text", "action_id", NULL};
    hands_begin(lobby, call, "match.report", names, false, false, decide_report);
}
