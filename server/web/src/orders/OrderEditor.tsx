/** One order: when, where, against how many, and what is done then; towns and ways are picked on the map or from lists. */
import { useId } from "preact/hooks";
import { CountField, Ratio } from "@/orders/CountFields";
import { ColumnsPart } from "@/orders/ColumnsPart";
import type { Fault } from "@/orders/fault";
import { FaultLine } from "@/orders/OrdersSheet";
import { RoutesPart } from "@/orders/RoutesPart";
import { TownsField } from "@/orders/TownsField";
import { doFor, hasCounts, hasTowns, WHENS, type Do, type Order, type When, type WhenKind } from "@/orders/types";
import { UnitsOrder } from "@/orders/UnitsOrder";
import { orderWords } from "@/orders/words";
import { Check } from "@/ui/Field";
import { Rich, t } from "@/words";

interface OrderEditorProps {
    order: Order;
    fault: Fault | null;
    onChange: (order: Order) => void;
}

/** A copy without members that are undefined or empty: the server takes none that say nothing. */
function clean<T extends object>(of: T): T {
    const kept = Object.entries(of).filter(([, value]) => {
        if (value === undefined) return false;
        if (Array.isArray(value)) return value.length > 0;
        return typeof value !== "object" || value === null || Object.keys(value as object).length > 0;
    });
    return Object.fromEntries(kept) as T;
}

export function OrderEditor({ order, fault, onChange }: OrderEditorProps) {
    const { when, do: act } = order;
    const setWhen = (part: { [M in keyof When]?: When[M] | undefined }): void => onChange({ when: clean({ ...when, ...part } as When), do: act });
    const setDo = (part: { [M in keyof Do]?: Do[M] | undefined }): void => onChange({ when, do: clean({ ...act, ...part } as Do) });
    const turnTo = (is: WhenKind): void => onChange({ when: { is, ...(hasTowns(is) && when.in !== undefined ? { in: when.in } : {}) }, do: doFor(is) });
    return (
        <div class="order-editor">
            <p class="told order-said">
                <Rich of={orderWords(order)} />
            </p>
            {fault !== null && <FaultLine fault={fault} />}
            <Choice label={t("orders.when")} value={when.is} values={WHENS} say={(is) => t(`orders.kind.${is}`)} onChange={turnTo} />
            {hasTowns(when.is) && <TownsField label={t("orders.where")} none={t("orders.anywhere")} chosen={when.in ?? []} onChange={(towns) => setWhen({ in: towns })} />}
            {hasCounts(when.is) && (
                <div class="order-line">
                    <CountField label={t("orders.their_units")} value={when.by} onChange={(by) => setWhen({ by })} />
                    <CountField label={t("orders.my_units")} value={when.own} onChange={(own) => setWhen({ own })} />
                    <Ratio value={when.ratio} onChange={(ratio) => setWhen({ ratio })} />
                </div>
            )}
            <h3>{t("orders.then")}</h3>
            <DoPart when={when} act={act} setDo={setDo} />
        </div>
    );
}

interface DoProps {
    when: When;
    act: Do;
    setDo: (part: { [M in keyof Do]?: Do[M] | undefined }) => void;
}

function DoPart({ when, act, setDo }: DoProps) {
    switch (act.do) {
        case "respond":
            return (
                <>
                    <Choice
                        label={t("orders.answer")}
                        value={act.choice ?? "fight"}
                        values={["fight", "retreat"] as const}
                        say={(choice) => t(`respond.${choice}`)}
                        onChange={(choice) => setDo({ choice, columns: undefined, rest: undefined, routes: undefined, to: undefined, else: undefined })}
                    />
                    {act.choice === "retreat" ? <RoutesPart when={when} act={act} setDo={setDo} /> : <ColumnsPart when={when} act={act} setDo={setDo} />}
                </>
            );
        case "deploy":
            return <ColumnsPart when={when} act={act} setDo={setDo} />;
        case "rout_routes":
            return <RoutesPart when={when} act={act} setDo={setDo} />;
        case "allot":
            return (
                <>
                    <UnitsOrder label={t("orders.pay_first")} note={t("orders.pay_note")} chosen={act.units ?? []} onChange={(units) => setDo({ units })} />
                    <Check label={t("orders.spare")} checked={act.spare !== false} onChange={(spare) => setDo({ spare: spare ? undefined : false })} />
                </>
            );
        case "remove":
            return <UnitsOrder label={t("orders.go_first")} note={t("orders.go_note")} chosen={act.units ?? []} onChange={(units) => setDo({ units })} />;
        case "only":
            return <p class="small">{t("orders.only_note")}</p>;
    }
}

interface ChoiceProps<V extends string> {
    label: string;
    value: V;
    values: readonly V[];
    say: (value: V) => string;
    onChange: (value: V) => void;
}

export function Choice<V extends string>({ label, value, values, say, onChange }: ChoiceProps<V>) {
    const id = useId();
    return (
        <div class="field order-choice">
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
