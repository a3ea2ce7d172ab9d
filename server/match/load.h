/* server/match/load.h: reading a match from the store and playing its log again, on a reader's
 * thread. */
#ifndef VEDETTE_SERVER_MATCH_LOAD_H
#define VEDETTE_SERVER_MATCH_LOAD_H

#include "server/match/core.h"
#include "server/match/guests.h"
#include "server/match/offers.h"
#include "server/match/standing.h"
#include "server/store/clocks.h"

struct db;
struct match;
struct matches;

/* A record, and with want_core the match itself. */
struct load_job {
    struct matches *owner;
    struct match *match;
    struct match_id id;
    const struct game *const *games;
    bool want_core;
    /* out */
    struct match_row row;
    struct core *core; /* NULL: not wanted, not begun, or frozen */
    struct guests guests;
    struct offer_list offers;    /* the open ones, with core */
    struct standing standing;    /* orders and what is held, with core */
    struct clock_row clock;      /* with core */
    bool frozen;                 /* rules that this binary lacks (DESIGN 3) */
    char *frozen_views[VIEWERS]; /* of its last snapshot; NULL: none */
    uint64_t snapshot_n;         /* next_n at the snapshot it came from */
};
struct load_job *load_job_create(const struct match_id *id, const struct game *const *list,
                                 bool want_core);
void load_job_free(void *load_job);
/* For store_read. NOT_FOUND: no such match. STORAGE_FAILED: it cannot be read or does not replay.
 */
enum err load_job_run(struct db *db, void *load_job);

/* Called after each line that is played again from a snapshot on; the first call has step NULL: the
 * core as the snapshot left it (not when playing from line 0). False: enough. */
typedef bool load_step_fn(void *ctx, struct core *core, struct scratch *scratch,
                          const struct core_step *step);
/* True when the snapshot's core will do to start from. */
typedef bool load_fit_fn(void *ctx, const struct core *core);

/* Plays the match of row (texts read) from the newest snapshot that fits, at most up to line `to`.
 * fit NULL: any snapshot; from_start: none. all: keep what VIEWER_ALL is told. out_core: the
 * caller's. */
struct load_play {
    const struct game *game;
    const struct match_row *row;
    uint64_t to;
    bool from_start, all;
    load_fit_fn *fit;
    load_step_fn *step;
    void *ctx;
    uint64_t snapshot_n; /* out: 0: from the start */
};
enum err load_play(struct db *db, struct load_play *play, struct core **out_core) VD_CHECKED;
/* The game of that name, and whether it plays those rules. */
const struct game *load_find_game(const struct game *const *list, const char *name);

#endif
