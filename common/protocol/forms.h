/* common/protocol/forms.h: action forms (PROTOCOL section 5): one legal action picked from what a
 * seat is offered. */
#ifndef VEDETTE_COMMON_PROTOCOL_FORMS_H
#define VEDETTE_COMMON_PROTOCOL_FORMS_H

#include "common/base/err.h"

struct buf;
struct cJSON;

enum { FORMS_ITEMS_MAX = 256 }; /* elements of any_of and split, names of split */

/* Where choices come from: below(ctx, n) gives a number of 0 .. n - 1, n >= 1. The same numbers
 * give the same action. */
struct forms_random {
    unsigned (*below)(void *ctx, unsigned n);
    void *ctx;
};

/* Picks one action from form, appended to out_json as text: a form may be the whole array `actions`
 * of a view (one of its forms is picked), one entry of it, or any part of one.
 * INVALID_PARAMS: nothing can be picked from it (an empty choice, bounds that cannot be met); what
 * was appended until then is cut off again. TOO_LARGE: out_json is full or a list is too long. */
enum err forms_pick(const struct cJSON *form, const struct forms_random *random,
                    struct buf *out_json) VD_CHECKED;

#endif
