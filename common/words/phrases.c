#include "common/words/phrases.h"

#include <stdio.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/words/words.h"

enum { PHRASE_MAX = 16384 };

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* ---- lists ---- */

void phrase_list_init(struct phrase_list *list)
{
    buf_init(&list->head, PHRASE_MAX);
    buf_init(&list->last, PHRASE_MAX);
    buf_init(&list->work, PHRASE_MAX);
    list->items = 0;
}

void phrase_list_finish(struct phrase_list *list)
{
    buf_finish(&list->head);
    buf_finish(&list->last);
    buf_finish(&list->work);
}

void phrase_list_add(struct phrase_list *list, const char *item)
{
    if (list->items == 1) {
        buf_append_str(&list->head, buf_str(&list->last));
    } else if (list->items > 1) {
        buf_reset(&list->work);
        words_say(&list->work, "list.comma", "head", buf_str(&list->head), "item",
                  buf_str(&list->last), NULL);
        buf_reset(&list->head);
        buf_append_str(&list->head, buf_str(&list->work));
    }
    buf_reset(&list->last);
    buf_append_str(&list->last, item);
    list->items++;
}

void phrase_list_join(struct phrase_list *list, const char *id, struct buf *out)
{
    if (list->items == 0) {
        words_say(out, "list.none", NULL);
    } else if (list->items == 1) {
        buf_append_str(out, buf_str(&list->last));
    } else {
        words_say(out, id, "head", buf_str(&list->head), "item", buf_str(&list->last), NULL);
    }
}

void phrase_list_say(struct phrase_list *list, bool and, struct buf *out)
{
    phrase_list_join(list, and? "list.and" : "list.comma", out);
}

/* ---- names ---- */

void phrase_town(struct buf *out, const struct board *board, const char *town, const char *form)
{
    char id[80];
    snprintf(id, sizeof id, "place.%.60s", town);
    if (words_text(id) != NULL) {
        words_say(out, id, "form", form, NULL);
    } else {
        words_say(out, "place.unknown", "form", form, "name", board_name(board, town), NULL);
    }
}

void phrase_unit(struct buf *out, const char *unit, const char *form)
{
    char id[64];
    snprintf(id, sizeof id, "unit.%.40s", unit);
    if (words_text(id) == NULL) {
        buf_append_str(out, unit);
        return;
    }
    struct buf name;
    buf_init(&name, 512);
    words_say(&name, id, "form", form, NULL);
    words_say(out, "unit.coded", "unit_t", buf_str(&name), "code", unit, NULL);
    buf_finish(&name);
}

void phrase_side(struct buf *out, const char *side)
{
    words_say(out, "side.name", "side", side, NULL);
}

/* ---- who looks ---- */

static bool is_seat(const char *viewer)
{
    return viewer != NULL && strlen(viewer) == 2;
}

static bool is_french(const char *code)
{
    return strncmp(code, "FR", 2) == 0;
}

bool phrase_owns(const char *viewer, const char *unit)
{
    if (!is_seat(viewer)) { return false; }
    return strncmp(viewer, unit, 2) == 0 || (strcmp(viewer, "AL") == 0 && !is_french(unit));
}

const char *phrase_view(const char *viewer, const char *side)
{
    if (!is_seat(viewer)) { return "other"; }
    return is_french(viewer) == is_french(side) ? "own" : "enemy";
}

const char *phrase_view_of_seat(const char *viewer, const char *seat)
{
    if (is_seat(viewer) && strcmp(viewer, seat) == 0) { return "own"; }
    return strcmp(phrase_view(viewer, seat), "enemy") == 0 ? "enemy" : "other";
}

/* ---- several ---- */

void phrase_units(struct buf *out, const cJSON *units, const char *viewer)
{
    struct phrase_list list;
    struct buf name;
    const cJSON *u = NULL;
    bool before = false; /* one of the viewer's own stands before it */
    phrase_list_init(&list);
    buf_init(&name, 1024);
    cJSON_ArrayForEach(u, units)
    {
        if (!cJSON_IsString(u)) { continue; }
        bool own = phrase_owns(viewer, u->valuestring);
        buf_reset(&name);
        phrase_unit(&name, u->valuestring, !own ? "the" : before ? "more" : "own");
        phrase_list_add(&list, buf_str(&name));
        before = own;
    }
    phrase_list_say(&list, true, out);
    phrase_list_finish(&list);
    buf_finish(&name);
}

void phrase_counts(struct buf *out, const cJSON *counts)
{
    struct phrase_list list;
    struct buf some;
    const cJSON *c = NULL;
    phrase_list_init(&list);
    buf_init(&some, 512);
    cJSON_ArrayForEach(c, counts)
    {
        if (!cJSON_IsNumber(c)) { continue; }
        buf_reset(&some);
        words_say(&some, "units.of", "n", words_int(c->valueint), "nation",
                  c->string == NULL ? "" : c->string, NULL);
        phrase_list_add(&list, buf_str(&some));
    }
    phrase_list_say(&list, true, out);
    phrase_list_finish(&list);
    buf_finish(&some);
}

void phrase_dice(struct buf *out, const cJSON *dice)
{
    struct phrase_list list;
    struct buf all;
    const cJSON *d = NULL;
    phrase_list_init(&list);
    buf_init(&all, 1024);
    cJSON_ArrayForEach(d, dice)
    {
        if (cJSON_IsNumber(d)) { phrase_list_add(&list, words_int(d->valueint)); }
    }
    phrase_list_say(&list, false, &all);
    words_say(out, "list.dice", "dice", buf_str(&all), NULL);
    phrase_list_finish(&list);
    buf_finish(&all);
}

void phrase_way(struct buf *out, const struct board *board, const cJSON *item, const char *from)
{
    struct phrase_list through;
    struct buf start, by, to;
    const char *begin = text_of(item, "from");
    const cJSON *town = NULL;
    phrase_list_init(&through);
    buf_init(&start, 512);
    buf_init(&by, 2048);
    buf_init(&to, 512);
    phrase_town(&start, board, begin[0] == '\0' ? from : begin, "from");
    cJSON_ArrayForEach(town, json_get(item, "path"))
    {
        if (!cJSON_IsString(town)) { continue; }
        buf_reset(&to);
        phrase_town(&to, board, town->valuestring, town->next == NULL ? "to" : "by");
        if (town->next != NULL) { phrase_list_add(&through, buf_str(&to)); }
    }
    bool via = through.items > 0;
    if (via) { phrase_list_join(&through, "list.via", &by); }
    words_say(out, "way", "from_t", buf_str(&start), "via", via ? "true" : "false", "by_t",
              buf_str(&by), "to_t", buf_str(&to), NULL);
    phrase_list_finish(&through);
    buf_finish(&start);
    buf_finish(&by);
    buf_finish(&to);
}
