/** The account's address: whether it is confirmed, mailed again, changed. */
import { useState } from "preact/hooks";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { Refusal } from "@/net/rpc";
import { account, hello, rpc } from "@/net/session";
import type { Account } from "@/types";
import { Field } from "@/ui/Field";
import { t } from "@/words";

export function MailPart() {
    const who = account.value;
    const [email, setEmail] = useState(who?.email_new ?? who?.email ?? "");
    const [password, setPassword] = useState("");
    const [asked, setAsked] = useState(false);
    const [said, setSaid] = useState<Said | null>(null);
    const sends = (hello.value as { notices?: { mail?: boolean } } | null)?.notices?.mail !== false;
    const confirmed = who?.email_confirmed === true;
    const set = async (): Promise<void> => {
        try {
            const secret = password === "" ? {} : { password };
            account.value = await rpc.call<Account>("account.set", { email: email.trim(), ...secret }, { once: true });
            setPassword("");
            setAsked(false);
            setSaid({ good: true, text: t("settings.saved") });
        } catch (error) {
            const { kind = "", member = "" } = error instanceof Refusal ? { kind: error.kind, member: error.data.member } : {};
            if (kind === "bad_credentials") setAsked(true);
            setSaid({ good: false, text: member === "email" ? t("sign_in.email_wrong") : whyText(error) });
        }
    };
    const again = async (): Promise<void> => {
        try {
            await rpc.call("account.confirm", {}, { once: true });
            setSaid({ good: true, text: t("settings.mail_sent") });
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    const state = who?.email === undefined || who.email === "" ? "none" : who.email_new !== undefined ? "changing" : confirmed ? "confirmed" : "waits";
    return (
        <>
            <form
                class="settings-line"
                noValidate
                onSubmit={(event) => {
                    event.preventDefault();
                    void set();
                }}
            >
                <Field label={t("sign_in.email")} type="email" value={email} autocomplete="email" hint={t("settings.email_hint")} onInput={setEmail} />
                {(asked || (confirmed && email.trim() !== who?.email)) && (
                    <Field label={t("sign_in.password")} type="password" value={password} autocomplete="current-password" hint={t("settings.mail_password")} onInput={setPassword} />
                )}
                <button type="submit" class="button">
                    {t("settings.save")}
                </button>
            </form>
            <p class="small mail-state" data-state={state}>
                {t(`settings.mail.${state}`, { email: who?.email_new ?? who?.email ?? "" })}{" "}
                {(state === "waits" || state === "changing") && sends && (
                    <button type="button" class="link-button" onClick={() => void again()}>
                        {t("settings.mail_again")}
                    </button>
                )}
            </p>
            <Saying said={said} />
        </>
    );
}
