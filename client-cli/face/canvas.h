/* client-cli/face/canvas.h: a grid of characters with styles, drawn on by the pictures and shown by
 * a front. */
#ifndef VEDETTE_CLIENT_CLI_FACE_CANVAS_H
#define VEDETTE_CLIENT_CLI_FACE_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

struct buf;
struct face;
struct order_word;

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
    STYLE_HEIGHT,
    STYLE_WOOD,
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
/* How much of text goes into w cells: bytes up to a blank, or to a wide character, beside which a
 * row may end, but for signs that close or open. */
size_t canvas_row_bytes(const char *text, int w);
/* Text from a row on, over as many as it needs. Returns the row after it. */
int canvas_wrapped(struct canvas *canvas, int y, enum style style, const char *text);
/* Draws lines from that row of the text on, or as near as leaves the page full; returns the row
 * that stands at the top. A last row says that there is more. */
int draw_reading(struct canvas *canvas, const char *text, int row);
/* The whole as text lines, for tests and pipes. */
void canvas_dump(const struct canvas *canvas, struct buf *out);

/* The orders that have a place in the state of the face, each whole; 80 by 18 cells hold them all.
 */
void draw_help(struct canvas *canvas, const struct face *face);
/* All that is to be said of one word of orders. */
void draw_help_word(struct canvas *canvas, const struct face *face, const struct order_word *word);

#endif
