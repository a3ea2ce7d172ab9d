/** The neat line, cartouche and legend: fixed to the window while the sheet slides beneath. */
import type { JSX } from "preact";
import { t } from "@/words";
import { bar } from "./geo";
import { band, type View } from "./view";

const sized = new WeakMap<SVGSVGElement, string>();

/** The still parts of the frame, set when the window has another size or the bars another length. */
function shapeFrame(svg: SVGSVGElement, w: number, h: number, bx: number, by: number): void {
    const key = `${w} ${h} ${bx} ${by}`;
    if (sized.get(svg) === key) return;
    sized.set(svg, key);
    svg.setAttribute("width", String(w));
    svg.setAttribute("height", String(h));
    const set = (name: string, d: string, length?: number): void => {
        const path = svg.querySelector(`[data-side="${name}"]`);
        path?.setAttribute("d", d);
        if (length !== undefined) path?.setAttribute("stroke-dasharray", `${length} ${length}`);
    };
    const middle = 6.2;
    set("n", `M${band},${middle}H${w - band}`, bx);
    set("s", `M${band},${h - middle}H${w - band}`, bx);
    set("w", `M${middle},${band}V${h - band}`, by);
    set("e", `M${w - middle},${band}V${h - band}`, by);
    const edge = (d: number): string => `M${d},${d}H${w - d}V${h - d}H${d}Z`;
    set("band", `M0,0H${w}V${h}H0Z M${band - 1},${band - 1}V${h - band + 1}H${w - band + 1}V${band - 1}Z`);
    set("lines", edge(0.75));
    set("thin", edge(3.2) + edge(9.2));
    set("inner", edge(band - 1.5));
}

/** Slides the bars of the frame to where the sheet is; called on every move, it sets four offsets. */
export function slideFrame(svg: SVGSVGElement, view: View): void {
    const { w, h, k, x, y } = view;
    let bx = bar.x * k;
    let by = bar.y * k;
    while (bx < 18) {
        bx *= 2;
        by *= 2;
    }
    while (bx > 60) {
        bx /= 2;
        by /= 2;
    }
    shapeFrame(svg, w, h, bx, by);
    const slide = (name: string, length: number, at: number): void => {
        const offset = -(((at % (2 * length)) + 2 * length) % (2 * length));
        svg.querySelector(`[data-side="${name}"]`)?.setAttribute("stroke-dashoffset", offset.toFixed(1));
    };
    slide("n", bx, x - band);
    slide("s", bx, x - band);
    slide("w", by, y - band);
    slide("e", by, y - band);
}

export function FrameArt(props: { hold: (svg: SVGSVGElement | null) => void }): JSX.Element {
    return (
        <svg class="board-frame" ref={props.hold} aria-hidden="true" focusable="false">
            <path data-side="band" class="frame-band" fill-rule="evenodd" />
            <path data-side="n" class="frame-bar" />
            <path data-side="s" class="frame-bar" />
            <path data-side="w" class="frame-bar" />
            <path data-side="e" class="frame-bar" />
            <path data-side="thin" class="frame-thin" />
            <path data-side="lines" class="frame-line" />
            <path data-side="inner" class="frame-inner" />
        </svg>
    );
}

/** Title in an empty corner at full view. */
export function Cartouche(props: { caption?: string }): JSX.Element {
    return (
        <div class="board-cartouche" aria-hidden="true">
            <svg width="150" height="18" viewBox="-75 -16 150 18">
                <path d="M-72,1Q-40,-12 -10,-11Q0,-18 10,-11Q40,-12 72,1" />
                <path d="M-10,-9Q0,-3 10,-9M-4,-9.5L4,-5.5M4,-9.5L-4,-5.5" />
            </svg>
            <strong>{t("map.title")}</strong>
            <em>{t("map.subtitle")}</em>
            {props.caption && <span>{props.caption}</span>}
        </div>
    );
}

/** What the lines mean. */
export function Legend(props: { major: number; minor: number; line: boolean }): JSX.Element {
    return (
        <div class="board-legend">
            <h2 class="board-unseen">{t("map.legend")}</h2>
            <ul>
                <li>
                    <svg width="38" height="14" viewBox="0 0 38 14" aria-hidden="true">
                        <path class="legend-major" d="M1,7H37" />
                        <path class="legend-major-fill" d="M1,7H37" />
                    </svg>
                    {t("map.legend.major", { n: props.major })}
                </li>
                <li>
                    <svg width="38" height="14" viewBox="0 0 38 14" aria-hidden="true">
                        <path class="legend-minor" d="M1,7H37" />
                    </svg>
                    {t("map.legend.minor", { n: props.minor })}
                </li>
                <li>
                    <svg width="38" height="18" viewBox="0 -2 38 18" aria-hidden="true">
                        <path class="legend-river" d="M15,-2Q20,7 24,16" />
                        <path class="legend-deck" d="M11,7H28" />
                        <path class="legend-rail" d="M9,1.4Q12,4 14,4H25Q27,4 30,1.4M9,12.6Q12,10 14,10H25Q27,10 30,12.6" />
                    </svg>
                    {t("map.legend.crossing")}
                </li>
                <li>
                    <svg width="38" height="18" viewBox="-19 -9 38 18" aria-hidden="true">
                        <path class="legend-fort" d="M0,-8.4L2.5,-4.2L7.3,-4.2L4.9,0L7.3,4.2L2.5,4.2L0,8.4L-2.5,4.2L-7.3,4.2L-4.9,0L-7.3,-4.2L-2.5,-4.2Z" />
                        <circle r="2.5" fill="#a2281d" />
                    </svg>
                    {t("map.legend.supply")}
                </li>
                {props.line && (
                    <li>
                        <svg width="38" height="14" viewBox="0 0 38 14" aria-hidden="true">
                            <path class="legend-line" d="M2,7H37" />
                        </svg>
                        {t("map.legend.line")}
                    </li>
                )}
            </ul>
        </div>
    );
}
