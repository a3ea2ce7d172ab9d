/* client-cli/austerlitz/orders_austerlitz.c: the language of orders of Austerlitz, one function a
 * word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

#define STATE(s) (1U << (s))
#define ENDS     (STATE(AV_MOVE) | STATE(AV_DECLARE) | STATE(AV_ADVANCE))

/* clang-format off */
const struct order_word aus_order_words[] = {
    {"move", "move UNIT HEX...", STATE(AV_MOVE)},
    {"exit", "exit UNIT [HEX...] EDGE, vienna UNIT [HEX...]", STATE(AV_MOVE)},
    {"vienna", "", STATE(AV_MOVE)},
    {"demolish", "demolish BRIDGE|UNIT", STATE(AV_MOVE)},
    {"attack", "attack UNIT... on HEX... [with BATTERY...]", STATE(AV_DECLARE)},
    {"bombard", "bombard BATTERY... on HEX", STATE(AV_DECLARE)},
    {"ice", "ice BATTERY HEX", STATE(AV_DECLARE)},
    {"drop", "drop N|all", STATE(AV_DECLARE)},
    {"declare", "declare", STATE(AV_DECLARE)},
    {"resolve", "resolve N", STATE(AV_RESOLVE)},
    {"lose", "lose UNIT...", STATE(AV_EXCHANGE)},
    {"retreat", "retreat UNIT [HEX...]", STATE(AV_RETREAT)},
    {"battery", "battery UNIT stay|HEX...", STATE(AV_BATTERY)},
    {"advance", "advance UNIT HEX...", STATE(AV_ADVANCE)},
    {"hold", "hold", STATE(AV_ADVANCE)},
    {"end", "end", ENDS},
    {"odds", "odds UNIT... on HEX... [with BATTERY...]", 0},
    {"reach", "reach UNIT, way UNIT HEX..., retreats UNIT", 0},
    {"way", "", 0},
    {"retreats", "", 0},
    {"range", "range BATTERY HEX, control HEX, obliged, encircled, row A B", 0},
    {"control", "", 0},
    {"obliged", "", 0},
    {"encircled", "", 0},
    {"row", "", 0},
    {"staff", "staff", 0},
    {"forms", "forms", 0},
    {"map", "map [HEX|all|near], legend", 0},
    {"legend", "", 0},
    {"combats", "combats, armies", 0},
    {"armies", "", 0},
    {"hex", "hex HEX", 0},
    ORDER_WORDS_OF_ALL,
};
/* clang-format on */

static const char *const edge_ids[] = {"west", "east", "north", "south"};
enum { WEST, EAST, NORTH, SOUTH, EDGES };

enum { WORDS_MAX = 128, WORD_BYTES = 32 };
struct parse {
    const struct face *face;
    const struct av_view *v;
    char word[WORDS_MAX][WORD_BYTES];
    int words, at;
    struct buf *out, *why;
    const char *usage;
};

static bool fail(const struct parse *p, const char *id, const char *word)
{
    words_say(p->why, id, "word", word, "usage", p->usage, NULL);
    return false;
}

static const char *peek(const struct parse *p)
{
    return p->at < p->words ? p->word[p->at] : "";
}

static bool at_end(const struct parse *p)
{
    return p->at >= p->words;
}

static bool take(struct parse *p, const char *word)
{
    if (strcasecmp(peek(p), word) != 0) { return false; }
    p->at++;
    return true;
}

static void split(struct parse *p, const char *text)
{
    p->words = 0;
    while (p->words < WORDS_MAX) {
        text += strspn(text, " \t,\n");
        size_t len = text[0] == ';' ? 1 : strcspn(text, " \t,;\n");
        if (len == 0) { break; }
        snprintf(p->word[p->words++], WORD_BYTES, "%.*s",
                 (int)(len < WORD_BYTES ? len : WORD_BYTES - 1), text);
        text += len;
    }
}

