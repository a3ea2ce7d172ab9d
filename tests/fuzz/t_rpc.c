/* tests/fuzz/t_rpc.c: the whole daemon without sockets, fed by four clients at once: both seats of
 * a match at play, a spectator who is signed in, a guest. An input is frames, one a line; a digit
 * before a frame says whose it is, `x` before it that the client disconnects and comes back first.
 *
 * The oracle's daemon is included whole: garbage gets any number of answers, so its count of those
 * that are due is of no use here. */
#include "tests/oracle/daemon.c"

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/forms.h"
#include "tests/fuzz/fuzz.h"

enum { SEATED = 2, FUZZ_CLIENTS = 4 };

static struct world *world;
static char tokens[3][64], match[64];
static unsigned made;
static uint64_t random_forms = 1;

/* Runs until nothing is on its way. */
static void settle(void)
{
    bool any = true;
    while (any) {
        world->pending = 0;
        (void)uv_run(&world->loop, is_busy(world) ? UV_RUN_ONCE : UV_RUN_NOWAIT);
        world->pending = 0;
        any = write_all(world) || (world->pending = 0, is_busy(world));
    }
}

static void send_bytes(unsigned client, const char *text, size_t n)
{
    struct lws *wsi = &world->clients[client];
    if (!wsi->open) { world_connect(world, client); }
    char *copy = malloc(n > 0 ? n : 1); /* in a block of its own size */
    must(copy != NULL, "memory");
    memcpy(copy, text, n);
    if (conn_callback(wsi, LWS_CALLBACK_RECEIVE, &wsi->user, copy, n) != 0) {
        world_disconnect(world, client);
    }
    free(copy);
}

/* The answer, one line (of a frame that gets one). */
static const char *call(unsigned client, const char *frame)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    static struct buf answer;
    if (answer.max == 0) { buf_init(&answer, 4 << 20); }
    settle();
    buf_reset(&world->clients[client].heard);
    send_bytes(client, frame, strlen(frame));
    for (;;) {
        settle();
        for (const char *at = world_heard(world, client); *at != '\0';
             at += strcspn(at, "\n") + 1) {
            if (strncmp(at, head, sizeof head - 1) != 0) { continue; }
            buf_reset(&answer);
            buf_append(&answer, at, strcspn(at, "\n"));
            return buf_str(&answer);
        }
        (void)uv_run(&world->loop, UV_RUN_ONCE);
    }
}

static void resume(unsigned client)
{
    char frame[320];
    if (client >= 3) { return; }
    (void)snprintf(frame, sizeof frame,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"account.resume\",\"params\":{"
                   "\"token\":\"%s\"}}",
                   tokens[client]);
    (void)call(client, frame);
}

static void take(char out[64], const char *text, const char *before)
{
    const char *at = strstr(text, before);
    FUZZ_MUST(at != NULL, text);
    at += strlen(before);
    (void)snprintf(out, 64, "%.*s", (int)strcspn(at, "\""), at);
}

static void begin_match(void)
{
    static const char *const options[] = {
        "", ",\"options\":{\"morale\":true,\"command_control\":true,\"turns\":4}"};
    char frame[512];
    (void)snprintf(frame, sizeof frame,
                   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"match.create\",\"params\":{\"game\":"
                   "\"waterloo\","
                   "\"seat\":\"FR\",\"access\":\"open\",\"spectators\":\"public\"%s}}",
                   options[made++ % 2]);
    take(match, call(0, frame), "\"match\":\"");
    (void)snprintf(frame, sizeof frame,
                   "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"match.join\",\"params\":{\"match\":"
                   "\"%s\",\"seat\":\"AL\"}}",
                   match);
    (void)call(1, frame);
    for (unsigned i = 0; i < FUZZ_CLIENTS; i++) {
        (void)snprintf(frame, sizeof frame,
                       "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"match.watch\",\"params\":{"
                       "\"match\":\"%s\"%s}}",
                       match, i == 1 ? ",\"delta\":true" : "");
        (void)call(i, frame);
    }
}

static void begin_world(void)
{
    static const char *const names[] = {"Napoleon", "Wellington", "Looker"};
    char frame[256];
    world = world_open(0, games);
    for (unsigned i = 0; i < 3; i++) {
        world_connect(world, i);
        (void)snprintf(frame, sizeof frame,
                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"account.register\",\"params\":{"
                       "\"name\":\"%s\","
                       "\"password\":\"waterloo 1815\"}}",
                       names[i]);
        take(tokens[i], call(i, frame), "\"token\":\"");
    }
    world_connect(world, 3);
    begin_match();
}

static void end_world(void)
{
    settle();
    world_close(world);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    begin_world();
    (void)atexit(end_world);
    return 0;
}

