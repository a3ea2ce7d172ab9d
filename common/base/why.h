/* common/base/why.h: what a refusal rests on: a rule, a member, a reason, and a sentence. */
#ifndef VEDETTE_COMMON_BASE_WHY_H
#define VEDETTE_COMMON_BASE_WHY_H

#include <stdint.h>

#include "common/base/err.h"

enum {
    WHY_RULE_MAX = 16,
    WHY_MEMBER_MAX = 64,
    WHY_REASON_MAX = 32,
    WHY_TEXT_MAX = 192,
    WHY_OPENS_MAX = 128
};

/* Empty strings are not told. seq is told when it is not negative. All texts are NUL-terminated. */
struct why {
    char rule[WHY_RULE_MAX];     /* "W5.3" */
    char member[WHY_MEMBER_MAX]; /* the member of params or action that was wrong */
    char reason[WHY_REASON_MAX]; /* data.reason of a conflict: "nonce", "already_joined" */
    char text[WHY_TEXT_MAX];     /* an English sentence for error.message */
    char opens[WHY_OPENS_MAX];   /* data.opens, JSON: when what is closed opens again */
    int64_t seq;                 /* with stale_state: the current one */
    int64_t retry_after_ms;      /* with rate_limited */
};

/* Empties why. */
void why_clear(struct why *why);
/* Notes the rule and the sentence and returns ERR_ILLEGAL_ACTION. why may be NULL. */
enum err why_rule(struct why *why, const char *rule, const char *text);
/* Notes the member and the sentence and returns ERR_INVALID_PARAMS. why may be NULL. The member's
 * name may be hostile: it is cut to fit, at a character boundary. */
enum err why_member(struct why *why, const char *member, const char *text);
/* Notes reason and sentence and returns ERR_CONFLICT. why may be NULL. */
enum err why_conflict(struct why *why, const char *reason, const char *text);
/* Notes the sentence and returns err as it is. why may be NULL. */
enum err why_text(struct why *why, enum err err, const char *text);

#endif
