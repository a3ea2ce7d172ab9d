/** One of a few: cards, each with its name and what it means. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface ChoiceCardsProps<Value extends string | number> {
    name: string;
    /** Is the name for all to see, or for who listens alone? */
    shown?: boolean;
    /** Stands behind the name that is shown. */
    more?: ComponentChildren;
    values: readonly Value[];
    value: unknown;
    say: (value: Value, what: "name" | "meaning") => string;
    onChange: (value: Value) => void;
}

export function ChoiceCards<Value extends string | number>({ name, shown = false, more, values, value, say, onChange }: ChoiceCardsProps<Value>) {
    const group = useId();
    return (
        <fieldset class="choice-cards">
            <legend class={shown ? "choice-name" : "visually-hidden"}>
                {name} {shown && more}
            </legend>
            {values.map((one) => (
                <label key={one} class="choice-card" data-on={one === value}>
                    <input type="radio" name={group} checked={one === value} onChange={() => onChange(one)} />
                    <span>
                        <strong>{say(one, "name")}</strong>
                        <small>{say(one, "meaning")}</small>
                    </span>
                </label>
            ))}
        </fieldset>
    );
}
