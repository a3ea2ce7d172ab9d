/* common/record/line.c: one writer for each kind of line, one reader that writes again and
 * compares. */
#include "common/record/line.h"

#include <assert.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"

static_assert(SIGN_SEED_BYTES == crypto_sign_SEEDBYTES, "Ed25519");
static_assert(SIGN_PUBLIC_BYTES == crypto_sign_PUBLICKEYBYTES, "Ed25519");
static_assert(SIGNATURE_BYTES == crypto_sign_BYTES, "Ed25519");

/* ---- writing ---- */

static void header_head(struct buf *buf, const struct line_header *header)
{
    jw_object_begin(buf);
    jw_key_str(buf, "vedette", "record/1");
    jw_key_str(buf, "match", header->match);
    jw_key_str(buf, "game", header->game);
    jw_key_int(buf, "rules", header->rules);
}

static void header_tail(struct buf *buf, const struct line_header *header)
{
    jw_key_array(buf, "seats");
    for (unsigned i = 0; i < header->seats; i++) {
        jw_str(buf, header->codes[i]);
    }
    jw_array_end(buf);
    jw_key_b64(buf, "commit", header->commit->bytes, HASH_BYTES);
    jw_key_object(buf, "nonces");
    for (unsigned i = 0; i < header->seats; i++) {
        jw_key(buf, header->codes[i]);
        if (header->nonces[i] == NULL) {
            jw_null(buf);
        } else {
            jw_b64(buf, header->nonces[i]->bytes, HASH_BYTES);
        }
    }
    jw_object_end(buf);
    jw_key_int(buf, "at", header->at);
    jw_object_end(buf);
}

void line_write_header(struct buf *buf, const struct line_header *header)
{
    assert(header->seats <= LINE_SEATS_MAX);
    header_head(buf, header);
    jw_key_raw(buf, "options", header->options, strlen(header->options));
    header_tail(buf, header);
}

static void begin(struct buf *buf, uint64_t n, int64_t at)
{
    jw_object_begin(buf);
    jw_key_int(buf, "n", (int64_t)n);
    jw_key_int(buf, "at", at);
}

static void end(struct buf *buf, const struct dice *dice)
{
    if (dice != NULL) { dice_write_line(dice, buf); }
    jw_object_end(buf);
}

void line_write_begin(struct buf *buf, uint64_t n, int64_t at, const struct dice *dice)
{
    begin(buf, n, at);
    jw_key_str(buf, "host", "begin");
    end(buf, dice);
}

void line_write_nonce(struct buf *buf, uint64_t n, int64_t at, const char *seat,
                      const struct hash *nonce)
{
    begin(buf, n, at);
    jw_key_str(buf, "seat", seat);
    if (nonce == NULL) {
        jw_key_bool(buf, "lost", true);
    } else {
        jw_key_b64(buf, "nonce", nonce->bytes, HASH_BYTES);
    }
    end(buf, NULL);
}

static void do_head(struct buf *buf, uint64_t n, int64_t at, const char *seat, const char *by)
{
    begin(buf, n, at);
    jw_key_str(buf, "seat", seat);
    if (by != NULL) { jw_key_str(buf, "by", by); }
}

void line_write_do(struct buf *buf, uint64_t n, int64_t at, const char *seat, const char *by,
                   const char *action, size_t action_len, const struct dice *dice)
{
    do_head(buf, n, at, seat, by);
    jw_key_raw(buf, "do", action, action_len);
    end(buf, dice);
}

void line_write_undo(struct buf *buf, uint64_t n, int64_t at, const char *seat, uint64_t undone)
{
    begin(buf, n, at);
    jw_key_str(buf, "seat", seat);
    jw_key_int(buf, "undo", (int64_t)undone);
    end(buf, NULL);
}

/* All of an act up to "reason". */
static void host_head(struct buf *buf, uint64_t n, int64_t at, const struct line_host *act)
{
    assert(act->by_count <= LINE_SEATS_MAX);
    begin(buf, n, at);
    jw_key_str(buf, "host", act->host);
    if (act->to >= 0) { jw_key_int(buf, "to", act->to); }
    if (act->how != NULL) { jw_key_str(buf, "how", act->how); }
    if (act->seat != NULL) { jw_key_str(buf, "seat", act->seat); }
    if (act->by_count > 0) {
        jw_key_array(buf, "by");
        for (unsigned i = 0; i < act->by_count; i++) {
            jw_str(buf, act->by[i]);
        }
        jw_array_end(buf);
    }
    if (act->ms >= 0) { jw_key_int(buf, "ms", act->ms); }
    if (act->reason != NULL) { jw_key_str(buf, "reason", act->reason); }
}

