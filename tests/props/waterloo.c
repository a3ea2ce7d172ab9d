/* tests/props/waterloo.c: what must hold in every match of Waterloo, however it is played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/wl.h"
#include "tests/props/field_waterloo.h"
#include "tests/props/kit.h"
#include "tests/props/match.h"

/* Two matches of three begin at the set-up; the third in the field, in every other of these on the
 * small board of the rules page, where everybody is near. */
static const char *start_of(uint64_t seed)
{
    return seed % 3 == 0 ? field_waterloo_start(seed, seed % 6 == 0) : NULL;
}

/* ---- what a viewer is told ---- */

/* W20.1, said once more and apart from the code under test: may this viewer know the unit by name?
 */
static bool may_know(const struct state *s, unsigned viewer, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    bool french = u < 18, own = viewer == VIEWER_ALL;
    if (viewer < SEATS_MAX) { own = own || (viewer == 0) == french; }
    if (own) { return true; }
    if (unit->gone != WL_ON_MAP) {
        bool response = s->step == WL_RESPOND || s->step == WL_PURSUIT_LOSS;
        bool phasing_is_french = s->slot % 2 == 1; /* W3.1 */
        bool answering = response && french != phasing_is_french;
        return !answering || s->seen_town[u] == WL_NONE; /* W20.5: told when the step ends */
    }
    if (unit->place == WL_ROUTED) { return unit->revealed != 0; }
    return s->step == WL_COMBAT && (unit->place == WL_COL || unit->place == WL_ADV);
}

/* Unit ids in a text, as a set. */
static uint64_t units_named(const char *text)
{
    uint64_t set = 0;
    for (const char *at = strchr(text, '-'); at != NULL; at = strchr(at + 1, '-')) {
        if (at - text < 2 || at[1] < 'A' || at[1] > 'R') { continue; }
        char id[5] = {at[-2], at[-1], '-', at[1], '\0'};
        unsigned u = wl_find_unit(id);
        if (u != WL_NONE) { set |= UINT64_C(1) << u; }
    }
    return set;
}

static uint64_t hidden_units(const struct state *s, unsigned viewer)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!may_know(s, viewer, u)) { set |= UINT64_C(1) << u; }
    }
    return set;
}

/* ---- how it is played ---- */

/* A form drawn at random; in four matches of five, three times of four one of those that taste
 * best. */
static const cJSON *any_form(struct kit *kit, const cJSON *forms)
{
    unsigned best = 0, seen = 0;
    const cJSON *found = NULL;
    bool greedy = kit->seed % 5 != 0 && draw_below(&kit->random, 4) != 0;
    for (const cJSON *form = forms->child; form != NULL; form = form->next) {
        unsigned score = greedy ? field_waterloo_taste(kit->now, form) : 0;
        if (found == NULL || score > best) {
            best = score;
            seen = 1;
            found = form;
        } else if (score == best && draw_below(&kit->random, ++seen) == 0) {
            found = form;
        }
    }
    return found;
}

/* Actions played, by name: a test of matches in which nobody ever fights would hold little. */
static const char *const action_names[] = {
    "place",       "confirm_setup",   "march",  "unmarch", "end_movement", "respond",
    "allot",       "end_response",    "deploy", "fire",    "move",         "retreat",
    "rout_routes", "end_combat_turn", "remove", NULL,
};

static bool is_ascending(const cJSON *numbers)
{
    for (const cJSON *i = numbers == NULL ? NULL : numbers->child; i != NULL; i = i->next) {
        if (i->next != NULL && i->next->valuedouble < i->valuedouble) { return false; }
    }
    return true;
}

/* W20.1, W20.3: dice of marches and of pursuit come sorted to an enemy, never by unit. */
static bool shows_sorted_dice(const char *events)
{
    cJSON *list = cJSON_Parse(events);
    bool sorted = list != NULL;
    for (const cJSON *event = list == NULL ? NULL : list->child; event != NULL;
         event = event->next) {
        const char *name = cJSON_GetObjectItemCaseSensitive(event, "ev")->valuestring;
        if (strcmp(name, "pursuit") == 0) {
            sorted = sorted && is_ascending(cJSON_GetObjectItemCaseSensitive(event, "dice"));
        }
        if (strcmp(name, "march_dice") != 0) { continue; }
        const cJSON *groups = cJSON_GetObjectItemCaseSensitive(event, "marches");
        for (const cJSON *g = groups == NULL ? NULL : groups->child; g != NULL; g = g->next) {
            sorted = sorted && is_ascending(cJSON_GetObjectItemCaseSensitive(g, "dice"));
        }
    }
    cJSON_Delete(list);
    return sorted;
}

