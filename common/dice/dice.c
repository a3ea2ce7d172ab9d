/* common/dice/dice.c: keys and draws by BLAKE2b and ChaCha20, byte for byte as FAIRNESS sections 3
 * and 4. */
#include "common/dice/dice.h"

#include <assert.h>
#include <string.h>

#include <sodium.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"

static_assert(sizeof(((struct dice_cursor *)NULL)->block) == 64, "a ChaCha20 block");
static_assert(HASH_BYTES == crypto_stream_chacha20_ietf_KEYBYTES, "a key is a hash");

enum { NONCE_BYTES = crypto_stream_chacha20_ietf_NONCEBYTES };
static_assert(NONCE_BYTES == 12, "u32 and u64");

void dice_commitment(const char *match_id, const struct hash *secret, struct hash *out)
{
    struct hasher hasher;
    hasher_begin(&hasher, NULL, "vedette1 commit");
    hasher_part_str(&hasher, match_id);
    hasher_part(&hasher, secret->bytes, HASH_BYTES);
    hasher_end(&hasher, out);
}

void dice_nonce_commitment(const struct hash *nonce, struct hash *out)
{
    struct hasher hasher;
    hasher_begin(&hasher, NULL, "vedette1 nonce");
    hasher_part(&hasher, nonce->bytes, HASH_BYTES);
    hasher_end(&hasher, out);
}

void dice_key(const char *match_id, const struct hash *secret, unsigned seats,
              const char *const seat_codes[], const struct hash *const nonces[],
              struct hash *out_key)
{
    struct hasher hasher;
    hasher_begin(&hasher, secret, "vedette1 dice");
    hasher_part_str(&hasher, match_id);
    for (unsigned i = 0; i < seats; i++) {
        hasher_part_str(&hasher, seat_codes[i]);
        hasher_part(&hasher, nonces[i] == NULL ? NULL : nonces[i]->bytes,
                    nonces[i] == NULL ? 0 : HASH_BYTES);
    }
    hasher_end(&hasher, out_key);
}

void dice_mask_key(const char *match_id, const struct hash *secret, struct hash *out_key)
{
    struct hasher hasher;
    hasher_begin(&hasher, secret, "vedette1 mask");
    hasher_part_str(&hasher, match_id);
    hasher_end(&hasher, out_key);
}

/* Member by member: the list of draws and the blocks need no zeroing, they are written before they
 * are read. */
static void reset_line(struct dice *dice)
{
    for (unsigned lane = 0; lane <= LANE_MASK; lane++) {
        dice->at[lane].used = 0;
        dice->at[lane].block_no = UINT32_MAX;
    }
    dice->drawn_count = 0;
    dice->masked = false;
    dice->exhausted = false;
}

void dice_init(struct dice *dice, const struct hash *key, const struct hash *mask_key,
               uint64_t roll, uint64_t mask)
{
    dice->key = *key;
    dice->mask_key = *mask_key;
    dice->roll = roll;
    dice->mask = mask;
    dice->listed = false;
    dice->die_list = NULL;
    dice->deal_list = NULL;
    dice->die_count = 0;
    dice->deal_count = 0;
    dice->die_at = 0;
    dice->deal_at = 0;
    reset_line(dice);
}

void dice_init_lists(struct dice *dice, const uint8_t *dies, size_t die_count, const uint8_t *deals,
                     size_t deal_count)
{
    assert(die_count <= DICE_LIST_MAX);
    assert(deal_count <= DICE_LIST_MAX);
    static const struct hash fixed = {{0}};
    dice_init(dice, &fixed, &fixed, 1, 1);
    dice->listed = true;
    dice->die_list = dies;
    dice->die_count = (uint32_t)die_count;
    dice->deal_list = deals;
    dice->deal_count = (uint32_t)deal_count;
}

void dice_next_line(struct dice *dice)
{
    if (dice->drawn_count > 0) { dice->roll++; }
    if (dice->masked) { dice->mask++; }
    bool exhausted = dice->exhausted;
    reset_line(dice);
    dice->exhausted = exhausted && dice->listed; /* what a case lacked stays missing */
}

