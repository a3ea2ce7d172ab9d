/* server/match/carry.c: lines written and read with no daemon about. */
#include "server/match/carry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sodium.h>
#include <uv.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/record/line.h"
#include "server/base/clock.h"
#include "server/match/carry_orders.h"
#include "server/match/clocks.h"
#include "server/match/load.h"
#include "server/store/carry.h"
#include "server/store/orders.h"
#include "server/store/restore.h"

enum { ERROR_BYTES = 256 };

/* ---- a store of one's own ---- */

struct offline {
    uv_loop_t loop;
    struct store *store;
    bool done;
    enum err err;
};

static enum err offline_open(struct offline *offline, const char *path, char error[ERROR_BYTES])
{
    const struct store_options options = {.path = path};
    memset(offline, 0, sizeof *offline);
    if (uv_loop_init(&offline->loop) != 0) { return ERR_INTERNAL; }
    enum err err = store_open(&offline->loop, &options, &offline->store, error);
    if (err == ERR_OK) { return ERR_OK; }
    (void)uv_run(&offline->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&offline->loop);
    return err;
}

static void offline_close(struct offline *offline)
{
    store_close(offline->store, NULL, NULL);
    (void)uv_run(&offline->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&offline->loop);
}

static void on_done(void *ctx, enum err err)
{
    struct offline *offline = ctx;
    offline->done = true;
    offline->err = err;
}

static enum err offline_wait(struct offline *offline)
{
    while (!offline->done) {
        (void)uv_run(&offline->loop, UV_RUN_ONCE);
    }
    offline->done = false;
    return offline->err;
}

static enum err offline_read(struct offline *offline, store_op_fn *read, void *data)
{
    store_read(offline->store, read, data, NULL, on_done, offline);
    return offline_wait(offline);
}

static enum err offline_write(struct offline *offline, const struct match_id *owner,
                              store_op_fn *write, void *data)
{
    struct store_unit *unit = store_unit_create(owner, STORE_MAY_REFUSE);
    if (unit == NULL) { return ERR_INTERNAL; }
    store_unit_add(unit, write, data, NULL);
    store_commit(offline->store, unit, on_done, offline);
    return offline_wait(offline);
}

/* ---- lines without the rules, which this program may lack ---- */

/* A line that all are told of, as core_tell and core_restored would write it, and what it makes of
 * the tip. ends_undo: nothing before it is taken back. NULL: memory. */
static struct lines_write *make_line(const struct match_row *row, const struct line_host *act,
                                     bool ends_undo)
{
    struct lines_write *write = lines_write_create(1);
    struct tip_viewer tip[ROW_VIEWERS];
    struct buf line;
    if (write == NULL) { return NULL; }
    buf_init(&line, LINE_BYTES_MAX);
    write->match = row->key;
    write->at = clock_now_ms();
    line_write_host(&line, row->next_n, write->at, act);
    line_head(row->id.text, &row->secret, row->next_n, &row->head, line.data, line.len,
              &write->head);
    uint32_t told = (UINT32_C(1) << row->seats) - 1U;
    told |= UINT32_C(1) << VIEWER_PUBLIC | UINT32_C(1) << VIEWER_ALL;
    memcpy(tip, row->tip, sizeof tip);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((told >> viewer & 1U) == 0) { continue; }
        tip[viewer].seq++;
        tip[viewer].n = row->next_n;
        tip[viewer].at = write->at;
        tip[viewer].head = write->head;
        if (ends_undo) { tip[viewer].undo = 0; }
    }
    tip_write_viewers(tip, write->viewers);
    write->roll = row->roll;
    write->mask = row->mask;
    write->begun = row->begun;
    write->lines[0] = (struct line_row){
        .n = row->next_n, .at = write->at, .seat = -1, .told = told, .sealed = true};
    write->lines[0].body = buf_take(&line, &write->lines[0].body_len);
    buf_finish(&line);
    if (write->lines[0].body == NULL) {
        lines_write_free(write);
        return NULL;
    }
    return write;
}

