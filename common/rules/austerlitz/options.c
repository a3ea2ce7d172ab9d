/* common/rules/austerlitz/options.c: the options of a match (14), and what the game says about
 * itself. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/austerlitz/au.h"

static const char *const option_names[] = {"guard_1805", "information", "situation", "strengths",
                                           NULL};
static const char *const information_ids[2] = {"informed", "semi-blind"};
static const char *const strength_ids[2] = {"printed", "dealt"};

/* One of n words; a missing member leaves *out as it is. */
static enum err read_word(const cJSON *options, const char *name, const char *const *words,
                          unsigned n, uint8_t *out, struct why *why)
{
    const char *word = words[*out];
    enum err err = json_read_str(options, name, 16, &word, why);
    if (err != ERR_OK) { return err; }
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = (uint8_t)i;
            return ERR_OK;
        }
    }
    return why_member(why, name, "There is no such choice.");
}

enum err au_read_choices(const cJSON *options, struct state *out_state, struct why *why)
{
    bool guard = out_state->guard_1805 != 0;
    enum err err = json_only(options, option_names, why);
    if (err == ERR_OK) {
        err = read_word(options, "information", information_ids, 2, &out_state->semi_blind, why);
    }
    if (err == ERR_OK) {
        err = read_word(options, "situation", au_situation_ids, AU_SITUATIONS,
                        &out_state->situation, why);
    }
    if (err == ERR_OK) {
        err = read_word(options, "strengths", strength_ids, 2, &out_state->dealt, why);
    }
    if (err == ERR_OK) { err = json_read_bool(options, "guard_1805", &guard, why); }
    out_state->guard_1805 = guard;
    return err;
}

enum err au_check_choices(const struct state *s, struct why *why)
{
    if (s->guard_1805 == 0 || s->situation != 0) { return ERR_OK; }
    return why_member(why, "guard_1805", "In 1805 the Guard fights as of 1805 anyway."); /* 14.3 */
}

enum err au_read_options(const cJSON *options, struct state *out_state, struct why *why)
{
    struct state s = {0};
    if (options != NULL) {
        enum err err = au_read_choices(options, &s, why);
        if (err == ERR_OK) { err = au_check_choices(&s, why); }
        if (err != ERR_OK) { return err; }
    }
    out_state->semi_blind = s.semi_blind;
    out_state->situation = s.situation;
    out_state->dealt = s.dealt;
    out_state->guard_1805 = s.guard_1805;
    return ERR_OK;
}

void au_write_options(const struct state *s, bool all, struct buf *out)
{
    if (all || s->guard_1805 != 0) { jw_key_bool(out, "guard_1805", s->guard_1805 != 0); }
    if (all || s->semi_blind != 0) {
        jw_key_str(out, "information", information_ids[s->semi_blind]);
    }
    if (all || s->situation != 0) { jw_key_str(out, "situation", au_situation_ids[s->situation]); }
    if (all || s->dealt != 0) { jw_key_str(out, "strengths", strength_ids[s->dealt]); }
}

enum err au_options(const cJSON *options, struct buf *out_json, struct why *why)
{
    struct state s = {0};
    enum err err = au_read_options(options, &s, why);
    if (err != ERR_OK) { return err; }
    jw_object_begin(out_json);
    au_write_options(&s, true, out_json);
    jw_object_end(out_json);
    return ERR_OK;
}

unsigned au_seats(const cJSON *options, const char *out_codes[SEATS_MAX])
{
    (void)options;
    out_codes[AU_FRENCH] = au_seat_ids[AU_FRENCH];
    out_codes[AU_ALLIED] = au_seat_ids[AU_ALLIED];
    return AU_SIDES;
}

const char au_about[] =
    "{"
    "\"title\":\"Napoléon à Austerlitz\","
    "\"summary\":\"2 December 1805 on hexes: two armies, combats declared together, and, if you "
    "like, counters that show their type alone.\","
    "\"board\":\"austerlitz/board.json\","
    "\"oob\":\"austerlitz/oob.json\","
    "\"tables\":\"austerlitz/tables.json\","
    "\"rules\":\"austerlitz/rules.md\","
    "\"seats\":{\"2\":[\"FR\",\"AL\"]},"
    "\"options\":{"
    "\"information\":{\"name\":\"information\",\"type\":\"string\",\"default\":\"informed\","
    "\"rule\":"
    "\"14.1\",\"enum\":[\"informed\",\"semi-blind\"],\"meaning\":\"Informed: all is open. "
    "Semi-blind: "
    "of enemy units you see side, type and hex, and their faces in combat alone. With printed "
    "strengths an opponent who has the order of battle can still tell every counter from its "
    "first hex; dealt strengths hide them.\"},"
    "\"situation\":{\"name\":\"situation\",\"type\":\"string\",\"default\":\"1805\",\"rule\":"
    "\"14.2\",\"enum\":[\"1805\",\"1809\",\"1813\"],\"meaning\":\"How well each army moves near "
    "the "
    "enemy: as in 1805, 1809 or 1813.\"},"
    "\"guard_1805\":{\"name\":\"guard_1805\",\"type\":\"boolean\",\"default\":false,\"rule\":"
    "\"14.3\",\"meaning\":\"In 1809 and 1813 the French Guard moves as in 1805.\"},"
    "\"strengths\":{\"name\":\"strengths\",\"type\":\"string\",\"default\":\"printed\",\"rule\":"
    "\"14.5\",\"enum\":[\"printed\",\"dealt\"],\"meaning\":\"House rule, not in the original: "
    "combat "
    "potentials are dealt secretly anew among the counters of the same army and type.\"}},"
    "\"conditions\":[],"
    "\"questions\":["
    "{\"ask\":\"move\",\"members\":[\"unit\",\"path\",\"exit_edge\"],\"meaning\":\"Whether a unit "
    "could go that way, and what each step costs.\"},"
    "{\"ask\":\"reach\",\"members\":[\"unit\"],\"meaning\":\"Where a unit could go, and out of the "
    "map.\"},"
    "{\"ask\":\"row\",\"members\":[\"attack\",\"defence\",\"attacker\"],\"meaning\":\"The row of "
    "the "
    "results table for two totals.\"},"
    "{\"ask\":\"odds\",\"members\":[\"contact\",\"bombard\",\"defenders\"],\"meaning\":\"What a "
    "combat would be rolled at.\"},"
    "{\"ask\":\"retreats\",\"members\":[\"unit\"],\"meaning\":\"Where a unit could be pushed.\"},"
    "{\"ask\":\"bombard\",\"members\":[\"unit\",\"hex\"],\"meaning\":\"Whether a battery could "
    "bombard that hex.\"},"
    "{\"ask\":\"ice_shot\",\"members\":[\"unit\",\"hex\"],\"meaning\":\"Whether it could break the "
    "ice there.\"},"
    "{\"ask\":\"obligations\",\"members\":[\"side\"],\"meaning\":\"Which units of a side must "
    "fight, "
    "and whom.\"},"
    "{\"ask\":\"control\",\"members\":[\"hex\",\"side\"],\"meaning\":\"Whether a side controls a "
    "hex, and from where.\"},"
    "{\"ask\":\"exchange\",\"members\":[],\"meaning\":\"The losses to choose among.\"},"
    "{\"ask\":\"advances\",\"members\":[],\"meaning\":\"Who may advance, and where.\"},"
    "{\"ask\":\"encircled\",\"members\":[\"side\"],\"meaning\":\"Units that would count as lost if "
    "the match ended now.\"}]}";
