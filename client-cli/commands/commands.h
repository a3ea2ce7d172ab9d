/* client-cli/commands/commands.h: the commands of `vedette` by the file they stand in, and what
 * those files share. */
#ifndef VEDETTE_CLIENT_CLI_COMMANDS_COMMANDS_H
#define VEDETTE_CLIENT_CLI_COMMANDS_COMMANDS_H

#include "client-cli/cli.h"

/* A member that is a string, else what is given for it. Borrowed. */
const char *cli_text_of(const cJSON *object, const char *name, const char *otherwise);
/* Prints a message with two arguments on standard output. */
void cli_print_said(const char *id, const char *name, const char *value, const char *name2,
                    const char *value2);
/* The arguments from that one on, with blanks between. The caller's, for free(). */
char *cli_join_args(const struct cli *cli, int from);
/* The events of an answer in sentences, or the answer as JSON. view: whose they are. */
void cli_print_events(struct cli *cli, const cJSON *result, const cJSON *view);
/* One call about the match of the first argument, with up to two more members (NULL values are left
 * out); said is the answer (NULL: none). */
enum status cli_change_match(struct cli *cli, const char *method, const char *member,
                             const char *value, const char *member2, const char *value2,
                             const char *said);

/* sign_in.c */
enum status cli_register(struct cli *cli);
enum status cli_login(struct cli *cli);
enum status cli_logout(struct cli *cli);

/* games.c, rules.c, matches.c */
enum status cli_games(struct cli *cli);
enum status cli_rules(struct cli *cli);
enum status cli_matches(struct cli *cli);
enum status cli_new(struct cli *cli);
enum status cli_join(struct cli *cli);
enum status cli_leave(struct cli *cli);
enum status cli_seat_bot(struct cli *cli);
enum status cli_start(struct cli *cli);
enum status cli_resign(struct cli *cli);

/* views.c: the position and what came before. */
enum status cli_show(struct cli *cli);
enum status cli_history(struct cli *cli);
/* The view of the match of the first argument, as --as says, as the account's own seat otherwise;
 * what a seat's own answers have led to where they are not shown yet. DONE: the caller's; else the
 * refusal is said. */
enum status cli_get_view(struct cli *cli, cJSON **out_view);

/* acts.c, ask.c, draft.c: orders, questions, drafts. */
enum status cli_act(struct cli *cli);
enum status cli_undo(struct cli *cli);
enum status cli_ask(struct cli *cli);
enum status cli_draft(struct cli *cli);
/* Turns words of the command line into an action, or an array of them: JSON as it is, an order as
 * it is typed in play. False: said on standard error why not. */
bool cli_read_action(struct cli *cli, const cJSON *view, const char *text, struct buf *out_action);
/* Sends an action, an array of them or the version of a draft as JSON (NULL: the method takes none)
 * for the seat of view. An act whose seat has not opened its nonce is sent again once it has: the
 * step that it is for is another then. DONE: out_result is the caller's; else the refusal is said.
 */
enum status cli_send_act(struct cli *cli, const char *method, const cJSON *view,
                         const char *actions, cJSON **out_result);

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
