/* server/match/offers_time.c: offers about time: to pause and to go on, to give time, to take an
 * end on time back.
 *
 * A pause takes the word of every seat. To end one takes it too, or a day: so nobody is called back
 * to the board unawares, and nobody keeps a match in a pause for ever. Time is given by the
 * opponents of who gets it: the only opponent gives it by himself, and who asks for it waits for
 * them all. An end on time is taken back by all seats, until the match is opened. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/record/line.h"
#include "server/match/offering.h"

#define BIT(i) (UINT32_C(1) << (i))

enum { GIVE_S_MAX = 366 * 86400 };

bool offer_is_of_time(enum offer_what what)
{
    return what == OFFER_PAUSE || what == OFFER_RESUME || what == OFFER_TIME ||
           what == OFFER_REOPEN;
}

static int find_seat(const struct match *match, const char *code)
{
    for (unsigned i = 0; i < match->seats; i++) {
        if (strcmp(match->codes[i], code) == 0) { return (int)i; }
    }
    return -1;
}

enum err time_read(const struct making *making, const struct cJSON *params,
                   struct offering *offering, struct why *why)
{
    const char *code = NULL;
    int64_t s = 0;
    bool given = offering->what == OFFER_TIME;
    offering->to_seat = -1;
    if (!given && (json_get(params, "seat") != NULL || json_get(params, "s") != NULL)) {
        return why_member(why, json_get(params, "seat") != NULL ? "seat" : "s",
                          "only time is given to somebody");
    }
    if (!given) { return ERR_OK; }
    enum err err = json_read_str(params, "!seat", ROW_CODE_BYTES - 1, &code, why);
    if (err == ERR_OK) { err = json_read_int(params, "!s", 1, GIVE_S_MAX, &s, why); }
    if (err != ERR_OK) { return err; }
    offering->to_seat = find_seat(making->match, code);
    offering->ms = s * 1000;
    return offering->to_seat < 0 ? why_member(why, "seat", "There is no such seat.") : ERR_OK;
}

/* All seats in the match but the maker. */
static uint32_t others(const struct making *making)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < making->match->seats; i++) {
        bool left = core_has_left(making->match->core, &making->matches->scratch, i);
        if (i != making->seat && !left) { set |= BIT(i); }
    }
    return set;
}

/* The opponents of who gets time, but for who offers it. */
static uint32_t givers(const struct making *making, unsigned to_seat)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < making->match->seats; i++) {
        if (i == making->seat) { continue; }
        if (ladder_may_claim(making->matches, making->match, i, to_seat)) { set |= BIT(i); }
    }
    return set;
}

/* The match is over on time and not yet open, and the state before its end is at hand. */
static enum err judge_reopen(const struct making *making, struct offering *offering,
                             struct why *why)
{
    const struct match *match = making->match;
    const struct core *core = match->core;
    if (!core->over || !core->on_time || (match->over && match->reveal_at == 0)) {
        return why_conflict(why, "reopen",
                            "Only an end on time is taken back, until the match is "
                            "opened.");
    }
    const struct core_past *past = &match->past_read.past;
    uint32_t in = 0;
    for (unsigned i = 0; i < match->seats; i++) {
        if (!core_had_left(core, &making->matches->scratch, past->state, i)) { in |= BIT(i); }
    }
    if ((in >> making->seat & 1U) == 0) {
        return why_conflict(why, "left", "Your seat has left the match.");
    }
    offering->line = past->n;
    offering->asked = in & ~BIT(making->seat);
    return ERR_OK;
}

/* What would become of the clock. */
static enum err try_clock(const struct making *making, enum offer_what what, struct why *why)
{
    const struct play_clock *play = making->match->clock;
    struct clock copy = play->clock;
    int64_t now = matches_now(making->matches);
    now = now > copy.at_ms ? now : copy.at_ms;
    return what == OFFER_PAUSE ? clock_pause(&copy, &play->spec, true, now, why)
                               : clock_resume(&copy, &play->spec, now, why);
}

/* Whether the bank has room for it: a grant is given whole or not at all. */
static enum err try_grant(const struct making *making, unsigned seat, int64_t ms, struct why *why)
{
    const struct play_clock *play = making->match->clock;
    int64_t now = matches_now(making->matches);
    now = now > play->clock.at_ms ? now : play->clock.at_ms;
    const int64_t bank_ms = clock_bank_at_ms(&play->clock, &play->spec, seat, now);
    return bank_ms + ms <= CLOCK_BANK_MS_MAX
               ? ERR_OK
               : why_conflict(why, "bank", "So much time no bank holds: five years at most.");
}

