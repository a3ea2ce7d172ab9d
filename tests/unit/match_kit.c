/* tests/unit/match_kit.c: see match_kit.h. */
#include "tests/unit/match_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "server/base/msg.h"
#include "server/store/db.h"

static void must(bool good)
{
    if (!good) { abort(); }
}

/* --- the game ----------------------------------------------------------------------------------
 */

struct state {
    int32_t number[SEATS_MAX], shown[SEATS_MAX], secret[SEATS_MAX], handle[SEATS_MAX];
    int32_t pot, over, players, gone, broken;
    int32_t turn; /* 0: everybody's at once; else 1 + the seat */
    char phase[12];
};

static enum err lots_options(const struct cJSON *options, struct buf *out, struct why *why)
{
    (void)why;
    jw_value(out, options);
    return ERR_OK;
}

static unsigned lots_seats(const struct cJSON *options, const char *out_codes[SEATS_MAX])
{
    int64_t players = 2;
    must(json_read_int(options, "players", 2, 3, &players, NULL) == ERR_OK);
    out_codes[0] = "A";
    out_codes[1] = "B";
    if (players == 3) { out_codes[2] = "C"; }
    return (unsigned)players;
}

static void say(struct events *events, uint32_t viewers, const char *ev, unsigned seat, int64_t n)
{
    struct buf *buf = events_begin(events, viewers);
    const char code[2] = {(char)('A' + seat), '\0'};
    jw_object_begin(buf);
    jw_key_str(buf, "ev", ev);
    jw_key_str(buf, "seat", code);
    jw_key_int(buf, "n", n);
    jw_object_end(buf);
    events_end(events);
}

#define ALL_OF(s)                                                                                  \
    (((UINT32_C(1) << (unsigned)(s)->players) - 1U) | UINT32_C(1) << VIEWER_PUBLIC |               \
     UINT32_C(1) << VIEWER_ALL)

static enum err lots_create(const struct cJSON *options, uint32_t rules, struct dice *dice,
                            struct state *s, struct events *events, struct why *why)
{
    const char *codes[SEATS_MAX];
    (void)rules;
    (void)dice;
    (void)why;
    int64_t turns = 0;
    must(json_read_int(options, "turns", 0, 1, &turns, NULL) == ERR_OK);
    s->turn = (int32_t)turns;
    s->players = (int32_t)lots_seats(options, codes);
    say(events, ALL_OF(s), "dealt", 0, s->players);
    return ERR_OK;
}

static uint32_t lots_to_act(const struct state *s)
{
    return s->over ? 0 : ((UINT32_C(1) << s->players) - 1U) & ~(uint32_t)s->gone;
}

static uint32_t lots_waits_for(const struct state *s)
{
    uint32_t all = lots_to_act(s);
    return s->turn == 0 ? all : all & UINT32_C(1) << (s->turn - 1);
}

static const char *lots_phase(const struct state *s)
{
    return s->phase;
}

/* The next of those who are still there. */
static void lots_pass(struct state *s)
{
    for (int i = 0; s->turn != 0 && i < s->players; i++) {
        s->turn = s->turn % s->players + 1;
        if ((s->gone >> (s->turn - 1) & 1) == 0) { return; }
    }
}

static void lots_shown(const struct state *s, unsigned viewer, uint32_t *out_to_act,
                       uint32_t *out_waits_for)
{
    (void)viewer;
    *out_to_act = lots_to_act(s);
    *out_waits_for = lots_waits_for(s);
}

static void lots_actions(const struct state *s, unsigned seat, struct buf *out)
{
    (void)seat;
    jw_array_begin(out);
    jw_object_begin(out);
    jw_key_str(out, "do", "hide");
    jw_key_object(out, "number");
    jw_key_array(out, "range");
    jw_int(out, 1);
    jw_int(out, 9);
    jw_array_end(out);
    jw_object_end(out);
    jw_object_end(out);
    jw_array_end(out);
    (void)s;
}

