/* client-cli/austerlitz/aview.c: see aview.h. */
#include "client-cli/austerlitz/aview.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

const char *const av_side_ids[2] = {"french", "allied"};
const char *const av_seat_ids[2] = {"FR", "AL"};
const char *const av_type_ids[3] = {"infantry", "cavalry", "artillery"};
const char *const av_state_ids[] = {"MOVE",    "DECLARE", "RESOLVE", "EXCHANGE",
                                    "RETREAT", "BATTERY", "ADVANCE", "OVER"};

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* What a server sends is not trusted: figures stay small enough to be reckoned with. */
static int int_of(const cJSON *object, const char *name)
{
    enum { FIGURE_MAX = 1000 };
    int64_t value = json_int(json_get(object, name), 0);
    return value > FIGURE_MAX ? FIGURE_MAX : value < -FIGURE_MAX ? -FIGURE_MAX : (int)value;
}

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

/* ---- the map ---- */

static void read_hexes(const cJSON *json, struct av_map *map)
{
    static const char *const kinds[] = {"clear", "forest", "marsh", "village", "pond"};
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json, "hexes"))
    {
        unsigned hex = hex_parse(&map->grid, text_of(item, "id"));
        if (hex == HEX_NONE) { continue; }
        map->terrain[hex] = (uint8_t)index_of(kinds, 5, text_of(item, "terrain"), AV_CLEAR);
        map->height[hex] = cJSON_IsTrue(json_get(item, "height"));
        map->fortified[hex] = cJSON_IsTrue(json_get(item, "fortified"));
        map->causeway[hex] = cJSON_IsTrue(json_get(item, "causeway"));
    }
}

static void read_hexsides(const cJSON *json, struct av_map *map)
{
    static const char *const kinds[] = {"open", "stream", "bank", "escarpment"};
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json, "hexsides"))
    {
        unsigned a = hex_parse(&map->grid, text_of(item, "a"));
        unsigned b = hex_parse(&map->grid, text_of(item, "b"));
        unsigned side = a == HEX_NONE || b == HEX_NONE ? HEX_SIDES : hex_side_to(&map->grid, a, b);
        if (side == HEX_SIDES) { continue; }
        uint8_t kind = (uint8_t)index_of(kinds, 4, text_of(item, "kind"), AV_OPEN);
        map->side[a][side] = map->side[b][hex_opposite(side)] = kind;
    }
}

static void read_roads(const cJSON *json, struct av_map *map)
{
    const cJSON *road = NULL, *item = NULL;
    cJSON_ArrayForEach(road, json_get(json, "roads"))
    {
        unsigned before = HEX_NONE;
        cJSON_ArrayForEach(item, json_get(road, "hexes"))
        {
            unsigned hex =
                cJSON_IsString(item) ? hex_parse(&map->grid, item->valuestring) : HEX_NONE;
            unsigned side = before == HEX_NONE || hex == HEX_NONE
                                ? HEX_SIDES
                                : hex_side_to(&map->grid, before, hex);
            if (side != HEX_SIDES) {
                map->road[before] |= (uint8_t)(1U << side);
                map->road[hex] |= (uint8_t)(1U << hex_opposite(side));
            }
            before = hex;
        }
    }
}

static void read_bridges(const cJSON *json, struct av_map *map)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json, "bridges"))
    {
        unsigned a = hex_parse(&map->grid, text_of(item, "a"));
        unsigned b = hex_parse(&map->grid, text_of(item, "b"));
        unsigned side = a == HEX_NONE || b == HEX_NONE ? HEX_SIDES : hex_side_to(&map->grid, a, b);
        if (side == HEX_SIDES || map->bridges == AV_BRIDGES_MAX) { continue; }
        struct av_bridge *bridge = &map->of_bridge[map->bridges];
        snprintf(bridge->id, sizeof bridge->id, "%.7s", text_of(item, "id"));
        bridge->a = a;
        bridge->b = b;
        map->bridge[a][side] = map->bridge[b][hex_opposite(side)] = (int8_t)map->bridges++;
    }
}

/* The name in the language that is spoken; of one that no catalogue knows the given one. */
static void name_place(const char *hex, const char *given, char out[AV_NAME_MAX])
{
    char id[32];
    struct buf name;
    snprintf(id, sizeof id, "place.austerlitz.%.4s", hex);
    buf_init(&name, 512);
    if (words_text(id) != NULL) { words_say(&name, id, "form", "name", NULL); }
    const char *text = name.len > 0 && name.len < AV_NAME_MAX ? buf_str(&name) : given;
    snprintf(out, AV_NAME_MAX, "%.63s", text);
    buf_finish(&name);
}

