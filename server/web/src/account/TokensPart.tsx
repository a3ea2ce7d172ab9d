/** Devices that are signed in, and tokens for programs of one's own. */
import { useEffect, useState } from "preact/hooks";
import { go } from "@/app/router";
import { usePress } from "@/account/Saying";
import { whyText } from "@/account/why";
import { logout, rpc } from "@/net/session";
import type { TokenRow } from "@/types";
import { Field } from "@/ui/Field";
import { ago, dateTime, t } from "@/words";

type Scope = "read" | "play";

export function TokensPart() {
    const [rows, setRows] = useState<TokenRow[]>([]);
    const [wrong, press] = usePress();
    const read = async (): Promise<void> => {
        setRows((await rpc.call<{ tokens: TokenRow[] }>("account.tokens")).tokens);
    };
    useEffect(() => void read().catch(() => {}), []);
    const revoke = async (row: TokenRow): Promise<void> => {
        await rpc.call("account.revoke", { token_id: row.token_id });
        await read();
    };
    return (
        <section class="settings-part card" aria-labelledby="set-devices">
            <h2 id="set-devices">{t("settings.devices")}</h2>
            <ul class="devices">
                {rows.map((row) => (
                    <li key={row.token_id}>
                        <span>
                            <strong>{row.label ? row.label : row.client ? row.client : t("settings.device")}</strong>
                            <small>
                                {row.scope !== undefined && row.scope !== "all" && `${t(`settings.scope.${row.scope}`)} · `}
                                {row.current === true ? t("settings.device_this") : row.used_at === undefined ? "" : t("settings.device_used", { ago: ago(row.used_at) })}
                                {row.expires !== undefined && ` · ${t("settings.device_expires", { time: dateTime(row.expires) })}`}
                            </small>
                        </span>
                        {row.current !== true && (
                            <button type="button" class="button" onClick={() => press(() => revoke(row))}>
                                {t("settings.device_end")}
                            </button>
                        )}
                    </li>
                ))}
            </ul>
            <button type="button" class="button" onClick={() => press(() => logout(true).then(() => go("/")))}>
                {t("settings.sign_out_all")}
            </button>
            {wrong}
            <BotToken onMade={() => void read().catch(() => {})} />
        </section>
    );
}

/** A token is shown once: the daemon keeps only its hash. */
function BotToken({ onMade }: { onMade: () => void }) {
    const [label, setLabel] = useState("");
    const [scope, setScope] = useState<Scope>("play");
    const [made, setMade] = useState<string | null>(null);
    const [wrong, setWrong] = useState<string | null>(null);
    const make = async (): Promise<void> => {
        setWrong(null);
        if (label.trim() === "") {
            setWrong(t("settings.token_label_missing"));
            return;
        }
        try {
            setMade((await rpc.call<{ token: string }>("account.token", { label: label.trim(), scope }, { once: true })).token);
            setLabel("");
            onMade();
        } catch (error) {
            setWrong(whyText(error));
        }
    };
    return (
        <>
            <h3>{t("settings.token")}</h3>
            <p class="small">{t("settings.token.note")}</p>
            <form
                class="settings-line"
                onSubmit={(event) => {
                    event.preventDefault();
                    void make();
                }}
            >
                <Field label={t("settings.token_label")} value={label} maxLength={60} autocomplete="off" {...(wrong === null ? {} : { wrong })} onInput={setLabel} />
                <div class="field">
                    <label for="token-scope">{t("settings.token_scope")}</label>
                    <select id="token-scope" value={scope} onChange={(event) => setScope(event.currentTarget.value as Scope)}>
                        {(["play", "read"] as const).map((one) => (
                            <option key={one} value={one}>
                                {t(`settings.scope.${one}`)}
                            </option>
                        ))}
                    </select>
                </div>
                <button type="submit" class="button">
                    {t("settings.token_make")}
                </button>
            </form>
            {made !== null && (
                <div class="notice good" role="status">
                    <p>{t("settings.token_once")}</p>
                    <code class="token">{made}</code>
                </div>
            )}
        </>
    );
}
