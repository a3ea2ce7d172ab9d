/* tests/oracle/follow.c: see follow.h.
 *
 * What an enemy may infer legally is what counting gives him: how many blocks of a nation stood in
 * which town, how many marched where, which of them were named when they turned up or were lost.
 * All histories that agree with those counts are made from the true one by two steps: two blocks of
 * a kind that were never told apart change their names from the set-up on, and two that stand
 * hidden in one town change them from that moment on. So if nothing that any enemy is ever sent
 * differs between the true match and the one after such a step, until one of the two is named, then
 * no memory of it all tells him more than counting: of the blocks that stood together each is as
 * likely the one that marched. Both steps are tried along random matches and followed line by line,
 * views, events, forms, answers and refusals, to the byte. */
#include "tests/oracle/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/wl.h"
#include "tests/oracle/known.h"
#include "tests/oracle/play.h"

enum { PROBES = 10, LINES_MAX = 240, TEXT_MAX = 1 << 20 };

struct probe {
    struct state *world[2];
    struct dice dice[2];
    struct events events[2];
    unsigned u, v, seats;
    cJSON *names;
    uint64_t random;
    struct buf action, renamed, text[2];
};

static struct {
    uint64_t probes[2], lines, named, parted, met, longest, told, questions, plans, groups[9];
    unsigned leaks;
} tally;

/* W20.1: an enemy knows it by name. */
static bool is_named(const struct state *s, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    if (unit->gone != WL_ON_MAP) { return true; }
    if (unit->place == WL_ROUTED) { return unit->revealed != 0; }
    return s->step == WL_COMBAT && (unit->place == WL_COL || unit->place == WL_ADV);
}

/* Alike in all that the rules know of a block but its name. */
static bool is_of_a_kind(const struct state *s, unsigned u, unsigned v)
{
    return u != v && wl_nation(u) == wl_nation(v) && wl_type(u) == wl_type(v) &&
           wl_unit_facts[u].cv == wl_unit_facts[v].cv && !is_named(s, u) && !is_named(s, v);
}

static void swap(struct state *s, unsigned u, unsigned v)
{
    struct wl_unit unit = s->unit[u];
    s->unit[u] = s->unit[v];
    s->unit[v] = unit;
    uint8_t town = s->seen_town[u];
    s->seen_town[u] = s->seen_town[v];
    s->seen_town[v] = town;
    uint64_t differ = (s->seen_marked >> u ^ s->seen_marked >> v) & 1U;
    s->seen_marked ^= differ << u | differ << v;
}

/* --- comparing ------------------------------------------------------------------------------- */

static bool same_text(struct probe *probe, const char *what, unsigned viewer)
{
    const char *a = buf_str(&probe->text[0]), *b = buf_str(&probe->text[1]);
    tally.told += probe->text[0].len;
    if (strcmp(a, b) == 0) { return true; }
    size_t at = 0;
    while (a[at] == b[at]) {
        at++;
    }
    at = at < 120 ? 0 : at - 120;
    printf("LEAK: viewer %u tells %s from %s by %s:\n  here  %.240s\n  there %.240s\n", viewer,
           wl_unit_facts[probe->u].id, wl_unit_facts[probe->v].id, what, a + at, b + at);
    return false;
}

/* What it would see of both with its next turn begun now, where it has one to think of. */
static bool plans_alike(struct probe *probe, unsigned viewer, const struct cJSON *question)
{
    const struct game *game = game_find("waterloo");
    if (viewer >= probe->seats || (game->to_act(probe->world[0]) >> viewer & 1U) != 0) {
        return true;
    }
    for (unsigned w = 0; w < 2; w++) {
        struct state plan = *probe->world[w];
        struct why why;
        why_clear(&why);
        buf_reset(&probe->text[w]);
        if (!game->plan(&plan, viewer)) {
            buf_append_str(&probe->text[w], "none");
            continue;
        }
        game->view(&plan, viewer, &probe->text[w]);
        game->actions(&plan, viewer, &probe->text[w]);
        size_t len = probe->text[w].len;
        if (game->ask(&plan, viewer, question, &probe->text[w], &why) != ERR_OK) {
            buf_cut(&probe->text[w], len);
            buf_append_str(&probe->text[w], why.text);
        }
        tally.plans++;
    }
    return same_text(probe, "a plan", viewer);
}

