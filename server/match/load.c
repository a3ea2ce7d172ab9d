/* server/match/load.c: from the store into memory: snapshot, then the lines after it. */
#include "server/match/load.h"

#include <stdlib.h>
#include <string.h>

#include "common/record/line.h"
#include "server/base/log.h"
#include "server/store/offers.h"

struct load_job *load_job_create(const struct match_id *id, const struct game *const *list,
                                 bool want_core)
{
    struct load_job *job = calloc(1, sizeof *job);
    if (job == NULL) { return NULL; }
    job->id = *id;
    job->games = list;
    job->want_core = want_core;
    return job;
}

void load_job_free(void *load_job)
{
    struct load_job *job = load_job;
    if (job == NULL) { return; }
    match_row_finish(&job->row);
    guests_finish(&job->guests);
    core_destroy(job->core);
    offers_free(&job->offers);
    standing_free(&job->standing);
    clock_row_finish(&job->clock);
    for (unsigned i = 0; i < VIEWERS; i++) {
        free(job->frozen_views[i]);
    }
    free(job);
}

const struct game *load_find_game(const struct game *const *list, const char *name)
{
    for (; *list != NULL; list++) {
        if (strcmp((*list)->name, name) == 0) { return *list; }
    }
    return NULL;
}

/* What one play goes through. */
struct playing {
    struct load_play *play;
    struct core_setup setup;
    struct core *core;
    struct scratch scratch;
    /* The rewinds among the lines, and how the match stood where they go back to. */
    struct rewind {
        uint64_t n, to;
    } * rewinds;
    size_t rewind_count, rewind_cap;
    struct core_pasts pasts;
    bool stopped;
};

static void playing_finish(struct playing *playing)
{
    for (size_t i = 0; i < playing->pasts.count; i++) {
        free(playing->pasts.list[i].state);
    }
    free(playing->pasts.list);
    free(playing->rewinds);
    scratch_finish(&playing->scratch);
}

static enum err on_host_line(void *ctx, uint64_t n, const char *body, size_t len, uint64_t answer)
{
    struct playing *playing = ctx;
    struct line line;
    struct why why;
    (void)answer;
    why_clear(&why);
    if (line_read(body, len, &line, &why) != ERR_OK) { return ERR_STORAGE_FAILED; }
    bool rewinds = line.kind == LINE_HOST && strcmp(line.host.host, "rewind") == 0;
    int64_t to = rewinds ? line.host.to : -1;
    line_finish(&line);
    if (to < 0) { return ERR_OK; }
    if (playing->rewind_count == playing->rewind_cap) {
        size_t cap = playing->rewind_cap == 0 ? 8 : playing->rewind_cap * 2;
        struct rewind *list = realloc(playing->rewinds, cap * sizeof *list);
        if (list == NULL) { return ERR_INTERNAL; }
        playing->rewinds = list;
        playing->rewind_cap = cap;
    }
    playing->rewinds[playing->rewind_count++] = (struct rewind){n, (uint64_t)to};
    return ERR_OK;
}

/* What will be needed of the lines on the way. */
static enum err read_rewinds(struct db *db, struct playing *playing)
{
    const struct load_play *play = playing->play;
    enum err err = offers_read_host_lines(db, play->row->key, play->to, on_host_line, playing);
    if (err != ERR_OK || playing->rewind_count == 0) { return err; }
    playing->pasts.list = calloc(playing->rewind_count, sizeof *playing->pasts.list);
    if (playing->pasts.list == NULL) { return ERR_INTERNAL; }
    for (size_t i = 0; i < playing->rewind_count; i++) {
        size_t k = 0;
        while (k < playing->pasts.count && playing->pasts.list[k].n != playing->rewinds[i].to) {
            k++;
        }
        if (k == playing->pasts.count) {
            playing->pasts.list[playing->pasts.count++].n = playing->rewinds[i].to;
        }
    }
    return ERR_OK;
}

/* Whether a rewind after line n goes back behind it. */
static bool reaches_back(const struct playing *playing, uint64_t n)
{
    for (size_t i = 0; i < playing->rewind_count; i++) {
        if (playing->rewinds[i].n > n && playing->rewinds[i].to < n) { return true; }
    }
    return false;
}

/* Keeps the state, if a rewind goes back to it. */
static enum err keep_past(struct playing *playing)
{
    const struct core *core = playing->core;
    for (size_t i = 0; i < playing->pasts.count; i++) {
        struct core_past *past = &playing->pasts.list[i];
        if (!core->begun || past->n + 1 != core->next_n || past->state != NULL) { continue; }
        past->state = malloc(core->game->state_bytes);
        if (past->state == NULL) { return ERR_INTERNAL; }
        memcpy(past->state, core->state, core->game->state_bytes);
        for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
            past->seq[viewer] = core->tip[viewer].seq;
        }
    }
    return ERR_OK;
}

static enum err fresh_core(struct playing *playing)
{
    core_destroy(playing->core);
    playing->core = NULL;
    enum err err = core_create(&playing->setup, &playing->core);
    if (err != ERR_OK) { return ERR_STORAGE_FAILED; }
    playing->core->say_all = playing->play->all;
    playing->core->pasts = &playing->pasts;
    return ERR_OK;
}

