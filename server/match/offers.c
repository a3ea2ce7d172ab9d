/* server/match/offers.c: what seats offer each other and how it is answered: a draw, to break off,
 * to go back.
 *
 * A rewind goes back to the line before a step that the public was told of, and so everybody
 * (DESIGN 4: a spectator sees what all seats see). Which steps those are every seat knows; so
 * neither an offer nor what it says is lost tells anything of the quiet lines of others, not even
 * where among them it goes back to. */
#include "server/match/offering.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/live.h"
#include "server/match/load.h"

#define BIT(i) (UINT32_C(1) << (i))

/* --- lists -------------------------------------------------------------------------------------
 */

bool offers_add(void *ctx, const struct offer_row *row)
{
    struct offer_list *list = ctx;
    struct offer *offer = calloc(1, sizeof *offer);
    if (offer == NULL) { return false; }
    offer->row = *row;
    offer->row.lost = NULL;
    if (row->lost != NULL) {
        offer->row.lost = strdup(row->lost);
        if (offer->row.lost == NULL) {
            free(offer);
            return false;
        }
    }
    struct offer **end = &list->first;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = offer;
    return true;
}

static void offer_free(struct offer *take_offer)
{
    free(take_offer->row.lost);
    free(take_offer);
}

void offers_free(struct offer_list *list)
{
    while (list->first != NULL) {
        struct offer *offer = list->first;
        list->first = offer->next;
        offer_free(offer);
    }
    list->next = 0;
}

/* Where the offer of that number hangs; points at NULL: there is none. */
static struct offer **offer_find(struct match *match, int64_t number)
{
    struct offer **at = &match->offers.first;
    while (*at != NULL && (*at)->row.number != (uint64_t)number) {
        at = &(*at)->next;
    }
    return at;
}

/* The viewer's line of a rewind's lost. */
static void write_lost(const char *lost, unsigned viewer, struct buf *out)
{
    for (unsigned i = 0; i < viewer && lost != NULL; i++) {
        lost = strchr(lost, '\n');
        if (lost != NULL) { lost++; }
    }
    const char *end = lost == NULL ? NULL : strchr(lost, '\n');
    if (end != NULL) { jw_key_raw(out, "lost", lost, (size_t)(end - lost)); }
}

static void write_offer(const struct offer_row *row, const char *const *codes, unsigned seats,
                        unsigned viewer, struct buf *out)
{
    jw_object_begin(out);
    jw_key_int(out, "offer", (int64_t)row->number);
    jw_key_str(out, "what", offer_what_name(row->what));
    jw_key_str(out, "seat", codes[row->seat]);
    jw_key_int(out, "at", row->at);
    if (row->what == OFFER_TIME) {
        jw_key_str(out, "for", codes[row->to_seat]);
        jw_key_int(out, "s", row->ms / 1000);
    }
    if (row->until > 0) { jw_key_int(out, "until", row->until); }
    core_write_seats(codes, seats, "accepted", row->accepted, out);
    core_write_seats(codes, seats, "awaits", row->asked & ~row->accepted, out);
    write_lost(row->lost, viewer, out);
    jw_object_end(out);
}

void offers_write_list(const struct offer_list *list, const char *const *codes, unsigned seats,
                       unsigned viewer, struct buf *out)
{
    jw_key_array(out, "offers");
    for (const struct offer *offer = list->first; offer != NULL; offer = offer->next) {
        write_offer(&offer->row, codes, seats, viewer, out);
    }
    jw_array_end(out);
}

static void codes_of(const struct match *match, const char *out_codes[SEATS_MAX])
{
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        out_codes[i] = match->codes[i];
    }
}

/* --- what a flight does to offers --------------------------------------------------------------
 */

struct closed {
    enum offer_what what;
    unsigned seat;
};
struct offer_change {
    struct offer_write *write;
    struct closed closed[OFFER_CLOSES_MAX]; /* as write->closes */
    struct msg *told[VIEWERS];              /* match.changed */
};

