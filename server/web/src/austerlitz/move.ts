/** Movement: one counter at a time; its way is drawn and weighed before it is sent, and each is sent alone. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, ruled, type HexHandlers } from "@/austerlitz/desk";
import { isChain } from "@/austerlitz/grid";
import { formsFor, hexView, type Box, type Edge, type Hex, type HexBoardData, type HexMarks, type HexView, type MoveAnswer, type Reach } from "@/austerlitz/types";
import { hexName, isOwn, ownHexes, ownSide, unitName, wireName } from "@/austerlitz/units";
import { controlled } from "@/austerlitz/zones";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { refusalWords, t } from "@/words";
import { wire } from "@/play/wire";

/** The way of the selected counter as it stands in the draft. */
export interface Way {
    /** Hexes entered; empty when it leaves the map from where it stands. */
    path: Hex[];
    exit?: { edge: Edge; box: Box };
    /** undefined while the server is asked. */
    told?: MoveAnswer;
}

/** A way off the map that the selected counter may take. */
export interface Exit {
    hex: Hex;
    edge: Edge;
    box: Box;
    cost: number;
}

/** A bridge that may be destroyed now, and by whom. */
export interface BridgeForm {
    bridge: string;
    units: string[];
}

export class MoveDesk extends HexDesk {
    readonly kind = "aus.move";
    readonly selected: Signal<Hex | null> = signal(null);
    readonly reach: Signal<Reach | null> = signal(null);
    readonly way: Signal<Way | null> = signal(null);
    /** A bridge that the draft destroys, instead of a move. */
    readonly bridge: Signal<string | null> = signal(null);
    /** The end was asked for once while counters have not moved. */
    readonly ending: Signal<boolean> = signal(false);

    override viewed(view: View): void {
        const now = hexView(view);
        const at = this.selected.peek();
        if (at !== null && (!isOwn(now, at) || now.board.units[at]?.moved === true)) this.drop();
        else if (at !== null) void this.askReach(now, at);
        this.ending.value = false;
    }

    override escape(): void {
        if (this.ending.value) this.ending.value = false;
        else if (this.way.value !== null || this.bridge.value !== null) this.clear();
        else this.drop();
    }

    undo(): boolean {
        if (this.way.value === null && this.bridge.value === null) return false;
        this.clear();
        return true;
    }

    get canUndo(): boolean {
        return this.way.value !== null || this.bridge.value !== null;
    }

    begun(): boolean {
        return this.selected.value !== null;
    }

    private clear(): void {
        this.way.value = null;
        this.bridge.value = null;
        this.refused.value = null;
    }

    private drop(): void {
        this.clear();
        this.selected.value = null;
        this.reach.value = null;
    }

    /** Counters that have not moved. */
    left(view: HexView): Hex[] {
        return ownHexes(view).filter((hex) => view.board.units[hex]?.moved !== true);
    }

    bridges(view: HexView): BridgeForm[] {
        return formsFor(view, "destroy_bridge").map((form) => ({
            bridge: String(form.bridge),
            units: Array.isArray(form.unit) ? (form.unit as string[]) : [String(form.unit)],
        }));
    }

    /** Bridges that the selected counter may destroy. */
    ownBridges(view: HexView): string[] {
        const at = this.selected.value;
        const unit = at === null ? undefined : view.board.units[at]?.id;
        return this.bridges(view).filter((one) => unit !== undefined && one.units.includes(unit)).map((one) => one.bridge);
    }

    exits(): Exit[] {
        const all = Object.entries(this.reach.value?.exits ?? {}).flatMap(([edge, hexes]) =>
            Object.entries(hexes ?? {}).map(([hex, { cost, box }]) => ({ hex, edge: edge as Edge, box, cost })),
        );
        return all.sort((a, b) => a.cost - b.cost || (a.hex < b.hex ? -1 : 1));
    }

