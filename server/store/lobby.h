/* server/store/lobby.h: SQL of matches before they begin, and of what lists and summaries show. Run
 * within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_LOBBY_H
#define VEDETTE_SERVER_STORE_LOBBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"
#include "server/store/accounts.h"
#include "server/store/matches.h"

struct db;

enum {
    LOBBY_CODE_BYTES = 16,
    LOBBY_CODE_CHARS = 22, /* base64url of LOBBY_CODE_BYTES */
    LOBBY_WORD_BYTES = 12,
    LOBBY_TITLE_BYTES = 257,
    LOBBY_CLOCK_BYTES = 4096,
    LOBBY_INVITES = 16,
    LOBBY_CONCERNED_MAX = LOBBY_INVITES + ROW_SEATS_MAX + 1
};

struct lobby_seat {
    char code[ROW_CODE_BYTES];
    struct account_id account;     /* "": free */
    char name[ACCOUNT_NAME_BYTES]; /* of the account */
    struct account_id owner;       /* who lent it to account; "": nobody */
    char owner_name[ACCOUNT_NAME_BYTES];
    int64_t until;                        /* lent: when it goes back */
    bool vacant;                          /* others may take it */
    bool bot, hidden;                     /* hidden: it does not show whether it is here */
    char join_code[LOBBY_CODE_CHARS + 1]; /* "": none */
};

/* A match as summaries show it. */
struct lobby_row {
    struct match_id id;
    int64_t key;
    char game[ROW_GAME_BYTES];
    uint32_t rules;
    char *options, *result; /* malloc'ed; result NULL: none */
    char *clock;            /* malloc'ed: the normal form of its spec; NULL: it has none */
    char *clock_told;       /* malloc'ed: `clock` of match.get; NULL: none, or not begun */
    char title[LOBBY_TITLE_BYTES];
    struct account_id creator;
    char creator_name[ACCOUNT_NAME_BYTES];
    char access[LOBBY_WORD_BYTES], spectators[LOBBY_WORD_BYTES], reveal[LOBBY_WORD_BYTES];
    char state[LOBBY_WORD_BYTES];
    int64_t pace_s; /* 0: none */
    bool by_hand, revealed, talk;             /* talk: spectators have a channel */
    unsigned delay;                           /* turns that they lag behind; 0: not delayed */
    int64_t created_at, started_at, ended_at; /* 0: not yet */
    struct hash secret, commit;
    unsigned seats;
    struct lobby_seat seat[ROW_SEATS_MAX];
    bool invited, shut; /* the account that asks: asked to it; may not watch nor join it */
    int opened;         /* the seat that the asker's code opens, -1: none (server/lobby) */
    bool headed, begun; /* there is a tip; the game has begun */
    unsigned restored;  /* restored so often without a header */
    struct tip_viewer tip[ROW_VIEWERS];
};
/* asker "": nobody. NOT_FOUND. out_row: for lobby_row_finish. */
enum err lobby_read_row(struct db *db, const struct match_id *id, const struct account_id *asker,
                        struct lobby_row *out_row) VD_CHECKED;
void lobby_row_finish(struct lobby_row *row);
/* The seat that the account holds or has lent, -1 if none. */
int lobby_seat_of(const struct lobby_row *row, const struct account_id *account);
/* Whether the account may know that there is such a match (server/lobby/matches.h). */
bool lobby_may_know(const struct lobby_row *row, const struct account_id *account);

/* Whom a match concerns: who sits in it, made it, is asked to it; each once. out_accounts has room
 * for LOBBY_CONCERNED_MAX. */
enum err lobby_read_concerned(struct db *db, const struct match_id *id,
                              struct account_id *out_accounts, unsigned *out_count) VD_CHECKED;

/* The newest rematch of the match with that key that is open or running; "": none. */
enum err lobby_read_rematch(struct db *db, int64_t key, struct match_id *out_id) VD_CHECKED;

enum lobby_filter { LOBBY_OPEN, LOBBY_MINE, LOBBY_RUNNING, LOBBY_FINISHED, LOBBY_VACANT };
/* Rows that the asker may know of, newest first, at most limit. game, player NULL: any. before: the
 * id of the last one seen, NULL: from the newest; INVALID_PARAMS if there is none such. out_rows
 * has room for limit. */
enum err lobby_read_list(struct db *db, enum lobby_filter filter, const struct account_id *asker,
                         const char *game, const struct account_id *player,
                         const struct match_id *before, unsigned limit, struct lobby_row *out_rows,
                         unsigned *out_count) VD_CHECKED;
/* Open and running matches that the account made or sits in; counts to limit and no further. */
enum err lobby_count_matches(struct db *db, const struct account_id *account, unsigned limit,
                             unsigned *out_count) VD_CHECKED;

/* ---- operations of units that may refuse; data is one of these, malloc'ed, freed by free ---- */

struct lobby_insert {
    struct match_id id;
    int64_t rematch_of; /* key of the match that it is a rematch of, 0: none */
    char game[ROW_GAME_BYTES];
    uint32_t rules;
    char title[LOBBY_TITLE_BYTES];
    struct account_id creator;
    char access[LOBBY_WORD_BYTES], spectators[LOBBY_WORD_BYTES], reveal[LOBBY_WORD_BYTES];
    int64_t at, pace_s;
    bool by_hand, talk;
    unsigned delay;
    struct hash secret, commit;
    unsigned seats;
    struct lobby_seat seat[ROW_SEATS_MAX]; /* code, account, join_code */
    unsigned invites;
    struct account_id invite[LOBBY_INVITES];
    char clock[LOBBY_CLOCK_BYTES]; /* "": none */
    size_t options_len;
    char options[]; /* NUL-terminated */
};
enum err lobby_write_insert(struct db *db, void *lobby_insert) VD_CHECKED;

/* Takes or frees a seat. CONFLICT: it is not as expected. */
struct lobby_seat_write {
    int64_t match, at;
    unsigned seat;
    bool take;
    struct account_id account;            /* who takes it, or who gives it back */
    char join_code[LOBBY_CODE_CHARS + 1]; /* the code it has from now on, "": none */
};
enum err lobby_write_seat(struct db *db, void *lobby_seat_write) VD_CHECKED;

/* Behind it the account gets one match more. TOO_LARGE: it has `most` under way. What was read before
 * the unit may be old: of many calls at once each would find room. */
struct lobby_room {
    struct account_id account;
    unsigned most;
};
enum err lobby_need_room(struct db *db, void *lobby_room) VD_CHECKED;

/* From open to running (started_at) or aborted (ended_at). CONFLICT: it is not open. */
struct lobby_state_write {
    int64_t match, at;
    bool running;
};
enum err lobby_write_state(struct db *db, void *lobby_state_write) VD_CHECKED;
/* Tables that were made before then and have not begun are closed, at that time. Within a unit. */
enum err lobby_write_expired(struct db *db, int64_t before, int64_t at) VD_CHECKED;

/* Notes that an action_id has been used, and for which match: until the answer is filled in its
 * body is the match's id. CONFLICT: it was used before. */
struct lobby_answer_write {
    struct account_id account;
    struct match_id match;
    struct hash params;
    int64_t at;
    char action_id[65];
};
enum err lobby_write_answer(struct db *db, void *lobby_answer_write) VD_CHECKED;

/* Fills in the answer. */
struct lobby_answer_fill {
    struct account_id account;
    char action_id[65];
    size_t len;
    char body[];
};
enum err lobby_fill_answer(struct db *db, void *lobby_answer_fill) VD_CHECKED;

#endif