void line_write_host(struct buf *buf, uint64_t n, int64_t at, const struct line_host *act)
{
    host_head(buf, n, at, act);
    if (act->result != NULL) { jw_key_raw(buf, "result", act->result, strlen(act->result)); }
    end(buf, act->dice);
}

static bool is_one_of(const char *text, const char *const *list)
{
    while (*list != NULL && strcmp(*list, text) != 0) {
        list++;
    }
    return *list != NULL;
}

/* What only tells, and how it is told. */
static const struct word {
    const char *host, *event;
} words[] = {
    {"pause", "paused"}, {"resume", "resumed"}, {"grant", "granted"}, {"convert", "converted"},
    {"late", "late"},    {"miss", "missed"},    {"look", "looked"},
};

static const char *word_event(const struct line_host *act)
{
    static const char *const hands[] = {"vacant", "substitute", "caretaker", "lent", "back", NULL};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].host, act->host) == 0) { return words[i].event; }
    }
    bool changes = strcmp(act->host, "seat") == 0 && act->how != NULL && is_one_of(act->how, hands);
    return changes ? "seat_changed" : NULL;
}

bool line_host_is_word(const struct line_host *act)
{
    return word_event(act) != NULL;
}

bool line_host_names_seat(const struct line_host *act)
{
    static const char *const of_seat[] = {"grant", "convert", "late", "miss", "seat", NULL};
    return is_one_of(act->host, of_seat);
}

void line_write_word_event(struct buf *buf, const struct line_host *act)
{
    jw_object_begin(buf);
    jw_key_str(buf, "ev", word_event(act));
    if (act->how != NULL) { jw_key_str(buf, "how", act->how); }
    if (act->seat != NULL) { jw_key_str(buf, "seat", act->seat); }
    if (act->by_count > 0) {
        jw_key_array(buf, "by");
        for (unsigned i = 0; i < act->by_count; i++) {
            jw_str(buf, act->by[i]);
        }
        jw_array_end(buf);
    }
    if (act->ms >= 0) { jw_key_int(buf, "s", act->ms / 1000); }
    if (act->reason != NULL) { jw_key_str(buf, "reason", act->reason); }
    jw_object_end(buf);
}

static void write_draws(struct buf *buf, const struct line *line)
{
    if (line->roll == 0) { return; }
    jw_key_int(buf, "roll", (int64_t)line->roll);
    if (line->dice != NULL) {
        jw_key(buf, "dice");
        jw_value(buf, line->dice);
    }
    if (line->deal != NULL) {
        jw_key(buf, "deal");
        jw_value(buf, line->deal);
    }
}

void line_write(struct buf *buf, const struct line *line)
{
    switch (line->kind) {
    case LINE_HEADER:
        header_head(buf, &line->header);
        jw_key(buf, "options");
        jw_value(buf, line->options);
        header_tail(buf, &line->header);
        return;
    case LINE_NONCE:
        line_write_nonce(buf, line->n, line->at, line->seat, line->lost ? NULL : &line->nonce);
        return;
    case LINE_UNDO: line_write_undo(buf, line->n, line->at, line->seat, line->undone); return;
    case LINE_DO:
        do_head(buf, line->n, line->at, line->seat, line->by);
        jw_key(buf, "do");
        jw_value(buf, line->action);
        break;
    case LINE_HOST:
        host_head(buf, line->n, line->at, &line->host);
        if (line->result != NULL) {
            jw_key(buf, "result");
            jw_value(buf, line->result);
        }
        break;
    }
    write_draws(buf, line);
    jw_object_end(buf);
}

/* ---- reading ---- */

static enum err bad(struct why *why, const char *member)
{
    return why_member(why, member, "This is not a line of a record.");
}

/* A subtree in normal form: what an action, options or a result must be. */
static enum err read_normal(cJSON *root, const char *name, const cJSON **out, struct why *why)
{
    cJSON *item = cJSON_GetObjectItemCaseSensitive(root, name);
    if (!cJSON_IsObject(item)) { return bad(why, name); }
    *out = item;
    return json_normalise(item, why);
}

