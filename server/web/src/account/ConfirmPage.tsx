/** /confirm#token=…: a mailed address is confirmed by a press, so that no mail scanner does it. */
import { useState } from "preact/hooks";
import { follow } from "@/app/router";
import { takeToken } from "@/account/linked";
import { PlainPage } from "@/account/PlainPage";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { Refusal } from "@/net/rpc";
import { account, rpc } from "@/net/session";
import type { Account } from "@/types";
import { t } from "@/words";

export default function ConfirmPage() {
    const [token] = useState(takeToken);
    const [said, setSaid] = useState<Said | null>(null);
    const confirm = async (): Promise<void> => {
        try {
            const got = await rpc.call<{ name?: string; email?: string }>("account.confirm", { token }, { once: true });
            setSaid({ good: true, text: t("confirm.done", { name: got.name ?? "", email: got.email ?? "" }) });
            if (account.value?.name === got.name) account.value = await rpc.call<Account>("account.get");
        } catch (error) {
            const used = error instanceof Refusal && error.kind === "not_found";
            setSaid({ good: false, text: used ? t("confirm.used") : whyText(error) });
        }
    };
    return (
        <PlainPage title={t("confirm.title")}>
            <p class="told">{t(token === null ? "confirm.no_token" : "confirm.note")}</p>
            {token !== null && said?.good !== true && (
                <button type="button" class="button primary" onClick={() => void confirm()}>
                    {t("confirm.do")}
                </button>
            )}
            <Saying said={said} />
            <p>
                <a href="/settings" onClick={follow}>
                    {t("settings.title")}
                </a>
            </p>
        </PlainPage>
    );
}
