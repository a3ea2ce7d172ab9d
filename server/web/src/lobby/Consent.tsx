/** What whoever sits down must know and agree to: watchers who see everything, some turns late. */
import type { Summary } from "@/types";
import { t } from "@/words";

export function needsConsent(match: Summary): boolean {
    return match.warnings?.includes("delayed_spectators") ?? match.spectators === "delayed";
}

export function Consent({ match, given, onGive }: { match: Summary; given: boolean; onGive: (given: boolean) => void }) {
    if (!needsConsent(match)) return null;
    return (
        <div class="notice consent">
            <p>{t("consent.warning", { n: match.delay ?? 1, game: match.game })}</p>
            <label class="check">
                <input type="checkbox" checked={given} onChange={(event) => onGive(event.currentTarget.checked)} />
                <span>{t("consent.agree")}</span>
            </label>
        </div>
    );
}
