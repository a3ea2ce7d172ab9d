/* tests/oracle/oracle.c: no viewer can tell a match from its twin, whatever it is sent (DESIGN
 * section 4).
 *
 * oracle [--game NAME] [--steps N] [--seed N] [--leaks | --leak N | --reach | --follow]: plays
 * pairs of twins until they have gone so many steps (VEDETTE_ORACLE_STEPS, VEDETTE_SEED); --leaks
 * instead plants leaks, each of which must be found;
 * --leak N plants one of them and tells of it as it would of a real one; --reach asks whether all
 * that is hidden varies among twins; --follow whether blocks can be followed by who remembers all
 * (both of Waterloo alone).
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/base/log.h"
#include "tests/oracle/follow.h"
#include "tests/oracle/games.h"
#include "tests/oracle/known.h"
#include "tests/oracle/pair.h"
#include "tests/oracle/play.h"
#include "tests/oracle/reach.h"

enum {
    PAIRS_OF_WORLDS = 100,
    PAIR_STEPS = 60,
    ACCOUNTS = 5,
    SHRINK_S = 60,
    LEAK_PAIRS = 400,
    PROGRESS_STEPS = 50000
};

struct oracle {
    struct world *worlds[2];
    char token_text[ACCOUNTS][2][64];
    const char *tokens[ACCOUNTS][2];
    unsigned pairs_here;
    /* What it came to. */
    uint64_t steps, pairs, leaks, loads;
    uint64_t ends[PAIR_ENDS], end_steps[PAIR_ENDS], lives[PAIR_STEPS + 1];
    uint64_t by_viewer[VIEWERS], compared_steps;
};

/* --- the two worlds -------------------------------------------------------------------------- */

static void sign_up(struct oracle *oracle, unsigned w, unsigned account)
{
    static const char *const names[ACCOUNTS] = {"Napoleon", "Wellington", "Bluecher", "Looker",
                                                "Stranger"};
    static const unsigned clients[ACCOUNTS][2] = {{MAIN, SECOND},
                                                  {MAIN + 1, SECOND + 1},
                                                  {MAIN + 2, SECOND + 2},
                                                  {SPECTATOR, CLIENTS},
                                                  {STRANGER, CLIENTS}};
    struct world *world = oracle->worlds[w];
    char frame[256], *token = oracle->token_text[account][w];
    world_connect(world, clients[account][0]);
    snprintf(frame, sizeof frame,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"account.register\",\"params\":{\"name\":"
             "\"%s\",\"password\":\"waterloo 1815\"}}",
             names[account]);
    world_send(world, clients[account][0], frame, false);
    world_settle(world);
    const char *at = strstr(world_last(world, clients[account][0]), "\"token\":\"");
    if (at == NULL) { abort(); }
    snprintf(token, 64, "%.43s", at + 9);
    oracle->tokens[account][w] = token;
    if (clients[account][1] == CLIENTS) { return; }
    world_connect(world, clients[account][1]);
    snprintf(frame, sizeof frame,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"account.resume\",\"params\":{\"token\":\"%"
             "s\"}}",
             token);
    world_send(world, clients[account][1], frame, false);
    world_settle(world);
}

static void open_worlds(struct oracle *oracle)
{
    for (unsigned w = 0; w < 2; w++) {
        oracle->worlds[w] = world_open(w, hosted_games(w));
        for (unsigned i = 0; i < ACCOUNTS; i++) {
            sign_up(oracle, w, i);
        }
        world_connect(oracle->worlds[w], GUEST);
        world_forget(oracle->worlds[w]);
    }
    oracle->pairs_here = 0;
}

static void close_worlds(struct oracle *oracle)
{
    for (unsigned w = 0; w < 2; w++) {
        oracle->loads += world_close(oracle->worlds[w]);
    }
    hosted_forget_starts();
}

/* --- pairs ----------------------------------------------------------------------------------- */

static enum pair_end play_pair(struct oracle *oracle, const struct base *base, unsigned viewer,
                               uint64_t seed, bool tell)
{
    /* Some end early, so that there is a match that tells its seats alone how it was. */
    static const unsigned budgets[4] = {PAIR_STEPS, PAIR_STEPS, PAIR_STEPS / 2, PAIR_STEPS / 12};
    struct pair pair;
    memset(&pair, 0, sizeof pair);
    if (oracle->pairs_here == PAIRS_OF_WORLDS) {
        close_worlds(oracle);
        open_worlds(oracle);
    }
    oracle->pairs_here++;
    memcpy(pair.worlds, oracle->worlds, sizeof pair.worlds);
    pair.tokens = oracle->tokens;
    pair_make(&pair, base->now, viewer, base->options, seed);
    enum pair_end why = pair_play(&pair, budgets[seed % 4]);
    oracle->pairs++;
    oracle->steps += pair.steps;
    oracle->ends[why]++;
    oracle->end_steps[why] += pair.steps;
    oracle->lives[pair.steps < PAIR_STEPS ? pair.steps : PAIR_STEPS]++;
    oracle->by_viewer[viewer] += pair.steps;
    if (why == PAIR_LEAK || why == PAIR_UNDONE || why == PAIR_STUCK) {
        oracle->leaks++;
        if (tell && why == PAIR_LEAK) { pair_report(&pair, SHRINK_S); }
        if (tell && why != PAIR_LEAK) {
            printf("%s: seed %llu viewer %u\n", pair_end_names[why], (unsigned long long)seed,
                   viewer);
            pair_print(&pair, NULL);
        }
    }
    pair_finish(&pair);
    return why;
}

