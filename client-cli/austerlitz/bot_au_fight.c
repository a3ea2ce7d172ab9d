/* client-cli/austerlitz/bot_au_fight.c: what a combat of Austerlitz is likely to bring, and which
 * combats together are best (6 to 8). */
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"

/* ---- what losses are worth ---- */

float bau_toll(const struct bau *b, unsigned side, int potential)
{
    enum { POINT_WORTH = 6, BREAK_WORTH = 5 };
    const uint8_t(*points)[2] =
        side == BAU_ALLIED ? bau_tables.points_french : bau_tables.points_allied;
    int before = b->lost[side], after = before + potential;
    float worth = (float)potential;
    for (unsigned i = 0; i < 3 && points[i][0] != 0; i++) {
        if (before < points[i][0] && after >= points[i][0]) { worth += POINT_WORTH; }
    }
    int line = bau_tables.threshold[side] - b->gone[side];
    bool breaks = b->demoralised == BAU_NOBODY && before < line && after >= line;
    return breaks ? worth + BREAK_WORTH : worth;
}

unsigned bau_turns_to_vienna(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    unsigned points = bau_tables.movement[u->type];
    unsigned need = b->to_vienna[u->type][u->hex];
    unsigned turns = (need + bau_tables.exit_cost + points - 1) / points;
    unsigned left = b->turns - b->turn + (b->attacker == BAU_ALLIED ? 1 : 0);
    return need >= 250 || turns > left ? 99 : turns;
}

float bau_prize(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    float worth = u->potential;
    if (u->side == BAU_ALLIED) {
        unsigned turns = bau_turns_to_vienna(b, unit);
        if (turns <= 5) { worth += 20.0F / (float)(1 + turns); }
    }
    return worth;
}

static float sum_of_prizes(const struct bau *b, uint64_t set)
{
    float sum = 0;
    int potential = 0;
    unsigned side = set == 0 ? 0 : b->unit[bau_first(set)].side;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        sum += bau_prize(b, u) - b->unit[u].potential;
        potential += b->unit[u].potential;
    }
    return set == 0 ? 0 : sum + bau_toll(b, side, potential);
}

/* ---- one combat ---- */

static unsigned odds_row(unsigned attack, unsigned defence)
{
    enum { EVEN = 4, WORST = 5, BEST = 6 };
    if (attack >= defence) {
        unsigned n = defence == 0 ? BEST : attack / defence;
        return EVEN - 1 + (n > BEST ? BEST : n);
    }
    unsigned n = attack == 0 ? WORST : (defence + attack - 1) / attack;
    return EVEN + 1 - (n > WORST ? WORST : n);
}

static unsigned shift_row(const struct bau *b, unsigned attacker, unsigned row)
{
    if (b->demoralised == attacker) { return row == 0 ? 0 : row - 1; }
    if (b->demoralised == bau_other(attacker)) { return row + 1 < BAU_ROWS ? row + 1 : row; }
    return row;
}

/* 11.4. */
static unsigned potential_in(const struct bau *b, const struct bau_unit *u, unsigned round_up)
{
    bool half = u->type == BAU_ARTILLERY && b->blind;
    return half ? (u->potential + round_up) / 2 : u->potential;
}

static unsigned defence_of(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    bool fort = (bau_hexes[u->hex].flags & BAU_FORTIFIED) != 0;
    return potential_in(b, u, 1) * (fort ? bau_tables.fortified[u->type] : 1);
}

/* 6.7. */
static int die_of(const struct bau *b, uint64_t contact, bool guns, unsigned defender)
{
    unsigned at = b->unit[defender].hex;
    const struct bau_hex *hex = &bau_hexes[at];
    bool fort = hex->terrain == BAU_VILLAGE && (hex->flags & BAU_FORTIFIED) != 0;
    bool below = (hex->flags & BAU_HEIGHT) != 0, first = true;
    int die = fort ? 0 : bau_tables.hex_die[hex->terrain], mildest = 0;
    for (uint64_t rest = contact; rest != 0; rest &= rest - 1) {
        unsigned from = b->unit[bau_first(rest)].hex;
        unsigned side = hex_side_to(&bau_grid, from, at);
        unsigned kind = side == HEX_SIDES ? BAU_OPEN : bau_hexes[from].side[side];
        int across = guns && kind != BAU_ESCARPMENT ? 0 : bau_tables.side_die[kind];
        if (first || across > mildest) { mildest = across; }
        first = false;
        below = below && (bau_hexes[from].flags & BAU_HEIGHT) == 0;
    }
    if (contact == 0) { return die; }
    return die + mildest + (below ? bau_tables.height_die : 0);
}

