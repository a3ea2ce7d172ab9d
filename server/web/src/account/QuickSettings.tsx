/** Language and theme in the bar: what a newcomer wants before an account. */
import { change, themeNow } from "@/app/settings";
import { chooseLanguage } from "@/account/choices";
import { language, languages, t, type Language } from "@/words";

export function QuickSettings() {
    const dark = themeNow() === "bivouac";
    return (
        <>
            <select
                class="bar-select"
                aria-label={t("settings.language")}
                value={language()}
                onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
            >
                {languages.map(({ code, name }) => (
                    <option key={code} value={code}>
                        {name}
                    </option>
                ))}
            </select>
            <button
                type="button"
                class="bar-button"
                aria-label={dark ? t("settings.to_light") : t("settings.to_dark")}
                title={dark ? t("settings.to_light") : t("settings.to_dark")}
                onClick={() => change({ theme: dark ? "parchment" : "bivouac" })}
            >
                {dark ? <Sun /> : <Moon />}
            </button>
        </>
    );
}

function Moon() {
    return (
        <svg width="17" height="17" viewBox="0 0 17 17" aria-hidden="true">
            <path d="M13.6 10.7A6 6 0 0 1 6.3 3.4a6 6 0 1 0 7.3 7.3z" fill="currentColor" />
        </svg>
    );
}

function Sun() {
    return (
        <svg width="17" height="17" viewBox="0 0 17 17" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round">
            <circle cx="8.5" cy="8.5" r="3.2" fill="currentColor" stroke="none" />
            <path d="M8.5 1v2M8.5 14v2M1 8.5h2M14 8.5h2M3.2 3.2l1.4 1.4M12.4 12.4l1.4 1.4M3.2 13.8l1.4-1.4M12.4 4.6l1.4-1.4" />
        </svg>
    );
}
