/* tests/arena/arena.c: plays matches of policy against policy straight through the rules, and
 * counts who wins. Every match prints its seed; the same seed plays the same match. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "client-cli/bots/bot.h"
#include "client-cli/face/face.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"

enum { ACTIONS_MAX = 60000, ATTEMPTS_MAX = 60 };

/* What the counted policy did with an option. */
enum { TALLIES = 8 };
struct tally {
    const char *name;
    long won, matches;
};
/* Who sits in a seat. */
struct seat_player {
    const struct bot_kind *kind;
    const char *code;
    struct bot_mind mind;
};
struct arena {
    struct tally tally[TALLIES];
    const char *policy, *enemy, *board_path, *side, *game;
    long matches, turns, players, at_least, longest_allowed;
    uint64_t seed;
    bool verbose, story, morale, command, orders, dealt;
    const char *information, *situation;
    double longest_ms;          /* that a decision of the policy that is counted took */
    cJSON *standing[SEATS_MAX]; /* what each seat has left, with orders */
    int ordered_slot;           /* the player turn for which */
    uint32_t waited;            /* for whom the match stood still last */
    unsigned hand_overs;        /* of this match */
    unsigned long ordered;
    struct board board;
    struct state *state, *next;
    struct events events;
    struct buf view, action, told;
    unsigned long actions, refused, refused_total, fallback;
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct arena *a = state->input;
    switch (key) {
    case 'p': a->policy = arg; break;
    case 'e': a->enemy = arg; break;
    case 'n': a->matches = strtol(arg, NULL, 10); break;
    case 't': a->turns = strtol(arg, NULL, 10); break;
    case 'k': a->players = strtol(arg, NULL, 10); break;
    case 's': a->seed = strtoull(arg, NULL, 10); break;
    case 'l': a->at_least = strtol(arg, NULL, 10); break;
    case 'v': a->verbose = true; break;
    case 'w': a->story = true; break;
    case 'm': a->morale = true; break;
    case 'c': a->command = true; break;
    case 'o': a->orders = true; break;
    case 'g': a->game = arg; break;
    case 'i': a->information = arg; break;
    case 'z': a->situation = arg; break;
    case 'd': a->dealt = true; break;
    case 'x': a->longest_allowed = strtol(arg, NULL, 10); break;
    case 'f': a->side = arg; break;
    case ARGP_KEY_ARG: a->board_path = arg; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool load_board(struct arena *a)
{
    struct buf text;
    cJSON *json = NULL;
    char chunk[4096];
    size_t n = 0;
    if (a->board_path == NULL) {
        board_of_game(a->game, &a->board);
        return true;
    }
    FILE *file = fopen(a->board_path, "re");
    if (file == NULL) { return false; }
    buf_init(&text, 4 << 20);
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        buf_append(&text, chunk, n);
    }
    fclose(file);
    bool ok = json_parse(buf_str(&text), text.len, &json) == ERR_OK && board_read(json, &a->board);
    cJSON_Delete(json);
    buf_finish(&text);
    return ok;
}

/* The view as the host sends it, as far as a policy looks: the game's members, as, actions. */
static cJSON *make_view(struct arena *a, const struct game *game, unsigned seat, const char *code)
{
    cJSON *json = NULL;
    buf_reset(&a->view);
    jw_object_begin(&a->view);
    jw_key_str(&a->view, "game", game->name);
    jw_key_int(&a->view, "seq", 1);
    jw_key_str(&a->view, "as", code);
    game->view(a->state, seat, &a->view);
    jw_key(&a->view, "actions");
    game->actions(a->state, seat, &a->view);
    jw_object_end(&a->view);
    if (a->view.failed || json_parse(buf_str(&a->view), a->view.len, &json) != ERR_OK) {
        fprintf(stderr, "arena: a view that is no JSON: %.400s\n", buf_str(&a->view));
        exit(2);
    }
    return json;
}

/* What the last action made happen, in sentences. */
static void tell_story(struct arena *a)
{
    struct buf json, text;
    cJSON *list = NULL;
    struct face *face = face_create(a->game, NULL);
    buf_init(&json, 4 << 20);
    buf_init(&text, 4 << 20);
    events_write(&a->events, VIEWER_ALL, &json);
    if (json_parse(buf_str(&json), json.len, &list) == ERR_OK) {
        face_say_events(face, list, "all", &text);
    }
    fputs(buf_str(&text), stdout);
    face_destroy(face);
    cJSON_Delete(list);
    buf_finish(&json);
    buf_finish(&text);
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* What each seat is told of what happened, to a policy that remembers. */
static void let_hear(struct arena *a, struct seat_player *players, bool first)
{
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        struct seat_player *player = &players[seat];
        cJSON *events = NULL;
        if (player->kind->hears == NULL || player->code == NULL) { continue; }
        buf_reset(&a->told);
        events_write(&a->events, seat, &a->told);
        if (json_parse(buf_str(&a->told), a->told.len, &events) == ERR_OK) {
            player->kind->hears(&player->mind, player->code, events, first);
        }
        cJSON_Delete(events);
    }
}

/* One action of a seat, tried until the rules take it. */
static bool act(struct arena *a, const struct game *game, unsigned seat,
                struct seat_player *players, struct dice *dice)
{
    struct seat_player *player = &players[seat];
    cJSON *view = make_view(a, game, seat, player->code);
    bool done = false;
    for (unsigned attempt = 0; attempt < ATTEMPTS_MAX && !done; attempt++) {
        struct why why;
        cJSON *action = NULL;
        why_clear(&why);
        buf_reset(&a->action);
        double before = cpu_ms();
        if (!player->kind->act(&a->board, view, attempt, &player->mind, &a->action)) { break; }
        double took = cpu_ms() - before;
        if (took > a->longest_ms) { a->longest_ms = took; }
        if (json_parse(buf_str(&a->action), a->action.len, &action) != ERR_OK ||
            json_normalise(action, &why) != ERR_OK) {
            fprintf(stderr, "arena: an action that is no JSON: %s\n", buf_str(&a->action));
            exit(2);
        }
        memcpy(a->next, a->state, game->state_bytes);
        events_reset(&a->events);
        enum err err = game->apply(a->next, seat, action, dice, &a->events, &why);
        cJSON_Delete(action);
        dice_next_line(dice);
        const char *broken = err == ERR_OK && game->check != NULL ? game->check(a->next) : NULL;
        if (broken != NULL) {
            fprintf(stderr, "arena: %s after %s\n", broken, buf_str(&a->action));
            exit(2);
        }
        if (err == ERR_OK) {
            struct state *old = a->state;
            a->state = a->next;
            a->next = old;
            a->actions++;
            done = true;
            let_hear(a, players, false);
            if (a->story) { tell_story(a); }
            if (a->verbose) { printf("%s %s\n", player->code, buf_str(&a->action)); }
        } else {
            a->refused_total++;
            if (a->verbose) {
                fprintf(stderr, "refused %s %s %s: %s\n", player->code, why.rule, why.text,
                        buf_str(&a->action));
            }
        }
    }
    cJSON_Delete(view);
    return done;
}

static void seed_dice(struct dice *dice, uint64_t seed)
{
    struct hash key, mask;
    hash_bytes(&seed, sizeof seed, &key);
    hash_bytes(&key, sizeof key, &mask);
    dice_init(dice, &key, &mask, 0, 0);
}

/* Whom everybody sees the match wait for. */
static uint32_t shown_waits(const struct arena *a, const struct game *game)
{
    uint32_t to_act = 0, waits_for = 0;
    game->shown(a->state, VIEWER_PUBLIC, &to_act, &waits_for);
    return waits_for;
}

static void forget_orders(struct arena *a)
{
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        cJSON_Delete(a->standing[seat]);
        a->standing[seat] = NULL;
    }
}

