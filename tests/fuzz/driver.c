/* tests/fuzz/driver.c: runs a target without libFuzzer: found inputs, seeds, then mutations for a
 * while.
 *
 * With files as arguments it runs those and nothing else. VEDETTE_FUZZ_SECONDS: how long (8).
 * VEDETTE_FUZZ_SEED: where the mutations begin (told; by itself another each time). An input that
 * fails is saved in the working folder or VEDETTE_FUZZ_SAVE. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum { CORPUS_MAX = 8192, FEATURES = 8192, HANG_S = 60 };
extern uint8_t fuzz_features[FEATURES];
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static struct {
    uint8_t *data;
    size_t n;
} corpus[CORPUS_MAX];
static unsigned corpus_count;
static uint8_t seen[FEATURES];
static const uint8_t *running;
static size_t running_n;
static char save_path[512];
static unsigned long runs;

static void save(void)
{
    if (running == NULL) { return; }
    const int file = open(save_path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (file < 0) { return; }
    const bool good = write(file, running, running_n) == (ssize_t)running_n;
    (void)close(file);
    static const char saved[] = "the input that failed is saved: ";
    if (good && write(STDERR_FILENO, saved, sizeof saved - 1) > 0) {
        (void)!write(STDERR_FILENO, save_path, strlen(save_path));
        (void)!write(STDERR_FILENO, "\n0 passed, 1 failed\n", 20);
    }
    running = NULL;
}

static void on_signal(int number)
{
    save();
    (void)signal(number, SIG_DFL);
    (void)raise(number == SIGALRM ? SIGABRT : number);
}

/* In a block of its own size, so that what reads past it is found. */
static bool run(const uint8_t *data, size_t n)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    if (copy == NULL) { return false; }
    if (n > 0) { memcpy(copy, data, n); }
    running = copy;
    running_n = n;
    memset(fuzz_features, 0, sizeof fuzz_features);
    (void)alarm(HANG_S);
    (void)LLVMFuzzerTestOneInput(copy, n);
    running = NULL;
    free(copy);
    runs++;
    bool news = false;
    for (size_t i = 0; i < FEATURES; i++) {
        if (fuzz_features[i] != 0 && seen[i] == 0) {
            seen[i] = 1;
            news = true;
        }
    }
    return news;
}

static void keep(const uint8_t *data, size_t n)
{
    if (corpus_count == CORPUS_MAX) { return; }
    uint8_t *copy = malloc(n + 1);
    if (copy == NULL) { return; }
    memcpy(copy, data, n);
    corpus[corpus_count].data = copy;
    corpus[corpus_count++].n = n;
}

static unsigned added;
static void add_seed(const char *text, size_t n)
{
    if (n > FUZZ_BYTES_MAX) { return; }
    (void)run((const uint8_t *)text, n);
    keep((const uint8_t *)text, n);
    mutate_pool_add(text, n);
    added++;
}

static void add_found(const char *text, size_t n)
{
    (void)run((const uint8_t *)text, n);
    added++;
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void mutate_for(double seconds, uint64_t seed)
{
    static uint8_t data[FUZZ_BYTES_MAX];
    const int64_t end = now_ms() + (int64_t)(seconds * 1000);
    uint64_t random = seed;
    while (corpus_count > 0 && now_ms() < end) {
        /* what was found new of late more often */
        unsigned at = mutate_below(&random, corpus_count);
        if (mutate_below(&random, 2) == 0) {
            const unsigned late = corpus_count < 64 ? corpus_count : 64;
            at = corpus_count - 1 - mutate_below(&random, late);
        }
        memcpy(data, corpus[at].data, corpus[at].n);
        const size_t n = mutate(data, corpus[at].n, sizeof data, &random);
        if (run(data, n)) { keep(data, n); }
    }
}

static unsigned long long number(const char *name, unsigned long long otherwise)
{
    const char *text = getenv(name);
    return text == NULL || text[0] == '\0' ? otherwise : strtoull(text, NULL, 10);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("VEDETTE_FUZZ_SAVE");
    (void)snprintf(save_path, sizeof save_path, "%s/failed-%s-%d", folder == NULL ? "." : folder,
                   FUZZ_NAME, (int)getpid());
    (void)signal(SIGABRT, on_signal);
    (void)signal(SIGSEGV, on_signal);
    (void)signal(SIGALRM, on_signal);
    if (__sanitizer_set_death_callback != NULL) { __sanitizer_set_death_callback(save); }
    (void)LLVMFuzzerInitialize(&argc, &argv);
    if (argc > 1) {
        for (int i = 1; i < argc; i++) {
            size_t n = 0;
            char *text = seeds_file(argv[i], &n);
            if (text == NULL) {
                fprintf(stderr, "no file %s\n", argv[i]);
                return 1;
            }
            printf("%s\n", argv[i]);
            (void)fflush(stdout);
            (void)run((const uint8_t *)text, n);
            free(text);
        }
        printf("%d passed, 0 failed\n", argc - 1);
        return 0;
    }
    const uint64_t seed =
        number("VEDETTE_FUZZ_SEED", (uint64_t)time(NULL) * 1000003U + (uint64_t)getpid());
    const char *seconds = getenv("VEDETTE_FUZZ_SECONDS");
    printf("%s: seed %llu\n", FUZZ_NAME, (unsigned long long)seed);
    (void)fflush(stdout);
    seeds_folder(FUZZ_FOUND, add_found);
    const unsigned found = added;
    fuzz_seeds(add_seed);
    const unsigned seeds = added - found;
    mutate_for(seconds == NULL ? 8.0 : strtod(seconds, NULL), seed);
    (void)alarm(0);
    printf("%u found inputs, %u seeds, %u kept, %lu runs\n", found, seeds, corpus_count - seeds,
           runs);
    for (unsigned i = 0; i < corpus_count; i++) {
        free(corpus[i].data);
    }
    printf("%u passed, 0 failed\n", found + 2);
    return 0;
}
