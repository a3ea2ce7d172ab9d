/* server/match/wants.c: how a player wants to be told of things. */
#include "server/match/wants.h"

#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/notify/address.h"

static const char *const hooks[] = {"", "standard", "discord", "ntfy"};
static const char secret_head[] = "whsec_";

/* They come unless they are asked not to. */
enum { KINDS_WANTED = (1U << NOTICE_KINDS) - 1U };
/* Those that nobody chooses: the account asked for them, or must know. */
enum { KINDS_ALWAYS = 1U << NOTICE_DEAD | 1U << NOTICE_TEST };

/* --- checking --------------------------------------------------------------------------------- */

static enum err wrong(struct why *why, const char *member, const char *text)
{
    char path[WHY_MEMBER_MAX];
    snprintf(path, sizeof path, "notices.%s", member);
    return why_member(why, path, text);
}

static enum err check_bool(const cJSON *notices, const char *name, struct why *why)
{
    const cJSON *item = json_get(notices, name);
    return item == NULL || cJSON_IsBool(item) ? ERR_OK : wrong(why, name, "It is true or false.");
}

static enum err check_digest(const cJSON *notices, struct why *why)
{
    const cJSON *item = json_get(notices, "digest");
    const int64_t hours = json_int(item, -1);
    if (item == NULL || (hours >= 0 && hours <= WANTS_DIGEST_H_MAX)) { return ERR_OK; }
    return wrong(why, "digest", "Hours between two mails, 0 to 168.");
}

/* One that an account can choose. */
static bool is_choice(const char *name)
{
    enum notice_kind kind;
    return name != NULL && notice_kind_read(name, &kind) && (KINDS_ALWAYS >> kind & 1U) == 0;
}

static enum err check_kinds(const cJSON *notices, struct why *why)
{
    const cJSON *kinds = json_get(notices, "kinds");
    if (kinds == NULL) { return ERR_OK; }
    if (!cJSON_IsObject(kinds)) { return wrong(why, "kinds", "An object of kinds of notices."); }
    for (const cJSON *i = kinds->child; i != NULL; i = i->next) {
        if (!is_choice(i->string) || !cJSON_IsBool(i)) {
            return wrong(why, "kinds", "There is no such kind, or it is neither true nor false.");
        }
    }
    return ERR_OK;
}

/* "HH:MM" as minutes; -1: it is none. */
static int read_clock(const cJSON *item)
{
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    if (strlen(text) != 5 || text[2] != ':') { return -1; }
    for (unsigned i = 0; i < 5; i++) {
        if (i != 2 && (text[i] < '0' || text[i] > '9')) { return -1; }
    }
    const int hour = (text[0] - '0') * 10 + text[1] - '0';
    const int minute = (text[3] - '0') * 10 + text[4] - '0';
    return hour < 24 && minute < 60 ? hour * 60 + minute : -1;
}

static enum err check_quiet(const cJSON *notices, struct why *why)
{
    static const char *const names[] = {"from", "to", NULL};
    const cJSON *quiet = json_get(notices, "quiet");
    if (quiet == NULL || (cJSON_IsObject(quiet) && quiet->child == NULL)) { return ERR_OK; }
    struct why unused;
    if (!cJSON_IsObject(quiet) || json_only(quiet, names, &unused) != ERR_OK ||
        read_clock(json_get(quiet, "from")) < 0 || read_clock(json_get(quiet, "to")) < 0) {
        return wrong(why, "quiet", "Two times of the day, as 22:30.");
    }
    return ERR_OK;
}

static enum wants_hook read_hook(const cJSON *item)
{
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    for (unsigned i = HOOK_STANDARD; i <= HOOK_NTFY; i++) {
        if (strcmp(hooks[i], text) == 0) { return (enum wants_hook)i; }
    }
    return HOOK_NONE;
}

/* whsec_ and base64 of 24 to 64 bytes (Standard Webhooks). */
static bool is_secret(const char *text)
{
    uint8_t bytes[64];
    size_t n = 0;
    if (strncmp(text, secret_head, sizeof secret_head - 1) != 0) { return false; }
    const char *base64 = text + sizeof secret_head - 1;
    return strlen(text) < WANTS_SECRET_BYTES &&
           sodium_base642bin(bytes, sizeof bytes, base64, strlen(base64), NULL, &n, NULL,
                             sodium_base64_VARIANT_ORIGINAL) == 0 &&
           n >= 24;
}

