/* server/match/core.h: one match as a pure thing: its newest state, its chain, what each viewer was
 * told, undo. */
#ifndef VEDETTE_SERVER_MATCH_CORE_H
#define VEDETTE_SERVER_MATCH_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/base/hash.h"
#include "common/base/why.h"
#include "common/dice/dice.h"
#include "common/rules/events.h"
#include "common/rules/game.h"
#include "server/base/ids.h"
#include "server/store/matches.h"

struct cJSON;
struct line_host;
struct msg;

/* No I/O, no clock, no globals: it runs on the loop thread for live play and on a reader's thread
 * when a match is loaded or its history is told; one core is used by one thread at a time. */

enum {
    CORE_UNDO_MAX = 64,    /* own actions that a seat can take back one after another */
    CORE_WINDOW_MAX = 4096 /* lines that may stand behind the oldest one that can be taken back */
};

/* Scratch space of a thread, used again for every line: what the last line drew, told, and its
 * bytes. */
struct scratch {
    struct dice dice;
    struct events events;
    struct buf line, text;
    struct state *work; /* room for the largest state seen */
    size_t work_bytes;
};
void scratch_init(struct scratch *scratch);
void scratch_finish(struct scratch *scratch);

/* One line that may still be taken back, or stands behind one that may. */
struct window_line {
    uint64_t n, mask;     /* its number, and the m it drew masks with */
    uint64_t events_hash; /* of what it told to whom */
    uint32_t told;
    uint8_t seat;
    bool sealed;
    char *action; /* JSON */
};

/* Numbers, sorted by nothing, in an open table: which action ids the match has answered. */
struct idset {
    uint64_t *slots; /* 0: free */
    uint32_t count, cap;
};
bool idset_has(const struct idset *set, uint64_t id);
/* False: out of memory. */
bool idset_add(struct idset *set, uint64_t id);

/* How the match stood after a line that a rewind goes back to. */
struct core_past {
    uint64_t n;
    uint64_t seq[VIEWERS]; /* of each viewer then */
    struct state *state;   /* NULL: not yet come to */
};
struct core_pasts {
    struct core_past *list;
    size_t count;
};

struct core {
    struct match_id id;
    const struct game *game;
    uint32_t rules;
    unsigned seats;
    const char *codes[SEATS_MAX];
    char *options_text;
    struct cJSON *options;
    struct hash secret, commit, key, mask_key;
    struct hash nonces[SEATS_MAX], nonce_commits[SEATS_MAX];
    enum seat_nonce nonce[SEATS_MAX];
    bool begun, over;
    bool on_time; /* over: because a seat's time was, or its player had gone */
    bool say_all; /* keep said[VIEWER_ALL] before the end too: for history after the reveal */
    uint64_t next_n, roll, mask; /* numbers that the next line, roll and mask will have */
    struct hash head;            /* of line next_n - 1 */
    struct tip_viewer tip[VIEWERS];
    struct msg *said[VIEWERS]; /* events of the last line told to the viewer, a JSON array */
    char *clock;               /* `clock` of views: JSON, malloc'ed by the host; NULL: none */
    struct state *state;       /* the newest */
    struct state *base;        /* before window[0]; means nothing while the window is empty */
    struct window_line *window;
    uint32_t window_count, window_cap;
    struct idset answered;
    /* While a log is played again: what its rewinds go back to, borrowed. Else NULL. */
    const struct core_pasts *pasts;
};

struct core_setup {
    struct match_id id;
    const struct game *game;
    uint32_t rules;
    const char *options; /* JSON in normal form */
    struct hash secret;
    bool has_commit[SEATS_MAX]; /* a new match: whether the seat is dealt a nonce, and which */
    struct hash nonce_commits[SEATS_MAX];
};
/* A match without lines. INVALID_PARAMS: options that are none. INTERNAL: memory. */
enum err core_create(const struct core_setup *setup, struct core **out_core) VD_CHECKED;
void core_destroy(struct core *take_core);
/* Bytes it occupies, about. */
size_t core_bytes(const struct core *core);
/* seats as it has them: seat's index, or -1. */
int core_find_seat(const struct core *core, const char *code);

