/* server/main_settings.h: what the command line and the configuration file say. */
#ifndef VEDETTE_SERVER_MAIN_SETTINGS_H
#define VEDETTE_SERVER_MAIN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/log.h"
#include "server/lobby/admin.h"
#include "server/main_notify.h"
#include "server/net/net.h"

#ifndef VEDETTE_VERSION
#define VEDETTE_VERSION "0"
#endif

/* Exit status of DESIGN section 11. */
enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2 };
enum { SETTINGS_WORDS_MAX = 1 + ADMIN_WORDS_MAX };

/* Texts live as long as the process. */
struct settings {
    const char *config_path, *database, *words[SETTINGS_WORDS_MAX];
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
/* The defaults, then the command line, then the configuration file that it names (INI), where the
 * command line wins. A usage error ends the process as argp does; --help and --version too. False:
 * what the file says cannot be meant; said on standard error. */
bool settings_read(struct settings *settings, int argc, char **argv);

#endif
