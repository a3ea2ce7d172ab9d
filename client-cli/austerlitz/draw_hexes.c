/* client-cli/austerlitz/draw_hexes.c: see draw_hexes.h. A hex of the near map is five cells wide
 * and two rows high; columns stand half a hex apart as on the board, and the sixth cell, on the
 * right, shows what lies on the sides to the north-east (upper row) and south-east (lower row).
 * What lies on the side to the south stands at both ends of the lower row. */
#include "client-cli/austerlitz/draw_hexes.h"

#include <stdio.h>
#include <string.h>

enum { RULER_W = 3, HEX_W = 6, CONTENT_W = 5, HEX_FAR_W = 4, HEX_FAR_H = 1 };

static int column_of(const struct av_map *map, unsigned hex)
{
    return (int)hex_column(&map->grid, hex);
}

static int row_of(const struct av_map *map, unsigned hex)
{
    return (int)hex_row(&map->grid, hex);
}

static enum style style_of_side(enum av_side side)
{
    return side == AV_FRENCH ? STYLE_FR : STYLE_AD;
}

/* ---- hexsides ---- */

/* What lies on a side of a hex: water before roads, since it costs. */
static wchar_t side_mark(const struct av_view *v, unsigned hex, unsigned side, bool ascii,
                         enum style *out_style)
{
    const struct av_map *map = v->map;
    int bridge = map->bridge[hex][side];
    *out_style = STYLE_WATER;
    if (bridge != AV_NONE) {
        bool whole = (v->destroyed >> bridge & 1U) == 0;
        *out_style = whole ? STYLE_PLAIN : STYLE_ALERT;
        return whole ? L'=' : L'x';
    }
    bool road = (map->road[hex] >> side & 1U) != 0;
    if (road) {
        *out_style = STYLE_DIM;
        return side == HEX_S ? (ascii ? L'|' : L'│') : (ascii ? L'-' : L'─');
    }
    switch ((enum av_hexside)map->side[hex][side]) {
    case AV_STREAM: return ascii ? L'~' : L'≈';
    case AV_BANK: return L':';
    case AV_ESCARPMENT: return L'#';
    case AV_OPEN: break;
    }
    *out_style = STYLE_DIM;
    return L' ';
}

/* ---- one hex ---- */

static wchar_t ground_mark(const struct av_view *v, unsigned hex, bool ascii, enum style *out_style)
{
    const struct av_map *map = v->map;
    *out_style = STYLE_DIM;
    switch ((enum av_terrain)map->terrain[hex]) {
    case AV_FOREST: *out_style = STYLE_WOOD; return ascii ? L'Y' : L'♣';
    case AV_MARSH: *out_style = STYLE_WATER; return ascii ? L',' : L'"';
    case AV_VILLAGE: *out_style = STYLE_BOLD; return map->fortified[hex] ? L'@' : L'&';
    case AV_POND:
        *out_style = v->broken[hex] ? STYLE_ALERT : STYLE_WATER;
        return map->causeway[hex] ? L'+' : v->broken[hex] ? L'X' : L'o';
    case AV_CLEAR: break;
    }
    *out_style = STYLE_HEIGHT;
    return map->height[hex] ? L'^' : L' ';
}

/* Whether the unit there is in a combat that goes on, is declared or drafted. */
static bool is_fighting(const struct av_view *v, const struct hex_window *window, unsigned hex)
{
    if (window->drafted[hex] || av_has(&v->fighting, hex)) { return true; }
    for (int i = 0; i < v->entries; i++) {
        const struct av_entry *e = &v->entry[i];
        if (e->status == 'p' &&
            (av_has(&e->contact, hex) || av_has(&e->bombard, hex) || av_has(&e->defenders, hex))) {
            return true;
        }
    }
    return false;
}