struct offer_change *offers_change(struct flight *flight)
{
    if (flight->change != NULL) { return flight->change; }
    struct offer_change *change = calloc(1, sizeof *change);
    struct offer_write *write = calloc(1, sizeof *write);
    if (change == NULL || write == NULL) {
        free(change);
        free(write);
        return NULL;
    }
    write->match = flight->match->key;
    write->at = matches_now(flight->matches);
    change->write = write;
    flight->change = change;
    return change;
}

void offers_forget(struct flight *flight)
{
    struct offer_change *change = flight->change;
    if (change == NULL) { return; }
    for (unsigned i = 0; i < VIEWERS; i++) {
        msg_unref(change->told[i]);
    }
    offer_write_free(change->write);
    free(change);
    flight->change = NULL;
}

bool offers_close(struct flight *flight, struct offer **at, enum offer_state state, int by)
{
    struct offer_change *change = offers_change(flight);
    if (change == NULL) { return false; }
    struct offer_write *write = change->write;
    struct offer *offer = *at;
    assert(write->close_count < OFFER_CLOSES_MAX);
    write->closes[write->close_count].number = offer->row.number;
    write->closes[write->close_count].state = state;
    write->closes[write->close_count].by = by;
    change->closed[write->close_count] = (struct closed){offer->row.what, offer->row.seat};
    write->close_count++;
    *at = offer->next;
    offer_free(offer);
    return true;
}

/* Offers that end with the lines of the flight. False: memory. */
static bool close_void(struct match *match, struct flight *flight)
{
    bool all = flight->ended || flight->leaves || flight->reveals || flight->reopens;
    bool open = flight->step_count > 0 && (flight->told >> VIEWER_PUBLIC & 1U) != 0;
    struct offer **at = &match->offers.first;
    while (*at != NULL) {
        if (!all && !(open && (*at)->row.what == OFFER_REWIND)) {
            at = &(*at)->next;
            continue;
        }
        if (!offers_close(flight, at, OFFER_VOID, -1)) { return false; }
    }
    return true;
}

static void write_closed(const struct offer_change *change, const char *const *codes,
                         struct buf *out)
{
    const struct offer_write *write = change->write;
    if (write->close_count == 0) { return; }
    jw_key_array(out, "closed");
    for (unsigned i = 0; i < write->close_count; i++) {
        jw_object_begin(out);
        jw_key_int(out, "offer", (int64_t)write->closes[i].number);
        jw_key_str(out, "what", offer_what_name(change->closed[i].what));
        jw_key_str(out, "seat", codes[change->closed[i].seat]);
        jw_key_str(out, "outcome", offer_state_name(write->closes[i].state));
        if (write->closes[i].by >= 0) { jw_key_str(out, "by", codes[write->closes[i].by]); }
        jw_object_end(out);
    }
    jw_array_end(out);
}

/* What each viewer will be told once it is durable. False: memory. */
static bool make_told(struct matches *matches, const struct match *match,
                      struct offer_change *change)
{
    const char *codes[SEATS_MAX];
    codes_of(match, codes);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if (viewer >= match->seats && viewer < VIEWER_PUBLIC) { continue; }
        struct buf *out = &matches->patch;
        buf_reset(out);
        buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"match.changed\",\"params\":");
        jw_object_begin(out);
        jw_key_str(out, "match", match->id.text);
        offers_write_list(&match->offers, codes, match->seats, viewer, out);
        write_closed(change, codes, out);
        jw_object_end(out);
        buf_append_str(out, "}");
        change->told[viewer] = out->failed ? NULL : msg_create(out->data, out->len);
        if (change->told[viewer] == NULL) { return false; }
    }
    return true;
}

/* A unit without its part of the offers must not be stored. */
static enum err refuse_unit(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_STORAGE_FAILED;
}

