/** What lies over the sheet: lines of the set-up, rings, paths, stacks, badges, names. */
import type { JSX } from "preact";
import { BlockArt, HiddenPileArt } from "../ui/BlockArt";
import { armyName, type Nation } from "../ui/army";
import { memo } from "../ui/memo";
import { pathData } from "./curves";
import type { Layout, Pill, Ring } from "./layout";
import type { Sheet } from "./sheet";
import type { Placed } from "./stacks";
import type { Marks } from "./types";

const r1 = (value: number): number => Math.round(value * 10) / 10;
const far = 3000;

/** The ground that stays open in the set-up is cut out of a hatching over everything. */
function veilPath(sheet: Sheet, open: NonNullable<Marks["veil"]>, k: number): string {
    const { border, deployment } = sheet;
    if (border.length < 2) return "";
    const first = border[0]!;
    const last = border[border.length - 1]!;
    const text = (line: readonly { x: number; y: number }[]): string => `${pathData(line, k)}Z`;
    const france = [...border, { x: last.x, y: far }, { x: -far, y: far }, { x: -far, y: first.y }];
    const netherlands = [...border, { x: far, y: last.y }, { x: far, y: -far }, { x: -far, y: -far }, { x: -far, y: first.y }];
    if (open === "france" || open === "french") return text(netherlands);
    if (open === "netherlands" || open === "allied" || deployment.length < 2) return text(france);
    const foot = deployment[0]!;
    let meet = 0;
    border.forEach((p, i) => {
        const best = border[meet]!;
        if (Math.hypot(p.x - foot.x, p.y - foot.y) < Math.hypot(best.x - foot.x, best.y - foot.y)) meet = i;
    });
    const end = deployment[deployment.length - 1]!;
    const up = [...deployment, { x: end.x + 30, y: -far }];
    const west = [...up, { x: -far, y: -far }, { x: -far, y: first.y }, ...border.slice(0, meet + 1)];
    const east = [...up, { x: far, y: -far }, { x: far, y: last.y }, ...border.slice(meet).reverse()];
    return text(france) + text(open === "anglo" ? east : west);
}

/** Veil and deployment line of the set-up. */
const Ground = memo(function Ground(props: { sheet: Sheet; k: number; veil: Marks["veil"]; line: boolean }): JSX.Element {
    const { sheet, k } = props;
    return (
        <g>
            {props.veil && sheet.border.length > 1 && (
                <>
                    <path class="board-veil" d={veilPath(sheet, props.veil, k)} />
                    <path d={veilPath(sheet, props.veil, k)} fill="url(#board-hatch)" />
                </>
            )}
            {props.line && sheet.deployment.length > 1 && <path class="board-line" d={pathData(sheet.deployment, k)} />}
        </g>
    );
});

function RingArt(props: { ring: Ring }): JSX.Element {
    const { rect, kind, army } = props.ring;
    const box = { x: r1(rect.x), y: r1(rect.y), width: r1(rect.w), height: r1(rect.h), rx: 8 };
    if (kind === "closed") {
        return (
            <g class="ring ring-closed">
                <rect {...box} class="ring-fill" />
                <path d={`M${r1(rect.x + 4)},${r1(rect.y + 4)}L${r1(rect.x + rect.w - 4)},${r1(rect.y + rect.h - 4)}`} />
            </g>
        );
    }
    const color = kind === "edited" ? `var(--path-${army ?? "FR"}, var(--${armyName[army ?? "FR"]}))` : undefined;
    return (
        <g class={`ring ring-${kind}`} style={color ? { "--ring": color } : undefined}>
            <rect {...box} class="ring-fill" />
            <rect {...box} class="ring-out" />
            <rect {...box} class="ring-line" />
        </g>
    );
}

function pathColor(army: Nation): string {
    return `var(--path-${army}, var(--${armyName[army]}))`;
}

function Arrows(props: { layout: Layout }): JSX.Element {
    return (
        <g class="board-paths">
            {props.layout.arrows.map((arrow, at) => {
                const color = pathColor(arrow.army);
                const size = arrow.width === 5 ? 17 : 13;
                const dash = arrow.kind === "forced" ? "11 6" : arrow.kind === "retreat" || arrow.kind === "rout" ? "2.5 5.5" : undefined;
                const head = `M0,0L${-size},${r1(-size * 0.5)}L${r1(-size * 0.74)},0L${-size},${r1(size * 0.5)}Z`;
                const turn = `translate(${r1(arrow.head.x)},${r1(arrow.head.y)}) rotate(${r1((arrow.head.angle * 180) / Math.PI)})`;
                return (
                    <g key={at} class={`path path-${arrow.kind}`}>
                        <path class="path-casing" d={arrow.d} stroke-width={arrow.width + 4} />
                        <path class="path-casing" d={head} transform={turn} stroke-width="4" />
                        <path d={arrow.d} stroke={color} stroke-width={arrow.width} stroke-dasharray={dash} fill="none" stroke-linecap={dash?.startsWith("2.5") ? "round" : "butt"} />
                        <path d={head} transform={turn} fill={color} />
                    </g>
                );
            })}
        </g>
    );
}

