/* client-cli/commands/matches.c: listing matches, making one, taking and leaving seats. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/commands/commands.h"
#include "client-cli/face/clock.h"
#include "client-cli/net/witness.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* "FR anna, AL -": seats of a summary, given as an object by seat or as an array. */
static void print_seats(const cJSON *seats)
{
    const cJSON *seat = NULL;
    const char *comma = "";
    cJSON_ArrayForEach(seat, seats)
    {
        const char *code = seat->string != NULL ? seat->string : cli_text_of(seat, "seat", "?");
        const char *who = cJSON_IsString(seat) ? seat->valuestring : NULL;
        if (who == NULL) {
            who = cli_text_of(seat, "name",
                              cli_text_of(seat, "account", cli_text_of(seat, "player", "-")));
        }
        fputs(comma, stdout);
        cli_print_text(stdout, code);
        putchar(' ');
        cli_print_text(stdout, who);
        comma = ", ";
    }
}

static void print_due(const char *due)
{
    struct buf text;
    buf_init(&text, 512);
    words_say(&text, "cli.due", "due", due, NULL);
    printf("  %s", buf_str(&text));
    buf_finish(&text);
}

/* The first deadline of those that it waits for. */
static void print_deadline(const cJSON *match)
{
    const cJSON *seat = NULL;
    const char *first = "";
    cJSON_ArrayForEach(seat, json_get(json_get(match, "clock"), "seats"))
    {
        const char *deadline = cli_text_of(seat, "deadline", "");
        if (deadline[0] != '\0' && (first[0] == '\0' || strcmp(deadline, first) < 0)) {
            first = deadline;
        }
    }
    if (first[0] == '\0') { return; }
    struct buf due;
    buf_init(&due, 256);
    clock_say_instant(&due, first);
    print_due(buf_str(&due));
    buf_finish(&due);
}

static void print_match(const cJSON *match)
{
    printf("%s  %-10s %-9s ", cli_text_of(match, "match", cli_text_of(match, "id", "?")),
           cli_text_of(match, "game", ""),
           cli_text_of(match, "state", cli_text_of(match, "status", "")));
    print_seats(json_get(match, "seats"));
    const cJSON *waits = json_get(match, "waits_for");
    if (cJSON_IsArray(waits) && waits->child != NULL) {
        printf("  %s", words_text("cli.waits_for"));
        const cJSON *seat = NULL;
        cJSON_ArrayForEach(seat, waits)
        {
            if (cJSON_IsString(seat)) { printf(" %s", seat->valuestring); }
        }
    }
    print_deadline(match);
    const char *title = cli_text_of(match, "title", "");
    if (title[0] != '\0') {
        printf("  ");
        cli_print_text(stdout, title);
    }
    putchar('\n');
}

enum status cli_matches(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    const char *filter = cli->opt.filter;
    if (filter == NULL) { filter = cli->account != NULL ? "mine" : "open"; }
    jw_key_str(&params, "filter", filter);
    if (cli->opt.game != NULL) { jw_key_str(&params, "game", cli->opt.game); }
    if (cli->opt.limit > 0) { jw_key_int(&params, "limit", cli->opt.limit); }
    jw_object_end(&params);
    cJSON *result = NULL;
    status = cli_call(cli, "match.list", buf_str(&params), &result);
    buf_finish(&params);
    if (status != DONE) { return status; }
    const cJSON *list = cJSON_IsArray(result) ? result : json_get(result, "matches");
    const cJSON *match = NULL;
    cJSON_ArrayForEach(match, list)
    {
        if (cli->opt.json) {
            cli_print_json(match);
        } else {
            print_match(match);
        }
    }
    if (!cli->opt.json && (list == NULL || list->child == NULL)) {
        cli_print_said("cli.no_match", "filter", filter, "", "");
    }
    cJSON_Delete(result);
    return DONE;
}

/* The value of an option as JSON where it is an integer, true or false and the game does not take
 * it for a word ("1809"), else as a string. */
