/* client-cli/waterloo/orders.c: one function for each word of the language of orders of Waterloo.
 */
#include "client-cli/waterloo/orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/waterloo/parse.h"
#include "client-cli/waterloo/ways.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

#define STATE(s) (1U << (s))
#define SETUP    (STATE(WV_SETUP_ALLIED) | STATE(WV_SETUP_FRENCH))
#define DEPLOY   (STATE(WV_DEPLOY_DEF) | STATE(WV_DEPLOY_ATT))
#define ROUTS    (STATE(WV_COMBAT) | STATE(WV_DEPLOY_ATT) | STATE(WV_SUPPLY))

/* clang-format off */
const struct order_word order_words[] = {
    {"place", NULL, SETUP},
    {"confirm", "confirm", SETUP},
    {"march", "march UNIT... TOWN... [forced]", STATE(WV_MOVE)},
    {"unmarch", NULL, STATE(WV_MOVE)},
    {"pursue", "pursue none|all TOWN", STATE(WV_MOVE)},
    {"end", "end", STATE(WV_MOVE) | STATE(WV_RESPOND) | STATE(WV_COMBAT)},
    {"fight", "fight TOWN", STATE(WV_RESPOND)},
    {"retreat", "retreat TOWN [UNIT... TOWN... [forced]]...", STATE(WV_RESPOND) | STATE(WV_COMBAT)},
    {"allot", NULL, STATE(WV_PURSUIT_LOSS)},
    {"deploy", NULL, DEPLOY},
    {"fire", "fire UNIT TARGET", STATE(WV_COMBAT)},
    {"advance", "advance UNIT...", STATE(WV_COMBAT)},
    {"withdraw", "withdraw UNIT...", STATE(WV_COMBAT)},
    {"redeploy", "redeploy UNIT LANE", STATE(WV_COMBAT)},
    {"reserve", "reserve UNIT...", STATE(WV_COMBAT)},
    {"bring", "bring UNIT LANE", STATE(WV_COMBAT)},
    {"square", "square UNIT...", STATE(WV_COMBAT)},
    {"unsquare", "unsquare UNIT...", STATE(WV_COMBAT)},
    {"reinforce", "reinforce TOWN UNIT...", STATE(WV_COMBAT)},
    {"forget", "forget", STATE(WV_MOVE) | STATE(WV_COMBAT)},
    {"routes", "routes TOWN [UNIT... TOWN... [forced]]...", STATE(WV_COMBAT)},
    {"remove", "remove UNIT...", STATE(WV_SUPPLY)},
    {"staff", "staff", 0},
    {"battle", "battle TOWN", 0},
    {"map", "map", 0},
    {"armies", "armies", 0},
    ORDER_WORDS_OF_ALL,
};
/* clang-format on */

const char *orders_usage(const struct order_word *word)
{
    char id[64];
    snprintf(id, sizeof id, "cli.usage.%s", word->word);
    return word->usage != NULL ? word->usage : words_text(id);
}

const char *orders_help(const struct order_word *word)
{
    char id[64];
    snprintf(id, sizeof id, "cli.help.%s", word->word);
    return words_text(id);
}

bool orders_word_fits(const struct order_word *word, const struct wv *wv)
{
    return word->states == 0 || (word->states >> wv->state & 1U) != 0;
}

/* ---- set-up ---- */

static void write_placement(struct parse *p, int unit, int town)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "unit", p->wv->unit[unit].id);
    jw_key_str(p->out, "town", p->wv->board->town[town].id);
    jw_object_end(p->out);
}

static bool place_auto(struct parse *p)
{
    int town[WV_UNITS_MAX];
    setup_propose(p->wv, town);
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "place");
    jw_key_array(p->out, "placements");
    int placed = 0;
    for (int i = 0; i < p->wv->units; i++) {
        if (town[i] == BOARD_NONE) { continue; }
        placed++;
        write_placement(p, i, town[i]);
    }
    jw_array_end(p->out);
    jw_object_end(p->out);
    return placed > 0 || fail(p, "cli.order.nothing", "");
}

