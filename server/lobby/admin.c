/* server/lobby/admin.c: accounts by hand. */
#include "server/lobby/admin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/names.h"
#include "server/lobby/password.h"
#include "server/store/audit.h"
#include "server/store/factors.h"
#include "server/store/once.h"

const char admin_usage[] = "account list\n"
                           "account create|password|delete NAME\n"
                           "account disable|enable|reset NAME\n"
                           "account rename NAME NEW\n"
                           "account role NAME admin|referee|organiser on|off\n"
                           "account show|audit NAME";

/* Of a command: what it read before the database was opened, and what it found there. */
struct admin {
    const struct admin_call *call;
    const struct verb *verb;
    int64_t now;
    struct account_row account; /* found, or to be made; settings malloc'ed */
    char folded[NAME_KEY_BYTES_MAX], skeleton[NAME_KEY_BYTES_MAX];
    char new_name[ACCOUNT_NAME_BYTES], hash[ACCOUNT_PASSWORD_BYTES];
    char token[TOKEN_TEXT + 1];
    uint8_t role;
    bool on;
    struct buf lines; /* what is written once all is stored */
};

static void say(struct admin *admin, const char *text)
{
    buf_append_str(&admin->lines, text);
    buf_append_char(&admin->lines, '\n');
}

static void time_text(int64_t at, char out[32])
{
    struct tm tm;
    const time_t seconds = (time_t)(at / 1000);
    gmtime_r(&seconds, &tm);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static void roles_text(uint8_t roles, char out[64])
{
    out[0] = '\0';
    for (unsigned i = 0; account_roles[i] != NULL; i++) {
        if ((roles >> i & 1U) == 0) { continue; }
        if (out[0] != '\0') { strcat(out, ","); }
        strcat(out, account_roles[i]);
    }
}

/* --- what each does ----------------------------------------------------------------------------
 */

static enum err audit(struct admin *admin, struct db *db, const char *what, const char *member,
                      const char *text)
{
    struct buf detail;
    buf_init(&detail, 2048);
    jw_object_begin(&detail);
    if (member != NULL) { jw_key_str(&detail, member, text); }
    jw_object_end(&detail);
    enum err err =
        audit_add(db, &admin->account.id, what, AUDIT_ADMIN, buf_str(&detail), admin->now);
    buf_finish(&detail);
    return err;
}

/* Its sign-ins end; a daemon closes its connections. */
static enum err end_sign_ins(struct admin *admin, struct db *db, const char *notice)
{
    enum err err = accounts_delete_token(db, &admin->account.id, NULL);
    return err == ERR_OK ? audit_leave_notice(db, &admin->account.id, notice) : err;
}

static void list_row(void *ctx, const struct account_row *row)
{
    struct admin *admin = ctx;
    char line[320], at[32], roles[64];
    time_text(row->created_at, at);
    roles_text(row->roles, roles);
    at[10] = '\0';
    snprintf(line, sizeof line, "%s  %s  %s  %s%s%s%s%s", row->id.text, at,
             row->house[0] != '\0' ? "house "
             : row->bot            ? "bot   "
                                   : "person",
             row->name, row->disabled_at != 0 ? "  disabled" : "", roles[0] != '\0' ? "  (" : "",
             roles, roles[0] != '\0' ? ")" : "");
    say(admin, line);
}

static enum err do_list(struct admin *admin, struct db *db)
{
    accounts_each(db, list_row, admin);
    return ERR_OK;
}

static enum err do_create(struct admin *admin, struct db *db)
{
    account_id_make(&admin->account.id);
    admin->account.created_at = admin->now;
    memcpy(admin->account.password, admin->hash, sizeof admin->account.password);
    enum err err = accounts_insert(db, &admin->account, admin->folded, admin->skeleton);
    return err == ERR_OK ? audit(admin, db, "created", NULL, NULL) : err;
}

static enum err do_password(struct admin *admin, struct db *db)
{
    enum err err = accounts_update_password(db, &admin->account.id, admin->hash);
    if (err == ERR_OK) { err = end_sign_ins(admin, db, "revoked"); }
    return err == ERR_OK ? audit(admin, db, "password_changed", NULL, NULL) : err;
}

static enum err do_reset(struct admin *admin, struct db *db)
{
    struct mailed_token token = {
        .kind = MAILED_RESET, .account = admin->account.id, .made_at = admin->now};
    token.expires_at = admin->now + (int64_t)RESET_MINUTES * 60000;
    account_mailed_hash(admin->token, &token.hash);
    enum err err = factors_insert_mailed(db, &token);
    if (err != ERR_OK) { return err; }
    say(admin, admin->token);
    return audit(admin, db, "reset_asked", NULL, NULL);
}

static enum err do_disable(struct admin *admin, struct db *db)
{
    enum err err = accounts_set_disabled(db, &admin->account.id, admin->now);
    if (err == ERR_OK) { err = end_sign_ins(admin, db, "revoked"); }
    if (err == ERR_OK) { err = factors_drop_mailed(db, &admin->account.id, MAILED_RESET); }
    return err == ERR_OK ? audit(admin, db, "disabled", NULL, NULL) : err;
}

static enum err do_enable(struct admin *admin, struct db *db)
{
    enum err err = accounts_set_disabled(db, &admin->account.id, 0);
    return err == ERR_OK ? audit(admin, db, "enabled", NULL, NULL) : err;
}

static enum err do_rename(struct admin *admin, struct db *db)
{
    enum err err =
        accounts_rename(db, &admin->account.id, admin->new_name, admin->folded, admin->skeleton);
    if (err == ERR_OK) { err = audit(admin, db, "renamed", "was", admin->account.name); }
    /* Open connections know it by its old name. */
    return err == ERR_OK ? audit_leave_notice(db, &admin->account.id, "renamed") : err;
}

static enum err do_role(struct admin *admin, struct db *db)
{
    uint8_t roles = admin->account.roles;
    roles = admin->on ? (uint8_t)(roles | admin->role) : (uint8_t)(roles & ~admin->role);
    char text[64];
    roles_text(roles, text);
    enum err err = accounts_set_roles(db, &admin->account.id, roles);
    if (err == ERR_OK) { err = audit(admin, db, "role", "roles", text); }
    return err == ERR_OK ? audit_leave_notice(db, &admin->account.id, "role") : err;
}

static enum err do_delete(struct admin *admin, struct db *db)
{
    enum err err = account_erase(db, &admin->account.id, admin->now);
    return err == ERR_OK ? audit_leave_notice(db, &admin->account.id, "deleted") : err;
}

static enum err do_show(struct admin *admin, struct db *db)
{
    const struct account_row *row = &admin->account;
    struct buf out;
    buf_init(&out, 1 << 20);
    jw_object_begin(&out);
    jw_key_str(&out, "id", row->id.text);
    account_write_members(row, false, &out);
    account_write_address(db, &row->id, &out);
    account_write_factor(db, &row->id, &out);
    if (row->house[0] != '\0') { jw_key_str(&out, "house", row->house); }
    if (row->disabled_at != 0) { jw_key_int(&out, "disabled_at", row->disabled_at); }
    jw_key(&out, "tokens");
    const struct token_id none = {""};
    accounts_write_tokens(db, &row->id, &none, &out);
    jw_key(&out, "seats");
    accounts_write_seats(db, &row->id, &out);
    jw_object_end(&out);
    say(admin, buf_str(&out));
    const bool failed = out.failed;
    buf_finish(&out);
    return failed ? ERR_TOO_LARGE : ERR_OK;
}

static void audit_row(void *ctx, int64_t at, const char *what, const char *by, const char *detail)
{
    struct admin *admin = ctx;
    char line[4096], when[32];
    time_text(at, when);
    snprintf(line, sizeof line, "%s  %-16s  %s%s%s", when, what, by,
             strcmp(detail, "{}") == 0 ? "" : "  ", strcmp(detail, "{}") == 0 ? "" : detail);
    say(admin, line);
}

static enum err do_audit(struct admin *admin, struct db *db)
{
    audit_each(db, &admin->account.id, audit_row, admin);
    return ERR_OK;
}

/* --- the table ---------------------------------------------------------------------------------
 */

static const struct verb {
    const char *name;
    size_t words; /* with the verb */
    bool makes, password, person;
    enum err (*run)(struct admin *admin, struct db *db);
} verbs[] = {
    /* person: not of the daemon's own accounts, which it makes anew or needs */
    {"list", 1, false, false, false, do_list},       {"create", 2, true, true, false, do_create},
    {"password", 2, false, true, true, do_password}, {"reset", 2, false, false, true, do_reset},
    {"disable", 2, false, false, false, do_disable}, {"enable", 2, false, false, false, do_enable},
    {"rename", 3, false, false, false, do_rename},   {"role", 4, false, false, true, do_role},
    {"delete", 2, false, false, true, do_delete},    {"show", 2, false, false, false, do_show},
    {"audit", 2, false, false, false, do_audit},
};

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].name, name) == 0) { return &verbs[i]; }
    }
    return NULL;
}

