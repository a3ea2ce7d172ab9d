/* tests/oracle/pair.c: see pair.h. */
#include "tests/oracle/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "tests/oracle/games.h"
#include "tests/oracle/known.h"
#include "tests/oracle/play.h"

enum { TEXT_MAX = 1 << 20, PICKS = 8, STEP_MS = 10000, PACE_S = 1000 };

struct pair_counts pair_counts;
const char *const pair_timed[PAIR_TIMES] = {"match.ask", "match.try", "match.draft", "match.view",
                                            "match.get"};

const char *const pair_end_names[PAIR_ENDS] = {
    "long enough", "told", "impossible there", "over", "stuck", "undone", "leak"};

static int64_t clock_ms = INT64_C(1500000000000);
static uint64_t frames;

/* --- frames ---------------------------------------------------------------------------------- */

static void expand(struct pair *pair, unsigned w, const char *frame)
{
    buf_reset(&pair->frame);
    for (const char *at = frame; *at != '\0'; at++) {
        char number[24];
        if (*at != '@') {
            buf_append_char(&pair->frame, *at);
        } else if (*++at == 'M') {
            buf_append_str(&pair->frame, pair->match);
        } else if (*at == 'O') {
            snprintf(number, sizeof number, "%u", pair->offers);
            buf_append_str(&pair->frame, number);
        } else {
            long long seq = (long long)world_seq(pair->worlds[w], MAIN + (unsigned)(*at - '0'));
            if (at[1] == '-') { /* so many before it, but not before the first */
                char *end = NULL;
                seq -= strtoll(at + 2, &end, 10);
                seq = seq < 1 ? 1 : seq;
                at = end - 1;
            }
            snprintf(number, sizeof number, "%lld", seq);
            buf_append_str(&pair->frame, number);
        }
    }
}

