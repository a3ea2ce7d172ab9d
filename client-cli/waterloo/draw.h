/* client-cli/waterloo/draw.h: the pictures of Waterloo. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_DRAW_H
#define VEDETTE_CLIENT_CLI_WATERLOO_DRAW_H

#include <stdbool.h>

#include "client-cli/face/canvas.h"
#include "client-cli/waterloo/wview.h"

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

#endif
