/* common/rules/austerlitz/combat.c: the arithmetic of a combat (6.4 to 6.9, 8.2, 10.2, 11.4). */
#include "common/rules/austerlitz/au.h"

unsigned au_odds_row(unsigned attack, unsigned defence)
{
    enum { EVEN = 4, WORST = 5, BEST = 6 }; /* 1:1, 1:5, 6:1 */
    if (attack >= defence) {
        unsigned n = defence == 0 ? BEST : attack / defence;
        return EVEN - 1 + (n > BEST ? BEST : n);
    }
    unsigned n = attack == 0 ? WORST : (defence + attack - 1) / attack;
    return EVEN + 1 - (n > WORST ? WORST : n);
}

unsigned au_shift_row(const struct state *s, unsigned attacker, unsigned row)
{
    if (s->demoralised == attacker) { return row == 0 ? 0 : row - 1; }
    if (s->demoralised == au_other(attacker)) { return row + 1 < AU_ROWS ? row + 1 : row; }
    return row;
}

/* 11.4: the attacker's artillery is rounded down, the defender's up. */
static unsigned potential(const struct state *s, unsigned unit, unsigned round_up)
{
    unsigned printed = s->unit[unit].potential;
    if (au_type(unit) != AU_ARTILLERY || !au_is_blind(s)) { return printed; }
    return (printed + round_up) / 2;
}

unsigned au_attack_total(const struct state *s, uint64_t contact, uint64_t bombard)
{
    unsigned total = 0;
    for (uint64_t rest = contact | bombard; rest != 0; rest &= rest - 1) {
        total += potential(s, au_first(rest), 0);
    }
    return total;
}

/* 6.4: a fortified hex doubles after fog and night have halved. */
unsigned au_defence_total(const struct state *s, uint64_t defenders)
{
    unsigned total = 0;
    for (uint64_t rest = defenders; rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        bool fort = (au_hexes[s->unit[u].hex].flags & AU_FORTIFIED) != 0;
        total += potential(s, u, 1) * (fort ? au_tables.fortified[au_type(u)] : 1);
    }
    return total;
}

/* 6.7: the mildest obstacle all contact attackers have before them; AU_OPEN: one has none. Of two
 * that count alike the first kind: who stands before which is nobody's business (15.8). */
static unsigned mildest_side(const struct state *s, uint64_t contact, unsigned defender)
{
    unsigned mildest = AU_OPEN;
    bool first = true;
    for (uint64_t rest = contact; rest != 0; rest &= rest - 1) {
        unsigned from = s->unit[au_first(rest)].hex;
        unsigned side = au_side_to(from, s->unit[defender].hex);
        unsigned kind = side == HEX_SIDES ? AU_OPEN : au_hexes[from].side[side];
        int more = au_tables.side_die[kind] - au_tables.side_die[mildest];
        if (first || more > 0 || (more == 0 && kind < mildest)) { mildest = kind; }
        first = false;
    }
    return mildest;
}

static struct au_die die_of(const struct state *s, uint64_t contact, bool guns, unsigned defender)
{
    const struct au_hex *hex = &au_hexes[s->unit[defender].hex];
    struct au_die die = {.hex = s->unit[defender].hex, .side = AU_OPEN};
    die.fortified = hex->terrain == AU_VILLAGE && (hex->flags & AU_FORTIFIED) != 0;
    die.ground = die.fortified ? 0 : au_tables.hex_die[hex->terrain];
    if (contact != 0) { /* 8.6 */
        bool below = (hex->flags & AU_HEIGHT) != 0;
        for (uint64_t rest = contact; rest != 0; rest &= rest - 1) {
            below = below && (au_hexes[s->unit[au_first(rest)].hex].flags & AU_HEIGHT) == 0;
        }
        die.height = below ? au_tables.height_die : 0;
        die.side = mildest_side(s, contact, defender);
        die.cancelled = guns && (die.side == AU_STREAM || die.side == AU_BANK); /* 8.7 */
        die.across = die.cancelled ? 0 : au_tables.side_die[die.side];
    }
    die.sum = die.ground + die.height + die.across;
    return die;
}

