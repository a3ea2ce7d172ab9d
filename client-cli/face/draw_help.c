/* client-cli/face/draw_help.c: the page of help: every order of the moment, whole. */
#include <stdio.h>

#include "client-cli/face/canvas.h"
#include "client-cli/face/face.h"
#include "common/base/buf.h"
#include "common/words/words.h"

void draw_help_word(struct canvas *canvas, const struct face *face, const struct order_word *word)
{
    int y = canvas_wrapped(canvas, 0, STYLE_BOLD, face_how(face, word));
    y = canvas_wrapped(canvas, y, STYLE_PLAIN, face_help(face, word)) + 1;
    canvas_wrapped(canvas, y, STYLE_PLAIN, face_page(face, word));
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
                y = canvas_wrapped(canvas, y, STYLE_PLAIN, line);
            } else {
                canvas_text(canvas, right ? column + 1 : 0, y, column, STYLE_PLAIN, line);
                y += right ? 1 : 0;
                right = !right;
            }
        }
        y += right ? 1 : 0;
    }
    y = canvas_wrapped(canvas, y, STYLE_DIM, face_text(face, "cli.ui.head_key"));
    canvas_wrapped(canvas, y, STYLE_DIM, face_text(face, "cli.ui.keys"));
}
