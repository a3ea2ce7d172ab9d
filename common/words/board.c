#include "common/words/board.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static int thousandths(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    if (!cJSON_IsNumber(item) || item->valuedouble < -180 || item->valuedouble > 180) { return 0; }
    return (int)(item->valuedouble * 1000.0 + (item->valuedouble < 0 ? -0.5 : 0.5));
}

static bool copy_name(char *out, size_t bytes, const char *from)
{
    if (from[0] == '\0') { return false; }
    return (size_t)snprintf(out, bytes, "%s", from) < bytes;
}

/* The town's name in the language that is spoken; of one that no catalogue knows the given one. */
static void name_town(struct board_town *town)
{
    char id[BOARD_NAME_MAX + 8];
    snprintf(id, sizeof id, "place.%s", town->id);
    struct buf name;
    buf_init(&name, 512);
    if (words_text(id) != NULL) { words_say(&name, id, "form", "", NULL); }
    if (!copy_name(town->name, sizeof town->name, buf_str(&name))) {
        memcpy(town->name, town->given, sizeof town->given);
    }
    buf_finish(&name);
}

static bool read_town(const cJSON *json, struct board_town *town)
{
    static const char *const nations[] = {"FR", "AD", "PR"};
    memset(town, 0, sizeof *town);
    if (!copy_name(town->id, sizeof town->id, text_of(json, "id"))) { return false; }
    if (!copy_name(town->given, sizeof town->given, text_of(json, "name"))) {
        memcpy(town->given, town->id, sizeof town->given);
    }
    name_town(town);
    town->lat = thousandths(json, "lat");
    town->lon = thousandths(json, "lon");
    bool french = strcmp(text_of(json, "country"), "france") == 0;
    bool prussian = strcmp(text_of(json, "zone"), "prussian") == 0;
    town->zone = french ? ZONE_FRANCE : prussian ? ZONE_PRUSSIAN : ZONE_ANGLO;
    const cJSON *supply = NULL;
    cJSON_ArrayForEach(supply, json_get(json, "supply"))
    {
        for (unsigned n = 0; n < 3; n++) {
            if (cJSON_IsString(supply) && strcmp(supply->valuestring, nations[n]) == 0) {
                town->supply |= 1U << n;
            }
        }
    }
    return true;
}

static void link_towns(struct board *board, int road)
{
    const struct board_road *r = &board->road[road];
    int ends[2] = {r->a, r->b};
    for (int i = 0; i < 2; i++) {
        struct board_town *t = &board->town[ends[i]];
        if (t->degree == BOARD_DEGREE_MAX) { continue; }
        t->town[t->degree] = ends[1 - i];
        t->road[t->degree++] = road;
    }
}

static bool read_road(const cJSON *json, struct board *board, struct board_road *road)
{
    road->a = board_town_id(board, text_of(json, "a"));
    road->b = board_town_id(board, text_of(json, "b"));
    if (road->a == BOARD_NONE || road->b == BOARD_NONE) { return false; }
    if (!copy_name(road->id, sizeof road->id, text_of(json, "id"))) {
        snprintf(road->id, sizeof road->id, "%s-%s", text_of(json, "a"), text_of(json, "b"));
    }
    road->major = strcmp(text_of(json, "class"), "major") == 0;
    road->river = cJSON_IsTrue(json_get(json, "river"));
    return true;
}

bool board_read(const cJSON *json, struct board *out_board)
{
    memset(out_board, 0, sizeof *out_board);
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json, "towns"))
    {
        if (out_board->towns == BOARD_TOWNS_MAX) { return false; }
        if (!read_town(item, &out_board->town[out_board->towns])) { return false; }
        out_board->towns++;
    }
    cJSON_ArrayForEach(item, json_get(json, "roads"))
    {
        if (out_board->roads == BOARD_ROADS_MAX) { return false; }
        if (!read_road(item, out_board, &out_board->road[out_board->roads])) { return false; }
        link_towns(out_board, (int)out_board->roads++);
    }
    cJSON_ArrayForEach(item, json_get(json, "time_record"))
    {
        if (out_board->slots == BOARD_SLOTS_MAX) { break; }
        struct board_slot *slot = &out_board->slot[out_board->slots++];
        snprintf(slot->date, sizeof slot->date, "%.11s", text_of(item, "date"));
        snprintf(slot->part, sizeof slot->part, "%.15s", text_of(item, "part"));
    }
    return out_board->towns > 0;
}

