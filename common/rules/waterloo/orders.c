/* common/rules/waterloo/orders.c: standing orders are read: hostile JSON in, struct wl_order out.
 */
#include "common/rules/waterloo/orders.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/rules.h"

enum { ID_BYTES_MAX = 64 };

/* What is being read, for all that follows. */
struct reading {
    const struct state *s;
    unsigned seat;
    struct wl_order *order;
    struct why *why;
};

static const char *const when_ids[WL_WHENS] = {"attacked", "defending", "pursued",
                                               "routed",   "supply",    "forced"};

/* The member as seen from further out. */
static enum err name_part(struct why *why, const char *part, enum err err)
{
    char member[WHY_MEMBER_MAX];
    if (err == ERR_OK || why == NULL) { return err; }
    bool itself = why->member[0] == '\0' || strcmp(why->member, part) == 0;
    (void)snprintf(member, sizeof member, "%s%s%.*s", part, itself ? "" : ".",
                   itself ? 0 : (int)(sizeof member - strlen(part) - 2), why->member);
    memcpy(why->member, member, sizeof member);
    return err;
}

static unsigned find_town(const struct state *s, const char *id)
{
    const struct pmap *map = &wl_board(s)->map;
    for (unsigned t = 0; t < map->towns; t++) {
        if (strcmp(map->town_ids[t], id) == 0) { return t; }
    }
    return WL_NONE;
}

/* A town of the board, by an item of the list or member of that name. */
static enum err read_town(const struct reading *r, const cJSON *item, const char *name,
                          unsigned *out_town)
{
    unsigned town = cJSON_IsString(item) ? find_town(r->s, item->valuestring) : WL_NONE;
    if (town == WL_NONE) { return why_member(r->why, name, "There is no such town."); }
    *out_town = town;
    return ERR_OK;
}

/* A unit of the seat's, on the map or gone: orders outlive units. */
static enum err read_unit(const struct reading *r, const cJSON *item, const char *name,
                          unsigned *out_unit)
{
    unsigned unit = cJSON_IsString(item) ? wl_find_unit(item->valuestring) : WL_NONE;
    if (unit == WL_NONE || wl_seat_of_nation(r->s, wl_nation(unit)) != r->seat) {
        return why_member(r->why, name, "That is no unit of yours.");
    }
    *out_unit = unit;
    return ERR_OK;
}

/* Units, none twice, nor among those seen, to which they are added. */
static enum err read_units(const struct reading *r, const cJSON *object, const char *name,
                           uint64_t *seen, uint8_t out_units[WL_UNITS], uint8_t *out_count)
{
    const cJSON *list = NULL;
    enum err err = json_read_array(object, name, WL_UNITS, &list, r->why);
    *out_count = 0;
    for (const cJSON *i = list == NULL ? NULL : list->child; i != NULL && err == ERR_OK;
         i = i->next) {
        unsigned unit = 0;
        err = read_unit(r, i, name, &unit);
        if (err == ERR_OK && (*seen >> unit & 1U) != 0) {
            err = why_member(r->why, name, "A unit is named twice.");
        }
        if (err != ERR_OK) { break; }
        *seen |= UINT64_C(1) << unit;
        out_units[(*out_count)++] = (uint8_t)unit;
    }
    return err;
}

/* ---- when ---- */

/* {"min", "max"}: how many units, as far as they are given. */
static enum err read_bounds(const struct reading *r, const cJSON *when, const char *name,
                            uint8_t *out_min, uint8_t *out_max)
{
    static const char *const names[] = {"max", "min", NULL};
    const cJSON *bounds = NULL;
    int64_t min = 0, max = WL_UNITS;
    enum err err = json_read_object(when, name, &bounds, r->why);
    if (err == ERR_OK && bounds != NULL) { err = json_only(bounds, names, r->why); }
    if (err == ERR_OK && bounds != NULL) {
        err = json_read_int(bounds, "min", 0, WL_UNITS, &min, r->why);
    }
    if (err == ERR_OK && bounds != NULL) {
        err = json_read_int(bounds, "max", min, WL_UNITS, &max, r->why);
    }
    if (err != ERR_OK) { return name_part(r->why, name, err); }
    *out_min = (uint8_t)min;
    *out_max = (uint8_t)max;
    return ERR_OK;
}

