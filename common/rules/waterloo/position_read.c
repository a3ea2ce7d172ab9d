/* common/rules/waterloo/position_read.c: a position, hostile JSON, into a state. */
#include <string.h>

#include "common/dice/dice.h"
#include "common/rules/waterloo/flow.h"
#include "common/rules/waterloo/position.h"
#include "common/rules/waterloo/rules.h"

#define BIT64(n) (UINT64_C(1) << (n))
#define STEP(n)  (1U << (n))
enum {
    IN_SETUP = STEP(WL_SETUP_ALLIED) | STEP(WL_SETUP_FRENCH),
    IN_ALL = (1 << WL_STEPS) - 1,
    IN_PLAY = IN_ALL & ~IN_SETUP,
    IN_BATTLE = STEP(WL_DEPLOY_DEF) | STEP(WL_DEPLOY_ATT) | STEP(WL_COMBAT),
    IN_ANSWER = STEP(WL_RESPOND) | STEP(WL_PURSUIT_LOSS),
    IN_FIGHT = IN_ANSWER | IN_BATTLE,
    IN_TURN = IN_FIGHT | STEP(WL_SUPPLY),
};

/* The table of the position page: where a member has a meaning. */
static const struct member {
    const char *name;
    unsigned steps;
} members[] = {
    {"at", IN_ALL},
    {"attacks", IN_ANSWER},
    {"base", IN_ALL},
    {"battles", IN_BATTLE},
    {"confirmed", IN_SETUP},
    {"ct", STEP(WL_COMBAT)},
    {"debt", STEP(WL_SUPPLY)},
    {"departed", IN_ALL},
    {"ended", STEP(WL_MOVE) | STEP(WL_RESPOND) | STEP(WL_COMBAT)},
    {"gone", IN_PLAY},
    {"groups_used", IN_TURN},
    {"ledger_move", IN_TURN},
    {"ledger_retreat", IN_FIGHT},
    {"marched", IN_TURN},
    {"marches", STEP(WL_MOVE)},
    {"others", IN_PLAY},
    {"pursuit", STEP(WL_MOVE) | IN_ANSWER},
    {"pursuit_loss", STEP(WL_PURSUIT_LOSS)},
    {"result", STEP(WL_GAME_OVER)},
    {"slot", IN_ALL},
    {"state", IN_ALL},
    {"surrendered", IN_PLAY},
    {"units", IN_ALL},
    {"won_at", STEP(WL_COMBAT)},
};

/* ---- ids and texts ---- */

enum err wl_pos_town(struct wl_reader *r, const char *id, const char *member, unsigned *out)
{
    unsigned town = pmap_town(&wl_board(r->s)->map, id);
    if (town == PMAP_NONE) { return why_member(r->why, member, "There is no such town."); }
    *out = town;
    return ERR_OK;
}

enum err wl_pos_unit(struct wl_reader *r, const char *id, const char *member, unsigned *out)
{
    unsigned unit = wl_find_unit(id);
    if (unit == WL_NONE) { return why_member(r->why, member, "There is no such unit."); }
    *out = unit;
    return ERR_OK;
}

enum err wl_pos_seat(struct wl_reader *r, const char *id, const char *member, unsigned *out)
{
    for (unsigned seat = 0; seat < wl_seats(r->s); seat++) {
        if (strcmp(id, wl_seat_id(r->s, seat)) == 0) {
            *out = seat;
            return ERR_OK;
        }
    }
    return why_member(r->why, member, "There is no such seat.");
}

static enum err read_nation(struct wl_reader *r, const char *id, const char *member, unsigned *out)
{
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if (strcmp(id, wl_nation_ids[n]) == 0) {
            *out = n;
            return ERR_OK;
        }
    }
    return why_member(r->why, member, "There is no such nation.");
}

/* Digits without a leading zero, at most 5 of them; 0: none there. */
static unsigned take_number(const char **p)
{
    unsigned value = 0;
    unsigned digits = 0;
    while (**p >= '0' && **p <= '9' && digits < 5 && !(digits == 0 && **p == '0')) {
        value = value * 10 + (unsigned)(**p - '0');
        digits++;
        (*p)++;
    }
    return value;
}