/* The unit that the next word names. False: said why not. */
static bool take_unit(struct parse *p, bool own, int *out_unit)
{
    if (at_end(p)) { return fail(p, "cli.order.need_units", ""); }
    int unit = av_find(p->v, peek(p));
    if (unit == AV_NONE || (own && !p->v->unit[unit].mine)) {
        return fail(p, own ? "cli.order.no_unit" : "cli.austerlitz.order.nobody", peek(p));
    }
    p->at++;
    *out_unit = unit;
    return true;
}

static bool take_hex(struct parse *p, unsigned *out_hex)
{
    if (at_end(p)) { return fail(p, "cli.order.usage", ""); }
    *out_hex = av_find_hex(p->v, peek(p));
    if (*out_hex == HEX_NONE) { return fail(p, "cli.austerlitz.order.no_hex", peek(p)); }
    p->at++;
    return true;
}

static void begin(struct parse *p, const char *what)
{
    jw_object_begin(p->out);
    jw_key_str(p->out, "do", what);
}

static void write_hex(const struct av_view *v, unsigned hex, struct buf *out)
{
    char text[HEX_TEXT];
    hex_text(&v->map->grid, hex, text);
    jw_str(out, text);
}

static void key_unit(struct parse *p, const char *key, int unit)
{
    char name[HEX_TEXT];
    av_name(p->v, unit, name);
    jw_key_str(p->out, key, name);
}

/* ---- movement ---- */

/* The way in the forms to that hex, of which every beginning is legal (PROTOCOL 5). */
static bool find_in_tree(const struct av_view *v, const cJSON *tree, unsigned to,
                         struct av_way *way)
{
    const cJSON *branch = cJSON_IsObject(tree) ? tree->child : NULL;
    for (; branch != NULL && way->len < AV_WAY_MAX; branch = branch->next) {
        way->hex[way->len++] = hex_parse(&v->map->grid, av_key(branch));
        if (way->hex[way->len - 1] == to || find_in_tree(v, branch, to, way)) { return true; }
        way->len--;
    }
    return false;
}

static bool way_of_forms(const struct av_view *v, const char *unit, unsigned to, struct av_way *way)
{
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, json_get(v->view, "actions"))
    {
        const cJSON *id = json_get(form, "unit");
        const cJSON *tree = json_get(json_get(form, "path"), "tree");
        way->len = 0;
        if (tree == NULL || !cJSON_IsString(id) || strcmp(id->valuestring, unit) != 0) { continue; }
        if (find_in_tree(v, tree, to, way)) { return true; }
    }
    return false;
}

/* The hexes that follow: exactly these where they lie next to each other, or the cheapest way to
 * the only one. */
static bool read_way(struct parse *p, int unit, struct av_way *way)
{
    const struct hex_grid *grid = &p->v->map->grid;
    unsigned start = p->v->unit[unit].hex, before = start;
    struct av_way named = {0};
    while (!at_end(p) && named.len < AV_WAY_MAX) {
        bool edge = false;
        for (int i = 0; i < EDGES; i++) {
            edge = edge || strcasecmp(peek(p), edge_ids[i]) == 0;
        }
        if (edge) { break; }
        unsigned hex = HEX_NONE;
        if (!take_hex(p, &hex)) { return false; }
        if (named.len > 0 || hex != start) { named.hex[named.len++] = hex; }
    }
    *way = named;
    if (named.len == 1) {
        struct av_ways *ways = malloc(sizeof *ways);
        unsigned to = named.hex[0];
        bool found = way_of_forms(p->v, p->v->unit[unit].id, to, way);
        if (!found && ways != NULL) {
            av_find_ways(p->v, unit, ways);
            found = av_way_to(p->v, ways, unit, to, way);
        }
        free(ways);
        if (found) { return true; }
        *way = named;
        int there = p->v->at[to];
        if (there != AV_NONE && !p->v->unit[there].mine) {
            aus_say_rule("4.4", p->why);
            return false;
        }
        if (hex_side_to(grid, start, to) != HEX_SIDES) { return true; } /* it is told why not */
        char text[HEX_TEXT];
        hex_text(grid, to, text);
        words_say(p->why, "cli.order.no_route", "unit", p->v->unit[unit].id, "town", text, NULL);
        return false;
    }
    for (int i = 0; i < named.len; before = named.hex[i++]) {
        if (hex_side_to(grid, before, named.hex[i]) != HEX_SIDES) { continue; }
        char a[HEX_TEXT], b[HEX_TEXT];
        hex_text(grid, before, a);
        hex_text(grid, named.hex[i], b);
        words_say(p->why, "cli.austerlitz.order.apart", "a", a, "b", b, NULL);
        return false;
    }
    return true;
}

