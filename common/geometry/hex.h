/* common/geometry/hex.h: maps of flat-top hexes: printed numbers, neighbours, hexsides, distance,
 * lines, trajectories, bands. Pure arithmetic, no tables, no allocation. */
#ifndef VEDETTE_COMMON_GEOMETRY_HEX_H
#define VEDETTE_COMMON_GEOMETRY_HEX_H

#include <stdbool.h>
#include <stdint.h>

/* A hex is the number (column - 1) * rows + row - 1, so ascending order is that of the printed
 * numbers CCRR (two digits of the column, two of the row, both from 01). */
enum { HEX_NONE = 0xffff, HEX_MAX = 4096, HEX_TEXT = 5, HEX_LINE_MAX = 128, HEX_PATH_MAX = 4 };
/* Clockwise from north; the opposite of side d is (d + 3) % 6. */
enum hex_side { HEX_N, HEX_NE, HEX_SE, HEX_S, HEX_SW, HEX_NW, HEX_SIDES };

/* columns * rows <= HEX_MAX, both at most 99. shifted: which columns stand half a hex south. */
struct hex_grid {
    uint8_t columns, rows;
    uint8_t shifted; /* 0: the even ones, 1: the odd ones */
};

/* A shortest chain of adjacent hexes, both ends included: len hexes. */
struct hex_path {
    uint8_t len;
    uint16_t hex[HEX_PATH_MAX + 1];
};

/* A set of hexes. */
struct hex_set {
    uint64_t word[HEX_MAX / 64];
};

static inline unsigned hex_count(const struct hex_grid *grid)
{
    return (unsigned)grid->columns * grid->rows;
}
static inline unsigned hex_column(const struct hex_grid *grid, unsigned hex)
{
    return hex / grid->rows + 1;
}
static inline unsigned hex_row(const struct hex_grid *grid, unsigned hex)
{
    return hex % grid->rows + 1;
}
static inline unsigned hex_opposite(unsigned side)
{
    return (side + 3) % HEX_SIDES;
}
static inline bool hex_set_has(const struct hex_set *set, unsigned hex)
{
    return (set->word[hex / 64] >> hex % 64 & 1U) != 0;
}
static inline void hex_set_add(struct hex_set *set, unsigned hex)
{
    set->word[hex / 64] |= UINT64_C(1) << hex % 64;
}

/* The hex in that column and row (from 1); HEX_NONE off the map. */
unsigned hex_at(const struct hex_grid *grid, int column, int row);
/* The hex of that printed number, exactly four digits; HEX_NONE if there is none. */
unsigned hex_parse(const struct hex_grid *grid, const char *text);
/* The printed number of a hex. */
void hex_text(const struct hex_grid *grid, unsigned hex, char out[HEX_TEXT]);
/* The hex across that side; HEX_NONE off the map. */
unsigned hex_neighbour(const struct hex_grid *grid, unsigned hex, unsigned side);
/* The side of a across which b lies; HEX_SIDES if they are not adjacent. */
unsigned hex_side_to(const struct hex_grid *grid, unsigned a, unsigned b);
/* One number for the side between two adjacent hexes, the same from both, below 3 * hex_count:
 * 3 * the northern hex of the two (or, across NE and SE, the western one) + 0 to 2. HEX_NONE: not
 * adjacent. */
unsigned hex_hexside(const struct hex_grid *grid, unsigned a, unsigned b);
/* Steps from a to b. */
unsigned hex_distance(const struct hex_grid *grid, unsigned a, unsigned b);

/* All shortest chains from a to b, at most HEX_PATH_MAX steps long, in ascending order of their
 * hexes; at most max are written. The number there are; 0: a and b are the same or too far apart.
 */
unsigned hex_trajectories(const struct hex_grid *grid, unsigned a, unsigned b, struct hex_path *out,
                          unsigned max);
/* The hexes that the straight line between the centres of a and b passes, ends included, written to
 * out[HEX_LINE_MAX]; where it runs along a hexside the hex on its right, or left, is taken (also
 * where that lies off the map: then the one on the map). The number of hexes: distance + 1. */
unsigned hex_line(const struct hex_grid *grid, unsigned a, unsigned b, bool left,
                  uint16_t out[HEX_LINE_MAX]);
/* Adds to set the hexes of the map at distance inner to outer from centre. */
void hex_band(const struct hex_grid *grid, unsigned centre, unsigned inner, unsigned outer,
              struct hex_set *set);

#endif
