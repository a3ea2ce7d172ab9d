/** Tabs as the ARIA practices describe them: arrows move, the panel follows. */
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface TabItem<Id extends string> {
    id: Id;
    label: ComponentChildren;
    /** A number beside the label, shown from 1 up. */
    count?: number;
}

interface TabsProps<Id extends string> {
    items: TabItem<Id>[];
    chosen: Id;
    onChoose: (id: Id) => void;
    /** What the row of tabs is called. */
    name: string;
    children: ComponentChildren;
    class?: string;
}

export function Tabs<Id extends string>({ items, chosen, onChoose, name, children, class: more }: TabsProps<Id>) {
    const base = useId();
    const row = useRef<HTMLDivElement>(null);
    const onKeyDown = (event: KeyboardEvent): void => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const at = items.findIndex((item) => item.id === chosen);
        const next = items[(at + step + items.length) % items.length];
        if (next === undefined) return;
        onChoose(next.id);
        row.current?.querySelector<HTMLElement>(`#${CSS.escape(`${base}-${next.id}`)}`)?.focus();
    };
    return (
        <div class={more ?? ""}>
            <div class="tabs" role="tablist" aria-label={name} ref={row} onKeyDown={onKeyDown}>
                {items.map((item) => (
                    <button
                        key={item.id}
                        id={`${base}-${item.id}`}
                        type="button"
                        class="tab"
                        role="tab"
                        aria-selected={item.id === chosen}
                        aria-controls={`${base}-panel`}
                        tabIndex={item.id === chosen ? 0 : -1}
                        onClick={() => onChoose(item.id)}
                    >
                        {item.label}
                        {item.count !== undefined && item.count > 0 && <span class="tab-count"> {item.count}</span>}
                    </button>
                ))}
            </div>
            <div id={`${base}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${base}-${chosen}`}>
                {children}
            </div>
        </div>
    );
}