void offers_send(struct matches *matches, struct match *match, struct flight *flight,
                 struct store_unit *unit)
{
    bool good = close_void(match, flight);
    struct offer_change *change = flight->change;
    if (good && change == NULL) { return; }
    good = good && make_told(matches, match, change);
    if (!good) {
        store_unit_add(unit, refuse_unit, NULL, NULL);
        return;
    }
    store_unit_add(unit, offers_write, change->write, offer_write_free);
    change->write = NULL;
}

void offers_landed(struct matches *matches, struct match *match, struct flight *flight)
{
    if (flight->change == NULL) { return; }
    match->offers_landed++;
    const struct match_hooks *hooks = &matches->config.hooks;
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        struct msg *msg = flight->change->told[watch->viewer];
        if (msg == NULL) { continue; }
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_CHANGED, msg);
    }
}

/* --- what is read of the log -------------------------------------------------------------------
 */

enum { SEQS_MAX = 256 }; /* that lost lists of each kind */

/* What one viewer would lose. */
struct loss {
    uint64_t to, steps;
    unsigned learned_count, shown_count;
    uint64_t learned[SEQS_MAX], shown[SEQS_MAX];
};

/* What a seat would take back that names its own seq. */
struct preview {
    unsigned seat;
    uint64_t to;         /* as it was named */
    uint64_t public_seq; /* of the newest line that was read */
    bool found;          /* false: nothing that everybody was told of has happened since */
    uint64_t line;       /* the state after it comes back */
    uint32_t asked;      /* seats that are in the match, or were then */
    struct loss loss[VIEWERS];
};

struct past_job {
    struct matches *matches;
    struct match *match;
    struct match_id id;
    const struct game *const *games;
    uint64_t to_n;           /* the last line to be read */
    struct preview *preview; /* NULL: how the match stood after line to_n */
    struct core_past past;
    /* on the way */
    uint64_t n_before, seq_before[VIEWERS];
    uint32_t left; /* seats that have left */
};

void past_read_finish(struct past_read *read)
{
    free(read->past.state);
    free(read->preview);
    memset(read, 0, sizeof *read);
}

static void past_free(void *past_job)
{
    struct past_job *job = past_job;
    free(job->preview);
    free(job->past.state);
    free(job);
}

/* Any snapshot does that stands at the seq or before. */
static bool past_fit(void *ctx, const struct core *core)
{
    const struct past_job *job = ctx;
    return job->preview == NULL || core->tip[job->preview->seat].seq <= job->preview->to;
}

static void note_left(struct past_job *job, const struct core *core, struct scratch *scratch)
{
    job->left = 0;
    for (unsigned i = 0; i < core->seats && core->begun; i++) {
        if (core_has_left(core, scratch, i)) { job->left |= BIT(i); }
    }
}

static void add_seq(uint64_t list[SEQS_MAX], unsigned *count, uint64_t seq)
{
    if (*count < SEQS_MAX) { list[(*count)++] = seq; }
}

static void add_loss(struct preview *preview, const struct core *core, const struct core_step *step)
{
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if ((step->told >> viewer & 1U) == 0) { continue; }
        struct loss *loss = &preview->loss[viewer];
        uint64_t seq = core->tip[viewer].seq;
        loss->steps++;
        if ((step->reveals >> viewer & 1U) != 0) {
            add_seq(loss->learned, &loss->learned_count, seq);
        }
        if ((step->reveals >> VIEWER_PUBLIC & 1U) != 0) {
            add_seq(loss->shown, &loss->shown_count, seq);
        }
    }
}

static bool past_step(void *ctx, struct core *core, struct scratch *scratch,
                      const struct core_step *step)
{
    struct past_job *job = ctx;
    struct preview *preview = job->preview;
    if (preview == NULL) { return true; }
    if (step != NULL && !preview->found && (step->told >> VIEWER_PUBLIC & 1U) != 0 &&
        job->n_before > 0 && job->seq_before[preview->seat] >= preview->to) {
        preview->found = true;
        preview->line = job->n_before;
        preview->asked = ~job->left;
        for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
            preview->loss[viewer].to = job->seq_before[viewer];
        }
    }
    if (step != NULL && preview->found) { add_loss(preview, core, step); }
    job->n_before = core->begun ? core->next_n - 1 : 0;
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        job->seq_before[viewer] = core->tip[viewer].seq;
    }
    /* Seats leave by lines of the host alone, and come back by them. */
    if (step == NULL || step->seat < 0) { note_left(job, core, scratch); }
    return true;
}

