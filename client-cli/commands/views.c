/* client-cli/commands/views.c: the position and the history of a match. */
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "client-cli/net/witness.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

/* Where the seat's own answers are not shown yet the view that it goes on from takes the place of
 * the one that is shown (option pace). */
static void look_ahead(struct cli *cli, cJSON **view)
{
    char params[96];
    cJSON *result = NULL, *error = NULL;
    const char *as = cli_text_of(*view, "as", "public");
    bool asked = cli->account != NULL && strcmp(as, "public") != 0 && strcmp(as, "all") != 0;
    if (!asked || cJSON_IsTrue(json_get(*view, "over"))) { return; }
    snprintf(params, sizeof params, "{\"match\":\"%.40s\",\"as\":\"%.8s\"}", cli->args[0], as);
    conn_call_wait(cli->conn, "match.held", params, &result, &error);
    cJSON *ahead = cJSON_DetachItemFromObjectCaseSensitive(result, "view");
    if (ahead != NULL) {
        cJSON_Delete(*view);
        *view = ahead;
    }
    cJSON_Delete(result);
    cJSON_Delete(error);
}

enum status cli_get_view(struct cli *cli, cJSON **out_view)
{
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    if (cli->opt.as != NULL) { jw_key_str(&params, "as", cli->opt.as); }
    jw_object_end(&params);
    cJSON *result = NULL, *error = NULL;
    conn_call_wait(cli->conn, "match.view", buf_str(&params), &result, &error);
    if (strcmp(cli_text_of(json_get(error, "data"), "reason", ""), "not_started") == 0) {
        /* A game that draws early begins with the last nonce (FAIRNESS 3): here may be one. */
        cJSON_Delete(error);
        error = NULL;
        witness_open_wait(cli->conn, &cli->keep, cli->args[0], &cli->loop);
        conn_call_wait(cli->conn, "match.view", buf_str(&params), &result, &error);
    }
    buf_finish(&params);
    enum status status = cli_judge(cli, result, error);
    if (status != DONE) { return status; }
    cJSON *view = cJSON_DetachItemFromObjectCaseSensitive(result, "view");
    if (view == NULL) {
        *out_view = result;
    } else {
        cJSON_Delete(result);
        *out_view = view;
    }
    look_ahead(cli, out_view);
    snprintf(cli->game, sizeof cli->game, "%.31s", cli_text_of(*out_view, "game", ""));
    return DONE;
}

/* In sentences; as JSON where the game is none that this program knows. */
static void print_view(struct cli *cli, const cJSON *view)
{
    struct face *face = face_fetch(cli->conn, cli_text_of(view, "game", ""));
    if (face != NULL && face->game->read(face, view)) {
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        face_say_view(face, &text);
        cli_print_lines(buf_str(&text));
        buf_finish(&text);
    } else {
        char *text = cJSON_Print(view);
        puts(text == NULL ? "" : text);
        cJSON_free(text);
    }
    face_destroy(face);
}

enum status cli_show(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cJSON *view = NULL;
    status = cli_get_view(cli, &view);
    if (status != DONE) { return status; }
    if (cli->opt.json) {
        cli_print_json(view);
    } else {
        cli_take_language(cli);
        print_view(cli, view);
    }
    cJSON_Delete(view);
    return DONE;
}

static void print_step(const cJSON *step, const struct face *face, const char *viewer)
{
    const cJSON *seq = json_get(step, "seq");
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    face_say_events(face, json_get(step, "events"), viewer, &text);
    char *line = (char *)(size_t)(const void *)buf_str(&text);
    for (char *save = NULL, *at = strtok_r(line, "\n", &save); at != NULL;
         at = strtok_r(NULL, "\n", &save)) {
        printf("%5d  ", cJSON_IsNumber(seq) ? seq->valueint : 0);
        cli_print_folded(7, at);
    }
    buf_finish(&text);
}

/* The one seat that the account has in the match, "" where it has none or several. */
static void find_own_seat(struct cli *cli, char out[16])
{
    char params[128];
    cJSON *match = NULL, *error = NULL;
    out[0] = '\0';
    if (cli->account == NULL) { return; }
    snprintf(params, sizeof params, "{\"match\":\"%.40s\"}", cli->args[0]);
    conn_call_wait(cli->conn, "match.get", params, &match, &error);
    const cJSON *you = json_get(match, "you");
    if (cJSON_IsArray(you) && cJSON_GetArraySize(you) == 1 && cJSON_IsString(you->child)) {
        snprintf(out, 16, "%.15s", you->child->valuestring);
    }
    cJSON_Delete(match);
    cJSON_Delete(error);
}

enum status cli_history(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    if (cli->opt.as != NULL) { jw_key_str(&params, "as", cli->opt.as); }
    if (cli->opt.from > 0) { jw_key_int(&params, "from", cli->opt.from); }
    if (cli->opt.limit > 0) { jw_key_int(&params, "limit", cli->opt.limit); }
    jw_object_end(&params);
    cJSON *result = NULL;
    status = cli_call(cli, "match.history", buf_str(&params), &result);
    buf_finish(&params);
    if (status != DONE) { return status; }
    struct face *face = NULL;
    char own[16] = "";
    if (!cli->opt.json) {
        cJSON *error = NULL;
        cli_take_language(cli);
        face = face_of_match(cli->conn, cli->args[0], &error);
        cJSON_Delete(error);
        if (cli->opt.as == NULL) { find_own_seat(cli, own); }
    }
    const cJSON *steps = cJSON_IsArray(result) ? result : json_get(result, "steps");
    const cJSON *step = NULL;
    cJSON_ArrayForEach(step, steps)
    {
        if (cli->opt.json) {
            cli_print_json(step);
        } else {
            print_step(step, face, cli->opt.as != NULL ? cli->opt.as : own);
        }
    }
    face_destroy(face);
    cJSON_Delete(result);
    return DONE;
}
