/* server/lobby/reports.h: `vedetted reports`: what players have reported to the host, on a database
 * that a daemon may hold. */
#ifndef VEDETTE_SERVER_LOBBY_REPORTS_H
#define VEDETTE_SERVER_LOBBY_REPORTS_H

#include "common/base/err.h"

/* verb NULL: lists the open ones, "all": the closed ones too, "close": closes the one of that
 * number, "networks": matches with two people who signed in from one network. write is called for
 * each line. INVALID_PARAMS: no such command; NOT_FOUND: no such open report; out_error: a
 * sentence. */
enum err reports_admin(const char *database, const char *verb, const char *number,
                       void (*write)(void *ctx, const char *line), void *ctx,
                       char out_error[256]) VD_CHECKED;

#endif
