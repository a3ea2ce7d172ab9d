/* common/rules/case.c: runs one case of any game through its table of functions. */
#include "common/rules/case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"

enum { STATE_BYTES_MAX = 1 << 16, JSON_BYTES_MAX = 1 << 20, PATH_BYTES_MAX = 160, TOLD_MAX = 256 };

/* What has no normal form never reaches a game: the host refuses it first (DESIGN section 5). */
static enum err normal_part(cJSON *json, const char *name, struct why *why)
{
    cJSON *part = cJSON_GetObjectItemCaseSensitive(json, name);
    return part == NULL ? ERR_OK : json_normalise(part, why);
}

/* A case on its way. now is the state; an action works on next, which takes its place if accepted.
 */
struct run {
    const struct game *game;
    cJSON *json;
    const cJSON *options;
    struct buf *why;
    unsigned seats;
    const char *codes[SEATS_MAX];
    struct dice dice;
    struct events events; /* of the last step that was accepted */
    uint8_t die[DICE_LIST_MAX], deal[DICE_LIST_MAX];
    _Alignas(16) unsigned char now[STATE_BYTES_MAX];
    _Alignas(16) unsigned char next[STATE_BYTES_MAX];
};

static bool fail(struct buf *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct buf *why, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buf_append_str(why, text);
    return false;
}

static const struct state *state_of(const struct run *run)
{
    return (const struct state *)(const void *)run->now;
}

static const char *seat_code(const struct run *run, unsigned seat)
{
    if (run->game->seat_code != NULL) { return run->game->seat_code(state_of(run), seat); }
    return run->codes[seat];
}

/* A seat by its code, now or as of the options; VIEWERS if there is none. */
static unsigned find_seat(const struct run *run, const char *code)
{
    for (unsigned seat = 0; seat < run->seats; seat++) {
        if (strcmp(seat_code(run, seat), code) == 0) { return seat; }
    }
    for (unsigned seat = 0; seat < run->seats; seat++) {
        if (strcmp(run->codes[seat], code) == 0) { return seat; }
    }
    return VIEWERS;
}

static unsigned find_viewer(const struct run *run, const char *name)
{
    if (strcmp(name, "public") == 0) { return VIEWER_PUBLIC; }
    if (strcmp(name, "all") == 0) { return VIEWER_ALL; }
    return find_seat(run, name);
}

/* ---- matching (DESIGN section 9) ---- */

static bool is_among(const char *const *names, const char *name)
{
    for (const char *const *i = names; i != NULL && *i != NULL; i++) {
        if (strcmp(*i, name) == 0) { return true; }
    }
    return false;
}

/* A string for an object, as the game's positions allow. */
static bool matches_short(const struct game *game, const cJSON *part, const cJSON *whole)
{
    for (const char *const *i = game->shorthand_members; i != NULL && *i != NULL; i++) {
        const cJSON *member = json_get(whole, *i);
        if (member != NULL) { return json_equal(part, member); }
    }
    return false;
}

static bool all_strings(const cJSON *array)
{
    for (const cJSON *i = array->child; i != NULL; i = i->next) {
        if (!cJSON_IsString(i)) { return false; }
    }
    return true;
}

static unsigned count_string(const cJSON *array, const char *text)
{
    unsigned count = 0;
    for (const cJSON *i = array->child; i != NULL; i = i->next) {
        count += strcmp(i->valuestring, text) == 0;
    }
    return count;
}

static bool sets_match(const cJSON *part, const cJSON *whole)
{
    if (cJSON_GetArraySize(part) != cJSON_GetArraySize(whole)) { return false; }
    for (const cJSON *i = part->child; i != NULL; i = i->next) {
        if (count_string(part, i->valuestring) != count_string(whole, i->valuestring)) {
            return false;
        }
    }
    return true;
}

