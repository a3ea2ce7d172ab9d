/* server/match/talk.c: what is said: at the table by seats, on the side by two allies, apart by
 * spectators. Each is numbered for itself, and told to nobody else. */
#include "server/match/talk.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/late.h"
#include "server/match/seats.h"
#include "server/store/mention.h"

/* --- who may ---------------------------------------------------------------------------------- */

enum err talk_read_channel(const struct cJSON *params, enum talk_channel *out_channel,
                           struct why *why)
{
    const char *channel = NULL;
    enum err err = json_read_str(params, "!channel", 16, &channel, why);
    if (err != ERR_OK) { return err; }
    return talk_channel_read(channel, out_channel)
               ? ERR_OK
               : why_member(why, "channel", "channel is table, side or watchers");
}

static enum err no_such_channel(struct why *why)
{
    return why_member(why, "channel", "This match has no such channel.");
}

/* Only the allies themselves. */
static enum err judge_side(const struct match *match, int seat, struct why *why)
{
    uint32_t set = side_seats(match);
    if (set == 0) { return no_such_channel(why); }
    return seat >= 0 && (set >> (unsigned)seat & 1U) != 0
               ? ERR_OK
               : why_text(why, ERR_FORBIDDEN, "That channel is between two other seats.");
}

/* Nobody who has or had a seat, as long as the match runs; so nobody whom we do not know either. */
static enum err judge_watchers(const struct match *match, const struct account_id *account,
                               int seat, struct why *why)
{
    bool watched = match->spectators_public || match->guests.delay > 0;
    if (!watched || !match->guests.talk) { return no_such_channel(why); }
    if (match->over && match_is_revealed(match)) { return ERR_OK; }
    if (account_is_nobody(account)) { return why_text(why, ERR_NOT_SIGNED_IN, "Sign in first."); }
    return seat < 0 && !guests_had_seat(&match->guests, account)
               ? ERR_OK
               : why_text(why, ERR_FORBIDDEN, "Seats may not hear spectators while they play.");
}

enum err talk_judge(const struct matches *matches, const struct match *match,
                    const struct account_id *account, enum talk_channel channel,
                    struct talk_place *out_place, struct why *why)
{
    unsigned viewer = 0;
    out_place->channel = channel;
    out_place->seat = match_seat_of(match, account);
    out_place->delay = 0;
    (void)matches;
    bool late = late_is(match, account, NULL);
    enum err err =
        late ? late_judge(match, account, why) : match_viewer(match, account, NULL, &viewer, why);
    if (late && channel == TALK_TABLE) { out_place->delay = match->guests.delay; }
    if (err != ERR_OK) { return err; }
    if (channel == TALK_SIDE) { return judge_side(match, out_place->seat, why); }
    if (channel == TALK_WATCHERS) { return judge_watchers(match, account, out_place->seat, why); }
    return ERR_OK;
}

/* Whether it is open now: as is stored, and as the lines on their way will have it. */
static enum err judge_open(const struct match *match, struct why *why)
{
    const char *state = side_state(match);
    bool open = side_is_open(state);
    if (open && match->first != NULL && match->core != NULL) {
        char *newest = side_make(match->core);
        open = side_is_open(newest);
        free(newest);
    }
    if (open) { return ERR_OK; }
    const char *rule = match->game == NULL ? NULL : match->game->talk_rule;
    const char *opens = state == NULL ? NULL : strstr(state, "\"opens\":");
    if (opens != NULL) {
        size_t len = strlen(opens + 8) - 1;
        if (len < sizeof why->opens) {
            memcpy(why->opens, opens + 8, len);
            why->opens[len] = '\0';
        }
    }
    return why_rule(why, rule == NULL ? "" : rule, "Allies may not talk now.");
}

/* --- how often -------------------------------------------------------------------------------- */

enum { SAY_BURST = 20, SAY_EACH_MS = 2000 };

/* One message of the account is on its way. False: too many, *out_wait_ms till the next. */
static bool take_turn(struct matches *matches, const struct account_id *account,
                      int64_t *out_wait_ms)
{
    if (matches->config.say_freely) { return true; }
    uint64_t key = answer_hash(account, "say");
    struct say_rate *rate = &matches->says[key % SAY_RATES];
    uint64_t now = uv_now(matches->config.loop);
    if (rate->key != key) { *rate = (struct say_rate){.key = key}; }
    uint64_t from = rate->full_at > now ? rate->full_at : now;
    if (from + SAY_EACH_MS - now > (uint64_t)SAY_BURST * SAY_EACH_MS) {
        *out_wait_ms = (int64_t)(from + SAY_EACH_MS - now - (uint64_t)SAY_BURST * SAY_EACH_MS);
        return false;
    }
    rate->full_at = from + SAY_EACH_MS;
    return true;
}

