/* client-cli/commands/commands.c: the commands that are one call and its answer; the table of all commands.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "client-cli/face/clock.h"
#include "client-cli/net/witness.h"
#include "client-cli/records/proof.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

const char *cli_text_of(const cJSON *object, const char *name, const char *otherwise)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : otherwise;
}

/* A message with two arguments on standard output. */
static void print_said(const char *id, const char *name, const char *value, const char *name2,
                       const char *value2)
{
    struct buf text;
    buf_init(&text, 4096);
    words_say(&text, id, name, value, name2, value2, NULL);
    cli_print_text(stdout, buf_str(&text));
    putchar('\n');
    buf_finish(&text);
}

/* ---- accounts ---- */

/* The call that signs in. out_needs_code: the password was right, a code of the second factor is
 * missing, and somebody can be asked for it: nothing is said then. */
static enum status send_sign_in(struct cli *cli, const char *method, const char *password,
                                const char *code, bool *out_needs_code, cJSON **out_result)
{
    bool fresh = strcmp(method, "account.register") == 0;
    cJSON *error = NULL;
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "name", cli->args[0]);
    jw_key_str(&params, "password", password);
    if (fresh && cli->opt.bot) { jw_key_bool(&params, "bot", true); }
    if (!fresh && code != NULL) { jw_key_str(&params, "code", code); }
    if (fresh && cli->opt.email != NULL) { jw_key_str(&params, "email", cli->opt.email); }
    jw_object_end(&params);
    conn_call_wait(cli->conn, method, buf_str(&params), out_result, &error);
    buf_finish(&params);
    *out_needs_code = code == NULL && isatty(STDIN_FILENO) &&
                      strcmp(cli_text_of(json_get(error, "data"), "reason", ""), "code") == 0;
    if (*out_needs_code) {
        cJSON_Delete(error);
        return REFUSED;
    }
    return cli_judge(cli, *out_result, error);
}

static enum status sign_in(struct cli *cli, const char *method)
{
    cli->opt.account = NULL; /* it is the argument that names the account here */
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    const char *name = cli->args[0];
    bool fresh = strcmp(method, "account.register") == 0;
    char password[260];
    char again[260];
    if (!cli_password(cli, "cli.password", password, sizeof password)) { return REFUSED; }
    bool asked = cli->opt.password_file == NULL && getenv("VEDETTE_PASSWORD") == NULL;
    if (fresh && asked) {
        if (!cli_password(cli, "cli.password_again", again, sizeof again)) { return REFUSED; }
        if (strcmp(password, again) != 0) {
            cli_say("cli.passwords_differ");
            return REFUSED;
        }
    }
    conn_set_token(cli->conn, NULL);
    cJSON *result = NULL;
    bool needs_code = false;
    status = send_sign_in(cli, method, password, cli->opt.code, &needs_code, &result);
    if (needs_code) {
        char code[64];
        if (!cli_ask_secret("cli.code", code, sizeof code)) { return REFUSED; }
        status = send_sign_in(cli, method, password, code, &needs_code, &result);
    }
    const char *token = cli_text_of(result, "token", NULL);
    if (status == DONE && token != NULL) {
        creds_set(cli->creds, name, token);
        if (!creds_save(cli->creds)) {
            cli_say_with("cli.wrong.token", "why", strerror(errno));
            status = REFUSED;
        }
    }
    if (status == DONE && token != NULL) {
        conn_set_token(cli->conn, token);
        stock_fill_wait(cli->conn, &cli->keep, &cli->loop);
    }
    if (status == DONE && cli->opt.json) {
        cJSON_DeleteItemFromObjectCaseSensitive(result, "token");
        cli_print_json(result);
    } else if (status == DONE) {
        print_said("cli.said.signed_in", "name", name, "host", cli->url.host);
    }
    cJSON_Delete(result);
    return status;
}

static enum status run_register(struct cli *cli)
{
    return sign_in(cli, "account.register");
}

static enum status run_login(struct cli *cli)
{
    return sign_in(cli, "account.login");
}

static enum status run_logout(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    if (cli->account == NULL || creds_token(cli->creds, cli->account) == NULL) {
        cli_say_with("cli.nobody_signed_in", "host", cli->url.host);
        return REFUSED;
    }
    char name[128];
    snprintf(name, sizeof name, "%s", cli->account);
    status = cli_do(cli, "account.logout", cli->opt.all ? "{\"all\":true}" : "{}",
                    words_text("cli.said.signed_out"));
    if (status != UNREACHABLE) { /* a token that the server no longer knows is of no use either */
        creds_forget(cli->creds, name);
        if (!creds_save(cli->creds)) { status = REFUSED; }
    }
    return status;
}

