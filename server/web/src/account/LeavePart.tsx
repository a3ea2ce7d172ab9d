/** The person's data as a file, and leaving for good. */
import { useState } from "preact/hooks";
import { go } from "@/app/router";
import { wantsCode, whyText } from "@/account/why";
import { account, forget, rpc } from "@/net/session";
import { Field } from "@/ui/Field";
import { t } from "@/words";

export function LeavePart() {
    const [wrong, setWrong] = useState<string | null>(null);
    const save = async (): Promise<void> => {
        setWrong(null);
        try {
            download(`vedette-${account.value?.name ?? ""}.json`, JSON.stringify(await rpc.call("account.export"), null, 2));
        } catch (error) {
            setWrong(whyText(error));
        }
    };
    return (
        <section class="settings-part card" aria-labelledby="set-data">
            <h2 id="set-data">{t("settings.data")}</h2>
            <p class="small">{t("settings.data.note")}</p>
            <button type="button" class="button" onClick={() => void save()}>
                {t("settings.export")}
            </button>
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
            <Delete />
        </section>
    );
}

function download(name: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function Delete() {
    const [open, setOpen] = useState(false);
    const [password, setPassword] = useState("");
    const [code, setCode] = useState("");
    const [coded, setCoded] = useState(false);
    const [wrong, setWrong] = useState<string | null>(null);
    const leave = async (): Promise<void> => {
        setWrong(null);
        try {
            await rpc.call("account.delete", { password, ...(code === "" ? {} : { code: code.trim() }) }, { once: true });
            forget();
            go("/");
        } catch (error) {
            if (wantsCode(error)) setCoded(true);
            setWrong(whyText(error));
        }
    };
    if (!open) {
        return (
            <button type="button" class="button danger" onClick={() => setOpen(true)}>
                {t("settings.delete")}
            </button>
        );
    }
    return (
        <form
            class="settings-delete"
            onSubmit={(event) => {
                event.preventDefault();
                void leave();
            }}
        >
            <h3>{t("settings.delete_title")}</h3>
            <p>{t("settings.delete_note")}</p>
            <Field label={t("sign_in.password")} type="password" value={password} autocomplete="current-password" {...(wrong === null ? {} : { wrong })} onInput={setPassword} />
            {coded && <Field label={t("sign_in.code")} value={code} autocomplete="one-time-code" hint={t("sign_in.code_hint")} onInput={setCode} />}
            <button type="submit" class="button danger">
                {t("settings.delete_do")}
            </button>
            <button type="button" class="button" onClick={() => setOpen(false)}>
                {t("join.not_now")}
            </button>
        </form>
    );
}
