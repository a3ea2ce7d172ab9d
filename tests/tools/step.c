/* tests/tools/step.c: `vedette-step`: a game driven line by line, for comparing it with a model.
 *
 * Reads JSON lines: {"options": {..}, "position": {..}} or {"options": {..}, "create": true} start
 * afresh; {"seat": "FR", "action": {..}, "dice": [..]} or {"seat": "FR", "leave": "resigned"} go
 * on ("deal" feeds the deal lane as "dice" that of the die). Each gets one line: whether it was
 * accepted, the rule or member, what was drawn, who acts, the whole position and what every viewer
 * is told; with a member "views" also what each sees. {"seat": "FR", "ask": {..}} asks instead. It
 * shows everything and is for tests alone. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"

enum { OUT_MAX = 16 << 20, DICE_IN_MAX = 1024 };

struct step {
    const struct game *game;
    cJSON *options; /* in full, of the match that runs */
    unsigned seats;
    const char *codes[SEATS_MAX];
    struct state *now, *next; /* next: the copy that an action is tried on */
    bool running;
    bool views; /* this line asked for every viewer's view and forms */
    struct events events;
    struct buf answer; /* to a question */
    uint8_t dice_list[DICE_IN_MAX], deal_list[DICE_IN_MAX];
    size_t dice_count, deal_count;
};

/* What became of a line. */
struct outcome {
    enum err err;
    struct why why;
    uint32_t drawn, dealt;
    bool exhausted;
    const char *check;
};

static unsigned seat_index(const struct step *step, const char *code)
{
    for (unsigned i = 0; i < step->seats; i++) {
        if (strcmp(step->codes[i], code) == 0) { return i; }
    }
    return SEATS_MAX;
}

static void write_seats(const struct step *step, const char *name, uint32_t mask, struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned i = 0; i < step->seats; i++) {
        if ((mask >> i & 1) != 0) { jw_str(out, step->codes[i]); }
    }
    jw_array_end(out);
}

static const char *viewer_name(const struct step *step, unsigned viewer)
{
    if (viewer < SEATS_MAX) { return step->codes[viewer]; }
    return viewer == VIEWER_PUBLIC ? "public" : "all";
}

static void write_events(const struct step *step, struct buf *out)
{
    jw_key_object(out, "events");
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if (viewer < SEATS_MAX && viewer >= step->seats) { continue; }
        jw_key(out, viewer_name(step, viewer));
        events_write(&step->events, viewer, out);
    }
    jw_object_end(out);
}

