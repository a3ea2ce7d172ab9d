/* tests/client/kit.h: boards, positions and views for the tests of the terminal client. */
#ifndef VEDETTE_TESTS_CLIENT_KIT_H
#define VEDETTE_TESTS_CLIENT_KIT_H

#include <cjson/cJSON.h>

#include "common/rules/game.h"

/* The text must be JSON; the caller's. */
cJSON *kit_json(const char *text);
/* The file, which must be JSON; the caller's. */
cJSON *kit_file(const char *path);
/* Both, in normal form, must be the same. */
void kit_expect_same(const char *what, const char *made, const char *wanted);

/* The state of a position in short form, under full options; for free. */
struct state *kit_state(const struct game *game, const char *options, const char *position);
/* What a server would send of it to a viewer called code: a seat's with its forms; the caller's. */
cJSON *kit_view(const struct game *game, const struct state *state, unsigned viewer,
                const char *code);

#endif
