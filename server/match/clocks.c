/* server/match/clocks.c: clocks moved by lines, stored and told with them; when which match is
 * looked at again; the heartbeat. */
#include "server/match/clocks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/ladder.h"
#include "server/match/live.h"

static_assert((int)CLOCK_STATE_BYTES_MAX >= (int)CLOCK_PACK_BYTES_MAX, "a clock fits its row");
static_assert((int)CLOCK_SEATS_MAX == (int)SEATS_MAX, "clocks and games count the same seats");

enum {
    BEAT_MS = 10000,
    WAKE_MS_MAX = 6 * 3600 * 1000, /* a timer is set no further ahead */
    LOST_AGAIN_MS = 1000,
    HANDS_AGAIN_MS = 60000
};

/* What a flight does to the clock. */
struct clock_flight {
    struct clock_write *write; /* until it is sent */
    struct msg *told;          /* match.changed */
    int64_t due;
    int64_t deadline_ms[SEATS_MAX]; /* ZONE_NEVER: none */
    struct away away;
};

/* --- its life ----------------------------------------------------------------------------------
 */

static struct play_clock *make_play(const char *spec, unsigned seats, struct why *why,
                                    enum err *out_err)
{
    struct play_clock *play = calloc(1, sizeof *play);
    *out_err =
        play == NULL ? ERR_INTERNAL : clock_spec_read(spec, strlen(spec), seats, &play->spec, why);
    if (*out_err == ERR_OK) { return play; }
    free(play);
    return NULL;
}

enum err clocks_create(struct match *match, const struct match_begin *begin, int64_t now_ms)
{
    struct why why;
    enum err err = ERR_OK;
    why_clear(&why);
    assert(match->clock == NULL);
    if (begin->clock == NULL || begin->clock[0] == '\0') { return ERR_OK; }
    struct play_clock *play = make_play(begin->clock, begin->seats, &why, &err);
    if (play == NULL) { return err; }
    err = clock_begin(&play->spec, begin->seats, begin->calendars, now_ms, &play->clock);
    /* A zone that the system has no more: its days are those of universal time. */
    play->bots = begin->bots;
    match->clock = play;
    return err == ERR_INVALID_PARAMS ? ERR_OK : err;
}

bool clocks_install(struct match *match, const struct clock_row *row)
{
    struct why why;
    enum err err = ERR_OK;
    why_clear(&why);
    clocks_drop(match);
    if (row->spec == NULL || row->told == NULL) { return true; }
    struct play_clock *play = make_play(row->spec, match->seats, &why, &err);
    if (play != NULL) { err = clock_unpack(row->state, row->state_len, &play->spec, &play->clock); }
    if (err != ERR_OK || play->clock.seats != match->seats) {
        log_event(LOG_ERROR, "clock_not_read", "match=%s", match->id.text);
        free(play);
        return false;
    }
    play->n = row->n;
    play->due = row->due;
    play->bots = row->bots;
    match->clock = play;
    match->clock_due = row->due;
    away_note(play, match->seats, match->away.idle, &match->away);
    for (unsigned i = 0; i < match->seats; i++) {
        match->deadline_ms[i] = play->clock.seat[i].deadline_ms;
        /* A step is due: that the seat is offered is the ladder's doing, also before a restart. */
        bool due = clock_step_due(&play->clock, &play->spec, i) != CLOCK_DO_COUNT;
        if (due) { match->ladder_offers |= (uint8_t)(match->vacant & 1U << i); }
    }
    if (match->core != NULL && row->shown != NULL) {
        free(match->core->clock);
        match->core->clock = strdup(row->shown);
        return match->core->clock != NULL;
    }
    return true;
}

void clocks_drop(struct match *match)
{
    free(match->clock);
    match->clock = NULL;
}

