/* server/match/core.c: one match as a pure thing: lines are made, applied and chained. */
#include "server/match/core.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/msg.h"
#include "server/match/window.h"

static_assert((int)ROW_SEATS_MAX == (int)SEATS_MAX, "rows and games count the same seats");
static_assert((int)ROW_VIEWERS == (int)VIEWERS, "rows and games count the same viewers");
static_assert((int)LINE_SEATS_MAX == (int)SEATS_MAX, "lines and games count the same seats");

#define EVERYBODY ((UINT32_C(1) << VIEWERS) - 1U)

void scratch_init(struct scratch *scratch)
{
    memset(scratch, 0, sizeof *scratch);
    events_init(&scratch->events);
    buf_init(&scratch->line, LINE_BYTES_MAX);
    buf_init(&scratch->text, EVENTS_BYTES_MAX);
}

void scratch_finish(struct scratch *scratch)
{
    events_finish(&scratch->events);
    buf_finish(&scratch->line);
    buf_finish(&scratch->text);
    free(scratch->work);
    scratch->work = NULL;
    scratch->work_bytes = 0;
}

/* Room for one state. */
static struct state *scratch_state(struct scratch *scratch, size_t bytes)
{
    if (scratch->work_bytes < bytes) {
        void *work = realloc(scratch->work, bytes);
        if (work == NULL) { return NULL; }
        scratch->work = work;
        scratch->work_bytes = bytes;
    }
    return scratch->work;
}

/* K from the nonces that are open (FAIRNESS 3). */
static void make_key(struct core *core)
{
    const struct hash *nonces[SEATS_MAX] = {NULL};
    for (unsigned i = 0; i < core->seats; i++) {
        nonces[i] = core->nonce[i] == SEAT_NONCE_OPENED ? &core->nonces[i] : NULL;
    }
    dice_key(core->id.text, &core->secret, core->seats, core->codes, nonces, &core->key);
}

enum err core_create(const struct core_setup *setup, struct core **out_core)
{
    struct core *core = calloc(1, sizeof *core);
    if (core == NULL) { return ERR_INTERNAL; }
    enum err err = ERR_INTERNAL;
    core->id = setup->id;
    core->game = setup->game;
    core->rules = setup->rules;
    core->secret = setup->secret;
    core->roll = 1;
    core->mask = 1;
    core->options_text = strdup(setup->options);
    core->state = calloc(1, setup->game->state_bytes);
    core->base = calloc(1, setup->game->state_bytes);
    if (core->options_text == NULL || core->state == NULL || core->base == NULL) { goto out; }
    err = json_parse(setup->options, strlen(setup->options), &core->options);
    if (err != ERR_OK) {
        err = ERR_INVALID_PARAMS;
        goto out;
    }
    core->seats = setup->game->seats(core->options, core->codes);
    if (core->seats == 0 || core->seats > SEATS_MAX) {
        err = ERR_INVALID_PARAMS;
        goto out;
    }
    dice_commitment(core->id.text, &core->secret, &core->commit);
    dice_mask_key(core->id.text, &core->secret, &core->mask_key);
    for (unsigned i = 0; i < core->seats; i++) {
        if (setup->has_commit[i]) { core->nonce[i] = SEAT_NONCE_AWAITED; }
        core->nonce_commits[i] = setup->nonce_commits[i];
    }
    make_key(core);
    *out_core = core;
    return ERR_OK;
out:
    core_destroy(core);
    return err;
}

void core_destroy(struct core *take_core)
{
    if (take_core == NULL) { return; }
    window_clear(take_core);
    free(take_core->window);
    for (unsigned i = 0; i < VIEWERS; i++) {
        msg_unref(take_core->said[i]);
    }
    free(take_core->clock);
    free(take_core->answered.slots);
    free(take_core->state);
    free(take_core->base);
    free(take_core->options_text);
    cJSON_Delete(take_core->options);
    free(take_core);
}

size_t core_bytes(const struct core *core)
{
    size_t bytes = sizeof *core + 2 * core->game->state_bytes + 1024;
    bytes += core->window_cap * sizeof *core->window;
    for (uint32_t i = 0; i < core->window_count; i++) {
        bytes += strlen(core->window[i].action) + 16;
    }
    for (unsigned i = 0; i < VIEWERS; i++) {
        bytes += core->said[i] == NULL ? 0 : core->said[i]->len + 48U;
    }
    return bytes + core->answered.cap * sizeof(uint64_t);
}

int core_find_seat(const struct core *core, const char *code)
{
    for (unsigned i = 0; i < core->seats; i++) {
        if (strcmp(core->codes[i], code) == 0) { return (int)i; }
    }
    return -1;
}

bool idset_has(const struct idset *set, uint64_t id)
{
    if (set->cap == 0) { return false; }
    for (uint64_t i = id & (set->cap - 1U); set->slots[i] != 0; i = (i + 1) & (set->cap - 1U)) {
        if (set->slots[i] == id) { return true; }
    }
    return false;
}

