/* client-cli/commands/draft.c: a seat's draft on the server. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* The seat's draft, or with actions (an array) the draft as it is then. */
static enum status call_draft(struct cli *cli, int64_t version, const char *actions,
                              cJSON **out_draft)
{
    struct buf params;
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    if (actions != NULL) {
        jw_key_int(&params, "version", version);
        jw_key_raw(&params, "actions", actions, strlen(actions));
        conn_write_action_id(&params);
    }
    jw_object_end(&params);
    enum status status = cli_call(cli, "match.draft", buf_str(&params), out_draft);
    buf_finish(&params);
    return status;
}

static void print_draft(const struct cli *cli, const cJSON *draft)
{
    const cJSON *action = NULL;
    int n = 0;
    if (cli->opt.json) {
        cli_print_json(draft);
        return;
    }
    if (cJSON_GetArraySize(json_get(draft, "actions")) == 0) {
        puts(words_text("cli.draft.empty"));
    }
    cJSON_ArrayForEach(action, json_get(draft, "actions"))
    {
        char *text = cJSON_PrintUnformatted(action);
        printf("%2d  %s\n", ++n, text == NULL ? "" : text);
        cJSON_free(text);
    }
}

/* The actions of a draft with one more, or several; a game may put them together. */
static void join_draft(struct cli *cli, const cJSON *view, const cJSON *draft, const char *more,
                       struct buf *out)
{
    struct face *face = face_fetch(cli->conn, cli_text_of(view, "game", ""));
    cJSON *json = NULL;
    const cJSON *action = NULL;
    if (face != NULL && face->game->draft_with != NULL &&
        json_parse(more, strlen(more), &json) == ERR_OK && cJSON_IsObject(json)) {
        face->game->draft_with(draft, json, out);
    } else {
        jw_array_begin(out);
        cJSON_ArrayForEach(action, draft)
        {
            jw_value(out, action);
        }
        jw_raw(out, more, strlen(more));
        jw_array_end(out);
    }
    cJSON_Delete(json);
    face_destroy(face);
}

/* The draft with one order (or JSON action) more. */
static enum status add_to_draft(struct cli *cli, const cJSON *draft, cJSON **out_draft)
{
    cJSON *view = NULL;
    struct buf actions, one;
    enum status status = cli_get_view(cli, &view);
    if (status != DONE) { return status; }
    char *order = cli_join_args(cli, 1);
    buf_init(&actions, CLI_TEXT_MAX);
    buf_init(&one, CLI_TEXT_MAX);
    if (cli_read_action(cli, view, order, &one)) {
        join_draft(cli, view, json_get(draft, "actions"), buf_str(&one), &actions);
        status =
            call_draft(cli, json_int(json_get(draft, "version"), 0), buf_str(&actions), out_draft);
    } else {
        status = WRONG_USAGE;
    }
    free(order);
    buf_finish(&actions);
    buf_finish(&one);
    cJSON_Delete(view);
    return status;
}

/* All of the draft as one action. */
static enum status commit_draft(struct cli *cli, const cJSON *draft)
{
    cJSON *view = NULL, *result = NULL;
    enum status status = cli_get_view(cli, &view);
    if (status == DONE) {
        status = cli_send_act(cli, "match.act", view,
                              words_int((long)json_int(json_get(draft, "version"), 0)), &result);
    }
    if (status == DONE) { cli_print_events(cli, result, view); }
    cJSON_Delete(view);
    cJSON_Delete(result);
    return status;
}

enum status cli_draft(struct cli *cli)
{
    const char *word = cli->nargs > 1 ? cli->args[1] : "";
    cJSON *draft = NULL, *after = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    status = call_draft(cli, 0, NULL, &draft);
    if (status != DONE) { return status; }
    if (word[0] == '\0') {
        print_draft(cli, draft);
    } else if (strcmp(word, "commit") == 0 && cli->nargs == 2) {
        status = commit_draft(cli, draft);
    } else if (strcmp(word, "clear") == 0 && cli->nargs == 2) {
        status = call_draft(cli, json_int(json_get(draft, "version"), 0), "[]", &after);
    } else {
        status = add_to_draft(cli, draft, &after);
    }
    if (status == DONE && after != NULL) { print_draft(cli, after); }
    cJSON_Delete(draft);
    cJSON_Delete(after);
    return status;
}
