/* server/notify/hook.c: what webhooks are sent. */
#include "server/notify/hook.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"

enum { SECRET_BYTES_MAX = 64, DISCORD_CHARS = 2000 };

enum err hook_sign(const char *secret, const char *id, int64_t seconds, const char *body, size_t n,
                   char out[HOOK_SIGNATURE_BYTES])
{
    static const char head[] = "whsec_";
    uint8_t key[SECRET_BYTES_MAX], mac[crypto_auth_hmacsha256_BYTES];
    size_t key_len = 0;
    char stamp[32];
    if (strncmp(secret, head, sizeof head - 1) == 0) { secret += sizeof head - 1; }
    if (sodium_base642bin(key, sizeof key, secret, strlen(secret), NULL, &key_len, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0) {
        return ERR_INVALID_PARAMS;
    }
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_len);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)id, strlen(id));
    snprintf(stamp, sizeof stamp, ".%lld.", (long long)seconds);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)stamp, strlen(stamp));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)body, n);
    crypto_auth_hmacsha256_final(&state, mac);
    memcpy(out, "v1,", 3);
    (void)sodium_bin2base64(out + 3, HOOK_SIGNATURE_BYTES - 3, mac, sizeof mac,
                            sodium_base64_VARIANT_ORIGINAL);
    sodium_memzero(key, sizeof key);
    return ERR_OK;
}

/* How many bytes of text hold at most so many characters. */
static size_t bytes_of(const char *text, size_t chars)
{
    size_t n = 0;
    for (; text[n] != '\0'; n++) {
        if (((unsigned char)text[n] & 0xc0) == 0x80) { continue; }
        if (chars == 0) { break; }
        /* Discord counts UTF-16: what is beyond the basic plane counts twice. */
        chars -= (unsigned char)text[n] >= 0xf0 && chars > 1 ? 2 : 1;
    }
    return n;
}

void hook_write_discord(struct buf *out, const char *title, const char *text, const char *link)
{
    struct buf content;
    buf_init(&content, 4 * DISCORD_CHARS);
    buf_append_str(&content, "**");
    buf_append(&content, title, bytes_of(title, 200));
    buf_append_str(&content, "**\n");
    buf_append(&content, text, bytes_of(text, DISCORD_CHARS - 240 - strlen(link)));
    buf_append_str(&content, "\n<");
    buf_append_str(&content, link);
    buf_append_str(&content, ">");
    jw_object_begin(out);
    jw_key_object(out, "allowed_mentions");
    jw_key_array(out, "parse");
    jw_array_end(out);
    jw_object_end(out);
    jw_key_str(out, "content", buf_str(&content));
    jw_object_end(out);
    buf_finish(&content);
}

void hook_write_ntfy_title(struct buf *out, const char *title)
{
    bool plain = true;
    for (const unsigned char *c = (const unsigned char *)title; *c != '\0'; c++) {
        plain = plain && *c >= 0x20 && *c < 0x7f;
    }
    if (plain && strstr(title, "=?") == NULL) {
        buf_append_str(out, title);
        return;
    }
    char base64[400];
    const size_t n = bytes_of(title, 64);
    if (sodium_base64_encoded_len(n, sodium_base64_VARIANT_ORIGINAL) > sizeof base64) { return; }
    (void)sodium_bin2base64(base64, sizeof base64, (const unsigned char *)title, n,
                            sodium_base64_VARIANT_ORIGINAL);
    buf_append_str(out, "=?UTF-8?B?");
    buf_append_str(out, base64);
    buf_append_str(out, "?=");
}