/* path: where we are, for the report; on a mismatch it stays where that is. */
static bool match(const struct game *game, const cJSON *part, const cJSON *whole, const char *name,
                  char path[PATH_BYTES_MAX])
{
    if (whole == NULL) { return false; }
    size_t here = strlen(path);
    if (cJSON_IsString(part) && cJSON_IsObject(whole)) { return matches_short(game, part, whole); }
    if (cJSON_IsObject(part)) {
        if (!cJSON_IsObject(whole)) { return false; }
        for (const cJSON *i = part->child; i != NULL; i = i->next) {
            (void)snprintf(path + here, PATH_BYTES_MAX - here, "/%s", i->string);
            if (!match(game, i, json_get(whole, i->string), i->string, path)) { return false; }
        }
        path[here] = '\0';
        return true;
    }
    if (!cJSON_IsArray(part)) { return json_equal(part, whole); }
    if (!cJSON_IsArray(whole)) { return false; }
    if (is_among(game->set_members, name) && all_strings(part) && all_strings(whole)) {
        return sets_match(part, whole);
    }
    if (cJSON_GetArraySize(part) != cJSON_GetArraySize(whole)) { return false; }
    const cJSON *b = whole->child;
    int at = 0;
    for (const cJSON *a = part->child; a != NULL; a = a->next, b = b->next, at++) {
        (void)snprintf(path + here, PATH_BYTES_MAX - here, "/%d", at);
        if (!match(game, a, b, name, path)) { return false; }
    }
    path[here] = '\0';
    return true;
}

/* ---- events ---- */

/* A step of the search for augmenting paths: finds expected event e one told event of its own. */
static bool assign(unsigned e, unsigned told, const bool *fits, int *owner, bool *seen)
{
    for (unsigned t = 0; t < told; t++) {
        if (!fits[e * TOLD_MAX + t] || seen[t]) { continue; }
        seen[t] = true;
        if (owner[t] < 0 || assign((unsigned)owner[t], told, fits, owner, seen)) {
            owner[t] = (int)e;
            return true;
        }
    }
    return false;
}

static bool match_events(struct run *run, const cJSON *expected, const cJSON *told_json, int step)
{
    static _Thread_local bool fits[TOLD_MAX * TOLD_MAX];
    int owner[TOLD_MAX];
    unsigned told = (unsigned)cJSON_GetArraySize(told_json);
    unsigned wanted = (unsigned)cJSON_GetArraySize(expected);
    if (told > TOLD_MAX || wanted > TOLD_MAX) { return fail(run->why, "too many events"); }
    for (unsigned t = 0; t < TOLD_MAX; t++) {
        owner[t] = -1;
    }
    unsigned e = 0;
    for (const cJSON *i = expected->child; i != NULL; i = i->next, e++) {
        unsigned t = 0;
        for (const cJSON *j = told_json->child; j != NULL; j = j->next, t++) {
            char path[PATH_BYTES_MAX] = "";
            fits[e * TOLD_MAX + t] = match(run->game, i, j, "", path);
        }
        bool seen[TOLD_MAX] = {false};
        if (!assign(e, told, fits, owner, seen)) {
            char *text = cJSON_PrintUnformatted(i);
            char *all = cJSON_PrintUnformatted(told_json);
            (void)fail(run->why, "step %d: no event matches ", step);
            buf_append_str(run->why, text == NULL ? "" : text);
            buf_append_str(run->why, ", told were ");
            buf_append_str(run->why, all == NULL ? "" : all);
            cJSON_free(text);
            cJSON_free(all);
            return false;
        }
    }
    return true;
}

/* Parses JSON of our own making; NULL and a report if it is none. */
static cJSON *parse_own(struct run *run, struct buf *text, const char *what)
{
    cJSON *json = NULL;
    if (text->failed || json_parse(buf_str(text), text->len, &json) != ERR_OK) {
        (void)fail(run->why, "%s is no JSON: %.300s", what, buf_str(text));
        return NULL;
    }
    return json;
}

static bool check_events(struct run *run, const cJSON *expected, unsigned viewer, int step)
{
    struct buf text;
    buf_init(&text, EVENTS_BYTES_MAX);
    events_write(&run->events, viewer, &text);
    cJSON *told = parse_own(run, &text, "the list of events");
    bool good = told != NULL && match_events(run, expected, told, step);
    cJSON_Delete(told);
    buf_finish(&text);
    return good;
}

/* ---- steps ---- */

/* rules: one or several with a blank between. */
static bool names_rule(const char *rules, const char *rule)
{
    size_t n = strlen(rule);
    for (const char *p = rules; n > 0 && *p != '\0';) {
        size_t k = strcspn(p, " ");
        if (k == n && memcmp(p, rule, n) == 0) { return true; }
        p += k + strspn(p + k, " ");
    }
    return false;
}

