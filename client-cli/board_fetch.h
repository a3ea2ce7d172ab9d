/* client-cli/board_fetch.h: the board data of a game, asked of the server. */
#ifndef VEDETTE_CLIENT_CLI_BOARD_FETCH_H
#define VEDETTE_CLIENT_CLI_BOARD_FETCH_H

#include <stdbool.h>

#include "common/words/board.h"

struct conn;

/* Asks the server where the board of game is and fetches it. False: there is none; out_board is
 * empty. */
bool board_fetch(struct conn *conn, const char *game, struct board *out_board);

#endif