static int modifier_of(const struct bau *b, const struct bau_entry *entry, uint64_t defenders)
{
    bool guns = false, first = true;
    int lowest = 0;
    for (uint64_t rest = entry->contact | entry->bombard; rest != 0; rest &= rest - 1) {
        guns = guns || b->unit[bau_first(rest)].type == BAU_ARTILLERY;
    }
    for (uint64_t rest = defenders; rest != 0; rest &= rest - 1) {
        int die = die_of(b, entry->contact, guns, bau_first(rest));
        if (first || die < lowest) { lowest = die; }
        first = false;
    }
    return lowest;
}

static uint64_t helpless_of(const struct bau *b, uint64_t set)
{
    uint64_t found = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        const struct bau_unit *u = &b->unit[bau_first(rest)];
        if (bau_is_helpless(u->type, u->hex)) { found |= rest & -rest; }
    }
    return found;
}

void bau_find_odds(const struct bau *b, const struct bau_entry *entry, struct bau_odds *out)
{
    unsigned attack = 0, defence = 0;
    uint64_t attackers = entry->contact | entry->bombard;
    uint64_t defenders = entry->defenders & ~helpless_of(b, entry->defenders);
    memset(out, 0, sizeof *out);
    for (uint64_t rest = attackers; rest != 0; rest &= rest - 1) {
        attack += potential_in(b, &b->unit[bau_first(rest)], 0);
    }
    for (uint64_t rest = defenders; rest != 0; rest &= rest - 1) {
        defence += defence_of(b, bau_first(rest));
    }
    unsigned side = attackers == 0 ? b->attacker : b->unit[bau_first(attackers)].side;
    out->row = shift_row(b, side, odds_row(attack, defence));
    int modifier = modifier_of(b, entry, defenders);
    for (int die = 1; die <= 6; die++) {
        int final = die + modifier < 1 ? 1 : die + modifier > 6 ? 6 : die + modifier;
        out->count[bau_tables.crt[out->row][final - 1]]++;
    }
}

/* 7.6: the least that an exchange against so much would cost of these. */
static float exchange_cost(const struct bau *b, uint64_t contact, int due)
{
    enum { UNITS = 6 };
    int potential[UNITS], n = 0, all = 0, best = 0;
    for (uint64_t rest = contact; rest != 0 && n < UNITS; rest &= rest - 1, n++) {
        potential[n] = b->unit[bau_first(rest)].potential;
        all += potential[n];
    }
    best = all;
    for (unsigned set = 1; all > due && set < 1U << n; set++) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += (set >> i & 1U) != 0 ? potential[i] : 0;
        }
        if (sum >= due && sum < best) { best = sum; }
    }
    return n == 0 ? 0 : bau_toll(b, b->unit[bau_first(contact)].side, best);
}

/* What the others gain when these must go: those without a way are lost (7.4). */
static float retreat_worth(const struct bau *b, uint64_t set)
{
    uint64_t lost = 0;
    float worth = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        const struct bau_unit *unit = &b->unit[u];
        if (!bau_has_way(b, u)) {
            lost |= bau_bit(u);
            continue;
        }
        bool good = (bau_hexes[unit->hex].flags & (BAU_FORTIFIED | BAU_HEIGHT)) != 0;
        worth += 0.5F + 0.08F * unit->potential + (good ? 0.6F : 0) +
                 0.3F * (bau_prize(b, u) - unit->potential);
    }
    return worth + sum_of_prizes(b, lost);
}

static bool drowns(const struct bau *b, const struct bau_entry *entry)
{
    if (entry->bombard == 0 || bau_count(entry->defenders) != 1) { return false; }
    return bau_is_ice(b, b->unit[bau_first(entry->defenders)].hex);
}

