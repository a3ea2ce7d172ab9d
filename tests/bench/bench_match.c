/* tests/bench/bench_match.c: what live matches cost the loop thread, without sockets: random play
 * of a game on a real store, both seats watching; then the log of every match is played again and
 * compared. Also a memory measure of watchers at rest.
 *
 *   bench-match MATCHES SECONDS [delta|plain] [clock] [GAME]
 *       CPU of the loop thread per action, by what it is spent on; clock: matches have one; GAME:
 *       Waterloo unless another is named
 *   bench-match --rest WATCHERS MATCHES
 *       bytes per watch when all matches are at rest
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/match.h"
#include "server/store/db.h"
#include "tests/bench/pick.h"
#include "tests/unit/store_kit.h"

enum { PLAYERS = 2, MATCHES_MAX = 20000 };

static const char *clock_spec; /* NULL: none */
static const char *game_name = "waterloo";

struct player {
    struct match_client client; /* first */
    struct play *play;
    unsigned seat;
    char *view; /* the newest, as text */
    bool acting;
};
struct play {
    struct match_id id;
    int64_t key;
    struct player player[PLAYERS];
    cJSON *params[PLAYERS];
    bool begun, over;
};

static struct kit kit;
static struct matches *matches;
static struct play *plays;
static unsigned play_count;
static uint64_t dice_state = 88172645463325252u, acts, refusals, begun;
static int64_t picking_ns, parsing_ns;
static unsigned pending;

static void must(bool good)
{
    if (!good) { abort(); }
}

static int64_t thread_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool on_push(void *ctx, struct match_client *client, const struct match_id *match,
                    unsigned viewer, enum match_push kind, struct msg *msg)
{
    struct player *player = (struct player *)client;
    (void)ctx;
    (void)match;
    (void)viewer;
    if (kind != PUSH_VIEW) { return true; }
    int64_t from = thread_ns();
    free(player->view);
    player->view = strndup(msg_text(msg), msg->len);
    picking_ns += thread_ns() - from;
    return true;
}

struct making {
    struct play *play;
    struct hash secret, commitment;
    const char *options;
};

static struct account_id account_of(unsigned seat)
{
    struct account_id id = {""};
    memset(id.text, (int)('a' + seat), ACCOUNT_ID_CHARS);
    return id;
}

static enum err op_make(struct db *db, void *data)
{
    struct making *making = data;
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO match (id, game, rules, options, creator, access, spectators, reveal,"
            " created_at, state, secret, commitment, clock) VALUES"
            " (?1, ?7, ?5, ?2, 'a', 'open', 'none', 'end', 0, 'open', ?3, ?4, ?6)");
    db_bind_text(stmt, 6, clock_spec);
    db_bind_text(stmt, 7, game_name);
    db_bind_text(stmt, 1, making->play->id.text);
    db_bind_text(stmt, 2, making->options);
    db_bind_blob(stmt, 3, making->secret.bytes, HASH_BYTES);
    db_bind_blob(stmt, 4, making->commitment.bytes, HASH_BYTES);
    db_bind_int(stmt, 5, game_find(game_name)->rules_now);
    enum err err = db_run(db, stmt);
    making->play->key = db_last_rowid(db);
    for (unsigned i = 0; err == ERR_OK && i < PLAYERS; i++) {
        struct account_id account = account_of(i);
        stmt =
            db_prepare(db, "INSERT INTO seat (match, seat, code, account) VALUES (?1, ?2, ?3, ?4)");
        db_bind_int(stmt, 1, making->play->key);
        db_bind_int(stmt, 2, i);
        db_bind_text(stmt, 3, i == 0 ? "FR" : "AL");
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

static void on_begun(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)why;
    (void)json;
    (void)n;
    must(err == ERR_OK);
    ((struct play *)ctx)->begun = true;
    begun++;
}

static void on_watched(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)why;
    (void)json;
    (void)n;
    must(err == ERR_OK);
    cJSON_Delete(ctx);
    pending--;
}

static void watch(struct play *play, unsigned seat, const char *extra)
{
    char text[128];
    cJSON *params = NULL;
    struct why why;
    (void)snprintf(text, sizeof text, "{\"match\":\"%s\"%s}", play->id.text, extra);
    must(json_parse(text, strlen(text), &params) == ERR_OK);
    must(json_normalise(params, &why) == ERR_OK);
    struct match_call call = {.account = account_of(seat),
                              .client = &play->player[seat].client,
                              .done = on_watched,
                              .ctx = params};
    pending++;
    match_watch(matches, &call, params);
}