static bool order_place(struct parse *p)
{
    if (take(p, "auto")) { return place_auto(p); }
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "place");
    jw_key_array(p->out, "placements");
    while (!at_end(p)) {
        int units[WV_UNITS_MAX];
        int n = 0;
        while (!at_end(p) && wv_find(p->wv, peek(p)) >= 0 && n < WV_UNITS_MAX) {
            units[n++] = wv_find(p->wv, p->word[p->at++]);
        }
        if (n == 0) { return fail(p, "cli.order.no_unit", peek(p)); }
        if (at_end(p)) { return fail(p, "cli.order.usage", ""); }
        int town = board_town(p->wv->board, peek(p));
        if (town == BOARD_NONE) { return fail(p, "cli.order.no_town", peek(p)); }
        p->at++;
        for (int i = 0; i < n; i++) {
            write_placement(p, units[i], town);
        }
    }
    jw_array_end(p->out);
    jw_object_end(p->out);
    return true;
}

static bool order_confirm(struct parse *p)
{
    buf_append_str(p->out, "{\"do\":\"confirm_setup\"}");
    return true;
}

/* ---- groups of units and their path ---- */

struct group {
    int units[WV_UNITS_MAX];
    int count;
    int towns[8];
    int len;
    bool forced, all;
};

/* UNIT... TOWN... [forced]; towns may be left out where the caller finds the way. */
static bool read_group(struct parse *p, struct group *g)
{
    memset(g, 0, sizeof *g);
    while (!at_end(p)) {
        if (take(p, "all")) {
            g->all = true;
            continue;
        }
        int unit = wv_find(p->wv, peek(p));
        if (unit < 0 || g->count == WV_UNITS_MAX) { break; }
        g->units[g->count++] = unit;
        p->at++;
    }
    if (g->count == 0 && !g->all) {
        return fail(p, at_end(p) ? "cli.order.need_units" : "cli.order.no_unit", peek(p));
    }
    while (!at_end(p) && !is(p, "forced") && !is(p, "all") && wv_find(p->wv, peek(p)) < 0) {
        int town = board_town(p->wv->board, peek(p));
        if (town == BOARD_NONE) { return fail(p, "cli.order.no_town", peek(p)); }
        if (g->len < 8) { g->towns[g->len++] = town; }
        p->at++;
    }
    g->forced = take(p, "forced");
    return true;
}

/* The way of one unit along the towns named: exactly these, or the shortest to the last where they
 * are not next to each other. */
static bool group_way(struct parse *p, const struct ways *ways, const struct group *g, int unit,
                      struct way *out)
{
    const struct wv_unit *u = &p->wv->unit[unit];
    const int *path = g->towns;
    int len = g->len;
    if (len > 0 && path[0] == u->town) {
        path++;
        len--;
    }
    if (len == 0) { return fail(p, "cli.order.need_path", ""); }
    if (ways_check(ways, u->town, u->type, path, len, out)) {
        if (out->forced && !g->forced) {
            words_say(p->why, "cli.order.need_forced", "unit", u->id, NULL);
            return false;
        }
        return true;
    }
    if (len == 1 && ways_to(ways, u->town, u->type, g->forced, path[0], out)) { return true; }
    if (len == 1 && !g->forced && ways_to(ways, u->town, u->type, true, path[0], out)) {
        words_say(p->why, "cli.order.need_forced", "unit", u->id, NULL);
        return false;
    }
    /* The server knows why it is not legal: send it as typed where it is a chain of roads. */
    bool chain = len <= WV_PATH_MAX;
    for (int i = 0, at = u->town; chain && i < len; at = path[i++]) {
        chain = at != BOARD_NONE && board_road_between(p->wv->board, at, path[i]) != BOARD_NONE;
        out->path[i] = path[i];
    }
    out->len = len;
    out->forced = len > wv_reach(u->type);
    if (chain) { return true; }
    words_say(p->why, "cli.order.no_route", "unit", u->id, "town",
              p->wv->board->town[path[len - 1]].name, NULL);
    return false;
}