/* --- match.say -------------------------------------------------------------------------------- */

/* A message on its way. */
struct saying {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct talk_write *write;
    char *action_id;
    struct hash params;
};

static void saying_destroy(struct saying *saying)
{
    free(saying->action_id);
    free(saying);
}

static bool is_deaf(const struct talk_write *write, const struct account_id *account)
{
    for (size_t i = 0; i < write->deaf_count; i++) {
        if (account_id_same(&write->deaf[i], account)) { return true; }
    }
    return false;
}

/* Whether who watches so hears the message. */
static bool hears(const struct match *match, const struct watch *watch,
                  const struct talk_write *write)
{
    bool stranger = watch_is_stranger(match, watch);
    if (!account_is_nobody(&watch->account) && is_deaf(write, &watch->account)) { return false; }
    switch (write->channel) {
    case TALK_TABLE: return match->begun || !stranger;
    case TALK_SIDE:
        return watch->viewer < match->seats && !stranger &&
               (side_seats(match) >> watch->viewer & 1U) != 0;
    default: {
        struct why why;
        why_clear(&why);
        int seat = match_seat_of(match, &watch->account);
        return watch->viewer >= VIEWER_PUBLIC &&
               judge_watchers(match, &watch->account, seat, &why) == ERR_OK;
    }
    }
}

static void push_said(struct saying *saying)
{
    struct matches *matches = saying->matches;
    struct match *match = saying->match;
    const struct buf *message = &saying->write->answer;
    struct buf *out = &matches->patch;
    buf_reset(out);
    buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"match.said\",\"params\":{\"match\":\"");
    buf_append_str(out, match->id.text);
    buf_append_str(out, "\",");
    buf_append(out, message->data + 1, message->len - 1);
    buf_append_str(out, "}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    if (msg == NULL) { return; }
    const struct match_hooks *hooks = &matches->config.hooks;
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (!hears(match, watch, saying->write)) { continue; }
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_SAID, msg);
    }
    bool apart = saying->write->channel == TALK_WATCHERS && match->late != NULL;
    for (struct watch *watch = apart ? match->late->watches : NULL; watch != NULL;
         watch = watch->next) {
        if (!hears(match, watch, saying->write)) { continue; }
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_SAID, msg);
    }
    msg_unref(msg);
}

