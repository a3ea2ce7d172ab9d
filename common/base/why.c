/* common/base/why.c: filling in what a refusal rests on. */
#include "common/base/why.h"

#include <string.h>

/* Copies text into out[size], cut at a UTF-8 character boundary. */
static void copy_cut(char *out, size_t size, const char *text)
{
    size_t n = strlen(text);
    if (n >= size) {
        n = size - 1;
        while (n > 0 && ((unsigned char)text[n] & 0xC0U) == 0x80U) {
            n--;
        }
    }
    memcpy(out, text, n);
    out[n] = '\0';
}

void why_clear(struct why *why)
{
    memset(why, 0, sizeof *why);
    why->seq = -1;
    why->retry_after_ms = -1;
}

enum err why_rule(struct why *why, const char *rule, const char *text)
{
    if (why != NULL) {
        copy_cut(why->rule, sizeof why->rule, rule);
        copy_cut(why->text, sizeof why->text, text);
    }
    return ERR_ILLEGAL_ACTION;
}

enum err why_member(struct why *why, const char *member, const char *text)
{
    if (why != NULL) {
        copy_cut(why->member, sizeof why->member, member);
        copy_cut(why->text, sizeof why->text, text);
    }
    return ERR_INVALID_PARAMS;
}

enum err why_conflict(struct why *why, const char *reason, const char *text)
{
    if (why != NULL) {
        copy_cut(why->reason, sizeof why->reason, reason);
        copy_cut(why->text, sizeof why->text, text);
    }
    return ERR_CONFLICT;
}

enum err why_text(struct why *why, enum err err, const char *text)
{
    if (why != NULL) { copy_cut(why->text, sizeof why->text, text); }
    return err;
}