static bool order_march(struct parse *p)
{
    struct ways ways;
    ways_init_march(&ways, p->wv, false);
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "march");
    jw_key_array(p->out, "marches");
    do {
        struct group g;
        if (!read_group(p, &g)) { return false; }
        for (int i = 0; i < g.count; i++) {
            struct way way = {0};
            if (!p->wv->unit[g.units[i]].mine) { /* an ally's */
                return fail(p, "cli.order.no_unit", p->wv->unit[g.units[i]].id);
            }
            if (p->wv->unit[g.units[i]].drafted > 0) {
                words_say(p->why, "cli.order.drafted", "unit", p->wv->unit[g.units[i]].id, NULL);
                return false;
            }
            if (!group_way(p, &ways, &g, g.units[i], &way)) { return false; }
            ways_use(&ways, p->wv->unit[g.units[i]].town, &way);
            ways_write(p->out, p->wv, p->wv->unit[g.units[i]].id, &way);
        }
    } while (!at_end(p));
    jw_array_end(p->out);
    jw_object_end(p->out);
    return true;
}

/* The units that are named from here to the word `until` ("": to the end), written into the open
 * array; n is counted up. */
static bool write_units(struct parse *p, const char *until, int *n)
{
    while (!at_end(p) && !is(p, until)) {
        int unit = wv_find(p->wv, peek(p));
        if (unit < 0) { return fail(p, "cli.order.no_unit", peek(p)); }
        jw_str(p->out, p->wv->unit[unit].id);
        p->at++;
        (*n)++;
    }
    return true;
}

static bool order_unmarch(struct parse *p)
{
    bool all = take(p, "all") || at_end(p);
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "unmarch");
    jw_key_array(p->out, "units");
    int n = 0;
    for (int i = 0; all && i < p->wv->units; i++) {
        if (p->wv->unit[i].drafted == 0 || !p->wv->unit[i].mine) { continue; }
        jw_str(p->out, p->wv->unit[i].id);
        n++;
    }
    if (!write_units(p, "", &n)) { return false; }
    jw_array_end(p->out);
    jw_object_end(p->out);
    return n > 0 || fail(p, "cli.order.nothing", "");
}

/* ---- end of a step, with what is said at it ---- */

static bool end_movement(struct parse *p)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "end_movement");
    jw_key_object(p->out, "pursuit");
    while (take(p, "pursue")) {
        const char *how = is(p, "none") ? "none" : is(p, "all") ? "all" : NULL;
        if (how == NULL) { return fail(p, "cli.order.choose_pursuit", peek(p)); }
        p->at++;
        int town = board_town(p->wv->board, peek(p));
        if (town == BOARD_NONE) { return fail(p, "cli.order.no_town", peek(p)); }
        p->at++;
        jw_key_str(p->out, p->wv->board->town[town].id, how);
    }
    jw_object_end(p->out);
    jw_object_end(p->out);
    return at_end(p) || fail(p, "cli.order.usage", peek(p));
}

static bool end_combat(struct parse *p)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "end_combat_turn");
    jw_key_array(p->out, "reinforcements");
    while (take(p, "reinforce")) {
        int town = board_town(p->wv->board, peek(p));
        if (town == BOARD_NONE) { return fail(p, "cli.order.no_town", peek(p)); }
        p->at++;
        jw_object_begin(p->out);
        jw_key_str(p->out, "battle", p->wv->board->town[town].id);
        jw_key_array(p->out, "units");
        int n = 0;
        if (!write_units(p, "reinforce", &n)) { return false; }
        jw_array_end(p->out);
        jw_object_end(p->out);
        if (n == 0) { return fail(p, "cli.order.need_units", ""); }
    }
    jw_array_end(p->out);
    jw_object_end(p->out);
    return at_end(p) || fail(p, "cli.order.usage", peek(p));
}

