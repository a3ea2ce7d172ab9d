/* server/main.c: the daemon: options, wiring, signals, the way down (DESIGN sections 5 and 11). */
#include <argp.h>
#include <errno.h>
#include <ini.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include <sodium.h>
#include <uv.h>

#include "common/base/buf.h"
#include "common/rules/game.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/bots/bots.h"
#include "server/clock/zone.h"
#include "server/lobby/accounts.h"
#include "server/lobby/admin.h"
#include "server/lobby/matches.h"
#include "server/lobby/reports.h"
#include "server/main_notify.h"
#include "server/match/carry.h"
#include "server/match/courier.h"
#include "server/match/depart.h"
#include "server/match/look.h"
#include "server/match/match.h"
#include "server/match/seats.h"
#include "server/net/net.h"
#include "server/net/web.h"
#include "server/store/backup.h"
#include "server/store/store.h"

#ifndef VEDETTE_VERSION
#define VEDETTE_VERSION "0"
#endif

/* Exit status of DESIGN section 11. */
enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2 };
enum {
    WORDS_MAX = 1 + ADMIN_WORDS_MAX,
    DRAIN_POLL_MS = 5,
    MIB = 1 << 20,
    HELD_BYTES = 512,
    GAMES_SHOWN_MAX = 16
};

const char *argp_program_version = "vedetted " VEDETTE_VERSION;

/* What options and the configuration file say; texts live as long as the process. */
struct settings {
    const char *config_path, *database, *words[WORDS_MAX];
    size_t words_count;
    bool cli_listen, cli_database, cli_log_level, cli_web;
    enum log_level log_level;
    struct net_config net;
    struct notify_settings notify;
    unsigned matches_per_account;
    bool say_freely;
    size_t memory_bytes_max;
    char error[256], web[1024];
    const char *bots, *bots_program; /* kinds; the client, NULL: looked for */
    char bots_folder[1024];
    const char *no_web; /* the word of the configuration that said so */
};

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

/* --- options -----------------------------------------------------------------------------------
 */

static const struct argp_option argp_options[] = {
    {"config", 'c', "FILE", 0, "Read settings from FILE (INI)", 0},
    {"listen", 'l', "ADDR:PORT", 0,
     "Listen there, may be given several times; port 0 takes a free one "
     "(127.0.0.1:1815)",
     0},
    {"database", 'd', "FILE", 0, "The database (vedette.db)", 0},
    {"web", 'w', "DIR", 0,
     "Serve the browser client built there; none: serve none (where it was built or installed)", 0},
    {"log-level", 'L', "LEVEL", 0, "error, warn, info or debug (info)", 0},
    {0},
};

