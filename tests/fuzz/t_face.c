/* tests/fuzz/t_face.c: what the terminal makes of a game that a hostile server sends. An input is
 * {"board","view","next","orders","asked","answer","error"}, each of which may be missing: a board
 * as fetched, a view with its forms and the one after it, what is typed, a question and what comes
 * back. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/bots/bot.h"
#include "client-cli/face/canvas.h"
#include "client-cli/face/face.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/game.h"

enum { ORDERS_MAX = 40 };

static cJSON *good_board;
static struct buf out, why;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    size_t n = 0;
    (void)argc;
    (void)argv;
    (void)setlocale(LC_CTYPE, "C.UTF-8");
    char *text = seeds_file(FUZZ_BOARD, &n);
    FUZZ_MUST(text != NULL && json_parse(text, n, &good_board) == ERR_OK, FUZZ_BOARD);
    free(text);
    buf_init(&out, 8 << 20);
    buf_init(&why, 1 << 20);
    game_open(1, 40);
    return 0;
}

static void count(void *ctx, const char *order)
{
    unsigned *seen = ctx;
    (*seen)++;
    fuzz_feature_text(3, order);
}

static void draw(struct face *face, int w, int h, bool ascii)
{
    struct canvas canvas;
    FUZZ_MUST(canvas_init(&canvas, w, h, ascii), "memory");
    face->game->draw(face, &canvas);
    if (face->game->scroll_map != NULL) {
        (void)face->game->scroll_map(face, 100, -3);
        face->game->draw(face, &canvas);
    }
    buf_reset(&out);
    canvas_dump(&canvas, &out);
    canvas_finish(&canvas);
}

static void show(struct face *face)
{
    static const char *const pages[] = {"map", "combats", "armies", "forms"};
    struct bot_mind mind = {0};
    unsigned seen = 0;
    fuzz_feature(200U + face->state);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        buf_reset(&out);
        (void)face->game->hear(face, pages[i], i == 3 ? "all" : "", &out);
        draw(face, 80, 14, i % 2 == 0);
    }
    (void)face->game->hear(face, "map", "all", &out);
    draw(face, 200, 60, false);
    buf_reset(&out);
    face_say_view(face, &out);
    face->game->say_head(face, &out);
    face->game->choices(face, count, &seen);
    if (face->to_act) {
        buf_reset(&out);
        (void)face->game->staff(face, &mind, &out);
    }
}

/* A word is heard by the client, or it is an order, which is JSON or refused with a sentence. */
static void type(struct face *face, const char *text)
{
    char word[64];
    size_t w = strcspn(text, " ");
    buf_reset(&out);
    FUZZ_MUST(face->game->complete(face, text, &out) <= strlen(text), text);
    if (w >= sizeof word) { return; }
    memcpy(word, text, w);
    word[w] = '\0';
    buf_reset(&out);
    enum face_heard heard = face->game->hear(face, word, text + w + strspn(text + w, " "), &out);
    bool json = heard == FACE_ACTION || heard == FACE_QUESTION;
    if (heard == FACE_NOT_ITS) {
        buf_reset(&out);
        buf_reset(&why);
        json = face->game->order(face, text, &out, &why);
        FUZZ_MUST(json || why.len > 0, text);
    }
    if (json) {
        cJSON *action = NULL;
        FUZZ_MUST(out.failed || json_parse(buf_str(&out), out.len, &action) == ERR_OK,
                  buf_str(&out));
        cJSON_Delete(action);
        fuzz_feature(20);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const languages[] = {"en", "fr", "ja", "ru", "zh"};
    cJSON *json = NULL;
    const cJSON *order = NULL;
    unsigned typed = 0;
    if (json_parse((const char *)data, size, &json) != ERR_OK) { return 0; }
    FUZZ_MUST(words_set_language(languages[size % 5]), languages[size % 5]);
    const cJSON *board = json_get(json, "board");
    struct face *face = face_create(FUZZ_GAME, board != NULL ? board : good_board);
    if (face == NULL) { face = face_create(FUZZ_GAME, NULL); } /* without one it tells events */
    FUZZ_MUST(face != NULL, "memory");
    buf_reset(&out);
    face_say_events(face, json_get(json, "events"), "FR", &out);
    const cJSON *views[2] = {json_get(json, "view"), json_get(json, "next")};
    for (size_t i = 0; i < 2; i++) {
        if (views[i] == NULL || !face->game->read(face, views[i])) { continue; }
        show(face);
        cJSON_ArrayForEach(order, json_get(json, "orders"))
        {
            if (cJSON_IsString(order)) { type(face, order->valuestring); }
            if (++typed == ORDERS_MAX) { break; }
        }
        if (face->game->answered == NULL) { continue; }
        buf_reset(&out);
        face->game->answered(face, json_get(json, "asked"), json_get(json, "answer"),
                             json_get(json, "error"), &out);
        fuzz_feature_text(2, buf_str(&out));
    }
    face_destroy(face);
    cJSON_Delete(json);
    return 0;
}

/* --- seeds
 * ---------------------------------------------------------------------------------------- */

static void write_view(const struct game *game, const struct fuzz_state *from, unsigned viewer,
                       struct buf *text)
{
    static const char *const codes[] = {"FR", "AL", "public"};
    jw_object_begin(text);
    jw_key_str(text, "as", codes[viewer]);
    jw_key_int(text, "seq", (int64_t)(from - fuzz_states));
    game->view(from->state, viewer < 2 ? viewer : VIEWER_PUBLIC, text);
    if (viewer < 2) {
        jw_key(text, "actions");
        game->actions(from->state, viewer, text);
    }
    jw_object_end(text);
}

static const char orders[] =
    "[\"move 104 2318\",\"move D1 2318\",\"move 104 2217 2318\",\"exit 203 west\",\"vienna K2\","
    "\"demolish BR06\",\"attack 104 204 on 2319 with A04\",\"attack D1 on 1822\",\"bombard A04 on "
    "2419\",\"ice DA 2026\",\"drop 1\",\"drop all\",\"declare\",\"resolve\",\"lose 104\",\"retreat "
    "2319 2419 2519\",\"battery A04 stay\",\"advance 204 2319\",\"hold\",\"end\",\"hex telnitz\","
    "\"odds 104 on 2319\",\"reach 104\",\"way D1 2217\",\"range A04 2419\",\"row 3 4\",\"map "
    "104\"]";
static const char *const answers[] = {
    "{\"ask\":\"reach\",\"unit\":\"104\"},\"answer\":{\"hexes\":{\"2217\":2,\"2318\":3},\"exits\":"
    "{\"west\":{\"0128\":{\"cost\":1,\"box\":\"eliminated\"}}}}",
    "{\"ask\":\"odds\",\"contact\":[\"104\"],\"defenders\":[\"2319\"]},\"answer\":{\"no_die\":[],"
    "\"modifier\":-1}",
    "{\"ask\":\"odds\",\"contact\":[\"104\"],\"defenders\":[\"D1\"]},\"answer\":{\"no_die\":"
    "[\"DA\"],\"modifier\":-1,\"attack\":9,\"defence\":4,\"odds\":\"2:1\",\"row\":\"3:1\"}",
    "{\"ask\":\"move\",\"unit\":\"104\",\"path\":[\"2217\"]},\"answer\":{\"legal\":true,\"cost\":"
    "2,\"movement_points\":6,\"step_costs\":[2]}",
    "{\"ask\":\"retreats\",\"unit\":\"P1\"},\"answer\":{\"hexes\":{\"2419\":{\"2519\":{}}}}",
    "{\"ask\":\"obligations\",\"side\":\"french\"},\"answer\":{\"pairs\":{\"2218\":[\"2319\"]}}",
    "{\"ask\":\"bombard\",\"unit\":\"A04\",\"hex\":\"2419\"},\"answer\":{\"legal\":false,"
    "\"distance\":2,\"rule\":\"8.5\"}",
};

void fuzz_seeds(fuzz_add_fn *add)
{
    const struct game *game = game_find(FUZZ_GAME);
    struct buf text;
    buf_init(&text, 4 << 20);
    for (unsigned i = 0; i + 1 < fuzz_state_count; i++) {
        cJSON *json = NULL;
        buf_reset(&text);
        buf_append_str(&text, "{\"view\":");
        write_view(game, &fuzz_states[i], i % 3, &text);
        buf_append_str(&text, ",\"next\":");
        write_view(game, &fuzz_states[i + 1], i % 3, &text);
        buf_append_str(&text, ",\"orders\":");
        buf_append_str(&text, orders);
        buf_append_str(&text, ",\"asked\":");
        buf_append_str(&text, answers[i % (sizeof answers / sizeof answers[0])]);
        buf_append_str(&text, "}");
        FUZZ_MUST(json_parse(buf_str(&text), text.len, &json) == ERR_OK, buf_str(&text));
        cJSON_Delete(json);
        add(buf_str(&text), text.len);
    }
    buf_finish(&text);
}
