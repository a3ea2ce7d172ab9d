/* common/rules/game.h: a game seen from outside. Its folder alone knows the body of its state. */
#ifndef VEDETTE_COMMON_RULES_GAME_H
#define VEDETTE_COMMON_RULES_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "common/rules/events.h"

struct buf;
struct cJSON; /* parsed JSON in normal form: borrowed, hostile */
struct dice;
struct state; /* one flat block, no pointers, no padding: memcpy is a snapshot, memcmp a test */

enum { SEATS_MAX = 3, VIEWER_PUBLIC = SEATS_MAX, VIEWER_ALL, VIEWERS }; /* first the seats */
enum leave { LEAVE_RESIGNED, LEAVE_OUT_OF_TIME, LEAVE_STRUCK, LEAVE_AWAY };

struct game {
    const char *name;  /* "waterloo": folder, database key, name on the wire */
    const char *about; /* JSON: title, options, conditions of orders, questions of ask, and
                        * "board": path of the board data below /games/ */
    uint32_t rules_first, rules_now; /* versions this code plays; a match keeps its own */
    size_t state_bytes;              /* the host allocates, zeroes and copies; a game never does */
    bool early_draw;                 /* may draw before every seat has acted (FAIRNESS 3) */
    /* Fills in defaults and refuses what is not an option: the options in full normal form, as the
     * header will hold them. INVALID_PARAMS names the member. */
    enum err (*options)(const struct cJSON *options, struct buf *out_json, struct why *out_why);
    /* Number and codes of the seats that these (full) options give. */
    unsigned (*seats)(const struct cJSON *options, const char *out_codes[SEATS_MAX]);
    enum err (*create)(const struct cJSON *options, uint32_t rules, struct dice *dice,
                       struct state *out_state, struct events *out_events, struct why *out_why);
    /* Bit i set: seat i may act now. 0: the match is over, and result says how. */
    uint32_t (*to_act)(const struct state *state);
    /* Those of to_act that the match stands still for: clocks and notices follow them. */
    uint32_t (*waits_for)(const struct state *state);
    /* Both as this viewer may see them (Waterloo W20.3): for views, summaries and lists. */
    void (*shown)(const struct state *state, unsigned viewer, uint32_t *out_to_act,
                  uint32_t *out_waits_for);
    /* Action forms of seat, a JSON array. No dice here nor in view and ask: looking changes
     * nothing. */
    void (*actions)(const struct state *state, unsigned seat, struct buf *out_json);
    /* The only way a state changes, with leave. The host passes copies, dropped on failure. Whether
     * it is refused never depends on what seat may not know.
     * ILLEGAL_ACTION (why->rule), NOT_YOUR_TURN (why->rule), INVALID_PARAMS (why->member): refused.
     */
    enum err (*apply)(struct state *state, unsigned seat, const struct cJSON *action,
                      struct dice *dice, struct events *out_events, struct why *out_why);
    enum err (*leave)(struct state *state, unsigned seat, enum leave how, struct dice *dice,
                      struct events *out_events);
    /* All seats have agreed to end the match here: to_act becomes 0, nobody has won, and what the
     * step held back is told as when a seat leaves. No dice. NULL: the state stays as it is. */
    void (*stop)(struct state *state, struct events *out_events);
    /* Members of the view object, without braces: "state", "turn", "to_act", "waits_for", "prompt"
     * (only for a seat in to_act), "board". The host adds the others (PROTOCOL 5). */
    void (*view)(const struct state *state, unsigned viewer, struct buf *out_members);
    /* What viewer could work out itself: reach, capacity left, odds. The same for both twins. */
    enum err (*ask)(const struct state *state, unsigned viewer, const struct cJSON *question,
                    struct buf *out_json, struct why *out_why);
    /* The action that orders (NULL: a caretaker's harmless one) give seat now: that of the first
     * order that fits the state as the seat knows it and is legal in it. Orders speak of decisions
     * that interrupt alone. NOT_FOUND: none fits, the seat is asked. */
    enum err (*obey)(const struct state *state, unsigned seat, const struct cJSON *orders,
                     struct buf *out_action);
    void (*result)(const struct state *state, struct buf *out_json); /* winners, degree, points */
    /* The whole state as JSON, for cases, starts and bug reports; never sent in play. */
    void (*position_write)(const struct state *state, struct buf *out_json);
    enum err (*position_read)(const struct cJSON *options, const struct cJSON *in,
                              struct state *out_state, struct why *out_why);
    /* Another state, drawn by dice, that differs only in what viewer may not know, and the names
     * its hidden pieces have there: {"FR-A": "FR-K"}, to rename the other seats' actions. */
    void (*twin)(const struct state *state, unsigned viewer, struct dice *dice,
                 struct state *out_twin, struct buf *out_names);
    /* NULL, or the name of a broken invariant; run on the copy after every line. */
    const char *(*check)(const struct state *state);
    /* The code of a seat as it is called now (Waterloo W18.9). NULL: always as of the options. */
    const char *(*seat_code)(const struct state *state, unsigned seat);
    /* The position with all its defaults, for cases to be compared with. NULL: position_write's. */
    void (*position_full)(const struct state *state, struct buf *out_json);
    /* In cases a string stands for an object in whose first member of these names it is found:
     * "2214" for {"hex": "2214", ...}. Ended by NULL; NULL: none. */
    const char *const *shorthand_members;
    /* Names of the members that match as wholes in answers. Ended by NULL; NULL: none. */
    const char *const *whole_members;
    /* Names of the members whose arrays of ids are sets: in cases they match as wholes, in any
     * order. Ended by NULL; NULL: none. */
    const char *const *set_members;
    /* The rule that says which members an action has: cases name it where the form is wrong. */
    const char *form_rule;
    /* The name of the step as everybody may know it, for spans of clocks and for notices: "set_up",
     * "move", "respond", "deploy", "combat", "supply", "over". It changes only by a line that tells
     * the public something. NULL: the game has no names for its steps. */
    const char *(*phase)(const struct state *state);
    /* Seats whose decision is asked of them amid what another is doing, as everybody may know it
     * (Waterloo: response, deployment of the defender, routes after a rout, supply). NULL: none. */
    uint32_t (*interrupts)(const struct state *state);
    /* What is asked of the seat so, a bit for each thing, by public facts alone; 0: nothing. Time
     * for an answer counts from when a bit is new. NULL: bit 0 while interrupts names the seat. */
    uint64_t (*asked)(const struct state *state, unsigned seat);
    /* Whether these are standing orders that obey takes from the seat: a list in normal form, whose
     * items are {"when", "do"} as `conditions` of about say. INVALID_PARAMS: why->member names what
     * is wrong, as "orders[2].when.in". NULL: the game takes none. */
    enum err (*orders)(const struct state *state, unsigned seat, const struct cJSON *orders,
                       struct why *out_why);
    /* Whether these two seats may speak apart from the others now (Waterloo W18.2). NULL: always.
     */
    bool (*may_talk)(const struct state *state, unsigned seat_a, unsigned seat_b);
    /* The next turn after this one in which they may, as an object of the turn's members in a view
     * ("slot", "date", "part", "side", "night"): data for clients to put into words. False: nothing
     * was written, for they never may (again). Seats that may not talk and never may have no
     * channel of their own. NULL: none. */
    bool (*next_talk)(const struct state *state, unsigned seat_a, unsigned seat_b,
                      struct buf *out_json);
    /* The rule that a closed channel rests on. NULL: none. */
    const char *talk_rule;
    /* Bit of each seat that fights on the same side as this one in a match of so many seats,
     * without itself. NULL: nobody has an ally. */
    uint32_t (*allies)(unsigned seats, unsigned seat);
    /* How many turns of the sides have begun, as everybody may know it: what happens is shown to
     * delayed spectators so many of them later. Rises only by a line that tells the public
     * something. NULL: the game has no turns, and delayed spectators see nothing before its end. */
    uint32_t (*turn)(const struct state *state);
    /* Turns a copy of the state, in which the seat may not act, into one as if its next turn began
     * now: for drafts made while one waits. What it makes of it rests only on what the seat may
     * know, the same for both twins, and quiet actions can be done and views and answers be had of
     * it. False, and the copy means nothing: it has no turn to think of now. NULL: never. */
    bool (*plan)(struct state *state, unsigned seat);
    /* The actions ("do") that may be tried on such a state; none of them draws or seals. Ended by
     * NULL; NULL: none. */
    const char *const *planned;
};

/* All games of this build, ended by NULL (registry.c). */
extern const struct game *const games[];
/* The game of that name, or NULL. */
const struct game *game_find(const char *name);

#endif
