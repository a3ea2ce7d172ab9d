#include "client-cli/cli.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "client-cli/face/canvas.h"
#include "client-cli/text.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

static enum status log_in(struct cli *cli, const char *name);

enum status cli_open(struct cli *cli, const struct conn_events *events)
{
    const char *server = cli->opt.server;
    if (server == NULL) { server = getenv("VEDETTE_SERVER"); }
    if (server == NULL || server[0] == '\0') { server = "http://localhost:1815"; }
    if (!url_parse(server, &cli->url)) {
        cli_say_with("cli.wrong.address", "text", server);
        return WRONG_USAGE;
    }
    const char *why = NULL;
    cli->creds = creds_load(&cli->url, &why);
    if (cli->creds == NULL) {
        cli_say(why);
        return REFUSED;
    }
    if (!keep_open(&cli->url, &cli->keep)) {
        cli_say("cli.wrong.keep_path");
        return REFUSED;
    }
    cli->account = creds_name(cli->creds, cli->opt.account);
    uv_loop_init(&cli->loop);
    cli->loop_open = true;
    cli->conn = conn_create(&cli->loop, &cli->url, cli->opt.insecure, events);
    if (cli->conn == NULL) {
        fprintf(stderr,
                "vedette: libwebsockets cannot use libuv (is libwebsockets-evlib-uv installed?)\n");
        return UNREACHABLE;
    }
    const char *token = getenv("VEDETTE_TOKEN");
    if (token == NULL || token[0] == '\0') { token = creds_token(cli->creds, cli->account); }
    conn_set_token(cli->conn, token);
    bool password = getenv("VEDETTE_PASSWORD") != NULL || cli->opt.password_file != NULL;
    if (token == NULL && cli->opt.account != NULL && password) {
        return log_in(cli, cli->opt.account);
    }
    return DONE;
}

void cli_close(struct cli *cli)
{
    conn_destroy(cli->conn);
    cli->conn = NULL;
    creds_destroy(cli->creds);
    cli->creds = NULL;
    if (cli->loop_open) {
        for (int i = 0; i < 8 && uv_loop_close(&cli->loop) != 0; i++) {
            uv_run(&cli->loop, UV_RUN_NOWAIT);
        }
        cli->loop_open = false;
    }
}

/* An account that is named, has no token here, but whose password is at hand: signed in on the way.
 */
static enum status log_in(struct cli *cli, const char *name)
{
    char password[260];
    if (!cli_password(cli, NULL, password, sizeof password)) { return REFUSED; }
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "name", name);
    jw_key_str(&params, "password", password);
    jw_object_end(&params);
    cJSON *result = NULL;
    enum status status = cli_call(cli, "account.login", buf_str(&params), &result);
    buf_finish(&params);
    const cJSON *token = json_get(result, "token");
    if (status == DONE && cJSON_IsString(token)) {
        conn_set_token(cli->conn, token->valuestring);
        creds_set(cli->creds, name, token->valuestring);
        if (!creds_save(cli->creds)) { cli_say_with("cli.wrong.token", "why", strerror(errno)); }
    }
    cJSON_Delete(result);
    return status;
}

static void print_clean(FILE *to, const char *text, bool lines)
{
    while (*text != '\0') {
        size_t n = lines && *text == '\n' ? 0 : text_control(text);
        fputc(n == 0 ? *text : ' ', to);
        text += n == 0 ? 1 : n;
    }
}

void cli_print_text(FILE *to, const char *text)
{
    print_clean(to, text, false);
}