static const char *compare_clock(const struct match *match, const struct clock_row *row,
                                 const struct core *core)
{
    const struct play_clock *play = match->clock;
    const struct clock *clock = &play->clock;
    const char *phase = core->game->phase == NULL ? "" : core->game->phase(core->state);
    struct clock_event next;
    struct buf told;
    if (clock->over != core->over) { return "whether it has stopped"; }
    if (!core->over && clock->asked != (core->tip[VIEWER_PUBLIC].waits_for & ~clock->excused)) {
        return "who is asked";
    }
    if (!core->over && strncmp(clock->phase, phase, sizeof clock->phase - 1) != 0) {
        return "the phase";
    }
    if (row->n >= core->next_n) { return "its line"; }
    clock_next(clock, &play->spec, &next);
    if (row->due != (next.kind == CLOCK_EV_NONE ? 0 : next.at_ms)) { return "what comes next"; }
    buf_init(&told, CLOCK_STATE_BYTES_MAX);
    clock_write_state(clock, &play->spec, core->codes, &told);
    bool same = !told.failed && told.len == strlen(row->told) &&
                memcmp(told.data, row->told, told.len) == 0;
    buf_finish(&told);
    return same ? NULL : "what was told";
}

const char *clocks_fault(const struct clock_row *row, const struct core *core)
{
    if (row->spec == NULL || !core->begun) {
        return row->told == NULL ? NULL : "there is one, and it should not be";
    }
    if (row->told == NULL || row->shown == NULL) { return "there is none"; }
    struct match match = {.id = core->id, .seats = (uint8_t)core->seats};
    if (!clocks_install(&match, row)) { return "it cannot be read"; }
    const char *fault = compare_clock(&match, row, core);
    clocks_drop(&match);
    return fault;
}

/* --- with flights ------------------------------------------------------------------------------
 */

/* NULL: memory. */
static struct clock_flight *flight_clock(struct flight *flight)
{
    if (flight->clock != NULL) { return flight->clock; }
    struct clock_flight *moved = calloc(1, sizeof *moved);
    struct clock_write *write = calloc(1, sizeof *write);
    if (moved == NULL || write == NULL) {
        free(moved);
        free(write);
        return NULL;
    }
    moved->write = write;
    flight->clock = moved;
    return moved;
}

void clocks_forget(struct flight *flight)
{
    struct clock_flight *moved = flight->clock;
    if (moved == NULL) { return; }
    msg_unref(moved->told);
    clock_write_free(moved->write);
    free(moved);
    flight->clock = NULL;
}

/* An event that makes a line, or what the host must do, is not for settling. */
static bool makes_line(enum clock_event_kind kind)
{
    return kind == CLOCK_EV_LATE || kind == CLOCK_EV_MISS || kind == CLOCK_EV_STEP ||
           kind == CLOCK_EV_RESUME || kind == CLOCK_EV_AWAY || kind == CLOCK_EV_VACATION;
}

int64_t clocks_settle(struct flight *flight, struct play_clock *play, int64_t now_ms)
{
    if (play->due == 0 || play->due > now_ms) {
        return now_ms > play->clock.at_ms ? now_ms : play->clock.at_ms;
    }
    for (;;) {
        struct clock_event event;
        clock_next(&play->clock, &play->spec, &event);
        if (event.kind == CLOCK_EV_NONE || event.at_ms > now_ms) { break; }
        if (makes_line(event.kind)) {
            int64_t before = event.at_ms - 1;
            return before > play->clock.at_ms ? before : play->clock.at_ms;
        }
        clock_fire(&play->clock, &play->spec, &event);
        play->changed = true;
        if (event.kind == CLOCK_EV_REMIND && flight != NULL) {
            ladder_remind(flight, play, &event);
        }
    }
    return now_ms > play->clock.at_ms ? now_ms : play->clock.at_ms;
}

/* Whom the match is waiting for by now is asked. */
static void turn(const struct match *match, bool rewound, int64_t at)
{
    const struct core *core = match->core;
    const struct game *game = core->game;
    struct play_clock *play = match->clock;
    const struct clock_ask ask = {
        .mask = core->tip[VIEWER_PUBLIC].waits_for & ~play->clock.excused,
        .phase = game->phase == NULL ? NULL : game->phase(core->state),
        .pace = game->interrupts == NULL ? 0 : game->interrupts(core->state),
        .pace_ms = match->standing.pace_ms,
        .rewound = rewound,
    };
    if (clock_turn(&play->clock, &play->spec, &ask, at)) { play->changed = true; }
}

uint32_t clocks_idle(const struct match *match)
{
    const struct core *core = match->core;
    return core->tip[VIEWER_PUBLIC].waits_for & ~core->game->waits_for(core->state);
}

