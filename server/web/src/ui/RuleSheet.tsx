/** The text of one rule in a sheet over the board, one press away from wherever its number stands. */
import { useEffect, useState } from "preact/hooks";
import { Sheet } from "@/ui/Sheet";
import { ruleBlocks, rulesOf, rulesPath, type RulesBlock } from "@/ui/rules";
import { RulesText } from "@/ui/RulesText";
import "@/ui/rules.css";
import { t } from "@/words";

interface RuleSheetProps {
    game: string;
    rule: string;
    onRule: (rule: string) => void;
    onClose: () => void;
}

export default function RuleSheet({ game, rule, onRule, onClose }: RuleSheetProps) {
    const blocks = useRules(game);
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
            {blocks === null ? (
                <p>{t("rules.failed")}</p>
            ) : (
                <RulesText game={game} blocks={ruleBlocks(blocks ?? [], rule)} onRule={onRule} />
            )}
        </Sheet>
    );
}

/** The rules of a game: undefined while they come, null when they cannot be had. */
export function useRules(game: string): RulesBlock[] | null | undefined {
    const [blocks, setBlocks] = useState<RulesBlock[] | null | undefined>(undefined);
    useEffect(() => {
        let here = true;
        setBlocks(undefined);
        rulesOf(game).then(
            (read) => here && setBlocks(read),
            () => here && setBlocks(null),
        );
        return () => {
            here = false;
        };
    }, [game]);
    return blocks;
}