    /** A counter is taken up, or put down again. */
    async pick(hex: Hex): Promise<void> {
        const view = this.now();
        if (view === null || !isOwn(view, hex)) return;
        if (this.selected.value === hex) {
            this.drop();
            return;
        }
        this.drop();
        this.ending.value = false;
        if (view.board.units[hex]?.moved === true) {
            this.refuse("hand", ruled("4.1"));
            return;
        }
        this.selected.value = hex;
        await this.askReach(view, hex);
        const n = Object.keys(this.reach.value?.hexes ?? {}).length;
        announce(t("aus.taken", { unit: unitName(view, hex), n }));
    }

    private async askReach(view: HexView, hex: Hex): Promise<void> {
        const asked = await this.asks.judged<Reach>({ ask: "reach", unit: wireName(view, hex) as never });
        if (this.selected.peek() !== hex) return;
        if ("refusal" in asked) this.refuse("hand", asked.refusal);
        else this.reach.value = asked.answer;
    }

    /** The cheapest way to a hex, by what the server said of the reach. */
    cheapest(to: Hex): Hex[] | null {
        const from = this.reach.value?.from;
        const start = this.selected.value;
        if (from === undefined || start === null || this.reach.value?.hexes[to] === undefined) return null;
        const path: Hex[] = [];
        for (let at = to; at !== start; ) {
            path.unshift(at);
            const before: Hex | undefined = from[at];
            if (before === undefined || path.length > 64) return null;
            at = before;
        }
        return path;
    }

    /** A hex is pressed: the way goes there; pressed again it is gone. With shift the way is drawn on to it. */
    async to(hex: Hex, on = false): Promise<void> {
        const start = this.selected.value;
        if (start === null) return;
        const way = this.way.value;
        if (hex === start) return this.escape();
        if (way?.path[way.path.length - 1] === hex && way.exit === undefined && way.told?.legal === true) return this.go();
        const last = way?.path[way.path.length - 1] ?? start;
        if (on && isChain([last, hex])) return this.draw([...(way?.path ?? []), hex]);
        const path = this.cheapest(hex);
        if (path === null) {
            await this.explain(hex);
            return;
        }
        await this.draw(path);
    }

    /** Dragged along hexes: that very way where it may be gone, else the cheapest. */
    async drag(from: Hex, to: Hex, via: readonly Hex[]): Promise<void> {
        if (this.selected.value !== from) await this.pick(from);
        const view = this.now();
        const path = [...via, to];
        if (view === null || this.selected.value !== from || from === to) return;
        if (isChain([from, ...path])) {
            const told = await this.ask(view, path);
            if (told?.legal === true) {
                this.way.value = { path, told };
                return this.go();
            }
        }
        await this.to(to);
        if (this.way.value?.told?.legal === true) await this.go();
    }

    private async ask(view: HexView, path: Hex[], edge?: Edge): Promise<MoveAnswer | null> {
        const unit = wireName(view, this.selected.value ?? "") as never;
        const asked = await this.asks.judged<MoveAnswer>({ ask: "move", unit, path, ...(edge === undefined ? {} : { exit_edge: edge }) });
        if ("answer" in asked) return asked.answer;
        this.refuse("hand", asked.refusal);
        return null;
    }

    /** Why it cannot go there, in the row. */
    private async explain(hex: Hex): Promise<void> {
        const view = this.now();
        const start = this.selected.value;
        if (view === null || start === null) return;
        const told = isChain([start, hex]) ? await this.ask(view, [hex]) : null;
        if (told !== null || !isChain([start, hex])) this.refuse("hand", ruled(told?.rule ?? "4.5"));
        announce(t("aus.no_way", { place: hexName(hex) }));
    }

    private async draw(path: Hex[], exit?: Way["exit"]): Promise<void> {
        const view = this.now();
        if (view === null) return;
        this.refused.value = null;
        this.bridge.value = null;
        const drawn: Way = { path, ...(exit === undefined ? {} : { exit }) };
        this.way.value = drawn;
        const told = await this.ask(view, path, exit?.edge);
        if (this.way.value !== drawn || told === null) return;
        this.way.value = { ...drawn, told };
        if (!told.legal && told.rule !== undefined) this.refuse("hand", ruled(told.rule));
        announce(t("aus.way_told", { place: hexName(path[path.length - 1] ?? ""), cost: told.cost ?? 0, of: told.movement_points, legal: told.legal }));
    }