/* Once in each player turn, as the bots do. */
static void leave_orders(struct arena *a, const struct game *game, const char *const *codes)
{
    cJSON *view = make_view(a, game, 0, codes[0]);
    int slot = (int)json_int(json_get(json_get(view, "turn"), "slot"), 0);
    cJSON_Delete(view);
    if (slot == a->ordered_slot) { return; }
    a->ordered_slot = slot;
    forget_orders(a);
    for (unsigned seat = 0; seat < (unsigned)a->players; seat++) {
        struct why why;
        view = make_view(a, game, seat, codes[seat]);
        buf_reset(&a->action);
        why_clear(&why);
        if (!bot_waterloo_orders(&a->board, view, &a->action) ||
            json_parse(buf_str(&a->action), a->action.len, &a->standing[seat]) != ERR_OK ||
            game->orders(a->state, seat, a->standing[seat], &why) != ERR_OK) {
            fprintf(stderr, "arena: orders refused: %s %s\n", why.member, why.text);
            exit(2);
        }
        cJSON_Delete(view);
    }
}

/* What standing orders answer before the match stands still again: as the daemon does. */
static void obey(struct arena *a, const struct game *game, struct dice *dice)
{
    for (bool found = true; found;) {
        found = false;
        uint32_t seats = game->interrupts(a->state) & game->to_act(a->state);
        for (unsigned seat = 0; seat < SEATS_MAX && !found; seat++) {
            struct why why;
            cJSON *action = NULL;
            buf_reset(&a->action);
            if ((seats >> seat & 1U) == 0 || a->standing[seat] == NULL ||
                game->obey(a->state, seat, a->standing[seat], &a->action) != ERR_OK) {
                continue;
            }
            why_clear(&why);
            events_reset(&a->events);
            if (json_parse(buf_str(&a->action), a->action.len, &action) != ERR_OK ||
                json_normalise(action, &why) != ERR_OK ||
                game->apply(a->state, seat, action, dice, &a->events, &why) != ERR_OK) {
                fprintf(stderr, "arena: an order that is not legal: %s\n", buf_str(&a->action));
                exit(2);
            }
            cJSON_Delete(action);
            dice_next_line(dice);
            a->ordered++;
            found = true;
        }
    }
}

