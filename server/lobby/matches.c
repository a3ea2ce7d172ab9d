/* server/lobby/matches.c: the methods: what each reads, decides and writes. */
#include "server/lobby/matches.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"
#include "server/clock/spec.h"
#include "server/lobby/inside.h"
#include "server/lobby/names.h"
#include "server/store/store.h"

enum { OPTIONS_BYTES_MAX = 16384, BEGIN_TRIES_MAX = 16 };

enum err lobby_open(const struct lobby_config *config, struct lobby **out_lobby)
{
    struct lobby *lobby = calloc(1, sizeof *lobby);
    if (lobby == NULL) { return ERR_INTERNAL; }
    lobby->config = *config;
    if (config->matches_per_account == 0) {
        lobby->config.matches_per_account = LOBBY_MATCHES_PER_ACCOUNT;
    }
    *out_lobby = lobby;
    return ERR_OK;
}

void lobby_close(struct lobby *take_lobby)
{
    if (take_lobby == NULL) { return; }
    assert(take_lobby->pending == 0);
    free(take_lobby);
}

unsigned lobby_pending(const struct lobby *lobby)
{
    return lobby->pending;
}

const struct game *lobby_find_game(const struct lobby *lobby, const char *name)
{
    const struct game *const *list = lobby->config.games == NULL ? games : lobby->config.games;
    while (*list != NULL && strcmp((*list)->name, name) != 0) {
        list++;
    }
    return *list;
}

struct job *lobby_begin_job(struct lobby *lobby, const struct lobby_call *call, const char *method,
                            const char *const *names, bool needs_account)
{
    struct job *job = job_create(lobby, call, method);
    if (job == NULL) { return NULL; }
    enum err err = needs_account && account_is_nobody(&call->account) ? ERR_NOT_SIGNED_IN : ERR_OK;
    if (err == ERR_OK && store_is_busy(lobby->config.store)) {
        job->why.retry_after_ms = 1000;
        err = ERR_RATE_LIMITED;
    }
    if (err == ERR_OK) { err = job_read_params(job, names); }
    if (err == ERR_OK) { return job; }
    job_fail(job, err);
    return NULL;
}

void lobby_make_join_code(const char *access, char out[LOBBY_CODE_CHARS + 1])
{
    uint8_t bytes[LOBBY_CODE_BYTES];
    out[0] = '\0';
    if (strcmp(access, "open") == 0) { return; }
    randombytes_buf(bytes, sizeof bytes);
    b64_encode(out, bytes, sizeof bytes);
}

/* ---- match.create ---- */

/* A word of a list, the first one by default. INVALID_PARAMS: another. */
static enum err read_word(const cJSON *params, const char *name, const char *const *words,
                          char out[LOBBY_WORD_BYTES], struct why *why)
{
    const char *word = words[0];
    enum err err = json_read_str(params, name, 64, &word, why);
    if (err != ERR_OK) { return err; }
    for (; *words != NULL; words++) {
        if (strcmp(word, *words) != 0) { continue; }
        memcpy(out, word, strlen(word) + 1);
        return ERR_OK;
    }
    return why_member(why, name, "This server does not offer that.");
}

static enum err read_title(const cJSON *params, char out[LOBBY_TITLE_BYTES], struct why *why)
{
    const char *title = "";
    enum err err = json_read_str(params, "title", LOBBY_TITLE_BYTES_MAX, &title, why);
    if (err != ERR_OK) { return err; }
    for (const char *c = title; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7F) {
            return why_member(why, "title", "A title has no control characters.");
        }
    }
    memcpy(out, title, strlen(title) + 1);
    return ERR_OK;
}

/* What a table may be; the first of each is what it is unless it is said. */
static const char *const access_words[] = {"open", "invite", "private", NULL};
static const char *const spectators_words[] = {"none", "public", "delayed", NULL};
static const char *const reveal_words[] = {"end", "seats", NULL};
static const char *const start_words[] = {"full", "manual", NULL};

