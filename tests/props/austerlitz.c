/* tests/props/austerlitz.c: what must hold in every match of Austerlitz, however it is played
 * (STYLE section 6).
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
#include "common/rules/austerlitz/au.h"
#include "tests/props/kit.h"

enum { LINES_MAX = 5000, FORMS_BYTES_MAX = 8192, TEXT_MAX = 1 << 20, OPTIONS = 20 };

static unsigned matches = 100;
static uint64_t first_seed = 1;

/* All twenty combinations, by seed: two of information, five of situation and Guard (14.3), two of
 * strengths. */
static const char *options_of(uint64_t seed)
{
    static char text[160];
    static const char *const situations[] = {"\"situation\":\"1805\"", "\"situation\":\"1809\"",
                                             "\"situation\":\"1809\",\"guard_1805\":true",
                                             "\"situation\":\"1813\"",
                                             "\"situation\":\"1813\",\"guard_1805\":true"};
    snprintf(text, sizeof text, "{\"information\":\"%s\",%s,\"strengths\":\"%s\"}",
             seed % 2 == 0 ? "informed" : "semi-blind", situations[seed / 2 % 5],
             seed / 10 % 2 == 0 ? "printed" : "dealt");
    return text;
}

/* Two matches of three begin at the start; the third late, amid a crowd: all units within a few
 * hexes of each other, some lost, some ice broken, some bridges gone. */
