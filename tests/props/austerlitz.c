/* tests/props/austerlitz.c: what must hold in every match of Austerlitz, however it is played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/rules/austerlitz/au.h"
#include "tests/props/kit.h"
#include "tests/props/match.h"

enum { OPTIONS = 20 };

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
    int column = (int)draw_below(&random, 40), row = (int)draw_below(&random, 30);
    unsigned spread = 6 + draw_below(&random, 12), lost = 0;
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"turn\":%u,\"side\":\"%s\",\"broken_ice\":[\"2026\",\"1829\"],"
                                "\"destroyed_bridges\":[\"BR08\"],\"units\":{",
                                2 + draw_below(&random, 10),
                                draw_below(&random, 2) == 0 ? "allied" : "french");
    for (unsigned u = 0; u < AU_UNITS; u++) {
        unsigned hex = HEX_NONE;
        while (hex == HEX_NONE || taken[hex] || au_hexes[hex].pond != AU_NONE) {
            hex = hex_at(&au_grid, column + (int)draw_below(&random, spread),
                         row + (int)draw_below(&random, spread));
            if (draw_below(&random, 50) == 0) { spread++; }
            column = column > 40 - (int)spread / 2 ? 20 : column;
        }
        taken[hex] = true;
        char place[32], where[HEX_TEXT];
        hex_text(&au_grid, hex, where);
        snprintf(place, sizeof place, "\"hex\":\"%s\"", where);
        if (lost < 50 && draw_below(&random, 8) == 0) {
            lost += au_unit_facts[u].combat;
            snprintf(place, sizeof place, "\"box\":\"%s\"",
                     draw_below(&random, 2) == 0 ? "eliminated" : "withdrawn");
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

/* A form drawn at random; moves before the end of the movement, in three matches of four. */
static const cJSON *any_form(struct kit *kit, const cJSON *forms)
{
    unsigned n = (unsigned)cJSON_GetArraySize(forms), at = draw_below(&kit->random, n);
    bool busy = kit->seed % 4 != 0 && kit->now->step == AU_MOVE && at == 0 && n > 1;
    if (busy && draw_below(&kit->random, 4) != 0) { at = 1 + draw_below(&kit->random, n - 1); }
    const cJSON *form = cJSON_GetArrayItem(forms, (int)at);
    /* Whoever leaves the map fights no more: seldom. */
    bool leaves = cJSON_GetObjectItemCaseSensitive(form, "exit_edge") != NULL;
    return leaves && draw_below(&kit->random, 4) != 0 ? cJSON_GetArrayItem(forms, 0) : form;
}

static const char *const words[] = {"\"do\":\"move\"", "exit_edge",   "destroy_bridge", "end_move",
                                    "declare",         "\"bombard\"", "\"artillery\"",  "resolve",
                                    "exchange",        "retreat",     "\"chain\"",      "battery",
                                    "advance",         NULL};

/* ---- what a viewer is told ---- */

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
    for (unsigned i = 0; i < match_count((struct match_share){4, OPTIONS}); i++) {
        struct kit kit;
        struct buf text, events;
        match_begin(&kit, match_seed(i) | 1U); /* semi-blind */
        buf_init(&text, MATCH_TEXT_MAX);
        buf_init(&events, MATCH_TEXT_MAX);
        while (!match_is_over(&kit)) {
            unsigned seat = 0;
            const char *action = match_pick(&kit, &seat);
            for (unsigned v = 0; v <= VIEWER_PUBLIC; v++) {
                if (!match_is_viewer(&kit, v)) { continue; }
                buf_reset(&text);
                buf_reset(&events);
                match_look(&kit, kit.next, v, &text);
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
    switch (draw_below(&kit->random, 3)) {
    case 0: return au_unit_facts[draw_below(&kit->random, AU_UNITS)].id;
    case 1: {
        /* Mostly where something stands. */
        unsigned at = kit->now->unit[draw_below(&kit->random, AU_UNITS)].hex;
        if (at == HEX_NONE || draw_below(&kit->random, 3) == 0) {
            at = draw_below(&kit->random, AU_HEXES);
        }
        hex_text(&au_grid, at, hex);
        return hex;
    }
    default: return some[draw_below(&kit->random, sizeof some / sizeof some[0])];
    }
}

static cJSON *any_value(struct kit *kit)
{
    static const double numbers[] = {-1, 0, 1, 2, 3, 255, 256, 2147483648.0, 9007199254740991.0};
    char hex[HEX_TEXT];
    cJSON *list = NULL;
    switch (draw_below(&kit->random, 6)) {
    case 0: return cJSON_CreateNumber(numbers[draw_below(&kit->random, 9)]);
    case 1: return cJSON_CreateBool(draw_below(&kit->random, 2) != 0);
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
        cJSON *child = n == 0 ? NULL : cJSON_GetArrayItem(parent, (int)draw_below(&kit->random, n));
        bool deeper = child != NULL && (cJSON_IsArray(child) || cJSON_IsObject(child));
        if (!deeper || draw_below(&kit->random, 4) == 0) { break; }
        parent = child;
    }
    unsigned n = (unsigned)cJSON_GetArraySize(parent);
    unsigned what = n == 0 ? 3 : draw_below(&kit->random, 5);
    int at = n == 0 ? 0 : (int)draw_below(&kit->random, n);
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
        const char *name = names[draw_below(&kit->random, 7)];
        if (cJSON_GetObjectItemCaseSensitive(parent, name) == NULL) {
            cJSON_AddItemToObject(parent, name, any_value(kit));
        }
    }
}

/* ---- positions ---- */

/* A position written and read is the same state. */
static void must_round_trip(struct kit *kit, const struct state *s)
{
    struct state *read = calloc(1, kit->game->state_bytes);
    struct buf text;
    cJSON *position = NULL;
    buf_init(&text, MATCH_TEXT_MAX);
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
    if (draw_below(&kit->random, 6) == 0) { must_round_trip(kit, kit->now); }
}

START_TEST(positions_are_written_and_read_without_loss)
{
    for (unsigned i = 0; i < match_count((struct match_share){2, OPTIONS}); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        match_play_out(&kit, try_position);
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
    if (draw_below(&kit->random, 4) != 0) { return; }
    struct state *read = calloc(1, kit->game->state_bytes);
    struct buf text;
    buf_init(&text, MATCH_TEXT_MAX);
    kit->game->position_write(kit->now, &text);
    cJSON *position = cJSON_Parse(buf_str(&text));
    for (unsigned n = 1 + draw_below(&kit->random, 3); n > 0; n--) {
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
    for (unsigned i = 0; i < match_count((struct match_share){2, OPTIONS}); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        match_play_out(&kit, try_spoilt_position);
        kit_end(&kit);
    }
    printf("%u spoilt positions refused, %u sound\n", spoilt_refused, spoilt_read);
    ck_assert_uint_gt(spoilt_read, 10);
    ck_assert_uint_gt(spoilt_refused, 100);
}
END_TEST

/* ---- twins ---- */

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
        match_ask(kit, s, viewer, plain[i], out);
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
            match_ask(kit, s, viewer, text, out);
        }
    }
}

