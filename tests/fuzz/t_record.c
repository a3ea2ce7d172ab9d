/* tests/fuzz/t_record.c: records and receipts of hostile makers. An input is a record, by lines,
 * that may be chained and keyed anew before it is verified, as a forger who holds the key would do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/protocol/forms.h"
#include "common/record/replay.h"
#include "common/record/verify.h"
#include "common/rules/game.h"
#include "tests/fuzz/fuzz.h"

#define MATCH "fuzzmatch1"

static const struct game *game;
static const struct hash secret = {{7, 7, 7}};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    game = game_find("waterloo");
    return 0;
}

/* --- verifying -----------------------------------------------------------------------------------
 */

static void read_line(const char *text, size_t n)
{
    struct line line;
    struct why why;
    struct buf again;
    why_clear(&why);
    const enum err err = line_read(text, n, &line, &why);
    fuzz_feature_text(100U + (unsigned)err, why.text);
    if (err != ERR_OK) { return; }
    fuzz_feature(200U + (unsigned)line.kind);
    buf_init(&again, 4 << 20);
    line_write(&again, &line);
    FUZZ_MUST(again.len == n && memcmp(buf_str(&again), text, n) == 0, buf_str(&again));
    buf_finish(&again);
    line_finish(&line);
}

static void read_receipt(const char *text, size_t n)
{
    struct signed_receipt receipt;
    struct why why;
    why_clear(&why);
    fuzz_feature(300U + (unsigned)signed_receipt_read(text, n, &receipt, &why));
}

static void verify(const char *text, size_t n)
{
    const struct verify_options options = {.games = games};
    struct verdict verdict;
    FUZZ_MUST(verify_record(text, n, &options, &verdict) == ERR_OK, "out of memory");
    FUZZ_MUST(verdict.good == (verdict.failed == VERIFY_NOTHING), verdict.why);
    FUZZ_MUST(verdict.good || verdict.why[0] != '\0', "a failure without a word");
    fuzz_feature_text(400U + (unsigned)verdict.failed, verdict.why);
}

/* By the rules alone, whatever was rolled. */
static void replay(const char *text, size_t n)
{
    struct record record;
    struct replay *played = NULL;
    struct why why;
    uint64_t line = 0;
    why_clear(&why);
    if (record_read(text, n, &record, &line, &why) != ERR_OK) {
        fuzz_feature_text(500, why.text);
        return;
    }
    if (replay_create(&record, game, &played, &why) == ERR_OK) {
        while (replay_at(played) < record.count && replay_next(played, &why) == ERR_OK) {
            fuzz_feature(600U + (unsigned)(replay_at(played) < 60 ? replay_at(played) : 60));
        }
    }
    fuzz_feature_text(501, why.text);
    replay_destroy(played);
    record_finish(&record);
}

/* Text with a chain that fits. The last line is dropped if it has a key. */
static void chain_anew(const char *text, size_t n, struct buf *out)
{
    struct buf marks;
    struct hash head = {{0}};
    uint64_t count = 0;
    buf_init(&marks, 1 << 20);
    for (const char *at = text, *end = text + n; at < end; count++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL || (stop - at > 7 && memcmp(at, "{\"key\":", 7) == 0)) { break; }
        const struct hash before = head;
        line_head(MATCH, &secret, count, &before, at, (size_t)(stop - at), &head);
        line_append_mark(&marks, &head);
        buf_append(out, at, (size_t)(stop + 1 - at));
        at = stop + 1;
    }
    line_write_key(out, &secret, &head, buf_str(&marks));
    buf_append_char(out, '\n');
    buf_finish(&marks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct buf forged;
    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) { stop = end; }
        read_line(at, (size_t)(stop - at));
        read_receipt(at, (size_t)(stop - at));
        at = stop + 1;
    }
    verify(text, size);
    buf_init(&forged, 4 << 20);
    chain_anew(text, size, &forged);
    if (!forged.failed) {
        verify(buf_str(&forged), forged.len);
        replay(buf_str(&forged), forged.len);
    }
    buf_finish(&forged);
    return 0;
}

/* --- making --------------------------------------------------------------------------------------
 */

struct maker {
    struct hash key, mask_key;
    struct state *now, *next;
    struct dice dice;
    struct events events;
    struct why why;
    struct buf text, forms, action;
    const char *codes[SEATS_MAX];
    unsigned seats;
    bool nonces; /* the first seat opens one, the second loses its own, a third has waived */
    uint64_t n, roll, mask, random;
};
static const struct hash nonces[2] = {{{1, 2, 3}}, {{4, 5, 6}}};

static unsigned below(void *random, unsigned n)
{
    return mutate_below(random, n);
}

static int64_t at_of(uint64_t n)
{
    return INT64_C(1796000000000) + (int64_t)n;
}