static enum err read_ratio(const struct reading *r, const cJSON *when)
{
    const cJSON *ratio = NULL;
    enum err err = json_read_array(when, "ratio", 2, &ratio, r->why);
    if (err != ERR_OK || ratio == NULL) { return err; }
    int64_t by = json_int(cJSON_GetArrayItem(ratio, 0), 0);
    int64_t own = json_int(cJSON_GetArrayItem(ratio, 1), 0);
    if (cJSON_GetArraySize(ratio) != 2 || by < 1 || own < 1 || by > WL_UNITS || own > WL_UNITS) {
        return why_member(r->why, "ratio", "A ratio is two numbers of units, as [2,1].");
    }
    r->order->ratio_by = (uint8_t)by;
    r->order->ratio_own = (uint8_t)own;
    return ERR_OK;
}

static enum err read_in(const struct reading *r, const cJSON *when)
{
    const cJSON *list = NULL;
    enum err err = json_read_array(when, "in", PMAP_TOWNS_MAX, &list, r->why);
    r->order->in = UINT64_MAX;
    if (err != ERR_OK || list == NULL) { return err; }
    if (list->child == NULL) { return why_member(r->why, "in", "The list is empty."); }
    r->order->in = 0;
    for (const cJSON *i = list->child; i != NULL && err == ERR_OK; i = i->next) {
        unsigned town = 0;
        err = read_town(r, i, "in", &town);
        if (err == ERR_OK) { r->order->in |= UINT64_C(1) << town; }
    }
    return err;
}

static enum err read_when(const struct reading *r, const cJSON *when)
{
    static const char *const fights[] = {"by", "in", "is", "own", "ratio", NULL};
    static const char *const places[] = {"in", "is", NULL};
    static const char *const plain[] = {"is", NULL};
    const char *is = NULL;
    struct wl_order *order = r->order;
    enum err err = json_read_str(when, "!is", ID_BYTES_MAX, &is, r->why);
    if (err != ERR_OK) { return err; }
    order->when = 0;
    while (order->when < WL_WHENS && strcmp(when_ids[order->when], is) != 0) {
        order->when++;
    }
    if (order->when == WL_WHENS) { return why_member(r->why, "is", "There is no such condition."); }
    bool fight = order->when == WL_WHEN_ATTACKED || order->when == WL_WHEN_DEFENDING;
    bool place = order->when == WL_WHEN_PURSUED || order->when == WL_WHEN_ROUTED;
    err = json_only(when, fight ? fights : place ? places : plain, r->why);
    if (err == ERR_OK) { err = read_in(r, when); }
    if (err == ERR_OK) { err = read_bounds(r, when, "by", &order->by_min, &order->by_max); }
    if (err == ERR_OK) { err = read_bounds(r, when, "own", &order->own_min, &order->own_max); }
    return err == ERR_OK ? read_ratio(r, when) : err;
}

/* ---- do ---- */

static enum err read_path(const struct reading *r, const cJSON *item, struct wl_order_route *route)
{
    const cJSON *path = NULL;
    bool forced = false;
    enum err err = json_read_array(item, "!path", WL_PATH_MAX, &path, r->why);
    if (err == ERR_OK) { err = json_read_bool(item, "forced", &forced, r->why); }
    if (err != ERR_OK) { return err; }
    route->forced = forced;
    route->len = 0;
    for (const cJSON *i = path->child; i != NULL && err == ERR_OK; i = i->next) {
        unsigned town = 0;
        err = read_town(r, i, "path", &town);
        if (err == ERR_OK) { route->town[route->len++] = (uint8_t)town; }
    }
    if (err == ERR_OK && route->len == 0) {
        err = why_member(r->why, "path", "The path is empty.");
    }
    return err;
}

/* Items as of respond and rout_routes: {unit, path, forced}. */
static enum err read_routes(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"forced", "path", "unit", NULL};
    const cJSON *list = NULL;
    uint64_t seen = 0;
    enum err err = json_read_array(does, "routes", WL_UNITS, &list, r->why);
    for (const cJSON *i = list == NULL ? NULL : list->child; i != NULL && err == ERR_OK;
         i = i->next) {
        struct wl_order_route *route = &r->order->route[r->order->routes];
        unsigned unit = 0;
        if (!cJSON_IsObject(i)) { return why_member(r->why, "routes", "Routes are objects."); }
        if (r->order->routes == WL_UNITS) { break; }
        err = json_only(i, names, r->why);
        if (err == ERR_OK) { err = read_unit(r, json_get(i, "unit"), "unit", &unit); }
        if (err == ERR_OK && (seen >> unit & 1U) != 0) {
            err = why_member(r->why, "unit", "A unit is named twice.");
        }
        if (err == ERR_OK) { err = read_path(r, i, route); }
        if (err != ERR_OK) { return name_part(r->why, "routes", err); }
        seen |= UINT64_C(1) << unit;
        route->unit = (uint8_t)unit;
        r->order->routes++;
    }
    return err;
}

