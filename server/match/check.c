/* server/match/check.c: `vedetted check`: every stored match is played again and compared. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/record/line.h"
#include "server/match/live.h"
#include "server/match/load.h"
#include "server/store/store.h"

struct checking {
    const struct game *const *list;
    void (*fault)(void *ctx, const char *text);
    void *ctx;
    uint64_t count, faults;
    struct match_id *ids;
    size_t id_count, id_cap;
    enum err err;
    bool done;
};

__attribute__((format(printf, 2, 3))) static void fault(struct checking *checking,
                                                        const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    checking->faults++;
    if (checking->fault != NULL) { checking->fault(checking->ctx, text); }
}

static bool on_match(void *ctx, const struct match_id *id)
{
    struct checking *checking = ctx;
    if (checking->id_count == checking->id_cap) {
        size_t cap = checking->id_cap == 0 ? 64 : checking->id_cap * 2;
        struct match_id *ids = realloc(checking->ids, cap * sizeof *ids);
        if (ids == NULL) { return false; }
        checking->ids = ids;
        checking->id_cap = cap;
    }
    checking->ids[checking->id_count++] = *id;
    return true;
}

/* What a played match is compared with on the way: its snapshots. */
struct comparing {
    struct checking *checking;
    const struct core *core;
    struct buf saved;
};

/* The snapshot after the line just played must be what the played core would save. */
static bool on_check_snapshot(void *ctx, uint64_t n, const void *bytes, size_t len)
{
    struct comparing *comparing = ctx;
    const struct core *core = comparing->core;
    if (n + 1 != core->next_n) { return true; }
    buf_reset(&comparing->saved);
    core_save(core, &comparing->saved);
    bool same = comparing->saved.len == len && memcmp(comparing->saved.data, bytes, len) == 0;
    if (!same) {
        fault(comparing->checking, "match %s: the snapshot after line %llu differs", core->id.text,
              (unsigned long long)n);
    }
    return true;
}

enum { SNAPSHOTS_MAX = 4096 };
struct playing_check {
    struct db *db;
    struct comparing comparing;
    const struct match_row *row;
    uint32_t *told; /* viewers of each line; row->next_n of them */
    size_t count;   /* of the snapshots, the newest first */
    uint64_t at[SNAPSHOTS_MAX];
};

static bool on_note_snapshot(void *ctx, uint64_t n, const void *bytes, size_t len)
{
    struct playing_check *playing = ctx;
    (void)bytes;
    (void)len;
    if (playing->count < SNAPSHOTS_MAX) { playing->at[playing->count++] = n; }
    return playing->count == SNAPSHOTS_MAX;
}

static bool on_check_step(void *ctx, struct core *core, struct scratch *scratch,
                          const struct core_step *step)
{
    struct playing_check *playing = ctx;
    (void)scratch;
    if (step->n < playing->row->next_n) { playing->told[step->n] = step->told; }
    while (playing->count > 0 && playing->at[playing->count - 1] < step->n) {
        playing->count--;
    }
    if (playing->count == 0 || playing->at[playing->count - 1] != step->n) { return true; }
    playing->comparing.core = core;
    free(core->clock);
    enum err err = clocks_read_shown(playing->db, playing->row->key, step->n, &core->clock);
    if (err != ERR_OK) {
        playing->comparing.checking->err = err;
        return true;
    }
    err = matches_read_snapshots(playing->db, playing->row->key, step->n, core->rules,
                                 core->game->state_bytes, core_build(), on_check_snapshot,
                                 &playing->comparing);
    if (err != ERR_OK) { playing->comparing.checking->err = err; }
    return true;
}

static void compare_tips(struct checking *checking, const struct core *core,
                         const struct match_row *row)
{
    const char *id = row->id.text;
    if (memcmp(&core->head, &row->head, sizeof row->head) != 0) {
        fault(checking, "match %s: the last head differs", id);
    }
    if (core->roll != row->roll || core->mask != row->mask) {
        fault(checking, "match %s: the numbers of rolls or masks differ", id);
    }
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        uint8_t played[TIP_BYTES];
        uint8_t stored[TIP_BYTES];
        tip_write_viewers(core->tip, played);
        tip_write_viewers(row->tip, stored);
        size_t at = (size_t)viewer * TIP_VIEWER_BYTES;
        if (memcmp(played + at, stored + at, TIP_VIEWER_BYTES) != 0) {
            fault(checking, "match %s: what viewer %u was told differs", id, viewer);
        }
    }
    for (unsigned i = 0; i < core->seats; i++) {
        if (core->nonce[i] == row->nonces[i]) { continue; }
        fault(checking, "match %s: what became of the nonce of %s differs", id, core->codes[i]);
    }
    if (core->over != row->over) { fault(checking, "match %s: whether it is over differs", id); }
}

