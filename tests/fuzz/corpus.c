/* tests/fuzz/corpus.c: libFuzzer's side: before it begins the seeds are written where it looks for
 * them. VEDETTE_FUZZ_SEEDS names an empty folder; then the target writes its seeds there and ends.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

static const char *folder;
static unsigned written;

static void write_seed(const char *text, size_t n)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%05u", folder, written++);
    FILE *file = fopen(path, "we");
    if (file == NULL || fwrite(text, 1, n, file) != n || fclose(file) != 0) { abort(); }
}

__attribute__((constructor)) static void write_seeds(void)
{
    folder = getenv("VEDETTE_FUZZ_SEEDS");
    if (folder == NULL) { return; }
    (void)LLVMFuzzerInitialize(NULL, NULL);
    fuzz_seeds(write_seed);
    printf("%u seeds\n", written);
    exit(0);
}
