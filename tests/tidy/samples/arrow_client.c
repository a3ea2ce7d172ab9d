/* as client-cli/play.c, must fail arrows */
#include "common/rules/game.h"
