/** Counters in the panel: to press, in rows, and as they are told by events. */
import type { JSX } from "preact";
import { Counter } from "@/hex/Counter";
import { printedOf } from "@/austerlitz/oob";
import type { Face, Told } from "@/austerlitz/outcomes";
import type { Hex, HexView, Unit } from "@/austerlitz/types";
import { isInformed, ownSide, spokenUnit, unitName } from "@/austerlitz/units";

interface CounterButtonProps {
    view: HexView;
    hex: Hex;
    size?: number;
    pressed?: boolean;
    attacked?: boolean;
    lost?: boolean;
    dim?: boolean;
    onPress: () => void;
}

/** Is the face of an enemy turned up for the combat in hand alone? */
export function isShown(view: HexView, hex: Hex): boolean {
    const unit = view.board.units[hex];
    return unit?.potential !== undefined && !isInformed(view) && unit.side !== ownSide(view) && view.as !== "all";
}

/** A counter that can be pressed. */
export function CounterButton({ view, hex, size = 34, pressed, attacked, lost, dim, onPress }: CounterButtonProps): JSX.Element | null {
    const unit = view.board.units[hex];
    if (unit === undefined) return null;
    const flags = { selected: pressed === true && attacked !== true, attacked: attacked === true, lost: lost === true, dim: dim === true };
    return (
        <button type="button" class="aus-counter" aria-pressed={pressed} title={unitName(view, hex)} data-counter={hex} onClick={onPress}>
            <Counter unit={unit} size={size} shown={isShown(view, hex)} {...flags} />
            <span class="visually-hidden">{spokenUnit(view, hex)}</span>
        </button>
    );
}

/** A counter to look at. */
export function CounterAt({ view, hex, size = 34 }: { view: HexView; hex: Hex; size?: number }): JSX.Element | null {
    const unit = view.board.units[hex];
    if (unit === undefined) return null;
    return <Counter unit={unit} size={size} shown={isShown(view, hex)} label={spokenUnit(view, hex)} />;
}

const MOVES = { infantry: 6, cavalry: 9, artillery: 5 } as const;

/** A unit as an event named it, with its face where the event's combat turned it up. */
export function toldUnit(told: Told, faces: readonly Face[] | undefined): Unit {
    if (typeof told !== "string") {
        const face = faces?.find((one) => one.hex === told.hex);
        return { side: told.side, type: told.type, movement: MOVES[told.type], ...(face === undefined ? {} : faceOf(face)) };
    }
    const print = printedOf(told);
    const type = print?.type ?? "infantry";
    const potential = faces?.find((one) => one.id === told)?.potential ?? print?.combat;
    return { side: print?.side ?? "french", type, movement: MOVES[type], id: told as Unit["id"], ...(potential === undefined ? {} : { potential }) } as Unit;
}

function faceOf(face: Face): Pick<Unit, "name" | "potential"> & { id: NonNullable<Unit["id"]> } {
    return { id: face.id as NonNullable<Unit["id"]>, name: face.name, potential: face.potential };
}
