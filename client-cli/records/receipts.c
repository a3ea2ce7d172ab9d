/* client-cli/records/receipts.c: signed receipts, a file for each match, one line each (FAIRNESS
 * 6). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client-cli/records/proof.h"
#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/verify.h"
#include "common/words/words.h"

bool receipts_path(const char *match, char *out, size_t bytes)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    bool own = config != NULL && config[0] == '/';
    size_t n = strspn(match, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (n == 0 || match[n] != '\0') { return false; }
    int len = snprintf(out, bytes, "%s%s/vedette/receipts/%s.jsonl",
                       own            ? config
                       : home == NULL ? ""
                                      : home,
                       own ? "" : "/.config", match);
    return len > 0 && (size_t)len < bytes;
}

/* Makes the folders above path. */
static void make_folders(char *path)
{
    for (char *slash = path + 1; *slash != '\0'; slash++) {
        if (*slash != '/') { continue; }
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

/* True when the last line of the file is this one already: nothing has happened since. */
static bool is_last(int fd, const char *start, size_t n)
{
    char tail[4096];
    off_t size = lseek(fd, 0, SEEK_END);
    off_t from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
    ssize_t got = pread(fd, tail, sizeof tail, from);
    if (got < 2) { return false; }
    ssize_t at = got - 1;
    while (at > 0 && tail[at - 1] != '\n') {
        at--;
    }
    return (size_t)(got - at) > n && memcmp(tail + at, start, n) == 0;
}

/* A receipt is worth what its signature is, and the key is the server's own. */
static void check_receipt(const struct keep *keep, const struct buf *line)
{
    struct signed_receipt one;
    struct why why;
    struct buf text;
    why_clear(&why);
    buf_init(&text, 4096);
    bool good = signed_receipt_read(line->data, line->len - 1, &one, &why) == ERR_OK;
    if (good) {
        const struct receipt said = {one.match, one.viewer, one.seq, one.head, one.at};
        good = receipt_verify(&said, one.key, one.signature);
    }
    if (!good) {
        words_say(&text, "cli.fair.bad_receipt", NULL);
    } else {
        char key[KEEP_B64];
        b64_encode(key, one.key, sizeof one.key);
        if (keep_server_key(keep, key) == KEY_OTHER) {
            words_say(&text, "cli.fair.other_key", "server", keep->server, NULL);
        }
    }
    if (text.len > 0) { fprintf(stderr, "vedette: %s\n", buf_str(&text)); }
    buf_finish(&text);
}

void receipts_add(const struct keep *keep, const cJSON *receipt)
{
    char path[PATH_MAX];
    const cJSON *match = json_get(receipt, "match");
    if (!cJSON_IsString(match) || !receipts_path(match->valuestring, path, sizeof path)) { return; }
    make_folders(path);
    struct buf line;
    buf_init(&line, 4096);
    jw_value(&line, receipt);
    buf_append_char(&line, '\n');
    if (!line.failed) { check_receipt(keep, &line); }
    int fd = line.failed ? -1 : open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    /* Up to the time: two receipts of one step say the same. */
    const char *time = strstr(buf_str(&line), ",\"time\":");
    if (fd >= 0 && (time == NULL || !is_last(fd, line.data, (size_t)(time - line.data)))) {
        if (write(fd, line.data, line.len) != (ssize_t)line.len) {
            fprintf(stderr, "vedette: the receipt cannot be kept: %s\n", strerror(errno));
        }
    }
    if (fd >= 0) { (void)close(fd); }
    buf_finish(&line);
}

void receipts_keep(struct cli *cli, const char *match, const char *as)
{
    if (conn_state(cli->conn) != CONN_UP) { return; }
    conn_set_patience(cli->conn, false);
    struct buf params;
    cJSON *result = NULL, *error = NULL;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", match);
    if (as != NULL) { jw_key_str(&params, "as", as); }
    jw_object_end(&params);
    conn_call_wait(cli->conn, "match.receipt", buf_str(&params), &result, &error);
    if (result != NULL) { receipts_add(&cli->keep, result); }
    buf_finish(&params);
    cJSON_Delete(result);
    cJSON_Delete(error);
}
