/* server/match/diff.h: a JSON Merge Patch (RFC 7396) from one text to another, both of our own
 * writer. */
#ifndef VEDETTE_SERVER_MATCH_DIFF_H
#define VEDETTE_SERVER_MATCH_DIFF_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Appends the patch that makes text b of text a: both objects, without white space, without null
 * and without a member twice, at most JSON_DEPTH_MAX deep. False: one is not that; then out is as
 * it was. */
bool diff_write(const char *a, size_t a_len, const char *b, size_t b_len, struct buf *out);

#endif