static bool run_action(struct run *run, cJSON *step, const cJSON *ordered, unsigned seat,
                       int number)
{
    static const char *const names[] = {"action",  "as",   "events", "orders",
                                        "refused", "seat", NULL};
    struct why why;
    why_clear(&why);
    if (json_only(step, names, &why) != ERR_OK) {
        return fail(run->why, "step %d: unknown member %s", number, why.member);
    }
    const cJSON *action = ordered != NULL ? ordered : json_get(step, "action");
    const cJSON *refused = json_get(step, "refused");
    if (!cJSON_IsObject(action)) { return fail(run->why, "step %d: no action", number); }
    memcpy(run->next, run->now, run->game->state_bytes);
    struct dice before = run->dice;
    dice_next_line(&run->dice);
    events_reset(&run->events);
    struct state *next = (struct state *)(void *)run->next;
    enum err err = normal_part(step, "action", &why);
    if (err == ERR_OK) {
        err = run->game->apply(next, seat, action, &run->dice, &run->events, &why);
    }
    if (run->dice.exhausted) { return fail(run->why, "step %d: the dice ran out", number); }
    if (err != ERR_OK) {
        run->dice = before;
        events_reset(&run->events);
        if (!cJSON_IsString(refused)) {
            return fail(run->why, "step %d: refused (%s %s%s): %s", number, err_kind(err), why.rule,
                        why.member, why.text);
        }
        /* What breaks the form of an action breaks no rule of its own: the game names one for it.
         */
        const char *rule = err == ERR_INVALID_PARAMS && run->game->form_rule != NULL
                               ? run->game->form_rule
                               : why.rule;
        return names_rule(refused->valuestring, rule) ||
               names_rule(refused->valuestring, err_kind(err)) ||
               fail(run->why, "step %d: refused by %s (%s %s), not %s", number, rule, err_kind(err),
                    why.member, refused->valuestring);
    }
    if (refused != NULL) { return fail(run->why, "step %d: accepted, not refused", number); }
    if (run->events.failed) { return fail(run->why, "step %d: too many events", number); }
    memcpy(run->now, run->next, run->game->state_bytes);
    const char *broken = run->game->check(state_of(run));
    return broken == NULL || fail(run->why, "step %d: broken invariant: %s", number, broken);
}

/* What the orders of a step give the seat, as the member "action" says, or nothing where there is
 * no such member. True: what is left to be done of the step, an action, is in *out_action. */
static bool run_orders(struct run *run, const cJSON *step, unsigned seat, int number,
                       cJSON **out_action)
{
    const cJSON *orders = json_get(step, "orders");
    const cJSON *expected = json_get(step, "action");
    const cJSON *refused = json_get(step, "refused");
    struct why why;
    struct buf text;
    char path[PATH_BYTES_MAX] = "";
    why_clear(&why);
    if (run->game->orders == NULL) { return fail(run->why, "step %d: no orders here", number); }
    if (run->game->orders(state_of(run), seat, orders, &why) != ERR_OK) {
        return (cJSON_IsString(refused) && strcmp(refused->valuestring, why.member) == 0) ||
               fail(run->why, "step %d: orders refused: %s: %s", number, why.member, why.text);
    }
    if (refused != NULL) { return fail(run->why, "step %d: the orders were taken", number); }
    buf_init(&text, JSON_BYTES_MAX);
    enum err err = run->game->obey(state_of(run), seat, orders, &text);
    if (err == ERR_OK) { *out_action = parse_own(run, &text, "what was ordered"); }
    bool good = err == ERR_OK ? *out_action != NULL : expected == NULL;
    if (err != ERR_OK && !good) { (void)fail(run->why, "step %d: no order fits", number); }
    if (*out_action != NULL &&
        (expected == NULL || !match(run->game, expected, *out_action, "", path))) {
        good = fail(run->why, "step %d: ordered is %.300s", number, buf_str(&text));
    }
    buf_finish(&text);
    return good;
}

/* An answer: as match, but members that the game says so, whole. */
static bool matches_answer(const struct game *game, const cJSON *part, const cJSON *whole,
                           const char *name, char path[PATH_BYTES_MAX])
{
    if (is_among(game->whole_members, name)) { return json_equal(part, whole); }
    if (!cJSON_IsObject(part) || !cJSON_IsObject(whole)) {
        return match(game, part, whole, name, path);
    }
    for (const cJSON *i = part->child; i != NULL; i = i->next) {
        const cJSON *other = json_get(whole, i->string);
        if (other == NULL || !matches_answer(game, i, other, i->string, path)) { return false; }
    }
    return true;
}