/* ---- restored ---- */

/* All coming dice are others. */
static struct lines_write *make_restored(const struct match_row *row)
{
    const struct line_host act = {.host = "restored", .to = -1, .ms = -1};
    struct lines_write *write = make_line(row, &act, true);
    if (write == NULL) { return NULL; }
    write->roll += UINT64_C(1) << 32;
    write->mask += UINT64_C(1) << 32;
    return write;
}

struct one_match {
    const struct match_id *id;
    struct match_row row;
    bool marked;
};

static enum err op_mark(struct db *db, void *data)
{
    struct one_match *one = data;
    one->marked = false;
    enum err err = matches_read_row(db, one->id, false, &one->row);
    if (err != ERR_OK || one->row.over) { return err; }
    struct lines_write *write = make_restored(&one->row);
    if (write == NULL) { return ERR_INTERNAL; }
    err = matches_write(db, write);
    lines_write_free(write);
    one->marked = err == ERR_OK;
    return err;
}

struct all_matches {
    struct match_id *ids;
    size_t count, cap;
};

static bool on_match(void *ctx, const struct match_id *id)
{
    struct all_matches *all = ctx;
    if (all->count == all->cap) {
        size_t cap = all->cap == 0 ? 64 : all->cap * 2;
        struct match_id *ids = realloc(all->ids, cap * sizeof *ids);
        if (ids == NULL) { return false; }
        all->ids = ids;
        all->cap = cap;
    }
    all->ids[all->count++] = *id;
    return true;
}

static enum err op_list(struct db *db, void *data)
{
    return matches_each(db, on_match, data);
}

/* Every running match of the copy says that it was restored. */
static enum err mark_copy(void *ctx, const char *copy, char error[ERROR_BYTES])
{
    uint64_t *out_count = ctx;
    struct all_matches all = {NULL, 0, 0};
    struct offline offline;
    enum err err = offline_open(&offline, copy, error);
    if (err != ERR_OK) { return err; }
    err = offline_read(&offline, op_list, &all);
    for (size_t i = 0; i < all.count && err == ERR_OK; i++) {
        struct one_match one = {.id = &all.ids[i]};
        err = offline_write(&offline, one.id, op_mark, &one);
        match_row_finish(&one.row);
        *out_count += one.marked ? 1 : 0;
    }
    if (err == ERR_OK) { err = offline_write(&offline, NULL, carry_write_restored, NULL); }
    offline_close(&offline);
    free(all.ids);
    if (err != ERR_OK) {
        (void)snprintf(error, ERROR_BYTES, "the copy cannot be marked as restored: %s",
                       err_message(err));
    }
    return err;
}

enum err carry_restore(const char *backup, const char *database, uint64_t *out_count,
                       char out_kept[512], char out_error[256])
{
    *out_count = 0;
    out_kept[0] = '\0';
    return store_restore(backup, database, mark_copy, out_count, out_kept, out_error);
}

/* ---- export: first told, then done ---- */

enum { TOLD_WAIT_MS = 15000, TOLD_LOOK_MS = 100 };

struct telling {
    struct match_id id;
    uint64_t next_n; /* before it was told */
    bool begun, told;
    const char *why;
};

/* Whether it may be exported at all. */
static enum err op_may_export(struct db *db, void *data)
{
    struct telling *t = data;
    struct match_row row;
    enum err err = matches_read_row(db, &t->id, false, &row);
    if (err != ERR_OK) { return err; }
    if (row.over || row.next_n == 0) {
        t->why = row.over ? "is over: `vedette record` saves it" : "has not begun";
        err = ERR_CONFLICT;
    }
    t->next_n = row.next_n;
    t->begun = row.begun;
    match_row_finish(&row);
    return err;
}