bool wl_pos_next_token(struct wl_reader *r, const char **text, const char *member, bool may_ct,
                       struct wl_pos_token *out, enum err *out_err)
{
    const char *p = *text;
    *out_err = ERR_OK;
    if (*p == '\0') { return false; }
    char id[5] = {0};
    for (unsigned i = 0; i < 4 && p[i] != '\0'; i++) {
        id[i] = p[i];
    }
    *out = (struct wl_pos_token){.unit = wl_find_unit(id)};
    bool good = out->unit != WL_NONE;
    if (good) { p += 4; }
    if (good && *p == ':') {
        p++;
        out->cv = take_number(&p);
        good = out->cv != 0;
    }
    if (good && may_ct && *p == '@') {
        p++;
        out->ct = take_number(&p);
        good = out->ct != 0;
    }
    if (good && *p == ' ') {
        p++;
        good = *p != '\0'; /* one blank between units, none at the end */
    } else if (good) {
        good = *p == '\0';
    }
    if (!good) {
        *out_err = why_member(r->why, member, "A list of units reads like \"FR-A FR-B:2\".");
        return false;
    }
    *text = p;
    return true;
}

enum err wl_pos_give_town(struct wl_reader *r, unsigned unit, unsigned town, const char *member)
{
    bool given = (r->has_town & BIT64(unit)) != 0;
    bool other = given && r->s->unit[unit].town != town;
    if (other || (r->gone & BIT64(unit)) != 0) {
        return why_member(r->why, member, "A unit stands in two places.");
    }
    r->has_town |= BIT64(unit);
    r->s->unit[unit].town = (uint8_t)town;
    return ERR_OK;
}

enum err wl_pos_give_cv(struct wl_reader *r, unsigned unit, unsigned cv, const char *member)
{
    if ((r->has_cv & BIT64(unit)) != 0) {
        return why_member(r->why, member, "The combat value of a unit is given twice.");
    }
    if (cv < 1 || cv > wl_unit_facts[unit].cv) {
        return why_member(r->why, member, "A combat value lies between 1 and the starting one.");
    }
    r->has_cv |= BIT64(unit);
    r->s->unit[unit].cv = (uint8_t)cv;
    return ERR_OK;
}

/* ---- sets and ledgers ---- */

enum err wl_pos_set(struct wl_reader *r, const cJSON *object, const char *name, wl_pos_add_fn *add,
                    void *ctx)
{
    const cJSON *list = NULL;
    enum err err = json_read_array(object, name, PMAP_ROADS_MAX, &list, r->why);
    if (err != ERR_OK || list == NULL) { return err == ERR_TOO_LARGE ? ERR_INVALID_PARAMS : err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        if (!cJSON_IsString(i)) { return why_member(r->why, name, "A set holds ids."); }
        err = add(r, ctx, i->valuestring, name);
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

static enum err add_bit(struct wl_reader *r, uint64_t *set, unsigned bit, const char *member)
{
    if ((*set & BIT64(bit)) != 0) {
        return why_member(r->why, member, "A set names something twice.");
    }
    *set |= BIT64(bit);
    return ERR_OK;
}

enum err wl_pos_add_road(struct wl_reader *r, void *set, const char *id, const char *member)
{
    uint32_t *roads = set;
    unsigned road = pmap_road(&wl_board(r->s)->map, id);
    if (road == PMAP_NONE) { return why_member(r->why, member, "There is no such road."); }
    if (wl_road_in(roads, road)) {
        return why_member(r->why, member, "A set names something twice.");
    }
    wl_road_add(roads, road);
    return ERR_OK;
}

enum err wl_pos_add_town(struct wl_reader *r, void *set, const char *id, const char *member)
{
    unsigned town = 0;
    enum err err = wl_pos_town(r, id, member, &town);
    return err != ERR_OK ? err : add_bit(r, set, town, member);
}

enum err wl_pos_add_seat(struct wl_reader *r, void *set, const char *id, const char *member)
{
    unsigned seat = 0;
    enum err err = wl_pos_seat(r, id, member, &seat);
    return err != ERR_OK ? err : add_bit(r, set, seat, member);
}

enum err wl_pos_add_unit(struct wl_reader *r, void *set, const char *id, const char *member)
{
    unsigned unit = 0;
    enum err err = wl_pos_unit(r, id, member, &unit);
    return err != ERR_OK ? err : add_bit(r, set, unit, member);
}

static enum err add_allied_nation(struct wl_reader *r, void *set, const char *id,
                                  const char *member)
{
    unsigned nation = 0;
    enum err err = read_nation(r, id, member, &nation);
    if (err != ERR_OK) { return err; }
    if (nation == WL_FR) {
        return why_member(r->why, member, "The French surrender only with the game.");
    }
    return add_bit(r, set, nation, member);
}

enum err wl_pos_ledger(struct wl_reader *r, const cJSON *object, const char *name, uint8_t *ledger)
{
    const cJSON *counts = NULL;
    enum err err = json_read_object(object, name, &counts, r->why);
    if (err != ERR_OK || counts == NULL) { return err; }
    for (const cJSON *i = counts->child; i != NULL; i = i->next) {
        unsigned road = pmap_road(&wl_board(r->s)->map, i->string);
        int64_t count = 0;
        if (road == PMAP_NONE) { return why_member(r->why, name, "There is no such road."); }
        err = json_read_int(counts, i->string, 0, wl_road_capacity(wl_board(r->s), road), &count,
                            NULL);
        if (err != ERR_OK) {
            return why_member(r->why, name, "A road has a count within its capacity.");
        }
        ledger[road] = (uint8_t)count;
    }
    return ERR_OK;
}

/* ---- the members that stand first ---- */

static enum err read_choice(struct wl_reader *r, const cJSON *object, const char *name,
                            const char *(*id_of)(unsigned), unsigned count, unsigned *out)
{
    const char *text = NULL;
    enum err err = json_read_str(object, name, 64, &text, r->why);
    if (err != ERR_OK || text == NULL) { return err; }
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, id_of(i)) == 0) {
            *out = i;
            return ERR_OK;
        }
    }
    return why_member(r->why, name, "There is no such value.");
}

