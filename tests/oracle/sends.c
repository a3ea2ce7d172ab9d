/* tests/oracle/sends.c: what clients are left with when a send fails: two seats, the second session
 * of one, a spectator and a guest play a short match through the whole daemon, and each send in
 * turn is refused, taken and lost, or finds the socket full. Whoever is cut off comes back, names
 * the seq it has, and sends again what was not answered, under its id. Then nothing may be lost or
 * done twice, and nothing may have been shown before it was stored.
 *
 * sends [--every N]: only each Nth send; by default each one.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sqlite3.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/forms.h"
#include "common/protocol/patch.h"
#include "common/rules/game.h"
#include "server/base/log.h"
#include "tests/oracle/daemon.h"

enum { FRENCH, ALLIED, SECOND, SPECTATOR, GUEST, CLIENTS, ACTS = 14, STEPS_MAX = 64 };
static const unsigned viewer_of[CLIENTS] = {0, 1, 0, VIEWER_PUBLIC, VIEWER_PUBLIC};
static const unsigned account_of[CLIENTS] = {0, 1, 0, 2, 3};

/* A client as it would be written by anybody: what it holds, and what it waits for. */
struct client {
    cJSON *view;
    int64_t seq;
    char *answer; /* to the call in hand; NULL: none yet */
    unsigned id;
};
static struct client clients[CLIENTS];
static struct world *world;
static sqlite3 *db;
static char tokens[3][64], match[16];
static uint64_t random_state;
static unsigned faults, runs, resent, reconnects, stored_checks, last_id;
static const char *doing = "";

static void fail(const char *what, const char *more)
{
    printf("  %s: %s %.600s\n", doing, what, more == NULL ? "" : more);
    faults++;
}

static unsigned below(void *random, unsigned n)
{
    uint64_t *state = random;
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) % n);
}

/* --- what is stored ----------------------------------------------------------------------------
 */

/* The viewer's seq by what has been committed: the lines that told it something. */
static int64_t stored_seq(unsigned viewer)
{
    static const char sql[] = "SELECT count(*) FROM line l JOIN match m ON m.key = l.match "
                              "WHERE m.id = ? AND l.n > 0 AND (l.told >> ? & 1) = 1";
    static sqlite3_stmt *statement;
    if (statement == NULL && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        fail("the database cannot be read", sqlite3_errmsg(db));
        return 0;
    }
    (void)sqlite3_bind_text(statement, 1, match, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int(statement, 2, (int)viewer);
    int64_t seq = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    (void)sqlite3_reset(statement);
    stored_checks++;
    return seq;
}

/* --- hearing --------------------------------------------------------------------------------- */

static int64_t int_of(const cJSON *json, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNumber(value) ? (int64_t)value->valuedouble : -1;
}

static void take_view(struct client *client, const cJSON *params)
{
    cJSON_Delete(client->view);
    client->view = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(params, "view"), true);
}

static void take_delta(struct client *client, const cJSON *params, const char *text)
{
    if (int_of(params, "from") != client->seq) { fail("a delta from elsewhere", text); }
    client->view = patch_merge(client->view, cJSON_GetObjectItemCaseSensitive(params, "patch"));
}

static void on_hear(unsigned number, const char *text, size_t len)
{
    if (number >= CLIENTS) { return; }
    struct client *client = &clients[number];
    cJSON *json = cJSON_ParseWithLength(text, len);
    const cJSON *method = cJSON_GetObjectItemCaseSensitive(json, "method");
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(json, "params");
    int64_t shown = -1;
    if (json == NULL) {
        fail("no JSON", text);
    } else if (method == NULL) {
        if (int_of(json, "id") == (int64_t)client->id) {
            free(client->answer);
            client->answer = strndup(text, len);
        }
        shown = int_of(cJSON_GetObjectItemCaseSensitive(json, "result"), "seq");
    } else if (strcmp(method->valuestring, "match.view") == 0) {
        take_view(client, params);
        shown = client->seq = int_of(params, "seq");
    } else if (strcmp(method->valuestring, "match.delta") == 0) {
        take_delta(client, params, text);
        shown = client->seq = int_of(params, "seq");
    }
    if (shown > 0 && match[0] != '\0' && stored_seq(viewer_of[number]) < shown) {
        fail("shown before it was stored", text);
    }
    cJSON_Delete(json);
}

/* --- calling --------------------------------------------------------------------------------- */

static char *frame_of(unsigned id, const char *method, const char *params)
{
    char *text = NULL;
    if (asprintf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":{%s}}", id,
                 method, params) < 0) {
        abort();
    }
    return text;
}

/* Sends it once. NULL: the connection ended before an answer came. The answer is the client's. */
static const char *send_once(unsigned number, const char *method, const char *params)
{
    struct client *client = &clients[number];
    client->id = ++last_id;
    free(client->answer);
    client->answer = NULL;
    char *frame = frame_of(client->id, method, params);
    world_send(world, number, frame, false);
    free(frame);
    world_settle(world);
    return client->answer;
}

