/** The first-run card: which colours the armies have. Asked once in a browser, and never assumed. */
import { useState } from "preact/hooks";
import { change, settings, type Palette } from "@/app/settings";
import { PaletteChoice } from "@/account/PaletteChoice";
import { t } from "@/words";

const KEY = "vedette.first_run";

function answered(): boolean {
    try {
        return localStorage.getItem(KEY) !== null;
    } catch {
        return true;
    }
}

export function FirstRun() {
    const [open, setOpen] = useState(!answered());
    if (!open) return null;
    const done = (): void => {
        localStorage.setItem(KEY, "1");
        setOpen(false);
    };
    return (
        <section class="first-run card" aria-labelledby="first-run">
            <h2 id="first-run">{t("first_run.title")}</h2>
            <p>{t("first_run.text")}</p>
            <PaletteChoice chosen={settings.value.palette} onChoose={(palette: Palette) => change({ palette })} />
            <button type="button" class="button" onClick={done}>
                {t("first_run.keep")}
            </button>
        </section>
    );
}