static void write_value(struct buf *params, const char *value, bool word)
{
    char *end = NULL;
    long number = strtol(value, &end, 10);
    if (word) {
        jw_str(params, value);
    } else if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
        jw_bool(params, value[0] == 't');
    } else if (end != value && *end == '\0') {
        jw_int(params, number);
    } else {
        jw_str(params, value);
    }
}

/* What the game says of its options, by name; the caller's. NULL: nothing, match.create judges. */
static cJSON *fetch_options(struct cli *cli)
{
    struct buf params;
    cJSON *result = NULL, *error = NULL;
    buf_init(&params, 1024);
    jw_object_begin(&params);
    jw_key_str(&params, "game", cli->args[0]);
    jw_object_end(&params);
    conn_call_wait(cli->conn, "game.get", buf_str(&params), &result, &error);
    buf_finish(&params);
    cJSON *options = cJSON_DetachItemFromObjectCaseSensitive(result, "options");
    cJSON_Delete(result);
    cJSON_Delete(error);
    return options;
}

static bool write_game_options(struct cli *cli, struct buf *params)
{
    if (cli->opt.options == 0) { return true; }
    cJSON *options = fetch_options(cli);
    jw_key_object(params, "options");
    for (size_t i = 0; i < cli->opt.options; i++) {
        const char *text = cli->opt.option[i];
        const char *equals = strchr(text, '=');
        char name[64];
        if (equals == NULL || (size_t)(equals - text) >= sizeof name) {
            cli_say_with("cli.wrong.option", "text", text);
            cJSON_Delete(options);
            return false;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        jw_key(params, name);
        const char *type = cli_text_of(json_get(options, name), "type", "");
        write_value(params, equals + 1, strcmp(type, "string") == 0);
    }
    cJSON_Delete(options);
    jw_object_end(params);
    return true;
}

/* The commitment of a match that is shown for the first time is kept; another one later is told. */
static void note_match(const struct cli *cli, const cJSON *summary)
{
    const char *match = cli_text_of(summary, "match", "");
    const char *commit = cli_text_of(summary, "commit", "");
    struct kept_match kept;
    if (strlen(commit) != KEEP_B64 - 1 || !keep_match_read(&cli->keep, match, "", &kept)) {
        return;
    }
    if (kept.commit[0] == '\0') {
        (void)keep_match_commit(&cli->keep, match, commit);
    } else if (strcmp(kept.commit, commit) != 0) {
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        words_say(&text, "cli.fair.other_header", "match", match, NULL);
        cli_complain(buf_str(&text));
        buf_finish(&text);
    }
    kept_match_finish(&kept);
}

/* The clock by name or as JSON, the pace, how late watchers are. */
static bool write_clock(const struct cli *cli, struct buf *params)
{
    const char *clock = cli->opt.clock;
    int64_t pace = 0;
    if (clock != NULL && clock[0] == '{') {
        cJSON *spec = NULL;
        if (json_parse(clock, strlen(clock), &spec) != ERR_OK) {
            cli_say("cli.wrong.json");
            return false;
        }
        jw_key(params, "clock");
        jw_value(params, spec);
        cJSON_Delete(spec);
    } else if (clock != NULL) {
        jw_key_object(params, "clock");
        jw_key_str(params, "kind", clock);
        jw_object_end(params);
    }
    if (cli->opt.pace != NULL && !clock_read_span(cli->opt.pace, &pace)) {
        cli_say_with("cli.wrong.span", "text", cli->opt.pace);
        return false;
    }
    if (cli->opt.pace != NULL) { jw_key_int(params, "pace", pace); }
    if (cli->opt.delay > 0) { jw_key_int(params, "delay", cli->opt.delay); }
    if (cli->opt.no_talk) { jw_key_bool(params, "talk", false); }
    if (cli->opt.reveal != NULL) { jw_key_str(params, "reveal", cli->opt.reveal); }
    return true;
}

enum status cli_new(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    struct buf params;
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "game", cli->args[0]);
    if (cli->opt.seat != NULL) { jw_key_str(&params, "seat", cli->opt.seat); }
    if (cli->opt.access != NULL) { jw_key_str(&params, "access", cli->opt.access); }
    if (cli->opt.spectators != NULL) { jw_key_str(&params, "spectators", cli->opt.spectators); }
    if (cli->opt.title != NULL) { jw_key_str(&params, "title", cli->opt.title); }
    if (!write_clock(cli, &params) || !write_game_options(cli, &params)) {
        buf_finish(&params);
        return WRONG_USAGE;
    }
    if (cli->opt.invites > 0) {
        jw_key_array(&params, "invite");
        for (size_t i = 0; i < cli->opt.invites; i++) {
            jw_str(&params, cli->opt.invite[i]);
        }
        jw_array_end(&params);
    }
    conn_write_action_id(&params);
    jw_object_end(&params);
    cJSON *result = NULL;
    stock_fill_wait(cli->conn, &cli->keep, &cli->loop);
    status = cli_call(cli, "match.create", buf_str(&params), &result);
    buf_finish(&params);
    if (status == DONE) {
        note_match(cli, result);
        const cJSON *match =
            cJSON_IsObject(json_get(result, "match")) ? json_get(result, "match") : result;
        if (cli->opt.json) {
            cli_print_json(result);
        } else {
            print_match(match);
        }
    }
    cJSON_Delete(result);
    return status;
}

