/* server/notify/address.h: which addresses messages may be posted to. */
#ifndef VEDETTE_SERVER_NOTIFY_ADDRESS_H
#define VEDETTE_SERVER_NOTIFY_ADDRESS_H

#include <stdbool.h>

struct sockaddr;

/* NULL: the text is an address of https: (with private_hosts also of http:) without a user or a
 * password, and does not name a host that is not of the public network. Else a sentence of what is
 * wrong. What a name resolves to is judged when it is connected to. */
const char *address_refuse(const char *url, bool private_hosts);
/* Whether a host of the public network has that address: not loopback, private, link-local,
 * shared, of documentation, multicast, reserved, nor one of these within IPv6. */
bool address_is_public(const struct sockaddr *address);

#endif
