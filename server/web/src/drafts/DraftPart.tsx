/** What there is to say of a draft, over the decision: another one beside it, an older position, a plan. */
import type { DraftStore } from "@/drafts/store";
import { useMatch } from "@/play/context";
import type { Decision } from "@/play/desk";
import { isSheet, layout } from "@/play/layout";
import { wire } from "@/play/wire";
import { usePlay } from "@/play/state";
import type { Action, View } from "@/types";
import { refusalText, t } from "@/words";

export function DraftPart() {
    const { desk } = usePlay();
    const { match, shown } = useMatch();
    const now = desk.value;
    const view = match.view.value;
    const store = now.draft;
    if (store === undefined || view === null || shown.value !== null) return null;
    return (
        <>
            {now.planning === true && (
                <p class="notice panel-notice plan-banner" role="status">
                    {t(isSheet(layout.value) ? "plan.banner_short" : "plan.banner")}
                </p>
            )}
            {store.conflict.value !== null && <Two desk={now} store={store} view={view} theirs={store.conflict.value.actions} />}
            {store.waits.value && (
                <Notice act={t("draft.take_back")} run={() => store.takeBack()}>
                    {t("draft.waits")}
                </Notice>
            )}
            <NotSent store={store} view={view} />
            <GoneOn desk={now} store={store} view={view} />
            {(now.foreign?.() ?? 0) > 0 && (
                <Notice act={t("draft.throw_away")} run={() => now.discard?.()}>
                    {t("draft.foreign", { n: now.foreign?.() ?? 0 })}
                </Notice>
            )}
        </>
    );
}

function Notice({ children, act, run }: { children: string; act: string; run: () => void }) {
    return (
        <div class="notice panel-notice draft-notice" role="status">
            {children}{" "}
            <button type="button" class="button quiet" onClick={run}>
                {act}
            </button>
        </div>
    );
}

/** What was to go when the connection was back did not, or the server does not keep the draft. */
function NotSent({ store, view }: { store: DraftStore; view: View }) {
    const refusal = store.refused.value;
    if (refusal === null) return null;
    const words = refusal.kind === "stale_state" ? t("draft.unsent") : refusalText(wire(refusal));
    return (
        <Notice act={t("draft.looked")} run={() => store.confirm(view.seq)}>
            {words}
        </Notice>
    );
}

/** Made on an older position: it stays, and what does not fit is marked in it. */
function GoneOn({ desk, store, view }: { desk: Decision; store: DraftStore; view: View }) {
    const on = store.madeOn.value;
    const old = on !== null && on < view.seq && store.actions.value.length > 0 && store.state.value !== "keeping";
    if (!old || desk.planning === true || store.refused.value !== null || store.conflict.value !== null || (desk.foreign?.() ?? 0) > 0) return null;
    return (
        <Notice act={t("draft.looked")} run={() => store.confirm(view.seq)}>
            {t("draft.gone_on", { n: desk.misfits?.() ?? 0 })}
        </Notice>
    );
}

/** Two drafts of one seat: both are shown, and one is taken. */
function Two({ desk, store, view, theirs }: { desk: Decision; store: DraftStore; view: View; theirs: readonly Action[] }) {
    return (
        <section class="notice panel-notice draft-two" role="alertdialog" aria-label={t("draft.two")}>
            <p class="told">{t("draft.two")}</p>
            <One desk={desk} view={view} title={t("draft.mine")} actions={store.actions.value} act={t("draft.take_mine")} run={() => store.take("mine")} />
            <One desk={desk} view={view} title={t("draft.theirs")} actions={theirs} act={t("draft.take_theirs")} run={() => store.take("theirs")} />
        </section>
    );
}

interface OneProps {
    desk: Decision;
    view: View;
    title: string;
    actions: readonly Action[];
    act: string;
    run: () => void;
}

function One({ desk, view, title, actions, act, run }: OneProps) {
    const steps = desk.steps?.(view, actions) ?? [t("draft.steps", { n: actions.length })];
    return (
        <div class="draft-one">
            <h3>{title}</h3>
            <ul class="sheet-rows">
                {steps.length === 0 ? <li class="told">{t("draft.no_steps")}</li> : steps.map((step) => <li key={step} class="told">{step}</li>)}
            </ul>
            <button type="button" class="button" onClick={run}>
                {act}
            </button>
        </div>
    );
}
