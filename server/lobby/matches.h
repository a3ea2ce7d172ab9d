/* server/lobby/matches.h: how matches come about: made, found, joined, left, started (PROTOCOL
 * section 4). Loop thread. */
#ifndef VEDETTE_SERVER_LOBBY_MATCHES_H
#define VEDETTE_SERVER_LOBBY_MATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "server/base/ids.h"

struct cJSON;
struct game;
struct lobby;
struct matches;
struct buf;
struct msg;
struct store;

enum {
    LOBBY_TITLE_BYTES_MAX = 256,
    LOBBY_INVITES_MAX = 16,
    LOBBY_LIST_MAX = 100, /* limit of match.list */
    LOBBY_LIST_DEFAULT = 20,
    LOBBY_MATCHES_PER_ACCOUNT = 200, /* the default */
    LOBBY_ACTION_ID_BYTES_MAX = 64,
    LOBBY_DELAY_MAX = 24,     /* turns that spectators lag behind */
    LOBBY_OPEN_DAYS = 30,     /* a table that has not begun is closed then */
    LOBBY_LEND_DAYS_MAX = 90, /* a seat is lent for so long at most */
    LOBBY_NOTE_BYTES_MAX = 16000,
    LOBBY_PACE_S_MAX = 7 * 24 * 3600, /* pace of match.create */
    LOBBY_DRAFT_BYTES_MAX = 32768
};

struct lobby_config {
    struct store *store;
    struct matches *matches;
    unsigned matches_per_account; /* open and running ones, made or joined; 0: the default */
    const struct game *const
        *games; /* NULL: the product registry; tests bring their own, NULL-ended */
    int64_t (*now_ms)(void *ctx); /* wall clock, ms since 1970; NULL: the system's */
    void *ctx;
    /* A finished notification for every connection of an account; msg is borrowed. NULL: nobody is
     * told. */
    void (*tell)(void *ctx, const struct account_id *account, struct msg *msg);
    void *tell_ctx;
};

/* config is copied. out_lobby: for lobby_close. */
enum err lobby_open(const struct lobby_config *config, struct lobby **out_lobby) VD_CHECKED;
/* When no call is under way (lobby_pending is 0). NULL is fine. */
void lobby_close(struct lobby *take_lobby);
/* Calls under way. */
unsigned lobby_pending(const struct lobby *lobby);
/* Tells whom a match concerns that it changed (match.changed, with its id alone). */
void lobby_tell(struct lobby *lobby, const struct match_id *match);
/* Tells those who watch the match who of its seats is here, and how many look on, as far as they are
 * shown it and it is other than before (match.changed, presence and watching). */
void lobby_tell_presence(struct lobby *lobby, const struct match_id *match);
/* What match.create takes for access, spectators, reveal and start: an object, as a value. */
void lobby_write_choices(struct buf *out);

/* A caretaker takes that seat of a running match, if this server has one for it: the hook of
 * match.h. */
void lobby_give_caretaker(struct lobby *lobby, const struct match_id *match, unsigned seat);

/* How a call ends, exactly once, on the loop, at once or later: as match_done_fn of server/match.
 */
typedef void lobby_done_fn(void *ctx, enum err err, const struct why *why, const char *json,
                           size_t n);

/* Who asks, and where the answer goes; copied but for params, which must live until done was called
 * (normal form, an object). */
struct lobby_call {
    struct account_id account; /* "": not signed in */
    const struct cJSON *params;
    lobby_done_fn *done;
    void *ctx;
};

/* Members are checked here. Those that change something take action_id (PROTOCOL section 7): a
 * repeat gets the first answer, CONFLICT "action_id" with other params. All answer with the summary
 * (schema/openrpc.json), but match.list with {"matches":[..],"next"?}.
 *
 * A match is known to those that sit in it, made it or are invited, and to all others if its access
 * is open or its spectators public; to anybody else it is NOT_FOUND like one that does not exist.
 */
typedef void lobby_method_fn(struct lobby *lobby, const struct lobby_call *call);

/* {game, options?, seat?, access?, spectators?, reveal?, title?, invite?, start?, rated?,
 * action_id?}: a new match with a secret of its own. In the summary its creator finds the join code
 * of each free seat of a closed match. INVALID_PARAMS, NOT_FOUND (game, name of an invited),
 * TOO_LARGE (too many matches). */
