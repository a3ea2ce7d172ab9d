/* server/notify/notify.c: sends mail and posts, by libcurl's multi interface on the loop. Names are
 * resolved in libcurl's own threads, so nothing here ever waits. */
#include "server/notify/notify.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <curl/curl.h>
#include <sodium.h>
#include <uv.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "server/base/log.h"
#include "server/notify/address.h"
#include "server/notify/mime.h"
#include "server/notify/push.h"

enum {
    POSTS_AT_ONCE = 16,
    MAILS_AT_ONCE = 2,
    ANSWER_BYTES_MAX = 16384, /* of the far end's answer, which nobody reads */
    MAIL_BYTES_MAX = 1 << 20,
    TIMEOUT_S = 20,
    KEPT_MAX = 256, /* account mails that wait for another attempt */
    KEPT_TRIES = 8,
    KEPT_FIRST_MS = 15000, /* then twice as long each time: half an hour in all */
    VAPID_LIFE_S = 12 * 3600,
    TICK_MS = 5000
};

enum transfer_kind { TRANSFER_MAIL, TRANSFER_POST, TRANSFER_KINDS };

struct transfer {
    struct transfer *next;
    struct notify *notify;
    enum transfer_kind kind;
    CURL *easy; /* NULL: it waits */
    struct curl_slist *list;
    char *url, *body;
    char to[MIME_ADDRESS_BYTES];
    size_t n, at, heard;
    bool push, refused; /* refused: the host is not of the public network */
    const char *spoilt; /* it cannot even begin: why */
    notify_done_fn *done;
    void *ctx;
};

struct transfer_queue {
    struct transfer *first, **last, *active;
    unsigned active_count, active_max, count;
};

/* An account mail until it is sent. */
struct kept {
    struct kept *next;
    struct notify *notify;
    char *to, *subject, *text, *language;
    char id[32];
    unsigned tries;
    int64_t due; /* loop time */
    bool under_way;
};

struct socket_watch {
    uv_poll_t poll;
    struct notify *notify;
    curl_socket_t fd;
};

struct notify {
    struct notify_config config;
    char from[MIME_ADDRESS_BYTES], host[256], push_key[NOTIFY_PUSH_KEY_CHARS + 1];
    struct push_key *vapid;
    CURLM *multi;
    uv_timer_t timer, tick;
    uv_async_t wake;
    struct transfer_queue queue[TRANSFER_KINDS];
    struct kept *kept;
    unsigned kept_count, handles;
    bool closing;
};

static int64_t now_ms(const struct notify *notify)
{
    if (notify->config.now_ms != NULL) { return notify->config.now_ms(notify->config.now_ctx); }
    struct timeval now;
    gettimeofday(&now, NULL);
    return (int64_t)now.tv_sec * 1000 + now.tv_usec / 1000;
}

/* --- how an attempt ends ---------------------------------------------------------------------- */

static void transfer_free(struct transfer *take_transfer)
{
    if (take_transfer->easy != NULL) { curl_easy_cleanup(take_transfer->easy); }
    curl_slist_free_all(take_transfer->list);
    free(take_transfer->url);
    free(take_transfer->body);
    free(take_transfer);
}

/* The far end's own words are never handed on: only a status, or what kind of failure it was. */
static enum notify_outcome judge_post(const struct transfer *transfer, CURLcode code, long status,
                                      char error[NOTIFY_ERROR_BYTES])
{
    if (transfer->refused) {
        snprintf(error, NOTIFY_ERROR_BYTES, "the host is not of the public network");
        return NOTIFY_LATER;
    }
    if (status == 0) {
        snprintf(error, NOTIFY_ERROR_BYTES, "%s", curl_easy_strerror(code));
        return NOTIFY_LATER;
    }
    if (status >= 200 && status < 300) { return NOTIFY_SENT; }
    snprintf(error, NOTIFY_ERROR_BYTES, "answered with status %ld", status);
    if (status == 410 || (transfer->push && status == 404)) { return NOTIFY_GONE; }
    if (transfer->push && (status == 400 || status == 413)) { return NOTIFY_REFUSED; }
    return NOTIFY_LATER;
}

