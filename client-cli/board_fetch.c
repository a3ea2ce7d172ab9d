/* client-cli/board_fetch.c: the board data of a game, asked of the server. */
#include <stdio.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/net/conn.h"
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

/* The board data; the caller's. NULL: there is none. */
static cJSON *fetch(struct conn *conn, const char *game)
{
    char path[256];
    struct buf body;
    cJSON *json = NULL;
    if (!find_address(conn, game, path, sizeof path)) { return NULL; }
    buf_init(&body, 4 << 20);
    bool ok =
        conn_fetch_wait(conn, path, &body) && json_parse(buf_str(&body), body.len, &json) == ERR_OK;
    buf_finish(&body);
    return ok ? json : NULL;
}

bool board_fetch(struct conn *conn, const char *game, struct board *out_board)
{
    cJSON *json = fetch(conn, game);
    bool ok = json != NULL && board_read(json, out_board);
    if (!ok) { memset(out_board, 0, sizeof *out_board); }
    cJSON_Delete(json);
    return ok;
}

struct face *face_fetch(struct conn *conn, const char *game)
{
    cJSON *json = fetch(conn, game);
    struct face *face = json == NULL ? NULL : face_create(game, json);
    cJSON_Delete(json);
    return face;
}

struct face *face_of_match(struct conn *conn, const char *match, cJSON **out_error)
{
    struct buf params;
    cJSON *result = NULL;
    struct face *face = NULL;
    *out_error = NULL;
    buf_init(&params, 1024);
    jw_object_begin(&params);
    jw_key_str(&params, "match", match);
    jw_object_end(&params);
    conn_call_wait(conn, "match.get", buf_str(&params), &result, out_error);
    buf_finish(&params);
    if (result != NULL) { face = face_fetch(conn, text_of(result, "game")); }
    cJSON_Delete(result);
    return face;
}
