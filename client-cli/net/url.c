#include "client-cli/net/url.h"

#include <stdlib.h>
#include <string.h>

/* Takes the scheme off text. False: a scheme that is not ours. */
static bool take_scheme(const char **text, struct url *url, bool *out_named)
{
    static const struct scheme {
        const char *name;
        bool tls;
    } schemes[] = {{"http://", false}, {"https://", true}, {"ws://", false}, {"wss://", true}};
    *out_named = true;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t n = strlen(schemes[i].name);
        if (strncmp(*text, schemes[i].name, n) == 0) {
            *text += n;
            url->tls = schemes[i].tls;
            return true;
        }
    }
    *out_named = false;
    return strstr(*text, "://") == NULL;
}

static bool copy_part(char *out, size_t out_bytes, const char *from, size_t n)
{
    if (n >= out_bytes) { return false; }
    memcpy(out, from, n);
    out[n] = '\0';
    return true;
}

static bool read_port(const char *digits, size_t n, int *out_port)
{
    if (n == 0 || n > 5) { return false; }
    int port = 0;
    for (size_t i = 0; i < n; i++) {
        if (digits[i] < '0' || digits[i] > '9') { return false; }
        port = port * 10 + (digits[i] - '0');
    }
    if (port < 1 || port > 65535) { return false; }
    *out_port = port;
    return true;
}

bool url_parse(const char *text, struct url *out_url)
{
    struct url url = {0};
    bool named = false;
    if (!take_scheme(&text, &url, &named)) { return false; }
    size_t authority = strcspn(text, "/?#");
    const char *path = text + authority;
    size_t path_len = strcspn(path, "?#");
    while (path_len > 0 && path[path_len - 1] == '/') {
        path_len--;
    }
    if (!copy_part(url.path, sizeof url.path, path, path_len)) { return false; }
    if (memchr(text, '@', authority) != NULL) { return false; }

    const char *host = text;
    size_t host_len = authority;
    const char *rest = NULL;
    if (authority > 0 && text[0] == '[') {
        const char *close = memchr(text, ']', authority);
        if (close == NULL) { return false; }
        host = text + 1;
        host_len = (size_t)(close - host);
        rest = close + 1;
    } else {
        const char *colon = memchr(text, ':', authority);
        host_len = colon == NULL ? authority : (size_t)(colon - text);
        rest = text + host_len;
    }
    if (host_len == 0 || !copy_part(url.host, sizeof url.host, host, host_len)) { return false; }
    size_t rest_len = (size_t)(text + authority - rest);
    if (rest_len > 0) {
        if (rest[0] != ':' || !read_port(rest + 1, rest_len - 1, &url.port)) { return false; }
    } else if (!named || (!url.tls && strcmp(url.host, "localhost") == 0)) {
        url.port = 1815;
    } else {
        url.port = url.tls ? 443 : 80;
    }
    *out_url = url;
    return true;
}