/* All that this viewer is shown of both, and can ask. */
static bool looks_alike(struct probe *probe, unsigned viewer, const char *question)
{
    const struct game *game = game_find("waterloo");
    uint32_t to_act[2] = {0, 0}, waits[2] = {0, 0};
    for (unsigned w = 0; w < 2; w++) {
        buf_reset(&probe->text[w]);
        events_write(&probe->events[w], viewer, &probe->text[w]);
        buf_append_char(&probe->text[w], (probe->events[w].told >> viewer & 1U) != 0 ? '1' : '0');
        buf_append_char(&probe->text[w],
                        (probe->events[w].reveals >> viewer & 1U) != 0 ? '1' : '0');
    }
    if (!same_text(probe, "events", viewer)) { return false; }
    for (unsigned w = 0; w < 2; w++) {
        buf_reset(&probe->text[w]);
        game->view(probe->world[w], viewer, &probe->text[w]);
        game->shown(probe->world[w], viewer, &to_act[w], &waits[w]);
        if (viewer < probe->seats) { game->actions(probe->world[w], viewer, &probe->text[w]); }
    }
    if (!same_text(probe, "the view and the forms", viewer)) { return false; }
    if (to_act[0] != to_act[1] || waits[0] != waits[1]) {
        printf("LEAK: viewer %u sees another seat to act\n", viewer);
        return false;
    }
    cJSON *json = NULL;
    if (json_parse(question, strlen(question), &json) != ERR_OK) { abort(); }
    for (unsigned w = 0; w < 2; w++) {
        struct why why;
        why_clear(&why);
        buf_reset(&probe->text[w]);
        enum err err = game->ask(probe->world[w], viewer, json, &probe->text[w], &why);
        if (err != ERR_OK) { buf_reset(&probe->text[w]); }
        buf_append_str(&probe->text[w], err_kind(err));
        buf_append_str(&probe->text[w], err != ERR_OK ? why.text : "");
    }
    tally.questions++;
    bool same = same_text(probe, "an answer", viewer) && plans_alike(probe, viewer, json);
    cJSON_Delete(json);
    return same;
}

static bool all_look_alike(struct probe *probe)
{
    unsigned side = wl_side(probe->u);
    struct buf question;
    bool same = true;
    buf_init(&question, TEXT_MAX);
    known->question(probe->world[0], &probe->random, &question);
    for (unsigned viewer = 0; viewer <= VIEWER_PUBLIC && same; viewer++) {
        bool exists = viewer < probe->seats || viewer == VIEWER_PUBLIC;
        bool own = (wl_own_viewers(probe->world[0], side) >> viewer & 1U) != 0;
        if (exists && !own) { same = looks_alike(probe, viewer, buf_str(&question)); }
    }
    buf_finish(&question);
    return same;
}

/* --- following ------------------------------------------------------------------------------- */

static enum err do_line(struct probe *probe, unsigned w, unsigned seat, const char *action)
{
    struct why why;
    cJSON *json = NULL;
    struct state next = *probe->world[w];
    why_clear(&why);
    events_reset(&probe->events[w]);
    if (json_parse(action, strlen(action), &json) != ERR_OK ||
        json_normalise(json, &why) != ERR_OK) {
        abort();
    }
    enum err err =
        game_find("waterloo")->apply(&next, seat, json, &probe->dice[w], &probe->events[w], &why);
    cJSON_Delete(json);
    if (err != ERR_OK) {
        printf("refused: %s %s %s\n", action, why.rule, why.text);
        return err;
    }
    *probe->world[w] = next;
    dice_next_line(&probe->dice[w]);
    return ERR_OK;
}

