/* client-cli/records/verify.c: `vedette verify RECORD...`: what holds, what does not, and what was
 * not checked. */
#include "common/record/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/records/proof.h"
#include "common/base/jsonw.h"
#include "common/rules/game.h"

enum { RECEIPTS_MAX = 65536 };

/* All receipts of a file, one a line. False: said on standard error. */
static bool read_receipts(const char *path, struct signed_receipt **out_list, size_t *out_count)
{
    struct buf text;
    struct why why;
    buf_init(&text, RECORD_BYTES_MAX);
    struct signed_receipt *list = NULL;
    size_t count = 0, room = 0, row = 0;
    bool good = proof_read_file(path, &text);
    const char *at = buf_str(&text);
    const char *end = at + text.len;
    while (good && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((stop == NULL ? end : stop) - at);
        row++;
        if (count == room && room < RECEIPTS_MAX) {
            room = room == 0 ? 64 : room * 2;
            struct signed_receipt *more = realloc(list, room * sizeof *list);
            if (more == NULL) { break; }
            list = more;
        }
        why_clear(&why);
        if (n > 0 && (count == room || signed_receipt_read(at, n, &list[count], &why) != ERR_OK)) {
            fprintf(stderr, "vedette: row %zu of %s is no receipt (%s%s%s)\n", row, path,
                    why.text[0] == '\0' ? "too many" : why.text, why.member[0] == '\0' ? "" : ": ",
                    why.member);
            good = false;
        } else if (n > 0) {
            count++;
        }
        at += n + (stop == NULL ? 0 : 1);
    }
    buf_finish(&text);
    if (!good) {
        free(list);
        return false;
    }
    *out_list = list;
    *out_count = count;
    return true;
}

static const char *nonce_word(enum record_nonce nonce)
{
    static const char *const words[] = {"waived", "opened", "lost", "kept"};
    return words[nonce];
}

static void write_json(const struct verdict *v, const char *file, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "file", file);
    jw_key_bool(out, "good", v->good);
    if (!v->good) {
        jw_key_str(out, "step", verify_step_name(v->failed));
        if (v->failed == VERIFY_RECEIPTS) {
            jw_key_int(out, "receipt", (int64_t)v->receipt);
        } else {
            jw_key_int(out, "line", (int64_t)v->line);
        }
        jw_key_str(out, "why", v->why);
    }
    if (v->match[0] != '\0') {
        jw_key_str(out, "match", v->match);
        jw_key_str(out, "game", v->game);
        jw_key_int(out, "rules", v->rules);
        jw_key_int(out, "lines", (int64_t)v->lines);
        jw_key_int(out, "rolls", (int64_t)v->rolls);
        jw_key_int(out, "draws", (int64_t)v->draws);
        jw_key_int(out, "undone", (int64_t)v->undone);
        jw_key_int(out, "rewound", (int64_t)v->rewound);
        if (v->how[0] != '\0') { jw_key_str(out, "how", v->how); }
        jw_key_object(out, "nonces");
        for (unsigned i = 0; i < v->seats; i++) {
            jw_key_str(out, v->codes[i], nonce_word(v->nonces[i]));
        }
        jw_object_end(out);
    }
    jw_key_array(out, "checked");
    for (unsigned i = VERIFY_FORM; i < VERIFY_STEPS; i++) {
        if (v->checked[i]) { jw_str(out, verify_step_name(i)); }
    }
    jw_array_end(out);
    jw_key_array(out, "not_checked");
    for (unsigned i = VERIFY_FORM; i < VERIFY_STEPS; i++) {
        if (!v->checked[i] && i != v->failed) { jw_str(out, verify_step_name(i)); }
    }
    if (v->checked[VERIFY_RULES] && !v->result_follows) { jw_str(out, "result"); }
    jw_array_end(out);
    jw_object_end(out);
}

static void say_seats(const struct verdict *v)
{
    static const char *const said[] = {"had no nonce in stock (waived)", "opened its nonce",
                                       "said it had lost its nonce", "never opened its nonce"};
    unsigned without = 0;
    for (unsigned i = 0; i < v->seats; i++) {
        cli_print_text(stdout, v->codes[i]);
        printf(" %s.\n", said[v->nonces[i]]);
        without += v->nonces[i] == NONCE_OPENED ? 0 : 1;
    }
    if (without == v->seats) {
        printf("No seat put a nonce into the dice: the host could have chosen a key that pleased "
               "him.\n");
    } else if (without > 0) {
        printf("For a seat without a nonce, that the dice are fair rests on the others.\n");
    }
}

