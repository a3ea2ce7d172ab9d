/* server/net/boards.c: finding a built-in file. */
#include "server/net/boards.h"

#include <string.h>

const struct board_file *boards_find_path(const char *path)
{
    for (size_t i = 0; i < board_files_count; i++) {
        if (strcmp(board_files[i].path, path) == 0) { return &board_files[i]; }
    }
    return NULL;
}

const struct board_file *boards_find_address(const char *address)
{
    for (size_t i = 0; i < board_files_count; i++) {
        if (strcmp(board_files[i].address, address) == 0) { return &board_files[i]; }
    }
    return NULL;
}
