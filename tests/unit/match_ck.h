/* tests/unit/match_ck.h: what the tests of live matches assert of an answer. */
#ifndef VEDETTE_TESTS_UNIT_MATCH_CK_H
#define VEDETTE_TESTS_UNIT_MATCH_CK_H

#include <string.h>

#include <check.h>

#include "tests/unit/match_kit.h"

/* The call ended so; else the failure says what it came to. */
static inline void ck_err(const struct result *result, enum err err)
{
    ck_assert_msg(result->err == err, "%s (%s %s), not %s", err_kind(result->err), result->why.text,
                  result->why.reason, err_kind(err));
}

/* The text has that part. */
static inline void ck_has(const char *text, const char *part)
{
    ck_assert_msg(text != NULL && strstr(text, part) != NULL, "no %s in %s", part, text);
}

#endif
