/* client-cli/commands/standing.c: `vedette orders`: the standing orders of a seat, read and
 * changed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

enum { FILE_BYTES_MAX = 65536 };

static void params_begin(const struct cli *cli, struct buf *params)
{
    buf_init(params, CLI_TEXT_MAX);
    jw_object_begin(params);
    jw_key_str(params, "match", cli->args[0]);
    if (cli->opt.as != NULL) { jw_key_str(params, "as", cli->opt.as); }
}

static enum status read_standing(struct cli *cli, cJSON **out_standing)
{
    struct buf params;
    params_begin(cli, &params);
    jw_object_end(&params);
    enum status status = cli_call(cli, "match.standing", buf_str(&params), out_standing);
    buf_finish(&params);
    return status;
}

static void print_standing(struct cli *cli, const struct face *face, const cJSON *standing)
{
    const cJSON *order = NULL;
    int n = 0;
    if (cli->opt.json) {
        cli_print_json(standing);
        return;
    }
    if (cJSON_GetArraySize(json_get(standing, "orders")) == 0) {
        puts(words_text("cli.standing.none"));
    }
    cJSON_ArrayForEach(order, json_get(standing, "orders"))
    {
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        face->game->say_standing(face, order, &text);
        printf("%2d  ", ++n);
        cli_print_text(stdout, buf_str(&text));
        putchar('\n');
        buf_finish(&text);
    }
    cJSON_ArrayForEach(order, json_get(standing, "fired"))
    {
        struct buf text;
        buf_init(&text, 4096);
        words_say(&text, "cli.standing.fired", "n",
                  words_int((long)json_int(json_get(order, "entry"), 0) + 1), "version",
                  words_int((long)json_int(json_get(order, "version"), 0)), "seq",
                  words_int((long)json_int(json_get(order, "seq"), 0)), NULL);
        cli_print_lines(buf_str(&text));
        putchar('\n');
        buf_finish(&text);
    }
}

/* The whole of a file, or of standard input for "-". The caller's; NULL: said why. */
static char *read_file(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char *text = file == NULL ? NULL : calloc(1, FILE_BYTES_MAX + 1);
    size_t n = text == NULL ? 0 : fread(text, 1, FILE_BYTES_MAX + 1, file);
    if (file == NULL) { fprintf(stderr, "vedette: %s: %s\n", path, strerror(errno)); }
    if (file != NULL && file != stdin) { fclose(file); }
    if (n > FILE_BYTES_MAX) {
        cli_say_with("cli.wrong.long_file", "text", path);
        free(text);
        return NULL;
    }
    return text;
}

/* Orders of a text, a line each (# begins a remark), or the JSON of an array. */
static bool parse_text(const struct face *face, char *text, struct buf *out)
{
    const char *head = text + strspn(text, " \t\r\n");
    if (head[0] == '[') {
        cJSON *json = NULL;
        bool good = json_parse(head, strlen(head), &json) == ERR_OK && cJSON_IsArray(json);
        if (good) { jw_value(out, json); }
        if (!good) { cli_say("cli.wrong.json"); }
        cJSON_Delete(json);
        return good;
    }
    bool good = true;
    jw_array_begin(out);
    for (char *save = NULL, *line = strtok_r(text, "\r\n", &save); line != NULL && good;
         line = strtok_r(NULL, "\r\n", &save)) {
        struct buf one, why;
        line += strspn(line, " \t");
        if (*line == '\0' || *line == '#') { continue; }
        buf_init(&one, CLI_TEXT_MAX);
        buf_init(&why, 4096);
        good = face->game->read_standing(face, line, &one, &why);
        if (good) { jw_raw(out, buf_str(&one), one.len); }
        if (!good) { cli_complain(buf_str(&why)); }
        buf_finish(&one);
        buf_finish(&why);
    }
    jw_array_end(out);
    return good;
}

