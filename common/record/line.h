/* common/record/line.h: the lines of a match's log, byte by byte: written, read back, chained
 * (FAIRNESS 5, 6). */
#ifndef VEDETTE_COMMON_RECORD_LINE_H
#define VEDETTE_COMMON_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "common/base/why.h"

struct buf;
struct cJSON;
struct dice;

enum {
    LINE_BYTES_MAX = 65536,
    LINE_SEATS_MAX = 3,
    SIGN_SEED_BYTES = 32,
    SIGN_PUBLIC_BYTES = 32,
    SIGNATURE_BYTES = 64,
    LINE_REASON_BYTES_MAX = 500,
    MARK_CHARS = 8
};

/* All writers append one line without its '\n' to an empty buf or after a '\n'. at: milliseconds
 * since 1970, UTC. dice NULL or undrawn: no roll. Texts are what the server understood, never a
 * client's own. */

/* Line 0. */
struct line_header {
    const char *match, *game;
    uint32_t rules;
    const char *options; /* JSON in normal form */
    unsigned seats;
    const char *codes[LINE_SEATS_MAX];
    const struct hash *commit;                 /* C */
    const struct hash *nonces[LINE_SEATS_MAX]; /* each seat's commitment, NULL: waived */
    int64_t at;
};
void line_write_header(struct buf *buf, const struct line_header *header);
void line_write_begin(struct buf *buf, uint64_t n, int64_t at, const struct dice *dice);
/* nonce NULL: lost. */
void line_write_nonce(struct buf *buf, uint64_t n, int64_t at, const char *seat,
                      const struct hash *nonce);
/* by: NULL (by hand), "orders" or "default". action: JSON in normal form, members sorted. */
void line_write_do(struct buf *buf, uint64_t n, int64_t at, const char *seat, const char *by,
                   const char *action, size_t action_len, const struct dice *dice);
void line_write_undo(struct buf *buf, uint64_t n, int64_t at, const char *seat, uint64_t undone);

/* An act of the host other than begin: rewind (to, by), restored, pause and resume (how; seat: of
 * whose clock alone; by), grant (seat, by, ms), convert (how; seat: who is away; by: who would
 * have it so: the match goes on by correspondence), seat (how, seat: one that left while the match goes
 * on, or whose holder changes), late and miss (seat: its time, and its grace, is over), look
 * (reason: a referee looks at what is hidden), end (how, seat, result). Members that are NULL, 0 or
 * negative are left out; they stand in this order. */
struct line_host {
    const char *host;
    int64_t to; /* -1: none */
    /* end: rules, resign, time, away, draw, abort, referee; seat: resign, time, away, referee when
     * it leaves, else vacant, substitute, caretaker, lent, back; pause and resume: agreed, vacation, referee, cap;
     * convert: away
     */
    const char *how;
    const char *seat;
    unsigned by_count; /* seats that agreed */
    const char *by[LINE_SEATS_MAX];
    int64_t ms;         /* -1: none */
    const char *reason; /* look: LINE_REASON_BYTES_MAX at most */
    const char *result; /* JSON in normal form */
    const struct dice *dice;
};
void line_write_host(struct buf *buf, uint64_t n, int64_t at, const struct line_host *act);
/* Whether the act leaves the game as it is and is told to everybody: pause, resume, grant, convert,
 * late, miss, look, and a seat that only changes hands. */
bool line_host_is_word(const struct line_host *act);
/* Whether such an act is about one seat, which it must name. */
bool line_host_names_seat(const struct line_host *act);
/* The event by which such an act is told (`paused`, `resumed`, `granted`, `converted`, `late`, `missed`,
 * `looked`, `seat_changed`), a JSON object. */
void line_write_word_event(struct buf *buf, const struct line_host *act);

enum line_kind { LINE_HEADER, LINE_NONCE, LINE_DO, LINE_UNDO, LINE_HOST };

/* A line read back. Strings and values are borrowed from json, which line_finish frees. */
struct line {
    struct cJSON *json;
    enum line_kind kind;
    uint64_t n;
    int64_t at;
    const char *seat;                /* NULL: none named */
    const char *by;                  /* LINE_DO: NULL, "orders", "default" */
    const struct cJSON *action;      /* LINE_DO, normal form */
    uint64_t undone;                 /* LINE_UNDO */
    bool lost;                       /* LINE_NONCE */
    struct hash nonce;               /* LINE_NONCE and not lost */
    struct line_host host;           /* LINE_HOST; result and dice NULL there */
    const struct cJSON *result;      /* end */
    uint64_t roll;                   /* 0: drew nothing */
    const struct cJSON *dice, *deal; /* runs [[n,[v,..]],..]; NULL: none */
    struct line_header header;       /* LINE_HEADER; options NULL, nonces into nonce_commits */
    const struct cJSON *options;     /* LINE_HEADER */
    struct hash commit, nonce_commits[LINE_SEATS_MAX];
};
/* Reads one line without its '\n'. INVALID_PARAMS or PARSE: not a line of section 5, or writing it
 * again gives other bytes. out_line: for line_finish, on ERR_OK only; it must not be moved. */
enum err line_read(const char *text, size_t len, struct line *out_line,
                   struct why *out_why) VD_CHECKED;
void line_finish(struct line *line);
/* Appends the line as it was read: the same bytes. */
void line_write(struct buf *buf, const struct line *line);

/* Salt of line n > 0: MAC(S, T("vedette1 salt", id, u64(n))). */
void line_salt(const char *match, const struct hash *secret, uint64_t n, struct hash *out_salt);
/* head(n) from head(n - 1) (32 zero bytes before line 0) and the bytes of line n. */
void line_head(const char *match, const struct hash *secret, uint64_t n, const struct hash *before,
               const void *bytes, size_t len, struct hash *out_head);
/* Appends the mark of a head: its first 6 bytes as 8 characters (FAIRNESS section 7). */
void line_append_mark(struct buf *marks, const struct hash *head);
/* The last line of a record: the key, the last head, the marks of all heads. */
void line_write_key(struct buf *buf, const struct hash *secret, const struct hash *head,
                    const char *marks);

/* Ed25519 over T("vedette1 receipt", id, viewer, u64(seq), head, u64(time)) (FAIRNESS section 6).
 */
struct receipt {
    const char *match, *viewer; /* viewer: a seat's code, "public", "all" */
    uint64_t seq;
    struct hash head;
    int64_t at;
};
void receipt_public_key(const uint8_t seed[SIGN_SEED_BYTES], uint8_t out_key[SIGN_PUBLIC_BYTES]);
void receipt_sign(const struct receipt *receipt, const uint8_t seed[SIGN_SEED_BYTES],
                  uint8_t out_signature[SIGNATURE_BYTES]);
bool receipt_verify(const struct receipt *receipt, const uint8_t key[SIGN_PUBLIC_BYTES],
                    const uint8_t signature[SIGNATURE_BYTES]);

#endif
