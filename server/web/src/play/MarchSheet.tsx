/** The end of a march: attacks, forced marches and pursuit in one sheet, then it is sent. */
import { online } from "@/net/session";
import { rowTitle, type MarchDesk } from "@/play/march";
import { sum } from "@/play/desk";
import { stackUnit } from "@/play/units";
import type { View } from "@/types";
import { Check } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { Stack } from "@/ui/Stack";
import { Rich, t, townName, tt } from "@/words";

export function MarchSheet({ desk, view }: { desk: MarchDesk; view: View }) {
    const rows = desk.rows(view);
    const attacks = Object.entries(view.board.attacks ?? {});
    const forced = rows.filter((row) => row.forced.length > 0);
    const close = (): void => void (desk.sheet.value = false);
    const button = desk.commit(view);
    return (
        <Sheet
            title={t("march.sheet_title")}
            onClose={close}
            foot={
                <>
                    <button type="button" class="button" onClick={close}>
                        {t("march.go_on")}
                    </button>
                    <button type="button" class="button primary" autofocus onClick={() => void desk.end()}>
                        {online.value ? button?.label : t("play.send_when_back")}
                    </button>
                </>
            }
        >
            {rows.length === 0 && <p class="told">{t("march.sheet_none")}</p>}
            {attacks.length > 0 && <h3>{t("march.sheet_attacks")}</h3>}
            <ul class="sheet-rows">
                {attacks.map(([town, attack]) => (
                    <li key={town}>
                        <p class="told">
                            <Rich of={tt("march.sheet_attack", { town: townName(town), n: sum(attack.attackers), defenders: sum(attack.defenders) })} />
                        </p>
                        <Check label={t("march.sheet_pursuit")} checked={!desk.mercy.value.has(town)} onChange={(on) => desk.spare(town, !on)} />
                    </li>
                ))}
            </ul>
            {forced.length > 0 && <h3>{t("march.sheet_forced")}</h3>}
            <ul class="sheet-rows">
                {forced.map((row) => (
                    <li key={row.id}>
                        <p class="told">{t("march.sheet_forced_row", { row: rowTitle(row), n: row.forced.length })}</p>
                        <Stack units={row.forced.map((unit) => stackUnit(view, unit))} size={26} />
                    </li>
                ))}
            </ul>
            {rows.length > 0 && attacks.length + forced.length === 0 && (
                <>
                    <h3>{t("march.sheet_marches")}</h3>
                    <ul class="sheet-rows">
                        {rows.map((row) => (
                            <li key={row.id} class="told">
                                {t("march.sheet_row", { row: rowTitle(row), n: row.units.length })}
                            </li>
                        ))}
                    </ul>
                </>
            )}
            <p class="small">{t(attacks.length > 0 ? "march.sheet_note_attack" : "march.sheet_note")}</p>
        </Sheet>
    );
}
