/* client-cli/austerlitz/face_austerlitz.c: Austerlitz at the terminal: the map of hexes, lists, a
 * draft of the combats to be declared, questions. */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "client-cli/austerlitz/draw_hexes.h"
#include "client-cli/bots/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/describe.h"
#include "common/words/words.h"

enum page { PAGE_MAP, PAGE_COMBATS, PAGE_ARMIES, PAGE_LEGEND, PAGE_FORMS };
enum { PAGE_BYTES = 1 << 17 };
struct austerlitz {
    struct face face;
    struct av_map map;
    struct av_view v;
    struct aus_draft draft;
    struct hex_window window;
    unsigned near; /* the middle of the map from near, while it is seen from far */
    bool read;     /* v is of a view */
    int64_t seq;
    enum page page;
    int scrolled; /* lines of a page of text */
};

static struct austerlitz *own(struct face *face)
{
    return (struct austerlitz *)face;
}

static const struct austerlitz *own_const(const struct face *face)
{
    return (const struct austerlitz *)face;
}

const struct av_view *aus_view(const struct face *face)
{
    return &own_const(face)->v;
}

/* Without board data it tells events alone. */
static struct face *create(const cJSON *board)
{
    struct austerlitz *a = calloc(1, sizeof *a);
    if (a == NULL) { return NULL; }
    a->face.game = &face_austerlitz;
    a->window.centre = HEX_NONE;
    if (board != NULL && !av_map_read(board, &a->map)) {
        free(a);
        return NULL;
    }
    return &a->face;
}

static void destroy(struct face *take_face)
{
    free(own(take_face));
}

/* ---- views ---- */

/* Where the own units stand in the mean; for a watcher all. */
static unsigned middle_of(const struct av_view *v)
{
    int column = 0, row = 0, n = 0;
    for (int i = 0; i < v->units; i++) {
        if (v->player && !v->unit[i].mine) { continue; }
        n++;
        column += (int)hex_column(&v->map->grid, v->unit[i].hex);
        row += (int)hex_row(&v->map->grid, v->unit[i].hex);
    }
    return n == 0 ? HEX_NONE : hex_at(&v->map->grid, column / n, row / n);
}

/* The hex that the newest view is about: what is asked of, else where somebody has come to. */
static unsigned subject_of(const struct av_view *v, const struct av_view *before)
{
    if (v->to_retreat.count > 0) { return v->to_retreat.hex[0]; }
    if (v->to_choose.count > 0) { return v->to_choose.hex[0]; }
    if (v->vacated.count > 0 && v->state == AV_ADVANCE) { return v->vacated.hex[0]; }
    if (v->fighting.count > 0) { return v->fighting.hex[0]; }
    for (int i = 0; i < v->entries && v->state == AV_RESOLVE; i++) {
        const struct av_entry *e = &v->entry[i];
        if (e->status == 'p' && e->ice != HEX_NONE) { return e->ice; }
        if (e->status == 'p' && e->defenders.count > 0) { return e->defenders.hex[0]; }
    }
    if (v->state == AV_DECLARE && v->to_act) {
        struct av_hexes owed = {0};
        aus_find_owed(v, NULL, &owed);
        if (owed.count > 0) { return owed.hex[0]; }
    }
    for (int i = 0; i < v->units; i++) {
        unsigned hex = v->unit[i].hex;
        int then = before->at[hex];
        bool same = then != AV_NONE && before->unit[then].side == v->unit[i].side &&
                    before->unit[then].type == v->unit[i].type;
        if (!same) { return hex; }
    }
    return HEX_NONE;
}

static void follow(struct austerlitz *a, const struct av_view *before)
{
    const struct av_view *v = &a->v;
    bool first = before == NULL || (v->to_act && v->state == AV_MOVE && !before->to_act);
    unsigned hex = first ? middle_of(v) : subject_of(v, before);
    if (hex == HEX_NONE) { return; }
    for (int i = 0; i < v->units && first && before != NULL; i++) { /* own units do stand there */
        if (v->unit[i].mine && hex_window_shows(&a->map, &a->window, v->unit[i].hex)) { return; }
    }
    if (first || !hex_window_shows(&a->map, &a->window, hex)) { a->window.centre = hex; }
}

