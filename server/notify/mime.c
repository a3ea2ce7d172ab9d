/* server/notify/mime.c: a mail as bytes. */
#include "server/notify/mime.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "common/base/buf.h"
#include "common/base/hash.h"

enum { LINE_CHARS = 76, WORD_BYTES = 45 /* in one encoded word: 60 of base64 and 12 around */ };

/* --- what may be where ------------------------------------------------------------------------ */

/* Within a header: text without control characters. */
static bool is_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c < 0x20 || *c == 0x7f) { return false; }
    }
    return true;
}

static bool is_ascii(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c >= 0x80) { return false; }
    }
    return true;
}

/* local@domain in printable ASCII, nothing that has a meaning in a header or in SMTP. */
static bool is_address(const char *text)
{
    const char *at = strrchr(text, '@');
    if (at == NULL || at == text || at[1] == '\0' || strlen(text) >= MIME_ADDRESS_BYTES) {
        return false;
    }
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c <= 0x20 || *c >= 0x7f || strchr("<>()[]\\,;:\"", *c) != NULL) { return false; }
    }
    return strchr(text, '@') == at;
}

bool mime_address(const char *from, char out[MIME_ADDRESS_BYTES])
{
    const char *open = strrchr(from, '<');
    const char *begin = open == NULL ? from : open + 1;
    const size_t n = open == NULL ? strlen(from) : strcspn(begin, ">");
    if (n >= MIME_ADDRESS_BYTES || (open != NULL && strcmp(begin + n, ">") != 0)) { return false; }
    memcpy(out, begin, n);
    out[n] = '\0';
    return is_address(out);
}

/* --- headers ---------------------------------------------------------------------------------- */

/* The length of the piece of UTF-8 text that fits into n bytes, whole characters alone. */
static size_t piece(const char *text, size_t n)
{
    size_t len = strnlen(text, n + 1);
    if (len <= n) { return len; }
    len = n;
    while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80) {
        len--;
    }
    return len == 0 ? n : len;
}

static void write_base64(struct buf *out, const char *bytes, size_t n)
{
    char text[128];
    (void)sodium_bin2base64(text, sizeof text, (const unsigned char *)bytes, n,
                            sodium_base64_VARIANT_ORIGINAL);
    buf_append_str(out, text);
}

/* ASCII, folded at blanks. */
static void write_folded(struct buf *out, const char *text, unsigned at)
{
    while (*text != '\0') {
        size_t n = strcspn(text + 1, " ") + 1;
        if (at > 1 && at + n > LINE_CHARS && *text == ' ') {
            buf_append_str(out, "\r\n");
            at = 0;
        }
        buf_append(out, text, n);
        at += (unsigned)n;
        text += n;
    }
}

void mime_write_words(struct buf *out, const char *text, unsigned at)
{
    /* What looks like an encoded word is encoded, else it would be read as one; so are blanks that
     * folding would lose, and words that no line takes. */
    bool plain = is_ascii(text) && strstr(text, "=?") == NULL && strstr(text, "  ") == NULL &&
                 text[0] != ' ';
    for (const char *c = text; plain && *c != '\0'; c += strcspn(c, " "), c += *c == ' ' ? 1 : 0) {
        plain = strcspn(c, " ") < LINE_CHARS;
    }
    if (plain) {
        write_folded(out, text, at);
        return;
    }
    size_t room = at + 24 < LINE_CHARS ? (LINE_CHARS - at - 12) / 4 * 3 : WORD_BYTES;
    while (*text != '\0') {
        const size_t n = piece(text, room > WORD_BYTES ? WORD_BYTES : room);
        buf_append_str(out, "=?UTF-8?B?");
        write_base64(out, text, n);
        buf_append_str(out, "?=");
        text += n;
        room = WORD_BYTES;
        if (*text != '\0') { buf_append_str(out, "\r\n "); }
    }
}

static void header(struct buf *out, const char *name, const char *value)
{
    buf_append_str(out, name);
    buf_append_str(out, ": ");
    buf_append_str(out, value);
    buf_append_str(out, "\r\n");
}

static void header_words(struct buf *out, const char *name, const char *value)
{
    buf_append_str(out, name);
    buf_append_str(out, ": ");
    mime_write_words(out, value, (unsigned)strlen(name) + 2);
    buf_append_str(out, "\r\n");
}

/* A name in front of an address: words that need no quotes, or a quoted string, or encoded. */
static void write_from(struct buf *out, const char *from, const char *address)
{
    char name[128];
    const char *open = strrchr(from, '<');
    size_t n = open == NULL ? 0 : (size_t)(open - from);
    while (n > 0 && from[n - 1] == ' ') {
        n--;
    }
    if (n >= sizeof name) { n = piece(from, sizeof name - 1); }
    memcpy(name, from, n);
    name[n] = '\0';
    const bool quoted = n >= 2 && name[0] == '"' && name[n - 1] == '"';
    if (n > 0 && !quoted && is_ascii(name) && strpbrk(name, "()<>[]:;@\\,.\"=?") != NULL) {
        buf_append_char(out, '"');
        for (const char *c = name; *c != '\0'; c++) {
            if (*c == '"' || *c == '\\') { buf_append_char(out, '\\'); }
            buf_append_char(out, *c);
        }
        buf_append_char(out, '"');
    } else if (n > 0 && quoted) {
        buf_append_str(out, name);
    } else if (n > 0) {
        mime_write_words(out, name, 6);
    }
    buf_append_str(out, n > 0 ? " <" : "<");
    buf_append_str(out, address);
    buf_append_char(out, '>');
}

