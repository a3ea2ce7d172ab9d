/* client-cli/waterloo/draw_map.c: the map of towns on a grid of characters: places, roads, who stands where.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/waterloo/draw.h"
#include "common/words/words.h"

enum { COUNTS_W = 5 }; /* room for counts behind a name: " F12", "A3P4" */

enum style style_of_nation(enum wv_nation nation)
{
    return nation == WV_FR ? STYLE_FR : nation == WV_AD ? STYLE_AD : STYLE_PR;
}

/* ---- layout ---- */

static bool is_free(const struct layout *l, int placed, const int *order, int x, int y, int box)
{
    if (x < 0 || y < 0 || x + box > l->w || y >= l->h) { return false; }
    for (int i = 0; i < placed; i++) {
        int t = order[i];
        if (l->y[t] != y) { continue; }
        if (x < l->x[t] + l->box[t] + 1 && l->x[t] < x + box + 1) { return false; }
    }
    return true;
}

/* The free place nearest to (x, y): a row counts as much as two and a half columns. */
static bool find_place(struct layout *l, int placed, const int *order, int t, int x, int y)
{
    int best = -1;
    for (int dy = -l->h; dy <= l->h; dy++) {
        for (int dx = -l->w; dx <= l->w; dx++) {
            int cost = dx * dx * 4 + dy * dy * 25;
            if (best >= 0 && cost >= best) { continue; }
            if (!is_free(l, placed, order, x + dx, y + dy, l->box[t])) { continue; }
            best = cost;
            l->x[t] = x + dx;
            l->y[t] = y + dy;
        }
    }
    return best >= 0;
}

/* Towns in the middle of the crowd first: they move least, those at the edge have room to give way.
 */
static void sort_by_crowd(const struct board *board, int order[BOARD_TOWNS_MAX])
{
    int crowd[BOARD_TOWNS_MAX] = {0};
    int n = (int)board->towns;
    for (int a = 0; a < n; a++) {
        order[a] = a;
        for (int b = 0; b < n; b++) {
            int dy = abs(board->town[a].lat - board->town[b].lat);
            int dx = abs(board->town[a].lon - board->town[b].lon) * 2 / 3;
            if (dx + dy < 300) { crowd[a] += 300 - dx - dy; }
        }
    }
    for (int i = 1; i < n; i++) {
        int t = order[i];
        int k = i;
        for (; k > 0 && crowd[order[k - 1]] < crowd[t]; k--) {
            order[k] = order[k - 1];
        }
        order[k] = t;
    }
}

static bool try_layout(const struct board *board, int w, int h, int label, struct layout *l)
{
    int order[BOARD_TOWNS_MAX];
    int south = 1 << 30, north = -(1 << 30), west = 1 << 30, east = -(1 << 30);
    l->w = w;
    l->h = h;
    l->label = label;
    for (unsigned t = 0; t < board->towns; t++) {
        const struct board_town *town = &board->town[t];
        int letters = words_width(town->name);
        if (town->lat < south) { south = town->lat; }
        if (town->lat > north) { north = town->lat; }
        if (town->lon < west) { west = town->lon; }
        if (town->lon > east) { east = town->lon; }
        l->box[t] = (letters < label ? letters : label) + COUNTS_W;
    }
    if (east == west) { east++; }
    if (north == south) { north++; }
    sort_by_crowd(board, order);
    for (int i = 0; i < (int)board->towns; i++) {
        int t = order[i];
        int x = (board->town[t].lon - west) * (w - l->box[t]) / (east - west);
        int y = (north - board->town[t].lat) * (h - 1) / (north - south);
        if (!find_place(l, i, order, t, x, y)) { return false; }
        int moved_x = abs(l->x[t] - x);
        int moved_y = abs(l->y[t] - y);
        if (label > 3 && (moved_x > label + 1 || moved_y > 1 + h / 20)) { return false; }
    }
    return true;
}

bool layout_make(const struct board *board, int w, int h, struct layout *out_layout)
{
    static const int labels[] = {16, 11, 8, 6, 5, 4, 3, 2};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (try_layout(board, w, h, labels[i], out_layout)) { return true; }
    }
    return false;
}

/* ---- drawing ---- */

static void draw_road(struct canvas *c, const struct board_road *road, const struct layout *l)
{
    int x0 = l->x[road->a] + l->label / 2, y0 = l->y[road->a];
    int x1 = l->x[road->b] + l->label / 2, y1 = l->y[road->b];
    int steps = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);
    wchar_t mark = road->major ? (c->ascii ? L'=' : L'•') : (c->ascii ? L'.' : L'·');
    for (int i = 1; i < steps; i++) {
        int x = x0 + (x1 - x0) * i / steps;
        int y = y0 + (y1 - y0) * i / steps;
        canvas_put(c, x, y, mark, STYLE_DIM);
    }
    if (road->river && steps > 1) {
        canvas_put(c, x0 + (x1 - x0) * (steps / 2) / steps, y0 + (y1 - y0) * (steps / 2) / steps,
                   c->ascii ? L'~' : L'≈', STYLE_WATER);
    }
}