/* One line of both. False: over, one of the two was named, or a leak was found. */
static bool go_on(struct probe *probe)
{
    const struct state *here = probe->world[0];
    uint32_t to_act = game_find("waterloo")->to_act(here);
    if (to_act == 0) { return false; }
    unsigned seat = 0;
    do {
        seat = draw_below(&probe->random, probe->seats);
    } while ((to_act >> seat & 1U) == 0);
    if (!play_pick(here, seat, &probe->random, &probe->action)) { abort(); }
    bool owner = wl_side_of_seat(seat) == wl_side(probe->u);
    play_rename(buf_str(&probe->action), owner ? probe->names : NULL, &probe->renamed);
    if (do_line(probe, 0, seat, buf_str(&probe->action)) != ERR_OK ||
        do_line(probe, 1, seat, buf_str(&probe->renamed)) != ERR_OK) {
        tally.leaks++;
        return false;
    }
    for (unsigned w = 0; w < 2; w++) {
        if (is_named(probe->world[w], probe->u) || is_named(probe->world[w], probe->v)) {
            tally.named++;
            return false;
        }
    }
    if (!all_look_alike(probe)) {
        printf("  after seat %u: %s\n  there: %s\n", seat, buf_str(&probe->action),
               buf_str(&probe->renamed));
        tally.leaks++;
        return false;
    }
    return true;
}

/* The measure itself: to those who may know the names the two worlds are not the same. */
static void must_differ_to_the_owner(struct probe *probe)
{
    for (unsigned w = 0; w < 2; w++) {
        buf_reset(&probe->text[w]);
        game_find("waterloo")->view(probe->world[w], VIEWER_ALL, &probe->text[w]);
    }
    const struct wl_unit *a = &probe->world[0]->unit[probe->u],
                         *b = &probe->world[0]->unit[probe->v];
    bool differs = a->town != b->town || a->cv != b->cv;
    if (differs && strcmp(buf_str(&probe->text[0]), buf_str(&probe->text[1])) == 0) { abort(); }
}

/* Follows u and v, from here on under each other's name in the second world. */
static void follow(const struct base *base, unsigned u, unsigned v, uint64_t seed, unsigned lines)
{
    struct probe probe;
    char names[64];
    memset(&probe, 0, sizeof probe);
    probe.u = u;
    probe.v = v;
    probe.seats = base->seats;
    probe.random = seed;
    snprintf(names, sizeof names, "{\"%s\":\"%s\",\"%s\":\"%s\"}", wl_unit_facts[u].id,
             wl_unit_facts[v].id, wl_unit_facts[v].id, wl_unit_facts[u].id);
    probe.names = cJSON_Parse(names);
    buf_init(&probe.action, TEXT_MAX);
    buf_init(&probe.renamed, TEXT_MAX);
    for (unsigned w = 0; w < 2; w++) {
        probe.world[w] = malloc(sizeof *base->now);
        if (probe.world[w] == NULL) { abort(); }
        *probe.world[w] = *base->now;
        probe.dice[w] = base->dice;
        events_init(&probe.events[w]);
        buf_init(&probe.text[w], TEXT_MAX);
    }
    swap(probe.world[1], u, v);
    must_differ_to_the_owner(&probe);
    unsigned done = 0;
    bool parted = false, together = base->now->unit[u].town == base->now->unit[v].town, met = false;
    while (done < lines && go_on(&probe)) {
        done++;
        bool apart = probe.world[0]->unit[u].town != probe.world[0]->unit[v].town;
        parted = parted || (together && apart);
        met = met || (!together && !apart);
    }
    tally.probes[together]++;
    tally.lines += done;
    tally.parted += parted;
    tally.met += met;
    if (done > tally.longest) { tally.longest = done; }
    for (unsigned w = 0; w < 2; w++) {
        free(probe.world[w]);
        events_finish(&probe.events[w]);
        buf_finish(&probe.text[w]);
    }
    buf_finish(&probe.action);
    buf_finish(&probe.renamed);
    cJSON_Delete(probe.names);
}

