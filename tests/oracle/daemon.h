/* tests/oracle/daemon.h: the whole daemon within a test: its own net, lobby, matches and store on a
 * loop of its own, clients in place of sockets, a clock and random numbers that the test sets. */
#ifndef VEDETTE_TESTS_ORACLE_DAEMON_H
#define VEDETTE_TESTS_ORACLE_DAEMON_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/rules/game.h"

struct world;

/* Opens it on an empty database. list: the games as the matches and the lobby see them. Two worlds
 * that are given the same calls make the same ids, tokens and secrets. */
struct world *world_open(unsigned number, const struct game *const *list);
/* Returns how often a match was read back from the store. */
uint64_t world_close(struct world *take_world);

/* A client connects, and disconnects. Clients are numbered by the caller, from 0. */
enum { WORLD_CLIENTS = 16 };
void world_connect(struct world *world, unsigned client);
void world_disconnect(struct world *world, unsigned client);
/* Sends one frame. waits: its answer may come much later (match.wait). */
void world_send(struct world *world, unsigned client, const char *frame, bool waits);
/* Runs until all answers but the waiting ones are there, all lines durable and all pushes written.
 */
void world_settle(struct world *world);
/* From here on the send of that number fails: it is refused, or taken and lost (the connection ends
 * in both cases), or the socket is full when it is due. */
enum send_fault { SEND_SOUND, SEND_REFUSED, SEND_LOST, SEND_CHOKED };
void world_fail_send(struct world *world, enum send_fault fault, unsigned long at);
/* Sends of that kind since. */
unsigned long world_sends(const struct world *world);
bool world_is_open(const struct world *world, unsigned client);
/* Called with each message as it arrives, whole. */
typedef void world_hear_fn(unsigned client, const char *text, size_t len);
void world_on_hear(struct world *world, world_hear_fn *told);
/* Where its database is. */
const char *world_path(const struct world *world);
/* All matches go to rest: the next call reads its match back from the store. */
void world_rest(struct world *world);
/* The clock: ms since 1970. */
void world_set_clock(struct world *world, int64_t now);
/* From here on random numbers follow from the seed. */
void world_set_random(struct world *world, uint64_t seed);

/* All that the client was sent since world_forget, but for answers to calls with the id "fence":
 * one message a line, with the heads of chains, signatures and the times of the system's clock
 * blotted out. */
const char *world_heard(const struct world *world, unsigned client);
void world_forget(struct world *world);
/* The last message without what is blotted out; "" none since world_forget. */
const char *world_last(const struct world *world, unsigned client);
/* seq of the newest view that was pushed to the client. */
int64_t world_seq(const struct world *world, unsigned client);

#endif
