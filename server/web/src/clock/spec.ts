/** Specs of clocks: ready-made ones, and what a spec says, as sentences of what will happen. */
import { spanWords } from "@/clock/state";
import { AWAY_CLAIMS, CLAIMS, DAYS, type Away, type ClockKind, type ClockSpec, type Day, type Ladder, type LadderStep } from "@/clock/types";
import { commas, list, phaseOf, plain, t, tt, type Token } from "@/words";

export const HOUR_S = 3600;
export const DAY_S = 86400;

/** A table's clock by its kind, before anything is changed. */
export function usualSpec(kind: ClockKind): ClockSpec {
    if (kind === "live") {
        return { kind, bank_s: HOUR_S, increment_s: 30, pauses: { policy: "free" }, ladder: { remind_s: [], grace_s: 0, misses: 0, then: "claim" } };
    }
    return {
        kind,
        per_move_s: 3 * DAY_S,
        bank_s: 4 * DAY_S,
        sleep: true,
        vacation_days: 14,
        pauses: { policy: "free" },
        ladder: { remind_s: [DAY_S, 6 * HOUR_S], grace_s: DAY_S, misses: 0, then: "claim" },
    };
}

/** Ready-made clocks, by name. */
export const PRESETS: Record<ClockKind, Record<string, Partial<ClockSpec>>> = {
    correspondence: {
        steady: { per_move_s: 3 * DAY_S, bank_s: 4 * DAY_S },
        brisk: { per_move_s: DAY_S, bank_s: 3 * DAY_S },
        slow: { per_move_s: 7 * DAY_S, bank_s: 14 * DAY_S },
        evenings: { per_move_s: 2 * HOUR_S, bank_s: 12 * HOUR_S, days: ["mon", "tue", "wed", "thu", "fri"], hours: ["18:00", "23:00"] },
        daily: { per_move_s: DAY_S, bank_s: 2 * DAY_S, at: "21:00", min_gap_s: 12 * HOUR_S },
    },
    live: {
        evening: { bank_s: HOUR_S, increment_s: 30 },
        quick: { bank_s: 1800, increment_s: 15 },
        long: { bank_s: 2 * HOUR_S, increment_s: 60 },
    },
};

/** Members that a preset may set: another preset takes them back. */
const PRESET_MEMBERS = ["per_move_s", "bank_s", "increment_s", "days", "hours", "at", "min_gap_s"] as const;

/** The spec with a preset's members in place of those of another; zone: of the reader, where days or hours need one. */
export function withPreset(spec: ClockSpec, name: string, zone: string): ClockSpec {
    const preset = PRESETS[spec.kind][name] ?? {};
    const next: ClockSpec = { ...spec };
    for (const member of PRESET_MEMBERS) delete next[member];
    Object.assign(next, preset);
    // Evenings alone leave no night to rest from.
    if (next.hours !== undefined) next.sleep = false;
    return zoned(next, zone);
}

/** The name of the preset that the spec is, null: none. */
export function presetOf(spec: ClockSpec): string | null {
    const same = (preset: Partial<ClockSpec>): boolean =>
        PRESET_MEMBERS.every((member) => JSON.stringify(spec[member]) === JSON.stringify(preset[member]));
    return Object.entries(PRESETS[spec.kind]).find(([, preset]) => same(preset))?.[0] ?? null;
}

/** A zone is there exactly where days, hours or a fixed hour need one. */
export function zoned(spec: ClockSpec, zone: string): ClockSpec {
    const needs = spec.days !== undefined || spec.hours !== undefined || spec.at !== undefined;
    const { zone: had, ...rest } = spec;
    return needs ? { ...rest, zone: had ?? zone } : rest;
}

/** May the others claim more time for a seat that is out of it? */
export function grants(ladder: Ladder): boolean {
    return stepsOf(ladder).some((step) => step.do === "claim") && (ladder.claims ?? CLAIMS).includes("grant");
}

/** Does another take over a seat that is out of time? */
export function takesOver(ladder: Ladder): boolean {
    return stepsOf(ladder).some((step) => step.do === "substitute" || step.do === "ally" || step.do === "caretaker");
}