static void add_listen(struct settings *settings, const char *text)
{
    if (settings->net.listens == NET_LISTENS_MAX) {
        snprintf(settings->error, sizeof settings->error, "at most %d addresses to listen on",
                 NET_LISTENS_MAX);
        return;
    }
    settings->net.listen[settings->net.listens++] = text;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct settings *settings = state->input;
    switch (key) {
    case 'c': settings->config_path = arg; return 0;
    case 'l':
        settings->cli_listen = true;
        add_listen(settings, arg);
        return 0;
    case 'd':
        settings->cli_database = true;
        settings->database = arg;
        return 0;
    case 'w':
        settings->cli_web = true;
        settings->net.web = arg;
        return 0;
    case 'L':
        settings->cli_log_level = true;
        if (!log_level_read(arg, &settings->log_level)) {
            argp_error(state, "no such level: %s", arg);
        }
        return 0;
    case ARGP_KEY_ARG:
        if (settings->words_count == WORDS_MAX) { argp_usage(state); }
        settings->words[settings->words_count++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse_option,
    "\ncheck\nbackup FILE\nrestore FILE\nexport MATCH\nimport FILE\nreports [all | close NUMBER]\n"
    "account list\naccount "
    "create|password|delete NAME\naccount disable|enable|reset NAME\naccount rename NAME NEW\n"
    "account role NAME admin|referee|organiser on|off\naccount show|audit NAME",
    "The daemon of Vedette: keeps matches of wargames with hidden information.\v"
    "Without a command it serves. check replays every stored match and compares; backup copies the "
    "database, also while a daemon runs. restore puts such a copy in the place of the database and "
    "says so in every running match. export writes a running match with its secret to standard "
    "output; import takes it in and prints how its seats are taken. account reads a password from "
    "standard input; reset prints a token for `vedette reset`. reports lists what players have "
    "reported to the host. backup, export, account and reports work on a database that a daemon "
    "serves, the others need one that none holds.",
    NULL,
    NULL,
    NULL};

/* --- the configuration file --------------------------------------------------------------------
 */

static bool read_number(const char *text, long max, long *out)
{
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 0 || value > max) { return false; }
    *out = value;
    return true;
}

/* N a second, at once twice as many; 0: no limit. */
static bool set_rate(struct rate *rate, const char *value)
{
    long n = 0;
    if (!read_number(value, 1000000, &n)) { return false; }
    *rate = rate_per_second((uint32_t)n, (uint32_t)(n * 2));
    return true;
}

static bool set_limit(struct settings *settings, const char *name, const char *value)
{
    struct net_limits *limits = &settings->net.limits;
    long n = 0;
    if (strcmp(name, "rates") == 0) {
        if (strcmp(value, "on") == 0) { return true; }
        if (strcmp(value, "off") != 0) { return false; }
        const struct rate none = {0, 0};
        limits->connection = limits->account = limits->address = none;
        limits->register_address = limits->fail_name_address = none;
        limits->fail_address = limits->fail_name = limits->fail_code = none;
        limits->mail_name = limits->mail_address = none;
        settings->say_freely = true;
        return true;
    }
    if (strcmp(name, "calls_per_connection") == 0) { return set_rate(&limits->connection, value); }
    if (strcmp(name, "calls_per_account") == 0) { return set_rate(&limits->account, value); }
    if (strcmp(name, "calls_per_address") == 0) { return set_rate(&limits->address, value); }
    if (strcmp(name, "connections") == 0) {
        if (!read_number(value, 1000000, &n) || n == 0) { return false; }
        limits->connections_max = (uint32_t)n;
        return true;
    }
    if (strcmp(name, "matches_per_account") == 0) {
        if (!read_number(value, 1000000, &n) || n == 0) { return false; }
        settings->matches_per_account = (unsigned)n;
        return true;
    }
    if (strcmp(name, "memory_mib") == 0) {
        if (!read_number(value, 1000000, &n) || n == 0) { return false; }
        settings->memory_bytes_max = (size_t)n * MIB;
        return true;
    }
    return false;
}

static bool set_server(struct settings *settings, const char *name, const char *value)
{
    if (strcmp(name, "url") == 0) { return notify_settings_set(&settings->notify, name, value); }
    struct net_config *net = &settings->net;
    const bool is_text = strcmp(name, "listen") == 0 || strcmp(name, "database") == 0 ||
                         strcmp(name, "origins") == 0 || strcmp(name, "metrics_from") == 0 ||
                         strcmp(name, "proxies") == 0 || strcmp(name, "web") == 0 ||
                         strcmp(name, "bots") == 0 || strcmp(name, "bots_program") == 0;
    if (strcmp(name, "log_level") == 0) {
        enum log_level level;
        if (!log_level_read(value, &level)) { return false; }
        if (!settings->cli_log_level) { settings->log_level = level; }
        return true;
    }
    if (strcmp(name, "metrics") == 0) {
        net->metrics_work = strcmp(value, "work") == 0;
        return net->metrics_work || strcmp(value, "house") == 0;
    }
    if (strcmp(name, "back_in_s") == 0) {
        long n = 0;
        if (!read_number(value, 86400, &n)) { return false; }
        net->back_in_s = (uint32_t)n;
        return true;
    }
    if (strcmp(name, "ping_s") == 0) {
        long n = 0;
        if (!read_number(value, 30, &n) || n == 0) { return false; }
        net->ping_s = (uint32_t)n;
        return true;
    }
    if (!is_text) { return false; }
    const char *text = strdup(value); /* for as long as the process lives */
    if (text == NULL) { return false; }
    if (strcmp(name, "origins") == 0) {
        net->origins = text;
        return true;
    }
    if (strcmp(name, "metrics_from") == 0) {
        net->metrics_from = text;
        return true;
    }
    if (strcmp(name, "proxies") == 0) {
        net->proxies = text;
        return true;
    }
    if (strcmp(name, "bots") == 0) {
        settings->bots = text;
        return true;
    }
    if (strcmp(name, "bots_program") == 0) {
        settings->bots_program = text;
        return true;
    }
    if (strcmp(name, "web") == 0 && !settings->cli_web) {
        net->web = text;
        return true;
    }
    if (strcmp(name, "listen") == 0 && !settings->cli_listen) {
        add_listen(settings, text);
        return true;
    }
    if (strcmp(name, "database") == 0 && !settings->cli_database) {
        settings->database = text;
        return true;
    }
    free((void *)(uintptr_t)text); /* the command line said otherwise */
    return true;
}

static int on_setting(void *user, const char *section, const char *name, const char *value)
{
    struct settings *settings = user;
    bool good = false;
    if (strcmp(section, "server") == 0) { good = set_server(settings, name, value); }
    if (strcmp(section, "limits") == 0) { good = set_limit(settings, name, value); }
    if (strcmp(section, "notify") == 0) {
        good = strcmp(name, "url") != 0 && notify_settings_set(&settings->notify, name, value);
    }
    if (!good && settings->error[0] == '\0') {
        snprintf(settings->error, sizeof settings->error, "[%.40s] %.40s = %.80s", section, name,
                 value);
    }
    return good ? 1 : 0;
}

static bool read_config(struct settings *settings)
{
    if (settings->config_path == NULL) { return true; }
    int line = ini_parse(settings->config_path, on_setting, settings);
    if (line == 0) { return true; }
    if (line < 0) {
        fprintf(stderr, "vedetted: cannot read %s\n", settings->config_path);
    } else {
        fprintf(stderr, "vedetted: %s line %d is not understood: %s\n", settings->config_path, line,
                settings->error);
    }
    return false;
}

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

/* --- commands ----------------------------------------------------------------------------------
 */

static void print_line(void *ctx, const char *line)
{
    puts(line);
}

/* A line is printed when the next one comes: the last of a check that could not begin says why. */
static void hold_line(void *ctx, const char *line)
{
    char *held = ctx;
    if (held[0] != '\0') { puts(held); }
    snprintf(held, HELD_BYTES, "%s", line);
}

static int command_check(const struct settings *settings)
{
    uint64_t matches = 0, faults = 0;
    char held[HELD_BYTES] = "";
    enum err err = matches_check(settings->database, games, hold_line, held, &matches, &faults);
    if (err != ERR_OK) {
        fprintf(stderr, "vedetted: %s\n", held[0] != '\0' ? held : err_message(err));
        return EXIT_REFUSED;
    }
    if (held[0] != '\0') { puts(held); }
    printf("%llu matches, %llu faults\n", (unsigned long long)matches, (unsigned long long)faults);
    return faults == 0 ? EXIT_DONE : EXIT_REFUSED;
}

static int command_backup(const struct settings *settings, const char *to)
{
    char error[256];
    if (store_backup(settings->database, to, error) == ERR_OK) { return EXIT_DONE; }
    fprintf(stderr, "vedetted: %s\n", error);
    return EXIT_REFUSED;
}

static int command_restore(const struct settings *settings, const char *from)
{
    char error[256], kept[512];
    uint64_t count = 0;
    if (carry_restore(from, settings->database, &count, kept, error) != ERR_OK) {
        fprintf(stderr, "vedetted: %s\n", error);
        return EXIT_REFUSED;
    }
    printf("%llu running matches were marked as restored\n", (unsigned long long)count);
    if (kept[0] != '\0') { printf("what was there is kept as %s\n", kept); }
    return EXIT_DONE;
}

static int command_export(const struct settings *settings, const char *match)
{
    char error[256];
    struct buf text;
    buf_init(&text, CARRY_BYTES_MAX);
    enum err err = carry_export(settings->database, match, &text, error);
    bool written = err == ERR_OK && fwrite(text.data, 1, text.len, stdout) == text.len;
    written = fflush(stdout) == 0 && written;
    buf_finish(&text);
    if (err != ERR_OK) { fprintf(stderr, "vedetted: %s\n", error); }
    if (err == ERR_OK && !written) { fprintf(stderr, "vedetted: %s\n", strerror(errno)); }
    return written ? EXIT_DONE : EXIT_REFUSED;
}

/* The whole file. False: said on standard error. */
static bool read_file(const char *path, struct buf *out)
{
    char chunk[65536];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        fprintf(stderr, "vedetted: cannot open %s: %s\n", path, strerror(errno));
        return false;
    }
    for (size_t n = 0; (n = fread(chunk, 1, sizeof chunk, file)) > 0;) {
        buf_append(out, chunk, n);
    }
    bool good = ferror(file) == 0 && !out->failed && out->len > 0;
    fclose(file);
    if (!good) { fprintf(stderr, "vedetted: %s cannot be read, or is too long\n", path); }
    return good;
}