static enum err take_past(struct past_job *job, const struct core *core)
{
    job->past.state = malloc(core->game->state_bytes);
    if (job->past.state == NULL) { return ERR_INTERNAL; }
    memcpy(job->past.state, core->state, core->game->state_bytes);
    job->past.n = job->to_n;
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        job->past.seq[viewer] = core->tip[viewer].seq;
    }
    return ERR_OK;
}

static enum err past_run(struct db *db, void *past_job)
{
    struct past_job *job = past_job;
    struct match_row row;
    enum err err = matches_read_row(db, &job->id, true, &row);
    if (err != ERR_OK) { return err; }
    const struct game *game = load_find_game(job->games, row.game);
    struct load_play play = {
        .game = game, .row = &row, .to = job->to_n, .fit = past_fit, .step = past_step, .ctx = job};
    struct core *core = NULL;
    err = game == NULL ? ERR_STORAGE_FAILED : load_play(db, &play, &core);
    if (err == ERR_OK && job->preview == NULL) { err = take_past(job, core); }
    if (err == ERR_OK && job->preview != NULL) {
        job->preview->public_seq = core->tip[VIEWER_PUBLIC].seq;
        job->preview->asked |= ~job->left;
    }
    core_destroy(core);
    match_row_finish(&row);
    return err;
}

static void on_past(void *ctx, enum err err)
{
    struct past_job *job = ctx;
    struct match *match = job->match;
    struct matches *matches = job->matches;
    struct past_read *read = &match->past_read;
    past_read_finish(read);
    if (err == ERR_OK) {
        read->past = job->past;
        read->preview = job->preview;
        job->past.state = NULL;
        job->preview = NULL;
    } else {
        read->failed = true;
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

/* Reads up to line to_n, unless something is being read: whoever asked tries again then. */
static enum err past_start(struct matches *matches, struct match *match, uint64_t to_n,
                           struct preview *take_preview)
{
    if (match->past_read.reading) {
        free(take_preview);
        return ERR_OK;
    }
    struct past_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        free(take_preview);
        return ERR_INTERNAL;
    }
    job->matches = matches;
    job->match = match;
    job->id = match->id;
    job->games = matches->config.games;
    job->to_n = to_n;
    job->preview = take_preview;
    match->past_read.reading = true;
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, past_run, job, past_free, on_past, job);
    return ERR_OK;
}

/* --- match.offer -------------------------------------------------------------------------------
 */

static enum err read_what(const struct cJSON *params, struct offering *out, struct why *why)
{
    const char *what = NULL;
    enum err err = json_read_str(params, "!what", 16, &what, why);
    if (err != ERR_OK) { return err; }
    unsigned i = 0;
    while (i < OFFER_WHATS && strcmp(offer_what_name((enum offer_what)i), what) != 0) {
        i++;
    }
    if (i == OFFER_WHATS) {
        return why_member(why, "what",
                          "what is draw, abort, rewind, pause, resume, time or reopen");
    }
    memset(out, 0, sizeof *out);
    out->what = (enum offer_what)i;
    out->to_seat = -1;
    out->to = -1;
    bool wants_to = out->what == OFFER_REWIND;
    if (!wants_to && json_get(params, "to") != NULL) {
        return why_member(why, "to", "only a rewind goes back to something");
    }
    return json_read_int(params, wants_to ? "!to" : "to", 1, JSON_INT_MAX, &out->to, why);
}

