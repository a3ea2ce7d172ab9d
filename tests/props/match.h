/* tests/props/match.h: what must hold in a random match of any game (STYLE section 6), and how such
 * a match is played; a game gives what is its own and adds tests of its own.
 *
 * VEDETTE_MATCHES (default 100) scales all tests, VEDETTE_SEED (default 1) is the first seed: match
 * i of a test has seed VEDETTE_SEED + i and is played again from it alone with VEDETTE_MATCHES=1.
 * VEDETTE_LEAST: no test plays more than that for its own sake, and every seventh seed is taken.
 */
#ifndef VEDETTE_TESTS_PROPS_MATCH_H
#define VEDETTE_TESTS_PROPS_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <check.h>
#include <cjson/cJSON.h>

#include "tests/props/kit.h"

enum { MATCH_TEXT_MAX = 1 << 20 };

/* One part of the matches, at least min: for tests that do much at every line. */
struct match_share {
    unsigned part, min;
};

struct match_game {
    const char *name;
    unsigned lines_max; /* random play ends before so many */
    /* By seed, static: options, and a position to begin at, or NULL: at the set-up. */
    const char *(*options)(uint64_t seed);
    const char *(*start)(uint64_t seed);
    /* One of the forms, drawn so that matches come to something. */
    const cJSON *(*any_form)(struct kit *kit, const cJSON *forms);
    const char *result;       /* a member that every result has, in quotes */
    const char *const *words; /* kinds of lines that are counted, ended by NULL */
    bool (*is_word)(const char *line, const char *word);
    unsigned picks;       /* from every form */
    bool has_quiet_lines; /* some lines tell a viewer nothing */
    /* Spoils an action (or a position) in one place; how many are tried at a line, of which form
     * (NULL: any), and what the numbers of the rules begin with. */
    void (*mutate)(struct kit *kit, cJSON *action);
    unsigned mutants;
    const cJSON *(*mutant_form)(struct kit *kit, const cJSON *forms);
    const char *rules_begin;
    bool turn_is_cited; /* whoever acts out of turn is told a rule */
    /* Questions about units, own and not: all answers and refusals into out. */
    void (*ask)(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out);
    /* The action of seat as an enemy of the viewer might as well have written it; may be NULL. */
    void (*rewrite)(struct kit *kit, unsigned viewer, unsigned seat, struct buf *text);
    struct match_share all_picks, quiet, spoilt, twins, kept;
    void (*add)(TCase *tests); /* its own tests */
};

/* Runs all tests; for main to return. */
int match_main(const struct match_game *game);

unsigned match_count(struct match_share share);
/* The seed of match i. */
uint64_t match_seed(unsigned i);
void match_begin(struct kit *kit, uint64_t seed);
bool match_is_over(const struct kit *kit);
/* Fails when the match goes on for too long. */
void match_must_end(const struct kit *kit);
/* The action is tried, accepted, and leaves a sound state. */
void match_must_accept(struct kit *kit, unsigned seat, const char *action);
/* Picks and tries one action of a seat that may act; it is for the caller to commit. */
const char *match_pick(struct kit *kit, unsigned *out_seat);
/* Plays a match to its end; each (or NULL) is called before every line. Gives the lines. */
unsigned match_play_out(struct kit *kit, void (*each)(struct kit *kit));

/* The viewers of a match: its seats, the public, and one of all. */
bool match_is_viewer(const struct kit *kit, unsigned viewer);
/* All that one viewer can see of a state. */
void match_look(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out);
/* One question and what is answered to it, refusals too. */
void match_ask(const struct kit *kit, const struct state *s, unsigned viewer, const char *question,
               struct buf *out);

/* Seconds of this process's CPU. */
double match_now_s(void);

#endif
