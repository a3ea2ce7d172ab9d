/* server/main.c: the daemon: wiring, signals, the way down (DESIGN sections 5 and 11). */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sodium.h>
#include <uv.h>

#include "common/rules/game.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/bots/bots.h"
#include "server/clock/zone.h"
#include "server/lobby/accounts.h"
#include "server/lobby/matches.h"
#include "server/main_commands.h"
#include "server/main_settings.h"
#include "server/match/carry.h"
#include "server/match/courier.h"
#include "server/match/depart.h"
#include "server/match/look.h"
#include "server/match/match.h"
#include "server/match/seats.h"
#include "server/net/net.h"
#include "server/net/web.h"
#include "server/store/store.h"

enum { DRAIN_POLL_MS = 5, GAMES_SHOWN_MAX = 16 };

struct daemon {
    struct settings *settings;
    uv_loop_t loop;
    uv_signal_t on_term, on_int, on_look, on_hup;
    uv_timer_t drain;
    struct store *store;
    struct accounts *accounts;
    struct matches *matches;
    struct lobby *lobby;
    struct net *net;
    struct outward outward;
    struct bots *bots;
    bool bots_closed, stopping, left;
    bool clocks_started, early; /* a signal came before it served */
    enum err clocks;
};

/* --- hooks between the folders -----------------------------------------------------------------
 */

static bool hook_push(void *ctx, struct match_client *client, const struct match_id *match,
                      unsigned viewer, enum match_push kind, struct msg *msg)
{
    struct daemon *daemon = ctx;
    return net_push(daemon->net, client, match, viewer, kind, msg);
}

static void hook_turn(void *ctx, const struct account_id *account, struct msg *msg)
{
    struct daemon *daemon = ctx;
    if (daemon->net != NULL) { net_push_account(daemon->net, account, msg); }
    if (daemon->bots != NULL) { bots_wake(daemon->bots, account); }
}

static void hook_changed(void *ctx, const struct match_id *match)
{
    struct daemon *daemon = ctx;
    log_event(LOG_DEBUG, "match_changed", "match=%s", match->text);
    if (daemon->lobby != NULL) { lobby_tell(daemon->lobby, match); }
}

static bool hook_is_here(void *ctx, const struct account_id *account)
{
    struct daemon *daemon = ctx;
    if (daemon->bots != NULL && bots_has(daemon->bots, account)) { return true; }
    return daemon->net != NULL && net_is_here(daemon->net, account);
}

static void hook_present(void *ctx, const struct match_id *match)
{
    struct daemon *daemon = ctx;
    if (daemon->lobby != NULL) { lobby_tell_presence(daemon->lobby, match); }
}

static void hook_noticed(void *ctx, int64_t due)
{
    struct daemon *daemon = ctx;
    if (daemon->outward.courier != NULL) { courier_due(daemon->outward.courier, due); }
}

static void hook_mail(void *ctx, const struct account_mail *mail)
{
    struct daemon *daemon = ctx;
    outward_account_mail(&daemon->outward, mail);
}

static void hook_fatal(void *ctx, const char *what)
{
    log_event(LOG_ERROR, "fatal", "what=\"%s\"", what);
    _exit(EXIT_FAILURE); /* the supervisor starts it again, from the file */
}

static void hook_revoked(void *ctx, const struct account_id *account, const struct token_id *token)
{
    struct daemon *daemon = ctx;
    net_revoke(daemon->net, account, token);
}

static void hook_gone(void *ctx, const struct account_id *account)
{
    struct daemon *daemon = ctx;
    log_event(LOG_INFO, "account_gone", "account=%s", account->text);
    if (daemon->matches != NULL) { matches_depart(daemon->matches); }
}

static void hook_caretaker(void *ctx, const struct match_id *match, unsigned seat)
{
    struct daemon *daemon = ctx;
    if (daemon->lobby != NULL) { lobby_give_caretaker(daemon->lobby, match, seat); }
}

static void hook_role(void *ctx, const struct account_id *account)
{
    struct daemon *daemon = ctx;
    if (daemon->matches != NULL) { match_looks_forget(daemon->matches, account); }
}

static void hook_exported(void *ctx, const struct match_id *match)
{
    struct daemon *daemon = ctx;
    if (daemon->matches != NULL) { match_tell_look(daemon->matches, match, CARRY_EXPORT_REASON); }
}

