/* server/net/web.c: reads the built browser client once; nothing of it is read again while serving.
 */
#include "server/net/web.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#ifndef VEDETTE_WEB_FOLDER
#define VEDETTE_WEB_FOLDER "/usr/local/share/vedette/web"
#endif

enum { FILES_MAX = 4096, DEPTH_MAX = 8, BYTES_MAX = 64 << 20, PATH_BYTES = 1024 };

struct web {
    struct web_file *files;
    size_t count, room, bytes;
    const struct web_file *index;
};

/* --- what a file is ----------------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static const char *type_of(const char *path)
{
    static const struct {
        const char *end, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".woff2", "font/woff2"},
        {".png", "image/png"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (ends_with(path, types[i].end)) { return types[i].type; }
    }
    return "application/octet-stream";
}

static enum web_coding coding_of(const char *path)
{
    return ends_with(path, ".gz") ? WEB_GZIP : ends_with(path, ".br") ? WEB_BROTLI : WEB_PLAIN;
}

/* --- reading -----------------------------------------------------------------------------------
 */

static struct web_file *file_named(struct web *web, const char *path, size_t path_bytes)
{
    for (size_t i = 0; i < web->count; i++) {
        if (strncmp(web->files[i].path, path, path_bytes) == 0 &&
            web->files[i].path[path_bytes] == '\0') {
            return &web->files[i];
        }
    }
    if (web->count == FILES_MAX) { return NULL; }
    if (web->count == web->room) {
        size_t room = web->room == 0 ? 64 : web->room * 2;
        struct web_file *files = realloc(web->files, room * sizeof *files);
        if (files == NULL) { return NULL; }
        web->files = files;
        web->room = room;
    }
    char *copy = strndup(path, path_bytes);
    if (copy == NULL) { return NULL; }
    struct web_file *file = &web->files[web->count++];
    memset(file, 0, sizeof *file);
    file->path = copy;
    file->type = type_of(copy);
    file->forever = strncmp(copy, "/assets/", 8) == 0;
    return file;
}

static void name_content(struct web_body *body, enum web_coding coding)
{
    static const char *const ends[WEB_CODINGS] = {"", "-gz", "-br"};
    unsigned char hash[crypto_generichash_BYTES_MIN];
    char hex[2 * sizeof hash + 1];
    crypto_generichash(hash, sizeof hash, body->bytes, body->n, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    snprintf(body->etag, sizeof body->etag, "\"%s%s\"", hex, ends[coding]);
}

/* Reads one file into the entry of its plain name. */
static enum err read_file(struct web *web, const char *full, const char *path, size_t n)
{
    if (n > BYTES_MAX - web->bytes) { return ERR_TOO_LARGE; }
    enum web_coding coding = coding_of(path);
    struct web_file *file =
        file_named(web, path, strlen(path) - (coding == WEB_PLAIN ? 0 : strlen(".gz")));
    if (file == NULL) { return ERR_INTERNAL; }
    FILE *in = fopen(full, "rb");
    if (in == NULL) { return ERR_INTERNAL; }
    struct web_body *body = &file->bodies[coding];
    body->bytes = malloc(n + 1);
    body->n = n;
    bool good = body->bytes != NULL && fread(body->bytes, 1, n, in) == n;
    fclose(in);
    if (!good) { return ERR_INTERNAL; }
    web->bytes += n;
    name_content(body, coding);
    return ERR_OK;
}

static enum err read_folder(struct web *web, const char *folder, const char *path, unsigned depth)
{
    if (depth > DEPTH_MAX) { return ERR_TOO_LARGE; }
    DIR *open = opendir(folder);
    if (open == NULL) { return errno == ENOENT ? ERR_NOT_FOUND : ERR_INTERNAL; }
    enum err err = ERR_OK;
    for (struct dirent *entry; err == ERR_OK && (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] == '.') { continue; }
        char full[PATH_BYTES], inner[PATH_BYTES];
        struct stat about;
        if (snprintf(full, sizeof full, "%s/%s", folder, entry->d_name) >= (int)sizeof full ||
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner) {
            err = ERR_TOO_LARGE;
        } else if (stat(full, &about) != 0) {
            err = ERR_INTERNAL;
        } else if (S_ISDIR(about.st_mode)) {
            err = read_folder(web, full, inner, depth + 1);
        } else if (S_ISREG(about.st_mode)) {
            err = read_file(web, full, inner, (size_t)about.st_size);
        }
    }
    closedir(open);
    return err;
}

