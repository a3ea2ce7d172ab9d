/* common/record/verify.c: the steps of a verifier, one function each, in their order (FAIRNESS
 * section 7). */
#include "common/record/verify.h"

#include <stdio.h>
#include <string.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/record/replay.h"
#include "common/rules/game.h"

const char *verify_step_name(enum verify_step step)
{
    static const char *const names[VERIFY_STEPS] = {"nothing", "form",  "chain", "nonces",
                                                    "rolls",   "draws", "rules", "receipts"};
    return names[step];
}

/* Notes the first failure. False, so that a step can end by it. */
static bool fail(struct verdict *verdict, const struct record *record, enum verify_step step,
                 uint64_t line, const char *why)
{
    verdict->failed = step;
    verdict->line = line;
    verdict->last_line = line == record->count;
    (void)snprintf(verdict->why, sizeof verdict->why, "%s", why);
    return false;
}

static void copy_text(char *out, size_t size, const char *text)
{
    (void)snprintf(out, size, "%s", text == NULL ? "" : text);
}

/* What the record says of itself. */
static void describe(struct verdict *verdict, const struct record *record)
{
    const struct line_header *header = &record->lines[0].header;
    struct hash nonce;
    copy_text(verdict->match, sizeof verdict->match, header->match);
    copy_text(verdict->game, sizeof verdict->game, header->game);
    verdict->rules = header->rules;
    verdict->seats = header->seats;
    for (unsigned i = 0; i < header->seats; i++) {
        copy_text(verdict->codes[i], sizeof verdict->codes[i], header->codes[i]);
        verdict->nonces[i] = record_nonce(record, i, &nonce);
    }
    verdict->lines = record->count;
    const struct line *last = &record->lines[record->count - 1];
    if (last->kind == LINE_HOST && strcmp(last->host.host, "end") == 0) {
        copy_text(verdict->how, sizeof verdict->how, last->host.how);
    }
}

/* 2. The heads against the marks, C from S, the last head. One changed byte is found at its own
 * line: a changed line breaks every head after it, a changed mark none, a changed key all but the
 * first. */
static bool check_chain(struct verdict *verdict, const struct record *record)
{
    struct buf marks;
    buf_init(&marks, record->count * MARK_CHARS + 1);
    for (size_t i = 0; i < record->count; i++) {
        line_append_mark(&marks, &record->heads[i]);
    }
    size_t bad = 0;
    while (bad < record->count && !marks.failed &&
           memcmp(marks.data + bad * MARK_CHARS, record->marks + bad * MARK_CHARS, MARK_CHARS) ==
               0) {
        bad++;
    }
    buf_finish(&marks);
    struct hash commit;
    const struct line_header *header = &record->lines[0].header;
    dice_commitment(header->match, &record->secret, &commit);
    const struct hash *last = &record->heads[record->count - 1];
    bool whole = memcmp(last, &record->head, sizeof record->head) == 0;
    bool bound = memcmp(&commit, header->commit, sizeof commit) == 0;
    if (bad == 0 && !whole) {
        return fail(verdict, record, VERIFY_CHAIN, 0, "The header is not the one that was hashed.");
    }
    if (!bound) {
        return fail(verdict, record, VERIFY_CHAIN, record->count,
                    "The key is not the one that the header is committed to.");
    }
    if (bad < record->count && !whole) {
        return fail(verdict, record, VERIFY_CHAIN, bad, "The line is not the one that was hashed.");
    }
    if (bad < record->count) {
        return fail(verdict, record, VERIFY_CHAIN, record->count,
                    "A mark is not that of its head.");
    }
    return whole || fail(verdict, record, VERIFY_CHAIN, record->count,
                         "The last head is not that of the lines.");
}

/* 3. Each opened nonce against its commitment; none twice, none after the stream has begun; no draw
 * before every nonce is open, lost or waived. */