static void read_places(const cJSON *json, struct av_map *map)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json, "places"))
    {
        unsigned hex = hex_parse(&map->grid, text_of(item, "hex"));
        if (hex == HEX_NONE || map->places == AV_PLACES_MAX) { continue; }
        struct av_place *place = &map->of_place[map->places];
        place->hex = hex;
        place->village = strcmp(text_of(item, "kind"), "village") == 0;
        name_place(text_of(item, "hex"), text_of(item, "name"), place->name);
        map->place[hex] = (int8_t)map->places++;
    }
}

bool av_map_read(const cJSON *json, struct av_map *out_map)
{
    const cJSON *grid = json_get(json, "grid"), *item = NULL;
    int columns = int_of(grid, "columns"), rows = int_of(grid, "rows");
    memset(out_map, 0, sizeof *out_map);
    if (columns < 1 || columns > 99 || rows < 1 || rows > 99 || columns * rows > HEX_MAX) {
        return false;
    }
    out_map->grid = (struct hex_grid){(uint8_t)columns, (uint8_t)rows, 0};
    memset(out_map->bridge, AV_NONE, sizeof out_map->bridge);
    memset(out_map->place, AV_NONE, sizeof out_map->place);
    read_hexes(json, out_map);
    read_hexsides(json, out_map);
    read_roads(json, out_map);
    read_bridges(json, out_map);
    cJSON_ArrayForEach(item, json_get(json_get(json, "vienna_exits"), "hexes"))
    {
        unsigned hex =
            cJSON_IsString(item) ? hex_parse(&out_map->grid, item->valuestring) : HEX_NONE;
        if (hex != HEX_NONE) { out_map->vienna[hex] = true; }
    }
    read_places(json, out_map);
    return true;
}

/* ---- a view ---- */

static void read_list(const struct av_map *map, const cJSON *json, struct av_hexes *out)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json)
    {
        unsigned hex = cJSON_IsString(item) ? hex_parse(&map->grid, item->valuestring) : HEX_NONE;
        if (hex != HEX_NONE && out->count < AV_LIST_MAX) { out->hex[out->count++] = hex; }
    }
}

bool av_has(const struct av_hexes *list, unsigned hex)
{
    for (int i = 0; i < list->count; i++) {
        if (list->hex[i] == hex) { return true; }
    }
    return false;
}

static void read_units(struct av_view *v)
{
    memset(v->at, AV_NONE, sizeof v->at);
    for (const cJSON *json = members_of(json_get(v->board, "units")); json != NULL;
         json = json->next) {
        unsigned hex = hex_parse(&v->map->grid, json->string);
        struct av_unit *u = &v->unit[v->units];
        if (hex == HEX_NONE || v->units == AV_UNITS_MAX) { continue; }
        u->hex = hex;
        u->side = (enum av_side)index_of(av_side_ids, 2, text_of(json, "side"), AV_FRENCH);
        u->type = (enum av_type)index_of(av_type_ids, 3, text_of(json, "type"), AV_INFANTRY);
        snprintf(u->id, sizeof u->id, "%.4s", text_of(json, "id"));
        snprintf(u->name, sizeof u->name, "%.63s", text_of(json, "name"));
        u->potential = int_of(json, "potential");
        u->movement = int_of(json, "movement");
        u->mine = v->player && u->side == v->seat;
        u->moved = cJSON_IsTrue(json_get(json, "moved"));
        u->bridge = av_find_bridge(v->map, text_of(json, "destroyed_bridge"));
        v->at[hex] = (int8_t)v->units++;
    }
}

static void read_boxes(struct av_view *v)
{
    static const char *const boxes[] = {"eliminated", "withdrawn", "vienna"};
    for (int side = 0; side < 2; side++) {
        const cJSON *of = json_get(json_get(v->board, "boxes"), av_side_ids[side]);
        const cJSON *track = json_get(json_get(v->board, "tracks"), av_side_ids[side]);
        for (int box = 0; box < 3; box++) {
            for (int type = 0; type < 3; type++) {
                v->boxed[side][box][type] = int_of(json_get(of, boxes[box]), av_type_ids[type]);
            }
        }
        v->lost[side] = int_of(track, "P");
        v->left[side] = int_of(track, "D");
        v->has_left[side] = json_get(track, "D") != NULL;
    }
    v->demoralised = index_of(av_side_ids, 2, text_of(v->board, "demoralised"), AV_NONE);
}