/* What each viewer sees, and the forms of those who may act. */
static void write_views(const struct step *step, struct buf *out)
{
    jw_key_object(out, "views");
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if (viewer < SEATS_MAX && viewer >= step->seats) { continue; }
        jw_key_object(out, viewer_name(step, viewer));
        step->game->view(step->now, viewer, out);
        if (viewer < SEATS_MAX && (step->game->to_act(step->now) >> viewer & 1) != 0) {
            jw_key(out, "actions");
            step->game->actions(step->now, viewer, out);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_outcome(const struct step *step, const struct outcome *outcome, struct buf *out)
{
    jw_object_begin(out);
    jw_key_bool(out, "ok", outcome->err == ERR_OK);
    jw_key_str(out, "kind", err_kind(outcome->err));
    jw_key_str(out, "rule", outcome->why.rule);
    jw_key_str(out, "member", outcome->why.member);
    jw_key_str(out, "text", outcome->why.text);
    jw_key_int(out, "drawn", outcome->drawn);
    jw_key_int(out, "dealt", outcome->dealt);
    jw_key_bool(out, "exhausted", outcome->exhausted);
    jw_key(out, "check");
    if (outcome->check == NULL) {
        jw_null(out);
    } else {
        jw_str(out, outcome->check);
    }
    jw_key_bool(out, "sealed", step->events.sealed);
    jw_key_bool(out, "failed", step->events.failed);
    if (step->answer.len > 0) { jw_key_raw(out, "answer", step->answer.data, step->answer.len); }
    if (step->running) {
        write_seats(step, "to_act", step->game->to_act(step->now), out);
        write_seats(step, "waits_for", step->game->waits_for(step->now), out);
        jw_key(out, "position");
        step->game->position_write(step->now, out);
        write_events(step, out);
        if (step->views) { write_views(step, out); }
    }
    jw_object_end(out);
}

/* The draws that a line brings for a lane; how many. */
static size_t read_draws(const cJSON *line, const char *name, uint8_t list[DICE_IN_MAX])
{
    size_t n = 0;
    const cJSON *draw;
    cJSON_ArrayForEach(draw, json_get(line, name))
    {
        if (n < DICE_IN_MAX) { list[n++] = (uint8_t)draw->valueint; }
    }
    return n;
}

static enum err start_options(struct step *step, const cJSON *line, struct why *why)
{
    struct buf full;
    buf_init(&full, OUT_MAX);
    enum err err = step->game->options(json_get(line, "options"), &full, why);
    cJSON_Delete(step->options);
    step->options = NULL;
    if (err == ERR_OK) { err = json_parse(buf_str(&full), full.len, &step->options); }
    if (err == ERR_OK) { step->seats = step->game->seats(step->options, step->codes); }
    buf_finish(&full);
    return err;
}

/* Begins a match from a position or from its beginning. */
static void start(struct step *step, const cJSON *line, struct dice *dice, struct outcome *outcome)
{
    step->running = false;
    memset(step->now, 0, step->game->state_bytes);
    outcome->err = start_options(step, line, &outcome->why);
    if (outcome->err != ERR_OK) { return; }
    const cJSON *position = json_get(line, "position");
    if (position != NULL) {
        outcome->err = step->game->position_read(step->options, position, step->now, &outcome->why);
    } else {
        outcome->err = step->game->create(step->options, step->game->rules_now, dice, step->now,
                                          &step->events, &outcome->why);
    }
    step->running = outcome->err == ERR_OK;
    if (step->running) { outcome->check = step->game->check(step->now); }
}

/* One action or departure on a copy, kept when it is accepted. */
static void go_on(struct step *step, const cJSON *line, struct dice *dice, struct outcome *outcome)
{
    const char *code = "";
    const char *how = NULL;
    outcome->err = json_read_str(line, "!seat", 8, &code, &outcome->why);
    if (outcome->err == ERR_OK) {
        outcome->err = json_read_str(line, "leave", 16, &how, &outcome->why);
    }
    if (outcome->err != ERR_OK) { return; }
    unsigned seat = seat_index(step, code);
    if (!step->running || seat == SEATS_MAX) {
        outcome->err = ERR_INVALID_REQUEST;
        return;
    }
    if (json_get(line, "ask") != NULL) {
        outcome->err = step->game->ask(step->now, seat, json_get(line, "ask"), &step->answer,
                                       &outcome->why);
        return;
    }
    memcpy(step->next, step->now, step->game->state_bytes);
    if (how != NULL) {
        outcome->err = step->game->leave(step->next, seat, LEAVE_RESIGNED, dice, &step->events);
    } else {
        outcome->err = step->game->apply(step->next, seat, json_get(line, "action"), dice,
                                         &step->events, &outcome->why);
    }
    if (outcome->err != ERR_OK) { return; }
    outcome->check = step->game->check(step->next);
    struct state *old = step->now;
    step->now = step->next;
    step->next = old;
}

/* Answers one line on standard output. */
static void answer(struct step *step, const char *text, size_t n, struct buf *out)
{
    struct outcome outcome = {.err = ERR_OK};
    cJSON *line = NULL;
    why_clear(&outcome.why);
    events_reset(&step->events);
    buf_reset(&step->answer);
    outcome.err = json_parse(text, n, &line);
    if (outcome.err == ERR_OK) { outcome.err = json_normalise(line, &outcome.why); }
    if (outcome.err == ERR_OK) {
        struct dice dice;
        step->dice_count = read_draws(line, "dice", step->dice_list);
        step->deal_count = read_draws(line, "deal", step->deal_list);
        step->views = json_get(line, "views") != NULL;
        dice_init_lists(&dice, step->dice_list, step->dice_count, step->deal_list,
                        step->deal_count);
        if (json_get(line, "seat") == NULL) {
            start(step, line, &dice, &outcome);
        } else {
            go_on(step, line, &dice, &outcome);
        }
        outcome.drawn = dice.die_at;
        outcome.dealt = dice.deal_at;
        outcome.exhausted = dice.exhausted;
    }
    buf_reset(out);
    write_outcome(step, &outcome, out);
    buf_append_char(out, '\n');
    (void)fwrite(buf_str(out), 1, out->len, stdout);
    (void)fflush(stdout);
    cJSON_Delete(line);
}

int main(int argc, char **argv)
{
    struct step step = {.game = game_find(argc > 1 ? argv[1] : "waterloo")};
    if (step.game == NULL) { return 2; }
    step.now = calloc(1, step.game->state_bytes);
    step.next = calloc(1, step.game->state_bytes);
    if (step.now == NULL || step.next == NULL) { return 1; }
    events_init(&step.events);
    buf_init(&step.answer, OUT_MAX);
    struct buf out;
    buf_init(&out, OUT_MAX);
    char *text = NULL;
    size_t cap = 0;
    ssize_t n;
    while ((n = getline(&text, &cap, stdin)) > 0) {
        if (text[n - 1] == '\n') { n--; }
        answer(&step, text, (size_t)n, &out);
    }
    free(text);
    buf_finish(&out);
    buf_finish(&step.answer);
    events_finish(&step.events);
    cJSON_Delete(step.options);
    free(step.now);
    free(step.next);
    return 0;
}
