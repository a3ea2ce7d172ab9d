/* tests/fuzz/mutate.c: changes to inputs: bits, bytes, words, splices, and JSON by its structure.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "tests/fuzz/fuzz.h"

enum { POOL_MAX = 8192, NODES_MAX = 4096, REPEAT_MAX = 10000 };

static struct {
    char *text;
    size_t n;
} pool[POOL_MAX];
static unsigned pool_count;

/* Words that parsers trip over. */
static const char *const words[] = {"null",
                                    "true",
                                    "false",
                                    "{}",
                                    "[]",
                                    "\"\"",
                                    "0",
                                    "-0",
                                    "-1",
                                    "1e999",
                                    "1E-5",
                                    "0.5",
                                    "1.0",
                                    "00",
                                    "2147483647",
                                    "-2147483648",
                                    "4294967296",
                                    "9007199254740991",
                                    "9007199254740992",
                                    "9223372036854775807",
                                    "-9223372036854775808",
                                    "18446744073709551616",
                                    "NaN",
                                    "Infinity",
                                    "\\u0000",
                                    "\\ud800",
                                    "\\udc00",
                                    "\\ud83d\\ude00",
                                    "\\u",
                                    "\\",
                                    "\"",
                                    "\xc0\x80",
                                    "\xed\xa0\x80",
                                    "\xf4\x90\x80\x80",
                                    "\xff",
                                    "\xef\xbb\xbf",
                                    "\x1b[2J",
                                    "\x7f",
                                    "{\"",
                                    "\":",
                                    ",",
                                    "[[[[[[[[",
                                    "]]]]]]]]",
                                    "{\"a\":{\"a\":",
                                    "/*",
                                    "//",
                                    "\n",
                                    "\r\n",
                                    "\t",
                                    "%s%n",
                                    "../",
                                    "__proto__"};

static const double numbers[] = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 4,
                                 5,
                                 6,
                                 7,
                                 23,
                                 24,
                                 25,
                                 31,
                                 32,
                                 33,
                                 63,
                                 64,
                                 65,
                                 127,
                                 128,
                                 255,
                                 256,
                                 257,
                                 65535,
                                 65536,
                                 2147483647.0,
                                 -2147483648.0,
                                 4294967295.0,
                                 4294967296.0,
                                 9007199254740991.0,
                                 -9007199254740991.0,
                                 9007199254740992.0,
                                 1e19,
                                 -1e19,
                                 1e300,
                                 0.5,
                                 -3.25};

static const char *const strings[] = {"",
                                      " ",
                                      "FR",
                                      "AL",
                                      "AD",
                                      "PR",
                                      "FR-A",
                                      "AD-A",
                                      "PR-A",
                                      "FR-Z",
                                      "FR-A:9",
                                      "FR-A@1",
                                      "FR-A FR-A",
                                      "none",
                                      "\x1b[31m",
                                      "\xc2\x9b",
                                      "\xe2\x80\xae",
                                      "%s%s%n",
                                      "{n}",
                                      "{n, plural, one {",
                                      "'",
                                      "ghent",
                                      "brussels",
                                      "hal",
                                      "1",
                                      "2",
                                      "3",
                                      "default",
                                      "public",
                                      "all"};

#define COUNT(a) ((unsigned)(sizeof(a) / sizeof(a)[0]))

