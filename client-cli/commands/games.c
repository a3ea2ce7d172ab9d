/* client-cli/commands/games.c: the games of a server and their options. */
#include <string.h>

#include "client-cli/commands/commands.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

/* The message of that id, else what the game says in its own words. */
static const char *said_or(const char *id, const char *otherwise)
{
    const char *text = words_text(id);
    return text != NULL ? text : otherwise;
}

/* "; 2 or 3", "; 2 to 24": what an option may be. */
static void say_choices(struct buf *out, const cJSON *option)
{
    const cJSON *least = json_get(option, "minimum");
    const cJSON *most = json_get(option, "maximum");
    const cJSON *one = NULL;
    if (cJSON_IsNumber(least) && cJSON_IsNumber(most)) {
        words_say(out, "cli.option.range", "least", words_int((long)least->valuedouble), "most",
                  words_int((long)most->valuedouble), NULL);
    }
    struct buf all, two;
    buf_init(&all, 1024);
    buf_init(&two, 1024);
    cJSON_ArrayForEach(one, json_get(option, "enum"))
    {
        char *value = cJSON_PrintUnformatted(one);
        buf_reset(&two);
        if (all.len > 0) {
            words_say(&two, "cli.or", "a", buf_str(&all), "b", value == NULL ? "?" : value, NULL);
        } else {
            buf_append_str(&two, value == NULL ? "?" : value);
        }
        buf_reset(&all);
        buf_append_str(&all, buf_str(&two));
        cJSON_free(value);
    }
    if (all.len > 0) { words_say(out, "cli.option.choices", "choices", buf_str(&all), NULL); }
    buf_finish(&all);
    buf_finish(&two);
}

static void print_option(const char *game, const cJSON *option)
{
    const char *name = cli_text_of(option, "name", "?");
    char *fallback = cJSON_PrintUnformatted(json_get(option, "default"));
    char id[128];
    struct buf choices, line;
    buf_init(&choices, 1024);
    buf_init(&line, 8192);
    snprintf(id, sizeof id, "option.%.40s.%.60s.meaning", game, name);
    say_choices(&choices, option);
    words_say(&line, "cli.option", "name", name, "default", fallback == NULL ? "-" : fallback,
              "choices", buf_str(&choices), "meaning",
              said_or(id, cli_text_of(option, "meaning", "")), NULL);
    printf("  ");
    cli_print_folded(2, buf_str(&line));
    cJSON_free(fallback);
    buf_finish(&choices);
    buf_finish(&line);
}

enum status cli_games(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cJSON *result = NULL;
    status = cli_call(cli, "game.list", "{}", &result);
    if (status != DONE) { return status; }
    const cJSON *games = cJSON_IsArray(result) ? result : json_get(result, "games");
    const cJSON *game = NULL;
    if (cli->opt.json) { cli_print_json(result); }
    cJSON_ArrayForEach(game, games)
    {
        const char *name = cli_text_of(game, "name", cli_text_of(game, "game", "?"));
        if (cli->opt.json || (cli->nargs == 1 && strcmp(name, cli->args[0]) != 0)) { continue; }
        const cJSON *about = json_get(game, "about") != NULL ? json_get(game, "about") : game;
        char id[64];
        snprintf(id, sizeof id, "game.%.40s.summary", name);
        struct buf line;
        buf_init(&line, 4096);
        buf_append_str(&line, name);
        buf_append_str(&line, ": ");
        buf_append_str(&line,
                       said_or(id, cli_text_of(about, "summary", cli_text_of(about, "title", ""))));
        cli_print_folded(0, buf_str(&line));
        buf_finish(&line);
        const cJSON *option = NULL;
        cJSON_ArrayForEach(option, json_get(about, "options"))
        {
            print_option(name, option);
        }
    }
    cJSON_Delete(result);
    return DONE;
}
