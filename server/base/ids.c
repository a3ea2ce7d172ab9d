/* server/base/ids.c: random names. */
#include "server/base/ids.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include <sodium.h>

static const char signs[] = "abcdefghijkmnpqrstuvwxyz23456789";
static_assert(sizeof signs == 33, "five bits a sign");

static void make(char *out, unsigned chars)
{
    uint8_t bytes[16];
    randombytes_buf(bytes, sizeof bytes);
    for (unsigned i = 0; i < chars; i++) {
        out[i] = signs[bytes[i] & 31U];
    }
    out[chars] = '\0';
}

static bool read_chars(const char *text, char *out, unsigned chars)
{
    if (strlen(text) != chars || strspn(text, signs) != chars) { return false; }
    memcpy(out, text, chars + 1);
    return true;
}

void match_id_make(struct match_id *out_id)
{
    make(out_id->text, MATCH_ID_CHARS);
}

void account_id_make(struct account_id *out_id)
{
    make(out_id->text, ACCOUNT_ID_CHARS);
}

void token_id_make(struct token_id *out_id)
{
    make(out_id->text, TOKEN_ID_CHARS);
}

bool match_id_read(const char *text, struct match_id *out_id)
{
    return read_chars(text, out_id->text, MATCH_ID_CHARS);
}

bool account_id_read(const char *text, struct account_id *out_id)
{
    return read_chars(text, out_id->text, ACCOUNT_ID_CHARS);
}

bool token_id_read(const char *text, struct token_id *out_id)
{
    return read_chars(text, out_id->text, TOKEN_ID_CHARS);
}

bool match_id_same(const struct match_id *a, const struct match_id *b)
{
    return strcmp(a->text, b->text) == 0;
}

bool account_id_same(const struct account_id *a, const struct account_id *b)
{
    return strcmp(a->text, b->text) == 0;
}

bool account_is_nobody(const struct account_id *id)
{
    return id->text[0] == '\0';
}
