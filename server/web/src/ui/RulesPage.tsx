/** A game's rules: first how it is played, then all of them by their numbers, and at the end where they come from. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { LinkStrip } from "@/app/LinkStrip";
import { pageTitle } from "@/app/banner";
import { follow, go } from "@/app/router";
import { rulesPath, type RulesBlock } from "@/ui/rules";
import RuleSheet, { useFetched } from "@/ui/RuleSheet";
import { RulesText } from "@/ui/RulesText";
import { allRules, textOf } from "@/ui/ruleTexts";
import { gamesInWords, language, t } from "@/words";

type Heading = Extract<RulesBlock, { kind: "heading" }>;

/** Where the list of sections stands beside the text and not above it. */
const BESIDE = "(min-width: 900px)";

export default function RulesPage({ game = "waterloo", rule }: { game?: string; rule?: string }) {
    const guide = useFetched(() => textOf(game, "guide"), [game, language()]);
    const rules = useFetched(() => allRules(game), [game, language()]);
    const [whole, setWhole] = useState(rule !== undefined);
    const [sheet, setSheet] = useState<string | null>(null);
    useEffect(() => {
        pageTitle.value = t("rules.of", { game: t(`game.${game}.title`) });
        return () => {
            pageTitle.value = "";
        };
    }, [game]);
    useEffect(() => setWhole(rule !== undefined), [game, rule]);
    // The guide stands above the rules: a rule is where it stays only when both have come.
    const come = guide !== undefined && rules !== undefined;
    useEffect(() => {
        if (!come) return;
        if (rule === undefined) window.scrollTo(0, 0);
        else if (whole) document.getElementById(`rule-${rule}`)?.scrollIntoView();
    }, [rule, whole && rule !== undefined, come]);
    const open = (other: string): void => go(rulesPath(game, other));
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
                <div class="rules-page">
                    <Contents game={game} rule={rule} guide={guide?.blocks ?? []} rules={[...(rules?.own.blocks ?? []), ...(rules?.rest?.blocks ?? [])]} />
                    <div>
                        {(guide === null || rules === null) && <p class="notice wrong">{t("rules.failed")}</p>}
                        {guide && (
                            <section class="rules-guide">
                                <InEnglish of={guide.language} />
                                <RulesText game={game} blocks={guide.blocks} onRule={setSheet} lang={guide.language} anchor="guide" />
                            </section>
                        )}
                        {rules && (
                            <details class="rules-whole" open={whole} onToggle={(event) => setWhole(event.currentTarget.open)}>
                                <summary>{t("rules.whole")}</summary>
                                <InEnglish of={rules.own.language} />
                                <RulesText game={game} blocks={rules.own.blocks} onRule={open} lang={rules.own.language} {...(rule === undefined ? {} : { marked: rule })} />
                                {rules.rest && (
                                    <>
                                        <p class="notice">{t("rules.english_rest")}</p>
                                        <RulesText game={game} blocks={rules.rest.blocks} onRule={open} lang="en" {...(rule === undefined ? {} : { marked: rule })} />
                                    </>
                                )}
                            </details>
                        )}
                    </div>
                </div>
                {sheet !== null && <RuleSheet game={game} rule={sheet} onRule={setSheet} onClose={() => setSheet(null)} />}
            </main>
        </>
    );
}

/** Says that a text is in English, to who reads another language. */
function InEnglish({ of }: { of: string }) {
    return of === language() ? null : <p class="notice">{t("rules.english")}</p>;
}

/** The headings of the guide and the sections of the rules; on a narrow page they are folded. */
function Contents({ game, rule, guide, rules }: { game: string; rule: string | undefined; guide: RulesBlock[]; rules: RulesBlock[] }) {
    return (
        <details class="rules-nav" open={matchMedia(BESIDE).matches}>
            <summary>{t("rules.contents")}</summary>
            <nav aria-label={t("rules.guide")}>
                <b>{t("rules.guide")}</b>
                {sections(guide).map((block) => (
                    <a key={block.id} href={`#guide-${block.id}`} onClick={toHeading}>
                        {block.text}
                    </a>
                ))}
            </nav>
            <nav aria-label={t("rules.sections")}>
                <b>{t("rules.whole")}</b>
                {sections(rules).map((block) => (
                    <a key={block.id} href={rulesPath(game, block.id)} aria-current={block.id === rule ? "true" : undefined} onClick={follow}>
                        {block.text}
                    </a>
                ))}
            </nav>
        </details>
    );
}

function sections(blocks: RulesBlock[]): Heading[] {
    return blocks.filter((block): block is Heading => block.kind === "heading" && block.level === 2);
}

/** The address stays the page's: a heading of the guide has none of its own. */
function toHeading(event: MouseEvent): void {
    event.preventDefault();
    const link = event.currentTarget as HTMLAnchorElement;
    document.getElementById(decodeURIComponent(link.hash.slice(1)))?.scrollIntoView();
}
