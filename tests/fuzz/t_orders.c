/* tests/fuzz/t_orders.c: standing orders of a hostile seat, in states of random matches: what the
 * game takes as orders must be carried out as long as they answer anything, by actions that the
 * rules accept; whatever else it is given is refused by the path of what is wrong. An input is a
 * line {"state":N,"seat":N} and lines that are lists of orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/game.h"

enum { ANSWERS_MAX = 64, LINES_MAX = 12 };

static const struct game *game;
static struct buf text;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    game = game_find(FUZZ_GAME);
    buf_init(&text, 4 << 20);
    game_open(3, 5);
    return 0;
}

static unsigned number(const cJSON *json, const char *name, unsigned below)
{
    const cJSON *item = json_get(json, name);
    if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 1e9) { return 0; }
    return (unsigned)item->valuedouble % below;
}

/* One answer of the orders. False: they have none. */
static bool answer(struct state *state, unsigned seat, const cJSON *orders, const char *said)
{
    buf_reset(&text);
    const enum err err = game->obey(state, seat, orders, &text);
    fuzz_feature(100U + (unsigned)err);
    FUZZ_MUST(err == ERR_OK || err == ERR_NOT_FOUND, said);
    if (err != ERR_OK) { return false; }
    cJSON *action = game_json(buf_str(&text), text.len);
    FUZZ_MUST(action != NULL && !text.failed, said);
    const cJSON *what = json_get(action, "do");
    if (cJSON_IsString(what)) { fuzz_feature_text(200, what->valuestring); }
    FUZZ_MUST(game_apply(game, state, seat, action, 5) == ERR_OK, said);
    cJSON_Delete(action);
    return true;
}

/* By every seat, for orders may be met by another state than that in which they were left. */
static void carry_out(struct state *state, unsigned seat, const cJSON *orders)
{
    char *said = cJSON_PrintUnformatted(orders);
    FUZZ_MUST(said != NULL, "memory");
    unsigned left = ANSWERS_MAX;
    while (left > 0 && answer(state, seat, orders, said)) {
        left--;
    }
    FUZZ_MUST(left > 0, said); /* they go on for ever */
    free(said);
}

static void leave(struct state *state, unsigned seat, const cJSON *orders)
{
    struct why why;
    why_clear(&why);
    const enum err err = game->orders(state, seat, orders, &why);
    fuzz_feature_text(300U + (unsigned)err, why.text);
    if (err == ERR_OK) {
        carry_out(state, seat, orders);
        return;
    }
    FUZZ_MUST(err == ERR_INVALID_PARAMS || err == ERR_TOO_LARGE || err == ERR_ILLEGAL_ACTION,
              err_kind(err));
    if (err == ERR_INVALID_PARAMS) { FUZZ_MUST(strncmp(why.member, "orders", 6) == 0, why.member); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size;
    const struct fuzz_state *from = &fuzz_states[0];
    struct state *state = malloc(game->state_bytes);
    unsigned seat = 0, lines = 0;
    FUZZ_MUST(state != NULL, "memory");
    memcpy(state, from->state, game->state_bytes);
    for (; at < end && lines < LINES_MAX; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) { stop = end; }
        cJSON *json = game_json(at, (size_t)(stop - at));
        if (json != NULL && lines == 0) {
            from = &fuzz_states[number(json, "state", fuzz_state_count)];
            seat = number(json, "seat", from->seats);
            memcpy(state, from->state, game->state_bytes);
        } else if (cJSON_IsArray(json)) {
            leave(state, seat, json);
        }
        cJSON_Delete(json);
        at = stop + 1;
    }
    if (memcmp(state, from->state, game->state_bytes) != 0) {
        cJSON *options = game_json(from->options, strlen(from->options));
        FUZZ_MUST(game->check(state) == NULL, game->check(state));
        game_play_on(game, options, from->seats, state, 1, size);
        cJSON_Delete(options);
    }
    free(state);
    return 0;
}

void fuzz_seeds(fuzz_add_fn *add)
{
    static const char *const orders[] = {
        "[{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\",\"choice\":\"fight\",\"rest\":"
        "\"spread\"}}]",
        "[{\"when\":{\"is\":\"attacked\",\"in\":[\"ligny\",\"wavre\"],\"by\":{\"min\":3},\"own\":{"
        "\"max\":4},\"ratio\":[2,1]},\"do\":{\"do\":\"respond\",\"choice\":\"retreat\",\"to\":["
        "\"wavre\"],\"rest\":\"any\"}}]",
        "[{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\",\"choice\":\"retreat\"}}]",
        "[{\"when\":{\"is\":\"defending\"},\"do\":{\"do\":\"deploy\",\"rest\":\"spread\"}}]",
        "[{\"when\":{\"is\":\"pursued\"},\"do\":{\"do\":\"allot\",\"spare\":true,\"units\":[\"PR-"
        "A\"]}"
        "}]",
        "[{\"when\":{\"is\":\"routed\"},\"do\":{\"do\":\"rout_routes\",\"to\":[\"brussels\"]}}]",
        "[{\"when\":{\"is\":\"supply\"},\"do\":{\"do\":\"remove\",\"units\":[\"FR-R\",\"AD-N\"]}}]",
        "[{\"when\":{\"is\":\"forced\"},\"do\":{\"do\":\"only\"}}]",
        "[{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\",\"choice\":\"fight\"}},"
        "{\"when\":{\"is\":\"routed\"},\"do\":{\"do\":\"rout_routes\"}},"
        "{\"when\":{\"is\":\"pursued\"},\"do\":{\"do\":\"allot\"}},"
        "{\"when\":{\"is\":\"supply\"},\"do\":{\"do\":\"remove\"}}]"};
    char line[2048];
    for (unsigned i = 0; i < fuzz_state_count; i++) {
        for (unsigned seat = 0; seat < fuzz_states[i].seats; seat++) {
            const size_t k = (i + seat) % (sizeof orders / sizeof orders[0]);
            const int n = snprintf(line, sizeof line, "{\"state\":%u,\"seat\":%u}\n%s\n%s\n", i,
                                   seat, orders[k], orders[8]);
            if (n > 0 && (size_t)n < sizeof line) { add(line, (size_t)n); }
        }
    }
}
