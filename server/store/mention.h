/* server/store/mention.h: who is called by name in what is said, and is told so. */
#ifndef VEDETTE_SERVER_STORE_MENTION_H
#define VEDETTE_SERVER_STORE_MENTION_H

#include <stdbool.h>

#include "common/base/err.h"
#include "server/store/talk.h"

struct db;

enum {
    MENTION_EACH_MS = 10 * 60 * 1000, /* of one match an account is told once in so long.. */
    MENTION_DAY_MAX = 20              /* ..and of all so often in a day */
};

/* Whether the text calls that name: "@" and the name, letters of ASCII in either case, not within a
 * longer name ("@Anna" calls Anna, "@Annabel" and "me@Anna" do not). */
bool mention_calls(const char *text, const char *name);

/* Operation of a unit, behind talk_write_message of the same write: whoever is called, by the name
 * of his account or by the code of his seat, and may read the channel, gets a notice that is due at
 * write->notice_due; not the author, nor who hears nothing of him. Sets write->mentions. */
enum err mention_write(struct db *db, void *talk_write) VD_CHECKED;

#endif
