/* client-cli/commands/sign_in.c: registering, signing in and out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client-cli/commands/commands.h"
#include "client-cli/net/witness.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

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
        cli_print_said("cli.said.signed_in", "name", name, "host", cli->url.host);
    }
    cJSON_Delete(result);
    return status;
}

enum status cli_register(struct cli *cli)
{
    return sign_in(cli, "account.register");
}

enum status cli_login(struct cli *cli)
{
    return sign_in(cli, "account.login");
}

enum status cli_logout(struct cli *cli)
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