static void write_words(struct buf *out, const char *name, const char *const *words)
{
    jw_key_array(out, name);
    for (; *words != NULL; words++) {
        jw_str(out, *words);
    }
    jw_array_end(out);
}

void lobby_write_choices(struct buf *out)
{
    jw_object_begin(out);
    write_words(out, "access", access_words);
    write_words(out, "spectators", spectators_words);
    write_words(out, "reveal", reveal_words);
    write_words(out, "start", start_words);
    jw_object_end(out);
}

/* How many turns delayed spectators lag behind: said with them, and with nobody else. */
static enum err read_delay(const cJSON *params, struct lobby_insert *insert, struct why *why)
{
    int64_t delay = 0;
    bool delayed = strcmp(insert->spectators, "delayed") == 0;
    if (!delayed && json_get(params, "delay") != NULL) {
        return why_member(why, "delay", "Only delayed spectators lag behind.");
    }
    enum err err =
        json_read_int(params, delayed ? "!delay" : "delay", 1, LOBBY_DELAY_MAX, &delay, why);
    insert->delay = (unsigned)delay;
    return err;
}

/* What later issues of the server may offer is refused for now, never taken and forgotten. */
static enum err read_offers(const cJSON *params, struct lobby_insert *insert, struct why *why)
{
    char word[LOBBY_WORD_BYTES];
    bool rated = false;
    enum err err = read_word(params, "access", access_words, insert->access, why);
    if (err == ERR_OK) {
        err = read_word(params, "spectators", spectators_words, insert->spectators, why);
    }
    if (err == ERR_OK) { err = read_word(params, "reveal", reveal_words, insert->reveal, why); }
    if (err == ERR_OK) { err = read_word(params, "start", start_words, word, why); }
    insert->talk = true;
    if (err == ERR_OK) { err = json_read_bool(params, "talk", &insert->talk, why); }
    if (err == ERR_OK) { err = json_read_bool(params, "rated", &rated, why); }
    if (err == ERR_OK && rated) {
        err = why_member(why, "rated", "This server does not offer rated matches.");
    }
    if (err == ERR_OK) { err = read_delay(params, insert, why); }
    if (err == ERR_OK) {
        err = json_read_int(params, "pace", 0, LOBBY_PACE_S_MAX, &insert->pace_s, why);
    }
    insert->by_hand = err == ERR_OK && strcmp(word, "manual") == 0;
    return err;
}

/* The names as skeletons, to be looked up. */
static enum err read_invites(struct job *job)
{
    const cJSON *list = NULL;
    enum err err = json_read_array(job->call.params, "invite", LOBBY_INVITES_MAX, &list, &job->why);
    if (err != ERR_OK || list == NULL) { return err; }
    static_assert(sizeof job->invite[0] == NAME_KEY_BYTES_MAX, "one name each");
    job->invite = calloc(LOBBY_INVITES_MAX, sizeof job->invite[0]);
    if (job->invite == NULL) { return ERR_INTERNAL; }
    for (const cJSON *i = list->child; i != NULL && err == ERR_OK; i = i->next) {
        char name[ACCOUNT_NAME_BYTES];
        if (!cJSON_IsString(i)) { return why_member(&job->why, "invite", "Names are strings."); }
        err = name_read(i->valuestring, name, sizeof name, &job->why);
        if (err == ERR_OK) { err = name_fold(name, job->invite[job->invites]); }
        job->invites++;
        if (err == ERR_INVALID_PARAMS) { err = why_member(&job->why, "invite", job->why.text); }
    }
    return err;
}

/* The game's full form of the options, as the header will hold it. */
static enum err read_options(struct job *job, const struct game *game, struct buf *out)
{
    const cJSON *options = NULL;
    cJSON *none = cJSON_CreateObject();
    enum err err = none == NULL ? ERR_INTERNAL : ERR_OK;
    if (err == ERR_OK) {
        options = none;
        err = json_read_object(job->call.params, "options", &options, &job->why);
    }
    if (err == ERR_OK) { err = game->options(options, out, &job->why); }
    if (err == ERR_OK && out->failed) { err = ERR_TOO_LARGE; }
    cJSON_Delete(none);
    return err;
}

