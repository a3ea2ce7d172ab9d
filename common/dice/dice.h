/* common/dice/dice.h: the random stream of a match: its keys, its three lanes, and what a line drew
 * (FAIRNESS 3, 4). */
#ifndef VEDETTE_COMMON_DICE_DICE_H
#define VEDETTE_COMMON_DICE_DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"

struct buf;

enum dice_lane { LANE_DIE = 1, LANE_DEAL = 2, LANE_MASK = 3 };
enum { DICE_LIST_MAX = 4096, DICE_SEATS_MAX = 3, DICE_DRAWS_MAX = 1024 };

/* FAIRNESS section 3, byte by byte. match_id and seats are ASCII. */
void dice_commitment(const char *match_id, const struct hash *secret, struct hash *out);
void dice_nonce_commitment(const struct hash *nonce, struct hash *out);
/* nonces[i] NULL: the seat waived or lost its nonce. */
void dice_key(const char *match_id, const struct hash *secret, unsigned seats,
              const char *const seat_codes[], const struct hash *const nonces[],
              struct hash *out_key);
void dice_mask_key(const char *match_id, const struct hash *secret, struct hash *out_key);

/* One stretch of a lane: what one line draws from it. */
struct dice_cursor {
    uint32_t used;     /* bytes of the stream taken */
    uint8_t block[64]; /* the keystream block in hand */
    uint32_t block_no; /* which one; UINT32_MAX: none yet */
};
struct dice_draw {
    uint16_t n;    /* below n */
    uint8_t lane;  /* LANE_DIE or LANE_DEAL */
    uint8_t value; /* 0 .. n - 1 */
};

/* The source of draws for one line. Plain data, the host's; a game only calls dice_draw and
 * dice_die. With lists (cases) dies and deals come from them and a draw past the end sets
 * exhausted and gives 0; masks come from the mask key all the same. */
struct dice {
    struct hash key, mask_key;
    uint64_t roll, mask; /* the numbers r and m that this line would use */
    struct dice_cursor at[LANE_MASK + 1];
    struct dice_draw drawn[DICE_DRAWS_MAX]; /* lanes 1 and 2, in order, for the line */
    uint32_t drawn_count;
    bool masked; /* the mask lane was drawn from */
    bool listed; /* lists below instead of the stream */
    bool
        exhausted; /* a list ran out, or a value in it was out of range, or DICE_DRAWS_MAX passed */
    const uint8_t *die_list;  /* faces from 1 */
    const uint8_t *deal_list; /* from 0 */
    uint32_t die_count, deal_count, die_at, deal_at;
};

/* A source for the line that would be roll r and mask m: nothing drawn yet. */
void dice_init(struct dice *dice, const struct hash *key, const struct hash *mask_key,
               uint64_t roll, uint64_t mask);
/* A source from lists, borrowed, with a fixed mask key. */
void dice_init_lists(struct dice *dice, const uint8_t *dies, size_t die_count, const uint8_t *deals,
                     size_t deal_count);
/* Starts the next line on the same source: numbers rise if the last line drew (lists go on). */
void dice_next_line(struct dice *dice);

/* A number below n, 1 <= n <= 256, unbiased (FAIRNESS section 4). */
unsigned dice_draw(struct dice *dice, enum dice_lane lane, unsigned n);
/* A die with that many faces, from 1, from the die lane. */
unsigned dice_die(struct dice *dice, unsigned faces);
/* A shuffle of list[0..k-1], k <= 256 (FAIRNESS section 4). */
void dice_shuffle(struct dice *dice, enum dice_lane lane, uint8_t *list, size_t k);

/* True when lane 1 or 2 was drawn from since the line began. */
bool dice_was_drawn(const struct dice *dice);
/* Members "roll", "dice", "deal" of a line (FAIRNESS section 5), runs of draws with the same n;
 * nothing if none. */
void dice_write_line(const struct dice *dice, struct buf *buf);

#endif
