/* server/store/matches.h: the rows of matches: where each stands, its lines, answers, snapshots. */
#ifndef VEDETTE_SERVER_STORE_MATCHES_H
#define VEDETTE_SERVER_STORE_MATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"

struct db;

/* As common/rules/game.h counts them; the rules themselves are not seen from here. */
enum { ROW_SEATS_MAX = 3, ROW_VIEWERS = 5, ROW_CODE_BYTES = 8, ROW_GAME_BYTES = 24 };

/* Where one viewer stands: the last line it was told anything of. */
struct tip_viewer {
    uint64_t seq, n;            /* its own count; the line's number */
    int64_t at;                 /* when */
    struct hash head;           /* after that line */
    uint32_t to_act, waits_for; /* as this viewer may see them */
    uint32_t undo;              /* 1: a seat whose last own action can be taken back */
};
enum { TIP_VIEWER_BYTES = 68, TIP_BYTES = ROW_VIEWERS * TIP_VIEWER_BYTES };
/* tip.viewers as bytes. False: another length. */
void tip_write_viewers(const struct tip_viewer viewers[ROW_VIEWERS], uint8_t out[TIP_BYTES]);
bool tip_read_viewers(const void *bytes, size_t n, struct tip_viewer out_viewers[ROW_VIEWERS]);

/* What became of a seat's nonce (FAIRNESS 3). */
enum seat_nonce { SEAT_NONCE_WAIVED, SEAT_NONCE_AWAITED, SEAT_NONCE_OPENED, SEAT_NONCE_LOST };

/* One match as its rows say. */
struct match_row {
    struct match_id id;
    int64_t key;
    char game[ROW_GAME_BYTES];
    uint32_t rules;
    unsigned seats;
    char codes[ROW_SEATS_MAX][ROW_CODE_BYTES];
    struct account_id accounts[ROW_SEATS_MAX]; /* "" : free */
    struct account_id owners[ROW_SEATS_MAX];   /* who lent the seat to accounts[]; "": nobody */
    int64_t until[ROW_SEATS_MAX];              /* when it goes back */
    uint8_t vacant;                            /* a bit each: others may take the seat */
    bool closed;                               /* access is not open */
    bool spectators_public;                    /* spectators: public */
    bool reveal_seats;                         /* revealed to its seats alone */
    bool begun, over;                          /* the game has begun; ended */
    enum seat_nonce nonces[ROW_SEATS_MAX];
    int64_t reveal_at; /* over, and opened to everybody only then; 0: opened, or not over */
    uint64_t next_n, roll, mask;
    struct hash head, secret, commit;
    struct tip_viewer tip[ROW_VIEWERS];
    char *options; /* malloc'ed, NULL unless asked for */
    char *result;  /* malloc'ed, NULL if none */
    char *header;  /* malloc'ed bytes of line 0, NULL unless asked for */
};
/* NOT_FOUND: no such match. texts: options and header too. out_row: for match_row_finish. */
enum err matches_read_row(struct db *db, const struct match_id *id, bool texts,
                          struct match_row *out_row) VD_CHECKED;
void match_row_finish(struct match_row *row);

/* One line to be stored. body is malloc'ed. */
struct line_row {
    uint64_t n;
    int64_t at;
    int seat; /* -1: the host */
    uint32_t told;
    bool sealed;
    uint64_t answer; /* hash of account and action_id; 0: none */
    char *body;
    size_t body_len;
};
enum { WRITE_LINES_MAX = 66 }; /* a list of 64, and an end */

/* What a step makes of a seat's nonce. */
struct nonce_write {
    int64_t dealt;      /* key of the commitment that the header gives the seat; 0: none */
    struct hash commit; /* the commitment */
    bool opened, lost;
    struct hash nonce; /* opened: what it is */
};

/* What one step of play writes, as one operation of a unit (matches_write, matches_write_free).
 * malloc'ed with room for line_count lines; what it points at is malloc'ed, NULL: not written. */
struct lines_write {
    int64_t match;       /* key */
    uint64_t roll, mask; /* of the tip afterwards */
    struct hash head;
    uint8_t viewers[TIP_BYTES];
    bool first;        /* the tip is new: line 0 is among the lines */
    bool begun;        /* the game has begun, not the header alone */
    bool ended;        /* state over; result */
    bool aborted;      /* ended: state aborted, it counts as not played */
    int64_t reveal_at; /* ended: when it is opened to everybody; 0: with its end */
    int64_t at;
    char *result;
    struct nonce_write nonces[ROW_SEATS_MAX];
    /* the answer */
    char account[ACCOUNT_ID_CHARS + 1];
    char *action_id;
    struct hash params;
    char *answer;
    /* the snapshot after the last line */
    char *snapshot;
    size_t snapshot_len;
    uint32_t rules;
    size_t state_bytes;
    const char *build;
    size_t line_count;
    struct line_row lines[];
};
/* NULL: memory. Zeroed. */
struct lines_write *lines_write_create(size_t line_count);
/* Operation of a unit. CONFLICT: a line of that number is there, or the number does not follow,
 * the account has used that action_id, or a commitment was dealt to another seat meanwhile. */
enum err matches_write(struct db *db, void *lines_write) VD_CHECKED;
void lines_write_free(void *lines_write);

/* Keeps the first answer to a call of a match. An id that its account has used for something else
 * at the same instant stays with that: the match, and what others do in it, must not fail for it.
 * CONFLICT: it is the same call again. */
enum err matches_write_answer(struct db *db, const char *account, const char *action_id,
                              const struct hash *params, int64_t at, const char *body) VD_CHECKED;
/* The first answer to an action_id. NOT_FOUND: none. out_body: malloc'ed. */
enum err matches_read_answer(struct db *db, const struct account_id *account, const char *action_id,
                             struct hash *out_params, char **out_body) VD_CHECKED;

/* Calls line for each stored line of the match with from <= n <= to, in order, until it returns
 * something else than OK, which is then returned. STORAGE_FAILED: a number is missing. */
typedef enum err match_line_fn(void *ctx, uint64_t n, const char *body, size_t len,
                               uint64_t answer);
enum err matches_read_lines(struct db *db, int64_t match, uint64_t from, uint64_t to,
                            match_line_fn *line, void *ctx) VD_CHECKED;

/* Calls snapshot for each snapshot of the match at line most or below, the newest first, until it
 * returns true. build NULL: of any build and rules. */
typedef bool match_snapshot_fn(void *ctx, uint64_t n, const void *bytes, size_t len);
enum err matches_read_snapshots(struct db *db, int64_t match, uint64_t most, uint32_t rules,
                                size_t state_bytes, const char *build, match_snapshot_fn *snapshot,
                                void *ctx) VD_CHECKED;
/* What reproduces an internal error (DESIGN 3). */
struct fault_write {
    int64_t match, at;
    uint64_t n;
    char *what, *data;
    size_t data_len;
};
enum err matches_write_fault(struct db *db, void *fault_write) VD_CHECKED;
void fault_write_free(void *fault_write);

/* Calls match for every match that has begun. */
typedef bool match_each_fn(void *ctx, const struct match_id *id);
enum err matches_each(struct db *db, match_each_fn *match, void *ctx) VD_CHECKED;

#endif