void clocks_excuse(struct match *match, uint32_t seats, int64_t at_ms)
{
    struct play_clock *play = match->clock;
    if ((seats & ~play->clock.excused) == 0) { return; }
    clock_excuse(&play->clock, &play->spec, seats & ~play->clock.excused, at_ms);
    play->changed = true;
    turn(match, false, at_ms);
}

/* The clock follows the line. */
static void follow(const struct match *match, const struct flight *flight, struct play_clock *play,
                   const struct core_step *step, int64_t at)
{
    const struct core *core = match->core;
    struct clock *clock = &play->clock;
    if (core->over) {
        play->changed = play->changed || !clock->over;
        if (!clock->over) { clock_stop(clock, &play->spec, at); }
        return;
    }
    if (clock->over) {
        clock_reopen(clock, &play->spec, at);
        play->changed = true;
    }
    if (step->given >= 0) {
        uint32_t bit = UINT32_C(1) << (unsigned)step->given;
        clock_seat_new(clock, &play->spec, (unsigned)step->given, NULL, at);
        play->bots = step->caretaker ? play->bots | bit : play->bots & ~bit;
        play->changed = true;
    }
    clock->excused &= clocks_idle(match);
    turn(match, flight->rewinds, at);
}

/* What views show from this line on. */
static enum err show(struct matches *matches, struct match *match, struct flight *flight,
                     struct play_clock *play, uint64_t n)
{
    struct clock_flight *moved = flight_clock(flight);
    if (moved == NULL) { return ERR_INTERNAL; }
    const char *codes[SEATS_MAX];
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        codes[i] = match->codes[i];
    }
    struct buf *out = &matches->patch;
    buf_reset(out);
    clock_write_view(&play->clock, &play->spec, codes, out);
    char *view = out->failed ? NULL : strndup(out->data, out->len);
    char *kept = view == NULL ? NULL : strdup(view);
    struct clock_write *write = moved->write;
    if (kept == NULL || write->shown_count == CLOCK_SHOWN_MAX) {
        free(view);
        free(kept);
        return ERR_INTERNAL;
    }
    free(match->core->clock);
    match->core->clock = kept;
    write->shown[write->shown_count].n = n;
    write->shown[write->shown_count++].view = view;
    play->n = n;
    return ERR_OK;
}

enum err clocks_note(struct matches *matches, struct flight *flight, const struct core_step *step)
{
    struct match *match = flight->match;
    struct play_clock *play = match->clock;
    if (play == NULL || !match->core->begun || (step->told >> VIEWER_PUBLIC & 1U) == 0) {
        return ERR_OK;
    }
    int64_t at = clocks_settle(flight, play, step->at);
    follow(match, flight, play, step, at);
    if (!play->changed) { return ERR_OK; }
    play->changed = false;
    struct clock_event next;
    clock_next(&play->clock, &play->spec, &next);
    play->due = next.kind == CLOCK_EV_NONE ? 0 : next.at_ms;
    return show(matches, match, flight, play, step->n);
}

/* A unit without its part of the clock must not be stored. */
static enum err refuse_unit(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_STORAGE_FAILED;
}

/* match.changed as it is sent to all who watch: the same for everybody. */
static struct msg *make_told(struct matches *matches, const struct match *match, const char *clock)
{
    struct buf *out = &matches->patch;
    buf_reset(out);
    buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"match.changed\",\"params\":");
    jw_object_begin(out);
    jw_key_str(out, "match", match->id.text);
    jw_key_raw(out, "clock", clock, strlen(clock));
    jw_object_end(out);
    buf_append_str(out, "}");
    return out->failed ? NULL : msg_create(out->data, out->len);
}

/* The clock as its row has it. False: memory. */
static bool fill_row(const struct match *match, struct clock_write *write)
{
    struct play_clock *play = match->clock;
    const char *codes[SEATS_MAX];
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        codes[i] = match->codes[i];
    }
    struct clock_event next;
    struct buf out;
    clock_next(&play->clock, &play->spec, &next);
    play->due = next.kind == CLOCK_EV_NONE ? 0 : next.at_ms;
    write->match = match->key;
    write->n = play->n;
    write->due = play->due;
    write->state_len = clock_pack(&play->clock, write->state);
    buf_init(&out, CLOCK_STATE_BYTES_MAX);
    clock_write_state(&play->clock, &play->spec, codes, &out);
    write->told = out.failed ? NULL : buf_take(&out, &(size_t){0});
    buf_finish(&out);
    return write->told != NULL;
}

