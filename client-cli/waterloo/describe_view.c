/* client-cli/waterloo/describe_view.c: prompts, battles and whole positions as lines of text, for eyes, ears
 * and pipes. */
#include <stdio.h>
#include <string.h>

#include "client-cli/waterloo/describe_view.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/phrases.h"
#include "common/words/words.h"

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static long int_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return (long)json_int(item, 0);
}

static void comma(struct buf *out)
{
    words_say(out, "list.comma", "head", "", "item", "", NULL);
}

static void line(struct buf *out)
{
    buf_append_char(out, '\n');
}

static void say_counts(struct buf *out, const int counts[WV_NATIONS])
{
    struct phrase_list list;
    struct buf some;
    phrase_list_init(&list);
    buf_init(&some, 512);
    for (int n = 0; n < WV_NATIONS; n++) {
        if (counts[n] == 0) { continue; }
        buf_reset(&some);
        words_say(&some, "units.short", "n", words_int(counts[n]), "nation", wv_nation_ids[n],
                  NULL);
        phrase_list_add(&list, buf_str(&some));
    }
    phrase_list_say(&list, false, out);
    phrase_list_finish(&list);
    buf_finish(&some);
}

/* Group moves that the seat has left (W4.2). */
static int groups_left(const struct wv *wv)
{
    int left = 0;
    const cJSON *group = NULL;
    cJSON_ArrayForEach(group, json_get(wv->json, "groups"))
    {
        int spare = (int)int_of(group, "of") - cJSON_GetArraySize(json_get(group, "used"));
        left += spare > 0 ? spare : 0;
    }
    return left;
}

static void prompt_respond(struct buf *out, const struct wv *wv, const cJSON *prompt)
{
    const cJSON *towns = json_get(prompt, "towns");
    const cJSON *town = NULL;
    if (towns == NULL || towns->child == NULL) {
        words_say(out, "cli.prompt.end_response", NULL);
        line(out);
        return;
    }
    cJSON_ArrayForEach(town, towns)
    {
        if (!cJSON_IsString(town)) { continue; }
        const char *id = "cli.prompt.respond";
        const cJSON *must = NULL;
        cJSON_ArrayForEach(must, json_get(prompt, "must_retreat"))
        {
            if (cJSON_IsString(must) && strcmp(must->valuestring, town->valuestring) == 0) {
                id = "cli.prompt.respond_forced";
            }
        }
        int counts[WV_NATIONS] = {0};
        const cJSON *attackers =
            json_get(json_get(json_get(wv->json, "attacks"), town->valuestring), "attackers");
        for (int n = 0; n < WV_NATIONS; n++) {
            counts[n] = (int)int_of(attackers, wv_nation_ids[n]);
        }
        struct buf units;
        buf_init(&units, 512);
        say_counts(&units, counts);
        words_say(out, id, "town", board_name(wv->board, town->valuestring), "units_of_t",
                  buf_str(&units), NULL);
        line(out);
        buf_finish(&units);
    }
}

static void prompt_wait(struct buf *out, const struct wv *wv)
{
    struct phrase_list list;
    struct buf who;
    phrase_list_init(&list);
    buf_init(&who, 1024);
    const cJSON *seat = NULL;
    const cJSON *waits = json_get(wv->view, "waits_for");
    if (waits == NULL || waits->child == NULL) { waits = json_get(wv->view, "to_act"); }
    cJSON_ArrayForEach(seat, waits)
    {
        buf_reset(&who);
        phrase_side(&who, cJSON_IsString(seat) ? seat->valuestring : "");
        phrase_list_add(&list, buf_str(&who));
    }
    buf_reset(&who);
    phrase_list_say(&list, true, &who);
    words_say(out, "cli.prompt.wait", "side_t", buf_str(&who), NULL);
    line(out);
    phrase_list_finish(&list);
    buf_finish(&who);
}

static void prompt_combat(struct buf *out, const struct wv *wv, const cJSON *prompt)
{
    int going = 0;
    for (int i = 0; i < wv->battles; i++) {
        going += wv->battle[i].phase == 'f' ? 1 : 0;
    }
    words_say(out, "cli.prompt.combat", "n", words_int(int_of(prompt, "n")), "battles",
              words_int(going), NULL);
    line(out);
    const cJSON *town = NULL;
    cJSON_ArrayForEach(town, json_get(prompt, "must_act"))
    {
        const char *id = cJSON_IsString(town) ? town->valuestring : "";
        words_say(out, "cli.prompt.must_act", "town", board_name(wv->board, id), NULL);
        line(out);
    }
}