static void write_move(struct parse *p, int unit, const struct av_way *way, const char *edge)
{
    begin(p, "move");
    key_unit(p, "unit", unit);
    jw_key_array(p->out, "path");
    for (int i = 0; i < way->len; i++) {
        write_hex(p->v, way->hex[i], p->out);
    }
    jw_array_end(p->out);
    if (edge != NULL) { jw_key_str(p->out, "exit_edge", edge); }
    jw_object_end(p->out);
}

static bool order_move(struct parse *p)
{
    int unit = AV_NONE;
    struct av_way way;
    if (!take_unit(p, true, &unit) || !read_way(p, unit, &way)) { return false; }
    if (way.len == 0) {
        bool named = p->at > 2; /* the hex that it stands in */
        return fail(p,
                    named ? "cli.austerlitz.order.stands_there" : "cli.austerlitz.order.need_hex",
                    p->word[1]);
    }
    if (!at_end(p)) { return fail(p, "cli.order.usage", ""); }
    write_move(p, unit, &way, NULL);
    return true;
}

static bool is_at_edge(const struct hex_grid *grid, unsigned hex, int edge)
{
    unsigned column = hex_column(grid, hex), row = hex_row(grid, hex);
    return edge == WEST    ? column == 1
           : edge == EAST  ? column == grid->columns
           : edge == NORTH ? row == 1
                           : row == grid->rows;
}

/* The cheapest way to a hex of that edge from which the unit may go on (9.4). */
static bool way_to_edge(struct parse *p, int unit, int edge, bool vienna, struct av_way *way)
{
    const struct hex_grid *grid = &p->v->map->grid;
    struct av_ways *ways = malloc(sizeof *ways);
    unsigned best = HEX_NONE, start = p->v->unit[unit].hex;
    way->len = 0;
    if (ways == NULL) { return false; }
    av_find_ways(p->v, unit, ways);
    for (unsigned hex = 0; hex < hex_count(grid); hex++) {
        if (!is_at_edge(grid, hex, edge) || (vienna && !p->v->map->vienna[hex])) { continue; }
        if (ways->cost[hex] >= AV_NEVER || (ways->held[hex] && hex != start)) { continue; }
        if (best == HEX_NONE || ways->cost[hex] < ways->cost[best]) { best = hex; }
    }
    bool found = best != HEX_NONE && (best == start || av_way_to(p->v, ways, unit, best, way));
    free(ways);
    if (!found) {
        words_say(p->why, "cli.order.no_route", "unit", p->v->unit[unit].id, "town", edge_ids[edge],
                  NULL);
    }
    return found;
}

static bool leave_map(struct parse *p, bool vienna)
{
    int unit = AV_NONE, edge = vienna ? WEST : EDGES;
    struct av_way way;
    if (!take_unit(p, true, &unit) || !read_way(p, unit, &way)) { return false; }
    for (int i = 0; i < EDGES && edge == EDGES; i++) {
        if (take(p, edge_ids[i])) { edge = i; }
    }
    if (vienna) { (void)take(p, edge_ids[WEST]); }
    if (edge == EDGES || !at_end(p)) { return fail(p, "cli.order.usage", ""); }
    if (way.len == 0 && !way_to_edge(p, unit, edge, vienna, &way)) { return false; }
    write_move(p, unit, &way, edge_ids[edge]);
    return true;
}

