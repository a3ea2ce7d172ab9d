/* client-cli/waterloo/bot_move.c: the movement step: every march of one or two groups is tried on the map
 * and weighed. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/bots/bot.h"
#include "client-cli/waterloo/bot_waterloo.h"
#include "client-cli/waterloo/ways.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

enum { OPTIONS_MAX = 600, PAIRS_KEEP = 36, FAR = 12 };

/* What one group would do: units of one nation in one town, who of them goes where. */
struct option {
    enum wv_nation nation;
    int from, to;
    int moved;
    int unit[WV_UNITS_MAX];
    struct way way[WV_UNITS_MAX];
    int value;
};

/* The map as both of us see it, in tenths of CV. */
struct mind {
    const struct wv *wv;
    bool french;
    int bold;                    /* 0 to 100: the odds we take rise as time runs out for us */
    int theirs[BOARD_TOWNS_MAX]; /* worth of the enemy in a town */
    int their_men[BOARD_TOWNS_MAX];
    int near[BOARD_TOWNS_MAX]; /* worth of the enemy one road away */
    int next[BOARD_TOWNS_MAX]; /* two roads away */
    int pull[BOARD_TOWNS_MAX]; /* how much we want to be there, hundredths for each CV */
    int distance[BOARD_TOWNS_MAX][BOARD_TOWNS_MAX];
    struct option option[OPTIONS_MAX];
    int options;
};

/* ---- what draws us ---- */

static int base_value(const struct mind *m, int town)
{
    unsigned supply = m->wv->board->town[town].supply;
    int value = 0;
    for (int n = WV_AD; n <= WV_PR; n++) {
        if ((supply >> n & 1U) != 0 && !m->wv->surrendered[n]) { value += 10; }
    }
    return value;
}

/* Our whole army, in tenths of CV. */
static int whole_army(const struct wv *wv)
{
    int sum = 0;
    for (int i = 0; i < wv->units; i++) {
        sum += 10 * wv->unit[i].cv;
    }
    return sum;
}

/* The French are drawn to bases that they could take, and to forces that they could eat; the Allies
 * to the bases that the French hold or come near. */
static int goal_value(const struct mind *m, int town, int army)
{
    int value = base_value(m, town);
    int theirs = m->theirs[town];
    if (!m->french) {
        int danger = m->their_men[town] > 0 ? 20
                     : m->near[town] > 0    ? 12
                     : m->next[town] > 0    ? 8
                                            : 4;
        return value * danger / 10;
    }
    if (theirs > 0) {
        int share = army * 100 / (theirs + m->near[town] / 2) - 60;
        share = share < 0 ? 0 : share > 100 ? 100 : share;
        value = value * share / 100;
        if (theirs * 2 < army) { value += theirs / 25; }
    }
    return value;
}

static void find_pull(struct mind *m)
{
    const struct wv *wv = m->wv;
    int army = whole_army(wv);
    for (unsigned b = 0; b < wv->board->towns; b++) {
        int value = goal_value(m, (int)b, army);
        if (value == 0) { continue; }
        for (unsigned t = 0; t < wv->board->towns; t++) {
            int d = m->distance[t][b] > FAR ? FAR : m->distance[t][b];
            int share = value * 100;
            for (int i = 0; i < d; i++) {
                share = share * 8 / 10;
            }
            m->pull[t] += share / 10;
        }
    }
}

static void read_mind(struct mind *m, const struct wv *wv)
{
    memset(m, 0, sizeof *m);
    m->wv = wv;
    m->french = wv->side == WV_SIDE_FR;
    m->bold = m->french ? wv->slot * 9 : 0;
    for (unsigned t = 0; !m->french && t < wv->board->towns;
         t++) { /* a lost base bleeds us: get it back */
        if (wv->board->town[t].supply != 0 && wv->count[t][WV_FR] > 0) { m->bold += 40; }
    }
    if (m->bold > 100) { m->bold = 100; }
    for (unsigned t = 0; t < wv->board->towns; t++) {
        for (int n = 0; n < WV_NATIONS; n++) {
            if ((n == WV_FR) == m->french) { continue; }
            m->their_men[t] += wv->count[t][n];
            m->theirs[t] += bot_worth(wv, (enum wv_nation)n, wv->count[t][n]);
        }
        board_distances(wv->board, (int)t, 0, m->distance[t]);
    }
    for (unsigned t = 0; t < wv->board->towns; t++) {
        for (unsigned e = 0; e < wv->board->towns; e++) {
            if (m->distance[t][e] == 1) { m->near[t] += m->theirs[e]; }
            if (m->distance[t][e] == 2) { m->next[t] += m->theirs[e]; }
        }
    }
    find_pull(m);
}