enum err clocks_carry(struct db *db, const struct core *core, int64_t key, struct clock_row *row,
                      int64_t from_ms, int64_t now_ms)
{
    struct match match = {.id = core->id, .key = key, .seats = (uint8_t)core->seats};
    struct clock_write *write = calloc(1, sizeof *write);
    struct buf view;
    if (write == NULL) { return ERR_INTERNAL; }
    for (unsigned i = 0; i < core->seats; i++) {
        (void)snprintf(match.codes[i], sizeof match.codes[i], "%s", core->codes[i]);
    }
    if (!clocks_install(&match, row)) {
        clock_write_free(write);
        return ERR_INVALID_PARAMS;
    }
    struct play_clock *play = match.clock;
    clock_outage(&play->clock, &play->spec, from_ms, now_ms);
    /* Nobody sits there yet. */
    for (unsigned i = 0; i < core->seats; i++) {
        (void)clock_freeze(&play->clock, &play->spec, i, true, now_ms);
    }
    play->n = core->next_n - 1;
    buf_init(&view, CLOCK_STATE_BYTES_MAX);
    clock_write_view(&play->clock, &play->spec, core->codes, &view);
    write->shown[0].n = play->n;
    write->shown[0].view = view.failed ? NULL : buf_take(&view, &(size_t){0});
    write->shown_count = write->shown[0].view == NULL ? 0 : 1;
    bool good = write->shown_count == 1 && fill_row(&match, write);
    enum err err = good ? clocks_write_spec(db, key, row->spec) : ERR_INTERNAL;
    if (err == ERR_OK) { err = clocks_write(db, write); }
    buf_finish(&view);
    clock_write_free(write);
    clocks_drop(&match);
    return err;
}

static void note_away(struct matches *matches, const struct match *match,
                      struct clock_flight *moved)
{
    uint32_t left = 0;
    for (unsigned i = 0; match->core != NULL && i < match->seats; i++) {
        if (core_has_left(match->core, &matches->scratch, i)) { left |= UINT32_C(1) << i; }
    }
    away_note(match->clock, match->seats, left, &moved->away);
}

static bool fill_write(struct matches *matches, struct match *match, struct clock_flight *moved)
{
    struct play_clock *play = match->clock;
    struct clock_write *write = moved->write;
    if (!fill_row(match, write)) { return false; }
    moved->due = play->due;
    for (unsigned i = 0; i < match->seats; i++) {
        moved->deadline_ms[i] = play->clock.seat[i].deadline_ms;
    }
    note_away(matches, match, moved);
    moved->told = make_told(matches, match, write->told);
    return moved->told != NULL;
}

void clocks_send(struct matches *matches, struct match *match, struct flight *flight,
                 struct store_unit *unit)
{
    struct play_clock *play = match->clock;
    if (play == NULL || (flight->clock == NULL && !play->changed)) { return; }
    struct clock_flight *moved = flight_clock(flight);
    if (moved == NULL || !fill_write(matches, match, moved)) {
        store_unit_add(unit, refuse_unit, NULL, NULL);
        return;
    }
    play->changed = false;
    store_unit_add(unit, clocks_write, moved->write, clock_write_free);
    moved->write = NULL;
}

/* When the match wants to be looked at, as it stands in the store. */
static int64_t wake_time(const struct match *match)
{
    if (match->over) { return match->reveal_at; }
    int64_t at = match->clock_due;
    for (const struct offer *offer = match->offers.first; offer != NULL; offer = offer->next) {
        int64_t until = offer->row.until;
        if (until > 0 && (at == 0 || until < at)) { at = until; }
    }
    return at;
}

/* The same, and where the ladder waits for somebody's hands, soon. */
static int64_t wake_or_hands(const struct matches *matches, const struct match *match)
{
    int64_t at = wake_time(match);
    int64_t again = matches_now(matches) + HANDS_AGAIN_MS;
    return ladder_wants_hands(match) && (at == 0 || again < at) ? again : at;
}

