/* client-cli/waterloo/setup.c: a whole set-up for those who would rather march: near the historical one, but
 * closer together. */
#include <string.h>

#include "client-cli/waterloo/orders.h"
#include "common/base/jsonr.h"

/* Towns of each nation in the order in which they are filled; towns that the board does not have
 * are passed over. The French stand where two roads lead to Brussels; the Allies out of reach of a
 * first blow, round Brussels and between it and the Meuse. */
static const char *const wanted[WV_NATIONS][12] = {
    {"maubeuge", "beaumont", "solre", "philippeville", "laneffe", "avesnes", NULL},
    {"waterloo", "hal", "brussels", "enghien", "ninove", "alost", "wavre", "louvain", "nivelles",
     NULL},
    {"gembloux", "perwez", "jodoigne", "hannut", "tirlemont", "namur", "huy", "liege", NULL},
};
/* How many to a town: the French in two great groups, for they move but two (W4.2). */
static const int share[WV_NATIONS] = {9, 3, 4};

/* Units by type, infantry first, so that dealing them round gives every town some of each. */
static int list_units(const struct wv *wv, enum wv_nation nation, int out[WV_UNITS_MAX])
{
    int n = 0;
    for (int type = 0; type < 4; type++) {
        for (int i = 0; i < wv->units; i++) {
            const struct wv_unit *u = &wv->unit[i];
            if (u->nation == nation && (int)u->type == type && u->mine) { out[n++] = i; }
        }
    }
    return n;
}

/* Towns to fill: the wanted ones that the rules allow, then all others allowed. */
static int list_towns(const struct wv *wv, enum wv_nation nation, int out[BOARD_TOWNS_MAX],
                      int *out_max)
{
    const cJSON *zone = json_get(json_get(wv->json, "setup"), wv_nation_ids[nation]);
    const cJSON *max = json_get(zone, "max");
    const cJSON *town = NULL;
    bool allowed[BOARD_TOWNS_MAX] = {false};
    int n = 0;
    *out_max = cJSON_IsNumber(max) ? max->valueint : 1;
    cJSON_ArrayForEach(town, json_get(zone, "towns"))
    {
        int t = cJSON_IsString(town) ? board_town_id(wv->board, town->valuestring) : BOARD_NONE;
        if (t != BOARD_NONE) { allowed[t] = true; }
    }
    for (int i = 0; i < 12 && wanted[nation][i] != NULL; i++) {
        int t = board_town_id(wv->board, wanted[nation][i]);
        if (t == BOARD_NONE || !allowed[t]) { continue; }
        out[n++] = t;
        allowed[t] = false;
    }
    for (unsigned t = 0; t < wv->board->towns; t++) {
        if (allowed[t]) { out[n++] = (int)t; }
    }
    return n;
}

void setup_propose(const struct wv *wv, int out_town[WV_UNITS_MAX])
{
    for (int i = 0; i < WV_UNITS_MAX; i++) {
        out_town[i] = BOARD_NONE;
    }
    for (int nation = 0; nation < WV_NATIONS; nation++) {
        int units[WV_UNITS_MAX], towns[BOARD_TOWNS_MAX], used[BOARD_TOWNS_MAX] = {0};
        int max = 1;
        int count = list_units(wv, (enum wv_nation)nation, units);
        int places = list_towns(wv, (enum wv_nation)nation, towns, &max);
        if (count == 0 || places == 0) { continue; }
        int to_a_town = share[nation] < max ? share[nation] : max;
        int open = (count + to_a_town - 1) / to_a_town;
        if (open > places) { open = places; }
        int at = 0;
        for (int i = 0; i < count; i++) {
            for (int tries = 0; tries < open && used[at] >= to_a_town; tries++) {
                at = (at + 1) % open;
            }
            if (used[at] >= max) { break; }
            out_town[units[i]] = towns[at];
            used[at]++;
            at = (at + 1) % open;
        }
    }
}
