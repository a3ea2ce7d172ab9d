/* client-cli/austerlitz/describe_austerlitz.c: positions, lists and prompts of Austerlitz as lines
 * of text. */
#include <stdio.h>
#include <string.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/describe.h"
#include "common/words/phrases.h"
#include "common/words/words.h"

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void line(struct buf *out)
{
    buf_append_char(out, '\n');
}

static const char *say_hex(const struct av_view *v, unsigned hex, struct buf *work)
{
    buf_reset(work);
    av_say_hex(v->map, hex, work);
    return buf_str(work);
}

static void say_arm(enum av_type type, struct buf *out)
{
    words_say(out, "arm.short", "arm", av_type_ids[type], NULL);
}

void aus_say_unit(const struct av_view *v, int unit, struct buf *out)
{
    const struct av_unit *u = &v->unit[unit];
    struct buf arm, hex;
    buf_init(&arm, 64);
    buf_init(&hex, 256);
    say_arm(u->type, &arm);
    words_say(out, "cli.austerlitz.unit", "unit", u->id[0] != '\0' ? u->id : buf_str(&arm), "hex",
              say_hex(v, u->hex, &hex), NULL);
    buf_finish(&arm);
    buf_finish(&hex);
}

void aus_say_units(const struct av_view *v, const struct av_hexes *hexes, struct buf *out)
{
    struct phrase_list list;
    struct buf one;
    phrase_list_init(&list);
    buf_init(&one, 1024);
    for (int i = 0; i < hexes->count; i++) {
        int unit = v->at[hexes->hex[i]];
        buf_reset(&one);
        if (unit != AV_NONE) {
            aus_say_unit(v, unit, &one);
        } else {
            av_say_hex(v->map, hexes->hex[i], &one);
        }
        phrase_list_add(&list, buf_str(&one));
    }
    phrase_list_say(&list, false, out);
    phrase_list_finish(&list);
    buf_finish(&one);
}

static void say_hexes(const struct av_view *v, const struct av_hexes *hexes, struct buf *out)
{
    struct phrase_list list;
    struct buf one;
    phrase_list_init(&list);
    buf_init(&one, 1024);
    for (int i = 0; i < hexes->count; i++) {
        phrase_list_add(&list, say_hex(v, hexes->hex[i], &one));
    }
    phrase_list_say(&list, false, out);
    phrase_list_finish(&list);
    buf_finish(&one);
}

/* ---- when ---- */

static void say_turn(const struct av_view *v, struct buf *out)
{
    struct buf hours;
    int from = 0, to = 0;
    buf_init(&hours, 128);
    if (sscanf(v->hours, "%d-%d", &from, &to) == 2) {
        words_say(&hours, "date.hours", "from", words_int(from), "to", words_int(to), NULL);
    }
    words_say(out, "date.turn", "turn", words_int(v->turn), "hours_t", buf_str(&hours), NULL);
    buf_finish(&hours);
}

static const char *phase_text(const struct av_view *v)
{
    static const char *const ids[2][2] = {
        {"phase.austerlitz.french_move", "phase.austerlitz.french_combat"},
        {"phase.austerlitz.allied_move", "phase.austerlitz.allied_combat"}};
    const char *text = words_text(ids[v->side][v->state == AV_MOVE ? 0 : 1]);
    return text == NULL ? "" : text;
}

void aus_say_head(const struct av_view *v, struct buf *out)
{
    char text[80];
    say_turn(v, out);
    buf_append_str(out, "  ");
    buf_append_str(out, phase_text(v));
    for (int side = 0; side < 2; side++) {
        bool own = v->player && (int)v->seat == side, broken = v->demoralised == side;
        char left[16] = "";
        if (v->has_left[side] && !broken) { snprintf(left, sizeof left, "/%d", v->left[side]); }
        snprintf(text, sizeof text, "  %s%s %d%s%s%s", own ? "[" : "", av_seat_ids[side],
                 v->lost[side], left, broken ? "*" : "", own ? "]" : "");
        buf_append_str(out, text);
    }
}

/* ---- lists ---- */

