/* server/clock/zone.c: each zone as a table of offsets, made once from GLib's reading of the
 * database, so that a look-up is a search in an array. */
#include "server/clock/zone.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <sys/stat.h>

enum {
    SHIFTS_MAX = 512,       /* changes of one zone from FIRST_S to LAST_S */
    STEP_S = 7 * 86400,     /* no zone changes twice within that and comes back unseen: intervals
                             * are told apart by their number */
    NEAR_MS = 26 * 3600000, /* no offset is larger */
    PATH_BYTES_MAX = 512
};
#define FIRST_S INT64_C(946684800)  /* 2000-01-01 */
#define LAST_S  INT64_C(2145916800) /* 2038-01-01 */

/* From from_ms on the offset holds, until the next entry. The first is from INT64_MIN. */
struct shift {
    int64_t from_ms;
    int32_t offset_s;
};

struct table {
    struct table *older; /* tables that were replaced stay: somebody may be reading them */
    unsigned count;
    const struct shift *shift;
    unsigned read_count; /* as the database had it; shift may know of older times */
    const struct shift *read;
};

struct zone {
    char name[ZONE_NAME_MAX];
    _Atomic(struct table *) table;
    _Atomic unsigned refreshed; /* the refresh that made it another; 0: none did */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zone *zones[ZONES_MAX]; /* in the order they were asked for */
static unsigned zones_count;
static pthread_mutex_t refreshing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned refreshes; /* that changed anything */

static const struct shift utc_shift = {INT64_MIN, 0};
static struct table utc_table = {NULL, 1, &utc_shift, 1, &utc_shift};
static struct zone utc = {"UTC", &utc_table, 0};

const struct zone *zone_utc(void)
{
    return &utc;
}

const char *zone_name(const struct zone *zone)
{
    return zone->name;
}

static const char *folder_of_zones(void)
{
    const char *folder = getenv("TZDIR");
    return folder != NULL ? folder : "/usr/share/zoneinfo";
}

/* False: the name is too long, which none is. */
static bool path_of(const char *name, char *out, size_t size)
{
    const int len = snprintf(out, size, "%s/%s", folder_of_zones(), name);
    return len >= 0 && (size_t)len < size;
}

/* The version that the file says behind head. False: it does not. */
static bool read_version(const char *name, const char *head, char out[16])
{
    char path[PATH_BYTES_MAX], line[64] = "";
    FILE *file = path_of(name, path, sizeof path) ? fopen(path, "re") : NULL;
    if (file == NULL) { return false; }
    const bool good =
        fgets(line, sizeof line, file) != NULL && strncmp(line, head, strlen(head)) == 0;
    fclose(file);
    if (!good) { return false; }
    const char *text = line + strlen(head);
    const size_t n = strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz");
    if (n == 0 || n > 15) { return false; }
    memcpy(out, text, n);
    out[n] = '\0';
    return true;
}

void zones_version(char out[16])
{
    if (read_version("tzdata.zi", "# version ", out) || read_version("+VERSION", "", out)) {
        return;
    }
    snprintf(out, 16, "unknown");
}

uint64_t zones_mark(void)
{
    static const char *const names[] = {".", "tzdata.zi", "+VERSION"};
    char path[PATH_BYTES_MAX];
    uint64_t mark = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct stat file;
        mark *= UINT64_C(1099511628211);
        if (!path_of(names[i], path, sizeof path) || stat(path, &file) != 0) { continue; }
        mark ^= (uint64_t)file.st_ino ^ (uint64_t)file.st_size << 20 ^
                (uint64_t)file.st_mtim.tv_sec << 30 ^ (uint64_t)file.st_mtim.tv_nsec;
    }
    return mark;
}

/* --- reading the database --------------------------------------------------------------------- */