static bool order_end(struct parse *p)
{
    switch (p->wv->state) {
    case WV_MOVE: return end_movement(p);
    case WV_RESPOND: buf_append_str(p->out, "{\"do\":\"end_response\"}"); return true;
    case WV_COMBAT: return end_combat(p);
    default: return fail(p, "cli.order.not_now", p->word[0]);
    }
}

/* ---- response, retreats and routs ---- */

static bool order_fight(struct parse *p)
{
    int town = board_town(p->wv->board, peek(p));
    if (town == BOARD_NONE) {
        return fail(p, at_end(p) ? "cli.order.usage" : "cli.order.no_town", peek(p));
    }
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "respond");
    jw_key_str(p->out, "town", p->wv->board->town[town].id);
    jw_key_str(p->out, "choice", "fight");
    jw_object_end(p->out);
    return true;
}

/* Routes: those typed, and with rest the best way for every unit that is left. eligible[i]: may
 * leave. Writes "routes" and leaves in eligible those that have none. */
static bool write_routes(struct parse *p, struct ways *ways, bool eligible[WV_UNITS_MAX], bool rest)
{
    int score[BOARD_TOWNS_MAX];
    bool named = false;
    jw_key_array(p->out, "routes");
    while (!at_end(p)) {
        struct group g;
        if (take(p, "auto")) {
            rest = true;
            continue;
        }
        if (!read_group(p, &g)) { return false; }
        if (g.all) {
            rest = rest || g.len == 0;
            for (int i = 0; g.len > 0 && i < p->wv->units; i++) {
                if (eligible[i] && g.count < WV_UNITS_MAX) { g.units[g.count++] = i; }
            }
        }
        for (int i = 0; g.len > 0 && i < g.count; i++) {
            struct way way = {0};
            if (!group_way(p, ways, &g, g.units[i], &way)) { return false; }
            ways_use(ways, p->wv->unit[g.units[i]].town, &way);
            ways_write(p->out, p->wv, p->wv->unit[g.units[i]].id, &way);
            eligible[g.units[i]] = false;
            named = true;
        }
        for (int i = 0; g.len == 0 && i < g.count; i++) {
            struct way way = {0};
            const struct wv_unit *u = &p->wv->unit[g.units[i]];
            ways_score_refuge(p->wv, u->town, score);
            if (!ways_best(ways, u->town, u->type, false, score, &way)) {
                words_say(p->why, "cli.order.no_route", "unit", u->id, "town",
                          words_text("cli.order.any_town"), NULL);
                return false;
            }
            ways_use(ways, u->town, &way);
            ways_write(p->out, p->wv, u->id, &way);
            eligible[g.units[i]] = false;
            named = true;
        }
    }
    for (int i = 0; (rest || !named) && i < p->wv->units; i++) {
        const struct wv_unit *u = &p->wv->unit[i];
        struct way way = {0};
        if (!eligible[i]) { continue; }
        ways_score_refuge(p->wv, u->town, score);
        if (!ways_best(ways, u->town, u->type, false, score, &way)) { continue; }
        ways_use(ways, u->town, &way);
        ways_write(p->out, p->wv, u->id, &way);
        eligible[i] = false;
    }
    jw_array_end(p->out);
    return true;
}

static void write_left_over(struct parse *p, const char *member, const bool left[WV_UNITS_MAX])
{
    jw_key_array(p->out, member);
    for (int i = 0; i < p->wv->units; i++) {
        if (left[i]) { jw_str(p->out, p->wv->unit[i].id); }
    }
    jw_array_end(p->out);
}

