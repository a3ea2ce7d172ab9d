/* client-cli/waterloo/bot_orders.c: the standing orders of a bot: what it would answer in the enemy's coming
 * turn, said beforehand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/bots/bot.h"
#include "client-cli/waterloo/bot_waterloo.h"
#include "client-cli/waterloo/orders.h"
#include "client-cli/waterloo/ways.h"
#include "common/base/buf.h"
#include "common/base/jsonw.h"

enum { ATTACKERS_MAX = 18, REFUGES_MAX = 12 };

/* CV in tenths that so many unknown attackers are worth. */
static int attackers_worth(const struct wv *wv, int count)
{
    if (wv->side == WV_SIDE_AL) { return bot_worth(wv, WV_FR, count); }
    return (bot_worth(wv, WV_AD, count) + bot_worth(wv, WV_PR, count)) / 2;
}

/* The most attackers against whom the town is worth a fight. */
static int stands_against(const struct wv *wv, int town)
{
    int most = 0;
    for (int n = 1; n <= ATTACKERS_MAX; n++) {
        if (bot_would_stand(wv, town, attackers_worth(wv, n))) { most = n; }
    }
    return most;
}

static void write_columns(const struct wv *wv, int town, struct buf *out)
{
    static const char *const names[] = {"reserve", "1", "2", "3"};
    struct wv *at_it = malloc(sizeof *at_it);
    int place[WV_UNITS_MAX];
    if (at_it == NULL) { return; }
    *at_it = *wv;
    for (int i = 0; i < at_it->units; i++) {
        if (at_it->unit[i].town == town) { at_it->unit[i].place = WV_UNDEPLOYED; }
    }
    deploy_propose(at_it, town, false, place);
    jw_key_object(out, "columns");
    for (int lane = 0; lane < 4; lane++) {
        jw_key_array(out, names[lane]);
        for (int i = 0; i < wv->units; i++) {
            if (place[i] == lane) { jw_str(out, wv->unit[i].id); }
        }
        jw_array_end(out);
    }
    jw_object_end(out);
    free(at_it);
}

static void order_begin(struct buf *out, const char *is)
{
    jw_object_begin(out);
    jw_key_object(out, "when");
    jw_key_str(out, "is", is);
}

static void order_do(struct buf *out, const char *what)
{
    jw_object_end(out);
    jw_key_object(out, "do");
    jw_key_str(out, "do", what);
}

static void order_end(struct buf *out)
{
    jw_object_end(out);
    jw_object_end(out);
}

static void write_in(const struct wv *wv, int town, struct buf *out)
{
    jw_key_array(out, "in");
    jw_str(out, wv->board->town[town].id);
    jw_array_end(out);
}

/* The best refuges of the town, the best first. */
static void write_refuges(const struct wv *wv, int town, struct buf *out)
{
    int score[BOARD_TOWNS_MAX];
    ways_score_refuge(wv, town, score);
    jw_key_array(out, "to");
    for (int n = 0; n < REFUGES_MAX; n++) {
        int best = -1;
        for (int t = 0; t < (int)wv->board->towns; t++) {
            bool near = false;
            for (unsigned k = 0; k < wv->board->town[town].degree; k++) {
                near = near || wv->board->town[town].town[k] == t;
            }
            if (near && score[t] >= 0 && (best < 0 || score[t] > score[best])) { best = t; }
        }
        if (best < 0) { break; }
        jw_str(out, wv->board->town[best].id);
        score[best] = -1;
    }
    jw_array_end(out);
    jw_key_str(out, "else", "any");
}

/* Fight there against so many, else away. */
static void write_town(const struct wv *wv, int town, struct buf *out)
{
    int most = stands_against(wv, town);
    if (most > 0) {
        order_begin(out, "attacked");
        write_in(wv, town, out);
        jw_key_object(out, "by");
        jw_key_int(out, "max", most);
        jw_object_end(out);
        order_do(out, "respond");
        jw_key_str(out, "choice", "fight");
        write_columns(wv, town, out);
        order_end(out);
    }
    order_begin(out, "attacked");
    write_in(wv, town, out);
    order_do(out, "respond");
    jw_key_str(out, "choice", "retreat");
    write_refuges(wv, town, out);
    order_end(out);
}

/* Whatever else may come. */
static void write_rest(struct buf *out)
{
    static const struct {
        const char *is, *what, *rest;
    } rows[] = {{"defending", "deploy", "spread"},
                {"pursued", "allot", NULL},
                {"routed", "rout_routes", NULL},
                {"supply", "remove", NULL}};
    order_begin(out, "attacked");
    order_do(out, "respond");
    jw_key_str(out, "choice", "fight");
    jw_key_str(out, "rest", "spread");
    order_end(out);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        order_begin(out, rows[i].is);
        order_do(out, rows[i].what);
        if (rows[i].rest != NULL) { jw_key_str(out, "rest", rows[i].rest); }
        order_end(out);
    }
}

bool bot_waterloo_orders(const struct board *board, const cJSON *view, struct buf *out)
{
    struct wv *wv = malloc(sizeof *wv);
    bool good = wv != NULL && wv_read(board, view, wv) && wv->player;
    if (good) {
        jw_array_begin(out);
        for (int t = 0; t < (int)board->towns; t++) {
            bool own = false;
            for (int i = 0; i < wv->units; i++) {
                own = own || (wv->unit[i].town == t && wv->unit[i].mine);
            }
            if (own && wv->slot > 0) { write_town(wv, t, out); }
        }
        write_rest(out);
        jw_array_end(out);
    }
    free(wv);
    return good && !out->failed;
}
