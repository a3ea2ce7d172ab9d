/* client-cli/play/play_desk.c: clocks, standing orders and the talk of channels while playing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/face/clock.h"
#include "client-cli/play/play.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* A call that a word made. The play lives until the connection is closed. */
struct desk_call {
    struct play *play;
    char *add;  /* orders: a line to be added; NULL: none */
    long drop;  /* orders: number of the one that goes; 0: none */
    bool clear; /* orders: all go */
};

static void say(struct play *play, enum tone tone, const char *id, const char *text)
{
    struct buf line;
    buf_init(&line, 4096);
    words_say(&line, id, "text", text, NULL);
    play_log(play, tone, buf_str(&line));
    buf_finish(&line);
}

static void tell_error(struct play *play, const cJSON *error)
{
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    words_refusal(&text, error, play->face->game->name);
    play_log(play, TONE_ERROR, buf_str(&text));
    buf_finish(&text);
}

static struct desk_call *call_create(struct play *play)
{
    struct desk_call *call = calloc(1, sizeof *call);
    if (call != NULL) {
        call->play = play;
        play->asking++;
    }
    return call;
}

static void call_free(struct desk_call *take_call)
{
    take_call->play->asking--;
    free(take_call->add);
    free(take_call);
}

/* False: refused (said), or the front is gone. */
static bool answered(struct desk_call *call, const cJSON *result, const cJSON *error)
{
    if (call->play->front == NULL) { return false; }
    if (error != NULL) {
        tell_error(call->play, error);
        call->play->front->on_view(call->play);
    }
    return error == NULL && result != NULL;
}

static void begin_params(struct play *play, struct buf *params)
{
    buf_init(params, CLI_TEXT_MAX);
    jw_object_begin(params);
    jw_key_str(params, "match", session_match(play->session));
}

static void send_call(struct play *play, const char *method, struct buf *params,
                      conn_reply_fn *reply, struct desk_call *call)
{
    jw_object_end(params);
    conn_call(play->cli->conn, method, buf_str(params), reply, call);
    buf_finish(params);
}

/* ---- clocks ---- */

void play_clock_told(struct play *play, const cJSON *clock)
{
    struct buf text;
    cJSON_Delete(play->clock);
    play->clock = cJSON_Duplicate(clock, true);
    buf_init(&text, sizeof play->due);
    clock_describe_short(&text, clock, session_seat(play->session), false);
    snprintf(play->due, sizeof play->due, "%s", buf_str(&text));
    buf_reset(&text);
    clock_describe_short(&text, clock, session_seat(play->session), true);
    snprintf(play->due_brief, sizeof play->due_brief, "%s", buf_str(&text));
    buf_finish(&text);
    if (play->front != NULL && play->front->on_view != NULL && play->has_view) {
        play->front->on_view(play);
    }
}

static void on_clock(void *ctx, const cJSON *result, const cJSON *error)
{
    struct desk_call *call = ctx;
    if (answered(call, result, error)) {
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        clock_explain(&text, result);
        play_log(call->play, TONE_NOTICE, buf_str(&text));
        buf_finish(&text);
        call->play->front->on_view(call->play);
    }
    call_free(call);
}

static void run_clock(struct play *play)
{
    struct buf params;
    struct desk_call *call = call_create(play);
    if (call == NULL) { return; }
    if (play->clock == NULL) {
        say(play, TONE_NOTICE, "cli.clock.none", "");
        call_free(call);
        return;
    }
    begin_params(play, &params);
    send_call(play, "match.clock", &params, on_clock, call);
}

static void on_claimed(void *ctx, const cJSON *result, const cJSON *error)
{
    struct desk_call *call = ctx;
    (void)answered(call, result, error); /* its events come with the view */
    call_free(call);
}

static void run_claim(struct play *play, const char *rest)
{
    char what[16] = "", seat[16] = "";
    struct buf params;
    if (sscanf(rest, "%15s %15s", what, seat) < 1) {
        say(play, TONE_ERROR, "cli.clock.claim_what", "");
        return;
    }
    struct desk_call *call = call_create(play);
    if (call == NULL) { return; }
    begin_params(play, &params);
    jw_key_str(&params, "what", what);
    if (seat[0] != '\0') { jw_key_str(&params, "seat", seat); }
    conn_write_action_id(&params);
    send_call(play, "match.claim", &params, on_claimed, call);
}

/* ---- standing orders ---- */

static void show_standing(struct play *play, const cJSON *standing)
{
    const cJSON *order = NULL;
    int n = 0;
    if (cJSON_GetArraySize(json_get(standing, "orders")) == 0) {
        say(play, TONE_NOTICE, "cli.standing.none", "");
    }
    cJSON_ArrayForEach(order, json_get(standing, "orders"))
    {
        char number[16];
        struct buf text;
        buf_init(&text, CLI_TEXT_MAX);
        snprintf(number, sizeof number, "%2d  ", ++n);
        buf_append_str(&text, number);
        play->face->game->say_standing(play->face, order, &text);
        play_log(play, TONE_NOTICE, buf_str(&text));
        buf_finish(&text);
    }
    play->front->on_view(play);
}

