/** Making, joining and leaving tables: each done exactly once, whatever the connection does. */
import { go } from "@/app/router";
import { refreshMineSoon } from "@/app/waiting";
import { refreshListsSoon } from "@/lobby/data";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import type { Seat, Summary } from "@/types";
import { has, t } from "@/words";
import { refusalText } from "@/words";

/** What the lobby lists is asked for again. */
export function changedTables(): void {
    refreshListsSoon();
    refreshMineSoon();
}

/** Takes a seat, and goes to the match. */
export async function join(match: string, seat?: Seat, code?: string, consent = false): Promise<Summary> {
    const summary = await rpc.call<Summary>("match.join", {
        match,
        ...(seat === undefined ? {} : { seat }),
        ...(code === undefined ? {} : { code }),
        ...(consent ? { consent } : {}),
        action_id: newActionId(),
    });
    changedTables();
    return summary;
}

/** Gives a seat back, or takes an own table back. */
export async function leave(match: string): Promise<void> {
    await rpc.call<Summary>("match.leave", { match, action_id: newActionId() });
    changedTables();
    go("/");
}

export async function start(match: string): Promise<Summary> {
    const summary = await rpc.call<Summary>("match.start", { match, action_id: newActionId() });
    changedTables();
    return summary;
}

export async function create(params: Record<string, unknown>): Promise<Summary> {
    const summary = await rpc.call<Summary>("match.create", { ...params, action_id: newActionId() });
    changedTables();
    return summary;
}

/** A bot of the server's own sits down in a free seat. */
export async function seatBot(match: string, seat?: Seat, level?: string): Promise<Summary> {
    const more = { ...(seat === undefined ? {} : { seat }), ...(level === undefined ? {} : { level }) };
    const summary = await rpc.call<Summary>("match.bot", { match, ...more, action_id: newActionId() });
    changedTables();
    return summary;
}

/** Why the lobby refused, as a sentence. */
export function whyNot(error: unknown): string {
    if (!(error instanceof Refusal)) return t("lobby.no_answer");
    const key = `lobby.refused.${error.data.reason ?? ""}`;
    if (error.kind === "conflict" && has(key)) return t(key);
    if (error.kind === "forbidden") return t("lobby.refused.forbidden");
    if (error.kind === "not_found") {
        return error.data.member === "invite" ? t("lobby.refused.no_such_name") : t("lobby.refused.not_found");
    }
    return refusalText(error);
}
