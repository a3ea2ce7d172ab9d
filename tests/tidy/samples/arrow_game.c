/* as common/rules/waterloo/x.c, must fail arrows */
#include "common/rules/eylau/x.h"