struct shown_lines {
    const uint32_t *told; /* of each line */
    uint64_t count, last;
    bool bad;
};

/* Views showed another clock from a line on that everybody was told of. */
static bool on_shown(void *ctx, uint64_t n, const char *view)
{
    struct shown_lines *shown = ctx;
    (void)view;
    shown->last = n;
    shown->bad = shown->bad || n >= shown->count || (shown->told[n] >> VIEWER_PUBLIC & 1U) == 0;
    return true;
}

static enum err compare_clock(struct db *db, struct checking *checking, const struct core *core,
                              const struct match_row *row, const uint32_t *told)
{
    struct clock_row clock;
    struct shown_lines shown = {.told = told, .count = core->next_n};
    enum err err = clocks_read(db, row->key, &clock);
    if (err != ERR_OK) { return err; }
    const char *what = clocks_fault(&clock, core);
    if (what != NULL) { fault(checking, "match %s: its clock differs: %s", row->id.text, what); }
    err = clocks_each_shown(db, row->key, on_shown, &shown);
    if (err == ERR_OK && clock.told != NULL && (shown.bad || shown.last != clock.n)) {
        fault(checking, "match %s: what views showed of its clock differs", row->id.text);
    }
    clock_row_finish(&clock);
    return err;
}

static enum err check_match(struct db *db, struct checking *checking, const struct match_id *id)
{
    struct match_row row;
    enum err err = matches_read_row(db, id, true, &row);
    if (err != ERR_OK) { return err; }
    checking->count++;
    const struct game *game = load_find_game(checking->list, row.game);
    if (game == NULL || row.rules < game->rules_first || row.rules > game->rules_now) {
        fault(checking, "match %s: its rules are not in this binary", id->text);
        match_row_finish(&row);
        return ERR_OK;
    }
    static struct playing_check playing; /* one check runs at a time, in a process of its own */
    playing = (struct playing_check){.db = db, .row = &row, .comparing = {.checking = checking}};
    buf_init(&playing.comparing.saved, 8U << 20);
    playing.told = calloc(row.next_n, sizeof *playing.told);
    if (playing.told == NULL) {
        match_row_finish(&row);
        return ERR_INTERNAL;
    }
    err = matches_read_snapshots(db, row.key, UINT64_MAX, row.rules, game->state_bytes,
                                 core_build(), on_note_snapshot, &playing);
    if (err != ERR_OK) {
        free(playing.told);
        match_row_finish(&row);
        return err;
    }
    struct load_play play = {.game = game,
                             .row = &row,
                             .to = row.next_n - 1,
                             .from_start = true,
                             .step = on_check_step,
                             .ctx = &playing};
    struct core *core = NULL;
    err = load_play(db, &play, &core);
    if (err == ERR_OK) {
        compare_tips(checking, core, &row);
        checking->err = compare_clock(db, checking, core, &row, playing.told);
    } else {
        fault(checking, "match %s: the log does not play again", id->text);
    }
    core_destroy(core);
    free(playing.told);
    buf_finish(&playing.comparing.saved);
    match_row_finish(&row);
    return ERR_OK;
}

static enum err check_run(struct db *db, void *data)
{
    struct checking *checking = data;
    enum err err = matches_each(db, on_match, checking);
    for (size_t i = 0; err == ERR_OK && i < checking->id_count; i++) {
        err = check_match(db, checking, &checking->ids[i]);
        if (err == ERR_OK) { err = checking->err; }
    }
    return err;
}

static void on_checked(void *ctx, enum err err)
{
    struct checking *checking = ctx;
    checking->err = err;
    checking->done = true;
}

enum err matches_check(const char *database_path, const struct game *const *list,
                       void (*on_fault)(void *ctx, const char *text), void *ctx,
                       uint64_t *out_count, uint64_t *out_faults)
{
    struct checking checking = {.list = list == NULL ? games : list, .fault = on_fault, .ctx = ctx};
    char error[256];
    uv_loop_t loop;
    if (uv_loop_init(&loop) != 0) { return ERR_INTERNAL; }
    struct store *store = NULL;
    const struct store_options options = {.path = database_path};
    enum err err = store_open(&loop, &options, &store, error);
    if (err != ERR_OK) {
        fault(&checking, "%s", error);
        (void)uv_run(&loop, UV_RUN_DEFAULT);
        (void)uv_loop_close(&loop);
        return ERR_STORAGE_FAILED;
    }
    (void)core_build();
    store_read(store, check_run, &checking, NULL, on_checked, &checking);
    while (!checking.done) {
        (void)uv_run(&loop, UV_RUN_ONCE);
    }
    store_close(store, NULL, NULL);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&loop);
    free(checking.ids);
    *out_count = checking.count;
    *out_faults = checking.faults;
    return checking.err;
}
