/* server/store/person.h: all that is stored about a person, table by table: to be given to him, and
 * to be erased. A table with an account in it has its line in person.c, or a test fails. */
#ifndef VEDETTE_SERVER_STORE_PERSON_H
#define VEDETTE_SERVER_STORE_PERSON_H

#include "common/base/err.h"
#include "server/base/ids.h"

struct buf;
struct db;

/* Members of an object, a table each, every one an array: what other files of this folder do not
 * write. Nothing in it opens anything: no hash, no secret, no address of a push service. */
void person_write(struct db *db, const struct account_id *account, struct buf *out);
/* Erases what is the person's alone; what others need stays and names nobody: seats, lines, who had
 * a seat when. Messages stay without their text. */
enum err person_erase(struct db *db, const struct account_id *account) VD_CHECKED;

#endif