static bool check_answer(struct run *run, const cJSON *expected, struct buf *text, int number)
{
    char path[PATH_BYTES_MAX] = "";
    cJSON *told = parse_own(run, text, "the answer");
    bool good = told != NULL && json_normalise(told, NULL) == ERR_OK &&
                matches_answer(run->game, expected, told, "", path);
    if (told != NULL && !good) {
        (void)fail(run->why, "step %d: the answer is %.400s", number, buf_str(text));
    }
    cJSON_Delete(told);
    return good;
}

/* {"seat", "ask", "answer" or "refused"}: a question changes nothing. */
static bool run_ask(struct run *run, cJSON *step, int number)
{
    static const char *const names[] = {"answer", "as", "ask", "refused", "seat", NULL};
    const cJSON *question = json_get(step, "ask"), *refused = json_get(step, "refused");
    const cJSON *as = json_get(step, "as"), *code = json_get(step, "seat");
    const cJSON *viewer_name = as != NULL ? as : code;
    struct why why;
    why_clear(&why);
    if (json_only(step, names, &why) != ERR_OK) {
        return fail(run->why, "step %d: unknown member %s", number, why.member);
    }
    unsigned viewer =
        cJSON_IsString(viewer_name) ? find_viewer(run, viewer_name->valuestring) : VIEWERS;
    if (viewer >= VIEWERS) { return fail(run->why, "step %d: no such viewer", number); }
    struct buf text;
    buf_init(&text, JSON_BYTES_MAX);
    enum err err = normal_part(step, "ask", &why);
    if (err == ERR_OK) { err = run->game->ask(state_of(run), viewer, question, &text, &why); }
    bool good = false;
    if (err == ERR_OK && refused == NULL) {
        good = check_answer(run, json_get(step, "answer"), &text, number);
    } else if (err == ERR_OK || !cJSON_IsString(refused)) {
        good = fail(run->why, "step %d: %s (%s %s%s)", number,
                    err == ERR_OK ? "answered, not refused" : "refused", err_kind(err), why.rule,
                    why.member);
    } else {
        good = names_rule(refused->valuestring, why.rule) ||
               names_rule(refused->valuestring, err_kind(err)) ||
               fail(run->why, "step %d: refused by %s (%s %s), not %s", number, why.rule,
                    err_kind(err), why.member, refused->valuestring);
    }
    buf_finish(&text);
    return good;
}

static bool run_step(struct run *run, cJSON *step, int number)
{
    if (json_get(step, "ask") != NULL) { return run_ask(run, step, number); }
    const cJSON *code = json_get(step, "seat");
    const cJSON *as = json_get(step, "as");
    const cJSON *expected = json_get(step, "events");
    unsigned seat = cJSON_IsString(code) ? find_seat(run, code->valuestring) : VIEWERS;
    if (seat >= run->seats) { return fail(run->why, "step %d: no such seat", number); }
    unsigned viewer = seat;
    if (as != NULL) { viewer = cJSON_IsString(as) ? find_viewer(run, as->valuestring) : VIEWERS; }
    if (viewer >= VIEWERS) { return fail(run->why, "step %d: no such viewer", number); }
    cJSON *ordered = NULL;
    bool orders = json_get(step, "orders") != NULL;
    if (orders && !run_orders(run, step, seat, number, &ordered)) {
        cJSON_Delete(ordered);
        return false;
    }
    if (orders && ordered == NULL) { return true; }
    bool good = run_action(run, step, ordered, seat, number);
    cJSON_Delete(ordered);
    if (!good) { return false; }
    if (expected == NULL) { return true; }
    if (!cJSON_IsArray(expected)) { return fail(run->why, "step %d: events", number); }
    return check_events(run, expected, viewer, number);
}

/* ---- what must have come of it ---- */

static bool check_to_act(struct run *run, const cJSON *expected)
{
    if (!cJSON_IsArray(expected)) { return fail(run->why, "to_act is no list"); }
    uint32_t wanted = 0;
    for (const cJSON *i = expected->child; i != NULL; i = i->next) {
        unsigned seat = cJSON_IsString(i) ? find_seat(run, i->valuestring) : VIEWERS;
        if (seat >= run->seats) { return fail(run->why, "to_act: no such seat"); }
        wanted |= UINT32_C(1) << seat;
    }
    uint32_t to_act = run->game->to_act(state_of(run));
    return to_act == wanted || fail(run->why, "to_act is %#x, not %#x (bit per seat)",
                                    (unsigned)to_act, (unsigned)wanted);
}