extern const char board_waterloo[]; /* schema/games/waterloo/board.json */

void board_of_game(const char *game, struct board *out_board)
{
    cJSON *json = NULL;
    memset(out_board, 0, sizeof *out_board);
    if (strcmp(game, "waterloo") != 0) { return; }
    if (json_parse(board_waterloo, strlen(board_waterloo), &json) != ERR_OK ||
        !board_read(json, out_board)) {
        memset(out_board, 0, sizeof *out_board);
    }
    cJSON_Delete(json);
}

int board_town_id(const struct board *board, const char *id)
{
    for (unsigned t = 0; t < board->towns; t++) {
        if (strcmp(board->town[t].id, id) == 0) { return (int)t; }
    }
    return BOARD_NONE;
}

int board_road_id(const struct board *board, const char *id)
{
    for (unsigned r = 0; r < board->roads; r++) {
        if (strcmp(board->road[r].id, id) == 0) { return (int)r; }
    }
    return BOARD_NONE;
}

/* What a name is compared by: without blanks, hyphens, dots and apostrophes, ASCII in small
 * letters; one that is longer than any town's is cut. */
static void fold_name(char out[BOARD_TOWN_NAME_MAX], const char *name)
{
    size_t n = 0;
    for (; *name != '\0' && n + 1 < BOARD_TOWN_NAME_MAX; name++) {
        if (strchr(" -.'", *name) != NULL) { continue; }
        out[n++] = (char)(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
    }
    out[n] = '\0';
}

/* How a name that is folded meets what was typed: 2 wholly, 1 begins so, 0 not. */
static int meets(const char *name, const char *typed)
{
    char folded[BOARD_TOWN_NAME_MAX];
    fold_name(folded, name);
    if (strcmp(folded, typed) == 0) { return 2; }
    return strncmp(folded, typed, strlen(typed)) == 0 ? 1 : 0;
}

int board_town(const struct board *board, const char *text)
{
    int found = BOARD_NONE;
    char typed[BOARD_TOWN_NAME_MAX];
    if (strlen(text) >= sizeof typed) { return BOARD_NONE; }
    fold_name(typed, text);
    if (typed[0] == '\0') { return BOARD_NONE; }
    for (unsigned t = 0; t < board->towns; t++) {
        const struct board_town *town = &board->town[t];
        if (meets(town->id, typed) == 2 || meets(town->given, typed) == 2 ||
            meets(town->name, typed) == 2) {
            return (int)t;
        }
    }
    for (unsigned t = 0; t < board->towns; t++) {
        const struct board_town *town = &board->town[t];
        if (meets(town->id, typed) == 0 && meets(town->name, typed) == 0) { continue; }
        if (found != BOARD_NONE) { return BOARD_NONE; }
        found = (int)t;
    }
    return found;
}

int board_road_between(const struct board *board, int a, int b)
{
    if (a < 0 || b < 0) { return BOARD_NONE; }
    const struct board_town *t = &board->town[a];
    for (unsigned i = 0; i < t->degree; i++) {
        if (t->town[i] == b) { return t->road[i]; }
    }
    return BOARD_NONE;
}

const char *board_name(const struct board *board, const char *id)
{
    int t = board_town_id(board, id);
    return t == BOARD_NONE ? id : board->town[t].name;
}

int board_capacity(const struct board *board, int road)
{
    const struct board_road *r = &board->road[road];
    int whole = r->major ? 8 : 6;
    return r->river ? whole / 2 : whole;
}

void board_distances(const struct board *board, int from, uint64_t closed, int out[BOARD_TOWNS_MAX])
{
    int queue[BOARD_TOWNS_MAX];
    int head = 0, tail = 0;
    for (int t = 0; t < BOARD_TOWNS_MAX; t++) {
        out[t] = 99;
    }
    out[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int at = queue[head++];
        if (at != from && (closed >> at & 1U) != 0) { continue; }
        const struct board_town *t = &board->town[at];
        for (unsigned i = 0; i < t->degree; i++) {
            if (out[t->town[i]] != 99) { continue; }
            out[t->town[i]] = out[at] + 1;
            queue[tail++] = t->town[i];
        }
    }
}