static const char *start_of(uint64_t seed)
{
    static char text[8192];
    if (seed % 3 != 0) { return NULL; }
    uint64_t random = seed ^ UINT64_C(0xf1e1d);
    bool dealt = seed / 10 % 2 != 0, taken[AU_HEXES] = {false};
    int column = (int)kit_below(&random, 40), row = (int)kit_below(&random, 30);
    unsigned spread = 6 + kit_below(&random, 12), lost = 0;
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"turn\":%u,\"side\":\"%s\",\"broken_ice\":[\"2026\",\"1829\"],"
                                "\"destroyed_bridges\":[\"BR08\"],\"units\":{",
                                2 + kit_below(&random, 10),
                                kit_below(&random, 2) == 0 ? "allied" : "french");
    for (unsigned u = 0; u < AU_UNITS; u++) {
        unsigned hex = HEX_NONE;
        while (hex == HEX_NONE || taken[hex] || au_hexes[hex].pond != AU_NONE) {
            hex = hex_at(&au_grid, column + (int)kit_below(&random, spread),
                         row + (int)kit_below(&random, spread));
            if (kit_below(&random, 50) == 0) { spread++; }
            column = column > 40 - (int)spread / 2 ? 20 : column;
        }
        taken[hex] = true;
        char place[32], where[HEX_TEXT];
        hex_text(&au_grid, hex, where);
        snprintf(place, sizeof place, "\"hex\":\"%s\"", where);
        if (lost < 50 && kit_below(&random, 8) == 0) {
            lost += au_unit_facts[u].combat;
            snprintf(place, sizeof place, "\"box\":\"%s\"",
                     kit_below(&random, 2) == 0 ? "eliminated" : "withdrawn");
        }
        char potential[24] = "";
        if (dealt) {
            snprintf(potential, sizeof potential, ",\"potential\":%u", au_unit_facts[u].combat);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":{%s%s}", u == 0 ? "" : ",",
                              au_unit_facts[u].id, place, potential);
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
    kit_begin(kit, "austerlitz", options_of(seed), start_of(seed), seed);
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

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must_accept(struct kit *kit, unsigned seat, const char *action)
{
    if (kit_try(kit, seat, action) != ERR_OK) {
        kit_fail(kit, seat, action, "an offered action was refused", NULL);
    }
    const char *broken = kit->game->check(kit->next);
    if (broken != NULL) { kit_fail(kit, seat, action, "an invariant is broken", broken); }
}

/* A form drawn at random; moves before the end of the movement, in three matches of four. */
static const cJSON *any_form(struct kit *kit, const cJSON *forms)
{
    unsigned n = (unsigned)cJSON_GetArraySize(forms), at = kit_below(&kit->random, n);
    bool busy = kit->seed % 4 != 0 && kit->now->step == AU_MOVE && at == 0 && n > 1;
    if (busy && kit_below(&kit->random, 4) != 0) { at = 1 + kit_below(&kit->random, n - 1); }
    const cJSON *form = cJSON_GetArrayItem(forms, (int)at);
    /* Whoever leaves the map fights no more: seldom. */
    bool leaves = cJSON_GetObjectItemCaseSensitive(form, "exit_edge") != NULL;
    return leaves && kit_below(&kit->random, 4) != 0 ? cJSON_GetArrayItem(forms, 0) : form;
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

typedef void each_fn(struct kit *kit);

/* Plays a match to its end; each is called before every line. */
static unsigned play_out(struct kit *kit, each_fn *each)
{
    while (!is_over(kit)) {
        unsigned seat = 0;
        if (each != NULL) { each(kit); }
        const char *action = pick_line(kit, &seat);
        kit_commit(kit, seat, action);
        must_end(kit);
    }
    return kit->count;
}

/* ---- ends, replays ---- */

static const char *const words[] = {"\"do\":\"move\"", "exit_edge",   "destroy_bridge", "end_move",
                                    "declare",         "\"bombard\"", "\"artillery\"",  "resolve",
                                    "exchange",        "retreat",     "\"chain\"",      "battery",
                                    "advance"};
enum { WORDS = sizeof words / sizeof words[0] };

START_TEST(random_matches_end_and_replay_the_same)
{
    unsigned counts[WORDS] = {0}, longest = 0;
    uint64_t lines = 0;
    double played = 0;
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
        if (strstr(buf_str(&result), "\"degree\"") == NULL) {
            kit_fail(&kit, SEATS_MAX, NULL, "a match without a degree", buf_str(&result));
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
            for (unsigned w = 0; w < WORDS; w++) {
                counts[w] += strstr(line.text, words[w]) != NULL;
            }
        }
        ck_assert_uint_eq(kit.game->to_act(kit.now), 0);
        kit.count = n;
        kit_end(&kit);
    }
    for (unsigned w = 0; w < WORDS; w++) {
        printf("%s %u, ", words[w], counts[w]);
    }
    printf("\n%u matches, %llu lines, longest %u, %.0f lines/s with forms, pick, apply and check\n",
           matches, (unsigned long long)lines, longest, (double)lines / played);
}
END_TEST

/* Picks several times from every single form that every acting seat has. */
static void try_all_forms(struct kit *kit)
{
    if (kit_below(&kit->random, 4) != 0) { return; }
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    for (const cJSON *form = forms->child; form != NULL; form = form->next) {
        for (unsigned i = 0; i < 4; i++) {
            must_accept(kit, seat, kit_pick(kit, form));
        }
    }
    cJSON_Delete(forms);
}

START_TEST(every_pick_from_every_form_is_accepted)
{
    for (unsigned i = 0; i < share(4, OPTIONS); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_all_forms);
        kit_end(&kit);
    }
}
END_TEST

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

static bool is_viewer(const struct kit *kit, unsigned viewer)
{
    return viewer < kit->seats || viewer == VIEWER_PUBLIC || viewer == VIEWER_ALL;
}

START_TEST(a_line_that_told_a_viewer_nothing_changes_nothing_for_it)
{
    for (unsigned i = 0; i < share(4, OPTIONS); i++) {
        struct kit kit;
        struct buf before, after;
        begin(&kit, first_seed + i);
        buf_init(&before, TEXT_MAX);
        buf_init(&after, TEXT_MAX);
        while (!is_over(&kit)) {
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            for (unsigned v = 0; v < VIEWERS; v++) {
                if (!is_viewer(&kit, v) || (kit.events.told >> v & 1U) != 0) { continue; }
                buf_reset(&before);
                buf_reset(&after);
                look(&kit, kit.now, v, &before);
                look(&kit, kit.next, v, &after);
                if (strcmp(buf_str(&before), buf_str(&after)) != 0) {
                    kit_fail(&kit, seat, action, "a view changed without an event", NULL);
                }
            }
            kit_commit(&kit, seat, action);
        }
        buf_finish(&before);
        buf_finish(&after);
        kit_end(&kit);
    }
}
END_TEST

