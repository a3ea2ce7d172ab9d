/** The grey strip under the bar: no connection, coming back, a restart, a newer version (UI states). */
import { useEffect, useState } from "preact/hooks";
import { newerServer, rpc } from "@/net/session";
import { t } from "@/words";

const BACK_SHOWN_MS = 2000;

export function LinkStrip() {
    const link = rpc.link.value;
    const now = useSeconds(link.state === "lost" || link.state === "closing");
    const back = useBack(link.state === "open");
    let text: string | null = null;
    if (link.state === "closing") {
        text = t("link.closing", { n: Math.max(1, Math.ceil((link.nextTryAt - now) / 1000)) });
    } else if (link.state === "lost") {
        text = t("link.lost", { n: Math.max(0, Math.ceil((link.nextTryAt - now) / 1000)) });
    } else if (link.state === "connecting" && link.tries > 0) {
        text = t("link.trying");
    } else if (back) {
        text = t("link.back");
    }
    return (
        <div class="link-strip" role="status" data-state={link.state} hidden={text === null && !newerServer.value}>
            {text !== null && <span>{text}</span>}
            {link.state === "lost" && (
                <button type="button" class="link-strip-act" onClick={() => rpc.retryNow()}>
                    {t("link.try_now")}
                </button>
            )}
            {text === null && newerServer.value && (
                <>
                    <span>{t("link.newer")}</span>
                    <button type="button" class="link-strip-act" onClick={() => location.reload()}>
                        {t("link.reload")}
                    </button>
                </>
            )}
        </div>
    );
}

/** The time, renewed each second while it is needed. */
function useSeconds(on: boolean): number {
    const [now, setNow] = useState(Date.now());
    useEffect(() => {
        if (!on) return;
        const timer = setInterval(() => setNow(Date.now()), 1000);
        return () => clearInterval(timer);
    }, [on]);
    return now;
}

/** True for two seconds after the connection came back. */
function useBack(open: boolean): boolean {
    const [seen, setSeen] = useState({ open, lost: false, back: false });
    useEffect(() => {
        if (open && seen.lost) {
            setSeen({ open, lost: false, back: true });
            const timer = setTimeout(() => setSeen({ open: true, lost: false, back: false }), BACK_SHOWN_MS);
            return () => clearTimeout(timer);
        }
        if (!open && seen.open) setSeen({ open, lost: true, back: false });
        else if (open !== seen.open) setSeen({ ...seen, open });
        return undefined;
    }, [open]);
    return seen.back;
}
