/** The panels of what follows a combat: losses of an exchange, pushing back, batteries, advances. */
import type { AdvanceDesk } from "@/austerlitz/advance";
import type { ExchangeDesk } from "@/austerlitz/exchange";
import { CounterAt, CounterButton } from "@/austerlitz/Faces";
import { Plan } from "@/austerlitz/Plan";
import type { RetreatDesk } from "@/austerlitz/retreat";
import { hexView } from "@/austerlitz/types";
import { hexName, unitName } from "@/austerlitz/units";
import { useHexDesk } from "@/austerlitz/use";
import { useMatch } from "@/play/context";
import type { View } from "@/types";
import { Rich, t, tt } from "@/words";

export function ExchangeBody({ view }: { view: View }) {
    const desk = useHexDesk<ExchangeDesk>();
    const now = hexView(view);
    const due = now.prompt?.id === "exchange" ? now.prompt.due : 0;
    return (
        <div class="draft">
            <fieldset class="aus-sets">
                <legend class="overline">{t("aus.sets", { due })}</legend>
                {desk.sets.value.map((set, i) => {
                    const sum = set.reduce((all, hex) => all + (now.board.units[hex]?.potential ?? 0), 0);
                    return (
                        <label key={i} class="aus-set">
                            <input type="radio" name="aus-set" checked={desk.chosen.value === i} onChange={() => desk.choose(i)} />
                            <span class="aus-counters">
                                {set.map((hex) => (
                                    <CounterAt key={hex} view={now} hex={hex} size={34} />
                                ))}
                            </span>
                            <span class="pill">{t("aus.sum", { sum, due })}</span>
                        </label>
                    );
                })}
            </fieldset>
            <Plan view={view} />
        </div>
    );
}

export function RetreatBody({ view }: { view: View }) {
    const desk = useHexDesk<RetreatDesk>();
    const { openRule } = useMatch();
    const now = hexView(view);
    const at = desk.selected.value;
    const units = desk.units(now);
    const battery = desk.kind === "aus.battery";
    return (
        <div class="draft">
            {units.length > 1 && (
                <p class="aus-counters aus-pad">
                    {units.map((hex) => (
                        <CounterButton key={hex} view={now} hex={hex} pressed={hex === at} onPress={() => desk.select(hex)} />
                    ))}
                </p>
            )}
            {at !== null && (
                <section class="aus-taken">
                    <div class="aus-unit">
                        <CounterAt view={now} hex={at} size={40} />
                        <div>
                            <p class="row-title">{unitName(now, at)}</p>
                            <p class="small">{desk.way.value.length === 0 ? hexName(at) : [at, ...desk.way.value].map(hexName).join(" → ")}</p>
                        </div>
                    </div>
                    {desk.hopeless() && (
                        <p class="refused">
                            <Rich of={[...tt(battery ? "aus.must_stay" : "aus.is_lost"), { text: " " }, { text: "7.4", rule: "7.4" }]} onRule={openRule} />
                        </p>
                    )}
                    <div class="aus-options" role="group" aria-label={t("aus.options")}>
                        {desk.options().map((hex, i) => (
                            <button key={hex} type="button" class="button small-button" data-to={hex} onClick={() => desk.to(hex)}>
                                <b>{i + 1}</b> {now.board.units[hex] === undefined ? hexName(hex) : t("aus.pushes_on", { unit: unitName(now, hex) })}
                            </button>
                        ))}
                    </div>
                    {desk.way.value.length > 0 && !desk.whole() && (
                        <p class="small">
                            <Rich of={[...tt("aus.chain_note"), { text: " " }, { text: "7.3", rule: "7.3" }]} onRule={openRule} />
                        </p>
                    )}
                    {battery && desk.way.value.length > 0 && (
                        <button type="button" class="button small-button" onClick={() => void desk.stay()}>
                            {t("aus.stay", { unit: unitName(now, at) })}
                        </button>
                    )}
                </section>
            )}
            <Plan view={view} />
        </div>
    );
}

export function AdvanceBody({ view }: { view: View }) {
    const desk = useHexDesk<AdvanceDesk>();
    const now = hexView(view);
    return (
        <div class="draft">
            <ul class="aus-advances">
                {[...desk.may.value].map(([unit, hexes]) => (
                    <li key={unit}>
                        <CounterButton view={now} hex={unit} pressed={desk.selected.value === unit || desk.moves.value.has(unit)} onPress={() => desk.select(unit)} />
                        <span class="aus-options" role="group" aria-label={t("aus.may_enter", { unit: unitName(now, unit) })}>
                            {hexes.map((hex) => (
                                <button
                                    key={hex}
                                    type="button"
                                    class="button small-button"
                                    data-to={hex}
                                    aria-pressed={desk.moves.value.get(unit) === hex}
                                    onClick={() => {
                                        desk.selected.value = unit;
                                        desk.to(hex);
                                    }}
                                >
                                    {hexName(hex)}
                                </button>
                            ))}
                        </span>
                    </li>
                ))}
            </ul>
            <Plan view={view} />
        </div>
    );
}
