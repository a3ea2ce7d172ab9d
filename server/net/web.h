/* server/net/web.h: the built browser client, held in memory and served as it is. */
#ifndef VEDETTE_SERVER_NET_WEB_H
#define VEDETTE_SERVER_NET_WEB_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

struct web;

/* How a file's bytes are packed; the client says which it takes. */
enum web_coding { WEB_PLAIN, WEB_GZIP, WEB_BROTLI, WEB_CODINGS };

struct web_body {
    unsigned char *bytes; /* NULL: not there in this coding */
    size_t n;
    char etag[40]; /* with its quotes */
};

struct web_file {
    char *path;       /* "/assets/main-4f1c2a.js" */
    const char *type; /* its media type */
    bool forever;     /* its name changes with its content */
    struct web_body bodies[WEB_CODINGS];
};

/* Reads every file below folder (at most 64 MiB in all); "x.gz" and "x.br" are x in another coding.
 * A folder without index.html is ERR_NOT_FOUND. out_error: a sentence for the operator. */
enum err web_load(const char *folder, struct web **out_web, char out_error[256]) VD_CHECKED;
void web_destroy(struct web *take_web);

/* The file at a path, index.html for the addresses of the page's own parts (/match/ID and so on);
 * NULL: neither. Borrowed from web. */
const struct web_file *web_find(const struct web *web, const char *path);

/* Is a coding named in an Accept-Encoding header, and not with q=0 (RFC 9110, 12.5.3)? */
bool web_takes(const char *accept_encoding, const char *coding);

/* The coding of the file that fits an Accept-Encoding header best. */
enum web_coding web_choose(const struct web_file *file, const char *accept_encoding);

/* Does an If-None-Match header name this ETag? */
bool web_etag_fits(const char *if_none_match, const char *etag);

/* The folder to serve when none is named: beside the running program (a build folder), else where
 * it was installed; false: neither has a page. */
bool web_default_folder(char *out, size_t bytes);

#endif