void clocks_landed(struct matches *matches, struct match *match, struct flight *flight)
{
    struct clock_flight *moved = flight->clock;
    if (moved != NULL) {
        match->clock_due = moved->due;
        memcpy(match->deadline_ms, moved->deadline_ms, sizeof match->deadline_ms);
        const uint8_t looking = match->away.looking, patience = match->away.patience;
        match->away = moved->away;
        match->away.looking = looking;
        match->away.patience = patience;
        match->offers_landed++; /* a summary that was read before it is read again */
    }
    if (moved != NULL || flight->ended || flight->reopens || flight->change != NULL) {
        clocks_wake(matches, match, wake_or_hands(matches, match));
    }
}

/* To all who watch and may see everything from now on. */
static void tell_revealed(struct matches *matches, const struct match *match)
{
    struct buf *out = &matches->patch;
    buf_reset(out);
    buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"match.changed\",\"params\":");
    jw_object_begin(out);
    jw_key_str(out, "match", match->id.text);
    jw_key_bool(out, "revealed", true);
    jw_object_end(out);
    buf_append_str(out, "}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    const struct match_hooks *hooks = &matches->config.hooks;
    for (struct watch *watch = match->watches; msg != NULL && watch != NULL; watch = watch->next) {
        if (match->reveal_seats && watch->viewer >= match->seats) { continue; }
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_CHANGED, msg);
    }
    msg_unref(msg);
}

void clocks_tell(struct matches *matches, struct match *match, struct flight *flight)
{
    if (flight->seat_change != NULL && match->clock != NULL) {
        clocks_date(matches, &match->id, match->accounts);
    }
    if (flight->reveals) { tell_revealed(matches, match); }
    if (flight->clock == NULL) { return; }
    const struct match_hooks *hooks = &matches->config.hooks;
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_CHANGED,
                          flight->clock->told);
    }
    ladder_hands(matches, match);
}

void clocks_lost(struct matches *matches, struct match *match, struct flight *flight)
{
    bool concerns = flight->clock != NULL || flight->change != NULL || flight->ended;
    if (!concerns) { return; }
    clocks_wake(matches, match, matches_now(matches) + LOST_AGAIN_MS);
}

/* --- lists -------------------------------------------------------------------------------------
 */

enum err clocks_mark(const struct match *match, const struct flight *flight,
                     struct clock_mark *out_mark)
{
    memset(out_mark, 0, sizeof *out_mark);
    if (match->clock == NULL) { return ERR_OK; }
    out_mark->play = malloc(sizeof *out_mark->play);
    if (out_mark->play == NULL) { return ERR_INTERNAL; }
    *out_mark->play = *match->clock;
    if (match->core->clock != NULL) {
        out_mark->shown = strdup(match->core->clock);
        if (out_mark->shown == NULL) {
            clocks_mark_finish(out_mark);
            return ERR_INTERNAL;
        }
    }
    bool moved = flight != NULL && flight->clock != NULL;
    out_mark->shown_count = moved ? flight->clock->write->shown_count : 0;
    return ERR_OK;
}

void clocks_rollback(struct match *match, struct flight *flight, struct clock_mark *mark)
{
    if (mark->play == NULL) { return; }
    *match->clock = *mark->play;
    free(match->core->clock);
    match->core->clock = mark->shown;
    mark->shown = NULL;
    if (flight == NULL || flight->clock == NULL) { return; }
    struct clock_write *write = flight->clock->write;
    while (write->shown_count > mark->shown_count) {
        free(write->shown[--write->shown_count].view);
    }
}

void clocks_mark_finish(struct clock_mark *mark)
{
    free(mark->play);
    free(mark->shown);
    memset(mark, 0, sizeof *mark);
}

/* --- when ---------------------------------------------------------------------------------------
 */

static void on_wake(uv_timer_t *timer)
{
    matches_look(timer->data);
}

static void set_timer(struct matches *matches)
{
    struct match_id id;
    int64_t at = 0;
    if (!wakes_first(&matches->wakes, &id, &at)) {
        uv_timer_stop(&matches->wake);
        return;
    }
    int64_t wait = at - matches_now(matches);
    wait = wait < 0 ? 0 : wait > WAKE_MS_MAX ? WAKE_MS_MAX : wait;
    (void)uv_timer_start(&matches->wake, on_wake, (uint64_t)wait, 0);
    uv_unref((uv_handle_t *)&matches->wake);
}

