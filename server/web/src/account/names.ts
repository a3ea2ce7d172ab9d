/** What a name may be: told while it is typed. The daemon has the last word. */
import { t } from "@/words";

const POINTS_MIN = 2;
const POINTS_MAX = 24;
const ALLOWED = /^[\p{L}\p{Mn}\p{Mc}\p{Nd}_-]$/u;
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** What is wrong with a name, as a sentence; null: nothing. */
export function nameFault(name: string): string | null {
    const points = [...name.normalize("NFC")];
    const bad = points.find((point) => !ALLOWED.test(point));
    if (bad !== undefined) return bad === " " ? t("sign_in.name_blank") : t("sign_in.name_sign", { sign: bad });
    if (points.length < POINTS_MIN) return t("sign_in.name_short");
    if (points.length > POINTS_MAX) return t("sign_in.name_long");
    if (SCRIPTS.filter((script) => script.test(name)).length > 1) return t("sign_in.name_scripts");
    return null;
}