static void idset_put(struct idset *set, uint64_t id)
{
    uint64_t i = id & (set->cap - 1U);
    while (set->slots[i] != 0) {
        i = (i + 1) & (set->cap - 1U);
    }
    set->slots[i] = id;
}

bool idset_add(struct idset *set, uint64_t id)
{
    if (id == 0 || idset_has(set, id)) { return true; }
    if (set->count + 1 > set->cap / 4 * 3) {
        uint32_t cap = set->cap == 0 ? 16 : set->cap * 2;
        struct idset next = {calloc(cap, sizeof(uint64_t)), set->count, cap};
        if (next.slots == NULL) { return false; }
        for (uint32_t i = 0; i < set->cap; i++) {
            if (set->slots[i] != 0) { idset_put(&next, set->slots[i]); }
        }
        free(set->slots);
        *set = next;
    }
    idset_put(set, id);
    set->count++;
    return true;
}

/* True when both viewers are told exactly the same events. */
static bool told_alike(const struct events *events, unsigned a, unsigned b)
{
    for (size_t i = 0; i < events->count; i++) {
        uint32_t viewers = events->list[i].viewers;
        if ((viewers >> a & 1U) != (viewers >> b & 1U)) { return false; }
    }
    return true;
}

/* The events of the line for each viewer that is told, one text for all that are told the same.
 * out_said: holds one reference each. INTERNAL: memory. */
static enum err make_said(const struct core *core, struct scratch *scratch, uint32_t told,
                          struct msg *out_said[VIEWERS])
{
    memset(out_said, 0, VIEWERS * sizeof *out_said);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((told >> viewer & 1U) == 0) { continue; }
        if (viewer == VIEWER_ALL && !core->over && !core->say_all) { continue; }
        for (unsigned other = 0; other < viewer && out_said[viewer] == NULL; other++) {
            if (out_said[other] != NULL && told_alike(&scratch->events, viewer, other)) {
                out_said[viewer] = msg_ref(out_said[other]);
            }
        }
        if (out_said[viewer] != NULL) { continue; }
        buf_reset(&scratch->text);
        events_write(&scratch->events, viewer, &scratch->text);
        if (!scratch->text.failed) {
            out_said[viewer] = msg_create(scratch->text.data, scratch->text.len);
        }
        if (out_said[viewer] == NULL) {
            for (unsigned i = 0; i < viewer; i++) {
                msg_unref(out_said[i]);
            }
            return ERR_INTERNAL;
        }
    }
    return ERR_OK;
}

/* The line in scratch->line is taken: chain, numbers, what each viewer told was told. The state
 * must be the new one already. said: taken over. */
static void take_line(struct core *core, struct scratch *scratch, struct core_step *step,
                      struct msg *take_said[VIEWERS])
{
    struct hash before = core->head;
    line_head(core->id.text, &core->secret, step->n, &before, scratch->line.data, scratch->line.len,
              &core->head);
    core->next_n++;
    if (step->drew) { core->roll++; }
    if (scratch->dice.masked) { core->mask++; }
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((step->told >> viewer & 1U) == 0) { continue; }
        struct tip_viewer *tip = &core->tip[viewer];
        if (step->n > 0) { tip->seq++; }
        tip->n = step->n;
        tip->at = step->at;
        tip->head = core->head;
        tip->to_act = 0;
        tip->waits_for = 0;
        if (core->begun) { core->game->shown(core->state, viewer, &tip->to_act, &tip->waits_for); }
        if (core->over) {
            tip->to_act = 0;
            tip->waits_for = 0;
        }
        tip->undo = viewer < core->seats && core_can_undo(core, viewer) ? 1 : 0;
        msg_unref(core->said[viewer]);
        core->said[viewer] = take_said[viewer];
    }
}

/* Sets up scratch for a line with the numbers that come next. */
static void open_line(const struct core *core, struct scratch *scratch, int seat, int64_t at,
                      struct core_step *step)
{
    memset(step, 0, sizeof *step);
    step->n = core->next_n;
    step->at = at;
    step->seat = seat;
    step->given = -1;
    events_reset(&scratch->events);
    buf_reset(&scratch->line);
    dice_init(&scratch->dice, &core->key, &core->mask_key, core->roll, core->mask);
}

static enum err broken(struct core_step *step, const char *what)
{
    step->broken = what;
    return ERR_INTERNAL;
}

/* A seat's empty slots beyond the match's seats are told nothing. */
static uint32_t viewers_of(const struct core *core)
{
    uint32_t set = (UINT32_C(1) << core->seats) - 1U;
    return set | UINT32_C(1) << VIEWER_PUBLIC | UINT32_C(1) << VIEWER_ALL;
}

