/* common/rules/austerlitz/position_read.c: a state from JSON (position.md, section 1). What holds
 * in every state is check.c's to say; here the form is read. */
#include <stdio.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/austerlitz/flow.h"

enum { WORD_BYTES_MAX = 16 };

/* One of n words; a missing member leaves *out as it is. */
static enum err read_word(const cJSON *object, const char *name, const char *const *words,
                          unsigned n, uint8_t *out, struct why *why)
{
    const char *word = NULL;
    enum err err = json_read_str(object, name, WORD_BYTES_MAX, &word, why);
    if (err != ERR_OK || word == NULL) { return err; }
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = (uint8_t)i;
            return ERR_OK;
        }
    }
    return why_member(why, name, "There is no such word here.");
}

/* Options may stand in the position and beside it; where both give one they agree. */
static enum err read_options(const cJSON *beside, const cJSON *in, struct state *s, struct why *why)
{
    const cJSON *inside = NULL;
    enum err err = json_read_object(in, "options", &inside, why);
    if (err == ERR_OK && beside != NULL) { err = au_read_choices(beside, s, why); }
    for (const cJSON *i = err == ERR_OK && inside != NULL ? inside->child : NULL; i != NULL;
         i = i->next) {
        const cJSON *other = beside == NULL ? NULL : json_get(beside, i->string);
        if (other != NULL && !json_equal(other, i)) {
            return why_member(why, i->string, "The options of case and position differ.");
        }
    }
    if (err == ERR_OK && inside != NULL) { err = au_read_choices(inside, s, why); }
    return err != ERR_OK ? err : au_check_choices(s, why);
}

/* ---- units ---- */

static enum err put_in_box(struct state *s, unsigned u, const char *box, struct why *why)
{
    for (unsigned place = AU_ELIMINATED; place <= AU_VIENNA; place++) {
        if (strcmp(au_place_ids[place], box) == 0) {
            au_remove(s, u, place);
            return ERR_OK;
        }
    }
    return why_member(why, au_unit_facts[u].id, "There is no such hex or box.");
}

static enum err read_long_unit(struct state *s, unsigned u, const cJSON *json, struct why *why)
{
    static const char *const names[] = {"box",   "destroyed_bridge", "hex",
                                        "moved", "potential",        NULL};
    const char *box = NULL, *bridge = NULL;
    int64_t potential = 0;
    bool moved = false;
    const cJSON *hex = json_get(json, "hex");
    enum err err = json_only(json, names, why);
    if (err == ERR_OK) { err = json_read_str(json, "box", WORD_BYTES_MAX, &box, why); }
    if (err == ERR_OK) { err = json_read_bool(json, "moved", &moved, why); }
    if (err == ERR_OK) {
        err = json_read_str(json, "destroyed_bridge", WORD_BYTES_MAX, &bridge, why);
    }
    if (err == ERR_OK) { err = json_read_int(json, "potential", 2, 10, &potential, why); }
    if (err != ERR_OK) { return err; }
    if ((hex == NULL) == (box == NULL)) {
        return why_member(why, au_unit_facts[u].id, "A unit has a hex or a box.");
    }
    if ((potential != 0) != (s->dealt != 0)) {
        return why_member(why, "potential", "Potentials stand with dealt strengths, and only so.");
    }
    if (hex != NULL) {
        err = au_read_hex(hex, "hex", &s->unit[u].hex, why);
        s->unit[u].place = AU_ON_MAP;
    } else {
        err = put_in_box(s, u, box, why);
    }
    if (err != ERR_OK) { return err; }
    s->unit[u].moved = moved;
    if (s->dealt != 0) { s->unit[u].potential = (uint8_t)potential; }
    if (bridge == NULL) { return ERR_OK; }
    s->unit[u].bridge = (uint8_t)au_find_bridge(bridge);
    if (s->unit[u].bridge != AU_NONE) { return ERR_OK; }
    return why_member(why, "destroyed_bridge", "There is no such bridge.");
}

