/* server/match/away.h: the player of a live match who is gone while he is asked (`away` of its
 * clock): seen by the server, shown to whoever watches, and what follows.
 *
 * He is gone who has no connection to this server at all and no wait on the match. It counts while
 * somebody whom the match does not wait for is at the table as his opponent or ally: so nobody is
 * gone when all lines are down, and after a restart the wait begins anew with the first who comes
 * back. A bot is never gone, and waits for nobody. What is private is shown of nobody but of who is
 * asked in a match that he sat down to with this in its clock; a match with `pace` has none. */
#ifndef VEDETTE_SERVER_MATCH_AWAY_H
#define VEDETTE_SERVER_MATCH_AWAY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"

struct clock_event;
struct making;
struct match;
struct matches;
struct play_clock;

/* What must be known of a match while its core is at rest: as of its newest durable clock. */
struct away {
    bool on;          /* its clock has `away`, and runs */
    uint8_t away;     /* a bit each: seats that count as gone */
    uint8_t open;     /* ..and were so for long enough */
    uint8_t counts;   /* seats of which it would count */
    uint8_t idle;     /* seats that wait for nobody: of bots, or that left */
    uint8_t looking;  /* a look at it is under way */
    uint8_t patience; /* looks in a row that nobody waited at */
};

/* As the clock is now; left: seats that are in the match no more. */
void away_note(const struct play_clock *play, unsigned seats, uint32_t left, struct away *out);
/* Looks who is gone; what is different becomes so for the clock. */
void away_look(struct matches *matches, struct match *match);
/* The same for all matches, every two seconds. */
void away_sweep(struct matches *matches);
/* Whether whoever holds the seat is here, by any connection. */
bool away_is_here(const struct matches *matches, const struct match *match, unsigned seat);

/* The wait is over: those who may claim are told, or the match is converted. */
enum err away_due(struct making *making, const struct clock_event *event) VD_CHECKED;
/* Whether the seat may claim that against the other for its being gone. CONFLICT "claim". */
enum err away_judge(const struct making *making, const char *what, unsigned against,
                    struct why *why) VD_CHECKED;
/* The match goes on by correspondence. by: who would have it so; -1: the match itself. */
enum err away_convert(struct making *making, unsigned seat, int by) VD_CHECKED;

#endif
