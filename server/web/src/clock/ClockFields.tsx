/** The clock of a new table: a kind, a ready-made one, and every setting, each with what it does. */
import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { settings } from "@/app/settings";
import { DAY_S, fitting, grants, HOUR_S, PRESETS, takesOver, dayName, presetOf, stepsOf, usualSpec, withPreset, zoned } from "@/clock/spec";
import { spanWords } from "@/clock/state";
import { AWAY_CLAIMS, CLAIMS, DAYS, STEPS, type ClaimWord, type ClockSpec, type Day, type Ladder, type LadderStep, type StepWord } from "@/clock/types";
import { ChoiceCards } from "@/lobby/ChoiceCards";
import { Check } from "@/ui/Field";
import { clockSteps, has, phaseOf, t } from "@/words";
import "@/clock/fields.css";

const MINUTE_S = 60;
const MOVES = [0, HOUR_S, 2 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S, 5 * DAY_S, 7 * DAY_S, 14 * DAY_S];
const BANKS = [0, 12 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S, 4 * DAY_S, 7 * DAY_S, 10 * DAY_S, 14 * DAY_S, 30 * DAY_S];
const LIVE_BANKS = [15, 30, 45, 60, 90, 120, 180].map((n) => n * MINUTE_S);
const LIVE_ADDS = [0, 5, 10, 15, 30, 60, 120];
const ADDS = [0, HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S];
const PHASE_SPANS = [2 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S, 5 * DAY_S, 7 * DAY_S];
const GAPS = [0, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 2 * DAY_S];
const VACATIONS = [0, 7, 14, 21, 30, 60];
const CAPS = [DAY_S, 3 * DAY_S, 7 * DAY_S, 14 * DAY_S, 30 * DAY_S];
const REMINDERS = [2 * DAY_S, DAY_S, 6 * HOUR_S, HOUR_S];
const GRACES = [0, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S, 7 * DAY_S];
const LIVE_GRACES = [0, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S];
const AGAINS = [6 * HOUR_S, 12 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S, 7 * DAY_S];
const LIVE_AGAINS = [1, 5, 10, 15].map((n) => n * MINUTE_S);
const GRANTS = [DAY_S, 2 * DAY_S, 3 * DAY_S, 7 * DAY_S, 14 * DAY_S];
const LIVE_GRANTS = [5, 10, 15, 30, 60].map((n) => n * MINUTE_S);
const LIVE_FRESH = [0, 5, 10, 15, 30, 60].map((n) => n * MINUTE_S);
const AWAYS = [MINUTE_S, 2 * MINUTE_S, 5 * MINUTE_S, 10 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S];
const WAITS = [12 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S, 7 * DAY_S];

interface ClockFieldsProps {
    game: string;
    spec: ClockSpec | null;
    seats: number;
    /** What the daemon refused, by the path of the member. */
    wrong: { member: string; text: string } | null;
    onChange: (spec: ClockSpec | null) => void;
}

export function ClockFields({ game, spec, seats, wrong, onChange }: ClockFieldsProps) {
    const kind = spec?.kind ?? "none";
    return (
        <section class="clock-fields">
            <h2>{t("new.clock")}</h2>
            <ChoiceCards
                name={t("new.clock")}
                values={["correspondence", "live", "none"] as const}
                value={kind}
                say={(one, what) => t(`new.clock.${one}.${what}`)}
                onChange={(one) => onChange(one === "none" ? null : one === kind ? spec : usualSpec(one))}
            />
            {spec !== null && <Settings game={game} spec={spec} seats={seats} onChange={onChange} />}
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong.text}
                </p>
            )}
        </section>
    );
}

interface PartProps {
    game: string;
    spec: ClockSpec;
    onChange: (spec: ClockSpec) => void;
}

