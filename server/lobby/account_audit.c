/* server/lobby/account_audit.c: what happened to an account, and what an administrator's command
 * left for this daemon. */
#include <string.h>

#include <uv.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/matches.h"
#include "server/store/lobby.h"
#include "server/store/store.h"

enum {
    LOOK_MS = 1000, /* a disabled account is out after that */
    DAY_MS = 86400000,
    SWEEP_MS = 3600000, /* what is too old goes within an hour */
    AUDIT_LIMIT_MAX = 200,
    AUDIT_LIMIT = 50,
    DETAIL_BYTES_MAX = 2048
};

enum err account_audit(struct db *db, const struct account_job *job, const struct account_id *id,
                       const char *what, const char *by, const char *member, const char *text)
{
    struct buf detail;
    if (member == NULL) { return audit_add(db, id, what, by, NULL, job->now); }
    buf_init(&detail, DETAIL_BYTES_MAX);
    jw_object_begin(&detail);
    jw_key_str(&detail, member, text);
    jw_object_end(&detail);
    enum err err = audit_add(db, id, what, by, detail.failed ? NULL : buf_str(&detail), job->now);
    buf_finish(&detail);
    return err;
}

enum err account_audit_sign_in(struct db *db, struct account_job *job, const char *how)
{
    bool is_new = false;
    struct buf detail;
    enum err err = ERR_OK;
    if (job->has_network) {
        err = audit_see_network(db, &job->account.id, job->network, job->now, &is_new);
    }
    if (err != ERR_OK) { return err; }
    buf_init(&detail, DETAIL_BYTES_MAX);
    jw_object_begin(&detail);
    if (job->client[0] != '\0') { jw_key_str(&detail, "client", job->client); }
    if (is_new) { jw_key_bool(&detail, "new_network", true); }
    jw_object_end(&detail);
    err = audit_add(db, &job->account.id, how, AUDIT_SELF, detail.failed ? NULL : buf_str(&detail),
                    job->now);
    buf_finish(&detail);
    if (err == ERR_OK && is_new) {
        struct address address;
        char email[FACTOR_ADDRESS_BYTES];
        account_setting(&job->account, "email", email, sizeof email);
        err = factors_read_address(db, &job->account.id, &address);
        if (err == ERR_OK && address.confirmed_at != 0) {
            account_letter_add(job, ACCOUNT_MAIL_NETWORK, email, "", "");
        }
    }
    return err;
}

/* --- account.audit -----------------------------------------------------------------------------
 */

static enum err op_audit(struct db *db, void *data)
{
    struct account_job *job = data;
    int64_t before = json_int(json_get(job->params, "before"), 0), next = 0;
    const int64_t limit = json_int(json_get(job->params, "limit"), AUDIT_LIMIT);
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key(&job->out, "entries");
    audit_write(db, &job->session.account, before, (unsigned)limit, &job->out, &next);
    if (next != 0) { jw_key_int(&job->out, "next", next); }
    jw_object_end(&job->out);
    return ERR_OK;
}

enum err account_start_audit(struct account_job *job)
{
    static const char *const names[] = {"before", "limit", NULL};
    int64_t before = 0, limit = AUDIT_LIMIT;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) {
        err = json_read_int(job->params, "before", 1, JSON_INT_MAX, &before, &job->why);
    }
    if (err == ERR_OK) {
        err = json_read_int(job->params, "limit", 1, AUDIT_LIMIT_MAX, &limit, &job->why);
    }
    if (err == ERR_OK) { account_job_read(job, op_audit, account_job_answered); }
    return err;
}

/* --- notices of the administrator's commands ---------------------------------------------------
 */

static enum err op_read_notices(struct db *db, void *data)
{
    struct accounts *accounts = data;
    accounts->notice_count = audit_read_notices(db, accounts->notices, ACCOUNT_NOTICES);
    return ERR_OK;
}

static enum err op_take_notices(struct db *db, void *data)
{
    struct accounts *accounts = data;
    return audit_take_notices(db, accounts->notices[accounts->notice_count - 1].key);
}

static void look_done(struct accounts *accounts)
{
    accounts->looking = false;
    accounts->pending--;
}

static void on_notices_taken(void *ctx, enum err err)
{
    if (err != ERR_OK) { log_event(LOG_WARN, "notices_stay", "why=%s", err_kind(err)); }
    look_done(ctx);
}

static void take_notice(struct accounts *accounts, const struct account_notice *notice)
{
    const struct accounts_config *config = &accounts->config;
    struct match_id match;
    if (strcmp(notice->what, "export") == 0) {
        const bool known = match_id_read(notice->account.text, &match);
        if (known && config->exported != NULL) { config->exported(config->ctx, &match); }
        return;
    }
    account_tell_revoked(accounts, &notice->account, NULL);
    if (config->role != NULL) { config->role(config->ctx, &notice->account); }
    if (strcmp(notice->what, "deleted") == 0 && config->gone != NULL) {
        config->gone(config->ctx, &notice->account);
    }
}

static void on_notices_read(void *ctx, enum err err)
{
    struct accounts *accounts = ctx;
    if (err != ERR_OK || accounts->notice_count == 0) {
        look_done(accounts);
        return;
    }
    for (unsigned i = 0; i < accounts->notice_count; i++) {
        const struct account_notice *notice = &accounts->notices[i];
        log_event(LOG_INFO, "account_notice", "what=%s account=%s", notice->what,
                  notice->account.text);
        take_notice(accounts, notice);
    }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (unit == NULL) {
        look_done(accounts);
        return;
    }
    store_unit_add(unit, op_take_notices, accounts, NULL);
    store_commit(accounts->config.store, unit, on_notices_taken, accounts);
}

static enum err op_sweep(struct db *db, void *data)
{
    const struct accounts *accounts = data;
    const int64_t now = accounts->swept_at;
    enum err err = audit_sweep(db, now, now - (int64_t)SIGN_IN_DAYS * DAY_MS);
    if (err != ERR_OK) { return err; }
    return lobby_write_expired(db, now - (int64_t)LOBBY_OPEN_DAYS * DAY_MS, now);
}

static void on_swept(void *ctx, enum err err)
{
    if (err != ERR_OK) { log_event(LOG_WARN, "sweep_failed", "why=%s", err_kind(err)); }
    look_done(ctx);
}

/* True when it is under way. */
static bool sweep(struct accounts *accounts, int64_t now)
{
    if (now - accounts->swept_at < SWEEP_MS) { return false; }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (unit == NULL) { return false; }
    accounts->swept_at = now;
    store_unit_add(unit, op_sweep, accounts, NULL);
    store_commit(accounts->config.store, unit, on_swept, accounts);
    return true;
}

static void on_look(uv_timer_t *timer)
{
    struct accounts *accounts = timer->data;
    if (accounts->looking || accounts->closed) { return; }
    accounts->looking = true;
    accounts->pending++;
    if (sweep(accounts, account_now_ms())) { return; }
    store_read(accounts->config.store, op_read_notices, accounts, NULL, on_notices_read, accounts);
}

void account_look_start(struct accounts *accounts)
{
    uv_timer_init(accounts->config.loop, &accounts->look);
    accounts->look.data = accounts;
    if (!accounts->config.looks) { return; }
    uv_timer_start(&accounts->look, on_look, LOOK_MS, LOOK_MS);
}

void accounts_close(struct accounts *accounts)
{
    if (accounts == NULL || accounts->closed) { return; }
    accounts->closed = true;
    uv_close((uv_handle_t *)&accounts->look, NULL);
}