static int by_path(const void *a, const void *b)
{
    const struct web_file *left = a, *right = b;
    return strcmp(left->path, right->path);
}

static const struct web_file *find_path(const struct web *web, const char *path)
{
    if (web->count == 0) { return NULL; }
    char key_path[PATH_BYTES];
    if (snprintf(key_path, sizeof key_path, "%s", path) >= (int)sizeof key_path) { return NULL; }
    const struct web_file key = {.path = key_path};
    if (web->count == 0) { return NULL; }
    const struct web_file *file =
        bsearch(&key, web->files, web->count, sizeof *web->files, by_path);
    return file == NULL || file->bodies[WEB_PLAIN].bytes == NULL ? NULL : file;
}

enum err web_load(const char *folder, struct web **out_web, char out_error[256])
{
    *out_web = NULL;
    struct web *web = calloc(1, sizeof *web);
    if (web == NULL) { return ERR_INTERNAL; }
    enum err err = read_folder(web, folder, "", 0);
    if (err == ERR_OK) {
        if (web->count > 0) { qsort(web->files, web->count, sizeof *web->files, by_path); }
        web->index = find_path(web, "/index.html");
        if (web->index == NULL) { err = ERR_NOT_FOUND; }
    }
    if (err == ERR_OK) {
        *out_web = web;
        return ERR_OK;
    }
    const char *what = err == ERR_NOT_FOUND   ? "has no page (index.html)"
                       : err == ERR_TOO_LARGE ? "is too large for a page"
                                              : "cannot be read";
    snprintf(out_error, 256, "the folder %.180s %s", folder, what);
    web_destroy(web);
    return err;
}

void web_destroy(struct web *take_web)
{
    if (take_web == NULL) { return; }
    for (size_t i = 0; i < take_web->count; i++) {
        free(take_web->files[i].path);
        for (size_t k = 0; k < WEB_CODINGS; k++) {
            free(take_web->files[i].bodies[k].bytes);
        }
    }
    free(take_web->files);
    free(take_web);
}

/* --- serving -----------------------------------------------------------------------------------
 */

/* An address of the page itself: which part to show the page reads from it. */
static bool is_part(const char *path)
{
    static const char *const parts[] = {"/sign-in", "/new",    "/settings", "/match", "/player",
                                        "/rules",   "/verify", "/confirm",  "/reset"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t n = strlen(parts[i]);
        if (strncmp(path, parts[i], n) == 0 && (path[n] == '\0' || path[n] == '/')) { return true; }
    }
    return strcmp(path, "/") == 0;
}

const struct web_file *web_find(const struct web *web, const char *path)
{
    return is_part(path) ? web->index : find_path(web, path);
}

bool web_takes(const char *accept_encoding, const char *coding)
{
    size_t n = strlen(coding);
    for (const char *p = accept_encoding; *p != '\0';) {
        p += strspn(p, " \t,");
        size_t word = strcspn(p, " \t,;");
        const char *rest = p + word;
        size_t tail = strcspn(rest, ",");
        if (word == n && strncasecmp(p, coding, n) == 0) {
            const char *q = memchr(rest, '=', tail);
            return q == NULL || strtod(q + 1, NULL) > 0;
        }
        p = rest + tail;
    }
    return false;
}

enum web_coding web_choose(const struct web_file *file, const char *accept_encoding)
{
    if (file->bodies[WEB_BROTLI].bytes != NULL && web_takes(accept_encoding, "br")) {
        return WEB_BROTLI;
    }
    if (file->bodies[WEB_GZIP].bytes != NULL && web_takes(accept_encoding, "gzip")) {
        return WEB_GZIP;
    }
    return WEB_PLAIN;
}

bool web_etag_fits(const char *if_none_match, const char *etag)
{
    return strcmp(if_none_match, "*") == 0 || strstr(if_none_match, etag) != NULL;
}

static bool has_page(const char *folder)
{
    char path[PATH_BYTES];
    return snprintf(path, sizeof path, "%s/index.html", folder) < (int)sizeof path &&
           access(path, R_OK) == 0;
}

bool web_default_folder(char *out, size_t bytes)
{
    char self[PATH_BYTES];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = '\0';
        char *slash = strrchr(self, '/');
        if (slash != NULL) {
            *slash = '\0';
            int written = snprintf(out, bytes, "%s/web/dist", self);
            if (written > 0 && (size_t)written < bytes && has_page(out)) { return true; }
        }
    }
    int written = snprintf(out, bytes, "%s", VEDETTE_WEB_FOLDER);
    return written > 0 && (size_t)written < bytes && has_page(out);
}
