/* as common/base/x.c, must fail arrows */
#include <uv.h>