static void read_ground(struct av_view *v)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(v->board, "broken_ice"))
    {
        unsigned hex =
            cJSON_IsString(item) ? hex_parse(&v->map->grid, item->valuestring) : HEX_NONE;
        if (hex != HEX_NONE) { v->broken[hex] = true; }
    }
    cJSON_ArrayForEach(item, json_get(v->board, "destroyed_bridges"))
    {
        int bridge = cJSON_IsString(item) ? av_find_bridge(v->map, item->valuestring) : AV_NONE;
        if (bridge != AV_NONE) { v->destroyed |= UINT32_C(1) << bridge; }
    }
}

static void read_plan(struct av_view *v)
{
    const cJSON *plan = json_get(v->board, "plan"), *hand = json_get(v->board, "hand");
    for (int i = 0; i < AV_ENTRIES_MAX; i++) {
        const cJSON *json = json_get(plan, words_int(i + 1));
        struct av_entry *entry = &v->entry[i];
        if (json == NULL) { break; }
        entry->status = text_of(json, "status")[0];
        read_list(v->map, json_get(json, "contact"), &entry->contact);
        read_list(v->map, json_get(json, "bombard"), &entry->bombard);
        read_list(v->map, json_get(json, "defenders"), &entry->defenders);
        const char *ice = text_of(json, "ice");
        entry->ice = ice[0] == '\0' ? HEX_NONE : hex_parse(&v->map->grid, ice);
        v->entries++;
    }
    int index = int_of(hand, "index");
    v->hand = index >= 1 && index <= v->entries ? index - 1 : AV_NONE;
    snprintf(v->result, sizeof v->result, "%.7s", text_of(hand, "result"));
    static const char *const parts[] = {"contact", "bombard", "defenders"};
    for (size_t i = 0; i < 3; i++) {
        read_list(v->map, json_get(hand, parts[i]), &v->fighting);
    }
    read_list(v->map, json_get(hand, "to_retreat"), &v->to_retreat);
    read_list(v->map, json_get(hand, "to_choose"), &v->to_choose);
    read_list(v->map, json_get(hand, "vacated"), &v->vacated);
}

bool av_read(const struct av_map *map, const cJSON *view, struct av_view *out_view)
{
    struct av_view *v = out_view;
    memset(v, 0, sizeof *v);
    v->map = map;
    v->view = view;
    v->board = json_get(view, "board");
    v->state =
        (enum av_state)index_of(av_state_ids, AV_UNKNOWN, text_of(view, "state"), AV_UNKNOWN);
    if (!cJSON_IsObject(v->board) || v->state == AV_UNKNOWN) { return false; }
    int seat = index_of(av_seat_ids, 2, text_of(view, "as"), AV_NONE);
    v->player = seat != AV_NONE;
    v->seat = seat == AV_NONE ? AV_FRENCH : (enum av_side)seat;
    const cJSON *prompt = json_get(view, "prompt");
    v->to_act = prompt != NULL || json_get(view, "actions") != NULL;
    v->due = int_of(prompt, "due");
    const cJSON *options = json_get(v->board, "options");
    v->semi_blind = strcmp(text_of(options, "information"), "semi-blind") == 0;
    v->dealt = strcmp(text_of(options, "strengths"), "dealt") == 0;
    const char *situation = text_of(options, "situation");
    snprintf(v->situation, sizeof v->situation, "%.7s", situation[0] == '\0' ? "1805" : situation);
    v->guard_1805 = cJSON_IsTrue(json_get(options, "guard_1805"));
    const cJSON *turn = json_get(view, "turn");
    v->turn = int_of(turn, "turn");
    v->of = int_of(turn, "of");
    snprintf(v->hours, sizeof v->hours, "%.11s", text_of(turn, "hours"));
    v->side = (enum av_side)index_of(av_side_ids, 2, text_of(turn, "side"), AV_ALLIED);
    v->fog = cJSON_IsTrue(json_get(turn, "fog"));
    v->night = cJSON_IsTrue(json_get(turn, "night"));
    read_units(v);
    read_boxes(v);
    read_ground(v);
    read_plan(v);
    return true;
}

/* ---- names ---- */

