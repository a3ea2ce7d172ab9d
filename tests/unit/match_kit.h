/* tests/unit/match_kit.h: live matches on a real store and loop, with a small game of their own. */
#ifndef VEDETTE_TESTS_UNIT_MATCH_KIT_H
#define VEDETTE_TESTS_UNIT_MATCH_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/rules/game.h"
#include "server/match/match.h"
#include "tests/unit/store_kit.h"

/* The game "lots": each seat (A, B; with {"players":3} also C) hides a number; all may act at any
 * time.
 *  {"do":"hide","number":n}  quiet; {"do":"add","n":k} in the open, illegal (X2) over a pot of 100;
 *  {"do":"double"} the pot, in the open; {"do":"roll"} adds a die to the pot; {"do":"secret"} rolls
 * a die that only the roller is told; {"do":"show"} shows the own number, sealed; {"do":"mask"}
 * deals a handle, quiet; {"do":"stop"} ends the match; {"do":"break"} leads to a state that check()
 * finds broken. With {"turns":1} the match waits for one seat alone, the first at the start, until
 * that has {"do":"pass"}, in the open and sealed; {"do":"pass","phase":P} names the next step so.
 */
extern const struct game lots;
extern const struct game *const lots_games[];

enum { CLIENTS_MAX = 8, PUSHES_MAX = 512 };

struct pushed {
    enum match_push kind;
    unsigned viewer;
    char *text;
};
struct kit_client {
    struct match_client client; /* first, so that one leads to the other */
    struct pushed pushes[PUSHES_MAX];
    size_t count;
    bool refuses; /* push says false */
};
struct match_kit {
    struct kit kit;
    struct matches *matches;
    struct kit_client clients[CLIENTS_MAX];
    struct match_id id;
    uint32_t snapshot_lines, idle_ms;
    uint8_t secret; /* last byte of S */
    int64_t now;
    unsigned turns, changes;
    const struct game *const *list; /* NULL: lots_games */
    const char *game;               /* NULL: lots, and seats A, B, C */
    const char *codes[SEATS_MAX];
    bool closed;
    const char *clock; /* spec of the matches that are made, with "; NULL: none */
    const struct clock_calendar *calendars;
    uint32_t bots;
    int64_t pace_ms; /* of the matches that are made */
    bool starts; /* matches_start when it is opened again */
    unsigned caretakers, caretaker_seat;
};

/* What a call came to. */
struct result {
    bool done;
    enum err err;
    struct why why;
    char *json; /* NULL unless OK */
    struct cJSON *params;
    unsigned order; /* counts all answers */
};

void match_kit_open(struct match_kit *kit);
/* Lets the matches and the store go and opens them again; as after a crash: nothing is told. */
void match_kit_reopen(struct match_kit *kit);
/* In two halves: in between the database is closed. */
void match_kit_pause(struct match_kit *kit);
void match_kit_resume(struct match_kit *kit);
void match_kit_close(struct match_kit *kit);

/* Makes the rows of a match of accounts accounta00000 ("aaaaaaaaaaaa"), "bbbb..", "cccc.." and
 * begins it. */
void match_kit_begin(struct match_kit *kit, const char *options, unsigned seats, bool spectators);
/* The same in two parts: the rows; what match_begin is given. */
struct match_begin match_kit_make(struct match_kit *kit, const char *options, unsigned seats,
                                  bool spectators);
/* More than 0 while the kit itself runs within a callback of the matches. */
extern unsigned kit_inside;
/* The account of a seat; 9: a stranger; 8: nobody. */
struct account_id account_of(unsigned seat);

/* A call by a seat's account, from client 0 of that seat (client number = seat). params as a JSON
 * object, with ' for ", without "match". Begins it; result is filled when it ends. */
void call_begin(struct match_kit *kit, match_method_fn *method, unsigned seat, const char *params,
                struct result *result);
/* Runs the loop until it has ended. */
void call_wait(struct match_kit *kit, struct result *result);
/* Both. */
struct result *call(struct match_kit *kit, match_method_fn *method, unsigned seat,
                    const char *params);
/* The result's member as an integer; -1: none. */
int64_t result_int(const struct result *result, const char *name);
/* Hooks and the end of a call. */
bool kit_on_push(void *ctx, struct match_client *client, const struct match_id *match,
                 unsigned viewer, enum match_push kind, struct msg *msg);
void kit_on_done(void *ctx, enum err err, const struct why *why, const char *json, size_t n);
void result_free(struct result *result);
/* The seat's seq as the last answer or view said, by match_view. */
int64_t seq_of(struct match_kit *kit, unsigned seat);
/* Acts with the current seq. */
struct result *act(struct match_kit *kit, unsigned seat, const char *action);
/* Turns the loop until nothing is under way. */
void settle(struct match_kit *kit);
/* The time goes on by so much, and what is due happens. */
void match_kit_wait(struct match_kit *kit, int64_t ms);
void forget_pushes(struct match_kit *kit);
/* All that viewer's account can get hold of, as one text: view, forms, history, summary. */
char *everything(struct match_kit *kit, unsigned seat);

#endif
