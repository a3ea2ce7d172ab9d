/* common/protocol/forms.c: picking from action forms. */
#include "common/protocol/forms.h"

#include <stdint.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

static enum err pick(const cJSON *form, const struct forms_random *random, struct buf *out);

static unsigned below(const struct forms_random *random, unsigned n)
{
    return n < 2 ? 0 : random->below(random->ctx, n);
}

/* A bound such as "min": missing or not a number that makes sense, it is `otherwise`. */
static unsigned bound(const cJSON *form, const char *name, unsigned otherwise)
{
    const cJSON *value = json_get(form, name);
    if (!cJSON_IsNumber(value) || value->valuedouble < 0) { return otherwise; }
    return value->valuedouble > FORMS_ITEMS_MAX ? FORMS_ITEMS_MAX : (unsigned)value->valuedouble;
}

/* The children of an array or object as a table. TOO_LARGE: more than FORMS_ITEMS_MAX. */
static enum err children(const cJSON *parent, const cJSON *out[FORMS_ITEMS_MAX], unsigned *out_n)
{
    unsigned n = 0;
    for (const cJSON *item = parent->child; item != NULL; item = item->next) {
        if (n == FORMS_ITEMS_MAX) { return ERR_TOO_LARGE; }
        out[n++] = item;
    }
    *out_n = n;
    return ERR_OK;
}

/* Shuffles the table (Fisher and Yates). */
static void shuffle(const cJSON *items[], unsigned n, const struct forms_random *random)
{
    for (unsigned i = n; i > 1; i--) {
        unsigned j = below(random, i);
        const cJSON *other = items[j];
        items[j] = items[i - 1];
        items[i - 1] = other;
    }
}

static enum err pick_choice(const cJSON *form, const struct forms_random *random, struct buf *out)
{
    unsigned n = (unsigned)cJSON_GetArraySize(form);
    if (n == 0) { return ERR_INVALID_PARAMS; }
    return pick(cJSON_GetArrayItem(form, (int)below(random, n)), random, out);
}

static enum err pick_list(const cJSON *list, const struct forms_random *random, struct buf *out)
{
    jw_array_begin(out);
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        enum err err = pick(item, random, out);
        if (err != ERR_OK) { return err; }
    }
    jw_array_end(out);
    return ERR_OK;
}

static enum err pick_any_of(const cJSON *form, const cJSON *any_of,
                            const struct forms_random *random, struct buf *out)
{
    const cJSON *items[FORMS_ITEMS_MAX];
    unsigned n = 0;
    enum err err = children(any_of, items, &n);
    if (err != ERR_OK) { return err; }
    unsigned min = bound(form, "min", 0), max = bound(form, "max", n);
    if (max > n) { max = n; }
    if (min > max) { return ERR_INVALID_PARAMS; }
    unsigned count = min + below(random, max - min + 1);
    shuffle(items, n, random);
    jw_array_begin(out);
    for (unsigned i = 0; i < count; i++) {
        err = pick(items[i], random, out);
        if (err != ERR_OK) { return err; }
    }
    jw_array_end(out);
    return ERR_OK;
}

/* Deals the n elements of a split to its names: first what each needs at least, then freely. */
static enum err deal_split(const cJSON *const names[], unsigned names_n, unsigned n,
                           const struct forms_random *random, uint16_t out_name[FORMS_ITEMS_MAX])
{
    uint16_t room[FORMS_ITEMS_MAX], open[FORMS_ITEMS_MAX];
    unsigned dealt = 0, open_n = 0;
    for (unsigned k = 0; k < names_n; k++) {
        unsigned min = bound(names[k], "min", 0);
        unsigned max = bound(names[k], "max", FORMS_ITEMS_MAX);
        if (min > max || min > n - dealt) { return ERR_INVALID_PARAMS; }
        for (unsigned i = 0; i < min; i++) {
            out_name[dealt++] = (uint16_t)k;
        }
        room[k] = (uint16_t)(max - min);
        if (room[k] > 0) { open[open_n++] = (uint16_t)k; }
    }
    while (dealt < n) {
        if (open_n == 0) { return ERR_INVALID_PARAMS; }
        unsigned at = below(random, open_n);
        unsigned k = open[at];
        out_name[dealt++] = (uint16_t)k;
        if (--room[k] == 0) { open[at] = open[--open_n]; }
    }
    return ERR_OK;
}

