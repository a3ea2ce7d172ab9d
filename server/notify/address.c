/* server/notify/address.c: which addresses messages may be posted to: what a player gives is a way
 * for the server to talk to whomever it can reach, so only the public network counts. */
#include "server/notify/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include <curl/curl.h>

struct net4 {
    uint32_t at;
    unsigned bits;
};

/* RFC 6890 and the registry of special-purpose addresses. */
static const struct net4 special4[] = {
    {0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
    {0xac100000, 12}, {0xc0000000, 24}, {0xc0000200, 24}, {0xc0586300, 24}, {0xc0a80000, 16},
    {0xc6120000, 15}, {0xc6336400, 24}, {0xcb007100, 24}, {0xe0000000, 4},  {0xf0000000, 4},
};

static bool is_public4(uint32_t address)
{
    for (size_t i = 0; i < sizeof special4 / sizeof special4[0]; i++) {
        if ((address ^ special4[i].at) >> (32U - special4[i].bits) == 0) { return false; }
    }
    return true;
}

static uint32_t four(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Only what is handed out to anybody (2000::/3), and of that not what wraps an IPv4 address that is
 * not public, or is set aside. */
static bool is_public6(const uint8_t a[16])
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t nat64[12] = {0x00, 0x64, 0xff, 0x9b};
    if (memcmp(a, mapped, sizeof mapped) == 0) { return is_public4(four(a + 12)); }
    if (memcmp(a, nat64, sizeof nat64) == 0) { return is_public4(four(a + 12)); }
    if (a[0] >> 5 != 1) { return false; }
    if (a[0] == 0x20 && a[1] == 0x02) { return is_public4(four(a + 2)); } /* 6to4 */
    /* 2001::/23 (Teredo and others), 2001:db8::/32 (documentation) */
    if (a[0] == 0x20 && a[1] == 0x01 && a[2] < 2) { return false; }
    return !(a[0] == 0x20 && a[1] == 0x01 && a[2] == 0x0d && a[3] == 0xb8);
}

bool address_is_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return is_public4(ntohl(in.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, address, sizeof in6);
        return is_public6(in6.sin6_addr.s6_addr);
    }
    return false;
}

/* Names that stay at home, and numbers that do. A number in a form that only some read (0x7f.1) is
 * judged when it is connected to. */
static bool is_home(const char *host)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    char bare[64];
    const size_t n = strlen(host);
    if (host[0] == '[' && n > 2 && n < sizeof bare) {
        snprintf(bare, sizeof bare, "%.*s", (int)(n - 2), host + 1);
        return inet_pton(AF_INET6, bare, &in6.sin6_addr) != 1 ||
               !address_is_public((const struct sockaddr *)&in6);
    }
    if (inet_pton(AF_INET, host, &in.sin_addr) == 1) {
        return !address_is_public((const struct sockaddr *)&in);
    }
    static const char *const ends[] = {"localhost", ".localhost", ".local", ".internal"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t m = strlen(ends[i]);
        if (n >= m && strcasecmp(host + n - m, ends[i]) == 0 && (m < n || ends[i][0] != '.')) {
            if (ends[i][0] != '.' && n > m) { continue; }
            return true;
        }
    }
    return strchr(host, '.') == NULL;
}

static const char *judge(CURLU *parts, const char *url, bool private_hosts)
{
    char *scheme = NULL, *host = NULL, *user = NULL;
    const char *bad = NULL;
    if (curl_url_set(parts, CURLUPART_URL, url, 0) != CURLUE_OK ||
        curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
        curl_url_get(parts, CURLUPART_HOST, &host, 0) != CURLUE_OK || host[0] == '\0') {
        bad = "That is not an address of https:.";
    } else if (strcmp(scheme, "https") != 0 && !(private_hosts && strcmp(scheme, "http") == 0)) {
        bad = "Only addresses of https: are taken.";
    } else if (curl_url_get(parts, CURLUPART_USER, &user, 0) == CURLUE_OK) {
        bad = "An address holds no user and no password.";
    } else if (!private_hosts && is_home(host)) {
        bad = "That host is not of the public network.";
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(user);
    return bad;
}

const char *address_refuse(const char *url, bool private_hosts)
{
    for (const char *c = url; *c != '\0'; c++) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || strchr("\"<>\\^`{|}", *c)) {
            return "An address is written in plain ASCII without blanks.";
        }
    }
    CURLU *parts = curl_url();
    if (parts == NULL) { return "The address cannot be read now; try again."; }
    const char *bad = judge(parts, url, private_hosts);
    curl_url_cleanup(parts);
    return bad;
}
