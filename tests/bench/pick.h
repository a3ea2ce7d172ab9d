/* tests/bench/pick.h: a random pick from action forms straight from their text, so that a load of
 * thousands of actions a second costs its driver next to nothing. The client's own picker
 * (common/protocol) builds trees. */
#ifndef VEDETTE_TESTS_BENCH_PICK_H
#define VEDETTE_TESTS_BENCH_PICK_H

#include <stddef.h>
#include <stdint.h>

struct buf;

/* Appends to out an action picked from the array of forms at text (PROTOCOL section 5).
 * text: trusted JSON without white space, as the server writes it. random: the state of the
 * generator. */
void pick_action(const char *text, uint64_t *random, struct buf *out);

/* Past the value that begins at text. */
const char *skip_value(const char *text);

#endif