/* The prompts that are one sentence about one place. */
static void prompt_simple(struct buf *out, const struct wv *wv, const cJSON *prompt)
{
    char id[64];
    snprintf(id, sizeof id, "cli.prompt.%s", wv->prompt);
    const char *town = text_of(prompt, "battle");
    if (town[0] == '\0') { town = text_of(prompt, "town"); }
    int debt[WV_NATIONS] = {0};
    for (int n = 0; n < WV_NATIONS; n++) {
        debt[n] = (int)int_of(json_get(prompt, "debt"), wv_nation_ids[n]);
    }
    struct buf units;
    buf_init(&units, 512);
    say_counts(&units, debt);
    words_say(out, words_text(id) != NULL ? id : "cli.prompt.other", "town",
              board_name(wv->board, town), "units_of_t", buf_str(&units), "hits",
              words_int(int_of(prompt, "hits")), "stage", text_of(prompt, "stage"), NULL);
    line(out);
    buf_finish(&units);
}

void describe_prompt(struct buf *out, const struct wv *wv)
{
    const cJSON *prompt = json_get(wv->view, "prompt");
    if (wv->state == WV_GAME_OVER) {
        words_say(out, "cli.prompt.game_over", "winner",
                  text_of(json_get(wv->json, "result"), "winner"), NULL);
        line(out);
    } else if (!wv->to_act || prompt == NULL) {
        prompt_wait(out, wv);
    } else if (strcmp(wv->prompt, "place_units") == 0) {
        char id[64];
        snprintf(id, sizeof id, "cli.prompt.place_units.%s", wv->seat);
        words_say(out, id, "left", words_int(int_of(prompt, "unplaced")), NULL);
        line(out);
    } else if (strcmp(wv->prompt, "move") == 0) {
        words_say(out, wv->night ? "cli.prompt.move_night" : "cli.prompt.move", "groups",
                  words_int(groups_left(wv)), NULL);
        line(out);
    } else if (strcmp(wv->prompt, "respond") == 0) {
        prompt_respond(out, wv, prompt);
    } else if (strcmp(wv->prompt, "combat") == 0) {
        prompt_combat(out, wv, prompt);
    } else {
        prompt_simple(out, wv, prompt);
    }
}

/* ---- battles ---- */

static const char *arm_short(struct buf *arm, enum wv_type type)
{
    static const char *const arms[] = {"infantry", "cavalry", "foot_artillery", "horse_artillery"};
    buf_reset(arm);
    words_say(arm, "arm.short", "arm", arms[type], NULL);
    return buf_str(arm);
}

static void say_fighter(struct buf *out, const struct wv_fighter *f)
{
    struct buf arm;
    buf_init(&arm, 64);
    words_say(out, "cli.show.fighter", "unit", f->id, "arm_t", arm_short(&arm, f->type), "cv",
              words_int(f->cv), "square", f->square ? "true" : "false", "advanced",
              f->advanced_ct > 0 ? "true" : "false", NULL);
    buf_finish(&arm);
}

static const char *group_phrase(struct buf *out, const struct wv_battle *b, int lane, bool def)
{
    buf_reset(out);
    for (int i = 0; i < b->fighters; i++) {
        const struct wv_fighter *f = &b->fighter[i];
        if (f->lane != lane || f->def != def) { continue; }
        if (out->len > 0) { comma(out); }
        say_fighter(out, f);
    }
    const int *hidden = b->hidden[def ? 1 : 0][lane];
    if (hidden[0] + hidden[1] + hidden[2] > 0) {
        if (out->len > 0) { comma(out); }
        say_counts(out, hidden);
    } else if (out->len == 0) {
        words_say(out, "list.none", NULL);
    }
    return buf_str(out);
}

void describe_battle(struct buf *out, const struct wv *wv, const struct wv_battle *b)
{
    static const char *const engaged[] = {"none", "att", "def"};
    bool we_defend = !b->we_attack;
    const char *us = wv->player ? "we" : wv->side == WV_SIDE_FR ? "FR" : "AL";
    const char *them = wv->player ? "they" : wv->side == WV_SIDE_FR ? "AL" : "FR";
    char phase[2] = {b->phase, '\0'};
    struct buf ours, theirs;
    words_say(out, "cli.show.battle", "town", wv->board->town[b->town].name, "phase", phase, NULL);
    line(out);
    if (b->phase == 'o') { return; }
    buf_init(&ours, 8192);
    buf_init(&theirs, 8192);
    for (int lane = 0; lane <= 3; lane++) {
        int k = (lane + 1) % 4; /* the reserves last */
        words_say(out, k == 0 ? "cli.show.reserves" : "cli.show.lane", "lane", words_int(k),
                  "engaged", engaged[b->engaged_by[k]], "us", us, "ours",
                  group_phrase(&ours, b, k, we_defend), "them", them, "theirs",
                  group_phrase(&theirs, b, k, !we_defend), NULL);
        line(out);
    }
    const int *waiting = b->undeployed[we_defend ? 1 : 0];
    if (waiting[0] + waiting[1] + waiting[2] > 0) {
        buf_reset(&ours);
        say_counts(&ours, waiting);
        words_say(out, "cli.show.to_deploy", "units_of_t", buf_str(&ours), NULL);
        line(out);
    }
    buf_finish(&ours);
    buf_finish(&theirs);
}