/* Every seat has opened its nonce, lost it, or never had one: K is what it will be. */
static bool is_settled(const struct core *core)
{
    for (unsigned i = 0; i < core->seats; i++) {
        if (core->nonce[i] == SEAT_NONCE_AWAITED) { return false; }
    }
    return true;
}

bool core_may_begin(const struct core *core)
{
    return !core->game->early_draw || is_settled(core);
}

/* What a game did is looked over before it counts: its events, its draws, its state. */
static enum err inspect(const struct core *core, struct scratch *scratch, const struct state *state,
                        struct core_step *step)
{
    if (scratch->events.failed) { return broken(step, "events"); }
    if (scratch->dice.exhausted) { return broken(step, "draws"); }
    const char *bad = core->game->check(state);
    if (bad != NULL) { return broken(step, bad); }
    step->drew = dice_was_drawn(&scratch->dice);
    /* Nothing is drawn while K can still change: what a game that draws so early may not do. */
    if (step->drew && !is_settled(core)) { return broken(step, "nonces"); }
    step->sealed = step->drew || scratch->events.sealed;
    step->told = (scratch->events.told | UINT32_C(1) << VIEWER_ALL) & viewers_of(core);
    step->reveals = scratch->events.reveals;
    if (step->seat >= 0) { step->told |= UINT32_C(1) << step->seat; }
    return ERR_OK;
}

enum err core_header(struct core *core, struct scratch *scratch, int64_t at,
                     struct core_step *out_step)
{
    assert(core->next_n == 0);
    open_line(core, scratch, -1, at, out_step);
    struct line_header header = {.match = core->id.text,
                                 .game = core->game->name,
                                 .rules = core->rules,
                                 .options = core->options_text,
                                 .seats = core->seats,
                                 .commit = &core->commit,
                                 .at = at};
    for (unsigned i = 0; i < core->seats; i++) {
        header.codes[i] = core->codes[i];
        if (core->nonce[i] != SEAT_NONCE_WAIVED) { header.nonces[i] = &core->nonce_commits[i]; }
    }
    line_write_header(&scratch->line, &header);
    if (scratch->line.failed) { return ERR_INTERNAL; }
    out_step->told = viewers_of(core);
    out_step->sealed = true;
    struct msg *said[VIEWERS];
    enum err err = make_said(core, scratch, out_step->told, said);
    if (err == ERR_OK) { take_line(core, scratch, out_step, said); }
    return err;
}

enum err core_begin(struct core *core, struct scratch *scratch, int64_t at,
                    struct core_step *out_step, struct why *why)
{
    assert(core->next_n >= 1 && !core->begun && core_may_begin(core));
    open_line(core, scratch, -1, at, out_step);
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return ERR_INTERNAL; }
    memset(work, 0, core->game->state_bytes);
    enum err err =
        core->game->create(core->options, core->rules, &scratch->dice, work, &scratch->events, why);
    if (err != ERR_OK) { return err; }
    err = inspect(core, scratch, work, out_step);
    if (err != ERR_OK) { return err; }
    line_write_begin(&scratch->line, out_step->n, at, &scratch->dice);
    if (scratch->line.failed) { return ERR_INTERNAL; }
    out_step->told = viewers_of(core);
    out_step->sealed = true;
    struct msg *said[VIEWERS];
    err = make_said(core, scratch, out_step->told, said);
    if (err != ERR_OK) { return err; }
    memcpy(core->state, work, core->game->state_bytes);
    core->begun = true;
    take_line(core, scratch, out_step, said);
    return ERR_OK;
}

static enum err refuse_unopened(const struct core *core, unsigned seat, struct why *why)
{
    if (core->nonce[seat] != SEAT_NONCE_AWAITED) { return ERR_OK; }
    return why_conflict(why, "nonce",
                        "your seat must open its nonce first, or say that it is lost");
}

/* Its seat alone hears that it did not do that itself. */
static void say_by(const struct core *core, struct scratch *scratch, unsigned seat, const char *by)
{
    struct buf *buf =
        events_begin(&scratch->events, UINT32_C(1) << seat | UINT32_C(1) << VIEWER_ALL);
    jw_object_begin(buf);
    jw_key_str(buf, "ev", "ordered");
    jw_key_str(buf, "seat", core->codes[seat]);
    jw_key_str(buf, "by", by);
    jw_object_end(buf);
    events_end(&scratch->events);
}

enum err core_apply_to(const struct core *core, struct scratch *scratch, struct state *state,
                       unsigned seat, const struct cJSON *action, bool own_dice, struct why *why)
{
    static const struct hash none = {{0}};
    struct core_step step;
    enum err err = refuse_unopened(core, seat, why);
    if (err != ERR_OK) { return err; }
    open_line(core, scratch, (int)seat, 0, &step);
    if (!own_dice) { dice_init(&scratch->dice, &none, &none, 1, 1); }
    return core->game->apply(state, seat, action, &scratch->dice, &scratch->events, why);
}

