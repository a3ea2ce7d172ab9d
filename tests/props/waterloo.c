/* tests/props/waterloo.c: what must hold in every match of Waterloo, however it is played (STYLE
 * section 6).
 *
 * VEDETTE_MATCHES (default 100) scales all tests, VEDETTE_SEED (default 1) is the first seed: match
 * i of a test has seed VEDETTE_SEED + i and is played again from it alone with VEDETTE_MATCHES=1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/wl.h"
#include "tests/props/kit.h"

enum { LINES_MAX = 40000, FORMS_BYTES_MAX = 8192, TEXT_MAX = 1 << 20 };

static unsigned matches = 100;
static uint64_t first_seed = 1;

/* Options by seed: two and three seats, both optional rules, short and full matches. */
static const char *options_of(uint64_t seed)
{
    static char text[128];
    static const int turns[] = {24, 6, 24, 12};
    snprintf(text, sizeof text,
             "{\"players\":%d,\"morale\":%s,\"command_control\":%s,\"turns\":%d}",
             seed % 2 == 0 ? 2 : 3, (seed / 2) % 2 == 0 ? "false" : "true",
             (seed / 4) % 2 == 0 ? "false" : "true", turns[(seed / 8) % 4]);
    return text;
}

/* Two matches of three begin at the set-up; the third in the field, with the armies in a few large
 * stacks close to each other and some blocks worn: battles from the first turn on. */
static const char *start_of(uint64_t seed)
{
    static char text[4096];
    enum { STACKS = 4 };
    if (seed % 3 != 0) { return NULL; }
    uint64_t random = seed ^ UINT64_C(0xf1e1d);
    bool fixture = seed % 6 == 0; /* the small board of the rules page, where everybody is near */
    const struct pmap *map = &wl_boards[fixture ? WL_BASE_FIXTURE : WL_BASE_REAL].map;
    unsigned towns[2][STACKS];
    uint64_t taken = 0;
    unsigned at = kit_below(&random, map->towns);
    for (unsigned i = 0; i < 2 * STACKS; i++) {
        /* A walk through the land: each stack is near the last. */
        while ((taken >> at & 1U) != 0) {
            at = map->link[at][kit_below(&random, map->degree[at])].town;
        }
        taken |= UINT64_C(1) << at;
        towns[i % 2][i / 2] = at;
    }
    size_t n = (size_t)snprintf(text, sizeof text, "{\"base\":\"%s\",\"slot\":%u,\"units\":{",
                                fixture ? "fixture" : "real", 1 + kit_below(&random, 5));
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit_fact *fact = &wl_unit_facts[u];
        unsigned stack = kit_below(&random, STACKS), cv = fact->cv;
        if (kit_below(&random, 3) == 0) { cv = 1 + kit_below(&random, cv); }
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":{\"town\":\"%s\",\"cv\":%u}",
                              u == 0 ? "" : ",", fact->id,
                              map->town_ids[towns[u < 18 ? 0 : 1][stack]], cv);
    }
    snprintf(text + n, sizeof text - n, "}}");
    return text;
}

/* One part of the matches, at least min: for tests that do much at every line. */
static unsigned share(unsigned part, unsigned min)
{
    if (matches == 1) { return 1; } /* one seed is being looked at */
    return matches / part > min ? matches / part : min;
}

static void begin(struct kit *kit, uint64_t seed)
{
    kit_begin(kit, "waterloo", options_of(seed), start_of(seed), seed);
}

/* ---- what a viewer is told ---- */

/* All that one viewer can see of a state. */
static void look(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out)
{
    uint32_t to_act = 0, waits_for = 0;
    jw_object_begin(out);
    kit->game->view(s, viewer, out);
    if (viewer < kit->seats) {
        jw_key(out, "actions");
        kit->game->actions(s, viewer, out);
    }
    kit->game->shown(s, viewer, &to_act, &waits_for);
    jw_key_int(out, "shown_to_act", to_act);
    jw_key_int(out, "shown_waits_for", waits_for);
    jw_object_end(out);
}

