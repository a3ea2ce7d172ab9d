/** The set-up: the hand, saved and suggested deployments. Blocks are dragged, or pressed and then the town. */
import { useState } from "preact/hooks";
import { DraftState } from "@/drafts/DraftState";
import { useMatch } from "@/play/context";
import { suggested, type Deployment } from "@/play/deployments";
import { nationsOf } from "@/play/desk";
import { Refused } from "@/play/Refused";
import { SetUpDesk } from "@/play/setup";
import { Sketch } from "@/play/Sketch";
import { usePlay } from "@/play/state";
import { stackUnit } from "@/play/units";
import type { UnitId, View } from "@/types";
import { Block } from "@/ui/Block";
import { Field } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { dateTime, t } from "@/words";

export function SetUpBody({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof SetUpDesk)) return null;
    return (
        <>
            <Hand desk={now} view={view} />
            <Deployments desk={now} view={view} />
        </>
    );
}

function Hand({ desk, view }: { desk: SetUpDesk; view: View }) {
    const hand = desk.hand.value;
    const total = desk.total;
    const at = desk.refused.value?.at ?? "";
    return (
        <section class="hand" aria-label={t("setup.hand")}>
            <div class="panel-section-head">
                <h3>{t("setup.hand")}</h3>
                <span class="small">
                    {t("setup.placed_of", { n: total - hand.length, of: total })}
                    {desk.draft.state.value !== "none" && " · "}
                    <DraftState of={desk.draft} />
                </span>
            </div>
            <ul class="hand-blocks">
                {hand.map((unit) => (
                    <li key={unit}>
                        <HandBlock desk={desk} unit={unit} view={view} />
                    </li>
                ))}
            </ul>
            <Refused desk={desk} at={at} />
            <p class="hint">
                {t("setup.how")}{" "}
                <span class="foot-keys">
                    <kbd>N</kbd> {t("setup.key_next")} <kbd>Q</kbd> {t("setup.key_back")}
                </span>
            </p>
            <p class="hand-acts">
                {desk.selected.value !== null && !hand.includes(desk.selected.value) && (
                    <button type="button" class="button" onClick={() => desk.selected.value !== null && desk.takeBack(desk.selected.value)}>
                        {t("setup.act_back")}
                    </button>
                )}
                {hand.length < total && (
                    <button type="button" class="link-button" onClick={() => desk.clear()}>
                        {t("setup.clear")}
                    </button>
                )}
            </p>
        </section>
    );
}

/** A block in the hand: pressed to choose it, or dragged to a town of the map. */
function HandBlock({ desk, unit, view }: { desk: SetUpDesk; unit: UnitId; view: View }) {
    const block = stackUnit(view, unit);
    const selected = desk.selected.value === unit;
    const carried = desk.carried.value?.unit === unit;
    let start: { x: number; y: number } | null = null;
    const drop = (): void => {
        const held = desk.carried.value;
        desk.carried.value = null;
        if (held !== null && held.town !== null) desk.place([unit], held.town);
    };
    return (
        <button
            type="button"
            class={carried ? "stack-block carried" : "stack-block"}
            aria-pressed={selected}
            aria-label={block.label}
            title={block.label}
            onClick={() => desk.choose(selected ? null : unit)}
            onPointerDown={(event) => {
                start = { x: event.clientX, y: event.clientY };
                const button = event.currentTarget;
                const move = (to: PointerEvent): void => {
                    if (start === null) return;
                    const far = Math.hypot(to.clientX - start.x, to.clientY - start.y) > 6;
                    if (desk.carried.value === null && !far) return;
                    to.preventDefault();
                    desk.selected.value = unit;
                    desk.carried.value = { unit, x: to.clientX, y: to.clientY, town: townAt(to.clientX, to.clientY) };
                };
                const up = (): void => {
                    start = null;
                    removeEventListener("pointermove", move);
                    removeEventListener("pointerup", up);
                    removeEventListener("pointercancel", cancel);
                    removeEventListener("keydown", escape, true);
                    if (desk.carried.value !== null) {
                        button.addEventListener("click", (click) => click.stopImmediatePropagation(), { once: true, capture: true });
                        drop();
                    }
                };
                const cancel = (): void => {
                    desk.carried.value = null;
                    up();
                };
                const escape = (key: KeyboardEvent): void => {
                    if (key.key === "Escape") cancel();
                };
                addEventListener("pointermove", move);
                addEventListener("pointerup", up);
                addEventListener("pointercancel", cancel);
                addEventListener("keydown", escape, true);
            }}
        >
            <Block
                army={block.army}
                type={block.type}
                cv={block.cv}
                maxCv={block.maxCv}
                {...(block.formation === undefined ? {} : { formation: block.formation })}
                size={40}
                state={selected ? { selected: true } : {}}
            />
        </button>
    );
}