static enum err read_hash(const cJSON *object, const char *name, struct hash *out, struct why *why)
{
    const cJSON *item = json_get(object, name);
    if (!cJSON_IsString(item) || !b64_decode(item->valuestring, out->bytes, HASH_BYTES)) {
        return bad(why, name);
    }
    return ERR_OK;
}

static enum err read_codes(const cJSON *object, const char *name, unsigned *out_count,
                           const char *out[LINE_SEATS_MAX], struct why *why)
{
    const cJSON *list = json_get(object, name);
    if (!cJSON_IsArray(list)) { return bad(why, name); }
    unsigned count = 0;
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        if (count == LINE_SEATS_MAX || !cJSON_IsString(i)) { return bad(why, name); }
        out[count++] = i->valuestring;
    }
    *out_count = count;
    return ERR_OK;
}

static enum err read_header(struct line *line, struct why *why)
{
    struct line_header *header = &line->header;
    int64_t rules = 0;
    const char *form = "";
    line->kind = LINE_HEADER;
    enum err err = json_read_str(line->json, "!vedette", 16, &form, why);
    if (err == ERR_OK && strcmp(form, "record/1") != 0) { err = bad(why, "vedette"); }
    if (err == ERR_OK) { err = json_read_str(line->json, "!match", 64, &header->match, why); }
    if (err == ERR_OK) { err = json_read_str(line->json, "!game", 64, &header->game, why); }
    if (err == ERR_OK) { err = json_read_int(line->json, "!rules", 1, UINT32_MAX, &rules, why); }
    if (err == ERR_OK) { err = read_normal(line->json, "options", &line->options, why); }
    if (err == ERR_OK) {
        err = read_codes(line->json, "seats", &header->seats, header->codes, why);
    }
    if (err == ERR_OK) { err = read_hash(line->json, "commit", &line->commit, why); }
    if (err == ERR_OK) {
        err = json_read_int(line->json, "!at", 0, JSON_INT_MAX, &header->at, why);
    }
    if (err != ERR_OK) { return err; }
    const cJSON *nonces = json_get(line->json, "nonces");
    for (unsigned i = 0; i < header->seats; i++) {
        const cJSON *item = json_get(nonces, header->codes[i]);
        if (cJSON_IsNull(item)) { continue; }
        err = read_hash(nonces, header->codes[i], &line->nonce_commits[i], why);
        if (err != ERR_OK) { return err; }
        header->nonces[i] = &line->nonce_commits[i];
    }
    header->rules = (uint32_t)rules;
    header->commit = &line->commit;
    line->at = header->at;
    return ERR_OK;
}

/* [[n,[v,..]],..], 1 <= n <= 256, values from low to low + n - 1; neighbours of different n. */
static bool runs_are_good(const cJSON *runs, int low)
{
    if (!cJSON_IsArray(runs) || runs->child == NULL) { return false; }
    double n_before = 0;
    for (const cJSON *run = runs->child; run != NULL; run = run->next) {
        const cJSON *n = cJSON_IsArray(run) ? run->child : NULL;
        const cJSON *values = n == NULL ? NULL : n->next;
        if (!cJSON_IsNumber(n) || !cJSON_IsArray(values) || values->next != NULL) { return false; }
        if (n->valuedouble < 1 || n->valuedouble > 256 || values->child == NULL) { return false; }
        if (n->valuedouble == n_before) { return false; }
        n_before = n->valuedouble;
        for (const cJSON *v = values->child; v != NULL; v = v->next) {
            if (!cJSON_IsNumber(v) || v->valuedouble < low ||
                v->valuedouble >= low + n->valuedouble) {
                return false;
            }
        }
    }
    return true;
}

static enum err read_draws(struct line *line, struct why *why)
{
    int64_t roll = 0;
    enum err err = json_read_int(line->json, "roll", 1, JSON_INT_MAX, &roll, why);
    if (err != ERR_OK) { return err; }
    line->roll = (uint64_t)roll;
    line->dice = json_get(line->json, "dice");
    line->deal = json_get(line->json, "deal");
    if (line->dice != NULL && !runs_are_good(line->dice, 1)) { return bad(why, "dice"); }
    if (line->deal != NULL && !runs_are_good(line->deal, 0)) { return bad(why, "deal"); }
    if ((roll == 0) != (line->dice == NULL && line->deal == NULL)) { return bad(why, "roll"); }
    return ERR_OK;
}

