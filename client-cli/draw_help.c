/* client-cli/draw_help.c: the page of help: every order of the moment, whole. */
#include <stdio.h>
#include <string.h>

#include "client-cli/canvas.h"
#include "client-cli/face.h"
#include "common/base/buf.h"
#include "common/words/words.h"

/* How much of text goes into w cells: bytes up to a blank, or up to a wide character, which may end
 * a row anywhere. */
static size_t row_bytes(const char *text, int w)
{
    size_t cut = 0;
    int cells = 0;
    for (size_t at = 0;;) {
        if (text[at] == '\0') { return at; }
        size_t n = 1;
        while (((unsigned char)text[at + n] & 0xc0) == 0x80) {
            n++;
        }
        char one[8] = "";
        memcpy(one, text + at, n < sizeof one ? n : sizeof one - 1);
        int wide = words_width(one);
        if (text[at] == ' ' || wide == 2) { cut = at; }
        if (cells + wide > w) { return cut > 0 ? cut : at; }
        cells += wide;
        at += n;
    }
}

/* Text over as many rows as it needs. Returns the row after it. */
static int wrapped(struct canvas *c, int y, enum style style, const char *text)
{
    while (*text != '\0' && y < c->h) {
        size_t cut = row_bytes(text, c->w);
        char row[4 * CANVAS_W_MAX + 1];
        snprintf(row, sizeof row, "%.*s", (int)cut, text);
        canvas_text(c, 0, y++, c->w, style, row);
        text += cut;
        text += strspn(text, " ");
    }
    return y;
}

void draw_help(struct canvas *canvas, const struct face *face)
{
    int column = (canvas->w - 1) / 2;
    int y = 0;
    for (int pass = 0; pass < 2; pass++) { /* what needs a whole row first, then two to a row */
        bool right = false;
        for (const struct order_word *o = face->game->words; o->word != NULL; o++) {
            char line[512];
            if (face_usage(face, o)[0] == '\0') { continue; } /* it stands with another */
            snprintf(line, sizeof line, "%s: %s", face_usage(face, o), face_help(face, o));
            int n = words_width(line);
            if (!face_word_fits(face, o) || (n <= column) != (pass == 1)) { continue; }
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
    y = wrapped(canvas, y, STYLE_DIM, face_text(face, "cli.ui.head_key"));
    wrapped(canvas, y, STYLE_DIM, face_text(face, "cli.ui.keys"));
}
