/* client-cli/face/rules_text.h: the rules of a game and how it is played (schema/games/GAME), as
 * lines for a terminal. */
#ifndef VEDETTE_CLIENT_CLI_FACE_RULES_TEXT_H
#define VEDETTE_CLIENT_CLI_FACE_RULES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

enum { RULES_NUMBER_BYTES = 16, RULES_TEXT_MAX = 1 << 20 };

/* Appends the whole text: headings underlined, tables in columns, no marks, no citations of the
 * source. */
void rules_text_whole(const char *markdown, struct buf *out);
/* Appends a rule (W7.4, 7.4) with what belongs to it, a section (W7, 7) or a ruling (R7). False: the
 * text has none of that number; out is as it was. */
bool rules_text_rule(const char *markdown, const char *number, struct buf *out);
/* What was typed as the number of a rule, as the game writes it ("w7.4", "7.4" of Waterloo: W7.4).
 * False: it is no number of a rule. */
bool rules_text_number(const char *game, const char *typed, char out[RULES_NUMBER_BYTES]);
/* Where the server has a text: "/games/waterloo/rules.md", "/games/waterloo/guide.fr.md". English
 * rules have no language in their name. */
void rules_text_path(const char *game, bool guide, const char *language, char *out, size_t bytes);

#endif
