/* client-cli/waterloo/orders.h: typed orders of Waterloo ("march FR-A FR-B beaumont charleroi") made into
 * actions. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_ORDERS_H
#define VEDETTE_CLIENT_CLI_WATERLOO_ORDERS_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "client-cli/face/face.h"
#include "client-cli/waterloo/wview.h"
#include "common/words/board.h"

struct buf;

/* Reads one order for the seat of view. True: out_action holds an action, or an array of actions to
 * be sent in one call. False: out_why holds a sentence. The server has the last word on what is
 * legal. */
bool orders_parse(const struct board *board, const cJSON *view, const char *text,
                  struct buf *out_action, struct buf *out_why);

/* The words of Waterloo, ended by NULL; states are bits per enum wv_state. */
extern const struct order_word order_words[];
/* How it is written, and what it does. */
const char *orders_usage(const struct order_word *word);
const char *orders_help(const struct order_word *word);
/* Whether the word has a place in the state of the view. */
bool orders_word_fits(const struct order_word *word, const struct wv *wv);

/* What could stand at the end of text: completions of its last word (or of the next, after a
 * blank), as text lines ended by '\n'. Returns the number of bytes of the last word. */
size_t orders_complete(const struct wv *wv, const char *text, struct buf *out_words);

/* What the forms of the view offer, as orders that one could type (choices_waterloo.c). */
void orders_choices(const struct wv *wv, face_add_fn *add, void *ctx);

/* The set-up that we propose: town[i] for wv->unit[i], BOARD_NONE where nothing is proposed
 * (setup.c). */
void setup_propose(const struct wv *wv, int out_town[WV_UNITS_MAX]);
/* The deployment that we propose for a battle: place[i] for wv->unit[i]: 0 reserve, 1..3 lane, -1
 * not of this battle or seat (bot_waterloo.c). */
void deploy_propose(const struct wv *wv, int town, bool attack, int out_place[WV_UNITS_MAX]);
void deploy_write(const struct wv *wv, int town, const int place[WV_UNITS_MAX],
                  struct buf *out_action);

#endif