enum err time_judge(const struct making *making, struct offering *offering, struct why *why)
{
    if (making->match->clock == NULL) {
        return why_conflict(why, "clock", "This match has no clock.");
    }
    switch (offering->what) {
    case OFFER_REOPEN: return judge_reopen(making, offering, why);
    case OFFER_TIME:
        if (core_has_left(making->match->core, &making->matches->scratch,
                          (unsigned)offering->to_seat)) {
            return why_conflict(why, "left", "That seat has left the match.");
        }
        offering->asked = givers(making, (unsigned)offering->to_seat);
        return try_grant(making, (unsigned)offering->to_seat, offering->ms, why);
    case OFFER_RESUME:
        offering->until = matches_now(making->matches) + RESUME_WAITS_MS;
        offering->asked = others(making);
        return try_clock(making, offering->what, why);
    case OFFER_PAUSE:
        offering->asked = others(making);
        return try_clock(making, offering->what, why);
    case OFFER_DRAW:
    case OFFER_ABORT:
    case OFFER_REWIND:
    case OFFER_WHATS: break;
    }
    return ERR_OK;
}

enum err time_judge_yes(const struct making *making, const struct offer_row *row, struct why *why)
{
    if (making->match->clock == NULL) {
        return why_conflict(why, "clock", "This match has no clock.");
    }
    if (row->what == OFFER_TIME) { return try_grant(making, (unsigned)row->to_seat, row->ms, why); }
    bool clock = row->what == OFFER_PAUSE || row->what == OFFER_RESUME;
    return clock ? try_clock(making, row->what, why) : ERR_OK;
}

static void fill_by(const struct core *core, struct line_host *act, uint32_t by)
{
    for (unsigned i = 0; i < core->seats; i++) {
        if ((by >> i & 1U) != 0) { act->by[act->by_count++] = core->codes[i]; }
    }
}

/* The clock first: the line's view shows it. */
static enum err move_clock(struct making *making, const struct offer_row *row, int64_t now)
{
    struct play_clock *play = making->match->clock;
    struct why why;
    why_clear(&why);
    int64_t at = clocks_settle(making->flight, play, now);
    enum err err = ERR_OK;
    if (row->what == OFFER_PAUSE) {
        err = clock_pause(&play->clock, &play->spec, true, at, &why);
    } else if (row->what == OFFER_RESUME) {
        err = clock_resume(&play->clock, &play->spec, at, &why);
    } else {
        clock_grant(&play->clock, &play->spec, (unsigned)row->to_seat, row->ms, at);
    }
    play->changed = true;
    return err;
}

static enum err reopen(struct making *making, uint32_t by, int64_t now, struct core_step *step)
{
    struct match *match = making->match;
    struct reveal_write *write = calloc(1, sizeof *write);
    if (write == NULL) { return ERR_INTERNAL; }
    write->match = match->key;
    write->running = true;
    store_unit_add(making->unit, clocks_write_reveal, write, free);
    making->flight->rewinds = true;
    making->flight->reopens = true;
    enum err err =
        core_rewind(match->core, &making->matches->scratch, &match->past_read.past, by, now, step);
    past_read_finish(&match->past_read);
    return err;
}

enum err time_carry_out(struct making *making, const struct offer_row *row, uint32_t by)
{
    static const char *const hosts[OFFER_WHATS] = {
        [OFFER_PAUSE] = "pause", [OFFER_RESUME] = "resume", [OFFER_TIME] = "grant"};
    struct matches *matches = making->matches;
    struct core *core = making->match->core;
    struct core_step step;
    int64_t now = matches_now(matches);
    making->changed = true;
    if (row->what == OFFER_REOPEN) {
        enum err err = reopen(making, by, now, &step);
        return err == ERR_OK ? making_note(making, &step) : err;
    }
    enum err err = move_clock(making, row, now);
    if (err != ERR_OK) { return err; }
    bool given = row->what == OFFER_TIME;
    struct line_host act = {.host = hosts[row->what],
                            .how = given ? NULL : "agreed",
                            .seat = given ? core->codes[row->to_seat] : NULL,
                            .to = -1,
                            .ms = given ? row->ms : -1};
    fill_by(core, &act, by);
    err = core_tell(core, &matches->scratch, &act, now, &step);
    return err == ERR_OK ? making_note(making, &step) : err;
}

enum err offers_due(struct making *making, int64_t now_ms)
{
    struct match *match = making->match;
    struct offer **at = &match->offers.first;
    while (*at != NULL) {
        const struct offer_row row = (*at)->row;
        bool due = row.until > 0 && row.until <= now_ms && row.what == OFFER_RESUME;
        if (!due) {
            at = &(*at)->next;
            continue;
        }
        struct why why;
        why_clear(&why);
        bool good = time_judge_yes(making, &row, &why) == ERR_OK;
        making->changed = true;
        if (!offers_close(making->flight, at, good ? OFFER_CARRIED_OUT : OFFER_VOID, -1)) {
            return ERR_INTERNAL;
        }
        if (!good) { continue; }
        enum err err = time_carry_out(making, &row, row.accepted | BIT(row.seat));
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}
