/* client-cli/waterloo/describe_view.h: prompts and views in sentences. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_DESCRIBE_VIEW_H
#define VEDETTE_CLIENT_CLI_WATERLOO_DESCRIBE_VIEW_H

#include <cjson/cJSON.h>

#include "client-cli/waterloo/wview.h"
#include "common/words/describe.h"

struct buf;

/* What is asked of the seat now, or whom the match waits for; lines ended by '\n'. */
void describe_prompt(struct buf *out, const struct wv *wv);
/* The position of a view: what stands where, drafts, battles. */
void describe_position(struct buf *out, const cJSON *view, const struct board *board);
/* The position and what is asked, for `show` and the plain mode. */
void describe_view(struct buf *out, const cJSON *view, const struct board *board);
/* The battle of a town as text lines. */
void describe_battle(struct buf *out, const struct wv *wv, const struct wv_battle *battle);

#endif