static void on_said(void *ctx, enum err err)
{
    struct saying *saying = ctx;
    struct matches *matches = saying->matches;
    struct match *match = saying->match;
    struct why why;
    why_clear(&why);
    if (err == ERR_OK) {
        done_ok(&saying->call, saying->write->answer.data, saying->write->answer.len);
        push_said(saying);
        const struct match_hooks *hooks = &matches->config.hooks;
        const bool tells = saying->write->mentions > 0 && hooks->noticed != NULL;
        if (tells) { hooks->noticed(hooks->ctx, saying->write->notice_due); }
    } else if (err == ERR_CONFLICT && saying->action_id != NULL) {
        answer_lookup(matches, match, &saying->call, saying->action_id, &saying->params, NULL,
                      ERR_STORAGE_FAILED);
    } else if (err == ERR_TOO_LARGE) {
        (void)why_member(&why, "channel", "This channel is full.");
        done_fail(&saying->call, ERR_TOO_LARGE, &why);
    } else {
        done_fail(&saying->call, ERR_STORAGE_FAILED, NULL);
    }
    saying_destroy(saying);
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

/* What is written. NULL: memory. */
static struct talk_write *make_write(struct matches *matches, const struct match *match,
                                     const struct saying *saying, const struct talk_place *place,
                                     const char *text)
{
    struct talk_write *write = calloc(1, sizeof *write);
    if (write == NULL) { return NULL; }
    write->match = match->key;
    write->channel = place->channel;
    write->at = matches_now(matches);
    write->account = saying->call.account;
    write->seat = place->channel == TALK_WATCHERS ? -1 : place->seat;
    if (write->seat >= 0) {
        memcpy(write->from, match->codes[place->seat], sizeof match->codes[0]);
    }
    write->hearers = place->channel == TALK_SIDE ? side_seats(match) : UINT32_MAX;
    write->notice_due = write->at + matches->config.notice_delay_ms;
    write->params = saying->params;
    write->text = strdup(text);
    if (saying->action_id != NULL) {
        write->action_id = strdup(saying->action_id);
        store_note_answer(matches->config.store, &saying->call.account, saying->action_id);
    }
    if (write->text == NULL || (saying->action_id != NULL && write->action_id == NULL)) {
        talk_write_free(write);
        return NULL;
    }
    return write;
}

/* Something else than blanks, and not too much. */
static enum err check_text(const char *text, struct why *why)
{
    if (strlen(text) > MATCH_SAY_BYTES_MAX) {
        (void)why_member(why, "text", "a message has up to 2000 bytes");
        return ERR_TOO_LARGE;
    }
    if (strspn(text, " \t\r\n") == strlen(text)) {
        return why_member(why, "text", "the message is empty");
    }
    return ERR_OK;
}

/* Whether the account may write there now. */
static enum err judge_say(struct matches *matches, const struct match *match, struct task *task,
                          enum talk_channel channel, struct talk_place *place, struct why *why)
{
    const struct account_id *account = &task->call.account;
    unsigned seat = 0;
    if (account_is_nobody(account)) { return why_text(why, ERR_NOT_SIGNED_IN, "Sign in first."); }
    if (matches->closing) { return why_text(why, ERR_CLOSING, "The server is about to restart."); }
    enum err err = talk_judge(matches, match, account, channel, place, why);
    if (err != ERR_OK) { return err; }
    if (channel == TALK_WATCHERS) {
        bool may = place->seat < 0 && !guests_had_seat(&match->guests, account);
        return may ? ERR_OK : why_text(why, ERR_FORBIDDEN, "That channel is the spectators' own.");
    }
    err = match_actor(matches, match, account, NULL, &seat, why);
    if (err == ERR_OK && channel == TALK_SIDE && !match->begun) {
        err = why_conflict(why, "not_started", "The match has not begun.");
    }
    return err != ERR_OK || channel != TALK_SIDE ? err : judge_open(match, why);
}

static bool send_say(struct matches *matches, struct match *match, struct task *task,
                     const struct talk_place *place, const char *text, const char *action_id)
{
    struct saying *saying = calloc(1, sizeof *saying);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (saying == NULL || unit == NULL) { goto memory; }
    saying->matches = matches;
    saying->match = match;
    saying->call = task->call;
    if (action_id != NULL) {
        saying->action_id = strdup(action_id);
        if (saying->action_id == NULL) { goto memory; }
        params_hash("match.say", task->params, &matches->text, &saying->params);
    }
    saying->write = make_write(matches, match, saying, place, text);
    if (saying->write == NULL) { goto memory; }
    store_unit_add(unit, talk_write_message, saying->write, talk_write_free);
    store_unit_add(unit, mention_write, saying->write, NULL);
    match->holds++;
    matches->pending++;
    store_commit(matches->config.store, unit, on_said, saying);
    return true;
memory:
    store_unit_destroy(unit);
    if (saying != NULL) { saying_destroy(saying); }
    return task_fail(task, ERR_INTERNAL, NULL);
}

/* True: the action_id may have been used before, and what it was answered is looked up; if it was
 * not, the call is tried again. */
static bool is_repeated(struct matches *matches, struct match *match, struct task *task,
                        const char *action_id)
{
    const struct account_id *account = &task->call.account;
    if (action_id == NULL || task->looked_up || account_is_nobody(account) ||
        !store_may_have_answer(matches->config.store, account, action_id)) {
        return false;
    }
    struct hash params;
    params_hash("match.say", task->params, &matches->text, &params);
    struct task *again = malloc(sizeof *again);
    if (again != NULL) { *again = *task; }
    answer_lookup(matches, match, &task->call, action_id, &params, again, ERR_INTERNAL);
    return true;
}

static bool run_say(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "channel", "text", "action_id", NULL};
    struct why why;
    why_clear(&why);
    const char *text = NULL;
    const char *action_id = NULL;
    enum talk_channel channel = TALK_TABLE;
    struct talk_place place;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = talk_read_channel(task->params, &channel, &why); }
    if (err == ERR_OK) { err = json_read_str(task->params, "!text", 65536, &text, &why); }
    if (err == ERR_OK) {
        err = json_read_str(task->params, "action_id", ACTION_ID_BYTES_MAX, &action_id, &why);
    }
    if (err == ERR_OK) { err = check_text(text, &why); }
    if (err == ERR_OK && is_repeated(matches, match, task, action_id)) { return true; }
    /* Whether allies may talk is read from the match itself. */
    bool unread = channel == TALK_SIDE && side_seats(match) != 0 && side_state(match) == NULL &&
                  match->core == NULL;
    if (err == ERR_OK && unread && match->begun && !match->frozen) {
        match_want_core(matches, match);
        return false;
    }
    if (err == ERR_OK) { err = judge_say(matches, match, task, channel, &place, &why); }
    if (err == ERR_OK && !take_turn(matches, &task->call.account, &why.retry_after_ms)) {
        err = why_text(&why, ERR_RATE_LIMITED, "Too many messages; try again later.");
    }
    if (err == ERR_ILLEGAL_ACTION) {
        done_later(match, VIEWER_PUBLIC, &task->call, err, &why, NULL, 0);
        return true;
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    return send_say(matches, match, task, &place, text, action_id);
}

void match_say(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_say);
}
