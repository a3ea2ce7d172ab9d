/* client-cli/austerlitz/bot_au_view.c: a view of Austerlitz as the bot reads it, and what strength
 * it gives counters that show none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"
#include "common/base/jsonr.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static unsigned index_of(const char *const *names, unsigned count, const char *text)
{
    unsigned i = 0;
    while (i < count && strcmp(names[i], text) != 0) {
        i++;
    }
    return i;
}

static unsigned fact_of(const char *id)
{
    for (unsigned i = 0; i < BAU_UNITS; i++) {
        if (strcmp(bau_unit_facts[i].id, id) == 0) { return i; }
    }
    return BAU_NONE;
}

static bool read_unit(const cJSON *json, struct bau *b)
{
    unsigned hex = hex_parse(&bau_grid, json->string), n = b->units;
    unsigned side = index_of(bau_side_ids, BAU_SIDES, text_of(json, "side"));
    unsigned type = index_of(bau_type_ids, BAU_TYPES, text_of(json, "type"));
    if (n == BAU_UNITS || hex == HEX_NONE || b->at[hex] != BAU_NONE || side == BAU_SIDES ||
        type == BAU_TYPES) {
        return false;
    }
    struct bau_unit *u = &b->unit[n];
    const char *id = text_of(json, "id");
    int64_t potential = json_int(json_get(json, "potential"), 0);
    u->hex = (uint16_t)hex;
    u->side = (uint8_t)side;
    u->type = (uint8_t)type;
    u->known = potential > 0;
    u->potential = potential > 0 && potential < 100 ? (uint8_t)potential : 0;
    u->fact = (uint8_t)fact_of(id);
    u->moved = cJSON_IsTrue(json_get(json, "moved"));
    u->marked = json_get(json, "destroyed_bridge") != NULL;
    bool by_hex = b->semi_blind && side != b->me;
    snprintf(u->name, sizeof u->name, "%.4s", by_hex ? json->string : id);
    b->at[hex] = (uint8_t)n;
    b->army[side] |= bau_bit(n);
    b->units++;
    return true;
}

static void read_marks(const cJSON *board, struct bau *b)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, json_get(board, "broken_ice"))
    {
        unsigned hex = cJSON_IsString(item) ? hex_parse(&bau_grid, item->valuestring) : HEX_NONE;
        if (hex == HEX_NONE || bau_hexes[hex].pond == BAU_NONE) { continue; }
        b->broken |= UINT64_C(1) << bau_hexes[hex].pond;
    }
    cJSON_ArrayForEach(item, json_get(board, "destroyed_bridges"))
    {
        for (unsigned i = 0; cJSON_IsString(item) && i < bau_bridge_count; i++) {
            if (strcmp(bau_bridges[i].id, item->valuestring) == 0) {
                b->destroyed |= UINT32_C(1) << i;
            }
        }
    }
}

/* Counters of a type in a box. */
static unsigned in_box(const cJSON *board, unsigned side, const char *box, unsigned type)
{
    const cJSON *boxes = json_get(json_get(board, "boxes"), bau_side_ids[side]);
    int64_t n = json_int(json_get(json_get(boxes, box), bau_type_ids[type]), 0);
    return n > 0 && n < BAU_UNITS ? (unsigned)n : 0;
}

/* A number of a track. */
static int small(const cJSON *json, int otherwise)
{
    enum { MOST = 1000 };
    int64_t n = json_int(json, otherwise);
    return n >= -MOST && n <= MOST ? (int)n : otherwise;
}

static void read_tracks(const cJSON *board, struct bau *b)
{
    for (unsigned side = 0; side < BAU_SIDES; side++) {
        const cJSON *track = json_get(json_get(board, "tracks"), bau_side_ids[side]);
        const cJSON *d = json_get(track, "D");
        b->lost[side] = small(json_get(track, "P"), 0);
        b->gone[side] = cJSON_IsNumber(d)
                            ? bau_tables.threshold[side] - small(d, bau_tables.threshold[side])
                            : 0;
    }
    for (unsigned type = 0; type < BAU_TYPES; type++) {
        b->vienna += (int)in_box(board, BAU_ALLIED, "vienna", type);
    }
    unsigned side = index_of(bau_side_ids, BAU_SIDES, text_of(board, "demoralised"));
    b->demoralised = side;
}

/* What the order of battle has of a type, in potential and in counters. */
static void sum_of_type(unsigned side, unsigned type, unsigned *out_sum, unsigned *out_count)
{
    *out_sum = *out_count = 0;
    for (unsigned i = 0; i < BAU_UNITS; i++) {
        const struct bau_unit_fact *fact = &bau_unit_facts[i];
        if (fact->side != side || fact->type != type) { continue; }
        *out_sum += fact->combat;
        ++*out_count;
    }
}

