/* server/match/begin.c: a match begins: header and first state (FAIRNESS 3, 5). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "server/match/live.h"
#include "server/match/load.h"

/* The record of a match that is about to have lines. */
static void install(struct match *match, const struct match_begin *begin, const struct core *core)
{
    match->key = begin->key;
    match->game = core->game;
    match->rules = begin->rules;
    match->seats = (uint8_t)core->seats;
    memset(match->codes, 0, sizeof match->codes);
    for (unsigned i = 0; i < core->seats; i++) {
        (void)strncpy(match->codes[i], core->codes[i], ROW_CODE_BYTES - 1);
    }
    memcpy(match->accounts, begin->accounts, sizeof match->accounts);
    match->closed = begin->closed;
    match->spectators_public = begin->spectators == SPECTATORS_PUBLIC;
    match->reveal_seats = begin->reveal == REVEAL_SEATS;
    if (begin->guests != NULL) {
        guests_finish(&match->guests);
        match->guests = *begin->guests;
        memset(begin->guests, 0, sizeof *begin->guests);
    } else if (!match->guests.known) {
        match->guests = (struct guests){.known = true, .talk = true};
    }
    standing_free(&match->standing);
    match->standing.pace_ms = begin->pace_ms;
    match->standing.next_held = 1;
    match->waits_before = 0;
    match->turn = UINT32_MAX;
    match->known = true;
}

enum { RESTORED_MAX = 8 }; /* more often than anybody restores between a match's making and begin */

/* The lines on a fresh core. */
static enum err make_lines(struct matches *matches, struct match *match, unsigned restored,
                           struct flight *flight, struct lines_write *write, struct why *why)
{
    struct core_step step;
    struct core *core = match->core;
    int64_t at = matches_now(matches);
    enum err err = core_header(core, &matches->scratch, at, &step);
    if (err == ERR_OK) { err = flight_note(matches, flight, &step, write); }
    for (unsigned i = 0; err == ERR_OK && i < restored; i++) {
        err = core_restored(core, &matches->scratch, at, &step);
        if (err == ERR_OK) { err = flight_note(matches, flight, &step, write); }
    }
    if (err != ERR_OK || !core_may_begin(core)) { return err; }
    err = core_begin(core, &matches->scratch, at, &step, why);
    if (err == ERR_OK) { err = flight_note(matches, flight, &step, write); }
    return err;
}

static enum err write_answer(struct matches *matches, struct match *match, struct flight *flight)
{
    const struct tip_viewer *tip = &match->core->tip[VIEWER_PUBLIC];
    buf_reset(&matches->text);
    jw_object_begin(&matches->text);
    jw_key_str(&matches->text, "match", match->id.text);
    jw_key_int(&matches->text, "seq", (int64_t)tip->seq);
    jw_key_b64(&matches->text, "chain", tip->head.bytes, HASH_BYTES);
    jw_object_end(&matches->text);
    if (matches->text.failed) { return ERR_INTERNAL; }
    flight->answer = strndup(matches->text.data, matches->text.len);
    return flight->answer == NULL ? ERR_INTERNAL : ERR_OK;
}

static enum err begin_now(struct matches *matches, struct match *match,
                          const struct match_begin *begin, struct store_unit **unit,
                          const struct match_call *call, struct why *why)
{
    const struct game *game = load_find_game(matches->config.games, begin->game);
    if (game == NULL || begin->rules < game->rules_first || begin->rules > game->rules_now) {
        return why_member(why, "game", "this server does not play that game");
    }
    struct core_setup setup = {.id = begin->id,
                               .game = game,
                               .rules = begin->rules,
                               .options = begin->options,
                               .secret = begin->secret};
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        setup.has_commit[i] = begin->nonces[i].key != 0;
        setup.nonce_commits[i] = begin->nonces[i].commit;
    }
    struct core *core = NULL;
    enum err err = core_create(&setup, &core);
    if (err != ERR_OK) { return err; }
    if (core->seats != begin->seats) {
        core_destroy(core);
        return why_member(why, "options", "the number of seats is another");
    }
    install(match, begin, core);
    watches_end_strangers(matches, match);
    match->core = core;
    matches->stats.loaded++;
    clocks_drop(match);
    err = clocks_create(match, begin, matches_now(matches));
    unsigned restored = begin->restored < RESTORED_MAX ? begin->restored : RESTORED_MAX;
    struct flight *flight = flight_create(matches, match, 2 + restored);
    struct lines_write *write = lines_write_create(2 + restored);
    if (*unit == NULL) { *unit = store_unit_create(&match->id, 0); }
    if (err == ERR_OK && (flight == NULL || write == NULL || *unit == NULL)) { err = ERR_INTERNAL; }
    if (err == ERR_OK) { err = make_lines(matches, match, restored, flight, write, why); }
    if (err == ERR_OK) { err = write_answer(matches, match, flight); }
    if (err != ERR_OK) {
        flight_destroy(flight);
        lines_write_free(write);
        core_destroy(core);
        match->core = NULL;
        clocks_drop(match);
        matches->stats.loaded--;
        return err;
    }
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        write->nonces[i].dealt = begin->nonces[i].key;
        write->nonces[i].commit = begin->nonces[i].commit;
    }
    flight->call = *call;
    flight->begins = true;
    match->snapshot_n = 0;
    flight_send(matches, match, flight, *unit, write);
    *unit = NULL;
    return ERR_OK;
}

void match_begin(struct matches *matches, const struct match_begin *begin,
                 struct store_unit *take_with, match_done_fn *done, void *ctx)
{
    const struct match_call call = {.done = done, .ctx = ctx};
    struct store_unit *unit = take_with;
    struct why why;
    why_clear(&why);
    struct match *match = match_find(matches, &begin->id);
    if (match == NULL) { match = match_make(matches, &begin->id); }
    enum err err = match == NULL ? ERR_INTERNAL : ERR_OK;
    if (err == ERR_OK && matches->closing) { err = ERR_CLOSING; }
    if (err == ERR_OK && (match->begun || match->core != NULL || match->failing)) {
        err = why_conflict(&why, "already_started", "The match has begun already.");
    }
    if (err == ERR_OK) { err = begin_now(matches, match, begin, &unit, &call, &why); }
    if (err == ERR_OK) { return; }
    store_unit_destroy(unit);
    if (match != NULL) { match_release(matches, match); }
    call.done(ctx, err, &why, NULL, 0);
}
