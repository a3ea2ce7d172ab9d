/* server/notify/hook.h: what webhooks are sent: Standard Webhooks, Discord, ntfy. Pure. */
#ifndef VEDETTE_SERVER_NOTIFY_HOOK_H
#define VEDETTE_SERVER_NOTIFY_HOOK_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct buf;

enum { HOOK_SIGNATURE_BYTES = 48 };

/* The value of webhook-signature (Standard Webhooks 1.0): "v1," and base64 of HMAC-SHA256 over
 * id.timestamp.body. secret: "whsec_" and base64, or base64 alone. INVALID_PARAMS: it is none. */
enum err hook_sign(const char *secret, const char *id, int64_t seconds, const char *body, size_t n,
                   char out[HOOK_SIGNATURE_BYTES]) VD_CHECKED;
/* Discord's Execute Webhook: the text as content, cut to what it takes; nobody is mentioned. */
void hook_write_discord(struct buf *out, const char *title, const char *text, const char *link);
/* The value of a header that may be UTF-8 for ntfy (RFC 2047, in one line). */
void hook_write_ntfy_title(struct buf *out, const char *title);

#endif
