/* server/match/live.h: what the files of this folder share about matches in memory. */
#ifndef VEDETTE_SERVER_MATCH_LIVE_H
#define VEDETTE_SERVER_MATCH_LIVE_H

#include "server/match/away.h"
#include "server/match/clocks.h"
#include "server/match/core.h"
#include "server/match/draft.h"
#include "server/match/guests.h"
#include "server/match/look.h"
#include "server/match/match.h"
#include "server/match/notices.h"
#include "server/match/offers.h"
#include "server/match/pace.h"
#include "server/match/pool.h"
#include "server/match/standing.h"
#include "server/match/wakes.h"
#include "server/store/store.h"

struct msg;

enum { DELTA_RING = 8 }; /* deltas kept for each viewer and variant */

/* Two variants of all that goes to watchers: without forms and with. */
enum variant { PLAIN, FORMS, VARIANTS };

/* A view as it goes out: a whole match.view notification, in which the view stands at [at, len -
 * 2). */
struct view_msg {
    struct msg *msg; /* NULL: not made */
    uint32_t at;
};

struct delta {
    uint64_t from, to;
    uint64_t at; /* loop time at which it was made */
    struct msg *msg; /* NULL: free */
};

/* What was made for one viewer of a match, for its durable seq; kept until it goes to rest. */
struct viewer_cache {
    uint64_t seq; /* of the views */
    struct view_msg view[VARIANTS];
    struct delta deltas[VARIANTS][DELTA_RING];
    uint8_t next_delta[VARIANTS];
};

/* An answer that waits for the lines it was judged on. */
struct deferred {
    struct deferred *next;
    struct match_call call;
    enum err err;
    struct why why;
    char *json;
    size_t json_len;
};

/* One line on its way to the disk. */
struct flight_step {
    uint64_t n;
    int64_t at;
    uint32_t told;
    bool begins;                             /* by hand it would be a call of its own */
    struct tip_viewer tip[VIEWERS];          /* of those told */
    bool turns;                              /* a turn begins with it */
    char *side;                              /* the allies' channel afterwards; NULL: as before */
    struct view_msg view[VIEWERS][VARIANTS]; /* of those told and watched */
};

/* A unit on its way: the lines of one call. */
struct flight {
    struct match *match;
    struct matches *matches;
    struct flight *next;
    struct flight *with; /* stored by the same unit, to land right after it; NULL: none */
    struct match_call call;
    uint64_t answer_hash;
    char *action_id; /* NULL: none */
    struct hash params;
    char *answer; /* JSON */
    struct deferred *deferred;
    uint32_t told;                   /* viewers of all its steps */
    int seat;                        /* whose it is; -1: the host's */
    bool begins, begun, ended;       /* it holds the header; the game has begun with it; ended */
    bool leaves, rewinds;            /* a seat leaves; the match goes back */
    struct offer_change *change;     /* what becomes of offers; NULL: nothing */
    struct notice_note *notes;       /* whom it tells what beside sittings */
    int64_t notices_due;             /* ms; 0: it makes no notice */
    struct seat_change *seat_change; /* a seat that changes hands; NULL: none does */
    struct orders_write *orders;     /* of orders; NULL: nothing yet */
    uint32_t asks;                   /* bit of each seat that is asked other things than before */
    bool holds;                      /* it changes what is held */
    int64_t held_due;                /* what is held then is due; 0: nothing is */
    bool reopens, reveals;      /* the match goes on after its end; it is opened to everybody */
    int64_t reveal_at;          /* ended: when it will be opened; 0: at once */
    struct clock_flight *clock; /* what becomes of the clock; NULL: nothing */
    uint32_t step_count, step_cap;
    struct flight_step steps[];
};

/* What offers of rewind need of the log: read on a reader's thread, kept until it is used. */
struct past_read {
    bool reading, failed;
    struct core_past past;   /* the match after a line; state NULL: none was read */
    struct preview *preview; /* what a seat would take back; NULL: none was read */
};