/* Units whose id or name stands in the text. Names that two units share tell less than an id. */
static uint64_t units_named(const char *text)
{
    uint64_t found = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        char id[8], name[96];
        snprintf(id, sizeof id, "\"%s\"", au_unit_facts[u].id);
        snprintf(name, sizeof name, "\"%s\"", au_unit_facts[u].name);
        if (strstr(text, id) != NULL || strstr(text, name) != NULL) { found |= UINT64_C(1) << u; }
    }
    return found;
}

/* 15.3, 15.4 once more, apart from the code under test: units of the enemy are named to a viewer
 * only where they take part in the combat in hand, or in one whose faces this line showed. */
static uint64_t may_be_named(const struct state *s, unsigned viewer, const char *events)
{
    uint64_t may = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        bool own = viewer == VIEWER_ALL || viewer == (u < 23 ? 0U : 1U);
        uint64_t hand = s->hand.contact | s->hand.bombard | s->hand.defenders;
        bool shown = s->step >= AU_EXCHANGE && s->step <= AU_ADVANCE && s->hand.result != AU_NO_DIE;
        if (own || (shown && (hand >> u & 1U) != 0)) { may |= UINT64_C(1) << u; }
    }
    for (const char *at = strstr(events, "{\"ev\":\"reveal\""); at != NULL;
         at = strstr(at + 1, "{\"ev\":\"reveal\"")) {
        const char *end = strstr(at, "]}");
        char part[4096];
        size_t n = end == NULL ? 0 : (size_t)(end - at);
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        may |= units_named(part);
    }
    return may;
}

/* Names are shared ("Advance guard cavalry"): one known unit of the name lets it stand. */
static uint64_t with_namesakes(uint64_t set)
{
    uint64_t out = set;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        for (unsigned v = 0; v < AU_UNITS; v++) {
            bool same = strcmp(au_unit_facts[u].name, au_unit_facts[v].name) == 0;
            if (same && (set >> v & 1U) != 0) { out |= UINT64_C(1) << u; }
        }
    }
    return out;
}

START_TEST(no_hidden_unit_is_named_in_any_byte_15_3)
{
    unsigned looked = 0;
    for (unsigned i = 0; i < share(4, OPTIONS); i++) {
        struct kit kit;
        struct buf text, events;
        begin(&kit, (first_seed + i) | 1U); /* semi-blind */
        buf_init(&text, TEXT_MAX);
        buf_init(&events, TEXT_MAX);
        while (!is_over(&kit)) {
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            for (unsigned v = 0; v <= VIEWER_PUBLIC; v++) {
                if (!is_viewer(&kit, v)) { continue; }
                buf_reset(&text);
                buf_reset(&events);
                look(&kit, kit.next, v, &text);
                events_write(&kit.events, v, &events);
                uint64_t may = with_namesakes(may_be_named(kit.next, v, buf_str(&events)));
                buf_append_str(&text, buf_str(&events));
                if ((units_named(buf_str(&text)) & ~may) != 0) {
                    kit_fail(&kit, v, action, "a hidden unit is named", buf_str(&text));
                }
                looked++;
            }
            kit_commit(&kit, seat, action);
        }
        buf_finish(&text);
        buf_finish(&events);
        kit_end(&kit);
    }
    ck_assert_uint_gt(looked, 0);
}
END_TEST

/* ---- hostile actions ---- */

