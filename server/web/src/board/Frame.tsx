/** The neat line, cartouche and legend: fixed to the window while the sheet slides beneath. */
import type { JSX } from "preact";
import { t } from "@/words";
import { bar as degrees, type Point } from "./geo";
import { band, type View } from "./view";

const shaped = new WeakMap<HTMLElement, string>();

/** Lengths of the bars, set when the scale has changed. */
function shapeFrame(frame: HTMLElement, bx: number, by: number): void {
    const key = `${bx} ${by}`;
    if (shaped.get(frame) === key) return;
    shaped.set(frame, key);
    frame.style.setProperty("--bar-x", `${bx}px`);
    frame.style.setProperty("--bar-y", `${by}px`);
}

/** Slides the bars of the frame (as long as `bar` on the sheet) to where the sheet is: four transforms, nothing is drawn anew. */
export function slideFrame(frame: HTMLElement, view: View, bar: Point = degrees): void {
    let bx = bar.x * view.k;
    let by = bar.y * view.k;
    while (bx < 18) {
        bx *= 2;
        by *= 2;
    }
    while (bx > 60) {
        bx /= 2;
        by /= 2;
    }
    shapeFrame(frame, bx, by);
    const part = (at: number, length: number): number => (((at % (2 * length)) + 2 * length) % (2 * length)) - 2 * length;
    const x = `translateX(${part(view.x - band, bx).toFixed(1)}px)`;
    const y = `translateY(${part(view.y - band, by).toFixed(1)}px)`;
    for (const strip of frame.children) {
        const bars = strip.firstElementChild;
        if (bars instanceof HTMLElement) bars.style.transform = strip.classList.contains("frame-across") ? x : y;
    }
}

export function FrameArt(props: { hold: (frame: HTMLElement | null) => void }): JSX.Element {
    return (
        <div class="board-frame" ref={props.hold} aria-hidden="true">
            {["frame-north frame-across", "frame-south frame-across", "frame-west frame-down", "frame-east frame-down"].map((side) => (
                <div key={side} class={`frame-strip ${side}`}>
                    <div class="frame-bars" />
                </div>
            ))}
            <div class="frame-edge" />
        </div>
    );
}

/** Title in an empty corner at full view. */
export function Cartouche(props: { title: string; subtitle: string; caption?: string }): JSX.Element {
    return (
        <div class="board-cartouche" aria-hidden="true">
            <svg width="150" height="18" viewBox="-75 -16 150 18">
                <path d="M-72,1Q-40,-12 -10,-11Q0,-18 10,-11Q40,-12 72,1" />
                <path d="M-10,-9Q0,-3 10,-9M-4,-9.5L4,-5.5M4,-9.5L-4,-5.5" />
            </svg>
            <strong>{props.title}</strong>
            <em>{props.subtitle}</em>
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
