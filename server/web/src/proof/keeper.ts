/** Keeps proofs by itself while the page is open: stock, nonces of own matches, nobody is asked anything. */
import { effect } from "@preact/signals";
import { mine } from "@/app/waiting";
import { account, rpc } from "@/net/session";
import { fillStock, settle } from "@/proof/nonces";
import type { Summary } from "@/types";

const settled = new Set<string>();

/** Begins (called once). */
export function startKeeper(): void {
    effect(() => {
        const who = account.value;
        if (who) fillStock(who.name).catch(() => {});
    });
    effect(() => {
        const who = account.value;
        const matches = mine.value.filter((match) => match.state === "running" && !settled.has(match.match));
        if (who) for (const match of matches) void settleOnce(who.name, match.match);
    });
}

/** Looks at one match; when its nonces are settled it is not looked at again. */
async function settleOnce(who: string, id: string): Promise<void> {
    settled.add(id);
    try {
        const match = await rpc.call<Summary>("match.get", { match: id });
        await settle(who, match);
        await fillStock(who);
    } catch {
        settled.delete(id);
    }
}