/* 4yz: later; 5yz: never, if it was about this mail. */
static enum notify_outcome judge_mail(CURLcode code, long status, char error[NOTIFY_ERROR_BYTES])
{
    if (code == CURLE_OK) { return NOTIFY_SENT; }
    if (status >= 400 && code != CURLE_LOGIN_DENIED) {
        snprintf(error, NOTIFY_ERROR_BYTES, "the mail server answered %ld", status);
    } else {
        snprintf(error, NOTIFY_ERROR_BYTES, "%s", curl_easy_strerror(code));
    }
    const bool of_mail =
        code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_WEIRD_SERVER_REPLY;
    return status >= 500 && of_mail ? NOTIFY_REFUSED : NOTIFY_LATER;
}

static void transfer_end(struct transfer *take_transfer, CURLcode code)
{
    struct transfer *transfer = take_transfer;
    char error[NOTIFY_ERROR_BYTES] = "";
    long status = 0;
    enum notify_outcome outcome = NOTIFY_LATER;
    if (transfer->easy != NULL) {
        (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    }
    if (transfer->spoilt != NULL) {
        snprintf(error, sizeof error, "%s", transfer->spoilt);
        outcome = NOTIFY_REFUSED;
    } else if (transfer->kind == TRANSFER_MAIL) {
        outcome = judge_mail(code, status, error);
    } else {
        outcome = judge_post(transfer, code, status, error);
    }
    transfer->done(transfer->ctx, outcome, error);
    transfer_free(transfer);
}

/* --- attempts --------------------------------------------------------------------------------- */

static size_t on_read(char *out, size_t size, size_t count, void *data)
{
    struct transfer *transfer = data;
    size_t n = size * count;
    if (n > transfer->n - transfer->at) { n = transfer->n - transfer->at; }
    memcpy(out, transfer->body + transfer->at, n);
    transfer->at += n;
    return n;
}

/* What the far end says is let go; too much of it ends the attempt, whose status counts. */
static size_t on_write(char *bytes, size_t size, size_t count, void *data)
{
    struct transfer *transfer = data;
    (void)bytes;
    transfer->heard += size * count;
    return transfer->heard > ANSWER_BYTES_MAX ? 0 : size * count;
}

/* After names are resolved: what is not of the public network is not connected to. */
static curl_socket_t on_open(void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *transfer = data;
    (void)purpose;
    if (!transfer->notify->config.private_hosts && !address_is_public(&address->addr)) {
        transfer->refused = true;
        return CURL_SOCKET_BAD;
    }
    transfer->refused = false;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static void set_up_mail(struct transfer *transfer)
{
    static const struct {
        const char *name;
        long level;
    } levels[] = {{"required", CURLUSESSL_ALL}, {"try", CURLUSESSL_TRY}, {"none", CURLUSESSL_NONE}};
    const struct notify_config *config = &transfer->notify->config;
    CURL *easy = transfer->easy;
    long level = CURLUSESSL_ALL;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (config->smtp_tls != NULL && strcmp(config->smtp_tls, levels[i].name) == 0) {
            level = levels[i].level;
        }
    }
    transfer->list = curl_slist_append(NULL, transfer->to);
    curl_easy_setopt(easy, CURLOPT_URL, config->smtp_url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(easy, CURLOPT_USE_SSL, level);
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, transfer->notify->from);
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, transfer->list);
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
    if (config->user != NULL) {
        curl_easy_setopt(easy, CURLOPT_USERNAME, config->user);
        curl_easy_setopt(easy, CURLOPT_PASSWORD, config->password == NULL ? "" : config->password);
    }
}

