/* client-cli/completion.c: completion scripts for three shells, made from the tables of commands
 * and options. */
#include <stdio.h>
#include <string.h>

#include "client-cli/cli.h"

static bool option_fits(const struct command *command, const struct cli_option *option)
{
    bool common = option->key >= 'A' && option->key <= 'Z' && option->key != 'G';
    return common || strchr(command->takes, option->key) != NULL;
}

/* The names of the games of the server, as a command of the shell. */
static const char games_now[] = "vedette games 2>/dev/null | grep -o \"^[a-z0-9-]*\"";

static bool takes_files(const struct command *c)
{
    return strcmp(c->name, "verify") == 0 || strcmp(c->name, "record") == 0;
}

static bool takes_game(const struct command *c)
{
    return strncmp(c->args, "GAME", 4) == 0 || strcmp(c->args, "[GAME]") == 0;
}

/* Words that may follow the match, with a blank before each. */
static const char *words_after(const struct command *c)
{
    if (strcmp(c->name, "offer") == 0) { return " draw abort rewind pause resume time reopen"; }
    if (strcmp(c->name, "answer") == 0) { return " yes no"; }
    if (strcmp(c->name, "orders") == 0) { return " add drop set clear"; }
    if (strcmp(c->name, "draft") == 0) { return " clear commit"; }
    if (strcmp(c->name, "ask") == 0) {
        return " odds reach way retreats range control obliged encircled row";
    }
    if (strcmp(c->name, "claim") == 0) { return " win grant annul ally convert"; }
    if (strcmp(c->name, "talk") == 0) { return " table side watchers"; }
    return strcmp(c->name, "record") == 0 ? " show" : "";
}

/* Text between single quotes, for all three shells. */
static void print_quoted(const char *before, const char *text)
{
    printf("'%s", before);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            printf("'\\''");
        } else {
            putchar(*c);
        }
    }
    putchar('\'');
}

static void print_names(void)
{
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        printf("%s ", c->name);
    }
    printf("case");
}

static void bash(void)
{
    printf("_vedette() {\n    local cur=\"${COMP_WORDS[COMP_CWORD]}\" cmd=\"\" i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case \"${COMP_WORDS[i]}\" in\n        ");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        printf("%s|", c->name);
    }
    printf("case) cmd=\"${COMP_WORDS[i]}\"; break ;;\n        esac\n    done\n"
           "    case \"$cmd\" in\n    \"\") COMPREPLY=($(compgen -W \"");
    print_names();
    printf(" --server --account --json\" -- \"$cur\")) ;;\n"
           "    case) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        printf("    %s)\n        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"", c->name);
        for (const struct cli_option *o = cli_option_table; o->name != NULL; o++) {
            if (option_fits(c, o)) { printf("--%s ", o->name); }
        }
        printf("\" -- \"$cur\"))\n");
        if (strncmp(c->args, "MATCH", 5) == 0) {
            printf(
                "        else COMPREPLY=($(compgen %s-W \"$(vedette matches 2>/dev/null | cut -d' "
                "' -f1)%s\" -- \"$cur\"))\n",
                takes_files(c) ? "-f " : "", words_after(c));
        } else if (takes_files(c)) {
            printf("        else COMPREPLY=($(compgen -f -- \"$cur\"))\n");
        } else if (takes_game(c)) {
            printf("        else COMPREPLY=($(compgen -W \"$(%s)\" -- \"$cur\"))\n", games_now);
        } else if (strcmp(c->name, "completion") == 0) {
            printf("        else COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$cur\"))\n");
        }
        printf("        fi ;;\n");
    }
    printf("    esac\n}\ncomplete -F _vedette vedette\n");
}

static void zsh(void)
{
    printf("#compdef vedette\n_vedette() {\n    local -a commands\n    commands=(\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        printf("        ");
        print_quoted(c->name, "");
        printf(":");
        print_quoted("", cli_command_help(c->name));
        putchar('\n');
    }
    printf("        ");
    print_quoted("case:", cli_command_help("case"));
    printf("\n    )\n"
           "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
           "    case ${words[2]} in\n    case) _files ;;\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        printf("    %s) _arguments", c->name);
        for (const struct cli_option *o = cli_option_table; o->name != NULL; o++) {
            if (option_fits(c, o)) {
                printf(" '--%s%s'", o->name, o->arg == NULL ? "" : "=:value:");
            }
        }
        if (strncmp(c->args, "MATCH", 5) == 0) {
            printf(" '2:match:($(vedette matches 2>/dev/null | cut -d\" \" -f1))'");
            if (words_after(c)[0] != '\0' && !takes_files(c)) {
                printf(" '*:word:(%s)'", words_after(c) + 1);
            }
        }
        if (takes_game(c)) { printf(" '2:game:($(%s))'", games_now); }
        if (takes_files(c)) { printf(" '*:file:_files'"); }
        printf(" ;;\n");
    }
    printf("    esac\n}\ncompdef _vedette vedette\n");
}

static void fish(void)
{
    printf("complete -c vedette -f\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        printf("complete -c vedette -n __fish_use_subcommand -a %s -d ", c->name);
        print_quoted("", cli_command_help(c->name));
        putchar('\n');
        for (const struct cli_option *o = cli_option_table; o->name != NULL; o++) {
            if (!option_fits(c, o)) { continue; }
            printf("complete -c vedette -n '__fish_seen_subcommand_from %s' -l %s%s -d ", c->name,
                   o->name, o->arg == NULL ? "" : " -x");
            print_quoted("", cli_option_help(o));
            putchar('\n');
        }
        if (takes_files(c)) {
            printf("complete -c vedette -n '__fish_seen_subcommand_from %s' -F\n", c->name);
        }
        if (takes_game(c)) {
            printf("complete -c vedette -n '__fish_seen_subcommand_from %s' -a '(%s)'\n", c->name,
                   games_now);
        }
        if (strncmp(c->args, "MATCH", 5) == 0) {
            printf("complete -c vedette -n '__fish_seen_subcommand_from %s' -a \"(vedette matches "
                   "2>/dev/null | string split -f1 ' ')%s\"\n",
                   c->name, words_after(c));
        }
    }
    printf("complete -c vedette -n __fish_use_subcommand -a case -d 'Run case files against the "
           "rules'\n"
           "complete -c vedette -n '__fish_seen_subcommand_from case' -F\n");
}

enum status cli_completion(struct cli *cli)
{
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(cli->args[0], shells[i].shell) == 0) {
            shells[i].print();
            return DONE;
        }
    }
    fprintf(stderr, "vedette: completion is for bash, zsh and fish\n");
    return WRONG_USAGE;
}
