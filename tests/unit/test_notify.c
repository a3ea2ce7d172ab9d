/* tests/unit/test_notify.c: what is sent, byte by byte: the examples of RFC 8291 and of Standard
 * Webhooks, mails that would be something else, addresses that are not of the public network. */
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "server/notify/address.h"
#include "server/notify/hook.h"
#include "server/notify/mime.h"
#include "server/notify/push.h"

/* --- Web Push: RFC 8291 section 5 and appendix A -----------------------------------------------
 */

static const char text_8291[] = "When I grow up, I want to be a watermelon";
static const char as_private_8291[] = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
static const char as_public_8291[] =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char ua_public_8291[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char auth_8291[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char salt_8291[] = "DGv6ra1nlYgDCS1FRnbzlw";
static const char body_8291[] =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
    "lcy4a-fN";

struct example {
    struct push_key *key;
    uint8_t private_key[32], p256dh[65], auth[16], salt[16];
};

static void example_init(struct example *e)
{
    ck_assert(b64_decode(as_private_8291, e->private_key, 32));
    ck_assert(b64_decode(ua_public_8291, e->p256dh, 65));
    ck_assert(b64_decode(auth_8291, e->auth, 16));
    ck_assert(b64_decode(salt_8291, e->salt, 16));
    ck_assert_int_eq(push_key_create(e->private_key, &e->key), ERR_OK);
}

START_TEST(push_example)
{
    struct example e;
    struct buf out, text;
    example_init(&e);
    buf_init(&out, 8192);
    buf_init(&text, 8192);
    b64_append(&text, push_key_public(e.key), PUSH_PUBLIC_BYTES);
    ck_assert_str_eq(buf_str(&text), as_public_8291);
    ck_assert_int_eq(
        push_encrypt(e.key, e.salt, e.p256dh, e.auth, text_8291, strlen(text_8291), &out), ERR_OK);
    buf_reset(&text);
    b64_append(&text, out.data, out.len);
    ck_assert_str_eq(buf_str(&text), body_8291);
    buf_finish(&out);
    buf_finish(&text);
    push_key_destroy(e.key);
}
END_TEST

START_TEST(push_refuses)
{
    struct example e;
    struct buf out;
    static char long_text[PUSH_TEXT_BYTES_MAX + 1];
    example_init(&e);
    buf_init(&out, 8192);
    memset(long_text, 'a', sizeof long_text);
    ck_assert_int_eq(
        push_encrypt(e.key, e.salt, e.p256dh, e.auth, long_text, sizeof long_text, &out),
        ERR_INVALID_PARAMS);
    ck_assert_int_eq(
        push_encrypt(e.key, e.salt, e.p256dh, e.auth, long_text, sizeof long_text - 1, &out),
        ERR_OK);
    ck_assert_uint_le(out.len, 4096); /* what every push service takes (RFC 8030 7.2) */
    e.p256dh[40] ^= 1;                /* no point of the curve */
    ck_assert_int_eq(push_encrypt(e.key, e.salt, e.p256dh, e.auth, "a", 1, &out),
                     ERR_INVALID_PARAMS);
    struct push_key *none = NULL;
    uint8_t zero[32] = {0};
    ck_assert_int_eq(push_key_create(zero, &none), ERR_INVALID_PARAMS);
    memset(zero, 0xff, sizeof zero); /* beyond the order */
    ck_assert_int_eq(push_key_create(zero, &none), ERR_INVALID_PARAMS);
    ck_assert_ptr_null(none);
    buf_finish(&out);
    push_key_destroy(e.key);
}
END_TEST

/* The key of a seed is always the same, and another for another seed. */
START_TEST(push_keys_of_seeds)
{
    struct push_key *a = NULL, *b = NULL, *c = NULL;
    ck_assert_int_eq(push_key_derive((const uint8_t *)"seed one", 8, &a), ERR_OK);
    ck_assert_int_eq(push_key_derive((const uint8_t *)"seed one", 8, &b), ERR_OK);
    ck_assert_int_eq(push_key_derive((const uint8_t *)"seed two", 8, &c), ERR_OK);
    ck_assert_mem_eq(push_key_public(a), push_key_public(b), PUSH_PUBLIC_BYTES);
    ck_assert_mem_ne(push_key_public(a), push_key_public(c), PUSH_PUBLIC_BYTES);
    push_key_destroy(a);
    push_key_destroy(b);
    push_key_destroy(c);
}
END_TEST

static EVP_PKEY *public_pkey(const uint8_t *point)
{
    EVP_PKEY *pkey = NULL;
    char group[] = "prime256v1";
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)(uintptr_t)point, 65),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    ck_assert_int_eq(EVP_PKEY_fromdata_init(ctx), 1);
    ck_assert_int_eq(EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params), 1);
    EVP_PKEY_CTX_free(ctx);
    return pkey;
}

