/* client-cli/waterloo/bot_battle.c: deployment and combat turns: fire first, strike one lane in force, hold
 * the others. */
#include <string.h>

#include "client-cli/bots/bot.h"
#include "client-cli/waterloo/bot_waterloo.h"
#include "client-cli/waterloo/orders.h"
#include "client-cli/waterloo/ways.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

/* ---- deployment ---- */

struct hand {
    const struct wv *wv;
    int units[WV_UNITS_MAX], count;
    int *place;
    int cv[4], men[4]; /* by lane: CV in tenths of fighting arms, units */
};

/* Takes the strongest unit of those types that is still in hand, -1: none. */
static int take_best(struct hand *h, unsigned types)
{
    int best = -1;
    for (int i = 0; i < h->count; i++) {
        const struct wv_unit *u = &h->wv->unit[h->units[i]];
        if (h->place[h->units[i]] >= 0 || (types >> u->type & 1U) == 0) { continue; }
        if (best < 0 || u->cv > h->wv->unit[best].cv) { best = h->units[i]; }
    }
    return best;
}

static void put(struct hand *h, int unit, int lane)
{
    const struct wv_unit *u = &h->wv->unit[unit];
    h->place[unit] = lane;
    h->cv[lane] += wv_is_artillery(u->type) ? 0 : u->cv;
    h->men[lane]++;
}

enum {
    FOOT_TYPES = 1U << WV_INFANTRY,
    HORSE_TYPES = 1U << WV_CAVALRY,
    GUN_TYPES = 1U << WV_FOOT | 1U << WV_HORSE,
    ANY_TYPES = 15U
};

static int weakest_lane(const struct hand *h, const int want[4])
{
    int best = 1;
    for (int lane = 2; lane <= 3; lane++) {
        if (h->cv[lane] * want[best] < h->cv[best] * want[lane]) { best = lane; }
    }
    return best;
}

/* The lane where the enemy has least, of an enemy whose columns we can count. */
static int softest_lane(const struct wv_battle *b, bool enemy_def)
{
    int best = 2, least = 99;
    static const int order[] = {2, 1, 3};
    for (int i = 0; i < 3; i++) {
        int n = 0;
        for (int k = 0; k < WV_NATIONS; k++) {
            n += b->hidden[enemy_def ? 1 : 0][order[i]][k];
        }
        if (n < least) {
            least = n;
            best = order[i];
        }
    }
    return best;
}

void deploy_propose(const struct wv *wv, int town, bool attack, int out_place[WV_UNITS_MAX])
{
    struct hand h = {.wv = wv, .place = out_place};
    const struct wv_battle *b = wv_battle_at(wv, town);
    for (int i = 0; i < WV_UNITS_MAX; i++) {
        out_place[i] = -1;
    }
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        if (u->mine && u->town == town && u->place == WV_UNDEPLOYED) { h.units[h.count++] = i; }
    }
    int want[4] = {1, 2, 2, 2};
    int main_lane = 2;
    if (attack && b != NULL) {
        main_lane = softest_lane(b, true);
        want[main_lane] = 4;
    }
    int unit = 0;
    for (int lane = 1; lane <= 3; lane++) { /* one to each, horse and guns only for want of foot */
        int at = lane == 1 ? main_lane : lane == main_lane ? 1 : lane;
        unit = take_best(&h, FOOT_TYPES);
        if (unit < 0) { unit = take_best(&h, HORSE_TYPES); }
        if (unit < 0) { unit = take_best(&h, ANY_TYPES); }
        if (unit >= 0) { put(&h, unit, at); }
    }
    int spare = 0;
    for (int i = 0; i < h.count; i++) {
        spare += out_place[h.units[i]] < 0 ? 1 : 0;
    }
    int keep = spare >= 4 ? spare / 4 : 0; /* a reserve answers what the enemy does */
    for (int gun = 0; (unit = take_best(&h, GUN_TYPES)) >= 0; gun++) {
        int lane = gun % 3 + 1;
        if (attack && lane == main_lane) { lane = lane % 3 + 1; } /* they would be masked there */
        put(&h, unit, lane);
        spare--;
    }
    while (spare > keep && (unit = take_best(&h, FOOT_TYPES)) >= 0) {
        put(&h, unit, weakest_lane(&h, want));
        spare--;
    }
    while (spare > keep && (unit = take_best(&h, HORSE_TYPES)) >= 0) {
        put(&h, unit, attack ? main_lane : weakest_lane(&h, want));
        spare--;
    }
    while ((unit = take_best(&h, ANY_TYPES)) >= 0) {
        put(&h, unit, 0);
    }
}

