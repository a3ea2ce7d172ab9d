/** A card for each attacked town: fight or retreat, and the routes of a retreat. */
import { useMatch } from "@/play/context";
import { nationsOf, ownByTown } from "@/play/desk";
import { Refused } from "@/play/Refused";
import { RespondDesk, type Choice } from "@/play/respond";
import { RouteRows } from "@/play/RouteRows";
import { usePlay } from "@/play/state";
import type { RoutePlan } from "@/play/routes";
import type { TownId, View } from "@/types";
import { RuleLink } from "@/ui/RuleLink";
import { list, nationUnits, plain, Rich, t, townName, tt } from "@/words";

export function RespondBody({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof RespondDesk)) return null;
    const due = now.towns(view);
    const answered = Object.keys(view.board.attacks ?? {}).filter((town) => !due.includes(town) && answerOf(view, town) !== undefined);
    return (
        <div class="answers">
            {due.map((town) => (
                <Card key={town} town={town} desk={now} view={view} />
            ))}
            {answered.map((town) => (
                <Answered key={town} town={town} view={view} />
            ))}
        </div>
    );
}

function answerOf(view: View, town: TownId): Choice | undefined {
    const seat = view.as;
    const answers = view.board.attacks?.[town]?.answers as Record<string, { choice: Choice }> | undefined;
    return answers?.[seat]?.choice;
}

interface CardProps {
    town: TownId;
    desk: RespondDesk;
    view: View;
}

function Card({ town, desk, view }: CardProps) {
    const { openRule } = useMatch();
    const choice = desk.choices.value[town];
    const active = desk.at.value === town;
    const own = ownByTown(view, nationsOf(view)).get(town)?.length ?? 0;
    const attack = view.board.attacks?.[town];
    const must = desk.mustRetreat(view, town);
    return (
        <section class={active ? "answer active" : "answer"} aria-label={townName(town)} onPointerDown={() => (desk.at.value = town)}>
            <div class="answer-head">
                <span>
                    <h3>{townName(town)}</h3>
                    <span class="small">
                        {t("respond.forces", { own, units_t: list(Object.entries(attack?.attackers ?? {}).map(([nation, n]) => nationUnits(n ?? 0, nation))) })}
                    </span>
                </span>
                <span class="segmented" role="group" aria-label={t("respond.choice", { town: townName(town) })}>
                    {(["fight", "retreat"] as const).map((one) =>
                        desk.offered(view, town, one) || one === choice ? (
                            <button key={one} type="button" aria-pressed={choice === one} onClick={() => desk.choose(town, one)}>
                                {t(`respond.${one}`)}
                            </button>
                        ) : null,
                    )}
                </span>
            </div>
            {must && (
                <p class="hint">
                    <Rich of={tt("respond.must")} /> <RuleLink rule="W5.2" onOpen={openRule} />
                </p>
            )}
            <Refused desk={desk} at={town} />
            {choice === "fight" && <p class="hint">{t("respond.fight_note")}</p>}
            {choice === "retreat" && <Retreat plan={desk.plan(view, town)} view={view} />}
        </section>
    );
}

function Retreat({ plan, view }: { plan: RoutePlan; view: View }) {
    const { match, openRule } = useMatch();
    const stranded = plan.stranded.value.length;
    const board = match.board.value;
    const theirs = (view.board.attacks?.[plan.town]?.roads ?? []).flatMap((id) => {
        const road = board?.roads.find((one) => one.id === id);
        return road === undefined ? [] : [road.a === plan.town ? road.b : road.a];
    });
    const near = (board?.roads ?? []).flatMap((road) => (road.a === plan.town ? [road.b] : road.b === plan.town ? [road.a] : []));
    const closed = near.filter((town) => town !== plan.town && view.board.attacks?.[town] !== undefined);
    return (
        <div class="retreat">
            <RouteRows plan={plan} view={view} strandedWord={t("routes.stranded")} />
            <p class="retreat-acts">
                <button type="button" class="button" onClick={() => plan.fill()}>
                    {t("routes.fill")} <kbd>F</kbd>
                </button>
            </p>
            {stranded > 0 && <p class="row-forced">{t("routes.stranded_n", { n: stranded })}</p>}
            <p class="hint">
                {theirs.length > 0 && t("respond.their_roads", { towns: plain(list(theirs.map((town) => townName(town)))), n: theirs.length })}{" "}
                {theirs.length > 0 && <RuleLink rule="W12.7" onOpen={openRule} />}{" "}
                {closed.length > 0 && t("respond.closed_roads", { towns: plain(list(closed.map((town) => townName(town)))), n: closed.length })}{" "}
                {closed.length > 0 && <RuleLink rule="W12.8" onOpen={openRule} />}
            </p>
            <p class="notice warn">
                <Rich of={tt("respond.pursuit")} />
            </p>
        </div>
    );
}

function Answered({ town, view }: { town: TownId; view: View }) {
    return (
        <section class="answer done" aria-label={townName(town)}>
            <h3>{townName(town)}</h3>
            <p class="hint">
                <b class="ok">{t("respond.answered")}</b> {t(answerOf(view, town) === "fight" ? "respond.answered_fight" : "respond.answered_retreat")}
            </p>
        </section>
    );
}
