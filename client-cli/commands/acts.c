/* client-cli/commands/acts.c: orders and undo, one call each. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "client-cli/face/clock.h"
#include "client-cli/net/witness.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

static void write_act(struct buf *params, const char *match, const cJSON *view, const char *actions)
{
    const cJSON *seq = json_get(view, "seq");
    jw_object_begin(params);
    jw_key_str(params, "match", match);
    jw_key_int(params, "seq", json_int(seq, 0));
    if (actions != NULL) {
        const char *member = actions[0] == '['   ? "actions"
                             : actions[0] == '{' ? "action"
                                                 : "draft"; /* its version */
        jw_key_raw(params, member, actions, strlen(actions));
    }
    conn_write_action_id(params);
    jw_object_end(params);
}

bool cli_read_action(struct cli *cli, const cJSON *view, const char *text, struct buf *out_action)
{
    if (text[0] == '{' || text[0] == '[') {
        cJSON *json = NULL;
        if (json_parse(text, strlen(text), &json) != ERR_OK) {
            cli_say("cli.wrong.json");
            return false;
        }
        cJSON_Delete(json);
        buf_append_str(out_action, text);
        return true;
    }
    struct face *face = face_fetch(cli->conn, cli_text_of(view, "game", ""));
    if (face == NULL || !face->game->read(face, view)) {
        face_destroy(face);
        cli_say("cli.no_board");
        return false;
    }
    struct buf why;
    buf_init(&why, CLI_TEXT_MAX);
    bool ok = face->game->order(face, text, out_action, &why);
    if (!ok) { cli_complain(buf_str(&why)); }
    buf_finish(&why);
    face_destroy(face);
    return ok;
}

void cli_print_events(struct cli *cli, const cJSON *result, const cJSON *view)
{
    if (cli->opt.json) {
        cli_print_json(result);
        return;
    }
    struct face *face = face_fetch(cli->conn, cli_text_of(view, "game", ""));
    struct buf text;
    cli_take_language(cli);
    buf_init(&text, CLI_TEXT_MAX);
    face_say_events(face, json_get(result, "events"), cli_text_of(view, "as", ""), &text);
    face_destroy(face);
    if (json_get(result, "held") != NULL) { clock_say_held(&text, json_get(result, "held")); }
    cli_print_lines(buf_str(&text));
    buf_finish(&text);
}

enum status cli_send_act(struct cli *cli, const char *method, const cJSON *view,
                         const char *actions, cJSON **out_result)
{
    struct buf params;
    cJSON *error = NULL;
    buf_init(&params, CLI_TEXT_MAX);
    write_act(&params, cli->args[0], view, actions);
    conn_call_wait(cli->conn, method, buf_str(&params), out_result, &error);
    if (strcmp(cli_text_of(json_get(error, "data"), "reason", ""), "nonce") == 0) {
        cJSON *again = NULL;
        cJSON_Delete(error);
        error = NULL;
        witness_open_wait(cli->conn, &cli->keep, cli->args[0], &cli->loop);
        enum status status = cli_get_view(cli, &again);
        if (status != DONE) {
            buf_finish(&params);
            return status;
        }
        buf_reset(&params);
        write_act(&params, cli->args[0], again, actions);
        conn_call_wait(cli->conn, method, buf_str(&params), out_result, &error);
        cJSON_Delete(again);
    }
    buf_finish(&params);
    return cli_judge(cli, *out_result, error);
}

static enum status act(struct cli *cli, const char *method, const char *order)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cJSON *view = NULL, *result = NULL;
    struct buf action;
    buf_init(&action, CLI_TEXT_MAX);
    status = cli_get_view(cli, &view);
    if (status != DONE) { goto out; }
    if (order != NULL && !cli_read_action(cli, view, order, &action)) {
        status = WRONG_USAGE;
        goto out;
    }
    status = cli_send_act(cli, method, view, order == NULL ? NULL : buf_str(&action), &result);
    if (status == DONE) {
        (void)keep_match_step(&cli->keep, cli->args[0], cli_text_of(view, "as", ""),
                              json_int(json_get(result, "seq"), 0),
                              cli_text_of(result, "chain", ""));
        cli_print_events(cli, result, view);
    }
out:
    buf_finish(&action);
    cJSON_Delete(view);
    cJSON_Delete(result);
    return status;
}

enum status cli_act(struct cli *cli)
{
    char *order = cli_join_args(cli, 1);
    enum status status = act(cli, "match.act", order);
    free(order);
    return status;
}

enum status cli_undo(struct cli *cli)
{
    return act(cli, "match.undo", NULL);
}