static enum err read_host(struct line *line, struct why *why)
{
    static const char *const acts[] = {"begin", "rewind",  "restored", "pause", "resume",
                                       "grant", "convert", "seat",     "late",  "miss",
                                       "look",  "end",     NULL};
    static const char *const hows[] = {
        "rules", "resign", "time",   "draw",     "abort", "vacant",  "substitute", "caretaker",
        "lent",  "back",   "agreed", "vacation", "cap",   "referee", "away",       NULL};
    struct line_host *act = &line->host;
    line->kind = LINE_HOST;
    act->to = -1;
    act->ms = -1;
    enum err err = json_read_str(line->json, "!host", 16, &act->host, why);
    if (err == ERR_OK && !is_one_of(act->host, acts)) { err = bad(why, "host"); }
    if (err == ERR_OK) { err = json_read_int(line->json, "to", 0, JSON_INT_MAX, &act->to, why); }
    if (err == ERR_OK) { err = json_read_str(line->json, "how", 16, &act->how, why); }
    if (err == ERR_OK && act->how != NULL && !is_one_of(act->how, hows)) { err = bad(why, "how"); }
    if (err == ERR_OK) { err = json_read_str(line->json, "seat", 16, &act->seat, why); }
    if (err == ERR_OK) { err = json_read_int(line->json, "ms", 0, JSON_INT_MAX, &act->ms, why); }
    if (err == ERR_OK && json_get(line->json, "by") != NULL) {
        err = read_codes(line->json, "by", &act->by_count, act->by, why);
    }
    if (err == ERR_OK) {
        err = json_read_str(line->json, "reason", LINE_REASON_BYTES_MAX, &act->reason, why);
    }
    if (err == ERR_OK && json_get(line->json, "result") != NULL) {
        err = read_normal(line->json, "result", &line->result, why);
    }
    line->seat = act->seat;
    return err == ERR_OK ? read_draws(line, why) : err;
}

static enum err read_seat(struct line *line, struct why *why)
{
    static const char *const hands[] = {"orders", "default", NULL};
    enum err err = json_read_str(line->json, "!seat", 16, &line->seat, why);
    if (err != ERR_OK) { return err; }
    if (json_get(line->json, "do") != NULL) {
        line->kind = LINE_DO;
        err = json_read_str(line->json, "by", 16, &line->by, why);
        if (err == ERR_OK && line->by != NULL && !is_one_of(line->by, hands)) {
            err = bad(why, "by");
        }
        if (err == ERR_OK) { err = read_normal(line->json, "do", &line->action, why); }
        return err == ERR_OK ? read_draws(line, why) : err;
    }
    if (json_get(line->json, "undo") != NULL) {
        int64_t undone = 0;
        line->kind = LINE_UNDO;
        err = json_read_int(line->json, "!undo", 1, JSON_INT_MAX, &undone, why);
        line->undone = (uint64_t)undone;
        return err;
    }
    line->kind = LINE_NONCE;
    line->lost = cJSON_IsTrue(json_get(line->json, "lost"));
    return line->lost ? ERR_OK : read_hash(line->json, "nonce", &line->nonce, why);
}

static enum err read_kind(struct line *line, struct why *why)
{
    if (!cJSON_IsObject(line->json)) { return bad(why, ""); }
    if (json_get(line->json, "vedette") != NULL) { return read_header(line, why); }
    int64_t n = 0;
    enum err err = json_read_int(line->json, "!n", 1, JSON_INT_MAX, &n, why);
    if (err == ERR_OK) { err = json_read_int(line->json, "!at", 0, JSON_INT_MAX, &line->at, why); }
    if (err != ERR_OK) { return err; }
    line->n = (uint64_t)n;
    return json_get(line->json, "host") != NULL ? read_host(line, why) : read_seat(line, why);
}

enum err line_read(const char *text, size_t len, struct line *out_line, struct why *out_why)
{
    struct buf again;
    buf_init(&again, LINE_BYTES_MAX);
    memset(out_line, 0, sizeof *out_line);
    if (len > LINE_BYTES_MAX) { return why_text(out_why, ERR_TOO_LARGE, "The line is too long."); }
    enum err err = json_parse(text, len, &out_line->json);
    if (err == ERR_OK) { err = read_kind(out_line, out_why); }
    if (err == ERR_OK) {
        line_write(&again, out_line);
        if (again.failed || again.len != len || memcmp(again.data, text, len) != 0) {
            err = bad(out_why, "");
        }
    }
    buf_finish(&again);
    if (err != ERR_OK) { line_finish(out_line); }
    return err;
}