static const cJSON *follow(const cJSON *json, const char *path)
{
    char name[PATH_BYTES_MAX];
    while (json != NULL && *path == '/') {
        size_t n = strcspn(path + 1, "/");
        memcpy(name, path + 1, n);
        name[n] = '\0';
        json = cJSON_IsArray(json) ? cJSON_GetArrayItem(json, (int)strtol(name, NULL, 10))
                                   : json_get(json, name);
        path += n + 1;
    }
    return json;
}

static bool check_position(struct run *run, const cJSON *expected)
{
    struct buf text;
    buf_init(&text, JSON_BYTES_MAX);
    if (run->game->position_full != NULL) {
        run->game->position_full(state_of(run), &text);
    } else {
        run->game->position_write(state_of(run), &text);
    }
    cJSON *position = parse_own(run, &text, "the position");
    char path[PATH_BYTES_MAX] = "";
    bool good = position != NULL && match(run->game, expected, position, "", path);
    if (position != NULL && !good) {
        const cJSON *found = follow(position, path);
        const cJSON *named = follow(expected, path);
        char *is = found == NULL ? NULL : cJSON_PrintUnformatted(found);
        char *should = named == NULL ? NULL : cJSON_PrintUnformatted(named);
        (void)fail(run->why, "position%s is %.200s, not %.200s", path, is == NULL ? "absent" : is,
                   should == NULL ? "that" : should);
        cJSON_free(is);
        cJSON_free(should);
    }
    cJSON_Delete(position);
    buf_finish(&text);
    return good;
}

static bool check_expect(struct run *run, const cJSON *expect)
{
    static const char *const names[] = {"position", "to_act", NULL};
    const cJSON *position = json_get(expect, "position");
    const cJSON *to_act = json_get(expect, "to_act");
    if (json_only(expect, names, NULL) != ERR_OK) {
        return fail(run->why, "expect has a member it may not have");
    }
    if (position != NULL && !check_position(run, position)) { return false; }
    return to_act == NULL || check_to_act(run, to_act);
}

/* All bytes that the viewer gets after the last step: view, forms, events. */
static void write_seen(struct run *run, unsigned viewer, struct buf *out)
{
    jw_object_begin(out);
    run->game->view(state_of(run), viewer, out);
    if (viewer < run->seats && (run->game->to_act(state_of(run)) >> viewer & 1U) != 0) {
        jw_key(out, "actions");
        run->game->actions(state_of(run), viewer, out);
    }
    jw_key(out, "events");
    events_write(&run->events, viewer, out);
    jw_object_end(out);
}

static bool check_view(struct run *run, const cJSON *view)
{
    unsigned viewer = find_viewer(run, view->string);
    if (viewer >= VIEWERS) { return fail(run->why, "views: no such viewer %s", view->string); }
    struct buf seen;
    buf_init(&seen, JSON_BYTES_MAX);
    write_seen(run, viewer, &seen);
    cJSON *json = parse_own(run, &seen, "the view");
    bool good = json != NULL;
    cJSON_Delete(json);
    for (const cJSON *list = view->child; list != NULL && good; list = list->next) {
        bool present = strcmp(list->string, "present") == 0;
        if (!present && strcmp(list->string, "absent") != 0) {
            good = fail(run->why, "views: what is %s", list->string);
        }
        for (const cJSON *i = list->child; i != NULL && good; i = i->next) {
            bool found = cJSON_IsString(i) && strstr(buf_str(&seen), i->valuestring) != NULL;
            if (!cJSON_IsString(i) || found != present) {
                good = fail(run->why, "view of %s: %s is %s in %.3000s", view->string,
                            cJSON_IsString(i) ? i->valuestring : "?", present ? "missing" : "found",
                            buf_str(&seen));
            }
        }
    }
    buf_finish(&seen);
    return good;
}

/* ---- the whole ---- */

static bool read_draws(struct run *run, const char *name, int64_t min, uint8_t *list, size_t *count)
{
    const cJSON *draws = json_get(run->json, name);
    if (draws == NULL) { return true; }
    if (!cJSON_IsArray(draws)) { return fail(run->why, "%s is no list", name); }
    for (const cJSON *i = draws->child; i != NULL; i = i->next) {
        bool good = cJSON_IsNumber(i) && i->valuedouble >= (double)min && i->valuedouble <= 255;
        if (!good || *count == DICE_LIST_MAX) { return fail(run->why, "%s: a bad draw", name); }
        list[(*count)++] = (uint8_t)i->valuedouble;
    }
    return true;
}

