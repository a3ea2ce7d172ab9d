/* server/match/match.h: live matches: lines, log, views, watchers, undo, chat. All of it on the
 * loop thread. */
#ifndef VEDETTE_SERVER_MATCH_MATCH_H
#define VEDETTE_SERVER_MATCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "common/base/why.h"
#include "common/rules/game.h"
#include "server/base/ids.h"

struct buf;
struct cJSON;
struct clock_calendar; /* server/clock/spec.h */
struct guests;         /* server/match/guests.h */
struct matches;        /* every match this daemon knows: loaded, at rest, watched */
struct msg;
struct store;      /* server/store/db.h */
struct store_unit; /* server/store/db.h: what is written as one */
struct watch;

enum {
    MATCH_LIST_MAX = 64,           /* actions in one match.act */
    MATCH_WATCHERS_MAX = 1000,     /* of one match; more are TOO_LARGE */
    MATCH_CLIENT_WATCHES_MAX = 64, /* of one connection */
    MATCH_CLIENT_WAITS_MAX = 16,   /* match.wait at once, of one connection */
    MATCH_IN_FLIGHT_MAX = 256,  /* calls of a seat on their way to the disk; more: RATE_LIMITED */
    MATCH_SAY_BYTES_MAX = 2000, /* text of match.say */
    MATCH_HISTORY_STEPS_MAX = 200, /* limit of match.history, also the default */
    MATCH_TALK_MESSAGES_MAX = 200, /* limit of match.talk, the default is 50 */
    MATCH_WAIT_S_MAX = 60,
    ACTION_ID_BYTES_MAX = 64
};

/* --- set-up ----------------------------------------------------------------------------------- */

/* What a connection embeds: the ends of lists of what it watches and waits for. Zeroed at the
 * start; match_client_gone empties it. Watches need one, also waits by POST /rpc; other calls may
 * do without. */
struct match_client {
    struct watch *watches;
    struct wait *waits;
    uint32_t watch_count, wait_count;
};

enum match_push { PUSH_VIEW, PUSH_STEP, PUSH_DELTA, PUSH_SAID, PUSH_CHANGED, PUSH_TURN };

/* Whom the matches tell. None of these may call back into matches_* or match_* at once. */
struct match_hooks {
    void *ctx;
    /* A finished JSON-RPC notification for a connection; msg is borrowed (msg_ref keeps it). False:
     * its queue is over its bound and the message was not taken. A view or delta not taken is made
     * up for: after match_client_ready the newest view follows. PUSH_SAID and PUSH_CHANGED are
     * dropped then. An older PUSH_VIEW of the same match and viewer still in the queue may be left
     * out when a newer PUSH_VIEW comes (never a PUSH_DELTA, nor a view that a delta follows). A
     * PUSH_STEP is a view that takes no older one's place: who answered by orders, or earlier than
     * it is shown, is seen step by step as who answers by hand. */
    bool (*push)(void *ctx, struct match_client *client, const struct match_id *match,
                 unsigned viewer, enum match_push kind, struct msg *msg);
    /* account.turn, for every connection of that account. */
    void (*turn)(void *ctx, const struct account_id *account, struct msg *msg);
    /* A match's life went on (begun, over, revealed), durable: lists may have changed. */
    void (*changed)(void *ctx, const struct match_id *match);
    /* The store lacks lines that were acknowledged: the daemon must not go on. May be NULL. */
    void (*fatal)(void *ctx, const char *what);
    /* Other seats than before may be looked at by who holds them (match_present), or more or fewer
     * spectators look on (match_watching). May be NULL. */
    void (*present)(void *ctx, const struct match_id *match);
    /* The ladder gives the seat to a caretaker: whoever has one calls match_seat_give. Asked again
     * every minute until it is so. May be NULL. */
    void (*caretaker)(void *ctx, const struct match_id *match, unsigned seat);
    /* Whether the account has any connection, or is a bot of this daemon. May be NULL: no. */
    bool (*is_here)(void *ctx, const struct account_id *account);
    /* Notices were stored that are due then (ms since 1970). May be NULL. */
    void (*noticed)(void *ctx, int64_t due);
};

