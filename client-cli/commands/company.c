/* client-cli/commands/company.c: the commands about talk, and about who sits in a match: seats that
 * are lent, offered, taken over; watchers that are shut out. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client-cli/commands/commands.h"
#include "client-cli/face/clock.h"
#include "client-cli/net/witness.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* ---- talk ---- */

enum status cli_say_in(struct cli *cli)
{
    char *text = cli_join_args(cli, 1);
    enum status status =
        cli_change_match(cli, "match.say", "channel",
                         cli->opt.channel == NULL ? "table" : cli->opt.channel, "text", text, NULL);
    free(text);
    return status;
}

static void print_message(const cJSON *message)
{
    char at[32] = "";
    struct tm tm;
    const time_t seconds = (time_t)(json_int(json_get(message, "at"), 0) / 1000);
    if (localtime_r(&seconds, &tm) != NULL) { strftime(at, sizeof at, "%Y-%m-%d %H:%M", &tm); }
    printf("%4d  %s  ", (int)json_int(json_get(message, "n"), 0), at);
    cli_print_text(stdout, cli_text_of(message, "from", "?"));
    printf(": ");
    cli_print_text(stdout, cli_text_of(message, "text", ""));
    putchar('\n');
}

/* When the allies may confer, by what the match says of its talk. */
static void print_side(struct cli *cli)
{
    char params[96];
    cJSON *match = NULL;
    snprintf(params, sizeof params, "{\"match\":\"%.40s\"}", cli->args[0]);
    if (cli_call(cli, "match.get", params, &match) == DONE) {
        const cJSON *side = json_get(json_get(match, "talk"), "side");
        const cJSON *opens = json_get(side, "opens");
        if (side != NULL) {
            struct buf text;
            buf_init(&text, 4096);
            words_say(&text, "cli.talk.side", "open",
                      cJSON_IsTrue(json_get(side, "open")) ? "true" : "false", "known",
                      opens != NULL ? "true" : "false", "date", cli_text_of(opens, "date", ""),
                      NULL);
            cli_print_lines(buf_str(&text));
            putchar('\n');
            buf_finish(&text);
        }
    }
    cJSON_Delete(match);
}

/* The newest message that was printed counts as read. */
static void mark_read(struct cli *cli, const char *channel, int64_t n)
{
    struct buf params;
    cJSON *result = NULL, *error = NULL;
    if (cli->account == NULL || n <= 0) { return; }
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "channel", channel);
    jw_key_int(&params, "n", n);
    jw_object_end(&params);
    conn_call_wait(cli->conn, "match.read", buf_str(&params), &result, &error);
    buf_finish(&params);
    cJSON_Delete(result);
    cJSON_Delete(error);
}

enum status cli_talk(struct cli *cli)
{
    const char *channel = cli->nargs > 1 ? cli->args[1] : "table";
    struct buf params;
    cJSON *result = NULL;
    int64_t last = 0;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "channel", channel);
    if (cli->opt.limit > 0) { jw_key_int(&params, "limit", cli->opt.limit); }
    jw_object_end(&params);
    status = cli_call(cli, "match.talk", buf_str(&params), &result);
    buf_finish(&params);
    const cJSON *message = NULL;
    cJSON_ArrayForEach(message, json_get(result, "messages"))
    {
        last = json_int(json_get(message, "n"), 0);
        if (cli->opt.json) {
            cli_print_json(message);
        } else {
            print_message(message);
        }
    }
    if (status == DONE && !cli->opt.json && strcmp(channel, "side") == 0) { print_side(cli); }
    if (status == DONE) { mark_read(cli, channel, last); }
    cJSON_Delete(result);
    return status;
}

/* ---- persons ---- */

/* A call about a person of the match; off: by the second word. */
static enum status about_person(struct cli *cli, const char *method, const char *said_on,
                                const char *said_off)
{
    struct buf params;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    bool off = cli->nargs > 2 && strcmp(cli->args[2], "off") == 0;
    if (cli->nargs > 2 && !off && strcmp(cli->args[2], "on") != 0) {
        cli_say_with("cli.wrong.on_off", "text", cli->args[2]);
        return WRONG_USAGE;
    }
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "name", cli->args[1]);
    jw_key_bool(&params, "on", !off);
    conn_write_action_id(&params);
    jw_object_end(&params);
    status = cli_do(cli, method, buf_str(&params), words_text(off ? said_off : said_on));
    buf_finish(&params);
    return status;
}

