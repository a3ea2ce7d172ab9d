/* client-cli/austerlitz/choices_austerlitz.c: what the forms of a view of Austerlitz offer, as
 * orders one could type; completion of what is typed. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static const char *string_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* An element of a choice, or the one value. */
static const cJSON *first_of(const cJSON *member)
{
    return cJSON_IsArray(member) ? member->child : member;
}

static const cJSON *next_of(const cJSON *member, const cJSON *at)
{
    return cJSON_IsArray(member) ? at->next : NULL;
}

struct adding {
    const struct av_view *v;
    face_add_fn *add;
    void *ctx;
};

static void add(const struct adding *to, const struct buf *order)
{
    to->add(to->ctx, buf_str(order));
}

/* ---- orders of forms ---- */

/* Names of a list form with a blank before each. */
static void append_list(struct buf *out, const cJSON *names)
{
    const cJSON *name = NULL, *list = json_get(names, "list");
    cJSON_ArrayForEach(name, list)
    {
        buf_append_char(out, ' ');
        buf_append_str(out, string_of(name));
    }
}

static void append_entry(struct buf *out, const cJSON *entry)
{
    if (json_get(entry, "artillery") != NULL) {
        buf_append_str(out, "ice ");
        buf_append_str(out, text_of(entry, "artillery"));
        buf_append_char(out, ' ');
        buf_append_str(out, text_of(entry, "hex"));
        return;
    }
    bool contact = json_get(entry, "contact") != NULL;
    buf_append_str(out, contact ? "attack" : "bombard");
    append_list(out, json_get(entry, contact ? "contact" : "bombard"));
    buf_append_str(out, " on");
    append_list(out, json_get(entry, "defenders"));
    if (contact && json_get(entry, "bombard") != NULL) {
        buf_append_str(out, " with");
        append_list(out, json_get(entry, "bombard"));
    }
}

static void append_plan(struct buf *out, const cJSON *plan)
{
    const cJSON *entry = NULL, *list = json_get(plan, "list");
    if (list == NULL || list->child == NULL) { buf_append_str(out, "declare"); }
    cJSON_ArrayForEach(entry, list)
    {
        if (entry != list->child) { buf_append_str(out, " and "); }
        append_entry(out, entry);
    }
}

static void add_resolves(const struct adding *to, const cJSON *form)
{
    const cJSON *indexes = json_get(form, "index");
    for (const cJSON *i = first_of(indexes); i != NULL; i = next_of(indexes, i)) {
        char order[32];
        snprintf(order, sizeof order, "resolve %d", (int)json_int(i, 0));
        to->add(to->ctx, order);
    }
}

static void add_losses(const struct adding *to, const cJSON *form)
{
    const cJSON *set = NULL;
    cJSON_ArrayForEach(set, json_get(form, "losses"))
    {
        struct buf order;
        buf_init(&order, 1024);
        buf_append_str(&order, "lose");
        append_list(&order, set);
        add(to, &order);
        buf_finish(&order);
    }
}

static void add_pushes(const struct adding *to, const char *word, const cJSON *form)
{
    const cJSON *hexes = json_get(form, "to");
    struct buf order;
    buf_init(&order, 1024);
    if (hexes == NULL) {
        buf_append_str(&order, word);
        buf_append_char(&order, ' ');
        buf_append_str(&order, text_of(form, "unit"));
        if (json_get(form, "stay") != NULL) { buf_append_str(&order, " stay"); }
        add(to, &order);
    }
    for (const cJSON *h = first_of(hexes); h != NULL; h = next_of(hexes, h)) {
        buf_reset(&order);
        buf_append_str(&order, word);
        buf_append_char(&order, ' ');
        buf_append_str(&order, text_of(form, "unit"));
        buf_append_char(&order, ' ');
        buf_append_str(&order, string_of(h));
        append_list(&order, json_get(form, "chain"));
        add(to, &order);
    }
    buf_finish(&order);
}

