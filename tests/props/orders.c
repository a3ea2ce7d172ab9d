/* tests/props/orders.c: standing orders of Waterloo in random matches: whatever they say, what they
 * answer is legal, hangs on nothing that the seat may not know, comes only when the seat is asked
 * amid another's turn, and the match ends.
 *
 * VEDETTE_MATCHES (default 60) and VEDETTE_SEED (default 1) as in match.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/wl.h"
#include "tests/props/kit.h"

enum { LINES_MAX = 40000, ORDERS_MAX = 6 };

static unsigned matches = 60;
static uint64_t first_seed = 1;
static unsigned answers, by_step[WL_STEPS];

/* ---- random orders ---- */

static const char *any_town(struct kit *kit)
{
    const struct pmap *map = &wl_boards[kit->now->base].map;
    return map->town_ids[draw_below(&kit->random, map->towns)];
}

/* Some units of the seat, each once. */
static void write_units(struct kit *kit, unsigned seat, const char *name, uint64_t *used,
                        struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned n = draw_below(&kit->random, 10); n > 0; n--) {
        unsigned u = draw_below(&kit->random, WL_UNITS);
        if (wl_seat_of_nation(kit->now, wl_nation(u)) != seat || (*used >> u & 1U) != 0) {
            continue;
        }
        *used |= UINT64_C(1) << u;
        jw_str(out, wl_unit_facts[u].id);
    }
    jw_array_end(out);
}

static void write_bounds(struct kit *kit, const char *name, struct buf *out)
{
    if (draw_below(&kit->random, 3) != 0) { return; }
    unsigned min = draw_below(&kit->random, 8);
    jw_key_object(out, name);
    jw_key_int(out, "min", min);
    if (draw_below(&kit->random, 2) == 0) {
        jw_key_int(out, "max", min + draw_below(&kit->random, 9));
    }
    jw_object_end(out);
}

static void write_when(struct kit *kit, unsigned when, struct buf *out)
{
    static const char *const ids[] = {"attacked", "defending", "pursued",
                                      "routed",   "supply",    "forced"};
    jw_key_object(out, "when");
    jw_key_str(out, "is", ids[when]);
    if (when < 4 && draw_below(&kit->random, 4) == 0) {
        jw_key_array(out, "in");
        for (unsigned n = 1 + draw_below(&kit->random, 20); n > 0; n--) {
            jw_str(out, any_town(kit));
        }
        jw_array_end(out);
    }
    if (when < 2) {
        write_bounds(kit, "by", out);
        write_bounds(kit, "own", out);
        if (draw_below(&kit->random, 3) == 0) {
            jw_key_array(out, "ratio");
            jw_int(out, 1 + draw_below(&kit->random, 3));
            jw_int(out, 1 + draw_below(&kit->random, 3));
            jw_array_end(out);
        }
    }
    jw_object_end(out);
}

/* Routes of single units, mostly along roads from where they stand. */
static void write_routes(struct kit *kit, unsigned seat, struct buf *out)
{
    const struct pmap *map = &wl_boards[kit->now->base].map;
    uint64_t used = 0;
    jw_key_array(out, "routes");
    for (unsigned n = draw_below(&kit->random, 12); n > 0; n--) {
        unsigned u = draw_below(&kit->random, WL_UNITS), at = kit->now->unit[u].town;
        if (wl_seat_of_nation(kit->now, wl_nation(u)) != seat || (used >> u & 1U) != 0) {
            continue;
        }
        used |= UINT64_C(1) << u;
        if (at == WL_NONE) { at = draw_below(&kit->random, map->towns); }
        unsigned length = 1 + draw_below(&kit->random, WL_PATH_MAX);
        jw_object_begin(out);
        jw_key_array(out, "path");
        for (unsigned i = 0; i < length; i++) {
            at = map->link[at][draw_below(&kit->random, map->degree[at])].town;
            jw_str(out, map->town_ids[at]);
        }
        jw_array_end(out);
        jw_key_str(out, "unit", wl_unit_facts[u].id);
        if (draw_below(&kit->random, 2) == 0) {
            jw_key_bool(out, "forced", draw_below(&kit->random, 2) == 0);
        }
        jw_object_end(out);
    }
    jw_array_end(out);
}

