/* common/base/jsonr.c: reading hostile JSON. cJSON builds the tree; what it lets through (01, raw
 * control characters, \u0000, trailing text, NaN) is refused by a scan of our own before it. */
#include "common/base/jsonr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    const unsigned char *p, *end;
};

static void skip_space(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r')) {
        s->p++;
    }
}

static bool scan_word(struct scan *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0) { return false; }
    s->p += n;
    return true;
}

static bool is_digit(const struct scan *s)
{
    return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static bool scan_digits(struct scan *s)
{
    if (!is_digit(s)) { return false; }
    while (is_digit(s)) {
        s->p++;
    }
    return true;
}

/* RFC 8259 section 6; the length bound keeps strtod cheap. */
static bool scan_number(struct scan *s)
{
    const unsigned char *start = s->p;
    if (s->p < s->end && *s->p == '-') { s->p++; }
    if (s->p < s->end && *s->p == '0') {
        s->p++;
    } else if (!scan_digits(s)) {
        return false;
    }
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        if (!scan_digits(s)) { return false; }
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        s->p++;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-')) { s->p++; }
        if (!scan_digits(s)) { return false; }
    }
    return s->p - start <= 60;
}

/* Four hex digits; -1 if they are not that. */
static int scan_hex4(struct scan *s)
{
    int value = 0;
    if (s->end - s->p < 4) { return -1; }
    for (int i = 0; i < 4; i++) {
        unsigned char c = *s->p++;
        int digit = -1;
        if (c >= '0' && c <= '9') { digit = c - '0'; }
        if (c >= 'a' && c <= 'f') { digit = c - 'a' + 10; }
        if (c >= 'A' && c <= 'F') { digit = c - 'A' + 10; }
        if (digit < 0) { return -1; }
        value = value * 16 + digit;
    }
    return value;
}

static bool scan_escape(struct scan *s)
{
    if (s->p == s->end) { return false; }
    unsigned char c = *s->p++;
    if (c != 'u') { return strchr("\"\\/bfnrt", c) != NULL && c != '\0'; }
    int high = scan_hex4(s);
    if (high <= 0 || (high >= 0xDC00 && high <= 0xDFFF)) { return false; }
    if (high < 0xD800 || high > 0xDBFF) { return true; }
    if (!scan_word(s, "\\u")) { return false; }
    int low = scan_hex4(s);
    return low >= 0xDC00 && low <= 0xDFFF;
}

/* One UTF-8 character of two to four bytes (RFC 3629: no overlong form, no surrogate). */
static bool scan_utf8(struct scan *s)
{
    unsigned char c = *s->p;
    size_t more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
    if (c < 0xC2 || c > 0xF4 || (size_t)(s->end - s->p) <= more) { return false; }
    unsigned char d = s->p[1];
    if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F) || (c == 0xF0 && d < 0x90) ||
        (c == 0xF4 && d > 0x8F)) {
        return false;
    }
    for (size_t i = 1; i <= more; i++) {
        if ((s->p[i] & 0xC0U) != 0x80U) { return false; }
    }
    s->p += more + 1;
    return true;
}

static bool scan_string(struct scan *s)
{
    if (s->p == s->end || *s->p != '"') { return false; }
    s->p++;
    while (s->p < s->end) {
        unsigned char c = *s->p;
        if (c == '"') {
            s->p++;
            return true;
        }
        if (c < 0x20) { return false; }
        if (c == '\\') {
            s->p++;
            if (!scan_escape(s)) { return false; }
        } else if (c < 0x80) {
            s->p++;
        } else if (!scan_utf8(s)) {
            return false;
        }
    }
    return false;
}

static bool scan_value(struct scan *s, unsigned depth);

/* What stands between the brackets of an object or array, and the closing bracket. */
static bool scan_members(struct scan *s, unsigned depth, bool object)
{
    const unsigned char close = object ? '}' : ']';
    s->p++;
    skip_space(s);
    if (s->p < s->end && *s->p == close) {
        s->p++;
        return true;
    }
    for (;;) {
        skip_space(s);
        if (object) {
            if (!scan_string(s)) { return false; }
            skip_space(s);
            if (!scan_word(s, ":")) { return false; }
        }
        if (!scan_value(s, depth + 1)) { return false; }
        skip_space(s);
        if (s->p == s->end) { return false; }
        unsigned char c = *s->p++;
        if (c == close) { return true; }
        if (c != ',') { return false; }
    }
}