/* ---- weighing ---- */

struct position {
    int ours[BOARD_TOWNS_MAX],
        men[BOARD_TOWNS_MAX]; /* after the marches, in towns that are not attacked */
    int attack[BOARD_TOWNS_MAX], entering[BOARD_TOWNS_MAX];
    int forced; /* units that march forced */
};

static void place_units(const struct mind *m, const struct option *const plan[2],
                        struct position *p)
{
    int town[WV_UNITS_MAX];
    memset(p, 0, sizeof *p);
    for (int i = 0; i < m->wv->units; i++) {
        town[i] = m->wv->unit[i].town;
    }
    for (int k = 0; k < 2; k++) {
        if (plan[k] == NULL) { continue; }
        for (int i = 0; i < plan[k]->moved; i++) {
            const struct way *way = &plan[k]->way[i];
            town[plan[k]->unit[i]] = way->path[way->len - 1];
            p->forced += way->forced ? 1 : 0;
        }
    }
    for (int i = 0; i < m->wv->units; i++) {
        const struct wv_unit *u = &m->wv->unit[i];
        int t = town[i];
        if (t == BOARD_NONE) { continue; }
        if (m->their_men[t] > 0) {
            p->attack[t] += 10 * u->cv;
            p->entering[t]++;
        } else {
            p->ours[t] += 10 * u->cv;
            p->men[t]++;
        }
    }
}

/* Half the worth of up to so many men next door. */
static int support(const struct mind *m, const int worth[BOARD_TOWNS_MAX],
                   const int men[BOARD_TOWNS_MAX], int town, int most)
{
    const struct board_town *t = &m->wv->board->town[town];
    int sum = 0, count = 0;
    for (unsigned i = 0; i < t->degree; i++) {
        sum += worth[t->town[i]];
        count += men[t->town[i]];
    }
    if (count > most) { sum = sum * most / count; }
    return sum / 2;
}

/* An attack: what it promises at these odds, or what it costs. Hundredths of CV. */
static int weigh_attack(const struct mind *m, const struct position *p, int t)
{
    int ours = p->attack[t] + support(m, p->ours, p->men, t, 4);
    int theirs = m->theirs[t] + support(m, m->theirs, m->their_men, t, 4);
    if (p->entering[t] < 3) { return -100000; }
    if (theirs == 0) { return 0; }
    int odds = ours * 100 / theirs;
    int value = 0;
    if (m->their_men[t] < 3) {
        value = 10 * m->theirs[t] / 3 + (odds > 150 ? 150 : 0); /* they must leave, or die */
    } else if (odds >= 135 - m->bold * 65 / 100) {
        int edge = (odds > 300 ? 300 : odds) - 30 + m->bold * 2;
        value = 10 * m->theirs[t] * edge / 250;
    } else {
        value = -10 * p->attack[t] * (160 - odds) / 120;
    }
    if (odds >= 125 - m->bold / 4) { value += m->pull[t] * p->attack[t] / 40; }
    return value + (m->french ? 25 : 5) * base_value(m, t);
}

/* A town that we hold: what could fall on it next turn. */
static int weigh_hold(const struct mind *m, const struct position *p, int t)
{
    int threat = m->near[t] + m->next[t] * 4 / 10;
    int ours = p->ours[t] + support(m, p->ours, p->men, t, 3);
    int value = 0;
    if (threat > 0 && ours * 12 < threat * 10) {
        int over = (threat * 10 - ours * 12) * 100 / (threat * 10);
        value -= p->ours[t] * over / 25 * (125 - m->bold) / 125;
        if (p->men[t] < 3) { value -= 30; }
    }
    int base = base_value(m, t);
    if (base > 0 && m->french) { value += 55 * base; }
    if (base > 0 && !m->french) {
        bool french_near = m->near[t] + m->next[t] > 0;
        value += (french_near ? (p->men[t] >= 3 ? 40 : 8) : 6) * base;
    }
    return value;
}

