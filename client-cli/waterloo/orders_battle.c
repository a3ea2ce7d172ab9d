/* client-cli/waterloo/orders_battle.c: the words of battles: deployment and combat. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/waterloo/orders.h"
#include "client-cli/waterloo/parse.h"
#include "common/base/jsonw.h"

const struct wv_battle *parse_battle(struct parse *p, char phase)
{
    int town = board_town(p->wv->board, peek(p));
    if (!at_end(p) && town != BOARD_NONE && wv_battle_at(p->wv, town) != NULL) {
        p->at++;
        return wv_battle_at(p->wv, town);
    }
    const struct wv_battle *found = NULL;
    for (int i = 0; i < p->wv->battles; i++) {
        const struct wv_battle *b = &p->wv->battle[i];
        int unit = wv_find(p->wv, peek(p));
        if (unit >= 0 && p->wv->unit[unit].town == b->town) { return b; }
        if (b->phase != phase) { continue; }
        if (found != NULL) { return NULL; }
        found = b;
    }
    return found;
}

bool parse_deploy(struct parse *p)
{
    const struct wv_battle *b = parse_battle(p, 'd');
    if (b == NULL) {
        return fail(p, at_end(p) ? "cli.order.which_battle" : "cli.order.no_battle", peek(p));
    }
    int place[WV_UNITS_MAX];
    if (at_end(p) || take(p, "auto")) {
        deploy_propose(p->wv, b->town, b->we_attack, place);
        deploy_write(p->wv, b->town, place, p->out);
        return true;
    }
    int lane = -1;
    for (int i = 0; i < WV_UNITS_MAX; i++) {
        place[i] = -1;
    }
    while (!at_end(p)) {
        char *word = p->word[p->at];
        size_t n = strcspn(word, ":");
        bool label = word[n] == ':' || (n == 1 && word[0] >= '1' && word[0] <= '3') ||
                     strcasecmp(word, "reserve") == 0;
        if (label) {
            lane = word[0] >= '1' && word[0] <= '3'   ? word[0] - '0'
                   : word[0] == 'r' || word[0] == 'R' ? 0
                                                      : -1;
            if (lane < 0) { return fail(p, "cli.order.usage", ""); }
            if (word[n] == ':' && word[n + 1] != '\0') {
                memmove(word, word + n + 1,
                        strlen(word + n + 1) + 1); /* "1:FR-A" without a blank */
            } else {
                p->at++;
            }
            continue;
        }
        int unit = wv_find(p->wv, word);
        if (unit < 0) { return fail(p, "cli.order.no_unit", word); }
        if (lane < 0) { return fail(p, "cli.order.usage", ""); }
        place[unit] = lane;
        p->at++;
    }
    for (int i = 0; i < p->wv->units; i++) { /* who is not named stays in reserve */
        const struct wv_unit *u = &p->wv->unit[i];
        if (place[i] < 0 && u->mine && u->town == b->town && u->place == WV_UNDEPLOYED) {
            place[i] = 0;
        }
    }
    deploy_write(p->wv, b->town, place, p->out);
    return true;
}

/* The town of the battle that our unit is in; NULL: none (said). */
static const struct wv_battle *battle_of(struct parse *p, const char *unit)
{
    int i = wv_find(p->wv, unit);
    for (int k = 0; i >= 0 && k < p->wv->battles; k++) {
        if (p->wv->battle[k].town == p->wv->unit[i].town && p->wv->battle[k].phase == 'f') {
            return &p->wv->battle[k];
        }
    }
    fail(p, i < 0 ? "cli.order.no_unit" : "cli.order.no_such_fighter", unit);
    return NULL;
}

bool parse_fire(struct parse *p)
{
    if (p->words - p->at < 2) { return fail(p, "cli.order.need_target", ""); }
    const struct wv_battle *b = battle_of(p, peek(p));
    if (b == NULL) { return false; }
    const char *unit = p->wv->unit[wv_find(p->wv, p->word[p->at])].id;
    char *target = p->word[p->at + 1];
    for (char *c = target; *c != '\0'; c++) {
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
    }
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "fire");
    jw_key_str(p->out, "battle", p->wv->board->town[b->town].id);
    jw_key_str(p->out, "unit", unit);
    jw_key_str(p->out, "target", target);
    jw_object_end(p->out);
    return true;
}

static void write_move(struct parse *p, const struct wv_battle *b, const char *unit,
                       const char *kind, int to)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", "move");
    jw_key_str(p->out, "battle", p->wv->board->town[b->town].id);
    jw_key_str(p->out, "unit", unit);
    jw_key_str(p->out, "kind", kind);
    if (to > 0) { jw_key_int(p->out, "to", to); }
    jw_object_end(p->out);
}

static bool move_to_lane(struct parse *p, const char *kind)
{
    if (at_end(p)) { return fail(p, "cli.order.need_units", ""); }
    const struct wv_battle *b = battle_of(p, peek(p));
    if (b == NULL) { return false; }
    const char *unit = p->wv->unit[wv_find(p->wv, p->word[p->at++])].id;
    int lane = atoi(peek(p));
    if (lane < 1 || lane > 3) { return fail(p, "cli.order.need_lane", ""); }
    write_move(p, b, unit, kind, lane);
    return true;
}

static bool move_each(struct parse *p, const char *kind)
{
    if (at_end(p)) { return fail(p, "cli.order.need_units", ""); }
    bool several = p->words - p->at > 1;
    if (several) { jw_array_begin(p->out); }
    while (!at_end(p)) {
        const struct wv_battle *b = battle_of(p, peek(p));
        if (b == NULL) { return false; }
        write_move(p, b, p->wv->unit[wv_find(p->wv, p->word[p->at++])].id, kind, 0);
    }
    if (several) { jw_array_end(p->out); }
    return true;
}

bool parse_advance(struct parse *p)
{
    return move_each(p, "advance");
}
bool parse_withdraw(struct parse *p)
{
    return move_each(p, "withdraw");
}
bool parse_reserve(struct parse *p)
{
    return move_each(p, "to_reserve");
}
bool parse_square(struct parse *p)
{
    return move_each(p, "form_square");
}
bool parse_unsquare(struct parse *p)
{
    return move_each(p, "break_square");
}
bool parse_redeploy(struct parse *p)
{
    return move_to_lane(p, "redeploy");
}
bool parse_bring(struct parse *p)
{
    return move_to_lane(p, "from_reserve");
}
