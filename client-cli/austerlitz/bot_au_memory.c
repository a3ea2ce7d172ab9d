/* client-cli/austerlitz/bot_au_memory.c: what the bot keeps in mind of counters that show it no
 * strength: faces that were turned up (15.4), followed from hex to hex by the moves that everybody
 * sees (15.3, 15.5), and with printed strengths the counters of the set-up, which the order of
 * battle names (R23). */
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"
#include "client-cli/bots/bot.h"
#include "common/base/jsonr.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static unsigned hex_of(const cJSON *object, const char *name)
{
    return hex_parse(&bau_grid, text_of(object, name));
}

static struct bot_face *face_at(struct bot_mind *mind, unsigned hex)
{
    for (unsigned i = 0; i < mind->faces; i++) {
        if (mind->face[i].hex == hex) { return &mind->face[i]; }
    }
    return NULL;
}

static void forget(struct bot_mind *mind, unsigned hex)
{
    struct bot_face *face = face_at(mind, hex);
    if (face != NULL) { *face = mind->face[--mind->faces]; }
}

static void keep(struct bot_mind *mind, unsigned hex, unsigned fact, unsigned potential)
{
    struct bot_face *face = face_at(mind, hex);
    if (face == NULL && mind->faces == BOT_FACES_MAX) { return; }
    if (face == NULL) { face = &mind->face[mind->faces++]; }
    *face = (struct bot_face){(uint16_t)hex, (uint8_t)fact, (uint8_t)potential};
}

static unsigned fact_named(const char *id)
{
    for (unsigned i = 0; i < BAU_UNITS; i++) {
        if (strcmp(bau_unit_facts[i].id, id) == 0) { return i; }
    }
    return BAU_NONE;
}

/* The counters of the set-up, as the book names them: with dealt strengths it tells none. */
static void keep_set_up(struct bot_mind *mind, unsigned enemy)
{
    mind->faces = mind->steps = 0;
    for (unsigned i = 0; i < BAU_UNITS; i++) {
        if (bau_unit_facts[i].side == enemy) { keep(mind, bau_unit_facts[i].start, i, 0); }
    }
}

/* The last steps of the enemy, that he could take back. from: HEX_NONE: nobody went anywhere. */
static void push_step(struct bot_mind *mind, unsigned from, unsigned to)
{
    if (mind->steps == BOT_STEPS_MAX) {
        memmove(&mind->step[0], &mind->step[1], (BOT_STEPS_MAX - 1) * sizeof mind->step[0]);
        mind->steps--;
    }
    mind->step[mind->steps++] = (struct bot_step){.from = (uint16_t)from, .to = (uint16_t)to};
}

static void go(struct bot_mind *mind, unsigned from, unsigned to)
{
    struct bot_face *face = face_at(mind, from);
    if (face == NULL || to == HEX_NONE || to == from) { return; }
    forget(mind, to); /* nobody stands there */
    face = face_at(mind, from);
    face->hex = (uint16_t)to;
}

/* The counter left by the Vienna road: it is known again if he takes that back. */
static void leave(struct bot_mind *mind, unsigned from)
{
    struct bot_step *step = &mind->step[mind->steps - 1];
    const struct bot_face *face = face_at(mind, from);
    if (face != NULL) {
        step->left = true;
        step->face = *face;
    }
    forget(mind, from);
}

static void hear_moved(struct bot_mind *mind, const cJSON *event)
{
    const cJSON *path = json_get(event, "path"), *last = path == NULL ? NULL : path->child;
    unsigned from = hex_of(event, "from"), to = from;
    for (; last != NULL; last = last->next) {
        to = cJSON_IsString(last) ? hex_parse(&bau_grid, last->valuestring) : HEX_NONE;
    }
    if (from == HEX_NONE || to == HEX_NONE) { return; }
    push_step(mind, from, to);
    if (json_get(event, "exit_edge") != NULL) {
        leave(mind, from);
    } else {
        go(mind, from, to);
    }
}

static void hear_undone(struct bot_mind *mind)
{
    if (mind->steps == 0) { return; }
    const struct bot_step step = mind->step[--mind->steps];
    if (step.from == HEX_NONE) { return; }
    if (step.left) {
        keep(mind, step.from, step.face.fact, step.face.potential);
    } else {
        go(mind, step.to, step.from);
    }
}

