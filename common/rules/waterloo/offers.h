/* common/rules/waterloo/offers.h: what the files that make action forms share: paths, budgets,
 * small writers. */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_OFFERS_H
#define VEDETTE_COMMON_RULES_WATERLOO_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/rules/waterloo/rules.h"
#include "common/rules/waterloo/wl.h"

struct buf;

enum { WL_FORMS_BYTES_MAX = 8192 }; /* PROTOCOL section 5 */

/* Where units may go: capacity left of each road, towns that may not be entered, towns that may be
 * entered only as the last of a path (an attack), and the roads by which the first town may be
 * left. */
struct wl_paths {
    const struct wl_board *board;
    uint64_t barred, last_only;
    uint32_t first[4];
    uint8_t left[PMAP_ROADS_MAX];
};

/* Marches of the phasing side beside the drafts there are (W4.6, W4.7). No enemy is met on them:
 * every town that holds one is barred (W4.8). */
void wl_paths_march(const struct state *s, struct wl_paths *out);
/* Retreats of a side from a town, before combat, from a battle or after a rout (W12.5 to W12.8). */
void wl_paths_retreat(const struct state *s, unsigned town, unsigned side, struct wl_paths *out);

/* Units by index as a set, and the number in it. */
static inline unsigned wl_count_bits(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}
static inline unsigned wl_first_bit(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}
static inline uint64_t wl_bit(unsigned at)
{
    return UINT64_C(1) << at;
}

/* Units on the map in town that the seat commands. */
uint64_t wl_units_of_seat(const struct state *s, unsigned seat, unsigned town);
/* Units in a battle of that place that the seat commands (WL_NOWHERE: any place in the battle). */
uint64_t wl_fighters_of_seat(const struct state *s, unsigned seat, unsigned town, unsigned place);
/* W12.11: marked in this slot. */
bool wl_is_marked(const struct state *s, unsigned unit);

/* Largest capacity left among the roads that lead out of town somewhere open; 0: no way out. */
unsigned wl_paths_best(const struct wl_paths *paths, unsigned town);
/* True when a path of exactly len towns leaves town, each road of it with at least need left. */
bool wl_paths_reach(const struct wl_paths *paths, unsigned town, unsigned len, unsigned need);
/* Writes {"tree": ..., "min": m, "max": n} of paths of min to max towns over roads with at least
 * need left; there must be one. */
void wl_write_tree(const struct wl_paths *paths, unsigned town, unsigned min, unsigned max,
                   unsigned need, struct buf *out);
/* Gives n units a way out of one town each while there is one: out_town[i] is WL_NONE for those
 * left over. Takes the capacity from paths. Number that got one. */
unsigned wl_assign_ways(struct wl_paths *paths, unsigned town, unsigned n, uint8_t *out_town);
/* The units of set from the strongest down (or weakest up), by index within a CV. Their number. */
unsigned wl_list_units(const struct state *s, uint64_t set, bool weakest_first,
                       uint8_t out_units[WL_UNITS]);

/* An array of unit ids (a choice), and one as a member. */
void wl_write_units(uint64_t set, struct buf *out);
void wl_key_units(const char *name, uint64_t set, struct buf *out);
/* Members of an action for a force that must leave town: "routes", one town each and all fixed, for
 * as many as there is room for, the rest under that name ("stranded", "lost"), left out if empty or
 * if there is no such name (NULL). */
void wl_write_fixed_routes(const struct state *s, const struct wl_paths *paths, unsigned town,
                           uint64_t units, bool weakest_first, const char *rest, struct buf *out);
/* A list of forms that stays within its bytes: what does not fit any more is dropped whole. */
struct wl_offer {
    const struct state *s;
    unsigned seat;
    struct buf *out;
    size_t start, form_at;
};
/* Begins a form {"do": what; ends it; dropped (false) when the list would grow beyond bytes. */
void wl_form_begin(struct wl_offer *o, const char *what);
bool wl_form_end(struct wl_offer *o, size_t bytes);

/* One item of a march or route, or several to pick from, within those bytes: some unit of the set,
 * on any path of min to max towns over roads with at least need left; forced when that is further
 * than normal for them, so all are of one speed. Nothing is written when there is no such path or
 * no room. */
void wl_add_item(struct wl_offer *o, const struct wl_paths *paths, unsigned town, uint64_t units,
                 unsigned min, unsigned max, unsigned need, size_t bytes);
/* The same for some unit of any speed: all paths it may take, forced marches if far. */
void wl_add_items(struct wl_offer *o, const struct wl_paths *paths, unsigned town, uint64_t units,
                  bool far, unsigned need, size_t bytes);
/* The member "routes" with a choice of paths for each of the units, legal whatever is picked.
 * False: there is no room for that, on the roads or in the bytes, and nothing was written. */
bool wl_add_free_routes(struct wl_offer *o, const struct wl_paths *paths, unsigned town,
                        uint64_t units, size_t bytes);

/* Forms by step; in every one what leads on comes first, then what fits. */
void wl_offer_setup(struct wl_offer *o);
void wl_offer_move(struct wl_offer *o);
void wl_offer_response(struct wl_offer *o);
void wl_offer_allot(struct wl_offer *o);
void wl_offer_deploy(struct wl_offer *o);
void wl_offer_routs(struct wl_offer *o);
void wl_offer_combat(struct wl_offer *o);
void wl_offer_supply(struct wl_offer *o);

/* Battles in which the seat has routes to give after a rout (W13.6), as a set of towns. */
uint64_t wl_own_routs(const struct state *s, unsigned seat);
/* Battles that wait for this seat to deploy now (W6.2, W6.3, W18.6), as a set of towns. */
uint64_t wl_own_deployments(const struct state *s, unsigned seat);
/* Units of the seat that may take a hit of the stage being allotted (W5.9). */
uint64_t wl_allottable(const struct state *s, unsigned seat);
/* Attacked towns that this seat has still to answer (W5.2), as a set of towns. */
uint64_t wl_own_answers_due(const struct state *s, unsigned seat);
/* The member "prompt" for a seat in to_act. */
void wl_write_prompt(const struct state *s, unsigned seat, struct buf *out);

#endif
