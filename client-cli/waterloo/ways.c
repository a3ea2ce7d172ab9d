#include "client-cli/waterloo/ways.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

static uint64_t bit(int town)
{
    return town < 0 ? 0 : UINT64_C(1) << town;
}

static bool has_road(const uint64_t set[2], int road)
{
    return (set[road / 64] >> (road % 64) & 1U) != 0;
}

static enum wv_side enemy_of(const struct wv *wv)
{
    return wv->side == WV_SIDE_FR ? WV_SIDE_AL : WV_SIDE_FR;
}

void ways_init_march(struct ways *ways, const struct wv *wv, bool peaceful)
{
    memset(ways, 0, sizeof *ways);
    ways->wv = wv;
    for (unsigned r = 0; r < wv->board->roads; r++) {
        ways->room[r] = wv_room(wv, (int)r);
    }
    ways->first[0] = ways->first[1] = UINT64_MAX;
    uint64_t enemy = wv_towns_of(wv, enemy_of(wv));
    if (peaceful || wv->night) {
        ways->shut = enemy;
    } else {
        ways->last = enemy;
    }
}

void ways_attack_roads(const struct wv *wv, int town, uint64_t out_roads[2])
{
    const cJSON *attack = json_get(json_get(wv->json, "attacks"), wv->board->town[town].id);
    const cJSON *road = NULL;
    out_roads[0] = out_roads[1] = 0;
    cJSON_ArrayForEach(road, json_get(attack, "roads"))
    {
        int r = cJSON_IsString(road) ? board_road_id(wv->board, road->valuestring) : BOARD_NONE;
        if (r != BOARD_NONE) { out_roads[r / 64] |= UINT64_C(1) << (r % 64); }
    }
}

void ways_init_retreat(struct ways *ways, const struct wv *wv, int town,
                       const struct wv_battle *battle, const uint64_t attack_roads[2])
{
    memset(ways, 0, sizeof *ways);
    ways->wv = wv;
    for (unsigned r = 0; r < wv->board->roads; r++) {
        ways->room[r] = wv_retreat_room(wv, wv->side, (int)r);
    }
    bool attacker = battle != NULL && battle->we_attack;
    const uint64_t *roads = battle != NULL ? battle->attack_roads : attack_roads;
    for (int i = 0; i < 2; i++) {
        ways->first[i] = attacker ? roads[i] : ~roads[i];
    }
    ways->shut = wv_towns_of(wv, enemy_of(wv)) | bit(town);
    for (int i = 0; i < wv->battles; i++) {
        if (wv->battle[i].phase != 'o') { ways->shut |= bit(wv->battle[i].town); }
    }
    if (battle == NULL || wv->state == WV_RESPOND) { ways->shut |= wv->attacked; }
    if (battle != NULL && battle->rout != 0) { ways->shut = battle->closed | bit(town); }
}

/* Depth-first over paths of at most max towns. */
struct search {
    const struct ways *ways;
    const int *score, *want;
    int max, normal, start;
    bool found;
    int best;
    struct way way, *out;
};

static void search_from(struct search *s, int at, uint64_t seen)
{
    const struct board_town *t = &s->ways->wv->board->town[at];
    for (unsigned i = 0; i < t->degree; i++) {
        int to = t->town[i];
        int road = t->road[i];
        if ((seen & bit(to)) != 0 || s->ways->room[road] <= 0 || (s->ways->shut & bit(to)) != 0) {
            continue;
        }
        if (s->way.len == 0 && !has_road(s->ways->first, road)) { continue; }
        s->way.path[s->way.len++] = to;
        if (s->score[to] >= 0) {
            int value = s->score[to] * 8 - s->way.len - (s->way.len > s->normal ? 40 : 0);
            if (!s->found || value > s->best) {
                s->found = true;
                s->best = value;
                *s->out = s->way;
                s->out->forced = s->way.len > s->normal;
            }
        }
        if (s->way.len < s->max && (s->ways->last & bit(to)) == 0) {
            search_from(s, to, seen | bit(to));
        }
        s->way.len--;
    }
}

