/* tests/oracle/known_austerlitz.c: Austerlitz as the oracle knows it. */
#include <stdio.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "common/rules/austerlitz/au.h"
#include "tests/oracle/known.h"
#include "tests/oracle/play.h"

extern const struct game game_austerlitz;

/* Semi-blind in three of four: where nothing is hidden nothing can leak but by what is odd. */
static const char *options_of(uint64_t seed)
{
    static char text[160];
    static const char *const situations[] = {"\"situation\":\"1805\"", "\"situation\":\"1809\"",
                                             "\"situation\":\"1809\",\"guard_1805\":true",
                                             "\"situation\":\"1813\"",
                                             "\"situation\":\"1813\",\"guard_1805\":true"};
    snprintf(text, sizeof text, "{\"information\":\"%s\",%s,\"strengths\":\"%s\"}",
             seed % 4 == 0 ? "informed" : "semi-blind", situations[seed / 4 % 5],
             seed / 2 % 2 == 0 ? "printed" : "dealt");
    return text;
}

/* A crowd with some units gone, or the start of the battle. */
static const char *start_of(uint64_t seed)
{
    static char text[8192];
    if (seed % 3 == 0) { return NULL; }
    uint64_t random = seed ^ UINT64_C(0xf1e1d);
    bool dealt = seed / 2 % 2 != 0, taken[AU_HEXES] = {false};
    unsigned spread = 9 + draw_below(&random, 8), lost = 0;
    int column = 1 + (int)draw_below(&random, 44 - spread);
    int row = 1 + (int)draw_below(&random, 34 - spread);
    size_t n = (size_t)snprintf(text, sizeof text, "{\"turn\":%u,\"side\":\"%s\",\"units\":{",
                                1 + draw_below(&random, 12),
                                draw_below(&random, 2) == 0 ? "allied" : "french");
    for (unsigned u = 0; u < AU_UNITS; u++) {
        unsigned hex = 0;
        do {
            hex = hex_at(&au_grid, column + (int)draw_below(&random, spread),
                         row + (int)draw_below(&random, spread));
        } while (taken[hex]);
        taken[hex] = true;
        char place[32], where[HEX_TEXT], potential[24] = "";
        hex_text(&au_grid, hex, where);
        snprintf(place, sizeof place, "\"hex\":\"%s\"", where);
        if (lost < 50 && draw_below(&random, 7) == 0) {
            lost += au_unit_facts[u].combat;
            snprintf(place, sizeof place, "\"box\":\"%s\"",
                     draw_below(&random, 2) == 0 ? "eliminated" : "withdrawn");
        }
        if (dealt) {
            snprintf(potential, sizeof potential, ",\"potential\":%u", au_unit_facts[u].combat);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":{%s%s}", u == 0 ? "" : ",",
                              au_unit_facts[u].id, place, potential);
    }
    snprintf(text + n, sizeof text - n, "}}");
    return text;
}

/* Moves before the end of the movement, attacks before the least plan. */
static unsigned taste(const struct state *s, const cJSON *form)
{
    (void)s;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(form, "do");
    if (cJSON_GetObjectItemCaseSensitive(form, "exit_edge") != NULL) { return 0; }
    return strcmp(name->valuestring, "end_move") != 0;
}

static unsigned greed(const struct state *s)
{
    return s->step == AU_MOVE ? 8 : 2;
}

static const char *any_hex(const struct state *s, uint64_t *random)
{
    static char text[4][HEX_TEXT];
    static unsigned next;
    char *out = text[next++ % 4];
    unsigned hex = s->unit[draw_below(random, AU_UNITS)].hex;
    if (hex == HEX_NONE || draw_below(random, 4) == 0) { hex = draw_below(random, AU_HEXES); }
    hex_text(&au_grid, hex, out);
    return out;
}

static const char *any_word(const struct state *s, uint64_t *random)
{
    static const char *const words[] = {"",   "move", "declare", "west", "east",  "BR06",   "9999",
                                        "2X", "stay", "advance", "x",    "north", "retreat"};
    switch (draw_below(random, 3)) {
    case 0: return au_unit_facts[draw_below(random, AU_UNITS)].id;
    case 1: return any_hex(s, random);
    default: return words[draw_below(random, sizeof words / sizeof words[0])];
    }
}

