/* tests/oracle/play.c: see play.h. */
#include "tests/oracle/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/protocol/forms.h"
#include "common/rules/waterloo/wl.h"

enum { FORMS_TEXT_MAX = 1 << 20 };

uint64_t play_random(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

unsigned play_below(void *random, unsigned n)
{
    return (unsigned)(play_random(random) % n);
}

static void must(bool good, const char *what)
{
    if (good) { return; }
    fprintf(stderr, "random play: %s\n", what);
    abort();
}

/* --- a match by itself ---------------------------------------------------------------------------
 */

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    struct why why;
    must(json_parse(text, strlen(text), &json) == ERR_OK, "no JSON");
    must(json_normalise(json, &why) == ERR_OK, "no normal form");
    return json;
}

void base_begin(struct base *base, uint64_t seed)
{
    const struct game *game = game_find("waterloo");
    const char *start = play_start(seed);
    struct hash key;
    struct why why;
    memset(base, 0, sizeof *base);
    base->random = seed;
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        key.bytes[i] = (uint8_t)play_random(&base->random);
    }
    dice_init(&base->dice, &key, &key, 1, 1);
    base->options = parse(play_options(seed));
    base->seats = game->seats(base->options, base->codes);
    base->now = calloc(1, game->state_bytes);
    base->next = calloc(1, game->state_bytes);
    must(base->now != NULL && base->next != NULL, "memory");
    events_init(&base->events);
    buf_init(&base->action, FORMS_TEXT_MAX);
    if (start == NULL) {
        must(game->create(base->options, game->rules_now, &base->dice, base->now, &base->events,
                          &why) == ERR_OK,
             "it does not begin");
        return;
    }
    cJSON *position = parse(start);
    must(game->position_read(base->options, position, base->now, &why) == ERR_OK, "no position");
    cJSON_Delete(position);
}

void base_end(struct base *base)
{
    cJSON_Delete(base->options);
    free(base->now);
    free(base->next);
    events_finish(&base->events);
    buf_finish(&base->action);
}

bool base_go_on(struct base *base, unsigned lines)
{
    const struct game *game = game_find("waterloo");
    for (uint32_t to_act; (to_act = game->to_act(base->now)) != 0; lines--) {
        if (lines == 0) { return true; }
        unsigned seat = 0;
        struct why why;
        do {
            seat = play_below(&base->random, base->seats);
        } while ((to_act >> seat & 1U) == 0);
        must(play_pick(base->now, seat, &base->random, &base->action), "no form");
        cJSON *json = parse(buf_str(&base->action));
        memcpy(base->next, base->now, game->state_bytes);
        events_reset(&base->events);
        must(game->apply(base->next, seat, json, &base->dice, &base->events, &why) == ERR_OK,
             "a form is not sound");
        cJSON_Delete(json);
        dice_next_line(&base->dice);
        struct state *old = base->now;
        base->now = base->next;
        base->next = old;
        base->lines++;
    }
    return false;
}

/* --- where it begins -----------------------------------------------------------------------------
 */

const char *play_options(uint64_t seed)
{
    static char text[128];
    static const int turns[] = {24, 6, 24, 12};
    snprintf(text, sizeof text,
             "{\"players\":%d,\"morale\":%s,\"command_control\":%s,\"turns\":%d}",
             seed % 2 == 0 ? 2 : 3, (seed / 2) % 2 == 0 ? "false" : "true",
             (seed / 4) % 2 == 0 ? "false" : "true", turns[(seed / 8) % 4]);
    return text;
}

const char *play_start(uint64_t seed)
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

/* --- picking -------------------------------------------------------------------------------------
 */

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

static cJSON *forms_of(const struct state *s, unsigned seat)
{
    struct buf buf;
    cJSON *forms = NULL;
    buf_init(&buf, FORMS_TEXT_MAX);
    game_find("waterloo")->actions(s, seat, &buf);
    if (json_parse(buf_str(&buf), buf.len, &forms) != ERR_OK) { forms = NULL; }
    buf_finish(&buf);
    return forms;
}

static bool pick_from(const cJSON *form, uint64_t *random, struct buf *out)
{
    struct forms_random source = {play_below, random};
    buf_reset(out);
    return form != NULL && forms_pick(form, &source, out) == ERR_OK;
}

bool play_pick(const struct state *s, unsigned seat, uint64_t *random, struct buf *out)
{
    cJSON *forms = forms_of(s, seat);
    const cJSON *found = NULL;
    unsigned best = 0, seen = 0;
    /* Retreats are wanted as often as fights: pursuit and its losses are where much is hidden. */
    bool greedy = play_below(random, s->step == WL_RESPOND ? 2 : 4) != 0;
    for (const cJSON *form = forms == NULL ? NULL : forms->child; form != NULL; form = form->next) {
        unsigned score = greedy ? taste(s, form) : 0;
        if (found == NULL || score > best) {
            best = score;
            seen = 1;
            found = form;
        } else if (score == best && play_below(random, ++seen) == 0) {
            found = form;
        }
    }
    bool picked = pick_from(found, random, out);
    cJSON_Delete(forms);
    return picked;
}

