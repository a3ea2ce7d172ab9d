/* client-cli/austerlitz/draw_hexes.h: the map of Austerlitz in characters: near, two rows and six
 * columns to a hex, or far, one character to a hex. */
#ifndef VEDETTE_CLIENT_CLI_AUSTERLITZ_DRAW_HEXES_H
#define VEDETTE_CLIENT_CLI_AUSTERLITZ_DRAW_HEXES_H

#include "client-cli/austerlitz/aview.h"
#include "client-cli/face/canvas.h"

/* What is shown of the map, and marked on it. */
struct hex_window {
    int column, row;       /* the first that are shown, from 1; kept within the map by draw */
    int columns, rows;     /* that were shown whole at the last drawing */
    unsigned centre;       /* to stand in the middle from the next drawing on; HEX_NONE */
    bool far;              /* one character to a hex */
    int8_t cost[HEX_MAX];  /* reach of a unit, 0: none */
    bool drafted[HEX_MAX]; /* units there are in a combat that is not declared yet */
};

void draw_hexes(struct canvas *canvas, const struct av_view *v, struct hex_window *window);
/* Whether the hex stands in the window as it was drawn, with a neighbour on each side. */
bool hex_window_shows(const struct av_map *map, const struct hex_window *window, unsigned hex);

#endif
