/* tests/unit/test_clock_props.c: unpaused time is conserved: random sequences of turns, pauses,
 * vacations, outages, undos, rewinds, grants, players who are gone, conversions and restarts,
 * against an oracle that walks through the minutes. VEDETTE_SEED replays one sequence,
 * VEDETTE_SEQUENCES says how many. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/clock_kit.h"
#include "tests/unit/clock_oracle.h"

enum { SEQUENCES = 120, OPERATIONS = 80, DAYS_MAX = 80 };

static const char *const zones[] = {"UTC",
                                    "Europe/Brussels",
                                    "America/New_York",
                                    "Pacific/Auckland",
                                    "Asia/Kathmandu",
                                    "Australia/Lord_Howe",
                                    "America/St_Johns",
                                    "Europe/London"};
enum { ZONES = sizeof zones / sizeof zones[0] };

/* xorshift64*: replays anywhere. */
static uint64_t state;
static uint64_t draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}
static unsigned below(unsigned n)
{
    return (unsigned)(draw() >> 33) % n;
}
static bool chance(unsigned percent)
{
    return below(100) < percent;
}
static int64_t between(int64_t a, int64_t b)
{
    return a + (int64_t)(draw() >> 1) % (b - a + 1);
}

/* A few hours or days, whole seconds. */
static int64_t some_s(int64_t max_s)
{
    return chance(30) ? between(0, 600) : between(0, max_s);
}

static void random_ladder(char *out, size_t size)
{
    static const char *const thens[] = {
        "'claim'", "'forfeit'", "[{'do':'substitute','for_s':90000},{'do':'caretaker'}]",
        "[{'do':'claim','for_s':3600},{'do':'ally','for_s':60},{'do':'annul'}]"};
    const unsigned misses = below(3);
    int n = snprintf(out, size, ",'ladder':{'remind_s':[%s],'grace_s':%d,'misses':%u,'then':%s",
                     chance(50) ? "7200" : "86400,3600,60", chance(30) ? 0 : (int)some_s(90000),
                     misses, thens[below(4)]);
    if (misses > 0) {
        n += snprintf(out + n, size - (size_t)n, ",'again_s':%d", 60 + (int)some_s(90000));
    }
    snprintf(out + n, size - (size_t)n, ",'fresh_s':%d}", (int)some_s(90000));
}

static struct clock_spec random_spec(char *text, size_t size)
{
    char ladder[512], calendar[512] = "";
    const bool live = chance(20);
    random_ladder(ladder, sizeof ladder);
    int n = snprintf(text, size, "{'kind':'%s','bank_s':%d,'increment_s':%d,'per_move_s':%d%s%s",
                     live ? "live" : "correspondence", 60 + (int)some_s(live ? 7200 : 400000),
                     chance(50) ? 0 : (int)some_s(3600),
                     chance(30) ? 0 : (int)some_s(live ? 600 : 300000),
                     chance(30) ? ",'bank_max_s':500000" : "",
                     chance(40) ? ",'phases':{'move':100000,'combat':600}" : "");
    if (live) {
        n = snprintf(text, size, "{'kind':'live','bank_s':%d,'increment_s':%d,'per_move_s':%d",
                     60 + (int)some_s(7200), (int)some_s(600), chance(50) ? 0 : (int)some_s(600));
        if (chance(80)) {
            n += snprintf(text + n, size - (size_t)n,
                          ",'away':{'after_s':%d%s,'becomes':{'bank_s':%d,'per_move_s':%d}}",
                          30 + (int)some_s(3600), chance(30) ? ",'then':'convert'" : "",
                          (int)some_s(400000), 1 + (int)some_s(300000));
        }
    } else {
        int m = snprintf(calendar, sizeof calendar, ",'zone':'%s'", zones[below(ZONES)]);
        if (chance(40)) {
            m += snprintf(calendar + m, sizeof calendar - (size_t)m, ",'days':[%s]",
                          chance(50) ? "'mon','tue','wed','thu','fri'" : "'sun','wed'");
        }
        if (chance(30)) {
            m += snprintf(calendar + m, sizeof calendar - (size_t)m, ",'at':'%s'%s",
                          chance(50) ? "23:55" : "12:00", chance(50) ? ",'min_gap_s':40000" : "");
        } else if (chance(40)) {
            m += snprintf(calendar + m, sizeof calendar - (size_t)m, ",'hours':['%s']",
                          chance(50) ? "08:00','23:00" : "18:30','07:10");
        }
        snprintf(calendar + m, sizeof calendar - (size_t)m, ",'sleep':%s,'vacation_days':%u",
                 chance(60) ? "true" : "false", below(4) * 5);
    }
    static const char *const pauses[] = {"", ",'pauses':{'policy':'none'}",
                                         ",'pauses':{'policy':'capped','cap_s':100000}"};
    snprintf(text + n, size - (size_t)n, "%s%s%s}", calendar, pauses[below(3)], ladder);
    return kit_spec(text, 3);
}

