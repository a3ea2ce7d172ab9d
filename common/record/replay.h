/* common/record/replay.h: the lines of a record played again by the rules of its game. */
#ifndef VEDETTE_COMMON_RECORD_REPLAY_H
#define VEDETTE_COMMON_RECORD_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/record/record.h"
#include "common/rules/game.h"

struct replay;

/* Before line 1. record and its lines are borrowed for the replay's life. INVALID_PARAMS: the game
 * does not give these seats or does not play these rules. out_replay: for replay_destroy. */
enum err replay_create(const struct record *record, const struct game *game,
                       struct replay **out_replay, struct why *out_why) VD_CHECKED;
void replay_destroy(struct replay *take_replay);

/* Plays the next line, as the host that wrote it had to: the draws from the stream, each mask from
 * its own number, an undo by playing what stands on top again. INVALID_PARAMS: the line says
 * something else, or the rules refuse it; why says which. INTERNAL: memory. */
enum err replay_next(struct replay *replay, struct why *out_why) VD_CHECKED;

/* Number of the line that replay_next will play; the record's count at its end. */
uint64_t replay_at(const struct replay *replay);
bool replay_is_over(const struct replay *replay);
/* False: the match was ended by the host's word, and its result does not follow from the rules. */
bool replay_result_follows(const struct replay *replay);
/* Of the last line: what it told whom, the viewers it told anything, and each one's seq after it.
 */
const struct events *replay_events(const struct replay *replay);
uint32_t replay_told(const struct replay *replay);
uint64_t replay_seq(const struct replay *replay, unsigned viewer);
/* The state after the last line, the record's game. */
const struct state *replay_state(const struct replay *replay);
/* A viewer by its name ("FR", "public", "all"), -1: none. */
int replay_viewer(const struct replay *replay, const char *name);

#endif