/** Without members that mean nothing beside the others, which the daemon refuses; a bank's bound is at least the bank. */
export function fitting(spec: ClockSpec): ClockSpec {
    const { bank_max_s: most, ladder: had, ...rest } = spec;
    const bank = spec.bank_s ?? (spec.kind === "live" ? HOUR_S : 10 * DAY_S);
    const adds = spec.increment_s ?? (spec.kind === "live" ? 30 : 0);
    const next: ClockSpec = most === undefined || adds === 0 || bank === 0 ? rest : { ...rest, bank_max_s: Math.max(most, bank) };
    if (had === undefined) return next;
    const ladder = { ...had };
    if ((ladder.misses ?? 0) === 0) delete ladder.again_s;
    if (!stepsOf(ladder).some((step) => step.do === "claim")) delete ladder.claims;
    if (!grants(ladder)) delete ladder.grant_s;
    if (!takesOver(ladder)) delete ladder.fresh_s;
    return { ...next, ladder };
}

/** "3 days a move", "live, 60 min + 30 s", "no clock": for a column. */
export function specShort(spec: ClockSpec | undefined): string {
    if (spec === undefined) return t("clock.short.none");
    if (spec.kind === "live") {
        return t("clock.short.live", { bank: Math.round((spec.bank_s ?? HOUR_S) / 60), increment: spec.increment_s ?? 30 });
    }
    const move = spec.per_move_s ?? 3 * DAY_S;
    const span = move === 0 ? t("clock.short.bank", { span: spanWords(spec.bank_s ?? 0) }) : t("clock.short.move", { span: spanWords(move) });
    return spec.days === undefined && spec.hours === undefined && spec.sleep !== true ? span : t("clock.short.windows", { span });
}

/** What will happen, sentence by sentence. */
export function specProse(spec: ClockSpec, game?: string): Token[][] {
    return [...timeProse(spec, game), ...standProse(spec), pauseProse(spec), ...ladderProse(spec.ladder ?? {}), ...awayProse(spec.away)];
}

/** How much time there is. */
export function timeProse(spec: ClockSpec, game?: string): Token[][] {
    const said: Token[][] = [];
    const bank = spec.bank_s ?? (spec.kind === "live" ? HOUR_S : 10 * DAY_S);
    const move = spec.per_move_s ?? (spec.kind === "live" ? 0 : 3 * DAY_S);
    const increment = spec.increment_s ?? (spec.kind === "live" ? 30 : 0);
    const args = { bank: spanWords(bank), move: spanWords(move) };
    said.push(move === 0 ? tt("clock.prose.bank_only", args) : tt("clock.prose.move", { ...args, has_bank: bank > 0 }));
    for (const [phase, s] of Object.entries(spec.phases ?? {})) {
        said.push(tt("clock.prose.phase", { phase: phaseOf(game, phase), span: spanWords(s) }));
    }
    if (increment > 0) {
        const most = spec.bank_max_s;
        said.push(tt("clock.prose.increment", { span: spanWords(increment), most: most === undefined ? "" : spanWords(most), capped: most !== undefined }));
    }
    return said;
}

/** When it stands. */
function standProse(spec: ClockSpec): Token[][] {
    const said: Token[][] = [];
    const zone = spec.zone ?? "UTC";
    const every = spec.days === undefined || spec.days.length === DAYS.length;
    if (!every && spec.hours !== undefined) {
        said.push(tt("clock.prose.days_hours", { days: dayList(spec.days ?? []), from: spec.hours[0], to: spec.hours[1], zone }));
    } else if (!every) {
        said.push(tt("clock.prose.days", { days: dayList(spec.days ?? []), zone }));
    } else if (spec.hours !== undefined) {
        said.push(tt("clock.prose.hours", { from: spec.hours[0], to: spec.hours[1], zone }));
    }
    if (spec.at !== undefined) {
        const gap = spec.min_gap_s ?? 0;
        said.push(tt("clock.prose.at", { at: spec.at, zone, gap: gap > 0 ? spanWords(gap) : "", gapped: gap > 0 }));
    }
    if (spec.sleep === true) said.push(tt("clock.prose.sleep"));
    if ((spec.vacation_days ?? 0) > 0) said.push(tt("clock.prose.vacation", { n: spec.vacation_days ?? 0 }));
    return said;
}

