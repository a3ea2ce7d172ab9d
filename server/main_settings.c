/* server/main_settings.c: see main_settings.h. */
#include "server/main_settings.h"

#include <argp.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20 };

const char *argp_program_version = "vedetted " VEDETTE_VERSION;

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
        if (settings->words_count == SETTINGS_WORDS_MAX) { argp_usage(state); }
        settings->words[settings->words_count++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse_option,
    "\ncheck\nbackup FILE\nrestore FILE\nexport MATCH\nimport FILE\nreports [all | close NUMBER | "
    "networks]\n"
    "account list\naccount "
    "create|password|delete NAME\naccount disable|enable|reset NAME\naccount rename NAME NEW\n"
    "account role NAME admin|referee|organiser on|off\naccount show|audit NAME",
    "The daemon of Vedette: keeps matches of wargames with hidden information.\v"
    "Without a command it serves. check replays every stored match and compares; backup copies the "
    "database, also while a daemon runs. restore puts such a copy in the place of the database and "
    "says so in every running match. export writes a running match with its secret to standard "
    "output; import takes it in and prints how its seats are taken. account reads a password from "
    "standard input; reset prints a token for `vedette reset`. reports lists what players have "
    "reported to the host, or in which matches two people sit who signed in from one network. "
    "backup, export, account and reports work on a database that a daemon "
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

bool settings_read(struct settings *settings, int argc, char **argv)
{
    settings->database = "vedette.db";
    settings->bots = "waterloo:2 austerlitz:2 random:1 caretaker:2";
    settings->log_level = LOG_INFO;
    settings->net.back_in_s = 5;
    settings->net.ping_s = 30;
    net_limits_default(&settings->net.limits);
    notify_settings_init(&settings->notify);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, settings);
    if (!read_config(settings)) { return false; }
    if (settings->error[0] != '\0') {
        fprintf(stderr, "vedetted: %s\n", settings->error);
        return false;
    }
    if (settings->net.listens == 0) { add_listen(settings, "127.0.0.1:1815"); }
    return true;
}
