/* server/net/boards.h: the static data of the games, built into the daemon (boards.py makes the
 * table). */
#ifndef VEDETTE_SERVER_NET_BOARDS_H
#define VEDETTE_SERVER_NET_BOARDS_H

#include <stddef.h>

struct board_file {
    const char *path; /* "waterloo/board.json", below schema/games */
    const char
        *address;     /* "/games/waterloo/board.1f2e3d4c5b6a7988.json": changes with the content */
    const char *type; /* its media type */
    const char *etag, *gzip_etag; /* with their quotes */
    const char *bytes;
    size_t n;
    const char *gzip; /* the same, packed */
    size_t gzip_n;
};

extern const struct board_file board_files[];
extern const size_t board_files_count;

/* By path, by address; NULL: there is none. */
const struct board_file *boards_find_path(const char *path);
const struct board_file *boards_find_address(const char *address);

#endif