static void make(unsigned i, const char *options)
{
    struct play *play = &plays[i];
    struct making making = {.play = play, .options = options};
    bool made = false;
    (void)memcpy(play->id.text, "aaaaaaaaaa", MATCH_ID_CHARS + 1);
    for (unsigned k = 0, n = i; k < 6; k++, n /= 8) {
        play->id.text[9 - k] = (char)('a' + n % 8);
    }
    for (unsigned k = 0; k < HASH_BYTES; k++) {
        making.secret.bytes[k] = (uint8_t)(i >> (k % 3 * 8));
    }
    dice_commitment(play->id.text, &making.secret, &making.commitment);
    struct store_unit *unit = store_unit_create(&play->id, 0);
    store_unit_add(unit, op_make, &making, NULL);
    store_commit(kit.store, unit, on_made, &made);
    while (!made) {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
    }
    struct match_begin begin = {.id = play->id,
                                .key = play->key,
                                .game = game_name,
                                .rules = game_find(game_name)->rules_now,
                                .options = options,
                                .secret = making.secret,
                                .seats = PLAYERS,
                                .clock = clock_spec};
    for (unsigned k = 0; k < PLAYERS; k++) {
        begin.accounts[k] = account_of(k);
        play->player[k].play = play;
        play->player[k].seat = k;
    }
    match_begin(matches, &begin, NULL, on_begun, play);
}

static void on_acted(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct player *player = ctx;
    (void)json;
    (void)n;
    player->acting = false;
    pending--;
    int64_t from = thread_ns();
    cJSON_Delete(player->play->params[player->seat]);
    player->play->params[player->seat] = NULL;
    parsing_ns += thread_ns() - from;
    if (err == ERR_OK) {
        acts++;
    } else {
        if (err != ERR_STALE_STATE && err != ERR_MATCH_OVER) {
            (void)fprintf(stderr, "refused: %s %s %s\n", err_kind(err), why->rule, why->text);
        }
        refusals++;
    }
}

/* One action of that player, if it has forms. */
static void act(struct player *player)
{
    static struct buf text;
    static uint64_t serial;
    if (player->acting || player->view == NULL) { return; }
    int64_t from = thread_ns();
    const char *forms = strstr(player->view, "\"actions\":");
    if (forms == NULL) {
        if (strstr(player->view, "\"ev\":\"match_ended\"") != NULL) { player->play->over = true; }
        picking_ns += thread_ns() - from;
        return;
    }
    const char *seq = strstr(player->view, "\"seq\":");
    if (text.max == 0) { buf_init(&text, 65536); }
    buf_reset(&text);
    buf_append_str(&text, "{\"match\":\"");
    buf_append_str(&text, player->play->id.text);
    buf_append_str(&text, "\",\"action_id\":\"");
    char id[32];
    (void)snprintf(id, sizeof id, "b%llu", (unsigned long long)serial++);
    buf_append_str(&text, id);
    buf_append_str(&text, "\",\"seq\":");
    buf_append(&text, seq + 6, strcspn(seq + 6, ",}"));
    buf_append_str(&text, ",\"action\":");
    pick_action(forms + 10, &dice_state, &text);
    buf_append_char(&text, '}');
    free(player->view);
    player->view = NULL;
    int64_t picked = thread_ns();
    picking_ns += picked - from;
    cJSON *params = NULL;
    struct why why;
    must(json_parse(text.data, text.len, &params) == ERR_OK);
    must(json_normalise(params, &why) == ERR_OK);
    parsing_ns += thread_ns() - picked;
    player->play->params[player->seat] = params;
    struct match_call call = {.account = account_of(player->seat),
                              .client = &player->client,
                              .done = on_acted,
                              .ctx = player};
    player->acting = true;
    pending++;
    match_act(matches, &call, params);
}

static void on_closed(void *ctx)
{
    *(bool *)ctx = true;
}

static void open_all(uint32_t idle_ms)
{
    kit_open(&kit);
    struct matches_config config = {
        .loop = &kit.loop, .store = kit.store, .hooks = {.push = on_push}, .idle_ms = idle_ms};
    must(matches_create(&config, &matches) == ERR_OK);
    plays = calloc(MATCHES_MAX, sizeof *plays);
}

static void close_all(void)
{
    bool closed = false;
    matches_close(matches, on_closed, &closed);
    while (!closed) {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
    }
    for (unsigned i = 0; i < play_count; i++) {
        for (unsigned k = 0; k < PLAYERS; k++) {
            match_client_gone(matches, &plays[i].player[k].client);
            free(plays[i].player[k].view);
        }
    }
    matches_destroy(matches);
    kit_close(&kit);
    free(plays);
}

static void on_fault(void *ctx, const char *text)
{
    (void)ctx;
    (void)fprintf(stderr, "%s\n", text);
}