/* Brings all members to normal form but those of which a case may say that they are refused. */
static bool normalise_but(struct run *run, cJSON *object, const char *const *kept)
{
    struct why why;
    why_clear(&why);
    if (!cJSON_IsObject(object)) { return fail(run->why, "a case and its steps are objects"); }
    for (cJSON *i = object->child; i != NULL; i = i->next) {
        for (const cJSON *k = i->next; k != NULL; k = k->next) {
            if (strcmp(i->string, k->string) == 0) { return fail(run->why, "%s twice", k->string); }
        }
        if (!is_among(kept, i->string) && json_normalise(i, &why) != ERR_OK) {
            return fail(run->why, "%s: %s %s", i->string, why.member, why.text);
        }
    }
    return true;
}

static bool normalise_rest(struct run *run)
{
    static const char *const of_case[] = {"position", "steps", NULL};
    static const char *const of_step[] = {"action", "ask", NULL};
    if (!normalise_but(run, run->json, of_case)) { return false; }
    const cJSON *steps = json_get(run->json, "steps");
    for (cJSON *i = steps == NULL ? NULL : steps->child; i != NULL; i = i->next) {
        if (!normalise_but(run, i, of_step)) { return false; }
    }
    return true;
}

/* A case whose position is to be refused; it has no steps. */
static bool is_refused(const struct run *run)
{
    const cJSON *refused = json_get(run->json, "refused");
    return cJSON_IsString(refused) && strcmp(refused->valuestring, "position") == 0;
}

static bool begin(struct run *run)
{
    static const char *const names[] = {"case",    "deal",     "dice",    "expect", "game",
                                        "options", "position", "refused", "rules",  "steps",
                                        "views",   "why",      NULL};
    struct why why;
    why_clear(&why);
    if (json_only(run->json, names, &why) != ERR_OK) {
        return fail(run->why, "a case has no member %s", why.member);
    }
    const cJSON *game = json_get(run->json, "game");
    run->game = cJSON_IsString(game) ? game_find(game->valuestring) : NULL;
    if (run->game == NULL) { return fail(run->why, "there is no such game"); }
    if (run->game->state_bytes > STATE_BYTES_MAX) { return fail(run->why, "state too large"); }
    run->options = json_get(run->json, "options");
    run->seats = run->game->seats(run->options, run->codes);
    size_t dies = 0;
    size_t deals = 0;
    if (!read_draws(run, "dice", 1, run->die, &dies)) { return false; }
    if (!read_draws(run, "deal", 0, run->deal, &deals)) { return false; }
    dice_init_lists(&run->dice, run->die, dies, run->deal, deals);
    enum err err = normal_part(run->json, "position", &why);
    if (err == ERR_OK) {
        err = run->game->position_read(run->options, json_get(run->json, "position"),
                                       (struct state *)(void *)run->now, &why);
    }
    if (is_refused(run)) {
        return err != ERR_OK || fail(run->why, "the position is accepted, not refused");
    }
    if (err != ERR_OK) {
        return fail(run->why, "the position is refused: %s: %s", why.member, why.text);
    }
    const char *broken = run->game->check(state_of(run));
    return broken == NULL || fail(run->why, "the position breaks an invariant: %s", broken);
}

static bool play(struct run *run)
{
    const cJSON *steps = json_get(run->json, "steps");
    const cJSON *expect = json_get(run->json, "expect");
    if (is_refused(run)) { return true; }
    const cJSON *views = json_get(run->json, "views");
    if (!cJSON_IsArray(steps)) { return fail(run->why, "steps is no list"); }
    int number = 1;
    for (cJSON *i = steps->child; i != NULL; i = i->next, number++) {
        if (!run_step(run, i, number)) { return false; }
    }
    if (run->dice.die_at != run->dice.die_count) {
        return fail(run->why, "%u of %u dice were drawn", (unsigned)run->dice.die_at,
                    (unsigned)run->dice.die_count);
    }
    if (run->dice.deal_at != run->dice.deal_count) { return fail(run->why, "deals are left"); }
    if (expect != NULL && !check_expect(run, expect)) { return false; }
    for (const cJSON *i = views == NULL ? NULL : views->child; i != NULL; i = i->next) {
        if (!check_view(run, i)) { return false; }
    }
    return true;
}

bool case_run(struct cJSON *json, struct buf *out_why)
{
    static _Thread_local struct run run;
    memset(&run, 0, sizeof run);
    run.json = json;
    run.why = out_why;
    events_init(&run.events);
    bool good = normalise_rest(&run) && begin(&run) && play(&run);
    events_finish(&run.events);
    return good;
}