static const char *any_unit(const struct state *s, uint64_t *random)
{
    return draw_below(random, 2) == 0 ? any_hex(s, random)
                                      : au_unit_facts[draw_below(random, AU_UNITS)].id;
}

static void key_list(const struct state *s, const char *name, uint64_t *random, struct buf *out)
{
    jw_key_array(out, name);
    jw_str(out, any_unit(s, random));
    jw_array_end(out);
}

static void question(const struct state *s, uint64_t *random, struct buf *out)
{
    static const char *const kinds[] = {"reach",    "retreats",  "move",       "bombard",
                                        "ice_shot", "control",   "exchange",   "advances",
                                        "odds",     "encircled", "obligations"};
    unsigned kind = draw_below(random, 11);
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "ask", kinds[kind]);
    if (kind <= 4) { jw_key_str(out, "unit", any_unit(s, random)); }
    if (kind == 2) {
        jw_key_array(out, "path");
        jw_str(out, any_hex(s, random));
        jw_array_end(out);
    }
    if (kind >= 3 && kind <= 5) { jw_key_str(out, "hex", any_hex(s, random)); }
    if (kind == 5 || kind >= 9) {
        jw_key_str(out, "side", draw_below(random, 2) == 0 ? "french" : "allied");
    }
    if (kind == 8) {
        key_list(s, "contact", random, out);
        key_list(s, "defenders", random, out);
    }
    jw_object_end(out);
}

/* ---- what is hidden (15.3, 15.4) ---- */

static bool is_hidden(const struct state *s, unsigned viewer, unsigned u)
{
    bool own = viewer == VIEWER_ALL || (viewer < 2 && (viewer == 0) == (u < AU_FRENCH_UNITS));
    uint64_t hand = s->hand.contact | s->hand.bombard | s->hand.defenders;
    return s->semi_blind != 0 && !own && s->unit[u].place == AU_ON_MAP && (hand >> u & 1U) == 0;
}

static unsigned hidden_sum(const struct state *s, unsigned viewer)
{
    unsigned sum = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (is_hidden(s, viewer, u)) { sum += (u + 1) * s->unit[u].hex * s->unit[u].potential; }
    }
    return sum;
}

static void hint(const struct state *s, unsigned viewer, struct buf *out)
{
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (!is_hidden(s, viewer, u)) { continue; }
        jw_key_int(out, "hint", s->unit[u].hex);
        break;
    }
}

static void pieces(const struct state *s, unsigned viewer, struct buf *out)
{
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (is_hidden(s, viewer, u)) { jw_int(out, s->unit[u].hex); }
    }
}

/* ---- steps ---- */

static unsigned step_of(const struct state *s)
{
    return s->step;
}

static const char *step_id(unsigned step)
{
    return au_step_ids[step];
}

/* 15.6: the score tells the rest. */
static bool end_tells(unsigned step)
{
    (void)step;
    return true;
}

/* Before the first dice of a phase. */
static bool is_rich(const struct state *s)
{
    return s->step == AU_DECLARE;
}

static bool goes_alone(const struct state *s)
{
    (void)s;
    return false;
}

static const char *const quiet[] = {NULL}; /* every line is told to all */
static const char *const orders[] = {NULL};

const struct known known_austerlitz = {
    .game = &game_austerlitz,
    .options = options_of,
    .start = start_of,
    .idle = "{\"do\":\"advance\",\"moves\":{}}",
    .absent = "{\"do\":\"end_move\"}",
    .step = step_of,
    .step_id = step_id,
    .steps = AU_STEPS,
    .end_tells = end_tells,
    .is_rich = is_rich,
    .goes_alone = goes_alone,
    .taste = taste,
    .greed = greed,
    .quiet = quiet,
    .orders = orders,
    .shuffles = false,
    .word = any_word,
    .question = question,
    .hidden_sum = hidden_sum,
    .hint = hint,
    .pieces = pieces,
};
