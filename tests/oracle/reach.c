/* tests/oracle/reach.c: see reach.h. The facts are those of W20.1, unit by unit. */
#include "tests/oracle/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/dice/dice.h"
#include "common/rules/waterloo/wl.h"
#include "tests/oracle/play.h"

enum { DRAWS = 24, POSITIONS = 14, SEEN_MIN = 5 };

/* Facts about a unit that an enemy may not know. */
enum fact {
    FACT_TOWN,
    FACT_CV,
    FACT_MARK,
    FACT_PLACING,
    FACT_DRAFT,
    FACT_ANSWER,
    FACT_MARCHED,
    FACT_DEPLOYED,
    FACT_RESERVE,
    FACT_ROUTED,
    FACTS
};
static const char *const fact_names[FACTS] = {
    "where it stands",    "its combat value",   "its retreat mark", "where it is set up",
    "its draft in MOVE",  "its way in RESPOND", "that it marched",  "its place while deploying",
    "being in a reserve", "being in a rout"};

struct tally {
    uint64_t seen, varied;
};
static struct tally tally[VIEWERS][FACTS][WL_UNITS];

/* W20.1: the unit's identity is not the viewer's to know. */
static bool is_hidden(const struct state *s, unsigned viewer, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    if ((wl_own_viewers(s, wl_side(u)) >> viewer & 1U) != 0 || unit->gone != WL_ON_MAP) {
        return false;
    }
    if (unit->place == WL_ROUTED) { return unit->revealed == 0; }
    return s->step != WL_COMBAT || (unit->place != WL_COL && unit->place != WL_ADV);
}

/* The fact as a number; 0 where it is none in this step. */
static uint32_t value_of(const struct state *s, enum fact fact, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    bool setup = s->step == WL_SETUP_ALLIED || s->step == WL_SETUP_FRENCH;
    bool deploys = s->step == WL_DEPLOY_DEF || s->step == WL_DEPLOY_ATT;
    uint32_t way = 0;
    if (unit->route.len != 0) {
        way = 1 + unit->route.town[unit->route.len - 1] + 256U * unit->route.forced;
    } else if (unit->told.len !=
               0) { /* it has gone, but the enemy is not told before the step ends */
        way = 1 + unit->told.town[unit->told.len - 1] + 256U * unit->told.forced;
    }
    switch (fact) {
    case FACT_TOWN: return setup ? 0 : 1U + unit->town;
    case FACT_CV: return unit->cv;
    case FACT_MARK: return 1U + unit->marked_until;
    case FACT_PLACING: return setup ? 1U + unit->town : 0;
    case FACT_DRAFT: return s->step == WL_MOVE ? 1 + way : 0;
    case FACT_ANSWER: return s->step == WL_RESPOND ? 1 + way : 0;
    case FACT_MARCHED: return 1U + unit->marched;
    case FACT_DEPLOYED: return deploys ? 1 + unit->place + 8U * unit->lane : 0;
    case FACT_RESERVE: return s->step == WL_COMBAT ? 1U + (unit->place == WL_RES) : 0;
    default: return s->step == WL_COMBAT ? 1U + (unit->place == WL_ROUTED) : 0;
    }
}

/* Whether this position lets the fact be otherwise: another hidden unit of the nation has it so. */
static bool is_open(const struct state *s, unsigned viewer, enum fact fact, unsigned u)
{
    if (!is_hidden(s, viewer, u) || value_of(s, fact, u) == 0) { return false; }
    if (fact == FACT_CV) { return wl_unit_facts[u].cv > 1; }
    for (unsigned v = 0; v < WL_UNITS; v++) {
        if (v != u && wl_nation(v) == wl_nation(u) && is_hidden(s, viewer, v) &&
            value_of(s, fact, v) != value_of(s, fact, u)) {
            return true;
        }
    }
    return false;
}

static void draw_twins(const struct state *s, unsigned viewer, uint64_t *random)
{
    bool varied[FACTS][WL_UNITS];
    memset(varied, 0, sizeof varied);
    for (unsigned i = 0; i < DRAWS; i++) {
        struct state twin;
        struct hash key = {{3}};
        struct dice dice;
        struct buf names;
        buf_init(&names, 1 << 16);
        memset(&twin, 0, sizeof twin);
        dice_init(&dice, &key, &key, 1, draw_next(random) >> 8);
        wl_twin(s, viewer, &dice, &twin, &names);
        buf_finish(&names);
        for (unsigned u = 0; u < WL_UNITS; u++) {
            for (enum fact fact = 0; fact < FACTS; fact++) {
                if (value_of(&twin, fact, u) != value_of(s, fact, u)) { varied[fact][u] = true; }
            }
        }
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        for (enum fact fact = 0; fact < FACTS; fact++) {
            if (!is_open(s, viewer, fact, u)) { continue; }
            tally[viewer][fact][u].seen++;
            if (varied[fact][u]) { tally[viewer][fact][u].varied++; }
        }
    }
}

/* Some of the defender's units have a way to go, and not all answers are given: seldom met. */
static bool is_amid_answers(const struct state *s)
{
    if (s->step != WL_RESPOND) { return false; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].route.len != 0 || s->unit[u].told.len != 0) { return true; }
    }
    return false;
}

/* Positions of every step: the more seldom ones are waited for. */
static void walk(uint64_t seed)
{
    struct base base;
    base_begin(&base, seed);
    for (unsigned i = 0; i < POSITIONS; i++) {
        unsigned lines = 1 + draw_below(&base.random, 25);
        if (!base_go_on(&base, lines)) { break; }
        for (unsigned wait = 0; i % 3 == 2 && wait < 60 && !is_amid_answers(base.now); wait++) {
            if (!base_go_on(&base, 1)) { break; }
        }
        for (unsigned v = 0; v <= VIEWER_PUBLIC; v++) {
            if (v < base.seats || v == VIEWER_PUBLIC) { draw_twins(base.now, v, &base.random); }
        }
        if (base.now->step == WL_GAME_OVER) { break; }
    }
    base_end(&base);
}

int reach_run(uint64_t seed, unsigned matches)
{
    static const char *const viewers[] = {"FR", "AL or AD", "PR", "public"};
    unsigned passed = 0, failed = 0;
    for (unsigned i = 0; i < matches; i++) {
        walk(seed + i);
    }
    for (unsigned viewer = 0; viewer <= VIEWER_PUBLIC; viewer++) {
        for (enum fact fact = 0; fact < FACTS; fact++) {
            struct tally all = {0, 0};
            unsigned units = 0, fixed = 0;
            for (unsigned u = 0; u < WL_UNITS; u++) {
                const struct tally *one = &tally[viewer][fact][u];
                all.seen += one->seen;
                all.varied += one->varied;
                units += one->seen > 0;
                bool never = one->seen >= SEEN_MIN && one->varied == 0;
                fixed += never;
                if (!never) { continue; }
                printf("for %s %s of %s never varies (%llu positions)\n", viewers[viewer],
                       fact_names[fact], wl_unit_facts[u].id, (unsigned long long)one->seen);
            }
            bool good = fixed == 0 && all.seen > 0;
            printf("%-9s %-26s %2u units, varies in %llu of %llu cases%s\n", viewers[viewer],
                   fact_names[fact], units, (unsigned long long)all.varied,
                   (unsigned long long)all.seen, all.seen == 0 ? ": never met" : "");
            if (good) {
                passed++;
            } else {
                failed++;
            }
        }
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