/* The viewers of a match: its seats, the public, and one of all. */
static bool is_viewer(const struct kit *kit, unsigned viewer)
{
    return viewer < kit->seats || viewer == VIEWER_PUBLIC || viewer == VIEWER_ALL;
}

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

/* ---- one accepted line, with what always must hold ---- */

static void must_accept(struct kit *kit, unsigned seat, const char *action)
{
    if (kit_try(kit, seat, action) != ERR_OK) {
        kit_fail(kit, seat, action, "an offered action was refused", NULL);
    }
    const char *broken = kit->game->check(kit->next);
    if (broken != NULL) { kit_fail(kit, seat, action, "an invariant is broken", broken); }
}

/* Taste for battle: how much a form leads to one. Play without it wanders about and never fights.
 */
static unsigned taste(const struct kit *kit, const cJSON *form)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(form, "do");
    const cJSON *choice = cJSON_GetObjectItemCaseSensitive(form, "choice");
    const cJSON *marches = cJSON_GetObjectItemCaseSensitive(form, "marches");
    if (cJSON_IsString(choice)) { return strcmp(choice->valuestring, "fight") == 0; }
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(form, "kind");
    if (strcmp(name->valuestring, "fire") == 0) { return 2; }
    if (kind != NULL) { return strcmp(kind->valuestring, "advance") == 0 ? 2 : 0; }
    if (strcmp(name->valuestring, "end_movement") == 0) {
        return cJSON_GetObjectItemCaseSensitive(form, "pursuit") == NULL ? 0 : 2;
    }
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(marches, "any_of"), 0);
    if (item == NULL) { return 0; }
    const cJSON *path = cJSON_GetObjectItemCaseSensitive(item, "path");
    const cJSON *to = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(path, "list"), 0);
    unsigned town = pmap_town(&wl_board(kit->now)->map, to->valuestring);
    unsigned phasing = kit->now->slot % 2 == 1 ? 0 : 1; /* W3.1 */
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool enemy = (u < 18) != (phasing == 0);
        if (enemy && kit->now->unit[u].town == town && kit->now->unit[u].cv > 0) { return 3; }
    }
    return 1;
}

/* A form drawn at random; in four matches of five, three times of four one of those that taste
 * best. */
static const cJSON *any_form(struct kit *kit, const cJSON *forms)
{
    unsigned best = 0, seen = 0;
    const cJSON *found = NULL;
    bool greedy = kit->seed % 5 != 0 && kit_below(&kit->random, 4) != 0;
    for (const cJSON *form = forms->child; form != NULL; form = form->next) {
        unsigned score = greedy ? taste(kit, form) : 0;
        if (found == NULL || score > best) {
            best = score;
            seen = 1;
            found = form;
        } else if (score == best && kit_below(&kit->random, ++seen) == 0) {
            found = form;
        }
    }
    return found;
}

/* Picks and tries one action of a seat that may act; it is for the caller to commit. */
static const char *pick_line(struct kit *kit, unsigned *out_seat)
{
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    if (cJSON_GetArraySize(forms) == 0) {
        kit_fail(kit, seat, NULL, "a seat that may act is offered nothing", NULL);
    }
    if (kit->forms.len > FORMS_BYTES_MAX) {
        kit_fail(kit, seat, NULL, "the forms are too large", buf_str(&kit->forms));
    }
    const char *action = kit_pick(kit, any_form(kit, forms));
    cJSON_Delete(forms);
    must_accept(kit, seat, action);
    *out_seat = seat;
    return action;
}

static bool is_over(const struct kit *kit)
{
    return kit->game->to_act(kit->now) == 0;
}

static void must_end(struct kit *kit)
{
    if (kit->count > LINES_MAX) {
        kit_fail(kit, SEATS_MAX, NULL, "random play does not end", NULL);
    }
}

typedef void each_fn(struct kit *kit);