void deploy_write(const struct wv *wv, int town, const int place[WV_UNITS_MAX],
                  struct buf *out_action)
{
    static const char *const names[] = {"reserve", "1", "2", "3"};
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "deploy");
    jw_key_str(out_action, "battle", wv->board->town[town].id);
    jw_key_object(out_action, "columns");
    for (int lane = 1; lane <= 4; lane++) {
        jw_key_array(out_action, names[lane % 4]);
        for (int i = 0; i < wv->units; i++) {
            if (place[i] == lane % 4) { jw_str(out_action, wv->unit[i].id); }
        }
        jw_array_end(out_action);
    }
    jw_object_end(out_action);
    jw_object_end(out_action);
}

/* ---- combat ---- */

/* One battle seen from our side. fighters of ours that the seat commands: mine. */
struct field {
    const struct wv *wv;
    const struct wv_battle *b;
    int ct;                       /* our combat turn */
    bool def;                     /* we defend */
    int us, them;                 /* engaged_by values: 1 att, 2 def */
    int ours[4], theirs[4];       /* CV by lane, horse and foot, columns and advanced; 0 reserve */
    int our_adv[4], their_adv[4]; /* of them advanced */
    int our_guns[4], their_guns[4]; /* CV of artillery */
    int our_men[4], their_men[4];
    int their_hidden; /* tenths of CV in their reserve */
};

static bool is_ours(const struct field *f, const struct wv_fighter *x)
{
    return x->def == f->def;
}

static bool is_mine(const struct field *f, const struct wv_fighter *x)
{
    return is_ours(f, x) && (f->wv->mine >> x->nation & 1U) != 0;
}

static void survey(struct field *f, const struct wv *wv, const struct wv_battle *b)
{
    memset(f, 0, sizeof *f);
    f->wv = wv;
    f->b = b;
    f->def = !b->we_attack;
    f->us = f->def ? 2 : 1;
    f->them = 3 - f->us;
    f->ct = wv->ct_n;
    for (int i = 0; i < b->fighters; i++) {
        const struct wv_fighter *x = &b->fighter[i];
        bool ours = is_ours(f, x);
        int *sum = wv_is_artillery(x->type) ? (ours ? f->our_guns : f->their_guns)
                                            : (ours ? f->ours : f->theirs);
        sum[x->lane] += x->cv;
        (ours ? f->our_men : f->their_men)[x->lane]++;
        if (x->advanced_ct > 0) { (ours ? f->our_adv : f->their_adv)[x->lane] += x->cv; }
    }
    for (int n = 0; n < WV_NATIONS; n++) {
        f->their_hidden += bot_worth(wv, (enum wv_nation)n, b->hidden[f->def ? 0 : 1][0][n]);
    }
}

/* The first CT of our side after the enemy engaged the lane (W9.6, W10.2). */
static bool just_engaged(const struct field *f, int lane)
{
    if (f->b->engaged_by[lane] != f->them) { return false; }
    int answer = f->def ? f->b->engaged_ct[lane] : f->b->engaged_ct[lane] + 1;
    return f->ct == answer;
}

/* ---- fire ---- */

static bool has_support(const struct field *f, int lane, bool ours)
{
    return (ours ? f->ours : f->theirs)[lane] > 0;
}