enum { CORPS = 13 };
static const struct {
    const char *id, *units;
} corps[CORPS] = {
    {"guard", " IC CG AG "},        {"1", " 101 201 C01 A01 "},     {"3", " 203 4D "},
    {"4", " 104 204 304 C04 A04 "}, {"5", " 105 305 103 C05 A05 "}, {"cavalry", " 1C 2C 2D 3D "},
    {"advance", " K1 K2 K3 "},      {"column1", " D1 D2 DA "},      {"column2", " L1 L2 LA "},
    {"column3", " P1 P2 PA "},      {"column4", " M1 W1 W2 WA "},   {"column5", " H1 U1 E1 VA "},
    {"right", " B1 B2 BC BD BA "},
};

static int corps_of(const char *id)
{
    char word[AV_ID_MAX + 2];
    snprintf(word, sizeof word, " %s ", id);
    for (int i = 0; i < CORPS; i++) {
        if (strstr(corps[i].units, word) != NULL) { return i; }
    }
    return CORPS; /* the Russian Guard */
}

/* "104 inf 9-6 2218", with what is to be known of it beside. */
static void say_known(const struct av_view *v, int unit, struct buf *out)
{
    const struct av_unit *u = &v->unit[unit];
    struct buf arm, hex;
    buf_init(&arm, 64);
    buf_init(&hex, 256);
    say_arm(u->type, &arm);
    words_say(out, "cli.austerlitz.show.unit", "unit", u->id, "arm_t", buf_str(&arm), "potential",
              words_int(u->potential), "movement", words_int(u->movement), "hex",
              say_hex(v, u->hex, &hex), "moved", truth(u->moved), "bridge",
              u->bridge == AV_NONE ? "none" : v->map->of_bridge[u->bridge].id, NULL);
    buf_finish(&arm);
    buf_finish(&hex);
}

/* "104 i9-6 2218*" */
static void say_counter(const struct av_view *v, int unit, struct buf *out)
{
    const struct av_unit *u = &v->unit[unit];
    char hex[HEX_TEXT], text[64];
    hex_text(&v->map->grid, u->hex, hex);
    snprintf(text, sizeof text, "%s %c%d-%d %s%s", u->id, "ica"[u->type], u -> potential,
             u -> movement, hex,
             u -> bridge != AV_NONE ? "x"
                  : u->moved        ? "*"
                                    : "");
    buf_append_str(out, text);
}

static void say_corps(const struct av_view *v, int which, enum av_side side, bool brief,
                      struct buf *out)
{
    struct phrase_list list;
    struct buf one, units;
    char id[64];
    phrase_list_init(&list);
    buf_init(&one, 1024);
    buf_init(&units, 16384);
    for (int i = 0; i < v->units; i++) {
        const struct av_unit *u = &v->unit[i];
        if (u->side != side || u->id[0] == '\0' || corps_of(u->id) != which) { continue; }
        buf_reset(&one);
        if (brief) {
            say_counter(v, i, &one);
        } else {
            say_known(v, i, &one);
        }
        phrase_list_add(&list, buf_str(&one));
    }
    if (list.items > 0) {
        snprintf(id, sizeof id, "cli.austerlitz.corps.%s",
                 which == CORPS ? "russian_guard" : corps[which].id);
        phrase_list_say(&list, false, &units);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.show.corps", "corps_t", words_text(id), "units_t",
                  buf_str(&units), NULL);
        line(out);
    }
    phrase_list_finish(&list);
    buf_finish(&one);
    buf_finish(&units);
}

/* Mute counters of a type, by hex. */
static void say_mute(const struct av_view *v, enum av_side side, enum av_type type, bool brief,
                     struct buf *out)
{
    struct buf arm, hexes, one;
    struct phrase_list list;
    phrase_list_init(&list);
    buf_init(&arm, 64);
    buf_init(&hexes, 16384);
    buf_init(&one, 256);
    for (int i = 0; i < v->units; i++) {
        const struct av_unit *u = &v->unit[i];
        if (u->side != side || u->type != type || u->id[0] != '\0') { continue; }
        char hex[HEX_TEXT];
        hex_text(&v->map->grid, u->hex, hex);
        buf_reset(&one);
        if (brief) {
            buf_append_str(&one, hex);
        } else {
            av_say_hex(v->map, u->hex, &one);
        }
        if (u->moved) { buf_append_char(&one, '*'); }
        phrase_list_add(&list, buf_str(&one));
    }
    if (list.items > 0) {
        words_say(&arm, "arm.name", "arm", av_type_ids[type], NULL);
        phrase_list_say(&list, false, &hexes);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.show.mute", "arm_t", buf_str(&arm), "n",
                  words_int(list.items), "hexes_t", buf_str(&hexes), NULL);
        line(out);
    }
    phrase_list_finish(&list);
    buf_finish(&arm);
    buf_finish(&hexes);
    buf_finish(&one);
}

