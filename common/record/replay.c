/* common/record/replay.c: the host's part of a match, from its record: draws, masks, undo, rewind,
 * the end. */
#include "common/record/replay.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"

static_assert((int)LINE_SEATS_MAX == (int)SEATS_MAX, "lines and games count the same seats");

/* An action since the last line that drew: an undo may take it back. */
struct standing {
    const struct line *line;
    uint64_t mask, events_hash;
    uint32_t told;
    unsigned seat;
    bool sealed;
};

/* How the match stood after a line to which a later rewind goes back. */
struct kept {
    struct state *state; /* NULL: not yet reached */
    uint64_t seq[VIEWERS];
};

struct replay {
    const struct record *record;
    const struct game *game;
    const struct line_header *header;
    size_t next;
    bool begun, over, by_word;
    struct hash key, mask_key;
    uint64_t roll, mask;
    struct state *state, *base, *work;
    struct standing *standing;
    size_t standing_count;
    struct kept **kept; /* of each line; NULL: no rewind goes back to it */
    bool *open;         /* of each line: whether the public was told of it */
    struct events events;
    struct dice dice;
    struct buf drawn, text;
    uint32_t told;
    uint64_t seq[VIEWERS];
};

#define BIT(i) (UINT32_C(1) << (i))

static enum err wrong(struct why *why, const char *text)
{
    return why_text(why, ERR_INVALID_PARAMS, text);
}

static uint32_t everybody(const struct replay *replay)
{
    return (BIT(replay->header->seats) - 1U) | BIT(VIEWER_PUBLIC) | BIT(VIEWER_ALL);
}

/* The states that rewinds go back to must be kept when they are passed. */
static enum err note_rewinds(struct replay *replay)
{
    const struct record *record = replay->record;
    replay->open = calloc(record->count, sizeof *replay->open);
    replay->kept = calloc(record->count, sizeof *replay->kept);
    if (replay->kept == NULL || replay->open == NULL) { return ERR_INTERNAL; }
    for (size_t i = 1; i < record->count; i++) {
        const struct line *line = &record->lines[i];
        if (line->kind != LINE_HOST || line->host.to < 0 || (uint64_t)line->host.to >= i) {
            continue;
        }
        struct kept **kept = &replay->kept[line->host.to];
        if (*kept == NULL) { *kept = calloc(1, sizeof **kept); }
        if (*kept == NULL) { return ERR_INTERNAL; }
    }
    return ERR_OK;
}

/* The seats that the options give must be those of the header. */
static enum err check_header(const struct replay *replay, struct why *why)
{
    const struct line_header *header = replay->header;
    const struct game *game = replay->game;
    const char *codes[SEATS_MAX] = {NULL};
    if (header->rules < game->rules_first || header->rules > game->rules_now) {
        return wrong(why, "The rules have no such version.");
    }
    struct buf full;
    buf_init(&full, LINE_BYTES_MAX);
    enum err err = game->options(replay->record->lines[0].options, &full, why);
    buf_finish(&full);
    if (err != ERR_OK) { return wrong(why, "The game does not have these options."); }
    unsigned seats = game->seats(replay->record->lines[0].options, codes);
    bool same = seats == header->seats;
    for (unsigned i = 0; same && i < seats; i++) {
        same = strcmp(codes[i], header->codes[i]) == 0;
    }
    return same ? ERR_OK : wrong(why, "The options give other seats.");
}

enum err replay_create(const struct record *record, const struct game *game,
                       struct replay **out_replay, struct why *out_why)
{
    struct replay *replay = calloc(1, sizeof *replay);
    if (replay == NULL) { return ERR_INTERNAL; }
    replay->record = record;
    replay->game = game;
    replay->header = &record->lines[0].header;
    replay->next = 1;
    replay->roll = 1;
    replay->mask = 1;
    events_init(&replay->events);
    buf_init(&replay->drawn, LINE_BYTES_MAX);
    buf_init(&replay->text, LINE_BYTES_MAX);
    replay->state = calloc(1, game->state_bytes);
    replay->base = calloc(1, game->state_bytes);
    replay->work = calloc(1, game->state_bytes);
    replay->standing = calloc(record->count, sizeof *replay->standing);
    record_dice_key(record, &replay->key);
    dice_mask_key(replay->header->match, &record->secret, &replay->mask_key);
    enum err err = ERR_OK;
    if (replay->state == NULL || replay->base == NULL || replay->work == NULL ||
        replay->standing == NULL) {
        err = ERR_INTERNAL;
    }
    if (err == ERR_OK) { err = note_rewinds(replay); }
    if (err == ERR_OK) { err = check_header(replay, out_why); }
    if (err != ERR_OK) {
        replay_destroy(replay);
        return err;
    }
    *out_replay = replay;
    return ERR_OK;
}