/* Whether the seat may offer it now. */
static enum err judge_offer(const struct making *making, const struct offering *offering,
                            struct why *why)
{
    const struct match *match = making->match;
    bool after = offering->what == OFFER_REOPEN; /* whether it was in is judged there */
    if (!after && core_has_left(match->core, &making->matches->scratch, making->seat)) {
        return why_conflict(why, "left", "Your seat has left the match.");
    }
    for (const struct offer *offer = match->offers.first; offer != NULL; offer = offer->next) {
        if (offer->row.seat != making->seat || offer->row.what != offering->what) { continue; }
        return why_conflict(why, "offered", "You have made that offer already; it is open.");
    }
    if (offering->to >= 0 && (uint64_t)offering->to > match->core->tip[making->seat].seq) {
        return why_member(why, "to", "There is no such seq.");
    }
    return ERR_OK;
}

static void write_loss(const struct loss *loss, struct buf *out)
{
    jw_object_begin(out);
    jw_key_int(out, "to", (int64_t)loss->to);
    jw_key_int(out, "steps", (int64_t)loss->steps);
    jw_key_array(out, "learned");
    for (unsigned i = 0; i < loss->learned_count; i++) {
        jw_int(out, (int64_t)loss->learned[i]);
    }
    jw_array_end(out);
    jw_key_array(out, "shown");
    for (unsigned i = 0; i < loss->shown_count; i++) {
        jw_int(out, (int64_t)loss->shown[i]);
    }
    jw_array_end(out);
    jw_object_end(out);
}

/* What a rewind of that preview is, for its row. */
static enum err fill_rewind(struct matches *matches, const struct match *match,
                            const struct preview *preview, struct offer_row *row)
{
    struct buf *out = &matches->patch;
    row->line = preview->line;
    row->asked = preview->asked & (BIT(match->seats) - 1U) & ~BIT(row->seat);
    buf_reset(out);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        write_loss(&preview->loss[viewer], out);
        buf_append_char(out, '\n');
    }
    row->lost = out->failed ? NULL : strndup(out->data, out->len);
    return row->lost == NULL ? ERR_INTERNAL : ERR_OK;
}

/* True: it is there, or the reading failed (out_err). False: it is being read. */
static bool preview_is_there(const struct making *making, int64_t to, enum err *out_err)
{
    struct match *match = making->match;
    struct past_read *read = &match->past_read;
    const struct core *core = match->core;
    *out_err = ERR_OK;
    if (read->failed && !read->reading) {
        past_read_finish(read);
        *out_err = ERR_STORAGE_FAILED;
        return true;
    }
    const struct preview *preview = read->preview;
    if (!read->reading && preview != NULL && preview->seat == making->seat &&
        preview->to == (uint64_t)to && preview->public_seq == core->tip[VIEWER_PUBLIC].seq) {
        return true;
    }
    /* What is on its way to the disk cannot be read yet. */
    if (core->tip[VIEWER_PUBLIC].seq != match->tip[VIEWER_PUBLIC].seq) { return false; }
    struct preview *wanted = calloc(1, sizeof *wanted);
    if (wanted == NULL) {
        *out_err = ERR_INTERNAL;
        return true;
    }
    wanted->seat = making->seat;
    wanted->to = (uint64_t)to;
    *out_err = past_start(making->matches, match, match->next_n - 1, wanted);
    return *out_err != ERR_OK;
}

/* All seats but the maker that are in the match. */
static uint32_t seats_in(const struct making *making)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < making->match->seats; i++) {
        if (i == making->seat) { continue; }
        if (!core_has_left(making->match->core, &making->matches->scratch, i)) { set |= BIT(i); }
    }
    return set;
}

/* Those who are asked are told of it elsewhere too. */
static enum err note_offer(const struct making *making, const struct offer_row *row)
{
    char data[64];
    enum err err = ERR_OK;
    snprintf(data, sizeof data, "{\"seat\":\"%s\",\"what\":\"%s\"}",
             making->match->codes[making->seat], offer_what_name(row->what));
    for (unsigned i = 0; err == ERR_OK && i < making->match->seats; i++) {
        if ((row->asked >> i & 1U) == 0) { continue; }
        err = notices_note(making->flight, NOTICE_OFFER, i, row->number, data);
    }
    return err;
}