static const char *base_id(unsigned base)
{
    return base == WL_BASE_REAL ? "real" : "fixture";
}

static enum err check_members(struct wl_reader *r)
{
    for (const cJSON *i = r->in->child; i != NULL; i = i->next) {
        const struct member *found = NULL;
        for (size_t m = 0; m < sizeof members / sizeof members[0]; m++) {
            if (strcmp(members[m].name, i->string) == 0) { found = &members[m]; }
        }
        if (found == NULL) {
            return why_member(r->why, i->string, "There is no such member here.");
        }
        if ((found->steps & STEP(r->s->step)) == 0) {
            return why_member(r->why, i->string, "This member has no place in this state.");
        }
    }
    return ERR_OK;
}

static enum err read_departed(struct wl_reader *r)
{
    uint64_t departed = 0;
    enum err err = wl_pos_set(r, r->in, "departed", wl_pos_add_seat, &departed);
    if (err != ERR_OK) { return err; }
    r->s->departed = (uint8_t)departed;
    bool ends = wl_seats_of_side(r->s, WL_SIDE_FR) == 0 || wl_seats_of_side(r->s, WL_SIDE_AL) == 0;
    if (ends && r->s->step != WL_GAME_OVER) {
        return why_member(r->why, "departed", "A side that has left ends the game.");
    }
    return ERR_OK;
}

static enum err read_head(struct wl_reader *r)
{
    struct state *s = r->s;
    if (!cJSON_IsObject(r->in)) { return why_member(r->why, "position", "An object is needed."); }
    unsigned base = WL_BASE_REAL;
    unsigned step = WL_MOVE;
    enum err err = read_choice(r, r->in, "base", base_id, WL_BASES, &base);
    if (err == ERR_OK) { err = read_choice(r, r->in, "state", wl_step_id, WL_STEPS, &step); }
    if (err != ERR_OK) { return err; }
    s->base = (uint8_t)base;
    wl_reset_state(s);
    s->step = (uint8_t)step;
    err = check_members(r);
    if (err != ERR_OK) { return err; }
    bool setup = (STEP(step) & IN_SETUP) != 0;
    bool early = setup || step == WL_GAME_OVER; /* a side may leave in the set-up (W18.9) */
    int64_t slot = setup ? 0 : 1;
    err = json_read_int(r->in, "slot", early ? 0 : 1, setup ? 0 : s->turns, &slot, r->why);
    if (err != ERR_OK) { return err; }
    s->slot = (uint8_t)slot;
    if ((STEP(step) & IN_FIGHT) != 0 && wl_is_night(s)) {
        return why_member(r->why, "state", "There is no fighting at night (W3.4).");
    }
    if (step == WL_SUPPLY && wl_phasing(s) != WL_SIDE_FR) {
        return why_member(r->why, "state", "Supply is taken after French turns only (W15.2).");
    }
    return read_departed(r);
}

