/* client-cli/austerlitz/draft_austerlitz.c: the combats of a declaration while they are put
 * together, here and as a draft on the server: one `declare` as far as it is written. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* The entry of the draft that has that hex; AV_NONE. */
static int drafted_in(const struct aus_draft *draft, unsigned hex)
{
    for (int i = 0; i < draft->entries; i++) {
        const struct av_entry *e = &draft->entry[i];
        if (av_has(&e->contact, hex) || av_has(&e->bombard, hex) || av_has(&e->defenders, hex)) {
            return i;
        }
    }
    return AV_NONE;
}

static void join(struct av_hexes *into, const struct av_hexes *more)
{
    for (int i = 0; i < more->count; i++) {
        if (!av_has(into, more->hex[i]) && into->count < AV_LIST_MAX) {
            into->hex[into->count++] = more->hex[i];
        }
    }
}

/* The entry that a piece goes into: one with the same defenders, else a new one. False: one of its
 * units has a place elsewhere (said). */
static bool find_entry(const struct av_view *v, const struct aus_draft *draft,
                       const struct av_entry *piece, int *out_index, struct buf *out_why)
{
    const struct av_hexes *lists[3] = {&piece->defenders, &piece->contact, &piece->bombard};
    int into = AV_NONE;
    for (int i = 0; i < piece->defenders.count; i++) {
        int found = drafted_in(draft, piece->defenders.hex[i]);
        if (found != AV_NONE && into == AV_NONE) { into = found; }
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < lists[k]->count; i++) {
            int found = drafted_in(draft, lists[k]->hex[i]);
            int unit = v->at[lists[k]->hex[i]];
            char name[HEX_TEXT] = "?";
            if (found == AV_NONE || found == into) { continue; }
            if (unit != AV_NONE) { av_name(v, unit, name); }
            words_say(out_why, "cli.austerlitz.order.in_draft", "unit", name, "n",
                      words_int(found + 1), NULL);
            return false;
        }
    }
    *out_index = into == AV_NONE ? draft->entries : into;
    return *out_index < AV_ENTRIES_MAX;
}

bool aus_draft_add(const struct face *face, const struct av_view *v, struct aus_draft *draft,
                   const char *text, struct buf *out)
{
    struct av_entry piece;
    int index = 0;
    struct buf why;
    buf_init(&why, 4096);
    bool good =
        aus_read_entry(face, v, text, &piece, &why) && find_entry(v, draft, &piece, &index, &why);
    if (!good) {
        buf_append_str(out, buf_str(&why));
        buf_finish(&why);
        return false;
    }
    buf_finish(&why);
    struct av_entry *entry = &draft->entry[index];
    memset(&draft->was[index], 0, sizeof draft->was[index]);
    if (index == draft->entries) {
        *entry = piece;
        draft->entries++;
    } else {
        draft->was[index] = *entry;
        join(&entry->contact, &piece.contact);
        join(&entry->bombard, &piece.bombard);
        join(&entry->defenders, &piece.defenders);
    }
    aus_write_odds(v, entry, out);
    return true;
}

static void drop_entry(struct aus_draft *draft, int index)
{
    int after = draft->entries - index - 1;
    memmove(&draft->entry[index], &draft->entry[index + 1], (size_t)after * sizeof draft->entry[0]);
    memmove(&draft->was[index], &draft->was[index + 1], (size_t)after * sizeof draft->was[0]);
    draft->entries--;
}

void aus_draft_take_back(const struct av_view *v, struct aus_draft *draft, const cJSON *question)
{
    for (int i = 0; i < draft->entries; i++) {
        struct buf text;
        cJSON *asked = NULL;
        buf_init(&text, 8192);
        aus_write_odds(v, &draft->entry[i], &text);
        bool same = json_parse(buf_str(&text), text.len, &asked) == ERR_OK &&
                    cJSON_Compare(asked, question, true);
        cJSON_Delete(asked);
        buf_finish(&text);
        if (!same) { continue; }
        if (draft->was[i].status == 'p') {
            draft->entry[i] = draft->was[i];
        } else {
            drop_entry(draft, i);
        }
        return;
    }
}

