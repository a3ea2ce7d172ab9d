/* as server/lobby/x.c, must fail arrows */
#include <sqlite3.h>