function pauseProse(spec: ClockSpec): Token[] {
    const policy = spec.pauses?.policy ?? "free";
    const cap = spec.pauses?.cap_s ?? 0;
    return tt("clock.prose.pauses", { policy, cap: policy === "capped" ? spanWords(cap) : "" });
}

/** The ladder's steps, whichever way the spec has them. */
export function stepsOf(ladder: Ladder): LadderStep[] {
    const then = ladder.then ?? "claim";
    return typeof then === "string" ? [{ do: then }] : then;
}

/** What follows when a seat is out of time. */
export function ladderProse(ladder: Ladder): Token[][] {
    const said: Token[][] = [];
    const remind = ladder.remind_s ?? [];
    if (remind.length > 0) said.push(tt("clock.prose.remind", { spans: commas(remind.map(spanWords)) }));
    if ((ladder.grace_s ?? 0) > 0) said.push(tt("clock.prose.grace", { span: spanWords(ladder.grace_s ?? 0) }));
    // What comes first comes after these, or as soon as time is out.
    const after = (ladder.grace_s ?? 0) > 0 || (ladder.misses ?? 0) > 0;
    if (ladder.draft === "play") said.push(tt("clock.prose.draft"));
    if ((ladder.misses ?? 0) > 0) {
        const again = ladder.again_s ?? 0;
        said.push(tt("clock.prose.misses", { n: ladder.misses ?? 0, span: again > 0 ? spanWords(again) : "", known: again > 0 }));
    }
    const steps = stepsOf(ladder);
    steps.forEach((step, i) => {
        const claims = plain(list((ladder.claims ?? CLAIMS).map((one) => t(`clock.prose.claim.${one}`)), "list.or"));
        const before = steps[i - 1]?.for_s;
        const what = tt(`clock.prose.then.${step.do}`, { claims }, false);
        said.push(before === undefined ? tt("clock.prose.first", { what, after }) : tt("clock.prose.later", { span: spanWords(before), what }));
    });
    if (grants(ladder) && ladder.grant_s !== undefined) said.push(tt("clock.prose.grant", { span: spanWords(ladder.grant_s) }));
    if (takesOver(ladder) && ladder.fresh_s !== undefined) said.push(tt("clock.prose.fresh", { span: spanWords(ladder.fresh_s), some: ladder.fresh_s > 0 }));
    return said;
}

/** What follows when a player of a live match walks out. */
function awayProse(away: Away | undefined): Token[][] {
    if (away === undefined) return [];
    const converts = away.then === "convert";
    const claims = away.claims ?? AWAY_CLAIMS;
    const words = plain(list(claims.map((one) => t(`clock.prose.claim.${one}`)), "list.or"));
    const said = [tt("clock.prose.away", { converts, span: spanWords(away.after_s), claims: converts ? "" : words })];
    if (converts || claims.includes("convert")) {
        const move = away.becomes?.per_move_s ?? 3 * DAY_S;
        const bank = away.becomes?.bank_s ?? 10 * DAY_S;
        said.push(tt("clock.prose.becomes", { move: spanWords(move), bank: spanWords(bank) }));
    }
    return said;
}

/** The weekdays' names in the reader's language. */
export function dayName(day: Day, form: "long" | "short" = "long"): string {
    return t("clock.day", { day, form });
}

function dayList(days: readonly Day[]): string {
    const sorted = DAYS.filter((day) => days.includes(day));
    const first = sorted[0];
    const last = sorted[sorted.length - 1];
    const at = (day: Day): number => DAYS.indexOf(day);
    const unbroken = first !== undefined && last !== undefined && at(last) - at(first) === sorted.length - 1;
    if (unbroken && sorted.length > 2) return t("clock.days_from_to", { from: dayName(first), to: dayName(last) });
    return plain(list(sorted.map((day) => dayName(day))));
}