/* The creator's own seat is taken, the free ones of a closed match get codes. */
enum err lobby_lay_seats(struct job *job, const struct game *game, struct lobby_insert *insert)
{
    cJSON *options = NULL;
    const char *codes[SEATS_MAX];
    enum err err = json_parse(insert->options, insert->options_len, &options);
    if (err != ERR_OK) { return ERR_INTERNAL; }
    insert->seats = game->seats(options, codes);
    cJSON_Delete(options);
    assert(insert->seats <= ROW_SEATS_MAX);
    bool found = job->seat == NULL;
    for (unsigned i = 0; i < insert->seats; i++) {
        struct lobby_seat *seat = &insert->seat[i];
        assert(strlen(codes[i]) < sizeof seat->code);
        memcpy(seat->code, codes[i], strlen(codes[i]) + 1);
        if (job->seat != NULL && strcmp(job->seat, codes[i]) == 0) {
            seat->account = job->call.account;
            found = true;
        } else {
            lobby_make_join_code(insert->access, seat->join_code);
        }
    }
    return found ? ERR_OK : why_member(&job->why, "seat", "There is no such seat in this match.");
}

void lobby_fill_insert(struct job *job, const struct game *game, struct lobby_insert *insert)
{
    insert->rules = game->rules_now;
    insert->creator = job->call.account;
    insert->at = job->now;
    assert(strlen(game->name) < sizeof insert->game);
    memcpy(insert->game, game->name, strlen(game->name) + 1);
    match_id_make(&insert->id);
    randombytes_buf(insert->secret.bytes, HASH_BYTES);
    dice_commitment(insert->id.text, &insert->secret, &insert->commit);
}

static enum err prepare_insert(struct job *job, const struct game *game, const struct buf *options)
{
    struct lobby_insert *insert = calloc(1, sizeof *insert + options->len + 1);
    if (insert == NULL) { return ERR_INTERNAL; }
    job->insert = insert;
    memcpy(insert->options, options->data, options->len);
    insert->options_len = options->len;
    lobby_fill_insert(job, game, insert);
    enum err err = read_title(job->call.params, insert->title, &job->why);
    if (err == ERR_OK) { err = read_offers(job->call.params, insert, &job->why); }
    if (err == ERR_OK) { err = lobby_lay_seats(job, game, insert); }
    if (err == ERR_OK) { err = timing_read_spec(job, insert); }
    return err;
}

static void decide_create(struct job *job)
{
    if (job->count >= job->lobby->config.matches_per_account) {
        job_fail(job, lobby_too_many(job));
        return;
    }
    if (job->invite_missing >= 0) {
        (void)why_member(&job->why, "invite", "There is no player of that name.");
        job_fail(job, ERR_NOT_FOUND);
        return;
    }
    job_commit_insert(job);
}

void lobby_create(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {
        "game", "options", "seat",  "access", "spectators", "delay", "reveal",    "clock",
        "pace", "rated",   "title", "invite", "start",      "talk",  "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.create", names, true);
    if (job == NULL) { return; }
    const char *name = NULL;
    struct buf options;
    buf_init(&options, OPTIONS_BYTES_MAX);
    enum err err = json_read_str(call->params, "!game", 64, &name, &job->why);
    const struct game *game = err == ERR_OK ? lobby_find_game(lobby, name) : NULL;
    if (err == ERR_OK && game == NULL) {
        (void)why_member(&job->why, "game", "There is no such game here.");
        err = ERR_NOT_FOUND;
    }
    if (err == ERR_OK) { err = read_options(job, game, &options); }
    if (err == ERR_OK) { err = prepare_insert(job, game, &options); }
    if (err == ERR_OK) { err = read_invites(job); }
    buf_finish(&options);
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    job->wants_count = true;
    job->changes = true;
    job_go(job, call->account.text, decide_create);
}

/* ---- match.join, leave, start ---- */

