/* server/match/courier_inside.h: what the files of the courier share. */
#ifndef VEDETTE_SERVER_MATCH_COURIER_INSIDE_H
#define VEDETTE_SERVER_MATCH_COURIER_INSIDE_H

#include <uv.h>

#include "common/base/buf.h"
#include "common/base/hash.h"
#include "server/match/courier.h"
#include "server/match/wants.h"
#include "server/store/delivery.h"

struct db;

enum {
    COURIER_SORT_MAX = 16,     /* notices in one unit of writing */
    COURIER_PICK_MAX = 4,      /* messages put into words in one read */
    COURIER_BUSY_MAX = 64,     /* deliveries under way */
    COURIER_TOGETHER_MAX = 10, /* notices in one mail */
    COURIER_TEXT_MAX = 1 << 16
};

enum courier_channel { CHANNEL_MAIL, CHANNEL_WEBHOOK, CHANNEL_PUSH, CHANNELS };
extern const char *const courier_channels[CHANNELS];
/* CHANNELS: none of that name. */
enum courier_channel courier_channel_of(const char *name);

/* A message in words, or what became of a delivery that got none. */
struct message {
    struct message *next;
    struct courier *courier;
    enum courier_channel channel;
    struct account_id account;
    char target[DELIVERY_TARGET_BYTES];
    unsigned count; /* deliveries in it */
    struct {
        int64_t key;
        unsigned attempts;
    } delivery[COURIER_TOGETHER_MAX];
    char id[DELIVERY_ID_BYTES];
    const char *dropped; /* "stale" or "failed" instead of words; static */
    const char *why;     /* of dropped; static */
    /* words */
    char address[WANTS_URL_BYTES], language[16];
    char link[400];  /* to what it is about */
    char thread[48]; /* of mails: what they belong to; "": nothing */
    char stop[400];  /* ends these mails */
    enum notice_kind kind;
    bool urgent;
    struct buf subject, text, json; /* json: body of a standard webhook, or of a push */
    enum wants_hook hook;
    char secret[WANTS_SECRET_BYTES];
    uint8_t p256dh[WANTS_P256DH_BYTES], auth[WANTS_AUTH_BYTES];
    /* how it fared */
    int outcome; /* enum notify_outcome */
    char error[DELIVERY_ERROR_BYTES];
    int64_t now;
    bool died; /* out: the address was given up with this */
};
struct message *message_create(struct courier *courier);
void message_free(void *message);

struct courier {
    struct courier_config config;
    bool has_mail; /* of notify, as all threads may read it */
    char url[240];
    uv_timer_t timer;
    int64_t wake_at; /* ms; INT64_MAX: never */
    int64_t busy[COURIER_BUSY_MAX];
    size_t busy_count;
    bool working, again, closing;
    unsigned pending; /* reads, units, messages */
    int64_t pruned_at;
    struct courier_stats stats;
    void (*closed)(void *ctx);
    void *closed_ctx;
};

int64_t courier_now(const struct courier *courier);
/* One thing less under way. */
void courier_settled(struct courier *courier);

/* --- courier_sort.c --- */
/* What the account wants of a notice: settings merged, nowhere to send it taken out. */
struct courier_wants {
    struct notice_account account;
    struct cJSON *settings;
    struct wants wants;
    bool paced; /* of a match with pace */
};
enum err courier_wants_read(struct db *db, const struct courier *courier,
                            const struct notice_row *row, struct courier_wants *out) VD_CHECKED;
void courier_wants_finish(struct courier_wants *wants);
/* The account's address of mail; "": none that was confirmed. */
const char *courier_mail_address(const struct courier *courier, const struct courier_wants *wants);
/* Operation of a unit: notices that are due become deliveries, or end. data: struct sort_job. */
struct sort_job {
    const struct courier *courier;
    int64_t now;
    unsigned dropped; /* out */
};
enum err courier_sort(struct db *db, void *sort_job);
/* What is told at once, whatever the hour. */
bool courier_is_urgent(enum notice_kind kind);

/* --- courier_text.c --- */
/* Puts a delivery into words; other deliveries of mail that are due to the same account come with
 * it. INTERNAL: memory. */
enum err courier_word(struct db *db, const struct courier *courier, const struct delivery_row *row,
                      int64_t now, struct message *out_message) VD_CHECKED;
/* "2026-12-02 18:00 Europe/Brussels (UTC+01:00)" in the zone of that name; NULL or unknown: UTC. */
void courier_write_time(struct buf *out, int64_t at, const char *zone);
/* Speaks the language of an account's settings in this thread; returns its code. */
const char *courier_speak(const struct cJSON *settings);
/* ms since 1970 of "2026-12-02T18:00:00Z"; 0: it is none. */
int64_t courier_read_time(const char *text);
/* `deadline` of the seat in `clock` of match.get; 0: none. */
int64_t courier_deadline(const char *told, const char *code);
/* A match by its title, or its game and id. */
void courier_write_title(struct buf *out, const char *title, const char *game, const char *id);

/* --- courier_link.c --- */
enum link_scope { LINK_ALL, LINK_MATCH };
/* A link that ends mails: signed, good once, for ninety days. */
void courier_make_link(const struct courier *courier, const struct account_id *account,
                       const struct match_id *match, int64_t now, char out[COURIER_LINK_CHARS + 1]);

#endif
