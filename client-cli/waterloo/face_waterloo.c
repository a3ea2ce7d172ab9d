/* client-cli/waterloo/face_waterloo.c: Waterloo at the terminal: towns and roads, battle boards, orders with
 * what is noted for their end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/bots/bot.h"
#include "client-cli/face/face.h"
#include "client-cli/waterloo/describe_view.h"
#include "client-cli/waterloo/draw.h"
#include "client-cli/waterloo/orders.h"
#include "client-cli/waterloo/standing_text.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

enum page { PAGE_MAP, PAGE_BATTLE, PAGE_ARMIES };
struct waterloo {
    struct face face;
    struct board board;
    struct wv wv;
    bool read; /* wv is of a view */
    enum page page;
    int battle; /* town of the battle shown, BOARD_NONE */
    struct layout layout;
    int laid_w, laid_h; /* the size that layout is for; 0: none */
};

static struct waterloo *own(struct face *face)
{
    return (struct waterloo *)face;
}

static const struct waterloo *own_const(const struct face *face)
{
    return (const struct waterloo *)face;
}

static struct face *create(const cJSON *board)
{
    struct waterloo *w = calloc(1, sizeof *w);
    if (w == NULL) { return NULL; }
    w->face.game = &face_waterloo;
    w->battle = BOARD_NONE;
    if (board == NULL) {
        board_of_game("waterloo", &w->board);
    } else if (!board_read(board, &w->board)) {
        free(w);
        return NULL;
    }
    return &w->face;
}

static void destroy(struct face *take_face)
{
    free(own(take_face));
}

/* ---- views ---- */

static void show(struct waterloo *w, enum page page)
{
    w->page = page;
    w->face.closeup = page == PAGE_BATTLE && wv_battle_at(&w->wv, w->battle) != NULL;
}

static bool is_fighting(const struct waterloo *w)
{
    return w->wv.state == WV_COMBAT || w->wv.state == WV_DEPLOY_ATT || w->wv.state == WV_DEPLOY_DEF;
}

/* The page that the state asks for: the battle that needs us first, else the map. */
static void choose_page(struct waterloo *w, bool state_changed)
{
    const struct wv *wv = &w->wv;
    const struct wv_battle *shown = wv_battle_at(wv, w->battle);
    bool fighting = is_fighting(w);
    if (shown == NULL || shown->phase == 'o') {
        w->battle = BOARD_NONE;
        for (int i = 0; i < wv->battles; i++) {
            if (w->battle == BOARD_NONE && wv->battle[i].phase != 'o') {
                w->battle = wv->battle[i].town;
            }
        }
    }
    enum page page = w->page;
    if (w->battle == BOARD_NONE && page == PAGE_BATTLE) { page = PAGE_MAP; }
    if (state_changed && fighting && w->battle != BOARD_NONE) { page = PAGE_BATTLE; }
    if (state_changed && !fighting && page == PAGE_BATTLE) { page = PAGE_MAP; }
    show(w, page);
}

static bool read_view(struct face *face, const cJSON *view)
{
    struct waterloo *w = own(face);
    enum wv_state before = w->read ? w->wv.state : WV_UNKNOWN;
    int slot = w->wv.slot;
    int ct = w->wv.ct_n * 2 + (w->wv.ct_att ? 1 : 0);
    if (!wv_read(&w->board, view, &w->wv)) { return false; }
    w->read = true;
    face->view = view;
    face->state = w->wv.state;
    face->stage = json_int(json_get(view, "seq"), 0);
    face->over = w->wv.state == WV_GAME_OVER;
    face->player = w->wv.player;
    face->to_act = w->wv.to_act;
    memcpy(face->seat, w->wv.seat, sizeof face->seat);
    memcpy(face->prompt, w->wv.prompt, sizeof face->prompt);
    bool changed = before != w->wv.state || slot != w->wv.slot;
    bool next_ct = ct != w->wv.ct_n * 2 + (w->wv.ct_att ? 1 : 0);
    if (changed || next_ct) { face->noted[0] = '\0'; } /* it was for the step that is over */
    choose_page(w, changed);
    return true;
}

static void turn_home(struct face *face)
{
    struct waterloo *w = own(face);
    show(w, is_fighting(w) && w->battle != BOARD_NONE ? PAGE_BATTLE : PAGE_MAP);
}

/* ---- sentences ---- */

static void say_events(const struct face *face, const cJSON *events, const char *viewer,
                       struct buf *out)
{
    describe_events_to(out, events, &own_const(face)->board, viewer);
}

static void say_position(const struct face *face, struct buf *out)
{
    describe_position(out, face->view, &own_const(face)->board);
}

static void say_page(const struct face *face, struct buf *out)
{
    const struct waterloo *w = own_const(face);
    const struct wv_battle *battle = wv_battle_at(&w->wv, w->battle);
    if (w->page == PAGE_BATTLE && battle != NULL) {
        describe_battle(out, &w->wv, battle);
    } else {
        say_position(face, out);
    }
}

static void say_prompt(const struct face *face, struct buf *out)
{
    describe_prompt(out, &own_const(face)->wv);
}

static void say_head(const struct face *face, struct buf *out)
{
    const struct wv *wv = &own_const(face)->wv;
    describe_slot(out, wv->view);
    buf_append_str(out, "  ");
    buf_append_str(out, wv->seat);
    for (int n = 0; n < WV_NATIONS; n++) {
        char left[32];
        snprintf(left, sizeof left, "  %s %d/%d", wv_nation_ids[n], wv->left[n],
                 wv->surrenders_at[n]);
        buf_append_str(out, left);
    }
}

