/* client-cli/play/play.c: `vedette play`: the match, the orders and the log behind either front. */
#include "client-cli/play/play.h"
#include "client-cli/board_fetch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "client-cli/face/clock.h"
#include "client-cli/net/witness.h"
#include "client-cli/records/proof.h"
#include "client-cli/text.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

static void send_order(struct play *play, const char *text, bool again);

/* ---- the log ---- */

static void log_one(struct play *play, enum tone tone, const char *text, size_t n)
{
    struct log_line *line = &play->log[play->log_count % PLAY_LOG_MAX];
    free(line->text);
    line->text = strndup(text, n);
    line->tone = tone;
    if (line->text != NULL) { text_clean(line->text, false); } /* others write what they like */
    play->log_count++;
    if (play->front != NULL && line->text != NULL) { play->front->on_line(play, tone, line->text); }
}

void play_log(struct play *play, enum tone tone, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        if (n > 0) { log_one(play, tone, text, n); }
        text += n;
        text += *text == '\n' ? 1 : 0;
    }
}

static void say(struct play *play, enum tone tone, const char *id)
{
    struct buf text;
    buf_init(&text, 4096);
    words_say(&text, id, NULL);
    play_log(play, tone, buf_str(&text));
    buf_finish(&text);
}

/* ---- what the match tells ---- */

static void on_events(void *ctx, const cJSON *events, bool fresh)
{
    struct play *play = ctx;
    struct buf text;
    const struct bot_kind *own = bot_kind_of_game(play->face->game->name);
    const cJSON *as = json_get(session_view(play->session), "as");
    (void)fresh;
    if (own != NULL && own->hears != NULL && cJSON_IsString(as)) { /* "staff" asks it */
        own->hears(&play->mind, as->valuestring, events, session_told(play->session) <= 1);
    }
    buf_init(&text, CLI_TEXT_MAX);
    face_say_events(play->face, events, session_seat(play->session), &text);
    play_log(play, TONE_EVENT, buf_str(&text));
    buf_finish(&text);
}

static void on_view(void *ctx)
{
    struct play *play = ctx;
    if (!play->face->game->read(play->face, session_view(play->session))) { return; }
    play->has_view = true;
    play->over = play->face->over;
    play_make_choices(play);
    play_draft_sync(play);
    play_offers_due(play);
    if (play->pending[0] != '\0' && !session_busy(play->session)) {
        char text[PLAY_ORDER_MAX];
        snprintf(text, sizeof text, "%s", play->pending);
        play->pending[0] = '\0';
        if (strcmp(play->order_prompt, play->face->prompt) == 0) { send_order(play, text, false); }
    }
    play->front->on_view(play);
}

static void on_said(void *ctx, const char *who, const char *text)
{
    struct play *play = ctx;
    struct buf line;
    buf_init(&line, CLI_TEXT_MAX);
    words_say(&line, "cli.ui.said", "who", who, "text", text, NULL);
    /* One line, whatever was written: the next one would look like an event. */
    log_one(play, TONE_TALK, buf_str(&line), line.len);
    buf_finish(&line);
}

static void on_offers(void *ctx, const cJSON *told)
{
    play_offers_told(ctx, told);
}

static void on_clock(void *ctx, const cJSON *clock)
{
    play_clock_told(ctx, clock);
}

static void on_held(void *ctx, const cJSON *held)
{
    struct buf text;
    buf_init(&text, 4096);
    clock_say_held(&text, held);
    play_log(ctx, TONE_NOTICE, buf_str(&text));
    buf_finish(&text);
}

static void on_waiting(void *ctx)
{
    struct play *play = ctx;
    play->waiting = true;
    say(play, TONE_NOTICE, "cli.ui.not_begun");
}

static void on_warning(void *ctx, const char *text)
{
    play_log(ctx, TONE_ERROR, text);
}

static void on_closing(void *ctx)
{
    say(ctx, TONE_NOTICE, "cli.ui.closing");
}

/* The match went on while the order was on its way (an ally acted): where the same is asked still,
 * it is sent again, once (PROTOCOL 4). */
static bool send_again(struct play *play, const cJSON *error)
{
    const cJSON *kind = json_get(json_get(error, "data"), "kind");
    bool stale = cJSON_IsString(kind) && strcmp(kind->valuestring, "stale_state") == 0;
    if (!stale || play->order[0] == '\0') { return false; }
    char text[PLAY_ORDER_MAX];
    snprintf(text, sizeof text, "%s", play->order);
    play->order[0] = '\0';
    if (session_seq(play->session) == play->order_seq) { /* its view is still to come */
        snprintf(play->pending, sizeof play->pending, "%s", text);
        return true;
    }
    if (strcmp(play->order_prompt, play->face->prompt) != 0) { return false; }
    send_order(play, text, false);
    return true;
}