    /** The way off the map. */
    async leave(exit: Exit): Promise<void> {
        const path = exit.hex === this.selected.value ? [] : this.cheapest(exit.hex) ?? this.through(exit.hex);
        await this.draw(path, { edge: exit.edge, box: exit.box });
    }

    /** A way to a hex where it may not stay, a friend's, by the reach. */
    private through(to: Hex): Hex[] {
        const from = this.reach.value?.from ?? {};
        const path: Hex[] = [];
        for (let at: Hex | undefined = to; at !== undefined && at !== this.selected.value && path.length < 64; at = from[at]) path.unshift(at);
        return path;
    }

    chooseBridge(bridge: string): void {
        const view = this.now();
        if (view === null) return;
        this.way.value = null;
        this.refused.value = null;
        this.bridge.value = this.bridge.value === bridge ? null : bridge;
        if (this.selected.value !== null && this.ownBridges(view).includes(bridge)) return;
        const units = this.bridges(view).find((one) => one.bridge === bridge)?.units ?? [];
        const at = ownHexes(view).find((hex) => units.includes(view.board.units[hex]?.id ?? ""));
        if (at === undefined) return;
        this.selected.value = at;
        void this.askReach(view, at);
    }

    /** Sends the draft. */
    async go(): Promise<void> {
        const view = this.now();
        const at = this.selected.value;
        if (view === null || at === null) return;
        const unit = wireName(view, at);
        const { way } = this;
        const edge = way.value?.exit?.edge;
        const action =
            this.bridge.value !== null
                ? { do: "destroy_bridge", unit, bridge: this.bridge.value }
                : { do: "move", unit, path: way.value?.path ?? [], ...(edge === undefined ? {} : { exit_edge: edge }) };
        if (await this.send(action, "hand")) this.drop();
    }

    private async end(view: HexView): Promise<void> {
        if (this.left(view).length > 0 && !this.ending.value) {
            this.ending.value = true;
            announce(t("aus.end_sure", { n: this.left(view).length }));
            return;
        }
        await this.send({ do: "end_move" });
    }

    commit(view: View): Commit {
        const now = hexView(view);
        const at = this.selected.value;
        const way = this.way.value;
        if (at !== null && this.bridge.value !== null) return { label: t("aus.destroy_bridge"), run: () => this.go() };
        if (at !== null && way !== null) {
            const place = hexName(way.path[way.path.length - 1] ?? at);
            const label = way.exit === undefined ? t("aus.move_to", { place }) : t("aus.leave_map", { box: way.exit.box });
            const barred = way.told?.legal !== true;
            const why = way.told?.rule === undefined ? [{ text: t("aus.asking") }] : refusalWords(wire(ruled(way.told.rule)), view.game);
            return { label, run: () => this.go(), ...(barred ? { why } : {}) };
        }
        const n = this.left(now).length;
        return {
            label: t(this.ending.value ? "aus.end_sure" : "aus.end_move", { n }),
            run: () => this.end(now),
            note: this.ending.value ? t("aus.end_again") : n === 0 ? t("aus.all_moved") : t("aus.left", { n }),
        };
    }

    override keys(view: View): Key[] {
        const now = hexView(view);
        const bridge = this.ownBridges(now)[0];
        const exit = this.exits()[0];
        return [
            { key: "g", label: t("aus.key_next"), run: () => void this.next(1) },
            ...(this.way.value === null ? [] : [{ key: "Backspace", label: t("aus.key_clear"), run: () => this.clear() }]),
            ...(bridge === undefined ? [] : [{ key: "b", label: t("aus.key_bridge"), run: () => this.chooseBridge(bridge) }]),
            ...(exit === undefined ? [] : [{ key: "x", label: t("aus.key_exit"), run: () => void this.leave(exit) }]),
        ];
    }

    /** The next counter that has not moved. */
    async next(by: 1 | -1): Promise<void> {
        const view = this.now();
        if (view === null) return;
        const left = this.left(view);
        const at = left.indexOf(this.selected.value ?? "");
        const hex = left[(at + by + left.length) % left.length];
        if (hex !== undefined && hex !== this.selected.value) await this.pick(hex);
    }

