/* client-cli/austerlitz/bot_au_place.c: what a place on the map of Austerlitz is worth to a unit:
 * the plan of its side, and what the enemy could do to it there. */
#include <stdio.h>
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"

/* The plan of the morning holds until LATE; Soult's and Bernadotte's corps turn right sooner. */
enum { FAR = 250, LATE = 7, TURN_RIGHT = 2 };
/* Turns from Vienna: who makes for it, and whom the French reckon with. */
enum { NEAR_VIENNA = 6, SOON = 5 };

/* ---- what is the same for a whole phase ---- */

/* Where each enemy could be in its next turn if nobody of ours stood in the way. */
static void find_threat(const struct bau *b, struct bau_scene *out)
{
    struct bau ghost = *b;
    struct bau_reach reach;
    memset(ghost.held[b->me], 0, sizeof ghost.held[b->me]);
    for (uint64_t rest = b->army[b->me]; rest != 0; rest &= rest - 1) {
        ghost.at[b->unit[bau_first(rest)].hex] = BAU_NONE;
    }
    for (uint64_t rest = b->army[bau_other(b->me)]; rest != 0; rest &= rest - 1) {
        unsigned e = bau_first(rest);
        bau_find_reach(&ghost, e, &reach);
        for (unsigned i = 0; i < reach.count; i++) {
            out->threat[reach.order[i]] |= bau_bit(e);
        }
    }
}

/* Potential of a side within so many hexes. */
static unsigned strength_near(const struct bau *b, unsigned side, unsigned hex, unsigned distance)
{
    unsigned sum = 0;
    for (uint64_t rest = b->army[side]; rest != 0; rest &= rest - 1) {
        const struct bau_unit *u = &b->unit[bau_first(rest)];
        if (hex_distance(&bau_grid, u->hex, hex) <= distance) { sum += u->potential; }
    }
    return sum;
}

/* Units are drawn to enemies that we can match where they stand, who hunts to those first who are
 * on their way to Vienna. */
static void find_front(const struct bau *b, struct bau_scene *out)
{
    enum { NEAR = 2, AROUND = 6, STRONG = 8, LATER = 3 };
    struct bau_goal goals[BAU_UNITS], prey[BAU_UNITS];
    unsigned count = 0;
    for (uint64_t rest = b->army[bau_other(b->me)]; rest != 0; rest &= rest - 1) {
        unsigned e = bau_first(rest), hex = b->unit[e].hex;
        unsigned theirs = strength_near(b, bau_other(b->me), hex, NEAR);
        unsigned ours = strength_near(b, b->me, hex, AROUND);
        unsigned cost = 10 * ours < 9 * theirs ? STRONG : 0, turns = bau_turns_to_vienna(b, e);
        goals[count] = (struct bau_goal){(uint16_t)hex, (uint8_t)cost};
        cost += turns > 5 ? 4 * LATER : turns > 1 ? (turns - 1) * LATER : 0;
        prey[count++] = (struct bau_goal){(uint16_t)hex, (uint8_t)cost};
    }
    for (unsigned type = 0; type < BAU_TYPES; type++) {
        bau_find_distance(b, type, goals, count, out->front[type]);
        if (b->me == BAU_FRENCH) {
            bau_find_distance(b, type, prey, count, out->hunt[type]);
        } else {
            memcpy(out->hunt[type], out->front[type], BAU_HEXES);
        }
    }
}

static void find_ways_to(const struct bau *b, const char *const *hexes,
                         uint8_t out[BAU_TYPES][BAU_HEXES])
{
    struct bau_goal goals[BAU_UNITS];
    unsigned count = 0;
    for (; hexes[count] != NULL; count++) {
        goals[count] = (struct bau_goal){(uint16_t)hex_parse(&bau_grid, hexes[count]), 0};
    }
    for (unsigned type = 0; type < BAU_TYPES; type++) {
        bau_find_distance(b, type, goals, count, out[type]);
    }
}