static bool play_line(struct maker *m)
{
    const uint32_t to_act = game->to_act(m->now);
    const struct forms_random source = {below, &m->random};
    unsigned seat = mutate_below(&m->random, m->seats);
    if (to_act == 0) { return false; }
    while ((to_act >> seat & 1U) == 0) {
        seat = (seat + 1) % m->seats;
    }
    buf_reset(&m->forms);
    buf_reset(&m->action);
    game->actions(m->now, seat, &m->forms);
    cJSON *json = NULL;
    FUZZ_MUST(json_parse(buf_str(&m->forms), m->forms.len, &json) == ERR_OK, "");
    FUZZ_MUST(forms_pick(json, &source, &m->action) == ERR_OK, buf_str(&m->forms));
    cJSON_Delete(json);
    FUZZ_MUST(json_parse(buf_str(&m->action), m->action.len, &json) == ERR_OK, "");
    FUZZ_MUST(json_normalise(json, &m->why) == ERR_OK, "");
    events_reset(&m->events);
    dice_init(&m->dice, &m->key, &m->mask_key, m->roll, m->mask);
    FUZZ_MUST(game->apply(m->now, seat, json, &m->dice, &m->events, &m->why) == ERR_OK,
              m->why.text);
    buf_reset(&m->action);
    jw_value(&m->action, json);
    cJSON_Delete(json);
    line_write_do(&m->text, m->n, at_of(m->n), m->codes[seat], NULL, buf_str(&m->action),
                  m->action.len, &m->dice);
    buf_append_char(&m->text, '\n');
    if (dice_was_drawn(&m->dice)) { m->roll++; }
    if (m->dice.masked) { m->mask++; }
    m->n++;
    return true;
}

static void begin(struct maker *m, const cJSON *options, const char *options_text)
{
    const struct hash *opened[SEATS_MAX] = {m->nonces ? &nonces[0] : NULL};
    struct hash commit, commits[2];
    dice_commitment(MATCH, &secret, &commit);
    dice_key(MATCH, &secret, m->seats, m->codes, opened, &m->key);
    dice_mask_key(MATCH, &secret, &m->mask_key);
    struct line_header header = {.match = MATCH,
                                 .game = game->name,
                                 .rules = game->rules_now,
                                 .options = options_text,
                                 .seats = m->seats,
                                 .commit = &commit,
                                 .at = at_of(0)};
    for (unsigned i = 0; i < m->seats; i++) {
        header.codes[i] = m->codes[i];
    }
    for (unsigned i = 0; i < 2 && m->nonces; i++) {
        dice_nonce_commitment(&nonces[i], &commits[i]);
        header.nonces[i] = &commits[i];
    }
    line_write_header(&m->text, &header);
    buf_append_char(&m->text, '\n');
    m->roll = m->mask = 1;
    dice_init(&m->dice, &m->key, &m->mask_key, 1, 1);
    FUZZ_MUST(game->create(options, game->rules_now, &m->dice, m->now, &m->events, &m->why) ==
                  ERR_OK,
              "");
    line_write_begin(&m->text, 1, at_of(1), &m->dice);
    buf_append_char(&m->text, '\n');
    if (dice_was_drawn(&m->dice)) { m->roll++; }
    if (m->dice.masked) { m->mask++; }
    m->n = 2;
    for (unsigned i = 0; i < 2 && m->nonces; i++, m->n++) {
        line_write_nonce(&m->text, m->n, at_of(m->n), m->codes[i], i == 0 ? &nonces[0] : NULL);
        buf_append_char(&m->text, '\n');
    }
}

/* All go back to where the match stood after line to; what was rolled stays rolled. */
static void rewind_to(struct maker *m, uint64_t to, const struct state *then)
{
    struct line_host rewind = {.host = "rewind", .to = (int64_t)to, .ms = -1, .by_count = m->seats};
    for (unsigned i = 0; i < m->seats; i++) {
        rewind.by[i] = m->codes[i];
    }
    memcpy(m->now, then, game->state_bytes);
    line_write_host(&m->text, m->n, at_of(m->n), &rewind);
    buf_append_char(&m->text, '\n');
    m->n++;
}