/* No daemon is there: the line is written by this program. */
static enum err op_tell(struct db *db, void *data)
{
    struct telling *t = data;
    struct match_row row;
    const struct line_host act = {
        .host = "look", .to = -1, .reason = CARRY_EXPORT_REASON, .ms = -1};
    enum err err = matches_read_row(db, &t->id, false, &row);
    if (err != ERR_OK) { return err; }
    struct lines_write *write = row.over ? NULL : make_line(&row, &act, false);
    err = row.over ? ERR_CONFLICT : write == NULL ? ERR_INTERNAL : matches_write(db, write);
    lines_write_free(write);
    match_row_finish(&row);
    return err;
}

static enum err op_ask(struct db *db, void *data)
{
    const struct telling *t = data;
    return carry_ask_told(db, &t->id);
}

static enum err op_is_told(struct db *db, void *data)
{
    struct telling *t = data;
    t->told = carry_was_told(db, &t->id, t->next_n);
    return ERR_OK;
}

/* Whoever takes the whole of a match away sees what is hidden: so all seats are told of it first,
 * by a line, which the daemon writes where one runs. A match that has not begun hides nothing yet.
 */
static enum err tell_export(const char *database, struct telling *t, char out_error[ERROR_BYTES])
{
    bool served = false;
    enum err err = store_peek(database, op_may_export, t, out_error);
    if (err != ERR_OK || !t->begun) { return err; }
    err = store_alter(database, op_tell, t, &served, out_error);
    if (err != ERR_OK || !served) { return err; }
    err = store_poke(database, op_ask, t, out_error);
    for (int ms = 0; err == ERR_OK && !t->told; ms += TOLD_LOOK_MS) {
        if (ms >= TOLD_WAIT_MS) {
            (void)snprintf(out_error, ERROR_BYTES, "the daemon does not tell the players of it");
            return ERR_STORAGE_FAILED;
        }
        uv_sleep(TOLD_LOOK_MS);
        err = store_peek(database, op_is_told, t, out_error);
    }
    return err;
}

struct exporting {
    struct match_id id;
    struct buf *out;
    struct match_row row;
    struct carry_row carry;
    struct clock_row clock;
};

/* Its spec, where it stands, and when it left. */
static void export_clock(const struct clock_row *row, struct buf *out)
{
    if (row->spec == NULL || row->told == NULL) { return; }
    jw_key_raw(out, "clock", row->spec, strlen(row->spec));
    jw_key_b64(out, "clock_state", row->state, row->state_len);
    jw_key_int(out, "clock_at", clock_now_ms());
}

static enum err on_export_line(void *ctx, uint64_t n, const char *body, size_t len, uint64_t answer)
{
    struct exporting *exporting = ctx;
    (void)n;
    (void)answer;
    buf_append(exporting->out, body, len);
    buf_append_char(exporting->out, '\n');
    return exporting->out->failed ? ERR_TOO_LARGE : ERR_OK;
}

static enum err op_export(struct db *db, void *data)
{
    struct exporting *e = data;
    struct buf *out = e->out;
    enum err err = matches_read_row(db, &e->id, true, &e->row);
    if (err == ERR_OK) { err = carry_read(db, e->row.key, &e->carry); }
    if (err == ERR_OK) { err = clocks_read(db, e->row.key, &e->clock); }
    if (err != ERR_OK) { return err; }
    if (e->row.over) { return ERR_CONFLICT; } /* since it was told */
    jw_object_begin(out);
    jw_key_str(out, "vedette", "match/1");
    jw_key_str(out, "match", e->row.id.text);
    jw_key_b64(out, "key", e->row.secret.bytes, HASH_BYTES);
    jw_key_str(out, "title", e->carry.title);
    jw_key_str(out, "spectators", e->carry.spectators);
    jw_key_str(out, "reveal", e->carry.reveal);
    export_clock(&e->clock, out);
    err = carry_write_orders(db, e->row.key, out);
    if (err != ERR_OK) { return err; }
    jw_key_int(out, "created_at", e->carry.created_at);
    jw_key_int(out, "lines", (int64_t)e->row.next_n);
    jw_key_b64(out, "head", e->row.head.bytes, HASH_BYTES);
    jw_object_end(out);
    buf_append_char(out, '\n');
    return matches_read_lines(db, e->row.key, 0, e->row.next_n - 1, on_export_line, e);
}