static enum err read_unit(struct state *s, const cJSON *json, uint64_t *named, struct why *why)
{
    unsigned u = au_find_unit(json->string);
    if (u == AU_NONE) { return why_member(why, json->string, "There is no such unit."); }
    *named |= au_bit(u);
    if (cJSON_IsObject(json)) { return read_long_unit(s, u, json, why); }
    if (!cJSON_IsString(json)) { return why_member(why, json->string, "A unit is misplaced."); }
    if (s->dealt != 0) { return why_member(why, json->string, "A dealt potential is missing."); }
    if (json->valuestring[0] >= '0' && json->valuestring[0] <= '9') {
        s->unit[u].place = AU_ON_MAP;
        return au_read_hex(json, json->string, &s->unit[u].hex, why);
    }
    return put_in_box(s, u, json->valuestring, why);
}

static enum err read_units(struct state *s, const cJSON *in, struct why *why)
{
    static const char *const words[2] = {"start", "aside"};
    uint8_t aside = 0;
    uint64_t named = 0;
    const cJSON *units = NULL;
    enum err err = read_word(in, "others", words, 2, &aside, why);
    if (err == ERR_OK) { err = json_read_object(in, "units", &units, why); }
    for (const cJSON *i = err == ERR_OK && units != NULL ? units->child : NULL;
         i != NULL && err == ERR_OK; i = i->next) {
        err = read_unit(s, i, &named, why);
    }
    if (err != ERR_OK) { return err; }
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if ((named >> u & 1U) != 0) { continue; }
        if (aside != 0) {
            au_remove(s, u, AU_ASIDE);
            if (s->dealt != 0) { s->unit[u].potential = 0; }
        } else if (s->dealt != 0) {
            return why_member(why, "units", "Dealt potentials are missing.");
        }
    }
    return ERR_OK;
}

/* ---- marks and tracks ---- */

static enum err read_marks(struct state *s, const cJSON *in, struct why *why)
{
    const cJSON *ice = NULL, *bridges = NULL;
    enum err err = au_read_array(in, "broken_ice", 64, &ice, why);
    if (err == ERR_OK) { err = au_read_array(in, "destroyed_bridges", 32, &bridges, why); }
    if (err != ERR_OK) { return err; }
    for (const cJSON *i = ice == NULL ? NULL : ice->child; i != NULL; i = i->next) {
        uint16_t hex = 0;
        err = au_read_hex(i, "broken_ice", &hex, why);
        if (err != ERR_OK) { return err; }
        if (!au_is_ice(s, hex)) { /* no pond, a causeway, or named twice */
            return why_member(why, "broken_ice", "There is no ice to break.");
        }
        s->broken |= UINT64_C(1) << au_hexes[hex].pond;
    }
    for (const cJSON *i = bridges == NULL ? NULL : bridges->child; i != NULL; i = i->next) {
        unsigned bridge = cJSON_IsString(i) ? au_find_bridge(i->valuestring) : AU_NONE;
        if (bridge == AU_NONE || (s->destroyed >> bridge & 1U) != 0) {
            return why_member(why, "destroyed_bridges", "There is no such bridge to destroy.");
        }
        s->destroyed |= UINT32_C(1) << bridge;
    }
    return ERR_OK;
}

static enum err read_track(const struct state *s, const cJSON *tracks, unsigned side,
                           struct why *why)
{
    static const char *const names[] = {"D", "P", NULL};
    const cJSON *track = NULL;
    int64_t lost = 0, left = 0;
    enum err err = json_read_object(tracks, au_side_ids[side], &track, why);
    if (err != ERR_OK || track == NULL) { return err; }
    err = json_only(track, names, why);
    if (err == ERR_OK) { err = json_read_int(track, "!P", 0, 132, &lost, why); }
    if (err == ERR_OK) { err = json_read_int(track, "D", -66, 66, &left, why); }
    if (err != ERR_OK) { return err; }
    int64_t d = (int64_t)au_tables.threshold[side] - au_sum_of(s, side, AU_WITHDRAWN);
    bool has_d = s->demoralised == AU_NOBODY || s->demoralised == side; /* 12.3 */
    bool given = json_get(track, "D") != NULL;
    bool agrees = lost == au_sum_of(s, side, AU_ELIMINATED) && (!given || (has_d && left == d));
    return agrees ? ERR_OK : why_member(why, "tracks", "The tracks do not follow from the boxes.");
}