/* The same for a seat that may fill the match: its account's stock must be full before. */
static enum status take_seat(struct cli *cli, const char *method, const char *seat,
                             const char *code, const char *said)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    stock_fill_wait(cli->conn, &cli->keep, &cli->loop);
    struct buf params;
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    if (seat != NULL) { jw_key_str(&params, "seat", seat); }
    if (code != NULL) { jw_key_str(&params, "code", code); }
    if (cli->opt.consent) { jw_key_bool(&params, "consent", true); }
    conn_write_action_id(&params);
    jw_object_end(&params);
    cJSON *result = NULL;
    status = cli_call(cli, method, buf_str(&params), &result);
    if (status == DONE) {
        note_match(cli, result);
        if (cli->opt.json) {
            cli_print_json(result);
        } else {
            puts(said);
        }
    }
    cJSON_Delete(result);
    buf_finish(&params);
    return status;
}

/* One call about a match: {"match": args[0], ...} and a summary or a word as the answer. */
enum status cli_change_match(struct cli *cli, const char *method, const char *member,
                             const char *value, const char *member2, const char *value2,
                             const char *said)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    struct buf params;
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    if (value != NULL) { jw_key_str(&params, member, value); }
    if (value2 != NULL) { jw_key_str(&params, member2, value2); }
    conn_write_action_id(&params);
    jw_object_end(&params);
    status = cli_do(cli, method, buf_str(&params), said);
    buf_finish(&params);
    return status;
}

enum status cli_join(struct cli *cli)
{
    return take_seat(cli, "match.join", cli->opt.seat, cli->opt.code,
                     words_text("cli.said.joined"));
}

enum status cli_leave(struct cli *cli)
{
    return cli_change_match(cli, "match.leave", NULL, NULL, NULL, NULL,
                            words_text("cli.said.left"));
}

enum status cli_seat_bot(struct cli *cli)
{
    return cli_change_match(cli, "match.bot", "seat", cli->opt.seat, "level", cli->opt.policy,
                            words_text("cli.said.bot_seated"));
}

enum status cli_start(struct cli *cli)
{
    return take_seat(cli, "match.start", NULL, NULL, words_text("cli.said.started"));
}

enum status cli_resign(struct cli *cli)
{
    return cli_change_match(cli, "match.resign", NULL, NULL, NULL, NULL,
                            words_text("cli.said.resigned"));
}