/* The plans of the day: Soult's and Bernadotte's corps break the Pratzen, Lannes keeps the Santon
 * against Bagration, Legrand his villages; the Guard, the grenadiers and the cavalry go where they
 * are wanted. Of the Allies the third and fourth columns and the Guard hold the heights. */
static void find_parts(const struct bau *b, struct bau_scene *out)
{
    static const char *const heights[] = {"2319", "2419", "2518", "2517",
                                          "2616", "2716", "2815", NULL};
    static const char *const santon[] = {"2507", "2408", "2308", NULL};
    static const char *const right_of[] = {"3008", "3109", "3010", NULL}; /* Krug and Holubitz */
    static const char *const centre[BAU_SIDES] = {"101 201 A01 104 204 A04 ",
                                                  "P1 P2 PA M1 W1 W2 WA VA G1 G2 GC GA "};
    static const char *const wing[BAU_SIDES] = {"305 103 C05 A05 ", "B1 B2 BC BD BA "};
    find_ways_to(b, heights, out->pratzen);
    find_ways_to(b, b->me == BAU_FRENCH ? santon : right_of, out->santon);
    for (uint64_t rest = b->army[b->me]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        char id[8];
        if (b->unit[u].fact == BAU_NONE) { continue; }
        snprintf(id, sizeof id, "%s ", bau_unit_facts[b->unit[u].fact].id);
        if (strstr(centre[b->me], id) != NULL) { out->centre |= bau_bit(u); }
        if (strstr(wing[b->me], id) != NULL) { out->wing |= bau_bit(u); }
    }
}

/* How near the Allies are to Vienna, and how many of them: a guard that is not on its way by then
 * comes too late. */
static unsigned find_alarm(const struct bau *b, struct bau_scene *out)
{
    static const float alarm[] = {1.0F, 1.0F, 0.8F, 0.6F, 0.4F, 0.25F};
    unsigned near = 0, least = 99;
    for (uint64_t rest = b->army[BAU_ALLIED]; rest != 0; rest &= rest - 1) {
        unsigned turns = bau_turns_to_vienna(b, bau_first(rest));
        near += turns <= SOON ? 1 : 0;
        if (turns < least) { least = turns; }
    }
    out->alarm = least < sizeof alarm / sizeof alarm[0] ? alarm[least] : least == 99 ? 0 : 0.25F;
    return near;
}

/* Tenths of a turn that the unit is from the exits; strong ones are worth waiting for. */
static unsigned lateness(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    unsigned points = bau_tables.movement[u->type];
    return 10U * b->to_vienna[u->type][u->hex] / points + 2U * (10U - u->potential);
}

/* The French nearest to the exits of the Vienna road keep it: three shut it, more stop a column. */
static void find_guards(const struct bau *b, struct bau_scene *out)
{
    enum { SHUT = 3, GUARDS_MAX = 14, TOO_LATE = 60 };
    unsigned near = find_alarm(b, out);
    if (b->me != BAU_FRENCH || out->alarm <= 0) { return; }
    unsigned want = SHUT + near / 2;
    if (want > GUARDS_MAX) { want = GUARDS_MAX; }
    for (unsigned n = 0; n < want; n++) {
        unsigned best = BAU_NONE, least = 0;
        for (uint64_t rest = b->army[BAU_FRENCH] & ~out->guards; rest != 0; rest &= rest - 1) {
            unsigned u = bau_first(rest), late = lateness(b, u);
            bool walls = (bau_hexes[b->unit[u].hex].flags & BAU_FORTIFIED) != 0;
            if (walls || b->unit[u].type == BAU_ARTILLERY || (best != BAU_NONE && late >= least)) {
                continue;
            }
            best = u;
            least = late;
        }
        if (best == BAU_NONE || least > TOO_LATE) { return; }
        out->guards |= bau_bit(best);
        if (n < SHUT) { out->shutters |= bau_bit(best); }
    }
}

/* The left wing of the Allies marches for the Vienna road: the advance guard, the first two columns
 * and the cavalry of the fifth; the others too who are within half a day of it. Each that gets
 * through is a point (13.4), as much as a third of an army; a few are shut out, a crowd is not,
 * while all who stand farther off hold the heights. */
