/* client-cli/watch.c: `vedette watch`: a match line by line, until it ends or the reader goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/cli.h"
#include "client-cli/describe_view.h"
#include "client-cli/proof.h"
#include "client-cli/session.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

enum { BACKLOG = 10 };
struct watcher {
    struct cli *cli;
    struct session *session;
    struct board board;
    bool over, failed;
    enum status status;
};

static void on_events(void *ctx, const cJSON *events, bool fresh)
{
    struct watcher *w = ctx;
    (void)fresh;
    if (w->cli->opt.json) { return; }
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    describe_events_to(&text, events, &w->board, session_seat(w->session));
    fputs(buf_str(&text), stdout);
    fflush(stdout);
    buf_finish(&text);
}

static void on_view(void *ctx)
{
    struct watcher *w = ctx;
    const cJSON *view = session_view(w->session);
    const cJSON *state = json_get(view, "state");
    if (w->cli->opt.json) { cli_print_json(view); }
    if (cJSON_IsString(state) && strcmp(state->valuestring, "GAME_OVER") == 0) { w->over = true; }
}

static void on_said(void *ctx, const char *who, const char *text)
{
    struct watcher *w = ctx;
    if (w->cli->opt.json) { return; }
    cli_print_text(stdout, who);
    fputs(": ", stdout);
    cli_print_text(stdout, text);
    putchar('\n');
    fflush(stdout);
}

static void on_failed(void *ctx, const cJSON *error)
{
    struct watcher *w = ctx;
    w->failed = true;
    w->status = error == NULL ? UNREACHABLE : REFUSED;
    if (error != NULL) { cli_show_error(w->cli, error); }
}

static void on_warning(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "vedette: %s\n", text);
}

static void on_state(void *ctx, enum conn_state state, uint64_t retry_ms, const char *why)
{
    struct watcher *w = ctx;
    (void)retry_ms;
    if (state == CONN_UP && w->session != NULL) { session_watch(w->session); }
    if (state == CONN_DOWN) {
        struct buf text;
        buf_init(&text, 1024);
        words_say(&text, "cli.trying_again", "why", why, NULL);
        fprintf(stderr, "vedette: %s\n", buf_str(&text));
        buf_finish(&text);
    }
    if (state == CONN_GIVEN_UP) {
        w->failed = true;
        w->status = UNREACHABLE;
    }
}

static void on_push(void *ctx, const char *method, const cJSON *params)
{
    struct watcher *w = ctx;
    if (w->session != NULL) { session_push(w->session, method, params); }
}

enum status cli_watch(struct cli *cli)
{
    struct watcher w = {.cli = cli, .status = DONE};
    struct conn_events events = {&w, on_state, on_push};
    enum status status = cli_open(cli, &events);
    if (status != DONE) { return status; }
    conn_set_patience(cli->conn, true);
    cli_take_language(cli);
    board_fetch(cli->conn, "waterloo", &w.board);
    struct session_events told = {.ctx = &w,
                                  .on_view = on_view,
                                  .on_events = on_events,
                                  .on_said = on_said,
                                  .on_warning = on_warning,
                                  .on_failed = on_failed};
    w.session = session_create(cli->conn, &cli->keep, cli->args[0], cli->opt.as, &told);
    session_set_backlog(w.session, BACKLOG);
    if (!w.failed) { session_watch(w.session); }
    while (!w.failed && !(w.over && session_caught_up(w.session))) {
        uv_run(&cli->loop, UV_RUN_ONCE);
    }
    if (w.status == UNREACHABLE) { cli_say_unreachable(cli); }
    session_destroy(w.session);
    receipts_keep(cli, cli->args[0], cli->opt.as);
    cli_close(cli);
    return w.status;
}
