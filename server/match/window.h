/* server/match/window.h: the lines of a match that can still be taken back, and what stands behind
 * them (DESIGN 4). */
#ifndef VEDETTE_SERVER_MATCH_WINDOW_H
#define VEDETTE_SERVER_MATCH_WINDOW_H

#include "server/match/core.h"

/* Makes the entry for a line by core_act, and room for it. scratch->text is the action,
 * scratch->events what it told. INTERNAL: memory. out_line->action is NULL where the line needs no
 * entry. */
enum err window_prepare(struct core *core, const struct core_step *step,
                        const struct scratch *scratch, struct window_line *out_line) VD_CHECKED;
/* Takes the entry; core->state must still be the one before the line. A line that drew empties the
 * window: no undo reaches behind it (FAIRNESS 4). */
void window_add(struct core *core, const struct core_step *step,
                const struct window_line *take_line);
/* Drops what nobody can take back any more from the front; base moves on. Not within a list, which
 * may have to be taken back as a whole. */
void window_trim(struct core *core, struct scratch *scratch);
/* The state without the seat's last own action: base with all other lines on top. False: the seat
 * has none that can be taken back, or what others did since would go otherwise. */
bool window_without(const struct core *core, struct scratch *scratch, unsigned seat,
                    struct state *out_state, uint32_t *out_index);
void window_remove(struct core *core, uint32_t index);
/* Back to the first count entries. */
void window_cut(struct core *core, uint32_t count);
void window_clear(struct core *core);

#endif