/* The next byte of the lane's stream: block counter from 0, nonce u32(lane) || u64(number). */
static uint8_t next_byte(struct dice *dice, enum dice_lane lane)
{
    struct dice_cursor *at = &dice->at[lane];
    uint32_t block_no = at->used / (uint32_t)sizeof at->block;
    if (at->block_no != block_no) {
        uint64_t number = lane == LANE_MASK ? dice->mask : dice->roll;
        const struct hash *key = lane == LANE_MASK ? &dice->mask_key : &dice->key;
        uint8_t nonce[NONCE_BYTES] = {(uint8_t)lane};
        for (unsigned i = 0; i < 8; i++) {
            nonce[4 + i] = (uint8_t)(number >> (8 * i));
        }
        memset(at->block, 0, sizeof at->block);
        (void)crypto_stream_chacha20_ietf_xor_ic(at->block, at->block, sizeof at->block, nonce,
                                                 block_no, key->bytes);
        at->block_no = block_no;
    }
    return at->block[at->used++ % sizeof at->block];
}

/* The next value of a case's list; 0 and exhausted when there is none or it does not fit. */
static unsigned next_listed(struct dice *dice, enum dice_lane lane, unsigned n)
{
    uint32_t *at = lane == LANE_DIE ? &dice->die_at : &dice->deal_at;
    uint32_t count = lane == LANE_DIE ? dice->die_count : dice->deal_count;
    const uint8_t *list = lane == LANE_DIE ? dice->die_list : dice->deal_list;
    unsigned base = lane == LANE_DIE ? 1 : 0;
    if (*at >= count) {
        dice->exhausted = true;
        return 0;
    }
    unsigned value = list[(*at)++];
    if (value < base || value - base >= n) {
        dice->exhausted = true;
        return 0;
    }
    return value - base;
}

unsigned dice_draw(struct dice *dice, enum dice_lane lane, unsigned n)
{
    assert(lane >= LANE_DIE);
    assert(lane <= LANE_MASK);
    assert(n >= 1);
    assert(n <= 256);
    unsigned value = 0;
    if (dice->listed && lane != LANE_MASK) {
        value = next_listed(dice, lane, n);
    } else {
        unsigned byte = next_byte(dice, lane);
        while (byte >= 256 - 256 % n) {
            byte = next_byte(dice, lane);
        }
        value = byte % n;
    }
    if (lane == LANE_MASK) {
        dice->masked = true;
    } else if (dice->drawn_count < DICE_DRAWS_MAX) {
        dice->drawn[dice->drawn_count++] =
            (struct dice_draw){.n = (uint16_t)n, .lane = (uint8_t)lane, .value = (uint8_t)value};
    } else {
        dice->exhausted = true;
    }
    return value;
}

unsigned dice_die(struct dice *dice, unsigned faces)
{
    return 1 + dice_draw(dice, LANE_DIE, faces);
}

void dice_shuffle(struct dice *dice, enum dice_lane lane, uint8_t *list, size_t k)
{
    assert(k <= 256);
    for (size_t i = k; i-- > 1;) {
        size_t j = dice_draw(dice, lane, (unsigned)(i + 1));
        uint8_t held = list[i];
        list[i] = list[j];
        list[j] = held;
    }
}

bool dice_was_drawn(const struct dice *dice)
{
    return dice->drawn_count > 0;
}

/* One lane's runs of draws with the same n, [[n,[v,..]],..]; nothing if it was not drawn from. */
static void write_runs(const struct dice *dice, enum dice_lane lane, const char *name,
                       struct buf *buf)
{
    unsigned base = lane == LANE_DIE ? 1 : 0;
    unsigned open_n = 0;
    for (uint32_t i = 0; i < dice->drawn_count; i++) {
        const struct dice_draw *draw = &dice->drawn[i];
        if (draw->lane != lane) { continue; }
        if (open_n == 0) { jw_key_array(buf, name); }
        if (open_n != draw->n) {
            if (open_n != 0) {
                jw_array_end(buf);
                jw_array_end(buf);
            }
            jw_array_begin(buf);
            jw_int(buf, draw->n);
            jw_array_begin(buf);
            open_n = draw->n;
        }
        jw_int(buf, (int64_t)draw->value + base);
    }
    if (open_n != 0) {
        jw_array_end(buf);
        jw_array_end(buf);
        jw_array_end(buf);
    }
}

void dice_write_line(const struct dice *dice, struct buf *buf)
{
    if (!dice_was_drawn(dice)) { return; }
    jw_key_int(buf, "roll", (int64_t)dice->roll);
    write_runs(dice, LANE_DIE, "dice", buf);
    write_runs(dice, LANE_DEAL, "deal", buf);
}