static bool order_exit(struct parse *p)
{
    return leave_map(p, false);
}
static bool order_vienna(struct parse *p)
{
    return leave_map(p, true);
}

/* The bridge of the word, or the one at the unit; the unit of the next, or the one beside it. */
static bool order_demolish(struct parse *p)
{
    const struct av_map *map = p->v->map;
    int bridge = av_find_bridge(map, peek(p)), unit = AV_NONE;
    if (at_end(p)) { return fail(p, "cli.order.usage", ""); }
    if (bridge != AV_NONE) {
        p->at++;
        const unsigned ends[2] = {map->of_bridge[bridge].a, map->of_bridge[bridge].b};
        for (int i = 0; i < 2 && at_end(p); i++) {
            int there = p->v->at[ends[i]];
            bool fits = there != AV_NONE && p->v->unit[there].mine;
            if (fits && (unit == AV_NONE || p->v->unit[unit].moved)) { unit = there; }
        }
        if (unit == AV_NONE && at_end(p)) {
            return fail(p, "cli.austerlitz.order.no_sapper", map->of_bridge[bridge].id);
        }
    }
    if (unit == AV_NONE && !take_unit(p, true, &unit)) { return false; }
    for (int i = 0; i < map->bridges && bridge == AV_NONE; i++) {
        bool beside = map->of_bridge[i].a == p->v->unit[unit].hex ||
                      map->of_bridge[i].b == p->v->unit[unit].hex;
        if (beside && (p->v->destroyed >> i & 1U) == 0) { bridge = i; }
    }
    if (bridge == AV_NONE) {
        return fail(p, "cli.austerlitz.order.no_bridge", p->v->unit[unit].id);
    }
    begin(p, "destroy_bridge");
    key_unit(p, "unit", unit);
    jw_key_str(p->out, "bridge", map->of_bridge[bridge].id);
    jw_object_end(p->out);
    return true;
}

/* ---- declaring ---- */

static bool add_hex(struct parse *p, struct av_hexes *list, unsigned hex)
{
    if (av_has(list, hex)) { return true; }
    if (list->count == AV_LIST_MAX) { return fail(p, "cli.order.usage", ""); }
    list->hex[list->count++] = hex;
    return true;
}

/* Units up to one of the words that divide; false: said why not. */
static bool take_units(struct parse *p, bool own, struct av_hexes *out)
{
    static const char *const stops[] = {"on", "with", "and", ";"};
    for (;;) {
        bool stop = at_end(p);
        for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
            stop = stop || strcasecmp(peek(p), stops[i]) == 0;
        }
        if (stop) { break; }
        int unit = AV_NONE;
        unsigned hex = own ? HEX_NONE : av_find_hex(p->v, peek(p));
        if (hex != HEX_NONE && p->v->at[hex] != AV_NONE) { /* a village says where, too */
            unit = p->v->at[hex];
            p->at++;
        } else if (!take_unit(p, own, &unit)) {
            return false;
        }
        if (!own && p->v->unit[unit].mine) {
            return fail(p, "cli.austerlitz.order.nobody", p->word[p->at - 1]);
        }
        if (!add_hex(p, out, p->v->unit[unit].hex)) { return false; }
    }
    return out->count > 0 || fail(p, "cli.order.usage", "");
}

/* One piece of a plan: attack, bombard or ice, whose word has been taken. */
static bool read_piece(struct parse *p, const char *word, struct av_entry *out)
{
    memset(out, 0, sizeof *out);
    out->status = 'p';
    out->ice = HEX_NONE;
    if (strcasecmp(word, "ice") == 0) {
        int unit = AV_NONE;
        if (!take_unit(p, true, &unit)) { return false; }
        (void)take(p, "on");
        return add_hex(p, &out->bombard, p->v->unit[unit].hex) && take_hex(p, &out->ice);
    }
    bool attacks = strcasecmp(word, "attack") == 0 || strcasecmp(word, "odds") == 0;
    if (!take_units(p, true, attacks ? &out->contact : &out->bombard)) { return false; }
    if (!take(p, "on")) { return fail(p, "cli.order.usage", ""); }
    if (!take_units(p, false, &out->defenders)) { return false; }
    return !take(p, "with") || take_units(p, true, &out->bombard);
}