static bool respond_retreat(struct parse *p)
{
    int town = board_town(p->wv->board, peek(p));
    if (town == BOARD_NONE) {
        return fail(p, at_end(p) ? "cli.order.usage" : "cli.order.no_town", peek(p));
    }
    p->at++;
    bool eligible[WV_UNITS_MAX] = {false};
    for (int i = 0; i < p->wv->units; i++) {
        eligible[i] = p->wv->unit[i].town == town && p->wv->unit[i].mine;
    }
    uint64_t roads[2];
    struct ways ways;
    ways_attack_roads(p->wv, town, roads);
    ways_init_retreat(&ways, p->wv, town, NULL, roads);
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "respond");
    jw_key_str(p->out, "town", p->wv->board->town[town].id);
    jw_key_str(p->out, "choice", "retreat");
    if (!write_routes(p, &ways, eligible, true)) { return false; }
    write_left_over(p, "stranded", eligible);
    jw_object_end(p->out);
    return true;
}

static bool order_retreat(struct parse *p)
{
    if (p->wv->state == WV_RESPOND) { return respond_retreat(p); }
    const struct wv_battle *b = parse_battle(p, 'f');
    if (b == NULL) { return fail(p, "cli.order.which_battle", ""); }
    bool eligible[WV_UNITS_MAX] = {false};
    for (int i = 0; i < p->wv->units; i++) {
        const struct wv_unit *u = &p->wv->unit[i];
        const struct wv_fighter *f = wv_fighter_of(b, u->id);
        eligible[i] = u->town == b->town && u->mine && f != NULL && !f->fired && f->moves == 0;
    }
    struct ways ways;
    ways_init_retreat(&ways, p->wv, b->town, b, NULL);
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "retreat");
    jw_key_str(p->out, "battle", p->wv->board->town[b->town].id);
    if (!write_routes(p, &ways, eligible, false)) { return false; }
    jw_object_end(p->out);
    return true;
}

static bool order_routes(struct parse *p)
{
    const struct wv_battle *b = NULL;
    int town = board_town(p->wv->board, peek(p));
    if (!at_end(p) && town != BOARD_NONE) {
        b = wv_battle_at(p->wv, town);
        p->at++;
    }
    unsigned ours = 0;
    for (int i = 0; b == NULL && i < p->wv->battles; i++) {
        ours = p->wv->battle[i].we_attack ? 1 : 2;
        if (p->wv->battle[i].rout == ours) { b = &p->wv->battle[i]; }
    }
    if (b == NULL) { return fail(p, "cli.order.not_now", p->word[0]); }
    bool eligible[WV_UNITS_MAX] = {false};
    for (int i = 0; i < p->wv->units; i++) {
        const struct wv_unit *u = &p->wv->unit[i];
        eligible[i] = u->town == b->town && u->mine && u->place == WV_ROUTED;
    }
    struct ways ways;
    ways_init_retreat(&ways, p->wv, b->town, b, NULL);
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "rout_routes");
    jw_key_str(p->out, "battle", p->wv->board->town[b->town].id);
    if (!write_routes(p, &ways, eligible, true)) { return false; }
    write_left_over(p, "lost", eligible);
    jw_object_end(p->out);
    return true;
}

/* ---- losses ---- */

static void write_loss(struct parse *p, const char *unit, int cv)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "unit", unit);
    jw_key_int(p->out, "cv", cv);
    jw_object_end(p->out);
}

static const cJSON *routes_of_answer(const struct wv *wv, const char *town)
{
    const cJSON *answers = json_get(json_get(json_get(wv->json, "attacks"), town), "answers");
    return json_get(json_get(answers, wv->seat), "routes");
}

