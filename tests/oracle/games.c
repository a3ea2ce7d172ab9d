/* tests/oracle/games.c: see games.h. */
#include "tests/oracle/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "tests/oracle/known.h"

/* The largest state of any game. */
enum { STATE_BYTES_MAX = 1 << 16 };

/* The host leaves out who is none of the match's. */
static const uint32_t everybody = (UINT32_C(1) << VIEWERS) - 1;

enum { OBEYED_MAX = 64 };
struct hosted {
    struct state **starts;
    unsigned count, cap;
    _Alignas(16) unsigned char now[STATE_BYTES_MAX], before[STATE_BYTES_MAX];
    uint32_t reveals;
    uint64_t roll, roll_before; /* the number of the next roll */
    bool listens;
    char *obeyed[OBEYED_MAX]; /* since it listens */
    unsigned obeyed_count;
    bool obeys; /* what is applied next comes from orders */
};
static struct hosted worlds[2];
/* The loop's: matches that are read back are played again on other threads. */
static _Thread_local bool is_live;
static enum leak planted;

const char *leak_name(enum leak leak)
{
    static const char *const names[LEAKS] = {"none",
                                             "an id in a view",
                                             "an order by type",
                                             "a quiet line told to all",
                                             "a seq moved alone",
                                             "a byte in an error",
                                             "a form too many",
                                             "who is to act",
                                             "an answer of ask",
                                             "whether undo is offered",
                                             "an answer by orders"};
    return names[leak];
}

void hosted_set_leak(enum leak leak)
{
    planted = leak;
}

unsigned hosted_add_start(unsigned world, const struct state *start)
{
    struct hosted *hosted = &worlds[world];
    if (hosted->count == hosted->cap) {
        hosted->cap = hosted->cap == 0 ? 64 : hosted->cap * 2;
        hosted->starts = realloc(hosted->starts, hosted->cap * sizeof *hosted->starts);
        if (hosted->starts == NULL) { abort(); }
    }
    struct state *copy = malloc(known->game->state_bytes);
    if (copy == NULL || known->game->state_bytes > STATE_BYTES_MAX) { abort(); }
    memcpy(copy, start, known->game->state_bytes);
    hosted->starts[hosted->count] = copy;
    return hosted->count++;
}

static void forget_obeyed(struct hosted *hosted)
{
    while (hosted->obeyed_count > 0) {
        free(hosted->obeyed[--hosted->obeyed_count]);
    }
    hosted->obeys = false;
}

unsigned hosted_obeyed(unsigned world, const char *const **out_actions)
{
    *out_actions = (const char *const *)worlds[world].obeyed;
    return worlds[world].obeyed_count;
}

void hosted_forget_starts(void)
{
    for (unsigned world = 0; world < 2; world++) {
        for (unsigned i = 0; i < worlds[world].count; i++) {
            free(worlds[world].starts[i]);
        }
        free(worlds[world].starts);
        forget_obeyed(&worlds[world]);
        memset(&worlds[world], 0, sizeof worlds[world]);
    }
}

const struct state *hosted_state(unsigned world)
{
    return (const struct state *)(const void *)worlds[world].now;
}

uint64_t hosted_roll(unsigned world)
{
    return worlds[world].roll;
}

uint32_t hosted_reveals(unsigned world)
{
    return worlds[world].reveals;
}

void hosted_listen(unsigned world)
{
    is_live = true;
    worlds[world].reveals = 0;
    memcpy(worlds[world].before, worlds[world].now, known->game->state_bytes);
    worlds[world].roll_before = worlds[world].roll;
    worlds[world].listens = true;
    forget_obeyed(&worlds[world]);
}

void hosted_take_back(unsigned world)
{
    memcpy(worlds[world].now, worlds[world].before, known->game->state_bytes);
    worlds[world].roll = worlds[world].roll_before;
}

void hosted_deafen(unsigned world)
{
    worlds[world].listens = false;
}

/* --- the option start ----------------------------------------------------------------------------
 */

