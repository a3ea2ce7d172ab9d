/* tests/unit/test_record.c: lines, heads and receipts against FAIRNESS section 9. */
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/dice/dice.h"
#include "common/record/line.h"

static const char match_id[] = "k7mq2xw4ta";

static const char *const record[] = {
    "{\"vedette\":\"record/1\",\"match\":\"k7mq2xw4ta\",\"game\":\"waterloo\",\"rules\":1,"
    "\"options\":{},\"seats\":[\"FR\",\"AL\"],\"commit\":"
    "\"zHURalFL4V6aIzp6hWOyqXkeM5O18o9CYKgU4HLcS8Q\",\"nonces\":{\"FR\":"
    "\"0AK1mVlGcug0K9p3soI3UjWOleP8h9T4iMk7UtJiiko\",\"AL\":"
    "\"ncunEGGez4cnFHv8teAEon07pCstJcIrhcxOQ8bQbF0\"},\"at\":1796000000000}",
    "{\"n\":1,\"at\":1796000001000,\"host\":\"begin\"}",
    "{\"n\":2,\"at\":1796000002000,\"seat\":\"AL\",\"nonce\":"
    "\"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8\"}",
    "{\"n\":3,\"at\":1796000003000,\"seat\":\"AL\",\"do\":{\"do\":\"place\",\"placements\":"
    "[{\"town\":\"ghent\",\"unit\":\"AD-A\"}]}}",
    "{\"n\":4,\"at\":1796000004000,\"seat\":\"FR\",\"nonce\":"
    "\"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8\"}",
    "{\"n\":5,\"at\":1796000005000,\"seat\":\"FR\",\"do\":{\"do\":\"end_movement\"},\"roll\":1,"
    "\"dice\":[[6,[3,1,3]]]}",
    "{\"n\":6,\"at\":1796000006000,\"host\":\"end\",\"how\":\"resign\",\"seat\":\"AL\","
    "\"result\":{\"winners\":[\"FR\"]}}",
    "{\"key\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\",\"head\":"
    "\"WBsZ-Xy5LU8ajSeYbwrdIi4WKheFEwP-iZIiCdwdY5M\",\"marks\":"
    "\"33jtUHJPgE8i5jNOXKEBtTtBrLHDGAf9IIthMEttRQN1GhOWWBsZ-Xy5\"}",
};
enum { RECORD_LINES = 7, KEY_LINE = 7, RECORD_BYTES = 990 };

static struct hash counted_from(unsigned first)
{
    struct hash out;
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        out.bytes[i] = (uint8_t)(first + i);
    }
    return out;
}

static void assert_hash(const struct hash *hash, const char *hex)
{
    char text[2 * HASH_BYTES + 1];
    ck_assert_str_eq(sodium_bin2hex(text, sizeof text, hash->bytes, HASH_BYTES), hex);
}

/* What the server would know when it writes the record of section 9. */
struct known {
    struct hash secret, fr, al, commit, fr_commit, al_commit, key, mask_key;
};

static struct known know(void)
{
    static const char *const codes[] = {"FR", "AL"};
    struct known k = {
        .secret = counted_from(0), .fr = counted_from(0x40), .al = counted_from(0x80)};
    const struct hash *nonces[] = {&k.fr, &k.al};
    dice_commitment(match_id, &k.secret, &k.commit);
    dice_nonce_commitment(&k.fr, &k.fr_commit);
    dice_nonce_commitment(&k.al, &k.al_commit);
    dice_key(match_id, &k.secret, 2, codes, nonces, &k.key);
    dice_mask_key(match_id, &k.secret, &k.mask_key);
    return k;
}

