/* server/match/carry.h: matches that come from an older copy or another server: `vedetted restore`,
 * `export` and `import` (FAIRNESS 4, 8). Blocking, for processes that do nothing else. */
#ifndef VEDETTE_SERVER_MATCH_CARRY_H
#define VEDETTE_SERVER_MATCH_CARRY_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/rules/game.h"
#include "server/base/ids.h"

struct buf;

/* Why somebody has looked at what is hidden: he has taken the match away. */
#define CARRY_EXPORT_REASON "vedetted export"

enum { CARRY_CODE_CHARS = 22, CARRY_BYTES_MAX = 64 << 20 };

/* Puts the copy `backup` in the place of database: with the line `restored` in every running match,
 * whose coming rolls lie 2^32 further on; matches that have not begun get it behind their header;
 * stocks of nonces are emptied, since what was dealt meanwhile is not known. out_count: running
 * matches. out_kept: where what was there is kept, "": nothing was. CONFLICT and all else:
 * out_error is a sentence, and the database is as it was. */
enum err carry_restore(const char *backup, const char *database, uint64_t *out_count,
                       char out_kept[512], char out_error[256]) VD_CHECKED;

/* A running match as a file (schema/record.md section 8): what the rows say, its secret, its lines.
 * All seats are told of it before, by a line of kind look; where a daemon serves the database it is
 * asked for that line and waited for. NOT_FOUND, CONFLICT: not running; out_error: a sentence. */
enum err carry_export(const char *database, const char *match, struct buf *out_text,
                      char out_error[256]) VD_CHECKED;

/* What an import made: the codes by which match.join takes the seats. */
struct carried {
    struct match_id id;
    unsigned seats;
    char codes[SEATS_MAX][8];
    char join_codes[SEATS_MAX][CARRY_CODE_CHARS + 1];
};
/* Takes such a file into a database that no daemon holds, all or nothing: it must play again to the
 * head that it names. list NULL: the product's games. CONFLICT: a match of that id is there, or a
 * daemon holds the database; INVALID_PARAMS: the file is no such file. out_error: a sentence. */
enum err carry_import(const char *database, const char *text, size_t len,
                      const struct game *const *list, struct carried *out_carried,
                      char out_error[256]) VD_CHECKED;

#endif