static const char *any_word(struct kit *kit, char hex[HEX_TEXT])
{
    static const char *const some[] = {"",     "move",  "declare", "resolve", "retreat", "west",
                                       "east", "north", "BR08",    "9999",    "resign",  "advance",
                                       "2X",   "0000",  "battery", "end_move"};
    switch (kit_below(&kit->random, 3)) {
    case 0: return au_unit_facts[kit_below(&kit->random, AU_UNITS)].id;
    case 1: {
        /* Mostly where something stands. */
        unsigned at = kit->now->unit[kit_below(&kit->random, AU_UNITS)].hex;
        if (at == HEX_NONE || kit_below(&kit->random, 3) == 0) {
            at = kit_below(&kit->random, AU_HEXES);
        }
        hex_text(&au_grid, at, hex);
        return hex;
    }
    default: return some[kit_below(&kit->random, sizeof some / sizeof some[0])];
    }
}

static cJSON *any_value(struct kit *kit)
{
    static const double numbers[] = {-1, 0, 1, 2, 3, 255, 256, 2147483648.0, 9007199254740991.0};
    char hex[HEX_TEXT];
    cJSON *list = NULL;
    switch (kit_below(&kit->random, 6)) {
    case 0: return cJSON_CreateNumber(numbers[kit_below(&kit->random, 9)]);
    case 1: return cJSON_CreateBool(kit_below(&kit->random, 2) != 0);
    case 2: return cJSON_CreateArray();
    case 3: return cJSON_CreateObject();
    case 4:
        list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateString(any_word(kit, hex)));
        return list;
    default: return cJSON_CreateString(any_word(kit, hex));
    }
}

/* Spoils a part of an action: walks down at random, then changes, adds, doubles or drops. */
static void mutate(struct kit *kit, cJSON *action)
{
    static const char *const names[] = {"unit", "path", "to", "chain", "exit_edge", "stay", "x"};
    cJSON *parent = action;
    while (true) {
        unsigned n = (unsigned)cJSON_GetArraySize(parent);
        cJSON *child = n == 0 ? NULL : cJSON_GetArrayItem(parent, (int)kit_below(&kit->random, n));
        bool deeper = child != NULL && (cJSON_IsArray(child) || cJSON_IsObject(child));
        if (!deeper || kit_below(&kit->random, 4) == 0) { break; }
        parent = child;
    }
    unsigned n = (unsigned)cJSON_GetArraySize(parent);
    unsigned what = n == 0 ? 3 : kit_below(&kit->random, 5);
    int at = n == 0 ? 0 : (int)kit_below(&kit->random, n);
    cJSON *child = n == 0 ? NULL : cJSON_GetArrayItem(parent, at);
    char hex[HEX_TEXT];
    if (what <= 1 && cJSON_IsString(child)) {
        cJSON_SetValuestring(child, any_word(kit, hex));
    } else if (what <= 1) {
        cJSON *value = any_value(kit);
        if (cJSON_IsObject(parent)) {
            cJSON_ReplaceItemInObjectCaseSensitive(parent, child->string, value);
        } else {
            cJSON_ReplaceItemInArray(parent, at, value);
        }
    } else if (what == 2) {
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, child));
    } else if (cJSON_IsArray(parent)) {
        cJSON_AddItemToArray(parent, child != NULL ? cJSON_Duplicate(child, true) : any_value(kit));
    } else {
        const char *name = names[kit_below(&kit->random, 7)];
        if (cJSON_GetObjectItemCaseSensitive(parent, name) == NULL) {
            cJSON_AddItemToObject(parent, name, any_value(kit));
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
    for (unsigned i = 0; i < 6; i++) {
        cJSON *action = cJSON_Parse(kit_pick(kit, any_form(kit, forms)));
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
        bool cited = err == ERR_OK || err == ERR_NOT_YOUR_TURN ||
                     (err == ERR_ILLEGAL_ACTION && kit->why.rule[0] != '\0') ||
                     (err == ERR_INVALID_PARAMS && kit->why.member[0] != '\0');
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
    for (unsigned i = 0; i < share(4, OPTIONS); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_mutants);
        kit_end(&kit);
    }
    printf("%u spoilt actions refused, %u legal by chance\n", mutants_refused, mutants_accepted);
    ck_assert_uint_gt(mutants_refused, 100);
}
END_TEST

/* ---- positions ---- */

/* A position written and read is the same state. */
static void must_round_trip(struct kit *kit, const struct state *s)
{
    struct state *read = calloc(1, kit->game->state_bytes);
    struct buf text;
    cJSON *position = NULL;
    buf_init(&text, TEXT_MAX);
    kit->game->position_write(s, &text);
    ck_assert_int_eq(json_parse(buf_str(&text), text.len, &position), ERR_OK);
    ck_assert_int_eq(json_normalise(position, &kit->why), ERR_OK);
    why_clear(&kit->why);
    if (kit->game->position_read(kit->options, position, read, &kit->why) != ERR_OK) {
        kit_fail(kit, SEATS_MAX, NULL, "a position of play was refused", buf_str(&text));
    }
    if (memcmp(read, s, kit->game->state_bytes) != 0) {
        kit_fail(kit, SEATS_MAX, NULL, "a state read is not the one written", buf_str(&text));
    }
    cJSON_Delete(position);
    buf_finish(&text);
    free(read);
}

static void try_position(struct kit *kit)
{
    if (kit_below(&kit->random, 6) == 0) { must_round_trip(kit, kit->now); }
}

START_TEST(positions_are_written_and_read_without_loss)
{
    for (unsigned i = 0; i < share(2, OPTIONS); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_position);
        must_round_trip(&kit, kit.now);
        kit_end(&kit);
    }
}
END_TEST