static enum err lots_apply(struct state *s, unsigned seat, const struct cJSON *action,
                           struct dice *dice, struct events *events, struct why *why)
{
    const char *what = "";
    uint32_t own = UINT32_C(1) << seat | UINT32_C(1) << VIEWER_ALL;
    int64_t n = 0;
    if (json_read_str(action, "!do", 16, &what, why) != ERR_OK) { return ERR_INVALID_PARAMS; }
    if ((lots_to_act(s) >> seat & 1U) == 0) { return ERR_NOT_YOUR_TURN; }
    if (strcmp(what, "hide") == 0) {
        if (json_read_int(action, "!number", 1, 9, &n, why) != ERR_OK) {
            return ERR_INVALID_PARAMS;
        }
        s->number[seat] = (int32_t)n;
        say(events, own, "hid", seat, n);
    } else if (strcmp(what, "add") == 0) {
        if (json_read_int(action, "!n", 1, 90, &n, why) != ERR_OK) { return ERR_INVALID_PARAMS; }
        if (s->pot + n > 100) { return why_rule(why, "X2", "The pot holds 100."); }
        s->pot += (int32_t)n;
        say(events, ALL_OF(s), "added", seat, n);
    } else if (strcmp(what, "double") == 0) {
        s->pot *= 2;
        say(events, ALL_OF(s), "doubled", seat, s->pot);
    } else if (strcmp(what, "roll") == 0) {
        int32_t die = (int32_t)dice_die(dice, 6);
        s->pot += die;
        say(events, ALL_OF(s), "rolled", seat, die);
    } else if (strcmp(what, "secret") == 0) {
        s->secret[seat] = (int32_t)dice_die(dice, 6);
        say(events, own, "rolled_in_secret", seat, s->secret[seat]);
    } else if (strcmp(what, "mask") == 0) {
        s->handle[seat] = (int32_t)dice_draw(dice, LANE_MASK, 200);
        say(events, own, "masked", seat, s->handle[seat]);
    } else if (strcmp(what, "show") == 0) {
        s->shown[seat] = s->number[seat];
        say(events, ALL_OF(s), "showed", seat, s->number[seat]);
        events_reveal(events, ALL_OF(s) & ~own);
        events_seal(events);
    } else if (strcmp(what, "pass") == 0) {
        const char *phase = "";
        if (json_read_str(action, "phase", sizeof s->phase - 1, &phase, why) != ERR_OK) {
            return ERR_INVALID_PARAMS;
        }
        memset(s->phase, 0, sizeof s->phase);
        memcpy(s->phase, phase, strlen(phase));
        if (s->turn == (int32_t)seat + 1) { lots_pass(s); }
        say(events, ALL_OF(s), "passed", seat, s->turn);
        events_seal(events);
    } else if (strcmp(what, "stop") == 0) {
        s->over = 1;
        say(events, ALL_OF(s), "stopped", seat, s->pot);
        events_seal(events);
    } else if (strcmp(what, "break") == 0) {
        s->broken = 1;
        say(events, ALL_OF(s), "broke", seat, 0);
    } else {
        return why_member(why, "do", "no such action");
    }
    return ERR_OK;
}

static enum err lots_leave(struct state *s, unsigned seat, enum leave how, struct dice *dice,
                           struct events *events)
{
    (void)how;
    (void)dice;
    if ((s->gone >> seat & 1) != 0) { return ERR_CONFLICT; }
    s->gone |= 1 << seat;
    /* One of two allies may go: the other fights on. */
    bool goes_on = s->players == 3 && seat != 0 && (s->gone & 6) != 6;
    s->over = goes_on ? 0 : 1;
    if (s->turn == (int32_t)seat + 1) { lots_pass(s); }
    say(events, ALL_OF(s), "gone", seat, s->over);
    return ERR_OK;
}

