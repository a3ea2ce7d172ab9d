/* tests/oracle/play.c: see play.h. */
#include "tests/oracle/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/protocol/forms.h"
#include "tests/oracle/known.h"

enum { FORMS_TEXT_MAX = 1 << 20 };

static void must(bool good, const char *what)
{
    if (good) { return; }
    fprintf(stderr, "random play: %s\n", what);
    abort();
}

/* --- a match by itself ---------------------------------------------------------------------------
 */

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    struct why why;
    must(json_parse(text, strlen(text), &json) == ERR_OK, "no JSON");
    must(json_normalise(json, &why) == ERR_OK, "no normal form");
    return json;
}

void base_begin(struct base *base, uint64_t seed)
{
    const struct game *game = known->game;
    const char *start = known->start(seed);
    struct hash key;
    struct why why;
    memset(base, 0, sizeof *base);
    base->random = seed;
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        key.bytes[i] = (uint8_t)draw_next(&base->random);
    }
    dice_init(&base->dice, &key, &key, 1, 1);
    base->options = parse(known->options(seed));
    base->seats = game->seats(base->options, base->codes);
    base->now = calloc(1, game->state_bytes);
    base->next = calloc(1, game->state_bytes);
    must(base->now != NULL && base->next != NULL, "memory");
    events_init(&base->events);
    buf_init(&base->action, FORMS_TEXT_MAX);
    if (start == NULL) {
        must(game->create(base->options, game->rules_now, &base->dice, base->now, &base->events,
                          &why) == ERR_OK,
             "it does not begin");
        return;
    }
    cJSON *position = parse(start);
    must(game->position_read(base->options, position, base->now, &why) == ERR_OK, "no position");
    cJSON_Delete(position);
}

void base_end(struct base *base)
{
    cJSON_Delete(base->options);
    free(base->now);
    free(base->next);
    events_finish(&base->events);
    buf_finish(&base->action);
}

bool base_go_on(struct base *base, unsigned lines)
{
    const struct game *game = known->game;
    for (uint32_t to_act; (to_act = game->to_act(base->now)) != 0; lines--) {
        if (lines == 0) { return true; }
        unsigned seat = 0;
        struct why why;
        do {
            seat = draw_below(&base->random, base->seats);
        } while ((to_act >> seat & 1U) == 0);
        must(play_pick(base->now, seat, &base->random, &base->action), "no form");
        cJSON *json = parse(buf_str(&base->action));
        memcpy(base->next, base->now, game->state_bytes);
        events_reset(&base->events);
        must(game->apply(base->next, seat, json, &base->dice, &base->events, &why) == ERR_OK,
             "a form is not sound");
        cJSON_Delete(json);
        dice_next_line(&base->dice);
        struct state *old = base->now;
        base->now = base->next;
        base->next = old;
        base->lines++;
    }
    return false;
}

/* --- picking -------------------------------------------------------------------------------------
 */

static cJSON *forms_of(const struct state *s, unsigned seat)
{
    struct buf buf;
    cJSON *forms = NULL;
    buf_init(&buf, FORMS_TEXT_MAX);
    known->game->actions(s, seat, &buf);
    if (json_parse(buf_str(&buf), buf.len, &forms) != ERR_OK) { forms = NULL; }
    buf_finish(&buf);
    return forms;
}

static bool pick_from(const cJSON *form, uint64_t *random, struct buf *out)
{
    struct forms_random source = {draw_below, random};
    buf_reset(out);
    return form != NULL && forms_pick(form, &source, out) == ERR_OK;
}

bool play_pick(const struct state *s, unsigned seat, uint64_t *random, struct buf *out)
{
    cJSON *forms = forms_of(s, seat);
    const cJSON *found = NULL;
    unsigned best = 0, seen = 0;
    bool greedy = draw_below(random, known->greed(s)) != 0;
    for (const cJSON *form = forms == NULL ? NULL : forms->child; form != NULL; form = form->next) {
        unsigned score = greedy ? known->taste(s, form) : 0;
        if (found == NULL || score > best) {
            best = score;
            seen = 1;
            found = form;
        } else if (score == best && draw_below(random, ++seen) == 0) {
            found = form;
        }
    }
    bool picked = pick_from(found, random, out);
    cJSON_Delete(forms);
    return picked;
}