static void add_advances(const struct adding *to, const cJSON *form)
{
    const cJSON *moves = json_get(form, "moves");
    struct buf order;
    buf_init(&order, 4096);
    const cJSON *unit = moves == NULL ? NULL : moves->child;
    bool one = unit != NULL && unit->next == NULL;
    if (unit == NULL) { buf_append_str(&order, "hold"); }
    for (const cJSON *h = one ? first_of(unit) : NULL; h != NULL; h = next_of(unit, h)) {
        char text[64];
        snprintf(text, sizeof text, "advance %.4s %.4s", av_key(unit), string_of(h));
        to->add(to->ctx, text);
    }
    for (; unit != NULL && !one; unit = unit->next) {
        buf_append_str(&order, order.len == 0 ? "advance " : " ");
        buf_append_str(&order, av_key(unit));
        buf_append_char(&order, ' ');
        buf_append_str(&order, string_of(first_of(unit)));
    }
    if (order.len > 0) { add(to, &order); }
    buf_finish(&order);
}

static void add_bridges(const struct adding *to, const cJSON *form)
{
    const cJSON *units = json_get(form, "unit");
    for (const cJSON *u = first_of(units); u != NULL; u = next_of(units, u)) {
        char order[64];
        snprintf(order, sizeof order, "demolish %.8s %.4s", text_of(form, "bridge"), string_of(u));
        to->add(to->ctx, order);
    }
}

static void add_plan(const struct adding *to, const cJSON *form)
{
    struct buf order;
    buf_init(&order, 16384);
    append_plan(&order, json_get(form, "plan"));
    add(to, &order);
    buf_finish(&order);
}

/* Where a unit may go by its form: all hexes of the tree, as one line; or off the map. */
static void append_tree(struct buf *out, const cJSON *tree)
{
    for (const cJSON *h = tree == NULL ? NULL : tree->child; h != NULL; h = h->next) {
        buf_append_char(out, ' ');
        buf_append_str(out, av_key(h));
        append_tree(out, h);
    }
}

static void add_move(const struct adding *to, const cJSON *form)
{
    const cJSON *path = json_get(form, "path");
    const char *edge = text_of(form, "exit_edge");
    struct buf order;
    buf_init(&order, 16384);
    buf_append_str(&order, edge[0] == '\0' ? "move " : "exit ");
    buf_append_str(&order, text_of(form, "unit"));
    if (json_get(path, "tree") != NULL) {
        buf_append_char(&order, ':');
        append_tree(&order, json_get(path, "tree"));
    } else {
        append_list(&order, path);
    }
    if (edge[0] != '\0') {
        buf_append_char(&order, ' ');
        buf_append_str(&order, edge);
    }
    add(to, &order);
    buf_finish(&order);
}

static void add_form(const struct adding *to, const cJSON *form, bool moves)
{
    const char *verb = text_of(form, "do");
    if (strcmp(verb, "move") == 0 && moves) { add_move(to, form); }
    if (strcmp(verb, "destroy_bridge") == 0) { add_bridges(to, form); }
    if (strcmp(verb, "end_move") == 0) { to->add(to->ctx, "end"); }
    if (strcmp(verb, "declare") == 0) { add_plan(to, form); }
    if (strcmp(verb, "resolve") == 0) { add_resolves(to, form); }
    if (strcmp(verb, "exchange") == 0) { add_losses(to, form); }
    if (strcmp(verb, "retreat") == 0 || strcmp(verb, "battery") == 0) {
        add_pushes(to, verb, form);
    }
    if (strcmp(verb, "advance") == 0) { add_advances(to, form); }
}

void aus_choices(const struct av_view *v, const struct aus_draft *draft, face_add_fn *add_to,
                 void *ctx)
{
    const struct adding to = {v, add_to, ctx};
    const cJSON *form = NULL;
    bool drafted = v->state == AV_DECLARE && draft != NULL && draft->entries > 0;
    if (drafted) { /* it is gone on with by hand */
        add_to(ctx, "declare");
        add_to(ctx, "drop all");
        return;
    }
    cJSON_ArrayForEach(form, json_get(v->view, "actions"))
    {
        add_form(&to, form, false);
    }
}

