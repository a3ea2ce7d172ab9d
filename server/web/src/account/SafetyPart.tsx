/** Password, second factor, and what happened to the account. */
import { useEffect, useState } from "preact/hooks";
import { Qr } from "@/account/Qr";
import { Saying, usePress, type Said } from "@/account/Saying";
import { wantsCode, whyText } from "@/account/why";
import { account, rpc } from "@/net/session";
import type { Account } from "@/types";
import { Field } from "@/ui/Field";
import { dateTime, has, t } from "@/words";

export function SafetyPart() {
    return (
        <section class="settings-part card" aria-labelledby="set-safety">
            <h2 id="set-safety">{t("settings.safety")}</h2>
            <Password />
            <Factor />
            <Audit />
        </section>
    );
}

function Password() {
    const [old, setOld] = useState("");
    const [fresh, setFresh] = useState("");
    const [code, setCode] = useState("");
    const [coded, setCoded] = useState(false);
    const [said, setSaid] = useState<Said | null>(null);
    const set = async (): Promise<void> => {
        if (new TextEncoder().encode(fresh).length < 8) {
            setSaid({ good: false, text: t("sign_in.password_rules") });
            return;
        }
        try {
            await rpc.call("account.password", { old, password: fresh, ...(code === "" ? {} : { code: code.trim() }) }, { once: true });
            setOld("");
            setFresh("");
            setCode("");
            setSaid({ good: true, text: t("settings.password_done") });
        } catch (error) {
            if (wantsCode(error)) setCoded(true);
            setSaid({ good: false, text: whyText(error) });
        }
    };
    return (
        <form
            class="settings-line"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void set();
            }}
        >
            <Field label={t("settings.password_old")} type="password" value={old} autocomplete="current-password" onInput={setOld} />
            <Field label={t("settings.password_new")} type="password" value={fresh} autocomplete="new-password" maxLength={256} onInput={setFresh} />
            {(coded || account.value?.totp === true) && <Field label={t("sign_in.code")} value={code} autocomplete="one-time-code" onInput={setCode} />}
            <button type="submit" class="button">
                {t("settings.password_set")}
            </button>
            <Saying said={said} />
        </form>
    );
}

interface Begun {
    secret: string;
    uri: string;
}