    about(): Hex[] {
        return this.selected.value === null ? [] : [this.selected.value];
    }

    marks(view: HexView): HexMarks {
        const at = this.selected.value;
        const side = ownSide(view) ?? view.turn.side;
        const way = this.way.value;
        const board = this.match.board.value as unknown as HexBoardData | null;
        const left = this.left(view);
        const bridges = Object.fromEntries(this.ownBridges(view).map((bridge) => [bridge, "legal" as const]));
        if (this.bridge.value !== null) Object.assign(bridges, { [this.bridge.value]: "draft" });
        const reached = this.reach.value?.hexes ?? {};
        const end = way?.path[way.path.length - 1];
        const unit = at === null ? undefined : view.board.units[at];
        return {
            choosable: new Set(left),
            dim: new Set(ownHexes(view).filter((hex) => view.board.units[hex]?.moved === true)),
            ...(at === null ? {} : { selected: [at], reach: Object.keys(reached), legal: Object.entries(reached).map(([hex, cost]) => ({ hex, kind: "move" as const, note: String(cost) })) }),
            ...(at !== null && board !== null ? { zones: [...controlled(board, view.board, side === "french" ? "allied" : "french")] } : {}),
            ...(at !== null && way !== null ? { paths: [{ hexes: [at, ...way.path], side, kind: "edited" as const, ...exitOf(way) }] } : {}),
            ...(end !== undefined && unit !== undefined && way?.exit === undefined && view.board.units[end] === undefined ? { ghosts: [{ hex: end, unit }] } : {}),
            bridges,
            exits: this.exits().map((exit) => ({ hex: exit.hex, edge: exit.box === "vienna" ? ("vienna" as const) : exit.edge })),
        };
    }

    handlers(view: HexView): HexHandlers {
        return {
            onUnit: (hex, how) => {
                // A friend may be gone through; only with the key for that is he a step of the way.
                if (how.shift && this.selected.value !== null && hex !== this.selected.value) void this.to(hex, true);
                else if (isOwn(view, hex)) void this.pick(hex);
                else void this.to(hex);
            },
            onHex: (hex, how) => void this.to(hex, how.shift),
            onBridge: (bridge) => this.chooseBridge(bridge),
            onExit: (hex, edge) => {
                const exit = this.exits().find((one) => one.hex === hex && (one.edge === edge || edge === "vienna"));
                if (exit !== undefined) void this.leave(exit);
            },
            onDragStart: (hex) => {
                if (this.selected.value !== hex) void this.pick(hex);
            },
            onDragUnit: (from, to, via) => void this.drag(from, to, via),
            dropReason: (_from, to) => {
                if (this.reach.value === null || to === this.selected.value || this.reach.value.hexes[to] !== undefined) return undefined;
                return t("aus.no_way", { place: hexName(to) });
            },
            dropNote: (_from, to) => this.costNote(view, to),
            hexNote: (hex) => this.costNote(view, hex),
        };
    }

    private costNote(view: HexView, hex: Hex): string | undefined {
        const cost = this.reach.value?.hexes[hex];
        const at = this.selected.value;
        if (cost === undefined || at === null) return undefined;
        return t("aus.points", { cost, place: hexName(hex), unit: unitName(view, at) });
    }

    hexActs(view: HexView, hex: Hex): RowAct[] {
        const acts: RowAct[] = [];
        if (isOwn(view, hex) && view.board.units[hex]?.moved !== true) {
            acts.push({ label: t("aus.act_take"), pressed: this.selected.value === hex, run: () => void this.pick(hex) });
        }
        const cost = this.reach.value?.hexes[hex];
        const there = this.way.value?.path[this.way.value.path.length - 1] === hex;
        if (cost !== undefined) acts.push({ label: t("aus.act_to", { cost }), pressed: there, run: () => void this.to(hex) });
        return acts;
    }
}

function exitOf(way: Way): { exit?: Edge | "vienna" } {
    if (way.exit === undefined) return {};
    return { exit: way.exit.box === "vienna" ? "vienna" : way.exit.edge };
}