/* "3 inf, 1 cav" of a box; "" where it is empty. */
static void say_boxed(const struct av_view *v, enum av_side side, enum av_box box, struct buf *out)
{
    struct phrase_list list;
    struct buf one;
    phrase_list_init(&list);
    buf_init(&one, 128);
    for (int type = 0; type < 3; type++) {
        int n = v->boxed[side][box][type];
        if (n == 0) { continue; }
        buf_reset(&one);
        buf_append_str(&one, words_int(n));
        buf_append_char(&one, ' ');
        say_arm((enum av_type)type, &one);
        phrase_list_add(&list, buf_str(&one));
    }
    if (list.items > 0) { phrase_list_say(&list, false, out); }
    phrase_list_finish(&list);
    buf_finish(&one);
}

static void say_losses(const struct av_view *v, enum av_side side, struct buf *out)
{
    static const char *const boxes[] = {"box.austerlitz.eliminated", "box.austerlitz.withdrawn",
                                        "box.austerlitz.vienna"};
    struct buf units, name;
    buf_init(&units, 1024);
    buf_init(&name, 256);
    describe_side(&name, "austerlitz", av_seat_ids[side]);
    buf_append_str(out, "  ");
    words_say(out, "cli.austerlitz.show.track", "side_t", buf_str(&name), "lost",
              words_int(v->lost[side]), "has", truth(v->has_left[side]), "left",
              words_int(v->left[side]), "broken", truth(v->demoralised == (int)side), NULL);
    line(out);
    for (int box = 0; box < 3; box++) {
        buf_reset(&units);
        say_boxed(v, side, (enum av_box)box, &units);
        if (units.len == 0) { continue; }
        buf_append_str(out, "    ");
        words_say(out, "cli.austerlitz.show.box", "box_t",
                  words_text(boxes[box]) == NULL ? "" : words_text(boxes[box]), "units_t",
                  buf_str(&units), NULL);
        line(out);
    }
    buf_finish(&units);
    buf_finish(&name);
}

static void say_side(const struct av_view *v, enum av_side side, bool brief, struct buf *out)
{
    struct buf name;
    buf_init(&name, 256);
    describe_side(&name, "austerlitz", av_seat_ids[side]);
    words_say(out, "cli.austerlitz.show.side", "side_t", buf_str(&name), "own",
              truth(v->player && v->seat == side), NULL);
    line(out);
    for (int i = 0; i <= CORPS; i++) {
        say_corps(v, i, side, brief, out);
    }
    for (int type = 0; type < 3; type++) {
        say_mute(v, side, (enum av_type)type, brief, out);
    }
    buf_finish(&name);
}

static void say_ground(const struct av_view *v, struct buf *out)
{
    struct phrase_list list;
    struct av_hexes ice = {0};
    struct buf text;
    phrase_list_init(&list);
    buf_init(&text, 8192);
    for (int i = 0; i < v->map->bridges; i++) {
        if ((v->destroyed >> i & 1U) != 0) { phrase_list_add(&list, v->map->of_bridge[i].id); }
    }
    for (unsigned hex = 0; hex < hex_count(&v->map->grid); hex++) {
        if (v->broken[hex] && ice.count < AV_LIST_MAX) { ice.hex[ice.count++] = hex; }
    }
    if (list.items > 0) {
        phrase_list_say(&list, false, &text);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.show.bridges", "bridges", buf_str(&text), NULL);
        line(out);
    }
    if (ice.count > 0) {
        buf_reset(&text);
        say_hexes(v, &ice, &text);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.show.ice", "hexes_t", buf_str(&text), NULL);
        line(out);
    }
    phrase_list_finish(&list);
    buf_finish(&text);
}