enum err carry_export(const char *database, const char *match, struct buf *out_text,
                      char out_error[256])
{
    struct exporting exporting = {.out = out_text};
    if (!match_id_read(match, &exporting.id)) {
        (void)snprintf(out_error, ERROR_BYTES, "there is no match %.64s", match);
        return ERR_NOT_FOUND;
    }
    struct telling telling = {.id = exporting.id};
    out_error[0] = '\0';
    enum err err = tell_export(database, &telling, out_error);
    if (err == ERR_OK) { err = store_peek(database, op_export, &exporting, out_error); }
    if (err == ERR_NOT_FOUND) {
        (void)snprintf(out_error, ERROR_BYTES, "there is no match %.64s", match);
    } else if (telling.why != NULL) {
        (void)snprintf(out_error, ERROR_BYTES, "match %.64s %s", match, telling.why);
    } else if (err != ERR_OK && out_error[0] == '\0') {
        (void)snprintf(out_error, ERROR_BYTES, "%s", err_message(err));
    }
    match_row_finish(&exporting.row);
    clock_row_finish(&exporting.clock);
    return err;
}

/* ---- import ---- */

struct importing {
    const struct game *const *list;
    struct carry_row carry;
    struct line header; /* line 0, read */
    bool has_header;
    char *options;
    struct lines_write *write; /* all lines */
    struct clock_row clock;    /* spec NULL: the match has none */
    int64_t clock_at;
    struct orders_write *orders; /* NULL: none */
    struct hash head;
    struct carried *out;
    char *error;
};

static enum err bad_file(struct importing *importing, const char *why)
{
    (void)snprintf(importing->error, ERROR_BYTES, "the file is no exported match: %s", why);
    return ERR_INVALID_PARAMS;
}

/* The members that a match with a clock has. The normal form may be of another version of ours. */
static enum err read_clock(struct importing *importing, const cJSON *json)
{
    struct clock_row *row = &importing->clock;
    const cJSON *spec = NULL;
    const char *state = NULL;
    struct why why;
    struct buf text;
    why_clear(&why);
    enum err err = json_read_object(json, "clock", &spec, &why);
    if (err == ERR_OK) {
        err = json_read_str(json, "clock_state", 2 * CLOCK_STATE_BYTES_MAX, &state, &why);
    }
    if (err == ERR_OK) {
        err = json_read_int(json, "clock_at", 0, JSON_INT_MAX, &importing->clock_at, &why);
    }
    if (err != ERR_OK || (spec == NULL && state == NULL)) { return err; }
    if (spec == NULL || state == NULL) { return ERR_INVALID_PARAMS; }
    row->state_len = strlen(state) / 4 * 3 + (strlen(state) % 4 == 0 ? 0 : strlen(state) % 4 - 1);
    if (strlen(state) % 4 == 1 || row->state_len > sizeof row->state ||
        !b64_decode(state, row->state, row->state_len)) {
        return ERR_INVALID_PARAMS;
    }
    buf_init(&text, LINE_BYTES_MAX);
    jw_value(&text, spec);
    row->spec = text.failed ? NULL : buf_take(&text, &(size_t){0});
    buf_finish(&text);
    row->told = strdup("");
    return row->spec == NULL || row->told == NULL ? ERR_INTERNAL : ERR_OK;
}