static enum err read_to(const struct reading *r, const cJSON *does)
{
    const cJSON *list = NULL;
    uint64_t seen = 0;
    enum err err = json_read_array(does, "to", PMAP_TOWNS_MAX, &list, r->why);
    for (const cJSON *i = list == NULL ? NULL : list->child; i != NULL && err == ERR_OK;
         i = i->next) {
        unsigned town = 0;
        err = read_town(r, i, "to", &town);
        if (err == ERR_OK && (seen >> town & 1U) != 0) {
            err = why_member(r->why, "to", "A town is named twice.");
        }
        if (err != ERR_OK) { return err; }
        seen |= UINT64_C(1) << town;
        r->order->to[r->order->to_count++] = (uint8_t)town;
    }
    return err;
}

/* "else": what becomes of units that the order does not provide for. Where it provides for none at
 * all, it can only mean that any will do. */
static enum err read_else(const struct reading *r, const cJSON *does, bool says_nothing)
{
    const char *otherwise = says_nothing ? "any" : "ask";
    enum err err = json_read_str(does, "else", ID_BYTES_MAX, &otherwise, r->why);
    if (err != ERR_OK) { return err; }
    r->order->any = strcmp(otherwise, "any") == 0;
    if (!r->order->any && strcmp(otherwise, "ask") != 0) {
        return why_member(r->why, "else", "It is \"any\" or \"ask\".");
    }
    return ERR_OK;
}

static enum err read_ways(const struct reading *r, const cJSON *does)
{
    enum err err = read_routes(r, does);
    if (err == ERR_OK) { err = read_to(r, does); }
    return err == ERR_OK ? read_else(r, does, r->order->routes + r->order->to_count == 0) : err;
}

/* "columns" and "rest", as of deploy. */
static enum err read_columns(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"1", "2", "3", "reserve", NULL};
    static const char *const rests[] = {"1", "2", "3", "reserve", "spread", "ask", NULL};
    const cJSON *columns = NULL;
    const char *rest = "reserve";
    uint64_t seen = 0;
    struct wl_order *order = r->order;
    enum err err = json_read_object(does, "columns", &columns, r->why);
    if (err == ERR_OK && columns != NULL) { err = json_only(columns, names, r->why); }
    for (unsigned i = 0; i < 4 && columns != NULL && err == ERR_OK; i++) {
        uint8_t units[WL_UNITS], count = 0;
        err = read_units(r, columns, names[i], &seen, units, &count);
        for (unsigned k = 0; k < count && err == ERR_OK; k++) {
            order->put[units[k]] = (uint8_t)(i + 1);
        }
    }
    if (columns != NULL) { err = name_part(r->why, "columns", err); }
    if (err == ERR_OK) { err = json_read_str(does, "rest", ID_BYTES_MAX, &rest, r->why); }
    if (err != ERR_OK) { return err; }
    unsigned at = 0;
    while (rests[at] != NULL && strcmp(rests[at], rest) != 0) {
        at++;
    }
    if (rests[at] == NULL) { return why_member(r->why, "rest", "There is no such place."); }
    order->rest = (uint8_t)(at + 1);
    order->deploys = columns != NULL || json_get(does, "rest") != NULL;
    return ERR_OK;
}

static enum err read_fight(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"choice", "columns", "do", "rest", NULL};
    r->order->does = WL_DO_FIGHT;
    enum err err = json_only(does, names, r->why);
    return err == ERR_OK ? read_columns(r, does) : err;
}

static enum err read_retreat(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"choice", "do", "else", "routes", "to", NULL};
    r->order->does = WL_DO_RETREAT;
    enum err err = json_only(does, names, r->why);
    return err == ERR_OK ? read_ways(r, does) : err;
}

static enum err read_respond(const struct reading *r, const cJSON *does)
{
    const char *choice = NULL;
    enum err err = json_read_str(does, "!choice", ID_BYTES_MAX, &choice, r->why);
    if (err != ERR_OK) { return err; }
    if (strcmp(choice, "fight") == 0) { return read_fight(r, does); }
    if (strcmp(choice, "retreat") == 0) { return read_retreat(r, does); }
    return why_member(r->why, "choice", "The choice is \"fight\" or \"retreat\".");
}

