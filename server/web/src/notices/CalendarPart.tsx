/** The calendar of deadlines: an address that only its holder knows, told once. */
import { useEffect, useState } from "preact/hooks";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { rpc } from "@/net/session";
import { t } from "@/words";

interface Calendar {
    on: boolean;
    url?: string;
}

export function CalendarPart() {
    const [now, setNow] = useState<Calendar | null>(null);
    const [said, setSaid] = useState<Said | null>(null);
    const call = async (params: { on?: boolean }): Promise<void> => {
        try {
            setNow(await rpc.call<Calendar>("account.calendar", params, { once: true }));
            setSaid(null);
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    useEffect(() => void call({}), []);
    return (
        <>
            <h3>{t("notices.calendar")}</h3>
            <p class="small">{t(now?.on === true ? "notices.calendar_on" : "notices.calendar_off")}</p>
            <p class="settings-acts">
                <button type="button" class="button" onClick={() => void call({ on: true })}>
                    {t(now?.on === true ? "notices.calendar_again" : "notices.calendar_make")}
                </button>
                {now?.on === true && (
                    <button type="button" class="button" onClick={() => void call({ on: false })}>
                        {t("notices.calendar_end")}
                    </button>
                )}
            </p>
            {now?.url !== undefined && (
                <div class="notice good" role="status">
                    <p>{t("notices.calendar_once")}</p>
                    <code class="token">{now.url}</code>
                    <button type="button" class="button small-button" onClick={() => void navigator.clipboard.writeText(now.url ?? "").catch(() => {})}>
                        {t("table.copy")}
                    </button>
                </div>
            )}
            <Saying said={said} />
        </>
    );
}
