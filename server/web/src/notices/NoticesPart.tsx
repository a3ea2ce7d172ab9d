/** How one is told of things while the page is closed: mail, a webhook, this browser; when, of what, and how it fared. */
import { useId, useState } from "preact/hooks";
import { Saying, type Said } from "@/account/Saying";
import { whyText } from "@/account/why";
import { account, hello, rpc } from "@/net/session";
import { CalendarPart } from "@/notices/CalendarPart";
import { DeliveriesPart } from "@/notices/DeliveriesPart";
import { HookPart } from "@/notices/HookPart";
import { PushPart } from "@/notices/PushPart";
import { KINDS, toldOf, type NoticeChannel, type Notices } from "@/notices/types";
import type { Account } from "@/types";
import { Check } from "@/ui/Field";
import { t } from "@/words";
import "@/notices/notices.css";

const DIGESTS = [0, 1, 6, 12, 24, 72, 168];
const NIGHT = { from: "22:00", to: "08:00" };

export function NoticesPart() {
    const now = (account.value as { notices?: Notices } | null)?.notices ?? {};
    const [said, setSaid] = useState<Said | null>(null);
    const set = async (notices: Notices): Promise<boolean> => {
        try {
            account.value = await rpc.call<Account>("account.set", { notices }, { once: true });
            setSaid({ good: true, text: t("settings.saved") });
            return true;
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
            return false;
        }
    };
    const test = async (channel: NoticeChannel): Promise<void> => {
        try {
            await rpc.call("account.notify_test", { channel }, { once: true });
            setSaid({ good: true, text: t("notices.test_sent") });
        } catch (error) {
            setSaid({ good: false, text: whyText(error) });
        }
    };
    return (
        <section class="settings-part card" aria-labelledby="set-notices">
            <h2 id="set-notices">{t("notices.title")}</h2>
            <p class="small">{t("notices.note")}</p>
            <MailLine now={now} set={set} test={() => void test("mail")} />
            <PushPart now={now} set={set} test={() => void test("push")} />
            <HookPart now={now} set={set} test={() => void test("webhook")} />
            <Saying said={said} />
            <h3>{t("notices.when")}</h3>
            <Check label={t("notices.always")} checked={now.always === true} onChange={(always) => void set({ always })} />
            <p class="small">{t("notices.always_note")}</p>
            <Digest now={now} set={set} />
            <Quiet now={now} set={set} />
            <fieldset class="notice-kinds">
                <legend>{t("notices.of_what")}</legend>
                {KINDS.map((kind) => (
                    <Check key={kind} label={t(`notices.kind.${kind}`)} checked={toldOf(now.kinds, kind)} onChange={(on) => void set({ kinds: { [kind]: on } })} />
                ))}
            </fieldset>
            <CalendarPart />
            <DeliveriesPart />
        </section>
    );
}

export interface ChannelProps {
    now: Notices;
    set: (notices: Notices) => Promise<boolean>;
    test: () => void;
}

function MailLine({ now, set, test }: ChannelProps) {
    const who = account.value;
    const sends = (hello.value as { notices?: { mail?: boolean } } | null)?.notices?.mail === true;
    const confirmed = who?.email_confirmed === true;
    const note = !sends ? "settings.refused.no_mail" : who?.email === undefined || who.email === "" ? "notices.mail.none" : confirmed ? "notices.mail.on" : "notices.mail.waits";
    return (
        <div class="notice-channel">
            <Check label={t("notices.mail")} checked={sends && now.mail !== false} disabled={!sends} onChange={(mail) => void set({ mail })} />
            <p class="small">{t(note, { email: who?.email ?? "" })}</p>
            {sends && confirmed && now.mail !== false && (
                <button type="button" class="button small-button" onClick={test}>
                    {t("notices.test")}
                </button>
            )}
        </div>
    );
}

function Digest({ now, set }: Omit<ChannelProps, "test">) {
    const id = useId();
    return (
        <div class="field notice-field">
            <label for={id}>{t("notices.digest")}</label>
            <select id={id} value={String(now.digest ?? 0)} onChange={(event) => void set({ digest: Number(event.currentTarget.value) })}>
                {DIGESTS.map((hours) => (
                    <option key={hours} value={String(hours)}>
                        {hours === 0 ? t("notices.digest_none") : t("notices.digest_hours", { hours })}
                    </option>
                ))}
            </select>
        </div>
    );
}

function Quiet({ now, set }: Omit<ChannelProps, "test">) {
    const id = useId();
    const { from, to } = now.quiet ?? {};
    const on = from !== undefined && to !== undefined;
    return (
        <>
            <Check label={t("notices.quiet")} checked={on} onChange={(wanted) => void set({ quiet: wanted ? NIGHT : {} })} />
            {on && (
                <div class="settings-line">
                    {(["from", "to"] as const).map((end) => (
                        <div key={end} class="field narrow">
                            <label for={`${id}-${end}`}>{t(`new.clock.${end}`)}</label>
                            <input
                                id={`${id}-${end}`}
                                type="time"
                                value={now.quiet?.[end] ?? ""}
                                onChange={(event) => event.currentTarget.value !== "" && void set({ quiet: { from, to, [end]: event.currentTarget.value } })}
                            />
                        </div>
                    ))}
                </div>
            )}
            <p class="small">{t("notices.quiet_note")}</p>
        </>
    );
}
