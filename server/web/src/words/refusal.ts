/** Refusals as sentences: what, why, rule. */
import { has, tt } from "./catalogue";
import { plain } from "./format";
import type { Token } from "./format";

/** The error object of JSON-RPC as this server sends it. */
export interface RpcError {
    code?: number;
    message: string;
    data?: {
        kind: string; rule?: string; member?: string; reason?: string; retry_after_ms?: number;
    };
}

/** What was refused and why, with a token that carries the rule's number where there is one. */
export function refusalWords(error: RpcError): Token[] {
    const data = error.data;
    const kind = data?.kind ?? "internal";
    const rule = data?.rule ?? "";
    if (kind === "illegal_action") {
        const why = has(`rule.${rule}`) ? tt(`rule.${rule}`) : tt("rule.unknown");
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
export function refusalText(error: RpcError): string {
    return plain(refusalWords(error));
}