/* One hit after another on the unit with the most CV left, so that as few as may be are lost. */
static void allot_auto(struct parse *p, const char *town, const char *stage, int hits)
{
    int cv[WV_UNITS_MAX] = {0};
    int lost[WV_UNITS_MAX] = {0};
    const cJSON *routes = routes_of_answer(p->wv, town);
    for (int i = 0; i < p->wv->units; i++) {
        const struct wv_unit *u = &p->wv->unit[i];
        bool mounted = u->type == WV_CAVALRY || u->type == WV_HORSE;
        bool takes = json_get(routes, u->id) != NULL && (stage[0] != 'A' || mounted);
        cv[i] = takes ? u->cv : 0;
    }
    for (; hits > 0; hits--) {
        int best = -1;
        for (int i = 0; i < p->wv->units; i++) {
            if (cv[i] > 0 && (best < 0 || cv[i] > cv[best])) { best = i; }
        }
        if (best < 0) { break; }
        cv[best]--;
        lost[best]++;
    }
    for (int i = 0; i < p->wv->units; i++) {
        if (lost[i] > 0) { write_loss(p, p->wv->unit[i].id, lost[i]); }
    }
}

static bool order_allot(struct parse *p)
{
    const cJSON *prompt = json_get(p->wv->view, "prompt");
    const cJSON *town = json_get(prompt, "town");
    const cJSON *stage = json_get(prompt, "stage");
    const cJSON *hits = json_get(prompt, "hits");
    if (!cJSON_IsString(town) || !cJSON_IsString(stage)) {
        return fail(p, "cli.order.not_now", p->word[0]);
    }
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "allot");
    jw_key_str(p->out, "town", town->valuestring);
    jw_key_array(p->out, "losses");
    if (at_end(p) || take(p, "auto")) {
        allot_auto(p, town->valuestring, stage->valuestring,
                   cJSON_IsNumber(hits) ? hits->valueint : 0);
    }
    while (!at_end(p)) {
        int unit = wv_find(p->wv, peek(p));
        if (unit < 0) { return fail(p, "cli.order.no_unit", peek(p)); }
        p->at++;
        int cv = at_end(p) || wv_find(p->wv, peek(p)) >= 0 ? 1 : atoi(p->word[p->at++]);
        if (cv < 1 || cv > 9) { return fail(p, "cli.order.usage", ""); }
        write_loss(p, p->wv->unit[unit].id, cv);
    }
    jw_array_end(p->out);
    jw_object_end(p->out);
    return true;
}

static bool order_remove(struct parse *p)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "remove");
    jw_key_array(p->out, "units");
    if (at_end(p)) { return fail(p, "cli.order.need_units", ""); }
    while (!at_end(p)) {
        int unit = wv_find(p->wv, peek(p));
        if (unit < 0) { return fail(p, "cli.order.no_unit", peek(p)); }
        jw_str(p->out, p->wv->unit[unit].id);
        p->at++;
    }
    jw_array_end(p->out);
    jw_object_end(p->out);
    return true;
}

static const struct order {
    const char *word;
    bool (*read)(struct parse *p);
} orders[] = {
    {"place", order_place},       {"confirm", order_confirm},   {"march", order_march},
    {"unmarch", order_unmarch},   {"end", order_end},           {"fight", order_fight},
    {"retreat", order_retreat},   {"allot", order_allot},       {"deploy", parse_deploy},
    {"fire", parse_fire},         {"advance", parse_advance},   {"withdraw", parse_withdraw},
    {"redeploy", parse_redeploy}, {"reserve", parse_reserve},   {"bring", parse_bring},
    {"square", parse_square},     {"unsquare", parse_unsquare}, {"routes", order_routes},
    {"remove", order_remove},
};

static int split(const char *text, char word[WORDS_MAX][WORD_BYTES])
{
    int n = 0;
    while (n < WORDS_MAX) {
        text += strspn(text, " \t,\n");
        size_t len = strcspn(text, " \t,\n");
        if (len == 0) { break; }
        snprintf(word[n++], WORD_BYTES, "%.*s", (int)(len < WORD_BYTES ? len : WORD_BYTES - 1),
                 text);
        text += len;
    }
    return n;
}

/* Makes one word, the id, of every town whose name was typed in two, as the map has it: "Quatre
 * Bras". How many words are left. */
