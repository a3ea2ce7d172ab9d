/**
 * Gradients and patterns that all blocks of a page share. They are put into the page once, so that
 * 48 blocks do not carry 48 copies. Colours are custom properties: themes and palettes need no redraw.
 */
import { armyName, nations } from "./army";

const svgns = "http://www.w3.org/2000/svg";
let done = false;

function node(name: string, attributes: Record<string, string>, ...children: Element[]): Element {
    const made = document.createElementNS(svgns, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

const stop = (offset: string, color: string): Element => node("stop", { offset, "stop-color": color });
const diagonal = { x1: "0", y1: "0", x2: "1", y2: "1" };

/** Puts the shared definitions into the page; does nothing the second time or without a page. */
export function ensureDefs(): void {
    if (done || typeof document === "undefined" || !document.body) return;
    done = true;
    const defs = node("defs", {});
    for (const nation of nations) {
        const army = armyName[nation];
        defs.append(
            node(
                "linearGradient",
                { id: `vd-face-${nation}`, ...diagonal },
                stop("0", `var(--${army}-light)`),
                stop(".22", `var(--${army})`),
                stop("1", `var(--${army})`),
            ),
        );
    }
    defs.append(
        node(
            "linearGradient",
            { id: "vd-label", ...diagonal },
            stop("0", "var(--paper-label-from, #fffaf0)"),
            stop("1", "var(--paper-label-to, #ecdfc3)"),
        ),
        node(
            "pattern",
            {
                id: "vd-lines",
                width: "5",
                height: "5",
                patternUnits: "userSpaceOnUse",
                patternTransform: "rotate(45)",
            },
            node("rect", { width: "1.5", height: "5", fill: "#000", opacity: ".28" }),
        ),
        node(
            "pattern",
            { id: "vd-dots", width: "5", height: "5", patternUnits: "userSpaceOnUse" },
            node("circle", { cx: "1.6", cy: "1.6", r: "1.05", fill: "#0d3a2c", opacity: ".42" }),
        ),
    );
    const holder = node("svg", { width: "0", height: "0", "aria-hidden": "true", focusable: "false" }, defs) as SVGSVGElement;
    holder.style.position = "absolute";
    holder.style.pointerEvents = "none";
    document.body.prepend(holder);
}
