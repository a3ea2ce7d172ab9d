/* client-cli/commands/watch.c: `vedette watch`: a match line by line, until it ends or the reader
 * goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/cli.h"
#include "client-cli/commands/commands.h"
#include "client-cli/net/session.h"
#include "client-cli/records/proof.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

enum { BACKLOG = 10 };
struct watcher {
    struct cli *cli;
    struct session *session;
    struct face *face; /* NULL: of a game that this program does not know */
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
    face_say_events(w->face, events, session_seat(w->session), &text);
    cli_print_lines(buf_str(&text));
    fflush(stdout);
    buf_finish(&text);
}

static void on_view(void *ctx)
{
    struct watcher *w = ctx;
    const cJSON *view = session_view(w->session);
    if (w->cli->opt.json) { cli_print_json(view); }
    if (w->face != NULL && w->face->game->read(w->face, view)) {
        w->over = w->face->over;
    } else { /* of a game that this program does not know */
        const char *state = cli_text_of(view, "state", "");
        w->over = strcmp(state, "OVER") == 0 || strcmp(state, "GAME_OVER") == 0;
    }
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
    cli_complain(text);
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
        cli_complain(buf_str(&text));
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
    cJSON *error = NULL;
    w.face = face_of_match(cli->conn, cli->args[0], &error);
    cJSON_Delete(error); /* who may not look is told when the watch begins */
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
    face_destroy(w.face);
    receipts_keep(cli, cli->args[0], cli->opt.as);
    cli_close(cli);
    return w.status;
}
