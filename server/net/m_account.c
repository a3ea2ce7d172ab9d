/* server/net/m_account.c: account.*: limits on sign-in, and what a sign-in means for the
 * connection. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/lobby/names.h"
#include "server/net/methods.h"

/* What a failed sign-in is charged to. Each is charged before it is known to fail, and given back
 * if it does not: else any number could be tried while the first ones are still being hashed. */
enum charge { CHARGE_NAME_ADDRESS, CHARGE_ADDRESS, CHARGE_NAME, CHARGE_CODE, CHARGES };
struct sign_in {
    uint64_t keys[CHARGES];
    bool taken[CHARGES];
};

static void end(struct call *call, enum err err, const struct why *why, const char *json, size_t n)
{
    if (err == ERR_OK) {
        call_reply(call, json, n);
    } else {
        call_fail(call, err, why);
    }
}

static void on_done(void *ctx, enum err err, const struct why *why, const struct session *session,
                    const char *json, size_t n)
{
    end(ctx, err, why, json, n);
}

static const struct rate *rate_of(const struct net *net, enum charge charge)
{
    const struct net_limits *limits = &net->config.limits;
    const struct rate *const rates[CHARGES] = {[CHARGE_NAME_ADDRESS] = &limits->fail_name_address,
                                               [CHARGE_ADDRESS] = &limits->fail_address,
                                               [CHARGE_NAME] = &limits->fail_name,
                                               [CHARGE_CODE] = &limits->fail_code};
    return rates[charge];
}

static void give_back(struct call *call, enum charge charge)
{
    struct net *net = call->net;
    struct sign_in *sign_in = call->data;
    if (!sign_in->taken[charge]) { return; }
    sign_in->taken[charge] = false;
    bucket_give(rates_bucket(net->rates, sign_in->keys[charge]), rate_of(net, charge));
}

static void give_all_back(struct call *call)
{
    for (enum charge charge = 0; charge < CHARGES; charge++) {
        give_back(call, charge);
    }
}

/* A failed password is charged to the name, the address, and both together; where the password was
 * right, a code that was given counts, and that for the account. The rest is given back. */
static void settle(struct call *call, enum err err, const struct why *why)
{
    if (call->data == NULL) { return; }
    if (err != ERR_BAD_CREDENTIALS) {
        give_all_back(call);
    } else if (strcmp(why->reason, "code") == 0) {
        for (enum charge charge = 0; charge < CHARGE_CODE; charge++) {
            give_back(call, charge);
        }
    } else {
        give_back(call, CHARGE_CODE);
    }
}

/* Signs the connection in before it is answered, so that what follows finds it so. */
static void on_signed_in(void *ctx, enum err err, const struct why *why,
                         const struct session *session, const char *json, size_t n)
{
    struct call *call = ctx;
    struct conn *conn = call_conn(call);
    if (err == ERR_OK && conn != NULL && !conn->killing) { conn_sign_in(conn, session); }
    settle(call, err, why);
    end(call, err, why, json, n);
}

static void on_proved(void *ctx, enum err err, const struct why *why, const struct session *session,
                      const char *json, size_t n)
{
    settle(ctx, err, why);
    end(ctx, err, why, json, n);
}

/* The connection stays, signed out: only others that use the token are closed. */
static void on_logged_out(void *ctx, enum err err, const struct why *why,
                          const struct session *session, const char *json, size_t n)
{
    static const struct session nobody = {0};
    struct call *call = ctx;
    struct conn *conn = call_conn(call);
    if (err == ERR_OK && conn != NULL) { conn_sign_in(conn, &nobody); }
    end(call, err, why, json, n);
}

static enum err pass(struct call *call, accounts_method_fn *method, accounts_done_fn *done)
{
    struct accounts_call what = {
        .session = &call->session, .params = call->params, .done = done, .ctx = call};
    const struct conn *conn = call_conn(call);
    const struct post *post = call->sink->post;
    if (conn != NULL) {
        what.client = conn->client_name;
        memcpy(what.network, conn->network, sizeof what.network);
    } else if (post != NULL) {
        memcpy(what.network, post->network, sizeof what.network);
    }
    method(call->net->parts.accounts, &what);
    return ERR_OK;
}