enum err core_act(struct core *core, struct scratch *scratch, unsigned seat,
                  const struct cJSON *action, bool plain, int64_t at, struct core_step *out_step,
                  struct why *why)
{
    return core_act_by(core, scratch, seat, action, plain, NULL, at, out_step, why);
}

enum err core_act_by(struct core *core, struct scratch *scratch, unsigned seat,
                     const struct cJSON *action, bool plain, const char *by, int64_t at,
                     struct core_step *out_step, struct why *why)
{
    assert(seat < core->seats && core->begun);
    open_line(core, scratch, (int)seat, at, out_step);
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return ERR_INTERNAL; }
    memcpy(work, core->state, core->game->state_bytes);
    enum err err = refuse_unopened(core, seat, why);
    if (err != ERR_OK) { return err; }
    err = core->game->apply(work, seat, action, &scratch->dice, &scratch->events, why);
    if (err != ERR_OK) { return err; }
    err = inspect(core, scratch, work, out_step);
    if (err != ERR_OK) { return err; }
    if (plain && out_step->sealed) {
        return why_conflict(why, "list", "only the last action of a list may draw or bind");
    }
    buf_reset(&scratch->text);
    jw_value(&scratch->text, action);
    if (scratch->text.failed) { return ERR_TOO_LARGE; }
    line_write_do(&scratch->line, out_step->n, at, core->codes[seat], by, scratch->text.data,
                  scratch->text.len, &scratch->dice);
    if (scratch->line.failed) { return ERR_TOO_LARGE; }
    struct window_line line;
    err = window_prepare(core, out_step, scratch, &line);
    if (err != ERR_OK) { return err; }
    /* Not before: what the game told is what must come again when an undo plays it again. */
    if (by != NULL) { say_by(core, scratch, seat, by); }
    struct msg *said[VIEWERS];
    err = make_said(core, scratch, out_step->told, said);
    if (err != ERR_OK) {
        free(line.action);
        return err;
    }
    window_add(core, out_step, &line);
    memcpy(core->state, work, core->game->state_bytes);
    take_line(core, scratch, out_step, said);
    if (!plain) { window_trim(core, scratch); }
    return ERR_OK;
}

enum err core_try(const struct core *core, struct scratch *scratch, unsigned seat,
                  const struct cJSON *action, struct why *why)
{
    struct core_step step;
    enum err err = refuse_unopened(core, seat, why);
    if (err != ERR_OK) { return err; }
    open_line(core, scratch, (int)seat, 0, &step);
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return ERR_INTERNAL; }
    memcpy(work, core->state, core->game->state_bytes);
    return core->game->apply(work, seat, action, &scratch->dice, &scratch->events, why);
}

/* The event by which an act of the host is told. */
static void say_host(struct core *core, struct scratch *scratch, const char *event, const char *how,
                     int seat, uint32_t viewers, bool with_result)
{
    struct buf *buf = events_begin(&scratch->events, viewers);
    jw_object_begin(buf);
    jw_key_str(buf, "ev", event);
    if (how != NULL) { jw_key_str(buf, "how", how); }
    if (seat >= 0) { jw_key_str(buf, "seat", core->codes[seat]); }
    if (with_result) {
        jw_key(buf, "result");
        jw_raw(buf, buf_str(&scratch->text), scratch->text.len);
    }
    jw_object_end(buf);
    events_end(&scratch->events);
}

enum err core_undo(struct core *core, struct scratch *scratch, unsigned seat, int64_t at,
                   struct core_step *out_step, struct why *why)
{
    assert(seat < core->seats && core->begun);
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return ERR_INTERNAL; }
    uint32_t index = 0;
    if (!window_without(core, scratch, seat, work, &index)) {
        return why_conflict(why, "undo", "there is no action of yours that can be taken back");
    }
    open_line(core, scratch, (int)seat, at, out_step);
    uint32_t told = core->window[index].told;
    say_host(core, scratch, "undone", NULL, (int)seat, told, false);
    enum err err = inspect(core, scratch, work, out_step);
    if (err != ERR_OK) { return err; }
    out_step->told |= told;
    line_write_undo(&scratch->line, out_step->n, at, core->codes[seat], core->window[index].n);
    if (scratch->line.failed) { return ERR_INTERNAL; }
    struct msg *said[VIEWERS];
    err = make_said(core, scratch, out_step->told, said);
    if (err != ERR_OK) { return err; }
    window_remove(core, index);
    memcpy(core->state, work, core->game->state_bytes);
    take_line(core, scratch, out_step, said);
    window_trim(core, scratch);
    return ERR_OK;
}

bool core_ends(const struct core *core)
{
    return !core->over && core->begun && core->game->to_act(core->state) == 0;
}

