/* client-cli/main.c: `vedette`: reads the command line and runs a command. */
#include <argp.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/cli.h"
#include "client-cli/records/case.h"
#include "common/words/words.h"

const char *argp_program_version = "vedette " VEDETTE_VERSION;

/* Options that every command takes are of capital keys; the others stand in `takes` of a command.
 */
const struct cli_option cli_option_table[] = {
    {"server", 'S', "URL"},     {"account", 'A', "NAME"},
    {"json", 'J', NULL},        {"password-file", 'P', "FILE"},
    {"insecure", 'I', NULL},    {"no-color", 'C', NULL},
    {"language", 'L', "CODE"},  {"seat", 's', "SEAT"},
    {"as", 'v', "VIEWER"},      {"code", 'c', "CODE"},
    {"title", 't', "TEXT"},     {"access", 'x', "HOW"},
    {"spectators", 'w', "WHO"}, {"option", 'o', "NAME=VALUE"},
    {"invite", 'n', "NAME"},    {"email", 'e', "ADDRESS"},
    {"filter", 'f', "FILTER"},  {"from", 'b', "SEQ"},
    {"limit", 'l', "N"},        {"all", 'a', NULL},
    {"plain", 'p', NULL},       {"policy", 'y', "NAME"},
    {"match", 'm', "MATCH"},    {"any", 'g', NULL},
    {"invited", '5', NULL},     {"bot", '4', NULL},
    {"game", 'G', "GAME"},      {"seed", 'r', "N"},
    {"once", '1', NULL},        {"output", '2', "FILE"},
    {"receipts", '3', "FILE"},  {"clock", 'k', "KIND|JSON"},
    {"pace", 'q', "SPAN"},      {"delay", 'd', "TURNS"},
    {"no-talk", 'z', NULL},     {"reveal", '7', "WHEN"},
    {"consent", '8', NULL},     {"channel", '9', "CHANNEL"},
    {"orders", '6', NULL},      {NULL, 0, NULL},
};

struct parse {
    struct cli *cli;
    const struct command *command;
};

/* Says what is wrong with the command line, and ends. */
static void wrong(struct argp_state *state, const char *id, const char *text)
{
    struct buf out;
    buf_init(&out, CLI_TEXT_MAX);
    words_say_within(&out, id, "text", text, NULL);
    argp_error(state, "%s", buf_str(&out));
    buf_finish(&out);
}

static error_t take_list(const char **list, size_t *count, char *arg, struct argp_state *state)
{
    if (*count == CLI_LIST_MAX) { wrong(state, "cli.wrong.many_of_one", ""); }
    list[(*count)++] = arg;
    return 0;
}

static long take_number(const char *arg, struct argp_state *state)
{
    char *end = NULL;
    long value = strtol(arg, &end, 10);
    if (end == arg || *end != '\0' || value < 0) { wrong(state, "cli.wrong.number", arg); }
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
        if (!words_set_language(arg)) { wrong(state, "cli.wrong.language", arg); }
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
    case '6': opt->orders = true; break;
    case 'G': opt->game = arg; break;
    case 'r': opt->seed = take_number(arg, state); break;
    case '1': opt->once = true; break;
    case '2': opt->output = arg; break;
    case '3': opt->receipts = arg; break;
    case 'k': opt->clock = arg; break;
    case 'q': opt->pace = arg; break;
    case 'd': opt->delay = take_number(arg, state); break;
    case 'z': opt->no_talk = true; break;
    case '7': opt->reveal = arg; break;
    case '8': opt->consent = true; break;
    case '9': opt->channel = arg; break;
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
        if (cli->nargs == parse->command->max) { wrong(state, "cli.wrong.many", ""); }
        cli->args[cli->nargs++] = arg;
        return 0;
    }
    if (key == ARGP_KEY_END && parse->command != NULL && cli->nargs < parse->command->min) {
        wrong(state, "cli.wrong.few", "");
    }
    /* -o is --output where no game's --option is taken. */
    bool output =
        key == 'o' && parse->command != NULL && strchr(parse->command->takes, 'o') == NULL;
    return take_option(output ? '2' : key, arg, state, &cli->opt);
}

/* The table as argp wants it: the common options, and those of the command. Small letters are
 * options of one letter too; the other keys are put out of their way. */
enum { KEY_BASE = 0x1000, OPTIONS_MAX = 40, HELP_COLUMN = 30, HELP_WIDTH = 77 };
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
                                        .doc = cli_option_help(o),
                                        .group = common ? 1 : 0};
    }
    out[n++] = (struct argp_option){.key = 'h', .name = "h", .flags = OPTION_HIDDEN};
    out[n] = (struct argp_option){0};
}