static void set_up_post(struct transfer *transfer)
{
    const struct notify_config *config = &transfer->notify->config;
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_URL, transfer->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, config->private_hosts ? "https,http" : "https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->list);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->body);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->n);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    /* A connection that was let in for one address is not used for another's. */
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
}

static void set_up(struct transfer *transfer)
{
    const struct notify_config *config = &transfer->notify->config;
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); /* the environment has no say */
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "vedetted");
    curl_easy_setopt(easy, CURLOPT_TIMEOUT,
                     (long)(config->timeout_s == 0 ? TIMEOUT_S : config->timeout_s));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_write);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    if (config->ca_file != NULL) { curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file); }
    if (transfer->kind == TRANSFER_MAIL) {
        set_up_mail(transfer);
    } else {
        set_up_post(transfer);
    }
}

/* Begins it. False: it could not be. */
static bool transfer_start(struct notify *notify, struct transfer *transfer)
{
    if (transfer->spoilt != NULL) { return false; }
    transfer->easy = curl_easy_init();
    if (transfer->easy == NULL) { return false; }
    set_up(transfer);
    return curl_multi_add_handle(notify->multi, transfer->easy) == CURLM_OK;
}

/* Begins as many as may be under way. */
static void queue_run(struct notify *notify, struct transfer_queue *queue)
{
    while (queue->first != NULL && queue->active_count < queue->active_max && !notify->closing) {
        struct transfer *transfer = queue->first;
        queue->first = transfer->next;
        if (queue->first == NULL) { queue->last = &queue->first; }
        queue->count--;
        if (!transfer_start(notify, transfer)) {
            transfer_end(transfer, CURLE_OUT_OF_MEMORY);
            continue;
        }
        transfer->next = queue->active;
        queue->active = transfer;
        queue->active_count++;
    }
}

/* Always from the loop itself: nothing ends before the call it belongs to has returned. */
static void on_wake(uv_async_t *wake)
{
    struct notify *notify = wake->data;
    for (unsigned i = 0; i < TRANSFER_KINDS; i++) {
        queue_run(notify, &notify->queue[i]);
    }
}

static struct transfer *transfer_create(struct notify *notify, enum transfer_kind kind,
                                        notify_done_fn *done, void *ctx)
{
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) { return NULL; }
    transfer->notify = notify;
    transfer->kind = kind;
    transfer->done = done;
    transfer->ctx = ctx;
    return transfer;
}

static void queue_add(struct notify *notify, struct transfer *take_transfer)
{
    struct transfer_queue *queue = &notify->queue[take_transfer->kind];
    *queue->last = take_transfer;
    queue->last = &take_transfer->next;
    queue->count++;
    uv_async_send(&notify->wake);
}

/* --- libcurl on the loop ---------------------------------------------------------------------- */

