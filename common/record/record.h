/* common/record/record.h: a whole record, read into its lines (FAIRNESS section 7). */
#ifndef VEDETTE_COMMON_RECORD_RECORD_H
#define VEDETTE_COMMON_RECORD_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "common/record/line.h"

/* The lines of the log, and what the last line of the file says. */
struct record {
    struct line *lines;
    size_t count;       /* of the lines of the log: line i has the number i */
    struct hash *heads; /* after each line, as S and the lines give them */
    struct hash secret; /* S */
    struct hash head;   /* as the last line of the file has it */
    char *marks;        /* MARK_CHARS for each line, as the last line of the file has them */
};

/* Step 1 of a verifier: the form of each line, n counting up by one. text is borrowed until it
 * returns. INVALID_PARAMS: a line is no line; out_line tells which (count: the last of the file),
 * why says why. out_record: for record_finish, on ERR_OK only. */
enum err record_read(const char *text, size_t len, struct record *out_record, uint64_t *out_line,
                     struct why *out_why) VD_CHECKED;
void record_finish(struct record *record);

/* What became of a seat's nonce. */
enum record_nonce { NONCE_WAIVED, NONCE_OPENED, NONCE_LOST, NONCE_KEPT };
/* Index of a seat by its code, -1: none. */
int record_seat(const struct record *record, const char *code);
/* The nonce of a seat, and whether it was opened, lost, waived, or never asked for. */
enum record_nonce record_nonce(const struct record *record, unsigned seat, struct hash *out_nonce);
/* K, of all nonces that were opened (FAIRNESS section 3). */
void record_dice_key(const struct record *record, struct hash *out_key);

#endif
