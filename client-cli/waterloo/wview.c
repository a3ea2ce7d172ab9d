#include "client-cli/waterloo/wview.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/jsonr.h"

const char *const wv_nation_ids[WV_NATIONS] = {"FR", "AD", "PR"};
const char *const wv_state_ids[] = {"SETUP_ALLIED", "SETUP_FRENCH", "MOVE",       "RESPOND",
                                    "PURSUIT_LOSS", "DEPLOY_DEF",   "DEPLOY_ATT", "COMBAT",
                                    "SUPPLY",       "GAME_OVER"};

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* What a server sends is not trusted: figures stay small enough to be reckoned with. */
static int int_of(const cJSON *object, const char *name)
{
    enum { FIGURE_MAX = 1000 };
    const cJSON *item = json_get(object, name);
    if (!cJSON_IsNumber(item)) { return 0; }
    if (item->valueint > FIGURE_MAX) { return FIGURE_MAX; }
    return item->valueint < 0 ? 0 : item->valueint;
}

/* The first member of an object by name; NULL where it is none. */
static const cJSON *members_of(const cJSON *object)
{
    return cJSON_IsObject(object) ? object->child : NULL;
}

static int index_of(const char *const *names, int count, const char *text, int otherwise)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0) { return i; }
    }
    return otherwise;
}

bool wv_nation_of(const char *id, enum wv_nation *out_nation)
{
    for (int n = 0; n < WV_NATIONS; n++) {
        if (strncmp(id, wv_nation_ids[n], 2) == 0) {
            *out_nation = (enum wv_nation)n;
            return true;
        }
    }
    return false;
}

enum wv_side wv_side_of(enum wv_nation nation)
{
    return nation == WV_FR ? WV_SIDE_FR : WV_SIDE_AL;
}

static enum wv_type type_of(const cJSON *json)
{
    static const char *const types[] = {"infantry", "cavalry", "foot_artillery", "horse_artillery"};
    return (enum wv_type)index_of(types, 4, text_of(json, "type"), WV_INFANTRY);
}

static void read_counts(const cJSON *json, int out[WV_NATIONS])
{
    for (int n = 0; n < WV_NATIONS; n++) {
        out[n] += int_of(json, wv_nation_ids[n]);
    }
}

static void read_path(const struct board *board, const cJSON *march, struct wv_unit *unit)
{
    const cJSON *town = NULL;
    unit->drafted = 0;
    cJSON_ArrayForEach(town, json_get(march, "path"))
    {
        if (unit->drafted == WV_PATH_MAX || !cJSON_IsString(town)) { return; }
        unit->path[unit->drafted++] = board_town_id(board, town->valuestring);
    }
    unit->forced = cJSON_IsTrue(json_get(march, "forced"));
}

static void read_units(struct wv *wv)
{
    static const char *const places[] = {"",         "undeployed", "column",
                                         "advanced", "reserve",    "routed"};
    const cJSON *marches = json_get(wv->json, "marches");
    const cJSON *json = NULL;
    for (json = members_of(json_get(wv->json, "units")); json != NULL; json = json->next) {
        struct wv_unit *u = &wv->unit[wv->units];
        if (wv->units == WV_UNITS_MAX || !wv_nation_of(json->string, &u->nation)) { continue; }
        snprintf(u->id, sizeof u->id, "%.7s", json->string);
        u->type = type_of(json);
        u->cv = int_of(json, "cv");
        u->town = board_town_id(wv->board, text_of(json, "town"));
        u->marked_until = int_of(json, "marked_until");
        u->marched = cJSON_IsTrue(json_get(json, "marched"));
        u->place = (enum wv_place)index_of(places, 6, text_of(json, "place"), WV_FREE);
        u->battle = u->place == WV_FREE ? BOARD_NONE : u->town;
        u->mine = (wv->mine >> u->nation & 1U) != 0;
        read_path(wv->board, json_get(marches, json->string), u);
        wv->units++;
    }
}

static void read_towns(struct wv *wv)
{
    const cJSON *json = NULL;
    for (json = members_of(json_get(wv->json, "towns")); json != NULL; json = json->next) {
        int t = board_town_id(wv->board, json->string);
        if (t == BOARD_NONE) { continue; }
        read_counts(json_get(json, "units"), wv->count[t]);
        read_counts(json_get(json, "marked"), wv->marked[t]);
    }
    for (json = members_of(json_get(wv->json, "attacks")); json != NULL; json = json->next) {
        int t = board_town_id(wv->board, json->string);
        if (t != BOARD_NONE) { wv->attacked |= UINT64_C(1) << t; }
    }
    const cJSON *nations = json_get(wv->json, "nations");
    for (int n = 0; n < WV_NATIONS; n++) {
        json = json_get(nations, wv_nation_ids[n]);
        wv->left[n] = int_of(json, "left");
        wv->surrenders_at[n] = int_of(json, "surrenders_at");
        wv->surrendered[n] = cJSON_IsTrue(json_get(json, "surrendered"));
    }
}