lobby_method_fn lobby_create;
/* {filter, game?, player?, before?, limit?}: newest first; next is the before that goes on. */
lobby_method_fn lobby_list;
/* {match, code?}: a code of a free seat tells who holds it of the match, and which seat it opens.
 */
lobby_method_fn lobby_get;
/* {match, seat?, code?, consent?, action_id?}. CONFLICT "already_joined", "seat_taken", "full",
 * "already_started", "over", "consent" (spectators see all of it some turns late: whoever joins
 * must agree to that); FORBIDDEN: not invited, no such code; TOO_LARGE. The last seat begins it. */
lobby_method_fn lobby_join;
/* {match, seat?, level?, action_id?}: a bot of the server's own sits down in a free seat (level: the
 * match's game, or "random"), or, of a running match, a caretaker in one that is offered. FORBIDDEN:
 * who neither made the match nor sits in it. CONFLICT "seat_taken", "full", "already_started",
 * "over", "no_bot". */
lobby_method_fn lobby_bot;
/* {match, action_id?}. CONFLICT "not_joined", "already_started", "over". A match whose creator
 * leaves while nobody sits in it is withdrawn. */
lobby_method_fn lobby_leave;
/* {match, action_id?}. FORBIDDEN: not the creator. CONFLICT "not_full", "already_started", "over".
 */
lobby_method_fn lobby_start;
/* {match, action_id?}: a match like that one, which is over, with the seats changed round and the
 * others invited; where one was asked for already, the caller sits down in it. FORBIDDEN: the
 * account had no seat. CONFLICT "not_over". TOO_LARGE. */
lobby_method_fn lobby_rematch;
/* {match, seat, consent?, action_id?}: takes a seat of a running match that is offered. CONFLICT
 * "seat_taken" (it is not offered), "already_joined", "knows" (the caller had a seat in it, or has
 * seen more of it than the public), "consent", "not_started", "over". FORBIDDEN: shut out.
 * TOO_LARGE. */
lobby_method_fn lobby_substitute;
/* {match, seat?, on?, action_id?}: offers the caller's seat of a running match to others, who keeps
 * it till one takes it; with on: false the offer is taken back. CONFLICT "vacant" (it stands so
 * already), "lent", "not_started", "over". */
lobby_method_fn lobby_vacate;
/* {match, seat?, name, until, action_id?}: lends the caller's seat to that player until then (ms
 * since 1970). NOT_FOUND: no player of that name, or none who hears the caller. CONFLICT "knows",
 * "lent" (it is lent already), "nonce", "not_started", "over"; INVALID_PARAMS: a time that is past,
 * or more than LOBBY_LEND_DAYS_MAX away. */
lobby_method_fn lobby_lend;
/* {match, seat?, action_id?}: a lent seat goes back, by who lent it or who has it. CONFLICT
 * "not_lent". */
lobby_method_fn lobby_recall;
/* {match, name, on?, action_id?}: shuts a player out of watching and joining the match, or with on:
 * false lets him in again. Before the begin he loses his seat as well. FORBIDDEN: not the creator.
 * CONFLICT "seat": who has a seat of a running match stays. */
lobby_method_fn lobby_kick;
/* {match, name, on?, action_id?}: the caller hears nothing of what that player says in the match,
 * or hears it again. NOT_FOUND, TOO_LARGE. */
lobby_method_fn lobby_mute;
/* {match, text, name | channel and n, action_id?}: {}: something for the host to look at: a player,
 * or a message, which is kept as it was. NOT_FOUND with why->member "n" or "name"; FORBIDDEN: not
 * the caller's to read. TOO_LARGE: too many reports that are not looked at. */
lobby_method_fn lobby_report;
/* {match, as?, text?, action_id?}: {text, at?}: the notebook of who sits there. FORBIDDEN: another.
 * TOO_LARGE. */
lobby_method_fn lobby_note;
/* {match, as?, version?, actions?, action_id?}: {version, actions, seq?}: what who sits there means
 * to do. CONFLICT "version": it was changed since. FORBIDDEN, TOO_LARGE. */
lobby_method_fn lobby_draft;

#endif
