/** Typing a hex, a place or a unit instead of looking for it. */
import { useMemo, useState } from "preact/hooks";
import { hexOf } from "@/austerlitz/grid";
import { hexView, type Hex, type HexBoardData } from "@/austerlitz/types";
import { hexName, unitName } from "@/austerlitz/units";
import { useHexDesk } from "@/austerlitz/use";
import { useMatch } from "@/play/context";
import { Field } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { t } from "@/words";

const SHOWN = 12;

/** Without accents and case. */
function bare(text: string): string {
    return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function PlaceSheet({ onClose }: { onClose: () => void }) {
    const { match, focus } = useMatch();
    const desk = useHexDesk();
    const [text, setText] = useState("");
    const view = match.view.value === null ? null : hexView(match.view.value);
    const board = match.board.value as unknown as HexBoardData | null;
    const legal = new Set(view === null ? [] : (desk.marks(view).legal ?? []).map((mark) => mark.hex));
    const names = useMemo(() => {
        const places = (board?.places ?? []).map((place) => ({ hex: place.hex, name: hexName(place.hex) }));
        const units = Object.keys(view?.board.units ?? {}).map((hex) => ({ hex, name: `${unitName(view!, hex)}, ${hexName(hex)}` }));
        return [...units, ...places];
    }, [board, view]);
    const wanted = bare(text.trim());
    const number = /^\d{4}$/.test(wanted) ? hexOf(Number(wanted.slice(0, 2)), Number(wanted.slice(2))) : undefined;
    const found = [
        ...(number === undefined ? [] : [{ hex: number, name: hexName(number) }]),
        ...names.filter((one) => bare(one.name).includes(wanted)).sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)),
    ];
    const shown = found.filter((one, i) => found.findIndex((other) => other.name === one.name) === i).slice(0, SHOWN);
    function rank(one: { hex: Hex; name: string }): number {
        return (legal.has(one.hex) ? 0 : 2) + (bare(one.name).startsWith(wanted) ? 0 : 1);
    }
    const take = (hex: Hex): void => {
        onClose();
        focus.value = { town: hex, n: (focus.value?.n ?? 0) + 1 };
        if (view === null) return;
        const { onUnit, onHex } = desk.handlers(view);
        const how = { shift: false, keyboard: true };
        if (view.board.units[hex] !== undefined && onUnit !== undefined) onUnit(hex, how);
        else onHex?.(hex, how);
    };
    return (
        <Sheet title={t("aus.place_title")} onClose={onClose}>
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    if (shown[0] !== undefined) take(shown[0].hex);
                }}
            >
                <Field label={t("aus.place_name")} value={text} onInput={setText} autofocus autocomplete="off" />
            </form>
            <ul class="town-list">
                {shown.map((one, i) => (
                    <li key={one.name}>
                        <button type="button" class={i === 0 ? "button first" : "button"} onClick={() => take(one.hex)}>
                            {one.name} {legal.has(one.hex) && <span class="chip">{t("town.legal")}</span>}
                        </button>
                    </li>
                ))}
            </ul>
        </Sheet>
    );
}