/* The result in normal form, into scratch->text. */
static enum err make_result(const struct core *core, const struct state *state,
                            struct scratch *scratch)
{
    buf_reset(&scratch->text);
    core->game->result(state, &scratch->text);
    if (scratch->text.failed || scratch->text.len == 0) { return ERR_INTERNAL; }
    cJSON *json = NULL;
    enum err err = json_parse(scratch->text.data, scratch->text.len, &json);
    if (err != ERR_OK) { return ERR_INTERNAL; }
    err = json_normalise(json, NULL);
    if (err == ERR_OK) {
        buf_reset(&scratch->text);
        jw_value(&scratch->text, json);
    }
    cJSON_Delete(json);
    return err == ERR_OK && !scratch->text.failed ? ERR_OK : ERR_INTERNAL;
}

/* Line `end` or `seat`, written and taken. The events of the game are in scratch, the state in work
 * (NULL: unchanged). */
static enum err close_line(struct core *core, struct scratch *scratch, const char *host,
                           const char *how, int seat, struct state *work, struct core_step *step)
{
    bool ends = strcmp(host, "end") == 0;
    const struct state *state = work == NULL ? core->state : work;
    if (ends) {
        enum err err = make_result(core, state, scratch);
        if (err != ERR_OK) { return broken(step, "result"); }
    }
    struct line_host act = {.host = host,
                            .to = -1,
                            .how = how,
                            .seat = seat < 0 ? NULL : core->codes[seat],
                            .ms = -1,
                            .result = ends ? buf_str(&scratch->text) : NULL,
                            .dice = &scratch->dice};
    line_write_host(&scratch->line, step->n, step->at, &act);
    if (scratch->line.failed) { return ERR_INTERNAL; }
    say_host(core, scratch, ends ? "match_ended" : "left", how, seat, EVERYBODY, ends);
    enum err err = inspect(core, scratch, state, step);
    if (err != ERR_OK) { return err; }
    step->told = viewers_of(core);
    step->sealed = true;
    bool was_over = core->over;
    core->over = ends;
    struct msg *said[VIEWERS];
    err = make_said(core, scratch, step->told, said);
    if (err != ERR_OK) {
        core->over = was_over;
        return err;
    }
    core->on_time = ends && (strcmp(how, "time") == 0 || strcmp(how, "away") == 0);
    window_clear(core);
    if (work != NULL) { memcpy(core->state, work, core->game->state_bytes); }
    take_line(core, scratch, step, said);
    return ERR_OK;
}

enum err core_leave(struct core *core, struct scratch *scratch, unsigned seat, enum leave how,
                    int64_t at, struct core_step *out_step, struct why *why)
{
    assert(seat < core->seats && core->begun);
    static const char *const hows[] = {[LEAVE_RESIGNED] = "resign",
                                       [LEAVE_OUT_OF_TIME] = "time",
                                       [LEAVE_STRUCK] = "referee",
                                       [LEAVE_AWAY] = "away"};
    open_line(core, scratch, -1, at, out_step);
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return ERR_INTERNAL; }
    memcpy(work, core->state, core->game->state_bytes);
    enum err err = core->game->leave(work, seat, how, &scratch->dice, &scratch->events);
    if (err != ERR_OK) {
        return err == ERR_INTERNAL
                   ? broken(out_step, "leave")
                   : why_conflict(why, "left", "that seat has left the match already");
    }
    bool ends = core->game->to_act(work) == 0;
    return close_line(core, scratch, ends ? "end" : "seat", hows[how], (int)seat, work, out_step);
}

enum err core_end(struct core *core, struct scratch *scratch, int64_t at,
                  struct core_step *out_step)
{
    assert(core_ends(core));
    open_line(core, scratch, -1, at, out_step);
    return close_line(core, scratch, "end", "rules", -1, NULL, out_step);
}

bool core_leaves_behind(const struct core *core, struct scratch *scratch, unsigned seat,
                        enum leave how)
{
    static const struct hash none = {{0}};
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return false; }
    memcpy(work, core->state, core->game->state_bytes);
    events_reset(&scratch->events);
    dice_init(&scratch->dice, &none, &none, core->roll, core->mask);
    enum err err = core->game->leave(work, seat, how, &scratch->dice, &scratch->events);
    return err == ERR_OK && core->game->to_act(work) != 0;
}

/* A line that leaves the game alone and is told to all, by the event in scratch. */
static enum err take_told(struct core *core, struct scratch *scratch, struct core_step *step)
{
    if (scratch->line.failed || scratch->events.failed) { return ERR_INTERNAL; }
    step->told = viewers_of(core);
    step->sealed = true;
    struct msg *said[VIEWERS];
    enum err err = make_said(core, scratch, step->told, said);
    if (err == ERR_OK) { take_line(core, scratch, step, said); }
    return err;
}