float bau_worth(const struct bau *b, const struct bau_entry *entry)
{
    struct bau_odds odds;
    if (drowns(b, entry)) { return sum_of_prizes(b, entry->defenders); } /* 10.2 */
    uint64_t helpless = helpless_of(b, entry->defenders);
    uint64_t defenders = entry->defenders & ~helpless;
    float sure = helpless == 0 ? 0 : sum_of_prizes(b, helpless);
    if (defenders == 0) { return sure; }
    bau_find_odds(b, entry, &odds);
    int due = 0;
    for (uint64_t rest = defenders; rest != 0; rest &= rest - 1) {
        due += b->unit[bau_first(rest)].potential;
    }
    float kill = sum_of_prizes(b, defenders), worth = 0;
    if (odds.count[BAU_DE] != 0) { worth += odds.count[BAU_DE] * kill; }
    if (odds.count[BAU_DR] != 0) { worth += odds.count[BAU_DR] * retreat_worth(b, defenders); }
    if (odds.count[BAU_EX] != 0) {
        worth += odds.count[BAU_EX] * (kill - exchange_cost(b, entry->contact, due));
    }
    if (odds.count[BAU_AR] != 0 && entry->contact != 0) {
        worth -= odds.count[BAU_AR] * retreat_worth(b, entry->contact);
    }
    if (odds.count[BAU_AE] != 0 && entry->contact != 0) {
        worth -= odds.count[BAU_AE] * sum_of_prizes(b, entry->contact);
    }
    return sure + worth / 6.0F;
}

/* ---- all combats of a phase ---- */

enum { OWED = 1000, NEVER = 100000, PASSES = 4 };

/* Attackers and targets by number; a group is the combat that is named after a target. */
struct solver {
    const struct bau *b;
    unsigned attackers, targets;
    uint8_t attacker[BAU_UNITS], target[BAU_UNITS];
    uint32_t beside[BAU_UNITS], shot[BAU_UNITS]; /* of attacker: targets in contact, in range */
    uint32_t pairs[BAU_UNITS];                   /* ... in mutual control */
    uint32_t own_owed, their_owed;
    int8_t place[BAU_UNITS];               /* of attacker: its group, -1 */
    int8_t group[BAU_UNITS];               /* of target */
    uint32_t in[BAU_UNITS], of[BAU_UNITS]; /* of group: attackers, targets */
    float worth[BAU_UNITS];
};

static uint64_t units_of(const uint8_t *list, uint32_t set)
{
    uint64_t units = 0;
    for (; set != 0; set &= set - 1) {
        units |= bau_bit(list[__builtin_ctz(set)]);
    }
    return units;
}

static struct bau_entry entry_of(const struct solver *s, uint32_t in, uint32_t of)
{
    struct bau_entry entry = {.ice = HEX_NONE, .defenders = units_of(s->target, of)};
    for (uint32_t rest = in; rest != 0; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        bool contact = (s->beside[i] & of) == of;
        if (contact) {
            entry.contact |= bau_bit(s->attacker[i]);
        } else {
            entry.bombard |= bau_bit(s->attacker[i]);
        }
    }
    return entry;
}

/* A battery alone beside an enemy on the ice fires at the ice. */
static bool breaks_ice(const struct solver *s, uint32_t in, uint32_t of)
{
    if (__builtin_popcount(in) != 1 || __builtin_popcount(of) != 1) { return false; }
    const struct bau_unit *gun = &s->b->unit[s->attacker[__builtin_ctz(in)]];
    unsigned hex = s->b->unit[s->target[__builtin_ctz(of)]].hex;
    return gun->type == BAU_ARTILLERY && bau_is_ice(s->b, hex) &&
           bau_can_shoot(s->b, gun->hex, hex, 1);
}

static float worth_of(const struct solver *s, uint32_t in, uint32_t of)
{
    if (in == 0) { return -(float)OWED * (float)__builtin_popcount(of & s->their_owed); }
    if (of == 0) { return -NEVER; }
    for (uint32_t rest = in; rest != 0; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        bool contact = (s->beside[i] & of) == of;
        bool shot = __builtin_popcount(of) == 1 && (s->shot[i] & of) != 0 && s->pairs[i] == 0;
        if (!contact && !shot) { return -NEVER; }
    }
    struct bau_entry entry = entry_of(s, in, of);
    if (breaks_ice(s, in, of)) {
        entry.bombard = entry.contact;
        entry.contact = 0;
    }
    return bau_worth(s->b, &entry);
}

