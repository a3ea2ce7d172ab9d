/* common/words/board.h: the map of a game of towns and roads, from the server's board data, with
 * ways across it. */
#ifndef VEDETTE_COMMON_WORDS_BOARD_H
#define VEDETTE_COMMON_WORDS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

enum {
    BOARD_TOWNS_MAX = 64,
    BOARD_ROADS_MAX = 128,
    BOARD_NAME_MAX = 33,
    BOARD_TOWN_NAME_MAX = 97,
    BOARD_DEGREE_MAX = 16,
    BOARD_SLOTS_MAX = 64,
    BOARD_NONE = -1
};
enum board_zone { ZONE_FRANCE, ZONE_ANGLO, ZONE_PRUSSIAN };
struct board_town {
    char id[BOARD_NAME_MAX];
    char name[BOARD_TOWN_NAME_MAX]; /* in the language that is spoken */
    char given[BOARD_NAME_MAX];     /* as the board data has it */
    int lat, lon;                   /* thousandths of a degree */
    enum board_zone zone;
    unsigned supply; /* bit per nation, FR AD PR */
    unsigned degree;
    int town[BOARD_DEGREE_MAX], road[BOARD_DEGREE_MAX]; /* neighbours */
};
struct board_road {
    char id[2 * BOARD_NAME_MAX];
    int a, b;
    bool major, river;
};
struct board {
    unsigned towns, roads;
    struct board_town town[BOARD_TOWNS_MAX];
    struct board_road road[BOARD_ROADS_MAX];
    unsigned slots; /* of the time record */
    struct board_slot {
        char date[12], part[16];
    } slot[BOARD_SLOTS_MAX];
};

/* Reads the board data of schema/games/<game>/board.json, towns by their names in the language that
 * is spoken. False: it is not that. */
bool board_read(const cJSON *json, struct board *out_board);
/* The same of a game whose board this program has; of another the board is empty. */
void board_of_game(const char *game, struct board *out_board);
/* Index of the town of that id, or of that name (given or in the language that is spoken) without
 * regard to case, blanks, hyphens and dots, or the only one whose id or name begins so; BOARD_NONE.
 */
int board_town(const struct board *board, const char *text);
/* By exact id alone. */
int board_town_id(const struct board *board, const char *id);
int board_road_id(const struct board *board, const char *id);
/* The road between two towns, BOARD_NONE. */
int board_road_between(const struct board *board, int a, int b);
/* The name for players; the id itself where it is unknown. */
const char *board_name(const struct board *board, const char *id);
/* Units that a road takes (W4.6, W4.7). */
int board_capacity(const struct board *board, int road);

/* Roads from a town to every other: out[t] = number of roads, or 99. closed: bit set of towns that
 * may be entered but not passed. */
void board_distances(const struct board *board, int from, uint64_t closed,
                     int out[BOARD_TOWNS_MAX]);

#endif