static bool check_nonces(struct verdict *verdict, const struct record *record)
{
    const struct line_header *header = &record->lines[0].header;
    bool settled[LINE_SEATS_MAX];
    bool drawn = false;
    for (unsigned i = 0; i < header->seats; i++) {
        settled[i] = header->nonces[i] == NULL;
    }
    for (size_t n = 1; n < record->count; n++) {
        const struct line *line = &record->lines[n];
        for (unsigned i = 0; line->roll > 0 && i < header->seats; i++) {
            if (!settled[i]) {
                return fail(verdict, record, VERIFY_NONCES, n,
                            "Something was drawn before every seat had opened its nonce.");
            }
        }
        drawn = drawn || line->roll > 0;
        if (line->kind != LINE_NONCE) { continue; }
        int seat = record_seat(record, line->seat);
        if (seat < 0 || settled[seat]) {
            return fail(verdict, record, VERIFY_NONCES, n, "That seat has no nonce to open.");
        }
        settled[seat] = true;
        if (line->lost) { continue; }
        struct hash commit;
        dice_nonce_commitment(&line->nonce, &commit);
        if (drawn || memcmp(&commit, header->nonces[seat], sizeof commit) != 0) {
            return fail(verdict, record, VERIFY_NONCES, n,
                        "The nonce is not the one that the header is committed to.");
        }
    }
    return true;
}

/* 4. Each roll is the next r. */
static bool check_rolls(struct verdict *verdict, const struct record *record)
{
    uint64_t next = 1;
    for (size_t n = 1; n < record->count; n++) {
        const struct line *line = &record->lines[n];
        bool host = line->kind == LINE_HOST;
        if (host && strcmp(line->host.host, "restored") == 0) { next += UINT64_C(1) << 32; }
        verdict->undone += line->kind == LINE_UNDO ? 1 : 0;
        verdict->rewound += host && strcmp(line->host.host, "rewind") == 0 ? 1 : 0;
        if (line->roll == 0) { continue; }
        if (line->roll != next) {
            return fail(verdict, record, VERIFY_ROLLS, n,
                        "The number of the roll is not the next.");
        }
        next++;
        verdict->rolls++;
    }
    return true;
}

/* Runs of one lane against the stream. */
static bool runs_hold(const struct cJSON *runs, enum dice_lane lane, struct dice *dice,
                      uint64_t *draws)
{
    int base = lane == LANE_DIE ? 1 : 0;
    for (const cJSON *run = runs == NULL ? NULL : runs->child; run != NULL; run = run->next) {
        unsigned n = (unsigned)run->child->valuedouble;
        for (const cJSON *v = run->child->next->child; v != NULL; v = v->next) {
            (*draws)++;
            if ((int)v->valuedouble - base != (int)dice_draw(dice, lane, n)) { return false; }
        }
    }
    return true;
}

/* 5. Each die and deal is what the stream gives. */
static bool check_draws(struct verdict *verdict, const struct record *record)
{
    struct hash key, mask_key;
    struct dice dice;
    record_dice_key(record, &key);
    dice_mask_key(record->lines[0].header.match, &record->secret, &mask_key);
    for (size_t n = 1; n < record->count; n++) {
        const struct line *line = &record->lines[n];
        if (line->roll == 0) { continue; }
        dice_init(&dice, &key, &mask_key, line->roll, 1);
        if (!runs_hold(line->dice, LANE_DIE, &dice, &verdict->draws) ||
            !runs_hold(line->deal, LANE_DEAL, &dice, &verdict->draws)) {
            return fail(verdict, record, VERIFY_DRAWS, n, "A die is not what the stream gives.");
        }
    }
    return true;
}

/* The game that plays the record, or NULL and why it is not there. */
static const struct game *find_game(struct verdict *verdict, const struct record *record,
                                    const struct game *const *list)
{
    const struct line_header *header = &record->lines[0].header;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, header->game) != 0) { continue; }
        if (header->rules >= (*list)->rules_first && header->rules <= (*list)->rules_now) {
            return *list;
        }
        copy_text(verdict->no_rules, sizeof verdict->no_rules,
                  "this program does not play that version of the rules");
        return NULL;
    }
    if (verdict->no_rules[0] == '\0') {
        copy_text(verdict->no_rules, sizeof verdict->no_rules, "this program lacks the rules");
    }
    return NULL;
}