static bool scan_value(struct scan *s, unsigned depth)
{
    if (depth > JSON_DEPTH_MAX) { return false; }
    skip_space(s);
    if (s->p == s->end) { return false; }
    switch (*s->p) {
    case '{': return scan_members(s, depth, true);
    case '[': return scan_members(s, depth, false);
    case '"': return scan_string(s);
    case 't': return scan_word(s, "true");
    case 'f': return scan_word(s, "false");
    case 'n': return scan_word(s, "null");
    default: return scan_number(s);
    }
}

enum err json_parse(const char *text, size_t n, cJSON **out_json)
{
    struct scan s = {(const unsigned char *)text, (const unsigned char *)text + n};
    if (n == 0 || !scan_value(&s, 0)) { return ERR_PARSE; }
    skip_space(&s);
    if (s.p != s.end) { return ERR_PARSE; }
    cJSON *json = cJSON_ParseWithLength(text, n);
    if (json == NULL) { return ERR_PARSE; }
    *out_json = json;
    return ERR_OK;
}

static int compare_names(const void *a, const void *b)
{
    const cJSON *const *x = a;
    const cJSON *const *y = b;
    return strcmp((*x)->string, (*y)->string);
}

/* Relinks the children of object in the order of their names. */
static enum err sort_members(cJSON *object, struct why *why)
{
    size_t n = 0;
    bool sorted = true;
    for (cJSON *i = object->child; i != NULL; i = i->next) {
        if (i->next != NULL && strcmp(i->string, i->next->string) >= 0) { sorted = false; }
        n++;
    }
    if (sorted) { return ERR_OK; }
    cJSON *small[16];
    cJSON **list = n <= 16 ? small : malloc(n * sizeof *list);
    if (list == NULL) { return ERR_INTERNAL; }
    size_t at = 0;
    for (cJSON *i = object->child; i != NULL; i = i->next) {
        list[at++] = i;
    }
    qsort(list, n, sizeof *list, compare_names);
    enum err err = ERR_OK;
    for (size_t i = 0; i + 1 < n; i++) {
        if (strcmp(list[i]->string, list[i + 1]->string) == 0) {
            err = why_member(why, list[i]->string, "A member is given twice.");
        }
    }
    /* cJSON's list: child->prev is the last, last->next is NULL. */
    for (size_t i = 0; i < n; i++) {
        list[i]->next = i + 1 < n ? list[i + 1] : NULL;
        list[i]->prev = i > 0 ? list[i - 1] : list[n - 1];
    }
    object->child = list[0];
    if (list != small) { free(list); }
    return err;
}

static const char *name_of(const cJSON *json)
{
    return json->string == NULL ? "" : json->string;
}

enum err json_normalise(cJSON *json, struct why *why)
{
    if (cJSON_IsNumber(json)) {
        double value = json->valuedouble;
        if (!(fabs(value) <= (double)JSON_INT_MAX) || value != floor(value)) {
            return why_member(why, name_of(json), "A number must be an integer below 2^53.");
        }
        return ERR_OK;
    }
    if (cJSON_IsNull(json)) { return why_member(why, name_of(json), "A value may not be null."); }
    if (cJSON_IsObject(json)) {
        enum err err = sort_members(json, why);
        if (err != ERR_OK) { return err; }
    }
    if (cJSON_IsObject(json) || cJSON_IsArray(json)) {
        for (cJSON *i = json->child; i != NULL; i = i->next) {
            enum err err = json_normalise(i, why);
            if (err != ERR_OK) { return err; }
        }
    }
    return ERR_OK;
}

const cJSON *json_get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

enum err json_only(const cJSON *object, const char *const *names, struct why *why)
{
    if (!cJSON_IsObject(object)) { return why_member(why, "", "An object is needed here."); }
    for (const cJSON *i = object->child; i != NULL; i = i->next) {
        const char *const *name = names;
        while (*name != NULL && strcmp(*name, i->string) != 0) {
            name++;
        }
        if (*name == NULL) { return why_member(why, i->string, "There is no such member here."); }
    }
    return ERR_OK;
}

/* Finds the member, minding the '!'. *out_missing: not there and need not be. */
static enum err find(const cJSON *object, const char **name, const cJSON **out, bool *out_missing,
                     struct why *why)
{
    bool needed = **name == '!';
    if (needed) { (*name)++; }
    *out = json_get(object, *name);
    *out_missing = *out == NULL && !needed;
    if (*out == NULL && needed) { return why_member(why, *name, "This member is missing."); }
    return ERR_OK;
}

