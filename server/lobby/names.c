/* server/lobby/names.c: names by Unicode categories, and skeletons that look-alikes share. */
#include "server/lobby/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "server/lobby/accounts.h"

enum script { SCRIPT_NONE, SCRIPT_LATIN, SCRIPT_GREEK, SCRIPT_CYRILLIC };

/* Letters and digits that pass for a letter of the Latin script, as they are written. */
static const struct {
    int32_t from;
    char to;
} alike[] = {
    {'0', 'o'},   {'1', 'l'},   {'I', 'l'},   {'O', 'o'},   {0x131, 'i'}, /* Latin */
    {0x391, 'A'}, {0x392, 'B'}, {0x395, 'E'}, {0x396, 'Z'}, {0x397, 'H'}, {0x399, 'l'},
    {0x39A, 'K'}, {0x39C, 'M'}, {0x39D, 'N'}, {0x39F, 'o'}, {0x3A1, 'P'}, {0x3A4, 'T'},
    {0x3A5, 'Y'}, {0x3A7, 'X'}, {0x3B1, 'a'}, {0x3B9, 'i'}, {0x3BA, 'k'}, {0x3BD, 'v'},
    {0x3BF, 'o'}, {0x3C1, 'p'}, {0x3C5, 'u'}, {0x3C7, 'x'}, {0x3F2, 'c'}, /* Greek */
    {0x405, 'S'}, {0x406, 'l'}, {0x408, 'J'}, {0x410, 'A'}, {0x412, 'B'}, {0x415, 'E'},
    {0x417, '3'}, {0x41A, 'K'}, {0x41C, 'M'}, {0x41D, 'H'}, {0x41E, 'o'}, {0x420, 'P'},
    {0x421, 'C'}, {0x422, 'T'}, {0x423, 'Y'}, {0x425, 'X'}, {0x430, 'a'}, {0x435, 'e'},
    {0x43E, 'o'}, {0x440, 'p'}, {0x441, 'c'}, {0x443, 'y'}, {0x445, 'x'}, {0x455, 's'},
    {0x456, 'i'}, {0x458, 'j'}, {0x4BB, 'h'}, {0x4C0, 'l'}, {0x4CF, 'l'}, {0x501, 'd'},
    {0x51B, 'q'}, {0x51D, 'w'}, /* Cyrillic */
};

static enum script script_of(int32_t c)
{
    if (c < 0x250 || (c >= 0x1E00 && c <= 0x1EFF)) { return SCRIPT_LATIN; }
    if ((c >= 0x370 && c <= 0x3FF) || (c >= 0x1F00 && c <= 0x1FFF)) { return SCRIPT_GREEK; }
    if (c >= 0x400 && c <= 0x52F) { return SCRIPT_CYRILLIC; }
    return SCRIPT_NONE;
}

static bool is_letter(utf8proc_category_t category)
{
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

static bool is_mark(utf8proc_category_t category)
{
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC;
}

/* Each code point of a name in NFC; *out_points counts them. */
static bool points_fit(const utf8proc_uint8_t *text, unsigned *out_points)
{
    enum script script = SCRIPT_NONE;
    bool after_letter = false;
    unsigned points = 0;
    while (*text != 0) {
        utf8proc_int32_t c = 0;
        utf8proc_ssize_t n = utf8proc_iterate(text, -1, &c);
        if (n <= 0) { return false; }
        const utf8proc_category_t category = utf8proc_category(c);
        if (utf8proc_get_property(c)->ignorable) { return false; } /* it would not be seen */
        const bool letter = is_letter(category);
        const bool mark = is_mark(category) && after_letter;
        if (!letter && !mark && category != UTF8PROC_CATEGORY_ND && c != '_' && c != '-') {
            return false;
        }
        if (letter && script_of(c) != SCRIPT_NONE) {
            if (script != SCRIPT_NONE && script != script_of(c)) { return false; }
            script = script_of(c);
        }
        after_letter = letter || mark;
        text += n;
        points++;
    }
    *out_points = points;
    return true;
}

enum err name_read(const char *text, char *out_name, size_t size, struct why *why)
{
    utf8proc_uint8_t *nfc = NULL;
    unsigned points = 0;
    const char *problem = "A name is 2 to 24 letters, digits, _ or -, letters of one script.";
    if (strlen(text) > NAME_BYTES_MAX * 4) { return why_member(why, "name", problem); }
    utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)text, 0, &nfc,
                                      UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    const bool good = n > 0 && points_fit(nfc, &points) && points >= NAME_POINTS_MIN &&
                      points <= NAME_POINTS_MAX && (size_t)n < size;
    if (good) { memcpy(out_name, nfc, (size_t)n + 1); }
    free(nfc);
    return good ? ERR_OK : why_member(why, "name", problem);
}

/* Normal form without compatibility forms, folded if asked. The caller's, for free(). NULL: it is
 * none. */
static utf8proc_uint8_t *plain_form(const char *name, utf8proc_option_t folded)
{
    utf8proc_uint8_t *out = NULL;
    const int options = UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                        UTF8PROC_IGNORE | (int)folded;
    utf8proc_ssize_t n =
        utf8proc_map((const utf8proc_uint8_t *)name, 0, &out, (utf8proc_option_t)options);
    if (n > 0) { return out; }
    free(out);
    return NULL;
}

enum err name_fold(const char *name, char out[NAME_KEY_BYTES_MAX])
{
    utf8proc_uint8_t *folded = plain_form(name, UTF8PROC_CASEFOLD);
    const size_t n = folded == NULL ? 0 : strlen((const char *)folded);
    const bool fits = n > 0 && n < NAME_KEY_BYTES_MAX;
    if (fits) { memcpy(out, folded, n + 1); }
    free(folded);
    return fits ? ERR_OK : ERR_INVALID_PARAMS;
}

enum err name_skeleton(const char *name, char out[NAME_KEY_BYTES_MAX])
{
    utf8proc_uint8_t *form = plain_form(name, (utf8proc_option_t)0);
    size_t at = 0;
    bool fits = form != NULL;
    for (const utf8proc_uint8_t *p = form; fits && *p != 0;) {
        utf8proc_int32_t c = 0;
        utf8proc_ssize_t len = utf8proc_iterate(p, -1, &c);
        if (len <= 0) { break; }
        char one = '\0';
        for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++) {
            if (alike[i].from == c) { one = alike[i].to; }
        }
        const size_t add = one != '\0' ? 1 : (size_t)len;
        fits = at + add < NAME_KEY_BYTES_MAX;
        if (fits && one != '\0') { out[at] = one; }
        if (fits && one == '\0') { memcpy(out + at, p, add); }
        if (fits) { at += add; }
        p += len;
    }
    out[at] = '\0';
    free(form);
    return fits && at > 0 ? ERR_OK : ERR_INVALID_PARAMS;
}