void clocks_wake(struct matches *matches, const struct match *match, int64_t at_ms)
{
    if (at_ms == wakes_at(&matches->wakes, &match->id)) { return; }
    if (!wakes_set(&matches->wakes, &match->id, at_ms)) {
        log_event(LOG_ERROR, "clock_not_set", "match=%s", match->id.text);
    }
    set_timer(matches);
}

void clocks_look_again(struct matches *matches, const struct match *match)
{
    int64_t at = wake_or_hands(matches, match);
    int64_t soon = matches_now(matches) + LOST_AGAIN_MS;
    bool stale = at > 0 && at < soon && wakes_at(&matches->wakes, &match->id) == 0;
    clocks_wake(matches, match, stale ? soon : at);
}

void matches_look(struct matches *matches)
{
    struct match_id id;
    int64_t at = 0;
    int64_t now = matches_now(matches);
    (void)uv_timer_stop(&matches->wake);
    while (!matches->closing && wakes_first(&matches->wakes, &id, &at) && at <= now) {
        (void)wakes_set(&matches->wakes, &id, 0);
        ladder_look(matches, &id);
    }
    if (!matches->closing) { set_timer(matches); }
}

/* --- the heartbeat ------------------------------------------------------------------------------
 */

static void on_beaten(void *ctx, enum err err)
{
    struct matches *matches = ctx;
    (void)err;
    const bool again = matches->beat_again;
    matches->beating = matches->beat_again = false;
    if (again) { matches_beat(matches); }
    matches_settled(matches);
}

void matches_beat(struct matches *matches)
{
    matches->beat_again = matches->beating; /* the one under way may be of an earlier time */
    if (!matches->started || matches->beating) { return; }
    int64_t *now = malloc(sizeof *now);
    struct store_unit *unit = store_unit_create(NULL, 0);
    if (now == NULL || unit == NULL) {
        free(now);
        store_unit_destroy(unit);
        return;
    }
    *now = matches_now(matches);
    store_unit_add(unit, clocks_write_beat, now, free);
    matches->beating = true;
    matches->pending++;
    store_commit(matches->config.store, unit, on_beaten, matches);
}

/* Where no clock runs nothing is charged. */
static void on_beat(uv_timer_t *timer)
{
    struct matches *matches = timer->data;
    if (matches->wakes.count > 0 && !matches->closing) { matches_beat(matches); }
}

void clocks_init(struct matches *matches)
{
    (void)uv_timer_init(matches->config.loop, &matches->wake);
    (void)uv_timer_init(matches->config.loop, &matches->beat);
    matches->wake.data = matches;
    matches->beat.data = matches;
    uv_unref((uv_handle_t *)&matches->wake);
    uv_unref((uv_handle_t *)&matches->beat);
}

void clocks_close(struct matches *matches)
{
    (void)uv_timer_stop(&matches->wake);
    (void)uv_timer_stop(&matches->beat);
    matches_beat(matches);
}

/* --- the start ----------------------------------------------------------------------------------
 */

struct waking {
    struct matches *matches;
    void (*done)(void *ctx, enum err err);
    void *ctx;
    int64_t beat;
    struct one_wake {
        struct match_id id;
        int64_t key, due, reveal_at;
        unsigned seats;
        char codes[SEATS_MAX][ROW_CODE_BYTES];
        struct clock_row row;
    } * list;
    size_t count, cap, at;
    unsigned under_way;
    enum err err;
};

static bool on_wake_row(void *ctx, const struct clock_wake *wake)
{
    struct waking *waking = ctx;
    if (waking->count == waking->cap) {
        size_t cap = waking->cap == 0 ? 64 : waking->cap * 2;
        struct one_wake *list = realloc(waking->list, cap * sizeof *list);
        if (list == NULL) { return false; }
        waking->list = list;
        waking->cap = cap;
    }
    struct one_wake *one = &waking->list[waking->count];
    memset(one, 0, sizeof *one);
    one->id = wake->id;
    one->key = wake->key;
    one->due = wake->due;
    one->reveal_at = wake->reveal_at;
    one->seats = wake->seats;
    memcpy(one->codes, wake->codes, sizeof one->codes);
    waking->count++;
    if (wake->row == NULL) { return true; }
    one->row = *wake->row;
    one->row.told = NULL;
    one->row.shown = NULL;
    one->row.spec = strdup(wake->row->spec);
    return one->row.spec != NULL;
}

