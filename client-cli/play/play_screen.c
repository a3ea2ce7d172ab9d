/* client-cli/play/play_screen.c: `play` on the whole terminal: picture above, log and choices
 * below, one line to type. */
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "client-cli/face/canvas.h"
#include "client-cli/play/play.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

enum {
    LINE_MAX_BYTES = 2048,
    PAST_MAX = 100,
    AHEAD_MAX = 32,
    CHOICE_BYTES = 90,
    W_MIN = 80,
    H_MIN = 24,
    WIDE = 132
};
struct screen {
    struct play *play;
    uv_poll_t poll;
    uv_signal_t resized;
    struct canvas canvas;
    bool has_canvas, ascii, color, due;
    bool interrupted;          /* the last key was Ctrl-C and told how to leave */
    char line[LINE_MAX_BYTES]; /* being typed, UTF-8 */
    size_t len, cursor;
    char *past[PAST_MAX]; /* lines typed before */
    int pasts, past_at;
    char *ahead[AHEAD_MAX]; /* typed while an order was on its way; the first is the next */
    int aheads;
    long scroll; /* lines of the log scrolled up */
    int first_choice;
};

/* ---- colours ---- */

static void init_colors(struct screen *s)
{
    s->color = !s->play->cli->opt.no_color && getenv("NO_COLOR") == NULL && has_colors();
    if (!s->color) { return; }
    start_color();
    use_default_colors();
    init_pair(STYLE_FR, COLOR_BLUE, -1);
    init_pair(STYLE_AD, COLOR_RED, -1);
    init_pair(STYLE_PR, COLOR_GREEN, -1);
    init_pair(STYLE_ALERT, COLOR_YELLOW, -1);
    init_pair(STYLE_WATER, COLOR_CYAN, -1);
    init_pair(STYLE_TITLE, COLOR_MAGENTA, -1);
    init_pair(STYLE_HEIGHT, COLOR_YELLOW, -1);
    init_pair(STYLE_WOOD, COLOR_GREEN, -1);
}

static attr_t attr_of(const struct screen *s, enum style style)
{
    attr_t attr = A_NORMAL;
    if (style == STYLE_DIM || style == STYLE_WATER) { attr = A_DIM; }
    if (style == STYLE_BOLD || style == STYLE_TITLE || style == STYLE_FR || style == STYLE_AD ||
        style == STYLE_PR) {
        attr = A_BOLD;
    }
    if (style == STYLE_ALERT) { attr = A_BOLD | (s->color ? A_NORMAL : A_REVERSE); }
    bool paired = style == STYLE_FR || style == STYLE_AD || style == STYLE_PR ||
                  style == STYLE_ALERT || style == STYLE_WATER || style == STYLE_TITLE ||
                  style == STYLE_HEIGHT || style == STYLE_WOOD;
    if (s->color && paired) { attr |= (attr_t)COLOR_PAIR(style); }
    return attr;
}

static void show_canvas(const struct screen *s, int top, int left)
{
    for (int y = 0; y < s->canvas.h; y++) {
        for (int x = 0; x < s->canvas.w; x++) {
            const struct cell *cell = &s->canvas.cell[y * s->canvas.w + x];
            wchar_t text[2] = {cell->ch, L'\0'};
            if (cell->ch == CANVAS_SECOND) { continue; }
            attrset((int)attr_of(s, (enum style)cell->style));
            mvaddnwstr(top + y, left + x, text, 1);
        }
    }
    attrset(A_NORMAL);
}

/* ---- text below the picture ---- */

/* Text at (y, x), wrapped over at most rows of a width. Returns the rows used. draw: or only count
 * them. */
static int wrap_text(const struct screen *s, int y, int x, int w, int rows, bool draw,
                     const char *text)
{
    struct canvas row;
    int used = 0;
    if (w < 1 || !canvas_init(&row, w, 1, s->ascii)) { return 0; }
    do {
        size_t n = canvas_row_bytes(text, row.w);
        char part[4 * CANVAS_W_MAX + 1];
        snprintf(part, sizeof part, "%.*s", (int)n, text);
        int cells = canvas_text(&row, 0, 0, row.w, STYLE_PLAIN, part);
        for (int i = 0; i < cells && draw; i++) {
            wchar_t ch[2] = {row.cell[i].ch, L'\0'};
            if (ch[0] != CANVAS_SECOND) { mvaddnwstr(y + used, x + i, ch, 1); }
        }
        text += n;
        text += strspn(text, " ");
        used++;
        if (n == 0) { break; } /* a column that not one character goes into */
    } while (used < rows && *text != '\0');
    canvas_finish(&row);
    return used;
}