static void on_acted(void *ctx, const cJSON *error)
{
    struct play *play = ctx;
    const cJSON *member = json_get(json_get(error, "data"), "member");
    if (error != NULL && send_again(play, error)) { return; }
    if (cJSON_IsString(member) && strcmp(member->valuestring, "channel") == 0) {
        say(play, TONE_ERROR, "cli.ui.no_ally");
    } else if (error != NULL) {
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        words_refusal(&text, error, play->face->game->name);
        play_log(play, TONE_ERROR, buf_str(&text));
        buf_finish(&text);
    }
    play->front->on_view(play);
}

static void on_failed(void *ctx, const cJSON *error)
{
    struct play *play = ctx;
    play->quit = true;
    play->result = error == NULL ? UNREACHABLE : REFUSED;
    if (error != NULL) { on_acted(play, error); }
}

static void on_push(void *ctx, const char *method, const cJSON *params)
{
    struct play *play = ctx;
    if (play->session != NULL) { session_push(play->session, method, params); }
}

static void on_state(void *ctx, enum conn_state state, uint64_t retry_ms, const char *why)
{
    struct play *play = ctx;
    struct buf text;
    play->up = state == CONN_UP;
    buf_init(&text, sizeof play->status);
    switch (state) {
    case CONN_CONNECTING: words_say(&text, "cli.ui.connecting", NULL); break;
    case CONN_UP: words_say(&text, "cli.ui.connected", NULL); break;
    case CONN_DOWN:
        words_say(&text, "cli.ui.down", "why", why, "seconds",
                  words_int((long)((retry_ms + 999) / 1000)), NULL);
        break;
    case CONN_GIVEN_UP:
        words_say(&text, "cli.ui.lost", NULL);
        play->quit = true;
        play->result = UNREACHABLE;
        break;
    }
    snprintf(play->status, sizeof play->status, "%s", buf_str(&text));
    buf_finish(&text);
    if (state == CONN_UP && play->session != NULL) { session_watch(play->session); }
    if (play->front != NULL && play->front->on_status != NULL) { play->front->on_status(play); }
}

/* ---- what the player types ---- */

static void send_action(struct play *play, const char *action)
{
    if (!session_act(play->session, action)) { say(play, TONE_ERROR, "cli.ui.busy"); }
}

static void staff_acts(struct play *play)
{
    struct buf action;
    buf_init(&action, CLI_TEXT_MAX);
    if (play->face->to_act && play->face->game->staff(play->face, &play->mind, &action)) {
        send_action(play, buf_str(&action));
    } else {
        say(play, TONE_ERROR, "cli.order.not_yours");
    }
    buf_finish(&action);
}

static void send_order(struct play *play, const char *text, bool again)
{
    snprintf(play->order, sizeof play->order, "%s", again ? text : "");
    snprintf(play->order_prompt, sizeof play->order_prompt, "%s", play->face->prompt);
    play->order_seq = session_seq(play->session);
    if (session_opening(play->session) && play->pending[0] == '\0') {
        snprintf(play->pending, sizeof play->pending, "%s", text);
        return; /* it goes with on_view */
    }
    struct buf action, why;
    buf_init(&action, CLI_TEXT_MAX);
    buf_init(&why, CLI_TEXT_MAX);
    if (text[0] == '{' || text[0] == '[') {
        send_action(play, text);
    } else if (play->face->game->order(play->face, text, &action, &why)) {
        send_action(play, buf_str(&action));
    } else {
        play_log(play, TONE_ERROR, buf_str(&why));
    }
    buf_finish(&action);
    buf_finish(&why);
}

/* The help of one word: how it is written, what it does, and more where there is more to say. */
static void help_word(struct play *play, const char *name)
{
    const struct order_word *w = face_word_find(play->face, name);
    struct buf text;
    play->topic = w;
    if (w != NULL && play->front->pictures) {
        play->picture = PICTURE_HELP;
        return;
    }
    buf_init(&text, CLI_TEXT_MAX);
    if (w == NULL) {
        words_say(&text, "cli.order.unknown", "word", name, NULL);
    } else {
        buf_append_str(&text, face_how(play->face, w));
        buf_append_str(&text, ": ");
        buf_append_str(&text, face_help(play->face, w));
        buf_append_char(&text, '\n');
        buf_append_str(&text, face_page(play->face, w));
    }
    play_log(play, w == NULL ? TONE_ERROR : TONE_NOTICE, buf_str(&text));
    buf_finish(&text);
}