/* --- the way down ------------------------------------------------------------------------------
 */

static void close_handles(struct daemon *daemon)
{
    uv_close((uv_handle_t *)&daemon->drain, NULL);
    uv_close((uv_handle_t *)&daemon->on_term, NULL);
    uv_close((uv_handle_t *)&daemon->on_int, NULL);
    uv_close((uv_handle_t *)&daemon->on_look, NULL);
    uv_close((uv_handle_t *)&daemon->on_hup, NULL);
}

static void on_store_closed(void *ctx)
{
    struct daemon *daemon = ctx;
    daemon->store = NULL;
    close_handles(daemon);
    uv_stop(&daemon->loop);
}

/* Nobody is connected any more; what is still under way ends by itself. */
static void on_drain(uv_timer_t *timer)
{
    struct daemon *daemon = timer->data;
    if (!daemon->bots_closed || !daemon->outward.closed || accounts_pending(daemon->accounts) > 0 ||
        lobby_pending(daemon->lobby) > 0) {
        return;
    }
    uv_timer_stop(timer);
    if (!daemon->left) {
        daemon->left = true;
        log_event(LOG_INFO, "drained", "%s", "");
    }
    store_close(daemon->store, on_store_closed, daemon);
}

static void on_left(void *ctx)
{
    struct daemon *daemon = ctx;
    accounts_close(daemon->accounts);
    outward_close(&daemon->outward);
    uv_timer_start(&daemon->drain, on_drain, 0, DRAIN_POLL_MS);
}

static void on_bots_closed(void *ctx)
{
    struct daemon *daemon = ctx;
    daemon->bots_closed = true;
}

static void on_matches_closed(void *ctx)
{
    struct daemon *daemon = ctx;
    net_farewell(daemon->net, on_left, daemon);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct daemon *daemon = handle->data;
    if (daemon->stopping) { return; }
    if (daemon->net == NULL) { /* it is still starting: first that, then the way down */
        daemon->early = true;
        return;
    }
    daemon->stopping = true;
    log_event(LOG_INFO, "closing", "signal=%d", number);
    net_refuse(daemon->net);
    bots_close(daemon->bots, on_bots_closed, daemon);
    matches_close(daemon->matches, on_matches_closed, daemon);
}

/* The database of time zones may have been brought up to date: it is read at once. */
static void on_hup(uv_signal_t *handle, int number)
{
    struct daemon *daemon = handle->data;
    (void)number;
    if (daemon->matches != NULL && !daemon->stopping) { matches_zones(daemon->matches, true); }
}

/* --- the time of tests -------------------------------------------------------------------------
 */

/* Tests moved the clock (server/base/clock.h): every part that waits for a time looks again, and
 * does at once what is due. Timers of the loop know nothing of that clock. */
static void on_look(uv_signal_t *handle, int number)
{
    struct daemon *daemon = handle->data;
    log_event(LOG_INFO, "clock_looked", "now_ms=%lld", (long long)clock_now_ms());
    if (daemon->matches != NULL) {
        matches_look(daemon->matches);
        matches_beat(daemon->matches);
    }
    match_pace_look(daemon->matches);
    match_seats_look(daemon->matches);
    if (daemon->outward.courier != NULL) { courier_look(daemon->outward.courier); }
}

static void watch_clock(struct daemon *daemon)
{
    uv_signal_init(&daemon->loop, &daemon->on_look);
    daemon->on_look.data = daemon;
#ifdef VEDETTE_FAULTS
    uv_signal_start(&daemon->on_look, on_look, SIGUSR2);
#else
    (void)on_look;
#endif
}

/* --- serving -----------------------------------------------------------------------------------
 */

/* Bots come over the loopback: where nobody listens there, a port of our own. */
static void add_bots_listener(struct settings *settings)
{
    if (strcmp(settings->bots, "off") == 0 || settings->net.listens == NET_LISTENS_MAX) { return; }
    for (size_t i = 0; i < settings->net.listens; i++) {
        if (net_is_within(settings->net.listen[i])) { return; }
    }
    settings->net.listen[settings->net.listens++] = "127.0.0.1:0";
}

