/** Refusals as sentences: what, why, rule. */
import { has, tt } from "./catalogue";
import { plain } from "./format";
import { gameWords } from "./games";
import type { Token } from "./format";

/** The error object of JSON-RPC as this server sends it. */
export interface RpcError {
    code?: number;
    message: string;
    data?: {
        kind: string; rule?: string; member?: string; reason?: string; retry_after_ms?: number;
    };
}

/** What was refused and why, with a token that carries the rule's number where there is one. game: whose
 * rules they are. */
export function refusalWords(error: RpcError, game: string | undefined = "waterloo"): Token[] {
    const data = error.data;
    const kind = data?.kind ?? "internal";
    const rule = data?.rule ?? "";
    if (kind === "illegal_action") {
        const key = `rule.${gameWords(game).infix}${rule}`;
        const why = has(key) ? tt(key) : tt("rule.unknown");
        return rule === "" ? why : [...why, { text: " " }, { text: rule, rule }];
    }
    const key = has(`error.${kind}`) ? `error.${kind}` : "error.internal";
    return tt(key, {
        member: data?.member ?? "",
        reason: data?.reason ?? "",
        seconds: Math.ceil((data?.retry_after_ms ?? 0) / 1000),
    });
}

/** The same as text. */
export function refusalText(error: RpcError, game?: string): string {
    return plain(refusalWords(error, game));
}
