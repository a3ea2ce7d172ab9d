/* server/notify/push.c: Web Push. */
#include "server/notify/push.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonw.h"

enum { RECORD_BYTES = 4096, TAG_BYTES = 16, SHARED_BYTES = 32, WIDE_BYTES = 48 };

struct push_key {
    EVP_PKEY *pkey;
    uint8_t public_key[PUSH_PUBLIC_BYTES];
};

/* --- keys ------------------------------------------------------------------------------------- */

/* Both halves as a key of OpenSSL; private NULL: the public one alone. NULL: none of the curve. */
static EVP_PKEY *make_pkey(const uint8_t *public_key, const BIGNUM *private_key)
{
    EVP_PKEY *pkey = NULL;
    OSSL_PARAM *params = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    const int selection = private_key != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    bool good =
        build != NULL && ctx != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, public_key,
                                         PUSH_PUBLIC_BYTES) == 1;
    if (good && private_key != NULL) {
        good = OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, private_key) == 1;
    }
    if (good) { params = OSSL_PARAM_BLD_to_param(build); }
    if (params == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &pkey, selection, params) != 1) {
        pkey = NULL;
    }
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(ctx);
    return pkey;
}

/* The point of a private number, uncompressed. */
static bool make_public(const EC_GROUP *group, const BIGNUM *number, uint8_t *out)
{
    EC_POINT *point = EC_POINT_new(group);
    const bool good = point != NULL && EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
                      EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, out,
                                         PUSH_PUBLIC_BYTES, NULL) == PUSH_PUBLIC_BYTES;
    EC_POINT_free(point);
    return good;
}

static enum err key_of(const EC_GROUP *group, const BIGNUM *number, struct push_key **out_key)
{
    const BIGNUM *order = EC_GROUP_get0_order(group);
    if (BN_is_zero(number) || BN_cmp(number, order) >= 0) { return ERR_INVALID_PARAMS; }
    struct push_key *key = calloc(1, sizeof *key);
    if (key == NULL) { return ERR_INTERNAL; }
    if (make_public(group, number, key->public_key)) {
        key->pkey = make_pkey(key->public_key, number);
    }
    if (key->pkey == NULL) {
        push_key_destroy(key);
        return ERR_INTERNAL;
    }
    *out_key = key;
    return ERR_OK;
}

enum err push_key_create(const uint8_t private_key[PUSH_PRIVATE_BYTES], struct push_key **out_key)
{
    enum err err = ERR_INTERNAL;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *number = BN_bin2bn(private_key, PUSH_PRIVATE_BYTES, NULL);
    if (group != NULL && number != NULL) { err = key_of(group, number, out_key); }
    BN_clear_free(number);
    EC_GROUP_free(group);
    return err;
}

/* 1 + wide mod (order - 1): wide is 128 bits longer than the order. */
static enum err derive(const EC_GROUP *group, BN_CTX *ctx, const uint8_t wide[WIDE_BYTES],
                       struct push_key **out_key)
{
    enum err err = ERR_INTERNAL;
    BIGNUM *number = BN_bin2bn(wide, WIDE_BYTES, NULL);
    BIGNUM *bound = BN_dup(EC_GROUP_get0_order(group));
    if (number != NULL && bound != NULL && BN_sub_word(bound, 1) == 1 &&
        BN_nnmod(number, number, bound, ctx) == 1 && BN_add_word(number, 1) == 1) {
        err = key_of(group, number, out_key);
    }
    BN_clear_free(number);
    BN_free(bound);
    return err;
}

enum err push_key_derive(const uint8_t *seed, size_t n, struct push_key **out_key)
{
    static const char label[] = "vedette1 vapid";
    uint8_t wide[WIDE_BYTES];
    enum err err = ERR_INTERNAL;
    crypto_generichash_state state;
    crypto_generichash_init(&state, seed, n, sizeof wide);
    crypto_generichash_update(&state, (const uint8_t *)label, sizeof label - 1);
    crypto_generichash_final(&state, wide, sizeof wide);
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BN_CTX *ctx = BN_CTX_new();
    if (group != NULL && ctx != NULL) { err = derive(group, ctx, wide, out_key); }
    BN_CTX_free(ctx);
    EC_GROUP_free(group);
    sodium_memzero(wide, sizeof wide);
    return err;
}

