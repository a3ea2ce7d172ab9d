/* tests/fuzz/t_import.c: `vedetted import` on files from who knows where: what an export of a match
 * at play became after mutation is taken in or refused with a sentence, and what was taken in comes
 * out again as it is.
 *
 * The oracle's daemon is included whole, to have a match to export. */
#include "tests/oracle/daemon.c"

#include <sqlite3.h>
#include <sys/stat.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/forms.h"
#include "server/base/log.h"
#include "server/match/carry.h"
#include "server/store/backup.h"
#include "tests/fuzz/fuzz.h"

enum { EXPORTS = 3, TEXT_MAX = 1 << 20 };

static struct buf exported[EXPORTS];
static char folder[64], path[96];
static uint8_t *empty; /* a database without matches */
static size_t empty_n;

/* --- matches to export ----------------------------------------------------------------------- */

static const char *ask(struct world *world, unsigned client, const char *method, const char *params)
{
    char *frame = NULL;
    if (asprintf(&frame, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}", method,
                 params) < 0) {
        abort();
    }
    world_forget(world);
    world_send(world, client, frame, false);
    world_settle(world);
    free(frame);
    for (const char *at = world_heard(world, client); *at != '\0'; at += strcspn(at, "\n") + 1) {
        if (strncmp(at, "{\"jsonrpc\":\"2.0\",\"id\":1,", 24) == 0) { return at; }
    }
    return "";
}

static unsigned below(void *random, unsigned n)
{
    return mutate_below(random, n);
}

/* A seat does something, if it may. */
static void play_line(struct world *world, const char *match, unsigned seat, uint64_t *random)
{
    struct forms_random source = {below, random};
    struct buf params;
    char look[64];
    cJSON *answer = NULL;
    buf_init(&params, TEXT_MAX);
    (void)snprintf(look, sizeof look, "\"match\":\"%s\"", match);
    const char *text = ask(world, seat, "match.view", look);
    FUZZ_MUST(json_parse(text, strcspn(text, "\n"), &answer) == ERR_OK, text);
    const cJSON *view = json_get(answer, "result");
    const cJSON *forms = json_get(view, "actions"), *seq = json_get(view, "seq");
    if (cJSON_GetArraySize(forms) > 0) {
        buf_append_str(&params, look);
        buf_append_str(&params, ",\"seq\":");
        jw_int(&params, (int64_t)seq->valuedouble);
        buf_append_str(&params, ",\"action\":");
        FUZZ_MUST(forms_pick(forms, &source, &params) == ERR_OK, "a pick");
        (void)ask(world, seat, "match.act", buf_str(&params));
    }
    cJSON_Delete(answer);
    buf_finish(&params);
}

/* From a copy, which no daemon holds: it would have to tell the players first. */
static void export_copy(const char *database, const char *match, struct buf *out)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
    char copy[256], name[300], error[256] = "";
    (void)snprintf(copy, sizeof copy, "%.200s-copy", database);
    FUZZ_MUST(store_backup(database, copy, error) == ERR_OK, error);
    FUZZ_MUST(carry_export(copy, match, out, error) == ERR_OK, error);
    for (unsigned i = 0; i < 4; i++) {
        (void)snprintf(name, sizeof name, "%s%s", copy, ends[i]);
        (void)unlink(name);
    }
}

static void make_export(struct world *world, unsigned number, uint64_t *random)
{
    static const unsigned lines[EXPORTS] = {0, 40, 90};
    char match[16], params[128];
    const char *made = ask(world, 0, "match.create",
                           "\"game\":\"waterloo\",\"seat\":\"FR\",\"options\":{\"turns\":24}");
    const char *at = strstr(made, "\"match\":\"");
    FUZZ_MUST(at != NULL, made);
    (void)snprintf(match, sizeof match, "%.10s", at + 9);
    (void)snprintf(params, sizeof params, "\"match\":\"%s\"", match);
    (void)ask(world, 1, "match.join", params);
    for (unsigned i = 0; i < lines[number]; i++) {
        play_line(world, match, i % 2, random);
    }
    world_settle(world);
    buf_init(&exported[number], FUZZ_BYTES_MAX);
    export_copy(world_path(world), match, &exported[number]);
}