static cJSON *without_start(const cJSON *options, int64_t *out_start)
{
    cJSON *copy = cJSON_Duplicate(options, true);
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(copy, "start");
    *out_start = cJSON_IsNumber(start) ? (int64_t)start->valuedouble : 0;
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "start");
    return copy;
}

static enum err hosted_options(const cJSON *options, struct buf *out, struct why *why)
{
    int64_t start = 0;
    cJSON *copy = without_start(options, &start), *full = NULL;
    struct buf buf;
    buf_init(&buf, 4096);
    enum err err = known->game->options(copy, &buf, why);
    if (err == ERR_OK) { err = json_parse(buf_str(&buf), buf.len, &full); }
    if (err == ERR_OK) {
        cJSON_AddNumberToObject(full, "start", (double)start);
        err = json_normalise(full, why);
    }
    if (err == ERR_OK) { jw_value(out, full); }
    cJSON_Delete(copy);
    cJSON_Delete(full);
    buf_finish(&buf);
    return err;
}

static unsigned hosted_seats(const cJSON *options, const char *out_codes[SEATS_MAX])
{
    int64_t start = 0;
    cJSON *copy = without_start(options, &start);
    unsigned seats = known->game->seats(copy, out_codes);
    cJSON_Delete(copy);
    return seats;
}

static enum err create_in(unsigned world, const cJSON *options, uint32_t rules, struct dice *dice,
                          struct state *s, struct events *events, struct why *why)
{
    int64_t start = 0;
    cJSON *copy = without_start(options, &start);
    enum err err = known->game->create(copy, rules, dice, s, events, why);
    cJSON_Delete(copy);
    if (err == ERR_OK && (start < 0 || start >= worlds[world].count)) { err = ERR_INVALID_PARAMS; }
    if (err == ERR_OK) { memcpy(s, worlds[world].starts[start], known->game->state_bytes); }
    return err;
}

/* --- leaks on purpose ------------------------------------------------------------------------ */

static void hosted_view(const struct state *s, unsigned viewer, struct buf *out)
{
    known->game->view(s, viewer, out);
    if (viewer == VIEWER_ALL) { return; }
    if (planted == LEAK_ID) { known->hint(s, viewer, out); }
    if (planted == LEAK_ORDER) {
        jw_key_array(out, "pieces");
        known->pieces(s, viewer, out);
        jw_array_end(out);
    }
}

static void hosted_actions(const struct state *s, unsigned seat, struct buf *out)
{
    known->game->actions(s, seat, out);
    if (planted != LEAK_FORMS || out->len < 3 || known->hidden_sum(s, seat) % 2 == 0) { return; }
    buf_cut(out, out->len - 1);
    buf_append_char(out, ',');
    buf_append_str(out, known->idle);
    buf_append_char(out, ']');
}

static void hosted_shown(const struct state *s, unsigned viewer, uint32_t *to_act, uint32_t *waits)
{
    known->game->shown(s, viewer, to_act, waits);
    if (planted == LEAK_TO_ACT && known->hidden_sum(s, viewer) % 2 == 1) { *waits = 0; }
}

static enum err hosted_ask(const struct state *s, unsigned viewer, const cJSON *question,
                           struct buf *out, struct why *why)
{
    enum err err = known->game->ask(s, viewer, question, out, why);
    if (planted == LEAK_ASK && err != ERR_OK && known->hidden_sum(s, viewer) % 3 == 0) {
        return why_member(why, "ask", "no such question");
    }
    return err;
}

static void leak_of_line(const struct state *s, unsigned seat, const cJSON *action,
                         struct events *events)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(action, "do");
    bool quiet = false;
    for (const char *const *i = known->quiet; *i != NULL; i++) {
        quiet = quiet || strcmp(name->valuestring, *i) == 0;
    }
    if (planted == LEAK_SEQ && quiet) {
        struct buf *buf = events_begin(events, everybody);
        jw_object_begin(buf);
        jw_key_str(buf, "ev", "something");
        jw_object_end(buf);
        events_end(events);
    }
    if (planted == LEAK_EMPTY && quiet) { events->told |= everybody; }
    if (planted == LEAK_SEAL && known->hidden_sum(s, seat) % 2 == 1) { events_seal(events); }
}