static void mark_draft(struct austerlitz *a)
{
    memset(a->window.drafted, 0, sizeof a->window.drafted);
    for (int i = 0; i < a->draft.entries; i++) {
        const struct av_entry *e = &a->draft.entry[i];
        const struct av_hexes *lists[3] = {&e->contact, &e->bombard, &e->defenders};
        for (int k = 0; k < 3; k++) {
            for (int n = 0; n < lists[k]->count; n++) {
                a->window.drafted[lists[k]->hex[n]] = true;
            }
        }
    }
}

static void show(struct austerlitz *a, enum page page)
{
    a->page = page;
    a->scrolled = 0;
}

static bool read_view(struct face *face, const cJSON *view)
{
    struct austerlitz *a = own(face);
    struct av_view *before = malloc(sizeof *before);
    if (before == NULL) { return false; }
    *before = a->v;
    if (a->map.grid.rows == 0 || !av_read(&a->map, view, &a->v)) {
        free(before);
        return false;
    }
    const struct av_view *v = &a->v;
    const cJSON *as = json_get(view, "as"), *id = json_get(json_get(view, "prompt"), "id");
    int64_t seq = json_int(json_get(view, "seq"), 0);
    int64_t stage = v->turn * 2 + (v->side == AV_FRENCH ? 1 : 0); /* a player turn */
    face->view = view;
    face->state = v->state;
    face->over = v->state == AV_OVER;
    face->player = v->player;
    face->to_act = v->to_act;
    snprintf(face->seat, sizeof face->seat, "%.15s", cJSON_IsString(as) ? as->valuestring : "");
    snprintf(face->prompt, sizeof face->prompt, "%.31s", cJSON_IsString(id) ? id->valuestring : "");
    bool acted = a->read && seq != a->seq && before->to_act;
    bool rolling = v->state == AV_RESOLVE && v->to_act && v->entries > 1;
    if (acted && a->page != PAGE_ARMIES) { show(a, PAGE_MAP); } /* to see what came of it */
    if (rolling && (!a->read || seq != a->seq)) { show(a, PAGE_COMBATS); } /* which next? */
    face->closeup = rolling;
    if (!a->read || seq != a->seq) {
        memset(a->window.cost, 0, sizeof a->window.cost); /* the reach was that of before */
        follow(a, a->read ? before : NULL);
    }
    if (v->state != AV_DECLARE || !v->to_act || stage != face->stage) { a->draft.entries = 0; }
    face->stage = stage;
    a->seq = seq;
    a->read = true;
    mark_draft(a);
    free(before);
    return true;
}

static void turn_home(struct face *face)
{
    show(own(face), PAGE_MAP);
}

/* ---- sentences ---- */

static void say_events(const struct face *face, const cJSON *events, const char *viewer,
                       struct buf *out)
{
    (void)face;
    describe_events_of(out, events, "austerlitz", NULL, viewer);
}

static void say_position(const struct face *face, struct buf *out)
{
    aus_say_position(&own_const(face)->v, out);
}

/* The map in lines: the part round the middle of the window. */
static void say_map(const struct austerlitz *a, struct buf *out)
{
    struct hex_window window = a->window;
    struct canvas canvas;
    if (!canvas_init(&canvas, 79, window.far ? a->map.grid.rows + 1 : 24, false)) { return; }
    draw_hexes(&canvas, &a->v, &window);
    canvas_dump(&canvas, out);
    canvas_finish(&canvas);
}

/* The signs are those that the map is drawn with. */
static void say_legend(struct buf *out)
{
    bool ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    words_say(out, "cli.austerlitz.ui.legend", "wood", ascii ? "Y" : "♣", "marsh",
              ascii ? "," : "\"", "stream", ascii ? "~" : "≈", "road", ascii ? "- |" : "─ │", NULL);
}