/* The first line of the file. */
static enum err read_meta(struct importing *importing, const char *text, size_t len,
                          uint64_t *out_lines)
{
    static const char *const names[] = {"vedette", "match", "key",         "title",    "spectators",
                                        "reveal",  "clock", "clock_state", "clock_at", "created_at",
                                        "lines",   "head",  "orders",      NULL};
    struct carry_row *carry = &importing->carry;
    const char *kind = "", *match = "", *key = "", *title = "", *spectators = "", *reveal = "";
    const char *head = "";
    int64_t lines = 0;
    struct why why;
    cJSON *json = NULL;
    why_clear(&why);
    if (json_parse(text, len, &json) != ERR_OK) { return bad_file(importing, "its first line"); }
    enum err err = json_only(json, names, &why);
    if (err == ERR_OK) { err = json_read_str(json, "!vedette", 16, &kind, &why); }
    if (err == ERR_OK) { err = json_read_str(json, "!match", 64, &match, &why); }
    if (err == ERR_OK) { err = json_read_str(json, "!key", 64, &key, &why); }
    if (err == ERR_OK) {
        err = json_read_str(json, "!title", sizeof carry->title - 1, &title, &why);
    }
    if (err == ERR_OK) { err = json_read_str(json, "!spectators", 11, &spectators, &why); }
    if (err == ERR_OK) { err = json_read_str(json, "!reveal", 11, &reveal, &why); }
    if (err == ERR_OK) { err = json_read_str(json, "!head", 64, &head, &why); }
    if (err == ERR_OK) { err = json_read_int(json, "!lines", 1, 1 << 30, &lines, &why); }
    if (err == ERR_OK) {
        err = json_read_int(json, "!created_at", 0, JSON_INT_MAX, &carry->created_at, &why);
    }
    if (err == ERR_OK) { err = read_clock(importing, json); }
    if (err == ERR_OK) { err = carry_read_orders(json_get(json, "orders"), &importing->orders); }
    bool good = err == ERR_OK && strcmp(kind, "match/1") == 0 && match_id_read(match, &carry->id) &&
                b64_decode(key, carry->secret.bytes, HASH_BYTES) &&
                b64_decode(head, importing->head.bytes, HASH_BYTES) &&
                (strcmp(spectators, "none") == 0 || strcmp(spectators, "public") == 0) &&
                (strcmp(reveal, "end") == 0 || strcmp(reveal, "seats") == 0);
    if (good) {
        memcpy(carry->title, title, strlen(title) + 1);
        memcpy(carry->spectators, spectators, strlen(spectators) + 1);
        memcpy(carry->reveal, reveal, strlen(reveal) + 1);
        *out_lines = (uint64_t)lines;
    }
    cJSON_Delete(json);
    return good ? ERR_OK : bad_file(importing, "its first line");
}

/* Line 0 says what the rows need. */
static enum err take_header(struct importing *importing, const char *text, size_t len)
{
    struct carry_row *carry = &importing->carry;
    struct why why;
    struct hash commit;
    why_clear(&why);
    if (line_read(text, len, &importing->header, &why) != ERR_OK) {
        return bad_file(importing, "line 0");
    }
    importing->has_header = true;
    const struct line *line = &importing->header;
    const struct line_header *header = &line->header;
    if (line->kind != LINE_HEADER || strcmp(header->match, carry->id.text) != 0 ||
        strlen(header->game) >= sizeof carry->game) {
        return bad_file(importing, "line 0");
    }
    dice_commitment(header->match, &carry->secret, &commit);
    if (memcmp(&commit, &line->commit, sizeof commit) != 0) {
        return bad_file(importing, "its key is not the one that line 0 is committed to");
    }
    struct buf options;
    buf_init(&options, LINE_BYTES_MAX);
    jw_value(&options, line->options);
    importing->options = buf_take(&options, &(size_t){0});
    buf_finish(&options);
    if (importing->options == NULL) { return ERR_INTERNAL; }
    memcpy(carry->game, header->game, strlen(header->game) + 1);
    carry->rules = header->rules;
    carry->options = importing->options;
    carry->commit = commit;
    carry->started_at = line->at;
    carry->seats = header->seats;
    importing->out->id = carry->id;
    importing->out->seats = header->seats;
    for (unsigned i = 0; i < header->seats; i++) {
        uint8_t code[16];
        if (strlen(header->codes[i]) >= sizeof carry->codes[i]) {
            return bad_file(importing, "line 0");
        }
        memcpy(carry->codes[i], header->codes[i], strlen(header->codes[i]) + 1);
        memcpy(importing->out->codes[i], carry->codes[i], sizeof carry->codes[i]);
        randombytes_buf(code, sizeof code);
        b64_encode(carry->join_codes[i], code, sizeof code);
        memcpy(importing->out->join_codes[i], carry->join_codes[i], CARRY_CODE_CHARS + 1);
        carry->has_commit[i] = header->nonces[i] != NULL;
        if (carry->has_commit[i]) { carry->nonce_commits[i] = line->nonce_commits[i]; }
    }
    return ERR_OK;
}

