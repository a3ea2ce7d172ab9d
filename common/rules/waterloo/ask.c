/* common/rules/waterloo/ask.c: questions whose answer the viewer could work out by himself: reach,
 * path, capacity, odds. Units that he may not know are refused in one way, be they hidden,
 * elsewhere or no units at all (W20.3). */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/flow.h"
#include "common/rules/waterloo/offers.h"

struct asking {
    const struct state *s;
    unsigned viewer;
    const cJSON *question;
    struct why *why;
};

static bool knows(const struct asking *a, unsigned side)
{
    return (wl_own_viewers(a->s, side) >> a->viewer & 1U) != 0;
}

static unsigned defender(const struct state *s)
{
    return wl_other(wl_phasing(s));
}

/* A unit on the map whose secrets the viewer shares. */
static enum err read_own_unit(const struct asking *a, unsigned *out_unit)
{
    const char *id = NULL;
    enum err err = json_read_str(a->question, "!unit", 16, &id, a->why);
    if (err != ERR_OK) { return err; }
    unsigned unit = wl_find_unit(id);
    if (unit == WL_NONE || !knows(a, wl_side(unit)) || !wl_on_map(a->s, unit)) {
        return why_member(a->why, "unit", "A unit of your own side on the map is needed here.");
    }
    *out_unit = unit;
    return ERR_OK;
}

/* ---- reach and path ---- */

/* The kinds of march that may be open to a unit now. */
enum going { GO_NOWHERE, GO_MARCH, GO_RETREAT };

/* What is needed to judge a route: for a march a state without the unit's own draft. */
struct judge {
    struct state copy;
    struct wl_ways ways;
    enum going going;
    const char *rule; /* GO_NOWHERE: what forbids it */
    unsigned unit;
};

static void begin_judge(const struct asking *a, unsigned unit, struct judge *out)
{
    const struct state *s = a->s;
    unsigned town = s->unit[unit].town, seat = wl_seat_of_nation(s, wl_nation(unit));
    memset(out, 0, sizeof *out);
    out->unit = unit;
    out->rule = "W19";
    if (s->step == WL_MOVE && wl_side(unit) == wl_phasing(s)) {
        out->copy = *s;
        if (s->unit[unit].route.len != 0) { wl_undraft(&out->copy, unit); }
        out->going = GO_MARCH;
        return;
    }
    if (s->step == WL_RESPOND && s->fight[town].phase == WL_ATTACKED &&
        wl_side(unit) == defender(s) && wl_owes_answer(s, town, seat)) {
        out->going = GO_RETREAT;
    } else if (s->step == WL_COMBAT && s->unit[unit].place == WL_ROUTED) {
        out->going = GO_RETREAT;
    } else if (s->step == WL_COMBAT && wl_in_battle(s, town, unit)) {
        out->rule = wl_acting_side(s) == wl_side(unit) ? wl_forbid_retreat(s, town, unit) : "W7.1";
        out->going = out->rule == NULL ? GO_RETREAT : GO_NOWHERE;
    }
    if (out->going == GO_RETREAT) { wl_find_ways(s, town, wl_side(unit), &out->ways); }
}

/* NULL or the rule that forbids this path; out_forced: whether it is longer than normal. */
static const char *judge_path(const struct asking *a, const struct judge *judge,
                              const uint8_t *towns, unsigned n, bool *out_forced)
{
    struct wl_route route;
    memset(&route, 0, sizeof route);
    *out_forced = n > wl_march_length(judge->unit);
    if (judge->going == GO_NOWHERE) { return judge->rule; }
    const char *length = judge->going == GO_MARCH ? "W4.4" : "W12.5";
    if (n == 0 || n > WL_PATH_MAX) { return length; }
    if (!wl_make_route(a->s, a->s->unit[judge->unit].town, towns, n, *out_forced, &route)) {
        return length;
    }
    return judge->going == GO_MARCH ? wl_forbid_march(&judge->copy, judge->unit, &route)
                                    : wl_forbid_route(&judge->ways, judge->unit, &route);
}

/* The best path found to each town: unforced before forced, short before long. */
struct found {
    uint8_t len[PMAP_TOWNS_MAX], path[PMAP_TOWNS_MAX][WL_PATH_MAX];
};

static void explore(const struct asking *a, const struct judge *judge, uint8_t *path, unsigned n,
                    struct found *found)
{
    const struct pmap *map = &wl_board(a->s)->map;
    unsigned at = n == 0 ? a->s->unit[judge->unit].town : path[n - 1];
    if (n >= WL_PATH_MAX || n == wl_march_length(judge->unit) + 1) { return; }
    for (unsigned i = 0; i < map->degree[at]; i++) {
        unsigned town = map->link[at][i].town;
        bool forced = false;
        path[n] = (uint8_t)town;
        if (judge_path(a, judge, path, n + 1, &forced) == NULL &&
            (found->len[town] == 0 || found->len[town] > n + 1)) {
            found->len[town] = (uint8_t)(n + 1);
            memcpy(found->path[town], path, n + 1);
        }
        /* A path that may not end here may still pass: length and forced are judged at its end. */
        explore(a, judge, path, n + 1, found);
    }
}

