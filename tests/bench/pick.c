/* tests/bench/pick.c: picking from forms by walking their text. */
#include "tests/bench/pick.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"

enum { ITEMS_MAX = 512 };

/* splitmix64 */
static unsigned below(uint64_t *random, unsigned n)
{
    uint64_t z = (*random += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)((z ^ (z >> 31)) % n);
}

const char *skip_value(const char *text)
{
    unsigned depth = 0;
    do {
        if (*text == '"') {
            for (text++; *text != '"'; text++) {
                if (*text == '\\') { text++; }
            }
            text++;
        } else if (*text == '{' || *text == '[') {
            depth++;
            text++;
        } else if (*text == '}' || *text == ']') {
            depth--;
            text++;
        } else {
            text++;
            while (depth == 0 && *text != ',' && *text != '}' && *text != ']' && *text != '\0') {
                text++;
            }
        }
    } while (depth > 0);
    return text;
}

/* The starts of the elements of an array, or of the keys of an object. */
static unsigned items_of(const char *text, const char *out[ITEMS_MAX])
{
    bool object = *text == '{';
    unsigned n = 0;
    text++;
    while (*text != ']' && *text != '}' && n < ITEMS_MAX) {
        out[n++] = text;
        if (object) { text = skip_value(text) + 1; }
        text = skip_value(text);
        if (*text == ',') { text++; }
    }
    return n;
}

static const char *member(const char *object, const char *quoted)
{
    const char *items[ITEMS_MAX];
    unsigned n = items_of(object, items);
    size_t length = strlen(quoted);
    for (unsigned i = 0; i < n; i++) {
        if (strncmp(items[i], quoted, length) == 0) { return items[i] + length + 1; }
    }
    return NULL;
}

static int number(const char *object, const char *quoted, int otherwise)
{
    const char *at = member(object, quoted);
    return at == NULL ? otherwise : atoi(at);
}

static void shuffle(const char **items, unsigned n, uint64_t *random)
{
    for (unsigned i = n; i > 1; i--) {
        unsigned j = below(random, i);
        const char *other = items[j];
        items[j] = items[i - 1];
        items[i - 1] = other;
    }
}

static void comma(struct buf *out)
{
    char last = out->len == 0 ? '[' : out->data[out->len - 1];
    if (last != '[' && last != '{' && last != ':') { buf_append_char(out, ','); }
}

static void pick(const char *form, uint64_t *random, struct buf *out);

static void pick_list(const char *form, uint64_t *random, struct buf *out)
{
    const char *items[ITEMS_MAX];
    unsigned n = items_of(form, items);
    buf_append_char(out, '[');
    for (unsigned i = 0; i < n; i++) {
        pick(items[i], random, out);
    }
    buf_append_char(out, ']');
}

static void pick_any_of(const char *form, const char *list, uint64_t *random, struct buf *out)
{
    const char *items[ITEMS_MAX];
    unsigned n = items_of(list, items);
    int min = number(form, "\"min\"", 0);
    int max = number(form, "\"max\"", (int)n);
    unsigned count = (unsigned)min + below(random, (unsigned)(max - min + 1));
    shuffle(items, n, random);
    buf_append_char(out, '[');
    for (unsigned i = 0; i < count && i < n; i++) {
        pick(items[i], random, out);
    }
    buf_append_char(out, ']');
}

static void pick_split(const char *form, const char *list, uint64_t *random, struct buf *out)
{
    const char *items[ITEMS_MAX];
    const char *names[ITEMS_MAX];
    unsigned to[ITEMS_MAX];
    unsigned n = items_of(list, items);
    const char *into = member(form, "\"into\"");
    unsigned parts = items_of(into, names);
    unsigned done = 0;
    shuffle(items, n, random);
    for (unsigned p = 0; p < parts; p++) {
        int min = number(skip_value(names[p]) + 1, "\"min\"", 0);
        for (int i = 0; i < min && done < n; i++) {
            to[done++] = p;
        }
    }
    while (done < n) {
        unsigned p = below(random, parts);
        int max = number(skip_value(names[p]) + 1, "\"max\"", ITEMS_MAX);
        int has = 0;
        for (unsigned i = 0; i < done; i++) {
            has += to[i] == p ? 1 : 0;
        }
        if (has < max) { to[done++] = p; }
    }
    buf_append_char(out, '{');
    for (unsigned p = 0; p < parts; p++) {
        comma(out);
        buf_append(out, names[p], (size_t)(skip_value(names[p]) - names[p]));
        buf_append_str(out, ":[");
        for (unsigned i = 0; i < n; i++) {
            if (to[i] == p) { pick(items[i], random, out); }
        }
        buf_append_char(out, ']');
    }
    buf_append_char(out, '}');
}

static void pick_tree(const char *form, const char *tree, uint64_t *random, struct buf *out)
{
    int min = number(form, "\"min\"", 1);
    int max = number(form, "\"max\"", 16);
    unsigned length = (unsigned)min + below(random, (unsigned)(max - min + 1));
    buf_append_char(out, '[');
    for (unsigned depth = 0; depth < length; depth++) {
        const char *keys[ITEMS_MAX];
        unsigned n = items_of(tree, keys);
        if (n == 0) { break; }
        const char *key = keys[below(random, n)];
        comma(out);
        buf_append(out, key, (size_t)(skip_value(key) - key));
        tree = skip_value(key) + 1;
    }
    buf_append_char(out, ']');
}

static void pick(const char *form, uint64_t *random, struct buf *out)
{
    const char *items[ITEMS_MAX];
    const char *inner = NULL;
    if (*form == '[') {
        unsigned n = items_of(form, items);
        pick(items[below(random, n)], random, out);
        return;
    }
    comma(out);
    if (*form != '{') {
        buf_append(out, form, (size_t)(skip_value(form) - form));
    } else if ((inner = member(form, "\"list\"")) != NULL) {
        pick_list(inner, random, out);
    } else if ((inner = member(form, "\"any_of\"")) != NULL) {
        pick_any_of(form, inner, random, out);
    } else if ((inner = member(form, "\"split\"")) != NULL) {
        pick_split(form, inner, random, out);
    } else if ((inner = member(form, "\"tree\"")) != NULL) {
        pick_tree(form, inner, random, out);
    } else if ((inner = member(form, "\"range\"")) != NULL) {
        int low = atoi(inner + 1);
        int high = atoi(strchr(inner, ',') + 1);
        char digits[16];
        int value = low + (int)below(random, (unsigned)(high - low + 1));
        (void)snprintf(digits, sizeof digits, "%d", value);
        buf_append_str(out, digits);
    } else {
        unsigned n = items_of(form, items);
        buf_append_char(out, '{');
        for (unsigned i = 0; i < n; i++) {
            const char *value = skip_value(items[i]) + 1;
            comma(out);
            buf_append(out, items[i], (size_t)(value - items[i]));
            pick(value, random, out);
        }
        buf_append_char(out, '}');
    }
}

void pick_action(const char *text, uint64_t *random, struct buf *out)
{
    pick(text, random, out);
}
