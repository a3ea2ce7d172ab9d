/** A labelled input with its hint and what is wrong with it. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
    label: ComponentChildren;
    value: string;
    onInput: (value: string) => void;
    type?: "text" | "password" | "email" | "search";
    hint?: ComponentChildren;
    wrong?: ComponentChildren;
    autocomplete?: string;
    required?: boolean;
    maxLength?: number;
    autofocus?: boolean;
}

export function Field(props: FieldProps) {
    const id = useId();
    const notes = [props.hint ? `${id}-hint` : "", props.wrong ? `${id}-wrong` : ""].filter(Boolean).join(" ");
    return (
        <div class="field">
            <label for={id}>{props.label}</label>
            <input
                id={id}
                type={props.type ?? "text"}
                value={props.value}
                required={props.required}
                maxLength={props.maxLength}
                autocomplete={props.autocomplete}
                autofocus={props.autofocus}
                aria-invalid={props.wrong ? "true" : undefined}
                aria-describedby={notes === "" ? undefined : notes}
                onInput={(event) => props.onInput(event.currentTarget.value)}
            />
            {props.hint && (
                <span class="hint" id={`${id}-hint`}>
                    {props.hint}
                </span>
            )}
            {props.wrong && (
                <span class="wrong" id={`${id}-wrong`} role="alert">
                    {props.wrong}
                </span>
            )}
        </div>
    );
}

interface CheckProps {
    label: ComponentChildren;
    checked: boolean;
    onChange: (checked: boolean) => void;
    disabled?: boolean;
}

export function Check({ label, checked, onChange, disabled }: CheckProps) {
    return (
        <label class="check">
            <input
                type="checkbox"
                checked={checked}
                disabled={disabled}
                onChange={(event) => onChange(event.currentTarget.checked)}
            />
            <span>{label}</span>
        </label>
    );
}
