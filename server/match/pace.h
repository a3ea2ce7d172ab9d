/* server/match/pace.h: answers to interrupts that are shown some time after they were asked for
 * (DESIGN 6, option `pace`).
 *
 * What a seat is asked amid the turn of another (game.h: interrupts, asked) has a time at which it
 * was asked for: that of the line which asked it. Until D after that nothing that the public would
 * be told of an answer becomes a line, whoever or whatever gave it: it is judged at once, on the
 * match as it will be with what is held already, stored, answered, and becomes a line with the time
 * at which it is due. What tells the public nothing is a line at once. Steps that the game takes by
 * itself from public facts (Waterloo W19.2) are not delayed: everybody knows that they were
 * nobody's answer, and nobody is asked. */
#ifndef VEDETTE_SERVER_MATCH_PACE_H
#define VEDETTE_SERVER_MATCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/store/orders.h"

struct buf;
struct cJSON;
struct flight;
struct lines_write;
struct match;
struct matches;
struct why;

struct held {
    struct held *next;
    struct held_row row;
    struct cJSON *action;
};

/* When what the seat is asked is shown at the earliest; 0: it is not asked, or nothing is paced. */
int64_t pace_due(const struct match *match, unsigned seat);
/* Whether the action must be held: there are such answers already, or it would tell the public
 * something before its time. */
bool pace_holds(struct matches *matches, const struct match *match, unsigned seat,
                const struct cJSON *action, int64_t at);
/* Holds it, if it is legal behind what is held already. version, entry: of the orders it is by; 0:
 * by hand. plain: it must neither draw nor be sealed, as core_act. Refusals as core_act, CONFLICT
 * "held": what comes before it draws, so nothing more can be judged until that is shown. */
enum err pace_hold(struct matches *matches, struct match *match, struct flight *flight,
                   unsigned seat, const struct cJSON *action, bool plain, int64_t at,
                   int64_t version, unsigned entry, struct why *why) VD_CHECKED;
/* Whether it would be taken behind what is held, and nothing changes. */
enum err pace_try(struct matches *matches, const struct match *match, unsigned seat,
                  const struct cJSON *first, unsigned count, struct why *why) VD_CHECKED;

/* Makes `ahead` anew from the newest state and what is held; what no longer fits is dropped, with
 * all behind it. flight NULL: nothing is written (a core that was just loaded). */
void pace_refresh(struct matches *matches, struct match *match, struct flight *flight);
/* A list of them. */
void pace_free(struct held *take_held);
/* The next answer that is due becomes a line of the flight. out_found: there was one. INTERNAL: the
 * match is spoilt. */
enum err pace_next(struct flight *flight, struct lines_write *write, bool *out_found) VD_CHECKED;
/* Drops what was held from that number on. */
void pace_drop(struct match *match, uint64_t from);
/* What is held is due: it becomes lines. INTERNAL: the match is spoilt. */
bool pace_is_due(const struct matches *matches, const struct match *match);
enum err pace_release(struct matches *matches, struct match *match) VD_CHECKED;
/* Does so for all that is due by now, each after what was due before it by the clock: which says
 * that the time for an answer is over, as it does where the answer comes later by hand. The match
 * has a core, and may be spoilt then. */
void pace_catch_up(struct matches *matches, struct match *match);

/* A member of that name, for a seat that is asked something: {"asked","until","given"}. */
void pace_write_answer(const struct match *match, unsigned seat, const char *name, struct buf *out);
/* Tells those who look as a seat that is asked: what is held has changed. */
void pace_tell(struct matches *matches, struct match *match);
/* Something held is due then: looks again. */
void pace_expect(struct matches *matches, int64_t due);
void pace_close(struct matches *matches);

#endif
