/* server/match/wakes.c: a heap by time, and a table that finds a match's place in it. */
#include "server/match/wakes.h"

#include <stdlib.h>
#include <string.h>

struct wake {
    struct match_id id;
    int64_t at_ms;
    size_t place; /* in the heap */
    struct wake *next;
};

enum { HEAP_MIN = 64, BUCKETS_MIN = 64 };

static size_t bucket_of(const struct match_id *id, size_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = id->text; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    return (size_t)(hash & (count - 1));
}

static struct wake *find(const struct wakes *wakes, const struct match_id *id)
{
    if (wakes->bucket_count == 0) { return NULL; }
    struct wake *wake = wakes->buckets[bucket_of(id, wakes->bucket_count)];
    while (wake != NULL && !match_id_same(&wake->id, id)) {
        wake = wake->next;
    }
    return wake;
}

static void put(struct wakes *wakes, size_t place, struct wake *wake)
{
    wakes->heap[place] = wake;
    wake->place = place;
}

static void rise(struct wakes *wakes, struct wake *wake)
{
    size_t place = wake->place;
    while (place > 0 && wakes->heap[(place - 1) / 2]->at_ms > wake->at_ms) {
        put(wakes, place, wakes->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(wakes, place, wake);
}

static void sink(struct wakes *wakes, struct wake *wake)
{
    size_t place = wake->place;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child + 1 < wakes->count && wakes->heap[child + 1]->at_ms < wakes->heap[child]->at_ms) {
            child++;
        }
        if (child >= wakes->count || wakes->heap[child]->at_ms >= wake->at_ms) { break; }
        put(wakes, place, wakes->heap[child]);
        place = child;
    }
    put(wakes, place, wake);
}

static void unlink_wake(struct wakes *wakes, const struct wake *wake)
{
    struct wake **link = &wakes->buckets[bucket_of(&wake->id, wakes->bucket_count)];
    while (*link != wake) {
        link = &(*link)->next;
    }
    *link = wake->next;
}

static void drop(struct wakes *wakes, struct wake *wake)
{
    struct wake *last = wakes->heap[--wakes->count];
    if (last != wake) {
        put(wakes, wake->place, last);
        rise(wakes, last);
        sink(wakes, last);
    }
    unlink_wake(wakes, wake);
    free(wake);
}

static bool grow_heap(struct wakes *wakes)
{
    if (wakes->count < wakes->heap_cap) { return true; }
    size_t cap = wakes->heap_cap == 0 ? HEAP_MIN : wakes->heap_cap * 2;
    struct wake **heap = realloc(wakes->heap, cap * sizeof *heap);
    if (heap == NULL) { return false; }
    wakes->heap = heap;
    wakes->heap_cap = cap;
    return true;
}

static bool grow_buckets(struct wakes *wakes)
{
    if (wakes->count < wakes->bucket_count) { return true; }
    size_t count = wakes->bucket_count == 0 ? BUCKETS_MIN : wakes->bucket_count * 2;
    struct wake **buckets = calloc(count, sizeof *buckets);
    if (buckets == NULL) { return wakes->bucket_count > 0; } /* longer chains, no harm */
    for (size_t i = 0; i < wakes->count; i++) {
        size_t at = bucket_of(&wakes->heap[i]->id, count);
        wakes->heap[i]->next = buckets[at];
        buckets[at] = wakes->heap[i];
    }
    free(wakes->buckets);
    wakes->buckets = buckets;
    wakes->bucket_count = count;
    return true;
}

bool wakes_set(struct wakes *wakes, const struct match_id *id, int64_t at_ms)
{
    struct wake *wake = find(wakes, id);
    if (wake != NULL && at_ms == 0) { drop(wakes, wake); }
    if (at_ms == 0) { return true; }
    if (wake == NULL) {
        if (!grow_heap(wakes) || !grow_buckets(wakes)) { return false; }
        wake = calloc(1, sizeof *wake);
        if (wake == NULL) { return false; }
        wake->id = *id;
        size_t at = bucket_of(id, wakes->bucket_count);
        wake->next = wakes->buckets[at];
        wakes->buckets[at] = wake;
        put(wakes, wakes->count++, wake);
    }
    wake->at_ms = at_ms;
    rise(wakes, wake);
    sink(wakes, wake);
    return true;
}

int64_t wakes_at(const struct wakes *wakes, const struct match_id *id)
{
    const struct wake *wake = find(wakes, id);
    return wake == NULL ? 0 : wake->at_ms;
}

bool wakes_first(const struct wakes *wakes, struct match_id *out_id, int64_t *out_at_ms)
{
    if (wakes->count == 0) { return false; }
    *out_id = wakes->heap[0]->id;
    *out_at_ms = wakes->heap[0]->at_ms;
    return true;
}

void wakes_finish(struct wakes *wakes)
{
    for (size_t i = 0; i < wakes->count; i++) {
        free(wakes->heap[i]);
    }
    free(wakes->heap);
    free(wakes->buckets);
    memset(wakes, 0, sizeof *wakes);
}
