/** Zoom buttons and the holder of the small map; both stand over the sheet and fold away. */
import type { ComponentChildren, JSX } from "preact";
import { t } from "@/words";

function Zoom(props: { onZoom: (factor: number) => void; onFit: () => void; inset?: { right?: number; bottom?: number; top?: number }; high: boolean; small: boolean }): JSX.Element {
    const { inset } = props;
    const right = `${24 + (inset?.right ?? 0)}px`;
    const place = props.high ? { right, top: `${28 + (inset?.top ?? 0)}px` } : { right, bottom: `${28 + (inset?.bottom ?? 0)}px` };
    return (
        <div class="board-tools" data-board-ui style={place}>
            {!props.small && <Steps onZoom={props.onZoom} />}
            <button type="button" aria-label={t("map.fit")} title={t("map.fit")} onClick={props.onFit}>
                <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
                    <path d="M-1.5,1.5L-6,6M-6,2V6H-2M1.5,-1.5L6,-6M2,-6H6V-2" />
                </svg>
            </button>
        </div>
    );
}

/** Nearer and farther; on a phone two fingers or two taps do it. */
function Steps(props: { onZoom: (factor: number) => void }): JSX.Element {
    return (
        <>
            <button type="button" aria-label={t("map.zoom_in")} title={t("map.zoom_in")} onClick={() => props.onZoom(1.45)}>
                <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
                    <path d="M-5,0H5M0,-5V5" />
                </svg>
            </button>
            <button type="button" aria-label={t("map.zoom_out")} title={t("map.zoom_out")} onClick={() => props.onZoom(1 / 1.45)}>
                <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
                    <path d="M-5,0H5" />
                </svg>
            </button>
        </>
    );
}

function Mini(props: { folded: boolean; onFold: (folded: boolean) => void; children: ComponentChildren }): JSX.Element {
    const name = props.folded ? t("map.minimap.unfold") : t("map.minimap.fold");
    return (
        <div class={`board-mini ${props.folded ? "board-mini-closed" : ""}`} data-board-ui>
            {!props.folded && props.children}
            <button type="button" class="board-mini-fold" aria-label={name} title={name} aria-expanded={!props.folded} onClick={() => props.onFold(!props.folded)}>
                <svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">
                    <path d={props.folded ? "M-5,-4L-1.5,-5.5L1.5,-4L5,-5.5V4L1.5,5.5L-1.5,4L-5,5.5ZM-1.5,-5.5V4M1.5,-4V5.5" : "M-4,4L4,-4M4,1V-4H-1"} transform={props.folded ? undefined : "rotate(180)"} />
                </svg>
            </button>
        </div>
    );
}

export const Tools = { Zoom, Mini };
