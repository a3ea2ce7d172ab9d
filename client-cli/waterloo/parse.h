/* client-cli/waterloo/parse.h: an order of Waterloo while it is read word by word. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_PARSE_H
#define VEDETTE_CLIENT_CLI_WATERLOO_PARSE_H

#include <stdbool.h>
#include <strings.h>

#include "client-cli/waterloo/wview.h"
#include "common/words/words.h"

enum { WORDS_MAX = 256, WORD_BYTES = 64 };
/* Words of an order, and how far it has been read; what it becomes, and why not. */
struct parse {
    const struct wv *wv;
    char (*word)[WORD_BYTES];
    int words, at;
    struct buf *out, *why;
    const char *usage;
};

/* Says that message of the word and how the order is written; false. */
static inline bool fail(struct parse *p, const char *id, const char *word)
{
    words_say(p->why, id, "word", word, "usage", p->usage, NULL);
    return false;
}

/* The next word, "" at the end. */
static inline const char *peek(const struct parse *p)
{
    return p->at < p->words ? p->word[p->at] : "";
}

static inline bool at_end(const struct parse *p)
{
    return p->at >= p->words;
}

/* Whether that is the next word; take: and goes behind it. */
static inline bool is(const struct parse *p, const char *word)
{
    return strcasecmp(peek(p), word) == 0;
}

static inline bool take(struct parse *p, const char *word)
{
    if (!is(p, word)) { return false; }
    p->at++;
    return true;
}

/* The battle that the next word names, else the one of the unit there, else the only one of that
 * phase; NULL: none. */
const struct wv_battle *parse_battle(struct parse *p, char phase);

/* The words of battles (orders_battle.c): what follows each into an action. False: said why not. */
bool parse_deploy(struct parse *p);
bool parse_fire(struct parse *p);
bool parse_advance(struct parse *p);
bool parse_withdraw(struct parse *p);
bool parse_redeploy(struct parse *p);
bool parse_reserve(struct parse *p);
bool parse_bring(struct parse *p);
bool parse_square(struct parse *p);
bool parse_unsquare(struct parse *p);

#endif
