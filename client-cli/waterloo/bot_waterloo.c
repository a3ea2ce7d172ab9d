/* client-cli/waterloo/bot_waterloo.c: plays Waterloo by plain sense: which decision is asked, and the short
 * answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/bots/bot.h"
#include "client-cli/waterloo/bot_waterloo.h"
#include "client-cli/waterloo/orders.h"
#include "client-cli/waterloo/ways.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

int bot_worth(const struct wv *wv, enum wv_nation nation, int count)
{
    static const int tenths[WV_NATIONS] = {29, 28, 24};
    int whole = nation == WV_FR ? 18 : nation == WV_AD ? 14 : 16;
    /* Armies wear out: what is left of a beaten one is weaker block by block. */
    int wear = 100 - (whole - wv->left[nation]) * 2;
    return count * tenths[nation] * wear / 100;
}

static bool order(const struct wv *wv, const char *text, struct buf *out_action)
{
    struct buf why;
    buf_init(&why, 4096);
    bool ok = orders_parse(wv->board, wv->view, text, out_action, &why);
    buf_finish(&why);
    return ok;
}

static int own_strength(const struct wv *wv, int town)
{
    int tenths = 0;
    for (int i = 0; i < wv->units; i++) {
        if (wv->unit[i].town == town) { tenths += 10 * wv->unit[i].cv; }
    }
    return tenths;
}

/* Half the worth of the friends next door who could come up, at most four. */
static int own_support(const struct wv *wv, int town)
{
    int units = 0, tenths = 0;
    const struct board_town *t = &wv->board->town[town];
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        for (unsigned k = 0; k < t->degree && units < 4; k++) {
            if (u->town != t->town[k] || u->marked_until >= wv->slot) { continue; }
            if ((wv->attacked >> u->town & 1U) != 0) { continue; }
            tenths += 5 * u->cv;
            units++;
        }
    }
    return tenths;
}

static bool named_in(const cJSON *list, const char *id)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_IsString(item) && strcmp(item->valuestring, id) == 0) { return true; }
    }
    return false;
}

/* Whether every own unit of the town would find a way out. */
static bool all_can_leave(const struct wv *wv, int town)
{
    uint64_t roads[2];
    struct ways ways;
    int score[BOARD_TOWNS_MAX];
    ways_attack_roads(wv, town, roads);
    ways_init_retreat(&ways, wv, town, NULL, roads);
    ways_score_refuge(wv, town, score);
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        struct way way = {0};
        if (u->town != town || !u->mine) { continue; }
        if (!ways_best(&ways, town, u->type, false, score, &way)) { return false; }
        ways_use(&ways, town, &way);
    }
    return true;
}

bool bot_would_stand(const struct wv *wv, int town, int theirs)
{
    int ours = own_strength(wv, town) + own_support(wv, town);
    int base = wv->board->town[town].supply != 0 && wv->side == WV_SIDE_AL ? 65 : 85;
    if (wv->side == WV_SIDE_FR && wv->board->town[town].supply != 0) { base = 70; }
    return ours * 100 >= theirs * base;
}

/* Fights at fair odds, longer for a base; leaves before a superior force while there is a way (W5).
 */
static bool respond(const struct wv *wv, const cJSON *prompt, struct buf *out_action)
{
    const cJSON *towns = json_get(prompt, "towns");
    const cJSON *first = towns == NULL ? NULL : towns->child;
    if (!cJSON_IsString(first)) { return order(wv, "end", out_action); }
    int town = board_town_id(wv->board, first->valuestring);
    if (town == BOARD_NONE) { return false; }
    const cJSON *attackers =
        json_get(json_get(json_get(wv->json, "attacks"), first->valuestring), "attackers");
    int theirs = 0;
    for (int n = 0; n < WV_NATIONS; n++) {
        const cJSON *count = json_get(attackers, wv_nation_ids[n]);
        if (cJSON_IsNumber(count)) { theirs += bot_worth(wv, (enum wv_nation)n, count->valueint); }
    }
    bool must = named_in(json_get(prompt, "must_retreat"), first->valuestring);
    bool fight = !must && (bot_would_stand(wv, town, theirs) || !all_can_leave(wv, town));
    char text[64];
    snprintf(text, sizeof text, "%s %s", fight ? "fight" : "retreat", first->valuestring);
    return order(wv, text, out_action);
}

