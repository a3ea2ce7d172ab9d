/* client-cli/commands/ask.c: questions to a match. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

/* What the match answers, in sentences where the game has them. */
static enum status ask(struct cli *cli, struct face *face, const char *question)
{
    struct buf params;
    cJSON *asked = NULL, *result = NULL;
    if (json_parse(question, strlen(question), &asked) != ERR_OK) {
        cli_say("cli.wrong.json");
        return WRONG_USAGE;
    }
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    if (cli->opt.as != NULL) { jw_key_str(&params, "as", cli->opt.as); }
    jw_key_raw(&params, "question", question, strlen(question));
    jw_object_end(&params);
    enum status status = cli_call(cli, "match.ask", buf_str(&params), &result);
    buf_finish(&params);
    if (status == DONE && (cli->opt.json || face == NULL || face->game->answered == NULL)) {
        cli_print_json(json_get(result, "answer"));
    } else if (status == DONE) {
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        face->game->answered(face, asked, json_get(result, "answer"), NULL, &text);
        cli_print_lines(buf_str(&text));
        buf_finish(&text);
    }
    cJSON_Delete(asked);
    cJSON_Delete(result);
    return status;
}

enum status cli_ask(struct cli *cli)
{
    cJSON *view = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cli_take_language(cli);
    status = cli_get_view(cli, &view);
    if (status != DONE) { return status; }
    struct face *face = face_fetch(cli->conn, cli_text_of(view, "game", ""));
    char *text = cli_join_args(cli, 1);
    struct buf question, why;
    buf_init(&question, CLI_TEXT_MAX);
    buf_init(&why, CLI_TEXT_MAX);
    bool read = face != NULL && face->game->read(face, view);
    if (text[0] == '{') {
        status = ask(cli, read ? face : NULL, text);
    } else if (!read || face->game->question == NULL) {
        cli_say("cli.wrong.json");
        status = WRONG_USAGE;
    } else if (face->game->question(face, text, &question, &why)) {
        status = ask(cli, face, buf_str(&question));
    } else {
        cli_complain(buf_str(&why));
        status = WRONG_USAGE;
    }
    free(text);
    buf_finish(&question);
    buf_finish(&why);
    face_destroy(face);
    cJSON_Delete(view);
    return status;
}
