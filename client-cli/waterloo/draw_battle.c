/* client-cli/waterloo/draw_battle.c: the battle board: the enemy above, our side below, three lanes and the
 * ground between. */
#include <stdio.h>
#include <string.h>

#include "client-cli/waterloo/draw.h"
#include "common/base/buf.h"
#include "common/words/words.h"

/* Fighters of one place of a lane, one after another in a box of w by h cells. */
struct box {
    struct canvas *canvas;
    int x, y, w, h;
    int at_x, at_y;
};

static void box_add(struct box *b, enum style style, const char *text)
{
    int n = words_width(text);
    if (b->at_x > 0 && b->at_x + n > b->w) {
        b->at_x = 0;
        b->at_y++;
    }
    if (b->at_y >= b->h) { return; }
    b->at_x +=
        canvas_text(b->canvas, b->x + b->at_x, b->y + b->at_y, b->w - b->at_x, style, text) + 1;
}

/* A sentence with one argument, into a buffer of the caller's. */
static void phrase(char *out, size_t bytes, const char *id, const char *name, const char *value)
{
    struct buf text;
    buf_init(&text, 512);
    words_say(&text, id, name, value, NULL);
    snprintf(out, bytes, "%s", buf_str(&text));
    buf_finish(&text);
}

static void phrase_count(char *out, size_t bytes, const char *id, int n, int nation)
{
    struct buf text;
    buf_init(&text, 512);
    words_say(&text, id, "n", words_int(n), "nation", wv_nation_ids[nation], NULL);
    snprintf(out, bytes, "%s", buf_str(&text));
    buf_finish(&text);
}

static void add_fighters(struct box *box, const struct wv_battle *b, int lane, bool def,
                         bool advanced, bool ours)
{
    static const char *const arms[] = {"i", "c", "f", "h"};
    for (int i = 0; i < b->fighters; i++) {
        const struct wv_fighter *f = &b->fighter[i];
        char text[24];
        if (f->lane != lane || f->def != def || (f->advanced_ct > 0) != advanced) { continue; }
        snprintf(text, sizeof text, "%s%s%d%s%s", f->id, arms[f->type], f->cv, f->square ? "#" : "",
                 !ours          ? ""
                 : f->fired     ? "!"
                 : f->moves > 0 ? "~"
                                : "");
        box_add(box, style_of_nation(f->nation), text);
    }
    for (int n = 0; n < WV_NATIONS && !advanced; n++) {
        char text[64];
        int hidden = b->hidden[def ? 1 : 0][lane][n];
        if (hidden == 0) { continue; }
        phrase_count(text, sizeof text, "cli.board.hidden", hidden, n);
        box_add(box, style_of_nation((enum wv_nation)n), text);
    }
}

static void draw_reserve(struct canvas *c, const struct wv_battle *b, bool def, bool ours, int y)
{
    char title[64];
    phrase(title, sizeof title, "cli.board.reserve", "ours", ours ? "true" : "false");
    int x = canvas_text(c, 0, y, c->w, STYLE_DIM, title);
    struct box box = {c, x, y, c->w - x, 1, 0, 0};
    add_fighters(&box, b, 0, def, false, ours);
    for (int n = 0; n < WV_NATIONS; n++) {
        char text[64];
        int waiting = b->undeployed[def ? 1 : 0][n];
        if (waiting == 0) { continue; }
        phrase_count(text, sizeof text, "cli.board.to_deploy", waiting, n);
        box_add(&box, style_of_nation((enum wv_nation)n), text);
    }
}

static const char *lane_state(const struct wv_battle *b, int lane)
{
    int us = b->we_attack ? 1 : 2;
    return b->engaged_by[lane] == 0 ? "none" : b->engaged_by[lane] == us ? "us" : "them";
}

static void draw_lane(struct canvas *c, const struct wv_battle *b, int lane, int x, int w, int top,
                      int height)
{
    bool we_def = !b->we_attack;
    int part = (height - 2) / 4; /* theirs, ground (theirs, ours), ours */
    if (part < 1) { part = 1; }
    char title[96];
    int y = top;
    struct buf text;
    buf_init(&text, 256);
    words_say(&text, "cli.board.lane", "lane", words_int(lane), "engaged", lane_state(b, lane),
              NULL);
    snprintf(title, sizeof title, "%s", buf_str(&text));
    buf_finish(&text);
    canvas_text(c, x, y++, w, STYLE_TITLE, title);
    struct box theirs = {c, x, y, w, part, 0, 0};
    add_fighters(&theirs, b, lane, !we_def, false, false);
    y += part;
    for (int i = 0; i < w; i++) {
        canvas_put(c, x + i, y, c->ascii ? L'-' : L'┄', STYLE_DIM);
    }
    struct box their_adv = {c, x, y + 1, w, part, 0, 0};
    add_fighters(&their_adv, b, lane, !we_def, true, false);
    struct box our_adv = {
        c, x, y + 1 + (their_adv.at_x > 0 ? their_adv.at_y + 1 : 0), w, 2 * part - 1, 0, 0};
    add_fighters(&our_adv, b, lane, we_def, true, true);
    y += part + 1;
    for (int i = 0; i < w; i++) {
        canvas_put(c, x + i, y, c->ascii ? L'-' : L'┄', STYLE_DIM);
    }
    struct box ours = {c, x, y + 1, w, height - (y + 1 - top), 0, 0};
    add_fighters(&ours, b, lane, we_def, false, true);
}

void draw_battle(struct canvas *canvas, const struct wv *wv, const struct wv_battle *b)
{
    char title[256];
    bool we_def = !b->we_attack;
    char phase[2] = {b->phase, '\0'};
    struct buf text;
    buf_init(&text, 512);
    words_say(&text, "cli.board.title", "town", wv->board->town[b->town].name, "def",
              we_def ? "true" : "false", "n", words_int(wv->ct_n), "phase", phase, "rout",
              b->rout != 0 ? "true" : "false", NULL);
    snprintf(title, sizeof title, "%s", buf_str(&text));
    buf_finish(&text);
    int used = canvas_text(canvas, 0, 0, canvas->w, STYLE_BOLD, title);
    const char *key = words_text("cli.board.battle_key");
    int n = words_width(key);
    if (used + 2 + n <= canvas->w) { canvas_text(canvas, canvas->w - n, 0, n, STYLE_DIM, key); }
    draw_reserve(canvas, b, !we_def, false, 1);
    int w = (canvas->w - 2) / 3;
    for (int lane = 1; lane <= 3; lane++) {
        draw_lane(canvas, b, lane, (lane - 1) * (w + 1), w, 2, canvas->h - 3);
    }
    draw_reserve(canvas, b, we_def, true, canvas->h - 1);
}