/* The match stands still: a hand-over if it waits for a seat that it did not wait for before. */
static void count_hand_over(struct arena *a, const struct game *game)
{
    uint32_t now = shown_waits(a, game);
    if (a->waited != 0 && (now & ~a->waited) != 0) { a->hand_overs++; }
    a->waited = now;
}

static int by_size(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tell_hand_overs(const struct arena *a, unsigned *list, size_t n)
{
    unsigned long sum = 0;
    qsort(list, n, sizeof *list, by_size);
    for (size_t i = 0; i < n; i++) {
        sum += list[i];
    }
    printf("hand-overs %s standing orders: median %u of %zu matches, mean %lu, least %u, most %u; "
           "%lu answers by orders\n",
           a->orders ? "with" : "without", list[n / 2], n, sum / n, list[0], list[n - 1],
           a->ordered);
}

/* What both sides came to, where the game counts it. */
static void tell_score(const cJSON *view, uint64_t seed)
{
    const cJSON *board = json_get(view, "board"), *result = json_get(board, "result");
    const cJSON *degree = json_get(result, "degree");
    if (!cJSON_IsString(degree)) { return; }
    printf("seed %llu: %s", (unsigned long long)seed, degree->valuestring);
    static const char *const sides[] = {"french", "allied"};
    for (unsigned i = 0; i < 2; i++) {
        static const char *const boxes[] = {"eliminated", "withdrawn", "vienna"};
        const cJSON *side = json_get(result, sides[i]),
                    *box = json_get(json_get(board, "boxes"), sides[i]);
        printf("; %s points %lld losses %lld", sides[i],
               (long long)json_int(json_get(side, "points"), 0),
               (long long)json_int(json_get(side, "losses"), 0));
        for (unsigned k = 0; k < 3; k++) {
            const cJSON *units = json_get(json_get(box, boxes[k]), "units");
            if (units != NULL) { printf(" %s %d", boxes[k], cJSON_GetArraySize(units)); }
        }
    }
    putchar('\n');
}

static void count_option(struct arena *a, const char *name, bool won)
{
    for (unsigned i = 0; i < TALLIES; i++) {
        struct tally *t = &a->tally[i];
        if (t->name != NULL && strcmp(t->name, name) != 0) { continue; }
        t->name = name;
        t->matches++;
        t->won += won ? 1 : 0;
        return;
    }
}

/* What Austerlitz can be played as. */
struct choice {
    const char *information, *situation;
    bool guard, dealt;
};

/* The options of a match follow from its seed: those that were not named go round. */
static struct choice choice_of(const struct arena *a, uint64_t seed)
{
    static const char *const situations[] = {"1805", "1809", "1813"};
    struct choice c = {.information = a->information, .situation = a->situation};
    if (c.situation == NULL) { c.situation = situations[seed / 4 % 3]; }
    if (c.information == NULL) { c.information = seed / 2 % 2 == 0 ? "informed" : "semi-blind"; }
    c.guard = strcmp(c.situation, "1805") != 0 && seed / 12 % 2 != 0;
    c.dealt = a->dealt || seed / 24 % 4 == 3;
    return c;
}

static void write_options(const struct arena *a, uint64_t seed, char *out, size_t bytes)
{
    if (strcmp(a->game, "waterloo") == 0) {
        snprintf(out, bytes, "{\"players\":%ld,\"turns\":%ld,\"morale\":%s,\"command_control\":%s}",
                 a->players, a->turns, a->morale ? "true" : "false", a->command ? "true" : "false");
        return;
    }
    struct choice c = choice_of(a, seed);
    snprintf(out, bytes,
             "{\"information\":\"%s\",\"situation\":\"%s\",\"guard_1805\":%s,\"strengths\":\"%s\"}",
             c.information, c.situation, c.guard ? "true" : "false", c.dealt ? "dealt" : "printed");
}

/* Who won with which options. */
static void count_options(struct arena *a, uint64_t seed, bool won)
{
    if (strcmp(a->game, "austerlitz") != 0) { return; }
    struct choice c = choice_of(a, seed);
    count_option(a, c.information, won);
    count_option(a, c.situation, won);
    if (c.guard) { count_option(a, "guard_1805", won); }
    count_option(a, c.dealt ? "dealt" : "printed", won);
}

static void tell_options(const struct arena *a)
{
    for (unsigned i = 0; i < TALLIES && a->tally[i].name != NULL; i++) {
        printf("%s %s %ld of %ld", i == 0 ? "won:" : ";", a->tally[i].name, a->tally[i].won,
               a->tally[i].matches);
    }
    if (a->tally[0].name != NULL) { putchar('\n'); }
}

/* Winner of a match: 'F' or 'A', '-' nobody, '?' if it did not end. fr: who plays the French, al:
 * the others. */
static char play(struct arena *a, const struct game *game, uint64_t seed, const struct bot_kind *fr,
                 const struct bot_kind *al, int *out_slot)
{
    char text[256];
    struct dice dice;
    struct why why;
    struct seat_player players[SEATS_MAX] = {0};
    cJSON *options = NULL;
    const char *codes[SEATS_MAX] = {NULL};
    struct buf full;
    write_options(a, seed, text, sizeof text);
    buf_init(&full, 4096);
    if (json_parse(text, strlen(text), &options) != ERR_OK ||
        game->options(options, &full, &why) != ERR_OK) {
        exit(2);
    }
    cJSON_Delete(options);
    if (json_parse(buf_str(&full), full.len, &options) != ERR_OK) { exit(2); }
    buf_finish(&full);
    game->seats(options, codes);
    seed_dice(&dice, seed);
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        players[seat].kind = seat == 0 ? fr : al;
        players[seat].code = codes[seat];
        bot_random_seed(&players[seat].mind.random, seed + seat);
    }
    memset(a->state, 0, game->state_bytes);
    events_reset(&a->events);
    if (game->create(options, game->rules_now, &dice, a->state, &a->events, &why) != ERR_OK) {
        exit(2);
    }
    cJSON_Delete(options);
    dice_next_line(&dice);
    let_hear(a, players, true);
    a->hand_overs = 0;
    a->ordered_slot = -1;
    a->waited = shown_waits(a, game);
    for (int n = 0; n < ACTIONS_MAX; n++) {
        uint32_t seats = game->waits_for(a->state);
        if (seats == 0) { seats = game->to_act(a->state); }
        if (seats == 0) { break; }
        unsigned seat = (unsigned)__builtin_ctz(seats);
        if (!act(a, game, seat, players, &dice)) {
            fprintf(stderr, "arena: seed %llu: seat %s is stuck\n", (unsigned long long)seed,
                    codes[seat]);
            return '?';
        }
        if (a->orders) {
            leave_orders(a, game, codes);
            obey(a, game, &dice);
        }
        count_hand_over(a, game);
    }
    cJSON *view = make_view(a, game, 0, codes[0]);
    const cJSON *winner = json_get(json_get(json_get(view, "board"), "result"), "winner");
    const cJSON *slot = json_get(json_get(view, "turn"), "slot");
    if (slot == NULL) { slot = json_get(json_get(view, "turn"), "turn"); }
    bool over = game->to_act(a->state) == 0;
    char won = cJSON_IsString(winner) ? (char)toupper((unsigned char)winner->valuestring[0])
               : over                 ? '-'
                                      : '?';
    tell_score(view, seed);
    *out_slot = cJSON_IsNumber(slot) ? slot->valueint : 0;
    if (a->verbose) {
        const cJSON *n = NULL;
        cJSON_ArrayForEach(n, json_get(json_get(view, "board"), "nations"))
        {
            const cJSON *left = json_get(n, "left");
            printf("  %s %d", n->string, cJSON_IsNumber(left) ? left->valueint : -1);
        }
        putchar('\n');
    }
    cJSON_Delete(view);
    return won;
}

