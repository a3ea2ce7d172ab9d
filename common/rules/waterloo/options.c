/* common/rules/waterloo/options.c: the options of a match, and what the game says about itself. */
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/wl.h"

enum { TURNS_MIN = 2, TURNS_DEFAULT = 24 };

static const char *const option_names[] = {"command_control", "morale", "players", "turns", NULL};

enum err wl_read_options(const struct cJSON *options, struct state *out_state, struct why *why)
{
    int64_t players = 2;
    int64_t turns = TURNS_DEFAULT;
    bool morale = false;
    bool command_control = false;
    enum err err = ERR_OK;
    if (options != NULL) {
        err = json_only(options, option_names, why);
        if (err == ERR_OK) { err = json_read_int(options, "players", 2, 3, &players, why); }
        if (err == ERR_OK) {
            err = json_read_int(options, "turns", TURNS_MIN, WL_SLOTS_MAX, &turns, why);
        }
        if (err == ERR_OK) { err = json_read_bool(options, "morale", &morale, why); }
        if (err == ERR_OK) {
            err = json_read_bool(options, "command_control", &command_control, why);
        }
    }
    if (err != ERR_OK) { return err; }
    out_state->players = (uint8_t)players;
    out_state->turns = (uint8_t)turns;
    out_state->morale = morale;
    out_state->command_control = command_control;
    return ERR_OK;
}

enum err wl_options(const struct cJSON *options, struct buf *out_json, struct why *why)
{
    struct state s = {0};
    enum err err = wl_read_options(options, &s, why);
    if (err != ERR_OK) { return err; }
    jw_object_begin(out_json);
    jw_key_bool(out_json, "command_control", s.command_control != 0);
    jw_key_bool(out_json, "morale", s.morale != 0);
    jw_key_int(out_json, "players", s.players);
    jw_key_int(out_json, "turns", s.turns);
    jw_object_end(out_json);
    return ERR_OK;
}

unsigned wl_game_seats(const struct cJSON *options, const char *out_codes[SEATS_MAX])
{
    struct state s = {0};
    if (wl_read_options(options, &s, NULL) != ERR_OK) { s.players = 2; }
    unsigned seats = wl_seats(&s);
    for (unsigned seat = 0; seat < seats; seat++) {
        out_codes[seat] = wl_seat_id(&s, seat);
    }
    return seats;
}

const char wl_about[] =
    "{"
    "\"title\":\"Waterloo\","
    "\"summary\":\"The campaign of June 1815: hidden blocks on a map of roads, battles in "
    "three lanes.\","
    "\"board\":\"waterloo/board.json\","
    "\"oob\":\"waterloo/oob.json\","
    "\"rules\":\"waterloo/rules.md\","
    "\"seats\":{\"2\":[\"FR\",\"AL\"],\"3\":[\"FR\",\"AD\",\"PR\"]},"
    "\"options\":{"
    "\"players\":{\"name\":\"players\",\"type\":\"integer\",\"default\":2,\"rule\":\"W18\",\"enum"
    "\":[2,3],\"meaning\":\"Two players, or three with a seat each for the Anglo-Dutch and "
    "the Prussians.\"},"
    "\"morale\":{\"name\":\"morale\",\"type\":\"boolean\",\"default\":false,\"rule\":\"W17.1\",\""
    "meaning\":\"Units at combat value 1 check their morale under fire.\"},"
    "\"command_control\":{\"name\":\"command_control\",\"type\":\"boolean\",\"default\":false,\"r"
    "ule\":\"W17.7\",\"meaning\":\"Units of two towns may attack a third together only if a "
    "road joins the two.\"},"
    "\"turns\":{\"name\":\"turns\",\"type\":\"integer\",\"default\":24,\"rule\":\"W16.4\",\"minim"
    "um\":2,\"maximum\":24,\"meaning\":\"Player turns until the match ends on time; 24 is the "
    "whole campaign, 15 to 22 June.\"}},"
    "\"conditions\":["
    "{\"is\":\"attacked\",\"members\":[\"in\",\"by\",\"own\",\"ratio\"],\"do\":\"respond\",\"rule\""
    ":\"W5.2\",\"meaning\":\"A town of your own is attacked: fight, and deploy so, or retreat by "
    "these routes or to the first of these towns that can be reached.\"},"
    "{\"is\":\"defending\",\"members\":[\"in\",\"by\",\"own\",\"ratio\"],\"do\":\"deploy\",\"rule\""
    ":\"W6.2\",\"meaning\":\"You have a battle to deploy as the defender.\"},"
    "{\"is\":\"pursued\",\"members\":[\"in\"],\"do\":\"allot\",\"rule\":\"W5.9\",\"meaning\":\"You "
    "have losses of a pursuit to allot: the first units pay first.\"},"
    "{\"is\":\"routed\",\"members\":[\"in\"],\"do\":\"rout_routes\",\"rule\":\"W13.5\",\"meaning\":"
    "\"Your units are routed in the enemy's combat turn: by these routes, or to the first of "
    "these towns that can be reached.\"},"
    "{\"is\":\"supply\",\"members\":[],\"do\":\"remove\",\"rule\":\"W15.2\",\"meaning\":\"You owe "
    "units for a lost base: the first units go first.\"},"
    "{\"is\":\"forced\",\"members\":[],\"do\":\"only\",\"rule\":\"W19.2\",\"meaning\":\"Whatever "
    "you "
    "are asked, where one answer alone is legal.\"}],"
    "\"orders\":{\"max\":64,\"bytes\":8192,\"schema\":\"waterloo/orders.schema.json\"},"
    "\"policies\":["
    "{\"id\":\"stand\",\"order\":{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\","
    "\"choice\""
    ":\"fight\",\"rest\":\"spread\"}}},"
    "{\"id\":\"refuse\",\"order\":{\"when\":{\"is\":\"attacked\"},\"do\":{\"do\":\"respond\","
    "\"choice\":\"retreat\"}}},"
    "{\"id\":\"two_to_one\",\"order\":{\"when\":{\"is\":\"attacked\",\"ratio\":[2,1]},\"do\":{"
    "\"do\":"
    "\"respond\",\"choice\":\"retreat\"}}},"
    "{\"id\":\"losses\",\"order\":{\"when\":{\"is\":\"pursued\"},\"do\":{\"do\":\"allot\"}}},"
    "{\"id\":\"routs\",\"order\":{\"when\":{\"is\":\"routed\"},\"do\":{\"do\":\"rout_routes\"}}},"
    "{\"id\":\"supply\",\"order\":{\"when\":{\"is\":\"supply\"},\"do\":{\"do\":\"remove\"}}},"
    "{\"id\":\"forced\",\"order\":{\"when\":{\"is\":\"forced\"},\"do\":{\"do\":\"only\"}}}],"
    "\"questions\":["
    "{\"ask\":\"reach\",\"members\":[\"unit\"],\"meaning\":\"Where a unit of your own could go "
    "now, and by which path.\"},"
    "{\"ask\":\"path\",\"members\":[\"unit\",\"path\"],\"meaning\":\"Whether it could take that "
    "path now, by forced march or not, and else the rule against it.\"},"
    "{\"ask\":\"capacity\",\"members\":[\"side\"],\"meaning\":\"What each road takes of a side "
    "in this step, and what is left of it.\"},"
    "{\"ask\":\"odds\",\"members\":[\"battle\",\"unit\",\"target\"],\"meaning\":\"Dice, what "
    "hits, and how many of the equally likely throws give 0, 1, 2 hits and so on.\"}]}";
