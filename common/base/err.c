/* common/base/err.c: names, codes and fallback sentences of all errors. */
#include "common/base/err.h"

#include <assert.h>

#define X(name, code, kind) {code, kind},
static const struct {
    int code;
    const char *kind;
} errs[ERR_COUNT] = {ERR_TABLE(X)};
#undef X

static const char *const messages[ERR_COUNT] = {
    [ERR_OK] = "Done.",
    [ERR_PARSE] = "The message is not valid JSON.",
    [ERR_INVALID_REQUEST] = "The message is not a JSON-RPC 2.0 request.",
    [ERR_UNKNOWN_METHOD] = "There is no such method.",
    [ERR_INVALID_PARAMS] = "The parameters are not valid.",
    [ERR_INTERNAL] = "The server met a fault of its own; nothing was changed.",
    [ERR_NOT_SIGNED_IN] = "This needs an account: sign in first.",
    [ERR_FORBIDDEN] = "This account may not do that.",
    [ERR_NOT_FOUND] = "There is no such thing, or none that this account may know of.",
    [ERR_CONFLICT] = "This does not fit what is already there.",
    [ERR_STALE_STATE] = "The match has moved on since that seq.",
    [ERR_ILLEGAL_ACTION] = "The rules forbid that action.",
    [ERR_NOT_YOUR_TURN] = "This seat has no action now.",
    [ERR_RATE_LIMITED] = "Too many requests: wait a little.",
    [ERR_TOO_LARGE] = "That is over a limit of size or count.",
    [ERR_STORAGE_FAILED] = "The store failed; nothing happened, try again.",
    [ERR_MATCH_OVER] = "The match has ended.",
    [ERR_BAD_CREDENTIALS] = "Name or password is wrong.",
    [ERR_CLOSING] = "The server is about to restart; come back in a moment.",
};

int err_code(enum err err)
{
    assert(err < ERR_COUNT);
    return errs[err].code;
}

const char *err_kind(enum err err)
{
    assert(err < ERR_COUNT);
    return errs[err].kind;
}

const char *err_message(enum err err)
{
    assert(err < ERR_COUNT);
    return messages[err];
}
