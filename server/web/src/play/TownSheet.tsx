/** Typing a town's name instead of looking for it. */
import { useMemo, useState } from "preact/hooks";
import { useMatch, viewToDraw } from "@/play/context";
import { useMapPlay } from "@/play/state";
import type { TownId } from "@/types";
import { Field } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { t, townName } from "@/words";

const SHOWN = 12;

/** Without accents and case, so that "liege" finds Liège. */
function bare(text: string): string {
    return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function TownSheet({ onClose }: { onClose: () => void }) {
    const { match, focus } = useMatch();
    const { desk } = useMapPlay();
    const view = viewToDraw(useMatch());
    const [text, setText] = useState("");
    const towns = match.board.value?.towns ?? [];
    const legal = view === null ? undefined : desk.value.marks(view).legalTowns;
    const found = useMemo(() => {
        const wanted = bare(text.trim());
        const all = towns.map((town) => ({ id: town.id, name: townName(town.id) })).filter((town) => bare(town.name).includes(wanted) || bare(town.id).includes(wanted));
        const rank = (town: { id: TownId; name: string }): number => (legal?.has(town.id) ? 0 : 2) + (bare(town.name).startsWith(wanted) ? 0 : 1);
        return all.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)).slice(0, SHOWN);
    }, [text, towns, legal]);
    const take = (town: TownId): void => {
        onClose();
        focus.value = { town, n: (focus.value?.n ?? 0) + 1 };
        if (view !== null) desk.value.handlers(view).onTown?.(town, { shift: false, keyboard: true });
    };
    return (
        <Sheet title={t("town.title")} onClose={onClose}>
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    if (found[0] !== undefined) take(found[0].id);
                }}
            >
                <Field label={t("town.name")} value={text} onInput={setText} autofocus autocomplete="off" />
            </form>
            <ul class="town-list">
                {found.map((town, i) => (
                    <li key={town.id}>
                        <button type="button" class={i === 0 ? "button first" : "button"} onClick={() => take(town.id)}>
                            {town.name} {legal?.has(town.id) && <span class="chip">{t("town.legal")}</span>}
                        </button>
                    </li>
                ))}
            </ul>
        </Sheet>
    );
}
