/* server/match/carry_orders.c: standing orders and what is held are written into the file of a
 * match and read from it. */
#include "server/match/carry_orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/store/orders.h"

enum { HELD_MAX = 256, PACE_MS_MAX = 7 * 86400 * 1000, TEXT_MAX = 1 << 16 };

/* ---- out ---- */

struct writing {
    struct buf standing, asked, held;
};

static bool on_standing(void *ctx, const struct standing_row *row)
{
    struct buf *out = &((struct writing *)ctx)->standing;
    jw_object_begin(out);
    jw_key_int(out, "seat", row->seat);
    jw_key_int(out, "version", row->version);
    jw_key_int(out, "at", row->at);
    jw_key_raw(out, "orders", row->orders, strlen(row->orders));
    jw_object_end(out);
    return !out->failed;
}

static bool on_asked(void *ctx, unsigned seat, const struct asked_row *row)
{
    struct buf *out = &((struct writing *)ctx)->asked;
    char what[24];
    (void)snprintf(what, sizeof what, "%" PRIu64, row->what); /* more than a number can say */
    jw_object_begin(out);
    jw_key_int(out, "seat", seat);
    jw_key_str(out, "what", what);
    jw_key_int(out, "at", row->at);
    jw_key_bool(out, "by_hand", row->by_hand);
    jw_object_end(out);
    return !out->failed;
}

static bool on_held(void *ctx, const struct held_row *row)
{
    struct buf *out = &((struct writing *)ctx)->held;
    jw_object_begin(out);
    jw_key_int(out, "number", (int64_t)row->number);
    jw_key_int(out, "seat", row->seat);
    jw_key_int(out, "at", row->at);
    jw_key_int(out, "due", row->due);
    jw_key_int(out, "version", row->version);
    jw_key_int(out, "entry", row->entry);
    jw_key_raw(out, "action", row->action, strlen(row->action));
    jw_object_end(out);
    return !out->failed;
}

enum err carry_write_orders(struct db *db, int64_t match, struct buf *out)
{
    struct writing w;
    int64_t pace_ms = 0;
    uint32_t hand_overs = 0;
    buf_init(&w.standing, 1 << 20);
    buf_init(&w.asked, 1 << 20);
    buf_init(&w.held, 1 << 20);
    jw_array_begin(&w.standing);
    jw_array_begin(&w.asked);
    jw_array_begin(&w.held);
    const struct orders_reader reader = {on_standing, on_asked, on_held, &w};
    enum err err = orders_read(db, match, &reader, &pace_ms, &hand_overs);
    jw_array_end(&w.standing);
    jw_array_end(&w.asked);
    jw_array_end(&w.held);
    bool any = pace_ms != 0 || hand_overs != 0 || w.standing.len + w.asked.len + w.held.len > 6;
    if (err == ERR_OK && any) {
        jw_key_object(out, "orders");
        jw_key_int(out, "pace_ms", pace_ms);
        jw_key_int(out, "hand_overs", hand_overs);
        jw_key_raw(out, "standing", w.standing.data, w.standing.len);
        jw_key_raw(out, "asked", w.asked.data, w.asked.len);
        jw_key_raw(out, "held", w.held.data, w.held.len);
        jw_object_end(out);
    }
    buf_finish(&w.standing);
    buf_finish(&w.asked);
    buf_finish(&w.held);
    return err;
}

/* ---- in ---- */

/* A value as text; NULL: memory. */
static char *text_of(const cJSON *value)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    jw_value(&text, value);
    char *copy = text.failed ? NULL : strdup(buf_str(&text));
    buf_finish(&text);
    return copy;
}

static enum err read_seat(const cJSON *item, unsigned *out_seat)
{
    int64_t seat = 0;
    enum err err = json_read_int(item, "!seat", 0, ROW_SEATS_MAX - 1, &seat, NULL);
    *out_seat = (unsigned)seat;
    return err;
}

static enum err read_standing(struct orders_write *write, const cJSON *item)
{
    static const char *const names[] = {"at", "orders", "seat", "version", NULL};
    struct standing_row row = {.seat = 0};
    const cJSON *orders = NULL;
    enum err err = json_only(item, names, NULL);
    if (err == ERR_OK) { err = read_seat(item, &row.seat); }
    if (err == ERR_OK) {
        err = json_read_int(item, "!version", 1, JSON_INT_MAX, &row.version, NULL);
    }
    if (err == ERR_OK) { err = json_read_int(item, "!at", 0, JSON_INT_MAX, &row.at, NULL); }
    if (err == ERR_OK) { err = json_read_array(item, "!orders", 4096, &orders, NULL); }
    if (err == ERR_OK && write->standing_count == ROW_SEATS_MAX) { err = ERR_INVALID_PARAMS; }
    if (err != ERR_OK) { return err; }
    row.orders = text_of(orders);
    if (row.orders == NULL) { return ERR_INTERNAL; }
    write->standing[write->standing_count++] = row;
    return ERR_OK;
}

