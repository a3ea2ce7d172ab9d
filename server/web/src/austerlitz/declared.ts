/** The combats of a declaration as an action names them, and back: what is kept for the seat while it is composed. */
import { shapeOf, wireEntry } from "@/austerlitz/odds";
import { act, type Draft, type Hex, type HexView } from "@/austerlitz/types";
import { hexOfName, isEnemy, isOwn, wireName } from "@/austerlitz/units";
import type { Action } from "@/types";

interface Named {
    contact?: string[];
    bombard?: string[];
    defenders?: string[];
    artillery?: string;
    hex?: Hex;
}

export interface Read {
    drafts: Omit<Draft, "id">[];
    /** Actions of another decision. */
    others: number;
    /** Combats of which somebody is gone. */
    short: number;
}

/** What is kept: nothing where nothing is drafted, unless that is what is declared. Combats that lack a side are kept as they are. */
export function keptAs(view: HexView, drafts: readonly Draft[], declared = false): Action[] {
    if (drafts.length === 0 && !declared) return [];
    return [act({ do: "declare", plan: drafts.map((draft) => entryOf(view, draft)) })];
}

function entryOf(view: HexView, draft: Draft): Record<string, unknown> {
    const entry = wireEntry(view, shapeOf(view, draft));
    if (draft.defenders.length > 0 || draft.ice !== undefined) return entry;
    return { contact: draft.attackers.map((hex) => wireName(view, hex)) };
}

/** The combats of kept actions, as far as their counters still stand on the map. */
export function draftsOf(view: HexView, actions: readonly Action[]): Read {
    const drafts: Read["drafts"] = [];
    let others = 0;
    let short = 0;
    for (const action of actions as readonly { do: string; plan?: Named[] }[]) {
        if (action.do !== "declare" || !Array.isArray(action.plan)) {
            others++;
            continue;
        }
        for (const entry of action.plan) {
            const own = [...(entry.contact ?? []), ...(entry.bombard ?? []), ...(entry.artillery === undefined ? [] : [entry.artillery])];
            const attackers = own.map((name) => hexOfName(view, name) ?? "").filter((hex) => isOwn(view, hex));
            const defenders = (entry.defenders ?? []).map((name) => hexOfName(view, name) ?? "").filter((hex) => isEnemy(view, hex));
            if (attackers.length < own.length || defenders.length < (entry.defenders ?? []).length) short++;
            if (attackers.length + defenders.length === 0) continue;
            drafts.push({ attackers: attackers.sort(), defenders: defenders.sort(), ...(entry.hex === undefined || attackers.length === 0 ? {} : { ice: entry.hex }) });
        }
    }
    return { drafts, others, short };
}