struct matches_config {
    uv_loop_t *loop;
    struct store *store;
    struct match_hooks hooks;
    size_t memory_bytes_max; /* budget for loaded matches and cached views; 0: 16 MiB */
    const struct game *const
        *games; /* NULL: the product registry; tests bring their own, NULL-ended */
    int64_t (*now_ms)(void *ctx); /* wall clock, ms since 1970; NULL: the system's. hooks.ctx */
    bool say_freely;              /* accounts may say things as often as they like */
    uint32_t idle_ms;             /* a match untouched for so long goes to rest; 0: 10 s */
    uint32_t snapshot_lines;      /* a snapshot after so many lines; 0: 256 */
    uint32_t notice_delay_ms;     /* a notice is sent no sooner than so long after its line */
};

/* config is copied. out_matches: for matches_destroy. INTERNAL: out of memory. */
enum err matches_create(const struct matches_config *config,
                        struct matches **out_matches) VD_CHECKED;

/* Once, before anybody is served: what has passed since the last heartbeat is charged to no clock,
 * and every match whose clock may do something by itself will be looked at in time. done: on the
 * loop; STORAGE_FAILED: it cannot be read or written. Without it clocks run from what loads. */
void matches_start(struct matches *matches, void (*done)(void *ctx, enum err err), void *ctx);
/* What is due at now_ms happens now: for a time that jumped. */
void matches_look(struct matches *matches);
/* Stores a heartbeat now, not only every ten seconds. */
void matches_beat(struct matches *matches);
/* Whether the account has a connection, as far as is known. */
bool match_is_connected(const struct matches *matches, const struct account_id *account);
/* The calendar that the settings of an account give (JSON); universal time for NULL. False: they
 * give none. */
bool match_calendar_of(const char *settings, struct clock_calendar *out);
/* Looks whether the database of time zones is another than it was, or, anyway, reads it at once. Where
 * zones tell other times now, the clocks that hang on them go on by those from now on: stored, told
 * to whoever watches, logged. The matches look by themselves, too. */
void matches_zones(struct matches *matches, bool anyway);
/* The account's zone, sleep or vacation have changed: so do the clocks of its running matches. */
void matches_calendar(struct matches *matches, const struct account_id *account);

/* DESIGN 5, SIGTERM: from now on whatever would change something is refused with CLOSING, waits end
 * as unchanged, and done is called once no line is in flight and every answer is given. */
void matches_close(struct matches *matches, void (*done)(void *ctx), void *ctx);

/* After matches_close has called done (or when nothing was ever begun) and all clients are gone.
 * Frees everything; handles on the loop close in its next turns (run it once more before
 * uv_loop_close). */
void matches_destroy(struct matches *take_matches);

/* Whatever nobody needs at the moment goes to rest at once, as it would after idle_ms. For tests.
 */
void matches_rest(struct matches *matches);

/* --- calls ------------------------------------------------------------------------------------ */

/* How a call ends, exactly once, at once or later, always on the loop thread. ERR_OK: json[0..n-1]
 * is the result, JSON text, borrowed; else why says more (never NULL then). The reply of a call
 * comes before the pushes that its line causes. */
typedef void match_done_fn(void *ctx, enum err err, const struct why *why, const char *json,
                           size_t n);

/* Who asks, and where the answer goes. Copied by the callee, but for what ctx points at. */
struct match_call {
    struct account_id account;   /* "" : not signed in */
    struct match_client *client; /* NULL: no pushes (match.watch and match.wait are refused) */
    match_done_fn *done;
    void *ctx;
};

/* A method of the wire by its params (PROTOCOL 4): parsed, in normal form (json_normalise), an
 * object. Members are checked here: an unknown one, a missing one, a wrong type are INVALID_PARAMS.
 * params stay the caller's and must live until done was called.
 *
 * Refusals of them all: NOT_FOUND (no such match, or none this account may know of), FORBIDDEN (it
 * may know of it, but not see it, or does not have that seat), CONFLICT "not_started",
 * STORAGE_FAILED. Those that change something: NOT_SIGNED_IN, CLOSING, MATCH_OVER, and CONFLICT
 * "action_id" (the same id with other params); with an action_id used before and the same params:
 * the first answer. */
typedef void match_method_fn(struct matches *matches, const struct match_call *call,
                             const struct cJSON *params);