/* The orders with one more at the end. */
static bool add_order(const struct cli *cli, const struct face *face, const cJSON *orders,
                      struct buf *out)
{
    char *line = cli_join_args(cli, 2);
    struct buf one, why;
    const cJSON *order = NULL;
    buf_init(&one, CLI_TEXT_MAX);
    buf_init(&why, 4096);
    bool good = face->game->read_standing(face, line, &one, &why);
    if (!good) { cli_complain(buf_str(&why)); }
    jw_array_begin(out);
    cJSON_ArrayForEach(order, orders)
    {
        jw_value(out, order);
    }
    if (good) { jw_raw(out, buf_str(&one), one.len); }
    jw_array_end(out);
    buf_finish(&one);
    buf_finish(&why);
    free(line);
    return good;
}

static bool drop_order(const struct cli *cli, const cJSON *orders, struct buf *out)
{
    const char *word = cli->nargs > 2 ? cli->args[2] : "";
    char *end = NULL;
    long number = strtol(word, &end, 10), n = 0;
    const cJSON *order = NULL;
    if (end == word || *end != '\0' || number < 1 || number > cJSON_GetArraySize(orders)) {
        cli_say_with("cli.standing.no_such", "text", word);
        return false;
    }
    jw_array_begin(out);
    cJSON_ArrayForEach(order, orders)
    {
        if (++n != number) { jw_value(out, order); }
    }
    jw_array_end(out);
    return true;
}

/* What the words make of the orders that are there. False: said why not. */
static bool change(const struct cli *cli, const struct face *face, const cJSON *orders,
                   struct buf *out)
{
    const char *word = cli->args[1];
    if (strcmp(word, "add") == 0) { return add_order(cli, face, orders, out); }
    if (strcmp(word, "drop") == 0) { return drop_order(cli, orders, out); }
    if (strcmp(word, "clear") == 0) {
        buf_append_str(out, "[]");
        return true;
    }
    if (strcmp(word, "set") == 0 && cli->nargs == 3) {
        char *text = read_file(cli->args[2]);
        bool good = text != NULL && parse_text(face, text, out);
        free(text);
        return good;
    }
    cli_say_with("cli.standing.word", "text", word);
    return false;
}

/* The face of a game that has standing orders. */
static enum status find_face(struct cli *cli, struct face **out_face)
{
    cJSON *error = NULL;
    *out_face = face_of_match(cli->conn, cli->args[0], &error);
    if (error != NULL) { return cli_judge(cli, NULL, error); }
    if (*out_face == NULL || (*out_face)->game->read_standing == NULL) {
        cli_say(*out_face == NULL ? "cli.no_board" : "cli.standing.not_here");
        face_destroy(*out_face);
        *out_face = NULL;
        return REFUSED;
    }
    return DONE;
}

enum status cli_orders(struct cli *cli)
{
    struct buf orders, params;
    struct face *face = NULL;
    cJSON *standing = NULL, *result = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cli_take_language(cli);
    status = find_face(cli, &face);
    if (status != DONE) { return status; }
    buf_init(&orders, CLI_TEXT_MAX);
    status = read_standing(cli, &standing);
    if (status == DONE && cli->nargs == 1) { print_standing(cli, face, standing); }
    if (status != DONE || cli->nargs == 1) { goto out; }
    if (!change(cli, face, json_get(standing, "orders"), &orders)) {
        status = WRONG_USAGE;
        goto out;
    }
    params_begin(cli, &params);
    jw_key_int(&params, "version", json_int(json_get(standing, "version"), 0));
    jw_key_raw(&params, "orders", buf_str(&orders), orders.len);
    conn_write_action_id(&params);
    jw_object_end(&params);
    status = cli_call(cli, "match.standing", buf_str(&params), &result);
    buf_finish(&params);
    if (status == DONE) { print_standing(cli, face, result); }
out:
    face_destroy(face);
    buf_finish(&orders);
    cJSON_Delete(standing);
    cJSON_Delete(result);
    return status;
}
