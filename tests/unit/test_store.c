/* tests/unit/test_store.c: what the store promises (DESIGN 5 and 8), with commits made to fail. */
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "server/store/db.h"
#include "server/store/inside.h"
#include "server/store/offers.h"
#include "tests/unit/store_kit.h"

enum { ANSWERS_MAX = 70000 };

/* Answers in the order in which they came. */
struct answers {
    unsigned count;
    enum err errs[ANSWERS_MAX];
};

static void on_answer(void *ctx, enum err err)
{
    struct answers *answers = ctx;
    answers->errs[answers->count++] = err;
}

static struct answers *answers_new(void)
{
    struct answers *answers = calloc(1, sizeof *answers);
    ck_assert_ptr_nonnull(answers);
    return answers;
}

/* n matches, made and acknowledged. */
static void open_with_matches(struct kit *kit, unsigned n)
{
    struct answers *answers = answers_new();
    kit_open(kit);
    for (unsigned i = 0; i < n; i++) {
        kit_make_match(kit, i, on_answer, answers);
    }
    kit_run_until(kit, &answers->count, n);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_int_eq(answers->errs[i], ERR_OK);
    }
    free(answers);
}

static void close_and_remove(struct kit *kit)
{
    kit_close(kit);
    kit_remove(kit);
}

static void assert_whole(struct kit *kit, unsigned match, int64_t lines)
{
    struct kit_log log = kit_read_log(kit, match);
    ck_assert_int_eq(log.lines, lines);
    ck_assert_int_eq(log.last_n, lines - 1);
    ck_assert_int_eq(log.next_n, lines);
}

/* An operation that holds the writer until the test lets go. */
struct gate {
    sem_t entered, let_go;
};
static enum err op_gate(struct db *db, void *data)
{
    struct gate *gate = data;
    (void)db;
    (void)sem_post(&gate->entered);
    while (sem_wait(&gate->let_go) != 0) {}
    return ERR_OK;
}

static enum err op_nothing(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_OK;
}

/* Keeps the writer busy with a batch of one unit, so that what is queued next shares a batch. */
static void gate_shut(struct kit *kit, struct gate *gate, struct answers *answers)
{
    (void)sem_init(&gate->entered, 0, 0);
    (void)sem_init(&gate->let_go, 0, 0);
    struct store_unit *unit = store_unit_create(NULL, 0);
    store_unit_add(unit, op_gate, gate, NULL);
    store_commit(kit->store, unit, on_answer, answers);
    while (sem_wait(&gate->entered) != 0) {}
}

static void gate_open(struct gate *gate)
{
    (void)sem_post(&gate->let_go);
}

/* ---- files ---- */

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *sqlite = NULL;
    ck_assert_int_eq(sqlite3_open(path, &sqlite), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(sqlite);
}

static int64_t value_of(const char *path, const char *sql)
{
    sqlite3 *sqlite = NULL;
    sqlite3_stmt *stmt = NULL;
    ck_assert_int_eq(sqlite3_open(path, &sqlite), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(sqlite, sql, -1, &stmt, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(stmt, 0);
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(sqlite);
    return value;
}

START_TEST(an_empty_file_is_migrated_and_opens_again)
{
    struct kit kit;
    kit_open(&kit);
    kit_close(&kit);
    ck_assert_int_ge(value_of(kit.path, "PRAGMA user_version"), 1);
    ck_assert_int_eq(value_of(kit.path, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
                                        " AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%STRICT'"),
                     0);
    struct stat stat_of;
    ck_assert_int_eq(stat(kit.path, &stat_of), 0);
    ck_assert_uint_eq(stat_of.st_mode & 0777U, 0600);
    ck_assert_ptr_null(kit_reopen(&kit));
    close_and_remove(&kit);
}
END_TEST

START_TEST(a_newer_file_is_refused_and_left_as_it_was)
{
    struct kit kit;
    kit_open(&kit);
    kit_close(&kit);
    run_sql(kit.path, "PRAGMA user_version = 9999");
    const char *error = kit_reopen(&kit);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, "newer than this program") != NULL, "%s", error);
    ck_assert_int_eq(value_of(kit.path, "PRAGMA user_version"), 9999);
    kit_remove(&kit);
}
END_TEST

START_TEST(a_file_of_another_program_is_refused)
{
    struct kit kit;
    kit_open(&kit);
    kit_close(&kit);
    (void)unlink(kit.path);
    run_sql(kit.path, "CREATE TABLE recipes (name TEXT)");
    const char *error = kit_reopen(&kit);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, "another program") != NULL, "%s", error);
    ck_assert_int_eq(value_of(kit.path, "SELECT count(*) FROM sqlite_schema"), 1);
    kit_remove(&kit);
}
END_TEST

