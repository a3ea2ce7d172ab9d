/**
 * A desk is one decision: what it asks, and what the dark button will do; on the map of Waterloo also what
 * it marks and what a press on a town or block means. It knows no rule: what is allowed comes from the view,
 * its forms, match.ask and match.try.
 */
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { BoardMapProps, Marks } from "@/board/types";
import type { DraftStore } from "@/drafts/store";
import type { Refusal } from "@/net/rpc";
import type { Action, TownId, UnitId, View } from "@/types";
import type { Token } from "@/words";

/** The dark button. */
export interface Commit {
    label: string;
    run: () => void | Promise<void>;
    /** Why it cannot be pressed now; shown under it. */
    why?: readonly Token[];
    /** A line under it ("Dice fall at once; this cannot be undone."). */
    note?: string;
}

/** A key of the present state, for the sheet of keys and for the keyboard. */
export interface Key {
    /** As KeyboardEvent.key, with "Ctrl+" before it where it is held. */
    key: string;
    label: string;
    run: () => void;
}

/** What may be done with a town or a unit there, for the list view. */
export interface RowAct {
    label: string;
    run: () => void;
    pressed?: boolean;
}

/** A refusal and the row or card it concerns. */
export interface Refused {
    at: string;
    refusal: Refusal;
}

export type Handlers = Pick<
    BoardMapProps,
    "onTown" | "onBlock" | "onStack" | "onRoad" | "onDragBlocks" | "dragSet" | "dropReason" | "dropNote" | "townNote" | "onHoverTown"
>;

/** What the match page asks of a desk of any game. */
export interface Decision {
    /** Which body the panel draws. */
    readonly kind: string;
    readonly refused: Signal<Refused | null>;
    headline: (view: View) => string;
    sentence: (view: View) => readonly Token[];
    overline?: (view: View) => { text: string; urgent?: boolean } | undefined;
    commit: (view: View) => Commit | null;
    keys: (view: View) => Key[];
    /** Towns or hexes that the question is about, for "Show me". */
    about?: (view: View) => string[];
    /** A new view came while this desk goes on. */
    viewed: (view: View) => void;
    /** The view with the draft of this desk in it, drawn in place of the newest. */
    readonly drafted?: ReadonlySignal<View | null>;
    /** The draft that is composed here, where it is kept on the server (drafts/store.ts). */
    readonly draft?: DraftStore;
    /** It is composed for a turn that is not yet: nothing can be sent. */
    readonly planning?: boolean;
    /** What a draft would do, a line for each of its steps. */
    steps?: (view: View, actions: readonly Action[]) => string[];
    /** How many steps of the draft are not taken as the position is now. */
    misfits?: () => number;
    /** Steps of the kept draft that are of another decision; and throws the kept draft away. */
    foreign?: () => number;
    discard?: () => void;
    /** Another desk takes its place. */
    close?: () => void;
    /** One step back on the desk itself; false: nothing to take back here, ask the server. */
    undo?: () => boolean;
    escape: () => void;
    /** On a phone the room below the question is the draft's: the sentence that explains it steps back. */
    begun?: (view: View) => boolean;
}

export interface Desk extends Decision {
    marks: (view: View) => Marks;
    handlers: (view: View) => Handlers;
    townActs: (view: View, town: TownId) => RowAct[];
    unitActs: (view: View, unit: UnitId) => RowAct[];
}

/** Own units that stand somewhere, by town. */
export function ownByTown(view: View, mine: readonly string[]): Map<TownId, UnitId[]> {
    const by = new Map<TownId, UnitId[]>();
    for (const [id, unit] of Object.entries(view.board.units)) {
        if (unit.town === undefined || !mine.includes(id.slice(0, 2))) continue;
        by.set(unit.town, [...(by.get(unit.town) ?? []), id]);
    }
    return by;
}

/** Nations whose units this view's seat commands. */
export function nationsOf(view: View): ("FR" | "AD" | "PR")[] {
    const seat = view.as;
    if (seat === "public" || seat === "all") return [];
    return view.board.seats[seat] ?? [];
}

/** How many there are in counts. */
export function sum(counts: Readonly<Record<string, number | undefined>> | undefined): number {
    return Object.values(counts ?? {}).reduce<number>((all, n) => all + (n ?? 0), 0);
}
