/* common/geometry/pmap.h: a point-to-point map: towns joined by roads. Const tables, no allocation.
 */
#ifndef VEDETTE_COMMON_GEOMETRY_PMAP_H
#define VEDETTE_COMMON_GEOMETRY_PMAP_H

#include <stdint.h>

enum { PMAP_TOWNS_MAX = 64, PMAP_ROADS_MAX = 128, PMAP_DEGREE_MAX = 16, PMAP_NONE = 255 };

/* A road joins towns a and b (indices). cls and flags are the game's to read. */
struct pmap_road {
    uint8_t a, b, cls, flags;
};
struct pmap_link {
    uint8_t town, road;
};
/* Towns and roads stand in ascending order of their ids (bytes), so that index order is id order.
 */
struct pmap {
    uint8_t towns, roads;
    const char *const *town_ids;
    const char *const *road_ids;
    const struct pmap_road *road;
    uint8_t degree[PMAP_TOWNS_MAX];
    struct pmap_link link[PMAP_TOWNS_MAX][PMAP_DEGREE_MAX]; /* by ascending town, then road */
};

/* Index of the id, or PMAP_NONE. */
uint8_t pmap_town(const struct pmap *map, const char *id);
uint8_t pmap_road(const struct pmap *map, const char *id);
/* The only road between two towns, PMAP_NONE if there is none or more than one. */
uint8_t pmap_road_between(const struct pmap *map, uint8_t a, uint8_t b);
/* Bit set of the towns next to town. */
uint64_t pmap_neighbours(const struct pmap *map, uint8_t town);

#endif