/* With printed strengths a counter of the right type that stands where one begins is most likely
 * that one (the order of battle is printed, R23). */
static unsigned likely_fact(const struct bau *b, const struct bau_unit *u)
{
    for (unsigned i = 0; i < BAU_UNITS && !b->dealt; i++) {
        const struct bau_unit_fact *fact = &bau_unit_facts[i];
        if (fact->start == u->hex && fact->side == u->side && fact->type == u->type) { return i; }
    }
    return BAU_NONE;
}

/* Strengths that are not shown: the average of what the type has in the order of battle, brought to
 * what the tracks say is left of the whole army (15.6 tells that to everybody). */
static void estimate(const cJSON *board, struct bau *b, unsigned side)
{
    unsigned sum[BAU_TYPES], count[BAU_TYPES], rest = 0, hidden = 0;
    int left = 0;
    for (unsigned type = 0; type < BAU_TYPES; type++) {
        sum_of_type(side, type, &sum[type], &count[type]);
        left += (int)sum[type];
    }
    left -= b->lost[side] + b->gone[side];
    for (unsigned type = 0; type < BAU_TYPES; type++) {
        unsigned away = in_box(board, side, "vienna", type);
        left -= (int)(away * sum[type] / count[type]);
    }
    for (uint64_t set = b->army[side]; set != 0; set &= set - 1) {
        struct bau_unit *u = &b->unit[bau_first(set)];
        unsigned fact = u->known ? BAU_NONE : likely_fact(b, u);
        if (fact != BAU_NONE) { u->potential = bau_unit_facts[fact].combat; }
        if (u->potential != 0) {
            left -= u->potential;
        } else {
            hidden++;
            rest += 100 * sum[u->type] / count[u->type];
        }
    }
    if (hidden == 0) { return; }
    int scale = left <= 0 ? 50 : (int)(10000 * left / (int)rest); /* percent */
    scale = scale < 60 ? 60 : scale > 150 ? 150 : scale;
    for (uint64_t set = b->army[side]; set != 0; set &= set - 1) {
        struct bau_unit *u = &b->unit[bau_first(set)];
        if (u->potential != 0) { continue; }
        unsigned guess = (100 * sum[u->type] / count[u->type] * (unsigned)scale + 5000) / 10000;
        u->potential = (uint8_t)(guess < 2 ? 2 : guess > 10 ? 10 : guess);
    }
}

static bool read_turn(const cJSON *view, struct bau *b)
{
    const cJSON *turn = json_get(view, "turn");
    b->turn = (unsigned)json_int(json_get(turn, "turn"), 0);
    b->turns = (unsigned)json_int(json_get(turn, "of"), bau_tables.turns);
    b->blind = cJSON_IsTrue(json_get(turn, "fog")) || cJSON_IsTrue(json_get(turn, "night"));
    b->attacker = index_of(bau_side_ids, BAU_SIDES, text_of(turn, "side"));
    return b->attacker < BAU_SIDES && b->turn >= 1 && b->turn <= b->turns;
}

bool bau_read(const cJSON *view, const struct bot_mind *mind, struct bau *out)
{
    static const char *const seats[BAU_SIDES] = {"FR", "AL"};
    const cJSON *board = json_get(view, "board"), *options = json_get(board, "options");
    const cJSON *units = json_get(board, "units"), *unit = NULL;
    memset(out, 0, sizeof *out);
    memset(out->at, BAU_NONE, sizeof out->at);
    out->me = index_of(seats, BAU_SIDES, text_of(view, "as"));
    out->semi_blind = strcmp(text_of(options, "information"), "semi-blind") == 0;
    out->dealt = strcmp(text_of(options, "strengths"), "dealt") == 0;
    out->guard_1805 = cJSON_IsTrue(json_get(options, "guard_1805"));
    out->situation =
        index_of(bau_situation_ids, BAU_SITUATIONS, text_of(options, "situation")) % BAU_SITUATIONS;
    if (strcmp(text_of(view, "game"), "austerlitz") != 0 || out->me == BAU_SIDES ||
        !cJSON_IsObject(units) || !read_turn(view, out)) {
        return false;
    }
    read_marks(board, out);
    read_tracks(board, out);
    cJSON_ArrayForEach(unit, units)
    {
        if (!read_unit(unit, out)) { return false; }
    }
    if (mind != NULL && out->semi_blind) { bau_remember(mind, out); }
    estimate(board, out, BAU_FRENCH);
    estimate(board, out, BAU_ALLIED);
    for (unsigned i = 0; i < out->units; i++) { /* control, once the ice is known */
        unsigned hex = out->unit[i].hex;
        out->at[hex] = BAU_NONE;
        bau_put(out, i, hex);
    }
    return true;
}