/* 6. Every line replays. INTERNAL: memory. */
static enum err check_rules(struct verdict *verdict, const struct record *record,
                            const struct game *game)
{
    struct replay *replay = NULL;
    struct why why;
    why_clear(&why);
    enum err err = replay_create(record, game, &replay, &why);
    if (err == ERR_INTERNAL) { return err; }
    if (err != ERR_OK) {
        (void)fail(verdict, record, VERIFY_RULES, 0, why.text);
        return ERR_OK;
    }
    while (err == ERR_OK && replay_at(replay) < record->count) {
        uint64_t n = replay_at(replay);
        err = replay_next(replay, &why);
        if (err != ERR_OK && err != ERR_INTERNAL) {
            (void)fail(verdict, record, VERIFY_RULES, n, why.text);
        }
    }
    if (err == ERR_OK && !replay_is_over(replay)) {
        (void)fail(verdict, record, VERIFY_RULES, record->count - 1,
                   "The match is not over with the last of the lines.");
    }
    verdict->result_follows = replay_result_follows(replay);
    replay_destroy(replay);
    return err == ERR_INTERNAL ? err : ERR_OK;
}

/* The line after which the chain had that head, or the record's count. */
static uint64_t find_head(const struct record *record, const struct hash *head)
{
    uint64_t n = 0;
    while (n < record->count && memcmp(&record->heads[n], head, sizeof *head) != 0) {
        n++;
    }
    return n;
}

static const char *check_receipt(const struct record *record, const struct verify_options *options,
                                 size_t index)
{
    const struct signed_receipt *one = &options->receipts[index];
    const struct receipt text = {one->match, one->viewer, one->seq, one->head, one->at};
    if (!receipt_verify(&text, one->key, one->signature)) { return "The signature is not good."; }
    if (strcmp(one->match, record->lines[0].header.match) != 0) {
        return "It is of another match.";
    }
    uint64_t n = find_head(record, &one->head);
    if (n == record->count) { return "Its head is no head of this chain."; }
    for (size_t i = 0; i < index; i++) {
        const struct signed_receipt *other = &options->receipts[i];
        if (strcmp(one->viewer, other->viewer) != 0) { continue; }
        uint64_t m = find_head(record, &other->head);
        if ((one->seq < other->seq && n >= m) || (one->seq > other->seq && n <= m) ||
            (one->seq == other->seq && n != m)) {
            return "Its place in the chain is not in the order of the others.";
        }
    }
    return NULL;
}

/* 7. Each receipt is a head of this chain, in order, and well signed. */
static bool check_receipts(struct verdict *verdict, const struct record *record,
                           const struct verify_options *options)
{
    for (size_t i = 0; i < options->receipt_count; i++) {
        const char *why = check_receipt(record, options, i);
        if (why == NULL) { continue; }
        verdict->failed = VERIFY_RECEIPTS;
        verdict->receipt = i;
        copy_text(verdict->why, sizeof verdict->why, why);
        return false;
    }
    return true;
}

static enum err check_all(struct verdict *verdict, const struct record *record,
                          const struct verify_options *options)
{
    static bool (*const steps[])(struct verdict *, const struct record *) = {
        [VERIFY_CHAIN] = check_chain,
        [VERIFY_NONCES] = check_nonces,
        [VERIFY_ROLLS] = check_rolls,
        [VERIFY_DRAWS] = check_draws,
    };
    for (unsigned step = VERIFY_CHAIN; step <= VERIFY_DRAWS; step++) {
        if (!steps[step](verdict, record)) { return ERR_OK; }
        verdict->checked[step] = true;
    }
    const struct game *game = find_game(verdict, record, options->games);
    if (game != NULL) {
        enum err err = check_rules(verdict, record, game);
        if (err != ERR_OK || verdict->failed != VERIFY_NOTHING) { return err; }
        verdict->checked[VERIFY_RULES] = true;
    }
    if (options->receipt_count > 0) {
        if (!check_receipts(verdict, record, options)) { return ERR_OK; }
        verdict->checked[VERIFY_RECEIPTS] = true;
    }
    return ERR_OK;
}