/* A key for a name however it is written: whoever tries another case tries the same account. */
static uint64_t name_key(const struct net *net, char kind, const char *name)
{
    char shown[NAME_BYTES_MAX + 1], folded[NAME_KEY_BYTES_MAX];
    struct why unused;
    if (name_read(name, shown, sizeof shown, &unused) == ERR_OK &&
        name_fold(shown, folded) == ERR_OK) {
        return rates_key(net->rates, kind, folded, strlen(folded));
    }
    return rates_key(net->rates, kind, name, strlen(name));
}

/* Refuses while too many sign-ins failed, or are on their way. */
static enum err check_sign_in(struct call *call)
{
    struct net *net = call->net;
    const char *name = call->session.name;
    const cJSON *given = json_get(call->params, "name"), *token = json_get(call->params, "token");
    if (cJSON_IsString(given)) { name = given->valuestring; }
    if (name[0] == '\0' && cJSON_IsString(token)) { name = token->valuestring; }
    struct sign_in *sign_in = calloc(1, sizeof *sign_in);
    if (sign_in == NULL) { return ERR_INTERNAL; }
    call->data = sign_in;
    const uint64_t parts[2] = {call_address_key(call), name_key(net, 'n', name)};
    uint64_t *keys = sign_in->keys;
    keys[CHARGE_NAME_ADDRESS] = rates_key(net->rates, 'b', parts, sizeof parts);
    keys[CHARGE_ADDRESS] = rates_key(net->rates, 'f', &parts[0], sizeof parts[0]);
    keys[CHARGE_NAME] = parts[1];
    keys[CHARGE_CODE] = name_key(net, 'c', name);
    const bool has_code = json_get(call->params, "code") != NULL;
    const uint64_t now = net_now_us();
    for (enum charge charge = 0; charge < CHARGES; charge++) {
        if (charge == CHARGE_CODE && !has_code) { continue; }
        if (!bucket_take(rates_bucket(net->rates, keys[charge]), rate_of(net, charge), now,
                         &call->why.retry_after_ms)) {
            give_all_back(call);
            return why_text(&call->why, ERR_RATE_LIMITED,
                            "Too many sign-ins failed: wait a little.");
        }
        sign_in->taken[charge] = true;
    }
    return ERR_OK;
}

enum err rpc_account_register(struct call *call)
{
    struct net *net = call->net;
    uint64_t address = call_address_key(call);
    uint64_t key = rates_key(net->rates, 'r', &address, sizeof address);
    if (!bucket_take(rates_bucket(net->rates, key), &net->config.limits.register_address,
                     net_now_us(), &call->why.retry_after_ms)) {
        return why_text(&call->why, ERR_RATE_LIMITED, "Too many new accounts from this address.");
    }
    return pass(call, accounts_register, on_signed_in);
}

enum err rpc_account_login(struct call *call)
{
    enum err err = check_sign_in(call);
    return err != ERR_OK ? err : pass(call, accounts_login, on_signed_in);
}

enum err rpc_account_resume(struct call *call)
{
    return pass(call, accounts_resume, on_signed_in);
}

enum err rpc_account_logout(struct call *call)
{
    return pass(call, accounts_logout, on_logged_out);
}

enum err rpc_account_get(struct call *call)
{
    return pass(call, accounts_get, on_done);
}

/* Whoever looks at a match with this account learns whether it still shows that it is here. */
static void on_set(void *ctx, enum err err, const struct why *why, const struct session *session,
                   const char *json, size_t n)
{
    struct call *call = ctx;
    if (err == ERR_OK && json_get(call->params, "presence") != NULL) {
        net_tell_shown(call->net, &call->session.account);
    }
    /* When the player sleeps and is away is a matter of the clocks of his matches. */
    if (err == ERR_OK &&
        (json_get(call->params, "timezone") != NULL || json_get(call->params, "sleep") != NULL ||
         json_get(call->params, "vacation") != NULL)) {
        matches_calendar(call->net->parts.matches, &call->session.account);
    }
    on_proved(ctx, err, why, session, json, n);
}