static void find_column(const struct bau *b, struct bau_scene *out)
{
    if (b->me != BAU_ALLIED) { return; }
    for (uint64_t rest = b->army[BAU_ALLIED]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        unsigned fact = b->unit[u].fact, turns = bau_turns_to_vienna(b, u);
        char corps = fact == BAU_NONE ? '?' : bau_unit_facts[fact].id[0];
        bool left_wing = corps == 'K' || corps == 'D' || corps == 'L' || corps == 'H' ||
                         corps == 'U' || corps == 'E';
        bool there = turns <= NEAR_VIENNA;
        if (turns != 99 && (left_wing || there)) { out->column |= bau_bit(u); }
    }
}

void bau_find_scene(const struct bau *b, struct bau_scene *out)
{
    memset(out, 0, sizeof *out);
    find_threat(b, out);
    find_front(b, out);
    find_guards(b, out);
    find_column(b, out);
    find_parts(b, out);
}

/* ---- danger ---- */

/* Whether an enemy could get into that hex beside us: one that is not ours to control, or that can
 * be entered from such a one (5.4). */
static bool is_open(const struct bau *b, unsigned hex)
{
    if (b->at[hex] != BAU_NONE) { return b->unit[b->at[hex]].side != b->me; }
    if (bau_is_broken(b, hex)) { return false; }
    if (b->held[b->me][hex] == 0) { return true; }
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned from = bau_next(hex, d);
        if (from == HEX_NONE || b->held[b->me][from] != 0) { continue; }
        if (b->at[from] == BAU_NONE || b->unit[b->at[from]].side != b->me) { return true; }
    }
    return false;
}

/* The strongest of a set, so many of them. */
static unsigned sum_of_best(const struct bau *b, uint64_t set, unsigned count)
{
    enum { KINDS = 32 };
    uint8_t of[KINDS] = {0};
    unsigned sum = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        of[b->unit[bau_first(rest)].potential % KINDS]++;
    }
    for (unsigned p = KINDS - 1; p > 0 && count > 0; p--) {
        unsigned n = of[p] < count ? of[p] : count;
        sum += n * p;
        count -= n;
    }
    return sum;
}

float bau_danger(const struct bau *b, const struct bau_scene *scene, unsigned unit)
{
    /* Chances of six at each row: eliminated or exchanged, and driven off. */
    static const float lost[BAU_ROWS] = {0, 0, 0, 0, 0.6F, 0.6F, 1.6F, 2.6F, 3.0F, 4.0F};
    static const float driven[BAU_ROWS] = {0, 0, 1, 2, 2, 3, 3, 3, 3, 2};
    const struct bau_unit *u = &b->unit[unit];
    unsigned slots = 0, open = 0, defence = u->potential;
    uint64_t enemies = 0;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned hex = bau_next(u->hex, d);
        if (hex == HEX_NONE) { continue; }
        uint64_t there = scene->threat[hex];
        if (b->at[hex] != BAU_NONE && b->unit[b->at[hex]].side != b->me) {
            there = bau_bit(b->at[hex]);
        } else if (there == 0 || !is_open(b, hex)) {
            continue;
        }
        enemies |= there;
        open |= 1U << d;
        slots++;
    }
    if (enemies == 0) { return 0; }
    if (bau_is_helpless(u->type, u->hex)) { return 0.8F * u->potential; }
    const struct bau_hex *hex = &bau_hexes[u->hex];
    if ((hex->flags & BAU_FORTIFIED) != 0) { defence *= bau_tables.fortified[u->type]; }
    unsigned attack = sum_of_best(b, enemies, slots < 4 ? slots : 4);
    if ((hex->flags & BAU_HEIGHT) != 0 || hex->terrain == BAU_FOREST) { attack = attack * 4 / 5; }
    unsigned row = attack >= defence ? 3 + (attack / defence > 6 ? 6 : attack / defence)
                                     : (defence > 2 * attack ? 1 : 3);
    bool ringed = ((open & open >> 3) & 7U) != 0; /* from two opposite sides there is no way */
    float chance = (lost[row] + driven[row] * (ringed ? 0.7F : 0.12F)) / 6.0F;
    float ice = bau_is_ice(b, u->hex) ? 1.0F : 0;
    return ice + 0.45F * chance * bau_prize(b, unit);
}

