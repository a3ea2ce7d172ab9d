/* server/net/dispatch.c: each method is one line; a test compares them with schema/openrpc.json. */
#include <string.h>

#include "server/net/inside.h"
#include "server/net/methods.h"

enum { SMALL = 4096, LARGE = FRAME_BYTES_MAX };

/* Sorted by name. Bytes: of the whole frame that carries it. */
static const struct method methods[] = {
    {"account.audit", rpc_account_audit, NEED_FULL, 0, SMALL},
    {"account.block", rpc_account_block, NEED_FULL, CHANGES, SMALL},
    {"account.bots", rpc_account_bots, NEED_NOTHING, 0, SMALL},
    {"account.calendar", rpc_account_calendar, NEED_FULL, CHANGES, SMALL},
    {"account.confirm", rpc_account_confirm, NEED_NOTHING, CHANGES, SMALL},
    {"account.delete", rpc_account_delete, NEED_FULL, CHANGES, SMALL},
    {"account.deliveries", rpc_account_deliveries, NEED_FULL, 0, SMALL},
    {"account.export", rpc_account_export, NEED_FULL, 0, SMALL},
    {"account.get", rpc_account_get, NEED_READ, 0, SMALL},
    {"account.login", rpc_account_login, NEED_NOTHING, CHANGES | SIGNS_IN, SMALL},
    {"account.logout", rpc_account_logout, NEED_READ, CHANGES, SMALL},
    {"account.nonces", rpc_account_nonces, NEED_PLAY, CHANGES, SMALL},
    {"account.notify_test", rpc_account_notify_test, NEED_FULL, CHANGES, SMALL},
    {"account.password", rpc_account_password, NEED_FULL, CHANGES, SMALL},
    {"account.profile", rpc_account_profile, NEED_NOTHING, 0, SMALL},
    {"account.register", rpc_account_register, NEED_NOTHING, CHANGES | SIGNS_IN, SMALL},
    {"account.reset", rpc_account_reset, NEED_NOTHING, CHANGES, SMALL},
    {"account.resume", rpc_account_resume, NEED_NOTHING, SIGNS_IN, SMALL},
    {"account.revoke", rpc_account_revoke, NEED_FULL, CHANGES, SMALL},
    {"account.set", rpc_account_set, NEED_FULL, CHANGES, LARGE},
    {"account.token", rpc_account_token, NEED_FULL, CHANGES, SMALL},
    {"account.tokens", rpc_account_tokens, NEED_FULL, 0, SMALL},
    {"account.totp", rpc_account_totp, NEED_FULL, CHANGES, SMALL},
    {"game.get", rpc_game_get, NEED_NOTHING, 0, SMALL},
    {"game.list", rpc_game_list, NEED_NOTHING, 0, SMALL},
    {"match.act", rpc_match_act, NEED_PLAY, CHANGES, LARGE},
    {"match.answer", rpc_match_answer, NEED_PLAY, CHANGES, SMALL},
    {"match.ask", rpc_match_ask, NEED_NOTHING, 0, LARGE},
    {"match.bot", rpc_match_bot, NEED_PLAY, CHANGES, SMALL},
    {"match.claim", rpc_match_claim, NEED_PLAY, CHANGES, SMALL},
    {"match.clock", rpc_match_clock, NEED_NOTHING, 0, SMALL},
    {"match.create", rpc_match_create, NEED_PLAY, CHANGES, LARGE},
    {"match.draft", rpc_match_draft, NEED_PLAY, CHANGES, LARGE},
    {"match.get", rpc_match_get, NEED_NOTHING, 0, SMALL},
    {"match.held", rpc_match_held, NEED_READ, 0, SMALL},
    {"match.history", rpc_match_history, NEED_NOTHING, 0, SMALL},
    {"match.join", rpc_match_join, NEED_PLAY, CHANGES, SMALL},
    {"match.kick", rpc_match_kick, NEED_PLAY, CHANGES, SMALL},
    {"match.leave", rpc_match_leave, NEED_PLAY, CHANGES, SMALL},
    {"match.lend", rpc_match_lend, NEED_PLAY, CHANGES, SMALL},
    {"match.list", rpc_match_list, NEED_NOTHING, 0, SMALL},
    {"match.mute", rpc_match_mute, NEED_PLAY, CHANGES, SMALL},
    {"match.nonce", rpc_match_nonce, NEED_PLAY, CHANGES, SMALL},
    {"match.note", rpc_match_note, NEED_PLAY, CHANGES, LARGE},
    {"match.notices", rpc_match_notices, NEED_PLAY, CHANGES, SMALL},
    {"match.offer", rpc_match_offer, NEED_PLAY, CHANGES, SMALL},
    {"match.plan", rpc_match_plan, NEED_PLAY, 0, LARGE},
    {"match.read", rpc_match_read, NEED_PLAY, CHANGES, SMALL},
    {"match.recall", rpc_match_recall, NEED_PLAY, CHANGES, SMALL},
    {"match.receipt", rpc_match_receipt, NEED_NOTHING, 0, SMALL},
    {"match.record", rpc_match_record, NEED_NOTHING, 0, SMALL},
    {"match.rematch", rpc_match_rematch, NEED_PLAY, CHANGES, SMALL},
    {"match.replay", rpc_match_replay, NEED_NOTHING, 0, SMALL},
    {"match.report", rpc_match_report, NEED_PLAY, CHANGES, LARGE},
    {"match.resign", rpc_match_resign, NEED_PLAY, CHANGES, SMALL},
    {"match.say", rpc_match_say, NEED_PLAY, CHANGES, LARGE},
    {"match.seen", rpc_match_seen, NEED_PLAY, CHANGES, SMALL},
    {"match.standing", rpc_match_standing, NEED_PLAY, CHANGES, LARGE},
    {"match.start", rpc_match_start, NEED_PLAY, CHANGES, SMALL},
    {"match.substitute", rpc_match_substitute, NEED_PLAY, CHANGES, SMALL},
    {"match.talk", rpc_match_talk, NEED_NOTHING, 0, SMALL},
    {"match.try", rpc_match_try, NEED_PLAY, 0, LARGE},
    {"match.undo", rpc_match_undo, NEED_PLAY, CHANGES, SMALL},
    {"match.unwatch", rpc_match_unwatch, NEED_NOTHING, 0, SMALL},
    {"match.vacate", rpc_match_vacate, NEED_PLAY, CHANGES, SMALL},
    {"match.view", rpc_match_view, NEED_NOTHING, 0, SMALL},
    {"match.wait", rpc_match_wait, NEED_NOTHING, 0, SMALL},
    {"match.watch", rpc_match_watch, NEED_NOTHING, 0, SMALL},
    {"server.hello", rpc_server_hello, NEED_NOTHING, 0, SMALL},
};

size_t method_count(void)
{
    return sizeof methods / sizeof methods[0];
}

const struct method *method_at(size_t i)
{
    return &methods[i];
}

const struct method *method_find(const char *name)
{
    size_t low = 0, high = method_count();
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, methods[middle].name);
        if (order == 0) { return &methods[middle]; }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}
