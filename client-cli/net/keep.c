/* client-cli/net/keep.c: files that are only ever added to, each written and synced before it
 * counts.
 */
#include "client-cli/net/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/record/line.h"

enum { FILE_BYTES_MAX = 64 << 20, NONCE_BYTES_MAX = 1 << 16 };

bool keep_open(const struct url *url, struct keep *out_keep)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    bool own = config != NULL && config[0] == '/';
    int n = snprintf(out_keep->dir, sizeof out_keep->dir, "%s%s/vedette",
                     own            ? config
                     : home == NULL ? ""
                                    : home,
                     own ? "" : "/.config");
    if (n < 0 || (size_t)n >= sizeof out_keep->dir) { return false; }
    n = snprintf(out_keep->server, sizeof out_keep->server, "%s_%d", url->host, url->port);
    if (n < 0 || (size_t)n >= sizeof out_keep->server) { return false; }
    for (char *c = out_keep->server; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '.' || *c == '-';
        if (!plain) { *c = '_'; }
    }
    return true;
}

/* A name from the server becomes a name of a file only if it is plain. */
static bool is_plain(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n > 0 && n <= 64 && name[n] == '\0';
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

/* The names in the folder of path are on the disk. */
static bool sync_folder(const char *path)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) { return false; }
    *slash = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) { return false; }
    bool good = fsync(fd) == 0;
    (void)close(fd);
    return good;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) { continue; }
        if (done <= 0) { return false; }
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

/* All of the file from its beginning. */
static bool read_fd(int fd, struct buf *out)
{
    char chunk[8192];
    off_t at = 0;
    for (;;) {
        ssize_t n = pread(fd, chunk, sizeof chunk, at);
        if (n < 0 && errno == EINTR) { continue; }
        if (n < 0) { return false; }
        if (n == 0) { return !out->failed; }
        buf_append(out, chunk, (size_t)n);
        at += n;
    }
}

/* Calls line for each whole line that is a JSON object; an unended one at the end was never whole.
 */
