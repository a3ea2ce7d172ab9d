/** A sheet over the page: one question or one text. Esc and a press beside it close it. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "@/words";

interface SheetProps {
    title: ComponentChildren;
    children: ComponentChildren;
    /** Buttons at its foot. */
    foot?: ComponentChildren;
    wide?: boolean;
    onClose: () => void;
}

const FOCUSABLE = "a[href], button:not([disabled]), input, select, textarea, [tabindex]:not([tabindex='-1'])";

export function Sheet({ title, children, foot, wide, onClose }: SheetProps) {
    const sheet = useRef<HTMLDivElement>(null);
    const name = useId();
    // At once, not after the next frame: a key pressed as the sheet comes is for the sheet.
    useLayoutEffect(() => {
        const before = document.activeElement;
        const inside = sheet.current;
        (inside?.querySelector<HTMLElement>("[autofocus]") ?? inside)?.focus();
        return () => {
            if (before instanceof HTMLElement && before.isConnected) before.focus();
        };
    }, []);
    // What had the focus may be gone: then Esc is still for the sheet.
    useLayoutEffect(() => {
        const heard = (event: KeyboardEvent): void => {
            if (event.key !== "Escape" || event.defaultPrevented || document.activeElement !== document.body) return;
            event.preventDefault();
            onClose();
        };
        document.addEventListener("keydown", heard);
        return () => document.removeEventListener("keydown", heard);
    }, [onClose]);
    const onKeyDown = (event: KeyboardEvent): void => {
        event.stopPropagation();
        if (event.key === "Escape") {
            event.preventDefault();
            onClose();
        } else if (event.key === "Tab" && sheet.current !== null) {
            keepInside(event, sheet.current);
        }
    };
    return (
        <div class="sheet-back" onPointerDown={(event) => event.target === event.currentTarget && onClose()}>
            <div
                class={wide ? "sheet wide" : "sheet"}
                role="dialog"
                aria-modal="true"
                aria-labelledby={name}
                tabIndex={-1}
                ref={sheet}
                onKeyDown={onKeyDown}
            >
                <div class="sheet-head">
                    <h2 id={name}>{title}</h2>
                    <button type="button" class="button quiet icon-button" aria-label={t("ui.close")} onClick={onClose}>
                        <Cross />
                    </button>
                </div>
                <div class="sheet-body">{children}</div>
                {foot !== undefined && <div class="sheet-foot">{foot}</div>}
            </div>
        </div>
    );
}

/** Tab stays within a sheet that covers the page. */
function keepInside(event: KeyboardEvent, sheet: HTMLElement): void {
    const places = [...sheet.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((place) => place.offsetParent !== null);
    const first = places[0];
    const last = places[places.length - 1];
    if (first === undefined || last === undefined) return;
    if (event.shiftKey && (document.activeElement === first || document.activeElement === sheet)) {
        event.preventDefault();
        last.focus();
    } else if (!event.shiftKey && document.activeElement === last) {
        event.preventDefault();
        first.focus();
    }
}

export function Cross() {
    return (
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
        </svg>
    );
}
