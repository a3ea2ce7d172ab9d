/* client-cli/board_fetch.c: the board data of a game, asked of the server. */
#include <stdio.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/conn.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* game.get names the board's address below /games/, or whole. */
static bool find_address(struct conn *conn, const char *game, char *out, size_t bytes)
{
    struct buf params;
    buf_init(&params, 1024);
    jw_object_begin(&params);
    jw_key_str(&params, "game", game);
    jw_object_end(&params);
    cJSON *result = NULL, *error = NULL;
    conn_call_wait(conn, "game.get", buf_str(&params), &result, &error);
    buf_finish(&params);
    const cJSON *about =
        cJSON_IsObject(json_get(result, "about")) ? json_get(result, "about") : result;
    const char *board = text_of(result, "board");
    if (board[0] == '\0') { board = text_of(about, "board"); }
    bool ok = board[0] != '\0';
    if (ok) {
        const char *before = board[0] == '/'                    ? ""
                             : strncmp(board, "games/", 6) == 0 ? "/"
                                                                : "/games/";
        int n = snprintf(out, bytes, "%s%s", before, board);
        ok = n > 0 && (size_t)n < bytes;
    }
    cJSON_Delete(result);
    cJSON_Delete(error);
    return ok;
}

bool board_fetch(struct conn *conn, const char *game, struct board *out_board)
{
    memset(out_board, 0, sizeof *out_board);
    char path[256];
    if (!find_address(conn, game, path, sizeof path)) { return false; }
    struct buf body;
    buf_init(&body, 4 << 20);
    cJSON *json = NULL;
    bool ok = conn_fetch_wait(conn, path, &body) &&
              json_parse(buf_str(&body), body.len, &json) == ERR_OK && board_read(json, out_board);
    cJSON_Delete(json);
    buf_finish(&body);
    if (!ok) { memset(out_board, 0, sizeof *out_board); }
    return ok;
}
