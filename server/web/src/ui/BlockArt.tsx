/** The drawing of blocks, for use inside an SVG; measures as shares of the face's edge s. */
import type { JSX } from "preact";
import { memo } from "./memo";
import { armyName, type Nation, type UnitType } from "./army";
import { MarkFigure } from "./ArmyMark";
import type { BlockProps, BlockState, HiddenPileProps } from "./Block";
import { ensureDefs } from "./defs";
import { SymbolFigure } from "./SymbolFigure";
import "./block.css";

const r1 = (value: number): number => Math.round(value * 10) / 10;
const ink = "var(--label-ink, #2a1f14)";
const select = "var(--select, #f6c445)";
const ringInk = "#251b11";

/** Shadows, edge with two hairlines of grain, face, light from the north-west. */
function Body(props: { army: Nation; s: number; hidden: boolean; shadow: boolean }): JSX.Element {
    const { army, s } = props;
    const r = s * 0.085;
    const dx = s * 0.0716;
    const dy = s * 0.13;
    const name = armyName[army];
    const edge =
        `M${r1(r)},0H${r1(s - r)}Q${s},0 ${s},${r1(r)}L${r1(s + dx)},${r1(r + dy * 0.74)}V${r1(s + dy - r)}` +
        `Q${r1(s + dx)},${r1(s + dy)} ${r1(s + dx - r)},${r1(s + dy)}H${r1(r + dx)}L0,${r1(s - r)}V${r1(r)}Q0,0 ${r1(r)},0Z`;
    const inset = r1(Math.max(1, s * 0.034));
    return (
        <>
            {props.shadow && (
                <g fill="var(--block-shadow, rgb(50 32 12 / .28))">
                    <rect x={r1(s * 0.065)} y={r1(s * 0.117)} width={r1(s * 1.123)} height={r1(s * 1.123)} rx={r1(s * 0.153)} opacity=".4" />
                    <rect x={r1(s * 0.052)} y={r1(s * 0.13)} width={r1(s * 1.078)} height={r1(s * 1.065)} rx={r1(s * 0.11)} opacity=".8" />
                </g>
            )}
            <path d={edge} fill={`var(--${name}-dark)`} />
            <path
                d={`M${r1(s * 0.078)},${r1(s * 1.058)}H${r1(s * 0.7)}M${r1(s * 0.3)},${r1(s * 1.098)}H${r1(s * 1.038)}`}
                stroke={`var(--${name}-light)`}
                stroke-opacity=".35"
                stroke-width=".7"
                fill="none"
            />
            <rect width={s} height={s} rx={r1(r)} fill={`url(#vd-face-${army})`} />
            {army !== "FR" && (
                <rect class="blk-pattern" width={s} height={s} rx={r1(r)} fill={`url(#vd-${army === "AD" ? "lines" : "dots"})`} />
            )}
            <path
                d={`M${inset},${r1(s - r)}V${r1(r)}Q${inset},${inset} ${r1(r)},${inset}H${r1(s - r)}`}
                stroke="#fff"
                stroke-opacity=".42"
                fill="none"
            />
            <path
                d={`M${r1(s - 0.5)},${r1(r)}V${r1(s - r)}Q${r1(s - 0.5)},${r1(s - 0.5)} ${r1(s - r)},${r1(s - 0.5)}H${r1(r)}`}
                stroke="#000"
                stroke-opacity=".32"
                fill="none"
            />
            <rect class="blk-bevel" width={s} height={s} rx={r1(r)} fill="none" stroke={`var(--${name}-light)`} />
        </>
    );
}

/** The army's mark in ivory on stained wood: all that a hidden block shows. */
function HiddenFace(props: { army: Nation; s: number }): JSX.Element {
    const { s } = props;
    const grain =
        `M${r1(s * 0.05)},${r1(s * 0.3)}Q${r1(s * 0.5)},${r1(s * 0.22)} ${r1(s * 0.95)},${r1(s * 0.34)}` +
        `M${r1(s * 0.05)},${r1(s * 0.72)}Q${r1(s * 0.5)},${r1(s * 0.8)} ${r1(s * 0.95)},${r1(s * 0.68)}`;
    return (
        <>
            <path d={grain} stroke="#fff" stroke-opacity=".1" fill="none" stroke-width=".8" />
            <g transform={`translate(${r1(s / 2)},${r1(s / 2)}) scale(${(s * 0.033).toFixed(3)})`}>
                <g transform="translate(.7,.9)">
                    <MarkFigure army={props.army} color="#000" opacity={0.3} />
                </g>
                <MarkFigure army={props.army} color={`var(--mark-${props.army}, #fff8e8)`} />
            </g>
        </>
    );
}

