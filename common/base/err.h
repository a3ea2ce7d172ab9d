/* common/base/err.h: every way a call can fail, with the code and the stable name it has on the
 * wire. */
#ifndef VEDETTE_COMMON_BASE_ERR_H
#define VEDETTE_COMMON_BASE_ERR_H

/* X(name, JSON-RPC code, kind on the wire): PROTOCOL section 2. */
#define ERR_TABLE(X)                                                                               \
    X(OK, 0, "ok")                                                                                 \
    X(PARSE, -32700, "parse")                                                                      \
    X(INVALID_REQUEST, -32600, "invalid_request")                                                  \
    X(UNKNOWN_METHOD, -32601, "unknown_method")                                                    \
    X(INVALID_PARAMS, -32602, "invalid_params")                                                    \
    X(INTERNAL, -32603, "internal")                                                                \
    X(NOT_SIGNED_IN, 1, "not_signed_in")                                                           \
    X(FORBIDDEN, 2, "forbidden")                                                                   \
    X(NOT_FOUND, 3, "not_found")                                                                   \
    X(CONFLICT, 4, "conflict")                                                                     \
    X(STALE_STATE, 5, "stale_state")                                                               \
    X(ILLEGAL_ACTION, 6, "illegal_action")                                                         \
    X(NOT_YOUR_TURN, 7, "not_your_turn")                                                           \
    X(RATE_LIMITED, 8, "rate_limited")                                                             \
    X(TOO_LARGE, 9, "too_large")                                                                   \
    X(STORAGE_FAILED, 10, "storage_failed")                                                        \
    X(MATCH_OVER, 11, "match_over")                                                                \
    X(BAD_CREDENTIALS, 12, "bad_credentials")                                                      \
    X(CLOSING, 13, "closing")

#define X(name, code, kind) ERR_##name,
enum err { ERR_TABLE(X) ERR_COUNT };
#undef X

#define VD_CHECKED __attribute__((warn_unused_result))

/* The JSON-RPC error code of err (0 for ERR_OK). */
int err_code(enum err err);
/* The stable name of err on the wire, a static string. */
const char *err_kind(enum err err);
/* A plain English sentence for err, a static string: the fallback where nothing better is known. */
const char *err_message(enum err err);

#endif