enum err push_key_random(struct push_key **out_key)
{
    uint8_t seed[32];
    randombytes_buf(seed, sizeof seed);
    enum err err = push_key_derive(seed, sizeof seed, out_key);
    sodium_memzero(seed, sizeof seed);
    return err;
}

void push_key_destroy(struct push_key *take_key)
{
    if (take_key == NULL) { return; }
    EVP_PKEY_free(take_key->pkey);
    free(take_key);
}

const uint8_t *push_key_public(const struct push_key *key)
{
    return key->public_key;
}

/* --- RFC 8291 --------------------------------------------------------------------------------- */

static bool agree(const struct push_key *key, const uint8_t *other, uint8_t out[SHARED_BYTES])
{
    size_t n = SHARED_BYTES;
    EVP_PKEY *peer = make_pkey(other, NULL);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key->pkey, NULL);
    /* set_peer checks that the point is on the curve. */
    const bool good = peer != NULL && ctx != NULL && EVP_PKEY_derive_init(ctx) == 1 &&
                      EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
                      EVP_PKEY_derive(ctx, out, &n) == 1 && n == SHARED_BYTES;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(peer);
    return good;
}

static void hmac(const uint8_t *key, size_t key_n, const uint8_t *a, size_t a_n, const uint8_t *b,
                 size_t b_n, uint8_t out[32])
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_n);
    crypto_auth_hmacsha256_update(&state, a, a_n);
    if (b_n > 0) { crypto_auth_hmacsha256_update(&state, b, b_n); }
    crypto_auth_hmacsha256_final(&state, out);
}

/* HKDF (RFC 5869) to at most 32 bytes: one round. info is followed by the byte 1. */
static void hkdf(const uint8_t *salt, size_t salt_n, const uint8_t *ikm, size_t ikm_n,
                 const void *info, size_t info_n, uint8_t out[32])
{
    static const uint8_t one[1] = {1};
    uint8_t prk[32];
    hmac(salt, salt_n, ikm, ikm_n, NULL, 0, prk);
    hmac(prk, sizeof prk, info, info_n, one, 1, out);
    sodium_memzero(prk, sizeof prk);
}

static bool seal(const uint8_t key[16], const uint8_t nonce[12], const uint8_t *text, int n,
                 uint8_t *out)
{
    int len = 0, rest = 0;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    const bool good = ctx != NULL &&
                      EVP_EncryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                      EVP_EncryptUpdate(ctx, out, &len, text, n) == 1 &&
                      EVP_EncryptFinal_ex(ctx, out + len, &rest) == 1 && len + rest == n &&
                      EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, TAG_BYTES, out + n) == 1;
    EVP_CIPHER_CTX_free(ctx);
    return good;
}