/* A call that cannot be answered yet, for want of a record, a core or a view. */
struct task;
/* Tries to answer; false: not yet (what is missing was asked for). */
typedef bool task_fn(struct matches *matches, struct match *match, struct task *task);
struct task {
    struct task *next;
    struct match_call call;
    const struct cJSON *params;
    task_fn *run;
    bool looked_up;      /* its action_id is known to be unused */
    struct cJSON *draft; /* what was read for it (draft.h); NULL: nothing. Goes with the task */
};

struct watch {
    struct match *match;
    struct match_client *client;
    struct account_id account;                /* whose seat it was, if it is a seat's */
    struct watch *next, **link;               /* of the match */
    struct watch *client_next, **client_link; /* of the client */
    uint64_t seq;                             /* the client has it */
    uint8_t viewer, variant;
    bool late;       /* by a spectator who lags behind (late.h) */
    bool delta, due; /* due: the current view is owed */
    bool has_seq;    /* it has any view at all */
};

struct wait {
    struct match *match;
    struct match_client *client;
    struct wait *next, **link;
    struct wait *client_next, **client_link;
    struct matches *matches;
    struct match_call call;
    uint64_t after;
    uint8_t viewer, variant;
    bool late; /* as of a watch */
    uv_timer_t timer;
};

/* A match in memory. At rest: without core and caches. */
struct match {
    struct match_id id;
    struct match *hash_next;
    struct match *newer, *older; /* in the list of loaded matches, by use */
    int64_t key;
    const struct game *game; /* NULL: none of ours */
    uint32_t rules;
    uint8_t seats;
    char codes[SEATS_MAX][ROW_CODE_BYTES];
    struct account_id accounts[SEATS_MAX];
    struct account_id owners[SEATS_MAX]; /* who lent the seat to accounts[]; "": nobody */
    int64_t until[SEATS_MAX];            /* when it goes back */
    uint8_t vacant;                      /* a bit each: others may take the seat */
    uint8_t seat_changes;                /* seats that change hands with a line in flight */
    uint8_t reseated; /* seats taken while a read was under way, which may not have seen it */
    bool known;       /* its row was read */
    bool absent;      /* there is no such row */
    bool closed, spectators_public, reveal_seats;
    struct guests guests;
    struct looks looks;
    struct late *late; /* spectators who lag behind; NULL: there were none yet */
    uint32_t turn;     /* the newest, of the core; UINT32_MAX: none has begun */
    char *side; /* durable: whether the channel of allies is open (talk.h); NULL: none, or unread */
    bool begun, over;      /* durable */
    bool loading, failing; /* a read is under way; failed lines are still coming in */
    bool broken;           /* it could not be loaded: why was told, the next call tries again */
    bool frozen;           /* rules this binary lacks */
    bool spoilt;           /* core took lines that could not be sent: it is read again */
    uint64_t next_n;       /* durable */
    int64_t reveal_at;     /* durable: over, and opened only then; 0: opened, or not over */
    struct tip_viewer tip[VIEWERS];    /* durable */
    struct core *core;                 /* the newest; NULL: at rest */
    struct play_clock *clock;          /* the newest, beside the core; NULL: the match has none */
    uint8_t ladder_offers;             /* seats that the ladder has offered to others */
    int64_t clock_due;                 /* durable: the next event of the clock; 0: none */
    int64_t deadline_ms[SEATS_MAX];    /* durable: ZONE_NEVER or 0: none */
    int64_t draft_tried_ms[SEATS_MAX]; /* the miss before which its draft was tried */
    struct offer_list offers;          /* the newest; means nothing without core */
    struct standing standing;          /* the same */
    uint32_t waits_before;             /* whom it waited for when it last stood still; the same */
    struct past_read past_read;
    uint64_t offers_landed;      /* counts what became durable of offers */
    uint32_t waits_shown;        /* newest: whom the public was shown it waits for */
    bool waits_known;            /* waits_shown is */
    struct flight *first, *last; /* lines in flight, in order */
    uint32_t
        in_flight[SEATS_MAX]; /* units by who made them: nobody's bound is another's business */
    uint32_t holds; /* reads under way other than loading, and functions that still need it */
    uint32_t watch_count, wait_count;
    uint32_t present;                     /* as it was when hooks.present was called last */
    struct match_crowd crowd;             /* as who watches was told last */
    struct away away;                     /* who is gone while he is asked */
    uint32_t interest[VIEWERS][VARIANTS]; /* watches and waits */
    uint32_t delta_interest[VIEWERS][VARIANTS];
    uint32_t due_count;
    struct watch *watches;
    struct wait *waits;
    struct task *tasks, **tasks_end;
    struct viewer_cache *cache[VIEWERS];
    char *frozen_views[VIEWERS];
    uint64_t snapshot_n; /* next_n at the last snapshot */
    size_t bytes;        /* as counted in matches->memory */
    uint64_t used_ms;    /* loop time */
};

