/* server/match/window.c: undo. The window holds every line that is not yet out of reach of an undo.
 */
#include "server/match/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"

/* FNV-1a over who was told what: equal when a line, played again, goes as it went. */
static uint64_t hash_events(const struct events *events)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        hash = (hash ^ event->viewers) * UINT64_C(1099511628211);
        const char *text = events->text.data + event->at;
        for (uint32_t k = 0; k < event->len; k++) {
            hash = (hash ^ (unsigned char)text[k]) * UINT64_C(1099511628211);
        }
    }
    return (hash ^ (events->sealed ? 1U : 0U)) * UINT64_C(1099511628211);
}

enum err window_prepare(struct core *core, const struct core_step *step,
                        const struct scratch *scratch, struct window_line *out_line)
{
    memset(out_line, 0, sizeof *out_line);
    /* A sealed line counts only as what stands on top of another seat's open one. */
    if (step->drew || (step->sealed && core->window_count == 0)) { return ERR_OK; }
    if (core->window_count == core->window_cap) {
        uint32_t cap = core->window_cap == 0 ? 8 : core->window_cap * 2;
        struct window_line *window = realloc(core->window, cap * sizeof *window);
        if (window == NULL) { return ERR_INTERNAL; }
        core->window = window;
        core->window_cap = cap;
    }
    char *action = malloc(scratch->text.len + 1);
    if (action == NULL) { return ERR_INTERNAL; }
    memcpy(action, scratch->text.data, scratch->text.len);
    action[scratch->text.len] = '\0';
    out_line->n = step->n;
    out_line->mask = scratch->dice.mask;
    out_line->events_hash = hash_events(&scratch->events);
    out_line->told = step->told;
    out_line->seat = (uint8_t)step->seat;
    out_line->sealed = step->sealed;
    out_line->action = action;
    return ERR_OK;
}

void window_add(struct core *core, const struct core_step *step,
                const struct window_line *take_line)
{
    if (step->drew) {
        window_clear(core);
        return;
    }
    if (take_line->action == NULL) { return; }
    assert(core->window_count < core->window_cap);
    if (core->window_count == 0) { memcpy(core->base, core->state, core->game->state_bytes); }
    core->window[core->window_count++] = *take_line;
}

/* For each seat the first entry of its own that it can still take back; window_count: none. */
static void find_open(const struct core *core, uint32_t out_first[SEATS_MAX])
{
    uint32_t depth[SEATS_MAX] = {0};
    bool closed[SEATS_MAX] = {false};
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        out_first[seat] = core->window_count;
    }
    for (uint32_t i = core->window_count; i-- > 0;) {
        unsigned seat = core->window[i].seat;
        if (core->window[i].sealed || depth[seat] >= CORE_UNDO_MAX) { closed[seat] = true; }
        if (closed[seat]) { continue; }
        depth[seat]++;
        out_first[seat] = i;
    }
}

bool core_can_undo(const struct core *core, unsigned seat)
{
    for (uint32_t i = core->window_count; i-- > 0;) {
        if (core->window[i].seat == seat) { return !core->window[i].sealed; }
    }
    return false;
}

/* Plays an entry on state. False: it is refused, draws, or goes otherwise than it went. */
static bool play_entry(const struct core *core, struct scratch *scratch,
                       const struct window_line *line, struct state *state)
{
    cJSON *action = NULL;
    if (json_parse(line->action, strlen(line->action), &action) != ERR_OK) { return false; }
    events_reset(&scratch->events);
    dice_init(&scratch->dice, &core->key, &core->mask_key, core->roll, line->mask);
    struct why why;
    why_clear(&why);
    enum err err =
        core->game->apply(state, line->seat, action, &scratch->dice, &scratch->events, &why);
    cJSON_Delete(action);
    return err == ERR_OK && !scratch->events.failed && !dice_was_drawn(&scratch->dice) &&
           hash_events(&scratch->events) == line->events_hash;
}

/* Frees the first count entries and closes up. */
static void drop_front(struct core *core, uint32_t count)
{
    if (count == 0) { return; }
    for (uint32_t i = 0; i < count; i++) {
        free(core->window[i].action);
    }
    core->window_count -= count;
    memmove(core->window, core->window + count, core->window_count * sizeof *core->window);
}

void window_trim(struct core *core, struct scratch *scratch)
{
    if (core->window_count == 0) { return; }
    uint32_t first[SEATS_MAX];
    find_open(core, first);
    uint32_t keep = core->window_count;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        if (first[seat] < keep) { keep = first[seat]; }
    }
    if (core->window_count - keep > CORE_WINDOW_MAX) {
        keep = core->window_count - CORE_WINDOW_MAX;
    }
    if (keep == core->window_count) {
        window_clear(core);
        return;
    }
    for (uint32_t i = 0; i < keep; i++) {
        if (!play_entry(core, scratch, &core->window[i], core->base)) {
            /* It went so before on the same state; a game that now says otherwise gets no undo. */
            window_clear(core);
            return;
        }
    }
    drop_front(core, keep);
}

bool window_without(const struct core *core, struct scratch *scratch, unsigned seat,
                    struct state *out_state, uint32_t *out_index)
{
    if (!core_can_undo(core, seat)) { return false; }
    uint32_t index = core->window_count - 1;
    while (core->window[index].seat != seat) {
        index--;
    }
    memcpy(out_state, core->base, core->game->state_bytes);
    for (uint32_t i = 0; i < core->window_count; i++) {
        if (i != index && !play_entry(core, scratch, &core->window[i], out_state)) { return false; }
    }
    *out_index = index;
    return true;
}

void window_remove(struct core *core, uint32_t index)
{
    assert(index < core->window_count);
    free(core->window[index].action);
    core->window_count--;
    memmove(core->window + index, core->window + index + 1,
            (core->window_count - index) * sizeof *core->window);
}

void window_cut(struct core *core, uint32_t count)
{
    while (core->window_count > count) {
        free(core->window[--core->window_count].action);
    }
}

void window_clear(struct core *core)
{
    window_cut(core, 0);
}