/* All lines as rows; what they told whom is found when they are played again. */
static enum err take_lines(struct importing *importing, const char *text, size_t len,
                           uint64_t count)
{
    importing->write = lines_write_create(count);
    if (importing->write == NULL) { return ERR_INTERNAL; }
    uint64_t n = 0;
    const char *at = text;
    for (; at < text + len && n < count; n++) {
        const char *end = memchr(at, '\n', (size_t)(text + len - at));
        if (end == NULL) { return bad_file(importing, "its last line is not ended"); }
        if (memchr(at, '\0', (size_t)(end - at)) != NULL) {
            return bad_file(importing, "a line of it is no text");
        }
        struct line_row *row = &importing->write->lines[n];
        *row = (struct line_row){.n = n, .seat = -1, .body_len = (size_t)(end - at)};
        row->body = strndup(at, row->body_len);
        if (row->body == NULL) { return ERR_INTERNAL; }
        at = end + 1;
    }
    return n == count && at == text + len ? ERR_OK
                                          : bad_file(importing, "it lacks lines or has too many");
}

/* What a line that is played again turns out to be. */
static bool on_played(void *ctx, struct core *core, struct scratch *scratch,
                      const struct core_step *step)
{
    struct importing *importing = ctx;
    (void)core;
    (void)scratch;
    if (step == NULL || step->n >= importing->write->line_count) { return true; }
    struct line_row *row = &importing->write->lines[step->n];
    row->at = step->at;
    row->seat = step->seat;
    row->told = step->told;
    row->sealed = step->sealed;
    return true;
}

static void fill_tip(const struct core *core, struct lines_write *write)
{
    write->roll = core->roll;
    write->mask = core->mask;
    write->head = core->head;
    write->begun = core->begun;
    tip_write_viewers(core->tip, write->viewers);
}

/* The line that tells where the match comes from, behind all others. */
static enum err add_restored(struct db *db, struct importing *importing, struct core *core)
{
    struct core_step step;
    struct scratch scratch;
    scratch_init(&scratch);
    struct lines_write *write = lines_write_create(1);
    enum err err =
        write == NULL ? ERR_INTERNAL : core_restored(core, &scratch, clock_now_ms(), &step);
    if (err == ERR_OK) {
        write->match = importing->write->match;
        write->at = step.at;
        fill_tip(core, write);
        write->lines[0] = (struct line_row){
            .n = step.n, .at = step.at, .seat = -1, .told = step.told, .sealed = true};
        write->lines[0].body = strndup(scratch.line.data, scratch.line.len);
        write->lines[0].body_len = scratch.line.len;
        for (unsigned i = 0; i < core->seats; i++) {
            write->nonces[i].opened = core->nonce[i] == SEAT_NONCE_OPENED;
            write->nonces[i].lost = core->nonce[i] == SEAT_NONCE_LOST;
            write->nonces[i].nonce = core->nonces[i];
        }
        err = write->lines[0].body == NULL ? ERR_INTERNAL : matches_write(db, write);
    }
    lines_write_free(write);
    scratch_finish(&scratch);
    return err;
}