/* W9.2 for one firer and target of a lane. Sets out_double where it hits on 5. */
static bool may_fire(const struct field *f, const struct wv_fighter *x, const struct wv_fighter *at,
                     bool *out_double)
{
    int lane = x->lane;
    int engaged = f->b->engaged_by[lane];
    bool guns = wv_is_artillery(x->type);
    *out_double = false;
    if (x->fired || lane == 0 || at->lane != lane || is_ours(f, at)) { return false; }
    if (x->moves > 0 && x->type != WV_HORSE) { return false; }
    if (!guns && x->advanced_ct == 0 && (engaged != f->them || at->advanced_ct == 0)) {
        return false;
    }
    if (!guns && x->advanced_ct > 0 && (x->advanced_ct >= f->ct || at->advanced_ct > 0)) {
        return false;
    }
    if (x->type == WV_CAVALRY && at->square) { return false; }
    if (guns && engaged == f->us) { return false; }
    if (guns && engaged == f->them) {
        if (!just_engaged(f, lane) || at->advanced_ct == 0 || !has_support(f, lane, true)) {
            return false;
        }
        *out_double = true;
    }
    if (guns && engaged == 0 && at->square) { *out_double = true; }
    if (!guns && wv_is_artillery(at->type) && !has_support(f, lane, false) && engaged == f->us) {
        *out_double = true;
    }
    if (x->type == WV_CAVALRY && x->advanced_ct > 0 && x->advanced_ct + 1 == f->ct) {
        *out_double = true;
    }
    return true;
}

/* What a shot is worth: CV it takes, more where it kills or clears the lane. Hundredths. */
static int shot_value(const struct field *f, const struct wv_fighter *x,
                      const struct wv_fighter *at, bool twice)
{
    int dice = x->square ? (x->cv + 1) / 2 : x->cv;
    int expect = dice * (twice ? 33 : 17);
    int value = expect < at->cv * 100 ? expect : at->cv * 100;
    if (expect >= at->cv * 60) { value += 60; }
    value += (4 - at->cv) * 12;
    if (f->their_men[x->lane] == 1) { value += 50; }
    if (wv_is_artillery(at->type)) { value += 15; }
    return value;
}

static bool write_fire(const struct field *f, const struct wv_fighter *x,
                       const struct wv_fighter *at, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "do", "fire");
    jw_key_str(out, "battle", f->wv->board->town[f->b->town].id);
    jw_key_str(out, "unit", x->id);
    jw_key_str(out, "target", at->id);
    jw_object_end(out);
    return true;
}

static bool fire(const struct field *f, struct buf *out)
{
    const struct wv_fighter *best = NULL, *best_at = NULL;
    int most = -1;
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (!is_mine(f, x)) { continue; }
        for (int k = 0; k < f->b->fighters; k++) {
            bool twice = false;
            const struct wv_fighter *at = &f->b->fighter[k];
            if (!may_fire(f, x, at, &twice)) { continue; }
            int value = shot_value(f, x, at, twice);
            if (value > most) {
                most = value;
                best = x;
                best_at = at;
            }
        }
    }
    return best != NULL && write_fire(f, best, best_at, out);
}

/* ---- moves ---- */

static bool write_move(const struct field *f, const struct wv_fighter *x, const char *kind, int to,
                       struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "do", "move");
    jw_key_str(out, "battle", f->wv->board->town[f->b->town].id);
    jw_key_str(out, "unit", x->id);
    jw_key_str(out, "kind", kind);
    if (to > 0) { jw_key_int(out, "to", to); }
    jw_object_end(out);
    return true;
}

static bool is_fresh(const struct wv_fighter *x)
{
    return !x->fired && x->moves == 0;
}

/* Horse alone in front of foot: squares make it harmless (W9.8, W10.2). */
static bool square(const struct field *f, struct buf *out)
{
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (!is_mine(f, x) || x->lane == 0 || x->type != WV_INFANTRY || x->square ||
            x->advanced_ct > 0) {
            continue;
        }
        if (!is_fresh(x) || !just_engaged(f, x->lane)) { continue; }
        bool only_horse = f->their_adv[x->lane] > 0;
        for (int k = 0; k < f->b->fighters; k++) {
            const struct wv_fighter *y = &f->b->fighter[k];
            if (is_ours(f, y) || y->lane != x->lane) { continue; }
            if (y->advanced_ct > 0 && y->type != WV_CAVALRY) { only_horse = false; }
        }
        if (only_horse) { return write_move(f, x, "form_square", 0, out); }
    }
    for (int i = 0; i < f->b->fighters; i++) { /* out of it again where nobody charges */
        const struct wv_fighter *x = &f->b->fighter[i];
        if (is_mine(f, x) && x->square && is_fresh(x) && f->their_adv[x->lane] == 0) {
            return write_move(f, x, "break_square", 0, out);
        }
    }
    return false;
}