static struct clock_calendar random_calendar(int64_t near_ms)
{
    static const char *const nights[] = {"", "23:00-07:00", "21:30-06:15", "12:00-14:00"};
    struct clock_calendar calendar = kit_calendar(zones[below(ZONES)], nights[below(4)], "");
    int32_t day = (int32_t)(near_ms / DAY) - 2;
    for (unsigned i = below(4); i > 0; i--) {
        calendar.vacation[calendar.vacations].first_day = day + (int32_t)below(6);
        calendar.vacation[calendar.vacations].last_day =
            calendar.vacation[calendar.vacations].first_day + (int32_t)below(5);
        day = calendar.vacation[calendar.vacations++].last_day + 1;
    }
    return calendar;
}

/* --- one sequence ----------------------------------------------------------------------------- */

struct run {
    uint64_t seed;
    char text[2048];
    struct clock_spec spec, converted; /* the oracle's */
    struct clock clock;
    int64_t away[3]; /* since when each is gone, by the rules of W-10; 0: he is not */
    bool gone[3];
    struct oracle oracle;
    int64_t now, ends;
    unsigned compared; /* events of the oracle */
    unsigned operations;
};

#define HOLDS(run, condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            char what[512];                                                                        \
            snprintf(what, sizeof what, __VA_ARGS__);                                              \
            ck_abort_msg("VEDETTE_SEED=%llu operation %u at %s: %s\n%s",                           \
                         (unsigned long long)(run)->seed, (run)->operations, kit_text((run)->now), \
                         what, (run)->text);                                                       \
        }                                                                                          \
    } while (0)

static enum oracle_stage stage_of(enum clock_stage stage)
{
    static const enum oracle_stage stages[] = {
        [CLOCK_STANDS] = O_STANDS, [CLOCK_SPAN] = O_SPAN,   [CLOCK_FIXED] = O_FIXED,
        [CLOCK_BANK] = O_BANK,     [CLOCK_GRACE] = O_GRACE, [CLOCK_AGAIN] = O_AGAIN,
        [CLOCK_MISSED] = O_STEP,   [CLOCK_STEP] = O_STEP};
    return stages[stage];
}

/* Nobody is gone who is not asked, or while all or he stand. */
static void follow_away(struct run *run)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct oracle_seat *seat = &run->oracle.seat[i];
        if (seat->stage == O_STANDS || seat->frozen || run->oracle.pause_on) {
            run->away[i] = 0;
            run->gone[i] = false;
        }
    }
}

static void expect_gone(struct run *run, const struct clock_event *event)
{
    HOLDS(run, run->away[event->seat] != 0 && !run->gone[event->seat], "nobody is gone");
    HOLDS(run, event->at_ms == run->away[event->seat] + run->spec.away_ms, "at another time");
    run->gone[event->seat] = true;
}