/** The town of the map under a point of the page. */
export function townAt(x: number, y: number): string | null {
    for (const element of document.elementsFromPoint(x, y)) {
        const town = element.closest("[data-town]")?.getAttribute("data-town");
        if (town) return town;
    }
    return null;
}

/** The block that a pointer carries from the hand, and what a drop would do. */
export function Carried({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof SetUpDesk)) return null;
    const held = now.carried.value;
    if (held === null) return null;
    const block = stackUnit(view, held.unit);
    const reason = held.town === null ? undefined : now.reason(view, held.unit, held.town);
    const note = held.town === null ? undefined : (reason ?? now.note(view, held.unit, held.town));
    return (
        <div class="carried-ghost" style={{ left: `${held.x}px`, top: `${held.y}px` }} aria-hidden="true">
            <Block army={block.army} type={block.type} cv={block.cv} maxCv={block.maxCv} formation={block.formation ?? ""} size={46} state={{ selected: true }} />
            {note !== undefined && <span class={reason === undefined ? "ghost-note" : "ghost-note no"}>{note}</span>}
        </div>
    );
}

function Deployments({ desk, view }: { desk: SetUpDesk; view: View }) {
    const { match } = useMatch();
    const board = match.board.value;
    if (board === null) return null;
    const all = [...suggested(board, nationsOf(view)), ...desk.own.value];
    return (
        <section class="deployments" aria-label={t("setup.deployments")}>
            <div class="panel-section-head">
                <h3>{t("setup.deployments")}</h3>
                <button type="button" class="link-button strong" onClick={() => (desk.naming.value = true)} disabled={desk.placed.value.size === 0}>
                    {t("setup.save")}
                </button>
            </div>
            <ul class="deployment-cards">
                {all.map((one) => (
                    <Card key={one.id} one={one} desk={desk} />
                ))}
            </ul>
            <p class="hint">{t("setup.use_note")}</p>
        </section>
    );
}

function Card({ one, desk }: { one: Deployment; desk: SetUpDesk }) {
    const { match } = useMatch();
    const board = match.board.value;
    const state = desk.stateOf(one);
    const name = one.suggested ? t(one.name) : one.name;
    return (
        <li class={state === null ? "deployment card" : "deployment card now"}>
            {board !== null && <Sketch board={board} placement={one.placement} />}
            <span class="deployment-words">
                <b class="deployment-name">{name}</b>
                <span class="small">
                    {one.note !== undefined ? t(one.note) : t("setup.yours", { date: dateTime(one.at ?? 0) })}
                </span>
            </span>
            {state === null ? (
                <button type="button" class="button" aria-label={t("setup.use_named", { name })} onClick={() => desk.use(one)}>
                    {t("setup.use")}
                </button>
            ) : (
                <span class="chip">{t(state === "now" ? "setup.in_use" : "setup.changed")}</span>
            )}
            {!one.suggested && (
                <button type="button" class="row-x" aria-label={t("setup.forget", { name })} onClick={() => desk.drop(one.id)}>
                    ×
                </button>
            )}
        </li>
    );
}

/** Asks for the name under which a deployment is kept. */
export function NameSheet({ desk, onClose }: { desk: SetUpDesk; onClose: () => void }) {
    const [name, setName] = useState("");
    const keep = (): void => {
        if (name.trim() === "") return;
        desk.keep(name.trim());
        onClose();
    };
    return (
        <Sheet
            title={t("setup.save_title")}
            onClose={onClose}
            foot={
                <button type="button" class="button primary" aria-disabled={name.trim() === ""} onClick={keep}>
                    {t("setup.save_do")}
                </button>
            }
        >
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    keep();
                }}
            >
                <Field label={t("setup.save_name")} value={name} onInput={setName} maxLength={40} autofocus hint={t("setup.save_hint")} />
            </form>
        </Sheet>
    );
}
