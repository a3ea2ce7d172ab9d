#include "client-cli/net/session.h"

#include "client-cli/net/witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/patch.h"

enum { PARAMS_MAX = 1 << 20, HISTORY_MAX = 200 };

struct session {
    struct conn *conn;
    char match[64], as[16];
    char seat[16]; /* as match.get calls it; "" before its answer, or a watcher's */
    struct session_events events;
    struct witness *witness;
    cJSON *unopened;      /* the refusal of an act before its nonce was open */
    int64_t unopened_seq; /* what had been opened then */
    cJSON *view;
    cJSON *ahead; /* the view as it will be with what is answered and not shown yet (option pace) */
    int64_t seq;  /* of view; -1 before the first */
    int64_t told; /* the last step whose events were told */
    int64_t await; /* the seq that the last accepted act made; its view is still on the way */
    int backlog;
    bool busy, alive, asking;
    int holding;  /* match.held on its way */
    int64_t seen; /* the seq that the person is known to have seen */
    int offering; /* offers and answers on their way */
    bool stirs;   /* something changed before the first view, while the witness was busy */
    int refs;     /* calls on their way hold the session */
};

static int64_t seq_of(const cJSON *object)
{
    const cJSON *seq = json_get(object, "seq");
    return json_int(seq, -1);
}

static void on_warning(void *ctx, const char *text)
{
    struct session *s = ctx;
    if (s->events.on_warning != NULL) { s->events.on_warning(s->events.ctx, text); }
}

/* What was refused for want of the nonce is worth another try once the view stands that the nonce
 * made: to its owner it is as if the match had gone on meanwhile, and so it has. Where nothing came
 * of it, it stays refused. */
static void try_unopened(struct session *s)
{
    if (s->unopened == NULL || witness_busy(s->witness) || s->seq < s->await) { return; }
    cJSON *unopened = s->unopened;
    s->unopened = NULL;
    if (witness_opened_seq(s->witness) > s->unopened_seq) {
        cJSON *data = cJSON_GetObjectItemCaseSensitive(unopened, "data");
        cJSON_DeleteItemFromObjectCaseSensitive(data, "kind");
        cJSON_AddStringToObject(data, "kind", "stale_state");
    }
    if (s->events.on_acted != NULL) { s->events.on_acted(s->events.ctx, unopened); }
    cJSON_Delete(unopened);
}

static void on_witnessed(void *ctx)
{
    struct session *s = ctx;
    int64_t opened = witness_opened_seq(s->witness);
    if (opened > s->await) { s->await = opened; }
    if (s->stirs) {
        s->stirs = false;
        witness_look(s->witness, false);
    }
    try_unopened(s);
    if (s->view != NULL && s->events.on_view != NULL) { s->events.on_view(s->events.ctx); }
}

