/* server/net/m_notices.c: what a player asks of the courier: handed on, it checks the params. */
#include "server/match/courier.h"
#include "server/net/methods.h"

static void on_done(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    if (err == ERR_OK) {
        call_reply(ctx, json, n);
    } else {
        call_fail(ctx, err, why);
    }
}

static enum err pass(struct call *call, courier_method_fn *method)
{
    if (call->net->courier == NULL) { return ERR_CLOSING; }
    const struct match_call what = {.account = call->session.account, .done = on_done, .ctx = call};
    method(call->net->courier, &what, call->params);
    return ERR_OK;
}

enum err rpc_account_deliveries(struct call *call)
{
    return pass(call, courier_deliveries);
}

enum err rpc_account_notify_test(struct call *call)
{
    return pass(call, courier_test);
}

enum err rpc_account_calendar(struct call *call)
{
    return pass(call, courier_calendar);
}

enum err rpc_match_notices(struct call *call)
{
    return pass(call, courier_match_notices);
}
