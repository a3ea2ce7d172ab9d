/* server/bots/bots.c: the children that play for the daemon. */
#include "server/bots/bots.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>
#include <uv.h>

#include "server/base/log.h"
#include "server/lobby/accounts.h"

extern char **environ;

enum {
    AGAIN_MS_MIN = 500, /* after an end that nobody asked for */
    AGAIN_MS_MAX = 60000,
    SOUND_MS = 30000, /* who lived so long begins anew at AGAIN_MS_MIN */
    PATIENCE_MS = 2000,
    POLICY_BYTES = 16,
    ENVIRONMENT_MAX = 128
};

/* The policies of `vedette bot` that the daemon knows, and what an account of each is called. The
 * one that plays a game by plain sense bears the game's name: match.bot looks for it by that. */
static const char *const waterloo_alone[] = {"waterloo", NULL};
static const char *const austerlitz_alone[] = {"austerlitz", NULL};
static const struct policy {
    const char *name, *called;
    bool practice;            /* shown to whoever looks for an opponent */
    const char *const *games; /* that it knows; NULL: all of them */
} policies[] = {
    {"waterloo", "Bot-Waterloo", true, waterloo_alone},
    {"austerlitz", "Bot-Austerlitz", true, austerlitz_alone},
    {"random", "Bot-Random", true, NULL},
    {BOTS_CARETAKER, "Bot-Caretaker", false, NULL},
};
enum { POLICIES = sizeof policies / sizeof policies[0] };

enum child_state { CHILD_NONE, CHILD_IDLE, CHILD_RUNNING, CHILD_AGAIN };

struct child {
    struct bots *bots;
    const struct policy *policy;
    unsigned number;
    char house[24], name[64];
    struct account_id account; /* "": not yet known */
    char token[TOKEN_TEXT + 1];
    enum child_state state;
    uv_process_t process;
    uv_timer_t again;
    uint64_t began_ms, again_ms;
};

struct bots {
    struct bots_config config;
    char program[PATH_MAX], url[128];
    struct child children[BOTS_CHILDREN_MAX];
    unsigned count, asked, asking, alive, handles;
    uv_timer_t patience;
    bool started, closing, said_closed;
    void (*done)(void *ctx);
    void *ctx;
};

/* --- which, and where from ---------------------------------------------------------------------
 */

static const struct policy *find_policy(const char *text, size_t n)
{
    for (unsigned i = 0; i < POLICIES; i++) {
        if (strlen(policies[i].name) == n && strncmp(policies[i].name, text, n) == 0) {
            return &policies[i];
        }
    }
    return NULL;
}

static void add_child(struct bots *bots, const struct policy *policy, unsigned number)
{
    struct child *child = &bots->children[bots->count++];
    child->bots = bots;
    child->policy = policy;
    child->number = number;
    child->again_ms = AGAIN_MS_MIN;
    snprintf(child->house, sizeof child->house, "%s/%u", policy->name, number);
    snprintf(child->name, sizeof child->name, number == 1 ? "%s" : "%s-%u", policy->called, number);
}

/* One word of the kinds: a policy, and how many of it. */
static bool read_kind(struct bots *bots, const char *word, size_t n)
{
    const char *colon = memchr(word, ':', n);
    const size_t len = colon == NULL ? n : (size_t)(colon - word);
    const struct policy *policy = find_policy(word, len);
    unsigned number = 1;
    if (colon != NULL) {
        if (n != len + 2 || colon[1] < '0' || colon[1] > '0' + BOTS_EACH_MAX) { return false; }
        number = (unsigned)(colon[1] - '0');
    }
    for (unsigned i = 0; policy != NULL && i < bots->count; i++) {
        if (bots->children[i].policy == policy) { return false; }
    }
    if (policy == NULL || bots->count + number > BOTS_CHILDREN_MAX) { return false; }
    for (unsigned i = 1; i <= number; i++) {
        add_child(bots, policy, i);
    }
    return true;
}

