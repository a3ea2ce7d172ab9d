/* tests/props/field_waterloo.c: see field_waterloo.h. */
#include "tests/props/field_waterloo.h"

#include <stdio.h>
#include <string.h>

#include "common/rules/waterloo/wl.h"
#include "tests/props/draw.h"

const char *field_waterloo_options(uint64_t seed)
{
    static char text[128];
    static const int turns[] = {24, 6, 24, 12};
    snprintf(text, sizeof text,
             "{\"players\":%d,\"morale\":%s,\"command_control\":%s,\"turns\":%d}",
             seed % 2 == 0 ? 2 : 3, (seed / 2) % 2 == 0 ? "false" : "true",
             (seed / 4) % 2 == 0 ? "false" : "true", turns[(seed / 8) % 4]);
    return text;
}

const char *field_waterloo_start(uint64_t seed, bool fixture)
{
    static char text[4096];
    enum { STACKS = 4 };
    uint64_t random = seed ^ UINT64_C(0xf1e1d);
    const struct pmap *map = &wl_boards[fixture ? WL_BASE_FIXTURE : WL_BASE_REAL].map;
    unsigned towns[2][STACKS];
    uint64_t taken = 0;
    unsigned at = draw_below(&random, map->towns);
    for (unsigned i = 0; i < 2 * STACKS; i++) {
        /* A walk through the land: each stack is near the last. */
        while ((taken >> at & 1U) != 0) {
            at = map->link[at][draw_below(&random, map->degree[at])].town;
        }
        taken |= UINT64_C(1) << at;
        towns[i % 2][i / 2] = at;
    }
    size_t n = (size_t)snprintf(text, sizeof text, "{\"base\":\"%s\",\"slot\":%u,\"units\":{",
                                fixture ? "fixture" : "real", 1 + draw_below(&random, 5));
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit_fact *fact = &wl_unit_facts[u];
        unsigned stack = draw_below(&random, STACKS), cv = fact->cv;
        if (draw_below(&random, 3) == 0) { cv = 1 + draw_below(&random, cv); }
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

unsigned field_waterloo_taste(const struct state *s, const cJSON *form)
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
        bool enemy = (u < 18) != (s->slot % 2 == 1); /* W3.1 */
        if (enemy && s->unit[u].town == town && s->unit[u].cv > 0) { return 3; }
    }
    return 1;
}