START_TEST(no_hidden_unit_is_named_in_any_byte_W20_1)
{
    uint64_t view_bytes = 0, views = 0, event_bytes = 0, form_bytes = 0, forms = 0;
    size_t view_max = 0, event_max = 0, form_max = 0;
    for (unsigned i = 0; i < match_count((struct match_share){4, 3}); i++) {
        struct kit kit;
        struct buf text;
        match_begin(&kit, match_seed(i));
        buf_init(&text, MATCH_TEXT_MAX);
        while (!match_is_over(&kit)) {
            unsigned seat = 0;
            const char *action = match_pick(&kit, &seat);
            for (unsigned v = 0; v < VIEWER_ALL; v++) {
                if (!match_is_viewer(&kit, v)) { continue; }
                uint64_t hidden = hidden_units(kit.next, v);
                buf_reset(&text);
                kit.game->view(kit.next, v, &text);
                if ((units_named(buf_str(&text)) & hidden) != 0) {
                    kit_fail(&kit, v, action, "a view names a hidden unit", buf_str(&text));
                }
                view_bytes += text.len;
                views++;
                view_max = text.len > view_max ? text.len : view_max;
                buf_reset(&text);
                events_write(&kit.events, v, &text);
                /* Known before, or now, or out of the game in the open: the line may name it. */
                if ((units_named(buf_str(&text)) & hidden & hidden_units(kit.now, v)) != 0) {
                    kit_fail(&kit, v, action, "an event names a hidden unit", buf_str(&text));
                }
                if (!shows_sorted_dice(buf_str(&text))) {
                    kit_fail(&kit, v, action, "dice are not sorted", buf_str(&text));
                }
                event_bytes += text.len;
                event_max = text.len > event_max ? text.len : event_max;
                if (v >= kit.seats || (kit.game->to_act(kit.next) >> v & 1U) == 0) { continue; }
                buf_reset(&text);
                kit.game->actions(kit.next, v, &text);
                if ((units_named(buf_str(&text)) & hidden) != 0) {
                    kit_fail(&kit, v, action, "a form names a hidden unit", buf_str(&text));
                }
                form_bytes += text.len;
                forms++;
                form_max = text.len > form_max ? text.len : form_max;
            }
            kit_commit(&kit, seat, action);
            match_must_end(&kit);
        }
        buf_finish(&text);
        kit_end(&kit);
    }
    printf(
        "bytes: view %llu on average, %zu at most; events of a line %llu, %zu; forms %llu, %zu\n",
        (unsigned long long)(view_bytes / views), view_max,
        (unsigned long long)(event_bytes / views), event_max,
        (unsigned long long)(form_bytes / forms), form_max);
}
END_TEST

/* ---- hostile actions ---- */

/* A leaf or an array anywhere in an action, drawn at random. */
static cJSON *any_node(struct kit *kit, cJSON *root)
{
    cJSON *found = root;
    unsigned seen = 0;
    cJSON *stack[512];
    unsigned n = 0;
    stack[n++] = root;
    while (n > 0) {
        cJSON *node = stack[--n];
        if (node != root && draw_below(&kit->random, ++seen) == 0) { found = node; }
        for (cJSON *child = node->child; child != NULL && n < 512; child = child->next) {
            stack[n++] = child;
        }
    }
    return found;
}

/* Words that mean something somewhere. */
static const char *any_word(struct kit *kit)
{
    static const char *const words[] = {
        "",         "fight",         "retreat",    "all",          "none",        "advance",
        "withdraw", "redeploy",      "to_reserve", "from_reserve", "form_square", "break_square",
        "place",    "march",         "unmarch",    "end_movement", "respond",     "end_response",
        "allot",    "deploy",        "fire",       "move",         "rout_routes", "end_combat_turn",
        "remove",   "confirm_setup", "FR-Z",       "nowhere",
    };
    const struct wl_board *board = wl_board(kit->now);
    switch (draw_below(&kit->random, 3)) {
    case 0: return wl_unit_facts[draw_below(&kit->random, WL_UNITS)].id;
    case 1: return board->map.town_ids[draw_below(&kit->random, board->map.towns)];
    default: return words[draw_below(&kit->random, sizeof words / sizeof words[0])];
    }
}

