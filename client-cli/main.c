/* client-cli/main.c: `vedette`: reads the command line and runs a command. */
#include <argp.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/case.h"
#include "client-cli/cli.h"
#include "client-cli/words.h"

const char *argp_program_version = "vedette " VEDETTE_VERSION;

/* Options that every command takes are of capital keys; the others stand in `takes` of a command.
 */
const struct cli_option cli_option_table[] = {
    {"server", 'S', "URL", "The server (default http://localhost:1815, or VEDETTE_SERVER)"},
    {"account", 'A', "NAME", "The account to act for (default: the last to sign in)"},
    {"json", 'J', NULL, "Print JSON, one document a line"},
    {"password-file", 'P', "FILE", "Read the password from FILE"},
    {"insecure", 'I', NULL, "Accept any certificate"},
    {"no-color", 'C', NULL, "No colours (NO_COLOR does the same)"},
    {"language", 'L', "CODE", "en, fr, ja, ru or zh (default: LC_ALL, LANG, the account's)"},
    {"seat", 's', "SEAT", "The seat to take: FR, AL, AD, PR"},
    {"as", 'v', "VIEWER", "Whose eyes: a seat, public, or all after the reveal"},
    {"code", 'c', "CODE", "The code of an invitation"},
    {"title", 't', "TEXT", "A title for the match"},
    {"access", 'x', "HOW", "Who may join: open (default), invite, private"},
    {"spectators", 'w', "WHO", "Who may watch: none (default), public"},
    {"option", 'o', "NAME=VALUE", "An option of the game (vedette games); may be repeated"},
    {"invite", 'n', "NAME", "Invite an account; may be repeated"},
    {"email", 'e', "ADDRESS", "An address for notices"},
    {"filter", 'f', "FILTER", "mine (default), open, running, finished"},
    {"from", 'b', "SEQ", "First step to show"},
    {"limit", 'l', "N", "At most so many"},
    {"all", 'a', NULL, "Every connection of the account"},
    {"plain", 'p', NULL, "Lines of text instead of a full screen"},
    {"policy", 'y', "NAME", "How the bot plays: random, waterloo"},
    {"match", 'm', "MATCH", "Play this match alone"},
    {"any", 'g', NULL, "Also join open matches"},
    {"invited", '5', NULL, "Also join where it is invited, and let the server say so"},
    {"bot", '4', NULL, "The account of a program"},
    {"game", 'G', "GAME", "Only matches of this game"},
    {"seed", 'r', "N", "Seed of the bot's choices"},
    {"once", '1', NULL, "Stop when no match is left to play"},
    {"output", '2', "FILE", "Write to FILE; - is standard output"},
    {"receipts", '3', "FILE", "Check these receipts too"},
    {NULL, 0, NULL, NULL},
};

struct parse {
    struct cli *cli;
    const struct command *command;
};

static error_t take_list(const char **list, size_t *count, char *arg, struct argp_state *state)
{
    if (*count == CLI_LIST_MAX) { argp_error(state, "too many of one option"); }
    list[(*count)++] = arg;
    return 0;
}

static long take_number(const char *arg, struct argp_state *state)
{
    char *end = NULL;
    long value = strtol(arg, &end, 10);
    if (end == arg || *end != '\0' || value < 0) { argp_error(state, "%s is no number", arg); }
    return value;
}