static void write_line(struct buf *buf, const struct known *k, unsigned n, int64_t at)
{
    static const char place[] =
        "{\"do\":\"place\",\"placements\":[{\"town\":\"ghent\",\"unit\":\"AD-A\"}]}";
    static const char end_movement[] = "{\"do\":\"end_movement\"}";
    struct dice dice;
    switch (n) {
    case 0:
        line_write_header(buf, &(struct line_header){.match = match_id,
                                                     .game = "waterloo",
                                                     .rules = 1,
                                                     .options = "{}",
                                                     .seats = 2,
                                                     .codes = {"FR", "AL"},
                                                     .commit = &k->commit,
                                                     .nonces = {&k->fr_commit, &k->al_commit},
                                                     .at = at});
        return;
    case 1: line_write_begin(buf, n, at, NULL); return;
    case 2: line_write_nonce(buf, n, at, "AL", &k->al); return;
    case 3: line_write_do(buf, n, at, "AL", NULL, place, strlen(place), NULL); return;
    case 4: line_write_nonce(buf, n, at, "FR", &k->fr); return;
    case 5:
        dice_init(&dice, &k->key, &k->mask_key, 1, 1);
        for (unsigned i = 0; i < 3; i++) {
            (void)dice_die(&dice, 6);
        }
        line_write_do(buf, n, at, "FR", NULL, end_movement, strlen(end_movement), &dice);
        return;
    default:
        line_write_host(buf, n, at,
                        &(struct line_host){.host = "end",
                                            .to = -1,
                                            .how = "resign",
                                            .seat = "AL",
                                            .ms = -1,
                                            .result = "{\"winners\":[\"FR\"]}"});
        return;
    }
}

START_TEST(the_record_of_section_9_is_written_byte_for_byte)
{
    struct known k = know();
    struct hash head = {{0}};
    struct buf all;
    struct buf line;
    struct buf marks;
    buf_init(&all, 4096);
    buf_init(&line, 4096);
    buf_init(&marks, 4096);
    for (unsigned n = 0; n < RECORD_LINES; n++) {
        buf_reset(&line);
        write_line(&line, &k, n, INT64_C(1796000000000) + 1000 * n);
        ck_assert_str_eq(buf_str(&line), record[n]);
        line_head(match_id, &k.secret, n, &head, line.data, line.len, &head);
        line_append_mark(&marks, &head);
        if (n == 0) {
            assert_hash(&head, "df78ed50724f581c0043d33dfeec8309edad27eb7984a1c5a646a373008671bb");
        }
        if (n == 5) {
            assert_hash(&head, "4503751a139655bdec3c0c5d0f232dbad22ad9c3a9a197a871b39e318c89de86");
        }
        buf_append(&all, line.data, line.len);
        buf_append_char(&all, '\n');
    }
    assert_hash(&head, "581b19f97cb92d4f1a8d27986f0add222e162a17851303fe89922209dc1d6393");
    buf_reset(&line);
    line_write_key(&line, &k.secret, &head, buf_str(&marks));
    ck_assert_str_eq(buf_str(&line), record[KEY_LINE]);
    buf_append(&all, line.data, line.len);
    buf_append_char(&all, '\n');
    ck_assert_uint_eq(all.len, RECORD_BYTES);
    struct hash salt;
    line_salt(match_id, &k.secret, 5, &salt);
    assert_hash(&salt, "53545fdeb06ff5dc92f1f955fd7569af4e632331bbbe2fccc0380c1d98e84fd4");
    buf_finish(&all);
    buf_finish(&line);
    buf_finish(&marks);
}
END_TEST

