/* server/notify/notify.h: sends what others have composed: mail, webhooks, web push. It is called
 * and calls nobody but back. */
#ifndef VEDETTE_SERVER_NOTIFY_NOTIFY_H
#define VEDETTE_SERVER_NOTIFY_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct notify;
struct uv_loop_s;

enum {
    NOTIFY_SEED_BYTES = 32,
    NOTIFY_PUSH_KEY_CHARS = 87, /* base64url of an uncompressed point of P-256 */
    NOTIFY_ERROR_BYTES = 160
};

/* Texts are borrowed for the life of notify; NULL: not set. */
struct notify_config {
    struct uv_loop_s *loop;
    const char *smtp_url; /* smtp://host:587, smtps://host:465; NULL: no mail is sent */
    const char *smtp_tls; /* "required" (default), "try", "none": STARTTLS on smtp:// */
    const char *from;     /* "Vedette <vedette@example.org>", or the address alone */
    const char *user, *password;
    const char *ca_file; /* certificates to trust beside the system's; NULL: none */
    const char *url;     /* where people reach this server, without a slash at the end */
    const char *contact; /* mailto: or https:, told to push services; NULL: url */
    bool private_hosts;  /* webhooks may go to loopback and private addresses, and by http */
    unsigned timeout_s;  /* of one attempt; 0: 20 */
    uint8_t seed[NOTIFY_SEED_BYTES]; /* of this server, made once and kept (store.h) */
    int64_t (*now_ms)(void *ctx);    /* wall clock; NULL: the system's */
    void *now_ctx;
};

/* out_error: a sentence for the operator. INVALID_PARAMS: settings that do not fit together. */
enum err notify_create(const struct notify_config *config, struct notify **out_notify,
                       char out_error[256]) VD_CHECKED;
/* Ends what is under way: done is called with NOTIFY_LATER, within. Handles on the loop close in
 * its next turns. */
void notify_destroy(struct notify *take_notify);

/* Whether this server sends mail at all. */
bool notify_has_mail(const struct notify *notify);
/* Where people reach this server, "https://vedette.example": links are made of it. */
const char *notify_url(const struct notify *notify);
/* The public part of the VAPID key (RFC 8292), as browsers take it: applicationServerKey. */
const char *notify_push_key(const struct notify *notify);

/* --- account mails ------------------------------------------------------------------------------
 */

/* A mail to a person, borrowed until the call returns. The HTML part is made from the text: its
 * paragraphs, with addresses of this server as links. Texts are UTF-8; line breaks in to and
 * subject are refused (INVALID_PARAMS), so nothing of a user's can become a header. */
struct notify_mail {
    const char *to;
    const char *subject, *text;
    const char *language; /* Content-Language; NULL: none */
};
/* Sends it, trying again for some hours while the mail server does not answer; never waits, tells
 * nobody. What is not yet sent is lost with the process: it is for what a person can ask for again
 * (a token to confirm or reset). CONFLICT: no mail is configured. */
enum err notify_mail(struct notify *notify, const struct notify_mail *mail) VD_CHECKED;

/* --- one attempt --------------------------------------------------------------------------------
 */

enum notify_outcome {
    NOTIFY_SENT,
    NOTIFY_LATER,   /* try again: no answer, or a passing failure */
    NOTIFY_REFUSED, /* this message will never be taken */
    NOTIFY_GONE     /* the address is no more (push services: 404, 410) */
};
/* On the loop, exactly once, never before the call it belongs to has returned. error: a sentence,
 * "" when it was sent; it holds nothing that the far end said but its status. */
typedef void notify_done_fn(void *ctx, enum notify_outcome outcome, const char *error);

/* A mail by its parts (mime.h): from, host and links are this server's. Copied. */
struct mime_mail;
void notify_mail_once(struct notify *notify, const struct mime_mail *mail, notify_done_fn *done,
                      void *ctx);

/* One POST. Copied. */
enum { NOTIFY_HEADERS_MAX = 8 };
struct notify_post {
    const char *url;
    const char *headers[NOTIFY_HEADERS_MAX]; /* "name: value"; ends with NULL if there are fewer */
    const char *body;
    size_t n;
    bool push; /* to a push service: 404 and 410 say that the address is no more */
};
void notify_post_once(struct notify *notify, const struct notify_post *post, notify_done_fn *done,
                      void *ctx);
/* A message of Web Push: encrypted for the browser, signed by this server's key. topic: at most 32
 * characters of base64url; a newer one of the same replaces it. ttl_s: for so long it may wait. */
struct notify_push {
    const char *endpoint, *topic;
    const uint8_t *p256dh, *auth; /* push.h */
    const char *text;             /* JSON */
    bool urgent;
    unsigned ttl_s;
};
void notify_push_once(struct notify *notify, const struct notify_push *push, notify_done_fn *done,
                      void *ctx);

/* For /metrics; not by account (DESIGN 8). */
struct notify_stats {
    uint64_t under_way, waiting; /* attempts */
    uint64_t mails_kept;         /* account mails that wait for another attempt */
};
void notify_get_stats(const struct notify *notify, struct notify_stats *out_stats);

#endif