void line_finish(struct line *line)
{
    cJSON_Delete(line->json);
    memset(line, 0, sizeof *line);
}

/* ---- the chain ---- */

void line_salt(const char *match, const struct hash *secret, uint64_t n, struct hash *out_salt)
{
    struct hasher hasher;
    hasher_begin(&hasher, secret, "vedette1 salt");
    hasher_part_str(&hasher, match);
    hasher_part_u64(&hasher, n);
    hasher_end(&hasher, out_salt);
}

void line_head(const char *match, const struct hash *secret, uint64_t n, const struct hash *before,
               const void *bytes, size_t len, struct hash *out_head)
{
    struct hasher hasher;
    struct hash salt;
    if (n > 0) { line_salt(match, secret, n, &salt); }
    hasher_begin(&hasher, NULL, "vedette1 line");
    hasher_part(&hasher, before->bytes, HASH_BYTES);
    hasher_part(&hasher, salt.bytes, n > 0 ? HASH_BYTES : 0);
    hasher_part(&hasher, bytes, len);
    hasher_end(&hasher, out_head);
}

void line_append_mark(struct buf *marks, const struct hash *head)
{
    b64_append(marks, head->bytes, 6);
}

void line_write_key(struct buf *buf, const struct hash *secret, const struct hash *head,
                    const char *marks)
{
    jw_object_begin(buf);
    jw_key_b64(buf, "key", secret->bytes, HASH_BYTES);
    jw_key_b64(buf, "head", head->bytes, HASH_BYTES);
    jw_key_str(buf, "marks", marks);
    jw_object_end(buf);
}

/* ---- receipts ---- */

enum { RECEIPT_BYTES_MAX = 512 };

/* T(label, parts) in full: a signature is over the text itself. Ids and codes are ours, short. */
static size_t receipt_text(const struct receipt *receipt, uint8_t out[RECEIPT_BYTES_MAX])
{
    uint8_t seq[8];
    uint8_t at[8];
    for (unsigned i = 0; i < 8; i++) {
        seq[i] = (uint8_t)(receipt->seq >> (8 * i));
        at[i] = (uint8_t)((uint64_t)receipt->at >> (8 * i));
    }
    const struct {
        const void *bytes;
        size_t n;
    } parts[] = {
        {receipt->match, strlen(receipt->match)},
        {receipt->viewer, strlen(receipt->viewer)},
        {seq, sizeof seq},
        {receipt->head.bytes, HASH_BYTES},
        {at, sizeof at},
    };
    static const char label[] = "vedette1 receipt";
    memcpy(out, label, sizeof label);
    size_t len = sizeof label;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert(parts[i].n <= 128);
        uint8_t length[4] = {(uint8_t)parts[i].n};
        memcpy(out + len, length, sizeof length);
        memcpy(out + len + sizeof length, parts[i].bytes, parts[i].n);
        len += sizeof length + parts[i].n;
    }
    return len;
}

void receipt_public_key(const uint8_t seed[SIGN_SEED_BYTES], uint8_t out_key[SIGN_PUBLIC_BYTES])
{
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    (void)crypto_sign_seed_keypair(out_key, secret, seed);
    sodium_memzero(secret, sizeof secret);
}

void receipt_sign(const struct receipt *receipt, const uint8_t seed[SIGN_SEED_BYTES],
                  uint8_t out_signature[SIGNATURE_BYTES])
{
    uint8_t text[RECEIPT_BYTES_MAX];
    uint8_t public_key[SIGN_PUBLIC_BYTES];
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    size_t len = receipt_text(receipt, text);
    (void)crypto_sign_seed_keypair(public_key, secret, seed);
    (void)crypto_sign_detached(out_signature, NULL, text, len, secret);
    sodium_memzero(secret, sizeof secret);
}

bool receipt_verify(const struct receipt *receipt, const uint8_t key[SIGN_PUBLIC_BYTES],
                    const uint8_t signature[SIGNATURE_BYTES])
{
    uint8_t text[RECEIPT_BYTES_MAX];
    size_t len = receipt_text(receipt, text);
    return crypto_sign_verify_detached(signature, text, len, key) == 0;
}
