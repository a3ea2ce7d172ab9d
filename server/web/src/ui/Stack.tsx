/** Own blocks that stand together: rows of at most four (two when room is short), sorted by arm and strength. */
import type { JSX } from "preact";
import { Block, type BlockState } from "./Block";
import { byArm, type Nation, type UnitType } from "./army";

export interface StackUnit {
    id: string;
    army: Nation;
    type: UnitType;
    cv: number;
    maxCv: number;
    formation?: string;
    state?: BlockState;
    label?: string;
}

export interface StackProps {
    units: readonly StackUnit[];
    size?: number;
    /** Blocks in a row. */
    perRow?: number;
    /** Makes every block a toggle button. */
    onBlock?: (unit: string, how: { shift: boolean }) => void;
    label?: string;
    class?: string;
}

/** A stack in a panel (rows of a draft, hand, roster). The map draws its own. */
export function Stack(props: StackProps): JSX.Element {
    const size = props.size ?? 26;
    const perRow = props.perRow ?? 99;
    const units = [...props.units].sort(byArm);
    const pick = props.onBlock;
    return (
        <ul class={`stack ${props.class ?? ""}`} aria-label={props.label} style={{ maxWidth: `${perRow * (size * 1.12 + 12)}px` }}>
            {units.map((unit) => {
                const block = (
                    <Block
                        army={unit.army}
                        type={unit.type}
                        cv={unit.cv}
                        maxCv={unit.maxCv}
                        formation={unit.formation}
                        size={size}
                        state={unit.state}
                        label={pick ? undefined : unit.label}
                    />
                );
                return (
                    <li key={unit.id}>
                        {pick ? (
                            <button
                                type="button"
                                class="stack-block"
                                aria-pressed={unit.state?.selected ?? false}
                                aria-label={unit.label}
                                title={unit.label}
                                onClick={(event) => pick(unit.id, { shift: event.shiftKey })}
                            >
                                {block}
                            </button>
                        ) : (
                            block
                        )}
                    </li>
                );
            })}
        </ul>
    );
}
