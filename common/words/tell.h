/* common/words/tell.h: what the files that tell the events of a game share (describe_GAME.c). A new
 * game adds such a file, and a line in describe.c. */
#ifndef VEDETTE_COMMON_WORDS_TELL_H
#define VEDETTE_COMMON_WORDS_TELL_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/words/board.h"

enum { TELL_PHRASES = 8 };

struct tell_game;

/* What an event function works with: the event, where its lines go, who is told, and phrases that
 * live as long. */
struct telling {
    struct buf *out;
    const cJSON *ev;
    const struct tell_game *game;
    const struct board *board; /* of towns; empty for a game that has none */
    const char *viewer;        /* NULL: nobody's */
    struct buf phrase[TELL_PHRASES];
    unsigned phrases;
};

/* One function a kind of event: it appends its lines. */
struct tell_kind {
    const char *ev;
    void (*tell)(struct telling *t);
};

/* A game in words. */
struct tell_game {
    const char *game;
    const struct tell_kind *kinds;
    size_t kind_count;
    /* What side.name calls a seat. */
    const char *(*side_of_seat)(const char *seat);
    /* When a turn is, of the member turn of a view: "16 June, morning". */
    void (*say_turn)(struct buf *out, const cJSON *turn);
};
extern const struct tell_game tell_waterloo, tell_austerlitz;

/* A member of an event; "" and 0 where it is not there. */
const char *tell_text(const cJSON *object, const char *name);
long tell_int(const cJSON *object, const char *name);
/* "true" or "false", for a message that chooses. */
const char *tell_truth(bool value);
const char *tell_bool(const cJSON *object, const char *name);
/* An empty buffer of this event; the ninth is the first again. */
struct buf *tell_phrase(struct telling *t);
/* Ends a line. */
void tell_end(struct telling *t);
/* The side that a code of side.name calls; the side of the seat in a member of the event. */
const char *tell_side_of(struct telling *t, const char *side);
const char *tell_side(struct telling *t, const char *member);
/* One die. */
const char *tell_die(struct telling *t, long n);
/* A sentence about the seat of the event, its own or another's; in: where, or "". */
void tell_by_seat(struct telling *t, const char *id, const char *in);

#endif