enum status cli_mute(struct cli *cli)
{
    return about_person(cli, "match.mute", "cli.said.muted", "cli.said.unmuted");
}

enum status cli_kick(struct cli *cli)
{
    return about_person(cli, "match.kick", "cli.said.kicked", "cli.said.let_in");
}

enum status cli_report(struct cli *cli)
{
    char *text = cli_join_args(cli, 2);
    enum status status = cli_change_match(cli, "match.report", "name", cli->args[1], "text", text,
                                          words_text("cli.said.reported"));
    free(text);
    return status;
}

/* ---- seats ---- */

/* The seat that is meant: --seat, or the account's only one. False: said what is missing. */
static bool find_seat(struct cli *cli, char out[16])
{
    char params[96];
    cJSON *match = NULL;
    out[0] = '\0';
    if (cli->opt.seat != NULL) {
        snprintf(out, 16, "%.15s", cli->opt.seat);
        return true;
    }
    snprintf(params, sizeof params, "{\"match\":\"%.40s\"}", cli->args[0]);
    if (cli_call(cli, "match.get", params, &match) == DONE) {
        const cJSON *you = json_get(match, "you");
        const cJSON *seat = NULL;
        if (cJSON_IsArray(you) && cJSON_GetArraySize(you) == 1) { seat = you->child; }
        cJSON *one = NULL;
        cJSON_ArrayForEach(one, json_get(match, "seats"))
        { /* one that is lent is not among those that it has */
            const char *by = cli_text_of(json_get(one, "lent"), "by", "");
            if (cli->account != NULL && strcmp(by, cli->account) == 0) {
                snprintf(out, 16, "%.15s", one->string);
            }
        }
        if (cJSON_IsString(seat)) { snprintf(out, 16, "%.15s", seat->valuestring); }
        if (out[0] == '\0') { cli_say("cli.wrong.which_seat"); }
    }
    cJSON_Delete(match);
    return out[0] != '\0';
}

enum status cli_lend(struct cli *cli)
{
    char seat[16];
    int64_t seconds = 0;
    struct buf params;
    if (!clock_read_span(cli->args[2], &seconds)) {
        cli_say_with("cli.wrong.span", "text", cli->args[2]);
        return WRONG_USAGE;
    }
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    if (!find_seat(cli, seat)) { return REFUSED; }
    /* Nobody else can open the seat's nonce. */
    witness_open_wait(cli->conn, &cli->keep, cli->args[0], &cli->loop);
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "seat", seat);
    jw_key_str(&params, "name", cli->args[1]);
    jw_key_int(&params, "until", ((int64_t)time(NULL) + seconds) * 1000);
    conn_write_action_id(&params);
    jw_object_end(&params);
    status = cli_do(cli, "match.lend", buf_str(&params), words_text("cli.said.lent"));
    buf_finish(&params);
    return status;
}

/* A call about a seat: {match, seat, on?}. */
static enum status about_seat(struct cli *cli, const char *method, bool has_on, bool on,
                              const char *said)
{
    char seat[16];
    struct buf params;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    if (!find_seat(cli, seat)) { return REFUSED; }
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "seat", seat);
    if (has_on) { jw_key_bool(&params, "on", on); }
    conn_write_action_id(&params);
    jw_object_end(&params);
    status = cli_do(cli, method, buf_str(&params), words_text(said));
    buf_finish(&params);
    return status;
}

enum status cli_recall(struct cli *cli)
{
    return about_seat(cli, "match.recall", false, false, "cli.said.recalled");
}

enum status cli_vacate(struct cli *cli)
{
    bool off = cli->nargs > 1 && strcmp(cli->args[1], "off") == 0;
    return about_seat(cli, "match.vacate", true, !off,
                      off ? "cli.said.kept_seat" : "cli.said.vacated");
}

enum status cli_substitute(struct cli *cli)
{
    cli->opt.seat = cli->args[1];
    return about_seat(cli, "match.substitute", false, false, "cli.said.joined");
}
