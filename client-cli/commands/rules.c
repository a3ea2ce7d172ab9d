/* client-cli/commands/rules.c: `vedette rules GAME [NUMBER]`: how a game is played, or a rule. */
#include <string.h>

#include "client-cli/commands/commands.h"
#include "client-cli/face/rules_text.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* The text in a language. False: the server has none. */
static bool read_text(struct cli *cli, const char *number, const char *language, struct buf *out)
{
    char path[128];
    struct buf markdown;
    bool has = true;
    rules_text_path(cli->args[0], number[0] == '\0', language, path, sizeof path);
    buf_init(&markdown, RULES_TEXT_MAX);
    if (!conn_fetch_wait(cli->conn, path, &markdown)) {
        has = false;
    } else if (number[0] == '\0') {
        rules_text_whole(buf_str(&markdown), out);
    } else {
        has = rules_text_rule(buf_str(&markdown), number, out);
    }
    buf_finish(&markdown);
    return has;
}

static void print_text(const struct cli *cli, const char *number, const char *language,
                       const char *text)
{
    if (!cli->opt.json) {
        cli_print_lines(text);
        return;
    }
    struct buf json;
    buf_init(&json, 4 * RULES_TEXT_MAX);
    jw_object_begin(&json);
    jw_key_str(&json, "game", cli->args[0]);
    if (number[0] != '\0') { jw_key_str(&json, "rule", number); }
    jw_key_str(&json, "language", language);
    jw_key_str(&json, "text", text);
    jw_object_end(&json);
    cli_print_json_text(buf_str(&json));
    buf_finish(&json);
}

enum status cli_rules(struct cli *cli)
{
    char number[RULES_NUMBER_BYTES] = "";
    const char *asked = cli->nargs == 2 ? cli->args[1] : "";
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    /* A name that could be no folder's is asked of nobody. */
    bool game =
        strspn(cli->args[0], "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(cli->args[0]) &&
        strlen(cli->args[0]) < 64;
    if (!game) {
        cli_say_with("cli.rules.no_game", "game", cli->args[0]);
        return REFUSED;
    }
    if (asked[0] != '\0' && !rules_text_number(cli->args[0], asked, number)) {
        cli_say_with("cli.rules.none", "rule", asked);
        return REFUSED;
    }
    struct buf text;
    buf_init(&text, RULES_TEXT_MAX);
    const char *language = words_language();
    bool has = read_text(cli, number, language, &text);
    if (!has && strcmp(language, "en") != 0) {
        language = "en";
        has = read_text(cli, number, language, &text);
        if (has && !cli->opt.json) { cli_say("cli.rules.english"); }
    }
    if (has) {
        print_text(cli, number, language, buf_str(&text));
    } else if (number[0] != '\0') {
        cli_say_with("cli.rules.none", "rule", number);
    } else {
        cli_say_with("cli.rules.no_game", "game", cli->args[0]);
    }
    buf_finish(&text);
    return has ? DONE : REFUSED;
}
