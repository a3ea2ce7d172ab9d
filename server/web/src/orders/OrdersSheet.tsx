/** Standing orders: the list in its order of priority, ready-made ones, what has answered for one so far. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useMatch } from "@/play/context";
import { wire } from "@/play/wire";
import { OrdersDraft } from "@/orders/draft";
import type { Fault } from "@/orders/fault";
import { OrderEditor } from "@/orders/OrderEditor";
import { POLICIES, type Order } from "@/orders/types";
import { memberWords, orderWords } from "@/orders/words";
import { Sheet } from "@/ui/Sheet";
import { announce } from "@/app/live";
import { plain, refusalText, Rich, sentence, t } from "@/words";
import "@/orders/orders.css";

export default function OrdersSheet({ onClose }: { onClose: () => void }) {
    const { match } = useMatch();
    const draft = useMemo(() => new OrdersDraft(match), [match]);
    const [editing, setEditing] = useState<number | null>(null);
    useEffect(() => {
        void draft.load().catch(() => {});
        void match.loadHistory().catch(() => {});
    }, [draft]);
    const list = draft.list.value;
    const fault = draft.fault.value;
    const now = editing === null ? undefined : list[editing];
    const save = async (): Promise<void> => {
        if (await draft.save()) announce(t("orders.saved"));
        else setEditing(null);
    };
    if (now !== undefined && editing !== null) {
        return (
            <Sheet
                wide
                title={t("orders.edit_title", { n: editing + 1 })}
                onClose={() => setEditing(null)}
                foot={
                    <button type="button" class="button primary" onClick={() => setEditing(null)}>
                        {t("orders.edit_done")}
                    </button>
                }
            >
                <OrderEditor key={editing} order={now} fault={fault?.at === editing ? fault : null} onChange={(order) => draft.replace(editing, order)} />
            </Sheet>
        );
    }
    return (
        <Sheet
            wide
            title={t("orders.title")}
            onClose={onClose}
            foot={
                <>
                    <span class="orders-state" role="status">
                        {draft.dirty.value ? t("orders.unsaved") : draft.saved.value ? t("orders.saved") : ""}
                    </span>
                    <button type="button" class="button" onClick={onClose}>
                        {t("ui.close")}
                    </button>
                    <button type="button" class="button primary" aria-disabled={!draft.dirty.value || draft.theirs.value !== null} onClick={() => draft.dirty.value && void save()}>
                        {t("orders.save")}
                    </button>
                </>
            }
        >
            <p class="told">{t("orders.note")}</p>
            {draft.theirs.value !== null && <Conflict draft={draft} />}
            {fault !== null && fault.at < 0 && (
                <p class="notice wrong" role="alert">
                    {refusalText(wire(fault.refusal))}
                </p>
            )}
            {draft.ready.value && list.length === 0 && <p class="orders-none">{t("orders.none")}</p>}
            <ol class="orders-list" aria-label={t("orders.title")}>
                {list.map((order, i) => (
                    <Row key={i} order={order} at={i} of={list.length} fault={fault?.at === i ? fault : null} draft={draft} onEdit={() => setEditing(i)} />
                ))}
            </ol>
            <Add onAdd={(order, edit) => (edit ? setEditing(draft.add(order)) : void draft.add(order))} />
            <FiredPart draft={draft} />
        </Sheet>
    );
}

function Conflict({ draft }: { draft: OrdersDraft }) {
    return (
        <div class="notice wrong" role="alert">
            <p>{t("orders.conflict")}</p>
            <p class="orders-acts">
                <button type="button" class="button" onClick={() => draft.takeTheirs()}>
                    {t("orders.take_theirs")}
                </button>
                <button type="button" class="button" onClick={() => draft.keepMine()}>
                    {t("orders.keep_mine")}
                </button>
            </p>
        </div>
    );
}

interface RowProps {
    order: Order;
    at: number;
    of: number;
    fault: Fault | null;
    draft: OrdersDraft;
    onEdit: () => void;
}

function Row({ order, at, of, fault, draft, onEdit }: RowProps) {
    const words = orderWords(order);
    const name = plain(words);
    return (
        <li class="orders-row" data-wrong={fault !== null}>
            <p class="told">
                <Rich of={words} />
            </p>
            {fault !== null && <FaultLine fault={fault} />}
            <p class="orders-acts">
                <button type="button" class="button small-button" onClick={onEdit} aria-label={t("orders.edit_one", { order: name })}>
                    {t("orders.edit")}
                </button>
                <button type="button" class="button small-button" aria-disabled={at === 0} onClick={() => at > 0 && draft.move(at, -1)} aria-label={t("orders.up_one", { order: name })}>
                    {t("orders.up")}
                </button>
                <button type="button" class="button small-button" aria-disabled={at === of - 1} onClick={() => at < of - 1 && draft.move(at, 1)} aria-label={t("orders.down_one", { order: name })}>
                    {t("orders.down")}
                </button>
                <button type="button" class="button small-button" onClick={() => draft.remove(at)} aria-label={t("orders.remove_one", { order: name })}>
                    {t("orders.remove")}
                </button>
            </p>
        </li>
    );
}

export function FaultLine({ fault }: { fault: Fault }) {
    return (
        <p class="refused" role="alert">
            {t("orders.fault", { member: memberWords(fault.member), why: refusalText(wire(fault.refusal)) })}
        </p>
    );
}

/** Ready-made ones go in as they are; an own one is opened at once. */
function Add({ onAdd }: { onAdd: (order: Order, edit: boolean) => void }) {
    return (
        <section class="orders-add" aria-labelledby="orders-add">
            <h3 id="orders-add">{t("orders.add")}</h3>
            <div class="orders-policies">
                {Object.entries(POLICIES).map(([name, order]) => (
                    <button key={name} type="button" class="button" onClick={() => onAdd(order, false)}>
                        {t(`orders.policy.${name}`)}
                    </button>
                ))}
                <button type="button" class="button" onClick={() => onAdd({ when: { is: "attacked" }, do: { do: "respond", choice: "fight" } }, true)}>
                    {t("orders.own_one")}
                </button>
            </div>
        </section>
    );
}

/** What orders have answered: the steps they became, told as the log tells them. */
function FiredPart({ draft }: { draft: OrdersDraft }) {
    const { match } = useMatch();
    const fired = draft.fired.value;
    if (fired.length === 0) return null;
    const steps = new Map(match.steps.value.map((step) => [step.seq, step]));
    return (
        <section aria-labelledby="orders-fired">
            <h3 id="orders-fired">{t("orders.fired")}</h3>
            <ul class="orders-fired">
                {fired.map((one) => {
                    const events = steps.get(one.seq)?.events ?? [];
                    const told = events.map((event) => plain(sentence(event as never, match.as.value, { game: match.view.value?.game }))).filter((text) => text !== "");
                    return (
                        <li key={`${one.seq} ${one.entry}`}>
                            <b>{t("orders.fired_by", { n: one.entry + 1 })}</b> {told.join(" ")}
                        </li>
                    );
                })}
            </ul>
        </section>
    );
}