function readerZone(): string {
    return settings.value.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

function Settings({ game, spec, seats, onChange }: PartProps & { seats: number }) {
    const part = (change: Partial<ClockSpec>): void => onChange(fitting(zoned(without({ ...spec, ...change }), readerZone())));
    const ladder = (change: Partial<Ladder>): void => part({ ladder: { ...spec.ladder, ...change } });
    const presets = Object.keys(PRESETS[spec.kind]);
    const now = presetOf(spec);
    return (
        <>
            <div class="clock-line">
                <Pick
                    label={t("new.clock.preset")}
                    value={now ?? "own"}
                    values={now === null ? [...presets, "own"] : presets}
                    say={(one) => t(`new.clock.preset.${one}`)}
                    onChange={(one) => one !== "own" && onChange(withPreset(spec, one, readerZone()))}
                />
                {spec.kind === "live" ? <LiveTimes spec={spec} part={part} /> : <SlowTimes spec={spec} part={part} />}
            </div>
            <details class="clock-more">
                <summary>{t("new.clock.more")}</summary>
                {spec.kind === "correspondence" && (
                    <>
                        <Windows spec={spec} part={part} />
                        <Phases game={game} spec={spec} part={part} />
                    </>
                )}
                <Group name={t("new.clock.pauses")}>
                    <Pick
                        label={t("new.clock.pauses_policy")}
                        value={spec.pauses?.policy ?? "free"}
                        values={["free", "capped", "none"] as const}
                        say={(one) => t(`new.clock.pauses.${one}`)}
                        onChange={(policy) => part({ pauses: policy === "capped" ? { policy, cap_s: spec.pauses?.cap_s ?? 7 * DAY_S } : { policy } })}
                    />
                    {spec.pauses?.policy === "capped" && (
                        <Span label={t("new.clock.pauses_cap")} value={spec.pauses.cap_s ?? 7 * DAY_S} values={CAPS} onChange={(cap_s) => part({ pauses: { policy: "capped", cap_s } })} />
                    )}
                </Group>
                <LadderPart spec={spec} seats={seats} ladder={ladder} />
                {spec.kind === "live" && <AwayPart spec={spec} part={part} />}
            </details>
        </>
    );
}

/** Members that are undefined are left out: the daemon takes no others. */
function without(spec: ClockSpec): ClockSpec {
    return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as unknown as ClockSpec;
}

interface SetProps {
    spec: ClockSpec;
    part: (change: { [M in keyof ClockSpec]?: ClockSpec[M] | undefined } & Partial<Pick<ClockSpec, "kind">>) => void;
}

function LiveTimes({ spec, part }: SetProps) {
    return (
        <>
            <Span label={t("new.clock.bank")} value={spec.bank_s ?? HOUR_S} values={LIVE_BANKS} onChange={(bank_s) => part({ bank_s })} />
            <Span label={t("new.clock.adds")} value={spec.increment_s ?? 30} values={LIVE_ADDS} onChange={(increment_s) => part({ increment_s })} />
            <Most spec={spec} part={part} bank={spec.bank_s ?? HOUR_S} adds={spec.increment_s ?? 30} />
        </>
    );
}

function SlowTimes({ spec, part }: SetProps) {
    return (
        <>
            <Span label={t("new.clock.move")} value={spec.per_move_s ?? 3 * DAY_S} values={MOVES} onChange={(per_move_s) => part({ per_move_s })} />
            <Span label={t("new.clock.bank")} value={spec.bank_s ?? 10 * DAY_S} values={BANKS} onChange={(bank_s) => part({ bank_s })} />
            <Span label={t("new.clock.adds")} value={spec.increment_s ?? 0} values={ADDS} onChange={(increment_s) => part({ increment_s: increment_s === 0 ? undefined : increment_s })} />
            <Most spec={spec} part={part} bank={spec.bank_s ?? 10 * DAY_S} adds={spec.increment_s ?? 0} />
        </>
    );
}

/** How much a bank may hold, where moves add to it. */
function Most({ spec, part, bank, adds }: SetProps & { bank: number; adds: number }) {
    if (adds === 0 || bank === 0) return null;
    const value = String(spec.bank_max_s ?? 0);
    return (
        <Pick
            label={t("new.clock.most")}
            value={value}
            values={["0", ...withValue([bank, bank * 2, bank * 3], spec.bank_max_s ?? bank).map(String)]}
            say={(s) => (s === "0" ? t("new.clock.most_any") : spanWords(Number(s)))}
            onChange={(s) => part({ bank_max_s: s === "0" ? undefined : Number(s) })}
        />
    );
}

function Windows({ spec, part }: SetProps) {
    const days = spec.days ?? DAYS;
    const flip = (day: Day, on: boolean): void => {
        const next = DAYS.filter((one) => (one === day ? on : days.includes(one)));
        if (next.length > 0) part({ days: next.length === DAYS.length ? undefined : next });
    };
    const way = spec.hours !== undefined ? "hours" : spec.at !== undefined ? "at" : "any";
    return (
        <Group name={t("new.clock.windows")} note={t("new.clock.windows_note")}>
            <div class="clock-days" role="group" aria-label={t("new.clock.days")}>
                {DAYS.map((day) => (
                    <label key={day} class="clock-day" data-on={days.includes(day)}>
                        <input type="checkbox" checked={days.includes(day)} aria-label={dayName(day)} onChange={(event) => flip(day, event.currentTarget.checked)} />
                        <span aria-hidden="true">{dayName(day, "short")}</span>
                    </label>
                ))}
            </div>
            <Pick
                label={t("new.clock.hours")}
                value={way}
                values={["any", "hours", "at"] as const}
                say={(one) => t(`new.clock.hours.${one}`)}
                onChange={(one) =>
                    part({
                        hours: one === "hours" ? (spec.hours ?? ["08:00", "23:00"]) : undefined,
                        at: one === "at" ? (spec.at ?? "21:00") : undefined,
                        min_gap_s: one === "at" ? (spec.min_gap_s ?? 12 * HOUR_S) : undefined,
                    })
                }
            />
            {spec.hours !== undefined && (
                <div class="clock-line">
                    <Time label={t("new.clock.from")} value={spec.hours[0]} onChange={(from) => part({ hours: [from, spec.hours?.[1] ?? "23:00"] })} />
                    <Time label={t("new.clock.to")} value={spec.hours[1]} onChange={(to) => part({ hours: [spec.hours?.[0] ?? "08:00", to] })} />
                </div>
            )}
            {spec.at !== undefined && (
                <div class="clock-line">
                    <Time label={t("new.clock.at")} value={spec.at} onChange={(at) => part({ at })} />
                    <Span label={t("new.clock.gap")} value={spec.min_gap_s ?? 0} values={GAPS} onChange={(min_gap_s) => part({ min_gap_s })} />
                </div>
            )}
            {spec.zone !== undefined && (
                <Pick label={t("settings.timezone")} value={spec.zone} values={zones(spec.zone)} say={(one) => one} onChange={(zone) => part({ zone })} />
            )}
            <Check label={t("new.clock.sleep")} checked={spec.sleep === true} onChange={(sleep) => part({ sleep })} />
            <Pick
                label={t("new.clock.vacation")}
                value={String(spec.vacation_days ?? 0)}
                values={withValue(VACATIONS, spec.vacation_days ?? 0).map(String)}
                say={(one) => t("new.clock.vacation_days", { n: Number(one) })}
                onChange={(n) => part({ vacation_days: Number(n) })}
            />
        </Group>
    );
}

function zones(now: string): string[] {
    const all = Intl.supportedValuesOf("timeZone");
    return all.includes(now) ? all : [now, ...all];
}

function Phases({ game, spec, part }: SetProps & { game: string }) {
    const set = (phase: string, s: number): void => {
        const { [phase]: _had, ...rest } = spec.phases ?? {};
        const next = s === 0 ? rest : { ...rest, [phase]: s };
        part({ phases: Object.keys(next).length === 0 ? undefined : next });
    };
    return (
        <Group name={t("new.clock.phases")} note={t("new.clock.phases_note")}>
            <div class="clock-grid">
                {clockSteps(game).map((phase) => (
                    <Pick
                        key={phase}
                        label={phaseOf(game, phase)}
                        value={String(spec.phases?.[phase] ?? 0)}
                        values={["0", ...withValue(PHASE_SPANS, spec.phases?.[phase] ?? DAY_S).map(String)]}
                        say={(one) => (one === "0" ? t("new.clock.as_any") : spanWords(Number(one)))}
                        onChange={(one) => set(phase, Number(one))}
                    />
                ))}
            </div>
        </Group>
    );
}

interface LadderProps {
    spec: ClockSpec;
    seats: number;
    ladder: (change: Partial<Ladder>) => void;
}

function LadderPart({ spec, seats, ladder }: LadderProps) {
    const now = spec.ladder ?? {};
    const remind = now.remind_s ?? [];
    const steps = stepsOf(now);
    const words: StepWord[] = STEPS.filter((word) => word !== "ally" || seats > 2);
    const setSteps = (next: LadderStep[]): void => ladder({ then: next.length === 1 && next[0] !== undefined ? next[0].do : next });
    const first = steps[0]?.do ?? "claim";
    const second = steps[1]?.do;
    const final = first === "forfeit" || first === "annul" || first === "caretaker";
    const claims = now.claims ?? [...CLAIMS];
    const flip = (one: ClaimWord, on: boolean): void => {
        const next = CLAIMS.filter((word) => (word === one ? on : claims.includes(word)));
        if (next.length > 0) ladder({ claims: next });
    };
    return (
        <Group name={t("new.clock.ladder")} note={t("new.clock.ladder_note")}>
            <div class="clock-checks" role="group" aria-label={t("new.clock.remind")}>
                <span>{t("new.clock.remind")}</span>
                {(spec.kind === "live" ? [5 * MINUTE_S, MINUTE_S] : REMINDERS).map((s) => (
                    <Check
                        key={s}
                        label={spanWords(s)}
                        checked={remind.includes(s)}
                        onChange={(on) => ladder({ remind_s: [...remind.filter((one) => one !== s), ...(on ? [s] : [])].sort((a, b) => b - a) })}
                    />
                ))}
            </div>
            <div class="clock-line">
                <Span label={t("new.clock.grace")} value={now.grace_s ?? 0} values={spec.kind === "live" ? LIVE_GRACES : GRACES} onChange={(grace_s) => ladder({ grace_s })} />
                <Pick
                    label={t("new.clock.misses")}
                    value={String(now.misses ?? 0)}
                    values={withValue([0, 1, 2, 3, 5], now.misses ?? 0).map(String)}
                    say={(n) => t("new.clock.misses_n", { n: Number(n) })}
                    onChange={(n) => ladder({ misses: Number(n) })}
                />
                <Pick
                    label={t("new.clock.draft")}
                    value={now.draft ?? "miss"}
                    values={["miss", "play"] as const}
                    say={(one) => t(`new.clock.draft.${one}`)}
                    onChange={(draft) => ladder({ draft })}
                />
            </div>
            <div class="clock-line">
                <Pick label={t("new.clock.then")} value={first} values={words} say={(one) => t(`new.clock.then.${one}`)} onChange={(word) => setSteps([{ do: word }])} />
                {!final && (
                    <Pick
                        label={t("new.clock.then_later")}
                        value={second ?? "none"}
                        values={["none", ...words.filter((word) => word !== first)] as (StepWord | "none")[]}
                        say={(one) => t(`new.clock.then.${one}`)}
                        onChange={(word) => setSteps(word === "none" ? [{ do: first }] : [{ do: first, for_s: steps[0]?.for_s ?? 2 * DAY_S }, { do: word }])}
                    />
                )}
                {!final && second !== undefined && (
                    <Span label={t("new.clock.then_after")} value={steps[0]?.for_s ?? 2 * DAY_S} values={WAITS} onChange={(for_s) => setSteps([{ do: first, for_s }, ...steps.slice(1)])} />
                )}
            </div>
            {steps.some((step) => step.do === "claim") && (
                <div class="clock-checks" role="group" aria-label={t("new.clock.claims")}>
                    <span>{t("new.clock.claims")}</span>
                    {CLAIMS.map((one) => (
                        <Check key={one} label={t(`clock.prose.claim.${one}`)} checked={claims.includes(one)} onChange={(on) => flip(one, on)} />
                    ))}
                </div>
            )}
            <LadderSpans spec={spec} ladder={ladder} />
        </Group>
    );
}

/** How much a forgiven miss, a claim of time and a seat taken over give; what the daemon would take for them is shown. */
function LadderSpans({ spec, ladder }: Omit<LadderProps, "seats">) {
    const now = spec.ladder ?? {};
    const live = spec.kind === "live";
    const bank = spec.bank_s ?? (live ? HOUR_S : 10 * DAY_S);
    const move = spec.per_move_s ?? (live ? 0 : 3 * DAY_S);
    const grace = now.grace_s ?? (live ? 0 : DAY_S);
    if ((now.misses ?? 0) === 0 && !grants(now) && !takesOver(now)) return null;
    return (
        <div class="clock-line">
            {(now.misses ?? 0) > 0 && (
                <Span
                    label={t("new.clock.again")}
                    value={now.again_s ?? Math.max(move, grace, MINUTE_S)}
                    values={live ? LIVE_AGAINS : AGAINS}
                    onChange={(again_s) => ladder({ again_s })}
                />
            )}
            {grants(now) && (
                <Span
                    label={t("new.clock.grant")}
                    value={now.grant_s ?? Math.max(bank, move, MINUTE_S)}
                    values={live ? LIVE_GRANTS : GRANTS}
                    onChange={(grant_s) => ladder({ grant_s })}
                />
            )}
            {takesOver(now) && <Span label={t("new.clock.fresh")} value={now.fresh_s ?? bank} values={live ? LIVE_FRESH : BANKS} onChange={(fresh_s) => ladder({ fresh_s })} />}
        </div>
    );
}

/** What follows when a player of a live match walks out while it is his move. */
function AwayPart({ spec, part }: SetProps) {
    const away = spec.away;
    const claims = away?.claims ?? [...AWAY_CLAIMS];
    const change = (next: Partial<NonNullable<ClockSpec["away"]>>): void => {
        if (away === undefined) return;
        const { claims: had, becomes, ...rest } = { ...away, ...next };
        const claim = rest.then !== "convert";
        const converts = !claim || (had ?? AWAY_CLAIMS).includes("convert");
        part({ away: { ...rest, ...(claim && had !== undefined ? { claims: had } : {}), ...(converts && becomes !== undefined ? { becomes } : {}) } });
    };
    const flip = (one: (typeof AWAY_CLAIMS)[number], on: boolean): void => {
        const next = AWAY_CLAIMS.filter((word) => (word === one ? on : claims.includes(word)));
        if (next.length > 0) change({ claims: next });
    };
    return (
        <Group name={t("new.clock.away")} note={t("new.clock.away_note")}>
            <div class="clock-line">
                <Span
                    label={t("new.clock.away_after")}
                    value={away?.after_s ?? 0}
                    values={[0, ...AWAYS]}
                    onChange={(after_s) => part({ away: after_s === 0 ? undefined : { ...away, after_s } })}
                />
                {away !== undefined && (
                    <Pick
                        label={t("new.clock.then")}
                        value={away.then ?? "claim"}
                        values={["claim", "convert"] as const}
                        say={(one) => t(`new.clock.away_then.${one}`)}
                        onChange={(then) => change({ then })}
                    />
                )}
                {away !== undefined && (away.then === "convert" || claims.includes("convert")) && (
                    <Span
                        label={t("new.clock.away_move")}
                        value={away.becomes?.per_move_s ?? 3 * DAY_S}
                        values={MOVES.slice(1)}
                        onChange={(per_move_s) => change({ becomes: { ...away.becomes, per_move_s } })}
                    />
                )}
            </div>
            {away !== undefined && away.then !== "convert" && (
                <div class="clock-checks" role="group" aria-label={t("new.clock.claims")}>
                    <span>{t("new.clock.claims")}</span>
                    {AWAY_CLAIMS.map((one) => (
                        <Check key={one} label={t(`clock.prose.claim.${one}`)} checked={claims.includes(one)} onChange={(on) => flip(one, on)} />
                    ))}
                </div>
            )}
        </Group>
    );
}

function Group({ name, note, children }: { name: string; note?: string; children: ComponentChildren }) {
    return (
        <fieldset class="clock-group">
            <legend>{name}</legend>
            {note !== undefined && <p class="small">{note}</p>}
            {children}
        </fieldset>
    );
}

interface PickProps<V extends string> {
    label: string;
    value: V;
    values: readonly V[];
    say: (value: V) => string;
    onChange: (value: V) => void;
}

function Pick<V extends string>({ label, value, values, say, onChange }: PickProps<V>) {
    const id = useId();
    return (
        <div class="clock-pick">
            <label for={id}>{label}</label>
            <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as V)}>
                {values.map((one) => (
                    <option key={one} value={one}>
                        {say(one)}
                    </option>
                ))}
            </select>
        </div>
    );
}

/** The values, and the one that is set if it is none of them. */
function withValue(values: readonly number[], value: number): number[] {
    return values.includes(value) ? [...values] : [...values, value].sort((a, b) => a - b);
}

function Span({ label, value, values, onChange }: { label: string; value: number; values: number[]; onChange: (s: number) => void }) {
    return (
        <Pick
            label={label}
            value={String(value)}
            values={withValue(values, value).map(String)}
            say={(s) => (Number(s) === 0 ? t("new.clock.none_span") : spanWords(Number(s)))}
            onChange={(s) => onChange(Number(s))}
        />
    );
}

function Time({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
    const id = useId();
    return (
        <div class="clock-pick">
            <label for={id}>{label}</label>
            <input id={id} type="time" value={value} onChange={(event) => event.currentTarget.value !== "" && onChange(event.currentTarget.value)} />
        </div>
    );
}

/** A refusal's member that is of the clock: clock.ladder.grace_s. */
export function isOfClock(member: string): boolean {
    return member === "clock" || member.startsWith("clock.");
}

/** What a refused member is called on this page. */
export function memberWords(member: string): string {
    const last = member.split(".")[1] ?? "clock";
    return has(`new.clock.member.${last}`) ? t(`new.clock.member.${last}`) : member;
}
