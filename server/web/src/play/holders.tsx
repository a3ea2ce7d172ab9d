/** What Waterloo's desks show outside their bodies: their sheets, and battles for who waits. */
import { useMatch, viewToDraw } from "@/play/context";
import type { MarchDesk } from "@/play/march";
import { MarchSheet } from "@/play/MarchSheet";
import type { SetUpDesk } from "@/play/setup";
import { NameSheet } from "@/play/SetUpBody";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { t, townName } from "@/words";

/** The end of a march, over the page. */
export function MarchSheetHolder() {
    const view = viewToDraw(useMatch());
    return view === null ? null : <MarchSheet desk={usePlay().desk.value as MarchDesk} view={view} />;
}

/** The name of a deployment that is kept. */
export function NamingHolder() {
    const desk = usePlay().desk.value as SetUpDesk;
    return <NameSheet desk={desk} onClose={() => (desk.naming.value = false)} />;
}

/** Battles that go on while one waits. */
export function Meanwhile({ view }: { view: View }) {
    const { scene } = useMatch();
    const battles = Object.entries(view.board.battles ?? {}).filter(([, battle]) => battle.phase !== "over");
    return (
        <>
            {battles.map(([town]) => (
                <button key={town} type="button" class="button" onClick={() => (scene.value = { kind: "battle", town })}>
                    {t("play.see_battle", { town: townName(town, "in") })}
                </button>
            ))}
        </>
    );
}
