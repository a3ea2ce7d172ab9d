#include "client-cli/net/creds.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"

enum { CREDS_BYTES_MAX = 1 << 20 };
struct creds {
    cJSON *root;
    char dir[PATH_MAX / 2];
    char path[PATH_MAX];
};

static bool name_file(struct creds *creds, const struct url *url)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int n = 0;
    if (config != NULL && config[0] == '/') {
        n = snprintf(creds->dir, sizeof creds->dir, "%s/vedette", config);
    } else {
        n = snprintf(creds->dir, sizeof creds->dir, "%s/.config/vedette", home == NULL ? "" : home);
    }
    if (n < 0 || (size_t)n >= sizeof creds->dir) { return false; }
    char host[URL_HOST_MAX];
    snprintf(host, sizeof host, "%s", url->host);
    for (char *c = host; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '.' || *c == '-';
        if (!plain) { *c = '_'; }
    }
    n = snprintf(creds->path, sizeof creds->path, "%s/%s_%d.json", creds->dir, host, url->port);
    return n > 0 && (size_t)n < sizeof creds->path;
}

/* Makes every folder of path. */
static bool make_dirs(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; *slash != '\0'; slash++) {
        if (*slash != '/') { continue; }
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) { return false; }
        *slash = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

static bool read_all(int fd, char *text, size_t bytes, size_t *out_n)
{
    size_t have = 0;
    while (have < bytes) {
        ssize_t n = read(fd, text + have, bytes - have);
        if (n < 0 && errno == EINTR) { continue; }
        if (n < 0) { return false; }
        if (n == 0) { break; }
        have += (size_t)n;
    }
    *out_n = have;
    return true;
}

static const char *load(struct creds *creds)
{
    int fd = open(creds->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) { return errno == ENOENT ? NULL : "cli.wrong.creds_open"; }
    const char *why = NULL;
    char *text = NULL;
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_size < 0 || st.st_size > CREDS_BYTES_MAX) {
        why = "cli.wrong.creds_read";
        goto out;
    }
    if ((st.st_mode & 077) != 0) {
        why = "cli.wrong.creds_mode";
        goto out;
    }
    size_t n = 0;
    text = malloc((size_t)st.st_size + 1);
    if (text == NULL || !read_all(fd, text, (size_t)st.st_size, &n)) {
        why = "cli.wrong.creds_read";
        goto out;
    }
    cJSON *root = NULL;
    if (json_parse(text, n, &root) != ERR_OK || !cJSON_IsObject(root)) {
        cJSON_Delete(root);
        why = "cli.wrong.creds_damaged";
        goto out;
    }
    cJSON_Delete(creds->root);
    creds->root = root;
out:
    free(text);
    close(fd);
    return why;
}

struct creds *creds_load(const struct url *url, const char **out_why)
{
    struct creds *creds = calloc(1, sizeof *creds);
    *out_why = "cli.wrong.memory";
    if (creds == NULL) { return NULL; }
    creds->root = cJSON_CreateObject();
    if (!name_file(creds, url)) {
        *out_why = "cli.wrong.creds_path";
        creds_destroy(creds);
        return NULL;
    }
    *out_why = load(creds);
    if (*out_why != NULL) {
        creds_destroy(creds);
        return NULL;
    }
    return creds;
}

void creds_destroy(struct creds *creds)
{
    if (creds == NULL) { return; }
    cJSON_Delete(creds->root);
    free(creds);
}

const char *creds_name(const struct creds *creds, const char *wanted)
{
    if (wanted != NULL) { return wanted; }
    const cJSON *current = json_get(creds->root, "current");
    return cJSON_IsString(current) ? current->valuestring : NULL;
}

const char *creds_token(const struct creds *creds, const char *name)
{
    if (name == NULL) { return NULL; }
    const cJSON *token = json_get(json_get(json_get(creds->root, "accounts"), name), "token");
    return cJSON_IsString(token) ? token->valuestring : NULL;
}

void creds_set(struct creds *creds, const char *name, const char *token)
{
    cJSON *accounts = cJSON_GetObjectItemCaseSensitive(creds->root, "accounts");
    if (!cJSON_IsObject(accounts)) {
        cJSON_DeleteItemFromObjectCaseSensitive(creds->root, "accounts");
        accounts = cJSON_AddObjectToObject(creds->root, "accounts");
    }
    cJSON_DeleteItemFromObjectCaseSensitive(accounts, name);
    cJSON *entry = cJSON_AddObjectToObject(accounts, name);
    cJSON_AddStringToObject(entry, "token", token);
    cJSON_DeleteItemFromObjectCaseSensitive(creds->root, "current");
    cJSON_AddStringToObject(creds->root, "current", name);
}

void creds_forget(struct creds *creds, const char *name)
{
    cJSON *accounts = cJSON_GetObjectItemCaseSensitive(creds->root, "accounts");
    cJSON_DeleteItemFromObjectCaseSensitive(accounts, name);
    const char *current = creds_name(creds, NULL);
    if (current == NULL || strcmp(current, name) != 0) { return; }
    cJSON_DeleteItemFromObjectCaseSensitive(creds->root, "current");
    if (accounts != NULL && accounts->child != NULL) {
        cJSON_AddStringToObject(creds->root, "current", accounts->child->string);
    }
}

bool creds_save(const struct creds *creds)
{
    if (!make_dirs(creds->dir)) { return false; }
    char *text = cJSON_PrintUnformatted(creds->root);
    if (text == NULL) { return false; }
    char temporary[PATH_MAX + 16];
    snprintf(temporary, sizeof temporary, "%s.%ld", creds->path, (long)getpid());
    bool ok = false;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) {
        size_t n = strlen(text);
        ok = write(fd, text, n) == (ssize_t)n;
        ok = fsync(fd) == 0 && ok;
        ok = close(fd) == 0 && ok;
        ok = ok && rename(temporary, creds->path) == 0;
        if (!ok) {
            int error = errno;
            unlink(temporary);
            errno = error;
        }
    }
    cJSON_free(text);
    return ok;
}
