/** The text of one rule in a sheet over the board, one press away from wherever its number stands. */
import { useEffect, useState } from "preact/hooks";
import { Sheet } from "@/ui/Sheet";
import { rulesPath } from "@/ui/rules";
import { RulesText } from "@/ui/RulesText";
import { ruleText } from "@/ui/ruleTexts";
import "@/ui/rules.css";
import { language, t } from "@/words";

interface RuleSheetProps {
    game: string;
    rule: string;
    onRule: (rule: string) => void;
    onClose: () => void;
}

export default function RuleSheet({ game, rule, onRule, onClose }: RuleSheetProps) {
    const text = useFetched(() => ruleText(game, rule), [game, rule, language()]);
    return (
        <Sheet
            title={t("rules.title", { rule })}
            onClose={onClose}
            foot={
                <a class="button" href={rulesPath(game, rule)} target="_blank" rel="noopener">
                    {t("rules.all")}
                </a>
            }
        >
            {text === null && <p>{t("rules.failed")}</p>}
            {text && text.language !== language() && <p class="notice">{t("rules.english")}</p>}
            {text && <RulesText game={game} blocks={text.blocks} onRule={onRule} lang={text.language} />}
        </Sheet>
    );
}

/** What is fetched: undefined while it comes, null when it cannot be had. */
export function useFetched<T>(fetched: () => Promise<T>, inputs: readonly unknown[]): T | null | undefined {
    const [got, setGot] = useState<{ inputs: readonly unknown[]; value: T | null } | undefined>(undefined);
    useEffect(() => {
        let here = true;
        fetched().then(
            (value) => here && setGot({ inputs, value }),
            () => here && setGot({ inputs, value: null }),
        );
        return () => {
            here = false;
        };
    }, inputs);
    return got?.inputs.every((one, i) => one === inputs[i]) === true ? got.value : undefined;
}
