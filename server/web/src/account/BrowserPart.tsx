/** What this browser shows and does: language, zone, look, motion, sounds, notices, keys. */
import { useId, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { change, settings, type Motion, type Palette, type Theme } from "@/app/settings";
import { PaletteChoice } from "@/account/PaletteChoice";
import { choiceFailed, chooseLanguage, chooseZone } from "@/account/choices";
import { Saying } from "@/account/Saying";
import { whyText } from "@/account/why";
import { Check } from "@/ui/Field";
import { deadline, language, languages, t, type Language } from "@/words";

export function BrowserPart() {
    const { palette, sounds, letterKeys, listFirst } = settings.value;
    const failed = choiceFailed.value;
    return (
        <>
            <section class="settings-part card" aria-labelledby="set-words">
                <h2 id="set-words">{t("settings.words")}</h2>
                <div class="settings-grid">
                    <LanguageField />
                    <ZoneField />
                </div>
                {failed !== null && <Saying said={{ good: false, text: whyText(failed) }} />}
            </section>
            <section class="settings-part card" aria-labelledby="set-look">
                <h2 id="set-look">{t("settings.look")}</h2>
                <div class="settings-grid">
                    <Pick<Theme> label={t("settings.theme")} value={settings.value.theme} values={["system", "parchment", "bivouac"]} say={(one) => t(`settings.theme.${one}`)} onChange={(theme) => change({ theme })} />
                    <Pick<Motion> label={t("settings.motion")} value={settings.value.motion} values={["system", "reduced", "full"]} say={(one) => t(`settings.motion.${one}`)} onChange={(motion) => change({ motion })} />
                </div>
                <h3>{t("settings.palette")}</h3>
                <PaletteChoice chosen={palette} onChoose={(one: Palette) => change({ palette: one })} />
                <p class="small">{t("settings.palette.note")}</p>
            </section>
            <section class="settings-part card" aria-labelledby="set-notice">
                <h2 id="set-notice">{t("settings.notices")}</h2>
                <Check label={t("settings.sounds")} checked={sounds} onChange={(on) => change({ sounds: on })} />
                <Notices />
            </section>
            <section class="settings-part card" aria-labelledby="set-keys">
                <h2 id="set-keys">{t("settings.keys")}</h2>
                <Check label={t("settings.letter_keys")} checked={letterKeys} onChange={(on) => change({ letterKeys: on })} />
                <p class="small">{t("settings.letter_keys.note")}</p>
                <Check label={t("settings.list_first")} checked={listFirst} onChange={(on) => change({ listFirst: on })} />
                <p class="small">{t("settings.list_first.note")}</p>
            </section>
        </>
    );
}

function Labelled({ label, hint, children }: { label: string; hint?: string; children: (id: string) => ComponentChildren }) {
    const id = useId();
    return (
        <div class="field">
            <label for={id}>{label}</label>
            {children(id)}
            {hint !== undefined && <span class="hint">{hint}</span>}
        </div>
    );
}

function LanguageField() {
    return (
        <Labelled label={t("settings.language")}>
            {(id) => (
                <select id={id} value={language()} onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}>
                    {languages.map(({ code, name }) => (
                        <option key={code} value={code} lang={code}>
                            {name}
                        </option>
                    ))}
                </select>
            )}
        </Labelled>
    );
}

function ZoneField() {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const { timezone } = settings.value;
    const zones = Intl.supportedValuesOf("timeZone");
    return (
        <Labelled label={t("settings.timezone")} hint={t("settings.timezone.now", { time: deadline(Date.now(), timezone || undefined) })}>
            {(id) => (
                <select id={id} value={timezone} onChange={(event) => chooseZone(event.currentTarget.value)}>
                    <option value="">{t("settings.timezone.own", { zone: own })}</option>
                    {zones.map((zone) => (
                        <option key={zone} value={zone}>
                            {zone}
                        </option>
                    ))}
                </select>
            )}
        </Labelled>
    );
}

interface PickProps<V extends string> {
    label: string;
    value: V;
    values: V[];
    say: (value: V) => string;
    onChange: (value: V) => void;
}

function Pick<V extends string>({ label, value, values, say, onChange }: PickProps<V>) {
    return (
        <Labelled label={label}>
            {(id) => (
                <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as V)}>
                    {values.map((one) => (
                        <option key={one} value={one}>
                            {say(one)}
                        </option>
                    ))}
                </select>
            )}
        </Labelled>
    );
}

/** Notifications need the browser's leave: it is asked for only when the reader wants them. */
function Notices() {
    const can = "Notification" in window;
    const [denied, setDenied] = useState(can && Notification.permission === "denied");
    const on = settings.value.notifications && can && Notification.permission === "granted";
    const set = async (wanted: boolean): Promise<void> => {
        if (!wanted) {
            change({ notifications: false });
            return;
        }
        const answer = await Notification.requestPermission();
        setDenied(answer === "denied");
        change({ notifications: answer === "granted" });
    };
    return (
        <>
            <Check label={t("settings.notifications")} checked={on} disabled={!can} onChange={(wanted) => void set(wanted)} />
            <p class="small">{!can ? t("settings.notifications.none") : denied ? t("settings.notifications.denied") : t("settings.notifications.note")}</p>
        </>
    );
}