static int command_import(const struct settings *settings, const char *path)
{
    char error[256];
    struct buf text;
    struct carried carried;
    buf_init(&text, CARRY_BYTES_MAX);
    enum err err = ERR_INVALID_PARAMS;
    if (read_file(path, &text)) {
        err = carry_import(settings->database, text.data, text.len, games, &carried, error);
        if (err != ERR_OK) { fprintf(stderr, "vedetted: %s\n", error); }
    }
    buf_finish(&text);
    if (err != ERR_OK) { return EXIT_REFUSED; }
    for (unsigned i = 0; i < carried.seats; i++) {
        printf("vedette join %s --seat %s --code %s\n", carried.id.text, carried.codes[i],
               carried.join_codes[i]);
    }
    return EXIT_DONE;
}

/* A line of standard input, without echo on a terminal. NULL: none. */
static const char *read_password(char *out, size_t size)
{
    struct termios old, quiet;
    const bool terminal = tcgetattr(STDIN_FILENO, &old) == 0;
    if (terminal) {
        fputs("Password: ", stderr);
        quiet = old;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    const bool got = fgets(out, (int)size, stdin) != NULL;
    if (terminal) {
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &old);
        fputc('\n', stderr);
    }
    if (!got) { return NULL; }
    out[strcspn(out, "\r\n")] = '\0';
    return out;
}