bool aus_read_entry(const struct face *face, const struct av_view *v, const char *text,
                    struct av_entry *out_entry, struct buf *out_why)
{
    struct parse p = {.face = face, .v = v, .why = out_why, .at = 1, .usage = ""};
    split(&p, text);
    const struct order_word *w = p.words > 0 ? face_word_find(face, p.word[0]) : NULL;
    if (w != NULL) { p.usage = face_how(face, w); }
    if (!read_piece(&p, p.words > 0 ? p.word[0] : "", out_entry)) { return false; }
    return at_end(&p) || fail(&p, "cli.order.usage", peek(&p));
}

static void write_names(const struct av_view *v, const char *key, const struct av_hexes *list,
                        struct buf *out)
{
    if (list->count == 0) { return; }
    jw_key_array(out, key);
    for (int i = 0; i < list->count; i++) {
        char name[HEX_TEXT];
        int unit = v->at[list->hex[i]];
        if (unit == AV_NONE) { continue; }
        av_name(v, unit, name);
        jw_str(out, name);
    }
    jw_array_end(out);
}

void aus_write_entry(const struct av_view *v, const struct av_entry *entry, struct buf *out)
{
    jw_object_begin(out);
    if (entry->ice != HEX_NONE) {
        char name[HEX_TEXT] = "?";
        int unit = entry->bombard.count > 0 ? v->at[entry->bombard.hex[0]] : AV_NONE;
        if (unit != AV_NONE) { av_name(v, unit, name); }
        jw_key_str(out, "artillery", name);
        jw_key(out, "hex");
        write_hex(v, entry->ice, out);
    } else {
        write_names(v, "contact", &entry->contact, out);
        write_names(v, "bombard", &entry->bombard, out);
        write_names(v, "defenders", &entry->defenders, out);
    }
    jw_object_end(out);
}

void aus_write_declare(const struct av_view *v, const struct aus_draft *draft, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "do", "declare");
    jw_key_array(out, "plan");
    for (int i = 0; i < draft->entries; i++) {
        aus_write_entry(v, &draft->entry[i], out);
    }
    jw_array_end(out);
    jw_object_end(out);
}

/* A whole plan at once: pieces with "and" or a semicolon between. */
static bool order_plan(struct parse *p)
{
    struct aus_draft *draft = calloc(1, sizeof *draft);
    bool good = draft != NULL;
    const char *word = p->word[0];
    while (good) {
        good =
            draft->entries < AV_ENTRIES_MAX && read_piece(p, word, &draft->entry[draft->entries++]);
        if (!good || at_end(p)) { break; }
        good = take(p, "and") || take(p, ";");
        word = peek(p);
        bool piece = strcasecmp(word, "attack") == 0 || strcasecmp(word, "bombard") == 0 ||
                     strcasecmp(word, "ice") == 0;
        if (!good || !piece) { good = fail(p, "cli.order.usage", ""); }
        p->at++;
    }
    if (good) { aus_write_declare(p->v, draft, p->out); }
    free(draft);
    return good;
}

static bool order_declare(struct parse *p)
{
    if (!at_end(p)) { return fail(p, "cli.austerlitz.order.pieces", ""); }
    buf_append_str(p->out, "{\"do\":\"declare\",\"plan\":[]}");
    return true;
}

/* ---- after the die ---- */

static bool order_resolve(struct parse *p)
{
    char *end = NULL;
    long index = strtol(peek(p), &end, 10);
    if (at_end(p) && p->v->entries > 0) { /* the only one, else the first */
        index = 1;
        while (index < p->v->entries && p->v->entry[index - 1].status != 'p') {
            index++;
        }
    } else if (*end != '\0' || index < 1 || index > AV_ENTRIES_MAX) {
        return fail(p, "cli.order.usage", "");
    }
    begin(p, "resolve");
    jw_key_int(p->out, "index", index);
    jw_object_end(p->out);
    return true;
}

