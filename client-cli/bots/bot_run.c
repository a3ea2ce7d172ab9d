/* client-cli/bots/bot_run.c: `vedette bot`: follows the matches of its account and plays them until
 * they end. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "client-cli/board_fetch.h"
#include "client-cli/bots/bot.h"
#include "client-cli/cli.h"
#include "client-cli/face/offers.h"
#include "client-cli/net/session.h"
#include "client-cli/net/witness.h"
#include "client-cli/records/proof.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* A connection watches 64 matches at most (schema/openrpc.json). */
enum { GAMES_MAX = 64, LOOK_MS = 3000, SOON_MS = 50, ATTEMPTS_MAX = 40 };

struct bot;
struct game_of {
    struct bot *bot;
    struct session *session;
    struct bot_mind mind;
    const struct bot_kind *kind; /* NULL: the game is not known yet */
    unsigned attempt;
    int64_t tried_seq; /* the seq that attempt counts for */
    cJSON *offers;     /* still to be answered; NULL: none */
    bool over, told, refused;
    bool (*orders)(const struct board *board, const cJSON *view, struct buf *out);
    bool ordering;        /* standing orders are being read */
    int64_t ordered_slot; /* the player turn for which they were left */
};
struct bot {
    struct cli *cli;
    const struct bot_kind *kind; /* NULL: each match by its game's own */
    struct board board;          /* of the game that common/words has one of */
    struct game_of *game[GAMES_MAX];
    int games;
    uv_timer_t look;
    bool looking, ready, failed, stop;
    bool deep;         /* all of its matches are looked through, not the newest alone */
    bool child;        /* of the server, which says itself what it plays */
    bool running;      /* look is on: what is told before is seen at the first look */
    unsigned receipts; /* asked for and not yet there */
    enum status status;
    unsigned long actions;
};

/* ---- one match ---- */

static void on_receipt(void *ctx, const cJSON *result, const cJSON *error)
{
    struct bot *bot = ctx;
    (void)error;
    bot->receipts--;
    if (result != NULL) { receipts_add(&bot->cli->keep, result); }
}

/* The sitting is over: what its last step was is signed. */
static void ask_receipt(struct game_of *g)
{
    struct bot *bot = g->bot;
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", session_match(g->session));
    if (bot->cli->opt.seat != NULL) { jw_key_str(&params, "as", bot->cli->opt.seat); }
    jw_object_end(&params);
    bot->receipts++;
    conn_call(bot->cli->conn, "match.receipt", buf_str(&params), on_receipt, bot);
    buf_finish(&params);
}

static void tell_over(const char *match, const char *winner)
{
    struct buf result, text;
    buf_init(&result, 1024);
    buf_init(&text, 1024);
    words_say(&result, "event.game_over", "winner", winner, "why", "", NULL);
    words_say(&text, "cli.bot.over", "match", match, "result_t", buf_str(&result), NULL);
    cli_print_lines(buf_str(&text));
    putchar('\n');
    buf_finish(&result);
    buf_finish(&text);
}

/* The match is over: the view's state says so in every game. */
static bool is_over(const cJSON *view)
{
    const cJSON *state = json_get(view, "state");
    return cJSON_IsString(state) && (strcmp(state->valuestring, "OVER") == 0 ||
                                     strcmp(state->valuestring, "GAME_OVER") == 0);
}

/* Who has won, as a seat; "": nobody. */
static const char *winner_of(const cJSON *view)
{
    const cJSON *winner = json_get(json_get(json_get(view, "board"), "result"), "winner");
    const char *name = cJSON_IsString(winner) ? winner->valuestring : "";
    return strcmp(name, "french") == 0 ? "FR" : strcmp(name, "allied") == 0 ? "AL" : name;
}

static void end_game(struct game_of *g, const cJSON *view)
{
    g->over = true;
    if (!g->told && !g->bot->cli->opt.json) {
        tell_over(session_match(g->session), winner_of(view));
    } else if (!g->told) {
        cli_print_json(json_get(view, "result") != NULL ? json_get(view, "result") : view);
    }
    if (!g->told) { ask_receipt(g); }
    g->told = true;
    fflush(stdout);
}

