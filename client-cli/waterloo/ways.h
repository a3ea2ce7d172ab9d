/* client-cli/waterloo/ways.h: paths of marches and retreats that the rules would take, with room on roads
 * counted down. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_WAYS_H
#define VEDETTE_CLIENT_CLI_WATERLOO_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "client-cli/waterloo/wview.h"

struct buf;

struct way {
    int len;
    int path[WV_PATH_MAX];
    bool forced;
};
/* Where a set of units may go, one after another. */
struct ways {
    const struct wv *wv;
    int room[BOARD_ROADS_MAX]; /* left on each road */
    uint64_t shut;             /* towns that may not be entered at all */
    uint64_t last;             /* towns that may be entered only as the end of a path */
    uint64_t first[2];         /* roads by which the start may be left */
};

/* For marches of the movement step, drafts counted (W4.6-W4.8). peaceful: enemy towns are shut. */
void ways_init_march(struct ways *ways, const struct wv *wv, bool peaceful);
/* For retreats out of a town: in the response step (battle NULL; roads: the attack roads), out of a
 * battle, or after a rout (W12.5-W12.9, W13.6). */
void ways_init_retreat(struct ways *ways, const struct wv *wv, int town,
                       const struct wv_battle *battle, const uint64_t attack_roads[2]);
/* The way with the best score of its last town among those of at most the normal length (one more
 * with forced); a shorter one wins a tie. score[t] below 0: do not end there. False: there is none.
 */
bool ways_best(const struct ways *ways, int from, enum wv_type type, bool forced,
               const int score[BOARD_TOWNS_MAX], struct way *out_way);
/* The shortest way to that town. */
bool ways_to(const struct ways *ways, int from, enum wv_type type, bool forced, int to,
             struct way *out_way);
/* Whether exactly this path may be taken (room, closed towns, length; forced is set when it is
 * longer). */
bool ways_check(const struct ways *ways, int from, enum wv_type type, const int *path, int len,
                struct way *out_way);
/* Takes the room that way uses. */
void ways_use(struct ways *ways, int from, const struct way *way);
/* {"unit", "path", "forced"} appended to a JSON array. */
void ways_write(struct buf *out, const struct wv *wv, const char *unit, const struct way *way);
/* How good a town is to fall back to: far from the enemy, near friends and own bases. */
void ways_score_refuge(const struct wv *wv, int from, int out_score[BOARD_TOWNS_MAX]);
/* The attack roads of an attacked town, from the view's attacks. */
void ways_attack_roads(const struct wv *wv, int town, uint64_t out_roads[2]);

#endif