static void read_roads(const struct board *board, const cJSON *roads, int out[BOARD_ROADS_MAX])
{
    for (const cJSON *json = members_of(roads); json != NULL; json = json->next) {
        int r = board_road_id(board, json->string);
        if (r != BOARD_NONE) { out[r] = int_of(json, "used"); }
    }
}

static void read_group(struct wv_battle *battle, const cJSON *group, int lane, bool def)
{
    const cJSON *json = NULL;
    read_counts(json_get(group, "hidden"), battle->hidden[def ? 1 : 0][lane]);
    for (json = members_of(json_get(group, "units")); json != NULL; json = json->next) {
        struct wv_fighter *f = &battle->fighter[battle->fighters];
        if (battle->fighters == WV_UNITS_MAX || !wv_nation_of(json->string, &f->nation)) {
            continue;
        }
        snprintf(f->id, sizeof f->id, "%.7s", json->string);
        f->type = type_of(json);
        f->cv = int_of(json, "cv");
        f->advanced_ct = int_of(json, "advanced_ct");
        f->moves = int_of(json, "moves");
        f->square = cJSON_IsTrue(json_get(json, "square"));
        f->fired = cJSON_IsTrue(json_get(json, "fired"));
        f->lane = lane;
        f->def = def;
        battle->fighters++;
    }
}

static void read_battle(struct wv *wv, const cJSON *json, struct wv_battle *b)
{
    static const char *const lanes[] = {"", "1", "2", "3"};
    static const char *const sides[] = {"none", "att", "def"};
    b->phase = text_of(json, "phase")[0];
    b->we_attack = wv->side == wv->phasing;
    b->idle_rounds = int_of(json, "idle_rounds");
    const cJSON *groups = json_get(json, "lanes");
    for (int lane = 1; lane <= 3; lane++) {
        const cJSON *l = json_get(groups, lanes[lane]);
        read_group(b, json_get(l, "att"), lane, false);
        read_group(b, json_get(l, "def"), lane, true);
        b->engaged_by[lane] = index_of(sides, 3, text_of(l, "engaged_by"), 0);
        b->engaged_ct[lane] = int_of(l, "engaged_ct");
    }
    read_group(b, json_get(json_get(json, "reserve"), "att"), 0, false);
    read_group(b, json_get(json_get(json, "reserve"), "def"), 0, true);
    const cJSON *undeployed = json_get(json, "undeployed");
    for (int side = 0; side < 2; side++) {
        const cJSON *group = json_get(undeployed, side == 0 ? "att" : "def");
        read_counts(json_get(group, "hidden"), b->undeployed[side]);
        const cJSON *unit = members_of(json_get(group, "units"));
        for (; unit != NULL; unit = unit->next) {
            enum wv_nation n;
            if (wv_nation_of(unit->string, &n)) { b->undeployed[side][n]++; }
        }
    }
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json, "roads"))
    {
        int r = cJSON_IsString(item) ? board_road_id(wv->board, item->valuestring) : BOARD_NONE;
        if (r != BOARD_NONE) { b->attack_roads[r / 64] |= UINT64_C(1) << (r % 64); }
    }
    const cJSON *rout = json_get(json, "rout");
    b->rout = (unsigned)index_of(sides, 3, text_of(rout, "side"), 0);
    cJSON_ArrayForEach(item, json_get(rout, "closed"))
    {
        int t = cJSON_IsString(item) ? board_town_id(wv->board, item->valuestring) : BOARD_NONE;
        if (t != BOARD_NONE) { b->closed |= UINT64_C(1) << t; }
    }
}

