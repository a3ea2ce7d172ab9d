/** The keys that mean something on the battle board now, for the sheet of keys. */
import { viewToDraw, type MatchContext } from "@/play/context";
import { capital, t, unitName } from "@/words";
import { powersOf } from "./acts";
import { deskOf } from "./desk";
import { battleView } from "./model";

export interface KeyLine {
    key: string;
    label: string;
}

const named: Record<string, string> = { arrowleft: "←", arrowright: "→" };

/** Empty while no battle is on the board, or it is not this seat's to play. */
export function battleKeys(context: MatchContext): KeyLine[] {
    const scene = context.scene.value;
    const view = viewToDraw(context);
    if (scene.kind !== "battle" || view === null || context.shown.value !== null) return [];
    const phase = view.board.battles?.[scene.town]?.phase;
    const prompt = view.prompt?.id;
    if (phase === "deploy" && (prompt === "deploy_defence" || prompt === "deploy_attack")) return deployKeys();
    if (phase !== "fight" || prompt !== "combat") return [];
    const shown = battleView(view, scene.town);
    const unit = deskOf(context.match).selected.value[0];
    const walk = { key: "[ ]", label: t("battle.keys.walk") };
    const end = { key: "Ctrl Enter", label: t("battle.keys.end") };
    if (shown === undefined || unit === undefined) return [walk, end];
    const powers = powersOf(view.actions, shown, unit);
    const lines = powers.deeds.map((deed) => ({ key: named[deed.key] ?? deed.key.toUpperCase(), label: capital(t(`battle.do.${deed.id}`, { lane: deed.to ?? 0 })) }));
    const target = powers.targets[0];
    if (target !== undefined) lines.unshift({ key: "F", label: t("battle.keys.fire", { unit: unitName(target, "at") }) });
    if (powers.retreat) lines.push({ key: "R", label: t("battle.do.retreat") });
    return [walk, ...lines, end];
}

function deployKeys(): KeyLine[] {
    return [
        { key: "1 2 3", label: t("battle.keys.column") },
        { key: "0", label: t("battle.keys.reserve") },
        { key: "Q", label: t("battle.keys.hand") },
        { key: "← →", label: t("battle.keys.blocks") },
        { key: "Ctrl Enter", label: t("battle.deploy.commit") },
    ];
}
