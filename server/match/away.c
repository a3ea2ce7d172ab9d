/* server/match/away.c: who is gone while he is asked, and what follows. */
#include "server/match/away.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/log.h"
#include "server/match/ladder.h"
#include "server/match/live.h"

#define BIT(i) (UINT32_C(1) << (i))

enum {
    PATIENCE = 3, /* sweeps: who waits may load his page anew */
    SPEC_BYTES_MAX = 4096
};

/* --- who is here -------------------------------------------------------------------------------
 */

static bool holds(const struct match *match, unsigned seat, const struct account_id *account)
{
    return !account_is_nobody(account) && account_id_same(&match->accounts[seat], account);
}

static bool is_at_table(const struct match *match, unsigned seat)
{
    for (const struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (watch->viewer == seat && holds(match, seat, &watch->account)) { return true; }
    }
    for (const struct wait *wait = match->waits; wait != NULL; wait = wait->next) {
        if (wait->viewer == seat && holds(match, seat, &wait->call.account)) { return true; }
    }
    return false;
}

bool away_is_here(const struct matches *matches, const struct match *match, unsigned seat)
{
    const struct match_hooks *hooks = &matches->config.hooks;
    if (account_is_nobody(&match->accounts[seat])) { return true; } /* nobody could be gone */
    if (is_at_table(match, seat)) { return true; }
    return hooks->is_here != NULL && hooks->is_here(hooks->ctx, &match->accounts[seat]);
}

void away_note(const struct play_clock *play, unsigned seats, uint32_t left, struct away *out)
{
    const struct clock *clock = &play->clock;
    out->on = play->spec.away_ms > 0 && !clock->over;
    out->away = out->open = out->counts = 0;
    out->idle = (uint8_t)(left | play->bots);
    for (unsigned i = 0; out->on && i < seats; i++) {
        if (clock->seat[i].away_ms != 0) { out->away |= (uint8_t)BIT(i); }
        if (clock->seat[i].gone) { out->open |= (uint8_t)BIT(i); }
        if (clock_may_be_away(clock, &play->spec, i)) { out->counts |= (uint8_t)BIT(i); }
    }
}

/* Somebody sits at the table and waits: he is not asked himself. */
static bool anybody_waits(const struct match *match)
{
    uint32_t asked = match->tip[VIEWER_PUBLIC].waits_for | match->away.idle;
    for (unsigned i = 0; i < match->seats; i++) {
        if ((asked >> i & 1U) == 0 && is_at_table(match, i)) { return true; }
    }
    return false;
}

/* The seats whose players are gone, as it counts. */
static uint32_t find_gone(const struct matches *matches, const struct match *match)
{
    uint32_t gone = 0;
    const bool waits = match->away.patience < PATIENCE;
    for (unsigned i = 0; i < match->seats; i++) {
        if ((match->away.counts >> i & 1U) == 0) { continue; }
        if (!waits && (match->away.open >> i & 1U) == 0) { continue; }
        if (!away_is_here(matches, match, i)) { gone |= BIT(i); }
    }
    return gone;
}

/* --- a look ------------------------------------------------------------------------------------
 */

static void on_looked(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)ctx;
    (void)err;
    (void)why;
    (void)json;
    (void)n;
}

static enum err note_gone(struct making *making, unsigned seat)
{
    const struct play_clock *play = making->match->clock;
    const struct clock_seat *clock = &play->clock.seat[seat];
    char data[64];
    (void)snprintf(data, sizeof data, "{\"deadline\":%lld}",
                   (long long)clock_gone_ms(&play->clock, &play->spec, seat));
    /* Once a sitting, however often he comes and goes. */
    return notices_note(making->flight, NOTICE_AWAY, seat, (uint64_t)(clock->asked_ms / 1000),
                        data);
}

/* The clock is told who is gone. out_any: it made a difference. */
static enum err tell_clock(struct making *making, bool *out_any)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct play_clock *play = match->clock;
    const uint32_t gone = find_gone(matches, match);
    enum err err = ERR_OK;
    const int64_t at = clocks_settle(making->flight, play, matches_now(matches));
    for (unsigned i = 0; err == ERR_OK && i < match->seats; i++) {
        const bool away = (gone >> i & 1U) != 0;
        if (!clock_away(&play->clock, &play->spec, i, away, at)) { continue; }
        *out_any = play->changed = true;
        if (away) { err = note_gone(making, i); }
    }
    return err;
}

static bool run_look(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    const bool idle = match->frozen || matches->closing || !match->begun || match->over;
    if (!idle && (match->core == NULL || match->failing || match->spoilt)) {
        match_want_core(matches, match);
        return false;
    }
    match->away.looking = false;
    if (idle || match->clock == NULL || match->core->over) { return true; }
    bool any = false;
    enum err err = making_open(&making, 1);
    if (err == ERR_OK) {
        making.flight->seat = -1;
        answer_begin(&matches->text);
        err = tell_clock(&making, &any);
    }
    if (err == ERR_OK && !any && !match->clock->changed) {
        making_drop(&making);
        return true;
    }
    if (err == ERR_OK) {
        making.flight->told |= (BIT(match->seats) - 1U) | BIT(VIEWER_PUBLIC);
        err = making_go(&making);
    }
    if (err == ERR_OK) { return true; }
    match->spoilt = true;
    making_drop(&making);
    log_event(LOG_ERROR, "away_not_noted", "match=%s kind=%s", match->id.text, err_kind(err));
    return true;
}

