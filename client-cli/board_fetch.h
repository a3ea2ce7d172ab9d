/* client-cli/board_fetch.h: the board data of a game, asked of the server. */
#ifndef VEDETTE_CLIENT_CLI_BOARD_FETCH_H
#define VEDETTE_CLIENT_CLI_BOARD_FETCH_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "client-cli/face/face.h"
#include "common/words/board.h"

struct conn;

/* Asks the server where the board of game is and fetches it. False: there is none; out_board is
 * empty. */
bool board_fetch(struct conn *conn, const char *game, struct board *out_board);
/* The face of a game, with the board that the server has of it; the caller's. NULL: the server or
 * this program has none. */
struct face *face_fetch(struct conn *conn, const char *game);
/* The same of a match, whose game is asked first. out_error: the refusal of match.get, the
 * caller's; NULL: none, or no answer. */
struct face *face_of_match(struct conn *conn, const char *match, cJSON **out_error);

#endif