static void lots_view(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_str(out, "state", s->over ? "over" : "play");
    jw_key_array(out, "to_act");
    for (int i = 0; i < s->players; i++) {
        const char code[2] = {(char)('A' + i), '\0'};
        if ((lots_to_act(s) >> i & 1U) != 0) { jw_str(out, code); }
    }
    jw_array_end(out);
    jw_key_object(out, "board");
    jw_key_int(out, "pot", s->pot);
    for (int i = 0; i < s->players; i++) {
        const char code[2] = {(char)('A' + i), '\0'};
        bool own = viewer == (unsigned)i || viewer == VIEWER_ALL;
        jw_key_object(out, code);
        if (own && s->number[i] != 0) { jw_key_int(out, "number", s->number[i]); }
        if (own && s->secret[i] != 0) { jw_key_int(out, "secret", s->secret[i]); }
        if (own && s->handle[i] != 0) { jw_key_int(out, "handle", s->handle[i]); }
        if (s->shown[i] != 0) { jw_key_int(out, "shown", s->shown[i]); }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static enum err lots_ask(const struct state *s, unsigned viewer, const struct cJSON *question,
                         struct buf *out, struct why *why)
{
    (void)viewer;
    (void)question;
    (void)why;
    jw_int(out, 100 - s->pot);
    return ERR_OK;
}

static void lots_result(const struct state *s, struct buf *out)
{
    jw_object_begin(out);
    jw_key_array(out, "winners");
    jw_array_end(out);
    jw_key_int(out, "pot", s->pot);
    jw_object_end(out);
}

static void lots_position(const struct state *s, struct buf *out)
{
    jw_object_begin(out);
    jw_key_int(out, "pot", s->pot);
    jw_object_end(out);
}

static const char *lots_check(const struct state *s)
{
    return s->broken ? "broken" : NULL;
}

const struct game lots = {.name = "lots",
                          .about = "{}",
                          .rules_first = 1,
                          .rules_now = 1,
                          .state_bytes = sizeof(struct state),
                          .options = lots_options,
                          .seats = lots_seats,
                          .create = lots_create,
                          .to_act = lots_to_act,
                          .waits_for = lots_waits_for,
                          .shown = lots_shown,
                          .actions = lots_actions,
                          .apply = lots_apply,
                          .leave = lots_leave,
                          .view = lots_view,
                          .ask = lots_ask,
                          .result = lots_result,
                          .position_write = lots_position,
                          .phase = lots_phase,
                          .check = lots_check};
const struct game *const lots_games[] = {&lots, NULL};

/* --- the kit -----------------------------------------------------------------------------------
 */

static unsigned order;
unsigned kit_inside;

bool kit_on_push(void *ctx, struct match_client *client, const struct match_id *match,
                 unsigned viewer, enum match_push kind, struct msg *msg)
{
    struct kit_client *to = (struct kit_client *)client;
    (void)ctx;
    (void)match;
    if (to->refuses) { return false; }
    must(to->count < PUSHES_MAX);
    kit_inside++;
    to->pushes[to->count++] = (struct pushed){kind, viewer, strndup(msg_text(msg), msg->len)};
    order++;
    kit_inside--;
    return true;
}

static void on_turn(void *ctx, const struct account_id *account, struct msg *msg)
{
    struct match_kit *kit = ctx;
    (void)account;
    (void)msg;
    kit->turns++;
}

static void on_changed(void *ctx, const struct match_id *match)
{
    struct match_kit *kit = ctx;
    (void)match;
    kit->changes++;
}

static void on_caretaker(void *ctx, const struct match_id *match, unsigned seat)
{
    struct match_kit *kit = ctx;
    (void)match;
    kit->caretakers++;
    kit->caretaker_seat = seat;
}

static int64_t kit_now(void *ctx)
{
    struct match_kit *kit = ctx;
    return kit->now++;
}

static void on_started(void *ctx, enum err err)
{
    must(err == ERR_OK);
    *(bool *)ctx = true;
}

static void open_matches(struct match_kit *kit)
{
    struct matches_config config = {.loop = &kit->kit.loop,
                                    .store = kit->kit.store,
                                    .hooks = {.ctx = kit,
                                              .push = kit_on_push,
                                              .turn = on_turn,
                                              .changed = on_changed,
                                              .caretaker = on_caretaker},
                                    .games = kit->list == NULL ? lots_games : kit->list,
                                    .now_ms = kit_now,
                                    .idle_ms = kit->idle_ms,
                                    .snapshot_lines = kit->snapshot_lines};
    must(matches_create(&config, &kit->matches) == ERR_OK);
    bool started = !kit->starts;
    if (kit->starts) { matches_start(kit->matches, on_started, &started); }
    while (!started) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
}

void match_kit_open(struct match_kit *kit)
{
    kit_open(&kit->kit);
    kit->now = 1796000000000;
    open_matches(kit);
}

void forget_pushes(struct match_kit *kit)
{
    for (unsigned i = 0; i < CLIENTS_MAX; i++) {
        struct kit_client *client = &kit->clients[i];
        for (size_t k = 0; k < client->count; k++) {
            free(client->pushes[k].text);
        }
        client->count = 0;
    }
}

static void on_closed(void *ctx)
{
    struct match_kit *kit = ctx;
    kit->closed = true;
}

static void close_matches(struct match_kit *kit)
{
    kit->closed = false;
    matches_close(kit->matches, on_closed, kit);
    while (!kit->closed) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
    for (unsigned i = 0; i < CLIENTS_MAX; i++) {
        match_client_gone(kit->matches, &kit->clients[i].client);
    }
    matches_destroy(kit->matches);
    kit_close(&kit->kit);
}

void match_kit_pause(struct match_kit *kit)
{
    close_matches(kit);
}

void match_kit_resume(struct match_kit *kit)
{
    must(kit_reopen(&kit->kit) == NULL);
    open_matches(kit);
}

void match_kit_reopen(struct match_kit *kit)
{
    match_kit_pause(kit);
    match_kit_resume(kit);
}

void match_kit_close(struct match_kit *kit)
{
    close_matches(kit);
    forget_pushes(kit);
    kit_remove(&kit->kit);
}

struct account_id account_of(unsigned seat)
{
    struct account_id id = {""};
    if (seat == 8) { return id; }
    memset(id.text, seat == 9 ? 'z' : (int)('a' + seat), ACCOUNT_ID_CHARS);
    return id;
}

/* The rows that the lobby would have made. */
struct making {
    struct match_id id;
    const char *options, *game;
    const char *codes[SEATS_MAX];
    unsigned seats;
    bool spectators;
    struct hash secret, commitment;
    int64_t key;
    const char *clock;
    int64_t pace_ms;
};

static enum err op_make(struct db *db, void *data)
{
    struct making *making = data;
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO match (id, game, rules, options, creator, access, spectators, reveal,"
            " created_at, state, secret, commitment, clock, pace_ms) VALUES"
            " (?1, ?6, 1, ?2, 'a', 'open', ?3, 'end', 0, 'open', ?4, ?5, ?7, ?8)");
    db_bind_text(stmt, 7, making->clock);
    db_bind_int(stmt, 8, making->pace_ms);
    db_bind_text(stmt, 6, making->game);
    db_bind_text(stmt, 1, making->id.text);
    db_bind_text(stmt, 2, making->options);
    db_bind_text(stmt, 3, making->spectators ? "public" : "none");
    db_bind_blob(stmt, 4, making->secret.bytes, HASH_BYTES);
    db_bind_blob(stmt, 5, making->commitment.bytes, HASH_BYTES);
    enum err err = db_run(db, stmt);
    making->key = db_last_rowid(db);
    for (unsigned i = 0; err == ERR_OK && i < making->seats; i++) {
        struct account_id account = account_of(i);
        stmt =
            db_prepare(db, "INSERT INTO seat (match, seat, code, account) VALUES (?1, ?2, ?3, ?4)");
        db_bind_int(stmt, 1, making->key);
        db_bind_int(stmt, 2, i);
        db_bind_text(stmt, 3, making->codes[i]);
        db_bind_text(stmt, 4, account.text);
        err = db_run(db, stmt);
    }
    return err;
}

static void on_made(void *ctx, enum err err)
{
    must(err == ERR_OK);
    *(bool *)ctx = true;
}

void kit_on_done(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct result *result = ctx;
    must(!result->done);
    must(why != NULL);
    result->done = true;
    result->err = err;
    result->why = *why;
    result->order = order++;
    kit_inside++;
    if (err == ERR_OK) {
        result->json = strndup(json, n);
        cJSON *parsed = NULL;
        must(json_parse(json, n, &parsed) == ERR_OK);
        cJSON_Delete(parsed);
    }
    kit_inside--;
}

struct match_begin match_kit_make(struct match_kit *kit, const char *options, unsigned seats,
                                  bool spectators)
{
    static unsigned count;
    static const char *const codes[] = {"A", "B", "C"};
    struct making making = {.options = options,
                            .seats = seats,
                            .spectators = spectators,
                            .clock = kit->clock,
                            .pace_ms = kit->pace_ms};
    bool made = false;
    making.game = kit->game == NULL ? "lots" : kit->game;
    memcpy(making.codes, kit->game == NULL ? codes : kit->codes, sizeof making.codes);
    making.secret.bytes[31] = kit->secret;
    memcpy(making.id.text, "matchaaaaa", MATCH_ID_CHARS + 1);
    making.id.text[9] = (char)('a' + count / 8 % 8);
    making.id.text[8] = (char)('a' + count++ % 8);
    for (unsigned i = 0; i < HASH_BYTES - 1; i++) {
        making.secret.bytes[i] = (uint8_t)i;
    }
    dice_commitment(making.id.text, &making.secret, &making.commitment);
    struct store_unit *unit = store_unit_create(&making.id, 0);
    store_unit_add(unit, op_make, &making, NULL);
    store_commit(kit->kit.store, unit, on_made, &made);
    while (!made) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
    struct match_begin begin = {.id = making.id,
                                .key = making.key,
                                .game = making.game,
                                .rules = 1,
                                .options = options,
                                .secret = making.secret,
                                .seats = seats,
                                .clock = kit->clock,
                                .calendars = kit->calendars,
                                .bots = kit->bots,
                                .pace_ms = kit->pace_ms,
                                .spectators = spectators ? SPECTATORS_PUBLIC : SPECTATORS_NONE};
    for (unsigned i = 0; i < seats; i++) {
        begin.accounts[i] = account_of(i);
    }
    kit->id = making.id;
    return begin;
}

void match_kit_begin(struct match_kit *kit, const char *options, unsigned seats, bool spectators)
{
    struct result result = {.done = false};
    struct match_begin begin = match_kit_make(kit, options, seats, spectators);
    match_begin(kit->matches, &begin, NULL, kit_on_done, &result);
    call_wait(kit, &result);
    must(result.err == ERR_OK);
    must(result_int(&result, "seq") == 1);
    result_free(&result);
}

void call_begin(struct match_kit *kit, match_method_fn *method, unsigned seat, const char *params,
                struct result *result)
{
    char text[8192];
    memset(result, 0, sizeof *result);
    snprintf(text, sizeof text, "{'match':'%s'%s%s", kit->id.text, params[1] == '}' ? "" : ",",
             params + 1);
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\'') { *c = '"'; }
    }
    kit_inside++;
    must(json_parse(text, strlen(text), &result->params) == ERR_OK);
    must(json_normalise(result->params, &result->why) == ERR_OK);
    kit_inside--;
    struct match_call what = {.account = account_of(seat),
                              .client = &kit->clients[seat % CLIENTS_MAX].client,
                              .done = kit_on_done,
                              .ctx = result};
    method(kit->matches, &what, result->params);
}