/** The second factor: begun with the password, on once a code was given, then the recovery codes, shown once. */
function Factor() {
    const on = account.value?.totp === true;
    const [begun, setBegun] = useState<Begun | null>(null);
    const [recovery, setRecovery] = useState<string[] | null>(null);
    const [password, setPassword] = useState("");
    const [code, setCode] = useState("");
    const [said, setSaid] = useState<Said | null>(null);
    useEffect(() => {
        // How many recovery codes are left is told by account.get alone.
        rpc.call<Account>("account.get").then(
            (got) => (account.value = got),
            () => {},
        );
    }, []);
    const run = async (what: "begin" | "confirm" | "codes" | "off"): Promise<void> => {
        setSaid(null);
        const secret = what === "confirm" ? {} : { password };
        const factor = what === "begin" ? {} : { code: code.trim() };
        try {
            const got = await rpc.call<Partial<Begun> & { recovery?: string[] }>("account.totp", { do: what, ...secret, ...factor }, { once: true });
            setCode("");
            if (what === "begin") setBegun({ secret: got.secret ?? "", uri: got.uri ?? "" });
            else setBegun(null);
            if (what !== "begin") setPassword("");
            setRecovery(got.recovery ?? null);
            account.value = await rpc.call<Account>("account.get");
            if (what !== "begin") setSaid({ good: true, text: t(`settings.totp.said.${what}`) });
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    return (
        <>
            <h3>{t("settings.totp")}</h3>
            <p class="small">{t(on ? "settings.totp.on" : "settings.totp.off_note", { n: account.value?.recovery_left ?? 0 })}</p>
            {begun === null ? (
                <form
                    class="settings-line"
                    noValidate
                    onSubmit={(event) => {
                        event.preventDefault();
                        void run(on ? "codes" : "begin");
                    }}
                >
                    <Field label={t("sign_in.password")} type="password" value={password} autocomplete="current-password" onInput={setPassword} />
                    {on && <Field label={t("sign_in.code")} value={code} autocomplete="one-time-code" hint={t("sign_in.code_hint")} onInput={setCode} />}
                    <button type="submit" class="button">
                        {t(on ? "settings.totp.codes" : "settings.totp.begin")}
                    </button>
                    {on && (
                        <button type="button" class="button danger" onClick={() => void run("off")}>
                            {t("settings.totp.off")}
                        </button>
                    )}
                </form>
            ) : (
                <Confirm begun={begun} code={code} onCode={setCode} onConfirm={() => void run("confirm")} onDrop={() => setBegun(null)} />
            )}
            <Saying said={said} />
            {recovery !== null && <Recovery codes={recovery} />}
        </>
    );
}

interface ConfirmProps {
    begun: Begun;
    code: string;
    onCode: (code: string) => void;
    onConfirm: () => void;
    onDrop: () => void;
}

function Confirm({ begun, code, onCode, onConfirm, onDrop }: ConfirmProps) {
    return (
        <form
            class="totp"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                onConfirm();
            }}
        >
            <Qr text={begun.uri} label={t("settings.totp.qr")} />
            <div>
                <p>{t("settings.totp.scan")}</p>
                <code class="token" aria-label={t("settings.totp.secret")}>
                    {begun.secret.replace(/(.{4})(?=.)/g, "$1 ")}
                </code>
                <Field label={t("sign_in.code")} value={code} autocomplete="one-time-code" hint={t("settings.totp.code_hint")} autofocus onInput={onCode} />
                <p class="settings-acts">
                    <button type="submit" class="button primary">
                        {t("settings.totp.confirm")}
                    </button>
                    <button type="button" class="button" onClick={onDrop}>
                        {t("join.not_now")}
                    </button>
                </p>
            </div>
        </form>
    );
}

function Recovery({ codes }: { codes: string[] }) {
    return (
        <div class="notice good" role="status">
            <p>{t("settings.totp.recovery")}</p>
            <ul class="recovery">
                {codes.map((code) => (
                    <li key={code}>
                        <code>{code}</code>
                    </li>
                ))}
            </ul>
            <button type="button" class="button" onClick={() => void navigator.clipboard.writeText(codes.join("\n")).catch(() => {})}>
                {t("table.copy")}
            </button>
        </div>
    );
}

interface Entry {
    n: number;
    at: number;
    what: string;
    by: string;
    detail?: Record<string, unknown>;
}

function Audit() {
    const [entries, setEntries] = useState<Entry[]>([]);
    const [next, setNext] = useState<number | undefined>(undefined);
    const [open, setOpen] = useState(false);
    const [wrong, press] = usePress();
    const read = async (before?: number): Promise<void> => {
        const got = await rpc.call<{ entries: Entry[]; next?: number }>("account.audit", { limit: 20, ...(before === undefined ? {} : { before }) });
        setEntries((had) => (before === undefined ? got.entries : [...had, ...got.entries]));
        setNext(got.next);
    };
    useEffect(() => {
        if (open) press(read);
    }, [open]);
    return (
        <details class="audit" onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>{t("settings.audit")}</summary>
            <ul class="devices">
                {entries.map((entry) => (
                    <li key={entry.n}>
                        <span>
                            <strong>{has(`settings.audit.what.${entry.what}`) ? t(`settings.audit.what.${entry.what}`) : entry.what}</strong>
                            <small>{byWhom(entry.by)}</small>
                        </span>
                        <time>{dateTime(entry.at)}</time>
                    </li>
                ))}
            </ul>
            {next !== undefined && (
                <button type="button" class="button" onClick={() => press(() => read(next))}>
                    {t("lobby.more")}
                </button>
            )}
            {wrong}
        </details>
    );
}

function byWhom(by: string): string {
    return has(`settings.audit.by.${by}`) ? t(`settings.audit.by.${by}`) : by;
}