/* Whether the database has a file of that name: letters first, no way out of its folder. */
static bool is_in_database(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    const size_t n = strlen(name);
    if (n == 0 || n >= ZONE_NAME_MAX || strspn(name, allowed) != n || name[0] < 'A' ||
        name[0] > 'Z') {
        return false; /* also posix/.., right/.., localtime and the like */
    }
    char path[PATH_BYTES_MAX], magic[4];
    if (!path_of(name, path, sizeof path)) { return false; }
    FILE *file = fopen(path, "re");
    if (file == NULL) { return false; }
    const bool good = fread(magic, 1, sizeof magic, file) == sizeof magic &&
                      memcmp(magic, "TZif", sizeof magic) == 0;
    fclose(file);
    return good;
}

static int interval_at(GTimeZone *tz, int64_t at_s)
{
    return g_time_zone_find_interval(tz, G_TIME_TYPE_UNIVERSAL, at_s);
}

/* The first second of (from_s, to_s] that is in another interval than from_s. */
static int64_t find_change(GTimeZone *tz, int64_t from_s, int64_t to_s)
{
    const int old = interval_at(tz, from_s);
    while (to_s - from_s > 1) {
        const int64_t middle = from_s + (to_s - from_s) / 2;
        if (interval_at(tz, middle) == old) {
            from_s = middle;
        } else {
            to_s = middle;
        }
    }
    return to_s;
}

/* NULL: no such zone, or no memory (*out_gone false). */
static struct table *read_table(const char *name, bool *out_gone)
{
    *out_gone = !is_in_database(name);
    if (*out_gone) { return NULL; }
    GTimeZone *tz = g_time_zone_new_identifier(name);
    *out_gone = tz == NULL;
    if (tz == NULL) { return NULL; }
    struct shift found[SHIFTS_MAX];
    unsigned count = 0;
    int64_t at_s = FIRST_S;
    found[count++] = (struct shift){INT64_MIN, g_time_zone_get_offset(tz, interval_at(tz, at_s))};
    while (at_s < LAST_S && count < SHIFTS_MAX) {
        const int64_t next_s = at_s + STEP_S;
        if (interval_at(tz, next_s) == interval_at(tz, at_s)) {
            at_s = next_s;
            continue;
        }
        at_s = find_change(tz, at_s, next_s);
        const int32_t offset_s = g_time_zone_get_offset(tz, interval_at(tz, at_s));
        if (offset_s == found[count - 1].offset_s) { continue; }
        found[count++] = (struct shift){at_s * 1000, offset_s};
    }
    g_time_zone_unref(tz);
    struct table *table = malloc(sizeof *table + count * sizeof found[0]);
    if (table == NULL) { return NULL; }
    table->older = NULL;
    table->count = table->read_count = count;
    table->shift = table->read = memcpy(table + 1, found, count * sizeof found[0]);
    return table;
}

static enum err add_zone(const char *name, const struct zone **out_zone)
{
    bool gone = false;
    if (zones_count == ZONES_MAX) { return ERR_TOO_LARGE; }
    struct table *table = read_table(name, &gone);
    if (table == NULL) { return gone ? ERR_INVALID_PARAMS : ERR_INTERNAL; }
    struct zone *zone = calloc(1, sizeof *zone);
    if (zone == NULL) {
        free(table);
        return ERR_INTERNAL;
    }
    memcpy(zone->name, name, strlen(name) + 1);
    atomic_store(&zone->table, table);
    zones[zones_count++] = zone;
    *out_zone = zone;
    return ERR_OK;
}

enum err zone_find(const char *name, const struct zone **out_zone)
{
    if (strcmp(name, utc.name) == 0) {
        *out_zone = &utc;
        return ERR_OK;
    }
    pthread_mutex_lock(&lock);
    enum err err = ERR_NOT_FOUND;
    for (unsigned i = 0; i < zones_count && err == ERR_NOT_FOUND; i++) {
        if (strcmp(zones[i]->name, name) == 0) {
            *out_zone = zones[i];
            err = ERR_OK;
        }
    }
    if (err == ERR_NOT_FOUND) { err = add_zone(name, out_zone); }
    pthread_mutex_unlock(&lock);
    return err;
}