static void say_page(const struct face *face, struct buf *out)
{
    const struct austerlitz *a = own_const(face);
    switch (a->page) {
    case PAGE_MAP: say_map(a, out); break;
    case PAGE_COMBATS: aus_say_combats(&a->v, &a->draft, out); break;
    case PAGE_ARMIES: aus_say_armies(&a->v, false, out); break;
    case PAGE_LEGEND: say_legend(out); break;
    case PAGE_FORMS: aus_say_forms(&a->v, out); break;
    }
}

static void say_prompt(const struct face *face, struct buf *out)
{
    aus_say_prompt(&own_const(face)->v, &own_const(face)->draft, out);
}

static void say_head(const struct face *face, struct buf *out)
{
    aus_say_head(&own_const(face)->v, out);
}

/* ---- pictures ---- */

static void draw_text(struct austerlitz *a, struct canvas *canvas)
{
    struct buf text;
    buf_init(&text, PAGE_BYTES);
    if (a->page == PAGE_ARMIES) {
        aus_say_armies(&a->v, true, &text);
    } else {
        say_page(&a->face, &text);
    }
    char *copy = strdup(buf_str(&text));
    int y = 0, skip = a->scrolled;
    bool more = false;
    for (char *save = NULL, *at = copy == NULL ? NULL : strtok_r(copy, "\n", &save); at != NULL;
         at = strtok_r(NULL, "\n", &save)) {
        if (skip-- <= 0) { y = canvas_wrapped(canvas, y, STYLE_PLAIN, at); }
        more = y >= canvas->h;
    }
    if (more) {
        const char *hint = face_text(&a->face, "cli.ui.scroll");
        int w = words_width(hint);
        canvas_text(canvas, canvas->w - w, canvas->h - 1, w, STYLE_ALERT, hint);
    }
    free(copy);
    buf_finish(&text);
}

static void draw(struct face *face, struct canvas *canvas)
{
    struct austerlitz *a = own(face);
    if (a->page == PAGE_MAP) {
        draw_hexes(canvas, &a->v, &a->window);
    } else {
        draw_text(a, canvas);
    }
}

static bool scroll_map(struct face *face, int right, int down)
{
    struct austerlitz *a = own(face);
    if (a->page == PAGE_MAP) { /* kept within the map when it is drawn */
        a->window.column += right * (a->window.far ? 8 : 2);
        a->window.row += down * (a->window.far ? 8 : 2);
    } else {
        a->scrolled += down * 4;
        if (a->scrolled < 0) { a->scrolled = 0; }
    }
    return true;
}

/* ---- words ---- */

/* The middle of what the window shows of the map. */
static unsigned middle_of_window(const struct austerlitz *a)
{
    const struct hex_grid *grid = &a->map.grid;
    if (a->window.centre != HEX_NONE) { return a->window.centre; } /* it is not drawn yet */
    int columns = (int)grid->columns - a->window.column + 1,
        rows = (int)grid->rows - a->window.row + 1;
    if (columns > a->window.columns) { columns = a->window.columns; }
    if (rows > a->window.rows) { rows = a->window.rows; }
    unsigned hex = hex_at(grid, a->window.column + columns / 2, a->window.row + rows / 2);
    return hex == HEX_NONE ? middle_of(&a->v) : hex;
}

/* The map from far, or from near: there where it was seen from near before, unless the map from far
 * has been moved away from it. */
static void show_far(struct austerlitz *a, bool far)
{
    unsigned middle = middle_of_window(a);
    if (far && !a->window.far) { a->near = middle; }
    if (!far && a->window.far) {
        int row = (int)hex_row(&a->map.grid, a->near);
        if (row >= a->window.row && row < a->window.row + a->window.rows) { middle = a->near; }
    }
    a->window.far = far;
    a->window.centre = middle;
}

