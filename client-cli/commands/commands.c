/* client-cli/commands/commands.c: the table of all commands, and what several of them share. */
#include <string.h>

#include "client-cli/commands/commands.h"
#include "client-cli/records/proof.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

const char *cli_text_of(const cJSON *object, const char *name, const char *otherwise)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : otherwise;
}

void cli_print_said(const char *id, const char *name, const char *value, const char *name2,
                    const char *value2)
{
    struct buf text;
    buf_init(&text, 4096);
    words_say(&text, id, name, value, name2, value2, NULL);
    cli_print_text(stdout, buf_str(&text));
    putchar('\n');
    buf_finish(&text);
}

char *cli_join_args(const struct cli *cli, int from)
{
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    for (int i = from; i < cli->nargs; i++) {
        if (i > from) { buf_append_char(&text, ' '); }
        buf_append_str(&text, cli->args[i]);
    }
    buf_append_str(&text, "");
    size_t n = 0;
    char *out = buf_take(&text, &n);
    return out == NULL ? strdup("") : out;
}

const struct command cli_commands[] = {
    {"register", "NAME", "e4", 1, 1, cli_register},
    {"login", "NAME", "c", 1, 1, cli_login},
    {"logout", "", "a", 0, 0, cli_logout},
    {"account", "[NAME=VALUE...]", "", 0, 16, cli_account},
    {"password", "", "c", 0, 0, cli_change_password},
    {"confirm", "[TOKEN]", "", 0, 1, cli_confirm},
    {"reset", "NAME [TOKEN]", "c", 1, 2, cli_reset},
    {"totp", "[on|CODE|codes|off]", "c", 0, 1, cli_second_factor},
    {"tokens", "", "", 0, 0, cli_tokens},
    {"token", "LABEL [SCOPE]", "", 1, 2, cli_token},
    {"revoke", "TOKEN-ID", "", 1, 1, cli_revoke},
    {"block", "NAME [on|off]", "", 1, 2, cli_block},
    {"audit", "", "l", 0, 0, cli_audit},
    {"export", "", "2", 0, 0, cli_export},
    {"delete-account", "NAME", "c", 1, 1, cli_delete_account},
    {"notices", "[MATCH] [NAME=VALUE...]", "", 0, 32, cli_notices},
    {"games", "[GAME]", "", 0, 1, cli_games},
    {"rules", "GAME [NUMBER]", "", 1, 2, cli_rules},
    {"matches", "", "flG", 0, 0, cli_matches},
    {"new", "GAME", "sxtonwkqdz7", 1, 1, cli_new},
    {"join", "MATCH", "sc8", 1, 1, cli_join},
    {"seat-bot", "MATCH", "sy", 1, 1, cli_seat_bot},
    {"leave", "MATCH", "", 1, 1, cli_leave},
    {"start", "MATCH", "", 1, 1, cli_start},
    {"show", "MATCH", "v", 1, 1, cli_show},
    {"play", "MATCH", "vp", 1, 1, cli_play},
    {"act", "MATCH ORDER...", "", 2, 4096, cli_act},
    {"draft", "MATCH [ORDER...|clear|commit]", "", 1, 4096, cli_draft},
    {"ask", "MATCH QUESTION...", "v", 2, 4096, cli_ask},
    {"undo", "MATCH", "", 1, 1, cli_undo},
    {"orders", "MATCH [add ORDER...|drop N|set FILE|clear]", "v", 1, 4096, cli_orders},
    {"clock", "MATCH", "", 1, 1, cli_clock},
    {"claim", "MATCH WHAT [SEAT]", "", 2, 3, cli_claim},
    {"say", "MATCH TEXT...", "9", 2, 4096, cli_say_in},
    {"talk", "MATCH [CHANNEL]", "l", 1, 2, cli_talk},
    {"watch", "MATCH", "v", 1, 1, cli_watch},
    {"history", "MATCH", "vbl", 1, 1, cli_history},
    {"record", "MATCH|show FILE", "2vb", 1, 2, cli_record},
    {"verify", "RECORD...", "3", 1, 65536, cli_verify},
    {"offer", "MATCH [WHAT [STEP|SEAT SPAN]]", "", 1, 4, cli_offer},
    {"answer", "MATCH OFFER yes|no", "", 3, 3, cli_answer},
    {"lend", "MATCH NAME SPAN", "s", 3, 3, cli_lend},
    {"recall", "MATCH", "s", 1, 1, cli_recall},
    {"vacate", "MATCH [off]", "s", 1, 2, cli_vacate},
    {"substitute", "MATCH SEAT", "", 2, 2, cli_substitute},
    {"mute", "MATCH NAME [on|off]", "", 2, 3, cli_mute},
    {"kick", "MATCH NAME [on|off]", "", 2, 3, cli_kick},
    {"report", "MATCH NAME TEXT...", "", 3, 4096, cli_report},
    {"resign", "MATCH", "", 1, 1, cli_resign},
    {"bot", "", "ymg5sGr16", 0, 0, cli_bot},
    {"completion", "bash|zsh|fish", "", 1, 1, cli_completion},
    {NULL, NULL, NULL, 0, 0, NULL},
};