static enum err make_offer(struct making *making, const struct offering *offering)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct offer_change *change = offers_change(making->flight);
    if (change == NULL) { return ERR_INTERNAL; }
    struct offer_write *write = change->write;
    struct offer_row *row = &write->row;
    write->is_new = true;
    if (match->offers.next == 0) { match->offers.next = 1; }
    row->number = match->offers.next;
    row->what = offering->what;
    row->seat = making->seat;
    row->at = write->at;
    row->asked = offer_is_of_time(offering->what) ? offering->asked : seats_in(making);
    row->line = offering->line;
    row->to_seat = offering->to_seat;
    row->ms = offering->ms;
    row->until = offering->until;
    if (offering->what == OFFER_REOPEN) { past_read_finish(&match->past_read); }
    if (offering->what == OFFER_REWIND) {
        enum err err = fill_rewind(matches, match, match->past_read.preview, row);
        past_read_finish(&match->past_read);
        if (err != ERR_OK) { return err; }
    }
    const char *codes[SEATS_MAX];
    codes_of(match, codes);
    buf_reset(&matches->text);
    write_offer(row, codes, match->seats, making->seat, &matches->text);
    if (matches->text.failed || !offers_add(&match->offers, row)) { return ERR_INTERNAL; }
    match->offers.next++;
    return note_offer(making, row);
}

/* Every answer about offers waits for what happens to them on the way. */
static enum err go(struct making *making)
{
    struct flight *flight = making->flight;
    flight->told |= (BIT(making->match->seats) - 1U) | BIT(VIEWER_PUBLIC);
    if (flight->step_count > 0 || making->action_id == NULL) { return making_go(making); }
    struct offer_write *write = flight->change->write;
    const struct buf *text = &making->matches->text;
    memcpy(write->account, flight->call.account.text, sizeof write->account);
    write->params = making->params;
    write->action_id = strdup(making->action_id);
    write->answer = text->failed ? NULL : strndup(text->data, text->len);
    if (write->action_id == NULL || write->answer == NULL) { return ERR_INTERNAL; }
    return making_go(making);
}

/* Nobody is asked: it happens at once. */
static enum err do_at_once(struct making *making, const struct offering *offering)
{
    const struct offer_row row = {.what = offering->what,
                                  .seat = making->seat,
                                  .to_seat = offering->to_seat,
                                  .ms = offering->ms};
    struct buf *out = &making->matches->text;
    answer_begin(out);
    enum err err = time_carry_out(making, &row, BIT(making->seat));
    if (err != ERR_OK) { return err; }
    const struct tip_viewer *tip = &making->match->core->tip[making->seat];
    jw_array_end(out);
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    jw_key_str(out, "what", offer_what_name(row.what));
    jw_key_str(out, "outcome", offer_state_name(OFFER_CARRIED_OUT));
    jw_object_end(out);
    return making_go(making);
}

/* What must be read before it can be judged. False: it is being read. */
static bool offer_is_ready(const struct making *making, const struct offering *offering,
                           enum err *out_err)
{
    const struct core *core = making->match->core;
    bool reopens = offering->what == OFFER_REOPEN && core->over && core->on_time;
    if (reopens) { return offers_past_is_there(making, core->next_n - 2, out_err); }
    return offering->what != OFFER_REWIND || preview_is_there(making, offering->to, out_err);
}

