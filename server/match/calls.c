/* server/match/calls.c: what all methods need: who asks, who may see, how a call is answered. */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/match/late.h"
#include "server/match/live.h"

void done_ok(const struct match_call *call, const char *json, size_t n)
{
    struct why why;
    why_clear(&why);
    call->done(call->ctx, ERR_OK, &why, json, n);
}

void done_fail(const struct match_call *call, enum err err, const struct why *why)
{
    struct why none;
    if (why == NULL) {
        why_clear(&none);
        why = &none;
    }
    call->done(call->ctx, err, why, NULL, 0);
}

bool task_fail(struct task *task, enum err err, const struct why *why)
{
    done_fail(&task->call, err, why);
    return true;
}

bool task_text(struct task *task, enum err err, const char *text)
{
    struct why why;
    why_clear(&why);
    return task_fail(task, why_text(&why, err, text), &why);
}

void done_after(struct flight *flight, const struct match_call *call, enum err err,
                const struct why *why, const char *json, size_t n)
{
    struct deferred *deferred = calloc(1, sizeof *deferred);
    if (deferred != NULL && json != NULL) {
        deferred->json = malloc(n + 1);
        if (deferred->json == NULL) {
            free(deferred);
            deferred = NULL;
        }
    }
    if (deferred == NULL) {
        /* No memory to wait, and then nothing may be told. */
        done_fail(call, ERR_INTERNAL, NULL);
        return;
    }
    deferred->call = *call;
    deferred->err = err;
    why_clear(&deferred->why);
    if (why != NULL) { deferred->why = *why; }
    if (json != NULL) {
        memcpy(deferred->json, json, n);
        deferred->json[n] = '\0';
        deferred->json_len = n;
    }
    struct deferred **end = &flight->deferred;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = deferred;
}

void done_later(struct match *match, unsigned viewer, const struct match_call *call, enum err err,
                const struct why *why, const char *json, size_t n)
{
    struct flight *judged_on = NULL;
    for (struct flight *flight = match->first; flight != NULL; flight = flight->next) {
        if ((flight->told >> viewer & 1U) != 0) { judged_on = flight; }
    }
    if (judged_on != NULL) {
        done_after(judged_on, call, err, why, json, n);
    } else if (err == ERR_OK) {
        done_ok(call, json, n);
    } else {
        done_fail(call, err, why);
    }
}

int match_seat_of(const struct match *match, const struct account_id *account)
{
    if (account_is_nobody(account)) { return -1; }
    for (unsigned i = 0; i < match->seats; i++) {
        if (account_id_same(&match->accounts[i], account) ||
            account_id_same(&match->owners[i], account)) {
            return (int)i;
        }
    }
    return -1;
}

bool match_is_revealed(const struct match *match)
{
    return match->over && match->reveal_at == 0;
}

const char *match_viewer_name(const struct match *match, unsigned viewer)
{
    if (viewer < match->seats) { return match->codes[viewer]; }
    return viewer == VIEWER_ALL ? "all" : "public";
}

/* Whether the account may see the match at all; to others it may not even exist (PROTOCOL 2). */
static enum err may_see(const struct match *match, const struct account_id *account, int seat,
                        struct why *why)
{
    if (seat >= 0) { return ERR_OK; }
    if (match->guests.hidden && !guests_have(&match->guests, account)) {
        return why_text(why, ERR_NOT_FOUND, "There is no such match.");
    }
    if (guests_shut_out(&match->guests, account)) {
        return why_text(why, ERR_FORBIDDEN, "You were shut out of this match.");
    }
    if (match->spectators_public) { return ERR_OK; }
    if (late_is(match, account, NULL)) { return late_judge(match, account, why); }
    /* A closed match stays among those who may know of it; the reveal opens it to them. */
    if (match_is_revealed(match) && !match->reveal_seats && !match->closed) { return ERR_OK; }
    return match->closed ? why_text(why, ERR_NOT_FOUND, "There is no such match.")
                         : why_text(why, ERR_FORBIDDEN, "This match has no spectators.");
}

enum err match_viewer(const struct match *match, const struct account_id *account,
                      const struct cJSON *params, unsigned *out_viewer, struct why *why)
{
    const char *as = NULL;
    enum err err = params == NULL ? ERR_OK : json_read_str(params, "as", ROW_CODE_BYTES, &as, why);
    if (err != ERR_OK) { return err; }
    int seat = match_seat_of(match, account);
    /* A referee's look, told to all, opens what he asked for, a match among friends too. */
    if (as != NULL && strcmp(as, "all") == 0 && look_stands(&match->looks, account)) {
        *out_viewer = VIEWER_ALL;
        return ERR_OK;
    }
    err = may_see(match, account, seat, why);
    if (err != ERR_OK) { return err; }
    if (late_is(match, account, NULL)) {
        return why_conflict(why, "delayed", "Spectators of this match see all of it, later.");
    }
    bool opened = match_is_revealed(match) && (seat >= 0 || !match->reveal_seats);
    if (as == NULL) {
        *out_viewer = seat >= 0 ? (unsigned)seat : (unsigned)VIEWER_PUBLIC;
        return ERR_OK;
    }
    if (strcmp(as, "public") == 0) {
        *out_viewer = VIEWER_PUBLIC;
        return ERR_OK;
    }
    if (strcmp(as, "all") == 0) {
        *out_viewer = VIEWER_ALL;
        return opened ? ERR_OK : why_conflict(why, "not_revealed", "The match is not open yet.");
    }
    for (unsigned i = 0; i < match->seats; i++) {
        if (strcmp(match->codes[i], as) != 0) { continue; }
        *out_viewer = i;
        return seat == (int)i || opened ? ERR_OK
                                        : why_text(why, ERR_FORBIDDEN, "That seat is not yours.");
    }
    return why_member(why, "as", "as is a seat of this match, public, or all");
}