/* "[104]" and "i9-6": French in square brackets, Allies in round ones; mute ones by their type. */
static void draw_unit(struct canvas *c, const struct av_view *v, const struct hex_window *window,
                      int unit, int x, int y)
{
    static const char *const types[] = {"inf", "cav", "art"};
    const struct av_unit *u = &v->unit[unit];
    enum style style = style_of_side(u->side);
    bool goes = av_has(&v->to_retreat, u->hex) || av_has(&v->to_choose, u->hex);
    bool fights = is_fighting(v, window, u->hex);
    char last = u->side == AV_FRENCH ? ']' : ')';
    char text[16];
    last = fights ? '>' : u->bridge != AV_NONE ? 'x' : u->moved ? '*' : last;
    snprintf(text, sizeof text, "%c%-3.3s%c", u->side == AV_FRENCH ? '[' : '(',
             u->id[0] != '\0' ? u->id : types[u->type], last);
    canvas_text(c, x, y, CONTENT_W, goes || fights ? STYLE_ALERT : style, text);
    if (u->potential > 0) {
        snprintf(text, sizeof text, "%c%d-%d", "ica"[u->type], u -> potential, u -> movement);
    } else {
        snprintf(text, sizeof text, " ?-%d", u->movement);
    }
    canvas_text(c, x, y + 1, CONTENT_W, style, text);
}

/* Five cells of the name; "StaVi" says more than "Stare". */
static void draw_name(struct canvas *c, const char *name, int x, int y, enum style style)
{
    canvas_text(c, x, y, CONTENT_W, style, name);
}

static void draw_ground(struct canvas *c, const struct av_view *v, const struct hex_window *window,
                        unsigned hex, int x, int y)
{
    const struct av_map *map = v->map;
    enum style style = STYLE_DIM;
    char number[HEX_TEXT];
    int place = map->place[hex];
    wchar_t mark = ground_mark(v, hex, c->ascii, &style);
    hex_text(&map->grid, hex, number);
    if (place != AV_NONE) {
        draw_name(c, map->of_place[place].name, x, y,
                  map->of_place[place].village ? STYLE_BOLD : STYLE_HEIGHT);
    } else {
        canvas_text(c, x, y, CONTENT_W, STYLE_DIM, number);
    }
    if (window->cost[hex] > 0) {
        char cost[8];
        snprintf(cost, sizeof cost, "(%d)", window->cost[hex]);
        canvas_text(c, x + 1, y + 1, 3, STYLE_BOLD, cost);
        return;
    }
    for (int i = 1; i < 4; i++) {
        canvas_put(c, x + i, y + 1, mark, style);
    }
}

static void draw_hex(struct canvas *c, const struct av_view *v, const struct hex_window *window,
                     unsigned hex, int x, int y)
{
    enum style style = STYLE_DIM;
    int unit = v->at[hex];
    if (unit != AV_NONE) {
        draw_unit(c, v, window, unit, x, y);
    } else {
        draw_ground(c, v, window, hex, x, y);
    }
    canvas_put(c, x + CONTENT_W, y, side_mark(v, hex, HEX_NE, c->ascii, &style), style);
    wchar_t mark = side_mark(v, hex, HEX_SE, c->ascii, &style);
    canvas_put(c, x + CONTENT_W, y + 1, mark, style);
    mark = side_mark(v, hex, HEX_S, c->ascii, &style);
    bool room = unit == AV_NONE || v->unit[unit].potential < 10;
    if (mark == L' ' && unit != AV_NONE && room) { mark = ground_mark(v, hex, c->ascii, &style); }
    if (mark != L' ' && room) { canvas_put(c, x + CONTENT_W - 1, y + 1, mark, style); }
    if (mark != L' ' && unit == AV_NONE) { canvas_put(c, x, y + 1, mark, style); }
}

/* ---- the window ---- */

static int within(int value, int least, int most)
{
    if (value > most) { value = most; }
    return value < least ? least : value;
}

/* What is to stand in the middle does, as far as the edges of the map let it. */
static void settle(const struct av_map *map, struct hex_window *w)
{
    if (w->centre != HEX_NONE) {
        w->column = column_of(map, w->centre) - w->columns / 2;
        w->row = row_of(map, w->centre) - w->rows / 2;
        w->centre = HEX_NONE;
    }
    w->column = within(w->column, 1, map->grid.columns - w->columns + 1);
    w->row = within(w->row, 1, map->grid.rows - w->rows + 1);
}