/* Pairs along one match of that seed, until the oracle has gone so many steps or found a leak. */
static bool play_match(struct oracle *oracle, uint64_t seed, uint64_t steps, uint64_t pairs,
                       bool tell)
{
    struct base base;
    bool found = false;
    base_begin(&base, seed);
    unsigned lines = draw_below(&base.random, 40);
    while (!found && oracle->steps < steps && oracle->pairs < pairs && base_go_on(&base, lines)) {
        bool seeks = draw_below(&base.random, 4) ==
                     0; /* answers to attacks: much is hidden, for few lines */
        for (unsigned i = 0; seeks && i < 60 && !known->is_rich(base.now); i++) {
            if (!base_go_on(&base, 1)) { break; }
        }
        if (known->game->to_act(base.now) == 0) { break; }
        unsigned viewer = draw_below(&base.random, base.seats + 1);
        if (viewer == base.seats) { viewer = VIEWER_PUBLIC; }
        uint64_t pair_seed = draw_next(&base.random);
        found = play_pair(oracle, &base, viewer, pair_seed, tell) >= PAIR_STUCK;
        if (found && tell) { printf("  from VEDETTE_SEED=%llu\n", (unsigned long long)seed); }
        lines = 1 + draw_below(&base.random, 60);
        if (base.lines > 1500) { break; }
    }
    base_end(&base);
    return found;
}

static void print_lives(const struct oracle *oracle)
{
    printf("%llu pairs, %llu twin steps, %llu leaks; steps by viewer: FR %llu, AL or AD %llu, PR "
           "%llu, "
           "public %llu\n",
           (unsigned long long)oracle->pairs, (unsigned long long)oracle->steps,
           (unsigned long long)oracle->leaks, (unsigned long long)oracle->by_viewer[0],
           (unsigned long long)oracle->by_viewer[1], (unsigned long long)oracle->by_viewer[2],
           (unsigned long long)oracle->by_viewer[VIEWER_PUBLIC]);
    for (unsigned i = 0; i < PAIR_ENDS; i++) {
        if (oracle->ends[i] == 0) { continue; }
        printf("  ended as %-16s %6llu pairs, after %.1f steps on average\n", pair_end_names[i],
               (unsigned long long)oracle->ends[i],
               (double)oracle->end_steps[i] / (double)oracle->ends[i]);
    }
    uint64_t left = oracle->pairs;
    printf("  pairs that live for n steps:");
    for (unsigned i = 0; i <= PAIR_STEPS; i++) {
        if (i == 1 || i == 2 || i == 5 || i == 10 || i == 20 || i == 40 || i == PAIR_STEPS) {
            printf(" %u: %llu", i, (unsigned long long)left);
        }
        left -= oracle->lives[i];
    }
    printf(
        "\n  done: acts %llu, looks %llu, waits %llu, drafts in one world %llu, looks meanwhile "
        "%llu, losses "
        "allotted in one world %llu, notes and drafts in one world %llu, undo after telling "
        "refused "
        "%llu\n",
        (unsigned long long)pair_counts.ops[OP_ACT], (unsigned long long)pair_counts.ops[OP_LOOK],
        (unsigned long long)pair_counts.ops[OP_WAIT], (unsigned long long)pair_counts.ops[OP_DRAFT],
        (unsigned long long)pair_counts.amid_draft, (unsigned long long)pair_counts.ops[OP_ALLOT],
        (unsigned long long)pair_counts.ops[OP_PAPER], (unsigned long long)pair_counts.undo_tried);
    printf(
        "  compared: answers %llu, refusals %llu, views %llu, deltas %llu, talk %llu, turns %llu; "
        "%llu MB\n",
        (unsigned long long)pair_counts.said[0], (unsigned long long)pair_counts.said[1],
        (unsigned long long)pair_counts.said[2], (unsigned long long)pair_counts.said[3],
        (unsigned long long)pair_counts.said[4], (unsigned long long)pair_counts.said[5],
        (unsigned long long)(pair_counts.bytes >> 20));
    printf("  matches read back from the store %llu times, looks after the end %llu, offers %llu, "
           "rewinds %llu, answers by orders %llu, shown late %llu\n",
           (unsigned long long)oracle->loads, (unsigned long long)pair_counts.after,
           (unsigned long long)pair_counts.offers, (unsigned long long)pair_counts.rewinds,
           (unsigned long long)pair_counts.ordered, (unsigned long long)pair_counts.late);
    printf("  twin steps that led to:");
    for (unsigned i = 0; i < known->steps; i++) {
        printf(" %s %llu", known->step_id(i), (unsigned long long)pair_counts.steps[i]);
    }
    printf("\n");
}

