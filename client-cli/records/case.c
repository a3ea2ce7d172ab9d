/* client-cli/records/case.c: `vedette case FILE...`: runs case files. Links the rules, needs no
 * server. */
#include "client-cli/records/case.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/rules/case.h"

enum { FILE_BYTES_MAX = 16 << 20, WHY_BYTES_MAX = 1 << 16 };

struct tally {
    unsigned passed, failed;
};

static void report(struct tally *tally, const char *name, const char *why)
{
    if (why == NULL) {
        tally->passed++;
        (void)printf("passed  %s\n", name);
    } else {
        tally->failed++;
        (void)printf("FAILED  %s: %s\n", name, why);
    }
}

static void run_one(cJSON *json, const char *file, struct tally *tally)
{
    const cJSON *title = json_get(json, "case");
    const char *name = cJSON_IsString(title) ? title->valuestring : file;
    struct buf why;
    buf_init(&why, WHY_BYTES_MAX);
    bool good = case_run(json, &why);
    report(tally, name, good ? NULL : buf_str(&why));
    buf_finish(&why);
}

static bool read_file(const char *path, struct buf *out)
{
    char part[65536];
    size_t n = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    while ((n = fread(part, 1, sizeof part, file)) > 0) {
        buf_append(out, part, n);
    }
    bool good = ferror(file) == 0;
    (void)fclose(file);
    return good && !out->failed;
}

/* A file holds one case or a list of them. */
static void run_file(const char *path, struct tally *tally)
{
    struct buf text;
    cJSON *json = NULL;
    buf_init(&text, FILE_BYTES_MAX);
    if (!read_file(path, &text)) {
        report(tally, path, "cannot be read");
    } else if (json_parse(buf_str(&text), text.len, &json) != ERR_OK) {
        report(tally, path, "is no JSON");
    } else if (cJSON_IsArray(json)) {
        for (cJSON *i = json->child; i != NULL; i = i->next) {
            run_one(i, path, tally);
        }
    } else {
        run_one(json, path, tally);
    }
    cJSON_Delete(json);
    buf_finish(&text);
}

int cli_case(int argc, char **argv)
{
    struct tally tally = {0};
    if (argc < 1) {
        (void)fprintf(stderr, "usage: vedette case FILE...\n");
        return 2;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-?") == 0 ||
        strcmp(argv[0], "-h") == 0) {
        (void)puts(
            "Usage: vedette case FILE...\nRun case files against the rules\n\n"
            "A file holds a case or an array of cases: a position, actions, and what must come of "
            "them.\nHow they are written says the position.md of each game below schema/games. "
            "Needs no "
            "server.");
        return 0;
    }
    for (int i = 0; i < argc; i++) {
        run_file(argv[i], &tally);
    }
    (void)printf("%u passed, %u failed\n", tally.passed, tally.failed);
    return tally.failed == 0 ? 0 : 1;
}