static error_t take_option(int key, char *arg, struct argp_state *state, struct cli_options *opt)
{
    switch (key) {
    case 'S': opt->server = arg; break;
    case 'A': opt->account = arg; break;
    case 'J': opt->json = true; break;
    case 'P': opt->password_file = arg; break;
    case 'I': opt->insecure = true; break;
    case 'C': opt->no_color = true; break;
    case 'L':
        if (!words_set_language(arg)) { argp_error(state, "no language %s", arg); }
        opt->language = arg;
        break;
    case 's': opt->seat = arg; break;
    case 'v': opt->as = arg; break;
    case 'c': opt->code = arg; break;
    case 't': opt->title = arg; break;
    case 'x': opt->access = arg; break;
    case 'w': opt->spectators = arg; break;
    case 'o': return take_list(opt->option, &opt->options, arg, state);
    case 'n': return take_list(opt->invite, &opt->invites, arg, state);
    case 'e': opt->email = arg; break;
    case 'f': opt->filter = arg; break;
    case 'b': opt->from = take_number(arg, state); break;
    case 'l': opt->limit = take_number(arg, state); break;
    case 'a': opt->all = true; break;
    case 'p': opt->plain = true; break;
    case 'y': opt->policy = arg; break;
    case 'm': opt->match = arg; break;
    case 'g': opt->any = true; break;
    case '4': opt->bot = true; break;
    case '5': opt->invited = true; break;
    case 'G': opt->game = arg; break;
    case 'r': opt->seed = take_number(arg, state); break;
    case '1': opt->once = true; break;
    case '2': opt->output = arg; break;
    case '3': opt->receipts = arg; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t on_arg(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct cli *cli = parse->cli;
    if (key == ARGP_KEY_ARG) {
        if (parse->command == NULL) { /* the command's name: all else is its own */
            state->next--;
            cli->args = state->argv + state->next;
            cli->nargs = state->argc - state->next;
            state->next = state->argc;
            return 0;
        }
        if (cli->nargs == parse->command->max) { argp_error(state, "too many arguments"); }
        cli->args[cli->nargs++] = arg;
        return 0;
    }
    if (key == ARGP_KEY_END && parse->command != NULL && cli->nargs < parse->command->min) {
        argp_error(state, "too few arguments");
    }
    /* -o is --output where no game's --option is taken. */
    bool output =
        key == 'o' && parse->command != NULL && strchr(parse->command->takes, 'o') == NULL;
    return take_option(output ? '2' : key, arg, state, &cli->opt);
}

/* The table as argp wants it: the common options, and those of the command. Small letters are
 * options of one letter too; the other keys are put out of their way. */
enum { KEY_BASE = 0x1000, OPTIONS_MAX = 40 };
static error_t on_key(int key, char *arg, struct argp_state *state)
{
    if (key == 'h') { argp_state_help(state, stdout, ARGP_HELP_STD_HELP); }
    return on_arg(key >= KEY_BASE && key < KEY_BASE + 256 ? key - KEY_BASE : key, arg, state);
}

static void fill_options(struct argp_option *out, const char *takes)
{
    size_t n = 0;
    for (const struct cli_option *o = cli_option_table; o->name != NULL && n < OPTIONS_MAX - 2;
         o++) {
        bool common = o->key >= 'A' && o->key <= 'Z' && o->key != 'G';
        if (!common && strchr(takes, o->key) == NULL) { continue; }
        out[n++] = (struct argp_option){.name = o->name,
                                        .key = o->key == '2'                    ? 'o'
                                               : o->key >= 'a' && o->key <= 'z' ? o->key
                                                                                : KEY_BASE + o->key,
                                        .arg = o->arg,
                                        .doc = o->help,
                                        .group = common ? 1 : 0};
    }
    out[n++] = (struct argp_option){.key = 'h', .name = "h", .flags = OPTION_HIDDEN};
    out[n] = (struct argp_option){0};
}

static char *list_commands(void)
{
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    buf_append_str(&text, "Plays wargames on a Vedette server.\v"
                          "Commands (vedette COMMAND --help says more):\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        char line[256];
        char head[80];
        snprintf(head, sizeof head, "%s %s", c->name, c->args);
        snprintf(line, sizeof line, "  %-27s %s\n", head, c->help);
        buf_append_str(&text, line);
    }
    buf_append_str(&text, "  case FILE...                Run case files against the rules\n"
                          "\nExit status: 0 done, 1 refused, 2 wrong usage, 3 no connection.");
    size_t n = 0;
    return buf_take(&text, &n);
}

static const struct command *find_command(const char *name)
{
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        if (strcmp(c->name, name) == 0) { return c; }
    }
    return NULL;
}

static enum status run_command(struct cli *cli, const struct command *command, int argc,
                               char **argv)
{
    struct argp_option options[OPTIONS_MAX];
    fill_options(options, command->takes);
    char name[64];
    snprintf(name, sizeof name, "vedette %s", command->name);
    char **args = calloc((size_t)argc + 1, sizeof *args);
    if (args == NULL) { return UNREACHABLE; }
    argv[0] = name;
    cli->args = args;
    cli->nargs = 0;
    struct parse parse = {cli, command};
    char doc[1024];
    snprintf(doc, sizeof doc, "%s\v%s", command->help, cli_more(command->name));
    struct argp argp = {options, on_key, command->args, doc, NULL, NULL, NULL};
    enum status status = WRONG_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &parse) == 0) { status = command->run(cli); }
    cli_close(cli);
    free(args);
    return status;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    signal(SIGPIPE, SIG_IGN);
    argp_err_exit_status = WRONG_USAGE;
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* its remark says what the lists show */
    struct cli cli = {0};
    cli.language_known = words_set_language_of_locale();
    struct argp_option options[OPTIONS_MAX];
    fill_options(options, "");
    char *doc = list_commands();
    struct parse parse = {&cli, NULL};
    struct argp argp = {options, on_key, "COMMAND ...", doc, NULL, NULL, NULL};
    int status = WRONG_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &parse) != 0) {
        status = WRONG_USAGE;
    } else if (cli.nargs == 0) {
        argp_help(&argp, stderr, ARGP_HELP_SEE | ARGP_HELP_SHORT_USAGE, argv[0]);
    } else if (strcmp(cli.args[0], "case") == 0) {
        status = cli_case(cli.nargs - 1, cli.args + 1);
    } else {
        const struct command *command = find_command(cli.args[0]);
        if (command == NULL) {
            fprintf(stderr, "vedette: no command %s; vedette --help lists them\n", cli.args[0]);
        } else {
            status = (int)run_command(&cli, command, cli.nargs, cli.args);
        }
    }
    free(doc);
    return status;
}
