/* server/notify/ics.h: a calendar of deadlines as bytes (RFC 5545). Pure. */
#ifndef VEDETTE_SERVER_NOTIFY_ICS_H
#define VEDETTE_SERVER_NOTIFY_ICS_H

#include <stdint.h>

struct buf;

/* Texts are UTF-8 and escaped here. */
struct ics_event {
    const char *uid; /* stays the same as long as it is the same deadline */
    int64_t at;      /* ms since 1970 */
    int64_t stamp;   /* when it was made */
    const char *summary, *description, *url;
};
void ics_begin(struct buf *out, const char *name);
void ics_add(struct buf *out, const struct ics_event *event);
void ics_end(struct buf *out);

#endif