static void clean_up(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
    char name[128];
    for (unsigned i = 0; i < 4; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
    (void)rmdir(folder);
}

/* --- the target ------------------------------------------------------------------------------ */

static void make_empty(void)
{
    struct world *world = world_open(0, games);
    const char *from = world->path;
    char copy[128];
    (void)snprintf(copy, sizeof copy, "%s", from);
    /* closed in good order nothing is left in the journal, but the file goes too: read it before */
    world_settle(world);
    sqlite3 *db = NULL;
    FUZZ_MUST(sqlite3_open(copy, &db) == SQLITE_OK, "the database");
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);
    FUZZ_MUST(bytes != NULL, "the database");
    empty = malloc((size_t)size);
    FUZZ_MUST(empty != NULL, "memory");
    memcpy(empty, bytes, (size_t)size);
    empty_n = (size_t)size;
    sqlite3_free(bytes);
    (void)sqlite3_close(db);
    (void)world_close(world);
}

static void put_empty(void)
{
    clean_up();
    (void)mkdir(folder, 0700);
    FILE *file = fopen(path, "we");
    FUZZ_MUST(file != NULL && fwrite(empty, 1, empty_n, file) == empty_n && fclose(file) == 0,
              path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const names[] = {"Napoleon", "Wellington"};
    uint64_t random = 5;
    log_set_level(LOG_ERROR);
    char params[128];
    (void)argc;
    (void)argv;
    struct world *world = world_open(0, games);
    for (unsigned i = 0; i < 2; i++) {
        world_connect(world, i);
        (void)snprintf(params, sizeof params, "\"name\":\"%s\",\"password\":\"waterloo 1815\"",
                       names[i]);
        (void)ask(world, i, "account.register", params);
    }
    for (unsigned i = 0; i < EXPORTS; i++) {
        make_export(world, i, &random);
    }
    (void)world_close(world);
    make_empty();
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    (void)snprintf(folder, sizeof folder, "%s/vedette-import-%d", base, (int)getpid());
    (void)snprintf(path, sizeof path, "%s/vedette.db", folder);
    for (unsigned i = 0; i < EXPORTS; i++) { /* what cannot come in as it is is no seed */
        struct carried carried;
        char error[256] = "";
        put_empty();
        FUZZ_MUST(carry_import(path, buf_str(&exported[i]), exported[i].len, NULL, &carried,
                               error) == ERR_OK,
                  error);
    }
    put_empty();
    (void)atexit(clean_up);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct carried carried;
    char error[256] = "";
    char *copy = malloc(size > 0 ? size : 1); /* in a block of its own size */
    FUZZ_MUST(copy != NULL, "memory");
    memcpy(copy, data, size);
    enum err err = carry_import(path, copy, size, NULL, &carried, error);
    fuzz_feature_text((unsigned)err, error);
    FUZZ_MUST(err == ERR_OK || error[0] != '\0', err_kind(err));
    FUZZ_MUST(err != ERR_INTERNAL && err != ERR_STORAGE_FAILED, error);
    if (err == ERR_OK) {
        struct buf again;
        buf_init(&again, FUZZ_BYTES_MAX * 2);
        FUZZ_MUST(carry_export(path, carried.id.text, &again, error) == ERR_OK, error);
        buf_finish(&again);
        put_empty();
    }
    free(copy);
    return 0;
}

void fuzz_seeds(fuzz_add_fn *add)
{
    for (unsigned i = 0; i < EXPORTS; i++) {
        add(buf_str(&exported[i]), exported[i].len);
    }
}