void aus_say_armies(const struct av_view *v, bool brief, struct buf *out)
{
    enum av_side first = v->seat, second = first == AV_FRENCH ? AV_ALLIED : AV_FRENCH;
    say_losses(v, first, out);
    say_losses(v, second, out);
    say_ground(v, out);
    say_side(v, first, brief, out);
    say_side(v, second, brief, out);
}

/* ---- combats ---- */

static void say_entry(const struct av_view *v, int number, const struct av_entry *e, bool hand,
                      struct buf *out)
{
    struct buf contact, guns, defenders;
    const char *status = hand               ? "hand"
                         : e->status == 'd' ? "done"
                         : e->status == 'v' ? "void"
                                            : "pending";
    const char *id = e->ice != HEX_NONE      ? "cli.austerlitz.show.ice_shot"
                     : e->contact.count == 0 ? "cli.austerlitz.show.bombardment"
                     : e->bombard.count == 0 ? "cli.austerlitz.show.combat"
                                             : "cli.austerlitz.show.combat_both";
    buf_init(&contact, 8192);
    buf_init(&guns, 8192);
    buf_init(&defenders, 8192);
    aus_say_units(v, &e->contact, &contact);
    aus_say_units(v, &e->bombard, &guns);
    if (e->ice != HEX_NONE) {
        av_say_hex(v->map, e->ice, &defenders);
    } else {
        aus_say_units(v, &e->defenders, &defenders);
    }
    buf_append_str(out, "  ");
    words_say(out, id, "n", words_int(number), "status", status, "units_t", buf_str(&contact),
              "guns_t", buf_str(&guns), "defenders_t", buf_str(&defenders), NULL);
    line(out);
    buf_finish(&contact);
    buf_finish(&guns);
    buf_finish(&defenders);
}

static bool is_drafted(const struct aus_draft *draft, unsigned hex)
{
    for (int i = 0; draft != NULL && i < draft->entries; i++) {
        const struct av_entry *e = &draft->entry[i];
        if (av_has(&e->contact, hex) || av_has(&e->bombard, hex) || av_has(&e->defenders, hex) ||
            e->ice == hex) {
            return true;
        }
    }
    return false;
}

void aus_find_owed(const struct av_view *v, const struct aus_draft *draft, struct av_hexes *out)
{
    for (int a = 0; a < v->units; a++) {
        if (v->unit[a].side != v->side || !av_may_attack(v, a)) { continue; }
        for (int b = 0; b < v->units; b++) {
            if (!av_mutual(v, a, b)) { continue; }
            const unsigned both[2] = {v->unit[a].hex, v->unit[b].hex};
            for (int i = 0; i < 2; i++) {
                bool free = !is_drafted(draft, both[i]) && !av_has(out, both[i]);
                if (free && out->count < AV_LIST_MAX) { out->hex[out->count++] = both[i]; }
            }
        }
    }
}

static void say_owed(const struct av_view *v, const struct aus_draft *draft, struct buf *out)
{
    struct av_hexes owed = {0};
    struct buf units;
    aus_find_owed(v, draft, &owed);
    if (owed.count == 0) { return; }
    buf_init(&units, 8192);
    aus_say_units(v, &owed, &units);
    words_say(out, "cli.austerlitz.prompt.owed", "units_t", buf_str(&units), NULL);
    line(out);
    buf_finish(&units);
}

void aus_say_combats(const struct av_view *v, const struct aus_draft *draft, struct buf *out)
{
    for (int i = 0; i < v->entries; i++) {
        say_entry(v, i + 1, &v->entry[i], i == v->hand, out);
    }
    if (draft != NULL && draft->entries > 0) {
        words_say(out, "cli.austerlitz.show.drafted", NULL);
        line(out);
    }
    for (int i = 0; draft != NULL && i < draft->entries; i++) {
        say_entry(v, i + 1, &draft->entry[i], false, out);
    }
    bool none = v->entries == 0 && (draft == NULL || draft->entries == 0);
    if (none) {
        words_say(out, "cli.austerlitz.show.no_combat", NULL);
        line(out);
    }
    if (v->state == AV_DECLARE) { say_owed(v, draft, out); }
}