static bool read_kinds(struct bots *bots)
{
    const char *p = bots->config.kinds;
    if (strcmp(p, "off") == 0) { return true; }
    while (*(p += strspn(p, " ,\t")) != '\0') {
        const size_t n = strcspn(p, " ,\t");
        if (!read_kind(bots, p, n)) { return false; }
        p += n;
    }
    return bots->count > 0;
}

/* vedette lies beside vedetted where both are installed, and a folder away where they were built.
 */
static bool find_program(struct bots *bots)
{
    static const char *const places[] = {"vedette", "../client-cli/vedette"};
    char self[PATH_MAX];
    if (bots->config.program != NULL) {
        snprintf(bots->program, sizeof bots->program, "%s", bots->config.program);
        return access(bots->program, X_OK) == 0;
    }
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) { return false; }
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash == NULL) { return false; }
    slash[1] = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int len = snprintf(bots->program, sizeof bots->program, "%s%s", self, places[i]);
        if (len > 0 && (size_t)len < sizeof bots->program && access(bots->program, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

enum err bots_create(const struct bots_config *config, struct bots **out_bots, char out_error[256])
{
    struct bots *bots = calloc(1, sizeof *bots);
    if (bots == NULL) { return ERR_INTERNAL; }
    bots->config = *config;
    if (!read_kinds(bots)) {
        size_t n = (size_t)snprintf(out_error, 256, "bots = %.60s: off, or of", config->kinds);
        for (unsigned i = 0; i < POLICIES && n < 256; i++) {
            n += (size_t)snprintf(out_error + n, 256 - n, " %s", policies[i].name);
        }
        if (n < 256) {
            snprintf(out_error + n, 256 - n, " each once, with :N for how many (%d at most, %d in all)",
                     BOTS_EACH_MAX, BOTS_CHILDREN_MAX);
        }
        free(bots);
        return ERR_INVALID_PARAMS;
    }
    if (bots->count > 0 && !find_program(bots)) {
        log_event(LOG_WARN, "bots_off",
                  "why=\"the program vedette is not there\" looked_for=\"%s\"", bots->program);
        bots->count = 0;
    }
    *out_bots = bots;
    return ERR_OK;
}

/* --- a child's life ----------------------------------------------------------------------------
 */

static void begin_child(struct child *child);

/* Nothing lives and nothing is asked any more. */
static void end_if_closed(struct bots *bots)
{
    if (!bots->closing || bots->said_closed || bots->alive > 0 || bots->asking > 0) { return; }
    bots->said_closed = true;
    if (bots->started) { uv_close((uv_handle_t *)&bots->patience, NULL); }
    for (unsigned i = 0; bots->started && i < bots->count; i++) {
        uv_close((uv_handle_t *)&bots->children[i].again, NULL);
    }
    if (bots->done != NULL) { bots->done(bots->ctx); }
}

static void on_again(uv_timer_t *timer)
{
    struct child *child = timer->data;
    if (child->state == CHILD_AGAIN && !child->bots->closing) { begin_child(child); }
}

/* It will be tried again, each time later than the last. */
static void put_off(struct child *child)
{
    child->state = CHILD_AGAIN;
    uv_timer_start(&child->again, on_again, child->again_ms, 0);
    child->again_ms = child->again_ms * 2 < AGAIN_MS_MAX ? child->again_ms * 2 : AGAIN_MS_MAX;
}

static void on_process_closed(uv_handle_t *handle)
{
    struct child *child = handle->data;
    struct bots *bots = child->bots;
    bots->alive--;
    if (bots->closing) {
        child->state = CHILD_IDLE;
        end_if_closed(bots);
        return;
    }
    put_off(child);
}

static void on_exit_of(uv_process_t *process, int64_t status, int signal)
{
    struct child *child = process->data;
    if (uv_now(child->bots->config.loop) - child->began_ms >= SOUND_MS) {
        child->again_ms = AGAIN_MS_MIN;
    }
    log_event(child->bots->closing ? LOG_INFO : LOG_WARN, "bot_ended",
              "bot=%s status=%lld signal=%d again_in_ms=%llu", child->name, (long long)status,
              signal, child->bots->closing ? 0ULL : (unsigned long long)child->again_ms);
    uv_close((uv_handle_t *)process, on_process_closed);
}

/* The folder in which it keeps its nonces, and its parents. False: it cannot be made. */
static bool make_folder(const struct child *child, char *out, size_t size)
{
    const int n = snprintf(out, size, "%s/%s", child->bots->config.folder, child->name);
    if (n < 0 || (size_t)n >= size) { return false; }
    (void)mkdir(child->bots->config.folder, 0700);
    (void)mkdir(out, 0700);
    return access(out, W_OK | X_OK) == 0;
}

/* Our environment without what is meant for a person's client, and what the child needs. Its token
 * travels here, which other users cannot read, never among the arguments, which they can. */
static size_t fill_environment(const struct child *child, const char *folder,
                               char own[3][PATH_MAX + 32], char *out[ENVIRONMENT_MAX])
{
    static const char *const left_out[] = {"VEDETTE_", "XDG_CONFIG_HOME=", "NOTIFY_SOCKET="};
    size_t n = 0;
    for (char **i = environ; *i != NULL && n < ENVIRONMENT_MAX - 4; i++) {
        bool keep = true;
        for (unsigned k = 0; k < sizeof left_out / sizeof left_out[0]; k++) {
            keep = keep && strncmp(*i, left_out[k], strlen(left_out[k])) != 0;
        }
        if (keep) { out[n++] = *i; }
    }
    snprintf(own[0], sizeof own[0], "VEDETTE_TOKEN=%s", child->token);
    snprintf(own[1], sizeof own[1], "XDG_CONFIG_HOME=%s", folder);
    snprintf(own[2], sizeof own[2], "VEDETTE_PARENT=%ld", (long)getpid());
    for (unsigned i = 0; i < 3; i++) {
        out[n++] = own[i];
    }
    out[n] = NULL;
    return n;
}

static void begin_child(struct child *child)
{
    struct bots *bots = child->bots;
    char own[3][PATH_MAX + 32], folder[PATH_MAX];
    char *environment[ENVIRONMENT_MAX];
    char *args[] = {bots->program,
                    (char *)(uintptr_t) "--server",
                    bots->url,
                    (char *)(uintptr_t) "bot",
                    (char *)(uintptr_t) "--policy",
                    (char *)(uintptr_t)child->policy->name,
                    (char *)(uintptr_t) "--invited",
                    NULL};
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
    if (!make_folder(child, folder, sizeof folder)) {
        log_event(LOG_WARN, "bot_has_no_folder", "bot=%s folder=\"%s\"", child->name,
                  bots->config.folder);
        put_off(child);
        return;
    }
    (void)fill_environment(child, folder, own, environment);
    if (bots->config.noisy) {
        stdio[2].flags = UV_INHERIT_FD;
        stdio[2].data.fd = STDERR_FILENO;
    }
    const uv_process_options_t options = {.exit_cb = on_exit_of,
                                          .file = bots->program,
                                          .args = args,
                                          .env = environment,
                                          .stdio_count = 3,
                                          .stdio = stdio};
    child->process.data = child;
    bots->alive++; /* also a spawn that failed left a handle */
    child->began_ms = uv_now(bots->config.loop);
    const int failed = uv_spawn(bots->config.loop, &child->process, &options);
    sodium_memzero(own, sizeof own);
    if (failed != 0) {
        log_event(LOG_WARN, "bot_not_started", "bot=%s why=\"%s\"", child->name,
                  uv_strerror(failed));
        uv_close((uv_handle_t *)&child->process, on_process_closed);
        return;
    }
    child->state = CHILD_RUNNING;
    log_event(LOG_INFO, "bot_started", "bot=%s pid=%d", child->name, child->process.pid);
}

/* --- accounts ----------------------------------------------------------------------------------
 */

static void ask_for_next(struct bots *bots);

static void on_house(void *ctx, enum err err, const struct account_id *account, const char *name,
                     const char *token, bool busy)
{
    struct child *child = ctx;
    struct bots *bots = child->bots;
    bots->asking--;
    if (err != ERR_OK) {
        log_event(LOG_WARN, "bot_has_no_account", "bot=%s why=%s", child->name, err_kind(err));
    } else if (!bots->closing) {
        child->account = *account;
        snprintf(child->name, sizeof child->name, "%.60s", name);
        snprintf(child->token, sizeof child->token, "%s", token);
        child->state = CHILD_IDLE;
        if (busy) { begin_child(child); }
    }
    if (!bots->closing) { ask_for_next(bots); }
    end_if_closed(bots);
}

/* One after the other: accounts are listed by their age, and so in the order of the configuration. */
static void ask_for_next(struct bots *bots)
{
    if (bots->asked == bots->count) { return; }
    struct child *child = &bots->children[bots->asked++];
    const bool shown = child->policy->practice && child->number == 1;
    const char *const *knows = child->policy->games;
    if (knows == NULL) { knows = bots->config.games; }
    bots->asking++;
    accounts_house(bots->config.accounts, child->house, child->name, shown ? knows : NULL, on_house,
                   child);
}

void bots_start(struct bots *bots, const char *url)
{
    snprintf(bots->url, sizeof bots->url, "%s", url);
    bots->started = true;
    uv_timer_init(bots->config.loop, &bots->patience);
    bots->patience.data = bots;
    for (unsigned i = 0; i < bots->count; i++) {
        uv_timer_init(bots->config.loop, &bots->children[i].again);
        bots->children[i].again.data = &bots->children[i];
    }
    ask_for_next(bots);
}

static struct child *find_child(const struct bots *bots, const struct account_id *account)
{
    for (unsigned i = 0; i < bots->count; i++) {
        const struct child *child = &bots->children[i];
        if (child->state != CHILD_NONE && account_id_same(&child->account, account)) {
            return (struct child *)(uintptr_t)child;
        }
    }
    return NULL;
}

bool bots_has(const struct bots *bots, const struct account_id *account)
{
    return find_child(bots, account) != NULL;
}

void bots_wake(struct bots *bots, const struct account_id *account)
{
    struct child *child = bots->closing ? NULL : find_child(bots, account);
    if (child != NULL && child->state == CHILD_IDLE) { begin_child(child); }
}

/* --- the end -----------------------------------------------------------------------------------
 */

static void signal_all(struct bots *bots, int number)
{
    for (unsigned i = 0; i < bots->count; i++) {
        struct child *child = &bots->children[i];
        if (child->state == CHILD_RUNNING) { (void)uv_process_kill(&child->process, number); }
    }
}

static void on_patience(uv_timer_t *timer)
{
    signal_all(timer->data, SIGKILL);
}

void bots_close(struct bots *bots, void (*done)(void *ctx), void *ctx)
{
    bots->closing = true;
    bots->done = done;
    bots->ctx = ctx;
    for (unsigned i = 0; bots->started && i < bots->count; i++) {
        uv_timer_stop(&bots->children[i].again);
    }
    if (bots->started) { uv_timer_start(&bots->patience, on_patience, PATIENCE_MS, 0); }
    signal_all(bots, SIGTERM);
    end_if_closed(bots);
}

void bots_destroy(struct bots *take_bots)
{
    if (take_bots == NULL) { return; }
    for (unsigned i = 0; i < take_bots->count; i++) {
        sodium_memzero(take_bots->children[i].token, sizeof take_bots->children[i].token);
    }
    free(take_bots);
}
