/** The draft of a march: what is held, and a row for every order. */
import { DraftState } from "@/drafts/DraftState";
import { useMatch } from "@/play/context";
import { roadsOf } from "@/play/graph";
import { nationsOf, ownByTown } from "@/play/desk";
import { isSheet, layout } from "@/play/layout";
import { MarchDesk, rowTitle } from "@/play/march";
import { wire } from "@/play/wire";
import { tightest, type MarchRow } from "@/play/marks";
import { Refused } from "@/play/Refused";
import { usePlay } from "@/play/state";
import { stackUnit } from "@/play/units";
import type { TownId, View } from "@/types";
import { Check } from "@/ui/Field";
import { Cross } from "@/ui/Sheet";
import { Stack } from "@/ui/Stack";
import { list, plain, refusalWords, Rich, t, townName, tt, unitName } from "@/words";

export function MarchBody({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof MarchDesk)) return null;
    const rows = now.rows(view);
    const attacks = Object.keys(view.board.attacks ?? {});
    return (
        <section class="draft" aria-label={t("march.draft")}>
            <div class="panel-section-head">
                <h3>{t("march.draft")}</h3>
                {rows.length > 0 && (
                    <span class="small">
                        <DraftState of={now.draft} /> ·{" "}
                        <button type="button" class="link-button" onClick={() => void now.clear()}>
                            {t("march.clear")}
                        </button>
                    </span>
                )}
            </div>
            {now.orders.tells && <Shared view={view} kept={now.draft.state.value !== "none"} />}
            {now.orders.none.value && <p class="told">{t("plan.none")}</p>}
            <Held desk={now} view={view} />
            <Refused desk={now} at="hand" />
            {rows.length === 0 && now.selected.value.size === 0 && (
                <>
                    <p class="hint">{t(isSheet(layout.value) || layout.value === "land" ? "march.how_touch" : "march.how")}</p>
                    <Groups desk={now} view={view} />
                </>
            )}
            <ol class="rows">
                {rows.map((row, i) => (
                    <Row key={row.id} n={i + 1} row={row} desk={now} view={view} />
                ))}
            </ol>
            {rows.some((row) => row.forced.length > 0) && <p class="hint">{t("march.dice_note")}</p>}
            {attacks.length > 0 && (
                <div class="draft-pursuit">
                    <Check
                        label={t("march.pursuit")}
                        checked={attacks.every((town) => !now.mercy.value.has(town))}
                        onChange={(on) => attacks.forEach((town) => now.spare(town, !on))}
                    />
                </div>
            )}
        </section>
    );
}

/** The towns whose blocks may march, before anything is drafted: a second way to take them up. */
function Groups({ desk, view }: { desk: MarchDesk; view: View }) {
    const { focus } = useMatch();
    const groups = [...ownByTown(view, nationsOf(view))]
        .map(([town, units]) => ({ town, units: units.filter((unit) => desk.mayMarch(unit)) }))
        .filter((group) => group.units.length > 0)
        .sort((a, b) => b.units.length - a.units.length);
    const take = (town: TownId): void => {
        focus.value = { town, n: (focus.value?.n ?? 0) + 1 };
        void desk.takeStack(town);
    };
    return (
        <ul class="groups">
            {groups.map(({ town, units }) => (
                <li key={town} class="group">
                    <button type="button" class="row-title" title={t("march.act_all")} onClick={() => take(town)}>
                        {townName(town)}
                    </button>
                    <Stack units={units.map((unit) => stackUnit(view, unit))} onBlock={(unit) => void desk.press(unit)} size={26} />
                </li>
            ))}
        </ul>
    );
}

/** The blocks that are taken up, with the others of their town: pressed in or out. */
function Held({ desk, view }: { desk: MarchDesk; view: View }) {
    const held = [...desk.selected.value];
    const first = held[0];
    if (first === undefined) return null;
    const town = view.board.units[first]?.town ?? "";
    const legal = desk.legal();
    const forced = [...legal.values()].filter((one) => one.forced).length;
    return (
        <div class="held">
            <p class="row-title">{t("march.held", { n: held.length, town: townName(town, "in") })}</p>
            <HeldBlocks desk={desk} view={view} town={town} size={30} />
            <p class="hint">
                {legal.size === 0 ? t("march.nowhere") : t("march.choose_town", { n: legal.size, forced })}
            </p>
        </div>
    );
}

