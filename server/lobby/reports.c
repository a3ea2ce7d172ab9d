/* server/lobby/reports.c: reports as the host reads them, a few lines each. */
#include "server/lobby/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/base/clock.h"
#include "server/store/audit.h"
#include "server/store/restore.h"
#include "server/store/store.h"
#include "server/store/talk.h"

struct reports {
    void (*write)(void *ctx, const char *line);
    void *ctx;
    bool all;
    long long number;
};

/* What a player wrote stands in lines of its own, each behind a mark, and without what would move a
 * terminal's cursor. */
static void write_text(const struct reports *reports, const char *mark, const char *text)
{
    char line[256];
    size_t at = (size_t)snprintf(line, sizeof line, "    %s ", mark);
    size_t begin = at;
    for (const char *c = text;; c++) {
        bool ends = *c == '\0' || *c == '\n';
        /* Never within a character. */
        if (ends || (at > 200 && ((unsigned char)*c & 0xC0) != 0x80)) {
            line[at] = '\0';
            reports->write(reports->ctx, line);
            at = begin;
        }
        if (*c == '\0') { return; }
        if (*c != '\n') { line[at++] = (unsigned char)*c < 0x20 || *c == 0x7F ? ' ' : *c; }
    }
}

static void on_report(void *ctx, const struct talk_report_row *row)
{
    const struct reports *reports = ctx;
    char line[512], day[32];
    struct tm tm;
    const time_t at = (time_t)(row->at / 1000);
    gmtime_r(&at, &tm);
    strftime(day, sizeof day, "%Y-%m-%d %H:%M", &tm);
    int n = snprintf(line, sizeof line, "%lld  %s  match %s  %s reports %s", (long long)row->key,
                     day, row->match, row->reporter, row->accused);
    if (row->channel[0] != '\0' && n > 0 && (size_t)n < sizeof line) {
        n += snprintf(line + n, sizeof line - (size_t)n, "  (%s, message %llu)", row->channel,
                      (unsigned long long)row->n);
    }
    if (row->closed != 0 && n > 0 && (size_t)n < sizeof line) {
        (void)snprintf(line + n, sizeof line - (size_t)n, "  closed");
    }
    reports->write(reports->ctx, line);
    if (row->channel[0] != '\0') { write_text(reports, ">", row->said); }
    write_text(reports, "|", row->why);
}

static enum err op_list(struct db *db, void *data)
{
    const struct reports *reports = data;
    return talk_each_report(db, reports->all, on_report, data);
}

static void on_shared(void *ctx, const struct audit_shared *shared)
{
    const struct reports *reports = ctx;
    char line[512], day[32];
    struct tm tm;
    const time_t at = (time_t)(shared->at / 1000);
    gmtime_r(&at, &tm);
    strftime(day, sizeof day, "%Y-%m-%d", &tm);
    (void)snprintf(line, sizeof line, "match %s  %s  %s %s, %s %s  one network, last %s",
                   shared->match, shared->state, shared->code[0], shared->name[0], shared->code[1],
                   shared->name[1], day);
    reports->write(reports->ctx, line);
}

static enum err op_networks(struct db *db, void *data)
{
    return audit_each_shared(db, on_shared, data);
}

static enum err op_close(struct db *db, void *data)
{
    const struct reports *reports = data;
    return talk_close_report(db, reports->number, clock_now_ms());
}

enum err reports_admin(const char *database, const char *verb, const char *number,
                       void (*write)(void *ctx, const char *line), void *ctx, char out_error[256])
{
    struct reports reports = {.write = write, .ctx = ctx};
    bool closes = verb != NULL && strcmp(verb, "close") == 0;
    char *end = NULL;
    const bool networks = verb != NULL && strcmp(verb, "networks") == 0;
    reports.all = verb != NULL && strcmp(verb, "all") == 0;
    if (number != NULL) { reports.number = strtoll(number, &end, 10); }
    bool good = closes ? number != NULL && *number != '\0' && *end == '\0'
                       : number == NULL && (verb == NULL || reports.all || networks);
    if (!good) {
        snprintf(out_error, 256, "reports, reports all, reports close NUMBER or reports networks");
        return ERR_INVALID_PARAMS;
    }
    store_op_fn *list = networks ? op_networks : op_list;
    enum err err = closes ? store_poke(database, op_close, &reports, out_error)
                          : store_peek(database, list, &reports, out_error);
    if (err == ERR_NOT_FOUND) {
        snprintf(out_error, 256, "there is no open report of that number");
    }
    return err;
}