uint64_t mutate_random(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

unsigned mutate_below(uint64_t *random, unsigned n)
{
    return n == 0 ? 0 : (unsigned)(mutate_random(random) % n);
}

void mutate_pool_add(const char *text, size_t n)
{
    if (pool_count == POOL_MAX || n == 0) { return; }
    char *copy = malloc(n);
    if (copy == NULL) { return; }
    memcpy(copy, text, n);
    pool[pool_count].text = copy;
    pool[pool_count++].n = n;
}

/* --- bytes ---------------------------------------------------------------------------------------
 */

/* Puts n bytes in place of gone bytes at at; what does not fit falls off the end. */
static size_t put(uint8_t *data, size_t size, size_t max, size_t at, size_t gone, const void *bytes,
                  size_t n)
{
    if (n > max - at) { n = max - at; }
    size_t tail = size - at - gone;
    if (tail > max - at - n) { tail = max - at - n; }
    memmove(data + at + n, data + at + gone, tail);
    memcpy(data + at, bytes, n);
    return at + n + tail;
}

static size_t mutate_bytes(uint8_t *data, size_t size, size_t max, uint64_t *random)
{
    uint8_t some[64];
    const size_t at = mutate_below(random, (unsigned)size + 1);
    const size_t left = size - at;
    const unsigned short_n = 1 + mutate_below(random, sizeof some);
    switch (mutate_below(random, 8)) {
    case 0:
        if (left > 0) { data[at] ^= (uint8_t)(1U << mutate_below(random, 8)); }
        return size;
    case 1:
        if (left > 0) { data[at] = (uint8_t)mutate_random(random); }
        return size;
    case 2: return put(data, size, max, at, short_n < left ? short_n : left, "", 0);
    case 3: return at; /* cut off */
    case 4:
        for (unsigned i = 0; i < short_n; i++) {
            some[i] = (uint8_t)mutate_random(random);
        }
        return put(data, size, max, at, 0, some, short_n);
    case 5: {
        size_t n = short_n < left ? short_n : left;
        memcpy(some, data + at, n);
        for (unsigned i = mutate_below(random, 200); i > 0; i--) {
            size = put(data, size, max, at, 0, some, n);
        }
        return size;
    }
    case 6: {
        const unsigned other = mutate_below(random, pool_count);
        if (pool_count == 0) { return size; }
        size_t from = mutate_below(random, (unsigned)pool[other].n);
        size_t n = 1 + mutate_below(random, (unsigned)(pool[other].n - from));
        return put(data, size, max, at, mutate_below(random, (unsigned)left + 1),
                   pool[other].text + from, n);
    }
    default: {
        const char *word = words[mutate_below(random, COUNT(words))];
        return put(data, size, max, at, mutate_below(random, 2) * (left < 4 ? left : 4), word,
                   strlen(word));
    }
    }
}

/* --- JSON ----------------------------------------------------------------------------------------
 */

static unsigned collect(cJSON *json, cJSON **nodes, unsigned count)
{
    if (count < NODES_MAX) { nodes[count++] = json; }
    for (cJSON *i = json->child; i != NULL; i = i->next) {
        count = collect(i, nodes, count);
    }
    return count;
}

/* Where the JSON of a line begins: after at most one byte; n: it holds none. */
static size_t json_begin(const char *line, size_t n)
{
    for (size_t i = 0; i < 2 && i < n; i++) {
        if (line[i] == '{' || line[i] == '[') { return i; }
    }
    return n;
}

/* A part of some other input, NULL: none. */
static cJSON *donor(uint64_t *random)
{
    cJSON *nodes[NODES_MAX], *json = NULL;
    if (pool_count == 0) { return NULL; }
    const unsigned other = mutate_below(random, pool_count);
    const char *text = pool[other].text, *end = text + pool[other].n;
    for (unsigned skip = mutate_below(random, 4); skip > 0; skip--) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        if (next == NULL || next + 1 >= end) { break; }
        text = next + 1;
    }
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    if (stop == NULL) { stop = end; }
    text += json_begin(text, (size_t)(stop - text));
    if (json_parse(text, (size_t)(stop - text), &json) != ERR_OK) {
        if (json_parse(pool[other].text, pool[other].n, &json) != ERR_OK) { return NULL; }
    }
    const unsigned count = collect(json, nodes, 0);
    cJSON *part = cJSON_Duplicate(nodes[mutate_below(random, count)], true);
    cJSON_Delete(json);
    return part;
}