START_TEST(a_file_that_is_no_database_is_refused)
{
    struct kit kit;
    kit_open(&kit);
    kit_close(&kit);
    FILE *file = fopen(kit.path, "w");
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < 1000; i++) {
        fputs("no database at all ", file);
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_ptr_nonnull(kit_reopen(&kit));
    kit_remove(&kit);
}
END_TEST

START_TEST(a_second_daemon_on_the_same_file_is_refused)
{
    struct kit kit;
    struct kit second;
    kit_open(&kit);
    memcpy(&second, &kit, sizeof kit);
    const char *error = kit_reopen(&second);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, "in use by another daemon") != NULL, "%s", error);
    close_and_remove(&kit);
}
END_TEST

START_TEST(a_folder_that_is_missing_is_told)
{
    struct kit kit;
    memset(&kit, 0, sizeof kit);
    snprintf(kit.path, sizeof kit.path, "/tmp/vedette-no-such-folder/vedette.db");
    const char *error = kit_reopen(&kit);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, "vedette-no-such-folder") != NULL, "%s", error);
}
END_TEST

/* A file as an older daemon left it: only the first migration. */
static void make_old_file(struct kit *kit)
{
    struct db db;
    char error[256];
    struct location location = {.path = kit->path, .busy_timeout_ms = 1000, .lock_fd = -1};
    struct migration first[2] = {migrations[0], {0, NULL, NULL}};
    (void)unlink(kit->path);
    ck_assert_int_eq(fclose(fopen(kit->path, "w")), 0);
    ck_assert_int_eq(open_writer(&db, &location, error), ERR_OK);
    ck_assert_msg(migrate(&db, first, error) == ERR_OK, "%s", error);
    db_close(&db);
}

START_TEST(an_old_file_is_brought_up_to_date_and_keeps_its_rows)
{
    struct kit kit;
    kit_open(&kit);
    kit_close(&kit);
    int64_t newest = value_of(kit.path, "PRAGMA user_version");
    ck_assert_int_ge(newest, 2);
    make_old_file(&kit);
    ck_assert_int_eq(value_of(kit.path, "PRAGMA user_version"), 1);
    run_sql(kit.path, "INSERT INTO setting (name, value) VALUES ('x', x'00')");
    ck_assert_ptr_null(kit_reopen(&kit));
    kit_close(&kit);
    ck_assert_int_eq(value_of(kit.path, "PRAGMA user_version"), newest);
    ck_assert_int_eq(value_of(kit.path, "SELECT count(*) FROM setting WHERE name = 'x'"), 1);
    ck_assert_int_eq(value_of(kit.path, "SELECT count(*) FROM account"), 0);
    kit_remove(&kit);
}
END_TEST

START_TEST(a_migration_that_fails_leaves_the_file_at_its_version)
{
    static const struct migration list[] = {
        {1, "0001_good.sql", "CREATE TABLE one (a TEXT) STRICT"},
        {2, "0002_bad.sql", "CREATE TABLE two (a TEXT) STRICT; CREATE TABLE one (a TEXT) STRICT"},
        {0, NULL, NULL},
    };
    struct kit kit;
    struct db db;
    char error[256];
    kit_open(&kit);
    kit_close(&kit);
    (void)unlink(kit.path);
    ck_assert_int_eq(fclose(fopen(kit.path, "w")), 0);
    struct location location = {.path = kit.path, .busy_timeout_ms = 1000, .lock_fd = -1};
    ck_assert_int_eq(open_writer(&db, &location, error), ERR_OK);
    ck_assert_int_eq(migrate(&db, list, error), ERR_STORAGE_FAILED);
    ck_assert_msg(strstr(error, "0002_bad.sql") != NULL, "%s", error);
    db_close(&db);
    ck_assert_int_eq(value_of(kit.path, "PRAGMA user_version"), 1);
    ck_assert_int_eq(value_of(kit.path, "SELECT count(*) FROM sqlite_schema"), 1);
    kit_remove(&kit);
}
END_TEST

/* ---- writing and reading ---- */