/* Whether answers take longer in one of the worlds: the difference in units of its standard error.
 */
static void print_times(void)
{
    for (unsigned i = 0; i < PAIR_TIMES; i++) {
        const struct pair_time *time = &pair_counts.times[i];
        if (time->n < 2) { continue; }
        double n = (double)time->n, mean = time->difference / n;
        double error = sqrt((time->squares / n - mean * mean) / n);
        printf("  %s: %llu in both worlds, %.1f us on average, here less there %+.2f us (%.1f "
               "standard "
               "errors)\n",
               pair_timed[i], (unsigned long long)time->n, time->sum / n / 2, mean,
               error > 0 ? mean / error : 0);
    }
}

static int run_pairs(uint64_t seed, uint64_t steps)
{
    struct oracle oracle;
    uint64_t told = 0;
    memset(&oracle, 0, sizeof oracle);
    open_worlds(&oracle);
    printf("seeds from %llu\n", (unsigned long long)seed);
    for (uint64_t i = seed; oracle.steps < steps && oracle.leaks < 3; i++) {
        (void)play_match(&oracle, i, steps, UINT64_MAX, true);
        if (oracle.steps / PROGRESS_STEPS != told) {
            told = oracle.steps / PROGRESS_STEPS;
            printf("%llu twin steps, %llu leaks, next is seed %llu\n",
                   (unsigned long long)oracle.steps, (unsigned long long)oracle.leaks,
                   (unsigned long long)i + 1);
        }
    }
    close_worlds(&oracle);
    print_lives(&oracle);
    print_times();
    printf("%llu passed, %llu failed\n", (unsigned long long)(oracle.pairs - oracle.leaks),
           (unsigned long long)oracle.leaks);
    return oracle.leaks == 0 ? 0 : 1;
}

static int run_leaks(uint64_t seed)
{
    unsigned found = 0, missed = 0;
    for (enum leak leak = LEAK_NONE + 1; leak < LEAKS; leak++) {
        bool by_quiet = leak == LEAK_SEQ || leak == LEAK_EMPTY || leak == LEAK_SEAL;
        if (by_quiet && known->quiet[0] == NULL) { continue; } /* all its lines are told */
        if (leak == LEAK_ORDERS && known->orders[0] == NULL) { continue; }
        struct oracle oracle;
        memset(&oracle, 0, sizeof oracle);
        hosted_set_leak(leak);
        open_worlds(&oracle);
        for (uint64_t i = seed; oracle.pairs < LEAK_PAIRS && oracle.leaks == 0; i++) {
            (void)play_match(&oracle, i, UINT64_MAX, LEAK_PAIRS, false);
        }
        close_worlds(&oracle);
        printf("%s: %s after %llu pairs, %llu steps\n", leak_name(leak),
               oracle.leaks > 0 ? "found" : "NOT FOUND", (unsigned long long)oracle.pairs,
               (unsigned long long)oracle.steps);
        if (oracle.leaks > 0) {
            found++;
        } else {
            missed++;
        }
    }
    printf("%u passed, %u failed\n", found, missed);
    return missed == 0 ? 0 : 1;
}

const struct known *const known_games[] = {&known_waterloo, &known_austerlitz, NULL};
const struct known *known = &known_waterloo;

static bool choose_game(const char *name)
{
    for (unsigned i = 0; known_games[i] != NULL; i++) {
        if (strcmp(known_games[i]->game->name, name) != 0) { continue; }
        known = known_games[i];
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"steps", required_argument, NULL, 'n'}, {"seed", required_argument, NULL, 's'},
        {"leaks", no_argument, NULL, 'l'},       {"leak", required_argument, NULL, 'k'},
        {"reach", no_argument, NULL, 'r'},       {"follow", no_argument, NULL, 'f'},
        {"game", required_argument, NULL, 'g'},  {NULL, 0, NULL, 0}};
    const char *steps_text = getenv("VEDETTE_ORACLE_STEPS"), *seed_text = getenv("VEDETTE_SEED");
    uint64_t steps = steps_text != NULL ? strtoull(steps_text, NULL, 10) : 20000;
    uint64_t seed = seed_text != NULL ? strtoull(seed_text, NULL, 10) : 1;
    bool leaks = false, reach = false, follow = false;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'n') { steps = strtoull(optarg, NULL, 10); }
        if (c == 's') { seed = strtoull(optarg, NULL, 10); }
        if (c == 'l') { leaks = true; }
        if (c == 'k') { hosted_set_leak((enum leak)(strtoul(optarg, NULL, 10) % LEAKS)); }
        if (c == 'r') { reach = true; }
        if (c == 'f') { follow = true; }
        if (c == 'g' && !choose_game(optarg)) { return 2; }
        if (c == '?') { return 2; }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    log_set_level(LOG_WARN);
    if (reach) { return reach_run(seed, 800); }
    if (follow) { return follow_run(seed, 150); }
    return leaks ? run_leaks(seed) : run_pairs(seed, steps);
}
