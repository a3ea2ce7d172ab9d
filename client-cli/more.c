/* client-cli/more.c: what `vedette COMMAND --help` says below the options. */
#include <string.h>

#include "client-cli/cli.h"

static const struct {
    const char *command, *text;
} more[] = {
    {"register", "A name has 2 to 24 letters, digits, _ or -; a password 8 bytes or more. The "
                 "password is asked for, or "
                 "taken from --password-file or VEDETTE_PASSWORD."},
    {"login", "The password is asked for, or taken from --password-file or VEDETTE_PASSWORD. From "
              "then on commands act "
              "for this account; --account NAME acts for another that has signed in."},
    {"matches", "Each line: the match, the game, its state, who sits where (- is free), whom it "
                "waits for, its title."},
    {"new", "Prints the match; the others name it to join. It begins when all seats are taken. "
            "Without --seat you take none. "
            "`vedette games GAME` lists the options. Examples:\n"
            "  vedette new waterloo --seat FR\n"
            "  vedette new waterloo --seat PR --option players=3 --option turns=8"},
    {"join", "Without --seat the first free seat is taken."},
    {"play", "Type help there: it lists the orders of the moment. The arrows of the keyboard bring "
             "earlier orders back, Tab "
             "completes words, quit leaves; the match waits for you."},
    {"act", "The orders are those of `vedette play`. Examples:\n"
            "  vedette act MATCH march FR-A FR-B thuin\n"
            "  vedette act MATCH end\n"
            "  vedette act MATCH '{\"do\": \"confirm_setup\"}'"},
    {"undo", "Takes back your last step, as long as no die was rolled and the enemy was told "
             "nothing by it."},
    {"offer",
     "Without WHAT it lists what is offered, and for a rewind each step that would be taken "
     "back. STEP is the last one that is to stay, by its number in `vedette history`. All "
     "must agree. Examples:\n"
     "  vedette offer MATCH draw\n"
     "  vedette offer MATCH rewind 17"},
    {"answer", "OFFER is the number that `vedette offer MATCH` prints. With no who made an offer "
               "takes it back."},
    {"watch", "Prints what happens until the match ends or you press Ctrl-C. Needs no account "
              "where watching is open "
              "to all."},
    {"bot", "Plays until it is stopped, or with --once until no match is left. It knows what a "
            "player knows. With --invited it sits down wherever it is asked to, and the server "
            "names it to those who look for an opponent; its account is one of "
            "`vedette register NAME --bot`."},
    {"record", "Writes MATCH.record or what --output names. `vedette record show FILE` prints a "
               "record step by step."},
    {"verify",
     "Replays each record from its dice and compares every line. Needs no server and no account."},
    {"completion",
     "Examples:\n"
     "  vedette completion bash > ~/.local/share/bash-completion/completions/vedette\n"
     "  vedette completion zsh > ~/.zfunc/_vedette\n"
     "  vedette completion fish > ~/.config/fish/completions/vedette.fish"},
};

const char *cli_more(const char *command)
{
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (strcmp(more[i].command, command) == 0) { return more[i].text; }
    }
    return "";
}
