/** A webhook: an address that takes a POST for each notice, signed, or ready-made for Discord and ntfy. */
import { useEffect, useId, useState } from "preact/hooks";
import { whyText } from "@/account/why";
import { rpc } from "@/net/session";
import { HOOKS, type HookKind, type Notices } from "@/notices/types";
import type { ChannelProps } from "@/notices/NoticesPart";
import { t } from "@/words";

export function HookPart({ now, set, test }: ChannelProps) {
    const id = useId();
    const hook = now.webhook ?? {};
    const [url, setUrl] = useState(hook.url ?? "");
    const [kind, setKind] = useState<HookKind>(hook.kind ?? "standard");
    // What is set comes a moment after the page: until then nothing here may stand for it.
    useEffect(() => {
        setUrl(hook.url ?? "");
        setKind(hook.kind ?? "standard");
    }, [hook.url, hook.kind]);
    const [shown, setShown] = useState(false);
    const [asked, setAsked] = useState<string | undefined>(undefined);
    const [wrong, setWrong] = useState<string | null>(null);
    const secret = hook.secret ?? asked;
    // Signing in does not bring it along: it is asked for when it is wanted.
    const show = async (): Promise<void> => {
        setWrong(null);
        if (shown || secret !== undefined) {
            setShown(!shown);
            return;
        }
        try {
            const me = (await rpc.call<{ notices?: Notices }>("account.get")).notices?.webhook;
            setAsked(me?.secret);
            setShown(me?.secret !== undefined);
        } catch (error) {
            setWrong(whyText(error));
        }
    };
    const save = async (): Promise<void> => {
        const clean = url.trim();
        setAsked(undefined);
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
                    {(hook.kind ?? "standard") === "standard" && (
                        <button type="button" class="button small-button" aria-expanded={shown} onClick={() => void show()}>
                            {t(shown ? "notices.secret_hide" : "notices.secret_show")}
                        </button>
                    )}
                </p>
            )}
            {shown && secret !== undefined && (
                <div class="notice good" role="status">
                    <p>{t("notices.secret_note")}</p>
                    <code class="token">{secret}</code>
                </div>
            )}
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
        </div>
    );
}