/* Plays a match to its end; each is called before every line. */
static unsigned play_out(struct kit *kit, each_fn *each)
{
    while (!is_over(kit)) {
        unsigned seat = 0;
        if (each != NULL) { each(kit); }
        if (is_over(kit)) { break; }
        const char *action = pick_line(kit, &seat);
        kit_commit(kit, seat, action);
        must_end(kit);
    }
    return kit->count;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- the tests ---- */

/* Actions played, by name: a test of matches in which nobody ever fights would hold little. */
static const char *const action_names[] = {
    "place",   "confirm_setup", "march",        "unmarch",         "end_movement",
    "respond", "allot",         "end_response", "deploy",          "fire",
    "move",    "retreat",       "rout_routes",  "end_combat_turn", "remove",
};
enum { ACTION_NAMES = sizeof action_names / sizeof action_names[0] };

static void count_actions(const struct kit *kit, unsigned counts[ACTION_NAMES])
{
    for (unsigned k = 0; k < kit->count; k++) {
        for (unsigned a = 0; a < ACTION_NAMES; a++) {
            char start[40];
            snprintf(start, sizeof start, "{\"do\":\"%s\"", action_names[a]);
            counts[a] += strncmp(kit->lines[k].text, start, strlen(start)) == 0;
        }
    }
}

START_TEST(random_matches_end_and_replay_the_same)
{
    unsigned counts[ACTION_NAMES] = {0};
    uint64_t lines = 0;
    double played = 0;
    unsigned longest = 0;
    for (unsigned i = 0; i < matches; i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        double from = now_s();
        unsigned n = play_out(&kit, NULL);
        played += now_s() - from;
        lines += n;
        longest = n > longest ? n : longest;
        struct buf result;
        buf_init(&result, 1 << 12);
        kit.game->result(kit.now, &result);
        if (strstr(buf_str(&result), "\"winner\"") == NULL) {
            kit_fail(&kit, SEATS_MAX, NULL, "a match without a winner", buf_str(&result));
        }
        buf_finish(&result);
        kit.count = 0; /* replayed from the options, the keys and the lines alone */
        kit_restart(&kit);
        for (unsigned k = 0; k < n; k++) {
            const struct kit_line line = kit.lines[k];
            must_accept(&kit, line.seat, line.text);
            if (kit_hash(&kit, kit.next) != line.after) {
                kit_fail(&kit, line.seat, line.text, "replay is not what was played", NULL);
            }
            struct state *old = kit.now;
            kit.now = kit.next;
            kit.next = old;
            kit.dice = kit.dice_next;
            dice_next_line(&kit.dice);
        }
        ck_assert_uint_eq(kit.game->to_act(kit.now), 0);
        kit.count = n;
        count_actions(&kit, counts);
        kit_end(&kit);
    }
    for (unsigned a = 0; a < ACTION_NAMES; a++) {
        printf("%s %u, ", action_names[a], counts[a]);
    }
    printf("\n%u matches, %llu lines, longest %u, %.0f lines/s with forms, pick, apply and check\n",
           matches, (unsigned long long)lines, longest, (double)lines / played);
}
END_TEST

/* Picks several times from every single form that every acting seat has. */
static void try_all_forms(struct kit *kit)
{
    if (kit_below(&kit->random, 4) != 0) { return; }
    for (unsigned seat = 0; seat < kit->seats; seat++) {
        if ((kit->game->to_act(kit->now) >> seat & 1U) == 0) { continue; }
        cJSON *forms = kit_forms(kit, seat);
        for (const cJSON *form = forms->child; form != NULL; form = form->next) {
            for (unsigned i = 0; i < 3; i++) {
                must_accept(kit, seat, kit_pick(kit, form));
            }
        }
        cJSON_Delete(forms);
    }
}

START_TEST(every_pick_from_every_form_is_accepted)
{
    for (unsigned i = 0; i < share(8, 3); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_all_forms);
        kit_end(&kit);
    }
}
END_TEST

