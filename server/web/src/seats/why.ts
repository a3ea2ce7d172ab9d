/** Why a seat does not change hands. */
import type { Refusal } from "@/net/rpc";
import { has, refusalText, t } from "@/words";

export function seatWhy(error: Refusal): string {
    const key = `seats.refused.${error.data.reason ?? error.kind}`;
    return has(key) ? t(key) : refusalText(error);
}