enum err push_encrypt(const struct push_key *as_key, const uint8_t salt[PUSH_SALT_BYTES],
                      const uint8_t p256dh[PUSH_PUBLIC_BYTES], const uint8_t auth[PUSH_AUTH_BYTES],
                      const char *text, size_t n, struct buf *out)
{
    static const char head[] = "WebPush: info";
    static const char key_info[] = "Content-Encoding: aes128gcm";
    static const char nonce_info[] = "Content-Encoding: nonce";
    uint8_t shared[SHARED_BYTES], ikm[32], key[32], nonce[32];
    uint8_t info[sizeof head + 2 * PUSH_PUBLIC_BYTES], plain[PUSH_TEXT_BYTES_MAX + 1];
    if (n > PUSH_TEXT_BYTES_MAX || !agree(as_key, p256dh, shared)) { return ERR_INVALID_PARAMS; }
    memcpy(info, head, sizeof head); /* with its NUL */
    memcpy(info + sizeof head, p256dh, PUSH_PUBLIC_BYTES);
    memcpy(info + sizeof head + PUSH_PUBLIC_BYTES, as_key->public_key, PUSH_PUBLIC_BYTES);
    hkdf(auth, PUSH_AUTH_BYTES, shared, sizeof shared, info, sizeof info, ikm);
    hkdf(salt, PUSH_SALT_BYTES, ikm, sizeof ikm, key_info, sizeof key_info, key);
    hkdf(salt, PUSH_SALT_BYTES, ikm, sizeof ikm, nonce_info, sizeof nonce_info, nonce);
    memcpy(plain, text, n);
    plain[n] = 2; /* the last record (RFC 8188 section 2) */
    const uint8_t size[5] = {0, 0, RECORD_BYTES >> 8, RECORD_BYTES & 255, PUSH_PUBLIC_BYTES};
    buf_append(out, salt, PUSH_SALT_BYTES);
    buf_append(out, size, sizeof size);
    buf_append(out, as_key->public_key, PUSH_PUBLIC_BYTES);
    uint8_t *room = (uint8_t *)buf_extend(out, n + 1 + TAG_BYTES);
    const bool good = room != NULL && seal(key, nonce, plain, (int)n + 1, room);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(ikm, sizeof ikm);
    sodium_memzero(key, sizeof key);
    return good ? ERR_OK : ERR_INTERNAL;
}

/* --- RFC 8292 --------------------------------------------------------------------------------- */

/* scheme://host[:port] of an address; 0: none. */
static size_t origin_length(const char *endpoint)
{
    const char *slashes = strstr(endpoint, "://");
    if (slashes == NULL) { return 0; }
    const size_t host = strcspn(slashes + 3, "/?#");
    return host == 0 ? 0 : (size_t)(slashes - endpoint) + 3 + host;
}

/* ES256: r and s, 32 bytes each (RFC 7518 3.4). */
static bool sign(const struct push_key *key, const char *text, size_t n, uint8_t out[64])
{
    uint8_t der[128];
    size_t der_n = sizeof der;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = ctx != NULL && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key->pkey) == 1 &&
                EVP_DigestSign(ctx, der, &der_n, (const uint8_t *)text, n) == 1;
    EVP_MD_CTX_free(ctx);
    if (!good) { return false; }
    const uint8_t *at = der;
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)der_n);
    good = sig != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(sig), out, 32) == 32 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(sig), out + 32, 32) == 32;
    ECDSA_SIG_free(sig);
    return good;
}

enum err push_write_vapid(const struct push_key *key, const char *endpoint, const char *subject,
                          int64_t expires, struct buf *out)
{
    static const char header[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    uint8_t signature[64];
    const size_t origin = origin_length(endpoint);
    if (origin == 0) { return ERR_INVALID_PARAMS; }
    struct buf claims, token;
    buf_init(&claims, 2048);
    buf_init(&token, 4096);
    jw_object_begin(&claims);
    jw_key(&claims, "aud");
    jw_strn(&claims, endpoint, origin);
    jw_key_int(&claims, "exp", expires);
    jw_key_str(&claims, "sub", subject);
    jw_object_end(&claims);
    b64_append(&token, header, sizeof header - 1);
    buf_append_char(&token, '.');
    b64_append(&token, buf_str(&claims), claims.len);
    const bool good =
        !claims.failed && !token.failed && sign(key, token.data, token.len, signature);
    if (good) {
        buf_append_str(out, "vapid t=");
        buf_append_str(out, buf_str(&token));
        buf_append_char(out, '.');
        b64_append(out, signature, sizeof signature);
        buf_append_str(out, ", k=");
        b64_append(out, key->public_key, PUSH_PUBLIC_BYTES);
    }
    buf_finish(&claims);
    buf_finish(&token);
    return good ? ERR_OK : ERR_INTERNAL;
}