/* ---- place ---- */

static float ground_of(const struct bau *b, const struct bau_unit *u, unsigned hex)
{
    const struct bau_hex *h = &bau_hexes[hex];
    float worth = 0;
    if (bau_is_helpless(u->type, hex)) { worth -= 1.5F; }
    if ((h->flags & BAU_HEIGHT) != 0) { worth += u->type == BAU_ARTILLERY ? 0.9F : 0.5F; }
    if ((h->flags & BAU_FORTIFIED) != 0 && u->type == BAU_INFANTRY) {
        worth += b->me == BAU_FRENCH ? 2.5F : 1.0F;
    }
    if (bau_is_ice(b, hex)) { worth -= 0.8F; }
    return worth;
}

/* 2: an exit that Allied units can pass at once, 1: one where they must stop first (5.3), 0: shut.
 */
static unsigned openness(const struct bau *b, unsigned exit)
{
    if (b->at[exit] != BAU_NONE && b->unit[b->at[exit]].side == BAU_FRENCH) { return 0; }
    if (b->held[BAU_FRENCH][exit] == 0) { return 2; }
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned from = bau_next(exit, d);
        if (from == HEX_NONE || b->held[BAU_FRENCH][from] != 0) { continue; }
        if (b->at[from] == BAU_NONE || b->unit[b->at[from]].side != BAU_FRENCH) { return 1; }
    }
    return 0;
}

float bau_leak(const struct bau *b)
{
    enum { EACH = 9 };
    unsigned leaks = 0, hex = 0;
    float open = 0;
    for (unsigned i = 0; i < bau_grid.rows; i++) { /* they lie in the first column */
        if ((bau_hexes[i].flags & BAU_VIENNA_EXIT) != 0) { open += (float)openness(b, i); }
    }
    for (uint64_t rest = b->army[BAU_ALLIED]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        if (bau_turns_to_vienna(b, u) <= 1 && bau_finds_exit(b, u, &hex)) { leaks++; }
    }
    return EACH * (float)leaks + open;
}

static float over(float distance, float enough)
{
    return distance > enough ? distance - enough : 0;
}

float bau_place(const struct bau *b, const struct bau_scene *scene, unsigned unit, unsigned hex)
{
    const struct bau_unit *u = &b->unit[unit];
    float worth = ground_of(b, u, hex);
    float front = scene->front[u->type][hex], vienna = b->to_vienna[u->type][hex];
    if ((scene->guards >> unit & 1U) != 0) {
        return worth - 0.7F * scene->alarm * vienna + (vienna == 0 ? 1.5F : 0);
    }
    if ((scene->column >> unit & 1U) != 0) {
        return worth - 0.5F * vienna - (vienna >= FAR ? 20.0F : 0);
    }
    float stand = u->type == BAU_ARTILLERY ? 3 : 2;
    float hunt = scene->hunt[u->type][hex], pratzen = scene->pratzen[u->type][hex];
    bool early = b->turn <= LATE;
    if ((scene->wing >> unit & 1U) != 0 && early) {
        return worth - 0.5F * over(scene->santon[u->type][hex], 1) - 0.05F * over(front, stand);
    }
    if ((scene->centre >> unit & 1U) != 0 && b->me == BAU_ALLIED && early) {
        return worth - 0.25F * over(pratzen, 1) - 0.04F * over(front, stand);
    }
    if ((scene->centre >> unit & 1U) != 0 && b->turn <= TURN_RIGHT) {
        return worth - 0.35F * over(front, stand) - 0.1F * over(pratzen, 2);
    }
    return worth - (b->me == BAU_FRENCH ? 0.30F : 0.12F) * over(hunt, stand);
}