static int run_play(unsigned count, double seconds, const char *extra)
{
    open_all(60000);
    for (unsigned i = 0; i < count; i++) {
        make(i, "{}");
    }
    play_count = count;
    while (begun < count) {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < PLAYERS; k++) {
            watch(&plays[i], k, extra);
        }
    }
    while (pending > 0) {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
    }
    uint64_t from_wall = uv_hrtime();
    int64_t from = thread_ns();
    picking_ns = 0;
    parsing_ns = 0;
    unsigned left = count;
    while (left > 0 && (double)(uv_hrtime() - from_wall) / 1e9 < seconds) {
        left = 0;
        for (unsigned i = 0; i < count; i++) {
            for (unsigned k = 0; k < PLAYERS; k++) {
                act(&plays[i].player[k]);
            }
            left += plays[i].over ? 0 : 1;
        }
        (void)uv_run(&kit.loop, pending > 0 ? UV_RUN_ONCE : UV_RUN_NOWAIT);
    }
    double wall = (double)(uv_hrtime() - from_wall) / 1e9;
    double total = (double)(thread_ns() - from) / 1e3;
    while (pending > 0) {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
    }
    struct matches_stats stats;
    matches_stats(matches, &stats);
    double n = acts > 0 ? (double)acts : 1;
    (void)printf("%u matches, %.1f s: %llu actions (%.0f/s), %llu refused, %u matches over\n",
                 count, wall, (unsigned long long)acts, (double)acts / wall,
                 (unsigned long long)refusals, count - left);
    (void)printf("loop thread: %.1f us an action: %.1f reading JSON, %.1f matches and store, "
                 "(%.1f the driver itself left out)\n",
                 (total - (double)picking_ns / 1e3) / n, (double)parsing_ns / 1e3 / n,
                 (total - (double)(picking_ns + parsing_ns) / 1e3) / n,
                 (double)picking_ns / 1e3 / n);
    (void)printf("%.0f KiB for each loaded match\n",
                 (double)stats.memory_bytes / 1024 / (double)(stats.loaded > 0 ? stats.loaded : 1));
    close_all();
    uint64_t checked = 0;
    uint64_t faults = 0;
    must(matches_check(kit.path, NULL, on_fault, NULL, &checked, &faults) == ERR_OK);
    (void)printf("%llu logs played again, %llu faults\n", (unsigned long long)checked,
                 (unsigned long long)faults);
    kit_remove(&kit);
    return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static double resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    must(file != NULL && fscanf(file, "%*s %ld", &pages) == 1);
    (void)fclose(file);
    return (double)pages * 4096;
}

static int run_rest(unsigned watchers, unsigned count)
{
    open_all(1);
    for (unsigned i = 0; i < count; i++) {
        make(i, "{}");
        while (begun <= i) {
            (void)uv_run(&kit.loop, UV_RUN_ONCE);
        }
    }
    play_count = count;
    struct matches_stats stats;
    do {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
        matches_stats(matches, &stats);
    } while (stats.loaded > 0);
    (void)malloc_trim(0);
    double before = resident_bytes();
    size_t heap_before = mallinfo2().uordblks;
    unsigned each = watchers / count;
    must(each <= PLAYERS);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < each; k++) {
            watch(&plays[i], k, "");
        }
        while (pending > 0) {
            (void)uv_run(&kit.loop, UV_RUN_ONCE);
        }
    }
    do {
        (void)uv_run(&kit.loop, UV_RUN_ONCE);
        matches_stats(matches, &stats);
    } while (stats.loaded > 0);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < PLAYERS; k++) {
            free(plays[i].player[k].view);
            plays[i].player[k].view = NULL;
        }
    }
    (void)malloc_trim(0);
    double after = resident_bytes();
    size_t heap_after = mallinfo2().uordblks;
    (void)printf(
        "%llu watches on %llu matches at rest: %.0f bytes a watch resident, %.0f in use on the "
        "main heap, its share of the match with it\n",
        (unsigned long long)stats.watches, (unsigned long long)stats.known,
        (after - before) / (double)stats.watches,
        (double)(heap_after - heap_before) / (double)stats.watches);
    close_all();
    kit_remove(&kit);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    log_set_level(LOG_ERROR);
    if (argc == 4 && strcmp(argv[1], "--rest") == 0) {
        return run_rest((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
    }
    if (argc < 3) {
        (void)fprintf(stderr, "bench-match MATCHES SECONDS [delta|plain] [clock] [GAME] | --rest "
                              "WATCHERS MATCHES\n");
        return 2;
    }
    const char *mode = argc > 3 ? argv[3] : "";
    if (argc > 4 && game_find(argv[argc - 1]) != NULL) { game_name = argv[argc - 1]; }
    if (argc > 4 && strcmp(argv[4], "clock") == 0) {
        clock_spec = "{\"kind\":\"correspondence\",\"zone\":\"Europe/Brussels\",\"days\":[\"mon\","
                     "\"tue\",\"wed\",\"thu\",\"fri\"],\"sleep\":true}";
    }
    return run_play((unsigned)atoi(argv[1]), atof(argv[2]),
                    strcmp(mode, "plain") == 0 ? ",\"actions\":false" : "");
}
