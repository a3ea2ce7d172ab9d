/* server/main_notify.c: the sender and the courier of the daemon. */
#include "server/main_notify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/lobby/account_words.h"
#include "server/lobby/accounts.h"
#include "server/match/courier.h"
#include "server/notify/notify.h"
#include "server/store/store.h"

void notify_settings_init(struct notify_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->delay_s = 60;
    settings->retry_s = 60;
    settings->dead_days = 5;
    settings->timeout_s = 20;
}

static bool set_number(long *out, const char *text, long min, long max)
{
    char *end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < min || value > max) { return false; }
    *out = value;
    return true;
}

static bool set_switch(bool *out, const char *text)
{
    *out = strcmp(text, "on") == 0;
    return *out || strcmp(text, "off") == 0;
}

bool notify_settings_set(struct notify_settings *settings, const char *name, const char *value)
{
    const struct {
        const char *name, **text;
    } texts[] = {{"url", &settings->url},           {"smtp_url", &settings->smtp_url},
                 {"smtp_tls", &settings->smtp_tls}, {"from", &settings->from},
                 {"user", &settings->user},         {"password_file", &settings->password_file},
                 {"ca_file", &settings->ca_file},   {"contact", &settings->contact}};
    const struct {
        const char *name;
        long *number, min, max;
    } numbers[] = {{"delay_s", &settings->delay_s, 0, 3600},
                   {"retry_s", &settings->retry_s, 1, 3600},
                   {"dead_days", &settings->dead_days, 1, 365},
                   {"timeout_s", &settings->timeout_s, 1, 120}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(name, texts[i].name) != 0) { continue; }
        *texts[i].text = strdup(value);
        return *texts[i].text != NULL;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(name, numbers[i].name) != 0) { continue; }
        return set_number(numbers[i].number, value, numbers[i].min, numbers[i].max);
    }
    return strcmp(name, "private_hosts") == 0 && set_switch(&settings->private_hosts, value);
}

bool notify_settings_mail(const struct notify_settings *settings)
{
    return settings->smtp_url != NULL;
}

/* The first line of the file, which others should not be able to read. */
static enum err read_password(struct notify_settings *settings, char out_error[256])
{
    if (settings->password_file == NULL) { return ERR_OK; }
    FILE *file = fopen(settings->password_file, "re");
    const bool got =
        file != NULL && fgets(settings->password, (int)sizeof settings->password, file) != NULL;
    if (file != NULL) { fclose(file); }
    settings->password[strcspn(settings->password, "\r\n")] = '\0';
    if (got) { return ERR_OK; }
    snprintf(out_error, 256, "cannot read the password of the mail server from %.150s",
             settings->password_file);
    return ERR_INVALID_PARAMS;
}

static int64_t tell_time(void *ctx)
{
    (void)ctx;
    return clock_now_ms();
}

static enum err open_notify(struct outward *outward, struct notify_settings *settings,
                            struct uv_loop_s *loop, struct store *store, char out_error[256])
{
    struct notify_config config = {
        .loop = loop,
        .smtp_url = settings->smtp_url,
        .smtp_tls = settings->smtp_tls,
        .from = settings->from,
        .user = settings->user,
        .password = settings->password_file == NULL ? NULL : settings->password,
        .ca_file = settings->ca_file,
        .url = settings->url,
        .contact = settings->contact,
        .private_hosts = settings->private_hosts,
        .timeout_s = (unsigned)settings->timeout_s,
        .now_ms = tell_time,
    };
    memcpy(config.seed, store_notify_seed(store), sizeof config.seed);
    return notify_create(&config, &outward->notify, out_error);
}

enum err outward_open(struct outward *outward, struct notify_settings *settings,
                      struct uv_loop_s *loop, struct store *store, const char *address,
                      char out_error[256])
{
    if (settings->url == NULL) {
        snprintf(settings->made_url, sizeof settings->made_url, "%s", address);
        settings->url = settings->made_url;
    }
    enum err err = read_password(settings, out_error);
    if (err == ERR_OK) { err = open_notify(outward, settings, loop, store, out_error); }
    if (err != ERR_OK) { return err; }
    struct courier_config config = {.loop = loop,
                                    .store = store,
                                    .notify = outward->notify,
                                    .retry_first_s = (uint32_t)settings->retry_s,
                                    .dead_days = (uint32_t)settings->dead_days};
    memcpy(config.key, store_notify_seed(store), sizeof config.key);
    snprintf(out_error, 256, "no memory");
    return courier_create(&config, &outward->courier);
}

void outward_account_mail(struct outward *outward, const struct account_mail *mail)
{
    struct buf subject, text;
    if (outward->notify == NULL) { return; }
    buf_init(&subject, 1024);
    buf_init(&text, 8192);
    account_words(mail, notify_url(outward->notify), &subject, &text);
    const struct notify_mail whole = {.to = mail->address,
                                      .subject = buf_str(&subject),
                                      .text = buf_str(&text),
                                      .language =
                                          mail->language[0] == '\0' ? NULL : mail->language};
    enum err err =
        subject.failed || text.failed ? ERR_INTERNAL : notify_mail(outward->notify, &whole);
    if (err != ERR_OK) { log_event(LOG_WARN, "account_mail_refused", "kind=%s", err_kind(err)); }
    buf_finish(&subject);
    buf_finish(&text);
}

static void on_closed(void *ctx)
{
    struct outward *outward = ctx;
    outward->closed = true;
}

void outward_close(struct outward *outward)
{
    if (outward->courier != NULL) {
        courier_close(outward->courier, on_closed, outward);
    } else {
        outward->closed = true;
    }
    notify_destroy(outward->notify);
    outward->notify = NULL;
}

void outward_destroy(struct outward *outward)
{
    notify_destroy(outward->notify);
    courier_destroy(outward->courier);
    outward->notify = NULL;
    outward->courier = NULL;
}