/* Bots keep their nonces beside the database. */
static enum err make_bots(struct daemon *daemon, char error[256])
{
    static const char *names[GAMES_SHOWN_MAX + 1];
    struct settings *settings = daemon->settings;
    for (size_t i = 0; games[i] != NULL && i < GAMES_SHOWN_MAX; i++) {
        names[i] = games[i]->name;
    }
    snprintf(settings->bots_folder, sizeof settings->bots_folder, "%s-bots", settings->database);
    const struct bots_config config = {.loop = &daemon->loop,
                                       .accounts = daemon->accounts,
                                       .kinds = settings->bots,
                                       .program = settings->bots_program,
                                       .folder = settings->bots_folder,
                                       .games = names,
                                       .noisy = settings->log_level == LOG_DEBUG};
    return bots_create(&config, &daemon->bots, error);
}

static void on_started(void *ctx, enum err err)
{
    struct daemon *daemon = ctx;
    daemon->clocks = err;
    daemon->clocks_started = true;
}

/* Before anybody is served: what passed while no daemon was there is charged to nobody. */
static enum err start_clocks(struct daemon *daemon)
{
    matches_start(daemon->matches, on_started, daemon);
    while (!daemon->clocks_started) {
        (void)uv_run(&daemon->loop, UV_RUN_ONCE);
    }
    return daemon->clocks;
}

static enum err start_parts(struct daemon *daemon, char error[256])
{
    struct settings *settings = daemon->settings;
    const struct store_options store_options = {.path = settings->database};
    enum err err = store_open(&daemon->loop, &store_options, &daemon->store, error);
    if (err != ERR_OK) { return err; }
    const struct accounts_config accounts = {
        .loop = &daemon->loop,
        .store = daemon->store,
        .ctx = daemon,
        .revoked = hook_revoked,
        .is_here = hook_is_here,
        .gone = hook_gone,
        .role = hook_role,
        .exported = hook_exported,
        .mail = notify_settings_mail(&settings->notify) ? hook_mail : NULL,
        .private_hosts = settings->notify.private_hosts,
        .looks = true};
    err = accounts_create(&accounts, &daemon->accounts);
    if (err != ERR_OK) { return err; }
    const struct matches_config matches = {
        .loop = &daemon->loop,
        .store = daemon->store,
        .hooks = {.ctx = daemon,
                  .push = hook_push,
                  .turn = hook_turn,
                  .changed = hook_changed,
                  .fatal = hook_fatal,
                  .present = hook_present,
                  .caretaker = hook_caretaker,
                  .is_here = hook_is_here,
                  .noticed = hook_noticed},
        .notice_delay_ms = (uint32_t)settings->notify.delay_s * 1000,
        .memory_bytes_max = settings->memory_bytes_max,
        .say_freely = settings->say_freely,
    };
    err = matches_create(&matches, &daemon->matches);
    if (err == ERR_OK) { err = start_clocks(daemon); }
    if (err != ERR_OK) { return err; }
    const struct lobby_config lobby = {.store = daemon->store,
                                       .matches = daemon->matches,
                                       .matches_per_account = settings->matches_per_account,
                                       .tell = hook_turn,
                                       .tell_ctx = daemon};
    err = lobby_open(&lobby, &daemon->lobby);
    if (err != ERR_OK) { return err; }
    if (settings->net.web == NULL && web_default_folder(settings->web, sizeof settings->web)) {
        settings->net.web = settings->web;
    } else if (settings->net.web != NULL && strcmp(settings->net.web, "none") == 0) {
        settings->no_web = settings->net.web;
        settings->net.web = NULL;
    }
    err = make_bots(daemon, error);
    if (err != ERR_OK) { return err; }
    add_bots_listener(settings);
    const struct net_parts parts = {daemon->store, daemon->accounts, daemon->matches,
                                    daemon->lobby};
    err = net_create(&daemon->loop, &settings->net, &parts, &daemon->net, error);
    if (err != ERR_OK) { return err; }
    char address[NET_ADDRESS_MAX];
    net_address(daemon->net, 0, address);
    err = outward_open(&daemon->outward, &settings->notify, &daemon->loop, daemon->store, address,
                       error);
    if (err == ERR_OK) {
        net_set_outward(daemon->net, daemon->outward.notify, daemon->outward.courier);
    }
    return err;
}

