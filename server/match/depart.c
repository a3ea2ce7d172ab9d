/* server/match/depart.c: seats of accounts that are no more. */
#include "server/match/depart.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "server/base/log.h"
#include "server/match/live.h"
#include "server/match/seats.h"
#include "server/store/people.h"

enum { DEPARTED_MAX = 256 }; /* in one look; the rest in the next, which follows at once */

struct depart_look {
    struct matches *matches;
    struct people_departed seat[DEPARTED_MAX];
    unsigned count;
};

/* One seat on its way out. */
struct departing {
    struct matches *matches;
    struct people_departed seat;
    cJSON *params; /* of a call as the account that is no more */
};

static void departing_free(struct departing *take)
{
    cJSON_Delete(take->params);
    free(take);
}

static void on_departed(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct departing *departing = ctx;
    (void)json;
    (void)n;
    const bool left = err == ERR_OK || strcmp(why->reason, "left") == 0 || err == ERR_MATCH_OVER;
    log_event(left ? LOG_INFO : LOG_WARN, "seat_departed", "match=%s seat=%u outcome=%s reason=%s",
              departing->seat.match.text, departing->seat.seat, err_kind(err), why->reason);
    departing_free(departing);
}

/* Whether the ladder of the match hands seats on. */
static bool hands_on(const struct match *match)
{
    if (match->clock == NULL) { return false; }
    const struct clock_spec *spec = &match->clock->spec;
    for (unsigned i = 0; i < spec->steps; i++) {
        if (spec->step[i].what == CLOCK_DO_SUBSTITUTE || spec->step[i].what == CLOCK_DO_CARETAKER) {
            return true;
        }
    }
    return false;
}

static bool call_as(struct departing *departing, match_method_fn *method)
{
    const struct match_call call = {
        .account = departing->seat.account, .done = on_departed, .ctx = departing};
    method(departing->matches, &call, departing->params);
    return true;
}

static bool give(struct departing *departing, enum seat_how how)
{
    const struct account_id nobody = {""};
    match_seat_give(departing->matches, &departing->seat.match, departing->seat.seat, &nobody, how,
                    0, NULL, on_departed, departing);
    return true;
}

static bool run_depart(struct matches *matches, struct match *match, struct task *task)
{
    struct departing *departing = task->call.ctx;
    const unsigned seat = departing->seat.seat;
    if (match->over || matches->closing || seat >= match->seats ||
        !account_id_same(&match->accounts[seat], &departing->seat.account)) {
        departing_free(departing); /* it has changed since it was read */
        return true;
    }
    if (!match->begun) {
        cJSON_AddTrueToObject(departing->params, "lost");
        return call_as(departing, match_nonce);
    }
    if (match->core == NULL || match->failing || match->spoilt) {
        match_want_core(matches, match);
        return false;
    }
    /* Who had it for a time has it no more. */
    if (match->owners[seat].text[0] != '\0') { return give(departing, SEAT_BACK); }
    return hands_on(match) ? give(departing, SEAT_VACANT) : call_as(departing, match_resign);
}

static void depart(struct matches *matches, const struct people_departed *seat)
{
    struct departing *departing = calloc(1, sizeof *departing);
    if (departing == NULL) { return; }
    departing->matches = matches;
    departing->seat = *seat;
    departing->params = cJSON_CreateObject();
    if (cJSON_AddStringToObject(departing->params, "match", seat->match.text) == NULL) {
        departing_free(departing);
        return;
    }
    const struct match_call call = {
        .account = seat->account, .done = on_departed, .ctx = departing};
    task_start_id(matches, &call, &seat->match, NULL, run_depart);
}

static enum err read_departed(struct db *db, void *data)
{
    struct depart_look *look = data;
    look->count = people_read_departed(db, look->seat, DEPARTED_MAX);
    return ERR_OK;
}

static void on_departed_read(void *ctx, enum err err)
{
    struct depart_look *look = ctx;
    struct matches *matches = look->matches;
    for (unsigned i = 0; err == ERR_OK && i < look->count; i++) {
        depart(matches, &look->seat[i]);
    }
    matches_settled(matches);
}

void matches_depart(struct matches *matches)
{
    struct depart_look *look = matches->closing ? NULL : calloc(1, sizeof *look);
    if (look == NULL) { return; }
    look->matches = matches;
    matches->pending++;
    store_read(matches->config.store, read_departed, look, free, on_departed_read, look);
}