/* ---- games ---- */

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
    cli_print_text(stdout, buf_str(&line));
    putchar('\n');
    cJSON_free(fallback);
    buf_finish(&choices);
    buf_finish(&line);
}

static enum status run_games(struct cli *cli)
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
        printf("%s: ", name);
        cli_print_text(stdout,
                       said_or(id, cli_text_of(about, "summary", cli_text_of(about, "title", ""))));
        putchar('\n');
        const cJSON *option = NULL;
        cJSON_ArrayForEach(option, json_get(about, "options"))
        {
            print_option(name, option);
        }
    }
    cJSON_Delete(result);
    return DONE;
}

/* ---- matches ---- */

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
        printf("%s%s ", comma, code);
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
    printf("%s  %-9s %-9s ", cli_text_of(match, "match", cli_text_of(match, "id", "?")),
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

static enum status run_matches(struct cli *cli)
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
        print_said("cli.no_match", "filter", filter, "", "");
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
        fprintf(stderr, "vedette: %s\n", buf_str(&text));
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

static enum status run_new(struct cli *cli)
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

static enum status run_join(struct cli *cli)
{
    return take_seat(cli, "match.join", cli->opt.seat, cli->opt.code,
                     words_text("cli.said.joined"));
}

static enum status run_leave(struct cli *cli)
{
    return cli_change_match(cli, "match.leave", NULL, NULL, NULL, NULL,
                            words_text("cli.said.left"));
}

static enum status run_seat_bot(struct cli *cli)
{
    return cli_change_match(cli, "match.bot", "seat", cli->opt.seat, "level", cli->opt.policy,
                            words_text("cli.said.bot_seated"));
}

static enum status run_start(struct cli *cli)
{
    return take_seat(cli, "match.start", NULL, NULL, words_text("cli.said.started"));
}

static enum status run_resign(struct cli *cli)
{
    return cli_change_match(cli, "match.resign", NULL, NULL, NULL, NULL,
                            words_text("cli.said.resigned"));
}

char *cli_join_args(const struct cli *cli, int from)
{
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    for (int i = from; i < cli->nargs; i++) {
        if (i > from) { buf_append_char(&text, ' '); }
        buf_append_str(&text, cli->args[i]);
    }
    buf_append_str(&text, "");
    size_t n = 0;
    char *out = buf_take(&text, &n);
    return out == NULL ? strdup("") : out;
}

/* ---- views and actions ---- */

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

/* The view as --as says, as the account's own seat otherwise. */
static enum status get_view(struct cli *cli, cJSON **out_view)
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
        fputs(buf_str(&text), stdout);
        buf_finish(&text);
    } else {
        char *text = cJSON_Print(view);
        puts(text == NULL ? "" : text);
        cJSON_free(text);
    }
    face_destroy(face);
}

static enum status run_show(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cJSON *view = NULL;
    status = get_view(cli, &view);
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

/* Turns the words of the command line into an action: JSON as it is, an order as it is typed in
 * play. */
static bool read_action(struct cli *cli, const cJSON *view, const char *text,
                        struct buf *out_action)
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
    if (!ok) { fprintf(stderr, "vedette: %s\n", buf_str(&why)); }
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
    fputs(buf_str(&text), stdout);
    buf_finish(&text);
}

/* An act whose seat has not opened its nonce is sent again once it has: the step that it is for is
 * another then. */
static enum status send_act(struct cli *cli, const char *method, const cJSON *view,
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
        enum status status = get_view(cli, &again);
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
    status = get_view(cli, &view);
    if (status != DONE) { goto out; }
    if (order != NULL && !read_action(cli, view, order, &action)) {
        status = WRONG_USAGE;
        goto out;
    }
    status = send_act(cli, method, view, order == NULL ? NULL : buf_str(&action), &result);
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

static enum status run_act(struct cli *cli)
{
    char *order = cli_join_args(cli, 1);
    enum status status = act(cli, "match.act", order);
    free(order);
    return status;
}

/* ---- questions ---- */

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
        fputs(buf_str(&text), stdout);
        buf_finish(&text);
    }
    cJSON_Delete(asked);
    cJSON_Delete(result);
    return status;
}

static enum status run_ask(struct cli *cli)
{
    cJSON *view = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    cli_take_language(cli);
    status = get_view(cli, &view);
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
        fprintf(stderr, "vedette: %s\n", buf_str(&why));
        status = WRONG_USAGE;
    }
    free(text);
    buf_finish(&question);
    buf_finish(&why);
    face_destroy(face);
    cJSON_Delete(view);
    return status;
}