/* The name cut to that many cells; "QuBr" says more than "Quat". */
static void cut_name(const char *name, int cells, char out[64])
{
    int used = 0;
    size_t bytes = 0;
    while (*name != '\0') {
        char one[8] = "";
        size_t n = 1;
        while (((unsigned char)name[n] & 0xc0) == 0x80 && n < sizeof one - 1) {
            n++;
        }
        memcpy(one, name, n);
        bool blank = *name == ' ' && cells <= 5;
        used += blank ? 0 : words_width(one);
        if (used > cells || bytes + n > 60) { break; }
        if (!blank) {
            memcpy(out + bytes, name, n);
            bytes += n;
        }
        name += n;
    }
    out[bytes] = '\0';
}

static void draw_town(struct canvas *c, const struct wv *wv, const struct layout *l, int t)
{
    const struct board_town *town = &wv->board->town[t];
    char name[64];
    cut_name(town->name, l->label, name);
    bool attacked = (wv->attacked >> t & 1U) != 0 ||
                    (wv_battle_at(wv, t) != NULL && wv_battle_at(wv, t)->phase != 'o');
    int total = wv->count[t][0] + wv->count[t][1] + wv->count[t][2];
    enum style style = attacked            ? STYLE_ALERT
                       : town->supply != 0 ? STYLE_TITLE
                       : total > 0         ? STYLE_BOLD
                                           : STYLE_PLAIN;
    int x = l->x[t];
    for (int i = 0; i < l->box[t] && total > 0; i++) {
        canvas_put(c, x + i, l->y[t], L' ', STYLE_PLAIN);
    }
    x += canvas_text(c, x, l->y[t], l->label, style, name);
    if (town->supply != 0) {
        canvas_put(c, x, l->y[t], L'*', STYLE_TITLE);
    } else if (attacked) {
        canvas_put(c, x, l->y[t], L'!', STYLE_ALERT);
    }
    if (total > 0) { x++; }
    for (int n = 0; n < WV_NATIONS; n++) {
        char text[16];
        if (wv->count[t][n] == 0) { continue; }
        snprintf(text, sizeof text, "%c%d", wv_nation_ids[n][0], wv->count[t][n]);
        x += canvas_text(c, x, l->y[t], 4, style_of_nation((enum wv_nation)n), text);
    }
}

/* Drafts: an arrow at every town that one of them passes. */
static void draw_drafts(struct canvas *c, const struct wv *wv, const struct layout *l)
{
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        if (u->drafted == 0 || u->town == BOARD_NONE) { continue; }
        int to = u->path[u->drafted - 1];
        if (to == BOARD_NONE) { continue; }
        canvas_put(c, l->x[to] - 1, l->y[to], c->ascii ? L'>' : L'→', style_of_nation(u->nation));
    }
}

void draw_map(struct canvas *canvas, const struct wv *wv, const struct layout *layout)
{
    for (unsigned r = 0; r < wv->board->roads; r++) {
        if (!wv->board->road[r].major) { draw_road(canvas, &wv->board->road[r], layout); }
    }
    for (unsigned r = 0; r < wv->board->roads; r++) {
        if (wv->board->road[r].major) { draw_road(canvas, &wv->board->road[r], layout); }
    }
    for (unsigned t = 0; t < wv->board->towns; t++) {
        draw_town(canvas, wv, layout, (int)t);
    }
    draw_drafts(canvas, wv, layout);
}

void draw_armies(struct canvas *canvas, const struct wv *wv)
{
    static const char *const arms[] = {"i", "c", "f", "h"};
    int y = 0, x = 0;
    for (unsigned t = 0; t <= wv->board->towns && y < canvas->h; t++) {
        int town = t == wv->board->towns ? BOARD_NONE : (int)t;
        bool some = false;
        for (int i = 0; i < wv->units; i++) {
            const struct wv_unit *u = &wv->unit[i];
            char text[24];
            if (u->town != town) { continue; }
            if (!some) {
                x = canvas_text(canvas, 0, y, 16, STYLE_BOLD,
                                town == BOARD_NONE ? words_text("cli.board.to_place")
                                                   : wv->board->town[town].name) +
                    1;
                some = true;
            }
            bool marked = u->marked_until > 0 && u->marked_until >= wv->slot;
            int n = snprintf(text, sizeof text, "%s%s%d%s", u->id, arms[u->type], u->cv,
                             marked           ? "*"
                             : u->drafted > 0 ? ">"
                                              : "");
            if (x + n + 1 > canvas->w) {
                y++;
                x = 4;
            }
            x += canvas_text(canvas, x, y, canvas->w - x, style_of_nation(u->nation), text) + 1;
        }
        if (some) { y++; }
    }
    if (y < canvas->h) {
        canvas_text(canvas, 0, canvas->h - 1, canvas->w, STYLE_DIM,
                    words_text("cli.board.armies_key"));
    }
}