enum err core_nonce(struct core *core, struct scratch *scratch, unsigned seat,
                    const struct hash *nonce, int64_t at, struct core_step *out_step,
                    struct why *why)
{
    assert(seat < core->seats && core->next_n >= 1);
    if (core->nonce[seat] != SEAT_NONCE_AWAITED) {
        return why_conflict(why, "nonce", "no nonce is awaited from your seat");
    }
    struct hash commit;
    if (nonce != NULL) { dice_nonce_commitment(nonce, &commit); }
    if (nonce != NULL && memcmp(&commit, &core->nonce_commits[seat], sizeof commit) != 0) {
        return why_member(why, "nonce", "it does not fit the commitment in the header");
    }
    open_line(core, scratch, (int)seat, at, out_step);
    line_write_nonce(&scratch->line, out_step->n, at, core->codes[seat], nonce);
    struct buf *buf = events_begin(&scratch->events, EVERYBODY);
    jw_object_begin(buf);
    jw_key_str(buf, "ev", "nonce");
    jw_key_str(buf, "seat", core->codes[seat]);
    if (nonce == NULL) {
        jw_key_bool(buf, "lost", true);
    } else {
        jw_key_b64(buf, "nonce", nonce->bytes, HASH_BYTES);
    }
    jw_object_end(buf);
    events_end(&scratch->events);
    enum err err = take_told(core, scratch, out_step);
    if (err != ERR_OK) { return err; }
    core->nonce[seat] = nonce == NULL ? SEAT_NONCE_LOST : SEAT_NONCE_OPENED;
    if (nonce != NULL) { core->nonces[seat] = *nonce; }
    make_key(core);
    return ERR_OK;
}

enum err core_restored(struct core *core, struct scratch *scratch, int64_t at,
                       struct core_step *out_step)
{
    assert(core->next_n >= 1 && !core->over);
    open_line(core, scratch, -1, at, out_step);
    const struct line_host act = {.host = "restored", .to = -1, .ms = -1};
    line_write_host(&scratch->line, out_step->n, at, &act);
    say_host(core, scratch, "restored", NULL, -1, EVERYBODY, false);
    /* Nothing behind it is taken back; cleared first, since tips say what can be. */
    window_clear(core);
    enum err err = take_told(core, scratch, out_step);
    if (err != ERR_OK) { return err; }
    core->roll += UINT64_C(1) << 32;
    core->mask += UINT64_C(1) << 32;
    return ERR_OK;
}

bool core_has_left(const struct core *core, struct scratch *scratch, unsigned seat)
{
    return core_had_left(core, scratch, core->state, seat);
}

bool core_had_left(const struct core *core, struct scratch *scratch, const struct state *state,
                   unsigned seat)
{
    static const struct hash none = {{0}};
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return false; }
    memcpy(work, state, core->game->state_bytes);
    events_reset(&scratch->events);
    dice_init(&scratch->dice, &none, &none, core->roll, core->mask);
    return core->game->leave(work, seat, LEAVE_RESIGNED, &scratch->dice, &scratch->events) ==
           ERR_CONFLICT;
}

enum err core_tell(struct core *core, struct scratch *scratch, const struct line_host *act,
                   int64_t at, struct core_step *out_step)
{
    assert(core->begun && !core->over && line_host_is_word(act));
    open_line(core, scratch, -1, at, out_step);
    line_write_host(&scratch->line, out_step->n, at, act);
    line_write_word_event(events_begin(&scratch->events, EVERYBODY), act);
    events_end(&scratch->events);
    bool given = strcmp(act->host, "seat") == 0 &&
                 (strcmp(act->how, "substitute") == 0 || strcmp(act->how, "caretaker") == 0);
    if (given) {
        out_step->given = core_find_seat(core, act->seat);
        out_step->caretaker = strcmp(act->how, "caretaker") == 0;
    }
    return take_told(core, scratch, out_step);
}

enum err core_stop(struct core *core, struct scratch *scratch, const char *how, int seat,
                   int64_t at, struct core_step *out_step)
{
    assert(core->begun && !core->over);
    open_line(core, scratch, -1, at, out_step);
    struct state *work = scratch_state(scratch, core->game->state_bytes);
    if (work == NULL) { return ERR_INTERNAL; }
    memcpy(work, core->state, core->game->state_bytes);
    if (core->game->stop != NULL) { core->game->stop(work, &scratch->events); }
    return close_line(core, scratch, "end", how, seat, work, out_step);
}

static void write_by(struct buf *buf, const struct line_host *act)
{
    jw_key_array(buf, "by");
    for (unsigned i = 0; i < act->by_count; i++) {
        jw_str(buf, act->by[i]);
    }
    jw_array_end(buf);
}

/* To each viewer its own seq that it is back at; one event for all that have the same. A match that
 * goes on after its end is back at the step before. */
