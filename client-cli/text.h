/* client-cli/text.h: text of others, made fit for a terminal. */
#ifndef VEDETTE_CLIENT_CLI_TEXT_H
#define VEDETTE_CLIENT_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes at the start of text that no terminal may be given, 0: none. They are the controls of ASCII
 * and of ISO 6429 (U+0080 to U+009F), which move the cursor and more, and the marks that turn the
 * direction of writing, with which a line could be made to read otherwise than it is. */
size_t text_control(const char *text);
/* Puts blanks in their place; lines: ends of lines stay. */
void text_clean(char *text, bool lines);

#endif