/* RFC 5322 3.3, always in UTC. */
static void write_date(struct buf *out, int64_t at)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char text[64];
    struct tm tm;
    const time_t seconds = (time_t)(at / 1000);
    if (gmtime_r(&seconds, &tm) == NULL) { return; }
    snprintf(text, sizeof text, "%s, %d %s %d %02d:%02d:%02d +0000", days[tm.tm_wday % 7],
             tm.tm_mday, months[tm.tm_mon % 12], tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
             tm.tm_sec);
    header(out, "Date", text);
}

static void write_id(struct buf *out, const char *name, const char *id, const char *host)
{
    char text[400];
    snprintf(text, sizeof text, "<%.120s@%.255s>", id, host);
    header(out, name, text);
}

static enum err write_head(const struct mime_mail *mail, struct buf *out)
{
    char address[MIME_ADDRESS_BYTES];
    const char *const lines[] = {mail->from,   mail->to,   mail->subject,     mail->id,
                                 mail->thread, mail->host, mail->unsubscribe, mail->language};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (lines[i] != NULL && !is_line(lines[i])) { return ERR_INVALID_PARAMS; }
    }
    if (!mime_address(mail->from, address) || !is_address(mail->to)) { return ERR_INVALID_PARAMS; }
    buf_append_str(out, "From: ");
    write_from(out, mail->from, address);
    buf_append_str(out, "\r\n");
    header(out, "To", mail->to);
    header_words(out, "Subject", mail->subject);
    write_date(out, mail->at);
    if (mail->id != NULL) { write_id(out, "Message-ID", mail->id, mail->host); }
    if (mail->thread != NULL) {
        write_id(out, "In-Reply-To", mail->thread, mail->host);
        write_id(out, "References", mail->thread, mail->host);
    }
    header(out, "Auto-Submitted", "auto-generated");
    if (mail->language != NULL) { header(out, "Content-Language", mail->language); }
    if (mail->unsubscribe != NULL) {
        buf_append_str(out, "List-Unsubscribe: <");
        buf_append_str(out, mail->unsubscribe);
        buf_append_str(out, ">\r\n");
        header(out, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
    }
    header(out, "MIME-Version", "1.0");
    return ERR_OK;
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* A character of quoted-printable (RFC 2045 6.7); soft line breaks before it where it is due. */
static void write_quoted(struct buf *out, unsigned char c, bool last, unsigned *at)
{
    char text[4];
    const bool plain = (c > 0x20 && c < 0x7f && c != '=' && !(c == '.' && *at == 0)) ||
                       ((c == ' ' || c == '\t') && !last);
    const unsigned n = plain ? 1 : 3;
    if (*at + n > LINE_CHARS - 1) {
        buf_append_str(out, "=\r\n");
        *at = 0;
    }
    if (plain) {
        buf_append_char(out, (char)c);
    } else {
        snprintf(text, sizeof text, "=%02X", c);
        buf_append_str(out, text);
    }
    *at += n;
}

static void write_quoted_text(struct buf *out, const char *text)
{
    unsigned at = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\r') { continue; }
        if (*c == '\n') {
            buf_append_str(out, "\r\n");
            at = 0;
        } else {
            write_quoted(out, (unsigned char)*c, c[1] == '\n' || c[1] == '\0', &at);
        }
    }
    buf_append_str(out, "\r\n");
}

/* Base64 of the text with its lines ended by CR LF. */
static void write_base64_text(struct buf *out, const char *text)
{
    char line[57];
    size_t n = 0;
    for (const char *c = text; *c != '\0' || n > 0;) {
        if (n == sizeof line || *c == '\0') {
            write_base64(out, line, n);
            buf_append_str(out, "\r\n");
            n = 0;
            continue;
        }
        if (*c == '\n' && n + 2 > sizeof line) {
            /* No room for both: CR ends this line, LF begins the next. */
            line[n++] = '\r';
            write_base64(out, line, n);
            buf_append_str(out, "\r\n");
            line[0] = '\n';
            n = 1;
            c++;
            continue;
        }
        if (*c == '\n') { line[n++] = '\r'; }
        line[n++] = *c++;
    }
}

/* Base64 where much of it would have to be quoted. */
static bool wants_base64(const char *text)
{
    size_t high = 0, all = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        high += *c >= 0x80 ? 1 : 0;
        all++;
    }
    return high * 4 > all;
}