static bool run_offer(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {
        .matches = matches, .match = match, .task = task, .method = "match.offer"};
    static const char *const names[] = {"match", "as", "what",      "to",
                                        "seat",  "s",  "action_id", NULL};
    struct offering offering;
    struct why why;
    why_clear(&why);
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = read_what(task->params, &offering, &why); }
    if (err == ERR_OK) { err = time_read(&making, task->params, &offering, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    making.after_end = offering.what == OFFER_REOPEN;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_repeated(&making) || making_refused(&making, -1)) { return true; }
    err = judge_offer(&making, &offering, &why);
    if (err == ERR_OK && !offer_is_ready(&making, &offering, &err)) { return false; }
    if (err == ERR_OK && offering.what == OFFER_REWIND && !match->past_read.preview->found) {
        past_read_finish(&match->past_read);
        err = why_conflict(&why, "rewind", "Nothing that all were told of happened since.");
    }
    if (err == ERR_OK && offer_is_of_time(offering.what)) {
        err = time_judge(&making, &offering, &why);
    }
    if (err == ERR_OK) { err = making_open(&making, 2); }
    if (err == ERR_OK && offering.what == OFFER_TIME && offering.asked == 0) {
        err = do_at_once(&making, &offering);
        return err == ERR_OK || making_fails(&making, err, &why);
    }
    if (err == ERR_OK) {
        making.changed = true;
        err = make_offer(&making, &offering);
    }
    if (err == ERR_OK) { err = go(&making); }
    return err == ERR_OK || making_fails(&making, err, &why);
}

void match_offer(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_offer);
}

/* --- match.answer ------------------------------------------------------------------------------
 */

static void write_outcome(struct buf *out, int64_t number, const char *outcome)
{
    jw_key_int(out, "offer", number);
    jw_key_str(out, "outcome", outcome);
    jw_object_end(out);
}

/* An answer that makes no line. */
static void answer_plain(struct buf *out, int64_t number, const char *outcome)
{
    buf_reset(out);
    jw_object_begin(out);
    write_outcome(out, number, outcome);
}

bool offers_past_is_there(const struct making *making, uint64_t line, enum err *out_err)
{
    struct past_read *read = &making->match->past_read;
    *out_err = ERR_OK;
    if (read->failed && !read->reading) {
        past_read_finish(read);
        *out_err = ERR_STORAGE_FAILED;
        return true;
    }
    if (!read->reading && read->past.state != NULL && read->past.n == line) { return true; }
    *out_err = past_start(making->matches, making->match, line, NULL);
    return *out_err != ERR_OK;
}

static enum err answer_carried(struct making *making, uint64_t number)
{
    const struct tip_viewer *tip = &making->match->core->tip[making->seat];
    struct buf *out = &making->matches->text;
    jw_array_end(out);
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    write_outcome(out, (int64_t)number, offer_state_name(OFFER_CARRIED_OUT));
    return ERR_OK;
}

/* What all have agreed to happens. */
static enum err carry_out(struct making *making, struct offer **at)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    const struct offer_row row = (*at)->row;
    struct flight *flight = making->flight;
    struct core_step step;
    int64_t now = matches_now(matches);
    enum err err = ERR_OK;
    making->changed = true;
    if (!offers_close(flight, at, OFFER_CARRIED_OUT, -1)) { return ERR_INTERNAL; }
    answer_begin(&matches->text);
    if (offer_is_of_time(row.what)) {
        err = time_carry_out(making, &row, row.asked | BIT(row.seat));
        return err == ERR_OK ? answer_carried(making, row.number) : err;
    }
    if (row.what == OFFER_REWIND) {
        uint32_t by = row.asked | BIT(row.seat);
        err = core_rewind(match->core, &matches->scratch, &match->past_read.past, by, now, &step);
        past_read_finish(&match->past_read);
        flight->rewinds = true;
    } else {
        err = core_stop(match->core, &matches->scratch, offer_what_name(row.what), -1, now, &step);
        making->write->aborted = row.what == OFFER_ABORT;
    }
    if (err == ERR_OK) { err = making_note(making, &step); }
    return err == ERR_OK ? answer_carried(making, row.number) : ERR_INTERNAL;
}

