/* server/store/once.h: one operation on a database from a command, whether a daemon serves the file
 * or not (DESIGN 11). */
#ifndef VEDETTE_SERVER_STORE_ONCE_H
#define VEDETTE_SERVER_STORE_ONCE_H

#include <stdbool.h>

#include "common/base/err.h"
#include "server/store/store.h"

/* Runs op in a transaction of its own, blocking, and closes the file again. Where no daemon holds
 * it the file is made and migrated as a daemon would; where one does, it must have the version of
 * this program, and the daemon goes on: it waits for the few milliseconds that this takes. Anything
 * but ERR_OK takes all back and is handed on. out_served: a daemon holds the file. out_error: a
 * sentence where the file cannot be had (STORAGE_FAILED); else left alone. */
enum err store_once(const char *path, store_op_fn *op, void *data, bool *out_served,
                    char out_error[256]) VD_CHECKED;

#endif