static cJSON *any_value(uint64_t *random)
{
    switch (mutate_below(random, 10)) {
    case 0: return cJSON_CreateObject();
    case 1: return cJSON_CreateArray();
    case 2: return cJSON_CreateBool(mutate_below(random, 2) != 0);
    case 3: return cJSON_CreateNull();
    case 4: return cJSON_CreateNumber((double)mutate_below(random, 300) - 20);
    case 5: return cJSON_CreateNumber(numbers[mutate_below(random, COUNT(numbers))]);
    case 6: {
        char many[600];
        const unsigned n = mutate_below(random, sizeof many - 1);
        memset(many, 'a' + (int)mutate_below(random, 26), n);
        many[n] = '\0';
        return cJSON_CreateString(many);
    }
    default: return cJSON_CreateString(strings[mutate_below(random, COUNT(strings))]);
    }
}

static cJSON *wrapped(cJSON *take_json, unsigned depth, bool array)
{
    cJSON *json = take_json;
    for (unsigned i = 0; i < depth && json != NULL; i++) {
        cJSON *outer = array ? cJSON_CreateArray() : cJSON_CreateObject();
        if (array) {
            cJSON_AddItemToArray(outer, json);
        } else {
            cJSON_AddItemToObject(outer, "a", json);
        }
        json = outer;
    }
    return json;
}

/* Another value in the place of node, which is in parent. */
static void replace(cJSON *parent, cJSON *node, cJSON *take_value)
{
    if (take_value == NULL) { return; }
    free(take_value->string);
    take_value->string = cJSON_IsObject(parent) ? strdup(node->string) : NULL;
    cJSON_ReplaceItemViaPointer(parent, node, take_value);
}

static void change_scalar(cJSON *parent, cJSON *node, uint64_t *random)
{
    if (cJSON_IsNumber(node) && mutate_below(random, 2) == 0) {
        cJSON_SetNumberValue(node, node->valuedouble + (double)mutate_below(random, 5) - 2);
    } else if (cJSON_IsString(node) && mutate_below(random, 2) == 0 &&
               node->valuestring[0] != '\0') {
        const size_t n = strlen(node->valuestring);
        node->valuestring[mutate_below(random, (unsigned)n)] =
            (char)(' ' + mutate_below(random, 95));
    } else {
        replace(parent, node, any_value(random));
    }
}

static void change_node(cJSON *parent, cJSON *node, uint64_t *random)
{
    switch (mutate_below(random, 10)) {
    case 0: cJSON_Delete(cJSON_DetachItemViaPointer(parent, node)); return;
    case 1: {
        unsigned times = mutate_below(random, 60) == 0 ? mutate_below(random, REPEAT_MAX)
                                                       : 1 + mutate_below(random, 3);
        for (; times > 0; times--) {
            cJSON *twice = cJSON_Duplicate(node, true);
            if (cJSON_IsArray(parent)) {
                cJSON_AddItemToArray(parent, twice);
            } else {
                char *name = strdup(node->string);
                cJSON_AddItemToObject(parent, name, twice);
                free(name);
                times = 1;
            }
        }
        return;
    }
    case 2:
    case 3:
    case 4: replace(parent, node, donor(random)); return;
    case 5:
        if (cJSON_IsObject(parent)) {
            const char *name = strings[mutate_below(random, COUNT(strings))];
            cJSON *other = donor(random);
            if (other != NULL && other->string != NULL) { name = other->string; }
            free(node->string);
            node->string = strdup(name);
            cJSON_Delete(other);
            return;
        }
        cJSON_AddItemToArray(parent, any_value(random));
        return;
    case 6: {
        const unsigned depth = mutate_below(random, 10) == 0 ? mutate_below(random, 40) : 1;
        cJSON *copy = wrapped(cJSON_Duplicate(node, true), depth, mutate_below(random, 2) != 0);
        replace(parent, node, copy);
        return;
    }
    case 7:
        if (cJSON_IsObject(node) || cJSON_IsArray(node)) {
            cJSON *more = cJSON_IsObject(node) ? donor(random) : any_value(random);
            if (more != NULL && cJSON_IsObject(node)) {
                char *name = strdup(more->string != NULL ? more->string : "x");
                cJSON_AddItemToObject(node, name, more);
                free(name);
            } else if (more != NULL) {
                cJSON_AddItemToArray(node, more);
            }
            return;
        }
        change_scalar(parent, node, random);
        return;
    default: change_scalar(parent, node, random); return;
    }
}

