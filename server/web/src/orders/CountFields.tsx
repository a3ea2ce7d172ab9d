/** How many units: at least, at most; and how the numbers stand to each other. */
import { Choice } from "@/orders/OrderEditor";
import type { Count } from "@/orders/types";
import { t } from "@/words";

const NUMBERS = Array.from({ length: 18 }, (_, i) => i + 1);
const RATIOS: [number, number][] = [[1, 1], [3, 2], [2, 1], [3, 1], [4, 1]];

export function CountField({ label, value, onChange }: { label: string; value: Count | undefined; onChange: (value: Count | undefined) => void }) {
    const set = (member: keyof Count, text: string): void => {
        const next = { ...value };
        if (text === "") delete next[member];
        else next[member] = Number(text);
        onChange(Object.keys(next).length === 0 ? undefined : next);
    };
    const say = (key: string) => (n: string) => (n === "" ? t("orders.any") : t(key, { n: Number(n) }));
    const all = ["", ...NUMBERS.map(String)];
    return (
        <fieldset class="order-count">
            <legend>{label}</legend>
            <Choice label={t("orders.at_least")} value={String(value?.min ?? "")} values={all} say={say("orders.n")} onChange={(n) => set("min", n)} />
            <Choice label={t("orders.at_most")} value={String(value?.max ?? "")} values={all} say={say("orders.n")} onChange={(n) => set("max", n)} />
        </fieldset>
    );
}

export function Ratio({ value, onChange }: { value: [number, number] | undefined; onChange: (value: [number, number] | undefined) => void }) {
    const now = value === undefined ? "" : value.join(":");
    const known = RATIOS.map((one) => one.join(":"));
    return (
        <Choice
            label={t("orders.odds")}
            value={now}
            values={["", ...known, ...(now === "" || known.includes(now) ? [] : [now])]}
            say={(one) => (one === "" ? t("orders.any") : t("orders.odds_n", { odds: one }))}
            onChange={(one) => onChange(one === "" ? undefined : (one.split(":").map(Number) as [number, number]))}
        />
    );
}