/* ---- seats that leave ---- */

START_TEST(whoever_leaves_has_lost_and_a_stop_is_nobodys)
{
    for (unsigned i = 0; i < match_count((struct match_share){2, OPTIONS}); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        unsigned lines = draw_below(&kit.random, 200), who = draw_below(&kit.random, 3);
        while (!match_is_over(&kit) && kit.count < lines) {
            unsigned seat = 0;
            const char *action = match_pick(&kit, &seat);
            kit_commit(&kit, seat, action);
        }
        if (match_is_over(&kit)) {
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

/* ---- how fast ---- */

START_TEST(an_action_takes_less_than_a_tenth_of_a_millisecond)
{
    enum { ROUNDS = 16 };
    double apply_s = 0, form_s = 0, view_s = 0, worst = 0;
    unsigned applied = 0, looked = 0;
    struct buf text;
    buf_init(&text, MATCH_TEXT_MAX);
    for (unsigned i = 0; i < match_count((struct match_share){10, 4}); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        while (!match_is_over(&kit)) {
            unsigned seat = 0;
            const char *action = match_pick(&kit, &seat);
            cJSON *parsed = cJSON_Parse(action);
            struct state *copy = calloc(1, kit.game->state_bytes);
            double best = 1;
            for (unsigned n = 0; n < ROUNDS; n++) {
                struct dice dice = kit.dice;
                memcpy(copy, kit.now, kit.game->state_bytes);
                events_reset(&kit.events);
                double from = match_now_s();
                (void)kit.game->apply(copy, seat, parsed, &dice, &kit.events, &kit.why);
                (void)kit.game->check(copy);
                double took = match_now_s() - from;
                best = took < best ? took : best;
                apply_s += took;
            }
            applied += ROUNDS;
            worst = best > worst ? best : worst;
            if (kit.count % 8 == 0) {
                double from = match_now_s();
                buf_reset(&text);
                kit.game->actions(kit.now, seat, &text);
                form_s += match_now_s() - from;
                from = match_now_s();
                buf_reset(&text);
                kit.game->view(kit.now, seat, &text);
                view_s += match_now_s() - from;
                looked++;
            }
            free(copy);
            cJSON_Delete(parsed);
            match_must_accept(&kit, seat, action);
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

static bool is_word(const char *line, const char *word)
{
    return strstr(line, word) != NULL;
}

static void add(TCase *tests)
{
    tcase_add_test(tests, no_hidden_unit_is_named_in_any_byte_15_3);
    tcase_add_test(tests, positions_are_written_and_read_without_loss);
    tcase_add_test(tests, a_spoilt_position_is_refused_or_can_be_played);
    tcase_add_test(tests, whoever_leaves_has_lost_and_a_stop_is_nobodys);
    tcase_add_test(tests, an_action_takes_less_than_a_tenth_of_a_millisecond);
}

static const struct match_game austerlitz = {
    .name = "austerlitz",
    .lines_max = 5000,
    .options = options_of,
    .start = start_of,
    .any_form = any_form,
    .result = "\"degree\"",
    .words = words,
    .is_word = is_word,
    .picks = 4,
    .has_quiet_lines = false, /* every line is told to all */
    .mutate = mutate,
    .mutants = 6,
    .mutant_form = any_form,
    .rules_begin = "0123456789",
    .turn_is_cited = false,
    .ask = ask_all,
    .all_picks = {4, OPTIONS},
    .quiet = {4, OPTIONS},
    .spoilt = {4, OPTIONS},
    .twins = {2, OPTIONS},
    .kept = {2, OPTIONS},
    .add = add,
};

int main(void)
{
    return match_main(&austerlitz);
}