static bool order_lose(struct parse *p)
{
    struct av_hexes units = {0};
    if (at_end(p)) { return fail(p, "cli.order.need_units", ""); }
    if (!take_units(p, true, &units)) { return false; }
    begin(p, "exchange");
    write_names(p->v, "losses", &units, p->out);
    jw_object_end(p->out);
    return true;
}

/* Whether a form pushes that unit to that hex; with a chain: which. */
static const cJSON *find_push(const struct parse *p, const char *unit, const char *to,
                              int *out_count)
{
    const cJSON *form = NULL, *found = NULL, *one = NULL;
    *out_count = 0;
    cJSON_ArrayForEach(form, json_get(p->v->view, "actions"))
    {
        const cJSON *name = json_get(form, "unit"), *hexes = json_get(form, "to");
        bool fits = false;
        if (!cJSON_IsString(name) || strcmp(name->valuestring, unit) != 0 || hexes == NULL) {
            continue;
        }
        if (cJSON_IsString(hexes)) { fits = to[0] == '\0' || strcmp(hexes->valuestring, to) == 0; }
        cJSON_ArrayForEach(one, hexes)
        {
            fits =
                fits || to[0] == '\0' || (cJSON_IsString(one) && strcmp(one->valuestring, to) == 0);
        }
        if (!fits) { continue; }
        found = form;
        *out_count += cJSON_IsArray(hexes) && to[0] == '\0' ? cJSON_GetArraySize(hexes) : 1;
    }
    return found;
}

static void write_chain(struct parse *p, const cJSON *chain)
{
    const cJSON *hex = NULL;
    if (json_get(chain, "list") == NULL) { return; }
    jw_key_array(p->out, "chain");
    cJSON_ArrayForEach(hex, json_get(chain, "list"))
    {
        if (cJSON_IsString(hex)) { jw_str(p->out, hex->valuestring); }
    }
    jw_array_end(p->out);
}

/* UNIT and where it goes: the hex, then the hexes of friends who make room one after another; left
 * out where there is but one way, or none. */
static bool push(struct parse *p, const char *what)
{
    int unit = AV_NONE, ways = 0;
    char name[HEX_TEXT], to[HEX_TEXT] = "";
    if (!take_unit(p, false, &unit)) { return false; }
    av_name(p->v, unit, name);
    (void)take(p, "to");
    if (!at_end(p)) {
        unsigned hex = HEX_NONE;
        if (!take_hex(p, &hex)) { return false; }
        hex_text(&p->v->map->grid, hex, to);
    }
    const cJSON *form = find_push(p, name, to, &ways);
    if (to[0] == '\0' && ways > 1) { return fail(p, "cli.austerlitz.order.which_way", name); }
    begin(p, what);
    jw_key_str(p->out, "unit", name);
    if (to[0] == '\0' && form != NULL) {
        const cJSON *only = json_get(form, "to");
        only = cJSON_IsArray(only) ? only->child : only;
        jw_key_str(p->out, "to", cJSON_IsString(only) ? only->valuestring : "");
    } else if (to[0] != '\0') {
        jw_key_str(p->out, "to", to);
    }
    if (at_end(p) && ways == 1) { write_chain(p, json_get(form, "chain")); }
    if (!at_end(p)) {
        jw_key_array(p->out, "chain");
        while (!at_end(p)) {
            unsigned hex = HEX_NONE;
            if (!take_hex(p, &hex)) { return false; }
            write_hex(p->v, hex, p->out);
        }
        jw_array_end(p->out);
    }
    jw_object_end(p->out);
    return true;
}

static bool order_retreat(struct parse *p)
{
    return push(p, "retreat");
}

static bool order_battery(struct parse *p)
{
    int unit = AV_NONE, at = p->at;
    if (!take_unit(p, true, &unit)) { return false; }
    if (!take(p, "stay")) {
        p->at = at;
        return push(p, "battery");
    }
    begin(p, "battery");
    key_unit(p, "unit", unit);
    jw_key_bool(p->out, "stay", true);
    jw_object_end(p->out);
    return true;
}