/* turns_back: after how many lines, at the earliest, it goes back; 0: it does not. */
static void make_record(const char *variant, bool with_nonces, unsigned lines, unsigned turns_back,
                        uint64_t seed, fuzz_add_fn *add)
{
    static struct maker m;
    memset(&m, 0, sizeof m);
    cJSON *given = NULL, *options = NULL;
    struct buf full, whole;
    buf_init(&full, 1 << 16);
    buf_init(&whole, 4 << 20);
    buf_init(&m.text, 4 << 20);
    buf_init(&m.forms, 4 << 20);
    buf_init(&m.action, 1 << 20);
    events_init(&m.events);
    m.random = seed;
    m.now = calloc(1, game->state_bytes);
    FUZZ_MUST(m.now != NULL && json_parse(variant, strlen(variant), &given) == ERR_OK, "");
    FUZZ_MUST(game->options(given, &full, &m.why) == ERR_OK, m.why.text);
    FUZZ_MUST(json_parse(buf_str(&full), full.len, &options) == ERR_OK, "");
    FUZZ_MUST(json_normalise(options, &m.why) == ERR_OK, "");
    m.seats = game->seats(options, m.codes);
    m.nonces = with_nonces;
    begin(&m, options, buf_str(&full));
    /* Back to before the first line that all were told of, at the earliest when it is due. */
    struct state *then = calloc(1, game->state_bytes);
    m.next = calloc(1, game->state_bytes);
    FUZZ_MUST(m.next != NULL && then != NULL, "memory");
    uint64_t to = 0;
    for (unsigned i = 0; i < lines; i++) {
        memcpy(m.next, m.now, game->state_bytes);
        if (!play_line(&m)) { break; }
        if (to == 0 && (m.events.told >> VIEWER_PUBLIC & 1U) != 0) {
            to = m.n - 2;
            memcpy(then, m.next, game->state_bytes);
        }
        if (to == 0 || turns_back == 0 || i < turns_back || game->to_act(m.now) == 0) { continue; }
        rewind_to(&m, to, then);
        turns_back = 0;
    }
    free(then);
    free(m.next);
    if (game->to_act(m.now) == 0) {
        buf_reset(&m.action);
        game->result(m.now, &m.action);
        cJSON *result = NULL;
        FUZZ_MUST(json_parse(buf_str(&m.action), m.action.len, &result) == ERR_OK, "the result");
        FUZZ_MUST(json_normalise(result, &m.why) == ERR_OK, "the result");
        buf_reset(&m.action);
        jw_value(&m.action, result);
        cJSON_Delete(result);
        const struct line_host end = {
            .host = "end", .how = "rules", .to = -1, .ms = -1, .result = buf_str(&m.action)};
        line_write_host(&m.text, m.n, at_of(m.n), &end);
        buf_append_char(&m.text, '\n');
    }
    chain_anew(buf_str(&m.text), m.text.len, &whole);
    if (game->to_act(m.now) == 0) { /* one that ended must hold, or it is no seed */
        const struct verify_options all = {.games = games};
        struct verdict verdict;
        FUZZ_MUST(verify_record(buf_str(&whole), whole.len, &all, &verdict) == ERR_OK, "memory");
        FUZZ_MUST(verdict.good, verdict.why);
    }
    add(buf_str(&whole), whole.len);
    cJSON_Delete(given);
    cJSON_Delete(options);
    free(m.now);
    buf_finish(&full);
    buf_finish(&whole);
    buf_finish(&m.text);
    buf_finish(&m.forms);
    buf_finish(&m.action);
    events_finish(&m.events);
}

void fuzz_seeds(fuzz_add_fn *add)
{
    static const char *const texts[] = {
        "{\"n\":3,\"at\":1796000001000,\"host\":\"begin\"}\n"
        "{\"n\":2,\"at\":1796000002000,\"seat\":\"AL\",\"nonce\":"
        "\"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8\"}\n"
        "{\"n\":3,\"at\":1796000002000,\"seat\":\"AL\",\"nonce\":\"lost\"}\n"
        "{\"n\":4,\"at\":1796000002000,\"seat\":\"AL\",\"undo\":3}\n"
        "{\"n\":5,\"at\":1796000002000,\"host\":\"rewind\",\"to\":2,\"by\":[\"FR\",\"AL\"]}\n"
        "{\"n\":6,\"at\":1796000006000,\"host\":\"end\",\"how\":\"resign\",\"seat\":\"AL\","
        "\"result\":{\"winners\":[\"FR\"]}}\n"
        "{\"n\":7,\"at\":1796000006000,\"host\":\"grant\",\"seat\":\"AL\",\"ms\":3600000}\n",
        "{\"match\":\"k7mq2xw4ta\",\"viewer\":\"FR\",\"seq\":4,\"chain\":"
        "\"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8\","
        "\"time\":1796000005000,\"signature\":\"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp+"
        "AgYKDhIWGh4iJiouMjY6PkJGSk5SV"
        "lpeYmZqbnJ2enw\",\"key\":\"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8\"}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        add(texts[i], strlen(texts[i]));
    }
    for (unsigned i = 0; i < 6; i++) {
        make_record("{\"players\":2,\"turns\":3}", i % 2 == 1, i < 2 ? 10000 : 5 + 10 * i,
                    i == 1 || i % 3 == 2 ? 12 : 0, i, add);
        make_record("{\"players\":3,\"turns\":3,\"morale\":true,\"command_control\":true}",
                    i % 2 == 0, 20 + 10 * i, i % 3 == 1 ? 20 : 0, i, add);
    }
}