interface StackArtProps {
    stack: Placed;
    marks: Marks;
    mine: readonly Nation[] | undefined;
    fanned: boolean;
    label: (unit: string) => string;
}

function StackArt(props: StackArtProps): JSX.Element {
    const { stack, marks, mine } = props;
    const { box, s } = stack;
    const cx = r1(box.x + box.w / 2);
    const cy = r1(box.y + box.h / 2);
    return (
        <g class={`stack-at ${props.fanned ? "stack-fanned" : ""}`} data-town={stack.town} transform={`translate(${cx},${cy})`}>
            <g class="board-anchor">
                <g class="stack-fan">
                {stack.piles.map(({ pile, x, y }) => (
                    <g key={pile.army} transform={`translate(${r1(x - box.w / 2)},${r1(y - box.h / 2)})`}>
                        <HiddenPileArt army={pile.army} count={pile.count} marked={pile.marked} size={stack.hidden} />
                    </g>
                ))}
                {stack.blocks.map(({ block, x, y }) => (
                    <g
                        key={block.ghost ? `${block.id} ghost` : block.id}
                        class="stack-unit"
                        data-unit={block.ghost ? undefined : block.id}
                        transform={`translate(${r1(x - box.w / 2)},${r1(y - box.h / 2)})`}
                    >
                        <BlockArt
                            army={block.army}
                            type={block.type}
                            cv={block.cv}
                            maxCv={block.maxCv}
                            formation={props.label(block.id)}
                            size={s}
                            state={{
                                selected: !block.ghost && (marks.selected?.has(block.id) ?? false),
                                dim: !block.ghost && (marks.dim?.has(block.id) ?? false),
                                ghost: block.ghost ?? false,
                                marked: block.marked,
                                ally: mine !== undefined && mine.length > 0 && !mine.includes(block.army),
                            }}
                        />
                    </g>
                ))}
                </g>
            </g>
        </g>
    );
}

function Sabres(props: { x: number; y: number; size?: number }): JSX.Element {
    const s = (props.size ?? 14) / 14;
    return (
        <path
            transform={`translate(${r1(props.x)},${r1(props.y)}) scale(${s})`}
            d="M-5.6,-6C-3,-1.6 .8,2.2 5,4.6M5.6,-6C3,-1.6 -.8,2.2 -5,4.6M-6,2.2L-2.4,5.8M6,2.2L2.4,5.8M-5.2,4.9L-7,6.6M5.2,4.9L7,6.6"
            fill="none"
            stroke="currentColor"
            stroke-width="1.7"
            stroke-linecap="round"
        />
    );
}

function PillArt(props: { pill: Pill }): JSX.Element {
    const { pill } = props;
    const { rect } = pill;
    const cx = r1(rect.x + rect.w / 2);
    const cy = r1(rect.y + rect.h / 2);
    if (pill.kind === "barred") {
        return (
            <g class="pill pill-barred" transform={`translate(${cx},${cy}) rotate(${r1((pill.angle * 180) / Math.PI)})`}>
                <path d="M-3,-9V9M3,-9V9" />
            </g>
        );
    }
    const color = pill.kind === "edited" && pill.army ? pathColor(pill.army) : undefined;
    return (
        <g class={`pill pill-${pill.kind}`} transform={`translate(${cx},${cy})`}>
            <g class="board-anchor" style={color ? { "--pill": color } : undefined}>
                <rect x={r1(-rect.w / 2)} y={r1(-rect.h / 2)} width={r1(rect.w)} height={rect.h} rx={rect.h / 2} />
                <text y={pill.kind === "open" ? 3.9 : 4.4} text-anchor="middle">
                    {pill.text}
                </text>
            </g>
        </g>
    );
}

