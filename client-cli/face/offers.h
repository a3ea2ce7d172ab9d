/* client-cli/face/offers.h: offers of a match in sentences: what is offered, by whom, what a rewind
 * takes back. */
#ifndef VEDETTE_CLIENT_CLI_FACE_OFFERS_H
#define VEDETTE_CLIENT_CLI_FACE_OFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "client-cli/face/face.h"

struct buf;

/* An open offer of match.get or match.changed, for who has that seat ("" : a watcher); lines ended
 * by '\n'. The last says how to answer it, with those words; answer NULL: no such line. */
void describe_offer(struct buf *out, const cJSON *offer, const char *seat, const char *answer);
/* What became of one that was open (member closed of match.changed). "" where the event of the step
 * says it. */
void describe_closed(struct buf *out, const cJSON *closed, const char *seat);
/* Steps of a history as that viewer was told them, each line with its number. lost NULL, or that of
 * an offer: steps in which something hidden came out are marked, and a last line says what the mark
 * means. */
void describe_steps(struct buf *out, const cJSON *steps, const cJSON *lost, const struct face *face,
                    const char *viewer);
/* The first step that a rewind would take back, 0: it is no offer of rewind. */
int64_t offer_lost_from(const cJSON *offer);
/* Whether that seat's answer is awaited. */
bool offer_awaits(const cJSON *offer, const char *seat);
int64_t offer_number(const cJSON *offer);

#endif