/* CV that a unit loses before it leaves a battle by a retreat of its own (W12.4). */
static unsigned loss_in_leaving(const struct state *s, unsigned unit)
{
    unsigned town = s->unit[unit].town;
    if (s->step != WL_COMBAT || s->unit[unit].place == WL_ROUTED) { return 0; }
    return wl_faces_troops(s, town, unit) ? wl_attrition(s, town, unit) : 0;
}

static enum err ask_reach(const struct asking *a, struct buf *out)
{
    unsigned unit = 0;
    enum err err = read_own_unit(a, &unit);
    if (err != ERR_OK) { return err; }
    struct judge judge;
    struct found found;
    uint8_t path[WL_PATH_MAX + 1] = {0};
    memset(&found, 0, sizeof found);
    begin_judge(a, unit, &judge);
    if (judge.going != GO_NOWHERE) { explore(a, &judge, path, 0, &found); }
    uint64_t enemies = wl_towns_of_side(a->s, wl_other(wl_side(unit)));
    const struct pmap *map = &wl_board(a->s)->map;
    jw_object_begin(out);
    if (judge.going == GO_NOWHERE) { jw_key_str(out, "rule", judge.rule); }
    unsigned loss = judge.going == GO_RETREAT ? loss_in_leaving(a->s, unit) : 0;
    if (loss != 0) { jw_key_int(out, "loss", loss); }
    jw_key_object(out, "towns");
    for (unsigned t = 0; t < map->towns; t++) {
        if (found.len[t] == 0) { continue; }
        jw_key_object(out, map->town_ids[t]);
        jw_key_array(out, "path");
        for (unsigned i = 0; i < found.len[t]; i++) {
            jw_str(out, map->town_ids[found.path[t][i]]);
        }
        jw_array_end(out);
        jw_key_bool(out, "forced", found.len[t] > wl_march_length(unit));
        if ((enemies >> t & 1U) != 0) { jw_key_bool(out, "attack", true); }
        jw_object_end(out);
    }
    jw_object_end(out);
    jw_object_end(out);
    return ERR_OK;
}

static enum err ask_path(const struct asking *a, struct buf *out)
{
    unsigned unit = 0, n = 0;
    uint8_t towns[WL_PATH_MAX + 1] = {0};
    const cJSON *path = NULL;
    enum err err = read_own_unit(a, &unit);
    if (err == ERR_OK) { err = json_read_array(a->question, "!path", 64, &path, a->why); }
    if (err != ERR_OK) { return err; }
    for (const cJSON *i = path->child; i != NULL; i = i->next) {
        unsigned town =
            cJSON_IsString(i) ? pmap_town(&wl_board(a->s)->map, i->valuestring) : PMAP_NONE;
        if (town == PMAP_NONE) {
            return why_member(a->why, "path", "The ids of towns are needed here.");
        }
        if (n <= WL_PATH_MAX) { towns[n++] = (uint8_t)town; }
    }
    struct judge judge;
    bool forced = false;
    begin_judge(a, unit, &judge);
    const char *rule = judge_path(a, &judge, towns, n, &forced);
    jw_object_begin(out);
    jw_key_bool(out, "ok", rule == NULL);
    jw_key_bool(out, "forced", forced);
    if (rule != NULL) { jw_key_str(out, "rule", rule); }
    jw_object_end(out);
    return ERR_OK;
}

/* ---- capacity ---- */

/* The ledger that the viewer may see: drafts of his own side, what was carried out, retreats. */
static void read_ledger(const struct asking *a, unsigned side, uint8_t out_used[PMAP_ROADS_MAX])
{
    const struct state *s = a->s;
    memset(out_used, 0, PMAP_ROADS_MAX);
    switch (s->step) {
    case WL_MOVE:
        for (unsigned u = 0; side == wl_phasing(s) && knows(a, side) && u < WL_UNITS; u++) {
            const struct wl_route *route = &s->unit[u].route;
            for (unsigned i = 0; i < route->len; i++) {
                out_used[route->road[i]]++;
            }
        }
        break;
    case WL_RESPOND:
    case WL_PURSUIT_LOSS:
        if (!knows(a, side)) { break; }
        memcpy(out_used, s->ledger_retreat[side], PMAP_ROADS_MAX);
        break;
    case WL_DEPLOY_DEF:
    case WL_DEPLOY_ATT:
    case WL_COMBAT: memcpy(out_used, s->ledger_retreat[side], PMAP_ROADS_MAX); break;
    default: break;
    }
}

