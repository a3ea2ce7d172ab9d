/* server/lobby/inside.h: one call to the lobby on its way, shared by the files that serve it. */
#ifndef VEDETTE_SERVER_LOBBY_INSIDE_H
#define VEDETTE_SERVER_LOBBY_INSIDE_H

#include <stdbool.h>

#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/base/why.h"
#include "server/lobby/matches.h"
#include "server/match/guests.h"
#include "server/match/match.h"
#include "server/store/lobby.h"
#include "server/store/nonces.h"
#include "server/store/people.h"
#include "server/store/talk.h"

struct store_unit;

struct lobby {
    struct lobby_config config;
    struct job *first; /* those that change something, in order of coming: one at a time a key */
    unsigned pending;
};

enum { JOB_KEY_BYTES = ACCOUNT_ID_CHARS + 1 };

/* One call. It reads what it needs, decides, writes, and answers with a summary. While one is under
 * way, others on the same match (or, for create, of the same account) wait: so what was read still
 * holds when it is written. */
struct job {
    struct job *next;
    struct lobby *lobby;
    struct lobby_call call;
    char key[JOB_KEY_BYTES]; /* "": waits for nobody */
    bool under_way;
    struct why why;
    struct buf text; /* the answer */
    int64_t now;

    /* What the params say. */
    struct match_id match; /* "": none */
    const char *seat, *code, *action_id;
    struct hash params;

    /* What the store says. */
    bool has_row;
    struct lobby_row row;
    char *answer; /* to this action_id; NULL: none yet */
    struct hash answer_params;
    unsigned count; /* matches of the account */
    bool wants_count;
    bool wants_rematch, wants_ties;
    struct match_id rematch; /* of the match, open or running; "": none */
    bool sits_in_rematch, shut_out_of_rematch;
    bool shut_out[ROW_SEATS_MAX]; /* seats of the match whose accounts hear nothing of this one */
    bool changes;                 /* whom the match concerns is told when it is done */
    bool wants_nonces;            /* it may begin the match */
    struct guests guests;         /* whom it lets watch then */
    struct nonce_pick nonces[ROW_SEATS_MAX], own_nonce; /* of the seats' accounts, of the caller */
    struct clock_calendar *calendars; /* of the seats, then of the caller; NULL: none are wanted */
    unsigned tries;
    int reseats;                 /* the seat of a running match that it takes; -1: none */
    bool blocked;                /* who made the match or sits in it has blocked the account */
    struct lobby_insert *insert; /* create */
    unsigned invites;
    char (*invite)[512]; /* skeletons of the names */
    int invite_missing;  /* number of the first that nobody has, -1: none */

    /* A person that the call names, by what the account is found by; "": none. */
    char folded[512];
    bool person_found, person_deaf; /* there is one; it has blocked the caller */
    struct account_id person;
    int shuts;               /* 1: the person is shut out with it, -1: let in again */
    struct people_ties ties; /* of the person, or without one of the caller, to the match */

    const char *level; /* match.bot: the policy of a bot */
    bool wants_bot;    /* person: the bot that may sit down */

    void (*decide)(struct job *job);
};

/* ---- summary.c ---- */

/* The summary without what plays live: members of an object, without braces. */
/* When a table that has not begun is closed. */
int64_t lobby_expires_at(const struct lobby_row *row);
void summary_write(struct buf *out, const struct lobby_row *row, const struct account_id *asker);
/* Member `talk`, where the match itself does not say it: whether spectators have a channel, and how
 * much the asker has not read (unread by channel, -1: not his to read; NULL: not counted). */
void summary_write_talk(struct buf *out, const struct lobby_row *row, const int *unread);
/* What a list shows of play: seq, chain, to_act, waits_for, result, as the asker may see it. */
void summary_write_tip(struct buf *out, const struct lobby_row *row,
                       const struct account_id *asker);

/* ---- matches.c ---- */

/* A code of a free seat opens it, and tells that there is such a match. -1: it is none. */
int lobby_seat_of_code(const struct job *job);
/* Refused before any reading: not signed in, or params that are wrong (answered, NULL). */
struct job *lobby_begin_job(struct lobby *lobby, const struct lobby_call *call, const char *method,
                            const char *const *names, bool needs_account);
/* The account (with job->own_nonce) takes that seat of an open match, or of a running one; the last
 * seat begins it. Answers. */
