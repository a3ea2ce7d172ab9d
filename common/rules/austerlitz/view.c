/* common/rules/austerlitz/view.c: what a viewer may know (15). */
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/austerlitz/emit.h"
#include "common/rules/austerlitz/offers.h"

/* ---- shared writers ---- */

void au_write_hex(struct buf *out, unsigned hex)
{
    jw_strn(out, au_hex_ids[hex], HEX_TEXT - 1);
}

void au_key_hex_of(struct buf *out, unsigned hex)
{
    jw_key(out, au_hex_ids[hex]);
}

void au_write_name(const struct state *s, unsigned viewer, unsigned unit, struct buf *out)
{
    if (au_knows(s, viewer, au_side(unit))) {
        jw_str(out, au_unit_facts[unit].id);
    } else {
        au_write_hex(out, s->unit[unit].hex);
    }
}

/* The hexes of the units of a set that are on the map, ascending. */
static void write_hexes(const struct state *s, const char *name, uint64_t set, struct buf *out)
{
    uint8_t list[AU_UNITS];
    uint64_t here = set & (au_army(s, AU_FRENCH) | au_army(s, AU_ALLIED));
    if (here == 0) { return; }
    unsigned n = au_list_by_hex(s, here, list);
    jw_key_array(out, name);
    for (unsigned i = 0; i < n; i++) {
        au_write_hex(out, s->unit[list[i]].hex);
    }
    jw_array_end(out);
}

static void write_vacated(const struct state *s, const char *name, struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned i = 0; i < s->hand.vacated_count; i++) {
        au_write_hex(out, s->hand.vacated[i]);
    }
    jw_array_end(out);
}

/* ---- the board ---- */

/* 15.3, 15.4: units known by owner, or turned up in the combat in hand. */
static uint64_t known_to(const struct state *s, unsigned viewer)
{
    uint64_t known = au_revealed(s);
    for (unsigned side = 0; side < AU_SIDES; side++) {
        if (au_knows(s, viewer, side)) { known |= au_side_set(side); }
    }
    return known;
}

uint64_t au_revealed(const struct state *s)
{
    bool shown = s->semi_blind != 0 && s->hand.index != 0 && s->hand.result != AU_NO_DIE;
    return shown ? s->hand.contact | s->hand.bombard | s->hand.defenders : 0;
}

/* One counter under the hex it stands on, by far the most of a view: in one go. */
static void write_unit(const struct state *s, unsigned u, bool known, struct buf *out)
{
    enum { KEY_CHARS = HEX_TEXT + 2 }; /* "2217": */
    const struct au_face *face = &au_faces[u];
    const unsigned len = known ? face->known.len : face->shown.len, value = s->unit[u].potential;
    const unsigned digits = !known ? 0 : value > 99 ? 3 : value > 9 ? 2 : 1;
    const bool comma = out->len > 0 && out->data[out->len - 1] != '{';
    char *to = buf_extend(out, (comma ? 1U : 0U) + KEY_CHARS + len + digits);
    if (to == NULL) { return; }
    if (comma) { *to++ = ','; }
    *to++ = '"';
    memcpy(to, au_hex_ids[s->unit[u].hex], HEX_TEXT - 1);
    memcpy(to + HEX_TEXT - 1, "\":", 2);
    to += HEX_TEXT + 1;
    memcpy(to, known ? face->known.text : face->shown.text, len);
    for (unsigned i = digits, left = value; i > 0; i--, left /= 10) {
        to[len + i - 1] = (char)('0' + left % 10);
    }
    if (s->unit[u].moved != 0) { jw_key_bool(out, "moved", true); }
    if (s->unit[u].bridge != AU_NONE) {
        jw_key_str(out, "destroyed_bridge", au_bridges[s->unit[u].bridge].id);
    }
    jw_object_end(out);
}

static void write_units(const struct state *s, unsigned viewer, struct buf *out)
{
    uint8_t list[AU_UNITS];
    uint64_t known = known_to(s, viewer);
    unsigned n = au_list_by_hex(s, au_army(s, AU_FRENCH) | au_army(s, AU_ALLIED), list);
    jw_key_object(out, "units");
    for (unsigned i = 0; i < n; i++) {
        write_unit(s, list[i], (known >> list[i] & 1U) != 0, out);
    }
    jw_object_end(out);
}