static enum face_heard hear_map(struct austerlitz *a, const char *rest, struct buf *out)
{
    static const char *const ways[] = {"west", "east", "north", "south"};
    static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    show(a, PAGE_MAP);
    for (int i = 0; i < 4; i++) {
        if (strcasecmp(rest, ways[i]) != 0) { continue; }
        a->window.column += steps[i][0] * (a->window.columns - 1);
        a->window.row += steps[i][1] * (a->window.rows - 1);
        return FACE_TURNED;
    }
    if (strcasecmp(rest, "all") == 0 || strcasecmp(rest, "near") == 0) {
        show_far(a, rest[0] == 'a' || rest[0] == 'A');
        return FACE_TURNED;
    }
    if (rest[0] == '\0') { return FACE_TURNED; }
    unsigned hex = av_find_hex(&a->v, rest);
    if (hex == HEX_NONE) {
        words_say(out, "cli.austerlitz.order.no_hex", "word", rest, NULL);
        return FACE_REFUSED;
    }
    a->window.far = false;
    a->window.centre = hex;
    return FACE_TURNED;
}

static enum face_heard hear_hex(struct austerlitz *a, const char *rest, struct buf *out)
{
    unsigned hex = av_find_hex(&a->v, rest);
    if (hex == HEX_NONE) {
        words_say(out, "cli.austerlitz.order.no_hex", "word", rest, NULL);
        return FACE_REFUSED;
    }
    aus_say_place(&a->v, hex, out);
    if (!hex_window_shows(&a->map, &a->window, hex)) { a->window.centre = hex; }
    return FACE_SAID;
}

/* ---- the draft ---- */

static enum face_heard hear_declaring(struct austerlitz *a, const char *word, const char *rest,
                                      struct buf *out)
{
    bool piece = strcasecmp(word, "attack") == 0 || strcasecmp(word, "bombard") == 0 ||
                 strcasecmp(word, "ice") == 0;
    bool commit = strcasecmp(word, "declare") == 0 || strcasecmp(word, "end") == 0;
    /* Several at once are a whole plan, which goes as it is. */
    if (piece && strstr(rest, " and ") == NULL && strchr(rest, ';') == NULL) {
        char text[2048];
        snprintf(text, sizeof text, "%s %s", word, rest);
        bool good = aus_draft_add(&a->face, &a->v, &a->draft, text, out);
        mark_draft(a);
        return good ? FACE_QUESTION : FACE_REFUSED;
    }
    if (strcasecmp(word, "drop") == 0) {
        bool good = aus_draft_drop(&a->v, &a->draft, rest, out);
        mark_draft(a);
        return good ? FACE_SAID : FACE_REFUSED;
    }
    if (commit && rest[0] == '\0') {
        aus_write_declare(&a->v, &a->draft, out);
        return FACE_ACTION;
    }
    return FACE_NOT_ITS;
}

static enum face_heard hear_question(struct austerlitz *a, const char *word, const char *rest,
                                     struct buf *out)
{
    char text[2048];
    struct buf why;
    buf_init(&why, 4096);
    snprintf(text, sizeof text, "%s %s", word, rest);
    bool good = aus_question(&a->face, &a->v, text, out, &why);
    if (!good) {
        buf_reset(out);
        buf_append_str(out, buf_str(&why));
    }
    buf_finish(&why);
    return good ? FACE_QUESTION : FACE_REFUSED;
}

static enum face_heard hear(struct face *face, const char *word, const char *rest, struct buf *out)
{
    static const struct {
        const char *word;
        enum page page;
    } pages[] = {{"combats", PAGE_COMBATS},
                 {"armies", PAGE_ARMIES},
                 {"legend", PAGE_LEGEND},
                 {"forms", PAGE_FORMS}};
    struct austerlitz *a = own(face);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (strcasecmp(word, pages[i].word) != 0) { continue; }
        show(a, pages[i].page);
        return FACE_TURNED;
    }
    if (strcasecmp(word, "map") == 0) { return hear_map(a, rest, out); }
    if (strcasecmp(word, "hex") == 0) { return hear_hex(a, rest, out); }
    if (aus_is_question(word)) { return hear_question(a, word, rest, out); }
    if (a->v.state == AV_DECLARE && a->v.to_act) { return hear_declaring(a, word, rest, out); }
    return FACE_NOT_ITS;
}

