/* client-cli/cli.h: what the commands of `vedette` share: options, the connection, how results and
 * refusals are shown. */
#ifndef VEDETTE_CLIENT_CLI_CLI_H
#define VEDETTE_CLIENT_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cjson/cJSON.h>
#include <uv.h>

#include "client-cli/net/conn.h"
#include "client-cli/net/creds.h"
#include "client-cli/net/keep.h"
#include "client-cli/net/url.h"
#include "common/base/buf.h"

/* Exit status (DESIGN 11). */
enum status { DONE = 0, REFUSED = 1, WRONG_USAGE = 2, UNREACHABLE = 3 };
enum { CLI_LIST_MAX = 32, CLI_TEXT_MAX = 1 << 20 };

/* Every option of every command; NULL, false or 0 where not given. */
struct cli_options {
    const char *server, *account, *password_file;
    const char *seat, *as, *code, *title, *access, *spectators, *email, *filter, *policy, *match,
        *game;
    const char *output, *receipts;
    const char *language;
    const char *clock, *pace, *reveal, *channel;
    const char *option[CLI_LIST_MAX], *invite[CLI_LIST_MAX];
    size_t options, invites;
    long from, limit, seed, delay;
    bool consent, no_talk;
    bool json, no_color, insecure, all, plain, any, once, bot, invited, orders;
};

struct cli {
    struct cli_options opt;
    char **args; /* positional arguments, opt ones taken out */
    int nargs;
    struct url url;
    struct creds *creds;
    struct keep keep; /* what this machine keeps of matches */
    uv_loop_t loop;
    bool loop_open;
    struct conn *conn;
    const char *account; /* in use; NULL: none */
    char game[32];       /* of the match that is spoken of, where it is known */
    bool language_known; /* by the locale; else the account's setting counts */
};

/* Reads the address and the credentials and makes the connection (nothing is sent yet). */
enum status cli_open(struct cli *cli, const struct conn_events *events);
void cli_close(struct cli *cli);
/* Calls and waits. DONE: out_result is the caller's. Else the refusal stands on standard error. */
enum status cli_call(struct cli *cli, const char *method, const char *params, cJSON **out_result);
/* Says an error, or that there was no answer, on standard error. */
enum status cli_judge(struct cli *cli, const cJSON *result, cJSON *take_error);
/* The same for an answer that is only shown with --json. */
enum status cli_do(struct cli *cli, const char *method, const char *params, const char *said);
/* Says a refusal on standard error: a sentence, or the error object with --json. */
void cli_show_error(const struct cli *cli, const cJSON *error);
/* Says on standard error that the server is not to be reached. */
void cli_say_unreachable(const struct cli *cli);
/* Says a message on standard error, without arguments or with one. */
void cli_say(const char *id);
void cli_say_with(const char *id, const char *name, const char *value);
/* Prints json on one line, with nothing in it that a terminal would obey. */
void cli_print_json(const cJSON *json);
void cli_print_json_text(const char *json);
/* Speaks the language of the account, where neither --language nor the locale named one. */
void cli_take_language(struct cli *cli);
/* The password: from --password-file, VEDETTE_PASSWORD or the terminal, without echo; prompt
 * is the id of a message. False: none
 * (said on standard error). */
bool cli_password(const struct cli *cli, const char *prompt, char *out, size_t bytes);
/* A secret from the terminal alone, without echo; prompt is the id of a message. False: none. */
bool cli_ask_secret(const char *prompt, char *out, size_t bytes);
/* Text of one line that a terminal may be shown: control characters are taken out (text.h). */
void cli_print_text(FILE *to, const char *text);
/* The rest of a line of standard output that has reached that column, and its end. What a terminal
 * has no room for goes on in rows of its own from that column on, broken between words. */
void cli_print_folded(int indent, const char *text);
/* Whole lines on standard output, each folded below its own first column. */
void cli_print_lines(const char *text);
/* "vedette: " and a line on standard error, cleaned alike. */
void cli_complain(const char *text);

/* The commands that are files of their own. */
enum status cli_play(struct cli *cli);
enum status cli_watch(struct cli *cli);
enum status cli_bot(struct cli *cli);
enum status cli_completion(struct cli *cli);
/* Says whether name is one of cli_commands and what it is for (completion). */
struct command {
    const char *name, *args;
    const char *takes; /* letters of the options it takes beside the common ones */
    int min, max;      /* positional arguments */
    enum status (*run)(struct cli *cli);
};
extern const struct command cli_commands[];
/* What a command and an option are for, in the language spoken (more.c). */
const char *cli_command_help(const char *name);
struct cli_option {
    const char *name;
    int key;
    const char *arg;
};
extern const struct cli_option cli_option_table[];
const char *cli_option_help(const struct cli_option *option);
/* What the help of a command says below its options; nothing for many. */
void cli_more(struct buf *out, const char *command);

#endif
