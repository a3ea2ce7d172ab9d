/* common/record/verify.h: proves a record: form, chain, nonces, rolls, draws, rules, receipts
 * (FAIRNESS 7). */
#ifndef VEDETTE_COMMON_RECORD_VERIFY_H
#define VEDETTE_COMMON_RECORD_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/record/record.h"

struct game;

/* The steps in their order; the first that fails ends it. */
enum verify_step {
    VERIFY_NOTHING,
    VERIFY_FORM,
    VERIFY_CHAIN,
    VERIFY_NONCES,
    VERIFY_ROLLS,
    VERIFY_DRAWS,
    VERIFY_RULES,
    VERIFY_RECEIPTS,
    VERIFY_STEPS
};
/* "form", "chain", "nonces", "rolls", "draws", "rules", "receipts". */
const char *verify_step_name(enum verify_step step);

enum { VERIFY_NAME_BYTES = 65, VERIFY_CODE_BYTES = 17, VERIFY_WHY_BYTES = 320 };

/* A signed receipt with the public key that it names. */
struct signed_receipt {
    char match[VERIFY_NAME_BYTES], viewer[VERIFY_CODE_BYTES];
    uint64_t seq;
    struct hash head;
    int64_t at;
    uint8_t key[SIGN_PUBLIC_BYTES], signature[SIGNATURE_BYTES];
};
/* {"match","viewer","seq","chain","time","signature","key"}, as match.receipt gives it and a client
 * keeps it, one a line. INVALID_PARAMS: why says which member. */
enum err signed_receipt_read(const char *text, size_t len, struct signed_receipt *out_receipt,
                             struct why *out_why) VD_CHECKED;

struct verify_options {
    const struct game *const *games; /* ended by NULL; NULL: without rules */
    const struct signed_receipt *receipts;
    size_t receipt_count;
};

struct verdict {
    bool good;
    bool checked[VERIFY_STEPS]; /* which steps were gone through, and hold */
    bool result_follows; /* the result follows from the rules (else the host's word ended the match)
                          */
    enum verify_step failed; /* VERIFY_NOTHING: none */
    uint64_t line;  /* the first line that fails, counted from 0; also of the last of the file */
    bool last_line; /* it is the last of the file, the one with the key */
    size_t receipt; /* with VERIFY_RECEIPTS: which one, from 0 */
    char why[VERIFY_WHY_BYTES];      /* a sentence */
    char no_rules[VERIFY_WHY_BYTES]; /* why the rules were not checked; "" */
    /* what the record says of itself, once its form was found good */
    char match[VERIFY_NAME_BYTES], game[VERIFY_NAME_BYTES], how[VERIFY_CODE_BYTES];
    uint32_t rules;
    unsigned seats;
    char codes[LINE_SEATS_MAX][VERIFY_CODE_BYTES];
    enum record_nonce nonces[LINE_SEATS_MAX];
    uint64_t lines, rolls, draws, undone, rewound;
};

/* Verifies text[0..len-1]. INTERNAL: out of memory. Anything else is OK and stands in the verdict.
 */
enum err verify_record(const char *text, size_t len, const struct verify_options *options,
                       struct verdict *out_verdict) VD_CHECKED;

#endif