static void add_line(void *ctx, const char *order)
{
    struct buf *out = ctx;
    buf_append_str(out, "  ");
    buf_append_str(out, order);
    buf_append_char(out, '\n');
}

void aus_say_forms(const struct av_view *v, struct buf *out)
{
    const struct adding to = {v, add_line, out};
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, json_get(v->view, "actions"))
    {
        add_form(&to, form, true);
    }
}

void aus_say_order(const struct av_view *v, const struct av_entry *entry, struct buf *out)
{
    struct buf json;
    cJSON *read = NULL;
    buf_init(&json, 8192);
    aus_write_entry(v, entry, &json);
    if (json_parse(buf_str(&json), json.len, &read) == ERR_OK) { append_entry(out, read); }
    cJSON_Delete(read);
    buf_finish(&json);
}

/* ---- completion ---- */

static void add_if(struct buf *out, const char *word, const char *stem)
{
    if (word[0] == '\0' || strncasecmp(word, stem, strlen(stem)) != 0) { return; }
    buf_append_str(out, word);
    buf_append_char(out, '\n');
}

static bool begins(const char *text, const char *word)
{
    size_t n = strlen(word);
    return strncasecmp(text, word, n) == 0 && text[n] == ' ';
}

static void complete_names(const struct av_view *v, const char *line, const char *stem,
                           struct buf *out)
{
    bool to_retreat = begins(line, "retreat");
    for (int i = 0; i < v->units; i++) {
        const struct av_unit *u = &v->unit[i];
        char hex[HEX_TEXT];
        hex_text(&v->map->grid, u->hex, hex);
        if (to_retreat) {
            if (av_has(&v->to_retreat, u->hex)) { add_if(out, u->mine ? u->id : hex, stem); }
        } else if (u->mine || u->id[0] != '\0') {
            add_if(out, u->id, stem);
        } else if (stem[0] != '\0') {
            add_if(out, hex, stem);
        }
    }
    for (int i = 0; i < v->map->places && stem[0] != '\0'; i++) {
        if (strchr(v->map->of_place[i].name, ' ') == NULL) {
            add_if(out, v->map->of_place[i].name, stem);
        }
    }
}

size_t aus_complete(const struct face *face, const struct av_view *v, const char *text,
                    struct buf *out_words)
{
    static const char *const edges[] = {"west", "north", "east", "south"};
    static const char *const offers[] = {"draw",   "abort", "rewind", "pause",
                                         "resume", "time",  "reopen"};
    text += strspn(text, " ");
    const char *last = text + strlen(text);
    while (last > text && last[-1] != ' ') {
        last--;
    }
    if (last == text || begins(text, "help")) {
        for (const struct order_word *w = face->game->words; w->word != NULL; w++) {
            bool fits = face_word_fits(face, w) || last != text;
            if (fits) { add_if(out_words, w->word, last); }
        }
        return strlen(last);
    }
    if (begins(text, "offer")) {
        for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
            add_if(out_words, offers[i], last);
        }
        return strlen(last);
    }
    complete_names(v, text, last, out_words);
    for (size_t i = 0; i < 4 && begins(text, "exit"); i++) {
        add_if(out_words, edges[i], last);
    }
    for (int i = 0; i < v->map->bridges && begins(text, "demolish"); i++) {
        add_if(out_words, v->map->of_bridge[i].id, last);
    }
    if (begins(text, "attack") || begins(text, "bombard") || begins(text, "odds")) {
        add_if(out_words, "on", last);
        add_if(out_words, "with", last);
    }
    if (begins(text, "battery")) { add_if(out_words, "stay", last); }
    if (begins(text, "map")) {
        add_if(out_words, "all", last);
        add_if(out_words, "near", last);
    }
    if (begins(text, "drop")) { add_if(out_words, "all", last); }
    return strlen(last);
}