int av_find(const struct av_view *v, const char *word)
{
    for (int i = 0; i < v->units; i++) {
        if (v->unit[i].id[0] != '\0' && strcasecmp(v->unit[i].id, word) == 0) { return i; }
    }
    unsigned hex = hex_parse(&v->map->grid, word);
    return hex == HEX_NONE ? AV_NONE : v->at[hex];
}

unsigned av_find_hex(const struct av_view *v, const char *word)
{
    const struct av_map *map = v->map;
    unsigned hex = hex_parse(&map->grid, word), found = HEX_NONE;
    size_t n = strlen(word);
    if (hex != HEX_NONE) { return hex; }
    int unit = av_find(v, word);
    if (unit != AV_NONE) { return v->unit[unit].hex; }
    for (int i = 0; i < map->places; i++) {
        if (strcasecmp(map->of_place[i].name, word) == 0) { return map->of_place[i].hex; }
    }
    for (int i = 0; i < map->places && n >= 3; i++) {
        if (strncasecmp(map->of_place[i].name, word, n) != 0) { continue; }
        if (found != HEX_NONE) { return HEX_NONE; }
        found = map->of_place[i].hex;
    }
    return found;
}

int av_find_bridge(const struct av_map *map, const char *word)
{
    for (int i = 0; i < map->bridges; i++) {
        if (strcasecmp(map->of_bridge[i].id, word) == 0) { return i; }
    }
    return AV_NONE;
}

void av_name(const struct av_view *v, int unit, char out[HEX_TEXT])
{
    const struct av_unit *u = &v->unit[unit];
    if (u->id[0] != '\0' && (u->mine || !v->semi_blind)) {
        snprintf(out, HEX_TEXT, "%s", u->id);
    } else { /* 15.3: also where its face is turned up */
        hex_text(&v->map->grid, u->hex, out);
    }
}

void av_say_hex(const struct av_map *map, unsigned hex, struct buf *out)
{
    char text[HEX_TEXT] = "?";
    if (hex != HEX_NONE) { hex_text(&map->grid, hex, text); }
    buf_append_str(out, text);
    if (hex != HEX_NONE && map->place[hex] != AV_NONE) {
        buf_append_char(out, ' ');
        buf_append_str(out, map->of_place[map->place[hex]].name);
    }
}

/* ---- control and strength ---- */

/* 8.2: such ground keeps a battery from deploying. */
static bool hampers(const struct av_map *map, unsigned hex)
{
    return map->terrain[hex] == AV_FOREST || map->terrain[hex] == AV_MARSH ||
           map->terrain[hex] == AV_VILLAGE;
}

bool av_controls(const struct av_view *v, int unit, unsigned a, unsigned side)
{
    const struct av_map *map = v->map;
    unsigned b = hex_neighbour(&map->grid, a, side);
    if (b == HEX_NONE || (v->unit[unit].type == AV_ARTILLERY && hampers(map, a))) { return false; }
    return map->terrain[b] != AV_FOREST && map->terrain[b] != AV_VILLAGE && !v->broken[b] &&
           map->side[a][side] != AV_ESCARPMENT;
}

bool av_is_held(const struct av_view *v, unsigned hex, enum av_side by)
{
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned at = hex_neighbour(&v->map->grid, hex, d);
        int unit = at == HEX_NONE ? AV_NONE : v->at[at];
        if (unit != AV_NONE && v->unit[unit].side == by &&
            av_controls(v, unit, at, hex_opposite(d))) {
            return true;
        }
    }
    return false;
}

bool av_mutual(const struct av_view *v, int a, int b)
{
    unsigned side = hex_side_to(&v->map->grid, v->unit[a].hex, v->unit[b].hex);
    return side != HEX_SIDES && v->unit[a].side != v->unit[b].side &&
           av_controls(v, a, v->unit[a].hex, side) &&
           av_controls(v, b, v->unit[b].hex, hex_opposite(side));
}

bool av_may_attack(const struct av_view *v, int unit)
{
    const struct av_unit *u = &v->unit[unit];
    return u->bridge == AV_NONE && !(u->type == AV_ARTILLERY && hampers(v->map, u->hex));
}

int av_counts(const struct av_view *v, int unit, bool attacks)
{
    const struct av_unit *u = &v->unit[unit];
    int counts = u->potential;
    if (u->type == AV_ARTILLERY && (v->fog || v->night)) {
        counts = attacks ? counts / 2 : (counts + 1) / 2;
    }
    if (!attacks && v->map->fortified[u->hex] && u->type != AV_CAVALRY) { counts *= 2; }
    return counts;
}
