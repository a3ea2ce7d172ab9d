/* server/base/msg.h: a finished message that many connections may send: one text, counted
 * references. */
#ifndef VEDETTE_SERVER_BASE_MSG_H
#define VEDETTE_SERVER_BASE_MSG_H

#include <stddef.h>
#include <stdint.h>

enum {
    MSG_HEAD = 16
}; /* free bytes before the text: the frame's head is written there (LWS_PRE) */

/* Loop thread only. The text never changes once made. */
struct msg {
    uint32_t refs, len;
    _Alignas(16) char bytes[]; /* MSG_HEAD bytes, len bytes of text, a NUL */
};

/* A copy of text with one reference, the caller's. NULL: no memory. */
struct msg *msg_create(const char *text, size_t len);
/* One that is not yet filled: the caller writes len bytes to msg_text before anyone else sees it.
 */
struct msg *msg_reserve(size_t len);
/* One more reference; returns msg. */
struct msg *msg_ref(struct msg *msg);
/* Gives one reference back; the last one frees. NULL is fine. */
void msg_unref(struct msg *take_msg);
char *msg_text(struct msg *msg);

#endif