void replay_destroy(struct replay *take_replay)
{
    if (take_replay == NULL) { return; }
    for (size_t i = 0; take_replay->kept != NULL && i < take_replay->record->count; i++) {
        if (take_replay->kept[i] != NULL) { free(take_replay->kept[i]->state); }
        free(take_replay->kept[i]);
    }
    free(take_replay->kept);
    free(take_replay->open);
    free(take_replay->standing);
    free(take_replay->state);
    free(take_replay->base);
    free(take_replay->work);
    events_finish(&take_replay->events);
    buf_finish(&take_replay->drawn);
    buf_finish(&take_replay->text);
    free(take_replay);
}

uint64_t replay_at(const struct replay *replay)
{
    return replay->next;
}

bool replay_is_over(const struct replay *replay)
{
    return replay->over;
}

bool replay_result_follows(const struct replay *replay)
{
    return !replay->by_word;
}

const struct events *replay_events(const struct replay *replay)
{
    return &replay->events;
}

uint32_t replay_told(const struct replay *replay)
{
    return replay->told;
}

uint64_t replay_seq(const struct replay *replay, unsigned viewer)
{
    return replay->seq[viewer];
}

const struct state *replay_state(const struct replay *replay)
{
    return replay->state;
}

int replay_viewer(const struct replay *replay, const char *name)
{
    if (strcmp(name, "public") == 0) { return VIEWER_PUBLIC; }
    if (strcmp(name, "all") == 0) { return VIEWER_ALL; }
    return record_seat(replay->record, name);
}

/* ---- one line ---- */

/* The draws of the line must be those that the game asked for, in every die and run. */
static enum err compare_draws(struct replay *replay, const struct line *line, struct why *why)
{
    struct buf *said = &replay->text;
    struct buf *drawn = &replay->drawn;
    buf_reset(said);
    buf_reset(drawn);
    if (replay->dice.exhausted) { return wrong(why, "The game draws more than a line may hold."); }
    jw_object_begin(drawn);
    dice_write_line(&replay->dice, drawn);
    jw_object_end(drawn);
    jw_object_begin(said);
    if (line->roll > 0) { jw_key_int(said, "roll", (int64_t)line->roll); }
    if (line->dice != NULL) {
        jw_key(said, "dice");
        jw_value(said, line->dice);
    }
    if (line->deal != NULL) {
        jw_key(said, "deal");
        jw_value(said, line->deal);
    }
    jw_object_end(said);
    bool same = !said->failed && !drawn->failed && strcmp(buf_str(said), buf_str(drawn)) == 0;
    return same ? ERR_OK : wrong(why, "The dice and deals are not those that the game asks for.");
}

/* FNV-1a over who was told what: equal when an action, played again, goes as it went. */
static uint64_t hash_events(const struct events *events)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        hash = (hash ^ event->viewers) * UINT64_C(1099511628211);
        for (uint32_t k = 0; k < event->len; k++) {
            hash =
                (hash ^ (unsigned char)events->text.data[event->at + k]) * UINT64_C(1099511628211);
        }
    }
    return (hash ^ (events->sealed ? 1U : 0U)) * UINT64_C(1099511628211);
}

static void open_line(struct replay *replay, uint64_t mask)
{
    events_reset(&replay->events);
    dice_init(&replay->dice, &replay->key, &replay->mask_key, replay->roll, mask);
}

/* What a game did must be whole, its state sound, its draws those of the line. */
static enum err inspect(struct replay *replay, const struct line *line, const struct state *state,
                        struct why *why)
{
    if (replay->events.failed) { return wrong(why, "The line makes more happen than it may."); }
    const char *bad = replay->game->check(state);
    if (bad != NULL) {
        char text[WHY_TEXT_MAX];
        (void)snprintf(text, sizeof text, "It leads to a state that cannot be (%s).", bad);
        return wrong(why, text);
    }
    return compare_draws(replay, line, why);
}