static void watch_signals(struct daemon *daemon)
{
    signal(SIGPIPE, SIG_IGN);
    uv_signal_init(&daemon->loop, &daemon->on_term);
    uv_signal_init(&daemon->loop, &daemon->on_int);
    uv_timer_init(&daemon->loop, &daemon->drain);
    daemon->on_term.data = daemon;
    daemon->on_int.data = daemon;
    daemon->drain.data = daemon;
    uv_signal_start(&daemon->on_term, on_signal, SIGTERM);
    uv_signal_start(&daemon->on_int, on_signal, SIGINT);
    uv_signal_init(&daemon->loop, &daemon->on_hup);
    daemon->on_hup.data = daemon;
    uv_signal_start(&daemon->on_hup, on_hup, SIGHUP);
}

/* A connection is a file: as many as the limit says, if the system lets us. */
static void raise_files(const struct settings *settings)
{
    struct rlimit limit;
    const rlim_t want = settings->net.limits.connections_max + 128;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= want) { return; }
    limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < want) {
        log_event(LOG_WARN, "few_files", "wanted=%llu have=%llu", (unsigned long long)want,
                  (unsigned long long)limit.rlim_cur);
    }
}

static void announce(struct daemon *daemon)
{
    char address[NET_ADDRESS_MAX], zones[16];
    for (size_t i = 0; i < daemon->settings->net.listens; i++) {
        net_address(daemon->net, i, address);
        log_event(LOG_INFO, "listening", "address=%s", address);
    }
    zones_version(zones);
    log_event(LOG_INFO, "time_zones", "version=%s", zones);
    net_address(daemon->net, 0, address);
    printf("listening on %s\n", address);
    fflush(stdout);
    /* The last one is the bots', or one that is on the loopback too. */
    net_address_within(daemon->net, address);
    bots_start(daemon->bots, address);
    matches_depart(daemon->matches); /* who was deleted while no daemon ran */
}

/* When the loop has stopped, or never began: all that is left, and the handles' last turns. */
static void tear_down(struct daemon *daemon)
{
    lobby_close(daemon->lobby);
    accounts_close(daemon->accounts);
    outward_destroy(&daemon->outward);
    if (daemon->matches != NULL) { matches_destroy(daemon->matches); }
    net_destroy(daemon->net);
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    bots_destroy(daemon->bots);
    accounts_destroy(daemon->accounts);
    const int busy = uv_loop_close(&daemon->loop);
    log_event(busy == 0 ? LOG_INFO : LOG_ERROR, "closed", "handles_left=%s",
              busy == 0 ? "no" : "yes");
}

static int serve(struct settings *settings)
{
    struct daemon daemon = {.settings = settings};
    char error[256] = "it does not start";
    (void)mallopt(M_ARENA_MAX, 2); /* the loop and the writer: more arenas only hold memory */
    raise_files(settings);
    uv_loop_init(&daemon.loop);
    watch_signals(&daemon);
    watch_clock(&daemon);
    log_event(LOG_INFO, "starting", "version=" VEDETTE_VERSION " database=\"%s\"",
              settings->database);
    if (start_parts(&daemon, error) != ERR_OK) {
        log_event(LOG_ERROR, "start_failed", "why=\"%s\"", error);
        outward_close(&daemon.outward);
        if (daemon.store != NULL) {
            store_close(daemon.store, on_store_closed, &daemon);
            uv_run(&daemon.loop, UV_RUN_DEFAULT);
        } else {
            close_handles(&daemon);
        }
        tear_down(&daemon);
        return EXIT_REFUSED;
    }
    announce(&daemon);
    if (daemon.early) { on_signal(&daemon.on_term, SIGTERM); }
    uv_run(&daemon.loop, UV_RUN_DEFAULT);
    tear_down(&daemon);
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    static struct settings settings;
    if (sodium_init() < 0) { return EXIT_REFUSED; }
    (void)clock_now_ms(); /* from here on nobody sets our clock */
    if (!settings_read(&settings, argc, argv)) { return EXIT_USAGE; }
    /* A command says what it did by itself. */
    const bool quiet = settings.words_count > 0 && !settings.cli_log_level;
    log_set_level(quiet ? LOG_WARN : settings.log_level);
    return settings.words_count > 0 ? command_run(&settings) : serve(&settings);
}
