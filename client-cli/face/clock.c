/* client-cli/face/clock.c: see clock.h. */
#include "client-cli/face/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/phrases.h"
#include "common/words/words.h"

enum { PIECE_MAX = 1024, DAY_S = 86400, HOUR_S = 3600, MINUTE_S = 60, BRIEF_S = 20 * 3600 };

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

bool clock_read_instant(const char *text, int64_t *out_ms)
{
    struct tm tm = {0};
    int ms = 0, n = 0;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec, &n) != 6) {
        return false;
    }
    (void)sscanf(text + n, ".%3d", &ms);
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *out_ms = (int64_t)timegm(&tm) * 1000 + ms;
    return true;
}

/* The instant in the reader's zone. False: it is none, and stands as it came. */
static bool read_local(struct buf *out, const char *instant, struct tm *out_tm)
{
    int64_t ms = 0;
    if (!clock_read_instant(instant, &ms)) {
        buf_append_str(out, instant);
        return false;
    }
    const time_t at = (time_t)(ms / 1000);
    return localtime_r(&at, out_tm) != NULL;
}

void clock_say_instant(struct buf *out, const char *instant)
{
    struct tm tm;
    char text[64];
    if (!read_local(out, instant, &tm)) { return; }
    strftime(text, sizeof text, "%Y-%m-%d %H:%M %Z", &tm);
    buf_append_str(out, text);
}

/* Where there is little room: what is near needs no date. */
static void say_instant_brief(struct buf *out, const char *instant)
{
    struct tm tm;
    char text[64];
    int64_t ms = 0;
    if (!read_local(out, instant, &tm) || !clock_read_instant(instant, &ms)) { return; }
    int64_t ahead = ms / 1000 - (int64_t)time(NULL);
    if (ahead > -BRIEF_S && ahead < BRIEF_S) {
        strftime(text, sizeof text, "%H:%M", &tm);
    } else {
        strftime(text, sizeof text, "%m-%d %H:%M", &tm);
    }
    buf_append_str(out, text);
}

void clock_say_held(struct buf *out, const cJSON *held)
{
    char text[64] = "";
    struct tm tm;
    const time_t until = (time_t)(json_int(json_get(held, "until"), 0) / 1000);
    if (localtime_r(&until, &tm) != NULL) { strftime(text, sizeof text, "%Y-%m-%d %H:%M %Z", &tm); }
    words_say(out, "pace.held", "past", "false", "n",
              words_int(cJSON_GetArraySize(json_get(held, "given"))), "time", text, NULL);
    buf_append_char(out, '\n');
}

void clock_say_span(struct buf *out, int64_t seconds)
{
    long d = (long)(seconds / DAY_S), h = (long)(seconds % DAY_S / HOUR_S);
    long min = (long)(seconds % HOUR_S / MINUTE_S);
    if (d > 0 && h > 0) {
        words_say(out, "clock.span.dh", "d", words_int(d), "h", words_int(h), NULL);
    } else if (d > 0) {
        words_say(out, "clock.span.d", "d", words_int(d), NULL);
    } else if (h > 0 && min > 0) {
        words_say(out, "clock.span.hm", "h", words_int(h), "min", words_int(min), NULL);
    } else if (h > 0) {
        words_say(out, "clock.span.h", "h", words_int(h), NULL);
    } else {
        words_say(out, "cli.clock.min_s", "min", words_int(min), "s",
                  words_int((long)(seconds % MINUTE_S)), NULL);
    }
}

bool clock_read_span(const char *text, int64_t *out_seconds)
{
    char *end = NULL;
    long long n = strtoll(text, &end, 10);
    int64_t unit = *end == 'd'                   ? DAY_S
                   : *end == 'h'                 ? HOUR_S
                   : *end == 'm'                 ? MINUTE_S
                   : *end == 's' || *end == '\0' ? 1
                                                 : 0;
    bool whole = *end == '\0' || end[1] == '\0';
    if (end == text || unit == 0 || !whole || n <= 0 || n > 10LL * 366 * DAY_S / unit) {
        return false;
    }
    *out_seconds = n * unit;
    return true;
}

/* Arguments that many messages want: the due instant, the bank. */
struct face {
    struct buf side, due, bank;
};

static void face_init(struct face *face, const cJSON *seat)
{
    buf_init(&face->side, PIECE_MAX);
    buf_init(&face->due, PIECE_MAX);
    buf_init(&face->bank, PIECE_MAX);
    phrase_side(&face->side, seat->string == NULL ? "" : seat->string);
    clock_say_instant(&face->due, text_of(seat, "deadline"));
    clock_say_span(&face->bank, json_int(json_get(seat, "bank_s"), 0));
}

static void face_finish(struct face *face)
{
    buf_finish(&face->side);
    buf_finish(&face->due);
    buf_finish(&face->bank);
}

static void say_seat(struct buf *out, const cJSON *seat)
{
    struct face face;
    face_init(&face, seat);
    words_say(out, "cli.clock.seat", "side_t", buf_str(&face.side), "state", text_of(seat, "state"),
              "dated", text_of(seat, "deadline")[0] != '\0' ? "true" : "false", "due",
              buf_str(&face.due), "bank", buf_str(&face.bank), "misses",
              words_int((long)json_int(json_get(seat, "misses"), 0)), NULL);
    buf_append_char(out, '\n');
    face_finish(&face);
}