static enum err say_no(struct making *making, struct offer **at)
{
    const struct offer_row *row = &(*at)->row;
    int64_t number = (int64_t)row->number;
    bool own = row->seat == making->seat;
    enum offer_state state = own ? OFFER_WITHDRAWN : OFFER_DECLINED;
    making->changed = true;
    if (!offers_close(making->flight, at, state, own ? -1 : (int)making->seat)) {
        return ERR_INTERNAL;
    }
    answer_plain(&making->matches->text, number, offer_state_name(state));
    return ERR_OK;
}

static enum err say_yes(struct making *making, struct offer **at)
{
    struct offer_row *row = &(*at)->row;
    uint32_t accepted = row->accepted | BIT(making->seat);
    if ((row->asked & ~accepted) == 0) { return carry_out(making, at); }
    struct offer_change *change = offers_change(making->flight);
    if (change == NULL) { return ERR_INTERNAL; }
    making->changed = true;
    row->accepted = accepted;
    change->write->accepts = true;
    change->write->row.number = row->number;
    change->write->row.accepted = accepted;
    answer_plain(&making->matches->text, (int64_t)row->number, "waits");
    return ERR_OK;
}

/* Whether the seat may give that answer. */
static enum err judge_answer(const struct making *making, const struct offer *offer, bool accept,
                             struct why *why)
{
    if (offer == NULL) {
        (void)why_member(why, "offer", "There is no such open offer.");
        return ERR_NOT_FOUND;
    }
    if (offer->row.seat == making->seat) {
        return accept ? why_conflict(why, "own", "It is your own offer.") : ERR_OK;
    }
    if ((offer->row.asked >> making->seat & 1U) == 0) {
        return why_conflict(why, "left", "Your seat has left the match.");
    }
    /* A pause that one seat wants to end, ends: the others can only be quicker about it. */
    if (!accept && offer->row.what == OFFER_RESUME) {
        return why_conflict(why, "resume", "That the clocks go on can be hastened, not declined.");
    }
    bool last = (offer->row.asked & ~offer->row.accepted) == BIT(making->seat);
    if (accept && last && offer_is_of_time(offer->row.what)) {
        return time_judge_yes(making, &offer->row, why);
    }
    return ERR_OK;
}

static bool run_answer(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {
        .matches = matches, .match = match, .task = task, .method = "match.answer"};
    static const char *const names[] = {"match", "as", "offer", "accept", "action_id", NULL};
    struct why why;
    why_clear(&why);
    int64_t number = 0;
    bool accept = false;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) {
        err = json_read_int(task->params, "!offer", 1, JSON_INT_MAX, &number, &why);
    }
    if (err == ERR_OK) { err = json_read_bool(task->params, "!accept", &accept, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    struct offer **at = offer_find(match, number);
    making.after_end = *at != NULL && (*at)->row.what == OFFER_REOPEN;
    if (making_repeated(&making) || making_refused(&making, -1)) { return true; }
    err = judge_answer(&making, *at, accept, &why);
    const struct offer_row *row = err == ERR_OK ? &(*at)->row : NULL;
    if (row != NULL && accept && (row->accepted >> making.seat & 1U) != 0) {
        answer_plain(&matches->text, number, "waits");
        done_later(match, making.seat, &task->call, ERR_OK, NULL, matches->text.data,
                   matches->text.len);
        return true;
    }
    bool last = row != NULL && accept && (row->asked & ~row->accepted) == BIT(making.seat);
    bool back = row != NULL && (row->what == OFFER_REWIND || row->what == OFFER_REOPEN);
    if (last && back && !offers_past_is_there(&making, row->line, &err)) { return false; }
    if (err == ERR_OK) { err = making_open(&making, 3); }
    if (err == ERR_OK) { err = accept ? say_yes(&making, at) : say_no(&making, at); }
    if (err == ERR_OK) { err = go(&making); }
    return err == ERR_OK || making_fails(&making, err, &why);
}

void match_answer(struct matches *matches, const struct match_call *call,
                  const struct cJSON *params)
{
    task_start(matches, call, params, run_answer);
}
