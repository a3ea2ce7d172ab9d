/** What is kept with the account: mail, presence, who is blocked. */
import { useEffect, useState } from "preact/hooks";
import { MailPart } from "@/account/MailPart";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { Refusal } from "@/net/rpc";
import { account, rpc } from "@/net/session";
import type { Account } from "@/types";
import { Check, Field } from "@/ui/Field";
import { t } from "@/words";

export function AccountPart() {
    const who = account.value;
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
        <section class="settings-part card" aria-labelledby="set-account">
            <h2 id="set-account">{t("settings.account", { name: who?.name ?? "" })}</h2>
            <MailPart />
            <Check label={t("settings.presence")} checked={who?.["presence"] !== false} onChange={(presence) => void set({ presence })} />
            <p class="small">{t("settings.presence.note")}</p>
            <Saying said={said} />
            <Blocked />
        </section>
    );
}

function Blocked() {
    const [names, setNames] = useState<string[]>([]);
    const [name, setName] = useState("");
    const [wrong, setWrong] = useState<string | null>(null);
    const read = async (): Promise<void> => {
        const got = await rpc.call<Account>("account.get");
        setNames(Array.isArray(got["blocked"]) ? (got["blocked"] as string[]) : []);
    };
    useEffect(() => void read().catch(() => {}), []);
    const block = async (who: string, on: boolean): Promise<void> => {
        setWrong(null);
        try {
            await rpc.call("account.block", { name: who, on });
            setName("");
            await read();
        } catch (error) {
            const lost = error instanceof Refusal && error.kind === "not_found";
            const self = error instanceof Refusal && error.data.member === "name";
            setWrong(lost ? t("lobby.refused.no_such_name") : self ? t("settings.block_self") : whyText(error));
        }
    };
    return (
        <>
            <h3>{t("settings.blocked")}</h3>
            <p class="small">{t("settings.blocked.note")}</p>
            <ul class="chips">
                {names.map((one) => (
                    <li key={one} class="chip">
                        {one}
                        <button type="button" class="chip-act" aria-label={t("settings.unblock", { name: one })} onClick={() => void block(one, false)}>
                            ×
                        </button>
                    </li>
                ))}
            </ul>
            <form
                class="settings-line"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (name.trim() !== "") void block(name.trim(), true);
                }}
            >
                <Field label={t("settings.block_name")} value={name} autocomplete="off" {...(wrong === null ? {} : { wrong })} onInput={setName} />
                <button type="submit" class="button">
                    {t("settings.block")}
                </button>
            </form>
        </>
    );
}
