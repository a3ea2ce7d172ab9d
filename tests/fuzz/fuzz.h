/* tests/fuzz/fuzz.h: what a fuzz target has, and what it is given: by our own driver or by
 * libFuzzer. */
#ifndef VEDETTE_TESTS_FUZZ_FUZZ_H
#define VEDETTE_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* --- a target has --- */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Hands well-formed inputs to add: what mutations begin with. Called once, after Initialize. */
typedef void fuzz_add_fn(const char *text, size_t n);
void fuzz_seeds(fuzz_add_fn *add);

/* --- and may use --- */
/* Says that this input did something: inputs that do new things are kept and mutated further. */
void fuzz_feature(unsigned what);
void fuzz_feature_text(unsigned kind, const char *text);
/* A property does not hold: says so and aborts; the driver saves the input. */
_Noreturn void fuzz_fail(const char *what, const char *more);
#define FUZZ_MUST(condition, more)                                                                 \
    do {                                                                                           \
        if (!(condition)) { fuzz_fail(#condition, (more)); }                                       \
    } while (0)

/* --- mutations (mutate.c) --- */
enum { FUZZ_BYTES_MAX = 1 << 17 };
/* Input that later mutations may take parts of. */
void mutate_pool_add(const char *text, size_t n);
/* Changes data[0 .. size-1] in place, at most max bytes afterwards; returns the new size. Follows
 * from *random alone and the pool. Text is taken line by line; a line that holds JSON is changed as
 * JSON or as bytes. */
size_t mutate(uint8_t *data, size_t size, size_t max, uint64_t *random);
uint64_t mutate_random(uint64_t *random);
unsigned mutate_below(uint64_t *random, unsigned n);

/* --- seeds (seeds.c) --- */
/* Every file of a folder, whole. */
void seeds_folder(const char *folder, fuzz_add_fn *add);
/* The whole file for free(), NUL-terminated; NULL: there is none. */
char *seeds_file(const char *path, size_t *out_len);

#endif
