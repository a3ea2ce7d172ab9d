/** When one does not play: the night, and days of vacation. Clocks of matches that say so stand then. */
import { useId, useState } from "preact/hooks";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { account, rpc } from "@/net/session";
import type { Account } from "@/types";
import { Check } from "@/ui/Field";
import { day, t } from "@/words";

interface Span {
    from: string;
    to: string;
}

const NIGHT: Span = { from: "23:00", to: "07:00" };

export function AwayPart() {
    const who = account.value as { sleep?: Span; vacation?: Span[]; timezone?: string } | null;
    const [said, setSaid] = useState<Said | null>(null);
    const set = async (part: Record<string, unknown>): Promise<void> => {
        try {
            account.value = await rpc.call<Account>("account.set", part, { once: true });
            setSaid({ good: true, text: t("settings.saved") });
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    return (
        <section class="settings-part card" aria-labelledby="set-away">
            <h2 id="set-away">{t("settings.away")}</h2>
            <p class="small">{t("settings.away.note", { zone: who?.timezone ?? "UTC" })}</p>
            <Sleep sleep={who?.sleep ?? null} onSet={(sleep) => void set({ sleep: sleep ?? {} })} />
            <Vacation all={who?.vacation ?? []} onSet={(vacation) => void set({ vacation })} />
            <Saying said={said} />
        </section>
    );
}

function Sleep({ sleep, onSet }: { sleep: Span | null; onSet: (sleep: Span | null) => void }) {
    return (
        <>
            <Check label={t("settings.sleep")} checked={sleep !== null} onChange={(on) => onSet(on ? NIGHT : null)} />
            {sleep !== null && (
                <div class="settings-line">
                    <When type="time" label={t("new.clock.from")} value={sleep.from} onChange={(from) => onSet({ ...sleep, from })} />
                    <When type="time" label={t("new.clock.to")} value={sleep.to} onChange={(to) => onSet({ ...sleep, to })} />
                </div>
            )}
            <p class="small">{t("settings.sleep.note")}</p>
        </>
    );
}

function Vacation({ all, onSet }: { all: Span[]; onSet: (all: Span[]) => void }) {
    const [from, setFrom] = useState("");
    const [to, setTo] = useState("");
    return (
        <>
            <h3>{t("settings.vacation")}</h3>
            <p class="small">{t("settings.vacation.note")}</p>
            <ul class="chips">
                {all.map((one) => (
                    <li key={one.from} class="chip">
                        {t("settings.vacation.span", { from: day(one.from), to: day(one.to) })}
                        <button
                            type="button"
                            class="chip-act"
                            aria-label={t("settings.vacation.drop", { from: day(one.from) })}
                            onClick={() => onSet(all.filter((other) => other !== one))}
                        >
                            ×
                        </button>
                    </li>
                ))}
            </ul>
            <form
                class="settings-line"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (from === "") return;
                    onSet([...all, { from, to: to === "" ? from : to }]);
                    setFrom("");
                    setTo("");
                }}
            >
                <When type="date" label={t("settings.vacation.from")} value={from} onChange={setFrom} />
                <When type="date" label={t("settings.vacation.to")} value={to} onChange={setTo} />
                <button type="submit" class="button">
                    {t("settings.vacation.add")}
                </button>
            </form>
        </>
    );
}

function When({ type, label, value, onChange }: { type: "time" | "date"; label: string; value: string; onChange: (value: string) => void }) {
    const id = useId();
    return (
        <div class="field narrow">
            <label for={id}>{label}</label>
            <input id={id} type={type} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
        </div>
    );
}
