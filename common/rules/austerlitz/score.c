/* common/rules/austerlitz/score.c: what the match is worth in the end (13). */
#include "common/rules/austerlitz/au.h"

static unsigned points_for(const uint8_t rows[3][2], unsigned losses)
{
    for (unsigned i = 0; i < 3; i++) {
        if (rows[i][1] != 0 && losses >= rows[i][0]) { return rows[i][1]; }
    }
    return 0;
}

void au_score(const struct state *s, struct au_score *out)
{
    struct au_now now;
    unsigned vienna = 0;
    out->encircled = 0;
    for (unsigned side = 0; side < AU_SIDES; side++) { /* 13.2, 13.3, R21 */
        out->losses[side] =
            au_sum_of(s, side, AU_ELIMINATED) + au_sum_of(s, side, AU_WITHDRAWN) / 2;
    }
    if (s->demoralised != AU_NOBODY) {
        au_see(s, &now);
        out->encircled = au_encircled(s, &now, s->demoralised);
        for (uint64_t rest = out->encircled; rest != 0; rest &= rest - 1) {
            out->losses[s->demoralised] += s->unit[au_first(rest)].potential;
        }
    }
    for (unsigned u = 0; u < AU_UNITS; u++) {
        vienna += s->unit[u].place == AU_VIENNA;
    }
    out->points[AU_FRENCH] = points_for(au_tables.points_french, out->losses[AU_ALLIED]);
    out->points[AU_ALLIED] = points_for(au_tables.points_allied, out->losses[AU_FRENCH]) +
                             vienna * au_tables.vienna_point;
    unsigned f = out->points[AU_FRENCH], a = out->points[AU_ALLIED];
    unsigned apart = f > a ? f - a : a - f;
    out->winner = f == a ? AU_NOBODY : f > a ? AU_FRENCH : AU_ALLIED;
    out->degree = (uint8_t)(apart < AU_DEGREES ? apart : AU_DEGREES - 1);
    if (s->resigned != AU_NOBODY) {
        out->winner = (uint8_t)au_other(s->resigned);
        out->degree = AU_DEGREES - 1;
    }
    if (s->agreed != 0) {
        out->winner = AU_NOBODY;
        out->degree = 0;
    }
}