bool ways_best(const struct ways *ways, int from, enum wv_type type, bool forced,
               const int score[BOARD_TOWNS_MAX], struct way *out_way)
{
    int normal = wv_reach(type);
    if (from < 0) { return false; } /* it stands nowhere */
    struct search s = {.ways = ways,
                       .score = score,
                       .max = normal + (forced ? 1 : 0),
                       .normal = normal,
                       .start = from,
                       .out = out_way};
    search_from(&s, from, bit(from));
    return s.found;
}

bool ways_to(const struct ways *ways, int from, enum wv_type type, bool forced, int to,
             struct way *out_way)
{
    int score[BOARD_TOWNS_MAX];
    for (int t = 0; t < BOARD_TOWNS_MAX; t++) {
        score[t] = -1;
    }
    score[to] = 10;
    return ways_best(ways, from, type, forced, score, out_way);
}

bool ways_check(const struct ways *ways, int from, enum wv_type type, const int *path, int len,
                struct way *out_way)
{
    int at = from;
    int normal = wv_reach(type);
    uint64_t seen = bit(from);
    if (len < 1 || len > normal + 1 || len > WV_PATH_MAX) { return false; }
    for (int i = 0; i < len; i++) {
        int road = board_road_between(ways->wv->board, at, path[i]);
        if (road == BOARD_NONE || ways->room[road] <= 0 || (seen & bit(path[i])) != 0) {
            return false;
        }
        if (i == 0 && !has_road(ways->first, road)) { return false; }
        if ((ways->shut & bit(path[i])) != 0) { return false; }
        if (i + 1 < len && (ways->last & bit(path[i])) != 0) { return false; }
        seen |= bit(path[i]);
        at = path[i];
        out_way->path[i] = at;
    }
    out_way->len = len;
    out_way->forced = len > normal;
    return true;
}

void ways_use(struct ways *ways, int from, const struct way *way)
{
    int at = from;
    for (int i = 0; i < way->len; i++) {
        int road = board_road_between(ways->wv->board, at, way->path[i]);
        if (road != BOARD_NONE) { ways->room[road]--; }
        at = way->path[i];
    }
}

void ways_write(struct buf *out, const struct wv *wv, const char *unit, const struct way *way)
{
    jw_object_begin(out);
    jw_key_str(out, "unit", unit);
    jw_key_array(out, "path");
    for (int i = 0; i < way->len; i++) {
        jw_str(out, wv->board->town[way->path[i]].id);
    }
    jw_array_end(out);
    jw_key_bool(out, "forced", way->forced);
    jw_object_end(out);
}

void ways_score_refuge(const struct wv *wv, int from, int out_score[BOARD_TOWNS_MAX])
{
    int nearest[BOARD_TOWNS_MAX];
    int distance[BOARD_TOWNS_MAX];
    for (int t = 0; t < BOARD_TOWNS_MAX; t++) {
        nearest[t] = 99;
    }
    uint64_t enemy = wv_towns_of(wv, enemy_of(wv)) | bit(from);
    for (unsigned e = 0; e < wv->board->towns; e++) {
        if ((enemy & bit((int)e)) == 0) { continue; }
        board_distances(wv->board, (int)e, 0, distance);
        for (unsigned t = 0; t < wv->board->towns; t++) {
            if (distance[t] < nearest[t]) { nearest[t] = distance[t]; }
        }
    }
    for (unsigned t = 0; t < wv->board->towns; t++) {
        int friends = wv_count(wv, (int)t, wv->side);
        int far = nearest[t] > 3 ? 3 : nearest[t];
        int base = wv->side == WV_SIDE_AL && wv->board->town[t].supply != 0 ? 3 : 0;
        out_score[t] = 4 + 4 * far + (friends > 8 ? 8 : friends) + base;
    }
}