int lobby_seat_of_code(const struct job *job)
{
    int found = -1;
    if (job->code == NULL) { return -1; }
    for (unsigned i = 0; i < job->row.seats; i++) {
        const struct lobby_seat *seat = &job->row.seat[i];
        if (seat->account.text[0] == '\0' && strlen(job->code) == LOBBY_CODE_CHARS &&
            seat->join_code[0] != '\0' &&
            sodium_memcmp(seat->join_code, job->code, LOBBY_CODE_CHARS) == 0) {
            found = (int)i;
        }
    }
    return found;
}

/* A running match whose seats came free, one that came from another server: its codes open them. */
static bool is_reseated(const struct job *job, int by_code)
{
    return by_code >= 0 && strcmp(job->row.state, "running") == 0;
}

/* CONFLICT unless the match is still open. */
static enum err need_open(struct job *job)
{
    const bool open = strcmp(job->row.state, "open") == 0;
    if (open && job->now >= lobby_expires_at(&job->row)) {
        return why_conflict(&job->why, "expired", "The table has stood open for too long.");
    }
    if (open) { return ERR_OK; }
    if (strcmp(job->row.state, "running") == 0) {
        return why_conflict(&job->why, "already_started", "The match has already begun.");
    }
    return why_conflict(&job->why, "over", "The match is over.");
}

/* The free seat that is asked for: by code, by name, or the first. */
static enum err choose_seat(struct job *job, int by_code, unsigned *out_seat)
{
    bool any_free = false;
    for (unsigned i = 0; i < job->row.seats; i++) {
        const struct lobby_seat *seat = &job->row.seat[i];
        bool is_free = seat->account.text[0] == '\0';
        bool meant = job->seat == NULL ? by_code < 0 || by_code == (int)i
                                       : strcmp(job->seat, seat->code) == 0;
        if (meant && is_free) {
            *out_seat = i;
            return ERR_OK;
        }
        if (meant && job->seat != NULL) {
            return why_conflict(&job->why, "seat_taken", "That seat is taken.");
        }
        any_free = any_free || is_free;
    }
    if (job->seat != NULL) {
        return why_member(&job->why, "seat", "There is no such seat in this match.");
    }
    assert(!any_free);
    return why_conflict(&job->why, "full", "All seats are taken.");
}

/* Whether the account may sit down, and where. */
static enum err judge_join(struct job *job, unsigned *out_seat)
{
    const struct account_id *account = &job->call.account;
    int by_code = lobby_seat_of_code(job);
    if (by_code < 0 && !lobby_may_know(&job->row, account)) { return ERR_NOT_FOUND; }
    if (lobby_seat_of(&job->row, account) >= 0) {
        return why_conflict(&job->why, "already_joined", "You have a seat in this match.");
    }
    enum err err = is_reseated(job, by_code) ? ERR_OK : need_open(job);
    if (err != ERR_OK) { return err; }
    bool creator = account_id_same(&job->row.creator, account);
    bool welcome = creator || job->row.invited || strcmp(job->row.access, "open") == 0;
    if (job->row.shut) { return why_text(&job->why, ERR_FORBIDDEN, "You were shut out of it."); }
    if (job->code != NULL && by_code < 0) {
        return why_text(&job->why, ERR_FORBIDDEN, "That code opens no free seat.");
    }
    if ((!welcome && by_code < 0) || (job->blocked && !creator)) {
        return why_text(&job->why, ERR_FORBIDDEN, "This match is by invitation.");
    }
    if (!welcome && job->seat != NULL && strcmp(job->seat, job->row.seat[by_code].code) != 0) {
        return why_text(&job->why, ERR_FORBIDDEN, "That code opens another seat.");
    }
    if (!creator && job->count >= job->lobby->config.matches_per_account) {
        return lobby_too_many(job);
    }
    err = lobby_need_consent(job);
    return err != ERR_OK ? err : choose_seat(job, by_code, out_seat);
}

static void add_seat_write(struct job *job, struct store_unit *unit, unsigned seat, bool take,
                           const struct account_id *account)
{
    struct lobby_seat_write *write = calloc(1, sizeof *write);
    if (write != NULL) {
        write->match = job->row.key;
        write->at = job->now;
        write->seat = seat;
        write->take = take;
        write->account = *account;
        /* A code opens its seat once; who leaves cannot come back by the old one. */
        if (!take) { lobby_make_join_code(job->row.access, write->join_code); }
    }
    job_unit_add(unit, lobby_write_seat, write);
}