/* ---- pictures ---- */

static void draw(struct face *face, struct canvas *canvas)
{
    struct waterloo *w = own(face);
    const struct wv_battle *battle = wv_battle_at(&w->wv, w->battle);
    if (w->laid_w != canvas->w || w->laid_h != canvas->h) {
        bool laid = layout_make(&w->board, canvas->w, canvas->h, &w->layout);
        w->laid_w = laid ? canvas->w : 0;
        w->laid_h = canvas->h;
    }
    if (w->page == PAGE_BATTLE && battle != NULL) {
        draw_battle(canvas, &w->wv, battle);
    } else if (w->page == PAGE_ARMIES) {
        draw_armies(canvas, &w->wv);
    } else if (w->laid_w != 0) {
        draw_map(canvas, &w->wv, &w->layout);
    }
}

/* ---- words ---- */

static enum face_heard turn_to_battle(struct waterloo *w, const char *rest, struct buf *out)
{
    int town = rest[0] == '\0' ? w->battle : board_town(&w->board, rest);
    if (town == BOARD_NONE || wv_battle_at(&w->wv, town) == NULL) {
        words_say(out, "cli.order.no_battle", "word",
                  rest[0] == '\0' ? words_text("cli.order.this_moment") : rest, NULL);
        return FACE_REFUSED;
    }
    w->battle = town;
    show(w, PAGE_BATTLE);
    return FACE_TURNED;
}

/* The one shown, or where it is shown already the next. */
static enum face_heard next_battle(struct waterloo *w)
{
    int at = -1;
    for (int i = 0; i < w->wv.battles; i++) {
        if (w->wv.battle[i].town == w->battle) { at = i; }
    }
    if (w->wv.battles == 0) { return FACE_TURNED; }
    if (w->page == PAGE_BATTLE || at < 0) { at = (at + 1) % w->wv.battles; }
    w->battle = w->wv.battle[at].town;
    show(w, PAGE_BATTLE);
    return FACE_TURNED;
}

/* "pursue" and "reinforce" wait for the "end" that they go with. */
static enum face_heard note(struct waterloo *w, const char *word, const char *rest, struct buf *out)
{
    char text[1024];
    size_t have = strlen(w->face.noted);
    snprintf(text, sizeof text, "%s %s", word, rest);
    if (have + strlen(text) + 2 > sizeof w->face.noted) { return FACE_SAID; }
    snprintf(w->face.noted + have, sizeof w->face.noted - have, " %s", text);
    words_say(out, "cli.ui.remembered", "text", text, NULL);
    return FACE_SAID;
}

static enum face_heard hear(struct face *face, const char *word, const char *rest, struct buf *out)
{
    struct waterloo *w = own(face);
    if (strcasecmp(word, "map") == 0 || strcasecmp(word, "armies") == 0) {
        show(w, word[0] == 'm' || word[0] == 'M' ? PAGE_MAP : PAGE_ARMIES);
        return FACE_TURNED;
    }
    if (strcasecmp(word, "battle") == 0 && strcmp(rest, "+") == 0) { return next_battle(w); }
    if (strcasecmp(word, "battle") == 0) { return turn_to_battle(w, rest, out); }
    if (strcasecmp(word, "forget") == 0) {
        face->noted[0] = '\0';
        return FACE_SAID;
    }
    if (strcasecmp(word, "pursue") == 0 || strcasecmp(word, "reinforce") == 0) {
        return note(w, word, rest, out);
    }
    return FACE_NOT_ITS;
}

static bool order(const struct face *face, const char *text, struct buf *out_action,
                  struct buf *out_why)
{
    char whole[FACE_NOTED_MAX + 1024];
    bool ends = strncasecmp(text, "end", 3) == 0 && (text[3] == '\0' || text[3] == ' ');
    snprintf(whole, sizeof whole, "%s%s", text, ends ? face->noted : "");
    return orders_parse(&own_const(face)->board, face->view, ends ? whole : text, out_action,
                        out_why);
}

static void choices(const struct face *face, face_add_fn *add, void *ctx)
{
    orders_choices(&own_const(face)->wv, add, ctx);
}

static size_t complete(const struct face *face, const char *text, struct buf *out_words)
{
    return orders_complete(&own_const(face)->wv, text, out_words);
}

static bool staff(const struct face *face, struct bot_mind *mind, struct buf *out_action)
{
    return bot_waterloo_act(&own_const(face)->board, face->view, 0, mind, out_action);
}

static void say_standing(const struct face *face, const cJSON *standing, struct buf *out)
{
    standing_print(out, &own_const(face)->board, standing);
}

static bool read_standing(const struct face *face, const char *line, struct buf *out_json,
                          struct buf *out_why)
{
    return standing_parse(&own_const(face)->board, line, out_json, out_why);
}

const struct face_game face_waterloo = {
    .name = "waterloo",
    .words = order_words,
    .page_map = "map",
    .page_closeup = "battle",
    .page_armies = "armies",
    .create = create,
    .destroy = destroy,
    .read = read_view,
    .say_events = say_events,
    .say_position = say_position,
    .say_page = say_page,
    .say_prompt = say_prompt,
    .say_head = say_head,
    .draw = draw,
    .turn_home = turn_home,
    .hear = hear,
    .order = order,
    .choices = choices,
    .complete = complete,
    .staff = staff,
    .say_standing = say_standing,
    .read_standing = read_standing,
};
