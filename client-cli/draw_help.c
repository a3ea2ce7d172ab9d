/* client-cli/draw_help.c: the page of help: every order of the moment, whole. */
#include <stdio.h>
#include <string.h>

#include "client-cli/canvas.h"
#include "client-cli/orders.h"
#include "client-cli/words.h"
#include "common/base/buf.h"

/* Text (ASCII) over as many rows as it needs, broken at blanks. Returns the row after it. */
static int wrapped(struct canvas *c, int y, enum style style, const char *text)
{
    size_t w = c->w > 0 ? (size_t)c->w : 1;
    while (*text != '\0' && y < c->h) {
        size_t n = strlen(text);
        size_t cut = n;
        if (n > w) {
            cut = w;
            while (cut > w / 2 && text[cut] != ' ') {
                cut--;
            }
        }
        char row[CANVAS_W_MAX + 1];
        snprintf(row, sizeof row, "%.*s", (int)cut, text);
        canvas_text(c, 0, y++, c->w, style, row);
        text += cut;
        text += strspn(text, " ");
    }
    return y;
}

void draw_help(struct canvas *canvas, const struct wv *wv)
{
    int column = (canvas->w - 1) / 2;
    int y = 0;
    for (int pass = 0; pass < 2; pass++) { /* what needs a whole row first, then two to a row */
        bool right = false;
        for (const struct order_word *o = order_words; o->word != NULL; o++) {
            char line[256];
            int n = snprintf(line, sizeof line, "%s: %s", o->usage, o->help);
            if (!orders_word_fits(o, wv) || (n <= column) != (pass == 1)) { continue; }
            if (pass == 0) {
                y = wrapped(canvas, y, STYLE_PLAIN, line);
            } else {
                canvas_text(canvas, right ? column + 1 : 0, y, column, STYLE_PLAIN, line);
                y += right ? 1 : 0;
                right = !right;
            }
        }
        y += right ? 1 : 0;
    }
    y = wrapped(canvas, y, STYLE_DIM, words_text("ui.head_key"));
    wrapped(canvas, y, STYLE_DIM, words_text("ui.keys"));
}