void call_wait(struct match_kit *kit, struct result *result)
{
    while (!result->done) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
    cJSON_Delete(result->params);
    result->params = NULL;
}

struct result *call(struct match_kit *kit, match_method_fn *method, unsigned seat,
                    const char *params)
{
    static struct result results[8];
    static unsigned at;
    struct result *result = &results[at++ % 8];
    free(result->json);
    result->json = NULL;
    call_begin(kit, method, seat, params, result);
    call_wait(kit, result);
    return result;
}

int64_t result_int(const struct result *result, const char *name)
{
    cJSON *json = NULL;
    int64_t value = -1;
    if (result->json == NULL) { return -1; }
    must(json_parse(result->json, strlen(result->json), &json) == ERR_OK);
    must(json_read_int(json, name, 0, JSON_INT_MAX, &value, NULL) == ERR_OK);
    cJSON_Delete(json);
    return value;
}

void result_free(struct result *result)
{
    free(result->json);
    result->json = NULL;
}

int64_t seq_of(struct match_kit *kit, unsigned seat)
{
    return result_int(call(kit, match_view, seat, "{}"), "seq");
}

struct result *act(struct match_kit *kit, unsigned seat, const char *action)
{
    char text[4096];
    snprintf(text, sizeof text, "{'seq':%lld,'action':%s}", (long long)seq_of(kit, seat), action);
    return call(kit, match_act, seat, text);
}