/* Who has lent a seat sees what it sees and does nothing in it. */
static enum err may_act(const struct match *match, unsigned seat, const struct account_id *account,
                        struct why *why)
{
    if ((match->seat_changes >> seat & 1U) != 0) {
        why->retry_after_ms = 100;
        return why_text(why, ERR_RATE_LIMITED, "The seat is changing hands; try again.");
    }
    if (account_id_same(&match->accounts[seat], account)) { return ERR_OK; }
    return why_conflict(why, "lent", "You have lent your seat; recall it first.");
}

enum err match_actor(const struct matches *matches, const struct match *match,
                     const struct account_id *account, const struct cJSON *params,
                     unsigned *out_seat, struct why *why)
{
    if (account_is_nobody(account)) { return why_text(why, ERR_NOT_SIGNED_IN, "Sign in first."); }
    if (matches->closing) { return why_text(why, ERR_CLOSING, "The server is about to restart."); }
    int seat = match_seat_of(match, account);
    if (seat < 0) {
        enum err err = may_see(match, account, seat, why);
        return err != ERR_OK ? err
                             : why_text(why, ERR_FORBIDDEN, "You have no seat in this match.");
    }
    const char *as = NULL;
    enum err err = params == NULL ? ERR_OK : json_read_str(params, "as", ROW_CODE_BYTES, &as, why);
    if (err != ERR_OK) { return err; }
    *out_seat = (unsigned)seat;
    if (as == NULL) { return may_act(match, (unsigned)seat, account, why); }
    for (unsigned i = 0; i < match->seats; i++) {
        if (strcmp(match->codes[i], as) != 0) { continue; }
        *out_seat = i;
        return seat == (int)i ? may_act(match, i, account, why)
                              : why_text(why, ERR_FORBIDDEN, "That seat is not yours.");
    }
    return why_member(why, "as", "as is a seat of this match");
}

void params_hash(const char *method, const struct cJSON *params, struct buf *scratch,
                 struct hash *out)
{
    buf_reset(scratch);
    buf_append_str(scratch, method);
    buf_append_char(scratch, '\n');
    jw_value(scratch, params);
    hash_bytes(scratch->data, scratch->len, out);
}

uint64_t answer_hash(const struct account_id *account, const char *action_id)
{
    struct hasher hasher;
    struct hash hash;
    hasher_begin(&hasher, NULL, "vedette1 action id");
    hasher_part_str(&hasher, account->text);
    hasher_part_str(&hasher, action_id);
    hasher_end(&hasher, &hash);
    uint64_t value = 0;
    memcpy(&value, hash.bytes, sizeof value);
    return value == 0 ? 1 : value;
}

/* A look into the stored answers. */
struct lookup {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    char *action_id;
    struct hash params, stored;
    char *body;
    struct task *again; /* to be run when the id is unused; NULL: the error below is the answer */
    enum err otherwise;
};

static enum err lookup_read(struct db *db, void *data)
{
    struct lookup *lookup = data;
    return matches_read_answer(db, &lookup->call.account, lookup->action_id, &lookup->stored,
                               &lookup->body);
}

static void lookup_free(void *data)
{
    struct lookup *lookup = data;
    free(lookup->action_id);
    free(lookup->body);
    free(lookup);
}

static void on_lookup(void *ctx, enum err err)
{
    struct lookup *lookup = ctx;
    struct match *match = lookup->match;
    struct matches *matches = lookup->matches;
    if (err == ERR_OK) {
        bool same = memcmp(&lookup->stored, &lookup->params, sizeof lookup->params) == 0;
        struct why why;
        why_clear(&why);
        if (same) {
            done_ok(&lookup->call, lookup->body, strlen(lookup->body));
        } else {
            err = why_conflict(&why, "action_id", "That action_id was used for something else.");
            done_fail(&lookup->call, err, &why);
        }
        free(lookup->again);
    } else if (err == ERR_NOT_FOUND && lookup->again != NULL) {
        struct task *task = lookup->again;
        task->looked_up = true;
        task_keep(matches, match, task);
    } else {
        done_fail(&lookup->call, err == ERR_NOT_FOUND ? lookup->otherwise : ERR_STORAGE_FAILED,
                  NULL);
        free(lookup->again);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

void answer_lookup(struct matches *matches, struct match *match, const struct match_call *call,
                   const char *action_id, const struct hash *params, struct task *take_again,
                   enum err otherwise)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);
    if (lookup != NULL) { lookup->action_id = strdup(action_id); }
    if (lookup == NULL || lookup->action_id == NULL) {
        free(lookup);
        free(take_again);
        done_fail(call, ERR_STORAGE_FAILED, NULL);
        return;
    }
    lookup->matches = matches;
    lookup->match = match;
    lookup->call = *call;
    lookup->params = *params;
    lookup->again = take_again;
    lookup->otherwise = otherwise;
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, lookup_read, lookup, lookup_free, on_lookup, lookup);
}
