/* tests/fuzz/t_client.c: what the terminal client makes of what a hostile server sends. An input is
 * {"board","view","events","error","orders","pushes","url"}, each of which may be missing: a board
 * as fetched, a view with its forms, events, a refusal; orders typed at that view; pushes
 * {"method","params"} and answers
 * {"result"} or {"error"} to what the session asks. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/bots/bot.h"
#include "client-cli/net/session.h"
#include "client-cli/net/url.h"
#include "client-cli/waterloo/describe_view.h"
#include "client-cli/waterloo/draw.h"
#include "client-cli/waterloo/orders.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/board.h"
#include "common/words/words.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/game.h"

enum { CALLS_MAX = 64, ORDERS_MAX = 16, PUSHES_MAX = 32 };

static struct board good_board, board;
static struct wv wv;
static struct buf out, why;
static struct canvas canvas;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    size_t n = 0;
    (void)argc;
    (void)argv;
    (void)setlocale(LC_CTYPE, "C.UTF-8");
    char *text = seeds_file(FUZZ_BOARD, &n);
    FUZZ_MUST(text != NULL, FUZZ_BOARD);
    cJSON *json = NULL;
    FUZZ_MUST(json_parse(text, n, &json) == ERR_OK && board_read(json, &good_board), "the board");
    cJSON_Delete(json);
    free(text);
    buf_init(&out, 8 << 20);
    buf_init(&why, 1 << 20);
    FUZZ_MUST(canvas_init(&canvas, 120, 50, false), "memory");
    game_open(1, 12);
    return 0;
}

/* --- in place of conn.c: calls are kept until they are answered from the input
 * -------------------- */

static struct {
    conn_reply_fn *reply;
    void *ctx;
} calls[CALLS_MAX];
static unsigned call_count;

void conn_call(struct conn *conn, const char *method, const char *params, conn_reply_fn *reply,
               void *ctx)
{
    (void)conn;
    cJSON *json = NULL;
    FUZZ_MUST(json_parse(params, strlen(params), &json) == ERR_OK, params);
    cJSON_Delete(json);
    fuzz_feature_text(1, method);
    if (call_count == CALLS_MAX) {
        reply(ctx, NULL, NULL);
        return;
    }
    calls[call_count].reply = reply;
    calls[call_count++].ctx = ctx;
}

void conn_write_action_id(struct buf *params)
{
    jw_key_str(params, "action_id", "0123456789abcdef");
}

static void answer(const cJSON *result, const cJSON *error)
{
    if (call_count == 0) { return; }
    call_count--;
    calls[call_count].reply(calls[call_count].ctx, result, error);
}

/* --- reading and showing
 * -------------------------------------------------------------------------- */

static void show_pictures(void)
{
    struct layout layout;
    canvas_clear(&canvas);
    if (layout_make(&board, canvas.w, canvas.h, &layout)) { draw_map(&canvas, &wv, &layout); }
    for (int i = 0; i < wv.battles; i++) {
        draw_battle(&canvas, &wv, &wv.battle[i]);
        describe_battle(&out, &wv, &wv.battle[i]);
    }
    draw_armies(&canvas, &wv);
    buf_reset(&out);
    canvas_dump(&canvas, &out);
}

static void decide(const cJSON *view)
{
    int places[WV_UNITS_MAX];
    struct bot_mind mind = {.phase = 0};
    bot_random_seed(&mind.random, 5);
    buf_reset(&out);
    if (bot_random_act(&board, view, 0, &mind, &out)) { fuzz_feature(11); }
    for (unsigned attempt = 0; attempt < 2; attempt++) {
        buf_reset(&out);
        if (bot_waterloo_act(&board, view, attempt, &mind, &out)) {
            cJSON *action = game_json(buf_str(&out), out.len);
            if (action != NULL) { fuzz_feature(12); }
            cJSON_Delete(action);
        }
    }
    buf_reset(&out);
    if (bot_austerlitz_act(&board, view, 0, &mind, &out)) { fuzz_feature(13); }
    setup_propose(&wv, places);
    for (int i = 0; i < wv.battles; i++) {
        deploy_propose(&wv, wv.battle[i].town, wv.battle[i].we_attack, places);
        buf_reset(&out);
        deploy_write(&wv, wv.battle[i].town, places, &out);
    }
}

static void show_view(const cJSON *view)
{
    buf_reset(&out);
    describe_slot(&out, view);
    describe_view(&out, view, &board);
    if (!wv_read(&board, view, &wv)) { return; }
    fuzz_feature(100U + (unsigned)wv.state);
    buf_reset(&out);
    describe_prompt(&out, &wv);
    show_pictures();
    decide(view);
}

