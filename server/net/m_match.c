/* server/net/m_match.c: match.*: handed to the live matches and to the lobby, which check the
 * params. */
#include "server/lobby/matches.h"
#include "server/match/look.h"
#include "server/match/match.h"
#include "server/net/methods.h"

static void on_done(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    if (err == ERR_OK) {
        call_reply(ctx, json, n);
    } else {
        call_fail(ctx, err, why);
    }
}

static enum err pass_match(struct call *call, match_method_fn *method)
{
    struct sink *sink = call->sink;
    struct match_call what = {.account = call->session.account, .done = on_done, .ctx = call};
    if (sink->conn != NULL) { what.client = &sink->conn->client; }
    if (sink->post != NULL) { what.client = &sink->post->client; }
    method(call->net->parts.matches, &what, call->params);
    return ERR_OK;
}

/* What only looks, and may be shown the whole of a match to a referee who gives a reason. */
static enum err pass_look(struct call *call, match_method_fn *method)
{
    cJSON *reason = cJSON_DetachItemFromObjectCaseSensitive(call->params, "reason");
    if (reason == NULL) { return pass_match(call, method); }
    struct sink *sink = call->sink;
    struct match_call what = {.account = call->session.account, .done = on_done, .ctx = call};
    if (sink->conn != NULL) { what.client = &sink->conn->client; }
    if (sink->post != NULL) { what.client = &sink->post->client; }
    enum err err = ERR_OK;
    if (!cJSON_IsString(reason)) {
        err = why_member(&call->why, "reason", "A reason is a text.");
    } else if (account_is_nobody(&what.account)) {
        err = ERR_NOT_SIGNED_IN;
    } else if (call->session.scope != SCOPE_FULL) {
        err = ERR_FORBIDDEN; /* a person looks, not a script of his */
    } else {
        match_look(call->net->parts.matches, &what, call->params, reason->valuestring, method);
    }
    cJSON_Delete(reason);
    return err;
}

static enum err pass_lobby(struct call *call, lobby_method_fn *method)
{
    const struct lobby_call what = {
        .account = call->session.account, .params = call->params, .done = on_done, .ctx = call};
    method(call->net->parts.lobby, &what);
    return ERR_OK;
}

/* Pushes exist on a WebSocket alone. */
enum err rpc_match_watch(struct call *call)
{
    if (call_conn(call) == NULL) {
        return why_text(&call->why, ERR_FORBIDDEN, "Watching needs a WebSocket: use match.wait.");
    }
    return pass_look(call, match_watch);
}

/* match.resign answers with the summary, as it is after the line. */
static void on_resigned(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct call *call = ctx;
    if (err != ERR_OK) {
        call_fail(call, err, why);
        return;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(call->params, "action_id");
    cJSON_DeleteItemFromObjectCaseSensitive(call->params, "as");
    (void)pass_lobby(call, lobby_get);
}

enum err rpc_match_resign(struct call *call)
{
    const struct match_call what = {
        .account = call->session.account, .done = on_resigned, .ctx = call};
    match_resign(call->net->parts.matches, &what, call->params);
    return ERR_OK;
}

#define TO_MATCH(name)                                                                             \
    enum err rpc_match_##name(struct call *call)                                                   \
    {                                                                                              \
        return pass_match(call, match_##name);                                                     \
    }
#define TO_LOOK(name)                                                                              \
    enum err rpc_match_##name(struct call *call)                                                   \
    {                                                                                              \
        return pass_look(call, match_##name);                                                      \
    }
#define TO_LOBBY(name)                                                                             \
    enum err rpc_match_##name(struct call *call)                                                   \
    {                                                                                              \
        return pass_lobby(call, lobby_##name);                                                     \
    }
TO_MATCH(unwatch)
TO_LOOK(view)
TO_LOOK(wait)
TO_MATCH(act)
TO_MATCH(try)
TO_MATCH(plan)
TO_LOOK(ask)
TO_MATCH(offer)
TO_MATCH(answer)
TO_MATCH(claim)
TO_MATCH(clock)
TO_MATCH(undo)
TO_MATCH(held)
TO_LOOK(history)
TO_MATCH(receipt)
TO_MATCH(record)
TO_LOOK(replay)
TO_MATCH(say)
TO_MATCH(seen)
TO_MATCH(standing)
TO_MATCH(nonce)
TO_MATCH(talk)
TO_MATCH(read)
TO_LOBBY(create)
TO_LOBBY(list)
TO_LOBBY(get)
TO_LOBBY(join)
TO_LOBBY(leave)
TO_LOBBY(start)
TO_LOBBY(rematch)
TO_LOBBY(bot)
TO_LOBBY(note)
TO_LOBBY(draft)
TO_LOBBY(substitute)
TO_LOBBY(lend)
TO_LOBBY(recall)
TO_LOBBY(kick)
TO_LOBBY(vacate)
TO_LOBBY(mute)
TO_LOBBY(report)
#undef TO_MATCH
#undef TO_LOOK
#undef TO_LOBBY
