/* server/store/late.h: SQL of what delayed spectators are shown of a match, by its turns. Run
 * within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_LATE_H
#define VEDETTE_SERVER_STORE_LATE_H

#include <stdint.h>

#include "common/base/err.h"

struct db;

/* A turn began with that line. match is the key of its row. Operation of a unit; data is malloc'ed,
 * freed by free. */
struct late_turn_write {
    int64_t match;
    uint64_t n;
};
enum err late_write_turn(struct db *db, void *late_turn_write) VD_CHECKED;

/* The last line that spectators so many turns late are shown, the one that began the turn before
 * so many; 0: none yet. out_at (NULL: not wanted): when it was, ms since 1970; 0 with none. */
enum err late_read_line(struct db *db, int64_t match, uint32_t delay, uint64_t *out_n,
                        int64_t *out_at) VD_CHECKED;

#endif