static enum err read_tracks(const struct state *s, const cJSON *in, struct why *why)
{
    static const char *const names[] = {"allied", "french", NULL};
    const cJSON *tracks = NULL;
    enum err err = json_read_object(in, "tracks", &tracks, why);
    if (err != ERR_OK || tracks == NULL) { return err; }
    err = json_only(tracks, names, why);
    if (err == ERR_OK) { err = read_track(s, tracks, AU_FRENCH, why); }
    return err == ERR_OK ? read_track(s, tracks, AU_ALLIED, why) : err;
}

/* ---- plan and hand ---- */

static enum err read_set(const cJSON *object, const char *name, uint64_t *out, struct why *why)
{
    const cJSON *list = NULL;
    enum err err = au_read_array(object, name, AU_UNITS, &list, why);
    if (err != ERR_OK || list == NULL) { return err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        unsigned u = cJSON_IsString(i) ? au_find_unit(i->valuestring) : AU_NONE;
        if (u == AU_NONE || (*out >> u & 1U) != 0) {
            return why_member(why, name, "There is no such unit, or it stands there twice.");
        }
        *out |= au_bit(u);
    }
    return ERR_OK;
}

static enum err read_entry(const cJSON *json, struct au_entry *out, struct why *why)
{
    static const char *const combat[] = {"bombard", "contact", "defenders", "status", NULL};
    static const char *const shot[] = {"artillery", "hex", "status", NULL};
    if (!cJSON_IsObject(json)) { return why_member(why, "plan", "An entry is an object."); }
    const char *id = NULL;
    enum err err = json_read_str(json, "artillery", WORD_BYTES_MAX, &id, why);
    if (err == ERR_OK) { err = json_only(json, id != NULL ? shot : combat, why); }
    if (err == ERR_OK) {
        err = read_word(json, "status", au_status_ids, AU_STATUSES, &out->status, why);
    }
    if (err == ERR_OK && id != NULL) {
        unsigned unit = au_find_unit(id);
        if (unit == AU_NONE) { return why_member(why, "artillery", "There is no such unit."); }
        out->bombard = au_bit(unit);
        return au_read_hex(json_get(json, "hex"), "hex", &out->ice_hex, why);
    }
    if (err == ERR_OK) { err = read_set(json, "contact", &out->contact, why); }
    if (err == ERR_OK) { err = read_set(json, "bombard", &out->bombard, why); }
    return err == ERR_OK ? read_set(json, "defenders", &out->defenders, why) : err;
}

static enum err read_plan(struct state *s, const cJSON *in, struct why *why)
{
    const cJSON *plan = NULL;
    enum err err = json_read_object(in, "plan", &plan, why);
    if (err != ERR_OK || plan == NULL) { return err; }
    int n = cJSON_GetArraySize(plan);
    if (n > AU_PLAN_MAX) { return why_member(why, "plan", "The plan is too long."); }
    for (int i = 0; i < n && err == ERR_OK; i++) {
        char number[12];
        (void)snprintf(number, sizeof number, "%d", i + 1);
        const cJSON *entry = json_get(plan, number);
        if (entry == NULL) { return why_member(why, "plan", "Entries are numbered from 1 on."); }
        err = read_entry(entry, &s->plan[i], why);
    }
    s->plan_count = (uint8_t)n;
    return err;
}

static enum err read_vacated(struct au_hand *hand, const cJSON *json, struct why *why)
{
    const cJSON *list = NULL;
    enum err err = au_read_array(json, "vacated", AU_VACATED_MAX, &list, why);
    for (const cJSON *i = err == ERR_OK && list != NULL ? list->child : NULL; i != NULL;
         i = i->next) {
        uint16_t hex = 0;
        err = au_read_hex(i, "vacated", &hex, why);
        if (err != ERR_OK) { return err; }
        unsigned k = hand->vacated_count++;
        for (; k > 0 && hand->vacated[k - 1] > hex; k--) {
            hand->vacated[k] = hand->vacated[k - 1];
        }
        hand->vacated[k] = hex;
    }
    return err;
}