static void say_rewound(const struct core *core, struct scratch *scratch,
                        const struct core_past *past, const struct line_host *act)
{
    uint32_t left = viewers_of(core);
    if (core->over) {
        struct buf *buf = events_begin(&scratch->events, left);
        jw_object_begin(buf);
        jw_key_str(buf, "ev", "reopened");
        write_by(buf, act);
        jw_object_end(buf);
        events_end(&scratch->events);
        return;
    }
    for (unsigned first = 0; first < VIEWERS; first++) {
        uint32_t same = 0;
        for (unsigned viewer = first; viewer < VIEWERS; viewer++) {
            bool alike = past->seq[viewer] == past->seq[first];
            same |= alike ? left & UINT32_C(1) << viewer : 0;
        }
        if ((left >> first & 1U) == 0) { continue; }
        left &= ~same;
        struct buf *buf = events_begin(&scratch->events, same);
        jw_object_begin(buf);
        jw_key_str(buf, "ev", "rewound");
        jw_key_int(buf, "to", (int64_t)past->seq[first]);
        write_by(buf, act);
        jw_object_end(buf);
        events_end(&scratch->events);
    }
}

enum err core_rewind(struct core *core, struct scratch *scratch, const struct core_past *past,
                     uint32_t by, int64_t at, struct core_step *out_step)
{
    assert(core->begun);
    if (past->state == NULL || past->n + 1 >= core->next_n) { return ERR_CONFLICT; }
    if (core->over && (!core->on_time || past->n + 2 != core->next_n)) { return ERR_CONFLICT; }
    open_line(core, scratch, -1, at, out_step);
    struct line_host act = {.host = "rewind", .to = (int64_t)past->n, .ms = -1};
    for (unsigned i = 0; i < core->seats; i++) {
        if ((by >> i & 1U) != 0) { act.by[act.by_count++] = core->codes[i]; }
    }
    line_write_host(&scratch->line, out_step->n, at, &act);
    say_rewound(core, scratch, past, &act);
    if (scratch->line.failed) { return ERR_INTERNAL; }
    enum err err = inspect(core, scratch, past->state, out_step);
    if (err != ERR_OK) { return err; }
    out_step->told = viewers_of(core);
    out_step->sealed = true;
    struct msg *said[VIEWERS];
    err = make_said(core, scratch, out_step->told, said);
    if (err != ERR_OK) { return err; }
    window_clear(core);
    core->over = false;
    core->on_time = false;
    memcpy(core->state, past->state, core->game->state_bytes);
    take_line(core, scratch, out_step, said);
    return ERR_OK;
}

static enum err replay_rewind(struct core *core, struct scratch *scratch, const struct line *line,
                              struct core_step *step)
{
    uint32_t by = 0;
    for (unsigned i = 0; i < line->host.by_count; i++) {
        int seat = core_find_seat(core, line->host.by[i]);
        if (seat < 0) { return ERR_STORAGE_FAILED; }
        by |= UINT32_C(1) << (unsigned)seat;
    }
    for (size_t i = 0; core->pasts != NULL && i < core->pasts->count; i++) {
        const struct core_past *past = &core->pasts->list[i];
        if ((int64_t)past->n != line->host.to) { continue; }
        return core_rewind(core, scratch, past, by, line->at, step);
    }
    return ERR_STORAGE_FAILED;
}

/* Whether an act of the host names seats that there are, and one where it is about one: the line
 * may come from another server, or from a file that somebody wrote. */
static bool seats_are_known(const struct core *core, const struct line_host *host)
{
    if (host->seat == NULL && line_host_names_seat(host)) { return false; }
    if (host->seat != NULL && core_find_seat(core, host->seat) < 0) { return false; }
    for (unsigned i = 0; i < host->by_count; i++) {
        if (core_find_seat(core, host->by[i]) < 0) { return false; }
    }
    return true;
}

static enum err replay_host(struct core *core, struct scratch *scratch, const struct line *line,
                            struct core_step *step, struct why *why)
{
    const struct line_host *host = &line->host;
    if (strcmp(host->host, "begin") == 0) {
        return core->begun || !core_may_begin(core)
                   ? ERR_STORAGE_FAILED
                   : core_begin(core, scratch, line->at, step, why);
    }
    if (!seats_are_known(core, host)) { return ERR_STORAGE_FAILED; }
    bool rewinds = strcmp(host->host, "rewind") == 0;
    if (core->over && !rewinds) { return ERR_STORAGE_FAILED; }
    if (strcmp(host->host, "restored") == 0) {
        return core_restored(core, scratch, line->at, step);
    }
    if (!core->begun) { return ERR_STORAGE_FAILED; }
    if (rewinds) { return replay_rewind(core, scratch, line, step); }
    if (line_host_is_word(host)) { return core_tell(core, scratch, host, line->at, step); }
    if (host->how == NULL) { return ERR_STORAGE_FAILED; }
    bool agreed = strcmp(host->how, "draw") == 0 || strcmp(host->how, "abort") == 0;
    if (strcmp(host->host, "end") == 0 && agreed) {
        int seat = host->seat == NULL ? -1 : core_find_seat(core, host->seat);
        return core_stop(core, scratch, host->how, seat, line->at, step);
    }
    if (strcmp(host->host, "end") == 0 && strcmp(host->how, "rules") == 0) {
        return core_ends(core) ? core_end(core, scratch, line->at, step) : ERR_STORAGE_FAILED;
    }
    bool leaves = strcmp(host->host, "end") == 0 || strcmp(host->host, "seat") == 0;
    const char *code = host->seat;
    int seat = code == NULL ? -1 : core_find_seat(core, code);
    if (!leaves || seat < 0) { return ERR_STORAGE_FAILED; }
    enum leave how = strcmp(host->how, "time") == 0      ? LEAVE_OUT_OF_TIME
                     : strcmp(host->how, "away") == 0    ? LEAVE_AWAY
                     : strcmp(host->how, "referee") == 0 ? LEAVE_STRUCK
                                                         : LEAVE_RESIGNED;
    return core_leave(core, scratch, (unsigned)seat, how, line->at, step, why);
}