/* That the player of a live match is gone while it is his move. */
static void say_away(struct buf *out, const cJSON *away)
{
    struct buf since, until;
    if (away == NULL) { return; }
    buf_init(&since, PIECE_MAX);
    buf_init(&until, PIECE_MAX);
    clock_say_instant(&since, text_of(away, "since"));
    clock_say_instant(&until, text_of(away, "until"));
    words_say(out, "cli.clock.away", "since", buf_str(&since), "until", buf_str(&until), NULL);
    buf_append_char(out, '\n');
    buf_finish(&since);
    buf_finish(&until);
}

void clock_describe(struct buf *out, const cJSON *clock)
{
    const cJSON *seat = NULL;
    cJSON_ArrayForEach(seat, json_get(clock, "seats"))
    {
        say_seat(out, seat);
        say_away(out, json_get(seat, "away"));
    }
    const cJSON *paused = json_get(clock, "paused");
    if (paused == NULL) { return; }
    struct buf until;
    buf_init(&until, PIECE_MAX);
    clock_say_instant(&until, text_of(paused, "until"));
    words_say(out, "cli.clock.paused", "ends",
              text_of(paused, "until")[0] != '\0' ? "true" : "false", "until", buf_str(&until),
              NULL);
    buf_append_char(out, '\n');
    buf_finish(&until);
}

void clock_describe_short(struct buf *out, const cJSON *clock, const char *seat, bool brief)
{
    const cJSON *own = json_get(json_get(clock, "seats"), seat);
    if (own == NULL || text_of(own, "deadline")[0] == '\0') { return; }
    struct face face;
    face_init(&face, own);
    if (brief) {
        buf_reset(&face.due);
        say_instant_brief(&face.due, text_of(own, "deadline"));
    }
    words_say(out, "cli.clock.short", "due", buf_str(&face.due), "state", text_of(own, "state"),
              NULL);
    face_finish(&face);
}

static void explain_span(struct buf *out, const cJSON *span)
{
    char id[64];
    struct buf from, to;
    buf_init(&from, PIECE_MAX);
    buf_init(&to, PIECE_MAX);
    clock_say_instant(&from, text_of(span, "from"));
    bool ends = text_of(span, "to")[0] != '\0';
    if (ends) {
        clock_say_instant(&to, text_of(span, "to"));
    } else {
        words_say(&to, "clock.why.open", NULL);
    }
    snprintf(id, sizeof id, "clock.why.kind.%.30s", text_of(span, "kind"));
    words_say(out, "cli.clock.span", "from", buf_str(&from), "to", buf_str(&to), "what",
              words_text(id) == NULL ? text_of(span, "kind") : words_text(id), NULL);
    if (text_of(span, "zone")[0] != '\0') {
        buf_append_str(out, " (");
        buf_append_str(out, text_of(span, "zone"));
        buf_append_str(out, " ");
        buf_append_str(out, text_of(span, "offset"));
        buf_append_str(out, ")");
    }
    buf_append_char(out, '\n');
    buf_finish(&from);
    buf_finish(&to);
}

static void explain_next(struct buf *out, const cJSON *next)
{
    char id[64];
    struct buf at, from, what;
    buf_init(&at, PIECE_MAX);
    buf_init(&from, PIECE_MAX);
    buf_init(&what, PIECE_MAX);
    clock_say_instant(&at, text_of(next, "at"));
    clock_say_instant(&from, text_of(next, "from"));
    snprintf(id, sizeof id, "clock.next.%.30s", text_of(next, "if"));
    buf_append_str(out, "    ");
    if (strcmp(text_of(next, "if"), "asked") == 0) {
        words_say(out, "clock.next.asked", "from", buf_str(&from), "at", buf_str(&at), NULL);
    } else {
        words_say_within(&what, words_text(id) == NULL ? "clock.next.late" : id, NULL);
        words_say(out, "clock.next.line", "at", buf_str(&at), "what", buf_str(&what), NULL);
    }
    buf_append_char(out, '\n');
    buf_finish(&at);
    buf_finish(&from);
    buf_finish(&what);
}

void clock_explain(struct buf *out, const cJSON *answer)
{
    const cJSON *seat = NULL, *item = NULL;
    cJSON_ArrayForEach(seat, json_get(answer, "seats"))
    {
        say_seat(out, seat);
        cJSON_ArrayForEach(item, json_get(seat, "why"))
        {
            explain_span(out, item);
        }
        cJSON_ArrayForEach(item, json_get(seat, "next"))
        {
            explain_next(out, item);
        }
        say_away(out, json_get(seat, "away"));
        cJSON_ArrayForEach(item, json_get(seat, "claims"))
        {
            if (!cJSON_IsString(item)) { continue; }
            words_say(out, "cli.clock.claim", "what", item->valuestring, NULL);
            buf_append_char(out, '\n');
        }
    }
}