static void write_ways(struct kit *kit, unsigned seat, struct buf *out)
{
    if (draw_below(&kit->random, 3) == 0) { write_routes(kit, seat, out); }
    if (draw_below(&kit->random, 2) == 0) {
        uint64_t used = 0;
        const struct pmap *map = &wl_boards[kit->now->base].map;
        jw_key_array(out, "to");
        for (unsigned n = draw_below(&kit->random, 12); n > 0; n--) {
            unsigned t = draw_below(&kit->random, map->towns);
            if ((used >> t & 1U) != 0) { continue; }
            used |= UINT64_C(1) << t;
            jw_str(out, map->town_ids[t]);
        }
        jw_array_end(out);
    }
    if (draw_below(&kit->random, 2) == 0) {
        jw_key_str(out, "else", draw_below(&kit->random, 3) == 0 ? "ask" : "any");
    }
}

static void write_columns(struct kit *kit, unsigned seat, struct buf *out)
{
    static const char *const rests[] = {"1", "2", "3", "reserve", "spread", "ask"};
    static const char *const names[] = {"1", "2", "3", "reserve"};
    uint64_t used = 0;
    if (draw_below(&kit->random, 2) == 0) {
        jw_key_object(out, "columns");
        for (unsigned i = 0; i < 4; i++) {
            if (draw_below(&kit->random, 4) != 0) { write_units(kit, seat, names[i], &used, out); }
        }
        jw_object_end(out);
    }
    if (draw_below(&kit->random, 3) != 0) {
        jw_key_str(out, "rest", rests[draw_below(&kit->random, 6)]);
    }
}

static void write_do(struct kit *kit, unsigned seat, unsigned when, struct buf *out)
{
    static const char *const ids[] = {"respond",     "deploy", "allot",
                                      "rout_routes", "remove", "only"};
    uint64_t used = 0;
    bool fights = when == 0 && draw_below(&kit->random, 2) == 0;
    jw_key_object(out, "do");
    jw_key_str(out, "do", ids[when]);
    if (when == 0) { jw_key_str(out, "choice", fights ? "fight" : "retreat"); }
    if (fights || when == 1) {
        write_columns(kit, seat, out);
    } else if (when == 0 || when == 3) {
        write_ways(kit, seat, out);
    } else if (when == 2 || when == 4) {
        write_units(kit, seat, "units", &used, out);
        if (when == 2 && draw_below(&kit->random, 2) == 0) { jw_key_bool(out, "spare", false); }
        if (when == 4 && draw_below(&kit->random, 2) == 0) { jw_key_str(out, "else", "any"); }
    }
    jw_object_end(out);
}

/* A list that the game must take. */
static cJSON *any_orders(struct kit *kit, unsigned seat)
{
    struct buf *out = &kit->scratch;
    cJSON *orders = NULL;
    struct why why;
    buf_reset(out);
    why_clear(&why);
    jw_array_begin(out);
    for (unsigned n = draw_below(&kit->random, ORDERS_MAX + 1); n > 0; n--) {
        unsigned when = draw_below(&kit->random, 6);
        jw_object_begin(out);
        write_when(kit, when, out);
        write_do(kit, seat, when, out);
        jw_object_end(out);
    }
    jw_array_end(out);
    if (json_parse(buf_str(out), out->len, &orders) != ERR_OK ||
        json_normalise(orders, &why) != ERR_OK) {
        kit_fail(kit, seat, NULL, "orders that are no JSON", buf_str(out));
    }
    kit->why = why;
    if (kit->game->orders(kit->now, seat, orders, &kit->why) != ERR_OK) {
        kit_fail(kit, seat, NULL, "orders are refused", buf_str(out));
    }
    return orders;
}

/* ---- what must hold ---- */

/* What the orders answer in that state; false: nothing. */
static bool obeys(struct kit *kit, const struct state *s, unsigned seat, const cJSON *orders,
                  struct buf *out)
{
    buf_reset(out);
    return kit->game->obey(s, seat, orders, out) == ERR_OK;
}