static bool same_read(const struct table *a, const struct table *b)
{
    if (a->read_count != b->read_count) { return false; }
    for (unsigned i = 0; i < a->read_count; i++) {
        if (a->read[i].from_ms != b->read[i].from_ms ||
            a->read[i].offset_s != b->read[i].offset_s) {
            return false;
        }
    }
    return true;
}

static void add_shift(struct table *table, struct shift *shifts, struct shift shift)
{
    const unsigned n = table->count;
    if (n > 0 && shifts[n - 1].offset_s == shift.offset_s) { return; }
    shifts[table->count++] = shift;
}

/* Before now_ms as the old table told it, from then on as the new one does. NULL: memory. */
static struct table *join(struct table *old, const struct table *new, int64_t now_ms)
{
    const size_t most = (size_t)old->count + 2U * new->read_count + 1;
    struct table *table = malloc(sizeof *table + most * sizeof(struct shift));
    if (table == NULL) { return NULL; }
    struct shift *shifts = (struct shift *)(table + 1);
    struct shift from = new->read[0];
    table->count = 0;
    for (unsigned i = 0; i < old->count && old->shift[i].from_ms < now_ms; i++) {
        add_shift(table, shifts, old->shift[i]);
    }
    for (unsigned i = 0; i < new->read_count &&new->read[i].from_ms <= now_ms; i++) {
        from = new->read[i];
    }
    add_shift(table, shifts, (struct shift){now_ms, from.offset_s});
    for (unsigned i = 0; i < new->read_count; i++) {
        if (new->read[i].from_ms > now_ms) { add_shift(table, shifts, new->read[i]); }
    }
    table->older = old;
    table->shift = shifts;
    table->read_count = new->read_count;
    table->read = memcpy(shifts + table->count, new->read, new->read_count * sizeof new->read[0]);
    return table;
}

/* True: it tells other times than before. */
static bool refresh_zone(struct zone *zone, int64_t now_ms)
{
    bool gone = false;
    struct table *old = atomic_load(&zone->table);
    struct table *read = read_table(zone->name, &gone);
    if (read == NULL) { return false; }
    struct table *table = same_read(old, read) ? NULL : join(old, read, now_ms);
    free(read);
    if (table == NULL) { return false; }
    atomic_store(&zone->table, table);
    return true;
}

unsigned zones_refresh(int64_t now_ms)
{
    struct zone *list[ZONES_MAX];
    pthread_mutex_lock(&refreshing);
    pthread_mutex_lock(&lock); /* not while files are read: whoever looks a zone up would wait */
    const unsigned count = zones_count;
    memcpy(list, zones, count * sizeof list[0]);
    pthread_mutex_unlock(&lock);
    const unsigned number = atomic_load(&refreshes) + 1;
    unsigned changed = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!refresh_zone(list[i], now_ms)) { continue; }
        atomic_store(&list[i]->refreshed, number);
        changed++;
    }
    if (changed > 0) { atomic_store(&refreshes, number); }
    pthread_mutex_unlock(&refreshing);
    return changed;
}

bool zone_is_new(const struct zone *zone)
{
    const unsigned number = atomic_load(&zone->refreshed);
    return number != 0 && number == atomic_load(&refreshes);
}

/* --- looking up ------------------------------------------------------------------------------- */