static unsigned spoilt_refused, spoilt_read;

/* A position spoilt in a few places is refused with a member named, or it is sound and can be
 * played on: forms of whoever acts are taken. */
static void try_spoilt_position(struct kit *kit)
{
    if (kit_below(&kit->random, 4) != 0) { return; }
    struct state *read = calloc(1, kit->game->state_bytes);
    struct buf text;
    buf_init(&text, TEXT_MAX);
    kit->game->position_write(kit->now, &text);
    cJSON *position = cJSON_Parse(buf_str(&text));
    for (unsigned n = 1 + kit_below(&kit->random, 3); n > 0; n--) {
        mutate(kit, position);
    }
    why_clear(&kit->why);
    enum err err = json_normalise(position, &kit->why);
    if (err == ERR_OK) { err = kit->game->position_read(kit->options, position, read, &kit->why); }
    char *spoilt = cJSON_PrintUnformatted(position);
    const char *broken = err == ERR_OK ? kit->game->check(read) : NULL;
    if (broken != NULL) {
        kit_fail(kit, SEATS_MAX, spoilt, "an unsound position was read", broken);
    }
    if (err != ERR_OK && kit->why.member[0] == '\0') {
        kit_fail(kit, SEATS_MAX, spoilt, "a position is refused for nothing", err_kind(err));
    }
    for (unsigned seat = 0; err == ERR_OK && seat < kit->seats; seat++) {
        if ((kit->game->to_act(read) >> seat & 1U) == 0) { continue; }
        buf_reset(&text);
        kit->game->actions(read, seat, &text);
        cJSON *forms = cJSON_Parse(buf_str(&text));
        const char *action = kit_pick(kit, forms);
        if (kit_try_on(kit, read, seat, action) != ERR_OK) {
            kit_fail(kit, seat, action, "a form of a position read is refused", spoilt);
        }
        broken = kit->game->check(kit->next);
        if (broken != NULL) { kit_fail(kit, seat, action, broken, spoilt); }
        cJSON_Delete(forms);
    }
    *(err == ERR_OK ? &spoilt_read : &spoilt_refused) += 1;
    free(spoilt);
    cJSON_Delete(position);
    buf_finish(&text);
    free(read);
}

START_TEST(a_spoilt_position_is_refused_or_can_be_played)
{
    for (unsigned i = 0; i < share(2, OPTIONS); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        play_out(&kit, try_spoilt_position);
        kit_end(&kit);
    }
    printf("%u spoilt positions refused, %u sound\n", spoilt_refused, spoilt_read);
    ck_assert_uint_gt(spoilt_read, 10);
    ck_assert_uint_gt(spoilt_refused, 100);
}
END_TEST

/* ---- twins ---- */