static void read_seat(struct wv *wv)
{
    const cJSON *nation = NULL;
    cJSON_ArrayForEach(nation, json_get(json_get(wv->json, "seats"), wv->seat))
    {
        enum wv_nation n;
        if (cJSON_IsString(nation) && wv_nation_of(nation->valuestring, &n)) {
            wv->mine |= 1U << n;
            wv->side = wv_side_of(n);
        }
    }
    bool named = strcmp(wv->seat, "FR") == 0 || strcmp(wv->seat, "AL") == 0 ||
                 strcmp(wv->seat, "AD") == 0 || strcmp(wv->seat, "PR") == 0;
    wv->player = named;
    if (named && wv->mine == 0) { wv->side = wv->seat[0] == 'F' ? WV_SIDE_FR : WV_SIDE_AL; }
    /* A seat may be called otherwise in to_act (after an ally left, W18.9): forms and prompt tell.
     */
    wv->to_act = json_get(wv->view, "prompt") != NULL || json_get(wv->view, "actions") != NULL;
}

bool wv_read(const struct board *board, const cJSON *view, struct wv *out_wv)
{
    struct wv *wv = out_wv;
    memset(wv, 0, sizeof *wv);
    wv->board = board;
    wv->view = view;
    wv->json = json_get(view, "board");
    if (!cJSON_IsObject(wv->json)) { return false; }
    snprintf(wv->seat, sizeof wv->seat, "%.15s", text_of(view, "as"));
    wv->state =
        (enum wv_state)index_of(wv_state_ids, WV_UNKNOWN, text_of(view, "state"), WV_UNKNOWN);
    const cJSON *turn = json_get(view, "turn");
    wv->slot = int_of(turn, "slot");
    wv->of = int_of(turn, "of");
    wv->night = cJSON_IsTrue(json_get(turn, "night"));
    wv->phasing = strcmp(text_of(turn, "side"), "AL") == 0 ? WV_SIDE_AL : WV_SIDE_FR;
    snprintf(wv->prompt, sizeof wv->prompt, "%.31s", text_of(json_get(view, "prompt"), "id"));
    read_seat(wv);
    read_units(wv);
    read_towns(wv);
    read_roads(board, json_get(wv->json, "roads"), wv->road_used);
    const cJSON *retreat = json_get(wv->json, "retreat_roads");
    read_roads(board, json_get(retreat, "FR"), wv->retreat_used[WV_SIDE_FR]);
    read_roads(board, json_get(retreat, "AL"), wv->retreat_used[WV_SIDE_AL]);
    const cJSON *ct = json_get(wv->json, "ct");
    wv->ct_n = int_of(ct, "n");
    wv->ct_att = strcmp(text_of(ct, "side"), "att") == 0;
    const cJSON *json = NULL;
    for (json = members_of(json_get(wv->json, "battles")); json != NULL; json = json->next) {
        int t = board_town_id(board, json->string);
        if (t == BOARD_NONE || wv->battles == WV_BATTLES_MAX) { continue; }
        wv->battle[wv->battles].town = t;
        read_battle(wv, json, &wv->battle[wv->battles++]);
    }
    return true;
}

int wv_find(const struct wv *wv, const char *id)
{
    int found = -1;
    for (int i = 0; i < wv->units; i++) {
        if (strcasecmp(wv->unit[i].id, id) == 0) { return i; }
        if (id[0] != '\0' && id[1] == '\0' && strcasecmp(wv->unit[i].id + 3, id) == 0 &&
            wv->unit[i].mine) {
            if (found >= 0) { return -1; }
            found = i;
        }
    }
    return found;
}

int wv_count(const struct wv *wv, int town, enum wv_side side)
{
    return side == WV_SIDE_FR ? wv->count[town][WV_FR]
                              : wv->count[town][WV_AD] + wv->count[town][WV_PR];
}

uint64_t wv_towns_of(const struct wv *wv, enum wv_side side)
{
    uint64_t set = 0;
    for (unsigned t = 0; t < wv->board->towns; t++) {
        if (wv_count(wv, (int)t, side) > 0) { set |= UINT64_C(1) << t; }
    }
    return set;
}

const struct wv_battle *wv_battle_at(const struct wv *wv, int town)
{
    for (int i = 0; i < wv->battles; i++) {
        if (wv->battle[i].town == town) { return &wv->battle[i]; }
    }
    return NULL;
}

const struct wv_fighter *wv_fighter_of(const struct wv_battle *battle, const char *id)
{
    for (int i = 0; i < battle->fighters; i++) {
        if (strcasecmp(battle->fighter[i].id, id) == 0) { return &battle->fighter[i]; }
    }
    return NULL;
}

int wv_room(const struct wv *wv, int road)
{
    return board_capacity(wv->board, road) - wv->road_used[road];
}

int wv_retreat_room(const struct wv *wv, enum wv_side side, int road)
{
    return board_capacity(wv->board, road) - wv->retreat_used[side][road];
}