/* The work state becomes the state. told: beside those whom the events name. */
static void take(struct replay *replay, uint32_t told, bool forget)
{
    struct state *state = replay->state;
    replay->state = replay->work;
    replay->work = state;
    if (dice_was_drawn(&replay->dice)) { replay->roll++; }
    if (replay->dice.masked) { replay->mask++; }
    if (forget || dice_was_drawn(&replay->dice)) { replay->standing_count = 0; }
    replay->told = (replay->events.told | told | BIT(VIEWER_ALL)) & everybody(replay);
}

static void copy_state(const struct replay *replay, struct state *to, const struct state *from)
{
    memcpy(to, from, replay->game->state_bytes);
}

static enum err refused(struct why *why, enum err err, const char *what)
{
    char text[WHY_TEXT_MAX];
    char rule[WHY_RULE_MAX];
    memcpy(rule, why->rule, sizeof rule);
    (void)snprintf(text, sizeof text, "%s: %.100s%s%s%s", what,
                   why->text[0] != '\0' ? why->text : err_message(err), rule[0] != '\0' ? " (" : "",
                   rule, rule[0] != '\0' ? ")" : "");
    return wrong(why, text);
}

static enum err play_begin(struct replay *replay, const struct line *line, struct why *why)
{
    if (replay->begun) { return wrong(why, "The match has begun already."); }
    open_line(replay, replay->mask);
    memset(replay->work, 0, replay->game->state_bytes);
    enum err err = replay->game->create(replay->record->lines[0].options, replay->header->rules,
                                        &replay->dice, replay->work, &replay->events, why);
    if (err != ERR_OK) { return refused(why, err, "The game does not begin so"); }
    err = inspect(replay, line, replay->work, why);
    if (err != ERR_OK) { return err; }
    replay->begun = true;
    take(replay, everybody(replay), true);
    return ERR_OK;
}

static enum err play_do(struct replay *replay, const struct line *line, unsigned seat,
                        struct why *why)
{
    uint64_t mask = replay->mask;
    open_line(replay, mask);
    copy_state(replay, replay->work, replay->state);
    enum err err =
        replay->game->apply(replay->work, seat, line->action, &replay->dice, &replay->events, why);
    if (err != ERR_OK) { return refused(why, err, "The rules refuse it"); }
    err = inspect(replay, line, replay->work, why);
    if (err != ERR_OK) { return err; }
    if (!dice_was_drawn(&replay->dice)) {
        if (replay->standing_count == 0) { copy_state(replay, replay->base, replay->state); }
        replay->standing[replay->standing_count++] =
            (struct standing){.line = line,
                              .mask = mask,
                              .events_hash = hash_events(&replay->events),
                              .told = replay->events.told | BIT(seat),
                              .seat = seat,
                              .sealed = replay->events.sealed};
    }
    take(replay, BIT(seat), false);
    return ERR_OK;
}

/* Plays all that stands but one again, on the state before the first of it. */
static enum err play_without(struct replay *replay, size_t without, struct why *why)
{
    copy_state(replay, replay->work, replay->base);
    for (size_t i = 0; i < replay->standing_count; i++) {
        const struct standing *one = &replay->standing[i];
        if (i == without) { continue; }
        open_line(replay, one->mask);
        enum err err = replay->game->apply(replay->work, one->seat, one->line->action,
                                           &replay->dice, &replay->events, why);
        if (err != ERR_OK || replay->events.failed || dice_was_drawn(&replay->dice) ||
            hash_events(&replay->events) != one->events_hash) {
            return wrong(why, "What was done since would not go as it went.");
        }
    }
    return ERR_OK;
}

static void say_host(struct replay *replay, const char *event, const char *how, const char *seat,
                     uint32_t viewers, const struct cJSON *result)
{
    struct buf *buf = events_begin(&replay->events, viewers);
    jw_object_begin(buf);
    jw_key_str(buf, "ev", event);
    if (how != NULL) { jw_key_str(buf, "how", how); }
    if (seat != NULL) { jw_key_str(buf, "seat", seat); }
    if (result != NULL) {
        jw_key(buf, "result");
        jw_value(buf, result);
    }
    jw_object_end(buf);
    events_end(&replay->events);
}

/* DESIGN section 4: a seat's own last action, unless it is sealed; nothing behind a line that drew.
 */