static cJSON *any_value(struct kit *kit)
{
    static const double numbers[] = {
        -1, 0, 1, 2, 3, 4, 255, 256, 65536, 2147483648.0, 9007199254740991.0};
    cJSON *list = NULL;
    switch (draw_below(&kit->random, 6)) {
    case 0: return cJSON_CreateNumber(numbers[draw_below(&kit->random, 11)]);
    case 1: return cJSON_CreateBool(draw_below(&kit->random, 2) != 0);
    case 2: return cJSON_CreateArray();
    case 3: return cJSON_CreateObject();
    case 4:
        list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateString(any_word(kit)));
        return list;
    default: return cJSON_CreateString(any_word(kit));
    }
}

/* Spoils an action in one place. */
static void mutate(struct kit *kit, cJSON *action)
{
    cJSON *node = any_node(kit, action);
    static const char *const names[] = {"unit", "units", "town",   "battle",
                                        "to",   "path",  "forced", "x"};
    switch (draw_below(&kit->random, 6)) {
    case 0:
        if (cJSON_IsString(node)) {
            cJSON_SetValuestring(node, any_word(kit));
            break;
        }
        __attribute__((fallthrough));
    case 1: {
        cJSON *value = any_value(kit), *parent = NULL;
        if (node == action) {
            cJSON_AddItemToObject(action, names[draw_below(&kit->random, 8)], value);
            break;
        }
        /* Put in its place: find who holds it. */
        cJSON *stack[512];
        unsigned n = 0;
        stack[n++] = action;
        while (n > 0 && parent == NULL) {
            cJSON *at = stack[--n];
            for (cJSON *child = at->child; child != NULL && n < 512; child = child->next) {
                if (child == node) { parent = at; }
                stack[n++] = child;
            }
        }
        if (cJSON_IsObject(parent)) {
            cJSON_ReplaceItemViaPointer(parent, node,
                                        (value->string = strdup(node->string), value));
        } else {
            cJSON_ReplaceItemViaPointer(parent, node, value);
        }
        break;
    }
    case 2:
        if (node != action && cJSON_IsObject(action) && node->string != NULL &&
            cJSON_GetObjectItemCaseSensitive(action, node->string) == node) {
            cJSON_DeleteItemFromObjectCaseSensitive(action, node->string);
            break;
        }
        __attribute__((fallthrough));
    case 3:
        if (cJSON_IsArray(node) && node->child != NULL) {
            unsigned n = (unsigned)cJSON_GetArraySize(node);
            cJSON *item = cJSON_GetArrayItem(node, (int)draw_below(&kit->random, n));
            cJSON_AddItemToArray(node, cJSON_Duplicate(item, true));
        }
        break;
    case 4:
        if (cJSON_IsArray(node) && node->child != NULL) { cJSON_DeleteItemFromArray(node, 0); }
        break;
    default: {
        cJSON *object = cJSON_IsObject(node) ? node : action;
        const char *name = names[draw_below(&kit->random, 8)];
        if (cJSON_GetObjectItemCaseSensitive(object, name) == NULL) {
            cJSON_AddItemToObject(object, name, any_value(kit));
        }
    }
    }
}

/* ---- positions ---- */