static unsigned shift_at(const struct table *table, int64_t at_ms)
{
    unsigned low = 0, high = table->count; /* shift[low].from_ms <= at_ms < shift[high].from_ms */
    while (high - low > 1) {
        const unsigned middle = low + (high - low) / 2;
        if (table->shift[middle].from_ms <= at_ms) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static int64_t shift_end_ms(const struct table *table, unsigned i)
{
    return i + 1 < table->count ? table->shift[i + 1].from_ms : ZONE_NEVER;
}

int32_t zone_offset_s(const struct zone *zone, int64_t at_ms, int64_t *out_until_ms)
{
    const struct table *table = atomic_load_explicit(&zone->table, memory_order_acquire);
    const unsigned i = shift_at(table, at_ms);
    if (out_until_ms != NULL) { *out_until_ms = shift_end_ms(table, i); }
    return table->shift[i].offset_s;
}

int64_t zone_instant_ms(const struct zone *zone, int64_t day, int32_t minute, enum zone_pick pick)
{
    const struct table *table = atomic_load_explicit(&zone->table, memory_order_acquire);
    const int64_t wall_ms = day * ZONE_DAY_MS + (int64_t)minute * 60000;
    int64_t found = ZONE_NEVER, gap = ZONE_NEVER;
    for (unsigned i = shift_at(table, wall_ms - NEAR_MS); i < table->count; i++) {
        const struct shift *shift = &table->shift[i];
        if (shift->from_ms > wall_ms + NEAR_MS) { break; }
        const int64_t at_ms = wall_ms - (int64_t)shift->offset_s * 1000;
        if (i > 0 && at_ms < shift->from_ms && found == ZONE_NEVER && gap == ZONE_NEVER) {
            gap = shift->from_ms; /* the wall was set forward past it at that instant */
        }
        if ((i == 0 || at_ms >= shift->from_ms) && at_ms < shift_end_ms(table, i)) {
            if (found == ZONE_NEVER || pick == ZONE_LAST) { found = at_ms; }
        }
    }
    return found != ZONE_NEVER ? found : gap;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

int64_t zone_day(const struct zone *zone, int64_t at_ms, int32_t *out_minute)
{
    const int64_t wall_ms = at_ms + (int64_t)zone_offset_s(zone, at_ms, NULL) * 1000;
    const int64_t day = floor_div(wall_ms, ZONE_DAY_MS);
    if (out_minute != NULL) { *out_minute = (int32_t)((wall_ms - day * ZONE_DAY_MS) / 60000); }
    return day;
}

/* --- dates ------------------------------------------------------------------------------------ */

/* Years of 400 begin on March 1st of year 0, so that the leap day is a year's last. */
int64_t zone_day_of_date(int64_t year, unsigned month, unsigned day)
{
    assert(month >= 1 && month <= 12);
    year -= month <= 2 ? 1 : 0;
    const int64_t era = floor_div(year, 400), of_era = year - era * 400;
    const int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void zone_date_of_day(int64_t day, int64_t *out_year, unsigned *out_month, unsigned *out_day)
{
    day += 719468;
    const int64_t era = floor_div(day, 146097), of_era = day - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t shifted = (5 * of_year + 2) / 153;
    *out_day = (unsigned)(of_year - (153 * shifted + 2) / 5 + 1);
    *out_month = (unsigned)(shifted < 10 ? shifted + 3 : shifted - 9);
    *out_year = year + era * 400 + (*out_month <= 2 ? 1 : 0);
}

unsigned zone_weekday(int64_t day)
{
    const int64_t of_week = (day + 3) % 7; /* 1970-01-01 was a Thursday */
    return (unsigned)(of_week < 0 ? of_week + 7 : of_week);
}

void zone_write_utc(int64_t at_ms, char out[ZONE_TIME_MAX])
{
    const int64_t day = floor_div(at_ms, ZONE_DAY_MS);
    const int ms = (int)(at_ms - day * ZONE_DAY_MS);
    int64_t year = 0;
    unsigned month = 0, of_month = 0;
    zone_date_of_day(day, &year, &month, &of_month);
    char fraction[8] = "";
    if (ms % 1000 != 0) { snprintf(fraction, sizeof fraction, ".%03d", ms % 1000); }
    snprintf(out, ZONE_TIME_MAX, "%04d-%02u-%02uT%02d:%02d:%02d%sZ", (int)(year % 10000),
             month % 100, of_month % 100, ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, fraction);
}

void zone_write_offset(int32_t offset_s, char out[8])
{
    const int minutes = (offset_s < 0 ? -offset_s : offset_s) / 60 % 6000;
    snprintf(out, 8, "%c%02d:%02d", offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}