/* What one line was. The bytes are in scratch->line, the events in core->said of the viewers told,
 * their seq and head in core->tip, until the next call. */
struct core_step {
    uint64_t n;
    int64_t at;
    int seat;       /* -1: the host */
    int given;      /* the seat that somebody else has from now on for good; -1: none */
    bool caretaker; /* given to a bot */
    uint32_t told;
    uint32_t reveals; /* viewers whom it told something hidden */
    bool sealed, drew;
    const char *broken; /* with INTERNAL: what check() or the host found wrong; else NULL */
};

/* Line 0, and the game's begin (FAIRNESS 5), which is line 1 unless the game must wait for nonces.
 * INVALID_PARAMS: the game does not take these options. */
enum err core_header(struct core *core, struct scratch *scratch, int64_t at,
                     struct core_step *out_step) VD_CHECKED;
enum err core_begin(struct core *core, struct scratch *scratch, int64_t at,
                    struct core_step *out_step, struct why *why) VD_CHECKED;
/* False: the game may draw at once, and not every seat has opened its nonce (FAIRNESS 3). */
bool core_may_begin(const struct core *core);
/* The seat opens its nonce, or with NULL says that it is lost. CONFLICT "nonce": none is awaited
 * from it. INVALID_PARAMS: it does not fit. */
enum err core_nonce(struct core *core, struct scratch *scratch, unsigned seat,
                    const struct hash *nonce, int64_t at, struct core_step *out_step,
                    struct why *why) VD_CHECKED;
/* The match comes from an older copy: rolls and masks go on far from those that were lost. */
enum err core_restored(struct core *core, struct scratch *scratch, int64_t at,
                       struct core_step *out_step) VD_CHECKED;
/* An action of a seat, on a copy; the core is as it was unless it returns OK. plain: it must
 * neither draw nor be sealed (all of a list but the last), else CONFLICT "list" (PROTOCOL 4).
 * CONFLICT "nonce": the seat has not opened its nonce.
 * TOO_LARGE: the line would be. INTERNAL: see out_step->broken. */
enum err core_act(struct core *core, struct scratch *scratch, unsigned seat,
                  const struct cJSON *action, bool plain, int64_t at, struct core_step *out_step,
                  struct why *why) VD_CHECKED;
/* The same, not by hand: by is "orders" or "default" (FAIRNESS 5), of which its seat alone is told,
 * by an event of its own behind the others. NULL: by hand. */
enum err core_act_by(struct core *core, struct scratch *scratch, unsigned seat,
                     const struct cJSON *action, bool plain, const char *by, int64_t at,
                     struct core_step *out_step, struct why *why) VD_CHECKED;
/* The action on a state that is not the core's own, which it changes: what it would tell, draw and
 * seal is in scratch->events and scratch->dice. own_dice: those that the next line would draw; else
 * dice that are nobody's, and nothing follows from them. Refusals as core_act. */
enum err core_apply_to(const struct core *core, struct scratch *scratch, struct state *state,
                       unsigned seat, const struct cJSON *action, bool own_dice,
                       struct why *why) VD_CHECKED;
/* Whether core_act would take it, as far as the rules say; nothing changes. */
enum err core_try(const struct core *core, struct scratch *scratch, unsigned seat,
                  const struct cJSON *action, struct why *why) VD_CHECKED;
/* Takes back the seat's own last action (DESIGN 4). CONFLICT "undo": none that could be. */
enum err core_undo(struct core *core, struct scratch *scratch, unsigned seat, int64_t at,
                   struct core_step *out_step, struct why *why) VD_CHECKED;
/* The seat leaves: a line `end`, or `seat` where the match goes on without it (W18.9). */
enum err core_leave(struct core *core, struct scratch *scratch, unsigned seat, enum leave how,
                    int64_t at, struct core_step *out_step, struct why *why) VD_CHECKED;
