/** Hits of pursuit fire and supply losses: a counter, the blocks that may pay, and what they pay. */
import { AllotDesk, SupplyDesk } from "@/play/losses";
import { nationsOf } from "@/play/desk";
import { usePlay } from "@/play/state";
import { stackUnit } from "@/play/units";
import { Die } from "@/ui/Dice";
import { Stack } from "@/ui/Stack";
import type { UnitId, View } from "@/types";
import { capital, commas, nationName, t, townName } from "@/words";

export function AllotBody({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof AllotDesk) || view.prompt?.id !== "allot") return null;
    const { town, stage, hits } = view.prompt;
    const here = Object.keys(view.board.units).filter((unit) => view.board.units[unit]?.town === town && nationsOf(view).includes(unit.slice(0, 2) as "FR"));
    const left = hits - now.total.value;
    const dice = now.dice(view);
    return (
        <section class="losses" aria-label={t("allot.title", { town: townName(town) })}>
            <div class="panel-section-head">
                <h3>{t("allot.title", { town: townName(town) })}</h3>
                <span class="small">{t(`allot.stage_${stage}`)}</span>
            </div>
            {dice.length > 0 && (
                <p class="dice-row" role="img" aria-label={t("allot.dice", { dice: commas(dice.map(String)) })}>
                    {dice.map((die, i) => (
                        <Die key={i} face={die} hit={hitAt(dice, now.hits(view)).has(i)} size={24} />
                    ))}
                </p>
            )}
            <p class="counter" role="status">
                {t("allot.left", { n: left })}
            </p>
            <Stack
                units={here.map((unit) => stackUnit(view, unit, stateOf(now.taken.value.get(unit) ?? 0, now.may(view, unit))))}
                onBlock={(unit) => now.press(view, unit)}
                size={40}
            />
            <p class="hint">{t("allot.how")}</p>
        </section>
    );
}

/** The places of as many dice as hit: the highest ones. */
function hitAt(dice: readonly number[], hits: number): Set<number> {
    const order = dice.map((die, i) => [die, i] as const).sort((a, b) => b[0] - a[0]);
    return new Set(order.slice(0, hits).map(([, i]) => i));
}

function stateOf(n: number, may: boolean): { hit?: number; selected?: boolean; dim?: boolean } {
    if (!may) return { dim: true };
    return n > 0 ? { hit: n, selected: true } : {};
}

export function SupplyBody({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof SupplyDesk)) return null;
    const debt = Object.entries(now.debt(view));
    const of = (nation: string): UnitId[] =>
        Object.keys(view.board.units)
            .filter((unit) => unit.startsWith(nation))
            .sort((a, b) => (view.board.units[a]?.cv ?? 0) - (view.board.units[b]?.cv ?? 0) || (a < b ? -1 : 1));
    return (
        <div class="losses">
            {debt.map(([nation, n]) => {
                const taken = [...now.taken.value.keys()].filter((unit) => unit.startsWith(nation)).length;
                return (
                    <section key={nation} aria-label={nationName(nation)}>
                        <div class="panel-section-head">
                            <h3>{capital(nationName(nation))}</h3>
                            <span class="small" role="status">
                                {t("supply.count", { taken, of: n ?? 0 })}
                            </span>
                        </div>
                        <ul class="supply-rows">
                            {of(nation).map((unit) => (
                                <li key={unit}>
                                    <Stack
                                        units={[stackUnit(view, unit, now.taken.value.has(unit) ? { selected: true } : {})]}
                                        onBlock={(one) => now.press(view, one)}
                                        size={30}
                                    />
                                    <span class="small">{townName(view.board.units[unit]?.town ?? "")}</span>
                                </li>
                            ))}
                        </ul>
                    </section>
                );
            })}
            <p class="hint">{t("supply.how")}</p>
        </div>
    );
}