static void tell(struct arena *a, uint64_t seed, const char *side, char won, int slot)
{
    bool mine = won == side[0];
    printf("seed %llu: %s as %s %s in slot %d\n", (unsigned long long)seed, a->policy, side,
           won == '?'   ? "did not end"
           : won == '-' ? "drew"
           : mine       ? "won"
                        : "lost",
           slot);
    fflush(stdout);
}

static const struct argp_option options[] = {
    {"policy", 'p', "NAME", 0, "The policy that is counted (default waterloo)", 0},
    {"enemy", 'e', "NAME", 0, "Whom it plays (default random)", 0},
    {"matches", 'n', "N", 0, "Matches, sides in turn (default 10)", 0},
    {"turns", 't', "N", 0, "Slots of a match (default 24)", 0},
    {"players", 'k', "N", 0, "2 or 3", 0},
    {"seed", 's', "N", 0, "Seed of the first match (default 1)", 0},
    {"side", 'f', "SIDE", 0, "Play FR or AL alone", 0},
    {"at-least", 'l', "PERCENT", 0, "Fail if it wins less", 0},
    {"morale", 'm', NULL, 0, "Option morale", 0},
    {"command", 'c', NULL, 0, "Option command control", 0},
    {"game", 'g', "NAME", 0, "waterloo (the default) or another", 0},
    {"information", 'i', "NAME", 0, "Austerlitz: informed or semi-blind alone", 0},
    {"situation", 'z', "NAME", 0, "Austerlitz: that situation alone", 0},
    {"dealt", 'd', NULL, 0, "Austerlitz: dealt strengths in every match", 0},
    {"longest", 'x', "MS", 0, "Fail if a decision took longer (processor time)", 0},
    {"orders", 'o', NULL, 0, "Both sides leave standing orders", 0},
    {"story", 'w', NULL, 0, "Tell every event, as one who sees all", 0},
    {"verbose", 'v', NULL, 0, "Tell every action and refusal", 0},
    {0},
};