/* ---- where the units are ---- */

static enum err read_gone(struct wl_reader *r)
{
    const char *text = "";
    enum err err = json_read_str(r->in, "gone", 1024, &text, r->why);
    struct wl_pos_token token;
    while (err == ERR_OK && wl_pos_next_token(r, &text, "gone", false, &token, &err)) {
        if (token.cv != 0 || (r->gone & BIT64(token.unit)) != 0) {
            return why_member(r->why, "gone", "Units that are gone are named once, without CV.");
        }
        r->gone |= BIT64(token.unit);
        r->s->unit[token.unit].gone = WL_GONE_BEFORE;
    }
    return err;
}

static enum err read_at(struct wl_reader *r)
{
    const cJSON *at = NULL;
    enum err err = json_read_object(r->in, "at", &at, r->why);
    if (err != ERR_OK || at == NULL) { return err; }
    for (const cJSON *i = at->child; i != NULL; i = i->next) {
        unsigned town = 0;
        err = wl_pos_town(r, i->string, "at", &town);
        if (err != ERR_OK) { return err; }
        if (!cJSON_IsString(i)) { return why_member(r->why, "at", "A town has a text of units."); }
        const char *text = i->valuestring;
        struct wl_pos_token token;
        while (wl_pos_next_token(r, &text, "at", false, &token, &err)) {
            if ((r->listed & BIT64(token.unit)) != 0) {
                return why_member(r->why, "at", "A unit is named twice.");
            }
            r->listed |= BIT64(token.unit);
            err = wl_pos_give_town(r, token.unit, town, "at");
            if (err == ERR_OK && token.cv != 0) {
                err = wl_pos_give_cv(r, token.unit, token.cv, "at");
            }
            if (err != ERR_OK) { return err; }
        }
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

/* A mark holds to the end of this slot or of the next one (W12.11). */
static enum err read_mark(struct wl_reader *r, const cJSON *object, unsigned unit)
{
    int64_t until = 0;
    enum err err = json_read_int(object, "marked_until", 0, WL_SLOTS_MAX + 1, &until, r->why);
    if (err != ERR_OK) { return err; }
    unsigned slot = r->s->slot;
    if (until != 0 && (slot == 0 || until < slot || until > slot + 1)) {
        return why_member(r->why, "marked_until", "A mark ends with this slot or the next.");
    }
    r->s->unit[unit].marked_until = (uint8_t)until;
    return ERR_OK;
}

static enum err read_unit(struct wl_reader *r, const cJSON *object, unsigned unit)
{
    static const char *const gone_names[] = {"gone", NULL};
    static const char *const names[] = {"cv", "marked_until", "town", NULL};
    bool gone = json_get(object, "gone") != NULL;
    enum err err = json_only(object, gone ? gone_names : names, r->why);
    if (err != ERR_OK) { return err; }
    if (gone) {
        unsigned cause = WL_ON_MAP;
        err = read_choice(r, object, "gone", wl_gone_id, WL_GONES, &cause);
        if (err != ERR_OK) { return err; }
        bool setup = r->s->slot == 0;
        bool placed = ((r->has_town | r->has_cv | r->gone) & BIT64(unit)) != 0;
        if (cause == WL_ON_MAP || setup || placed) {
            return why_member(r->why, "gone", "A unit is gone for a cause, or stands somewhere.");
        }
        r->gone |= BIT64(unit);
        r->s->unit[unit].gone = (uint8_t)cause;
        return ERR_OK;
    }
    if ((r->gone & BIT64(unit)) != 0) {
        return why_member(r->why, "units", "A unit that is gone has no other members.");
    }
    const char *town_id = NULL;
    int64_t cv = 0;
    unsigned town = 0;
    err = json_read_str(object, "town", 64, &town_id, r->why);
    if (err == ERR_OK && town_id != NULL) {
        err = wl_pos_town(r, town_id, "town", &town);
        if (err == ERR_OK) { err = wl_pos_give_town(r, unit, town, "town"); }
    }
    if (err == ERR_OK) { err = json_read_int(object, "cv", 1, 4, &cv, r->why); }
    if (err == ERR_OK && cv != 0) { err = wl_pos_give_cv(r, unit, (unsigned)cv, "cv"); }
    return err != ERR_OK ? err : read_mark(r, object, unit);
}

static enum err read_units(struct wl_reader *r)
{
    const cJSON *units = NULL;
    enum err err = json_read_object(r->in, "units", &units, r->why);
    if (err != ERR_OK || units == NULL) { return err; }
    for (const cJSON *i = units->child; i != NULL; i = i->next) {
        unsigned unit = 0;
        err = wl_pos_unit(r, i->string, "units", &unit);
        if (err == ERR_OK) { err = read_unit(r, i, unit); }
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

/* Puts all units down that are named nowhere, and takes those away that are gone. */
static enum err fill_others(struct wl_reader *r)
{
    static const char *const names[] = {"AD", "FR", "PR", NULL};
    struct state *s = r->s;
    uint8_t town[WL_NATIONS];
    memcpy(town, wl_board(s)->others, sizeof town);
    const cJSON *others = NULL;
    enum err err = json_read_object(r->in, "others", &others, r->why);
    if (err == ERR_OK && others != NULL) { err = json_only(others, names, r->why); }
    for (unsigned n = 0; n < WL_NATIONS && err == ERR_OK && others != NULL; n++) {
        const char *id = NULL;
        unsigned index = town[n];
        err = json_read_str(others, wl_nation_ids[n], 64, &id, r->why);
        if (err == ERR_OK && id != NULL) { err = wl_pos_town(r, id, "others", &index); }
        town[n] = (uint8_t)index;
    }
    if (err != ERR_OK) { return err; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        struct wl_unit *unit = &s->unit[u];
        if ((r->gone & BIT64(u)) != 0) {
            unit->cv = 0;
            unit->town = WL_NONE;
        } else if ((r->has_town & BIT64(u)) == 0 && s->slot != 0) {
            unit->town = town[wl_nation(u)];
        }
    }
    return ERR_OK;
}

/* ---- the members of a turn ---- */

static enum err read_seats(struct wl_reader *r, const char *name, uint32_t allowed, uint8_t *out)
{
    uint64_t set = 0;
    enum err err = wl_pos_set(r, r->in, name, wl_pos_add_seat, &set);
    if (err != ERR_OK) { return err; }
    if (json_get(r->in, name) == NULL) { return ERR_OK; }
    if ((set & ~(uint64_t)allowed) != 0) {
        return why_member(r->why, name, "That seat has no part in this state.");
    }
    *out = (uint8_t)set;
    return ERR_OK;
}

/* Whose step it is: the seats that `ended` may name. */
static unsigned acting_side(const struct state *s)
{
    bool own = s->step == WL_MOVE || (s->step == WL_COMBAT && s->ct_side == WL_ATT);
    return own ? wl_phasing(s) : wl_other(wl_phasing(s));
}

static enum err read_setup(struct wl_reader *r)
{
    struct state *s = r->s;
    uint32_t allies = wl_seats_of_side(s, WL_SIDE_AL);
    s->confirmed = s->step == WL_SETUP_FRENCH ? (uint8_t)allies : 0;
    enum err err = read_seats(r, "confirmed", allies, &s->confirmed);
    if (err != ERR_OK) { return err; }
    if (s->step == WL_SETUP_FRENCH && s->confirmed != allies) {
        return why_member(r->why, "confirmed", "The Allies confirm before the French (W2.6).");
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        unsigned seat = wl_seat_of_nation(s, wl_nation(u));
        bool placed = s->unit[u].town != WL_NONE;
        bool early = s->step == WL_SETUP_ALLIED && wl_nation(u) == WL_FR;
        if (((unsigned)s->confirmed >> seat & 1U) != 0 && !placed) {
            return why_member(r->why, "confirmed", "A seat confirms when all is placed (W2.1).");
        }
        if (placed && early) {
            return why_member(r->why, "units", "The French place after the Allies (W2.1).");
        }
    }
    bool wrong = wl_forbid_draft(s) != NULL;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool placed = s->unit[u].town != WL_NONE;
        if (placed && wl_forbid_place(s, u, s->unit[u].town) != NULL) { wrong = true; }
    }
    if (wrong) {
        return why_member(r->why, "units", "A unit is placed against W2.2, W2.3 or W2.4.");
    }
    return ERR_OK;
}

static enum err read_path(struct wl_reader *r, const cJSON *item, unsigned from, const char *member,
                          uint8_t town[WL_PATH_MAX], unsigned *out_len)
{
    const cJSON *path = NULL;
    uint64_t visited = BIT64(from);
    unsigned len = 0;
    enum err err = json_read_array(item, "!path", WL_PATH_MAX, &path, r->why);
    if (err != ERR_OK) { return why_member(r->why, member, "A path is a list of a few towns."); }
    for (const cJSON *i = path->child; i != NULL; i = i->next) {
        unsigned next = 0;
        if (!cJSON_IsString(i)) { return why_member(r->why, member, "A path is a list of towns."); }
        err = wl_pos_town(r, i->valuestring, member, &next);
        if (err != ERR_OK) { return err; }
        if ((visited & BIT64(next)) != 0) {
            return why_member(r->why, member, "A path visits no town twice (W4.5).");
        }
        visited |= BIT64(next);
        town[len++] = (uint8_t)next;
    }
    *out_len = len;
    return len == 0 ? why_member(r->why, member, "A path has a town.") : ERR_OK;
}

enum err wl_pos_item(struct wl_reader *r, const cJSON *item, const char *member, unsigned *out_unit,
                     struct wl_route *out_route)
{
    static const char *const names[] = {"forced", "path", "unit", NULL};
    struct state *s = r->s;
    const char *id = "";
    unsigned unit = 0;
    unsigned len = 0;
    bool forced = false;
    uint8_t town[WL_PATH_MAX];
    enum err err = json_only(item, names, r->why);
    if (err == ERR_OK) { err = json_read_str(item, "!unit", 8, &id, r->why); }
    if (err == ERR_OK) { err = wl_pos_unit(r, id, member, &unit); }
    if (err == ERR_OK) { err = json_read_bool(item, "forced", &forced, r->why); }
    if (err != ERR_OK) { return err; }
    if (!wl_on_map(s, unit)) { return why_member(r->why, member, "That unit is not on the map."); }
    err = read_path(r, item, s->unit[unit].town, member, town, &len);
    if (err != ERR_OK) { return err; }
    unsigned normal = wl_march_length(unit);
    if (len > normal + 1 || forced != (len > normal)) {
        return why_member(r->why, member, "That path is too long, or forced says otherwise.");
    }
    if (!wl_make_route(s, s->unit[unit].town, town, len, forced, out_route)) {
        return why_member(r->why, member, "No road joins two towns of that path.");
    }
    *out_unit = unit;
    return ERR_OK;
}

static enum err read_marches(struct wl_reader *r)
{
    struct state *s = r->s;
    const cJSON *list = NULL;
    enum err err = json_read_array(r->in, "marches", WL_UNITS, &list, r->why);
    if (err == ERR_TOO_LARGE) { return ERR_INVALID_PARAMS; }
    if (err != ERR_OK || list == NULL) { return err; }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        unsigned unit = 0;
        struct wl_route route = {0};
        err = wl_pos_item(r, i, "marches", &unit, &route);
        if (err != ERR_OK) { return err; }
        if (wl_side(unit) != wl_phasing(s) || s->unit[unit].route.len != 0 ||
            wl_forbid_march(s, unit, &route) != NULL) {
            return why_member(r->why, "marches", "This march would be refused.");
        }
        wl_draft(s, unit, &route);
    }
    return ERR_OK;
}

static enum err read_used(struct wl_reader *r)
{
    static const char *const nations[] = {"AD", "FR", "PR", NULL};
    static const char *const sides[] = {"AL", "FR", NULL};
    struct state *s = r->s;
    const cJSON *groups = NULL;
    const cJSON *retreat = NULL;
    uint64_t marched = 0;
    enum err err = json_read_object(r->in, "groups_used", &groups, r->why);
    if (err == ERR_OK && groups != NULL) { err = json_only(groups, nations, r->why); }
    for (unsigned n = 0; n < WL_NATIONS && err == ERR_OK && groups != NULL; n++) {
        err = wl_pos_set(r, groups, wl_nation_ids[n], wl_pos_add_town, &s->groups_used[n]);
    }
    if (err == ERR_OK) { err = wl_pos_ledger(r, r->in, "ledger_move", s->ledger_move); }
    if (err == ERR_OK) { err = wl_pos_set(r, r->in, "marched", wl_pos_add_unit, &marched); }
    if (err == ERR_OK) { err = json_read_object(r->in, "ledger_retreat", &retreat, r->why); }
    if (err == ERR_OK && retreat != NULL) { err = json_only(retreat, sides, r->why); }
    for (unsigned i = 0; i < WL_SIDES && err == ERR_OK && retreat != NULL; i++) {
        err = wl_pos_ledger(r, retreat, wl_side_ids[i], s->ledger_retreat[i]);
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        s->unit[u].marched = (marched & BIT64(u)) != 0;
    }
    return err;
}

static enum err read_debt(struct wl_reader *r)
{
    static const char *const names[] = {"AD", "PR", NULL};
    const cJSON *debt = NULL;
    enum err err = json_read_object(r->in, "debt", &debt, r->why);
    if (err == ERR_OK && debt != NULL) { err = json_only(debt, names, r->why); }
    for (unsigned n = WL_AD; n < WL_NATIONS && err == ERR_OK && debt != NULL; n++) {
        int64_t owed = 0;
        int64_t most = wl_left(r->s, n) < 2 ? wl_left(r->s, n) : 2;
        err = json_read_int(debt, wl_nation_ids[n], 1, most, &owed, r->why);
        r->s->debt[n] = (uint8_t)owed;
    }
    return err;
}

static const char *result_why_id(unsigned why)
{
    static const char *const ids[WL_WHYS] = {"surrender", "time", "departed", "agreed"};
    return ids[why];
}

static const char *side_id(unsigned side)
{
    return wl_side_ids[side];
}

static enum err read_result(struct wl_reader *r)
{
    static const char *const names[] = {"why", "winner", NULL};
    const cJSON *result = NULL;
    unsigned winner = WL_NONE;
    unsigned why = WL_WHYS;
    enum err err = json_read_object(r->in, "!result", &result, r->why);
    if (err == ERR_OK) { err = json_only(result, names, r->why); }
    if (err == ERR_OK) { err = read_choice(r, result, "winner", side_id, WL_SIDES, &winner); }
    if (err == ERR_OK) { err = read_choice(r, result, "why", result_why_id, WL_WHYS, &why); }
    if (err != ERR_OK) { return err; }
    if (why == WL_WHYS || (winner == WL_NONE) != (why == WL_WHY_AGREED)) {
        return why_member(r->why, "result", "A result has a why, and unless agreed a winner.");
    }
    if (r->s->slot == 0 && why != WL_WHY_DEPARTED && why != WL_WHY_AGREED) {
        return why_member(r->why, "slot", "In the set-up the game can end only by leaving it.");
    }
    r->s->result_winner = (uint8_t)winner;
    r->s->result_why = (uint8_t)why;
    return ERR_OK;
}

static enum err read_surrendered(struct wl_reader *r)
{
    uint64_t set = 0;
    enum err err = wl_pos_set(r, r->in, "surrendered", add_allied_nation, &set);
    if (err != ERR_OK) { return err; }
    r->s->surrendered = (uint8_t)set;
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if ((set >> n & 1U) != 0 && wl_left(r->s, n) > 0) {
            return why_member(r->why, "surrendered", "A nation that surrendered has no units.");
        }
    }
    return ERR_OK;
}

/* ---- the whole ---- */

/* Both sides in a town: only where they fight, or where the game ended amid a fight (W18.9,
 * or by agreement). */
static enum err check_mixed(struct wl_reader *r)
{
    const struct state *s = r->s;
    uint64_t both = wl_towns_of_side(s, WL_SIDE_FR) & wl_towns_of_side(s, WL_SIDE_AL);
    if (s->step == WL_GAME_OVER && s->result_why >= WL_WHY_DEPARTED) { return ERR_OK; }
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        const struct wl_fight *fight = &s->fight[t];
        bool fights = fight->phase == WL_ATTACKED || fight->phase == WL_BATTLE ||
                      (fight->phase == WL_BATTLE_OVER && fight->rout_side != WL_NOBODY);
        if ((both >> t & 1U) != 0 && !fights) {
            return why_member(r->why, "units", "Both sides stand in a town without a fight.");
        }
    }
    return ERR_OK;
}

