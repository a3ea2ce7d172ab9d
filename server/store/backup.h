/* server/store/backup.h: a copy of a database in use, whole and consistent. */
#ifndef VEDETTE_SERVER_STORE_BACKUP_H
#define VEDETTE_SERVER_STORE_BACKUP_H

#include "common/base/err.h"

/* Copies the database at path to the new file to, also while a daemon writes. The copy holds the
 * secrets of running matches, as the original does. CONFLICT: to exists. out_error: a sentence. */
enum err store_backup(const char *path, const char *to, char out_error[256]) VD_CHECKED;

#endif