void away_look(struct matches *matches, struct match *match)
{
    struct away *away = &match->away;
    if (!away->on || away->looking || !match->begun || match->over || matches->closing) { return; }
    if (anybody_waits(match)) { away->patience = 0; }
    if (find_gone(matches, match) == away->away) { return; }
    away->looking = true;
    const struct match_call call = {.done = on_looked};
    task_start_id(matches, &call, &match->id, NULL, run_look);
}

/* One match at a time: a look may make others come and go. */
void away_sweep(struct matches *matches)
{
    for (size_t i = 0; i < matches->bucket_count; i++) {
        struct match *next = NULL;
        for (struct match *match = matches->buckets[i]; match != NULL; match = next) {
            next = match->hash_next;
            if (!match->away.on) { continue; }
            if (match->away.patience < PATIENCE && !anybody_waits(match)) {
                match->away.patience++;
            }
            match->holds++;
            away_look(matches, match);
            match->holds--;
        }
    }
}

/* --- what follows ------------------------------------------------------------------------------
 */

static bool is_in(const struct making *making, unsigned seat)
{
    return !core_has_left(making->match->core, &making->matches->scratch, seat);
}

/* To become correspondence is anybody's to ask for who is in the match; the rest is its
 * opponents'. */
static bool may_claim(const struct making *making, unsigned seat, unsigned against, uint32_t bit)
{
    if (seat == against || !is_in(making, seat)) { return false; }
    return bit == CLOCK_CLAIM_CONVERT ||
           ladder_may_claim(making->matches, making->match, seat, against);
}

static enum err tell_claimants(struct making *making, const struct clock_event *event)
{
    const struct match *match = making->match;
    const struct clock_spec *spec = &match->clock->spec;
    char data[96];
    enum err err = ERR_OK;
    (void)snprintf(data, sizeof data, "{\"seat\":\"%s\",\"why\":\"away\"}",
                   match->codes[event->seat]);
    const uint64_t number = (uint64_t)(event->at_ms / 1000) * CLOCK_REMINDERS_MAX + 1;
    for (unsigned i = 0; err == ERR_OK && i < match->seats; i++) {
        const bool converts = (spec->away_claims & CLOCK_CLAIM_CONVERT) != 0;
        const uint32_t bit = converts ? CLOCK_CLAIM_CONVERT : CLOCK_CLAIM_WIN;
        if (!may_claim(making, i, event->seat, bit)) { continue; }
        err = notices_note(making->flight, NOTICE_CLAIM, i, number, data);
    }
    return err;
}

enum err away_due(struct making *making, const struct clock_event *event)
{
    const struct clock_spec *spec = &making->match->clock->spec;
    if (spec->away_claims == 0) { return away_convert(making, event->seat, -1); }
    return tell_claimants(making, event);
}

enum err away_judge(const struct making *making, const char *what, unsigned against,
                    struct why *why)
{
    const struct play_clock *play = making->match->clock;
    const uint32_t bit = clock_claim_bit(what);
    const bool open = (clock_away_claims(&play->clock, &play->spec, against) & bit) != 0;
    if (!open || !may_claim(making, making->seat, against, bit)) {
        return why_conflict(why, "claim", "That is not to be claimed now.");
    }
    return away_is_here(making->matches, making->match, against)
               ? why_conflict(why, "claim", "The player is back.")
               : ERR_OK;
}

/* --- to correspondence -------------------------------------------------------------------------
 */

struct spec_write {
    int64_t match;
    char text[SPEC_BYTES_MAX];
};

static enum err write_spec(struct db *db, void *spec_write)
{
    const struct spec_write *write = spec_write;
    return clocks_write_spec(db, write->match, write->text);
}

static enum err store_spec(struct making *making, const struct clock_spec *spec)
{
    struct spec_write *write = calloc(1, sizeof *write);
    struct buf text;
    buf_init(&text, SPEC_BYTES_MAX - 1);
    clock_spec_write(spec, &text);
    if (write == NULL || text.failed) {
        free(write);
        buf_finish(&text);
        return ERR_INTERNAL;
    }
    write->match = making->match->key;
    memcpy(write->text, text.data, text.len);
    buf_finish(&text);
    store_unit_add(making->unit, write_spec, write, free);
    return ERR_OK;
}

enum err away_convert(struct making *making, unsigned seat, int by)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct play_clock *play = match->clock;
    struct clock_spec to;
    struct core_step step;
    const int64_t now = matches_now(matches);
    clock_spec_convert(&play->spec, &to);
    enum err err = store_spec(making, &to);
    if (err != ERR_OK) { return err; }
    const int64_t at = clocks_settle(making->flight, play, now);
    clock_convert(&play->clock, &play->spec, &to, at);
    play->spec = to;
    play->changed = making->changed = true;
    struct line_host act = {
        .host = "convert", .how = "away", .seat = match->core->codes[seat], .to = -1, .ms = -1};
    if (by >= 0) { act.by[act.by_count++] = match->core->codes[by]; }
    err = core_tell(match->core, &matches->scratch, &act, now, &step);
    if (err == ERR_OK) { err = making_note(making, &step); }
    for (unsigned i = 0; err == ERR_OK && i < match->seats; i++) {
        if ((int)i == by || !is_in(making, i)) { continue; }
        err = notices_note(making->flight, NOTICE_CONVERTED, i, step.n, "{}");
    }
    return err;
}
