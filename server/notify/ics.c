/* server/notify/ics.c: a calendar of deadlines as bytes. */
#include "server/notify/ics.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/buf.h"

enum { LINE_OCTETS = 75 };

/* A content line, folded so that no line has more than 75 octets and no character is cut (3.1). */
static void line(struct buf *out, const char *name, const char *value)
{
    size_t at = strlen(name);
    buf_append_str(out, name);
    while (*value != '\0') {
        size_t n = 1;
        while (((unsigned char)value[n] & 0xc0) == 0x80) {
            n++;
        }
        if (at + n > LINE_OCTETS) {
            buf_append_str(out, "\r\n ");
            at = 1;
        }
        buf_append(out, value, n);
        at += n;
        value += n;
    }
    buf_append_str(out, "\r\n");
}

/* A text (3.3.11): backslash, semicolon, comma and line breaks are escaped, other controls go. */
static void text_line(struct buf *out, const char *name, const char *text)
{
    struct buf value;
    buf_init(&value, 65536);
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            buf_append_str(&value, "\\n");
        } else if (strchr("\\;,", *text) != NULL) {
            buf_append_char(&value, '\\');
            buf_append_char(&value, *text);
        } else if ((unsigned char)*text >= 0x20 && *text != 0x7f) {
            buf_append_char(&value, *text);
        }
    }
    line(out, name, buf_str(&value));
    buf_finish(&value);
}

static void time_line(struct buf *out, const char *name, int64_t at)
{
    char text[80];
    struct tm tm;
    const time_t seconds = (time_t)(at / 1000);
    if (gmtime_r(&seconds, &tm) == NULL) { return; }
    snprintf(text, sizeof text, "%04d%02d%02dT%02d%02d%02dZ", tm.tm_year + 1900, tm.tm_mon + 1,
             tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    line(out, name, text);
}

void ics_begin(struct buf *out, const char *name)
{
    line(out, "BEGIN:", "VCALENDAR");
    line(out, "VERSION:", "2.0");
    line(out, "PRODID:", "-//Vedette//deadlines//EN");
    line(out, "CALSCALE:", "GREGORIAN");
    line(out, "METHOD:", "PUBLISH");
    text_line(out, "NAME:", name);
    text_line(out, "X-WR-CALNAME:", name);
    line(out, "REFRESH-INTERVAL;VALUE=DURATION:", "PT1H");
}

void ics_add(struct buf *out, const struct ics_event *event)
{
    line(out, "BEGIN:", "VEVENT");
    text_line(out, "UID:", event->uid);
    time_line(out, "DTSTAMP:", event->stamp);
    time_line(out, "DTSTART:", event->at);
    text_line(out, "SUMMARY:", event->summary);
    text_line(out, "DESCRIPTION:", event->description);
    line(out, "URL:", event->url);
    line(out, "TRANSP:", "TRANSPARENT");
    line(out, "END:", "VEVENT");
}

void ics_end(struct buf *out)
{
    line(out, "END:", "VCALENDAR");
}
