/** The time record: eight days of three slots, and how near each army is to its fall. */
import type { JSX } from "preact";
import { ArmyMark, MarkFigure } from "../ui/ArmyMark";
import { nations } from "../ui/army";
import { language, nationUnits, sideName, slot as slotName, t } from "@/words";
import type { RecordStripProps } from "./types";
import "./record.css";

interface Slot {
    turn: number;
    date: string;
    part: string;
    night: boolean;
    side: "FR" | "AL";
}

const parts = ["morning", "midday", "night"] as const;

/** The calendar of June 1815, three slots a day from the 15th, the sides in turn. */
function calendar(count: number): Slot[] {
    return Array.from({ length: count }, (_, at) => ({
        turn: at + 1,
        date: `1815-06-${String(15 + Math.floor(at / 3)).padStart(2, "0")}`,
        part: parts[at % 3]!,
        night: at % 3 === 2,
        side: at % 2 === 0 ? "FR" : "AL",
    }));
}

/** French: roundel on blue. Allied: saltire on red with a green corner. Night: dark with a moon. */
export function SlotSign(props: { side: "FR" | "AL"; night: boolean; size?: number }): JSX.Element {
    const size = props.size ?? 18;
    const french = props.side === "FR";
    const name = french ? "french" : "anglo-dutch";
    const shade = props.night ? "-dark" : "";
    return (
        <svg class={`slot-sign ${props.night ? "slot-night" : ""}`} width={size} height={size} viewBox="-12 -12 24 24" aria-hidden="true" focusable="false">
            <rect x="-12" y="-12" width="24" height="24" rx="4" fill={`var(--${name}${shade})`} />
            {!french && <path d="M12,-5V8Q12,12 8,12H-5Z" fill={`var(--prussian${shade})`} />}
            {props.night && <rect class="slot-dusk" x="-12" y="-12" width="24" height="24" rx="4" />}
            {props.night ? (
                <path d="M3.5,-7.2A7.6,7.6 0 1 0 7.6,3.6A6.6,6.6 0 0 1 3.5,-7.2Z" fill="#f6e6bd" />
            ) : (
                <g transform="scale(.9)">
                    <MarkFigure army={french ? "FR" : "AD"} color="#fff8e8" />
                </g>
            )}
        </svg>
    );
}

function Left(props: Pick<RecordStripProps, "nations"> & { short: boolean }): JSX.Element | null {
    if (!props.nations) return null;
    return (
        <ul class="record-left">
            {nations.map((army) => {
                const { left, surrenders_at: at, surrendered } = props.nations![army];
                const spoken = t("record.left", { units_t: nationUnits(left, army), n: at });
                return (
                    <li key={army} class={surrendered ? "record-gone" : left <= at + 2 ? "record-near" : ""} title={spoken}>
                        <ArmyMark army={army} size={16} />
                        <span class="board-unseen">{spoken}</span>
                        <strong aria-hidden="true">{left}</strong>
                        {!props.short && <span aria-hidden="true">{t("record.falls", { n: at })}</span>}
                    </li>
                );
            })}
        </ul>
    );
}

function month(date: string): string {
    return new Intl.DateTimeFormat(language(), { month: "long", timeZone: "UTC" }).format(new Date(`${date}T12:00:00Z`));
}

/** The strip above the map, or on phones a card over it. */
export function RecordStrip(props: RecordStripProps): JSX.Element {
    const { turn } = props;
    const form = props.form ?? "full";
    if (form === "card") {
        return (
            <div class="record record-card" role="group" aria-label={t("record.label")}>
                <span class="record-now">{slotName(turn)}</span>
                <Left nations={props.nations} short />
            </div>
        );
    }
    const slots: Slot[] = (props.record ?? calendar(turn.of || 24)).slice(0, turn.of || 24);
    const days = new Map<string, Slot[]>();
    for (const one of slots) days.set(one.date, [...(days.get(one.date) ?? []), one]);
    const today = slots.find((one) => one.turn === turn.slot)?.date;
    return (
        <div class={`record record-${form}`} role="group" aria-label={t("record.label")}>
            {form === "full" && slots[0] && <span class="record-month">{month(slots[0].date)}</span>}
            <ol class="record-days">
                {[...days].map(([date, list]) => (
                    <li key={date} class={date === today ? "record-today" : ""}>
                        <span class="record-day">{Number(date.slice(8))}</span>
                        {(form === "full" || date === today) && list.map((one) => <SlotItem key={one.turn} slot={one} now={turn.slot} onSlot={props.onSlot} />)}
                    </li>
                ))}
            </ol>
            <Left nations={props.nations} short={form !== "full"} />
        </div>
    );
}

function SlotItem(props: { slot: Slot; now: number; onSlot?: (slot: number) => void }): JSX.Element {
    const { slot, now } = props;
    const state = slot.turn < now ? "slot-past" : slot.turn === now ? "slot-now" : "";
    const spoken = t("record.slot", { slot_t: slotName({ slot: slot.turn, date: slot.date, part: slot.part }), side_t: sideName(slot.side) });
    const sign = <SlotSign side={slot.side} night={slot.night} />;
    if (props.onSlot) {
        const choose = props.onSlot;
        return (
            <button type="button" class={`slot ${state}`} aria-label={spoken} title={spoken} aria-current={slot.turn === now ? "step" : undefined} onClick={() => choose(slot.turn)}>
                {sign}
            </button>
        );
    }
    return (
        <span class={`slot ${state}`} role="img" aria-label={spoken} title={spoken} aria-current={slot.turn === now ? "step" : undefined}>
            {sign}
        </span>
    );
}
