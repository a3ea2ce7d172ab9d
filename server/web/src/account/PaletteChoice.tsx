/** Standard or colour-safe armies, each shown on its own blocks. */
import { useId } from "preact/hooks";
import type { Palette } from "@/app/settings";
import { armyName, nations, type Nation } from "@/ui/army";
import { MarkFigure } from "@/ui/ArmyMark";
import { t } from "@/words";
import "@/account/palette.css";

interface PaletteChoiceProps {
    chosen: Palette;
    onChoose: (palette: Palette) => void;
}

export function PaletteChoice({ chosen, onChoose }: PaletteChoiceProps) {
    const group = useId();
    return (
        <fieldset class="palettes">
            <legend class="visually-hidden">{t("settings.palette")}</legend>
            {(["standard", "safe"] as const).map((palette) => (
                <label key={palette} class="palette" data-on={palette === chosen}>
                    <span class="palette-blocks" data-palette={palette} aria-hidden="true">
                        {nations.map((nation) => (
                            <Sample key={nation} army={nation} safe={palette === "safe"} />
                        ))}
                    </span>
                    <span class="palette-name">
                        <input type="radio" name={group} checked={palette === chosen} onChange={() => onChoose(palette)} />
                        {t(`settings.palette.${palette}`)}
                    </span>
                </label>
            ))}
        </fieldset>
    );
}

/** A hidden block in the colours of the palette around it, whatever the page's own palette is. */
function Sample({ army, safe }: { army: Nation; safe: boolean }) {
    const name = armyName[army];
    const lines = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    return (
        <svg width="36" height="36" viewBox="0 0 36 36">
            <rect x="4" y="5" width="30" height="30" rx="3" fill={`var(--${name}-dark)`} />
            <rect x="2" y="2" width="30" height="30" rx="3" fill={`var(--${name})`} stroke={`var(--${name}-light)`} stroke-width=".8" />
            {safe && army === "AD" && (
                <path d={lines.map((i) => `M${2 + Math.max(0, i * 7 - 28)},${2 + Math.min(30, i * 7)}L${2 + Math.min(30, i * 7)},${2 + Math.max(0, i * 7 - 30)}`).join("")} stroke="#000" stroke-opacity=".28" stroke-width="1.5" />
            )}
            {safe && army === "PR" && lines.map((i) => <circle key={i} cx={7 + (i % 3) * 10} cy={7 + Math.floor(i / 3) * 10} r="1.3" fill="#0d3a2c" opacity=".42" />)}
            <g transform="translate(17,17)">
                <MarkFigure army={army} color={safe && army === "PR" ? "#1c4437" : "#fff8e8"} />
            </g>
        </svg>
    );
}
