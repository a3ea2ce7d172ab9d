/* client-cli/waterloo/standing_text.h: standing orders (PROTOCOL 8) as lines of text, and back. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_STANDING_TEXT_H
#define VEDETTE_CLIENT_CLI_WATERLOO_STANDING_TEXT_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "common/words/board.h"

struct buf;

/* One order as it is typed: "attacked in ligny by 6+ : retreat to wavre,gembloux else any". */
void standing_print(struct buf *out, const struct board *board, const cJSON *order);
/* The order that a line says, as JSON, appended. False: out_why is a sentence. */
bool standing_parse(const struct board *board, const char *line, struct buf *out_json,
                    struct buf *out_why);

#endif
