/** The keys of the present state, and only those. */
import { settings } from "@/app/settings";
import { useMatch } from "@/play/context";
import { usePlay } from "@/play/state";
import { Sheet } from "@/ui/Sheet";
import { t } from "@/words";

const ALWAYS: readonly [string, string][] = [
    ["M", "keys.map"],
    ["L", "keys.list"],
    ["T", "keys.town"],
    ["Z", "keys.fit"],
    ["+ − 0", "keys.zoom"],
    ["↑ ↓ ← →", "keys.arrows"],
    ["Enter", "keys.enter"],
    ["U", "keys.undo"],
    ["N", "keys.next"],
    ["/", "keys.say"],
    ["Esc", "keys.escape"],
];

/** Keys of the map alone. */
const ON_MAP = new Set(["L", "T", "Z", "+ − 0", "↑ ↓ ← →", "Enter"]);

export function KeysSheet({ onClose }: { onClose: () => void }) {
    const { desk } = usePlay();
    const context = useMatch();
    const view = context.match.view.value;
    const battle = context.scene.value.kind === "battle";
    const own = view === null ? [] : battle ? (context.game.sceneKeys?.(context) ?? []) : desk.value.keys(view);
    const ownKeys = own.map((key) => key.key.toUpperCase());
    const commit = view === null ? null : desk.value.commit(view);
    const battles = view === null ? 0 : (context.game.scenes?.(view).length ?? 0);
    return (
        <Sheet title={t("keys.title")} onClose={onClose}>
            {!settings.value.letterKeys && <p class="notice">{t("keys.off")}</p>}
            <table class="keys-table">
                <tbody>
                    {commit !== null && <Line keys="Ctrl Enter" label={commit.label} />}
                    {own.map((key) => (
                        <Line key={key.key} keys={key.key.length === 1 ? key.key.toUpperCase() : key.key} label={key.label} />
                    ))}
                    {view !== null && context.game.mayPlan?.(view, context.match.seat.value) === true && <Line keys="P" label={t(`plan.open${context.game.plansWhat?.(view) ?? ""}`)} />}
                    {battles > 0 && <Line keys="Alt 1…9" label={t("keys.battles")} />}
                    {ALWAYS.filter(([key]) => !ownKeys.includes(key) && !(battle && ON_MAP.has(key))).map(([key, label]) => (
                        <Line key={key} keys={key} label={t(label)} />
                    ))}
                </tbody>
            </table>
        </Sheet>
    );
}

function Line({ keys, label }: { keys: string; label: string }) {
    return (
        <tr>
            <td>
                {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                ))}
            </td>
            <td>{label}</td>
        </tr>
    );
}