/* Comes back by its token, and with the seq it has. */
static void come_back(unsigned number)
{
    char params[160];
    for (unsigned tries = 0; !world_is_open(world, number); tries++) {
        if (tries > 3) { abort(); } /* one send fails in a run */
        reconnects++;
        world_connect(world, number);
        if (account_of[number] < 3) {
            snprintf(params, sizeof params, "\"token\":\"%.63s\"", tokens[account_of[number]]);
            if (send_once(number, "account.resume", params) == NULL) { continue; }
        }
        if (clients[number].view == NULL) { continue; }
        snprintf(params, sizeof params, "\"match\":\"%s\",\"seq\":%lld%s", match,
                 (long long)clients[number].seq, number % 2 == 0 ? ",\"delta\":true" : "");
        (void)send_once(number, "match.watch", params);
    }
}

/* Until it is answered. */
static const char *call(unsigned number, const char *method, const char *params)
{
    const char *answer = NULL;
    for (unsigned tries = 0; answer == NULL; tries++) {
        if (tries > 3) { abort(); }
        if (tries > 0) { resent++; }
        come_back(number);
        answer = send_once(number, method, params);
    }
    return answer;
}

static cJSON *result_of(const char *answer)
{
    cJSON *json = cJSON_Parse(answer);
    cJSON *result = cJSON_DetachItemFromObjectCaseSensitive(json, "result");
    cJSON_Delete(json);
    return result;
}

static const char *text_of(const cJSON *json, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsString(value) ? value->valuestring : "";
}

/* --- a match --------------------------------------------------------------------------------- */

static void begin_match(void)
{
    char params[256];
    snprintf(params, sizeof params,
             "\"game\":\"waterloo\",\"seat\":\"FR\",\"spectators\":\"public\",\"action_id\":"
             "\"create-%u\"",
             runs);
    cJSON *made = result_of(call(FRENCH, "match.create", params));
    snprintf(match, sizeof match, "%s", text_of(made, "match"));
    cJSON_Delete(made);
    snprintf(params, sizeof params, "\"match\":\"%s\",\"action_id\":\"join-%u\"", match, runs);
    const char *joined = call(ALLIED, "match.join", params);
    if (strstr(joined, "\"result\"") == NULL) { fail("not joined", joined); }
    for (unsigned i = 0; i < CLIENTS; i++) {
        snprintf(params, sizeof params, "\"match\":\"%s\"%s", match,
                 i % 2 == 0 ? ",\"delta\":true" : "");
        do {
            (void)call(i, "match.watch", params);
            come_back(i);
        } while (clients[i].view == NULL);
    }
}

/* A seat that may act does so. False: nobody may. */
static bool play_act(unsigned step, struct buf *params)
{
    struct forms_random source = {below, &random_state};
    unsigned seat = FRENCH;
    const cJSON *forms = NULL;
    for (seat = FRENCH; seat <= ALLIED && cJSON_GetArraySize(forms) == 0; seat++) {
        come_back(seat);
        forms = cJSON_GetObjectItemCaseSensitive(clients[seat].view, "actions");
    }
    seat--;
    if (cJSON_GetArraySize(forms) == 0) { return false; }
    const int64_t seq = clients[seat].seq;
    char head[160];
    buf_reset(params);
    snprintf(head, sizeof head, "\"match\":\"%s\",\"seq\":%lld,\"action_id\":\"act-%u-%u\",", match,
             (long long)seq, runs, step);
    buf_append_str(params, head);
    buf_append_str(params, "\"action\":");
    struct buf action;
    buf_init(&action, 1 << 20);
    if (forms_pick(forms, &source, &action) != ERR_OK) { abort(); }
    buf_append(params, action.data, action.len);
    buf_finish(&action);
    const char *answer = call(seat, "match.act", buf_str(params));
    cJSON *result = result_of(answer);
    if (int_of(result, "seq") != seq + 1) { fail("not done once", answer); }
    cJSON_Delete(result);
    come_back(seat);
    if (clients[seat].seq != seq + 1) { fail("the seat was not shown its own action", answer); }
    return true;
}

static bool is_same_view(const cJSON *a, const cJSON *b)
{
    cJSON *x = cJSON_Duplicate(a, true), *y = cJSON_Duplicate(b, true);
    cJSON_DeleteItemFromObjectCaseSensitive(x, "events"); /* of the step, or of several at once */
    cJSON_DeleteItemFromObjectCaseSensitive(y, "events");
    bool same = cJSON_Compare(x, y, true) != 0;
    cJSON_Delete(x);
    cJSON_Delete(y);
    return same;
}

