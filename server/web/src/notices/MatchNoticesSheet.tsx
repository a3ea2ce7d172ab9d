/** What one wants to be told of one match, where it is not as of all. */
import { useEffect, useState } from "preact/hooks";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { newActionId } from "@/net/rpc";
import { account, rpc } from "@/net/session";
import { CHANNELS, KINDS, toldOf, type MatchNotices, type Notices } from "@/notices/types";
import { useMatch } from "@/play/context";
import { Check } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { t } from "@/words";
import "@/notices/notices.css";
import "@/account/account.css";

export default function MatchNoticesSheet({ onClose }: { onClose: () => void }) {
    const { match } = useMatch();
    const general = (account.value as { notices?: Notices } | null)?.notices ?? {};
    const [now, setNow] = useState<MatchNotices | null>(null);
    const [said, setSaid] = useState<Said | null>(null);
    const call = async (notices?: MatchNotices): Promise<void> => {
        try {
            const more = notices === undefined ? {} : { notices, action_id: newActionId() };
            const got = await rpc.call<{ notices?: MatchNotices }>("match.notices", { match: match.id, ...more });
            setNow(got.notices ?? {});
            if (notices !== undefined) setSaid({ good: true, text: t("settings.saved") });
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    useEffect(() => void call(), [match]);
    const own = now ?? {};
    const usual = Object.keys(own).length === 0;
    return (
        <Sheet
            title={t("notices.match_title")}
            onClose={onClose}
            foot={
                <button type="button" class="button" aria-disabled={usual} onClick={() => !usual && void call({})}>
                    {t("notices.match_as_all")}
                </button>
            }
        >
            <p class="small">{t(usual ? "notices.match_usual" : "notices.match_own")}</p>
            {CHANNELS.map((channel) => (
                <Check
                    key={channel}
                    label={t(`notices.by.${channel}`)}
                    checked={own[channel] ?? (channel === "mail" ? general.mail !== false : channel === "webhook" ? general.webhook?.url !== undefined : (general.push ?? []).length > 0)}
                    onChange={(on) => void call({ ...own, [channel]: on })}
                />
            ))}
            <Check label={t("notices.always")} checked={own.always ?? general.always === true} onChange={(always) => void call({ ...own, always })} />
            <fieldset class="notice-kinds">
                <legend>{t("notices.of_what")}</legend>
                {KINDS.filter((kind) => kind !== "invited").map((kind) => (
                    <Check
                        key={kind}
                        label={t(`notices.kind.${kind}`)}
                        checked={own.kinds?.[kind] ?? toldOf(general.kinds, kind)}
                        onChange={(on) => void call({ ...own, kinds: { ...own.kinds, [kind]: on } })}
                    />
                ))}
            </fieldset>
            <Saying said={said} />
        </Sheet>
    );
}
