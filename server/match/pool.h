/* server/match/pool.h: many small things of one size, side by side, so that they pin few pages of
 * memory. */
#ifndef VEDETTE_SERVER_MATCH_POOL_H
#define VEDETTE_SERVER_MATCH_POOL_H

#include <stddef.h>

/* Matches and watches live for days between large blocks that come and go; alone on its page each
 * would cost 4 KiB. Blocks are given back with the pool. */
struct pool {
    size_t item_bytes, block_items;
    void *free_items, *blocks;
};
void pool_init(struct pool *pool, size_t item_bytes, size_t block_items);
/* All items must have been freed. */
void pool_finish(struct pool *pool);
/* Zeroed. NULL: no memory. */
void *pool_alloc(struct pool *pool);
void pool_free(struct pool *pool, void *take_item);

#endif