/* Own strength that could stand in the middle ground of a lane, in hundredths over theirs. */
static int lane_odds(const struct field *f, int lane)
{
    int ours = f->our_adv[lane];
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (!is_ours(f, x) || x->lane != lane || wv_is_artillery(x->type) || x->advanced_ct > 0 ||
            x->square) {
            continue;
        }
        if (x->fired || x->moves > (x->type == WV_CAVALRY ? 1 : 0)) { continue; }
        ours += x->cv;
    }
    bool fresh = f->b->engaged_by[lane] != f->us;
    int theirs =
        f->theirs[lane] * 10 + (fresh && f->theirs[lane] > 0 ? f->their_guns[lane] * 12 : 0);
    if (theirs == 0) { theirs = 4; }
    return ours * 1000 / theirs;
}

static bool can_advance(const struct field *f, const struct wv_fighter *x)
{
    if (!is_mine(f, x) || x->lane == 0 || x->advanced_ct > 0 || x->square ||
        wv_is_artillery(x->type)) {
        return false;
    }
    if (x->fired || x->moves > (x->type == WV_CAVALRY ? 1 : 0)) { return false; }
    return f->b->engaged_by[x->lane] != f->them && f->their_men[x->lane] > 0;
}

/* Horse against foot that stands ready would only meet squares: it goes in with foot, or against
 * guns and horse. */
static bool advance_in(const struct field *f, int lane, struct buf *out)
{
    bool foot = false, their_foot = false;
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (x->lane != lane) { continue; }
        if (is_ours(f, x) && x->type == WV_INFANTRY && (x->advanced_ct > 0 || can_advance(f, x))) {
            foot = true;
        }
        if (!is_ours(f, x) && x->type == WV_INFANTRY) { their_foot = true; }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < f->b->fighters; i++) {
            const struct wv_fighter *x = &f->b->fighter[i];
            if (x->lane != lane || !can_advance(f, x)) { continue; }
            if ((x->type == WV_INFANTRY) != (pass == 0)) { continue; }
            if (x->type == WV_CAVALRY && their_foot && !foot) { continue; }
            return write_move(f, x, "advance", 0, out);
        }
    }
    return false;
}

/* Our attack in a lane that is losing goes back to its column. */
static bool withdraw(const struct field *f, struct buf *out)
{
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (!is_mine(f, x) || x->advanced_ct == 0 || !is_fresh(x)) { continue; }
        bool all_square = f->theirs[x->lane] > 0;
        for (int k = 0; k < f->b->fighters; k++) {
            const struct wv_fighter *y = &f->b->fighter[k];
            if (is_ours(f, y) || y->lane != x->lane) { continue; }
            if (!y->square) { all_square = false; }
        }
        bool useless = x->type == WV_CAVALRY && all_square;
        if (useless || f->our_adv[x->lane] * 100 < f->theirs[x->lane] * 45) {
            return write_move(f, x, "withdraw", 0, out);
        }
    }
    return false;
}

/* The reserve goes where a column is thinnest against what it faces; of an attacker also to the
 * lane where he strikes. */
static bool bring(const struct field *f, struct buf *out)
{
    int lane = 0, worst = 0;
    for (int k = 1; k <= 3; k++) {
        int need = f->theirs[k] + f->their_guns[k] / 2 - f->ours[k];
        if (f->b->engaged_by[k] == f->them) { need += 3; }
        if (f->b->engaged_by[k] == f->us) { need += 1; }
        if (f->ours[k] <= 3) { need += 4 - f->ours[k]; }
        if (lane == 0 || need > worst) {
            worst = need;
            lane = k;
        }
    }
    int reserve = 0;
    const struct wv_fighter *best = NULL, *guns = NULL;
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (!is_mine(f, x) || x->lane != 0 || !is_fresh(x)) { continue; }
        reserve++;
        if (wv_is_artillery(x->type)) {
            guns = x;
        } else if (best == NULL || x->cv + (x->type == WV_INFANTRY ? 1 : 0) >
                                       best->cv + (best->type == WV_INFANTRY ? 1 : 0)) {
            best = x;
        }
    }
    if (guns != NULL) { /* guns shoot where nobody stands before them */
        for (int k = 1; k <= 3; k++) {
            if (f->b->engaged_by[k] == 0 && f->ours[k] > 0) {
                return write_move(f, guns, "from_reserve", k, out);
            }
        }
    }
    if (best == NULL || (worst <= 0 && reserve <= 2)) { return false; }
    return write_move(f, best, "from_reserve", lane, out);
}

