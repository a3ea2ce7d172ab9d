/* client-cli/more.c: what --help says of commands and options, from the catalogues. */
#include <stdio.h>
#include <string.h>

#include "client-cli/cli.h"
#include "common/words/words.h"

const char *cli_command_help(const char *name)
{
    char id[80];
    snprintf(id, sizeof id, "cli.command.%s", name);
    const char *text = words_text(id);
    return text == NULL ? "" : text;
}

const char *cli_option_help(const struct cli_option *option)
{
    char id[80];
    snprintf(id, sizeof id, "cli.opt.%s", option->name);
    const char *text = words_text(id);
    return text == NULL ? "" : text;
}

/* The examples are what is typed: the same in every language. */
static const struct {
    const char *command, *lines;
} examples[] = {
    {"new", "\n  vedette new waterloo --seat FR\n"
            "  vedette new waterloo --seat PR --option players=3 --option turns=8\n"
            "  vedette new waterloo --seat FR --clock correspondence --pace 12h\n"
            "  vedette new waterloo --clock '{\"kind\": \"live\", \"bank_s\": 900}'\n"
            "  vedette new austerlitz --seat AL\n"
            "  vedette new austerlitz --seat FR --option information=semi-blind"
            " --option strengths=dealt\n"
            "  vedette new austerlitz --option situation=1809 --option guard_1805=true"},
    {"act", "\n  vedette act MATCH march FR-A FR-B thuin\n"
            "  vedette act MATCH end\n"
            "  vedette act MATCH '{\"do\": \"confirm_setup\"}'\n"
            "  vedette act MATCH move 104 2318\n"
            "  vedette act MATCH attack 104 204 on 2319 with A04 and attack 304 on 1824"},
    {"ask", "\n  vedette ask MATCH reach 104\n"
            "  vedette ask MATCH odds 104 204 on 2319 with A04\n"
            "  vedette ask MATCH '{\"ask\": \"obligations\", \"side\": \"french\"}'"},
    {"rules", "\n  vedette rules waterloo\n"
              "  vedette rules waterloo W7.4\n"
              "  vedette rules austerlitz 6.8"},
    {"offer", "\n  vedette offer MATCH draw\n"
              "  vedette offer MATCH rewind 17\n"
              "  vedette offer MATCH time AL 2d"},
    {"draft", "\n  vedette draft MATCH march FR-A FR-B thuin\n"
              "  vedette draft MATCH end\n"
              "  vedette draft MATCH commit"},
    {"orders",
     "\n  vedette orders MATCH add attacked in ligny by 6+ : retreat to wavre else any\n"
     "  vedette orders MATCH add attacked : fight left PR-A centre PR-B,PR-C rest spread\n"
     "  vedette orders MATCH add routed : flee to gembloux,wavre else any\n"
     "  vedette orders MATCH set my-orders.txt"},
    {"completion",
     "\n  vedette completion bash > ~/.local/share/bash-completion/completions/vedette\n"
     "  vedette completion zsh > ~/.zfunc/_vedette\n"
     "  vedette completion fish > ~/.config/fish/completions/vedette.fish"},
};

void cli_more(struct buf *out, const char *command)
{
    char id[80];
    snprintf(id, sizeof id, "cli.more.%s", command);
    if (words_text(id) == NULL) { return; }
    words_say(out, id, NULL);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (strcmp(examples[i].command, command) == 0) { buf_append_str(out, examples[i].lines); }
    }
}
