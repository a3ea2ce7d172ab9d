/* server/lobby/password.c: argon2id with the cost that OWASP advises: 2 passes over 19 MiB. */
#include "server/lobby/password.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <uv.h>

#include "server/lobby/accounts.h"

enum { PASSES = 2, MEMORY_BYTES = 19 * 1024 * 1024 };
static_assert(crypto_pwhash_STRBYTES == 128, "as the header says");

struct work {
    uv_work_t work;
    struct passwords *passwords;
    struct work *next;
    password_done_fn *done;
    void *ctx;
    bool check, good;
    char password[PASSWORD_BYTES_MAX + 1], hash[crypto_pwhash_STRBYTES];
};

struct passwords {
    uv_loop_t *loop;
    struct work *first, *last;
    unsigned running, waiting;
    uint64_t done;
    char dummy[crypto_pwhash_STRBYTES];
};

bool password_hash_now(const char *password, char out[128])
{
    return crypto_pwhash_str(out, password, strlen(password), PASSES, MEMORY_BYTES) == 0;
}

struct passwords *passwords_create(struct uv_loop_s *loop)
{
    struct passwords *passwords = calloc(1, sizeof *passwords);
    char secret[33] = {0};
    if (passwords == NULL) { return NULL; }
    passwords->loop = loop;
    for (unsigned i = 0; i < sizeof secret - 1; i++) {
        secret[i] = (char)('!' + randombytes_uniform(90));
    }
    if (!password_hash_now(secret, passwords->dummy)) {
        free(passwords);
        return NULL;
    }
    return passwords;
}

void passwords_destroy(struct passwords *take_passwords)
{
    if (take_passwords == NULL) { return; }
    assert(take_passwords->running == 0 && take_passwords->first == NULL);
    free(take_passwords);
}

static void run_work(uv_work_t *req)
{
    struct work *work = req->data;
    if (work->check) {
        work->good =
            crypto_pwhash_str_verify(work->hash, work->password, strlen(work->password)) == 0;
    } else {
        work->good = password_hash_now(work->password, work->hash);
    }
    sodium_memzero(work->password, sizeof work->password);
}

static void start_some(struct passwords *passwords);

static void on_done(uv_work_t *req, int status)
{
    struct work *work = req->data;
    struct passwords *passwords = work->passwords;
    passwords->running--;
    passwords->done++;
    work->done(work->ctx, work->good, work->check || !work->good ? NULL : work->hash);
    sodium_memzero(work, sizeof *work);
    free(work);
    start_some(passwords);
}

static void start_some(struct passwords *passwords)
{
    while (passwords->running < HASHES_AT_ONCE && passwords->first != NULL) {
        struct work *work = passwords->first;
        passwords->first = work->next;
        if (passwords->first == NULL) { passwords->last = NULL; }
        passwords->waiting--;
        passwords->running++;
        work->work.data = work;
        int failed = uv_queue_work(passwords->loop, &work->work, run_work, on_done);
        assert(failed == 0);
    }
}

bool passwords_run(struct passwords *passwords, const char *password, const char *hash,
                   password_done_fn *done, void *ctx)
{
    if (passwords->waiting >= HASHES_WAITING_MAX) { return false; }
    struct work *work = calloc(1, sizeof *work);
    if (work == NULL) { return false; }
    work->passwords = passwords;
    work->done = done;
    work->ctx = ctx;
    work->check = hash != NULL;
    snprintf(work->password, sizeof work->password, "%s", password);
    if (hash != NULL) { snprintf(work->hash, sizeof work->hash, "%s", hash); }
    if (passwords->last != NULL) {
        passwords->last->next = work;
    } else {
        passwords->first = work;
    }
    passwords->last = work;
    passwords->waiting++;
    start_some(passwords);
    return true;
}

const char *passwords_dummy(const struct passwords *passwords)
{
    return passwords->dummy;
}

void passwords_stats(const struct passwords *passwords, uint64_t *out_done, uint64_t *out_waiting)
{
    *out_done = passwords->done;
    *out_waiting = passwords->waiting;
}
