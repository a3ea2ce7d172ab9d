/* common/geometry/pmap.c: looking things up on a point-to-point map. */
#include "common/geometry/pmap.h"

#include <stddef.h>
#include <string.h>

/* Binary search: ids ascend by bytes, so that index order is id order. */
static uint8_t find_id(const char *const *ids, unsigned count, const char *id)
{
    unsigned low = 0;
    unsigned high = count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = strcmp(ids[middle], id);
        if (order == 0) { return (uint8_t)middle; }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return PMAP_NONE;
}

uint8_t pmap_town(const struct pmap *map, const char *id)
{
    return find_id(map->town_ids, map->towns, id);
}

uint8_t pmap_road(const struct pmap *map, const char *id)
{
    return find_id(map->road_ids, map->roads, id);
}

uint8_t pmap_road_between(const struct pmap *map, uint8_t a, uint8_t b)
{
    uint8_t road = PMAP_NONE;
    for (unsigned i = 0; i < map->degree[a]; i++) {
        if (map->link[a][i].town != b) { continue; }
        if (road != PMAP_NONE) { return PMAP_NONE; }
        road = map->link[a][i].road;
    }
    return road;
}

uint64_t pmap_neighbours(const struct pmap *map, uint8_t town)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < map->degree[town]; i++) {
        set |= UINT64_C(1) << map->link[town][i].town;
    }
    return set;
}