/* The only hex that the unit may enter, from the forms; HEX_NONE: none or several. */
static unsigned only_advance(const struct parse *p, const char *unit)
{
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, json_get(p->v->view, "actions"))
    {
        const cJSON *to = json_get(json_get(form, "moves"), unit);
        if (cJSON_IsArray(to) && cJSON_GetArraySize(to) == 1 && cJSON_IsString(to->child)) {
            return hex_parse(&p->v->map->grid, to->child->valuestring);
        }
    }
    return HEX_NONE;
}

static bool order_advance(struct parse *p)
{
    if (at_end(p)) { return fail(p, "cli.order.need_units", ""); }
    begin(p, "advance");
    jw_key_object(p->out, "moves");
    while (!at_end(p)) {
        int unit = AV_NONE;
        unsigned hex = HEX_NONE;
        char name[HEX_TEXT], text[HEX_TEXT];
        if (!take_unit(p, true, &unit)) { return false; }
        av_name(p->v, unit, name);
        (void)take(p, "to");
        bool bare = at_end(p) || (hex_parse(&p->v->map->grid, peek(p)) == HEX_NONE &&
                                  av_find(p->v, peek(p)) != AV_NONE);
        if (bare) { hex = only_advance(p, name); }
        if (hex == HEX_NONE && !take_hex(p, &hex)) { return false; }
        hex_text(&p->v->map->grid, hex, text);
        jw_key_str(p->out, name, text);
    }
    jw_object_end(p->out);
    jw_object_end(p->out);
    return true;
}

static bool order_hold(struct parse *p)
{
    buf_append_str(p->out, "{\"do\":\"advance\",\"moves\":{}}");
    return at_end(p) || fail(p, "cli.order.usage", "");
}

static bool order_end(struct parse *p)
{
    if (!at_end(p)) { return fail(p, "cli.order.usage", ""); }
    if (p->v->state == AV_ADVANCE) { return order_hold(p); }
    if (p->v->state == AV_DECLARE) { return order_declare(p); }
    buf_append_str(p->out, "{\"do\":\"end_move\"}");
    return true;
}

static const struct order {
    const char *word;
    bool (*read)(struct parse *p);
} orders[] = {
    {"move", order_move},         {"exit", order_exit},       {"vienna", order_vienna},
    {"demolish", order_demolish}, {"attack", order_plan},     {"bombard", order_plan},
    {"ice", order_plan},          {"declare", order_declare}, {"resolve", order_resolve},
    {"lose", order_lose},         {"retreat", order_retreat}, {"battery", order_battery},
    {"advance", order_advance},   {"hold", order_hold},       {"end", order_end},
};

bool aus_order(const struct face *face, const struct av_view *v, const char *text,
               struct buf *out_action, struct buf *out_why)
{
    struct parse p = {
        .face = face, .v = v, .at = 1, .out = out_action, .why = out_why, .usage = ""};
    bool ok = false;
    split(&p, text);
    const struct order_word *w = p.words == 0 ? NULL : face_word_find(face, p.word[0]);
    if (p.words == 0) {
        words_say(out_why, "cli.order.nothing", NULL);
    } else if (w == NULL) {
        fail(&p, "cli.order.unknown", p.word[0]);
    } else if (v->to_act && !face_word_fits(face, w)) { /* else the server says so */
        fail(&p, "cli.order.not_now", w->word);
    } else {
        size_t i = 0;
        p.usage = face_how(face, w);
        while (i < sizeof orders / sizeof orders[0] && strcmp(orders[i].word, w->word) != 0) {
            i++;
        }
        if (i == sizeof orders / sizeof orders[0]) {
            fail(&p, "cli.order.not_now", w->word);
        } else {
            ok = orders[i].read(&p);
        }
    }
    if (!ok) { buf_reset(out_action); }
    return ok;
}
