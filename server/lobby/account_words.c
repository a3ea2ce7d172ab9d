/* server/lobby/account_words.c: the mails about accounts in words. */
#include "server/lobby/account_words.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/words/words.h"
#include "server/lobby/accounts.h"

/* By enum account_mail_kind: its word in the catalogues, and the page and command of its token. */
static const struct kind {
    const char *word, *page;
} kinds[ACCOUNT_MAILS] = {
    [ACCOUNT_MAIL_CONFIRM] = {"confirm", "confirm"}, [ACCOUNT_MAIL_RESET] = {"reset", "reset"},
    [ACCOUNT_MAIL_CHANGING] = {"changing", NULL},    [ACCOUNT_MAIL_CHANGED] = {"changed", NULL},
    [ACCOUNT_MAIL_PASSWORD] = {"password", NULL},    [ACCOUNT_MAIL_FACTOR] = {"factor", NULL},
    [ACCOUNT_MAIL_NETWORK] = {"network", NULL},
};

/* "#token=..." in the browser, a command in the terminal. */
static void write_token(const struct account_mail *mail, const char *url, struct buf *out)
{
    const char *page = kinds[mail->kind].page;
    struct buf command;
    buf_init(&command, 512);
    buf_append_str(out, url);
    buf_append_char(out, '/');
    buf_append_str(out, page);
    buf_append_str(out, "#token=");
    buf_append_str(out, mail->token);
    buf_append_str(out, "\n\n");
    buf_append_str(&command, "vedette --server ");
    buf_append_str(&command, url);
    buf_append_char(&command, ' ');
    buf_append_str(&command, page);
    buf_append_char(&command, ' ');
    buf_append_str(&command, mail->token);
    words_say(out, "account_mail.terminal", "command", buf_str(&command), NULL);
    buf_append_char(out, '\n');
    buf_finish(&command);
}

void account_words(const struct account_mail *mail, const char *url, struct buf *out_subject,
                   struct buf *out_text)
{
    const char *slashes = strstr(url, "://");
    const char *host = slashes == NULL ? url : slashes + 3;
    const char *word = kinds[mail->kind].word;
    (void)words_set_language("en");
    (void)words_set_language(mail->language);
    words_say(out_subject, "account_mail.subject", "kind", word, "host", host, NULL);
    words_say(out_text, "account_mail.text", "kind", word, "name", mail->name, "host", host,
              "other", mail->other, NULL);
    buf_append_str(out_text, "\n\n");
    if (kinds[mail->kind].page != NULL) { write_token(mail, url, out_text); }
    (void)words_set_language("en");
}
