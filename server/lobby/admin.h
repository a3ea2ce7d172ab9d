/* server/lobby/admin.h: `vedetted account ...`: accounts by hand (DESIGN 11), whether a daemon
 * serves the database or not. Blocking. */
#ifndef VEDETTE_SERVER_LOBBY_ADMIN_H
#define VEDETTE_SERVER_LOBBY_ADMIN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

enum { ADMIN_WORDS_MAX = 4, ADMIN_ERROR_BYTES = 512 };

/* One line for each command, for --help. */
extern const char admin_usage[];

/* words: those behind `account`: list, create NAME, password NAME, reset NAME, disable NAME, enable
 * NAME, rename NAME NEW, delete NAME, role NAME ROLE on|off, show NAME, audit NAME. */
struct admin_call {
    const char *database;
    const char *words[ADMIN_WORDS_MAX];
    size_t count;
    const char *password; /* NULL unless accounts_admin_needs_password */
    void (*write)(void *ctx, const char *line);
    void *ctx;
};
bool accounts_admin_needs_password(const char *verb);
/* What changes an account is in its audit; a daemon that serves the file acts on it within two
 * seconds. out_error: a sentence. INVALID_PARAMS: wrong usage; NOT_FOUND, CONFLICT,
 * STORAGE_FAILED. */
enum err accounts_admin(const struct admin_call *call,
                        char out_error[ADMIN_ERROR_BYTES]) VD_CHECKED;

#endif