enum { MATCHES_BUCKETS_MIN = 256, LEAVERS_MAX = 256, SAY_RATES = 1024 };

/* When an account has all its messages to say again; one of another takes the place. */
struct say_rate {
    uint64_t key, full_at; /* loop time */
};
struct matches {
    struct matches_config config;
    struct match **buckets;
    size_t bucket_count, match_count;
    struct pool match_pool, watch_pool;
    struct match *newest, *oldest; /* loaded, by use */
    struct scratch scratch;
    struct buf view, text, patch;
    uv_timer_t sweep;
    uv_timer_t *held_timer; /* for answers that are shown later; NULL: never needed yet */
    int64_t held_next;      /* when the next of them is due, as far as is known */
    bool held_reading;
    uv_timer_t wake, beat;                /* for the first of wakes; the heartbeat */
    unsigned handles_open;                /* timers that are not closed yet */
    struct wakes wakes;                   /* when which match is looked at */
    bool started, beating, beat_again;    /* matches_start is through; a heartbeat is on its way */
    struct match_id leavers[LEAVERS_MAX]; /* matches that somebody watches no more, or looks on at */
    unsigned leaver_count;
    bool closing, closed_told;
    uint64_t pending; /* flights, reads, tasks that someone waits for */
    void (*close_done)(void *ctx);
    void *close_ctx;
    uint64_t wait_count, watch_count, task_count;
    struct matches_stats stats;
    struct say_rate says[SAY_RATES];
    int64_t lent_next;             /* when to look for loans that are over */
    bool lent_reading, lent_again; /* looking; a loan was given meanwhile */
    int64_t looks_next;            /* when the next look ends; 0: none is under way */
    unsigned rested;               /* since memory last went back to the system */
    uv_timer_t zones;              /* when to look at the database of time zones (zones.c) */
    uint64_t zones_mark;           /* as it was looked at last */
    char zones_version[16];
    unsigned zones_looks;
    bool zones_looking, zones_again;
};

/* --- matches.c --- */
int64_t matches_now(const struct matches *matches);
/* Runs the task for a call now, or keeps it until it can be. The match is named by params.match. */
void task_start(struct matches *matches, const struct match_call *call, const struct cJSON *params,
                task_fn *run);
/* Runs a match.act whose params are the task's; as other tasks. */
bool match_run_act(struct matches *matches, struct match *match, struct task *task);
void task_start_id(struct matches *matches, const struct match_call *call,
                   const struct match_id *id, const struct cJSON *params, task_fn *run);