static int join_towns(const struct board *board, char word[WORDS_MAX][WORD_BYTES], int n)
{
    for (int i = 1; i + 1 < n; i++) {
        char both[2 * WORD_BYTES + 2];
        snprintf(both, sizeof both, "%s %s", word[i], word[i + 1]);
        int town = board_town(board, both);
        if (town == BOARD_NONE) { continue; }
        snprintf(word[i], WORD_BYTES, "%s", board->town[town].id);
        memmove(word[i + 1], word[i + 2], (size_t)(--n - i - 1) * WORD_BYTES);
    }
    return n;
}

bool orders_parse(const struct board *board, const cJSON *view, const char *text,
                  struct buf *out_action, struct buf *out_why)
{
    char word[WORDS_MAX][WORD_BYTES];
    struct wv *wv = malloc(sizeof *wv);
    bool ok = false;
    if (wv == NULL || !wv_read(board, view, wv)) {
        words_say(out_why, "cli.order.not_yours", NULL);
        goto out;
    }
    struct parse p = {.wv = wv,
                      .word = word,
                      .words = join_towns(board, word, split(text, word)),
                      .at = 1,
                      .out = out_action,
                      .why = out_why,
                      .usage = ""};
    if (p.words == 0) {
        words_say(out_why, "cli.order.nothing", NULL);
        goto out;
    }
    for (const struct order_word *w = order_words; w->word != NULL; w++) {
        if (strcasecmp(w->word, word[0]) != 0) { continue; }
        p.usage = orders_usage(w);
        /* Where it is not our turn the server says so. */
        if (wv->to_act && !orders_word_fits(w, wv)) {
            fail(&p, "cli.order.not_now", w->word);
            goto out;
        }
    }
    size_t found = 0;
    while (found < sizeof orders / sizeof orders[0] &&
           strcasecmp(orders[found].word, word[0]) != 0) {
        found++;
    }
    if (found == sizeof orders / sizeof orders[0]) {
        fail(&p, "cli.order.unknown", word[0]);
        goto out;
    }
    ok = orders[found].read(&p);
out:
    if (!ok) { buf_reset(out_action); }
    free(wv);
    return ok;
}

/* ---- completion ---- */

static void add_if(struct buf *out, const char *word, const char *stem)
{
    if (strncasecmp(word, stem, strlen(stem)) != 0) { return; }
    buf_append_str(out, word);
    buf_append_char(out, '\n');
}

size_t orders_complete(const struct wv *wv, const char *text, struct buf *out_words)
{
    const char *last = text + strlen(text);
    while (last > text && last[-1] != ' ') {
        last--;
    }
    bool first = text + strspn(text, " ") == last;
    if (first) {
        for (const struct order_word *w = order_words; w->word != NULL; w++) {
            if (orders_word_fits(w, wv)) { add_if(out_words, w->word, last); }
        }
        return strlen(last);
    }
    if (strncasecmp(text + strspn(text, " "), "offer ", 6) == 0) {
        static const char *const whats[] = {"draw",   "abort", "rewind", "pause",
                                            "resume", "time",  "reopen"};
        for (size_t i = 0; i < sizeof whats / sizeof whats[0]; i++) {
            add_if(out_words, whats[i], last);
        }
        return strlen(last);
    }
    for (int i = 0; i < wv->units; i++) {
        if (wv->unit[i].mine) { add_if(out_words, wv->unit[i].id, last); }
    }
    for (int k = 0; strncasecmp(text, "fire", 4) == 0 && k < wv->battles; k++) {
        for (int i = 0; i < wv->battle[k].fighters; i++) {
            const struct wv_fighter *f = &wv->battle[k].fighter[i];
            if (wv_side_of(f->nation) != wv->side && f->lane > 0) {
                add_if(out_words, f->id, last);
            }
        }
    }
    for (unsigned t = 0; t < wv->board->towns; t++) {
        add_if(out_words, wv->board->town[t].id, last);
    }
    static const char *const keywords[] = {"auto", "all", "none", "forced", "reserve:"};
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        add_if(out_words, keywords[i], last);
    }
    return strlen(last);
}
