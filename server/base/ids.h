/* server/base/ids.h: names of accounts and matches, a type each so that the compiler keeps them
 * apart. */
#ifndef VEDETTE_SERVER_BASE_IDS_H
#define VEDETTE_SERVER_BASE_IDS_H

#include <stdbool.h>

/* Lower-case letters and digits without l, o, 0 and 1 (32 signs, 5 bits each), drawn at random by
 * us. */
enum { MATCH_ID_CHARS = 10, ACCOUNT_ID_CHARS = 12, TOKEN_ID_CHARS = 12 };

struct match_id {
    char text[MATCH_ID_CHARS + 1]; /* "" is no match */
};
struct account_id {
    char text[ACCOUNT_ID_CHARS + 1]; /* "" is nobody: not signed in */
};
struct token_id {
    char text[TOKEN_ID_CHARS + 1];
};

void match_id_make(struct match_id *out_id);
void account_id_make(struct account_id *out_id);
void token_id_make(struct token_id *out_id);
/* Reads text from a client. False: it cannot be such an id. */
bool match_id_read(const char *text, struct match_id *out_id);
bool account_id_read(const char *text, struct account_id *out_id);
bool token_id_read(const char *text, struct token_id *out_id);
bool match_id_same(const struct match_id *a, const struct match_id *b);
bool account_id_same(const struct account_id *a, const struct account_id *b);
bool account_is_nobody(const struct account_id *id);

#endif
