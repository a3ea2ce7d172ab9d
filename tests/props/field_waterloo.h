/* tests/props/field_waterloo.h: where random matches of Waterloo begin, and what in them leads to
 * battle; for the properties and for the oracle. */
#ifndef VEDETTE_TESTS_PROPS_FIELD_WATERLOO_H
#define VEDETTE_TESTS_PROPS_FIELD_WATERLOO_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/rules/game.h"

/* Options by seed, static: two and three seats, both optional rules, short and full matches. */
const char *field_waterloo_options(uint64_t seed);
/* A position in the field by seed, static: the armies in a few large stacks close to each other and
 * some blocks worn, for battles from the first turn on; on the small board of the rules page or on
 * the real one. */
const char *field_waterloo_start(uint64_t seed, bool fixture);
/* How much a form leads to battle: play without it wanders about and never fights. */
unsigned field_waterloo_taste(const struct state *s, const cJSON *form);

#endif
