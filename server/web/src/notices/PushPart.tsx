/** Notices in browsers: this one is added by a press, others are listed and taken away. */
import { useEffect, useState } from "preact/hooks";
import { present, pushState, subscribe, unsubscribe, type PushState } from "@/notices/push";
import type { ChannelProps } from "@/notices/NoticesPart";
import { t } from "@/words";

export function PushPart({ now, set, test }: ChannelProps) {
    const all = now.push ?? [];
    const [state, setState] = useState<PushState | null>(null);
    const [own, setOwn] = useState<string | null>(null);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
        let here = true;
        void Promise.all([pushState(all), present()]).then(
            ([next, known]) => {
                if (!here) return;
                setState(next);
                setOwn(known?.endpoint ?? null);
            },
            () => {},
        );
        return () => {
            here = false;
        };
    }, [all]);
    const add = async (): Promise<void> => {
        setFailed(false);
        try {
            const made = await subscribe();
            if (made === null) setState(await pushState(all));
            else await set({ push: [...all.filter((one) => one.endpoint !== made.endpoint), made] });
        } catch {
            setFailed(true);
        }
    };
    const drop = async (endpoint: string): Promise<void> => {
        if (endpoint === own) await unsubscribe().catch(() => null);
        await set({ push: all.filter((one) => one.endpoint !== endpoint) });
    };
    return (
        <div class="notice-channel">
            <p class="notice-name">{t("notices.push")}</p>
            {state !== null && <p class="small">{t(`notices.push.${state}`)}</p>}
            <p class="settings-acts">
                {state === "off" && (
                    <button type="button" class="button" onClick={() => void add()}>
                        {t("notices.push_add")}
                    </button>
                )}
                {all.length > 0 && (
                    <button type="button" class="button small-button" onClick={test}>
                        {t("notices.test")}
                    </button>
                )}
            </p>
            {failed && (
                <p class="notice wrong" role="alert">
                    {t("notices.push_failed")}
                </p>
            )}
            <ul class="chips">
                {all.map((one) => {
                    const name = one.endpoint === own ? t("settings.device_this") : one.label === undefined || one.label === "" ? t("settings.device") : one.label;
                    return (
                        <li key={one.endpoint} class="chip">
                            {name}
                            <button type="button" class="chip-act" aria-label={t("notices.push_drop", { name })} onClick={() => void drop(one.endpoint)}>
                                ×
                            </button>
                        </li>
                    );
                })}
            </ul>
        </div>
    );
}