static void check_ended(struct notify *notify)
{
    int left = 0;
    for (CURLMsg *message = NULL; (message = curl_multi_info_read(notify->multi, &left)) != NULL;) {
        if (message->msg != CURLMSG_DONE) { continue; }
        const CURLcode code = message->data.result;
        struct transfer *transfer = NULL;
        CURL *easy = message->easy_handle;
        (void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
        (void)curl_multi_remove_handle(notify->multi, easy);
        struct transfer_queue *queue = &notify->queue[transfer->kind];
        struct transfer **link = &queue->active;
        while (*link != transfer) {
            link = &(*link)->next;
        }
        *link = transfer->next;
        queue->active_count--;
        transfer_end(transfer, code);
        uv_async_send(&notify->wake);
    }
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
    struct socket_watch *watch = poll->data;
    struct notify *notify = watch->notify;
    int running = 0, flags = status < 0 ? CURL_CSELECT_ERR : 0;
    if ((events & UV_READABLE) != 0) { flags |= CURL_CSELECT_IN; }
    if ((events & UV_WRITABLE) != 0) { flags |= CURL_CSELECT_OUT; }
    (void)curl_multi_socket_action(notify->multi, watch->fd, flags, &running);
    check_ended(notify);
}

static void handle_closed(struct notify *notify)
{
    assert(notify->handles > 0);
    notify->handles--;
    if (notify->handles == 0 && notify->closing) { free(notify); }
}

static void on_watch_closed(uv_handle_t *handle)
{
    struct socket_watch *watch = handle->data;
    struct notify *notify = watch->notify;
    free(watch);
    handle_closed(notify);
}

static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *data, void *socket_data)
{
    struct notify *notify = data;
    struct socket_watch *watch = socket_data;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (watch != NULL) {
            uv_poll_stop(&watch->poll);
            uv_close((uv_handle_t *)&watch->poll, on_watch_closed);
            (void)curl_multi_assign(notify->multi, fd, NULL);
        }
        return 0;
    }
    if (watch == NULL) {
        watch = calloc(1, sizeof *watch);
        if (watch == NULL) { return -1; }
        watch->notify = notify;
        watch->fd = fd;
        if (uv_poll_init_socket(notify->config.loop, &watch->poll, fd) != 0) {
            free(watch);
            return -1;
        }
        watch->poll.data = watch;
        notify->handles++;
        (void)curl_multi_assign(notify->multi, fd, watch);
    }
    int events = what == CURL_POLL_IN    ? UV_READABLE
                 : what == CURL_POLL_OUT ? UV_WRITABLE
                                         : UV_READABLE | UV_WRITABLE;
    return uv_poll_start(&watch->poll, events, on_socket) == 0 ? 0 : -1;
}

