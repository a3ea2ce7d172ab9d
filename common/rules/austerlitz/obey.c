/* common/rules/austerlitz/obey.c: what a caretaker does for an absent seat: always legal, never
 * bold. */
#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/austerlitz/offers.h"

static void begin(struct buf *out, const char *what)
{
    jw_object_begin(out);
    jw_key_str(out, "do", what);
}

static void obey_declare(const struct state *s, const struct au_now *now, unsigned seat,
                         struct buf *out)
{
    struct au_entry plan[AU_PLAN_MAX];
    unsigned count = au_least_plan(s, now, seat, plan);
    au_write_plan(s, seat, plan, count, false, out);
}

static void obey_resolve(const struct state *s, struct buf *out)
{
    unsigned i = 0;
    while (i < s->plan_count && s->plan[i].status != AU_PENDING) {
        i++;
    }
    begin(out, "resolve");
    jw_key_int(out, "index", i + 1);
    jw_object_end(out);
}

static void obey_exchange(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t sets[AU_SETS_MAX];
    (void)au_exchange_sets(s, sets);
    begin(out, "exchange");
    jw_key(out, "losses");
    au_write_names(s, seat, sets[0], false, out);
    jw_object_end(out);
}

static void obey_retreat(const struct state *s, const struct au_now *now, unsigned seat,
                         struct buf *out)
{
    uint8_t list[AU_UNITS];
    struct au_chain chain;
    (void)au_list_by_hex(s, s->hand.to_retreat, list);
    begin(out, "retreat");
    jw_key(out, "unit");
    au_write_name(s, seat, list[0], out);
    if (au_first_way(s, now, list[0], &chain)) { au_write_way(&chain, false, out); }
    jw_object_end(out);
}

static void obey_battery(const struct state *s, unsigned seat, struct buf *out)
{
    uint8_t list[AU_UNITS];
    (void)au_list_by_hex(s, s->hand.to_choose, list);
    begin(out, "battery");
    jw_key_bool(out, "stay", true);
    jw_key(out, "unit");
    au_write_name(s, seat, list[0], out);
    jw_object_end(out);
}

/* The game has no standing orders: no decision of it can be made before the combat is seen. */
enum err au_obey(const struct state *s, unsigned seat, const struct cJSON *orders, struct buf *out)
{
    struct au_now now;
    if (orders != NULL || au_actor(s) != seat || seat >= AU_SIDES) { return ERR_NOT_FOUND; }
    au_see(s, &now);
    switch (s->step) {
    case AU_MOVE:
        begin(out, "end_move");
        jw_object_end(out);
        return ERR_OK;
    case AU_DECLARE: obey_declare(s, &now, seat, out); return ERR_OK;
    case AU_RESOLVE: obey_resolve(s, out); return ERR_OK;
    case AU_EXCHANGE: obey_exchange(s, seat, out); return ERR_OK;
    case AU_RETREAT: obey_retreat(s, &now, seat, out); return ERR_OK;
    case AU_BATTERY: obey_battery(s, seat, out); return ERR_OK;
    case AU_ADVANCE:
        begin(out, "advance");
        jw_key_object(out, "moves");
        jw_object_end(out);
        jw_object_end(out);
        return ERR_OK;
    default: return ERR_NOT_FOUND;
    }
}