/* Whether the match would go on without the seat. */
bool core_leaves_behind(const struct core *core, struct scratch *scratch, unsigned seat,
                        enum leave how);
/* True when the rules have ended the match and its end line is due. */
bool core_ends(const struct core *core);
/* The end line by the rules. */
enum err core_end(struct core *core, struct scratch *scratch, int64_t at,
                  struct core_step *out_step) VD_CHECKED;
/* Whether the seat has left, as the game sees it. */
bool core_has_left(const struct core *core, struct scratch *scratch, unsigned seat);
/* The same of a state that the match had. */
bool core_had_left(const struct core *core, struct scratch *scratch, const struct state *state,
                   unsigned seat);
/* All seats agreed that the match ends here: how is "draw" or "abort". seat: -1, or with "abort"
 * the one on whose time the others would not win. */
enum err core_stop(struct core *core, struct scratch *scratch, const char *how, int seat,
                   int64_t at, struct core_step *out_step) VD_CHECKED;
/* The match goes back to what it was after line past->n, by consent of those seats (FAIRNESS 4):
 * every viewer's seq goes up, rolls and masks go on, nothing can be undone any more. A match that
 * is over on time goes on, if past is the line before the end. CONFLICT: that is no line to go back
 * to. */
enum err core_rewind(struct core *core, struct scratch *scratch, const struct core_past *past,
                     uint32_t by, int64_t at, struct core_step *out_step) VD_CHECKED;
/* An act of the host that leaves the game alone and is told to everybody (line_host_is_word): its
 * line and its event. Seats are named by their codes; undo goes on as before. */
enum err core_tell(struct core *core, struct scratch *scratch, const struct line_host *act,
                   int64_t at, struct core_step *out_step) VD_CHECKED;
/* A stored line again. STORAGE_FAILED: it is no line, or does not come out byte for byte. */
enum err core_replay(struct core *core, struct scratch *scratch, const char *text, size_t len,
                     struct core_step *out_step) VD_CHECKED;

/* Where a list began: taken back as a whole by core_rollback (only plain lines since). */
struct core_mark {
    uint64_t next_n, roll, mask;
    struct hash head;
    struct tip_viewer tip[VIEWERS];
    struct msg *said[VIEWERS];
    struct state *state;
    uint32_t window_count;
};
enum err core_mark(const struct core *core, struct core_mark *out_mark) VD_CHECKED;
void core_rollback(struct core *core, struct core_mark *mark);
void core_mark_finish(struct core_mark *mark);

/* Whether the seat's last own action could be taken back. */
bool core_can_undo(const struct core *core, unsigned seat);

/* Where the forms are in a view, so that one without can be cut from it. */
struct view_forms {
    size_t at, len; /* of `"actions":[..],` ; len 0: none */
};
/* The view (PROTOCOL 5) of that viewer at its newest seq. forms: also `actions` and `undo`, where
 * they are due. */
void core_view(const struct core *core, unsigned viewer, bool forms, struct buf *out,
               struct view_forms *out_forms);
/* "FR", "public", "all". */
const char *core_viewer_name(const struct core *core, unsigned viewer);
/* `"to_act":[..],"waits_for":[..]` members by code. */
void core_write_seats(const char *const *codes, unsigned seats, const char *name, uint32_t set,
                      struct buf *out);

/* The core as bytes, with the views of seats and public, and back. */
void core_save(const struct core *core, struct buf *out);
/* INVALID_PARAMS: not bytes of core_save, or of another game, rules or state. core: fresh. */
enum err core_restore(struct core *core, const void *bytes, size_t n) VD_CHECKED;
/* The view of that viewer that core_save put in, for a match whose rules are gone. False: none. */
bool core_saved_view(const void *bytes, size_t n, unsigned viewer, const char **out_view,
                     size_t *out_len);
/* Names this very binary: states of another one are not taken. Static. */
const char *core_build(void);

#endif
