/* client-cli/play/play_plain.c: `play` as lines of text, for screen readers, pipes and slow lines.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client-cli/play/play.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

enum { INPUT_MAX = 1 << 20 };
struct plain {
    uv_poll_t poll;
    struct buf input; /* typed, not run yet */
    bool eof, polling;
    bool due;          /* the prompt is to be said again */
    bool at_prompt;    /* the cursor stands behind "> " */
    int64_t described; /* stage of the position last told in full */
};

/* Here ears may read: an arrow is said as a word (GLOSSARY, For all). */
static void say(const char *text, const char *end)
{
    static const char arrow[] = "→";
    struct buf said;
    buf_init(&said, CLI_TEXT_MAX);
    for (const char *at = NULL; (at = strstr(text, arrow)) != NULL; text = at + sizeof arrow - 1) {
        buf_append(&said, text, (size_t)(at - text));
        buf_append_str(&said, words_text("cli.arrow"));
    }
    buf_append_str(&said, text);
    buf_append_str(&said, end);
    cli_print_lines(buf_str(&said));
    buf_finish(&said);
}

static void fresh_line(struct plain *p)
{
    if (p->at_prompt) { putchar('\n'); }
    p->at_prompt = false;
}

static void on_line(struct play *play, enum tone tone, const char *text)
{
    struct plain *p = play->front_data;
    (void)tone;
    fresh_line(p);
    say(text, "\n");
    p->due = true;
}

static void on_view(struct play *play)
{
    struct plain *p = play->front_data;
    p->due = true;
}

static void on_status(struct play *play)
{
    struct plain *p = play->front_data;
    if (!play->has_view) { return; }
    fresh_line(p);
    cli_print_text(stdout, play->status);
    putchar('\n');
    p->due = true;
}

/* The position when it is our turn anew; the choices; the prompt. */
static void say_prompt(struct play *play)
{
    struct plain *p = play->front_data;
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    p->due = false;
    if (!play->has_view) {
        buf_finish(&text);
        return;
    }
    fresh_line(p);
    const struct face *face = play->face;
    if (face->to_act && face->closeup) {
        face->game->say_page(face, &text);
    } else if (face->to_act && p->described != face->stage) {
        face->game->say_position(face, &text);
    }
    face->game->say_prompt(face, &text);
    p->described = face->stage;
    if (play->due[0] != '\0') {
        buf_append_str(&text, play->due);
        buf_append_char(&text, '\n');
    }
    say(buf_str(&text), "");
    buf_finish(&text);
    for (int i = 0; i < play->choices; i++) {
        printf("  %d) ", i + 1);
        cli_print_text(stdout, play->choice[i]);
        putchar('\n');
    }
    if (face->to_act || play->over || !face->player || play->choices > 0) {
        fputs("> ", stdout);
        p->at_prompt = true;
    }
    fflush(stdout);
}

/* Takes a line off the input; false: no whole line (at the end of it the rest counts as one). */
static bool take_line(struct plain *p, char *out, size_t bytes)
{
    const char *text = buf_str(&p->input);
    const char *end = strchr(text, '\n');
    if (end == NULL && (!p->eof || p->input.len == 0)) { return false; }
    size_t n = end == NULL ? p->input.len : (size_t)(end - text);
    snprintf(out, bytes, "%.*s", (int)(n < bytes ? n : bytes - 1), text);
    size_t gone = end == NULL ? n : n + 1;
    memmove(p->input.data, p->input.data + gone, p->input.len - gone);
    buf_cut(&p->input, p->input.len - gone);
    return true;
}

static void read_input(struct plain *p)
{
    char chunk[4096];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) { return; }
    if (n > 0) {
        buf_append(&p->input, chunk, (size_t)n);
        return;
    }
    p->eof = true;
    if (p->polling) { uv_poll_stop(&p->poll); }
}

static void on_input(uv_poll_t *poll, int status, int events)
{
    (void)events;
    struct plain *p = poll->data;
    if (status < 0) {
        p->eof = true;
        uv_poll_stop(poll);
        return;
    }
    read_input(p);
}

/* One thing at a time: a line that was typed, else the prompt; nothing while an order is on its
 * way. */
static void step(struct play *play)
{
    struct plain *p = play->front_data;
    char line[4096];
    if (!play->has_view && play->waiting && p->eof) { play->quit = true; }
    if (!play->has_view || session_busy(play->session) || play->asking > 0) { return; }
    if (take_line(p, line, sizeof line)) {
        p->at_prompt = false;
        p->due = true;
        play_command(play, line);
        return;
    }
    if (p->due) { say_prompt(play); }
    if (p->eof) { play->quit = true; }
}

static const struct front plain_front = {false, on_line, on_view, on_status};

enum status play_run_plain(struct play *play)
{
    struct plain p = {.described = -1};
    struct stat st;
    play->front = &plain_front;
    play->front_data = &p;
    buf_init(&p.input, INPUT_MAX);
    if (fstat(STDIN_FILENO, &st) == 0 &&
        (S_ISREG(st.st_mode) || uv_poll_init(&play->cli->loop, &p.poll, STDIN_FILENO) != 0)) {
        while (!p.eof) {
            read_input(&p);
        }
    } else {
        p.poll.data = &p;
        p.polling = true;
        uv_poll_start(&p.poll, UV_READABLE, on_input);
    }
    session_watch(play->session);
    while (!play->quit) {
        step(play);
        if (play->quit) { break; }
        bool more = play->has_view && !session_busy(play->session) && play->asking == 0 &&
                    (p.due || p.eof || strchr(buf_str(&p.input), '\n') != NULL);
        uv_run(&play->cli->loop, more ? UV_RUN_NOWAIT : UV_RUN_ONCE);
    }
    fresh_line(&p);
    fflush(stdout);
    if (p.polling) {
        uv_poll_stop(&p.poll);
        uv_close((uv_handle_t *)&p.poll, NULL);
        uv_run(&play->cli->loop, UV_RUN_NOWAIT);
    }
    buf_finish(&p.input);
    return play->result;
}