START_TEST(each_line_read_and_written_again_is_the_same)
{
    static const char *const more[] = {
        "{\"n\":2,\"at\":2,\"seat\":\"FR\",\"lost\":true}",
        "{\"n\":9,\"at\":3,\"seat\":\"FR\",\"by\":\"orders\",\"do\":{\"do\":\"x\"}}",
        "{\"n\":10,\"at\":3,\"seat\":\"FR\",\"do\":{\"do\":\"x\"},\"roll\":3,\"dice\":[[6,[2,5]]],"
        "\"deal\":[[12,[7]]]}",
        "{\"n\":10,\"at\":3,\"seat\":\"FR\",\"do\":{\"do\":\"x\"},\"roll\":3,\"deal\":[[12,[0]]]}",
        "{\"n\":11,\"at\":3,\"seat\":\"FR\",\"undo\":9}",
        "{\"n\":12,\"at\":3,\"host\":\"rewind\",\"to\":5,\"by\":[\"FR\",\"AL\"]}",
        "{\"n\":13,\"at\":3,\"host\":\"restored\"}",
        "{\"n\":13,\"at\":3,\"host\":\"seat\",\"how\":\"resign\",\"seat\":\"PR\"}",
        "{\"n\":13,\"at\":3,\"host\":\"grant\",\"seat\":\"PR\",\"ms\":60000}",
        "{\"n\":13,\"at\":3,\"host\":\"grant\",\"seat\":\"PR\",\"by\":[\"FR\"],\"ms\":60000}",
        "{\"n\":13,\"at\":3,\"host\":\"pause\",\"how\":\"agreed\",\"by\":[\"FR\",\"AL\"]}",
        "{\"n\":13,\"at\":3,\"host\":\"resume\",\"how\":\"vacation\",\"seat\":\"PR\"}",
        "{\"n\":13,\"at\":3,\"host\":\"late\",\"seat\":\"PR\"}",
        "{\"n\":13,\"at\":3,\"host\":\"miss\",\"seat\":\"PR\"}",
        "{\"n\":13,\"at\":3,\"host\":\"seat\",\"how\":\"caretaker\",\"seat\":\"PR\"}",
        "{\"n\":13,\"at\":3,\"host\":\"look\",\"reason\":\"a \\\"dispute\\\"\"}",
        "{\"n\":1,\"at\":3,\"host\":\"begin\",\"roll\":1,\"dice\":[[6,[1]],[10,[10]],[6,[6]]]}",
        "{\"vedette\":\"record/1\",\"match\":\"m\",\"game\":\"g\",\"rules\":2,\"options\":{\"a\":1,"
        "\"b\":\"\\n\"},\"seats\":[\"FR\",\"AD\",\"PR\"],\"commit\":"
        "\"zHURalFL4V6aIzp6hWOyqXkeM5O18o9CYKgU4HLcS8Q\",\"nonces\":{\"FR\":null,\"AD\":null,"
        "\"PR\":null},\"at\":0}",
    };
    struct line line;
    for (size_t i = 0; i < RECORD_LINES + sizeof more / sizeof more[0]; i++) {
        const char *text = i < RECORD_LINES ? record[i] : more[i - RECORD_LINES];
        struct why why;
        why_clear(&why);
        ck_assert_msg(line_read(text, strlen(text), &line, &why) == ERR_OK, "%s: %s", text,
                      why.member);
        line_finish(&line);
    }
    ck_assert_int_eq(line_read(record[5], strlen(record[5]), &line, NULL), ERR_OK);
    ck_assert_int_eq(line.kind, LINE_DO);
    ck_assert_uint_eq(line.n, 5);
    ck_assert_uint_eq(line.roll, 1);
    ck_assert_str_eq(line.seat, "FR");
    ck_assert_ptr_null(line.by);
    line_finish(&line);
}
END_TEST