static bool on_snapshot(void *ctx, uint64_t n, const void *bytes, size_t len)
{
    struct playing *playing = ctx;
    if (reaches_back(playing, n)) { return false; }
    if (fresh_core(playing) != ERR_OK) { return true; }
    enum err err = core_restore(playing->core, bytes, len);
    if (err != ERR_OK || playing->core->next_n != n + 1) { return false; }
    const struct load_play *play = playing->play;
    if (play->fit != NULL && !play->fit(play->ctx, playing->core)) { return false; }
    playing->play->snapshot_n = playing->core->next_n;
    return true;
}

static enum err on_line(void *ctx, uint64_t n, const char *body, size_t len, uint64_t answer)
{
    struct playing *playing = ctx;
    struct core_step step;
    if (playing->stopped) { return ERR_OK; }
    enum err err = core_replay(playing->core, &playing->scratch, body, len, &step);
    if (err == ERR_OK && !idset_add(&playing->core->answered, answer)) { err = ERR_INTERNAL; }
    if (err == ERR_OK) { err = keep_past(playing); }
    if (err != ERR_OK) {
        log_event(LOG_ERROR, "line_not_replayed", "match=%s n=%llu", playing->core->id.text,
                  (unsigned long long)n);
        return ERR_STORAGE_FAILED;
    }
    const struct load_play *play = playing->play;
    if (play->step != NULL && !play->step(play->ctx, playing->core, &playing->scratch, &step)) {
        playing->stopped = true;
        return ERR_CONFLICT; /* ends the reading, nothing more */
    }
    return ERR_OK;
}

enum err load_play(struct db *db, struct load_play *play, struct core **out_core)
{
    const struct match_row *row = play->row;
    struct playing playing = {.play = play,
                              .setup = {.id = row->id,
                                        .game = play->game,
                                        .rules = row->rules,
                                        .options = row->options,
                                        .secret = row->secret}};
    scratch_init(&playing.scratch);
    play->snapshot_n = 0;
    enum err err = read_rewinds(db, &playing);
    if (err == ERR_OK && !play->from_start) {
        err = matches_read_snapshots(db, row->key, play->to, row->rules, play->game->state_bytes,
                                     core_build(), on_snapshot, &playing);
    }
    if (err == ERR_OK && play->snapshot_n == 0) { err = fresh_core(&playing); }
    if (err == ERR_OK && play->snapshot_n > 0) { err = keep_past(&playing); }
    if (err == ERR_OK && play->snapshot_n > 0 && play->step != NULL) {
        playing.stopped = !play->step(play->ctx, playing.core, &playing.scratch, NULL);
    }
    if (err == ERR_OK && !playing.stopped) {
        err = matches_read_lines(db, row->key, playing.core->next_n, play->to, on_line, &playing);
    }
    if (playing.stopped) { err = ERR_OK; }
    bool short_log = err == ERR_OK && !playing.stopped && playing.core->next_n != play->to + 1;
    if (short_log) { err = ERR_STORAGE_FAILED; }
    playing_finish(&playing);
    if (err != ERR_OK) {
        core_destroy(playing.core);
        return err;
    }
    playing.core->pasts = NULL;
    *out_core = playing.core;
    return ERR_OK;
}

static bool on_frozen(void *ctx, uint64_t n, const void *bytes, size_t len)
{
    struct load_job *job = ctx;
    (void)n;
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        const char *view = NULL;
        size_t view_len = 0;
        if (core_saved_view(bytes, len, viewer, &view, &view_len)) {
            job->frozen_views[viewer] = strndup(view, view_len);
        }
    }
    return true;
}

enum err load_job_run(struct db *db, void *load_job)
{
    struct load_job *job = load_job;
    enum err err = matches_read_row(db, &job->id, job->want_core, &job->row);
    if (err == ERR_OK) { err = guests_read(db, job->row.key, &job->guests); }
    if (err != ERR_OK || !job->want_core || job->row.next_n == 0) { return err; }
    const struct game *game = load_find_game(job->games, job->row.game);
    if (game == NULL || job->row.rules < game->rules_first || job->row.rules > game->rules_now) {
        job->frozen = true;
        return matches_read_snapshots(db, job->row.key, UINT64_MAX, 0, 0, NULL, on_frozen, job);
    }
    struct load_play play = {.game = game, .row = &job->row, .to = job->row.next_n - 1};
    err = load_play(db, &play, &job->core);
    job->snapshot_n = play.snapshot_n;
    if (err != ERR_OK) { return err == ERR_INTERNAL ? ERR_STORAGE_FAILED : err; }
    bool same = memcmp(&job->core->head, &job->row.head, sizeof job->row.head) == 0 &&
                job->core->roll == job->row.roll && job->core->mask == job->row.mask;
    if (!same) {
        log_event(LOG_ERROR, "match_differs", "match=%s", job->id.text);
        return ERR_STORAGE_FAILED;
    }
    err = offers_read_open(db, job->row.key, offers_add, &job->offers, &job->offers.next);
    if (err == ERR_OK) { err = clocks_read(db, job->row.key, &job->clock); }
    return err == ERR_OK ? standing_read(db, job->row.key, &job->standing) : err;
}