static void show_help(struct play *play, const char *rest)
{
    const struct order_word *w = play->face->game->words;
    if (rest[0] != '\0') {
        help_word(play, rest);
        play->front->on_view(play);
        return;
    }
    play->topic = NULL;
    play->picture = PICTURE_HELP;
    for (; w->word != NULL && !play->front->pictures; w++) {
        char line[512];
        if (!face_word_fits(play->face, w) || face_usage(play->face, w)[0] == '\0') { continue; }
        snprintf(line, sizeof line, "  %s: %s", face_usage(play->face, w),
                 face_help(play->face, w));
        play_log(play, TONE_NOTICE, line);
    }
    play->front->on_view(play);
}

/* The page in lines where there are no pictures. */
static void show_page(struct play *play)
{
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    play->face->game->say_page(play->face, &text);
    char *save = NULL, *copy = strdup(buf_str(&text));
    for (char *at = copy == NULL ? NULL : strtok_r(copy, "\n", &save); at != NULL;
         at = strtok_r(NULL, "\n", &save)) {
        play->front->on_line(play, TONE_NOTICE, at);
    }
    free(copy);
    buf_finish(&text);
}

/* ---- questions ---- */

/* A question on its way. The play lives until the connection is closed. */
struct asked {
    struct play *play;
    cJSON *question;
};

static void on_answer(void *ctx, const cJSON *result, const cJSON *error)
{
    struct asked *asked = ctx;
    struct play *play = asked->play;
    play->asking--;
    if (play->front != NULL) {
        const cJSON *answer = json_get(result, "answer");
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        play->face->game->answered(play->face, asked->question, answer != NULL ? answer : result,
                                   error, &text);
        play_log(play, error != NULL ? TONE_ERROR : TONE_NOTICE, buf_str(&text));
        buf_finish(&text);
        play_make_choices(play);
        play_draft_sync(play);
        play->front->on_view(play);
    }
    cJSON_Delete(asked->question);
    free(asked);
}

static void send_question(struct play *play, const char *question)
{
    struct asked *asked = calloc(1, sizeof *asked);
    struct buf params;
    if (asked == NULL || json_parse(question, strlen(question), &asked->question) != ERR_OK) {
        free(asked);
        return;
    }
    asked->play = play;
    play->asking++;
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", session_match(play->session));
    if (play->cli->opt.as != NULL) { jw_key_str(&params, "as", play->cli->opt.as); }
    jw_key_raw(&params, "question", question, strlen(question));
    jw_object_end(&params);
    conn_call(play->cli->conn, "match.ask", buf_str(&params), on_answer, asked);
    buf_finish(&params);
}

/* A word to the game's part of the client. False: it is none. */
static bool run_game_word(struct play *play, const char *word, const char *rest)
{
    struct buf out;
    buf_init(&out, CLI_TEXT_MAX);
    enum face_heard heard = play->face->game->hear(play->face, word, rest, &out);
    switch (heard) {
    case FACE_NOT_ITS: break;
    case FACE_TURNED:
        play->picture = PICTURE_GAME;
        /* A part of it stands above the prompt. */
        if (!play->front->pictures && !(play->face->closeup && play->face->to_act)) {
            show_page(play);
        }
        break;
    case FACE_SAID: play_log(play, TONE_NOTICE, buf_str(&out)); break;
    case FACE_REFUSED: play_log(play, TONE_ERROR, buf_str(&out)); break;
    case FACE_QUESTION: send_question(play, buf_str(&out)); break;
    case FACE_ACTION: send_order(play, buf_str(&out), true); break;
    }
    buf_finish(&out);
    if (heard != FACE_NOT_ITS) {
        play_make_choices(play);
        play_draft_sync(play);
        play->front->on_view(play);
    }
    return heard != FACE_NOT_ITS;
}

static void show_history(struct play *play)
{
    if (play->front->pictures) {
        play->picture = PICTURE_HISTORY;
        play->front->on_view(play);
        return;
    }
    unsigned long from = play->log_count > PLAY_LOG_MAX ? play->log_count - PLAY_LOG_MAX : 0;
    unsigned long to = play->log_count;
    if (to - from > 40) { from = to - 40; }
    char *copy[40];
    int n = 0;
    for (unsigned long i = from; i < to; i++) {
        const char *text = play->log[i % PLAY_LOG_MAX].text;
        copy[n++] = strdup(text == NULL ? "" : text);
    }
    for (int i = 0; i < n; i++) {
        play->front->on_line(play, TONE_NOTICE, copy[i]);
        free(copy[i]);
    }
    play->front->on_view(play);
}

/* Who has read and gives an order wants to see what comes of it. */
static void close_page(struct play *play)
{
    if (play->picture == PICTURE_GAME) { return; }
    play->picture = PICTURE_GAME;
    play->face->game->turn_home(play->face);
}