static enum err play_undo(struct replay *replay, const struct line *line, unsigned seat,
                          struct why *why)
{
    size_t at = replay->standing_count;
    while (at > 0 && replay->standing[at - 1].seat != seat) {
        at--;
    }
    if (at == 0 || replay->standing[at - 1].line->n != line->undone) {
        const struct record *record = replay->record;
        bool drew = line->undone < record->count && line->undone < line->n;
        for (uint64_t n = line->undone; drew && n < line->n; n++) {
            if (record->lines[n].roll > 0) { return wrong(why, "The undo crosses a draw."); }
        }
        return wrong(why, "The line taken back is not the seat's own last action.");
    }
    if (replay->standing[at - 1].sealed) {
        return wrong(why, "The undo takes back what told its seat something or ended its sitting.");
    }
    uint32_t told = replay->standing[at - 1].told;
    enum err err = play_without(replay, at - 1, why);
    if (err != ERR_OK) { return err; }
    open_line(replay, replay->mask);
    say_host(replay, "undone", NULL, line->seat, told & everybody(replay), NULL);
    err = inspect(replay, line, replay->work, why);
    if (err != ERR_OK) { return err; }
    replay->standing_count--;
    memmove(replay->standing + at - 1, replay->standing + at,
            (replay->standing_count - (at - 1)) * sizeof *replay->standing);
    take(replay, told | BIT(seat), false);
    return ERR_OK;
}

/* The result must be what the game says of the state, in normal form. */
static enum err compare_result(struct replay *replay, const struct line *line, struct why *why)
{
    if (line->result == NULL) { return wrong(why, "The end has no result."); }
    buf_reset(&replay->text);
    replay->game->result(replay->work, &replay->text);
    cJSON *json = NULL;
    bool same = !replay->text.failed &&
                json_parse(buf_str(&replay->text), replay->text.len, &json) == ERR_OK &&
                json_normalise(json, NULL) == ERR_OK && json_equal(json, line->result);
    cJSON_Delete(json);
    return same ? ERR_OK : wrong(why, "The result is not the game's.");
}

/* A seat that leaves, and the end. */
static enum err play_end(struct replay *replay, const struct line *line, bool ends, struct why *why)
{
    const struct line_host *host = &line->host;
    const char *how = host->how == NULL ? "" : host->how;
    int seat = host->seat == NULL ? -1 : record_seat(replay->record, host->seat);
    if (how[0] == '\0' || (host->seat != NULL && seat < 0)) {
        return wrong(why, "It does not say who left, or how the match ended.");
    }
    open_line(replay, replay->mask);
    copy_state(replay, replay->work, replay->state);
    bool rules = strcmp(how, "rules") == 0;
    bool leaves = seat >= 0 && (strcmp(how, "resign") == 0 || strcmp(how, "time") == 0 ||
                                strcmp(how, "away") == 0 || strcmp(how, "referee") == 0);
    /* An abort that names a seat: the others would rather annul the match than win on its time. */
    bool agreed =
        ends && ((host->seat == NULL && strcmp(how, "draw") == 0) || strcmp(how, "abort") == 0);
    if (!ends && !leaves) { return wrong(why, "It does not say which seat left."); }
    if (agreed && replay->game->stop != NULL) { replay->game->stop(replay->work, &replay->events); }
    if (leaves) {
        enum leave kind = how[0] == 't'                 ? LEAVE_OUT_OF_TIME
                          : how[0] == 'a'               ? LEAVE_AWAY
                          : strcmp(how, "referee") == 0 ? LEAVE_STRUCK
                                                        : LEAVE_RESIGNED;
        enum err err =
            replay->game->leave(replay->work, (unsigned)seat, kind, &replay->dice, &replay->events);
        if (err != ERR_OK) { return wrong(why, "That seat could not leave the match."); }
    }
    bool over = replay->game->to_act(replay->work) == 0;
    if (!ends && over) {
        return wrong(why, "The match is over with it, and the line does not say so.");
    }
    if (ends && (rules || leaves) && !over) {
        return wrong(why, "The rules do not end the match here.");
    }
    enum err err = inspect(replay, line, replay->work, why);
    if (err == ERR_OK && ends && over) { err = compare_result(replay, line, why); }
    if (err != ERR_OK) { return err; }
    replay->by_word = ends && !over;
    replay->over = ends;
    say_host(replay, ends ? "match_ended" : "left", how, host->seat, everybody(replay),
             ends ? line->result : NULL);
    take(replay, everybody(replay), true);
    return ERR_OK;
}