void lobby_sit_down(struct job *job, unsigned seat, const struct account_id *account);
/* The code that opens a seat of a match with that access; "" where it needs none. */
void lobby_make_join_code(const char *access, char out[LOBBY_CODE_CHARS + 1]);
const struct game *lobby_find_game(const struct lobby *lobby, const char *name);
/* The seats of insert->options; job->seat is the creator's. */
enum err lobby_lay_seats(struct job *job, const struct game *game,
                         struct lobby_insert *insert) VD_CHECKED;
/* CONFLICT "consent" unless nobody watches the match late, or the caller made it or says that he
 * knows
 * (`consent`). */
enum err lobby_need_consent(struct job *job) VD_CHECKED;
/* Id, secret and creator of a new match of the game. */
void lobby_fill_insert(struct job *job, const struct game *game, struct lobby_insert *insert);

/* ---- hands.c ---- */

/* What job->folded, ties want: on a reader's thread. */
enum err hands_read(struct db *db, struct job *job) VD_CHECKED;
/* A call about a person of the match, by `name` (needed: it may not be left out): the person, and
 * what ties both to the match, are read; then decide. changes: whom the match concerns is told. */
void hands_begin(struct lobby *lobby, const struct lobby_call *call, const char *method,
                 const char *const *names, bool needed, bool changes,
                 void (*decide)(struct job *job));

/* ---- manners.c ---- */

/* How many messages the account has not read in the match, by channel; -1: not its to read. On a
 * reader's thread. */
enum err manners_unread(struct db *db, const struct lobby *lobby, const struct lobby_row *row,
                        const struct account_id *account, int out_unread[TALK_CHANNELS]) VD_CHECKED;

/* ---- seat_bot.c ---- */

/* Part of reading: which bot, and its nonce. */
enum err seat_bot_read(struct db *db, struct job *job) VD_CHECKED;

/* ---- timing.c ---- */

/* Member clock of match.create, once the seats are laid: the normal form of its spec. */
enum err timing_read_spec(struct job *job, struct lobby_insert *insert) VD_CHECKED;
/* What the match needs to begin with a clock; on a reader's thread. */
enum err timing_read(struct db *db, struct job *job) VD_CHECKED;
void timing_fill_begin(struct job *job, struct match_begin *begin);

/* ---- presence.c ---- */

/* The member presence of a summary, as far as the asker may know the match. */
void presence_write(struct lobby *lobby, struct buf *out, const struct lobby_row *row,
                    const struct account_id *asker);

/* ---- jobs.c ---- */

int64_t job_now_ms(const struct lobby *lobby);
/* H of the method and of all params but action_id: what must be the same in a repeat. */
void job_hash_params(const char *method, const struct cJSON *params, struct hash *out);
/* A job for the call; params is hashed with the method's name. NULL: no memory (answered). */
struct job *job_create(struct lobby *lobby, const struct lobby_call *call, const char *method);
/* Reads match, seat, code, action_id, as far as names (NULL-ended) has them; refuses others. */
enum err job_read_params(struct job *job, const char *const *names) VD_CHECKED;
/* Waits for its turn, reads, then decide is called. */
void job_go(struct job *job, const char *key, void (*decide)(struct job *job));
/* Reads and decides anew: what was read does not hold any more. */
void job_again(struct job *job);
/* Ends it: with an error (why in job->why), or with the text of the answer. */
void job_fail(struct job *job, enum err err);
void job_answer(struct job *job);
/* Ends it unanswered: its call goes on as another. */
void job_drop(struct job *job);
/* Adds an operation of store/lobby.h whose data is malloc'ed; take_data NULL (no memory) will fail
 * the unit. unit NULL: no memory either, found by job_commit. */
void job_unit_add(struct store_unit *unit, enum err (*op)(struct db *db, void *data),
                  void *take_data);
/* Commits unit (with the job's action_id noted) and answers with the summary. */
void job_commit(struct job *job, struct store_unit *take_unit);
/* Commits the match that the job made (job->insert) and answers with its summary. */
void job_commit_insert(struct job *job);
/* TOO_LARGE, and why: what an account may have under way has a bound. */
enum err lobby_too_many(struct job *job) VD_CHECKED;
/* The unit, of which it is the first operation, gives the caller one match more: refused when he has
 * too many by then. */
void job_need_room(const struct job *job, struct store_unit *unit);
/* Adds the note of the job's action_id to unit. */
void job_note_answer(struct job *job, struct store_unit *unit);
/* Reads the match anew and answers with its summary; an action_id keeps that answer. */
void job_summary(struct job *job);

#endif