bool accounts_admin_needs_password(const char *verb)
{
    const struct verb *found = find_verb(verb);
    return found != NULL && found->password;
}

/* --- running it --------------------------------------------------------------------------------
 */

static bool read_name(struct admin *admin, const char *text, char out[ACCOUNT_NAME_BYTES])
{
    struct why why;
    return name_read(text, out, ACCOUNT_NAME_BYTES, &why) == ERR_OK &&
           name_fold(out, admin->folded) == ERR_OK && name_skeleton(out, admin->skeleton) == ERR_OK;
}

static enum err op_admin(struct db *db, void *data)
{
    struct admin *admin = data;
    char folded[NAME_KEY_BYTES_MAX];
    if (admin->verb->words == 1 || admin->verb->makes) { return admin->verb->run(admin, db); }
    char shown[ACCOUNT_NAME_BYTES];
    struct why why;
    enum err err = name_read(admin->call->words[1], shown, sizeof shown, &why);
    if (err == ERR_OK) { err = name_fold(shown, folded); }
    if (err != ERR_OK) { return ERR_NOT_FOUND; }
    err = accounts_read_by_folded(db, folded, &admin->account);
    if (err != ERR_OK) { return err; }
    if (admin->verb->person && admin->account.house[0] != '\0') { return ERR_FORBIDDEN; }
    return admin->verb->run(admin, db);
}

