/* server/match/notices.h: what players are told outside of their clients, as lines cause it.
 *
 * All of it follows from what the public is shown, lines and offers that everybody is told of; a
 * quiet line makes no notice, cancels none and moves none. So neither that one comes nor when tells
 * more than a spectator of all seats could see. Each is written in the transaction of the line that
 * caused it, and looked at again when it is due (courier.h). */
#ifndef VEDETTE_SERVER_MATCH_NOTICES_H
#define VEDETTE_SERVER_MATCH_NOTICES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/store/outbox.h"

struct flight;
struct match;
struct matches;
struct store_unit;

/* Notes that the flight tells whoever holds the seat something (number: outbox.h), for reminders
 * and the rest of the ladder, and for offers. data: JSON in normal form, "{}" for none, shorter
 * than sizeof(notice_note.data): for NOTICE_REMINDER, _LATE and _CLAIM {"deadline":MS},
 * for _CLAIM and _OFFER also {"seat":CODE} whom it is about, for _OFFER {"what":W}. INTERNAL:
 * memory; then the flight must not be sent. */
enum err notices_note(struct flight *flight, enum notice_kind kind, unsigned seat, uint64_t number,
                      const char *data) VD_CHECKED;

/* Adds to the unit of a flight what it tells. After offers_send. */
void notices_send(struct matches *matches, struct match *match, struct flight *flight,
                  struct store_unit *unit);
/* The flight is durable: whoever sends notices looks at the clock again. */
void notices_landed(struct matches *matches, struct flight *flight);
/* Frees what the flight carries of notices. */
void notices_forget(struct flight *flight);

#endif