bool play_pick_draft(const struct state *s, unsigned seat, uint64_t *random, struct buf *out)
{
    cJSON *forms = forms_of(s, seat);
    const cJSON *found = NULL;
    unsigned seen = 0;
    for (const cJSON *form = forms == NULL ? NULL : forms->child; form != NULL; form = form->next) {
        bool fits = false;
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(form, "do");
        for (const char *const *i = known->quiet; *i != NULL; i++) {
            fits = fits || strcmp(name->valuestring, *i) == 0;
        }
        if (fits && draw_below(random, ++seen) == 0) { found = form; }
    }
    bool picked = pick_from(found, random, out);
    cJSON_Delete(forms);
    return picked;
}

/* --- spoiling, asking ------------------------------------------------------------------------ */

/* A text anywhere below node, drawn at random. */
static cJSON *any_text(cJSON *node, uint64_t *random, unsigned *seen)
{
    cJSON *found = NULL;
    for (cJSON *child = node->child; child != NULL; child = child->next) {
        if (cJSON_IsString(child) && draw_below(random, ++*seen) == 0) { found = child; }
        cJSON *below = any_text(child, random, seen);
        if (below != NULL) { found = below; }
    }
    return found;
}

static void put_back(cJSON *json, struct buf *out)
{
    char *text = cJSON_PrintUnformatted(json);
    buf_reset(out);
    buf_append_str(out, text);
    free(text);
    cJSON_Delete(json);
}

void play_spoil(const struct state *s, uint64_t *random, struct buf *action)
{
    cJSON *json = cJSON_Parse(buf_str(action));
    unsigned seen = 0;
    cJSON *text = any_text(json, random, &seen);
    switch (draw_below(random, 4)) {
    case 0: break;
    case 1: cJSON_AddItemToObject(json, "x", cJSON_CreateString(known->word(s, random))); break;
    case 2:
        cJSON_DeleteItemFromArray(json,
                                  (int)draw_below(random, (unsigned)cJSON_GetArraySize(json)));
        break;
    default:
        if (text != NULL) { cJSON_SetValuestring(text, known->word(s, random)); }
    }
    put_back(json, action);
}

/* --- the twin's words ------------------------------------------------------------------------ */

void play_rename(const char *action, const cJSON *names, struct buf *out)
{
    buf_reset(out);
    for (const char *at = action; *at != '\0';) {
        const char *end = *at == '"' ? strchr(at + 1, '"') : NULL;
        if (end == NULL) {
            buf_append_char(out, *at++);
            continue;
        }
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)(end - at - 1), at + 1);
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(names, text);
        buf_append_char(out, '"');
        if (name != NULL) {
            buf_append_str(out, name->valuestring);
        } else {
            buf_append(out, at + 1, (size_t)(end - at - 1));
        }
        buf_append_char(out, '"');
        at = end + 1;
    }
}

static void shuffle(uint64_t *random, cJSON *node)
{
    for (cJSON *child = node->child; child != NULL; child = child->next) {
        bool path = child->string != NULL && strcmp(child->string, "path") == 0;
        if (!path) { shuffle(random, child); }
    }
    if (!cJSON_IsArray(node)) { return; }
    for (unsigned n = (unsigned)cJSON_GetArraySize(node); n > 1; n--) {
        cJSON *item = cJSON_DetachItemFromArray(node, (int)draw_below(random, n));
        cJSON_AddItemToArray(node, item);
    }
}

void play_shuffle(uint64_t *random, struct buf *action)
{
    if (!known->shuffles || strstr(buf_str(action), "\"forced\":true") != NULL) { return; }
    cJSON *json = cJSON_Parse(buf_str(action));
    shuffle(random, json);
    put_back(json, action);
}

enum err play_try(const struct state *s, unsigned seat, const char *action)
{
    static struct events events;
    static bool ready;
    if (!ready) { events_init(&events); }
    ready = true;
    struct hash key = {{1}};
    struct dice dice;
    struct why why;
    static _Alignas(16) unsigned char bytes[1 << 16];
    struct state *copy = (struct state *)(void *)bytes;
    if (known->game->state_bytes > sizeof bytes) { abort(); }
    memcpy(bytes, s, known->game->state_bytes);
    cJSON *json = NULL;
    why_clear(&why);
    events_reset(&events);
    dice_init(&dice, &key, &key, 1, 1);
    enum err err = json_parse(action, strlen(action), &json);
    if (err == ERR_OK) { err = json_normalise(json, &why); }
    if (err == ERR_OK) { err = known->game->apply(copy, seat, json, &dice, &events, &why); }
    cJSON_Delete(json);
    return err;
}
