/* tests/oracle/reach.h: whether a game's twins reach everything that a viewer may not know. */
#ifndef VEDETTE_TESTS_ORACLE_REACH_H
#define VEDETTE_TESTS_ORACLE_REACH_H

#include <stdint.h>

/* Draws twins along matches from that seed; prints what varies, and "N passed, N failed": a fact
 * that never takes another value for a viewer who may not know it is a failure. */
int reach_run(uint64_t seed, unsigned matches);

#endif
