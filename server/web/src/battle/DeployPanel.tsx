/** The panel while columns are formed: orders of battle with sketches, kept ones, and the commit. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { announce } from "@/app/live";
import { useMatch } from "@/play/context";
import { armyName } from "@/ui/army";
import { Field } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { t, tt, townName, type Token } from "@/words";
import type { TownId, View } from "@/types";
import { BattleList, Foot, RefusedLine } from "./BattlePanel";
import { deployAction, setDraft, undoDraft, useDeploying, type Deploying } from "./deploying";
import { markOf } from "./model";
import { apply, forgetOrder, keepOrder, keptOrders, orderFrom, same, suggest, suggestions, type Draft, type Order } from "./orders";

export function DeployPanel({ town, view }: { town: TownId | null; view: View }): JSX.Element {
    const due = view.prompt !== undefined && "battles" in view.prompt ? view.prompt.battles : [];
    const here = town !== null && due.includes(town) ? town : undefined;
    const state = useDeploying(here ?? "");
    if (state === undefined || here === undefined || !state.live) {
        return (
            <div class="panel-scroll battle-panel">
                <p class="told">{t("battle.deploy.elsewhere", { n: due.length })}</p>
                <BattleList view={view} open={town} />
            </div>
        );
    }
    return <Orders state={state} town={here} due={due} />;
}

interface Card {
    id: string;
    name: string;
    text: string;
    draft: Draft;
    kept?: Order;
}

function cardsOf(state: Deploying, kept: readonly Order[]): Card[] {
    const own = kept.map((order) => ({
        id: `own/${order.name}`,
        name: order.name,
        text: t("battle.orders.own"),
        draft: apply(order, state.men),
        kept: order,
    }));
    const suggested = suggestions.map((what) => ({
        id: what,
        name: t(`battle.orders.${what}`),
        text: t("battle.orders.suggested", { text: t(`battle.orders.${what}.text`) }),
        draft: suggest(what, state.men),
    }));
    return [...own, ...suggested];
}

function Orders({ state, town, due }: { state: Deploying; town: TownId; due: readonly TownId[] }): JSX.Element {
    const { scene } = useMatch();
    const { desk, draft } = state;
    const [kept, setKept] = useState(keptOrders);
    const [naming, setNaming] = useState(false);
    const commit = async (): Promise<void> => {
        if (!(await desk.act(deployAction(town, draft)))) return;
        announce(t("battle.say.deployed", { in_t: townName(town, "in") }));
        const next = due.find((one) => one !== town);
        if (next !== undefined) scene.value = { kind: "battle", town: next };
    };
    const others = due.filter((one) => one !== town);
    return (
        <>
            <div class="panel-scroll battle-panel">
                <section class="orders" aria-label={t("battle.orders")}>
                    <div class="orders-head">
                        <h3>{t("battle.orders")}</h3>
                        <button type="button" class="button quiet" disabled={Object.keys(draft).length === 0} onClick={() => setNaming(true)}>
                            {t("battle.orders.save")}
                        </button>
                    </div>
                    <ul class="order-cards">
                        {cardsOf(state, kept).map((card) => (
                            <OrderCard key={card.id} card={card} state={state} town={town} onForget={(name) => setKept(forgetOrder(name))} />
                        ))}
                    </ul>
                    <p class="small">{t("battle.orders.note")}</p>
                    <p class="small keys-line">
                        <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> <kbd>0</kbd> {t("battle.orders.keys")} <kbd>←</kbd> <kbd>→</kbd> {t("battle.orders.arrows")}
                    </p>
                </section>
                <RefusedLine desk={desk} />
            </div>
            <Foot
                desk={desk}
                label={t("battle.deploy.commit")}
                onPress={() => void commit()}
                undo={desk.draftsBefore.some((one) => one.town === town)}
                onUndo={() => undoDraft(desk, town)}
                {...(state.ready ? {} : { why: whyNot(state) })}
            >
                {others.length > 0 ? t("battle.deploy.then", { town: townName(others[0] ?? "") }) : t("battle.deploy.last")}
            </Foot>
            {naming && (
                <NameOrder
                    onSave={(name) => {
                        setKept(keepOrder(orderFrom(name, state.men, draft)));
                        setNaming(false);
                    }}
                    onClose={() => setNaming(false)}
                />
            )}
        </>
    );
}

function whyNot(state: Deploying): Token[] {
    const left = state.men.filter((man) => state.draft[man.id] === undefined).length;
    return left > 0 ? tt("battle.deploy.left", { n: left }) : tt("battle.deploy.empty", { n: state.needs.length });
}

function OrderCard(props: { card: Card; state: Deploying; town: TownId; onForget: (name: string) => void }): JSX.Element {
    const { card, state, town } = props;
    const on = same(card.draft, state.draft);
    return (
        <li class={`order-card ${on ? "is-on" : ""}`}>
            <button type="button" class="order-use" aria-pressed={on} onClick={() => setDraft(state.desk, town, card.draft)}>
                <Sketch draft={card.draft} army={armyName[markOf(state.shown.sides[state.shown.bottom], [state.shown.undeployed.below])]} />
                <span class="order-words">
                    <span class="order-name">{card.name}</span>
                    <span class="small">{card.text}</span>
                </span>
            </button>
            {card.kept && (
                <button
                    type="button"
                    class="button quiet icon-button order-forget"
                    aria-label={t("battle.orders.forget", { name: card.name })}
                    title={t("battle.orders.forget", { name: card.name })}
                    onClick={() => props.onForget(card.kept?.name ?? "")}
                >
                    <svg width="12" height="12" viewBox="0 0 14 14" aria-hidden="true">
                        <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
                    </svg>
                </button>
            )}
        </li>
    );
}

/** Three columns and a reserve as little squares. */
function Sketch({ draft, army }: { draft: Draft; army: string }): JSX.Element {
    const n = (zone: string): number => Object.values(draft).filter((one) => one === zone).length;
    const squares = (count: number, x: number, perRow: number): JSX.Element[] =>
        Array.from({ length: count }, (_, at) => {
            const row = Math.floor(at / perRow);
            const inRow = Math.min(perRow, count - row * perRow);
            return <rect key={`${x}/${at}`} x={x + ((at % perRow) - (inRow - 1) / 2) * 11 - 4.5} y={31 - row * 11} width="9" height="9" rx="2" />;
        });
    return (
        <svg class="sketch" width="132" height="46" viewBox="0 0 132 46" aria-hidden="true" focusable="false">
            <rect class="sketch-ground" x=".5" y=".5" width="131" height="45" rx="3" />
            <path class="sketch-line" d="M82,6V40" />
            <g fill={`var(--${army})`}>
                {squares(n("1"), 17, 2)}
                {squares(n("2"), 42, 2)}
                {squares(n("3"), 67, 2)}
                {squares(n("reserve"), 107, 4)}
            </g>
        </svg>
    );
}

function NameOrder({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }): JSX.Element {
    const [name, setName] = useState("");
    const save = (): void => {
        if (name.trim() !== "") onSave(name.trim());
    };
    return (
        <Sheet
            title={t("battle.orders.name")}
            onClose={onClose}
            foot={
                <button type="button" class="button primary" aria-disabled={name.trim() === ""} onClick={save}>
                    {t("battle.orders.keep")}
                </button>
            }
        >
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    save();
                }}
            >
                <Field label={t("battle.orders.name_label")} value={name} onInput={setName} maxLength={40} autofocus />
            </form>
        </Sheet>
    );
}
