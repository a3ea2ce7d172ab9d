/* common/rules/waterloo/position.h: what the files that read a position share. */
#ifndef VEDETTE_COMMON_RULES_WATERLOO_POSITION_H
#define VEDETTE_COMMON_RULES_WATERLOO_POSITION_H

#include "common/base/jsonr.h"
#include "common/rules/waterloo/wl.h"

enum { WL_CT_MAX = 10000 };

/* A position half read. Bit sets of units say what was given for each. */
struct wl_reader {
    struct state *s;
    const cJSON *in;
    struct why *why;
    uint64_t listed;   /* in a text of `at` */
    uint64_t has_town; /* by `at`, `units`, or a place in a battle */
    uint64_t has_cv;
    uint64_t has_place; /* a place in a battle */
    uint64_t has_ct;    /* an advance with its CT */
    uint64_t gone;
};

/* One unit of a text like "FR-A FR-B:2 FR-H@1". cv, ct: 0 where not given. */
struct wl_pos_token {
    unsigned unit, cv, ct;
};

/* Takes the next unit off *text. False: at the end. err: a text that is not of that form. */
bool wl_pos_next_token(struct wl_reader *r, const char **text, const char *member, bool may_ct,
                       struct wl_pos_token *out, enum err *out_err);
/* Indices of ids, with the refusal where there is no such thing. */
enum err wl_pos_town(struct wl_reader *r, const char *id, const char *member,
                     unsigned *out) VD_CHECKED;
enum err wl_pos_unit(struct wl_reader *r, const char *id, const char *member,
                     unsigned *out) VD_CHECKED;
enum err wl_pos_seat(struct wl_reader *r, const char *id, const char *member,
                     unsigned *out) VD_CHECKED;
/* The town, CV of a unit, each once; a second town must be the same. */
enum err wl_pos_give_town(struct wl_reader *r, unsigned unit, unsigned town,
                          const char *member) VD_CHECKED;
enum err wl_pos_give_cv(struct wl_reader *r, unsigned unit, unsigned cv,
                        const char *member) VD_CHECKED;
/* A set of ids as an array of strings, handed to add one by one; twice the same is refused. */
typedef enum err wl_pos_add_fn(struct wl_reader *r, void *ctx, const char *id, const char *member);
enum err wl_pos_set(struct wl_reader *r, const cJSON *object, const char *name, wl_pos_add_fn *add,
                    void *ctx) VD_CHECKED;
/* {road: count}, none above its capacity. */
enum err wl_pos_ledger(struct wl_reader *r, const cJSON *object, const char *name,
                       uint8_t *ledger) VD_CHECKED;
/* The bit of a set: for wl_pos_set, refuses what is there already. */
enum err wl_pos_add_road(struct wl_reader *r, void *set, const char *id, const char *member);
enum err wl_pos_add_town(struct wl_reader *r, void *set, const char *id, const char *member);
enum err wl_pos_add_seat(struct wl_reader *r, void *set, const char *id, const char *member);
enum err wl_pos_add_unit(struct wl_reader *r, void *set, const char *id, const char *member);

/* An item {unit, path, forced}: the unit and its route from the town where it stands, joined by
 * roads, no town twice, as long as W4.4 lets it be (W4.5). Whether it is legal beside others is not
 * asked. */
enum err wl_pos_item(struct wl_reader *r, const cJSON *item, const char *member, unsigned *out_unit,
                     struct wl_route *out_route) VD_CHECKED;

/* position_fights.c: the members attacks, pursuit, pursuit_loss; battles, ct, won_at. */
enum err wl_pos_attacks(struct wl_reader *r) VD_CHECKED;
enum err wl_pos_pursuit(struct wl_reader *r) VD_CHECKED;
enum err wl_pos_pursuit_loss(struct wl_reader *r) VD_CHECKED;
enum err wl_pos_ct(struct wl_reader *r) VD_CHECKED;
enum err wl_pos_won_at(struct wl_reader *r) VD_CHECKED;
/* Before the units that are named nowhere have a place, and after. */
enum err wl_pos_battles(struct wl_reader *r) VD_CHECKED;
enum err wl_pos_finish_battles(struct wl_reader *r) VD_CHECKED;

#endif