/** A type symbol in an army's colour. */
export function TypeFigure(props: { army: Nation; type: UnitType }): JSX.Element {
    return <SymbolFigure type={props.type} field={`var(--symbol-${props.army}, var(--${armyName[props.army]}))`} figure="#fff8e6" />;
}

/** A type symbol as a small picture of its own. */
export function TypeSymbol(props: { army: Nation; type: UnitType; size?: number; label?: string }): JSX.Element {
    const height = props.size ?? 14;
    return (
        <svg
            class="type-symbol"
            width={height * 1.44}
            height={height}
            viewBox="-13 -9 26 18"
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            focusable="false"
        >
            <TypeFigure army={props.army} type={props.type} />
        </svg>
    );
}

/** Width of a label in em, near enough to keep it on the block. */
function labelWidth(text: string): number {
    let width = 0;
    for (const letter of text) width += letter > "\u2e7f" ? 1.02 : "IilJ.' 1".includes(letter) ? 0.36 : /[MWШЩЖЮmwжшщю]/.test(letter) ? 0.86 : 0.6;
    return width;
}

/** Steps on the top edge, symbol, formation. */
function OwnFace(props: BlockProps & { s: number }): JSX.Element {
    const { army, s } = props;
    const dark = `var(--${armyName[army]}-dark)`;
    const cv = props.cv ?? 0;
    const max = Math.max(cv, props.maxCv ?? cv);
    const first = s / 2 - ((max - 1) * s * 0.175) / 2;
    const text = props.formation ?? "";
    const wanted = s * (s < 56 ? 0.205 : 0.165);
    const fitting = (s * 0.79) / Math.max(1, labelWidth(text));
    const fontSize = r1(Math.min(wanted, fitting));
    const dots = [];
    for (let i = 0; i < max; i++) {
        const left = i < cv;
        dots.push(
            <circle
                key={i}
                cx={r1(first + i * s * 0.175)}
                cy={r1(s * 0.205)}
                r={(s * (left ? 0.054 : 0.0464)).toFixed(2)}
                fill={left ? dark : "none"}
                stroke={left ? undefined : dark}
                stroke-width={left ? undefined : (s * 0.0168).toFixed(2)}
                stroke-opacity={left ? undefined : ".6"}
            />,
        );
    }
    return (
        <>
            <rect
                x={r1(s * 0.085)}
                y={r1(s * 0.085)}
                width={r1(s * 0.83)}
                height={r1(s * 0.83)}
                rx={r1(s * 0.051)}
                fill="url(#vd-label)"
                stroke={dark}
                stroke-opacity=".55"
                stroke-width=".8"
            />
            {dots}
            <g transform={`translate(${r1(s / 2)},${r1(s * 0.49)}) scale(${(s * 0.0245).toFixed(4)})`}>
                {props.type && <TypeFigure army={army} type={props.type} />}
            </g>
            {s >= 32 && text !== "" && (
                <text class="blk-formation" x={r1(s / 2)} y={r1(s * 0.865)} text-anchor="middle" font-size={fontSize} fill={ink}>
                    {text}
                </text>
            )}
            {s >= 56 && <Rim s={s} cv={cv} max={max} />}
        </>
    );
}