/* ---- prompts ---- */

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static void say_over(const struct av_view *v, struct buf *out)
{
    const cJSON *result = json_get(v->board, "result");
    char degree[32];
    struct buf text, outcome;
    snprintf(degree, sizeof degree, "%.31s", text_of(result, "degree"));
    for (char *c = degree; *c != '\0'; c++) {
        if (*c == ' ') { *c = '_'; }
    }
    buf_init(&text, 256);
    buf_init(&outcome, 1024);
    words_say(&text, "degree.austerlitz", "degree", degree, NULL);
    words_say(&outcome, "event.austerlitz.over", "winner", text_of(result, "winner"), "degree_t",
              buf_str(&text), NULL);
    words_say(out, "cli.austerlitz.prompt.over", "outcome", buf_str(&outcome), NULL);
    line(out);
    buf_finish(&text);
    buf_finish(&outcome);
}

static void say_wait(const struct av_view *v, struct buf *out)
{
    const cJSON *seat = json_get(v->view, "waits_for");
    struct buf who;
    buf_init(&who, 256);
    seat = seat == NULL ? NULL : seat->child;
    if (cJSON_IsString(seat)) { describe_side(&who, "austerlitz", seat->valuestring); }
    words_say(out, "cli.prompt.wait", "side_t", buf_str(&who), NULL);
    line(out);
    buf_finish(&who);
}

/* The prompts that name units or hexes. */
static void say_of(const struct av_view *v, const char *id, const struct av_hexes *hexes,
                   bool units, struct buf *out)
{
    struct buf text;
    buf_init(&text, 8192);
    if (units) {
        aus_say_units(v, hexes, &text);
    } else {
        say_hexes(v, hexes, &text);
    }
    words_say(out, id, "units_t", buf_str(&text), "due", words_int(v->due), NULL);
    line(out);
    buf_finish(&text);
}

void aus_say_prompt(const struct av_view *v, const struct aus_draft *draft, struct buf *out)
{
    const cJSON *prompt = json_get(v->view, "prompt");
    int n = 0;
    if (v->state == AV_OVER) {
        say_over(v, out);
        return;
    }
    if (!v->to_act || prompt == NULL) {
        say_wait(v, out);
        return;
    }
    switch (v->state) {
    case AV_MOVE:
        words_say(out, "cli.austerlitz.prompt.move", "left",
                  words_int((long)json_int(json_get(prompt, "left"), 0)), NULL);
        line(out);
        break;
    case AV_DECLARE:
        n = draft == NULL ? 0 : draft->entries;
        words_say(out, "cli.austerlitz.prompt.declare", "n", words_int(n), NULL);
        line(out);
        say_owed(v, draft, out);
        break;
    case AV_RESOLVE:
        words_say(out, "cli.austerlitz.prompt.resolve", "pending",
                  words_int((long)json_int(json_get(prompt, "pending"), 0)), NULL);
        line(out);
        break;
    case AV_EXCHANGE: say_of(v, "cli.austerlitz.prompt.exchange", &v->fighting, true, out); break;
    case AV_RETREAT: say_of(v, "cli.austerlitz.prompt.retreat", &v->to_retreat, true, out); break;
    case AV_BATTERY: say_of(v, "cli.austerlitz.prompt.battery", &v->to_choose, true, out); break;
    case AV_ADVANCE: say_of(v, "cli.austerlitz.prompt.advance", &v->vacated, false, out); break;
    case AV_OVER:
    case AV_UNKNOWN: break;
    }
}

/* ---- the whole, and one hex ---- */

static const char *term(const char *id)
{
    const char *text = words_text(id);
    return text == NULL ? id : text;
}