static void type_order(const cJSON *view, const char *text)
{
    buf_reset(&out);
    buf_reset(&why);
    if (orders_parse(&board, view, text, &out, &why)) {
        cJSON *action = NULL;
        FUZZ_MUST(out.failed || json_parse(buf_str(&out), out.len, &action) == ERR_OK,
                  buf_str(&out));
        cJSON_Delete(action);
        fuzz_feature(20);
    } else {
        FUZZ_MUST(why.len > 0, text);
    }
    if (wv_read(&board, view, &wv)) {
        buf_reset(&out);
        FUZZ_MUST(orders_complete(&wv, text, &out) <= strlen(text), text);
    }
}

/* --- the session
 * ---------------------------------------------------------------------------------- */

static void on_events(void *ctx, const cJSON *events, bool fresh)
{
    (void)ctx;
    (void)fresh;
    buf_reset(&out);
    describe_events(&out, events, &board);
}

static void on_view(void *ctx)
{
    const struct session *const *session = ctx;
    if (*session != NULL && session_view(*session) != NULL) { show_view(session_view(*session)); }
}

static void on_error(void *ctx, const cJSON *error)
{
    (void)ctx;
    buf_reset(&out);
    words_error(&out, error);
}

static void follow(const cJSON *pushes)
{
    static struct session *session;
    const struct session_events events = {
        .ctx = &session, .on_view = on_view, .on_events = on_events, .on_acted = on_error};
    unsigned count = 0;
    const cJSON *push = NULL;
    session = session_create(NULL, NULL, "abcdefghij", NULL, &events);
    FUZZ_MUST(session != NULL, "memory");
    session_set_backlog(session, 5);
    session_watch(session);
    cJSON_ArrayForEach(push, pushes)
    {
        const cJSON *method = json_get(push, "method"), *params = json_get(push, "params");
        if (cJSON_IsString(method)) {
            (void)session_push(session, method->valuestring, params);
        } else {
            answer(json_get(push, "result"), json_get(push, "error"));
        }
        if (count % 5 == 0) { (void)session_act(session, "{\"do\":\"end_movement\"}"); }
        if (++count == PUSHES_MAX) { break; }
    }
    session_destroy(session);
    session = NULL;
    while (call_count > 0) {
        answer(NULL, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *json = NULL;
    static const char *const languages[] = {"en", "fr", "ja", "ru", "zh"};
    static const char *const viewers[] = {"FR", "AL", "AD", "PR", "all"};
    if (json_parse((const char *)data, size, &json) != ERR_OK) { return 0; }
    FUZZ_MUST(words_set_language(languages[size % 5]), languages[size % 5]);
    const cJSON *given = json_get(json, "board"), *view = json_get(json, "view"), *order = NULL;
    board = good_board;
    if (given != NULL && !board_read(given, &board)) { memset(&board, 0, sizeof board); }
    fuzz_feature(board.towns);
    if (view != NULL) { show_view(view); }
    unsigned count = 0;
    cJSON_ArrayForEach(order, json_get(json, "orders"))
    {
        if (view != NULL && cJSON_IsString(order)) { type_order(view, order->valuestring); }
        if (++count == ORDERS_MAX) { break; }
    }
    buf_reset(&out);
    describe_events_to(&out, json_get(json, "events"), &board, viewers[size / 5 % 5]);
    buf_reset(&out);
    words_error(&out, json_get(json, "error"));
    fuzz_feature_text(2, buf_str(&out));
    if (json_get(json, "pushes") != NULL) { follow(json_get(json, "pushes")); }
    const cJSON *address = json_get(json, "url");
    struct url url;
    if (cJSON_IsString(address) && url_parse(address->valuestring, &url)) { fuzz_feature(30); }
    cJSON_Delete(json);
    return 0;
}

/* --- seeds
 * ---------------------------------------------------------------------------------------- */

static void write_view(const struct game *game, const struct fuzz_state *from, unsigned viewer,
                       const char *code, int seq, struct buf *text)
{
    static const char events[] = "[{\"ev\":\"turn\",\"slot\":2,\"side\":\"AL\",\"night\":false}]";
    jw_object_begin(text);
    jw_key_str(text, "match", "abcdefghij");
    jw_key_str(text, "as", code);
    jw_key_int(text, "seq", seq);
    game->view(from->state, viewer, text);
    if (viewer < from->seats) {
        jw_key(text, "actions");
        game->actions(from->state, viewer, text);
    }
    jw_key_raw(text, "events", events, sizeof events - 1);
    jw_object_end(text);
}

static const char orders[] = "[\"march FR-A FR-B beaumont charleroi\",\"fire FR-N "
                             "AD-A\",\"end\",\"help\",\"place FR-A beaumont\","
                             "\"deploy auto\",\"respond hal fight\",\"retreat FR-A mons\",\"end "
                             "pursue none hal\",\"set-up\",\"confirm\",\"ma\","
                             "\"march \",\"reinforce FR-A\",\"allot FR-A 1\",\"remove FR-A\"]";
static const char more[] =
    "{\"url\":\"https://[::1]:1815/"
    "vedette\",\"error\":{\"code\":-32010,\"message\":\"No.\",\"data\":{\"kind\":"
    "\"illegal_action\",\"rule\":\"W4.4\",\"member\":\"path\",\"retry_after_ms\":5}},\"events\":["
    "{\"ev\":\"turn\",\"slot\":2,\"side\":\"AL\",\"night\":false},{\"ev\":\"march\",\"units\":{"
    "\"FR\":2},\"from\":\"mons\","
    "\"path\":[\"soignies\",\"hal\"]},{\"ev\":\"eliminated\",\"unit\":\"FR-A\",\"type\":"
    "\"infantry\",\"why\":\"fire\","
    "\"town\":\"ligny\"},{\"ev\":\"surrendered\",\"nation\":\"PR\",\"left\":3},{\"ev\":\"supply_"
    "due\",\"debt\":{\"AD\":1}},"
    "{\"ev\":\"game_over\",\"winner\":\"FR\",\"why\":\"time\"},{\"ev\":\"fire\",\"battle\":"
    "\"ligny\",\"unit\":\"FR-N\","
    "\"target\":\"AD-A\",\"dice\":[1,6],\"hits\":1}]}";

/* A seed that is no JSON would reach nothing. */
static void add_json(fuzz_add_fn *add, const struct buf *text)
{
    cJSON *json = NULL;
    FUZZ_MUST(json_parse(buf_str(text), text->len, &json) == ERR_OK, buf_str(text));
    cJSON_Delete(json);
    add(buf_str(text), text->len);
}

void fuzz_seeds(fuzz_add_fn *add)
{
    const struct game *game = game_find("waterloo");
    struct buf text;
    size_t n = 0;
    buf_init(&text, 4 << 20);
    add(more, sizeof more - 1);
    char *file = seeds_file(FUZZ_BOARD, &n);
    buf_append_str(&text, "{\"board\":");
    buf_append(&text, file, n);
    buf_append_str(&text, "}");
    add_json(add, &text);
    free(file);
    for (unsigned i = 0; i < fuzz_state_count; i++) {
        const struct fuzz_state *from = &fuzz_states[i];
        static const char *const two[] = {"FR", "AL"}, *const three[] = {"FR", "AD", "PR"};
        const unsigned seat = i % from->seats;
        const char *code = from->seats == 2 ? two[seat] : three[seat];
        buf_reset(&text);
        buf_append_str(&text, "{\"view\":");
        write_view(game, from, seat, code, 3, &text);
        buf_append_str(&text, ",\"orders\":");
        buf_append_str(&text, orders);
        buf_append_str(&text, "}");
        add_json(add, &text);
        if (i % 8 != 0) { continue; }
        buf_reset(&text);
        buf_append_str(&text, "{\"pushes\":[{\"method\":\"match.view\",\"params\":{\"match\":"
                              "\"abcdefghij\",\"view\":");
        write_view(game, from, seat, code, 3, &text);
        buf_append_str(&text, "}},{\"result\":{\"seq\":3}},{\"result\":{\"steps\":[{\"seq\":1,"
                              "\"events\":[]},{\"seq\":2,"
                              "\"events\":[]}]}},{\"method\":\"match.delta\",\"params\":{\"match\":"
                              "\"abcdefghij\",\"from\":3,"
                              "\"patch\":{\"seq\":4,\"prompt\":null}}},{\"method\":\"match.said\","
                              "\"params\":{\"match\":"
                              "\"abcdefghij\",\"message\":{\"from\":\"FR\",\"text\":\"no\"}}},{"
                              "\"error\":{\"code\":-32000,"
                              "\"message\":\"no\",\"data\":{\"kind\":\"stale_state\"}}},{"
                              "\"method\":\"server.closing\","
                              "\"params\":{}}]}");
        add_json(add, &text);
    }
    buf_finish(&text);
}