static void add_state_write(struct job *job, struct store_unit *unit, bool running)
{
    struct lobby_state_write *write = calloc(1, sizeof *write);
    if (write != NULL) {
        write->match = job->row.key;
        write->at = job->now;
        write->running = running;
    }
    job_unit_add(unit, lobby_write_state, write);
}

static void on_begun(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct job *job = ctx;
    (void)json;
    (void)n;
    if (err == ERR_OK) {
        job_summary(job);
    } else if (err == ERR_CONFLICT && why->reason[0] == '\0' && job->tries < BEGIN_TRIES_MAX) {
        job_again(job); /* another match that began was dealt the same nonce, most likely */
    } else {
        job->why = *why;
        job_fail(job, err == ERR_TOO_LARGE ? lobby_too_many(job) : err);
    }
}

/* Begins the match: with what stands in unit, and as one with it, go the header and the first line.
 */
static void begin_match(struct job *job, struct store_unit *unit)
{
    const struct lobby_row *row = &job->row;
    if (unit == NULL) {
        job_fail(job, ERR_INTERNAL);
        return;
    }
    add_state_write(job, unit, true);
    job_note_answer(job, unit);
    struct match_begin begin = {
        .id = row->id,
        .key = row->key,
        .game = row->game,
        .rules = row->rules,
        .options = row->options,
        .secret = row->secret,
        .seats = row->seats,
        .spectators = strcmp(row->spectators, "public") == 0 ? SPECTATORS_PUBLIC : SPECTATORS_NONE,
        .reveal = strcmp(row->reveal, "end") == 0 ? REVEAL_END : REVEAL_SEATS,
        .closed = strcmp(row->access, "open") != 0,
        .restored = row->restored,
        .pace_ms = row->pace_s * 1000,
        .guests = &job->guests,
    };
    for (unsigned i = 0; i < row->seats; i++) {
        begin.accounts[i] = row->seat[i].account;
        begin.nonces[i].key = job->nonces[i].key;
        begin.nonces[i].commit = job->nonces[i].commit;
    }
    timing_fill_begin(job, &begin);
    match_begin(job->lobby->config.matches, &begin, unit, on_begun, job);
}

static bool is_full(const struct lobby_row *row)
{
    for (unsigned i = 0; i < row->seats; i++) {
        if (row->seat[i].account.text[0] == '\0') { return false; }
    }
    return true;
}

enum { FRESH_MINUTES = 10 };

/* A live match at a table that has stood for a while begins when all who play are here: nobody is
 * to lose on time to whom he never met. Nothing is said of accounts that do not show their
 * presence.
 */
static enum err need_present(struct job *job)
{
    struct clock_spec spec;
    struct why unused;
    const struct lobby_row *row = &job->row;
    const char *clock = row->clock;
    const bool fresh = job->now - row->created_at < (int64_t)FRESH_MINUTES * 60000;
    const bool live = clock != NULL && row->pace_s == 0 && !fresh &&
                      clock_spec_read(clock, strlen(clock), row->seats, &spec, &unused) == ERR_OK &&
                      spec.kind == CLOCK_LIVE;
    for (unsigned i = 0; live && i < row->seats; i++) {
        const struct lobby_seat *seat = &row->seat[i];
        const bool other = !account_id_same(&seat->account, &job->call.account);
        const bool asked = other && !seat->bot && !seat->hidden && seat->account.text[0] != '\0';
        if (asked && !match_is_connected(job->lobby->config.matches, &seat->account)) {
            return why_conflict(&job->why, "not_here",
                                "A live match begins when all who play are here.");
        }
    }
    return ERR_OK;
}

