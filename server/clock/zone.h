/* server/clock/zone.h: time zones by the system's database (/usr/share/zoneinfo, read by GLib):
 * what a clock on the wall shows at an instant, and at which instant it shows something. All
 * functions may be called from any thread; the zone of the host does not matter. */
#ifndef VEDETTE_SERVER_CLOCK_ZONE_H
#define VEDETTE_SERVER_CLOCK_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

enum {
    ZONE_NAME_MAX = 40, /* bytes with the NUL; the longest name of the database has 32 */
    ZONES_MAX = 1024,   /* different ones that were ever asked for; more are TOO_LARGE */
    ZONE_DAY_MS = 86400000
};
#define ZONE_NEVER INT64_MAX /* an instant that does not come */

struct zone; /* one zone: lives as long as the process, shared by all */

/* A zone by its IANA name ("Europe/Brussels", "UTC"), exactly as the database spells it.
 * INVALID_PARAMS: the database has none of that name (POSIX strings and paths are no names).
 * TOO_LARGE: more than ZONES_MAX. out_zone: never freed. */
enum err zone_find(const char *name, const struct zone **out_zone) VD_CHECKED;
const char *zone_name(const struct zone *zone);
/* Universal time, which is always there. */
const struct zone *zone_utc(void);

/* Seconds east of Greenwich at the instant at_ms (ms since 1970), and until when that holds at
 * least (ZONE_NEVER: for good). Rules are known to the end of 2037; what holds then holds after. */
int32_t zone_offset_s(const struct zone *zone, int64_t at_ms, int64_t *out_until_ms);

/* Where a wall time that is shown twice (clocks go back) is meant. One that is skipped (clocks go
 * forward) is always the instant after the gap. */
enum zone_pick {
    ZONE_FIRST, /* starts: of a day, of a window */
    ZONE_LAST   /* ends of windows, fixed deadlines: never earlier than anyone may read them */
};
/* The instant at which the wall shows minute (0 .. 1440 + ..) of the local day (days since
 * 1970-01-01). */
int64_t zone_instant_ms(const struct zone *zone, int64_t day, int32_t minute, enum zone_pick pick);
/* The local day at that instant; out_minute (or NULL): its minute of the day. */
int64_t zone_day(const struct zone *zone, int64_t at_ms, int32_t *out_minute);

/* Days since 1970-01-01 of the proleptic Gregorian calendar, and back. month 1 .. 12. */
int64_t zone_day_of_date(int64_t year, unsigned month, unsigned day);
void zone_date_of_day(int64_t day, int64_t *out_year, unsigned *out_month, unsigned *out_day);
/* 0: Monday .. 6: Sunday. */
unsigned zone_weekday(int64_t day);

/* The version of the database, "2025b"; "unknown" where it does not say. */
void zones_version(char out[16]);
/* A number that is another when the database was brought up to date, as far as its folder and its
 * version file tell. */
uint64_t zones_mark(void);
/* Reads every zone in use again. What a zone has told of the time before now_ms stays as it was
 * told; from then on it tells what the database says now. Returns how many have become others: then
 * the clocks that hang on them are to be settled and computed afresh (clock_refresh). A zone that is
 * gone goes on as it was known. One at a time. */
unsigned zones_refresh(int64_t now_ms);
/* Whether it was one of those, the last time that there were any. */
bool zone_is_new(const struct zone *zone);

enum { ZONE_TIME_MAX = 28 };
/* "2026-12-02T18:00:00Z" (RFC 3339), with ".123" before the Z where the ms are not 0. */
void zone_write_utc(int64_t at_ms, char out[ZONE_TIME_MAX]);
/* "+05:45". */
void zone_write_offset(int32_t offset_s, char out[8]);

#endif
