/** /reset: asks for a mail, and with the token that came by it (#token=…) sets a new password. */
import { useState } from "preact/hooks";
import { go } from "@/app/router";
import { takeToken } from "@/account/linked";
import { PlainPage } from "@/account/PlainPage";
import { Saying, type Said } from "@/account/Saying";
import { wantsCode, whyText } from "@/account/why";
import { Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { Field } from "@/ui/Field";
import { t } from "@/words";

export default function ResetPage({ query }: { query: URLSearchParams }) {
    const [token] = useState(takeToken);
    return <PlainPage title={t("reset.title")}>{token === null ? <Ask name={query.get("name") ?? ""} /> : <Set token={token} />}</PlainPage>;
}

/** The answer is the same whether there is such an account or not. */
function Ask({ name: first }: { name: string }) {
    const [name, setName] = useState(first);
    const [said, setSaid] = useState<Said | null>(null);
    const ask = async (): Promise<void> => {
        if (name.trim() === "") {
            setSaid({ good: false, text: t("sign_in.name_missing") });
            return;
        }
        try {
            await rpc.call("account.reset", { name: name.trim() }, { once: true });
            setSaid({ good: true, text: t("reset.asked") });
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    return (
        <form
            class="settings-form"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void ask();
            }}
        >
            <p class="told">{t("reset.note")}</p>
            <Field label={t("sign_in.name")} value={name} autocomplete="username" autofocus onInput={setName} />
            <button type="submit" class="button primary">
                {t("reset.ask")}
            </button>
            <Saying said={said} />
        </form>
    );
}

function Set({ token }: { token: string }) {
    const [password, setPassword] = useState("");
    const [code, setCode] = useState("");
    const [coded, setCoded] = useState(false);
    const [said, setSaid] = useState<Said | null>(null);
    const [done, setDone] = useState(false);
    const set = async (): Promise<void> => {
        if (new TextEncoder().encode(password).length < 8) {
            setSaid({ good: false, text: t("sign_in.password_rules") });
            return;
        }
        try {
            await rpc.call("account.reset", { token, password, ...(code === "" ? {} : { code: code.trim() }) }, { once: true });
            setDone(true);
            setSaid({ good: true, text: t("reset.done") });
        } catch (error) {
            if (wantsCode(error)) setCoded(true);
            const used = error instanceof Refusal && error.kind === "not_found";
            setSaid({ good: false, text: used ? t("reset.used") : whyText(error) });
        }
    };
    if (done) {
        return (
            <>
                <Saying said={said} />
                <button type="button" class="button primary" onClick={() => go("/sign-in")}>
                    {t("sign_in.do_sign_in")}
                </button>
            </>
        );
    }
    return (
        <form
            class="settings-form"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void set();
            }}
        >
            <Field label={t("settings.password_new")} type="password" value={password} autocomplete="new-password" maxLength={256} hint={t("sign_in.password_hint")} autofocus onInput={setPassword} />
            {coded && <Field label={t("sign_in.code")} value={code} autocomplete="one-time-code" hint={t("sign_in.code_hint")} onInput={setCode} />}
            <button type="submit" class="button primary">
                {t("reset.do")}
            </button>
            <Saying said={said} />
        </form>
    );
}