/* r and s as DER, as OpenSSL reads signatures. */
static size_t to_der(const uint8_t raw[64], uint8_t out[80])
{
    size_t n = 2;
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *at = raw + (size_t)32 * i;
        size_t skip = 0;
        while (skip < 31 && at[skip] == 0) {
            skip++;
        }
        const bool pad = (at[skip] & 0x80) != 0;
        out[n++] = 2;
        out[n++] = (uint8_t)(32 - skip + (pad ? 1 : 0));
        if (pad) { out[n++] = 0; }
        memcpy(out + n, at + skip, 32 - skip);
        n += 32 - skip;
    }
    out[0] = 0x30;
    out[1] = (uint8_t)(n - 2);
    return n;
}

/* RFC 8292: a JWT signed by ES256 whose claims are the origin, when it expires, whom to ask. */
START_TEST(vapid)
{
    struct example e;
    struct buf out;
    char claims[512] = "", signature_text[128] = "";
    uint8_t raw[64], der[80];
    example_init(&e);
    buf_init(&out, 4096);
    ck_assert_int_eq(push_write_vapid(e.key, "https://push.example.net:8443/abc?d=e",
                                      "mailto:ops@example.org", 1796000000, &out),
                     ERR_OK);
    char *token = strdup(buf_str(&out) + strlen("vapid t="));
    ck_assert_mem_eq(buf_str(&out), "vapid t=", 8);
    char *comma = strstr(token, ", k=");
    ck_assert_ptr_nonnull(comma);
    ck_assert_str_eq(comma + 4, as_public_8291);
    *comma = '\0';
    char *first = strchr(token, '.'), *second = strrchr(token, '.');
    size_t n = 0;
    ck_assert_int_eq(sodium_base642bin((unsigned char *)claims, sizeof claims - 1, first + 1,
                                       (size_t)(second - first - 1), NULL, &n, NULL,
                                       sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                     0);
    ck_assert_str_eq(claims, "{\"aud\":\"https://push.example.net:8443\",\"exp\":1796000000,"
                             "\"sub\":\"mailto:ops@example.org\"}");
    snprintf(signature_text, sizeof signature_text, "%s", second + 1);
    ck_assert(b64_decode(signature_text, raw, sizeof raw));
    EVP_PKEY *pkey = public_pkey(push_key_public(e.key));
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    ck_assert_int_eq(EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, pkey), 1);
    ck_assert_int_eq(EVP_DigestVerify(ctx, der, to_der(raw, der), (const uint8_t *)token,
                                      (size_t)(second - token)),
                     1);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(pkey);
    ck_assert_int_eq(push_write_vapid(e.key, "push.example.net", "mailto:a@b", 1, &out),
                     ERR_INVALID_PARAMS);
    free(token);
    buf_finish(&out);
    push_key_destroy(e.key);
}
END_TEST

/* --- Standard Webhooks: the example of the specification ----------------------------------------
 */