static void compare_away(struct run *run)
{
    follow_away(run);
    for (unsigned i = 0; i < 3; i++) {
        const struct clock_seat *seat = &run->clock.seat[i];
        const uint32_t claims = clock_away_claims(&run->clock, &run->spec, i);
        const bool open = run->gone[i] && run->spec.away_claims != 0;
        HOLDS(run, seat->away_ms == run->away[i], "seat %u is gone since %s, not %s", i,
              kit_text(seat->away_ms), kit_text(run->away[i]));
        HOLDS(run, open == (claims != 0), "seat %u: what may be claimed is %u", i, claims);
        const bool late = run->away[i] != 0 && !run->gone[i] &&
                          run->away[i] + run->spec.away_ms <= run->clock.at_ms;
        HOLDS(run, !late, "seat %u was gone long enough", i);
    }
}

/* Goes on to `to`: the engine fires, the oracle walks, and both say the same. */
static void fire_all(struct run *run, int64_t to)
{
    int64_t last_ms = 0;
    for (;;) {
        struct clock_event event;
        clock_next(&run->clock, &run->spec, &event);
        if (event.kind == CLOCK_EV_NONE || event.at_ms > to) { break; }
        HOLDS(run, event.at_ms >= last_ms, "an event of the past");
        last_ms = event.at_ms;
        const bool ladder = event.kind == CLOCK_EV_LATE || event.kind == CLOCK_EV_MISS ||
                            event.kind == CLOCK_EV_STEP;
        if (ladder) {
            HOLDS(run, run->clock.seat[event.seat].deadline_ms == event.at_ms,
                  "%s was shown, %s fires", kit_text(run->clock.seat[event.seat].deadline_ms),
                  kit_text(event.at_ms));
        }
        if (event.kind == CLOCK_EV_AWAY) { expect_gone(run, &event); }
        clock_fire(&run->clock, &run->spec, &event);
        if (!ladder && event.kind != CLOCK_EV_RESUME) { continue; }
        oracle_advance(&run->oracle, event.at_ms > run->oracle.t ? event.at_ms : run->oracle.t);
        const struct oracle_event *want = &run->oracle.event[run->compared];
        HOLDS(run, run->compared < run->oracle.events, "event %d of seat %u at %s is none",
              event.kind, event.seat, kit_text(event.at_ms));
        HOLDS(run,
              want->at == event.at_ms && want->kind == event.kind &&
                  (want->seat == 99 || want->seat == event.seat),
              "event %d of seat %u at %s, not %d of %u at %s", event.kind, event.seat,
              kit_text(event.at_ms), want->kind, want->seat, kit_text(want->at));
        run->compared++;
    }
}

static void compare(struct run *run)
{
    HOLDS(run, run->compared == run->oracle.events, "%u events are missing",
          run->oracle.events - run->compared);
    for (unsigned i = 0; i < run->clock.seats; i++) {
        struct clock_seat *seat = &run->clock.seat[i];
        const struct oracle_seat *want = &run->oracle.seat[i];
        const int64_t bank_ms = clock_bank_at_ms(&run->clock, &run->spec, i, run->now);
        HOLDS(run, bank_ms == want->bank, "seat %u has %lld, not %lld", i, (long long)bank_ms,
              (long long)want->bank);
        HOLDS(run, seat->misses == want->misses, "seat %u has missed %d, not %d", i, seat->misses,
              want->misses);
        if (run->clock.at_ms != run->now) { continue; }
        HOLDS(run, stage_of(seat->stage) == want->stage, "seat %u is in stage %d, not %d", i,
              seat->stage, want->stage);
    }
}

/* All is settled: used time to the millisecond. */
static void compare_used(struct run *run)
{
    for (unsigned i = 0; i < run->clock.seats; i++) {
        HOLDS(run, run->clock.seat[i].used_ms == run->oracle.seat[i].used,
              "seat %u used %lld, not %lld", i, (long long)run->clock.seat[i].used_ms,
              (long long)run->oracle.seat[i].used);
        HOLDS(run, run->clock.seat[i].vacation_spent == run->oracle.seat[i].vacation_spent,
              "seat %u spent %d days, not %d", i, run->clock.seat[i].vacation_spent,
              run->oracle.seat[i].vacation_spent);
    }
}

