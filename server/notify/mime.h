/* server/notify/mime.h: a mail as bytes (RFC 5322, 2045 to 2047, 8058). Pure. */
#ifndef VEDETTE_SERVER_NOTIFY_MIME_H
#define VEDETTE_SERVER_NOTIFY_MIME_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct buf;

enum { MIME_ADDRESS_BYTES = 255 };

/* Texts are UTF-8. What is NULL is left out but for html, which is then made of text. */
struct mime_mail {
    const char *from; /* "Vedette <vedette@example.org>", or the address alone */
    const char *to;   /* an address */
    const char *subject, *text, *html;
    const char *language;
    const char *id;          /* of Message-ID, without < > and host */
    const char *thread;      /* of the message that it belongs to, likewise */
    const char *host;        /* of both */
    const char *unsubscribe; /* https: address that takes a POST (RFC 8058) */
    const char *links;       /* addresses in text that begin so become links in the HTML part */
    int64_t at;              /* ms since 1970 */
};
/* Appends the message, its lines ended by CR LF, in ASCII. INVALID_PARAMS: an address that is none
 * or needs SMTPUTF8, or a control character in what becomes a header: nothing that is handed in can
 * begin a header of its own. TOO_LARGE: out is full. */
enum err mime_write(const struct mime_mail *mail, struct buf *out) VD_CHECKED;

/* The address within "Name <address>", or the text itself. False: it is none. */
bool mime_address(const char *from, char out[MIME_ADDRESS_BYTES]);
/* A subject or name as the value of a header: plain where it is ASCII, else encoded words (RFC
 * 2047), folded. at: columns that stand before it in its line. */
void mime_write_words(struct buf *out, const char *text, unsigned at);
/* Paragraphs of text (parted by an empty line) as HTML: lines that begin with "- " as a list,
 * addresses that begin as links does as links, all else escaped. */
void mime_write_html(struct buf *out, const char *text, const char *language, const char *links);

#endif
