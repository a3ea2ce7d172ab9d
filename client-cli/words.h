/* client-cli/words.h: every sentence a player reads, from one table, filled in by name (GLOSSARY's
 * ids and grammar). */
#ifndef VEDETTE_CLIENT_CLI_WORDS_H
#define VEDETTE_CLIENT_CLI_WORDS_H

#include <stddef.h>

#include <cjson/cJSON.h>

struct buf;

/* A sentence of the table: id as in the glossary, text in the ICU message grammar (plain arguments,
 * plural with =n, one, other and #, select). */
struct word {
    const char *id, *en;
};
extern const struct word words_table[];

/* Appends the sentence id with its arguments, pairs of name and text ended by NULL: words_say(out,
 * "frag.units", "n", "3", NULL). A sentence that is not in the table appends its id: a test holds
 * that none is missing. */
void words_say(struct buf *out, const char *id, ...) __attribute__((sentinel));
/* The text of id as it stands in the table, NULL if there is none. */
const char *words_text(const char *id);
/* Fills in a message of that grammar. args: pairs, ended by NULL. */
void words_format(struct buf *out, const char *message, const char *const *args);
/* A number as text in one of eight turning static buffers, for an argument. */
const char *words_int(long value);
/* A refusal (the error object of JSON-RPC) as a sentence that cites the rule. */
void words_error(struct buf *out, const cJSON *error);

#endif