static void restart(struct run *run)
{
    uint8_t bytes[CLOCK_PACK_BYTES_MAX], again[CLOCK_PACK_BYTES_MAX];
    const size_t n = clock_pack(&run->clock, bytes);
    struct clock back;
    HOLDS(run, clock_unpack(bytes, n, &run->spec, &back) == ERR_OK, "it does not come back");
    HOLDS(run, clock_pack(&back, again) == n && memcmp(bytes, again, n) == 0, "other bytes");
    for (unsigned i = 0; i < back.seats; i++) {
        HOLDS(run, back.seat[i].deadline_ms == run->clock.seat[i].deadline_ms, "another deadline");
    }
    run->clock = back;
}

static void do_turn(struct run *run)
{
    static const char *const phases[] = {"", "move", "combat"};
    const struct clock_ask ask = {
        .mask = chance(15) ? run->clock.asked : below(8),
        .phase = chance(60) ? run->clock.phase : phases[below(3)],
        .pace = below(8),
        .pace_ms = chance(50) ? 0 : between(1, 20 * HOUR),
        .rewound = chance(10),
    };
    char phase[CLOCK_PHASE_NAME_MAX];
    snprintf(phase, sizeof phase, "%s", ask.phase);
    struct clock_ask other = ask;
    other.phase = phase;
    (void)clock_turn(&run->clock, &run->spec, &ask, run->now);
    oracle_turn(&run->oracle, &other);
}

static void do_pause(struct run *run)
{
    struct why why;
    why_clear(&why);
    if (chance(50)) {
        const bool consent = chance(80);
        const bool done = clock_pause(&run->clock, &run->spec, consent, run->now, &why) == ERR_OK;
        HOLDS(run, done == oracle_pause(&run->oracle, consent), "pause: %s", why.reason);
    } else {
        const bool done = clock_resume(&run->clock, &run->spec, run->now, &why) == ERR_OK;
        HOLDS(run, done == oracle_resume(&run->oracle), "resume: %s", why.reason);
    }
}

/* One comes or goes; or, now and then, the match becomes correspondence. */
static void do_away(struct run *run, unsigned seat)
{
    const bool away = chance(70);
    if (chance(8)) {
        clock_spec_convert(&run->spec, &run->converted);
        clock_convert(&run->clock, &run->spec, &run->converted, run->now);
        run->spec = run->converted;
        oracle_convert(&run->oracle, &run->converted);
        memset(run->away, 0, sizeof run->away);
        memset(run->gone, 0, sizeof run->gone);
        return;
    }
    follow_away(run);
    const bool counts = run->oracle.seat[seat].stage != O_STANDS &&
                        !run->oracle.seat[seat].frozen && !run->oracle.pause_on;
    const bool changes = (run->away[seat] != 0) != away && (counts || !away);
    HOLDS(run, clock_away(&run->clock, &run->spec, seat, away, run->now) == changes,
          "seat %u comes or goes", seat);
    if (!changes) { return; }
    run->away[seat] = away ? run->now : 0;
    run->gone[seat] = false;
}

