/* client-cli/austerlitz/austerlitz.h: orders, questions and sentences of Austerlitz at the
 * terminal. */
#ifndef VEDETTE_CLIENT_CLI_AUSTERLITZ_AUSTERLITZ_H
#define VEDETTE_CLIENT_CLI_AUSTERLITZ_AUSTERLITZ_H

#include "client-cli/austerlitz/aview.h"
#include "client-cli/face/face.h"

struct buf;

/* Combats that are drafted and not declared yet. */
struct aus_draft {
    int entries;
    struct av_entry entry[AV_ENTRIES_MAX];
    struct av_entry was[AV_ENTRIES_MAX]; /* each before its last change */
};

/* The view that the face has read. */
const struct av_view *aus_view(const struct face *face);

/* ---- orders (orders_austerlitz.c) ---- */

extern const struct order_word aus_order_words[];
bool aus_order(const struct face *face, const struct av_view *v, const char *text,
               struct buf *out_action, struct buf *out_why);
/* "attack ...", "bombard ...", "ice ..." into one entry. False: out_why holds a sentence. */
bool aus_read_entry(const struct face *face, const struct av_view *v, const char *text,
                    struct av_entry *out_entry, struct buf *out_why);
/* The action that declares these, and one of them as the game wants it in a plan. */
void aus_write_declare(const struct av_view *v, const struct aus_draft *draft, struct buf *out);
void aus_write_entry(const struct av_view *v, const struct av_entry *entry, struct buf *out);
/* The same as an order. */
void aus_say_order(const struct av_view *v, const struct av_entry *entry, struct buf *out);
void aus_choices(const struct av_view *v, const struct aus_draft *draft, face_add_fn *add,
                 void *ctx);
/* Every form as an order, lines. */
void aus_say_forms(const struct av_view *v, struct buf *out);
size_t aus_complete(const struct face *face, const struct av_view *v, const char *text,
                    struct buf *out_words);

/* ---- the draft (draft_austerlitz.c) ---- */

/* Adds "attack ...", "bombard ..." or "ice ..." to the draft, or to its entry with the same
 * defenders; out: the question of what it would be rolled at. False: out holds a sentence. */
bool aus_draft_add(const struct face *face, const struct av_view *v, struct aus_draft *draft,
                   const char *text, struct buf *out);
/* The entry of that question, which was refused, is as it was before. */
void aus_draft_take_back(const struct av_view *v, struct aus_draft *draft, const cJSON *question);
/* "2" or "all" out of the draft; out: what is left, or (false) why not. */
bool aus_draft_drop(const struct av_view *v, struct aus_draft *draft, const char *which,
                    struct buf *out);
/* A declaration from the actions of a draft. False: it is none, or does not fit the position. */
bool aus_draft_read(const struct av_view *v, const cJSON *actions, struct aus_draft *draft);
/* The actions of a draft with one more: a phase has one declaration, which takes it in. */
void aus_draft_with(const cJSON *draft, const cJSON *action, struct buf *out);

/* ---- questions of match.ask (ask_austerlitz.c) ---- */

bool aus_is_question(const char *word);
bool aus_question(const struct face *face, const struct av_view *v, const char *text,
                  struct buf *out_question, struct buf *out_why);
/* The question of what an entry would be rolled at. */
void aus_write_odds(const struct av_view *v, const struct av_entry *entry, struct buf *out);
void aus_answer(const struct av_view *v, const cJSON *question, const cJSON *answer,
                struct buf *out);

/* ---- sentences (describe_austerlitz.c) ---- */

void aus_say_position(const struct av_view *v, struct buf *out);
/* brief: as on counters, for a page of few rows. */
void aus_say_armies(const struct av_view *v, bool brief, struct buf *out);
void aus_say_combats(const struct av_view *v, const struct aus_draft *draft, struct buf *out);
/* 6.2: who must still get a place in the plan, added to out. */
void aus_find_owed(const struct av_view *v, const struct aus_draft *draft, struct av_hexes *out);
/* "Not allowed, rule 4.4. No unit enters ..." */
void aus_say_rule(const char *rule, struct buf *out);
void aus_say_prompt(const struct av_view *v, const struct aus_draft *draft, struct buf *out);
void aus_say_head(const struct av_view *v, struct buf *out);
/* What is known of a hex: ground, sides, who stands there, who controls it. */
void aus_say_place(const struct av_view *v, unsigned hex, struct buf *out);
/* "104 (2218 Pratzen)", "infantry (2319)". */
void aus_say_unit(const struct av_view *v, int unit, struct buf *out);
/* The same of several hexes, as a list. */
void aus_say_units(const struct av_view *v, const struct av_hexes *hexes, struct buf *out);

#endif