static void list_targets(struct solver *s, unsigned attacker)
{
    const struct bau *b = s->b;
    for (uint64_t rest = b->army[bau_other(attacker)]; rest != 0 && s->targets < 32;
         rest &= rest - 1) {
        unsigned t = bau_first(rest);
        uint32_t bit = UINT32_C(1) << s->targets;
        bool met = false;
        for (unsigned i = 0; i < s->attackers; i++) {
            unsigned a = s->attacker[i];
            unsigned distance = hex_distance(&bau_grid, b->unit[a].hex, b->unit[t].hex);
            if (distance == 1) {
                s->beside[i] |= bit;
                met = true;
            } else if (b->unit[a].type == BAU_ARTILLERY && distance <= bau_tables.range_height &&
                       bau_can_shoot(b, b->unit[a].hex, b->unit[t].hex, bau_tables.range_min)) {
                s->shot[i] |= bit;
                met = true;
            }
        }
        if (met) { s->target[s->targets++] = (uint8_t)t; }
    }
}

static void prepare(struct solver *s, const struct bau *b, unsigned attacker)
{
    memset(s, 0, sizeof *s);
    s->b = b;
    for (uint64_t rest = b->army[attacker]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest);
        const struct bau_unit *unit = &b->unit[u];
        if (bau_is_helpless(unit->type, unit->hex) || unit->marked) { continue; }
        bool near = unit->type == BAU_ARTILLERY && !b->blind;
        for (unsigned d = 0; d < HEX_SIDES && !near; d++) {
            unsigned to = bau_next(unit->hex, d);
            near = to != HEX_NONE && b->at[to] != BAU_NONE && b->unit[b->at[to]].side != attacker;
        }
        if (near && s->attackers < 32) { s->attacker[s->attackers++] = (uint8_t)u; }
    }
    list_targets(s, attacker);
    for (unsigned i = 0; i < s->attackers; i++) {
        uint64_t pairs = s->beside[i] == 0 ? 0 : bau_pairs(b, s->attacker[i]);
        for (unsigned j = 0; j < s->targets; j++) {
            if ((pairs >> s->target[j] & 1U) != 0) { s->pairs[i] |= UINT32_C(1) << j; }
        }
        if (s->pairs[i] != 0) { s->own_owed |= UINT32_C(1) << i; }
        s->their_owed |= s->pairs[i];
        s->place[i] = -1;
    }
    for (unsigned j = 0; j < s->targets; j++) {
        s->group[j] = (int8_t)j;
        s->of[j] = UINT32_C(1) << j;
        s->worth[j] = worth_of(s, 0, s->of[j]);
    }
}

/* What is owed by an attacker without a group. */
static float idle_cost(const struct solver *s, unsigned i)
{
    return (s->own_owed >> i & 1U) != 0 ? OWED : 0;
}

static void set_place(struct solver *s, unsigned i, int group)
{
    uint32_t bit = UINT32_C(1) << i;
    int before = s->place[i];
    if (before >= 0) {
        s->in[before] &= ~bit;
        s->worth[before] = worth_of(s, s->in[before], s->of[before]);
    }
    s->place[i] = (int8_t)group;
    if (group >= 0) {
        s->in[group] |= bit;
        s->worth[group] = worth_of(s, s->in[group], s->of[group]);
    }
}

/* The best group for an attacker, the others as they are. */
static bool improve_attacker(struct solver *s, unsigned i)
{
    uint32_t bit = UINT32_C(1) << i;
    int before = s->place[i], best = before;
    float without = 0, gain = 0.001F;
    if (before >= 0) {
        without = worth_of(s, s->in[before] & ~bit, s->of[before]) - s->worth[before];
    }
    float base = before >= 0 ? without - idle_cost(s, i) : 0;
    if (before >= 0 && base > gain) {
        best = -1;
        gain = base;
    }
    for (uint32_t rest = s->beside[i] | s->shot[i]; rest != 0; rest &= rest - 1) {
        int g = s->group[__builtin_ctz(rest)];
        if (g == before) { continue; }
        float with = worth_of(s, s->in[g] | bit, s->of[g]) - s->worth[g];
        float change = with + (before >= 0 ? without : idle_cost(s, i));
        if (change > gain) {
            best = g;
            gain = change;
        }
    }
    if (best == before) { return false; }
    set_place(s, i, best);
    return true;
}