/* The weakest units pay for lost supply: the count of units is what brings an army down. */
static bool remove_units(const struct wv *wv, const cJSON *prompt, struct buf *out_action)
{
    bool taken[WV_UNITS_MAX] = {false};
    int count = 0;
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "remove");
    jw_key_array(out_action, "units");
    for (int n = 0; n < WV_NATIONS; n++) {
        const cJSON *debt = json_get(json_get(prompt, "debt"), wv_nation_ids[n]);
        int owed = cJSON_IsNumber(debt) ? debt->valueint : 0;
        for (; owed > 0; owed--) {
            int best = -1, best_value = 0;
            for (int i = 0; i < wv->units; i++) {
                const struct wv_unit *u = &wv->unit[i];
                if ((int)u->nation != n || !u->mine || taken[i]) { continue; }
                int value = u->cv * 4 + (u->type == WV_INFANTRY  ? 3
                                         : u->type == WV_CAVALRY ? 2
                                                                 : 0);
                if (best >= 0 && value >= best_value) { continue; }
                best = i;
                best_value = value;
            }
            if (best < 0) { break; }
            taken[best] = true;
            count++;
            jw_str(out_action, wv->unit[best].id);
        }
    }
    jw_array_end(out_action);
    jw_object_end(out_action);
    return count > 0;
}

static bool deploy(const struct wv *wv, const cJSON *prompt, struct buf *out_action)
{
    const cJSON *town = json_get(prompt, "battle");
    int t = cJSON_IsString(town) ? board_town_id(wv->board, town->valuestring) : BOARD_NONE;
    const struct wv_battle *b = t == BOARD_NONE ? NULL : wv_battle_at(wv, t);
    if (b == NULL) { return false; }
    int place[WV_UNITS_MAX];
    deploy_propose(wv, t, b->we_attack, place);
    deploy_write(wv, t, place, out_action);
    return true;
}

static bool decide(const struct wv *wv, struct bot_random *random, struct buf *out_action)
{
    const cJSON *prompt = json_get(wv->view, "prompt");
    const char *id = wv->prompt;
    if (strcmp(id, "place_units") == 0) {
        const cJSON *left = json_get(prompt, "unplaced");
        bool done = cJSON_IsNumber(left) && left->valueint == 0;
        return order(wv, done ? "confirm" : "place auto", out_action);
    }
    if (strcmp(id, "move") == 0) { return bot_waterloo_move(wv, random, out_action); }
    if (strcmp(id, "respond") == 0) { return respond(wv, prompt, out_action); }
    if (strcmp(id, "allot") == 0) { return order(wv, "allot auto", out_action); }
    if (strcmp(id, "rout_routes") == 0) { return order(wv, "routes auto", out_action); }
    if (strcmp(id, "remove_units") == 0) { return remove_units(wv, prompt, out_action); }
    if (strncmp(id, "deploy", 6) == 0) { return deploy(wv, prompt, out_action); }
    if (strcmp(id, "combat") == 0) { return bot_waterloo_combat(wv, out_action); }
    return false;
}

bool bot_waterloo_act(const struct board *board, const cJSON *view, unsigned attempt,
                      struct bot_mind *mind, struct buf *out_action)
{
    struct wv *wv = malloc(sizeof *wv);
    bool ok = wv != NULL && attempt == 0 && wv_read(board, view, wv) &&
              decide(wv, &mind->random, out_action);
    free(wv);
    if (ok && !out_action->failed) { return true; }
    buf_reset(out_action);
    return bot_random_act(board, view, attempt, mind, out_action);
}

/* Units that the side can lose before it surrenders (W16). */
static int margin(const struct wv *wv, enum wv_side side)
{
    int sum = 0;
    for (int n = 0; n < WV_NATIONS; n++) {
        bool counts = wv_side_of((enum wv_nation)n) == side && !wv->surrendered[n];
        int room = wv->left[n] - wv->surrenders_at[n];
        sum += counts && room > 0 ? room : 0;
    }
    return sum;
}

bool bot_waterloo_is_lost(const struct board *board, const cJSON *view)
{
    struct wv *wv = malloc(sizeof *wv);
    bool lost = false;
    if (wv != NULL && wv_read(board, view, wv) && wv->slot > 0) {
        enum wv_side enemy = wv->side == WV_SIDE_FR ? WV_SIDE_AL : WV_SIDE_FR;
        lost = 4 * margin(wv, wv->side) <= margin(wv, enemy);
    }
    free(wv);
    return lost;
}

bool bot_agrees(const char *what, bool is_lost)
{
    static const char *const free_of_cost[] = {"abort", "pause", "resume", "time", "reopen", NULL};
    for (unsigned i = 0; free_of_cost[i] != NULL; i++) { /* it has nothing to lose by it */
        if (strcmp(what, free_of_cost[i]) == 0) { return true; }
    }
    return is_lost && (strcmp(what, "draw") == 0 || strcmp(what, "rewind") == 0);
}
