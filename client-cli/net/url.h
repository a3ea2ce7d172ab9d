/* client-cli/net/url.h: the address of a server, taken apart. */
#ifndef VEDETTE_CLIENT_CLI_NET_URL_H
#define VEDETTE_CLIENT_CLI_NET_URL_H

#include <stdbool.h>

enum { URL_HOST_MAX = 256, URL_PATH_MAX = 256 };
struct url {
    char host[URL_HOST_MAX]; /* without the brackets of an IPv6 address */
    char path[URL_PATH_MAX]; /* what stands before /ws and /games: "" or "/prefix", no slash at its
                                end */
    int port;
    bool tls;
};

/* Reads http://, https://, ws://, wss://, or a bare host[:port]. Default ports: 1815 where no
 * scheme is named or with http and ws on localhost, else 80 and 443. False: it is no such address.
 */
bool url_parse(const char *text, struct url *out_url);

#endif
