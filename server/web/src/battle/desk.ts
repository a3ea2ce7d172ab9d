/**
 * What lies on the table of a match beside the view: which unit is chosen, at whom it aims, dice that
 * roll or lie, drafts of deployments and reinforcements. One desk a match, shared by board and panel.
 */
import { batch, signal, type Signal } from "@preact/signals";
import { isCalm } from "@/app/settings";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import type { Action, Battle, GameEvent, LaneNo, Step, TownId, UnitId, View } from "@/types";
import { laneNumbers, spotOf, type Zone } from "./model";

/** Dice on the table of a lane. */
export interface Throw {
    battle: TownId;
    lane: LaneNo;
    faces: readonly number[];
    /** The least face that counts. */
    hitOn: number;
    event: Extract<GameEvent, { ev: "fired" }> | Extract<GameEvent, { ev: "morale" }>;
    rolling: boolean;
}

/** tumble and settle, with a little time for a slow frame: the dice end by themselves before. */
const ROLL_MS = 1000;
const HIT_MS = 4000;
const TURN_MS = 900;

type Odds = { dice: number; hit_on: number; cv: number; ways: number[]; ok: boolean; rule?: string };

export class Desk {
    /** Chosen own units; more than one only for a retreat. */
    readonly selected: Signal<UnitId[]> = signal([]);
    /** The enemy aimed at. */
    readonly aim: Signal<UnitId | null> = signal(null);
    /** F was pressed: arrows go from target to target, Enter fires. */
    readonly aiming: Signal<boolean> = signal(false);
    /** Own units whose retreat is being laid out; null: none is. */
    readonly retreating: Signal<UnitId[] | null> = signal(null);
    /** The sheet that ends the combat turn is open. */
    readonly ending: Signal<boolean> = signal(false);
    /** The lane that a phone shows. */
    readonly lane: Signal<LaneNo> = signal("1");
    readonly refusal: Signal<Refusal | null> = signal(null);
    readonly thrown: Signal<Record<string, Throw>> = signal({});
    /** Units just hit, and for how much. */
    readonly hits: Signal<Record<UnitId, number>> = signal({});
    /** Battles as they stood before the dice that still roll. */
    readonly held: Signal<Record<TownId, Battle>> = signal({});
    /** Battles that ended while this page looked on, as they stood last. */
    readonly ended: Signal<Record<TownId, Battle>> = signal({});
    /** Battles whose columns are turned up just now. */
    readonly turning: Signal<ReadonlySet<TownId>> = signal(new Set());
    /** Drafts of deployments: unit to column or reserve; not named: in hand. */
    readonly deploy: Signal<Record<TownId, Record<UnitId, Zone>>> = signal({});
    /** What drafts of deployments were before each change, for taking back. */
    readonly draftsBefore: { town: TownId; draft: Record<UnitId, Zone> }[] = [];
    /** Drafts of reinforcements. */
    readonly reinforce: Signal<Record<TownId, UnitId[]>> = signal({});

    private readonly odds = new Map<string, Promise<Odds>>();
    private before: View | null;
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(readonly match: MatchStore) {
        this.before = match.view.peek();
        if (this.before !== null) this.thrown.value = thrownIn(this.before.events, [this.before], false);
        match.onStep((step) => this.hear(step));
    }

    /** A step has come: dice begin to roll, columns turn up, the chosen may be gone. */
    private hear(step: Step): void {
        const now = this.match.view.peek();
        const before = this.before?.as === now?.as ? this.before : null;
        this.before = now;
        if (now === null) return;
        this.settle();
        const calm = isCalm();
        const views = before === null ? [now] : [before, now];
        const fresh = thrownIn(step.events, views, !calm);
        batch(() => {
            this.thrown.value = { ...cleared(this.thrown.peek(), step.events), ...fresh };
            this.keepEnded(before, now);
            if (Object.keys(fresh).length === 0) this.showHits(step.events);
            else if (calm) this.showHits(step.events);
            else this.hold(before, step.events);
            this.turnUp(step.events, calm);
            this.tidy(now);
        });
    }

    /** While dice roll the battle is drawn as it stood. */
    private hold(before: View | null, events: readonly GameEvent[]): void {
        const held: Record<TownId, Battle> = {};
        for (const event of events) {
            if (event.ev !== "fired" && event.ev !== "morale") continue;
            const battle = before?.board.battles?.[event.battle] as Battle | undefined;
            if (battle !== undefined) held[event.battle] = battle;
        }
        this.held.value = held;
        this.rolled = events;
        this.timer = setTimeout(() => this.settle(), ROLL_MS);
    }

    private rolled: readonly GameEvent[] = [];

    /** Ends whatever rolls: the dice lie, the battle is drawn as it stands now. */
    settle(): void {
        clearTimeout(this.timer);
        const rolling = Object.entries(this.thrown.peek()).filter(([, one]) => one.rolling);
        if (rolling.length === 0 && Object.keys(this.held.peek()).length === 0) return;
        batch(() => {
            const still = rolling.map(([place, one]) => [place, { ...one, rolling: false }]);
            this.thrown.value = { ...this.thrown.peek(), ...(Object.fromEntries(still) as Record<string, Throw>) };
            this.held.value = {};
            this.showHits(this.rolled);
            this.rolled = [];
        });
    }