/* A state that differs only in what the seat may not know gives the same answer. */
static void must_know_no_more(struct kit *kit, unsigned seat, const cJSON *orders, bool found,
                              const char *action)
{
    struct state *twin = calloc(1, kit->game->state_bytes);
    struct dice dice = kit->dice;
    struct buf names, there;
    buf_init(&names, 1 << 16);
    buf_init(&there, 1 << 16);
    dice.mask = draw_next(&kit->random) >> 8;
    kit->game->twin(kit->now, seat, &dice, twin, &names);
    bool also = obeys(kit, twin, seat, orders, &there);
    if (also != found || (found && strcmp(action, buf_str(&there)) != 0)) {
        kit_fail(kit, seat, action, "orders know more than their seat", buf_str(&there));
    }
    free(twin);
    buf_finish(&names);
    buf_finish(&there);
}

/* One seat's orders are looked at, as the host does after each line. True: they answered. */
static bool look_at(struct kit *kit, unsigned seat, struct buf *action)
{
    cJSON *orders = any_orders(kit, seat);
    bool asked = (kit->game->interrupts(kit->now) & kit->game->to_act(kit->now)) >> seat & 1U;
    bool found = obeys(kit, kit->now, seat, orders, action);
    char *text = strdup(buf_str(action));
    if (found && !asked) { kit_fail(kit, seat, text, "orders answer what nobody asked", NULL); }
    if (asked || draw_below(&kit->random, 8) == 0) {
        must_know_no_more(kit, seat, orders, found, text);
    }
    cJSON_Delete(orders);
    if (found) {
        if (kit_try(kit, seat, text) != ERR_OK) {
            kit_fail(kit, seat, text, "what orders answer is refused", NULL);
        }
        answers++;
        by_step[kit->now->step]++;
        kit_commit(kit, seat, text);
    }
    free(text);
    return found;
}

static const char *options_of(uint64_t seed)
{
    static char text[128];
    snprintf(text, sizeof text,
             "{\"players\":%d,\"morale\":%s,\"command_control\":%s,\"turns\":%d}",
             seed % 2 == 0 ? 2 : 3, (seed / 2) % 2 == 0 ? "false" : "true",
             (seed / 4) % 2 == 0 ? "false" : "true", seed % 3 == 0 ? 24 : 12);
    return text;
}

/* Armies in a few stacks side by side: attacks from the first turn on. */
static const char *start_of(uint64_t seed)
{
    static char text[4096];
    enum { STACKS = 4 };
    uint64_t random = seed ^ UINT64_C(0x0dde5);
    const struct pmap *map = &wl_boards[seed % 2].map;
    unsigned towns[2][STACKS], at = draw_below(&random, map->towns);
    uint64_t taken = 0;
    for (unsigned i = 0; i < 2 * STACKS; i++) {
        while ((taken >> at & 1U) != 0) {
            at = map->link[at][draw_below(&random, map->degree[at])].town;
        }
        taken |= UINT64_C(1) << at;
        towns[i % 2][i / 2] = at;
    }
    size_t n = (size_t)snprintf(text, sizeof text, "{\"base\":\"%s\",\"slot\":1,\"units\":{",
                                seed % 2 == WL_BASE_REAL ? "real" : "fixture");
    for (unsigned u = 0; u < WL_UNITS; u++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":{\"town\":\"%s\"}",
                              u == 0 ? "" : ",", wl_unit_facts[u].id,
                              map->town_ids[towns[u < 18 ? 0 : 1][draw_below(&random, STACKS)]]);
    }
    snprintf(text + n, sizeof text - n, "}}");
    return text;
}

/* Some action of whoever may act, from its forms. */
static void play_line(struct kit *kit)
{
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    const char *action = kit_pick(kit, forms);
    cJSON_Delete(forms);
    if (kit_try(kit, seat, action) != ERR_OK) {
        kit_fail(kit, seat, action, "a form is refused", NULL);
    }
    kit_commit(kit, seat, action);
}