static enum err check_webhook(const cJSON *notices, bool private_hosts, struct why *why)
{
    static const char *const names[] = {"kind", "secret", "url", NULL};
    const cJSON *hook = json_get(notices, "webhook");
    if (hook == NULL || (cJSON_IsObject(hook) && hook->child == NULL)) { return ERR_OK; }
    struct why unused;
    if (!cJSON_IsObject(hook) || json_only(hook, names, &unused) != ERR_OK) {
        return wrong(why, "webhook", "An object of url, kind and perhaps secret; {} for none.");
    }
    const cJSON *url = json_get(hook, "url"), *secret = json_get(hook, "secret");
    const char *bad = cJSON_IsString(url) && strlen(url->valuestring) < WANTS_URL_BYTES
                          ? address_refuse(url->valuestring, private_hosts)
                          : "An address of up to 512 bytes.";
    if (bad != NULL) { return wrong(why, "webhook.url", bad); }
    if (read_hook(json_get(hook, "kind")) == HOOK_NONE) {
        return wrong(why, "webhook.kind", "standard, discord or ntfy.");
    }
    if (secret != NULL && (!cJSON_IsString(secret) || !is_secret(secret->valuestring))) {
        return wrong(why, "webhook.secret", "whsec_ and base64 of 24 to 64 bytes.");
    }
    return ERR_OK;
}

/* Bytes as base64url, with or without padding. */
static bool read_bytes(const cJSON *item, uint8_t *out, size_t n)
{
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    char bare[128];
    size_t len = strcspn(text, "=");
    if (len >= sizeof bare || text[len + strspn(text + len, "=")] != '\0') { return false; }
    memcpy(bare, text, len);
    bare[len] = '\0';
    return b64_decode(bare, out, n);
}

static bool read_push(const cJSON *item, struct wants_push *out)
{
    static const char *const names[] = {"endpoint", "expirationTime", "keys", "label", NULL};
    static const char *const key_names[] = {"auth", "p256dh", NULL};
    struct why unused;
    const cJSON *endpoint = json_get(item, "endpoint"), *keys = json_get(item, "keys"),
                *label = json_get(item, "label");
    if (!cJSON_IsObject(item) || json_only(item, names, &unused) != ERR_OK ||
        !cJSON_IsObject(keys) || json_only(keys, key_names, &unused) != ERR_OK ||
        !cJSON_IsString(endpoint) || strlen(endpoint->valuestring) >= sizeof out->endpoint ||
        (label != NULL &&
         (!cJSON_IsString(label) || strlen(label->valuestring) >= WANTS_LABEL_BYTES))) {
        return false;
    }
    snprintf(out->endpoint, sizeof out->endpoint, "%s", endpoint->valuestring);
    return read_bytes(json_get(keys, "p256dh"), out->p256dh, sizeof out->p256dh) &&
           read_bytes(json_get(keys, "auth"), out->auth, sizeof out->auth) && out->p256dh[0] == 4;
}

static enum err check_push(const cJSON *notices, bool private_hosts, struct why *why)
{
    const cJSON *list = json_get(notices, "push");
    if (list == NULL) { return ERR_OK; }
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > WANTS_PUSH_MAX) {
        return wrong(why, "push", "Up to 8 subscriptions of browsers.");
    }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        struct wants_push push;
        if (!read_push(i, &push)) {
            return wrong(why, "push", "A subscription has endpoint, keys with p256dh and auth.");
        }
        const char *bad = address_refuse(push.endpoint, private_hosts);
        if (bad != NULL) { return wrong(why, "push.endpoint", bad); }
    }
    return ERR_OK;
}

enum err wants_check(const struct cJSON *notices, bool private_hosts, struct why *why)
{
    static const char *const names[] = {"always", "digest", "kinds",   "mail",
                                        "push",   "quiet",  "webhook", NULL};
    if (!cJSON_IsObject(notices)) { return why_member(why, "notices", "It is an object."); }
    enum err err = json_only(notices, names, why);
    if (err == ERR_OK) { err = check_bool(notices, "mail", why); }
    if (err == ERR_OK) { err = check_bool(notices, "always", why); }
    if (err == ERR_OK) { err = check_digest(notices, why); }
    if (err == ERR_OK) { err = check_kinds(notices, why); }
    if (err == ERR_OK) { err = check_quiet(notices, why); }
    if (err == ERR_OK) { err = check_webhook(notices, private_hosts, why); }
    if (err == ERR_OK) { err = check_push(notices, private_hosts, why); }
    return err;
}

