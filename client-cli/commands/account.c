/* client-cli/commands/account.c: the commands about one's own account: settings, passwords, the
 * second factor, sign-ins, whom one does not want to hear of, what is stored, and the end of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client-cli/cli.h"
#include "client-cli/commands/commands.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

enum { SECRET_BYTES = 260 };

static const char *text_of(const cJSON *object, const char *name, const char *otherwise)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : otherwise;
}

/* A call that needs an account. DONE: out_result is the caller's. */
static enum status call(struct cli *cli, const char *method, struct buf *params, cJSON **out_result)
{
    jw_object_end(params);
    enum status status = cli_call(cli, method, buf_str(params), out_result);
    buf_finish(params);
    return status;
}

static enum status open_params(struct cli *cli, struct buf *params)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    buf_init(params, CLI_TEXT_MAX);
    jw_object_begin(params);
    return DONE;
}

/* The answer with --json, else a sentence. */
static enum status finish(struct cli *cli, const char *method, struct buf *params, const char *said)
{
    cJSON *result = NULL;
    enum status status = call(cli, method, params, &result);
    if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE) {
        puts(words_text(said));
    }
    cJSON_Delete(result);
    return status;
}

/* ---- settings ---- */

static bool is_yes(const char *value)
{
    return strcmp(value, "on") == 0 || strcmp(value, "yes") == 0 || strcmp(value, "true") == 0;
}

/* "22:00-07:00", or none. */
static bool write_sleep(struct buf *params, const char *value)
{
    char from[6] = "", to[6] = "", rest = '\0';
    bool none = strcmp(value, "none") == 0;
    if (!none && sscanf(value, "%5[0-9:]-%5[0-9:]%c", from, to, &rest) != 2) { return false; }
    jw_key_object(params, "sleep");
    if (!none) {
        jw_key_str(params, "from", from);
        jw_key_str(params, "to", to);
    }
    jw_object_end(params);
    return true;
}

/* "2026-07-01..2026-07-14,2026-12-24..2026-12-26", or none. */
static bool write_vacation(struct buf *params, const char *value)
{
    jw_key_array(params, "vacation");
    bool none = strcmp(value, "none") == 0;
    while (!none && *value != '\0') {
        char from[11] = "", to[11] = "";
        int n = 0;
        if (sscanf(value, "%10[0-9-]%n", from, &n) != 1) { return false; }
        value += n;
        snprintf(to, sizeof to, "%s", from);
        if (strncmp(value, "..", 2) == 0) {
            if (sscanf(value + 2, "%10[0-9-]%n", to, &n) != 1) { return false; }
            value += 2 + n;
        }
        if (*value != '\0' && *value++ != ',') { return false; }
        jw_object_begin(params);
        jw_key_str(params, "from", from);
        jw_key_str(params, "to", to);
        jw_object_end(params);
    }
    jw_array_end(params);
    return true;
}

static bool write_setting(struct buf *params, const char *name, const char *value)
{
    if (strcmp(name, "sleep") == 0) { return write_sleep(params, value); }
    if (strcmp(name, "vacation") == 0) { return write_vacation(params, value); }
    if (strcmp(name, "presence") == 0) {
        jw_key_bool(params, name, is_yes(value));
        return true;
    }
    bool known = strcmp(name, "email") == 0 || strcmp(name, "language") == 0 ||
                 strcmp(name, "timezone") == 0;
    if (known) { jw_key_str(params, name, strcmp(value, "none") == 0 ? "" : value); }
    return known;
}

static void print_row(const char *id, const char *value)
{
    const char *label = words_text(id);
    printf("%s: ", label == NULL ? id : label);
    cli_print_text(stdout, value);
    putchar('\n');
}

