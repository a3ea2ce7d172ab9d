/** How notices fared: what was sent, what waits and why, which address takes nothing any more. */
import { useEffect, useState } from "preact/hooks";
import { follow } from "@/app/router";
import { rpc } from "@/net/session";
import type { Address, Delivery } from "@/notices/types";
import { dateTime, has, t } from "@/words";

interface Told {
    deliveries: Delivery[];
    addresses: Address[];
}

export function DeliveriesPart() {
    const [open, setOpen] = useState(false);
    const [told, setTold] = useState<Told | null>(null);
    const read = (): void => {
        rpc.call<Told>("account.deliveries", { limit: 30 }).then(setTold, () => {});
    };
    useEffect(() => {
        if (open) read();
    }, [open]);
    return (
        <details class="audit" onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>{t("notices.deliveries")}</summary>
            {told?.addresses.filter((one) => one.failing_since !== undefined || one.disabled_at !== undefined).map((one) => (
                <p key={`${one.channel} ${one.target}`} class="notice wrong">
                    {one.disabled_at !== undefined
                        ? t("notices.address_off", { channel: one.channel, time: dateTime(one.disabled_at), error: one.error ?? "" })
                        : t("notices.address_failing", { channel: one.channel, time: dateTime(one.failing_since ?? 0), error: one.error ?? "" })}
                </p>
            ))}
            {told !== null && told.deliveries.length === 0 && <p class="small">{t("notices.deliveries_none")}</p>}
            <ul class="devices">
                {told?.deliveries.map((one) => (
                    <li key={`${one.id} ${one.channel}`}>
                        <span>
                            <strong>
                                {has(`notices.kind.${one.kind}`) ? t(`notices.kind.${one.kind}`) : t("notices.kind_other", { kind: one.kind })}
                                {one.match !== undefined && (
                                    <>
                                        {" "}
                                        <a href={`/match/${one.match}`} onClick={follow}>
                                            {t("bar.match")}
                                        </a>
                                    </>
                                )}
                            </strong>
                            <small>{stateWords(one)}</small>
                        </span>
                        <time>{dateTime(one.at)}</time>
                    </li>
                ))}
            </ul>
            {told !== null && (
                <button type="button" class="button small-button" onClick={read}>
                    {t("notices.deliveries_again")}
                </button>
            )}
        </details>
    );
}

function stateWords(one: Delivery): string {
    return t("notices.state", {
        channel: one.channel,
        state: one.state,
        n: one.attempts,
        error: one.error ?? "",
        failing: one.error !== undefined,
    });
}