static void write_part(struct buf *out, const char *boundary, const char *type, const char *text)
{
    const bool base64 = wants_base64(text);
    buf_append_str(out, "--");
    buf_append_str(out, boundary);
    buf_append_str(out, "\r\nContent-Type: ");
    buf_append_str(out, type);
    buf_append_str(out, "; charset=utf-8\r\nContent-Transfer-Encoding: ");
    buf_append_str(out, base64 ? "base64\r\n\r\n" : "quoted-printable\r\n\r\n");
    if (base64) {
        write_base64_text(out, text);
    } else {
        write_quoted_text(out, text);
    }
    buf_append_str(out, "\r\n");
}

static void write_body(struct buf *out, const char *text, const char *html)
{
    /* "=_" stands in neither encoding. */
    char boundary[48] = "=_vedette_";
    struct hash hash;
    hash_bytes(text, strlen(text), &hash);
    const size_t n = strlen(boundary);
    (void)sodium_bin2hex(boundary + n, sizeof boundary - n, hash.bytes, 12);
    buf_append_str(out, "Content-Type: multipart/alternative;\r\n boundary=\"");
    buf_append_str(out, boundary);
    buf_append_str(out, "\"\r\n\r\n");
    write_part(out, boundary, "text/plain", text);
    write_part(out, boundary, "text/html", html);
    buf_append_str(out, "--");
    buf_append_str(out, boundary);
    buf_append_str(out, "--\r\n");
}

enum err mime_write(const struct mime_mail *mail, struct buf *out)
{
    enum err err = write_head(mail, out);
    if (err != ERR_OK) { return err; }
    struct buf html;
    buf_init(&html, out->max);
    if (mail->html == NULL) { mime_write_html(&html, mail->text, mail->language, mail->links); }
    write_body(out, mail->text, mail->html != NULL ? mail->html : buf_str(&html));
    err = out->failed || html.failed ? ERR_TOO_LARGE : ERR_OK;
    buf_finish(&html);
    return err;
}

/* --- HTML ------------------------------------------------------------------------------------- */

static void write_escaped(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (text[i]) {
        case '&': buf_append_str(out, "&amp;"); break;
        case '<': buf_append_str(out, "&lt;"); break;
        case '>': buf_append_str(out, "&gt;"); break;
        case '"': buf_append_str(out, "&quot;"); break;
        case '\'': buf_append_str(out, "&#39;"); break;
        default: buf_append_char(out, text[i]);
        }
    }
}

/* One line, its addresses as links. */
static void write_line(struct buf *out, const char *text, size_t n, const char *links)
{
    const size_t head = links == NULL ? 0 : strlen(links);
    size_t from = 0;
    for (size_t i = 0; head > 0 && i + head <= n; i++) {
        if (strncmp(text + i, links, head) != 0 || (i > 0 && text[i - 1] != ' ')) { continue; }
        size_t len = 0;
        while (i + len < n && text[i + len] != ' ') {
            len++;
        }
        write_escaped(out, text + from, i - from);
        buf_append_str(out, "<a href=\"");
        write_escaped(out, text + i, len);
        buf_append_str(out, "\">");
        write_escaped(out, text + i, len);
        buf_append_str(out, "</a>");
        from = i + len;
        i = from;
    }
    write_escaped(out, text + from, n - from);
}

/* A paragraph: its lines, those that begin with "- " as a list. */
static void write_paragraph(struct buf *out, const char *text, size_t n, const char *links)
{
    enum { NOTHING, PLAIN, LIST } in = NOTHING;
    for (size_t at = 0; at < n;) {
        size_t len = 0;
        while (at + len < n && text[at + len] != '\n') {
            len++;
        }
        const bool item = len >= 2 && text[at] == '-' && text[at + 1] == ' ';
        if (item && in != LIST) { buf_append_str(out, in == PLAIN ? "</p>\n<ul>\n" : "<ul>\n"); }
        if (!item && in != PLAIN) { buf_append_str(out, in == LIST ? "</ul>\n<p>" : "<p>"); }
        if (!item && in == PLAIN) { buf_append_str(out, "<br>\n"); }
        in = item ? LIST : PLAIN;
        if (item) { buf_append_str(out, "<li>"); }
        write_line(out, text + at + (item ? 2 : 0), len - (item ? 2 : 0), links);
        if (item) { buf_append_str(out, "</li>\n"); }
        at += len + 1;
    }
    if (in != NOTHING) { buf_append_str(out, in == LIST ? "</ul>\n" : "</p>\n"); }
}

void mime_write_html(struct buf *out, const char *text, const char *language, const char *links)
{
    buf_append_str(out, "<!doctype html>\n<html");
    if (language != NULL) {
        buf_append_str(out, " lang=\"");
        write_escaped(out, language, strlen(language));
        buf_append_str(out, "\"");
    }
    buf_append_str(out, ">\n<meta charset=\"utf-8\">\n<body style=\"font: 16px/1.5 Georgia, serif; "
                        "max-width: 40em\">\n");
    while (*text != '\0') {
        const char *end = strstr(text, "\n\n");
        const size_t n = end == NULL ? strlen(text) : (size_t)(end - text);
        write_paragraph(out, text, n, links);
        text += n;
        text += strspn(text, "\n");
    }
    buf_append_str(out, "</body>\n</html>\n");
}