START_TEST(lines_are_stored_in_order_and_read_after_the_answer)
{
    struct kit kit;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 3);
    for (unsigned n = 0; n < 100; n++) {
        for (unsigned i = 0; i < 3; i++) {
            store_commit(kit.store, kit_line_unit(i, n), on_answer, answers);
        }
    }
    kit_run_until(&kit, &answers->count, 300);
    for (unsigned i = 0; i < 300; i++) {
        ck_assert_int_eq(answers->errs[i], ERR_OK);
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_whole(&kit, i, 100);
    }
    kit_close(&kit);
    ck_assert_ptr_null(kit_reopen(&kit));
    for (unsigned i = 0; i < 3; i++) {
        assert_whole(&kit, i, 100);
    }
    struct store_stats stats;
    store_get_stats(kit.store, &stats);
    ck_assert_uint_eq(stats.queue_units, 0);
    ck_assert_uint_eq(stats.reads, 3);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(what_is_queued_meanwhile_shares_a_commit)
{
    struct kit kit;
    struct gate gate;
    struct store_stats stats;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 1);
    gate_shut(&kit, &gate, answers);
    for (unsigned n = 0; n < 500; n++) {
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
    }
    gate_open(&gate);
    kit_run_until(&kit, &answers->count, 501);
    store_get_stats(kit.store, &stats);
    ck_assert_uint_ge(stats.batch_units_max, 500);
    assert_whole(&kit, 0, 500);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(a_unit_holds_more_operations_than_fit_inside_it)
{
    struct kit kit;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 1);
    struct match_id id = kit_match(0);
    struct store_unit *unit = store_unit_create(&id, 0);
    for (unsigned i = 0; i < 100; i++) {
        store_unit_add(unit, op_nothing, NULL, NULL);
    }
    store_commit(kit.store, unit, on_answer, answers);
    kit_run_until(&kit, &answers->count, 1);
    ck_assert_int_eq(answers->errs[0], ERR_OK);
    store_unit_destroy(kit_line_unit(0, 0)); /* one that is not sent leaves nothing behind */
    assert_whole(&kit, 0, 0);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(a_line_that_does_not_follow_is_refused_and_harms_no_other_match)
{
    struct kit kit;
    struct gate gate;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 3);
    gate_shut(&kit, &gate, answers);
    for (unsigned n = 0; n < 4; n++) {
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
        /* Match 1 leaves out line 1. */
        store_commit(kit.store, kit_line_unit(1, n == 0 ? 0 : n + 1), on_answer, answers);
        store_commit(kit.store, kit_line_unit(2, n), on_answer, answers);
    }
    gate_open(&gate);
    kit_run_until(&kit, &answers->count, 13);
    for (unsigned i = 0; i < 12; i++) {
        bool good = i % 3 != 1 || i == 1;
        ck_assert_int_eq(answers->errs[1 + i], good ? ERR_OK : ERR_STORAGE_FAILED);
    }
    assert_whole(&kit, 0, 4);
    assert_whole(&kit, 1, 1);
    assert_whole(&kit, 2, 4);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

static enum err op_refuse(struct db *db, void *data)
{
    (void)data;
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO setting (name, value) VALUES ('x', x'00')");
    enum err err = db_run(db, stmt);
    return err == ERR_OK ? ERR_FORBIDDEN : err;
}

static enum err op_count_settings(struct db *db, void *data)
{
    int64_t *count = data;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT count(*) FROM setting WHERE name = 'x'");
    while (db_row(db, stmt)) {
        *count = db_int(stmt, 0);
    }
    return db_status(db, ERR_OK);
}