bool play_pick_draft(const struct state *s, unsigned seat, uint64_t *random, struct buf *out)
{
    static const char *const quiet[] = {"march", "place", "unmarch"};
    cJSON *forms = forms_of(s, seat);
    const cJSON *found = NULL;
    unsigned seen = 0;
    for (const cJSON *form = forms == NULL ? NULL : forms->child; form != NULL; form = form->next) {
        bool fits = false;
        for (unsigned i = 0; i < 3; i++) {
            fits = fits || strcmp(name_of(form), quiet[i]) == 0;
        }
        if (fits && play_below(random, ++seen) == 0) { found = form; }
    }
    bool picked = pick_from(found, random, out);
    cJSON_Delete(forms);
    return picked;
}

/* --- spoiling, asking ------------------------------------------------------------------------ */

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

/* A text anywhere below node, drawn at random. */
static cJSON *any_text(cJSON *node, uint64_t *random, unsigned *seen)
{
    cJSON *found = NULL;
    for (cJSON *child = node->child; child != NULL; child = child->next) {
        if (cJSON_IsString(child) && play_below(random, ++*seen) == 0) { found = child; }
        cJSON *below = any_text(child, random, seen);
        if (below != NULL) { found = below; }
    }
    return found;
}

static void put_back(cJSON *json, struct buf *out)
{
    char *text = cJSON_PrintUnformatted(json);
    buf_reset(out);
    buf_append_str(out, text);
    free(text);
    cJSON_Delete(json);
}

void play_spoil(const struct state *s, uint64_t *random, struct buf *action)
{
    cJSON *json = cJSON_Parse(buf_str(action));
    unsigned seen = 0;
    cJSON *text = any_text(json, random, &seen);
    switch (play_below(random, 4)) {
    case 0: break;
    case 1: cJSON_AddItemToObject(json, "x", cJSON_CreateString(any_word(s, random))); break;
    case 2:
        cJSON_DeleteItemFromArray(json,
                                  (int)play_below(random, (unsigned)cJSON_GetArraySize(json)));
        break;
    default:
        if (text != NULL) { cJSON_SetValuestring(text, any_word(s, random)); }
    }
    put_back(json, action);
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

void play_question(const struct state *s, uint64_t *random, struct buf *out)
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

/* --- the twin's words ------------------------------------------------------------------------ */

void play_rename(const char *action, const cJSON *names, struct buf *out)
{
    buf_reset(out);
    for (const char *at = action; *at != '\0'; at++) {
        bool id = at[0] == '"' && strlen(at) > 5 && at[3] == '-' && at[5] == '"';
        if (id) {
            char own[5] = {at[1], at[2], '-', at[4], '\0'};
            const cJSON *name = cJSON_GetObjectItemCaseSensitive(names, own);
            buf_append_char(out, '"');
            buf_append_str(out, name == NULL ? own : name->valuestring);
            at += 5;
        }
        buf_append_char(out, *at);
    }
}

static void shuffle(uint64_t *random, cJSON *node)
{
    for (cJSON *child = node->child; child != NULL; child = child->next) {
        bool path = child->string != NULL && strcmp(child->string, "path") == 0;
        if (!path) { shuffle(random, child); }
    }
    if (!cJSON_IsArray(node)) { return; }
    for (unsigned n = (unsigned)cJSON_GetArraySize(node); n > 1; n--) {
        cJSON *item = cJSON_DetachItemFromArray(node, (int)play_below(random, n));
        cJSON_AddItemToArray(node, item);
    }
}

void play_shuffle(uint64_t *random, struct buf *action)
{
    if (strstr(buf_str(action), "\"forced\":true") != NULL) { return; }
    cJSON *json = cJSON_Parse(buf_str(action));
    shuffle(random, json);
    put_back(json, action);
}

enum err play_try(const struct state *s, unsigned seat, const char *action)
{
    static struct events events;
    static bool ready;
    if (!ready) { events_init(&events); }
    ready = true;
    struct hash key = {{1}};
    struct dice dice;
    struct why why;
    struct state copy = *s;
    cJSON *json = NULL;
    why_clear(&why);
    events_reset(&events);
    dice_init(&dice, &key, &key, 1, 1);
    enum err err = json_parse(action, strlen(action), &json);
    if (err == ERR_OK) { err = json_normalise(json, &why); }
    if (err == ERR_OK) {
        err = game_find("waterloo")->apply(&copy, seat, json, &dice, &events, &why);
    }
    cJSON_Delete(json);
    return err;
}
