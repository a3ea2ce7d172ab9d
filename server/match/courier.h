/* server/match/courier.h: takes notices out of the outbox when they are due: looks at each again,
 * puts it into words, hands it to the sender, and writes down how it fared. Loop thread; reading
 * and wording run on the store's readers.
 *
 * At least once: a delivery waits in the store until its end is written down, and keeps its id, so
 * that a receiver can tell a second coming. Nothing of play ever waits for any of this. */
#ifndef VEDETTE_SERVER_MATCH_COURIER_H
#define VEDETTE_SERVER_MATCH_COURIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/match/match.h"

struct courier;
struct notify;
struct store;
struct uv_loop_s;

enum { COURIER_KEY_BYTES = 32, COURIER_LINK_CHARS = 68, COURIER_DELIVERIES_MAX = 100 };

struct courier_config {
    struct uv_loop_s *loop;
    struct store *store;
    struct notify *notify;
    const struct game *const *games; /* NULL: the product registry */
    int64_t (*now_ms)(void *ctx);    /* NULL: clock_now_ms */
    void *now_ctx;
    uint8_t key[COURIER_KEY_BYTES]; /* signs links; of this server, secret */
    uint32_t retry_first_s;         /* until the second attempt; then twice as long each time, at
                                       most six hours, all a quarter more or less; 0: 60 */
    uint32_t attempts_max;          /* 0: 12, which are a day and a half */
    uint32_t dead_days; /* an address that takes nothing for so long is given up; 0: 5 */
};
/* Begins at once with what waits in the store. */
enum err courier_create(const struct courier_config *config,
                        struct courier **out_courier) VD_CHECKED;
/* Hook of match.h: notices are due then. */
void courier_due(struct courier *courier, int64_t due);
/* Looks at the clock again, and does what has become due. */
void courier_look(struct courier *courier);
/* Takes nothing new; done once nothing is under way. Before notify is destroyed its transfers must
 * end: they end by notify_destroy, so that comes first. */
void courier_close(struct courier *courier, void (*done)(void *ctx), void *ctx);
/* After that; handles on the loop close in its next turn. */
void courier_destroy(struct courier *take_courier);

/* --- methods of the wire, as in match.h ---------------------------------------------------------
 */

typedef void courier_method_fn(struct courier *courier, const struct match_call *call,
                               const struct cJSON *params);
/* {limit?}: {"deliveries":[{"id","kind","match"?,"channel","target","state","attempts","at",
 * "ended"?,"next"?,"error"?}],"addresses":[{"channel","target","sent_at"?,"failing_since"?,
 * "disabled_at"?,"error"?}]}: newest first. */
courier_method_fn courier_deliveries;
/* {channel}: {}: a test is on its way by mail, webhook or push. CONFLICT "nowhere": the account has
 * none such; RATE_LIMITED: one in ten seconds. */
courier_method_fn courier_test;
/* {match, notices?}: {"notices"?}: what the account wants to be told of that match, where it is not
 * as of all; {} takes it back. NOT_FOUND: no match that this account sits in. */
courier_method_fn courier_match_notices;
/* {on?}: {"on","url"?}: the address of the calendar of deadlines, told once, when it is made; on
 * true: made anew, the old one is no more; on false: taken back. */
courier_method_fn courier_calendar;

/* --- pages ------------------------------------------------------------------------------------ */

/* A page for a person or a program that knows a secret; all borrowed. status: of HTTP. */
struct courier_page {
    unsigned status;
    const char *type, *body, *etag; /* etag "": none */
    size_t n;
};
typedef void courier_page_fn(void *ctx, const struct courier_page *page);
/* The link of a mail: asks a person (act false), or ends the mails (RFC 8058). done on the loop,
 * once, never before the call has returned. */
void courier_unsubscribe(struct courier *courier, const char *link, bool act, courier_page_fn *done,
                         void *ctx);
/* The calendar of that secret (RFC 5545). */
void courier_read_calendar(struct courier *courier, const char *secret, courier_page_fn *done,
                           void *ctx);

/* For /metrics: work done, so not for those who may not know that a single player acted. */
struct courier_stats {
    uint64_t sent[3], failed[3]; /* attempts by channel: mail, webhook, push */
    uint64_t dropped;            /* stale or seen when they were due */
    uint64_t under_way;
};
void courier_get_stats(const struct courier *courier, struct courier_stats *out_stats);

#endif
