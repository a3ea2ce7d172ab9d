/* common/words/phrases.h: names and lists as they stand in sentences: towns and units with their
 * forms, counts, ways, dice. */
#ifndef VEDETTE_COMMON_WORDS_PHRASES_H
#define VEDETTE_COMMON_WORDS_PHRASES_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/words/board.h"

/* A list that grows: "A", "A and B", "A, B and C". */
struct phrase_list {
    struct buf head, last, work;
    int items;
};
void phrase_list_init(struct phrase_list *list);
void phrase_list_finish(struct phrase_list *list);
void phrase_list_add(struct phrase_list *list, const char *item);
/* Appends the list; "none" in the language where it is empty. and: an "and" before the last. */
void phrase_list_say(struct phrase_list *list, bool and, struct buf *out);
/* The same with the message id between the last and what stands before it. */
void phrase_list_join(struct phrase_list *list, const char *id, struct buf *out);

/* A town: form "" its name, in, from, to, on, by (schema/words/README.md). */
void phrase_town(struct buf *out, const struct board *board, const char *town, const char *form);
/* A unit by name and code: form "" its name, the, at, own, more. */
void phrase_unit(struct buf *out, const char *unit, const char *form);
/* A side, nation or seat. */
void phrase_side(struct buf *out, const char *side);
/* Units by name, those that the viewer (a seat; NULL: nobody) commands as its own. units: unit ids
 * in an array. */
void phrase_units(struct buf *out, const cJSON *units, const char *viewer);
/* "two Anglo-Dutch units and one Prussian unit" of {nation: n}. */
void phrase_counts(struct buf *out, const cJSON *counts);
void phrase_dice(struct buf *out, const cJSON *dice);
/* "from Charleroi through Laneffe to Ligny" of an item or group; from where it names no start. */
void phrase_way(struct buf *out, const struct board *board, const cJSON *item, const char *from);
/* Whether that seat commands the unit or nation, and not its ally. */
bool phrase_owns(const char *viewer, const char *unit);
/* "own" where the viewer's side is that of seat or side code; "enemy" where it is the other;
 * "other" where the viewer has none. */
const char *phrase_view(const char *viewer, const char *side);
/* The same of a seat: an ally is told of like anybody. */
const char *phrase_view_of_seat(const char *viewer, const char *seat);

#endif
