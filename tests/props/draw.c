/* tests/props/draw.c: see draw.h. */
#include "tests/props/draw.h"

uint64_t draw_next(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

unsigned draw_below(void *random, unsigned n)
{
    return (unsigned)(draw_next(random) % n);
}
