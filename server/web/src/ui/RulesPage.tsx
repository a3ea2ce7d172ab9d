/** All rules of Waterloo, with their sections beside them. */
import { useEffect } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { LinkStrip } from "@/app/LinkStrip";
import { pageTitle } from "@/app/banner";
import { go } from "@/app/router";
import { useRules } from "@/ui/RuleSheet";
import { RulesText } from "@/ui/RulesText";
import { language, t } from "@/words";

export default function RulesPage({ rule }: { rule?: string }) {
    const blocks = useRules();
    useEffect(() => {
        pageTitle.value = t("bar.rules");
        return () => {
            pageTitle.value = "";
        };
    }, []);
    useEffect(() => {
        if (rule !== undefined && blocks) document.getElementById(`rule-${rule}`)?.scrollIntoView();
    }, [rule, blocks]);
    const sections = (blocks ?? []).filter((block) => block.kind === "heading" && block.level === 2);
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-plain">
                {language() !== "en" && <p class="notice">{t("rules.english")}</p>}
                <div class="rules-page">
                    <nav class="rules-nav" aria-label={t("rules.sections")}>
                        {sections.map((block) =>
                            block.kind === "heading" ? (
                                <a
                                    key={block.id}
                                    href={`/rules/${block.id}`}
                                    aria-current={block.id === rule ? "true" : undefined}
                                    onClick={(event) => {
                                        event.preventDefault();
                                        go(`/rules/${block.id}`);
                                    }}
                                >
                                    {block.text}
                                </a>
                            ) : null,
                        )}
                    </nav>
                    <div>
                        {blocks === null && <p class="notice wrong">{t("rules.failed")}</p>}
                        {blocks && (
                            <RulesText
                                blocks={blocks}
                                onRule={(other) => go(`/rules/${other}`)}
                                {...(rule === undefined ? {} : { marked: rule })}
                            />
                        )}
                    </div>
                </div>
            </main>
        </>
    );
}
