/* server/match/pool.c: blocks of items, the free ones in a list. */
#include "server/match/pool.h"

#include <stdlib.h>
#include <string.h>

void pool_init(struct pool *pool, size_t item_bytes, size_t block_items)
{
    memset(pool, 0, sizeof *pool);
    pool->item_bytes = (item_bytes + 15U) & ~(size_t)15U;
    pool->block_items = block_items;
}

void pool_finish(struct pool *pool)
{
    while (pool->blocks != NULL) {
        void *next = *(void **)pool->blocks;
        free(pool->blocks);
        pool->blocks = next;
    }
    pool->free_items = NULL;
}

#ifdef __SANITIZE_ADDRESS__

/* Each on its own, so that the sanitizer sees who touches what is gone. */
void *pool_alloc(struct pool *pool)
{
    return calloc(1, pool->item_bytes);
}

void pool_free(struct pool *pool, void *take_item)
{
    (void)pool;
    free(take_item);
}

#else

void *pool_alloc(struct pool *pool)
{
    if (pool->free_items == NULL) {
        /* The first 16 bytes of a block lead to the next one. */
        char *block = malloc(16 + pool->item_bytes * pool->block_items);
        if (block == NULL) { return NULL; }
        *(void **)(void *)block = pool->blocks;
        pool->blocks = block;
        for (size_t i = pool->block_items; i-- > 0;) {
            pool_free(pool, block + 16 + i * pool->item_bytes);
        }
    }
    void *item = pool->free_items;
    pool->free_items = *(void **)item;
    memset(item, 0, pool->item_bytes);
    return item;
}

void pool_free(struct pool *pool, void *take_item)
{
    *(void **)take_item = pool->free_items;
    pool->free_items = take_item;
}

#endif
