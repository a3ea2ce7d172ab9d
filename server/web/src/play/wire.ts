/** A refusal as the words know it. */
import type { Refusal } from "@/net/rpc";
import type { RpcError } from "@/words";

export function wire(refusal: Refusal): RpcError {
    return { code: refusal.code, message: refusal.message, data: refusal.data };
}