void settle(struct match_kit *kit)
{
    struct matches_stats stats;
    do {
        (void)uv_run(&kit->kit.loop, UV_RUN_NOWAIT);
        matches_stats(kit->matches, &stats);
    } while (stats.lines_in_flight > 0);
}

void match_kit_wait(struct match_kit *kit, int64_t ms)
{
    struct matches_stats stats;
    kit->now += ms;
    matches_look(kit->matches);
    do {
        (void)uv_run(&kit->kit.loop, UV_RUN_NOWAIT);
        matches_stats(kit->matches, &stats);
    } while (stats.pending > 0);
}

static void on_live(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct result *result = ctx;
    (void)why;
    result->done = true;
    result->err = err;
    if (err == ERR_OK) { result->json = strndup(json, n); }
}

char *everything(struct match_kit *kit, unsigned seat)
{
    struct buf buf;
    buf_init(&buf, 1 << 24);
    buf_append_str(&buf, call(kit, match_view, seat, "{}")->json);
    buf_append_str(&buf, call(kit, match_view, seat, "{'actions':false}")->json);
    buf_append_str(&buf, call(kit, match_history, seat, "{'from':0}")->json);
    struct result live = {.done = false};
    struct match_call what = {.account = account_of(seat), .done = on_live, .ctx = &live};
    match_live(kit->matches, &what, &kit->id);
    call_wait(kit, &live);
    buf_append_str(&buf, live.json == NULL ? "-" : live.json);
    free(live.json);
    size_t n = 0;
    return buf_take(&buf, &n);
}