/* A kind that plays another game says so and keeps out of it. */
static void refuse_game(struct game_of *g, const char *game)
{
    struct buf text;
    char kinds[128];
    bot_kind_list(game, kinds, sizeof kinds);
    buf_init(&text, 1024);
    words_say(&text, "cli.bot.other_game", "match", session_match(g->session), "policy",
              g->bot->kind->name, "game", game, "list", kinds, NULL);
    cli_complain(buf_str(&text));
    buf_finish(&text);
    g->over = true;
    g->refused = true;
    if (g->bot->cli->opt.match != NULL) {
        g->bot->failed = true;
        g->bot->status = REFUSED;
    }
}

/* With the first view: which kind plays here. False: none. */
static bool find_kind(struct game_of *g, const cJSON *view)
{
    const cJSON *name = json_get(view, "game");
    const char *game = cJSON_IsString(name) ? name->valuestring : "";
    if (g->kind != NULL) { return true; }
    if (g->bot->kind != NULL && !bot_kind_plays(g->bot->kind, game)) {
        refuse_game(g, game);
        return false;
    }
    g->kind = g->bot->kind != NULL ? g->bot->kind : bot_kind_of_game(game);
    if (g->kind == NULL) { g->kind = bot_kind("random"); }
    return true;
}

/* Who remembers what the match told: its game's own, whoever plays it (a caretaker asks that one).
 * NULL: nobody. */
static const struct bot_kind *hearer(const cJSON *view)
{
    const cJSON *name = json_get(view, "game");
    const struct bot_kind *own = bot_kind_of_game(cJSON_IsString(name) ? name->valuestring : "");
    return own == NULL || own->hears == NULL ? NULL : own;
}

/* A bot that has just begun hears the whole of the match, as its account may. */
static int wants_steps(void *ctx, const cJSON *view)
{
    (void)ctx;
    return hearer(view) == NULL ? 0 : INT_MAX;
}

static void on_events(void *ctx, const cJSON *events, bool fresh)
{
    struct game_of *g = ctx;
    const cJSON *view = session_view(g->session), *as = json_get(view, "as");
    const struct bot_kind *own = hearer(view);
    (void)fresh;
    if (own == NULL || !cJSON_IsString(as)) { return; }
    own->hears(&g->mind, as->valuestring, events, session_told(g->session) <= 1);
}

static void play_on(struct game_of *g)
{
    const cJSON *view = session_view(g->session);
    if (view == NULL || session_busy(g->session) || g->over) { return; }
    if (is_over(view)) {
        end_game(g, view);
        return;
    }
    if (!cJSON_IsArray(json_get(view, "actions")) || !find_kind(g, view)) { return; }
    if (hearer(view) != NULL && !session_caught_up(g->session)) {
        return;
    } /* on_view comes again */
    if (g->tried_seq != session_seq(g->session)) {
        g->tried_seq = session_seq(g->session);
        g->attempt = 0;
    }
    if (g->attempt > ATTEMPTS_MAX) { return; } /* waits for the match to go on */
    struct buf action;
    buf_init(&action, 1 << 16);
    if (g->kind->act(&g->bot->board, view, g->attempt, &g->mind, &action)) {
        g->bot->actions++;
        session_act(g->session, buf_str(&action));
    }
    buf_finish(&action);
}

/* Every offer is answered at once: a match must not wait for a program's word. */
static void answer_offers(struct game_of *g)
{
    const cJSON *view = session_view(g->session);
    const char *seat = session_seat(g->session);
    const cJSON *offer = NULL;
    if (g->over || g->offers == NULL || view == NULL || !find_kind(g, view)) { return; }
    bool lost = g->kind->is_lost != NULL && g->kind->is_lost(&g->bot->board, view);
    cJSON_ArrayForEach(offer, g->offers)
    {
        const cJSON *what = json_get(offer, "what");
        if (!cJSON_IsString(what) || !offer_awaits(offer, seat)) { continue; }
        session_answer(g->session, offer_number(offer), g->kind->agrees(what->valuestring, lost));
    }
    cJSON_Delete(g->offers);
    g->offers = NULL;
}

