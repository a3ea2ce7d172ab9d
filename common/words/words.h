/* common/words/words.h: every sentence a player reads, from the catalogues of schema/words, in one
 * of five languages (its README has the grammar). */
#ifndef VEDETTE_COMMON_WORDS_WORDS_H
#define VEDETTE_COMMON_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include <cjson/cJSON.h>

struct buf;

/* A message of a catalogue. */
struct word {
    const char *id, *text;
};
/* The catalogue of a language, sorted by id in bytes. */
struct words_table {
    const char *language;
    const struct word *word;
    size_t count;
};
extern const struct words_table words_tables[]; /* ended by a language of NULL; English is there */

/* Speaks that language from now on, in this thread: a code (fr) or a locale (fr_FR.UTF-8). False:
 * it has none of that; nothing changes. */
bool words_set_language(const char *language);
/* The code of the language that is spoken; English until another was set. */
const char *words_language(void);

/* Appends the message id with its arguments, pairs of name and text ended by NULL: words_say(out,
 * "units.of", "n", "3", "nation", "FR", NULL). One that is in no catalogue appends its id: a test
 * holds that none is missing. */
void words_say(struct buf *out, const char *id, ...) __attribute__((sentinel));
/* The same within a sentence: its first word takes no capital. */
void words_say_within(struct buf *out, const char *id, ...) __attribute__((sentinel));
/* The text of id as it stands in the catalogue, NULL if there is none. */
const char *words_text(const char *id);
/* Fills in a message (words_format.c). args: pairs, ended by NULL; head: it begins a sentence, so
 * that a phrase at its head takes a capital. */
void words_format(struct buf *out, const char *message, const char *const *args, bool head);
/* A number as text in one of eight turning static buffers, for an argument. */
const char *words_int(long value);
/* A refusal (the error object of JSON-RPC) as a sentence that cites the rule. */
void words_error(struct buf *out, const cJSON *error);
/* The same in a match of that game, whose rules have reasons of their own. */
void words_refusal(struct buf *out, const cJSON *error, const char *game);

/* How many cells a terminal gives to text (UTF-8), and to one character. */
int words_width(const char *text);
int words_char_width(wchar_t ch);

#endif
