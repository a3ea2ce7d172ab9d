/* server/match/depart.h: accounts that are no more leave the running matches they sit in, as the
 * match says: the seat is offered to others or given to a caretaker where its ladder knows that,
 * else it resigns. */
#ifndef VEDETTE_SERVER_MATCH_DEPART_H
#define VEDETTE_SERVER_MATCH_DEPART_H

struct matches;

/* Looks for seats of running matches whose account does not exist any more (at the start of the
 * daemon, and when one was deleted), and lets each leave. What a seat has lent stays with who has
 * it. Nothing is told but by the lines this makes; what fails is tried at the next look. */
void matches_depart(struct matches *matches);

#endif
