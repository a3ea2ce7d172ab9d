/* server/store/looks.h: SQL of referees' looks at running matches. Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_LOOKS_H
#define VEDETTE_SERVER_STORE_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"

struct db;

enum { LOOK_REASON_BYTES = 501 };

/* What decides whether an account may look at a match (match: the key of its row). */
struct look_right {
    bool referee;  /* it has the role, and is not disabled */
    bool tied;     /* it has or had a seat there, or lends one */
    int64_t until; /* of the look that it has under way; 0: none */
};
enum err looks_read_right(struct db *db, int64_t match, const struct account_id *account,
                          int64_t now, struct look_right *out_right) VD_CHECKED;

/* Operation of the unit that holds the line: the look, its row in the audit of the account, and
 * that it has seen the whole of the match. data is malloc'ed, freed by free. */
struct look_write {
    int64_t match, at, until;
    struct match_id id;
    struct account_id account;
    char reason[LOOK_REASON_BYTES];
};
enum err looks_write(struct db *db, void *look_write) VD_CHECKED;

#endif
