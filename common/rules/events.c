/* common/rules/events.c: collecting events of one line. */
#include "common/rules/events.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"

void events_init(struct events *events)
{
    memset(events, 0, sizeof *events);
    buf_init(&events->text, EVENTS_BYTES_MAX);
}

void events_finish(struct events *events)
{
    buf_finish(&events->text);
    free(events->list);
    events_init(events);
}

void events_reset(struct events *events)
{
    buf_reset(&events->text);
    events->count = 0;
    events->told = 0;
    events->reveals = 0;
    events->sealed = false;
    events->failed = false;
}

struct buf *events_begin(struct events *events, uint32_t viewers)
{
    if (events->count == events->cap) {
        size_t cap = events->cap == 0 ? 32 : events->cap * 2;
        struct event *list = cap > EVENTS_MAX ? NULL : realloc(events->list, cap * sizeof *list);
        if (list == NULL) {
            /* The last place is used again: the line is refused anyway. */
            events->failed = true;
            if (events->count > 0) { events->count--; }
        } else {
            events->list = list;
            events->cap = cap;
        }
    }
    /* Each event stands on a line of its own, so that the writer puts no comma before it. */
    buf_append_char(&events->text, '\n');
    if (events->cap > 0) {
        struct event *event = &events->list[events->count];
        event->viewers = viewers;
        event->at = (uint32_t)events->text.len;
        event->len = 0;
    }
    return &events->text;
}

void events_end(struct events *events)
{
    if (events->text.failed || events->cap == 0) {
        events->failed = true;
        return;
    }
    struct event *event = &events->list[events->count++];
    event->len = (uint32_t)events->text.len - event->at;
    events->told |= event->viewers;
}

void events_seal(struct events *events)
{
    events->sealed = true;
}

void events_reveal(struct events *events, uint32_t viewers)
{
    events->reveals |= viewers;
}

void events_write(const struct events *events, unsigned viewer, struct buf *out)
{
    jw_array_begin(out);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if ((event->viewers >> viewer & 1U) != 0) {
            jw_raw(out, events->text.data + event->at, event->len);
        }
    }
    jw_array_end(out);
}
