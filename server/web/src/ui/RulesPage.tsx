/** All rules of a game, with their sections beside them and the other games above. */
import { useEffect } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { LinkStrip } from "@/app/LinkStrip";
import { pageTitle } from "@/app/banner";
import { follow, go } from "@/app/router";
import { rulesPath } from "@/ui/rules";
import { useRules } from "@/ui/RuleSheet";
import { RulesText } from "@/ui/RulesText";
import { gamesInWords, language, t } from "@/words";

export default function RulesPage({ game = "waterloo", rule }: { game?: string; rule?: string }) {
    const blocks = useRules(game);
    useEffect(() => {
        pageTitle.value = t("rules.of", { game: t(`game.${game}.title`) });
        return () => {
            pageTitle.value = "";
        };
    }, [game]);
    useEffect(() => {
        if (!blocks) return;
        if (rule === undefined) window.scrollTo(0, 0);
        else document.getElementById(`rule-${rule}`)?.scrollIntoView();
    }, [rule, blocks]);
    const sections = (blocks ?? []).filter((block) => block.kind === "heading" && block.level === 2);
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-plain">
                <nav class="rules-games" aria-label={t("rules.games")}>
                    {gamesInWords().map((one) => (
                        <a key={one} class="button" href={rulesPath(one)} aria-current={one === game ? "page" : undefined} onClick={follow}>
                            {t(`game.${one}.title`)}
                        </a>
                    ))}
                </nav>
                {language() !== "en" && <p class="notice">{t("rules.english")}</p>}
                <div class="rules-page">
                    <nav class="rules-nav" aria-label={t("rules.sections")}>
                        {sections.map((block) =>
                            block.kind === "heading" ? (
                                <a key={block.id} href={rulesPath(game, block.id)} aria-current={block.id === rule ? "true" : undefined} onClick={follow}>
                                    {block.text}
                                </a>
                            ) : null,
                        )}
                    </nav>
                    <div>
                        {blocks === null && <p class="notice wrong">{t("rules.failed")}</p>}
                        {blocks && (
                            <RulesText
                                game={game}
                                blocks={blocks}
                                onRule={(other) => go(rulesPath(game, other))}
                                {...(rule === undefined ? {} : { marked: rule })}
                            />
                        )}
                    </div>
                </div>
            </main>
        </>
    );
}