/* What this match is played with, as the options are called (14). */
static void say_options(const struct av_view *v, struct buf *out)
{
    const struct {
        const char *name, *value;
    } options[] = {{"information", v->semi_blind ? "semi-blind" : "informed"},
                   {"situation", v->situation},
                   {"strengths", v->dealt ? "dealt" : "printed"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char name[64], value[80];
        snprintf(name, sizeof name, "option.austerlitz.%s.name", options[i].name);
        snprintf(value, sizeof value, "option.austerlitz.%s.%s.name", options[i].name,
                 options[i].value);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.show.option", "name", term(name), "value", term(value),
                  NULL);
    }
    if (v->guard_1805) {
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.show.alone", "name",
                  term("option.austerlitz.guard_1805.name"), NULL);
    }
    line(out);
}

void aus_say_position(const struct av_view *v, struct buf *out)
{
    struct buf turn;
    buf_init(&turn, 256);
    say_turn(v, &turn);
    words_say(out, "cli.austerlitz.show.head", "slot_t", buf_str(&turn), "phase_t", phase_text(v),
              "player", truth(v->player), "seat", av_seat_ids[v->seat], "light",
              v->fog     ? "fog"
              : v->night ? "night"
                         : "day",
              NULL);
    line(out);
    buf_finish(&turn);
    say_options(v, out);
    aus_say_armies(v, false, out);
    if (v->entries > 0) { aus_say_combats(v, NULL, out); }
}

static void list_sides(const struct av_view *v, unsigned hex, struct phrase_list *list)
{
    static const char *const sides[] = {"n", "ne", "se", "s", "sw", "nw"};
    static const char *const kinds[] = {"", "hexside.stream", "hexside.bank", "hexside.escarpment"};
    const struct av_map *map = v->map;
    struct buf text;
    buf_init(&text, 512);
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        int bridge = map->bridge[hex][d];
        bool road = (map->road[hex] >> d & 1U) != 0;
        const char *what = map->side[hex][d] == AV_OPEN ? "" : term(kinds[map->side[hex][d]]);
        if (what[0] == '\0' && !road) { continue; }
        buf_reset(&text);
        bool whole = bridge != AV_NONE && (v->destroyed >> bridge & 1U) == 0;
        words_say(&text, "cli.austerlitz.place.side", "side", sides[d], "what",
                  what[0] == '\0' ? term("terrain.road") : what, "bridge",
                  bridge == AV_NONE ? "none" : map->of_bridge[bridge].id, "whole", truth(whole),
                  NULL);
        phrase_list_add(list, buf_str(&text));
    }
    buf_finish(&text);
}

void aus_say_place(const struct av_view *v, unsigned hex, struct buf *out)
{
    static const char *const grounds[] = {"terrain.clear", "terrain.forest", "terrain.marsh",
                                          "terrain.village", "terrain.pond"};
    const struct av_map *map = v->map;
    struct phrase_list list;
    struct buf name, text;
    phrase_list_init(&list);
    buf_init(&name, 256);
    buf_init(&text, 4096);
    phrase_list_add(&list, v->broken[hex] ? term("terrain.pond_broken")
                                          : term(grounds[map->terrain[hex]]));
    if (map->height[hex]) { phrase_list_add(&list, term("terrain.height")); }
    if (map->fortified[hex]) { phrase_list_add(&list, term("terrain.fortified")); }
    if (map->causeway[hex]) { phrase_list_add(&list, term("terrain.causeway")); }
    list_sides(v, hex, &list);
    phrase_list_say(&list, false, &text);
    words_say(out, "cli.austerlitz.place.ground", "hex", say_hex(v, hex, &name), "ground_t",
              buf_str(&text), NULL);
    line(out);
    int unit = v->at[hex];
    if (unit != AV_NONE) {
        buf_reset(&text);
        if (v->unit[unit].id[0] != '\0') {
            say_known(v, unit, &text);
        } else {
            aus_say_unit(v, unit, &text);
        }
        buf_append_str(out, "  ");
        buf_append_str(out, buf_str(&text));
        line(out);
    }
    for (int side = 0; side < 2; side++) {
        if (!av_is_held(v, hex, (enum av_side)side)) { continue; }
        buf_reset(&name);
        describe_side(&name, "austerlitz", av_seat_ids[side]);
        buf_append_str(out, "  ");
        words_say(out, "cli.austerlitz.place.held", "side_t", buf_str(&name), NULL);
        line(out);
    }
    phrase_list_finish(&list);
    buf_finish(&name);
    buf_finish(&text);
}
