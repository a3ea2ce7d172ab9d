/* server/store/carry.h: SQL of matches that come from elsewhere. Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_CARRY_H
#define VEDETTE_SERVER_STORE_CARRY_H

#include "server/store/lobby.h"
#include "server/store/matches.h"

/* What the rows of a match say beside its lines. */
struct carry_row {
    struct match_id id;
    char game[ROW_GAME_BYTES];
    uint32_t rules;
    const char *options; /* borrowed */
    char title[LOBBY_TITLE_BYTES];
    char spectators[LOBBY_WORD_BYTES], reveal[LOBBY_WORD_BYTES];
    int64_t created_at, started_at;
    struct hash secret, commit;
    unsigned seats;
    char codes[ROW_SEATS_MAX][ROW_CODE_BYTES];
    char join_codes[ROW_SEATS_MAX][LOBBY_CODE_CHARS + 1];
    bool has_commit[ROW_SEATS_MAX];
    struct hash nonce_commits[ROW_SEATS_MAX];
};

/* title, spectators, reveal, created_at of a match. NOT_FOUND. */
enum err carry_read(struct db *db, int64_t match, struct carry_row *out_row) VD_CHECKED;
/* A running match by invitation alone, made by nobody here, its seats free, each with its join
 * code. CONFLICT: there is a match of that id. */
enum err carry_insert(struct db *db, const struct carry_row *row, int64_t *out_key) VD_CHECKED;
/* Writes at, seat, told and sealed of lines that are there. */
enum err carry_update_lines(struct db *db, const struct lines_write *write) VD_CHECKED;
/* After the running matches of a copy were marked: those without a header are noted, and stocks of
 * nonces emptied. Operation of a unit; data is nothing. */
enum err carry_write_restored(struct db *db, void *data) VD_CHECKED;

/* Asks the daemon that serves the database to tell the match's seats that it is exported: among
 * what administrators' commands leave for it (audit.h), as "export". */
enum err carry_ask_told(struct db *db, const struct match_id *match) VD_CHECKED;
/* Whether the match has a line of kind look from from_n on. */
bool carry_was_told(struct db *db, const struct match_id *match, uint64_t from_n);

#endif