enum err wants_check_match(const struct cJSON *notices, struct why *why)
{
    static const char *const names[] = {"always", "digest",  "kinds", "mail",
                                        "push",   "webhook", NULL};
    if (!cJSON_IsObject(notices)) { return why_member(why, "notices", "It is an object."); }
    enum err err = json_only(notices, names, why);
    for (unsigned i = 0; err == ERR_OK && names[i] != NULL; i++) {
        if (strcmp(names[i], "digest") == 0 || strcmp(names[i], "kinds") == 0) { continue; }
        err = check_bool(notices, names[i], why);
    }
    if (err == ERR_OK) { err = check_digest(notices, why); }
    if (err == ERR_OK) { err = check_kinds(notices, why); }
    return err;
}

/* --- merging ---------------------------------------------------------------------------------- */

static void merge_kinds(struct buf *out, const cJSON *old, const cJSON *given)
{
    jw_key_object(out, "kinds");
    for (unsigned i = 0; i < NOTICE_KINDS; i++) {
        const char *name = notice_kind_name((enum notice_kind)i);
        const cJSON *value = json_get(given, name);
        if (value == NULL) { value = json_get(old, name); }
        if (value != NULL) { jw_key_bool(out, name, cJSON_IsTrue(value)); }
    }
    jw_object_end(out);
}

