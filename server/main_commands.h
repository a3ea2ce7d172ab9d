/* server/main_commands.h: what `vedetted COMMAND` does instead of serving. */
#ifndef VEDETTE_SERVER_MAIN_COMMANDS_H
#define VEDETTE_SERVER_MAIN_COMMANDS_H

struct settings;

/* Runs the command that the words of settings name, of which there is at least one. The exit
 * status of DESIGN section 11; what went wrong is said on standard error. */
int command_run(const struct settings *settings);

#endif
