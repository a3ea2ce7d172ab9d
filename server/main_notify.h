/* server/main_notify.h: how the daemon tells players of things outside of their clients: settings
 * of [notify], sender and courier, from the beginning to the end. */
#ifndef VEDETTE_SERVER_MAIN_NOTIFY_H
#define VEDETTE_SERVER_MAIN_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct account_mail;
struct courier;
struct notify;
struct store;
struct uv_loop_s;

/* Texts live as long as the process. */
struct notify_settings {
    const char *url; /* [server] url; NULL: the first address that is listened on */
    const char *smtp_url, *smtp_tls, *from, *user, *password_file, *ca_file, *contact;
    bool private_hosts;
    long delay_s, retry_s, dead_days, timeout_s;
    char made_url[96], password[512];
};
/* The defaults. */
void notify_settings_init(struct notify_settings *settings);
/* A setting of [notify] or `url` of [server]. False: there is none such, or it cannot be meant. */
bool notify_settings_set(struct notify_settings *settings, const char *name, const char *value);
/* Whether mails will be sent. */
bool notify_settings_mail(const struct notify_settings *settings);

struct outward {
    struct notify *notify;
    struct courier *courier;
    bool closed; /* nothing is under way any more */
};
/* After the store is open. address: of the first listener, for the case that no url is set.
 * out_error: a sentence for the operator. */
enum err outward_open(struct outward *outward, struct notify_settings *settings,
                      struct uv_loop_s *loop, struct store *store, const char *address,
                      char out_error[256]) VD_CHECKED;
/* Hook of accounts.h. */
void outward_account_mail(struct outward *outward, const struct account_mail *mail);
/* Ends what is under way; closed is true when the store may close. */
void outward_close(struct outward *outward);
/* After the store has closed; handles on the loop close in its next turn. */
void outward_destroy(struct outward *outward);

#endif
