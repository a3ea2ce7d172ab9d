/* common/rules/case.h: runs one case: a position, actions, and what must come of them. */
#ifndef VEDETTE_COMMON_RULES_CASE_H
#define VEDETTE_COMMON_RULES_CASE_H

#include <stdbool.h>

struct buf;
struct cJSON;

/* Brings the case to normal form, plays it and compares. True: all is as it says. Else out_why gets
 * a sentence about the first thing that is not. A case that cannot be read fails, too; a position,
 * an action or a question without a normal form is refused with invalid_params. */
bool case_run(struct cJSON *json, struct buf *out_why);

#endif