static void do_other(struct run *run)
{
    const unsigned seat = below(3);
    const struct clock_calendar calendar = random_calendar(run->now);
    const bool on = chance(40);
    const int64_t ms = between(1, 30 * HOUR);
    if (run->spec.away_ms > 0 && chance(70)) {
        do_away(run, seat);
        return;
    }
    switch (below(6)) {
    case 0:
        (void)clock_freeze(&run->clock, &run->spec, seat, on, run->now);
        oracle_freeze(&run->oracle, seat, on);
        break;
    case 1:
        clock_grant(&run->clock, &run->spec, seat, ms, run->now);
        oracle_grant(&run->oracle, seat, ms);
        break;
    case 2:
    case 3:
        HOLDS(run, clock_calendar_set(&run->clock, &run->spec, seat, &calendar, run->now) == ERR_OK,
              "no calendar");
        oracle_calendar(&run->oracle, seat, &calendar);
        break;
    case 4:
        clock_seat_new(&run->clock, &run->spec, seat, &calendar, run->now);
        oracle_seat_new(&run->oracle, seat, &calendar);
        run->away[seat] = 0;
        run->gone[seat] = false;
        break;
    default: /* the daemon dies; the heartbeat is of now */
        restart(run);
        clock_outage(&run->clock, &run->spec, run->now, run->now + ms);
        oracle_outage(&run->oracle, run->now + ms);
        run->now += ms;
        memset(run->away, 0, sizeof run->away);
        memset(run->gone, 0, sizeof run->gone);
        break;
    }
}

static int64_t some_time(void)
{
    switch (below(6)) {
    case 0: return 0;
    case 1: return between(1, 2000);
    case 2: return between(1, HOUR);
    case 3: return between(1, 10 * HOUR);
    case 4: return between(1, DAY);
    default: return between(1, 3 * DAY);
    }
}

static void run_sequence(uint64_t seed, int64_t start)
{
    static struct run run;
    memset(&run, 0, sizeof run);
    run.seed = seed;
    state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    run.spec = random_spec(run.text, sizeof run.text);
    run.now = start + between(0, 20 * DAY);
    run.ends = start + DAYS_MAX * DAY;
    struct clock_calendar calendars[3];
    for (unsigned i = 0; i < 3; i++) {
        calendars[i] = random_calendar(run.now);
    }
    HOLDS(&run, clock_begin(&run.spec, 3, calendars, run.now, &run.clock) == ERR_OK, "no clock");
    oracle_begin(&run.oracle, &run.spec, 3, calendars, run.now);
    for (; run.operations < OPERATIONS && run.now < run.ends; run.operations++) {
        const int64_t to = run.now + some_time();
        if (chance(30)) { restart(&run); }
        fire_all(&run, to);
        oracle_advance(&run.oracle, to);
        run.now = to;
        compare(&run);
        compare_away(&run);
        const unsigned what = below(10);
        if (what < 5) { do_turn(&run); }
        if (what == 5 || what == 6) { do_pause(&run); }
        if (what > 6) { do_other(&run); }
        fire_all(&run, run.now);
        compare(&run);
        compare_away(&run);
        if (run.clock.at_ms == run.now && chance(50)) {
            /* A turn that changes everything settles everything. */
            const struct clock_ask ask = {.mask = ~run.clock.asked & 7U, .phase = ""};
            (void)clock_turn(&run.clock, &run.spec, &ask, run.now);
            oracle_turn(&run.oracle, &ask);
            fire_all(&run, run.now);
            compare(&run);
            compare_used(&run);
        }
    }
}

START_TEST(unpaused_time_is_conserved_over_random_sequences_BR_12)
{
    const char *only = getenv("VEDETTE_SEED"), *many = getenv("VEDETTE_SEQUENCES");
    static const char *const starts[] = {"2026-03-01T00:00:00Z", "2026-09-20T00:00:00Z"};
    const uint64_t count = many != NULL ? strtoull(many, NULL, 10) : SEQUENCES;
    for (unsigned half = 0; half < 2; half++) { /* each season has its changes */
        oracle_prepare(kit_ms(starts[half]), zones, ZONES);
        for (uint64_t seed = 1 + half; seed <= count * 2; seed += 2) {
            const uint64_t base = only != NULL ? strtoull(only, NULL, 10) : seed;
            if (base % 2 != 1 - half) { continue; }
            run_sequence(base, kit_ms(starts[half]));
            if (only != NULL) { break; }
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock_props");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, unpaused_time_is_conserved_over_random_sequences_BR_12);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