int main(int argc, char **argv)
{
    static struct arena a = {.game = "waterloo",
                             .enemy = "random",
                             .matches = 10,
                             .turns = 24,
                             .players = 2,
                             .seed = 1,
                             .side = ""};
    struct argp argp = {options, on_option, "[BOARD]", "Plays policies against each other.",
                        NULL,    NULL,      NULL};
    if (argp_parse(&argp, argc, argv, 0, NULL, &a) != 0 || sodium_init() < 0) { return 2; }
    const struct game *game = game_find(a.game);
    if (a.policy == NULL) { a.policy = a.game; }
    const struct bot_kind *counted = bot_kind(a.policy), *against = bot_kind(a.enemy);
    if (game == NULL || counted == NULL || against == NULL || !load_board(&a)) {
        fprintf(stderr, "arena: no such policy or board\n");
        return 2;
    }
    a.state = calloc(1, game->state_bytes);
    a.next = calloc(1, game->state_bytes);
    events_init(&a.events);
    buf_init(&a.view, 4 << 20);
    buf_init(&a.action, 1 << 20);
    buf_init(&a.told, 1 << 20);
    long won = 0, ended = 0, fr = 0, fr_won = 0;
    unsigned *hand_overs = calloc((size_t)a.matches + 1, sizeof *hand_overs);
    if (hand_overs == NULL) { return 2; }
    for (long i = 0; i < a.matches; i++) {
        bool french = a.side[0] == '\0' ? i % 2 == 0 : a.side[0] == 'F';
        int slot = 0;
        char winner = play(&a, game, a.seed + (uint64_t)i, french ? counted : against,
                           french ? against : counted, &slot);
        tell(&a, a.seed + (uint64_t)i, french ? "FR" : "AL", winner, slot);
        hand_overs[i] = a.hand_overs;
        ended += winner != '?' ? 1 : 0;
        won += winner == (french ? 'F' : 'A') ? 1 : 0;
        count_options(&a, a.seed + (uint64_t)i, winner == (french ? 'F' : 'A'));
        fr += french ? 1 : 0;
        fr_won += french && winner == 'F' ? 1 : 0;
    }
    printf("%s against %s: %ld of %ld won (as FR %ld of %ld, as AL %ld of %ld), %ld ended, %lu "
           "actions, %lu refused\n",
           a.policy, a.enemy, won, a.matches, fr_won, fr, won - fr_won, a.matches - fr, ended,
           a.actions, a.refused_total);
    tell_options(&a);
    printf("the longest decision took %.1f ms of processor time\n", a.longest_ms);
    bool quick = a.longest_allowed == 0 || a.longest_ms <= (double)a.longest_allowed;
    if (a.matches > 0) { tell_hand_overs(&a, hand_overs, (size_t)a.matches); }
    free(hand_overs);
    forget_orders(&a);
    free(a.state);
    free(a.next);
    events_finish(&a.events);
    buf_finish(&a.view);
    buf_finish(&a.action);
    buf_finish(&a.told);
    bool enough = won * 100 >= a.at_least * a.matches;
    printf("%ld passed, %ld failed\n", ended,
           a.matches - ended + (enough ? 0 : 1) + (quick ? 0 : 1));
    return ended == a.matches && enough && quick ? 0 : 1;
}