/* A pair of a kind, in one town if wanted; how many of the kind there are that count alike. */
static bool choose(const struct base *base, bool in_one_town, uint64_t *random, unsigned *out_u,
                   unsigned *out_v)
{
    const struct state *s = base->now;
    unsigned seen = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        for (unsigned v = u + 1; v < WL_UNITS; v++) {
            bool placed = s->unit[u].town != WL_NONE && s->unit[v].town != WL_NONE;
            bool fits = !in_one_town || (placed && s->unit[u].town == s->unit[v].town);
            if (!fits || !is_of_a_kind(s, u, v) || draw_below(random, ++seen) != 0) { continue; }
            *out_u = u;
            *out_v = v;
        }
    }
    return seen > 0;
}

/* Of a town's blocks of one kind each may be each: all their pairs, which make all their orders. */
static void follow_group(const struct base *base, unsigned u, uint64_t seed)
{
    const struct state *s = base->now;
    unsigned list[WL_UNITS], n = 0;
    for (unsigned v = 0; v < WL_UNITS; v++) {
        bool here = s->unit[v].town == s->unit[u].town && (v == u || is_of_a_kind(s, u, v));
        if (here) { list[n++] = v; }
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = i + 1; k < n; k++) {
            follow(base, list[i], list[k], seed, LINES_MAX / 4);
        }
    }
    tally.groups[n < 8 ? n : 8]++;
}

int follow_run(uint64_t seed, unsigned matches)
{
    unsigned failed = 0;
    for (unsigned i = 0; i < matches; i++) {
        struct base base;
        unsigned u = 0, v = 0, before = tally.leaks;
        base_begin(&base, seed + i);
        for (unsigned p = 0; p < PROBES; p++) {
            uint64_t probe_seed = draw_next(&base.random);
            /* From the set-up on (or a start in the field), wherever they stand; then in one town.
             */
            bool in_one_town = p > 0;
            if (choose(&base, in_one_town, &base.random, &u, &v)) {
                if (p == 3) {
                    follow_group(&base, u, probe_seed);
                } else {
                    follow(&base, u, v, probe_seed, LINES_MAX);
                }
            }
            if (!base_go_on(&base, 1 + draw_below(&base.random, 40))) { break; }
        }
        base_end(&base);
        if (tally.leaks > before) {
            printf("  in the match of seed %llu\n", (unsigned long long)(seed + i));
            failed++;
        }
        if (failed > 3) { break; }
    }
    printf(
        "%llu pairs followed from one town, %llu from anywhere; %llu lines, the longest %llu; %llu "
        "until one was named; %llu parted, %llu met\n",
        (unsigned long long)tally.probes[1], (unsigned long long)tally.probes[0],
        (unsigned long long)tally.lines, (unsigned long long)tally.longest,
        (unsigned long long)tally.named, (unsigned long long)tally.parted,
        (unsigned long long)tally.met);
    printf("%llu MB held against each other, %llu questions, %llu plans; groups whose blocks could "
           "each be each, "
           "by size:",
           (unsigned long long)(tally.told >> 20), (unsigned long long)tally.questions,
           (unsigned long long)tally.plans);
    for (unsigned n = 2; n < 9; n++) {
        printf(" %u: %llu", n, (unsigned long long)tally.groups[n]);
    }
    printf("\n");
    bool enough = tally.parted > matches / 4 && tally.met > 0;
    if (!enough) { printf("hardly any pair parted: nothing was put to the test\n"); }
    printf("%u passed, %u failed\n", matches - failed, failed + !enough);
    return failed == 0 && enough ? 0 : 1;
}