START_TEST(a_refusal_takes_back_its_own_unit_only)
{
    struct kit kit;
    struct gate gate;
    struct answers *answers = answers_new();
    int64_t settings = -1;
    open_with_matches(&kit, 1);
    struct match_id id = kit_match(0);
    gate_shut(&kit, &gate, answers);
    store_commit(kit.store, kit_line_unit(0, 0), on_answer, answers);
    struct store_unit *unit = store_unit_create(&id, STORE_MAY_REFUSE);
    store_unit_add(unit, op_refuse, NULL, NULL);
    store_commit(kit.store, unit, on_answer, answers);
    store_commit(kit.store, kit_line_unit(0, 1), on_answer, answers);
    gate_open(&gate);
    kit_run_until(&kit, &answers->count, 4);
    ck_assert_int_eq(answers->errs[1], ERR_OK);
    ck_assert_int_eq(answers->errs[2], ERR_FORBIDDEN);
    ck_assert_int_eq(answers->errs[3], ERR_OK);
    store_read(kit.store, op_count_settings, &settings, NULL, on_answer, answers);
    kit_run_until(&kit, &answers->count, 5);
    ck_assert_int_eq(settings, 0);
    assert_whole(&kit, 0, 2);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

/* The open offers of match 0, as a reader finds them. */
struct found {
    unsigned count;
    struct offer_row rows[4];
    char lost[4][32];
    uint64_t next;
};

static bool on_offer(void *ctx, const struct offer_row *row)
{
    struct found *found = ctx;
    snprintf(found->lost[found->count], 32, "%s", row->lost == NULL ? "none" : row->lost);
    found->rows[found->count++] = *row;
    return found->count < 4;
}

static enum err op_offers(struct db *db, void *data)
{
    struct found *found = data;
    found->count = 0;
    return offers_read_open(db, 1, on_offer, found, &found->next);
}

static struct offer_write *new_write(void)
{
    struct offer_write *write = calloc(1, sizeof *write);
    ck_assert_ptr_nonnull(write);
    write->match = 1;
    write->at = 1796000000000;
    return write;
}

static enum err write_offer(struct kit *kit, struct answers *answers, struct offer_write *write)
{
    struct match_id id = kit_match(0);
    unsigned before = answers->count;
    struct store_unit *unit = store_unit_create(&id, STORE_MAY_REFUSE);
    store_unit_add(unit, offers_write, write, offer_write_free);
    store_commit(kit->store, unit, on_answer, answers);
    kit_run_until(kit, &answers->count, before + 1);
    return answers->errs[before];
}

static void read_offers(struct kit *kit, struct answers *answers, struct found *found)
{
    unsigned before = answers->count;
    store_read(kit->store, op_offers, found, NULL, on_answer, answers);
    kit_run_until(kit, &answers->count, before + 1);
    ck_assert_int_eq(answers->errs[before], ERR_OK);
}

START_TEST(offers_are_kept_answered_and_closed_once)
{
    struct kit kit;
    struct found found;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 1);
    read_offers(&kit, answers, &found);
    ck_assert_uint_eq(found.count, 0);
    ck_assert_uint_eq(found.next, 1);
    for (unsigned i = 1; i <= 2; i++) {
        struct offer_write *write = new_write();
        write->is_new = true;
        write->row = (struct offer_row){.number = i,
                                        .what = i == 1 ? OFFER_REWIND : OFFER_DRAW,
                                        .seat = 1,
                                        .at = 5,
                                        .asked = 5,
                                        .line = i == 1 ? 12 : 0,
                                        .lost = i == 1 ? strdup("{}\n{}\n") : NULL};
        write->action_id = strdup(i == 1 ? "one" : "two");
        write->answer = strdup("{}");
        ck_assert_int_eq(write_offer(&kit, answers, write), ERR_OK);
    }
    /* The number is taken, and so is the action_id: nothing of the unit stays. */
    struct offer_write *again = new_write();
    again->is_new = true;
    again->row = (struct offer_row){.number = 2, .what = OFFER_ABORT, .asked = 2};
    ck_assert_int_eq(write_offer(&kit, answers, again), ERR_CONFLICT);
    again = new_write();
    again->is_new = true;
    again->row = (struct offer_row){.number = 3, .what = OFFER_ABORT, .asked = 2};
    again->action_id = strdup("one");
    again->answer = strdup("{}");
    ck_assert_int_eq(write_offer(&kit, answers, again), ERR_CONFLICT);
    struct offer_write *yes = new_write();
    yes->accepts = true;
    yes->row.number = 2;
    yes->row.accepted = 4;
    ck_assert_int_eq(write_offer(&kit, answers, yes), ERR_OK);
    kit_close(&kit);
    ck_assert_ptr_null(kit_reopen(&kit));
    read_offers(&kit, answers, &found);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_uint_eq(found.next, 3);
    ck_assert_int_eq(found.rows[0].what, OFFER_REWIND);
    ck_assert_uint_eq(found.rows[0].line, 12);
    ck_assert_str_eq(found.lost[0], "{}\n{}\n");
    ck_assert_int_eq(found.rows[1].what, OFFER_DRAW);
    ck_assert_uint_eq(found.rows[1].asked, 5);
    ck_assert_uint_eq(found.rows[1].accepted, 4);
    ck_assert_str_eq(found.lost[1], "none");
    for (unsigned i = 0; i < 2; i++) {
        struct offer_write *no = new_write();
        no->close_count = 1;
        no->closes[0].number = 1;
        no->closes[0].state = OFFER_DECLINED;
        no->closes[0].by = 0;
        ck_assert_int_eq(write_offer(&kit, answers, no), i == 0 ? ERR_OK : ERR_CONFLICT);
    }
    struct offer_write *late = new_write();
    late->accepts = true;
    late->row.number = 1;
    ck_assert_int_eq(write_offer(&kit, answers, late), ERR_CONFLICT);
    read_offers(&kit, answers, &found);
    ck_assert_uint_eq(found.count, 1);
    ck_assert_uint_eq(found.rows[0].number, 2);
    ck_assert_uint_eq(found.next, 3);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

static enum err op_bad_read(struct db *db, void *data)
{
    (void)data;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT nothing FROM nowhere");
    while (db_row(db, stmt)) {}
    return ERR_OK;
}

static enum err op_missing(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_NOT_FOUND;
}

START_TEST(a_read_hands_on_what_it_found_or_that_it_failed)
{
    struct kit kit;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 1);
    store_read(kit.store, op_bad_read, malloc(8), free, on_answer, answers);
    kit_run_until(&kit, &answers->count, 1);
    store_read(kit.store, op_missing, malloc(8), free, on_answer, answers);
    kit_run_until(&kit, &answers->count, 2);
    ck_assert_int_eq(answers->errs[0], ERR_STORAGE_FAILED);
    ck_assert_int_eq(answers->errs[1], ERR_NOT_FOUND);
    assert_whole(&kit, 0, 0);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(action_ids_that_have_an_answer_are_known_also_after_a_restart)
{
    struct kit kit;
    struct answers *answers = answers_new();
    struct account_id account = {"accountaaaaa"}; /* as the kit's lines have it */
    struct account_id other = {"accountbbbbb"};
    unsigned vain = 0;
    open_with_matches(&kit, 1);
    for (unsigned n = 0; n < 1000; n++) {
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
    }
    kit_run_until(&kit, &answers->count, 1000);
    ck_assert(!store_may_have_answer(kit.store, &account, "x"));
    store_note_answer(kit.store, &account, "x");
    ck_assert(store_may_have_answer(kit.store, &account, "x"));
    kit_close(&kit);
    ck_assert_ptr_null(kit_reopen(&kit));
    for (unsigned n = 0; n < 1000; n++) {
        char action_id[32];
        snprintf(action_id, sizeof action_id, "0-%u", n);
        ck_assert(store_may_have_answer(kit.store, &account, action_id));
        vain += store_may_have_answer(kit.store, &other, action_id);
    }
    ck_assert_uint_lt(vain, 10); /* by its size hardly ever: (3000 / 2^24)^3 */
    close_and_remove(&kit);
    free(answers);
}
END_TEST

/* ---- failures ---- */

/* Sends lines from..to-1 of match 0 behind a gate, then lets go. */
static void send_together(struct kit *kit, struct answers *answers, unsigned from, unsigned to)
{
    struct gate gate;
    unsigned before = answers->count;
    gate_shut(kit, &gate, answers);
    for (unsigned n = from; n < to; n++) {
        store_commit(kit->store, kit_line_unit(0, n), on_answer, answers);
    }
    gate_open(&gate);
    kit_run_until(kit, &answers->count, before + 1 + to - from);
}

START_TEST(after_a_failed_commit_all_lines_in_flight_fail_until_told_to_go_on)
{
    struct kit kit;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 2);
    store_inject(kit.store, STORE_FAULT_COMMIT, 1, 1); /* the gate's own commit is good */
    send_together(&kit, answers, 0, 5);
    for (unsigned i = 1; i <= 5; i++) {
        ck_assert_int_eq(answers->errs[i], ERR_STORAGE_FAILED);
    }
    /* Disk and commit are well again, but nobody said so for this match. */
    unsigned at = answers->count;
    store_commit(kit.store, kit_line_unit(0, 0), on_answer, answers);
    store_commit(kit.store, kit_line_unit(1, 0), on_answer, answers);
    kit_run_until(&kit, &answers->count, at + 2);
    ck_assert_int_eq(answers->errs[at], ERR_STORAGE_FAILED);
    ck_assert_int_eq(answers->errs[at + 1], ERR_OK);
    assert_whole(&kit, 0, 0);
    struct match_id id = kit_match(0);
    /* One queued before the word still fails, one behind it is written. */
    at = answers->count;
    store_commit(kit.store, kit_line_unit(0, 0), on_answer, answers);
    store_go_on(kit.store, &id);
    store_commit(kit.store, kit_line_unit(0, 0), on_answer, answers);
    kit_run_until(&kit, &answers->count, at + 2);
    ck_assert_int_eq(answers->errs[at], ERR_STORAGE_FAILED);
    ck_assert_int_eq(answers->errs[at + 1], ERR_OK);
    assert_whole(&kit, 0, 1);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(commits_that_fail_in_a_row_leave_no_gap)
{
    struct kit kit;
    struct answers *answers = answers_new();
    struct match_id id = kit_match(0);
    unsigned n = 0;
    unsigned failed = 0;
    open_with_matches(&kit, 1);
    store_inject(kit.store, STORE_FAULT_COMMIT, 4, 5);
    while (n < 40) {
        unsigned at = answers->count;
        for (unsigned i = 0; i < 4; i++) {
            store_commit(kit.store, kit_line_unit(0, n + i), on_answer, answers);
        }
        kit_run_until(&kit, &answers->count, at + 4);
        /* What is stored is a beginning of what was sent. */
        unsigned good = 0;
        while (good < 4 && answers->errs[at + good] == ERR_OK) {
            good++;
        }
        for (unsigned i = good; i < 4; i++) {
            ck_assert_int_eq(answers->errs[at + i], ERR_STORAGE_FAILED);
        }
        failed += good < 4;
        n += good;
        assert_whole(&kit, 0, n);
        if (good < 4) { store_go_on(kit.store, &id); }
    }
    ck_assert_uint_ge(failed, 1);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(one_line_that_fails_stops_its_match_alone)
{
    struct kit kit;
    struct gate gate;
    struct store_stats stats;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 2);
    gate_shut(&kit, &gate, answers);
    for (unsigned n = 0; n < 10; n++) {
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
        store_commit(kit.store, kit_line_unit(1, n), on_answer, answers);
    }
    store_inject(kit.store, STORE_FAULT_ROW, 6, 1); /* line 3 of match 0 */
    gate_open(&gate);
    kit_run_until(&kit, &answers->count, 21);
    for (unsigned i = 0; i < 20; i++) {
        bool good = i % 2 == 1 || i < 6;
        ck_assert_int_eq(answers->errs[1 + i], good ? ERR_OK : ERR_STORAGE_FAILED);
    }
    assert_whole(&kit, 0, 3);
    assert_whole(&kit, 1, 10);
    store_get_stats(kit.store, &stats);
    ck_assert_uint_eq(stats.retried_batches, 1);
    ck_assert_uint_eq(stats.units_failed, 7);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(after_an_error_of_the_disk_the_answer_is_what_is_stored)
{
    struct kit kit;
    struct store_stats stats;
    struct answers *answers = answers_new();
    struct match_id id = kit_match(0);
    unsigned n = 0;
    unsigned good = 0;
    unsigned bad = 0;
    open_with_matches(&kit, 1);
    for (unsigned i = 0; i < 12; i++) {
        unsigned at = answers->count;
        store_inject(kit.store, STORE_FAULT_DISK, 0, 1);
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
        kit_run_until(&kit, &answers->count, at + 1);
        bool stored = answers->errs[at] == ERR_OK;
        if (!stored) { ck_assert_int_eq(answers->errs[at], ERR_STORAGE_FAILED); }
        n += stored;
        good += stored;
        bad += !stored;
        assert_whole(&kit, 0, n);
        store_go_on(kit.store, &id);
        if (i % 3 == 0) {
            store_commit(kit.store, kit_line_unit(0, n++), on_answer, answers);
            kit_run_until(&kit, &answers->count, at + 2);
            ck_assert_int_eq(answers->errs[at + 1], ERR_OK);
        }
    }
    ck_assert_uint_ge(good, 1);
    ck_assert_uint_ge(bad, 1);
    store_get_stats(kit.store, &stats);
    ck_assert_uint_eq(stats.disk_errors, 12);
    kit_close(&kit);
    ck_assert_ptr_null(kit_reopen(&kit));
    assert_whole(&kit, 0, n);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(a_disk_that_does_not_answer_ends_the_daemon)
{
    struct kit kit;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 1);
    store_inject(kit.store, STORE_FAULT_DISK, 0, 1);
    store_inject(kit.store, STORE_FAULT_FATAL, 0, 1);
    store_commit(kit.store, kit_line_unit(0, 0), on_answer, answers);
    kit_run_until(&kit, &answers->count, 1);
    _exit(99); /* an answer was given: the test for exit status fails */
}
END_TEST

START_TEST(units_beyond_the_bound_fail_in_their_turn)
{
    struct kit kit;
    struct gate gate;
    struct answers *answers = answers_new();
    enum { MORE = 10 };
    open_with_matches(&kit, 1);
    gate_shut(&kit, &gate, answers);
    ck_assert(!store_is_busy(kit.store));
    for (unsigned n = 0; n < STORE_QUEUE_MAX + MORE; n++) {
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
    }
    ck_assert(store_is_busy(kit.store));
    gate_open(&gate);
    kit_run_until(&kit, &answers->count, 1 + STORE_QUEUE_MAX + MORE);
    for (unsigned i = 0; i < STORE_QUEUE_MAX + MORE; i++) {
        ck_assert_int_eq(answers->errs[1 + i], i < STORE_QUEUE_MAX ? ERR_OK : ERR_STORAGE_FAILED);
    }
    ck_assert(!store_is_busy(kit.store));
    assert_whole(&kit, 0, STORE_QUEUE_MAX);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

START_TEST(closing_while_busy_answers_all_and_takes_nothing_new)
{
    struct kit kit;
    struct answers *answers = answers_new();
    open_with_matches(&kit, 1);
    for (unsigned n = 0; n < 3000; n++) {
        store_commit(kit.store, kit_line_unit(0, n), on_answer, answers);
    }
    int64_t settings = -1;
    store_read(kit.store, op_count_settings, &settings, NULL, on_answer, answers);
    kit_run_until(&kit, &answers->count, 1);
    store_close(kit.store, NULL, NULL);
    store_commit(kit.store, kit_line_unit(0, 3000), on_answer, answers);
    store_read(kit.store, op_missing, malloc(8), free, on_answer, answers);
    ck_assert_int_eq(uv_run(&kit.loop, UV_RUN_DEFAULT), 0);
    ck_assert_int_eq(uv_loop_close(&kit.loop), 0);
    ck_assert_uint_eq(answers->count, 3003);
    unsigned closing = 0;
    for (unsigned i = 0; i < answers->count; i++) {
        closing += answers->errs[i] == ERR_CLOSING;
    }
    ck_assert_uint_eq(closing, 2);
    ck_assert_ptr_null(kit_reopen(&kit));
    assert_whole(&kit, 0, 3000);
    close_and_remove(&kit);
    free(answers);
}
END_TEST

/* ---- kill -9 ---- */

enum { KILL_MATCHES = 8 };

struct told {
    uint32_t match, n;
};

struct writer_child {
    struct kit *kit;
    int pipe;
    unsigned next[KILL_MATCHES];
};

struct told_ctx {
    struct writer_child *child;
    struct told told;
};

static void send_next(struct writer_child *child, unsigned match);

static void on_told(void *ctx, enum err err)
{
    struct told_ctx *told = ctx;
    if (err != ERR_OK) { _exit(2); }
    if (write(told->child->pipe, &told->told, sizeof told->told) != sizeof told->told) { _exit(3); }
    send_next(told->child, told->told.match);
    free(told);
}

static void send_next(struct writer_child *child, unsigned match)
{
    struct told_ctx *told = malloc(sizeof *told);
    if (told == NULL) { _exit(4); }
    *told = (struct told_ctx){child, {match, child->next[match]++}};
    store_commit(child->kit->store, kit_line_unit(match, told->told.n), on_told, told);
}

/* Writes until it is killed: two lines of each match in flight. */
static void write_for_ever(struct kit *kit, int pipe_end)
{
    static struct writer_child child;
    child.kit = kit;
    child.pipe = pipe_end;
    if (kit_reopen(kit) != NULL) { _exit(5); }
    for (unsigned i = 0; i < KILL_MATCHES; i++) {
        child.next[i] = (unsigned)kit_read_log(kit, i).lines;
        send_next(&child, i);
        send_next(&child, i);
    }
    for (;;) {
        (void)uv_run(&kit->loop, UV_RUN_ONCE);
    }
}

START_TEST(killed_at_any_moment_it_holds_all_it_acknowledged_and_no_gap)
{
    struct kit kit;
    int64_t acknowledged[KILL_MATCHES];
    memset(acknowledged, 0xFF, sizeof acknowledged);
    open_with_matches(&kit, KILL_MATCHES);
    kit_close(&kit);
    unsigned seed = (unsigned)getpid();
    printf("kill seed %u\n", seed);
    srand(seed);
    for (unsigned round = 0; round < 25; round++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) { write_for_ever(&kit, ends[1]); }
        (void)close(ends[1]);
        struct told told;
        /* Killed after a random number of acknowledgements: some are on their way then. */
        for (int left = rand() % 2000; left >= 0; left--) {
            if (read(ends[0], &told, sizeof told) != sizeof told) { break; }
            acknowledged[told.match] = told.n;
        }
        (void)kill(pid, SIGKILL);
        while (read(ends[0], &told, sizeof told) == sizeof told) {
            acknowledged[told.match] = told.n;
        }
        (void)close(ends[0]);
        int status = 0;
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(WTERMSIG(status), SIGKILL);
        ck_assert_ptr_null(kit_reopen(&kit));
        for (unsigned i = 0; i < KILL_MATCHES; i++) {
            struct kit_log log = kit_read_log(&kit, i);
            ck_assert_int_eq(log.last_n, log.lines - 1);
            ck_assert_int_eq(log.next_n, log.lines);
            ck_assert_int_ge(log.last_n, acknowledged[i]);
            ck_assert_int_le(log.last_n, acknowledged[i] + 2);
            acknowledged[i] = log.last_n;
        }
        kit_close(&kit);
    }
    kit_remove(&kit);
}
END_TEST

/* A child that may not write past a size: its disk is full for good at a random moment. */
static void write_until_full(struct kit *kit, int pipe_end, rlim_t bytes)
{
    struct rlimit limit = {bytes, RLIM_INFINITY};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) { _exit(6); }
    write_for_ever(kit, pipe_end);
}

START_TEST(a_disk_that_takes_no_more_ends_the_daemon_with_all_that_it_acknowledged)
{
    struct kit kit;
    int64_t acknowledged[KILL_MATCHES];
    memset(acknowledged, 0xFF, sizeof acknowledged);
    open_with_matches(&kit, KILL_MATCHES);
    kit_close(&kit);
    for (unsigned round = 0; round < 8; round++) {
        int ends[2];
        struct told told;
        int status = 0;
        ck_assert_int_eq(pipe(ends), 0);
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) { write_until_full(&kit, ends[1], 400000 + 300000 * (rlim_t)round); }
        (void)close(ends[1]);
        while (read(ends[0], &told, sizeof told) == sizeof told) {
            acknowledged[told.match] = told.n;
        }
        (void)close(ends[0]);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        /* Ended by itself, either with the failure told to a caller (2) or as fatal. */
        ck_assert(WIFEXITED(status));
        ck_assert(WEXITSTATUS(status) == EXIT_FAILURE || WEXITSTATUS(status) == 2);
        ck_assert_ptr_null(kit_reopen(&kit));
        for (unsigned i = 0; i < KILL_MATCHES; i++) {
            struct kit_log log = kit_read_log(&kit, i);
            ck_assert_int_eq(log.last_n, log.lines - 1);
            ck_assert_int_eq(log.next_n, log.lines);
            ck_assert_int_ge(log.last_n, acknowledged[i]);
            ck_assert_int_le(log.last_n, acknowledged[i] + 2);
            acknowledged[i] = log.last_n;
        }
        kit_close(&kit);
    }
    kit_remove(&kit);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *tcase = tcase_create("store");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, an_empty_file_is_migrated_and_opens_again);
    tcase_add_test(tcase, an_old_file_is_brought_up_to_date_and_keeps_its_rows);
    tcase_add_test(tcase, a_migration_that_fails_leaves_the_file_at_its_version);
    tcase_add_test(tcase, a_newer_file_is_refused_and_left_as_it_was);
    tcase_add_test(tcase, a_file_of_another_program_is_refused);
    tcase_add_test(tcase, a_file_that_is_no_database_is_refused);
    tcase_add_test(tcase, a_second_daemon_on_the_same_file_is_refused);
    tcase_add_test(tcase, a_folder_that_is_missing_is_told);
    tcase_add_test(tcase, lines_are_stored_in_order_and_read_after_the_answer);
    tcase_add_test(tcase, what_is_queued_meanwhile_shares_a_commit);
    tcase_add_test(tcase, a_unit_holds_more_operations_than_fit_inside_it);
    tcase_add_test(tcase, a_line_that_does_not_follow_is_refused_and_harms_no_other_match);
    tcase_add_test(tcase, a_refusal_takes_back_its_own_unit_only);
    tcase_add_test(tcase, offers_are_kept_answered_and_closed_once);
    tcase_add_test(tcase, a_read_hands_on_what_it_found_or_that_it_failed);
    tcase_add_test(tcase, action_ids_that_have_an_answer_are_known_also_after_a_restart);
    tcase_add_test(tcase, after_a_failed_commit_all_lines_in_flight_fail_until_told_to_go_on);
    tcase_add_test(tcase, commits_that_fail_in_a_row_leave_no_gap);
    tcase_add_test(tcase, one_line_that_fails_stops_its_match_alone);
    tcase_add_test(tcase, after_an_error_of_the_disk_the_answer_is_what_is_stored);
    tcase_add_exit_test(tcase, a_disk_that_does_not_answer_ends_the_daemon, EXIT_FAILURE);
    tcase_add_test(tcase, units_beyond_the_bound_fail_in_their_turn);
    tcase_add_test(tcase, closing_while_busy_answers_all_and_takes_nothing_new);
    tcase_add_test(tcase, killed_at_any_moment_it_holds_all_it_acknowledged_and_no_gap);
    tcase_add_test(tcase, a_disk_that_takes_no_more_ends_the_daemon_with_all_that_it_acknowledged);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