/* The rows, with lines that are then played from them; whatever does not fit takes all of it back.
 */
static enum err op_import(struct db *db, void *data)
{
    struct importing *importing = data;
    struct lines_write *write = importing->write;
    struct match_row row;
    struct core *core = NULL;
    enum err err = carry_insert(db, &importing->carry, &write->match);
    if (err == ERR_CONFLICT) {
        (void)snprintf(importing->error, ERROR_BYTES, "there is a match %s in the database already",
                       importing->carry.id.text);
    }
    write->first = true;
    write->at = importing->carry.started_at;
    if (err == ERR_OK) { err = matches_write(db, write); }
    if (err != ERR_OK) { return err; }
    err = matches_read_row(db, &importing->carry.id, true, &row);
    if (err != ERR_OK) { return err; }
    const struct game *game = load_find_game(importing->list, row.game);
    if (game == NULL || row.rules < game->rules_first || row.rules > game->rules_now) {
        err = bad_file(importing, "this program does not play its rules");
    }
    struct load_play play = {.game = game,
                             .row = &row,
                             .to = row.next_n - 1,
                             .from_start = true,
                             .step = on_played,
                             .ctx = importing};
    if (err == ERR_OK) {
        err = load_play(db, &play, &core);
        if (err != ERR_OK) { err = bad_file(importing, "its lines do not play again"); }
    }
    if (err == ERR_OK && (core->over || memcmp(&core->head, &importing->head, HASH_BYTES) != 0)) {
        err = bad_file(importing, "its lines do not lead to its head");
    }
    if (err == ERR_OK) { err = carry_update_lines(db, write); }
    if (err == ERR_OK) { err = add_restored(db, importing, core); }
    if (err == ERR_OK && importing->clock.spec != NULL && core->begun) {
        err = clocks_carry(db, core, write->match, &importing->clock, importing->clock_at,
                           clock_now_ms());
        if (err == ERR_INVALID_PARAMS) { err = bad_file(importing, "its clock"); }
    }
    if (err == ERR_OK && importing->orders != NULL) {
        importing->orders->match = write->match;
        err = orders_write_run(db, importing->orders);
    }
    core_destroy(core);
    match_row_finish(&row);
    return err;
}

enum err carry_import(const char *database, const char *text, size_t len,
                      const struct game *const *list, struct carried *out_carried,
                      char out_error[256])
{
    struct importing importing = {
        .list = list == NULL ? games : list, .out = out_carried, .error = out_error};
    struct offline offline;
    uint64_t lines = 0;
    memset(out_carried, 0, sizeof *out_carried);
    out_error[0] = '\0';
    const char *end = memchr(text, '\n', len);
    size_t first = end == NULL ? 0 : (size_t)(end - text);
    enum err err = end == NULL ? bad_file(&importing, "it has no lines")
                               : read_meta(&importing, text, first, &lines);
    if (err == ERR_OK) { err = take_lines(&importing, end + 1, len - first - 1, lines); }
    if (err == ERR_OK) {
        const struct line_row *row = &importing.write->lines[0];
        err = take_header(&importing, row->body, row->body_len);
    }
    if (err == ERR_OK) {
        err = offline_open(&offline, database, out_error);
        if (err == ERR_OK) {
            err = offline_write(&offline, &importing.carry.id, op_import, &importing);
            offline_close(&offline);
        }
    }
    if (err != ERR_OK && out_error[0] == '\0') {
        (void)snprintf(out_error, ERROR_BYTES, "%s", err_message(err));
    }
    if (importing.has_header) { line_finish(&importing.header); }
    lines_write_free(importing.write);
    clock_row_finish(&importing.clock);
    orders_write_free(importing.orders);
    free(importing.options);
    return err;
}
