/* server/store/desk.h: SQL of what lies on the desk of who sits in a match: notebook and draft. Run
 * within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_DESK_H
#define VEDETTE_SERVER_STORE_DESK_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"

struct buf;
struct db;

/* match is the key of its row. out_text: malloc'ed, the caller's. NOT_FOUND: nothing was written.
 */
enum err desk_read_note(struct db *db, int64_t match, const struct account_id *account,
                        char **out_text, int64_t *out_at) VD_CHECKED;
enum err desk_write_note(struct db *db, int64_t match, const struct account_id *account,
                         const char *text, int64_t at) VD_CHECKED;

struct desk_draft {
    int64_t version, seq;
    const char *actions; /* JSON, an array; NULL: none */
};
/* out_draft->actions: malloc'ed as *out_actions, the caller's. NOT_FOUND: nothing was kept; all is
 * zero then. */
enum err desk_read_draft(struct db *db, int64_t match, const struct account_id *account,
                         struct desk_draft *out_draft, char **out_actions) VD_CHECKED;
enum err desk_write_draft(struct db *db, int64_t match, const struct account_id *account,
                          const struct desk_draft *draft) VD_CHECKED;

/* It was carried out: no actions any more, the version one more. CONFLICT: it has another version.
 */
enum err desk_spend_draft(struct db *db, int64_t match, const struct account_id *account,
                          int64_t version) VD_CHECKED;

/* The notebooks of an account, as a JSON array of {match, text, at}. */
void desk_write_notes(struct db *db, const struct account_id *account, struct buf *out);

#endif
