/* client-cli/commands/deal.c: the commands about what seats offer each other, their clocks, and
 * what may be claimed when a time is out. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/board_fetch.h"
#include "client-cli/commands/commands.h"
#include "client-cli/face/clock.h"
#include "client-cli/face/offers.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* ---- offers ---- */

/* The steps that a rewind takes back, in words. */
static enum status print_lost(struct cli *cli, const cJSON *offer, const char *seat,
                              const struct face *face)
{
    char params[128];
    cJSON *result = NULL;
    snprintf(params, sizeof params, "{\"match\":\"%.40s\",\"from\":%lld}", cli->args[0],
             (long long)offer_lost_from(offer));
    enum status status = cli_call(cli, "match.history", params, &result);
    if (status != DONE) { return status; }
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    describe_steps(&text, json_get(result, "steps"), json_get(offer, "lost"), face, seat);
    cli_print_lines(buf_str(&text));
    buf_finish(&text);
    cJSON_Delete(result);
    return DONE;
}

static enum status print_offer(struct cli *cli, const cJSON *offer, const char *seat,
                               const struct face *face)
{
    char answer[192];
    int number = (int)offer_number(offer);
    bool own = strcmp(cli_text_of(offer, "seat", ""), seat) == 0;
    snprintf(answer, sizeof answer,
             own ? "vedette answer %.40s %d no" : "vedette answer %.40s %d yes, or no",
             cli->args[0], number);
    struct buf text;
    buf_init(&text, CLI_TEXT_MAX);
    describe_offer(&text, offer, seat, answer);
    cli_print_lines(buf_str(&text));
    buf_finish(&text);
    return offer_lost_from(offer) > 0 ? print_lost(cli, offer, seat, face) : DONE;
}

static enum status list_offers(struct cli *cli)
{
    char params[96];
    cJSON *match = NULL;
    snprintf(params, sizeof params, "{\"match\":\"%.40s\"}", cli->args[0]);
    enum status status = cli_call(cli, "match.get", params, &match);
    if (status != DONE) { return status; }
    const cJSON *offers = json_get(match, "offers");
    const cJSON *you = json_get(match, "you");
    const char *seat =
        cJSON_IsArray(you) && cJSON_IsString(you->child) ? you->child->valuestring : "";
    struct face *face = NULL;
    if (!cli->opt.json) {
        cli_take_language(cli);
        face = face_fetch(cli->conn, cli_text_of(match, "game", ""));
    }
    const cJSON *offer = NULL;
    cJSON_ArrayForEach(offer, offers)
    {
        if (cli->opt.json) {
            cli_print_json(offer);
        } else if (status == DONE) {
            status = print_offer(cli, offer, seat, face);
        }
    }
    if (!cli->opt.json && cJSON_GetArraySize(offers) == 0) { puts(words_text("cli.offer.none")); }
    face_destroy(face);
    cJSON_Delete(match);
    return status;
}

/* What stands behind the kind of an offer: a step, or whom to give how much time. */
static bool write_offer_rest(struct cli *cli, struct buf *params)
{
    bool time = strcmp(cli->args[1], "time") == 0;
    int64_t seconds = 0;
    char *end = NULL;
    if (time && (cli->nargs != 4 || !clock_read_span(cli->args[3], &seconds))) {
        cli_say_with("cli.wrong.span", "text", cli->nargs == 4 ? cli->args[3] : "");
        return false;
    }
    if (time) {
        jw_key_str(params, "seat", cli->args[2]);
        jw_key_int(params, "s", seconds);
    } else if (cli->nargs > 2) {
        long to = strtol(cli->args[2], &end, 10);
        if (end == cli->args[2] || *end != '\0') {
            cli_say_with("cli.wrong.step", "text", cli->args[2]);
            return false;
        }
        jw_key_int(params, "to", to);
    }
    return true;
}

/* Ends params and sends the call. What became lines of the match is told by its events, with --json
 * the whole answer is printed. out_result: what is left to be told in words, the caller's to delete;
 * NULL: nothing. */
static enum status send_deal(struct cli *cli, const char *method, struct buf *params,
                             cJSON **out_result)
{
    cJSON *result = NULL;
    *out_result = NULL;
    conn_write_action_id(params);
    jw_object_end(params);
    enum status status = cli_call(cli, method, buf_str(params), &result);
    buf_finish(params);
    if (status == DONE && json_get(result, "events") != NULL) {
        cli_print_events(cli, result, result);
    } else if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE) {
        *out_result = result;
        return DONE;
    }
    cJSON_Delete(result);
    return status;
}

enum status cli_offer(struct cli *cli)
{
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    if (cli->nargs == 1) { return list_offers(cli); }
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "what", cli->args[1]);
    if (!write_offer_rest(cli, &params)) {
        buf_finish(&params);
        return WRONG_USAGE;
    }
    cJSON *result = NULL;
    status = send_deal(cli, "match.offer", &params, &result);
    if (result != NULL) {
        cJSON *error = NULL;
        struct face *face = face_of_match(cli->conn, cli->args[0], &error);
        cJSON_Delete(error);
        status = print_offer(cli, result, cli_text_of(result, "seat", ""), face);
        face_destroy(face);
    }
    cJSON_Delete(result);
    return status;
}

enum status cli_answer(struct cli *cli)
{
    const char *word = cli->args[2];
    char *end = NULL;
    long number = strtol(cli->args[1], &end, 10);
    bool yes = strcmp(word, "yes") == 0 || strcmp(word, "accept") == 0;
    bool no = strcmp(word, "no") == 0 || strcmp(word, "decline") == 0;
    if (end == cli->args[1] || *end != '\0' || (!yes && !no)) {
        cli_say("cli.wrong.answer");
        return WRONG_USAGE;
    }
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_int(&params, "offer", number);
    jw_key_bool(&params, "accept", yes);
    cJSON *result = NULL;
    status = send_deal(cli, "match.answer", &params, &result);
    if (result != NULL) {
        const char *outcome = cli_text_of(result, "outcome", "");
        puts(words_text(strcmp(outcome, "declined") == 0    ? "cli.said.declined"
                        : strcmp(outcome, "withdrawn") == 0 ? "cli.said.withdrawn"
                                                            : "cli.said.agreed"));
    }
    cJSON_Delete(result);
    return status;
}

/* ---- clocks ---- */

enum status cli_clock(struct cli *cli)
{
    char params[96];
    cJSON *result = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    snprintf(params, sizeof params, "{\"match\":\"%.40s\"}", cli->args[0]);
    status = cli_call(cli, "match.clock", params, &result);
    if (status == DONE && cli->opt.json) {
        cli_print_json(result);
    } else if (status == DONE) {
        struct buf text;
        cli_take_language(cli);
        buf_init(&text, CLI_TEXT_MAX);
        clock_explain(&text, result);
        cli_print_lines(buf_str(&text));
        buf_finish(&text);
    }
    cJSON_Delete(result);
    return status;
}

enum status cli_claim(struct cli *cli)
{
    struct buf params;
    cJSON *result = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", cli->args[0]);
    jw_key_str(&params, "what", cli->args[1]);
    if (cli->nargs > 2) { jw_key_str(&params, "seat", cli->args[2]); }
    conn_write_action_id(&params);
    jw_object_end(&params);
    status = cli_call(cli, "match.claim", buf_str(&params), &result);
    buf_finish(&params);
    if (status == DONE) { cli_print_events(cli, result, result); }
    cJSON_Delete(result);
    return status;
}
