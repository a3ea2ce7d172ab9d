/* tests/props/draw.h: numbers from a seed (splitmix64), for tests that play at random. */
#ifndef VEDETTE_TESTS_PROPS_DRAW_H
#define VEDETTE_TESTS_PROPS_DRAW_H

#include <stdint.h>

uint64_t draw_next(uint64_t *random);
/* From 0 to n - 1; random is the uint64_t, as forms_random wants it. */
unsigned draw_below(void *random, unsigned n);

#endif
