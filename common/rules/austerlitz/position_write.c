/* common/rules/austerlitz/position_write.c: the whole state as JSON (position.md, section 1). */
#include <stdio.h>

#include "common/base/jsonw.h"
#include "common/rules/austerlitz/emit.h"

static void write_hex(struct buf *out, unsigned hex)
{
    char text[HEX_TEXT];
    hex_text(&au_grid, hex, text);
    jw_str(out, text);
}

static void key_hex(struct buf *out, const char *name, unsigned hex)
{
    jw_key(out, name);
    write_hex(out, hex);
}

/* full: defaults too, here the empty list. */
static void key_units(struct buf *out, const char *name, uint64_t set, bool full)
{
    uint8_t list[AU_UNITS];
    if (set == 0 && !full) { return; }
    au_unit_list_by_id(set, list);
    jw_key_array(out, name);
    for (unsigned i = 0; i < au_count(set); i++) {
        jw_str(out, au_unit_facts[list[i]].id);
    }
    jw_array_end(out);
}

static void write_unit(const struct state *s, unsigned u, bool full, struct buf *out)
{
    const struct au_unit *unit = &s->unit[u];
    jw_key_object(out, au_unit_facts[u].id);
    if (unit->place == AU_ON_MAP) {
        key_hex(out, "hex", unit->hex);
    } else {
        jw_key_str(out, "box", au_place_ids[unit->place]);
    }
    if (full || unit->moved != 0) { jw_key_bool(out, "moved", unit->moved != 0); }
    if (unit->bridge != AU_NONE) {
        jw_key_str(out, "destroyed_bridge", au_bridges[unit->bridge].id);
    }
    if (full || s->dealt != 0) { jw_key_int(out, "potential", unit->potential); }
    jw_object_end(out);
}

static void write_units(const struct state *s, bool full, struct buf *out)
{
    bool aside = false;
    jw_key_object(out, "units");
    for (unsigned i = 0; i < AU_UNITS; i++) {
        unsigned u = au_unit_by_id_order[i];
        aside = aside || s->unit[u].place == AU_ASIDE;
        if (s->unit[u].place != AU_ASIDE) { write_unit(s, u, full, out); }
    }
    jw_object_end(out);
    if (full || aside) { jw_key_str(out, "others", aside ? "aside" : "start"); }
}

/* They follow from the boxes; written for the reader when they are not as at the start. */
static void write_tracks(const struct state *s, bool full, struct buf *out)
{
    bool moved = s->demoralised != AU_NOBODY;
    for (unsigned side = 0; side < AU_SIDES; side++) {
        moved = moved || au_sum_of(s, side, AU_ELIMINATED) != 0 ||
                au_sum_of(s, side, AU_WITHDRAWN) != 0;
    }
    if (!moved && !full) { return; }
    jw_key_object(out, "tracks");
    for (unsigned side = 0; side < AU_SIDES; side++) {
        jw_key_object(out, au_side_ids[side]);
        au_write_track(s, side, out);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_plan(const struct state *s, bool full, struct buf *out)
{
    if (s->plan_count == 0 && !full) { return; }
    jw_key_object(out, "plan");
    for (unsigned i = 0; i < s->plan_count; i++) {
        const struct au_entry *entry = &s->plan[i];
        char number[12];
        (void)snprintf(number, sizeof number, "%u", i + 1);
        jw_key_object(out, number);
        if (entry->ice_hex != HEX_NONE) {
            jw_key_str(out, "artillery", au_unit_facts[au_first(entry->bombard)].id);
            key_hex(out, "hex", entry->ice_hex);
        } else {
            key_units(out, "contact", entry->contact, full);
            key_units(out, "bombard", entry->bombard, full);
            key_units(out, "defenders", entry->defenders, full);
        }
        if (full || entry->status != AU_PENDING) {
            jw_key_str(out, "status", au_status_ids[entry->status]);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_hand(const struct state *s, bool full, struct buf *out)
{
    const struct au_hand *hand = &s->hand;
    if (hand->index == 0) { return; }
    jw_key_object(out, "hand");
    jw_key_int(out, "index", hand->index);
    jw_key_str(out, "result", au_result_ids[hand->result]);
    key_units(out, "contact", hand->contact, full);
    key_units(out, "bombard", hand->bombard, full);
    key_units(out, "defenders", hand->defenders, full);
    key_units(out, "to_retreat", hand->to_retreat, full);
    key_units(out, "to_choose", hand->to_choose, full);
    if (full || hand->vacated_count > 0) {
        jw_key_array(out, "vacated");
        for (unsigned i = 0; i < hand->vacated_count; i++) {
            write_hex(out, hand->vacated[i]);
        }
        jw_array_end(out);
    }
    jw_object_end(out);
}

static void write_marks(const struct state *s, bool full, struct buf *out)
{
    if (full || s->broken != 0) {
        jw_key_array(out, "broken_ice");
        for (unsigned i = 0; i < au_pond_count; i++) {
            if ((s->broken >> i & 1U) != 0) { write_hex(out, au_ponds[i]); }
        }
        jw_array_end(out);
    }
    if (full || s->destroyed != 0) {
        jw_key_array(out, "destroyed_bridges");
        for (unsigned b = 0; b < au_bridge_count; b++) {
            if ((s->destroyed >> b & 1U) != 0) { jw_str(out, au_bridges[b].id); }
        }
        jw_array_end(out);
    }
}

static const char *side_or_none(unsigned side)
{
    return side < AU_SIDES ? au_side_ids[side] : "none";
}

static void write(const struct state *s, bool full, struct buf *out)
{
    bool options = s->guard_1805 != 0 || s->semi_blind != 0 || s->situation != 0 || s->dealt != 0;
    jw_object_begin(out);
    if (full || options) {
        jw_key_object(out, "options");
        au_write_options(s, full, out);
        jw_object_end(out);
    }
    if (full || s->turn != 1) { jw_key_int(out, "turn", s->turn); }
    if (full || s->step != AU_MOVE) { jw_key_str(out, "state", au_step_ids[s->step]); }
    if (full || s->side != AU_ALLIED) { jw_key_str(out, "side", au_side_ids[s->side]); }
    write_units(s, full, out);
    write_tracks(s, full, out);
    if (full || s->demoralised != AU_NOBODY) {
        jw_key_str(out, "demoralised", side_or_none(s->demoralised));
    }
    write_marks(s, full, out);
    write_plan(s, full, out);
    write_hand(s, full, out);
    if (full || s->resigned != AU_NOBODY) {
        jw_key_str(out, "resigned", side_or_none(s->resigned));
    }
    if (full || s->agreed != 0) { jw_key_bool(out, "agreed", s->agreed != 0); }
    jw_object_end(out);
}

void au_position_write(const struct state *s, struct buf *out_json)
{
    write(s, false, out_json);
}

void au_position_full(const struct state *s, struct buf *out_json)
{
    write(s, true, out_json);
}