static void make_secret(char out[WANTS_SECRET_BYTES])
{
    uint8_t bytes[32];
    randombytes_buf(bytes, sizeof bytes);
    memcpy(out, secret_head, sizeof secret_head);
    (void)sodium_bin2base64(out + sizeof secret_head - 1, WANTS_SECRET_BYTES - sizeof secret_head,
                            bytes, sizeof bytes, sodium_base64_VARIANT_ORIGINAL);
    sodium_memzero(bytes, sizeof bytes);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static void merge_webhook(struct buf *out, const cJSON *old, const cJSON *given)
{
    char made[WANTS_SECRET_BYTES];
    const char *secret = text_of(given, "secret");
    const bool standard = read_hook(json_get(given, "kind")) == HOOK_STANDARD;
    if (secret[0] == '\0' && strcmp(text_of(old, "url"), text_of(given, "url")) == 0) {
        secret = text_of(old, "secret");
    }
    if (secret[0] == '\0' && standard) {
        make_secret(made);
        secret = made;
    }
    jw_key_object(out, "webhook");
    jw_key_str(out, "kind", text_of(given, "kind"));
    if (standard) { jw_key_str(out, "secret", secret); }
    jw_key_str(out, "url", text_of(given, "url"));
    jw_object_end(out);
}

void wants_merge(struct buf *out, const struct cJSON *old, const struct cJSON *given)
{
    static const char *const names[] = {"always", "digest", "kinds",   "mail",
                                        "push",   "quiet",  "webhook", NULL};
    jw_object_begin(out);
    for (unsigned i = 0; names[i] != NULL; i++) {
        const cJSON *new_value = json_get(given, names[i]);
        const cJSON *value = new_value != NULL ? new_value : json_get(old, names[i]);
        const bool empty = (cJSON_IsObject(value) || cJSON_IsArray(value)) && value->child == NULL;
        if (value == NULL || empty) { continue; }
        if (strcmp(names[i], "kinds") == 0) {
            merge_kinds(out, json_get(old, "kinds"), new_value);
        } else if (new_value != NULL && cJSON_IsObject(value) && strcmp(names[i], "webhook") == 0) {
            merge_webhook(out, json_get(old, "webhook"), value);
        } else {
            jw_key(out, names[i]);
            jw_value(out, value);
        }
    }
    jw_object_end(out);
}

void wants_merge_match(struct buf *out, const struct cJSON *old, const struct cJSON *given)
{
    static const char *const names[] = {"always", "digest",  "kinds", "mail",
                                        "push",   "webhook", NULL};
    jw_object_begin(out);
    for (unsigned i = 0; names[i] != NULL; i++) {
        const cJSON *value = json_get(given, names[i]);
        if (value == NULL) { value = json_get(old, names[i]); }
        if (value == NULL) { continue; }
        if (strcmp(names[i], "kinds") == 0) {
            merge_kinds(out, json_get(old, "kinds"), json_get(given, "kinds"));
        } else {
            jw_key(out, names[i]);
            jw_value(out, value);
        }
    }
    jw_object_end(out);
}

void wants_write(struct buf *out, const struct cJSON *notices, bool secrets)
{
    jw_object_begin(out);
    for (const cJSON *i = notices->child; i != NULL; i = i->next) {
        if (secrets || strcmp(i->string, "webhook") != 0) {
            if (!secrets && strcmp(i->string, "push") == 0) { continue; }
            jw_key(out, i->string);
            jw_value(out, i);
            continue;
        }
        jw_key_object(out, "webhook");
        jw_key_str(out, "kind", text_of(i, "kind"));
        jw_object_end(out);
    }
    jw_object_end(out);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool truth(const cJSON *object, const char *name, bool otherwise)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsBool(item) ? cJSON_IsTrue(item) : otherwise;
}

static void read_kinds(const cJSON *kinds, uint32_t *kinds_wanted)
{
    for (unsigned i = 0; i < NOTICE_KINDS; i++) {
        const uint32_t bit = UINT32_C(1) << i;
        const bool on =
            truth(kinds, notice_kind_name((enum notice_kind)i), (*kinds_wanted & bit) != 0);
        *kinds_wanted = on ? *kinds_wanted | bit : *kinds_wanted & ~bit;
    }
    *kinds_wanted |= KINDS_ALWAYS;
}

static void read_addresses(const cJSON *notices, struct wants *out)
{
    const cJSON *hook = json_get(notices, "webhook"), *push = json_get(notices, "push");
    if (cJSON_IsObject(hook)) {
        out->hook = read_hook(json_get(hook, "kind"));
        snprintf(out->url, sizeof out->url, "%s", text_of(hook, "url"));
        snprintf(out->secret, sizeof out->secret, "%s", text_of(hook, "secret"));
    }
    for (const cJSON *i = push == NULL ? NULL : push->child; i != NULL; i = i->next) {
        if (out->push_count < WANTS_PUSH_MAX && read_push(i, &out->push[out->push_count])) {
            out->push_count++;
        }
    }
}

void wants_read(const struct cJSON *settings, const struct cJSON *of_match, struct wants *out_wants)
{
    const cJSON *notices = json_get(settings, "notices"), *quiet = json_get(notices, "quiet");
    memset(out_wants, 0, sizeof *out_wants);
    out_wants->kinds = KINDS_WANTED;
    out_wants->mail = truth(notices, "mail", true);
    out_wants->always = truth(notices, "always", false);
    out_wants->digest_h = (unsigned)json_int(json_get(notices, "digest"), 0);
    read_kinds(json_get(notices, "kinds"), &out_wants->kinds);
    read_addresses(notices, out_wants);
    if (cJSON_IsObject(quiet)) {
        out_wants->quiet_from = (int16_t)read_clock(json_get(quiet, "from"));
        out_wants->quiet_to = (int16_t)read_clock(json_get(quiet, "to"));
    }
    if (of_match == NULL) { return; }
    out_wants->mail = truth(of_match, "mail", out_wants->mail);
    out_wants->always = truth(of_match, "always", out_wants->always);
    out_wants->digest_h = (unsigned)json_int(json_get(of_match, "digest"), out_wants->digest_h);
    read_kinds(json_get(of_match, "kinds"), &out_wants->kinds);
    if (!truth(of_match, "webhook", true)) { out_wants->hook = HOOK_NONE; }
    if (!truth(of_match, "push", true)) { out_wants->push_count = 0; }
}

void wants_target(const char *address, char out[WANTS_TARGET_BYTES])
{
    struct hash hash;
    hash_bytes(address, strlen(address), &hash);
    (void)sodium_bin2hex(out, WANTS_TARGET_BYTES, hash.bytes, (WANTS_TARGET_BYTES - 1) / 2);
}