static enum err waking_read(struct db *db, void *data)
{
    struct waking *waking = data;
    enum err err = clocks_read_beat(db, &waking->beat);
    return err == ERR_OK ? clocks_each(db, on_wake_row, waking) : err;
}

static void waking_free(struct waking *waking)
{
    for (size_t i = 0; i < waking->count; i++) {
        clock_row_finish(&waking->list[i].row);
    }
    free(waking->list);
    free(waking);
}

enum { WAKING_AT_ONCE = 1024 };
static void waking_go_on(struct waking *waking);

static void on_outage(void *ctx, enum err err)
{
    struct waking *waking = ctx;
    if (err != ERR_OK) { waking->err = err; }
    waking->under_way--;
    if (waking->under_way == 0) { waking_go_on(waking); }
}

/* The clock of one match as it is after the outage, as a unit; NULL: it is left as it is (logged),
 * and found when the match is loaded. */
static struct store_unit *charge_nobody(struct waking *waking, struct one_wake *one, int64_t now)
{
    struct match match = {.id = one->id, .key = one->key, .seats = (uint8_t)one->seats};
    struct matches *matches = waking->matches;
    one->row.told = strdup("");
    if (one->row.told == NULL || !clocks_install(&match, &one->row)) { return NULL; }
    struct play_clock *play = match.clock;
    struct clock_flight moved = {.write = calloc(1, sizeof *moved.write)};
    struct store_unit *unit = store_unit_create(&one->id, 0);
    memcpy(match.codes, one->codes, sizeof match.codes);
    clock_outage(&play->clock, &play->spec, waking->beat, now);
    bool good = moved.write != NULL && unit != NULL && fill_write(matches, &match, &moved);
    one->due = good ? moved.due : one->due;
    msg_unref(moved.told);
    clocks_drop(&match);
    if (good) {
        store_unit_add(unit, clocks_write, moved.write, clock_write_free);
        return unit;
    }
    clock_write_free(moved.write);
    store_unit_destroy(unit);
    return NULL;
}

static void waking_end(struct waking *waking)
{
    struct matches *matches = waking->matches;
    for (size_t i = 0; i < waking->count && waking->err == ERR_OK; i++) {
        const struct one_wake *one = &waking->list[i];
        int64_t at = one->row.spec != NULL ? one->due : one->reveal_at;
        if (!wakes_set(&matches->wakes, &one->id, at)) { waking->err = ERR_INTERNAL; }
    }
    void (*done)(void *ctx, enum err err) = waking->done;
    void *ctx = waking->ctx;
    enum err err = waking->err;
    waking_free(waking);
    matches->started = err == ERR_OK;
    if (matches->started) {
        (void)uv_timer_start(&matches->beat, on_beat, BEAT_MS, BEAT_MS);
        uv_unref((uv_handle_t *)&matches->beat);
        matches_beat(matches);
        set_timer(matches);
        clocks_date_overdue(matches);
    }
    done(ctx, err);
    matches_settled(matches);
}

/* So many units at once as the queue of the store takes well. */
static void waking_go_on(struct waking *waking)
{
    int64_t now = matches_now(waking->matches);
    waking->under_way++;
    for (; waking->at < waking->count && waking->under_way < WAKING_AT_ONCE; waking->at++) {
        struct one_wake *one = &waking->list[waking->at];
        if (one->row.spec == NULL || one->due == 0 || waking->beat == 0) { continue; }
        struct store_unit *unit = charge_nobody(waking, one, now);
        if (unit == NULL) { continue; }
        waking->under_way++;
        store_commit(waking->matches->config.store, unit, on_outage, waking);
    }
    waking->under_way--;
    if (waking->under_way == 0) { waking_end(waking); }
}

static void on_waking_read(void *ctx, enum err err)
{
    struct waking *waking = ctx;
    waking->err = err;
    if (err != ERR_OK) { waking->at = waking->count; }
    waking_go_on(waking);
}

void matches_start(struct matches *matches, void (*done)(void *ctx, enum err err), void *ctx)
{
    struct waking *waking = calloc(1, sizeof *waking);
    if (waking == NULL) {
        done(ctx, ERR_INTERNAL);
        return;
    }
    waking->matches = matches;
    waking->done = done;
    waking->ctx = ctx;
    matches->pending++;
    store_read(matches->config.store, waking_read, waking, NULL, on_waking_read, waking);
}
