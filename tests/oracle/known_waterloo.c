/* tests/oracle/known_waterloo.c: Waterloo as the oracle knows it. */
#include <stdio.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "common/rules/waterloo/wl.h"
#include "tests/oracle/known.h"
#include "tests/oracle/play.h"

extern const struct game game_waterloo;

/* Two and three seats, both optional rules, short and full matches. */
static const char *options_of(uint64_t seed)
{
    static char text[128];
    static const int turns[] = {24, 6, 24, 12};
    snprintf(text, sizeof text,
             "{\"players\":%d,\"morale\":%s,\"command_control\":%s,\"turns\":%d}",
             seed % 2 == 0 ? 2 : 3, (seed / 2) % 2 == 0 ? "false" : "true",
             (seed / 4) % 2 == 0 ? "false" : "true", turns[(seed / 8) % 4]);
    return text;
}

/* In the field, armies close to each other. */
static const char *start_of(uint64_t seed)
{
    static char text[4096];
    enum { STACKS = 4 };
    if (seed % 3 == 0) { return NULL; }
    uint64_t random = seed ^ UINT64_C(0xf1e1d);
    bool fixture = seed % 3 == 1;
    const struct pmap *map = &wl_boards[fixture ? WL_BASE_FIXTURE : WL_BASE_REAL].map;
    unsigned towns[2][STACKS];
    uint64_t taken = 0;
    unsigned at = play_below(&random, map->towns);
    for (unsigned i = 0; i < 2 * STACKS; i++) {
        while ((taken >> at & 1U) != 0) {
            at = map->link[at][play_below(&random, map->degree[at])].town;
        }
        taken |= UINT64_C(1) << at;
        towns[i % 2][i / 2] = at;
    }
    size_t n = (size_t)snprintf(text, sizeof text, "{\"base\":\"%s\",\"slot\":%u,\"units\":{",
                                fixture ? "fixture" : "real", 1 + play_below(&random, 5));
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit_fact *fact = &wl_unit_facts[u];
        unsigned stack = play_below(&random, STACKS), cv = fact->cv;
        if (play_below(&random, 3) == 0) { cv = 1 + play_below(&random, cv); }
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":{\"town\":\"%s\",\"cv\":%u}",
                              u == 0 ? "" : ",", fact->id,
                              map->town_ids[towns[u < 18 ? 0 : 1][stack]], cv);
    }
    snprintf(text + n, sizeof text - n, "}}");
    return text;
}

static const char *name_of(const cJSON *form)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(form, "do");
    return cJSON_IsString(name) ? name->valuestring : "";
}

/* How much a form leads to battle: play without it wanders about and never fights. */
static unsigned taste(const struct state *s, const cJSON *form)
{
    const cJSON *choice = cJSON_GetObjectItemCaseSensitive(form, "choice");
    const cJSON *marches = cJSON_GetObjectItemCaseSensitive(form, "marches");
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(form, "kind");
    if (cJSON_IsString(choice)) { return strcmp(choice->valuestring, "fight") == 0; }
    if (strcmp(name_of(form), "fire") == 0) { return 2; }
    if (cJSON_IsString(kind)) { return strcmp(kind->valuestring, "advance") == 0 ? 2 : 0; }
    if (strcmp(name_of(form), "end_movement") == 0) {
        return cJSON_GetObjectItemCaseSensitive(form, "pursuit") == NULL ? 0 : 2;
    }
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(marches, "any_of"), 0);
    const cJSON *path = cJSON_GetObjectItemCaseSensitive(item, "path");
    const cJSON *to = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(path, "list"), 0);
    if (!cJSON_IsString(to)) { return 0; }
    unsigned town = pmap_town(&wl_board(s)->map, to->valuestring);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool enemy = (u < 18) != (s->slot % 2 == 1);
        if (enemy && s->unit[u].town == town && s->unit[u].cv > 0) { return 3; }
    }
    return 1;
}

static const char *any_word(const struct state *s, uint64_t *random)
{
    static const char *const words[] = {"",      "fight",  "retreat", "all",     "none",
                                        "march", "deploy", "fire",    "move",    "FR-Z",
                                        "x",     "remove", "advance", "reserve", "rout_routes"};
    const struct pmap *map = &wl_board(s)->map;
    switch (play_below(random, 3)) {
    case 0: return wl_unit_facts[play_below(random, WL_UNITS)].id;
    case 1: return map->town_ids[play_below(random, map->towns)];
    default: return words[play_below(random, sizeof words / sizeof words[0])];
    }
}

static void write_odds(const struct state *s, uint64_t *random, struct buf *out)
{
    const struct pmap *map = &wl_board(s)->map;
    unsigned battle = play_below(random, map->towns);
    for (unsigned i = 0; i < map->towns && s->fight[battle].phase != WL_BATTLE; i++) {
        battle = (battle + 1) % map->towns;
    }
    jw_key_str(out, "battle", map->town_ids[battle]);
    jw_key_str(out, "unit", wl_unit_facts[play_below(random, WL_UNITS)].id);
    jw_key_str(out, "target", wl_unit_facts[play_below(random, WL_UNITS)].id);
}

static void question(const struct state *s, uint64_t *random, struct buf *out)
{
    static const char *const kinds[] = {"reach", "path", "capacity", "odds", "odds"};
    const struct pmap *map = &wl_board(s)->map;
    unsigned kind = play_below(random, 5), at = play_below(random, WL_UNITS);
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "ask", kinds[kind]);
    if (kind <= 1) { jw_key_str(out, "unit", wl_unit_facts[at].id); }
    if (kind == 1) {
        unsigned town = s->unit[at].town < map->towns ? s->unit[at].town : 0;
        jw_key_array(out, "path");
        for (unsigned i = 1 + play_below(random, 3); i > 0; i--) {
            town = map->link[town][play_below(random, map->degree[town])].town;
            jw_str(out, map->town_ids[town]);
        }
        jw_array_end(out);
    }
    if (kind == 2) { jw_key_str(out, "side", play_below(random, 2) == 0 ? "FR" : "AL"); }
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
    .options = options_of,
    .start = start_of,
    .idle = "{\"do\":\"end_movement\"}",
    .absent = "{\"do\":\"march\"}",
    .step = step_of,
    .step_id = wl_step_id,
    .steps = WL_STEPS,
    .end_tells = end_tells,
    .is_rich = is_rich,
    .goes_alone = goes_alone,
    .taste = taste,
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
