/* common/words/words_format.c: fills in a message of schema/words: its strict subset of ICU
 * MessageFormat, as the browser client reads it too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/words/words.h"

enum { NAME_MAX_BYTES = 40, DEPTH_MAX = 8 };

struct filling {
    struct buf *out;
    size_t start; /* of this message in out */
    const char *const *args;
    bool head;
};

static void fill(struct filling *f, const char *from, const char *end, const char *number,
                 int depth);

static const char *find_arg(const char *const *args, const char *name)
{
    for (size_t i = 0; args[i] != NULL; i += 2) {
        if (strcmp(args[i], name) == 0) { return args[i + 1] == NULL ? "" : args[i + 1]; }
    }
    return "";
}

/* ---- reading ---- */

/* The place behind a quotation whose apostrophe stands at c; c + 1 where it is none. */
static const char *after_quote(const char *c)
{
    if (c[1] == '\'') { return c + 2; }
    if (c[1] == '\0' || strchr("{}#<", c[1]) == NULL) { return c + 1; }
    for (c++; *c != '\0'; c++) {
        if (*c != '\'') { continue; }
        if (c[1] != '\'') { return c + 1; }
        c++;
    }
    return c;
}

/* The place after the brace that closes the one at open. */
static const char *after_brace(const char *open)
{
    int depth = 0;
    for (const char *c = open; *c != '\0';) {
        if (*c == '\'') {
            c = after_quote(c);
            continue;
        }
        if (*c == '{') { depth++; }
        if (*c == '}' && --depth == 0) { return c + 1; }
        c++;
    }
    return open + strlen(open);
}

static const char *skip(const char *c)
{
    return c + strspn(c, " ,\n");
}

static const char *read_name(const char *c, char *out)
{
    c = skip(c);
    size_t n = strcspn(c, " ,{}\n");
    size_t keep = n < NAME_MAX_BYTES - 1 ? n : NAME_MAX_BYTES - 1;
    memcpy(out, c, keep);
    out[keep] = '\0';
    return c + n;
}

/* ---- capitals ---- */

/* Whether a sentence begins with what is appended now. */
static bool begins(const struct filling *f)
{
    static const char *const ends[] = {". ", "? ", "… ", "。", "？", "！"};
    size_t n = f->out->len - f->start;
    if (n == 0) { return f->head; }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t k = strlen(ends[i]);
        if (n >= k && memcmp(f->out->data + f->out->len - k, ends[i], k) == 0) { return true; }
    }
    return false;
}

/* Appends the text with its first letter as a capital: Latin, its letters with marks, Cyrillic. */
static void append_capital(struct buf *out, const char *text)
{
    unsigned char a = (unsigned char)text[0];
    unsigned char b = a == '\0' ? 0 : (unsigned char)text[1];
    char two[3] = {text[0], (char)b, '\0'};
    if (a >= 'a' && a <= 'z') {
        buf_append_char(out, (char)(a - 'a' + 'A'));
        buf_append_str(out, text + 1);
        return;
    }
    if (a == 0xc3 && b >= 0xa0 && b <= 0xbe && b != 0xb7) {
        two[1] = (char)(b - 0x20);
    } else if (a == 0xd0 && b >= 0xb0) {
        two[1] = (char)(b - 0x20);
    } else if (a == 0xd1 && b >= 0x80 && b <= 0x8f) {
        two[0] = (char)0xd0;
        two[1] = (char)(b + 0x20);
    } else if (a == 0xd1 && b == 0x91) {
        two[0] = (char)0xd0;
        two[1] = (char)0x81;
    } else {
        buf_append_str(out, text);
        return;
    }
    buf_append_str(out, two);
    buf_append_str(out, text + 2);
}

static void append_phrase(struct filling *f, const char *text)
{
    if (begins(f)) {
        append_capital(f->out, text);
    } else {
        buf_append_str(f->out, text);
    }
}

static bool is_phrase_name(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && strcmp(name + n - 2, "_t") == 0;
}

/* ---- numbers ---- */

/* A whole number grouped by threes as the language does. */
static void append_number(struct buf *out, const char *value)
{
    const char *code = words_language();
    const char *gap = strcmp(code, "fr") == 0 ? "\u202f" : strcmp(code, "ru") == 0 ? "\u00a0" : ",";
    size_t n = strlen(value);
    if (n == 0 || strspn(value, "0123456789") != n) {
        buf_append_str(out, value);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) { buf_append_str(out, gap); }
        buf_append_char(out, value[i]);
    }
}

