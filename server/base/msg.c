/* server/base/msg.c: shared messages. */
#include "server/base/msg.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct msg *msg_reserve(size_t len)
{
    assert(len < UINT32_MAX / 2);
    struct msg *msg = malloc(sizeof *msg + MSG_HEAD + len + 1);
    if (msg == NULL) { return NULL; }
    msg->refs = 1;
    msg->len = (uint32_t)len;
    msg->bytes[MSG_HEAD + len] = '\0';
    return msg;
}

struct msg *msg_create(const char *text, size_t len)
{
    struct msg *msg = msg_reserve(len);
    if (msg != NULL && len > 0) { memcpy(msg_text(msg), text, len); }
    return msg;
}

struct msg *msg_ref(struct msg *msg)
{
    msg->refs++;
    return msg;
}

void msg_unref(struct msg *take_msg)
{
    if (take_msg == NULL) { return; }
    assert(take_msg->refs > 0);
    if (--take_msg->refs == 0) { free(take_msg); }
}

char *msg_text(struct msg *msg)
{
    return msg->bytes + MSG_HEAD;
}
