/* client-cli/face/clock.h: clocks in sentences: deadlines in the reader's zone, why they are what
 * they are. */
#ifndef VEDETTE_CLIENT_CLI_FACE_CLOCK_H
#define VEDETTE_CLIENT_CLI_FACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

struct buf;

/* An instant of the wire (RFC 3339, UTC) in ms since 1970. False: it is none. */
bool clock_read_instant(const char *text, int64_t *out_ms);
/* The instant as the reader's zone has it, with its name: "Wed 2 Dec 18:00 CET". */
void clock_say_instant(struct buf *out, const char *instant);
/* "3 d 4 h", "25 min". */
void clock_say_span(struct buf *out, int64_t seconds);
/* "36h", "2d", "90m", "45s" or plain seconds. False: it is none, or not above 0. */
bool clock_read_span(const char *text, int64_t *out_seconds);
/* A line a seat: the `clock` of match.get and match.changed. */
void clock_describe(struct buf *out, const cJSON *clock);
/* The seat's own deadline in few words, for a status line; nothing where it has none. Brief:
 * without the zone, and within the next 20 hours without the date. */
void clock_describe_short(struct buf *out, const cJSON *clock, const char *seat, bool brief);
/* The answer of match.clock: where each seat stands, why, and what comes. */
void clock_explain(struct buf *out, const cJSON *answer);

/* That answers are not shown yet: `held` of match.act. */
void clock_say_held(struct buf *out, const cJSON *held);

#endif