/* Each holds what it would be given now, the newest; its own lines are in the record once. */
static void judge(unsigned acts)
{
    char params[160];
    for (unsigned i = 0; i < CLIENTS; i++) {
        come_back(i);
        snprintf(params, sizeof params, "\"match\":\"%s\"", match);
        cJSON *view = result_of(call(i, "match.view", params));
        if (!is_same_view(view, clients[i].view)) { fail("a view differs from what is held", ""); }
        if (int_of(view, "seq") != stored_seq(viewer_of[i])) {
            fail("seq is not what is stored", "");
        }
        cJSON_Delete(view);
    }
    snprintf(params, sizeof params, "\"match\":\"%s\",\"channel\":\"table\"", match);
    cJSON *talk = result_of(call(GUEST, "match.talk", params));
    if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(talk, "messages")) != 1) {
        fail("what was said is not there once", "");
    }
    cJSON_Delete(talk);
    snprintf(params, sizeof params, "\"match\":\"%s\",\"action_id\":\"end-%u\"", match, runs);
    const char *over = call(FRENCH, "match.resign", params);
    if (strstr(over, "\"state\":\"over\"") == NULL) { fail("not over", over); }
    snprintf(params, sizeof params, "\"match\":\"%s\"", match);
    cJSON *result = result_of(call(GUEST, "match.record", params));
    unsigned done = 0;
    for (const char *at = text_of(result, "record"); (at = strstr(at, ",\"do\":")) != NULL; at++) {
        done += at[6] == '{'; /* a line's own member, not an action's name */
    }
    if (done != acts) { fail("the record does not hold each action once", ""); }
    cJSON_Delete(result);
}

/* A match in which one send fails. Returns how many sends there were. */
static unsigned long run(enum send_fault fault, unsigned long at)
{
    static const char *const names[] = {"sound", "refused", "lost", "choked"};
    static char what[64];
    struct buf params;
    buf_init(&params, 1 << 20);
    snprintf(what, sizeof what, "send %lu %s", at, names[fault]);
    doing = what;
    runs++;
    random_state = 7;
    match[0] = '\0';
    for (unsigned i = 0; i < CLIENTS; i++) {
        cJSON_Delete(clients[i].view);
        clients[i].view = NULL;
        clients[i].seq = 0;
    }
    world_fail_send(world, fault, at);
    begin_match();
    unsigned acts = 0;
    while (acts < ACTS && play_act(acts, &params)) {
        acts++;
        if (acts != ACTS / 2) { continue; }
        char text[160];
        snprintf(text, sizeof text,
                 "\"match\":\"%s\",\"channel\":\"table\",\"text\":\"x\",\"action_id\":\"say-%u\"",
                 match, runs);
        (void)call(ALLIED, "match.say", text);
    }
    judge(acts);
    unsigned long sends = world_sends(world);
    world_fail_send(world, SEND_SOUND, 0);
    for (unsigned i = 0; i < CLIENTS; i++) {
        come_back(i);
        char text[64];
        snprintf(text, sizeof text, "\"match\":\"%s\"", match);
        (void)call(i, "match.unwatch", text);
    }
    world_forget(world);
    buf_finish(&params);
    return sends;
}

static void sign_up(void)
{
    static const char *const names[] = {"Napoleon", "Wellington", "Looker"};
    char params[128];
    for (unsigned i = 0; i < CLIENTS; i++) {
        world_connect(world, i);
        if (account_of[i] >= 3) { continue; }
        bool first = tokens[account_of[i]][0] == '\0';
        if (first) {
            snprintf(params, sizeof params, "\"name\":\"%s\",\"password\":\"waterloo 1815\"",
                     names[account_of[i]]);
            cJSON *made = result_of(send_once(i, "account.register", params));
            snprintf(tokens[account_of[i]], sizeof tokens[0], "%s", text_of(made, "token"));
            cJSON_Delete(made);
        } else {
            snprintf(params, sizeof params, "\"token\":\"%.63s\"", tokens[account_of[i]]);
            (void)send_once(i, "account.resume", params);
        }
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"every", required_argument, NULL, 'e'},
                                            {NULL, 0, NULL, 0}};
    unsigned long every = 1;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c != 'e' || (every = strtoul(optarg, NULL, 10)) == 0) { return 2; }
    }
    log_set_level(LOG_WARN);
    world = world_open(0, games);
    world_on_hear(world, on_hear);
    if (sqlite3_open_v2(world_path(world), &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        return 1;
    }
    (void)sqlite3_busy_timeout(db, 60000);
    sign_up();
    unsigned passed = 0, failed = 0;
    for (enum send_fault fault = SEND_REFUSED; fault <= SEND_CHOKED; fault++) {
        unsigned long at = 1, sends = 0;
        do { /* one run more than there are sends: that one must be undisturbed */
            unsigned before = faults;
            sends = run(fault, at);
            if (faults == before) {
                passed++;
            } else {
                failed++;
            }
            at += every;
        } while (at <= sends + every && failed < 5);
    }
    printf("%u matches; %u connections ended and came back, %u calls sent again, %u messages held "
           "against what was stored\n",
           runs, reconnects, resent, stored_checks);
    world_on_hear(world, NULL);
    /* the statement goes with its database */
    for (sqlite3_stmt *left; (left = sqlite3_next_stmt(db, NULL)) != NULL;) {
        (void)sqlite3_finalize(left);
    }
    (void)sqlite3_close(db);
    (void)world_close(world);
    for (unsigned i = 0; i < CLIENTS; i++) {
        cJSON_Delete(clients[i].view);
        free(clients[i].answer);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
