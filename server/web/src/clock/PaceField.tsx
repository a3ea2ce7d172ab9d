/** Option pace: answers to interrupts are held for a while, so that nobody sees who or what answered. */
import { useId } from "preact/hooks";
import { spanWords } from "@/clock/state";
import { t } from "@/words";

const SPANS = [0, 600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 86400];

export function PaceField({ pace, onChange }: { pace: number; onChange: (pace: number) => void }) {
    const id = useId();
    const all = SPANS.includes(pace) ? SPANS : [...SPANS, pace].sort((a, b) => a - b);
    return (
        <div class="choice-row">
            <label for={id}>{t("new.pace")}</label>
            <select id={id} value={String(pace)} aria-describedby={`${id}-meaning`} onChange={(event) => onChange(Number(event.currentTarget.value))}>
                {all.map((s) => (
                    <option key={s} value={String(s)}>
                        {s === 0 ? t("new.pace.none") : t("new.pace.after", { span: spanWords(s) })}
                    </option>
                ))}
            </select>
            <span id={`${id}-meaning`} class="small">
                {t(pace === 0 ? "new.pace.none_meaning" : "new.pace.meaning")}
            </span>
        </div>
    );
}