static void on_offers(void *ctx, const cJSON *told)
{
    struct game_of *g = ctx;
    cJSON_Delete(g->offers);
    g->offers = cJSON_Duplicate(json_get(told, "offers"), true);
    answer_offers(g); /* or with the first view, which says who we are */
}

static void on_ordered(void *ctx, const cJSON *result, const cJSON *error)
{
    (void)ctx;
    (void)result;
    (void)error; /* it answers by hand all the same */
}

static void standing_params(const struct game_of *g, struct buf *params)
{
    buf_init(params, 1 << 16);
    jw_object_begin(params);
    jw_key_str(params, "match", session_match(g->session));
}

/* What was left before is replaced, as the view is now. */
static void on_standing(void *ctx, const cJSON *result, const cJSON *error)
{
    struct game_of *g = ctx;
    const cJSON *version = json_get(result, "version");
    struct buf orders, params;
    (void)error;
    g->ordering = false;
    if (result == NULL || g->over) { return; }
    buf_init(&orders, 1 << 14);
    if (g->orders(&g->bot->board, session_view(g->session), &orders)) {
        standing_params(g, &params);
        jw_key_int(&params, "version", json_int(version, 0));
        jw_key_raw(&params, "orders", buf_str(&orders), orders.len);
        conn_write_action_id(&params);
        jw_object_end(&params);
        conn_call(g->bot->cli->conn, "match.standing", buf_str(&params), on_ordered, g);
        buf_finish(&params);
    }
    buf_finish(&orders);
}

/* Once in each player turn: where the units stand has changed. */
static void leave_orders(struct game_of *g)
{
    const cJSON *view = session_view(g->session);
    int64_t slot = json_int(json_get(json_get(view, "turn"), "slot"), 0);
    struct buf params;
    if (!g->bot->cli->opt.orders || g->over || g->ordering || slot == g->ordered_slot ||
        !find_kind(g, view)) {
        return;
    }
    /* A caretaker and who plays at random leave what the game's own would. */
    const cJSON *name = json_get(view, "game");
    const struct bot_kind *own = bot_kind_of_game(cJSON_IsString(name) ? name->valuestring : "");
    if (own == NULL || own->orders == NULL) { return; }
    g->orders = own->orders;
    g->ordered_slot = slot;
    g->ordering = true;
    standing_params(g, &params);
    jw_object_end(&params);
    conn_call(g->bot->cli->conn, "match.standing", buf_str(&params), on_standing, g);
    buf_finish(&params);
}

static void on_view(void *ctx)
{
    leave_orders(ctx);
    answer_offers(ctx);
    play_on(ctx);
}

static void on_acted(void *ctx, const cJSON *error)
{
    struct game_of *g = ctx;
    if (error == NULL) {
        play_on(g);
        return;
    }
    const cJSON *kind = json_get(json_get(error, "data"), "kind");
    const cJSON *member = json_get(json_get(error, "data"), "member");
    if (cJSON_IsString(member) && strcmp(member->valuestring, "offer") == 0) {
        return; /* it was taken back, or the match went on, before our answer came */
    }
    bool stale = cJSON_IsString(kind) && strcmp(kind->valuestring, "stale_state") == 0;
    if (getenv("VEDETTE_BOT_TRACE") != NULL) { cli_show_error(g->bot->cli, error); }
    if (stale) { /* the newer view is here already, or on its way */
        if (session_seq(g->session) != g->tried_seq) { play_on(g); }
        return;
    }
    g->attempt++;
    play_on(g);
}

static void on_failed(void *ctx, const cJSON *error)
{
    struct game_of *g = ctx;
    g->over = true;
    g->bot->failed = g->bot->cli->opt.match != NULL || error == NULL;
    if (error != NULL) {
        g->bot->status = REFUSED;
        cli_show_error(g->bot->cli, error);
    } else {
        g->bot->status = UNREACHABLE;
    }
}