static void say_checked(const struct verdict *v)
{
    static const char *const done[VERIFY_STEPS] = {
        [VERIFY_FORM] = "the form of every line",
        [VERIFY_CHAIN] = "the chain of heads and the host's commitment",
        [VERIFY_NONCES] = "the nonces",
        [VERIFY_ROLLS] = "that no roll was left out",
        [VERIFY_DRAWS] = "every die and deal",
        [VERIFY_RULES] = "every ruling and the result, by the rules",
        [VERIFY_RECEIPTS] = "the receipts",
    };
    printf("Checked:");
    const char *comma = " ";
    for (unsigned i = VERIFY_FORM; i < VERIFY_STEPS; i++) {
        if (!v->checked[i]) { continue; }
        printf("%s%s", comma, done[i]);
        comma = "; ";
    }
    printf(".\n");
    if (!v->good && !v->checked[VERIFY_RULES]) { return; }
    if (!v->checked[VERIFY_RULES]) {
        printf("Not checked: %s (%s).\n", done[VERIFY_RULES], v->no_rules);
    } else if (!v->result_follows) {
        printf("Not checked: the result, since the match was ended by word (%s).\n", v->how);
    }
}

/* Where this machine keeps receipts of the match, they should be used. */
static void say_receipts(const struct verdict *v, const char *given)
{
    char path[4096];
    if (v->checked[VERIFY_RECEIPTS]) { return; }
    printf(
        "Not checked: receipts%s. Without them the record is one that he who holds the key could "
        "have written anew.\n",
        given == NULL ? "" : " (the file holds none)");
    if (given != NULL || !receipts_path(v->match, path, sizeof path)) { return; }
    FILE *file = fopen(path, "r");
    if (file == NULL) { return; }
    (void)fclose(file);
    printf("This machine keeps some of this match: --receipts %s\n", path);
}

static void say(const struct verdict *v, const char *given)
{
    if (v->good) {
        printf("The record of match ");
        cli_print_text(stdout, v->match);
        printf(" holds: %llu lines, %llu rolls, %llu dice and deals, %llu steps taken back, %llu "
               "times gone back by agreement.\n",
               (unsigned long long)v->lines, (unsigned long long)v->rolls,
               (unsigned long long)v->draws, (unsigned long long)v->undone,
               (unsigned long long)v->rewound);
        say_seats(v);
        say_checked(v);
        say_receipts(v, given);
        return;
    }
    printf("The record does not hold. ");
    if (v->failed == VERIFY_RECEIPTS) {
        printf("Receipt %zu fails: ", v->receipt + 1);
    } else if (v->failed != VERIFY_FORM && v->last_line) {
        printf("Line %llu, the last, with the key, fails (%s): ", (unsigned long long)v->line,
               verify_step_name(v->failed));
    } else {
        printf("Line %llu fails (%s): ", (unsigned long long)v->line, verify_step_name(v->failed));
    }
    cli_print_text(stdout, v->why);
    printf("\n");
    if (v->failed != VERIFY_FORM) { say_checked(v); }
}

static enum status verify_file(const struct cli *cli, const char *path,
                               const struct verify_options *options)
{
    struct buf text;
    struct verdict verdict;
    enum status status = REFUSED;
    buf_init(&text, RECORD_BYTES_MAX);
    if (!proof_read_file(path, &text)) { goto out; }
    if (verify_record(buf_str(&text), text.len, options, &verdict) != ERR_OK) {
        fprintf(stderr, "vedette: out of memory\n");
        goto out;
    }
    if (cli->opt.json) {
        struct buf json;
        buf_init(&json, CLI_TEXT_MAX);
        write_json(&verdict, path, &json);
        cli_print_json_text(buf_str(&json));
        buf_finish(&json);
    } else {
        if (cli->nargs > 1) { printf("%s: ", path); }
        say(&verdict, cli->opt.receipts);
    }
    status = verdict.good ? DONE : REFUSED;
out:
    buf_finish(&text);
    return status;
}

enum status cli_verify(struct cli *cli)
{
    struct verify_options options = {.games = games};
    struct signed_receipt *receipts = NULL;
    if (cli->opt.receipts != NULL &&
        !read_receipts(cli->opt.receipts, &receipts, &options.receipt_count)) {
        return REFUSED;
    }
    options.receipts = receipts;
    enum status status = DONE;
    for (int i = 0; i < cli->nargs; i++) {
        if (verify_file(cli, cli->args[i], &options) != DONE) { status = REFUSED; }
    }
    free(receipts);
    return status;
}