/* Whether the match begins when the seat is taken. */
static bool begins_with(const struct job *job, unsigned seat)
{
    bool full = !job->row.by_hand && strcmp(job->row.state, "open") == 0;
    for (unsigned i = 0; i < job->row.seats; i++) {
        full = full && (i == seat || job->row.seat[i].account.text[0] != '\0');
    }
    return full;
}

void lobby_sit_down(struct job *job, unsigned seat, const struct account_id *account)
{
    job->row.seat[seat].account = *account;
    job->nonces[seat] = job->own_nonce;
    job->reseats = strcmp(job->row.state, "running") == 0 ? (int)seat : -1;
    bool begins = is_full(&job->row) && !job->row.by_hand && job->reseats < 0;
    struct store_unit *unit = store_unit_create(begins ? &job->row.id : NULL, STORE_MAY_REFUSE);
    const bool own = account_id_same(account, &job->call.account);
    if (own && !account_id_same(&job->row.creator, account)) { job_need_room(job, unit); }
    add_seat_write(job, unit, seat, true, account);
    if (begins) {
        begin_match(job, unit);
    } else {
        job_commit(job, unit);
    }
}

static void decide_join(struct job *job)
{
    unsigned seat = 0;
    enum err err = judge_join(job, &seat);
    if (err == ERR_OK && begins_with(job, seat)) { err = need_present(job); }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    lobby_sit_down(job, seat, &job->call.account);
}

void lobby_join(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "seat", "code", "consent", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.join", names, true);
    if (job == NULL) { return; }
    job->wants_count = true;
    job->wants_nonces = true;
    job->changes = true;
    job_go(job, job->match.text, decide_join);
}

static void decide_leave(struct job *job)
{
    const struct account_id *account = &job->call.account;
    int seat = lobby_seat_of(&job->row, account);
    bool creator = account_id_same(&job->row.creator, account);
    bool others = false;
    for (unsigned i = 0; i < job->row.seats; i++) {
        others = others || (job->row.seat[i].account.text[0] != '\0' && (int)i != seat);
    }
    enum err err = lobby_may_know(&job->row, account) ? ERR_OK : ERR_NOT_FOUND;
    /* Who made it and does not sit in it takes it back by leaving, as long as nobody sits in it. */
    if (err == ERR_OK && seat < 0 && (!creator || others)) {
        err = why_conflict(&job->why, "not_joined", "You have no seat in this match.");
    }
    if (err == ERR_OK) { err = need_open(job); }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (seat >= 0) { add_seat_write(job, unit, (unsigned)seat, false, account); }
    if (creator && !others) { add_state_write(job, unit, false); }
    job_commit(job, unit);
}

void lobby_leave(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.leave", names, true);
    if (job == NULL) { return; }
    job->changes = true;
    job_go(job, job->match.text, decide_leave);
}

static void decide_start(struct job *job)
{
    const struct account_id *account = &job->call.account;
    enum err err = lobby_may_know(&job->row, account) ? ERR_OK : ERR_NOT_FOUND;
    if (err == ERR_OK && !account_id_same(&job->row.creator, account)) {
        err = why_text(&job->why, ERR_FORBIDDEN, "Only who made a match starts it.");
    }
    if (err == ERR_OK) { err = need_open(job); }
    if (err == ERR_OK && !is_full(&job->row)) {
        err = why_conflict(&job->why, "not_full", "There are free seats.");
    }
    if (err == ERR_OK) { err = need_present(job); }
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    begin_match(job, store_unit_create(&job->row.id, STORE_MAY_REFUSE));
}

void lobby_start(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "action_id", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.start", names, true);
    if (job == NULL) { return; }
    job->wants_nonces = true;
    job->changes = true;
    job_go(job, job->match.text, decide_start);
}

/* ---- match.get ---- */

static void decide_get(struct job *job)
{
    if (!lobby_may_know(&job->row, &job->call.account) && lobby_seat_of_code(job) < 0) {
        job_fail(job, ERR_NOT_FOUND);
        return;
    }
    job_summary(job);
}

void lobby_get(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "code", NULL};
    struct job *job = lobby_begin_job(lobby, call, "match.get", names, false);
    if (job != NULL) { job_go(job, "", decide_get); }
}
