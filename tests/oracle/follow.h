/* tests/oracle/follow.h: an observer who remembers everything does no better than counting allows
 * (W20.2). */
#ifndef VEDETTE_TESTS_ORACLE_FOLLOW_H
#define VEDETTE_TESTS_ORACLE_FOLLOW_H

#include <stdint.h>

/* Follows pairs of blocks through so many random matches; prints what came of it and returns the
 * exit status. */
int follow_run(uint64_t seed, unsigned matches);

#endif