static void write_by(struct buf *buf, const struct line_host *host)
{
    jw_key_array(buf, "by");
    for (unsigned i = 0; i < host->by_count; i++) {
        jw_str(buf, host->by[i]);
    }
    jw_array_end(buf);
}

/* The event that tells each viewer its own seq that it is back at; of a match that goes on after
 * its end, that is the step before. */
static void say_rewound(struct replay *replay, const struct line_host *host,
                        const struct kept *kept)
{
    uint32_t left = everybody(replay);
    if (replay->over) {
        struct buf *buf = events_begin(&replay->events, left);
        jw_object_begin(buf);
        jw_key_str(buf, "ev", "reopened");
        write_by(buf, host);
        jw_object_end(buf);
        events_end(&replay->events);
        return;
    }
    for (unsigned first = 0; first < VIEWERS; first++) {
        uint32_t same = 0;
        for (unsigned viewer = first; viewer < VIEWERS; viewer++) {
            bool alike = kept->seq[viewer] == kept->seq[first];
            same |= alike ? left & BIT(viewer) : 0;
        }
        if ((left & BIT(first)) == 0) { continue; }
        left &= ~same;
        struct buf *buf = events_begin(&replay->events, same);
        jw_object_begin(buf);
        jw_key_str(buf, "ev", "rewound");
        jw_key_int(buf, "to", (int64_t)kept->seq[first]);
        write_by(buf, host);
        jw_object_end(buf);
        events_end(&replay->events);
    }
}

/* Seats that are in the match in that state. The work state is used up. */
static uint32_t seats_in(struct replay *replay, const struct state *state)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < replay->header->seats; i++) {
        copy_state(replay, replay->work, state);
        open_line(replay, replay->mask);
        enum err err =
            replay->game->leave(replay->work, i, LEAVE_RESIGNED, &replay->dice, &replay->events);
        if (err != ERR_CONFLICT) { set |= BIT(i); }
    }
    return set;
}

/* All seats that are in the match, or were then, have agreed: they stand in the order of the
 * header. */
static bool all_agreed(struct replay *replay, const struct line_host *host, const struct kept *kept)
{
    uint32_t by = 0;
    for (unsigned i = 0; i < host->by_count; i++) {
        int seat = record_seat(replay->record, host->by[i]);
        if (seat < 0 || by >> (unsigned)seat != 0) { return false; }
        by |= BIT((unsigned)seat);
    }
    uint32_t asked = seats_in(replay, replay->state) | seats_in(replay, kept->state);
    return (asked & ~by) == 0;
}

/* FAIRNESS section 4: by consent, to the moment before a step that everybody was told of. */
static enum err play_rewind(struct replay *replay, const struct line *line, struct why *why)
{
    uint64_t to = line->host.to < 0 ? line->n : (uint64_t)line->host.to;
    const struct kept *kept = to + 1 < line->n ? replay->kept[to] : NULL;
    if (kept == NULL || kept->state == NULL || !replay->open[to + 1]) {
        return wrong(why, "There is no such line to go back to.");
    }
    if (!all_agreed(replay, &line->host, kept)) {
        return wrong(why, "Not all seats have agreed to go back.");
    }
    open_line(replay, replay->mask);
    copy_state(replay, replay->work, kept->state);
    say_rewound(replay, &line->host, kept);
    enum err err = inspect(replay, line, replay->work, why);
    if (err != ERR_OK) { return err; }
    replay->over = false;
    replay->by_word = false;
    take(replay, everybody(replay), true);
    return ERR_OK;
}

/* An end on time is taken back by the line after it, and by nothing else. */
static bool reopens(const struct replay *replay, const struct line *line)
{
    const struct line_host *end = &replay->record->lines[replay->next - 1].host;
    const bool on_time =
        end->how != NULL && (strcmp(end->how, "time") == 0 || strcmp(end->how, "away") == 0);
    return line->kind == LINE_HOST && strcmp(line->host.host, "rewind") == 0 && on_time &&
           line->host.to + 2 == (int64_t)line->n;
}

static void say_nonce(struct replay *replay, const struct line *line)
{
    struct buf *buf = events_begin(&replay->events, everybody(replay));
    jw_object_begin(buf);
    jw_key_str(buf, "ev", "nonce");
    jw_key_str(buf, "seat", line->seat);
    if (line->lost) {
        jw_key_bool(buf, "lost", true);
    } else {
        jw_key_b64(buf, "nonce", line->nonce.bytes, HASH_BYTES);
    }
    jw_object_end(buf);
    events_end(&replay->events);
}

