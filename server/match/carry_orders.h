/* server/match/carry_orders.h: standing orders and what is held, in the file of a match that moves
 * to another server (schema/record.md section 8). */
#ifndef VEDETTE_SERVER_MATCH_CARRY_ORDERS_H
#define VEDETTE_SERVER_MATCH_CARRY_ORDERS_H

#include <stdint.h>

#include "common/base/err.h"

struct buf;
struct cJSON;
struct db;
struct orders_write;

/* Member "orders" of the file's first line; nothing where the match has none of it. */
enum err carry_write_orders(struct db *db, int64_t match, struct buf *out) VD_CHECKED;
/* Such a member, hostile (NULL: there is none): rows to be written, for orders_write_free; NULL:
 * none. INVALID_PARAMS: it is none. */
enum err carry_read_orders(const struct cJSON *json, struct orders_write **out_write) VD_CHECKED;

#endif