static void on_warning(void *ctx, const char *text)
{
    struct game_of *g = ctx;
    fprintf(stderr, "vedette: %s: %s\n", session_match(g->session), text);
}

static void free_game(struct game_of *g)
{
    session_destroy(g->session);
    cJSON_Delete(g->offers);
    free(g);
}

static void add_game(struct bot *bot, const char *match)
{
    for (int i = 0; i < bot->games; i++) {
        if (strcmp(session_match(bot->game[i]->session), match) == 0) { return; }
    }
    for (int i = 0; bot->games == GAMES_MAX && i < bot->games;
         i++) { /* who is over needs no watching */
        if (!bot->game[i]->over) { continue; }
        free_game(bot->game[i]);
        bot->game[i] = bot->game[--bot->games];
    }
    struct game_of *g = bot->games == GAMES_MAX ? NULL : calloc(1, sizeof *g);
    if (g == NULL) { return; }
    bot->game[bot->games++] = g;
    g->bot = bot;
    g->tried_seq = -1;
    bot_random_seed(&g->mind.random, (uint64_t)bot->cli->opt.seed + (uint64_t)bot->games);
    struct session_events events = {.ctx = g,
                                    .on_view = on_view,
                                    .backlog = wants_steps,
                                    .on_events = on_events,
                                    .on_acted = on_acted,
                                    .on_offers = on_offers,
                                    .on_warning = on_warning,
                                    .on_failed = on_failed};
    g->session =
        session_create(bot->cli->conn, &bot->cli->keep, match, bot->cli->opt.seat, &events);
    session_watch(g->session);
}

/* ---- the account's matches ---- */

static void on_joined(void *ctx, const cJSON *result, const cJSON *error)
{
    struct bot *bot = ctx;
    (void)error;
    const cJSON *match = json_get(result, "match");
    if (cJSON_IsString(match)) { add_game(bot, match->valuestring); }
}

static bool has_free_seat(const cJSON *match, const char *wanted)
{
    const cJSON *seat = NULL;
    cJSON_ArrayForEach(seat, json_get(match, "seats"))
    {
        bool free_seat = json_get(seat, "account") == NULL;
        if (free_seat && (wanted == NULL || strcmp(seat->string, wanted) == 0)) { return true; }
    }
    return false;
}

static void join(struct bot *bot, const char *match)
{
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "match", match);
    if (bot->cli->opt.seat != NULL) { jw_key_str(&params, "seat", bot->cli->opt.seat); }
    jw_key_bool(&params, "consent", true); /* a program minds nobody who looks, however late */
    conn_write_action_id(&params);
    jw_object_end(&params);
    conn_call(bot->cli->conn, "match.join", buf_str(&params), on_joined, bot);
    buf_finish(&params);
}

static void list(struct bot *bot, const char *filter, const char *before);

static bool is_full(const struct bot *bot)
{
    int open = 0;
    for (int i = 0; i < bot->games; i++) {
        open += bot->game[i]->over ? 0 : 1;
    }
    return open >= GAMES_MAX;
}

static void on_list(void *ctx, const cJSON *result, const cJSON *error)
{
    struct bot *bot = ctx;
    bot->looking = false;
    if (error != NULL) {
        cli_show_error(bot->cli, error);
        bot->failed = true;
        bot->status = REFUSED;
        return;
    }
    if (result == NULL) { return; }
    const cJSON *match = NULL;
    cJSON_ArrayForEach(match, json_get(result, "matches"))
    {
        const cJSON *id = json_get(match, "match");
        const cJSON *state = json_get(match, "state");
        const cJSON *game = json_get(match, "game");
        const cJSON *you = json_get(match, "you");
        if (!cJSON_IsString(id) || !cJSON_IsString(state)) { continue; }
        bool fits = bot->cli->opt.game == NULL ||
                    (cJSON_IsString(game) && strcmp(game->valuestring, bot->cli->opt.game) == 0);
        if (!fits) { continue; }
        /* It sits down to no game that it does not play; where it sits already, it says so. */
        bool plays = bot->kind == NULL || !cJSON_IsString(game) ||
                     bot_kind_plays(bot->kind, game->valuestring);
        bool mine = cJSON_IsArray(you) && you->child != NULL;
        if (strcmp(state->valuestring, "running") == 0 && (mine || you == NULL)) {
            add_game(bot, id->valuestring);
        }
        bool asked = bot->cli->opt.invited && cJSON_IsTrue(json_get(match, "invited"));
        if ((bot->cli->opt.any || asked) && plays && !mine && !is_full(bot) &&
            strcmp(state->valuestring, "open") == 0 && has_free_seat(match, bot->cli->opt.seat)) {
            join(bot, id->valuestring);
        }
    }
    const cJSON *next = json_get(result, "next");
    if (bot->deep && cJSON_IsString(next)) {
        list(bot, "mine", next->valuestring);
        return;
    }
    bot->deep = false;
    bot->ready = true;
}