/* R17: of several defenders the lowest; of those the first by hex. */
struct au_die au_die_of(const struct state *s, uint64_t contact, uint64_t bombard,
                        uint64_t defenders)
{
    struct au_die lowest = {.hex = HEX_NONE};
    bool guns = false;
    for (uint64_t rest = contact | bombard; rest != 0; rest &= rest - 1) {
        guns = guns || au_type(au_first(rest)) == AU_ARTILLERY;
    }
    for (uint64_t rest = defenders; rest != 0; rest &= rest - 1) {
        struct au_die die = die_of(s, contact, guns, au_first(rest));
        bool less = die.sum < lowest.sum || (die.sum == lowest.sum && die.hex < lowest.hex);
        if (lowest.hex == HEX_NONE || less) { lowest = die; }
    }
    return lowest;
}

int au_modifier(const struct state *s, uint64_t contact, uint64_t bombard, uint64_t defenders)
{
    return au_die_of(s, contact, bombard, defenders).sum;
}

uint64_t au_helpless_of(const struct state *s, uint64_t set)
{
    uint64_t found = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        if (au_is_helpless(s, au_first(rest))) { found |= rest & -rest; }
    }
    return found;
}

unsigned au_ice_of(const struct state *s, uint64_t bombard, uint64_t defenders)
{
    if (bombard == 0 || au_count(defenders) != 1) { return HEX_NONE; }
    unsigned hex = s->unit[au_first(defenders)].hex;
    return au_is_ice(s, hex) ? hex : HEX_NONE;
}

/* ---- 6.9 ---- */

static bool can_reach(const struct state *s, unsigned battery, uint64_t defenders)
{
    for (uint64_t rest = defenders; rest != 0; rest &= rest - 1) {
        struct au_shot shot;
        unsigned hex = s->unit[au_first(rest)].hex;
        if (au_forbid_shot(s, battery, hex, au_tables.range_min, &shot) != NULL) { return false; }
    }
    return true;
}

static uint64_t on_map(const struct state *s, uint64_t set)
{
    return set & (au_army(s, AU_FRENCH) | au_army(s, AU_ALLIED));
}

static bool is_beside(const struct state *s, unsigned a, unsigned b)
{
    return au_side_to(s->unit[a].hex, s->unit[b].hex) != HEX_SIDES;
}

static void drop_defenders(const struct state *s, struct au_entry *entry)
{
    for (uint64_t rest = entry->defenders; rest != 0; rest &= rest - 1) {
        unsigned d = au_first(rest);
        bool reached = false;
        for (uint64_t own = entry->contact; own != 0; own &= own - 1) {
            reached = reached || is_beside(s, au_first(own), d);
        }
        for (uint64_t own = entry->bombard; own != 0; own &= own - 1) {
            reached = reached || can_reach(s, au_first(own), au_bit(d));
        }
        if (!reached) { entry->defenders &= ~au_bit(d); }
    }
}

static void drop_attackers(const struct state *s, struct au_entry *entry)
{
    for (uint64_t rest = entry->contact; rest != 0; rest &= rest - 1) {
        unsigned a = au_first(rest);
        bool stays = !au_is_helpless(s, a);
        for (uint64_t d = entry->defenders; d != 0; d &= d - 1) {
            stays = stays && is_beside(s, a, au_first(d));
        }
        if (!stays) { entry->contact &= ~au_bit(a); }
    }
    for (uint64_t rest = entry->bombard; rest != 0; rest &= rest - 1) {
        unsigned a = au_first(rest);
        if (!can_reach(s, a, entry->defenders)) { entry->bombard &= ~au_bit(a); }
    }
}

bool au_revalidate(const struct state *s, const struct au_now *now, unsigned attacker,
                   struct au_entry *entry, uint64_t *out_dropped)
{
    *out_dropped = 0;
    if (entry->ice_hex != HEX_NONE) { /* R34 */
        struct au_shot shot;
        unsigned battery = au_first(entry->bombard);
        return au_on_map(s, battery) &&
               au_forbid_ice_hex(s, now, attacker, entry->ice_hex) == NULL &&
               au_forbid_shot(s, battery, entry->ice_hex, 1, &shot) == NULL;
    }
    uint64_t before = entry->contact | entry->bombard | entry->defenders;
    entry->contact = on_map(s, entry->contact);
    entry->bombard = on_map(s, entry->bombard);
    entry->defenders = on_map(s, entry->defenders);
    drop_defenders(s, entry);
    drop_attackers(s, entry);
    *out_dropped = before & ~(entry->contact | entry->bombard | entry->defenders);
    return (entry->contact | entry->bombard) != 0 && entry->defenders != 0;
}