static void print_settings(const cJSON *account)
{
    char line[256];
    print_row("cli.account.name", text_of(account, "name", "?"));
    if (json_get(account, "email") != NULL) {
        bool sure = cJSON_IsTrue(json_get(account, "email_confirmed"));
        snprintf(line, sizeof line, "%s (%s)", text_of(account, "email", ""),
                 words_text(sure ? "cli.account.confirmed" : "cli.account.unconfirmed"));
        print_row("cli.account.email", line);
    }
    if (json_get(account, "email_new") != NULL) {
        snprintf(line, sizeof line, "%s (%s)", text_of(account, "email_new", ""),
                 words_text("cli.account.unconfirmed"));
        print_row("cli.account.email_new", line);
    }
    print_row("cli.account.language", text_of(account, "language", "-"));
    print_row("cli.account.timezone", text_of(account, "timezone", "UTC"));
    const cJSON *sleep = json_get(account, "sleep");
    if (json_get(sleep, "from") != NULL) {
        snprintf(line, sizeof line, "%s-%s", text_of(sleep, "from", ""), text_of(sleep, "to", ""));
        print_row("cli.account.sleep", line);
    }
    const cJSON *stay = NULL;
    cJSON_ArrayForEach(stay, json_get(account, "vacation"))
    {
        snprintf(line, sizeof line, "%s..%s", text_of(stay, "from", ""), text_of(stay, "to", ""));
        print_row("cli.account.vacation", line);
    }
    if (cJSON_IsTrue(json_get(account, "totp"))) {
        snprintf(line, sizeof line, "%d", (int)json_int(json_get(account, "recovery_left"), 0));
        print_row("cli.account.totp", line);
    }
    cJSON_ArrayForEach(stay, json_get(account, "blocked"))
    {
        if (cJSON_IsString(stay)) { print_row("cli.account.blocked", stay->valuestring); }
    }
}

/* Another address in place of a confirmed one takes the password. */
static enum status add_password(struct cli *cli, struct buf *params)
{
    char password[SECRET_BYTES];
    cJSON *account = NULL;
    enum status status = cli_call(cli, "account.get", "{}", &account);
    bool sure = cJSON_IsTrue(json_get(account, "email_confirmed"));
    cJSON_Delete(account);
    if (status != DONE || !sure) { return status; }
    if (!cli_password(cli, "cli.password", password, sizeof password)) { return REFUSED; }
    jw_key_str(params, "password", password);
    return DONE;
}

enum status cli_account(struct cli *cli)
{
    struct buf params;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    for (int i = 0; i < cli->nargs; i++) {
        const char *text = cli->args[i], *equals = strchr(text, '=');
        char name[32] = "";
        if (equals != NULL) { snprintf(name, sizeof name, "%.*s", (int)(equals - text), text); }
        if (equals == NULL || !write_setting(&params, name, equals + 1)) {
            cli_say_with("cli.wrong.setting", "text", text);
            buf_finish(&params);
            return WRONG_USAGE;
        }
        if (strcmp(name, "email") == 0) { status = add_password(cli, &params); }
        if (status != DONE) {
            buf_finish(&params);
            return status;
        }
    }
    cJSON *result = NULL;
    status = call(cli, cli->nargs > 0 ? "account.set" : "account.get", &params, &result);
    if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE) {
        cli_take_language(cli);
        print_settings(result);
    }
    cJSON_Delete(result);
    return status;
}

/* ---- passwords, addresses, the second factor ---- */

/* The new password: VEDETTE_NEW_PASSWORD, or asked for twice. */
static bool new_password(const struct cli *cli, char out[SECRET_BYTES])
{
    const char *given = getenv("VEDETTE_NEW_PASSWORD");
    if (given != NULL) {
        bool fits = snprintf(out, SECRET_BYTES, "%s", given) < SECRET_BYTES;
        if (!fits) { cli_say("cli.wrong.long_password"); }
        return fits;
    }
    char again[SECRET_BYTES];
    if (!cli_ask_secret("cli.password_new", out, SECRET_BYTES) ||
        !cli_ask_secret("cli.password_again", again, sizeof again)) {
        return false;
    }
    bool same = strcmp(out, again) == 0;
    if (!same) { cli_say("cli.passwords_differ"); }
    return same;
}

static void write_code(const struct cli *cli, struct buf *params)
{
    if (cli->opt.code != NULL) { jw_key_str(params, "code", cli->opt.code); }
}