    private showHits(events: readonly GameEvent[]): void {
        for (const event of events) {
            if (event.ev !== "fired" || event.lost === 0) continue;
            const { target, lost } = event;
            this.hits.value = { ...this.hits.peek(), [target]: (this.hits.peek()[target] ?? 0) + lost };
            setTimeout(() => {
                const { [target]: _gone, ...rest } = this.hits.peek();
                this.hits.value = rest;
            }, HIT_MS);
        }
    }

    private keepEnded(before: View | null, now: View): void {
        for (const [town, battle] of Object.entries(before?.board.battles ?? {})) {
            const then = battle as Battle;
            const ended = (now.board.battles?.[town] as Battle | undefined)?.phase === "over";
            if (then.phase === "fight" && ended) this.ended.value = { ...this.ended.peek(), [town]: then };
        }
        if (now.board.battles === undefined) this.ended.value = {};
    }

    private turnUp(events: readonly GameEvent[], calm: boolean): void {
        const up = events.filter((event) => event.ev === "revealed").map((event) => event.battle);
        if (calm || up.length === 0) return;
        this.turning.value = new Set(up);
        setTimeout(() => (this.turning.value = new Set()), TURN_MS);
    }

    /** Forgets what is chosen but not there any more, and drafts of what is done. */
    private tidy(now: View): void {
        const battles = Object.values((now.board.battles ?? {}) as Record<TownId, Battle>);
        const there = (unit: UnitId): boolean => battles.some((battle) => spotOf(battle, unit) !== undefined);
        this.selected.value = this.selected.peek().filter((unit) => there(unit) || now.board.units[unit]?.place === "undeployed");
        this.aim.value = null;
        this.aiming.value = false;
        if (now.prompt?.id !== "combat") {
            this.retreating.value = null;
            this.reinforce.value = {};
            this.ending.value = false;
        }
        this.refusal.value = null;
    }

    /** Chooses one unit, or none. */
    choose(unit: UnitId | null): void {
        batch(() => {
            this.selected.value = unit === null ? [] : [unit];
            this.aim.value = null;
            this.aiming.value = false;
            this.refusal.value = null;
        });
    }

    /** Sends an action; a refusal is kept for the card. Resolves to whether it was done. */
    act(action: Action): Promise<boolean> {
        return this.tell(() => this.match.act(action));
    }

    /** Takes the last step back; a refusal is kept for the card. */
    undo(): Promise<boolean> {
        return this.tell(() => this.match.undo());
    }

    private async tell(work: () => Promise<unknown>): Promise<boolean> {
        if (this.match.busy.peek()) return false;
        this.settle();
        this.refusal.value = null;
        try {
            await work();
            return true;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refusal.value = error;
            return false;
        }
    }

    /** What a fire would do, asked once a position. */
    oddsOf(battle: TownId, unit: UnitId, target: UnitId): Promise<Odds> {
        const key = `${this.match.view.peek()?.seq ?? 0}/${battle}/${unit}/${target}`;
        const known = this.odds.get(key) ?? this.match.ask<Odds>({ ask: "odds", battle, unit, target });
        if (this.odds.size > 200) this.odds.clear();
        this.odds.set(key, known);
        known.catch(() => this.odds.delete(key));
        return known;
    }
}

export type { Odds };

/** The dice that the events tell of, by `battle/lane`; the later throw of a lane stays. */
export function thrownIn(events: readonly GameEvent[], views: readonly View[], rolling: boolean): Record<string, Throw> {
    const found: Record<string, Throw> = {};
    for (const event of events) {
        if (event.ev !== "fired" && event.ev !== "morale") continue;
        const lane = laneOf(views, event.battle, event.unit) ?? (event.ev === "fired" ? laneOf(views, event.battle, event.target) : undefined);
        if (lane === undefined) continue;
        const [faces, hitOn] = event.ev === "fired" ? [event.dice, event.hit_on] : [[event.die], 7];
        const place = `${event.battle}/${lane}`;
        // A morale test beside the fire that caused it does not take the place of its dice.
        if (event.ev === "morale" && found[place]?.event.ev === "fired") continue;
        found[place] = { battle: event.battle, lane, faces, hitOn, event, rolling };
    }
    return found;
}

function laneOf(views: readonly View[], town: TownId, unit: UnitId): LaneNo | undefined {
    for (const view of views) {
        const zone = spotOf(view.board.battles?.[town] as Battle | undefined, unit)?.zone;
        if (zone !== undefined && zone !== "reserve") return zone;
    }
    return undefined;
}

/** Dice lie until the next act in their lane. */
function cleared(thrown: Record<string, Throw>, events: readonly GameEvent[]): Record<string, Throw> {
    const gone = new Set<string>();
    for (const event of events) {
        if (event.ev === "moved") for (const lane of [event.from, event.to]) if (lane !== undefined) gone.add(`${event.battle}/${lane}`);
        if (event.ev === "turn") for (const place of Object.keys(thrown)) gone.add(place);
        if (event.ev === "revealed") for (const lane of laneNumbers) gone.add(`${event.battle}/${lane}`);
    }
    return Object.fromEntries(Object.entries(thrown).filter(([place]) => !gone.has(place)));
}

const desks = new WeakMap<MatchStore, Desk>();

/** The desk of a match. */
export function deskOf(match: MatchStore): Desk {
    const known = desks.get(match) ?? new Desk(match);
    desks.set(match, known);
    return known;
}
