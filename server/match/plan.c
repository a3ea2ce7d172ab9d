/* server/match/plan.c: what a seat would see with a draft done, so that it is composed without a
 * line of the log: nothing changes, nothing is rolled, nobody is told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/match/live.h"

/* The state that the draft is laid on, and what came of each action. */
struct planning {
    struct matches *matches;
    const struct core *core;
    struct state *state, *work;
    unsigned seat;
    bool ahead; /* in another's turn */
    bool bound; /* an action before drew or sealed: what follows it nobody can know */
    struct why *why;
};

static bool is_planned(const struct game *game, const struct cJSON *action)
{
    const cJSON *what = json_get(action, "do");
    const char *const *names = game->planned;
    for (; names != NULL && *names != NULL && cJSON_IsString(what); names++) {
        if (strcmp(*names, what->valuestring) == 0) { return true; }
    }
    return false;
}

/* One action. What draws, seals or reveals is judged as match.try does, and its outcome dropped. */
static enum err lay(struct planning *plan, const struct cJSON *action)
{
    struct scratch *scratch = &plan->matches->scratch;
    const size_t bytes = plan->core->game->state_bytes;
    if (plan->bound) {
        return why_conflict(plan->why, "list", "only the last action of a list may draw or bind");
    }
    if (plan->ahead && !is_planned(plan->core->game, action)) {
        return why_text(plan->why, ERR_NOT_YOUR_TURN, "That cannot be planned.");
    }
    memcpy(plan->work, plan->state, bytes);
    enum err err =
        core_apply_to(plan->core, scratch, plan->work, plan->seat, action, false, plan->why);
    if (err != ERR_OK) { return err; }
    if (scratch->events.failed || scratch->dice.exhausted) { return ERR_INTERNAL; }
    if (scratch->events.sealed || dice_was_drawn(&scratch->dice) ||
        (scratch->events.reveals >> plan->seat & 1U) != 0) {
        plan->bound = true;
        return ERR_OK;
    }
    memcpy(plan->state, plan->work, bytes);
    return ERR_OK;
}

static void write_refusal(struct buf *out, unsigned i, enum err err, const struct why *why)
{
    char number[12];
    (void)snprintf(number, sizeof number, "%u", i);
    jw_key_object(out, number);
    jw_key_int(out, "code", err_code(err));
    jw_key_str(out, "kind", err_kind(err));
    jw_key_str(out, "message", why->text);
    if (why->rule[0] != '\0') { jw_key_str(out, "rule", why->rule); }
    if (why->member[0] != '\0') { jw_key_str(out, "member", why->member); }
    if (why->reason[0] != '\0') { jw_key_str(out, "reason", why->reason); }
    jw_object_end(out);
}

/* Each action by itself: one that is refused is left out, and the others stand. */
static enum err lay_all(struct planning *plan, const struct cJSON *actions, struct buf *out)
{
    unsigned i = 0, refused = 0;
    for (const cJSON *action = actions == NULL ? NULL : actions->child; action != NULL;
         action = action->next, i++) {
        why_clear(plan->why);
        enum err err = lay(plan, action);
        if (err == ERR_OK) { continue; }
        if (err == ERR_INTERNAL) { return err; }
        if (refused++ == 0) { jw_key_object(out, "refused"); }
        write_refusal(out, i, err, plan->why);
    }
    if (refused != 0) { jw_object_end(out); }
    why_clear(plan->why);
    return ERR_OK;
}

static enum err answer_all(const struct planning *plan, const struct cJSON *questions,
                           struct buf *out)
{
    if (questions == NULL) { return ERR_OK; }
    enum err err = ERR_OK;
    jw_key_array(out, "answers");
    for (const cJSON *i = questions->child; i != NULL && err == ERR_OK; i = i->next) {
        if (!cJSON_IsObject(i)) {
            err = why_member(plan->why, "questions", "Questions are objects.");
        } else {
            err = plan->core->game->ask(plan->state, plan->seat, i, out, plan->why);
        }
    }
    jw_array_end(out);
    return err;
}

static enum err make_plan(struct planning *plan, const struct cJSON *params, struct buf *out)
{
    const struct game *game = plan->core->game;
    buf_reset(out);
    jw_object_begin(out);
    jw_key_int(out, "seq", (int64_t)plan->core->tip[plan->seat].seq);
    if ((game->to_act(plan->state) >> plan->seat & 1U) == 0) {
        plan->ahead = true;
        jw_key_bool(out, "plan", true);
        if (game->plan == NULL || !game->plan(plan->state, plan->seat)) {
            return why_text(plan->why, ERR_NOT_YOUR_TURN, "There is no turn to plan for.");
        }
    }
    enum err err = lay_all(plan, json_get(params, "actions"), out);
    if (err == ERR_OK) { err = answer_all(plan, json_get(params, "questions"), out); }
    if (err != ERR_OK) { return err; }
    jw_key_object(out, "view");
    game->view(plan->state, plan->seat, out);
    jw_object_end(out);
    jw_object_end(out);
    return out->failed ? ERR_TOO_LARGE : ERR_OK;
}

/* The state on which match.act would judge. NULL: dice are still to fall, or memory is short. */
static struct state *state_now(const struct match *match, unsigned seat)
{
    const struct standing *standing = &match->standing;
    const bool ahead = standing->held != NULL && pace_due(match, seat) != 0;
    const struct state *from = ahead ? standing->ahead : match->core->state;
    if (from == NULL || (ahead && standing->blind)) { return NULL; }
    struct state *copy = malloc(match->core->game->state_bytes);
    if (copy != NULL) { memcpy(copy, from, match->core->game->state_bytes); }
    return copy;
}

static enum err read_plan(const struct cJSON *params, int64_t *out_seq, struct why *why)
{
    static const char *const names[] = {"match", "as", "seq", "actions", "questions", NULL};
    const cJSON *list = NULL;
    enum err err = json_only(params, names, why);
    if (err == ERR_OK) { err = json_read_int(params, "!seq", 0, JSON_INT_MAX, out_seq, why); }
    if (err == ERR_OK) { err = json_read_array(params, "actions", MATCH_LIST_MAX, &list, why); }
    for (const cJSON *i = list == NULL ? NULL : list->child; i != NULL && err == ERR_OK;
         i = i->next) {
        if (!cJSON_IsObject(i)) { err = why_member(why, "actions", "Actions are objects."); }
    }
    if (err == ERR_OK) { err = json_read_array(params, "questions", MATCH_LIST_MAX, &list, why); }
    return err;
}

static bool run_plan(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    struct why why;
    why_clear(&why);
    int64_t seq = -1;
    enum err err = read_plan(task->params, &seq, &why);
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    bool wait = false;
    if (!making_begin(&making, &wait)) { return !wait; }
    if (making_refused(&making, seq)) { return true; }
    struct planning plan = {.matches = matches,
                            .core = match->core,
                            .state = state_now(match, making.seat),
                            .work = malloc(match->core->game->state_bytes),
                            .seat = making.seat,
                            .why = &why};
    if (plan.state == NULL) {
        err = why_conflict(&why, "held", "Dice are still to fall for what was answered.");
    } else if (plan.work == NULL) {
        err = ERR_INTERNAL;
    } else {
        err = make_plan(&plan, task->params, &matches->text);
    }
    free(plan.state);
    free(plan.work);
    match_touch(matches, match);
    done_later(match, making.seat, &task->call, err, &why,
               err == ERR_OK ? matches->text.data : NULL, matches->text.len);
    return true;
}

void match_plan(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_plan);
}