START_TEST(a_line_that_told_a_viewer_nothing_changes_nothing_for_it)
{
    unsigned quiet = 0, told = 0;
    for (unsigned i = 0; i < share(4, 3); i++) {
        struct kit kit;
        struct buf before[VIEWERS], after;
        begin(&kit, first_seed + i);
        buf_init(&after, TEXT_MAX);
        for (unsigned v = 0; v < VIEWERS; v++) {
            buf_init(&before[v], TEXT_MAX);
            if (is_viewer(&kit, v)) { look(&kit, kit.now, v, &before[v]); }
        }
        while (!is_over(&kit)) {
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            for (unsigned v = 0; v < VIEWERS; v++) {
                if (!is_viewer(&kit, v)) { continue; }
                buf_reset(&after);
                look(&kit, kit.next, v, &after);
                bool same = after.len == before[v].len &&
                            memcmp(after.data, before[v].data, after.len) == 0;
                bool was_told = (kit.events.told >> v & 1U) != 0;
                if (!was_told && !same) {
                    printf("viewer %u\nbefore %s\nafter  %s\n", v, buf_str(&before[v]),
                           buf_str(&after));
                    kit_fail(&kit, seat, action, "a view changed without an event", NULL);
                }
                *(was_told ? &told : &quiet) += 1;
                struct buf old = before[v];
                before[v] = after;
                after = old;
            }
            kit_commit(&kit, seat, action);
            must_end(&kit);
        }
        for (unsigned v = 0; v < VIEWERS; v++) {
            buf_finish(&before[v]);
        }
        buf_finish(&after);
        kit_end(&kit);
    }
    printf("%u lines told to a viewer, %u quiet for it\n", told, quiet);
    ck_assert_uint_gt(quiet, 0);
}
END_TEST

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
    for (unsigned i = 0; i < share(4, 3); i++) {
        struct kit kit;
        struct buf text;
        begin(&kit, first_seed + i);
        buf_init(&text, TEXT_MAX);
        while (!is_over(&kit)) {
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            for (unsigned v = 0; v < VIEWER_ALL; v++) {
                if (!is_viewer(&kit, v)) { continue; }
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
            must_end(&kit);
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
        if (node != root && kit_below(&kit->random, ++seen) == 0) { found = node; }
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
    switch (kit_below(&kit->random, 3)) {
    case 0: return wl_unit_facts[kit_below(&kit->random, WL_UNITS)].id;
    case 1: return board->map.town_ids[kit_below(&kit->random, board->map.towns)];
    default: return words[kit_below(&kit->random, sizeof words / sizeof words[0])];
    }
}

static cJSON *any_value(struct kit *kit)
{
    static const double numbers[] = {
        -1, 0, 1, 2, 3, 4, 255, 256, 65536, 2147483648.0, 9007199254740991.0};
    cJSON *list = NULL;
    switch (kit_below(&kit->random, 6)) {
    case 0: return cJSON_CreateNumber(numbers[kit_below(&kit->random, 11)]);
    case 1: return cJSON_CreateBool(kit_below(&kit->random, 2) != 0);
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
    switch (kit_below(&kit->random, 6)) {
    case 0:
        if (cJSON_IsString(node)) {
            cJSON_SetValuestring(node, any_word(kit));
            break;
        }
        __attribute__((fallthrough));
    case 1: {
        cJSON *value = any_value(kit), *parent = NULL;
        if (node == action) {
            cJSON_AddItemToObject(action, names[kit_below(&kit->random, 8)], value);
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
            cJSON *item = cJSON_GetArrayItem(node, (int)kit_below(&kit->random, n));
            cJSON_AddItemToArray(node, cJSON_Duplicate(item, true));
        }
        break;
    case 4:
        if (cJSON_IsArray(node) && node->child != NULL) { cJSON_DeleteItemFromArray(node, 0); }
        break;
    default: {
        cJSON *object = cJSON_IsObject(node) ? node : action;
        const char *name = names[kit_below(&kit->random, 8)];
        if (cJSON_GetObjectItemCaseSensitive(object, name) == NULL) {
            cJSON_AddItemToObject(object, name, any_value(kit));
        }
    }
    }
}

static unsigned mutants_refused, mutants_accepted;

/* A spoilt action is refused for a rule or a member, or it is a legal one by chance. */
static void try_mutants(struct kit *kit)
{
    if (kit_below(&kit->random, 2) != 0) { return; }
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    uint64_t before = kit_hash(kit, kit->now);
    for (unsigned i = 0; i < 4; i++) {
        const char *picked = kit_pick(kit, forms);
        cJSON *action = cJSON_Parse(picked);
        for (unsigned n = 1 + kit_below(&kit->random, 3); n > 0; n--) {
            mutate(kit, action);
        }
        char *text = cJSON_PrintUnformatted(action);
        unsigned as = kit_below(&kit->random, 8) == 0 ? kit_below(&kit->random, kit->seats) : seat;
        enum err err = kit_try(kit, as, text);
        const char *broken = err == ERR_OK ? kit->game->check(kit->next) : NULL;
        if (broken != NULL) {
            kit_fail(kit, as, text, "a spoilt action broke an invariant", broken);
        }
        bool cited = err == ERR_OK || (err == ERR_ILLEGAL_ACTION && kit->why.rule[0] == 'W') ||
                     (err == ERR_INVALID_PARAMS && kit->why.member[0] != '\0') ||
                     (err == ERR_NOT_YOUR_TURN && kit->why.rule[0] == 'W');
        if (!cited) { kit_fail(kit, as, text, "a refusal cites nothing", err_kind(err)); }
        *(err == ERR_OK ? &mutants_accepted : &mutants_refused) += 1;
        free(text);
        cJSON_Delete(action);
    }
    ck_assert_uint_eq(before, kit_hash(kit, kit->now));
    cJSON_Delete(forms);
}

START_TEST(a_spoilt_action_is_refused_with_its_rule_or_legal)
{
    for (unsigned i = 0; i < share(4, 3); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_mutants);
        kit_end(&kit);
    }
    printf("%u spoilt actions refused, %u legal by chance\n", mutants_refused, mutants_accepted);
}
END_TEST

/* ---- positions ---- */

/* A position written, read and written again is the same, and goes on the same. */
static void try_position(struct kit *kit)
{
    if (kit_below(&kit->random, 8) != 0) { return; }
    struct state *read = calloc(1, kit->game->state_bytes);
    struct buf first, second;
    cJSON *position = NULL;
    buf_init(&first, TEXT_MAX);
    buf_init(&second, TEXT_MAX);
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
    must_accept(kit, seat, action);
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
    for (unsigned i = 0; i < share(4, 3); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_position);
        kit_end(&kit);
    }
}
END_TEST

/* ---- twins ---- */

/* An action under the names that the twin gives its hidden pieces. */
static void rename_units(const char *action, const cJSON *names, struct buf *out)
{
    buf_reset(out);
    for (const char *at = action; *at != '\0'; at++) {
        bool id = at[0] == '"' && strlen(at) > 5 && at[3] == '-' && at[5] == '"';
        if (id) {
            char own[5] = {at[1], at[2], '-', at[4], '\0'};
            const cJSON *name = cJSON_GetObjectItemCaseSensitive(names, own);
            buf_append_char(out, '"');
            buf_append_str(out, name == NULL ? own : name->valuestring);
            at += 5;
        }
        buf_append_char(out, *at);
    }
}

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
        unsigned k = kit_below(&kit->random, n);
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

struct pair {
    struct state *twin;
    cJSON *names;
    unsigned viewer;
    struct buf here, there, renamed;
};

static void pair_begin(struct kit *kit, unsigned viewer, struct pair *pair)
{
    struct dice dice = kit->dice;
    memset(pair, 0, sizeof *pair);
    pair->viewer = viewer;
    pair->twin = calloc(1, kit->game->state_bytes);
    buf_init(&pair->here, TEXT_MAX);
    buf_init(&pair->there, TEXT_MAX);
    buf_init(&pair->renamed, TEXT_MAX);
    dice.mask = kit_random(&kit->random) >> 8;
    kit->game->twin(kit->now, viewer, &dice, pair->twin, &pair->renamed);
    ck_assert_int_eq(json_parse(buf_str(&pair->renamed), pair->renamed.len, &pair->names), ERR_OK);
    const char *broken = kit->game->check(pair->twin);
    if (broken != NULL) { kit_fail(kit, viewer, NULL, "a twin breaks an invariant", broken); }
}

static void pair_end(struct pair *pair)
{
    free(pair->twin);
    cJSON_Delete(pair->names);
    buf_finish(&pair->here);
    buf_finish(&pair->there);
    buf_finish(&pair->renamed);
}

/* Questions about every unit, own and not: the same answers, refusals too. */
static void ask_all(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out)
{
    for (unsigned u = 0; u < WL_UNITS; u += 5) {
        char text[64];
        snprintf(text, sizeof text, "{\"ask\":\"reach\",\"unit\":\"%s\"}", wl_unit_facts[u].id);
        cJSON *question = cJSON_Parse(text);
        struct why why;
        why_clear(&why);
        enum err err = kit->game->ask(s, viewer, question, out, &why);
        jw_int(out, err);
        jw_str(out, why.text);
        cJSON_Delete(question);
    }
}

static void must_look_alike(struct kit *kit, struct pair *pair, const char *action)
{
    buf_reset(&pair->here);
    buf_reset(&pair->there);
    look(kit, kit->now, pair->viewer, &pair->here);
    look(kit, pair->twin, pair->viewer, &pair->there);
    ask_all(kit, kit->now, pair->viewer, &pair->here);
    ask_all(kit, pair->twin, pair->viewer, &pair->there);
    if (strcmp(buf_str(&pair->here), buf_str(&pair->there)) != 0) {
        printf("here  %s\nthere %s\n", buf_str(&pair->here), buf_str(&pair->there));
        kit_fail(kit, pair->viewer, action, "a viewer can tell twins apart", NULL);
    }
}

/* Whether an action is refused, and in what words, never depends on what its seat may not know. */
static void must_refuse_alike(struct kit *kit, struct pair *pair)
{
    unsigned seat = pair->viewer;
    if (seat >= kit->seats || (kit->game->to_act(kit->now) >> seat & 1U) == 0) { return; }
    cJSON *forms = kit_forms(kit, seat);
    for (unsigned i = 0; i < 8; i++) {
        cJSON *action = cJSON_Parse(kit_pick(kit, forms));
        for (unsigned n = kit_below(&kit->random, 3); n > 0; n--) {
            mutate(kit, action);
        }
        char *text = cJSON_PrintUnformatted(action);
        enum err here = kit_try(kit, seat, text);
        struct why why = kit->why;
        bool sealed = kit->events.sealed || dice_was_drawn(&kit->dice_next);
        enum err there = kit_try_on(kit, pair->twin, seat, text);
        if (here != there || memcmp(&why, &kit->why, sizeof why) != 0) {
            kit_fail(kit, seat, text, "a refusal tells twins apart", why.text);
        }
        /* A list that goes on after a sealed action is refused, and a try says so (PROTOCOL 4). */
        if (sealed != (kit->events.sealed || dice_was_drawn(&kit->dice_next))) {
            kit_fail(kit, seat, text, "what seals tells twins apart", NULL);
        }
        free(text);
        cJSON_Delete(action);
    }
    cJSON_Delete(forms);
}

START_TEST(twins_look_alike_and_refuse_alike)
{
    unsigned twins = 0, moved = 0;
    for (unsigned i = 0; i < share(4, 3); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        while (!is_over(&kit)) {
            for (unsigned v = 0; v <= VIEWER_PUBLIC; v++) {
                if (!is_viewer(&kit, v) || kit_below(&kit.random, 16) != 0) { continue; }
                struct pair pair;
                pair_begin(&kit, v, &pair);
                must_look_alike(&kit, &pair, NULL);
                must_refuse_alike(&kit, &pair);
                twins++;
                moved += (unsigned)cJSON_GetArraySize(pair.names);
                pair_end(&pair);
            }
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            kit_commit(&kit, seat, action);
            must_end(&kit);
        }
        kit_end(&kit);
    }
    printf("%u twins, %u pieces under other names\n", twins, moved);
    ck_assert_uint_gt(moved, twins);
}
END_TEST

/* Plays the match and its twin side by side: true while the viewer must not tell them apart. */
static bool pair_line(struct kit *kit, struct pair *pair, struct state *scratch)
{
    unsigned seat = 0;
    const char *action = pick_line(kit, &seat);
    bool told = (kit->events.told >> pair->viewer & 1U) != 0;
    bool reveals = (kit->events.reveals >> pair->viewer & 1U) != 0;
    buf_reset(&pair->here);
    events_write(&kit->events, pair->viewer, &pair->here);
    memcpy(scratch, kit->next, kit->game->state_bytes);
    struct dice dice = kit->dice_next;
    rename_units(action, pair->names, &pair->renamed);
    rewrite(kit, pair->viewer, seat, &pair->renamed);
    if (kit_try_on(kit, pair->twin, seat, buf_str(&pair->renamed)) != ERR_OK) {
        /* Impossible there: the pair ends, the match goes on without it. */
        must_accept(kit, seat, action);
        kit_commit(kit, seat, action);
        return false;
    }
    memcpy(pair->twin, kit->next, kit->game->state_bytes);
    reveals = reveals || (kit->events.reveals >> pair->viewer & 1U) != 0;
    bool told_there = (kit->events.told >> pair->viewer & 1U) != 0;
    buf_reset(&pair->there);
    events_write(&kit->events, pair->viewer, &pair->there);
    bool same = strcmp(buf_str(&pair->here), buf_str(&pair->there)) == 0 && told == told_there;
    if (!reveals && !same) {
        printf("here  %s\nthere %s\n", buf_str(&pair->here), buf_str(&pair->there));
        kit_fail(kit, pair->viewer, action, "twins tell their viewer different things", NULL);
    }
    memcpy(kit->next, scratch, kit->game->state_bytes);
    kit->dice_next = dice;
    kit_commit(kit, seat, action);
    if (reveals) { return false; }
    must_look_alike(kit, pair, action);
    return true;
}

START_TEST(twins_play_alike_until_something_is_revealed)
{
    unsigned pairs = 0, lines = 0;
    for (unsigned i = 0; i < share(4, 3); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        struct state *scratch = calloc(1, kit.game->state_bytes);
        while (!is_over(&kit)) {
            unsigned viewer = kit_below(&kit.random, kit.seats + 1);
            struct pair pair;
            pair_begin(&kit, viewer == kit.seats ? VIEWER_PUBLIC : viewer, &pair);
            pairs++;
            for (unsigned n = 0; n < 60 && !is_over(&kit); n++) {
                lines++;
                if (!pair_line(&kit, &pair, scratch)) { break; }
            }
            pair_end(&pair);
            must_end(&kit);
        }
        free(scratch);
        kit_end(&kit);
    }
    printf("%u pairs of twins, %u lines side by side\n", pairs, lines);
}
END_TEST

/* ---- seats that leave, caretakers ---- */

/* Now and then, oftener amid an answer or a battle, a seat gives up; true if one did. */
static bool some_seat_leaves(struct kit *kit)
{
    static const unsigned odds[WL_STEPS] = {
        [WL_SETUP_ALLIED] = 40, [WL_SETUP_FRENCH] = 40, [WL_MOVE] = 400,
        [WL_RESPOND] = 5,       [WL_PURSUIT_LOSS] = 2,  [WL_DEPLOY_DEF] = 10,
        [WL_DEPLOY_ATT] = 10,   [WL_COMBAT] = 60,       [WL_SUPPLY] = 5,
    };
    unsigned who = kit_below(&kit->random, kit->seats), step = kit->now->step;
    if (kit_below(&kit->random, odds[step]) != 0) { return false; }
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
    for (unsigned i = 0; i < share(1, 8); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        while (!is_over(&kit)) {
            unsigned seat = 0, step = kit.now->step;
            if (some_seat_leaves(&kit)) {
                left[step]++;
                continue;
            }
            if (kit.now->departed != 0) { try_position(&kit); }
            const char *action = pick_line(&kit, &seat);
            kit_commit(&kit, seat, action);
            must_end(&kit);
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

/* The caretaker plays some seats, or takes the place of one for a line now and then, chance plays
 * the rest: always legal, and the match ends. */
START_TEST(a_caretaker_always_has_a_legal_action)
{
    for (unsigned i = 0; i < share(2, 6); i++) {
        struct kit kit;
        struct buf action;
        buf_init(&action, 1 << 16);
        begin(&kit, first_seed + i);
        unsigned kept = kit_below(&kit.random, 1U << kit.seats);
        while (!is_over(&kit)) {
            unsigned seat = kit_any_seat(&kit);
            if ((kept >> seat & 1U) != 0 || kit_below(&kit.random, 4) == 0) {
                buf_reset(&action);
                enum err err = kit.game->obey(kit.now, seat, NULL, &action);
                if (err != ERR_OK) {
                    kit_fail(&kit, seat, NULL, "a caretaker knows nothing to do", err_kind(err));
                }
                must_accept(&kit, seat, buf_str(&action));
                kit_commit(&kit, seat, buf_str(&action));
            } else {
                const char *picked = pick_line(&kit, &seat);
                kit_commit(&kit, seat, picked);
            }
            must_end(&kit);
        }
        buf_finish(&action);
        kit_end(&kit);
    }
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
    buf_init(&text, TEXT_MAX);
    begin(&kit, first_seed);
    while (!is_over(&kit)) {
        unsigned seat = 0;
        if (kit.count % 8 == 0) {
            double from = now_s();
            for (unsigned n = 0; n < ROUNDS; n++) {
                buf_reset(&text);
                kit.game->actions(kit.now, kit_any_seat(&kit), &text);
            }
            form_s += now_s() - from;
            forms += ROUNDS;
            from = now_s();
            for (unsigned n = 0; n < ROUNDS; n++) {
                buf_reset(&text);
                kit.game->view(kit.now, n % kit.seats, &text);
            }
            view_s += now_s() - from;
            views += ROUNDS;
        }
        const char *action = pick_line(&kit, &seat);
        kit_commit(&kit, seat, action);
    }
    printf("forms %.1f us, view %.1f us on average\n", form_s / forms * 1e6, view_s / views * 1e6);
    buf_finish(&text);
    kit_end(&kit);
}
END_TEST

int main(void)
{
    const char *env = getenv("VEDETTE_MATCHES");
    if (env != NULL) { matches = (unsigned)strtoul(env, NULL, 10); }
    if (matches == 0) { matches = 1; }
    env = getenv("VEDETTE_SEED");
    if (env != NULL) { first_seed = strtoull(env, NULL, 10); }
    printf("seed %llu, %u matches\n", (unsigned long long)first_seed, matches);
    fflush(stdout);
    Suite *suite = suite_create("random matches of waterloo");
    TCase *tests = tcase_create("waterloo");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, random_matches_end_and_replay_the_same);
    tcase_add_test(tests, every_pick_from_every_form_is_accepted);
    tcase_add_test(tests, a_line_that_told_a_viewer_nothing_changes_nothing_for_it);
    tcase_add_test(tests, no_hidden_unit_is_named_in_any_byte_W20_1);
    tcase_add_test(tests, a_spoilt_action_is_refused_with_its_rule_or_legal);
    tcase_add_test(tests, positions_are_written_and_read_without_loss);
    tcase_add_test(tests, twins_look_alike_and_refuse_alike);
    tcase_add_test(tests, twins_play_alike_until_something_is_revealed);
    tcase_add_test(tests, a_match_goes_on_or_ends_when_seats_leave_W18_9);
    tcase_add_test(tests, a_caretaker_always_has_a_legal_action);
    tcase_add_test(tests, forms_and_views_are_made_quickly);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
