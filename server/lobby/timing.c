/* server/lobby/timing.c: the clock that a match is made with, and the calendars that it begins
 * with. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/clock/spec.h"
#include "server/lobby/inside.h"
#include "server/store/clocks.h"

enum err timing_read_spec(struct job *job, struct lobby_insert *insert)
{
    const struct cJSON *json = NULL;
    struct clock_spec spec;
    struct buf text;
    enum err err = json_read_object(job->call.params, "clock", &json, &job->why);
    if (err != ERR_OK || json == NULL) { return err; }
    err = clock_spec_parse(json, insert->seats, NULL, &spec, &job->why);
    if (err == ERR_OK && spec.away_ms > 0 && insert->pace_s != 0) {
        err = why_member(&job->why, "clock.away", "A match with pace shows nobody's presence.");
    }
    if (err != ERR_OK) { return err; }
    buf_init(&text, sizeof insert->clock - 1);
    clock_spec_write(&spec, &text);
    if (text.failed) {
        err = why_member(&job->why, "clock", "This clock is too long.");
    } else {
        memcpy(insert->clock, text.data, text.len);
        insert->clock[text.len] = '\0';
    }
    buf_finish(&text);
    return err;
}

/* Of one account; nobody, or one that is gone: universal time. */
static enum err read_calendar(struct db *db, const struct account_id *account,
                              struct clock_calendar *out)
{
    char *settings = NULL;
    clock_calendar_init(out);
    if (account_is_nobody(account)) { return ERR_OK; }
    enum err err = clocks_read_settings(db, account, &settings);
    if (err == ERR_OK && !match_calendar_of(settings, out)) { clock_calendar_init(out); }
    free(settings);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

enum err timing_read(struct db *db, struct job *job)
{
    const struct lobby_row *row = &job->row;
    if (row->clock == NULL) { return ERR_OK; }
    if (job->calendars == NULL) {
        job->calendars = calloc(ROW_SEATS_MAX + 1, sizeof *job->calendars);
    }
    if (job->calendars == NULL) { return ERR_INTERNAL; }
    enum err err = read_calendar(db, &job->call.account, &job->calendars[ROW_SEATS_MAX]);
    for (unsigned i = 0; err == ERR_OK && i < row->seats; i++) {
        err = read_calendar(db, &row->seat[i].account, &job->calendars[i]);
    }
    return err;
}

void timing_fill_begin(struct job *job, struct match_begin *begin)
{
    const struct lobby_row *row = &job->row;
    begin->clock = row->clock;
    for (unsigned i = 0; i < row->seats; i++) {
        if (row->seat[i].bot) { begin->bots |= UINT32_C(1) << i; }
        bool own = account_id_same(&row->seat[i].account, &job->call.account);
        if (own && job->calendars != NULL) { job->calendars[i] = job->calendars[ROW_SEATS_MAX]; }
    }
    begin->calendars = job->calendars;
}
