/** Where a refused list of orders is wrong. */
import type { Refusal } from "@/net/rpc";

/** What the server says no to: at which entry of the list, -1: the list as a whole. */
export interface Fault {
    at: number;
    /** Path of the member within the entry: "do.columns". */
    member: string;
    refusal: Refusal;
}

/** "orders[3].do.columns" is entry 3, member do.columns. */
export function faultOf(refusal: Refusal): Fault {
    const found = /^orders\[(\d+)\]\.?(.*)$/.exec(refusal.data.member ?? "");
    return found === null ? { at: -1, member: refusal.data.member ?? "", refusal } : { at: Number(found[1]), member: found[2] ?? "", refusal };
}
