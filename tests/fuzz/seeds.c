/* tests/fuzz/seeds.c: reads the files that mutations begin with; and what targets report. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { NAMES_MAX = 1024, FEATURES = 8192 };

/* libFuzzer reads this section by itself. */
__attribute__((section("__libfuzzer_extra_counters"))) uint8_t fuzz_features[FEATURES];

void fuzz_feature(unsigned what)
{
    fuzz_features[(what * 2654435761U) >> 19] = 1;
}

void fuzz_feature_text(unsigned kind, const char *text)
{
    unsigned hash = kind * 31U + 17U;
    for (; *text != '\0'; text++) {
        hash = hash * 33U ^ (unsigned char)*text;
    }
    fuzz_feature(hash);
}

void fuzz_fail(const char *what, const char *more)
{
    fprintf(stderr, "does not hold: %s: %s\n", what, more == NULL ? "" : more);
    abort();
}

char *seeds_file(const char *path, size_t *out_len)
{
    FILE *file = fopen(path, "re");
    char *text = malloc(FUZZ_BYTES_MAX + 1);
    if (file == NULL || text == NULL) {
        if (file != NULL) { (void)fclose(file); }
        free(text);
        return NULL;
    }
    *out_len = fread(text, 1, FUZZ_BYTES_MAX, file);
    text[*out_len] = '\0';
    (void)fclose(file);
    return text;
}

void seeds_folder(const char *folder, fuzz_add_fn *add)
{
    struct dirent **names = NULL;
    char path[4096];
    const int count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        size_t n = 0;
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        char *text = names[i]->d_name[0] == '.' ? NULL : seeds_file(path, &n);
        if (text != NULL) { add(text, n); }
        free(text);
        free(names[i]);
    }
    free(names);
}