static enum err read_hand(struct state *s, const cJSON *in, struct why *why)
{
    static const char *const names[] = {"bombard",   "contact",    "defenders", "index", "result",
                                        "to_choose", "to_retreat", "vacated",   NULL};
    const cJSON *json = NULL;
    struct au_hand *hand = &s->hand;
    int64_t index = 0;
    enum err err = json_read_object(in, "hand", &json, why);
    if (err != ERR_OK || json == NULL) { return err; }
    err = json_only(json, names, why);
    if (err == ERR_OK) { err = json_read_int(json, "!index", 1, AU_PLAN_MAX, &index, why); }
    if (err == ERR_OK && json_get(json, "result") == NULL) {
        return why_member(why, "result", "The result is missing.");
    }
    if (err == ERR_OK) {
        err = read_word(json, "result", au_result_ids, AU_RESULTS, &hand->result, why);
    }
    if (err == ERR_OK) { err = read_set(json, "contact", &hand->contact, why); }
    if (err == ERR_OK) { err = read_set(json, "bombard", &hand->bombard, why); }
    if (err == ERR_OK) { err = read_set(json, "defenders", &hand->defenders, why); }
    if (err == ERR_OK) { err = read_set(json, "to_retreat", &hand->to_retreat, why); }
    if (err == ERR_OK) { err = read_set(json, "to_choose", &hand->to_choose, why); }
    hand->index = (uint8_t)index;
    return err == ERR_OK ? read_vacated(hand, json, why) : err;
}

/* ---- the whole ---- */

static enum err read_course(struct state *s, const cJSON *in, struct why *why)
{
    static const char *const sides[] = {"french", "allied", "none"};
    int64_t turn = 1;
    bool agreed = false;
    enum err err = json_read_int(in, "turn", 1, au_tables.turns, &turn, why);
    if (err == ERR_OK) { err = read_word(in, "state", au_step_ids, AU_STEPS, &s->step, why); }
    if (err == ERR_OK) { err = read_word(in, "side", sides, AU_SIDES, &s->side, why); }
    if (err == ERR_OK) { err = read_word(in, "demoralised", sides, 3, &s->demoralised, why); }
    if (err == ERR_OK) { err = read_word(in, "resigned", sides, 3, &s->resigned, why); }
    if (err == ERR_OK) { err = json_read_bool(in, "agreed", &agreed, why); }
    s->turn = (uint8_t)turn;
    s->agreed = agreed;
    return err;
}

enum err au_position_read(const cJSON *options, const cJSON *in, struct state *out_state,
                          struct why *why)
{
    static const char *const names[] = {
        "agreed",   "broken_ice", "demoralised", "destroyed_bridges",
        "hand",     "options",    "others",      "plan",
        "resigned", "side",       "state",       "tracks",
        "turn",     "units",      NULL};
    struct state s;
    memset(&s, 0, sizeof s);
    if (!cJSON_IsObject(in)) { return why_member(why, "position", "A position is an object."); }
    enum err err = json_only(in, names, why);
    if (err == ERR_OK) { err = read_options(options, in, &s, why); }
    if (err != ERR_OK) { return err; }
    s.rules = 1;
    au_reset_state(&s);
    err = read_course(&s, in, why);
    if (err == ERR_OK) { err = read_units(&s, in, why); }
    if (err == ERR_OK) { err = read_marks(&s, in, why); }
    if (err == ERR_OK) { err = read_plan(&s, in, why); }
    if (err == ERR_OK) { err = read_hand(&s, in, why); }
    if (err == ERR_OK) { err = read_tracks(&s, in, why); }
    if (err != ERR_OK) { return err; }
    const char *broken = au_check(&s);
    if (broken != NULL) { return why_member(why, "position", broken); }
    memcpy(out_state, &s, sizeof s);
    return ERR_OK;
}