static size_t each_line(const struct buf *text, void (*line)(void *ctx, const cJSON *json),
                        void *ctx)
{
    size_t at = 0;
    while (at < text->len) {
        const char *end = memchr(text->data + at, '\n', text->len - at);
        if (end == NULL) { break; }
        cJSON *json = NULL;
        size_t n = (size_t)(end - text->data) - at;
        if (json_parse(text->data + at, n, &json) == ERR_OK && cJSON_IsObject(json)) {
            line(ctx, json);
        }
        cJSON_Delete(json);
        at += n + 1;
    }
    return at;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* ---- nonces ---- */

static bool nonce_path(const struct keep *keep, const char *commit, char out[PATH_MAX])
{
    int n = snprintf(out, PATH_MAX, "%s/nonces/%s", keep->dir, commit);
    return is_plain(commit) && n > 0 && n < PATH_MAX;
}

static bool make_one(const struct keep *keep, char out_commit[KEEP_B64])
{
    char path[PATH_MAX];
    struct hash nonce;
    struct hash commit;
    struct buf text;
    randombytes_buf(nonce.bytes, sizeof nonce.bytes);
    dice_nonce_commitment(&nonce, &commit);
    b64_encode(out_commit, commit.bytes, sizeof commit.bytes);
    if (!nonce_path(keep, out_commit, path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    buf_init(&text, NONCE_BYTES_MAX);
    jw_object_begin(&text);
    jw_key_b64(&text, "nonce", nonce.bytes, sizeof nonce.bytes);
    jw_object_end(&text);
    buf_append_char(&text, '\n');
    make_folders(path);
    int fd = text.failed ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write_all(fd, text.data, text.len) && fsync(fd) == 0;
    int error = errno;
    if (fd >= 0) { (void)close(fd); }
    if (fd >= 0 && !good) { (void)unlink(path); }
    good = good && sync_folder(path);
    sodium_memzero(&nonce, sizeof nonce);
    if (text.data != NULL) { sodium_memzero(text.data, text.len); }
    buf_finish(&text);
    if (!good) { errno = error; }
    return good;
}

bool keep_nonces_make(const struct keep *keep, unsigned count,
                      char out_commits[KEEP_NONCES_MAX][KEEP_B64])
{
    for (unsigned i = 0; i < count && i < KEEP_NONCES_MAX; i++) {
        if (!make_one(keep, out_commits[i])) { return false; }
    }
    return true;
}

/* What the file of a nonce says. */
struct nonce_file {
    struct hash nonce;
    bool has_nonce, opened, here;
    const char *match, *head; /* for which it is to be opened */
};

static void on_nonce_line(void *ctx, const cJSON *json)
{
    struct nonce_file *file = ctx;
    const char *nonce = text_of(json, "nonce");
    if (nonce[0] != '\0' && !file->has_nonce) {
        file->has_nonce = b64_decode(nonce, file->nonce.bytes, HASH_BYTES);
    }
    const char *match = text_of(json, "match");
    if (match[0] == '\0' || file->opened) { return; }
    file->opened = true;
    file->here = strcmp(match, file->match) == 0 && strcmp(text_of(json, "head"), file->head) == 0;
}

/* Adds for which match it is opened, after cutting off what a crash left half written. */
static bool mark_opened(int fd, size_t whole, const struct nonce_file *file)
{
    struct buf text;
    buf_init(&text, NONCE_BYTES_MAX);
    jw_object_begin(&text);
    jw_key_str(&text, "match", file->match);
    jw_key_str(&text, "head", file->head);
    jw_object_end(&text);
    buf_append_char(&text, '\n');
    bool good = !text.failed && ftruncate(fd, (off_t)whole) == 0 &&
                write_all(fd, text.data, text.len) && fsync(fd) == 0;
    buf_finish(&text);
    return good;
}

enum kept_nonce keep_nonce_take(const struct keep *keep, const char *commit, const char *match,
                                const struct hash *head, struct hash *out_nonce)
{
    char path[PATH_MAX];
    char head_text[KEEP_B64];
    struct hash expected;
    struct buf text;
    b64_encode(head_text, head->bytes, sizeof head->bytes);
    struct nonce_file file = {.match = match, .head = head_text};
    if (!nonce_path(keep, commit, path)) { return KEPT_NONE; }
    int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (fd < 0) { return errno == ENOENT ? KEPT_NONE : KEPT_UNREADABLE; }
    enum kept_nonce kept = KEPT_UNREADABLE;
    buf_init(&text, NONCE_BYTES_MAX);
    /* Two clients of one person must not open it for two matches. */
    if (flock(fd, LOCK_EX) == 0 && read_fd(fd, &text)) {
        size_t whole = each_line(&text, on_nonce_line, &file);
        dice_nonce_commitment(&file.nonce, &expected);
        char again[KEEP_B64];
        b64_encode(again, expected.bytes, sizeof expected.bytes);
        if (!file.has_nonce || strcmp(again, commit) != 0) {
            kept = KEPT_NONE;
        } else if (file.opened) {
            kept = file.here ? KEPT_NONCE : KEPT_ELSEWHERE;
        } else if (mark_opened(fd, whole, &file)) {
            kept = KEPT_NONCE;
        }
    }
    int error = errno;
    if (kept == KEPT_NONCE) { *out_nonce = file.nonce; }
    sodium_memzero(&file.nonce, sizeof file.nonce);
    if (text.data != NULL) { sodium_memzero(text.data, text.len); }
    buf_finish(&text);
    (void)close(fd); /* and with it the lock */
    errno = error;
    return kept;
}

/* ---- matches ---- */

static bool match_path(const struct keep *keep, const char *match, char out[PATH_MAX])
{
    int n = snprintf(out, PATH_MAX, "%s/matches/%s.jsonl", keep->dir, match);
    return is_plain(match) && n > 0 && n < PATH_MAX;
}

struct match_file {
    struct kept_match *kept;
    const char *as;
};

/* The first commitment and the first header count; of the steps the newest. */
static void on_match_line(void *ctx, const cJSON *json)
{
    struct match_file *file = ctx;
    struct kept_match *kept = file->kept;
    const char *commit = text_of(json, "commit");
    const char *header = text_of(json, "header");
    const char *chain = text_of(json, "chain");
    if (commit[0] != '\0' && kept->commit[0] == '\0' && strlen(commit) < sizeof kept->commit) {
        memcpy(kept->commit, commit, strlen(commit) + 1);
    }
    if (header[0] != '\0' && kept->header == NULL) { kept->header = strdup(header); }
    int64_t seq = json_int(json_get(json, "seq"), -1);
    if (seq > kept->seq && strcmp(text_of(json, "as"), file->as) == 0 &&
        strlen(chain) < sizeof kept->chain) {
        kept->seq = seq;
        memcpy(kept->chain, chain, strlen(chain) + 1);
    }
}

bool keep_match_read(const struct keep *keep, const char *match, const char *as,
                     struct kept_match *out_kept)
{
    char path[PATH_MAX];
    memset(out_kept, 0, sizeof *out_kept);
    out_kept->seq = -1;
    if (!match_path(keep, match, path)) { return false; }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) { return errno == ENOENT; }
    struct buf text;
    buf_init(&text, FILE_BYTES_MAX);
    bool good = read_fd(fd, &text);
    struct match_file file = {out_kept, as};
    if (good) { (void)each_line(&text, on_match_line, &file); }
    buf_finish(&text);
    (void)close(fd);
    return good;
}

void kept_match_finish(struct kept_match *kept)
{
    free(kept->header);
    kept->header = NULL;
}

/* Adds the line to the file of the match; synced: it is on the disk. */
static bool add_line(const struct keep *keep, const char *match, struct buf *take_line, bool synced)
{
    char path[PATH_MAX];
    struct buf *line = take_line;
    buf_append_char(line, '\n');
    bool good = match_path(keep, match, path) && !line->failed;
    int fd = -1;
    if (good) {
        make_folders(path);
        fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        good = fd >= 0;
    }
    /* Behind a line that a crash left unended a new one begins. */
    char last = '\n';
    off_t size = good ? lseek(fd, 0, SEEK_END) : 0;
    if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n') {
        good = write_all(fd, "\n", 1);
    }
    good = good && write_all(fd, line->data, line->len);
    if (good && synced) { good = fsync(fd) == 0 && sync_folder(path); }
    int error = errno;
    if (fd >= 0) { (void)close(fd); }
    buf_finish(line);
    errno = error;
    return good;
}

bool keep_match_commit(const struct keep *keep, const char *match, const char *commit)
{
    struct buf line;
    buf_init(&line, NONCE_BYTES_MAX);
    jw_object_begin(&line);
    jw_key_str(&line, "commit", commit);
    jw_key_str(&line, "server", keep->server);
    jw_object_end(&line);
    return add_line(keep, match, &line, true);
}

bool keep_match_header(const struct keep *keep, const char *match, const char *header)
{
    struct buf line;
    buf_init(&line, 4 * LINE_BYTES_MAX);
    jw_object_begin(&line);
    jw_key_str(&line, "header", header);
    jw_object_end(&line);
    return add_line(keep, match, &line, true);
}

bool keep_match_step(const struct keep *keep, const char *match, const char *as, int64_t seq,
                     const char *chain)
{
    struct buf line;
    buf_init(&line, NONCE_BYTES_MAX);
    jw_object_begin(&line);
    jw_key_str(&line, "as", as);
    jw_key_int(&line, "seq", seq);
    jw_key_str(&line, "chain", chain);
    jw_object_end(&line);
    return add_line(keep, match, &line, false);
}

/* ---- servers ---- */

enum kept_key keep_server_key(const struct keep *keep, const char *key)
{
    char path[PATH_MAX];
    char have[64] = "";
    int n = snprintf(path, sizeof path, "%s/servers/%s", keep->dir, keep->server);
    if (n < 0 || (size_t)n >= sizeof path || strlen(key) != KEEP_B64 - 1) { return KEY_OTHER; }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t got = read(fd, have, sizeof have - 1);
        have[got < 0 ? 0 : got] = '\0';
        have[strcspn(have, "\n")] = '\0';
        (void)close(fd);
    }
    if (strlen(have) == KEEP_B64 - 1) { return strcmp(have, key) == 0 ? KEY_SAME : KEY_OTHER; }
    char line[KEEP_B64 + 1];
    (void)snprintf(line, sizeof line, "%s\n", key);
    make_folders(path);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) { return KEY_NEW; }
    bool good = write_all(fd, line, strlen(line)) && fsync(fd) == 0;
    (void)close(fd);
    if (good) { (void)sync_folder(path); }
    return KEY_NEW;
}

void keep_header_head(const char *header, struct hash *out_head)
{
    static const struct hash none = {{0}};
    line_head("", &none, 0, &none, header, strlen(header), out_head);
}