/* Keeps a task until the match has what it wants. */
void task_keep(struct matches *matches, struct match *match, struct task *take_task);
/* Runs what waits for the match and can be run now; frees the match if nothing holds it. */
void match_step(struct matches *matches, struct match *match);
/* Asks for a core; nothing while one is loading, there, or failed lines are coming in. */
void match_want_core(struct matches *matches, struct match *match);
void match_touch(struct matches *matches, struct match *match);
void match_count_bytes(struct matches *matches, struct match *match);
/* Lets a core and the cached views go. */
void match_rest(struct matches *matches, struct match *match);
struct match *match_find(struct matches *matches, const struct match_id *id);
struct match *match_make(struct matches *matches, const struct match_id *id);
void match_release(struct matches *matches, struct match *match); /* frees it if nothing holds it */
void match_install(struct match *match, const struct matches *matches, const struct match_row *row);
/* One thing less to wait for: closing may be complete. */
void matches_settled(struct matches *matches);

/* --- calls.c: what all methods need --- */
void done_ok(const struct match_call *call, const char *json, size_t n);
void done_fail(const struct match_call *call, enum err err, const struct why *why);
/* Fails with a sentence. Returns true: the task is done. */
bool task_fail(struct task *task, enum err err, const struct why *why);
bool task_text(struct task *task, enum err err, const char *text);
/* The answer to that viewer, once the lines in flight that told it something are durable: whether
 * it is refused depends on no other (game.h), and so neither do time and fate of the answer. json
 * may be NULL (with an error). */
void done_later(struct match *match, unsigned viewer, const struct match_call *call, enum err err,
                const struct why *why, const char *json, size_t n);
/* The same, once that flight has landed. */
void done_after(struct flight *flight, const struct match_call *call, enum err err,
                const struct why *why, const char *json, size_t n);
/* The seat that the account has or has lent; -1: none. */
int match_seat_of(const struct match *match, const struct account_id *account);
bool match_is_revealed(const struct match *match);
/* Who looks: member `as` of params, default the account's seat, else the public. */
enum err match_viewer(const struct match *match, const struct account_id *account,
                      const struct cJSON *params, unsigned *out_viewer, struct why *why) VD_CHECKED;
/* The seat of an account that wants to change something; member `as` of params (NULL: none) tells
 * which of several. */
enum err match_actor(const struct matches *matches, const struct match *match,
                     const struct account_id *account, const struct cJSON *params,
                     unsigned *out_seat, struct why *why) VD_CHECKED;
const char *match_viewer_name(const struct match *match, unsigned viewer);
/* H of method and params, which is how a repeated action_id is told from another one. */
void params_hash(const char *method, const struct cJSON *params, struct buf *scratch,
                 struct hash *out);
uint64_t answer_hash(const struct account_id *account, const char *action_id);
/* Looks an action_id up in the store: the first answer, CONFLICT, or by otherwise what else. */
void answer_lookup(struct matches *matches, struct match *match, const struct match_call *call,
                   const char *action_id, const struct hash *params, struct task *take_again,
                   enum err otherwise);

/* --- act.c --- */
/* Off it goes, and with it in the same unit what orders answer to it. */
void flight_send(struct matches *matches, struct match *match, struct flight *flight,
                 struct store_unit *take_unit, struct lines_write *take_write);
/* Puts all that it writes into the unit, and itself into the queue. */
void flight_board(struct matches *matches, struct match *match, struct flight *flight,
                  struct store_unit *unit, struct lines_write *take_write);
/* The end line by the rules, when it is due, and the result of what is over. after: it was over
 * before. */
enum err flight_end(struct matches *matches, struct flight *flight, struct lines_write *write,
                    bool after) VD_CHECKED;
struct flight *flight_create(struct matches *matches, struct match *match, unsigned step_cap);
void flight_destroy(struct flight *take_flight);
/* Notes a step of core: tips, views for those who watch. */
enum err flight_note(struct matches *matches, struct flight *flight, const struct core_step *step,
                     struct lines_write *write) VD_CHECKED;