/* A position written, read and written again is the same, and goes on the same. */
static void try_position(struct kit *kit)
{
    if (draw_below(&kit->random, 8) != 0) { return; }
    struct state *read = calloc(1, kit->game->state_bytes);
    struct buf first, second;
    cJSON *position = NULL;
    buf_init(&first, MATCH_TEXT_MAX);
    buf_init(&second, MATCH_TEXT_MAX);
    kit->game->position_write(kit->now, &first);
    ck_assert_int_eq(json_parse(buf_str(&first), first.len, &position), ERR_OK);
    ck_assert_int_eq(json_normalise(position, &kit->why), ERR_OK);
    why_clear(&kit->why);
    if (kit->game->position_read(kit->options, position, read, &kit->why) != ERR_OK) {
        kit_fail(kit, SEATS_MAX, NULL, "a position of play was refused", buf_str(&first));
    }
    kit->game->position_write(read, &second);
    if (strcmp(buf_str(&first), buf_str(&second)) != 0) {
        kit_fail(kit, SEATS_MAX, NULL, "a position read is another", buf_str(&second));
    }
    bool response = kit->now->step == WL_RESPOND || kit->now->step == WL_PURSUIT_LOSS;
    if (!response && memcmp(read, kit->now, kit->game->state_bytes) != 0) {
        kit_fail(kit, SEATS_MAX, NULL, "a state read is not the state written", NULL);
    }
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    const char *action = kit_pick(kit, forms);
    match_must_accept(kit, seat, action);
    buf_reset(&first);
    kit->game->position_write(kit->next, &first);
    if (kit->now->step == WL_PURSUIT_LOSS && kit->now->ended != 0) {
        /* Of an ally who has ended the step meanwhile the position has no member in this state. */
        goto out;
    }
    if (kit_try_on(kit, read, seat, action) != ERR_OK) {
        kit_fail(kit, seat, action, "a position read goes on otherwise", NULL);
    }
    buf_reset(&second);
    kit->game->position_write(kit->next, &second);
    if (strcmp(buf_str(&first), buf_str(&second)) != 0) {
        kit_fail(kit, seat, action, "a position read goes on otherwise", buf_str(&second));
    }
out:
    cJSON_Delete(forms);
    cJSON_Delete(position);
    buf_finish(&first);
    buf_finish(&second);
    free(read);
}

START_TEST(positions_are_written_and_read_without_loss)
{
    for (unsigned i = 0; i < match_count((struct match_share){4, 3}); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        match_play_out(&kit, try_position);
        kit_end(&kit);
    }
}
END_TEST

/* ---- twins ---- */

/* R74: the order of lists in an action shows an enemy nothing. Those of which no forced march hangs
 * (its dice go by order) are shuffled; paths are no lists of that kind. */
static void shuffle_lists(struct kit *kit, cJSON *node)
{
    for (cJSON *child = node->child; child != NULL; child = child->next) {
        bool path = child->string != NULL && strcmp(child->string, "path") == 0;
        if (!path) { shuffle_lists(kit, child); }
    }
    if (!cJSON_IsArray(node)) { return; }
    for (unsigned n = (unsigned)cJSON_GetArraySize(node); n > 1; n--) {
        unsigned k = draw_below(&kit->random, n);
        cJSON *item = cJSON_DetachItemFromArray(node, (int)k);
        cJSON_AddItemToArray(node, item);
    }
}

/* The action as an enemy of the viewer might as well have written it. */
static void rewrite(struct kit *kit, unsigned viewer, unsigned seat, struct buf *text)
{
    bool own = viewer < kit->seats && (viewer == 0) == (seat == 0);
    if (own || strstr(buf_str(text), "\"forced\":true") != NULL) { return; }
    cJSON *action = cJSON_Parse(buf_str(text));
    shuffle_lists(kit, action);
    char *other = cJSON_PrintUnformatted(action);
    buf_reset(text);
    buf_append_str(text, other);
    free(other);
    cJSON_Delete(action);
}

/* Questions about every unit, own and not: the same answers, refusals too. */
static void ask_all(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out)
{
    for (unsigned u = 0; u < WL_UNITS; u += 5) {
        char text[64];
        snprintf(text, sizeof text, "{\"ask\":\"reach\",\"unit\":\"%s\"}", wl_unit_facts[u].id);
        match_ask(kit, s, viewer, text, out);
    }
}

/* ---- seats that leave ---- */