/* Number and type are public; which they are, the owner knows. */
static void write_box(const struct state *s, unsigned viewer, unsigned side, unsigned place,
                      struct buf *out)
{
    unsigned count[AU_TYPES] = {0};
    uint64_t set = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (au_side(u) != side || s->unit[u].place != place) { continue; }
        count[au_type(u)]++;
        set |= au_bit(u);
    }
    if (set == 0) { return; }
    jw_key_object(out, au_place_ids[place]);
    for (unsigned type = 0; type < AU_TYPES; type++) {
        if (count[type] != 0) { jw_key_int(out, au_type_ids[type], count[type]); }
    }
    if (au_knows(s, viewer, side)) {
        uint8_t list[AU_UNITS];
        au_unit_list_by_id(set, list);
        jw_key_array(out, "units");
        for (unsigned i = 0; i < au_count(set); i++) {
            jw_str(out, au_unit_facts[list[i]].id);
        }
        jw_array_end(out);
    }
    jw_object_end(out);
}

static void write_sides(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_object(out, "boxes");
    for (unsigned side = 0; side < AU_SIDES; side++) {
        jw_key_object(out, au_side_ids[side]);
        for (unsigned place = AU_ELIMINATED; place <= AU_VIENNA; place++) {
            write_box(s, viewer, side, place, out);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
    jw_key_object(out, "tracks");
    for (unsigned side = 0; side < AU_SIDES; side++) {
        jw_key_object(out, au_side_ids[side]);
        au_write_track(s, side, out);
        jw_object_end(out);
    }
    jw_object_end(out);
    if (s->demoralised != AU_NOBODY) {
        jw_key_str(out, "demoralised", au_side_ids[s->demoralised]);
    }
}

static void write_marks(const struct state *s, struct buf *out)
{
    jw_key_array(out, "broken_ice");
    for (unsigned i = 0; i < au_pond_count; i++) {
        if ((s->broken >> i & 1U) != 0) { au_write_hex(out, au_ponds[i]); }
    }
    jw_array_end(out);
    jw_key_array(out, "destroyed_bridges");
    for (unsigned b = 0; b < au_bridge_count; b++) {
        if ((s->destroyed >> b & 1U) != 0) { jw_str(out, au_bridges[b].id); }
    }
    jw_array_end(out);
}

/* 15.1: by hexes, where the units stand now; of what is over only that it is. */
static void write_plan(const struct state *s, struct buf *out)
{
    if (s->plan_count == 0) { return; }
    jw_key_object(out, "plan");
    for (unsigned i = 0; i < s->plan_count; i++) {
        const struct au_entry *entry = &s->plan[i];
        char number[12];
        (void)snprintf(number, sizeof number, "%u", i + 1);
        jw_key_object(out, number);
        jw_key_str(out, "status", au_status_ids[entry->status]);
        if (entry->status == AU_PENDING) {
            write_hexes(s, "contact", entry->contact, out);
            write_hexes(s, "bombard", entry->bombard, out);
            write_hexes(s, "defenders", entry->defenders, out);
            if (entry->ice_hex != HEX_NONE) {
                jw_key(out, "ice");
                au_write_hex(out, entry->ice_hex);
            }
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_hand(const struct state *s, struct buf *out)
{
    const struct au_hand *hand = &s->hand;
    if (hand->index == 0) { return; }
    jw_key_object(out, "hand");
    jw_key_int(out, "index", hand->index);
    jw_key_str(out, "result", au_result_ids[hand->result]);
    write_hexes(s, "contact", hand->contact, out);
    write_hexes(s, "bombard", hand->bombard, out);
    write_hexes(s, "defenders", hand->defenders, out);
    write_hexes(s, "to_retreat", hand->to_retreat, out);
    write_hexes(s, "to_choose", hand->to_choose, out);
    write_vacated(s, "vacated", out);
    jw_object_end(out);
}

/* ---- the rest of the view ---- */

static void write_turn(const struct state *s, struct buf *out)
{
    jw_key_object(out, "turn");
    jw_key_int(out, "turn", s->turn);
    jw_key_int(out, "of", au_tables.turns);
    jw_key_str(out, "hours", au_tables.turn[s->turn - 1].hours);
    jw_key_str(out, "side", au_side_ids[s->side]);
    jw_key_bool(out, "fog", au_tables.turn[s->turn - 1].fog != 0);
    jw_key_bool(out, "night", au_tables.turn[s->turn - 1].night != 0);
    jw_object_end(out);
}

static void write_seats(const char *name, uint32_t seats, struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned seat = 0; seat < AU_SIDES; seat++) {
        if ((seats >> seat & 1U) != 0) { jw_str(out, au_seat_ids[seat]); }
    }
    jw_array_end(out);
}

/* What is asked of the seat, with the numbers its words need. */
static void write_prompt(const struct state *s, struct buf *out)
{
    static const char *const ids[AU_STEPS] = {"move",    "declare", "resolve", "exchange",
                                              "retreat", "battery", "advance", "over"};
    unsigned left = 0, pending = 0, due = 0;
    jw_key_object(out, "prompt");
    jw_key_str(out, "id", ids[s->step]);
    switch (s->step) {
    case AU_MOVE:
        for (uint64_t rest = au_army(s, s->side); rest != 0; rest &= rest - 1) {
            left += s->unit[au_first(rest)].moved == 0;
        }
        jw_key_int(out, "left", left);
        break;
    case AU_RESOLVE:
        for (unsigned i = 0; i < s->plan_count; i++) {
            pending += s->plan[i].status == AU_PENDING;
        }
        jw_key_int(out, "pending", pending);
        break;
    case AU_EXCHANGE:
        for (uint64_t rest = s->hand.defenders; rest != 0; rest &= rest - 1) {
            due += s->unit[au_first(rest)].potential;
        }
        jw_key_int(out, "due", due);
        break;
    case AU_RETREAT: write_hexes(s, "units", s->hand.to_retreat, out); break;
    case AU_BATTERY: write_hexes(s, "units", s->hand.to_choose, out); break;
    case AU_ADVANCE: write_vacated(s, "hexes", out); break;
    default: break;
    }
    jw_object_end(out);
}

static void write_score(const struct state *s, struct buf *out)
{
    struct au_score score;
    au_score(s, &score);
    jw_key_object(out, "result");
    if (score.winner < AU_SIDES) { jw_key_str(out, "winner", au_side_ids[score.winner]); }
    jw_key_str(out, "degree", au_tables.degree[score.degree]);
    for (unsigned side = 0; side < AU_SIDES; side++) {
        jw_key_object(out, au_side_ids[side]);
        jw_key_int(out, "losses", score.losses[side]);
        jw_key_int(out, "points", score.points[side]);
        jw_object_end(out);
    }
    write_hexes(s, "encircled", score.encircled, out);
    if (s->resigned != AU_NOBODY) { jw_key_str(out, "resigned", au_side_ids[s->resigned]); }
    if (s->agreed != 0) { jw_key_bool(out, "agreed", true); }
    jw_object_end(out);
}

void au_view(const struct state *s, unsigned viewer, struct buf *out)
{
    uint32_t to_act = au_to_act(s);
    jw_key_str(out, "state", au_step_ids[s->step]);
    write_turn(s, out);
    write_seats("to_act", to_act, out);
    write_seats("waits_for", to_act, out);
    if (viewer < AU_SIDES && (to_act >> viewer & 1U) != 0) { write_prompt(s, out); }
    jw_key_object(out, "board");
    jw_key_object(out, "options");
    au_write_options(s, true, out);
    jw_object_end(out);
    write_units(s, viewer, out);
    write_sides(s, viewer, out);
    write_marks(s, out);
    write_plan(s, out);
    write_hand(s, out);
    if (s->step == AU_OVER) { write_score(s, out); }
    jw_object_end(out);
}

/* Why the match ended. */
static const char *why_over(const struct state *s)
{
    if (s->resigned != AU_NOBODY) { return "resigned"; }
    if (s->agreed != 0) { return "agreed"; }
    bool gone = au_army(s, AU_FRENCH) == 0 || au_army(s, AU_ALLIED) == 0;
    return gone ? "army_gone" : "time";
}

/* Winners, degree, and the victory points of both (13). */
void au_result(const struct state *s, struct buf *out)
{
    struct au_score score;
    au_score(s, &score);
    bool over = s->step == AU_OVER;
    jw_object_begin(out);
    if (over && score.winner < AU_SIDES) { jw_key_str(out, "winner", au_seat_ids[score.winner]); }
    if (over) {
        jw_key_str(out, "why", why_over(s));
        jw_key_str(out, "degree", au_tables.degree[score.degree]);
    }
    jw_key_array(out, "winners");
    if (over && score.winner < AU_SIDES) { jw_str(out, au_seat_ids[score.winner]); }
    jw_array_end(out);
    jw_key_object(out, "points");
    for (unsigned side = 0; side < AU_SIDES; side++) {
        jw_key_int(out, au_seat_ids[side], over ? score.points[side] : 0);
    }
    jw_object_end(out);
    jw_object_end(out);
}
