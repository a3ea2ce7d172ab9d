/* server/match/zones.c: a newer database of time zones while the daemon runs: it is read again, and
 * clocks that hang on zones which tell other times now are reckoned anew. */
#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "server/match/ladder.h"
#include "server/match/live.h"

enum {
    LOOK_MS = 10 * 60 * 1000,
    LOOKS_A_DAY = 144, /* once a day all zones are read, whatever the folder says */
    MATCHES_AT_ONCE = 32
};

/* One look: on a thread of its own, for zones are files. Then matches by the dozen. */
struct zones_look {
    uv_work_t work;
    struct matches *matches;
    int64_t now;
    unsigned zones; /* that have become others */
    char version[16];
    struct match_id *list;
    size_t count, cap, at;
    unsigned under_way;
};

static void look_free(struct zones_look *look)
{
    struct matches *matches = look->matches;
    free(look->list);
    free(look);
    matches->zones_looking = false;
    if (matches->zones_again && !matches->closing) {
        matches->zones_again = false;
        matches_zones(matches, true);
    }
    matches_settled(matches);
}

/* --- matches -----------------------------------------------------------------------------------
 */

static bool on_match(void *ctx, const struct clock_wake *wake)
{
    struct zones_look *look = ctx;
    struct match match = {.id = wake->id, .key = wake->key, .seats = (uint8_t)wake->seats};
    if (wake->row == NULL || wake->row->told == NULL) { return true; }
    bool concerned = false;
    if (clocks_install(&match, wake->row)) {
        concerned = clock_zones_new(&match.clock->clock, &match.clock->spec);
    }
    clocks_drop(&match);
    if (!concerned) { return true; }
    if (look->count == look->cap) {
        const size_t cap = look->cap == 0 ? 64 : look->cap * 2;
        struct match_id *list = realloc(look->list, cap * sizeof *list);
        if (list == NULL) { return false; }
        look->list = list;
        look->cap = cap;
    }
    look->list[look->count++] = wake->id;
    return true;
}

static enum err read_matches(struct db *db, void *zones_look)
{
    struct zones_look *look = zones_look;
    look->count = 0;
    return clocks_each(db, on_match, look);
}

static void go_on(struct zones_look *look);

/* The match has its clock by the new rules, stored and told, or could not be had (logged). */
static void on_match_done(void *ctx, enum err err, const struct why *why, const char *json,
                          size_t n)
{
    struct zones_look *look = ctx;
    (void)why;
    (void)json;
    (void)n;
    if (err != ERR_OK) { log_event(LOG_WARN, "zones_not_moved", "kind=%s", err_kind(err)); }
    look->under_way--;
    go_on(look);
}

/* What ran until now is settled as it was told, what is ahead is computed anew; a clock without a
 * line. */
static enum err refresh(struct making *making)
{
    struct match *match = making->match;
    struct play_clock *play = match->clock;
    enum err err = making_open(making, 1);
    if (err != ERR_OK) { return err; }
    making->flight->seat = -1;
    answer_begin(&making->matches->text);
    const int64_t at = clocks_settle(making->flight, play, matches_now(making->matches));
    (void)clock_refresh(&play->clock, &play->spec, at);
    play->changed = true;
    making->flight->told |= (UINT32_C(1) << match->seats) - 1U;
    making->flight->told |= UINT32_C(1) << VIEWER_PUBLIC;
    return making_go(making);
}

static bool run_match(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    const bool idle = match->frozen || matches->closing || match->next_n == 0 || match->over;
    if (!idle && (match->core == NULL || match->failing || match->spoilt)) {
        match_want_core(matches, match);
        return false;
    }
    if (idle || match->clock == NULL || match->core->over) {
        done_ok(&task->call, "{}", 2);
        return true;
    }
    enum err err = refresh(&making);
    if (err == ERR_OK) { return true; } /* answered when it has landed */
    match->spoilt = true;
    making_drop(&making);
    return task_fail(task, err, NULL);
}

static void go_on(struct zones_look *look)
{
    struct matches *matches = look->matches;
    look->under_way++; /* a match may be done at once */
    while (look->at < look->count && look->under_way <= MATCHES_AT_ONCE && !matches->closing) {
        const struct match_call call = {.done = on_match_done, .ctx = look};
        look->under_way++;
        task_start_id(matches, &call, &look->list[look->at++], NULL, run_match);
    }
    look->under_way--;
    if (look->under_way > 0) { return; }
    log_event(LOG_INFO, "time_zones", "old=%s new=%s zones=%u matches=%zu", matches->zones_version,
              look->version, look->zones, look->count);
    memcpy(matches->zones_version, look->version, sizeof look->version);
    look_free(look);
}

static void on_matches_read(void *ctx, enum err err)
{
    struct zones_look *look = ctx;
    if (err != ERR_OK) { log_event(LOG_ERROR, "zones_not_read", "kind=%s", err_kind(err)); }
    go_on(look);
}

/* --- the look ----------------------------------------------------------------------------------
 */

static void read_zones(uv_work_t *work)
{
    struct zones_look *look = work->data;
    look->zones = zones_refresh(look->now);
    zones_version(look->version);
}

static void on_zones_read(uv_work_t *work, int status)
{
    struct zones_look *look = work->data;
    struct matches *matches = look->matches;
    const bool same = strcmp(look->version, matches->zones_version) == 0;
    if (status != 0 || matches->closing || (look->zones == 0 && same)) {
        look_free(look);
    } else {
        store_read(matches->config.store, read_matches, look, NULL, on_matches_read, look);
    }
}

void matches_zones(struct matches *matches, bool anyway)
{
    const uint64_t mark = zones_mark();
    if (matches->closing || (!anyway && mark == matches->zones_mark)) { return; }
    if (matches->zones_looking) {
        matches->zones_again = true;
        return;
    }
    struct zones_look *look = calloc(1, sizeof *look);
    if (look == NULL) { return; } /* the next look finds it */
    look->matches = matches;
    look->now = matches_now(matches);
    look->work.data = look;
    if (uv_queue_work(matches->config.loop, &look->work, read_zones, on_zones_read) != 0) {
        free(look);
        return;
    }
    matches->zones_mark = mark;
    matches->zones_looking = true;
    matches->pending++;
}

static void on_zones(uv_timer_t *timer)
{
    struct matches *matches = timer->data;
    const bool day = ++matches->zones_looks % LOOKS_A_DAY == 0;
    matches_zones(matches, day);
}

void zones_init(struct matches *matches)
{
    zones_version(matches->zones_version);
    matches->zones_mark = zones_mark();
    (void)uv_timer_init(matches->config.loop, &matches->zones);
    matches->zones.data = matches;
    (void)uv_timer_start(&matches->zones, on_zones, LOOK_MS, LOOK_MS);
    uv_unref((uv_handle_t *)&matches->zones);
}
