/* client-cli/records/record.c: `vedette record`: saves the record of a match that is open to all.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client-cli/records/proof.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

bool proof_read_file(const char *path, struct buf *out)
{
    char part[65536];
    size_t n = 0;
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "vedette: %s cannot be read: %s\n", path, strerror(errno));
        return false;
    }
    while ((n = fread(part, 1, sizeof part, file)) > 0) {
        buf_append(out, part, n);
    }
    bool good = ferror(file) == 0 && !out->failed;
    if (!good) {
        fprintf(stderr, "vedette: %s cannot be read: %s\n", path,
                out->failed ? "it is too long" : strerror(errno));
    }
    if (!standard) { (void)fclose(file); }
    return good;
}

static enum status save(const char *path, const char *text)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdout : fopen(path, "wb");
    bool good = file != NULL && fputs(text, file) >= 0;
    good = file != NULL && (standard ? fflush(file) : fclose(file)) == 0 && good;
    if (good) { return DONE; }
    fprintf(stderr, "vedette: %s cannot be written: %s\n", path, strerror(errno));
    return REFUSED;
}

enum status cli_record(struct cli *cli)
{
    if (strcmp(cli->args[0], "show") == 0) { return cli_record_show(cli); }
    if (cli->nargs > 1) {
        fprintf(stderr, "vedette: one match at a time\n");
        return WRONG_USAGE;
    }
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    char path[256];
    struct buf params;
    cJSON *result = NULL;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_object_end(&params);
    status = cli_call(cli, "match.record", buf_str(&params), &result);
    buf_finish(&params);
    const cJSON *record = json_get(result, "record");
    if (status == DONE && !cJSON_IsString(record)) {
        fprintf(stderr, "vedette: the server gave no record\n");
        status = REFUSED;
    }
    if (status == DONE) {
        /* The match is known to the server, so its id is a plain word. */
        snprintf(path, sizeof path, "%.200s.record", cli->args[0]);
        const char *to = cli->opt.output == NULL ? path : cli->opt.output;
        status = save(to, record->valuestring);
        if (status == DONE && cli->opt.json && strcmp(to, "-") != 0) {
            struct buf said;
            buf_init(&said, 4096);
            jw_object_begin(&said);
            jw_key_str(&said, "match", cli->args[0]);
            jw_key_str(&said, "file", to);
            jw_key_int(&said, "bytes", (int64_t)strlen(record->valuestring));
            jw_object_end(&said);
            cli_print_json_text(buf_str(&said));
            buf_finish(&said);
        } else if (status == DONE && strcmp(to, "-") != 0) {
            printf("Saved as %s; vedette verify %s proves it.\n", to, to);
        }
    }
    cJSON_Delete(result);
    return status;
}