static enum err read_deploy(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"columns", "do", "rest", NULL};
    enum err err = json_only(does, names, r->why);
    if (err == ERR_OK) { err = read_columns(r, does); }
    r->order->does = WL_DO_DEPLOY;
    r->order->deploys = true;
    return err;
}

static enum err read_payers(const struct reading *r, const cJSON *does)
{
    uint64_t seen = 0;
    return read_units(r, does, "units", &seen, r->order->unit, &r->order->unit_count);
}

static enum err read_allot(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"do", "spare", "units", NULL};
    r->order->does = WL_DO_ALLOT;
    r->order->spare = true;
    enum err err = json_only(does, names, r->why);
    if (err == ERR_OK) { err = json_read_bool(does, "spare", &r->order->spare, r->why); }
    return err == ERR_OK ? read_payers(r, does) : err;
}

static enum err read_rout(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"do", "else", "routes", "to", NULL};
    r->order->does = WL_DO_ROUT;
    enum err err = json_only(does, names, r->why);
    return err == ERR_OK ? read_ways(r, does) : err;
}

static enum err read_remove(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"do", "else", "units", NULL};
    r->order->does = WL_DO_REMOVE;
    enum err err = json_only(does, names, r->why);
    if (err == ERR_OK) { err = read_payers(r, does); }
    return err == ERR_OK ? read_else(r, does, r->order->unit_count == 0) : err;
}

static enum err read_only(const struct reading *r, const cJSON *does)
{
    static const char *const names[] = {"do", NULL};
    r->order->does = WL_DO_ONLY;
    return json_only(does, names, r->why);
}

/* Each condition has one action. */
static enum err read_do(const struct reading *r, const cJSON *does)
{
    static const struct {
        const char *name;
        enum err (*read)(const struct reading *r, const cJSON *does);
    } rows[WL_WHENS] = {{"respond", read_respond},  {"deploy", read_deploy}, {"allot", read_allot},
                        {"rout_routes", read_rout}, {"remove", read_remove}, {"only", read_only}};
    const char *name = NULL;
    enum err err = json_read_str(does, "!do", ID_BYTES_MAX, &name, r->why);
    if (err != ERR_OK) { return err; }
    if (strcmp(rows[r->order->when].name, name) != 0) {
        return why_member(r->why, "do", "That is no answer under this condition.");
    }
    return rows[r->order->when].read(r, does);
}

enum err wl_read_order(const struct state *s, unsigned seat, const struct cJSON *item,
                       struct wl_order *out_order, struct why *why)
{
    static const char *const names[] = {"do", "when", NULL};
    const cJSON *when = NULL, *does = NULL;
    struct why own;
    if (why == NULL) { why = &own; }
    why_clear(why);
    memset(out_order, 0, sizeof *out_order);
    const struct reading r = {s, seat, out_order, why};
    if (!cJSON_IsObject(item)) { return why_member(why, "", "An order is an object."); }
    enum err err = json_only(item, names, why);
    if (err == ERR_OK) { err = json_read_object(item, "!when", &when, why); }
    if (err == ERR_OK) { err = json_read_object(item, "!do", &does, why); }
    if (err != ERR_OK) { return err; }
    err = name_part(why, "when", read_when(&r, when));
    return err == ERR_OK ? name_part(why, "do", read_do(&r, does)) : err;
}

enum err wl_orders(const struct state *s, unsigned seat, const struct cJSON *orders,
                   struct why *why)
{
    struct buf text;
    if (!cJSON_IsArray(orders)) { return why_member(why, "orders", "Orders are a list."); }
    if (cJSON_GetArraySize(orders) > WL_ORDERS_MAX) {
        (void)why_member(why, "orders", "");
        return why_text(why, ERR_TOO_LARGE, "There may be up to 64 orders.");
    }
    buf_init(&text, WL_ORDERS_BYTES_MAX);
    jw_value(&text, orders);
    bool long_list = text.failed;
    buf_finish(&text);
    if (long_list) {
        (void)why_member(why, "orders", "");
        return why_text(why, ERR_TOO_LARGE, "Orders have up to 8192 bytes.");
    }
    unsigned at = 0;
    for (const cJSON *i = orders->child; i != NULL; i = i->next, at++) {
        struct wl_order order;
        char part[32];
        (void)snprintf(part, sizeof part, "orders[%u]", at);
        enum err err = name_part(why, part, wl_read_order(s, seat, i, &order, why));
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}