static void hear_reveal(struct bot_mind *mind, const cJSON *event, unsigned enemy)
{
    const cJSON *unit = NULL;
    cJSON_ArrayForEach(unit, json_get(event, "units"))
    {
        unsigned hex = hex_of(unit, "hex"), fact = fact_named(text_of(unit, "id"));
        int64_t potential = json_int(json_get(unit, "potential"), 0);
        if (hex == HEX_NONE || fact == BAU_NONE || bau_unit_facts[fact].side != enemy ||
            potential < 1 || potential > 99) {
            continue;
        }
        keep(mind, hex, fact, (unsigned)potential);
    }
}

static void hear_eliminated(struct bot_mind *mind, const cJSON *event)
{
    const cJSON *unit = NULL;
    cJSON_ArrayForEach(unit, json_get(event, "units"))
    {
        unsigned hex = hex_of(unit, "hex");
        if (hex != HEX_NONE) { forget(mind, hex); }
    }
}

/* Whether the event is of the enemy: of what shows nothing but side, type and hex. */
static bool is_hidden(const cJSON *event, unsigned enemy)
{
    return strcmp(text_of(json_get(event, "unit"), "side"), bau_side_ids[enemy]) == 0;
}

static void hear(struct bot_mind *mind, const cJSON *event, unsigned enemy)
{
    static const char *const seats[BAU_SIDES] = {"FR", "AL"};
    const char *ev = text_of(event, "ev");
    if (strcmp(ev, "moved") == 0 && is_hidden(event, enemy)) {
        hear_moved(mind, event);
    } else if (strcmp(ev, "bridge_destroyed") == 0 || strcmp(ev, "declared") == 0) {
        push_step(mind, HEX_NONE, HEX_NONE);
    } else if (strcmp(ev, "phase") == 0) {
        if (strcmp(text_of(event, "state"), "MOVE") == 0) { mind->steps = 0; } /* sealed */
        push_step(mind, HEX_NONE, HEX_NONE);
    } else if (strcmp(ev, "undone") == 0 && strcmp(text_of(event, "seat"), seats[enemy]) == 0) {
        hear_undone(mind);
    } else if (strcmp(ev, "reveal") == 0) {
        hear_reveal(mind, event, enemy);
    } else if ((strcmp(ev, "displaced") == 0 || strcmp(ev, "advanced") == 0) &&
               is_hidden(event, enemy)) {
        go(mind, hex_of(event, "from"), hex_of(event, "to"));
    } else if (strcmp(ev, "eliminated") == 0) {
        hear_eliminated(mind, event);
    } else if (strcmp(ev, "left_map") == 0 && strcmp(text_of(event, "box"), "vienna") != 0) {
        forget(mind, hex_of(json_get(event, "unit"), "hex"));
    } else if (strcmp(ev, "rolled") == 0) {
        mind->steps = 0; /* sealed */
    } else if (strcmp(ev, "rewound") == 0 || strcmp(ev, "restored") == 0) {
        mind->faces = mind->steps = 0; /* who stood where is another now */
    }
}

void bot_austerlitz_hears(struct bot_mind *mind, const char *seat, const cJSON *events, bool first)
{
    const cJSON *event = NULL;
    bool french = strcmp(seat, "FR") == 0;
    if (!french && strcmp(seat, "AL") != 0) { return; }
    unsigned enemy = french ? BAU_ALLIED : BAU_FRENCH, steps = mind->steps;
    if (first) { keep_set_up(mind, enemy); }
    cJSON_ArrayForEach(event, events)
    {
        hear(mind, event, enemy);
    }
    /* One line is one step, whatever it made happen. */
    if (mind->steps > steps + 1 && mind->step[steps].from == HEX_NONE) { mind->steps = steps + 1; }
}

void bau_remember(const struct bot_mind *mind, struct bau *b)
{
    for (unsigned i = 0; i < mind->faces; i++) {
        const struct bot_face *face = &mind->face[i];
        unsigned u = face->hex < BAU_HEXES ? b->at[face->hex] : BAU_NONE;
        if (u == BAU_NONE || face->fact >= BAU_UNITS) { continue; }
        struct bau_unit *unit = &b->unit[u];
        const struct bau_unit_fact *fact = &bau_unit_facts[face->fact];
        unsigned potential = face->potential != 0 || b->dealt ? face->potential : fact->combat;
        if (unit->known || unit->side != fact->side || unit->type != fact->type || potential == 0) {
            continue;
        }
        unit->potential = (uint8_t)potential;
        unit->fact = face->fact;
        unit->known = true;
    }
}