struct pair {
    struct state *twin;
    cJSON *names;
    unsigned viewer;
    struct buf here, there, renamed;
};

/* The action with the ids that its seat's pieces have in the twin. */
static void rename_units(const char *action, const cJSON *names, struct buf *out)
{
    buf_reset(out);
    for (const char *at = action; *at != '\0';) {
        const char *end = *at == '"' ? strchr(at + 1, '"') : NULL;
        if (end == NULL) {
            buf_append_char(out, *at++);
            continue;
        }
        char id[64];
        snprintf(id, sizeof id, "%.*s", (int)(end - at - 1), at + 1);
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(names, id);
        buf_append_char(out, '"');
        buf_append_str(out, name == NULL ? id : name->valuestring);
        buf_append_char(out, '"');
        at = end + 1;
    }
}

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

static void ask_one(const struct kit *kit, const struct state *s, unsigned viewer, const char *text,
                    struct buf *out)
{
    cJSON *question = cJSON_Parse(text);
    struct why why;
    why_clear(&why);
    enum err err = kit->game->ask(s, viewer, question, out, &why);
    jw_int(out, err);
    jw_str(out, why.rule);
    jw_str(out, why.member);
    jw_str(out, why.text);
    cJSON_Delete(question);
}

/* Questions about units by id and by hex, own and not: the same answers, refusals too. */
static void ask_all(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out)
{
    static const char *const plain[] = {"{\"ask\":\"exchange\"}",
                                        "{\"ask\":\"advances\"}",
                                        "{\"ask\":\"encircled\",\"side\":\"allied\"}",
                                        "{\"ask\":\"encircled\",\"side\":\"french\"}",
                                        "{\"ask\":\"obligations\",\"side\":\"french\"}",
                                        "{\"ask\":\"obligations\",\"side\":\"allied\"}"};
    static const char *const units[] = {"reach", "retreats"};
    char text[128], hex[HEX_TEXT];
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        ask_one(kit, s, viewer, plain[i], out);
    }
    for (unsigned u = kit->count % 7; u < AU_UNITS; u += 7) {
        for (unsigned k = 0; k < 4; k++) {
            const char *name = au_unit_facts[u].id;
            if (k % 2 == 1) { /* the hexes of the true state, for both */
                if (kit->now->unit[u].hex == HEX_NONE) { continue; }
                hex_text(&au_grid, kit->now->unit[u].hex, hex);
                name = hex;
            }
            snprintf(text, sizeof text, "{\"ask\":\"%s\",\"unit\":\"%s\"}", units[k / 2], name);
            ask_one(kit, s, viewer, text, out);
        }
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
    for (unsigned i = 0; i < share(2, OPTIONS); i++) {
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
    if (kit_try_on(kit, pair->twin, seat, buf_str(&pair->renamed)) != ERR_OK) {
        must_accept(kit, seat, action); /* impossible there: the pair ends */
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
    for (unsigned i = 0; i < share(2, OPTIONS); i++) {
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
        }
        free(scratch);
        kit_end(&kit);
    }
    printf("%u pairs of twins, %u lines side by side\n", pairs, lines);
}
END_TEST

/* ---- seats that leave, caretakers ---- */

START_TEST(whoever_leaves_has_lost_and_a_stop_is_nobodys)
{
    for (unsigned i = 0; i < share(2, OPTIONS); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        unsigned lines = kit_below(&kit.random, 200), who = kit_below(&kit.random, 3);
        while (!is_over(&kit) && kit.count < lines) {
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            kit_commit(&kit, seat, action);
        }
        if (is_over(&kit)) {
            ck_assert_int_eq(kit_try_leave(&kit, 0), ERR_MATCH_OVER);
            kit_end(&kit);
            continue;
        }
        struct buf result;
        buf_init(&result, 1 << 12);
        if (who < 2) {
            ck_assert_int_eq(kit_try_leave(&kit, who), ERR_OK);
        } else {
            memcpy(kit.next, kit.now, kit.game->state_bytes);
            events_reset(&kit.events);
            kit.game->stop(kit.next, &kit.events);
        }
        ck_assert_uint_eq(kit.game->to_act(kit.next), 0);
        ck_assert_uint_eq(kit.events.told, 0x1bU); /* both seats, the public, all */
        ck_assert_ptr_null(kit.game->check(kit.next));
        kit.game->result(kit.next, &result);
        const char *winner = who == 0   ? "\"winners\":[\"AL\"]"
                             : who == 1 ? "\"winners\":[\"FR\"]"
                                        : "\"winners\":[]";
        ck_assert_ptr_nonnull(strstr(buf_str(&result), winner));
        must_round_trip(&kit, kit.next);
        buf_finish(&result);
        kit_end(&kit);
    }
}
END_TEST

START_TEST(a_caretaker_always_has_a_legal_action)
{
    for (unsigned i = 0; i < share(2, OPTIONS); i++) {
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

START_TEST(an_action_takes_less_than_a_tenth_of_a_millisecond)
{
    enum { ROUNDS = 16 };
    double apply_s = 0, form_s = 0, view_s = 0, worst = 0;
    unsigned applied = 0, looked = 0;
    struct buf text;
    buf_init(&text, TEXT_MAX);
    for (unsigned i = 0; i < share(10, 4); i++) {
        struct kit kit;
        begin(&kit, first_seed + i);
        while (!is_over(&kit)) {
            unsigned seat = 0;
            const char *action = pick_line(&kit, &seat);
            cJSON *parsed = cJSON_Parse(action);
            struct state *copy = calloc(1, kit.game->state_bytes);
            double best = 1;
            for (unsigned n = 0; n < ROUNDS; n++) {
                struct dice dice = kit.dice;
                memcpy(copy, kit.now, kit.game->state_bytes);
                events_reset(&kit.events);
                double from = now_s();
                (void)kit.game->apply(copy, seat, parsed, &dice, &kit.events, &kit.why);
                (void)kit.game->check(copy);
                double took = now_s() - from;
                best = took < best ? took : best;
                apply_s += took;
            }
            applied += ROUNDS;
            worst = best > worst ? best : worst;
            if (kit.count % 8 == 0) {
                double from = now_s();
                buf_reset(&text);
                kit.game->actions(kit.now, seat, &text);
                form_s += now_s() - from;
                from = now_s();
                buf_reset(&text);
                kit.game->view(kit.now, seat, &text);
                view_s += now_s() - from;
                looked++;
            }
            free(copy);
            cJSON_Delete(parsed);
            must_accept(&kit, seat, action);
            kit_commit(&kit, seat, action);
        }
        kit_end(&kit);
    }
    printf("apply and check %.1f us on average, %.1f us at worst; forms %.1f us, view %.1f us\n",
           apply_s / applied * 1e6, worst * 1e6, form_s / looked * 1e6, view_s / looked * 1e6);
    ck_assert_double_lt(apply_s / applied, 1e-4);
    buf_finish(&text);
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
    Suite *suite = suite_create("random matches of austerlitz");
    TCase *tests = tcase_create("austerlitz");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, random_matches_end_and_replay_the_same);
    tcase_add_test(tests, every_pick_from_every_form_is_accepted);
    tcase_add_test(tests, a_line_that_told_a_viewer_nothing_changes_nothing_for_it);
    tcase_add_test(tests, no_hidden_unit_is_named_in_any_byte_15_3);
    tcase_add_test(tests, a_spoilt_action_is_refused_with_its_rule_or_legal);
    tcase_add_test(tests, positions_are_written_and_read_without_loss);
    tcase_add_test(tests, a_spoilt_position_is_refused_or_can_be_played);
    tcase_add_test(tests, twins_look_alike_and_refuse_alike);
    tcase_add_test(tests, twins_play_alike_until_something_is_revealed);
    tcase_add_test(tests, whoever_leaves_has_lost_and_a_stop_is_nobodys);
    tcase_add_test(tests, a_caretaker_always_has_a_legal_action);
    tcase_add_test(tests, an_action_takes_less_than_a_tenth_of_a_millisecond);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