static bool order(const struct face *face, const char *text, struct buf *out_action,
                  struct buf *out_why)
{
    return aus_order(face, &own_const(face)->v, text, out_action, out_why);
}

static void choices(const struct face *face, face_add_fn *add, void *ctx)
{
    aus_choices(&own_const(face)->v, &own_const(face)->draft, add, ctx);
}

static size_t complete(const struct face *face, const char *text, struct buf *out_words)
{
    return aus_complete(face, &own_const(face)->v, text, out_words);
}

static bool staff(const struct face *face, struct bot_mind *mind, struct buf *out_action)
{
    static const struct board none;
    return bot_austerlitz_act(&none, face->view, 0, mind, out_action);
}

/* ---- questions ---- */

static bool question(const struct face *face, const char *text, struct buf *out_question,
                     struct buf *out_why)
{
    return aus_question(face, &own_const(face)->v, text, out_question, out_why);
}

static void mark_reach(struct austerlitz *a, const cJSON *asked, const cJSON *answer)
{
    const cJSON *hex = NULL, *unit = json_get(asked, "unit");
    memset(a->window.cost, 0, sizeof a->window.cost);
    cJSON_ArrayForEach(hex, json_get(answer, "hexes"))
    {
        unsigned at = hex_parse(&a->map.grid, av_key(hex));
        if (at != HEX_NONE) { a->window.cost[at] = (int8_t)json_int(hex, 0); }
    }
    int from = cJSON_IsString(unit) ? av_find(&a->v, unit->valuestring) : AV_NONE;
    if (from != AV_NONE) { a->window.centre = a->v.unit[from].hex; }
    a->window.far = false;
    show(a, PAGE_MAP);
}

static void answered(struct face *face, const cJSON *asked, const cJSON *answer, const cJSON *error,
                     struct buf *out)
{
    struct austerlitz *a = own(face);
    const cJSON *ask = json_get(asked, "ask");
    const char *kind = cJSON_IsString(ask) ? ask->valuestring : "";
    bool refused = strcmp(kind, "ice_shot") == 0 && cJSON_IsFalse(json_get(answer, "legal"));
    if (a->v.state == AV_DECLARE && (error != NULL || refused)) {
        aus_draft_take_back(&a->v, &a->draft, asked);
        mark_draft(a);
    }
    if (error != NULL) {
        words_refusal(out, error, "austerlitz");
        return;
    }
    if (strcmp(kind, "reach") == 0) { mark_reach(a, asked, answer); }
    aus_answer(&a->v, asked, answer, out);
}

/* ---- drafts of the server ---- */

static bool draft(const struct face *face, struct buf *out_actions)
{
    const struct austerlitz *a = own_const(face);
    if (a->draft.entries > 0) { aus_write_declare(&a->v, &a->draft, out_actions); }
    return a->v.state == AV_DECLARE && a->v.to_act;
}

static bool take_draft(struct face *face, const cJSON *actions)
{
    struct austerlitz *a = own(face);
    if (!aus_draft_read(&a->v, actions, &a->draft)) { return false; }
    mark_draft(a);
    return true;
}

const struct face_game face_austerlitz = {
    .name = "austerlitz",
    .texts = "cli.austerlitz.%s",
    .words = aus_order_words,
    .page_map = "map",
    .page_closeup = "combats",
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
    .scroll_map = scroll_map,
    .turn_home = turn_home,
    .hear = hear,
    .order = order,
    .choices = choices,
    .complete = complete,
    .staff = staff,
    .question = question,
    .answered = answered,
    .draft = draft,
    .take_draft = take_draft,
    .draft_with = aus_draft_with,
};