static enum err pick_split(const cJSON *split, const cJSON *into, const struct forms_random *random,
                           struct buf *out)
{
    const cJSON *items[FORMS_ITEMS_MAX], *names[FORMS_ITEMS_MAX];
    uint16_t name_of[FORMS_ITEMS_MAX] = {0};
    unsigned n = 0, names_n = 0;
    enum err err = children(split, items, &n);
    if (err == ERR_OK) { err = children(into, names, &names_n); }
    if (err == ERR_OK) { err = deal_split(names, names_n, n, random, name_of); }
    if (err != ERR_OK) { return err; }
    shuffle(items, n, random);
    jw_object_begin(out);
    for (unsigned k = 0; k < names_n; k++) {
        jw_key_array(out, names[k]->string);
        for (unsigned i = 0; i < n; i++) {
            if (name_of[i] != k) { continue; }
            err = pick(items[i], random, out);
            if (err != ERR_OK) { return err; }
        }
        jw_array_end(out);
    }
    jw_object_end(out);
    return ERR_OK;
}

/* Longest path from here down. */
static unsigned tree_height(const cJSON *tree)
{
    unsigned height = 0;
    for (const cJSON *child = tree->child; child != NULL; child = child->next) {
        unsigned below_it = 1 + tree_height(child);
        if (below_it > height) { height = below_it; }
    }
    return height;
}

static enum err pick_tree(const cJSON *form, const cJSON *tree, const struct forms_random *random,
                          struct buf *out)
{
    unsigned min = bound(form, "min", 1), max = bound(form, "max", FORMS_ITEMS_MAX);
    if (min > max) { return ERR_INVALID_PARAMS; }
    jw_array_begin(out);
    const cJSON *at = tree;
    for (unsigned len = 0; len < max; len++) {
        const cJSON *ways[FORMS_ITEMS_MAX];
        unsigned n = 0;
        for (const cJSON *child = at->child; child != NULL; child = child->next) {
            if (len + 1 + tree_height(child) < min) { continue; }
            if (child->string == NULL) { return ERR_INVALID_PARAMS; } /* an array is no tree */
            if (n == FORMS_ITEMS_MAX) { return ERR_TOO_LARGE; }
            ways[n++] = child;
        }
        if (n == 0 && len < min) { return ERR_INVALID_PARAMS; }
        unsigned i = below(random, n + (len >= min ? 1U : 0U));
        if (i >= n) { break; } /* far enough, and the path ends here */
        at = ways[i];
        jw_str(out, at->string);
    }
    jw_array_end(out);
    return ERR_OK;
}

static enum err pick_range(const cJSON *range, const struct forms_random *random, struct buf *out)
{
    const cJSON *lo = cJSON_GetArrayItem(range, 0), *hi = cJSON_GetArrayItem(range, 1);
    if (!cJSON_IsNumber(lo) || !cJSON_IsNumber(hi)) { return ERR_INVALID_PARAMS; }
    double span = hi->valuedouble - lo->valuedouble;
    if (!(span >= 0) || span > 1e6) { return ERR_INVALID_PARAMS; }
    jw_int(out, json_int(lo, 0) + (int64_t)below(random, (unsigned)span + 1));
    return ERR_OK;
}

static enum err pick_members(const cJSON *object, const struct forms_random *random,
                             struct buf *out)
{
    jw_object_begin(out);
    for (const cJSON *member = object->child; member != NULL; member = member->next) {
        jw_key(out, member->string);
        enum err err = pick(member, random, out);
        if (err != ERR_OK) { return err; }
    }
    jw_object_end(out);
    return ERR_OK;
}

/* The one place that knows the kinds of forms (PROTOCOL section 5). */
static enum err pick(const cJSON *form, const struct forms_random *random, struct buf *out)
{
    if (cJSON_IsArray(form)) { return pick_choice(form, random, out); }
    if (!cJSON_IsObject(form)) {
        jw_value(out, form);
        return ERR_OK;
    }
    const cJSON *list = json_get(form, "list"), *any_of = json_get(form, "any_of");
    const cJSON *split = json_get(form, "split"), *into = json_get(form, "into");
    const cJSON *tree = json_get(form, "tree"), *range = json_get(form, "range");
    if (cJSON_IsArray(list)) { return pick_list(list, random, out); }
    if (cJSON_IsArray(any_of)) { return pick_any_of(form, any_of, random, out); }
    if (cJSON_IsArray(split) && cJSON_IsObject(into)) {
        return pick_split(split, into, random, out);
    }
    if (cJSON_IsObject(tree)) { return pick_tree(form, tree, random, out); }
    if (cJSON_IsArray(range)) { return pick_range(range, random, out); }
    return pick_members(form, random, out);
}

enum err forms_pick(const cJSON *form, const struct forms_random *random, struct buf *out_json)
{
    size_t before = out_json->len;
    enum err err = pick(form, random, out_json);
    if (err == ERR_OK && out_json->failed) { err = ERR_TOO_LARGE; }
    if (err != ERR_OK && before <= out_json->len) { buf_cut(out_json, before); }
    return err;
}