static void on_timer(uv_timer_t *timer)
{
    struct notify *notify = timer->data;
    int running = 0;
    (void)curl_multi_socket_action(notify->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    check_ended(notify);
}

static int set_timer(CURLM *multi, long ms, void *data)
{
    struct notify *notify = data;
    (void)multi;
    if (notify->closing || ms < 0) { return uv_timer_stop(&notify->timer); }
    /* libcurl must not be called within its own callback: 0 is the next turn of the loop. */
    return uv_timer_start(&notify->timer, on_timer, (uint64_t)ms, 0);
}

/* --- what is sent ----------------------------------------------------------------------------- */

void notify_mail_once(struct notify *notify, const struct mime_mail *mail, notify_done_fn *done,
                      void *ctx)
{
    struct transfer *transfer = transfer_create(notify, TRANSFER_MAIL, done, ctx);
    if (transfer == NULL) { abort(); }
    struct mime_mail whole = *mail;
    struct buf text;
    buf_init(&text, MAIL_BYTES_MAX);
    whole.from = notify->config.from;
    whole.host = notify->host;
    whole.links = notify->config.url;
    if (notify->config.smtp_url == NULL) {
        transfer->spoilt = "this server sends no mail";
    } else if (mime_write(&whole, &text) != ERR_OK) {
        transfer->spoilt = "that address takes no mail of ours";
    } else {
        snprintf(transfer->to, sizeof transfer->to, "%s", mail->to);
        transfer->body = buf_take(&text, &transfer->n);
    }
    buf_finish(&text);
    queue_add(notify, transfer);
}

void notify_post_once(struct notify *notify, const struct notify_post *post, notify_done_fn *done,
                      void *ctx)
{
    struct transfer *transfer = transfer_create(notify, TRANSFER_POST, done, ctx);
    if (transfer == NULL) { abort(); }
    transfer->push = post->push;
    transfer->spoilt = address_refuse(post->url, notify->config.private_hosts);
    transfer->url = strdup(post->url);
    transfer->body = malloc(post->n + 1);
    transfer->n = post->n;
    /* "Expect:" without a value: no 100-continue. */
    transfer->list = curl_slist_append(NULL, "Expect:");
    for (unsigned i = 0; i < NOTIFY_HEADERS_MAX && post->headers[i] != NULL; i++) {
        transfer->list = curl_slist_append(transfer->list, post->headers[i]);
    }
    if (transfer->url == NULL || transfer->body == NULL) {
        transfer->spoilt = "no memory";
    } else {
        memcpy(transfer->body, post->body, post->n);
        transfer->body[post->n] = '\0';
    }
    queue_add(notify, transfer);
}

/* A fresh key and salt for each message. */
static enum err encrypt(const struct notify_push *push, struct buf *out)
{
    uint8_t salt[PUSH_SALT_BYTES];
    struct push_key *key = NULL;
    randombytes_buf(salt, sizeof salt);
    enum err err = push_key_random(&key);
    if (err == ERR_OK) {
        err =
            push_encrypt(key, salt, push->p256dh, push->auth, push->text, strlen(push->text), out);
    }
    push_key_destroy(key);
    return err;
}

void notify_push_once(struct notify *notify, const struct notify_push *push, notify_done_fn *done,
                      void *ctx)
{
    const char *contact =
        notify->config.contact != NULL ? notify->config.contact : notify->config.url;
    struct buf body, authorization;
    char ttl[32], topic[64];
    buf_init(&body, 8192);
    buf_init(&authorization, 4096);
    buf_append_str(&authorization, "Authorization: ");
    enum err err = encrypt(push, &body);
    if (err == ERR_OK) {
        err = push_write_vapid(notify->vapid, push->endpoint, contact,
                               now_ms(notify) / 1000 + VAPID_LIFE_S, &authorization);
    }
    snprintf(ttl, sizeof ttl, "TTL: %u", push->ttl_s);
    snprintf(topic, sizeof topic, "Topic: %.32s", push->topic);
    const struct notify_post post = {
        .url = push->endpoint,
        .headers = {buf_str(&authorization), "Content-Type: application/octet-stream",
                    "Content-Encoding: aes128gcm", ttl, topic,
                    push->urgent ? "Urgency: high" : "Urgency: normal"},
        .body = buf_str(&body),
        .n = body.len,
        .push = true,
    };
    if (err == ERR_OK) {
        notify_post_once(notify, &post, done, ctx);
    } else {
        struct transfer *transfer = transfer_create(notify, TRANSFER_POST, done, ctx);
        if (transfer == NULL) { abort(); }
        transfer->spoilt = "the subscription has no good key";
        queue_add(notify, transfer);
    }
    buf_finish(&body);
    buf_finish(&authorization);
}

/* --- account mails ---------------------------------------------------------------------------- */

static void kept_free(struct kept *take_kept)
{
    free(take_kept->to);
    free(take_kept->subject);
    if (take_kept->text != NULL) { sodium_memzero(take_kept->text, strlen(take_kept->text)); }
    free(take_kept->text);
    free(take_kept->language);
    free(take_kept);
}

static void kept_unlist(struct kept *kept)
{
    struct kept **link = &kept->notify->kept;
    while (*link != kept) {
        link = &(*link)->next;
    }
    *link = kept->next;
    kept->notify->kept_count--;
}

static void on_kept_done(void *ctx, enum notify_outcome outcome, const char *error)
{
    struct kept *kept = ctx;
    struct notify *notify = kept->notify;
    kept->under_way = false;
    if (outcome != NOTIFY_LATER || kept->tries >= KEPT_TRIES || notify->closing) {
        if (outcome != NOTIFY_SENT) {
            log_event(LOG_WARN, "account_mail_failed", "why=\"%s\"", error);
        }
        kept_unlist(kept);
        kept_free(kept);
        return;
    }
    log_event(LOG_INFO, "account_mail_waits", "why=\"%s\"", error);
    kept->due =
        (int64_t)uv_now(notify->config.loop) + ((int64_t)KEPT_FIRST_MS << (kept->tries - 1));
}

static void kept_send(struct notify *notify, struct kept *kept)
{
    const struct mime_mail mail = {.to = kept->to,
                                   .subject = kept->subject,
                                   .text = kept->text,
                                   .language = kept->language,
                                   .id = kept->id,
                                   .at = now_ms(notify)};
    kept->tries++;
    kept->under_way = true;
    notify_mail_once(notify, &mail, on_kept_done, kept);
}

static void on_tick(uv_timer_t *timer)
{
    struct notify *notify = timer->data;
    const int64_t now = (int64_t)uv_now(notify->config.loop);
    for (struct kept *kept = notify->kept; kept != NULL; kept = kept->next) {
        if (!kept->under_way && kept->due <= now) { kept_send(notify, kept); }
    }
}

static bool is_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c < 0x20 || *c == 0x7f) { return false; }
    }
    return true;
}