START_TEST(webhook_signature)
{
    static const char body[] = "{\"test\": 2432232314}";
    char out[HOOK_SIGNATURE_BYTES];
    ck_assert_int_eq(hook_sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                               "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body, strlen(body), out),
                     ERR_OK);
    ck_assert_str_eq(out, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    ck_assert_int_eq(hook_sign("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
                               1614265330, body, strlen(body), out),
                     ERR_OK);
    ck_assert_str_eq(out, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    ck_assert_int_eq(hook_sign("whsec_not base64", "id", 1, "", 0, out), ERR_INVALID_PARAMS);
}
END_TEST

START_TEST(webhook_formats)
{
    struct buf out;
    buf_init(&out, 65536);
    hook_write_discord(&out, "Your move @everyone", "line \"one\"\nline two",
                       "https://v.example/#/match/a");
    ck_assert_str_eq(
        buf_str(&out),
        "{\"allowed_mentions\":{\"parse\":[]},\"content\":\"**Your move @everyone**\\nline "
        "\\\"one\\\"\\nline two\\n<https://v.example/#/match/a>\"}");
    buf_reset(&out);
    hook_write_ntfy_title(&out, "Your move");
    ck_assert_str_eq(buf_str(&out), "Your move");
    buf_reset(&out);
    hook_write_ntfy_title(&out, "\xc3\x80 vous\r\nX: y");
    ck_assert_str_eq(buf_str(&out), "=?UTF-8?B?w4Agdm91cw0KWDogeQ==?=");
    buf_finish(&out);
}
END_TEST

/* --- mails --------------------------------------------------------------------------------------
 */

static struct mime_mail a_mail(void)
{
    return (struct mime_mail){.from = "Vedette <vedette@example.org>",
                              .to = "player@example.net",
                              .subject = "Your move",
                              .text = "It is your move.\n\nhttps://v.example/#/match/a\n",
                              .language = "en",
                              .id = "d1",
                              .thread = "match.abc",
                              .host = "v.example",
                              .unsubscribe = "https://v.example/unsubscribe/xyz",
                              .links = "https://v.example",
                              .at = INT64_C(1796000005000)};
}

/* Every line within 78 columns but for what cannot be folded, ended by CR LF, nothing but ASCII. */
static void check_lines(const char *text)
{
    size_t column = 0;
    for (const char *c = text; *c != '\0'; c++) {
        ck_assert_int_lt((unsigned char)*c, 0x80);
        ck_assert_msg(*c != '\0' && (*c == '\r' || *c == '\n' || *c == '\t' || *c >= 0x20),
                      "a control character");
        if (*c == '\n') {
            ck_assert(c > text && c[-1] == '\r');
            column = 0;
            continue;
        }
        if (*c == '\r') {
            ck_assert_int_eq(c[1], '\n');
            continue;
        }
        ck_assert_uint_le(++column, 78);
    }
    ck_assert_uint_eq(column, 0);
}

static const char *written(struct buf *out, const struct mime_mail *mail)
{
    buf_init(out, 1 << 20);
    ck_assert_int_eq(mime_write(mail, out), ERR_OK);
    check_lines(buf_str(out));
    return buf_str(out);
}

START_TEST(mail_headers)
{
    struct buf out;
    struct mime_mail mail = a_mail();
    const char *text = written(&out, &mail);
    static const char *const lines[] = {
        "From: Vedette <vedette@example.org>\r\n",
        "\r\nTo: player@example.net\r\n",
        "\r\nSubject: Your move\r\n",
        "\r\nDate: Mon, 30 Nov 2026 00:53:25 +0000\r\n",
        "\r\nMessage-ID: <d1@v.example>\r\n",
        "\r\nIn-Reply-To: <match.abc@v.example>\r\n",
        "\r\nReferences: <match.abc@v.example>\r\n",
        "\r\nAuto-Submitted: auto-generated\r\n",
        "\r\nContent-Language: en\r\n",
        "\r\nList-Unsubscribe: <https://v.example/unsubscribe/xyz>\r\n",
        "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
        "\r\nMIME-Version: 1.0\r\n",
        "\r\nContent-Type: multipart/alternative;\r\n boundary=\"=_vedette_",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert_msg(strstr(text, lines[i]) != NULL, "missing: %s in %s", lines[i], text);
    }
    ck_assert_ptr_nonnull(strstr(text, "<a href=3D\"https://v.example/#/match/a\">"));
    buf_finish(&out);
}
END_TEST

/* Whatever a header is given, it stays one header. */
START_TEST(mail_injection)
{
    static const char *const bad[] = {"a\r\nBcc: x@y", "a\nBcc: x@y", "a\rb",
                                      "a\tb",          "\x01",        "\x7f"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char **members[8];
        struct mime_mail mail = a_mail();
        members[0] = &mail.from;
        members[1] = &mail.to;
        members[2] = &mail.subject;
        members[3] = &mail.id;
        members[4] = &mail.thread;
        members[5] = &mail.host;
        members[6] = &mail.unsubscribe;
        members[7] = &mail.language;
        for (size_t m = 0; m < 8; m++) {
            struct buf out;
            const char *good = *members[m];
            *members[m] = bad[i];
            buf_init(&out, 65536);
            ck_assert_int_eq(mime_write(&mail, &out), ERR_INVALID_PARAMS);
            buf_finish(&out);
            *members[m] = good;
        }
    }
    static const char *const no_address[] = {"",      "a",       "@b",         "a@",
                                             "a b@c", "a@b@c",   "a@b,c@d",    "<a@b>",
                                             "a@b>",  "\"a\"@b", "\xc3\xa9@b", "a@b;c"};
    for (size_t i = 0; i < sizeof no_address / sizeof no_address[0]; i++) {
        struct buf out;
        struct mime_mail mail = a_mail();
        mail.to = no_address[i];
        buf_init(&out, 65536);
        ck_assert_msg(mime_write(&mail, &out) == ERR_INVALID_PARAMS, "taken: %s", no_address[i]);
        buf_finish(&out);
    }
}
END_TEST

static const char *words_of(struct buf *out, const char *text)
{
    buf_reset(out);
    mime_write_words(out, text, 9);
    return buf_str(out);
}

START_TEST(mail_words)
{
    struct buf out;
    buf_init(&out, 65536);
    ck_assert_str_eq(words_of(&out, "Your move"), "Your move");
    ck_assert_str_eq(words_of(&out, "=?UTF-8?B?QQ==?="), "=?UTF-8?B?PT9VVEYtOD9CP1FRPT0/PQ==?=");
    ck_assert_str_eq(words_of(&out, "\xe3\x81\x82"), "=?UTF-8?B?44GC?=");
    /* Long ones are folded between characters: each word stands for whole ones. */
    struct buf text;
    buf_init(&text, 65536);
    for (unsigned i = 0; i < 60; i++) {
        buf_append_str(&text, "\xe3\x81\x82");
    }
    const char *folded = words_of(&out, buf_str(&text));
    size_t chars = 0;
    for (const char *word = folded; word != NULL;) {
        const char *begin = strstr(word, "=?UTF-8?B?"),
                   *end = begin == NULL ? NULL : strstr(begin, "?=");
        uint8_t bytes[64];
        size_t n = 0;
        if (begin == NULL) { break; }
        ck_assert_uint_le((size_t)(end - begin) + 2, 75);
        ck_assert_int_eq(sodium_base642bin(bytes, sizeof bytes, begin + 10,
                                           (size_t)(end - begin) - 10, NULL, &n, NULL,
                                           sodium_base64_VARIANT_ORIGINAL),
                         0);
        ck_assert_uint_eq(n % 3, 0);
        chars += n / 3;
        word = end + 2;
    }
    ck_assert_uint_eq(chars, 60);
    buf_finish(&text);
    buf_finish(&out);
}
END_TEST

/* Dots at the head of a line, blanks at its end, long lines, equals signs, other alphabets. */
START_TEST(mail_bodies)
{
    struct buf out;
    struct mime_mail mail = a_mail();
    struct buf text;
    buf_init(&text, 65536);
    buf_append_str(&text, ".\n.. dot\nblank \nFrom here\n a=b\n");
    for (unsigned i = 0; i < 40; i++) {
        buf_append_str(&text, "abcdefghij ");
    }
    buf_append_str(&text, "\n");
    mail.text = buf_str(&text);
    const char *plain = strstr(written(&out, &mail), "quoted-printable\r\n\r\n");
    ck_assert_ptr_nonnull(plain);
    ck_assert_ptr_nonnull(
        strstr(plain, "\r\n=2E\r\n=2E. dot\r\nblank=20\r\nFrom here\r\n a=3Db\r\n"));
    buf_finish(&out);
    buf_reset(&text);
    for (unsigned i = 0; i < 100; i++) {
        buf_append_str(&text, i % 7 == 6 ? "\n" : "\xd0\x96\xd0\xb6");
    }
    mail.text = buf_str(&text);
    ck_assert_ptr_nonnull(strstr(written(&out, &mail), "Transfer-Encoding: base64\r\n\r\n"));
    buf_finish(&out);
    buf_finish(&text);
}
END_TEST

START_TEST(mail_html)
{
    struct buf out;
    buf_init(&out, 65536);
    mime_write_html(&out,
                    "A <b> & 'c'\nline\n\n- one \"x\"\n- https://v.example/a&b end\nhttps://evil/",
                    "fr", "https://v.example");
    const char *body = strstr(buf_str(&out), "<p>");
    ck_assert_str_eq(body,
                     "<p>A &lt;b&gt; &amp; &#39;c&#39;<br>\nline</p>\n<ul>\n<li>one &quot;x&quot;"
                     "</li>\n<li><a href=\"https://v.example/a&amp;b\">https://v.example/a&amp;b"
                     "</a> end</li>\n</ul>\n<p>https://evil/</p>\n</body>\n</html>\n");
    ck_assert_ptr_nonnull(strstr(buf_str(&out), "<html lang=\"fr\">"));
    buf_finish(&out);
}
END_TEST

START_TEST(mail_from)
{
    struct buf out;
    struct mime_mail mail = a_mail();
    mail.from = "plain@example.org";
    ck_assert_ptr_nonnull(strstr(written(&out, &mail), "From: <plain@example.org>\r\n"));
    buf_finish(&out);
    mail.from = "Vedette, Inc. <v@example.org>";
    ck_assert_ptr_nonnull(
        strstr(written(&out, &mail), "From: \"Vedette, Inc.\" <v@example.org>\r\n"));
    buf_finish(&out);
    mail.from = "V\xc3\xa9"
                "dette <v@example.org>";
    ck_assert_ptr_nonnull(
        strstr(written(&out, &mail), "From: =?UTF-8?B?VsOpZGV0dGU=?= <v@example.org>\r\n"));
    buf_finish(&out);
}
END_TEST

/* --- addresses ----------------------------------------------------------------------------------
 */

START_TEST(addresses)
{
    static const struct {
        const char *url;
        bool open, home; /* taken from anybody; taken where private hosts are */
    } rows[] = {
        {"https://example.org/hook?a=b", true, true},
        {"https://example.org:8443/", true, true},
        {"https://8.8.8.8/", true, true},
        {"https://[2606:4700::1111]/", true, true},
        {"http://example.org/", false, true},
        {"https://localhost/", false, true},
        {"https://LOCALHOST:99/", false, true},
        {"https://a.localhost/", false, true},
        {"https://router.local/", false, true},
        {"https://router/", false, true},
        {"https://127.0.0.1/", false, true},
        {"https://127.1/", false, true},
        {"https://0x7f000001/", false, true},
        {"https://10.1.2.3/", false, true},
        {"https://192.168.0.1/", false, true},
        {"https://172.16.0.1/", false, true},
        {"https://169.254.169.254/latest", false, true},
        {"https://100.64.0.1/", false, true},
        {"https://0.0.0.0/", false, true},
        {"https://[::1]/", false, true},
        {"https://[::ffff:127.0.0.1]/", false, true},
        {"https://[fe80::1]/", false, true},
        {"https://[fc00::1]/", false, true},
        {"https://[64:ff9b::7f00:1]/", false, true},
        {"ftp://example.org/", false, false},
        {"file:///etc/passwd", false, false},
        {"gopher://example.org/", false, false},
        {"https://user:word@example.org/", false, false},
        {"https://user@example.org/", false, false},
        {"https:///path", false, true},
        {"https://exa mple.org/", false, false},
        {"https://example.org/\r\nX: y", false, false},
        {"https://example.org/\xc3\xa9", false, false},
        {"example.org", false, false},
        {"", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg((address_refuse(rows[i].url, false) == NULL) == rows[i].open, "%s: %s",
                      rows[i].url, address_refuse(rows[i].url, false));
        ck_assert_msg((address_refuse(rows[i].url, true) == NULL) == rows[i].home, "%s: %s",
                      rows[i].url, address_refuse(rows[i].url, true));
    }
}
END_TEST

START_TEST(networks)
{
    static const struct {
        const char *address;
        bool open;
    } rows[] = {{"8.8.8.8", true},
                {"1.1.1.1", true},
                {"9.255.255.255", true},
                {"11.0.0.0", true},
                {"10.0.0.0", false},
                {"10.255.255.255", false},
                {"127.255.255.255", false},
                {"128.0.0.0", true},
                {"172.15.255.255", true},
                {"172.16.0.0", false},
                {"172.31.255.255", false},
                {"172.32.0.0", true},
                {"192.167.255.255", true},
                {"192.168.255.255", false},
                {"192.169.0.0", true},
                {"169.253.0.0", true},
                {"169.254.0.0", false},
                {"100.63.255.255", true},
                {"100.127.255.255", false},
                {"100.128.0.0", true},
                {"198.18.0.1", false},
                {"224.0.0.1", false},
                {"255.255.255.255", false},
                {"0.1.2.3", false},
                {"203.0.113.9", false},
                {"2606:4700::1111", true},
                {"2001:4860:4860::8888", true},
                {"::", false},
                {"::1", false},
                {"::ffff:8.8.8.8", true},
                {"::ffff:10.0.0.1", false},
                {"fe80::1", false},
                {"fd00::1", false},
                {"ff02::1", false},
                {"2002:7f00:1::", false},
                {"2002:808:808::", true},
                {"2001::1", false},
                {"2001:db8::1", false},
                {"64:ff9b::a00:1", false},
                {"64:ff9b::808:808", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sockaddr_in in = {.sin_family = AF_INET};
        struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
        const bool six = strchr(rows[i].address, ':') != NULL;
        ck_assert_int_eq(six ? inet_pton(AF_INET6, rows[i].address, &in6.sin6_addr)
                             : inet_pton(AF_INET, rows[i].address, &in.sin_addr),
                         1);
        const struct sockaddr *address =
            six ? (const struct sockaddr *)&in6 : (const struct sockaddr *)&in;
        ck_assert_msg(address_is_public(address) == rows[i].open, "%s", rows[i].address);
    }
}
END_TEST

int main(void)
{
    if (sodium_init() < 0) { return EXIT_FAILURE; }
    Suite *suite = suite_create("notify");
    TCase *tests = tcase_create("sent");
    tcase_add_test(tests, push_example);
    tcase_add_test(tests, push_refuses);
    tcase_add_test(tests, push_keys_of_seeds);
    tcase_add_test(tests, vapid);
    tcase_add_test(tests, webhook_signature);
    tcase_add_test(tests, webhook_formats);
    tcase_add_test(tests, mail_headers);
    tcase_add_test(tests, mail_injection);
    tcase_add_test(tests, mail_words);
    tcase_add_test(tests, mail_bodies);
    tcase_add_test(tests, mail_html);
    tcase_add_test(tests, mail_from);
    tcase_add_test(tests, addresses);
    tcase_add_test(tests, networks);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