/* A neighbouring column that has enough lends to one that is about to go. */
static bool lend(const struct field *f, struct buf *out)
{
    for (int k = 1; k <= 3; k++) {
        if (f->ours[k] > 2 || f->b->engaged_by[k] == f->us) { continue; }
        for (int side = -1; side <= 1; side += 2) {
            int from = k + side;
            if (from < 1 || from > 3 || f->b->engaged_by[from] != 0 ||
                f->ours[from] < f->ours[k] + 5) {
                continue;
            }
            for (int i = 0; i < f->b->fighters; i++) {
                const struct wv_fighter *x = &f->b->fighter[i];
                if (!is_mine(f, x) || x->lane != from || !is_fresh(x) || x->square ||
                    x->type != WV_INFANTRY) {
                    continue;
                }
                if (f->our_men[from] >= 2) { return write_move(f, x, "redeploy", k, out); }
            }
        }
    }
    return false;
}

/* ---- the decision to leave ---- */

static bool retreat_all(const struct field *f, struct buf *out)
{
    struct ways ways;
    int score[BOARD_TOWNS_MAX];
    int town = f->b->town;
    ways_init_retreat(&ways, f->wv, town, f->b, NULL);
    ways_score_refuge(f->wv, town, score);
    jw_object_begin(out);
    jw_key_str(out, "do", "retreat");
    jw_key_str(out, "battle", f->wv->board->town[town].id);
    jw_key_array(out, "routes");
    bool all = true;
    for (int type = 0; type < 4; type++) { /* those with the shortest legs choose first */
        static const int legs[] = {WV_INFANTRY, WV_FOOT, WV_CAVALRY, WV_HORSE};
        for (int i = 0; i < f->b->fighters; i++) {
            const struct wv_fighter *x = &f->b->fighter[i];
            struct way way = {0};
            if (!is_ours(f, x) || (int)x->type != legs[type]) { continue; }
            if (!is_mine(f, x) || !is_fresh(x) ||
                !ways_best(&ways, town, x->type, false, score, &way)) {
                all = false;
                continue;
            }
            ways_use(&ways, town, &way);
            ways_write(out, f->wv, x->id, &way);
        }
    }
    jw_array_end(out);
    jw_object_end(out);
    if (!all) { buf_reset(out); }
    return all;
}

static bool leave(const struct field *f, struct buf *out)
{
    int ours = 0, theirs = f->their_hidden;
    bool touched = false;
    if (f->ct < 2) { return false; }
    for (int lane = 0; lane <= 3; lane++) {
        ours += 10 * (f->ours[lane] + f->our_guns[lane]);
        theirs += 10 * (f->theirs[lane] + f->their_guns[lane]);
    }
    for (int i = 0; i < f->b->fighters; i++) {
        if (is_ours(f, &f->b->fighter[i]) && !is_fresh(&f->b->fighter[i])) { touched = true; }
    }
    bool base = f->wv->board->town[f->b->town].supply != 0;
    bool breaking = false; /* a column will not stand another turn */
    for (int lane = 1; lane <= 3; lane++) {
        int left = f->ours[lane] + f->our_guns[lane];
        if (left <= 1 && f->ours[0] == 0 && f->their_adv[lane] >= 3) { breaking = true; }
    }
    int hold = f->def ? (base ? 45 : 60) : 50;
    return !touched && (breaking || ours * 100 < theirs * hold) && retreat_all(f, out);
}

/* ---- the turn ---- */

static bool has_acted(const struct field *f)
{
    for (int i = 0; i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (is_ours(f, x) && (x->fired || (x->advanced_ct == f->ct && x->moves > 0))) {
            return true;
        }
    }
    return false;
}

