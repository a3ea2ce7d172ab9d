/* server/match/wants.h: how a player wants to be told of things: `notices` of account.set, what
 * match.notices says otherwise of one match, and what both come to. Pure. */
#ifndef VEDETTE_SERVER_MATCH_WANTS_H
#define VEDETTE_SERVER_MATCH_WANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "server/store/outbox.h"

struct buf;
struct cJSON;

enum {
    WANTS_URL_BYTES = 513,
    WANTS_SECRET_BYTES = 120,
    WANTS_PUSH_MAX = 8, /* browsers of an account */
    WANTS_LABEL_BYTES = 65,
    WANTS_DIGEST_H_MAX = 168,
    WANTS_P256DH_BYTES = 65,
    WANTS_AUTH_BYTES = 16
};

enum wants_hook { HOOK_NONE, HOOK_STANDARD, HOOK_DISCORD, HOOK_NTFY };

/* A subscription of a browser, as PushSubscription.toJSON() gives it. */
struct wants_push {
    char endpoint[WANTS_URL_BYTES];
    uint8_t p256dh[WANTS_P256DH_BYTES], auth[WANTS_AUTH_BYTES];
};

struct wants {
    bool mail;
    enum wants_hook hook;
    char url[WANTS_URL_BYTES], secret[WANTS_SECRET_BYTES];
    unsigned push_count;
    struct wants_push push[WANTS_PUSH_MAX];
    bool always;                  /* also what a client has shown */
    unsigned digest_h;            /* one mail in so many hours; 0: each by itself */
    int16_t quiet_from, quiet_to; /* minutes of the local day; the same: none */
    uint32_t kinds;               /* a bit each */
};

/* Whether notices, an object in normal form as account.set is given it, can be meant. Members:
 * mail, always (booleans), digest (hours, 0 to WANTS_DIGEST_H_MAX), webhook {url, kind: standard,
 * discord or ntfy, secret?} or {} for none, push [{endpoint, keys: {p256dh, auth}, label?}],
 * quiet {from, to} ("22:30") or {} for none, kinds {KIND: boolean}. private_hosts: webhooks may go
 * by http and to private addresses. INVALID_PARAMS with the path of the member that is wrong. */
enum err wants_check(const struct cJSON *notices, bool private_hosts, struct why *why) VD_CHECKED;
/* The same for one match: mail, webhook, push, always (booleans), digest, kinds. */
enum err wants_check_match(const struct cJSON *notices, struct why *why) VD_CHECKED;
/* Appends, as a value, old (NULL: none) with the members of given put in the place of its own;
 * kinds are put in one by one. A webhook of kind standard that comes without a secret keeps the old
 * one if the address is the same, else gets one. */
void wants_merge(struct buf *out, const struct cJSON *old, const struct cJSON *given);
/* The same for one match. */
void wants_merge_match(struct buf *out, const struct cJSON *old, const struct cJSON *given);
/* The same as told to its owner; without secrets unless asked for. */
void wants_write(struct buf *out, const struct cJSON *notices, bool secrets);

/* What settings of an account (an object, NULL: none) and of a match (NULL: none) come to. */
void wants_read(const struct cJSON *settings, const struct cJSON *of_match,
                struct wants *out_wants);
/* Which of the account's addresses of a channel that is, as table endpoint has it: a hash of the
 * address as hex. */
enum { WANTS_TARGET_BYTES = 33 };
void wants_target(const char *address, char out[WANTS_TARGET_BYTES]);

#endif