/* Now and then, oftener amid an answer or a battle, a seat gives up; true if one did. */
static bool some_seat_leaves(struct kit *kit)
{
    static const unsigned odds[WL_STEPS] = {
        [WL_SETUP_ALLIED] = 40, [WL_SETUP_FRENCH] = 40, [WL_MOVE] = 400,
        [WL_RESPOND] = 5,       [WL_PURSUIT_LOSS] = 2,  [WL_DEPLOY_DEF] = 10,
        [WL_DEPLOY_ATT] = 10,   [WL_COMBAT] = 60,       [WL_SUPPLY] = 5,
    };
    unsigned who = draw_below(&kit->random, kit->seats), step = kit->now->step;
    if (draw_below(&kit->random, odds[step]) != 0) { return false; }
    if (((unsigned)kit->now->departed >> who & 1U) != 0) { return false; }
    /* Two players and the French end it; of the allies the second to leave. */
    bool ends = kit->seats == 2 || who == 0 || kit->now->departed != 0;
    if (kit_try_leave(kit, who) != ERR_OK) {
        kit_fail(kit, who, NULL, "a seat could not leave", NULL);
    }
    const char *broken = kit->game->check(kit->next);
    if (broken != NULL) { kit_fail(kit, who, NULL, "a leaver broke an invariant", broken); }
    if (ends != (kit->game->to_act(kit->next) == 0)) {
        kit_fail(kit, who, NULL, "the match ends, or not, against W18.9", NULL);
    }
    kit_commit(kit, who, NULL);
    return true;
}

START_TEST(a_match_goes_on_or_ends_when_seats_leave_W18_9)
{
    unsigned left[WL_STEPS] = {0};
    for (unsigned i = 0; i < match_count((struct match_share){1, 8}); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        while (!match_is_over(&kit)) {
            unsigned seat = 0, step = kit.now->step;
            if (some_seat_leaves(&kit)) {
                left[step]++;
                continue;
            }
            if (kit.now->departed != 0) { try_position(&kit); }
            const char *action = match_pick(&kit, &seat);
            kit_commit(&kit, seat, action);
            match_must_end(&kit);
        }
        kit_end(&kit);
    }
    printf("seats left in steps");
    for (unsigned step = 0; step < WL_STEPS; step++) {
        printf(" %u", left[step]);
    }
    printf("\n");
}
END_TEST

/* ---- how fast ---- */

START_TEST(forms_and_views_are_made_quickly)
{
    enum { ROUNDS = 20 };
    double form_s = 0, view_s = 0;
    unsigned forms = 0, views = 0;
    struct kit kit;
    struct buf text;
    buf_init(&text, MATCH_TEXT_MAX);
    match_begin(&kit, match_seed(0));
    while (!match_is_over(&kit)) {
        unsigned seat = 0;
        if (kit.count % 8 == 0) {
            double from = match_now_s();
            for (unsigned n = 0; n < ROUNDS; n++) {
                buf_reset(&text);
                kit.game->actions(kit.now, kit_any_seat(&kit), &text);
            }
            form_s += match_now_s() - from;
            forms += ROUNDS;
            from = match_now_s();
            for (unsigned n = 0; n < ROUNDS; n++) {
                buf_reset(&text);
                kit.game->view(kit.now, n % kit.seats, &text);
            }
            view_s += match_now_s() - from;
            views += ROUNDS;
        }
        const char *action = match_pick(&kit, &seat);
        kit_commit(&kit, seat, action);
    }
    printf("forms %.1f us, view %.1f us on average\n", form_s / forms * 1e6, view_s / views * 1e6);
    buf_finish(&text);
    kit_end(&kit);
}
END_TEST

static bool is_word(const char *line, const char *word)
{
    char start[40];
    snprintf(start, sizeof start, "{\"do\":\"%s\"", word);
    return strncmp(line, start, strlen(start)) == 0;
}

static void add(TCase *tests)
{
    tcase_add_test(tests, no_hidden_unit_is_named_in_any_byte_W20_1);
    tcase_add_test(tests, positions_are_written_and_read_without_loss);
    tcase_add_test(tests, a_match_goes_on_or_ends_when_seats_leave_W18_9);
    tcase_add_test(tests, forms_and_views_are_made_quickly);
}

static const struct match_game waterloo = {
    .name = "waterloo",
    .lines_max = 40000,
    .options = field_waterloo_options,
    .start = start_of,
    .any_form = any_form,
    .result = "\"winner\"",
    .words = action_names,
    .is_word = is_word,
    .picks = 3,
    .has_quiet_lines = true,
    .mutate = mutate,
    .mutants = 4,
    .rules_begin = "W",
    .turn_is_cited = true,
    .ask = ask_all,
    .rewrite = rewrite,
    .all_picks = {8, 3},
    .quiet = {4, 3},
    .spoilt = {4, 3},
    .twins = {4, 3},
    .kept = {2, 6},
    .add = add,
};

int main(void)
{
    return match_main(&waterloo);
}