static enum err read_asked(struct orders_write *write, const cJSON *item)
{
    static const char *const names[] = {"at", "by_hand", "seat", "what", NULL};
    struct asked_row row = {.what = 0};
    const char *what = NULL;
    unsigned seat = 0;
    char *end = NULL;
    enum err err = json_only(item, names, NULL);
    if (err == ERR_OK) { err = read_seat(item, &seat); }
    if (err == ERR_OK) { err = json_read_str(item, "!what", 20, &what, NULL); }
    if (err == ERR_OK) { err = json_read_int(item, "!at", 0, JSON_INT_MAX, &row.at, NULL); }
    if (err == ERR_OK) { err = json_read_bool(item, "!by_hand", &row.by_hand, NULL); }
    if (err != ERR_OK) { return err; }
    row.what = strtoull(what, &end, 10);
    if (end == what || *end != '\0' || row.what == 0) { return ERR_INVALID_PARAMS; }
    write->asked[seat] = row;
    write->asked_changed |= UINT32_C(1) << seat;
    return ERR_OK;
}

static enum err read_held(struct orders_write *write, const cJSON *item)
{
    static const char *const names[] = {"action", "at",   "due",     "entry",
                                        "number", "seat", "version", NULL};
    struct held_row row = {.seat = 0};
    const cJSON *action = NULL;
    int64_t number = 0, entry = 0;
    enum err err = json_only(item, names, NULL);
    if (err == ERR_OK) { err = read_seat(item, &row.seat); }
    if (err == ERR_OK) { err = json_read_int(item, "!number", 1, JSON_INT_MAX, &number, NULL); }
    if (err == ERR_OK) { err = json_read_int(item, "!at", 0, JSON_INT_MAX, &row.at, NULL); }
    if (err == ERR_OK) { err = json_read_int(item, "!due", 0, JSON_INT_MAX, &row.due, NULL); }
    if (err == ERR_OK) {
        err = json_read_int(item, "!version", 0, JSON_INT_MAX, &row.version, NULL);
    }
    if (err == ERR_OK) { err = json_read_int(item, "!entry", 0, 4096, &entry, NULL); }
    if (err == ERR_OK) { err = json_read_object(item, "!action", &action, NULL); }
    if (err != ERR_OK) { return err; }
    row.number = (uint64_t)number;
    row.entry = (unsigned)entry;
    row.action = text_of(action);
    if (row.action == NULL) { return ERR_INTERNAL; }
    write->held[write->held_count++] = row;
    return ERR_OK;
}

static enum err read_lists(struct orders_write *write, const cJSON *json)
{
    static const char *const names[] = {"asked", "hand_overs", "held", "pace_ms", "standing", NULL};
    const cJSON *standing = NULL, *asked = NULL, *held = NULL;
    int64_t hand_overs = 0;
    enum err err = json_only(json, names, NULL);
    if (err == ERR_OK) {
        err = json_read_int(json, "!pace_ms", 0, PACE_MS_MAX, &write->pace_ms, NULL);
    }
    if (err == ERR_OK) {
        err = json_read_int(json, "!hand_overs", 0, INT32_MAX, &hand_overs, NULL);
    }
    if (err == ERR_OK) { err = json_read_array(json, "!standing", ROW_SEATS_MAX, &standing, NULL); }
    if (err == ERR_OK) { err = json_read_array(json, "!asked", ROW_SEATS_MAX, &asked, NULL); }
    if (err == ERR_OK) { err = json_read_array(json, "!held", HELD_MAX, &held, NULL); }
    if (err != ERR_OK) { return err; }
    write->carries = true;
    write->hand_overs = (uint32_t)hand_overs;
    write->held = calloc(HELD_MAX, sizeof *write->held);
    if (write->held == NULL) { return ERR_INTERNAL; }
    for (const cJSON *i = standing->child; i != NULL && err == ERR_OK; i = i->next) {
        err = read_standing(write, i);
    }
    for (const cJSON *i = asked->child; i != NULL && err == ERR_OK; i = i->next) {
        err = read_asked(write, i);
    }
    for (const cJSON *i = held->child; i != NULL && err == ERR_OK; i = i->next) {
        err = read_held(write, i);
    }
    return err;
}

enum err carry_read_orders(const struct cJSON *json, struct orders_write **out_write)
{
    *out_write = NULL;
    if (json == NULL) { return ERR_OK; }
    struct orders_write *write = calloc(1, sizeof *write);
    if (write == NULL) { return ERR_INTERNAL; }
    enum err err = read_lists(write, json);
    if (err != ERR_OK) {
        orders_write_free(write);
        return err;
    }
    *out_write = write;
    return ERR_OK;
}
