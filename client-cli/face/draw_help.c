/* client-cli/face/draw_help.c: the page of help: every order of the moment, whole. */
#include <stdio.h>
#include <string.h>

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

/* The text in rows as wide as the page; those from `row` on are drawn. Returns how many there are.
 */
static int walk_rows(struct canvas *canvas, const char *text, int row, int room)
{
    int at = 0;
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        struct buf line;
        buf_init(&line, n + 16);
        buf_append(&line, text, n);
        const char *rest = buf_str(&line);
        do {
            size_t cut = canvas_row_bytes(rest, canvas->w);
            char one[4 * CANVAS_W_MAX + 1];
            snprintf(one, sizeof one, "%.*s", (int)cut, rest);
            if (at >= row && at < row + room) {
                canvas_text(canvas, 0, at - row, canvas->w, STYLE_PLAIN, one);
            }
            at++;
            if (cut == 0) { break; } /* no room for one character */
            rest += cut;
            rest += strspn(rest, " ");
        } while (*rest != '\0');
        buf_finish(&line);
        text += n + (text[n] == '\n' ? 1 : 0);
    }
    return at;
}

int draw_reading(struct canvas *canvas, const char *text, int row)
{
    int rows = walk_rows(canvas, text, 0, 0);
    bool whole = rows <= canvas->h;
    int room = whole || canvas->h < 2 ? canvas->h : canvas->h - 1;
    if (row > rows - room) { row = rows - room; }
    if (row < 0) { row = 0; }
    (void)walk_rows(canvas, text, row, room);
    if (!whole) {
        char from[16], to[16], of[16];
        snprintf(from, sizeof from, "%d", row + 1);
        snprintf(to, sizeof to, "%d", row + room);
        snprintf(of, sizeof of, "%d", rows);
        struct buf foot;
        buf_init(&foot, 1024);
        words_say(&foot, "cli.rules.more", "from", from, "to", to, "of", of, NULL);
        canvas_text(canvas, 0, canvas->h - 1, canvas->w, STYLE_DIM, buf_str(&foot));
        buf_finish(&foot);
    }
    return row;
}
