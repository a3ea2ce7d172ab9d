/* common/words/describe.c: events in sentences: what the host does; what a game does is told by its
 * own file, describe_GAME.c. The same messages with the same arguments as in the browser client. */
#include "common/words/describe.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/phrases.h"
#include "common/words/tell.h"
#include "common/words/words.h"

enum { PHRASE_MAX = 16384 };

/* ---- the games ---- */

static const struct tell_game *const told[] = {&tell_waterloo, &tell_austerlitz};

/* Of a game that there are no words for only what the host does is told. */
static const char *seat_itself(const char *seat)
{
    return seat;
}

static void say_no_turn(struct buf *out, const cJSON *turn)
{
    (void)out;
    (void)turn;
}

static const struct tell_game *find_game(const char *game)
{
    static const struct tell_game none = {.game = "",
                                          .kinds = NULL,
                                          .kind_count = 0,
                                          .side_of_seat = seat_itself,
                                          .say_turn = say_no_turn};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (strcmp(told[i]->game, game) == 0) { return told[i]; }
    }
    return &none;
}

/* ---- what the files of the games share ---- */

const char *tell_text(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

long tell_int(const cJSON *object, const char *name)
{
    return (long)json_int(json_get(object, name), 0);
}

const char *tell_truth(bool value)
{
    return value ? "true" : "false";
}

const char *tell_bool(const cJSON *object, const char *name)
{
    return tell_truth(cJSON_IsTrue(json_get(object, name)));
}

struct buf *tell_phrase(struct telling *t)
{
    struct buf *buf = &t->phrase[t->phrases % TELL_PHRASES];
    t->phrases++;
    buf_reset(buf);
    return buf;
}

void tell_end(struct telling *t)
{
    buf_append_char(t->out, '\n');
}

const char *tell_side_of(struct telling *t, const char *side)
{
    struct buf *out = tell_phrase(t);
    phrase_side(out, side);
    return buf_str(out);
}

const char *tell_side(struct telling *t, const char *member)
{
    return tell_side_of(t, t->game->side_of_seat(tell_text(t->ev, member)));
}

const char *tell_die(struct telling *t, long n)
{
    struct buf *out = tell_phrase(t);
    words_say(out, "list.dice", "dice", words_int(n), NULL);
    return buf_str(out);
}

void tell_by_seat(struct telling *t, const char *id, const char *in)
{
    const char *seat = tell_text(t->ev, "seat");
    words_say(t->out, id, "side_t", tell_side(t, "seat"), "view",
              phrase_view_of_seat(t->viewer, seat), "step", tell_text(t->ev, "step"), "how",
              tell_text(t->ev, "how"), "lost", tell_bool(t->ev, "lost"), "in_t", in, NULL);
    tell_end(t);
}

/* ---- what the host does, one function a kind of event ---- */

static void tell_undone(struct telling *t)
{
    tell_by_seat(t, "event.undone", "");
}

static void tell_rewound(struct telling *t)
{
    words_say(t->out, "event.rewound", NULL);
    tell_end(t);
}

static void tell_left(struct telling *t)
{
    tell_by_seat(t, "event.left", "");
}

static void tell_match_ended(struct telling *t)
{
    tell_by_seat(t, "event.match_ended", "");
}

static void tell_ordered(struct telling *t)
{
    words_say(t->out, "event.ordered", "by", tell_text(t->ev, "by"), NULL);
    tell_end(t);
}

static void tell_nonce(struct telling *t)
{
    tell_by_seat(t, "event.nonce", "");
}

static void tell_restored(struct telling *t)
{
    words_say(t->out, "event.restored", NULL);
    tell_end(t);
}

static void tell_paused(struct telling *t)
{
    tell_by_seat(t, "event.paused", "");
}

static void tell_resumed(struct telling *t)
{
    tell_by_seat(t, "event.resumed", "");
}

static void tell_converted(struct telling *t)
{
    tell_by_seat(t, "event.converted", "");
}

static void tell_granted(struct telling *t)
{
    long s = tell_int(t->ev, "s");
    struct buf *span = tell_phrase(t);
    const char *id = s >= 86400  ? "time.days_hours"
                     : s >= 3600 ? "time.hours_minutes"
                                 : "time.minutes";
    words_say(span, id, "days", words_int(s / 86400), "hours", words_int(s / 3600 % 24), "minutes",
              words_int(s / 60 % 60), NULL);
    words_say(t->out, "event.granted", "side_t", tell_side(t, "seat"), "view",
              phrase_view_of_seat(t->viewer, tell_text(t->ev, "seat")), "time_t", buf_str(span),
              NULL);
    tell_end(t);
}

static void tell_late(struct telling *t)
{
    tell_by_seat(t, "event.late", "");
}

static void tell_missed(struct telling *t)
{
    tell_by_seat(t, "event.missed", "");
}

static void tell_looked(struct telling *t)
{
    words_say(t->out, "event.looked", "reason", tell_text(t->ev, "reason"), NULL);
    tell_end(t);
}

static void tell_reopened(struct telling *t)
{
    words_say(t->out, "event.reopened", NULL);
    tell_end(t);
}

static void tell_seat_changed(struct telling *t)
{
    tell_by_seat(t, "event.seat_changed", "");
}

static void tell_begun(struct telling *t)
{
    words_say(t->out, "event.begun", NULL);
    tell_end(t);
}

static void tell_created(struct telling *t)
{
    words_say(t->out, "event.created", NULL);
    tell_end(t);
}

static const struct tell_kind kinds[] = {
    {"undone", tell_undone},
    {"rewound", tell_rewound},
    {"left", tell_left},
    {"match_ended", tell_match_ended},
    {"nonce", tell_nonce},
    {"ordered", tell_ordered},
    {"restored", tell_restored},
    {"paused", tell_paused},
    {"resumed", tell_resumed},
    {"granted", tell_granted},
    {"converted", tell_converted},
    {"late", tell_late},
    {"missed", tell_missed},
    {"looked", tell_looked},
    {"reopened", tell_reopened},
    {"seat_changed", tell_seat_changed},
    {"begun", tell_begun},
    {"created", tell_created},
};

/* ---- all together ---- */

static bool tell_one(struct telling *t, const struct tell_kind *kind, size_t count)
{
    const char *ev = tell_text(t->ev, "ev");
    for (size_t k = 0; k < count; k++) {
        if (strcmp(kind[k].ev, ev) == 0) {
            kind[k].tell(t);
            return true;
        }
    }
    return false;
}

void describe_events_of(struct buf *out, const cJSON *events, const char *game,
                        const struct board *board, const char *viewer)
{
    static const struct board no_board;
    struct telling t = {.out = out,
                        .game = find_game(game),
                        .board = board == NULL ? &no_board : board,
                        .viewer = viewer};
    for (size_t i = 0; i < TELL_PHRASES; i++) {
        buf_init(&t.phrase[i], PHRASE_MAX);
    }
    cJSON_ArrayForEach(t.ev, events)
    {
        t.phrases = 0;
        if (!tell_one(&t, t.game->kinds, t.game->kind_count) &&
            !tell_one(&t, kinds, sizeof kinds / sizeof kinds[0])) {
            words_say(out, "event.unknown", "ev", tell_text(t.ev, "ev"), NULL);
            tell_end(&t);
        }
    }
    for (size_t i = 0; i < TELL_PHRASES; i++) {
        buf_finish(&t.phrase[i]);
    }
}

void describe_events_to(struct buf *out, const cJSON *events, const struct board *board,
                        const char *viewer)
{
    describe_events_of(out, events, "waterloo", board, viewer);
}

void describe_events(struct buf *out, const cJSON *events, const struct board *board)
{
    describe_events_to(out, events, board, NULL);
}

void describe_turn(struct buf *out, const char *game, const cJSON *view)
{
    find_game(game)->say_turn(out, json_get(view, "turn"));
}

void describe_slot(struct buf *out, const cJSON *view)
{
    describe_turn(out, "waterloo", view);
}

void describe_side(struct buf *out, const char *game, const char *seat)
{
    phrase_side(out, find_game(game)->side_of_seat(seat));
}