enum err verify_record(const char *text, size_t len, const struct verify_options *options,
                       struct verdict *out_verdict)
{
    struct record record;
    struct why why;
    why_clear(&why);
    memset(out_verdict, 0, sizeof *out_verdict);
    if (options->games == NULL) {
        copy_text(out_verdict->no_rules, sizeof out_verdict->no_rules, "the rules were left out");
    }
    enum err err = record_read(text, len, &record, &out_verdict->line, &why);
    if (err == ERR_INTERNAL) { return err; }
    if (err != ERR_OK) {
        out_verdict->failed = VERIFY_FORM;
        (void)snprintf(out_verdict->why, sizeof out_verdict->why, "%s%s%s%s",
                       why.text[0] != '\0' ? why.text : "This is not a line of a record.",
                       why.member[0] != '\0' ? " (" : "", why.member,
                       why.member[0] != '\0' ? ")" : "");
        return ERR_OK;
    }
    out_verdict->checked[VERIFY_FORM] = true;
    describe(out_verdict, &record);
    err = check_all(out_verdict, &record, options);
    out_verdict->good = err == ERR_OK && out_verdict->failed == VERIFY_NOTHING;
    record_finish(&record);
    return err;
}

/* ---- receipts ---- */

enum err signed_receipt_read(const char *text, size_t len, struct signed_receipt *out_receipt,
                             struct why *out_why)
{
    static const char *const names[] = {"match", "viewer",    "seq", "chain",
                                        "time",  "signature", "key", NULL};
    const char *match = "", *viewer = "", *head = "", *signature = "", *key = "";
    int64_t seq = 0;
    cJSON *json = NULL;
    memset(out_receipt, 0, sizeof *out_receipt);
    if (json_parse(text, len, &json) != ERR_OK) {
        return why_text(out_why, ERR_INVALID_PARAMS, "This is no receipt.");
    }
    enum err err = json_only(json, names, out_why);
    if (err == ERR_OK) {
        err = json_read_str(json, "!match", VERIFY_NAME_BYTES - 1, &match, out_why);
    }
    if (err == ERR_OK) {
        err = json_read_str(json, "!viewer", VERIFY_CODE_BYTES - 1, &viewer, out_why);
    }
    if (err == ERR_OK) { err = json_read_int(json, "!seq", 0, JSON_INT_MAX, &seq, out_why); }
    if (err == ERR_OK) { err = json_read_str(json, "!chain", 64, &head, out_why); }
    if (err == ERR_OK) {
        err = json_read_int(json, "!time", 0, JSON_INT_MAX, &out_receipt->at, out_why);
    }
    if (err == ERR_OK) { err = json_read_str(json, "!signature", 128, &signature, out_why); }
    if (err == ERR_OK) { err = json_read_str(json, "!key", 64, &key, out_why); }
    if (err == ERR_OK && (!b64_decode(head, out_receipt->head.bytes, HASH_BYTES) ||
                          !b64_decode(signature, out_receipt->signature, SIGNATURE_BYTES) ||
                          !b64_decode(key, out_receipt->key, SIGN_PUBLIC_BYTES))) {
        err = why_text(out_why, ERR_INVALID_PARAMS, "A hash, signature or key is no base64url.");
    }
    if (err == ERR_OK) {
        copy_text(out_receipt->match, sizeof out_receipt->match, match);
        copy_text(out_receipt->viewer, sizeof out_receipt->viewer, viewer);
        out_receipt->seq = (uint64_t)seq;
    }
    cJSON_Delete(json);
    return err;
}
