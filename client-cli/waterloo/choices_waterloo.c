/* client-cli/waterloo/choices_waterloo.c: what the forms of a view of Waterloo offer, as orders one could
 * type. */
#include <stdio.h>
#include <string.h>

#include "client-cli/waterloo/orders.h"
#include "common/base/jsonr.h"

struct adding {
    const struct wv *wv;
    face_add_fn *add;
    void *ctx;
};

static void add(const struct adding *to, const char *order)
{
    to->add(to->ctx, order);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* A member of a form as a list: the elements of a choice, or the one value. */
static const cJSON *first_of(const cJSON *member)
{
    return cJSON_IsArray(member) ? member->child : member;
}

static const cJSON *next_of(const cJSON *member, const cJSON *at)
{
    return cJSON_IsArray(member) ? at->next : NULL;
}

static void add_fires(const struct adding *to, const cJSON *form)
{
    const cJSON *units = json_get(form, "unit");
    const cJSON *targets = json_get(form, "target");
    for (const cJSON *u = first_of(units); u != NULL; u = next_of(units, u)) {
        for (const cJSON *t = first_of(targets); t != NULL; t = next_of(targets, t)) {
            char order[64];
            if (!cJSON_IsString(u) || !cJSON_IsString(t)) { continue; }
            snprintf(order, sizeof order, "fire %.8s %.8s", u->valuestring, t->valuestring);
            add(to, order);
        }
    }
}

static void add_moves(const struct adding *to, const cJSON *form)
{
    static const struct {
        const char *kind, *word;
    } words[] = {{"advance", "advance"},      {"withdraw", "withdraw"},  {"redeploy", "redeploy"},
                 {"to_reserve", "reserve"},   {"from_reserve", "bring"}, {"form_square", "square"},
                 {"break_square", "unsquare"}};
    const cJSON *kinds = json_get(form, "kind");
    const cJSON *units = json_get(form, "unit");
    const cJSON *lanes = json_get(form, "to");
    for (const cJSON *k = first_of(kinds); k != NULL; k = next_of(kinds, k)) {
        const char *word = "";
        for (size_t i = 0; cJSON_IsString(k) && i < sizeof words / sizeof words[0]; i++) {
            if (strcmp(words[i].kind, k->valuestring) == 0) { word = words[i].word; }
        }
        for (const cJSON *u = first_of(units); u != NULL; u = next_of(units, u)) {
            char order[64];
            if (!cJSON_IsString(u) || word[0] == '\0') { continue; }
            snprintf(order, sizeof order, "%s %.8s", word, u->valuestring);
            if (lanes == NULL) { add(to, order); }
            for (const cJSON *l = first_of(lanes); l != NULL; l = next_of(lanes, l)) {
                char with_lane[80];
                snprintf(with_lane, sizeof with_lane, "%s %d", order,
                         cJSON_IsNumber(l) ? l->valueint : 0);
                add(to, with_lane);
            }
        }
    }
}

/* The whole forces at once; single units are for typed orders. */
static void add_place_choice(const struct adding *to, const char *word, const cJSON *form,
                             const char *member)
{
    const cJSON *towns = json_get(form, member);
    for (const cJSON *t = first_of(towns); t != NULL; t = next_of(towns, t)) {
        char order[80];
        if (!cJSON_IsString(t)) { continue; }
        snprintf(order, sizeof order, "%s %.40s", word, t->valuestring);
        add(to, order);
    }
}

static void add_respond(const struct adding *to, const cJSON *form)
{
    const cJSON *choices = json_get(form, "choice");
    for (const cJSON *c = first_of(choices); c != NULL; c = next_of(choices, c)) {
        if (!cJSON_IsString(c)) { continue; }
        add_place_choice(to, strcmp(c->valuestring, "fight") == 0 ? "fight" : "retreat", form,
                         "town");
    }
}

static void add_form(const struct adding *to, const cJSON *form)
{
    const char *verb = text_of(form, "do");
    bool ends = strncmp(verb, "end_", 4) == 0;
    if (strcmp(verb, "fire") == 0) { add_fires(to, form); }
    if (strcmp(verb, "move") == 0) { add_moves(to, form); }
    if (strcmp(verb, "respond") == 0) { add_respond(to, form); }
    if (strcmp(verb, "place") == 0 && strcmp(to->wv->prompt, "place_units") == 0) {
        const cJSON *left = json_get(json_get(to->wv->view, "prompt"), "unplaced");
        if (cJSON_IsNumber(left) && left->valueint > 0) { add(to, "place auto"); }
    }
    if (strcmp(verb, "confirm_setup") == 0) { add(to, "confirm"); }
    if (strcmp(verb, "unmarch") == 0) { add(to, "unmarch all"); }
    if (strcmp(verb, "allot") == 0) { add(to, "allot auto"); }
    if (strcmp(verb, "deploy") == 0) { add_place_choice(to, "deploy", form, "battle"); }
    if (strcmp(verb, "rout_routes") == 0) { add_place_choice(to, "routes", form, "battle"); }
    if (strcmp(verb, "retreat") == 0) { add_place_choice(to, "retreat", form, "battle"); }
    if (ends) { add(to, "end"); }
}

void orders_choices(const struct wv *wv, face_add_fn *add_to, void *ctx)
{
    const struct adding to = {wv, add_to, ctx};
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, json_get(wv->view, "actions"))
    {
        add_form(&to, form);
    }
}