START_TEST(orders_answer_legally_by_what_their_seat_knows)
{
    struct buf action;
    buf_init(&action, 1 << 16);
    for (unsigned i = 0; i < matches; i++) {
        struct kit kit;
        kit_begin(&kit, "waterloo", options_of(first_seed + i),
                  (first_seed + i) % 4 == 3 ? NULL : start_of(first_seed + i), first_seed + i);
        while (kit.game->to_act(kit.now) != 0) {
            bool answered = false;
            for (unsigned n = 0; n < 4 * kit.seats && !answered; n++) {
                uint32_t asked = kit.game->interrupts(kit.now);
                if (n >= kit.seats && asked == 0) { break; }
                answered = look_at(&kit, n % kit.seats, &action);
            }
            if (!answered) { play_line(&kit); }
            if (kit.count > LINES_MAX) {
                kit_fail(&kit, SEATS_MAX, NULL, "play does not end", NULL);
            }
        }
        kit_end(&kit);
    }
    buf_finish(&action);
    printf("%u answers by orders:", answers);
    for (unsigned i = 0; i < WL_STEPS; i++) {
        if (by_step[i] > 0) { printf(" %s %u", wl_step_id(i), by_step[i]); }
    }
    printf("\n");
    /* A test in which orders never answer would hold little. */
    static const unsigned all[] = {WL_RESPOND, WL_PURSUIT_LOSS, WL_DEPLOY_DEF, WL_COMBAT,
                                   WL_SUPPLY};
    for (unsigned i = 0; i < 5 && matches >= 60; i++) {
        ck_assert_msg(by_step[all[i]] > 0, "no answer in %s", wl_step_id(all[i]));
    }
}
END_TEST

/* The orders that a caretaker would leave, "any" everywhere, answer all that can be asked so. */
START_TEST(orders_for_everything_leave_nothing_to_be_asked)
{
    static const char all[] =
        "[{\"do\":{\"choice\":\"fight\",\"do\":\"respond\",\"rest\":\"spread\"},\"when\":{\"is\":"
        "\"attacked\"}},{\"do\":{\"choice\":\"retreat\",\"do\":\"respond\"},\"when\":{\"is\":"
        "\"attacked\"}},{\"do\":{\"do\":\"deploy\",\"rest\":\"spread\"},\"when\":{\"is\":"
        "\"defending\"}},{\"do\":{\"do\":\"allot\"},\"when\":{\"is\":\"pursued\"}},{\"do\":{\"do\":"
        "\"rout_routes\"},\"when\":{\"is\":\"routed\"}},{\"do\":{\"do\":\"remove\"},\"when\":{"
        "\"is\":\"supply\"}}]";
    cJSON *orders = NULL;
    struct buf action;
    buf_init(&action, 1 << 16);
    ck_assert_int_eq(json_parse(all, sizeof all - 1, &orders), ERR_OK);
    for (unsigned i = 0; i < matches / 2 + 1; i++) {
        struct kit kit;
        kit_begin(&kit, "waterloo", options_of(first_seed + i), start_of(first_seed + i),
                  first_seed + i);
        while (kit.game->to_act(kit.now) != 0) {
            uint32_t asked = kit.game->interrupts(kit.now) & kit.game->to_act(kit.now);
            if (asked == 0) {
                play_line(&kit);
                continue;
            }
            /* An ally may have to go first (W18.6). */
            unsigned done = 0;
            for (unsigned seat = 0; seat < kit.seats && done == 0; seat++) {
                if ((asked >> seat & 1U) == 0) { continue; }
                if (!obeys(&kit, kit.now, seat, orders, &action)) { continue; }
                ck_assert_int_eq(kit_try(&kit, seat, buf_str(&action)), ERR_OK);
                kit_commit(&kit, seat, buf_str(&action));
                done = 1;
            }
            if (done == 0) { kit_fail(&kit, SEATS_MAX, NULL, "something is asked", NULL); }
        }
        kit_end(&kit);
    }
    cJSON_Delete(orders);
    buf_finish(&action);
}
END_TEST

int main(void)
{
    const char *env = getenv("VEDETTE_MATCHES");
    if (env != NULL) { matches = (unsigned)strtoul(env, NULL, 10); }
    if (matches == 0) { matches = 1; }
    env = getenv("VEDETTE_SEED");
    if (env != NULL) { first_seed = strtoull(env, NULL, 10); }
    printf("seed %llu, %u matches\n", (unsigned long long)first_seed, matches);
    fflush(stdout);
    Suite *suite = suite_create("standing orders of waterloo");
    TCase *tests = tcase_create("orders");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, orders_answer_legally_by_what_their_seat_knows);
    tcase_add_test(tests, orders_for_everything_leave_nothing_to_be_asked);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