/* {match, as?, delta?, actions?, seq?}: the push of the current view follows the reply, or with seq
 * the deltas from there if they are at hand. Result {"match","as","seq","chain"} and
 * "unchanged":true when seq is current. STALE_STATE: a seq beyond the current one. A second watch
 * of the same match as the same viewer replaces the first. */
match_method_fn match_watch;
/* {match, as?}: ends the watches of that connection on the match (of that viewer). Result {}. */
match_method_fn match_unwatch;
/* {match, as?, actions?}: result is the view. */
match_method_fn match_view;
/* {match, after, as?, timeout_s?, actions?}: the view once seq > after, else
 * {"seq","unchanged":true}. */
match_method_fn match_wait;
/* {match, as?, seq, action | actions | draft, action_id?}: result {"seq","chain","events"}, of the last
 * line; events of all lines of a list in order. STALE_STATE, ILLEGAL_ACTION, NOT_YOUR_TURN,
 * MATCH_OVER; CONFLICT "list" when another action than the last of a list drew or was sealed;
 * CONFLICT "frozen" when this binary lacks the match's rules; INTERNAL when the state it led to was
 * broken (a report is stored); RATE_LIMITED when too many lines are in flight. */
match_method_fn match_act;
/* {match, as?, seq, action | actions}: refused as match_act would, or {"accepted":true}. */
match_method_fn match_try;
/* {match, as?, seq, actions?, questions?}: what the seat would see with these actions done:
 * {"seq","view","answers","refused","plan"}; nothing changes, nothing is rolled. In another's turn as
 * if its own next one began now; NOT_YOUR_TURN: it has none to think of. STALE_STATE, MATCH_OVER. */
match_method_fn match_plan;
/* {match, question, seq?, as?}: {"seq","answer"}. */
match_method_fn match_ask;
/* {match, as?, seq, action_id?}: takes back the seat's own last action. Result as match_act.
 * CONFLICT "undo". */
match_method_fn match_undo;
/* {match, as?, action_id?}: result {"seq","chain","events"}: the seat leaves (LEAVE_RESIGNED). */
match_method_fn match_resign;
/* {match, as?}: {"version","orders","fired":[{"seq","version","entry"}]}, what orders the seat has
 * left and which of them (counted from 0) answered what, the newest first. {match, as?, version,
 * orders, action_id?}: leaves others in their place: {"version","orders"}. CONFLICT "version" (they
 * were changed meanwhile), "game" (it takes none); INVALID_PARAMS and TOO_LARGE as the game says,
 * member as "orders[0].when.in". */
match_method_fn match_standing;
/* {match, as?}: {"seq","answer"?,"view"?}: what the seat has answered that is not shown yet (option
 * pace): {"asked","until","given":[actions]}, absent when it is asked nothing; and the view as it
 * will be with that, to go on with the sitting. */
match_method_fn match_held;
/* {match, as?, what, to?, action_id?}: draw, abort, rewind (to: the seat's own seq). Result: the
 * offer as `offers` of match_live has it; pushed as match.changed to all that watch. CONFLICT
 * "offered" (one of a kind and seat is open), "rewind" (nothing that all were told of happened
 * since), "left". */
match_method_fn match_offer;
/* {match, as?, offer, accept, action_id?}: {"offer","outcome"}, and "seq","chain","events" when it
 * is carried out. The maker withdraws by accept: false. NOT_FOUND with why->member "offer": no such
 * open offer; CONFLICT "own", "left". */
match_method_fn match_answer;
/* {match, as?, nonce | lost: true, action_id?}: result {"seq","chain","events"}: the seat opens its
 * nonce, or has lost it (FAIRNESS 3), told to all. What is open so already is answered without a
 * line. CONFLICT "nonce": none is awaited; INVALID_PARAMS: it does not fit. */
match_method_fn match_nonce;
/* {match, as?, from?, limit?}: {"steps":[{"seq","chain","at","events","clock"?}],"next"?}: steps
 * with seq >= from (default: the last limit of them); next is the from that goes on, absent at the
 * end. "at" is in ms. */
match_method_fn match_history;
/* {match, seq, as?}: the view as it was for this viewer at its seq, without actions.
 * NOT_FOUND with why->member "seq": there is no such seq. */
