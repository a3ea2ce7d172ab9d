/* common/rules/austerlitz/flow.h: the course of play, and actions as they are read. */
#ifndef VEDETTE_COMMON_RULES_AUSTERLITZ_FLOW_H
#define VEDETTE_COMMON_RULES_AUSTERLITZ_FLOW_H

#include "common/rules/austerlitz/au.h"

struct cJSON;

enum au_do {
    AU_DO_MOVE,
    AU_DO_DESTROY_BRIDGE,
    AU_DO_END_MOVE,
    AU_DO_DECLARE,
    AU_DO_RESOLVE,
    AU_DO_EXCHANGE,
    AU_DO_RETREAT,
    AU_DO_BATTERY,
    AU_DO_ADVANCE,
    AU_DO_RESIGN,
    AU_DOS
};

/* A unit as it was named: by id, or (unit AU_NONE) by the hex where an enemy stands (15.3). */
struct au_name {
    uint16_t hex;
    uint8_t unit;
};
enum { AU_NAMES_MAX = 4 * AU_UNITS };
/* Names of an entry: contact, bombard, defenders are stretches of a common list. */
struct au_raw_entry {
    uint16_t ice_hex;
    uint8_t first[3], n[3];
};
struct au_action {
    enum au_do what;
    struct au_name unit;
    struct au_way way;     /* move */
    struct au_chain chain; /* retreat, battery: to and chain; len 0: no to */
    uint8_t bridge;
    uint8_t entries; /* declare */
    struct au_raw_entry entry[AU_PLAN_MAX];
    uint8_t names;                     /* declare, exchange, advance */
    struct au_name name[AU_NAMES_MAX]; /* advance: the units, */
    uint16_t to[AU_UNITS];             /* and where each goes */
    int64_t index;
};

/* INVALID_PARAMS: the shape is wrong (why->member). Who may do what, and whether the names fit, is
 * not judged. */
enum err au_read_action(const struct state *s, unsigned viewer, const struct cJSON *json,
                        struct au_action *out, struct why *why);
/* One name, as the viewer may write it. */
enum err au_read_name(const struct state *s, unsigned viewer, const struct cJSON *json,
                      const char *member, struct au_name *out, struct why *why);
/* Entry members of a declaration (and of the question odds) into action. */
enum err au_read_entry(const struct state *s, unsigned viewer, const struct cJSON *json,
                       struct au_action *action, struct why *why);
/* As json_read_array; a longer one is of the wrong shape too: INVALID_PARAMS. */
enum err au_read_array(const struct cJSON *object, const char *name, size_t items_max,
                       const struct cJSON **out, struct why *why);
enum err au_read_way(const struct cJSON *json, struct au_way *out, struct why *why);
enum err au_read_hex(const struct cJSON *json, const char *member, uint16_t *out, struct why *why);
enum err au_read_side(const struct cJSON *json, const char *member, unsigned *out, struct why *why);
/* The unit that a name stands for, AU_NONE: 15.3 forbids it. */
unsigned au_find_named(const struct state *s, const struct au_now *now, unsigned viewer,
                       struct au_name name);
/* Sets from the names of an entry; false: 15.3. */
bool au_find_entry(const struct state *s, const struct au_now *now, unsigned viewer,
                   const struct au_action *action, unsigned i, struct au_entry *out);
/* Notes the rule and what it says. */
enum err au_refuse(struct why *why, const char *rule);

#endif