static enum err obey_in(unsigned world, const struct state *s, unsigned seat, const cJSON *orders,
                        struct buf *out)
{
    struct hosted *hosted = &worlds[world];
    enum err err = known->game->obey(s, seat, orders, out);
    if (err != ERR_OK || !is_live || !hosted->listens) { return err; }
    if (hosted->obeyed_count == OBEYED_MAX) { abort(); }
    hosted->obeyed[hosted->obeyed_count++] = strdup(buf_str(out));
    hosted->obeys = true;
    return err;
}

static enum err apply_in(unsigned world, struct state *s, unsigned seat, const cJSON *action,
                         struct dice *dice, struct events *events, struct why *why)
{
    enum err err = known->game->apply(s, seat, action, dice, events, why);
    if (err == ERR_OK && is_live && worlds[world].listens) {
        worlds[world].reveals |= events->reveals;
        worlds[world].roll = dice->roll + (dice_was_drawn(dice) ? 1 : 0);
    }
    if (err == ERR_OK) { leak_of_line(s, seat, action, events); }
    if (err == ERR_OK && planted == LEAK_ORDERS && worlds[world].obeys) {
        events->told |= everybody;
    }
    if (err == ERR_OK) { worlds[world].obeys = false; }
    if (err != ERR_OK && planted == LEAK_ERROR && known->hidden_sum(s, seat) % 2 == 1) {
        size_t n = strlen(why->text);
        if (n + 1 < sizeof why->text) { memcpy(why->text + n, " ", 2); }
    }
    return err;
}

/* --- the two games --------------------------------------------------------------------------- */

#define HOSTED(n)                                                                                  \
    static enum err create_##n(const cJSON *options, uint32_t rules, struct dice *dice,            \
                               struct state *s, struct events *events, struct why *why)            \
    {                                                                                              \
        return create_in(n, options, rules, dice, s, events, why);                                 \
    }                                                                                              \
    static enum err apply_##n(struct state *s, unsigned seat, const cJSON *action,                 \
                              struct dice *dice, struct events *events, struct why *why)           \
    {                                                                                              \
        return apply_in(n, s, seat, action, dice, events, why);                                    \
    }                                                                                              \
    static enum err obey_##n(const struct state *s, unsigned seat, const cJSON *orders,            \
                             struct buf *out)                                                      \
    {                                                                                              \
        return obey_in(n, s, seat, orders, out);                                                   \
    }                                                                                              \
    static enum err leave_##n(struct state *s, unsigned seat, enum leave how, struct dice *dice,   \
                              struct events *events)                                               \
    {                                                                                              \
        enum err err = known->game->leave(s, seat, how, dice, events);                             \
        if (is_live && worlds[n].listens) { worlds[n].reveals |= events->reveals; }                \
        return err;                                                                                \
    }                                                                                              \
    static void shown_##n(const struct state *s, unsigned viewer, uint32_t *to_act,                \
                          uint32_t *waits)                                                         \
    {                                                                                              \
        if (is_live && worlds[n].listens) { memcpy(worlds[n].now, s, known->game->state_bytes); }  \
        hosted_shown(s, viewer, to_act, waits);                                                    \
    }
HOSTED(0)
HOSTED(1)
#undef HOSTED

const struct game *const *hosted_games(unsigned world)
{
    static struct game own[2];
    static const struct game *lists[2][2];
    struct game *game = &own[world];
    *game = *known->game;
    game->options = hosted_options;
    game->seats = hosted_seats;
    game->view = hosted_view;
    game->actions = hosted_actions;
    game->ask = hosted_ask;
    game->create = world == 0 ? create_0 : create_1;
    game->apply = world == 0 ? apply_0 : apply_1;
    game->leave = world == 0 ? leave_0 : leave_1;
    game->obey = world == 0 ? obey_0 : obey_1;
    game->shown = world == 0 ? shown_0 : shown_1;
    lists[world][0] = game;
    return lists[world];
}
