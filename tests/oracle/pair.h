/* tests/oracle/pair.h: a match and its twin, played side by side through two daemons. */
#ifndef VEDETTE_TESTS_ORACLE_PAIR_H
#define VEDETTE_TESTS_ORACLE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/rules/game.h"
#include "tests/oracle/daemon.h"

/* Who is connected. The seats' accounts have two sessions each; the waiters wait. */
enum { MAIN = 0, SECOND = 3, SPECTATOR = 6, STRANGER, GUEST, WAITER, GUEST_WAITER, CLIENTS };

/* One thing done: a frame for each world; NULL: nothing there. @M is the match, @0 .. @2 the seats'
 * seq. */
enum op_kind {
    OP_ACT,    /* a seat acts, undoes or resigns: the same in both, renamed */
    OP_LOOK,   /* anything else, the same in both */
    OP_WAIT,   /* match.wait */
    OP_DRAFT,  /* in one world only: a draft of an enemy, */
    OP_UNDO,   /* and its undo there, some looks later */
    OP_ALLOT,  /* in one world only: losses by hand that the server allotted in the other */
    OP_PAPER,  /* in one world only: a seat's notebook or its list of drafts */
    OP_ORDERS, /* standing orders answer in one world, and in the other its seat does so by hand */
    OP_OFFER,  /* an offer (draw, abort, rewind) or an answer; @O is the newest offer */
    OP_KINDS
};
struct op {
    enum op_kind kind;
    bool after; /* the match is over and lies open to its seats alone */
    unsigned client;
    bool enemy; /* by a seat that may be renamed */
    bool legal; /* the rules take it, so the host must */
    char *frame[2];
};

enum pair_end {
    PAIR_LONG,
    PAIR_TOLD,
    PAIR_IMPOSSIBLE,
    PAIR_OVER,
    PAIR_STUCK,
    PAIR_UNDONE,
    PAIR_LEAK,
    PAIR_ENDS
};
extern const char *const pair_end_names[PAIR_ENDS];

/* What was done and said, of all pairs: answers, refusals, views, deltas, talk, turns. */
enum { PAIR_SAID = 6 };
enum { PAIR_TIMES = 5 };
extern const char *const pair_timed[PAIR_TIMES]; /* the methods whose answers are timed */
struct pair_time {
    uint64_t n;
    double sum, difference, squares; /* microseconds: of both, here less there, and its squares */
};
struct pair_counts {
    uint64_t ops[OP_KINDS], said[PAIR_SAID], bytes, steps[16], amid_draft, undo_tried, after;
    uint64_t offers, rewinds; /* made; carried out */
    uint64_t ordered, late;   /* answers by orders; and of those in matches with a pace */
    struct pair_time times[PAIR_TIMES];
};
extern struct pair_counts pair_counts;

/* A moment between two things that were done: the seats' seq in both worlds. */
struct mark {
    int64_t seq[2][SEATS_MAX];
};
enum { MARKS_MAX = 512 };

struct pair {
    struct world *worlds[2];
    const char *(*tokens)[2]; /* of accounts: three seats, spectator, stranger */
    uint64_t seed, random;
    unsigned viewer, seats;
    uint32_t compared; /* clients */
    bool to_seats;     /* the reveal is to the seats alone */
    bool paced;        /* answers are shown PACE_S after they were asked for */
    bool after;        /* see struct op */
    const char *codes[SEATS_MAX];
    char *options; /* without "start" */
    struct state *start[2];
    cJSON *names;
    struct op *ops;
    unsigned count, cap, steps;
    char match[16];
    unsigned offers;            /* made in this match */
    unsigned orders[SEATS_MAX]; /* version of the seat's standing orders, in the first world */
    struct mark marks[MARKS_MAX];
    unsigned mark_count;
    uint64_t took_ns[2];  /* by the last frame to both */
    bool rested;          /* the matches were put to rest before this op */
    bool drafted;         /* a draft of one world alone stands */
    struct state *before; /* without it */
    struct buf text, other, frame;
    /* Of a leak, or of what was undone though it told something. */
    unsigned leak_client, leak_op;
    char *heard[2];
};

/* Sets it up: the state, its twin for that viewer. */
void pair_make(struct pair *pair, const struct state *start, unsigned viewer, const cJSON *options,
               uint64_t seed);
void pair_finish(struct pair *pair);
/* Plays on, at most so many steps, noting all that is done. */
enum pair_end pair_play(struct pair *pair, unsigned steps);
/* Does again what was noted, but for what is left out. */
enum pair_end pair_again(struct pair *pair, const bool *left_out);
/* Prints where it began and what was done, but for what is left out (NULL: nothing). */
void pair_print(const struct pair *pair, const bool *left_out);
/* Leaves out all that the leak does not need, and tells of it. limit_s: seconds for that. */
void pair_report(struct pair *pair, unsigned limit_s);

#endif
