/** The steps of a player turn, the present one in gold. */
import type { StateName, View } from "@/types";
import { t } from "@/words";

const STEPS = ["march", "response", "deploy", "battle", "supply"] as const;

const STEP_OF: Partial<Record<StateName, (typeof STEPS)[number]>> = {
    MOVE: "march",
    RESPOND: "response",
    PURSUIT_LOSS: "response",
    DEPLOY_DEF: "deploy",
    DEPLOY_ATT: "deploy",
    COMBAT: "battle",
    SUPPLY: "supply",
};

export function Phases({ view }: { view: View }) {
    const now = STEP_OF[view.state];
    if (now === undefined) return null;
    const at = STEPS.indexOf(now);
    return (
        <ol class="phases" aria-label={t("play.phases")}>
            {STEPS.map((step, i) => (
                <li key={step} class={i === at ? "now" : i < at ? "past" : ""} aria-current={i === at ? "step" : undefined}>
                    {t(`phase.${step}`)}
                </li>
            ))}
        </ol>
    );
}