match_method_fn match_replay;
/* {match, channel, text, action_id?}: {"channel","n","at","from","text"}; pushed as match.said
 * {match, channel, n, at, from, text} to whoever watches as one who may read it and has not muted
 * its author. `table`: seats write, whoever may see the match reads. `side`: two allies, while
 * their rules let them (else ILLEGAL_ACTION with the rule, and why->opens). `watchers`: spectators
 * who are signed in; seats read it after the end. "from" is the seat's code, of a spectator the
 * name. INVALID_PARAMS "channel": the match has none such. TOO_LARGE: over MATCH_SAY_BYTES_MAX, or
 * the channel is full. RATE_LIMITED. */
match_method_fn match_say;
/* {match, channel, before?, limit?}: {"messages":[..]} in order of n, those below before. */
match_method_fn match_talk;
/* {match, channel, n, action_id?}: {"channel","n","unread"}: the account has read so far. NOT_FOUND
 * with why->member "n". */
match_method_fn match_read;
/* {match, as?, seq}: {"seq"}: a person has seen the seat's view of that seq, in a client that was
 * visible and in use: what had to be told up to there need not be told elsewhere. STALE_STATE: a
 * seq beyond the current one. */
match_method_fn match_seen;
/* {match, as?}: {"match","viewer","seq","chain","time","signature","key"}: where the viewer stands,
 * signed by the server's key (FAIRNESS 6). */
match_method_fn match_receipt;
/* {match}: {"match","now","kind","spec","seats":{..},"held":[..],"paused"?} as server/clock/clock.h
 * has it: why each deadline, and what comes next; before the begin {"match","spec"}. CONFLICT
 * "clock": the match has none. */
match_method_fn match_clock;
/* {match, as?, what, seat?, action_id?}: what another seat's passed deadline gives: win, grant,
 * annul, ally (DESIGN 6), or that its player is gone (away.h): win, annul, convert. Result as match_act. CONFLICT "clock", "claim", "left". */
match_method_fn match_claim;
/* {match}: {"record"}: the record as text (FAIRNESS 7). CONFLICT "not_revealed": not over, or open
 * to its seats alone. TOO_LARGE: over 20 MiB. */
match_method_fn match_record;

/* --- what the lobby needs --------------------------------------------------------------------- */

enum match_spectators { SPECTATORS_NONE, SPECTATORS_PUBLIC };
enum match_reveal {
    REVEAL_END,
    REVEAL_SEATS
}; /* to everybody who may see the match, or to the seats alone */

/* A match whose seats are full. All borrowed until match_begin returns. */
struct match_begin {
    struct match_id id;
    int64_t key; /* match.key of its row, which is stored already */
    const char *game;
    uint32_t rules;
    const char *options;                   /* JSON in full normal form, as the header holds it */
    struct hash secret;                    /* S of FAIRNESS 3 */
    unsigned seats;                        /* as game->seats says */
    struct account_id accounts[SEATS_MAX]; /* who holds each */
    enum match_spectators spectators;
    enum match_reveal reveal;
    int64_t pace_ms;   /* answers to interrupts are shown so long after they were asked for */
    bool closed;       /* access is not `open`: to strangers there is no such match (NOT_FOUND, not
                          FORBIDDEN) */
    const char *clock; /* the normal form of its spec (server/clock/spec.h); NULL: none */
    const struct clock_calendar *calendars; /* of the seats, with a clock; NULL: none are known */
    uint32_t bots;                          /* bit of each seat that a bot holds */
    struct {
        int64_t key; /* of nonce_commit; 0: the account has none in stock, the seat waives */
        struct hash commit;
    } nonces[SEATS_MAX];
    struct guests *guests; /* whom it lets watch, as guests_read gave it; emptied. NULL: anybody */
    unsigned restored;     /* how often the database was restored since the match was made */
};

/* Begins a match: line 0 (the header, FAIRNESS 5) and `begin` (the game's create; later, with the
 * last nonce, where the game may draw at once and nonces are awaited) are stored with what
 * take_with writes (the lobby's own rows: the last seat, phase running; NULL: nothing) as one unit.
 * The header's seq is 0 for every viewer, after `begin` it is 1. done:
 * {"seq":1,"chain":..} as the public would be told. CONFLICT "already_started", or without a
 * reason: a nonce was dealt elsewhere meanwhile, try again with another. INVALID_PARAMS: the game
 * refuses the options. */
