/* server/lobby/account_words.h: the mails about accounts in the reader's language. */
#ifndef VEDETTE_SERVER_LOBBY_ACCOUNT_WORDS_H
#define VEDETTE_SERVER_LOBBY_ACCOUNT_WORDS_H

struct account_mail;
struct buf;

/* Subject and text of mail, in its language as far as there is one, else in English. url: where
 * people reach this server, without a slash at the end. A token stands behind a '#', which no
 * browser sends to a server. */
void account_words(const struct account_mail *mail, const char *url, struct buf *out_subject,
                   struct buf *out_text);

#endif
