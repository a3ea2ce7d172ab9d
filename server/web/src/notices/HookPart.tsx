/** A webhook: an address that takes a POST for each notice, signed, or ready-made for Discord and ntfy. */
import { useId, useState } from "preact/hooks";
import { HOOKS, type HookKind } from "@/notices/types";
import type { ChannelProps } from "@/notices/NoticesPart";
import { t } from "@/words";

export function HookPart({ now, set, test }: ChannelProps) {
    const id = useId();
    const hook = now.webhook ?? {};
    const [url, setUrl] = useState(hook.url ?? "");
    const [kind, setKind] = useState<HookKind>(hook.kind ?? "standard");
    const [shown, setShown] = useState(false);
    const save = async (): Promise<void> => {
        const clean = url.trim();
        if (await set({ webhook: clean === "" ? {} : { url: clean, kind } })) setShown(kind === "standard" && clean !== "" && clean !== hook.url);
    };
    return (
        <div class="notice-channel">
            <p class="notice-name">{t("notices.webhook")}</p>
            <form
                class="settings-line"
                noValidate
                onSubmit={(event) => {
                    event.preventDefault();
                    void save();
                }}
            >
                <div class="field">
                    <label for={`${id}-url`}>{t("notices.webhook_url")}</label>
                    <input id={`${id}-url`} type="url" value={url} maxLength={512} autocomplete="off" onInput={(event) => setUrl(event.currentTarget.value)} />
                    <span class="hint">{t("notices.webhook_hint")}</span>
                </div>
                <div class="field narrow">
                    <label for={`${id}-kind`}>{t("notices.webhook_kind")}</label>
                    <select id={`${id}-kind`} value={kind} onChange={(event) => setKind(event.currentTarget.value as HookKind)}>
                        {HOOKS.map((one) => (
                            <option key={one} value={one}>
                                {t(`notices.webhook.${one}`)}
                            </option>
                        ))}
                    </select>
                </div>
                <button type="submit" class="button">
                    {t("settings.save")}
                </button>
            </form>
            {hook.url !== undefined && (
                <p class="settings-acts">
                    <button type="button" class="button small-button" onClick={test}>
                        {t("notices.test")}
                    </button>
                    {hook.secret !== undefined && hook.kind === "standard" && (
                        <button type="button" class="button small-button" aria-expanded={shown} onClick={() => setShown(!shown)}>
                            {t(shown ? "notices.secret_hide" : "notices.secret_show")}
                        </button>
                    )}
                </p>
            )}
            {shown && hook.secret !== undefined && (
                <div class="notice good" role="status">
                    <p>{t("notices.secret_note")}</p>
                    <code class="token">{hook.secret}</code>
                </div>
            )}
        </div>
    );
}