START_TEST(what_is_not_a_line_byte_for_byte_is_refused)
{
    static const char *const bads[] = {
        "",
        "{}",
        "[]",
        "{\"n\":1,\"at\":1,\"host\":\"begin\"} ",
        "{\"n\":1, \"at\":1,\"host\":\"begin\"}",
        "{\"at\":1,\"n\":1,\"host\":\"begin\"}",
        "{\"n\":1,\"at\":1,\"host\":\"begin\",\"extra\":1}",
        "{\"n\":1,\"n\":1,\"at\":1,\"host\":\"begin\"}",
        "{\"n\":0,\"at\":1,\"host\":\"begin\"}",
        "{\"n\":1.0,\"at\":1,\"host\":\"begin\"}",
        "{\"n\":1,\"at\":1,\"host\":\"frobnicate\"}",
        "{\"n\":1,\"at\":1,\"seat\":\"FR\"}",
        "{\"n\":1,\"at\":1,\"seat\":\"FR\",\"lost\":false}",
        "{\"n\":1,\"at\":1,\"seat\":\"FR\",\"nonce\":"
        "\"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9\"}",
        "{\"n\":1,\"at\":1,\"seat\":\"FR\",\"undo\":0}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"b\":1,\"a\":2}}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1.5}}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":null}}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":\"\\u0041\"}}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"by\":\"magic\",\"do\":{\"a\":1}}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"dice\":[[6,[1]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[[6,[7]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[[6,[0]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"deal\":[[6,[6]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[[257,[1]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[[6,[]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[[6,[1]],[6,[2]]]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[]}",
        "{\"n\":2,\"at\":1,\"seat\":\"FR\",\"do\":{\"a\":1},\"roll\":1,\"dice\":[[6,[1.5]]]}",
    };
    struct line line;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        ck_assert_msg(line_read(bads[i], strlen(bads[i]), &line, NULL) != ERR_OK, "%s", bads[i]);
    }
}
END_TEST

START_TEST(a_changed_byte_changes_the_head)
{
    struct hash secret = counted_from(0);
    struct hash before = counted_from(9);
    struct hash head;
    struct hash other;
    line_head(match_id, &secret, 1, &before, "ab", 2, &head);
    line_head(match_id, &secret, 1, &before, "ac", 2, &other);
    ck_assert_mem_ne(head.bytes, other.bytes, HASH_BYTES);
    line_head(match_id, &secret, 2, &before, "ab", 2, &other);
    ck_assert_mem_ne(head.bytes, other.bytes, HASH_BYTES);
}
END_TEST

START_TEST(receipts_are_signed_as_in_section_9)
{
    struct hash seed = counted_from(0x60);
    struct receipt receipt = {
        .match = match_id, .viewer = "FR", .seq = 4, .at = INT64_C(1796000005000)};
    static const char head[] = "4503751a139655bdec3c0c5d0f232dbad22ad9c3a9a197a871b39e318c89de86";
    ck_assert_int_eq(
        sodium_hex2bin(receipt.head.bytes, HASH_BYTES, head, strlen(head), NULL, NULL, NULL), 0);
    struct hash public_key;
    uint8_t signature[SIGNATURE_BYTES];
    char hex[2 * SIGNATURE_BYTES + 1];
    receipt_public_key(seed.bytes, public_key.bytes);
    assert_hash(&public_key, "174553b456dddfc6908ecab1c101fe6ab21e2baa0617795b7d43a63482993fd5");
    receipt_sign(&receipt, seed.bytes, signature);
    ck_assert_str_eq(sodium_bin2hex(hex, sizeof hex, signature, sizeof signature),
                     "cfbe4e68ce74bfff45c9a869f8f00da5804adae6af67518e3ed04acfded33fe8"
                     "22ed3c5b1eca5e1d432f87257aced8e3b6fe33475239d0906ffa1338d2452908");
    ck_assert(receipt_verify(&receipt, public_key.bytes, signature));
    receipt.seq = 5;
    ck_assert(!receipt_verify(&receipt, public_key.bytes, signature));
}
END_TEST

int main(void)
{
    if (sodium_init() < 0) { return EXIT_FAILURE; }
    Suite *suite = suite_create("record");
    TCase *tcase = tcase_create("lines");
    tcase_add_test(tcase, the_record_of_section_9_is_written_byte_for_byte);
    tcase_add_test(tcase, each_line_read_and_written_again_is_the_same);
    tcase_add_test(tcase, what_is_not_a_line_byte_for_byte_is_refused);
    tcase_add_test(tcase, a_changed_byte_changes_the_head);
    tcase_add_test(tcase, receipts_are_signed_as_in_section_9);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