static int weigh(const struct mind *m, const struct option *const plan[2])
{
    struct position p;
    int value = 0;
    place_units(m, plan, &p);
    for (unsigned t = 0; t < m->wv->board->towns; t++) {
        if (p.entering[t] > 0) { value += weigh_attack(m, &p, (int)t); }
        if (p.men[t] == 0) { continue; }
        value += weigh_hold(m, &p, (int)t);
        value += m->pull[t] * p.ours[t] / (m->french ? 70 : 40);
        int crowd = p.ours[t] > 300 ? 300 : p.ours[t]; /* together we are safe */
        value += crowd * crowd / 900;
    }
    return value - 60 * p.forced;
}

/* ---- what could be done ---- */

static void add_option(struct mind *m, const struct option *o)
{
    if (o->moved == 0 || m->options == OPTIONS_MAX) { return; }
    m->option[m->options] = *o;
    const struct option *plan[2] = {&m->option[m->options], NULL};
    m->option[m->options].value = weigh(m, plan);
    m->options++;
}

static bool has_command_control(const struct wv *wv)
{
    return cJSON_IsTrue(json_get(json_get(wv->json, "options"), "command_control"));
}

/* W17.7, three players: an ally who strikes the same town from elsewhere is there already. */
static bool ally_bars(const struct mind *m, int from, int to)
{
    const struct wv *wv = m->wv;
    if (m->their_men[to] == 0 || !has_command_control(wv)) { return false; }
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        if (u->mine || u->drafted == 0 || u->path[u->drafted - 1] != to || u->town == from) {
            continue;
        }
        if (board_road_between(wv->board, u->town, from) == BOARD_NONE) { return true; }
    }
    return false;
}

/* All of a group that can get to a town, the strong ones first where a road is narrow. stay: so
 * many are left behind, the weak ones. horse_only: cavalry and horse artillery alone. */
static void try_group(struct mind *m, enum wv_nation nation, int from, int to, bool forced,
                      bool horse_only, int stay)
{
    struct option o = {.nation = nation, .from = from, .to = to};
    if (ally_bars(m, from, to)) { return; }
    struct ways ways;
    int order[WV_UNITS_MAX], n = 0;
    ways_init_march(&ways, m->wv, m->wv->night);
    for (int cv = 4; cv >= 1; cv--) {
        for (int i = 0; i < m->wv->units; i++) {
            const struct wv_unit *u = &m->wv->unit[i];
            bool marked = u->marked_until > 0 && u->marked_until >= m->wv->slot;
            if (u->town != from || u->nation != nation || u->cv != cv || marked || !u->mine) {
                continue;
            }
            if (horse_only && wv_reach(u->type) == 1) { continue; }
            order[n++] = i;
        }
    }
    for (int i = 0; i < n - stay; i++) {
        const struct wv_unit *u = &m->wv->unit[order[i]];
        struct way way = {0};
        bool tired = forced && u->cv < 2;
        if (!ways_to(&ways, from, u->type, forced && !m->wv->night && !tired, to, &way)) {
            continue;
        }
        ways_use(&ways, from, &way);
        o.unit[o.moved] = order[i];
        o.way[o.moved++] = way;
    }
    if (m->their_men[to] > 0 && o.moved == 0) { return; }
    add_option(m, &o);
}

