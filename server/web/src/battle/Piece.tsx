/** A block on the battle board: a button where it can be chosen or fired at, a picture elsewhere. */
import type { JSX } from "preact";
import { Block, type BlockState } from "@/ui/Block";
import { printed } from "@/ui/oob";
import { t } from "@/words";
import { useScene } from "./scene";
import { actedTag, blockLabel, pieceName } from "./names";
import type { Piece as PieceOf, Zone } from "./model";

interface PieceProps {
    piece: PieceOf;
    zone: Zone;
    size: number;
    /** The viewer's own side. */
    own: boolean;
    /** Place in the row, for the order in which columns turn up. */
    at?: number;
}

export function Piece({ piece, zone, size, own, at = 0 }: PieceProps): JSX.Element {
    const scene = useScene();
    const { id, nation, fighter } = piece;
    const max = printed[id]?.cv ?? fighter.cv;
    const isTarget = scene.targets.has(id);
    const selected = scene.selected.has(id);
    const able = own && scene.choosable.has(id);
    const barred = isTarget ? undefined : scene.barred.get(id);
    const hit = scene.hits[id];
    const tag = actedTag(piece);
    const state: BlockState = {
        ...(selected ? { selected: true } : {}),
        ...(isTarget && scene.aim !== id ? { legal: true } : {}),
        ...(scene.aim === id ? { target: true } : {}),
        ...(barred === undefined ? {} : { barred }),
        ...(fighter.square ? { square: true } : {}),
        ...(hit === undefined ? {} : { hit }),
        ...(tag === undefined ? {} : { acted: tag }),
        ...(able && !selected && scene.due.has(id) ? { due: true } : {}),
        ...(own && scene.allies.has(id) ? { ally: true } : {}),
    };
    const block = (
        <Block army={nation} type={fighter.type} cv={fighter.cv} maxCv={max} formation={blockLabel(id)} size={size} state={state} />
    );
    const turning = scene.turning === "all" || (scene.turning === "enemy" && !own);
    const face = turning ? <TurnUp army={nation} size={size} at={at} face={block} /> : block;
    const more = [
        isTarget ? t("battle.tag.target") : "",
        scene.due.has(id) && able ? t("battle.tag.due") : "",
        barred ?? "",
    ];
    const name = pieceName(piece, zone, more);
    const cls = `piece ${fighter.square ? "piece-square" : ""} ${tag ? "piece-acted" : ""} ${own ? "piece-own" : "piece-enemy"}`;
    const inside = (
        <>
            {fighter.square && <span class="square-word" aria-hidden="true">{t("battle.tag.square_word")}</span>}
            {face}
        </>
    );
    if (!scene.live || (own ? !able && !scene.selectable : !isTarget)) {
        return (
            <span class={cls} data-unit={id} role="img" aria-label={name} title={name}>
                {inside}
            </span>
        );
    }
    return (
        <button
            type="button"
            class={cls}
            data-unit={id}
            data-drag={able ? "" : undefined}
            aria-pressed={own ? selected : undefined}
            title={barred ?? name}
            onClick={(event) => (own ? scene.onOwn(id, event) : scene.onTarget(id, event))}
            onPointerEnter={(event) => !own && event.pointerType === "mouse" && scene.onHover(id)}
            onFocus={(event) => !own && event.currentTarget.matches(":focus-visible") && scene.onHover(id)}
        >
            {inside}
            <span class="visually-hidden">{name}</span>
        </button>
    );
}

/** A block that is turned up: its blank face narrows, its open one widens, each later than its left neighbour. */
function TurnUp(props: { army: PieceOf["nation"]; size: number; at: number; face: JSX.Element }): JSX.Element {
    const delay = { animationDelay: `${props.at * 40}ms` };
    return (
        <span class="turn-up">
            <span class="turn-up-blank" style={delay}>
                <Block kind="hidden" army={props.army} size={props.size} />
            </span>
            <span class="turn-up-face" style={delay}>
                {props.face}
            </span>
        </span>
    );
}

/** Hidden blocks of a nation, each the same picture. */
export function Blanks(props: { nation: PieceOf["nation"]; count: number; size: number; label: string }): JSX.Element {
    return (
        <span class="blanks" role="img" aria-label={props.label} title={props.label}>
            {Array.from({ length: props.count }, (_, at) => (
                <Block key={at} kind="hidden" army={props.nation} size={props.size} />
            ))}
        </span>
    );
}