static void list(struct bot *bot, const char *filter, const char *before)
{
    char params[128];
    snprintf(params, sizeof params, "{\"filter\":\"%s\",\"limit\":100%s%.32s%s}", filter,
             before == NULL ? "" : ",\"before\":\"", before == NULL ? "" : before,
             before == NULL ? "" : "\"");
    bot->looking = true;
    conn_call(bot->cli->conn, "match.list", params, on_list, bot);
}

static bool all_over(const struct bot *bot)
{
    for (int i = 0; i < bot->games; i++) {
        if (!bot->game[i]->over) { return false; }
    }
    return true;
}

static void on_look(uv_timer_t *timer)
{
    struct bot *bot = timer->data;
    if (bot->cli->opt.match != NULL || bot->looking || conn_state(bot->cli->conn) != CONN_UP) {
        return;
    }
    list(bot, "mine", NULL);
    if (bot->cli->opt.any && !bot->deep) { list(bot, "open", NULL); }
}

/* ---- the connection ---- */

static void on_said(void *ctx, const cJSON *result, const cJSON *error)
{
    struct bot *bot = ctx;
    (void)result;
    if (error != NULL) {
        cli_show_error(bot->cli, error);
    } /* it plays what it sits in all the same */
}

/* Whoever looks for an opponent finds this one. */
static void say_plays(struct bot *bot)
{
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_array(&params, "plays");
    for (unsigned i = 0; bot_games[i] != NULL; i++) {
        bool wanted = bot->cli->opt.game == NULL || strcmp(bot->cli->opt.game, bot_games[i]) == 0;
        bool plays = bot->kind == NULL || bot_kind_plays(bot->kind, bot_games[i]);
        if (wanted && plays) { jw_str(&params, bot_games[i]); }
    }
    jw_array_end(&params);
    jw_object_end(&params);
    conn_call(bot->cli->conn, "account.set", buf_str(&params), on_said, bot);
    buf_finish(&params);
}

static void on_state(void *ctx, enum conn_state state, uint64_t retry_ms, const char *why)
{
    struct bot *bot = ctx;
    (void)retry_ms;
    (void)why;
    if (state == CONN_UP && bot->cli->opt.invited && !bot->child) { say_plays(bot); }
    if (state == CONN_UP) {
        bot->deep = true;
        for (int i = 0; i < bot->games; i++) {
            if (!bot->game[i]->over) { session_watch(bot->game[i]->session); }
        }
    }
    if (state == CONN_GIVEN_UP) {
        bot->failed = true;
        bot->status = UNREACHABLE;
    }
}

static void on_push(void *ctx, const char *method, const cJSON *params)
{
    struct bot *bot = ctx;
    for (int i = 0; i < bot->games; i++) {
        if (session_push(bot->game[i]->session, method, params)) { return; }
    }
    const cJSON *match = json_get(params, "match");
    bool turn = strcmp(method, "account.turn") == 0 && cJSON_IsString(match);
    if (turn && bot->cli->opt.match == NULL) { add_game(bot, match->valuestring); }
    /* A table was laid, or somebody sat down: there may be work. */
    if (strcmp(method, "match.changed") == 0 && bot->running) {
        uv_timer_start(&bot->look, on_look, SOON_MS, LOOK_MS);
    }
}