enum err json_read_str(const cJSON *object, const char *name, size_t bytes_max, const char **out,
                       struct why *why)
{
    const cJSON *item = NULL;
    bool missing = false;
    enum err err = find(object, &name, &item, &missing, why);
    if (err != ERR_OK || missing) { return err; }
    if (!cJSON_IsString(item)) { return why_member(why, name, "This member must be a string."); }
    if (strlen(item->valuestring) > bytes_max) {
        return why_member(why, name, "This string is too long.");
    }
    *out = item->valuestring;
    return ERR_OK;
}

enum err json_read_int(const cJSON *object, const char *name, int64_t min, int64_t max,
                       int64_t *out, struct why *why)
{
    const cJSON *item = NULL;
    bool missing = false;
    enum err err = find(object, &name, &item, &missing, why);
    if (err != ERR_OK || missing) { return err; }
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= (double)JSON_INT_MAX) ||
        item->valuedouble != floor(item->valuedouble)) {
        return why_member(why, name, "This member must be an integer.");
    }
    int64_t value = (int64_t)item->valuedouble;
    if (value < min || value > max) {
        return why_member(why, name, "This number is out of its bounds.");
    }
    *out = value;
    return ERR_OK;
}

enum err json_read_bool(const cJSON *object, const char *name, bool *out, struct why *why)
{
    const cJSON *item = NULL;
    bool missing = false;
    enum err err = find(object, &name, &item, &missing, why);
    if (err != ERR_OK || missing) { return err; }
    if (!cJSON_IsBool(item)) { return why_member(why, name, "This member must be true or false."); }
    *out = cJSON_IsTrue(item);
    return ERR_OK;
}

enum err json_read_object(const cJSON *object, const char *name, const cJSON **out, struct why *why)
{
    const cJSON *item = NULL;
    bool missing = false;
    enum err err = find(object, &name, &item, &missing, why);
    if (err != ERR_OK || missing) { return err; }
    if (!cJSON_IsObject(item)) { return why_member(why, name, "This member must be an object."); }
    *out = item;
    return ERR_OK;
}

enum err json_read_array(const cJSON *object, const char *name, size_t items_max, const cJSON **out,
                         struct why *why)
{
    const cJSON *item = NULL;
    bool missing = false;
    enum err err = find(object, &name, &item, &missing, why);
    if (err != ERR_OK || missing) { return err; }
    if (!cJSON_IsArray(item)) { return why_member(why, name, "This member must be a list."); }
    if ((size_t)cJSON_GetArraySize(item) > items_max) {
        (void)why_member(why, name, "This list is too long.");
        return ERR_TOO_LARGE;
    }
    *out = item;
    return ERR_OK;
}

int64_t json_int(const cJSON *item, int64_t otherwise)
{
    const double limit = 9e18;
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) < limit)) { return otherwise; }
    return (int64_t)item->valuedouble;
}

/* The member of b that stands for member i of a: k, in its place, or the one of that name. */
static const cJSON *partner(const cJSON *i, const cJSON *k, const cJSON *b)
{
    return strcmp(i->string, k->string) == 0 ? k : json_get(b, i->string);
}

/* Not cJSON_Compare, which goes down into each member of an object twice: a text of 400 bytes, 32
 * deep, would keep it for a minute. */
bool json_equal(const cJSON *a, const cJSON *b)
{
    if (a == NULL || b == NULL || (a->type & 0xff) != (b->type & 0xff)) { return false; }
    if (cJSON_IsString(a)) { return strcmp(a->valuestring, b->valuestring) == 0; }
    if (cJSON_IsNumber(a)) { return a->valuedouble == b->valuedouble; }
    const bool named = cJSON_IsObject(a);
    const cJSON *i = a->child, *k = b->child;
    for (; i != NULL && k != NULL; i = i->next, k = k->next) {
        if (!json_equal(i, named ? partner(i, k, b) : k)) { return false; }
    }
    return i == NULL && k == NULL;
}

bool json_matches(const cJSON *part, const cJSON *whole)
{
    if (part == NULL || whole == NULL) { return false; }
    if (cJSON_IsObject(part)) {
        if (!cJSON_IsObject(whole)) { return false; }
        for (const cJSON *i = part->child; i != NULL; i = i->next) {
            if (!json_matches(i, json_get(whole, i->string))) { return false; }
        }
        return true;
    }
    if (cJSON_IsArray(part)) {
        if (!cJSON_IsArray(whole)) { return false; }
        const cJSON *b = whole->child;
        for (const cJSON *a = part->child; a != NULL; a = a->next, b = b->next) {
            if (b == NULL || !json_matches(a, b)) { return false; }
        }
        return b == NULL;
    }
    return json_equal(part, whole);
}