enum status cli_change_password(struct cli *cli)
{
    char old[SECRET_BYTES], fresh[SECRET_BYTES];
    struct buf params;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    if (!cli_password(cli, "cli.password", old, sizeof old) || !new_password(cli, fresh)) {
        buf_finish(&params);
        return REFUSED;
    }
    jw_key_str(&params, "old", old);
    jw_key_str(&params, "password", fresh);
    write_code(cli, &params);
    return finish(cli, "account.password", &params, "cli.said.password");
}

enum status cli_confirm(struct cli *cli)
{
    struct buf params;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    if (cli->nargs > 0) { jw_key_str(&params, "token", cli->args[0]); }
    return finish(cli, "account.confirm", &params,
                  cli->nargs > 0 ? "cli.said.confirmed" : "cli.said.confirm_sent");
}

enum status cli_reset(struct cli *cli)
{
    char fresh[SECRET_BYTES];
    struct buf params;
    cli->opt.account = NULL;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    if (cli->nargs == 1) {
        jw_key_str(&params, "name", cli->args[0]);
        return finish(cli, "account.reset", &params, "cli.said.reset_sent");
    }
    if (!new_password(cli, fresh)) {
        buf_finish(&params);
        return REFUSED;
    }
    jw_key_str(&params, "token", cli->args[1]);
    jw_key_str(&params, "password", fresh);
    write_code(cli, &params);
    return finish(cli, "account.reset", &params, "cli.said.reset");
}

/* on, CODE, codes, off (PROTOCOL 3, account.totp). */
enum status cli_second_factor(struct cli *cli)
{
    const char *word = cli->nargs == 0 ? "on" : cli->args[0];
    const char *what = strcmp(word, "on") == 0      ? "begin"
                       : strcmp(word, "codes") == 0 ? "codes"
                       : strcmp(word, "off") == 0   ? "off"
                                                    : "confirm";
    char password[SECRET_BYTES];
    struct buf params;
    cJSON *result = NULL;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    jw_key_str(&params, "do", what);
    if (strcmp(what, "confirm") == 0) {
        jw_key_str(&params, "code", word);
    } else {
        if (!cli_password(cli, "cli.password", password, sizeof password)) {
            buf_finish(&params);
            return REFUSED;
        }
        jw_key_str(&params, "password", password);
        write_code(cli, &params);
    }
    status = call(cli, "account.totp", &params, &result);
    if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE) {
        const cJSON *code = NULL;
        if (what[0] == 'b') {
            puts(text_of(result, "secret", ""));
            puts(text_of(result, "uri", ""));
            puts(words_text("cli.said.totp_begun"));
        } else if (what[0] == 'o') {
            puts(words_text("cli.said.totp_off"));
        } else {
            puts(words_text("cli.said.totp_on"));
        }
        cJSON_ArrayForEach(code, json_get(result, "recovery"))
        {
            if (cJSON_IsString(code)) { puts(code->valuestring); }
        }
    }
    cJSON_Delete(result);
    return status;
}

/* ---- sign-ins, what happened ---- */

/* A time of the server in the machine's zone. */
static void print_time(const cJSON *ms)
{
    char text[48] = "-";
    struct tm tm;
    const time_t at = (time_t)(json_int(ms, 0) / 1000);
    if (at > 0 && localtime_r(&at, &tm) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M %Z", &tm);
    }
    fputs(text, stdout);
}

static void print_token(const cJSON *token)
{
    bool current = cJSON_IsTrue(json_get(token, "current"));
    printf("%s %s  %-8s  ", current ? "*" : " ", text_of(token, "token_id", "?"),
           text_of(token, "scope", ""));
    print_time(json_get(token, "created_at"));
    printf("  ");
    print_time(json_get(token, "used_at"));
    printf("  ");
    cli_print_text(stdout, text_of(token, "label", text_of(token, "client", "")));
    putchar('\n');
}