static void run(struct bot *bot)
{
    uv_timer_init(&bot->cli->loop, &bot->look);
    bot->look.data = bot;
    uv_timer_start(&bot->look, on_look, 0, LOOK_MS);
    bot->running = true;
    if (bot->cli->opt.match != NULL) { add_game(bot, bot->cli->opt.match); }
    while (!bot->failed) {
        uv_run(&bot->cli->loop, UV_RUN_ONCE);
        bool one = bot->cli->opt.match != NULL;
        bool done = all_over(bot) && !bot->looking && bot->receipts == 0;
        if (done && ((one && bot->games > 0) || (bot->cli->opt.once && bot->ready))) { break; }
    }
    uv_close((uv_handle_t *)&bot->look, NULL);
}

/* A server's own bot goes with the server, however that ends, and holds none of its files.
 * False: it is gone already. */
static bool bind_to_parent(struct bot *bot)
{
    const char *parent = getenv("VEDETTE_PARENT");
    if (parent == NULL) { return true; }
    bot->child = true;
    (void)close_range(STDERR_FILENO + 1, ~0U, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    return strtol(parent, NULL, 10) == (long)getppid();
}

/* The kind that was named, if it plays the game that was named. */
static enum status choose_kind(struct bot *bot)
{
    const struct cli_options *opt = &bot->cli->opt;
    char kinds[128];
    bot_kind_list(NULL, kinds, sizeof kinds);
    if (opt->policy == NULL) { return DONE; }
    bot->kind = bot_kind(opt->policy);
    struct buf text;
    buf_init(&text, 1024);
    if (bot->kind == NULL) {
        words_say(&text, "cli.wrong.policy", "text", opt->policy, "list", kinds, NULL);
    } else if (opt->game != NULL && !bot_kind_plays(bot->kind, opt->game)) {
        bot_kind_list(opt->game, kinds, sizeof kinds);
        words_say(&text, "cli.wrong.policy_game", "policy", opt->policy, "game", opt->game, "list",
                  kinds, NULL);
    }
    bool wrong = text.len > 0;
    if (wrong) { cli_complain(buf_str(&text)); }
    buf_finish(&text);
    return wrong ? WRONG_USAGE : DONE;
}

/* The board data that a kind may want. False: there is none, and it cannot do without. */
static bool fetch_board(struct bot *bot)
{
    bool only = bot->kind != NULL && bot->kind->game != NULL;
    if (bot->kind != NULL && !bot_kind_plays(bot->kind, "waterloo")) { return true; }
    return board_fetch(bot->cli->conn, "waterloo", &bot->board) || !only;
}

enum status cli_bot(struct cli *cli)
{
    struct bot *bot = calloc(1, sizeof *bot);
    if (bot == NULL) { return UNREACHABLE; }
    bot->cli = cli;
    if (choose_kind(bot) != DONE) {
        free(bot);
        return WRONG_USAGE;
    }
    if (!bind_to_parent(bot)) {
        free(bot);
        return UNREACHABLE;
    }
    if (cli->opt.seed == 0) { cli->opt.seed = (long)time(NULL); }
    struct conn_events events = {bot, on_state, on_push};
    enum status status = cli_open(cli, &events);
    if (status == DONE) {
        conn_set_patience(cli->conn, true);
        bool board = fetch_board(bot);
        if (conn_state(cli->conn) == CONN_GIVEN_UP) {
            cli_say_unreachable(cli);
            status = UNREACHABLE;
        } else if (!board) {
            cli_say("cli.no_board");
            status = REFUSED;
        } else {
            stock_fill_wait(cli->conn, &cli->keep, &cli->loop);
            run(bot);
            status = bot->failed ? bot->status : DONE;
        }
    }
    for (int i = 0; i < bot->games; i++) {
        free_game(bot->game[i]);
    }
    cli_close(cli);
    free(bot);
    return status;
}