/* The node's parent, NULL: it is not below root. */
static cJSON *parent_of(cJSON *root, const cJSON *node)
{
    for (cJSON *i = root->child; i != NULL; i = i->next) {
        if (i == node) { return root; }
        cJSON *found = parent_of(i, node);
        if (found != NULL) { return found; }
    }
    return NULL;
}

/* NULL: not JSON, or too long afterwards. */
static char *mutate_json(const char *text, size_t n, size_t max, uint64_t *random)
{
    cJSON *nodes[NODES_MAX], *json = NULL;
    if (json_parse(text, n, &json) != ERR_OK) { return NULL; }
    for (unsigned times = 1 + mutate_below(random, 3); times > 0; times--) {
        const unsigned count = collect(json, nodes, 0);
        cJSON *node = nodes[mutate_below(random, count)];
        cJSON *parent = parent_of(json, node);
        if (parent != NULL) { change_node(parent, node, random); }
    }
    char *out = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    if (out != NULL && strlen(out) > max) {
        free(out);
        out = NULL;
    }
    return out;
}

/* --- both ----------------------------------------------------------------------------------------
 */

/* Lines taken out, twice, or from another input. */
static size_t mutate_lines(uint8_t *data, size_t size, size_t max, size_t from, size_t n,
                           uint64_t *random)
{
    uint8_t line[4096];
    const size_t with_end = from + n < size ? n + 1 : n;
    switch (mutate_below(random, 3)) {
    case 0: return put(data, size, max, from, with_end, "", 0);
    case 1:
        if (with_end > sizeof line) { return size; }
        memcpy(line, data + from, with_end);
        return put(data, size, max, from, 0, line, with_end);
    default: {
        if (pool_count == 0) { return size; }
        const unsigned other = mutate_below(random, pool_count);
        const char *text = pool[other].text, *end = text + pool[other].n;
        const char *at = text + mutate_below(random, (unsigned)pool[other].n);
        while (at > text && at[-1] != '\n') {
            at--;
        }
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        return put(data, size, max, from, 0, at,
                   stop == NULL ? (size_t)(end - at) : (size_t)(stop + 1 - at));
    }
    }
}

static size_t mutate_once(uint8_t *data, size_t size, size_t max, uint64_t *random)
{
    /* the whole as one JSON text (with line ends in it), else one of its lines */
    size_t from = mutate_below(random, (unsigned)size + 1), stop = from;
    if (size > 0 && memchr(data, '\n', size) != NULL && mutate_below(random, 8) != 0) {
        char *whole = mutate_below(random, 4) == 0
                          ? mutate_json((const char *)data, size, max, random)
                          : NULL;
        if (whole != NULL) {
            size = put(data, 0, max, 0, 0, whole, strlen(whole));
            free(whole);
            return size;
        }
    }
    while (from > 0 && data[from - 1] != '\n') {
        from--;
    }
    while (stop < size && data[stop] != '\n') {
        stop++;
    }
    const unsigned how = mutate_below(random, 16);
    if (how == 0) { return mutate_lines(data, size, max, from, stop - from, random); }
    if (how < 13) {
        const size_t skip = json_begin((const char *)data + from, stop - from);
        char *line = mutate_json((const char *)data + from + skip, stop - from - skip, max, random);
        if (line != NULL) {
            size = put(data, size, max, from + skip, stop - from - skip, line, strlen(line));
            free(line);
            return size;
        }
    }
    return mutate_bytes(data, size, max, random);
}

size_t mutate(uint8_t *data, size_t size, size_t max, uint64_t *random)
{
    for (unsigned times = 1 + mutate_below(random, 3); times > 0; times--) {
        size = mutate_once(data, size, max, random);
    }
    return size;
}

#ifdef FUZZ_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    uint64_t random = seed;
    if (pool_count == 0) { fuzz_seeds(mutate_pool_add); }
    if (mutate_below(&random, 8) == 0) { return LLVMFuzzerMutate(data, size, max); }
    return mutate(data, size, max, &random);
}
#endif
