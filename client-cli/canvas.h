/* client-cli/canvas.h: a grid of characters with styles, drawn on by the pictures and shown by a
 * front. */
#ifndef VEDETTE_CLIENT_CLI_CANVAS_H
#define VEDETTE_CLIENT_CLI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include "client-cli/wview.h"

struct buf;

enum style {
    STYLE_PLAIN,
    STYLE_DIM,
    STYLE_FR,
    STYLE_AD,
    STYLE_PR,
    STYLE_BOLD,
    STYLE_ALERT,
    STYLE_TITLE,
    STYLE_WATER,
    STYLES
};
enum { CANVAS_W_MAX = 1200, CANVAS_H_MAX = 160 };
/* Stands in the second cell of a wide character. */
#define CANVAS_SECOND L'\0'
struct cell {
    wchar_t ch;
    uint8_t style;
};
struct canvas {
    int w, h;
    bool ascii; /* no characters beyond ASCII */
    struct cell *cell;
};

/* False: out of memory. Bounds are clipped to the maxima. */
bool canvas_init(struct canvas *canvas, int w, int h, bool ascii);
void canvas_finish(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
void canvas_put(struct canvas *canvas, int x, int y, wchar_t ch, enum style style);
/* Writes text (UTF-8) from x on, cut at max cells; returns the cells written. */
int canvas_text(struct canvas *canvas, int x, int y, int max, enum style style, const char *text);
/* The whole as text lines, for tests and pipes. */
void canvas_dump(const struct canvas *canvas, struct buf *out);

/* Where each town stands on a grid, and how its name is cut. Pure: no two boxes overlap. */
struct layout {
    int w, h;
    int label; /* letters of a name shown */
    int x[BOARD_TOWNS_MAX], y[BOARD_TOWNS_MAX];
    int box[BOARD_TOWNS_MAX]; /* width of name and counts */
};
/* Lays the board out on w by h cells. False: it does not fit. */
bool layout_make(const struct board *board, int w, int h, struct layout *out_layout);

enum style style_of_nation(enum wv_nation nation);
/* The map of a view; the battle board of a town; own armies town by town. */
void draw_map(struct canvas *canvas, const struct wv *wv, const struct layout *layout);
void draw_battle(struct canvas *canvas, const struct wv *wv, const struct wv_battle *battle);
void draw_armies(struct canvas *canvas, const struct wv *wv);
/* The orders that have a place in the state of the view, each whole; 80 by 18 cells hold them all.
 */
void draw_help(struct canvas *canvas, const struct wv *wv);

#endif
