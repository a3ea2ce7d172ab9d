/* client-cli/commands/commands.h: the commands of `vedette` by the file they stand in, and what those files
 * share. */
#ifndef VEDETTE_CLIENT_CLI_COMMANDS_COMMANDS_H
#define VEDETTE_CLIENT_CLI_COMMANDS_COMMANDS_H

#include "client-cli/cli.h"

/* A member that is a string, else what is given for it. Borrowed. */
const char *cli_text_of(const cJSON *object, const char *name, const char *otherwise);
/* The arguments from that one on, with blanks between. The caller's, for free(). */
char *cli_join_args(const struct cli *cli, int from);
/* The events of an answer in sentences, or the answer as JSON. view: whose they are. */
void cli_print_events(struct cli *cli, const cJSON *result, const cJSON *view);
/* One call about the match of the first argument, with up to two more members (NULL values are left
 * out); said is the answer (NULL: none). */
enum status cli_change_match(struct cli *cli, const char *method, const char *member,
                             const char *value, const char *member2, const char *value2,
                             const char *said);

/* account.c: one's own account. */
enum status cli_account(struct cli *cli);
enum status cli_change_password(struct cli *cli);
enum status cli_confirm(struct cli *cli);
enum status cli_reset(struct cli *cli);
enum status cli_second_factor(struct cli *cli);
enum status cli_tokens(struct cli *cli);
enum status cli_token(struct cli *cli);
enum status cli_revoke(struct cli *cli);
enum status cli_block(struct cli *cli);
enum status cli_audit(struct cli *cli);
enum status cli_export(struct cli *cli);
enum status cli_delete_account(struct cli *cli);

/* deal.c: what seats offer each other, their clocks, what may be claimed. */
enum status cli_offer(struct cli *cli);
enum status cli_answer(struct cli *cli);
enum status cli_clock(struct cli *cli);
enum status cli_claim(struct cli *cli);

/* company.c: talk, and who sits where. */
enum status cli_say_in(struct cli *cli);
enum status cli_talk(struct cli *cli);
enum status cli_mute(struct cli *cli);
enum status cli_kick(struct cli *cli);
enum status cli_report(struct cli *cli);
enum status cli_lend(struct cli *cli);
enum status cli_recall(struct cli *cli);
enum status cli_vacate(struct cli *cli);
enum status cli_substitute(struct cli *cli);

/* standing.c: standing orders. */
enum status cli_orders(struct cli *cli);

/* notices.c: what the account is told outside of its clients. */
enum status cli_notices(struct cli *cli);

#endif
