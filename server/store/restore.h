/* server/store/restore.h: a copy takes the place of a database, and looks at databases that a
 * daemon may hold. Blocking: for commands, in a process that does nothing else. */
#ifndef VEDETTE_SERVER_STORE_RESTORE_H
#define VEDETTE_SERVER_STORE_RESTORE_H

#include "common/base/err.h"
#include "server/store/store.h"

/* Puts a copy of backup in the place of database, which no daemon may hold, after mark has been
 * called with the path of that copy, to be opened by store_open and closed again. What was there is
 * kept beside it, as out_kept names it ("": nothing was). At every moment either the old or the new
 * one is there, whole. CONFLICT: a daemon holds it; out_error: a sentence. */
enum err store_restore(const char *backup, const char *database,
                       enum err (*mark)(void *ctx, const char *copy, char error[256]), void *ctx,
                       char out_kept[512], char out_error[256]) VD_CHECKED;

/* Runs read on a connection of its own, in a transaction, also while a daemon holds the file.
 * CONFLICT: its version is not this program's. out_error: a sentence, unless it is read's error. */
enum err store_peek(const char *path, store_op_fn *read, void *data,
                    char out_error[256]) VD_CHECKED;
/* The same for what writes: as one transaction, between those of the daemon. Nothing that the
 * daemon keeps in memory may be changed so. */
enum err store_poke(const char *path, store_op_fn *write, void *data,
                    char out_error[256]) VD_CHECKED;
/* For what a daemon would keep in memory: where one holds the file out_served is true, and nothing is
 * done; else the file is held as by a daemon while it is written. */
enum err store_alter(const char *path, store_op_fn *write, void *data, bool *out_served,
                     char out_error[256]) VD_CHECKED;

#endif
