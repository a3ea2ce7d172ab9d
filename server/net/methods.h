/* server/net/methods.h: the methods of the wire, by folder that does the work. */
#ifndef VEDETTE_SERVER_NET_METHODS_H
#define VEDETTE_SERVER_NET_METHODS_H

#include "server/net/inside.h"

/* m_server.c */
method_fn rpc_server_hello, rpc_game_list, rpc_game_get;
/* m_account.c */
method_fn rpc_account_register, rpc_account_login, rpc_account_resume, rpc_account_logout,
    rpc_account_get, rpc_account_set, rpc_account_tokens, rpc_account_revoke, rpc_account_token,
    rpc_account_profile, rpc_account_block, rpc_account_bots, rpc_account_nonces,
    rpc_account_export, rpc_account_delete, rpc_account_confirm, rpc_account_reset,
    rpc_account_password, rpc_account_totp, rpc_account_audit;
/* m_notices.c */
method_fn rpc_account_calendar, rpc_account_deliveries, rpc_account_notify_test, rpc_match_notices;
/* m_match.c */
method_fn rpc_match_bot, rpc_match_create, rpc_match_list, rpc_match_get, rpc_match_join,
    rpc_match_leave, rpc_match_start, rpc_match_rematch, rpc_match_note, rpc_match_draft,
    rpc_match_watch, rpc_match_unwatch, rpc_match_view, rpc_match_wait, rpc_match_act,
    rpc_match_try, rpc_match_plan, rpc_match_ask, rpc_match_undo, rpc_match_resign,
    rpc_match_history, rpc_match_receipt, rpc_match_record, rpc_match_replay, rpc_match_say, rpc_match_talk,
    rpc_match_nonce, rpc_match_claim, rpc_match_clock, rpc_match_offer, rpc_match_answer,
    rpc_match_seen, rpc_match_substitute, rpc_match_lend, rpc_match_recall, rpc_match_kick,
    rpc_match_vacate, rpc_match_standing, rpc_match_held, rpc_match_mute, rpc_match_report,
    rpc_match_read;

#endif