/* Words to the client itself. False: it is an order. */
static bool run_own_word(struct play *play, const char *word, const char *rest)
{
    if (strcasecmp(word, "quit") == 0 || (strcasecmp(word, "exit") == 0 && rest[0] == '\0')) {
        play->quit = true;
    } else if (strcasecmp(word, "help") == 0 || strcmp(word, "?") == 0) {
        show_help(play, rest);
    } else if (strcasecmp(word, "undo") == 0) {
        if (!session_undo(play->session)) { say(play, TONE_ERROR, "cli.ui.busy"); }
    } else if (strcasecmp(word, "history") == 0 || strcasecmp(word, "log") == 0) {
        show_history(play);
    } else if (strcasecmp(word, "staff") == 0) {
        staff_acts(play);
    } else if (strcasecmp(word, "resign") == 0 && strcasecmp(rest, "yes") == 0) {
        session_resign(play->session);
    } else if (strcasecmp(word, "resign") == 0) {
        say(play, TONE_NOTICE, "cli.ui.resign_sure");
    } else {
        return play_rules_word(play, word, rest) || run_game_word(play, word, rest) ||
               play_desk_word(play, word, rest) || play_offers_word(play, word, rest);
    }
    return true;
}

void play_command(struct play *play, const char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    char line[4096];
    snprintf(line, sizeof line, "%s", text);
    size_t n = strlen(line);
    while (n > 0 && isspace((unsigned char)line[n - 1])) {
        line[--n] = '\0';
    }
    if (strcasecmp(line, "quit") == 0) { play->quit = true; }
    if (n == 0 || !play->has_view) { return; }
    char *end = NULL;
    long number = strtol(line, &end, 10);
    if (*end == '\0' && number >= 1 && number <= play->choices) {
        snprintf(line, sizeof line, "%s", play->choice[number - 1]);
    }
    char word[32];
    size_t w = strcspn(line, " \t");
    snprintf(word, sizeof word, "%.*s", (int)(w < sizeof word ? w : sizeof word - 1), line);
    const char *rest = line + w + strspn(line + w, " \t");
    close_page(play);
    session_seen(play->session); /* who types has read what stands there */
    if (run_own_word(play, word, rest)) { return; }
    send_order(play, line, true);
}

/* The face of the match's game. */
static enum status find_face(struct play *play)
{
    struct cli *cli = play->cli;
    cJSON *error = NULL;
    play->face = face_of_match(cli->conn, cli->args[0], &error);
    bool refused = error != NULL;
    if (refused) { cli_show_error(cli, error); }
    cJSON_Delete(error);
    if (play->face != NULL || refused) { return refused ? REFUSED : DONE; }
    if (conn_state(cli->conn) == CONN_GIVEN_UP) {
        cli_say_unreachable(cli);
        return UNREACHABLE;
    }
    cli_say("cli.no_board");
    return REFUSED;
}

enum status cli_play(struct cli *cli)
{
    struct play *play = calloc(1, sizeof *play);
    if (play == NULL) { return UNREACHABLE; }
    play->cli = cli;
    play->draft.read_seq = -1;
    bot_random_seed(&play->mind.random, (uint64_t)time(NULL));
    struct conn_events events = {play, on_state, on_push};
    enum status status = cli_open(cli, &events);
    if (status != DONE) { goto out; }
    conn_set_patience(cli->conn, true);
    cli_take_language(cli);
    status = find_face(play);
    if (status != DONE) { goto out; }
    stock_fill_wait(cli->conn, &cli->keep, &cli->loop);
    struct session_events told = {.ctx = play,
                                  .on_view = on_view,
                                  .on_events = on_events,
                                  .on_said = on_said,
                                  .on_offers = on_offers,
                                  .on_clock = on_clock,
                                  .on_held = on_held,
                                  .on_closing = on_closing,
                                  .on_warning = on_warning,
                                  .on_waiting = on_waiting,
                                  .on_acted = on_acted,
                                  .on_failed = on_failed};
    play->session = session_create(cli->conn, &cli->keep, cli->args[0], cli->opt.as, &told);
    session_set_backlog(play->session, PLAY_BACKLOG);
    bool screen = !cli->opt.plain && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    status = screen ? play_run_screen(play) : play_run_plain(play);
    session_destroy(play->session);
    play->session = NULL;
    play->front = NULL; /* it is gone; what still comes in is shown to nobody */
    receipts_keep(cli, cli->args[0], cli->opt.as);
out:
    for (int i = 0; i < PLAY_LOG_MAX; i++) {
        free(play->log[i].text);
    }
    for (int i = 0; i < play->choices; i++) {
        free(play->choice[i]);
    }
    cli_close(cli);
    play_draft_finish(play);
    cJSON_Delete(play->offers);
    cJSON_Delete(play->clock);
    free(play->reading);
    face_destroy(play->face);
    free(play);
    return status;
}