/* Whether what an act of the host tells is whole: of whom, and for which kind why. */
static bool word_is_whole(const struct replay *replay, const struct line_host *host)
{
    bool named = host->seat != NULL && record_seat(replay->record, host->seat) >= 0;
    if (host->seat != NULL && !named) { return false; }
    for (unsigned i = 0; i < host->by_count; i++) {
        if (record_seat(replay->record, host->by[i]) < 0) { return false; }
    }
    if (strcmp(host->host, "look") == 0) { return host->reason != NULL; }
    if (strcmp(host->host, "grant") == 0 && host->ms < 0) { return false; }
    return line_host_names_seat(host) ? named : host->how != NULL;
}

/* An act of the host that is told to everybody and leaves the game alone. */
static enum err play_word(struct replay *replay, const struct line *line, struct why *why)
{
    if (!word_is_whole(replay, &line->host)) {
        return wrong(why, "It does not say whom it is about, or why.");
    }
    open_line(replay, replay->mask);
    copy_state(replay, replay->work, replay->state);
    line_write_word_event(events_begin(&replay->events, everybody(replay)), &line->host);
    events_end(&replay->events);
    take(replay, everybody(replay), false);
    return ERR_OK;
}

/* A nonce, and what a restored database says, leave the state alone. */
static enum err play_rest(struct replay *replay, const struct line *line)
{
    open_line(replay, replay->mask);
    copy_state(replay, replay->work, replay->state);
    bool restored = line->kind == LINE_HOST && strcmp(line->host.host, "restored") == 0;
    if (restored) {
        replay->roll += UINT64_C(1) << 32;
        replay->mask += UINT64_C(1) << 32;
        say_host(replay, "restored", NULL, NULL, everybody(replay), NULL);
    }
    if (line->kind == LINE_NONCE) { say_nonce(replay, line); }
    take(replay, everybody(replay), line->kind == LINE_HOST);
    return ERR_OK;
}

static enum err play_host(struct replay *replay, const struct line *line, struct why *why)
{
    const char *host = line->host.host;
    if (strcmp(host, "begin") == 0) { return play_begin(replay, line, why); }
    if (!replay->begun && strcmp(host, "restored") != 0) {
        return wrong(why, "The match has not begun.");
    }
    bool word = line_host_is_word(&line->host);
    bool leaves = strcmp(host, "seat") == 0 && !word;
    if (strcmp(host, "end") == 0 || leaves) { return play_end(replay, line, !leaves, why); }
    if (line->roll > 0) { return wrong(why, "Nothing is drawn by such a line."); }
    if (word) { return play_word(replay, line, why); }
    if (strcmp(host, "rewind") == 0) { return play_rewind(replay, line, why); }
    return play_rest(replay, line);
}

static enum err play_line(struct replay *replay, const struct line *line, struct why *why)
{
    if (replay->over && !reopens(replay, line)) { return wrong(why, "The match is over."); }
    if (line->kind == LINE_HOST) { return play_host(replay, line, why); }
    int seat = record_seat(replay->record, line->seat);
    if (seat < 0) { return wrong(why, "There is no such seat."); }
    if (line->kind == LINE_NONCE) { return play_rest(replay, line); }
    if (!replay->begun) { return wrong(why, "The match has not begun."); }
    if (line->kind == LINE_UNDO) { return play_undo(replay, line, (unsigned)seat, why); }
    return play_do(replay, line, (unsigned)seat, why);
}

enum err replay_next(struct replay *replay, struct why *out_why)
{
    if (replay->next >= replay->record->count) {
        return wrong(out_why, "There are no more lines.");
    }
    why_clear(out_why);
    enum err err = play_line(replay, &replay->record->lines[replay->next], out_why);
    if (err != ERR_OK) { return err; }
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((replay->told >> viewer & 1U) != 0) { replay->seq[viewer]++; }
    }
    struct kept *kept = replay->begun ? replay->kept[replay->next] : NULL;
    if (kept != NULL) {
        kept->state = malloc(replay->game->state_bytes);
        if (kept->state == NULL) { return ERR_INTERNAL; }
        copy_state(replay, kept->state, replay->state);
        memcpy(kept->seq, replay->seq, sizeof replay->seq);
    }
    replay->open[replay->next] = (replay->told & BIT(VIEWER_PUBLIC)) != 0;
    replay->next++;
    return ERR_OK;
}