/* How many cells a row of standard output has, 0: it is no terminal, or does not say. */
static int row_cells(void)
{
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void cli_print_folded(int indent, const char *text)
{
    enum { LEAST = 20 };
    int room = row_cells() - indent;
    if (room > CANVAS_W_MAX) { room = CANVAS_W_MAX; }
    do {
        char row[4 * CANVAS_W_MAX + 1];
        size_t n = room < LEAST ? sizeof row : canvas_row_bytes(text, room);
        if (n == 0 || n >= sizeof row) { break; }
        snprintf(row, sizeof row, "%.*s", (int)n, text);
        cli_print_text(stdout, row);
        text += n;
        text += strspn(text, " ");
        if (*text != '\0') { printf("\n%*s", indent, ""); }
    } while (*text != '\0');
    cli_print_text(stdout, text);
    putchar('\n');
}

void cli_print_lines(const char *text)
{
    if (row_cells() == 0) {
        print_clean(stdout, text, true);
        return;
    }
    for (const char *end = strchr(text, '\n'); end != NULL;
         text = end + 1, end = strchr(text, '\n')) {
        size_t blanks = strspn(text, " ");
        struct buf line;
        buf_init(&line, (size_t)(end - text) + 16);
        buf_append(&line, text + blanks, (size_t)(end - text) - blanks);
        printf("%*s", (int)blanks, "");
        cli_print_folded((int)blanks, buf_str(&line));
        buf_finish(&line);
    }
    print_clean(stdout, text, true);
}

void cli_complain(const char *text)
{
    fputs("vedette: ", stderr);
    print_clean(stderr, text, false);
    fputc('\n', stderr);
}

/* What JSON may hold as it is and a terminal would obey is written as JSON writes such, too. */
static void print_json(FILE *to, const char *json)
{
    for (const char *at = json; *at != '\0';) {
        const unsigned char *c = (const unsigned char *)at;
        size_t n = text_control(at);
        if (n == 0) {
            fputc(*at++, to);
            continue;
        }
        unsigned code = n == 1   ? c[0]
                        : n == 2 ? (c[0] & 0x1fU) << 6 | (c[1] & 0x3fU)
                                 : (c[0] & 0x0fU) << 12 | (c[1] & 0x3fU) << 6 | (c[2] & 0x3fU);
        fprintf(to, "\\u%04x", code);
        at += n;
    }
    fputc('\n', to);
}

void cli_print_json_text(const char *json)
{
    print_json(stdout, json);
    fflush(stdout);
}

void cli_print_json(const cJSON *json)
{
    char *text = cJSON_PrintUnformatted(json);
    cli_print_json_text(text == NULL ? "{}" : text);
    cJSON_free(text);
}

void cli_show_error(const struct cli *cli, const cJSON *error)
{
    if (cli->opt.json) {
        char *json = cJSON_PrintUnformatted(error);
        print_json(stderr, json == NULL ? "{}" : json);
        cJSON_free(json);
        return;
    }
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    words_refusal(&text, error, cli->game);
    cli_complain(buf_str(&text));
    buf_finish(&text);
}

void cli_say_unreachable(const struct cli *cli)
{
    struct buf text;
    buf_init(&text, 1024);
    words_say(&text, "cli.no_connection", "host", cli->url.host, "port", words_int(cli->url.port),
              "why", conn_why(cli->conn), NULL);
    cli_complain(buf_str(&text));
    buf_finish(&text);
}

void cli_say_with(const char *id, const char *name, const char *value)
{
    struct buf text;
    buf_init(&text, 4096);
    words_say(&text, id, name, value, NULL);
    cli_complain(buf_str(&text));
    buf_finish(&text);
}

void cli_say(const char *id)
{
    const char *text = words_text(id);
    cli_complain(text == NULL ? id : text);
}

enum status cli_call(struct cli *cli, const char *method, const char *params, cJSON **out_result)
{
    cJSON *error = NULL;
    conn_call_wait(cli->conn, method, params, out_result, &error);
    return cli_judge(cli, *out_result, error);
}

enum status cli_judge(struct cli *cli, const cJSON *result, cJSON *take_error)
{
    if (take_error != NULL) {
        cli_show_error(cli, take_error);
        cJSON_Delete(take_error);
        return REFUSED;
    }
    if (result == NULL) {
        cli_say_unreachable(cli);
        return UNREACHABLE;
    }
    return DONE;
}

enum status cli_do(struct cli *cli, const char *method, const char *params, const char *said)
{
    cJSON *result = NULL;
    enum status status = cli_call(cli, method, params, &result);
    if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE && said != NULL) {
        puts(said);
    }
    cJSON_Delete(result);
    return status;
}

void cli_take_language(struct cli *cli)
{
    const char *locale = setlocale(LC_CTYPE, NULL);
    bool plain = locale == NULL || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
    if (cli->opt.language != NULL || cli->language_known || cli->account == NULL || plain) {
        return;
    }
    cJSON *result = NULL, *error = NULL;
    conn_call_wait(cli->conn, "account.get", "{}", &result, &error);
    const cJSON *language = json_get(result, "language");
    if (cJSON_IsString(language)) { (void)words_set_language(language->valuestring); }
    cJSON_Delete(result);
    cJSON_Delete(error);
}

/* The first line of file. */
static bool password_of_file(const char *path, char *out, size_t bytes)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        fprintf(stderr, "vedette: %s: %s\n", path, strerror(errno));
        return false;
    }
    bool ok = fgets(out, (int)bytes, file) != NULL;
    fclose(file);
    if (!ok) { cli_say_with("cli.wrong.empty", "text", path); }
    return ok;
}

static bool password_of_terminal(const char *prompt, char *out, size_t bytes)
{
    FILE *tty = fopen("/dev/tty", "r+e");
    if (tty == NULL) {
        cli_say("cli.wrong.no_terminal");
        return false;
    }
    struct termios old, quiet;
    bool has_terminal = tcgetattr(fileno(tty), &old) == 0;
    if (has_terminal) {
        quiet = old;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(fileno(tty), TCSAFLUSH, &quiet);
    }
    fprintf(tty, "%s ", words_text(prompt));
    fflush(tty);
    bool ok = fgets(out, (int)bytes, tty) != NULL;
    if (has_terminal) { tcsetattr(fileno(tty), TCSAFLUSH, &old); }
    fputc('\n', tty);
    fclose(tty);
    return ok;
}

bool cli_password(const struct cli *cli, const char *prompt, char *out, size_t bytes)
{
    bool ok = false;
    const char *given = getenv("VEDETTE_PASSWORD");
    if (cli->opt.password_file != NULL) {
        ok = password_of_file(cli->opt.password_file, out, bytes);
    } else if (given != NULL) {
        ok = (size_t)snprintf(out, bytes, "%s", given) < bytes;
        if (!ok) { cli_say("cli.wrong.long_password"); }
    } else {
        ok = password_of_terminal(prompt == NULL ? "cli.password" : prompt, out, bytes);
    }
    if (ok) { out[strcspn(out, "\r\n")] = '\0'; }
    return ok;
}

bool cli_ask_secret(const char *prompt, char *out, size_t bytes)
{
    bool ok = password_of_terminal(prompt, out, bytes);
    if (ok) { out[strcspn(out, "\r\n")] = '\0'; }
    return ok;
}