static int command_account(const struct settings *settings)
{
    char error[ADMIN_ERROR_BYTES] = "", text[PASSWORD_BYTES_MAX + 16];
    struct admin_call call = {.database = settings->database, .write = print_line};
    for (size_t i = 1; i < settings->words_count; i++) {
        call.words[call.count++] = settings->words[i];
    }
    if (call.count > 0 && accounts_admin_needs_password(call.words[0])) {
        call.password = read_password(text, sizeof text);
    }
    enum err err = accounts_admin(&call, error);
    sodium_memzero(text, sizeof text);
    if (err == ERR_OK) { return EXIT_DONE; }
    fprintf(stderr, "vedetted: %s\n", error);
    return err == ERR_INVALID_PARAMS ? EXIT_USAGE : EXIT_REFUSED;
}

static int command_reports(const struct settings *settings)
{
    char error[256] = "";
    const char *verb = settings->words_count > 1 ? settings->words[1] : NULL;
    const char *number = settings->words_count > 2 ? settings->words[2] : NULL;
    enum err err = reports_admin(settings->database, verb, number, print_line, NULL, error);
    if (err == ERR_OK) { return EXIT_DONE; }
    fprintf(stderr, "vedetted: %s\n", error);
    return err == ERR_INVALID_PARAMS ? EXIT_USAGE : EXIT_REFUSED;
}

static int run_command(const struct settings *settings)
{
    const char *command = settings->words[0];
    const size_t words = settings->words_count;
    if (strcmp(command, "check") == 0 && words == 1) { return command_check(settings); }
    if (strcmp(command, "backup") == 0 && words == 2) {
        return command_backup(settings, settings->words[1]);
    }
    if (strcmp(command, "restore") == 0 && words == 2) {
        return command_restore(settings, settings->words[1]);
    }
    if (strcmp(command, "export") == 0 && words == 2) {
        return command_export(settings, settings->words[1]);
    }
    if (strcmp(command, "import") == 0 && words == 2) {
        return command_import(settings, settings->words[1]);
    }
    if (strcmp(command, "reports") == 0 && words <= 3) { return command_reports(settings); }
    if (strcmp(command, "account") == 0 && words >= 2) { return command_account(settings); }
    fprintf(stderr, "vedetted: no such command: %s (see --help)\n", command);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    static struct settings settings;
    settings.database = "vedette.db";
    settings.bots = "waterloo:2 austerlitz:2 random:1 caretaker:2";
    settings.log_level = LOG_INFO;
    settings.net.back_in_s = 5;
    settings.net.ping_s = 30;
    net_limits_default(&settings.net.limits);
    notify_settings_init(&settings.notify);
    argp_err_exit_status = EXIT_USAGE;
    if (sodium_init() < 0) { return EXIT_REFUSED; }
    (void)clock_now_ms(); /* from here on nobody sets our clock */
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    if (!read_config(&settings)) { return EXIT_USAGE; }
    if (settings.error[0] != '\0') {
        fprintf(stderr, "vedetted: %s\n", settings.error);
        return EXIT_USAGE;
    }
    /* A command says what it did by itself. */
    const bool quiet = settings.words_count > 0 && !settings.cli_log_level;
    log_set_level(quiet ? LOG_WARN : settings.log_level);
    if (settings.words_count > 0) { return run_command(&settings); }
    if (settings.net.listens == 0) { add_listen(&settings, "127.0.0.1:1815"); }
    return serve(&settings);
}