/* The same in an attribute. */
static int put_text(const struct screen *s, int y, int x, int w, int rows, attr_t attr,
                    const char *text)
{
    attrset((int)attr);
    int used = wrap_text(s, y, x, w, rows, true, text);
    attrset(A_NORMAL);
    return used;
}

static attr_t attr_of_tone(const struct screen *s, enum tone tone)
{
    switch (tone) {
    case TONE_ERROR: return attr_of(s, STYLE_ALERT);
    case TONE_TALK: return attr_of(s, STYLE_BOLD);
    case TONE_NOTICE: return attr_of(s, STYLE_DIM);
    case TONE_EVENT:
    case TONE_OWN: break;
    }
    return A_NORMAL;
}

/* The newest lines of the log, the last at the bottom. */
static void show_log(const struct screen *s, int top, int left, int w, int h)
{
    const struct play *play = s->play;
    long last = (long)play->log_count - 1 - s->scroll;
    int y = top + h;
    for (long i = last; i >= 0 && i > last - PLAY_LOG_MAX + 1 && y > top; i--) {
        const struct log_line *line = &play->log[i % PLAY_LOG_MAX];
        if (line->text == NULL) { break; }
        int rows = wrap_text(s, 0, 0, w, CANVAS_H_MAX, false, line->text);
        if (rows > y - top) { rows = y - top; }
        y -= rows;
        put_text(s, y, left, w, rows, attr_of_tone(s, line->tone), line->text);
    }
}

/* Choices side by side, as many as fit; F8 turns the page. */
static int show_choices(struct screen *s, int y, int w, int rows)
{
    const struct play *play = s->play;
    int used = rows;
    int at_x = 0, at_y = 0;
    if (s->first_choice >= play->choices) { s->first_choice = 0; }
    for (int i = s->first_choice; i < play->choices; i++) {
        char text[128];
        bool cut = strlen(play->choice[i]) > CHOICE_BYTES;
        int n = snprintf(text, sizeof text, "%d) %.*s%s", i + 1, CHOICE_BYTES, play->choice[i],
                         cut ? "..." : "");
        bool more = i + 1 < play->choices;
        if (at_x > 0 && at_x + n + (more && at_y == rows - 1 ? 8 : 0) > w) {
            at_x = 0;
            at_y++;
        }
        if (at_y == rows) {
            const char *hint = words_text("cli.ui.more_hint");
            int hint_w = words_width(hint);
            put_text(s, y + rows - 1, w - hint_w, hint_w, 1, attr_of(s, STYLE_DIM), hint);
            break;
        }
        put_text(s, y + at_y, at_x, w - at_x, 1, attr_of(s, STYLE_PLAIN), text);
        at_x += n + 2;
    }
    return used;
}

/* The head of the game and the deadline. Where the row of that many cells has no room for both the
 * deadline is said in fewer words. */
static void say_row(const struct play *play, int room, struct buf *out)
{
    if (!play->has_view) { return; }
    play->face->game->say_head(play->face, out);
    buf_append_str(out, "  ");
    if (play->due[0] == '\0') { return; }
    bool whole = words_width(buf_str(out)) + words_width(play->due) <= room;
    buf_append_str(out, whole ? play->due : play->due_brief);
    buf_append_str(out, "  ");
}

/* The deadline goes before that all is well: where both do not fit it is only said of a connection
 * that it is not there. */
static void show_status(const struct screen *s, int w)
{
    const struct play *play = s->play;
    struct buf text;
    buf_init(&text, 4096);
    int n = words_width(play->status);
    if (n > w / 2) { n = w / 2; }
    say_row(play, w - n - 3, &text);
    bool crowded = words_width(buf_str(&text)) > w - n - 1;
    if (crowded && play->up) { n = 0; }
    const char *match = session_match(play->session);
    const char *hint = words_text("cli.ui.help_hint");
    int hint_w = words_width(hint) + 3;
    bool room = w - n - hint_w > words_width(buf_str(&text)) + (int)strlen(match) + 2;
    if (room || !play->has_view) { buf_append_str(&text, match); }
    attr_t attr = A_REVERSE;
    for (int x = 0; x < w; x++) {
        mvaddch(0, x, ' ' | attr);
    }
    put_text(s, 0, 1, w - 2 - (n > 0 ? n + 1 : 0), 1, attr, buf_str(&text));
    if (n > 0) { put_text(s, 0, w - n - 1, n, 1, attr | A_BOLD, play->status); }
    if (w - n - hint_w > words_width(buf_str(&text)) + 2) {
        put_text(s, 0, w - n - hint_w, hint_w - 3, 1, attr, hint);
    }
    buf_finish(&text);
}