static const char *sentence(enum err err)
{
    switch (err) {
    case ERR_CONFLICT: return "that name is taken, or one that looks like it";
    case ERR_NOT_FOUND: return "there is no account of that name";
    case ERR_FORBIDDEN: return "that account is one of the daemon's own bots";
    default: return err_message(err);
    }
}

static const char *read_role(struct admin *admin)
{
    const char *name = admin->call->words[2], *state = admin->call->words[3];
    for (unsigned i = 0; account_roles[i] != NULL; i++) {
        if (strcmp(account_roles[i], name) == 0) { admin->role = (uint8_t)(1U << i); }
    }
    admin->on = strcmp(state, "on") == 0;
    if (admin->role == 0 || (!admin->on && strcmp(state, "off") != 0)) {
        return "a role is admin, referee or organiser, and on or off";
    }
    return NULL;
}

/* Checks the words of the command before the database is touched. */
static const char *prepare(struct admin *admin)
{
    static const char bad_name[] =
        "a name is 2 to 24 letters, digits, _ or -, letters of one script";
    const struct admin_call *call = admin->call;
    if (admin->verb->makes && !read_name(admin, call->words[1], admin->account.name)) {
        return bad_name;
    }
    if (strcmp(admin->verb->name, "rename") == 0 &&
        !read_name(admin, call->words[2], admin->new_name)) {
        return bad_name;
    }
    if (strcmp(admin->verb->name, "reset") == 0) {
        uint8_t bytes[TOKEN_BYTES];
        randombytes_buf(bytes, sizeof bytes);
        b64_encode(admin->token, bytes, sizeof bytes);
        sodium_memzero(bytes, sizeof bytes);
    }
    if (strcmp(admin->verb->name, "role") == 0) { return read_role(admin); }
    if (!admin->verb->password) { return NULL; }
    if (call->password == NULL || strlen(call->password) < PASSWORD_BYTES_MIN ||
        strlen(call->password) > PASSWORD_BYTES_MAX) {
        return "a password has 8 to 256 bytes (it is read from standard input)";
    }
    return password_hash_now(call->password, admin->hash) ? NULL : "out of memory";
}

static void write_lines(const struct admin *admin)
{
    const char *p = buf_str(&admin->lines);
    for (const char *end = NULL; (end = strchr(p, '\n')) != NULL; p = end + 1) {
        char *line = strndup(p, (size_t)(end - p));
        if (line != NULL) { admin->call->write(admin->call->ctx, line); }
        free(line);
    }
}

enum err accounts_admin(const struct admin_call *call, char out_error[ADMIN_ERROR_BYTES])
{
    const struct verb *verb = find_verb(call->count == 0 ? NULL : call->words[0]);
    if (verb == NULL || verb->words != call->count) {
        snprintf(out_error, ADMIN_ERROR_BYTES, "%s", admin_usage);
        return ERR_INVALID_PARAMS;
    }
    struct admin admin = {.call = call, .verb = verb, .now = account_now_ms()};
    bool served = false;
    char error[256] = "";
    const char *problem = prepare(&admin);
    if (problem != NULL) {
        snprintf(out_error, ADMIN_ERROR_BYTES, "%s", problem);
        return ERR_INVALID_PARAMS;
    }
    buf_init(&admin.lines, 64U << 20);
    enum err err = store_once(call->database, op_admin, &admin, &served, error);
    if (err == ERR_OK && admin.lines.failed) { err = ERR_TOO_LARGE; }
    if (err == ERR_OK) {
        write_lines(&admin);
    } else {
        snprintf(out_error, ADMIN_ERROR_BYTES, "%s", error[0] != '\0' ? error : sentence(err));
    }
    buf_finish(&admin.lines);
    free(admin.account.settings);
    sodium_memzero(&admin, sizeof admin);
    return err;
}