/* Sends it to one world. */
static void send(struct pair *pair, unsigned w, unsigned client, const char *frame, bool waits)
{
    expand(pair, w, frame);
    world_send(pair->worlds[w], client, buf_str(&pair->frame), waits);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* How much longer than in the other world an answer took that rests on what a seat may know. */
static void note_time(const struct pair *pair, const char *frame)
{
    unsigned which = 0;
    while (which < PAIR_TIMES && strstr(frame, pair_timed[which]) == NULL) {
        which++;
    }
    if (which == PAIR_TIMES) { return; }
    struct pair_time *time = &pair_counts.times[which];
    double here = (double)pair->took_ns[0] / 1000.0, there = (double)pair->took_ns[1] / 1000.0;
    if (here > 5000 || there > 5000) { return; } /* the machine did something else */
    time->n++;
    time->sum += here + there;
    time->difference += here - there;
    time->squares += (here - there) * (here - there);
}

/* All has been said. A match at rest tells its watchers when it is read back, which no call may
 * wait for: so one does. */
static void settle(struct pair *pair, unsigned w)
{
    static const char look[] = "{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"method\":\"match.view\","
                               "\"params\":{\"match\":\"@M\",\"actions\":false}}";
    world_settle(pair->worlds[w]);
    if (!pair->rested) { return; }
    send(pair, w, MAIN, look, false);
    world_settle(pair->worlds[w]);
}

/* A new moment, the same in both worlds. */
static void tick(struct pair *pair)
{
    clock_ms += STEP_MS;
    frames++;
    for (unsigned w = 0; w < 2; w++) {
        world_set_clock(pair->worlds[w], clock_ms);
        world_set_random(pair->worlds[w], frames * UINT64_C(0x9e3779b97f4a7c15));
    }
}

/* When the seat's answer is shown at the earliest; 0: whenever it is given. */
static int64_t shown_from(struct pair *pair, unsigned client)
{
    static const char ask[] = "{\"jsonrpc\":\"2.0\",\"id\":16,\"method\":\"match.held\","
                              "\"params\":{\"match\":\"@M\"}}";
    static const char until[] = "\"until\":";
    if (!pair->paced) { return 0; }
    for (unsigned w = 0; w < 2; w++) {
        send(pair, w, client, ask, false);
        settle(pair, w);
    }
    const char *found = strstr(world_heard(pair->worlds[0], client), "\"id\":16,");
    if (found != NULL) { found = strstr(found, until); }
    return found == NULL ? 0 : strtoll(found + strlen(until), NULL, 10);
}

/* What was answered and is not shown yet is due by then, in both worlds: a call that would judge an
 * action finds that out. */
static void pass_pace(struct pair *pair, int64_t due)
{
    static const char look[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"method\":\"match.try\","
        "\"params\":{\"match\":\"@M\",\"seq\":@0,\"action\":{\"do\":\"x\"}}}";
    if (due <= clock_ms) { return; }
    clock_ms = due;
    for (unsigned w = 0; w < 2; w++) {
        world_set_clock(pair->worlds[w], clock_ms);
        send(pair, w, MAIN, look, false);
        world_settle(pair->worlds[w]);
    }
}

static bool has_error(const struct pair *pair, unsigned w, unsigned client)
{
    return strstr(world_heard(pair->worlds[w], client), "\"error\":{\"code\":") != NULL;
}

/* A list of matches names those of earlier pairs too, which went apart when their viewer was told
 * something: of them only the name and the place in the list count. Free it. */
static char *without_others(const struct pair *pair, const char *heard)
{
    struct buf out;
    buf_init(&out, (size_t)64 << 20);
    for (size_t n; *heard != '\0'; heard += n) {
        n = strcspn(heard, "\n") + 1;
        cJSON *json = cJSON_ParseWithLength(heard, n);
        const cJSON *result = cJSON_GetObjectItemCaseSensitive(json, "result");
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(result, "matches");
        for (cJSON *i = list == NULL ? NULL : list->child; i != NULL; i = i->next) {
            const cJSON *match = cJSON_GetObjectItemCaseSensitive(i, "match");
            if (!cJSON_IsString(match) || strcmp(match->valuestring, pair->match) == 0) {
                continue;
            }
            for (cJSON *k = i->child, *next = NULL; k != NULL; k = next) {
                next = k->next;
                if (k != match) { cJSON_Delete(cJSON_DetachItemViaPointer(i, k)); }
            }
        }
        char *text = list == NULL ? NULL : cJSON_PrintUnformatted(json);
        if (text != NULL) {
            buf_append_str(&out, text);
            buf_append_char(&out, '\n');
        } else {
            buf_append(&out, heard, n);
        }
        free(text);
        cJSON_Delete(json);
    }
    char *all = strdup(buf_str(&out));
    buf_finish(&out);
    return all;
}

/* Counts what was said to the compared clients of one world. */
static void count_heard(const char *heard)
{
    static const char *const kinds[PAIR_SAID] = {"\"result\":",
                                                 "\"error\":{\"code\":",
                                                 "\"method\":\"match.view\"",
                                                 "\"method\":\"match.delta\"",
                                                 "\"method\":\"match.said\"",
                                                 "\"method\":\"account.turn\""};
    for (size_t n; *heard != '\0'; heard += n) {
        n = strcspn(heard, "\n") + 1;
        pair_counts.bytes += n;
        const char *end = heard + (n < 60 ? n : 60);
        for (unsigned i = 0; i < PAIR_SAID; i++) {
            const char *at = strstr(heard, kinds[i]);
            if (at == NULL || at >= end) { continue; }
            pair_counts.said[i]++;
            break;
        }
    }
}

/* Those who are nobody in the match. */
static const uint32_t outside = UINT32_C(1) << SPECTATOR | UINT32_C(1) << STRANGER |
                                UINT32_C(1) << GUEST | UINT32_C(1) << GUEST_WAITER;

static uint32_t compared_of(const struct pair *pair)
{
    return pair->after ? outside : pair->compared;
}

/* What the compared clients heard in both worlds; forgotten then. False: not the same. */
static bool heard_alike(struct pair *pair)
{
    bool same = true;
    for (unsigned client = 0; same && client < CLIENTS; client++) {
        if ((compared_of(pair) >> client & 1U) == 0) { continue; }
        const char *here = world_heard(pair->worlds[0], client);
        const char *there = world_heard(pair->worlds[1], client);
        count_heard(here);
        if (strcmp(here, there) == 0) { continue; }
        for (unsigned w = 0; w < 2; w++) {
            free(pair->heard[w]);
            pair->heard[w] = without_others(pair, w == 0 ? here : there);
        }
        same = strcmp(pair->heard[0], pair->heard[1]) == 0;
        pair->leak_client = client;
    }
    for (unsigned w = 0; w < 2; w++) {
        world_forget(pair->worlds[w]);
    }
    return same;
}

/* --- beginning and end ----------------------------------------------------------------------- */

void pair_make(struct pair *pair, const struct state *start, unsigned viewer, const cJSON *options,
               uint64_t seed)
{
    struct hash key = {{7}};
    struct dice dice;
    pair->seed = seed;
    pair->random = seed ^ UINT64_C(0x0eac1e);
    pair->viewer = viewer;
    pair->seats = known->game->seats(options, pair->codes);
    pair->options = cJSON_PrintUnformatted(options);
    buf_init(&pair->text, TEXT_MAX);
    buf_init(&pair->other, TEXT_MAX);
    buf_init(&pair->frame, TEXT_MAX);
    for (unsigned w = 0; w < 2; w++) {
        pair->start[w] = calloc(1, known->game->state_bytes);
        if (pair->start[w] == NULL) { abort(); }
    }
    memcpy(pair->start[0], start, known->game->state_bytes);
    pair->before = calloc(1, known->game->state_bytes);
    if (pair->before == NULL) { abort(); }
    dice_init(&dice, &key, &key, 1, draw_next(&pair->random) >> 8);
    buf_reset(&pair->text);
    known->game->twin(start, viewer, &dice, pair->start[1], &pair->text);
    if (json_parse(buf_str(&pair->text), pair->text.len, &pair->names) != ERR_OK) { abort(); }
    pair->compared = outside;
    for (unsigned seat = 0; viewer < pair->seats && seat < pair->seats; seat++) {
        if ((seat == 0) != (viewer == 0)) { continue; }
        pair->compared |= UINT32_C(1) << (MAIN + seat) | UINT32_C(1) << (SECOND + seat);
    }
    if (viewer < pair->seats) { pair->compared |= UINT32_C(1) << WAITER; }
}

static void forget_ops(struct pair *pair)
{
    for (unsigned i = 0; i < pair->count; i++) {
        free(pair->ops[i].frame[0]);
        free(pair->ops[i].frame[1]);
    }
    pair->count = 0;
}

void pair_finish(struct pair *pair)
{
    forget_ops(pair);
    free(pair->ops);
    free(pair->options);
    for (unsigned w = 0; w < 2; w++) {
        free(pair->start[w]);
        free(pair->heard[w]);
    }
    free(pair->before);
    cJSON_Delete(pair->names);
    buf_finish(&pair->text);
    buf_finish(&pair->other);
    buf_finish(&pair->frame);
}

/* A frame to both worlds, all settled. */
static void both(struct pair *pair, unsigned client, const char *frame, bool waits)
{
    tick(pair);
    unsigned first = (unsigned)(frames & 1U); /* in turns, so that neither has the warmer cache */
    for (unsigned i = 0; i < 2; i++) {
        unsigned w = i ^ first;
        uint64_t began = now_ns();
        send(pair, w, client, frame, waits);
        settle(pair, w);
        pair->took_ns[w] = now_ns() - began;
    }
}

static void resume(struct pair *pair, unsigned client, unsigned account)
{
    for (unsigned w = 0; w < 2; w++) {
        char frame[256];
        world_connect(pair->worlds[w], client);
        if (account > STRANGER) { continue; }
        snprintf(frame, sizeof frame,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"account.resume\","
                 "\"params\":{\"token\":\"%s\"}}",
                 pair->tokens[account][w]);
        world_send(pair->worlds[w], client, frame, false);
        world_settle(pair->worlds[w]);
    }
}

/* The join codes of the seats as the creator is told them; "" none. */
static void read_created(struct pair *pair, char codes[SEATS_MAX][64])
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":3,";
    const char *heard = world_heard(pair->worlds[0], MAIN), *text = heard;
    for (const char *at = heard; (at = strstr(at, head)) != NULL; at++) {
        text = at; /* the answer; what is pushed may come behind it */
    }
    cJSON *json = cJSON_ParseWithLength(text, strcspn(text, "\n"));
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(json, "result");
    const cJSON *match = cJSON_GetObjectItemCaseSensitive(result, "match");
    const cJSON *seats = cJSON_GetObjectItemCaseSensitive(result, "seats");
    if (!cJSON_IsString(match)) {
        fprintf(stderr, "no match was made: %s\n", text);
        abort();
    }
    snprintf(pair->match, sizeof pair->match, "%s", match->valuestring);
    for (unsigned i = 0; i < pair->seats; i++) {
        const cJSON *seat = cJSON_GetObjectItemCaseSensitive(seats, pair->codes[i]);
        const cJSON *code = cJSON_GetObjectItemCaseSensitive(seat, "code");
        snprintf(codes[i], 64, "%s", cJSON_IsString(code) ? code->valuestring : "");
    }
    cJSON_Delete(json);
}

static void watch_all(struct pair *pair)
{
    static const char watch[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"match.watch\","
                                "\"params\":{\"match\":\"@M\"%s}}";
    char frame[256];
    for (unsigned i = 0; i < pair->seats; i++) {
        bool compared = (pair->compared >> (MAIN + i) & 1U) != 0;
        snprintf(frame, sizeof frame, watch, compared ? "" : ",\"actions\":false");
        both(pair, MAIN + i, frame, false);
        if (!compared) { continue; }
        snprintf(frame, sizeof frame, watch, ",\"delta\":true,\"actions\":false");
        both(pair, SECOND + i, frame, false);
        snprintf(frame, sizeof frame, watch, ",\"delta\":true,\"as\":\"public\"");
        both(pair, SECOND + i, frame, false);
    }
    snprintf(frame, sizeof frame, watch, "");
    both(pair, SPECTATOR, frame, false);
    snprintf(frame, sizeof frame, watch, ",\"delta\":true");
    both(pair, GUEST, frame, false);
}

/* What a seat puts into the dice: nothing, a nonce that it opens, one that it loses. */
enum putting { PUTS_NOTHING, PUTS_NONCE, LOSES_NONCE };

/* The account of a seat gives a commitment to a nonce of that number, new in these worlds. */
static void stock_nonce(struct pair *pair, unsigned seat, uint64_t number)
{
    struct hash nonce = {{0}};
    struct hash commit;
    char text[44], frame[256];
    memcpy(nonce.bytes, &number, sizeof number);
    nonce.bytes[31] = (uint8_t)seat;
    dice_nonce_commitment(&nonce, &commit);
    b64_encode(text, commit.bytes, sizeof commit.bytes);
    snprintf(
        frame, sizeof frame,
        "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"account.nonces\",\"params\":{\"commits\":[\"%s"
        "\"]}}",
        text);
    both(pair, MAIN + seat, frame, false);
}

/* Refused before, then opened or lost, and told to everybody who watches. */
static void settle_nonce(struct pair *pair, unsigned seat, uint64_t number, enum putting putting)
{
    static const char acts[] = "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"match.act\",\"params\":"
                               "{\"match\":\"@M\",\"seq\":@%u,\"action\":%s}}";
    struct hash nonce = {{0}};
    char text[44], frame[256];
    memcpy(nonce.bytes, &number, sizeof number);
    nonce.bytes[31] = (uint8_t)seat;
    b64_encode(text, nonce.bytes, sizeof nonce.bytes);
    if (putting != PUTS_NOTHING) {
        snprintf(frame, sizeof frame, acts, seat, known->idle);
        both(pair, MAIN + seat, frame, false);
    }
    if (putting == PUTS_NONCE) {
        snprintf(frame, sizeof frame,
                 "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"match.nonce\",\"params\":{\"match\":"
                 "\"@M\","
                 "\"nonce\":\"%s\"}}",
                 text);
    } else {
        snprintf(frame, sizeof frame,
                 "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"match.nonce\",\"params\":{\"match\":"
                 "\"@M\","
                 "\"lost\":true}}");
    }
    both(pair, MAIN + seat, frame, false);
    if (putting != PUTS_NOTHING &&
        strstr(world_heard(pair->worlds[0], MAIN + seat), "\"id\":12,\"error\"") != NULL) {
        fprintf(stderr, "a nonce was refused: %s\n", world_heard(pair->worlds[0], MAIN + seat));
        abort();
    }
}

/* Makes the match in both worlds, with all seats taken and everybody watching. */
static bool begin(struct pair *pair)
{
    static uint64_t matches; /* in this process: no nonce is given twice */
    uint64_t number = ++matches;
    enum putting puttings[SEATS_MAX];
    static const char *const access[] = {"open", "open", "invite", "private"};
    static const char *const spectators[] = {"public", "public", "none"};
    static const char *const reveal[] = {"end", "seats"};
    uint64_t random = pair->seed;
    pair->to_seats = draw_below(&random, 2) == 0;
    pair->paced = pair->seed % 3 == 0;
    pair->offers = 0;
    memset(pair->orders, 0, sizeof pair->orders);
    pair->mark_count = 0;
    pair->after = false;
    unsigned start = hosted_add_start(0, pair->start[0]);
    if (hosted_add_start(1, pair->start[1]) != start) { abort(); }
    char frame[1024], codes[SEATS_MAX][64];
    snprintf(frame, sizeof frame,
             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"match.create\",\"params\":{\"game\":"
             "\"%s\",\"seat\":\"FR\",\"title\":\"Pair\",\"access\":\"%s\",\"spectators\":\"%s\","
             "\"reveal\":\"%s\",\"pace\":%d,\"options\":%.*s,\"start\":%u}}}",
             known->game->name, access[draw_below(&random, 4)], spectators[draw_below(&random, 3)],
             reveal[pair->to_seats ? 1 : 0], pair->paced ? PACE_S : 0,
             (int)strlen(pair->options) - 1, pair->options, start);
    unsigned waits_for = pair->viewer < pair->seats ? pair->viewer : 3;
    resume(pair, WAITER, waits_for);
    resume(pair, GUEST_WAITER, CLIENTS);
    for (unsigned i = 0; i < pair->seats; i++) {
        puttings[i] = (enum putting)draw_below(&random, 3);
        if (puttings[i] != PUTS_NOTHING) { stock_nonce(pair, i, number); }
    }
    both(pair, MAIN, frame, false);
    read_created(pair, codes);
    for (unsigned w = 0; w < 2; w++) {
        hosted_listen(w);
    }
    for (unsigned i = 1; i < pair->seats; i++) {
        snprintf(frame, sizeof frame,
                 "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"match.join\",\"params\":{\"match\":"
                 "\"@M\",\"seat\":\"%s\"%s%s%s}}",
                 pair->codes[i], codes[i][0] == '\0' ? "" : ",\"code\":\"", codes[i],
                 codes[i][0] == '\0' ? "" : "\"");
        both(pair, MAIN + i, frame, false);
        if (has_error(pair, 0, MAIN + i)) {
            fprintf(stderr, "a seat could not join: %s\n", world_heard(pair->worlds[0], MAIN + i));
            abort();
        }
    }
    watch_all(pair);
    for (unsigned i = 0; i < pair->seats; i++) {
        settle_nonce(pair, i, number, puttings[i]);
    }
    for (unsigned w = 0; w < 2; w++) { /* a game that draws early begins with the last nonce */
        hosted_deafen(w);
    }
    return heard_alike(pair);
}

static void end(struct pair *pair)
{
    pair->rested = false;
    pair->after = false;
    both(pair, MAIN,
         "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"match.resign\",\"params\":{\"match\":\"@M\"}}",
         false);
    for (unsigned client = 0; client <= GUEST; client++) {
        both(pair, client,
             "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"match.unwatch\",\"params\":{\"match\":\"@"
             "M\"}}",
             false);
    }
    for (unsigned w = 0; w < 2; w++) {
        world_disconnect(pair->worlds[w], WAITER);
        world_disconnect(pair->worlds[w], GUEST_WAITER);
        world_settle(pair->worlds[w]);
        world_forget(pair->worlds[w]);
    }
}

/* --- doing ----------------------------------------------------------------------------------- */

/* A draft of an enemy in one world, or its undo: nobody else may hear of it. */
static enum pair_end do_alone(struct pair *pair, const struct op *op)
{
    unsigned w = op->frame[0] != NULL ? 0 : 1;
    bool undo = op->kind == OP_UNDO;
    if (undo && !pair->drafted) { return PAIR_LONG; }
    if (op->kind == OP_DRAFT) { memcpy(pair->before, hosted_state(w), known->game->state_bytes); }
    hosted_listen(w);
    world_set_clock(pair->worlds[w],
                    clock_ms + 1 + (int64_t)draw_below(&pair->random, STEP_MS / 2));
    world_set_random(pair->worlds[w], ~frames);
    send(pair, w, op->client, op->frame[w], false);
    settle(pair, w);
    if (pair->rested) { settle(pair, 1 - w); } /* what deltas begin at is there in both again */
    hosted_deafen(w);
    bool refused = has_error(pair, w, op->client);
    if (op->kind == OP_ALLOT || op->kind == OP_PAPER) {
        return heard_alike(pair) ? PAIR_LONG : PAIR_LEAK;
    }
    pair->drafted = undo ? refused : !refused;
    if (!heard_alike(pair)) { return PAIR_LEAK; }
    if (!undo) { return PAIR_LONG; }
    return memcmp(pair->before, hosted_state(w), known->game->state_bytes) == 0 ? PAIR_LONG
                                                                                : PAIR_STUCK;
}

/* What has told anybody something hidden is not taken back (DESIGN section 4): tried by whoever did
 * it. */
static bool refuses_undo(struct pair *pair, unsigned client)
{
    static const char undo[] = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"match.undo\","
                               "\"params\":{\"match\":\"@M\",\"seq\":@%u}}";
    static const char refused[] = "\"id\":9,\"error\":";
    char frame[128];
    snprintf(frame, sizeof frame, undo, client % 3);
    pair_counts.undo_tried++;
    for (unsigned w = 0; w < 2; w++) {
        send(pair, w, client, frame, false);
        settle(pair, w);
        if (strstr(world_heard(pair->worlds[w], client), refused) == NULL) { return false; }
    }
    return true;
}

static enum pair_end do_act(struct pair *pair, const struct op *op)
{
    tick(pair);
    int64_t due = shown_from(pair, op->client);
    for (unsigned w = 0; w < 2; w++) {
        hosted_listen(w);
    }
    for (unsigned w = 0; w < 2; w++) {
        send(pair, w, op->client, op->frame[w], false);
    }
    for (unsigned w = 0; w < 2; w++) {
        settle(pair, w);
    }
    pass_pace(pair, due);
    for (unsigned w = 0; w < 2; w++) {
        hosted_deafen(w);
    }
    /* An undo plays again what others did since: that tells nobody anything new. */
    bool undoes = strstr(op->frame[0], "\"match.undo\"") != NULL;
    bool refused[2] = {has_error(pair, 0, op->client), has_error(pair, 1, op->client)};
    uint32_t reveals = 0;
    for (unsigned w = 0; w < 2; w++) {
        if (refused[w]) {
            hosted_take_back(w);
        } else if (!undoes) {
            reveals |= hosted_reveals(w);
        }
    }
    pair->steps++;
    pair_counts.steps[known->step(hosted_state(0))]++;
    if (op->legal && refused[0]) {
        printf("a legal action was refused: %s %s\n", op->frame[0],
               world_heard(pair->worlds[0], op->client));
        pair_print(pair, NULL);
        abort();
    }
    if (reveals != 0 && !refuses_undo(pair, op->client)) { return PAIR_UNDONE; }
    if ((reveals >> pair->viewer & 1U) != 0) { return PAIR_TOLD; }
    if (op->enemy && refused[0] != refused[1]) { return PAIR_IMPOSSIBLE; }
    if (!heard_alike(pair)) { return PAIR_LEAK; }
    bool over = known->game->to_act(hosted_state(0)) == 0;
    return over ? PAIR_OVER : PAIR_LONG;
}

/* An offer or an answer to one; the last yes to a rewind puts both matches back. What all are told
 * of must be the same, whatever quiet lines there are in one world alone. */
static enum pair_end do_offer(struct pair *pair, const struct op *op)
{
    static const char done[] = "\"outcome\":\"carried_out\"";
    tick(pair);
    for (unsigned w = 0; w < 2; w++) {
        hosted_listen(w);
    }
    bool refused[2] = {false, false};
    bool carried = false;
    for (unsigned w = 0; w < 2; w++) {
        send(pair, w, op->client, op->frame[w], false);
        settle(pair, w);
        hosted_deafen(w);
        refused[w] = has_error(pair, w, op->client);
        carried = carried || strstr(world_heard(pair->worlds[w], op->client), done) != NULL;
    }
    bool made = strstr(op->frame[0], "\"match.offer\"") != NULL;
    if (made && !refused[0]) {
        pair->offers++;
        pair_counts.offers++;
    }
    if (refused[0] != refused[1]) {
        pair->leak_client = op->client;
        for (unsigned w = 0; w < 2; w++) {
            free(pair->heard[w]);
            pair->heard[w] = strdup(world_heard(pair->worlds[w], op->client));
        }
        return PAIR_LEAK;
    }
    /* The end tells what the step held back (W20.5). */
    unsigned step = known->step(pair->before);
    bool over = known->game->to_act(hosted_state(0)) == 0;
    if (over && known->end_tells(step)) { return PAIR_OVER; }
    if (carried && !over) {
        pair_counts.rewinds++;
        /* Gone with the rest; but who went back to before the rewind would find it again. */
        if (pair->drafted) { pair->mark_count = 0; }
        pair->drafted = false;
    }
    if (!heard_alike(pair)) { return PAIR_LEAK; }
    /* Where one of them had rolled in secret what the rewind took back (pursuit fire that the other
     * had none of), their coming dice are not the same: no viewer can tell, but the two part here.
     */
    if (carried && !over && hosted_roll(0) != hosted_roll(1)) { return PAIR_IMPOSSIBLE; }
    return over ? PAIR_OVER : PAIR_LONG;
}

/* Leaves these orders (JSON) in the first world in the place of what the seat had left there. */
static void leave_orders(struct pair *pair, unsigned client, const char *orders)
{
    struct buf frame;
    buf_init(&frame, TEXT_MAX);
    buf_append_str(&frame, "{\"jsonrpc\":\"2.0\",\"id\":14,\"method\":\"match.standing\","
                           "\"params\":{\"match\":\"@M\"");
    jw_key_int(&frame, "version", pair->orders[client % 3]);
    jw_key_raw(&frame, "orders", orders, strlen(orders));
    buf_append_str(&frame, "}}");
    send(pair, 0, client, buf_str(&frame), false);
    settle(pair, 0);
    if (!has_error(pair, 0, client)) { pair->orders[client % 3]++; }
    buf_finish(&frame);
}

/* The orders answer at once, and the seat of the other world does by hand what they did. False: it
 * cannot, there. */
static bool answer_by_hand(struct pair *pair, unsigned client)
{
    const char *const *actions = NULL;
    unsigned count = hosted_obeyed(0, &actions);
    for (unsigned i = 0; i < count; i++) {
        char head[160];
        snprintf(head, sizeof head,
                 "{\"jsonrpc\":\"2.0\",\"id\":15,\"method\":\"match.act\",\"params\":{\"match\":"
                 "\"@M\",\"seq\":@%u,\"action\":",
                 client % 3);
        play_rename(actions[i], pair->names, &pair->other);
        buf_reset(&pair->text);
        buf_append_str(&pair->text, head);
        buf_append_str(&pair->text, buf_str(&pair->other));
        buf_append_str(&pair->text, "}}");
        send(pair, 1, client, buf_str(&pair->text), false);
        settle(pair, 1);
        if (has_error(pair, 1, client)) { return false; }
        pair_counts.ordered++;
        pair_counts.late += pair->paced ? 1 : 0;
    }
    return true;
}

/* When it was done, as all that are compared find it told. */
static void look_back(struct pair *pair)
{
    static const char look[] = "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"match.history\","
                               "\"params\":{\"match\":\"@M\",\"limit\":6}}";
    for (unsigned client = 0; client < CLIENTS; client++) {
        if ((compared_of(pair) >> client & 1U) != 0) { both(pair, client, look, false); }
    }
}

/* Nobody but its seat can tell what answered. */
static enum pair_end do_orders(struct pair *pair, const struct op *op)
{
    uint32_t reveals = 0;
    tick(pair);
    for (unsigned w = 0; w < 2; w++) {
        hosted_listen(w);
    }
    int64_t due = shown_from(pair, op->client);
    leave_orders(pair, op->client, op->frame[0]);
    for (unsigned n = draw_below(&pair->random, 6); clock_ms + STEP_MS < due && n > 0; n--) {
        tick(pair); /* by hand later, but in time */
    }
    bool same = answer_by_hand(pair, op->client);
    bool early = due > clock_ms, silent = !early || !same || heard_alike(pair);
    pass_pace(pair, due);
    if (early) { look_back(pair); }
    for (unsigned w = 0; w < 2; w++) {
        hosted_deafen(w);
        reveals |= hosted_reveals(w);
    }
    leave_orders(pair, op->client, "[]");
    pair->steps++;
    if (!silent) { return PAIR_LEAK; }
    if ((reveals >> pair->viewer & 1U) != 0) { return PAIR_TOLD; }
    if (!same || known->step(hosted_state(0)) != known->step(hosted_state(1))) {
        return PAIR_IMPOSSIBLE;
    }
    if (!heard_alike(pair)) { return PAIR_LEAK; }
    return known->game->to_act(hosted_state(0)) == 0 ? PAIR_OVER : PAIR_LONG;
}

static enum pair_end do_op(struct pair *pair, const struct op *op)
{
    pair_counts.ops[op->kind]++;
    pair->after = op->after;
    if (op->after) { pair_counts.after++; }
    /* Not where one world does in one call what the other does in several: what a look of ours
     * makes in between, views for deltas to begin at, would be there in one of them alone. */
    pair->rested = frames % 16 == 0 && op->kind != OP_ORDERS;
    for (unsigned w = 0; w < 2 && pair->rested; w++) {
        world_rest(pair->worlds[w]);
    }
    if (op->kind == OP_ACT) { return do_act(pair, op); }
    if (op->kind == OP_OFFER) { return do_offer(pair, op); }
    if (op->kind == OP_ORDERS) { return do_orders(pair, op); }
    if (op->kind == OP_DRAFT || op->kind == OP_UNDO || op->kind == OP_ALLOT ||
        op->kind == OP_PAPER) {
        return do_alone(pair, op);
    }
    if (pair->drafted) { pair_counts.amid_draft++; }
    both(pair, op->client, op->frame[0], op->kind == OP_WAIT);
    note_time(pair, op->frame[0]);
    return heard_alike(pair) ? PAIR_LONG : PAIR_LEAK;
}

/* --- making up what to do -------------------------------------------------------------------- */

static struct op *new_op(struct pair *pair, enum op_kind kind, unsigned client)
{
    if (pair->count == pair->cap) {
        pair->cap = pair->cap == 0 ? 64 : pair->cap * 2;
        pair->ops = realloc(pair->ops, pair->cap * sizeof *pair->ops);
        if (pair->ops == NULL) { abort(); }
    }
    struct op *op = &pair->ops[pair->count++];
    memset(op, 0, sizeof *op);
    op->kind = kind;
    op->client = client;
    return op;
}

static char *frame_of(unsigned id, const char *method, const char *params)
{
    char *text = NULL;
    if (asprintf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%s%u%s,\"method\":\"%s\",\"params\":{%s}}",
                 strcmp(method, "match.wait") == 0 ? "\"wait" : "", id,
                 strcmp(method, "match.wait") == 0 ? "\"" : "", method, params) < 0) {
        abort();
    }
    return text;
}

static char *seat_frame(const char *method, unsigned seat, const char *name, const char *value)
{
    struct buf params;
    buf_init(&params, TEXT_MAX);
    buf_append_str(&params, "\"match\":\"@M\",\"seq\":@");
    buf_append_char(&params, (char)('0' + seat));
    if (value != NULL) {
        buf_append_str(&params, name);
        buf_append_str(&params, value);
    }
    char *frame = frame_of(7, method, buf_str(&params));
    buf_finish(&params);
    return frame;
}

static char *act_frame(const char *method, unsigned seat, const char *action)
{
    return seat_frame(method, seat, ",\"action\":", action);
}

static char *list_frame(const char *method, unsigned seat, const char *actions)
{
    return seat_frame(method, seat, ",\"actions\":", actions);
}

static bool is_enemy(const struct pair *pair, unsigned seat)
{
    return pair->viewer >= pair->seats || (seat == 0) != (pair->viewer == 0);
}

static unsigned seat_to_act(struct pair *pair, const struct state *s)
{
    uint32_t to_act = known->game->to_act(s);
    unsigned found = 0, seen = 0;
    for (unsigned i = 0; i < pair->seats; i++) {
        if ((to_act >> i & 1U) != 0 && draw_below(&pair->random, ++seen) == 0) { found = i; }
    }
    return found;
}

/* An action of a seat that is to act, possible in both worlds. False: none was found. */
static bool make_act(struct pair *pair)
{
    const struct state *here = hosted_state(0), *there = hosted_state(1);
    unsigned seat = seat_to_act(pair, here);
    for (unsigned i = 0; i < PICKS; i++) {
        if (!play_pick(here, seat, &pair->random, &pair->text)) { return false; }
        bool enemy = is_enemy(pair, seat);
        if (enemy) {
            play_rename(buf_str(&pair->text), pair->names, &pair->other);
            play_shuffle(&pair->random, &pair->other);
            if (play_try(there, seat, buf_str(&pair->other)) != ERR_OK) { continue; }
        }
        struct op *op = new_op(pair, OP_ACT, MAIN + seat);
        op->enemy = enemy;
        op->legal = true;
        op->frame[0] = act_frame("match.act", seat, buf_str(&pair->text));
        op->frame[1] = act_frame("match.act", seat, buf_str(enemy ? &pair->other : &pair->text));
        return true;
    }
    return false;
}

/* A seat takes back, or (seldom) gives up. */
static void make_other_act(struct pair *pair, bool resigns)
{
    unsigned seat = draw_below(&pair->random, pair->seats);
    struct op *op = new_op(pair, OP_ACT, MAIN + seat);
    op->enemy = is_enemy(pair, seat);
    for (unsigned w = 0; w < 2; w++) {
        op->frame[w] = resigns ? frame_of(7, "match.resign", "\"match\":\"@M\"")
                               : act_frame("match.undo", seat, NULL);
    }
}

static unsigned any_compared(struct pair *pair)
{
    unsigned found = GUEST, seen = 0;
    for (unsigned i = 0; i <= GUEST; i++) {
        if ((compared_of(pair) >> i & 1U) != 0 && draw_below(&pair->random, ++seen) == 0) {
            found = i;
        }
    }
    return found;
}

/* Who it asks as: mostly himself. */
static const char *any_as(struct pair *pair)
{
    static const char *const as[] = {",\"as\":\"public\"", ",\"as\":\"FR\"", ",\"as\":\"AL\"",
                                     ",\"as\":\"AD\"", ",\"as\":\"all\""};
    return draw_below(&pair->random, 3) != 0 ? "" : as[draw_below(&pair->random, 5)];
}

/* The action and up to two more as a list: whether it is taken must not hang on dice (PROTOCOL
 * section 4). */
static void make_list(struct pair *pair, const struct state *s, unsigned seat)
{
    buf_reset(&pair->other);
    buf_append_char(&pair->other, '[');
    buf_append_str(&pair->other, buf_str(&pair->text));
    for (unsigned i = draw_below(&pair->random, 3); i > 0; i--) {
        if (!play_pick(s, seat, &pair->random, &pair->text)) { break; }
        buf_append_char(&pair->other, ',');
        buf_append_str(&pair->other, buf_str(&pair->text));
    }
    buf_append_char(&pair->other, ']');
}

/* match.act, match.try or match.plan of what may be no legal action, by one who may have no seat.
 */
static void make_try(struct pair *pair, unsigned client, bool may_act)
{
    const struct state *s = hosted_state(0);
    unsigned seat = client < SPECTATOR ? client % 3 : draw_below(&pair->random, pair->seats);
    bool acts = may_act && draw_below(&pair->random, 3) == 0;
    if (!play_pick(s, seat, &pair->random, &pair->text)) {
        buf_append_str(&pair->text, known->absent);
    }
    if (acts || draw_below(&pair->random, 2) == 0) { play_spoil(s, &pair->random, &pair->text); }
    struct op *op = new_op(pair, acts ? OP_ACT : OP_LOOK, client);
    bool plan = !acts && draw_below(&pair->random, 3) == 0;
    bool list = plan || draw_below(&pair->random, 4) == 0;
    const char *method = acts ? "match.act" : plan ? "match.plan" : "match.try";
    if (list) { make_list(pair, s, seat); }
    for (unsigned w = 0; w < 2; w++) {
        op->frame[w] = list ? list_frame(method, seat, buf_str(&pair->other))
                            : act_frame(method, seat, buf_str(&pair->text));
    }
}

static const char *const plain_methods[] = {
    "match.view",  "match.history", "match.replay",  "match.get",      "match.list",
    "match.talk",  "match.watch",   "match.wait",    "match.ask",      "match.start",
    "match.leave", "match.join",    "match.receipt", "match.record",   "match.note",
    "match.draft", "match.rematch", "account.bots",  "account.profile"};
enum { PLAIN_METHODS = sizeof plain_methods / sizeof plain_methods[0], TRIES = 3 };

/* Params of what else a client may look at or write down for itself. */
static void other_params(unsigned n, unsigned k, const char *as, char params[512])
{
    static const char *const channels[] = {"table", "table", "side", "watchers"};
    const char *method = plain_methods[n];
    char draft[160];
    snprintf(draft, sizeof draft, ",\"version\":0,\"actions\":[%s]", known->idle);
    if (strcmp(method, "match.talk") == 0) {
        snprintf(params, 512, "\"match\":\"@M\",\"channel\":\"%s\"", channels[k]);
    } else if (strcmp(method, "match.note") == 0) {
        snprintf(params, 512, "\"match\":\"@M\"%s%s", as, k == 0 ? ",\"text\":\"Think.\"" : "");
    } else if (strcmp(method, "match.draft") == 0) {
        snprintf(params, 512, "\"match\":\"@M\"%s%s", as, k != 0 ? "" : draft);
    } else if (strcmp(method, "account.bots") == 0) {
        params[0] = '\0';
    } else if (strcmp(method, "account.profile") == 0) {
        snprintf(params, 512, "\"name\":\"%s\"", k < 2 ? "Napoleon" : "Bluecher");
    } else if (strcmp(method, "match.get") == 0 && k == 0) {
        snprintf(params, 512, "\"match\":\"@M\",\"code\":\"AAAAAAAAAAAAAAAAAAAAAA\"");
    } else {
        snprintf(params, 512, "\"match\":\"@M\"");
    }
}

static void make_look(struct pair *pair, bool may_act)
{
    static const char *const filters[] = {"open", "mine", "running", "finished"};
    unsigned client = any_compared(pair), n = draw_below(&pair->random, PLAIN_METHODS + TRIES);
    if (n >= PLAIN_METHODS) {
        make_try(pair, client, may_act);
        return;
    }
    const char *method = plain_methods[n], *as = any_as(pair);
    unsigned number = draw_below(&pair->random, 20), k = draw_below(&pair->random, 4);
    char params[512];
    switch (n) {
    case 0:
        snprintf(params, sizeof params, "\"match\":\"@M\"%s%s", as,
                 k == 0 ? ",\"actions\":false" : "");
        break;
    case 1:
        snprintf(params, sizeof params, "\"match\":\"@M\"%s,\"limit\":%u%s", as, 1 + number,
                 k == 0 ? ",\"from\":3" : "");
        break;
    case 2: snprintf(params, sizeof params, "\"match\":\"@M\"%s,\"seq\":%u", as, number); break;
    case 4:
        snprintf(params, sizeof params, "\"filter\":\"%s\",\"limit\":%u%s", filters[k], 1 + number,
                 number % 4 == 0 ? ",\"player\":\"Wellington\"" : "");
        break;
    case 6:
        snprintf(params, sizeof params, "\"match\":\"@M\",\"delta\":true,\"seq\":%u%s", number, as);
        break;
    case 7:
        client =
            draw_below(&pair->random, 2) == 0 && pair->viewer < pair->seats ? WAITER : GUEST_WAITER;
        snprintf(params, sizeof params, "\"match\":\"@M\",\"after\":@%u,\"timeout_s\":60",
                 client == WAITER ? pair->viewer : 0);
        break;
    case 8:
        known->question(hosted_state(0), &pair->random, &pair->text);
        snprintf(params, sizeof params, "\"match\":\"@M\"%s,\"question\":%.300s", as,
                 buf_str(&pair->text));
        break;
    default: other_params(n, k, as, params);
    }
    if (n == 7 && client == GUEST_WAITER) {
        /* A guest's own count is the public's: any number will do, if it is the same. */
        snprintf(params, sizeof params, "\"match\":\"@M\",\"after\":%u,\"timeout_s\":60", number);
    }
    if (n == 6 && client < SECOND) {
        client += SECOND;
    } /* the first sessions get whole views: seq is read there */
    struct op *op = new_op(pair, n == 7 ? OP_WAIT : OP_LOOK, client);
    op->frame[0] = frame_of(6, method, params);
    op->frame[1] = strdup(op->frame[0]);
}

/* Where the seats stand, for a rewind to go back to: the same moment in both worlds. */
static void note_mark(struct pair *pair)
{
    if (pair->mark_count == MARKS_MAX) { return; }
    struct mark *mark = &pair->marks[pair->mark_count++];
    for (unsigned w = 0; w < 2; w++) {
        for (unsigned seat = 0; seat < pair->seats; seat++) {
            mark->seq[w][seat] = world_seq(pair->worlds[w], MAIN + seat);
        }
    }
}

static enum pair_end offer_op(struct pair *pair, unsigned seat, const char *method,
                              const char *here, const char *there)
{
    struct op *op = new_op(pair, OP_OFFER, MAIN + seat);
    op->enemy = is_enemy(pair, seat);
    op->frame[0] = frame_of(13, method, here);
    op->frame[1] = frame_of(13, method, there);
    return do_op(pair, op);
}

/* A seat makes an offer. */
static enum pair_end make_offer(struct pair *pair, unsigned seat, unsigned kind)
{
    char params[2][96];
    const struct mark *mark =
        &pair->marks[pair->mark_count == 0 ? 0 : draw_below(&pair->random, pair->mark_count)];
    for (unsigned w = 0; w < 2; w++) {
        if (kind < 2) {
            snprintf(params[w], sizeof params[w], "\"match\":\"@M\",\"what\":\"%s\"",
                     kind == 0 ? "draw" : "abort");
        } else {
            snprintf(params[w], sizeof params[w],
                     "\"match\":\"@M\",\"what\":\"rewind\",\"to\":@%u-%lld", seat,
                     (long long)(world_seq(pair->worlds[w], MAIN + seat) - mark->seq[w][seat]));
        }
    }
    return offer_op(pair, seat, "match.offer", params[0], params[1]);
}

/* An offer, things looked at, quiet lines in one world, and the answers of the others. */
static enum pair_end play_offer(struct pair *pair)
{
    unsigned seat = draw_below(&pair->random, pair->seats);
    unsigned kind = draw_below(&pair->random, 8);
    unsigned before = pair->offers;
    memcpy(pair->before, hosted_state(0), known->game->state_bytes);
    if (pair->mark_count == 0 && kind >= 2) { return PAIR_LONG; }
    enum pair_end why = make_offer(pair, seat, kind);
    if (why != PAIR_LONG || pair->offers == before) { return why; }
    for (unsigned i = draw_below(&pair->random, 3); i > 0 && why == PAIR_LONG; i--) {
        make_look(pair, false);
        why = do_op(pair, &pair->ops[pair->count - 1]);
    }
    bool accept = kind >= 2 ? draw_below(&pair->random, 4) != 0 : draw_below(&pair->random, 6) == 0;
    char params[96];
    snprintf(params, sizeof params, "\"match\":\"@M\",\"offer\":@O,\"accept\":%s",
             accept ? "true" : "false");
    unsigned from = draw_below(&pair->random, pair->seats);
    for (unsigned i = 0; i < pair->seats && why == PAIR_LONG; i++) {
        unsigned who = (from + i) % pair->seats;
        if (who == seat && accept) { continue; }
        why = offer_op(pair, who, "match.answer", params, params);
        if (!accept) { break; }
    }
    return why;
}

/* Where one seat must allot a hit of pursuit fire by hand and its twin's was allotted by the server
 * (W5.9, R67): it does so in that world alone, and nobody else may hear of it. */
static enum pair_end play_losses(struct pair *pair)
{
    enum pair_end why = PAIR_LONG;
    for (unsigned w = 0; w < 2 && why == PAIR_LONG; w++) {
        while (why == PAIR_LONG && known->goes_alone(hosted_state(w)) &&
               !known->goes_alone(hosted_state(1 - w))) {
            unsigned seat = seat_to_act(pair, hosted_state(w));
            if (!is_enemy(pair, seat) ||
                !play_pick(hosted_state(w), seat, &pair->random, &pair->text)) {
                return PAIR_IMPOSSIBLE;
            }
            struct op *op = new_op(pair, OP_ALLOT, MAIN + seat);
            op->frame[w] = act_frame("match.act", seat, buf_str(&pair->text));
            why = do_op(pair, op);
            if (why == PAIR_LONG && has_error(pair, w, op->client)) { return PAIR_IMPOSSIBLE; }
        }
    }
    return why;
}

/* Standing orders of a seat of the other side that is asked something amid another's turn. */
static enum pair_end play_orders(struct pair *pair)
{
    unsigned n = 0;
    while (known->orders[n] != NULL) {
        n++;
    }
    if (n == 0) { return PAIR_LONG; }
    const struct game *game = known->game;
    const struct state *here = hosted_state(0), *there = hosted_state(1);
    uint32_t asked = game->interrupts(here) & game->to_act(here) & game->to_act(there);
    for (unsigned seat = 0; seat < pair->seats; seat++) {
        if ((asked >> seat & 1U) == 0 || !is_enemy(pair, seat) ||
            known->step(here) != known->step(there)) {
            continue;
        }
        struct op *op = new_op(pair, OP_ORDERS, MAIN + seat);
        op->enemy = true;
        op->frame[0] = strdup(known->orders[draw_below(&pair->random, n)]);
        return do_op(pair, op);
    }
    return PAIR_LONG;
}

/* A draft and its undo in one of the worlds, things looked at in between. */
static enum pair_end play_draft(struct pair *pair)
{
    unsigned w = draw_below(&pair->random, 2);
    const struct state *s = hosted_state(w);
    unsigned seat = seat_to_act(pair, s);
    if (!is_enemy(pair, seat) || !play_pick_draft(s, seat, &pair->random, &pair->text)) {
        return PAIR_LONG;
    }
    struct op *op = new_op(pair, OP_DRAFT, MAIN + seat);
    op->frame[w] = act_frame("match.act", seat, buf_str(&pair->text));
    enum pair_end why = do_op(pair, op);
    for (unsigned i = 1 + draw_below(&pair->random, 4); i > 0 && why == PAIR_LONG; i--) {
        make_look(pair, false);
        why = do_op(pair, &pair->ops[pair->count - 1]);
    }
    if (why == PAIR_LONG && pair->drafted && draw_below(&pair->random, 8) == 0) {
        struct state *drafted_before = malloc(known->game->state_bytes);
        if (drafted_before == NULL) { abort(); }
        memcpy(drafted_before, pair->before, known->game->state_bytes);
        why = play_offer(pair);
        memcpy(pair->before, drafted_before, known->game->state_bytes);
        free(drafted_before);
    }
    if (why != PAIR_LONG || !pair->drafted) { return why; }
    op = new_op(pair, OP_UNDO, MAIN + seat);
    op->frame[w] = act_frame("match.undo", seat, NULL);
    return do_op(pair, op);
}

/* A seat of the other side writes in its notebook, prepares a list of actions, or says something to
 * its ally (whether or not it may, then), in one of the worlds. */
static bool make_paper(struct pair *pair)
{
    unsigned w = draw_below(&pair->random, 2), seat = draw_below(&pair->random, pair->seats);
    if (!is_enemy(pair, seat)) { return false; }
    char params[512];
    const char *method = "match.note";
    if (pair->seats == 3 && seat > 0 && draw_below(&pair->random, 2) == 0) {
        method = draw_below(&pair->random, 4) == 0 ? "match.read" : "match.say";
        snprintf(params, sizeof params, "\"match\":\"@M\",\"channel\":\"side\",%s",
                 strcmp(method, "match.say") == 0 ? "\"text\":\"Tonight.\"" : "\"n\":1");
    } else if (draw_below(&pair->random, 2) == 0) {
        snprintf(params, sizeof params, "\"match\":\"@M\",\"text\":\"Beware of %u.\"",
                 draw_below(&pair->random, 1000));
    } else {
        method = "match.draft";
        snprintf(params, sizeof params, "\"match\":\"@M\",\"version\":%u,\"actions\":[%s]",
                 draw_below(&pair->random, 2), known->idle);
    }
    struct op *op = new_op(pair, OP_PAPER, MAIN + seat);
    op->frame[w] = frame_of(8, method, params);
    return true;
}

static void make_talk(struct pair *pair)
{
    struct op *op = new_op(pair, OP_LOOK, MAIN + draw_below(&pair->random, pair->seats));
    op->frame[0] =
        frame_of(8, "match.say", "\"match\":\"@M\",\"channel\":\"table\",\"text\":\"Good day.\"");
    op->frame[1] = strdup(op->frame[0]);
}

/* The French give up, and all lies open to the seats alone: nobody else may hear of it, whatever he
 * asks. */
static enum pair_end play_after(struct pair *pair)
{
    enum pair_end why = PAIR_LONG;
    for (unsigned i = 0; i < 12 && why == PAIR_LONG; i++) {
        pair->after = true;
        if (i == 0) {
            struct op *op = new_op(pair, OP_LOOK, MAIN);
            op->frame[0] = frame_of(7, "match.resign", "\"match\":\"@M\"");
            op->frame[1] = strdup(op->frame[0]);
        } else {
            make_look(pair, false);
        }
        pair->ops[pair->count - 1].after = true;
        why = do_op(pair, &pair->ops[pair->count - 1]);
    }
    return why;
}

enum pair_end pair_play(struct pair *pair, unsigned steps)
{
    enum pair_end why = begin(pair) ? PAIR_LONG : PAIR_LEAK;
    pair->steps = 0;
    pair->drafted = false;
    while (why == PAIR_LONG && pair->steps < steps) {
        unsigned roll = draw_below(&pair->random, 100);
        why = play_losses(pair);
        if (why != PAIR_LONG) { break; }
        unsigned count = pair->count;
        if (roll >= 46 && draw_below(&pair->random, 3) == 0) {
            why = play_orders(pair);
            if (why != PAIR_LONG || pair->count > count) { continue; }
        }
        if (roll < 10) {
            why = play_draft(pair);
            count = pair->count;
        } else if (roll < 35) {
            make_look(pair, true);
        } else if (roll < 37) {
            if (roll == 35 || !make_paper(pair)) { make_talk(pair); }
        } else if (roll < 41) {
            why = play_offer(pair);
            count = pair->count;
        } else if (roll < 46) {
            make_other_act(pair, draw_below(&pair->random, 60) == 0);
        } else if (!make_act(pair)) {
            why = PAIR_IMPOSSIBLE;
        }
        if (pair->count > count) { why = do_op(pair, &pair->ops[pair->count - 1]); }
        if (why == PAIR_LONG) { note_mark(pair); }
    }
    /* The end is a revealing event (W20.5): what a response step held back is shown with it. */
    bool held_back = known->end_tells(known->step(hosted_state(0)));
    if (why == PAIR_LONG && pair->to_seats && !held_back) { why = play_after(pair); }
    pair->leak_op = pair->count == 0 ? 0 : pair->count - 1;
    end(pair);
    return why;
}

enum pair_end pair_again(struct pair *pair, const bool *left_out)
{
    enum pair_end why = begin(pair) ? PAIR_LONG : PAIR_LEAK;
    unsigned steps = pair->steps;
    pair->drafted = false;
    bool draft_left_out = false;
    for (unsigned i = 0; i < pair->count && why == PAIR_LONG; i++) {
        /* A draft of one world alone and its undo go together, or the worlds are no twins after it.
         */
        if (pair->ops[i].kind == OP_DRAFT) { draft_left_out = left_out[i]; }
        if (pair->ops[i].kind == OP_UNDO ? draft_left_out : left_out[i]) { continue; }
        pair->ops[i].legal = false; /* what led to it may be left out */
        why = do_op(pair, &pair->ops[i]);
    }
    pair->steps = steps;
    end(pair);
    return why;
}

/* --- telling --------------------------------------------------------------------------------- */

/* The path of the first difference of two values; both are printed. */
static void print_difference(const cJSON *a, const cJSON *b, char *path, size_t at, size_t size)
{
    const cJSON *i = a == NULL ? NULL : a->child, *k = b == NULL ? NULL : b->child;
    bool nested =
        (cJSON_IsObject(a) && cJSON_IsObject(b)) || (cJSON_IsArray(a) && cJSON_IsArray(b));
    for (unsigned n = 0; nested && i != NULL && k != NULL; i = i->next, k = k->next, n++) {
        if (i->string != NULL && strcmp(i->string, k->string) != 0) { break; }
        if (cJSON_Compare(i, k, true)) { continue; }
        int len = i->string != NULL ? snprintf(path + at, size - at, ".%s", i->string)
                                    : snprintf(path + at, size - at, "[%u]", n);
        size_t next = at + (size_t)len < size ? at + (size_t)len : size - 1;
        print_difference(i, k, path, next, size);
        return;
    }
    char *here = a == NULL ? NULL : cJSON_PrintUnformatted(a);
    char *there = b == NULL ? NULL : cJSON_PrintUnformatted(b);
    printf("  path   %s\n  here   %.600s\n  there  %.600s\n", path[0] == '\0' ? "(whole)" : path,
           here == NULL ? "-" : here, there == NULL ? "-" : there);
    free(here);
    free(there);
}

static void print_heard(const struct pair *pair)
{
    const char *here = pair->heard[0], *there = pair->heard[1];
    size_t from = 0, at = 0;
    while (here[at] != '\0' && here[at] == there[at]) {
        if (here[at] == '\n') { from = at + 1; }
        at++;
    }
    char path[512] = "";
    size_t n[2] = {strcspn(here + from, "\n"), strcspn(there + from, "\n")};
    cJSON *json[2] = {cJSON_ParseWithLength(here + from, n[0]),
                      cJSON_ParseWithLength(there + from, n[1])};
    if (json[0] != NULL && json[1] != NULL && !cJSON_Compare(json[0], json[1], true)) {
        print_difference(json[0], json[1], path, 0, sizeof path);
    } else {
        printf("  here   %.*s\n  there  %.*s\n", (int)(n[0] < 900 ? n[0] : 900), here + from,
               (int)(n[1] < 900 ? n[1] : 900), there + from);
    }
    cJSON_Delete(json[0]);
    cJSON_Delete(json[1]);
}

/* Cuts ever smaller parts out of the list while it still leaks. */
static void shrink(struct pair *pair, bool *left_out, unsigned limit_s)
{
    time_t until = time(NULL) + (time_t)limit_s;
    for (unsigned size = pair->count / 2; size >= 1; size /= 2) {
        for (unsigned from = 0; from < pair->count && time(NULL) < until; from += size) {
            bool saved[4096];
            unsigned to = from + size < pair->count ? from + size : pair->count;
            if (pair->count > 4096) { return; }
            memcpy(saved, left_out, pair->count * sizeof *saved);
            bool any = false;
            for (unsigned i = from; i < to; i++) {
                any = any || !left_out[i];
                left_out[i] = true;
            }
            if (!any) { continue; }
            if (pair_again(pair, left_out) != PAIR_LEAK) {
                memcpy(left_out, saved, pair->count * sizeof *saved);
            }
        }
    }
}

void pair_print(const struct pair *pair, const bool *left_out)
{
    static const char *const clients[CLIENTS] = {"seat 0",
                                                 "seat 1",
                                                 "seat 2",
                                                 "seat 0, second session",
                                                 "seat 1, second session",
                                                 "seat 2, second session",
                                                 "spectator",
                                                 "stranger",
                                                 "guest",
                                                 "waiting seat",
                                                 "waiting guest"};
    char *names = cJSON_PrintUnformatted(pair->names);
    struct buf position;
    buf_init(&position, TEXT_MAX);
    known->game->position_write(pair->start[0], &position);
    printf("  heard by %s\n  options %s\n  names   %s\n  begins  %s\n", clients[pair->leak_client],
           pair->options, names, buf_str(&position));
    buf_finish(&position);
    free(names);
    for (unsigned i = 0, n = 0; i < pair->count; i++) {
        const struct op *op = &pair->ops[i];
        if (left_out != NULL && left_out[i]) { continue; }
        bool alone = op->frame[0] == NULL || op->frame[1] == NULL;
        printf("  %2u %s%s: %s\n", ++n, clients[op->client],
               !alone                 ? ""
               : op->frame[0] != NULL ? " (here alone)"
                                      : " (there alone)",
               op->frame[0] != NULL ? op->frame[0] : op->frame[1]);
        if (op->kind == OP_ACT && strcmp(op->frame[0], op->frame[1]) != 0) {
            printf("     there: %s\n", op->frame[1]);
        }
    }
}

void pair_report(struct pair *pair, unsigned limit_s)
{
    bool *left_out = calloc(pair->count + 1, sizeof *left_out);
    if (left_out == NULL) { return; }
    if (pair_again(pair, left_out) == PAIR_LEAK) {
        shrink(pair, left_out, limit_s);
        (void)pair_again(pair, left_out);
    } else {
        printf("it did not leak when played again\n");
    }
    printf("LEAK seed %llu viewer %u (%s)\n", (unsigned long long)pair->seed, pair->viewer,
           pair->viewer < pair->seats ? pair->codes[pair->viewer] : "public");
    print_heard(pair);
    pair_print(pair, left_out);
    free(left_out);
}
