/* as server/match/x.c, must fail arrows */
#include "server/net/session.h"