enum err notify_mail(struct notify *notify, const struct notify_mail *mail)
{
    uint8_t random[16];
    if (!notify_has_mail(notify)) { return ERR_CONFLICT; }
    if (!is_line(mail->to) || !is_line(mail->subject)) { return ERR_INVALID_PARAMS; }
    if (notify->kept_count >= KEPT_MAX) { return ERR_RATE_LIMITED; }
    struct kept *kept = calloc(1, sizeof *kept);
    if (kept == NULL) { return ERR_INTERNAL; }
    kept->notify = notify;
    kept->to = strdup(mail->to);
    kept->subject = strdup(mail->subject);
    kept->text = strdup(mail->text);
    kept->language = mail->language == NULL ? NULL : strdup(mail->language);
    if (kept->to == NULL || kept->subject == NULL || kept->text == NULL) {
        kept_free(kept);
        return ERR_INTERNAL;
    }
    randombytes_buf(random, sizeof random);
    b64_encode(kept->id, random, sizeof random);
    kept->next = notify->kept;
    notify->kept = kept;
    notify->kept_count++;
    kept_send(notify, kept);
    return ERR_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

/* The host of url, for names of messages. */
static void read_host(struct notify *notify)
{
    const char *begin = notify->config.url == NULL ? "" : strstr(notify->config.url, "://");
    begin = begin == NULL || begin[0] == '\0' ? "" : begin + 3;
    if (*begin == '[') { begin = ""; }
    const size_t n = strcspn(begin, ":/?#");
    snprintf(notify->host, sizeof notify->host, "%.*s", (int)(n < 255 ? n : 255), begin);
    if (notify->host[0] == '\0') { snprintf(notify->host, sizeof notify->host, "localhost"); }
}

static enum err check_config(struct notify *notify, char out_error[256])
{
    const struct notify_config *config = &notify->config;
    const char *bad = NULL;
    if (config->smtp_url != NULL && strncmp(config->smtp_url, "smtp://", 7) != 0 &&
        strncmp(config->smtp_url, "smtps://", 8) != 0) {
        bad = "[notify] smtp_url begins with smtp:// or smtps://";
    } else if (config->smtp_url != NULL && config->from == NULL) {
        bad = "[notify] smtp_url needs from, an address that mails come from";
    } else if (config->from != NULL &&
               (!is_line(config->from) || !mime_address(config->from, notify->from))) {
        bad = "[notify] from is no address of mail";
    } else if (config->smtp_tls != NULL && strcmp(config->smtp_tls, "required") != 0 &&
               strcmp(config->smtp_tls, "try") != 0 && strcmp(config->smtp_tls, "none") != 0) {
        bad = "[notify] smtp_tls is required, try or none";
    } else if (config->url == NULL || (strncmp(config->url, "http://", 7) != 0 &&
                                       strncmp(config->url, "https://", 8) != 0)) {
        bad = "[server] url begins with https:// or http://";
    }
    if (bad == NULL) { return ERR_OK; }
    snprintf(out_error, 256, "%s", bad);
    return ERR_INVALID_PARAMS;
}

static void open_handles(struct notify *notify)
{
    uv_loop_t *loop = notify->config.loop;
    uv_timer_init(loop, &notify->timer);
    uv_timer_init(loop, &notify->tick);
    uv_async_init(loop, &notify->wake, on_wake);
    notify->timer.data = notify;
    notify->tick.data = notify;
    notify->wake.data = notify;
    notify->handles = 3;
    uv_timer_start(&notify->tick, on_tick, TICK_MS, TICK_MS);
    curl_multi_setopt(notify->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(notify->multi, CURLMOPT_SOCKETDATA, notify);
    curl_multi_setopt(notify->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(notify->multi, CURLMOPT_TIMERDATA, notify);
}

enum err notify_create(const struct notify_config *config, struct notify **out_notify,
                       char out_error[256])
{
    struct notify *notify = calloc(1, sizeof *notify);
    if (notify == NULL) { return ERR_INTERNAL; }
    notify->config = *config;
    for (unsigned i = 0; i < TRANSFER_KINDS; i++) {
        notify->queue[i].last = &notify->queue[i].first;
        notify->queue[i].active_max = i == TRANSFER_MAIL ? MAILS_AT_ONCE : POSTS_AT_ONCE;
    }
    snprintf(out_error, 256, "libcurl or libcrypto does not start");
    enum err err = check_config(notify, out_error);
    if (err == ERR_OK) {
        err = push_key_derive(notify->config.seed, sizeof notify->config.seed, &notify->vapid);
    }
    if (err == ERR_OK && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) { err = ERR_INTERNAL; }
    if (err == ERR_OK) {
        notify->multi = curl_multi_init();
        if (notify->multi == NULL) { err = ERR_INTERNAL; }
    }
    if (err != ERR_OK) {
        push_key_destroy(notify->vapid);
        free(notify);
        return err;
    }
    b64_encode(notify->push_key, push_key_public(notify->vapid), PUSH_PUBLIC_BYTES);
    read_host(notify);
    open_handles(notify);
    *out_notify = notify;
    return ERR_OK;
}

static void on_handle_closed(uv_handle_t *handle)
{
    handle_closed(handle->data);
}

static void queue_drop(struct notify *notify, struct transfer_queue *queue)
{
    while (queue->active != NULL) {
        struct transfer *transfer = queue->active;
        queue->active = transfer->next;
        (void)curl_multi_remove_handle(notify->multi, transfer->easy);
        transfer_end(transfer, CURLE_ABORTED_BY_CALLBACK);
    }
    while (queue->first != NULL) {
        struct transfer *transfer = queue->first;
        queue->first = transfer->next;
        transfer_end(transfer, CURLE_ABORTED_BY_CALLBACK);
    }
}

void notify_destroy(struct notify *take_notify)
{
    struct notify *notify = take_notify;
    if (notify == NULL) { return; }
    notify->closing = true;
    for (unsigned i = 0; i < TRANSFER_KINDS; i++) {
        queue_drop(notify, &notify->queue[i]);
    }
    while (notify->kept != NULL) {
        struct kept *kept = notify->kept;
        kept_unlist(kept);
        kept_free(kept);
    }
    (void)curl_multi_cleanup(notify->multi);
    push_key_destroy(notify->vapid);
    sodium_memzero(notify->config.seed, sizeof notify->config.seed);
    uv_close((uv_handle_t *)&notify->timer, on_handle_closed);
    uv_close((uv_handle_t *)&notify->tick, on_handle_closed);
    uv_close((uv_handle_t *)&notify->wake, on_handle_closed);
}

bool notify_has_mail(const struct notify *notify)
{
    return notify->config.smtp_url != NULL;
}

const char *notify_url(const struct notify *notify)
{
    return notify->config.url;
}

const char *notify_push_key(const struct notify *notify)
{
    return notify->push_key;
}

void notify_get_stats(const struct notify *notify, struct notify_stats *out_stats)
{
    memset(out_stats, 0, sizeof *out_stats);
    for (unsigned i = 0; i < TRANSFER_KINDS; i++) {
        out_stats->under_way += notify->queue[i].active_count;
        out_stats->waiting += notify->queue[i].count;
    }
    out_stats->mails_kept = notify->kept_count;
}
