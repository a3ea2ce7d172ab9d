/** Register or sign in: errors stand beside the field they are about, what a name may be is told first. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { pageTitle } from "@/app/banner";
import { LinkStrip } from "@/app/LinkStrip";
import { follow, go } from "@/app/router";
import { settings } from "@/app/settings";
import { QuickSettings } from "@/account/QuickSettings";
import { nameFault } from "@/account/names";
import { wantsCode } from "@/account/why";
import { useBoard } from "@/lobby/data";
import { eve, Picture } from "@/lobby/Picture";
import { Refusal } from "@/net/rpc";
import { account, login, register } from "@/net/session";
import { Field } from "@/ui/Field";
import { Tabs } from "@/ui/Tabs";
import { language, refusalText, t } from "@/words";
import "@/account/account.css";

type Way = "sign_in" | "register";

/** Only addresses of this page are gone back to. */
function safeAddress(then: string | null): string {
    return then !== null && then.startsWith("/") && !then.startsWith("//") && !then.startsWith("/\\") ? then : "/";
}

export default function SignInPage({ query }: { query: URLSearchParams }) {
    const [way, setWay] = useState<Way>(query.get("new") === null ? "sign_in" : "register");
    const then = safeAddress(query.get("then"));
    const board = useBoard("waterloo");
    useEffect(() => {
        pageTitle.value = way === "register" ? t("sign_in.register") : t("sign_in.title");
    }, [way]);
    useEffect(() => {
        if (account.value) go(then, { replace: true });
    }, [account.value]);
    return (
        <>
            <Bar right={<QuickSettings />} />
            <LinkStrip />
            <main class="sign-in">
                <div class="card sign-in-card">
                    <h1>{way === "register" ? t("sign_in.register_title") : t("sign_in.title")}</h1>
                    <Tabs<Way>
                        name={t("sign_in.title")}
                        chosen={way}
                        onChoose={setWay}
                        items={[
                            { id: "sign_in", label: t("sign_in.title") },
                            { id: "register", label: t("sign_in.register") },
                        ]}
                    >
                        <Form key={way} way={way} />
                    </Tabs>
                </div>
                <div class="card sign-in-map">
                    <Picture board={board} view={board === null ? null : eve(board)} width={520} height={560} label={t("start.map")} />
                </div>
            </main>
        </>
    );
}

interface Faults {
    name?: string;
    password?: string;
    email?: string;
    code?: string;
    form?: string;
}

/** What the daemon said no to, at the field that it is about. */
function faultsOf(error: unknown): Faults {
    if (!(error instanceof Refusal)) return { form: t("lobby.no_answer") };
    const { kind, data } = error;
    if (kind === "conflict") return { name: t("sign_in.name_taken") };
    if (wantsCode(error)) return { code: t("settings.code_wrong") };
    if (kind === "forbidden" && data.reason === "disabled") return { form: t("sign_in.disabled") };
    if (kind === "bad_credentials") return { password: t("sign_in.wrong") };
    if (data.member === "name") return { name: t("sign_in.name_rules") };
    if (data.member === "password") return { password: t("sign_in.password_rules") };
    if (data.member === "email") return { email: t("sign_in.email_wrong") };
    return { form: refusalText(error) };
}

function Form({ way }: { way: Way }) {
    const [name, setName] = useState("");
    const [password, setPassword] = useState("");
    const [email, setEmail] = useState("");
    const [code, setCode] = useState("");
    const [coded, setCoded] = useState(false);
    const [busy, setBusy] = useState(false);
    const [faults, setFaults] = useState<Faults>({});
    const fresh = way === "register";
    const check = (): Faults => {
        const found: Faults = {};
        if (name.trim() === "") found.name = t("sign_in.name_missing");
        else if (fresh) {
            const fault = nameFault(name.trim());
            if (fault !== null) found.name = fault;
        }
        if (password === "") found.password = t("sign_in.password_missing");
        else if (fresh && new TextEncoder().encode(password).length < 8) found.password = t("sign_in.password_rules");
        return found;
    };
    const send = async (): Promise<void> => {
        const found = check();
        setFaults(found);
        if (Object.keys(found).length > 0) return;
        setBusy(true);
        try {
            if (fresh) await register({ name: name.trim(), password, ...extras(email) });
            else await login(name.trim(), password, code.trim());
        } catch (error) {
            // The first time it is only asked for: that is no fault.
            const first = wantsCode(error) && !coded;
            if (first) setCoded(true);
            setFaults(first ? {} : faultsOf(error));
            setBusy(false);
        }
    };
    return (
        <form
            class="sign-in-form"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void send();
            }}
        >
            <Field
                label={t("sign_in.name")}
                value={name}
                autocomplete="username"
                autofocus
                required
                {...(fresh ? { hint: t("sign_in.name_hint") } : {})}
                {...(faults.name === undefined ? {} : { wrong: faults.name })}
                onInput={setName}
            />
            <Field
                label={t("sign_in.password")}
                type="password"
                value={password}
                autocomplete={fresh ? "new-password" : "current-password"}
                required
                maxLength={256}
                {...(fresh ? { hint: t("sign_in.password_hint") } : {})}
                {...(faults.password === undefined ? {} : { wrong: faults.password })}
                onInput={setPassword}
            />
            {coded && !fresh && (
                <Field
                    label={t("sign_in.code")}
                    value={code}
                    autocomplete="one-time-code"
                    autofocus
                    hint={t("sign_in.code_hint")}
                    {...(faults.code === undefined ? {} : { wrong: faults.code })}
                    onInput={setCode}
                />
            )}
            {fresh && (
                <Field
                    label={t("sign_in.email")}
                    type="email"
                    value={email}
                    autocomplete="email"
                    hint={t("sign_in.email_hint")}
                    {...(faults.email === undefined ? {} : { wrong: faults.email })}
                    onInput={setEmail}
                />
            )}
            {faults.form !== undefined && (
                <p class="notice wrong" role="alert">
                    {faults.form}
                </p>
            )}
            <button type="submit" class="button primary" disabled={busy}>
                {fresh ? t("sign_in.do_register") : t("sign_in.do_sign_in")}
            </button>
            {!fresh && (
                <p>
                    <a href={`/reset${name.trim() === "" ? "" : `?name=${encodeURIComponent(name.trim())}`}`} onClick={follow}>
                        {t("sign_in.forgot")}
                    </a>
                </p>
            )}
            <p class="small">{fresh ? t("sign_in.register_note") : t("sign_in.note")}</p>
        </form>
    );
}

/** What goes along with a registration: language and time zone, so that words and hours fit from the start. */
function extras(email: string): { email?: string; language: string; timezone?: string } {
    const zone = settings.value.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
        language: language(),
        ...(zone === undefined || zone === "" ? {} : { timezone: zone }),
        ...(email.trim() === "" ? {} : { email: email.trim() }),
    };
}