/* A call that makes lines: what it needs on the way. */
struct making {
    struct matches *matches;
    struct match *match;
    struct task *task;
    unsigned seat;
    const char *method, *action_id;
    struct hash params;
    struct flight *flight;
    struct lines_write *write;
    struct store_unit *unit;
    bool changed;   /* the core has taken lines that are not sent */
    bool holds;     /* some of it was held */
    bool early;     /* a header is enough, the game need not have begun */
    bool after_end; /* it may also be done after an end on time, until the match is opened */
};
void making_drop(struct making *making);
/* Room for so many lines; the call and its action_id noted. */
enum err making_open(struct making *making, unsigned lines) VD_CHECKED;
/* Who asks, and whether he may act at all. False: answered, or with out_wait to be tried again. */
bool making_begin(struct making *making, bool *out_wait);
/* True: the action_id was seen before, and the answer is or will be given. */
bool making_repeated(struct making *making);
/* Over, stale (seq >= 0), or too much at once; answered then. */
bool making_refused(struct making *making, int64_t seq);
/* `{"events":[` for making_note to add to. */
void answer_begin(struct buf *out);
/* The seat leaves that way (LEAVE_RESIGNED, LEAVE_OUT_OF_TIME): its lines. CONFLICT "left". */
enum err making_leave(struct making *making, unsigned seat, enum leave how,
                      struct why *why) VD_CHECKED;
/* The answer of a call that made lines, {"events","seq","chain"}; off it goes. */
enum err making_send(struct making *making) VD_CHECKED;
/* A line that core has just taken, for its seat told and on its way. */
enum err making_note(struct making *making, const struct core_step *step) VD_CHECKED;
/* The end by the rules, if it is due, and off it goes; matches->text is the answer. */
enum err making_go(struct making *making) VD_CHECKED;
/* Answered with the error; drops all. True. */
bool making_fails(struct making *making, enum err err, const struct why *why);

/* --- offers.c --- */
/* Notes which offers the flight makes void, and adds what becomes of offers to its unit. */
void offers_send(struct matches *matches, struct match *match, struct flight *flight,
                 struct store_unit *unit);
/* The flight is durable: those who watch are told. */
void offers_landed(struct matches *matches, struct match *match, struct flight *flight);
/* Frees what the flight carries of offers. */
void offers_forget(struct flight *flight);
/* Offers that are carried out by themselves at that time are. */
enum err offers_due(struct making *making, int64_t now_ms) VD_CHECKED;
void past_read_finish(struct past_read *read);

/* Notes what became of an account that the match knows beside its seats. */
void guests_note(struct match *match, const struct account_id *account, enum guest_kind kind,
                 bool on);

/* --- side.c --- */
/* The state of the allies' channel as core has it: JSON, malloc'ed. NULL: none, or no memory. */
char *side_make(const struct core *core);
/* A core was loaded, or made, and is durable: what it says counts. */
void side_loaded(struct match *match);
/* A step became durable: the allies that watch are told when their channel opens or closes. */
void side_landed(struct matches *matches, struct match *match, struct flight_step *step);

/* --- seats.c --- */
/* The flight is durable: before views go out, who has the seats; afterwards, who is told. */
void seats_landed(struct matches *matches, struct match *match, const struct flight *flight);
void seats_told(struct matches *matches, struct match *match, const struct flight *flight);
void seats_forget(struct flight *flight);
/* The seat that somebody else acts in from the flight on; -1: none. */
int seats_moved(const struct flight *flight);

/* --- reckon.c --- */
/* The calendars of those seats are read anew and count from now on; "": not of that one. */
/* At the start: calendars that were set when a daemon went down, before the clocks had them. */
void clocks_date_overdue(struct matches *matches);
void clocks_date(struct matches *matches, const struct match_id *id,
                 const struct account_id accounts[SEATS_MAX]);

/* --- clocks.c --- */
/* The match is looked at when it should be, as it stands now. */
void clocks_look_again(struct matches *matches, const struct match *match);