static void list_options(struct mind *m)
{
    const struct wv *wv = m->wv;
    for (int n = 0; n < WV_NATIONS; n++) {
        if ((wv->mine >> n & 1U) == 0) { continue; }
        for (unsigned from = 0; from < wv->board->towns; from++) {
            int here = 0;
            for (int i = 0; i < wv->units; i++) {
                here += wv->unit[i].town == (int)from && (int)wv->unit[i].nation == n ? 1 : 0;
            }
            for (unsigned to = 0; here > 0 && to < wv->board->towns; to++) {
                int d = m->distance[from][to];
                if (d < 1 || d > 3) { continue; }
                if (d == 1) {
                    try_group(m, (enum wv_nation)n, (int)from, (int)to, false, false, 0);
                    if (here >= 6) {
                        try_group(m, (enum wv_nation)n, (int)from, (int)to, false, false, 3);
                    }
                    if (here >= 2) {
                        try_group(m, (enum wv_nation)n, (int)from, (int)to, false, false, 1);
                    }
                } else if (d == 2) {
                    try_group(m, (enum wv_nation)n, (int)from, (int)to, false, true, 0);
                    if (!wv->night) {
                        try_group(m, (enum wv_nation)n, (int)from, (int)to, true, false, 0);
                    }
                }
            }
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const struct option *x = a;
    const struct option *y = b;
    return x->value < y->value ? 1 : x->value > y->value ? -1 : 0;
}

/* Two groups may share a road: whether it takes both (W4.6). */
static bool fit_together(const struct mind *m, const struct option *a, const struct option *b)
{
    if (a->nation == b->nation && (a->from == b->from || !m->french)) { return false; }
    if (a->from == b->from && a->nation == b->nation) { return false; }
    struct ways ways;
    ways_init_march(&ways, m->wv, m->wv->night);
    const struct option *both[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < both[k]->moved; i++) {
            int at = both[k]->from;
            const struct way *way = &both[k]->way[i];
            for (int s = 0; s < way->len; s++) {
                int road = board_road_between(m->wv->board, at, way->path[s]);
                if (road == BOARD_NONE || ways.room[road]-- <= 0) { return false; }
                at = way->path[s];
            }
        }
    }
    return true;
}

/* Command Control (W17.7): two groups strike one town only where a road joins theirs. */
static bool commanded(const struct mind *m, const struct option *a, const struct option *b)
{
    bool free_hand = !has_command_control(m->wv) || m->their_men[a->to] == 0;
    if (free_hand || a->to != b->to || a->from == b->from) { return true; }
    return board_road_between(m->wv->board, a->from, b->from) != BOARD_NONE;
}

static void choose(struct mind *m, const struct option *out_plan[2])
{
    const struct option *nothing[2] = {NULL, NULL};
    int best = weigh(m, nothing);
    out_plan[0] = out_plan[1] = NULL;
    qsort(m->option, (size_t)m->options, sizeof m->option[0], by_value);
    /* The best options of each group first; an attack too weak alone may be strong with another. */
    int keep = m->options < PAIRS_KEEP ? m->options : PAIRS_KEEP;
    for (int i = 0; i < m->options; i++) {
        if (m->option[i].value > best) {
            best = m->option[i].value;
            out_plan[0] = &m->option[i];
            out_plan[1] = NULL;
        }
    }
    for (int i = 0; i < m->options; i++) {
        const struct option *a = &m->option[i];
        bool joins = m->their_men[a->to] > 0;
        if (i >= keep && !joins) { continue; }
        for (int k = i + 1; k < m->options; k++) {
            const struct option *b = &m->option[k];
            bool same_prey = joins && a->to == b->to;
            if ((k >= keep || i >= keep) && !same_prey) { continue; }
            const struct option *plan[2] = {a, b};
            int value = weigh(m, plan);
            if (value <= best || !fit_together(m, a, b) || !commanded(m, a, b)) { continue; }
            best = value;
            out_plan[0] = a;
            out_plan[1] = b;
        }
    }
}

bool bot_waterloo_move(const struct wv *wv, struct bot_random *random, struct buf *out_action)
{
    (void)random;
    for (int i = 0; i < wv->units; i++) {
        if (wv->unit[i].drafted > 0 && wv->unit[i].mine) {
            buf_append_str(out_action, "{\"do\":\"end_movement\"}");
            return true;
        }
    }
    struct mind *m = malloc(sizeof *m);
    if (m == NULL) { return false; }
    read_mind(m, wv);
    list_options(m);
    const struct option *plan[2];
    choose(m, plan);
    if (plan[0] == NULL) {
        buf_append_str(out_action, "{\"do\":\"end_movement\"}");
        free(m);
        return true;
    }
    jw_object_begin(out_action);
    jw_key_str(out_action, "do", "march");
    jw_key_array(out_action, "marches");
    for (int k = 0; k < 2; k++) {
        for (int i = 0; plan[k] != NULL && i < plan[k]->moved; i++) {
            ways_write(out_action, wv, wv->unit[plan[k]->unit[i]].id, &plan[k]->way[i]);
        }
    }
    jw_array_end(out_action);
    jw_object_end(out_action);
    free(m);
    return true;
}