static void remember_seen(struct state *s)
{
    if (s->step != WL_RESPOND && s->step != WL_PURSUIT_LOSS) { return; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        s->seen_town[u] = s->unit[u].town;
        if (s->unit[u].marked_until >= s->slot) { s->seen_marked |= BIT64(u); }
    }
    wl_rebuild_told(s);
}

static bool is_at_rest(const struct state *s)
{
    struct state copy;
    struct dice dice;
    struct events events;
    memcpy(&copy, s, sizeof copy);
    dice_init_lists(&dice, NULL, 0, NULL, 0);
    events_init(&events);
    wl_settle(&copy, &dice, &events);
    bool quiet = events.count == 0 && !dice_was_drawn(&dice);
    events_finish(&events);
    return quiet && memcmp(&copy, s, sizeof copy) == 0;
}

/* Positions are at rest: somebody is to act, and the server has nothing to do by itself (W19.2). */
static enum err check_rest(struct wl_reader *r)
{
    const struct state *s = r->s;
    bool over = s->step == WL_GAME_OVER;
    if (!over && wl_to_act(s) == 0) { return why_member(r->why, "state", "Nobody is to act."); }
    const char *broken = wl_check(s);
    if (broken != NULL) { return why_member(r->why, "position", broken); }
    if (over) { return ERR_OK; }
    if (!is_at_rest(s)) {
        return why_member(r->why, "state", "The server would act by itself in this position.");
    }
    return ERR_OK;
}