/* The word of a number up to ten, figures above. */
static void append_spelt(struct filling *f, const char *value, const char *form, int depth)
{
    const char *words = words_text("number.words");
    long n = strtol(value, NULL, 10);
    if (words == NULL || n < 0 || n > 10 || depth > DEPTH_MAX) {
        append_number(f->out, value);
        return;
    }
    const char *args[] = {"n", value, "form", form, NULL};
    struct buf text;
    buf_init(&text, 256);
    words_format(&text, words, args, false);
    append_phrase(f, buf_str(&text));
    buf_finish(&text);
}

/* The plural category of a whole number (CLDR). */
static const char *category(long n)
{
    const char *code = words_language();
    if (n < 0) { n = -n; }
    if (strcmp(code, "en") == 0) { return n == 1 ? "one" : "other"; }
    if (strcmp(code, "fr") == 0) { return n <= 1 ? "one" : "other"; }
    if (strcmp(code, "ru") != 0) { return "other"; }
    if (n % 10 == 1 && n % 100 != 11) { return "one"; }
    if (n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14)) { return "few"; }
    return "many";
}

/* ---- filling in ---- */

static bool fits(const char *key, bool plural, const char *value, const char *of_number)
{
    if (!plural) { return strcmp(key, value) == 0; }
    return key[0] == '=' ? strcmp(key + 1, value) == 0 : strcmp(key, of_number) == 0;
}

/* Of the branches "key {text} key {text}" the one that fits, an exact number before its category.
 */
static void choose(struct filling *f, const char *from, const char *end, bool plural,
                   const char *value, const char *number, int depth)
{
    const char *found = NULL, *found_end = NULL;
    const char *of_number = plural ? category(strtol(value, NULL, 10)) : "";
    bool exact = false;
    for (const char *c = skip(from); c < end;) {
        char key[NAME_MAX_BYTES];
        c = skip(read_name(c, key));
        if (*c != '{') { break; }
        const char *next = after_brace(c);
        bool other = strcmp(key, "other") == 0 && found == NULL;
        if (!exact && (other || fits(key, plural, value, of_number))) {
            exact = !other && (!plural || key[0] == '=');
            found = c + 1;
            found_end = next - 1;
        }
        c = skip(next);
    }
    if (found != NULL) { fill(f, found, found_end, plural ? value : number, depth + 1); }
}

static const char *argument(struct filling *f, const char *open, const char *number, int depth)
{
    const char *next = after_brace(open);
    char name[NAME_MAX_BYTES], kind[NAME_MAX_BYTES] = "", form[NAME_MAX_BYTES] = "";
    const char *at = read_name(open + 1, name);
    const char *value = find_arg(f->args, name);
    if (*skip(at) != '}') { at = read_name(at, kind); }
    if (strcmp(kind, "plural") == 0 || strcmp(kind, "select") == 0) {
        choose(f, at, next - 1, kind[0] == 'p', value, number, depth);
    } else if (strcmp(kind, "number") == 0) {
        append_number(f->out, value);
    } else if (strcmp(kind, "spellout") == 0) {
        if (*skip(at) != '}') { read_name(at, form); }
        append_spelt(f, value, form, depth + 1);
    } else if (is_phrase_name(name)) {
        append_phrase(f, value);
    } else {
        buf_append_str(f->out, value);
    }
    return next;
}

/* The text of a quotation at c, without its apostrophes. Returns the place behind it. */
static const char *quotation(struct filling *f, const char *c)
{
    const char *next = after_quote(c);
    if (next <= c + 2) {
        buf_append_char(f->out, '\'');
        return next;
    }
    for (const char *at = c + 1; at < next - 1; at++) {
        if (*at == '\'') { at++; }
        buf_append_char(f->out, *at);
    }
    return next;
}

static void fill(struct filling *f, const char *from, const char *end, const char *number,
                 int depth)
{
    if (depth > DEPTH_MAX) { return; }
    for (const char *c = from; c < end;) {
        if (*c == '\'') {
            c = quotation(f, c);
        } else if (strncmp(c, "<b>", 3) == 0) {
            c += 3; /* names stand as they are on a terminal */
        } else if (strncmp(c, "</b>", 4) == 0) {
            c += 4;
        } else if (*c == '#' && number != NULL) {
            append_number(f->out, number);
            c++;
        } else if (*c == '{') {
            c = argument(f, c, number, depth);
        } else {
            buf_append_char(f->out, *c);
            c++;
        }
    }
}

void words_format(struct buf *out, const char *message, const char *const *args, bool head)
{
    struct filling f = {out, out->len, args, head};
    fill(&f, message, message + strlen(message), NULL, 0);
}