/* ---- the whole ---- */

/* Own units in a town (BOARD_NONE: still to be placed), and the counts of those we do not know. */
static void say_force(struct buf *out, const struct wv *wv, int t, int counts[WV_NATIONS])
{
    struct buf arm;
    buf_init(&arm, 64);
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        if (u->town != t) { continue; }
        if (out->len > 0) { comma(out); }
        bool marked = u->marked_until > 0 && u->marked_until >= wv->slot;
        words_say(out, "cli.show.unit", "unit", u->id, "arm_t", arm_short(&arm, u->type), "cv",
                  words_int(u->cv), "marked", marked ? "true" : "false", "marching",
                  u->drafted > 0 ? "true" : "false", NULL);
        if (counts[u->nation] > 0) { counts[u->nation]--; }
    }
    if (counts[0] + counts[1] + counts[2] > 0) {
        if (out->len > 0) { comma(out); }
        say_counts(out, counts);
    }
    buf_finish(&arm);
}

static void say_town(struct buf *out, const struct wv *wv, int t)
{
    struct buf force;
    int counts[WV_NATIONS] = {0};
    if (t != BOARD_NONE) { memcpy(counts, wv->count[t], sizeof counts); }
    buf_init(&force, 8192);
    say_force(&force, wv, t, counts);
    if (force.len > 0) {
        words_say(out, t == BOARD_NONE ? "cli.show.to_place" : "cli.show.town", "town",
                  t == BOARD_NONE ? "" : wv->board->town[t].name, "force", buf_str(&force), NULL);
        line(out);
    }
    buf_finish(&force);
}

static void say_drafts(struct buf *out, const struct wv *wv)
{
    struct buf path;
    buf_init(&path, 512);
    for (int i = 0; i < wv->units; i++) {
        const struct wv_unit *u = &wv->unit[i];
        if (u->drafted == 0) { continue; }
        buf_reset(&path);
        if (u->town != BOARD_NONE) { buf_append_str(&path, wv->board->town[u->town].name); }
        for (int k = 0; k < u->drafted; k++) {
            buf_append_str(&path, " → ");
            buf_append_str(&path,
                           u->path[k] == BOARD_NONE ? "?" : wv->board->town[u->path[k]].name);
        }
        words_say(out, "cli.show.draft", "unit", u->id, "path_t", buf_str(&path), "forced",
                  u->forced ? "true" : "false", NULL);
        line(out);
    }
    buf_finish(&path);
}

void describe_position(struct buf *out, const cJSON *view, const struct board *board)
{
    struct wv *wv = &(struct wv){0};
    if (!wv_read(board, view, wv) || board->towns == 0) {
        char *text = cJSON_Print(view);
        buf_append_str(out, text == NULL ? "" : text);
        line(out);
        cJSON_free(text);
        return;
    }
    struct buf slot;
    buf_init(&slot, 256);
    describe_slot(&slot, view);
    words_say(out, "cli.show.head", "slot_t", buf_str(&slot), "seat", wv->seat, NULL);
    buf_finish(&slot);
    for (int n = 0; n < WV_NATIONS; n++) {
        words_say(out, "cli.show.left", "nation", wv_nation_ids[n], "left", words_int(wv->left[n]),
                  "falls", words_int(wv->surrenders_at[n]), NULL);
    }
    line(out);
    for (unsigned t = 0; t < board->towns; t++) {
        say_town(out, wv, (int)t);
    }
    say_town(out, wv, BOARD_NONE);
    say_drafts(out, wv);
    for (int i = 0; i < wv->battles; i++) {
        describe_battle(out, wv, &wv->battle[i]);
    }
}

void describe_view(struct buf *out, const cJSON *view, const struct board *board)
{
    struct wv *wv = &(struct wv){0};
    describe_position(out, view, board);
    if (wv_read(board, view, wv) && board->towns > 0) { describe_prompt(out, wv); }
}