void match_begin(struct matches *matches, const struct match_begin *begin,
                 struct store_unit *take_with, match_done_fn *done, void *ctx);

/* Stored: the account may watch the match no more (its watches end), or may again. */
void match_shut_out(struct matches *matches, const struct match_id *id,
                    const struct account_id *account, bool on);
/* How many connections watch the match, seats left out. */
uint32_t match_watching(struct matches *matches, const struct match_id *id);

/* Stored: the account has that seat of a running match from now on. */
void match_seat_taken(struct matches *matches, const struct match_id *id, unsigned seat,
                      const struct account_id *account);

/* The live part of match.get, as the account's seat or the public may know it: members of an object
 * without braces: "as","seq","chain","to_act","waits_for","offers","commit","nonces","header" (line
 * 0 as text: head 0 is over these bytes),"over","result" (when over),"revealed","key" (S, when it
 * is open to the account),"frozen" (when it is). Before there is a header nothing but "commit",
 * before the game has begun beside it "header" and "nonces" alone. call->account "" : the public's.
 * Refusals as above; for a match whose spectators are none a stranger gets
 * "commit","over","result","revealed" alone. */
void match_live(struct matches *matches, const struct match_call *call, const struct match_id *id);

/* Seats whose holder watches the match as that seat: a bit each. */
uint32_t match_present(struct matches *matches, const struct match_id *id);
/* Who is at a match as its watchers are shown it. */
struct match_crowd {
    uint32_t shown, here; /* bit i: whether seat i is shown to be here or not, and which it is */
    uint32_t watching;
};
/* Notes what is shown from now on, and returns what had been before: nothing to whoever watches is
 * the same as nobody. A push about who is here that says nothing new would tell that somebody came
 * or went who does not want it to be seen. */
struct match_crowd match_crowd_show(struct matches *matches, const struct match_id *id,
                                    const struct match_crowd *crowd);
/* The connection's account shows its presence from now on, or no more: hooks.present for what it
 * watches. */
void match_client_shown(struct matches *matches, const struct match_client *client);

/* Answers that were to be shown by now are shown. The matches look by themselves; this is for who
 * has moved the clock. */
void match_pace_look(struct matches *matches);

/* Somebody looks at the whole of the match by other ways than as a referee: the line is written that
 * tells all seats so. A match that has not begun, or is over, hides nothing. */
void match_tell_look(struct matches *matches, const struct match_id *id, const char *reason);

/* Sends a finished notification (match.changed) to every watcher of the match, or to those alone
 * who lag behind. */
void match_tell(struct matches *matches, const struct match_id *id, struct msg *msg);
void match_tell_late(struct matches *matches, const struct match_id *id, struct msg *msg);

/* --- what net needs --------------------------------------------------------------------------- */

/* The connection closed or its account changed: its watches end, its waits end with an error (done
 * is called within). Calls under way still end by done. */
void match_client_gone(struct matches *matches, struct match_client *client);
/* The connection's queue fell below its bound again after push said false. */
void match_client_ready(struct matches *matches, struct match_client *client);

enum { HAND_OVER_BOUNDS = 24, HAND_OVER_STEP = 10 };
/* For /metrics; not by match or account (DESIGN 8). */
struct matches_stats {
    uint64_t pending; /* flights, reads and tasks that somebody waits for */
    uint64_t known, loaded, watches, waits, lines_in_flight, memory_bytes;
    uint64_t lines_stored, lines_refused, commits_failed, loads, unloads, bad_states;
    /* Finished matches by how often they came to wait for another seat: up to 10, 20, ..., more. */
    uint64_t hand_overs[HAND_OVER_BOUNDS + 1], hand_overs_sum, hand_overs_count;
};
void matches_stats(const struct matches *matches, struct matches_stats *out_stats);

/* `vedetted check`: replays every stored match and compares heads, live rows and snapshots. A line
 * a fault to the callback. Blocks; for a process that does nothing else. Returns the number of
 * faults, out_count how many matches were replayed. list NULL: the product's games. STORAGE_FAILED:
 * the file cannot be read. */
enum err matches_check(const char *database_path, const struct game *const *list,
                       void (*on_fault)(void *ctx, const char *text), void *ctx,
                       uint64_t *out_count, uint64_t *out_faults) VD_CHECKED;

#endif