static enum err ask_capacity(const struct asking *a, struct buf *out)
{
    const char *name = NULL;
    enum err err = json_read_str(a->question, "side", 2, &name, a->why);
    if (err != ERR_OK) { return err; }
    unsigned side = a->viewer < SEATS_MAX ? wl_side_of_seat(a->viewer) : wl_phasing(a->s);
    if (name != NULL) {
        side = strcmp(name, "FR") == 0 ? WL_SIDE_FR : WL_SIDE_AL;
        if (strcmp(name, wl_side_ids[side]) != 0) {
            return why_member(a->why, "side", "FR or AL is needed here.");
        }
    }
    uint8_t used[PMAP_ROADS_MAX];
    read_ledger(a, side, used);
    const struct wl_board *board = wl_board(a->s);
    jw_object_begin(out);
    jw_key_str(out, "side", wl_side_ids[side]);
    jw_key_object(out, "roads");
    for (unsigned r = 0; r < board->map.roads; r++) {
        unsigned capacity = wl_road_capacity(board, r);
        jw_key_object(out, board->map.road_ids[r]);
        jw_key_int(out, "of", capacity);
        jw_key_int(out, "left", capacity > used[r] ? capacity - used[r] : 0);
        jw_object_end(out);
    }
    jw_object_end(out);
    jw_object_end(out);
    return ERR_OK;
}

/* ---- odds ---- */

/* A unit that is turned up in a lane of that battle: known to all (W20.1). WL_NONE: there is none.
 */
static unsigned read_fighter(const struct asking *a, const char *name, unsigned town)
{
    const cJSON *id = json_get(a->question, name);
    unsigned unit = cJSON_IsString(id) ? wl_find_unit(id->valuestring) : WL_NONE;
    if (unit == WL_NONE || !wl_on_map(a->s, unit) || a->s->unit[unit].town != town) {
        return WL_NONE;
    }
    unsigned place = a->s->unit[unit].place;
    return a->s->step == WL_COMBAT && (place == WL_COL || place == WL_ADV) ? unit : WL_NONE;
}

/* W9.3: of the 6^dice equally likely throws, how many give 0, 1, ... hits. */
static void write_throws(unsigned dice, unsigned hit_on, struct buf *out)
{
    const int64_t hits = 7 - (int64_t)hit_on, misses = 6 - hits;
    int64_t ways = 1;
    jw_key_array(out, "ways");
    for (unsigned k = 0; k <= dice; k++) {
        int64_t count = ways;
        for (unsigned i = 0; i < dice; i++) {
            count *= i < k ? hits : misses;
        }
        jw_int(out, count);
        ways = ways * (int64_t)(dice - k) / (int64_t)(k + 1);
    }
    jw_array_end(out);
}

/* One answer for all units that are not turned up in that lane. */
static enum err ask_odds(const struct asking *a, struct buf *out)
{
    const char *id = NULL, *ignored = NULL;
    enum err err = json_read_str(a->question, "!battle", 64, &id, a->why);
    if (err == ERR_OK) { err = json_read_str(a->question, "!unit", 16, &ignored, a->why); }
    if (err == ERR_OK) { err = json_read_str(a->question, "!target", 16, &ignored, a->why); }
    if (err != ERR_OK) { return err; }
    unsigned town = pmap_town(&wl_board(a->s)->map, id);
    unsigned unit = read_fighter(a, "unit", town), target = read_fighter(a, "target", town);
    if (town == PMAP_NONE || unit == WL_NONE || target == WL_NONE ||
        wl_side(unit) == wl_side(target) || a->s->unit[unit].lane != a->s->unit[target].lane) {
        return why_member(a->why, "target",
                          "Two enemies in a lane of that battle are needed here.");
    }
    unsigned dice = wl_fire_dice(a->s, unit), hit_on = wl_hit_on(a->s, town, unit, target);
    const char *rule = "W7.1";
    if (wl_side(unit) == wl_acting_side(a->s)) { rule = wl_forbid_fire(a->s, town, unit, target); }
    jw_object_begin(out);
    jw_key_int(out, "dice", dice);
    jw_key_int(out, "hit_on", hit_on);
    jw_key_int(out, "cv", a->s->unit[target].cv);
    write_throws(dice, hit_on, out);
    jw_key_bool(out, "ok", rule == NULL);
    if (rule != NULL) { jw_key_str(out, "rule", rule); }
    jw_object_end(out);
    return ERR_OK;
}

/* ---- the whole ---- */

static const struct question {
    const char *name;
    enum err (*answer)(const struct asking *a, struct buf *out);
    const char *members[5];
} questions[] = {
    {"capacity", ask_capacity, {"ask", "side", NULL}},
    {"odds", ask_odds, {"ask", "battle", "target", "unit", NULL}},
    {"path", ask_path, {"ask", "path", "unit", NULL}},
    {"reach", ask_reach, {"ask", "unit", NULL}},
};

/* schema/games/waterloo/ask.schema.json. INVALID_PARAMS names the member. */
enum err wl_ask(const struct state *s, unsigned viewer, const struct cJSON *question,
                struct buf *out_json, struct why *why)
{
    struct asking a = {s, viewer, question, why};
    const char *name = NULL;
    enum err err = json_read_str(question, "!ask", 32, &name, why);
    if (err != ERR_OK) { return err; }
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(questions[i].name, name) != 0) { continue; }
        err = json_only(question, questions[i].members, why);
        return err != ERR_OK ? err : questions[i].answer(&a, out_json);
    }
    return why_member(why, "ask", "There is no such question in this game.");
}