enum status cli_tokens(struct cli *cli)
{
    struct buf params;
    cJSON *result = NULL;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    status = call(cli, "account.tokens", &params, &result);
    const cJSON *token = NULL;
    if (status == DONE && !cli->opt.json) { puts(words_text("cli.tokens.head")); }
    cJSON_ArrayForEach(token, json_get(result, "tokens"))
    {
        if (cli->opt.json) {
            cli_print_json(token);
        } else {
            print_token(token);
        }
    }
    cJSON_Delete(result);
    return status;
}

enum status cli_token(struct cli *cli)
{
    struct buf params;
    cJSON *result = NULL;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    jw_key_str(&params, "label", cli->args[0]);
    jw_key_str(&params, "scope", cli->nargs > 1 ? cli->args[1] : "play");
    status = call(cli, "account.token", &params, &result);
    if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE) {
        puts(text_of(result, "token", ""));
    }
    cJSON_Delete(result);
    return status;
}

enum status cli_revoke(struct cli *cli)
{
    struct buf params;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    jw_key_str(&params, "token_id", cli->args[0]);
    return finish(cli, "account.revoke", &params, "cli.said.revoked");
}

enum status cli_block(struct cli *cli)
{
    struct buf params;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    bool on = cli->nargs < 2 || is_yes(cli->args[1]);
    jw_key_str(&params, "name", cli->args[0]);
    jw_key_bool(&params, "on", on);
    return finish(cli, "account.block", &params, on ? "cli.said.blocked" : "cli.said.unblocked");
}

enum status cli_audit(struct cli *cli)
{
    struct buf params;
    cJSON *result = NULL;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    if (cli->opt.limit > 0) { jw_key_int(&params, "limit", cli->opt.limit); }
    status = call(cli, "account.audit", &params, &result);
    const cJSON *entry = NULL;
    cJSON_ArrayForEach(entry, json_get(result, "entries"))
    {
        if (cli->opt.json) {
            cli_print_json(entry);
            continue;
        }
        char *detail = cJSON_PrintUnformatted(json_get(entry, "detail"));
        print_time(json_get(entry, "at"));
        printf("  %-16s  ", text_of(entry, "what", "?"));
        cli_print_text(stdout, text_of(entry, "by", ""));
        if (detail != NULL) {
            printf("  ");
            cli_print_text(stdout, detail);
        }
        putchar('\n');
        cJSON_free(detail);
    }
    cJSON_Delete(result);
    return status;
}

/* ---- what is stored, and the end ---- */

enum status cli_export(struct cli *cli)
{
    struct buf params;
    cJSON *result = NULL;
    const char *path = cli->opt.output;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    status = call(cli, "account.export", &params, &result);
    char *text = status == DONE ? cJSON_Print(result) : NULL;
    FILE *file = path == NULL || strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    if (text != NULL && file != NULL) { fprintf(file, "%s\n", text); }
    bool written = file != NULL && fflush(file) == 0 && ferror(file) == 0;
    if (status == DONE && !written) {
        fprintf(stderr, "vedette: %s: %s\n", path == NULL ? "-" : path, strerror(errno));
        status = REFUSED;
    }
    if (file != NULL && file != stdout) { fclose(file); }
    cJSON_free(text);
    cJSON_Delete(result);
    return status;
}

/* The name is typed once more: what goes does not come back. */
enum status cli_delete_account(struct cli *cli)
{
    char password[SECRET_BYTES], name[128];
    struct buf params;
    enum status status = open_params(cli, &params);
    if (status != DONE) { return status; }
    if (cli->account == NULL || strcmp(cli->account, cli->args[0]) != 0) {
        cli_say_with("cli.wrong.delete", "name", cli->account == NULL ? "-" : cli->account);
        buf_finish(&params);
        return WRONG_USAGE;
    }
    snprintf(name, sizeof name, "%s", cli->account);
    if (!cli_password(cli, "cli.password", password, sizeof password)) {
        buf_finish(&params);
        return REFUSED;
    }
    jw_key_str(&params, "password", password);
    write_code(cli, &params);
    status = finish(cli, "account.delete", &params, "cli.said.deleted");
    if (status == DONE) {
        creds_forget(cli->creds, name);
        if (!creds_save(cli->creds)) { status = REFUSED; }
    }
    return status;
}