/* Every message is JSON; what kinds of answer came is told. */
static void look_at(unsigned client)
{
    const char *at = world_heard(world, client);
    for (const char *end = strchr(at, '\n'); end != NULL; at = end + 1, end = strchr(at, '\n')) {
        const char *kind = strstr(at, "\"kind\":\"");
        if (kind != NULL && kind < end) {
            char name[64];
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(kind + 8, "\""), kind + 8);
            fuzz_feature_text(client, name);
            FUZZ_MUST(strcmp(name, "internal") != 0, at);
        }
        fuzz_feature((unsigned)(end - at));
    }
    const char *last = world_last(world, client);
    cJSON *json = NULL;
    FUZZ_MUST(last[0] == '\0' || json_parse(last, strlen(last), &json) == ERR_OK, last);
    cJSON_Delete(json);
}

/* The daemon lives, and answers those who ask in good order. */
static void must_live(void)
{
    static const char hello[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"live\",\"method\":\"server.hello\",\"params\":{}}";
    if (world->clients[3].open) { world_disconnect(world, 3); }
    world_connect(world, 3);
    const char *answer = call(3, hello);
    FUZZ_MUST(strstr(answer, "\"id\":\"live\",\"result\"") != NULL, answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned runs;
    const char *at = (const char *)data, *end = at + size;
    world_forget(world);
    for (unsigned lines = 0; at < end && lines < 40; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        unsigned client = lines % FUZZ_CLIENTS;
        if (stop == NULL) { stop = end; }
        if (at < stop && *at == 'x') {
            world_disconnect(world, client);
            at++;
        } else if (at < stop && *at >= '0' && *at < '4') {
            client = (unsigned)(*at++ - '0');
        }
        if (!world->clients[client].open) { world_connect(world, client); }
        send_bytes(client, at, (size_t)(stop - at));
        at = stop + 1;
    }
    settle();
    for (unsigned i = 0; i < FUZZ_CLIENTS; i++) {
        look_at(i);
    }
    /* who was signed out or thrown out comes back now and then; so does the match that ended */
    if (++runs % 64 == 0) {
        must_live();
        for (unsigned i = 0; i < FUZZ_CLIENTS; i++) {
            if (!world->clients[i].open) { world_connect(world, i); }
            resume(i);
        }
        world_set_clock(world, world->now + 1000);
    }
    if (runs % 4096 == 0) { /* accounts may be gone, the match over */
        end_world();
        begin_world();
    }
    return 0;
}

/* --- seeds: a call of every method, and traffic of a match at play
 * -------------------------------- */

static const char *const calls[] = {
    "server.hello\",\"params\":{\"client\":\"fuzz\",\"version\":\"1\"}",
    "account.get\"",
    "account.tokens\"",
    "account.resume\",\"params\":{\"token\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}",
    "account.set\",\"params\":{\"language\":\"en\",\"timezone\":\"Europe/"
    "Berlin\",\"presence\":\"all\"}",
    "account.profile\",\"params\":{\"name\":\"Napoleon\"}",
    "account.block\",\"params\":{\"name\":\"Looker\",\"on\":true}",
    "account.token\",\"params\":{\"label\":\"bot\",\"scope\":\"play\"}",
    "account.export\"",
    "account.revoke\",\"params\":{\"token_id\":\"aaaaaaaaaa\"}",
    "game.list\"",
    "game.get\",\"params\":{\"game\":\"waterloo\"}",
    ("match.create\",\"params\":{\"game\":\"waterloo\",\"options\":{\"players\":3,\"turns\":5},"
     "\"seat\":\"FR\","
     "\"access\":\"invite\",\"title\":\"A "
     "\\u00e9\",\"invite\":[\"Looker\"],\"action_id\":\"0123456789abcdef\"}"),
    "match.list\",\"params\":{\"filter\":\"mine\",\"limit\":5}",
    "match.list\",\"params\":{\"filter\":\"open\"}",
    "match.get\",\"params\":{\"match\":\"@\"}",
    "match.join\",\"params\":{\"match\":\"@\",\"seat\":\"AL\",\"code\":\"x\"}",
    "match.leave\",\"params\":{\"match\":\"@\"}",
    "match.start\",\"params\":{\"match\":\"@\"}",
    "match.watch\",\"params\":{\"match\":\"@\",\"as\":\"public\",\"delta\":true,\"actions\":false,"
    "\"seq\":3}",
    "match.unwatch\",\"params\":{\"match\":\"@\"}",
    "match.view\",\"params\":{\"match\":\"@\",\"as\":\"FR\"}",
    "match.wait\",\"params\":{\"match\":\"@\",\"after\":0,\"timeout_s\":1}",
    "match.act\",\"params\":{\"match\":\"@\",\"seq\":1,\"actions\":[{\"do\":\"confirm_setup\"}],"
    "\"action_id\":\"abcdefgh12345678\"}",
    "match.act\",\"params\":{\"match\":\"@\",\"action\":{\"do\":\"end_movement\"},\"action_id\":"
    "\"abcdefgh12345679\"}",
    "match.try\",\"params\":{\"match\":\"@\",\"seq\":1,\"action\":{\"do\":\"march\",\"marches\":[]}"
    "}",
    "match.ask\",\"params\":{\"match\":\"@\",\"question\":{\"ask\":\"reach\",\"unit\":\"FR-A\"}}",
    "match.undo\",\"params\":{\"match\":\"@\",\"seq\":2,\"action_id\":\"abcdefgh12345680\"}",
    "match.history\",\"params\":{\"match\":\"@\",\"from\":1,\"limit\":10}",
    "match.receipt\",\"params\":{\"match\":\"@\"}",
    "match.record\",\"params\":{\"match\":\"@\"}",
    "match.replay\",\"params\":{\"match\":\"@\",\"as\":\"FR\",\"seq\":1}",
    "match.say\",\"params\":{\"match\":\"@\",\"channel\":\"table\",\"text\":\"Vive "
    "l'Empereur!\",\"action_id\":\"says1234\"}",
    "account.bots\"",
    "account.nonces\"",
    "account.nonces\",\"params\":{\"commits\":[\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"],"
    "\"action_id\":\"stock123\"}",
    "match.nonce\",\"params\":{\"match\":\"@\",\"nonce\":"
    "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}",
    "match.nonce\",\"params\":{\"match\":\"@\",\"lost\":true}",
    "match.offer\",\"params\":{\"match\":\"@\",\"what\":\"rewind\",\"to\":1,\"action_id\":"
    "\"offer123\"}",
    "match.offer\",\"params\":{\"match\":\"@\",\"what\":\"draw\"}",
    "match.answer\",\"params\":{\"match\":\"@\",\"offer\":1,\"accept\":true}",
    "match.note\",\"params\":{\"match\":\"@\",\"text\":\"Beware of the sunken road.\"}",
    "match.draft\",\"params\":{\"match\":\"@\",\"version\":0,\"actions\":[{\"do\":\"end_movement\"}"
    "]}",
    "match.rematch\",\"params\":{\"match\":\"@\",\"action_id\":\"again123\"}",
    "match.get\",\"params\":{\"match\":\"@\",\"code\":\"AAAAAAAAAAAAAAAAAAAAAA\"}",
    "match.talk\",\"params\":{\"match\":\"@\",\"channel\":\"table\",\"limit\":5}"};

static unsigned below(void *random, unsigned n)
{
    return mutate_below(random, n);
}

/* One frame of a seat, an action picked from the forms that it is offered. */
static void add_action(unsigned client, fuzz_add_fn *add, struct buf *line)
{
    const struct forms_random source = {below, &random_forms};
    char frame[256];
    cJSON *answer = NULL;
    (void)snprintf(
        frame, sizeof frame,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"match.view\",\"params\":{\"match\":\"%s\"}}",
        match);
    const char *text = call(client, frame);
    FUZZ_MUST(json_parse(text, strlen(text), &answer) == ERR_OK, text);
    const cJSON *view = json_get(answer, "result");
    const cJSON *forms = json_get(view, "actions"), *seq = json_get(view, "seq");
    buf_reset(line);
    buf_append_char(line, (char)('0' + client));
    buf_append_str(
        line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"match.act\",\"params\":{\"match\":\"");
    buf_append_str(line, match);
    buf_append_str(line, "\",\"seq\":");
    jw_int(line, cJSON_IsNumber(seq) ? (int64_t)seq->valuedouble : 0);
    buf_append_str(line, ",\"action\":");
    struct buf action;
    buf_init(&action, 1 << 20);
    if (cJSON_GetArraySize(forms) > 0 && forms_pick(forms, &source, &action) == ERR_OK) {
        buf_append(line, action.data, action.len);
        (void)snprintf(frame, sizeof frame, ",\"action_id\":\"act-%08llx\"}}",
                       (unsigned long long)mutate_random(&random_forms) & 0xffffffff);
        buf_append_str(line, frame);
        add(buf_str(line), line->len);
    }
    buf_finish(&action);
    cJSON_Delete(answer);
}

void fuzz_seeds(fuzz_add_fn *add)
{
    struct buf line;
    buf_init(&line, 1 << 20);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        buf_reset(&line);
        for (unsigned client = 0; client < FUZZ_CLIENTS; client++) {
            buf_append_char(&line, (char)('0' + client));
            buf_append_str(&line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"");
            const char *at = strchr(calls[i], '@');
            buf_append(&line, calls[i], at == NULL ? strlen(calls[i]) : (size_t)(at - calls[i]));
            if (at != NULL) {
                buf_append_str(&line, match);
                buf_append_str(&line, at + 1);
            }
            buf_append_str(&line, "}\n");
        }
        add(buf_str(&line), line.len);
    }
    for (unsigned i = 0; i < 200; i++) {
        add_action(i % SEATED, add, &line);
    }
    buf_finish(&line);
}
