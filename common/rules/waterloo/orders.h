/* common/rules/waterloo/orders.h: standing orders as obey works with them (schema/games/waterloo/
 * orders.schema.json). */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_ORDERS_H
#define VEDETTE_COMMON_RULES_WATERLOO_ORDERS_H

#include "common/rules/waterloo/wl.h"

enum { WL_ORDERS_MAX = 64, WL_ORDERS_BYTES_MAX = 8192 };

/* Of which decision an order speaks. */
enum wl_when {
    WL_WHEN_ATTACKED,  /* W5.2, and the deployment that follows */
    WL_WHEN_DEFENDING, /* W6.2 */
    WL_WHEN_PURSUED,   /* W5.9 */
    WL_WHEN_ROUTED,    /* W13.5 */
    WL_WHEN_SUPPLY,    /* W15.2 */
    WL_WHEN_FORCED,    /* whichever, if one answer alone is legal */
    WL_WHENS
};
enum wl_do {
    WL_DO_FIGHT,
    WL_DO_RETREAT,
    WL_DO_DEPLOY,
    WL_DO_ALLOT,
    WL_DO_ROUT,
    WL_DO_REMOVE,
    WL_DO_ONLY
};
/* Where a deployment puts a unit: 1 to 3 the columns, then these. */
enum { WL_PUT_NOWHERE, WL_PUT_RESERVE = WL_LANES + 1, WL_PUT_SPREAD, WL_PUT_ASK };

struct wl_order_route {
    uint8_t unit, len, forced, town[WL_PATH_MAX];
};
struct wl_order {
    uint8_t when, does;                       /* enum wl_when, enum wl_do */
    uint64_t in;                              /* towns; all bits: any */
    uint8_t by_min, by_max, own_min, own_max; /* units of the attacker, of the defender */
    uint8_t ratio_by, ratio_own;              /* by : own at least so; 0: no matter */
    bool any;                                 /* what is not said is left to the server */
    uint8_t routes, to_count, unit_count;
    struct wl_order_route route[WL_UNITS];
    uint8_t to[PMAP_TOWNS_MAX];  /* towns, the best first */
    uint8_t unit[WL_UNITS];      /* in the order in which they pay */
    bool spare;                  /* none is lost while another can pay */
    bool deploys;                /* put and rest count */
    uint8_t put[WL_UNITS], rest; /* WL_PUT_.. */
};

/* One item of the list. INVALID_PARAMS: why->member is the path within it, "when.in". s and seat
 * say which towns there are and whose the units are. */
enum err wl_read_order(const struct state *s, unsigned seat, const struct cJSON *item,
                       struct wl_order *out_order, struct why *why) VD_CHECKED;

/* obey with orders other than NULL: the first that fits and is legal. */
enum err wl_obey_orders(const struct state *s, unsigned seat, const struct cJSON *orders,
                        struct buf *out_action) VD_CHECKED;

#endif
