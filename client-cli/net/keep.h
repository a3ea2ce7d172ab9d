/* client-cli/net/keep.h: what this machine keeps so that a server can be held to its word: nonces in
 * stock, commitments, headers and heads of matches, the keys of servers (FAIRNESS 3, 6). */
#ifndef VEDETTE_CLIENT_CLI_NET_KEEP_H
#define VEDETTE_CLIENT_CLI_NET_KEEP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-cli/net/url.h"
#include "common/base/hash.h"

/* Files below $XDG_CONFIG_HOME/vedette (else ~/.config/vedette), readable by their owner alone:
 * nonces/COMMITMENT: a nonce, for whatever server; then a line when it is opened, and for which
 * match; matches/MATCH.jsonl: the commitment first shown, the header, the heads given, a line each;
 * servers/HOST_PORT: the public key by which that server signs receipts.
 * What is there is never overwritten; what counts is on the disk before a function returns. */
struct keep {
    char dir[PATH_MAX / 2];
    char server[URL_HOST_MAX + 8]; /* HOST_PORT */
};
/* False: the path is too long. Nothing is made yet. */
bool keep_open(const struct url *url, struct keep *out_keep);

enum { KEEP_NONCES_MAX = 16, KEEP_B64 = 44 /* 32 bytes as base64url, and a NUL */ };

/* Makes count new nonces; they are on the disk when it returns. False: errno says why. */
bool keep_nonces_make(const struct keep *keep, unsigned count,
                      char out_commits[KEEP_NONCES_MAX][KEEP_B64]);

enum kept_nonce {
    KEPT_NONCE,      /* it may be opened there, and is marked so for good */
    KEPT_NONE,       /* this machine does not hold it */
    KEPT_ELSEWHERE,  /* it was opened for another match or header, and must not be again */
    KEPT_UNREADABLE, /* the disk refuses; errno says why */
};
/* The nonce of that commitment, to be opened for the match with that first head. The same match and
 * head again is fine: the answer may have been lost. */
enum kept_nonce keep_nonce_take(const struct keep *keep, const char *commit, const char *match,
                                const struct hash *head, struct hash *out_nonce);

/* A match as it was shown to this machine. */
struct kept_match {
    char commit[KEEP_B64]; /* "": never shown */
    char *header;          /* malloc'ed; NULL: never shown */
    int64_t seq;           /* the newest step that the viewer was shown; -1: none */
    char chain[KEEP_B64];
};
/* as: the viewer whose newest step is asked for. False: the file cannot be read, or the match has
 * no name for a file. */
bool keep_match_read(const struct keep *keep, const char *match, const char *as,
                     struct kept_match *out_kept);
void kept_match_finish(struct kept_match *kept);
/* Each adds a line; commit and header are on the disk when it returns. False: errno. */
bool keep_match_commit(const struct keep *keep, const char *match, const char *commit);
bool keep_match_header(const struct keep *keep, const char *match, const char *header);
bool keep_match_step(const struct keep *keep, const char *match, const char *as, int64_t seq,
                     const char *chain);

enum kept_key { KEY_SAME, KEY_NEW, KEY_OTHER };
/* Compares the key with the one kept of that server; the first is kept. */
enum kept_key keep_server_key(const struct keep *keep, const char *key);

/* Line 0's own head: its salt is empty, so everybody can compute it (FAIRNESS 5). */
void keep_header_head(const char *header, struct hash *out_head);

#endif