static enum err replay_line(struct core *core, struct scratch *scratch, const struct line *line,
                            struct core_step *step, struct why *why)
{
    if (line->n != core->next_n) { return ERR_STORAGE_FAILED; }
    if (line->kind == LINE_HEADER) {
        if (core->next_n != 0) { return ERR_STORAGE_FAILED; }
        for (unsigned i = 0; i < core->seats && i < line->header.seats; i++) {
            bool waived = line->header.nonces[i] == NULL;
            core->nonce[i] = waived ? SEAT_NONCE_WAIVED : SEAT_NONCE_AWAITED;
            if (!waived) { core->nonce_commits[i] = line->nonce_commits[i]; }
        }
        return core_header(core, scratch, line->at, step);
    }
    if (core->next_n == 0) { return ERR_STORAGE_FAILED; }
    if (line->kind == LINE_HOST) { return replay_host(core, scratch, line, step, why); }
    int seat = line->seat == NULL ? -1 : core_find_seat(core, line->seat);
    if (seat < 0 || core->over) { return ERR_STORAGE_FAILED; }
    if (line->kind == LINE_NONCE) {
        return core_nonce(core, scratch, (unsigned)seat, line->lost ? NULL : &line->nonce, line->at,
                          step, why);
    }
    if (!core->begun) { return ERR_STORAGE_FAILED; }
    if (line->kind == LINE_UNDO) {
        return core_undo(core, scratch, (unsigned)seat, line->at, step, why);
    }
    return core_act_by(core, scratch, (unsigned)seat, line->action, false, line->by, line->at, step,
                       why);
}

enum err core_replay(struct core *core, struct scratch *scratch, const char *text, size_t len,
                     struct core_step *out_step)
{
    struct line line;
    struct why why;
    why_clear(&why);
    if (line_read(text, len, &line, &why) != ERR_OK) { return ERR_STORAGE_FAILED; }
    enum err err = replay_line(core, scratch, &line, out_step, &why);
    line_finish(&line);
    if (err != ERR_OK) { return ERR_STORAGE_FAILED; }
    bool same = scratch->line.len == len && memcmp(scratch->line.data, text, len) == 0;
    return same ? ERR_OK : ERR_STORAGE_FAILED;
}

enum err core_mark(const struct core *core, struct core_mark *out_mark)
{
    memset(out_mark, 0, sizeof *out_mark);
    out_mark->state = malloc(core->game->state_bytes);
    if (out_mark->state == NULL) { return ERR_INTERNAL; }
    memcpy(out_mark->state, core->state, core->game->state_bytes);
    out_mark->next_n = core->next_n;
    out_mark->roll = core->roll;
    out_mark->mask = core->mask;
    out_mark->head = core->head;
    memcpy(out_mark->tip, core->tip, sizeof core->tip);
    for (unsigned i = 0; i < VIEWERS; i++) {
        out_mark->said[i] = core->said[i] == NULL ? NULL : msg_ref(core->said[i]);
    }
    out_mark->window_count = core->window_count;
    return ERR_OK;
}

void core_rollback(struct core *core, struct core_mark *mark)
{
    memcpy(core->state, mark->state, core->game->state_bytes);
    core->next_n = mark->next_n;
    core->roll = mark->roll;
    core->mask = mark->mask;
    core->head = mark->head;
    memcpy(core->tip, mark->tip, sizeof core->tip);
    for (unsigned i = 0; i < VIEWERS; i++) {
        msg_unref(core->said[i]);
        core->said[i] = mark->said[i];
        mark->said[i] = NULL;
    }
    window_cut(core, mark->window_count);
}

void core_mark_finish(struct core_mark *mark)
{
    free(mark->state);
    mark->state = NULL;
    for (unsigned i = 0; i < VIEWERS; i++) {
        msg_unref(mark->said[i]);
        mark->said[i] = NULL;
    }
}