/** The blocks of a town as buttons: those that are held with a ring. */
export function HeldBlocks({ desk, view, town, size }: { desk: MarchDesk; view: View; town: TownId; size: number }) {
    const held = desk.held.value;
    const row = desk.row();
    const all = ownByTown(view, nationsOf(view)).get(town) ?? [];
    const free = all.filter((unit) => held.has(unit) || desk.mayMarch(unit) || row?.units.includes(unit));
    const units = free.map((unit) => stackUnit(view, unit, held.has(unit) ? { selected: true } : {}));
    return <Stack class="held-blocks" units={units} onBlock={(unit) => void desk.press(unit)} size={size} />;
}

interface RowProps {
    n: number;
    row: MarchRow;
    desk: MarchDesk;
    view: View;
}

function Row({ n, row, desk, view }: RowProps) {
    const { match, openRule } = useMatch();
    const board = match.board.value;
    const use = tightest(board === null ? null : roadsOf(board.roads), view.board.roads, row.from, row.path);
    const edited = desk.editing.value === row.id;
    const to = row.path[row.path.length - 1] ?? "";
    const attack = view.board.attacks?.[to];
    const unfit = desk.orders.unfit.value.get(row.id);
    return (
        <li data-unfit={unfit === undefined ? undefined : "yes"} class={edited ? "row edited" : "row"} data-army={row.army}>
            <div class="row-head">
                <span class="row-n" aria-hidden="true">{n}</span>
                <button type="button" class="row-title" aria-pressed={edited} onClick={() => desk.edit(edited ? null : row.id)}>
                    {rowTitle(row)}
                </button>
                {use !== null && (
                    <span class={edited ? "pill edited" : "pill"} aria-label={t("march.road_use", { used: use.used, cap: use.cap })}>
                        {use.used}/{use.cap}
                    </span>
                )}
                <button type="button" class="row-x" aria-label={t("march.remove_row", { row: rowTitle(row) })} onClick={() => void desk.remove(row.id)}>
                    <Cross />
                </button>
            </div>
            {edited ? (
                <HeldBlocks desk={desk} view={view} town={row.from} size={26} />
            ) : (
                <Stack units={row.units.map((unit) => stackUnit(view, unit))} onBlock={() => desk.edit(row.id)} size={26} />
            )}
            <Refused desk={desk} at={row.id} />
            {unfit !== undefined && (
                <p class="row-forced">
                    <b>{t("draft.unfit_row")}</b> <Rich of={refusalWords(wire(unfit))} onRule={openRule} />
                </p>
            )}
            {row.forced.length > 0 && (
                <p class="row-forced">
                    <Rich of={tt("march.forced_row", { n: row.forced.length, units: forcedNames(row, view) })} />
                </p>
            )}
            {attack !== undefined && attack.enough === false && <p class="row-forced">{t("march.too_few")}</p>}
            {edited && desk.variants.value.length > 1 && <Variants desk={desk} row={row} />}
            {edited && <p class="hint edit-hint">{t("march.edit_hint")}</p>}
        </li>
    );
}

function forcedNames(row: MarchRow, view: View): string {
    const names = row.forced.map((unit) => {
        const cv = view.board.units[unit]?.cv ?? 1;
        return t("march.forced_unit", { unit: unitName(unit), cv, after: cv - 1 });
    });
    return plain(list(names));
}

/** Ways of equal length through other towns. */
function Variants({ desk, row }: { desk: MarchDesk; row: MarchRow }) {
    return (
        <div class="variants" role="group" aria-label={t("march.variants")}>
            {desk.variants.value.map((path) => (
                <button
                    key={path.join(" ")}
                    type="button"
                    class="button variant"
                    aria-pressed={path.join() === row.path.join()}
                    onClick={() => void desk.reroute(path)}
                >
                    {t("march.by", { town: plain(list(path.slice(0, -1).map((town) => townName(town)))) })}
                </button>
            ))}
        </div>
    );
}

/** Two Allied seats march side by side: what that means for who gives orders here. kept: orders that are not given yet. */
function Shared({ view, kept }: { view: View; kept: boolean }) {
    const { openRule } = useMatch();
    const seat = view.as;
    const own = seat === "public" || seat === "all" ? [] : (view.board.seats[seat] ?? []);
    const theirs = Object.keys(view.board.marches ?? {}).filter((unit) => !own.includes(unit.slice(0, 2) as "AD"));
    return (
        <p class="hint">
            {!kept && (
                <>
                    <Rich of={[...tt("march.shared"), { text: " " }, { text: "W18.4", rule: "W18.4" }]} onRule={openRule} />{" "}
                </>
            )}
            {theirs.length > 0 && t("march.ally", { n: theirs.length })}
        </p>
    );
}