/* --- ladder.c --- */
/* Two seats that win and lose together, as far as the game's leave tells. */
bool ladder_allied(struct matches *matches, const struct match *match, unsigned a, unsigned b);
/* Whether a seat is to be offered or given to a caretaker, and is not yet. */
bool ladder_wants_hands(const struct match *match);
/* Whether the seat may claim what the time of the other gives: it is in the match and against it.
 */
bool ladder_may_claim(struct matches *matches, const struct match *match, unsigned seat,
                      unsigned against);
/* --- zones.c --- */
void zones_init(struct matches *matches);

/* --- look.c --- */
void looks_sweep(struct matches *matches);

/* --- watch.c --- */
/* Ends the watches and waits of who sees the whole of a match by a look that is over. */
void watches_end_lookers(struct matches *matches, struct match *match);
/* The views of the viewer at core's newest seq, those variants that are asked for. False: memory.
 */
bool views_make(struct matches *matches, const struct core *core, unsigned viewer, bool plain,
                bool forms, struct view_msg out_views[VARIANTS]);
void views_drop(struct view_msg views[VARIANTS]);
/* The durable view of that viewer, from the cache or made now. NULL: not to be had now (a core was
 * asked for, or lines in flight must land first). */
const struct view_msg *view_current(struct matches *matches, struct match *match, unsigned viewer,
                                    enum variant variant);
/* After a load, and when somebody begins to follow: what deltas are made from is there, where it can
 * be had without a load. */
void views_prepare(struct matches *matches, struct match *match);
/* Whether the durable view could be made now, memory apart. */
bool view_possible(const struct match *match, unsigned viewer);
/* A step became durable: views are kept, pushed, waits end. */
void step_publish(struct matches *matches, struct match *match, struct flight_step *step);
/* Ends the waits whose view is there. */
void waits_publish(struct matches *matches, struct match *match);
void watches_serve(struct matches *matches, struct match *match);
/* Every watcher that lacks the current view is owed it. */
void watches_remind(struct match *match);
/* Forgets that views are owed: they are not to be had. */
void watches_forget(struct match *match);
/* Tells who has gone and not come back since the last sweep. */
void watches_tell_leavers(struct matches *matches);
/* The view within its message. */
const char *view_text(const struct view_msg *view, size_t *out_len);
void cache_drop(struct match *match);
size_t cache_bytes(const struct match *match);
void waits_end(struct matches *matches, struct match *match, enum err err);
void watches_end(struct matches *matches, struct match *match);
/* What a seat is shown is for who has it now, or has lent it: watches and waits of others end, and
 * those that watched are told. */
void watches_end_strangers(struct matches *matches, struct match *match);
/* The same for a spectator who is shut out. */
void watches_end_guest(struct matches *matches, struct match *match,
                       const struct account_id *account);
/* account.turn for who has the seat. */
void watches_turn(struct matches *matches, struct match *match, unsigned seat);
/* One more watch, or wait, of the match; late: among those who lag behind. NULL, false: memory
 * (answered). */
struct watch *watch_add(struct matches *matches, struct match *match, const struct match_call *call,
                        unsigned viewer, enum variant variant, bool delta, bool late);
bool wait_add(struct matches *matches, struct match *match, struct task *task, unsigned viewer,
              enum variant variant, bool late, uint64_t after, uint64_t timeout_ms);
void watch_end(struct matches *matches, struct watch *watch);
/* match.changed for one that may watch no more as it did. */
void watch_tell_ended(struct matches *matches, struct watch *watch);
/* Ends a wait: ERR_OK as unchanged; with a view. */
void wait_end(struct matches *matches, struct wait *wait, enum err err);
void wait_answer(struct matches *matches, struct wait *wait, const char *text, size_t len);
/* Whether the watch is for a seat that its account has not, or not any more. */
bool watch_is_stranger(const struct match *match, const struct watch *watch);

#endif