function Badges(props: { layout: Layout }): JSX.Element {
    const { layout } = props;
    return (
        <g class="board-badges">
            {layout.pills.map((pill) => (
                <PillArt key={pill.road} pill={pill} />
            ))}
            {layout.forced.map(({ rect, text }, at) => (
                <g key={at} class="pill pill-forced" transform={`translate(${r1(rect.x + rect.w / 2)},${r1(rect.y + rect.h / 2)})`}>
                    <g class="board-anchor">
                        <rect x={r1(-rect.w / 2)} y={r1(-rect.h / 2)} width={r1(rect.w)} height={rect.h} rx={rect.h / 2} />
                        <g transform={`translate(${r1(-rect.w / 2 + 15)},0)`}>
                            <rect class="pill-die" x="-6.5" y="-6.5" width="13" height="13" rx="2.6" />
                            <circle cx="-3.1" cy="-3.1" r="1.3" />
                            <circle r="1.3" />
                            <circle cx="3.1" cy="3.1" r="1.3" />
                        </g>
                        <text x={r1(-rect.w / 2 + 28)} y="4.4">
                            {text}
                        </text>
                    </g>
                </g>
            ))}
            {layout.counts.map(({ town, rect, text, full }) => (
                <g key={town} class={`pill pill-count ${rect.h < 17 ? "pill-small" : ""} ${full ? "pill-full" : ""}`} transform={`translate(${r1(rect.x + rect.w / 2)},${r1(rect.y + rect.h / 2)})`}>
                    <g class="board-anchor">
                        <rect x={r1(-rect.w / 2)} y={r1(-rect.h / 2)} width={r1(rect.w)} height={rect.h} rx={rect.h / 2} />
                        <text y={rect.h < 17 ? 3.7 : 4.2} text-anchor="middle">
                            {text}
                        </text>
                    </g>
                </g>
            ))}
            {layout.tabs.map(({ town, rect, text, short }) => (
                <g key={town} class={`attack-tab ${short ? "attack-tab-short" : ""}`} transform={`translate(${r1(rect.x)},${r1(rect.y)})`}>
                    <rect width={r1(rect.w)} height={rect.h} rx="2.5" />
                    <Sabres x={16} y={11} size={11} />
                    <text x={r1((rect.w + 24) / 2)} y="15.6" text-anchor="middle">
                        {text}
                    </text>
                </g>
            ))}
        </g>
    );
}

function Names(props: { layout: Layout; veiled: Marks["veiled"] }): JSX.Element {
    return (
        <g class="board-names">
            {props.layout.labels.map((label) =>
                label.hidden ? null : (
                    <g key={label.id} transform={`translate(${r1(label.rect.x + label.rect.w / 2)},${r1(label.rect.y + label.rect.h * 0.76)})`}>
                        <text
                            class={`board-anchor board-name ${label.bold ? "board-city" : ""} ${props.veiled?.has(label.id) ? "board-name-veiled" : ""}`}
                            text-anchor="middle"
                            font-size={label.size}
                        >
                            {label.text}
                        </text>
                    </g>
                ),
            )}
        </g>
    );
}

export interface OverProps {
    sheet: Sheet;
    layout: Layout;
    marks: Marks;
    mine: readonly Nation[] | undefined;
    fanned: string | undefined;
    label: (unit: string) => string;
    /** Names change with the language. */
    language: string;
}

/** All of it, in the order in which it lies. */
export const Over = memo(function Over(props: OverProps): JSX.Element {
    const { layout, marks } = props;
    const told = new Set(marks.told ?? []);
    return (
        <>
            <Ground sheet={props.sheet} k={layout.k} veil={marks.veil} line={marks.deploymentLine ?? false} />
            <g class="board-rings">
                {layout.rings.map((ring) => (
                    <RingArt key={ring.town} ring={ring} />
                ))}
            </g>
            <g class="board-leashes">
                {layout.leashes.map(({ from, to }, at) => (
                    <path key={at} d={`M${r1(from.x)},${r1(from.y)}L${r1(to.x)},${r1(to.y)}`} />
                ))}
            </g>
            <Arrows layout={layout} />
            <g class={`board-stacks ${props.fanned ? "board-fanning" : ""}`}>
                {[...layout.stacks]
                    .sort((a, b) => (a.town === props.fanned ? 1 : b.town === props.fanned ? -1 : a.box.y - b.box.y))
                    .map((stack) => (
                        <StackArt key={stack.town} stack={stack} marks={marks} mine={props.mine} fanned={stack.town === props.fanned} label={props.label} />
                    ))}
            </g>
            {layout.hits
                .filter((hit) => told.has(hit.town))
                .map(({ town, rect }) => (
                    <rect key={town} class="board-told" x={r1(rect.x - 5)} y={r1(rect.y - 5)} width={r1(rect.w + 10)} height={r1(rect.h + 10)} rx="9" />
                ))}
            <Badges layout={layout} />
            {(marks.battles ?? []).map((town) => {
                const hit = layout.hits.find((one) => one.town === town);
                if (!hit) return null;
                return (
                    <g key={town} class="board-battle" transform={`translate(${r1(hit.rect.x)},${r1(hit.rect.y)})`}>
                        <circle r="12" />
                        <Sabres x={0} y={0} size={12} />
                    </g>
                );
            })}
            <Names layout={layout} veiled={marks.veiled} />
        </>
    );
});