bool aus_draft_drop(const struct av_view *v, struct aus_draft *draft, const char *which,
                    struct buf *out)
{
    char *end = NULL;
    long number = strtol(which, &end, 10);
    if (strcasecmp(which, "all") == 0) {
        draft->entries = 0;
    } else if (which[0] == '\0' || *end != '\0' || number < 1 || number > draft->entries) {
        words_say(out, "cli.austerlitz.order.no_entry", "word", which, NULL);
        return false;
    } else {
        drop_entry(draft, (int)number - 1);
    }
    aus_say_combats(v, draft, out);
    return true;
}

/* ---- drafts of the server ---- */

/* Names of a plan, as its seat gives them, into hexes. False: one of them stands nowhere, or on the
 * other side. */
static bool read_names(const struct av_view *v, const cJSON *names, bool mine, struct av_hexes *out)
{
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, names)
    {
        int unit = cJSON_IsString(name) ? av_find(v, name->valuestring) : AV_NONE;
        if (unit == AV_NONE || v->unit[unit].mine != mine || out->count == AV_LIST_MAX) {
            return false;
        }
        out->hex[out->count++] = v->unit[unit].hex;
    }
    return true;
}

static bool read_kept(const struct av_view *v, const cJSON *json, struct av_entry *out)
{
    const cJSON *gun = json_get(json, "artillery"), *hex = json_get(json, "hex");
    memset(out, 0, sizeof *out);
    out->status = 'p';
    out->ice = HEX_NONE;
    if (!cJSON_IsString(gun)) {
        return read_names(v, json_get(json, "contact"), true, &out->contact) &&
               read_names(v, json_get(json, "bombard"), true, &out->bombard) &&
               read_names(v, json_get(json, "defenders"), false, &out->defenders) &&
               out->contact.count + out->bombard.count + out->defenders.count > 0;
    }
    int unit = av_find(v, gun->valuestring);
    out->ice = cJSON_IsString(hex) ? hex_parse(&v->map->grid, hex->valuestring) : HEX_NONE;
    if (unit == AV_NONE || !v->unit[unit].mine || out->ice == HEX_NONE) { return false; }
    out->bombard.hex[out->bombard.count++] = v->unit[unit].hex;
    return true;
}

bool aus_draft_read(const struct av_view *v, const cJSON *actions, struct aus_draft *draft)
{
    const cJSON *one = cJSON_IsArray(actions) ? actions->child : NULL, *entry = NULL;
    const cJSON *plan = json_get(one, "plan");
    struct aus_draft *kept = calloc(1, sizeof *kept);
    bool good = kept != NULL && one != NULL && one->next == NULL && cJSON_IsArray(plan) &&
                plan->child != NULL;
    cJSON_ArrayForEach(entry, plan)
    {
        good = good && kept->entries < AV_ENTRIES_MAX &&
               read_kept(v, entry, &kept->entry[kept->entries++]);
    }
    if (good) { *draft = *kept; }
    free(kept);
    return good;
}

/* One declaration takes in the pieces of the next: a phase has but one. */
void aus_draft_with(const cJSON *draft, const cJSON *action, struct buf *out)
{
    const cJSON *one = NULL, *entry = NULL, *more = json_get(action, "plan");
    bool joined = false;
    jw_array_begin(out);
    cJSON_ArrayForEach(one, draft)
    {
        const cJSON *plan = json_get(one, "plan");
        if (more == NULL || plan == NULL || joined) {
            jw_value(out, one);
            continue;
        }
        joined = true;
        jw_object_begin(out);
        jw_key_str(out, "do", "declare");
        jw_key_array(out, "plan");
        cJSON_ArrayForEach(entry, plan)
        {
            jw_value(out, entry);
        }
        cJSON_ArrayForEach(entry, more)
        {
            jw_value(out, entry);
        }
        jw_array_end(out);
        jw_object_end(out);
    }
    if (!joined) { jw_value(out, action); }
    jw_array_end(out);
}