/** Ticks on the rims: the steps that come up when the block is turned. The group turns, so a loss can be seen. */
function Rim(props: { s: number; cv: number; max: number }): JSX.Element {
    const { s, cv, max } = props;
    const sides = [];
    for (let side = 0; side < 4; side++) {
        const steps = max - side;
        if (steps < 1) continue;
        const up = steps === cv;
        const ticks = [];
        for (let i = 0; i < steps; i++) {
            ticks.push(<rect key={i} x={r1((i - (steps - 1) / 2) * 5 - 1.2)} y={r1(-s / 2 + 1.7)} width="2.4" height="2.4" />);
        }
        sides.push(
            <g key={side} class={up ? "blk-rim-up" : undefined} transform={`rotate(${side * 90})`}>
                {ticks}
            </g>,
        );
    }
    return (
        <g transform={`translate(${s / 2},${s / 2})`} fill="#fff4dc" opacity=".75">
            <g class="blk-rim" style={{ transform: `rotate(${-(max - cv) * 90}deg)` }}>
                {sides}
            </g>
        </g>
    );
}

/** What lies over the block: rings, square, discs, tag. */
function Over(props: { s: number; state: BlockState; own: boolean }): JSX.Element {
    const { s, state } = props;
    const rx = r1(s * 0.128);
    const ring = (stroke: string, width: number, dash?: string, out = 3): JSX.Element => (
        <>
            <rect x={-out} y={-out} width={s + 2 * out} height={s + 2 * out} rx={rx} fill="none" stroke={ringInk} stroke-width={width + 2} opacity={dash ? 0.55 : 0.75} />
            <rect x={-out} y={-out} width={s + 2 * out} height={s + 2 * out} rx={rx} fill="none" stroke={stroke} stroke-width={width} stroke-dasharray={dash} />
        </>
    );
    return (
        <>
            {state.ally && <rect x="-1.2" y="-1.2" width={s + 2.4} height={s + 2.4} rx={r1(s * 0.1)} fill="none" stroke="#fff" stroke-width="1.4" />}
            {state.ghost && <rect width={s} height={s} rx={r1(s * 0.085)} fill="none" stroke={ringInk} stroke-width="1.2" stroke-dasharray="3 2.4" />}
            {state.square && (
                <g stroke={ringInk} stroke-width="2.2" fill="none">
                    <rect x="-3.5" y="-3.5" width={s + 7} height={s + 7} />
                    <path d={`M-7,-7h8M-7,-7v8M${s + 7},-7h-8M${s + 7},-7v8M-7,${s + 7}h8M-7,${s + 7}v-8M${s + 7},${s + 7}h-8M${s + 7},${s + 7}v-8`} />
                </g>
            )}
            {state.target && ring("var(--danger, #97271b)", 2.6)}
            {state.legal && !state.selected && ring(select, 2.2, "6 3.4", 3.5)}
            {state.selected && ring(select, 2.4)}
            {state.due && <circle cx={r1(s / 2)} cy={r1(s * 1.06)} r={r1(Math.max(2.6, s * 0.05))} fill={select} stroke={ringInk} />}
            {state.marked && props.own && (
                <g transform={`translate(${r1(s - 2)},2)`}>
                    <circle r="6.4" fill="var(--card, #fcf8ee)" stroke="var(--ink-2, #554530)" />
                    <path d="M2.4,-2.4A3.4,3.4 0 1 0 3.2,1.2M2.6,-4.4V-1.9H.2" stroke="var(--ink-2, #554530)" fill="none" stroke-width="1.2" />
                </g>
            )}
            {state.barred !== undefined && (
                <g transform={`translate(${r1(s - 2)},2)`}>
                    <title>{state.barred}</title>
                    <circle r="7" fill="#fff" stroke="var(--danger, #97271b)" stroke-width="2.2" />
                    <path d="M-4.6,4.6L4.6,-4.6" stroke="var(--danger, #97271b)" stroke-width="2.2" />
                </g>
            )}
            {state.hit !== undefined && state.hit > 0 && (
                <g class="blk-hit" transform={`translate(${r1(s)},${r1(s * 0.08)})`}>
                    <circle r={r1(Math.max(9, s * 0.2))} fill="#b3291c" stroke="#fff4e4" stroke-width="1.6" />
                    <text text-anchor="middle" y={r1(Math.max(9, s * 0.2) * 0.4)} font-size={r1(Math.max(11, s * 0.22))} font-weight="700" fill="#fff">
                        {`\u2212${state.hit}`}
                    </text>
                </g>
            )}
            {state.acted !== undefined && (
                <g class="blk-acted" transform={`translate(${r1(s / 2)},${r1(s * 1.13)})`}>
                    <rect x={r1(-labelWidth(state.acted) * 5.4 - 5)} y="0" width={r1(labelWidth(state.acted) * 10.8 + 10)} height="14" rx="3" fill="var(--card, #fcf8ee)" stroke="var(--rule, #cfc09c)" />
                    <text text-anchor="middle" y="10.6" font-size="10.5" fill="var(--ink-2, #554530)">
                        {state.acted}
                    </text>
                </g>
            )}
        </>
    );
}