static enum err read_step(struct wl_reader *r)
{
    struct state *s = r->s;
    unsigned in = STEP(s->step);
    enum err err = ERR_OK;
    if ((in & IN_SETUP) != 0) { return read_setup(r); }
    err = read_surrendered(r);
    if (err == ERR_OK && s->step == WL_MOVE) { err = read_marches(r); }
    if (err == ERR_OK) {
        err = read_seats(r, "ended", wl_seats_of_side(s, acting_side(s)), &s->ended);
    }
    if (err == ERR_OK && (in & IN_TURN) != 0) { err = read_used(r); }
    if (err == ERR_OK && (in & IN_ANSWER) != 0) { err = wl_pos_attacks(r); }
    if (err == ERR_OK && (in & (STEP(WL_MOVE) | IN_ANSWER)) != 0) { err = wl_pos_pursuit(r); }
    if (err == ERR_OK && s->step == WL_PURSUIT_LOSS) { err = wl_pos_pursuit_loss(r); }
    if (err == ERR_OK && (in & IN_BATTLE) != 0) { err = wl_pos_finish_battles(r); }
    if (err == ERR_OK && s->step == WL_COMBAT) { err = wl_pos_won_at(r); }
    if (err == ERR_OK && s->step == WL_SUPPLY) { err = read_debt(r); }
    if (err == ERR_OK && s->step == WL_GAME_OVER) { err = read_result(r); }
    return err;
}

enum err wl_position_read(const struct cJSON *options, const struct cJSON *in,
                          struct state *out_state, struct why *why)
{
    struct state s;
    memset(&s, 0, sizeof s);
    s.rules = 1;
    struct wl_reader r = {.s = &s, .in = in, .why = why};
    enum err err = wl_read_options(options, &s, why);
    if (err == ERR_OK) { err = read_head(&r); }
    if (err == ERR_OK) { err = read_gone(&r); }
    if (err == ERR_OK) { err = read_at(&r); }
    if (err == ERR_OK) { err = read_units(&r); }
    if (err == ERR_OK) { err = wl_pos_ct(&r); }
    if (err == ERR_OK) { err = wl_pos_battles(&r); }
    if (err == ERR_OK) { err = fill_others(&r); }
    if (err == ERR_OK) { err = read_step(&r); }
    if (err == ERR_OK) { err = check_mixed(&r); }
    if (err != ERR_OK) { return err; }
    remember_seen(&s);
    err = check_rest(&r);
    if (err == ERR_OK) { memcpy(out_state, &s, sizeof s); }
    return err;
}
