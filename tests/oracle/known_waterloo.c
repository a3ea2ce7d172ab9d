/* tests/oracle/known_waterloo.c: Waterloo as the oracle knows it. */
#include <stdio.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "common/rules/waterloo/wl.h"
#include "tests/oracle/known.h"
#include "tests/oracle/play.h"
#include "tests/props/field_waterloo.h"

extern const struct game game_waterloo;

/* Two matches of three begin in the field, on either board. */
static const char *start_of(uint64_t seed)
{
    return seed % 3 == 0 ? NULL : field_waterloo_start(seed, seed % 3 == 1);
}

static const char *any_word(const struct state *s, uint64_t *random)
{
    static const char *const words[] = {"",      "fight",  "retreat", "all",     "none",
                                        "march", "deploy", "fire",    "move",    "FR-Z",
                                        "x",     "remove", "advance", "reserve", "rout_routes"};
    const struct pmap *map = &wl_board(s)->map;
    switch (draw_below(random, 3)) {
    case 0: return wl_unit_facts[draw_below(random, WL_UNITS)].id;
    case 1: return map->town_ids[draw_below(random, map->towns)];
    default: return words[draw_below(random, sizeof words / sizeof words[0])];
    }
}

static void write_odds(const struct state *s, uint64_t *random, struct buf *out)
{
    const struct pmap *map = &wl_board(s)->map;
    unsigned battle = draw_below(random, map->towns);
    for (unsigned i = 0; i < map->towns && s->fight[battle].phase != WL_BATTLE; i++) {
        battle = (battle + 1) % map->towns;
    }
    jw_key_str(out, "battle", map->town_ids[battle]);
    jw_key_str(out, "unit", wl_unit_facts[draw_below(random, WL_UNITS)].id);
    jw_key_str(out, "target", wl_unit_facts[draw_below(random, WL_UNITS)].id);
}

static void question(const struct state *s, uint64_t *random, struct buf *out)
{
    static const char *const kinds[] = {"reach", "path", "capacity", "odds", "odds"};
    const struct pmap *map = &wl_board(s)->map;
    unsigned kind = draw_below(random, 5), at = draw_below(random, WL_UNITS);
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "ask", kinds[kind]);
    if (kind <= 1) { jw_key_str(out, "unit", wl_unit_facts[at].id); }
    if (kind == 1) {
        unsigned town = s->unit[at].town < map->towns ? s->unit[at].town : 0;
        jw_key_array(out, "path");
        for (unsigned i = 1 + draw_below(random, 3); i > 0; i--) {
            town = map->link[town][draw_below(random, map->degree[town])].town;
            jw_str(out, map->town_ids[town]);
        }
        jw_array_end(out);
    }
    if (kind == 2) { jw_key_str(out, "side", draw_below(random, 2) == 0 ? "FR" : "AL"); }
    if (kind >= 3) { write_odds(s, random, out); }
    jw_object_end(out);
}

/* A piece that an enemy of its side cannot know. */
static bool is_hidden(const struct state *s, unsigned viewer, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    return (wl_own_viewers(s, wl_side(u)) >> viewer & 1U) == 0 && unit->gone == WL_ON_MAP &&
           unit->town != WL_NONE && unit->place != WL_COL && unit->place != WL_ADV &&
           unit->place != WL_ROUTED;
}

/* A number made of the hidden pieces of the viewer's enemies. */
static unsigned hidden_sum(const struct state *s, unsigned viewer)
{
    unsigned sum = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (is_hidden(s, viewer, u)) { sum += (u + 1) * s->unit[u].town * s->unit[u].cv; }
    }
    return sum;
}

static void hint(const struct state *s, unsigned viewer, struct buf *out)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!is_hidden(s, viewer, u)) { continue; }
        jw_key_str(out, "hint", wl_board(s)->map.town_ids[s->unit[u].town]);
        break;
    }
}

static void pieces(const struct state *s, unsigned viewer, struct buf *out)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (is_hidden(s, viewer, u)) { jw_int(out, s->unit[u].town); }
    }
}

static unsigned step_of(const struct state *s)
{
    return s->step;
}

/* W20.5: what a response step held back. */
static bool end_tells(unsigned step)
{
    return step == WL_RESPOND || step == WL_PURSUIT_LOSS;
}

/* Answers to attacks. */
static bool is_rich(const struct state *s)
{
    return s->step == WL_RESPOND;
}

/* W5.9, R67: hits that one must allot by hand and the other not. */
static bool goes_alone(const struct state *s)
{
    return s->step == WL_PURSUIT_LOSS;
}

/* Retreats are wanted as often as fights: pursuit and its losses are where much is hidden. */
static unsigned greed(const struct state *s)
{
    return s->step == WL_RESPOND ? 2 : 4;
}

/* Lists of standing orders. */
static const char *const orders[] = {
    "[{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\",\"choice\":\"fight\",\"rest\":"
    "\"spread\"}},{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\",\"choice\":"
    "\"retreat\"}},{\"when\":{\"is\":\"pursued\"},\"do\":{\"do\":\"allot\"}},{\"when\":{\"is\":"
    "\"routed\"},\"do\":{\"do\":\"rout_routes\"}},{\"when\":{\"is\":\"supply\"},\"do\":{\"do\":"
    "\"remove\"}}]",
    "[{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\",\"choice\":\"retreat\"}},"
    "{\"when\":{\"is\":\"defending\"},\"do\":{\"do\":\"deploy\",\"rest\":\"1\"}}]",
    "[{\"when\":{\"is\":\"forced\"},\"do\":{\"do\":\"only\"}}]", NULL};

static const char *const quiet[] = {"march", "place", "unmarch", NULL};

const struct known known_waterloo = {
    .game = &game_waterloo,
    .options = field_waterloo_options,
    .start = start_of,
    .idle = "{\"do\":\"end_movement\"}",
    .absent = "{\"do\":\"march\"}",
    .step = step_of,
    .step_id = wl_step_id,
    .steps = WL_STEPS,
    .end_tells = end_tells,
    .is_rich = is_rich,
    .goes_alone = goes_alone,
    .taste = field_waterloo_taste,
    .greed = greed,
    .quiet = quiet,
    .orders = orders,
    .shuffles = true,
    .word = any_word,
    .question = question,
    .hidden_sum = hidden_sum,
    .hint = hint,
    .pieces = pieces,
};
