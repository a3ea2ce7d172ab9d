/** The channels of a match: which of them this reader has, and whether one may speak there now. */
import { newActionId } from "@/net/rpc";
import { rpc } from "@/net/session";
import type { MatchStore } from "@/net/match";
import type { Message, Turn } from "@/types";

export type Channel = Message["channel"];

const ORDER: Channel[] = ["table", "side", "watchers"];

/** Those that this reader may read, in order. */
export function channelsOf(match: MatchStore): Channel[] {
    const talk = match.summary.value?.talk;
    if (talk?.unread !== undefined) return ORDER.filter((one) => one in (talk.unread ?? {}));
    return talk?.watchers === true ? ["table", "watchers"] : ["table"];
}

export type May = { may: true } | { may: false; why: "closed"; opens?: Turn } | { may: false; why: "not_yours" | "sign_in" };

/** May this page speak on the channel now, and if not, why? */
export function mayTalk(match: MatchStore, channel: Channel): May {
    if (!match.signedIn) return { may: false, why: "sign_in" };
    const seat = match.seat.value;
    const summary = match.summary.value;
    if (channel === "watchers") return seat === null || summary?.revealed === true ? { may: true } : { may: false, why: "not_yours" };
    if (seat === null) return { may: false, why: "not_yours" };
    const side = summary?.talk?.side;
    if (channel === "side" && side?.open !== true && summary?.state === "running") {
        return { may: false, why: "closed", ...(side?.opens === undefined ? {} : { opens: side.opens as Turn }) };
    }
    return { may: true };
}

/** Tells the server that a channel was read so far: on any device it is not counted again. */
export async function markRead(match: MatchStore, channel: Channel, n: number): Promise<void> {
    match.unread.value = { ...match.unread.value, [channel]: 0 };
    if (match.signedIn) await rpc.call("match.read", { match: match.id, channel, n, action_id: newActionId() });
}

const key = (match: string): string => `vedette.muted.${match}`;

/** Names that this browser has muted in the match: the server keeps the mute, the list is here to take it back. */
export function muted(match: string): string[] {
    try {
        return JSON.parse(localStorage.getItem(key(match)) ?? "[]") as string[];
    } catch {
        return [];
    }
}

export async function mute(match: MatchStore, name: string, on: boolean): Promise<void> {
    await rpc.call("match.mute", { match: match.id, name, on, action_id: newActionId() });
    const names = muted(match.id).filter((one) => one !== name);
    localStorage.setItem(key(match.id), JSON.stringify(on ? [...names, name] : names));
    await match.readTalkAgain();
}
