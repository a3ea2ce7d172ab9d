/* as client-cli/play/play.c, must fail arrows */
#include "common/rules/game.h"