/** One block, its face's upper left corner at the origin. */
export const BlockArt = memo(function BlockArt(props: BlockProps): JSX.Element {
    ensureDefs();
    const s = props.size ?? 40;
    const state = props.state ?? {};
    const hidden = props.kind === "hidden";
    const opacity = state.ghost ? 0.62 : state.dim ? 0.5 : undefined;
    return (
        <g class="blk" data-army={props.army}>
            <g opacity={opacity}>
                <Body army={props.army} s={s} hidden={hidden} shadow={!state.ghost} />
                {hidden ? <HiddenFace army={props.army} s={s} /> : <OwnFace {...props} s={s} />}
            </g>
            <Over s={s} state={state} own={!hidden} />
        </g>
    );
});

/** A pile of hidden blocks, the first face's upper left corner at the origin. Depends on the count alone. */
export const HiddenPileArt = memo(function HiddenPileArt(props: HiddenPileProps): JSX.Element {
    ensureDefs();
    const s = props.size ?? 34;
    const shown = Math.max(1, Math.min(6, props.count));
    const pitch = s * 0.36;
    const width = s + (shown - 1) * pitch;
    const dark = `var(--disc-${props.army}, var(--${armyName[props.army]}-dark))`;
    const radius = Math.max(9, s * 0.21);
    const state = props.state ?? {};
    const blocks = [];
    for (let i = 0; i < shown; i++) {
        blocks.push(
            <g key={i} transform={`translate(${r1(i * pitch)},0)`}>
                <Body army={props.army} s={s} hidden shadow />
                {i === shown - 1 && <HiddenFace army={props.army} s={s} />}
            </g>,
        );
    }
    const ringed = state.selected || state.legal || state.target;
    return (
        <g class="blk blk-pile" data-army={props.army} opacity={state.dim ? 0.5 : undefined}>
            {blocks}
            {ringed && (
                <g fill="none">
                    <rect x="-3" y="-3" width={r1(width + 6)} height={s + 6} rx={r1(s * 0.128)} stroke={ringInk} stroke-width="4.4" opacity=".7" />
                    <rect
                        x="-3"
                        y="-3"
                        width={r1(width + 6)}
                        height={s + 6}
                        rx={r1(s * 0.128)}
                        stroke={state.target ? "var(--danger, #97271b)" : select}
                        stroke-width="2.4"
                        stroke-dasharray={state.legal ? "6 3.4" : undefined}
                    />
                </g>
            )}
            {props.count > 1 && (
                <g class="blk-count" transform={`translate(${r1(width)},0)`}>
                    <circle r={r1(radius)} fill="var(--card, #fcf8ee)" stroke={dark} stroke-width="1.6" />
                    <text text-anchor="middle" y={r1(radius * 0.42)} font-size={r1(radius * 1.2)} font-weight="700" fill="var(--ink, #251b11)">
                        {props.count}
                    </text>
                </g>
            )}
            {props.marked !== undefined && props.marked > 0 && (
                <g class="blk-count">
                    <circle r={r1(radius * 1.08)} fill="var(--card, #fcf8ee)" stroke="var(--ink-2, #554530)" />
                    <path
                        transform={`scale(${(radius / 9).toFixed(2)})`}
                        d="M5.2,-4.2A6.7,6.7 0 1 0 6.7,.6M5.8,-7.2V-3.8H2.4"
                        stroke="var(--ink-2, #554530)"
                        fill="none"
                        stroke-width="1.2"
                    />
                    <text text-anchor="middle" y={r1(radius * 0.36)} font-size={r1(radius * 0.98)} font-weight="700" fill="var(--ink, #251b11)">
                        {props.marked}
                    </text>
                </g>
            )}
        </g>
    );
});