static void on_kept(void *ctx, const cJSON *result, const cJSON *error)
{
    struct desk_call *call = ctx;
    if (answered(call, result, error)) { show_standing(call->play, result); }
    call_free(call);
}

/* The orders as the word changes them. False: said why not. */
static bool change(const struct desk_call *call, const cJSON *orders, struct buf *out)
{
    const cJSON *order = NULL;
    long n = 0;
    bool good = call->drop <= cJSON_GetArraySize(orders);
    jw_array_begin(out);
    cJSON_ArrayForEach(order, orders)
    {
        if (!call->clear && ++n != call->drop) { jw_value(out, order); }
    }
    if (call->add != NULL) {
        struct buf one, why;
        buf_init(&one, CLI_TEXT_MAX);
        buf_init(&why, 4096);
        const struct face *face = call->play->face;
        good = face->game->read_standing(face, call->add, &one, &why);
        if (good) { jw_raw(out, buf_str(&one), one.len); }
        if (!good) { play_log(call->play, TONE_ERROR, buf_str(&why)); }
        buf_finish(&one);
        buf_finish(&why);
    } else if (!good) {
        say(call->play, TONE_ERROR, "cli.standing.no_such", words_int(call->drop));
    }
    jw_array_end(out);
    return good;
}

static void on_standing(void *ctx, const cJSON *result, const cJSON *error)
{
    struct desk_call *call = ctx;
    struct buf orders, params;
    if (!answered(call, result, error)) {
        call_free(call);
        return;
    }
    if (call->add == NULL && call->drop == 0 && !call->clear) {
        show_standing(call->play, result);
        call_free(call);
        return;
    }
    buf_init(&orders, CLI_TEXT_MAX);
    if (change(call, json_get(result, "orders"), &orders)) {
        begin_params(call->play, &params);
        jw_key_int(&params, "version", json_int(json_get(result, "version"), 0));
        jw_key_raw(&params, "orders", buf_str(&orders), orders.len);
        conn_write_action_id(&params);
        send_call(call->play, "match.standing", &params, on_kept, call);
    } else {
        call->play->front->on_view(call->play);
        call_free(call);
    }
    buf_finish(&orders);
}

/* orders, orders add LINE, orders drop N, orders clear. */
static void run_orders(struct play *play, const char *rest)
{
    char word[16] = "";
    int n = 0;
    struct buf params;
    if (play->face->game->read_standing == NULL) {
        say(play, TONE_NOTICE, "cli.standing.not_here", "");
        return;
    }
    struct desk_call *call = call_create(play);
    if (call == NULL) { return; }
    bool good = true;
    if (sscanf(rest, "%15s %n", word, &n) == 1) {
        if (strcasecmp(word, "add") == 0 && rest[n] != '\0') {
            call->add = strdup(rest + n);
        } else if (strcasecmp(word, "drop") == 0) {
            call->drop = strtol(rest + n, NULL, 10);
            good = call->drop > 0;
        } else if (strcasecmp(word, "clear") == 0) {
            call->clear = true;
        } else {
            good = false;
        }
    }
    if (!good) {
        say(play, TONE_ERROR, "cli.standing.word", rest);
        call_free(call);
        return;
    }
    begin_params(play, &params);
    send_call(play, "match.standing", &params, on_standing, call);
}

/* ---- talk ---- */

static void on_talk(void *ctx, const cJSON *result, const cJSON *error)
{
    struct desk_call *call = ctx;
    const cJSON *message = NULL;
    if (answered(call, result, error)) {
        cJSON_ArrayForEach(message, json_get(result, "messages"))
        {
            const cJSON *from = json_get(message, "from"), *text = json_get(message, "text");
            struct buf line;
            buf_init(&line, CLI_TEXT_MAX);
            words_say(&line, "cli.ui.said", "who", cJSON_IsString(from) ? from->valuestring : "?",
                      "text", cJSON_IsString(text) ? text->valuestring : "", NULL);
            play_log(call->play, TONE_TALK, buf_str(&line));
            buf_finish(&line);
        }
        call->play->front->on_view(call->play);
    }
    call_free(call);
}

static void run_talk(struct play *play, const char *rest)
{
    struct buf params;
    struct desk_call *call = call_create(play);
    if (call == NULL) { return; }
    begin_params(play, &params);
    jw_key_str(&params, "channel", rest[0] == '\0' ? "table" : rest);
    send_call(play, "match.talk", &params, on_talk, call);
}

bool play_desk_word(struct play *play, const char *word, const char *rest)
{
    if (strcasecmp(word, "clock") == 0) {
        run_clock(play);
    } else if (strcasecmp(word, "claim") == 0) {
        run_claim(play, rest);
    } else if (strcasecmp(word, "orders") == 0) {
        run_orders(play, rest);
    } else if (strcasecmp(word, "talk") == 0) {
        run_talk(play, rest);
    } else if (strcasecmp(word, "say") == 0) {
        session_say(play->session, "table", rest);
    } else if (strcasecmp(word, "confer") == 0) {
        session_say(play->session, "side", rest);
    } else {
        return false;
    }
    return true;
}
