/* server/match/ladder.h: what follows when a seat's time is over: what happens by itself, and what
 * the others may claim. What it means for the match is the game's to say (game->leave). */
#ifndef VEDETTE_SERVER_MATCH_LADDER_H
#define VEDETTE_SERVER_MATCH_LADDER_H

#include <stdint.h>

struct clock_event;
struct flight;
struct match;
struct match_id;
struct matches;
struct play_clock;
struct task;

/* Something is due in the match: it is loaded if need be, and what is due happens: events of its
 * clock, offers that are carried out by themselves, the reveal of an end on time. */
void ladder_look(struct matches *matches, const struct match_id *id);
/* A task of the match was refused since it could not be read: if it was to look at what is due, it
 * looks again after a while, for nobody else does. */
void ladder_refused(struct matches *matches, const struct match *match, const struct task *task);
/* All that is due in the match up to then happens; it has a core. */
void ladder_until(struct matches *matches, struct match *match, int64_t until);
/* The flight tells whoever holds the seat that its deadline comes. */
void ladder_remind(struct flight *flight, const struct play_clock *play,
                   const struct clock_event *event);
/* Seats that the ladder offers to others or gives to a caretaker, and that are not yet: it is asked
 * for, again and again until it is done. */
void ladder_hands(struct matches *matches, struct match *match);

#endif