/* Takes one of the mails that the name, and the caller's address, may ask for. */
static enum err take_mail(struct call *call, const char *name)
{
    struct net *net = call->net;
    const struct net_limits *limits = &net->config.limits;
    uint64_t address = call_address_key(call);
    const uint64_t by_name = name_key(net, 'm', name);
    const uint64_t by_address = rates_key(net->rates, 'M', &address, sizeof address);
    int64_t *wait = &call->why.retry_after_ms;
    if (bucket_take(rates_bucket(net->rates, by_address), &limits->mail_address, net_now_us(),
                    wait) &&
        bucket_take(rates_bucket(net->rates, by_name), &limits->mail_name, net_now_us(), wait)) {
        return ERR_OK;
    }
    return why_text(&call->why, ERR_RATE_LIMITED, "Too many mails were asked for: wait a little.");
}

enum err rpc_account_set(struct call *call)
{
    enum err err = ERR_OK;
    if (json_get(call->params, "email") != NULL) {
        err = take_mail(call, call->session.account.text);
    }
    if (err == ERR_OK && json_get(call->params, "password") != NULL) { err = check_sign_in(call); }
    return err != ERR_OK ? err : pass(call, accounts_set, on_set);
}

/* A token is 256 bits: no need to count who tries. */
enum err rpc_account_confirm(struct call *call)
{
    enum err err = ERR_OK;
    if (json_get(call->params, "token") == NULL && !account_is_nobody(&call->session.account)) {
        err = take_mail(call, call->session.account.text);
    }
    return err != ERR_OK ? err : pass(call, accounts_confirm, on_done);
}

enum err rpc_account_reset(struct call *call)
{
    const cJSON *name = json_get(call->params, "name"), *token = json_get(call->params, "token");
    enum err err = ERR_OK;
    if (cJSON_IsString(name)) { err = take_mail(call, name->valuestring); }
    if (err == ERR_OK && cJSON_IsString(token)) { err = check_sign_in(call); }
    return err != ERR_OK ? err : pass(call, accounts_reset, on_proved);
}

enum err rpc_account_password(struct call *call)
{
    enum err err = check_sign_in(call);
    return err != ERR_OK ? err : pass(call, accounts_password, on_proved);
}

enum err rpc_account_totp(struct call *call)
{
    enum err err = check_sign_in(call);
    return err != ERR_OK ? err : pass(call, accounts_totp, on_proved);
}

enum err rpc_account_audit(struct call *call)
{
    return pass(call, accounts_audit, on_done);
}

enum err rpc_account_tokens(struct call *call)
{
    return pass(call, accounts_tokens, on_done);
}

enum err rpc_account_revoke(struct call *call)
{
    return pass(call, accounts_revoke, on_done);
}

enum err rpc_account_token(struct call *call)
{
    return pass(call, accounts_token, on_done);
}

enum err rpc_account_nonces(struct call *call)
{
    return pass(call, accounts_nonces, on_done);
}

enum err rpc_account_profile(struct call *call)
{
    return pass(call, accounts_profile, on_done);
}

enum err rpc_account_bots(struct call *call)
{
    return pass(call, accounts_bots, on_done);
}

enum err rpc_account_block(struct call *call)
{
    return pass(call, accounts_block, on_done);
}

enum err rpc_account_export(struct call *call)
{
    return pass(call, accounts_export, on_done);
}

/* Checks a password: charged as a sign-in. */
enum err rpc_account_delete(struct call *call)
{
    enum err err = check_sign_in(call);
    return err != ERR_OK ? err : pass(call, accounts_delete, on_proved);
}
