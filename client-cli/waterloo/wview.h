/* client-cli/waterloo/wview.h: a Waterloo view taken apart into plain arrays: what orders, pictures and bots
 * look at. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_WVIEW_H
#define VEDETTE_CLIENT_CLI_WATERLOO_WVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/words/board.h"

enum { WV_UNITS_MAX = 48, WV_BATTLES_MAX = 16, WV_ID_MAX = 8, WV_PATH_MAX = 3 };
enum wv_nation { WV_FR, WV_AD, WV_PR, WV_NATIONS };
enum wv_side { WV_SIDE_FR, WV_SIDE_AL };
enum wv_type { WV_INFANTRY, WV_CAVALRY, WV_FOOT, WV_HORSE };
enum wv_place { WV_FREE, WV_UNDEPLOYED, WV_COLUMN, WV_ADVANCED, WV_RESERVE, WV_ROUTED };
enum wv_state {
    WV_SETUP_ALLIED,
    WV_SETUP_FRENCH,
    WV_MOVE,
    WV_RESPOND,
    WV_PURSUIT_LOSS,
    WV_DEPLOY_DEF,
    WV_DEPLOY_ATT,
    WV_COMBAT,
    WV_SUPPLY,
    WV_GAME_OVER,
    WV_UNKNOWN
};
extern const char *const wv_nation_ids[WV_NATIONS];
extern const char *const wv_state_ids[];

/* A unit whose secrets the viewer shares. */
struct wv_unit {
    char id[WV_ID_MAX];
    enum wv_nation nation;
    enum wv_type type;
    int cv, town; /* town BOARD_NONE: not placed */
    int marked_until;
    enum wv_place place;
    int battle;  /* town of it, where place is not WV_FREE */
    int drafted; /* length of the draft, 0: none */
    int path[WV_PATH_MAX];
    bool mine; /* the viewer's seat commands it */
    bool marched, forced;
};
/* A unit of a battle that is known: ours, or theirs in a lane. */
struct wv_fighter {
    char id[WV_ID_MAX];
    enum wv_nation nation;
    enum wv_type type;
    int cv, advanced_ct, moves;
    int lane; /* 0: reserve */
    bool def, square, fired;
};
struct wv_battle {
    int town;
    char phase; /* 'd' deploy, 'f' fight, 'o' over */
    bool we_attack;
    int fighters;
    struct wv_fighter fighter[WV_UNITS_MAX];
    int hidden[2][4][WV_NATIONS];     /* [0 att, 1 def][lane, 0 reserve] */
    int undeployed[2][WV_NATIONS];    /* known or not */
    int engaged_by[4], engaged_ct[4]; /* lane 1..3: 0 none, 1 att, 2 def */
    int idle_rounds;
    unsigned rout;            /* 0 none, 1 att, 2 def has routes to give */
    uint64_t attack_roads[2]; /* bit set of roads */
    uint64_t closed;          /* towns closed to the rout */
};
struct wv {
    const struct board *board;
    const cJSON *view, *json; /* the view and its board member: borrowed */
    char seat[16];
    enum wv_side side; /* of the seat; of a watcher WV_SIDE_FR */
    bool player;       /* a seat, not a watcher */
    unsigned mine;     /* bit per nation that the seat commands */
    enum wv_state state;
    int slot, of;
    enum wv_side phasing;
    bool night, to_act;
    char prompt[32];
    int units;
    struct wv_unit unit[WV_UNITS_MAX];
    int count[BOARD_TOWNS_MAX][WV_NATIONS], marked[BOARD_TOWNS_MAX][WV_NATIONS];
    int left[WV_NATIONS], surrenders_at[WV_NATIONS];
    bool surrendered[WV_NATIONS];
    int road_used[BOARD_ROADS_MAX];       /* of the movement step */
    int retreat_used[2][BOARD_ROADS_MAX]; /* by side */
    int ct_n;
    bool ct_att;
    int battles;
    struct wv_battle battle[WV_BATTLES_MAX];
    uint64_t attacked; /* bit set of towns under attack (or that our drafts would attack) */
};

/* Takes view apart. board and view are borrowed for as long as out_wv is used. False: no Waterloo
 * view. */
bool wv_read(const struct board *board, const cJSON *view, struct wv *out_wv);
/* Index of the unit of that id without regard to case, or -1; a code without its nation ("A", "k")
 * is taken where the seat has one nation. */
int wv_find(const struct wv *wv, const char *id);
enum wv_side wv_side_of(enum wv_nation nation);
bool wv_nation_of(const char *id, enum wv_nation *out_nation);
/* Units of a side in a town. */
int wv_count(const struct wv *wv, int town, enum wv_side side);
/* Towns that hold units of that side. */
uint64_t wv_towns_of(const struct wv *wv, enum wv_side side);
/* The battle in that town, or NULL. */
const struct wv_battle *wv_battle_at(const struct wv *wv, int town);
const struct wv_fighter *wv_fighter_of(const struct wv_battle *battle, const char *id);
/* Towns that a march of its normal length passes (W4.4). */
static inline int wv_reach(enum wv_type type)
{
    return type == WV_CAVALRY || type == WV_HORSE ? 2 : 1;
}
static inline bool wv_is_artillery(enum wv_type type)
{
    return type == WV_FOOT || type == WV_HORSE;
}
/* Room left on a road in the movement step, or for retreats of a side. */
int wv_room(const struct wv *wv, int road);
int wv_retreat_room(const struct wv *wv, enum wv_side side, int road);

#endif