struct session *session_create(struct conn *conn, const struct keep *keep, const char *match,
                               const char *as, const struct session_events *events)
{
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL) { return NULL; }
    s->conn = conn;
    s->seq = s->told = s->await = -1;
    s->alive = true;
    s->refs = 1;
    snprintf(s->match, sizeof s->match, "%s", match);
    snprintf(s->as, sizeof s->as, "%s", as == NULL ? "" : as);
    s->events = *events;
    const struct witness_events told = {s, on_warning, on_witnessed};
    s->witness = witness_create(conn, keep, match, as, &told);
    if (s->witness == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

static void release(struct session *s)
{
    if (--s->refs > 0) { return; }
    cJSON_Delete(s->view);
    cJSON_Delete(s->ahead);
    cJSON_Delete(s->unopened);
    free(s);
}

void session_destroy(struct session *session)
{
    if (session == NULL) { return; }
    session->alive = false;
    witness_destroy(session->witness);
    release(session);
}

void session_set_backlog(struct session *session, int steps)
{
    session->backlog = steps;
}

static void begin_params(const struct session *s, struct buf *params)
{
    buf_init(params, PARAMS_MAX);
    jw_object_begin(params);
    jw_key_str(params, "match", s->match);
    if (s->as[0] != '\0') { jw_key_str(params, "as", s->as); }
}

static void call(struct session *s, const char *method, struct buf *params, conn_reply_fn *reply)
{
    jw_object_end(params);
    s->refs++;
    conn_call(s->conn, method, buf_str(params), reply, s);
    buf_finish(params);
}

/* ---- views ---- */

static void ask_history(struct session *s, int64_t from);

/* A step of the view or of the history, with the head that was given for it. */
static void note_step(struct session *s, const cJSON *step)
{
    const cJSON *as = json_get(s->view, "as");
    const cJSON *chain = json_get(step, "chain");
    if (!s->alive || !cJSON_IsString(as) || !cJSON_IsString(chain)) { return; }
    witness_step(s->witness, as->valuestring, seq_of(step), chain->valuestring);
}

static void tell_view(struct session *s)
{
    if (s->events.on_view != NULL) { s->events.on_view(s->events.ctx); }
    try_unopened(s);
}

/* A view has come: its step is told now if nothing lies between, else the history is read first. */
static void take_view(struct session *s, cJSON *take_view)
{
    int64_t seq = seq_of(take_view);
    if (!cJSON_IsObject(take_view) || seq < s->seq) {
        cJSON_Delete(take_view);
        return;
    }
    bool first = s->seq < 0;
    if (seq > s->seq) {
        cJSON_Delete(s->ahead);
        s->ahead = NULL;
    }
    cJSON_Delete(s->view);
    s->view = take_view;
    s->seq = seq;
    if (s->alive && !witness_has_header(s->witness)) { witness_look(s->witness, false); }
    if (first && s->told < 0) {
        int before =
            s->events.backlog == NULL ? s->backlog : s->events.backlog(s->events.ctx, s->view);
        s->told = seq > before ? seq - before : 0;
    }
    if (s->asking) {
        tell_view(s);
        return;
    }
    if (seq > s->told + 1 || (first && seq > s->told)) {
        ask_history(s, s->told + 1);
    } else if (seq == s->told + 1) {
        s->told = seq;
        note_step(s, s->view);
        if (s->events.on_events != NULL) {
            s->events.on_events(s->events.ctx, json_get(s->view, "events"), true);
        }
    }
    tell_view(s);
}

static void on_history(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    s->asking = false;
    (void)error;
    const cJSON *steps = cJSON_IsArray(result) ? result : json_get(result, "steps");
    const cJSON *step = NULL;
    bool some = false;
    cJSON_ArrayForEach(step, steps)
    {
        int64_t seq = seq_of(step);
        if (!s->alive || seq <= s->told) { continue; }
        some = true;
        s->told = seq;
        note_step(s, step);
        if (s->events.on_events != NULL) {
            s->events.on_events(s->events.ctx, json_get(step, "events"), seq == s->seq);
        }
    }
    bool behind = s->told < s->seq;
    if (s->alive && behind && some) { ask_history(s, s->told + 1); }
    if (s->alive && behind && !some) { s->told = s->seq; } /* a server without a history */
    if (s->alive && (some || behind)) { tell_view(s); }
    release(s);
}

static void ask_history(struct session *s, int64_t from)
{
    struct buf params;
    begin_params(s, &params);
    jw_key_int(&params, "from", from);
    jw_key_int(&params, "limit", HISTORY_MAX);
    s->asking = true;
    call(s, "match.history", &params, on_history);
}

/* What the seat has answered that is not shown yet: it goes on from the view that comes with it, or
 * where none does has nothing more to do for now. */
static void on_held(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    const cJSON *given = json_get(json_get(result, "answer"), "given");
    const cJSON *view = json_get(result, "view");
    (void)error;
    s->holding--;
    if (s->alive && result != NULL && s->view != NULL && seq_of(result) == s->seq) {
        bool waits = view == NULL && cJSON_IsArray(given) && given->child != NULL;
        cJSON_Delete(s->ahead);
        s->ahead =
            view == NULL && !waits ? NULL : cJSON_Duplicate(view != NULL ? view : s->view, true);
        if (waits) { cJSON_DeleteItemFromObjectCaseSensitive(s->ahead, "actions"); }
        tell_view(s);
    }
    release(s);
}

static void ask_held(struct session *s)
{
    struct buf params;
    begin_params(s, &params);
    s->holding++;
    call(s, "match.held", &params, on_held);
}

static void on_watched(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    if (s->alive && result == NULL && s->events.on_failed != NULL) {
        s->events.on_failed(s->events.ctx, error);
    }
    bool open = result != NULL && seq_of(result) == 0;
    if (s->alive && open && s->view == NULL && s->events.on_waiting != NULL) {
        s->events.on_waiting(s->events.ctx);
    }
    release(s);
}

static void tell_offers(struct session *s, const cJSON *told)
{
    if (s->events.on_offers != NULL) { s->events.on_offers(s->events.ctx, told); }
}

static void tell_clock(struct session *s, const cJSON *told)
{
    const cJSON *clock = json_get(told, "clock");
    if (clock != NULL && s->events.on_clock != NULL) { s->events.on_clock(s->events.ctx, clock); }
}

/* match.get, for what was offered while nobody listened. */
static void on_summary(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    (void)error;
    const cJSON *as = json_get(result, "as");
    bool watcher = !cJSON_IsString(as) || strcmp(as->valuestring, "public") == 0;
    snprintf(s->seat, sizeof s->seat, "%s", watcher ? "" : as->valuestring);
    if (s->alive && json_get(result, "offers") != NULL) { tell_offers(s, result); }
    if (s->alive) { tell_clock(s, result); }
    bool paced = json_get(result, "pace") != NULL && cJSON_IsString(json_get(result, "chain"));
    if (s->alive && !watcher && paced) { ask_held(s); }
    release(s);
}

static void ask_offers(struct session *s)
{
    struct buf params;
    if (s->events.on_offers == NULL) { return; }
    buf_init(&params, PARAMS_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", s->match);
    call(s, "match.get", &params, on_summary);
}

void session_watch(struct session *session)
{
    struct buf params;
    begin_params(session, &params);
    if (session->seq >= 0) { jw_key_int(&params, "seq", session->seq); }
    call(session, "match.watch", &params, on_watched);
    ask_offers(session);
    witness_look(session->witness, false);
}

/* A whole view, where a delta does not fit what we have. */
static void on_whole(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    (void)error;
    const cJSON *view = json_get(result, "view");
    if (s->alive && view != NULL) { take_view(s, cJSON_Duplicate(view, true)); }
    release(s);
}

static void take_delta(struct session *s, const cJSON *params)
{
    const cJSON *from = json_get(params, "from");
    bool fits = s->view != NULL && cJSON_IsNumber(from) && json_int(from, -2) == s->seq;
    if (fits) {
        cJSON *next = patch_merge(cJSON_Duplicate(s->view, true), json_get(params, "patch"));
        if (next != NULL) {
            take_view(s, next);
            return;
        }
    }
    struct buf ask;
    begin_params(s, &ask);
    call(s, "match.view", &ask, on_whole);
}

static void take_said(struct session *s, const cJSON *params)
{
    const cJSON *message = json_get(params, "message");
    if (message == NULL) { message = params; }
    const cJSON *text = json_get(message, "text");
    const cJSON *who = json_get(message, "from");
    if (!cJSON_IsString(who)) { who = json_get(message, "seat"); }
    if (cJSON_IsString(text) && s->events.on_said != NULL) {
        s->events.on_said(s->events.ctx, cJSON_IsString(who) ? who->valuestring : "",
                          text->valuestring);
    }
}

/* Somebody has sat down, or the match has begun: one that draws before its first step begins with
 * the last nonce (FAIRNESS 3), and that may be ours. */
static void look_for_start(struct session *s)
{
    if (s->view != NULL || !s->alive) { return; }
    s->stirs = witness_busy(s->witness);
    if (!s->stirs) { witness_look(s->witness, false); }
}

static void take_changed(struct session *s, const cJSON *params)
{
    look_for_start(s);
    if (json_get(params, "offers") != NULL) { tell_offers(s, params); }
    tell_clock(s, params);
    if (json_get(params, "answer") != NULL && !s->busy) { ask_held(s); }
}

bool session_push(struct session *session, const char *method, const cJSON *params)
{
    if (strcmp(method, "server.closing") == 0) {
        if (session->events.on_closing != NULL) { session->events.on_closing(session->events.ctx); }
        return false;
    }
    const cJSON *match = json_get(params, "match");
    if (!cJSON_IsString(match) || strcmp(match->valuestring, session->match) != 0) { return false; }
    if (strcmp(method, "match.view") == 0) {
        const cJSON *view = json_get(params, "view");
        if (view != NULL) { take_view(session, cJSON_Duplicate(view, true)); }
    } else if (strcmp(method, "match.delta") == 0) {
        take_delta(session, params);
    } else if (strcmp(method, "match.said") == 0) {
        take_said(session, params);
    } else if (strcmp(method, "match.changed") == 0) {
        take_changed(session, params);
    }
    return true;
}

/* ---- what the seat does ---- */

static void on_acted(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    s->busy = false;
    if (seq_of(result) > s->await) { s->await = seq_of(result); }
    bool lost = result == NULL && error == NULL;
    const cJSON *held = json_get(result, "held");
    if (s->alive && held != NULL && s->events.on_held != NULL) {
        s->events.on_held(s->events.ctx, held);
    }
    if (s->alive && held != NULL) { ask_held(s); }
    if (s->alive && lost && s->events.on_failed != NULL) {
        s->events.on_failed(s->events.ctx, NULL);
    }
    const cJSON *reason = json_get(json_get(error, "data"), "reason");
    if (s->alive && cJSON_IsString(reason) && strcmp(reason->valuestring, "nonce") == 0 &&
        s->unopened == NULL && !witness_busy(s->witness)) {
        s->unopened = cJSON_Duplicate(error, true);
        s->unopened_seq = witness_opened_seq(s->witness);
        witness_look(s->witness, true);
        if (!witness_busy(s->witness)) { on_witnessed(s); }
    } else if (s->alive && !lost && s->events.on_acted != NULL) {
        s->events.on_acted(s->events.ctx, error);
    }
    release(s);
}

static bool send_change(struct session *s, const char *method, const char *action)
{
    if (session_busy(s) || s->view == NULL) { return false; }
    struct buf params;
    begin_params(s, &params);
    jw_key_int(&params, "seq", s->seq);
    if (action != NULL) {
        jw_key_raw(&params, action[0] == '[' ? "actions" : "action", action, strlen(action));
    }
    conn_write_action_id(&params);
    s->busy = true;
    call(s, method, &params, on_acted);
    return true;
}

bool session_act(struct session *session, const char *action)
{
    return send_change(session, "match.act", action);
}

bool session_undo(struct session *session)
{
    return send_change(session, "match.undo", NULL);
}

bool session_busy(const struct session *session)
{
    return session->busy || session->offering > 0 || session->holding > 0 ||
           session->seq < session->await || witness_busy(session->witness);
}

bool session_opening(const struct session *session)
{
    return !session->busy && session->offering == 0 && witness_busy(session->witness);
}

static void on_said_reply(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    (void)result;
    if (s->alive && error != NULL && s->events.on_acted != NULL) {
        s->events.on_acted(s->events.ctx, error);
    }
    release(s);
}

void session_say(struct session *session, const char *channel, const char *text)
{
    struct buf params;
    buf_init(&params, PARAMS_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", session->match);
    jw_key_str(&params, "channel", channel);
    jw_key_str(&params, "text", text);
    conn_write_action_id(&params);
    call(session, "match.say", &params, on_said_reply);
}

void session_resign(struct session *session)
{
    struct buf params;
    begin_params(session, &params);
    conn_write_action_id(&params);
    call(session, "match.resign", &params, on_said_reply);
}

static void on_offered(void *ctx, const cJSON *result, const cJSON *error)
{
    struct session *s = ctx;
    s->offering--;
    if (seq_of(result) > s->await) { s->await = seq_of(result); }
    bool lost = result == NULL && error == NULL;
    if (s->alive && !lost && s->events.on_acted != NULL) {
        s->events.on_acted(s->events.ctx, error);
    }
    release(s);
}

void session_offer(struct session *session, const char *what, int64_t to)
{
    struct buf params;
    begin_params(session, &params);
    jw_key_str(&params, "what", what);
    if (to >= 0) { jw_key_int(&params, "to", to); }
    conn_write_action_id(&params);
    session->offering++;
    call(session, "match.offer", &params, on_offered);
}

void session_offer_time(struct session *session, const char *seat, int64_t seconds)
{
    struct buf params;
    begin_params(session, &params);
    jw_key_str(&params, "what", "time");
    jw_key_str(&params, "seat", seat);
    jw_key_int(&params, "s", seconds);
    conn_write_action_id(&params);
    session->offering++;
    call(session, "match.offer", &params, on_offered);
}

/* What cannot be told now is told with the next view. */
static void on_seen(void *ctx, const cJSON *result, const cJSON *error)
{
    (void)result;
    (void)error;
    release(ctx);
}

void session_seen(struct session *session)
{
    struct buf params;
    if (session->seat[0] == '\0' || session->view == NULL || session->seq <= session->seen) {
        return;
    }
    session->seen = session->seq;
    begin_params(session, &params);
    jw_key_int(&params, "seq", session->seq);
    call(session, "match.seen", &params, on_seen);
}

void session_answer(struct session *session, int64_t offer, bool accept)
{
    struct buf params;
    begin_params(session, &params);
    jw_key_int(&params, "offer", offer);
    jw_key_bool(&params, "accept", accept);
    conn_write_action_id(&params);
    session->offering++;
    call(session, "match.answer", &params, on_offered);
}

void session_read_steps(struct session *session, int64_t from, conn_reply_fn *reply, void *ctx)
{
    struct buf params;
    begin_params(session, &params);
    if (from >= 0) { jw_key_int(&params, "from", from); }
    jw_object_end(&params);
    conn_call(session->conn, "match.history", buf_str(&params), reply, ctx);
    buf_finish(&params);
}

bool session_caught_up(const struct session *session)
{
    return session->view != NULL && !session->asking && session->told >= session->seq;
}

int64_t session_told(const struct session *session)
{
    return session->told;
}

const char *session_match(const struct session *session)
{
    return session->match;
}

const char *session_seat(const struct session *session)
{
    const cJSON *as = json_get(session->view, "as");
    if (session->seat[0] != '\0' || !cJSON_IsString(as)) { return session->seat; }
    return strcmp(as->valuestring, "public") == 0 ? "" : as->valuestring;
}

const cJSON *session_view(const struct session *session)
{
    return session->ahead != NULL ? session->ahead : session->view;
}

int64_t session_seq(const struct session *session)
{
    return session->seq;
}