static void show_picture(struct screen *s, int w, int h)
{
    struct play *play = s->play;
    if (!s->has_canvas || s->canvas.w != w || s->canvas.h != h) {
        if (s->has_canvas) { canvas_finish(&s->canvas); }
        s->has_canvas = canvas_init(&s->canvas, w, h, s->ascii);
    }
    if (!s->has_canvas || !play->has_view) { return; }
    canvas_clear(&s->canvas);
    if (play->picture == PICTURE_HELP && play->topic != NULL) {
        draw_help_word(&s->canvas, play->face, play->topic);
    } else if (play->picture == PICTURE_HELP) {
        draw_help(&s->canvas, play->face);
    } else if (play->picture == PICTURE_RULES) {
        play->reading_row = draw_reading(&s->canvas, play->reading, play->reading_row);
    } else {
        play->face->game->draw(play->face, &s->canvas);
    }
    show_canvas(s, 1, 0);
}

static void show_input(const struct screen *s, int y, int w)
{
    int before = 0;
    for (size_t i = 0; i < s->cursor; i++) {
        before += ((unsigned char)s->line[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    const char *from = s->line;
    int room = w - 3;
    int skip = before > room ? before - room : 0;
    for (int i = 0; i < skip; i++) {
        from++;
        while (((unsigned char)*from & 0xc0) == 0x80) {
            from++;
        }
    }
    put_text(s, y, 0, 2, 1, A_BOLD, "> ");
    put_text(s, y, 2, room, 1, A_NORMAL, from);
    move(y, 2 + before - skip);
}

static void redraw(struct screen *s)
{
    int h = LINES, w = COLS;
    struct play *play = s->play;
    erase();
    s->due = false;
    if (w < W_MIN || h < H_MIN) {
        struct buf text;
        buf_init(&text, 1024);
        words_say(&text, "cli.ui.too_small", NULL);
        put_text(s, 0, 0, w, h, A_BOLD, buf_str(&text));
        buf_finish(&text);
        refresh();
        return;
    }
    bool wide = w >= WIDE;
    int choice_rows = h >= 32 ? 3 : 2;
    bool page = s->play->picture != PICTURE_GAME;
    int log_rows = wide || page ? 0 : h / 5;
    int prompt_rows = 2;
    int picture_h = h - 2 - choice_rows - log_rows - prompt_rows;
    int picture_w = wide ? w - 46 : w;
    show_status(s, w);
    if (play->picture == PICTURE_HISTORY) {
        show_log(s, 1, 0, picture_w, picture_h);
    } else {
        show_picture(s, picture_w, picture_h);
    }
    int y = 1 + picture_h;
    if (wide) {
        for (int i = 1; i < 1 + picture_h; i++) {
            mvaddch(i, picture_w, ACS_VLINE);
        }
        show_log(s, 1, picture_w + 1, w - picture_w - 1, picture_h);
    } else {
        show_log(s, y, 0, w, log_rows);
        y += log_rows;
    }
    struct buf prompt;
    buf_init(&prompt, 8192);
    if (play->has_view) {
        play->face->game->say_prompt(play->face, &prompt);
        buf_append_str(&prompt, play->face->noted);
    }
    for (char *c = prompt.data; c != NULL && *c != '\0'; c++) {
        if (*c == '\n') { *c = ' '; }
    }
    put_text(s, y, 0, w, prompt_rows, attr_of(s, play->face->to_act ? STYLE_BOLD : STYLE_DIM),
             buf_str(&prompt));
    buf_finish(&prompt);
    y += prompt_rows;
    y += show_choices(s, y, w, choice_rows);
    show_input(s, h - 1, w);
    refresh();
}

/* ---- typing ---- */

static void set_line(struct screen *s, const char *text)
{
    snprintf(s->line, sizeof s->line, "%s", text);
    s->len = s->cursor = strlen(s->line);
}

static void insert(struct screen *s, const char *text, size_t n)
{
    if (s->len + n + 1 > sizeof s->line) { return; }
    memmove(s->line + s->cursor + n, s->line + s->cursor, s->len - s->cursor + 1);
    memcpy(s->line + s->cursor, text, n);
    s->len += n;
    s->cursor += n;
}

static size_t step_left(const struct screen *s)
{
    size_t at = s->cursor;
    if (at == 0) { return 0; }
    at--;
    while (at > 0 && ((unsigned char)s->line[at] & 0xc0) == 0x80) {
        at--;
    }
    return at;
}

static size_t step_right(const struct screen *s)
{
    size_t at = s->cursor;
    if (at == s->len) { return at; }
    at++;
    while (at < s->len && ((unsigned char)s->line[at] & 0xc0) == 0x80) {
        at++;
    }
    return at;
}

static void erase_bytes(struct screen *s, size_t from, size_t to)
{
    memmove(s->line + from, s->line + to, s->len - to + 1);
    s->len -= to - from;
    s->cursor = from;
}

/* What was typed ahead may have been meant for what did not come about. */
static void drop_ahead(struct screen *s)
{
    for (int i = 0; i < s->aheads; i++) {
        free(s->ahead[i]);
    }
    s->aheads = 0;
}

static bool is_free(const struct screen *s)
{
    return !session_busy(s->play->session) && s->play->asking == 0;
}

/* Whether a line waits for the answer to the one before: orders and numbers of choices do. */
static bool is_order(const struct screen *s, const char *text)
{
    char word[32];
    text += strspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    const struct order_word *w = s->play->has_view ? face_word_find(s->play->face, word) : NULL;
    return (word[0] >= '0' && word[0] <= '9') || word[0] == '{' || word[0] == '[' ||
           strcasecmp(word, "undo") == 0 || strcasecmp(word, "staff") == 0 ||
           (w != NULL && w->states != 0);
}

/* The next line that was typed ahead, now that the one before is answered. */
static void run_ahead(struct screen *s)
{
    while (s->aheads > 0 && is_free(s) && !s->play->quit) {
        char *text = s->ahead[0];
        memmove(s->ahead, s->ahead + 1, (size_t)--s->aheads * sizeof s->ahead[0]);
        play_command(s->play, text);
        free(text);
        s->due = true;
    }
}

static void enter(struct screen *s)
{
    char text[LINE_MAX_BYTES];
    snprintf(text, sizeof text, "%s", s->line);
    if (s->len > 0) {
        free(s->past[s->pasts % PAST_MAX]);
        s->past[s->pasts % PAST_MAX] = strdup(text);
        s->pasts++;
    }
    s->past_at = s->pasts;
    s->scroll = 0;
    set_line(s, "");
    bool waits = !is_free(s) && s->aheads < AHEAD_MAX && is_order(s, text);
    char *copy = waits ? strdup(text) : NULL;
    if (copy != NULL) {
        s->ahead[s->aheads++] = copy;
    } else {
        play_command(s->play, text);
    }
}

static void recall(struct screen *s, int step)
{
    int at = s->past_at + step;
    if (at < 0 || at < s->pasts - PAST_MAX || at > s->pasts) { return; }
    s->past_at = at;
    set_line(s, at == s->pasts || s->past[at % PAST_MAX] == NULL ? "" : s->past[at % PAST_MAX]);
}

/* Fills in what all completions of the last word share; several are listed in the log. */
static void complete(struct screen *s)
{
    struct buf words;
    if (!s->play->has_view || s->cursor != s->len) { return; }
    buf_init(&words, 1 << 16);
    size_t stem = s->play->face->game->complete(s->play->face, s->line, &words);
    char *text = strdup(buf_str(&words));
    char common[64] = "";
    int n = 0;
    struct buf list;
    buf_init(&list, 1 << 16);
    for (char *save = NULL, *w = strtok_r(text, "\n", &save); w != NULL;
         w = strtok_r(NULL, "\n", &save)) {
        if (n++ == 0) {
            snprintf(common, sizeof common, "%s", w);
        } else {
            size_t k = 0;
            while (common[k] != '\0' && common[k] == w[k]) {
                k++;
            }
            common[k] = '\0';
        }
        buf_append_str(&list, w);
        buf_append_str(&list, "  ");
    }
    if (n > 0 && strlen(common) >= stem) {
        s->len -= stem;
        s->cursor = s->len;
        s->line[s->len] = '\0';
        insert(s, common, strlen(common));
        if (n == 1) { insert(s, " ", 1); }
    }
    if (n > 1 && strlen(common) <= stem) { play_log(s->play, TONE_NOTICE, buf_str(&list)); }
    buf_finish(&list);
    buf_finish(&words);
    free(text);
}

static void show(struct screen *s, enum picture picture)
{
    s->play->picture = picture;
    s->due = true;
}

/* The page behind a word of the game, or its next part. */
static void turn_to(struct screen *s, const char *word, const char *rest)
{
    struct face *face = s->play->face;
    struct buf out;
    if (word == NULL || !s->play->has_view) { return; }
    buf_init(&out, CLI_TEXT_MAX);
    if (face->game->hear(face, word, rest, &out) == FACE_TURNED) {
        s->play->picture = PICTURE_GAME;
    }
    buf_finish(&out);
}

/* With nothing typed the arrows to the sides move the map; the shifted ones always do. */
static bool scroll_map(struct screen *s, int right, int down)
{
    struct face *face = s->play->face;
    return s->play->has_view && s->play->picture == PICTURE_GAME &&
           face->game->scroll_map != NULL && face->game->scroll_map(face, right, down);
}

/* The text that is read goes on by a page, the log by a few lines. */
static void turn_page(struct screen *s, int on)
{
    if (s->play->picture == PICTURE_RULES) {
        s->play->reading_row += on * (s->canvas.h > 2 ? s->canvas.h - 2 : 1);
    } else if (on < 0) {
        s->scroll += s->scroll + 5 < (long)s->play->log_count ? 5 : 0;
    } else {
        s->scroll -= s->scroll > 5 ? 5 : s->scroll;
    }
}

static void on_special(struct screen *s, wint_t key)
{
    switch (key) {
    case KEY_BACKSPACE: erase_bytes(s, step_left(s), s->cursor); break;
    case KEY_DC: erase_bytes(s, s->cursor, step_right(s)); break;
    case KEY_LEFT:
        if (s->len > 0 || !scroll_map(s, -1, 0)) { s->cursor = step_left(s); }
        break;
    case KEY_RIGHT:
        if (s->len > 0 || !scroll_map(s, 1, 0)) { s->cursor = step_right(s); }
        break;
    case KEY_SLEFT: (void)scroll_map(s, -1, 0); break;
    case KEY_SRIGHT: (void)scroll_map(s, 1, 0); break;
    case KEY_SR: (void)scroll_map(s, 0, -1); break;
    case KEY_SF: (void)scroll_map(s, 0, 1); break;
    case KEY_HOME: s->cursor = 0; break;
    case KEY_END: s->cursor = s->len; break;
    case KEY_UP: recall(s, -1); break;
    case KEY_DOWN: recall(s, 1); break;
    case KEY_PPAGE: turn_page(s, -1); break;
    case KEY_NPAGE: turn_page(s, 1); break;
    case KEY_ENTER: enter(s); break;
    case KEY_F(1):
        s->play->topic = NULL;
        show(s, PICTURE_HELP);
        break;
    case KEY_F(2): turn_to(s, s->play->face->game->page_map, ""); break;
    case KEY_F(3): turn_to(s, s->play->face->game->page_closeup, "+"); break;
    case KEY_F(4): turn_to(s, s->play->face->game->page_armies, ""); break;
    case KEY_F(8): s->first_choice += 8; break;
    default: break;
    }
}

/* Ctrl-C takes back what is typed; where nothing is, it says how to leave, and leaves when it comes
 * again at once. */
static void interrupt(struct screen *s)
{
    if (s->len > 0) {
        erase_bytes(s, 0, s->len);
    } else if (s->interrupted) {
        s->play->quit = true;
    } else {
        play_log(s->play, TONE_NOTICE, words_text("cli.ui.interrupted"));
        s->interrupted = true;
    }
}

static void on_char(struct screen *s, wint_t ch)
{
    if (ch != 0x03) { s->interrupted = false; }
    switch (ch) {
    case L'\r':
    case L'\n': enter(s); return;
    case L'\t': complete(s); return;
    case 0x7f:
    case 0x08: erase_bytes(s, step_left(s), s->cursor); return;
    case 0x01: s->cursor = 0; return;
    case 0x05: s->cursor = s->len; return;
    case 0x0b: erase_bytes(s, s->cursor, s->len); return;
    case 0x15: erase_bytes(s, 0, s->cursor); return;
    case 0x0c: clearok(curscr, TRUE); return;
    case 0x03: interrupt(s); return;
    case 0x04: s->play->quit = s->play->quit || s->len == 0; return;
    default: break;
    }
    char text[8];
    mbstate_t state = {0};
    size_t n = wcrtomb(text, (wchar_t)ch, &state);
    if (ch >= 0x20 && n != (size_t)-1) { insert(s, text, n); }
}

static void on_keys(uv_poll_t *poll, int status, int events)
{
    struct screen *s = poll->data;
    (void)events;
    if (status < 0) {
        s->play->quit = true;
        return;
    }
    wint_t ch = 0;
    int kind = 0, count = 0;
    while ((kind = get_wch(&ch)) != ERR) {
        if (kind == KEY_CODE_YES) {
            on_special(s, ch);
        } else {
            on_char(s, ch);
        }
        count++;
    }
    char probe = 0; /* readable with nothing to read: the terminal is gone */
    if (count == 0 && read(STDIN_FILENO, &probe, 0) < 0) { s->play->quit = true; }
    s->due = true;
}

static void on_resized(uv_signal_t *handle, int number)
{
    struct screen *s = handle->data;
    struct winsize size;
    (void)number;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) { resizeterm(size.ws_row, size.ws_col); }
    clearok(curscr, TRUE);
    s->due = true;
}

/* ---- the front ---- */

static void on_line(struct play *play, enum tone tone, const char *text)
{
    struct screen *s = play->front_data;
    (void)text;
    if (tone == TONE_ERROR) { drop_ahead(s); }
    s->due = true;
}

static void on_change(struct play *play)
{
    struct screen *s = play->front_data;
    s->first_choice = 0;
    s->due = true;
}

static void on_status(struct play *play)
{
    struct screen *s = play->front_data;
    s->due = true;
}

static const struct front screen_front = {true, on_line, on_change, on_status};

static void run(struct screen *s)
{
    uv_loop_t *loop = &s->play->cli->loop;
    uv_poll_init(loop, &s->poll, STDIN_FILENO);
    s->poll.data = s;
    uv_poll_start(&s->poll, UV_READABLE, on_keys);
    uv_signal_init(loop, &s->resized);
    s->resized.data = s;
    uv_signal_start(&s->resized, on_resized, SIGWINCH);
    session_watch(s->play->session);
    s->due = true;
    while (!s->play->quit) {
        if (s->due) { redraw(s); }
        uv_run(loop, UV_RUN_ONCE);
        run_ahead(s);
    }
    uv_close((uv_handle_t *)&s->poll, NULL);
    uv_close((uv_handle_t *)&s->resized, NULL);
    uv_run(loop, UV_RUN_NOWAIT);
}

enum status play_run_screen(struct play *play)
{
    struct screen *s = calloc(1, sizeof *s);
    SCREEN *screen = s == NULL ? NULL : newterm(NULL, stdout, stdin);
    const char *cup = screen == NULL ? NULL : tigetstr("cup");
    if (cup ==
        NULL) { /* a terminal that curses does not know, or with no cursor to move ("dumb") */
        if (screen != NULL) {
            endwin();
            delscreen(screen);
        }
        free(s);
        return play_run_plain(play);
    }
    s->play = play;
    s->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    play->front = &screen_front;
    play->front_data = s;
    init_colors(s);
    raw();
    noecho();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50);
    run(s);
    endwin();
    if (play->result == UNREACHABLE) { cli_say("cli.ui.lost"); }
    if (play->result == REFUSED && play->log_count > 0) {
        fprintf(stderr, "vedette: %s\n", play->log[(play->log_count - 1) % PLAY_LOG_MAX].text);
    }
    if (s->has_canvas) { canvas_finish(&s->canvas); }
    for (int i = 0; i < PAST_MAX; i++) {
        free(s->past[i]);
    }
    drop_ahead(s);
    enum status result = play->result;
    free(s);
    return result;
}
