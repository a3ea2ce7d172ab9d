/* client-cli/bots/bot_random.c: any game, played by picking from its forms. */
#include "client-cli/bots/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/protocol/forms.h"

void bot_random_seed(struct bot_random *random, uint64_t seed)
{
    random->state = seed;
}

/* splitmix64; the bias of the remainder does not matter here. */
unsigned bot_random_below(struct bot_random *random, unsigned n)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (unsigned)(z % n);
}

static unsigned below(void *ctx, unsigned n)
{
    return bot_random_below(ctx, n);
}

bool bot_random_act(const struct board *board, const cJSON *view, unsigned attempt,
                    struct bot_mind *mind, struct buf *out_action)
{
    (void)board;
    (void)attempt;
    const cJSON *actions = json_get(view, "actions");
    struct forms_random source = {below, &mind->random};
    if (!cJSON_IsArray(actions) || actions->child == NULL) { return false; }
    return forms_pick(actions, &source, out_action) == ERR_OK;
}
