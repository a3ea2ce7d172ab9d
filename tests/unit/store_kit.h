/* tests/unit/store_kit.h: a store in a folder of its own, and lines written as matches write them.
 */
#ifndef VEDETTE_TESTS_UNIT_STORE_KIT_H
#define VEDETTE_TESTS_UNIT_STORE_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "server/base/ids.h"
#include "server/store/store.h"

struct kit {
    char folder[64], path[96];
    uv_loop_t loop;
    struct store *store;
    bool closed;
};

/* A new folder below /tmp and an open store in it. */
void kit_open(struct kit *kit);
/* Opens kit->path again; the text of the refusal, or NULL when it opened. */
const char *kit_reopen(struct kit *kit);
/* Closes the store and runs the loop to its end. */
void kit_close(struct kit *kit);
/* Removes the folder. */
void kit_remove(struct kit *kit);

/* The id of test match i. */
struct match_id kit_match(unsigned i);
/* Queues the row of match i with nothing in its log. */
void kit_make_match(struct kit *kit, unsigned i, store_done_fn *done, void *ctx);
/* A unit that writes line n of match i as play does: tip, line, answer. */
struct store_unit *kit_line_unit(unsigned i, unsigned n);

/* Runs the loop until *count is at least wanted. */
void kit_run_until(struct kit *kit, const unsigned *count, unsigned wanted);

struct kit_log {
    int64_t lines, last_n, next_n; /* last_n -1: none */
};
/* What is stored of match i; waits for it. */
struct kit_log kit_read_log(struct kit *kit, unsigned i);

#endif