static void indent(struct buf *text, int from)
{
    for (int width = from; width < HELP_COLUMN; width++) {
        buf_append_char(text, ' ');
    }
}

/* A command in the list of all: what is typed, and from the same column on what it is for, in a row
 * of its own where what is typed goes beyond it. */
static void list_command(struct buf *text, const char *name, const char *args)
{
    char line[256], word[64];
    snprintf(line, sizeof line, "  %s %s", name, args);
    int at = words_width(line);
    buf_append_str(text, line);
    if (at >= HELP_COLUMN) { buf_append_char(text, '\n'); }
    indent(text, at >= HELP_COLUMN ? 0 : at);
    at = HELP_COLUMN;
    for (const char *help = cli_command_help(name); *help != '\0';) {
        size_t n = strcspn(help, " "), blanks = strspn(help + n, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, help);
        if (at > HELP_COLUMN && at + words_width(word) > HELP_WIDTH) {
            buf_append_char(text, '\n');
            indent(text, 0);
            at = HELP_COLUMN;
        }
        buf_append(text, help, n + blanks);
        at += words_width(word) + (int)blanks;
        help += n + blanks;
    }
    buf_append_char(text, '\n');
}

static char *list_commands(void)
{
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    words_say(&text, "cli.about", NULL);
    buf_append_str(&text, "\v");
    words_say(&text, "cli.about.commands", NULL);
    buf_append_str(&text, "\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        list_command(&text, c->name, c->args);
    }
    list_command(&text, "case", "FILE...");
    buf_append_str(&text, "\n");
    words_say(&text, "cli.about.exit", NULL);
    size_t n = 0;
    return buf_take(&text, &n);
}

/* The help is written before the options are read: --language is looked for by itself. */
static void take_language(struct cli *cli, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *code = NULL;
        if (strncmp(argv[i], "--language=", 11) == 0) {
            code = argv[i] + 11;
        } else if (strcmp(argv[i], "--language") == 0 && i + 1 < argc) {
            code = argv[++i];
        }
        if (code != NULL && words_set_language(code)) { cli->language_known = true; }
    }
}

/* Its remark on arguments says what the lists show; and argp breaks lines by their bytes, of which
 * other scripts have more to a cell. */
static void set_help_format(void)
{
    bool latin = strcmp(words_language(), "en") == 0 || strcmp(words_language(), "fr") == 0;
    setenv("ARGP_HELP_FMT", latin ? "no-dup-args-note" : "no-dup-args-note,rmargin=118", 0);
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
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    buf_append_str(&text, cli_command_help(command->name));
    buf_append_str(&text, "\v");
    cli_more(&text, command->name);
    size_t length = 0;
    char *doc = buf_take(&text, &length);
    struct argp argp = {options, on_key, command->args, doc, NULL, NULL, NULL};
    enum status status = WRONG_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &parse) == 0) { status = command->run(cli); }
    cli_close(cli);
    free(doc);
    free(args);
    return status;
}

/* The language of LC_ALL, LC_MESSAGES or LANG, whichever is the first that is set. False: it names
 * none that there is a catalogue for. */
static bool set_language_of_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *locale = getenv(names[i]);
        if (locale != NULL && locale[0] != '\0') { return words_set_language(locale); }
    }
    return false;
}

/* The locale of the environment. One that this machine has not got would leave a terminal that does
 * speak UTF-8, as the name of the locale says, with question marks: it is still told of UTF-8. */
static void take_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    static const char *const codes[] = {"UTF-8", "utf-8", "UTF8", "utf8"};
    if (setlocale(LC_ALL, "") != NULL) { return; }
    const char *locale = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && locale == NULL; i++) {
        locale = getenv(names[i]);
        if (locale != NULL && locale[0] == '\0') { locale = NULL; }
    }
    for (size_t i = 0; i < sizeof codes / sizeof codes[0] && locale != NULL; i++) {
        if (strstr(locale, codes[i]) == NULL) { continue; }
        setlocale(LC_CTYPE, "C.UTF-8");
        return;
    }
}

int main(int argc, char **argv)
{
    take_locale();
    signal(SIGPIPE, SIG_IGN);
    argp_err_exit_status = WRONG_USAGE;
    struct cli cli = {0};
    cli.language_known = set_language_of_locale();
    take_language(&cli, argc, argv);
    set_help_format();
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
            cli_say_with("cli.wrong.command", "text", cli.args[0]);
        } else {
            status = (int)run_command(&cli, command, cli.nargs, cli.args);
        }
    }
    free(doc);
    return status;
}