/* ---- drafts ---- */

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
    enum status status = get_view(cli, &view);
    if (status != DONE) { return status; }
    char *order = cli_join_args(cli, 1);
    buf_init(&actions, CLI_TEXT_MAX);
    buf_init(&one, CLI_TEXT_MAX);
    if (read_action(cli, view, order, &one)) {
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
    enum status status = get_view(cli, &view);
    if (status == DONE) {
        status = send_act(cli, "match.act", view,
                          words_int((long)json_int(json_get(draft, "version"), 0)), &result);
    }
    if (status == DONE) { cli_print_events(cli, result, view); }
    cJSON_Delete(view);
    cJSON_Delete(result);
    return status;
}

static enum status run_draft(struct cli *cli)
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

static enum status run_undo(struct cli *cli)
{
    return act(cli, "match.undo", NULL);
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
        printf("%5d  %s\n", cJSON_IsNumber(seq) ? seq->valueint : 0, at);
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

static enum status run_history(struct cli *cli)
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

const struct command cli_commands[] = {
    {"register", "NAME", "e4", 1, 1, run_register},
    {"login", "NAME", "c", 1, 1, run_login},
    {"logout", "", "a", 0, 0, run_logout},
    {"account", "[NAME=VALUE...]", "", 0, 16, cli_account},
    {"password", "", "c", 0, 0, cli_change_password},
    {"confirm", "[TOKEN]", "", 0, 1, cli_confirm},
    {"reset", "NAME [TOKEN]", "c", 1, 2, cli_reset},
    {"totp", "[on|CODE|codes|off]", "c", 0, 1, cli_second_factor},
    {"tokens", "", "", 0, 0, cli_tokens},
    {"token", "LABEL [SCOPE]", "", 1, 2, cli_token},
    {"revoke", "TOKEN-ID", "", 1, 1, cli_revoke},
    {"block", "NAME [on|off]", "", 1, 2, cli_block},
    {"audit", "", "l", 0, 0, cli_audit},
    {"export", "", "2", 0, 0, cli_export},
    {"delete-account", "NAME", "c", 1, 1, cli_delete_account},
    {"notices", "[MATCH] [NAME=VALUE...]", "", 0, 32, cli_notices},
    {"games", "[GAME]", "", 0, 1, run_games},
    {"matches", "", "flG", 0, 0, run_matches},
    {"new", "GAME", "sxtonwkqdz7", 1, 1, run_new},
    {"join", "MATCH", "sc8", 1, 1, run_join},
    {"seat-bot", "MATCH", "sy", 1, 1, run_seat_bot},
    {"leave", "MATCH", "", 1, 1, run_leave},
    {"start", "MATCH", "", 1, 1, run_start},
    {"show", "MATCH", "v", 1, 1, run_show},
    {"play", "MATCH", "vp", 1, 1, cli_play},
    {"act", "MATCH ORDER...", "", 2, 4096, run_act},
    {"draft", "MATCH [ORDER...|clear|commit]", "", 1, 4096, run_draft},
    {"ask", "MATCH QUESTION...", "v", 2, 4096, run_ask},
    {"undo", "MATCH", "", 1, 1, run_undo},
    {"orders", "MATCH [add ORDER...|drop N|set FILE|clear]", "v", 1, 4096, cli_orders},
    {"clock", "MATCH", "", 1, 1, cli_clock},
    {"claim", "MATCH WHAT [SEAT]", "", 2, 3, cli_claim},
    {"say", "MATCH TEXT...", "9", 2, 4096, cli_say_in},
    {"talk", "MATCH [CHANNEL]", "l", 1, 2, cli_talk},
    {"watch", "MATCH", "v", 1, 1, cli_watch},
    {"history", "MATCH", "vbl", 1, 1, run_history},
    {"record", "MATCH|show FILE", "2vb", 1, 2, cli_record},
    {"verify", "RECORD...", "3", 1, 65536, cli_verify},
    {"offer", "MATCH [WHAT [STEP|SEAT SPAN]]", "", 1, 4, cli_offer},
    {"answer", "MATCH OFFER yes|no", "", 3, 3, cli_answer},
    {"lend", "MATCH NAME SPAN", "s", 3, 3, cli_lend},
    {"recall", "MATCH", "s", 1, 1, cli_recall},
    {"vacate", "MATCH [off]", "s", 1, 2, cli_vacate},
    {"substitute", "MATCH SEAT", "", 2, 2, cli_substitute},
    {"mute", "MATCH NAME [on|off]", "", 2, 3, cli_mute},
    {"kick", "MATCH NAME [on|off]", "", 2, 3, cli_kick},
    {"report", "MATCH NAME TEXT...", "", 3, 4096, cli_report},
    {"resign", "MATCH", "", 1, 1, run_resign},
    {"bot", "", "ymg5sGr16", 0, 0, cli_bot},
    {"completion", "bash|zsh|fish", "", 1, 1, cli_completion},
    {NULL, NULL, NULL, 0, 0, NULL},
};
