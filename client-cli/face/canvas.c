#include "client-cli/face/canvas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/words/words.h"

bool canvas_init(struct canvas *canvas, int w, int h, bool ascii)
{
    canvas->w = w < 1 ? 1 : w > CANVAS_W_MAX ? CANVAS_W_MAX : w;
    canvas->h = h < 1 ? 1 : h > CANVAS_H_MAX ? CANVAS_H_MAX : h;
    canvas->ascii = ascii;
    canvas->cell = calloc((size_t)canvas->w * (size_t)canvas->h, sizeof *canvas->cell);
    if (canvas->cell == NULL) { return false; }
    canvas_clear(canvas);
    return true;
}

void canvas_finish(struct canvas *canvas)
{
    free(canvas->cell);
    canvas->cell = NULL;
}

void canvas_clear(struct canvas *canvas)
{
    for (int i = 0; i < canvas->w * canvas->h; i++) {
        canvas->cell[i] = (struct cell){L' ', STYLE_PLAIN};
    }
}

void canvas_put(struct canvas *canvas, int x, int y, wchar_t ch, enum style style)
{
    if (x < 0 || y < 0 || x >= canvas->w || y >= canvas->h) { return; }
    canvas->cell[y * canvas->w + x] = (struct cell){ch, (uint8_t)style};
}

/* The next code point of UTF-8 text; what is not UTF-8 counts as '?'. */
static wchar_t next_char(const char **text)
{
    const unsigned char *c = (const unsigned char *)*text;
    int more = c[0] < 0x80 ? 0 : c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : c[0] >= 0xc0 ? 1 : -1;
    if (more <= 0) {
        (*text)++;
        return more == 0 ? (wchar_t)c[0] : L'?';
    }
    wchar_t ch = (wchar_t)(c[0] & (0x3f >> more));
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            *text += i;
            return L'?';
        }
        ch = (wchar_t)(ch << 6 | (c[i] & 0x3f));
    }
    *text += more + 1;
    return ch;
}

static wchar_t plain_char(wchar_t ch)
{
    switch (ch) {
    case L'→': return L'>';
    case L'’':
    case L'‘': return L'\'';
    default: return ch < 0x80 ? ch : L'?';
    }
}

int canvas_text(struct canvas *canvas, int x, int y, int max, enum style style, const char *text)
{
    int n = 0;
    while (*text != '\0') {
        wchar_t ch = next_char(&text);
        if (ch < L' ' || (ch >= 0x7f && ch < 0xa0)) { ch = L' '; }
        if (canvas->ascii) { ch = plain_char(ch); }
        int cells = words_char_width(ch);
        if (n + cells > max) { break; }
        if (cells == 0) { continue; } /* marks on letters have no cell of their own */
        canvas_put(canvas, x + n, y, ch, style);
        if (cells == 2) { canvas_put(canvas, x + n + 1, y, CANVAS_SECOND, style); }
        n += cells;
    }
    return n;
}

/* Whether a row may end between two characters: at a blank, beside a wide one; signs that close
 * stay with what they close, signs that open with what they open. */
static bool may_break(const char *before, const char *after)
{
    static const char closing[] = "、。，．：；！？）」』】〉》］｝・",
                      opening[] = "（「『【〈《［｛";
    if (after[0] == ' ') { return true; }
    if (words_width(before) != 2 && words_width(after) != 2) { return false; }
    return strstr(closing, after) == NULL && strstr(opening, before) == NULL;
}

size_t canvas_row_bytes(const char *text, int w)
{
    char before[8] = " ", one[8];
    size_t cut = 0;
    int cells = 0;
    for (size_t at = 0;;) {
        if (text[at] == '\0') { return at; }
        size_t n = 1;
        while (((unsigned char)text[at + n] & 0xc0) == 0x80) {
            n++;
        }
        snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one - 1), text + at);
        int wide = words_width(one);
        if (may_break(before, one)) { cut = at; }
        memcpy(before, one, sizeof before);
        if (cells + wide > w) { return cut > 0 ? cut : at; }
        cells += wide;
        at += n;
    }
}

int canvas_wrapped(struct canvas *canvas, int y, enum style style, const char *text)
{
    while (*text != '\0' && y < canvas->h) {
        size_t cut = canvas_row_bytes(text, canvas->w);
        char row[4 * CANVAS_W_MAX + 1];
        snprintf(row, sizeof row, "%.*s", (int)cut, text);
        canvas_text(canvas, 0, y++, canvas->w, style, row);
        text += cut;
        text += strspn(text, " ");
    }
    return y;
}

static void append_wide(struct buf *out, wchar_t ch)
{
    unsigned c = (unsigned)ch;
    if (c < 0x80) {
        buf_append_char(out, (char)c);
    } else if (c < 0x800) {
        buf_append_char(out, (char)(0xc0 | c >> 6));
        buf_append_char(out, (char)(0x80 | (c & 0x3f)));
    } else {
        if (c >= 0x10000) { buf_append_char(out, (char)(0xf0 | (c >> 18 & 0x07))); }
        buf_append_char(out,
                        (char)(c < 0x10000 ? 0xe0 | (c >> 12 & 0x0f) : 0x80 | (c >> 12 & 0x3f)));
        buf_append_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_append_char(out, (char)(0x80 | (c & 0x3f)));
    }
}

void canvas_dump(const struct canvas *canvas, struct buf *out)
{
    for (int y = 0; y < canvas->h; y++) {
        int end = canvas->w;
        while (end > 0 && canvas->cell[y * canvas->w + end - 1].ch == L' ') {
            end--;
        }
        for (int x = 0; x < end; x++) {
            wchar_t ch = canvas->cell[y * canvas->w + x].ch;
            if (ch != CANVAS_SECOND) { append_wide(out, ch); }
        }
        buf_append_char(out, '\n');
    }
}