bool hex_window_shows(const struct av_map *map, const struct hex_window *window, unsigned hex)
{
    int column = column_of(map, hex) - window->column, row = row_of(map, hex) - window->row;
    bool left = column > 0 || window->column == 1, up = row > 0 || window->row == 1;
    bool right =
        column < window->columns - 1 || window->column + window->columns > map->grid.columns;
    bool down = row < window->rows - 1 || window->row + window->rows > map->grid.rows;
    return column >= 0 && row >= 0 && column < window->columns && row < window->rows && left &&
           up && right && down;
}

static void draw_near(struct canvas *c, const struct av_view *v, struct hex_window *w)
{
    const struct av_map *map = v->map;
    char text[16];
    w->columns = (c->w - RULER_W + 1) / HEX_W;
    w->rows = (c->h - 2) / 2;
    settle(map, w);
    for (int column = w->column; column <= map->grid.columns; column++) {
        int x = RULER_W + (column - w->column) * HEX_W;
        if (x + CONTENT_W > c->w) { break; }
        snprintf(text, sizeof text, "%02d", column);
        canvas_text(c, x + 1, 0, 2, STYLE_DIM, text);
        for (int row = w->row - 1; row <= map->grid.rows; row++) {
            unsigned hex = hex_at(&map->grid, column, row);
            int y = 1 + (row - w->row) * 2 + (column % 2 == 0 ? 1 : 0);
            if (hex == HEX_NONE || y < 0 || y >= c->h) { continue; }
            if (y == 0) { continue; } /* half of it lies above the window */
            draw_hex(c, v, w, hex, x, y);
        }
    }
    for (int row = w->row; row <= map->grid.rows; row++) {
        int y = 1 + (row - w->row) * 2;
        snprintf(text, sizeof text, "%02d", row);
        if (y < c->h) { canvas_text(c, 0, y, 2, STYLE_DIM, text); }
    }
}

/* One letter: French large, Allies small; the ground by its mark. */
static wchar_t far_mark(const struct av_view *v, unsigned hex, bool ascii, enum style *out_style)
{
    int unit = v->at[hex];
    if (unit == AV_NONE) {
        wchar_t mark = ground_mark(v, hex, ascii, out_style);
        if (mark == L' ') { *out_style = STYLE_DIM; }
        return mark == L' ' ? L'.' : mark;
    }
    const struct av_unit *u = &v->unit[unit];
    *out_style = style_of_side(u->side);
    return (wchar_t)(u->side == AV_FRENCH ? "ICA" : "ica")[u->type];
}

static void draw_far(struct canvas *c, const struct av_view *v, struct hex_window *w)
{
    const struct av_map *map = v->map;
    int pitch = c->w >= HEX_FAR_W + 2 * map->grid.columns ? 2 : 1;
    char text[16];
    w->columns = (c->w - HEX_FAR_W) / pitch;
    w->rows = c->h - HEX_FAR_H;
    settle(map, w);
    for (int column = w->column; column <= map->grid.columns; column++) {
        int x = HEX_FAR_W + (column - w->column) * pitch;
        if (x >= c->w) { break; }
        snprintf(text, sizeof text, "%02d", column);
        if (column % 5 == 0 && x + 1 < c->w) { canvas_text(c, x, 0, 2, STYLE_DIM, text); }
        for (int row = w->row; row <= map->grid.rows; row++) {
            enum style style = STYLE_DIM;
            wchar_t mark = far_mark(v, hex_at(&map->grid, column, row), c->ascii, &style);
            canvas_put(c, x, HEX_FAR_H + row - w->row, mark, style);
        }
    }
    for (int row = w->row; row <= map->grid.rows; row++) {
        snprintf(text, sizeof text, "%02d", row);
        canvas_text(c, 0, HEX_FAR_H + row - w->row, 2, STYLE_DIM, text);
    }
}

void draw_hexes(struct canvas *canvas, const struct av_view *v, struct hex_window *window)
{
    if (window->far) {
        draw_far(canvas, v, window);
    } else {
        draw_near(canvas, v, window);
    }
}
