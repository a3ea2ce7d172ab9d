/** Routes of a routed force, every unit listed; those without a road are struck through. */
import { RoutDesk } from "@/play/rout";
import { Refused } from "@/play/Refused";
import { RouteRows } from "@/play/RouteRows";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { t, townName } from "@/words";

export function RoutBody({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof RoutDesk) || now.plan.value === null) return null;
    const plan = now.plan.value;
    return (
        <section class="answer active rout" aria-label={townName(plan.town)}>
            <div class="answer-head">
                <span>
                    <h3>{t("rout.title", { town: townName(plan.town, "in") })}</h3>
                    <span class="small">{t("rout.note")}</span>
                </span>
                <button type="button" class="button" onClick={() => plan.fill()}>
                    {t("routes.fill")}
                </button>
            </div>
            <RouteRows plan={plan} view={view} strandedWord={t("rout.lost")} />
            <Refused desk={now} at={plan.town} />
            {plan.stranded.value.length > 0 && <p class="row-forced">{t("rout.lost_n", { n: plan.stranded.value.length })}</p>}
        </section>
    );
}