static bool advance(const struct field *f, bool must, struct buf *out)
{
    int lane = 0, best = 0;
    for (int k = 1; k <= 3; k++) {
        if (f->b->engaged_by[k] == f->them) { continue; }
        int odds = lane_odds(f, k);
        int need = f->def ? 170 : 100;
        if (f->b->engaged_by[k] == f->us) { need = f->def ? 110 : 90; }
        if (!must && odds < need) { continue; }
        bool any = false;
        for (int i = 0; i < f->b->fighters; i++) {
            any = any || (f->b->fighter[i].lane == k && can_advance(f, &f->b->fighter[i]));
        }
        if (any && odds > best) {
            best = odds;
            lane = k;
        }
    }
    if (lane == 0) { return false; }
    if (advance_in(f, lane, out)) { return true; }
    for (int i = 0; must && i < f->b->fighters; i++) {
        const struct wv_fighter *x = &f->b->fighter[i];
        if (can_advance(f, x)) { return write_move(f, x, "advance", 0, out); }
    }
    return false;
}

static bool named(const struct wv *wv, const char *member, int town)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(json_get(wv->view, "prompt"), member))
    {
        if (cJSON_IsString(item) && board_town_id(wv->board, item->valuestring) == town) {
            return true;
        }
    }
    return false;
}

static bool fight_on(const struct wv *wv, const struct wv_battle *b, struct buf *out)
{
    struct field f;
    survey(&f, wv, b);
    bool must = named(wv, "must_act", b->town) && !has_acted(&f);
    return leave(&f, out) || square(&f, out) || withdraw(&f, out) || fire(&f, out) ||
           bring(&f, out) || lend(&f, out) || advance(&f, false, out) ||
           (must && advance(&f, true, out));
}

/* Reinforcements at the end of a combat turn (W11): the best of those next door, guns last; a base
 * that the enemy could walk into keeps one. */
static void write_reinforcements(const struct wv *wv, const struct wv_battle *b,
                                 bool used[WV_UNITS_MAX], struct buf *out)
{
    int room[WV_NATIONS] = {2, 1, 1};
    int picked[4], n = 0;
    bool defender_waits = !b->we_attack && wv->ct_n == 1;
    if (b->phase != 'f' || defender_waits) { return; }
    for (int turn = 0; turn < 4; turn++) {
        int best = -1, most = 0;
        for (int i = 0; i < wv->units; i++) {
            const struct wv_unit *u = &wv->unit[i];
            if (!u->mine || used[i] || u->place != WV_FREE || u->town == BOARD_NONE ||
                room[u->nation] == 0) {
                continue;
            }
            if (u->marked_until >= wv->slot && u->marked_until > 0) { continue; }
            if (board_road_between(wv->board, u->town, b->town) == BOARD_NONE ||
                wv_battle_at(wv, u->town) != NULL) {
                continue;
            }
            bool base = wv->board->town[u->town].supply != 0;
            if (base && wv_count(wv, u->town, wv->side) <= 1) { continue; }
            int value = u->cv * 4 + (u->type == WV_INFANTRY ? 2 : u->type == WV_CAVALRY ? 1 : 0);
            if (value > most) {
                most = value;
                best = i;
            }
        }
        if (best < 0) { break; }
        room[wv->unit[best].nation]--;
        used[best] = true;
        picked[n++] = best;
    }
    if (n == 0) { return; }
    jw_object_begin(out);
    jw_key_str(out, "battle", wv->board->town[b->town].id);
    jw_key_array(out, "units");
    for (int i = 0; i < n; i++) {
        jw_str(out, wv->unit[picked[i]].id);
    }
    jw_array_end(out);
    jw_object_end(out);
}

bool bot_waterloo_combat(const struct wv *wv, struct buf *out_action)
{
    for (int i = 0; i < wv->battles; i++) {
        if (wv->battle[i].phase == 'f' && fight_on(wv, &wv->battle[i], out_action)) { return true; }
    }
    bool used[WV_UNITS_MAX] = {false};
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "end_combat_turn");
    jw_key_array(out_action, "reinforcements");
    for (int i = 0; i < wv->battles; i++) {
        write_reinforcements(wv, &wv->battle[i], used, out_action);
    }
    jw_array_end(out_action);
    jw_object_end(out_action);
    return true;
}