static void set_group(struct solver *s, unsigned j, unsigned group)
{
    uint32_t bit = UINT32_C(1) << j;
    unsigned before = (unsigned)s->group[j];
    s->of[before] &= ~bit;
    s->of[group] |= bit;
    s->group[j] = (int8_t)group;
    s->worth[before] = s->of[before] == 0 ? 0 : worth_of(s, s->in[before], s->of[before]);
    s->worth[group] = worth_of(s, s->in[group], s->of[group]);
}

/* A target fought together with another one, or alone again. */
static bool improve_target(struct solver *s, unsigned j)
{
    uint32_t bit = UINT32_C(1) << j;
    unsigned before = (unsigned)s->group[j], best = before;
    float gain = 0.001F;
    bool last = s->of[before] == bit;
    if (last && s->in[before] != 0) { return false; } /* its attackers would be left over */
    float without = last ? -s->worth[before]
                         : worth_of(s, s->in[before], s->of[before] & ~bit) - s->worth[before];
    for (unsigned g = 0; g < s->targets; g++) {
        bool home = g == j && s->of[g] == 0;
        if (g == before || (!home && (s->of[g] == 0 || s->in[g] == 0))) { continue; }
        float after = home ? worth_of(s, 0, bit) : worth_of(s, s->in[g], s->of[g] | bit);
        float change = without + after - s->worth[g];
        if (change > gain) {
            best = g;
            gain = change;
        }
    }
    if (best == before) { return false; }
    set_group(s, j, best);
    return true;
}

/* Everybody who is free comes together: two may do what neither would begin alone. */
static bool gather(struct solver *s, unsigned g)
{
    uint32_t in = s->in[g];
    if (s->of[g] == 0) { return false; }
    for (unsigned i = 0; i < s->attackers; i++) {
        bool can =
            (s->beside[i] & s->of[g]) == s->of[g] ||
            (__builtin_popcount(s->of[g]) == 1 && (s->shot[i] & s->of[g]) != 0 && s->pairs[i] == 0);
        if (can && s->place[i] < 0) { in |= UINT32_C(1) << i; }
    }
    if (in == s->in[g] || worth_of(s, in, s->of[g]) <= s->worth[g] + 0.001F) { return false; }
    for (uint32_t rest = in & ~s->in[g]; rest != 0; rest &= rest - 1) {
        s->place[__builtin_ctz(rest)] = (int8_t)g;
    }
    s->in[g] = in;
    s->worth[g] = worth_of(s, in, s->of[g]);
    return true;
}

void bau_find_plan(const struct bau *b, unsigned attacker, struct bau_plan *out)
{
    struct solver s;
    out->count = out->owed = 0;
    out->worth = 0;
    prepare(&s, b, attacker);
    bool better = s.targets > 0;
    for (unsigned pass = 0; pass < PASSES && better; pass++) {
        better = false;
        for (unsigned i = 0; i < s.attackers; i++) {
            better = improve_attacker(&s, i) || better;
        }
        for (unsigned j = 0; j < s.targets; j++) {
            better = improve_target(&s, j) || better;
        }
        for (unsigned g = 0; g < s.targets; g++) {
            better = gather(&s, g) || better;
        }
    }
    for (unsigned i = 0; i < s.attackers; i++) {
        out->owed += s.place[i] < 0 && idle_cost(&s, i) > 0 ? 1 : 0;
    }
    for (unsigned g = 0; g < s.targets; g++) {
        if (s.in[g] == 0) {
            out->owed += (unsigned)__builtin_popcount(s.of[g] & s.their_owed);
            continue;
        }
        struct bau_entry entry = entry_of(&s, s.in[g], s.of[g]);
        if (breaks_ice(&s, s.in[g], s.of[g])) {
            entry.ice = b->unit[bau_first(entry.defenders)].hex;
            entry.bombard = entry.contact;
            entry.contact = entry.defenders = 0;
        }
        out->entry[out->count++] = entry;
        out->worth += s.worth[g];
    }
}
