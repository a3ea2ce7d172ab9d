/* client-cli/net/creds.h: the tokens of a person's accounts, a file for each server, readable by its
 * owner alone. */
#ifndef VEDETTE_CLIENT_CLI_NET_CREDS_H
#define VEDETTE_CLIENT_CLI_NET_CREDS_H

#include <stdbool.h>

#include "client-cli/net/url.h"

/* The file is $XDG_CONFIG_HOME/vedette/HOST_PORT.json (else ~/.config): {"current": name,
 * "accounts": {name: {"token": ..}}}. */
struct creds;

/* Reads the file of that server; a missing file is an empty one. NULL: it is there but cannot be
 * read, or is open to others; out_why is the message of the catalogue that says so. */
struct creds *creds_load(const struct url *url, const char **out_why);
void creds_destroy(struct creds *creds);

/* The account named, or with NULL the one used last; NULL if there is none. Borrowed. */
const char *creds_name(const struct creds *creds, const char *wanted);
/* The token of that account, or NULL. Borrowed. */
const char *creds_token(const struct creds *creds, const char *name);
void creds_set(struct creds *creds, const char *name, const char *token);
void creds_forget(struct creds *creds, const char *name);
/* Writes the file anew (beside it, then renamed). False: errno says why. */
bool creds_save(const struct creds *creds);

#endif
