/** What a newcomer sees: what this is in two sentences, the board, and four ways in. */
import { useEffect } from "preact/hooks";
import { pageTitle } from "@/app/banner";
import { follow } from "@/app/router";
import { botName, useBoard, useLists, runningTables, finishedTables } from "@/lobby/data";
import { eve, Picture } from "@/lobby/Picture";
import { WatchList } from "@/lobby/WatchList";
import { ArmyMark } from "@/ui/ArmyMark";
import { t } from "@/words";

export function StartPage() {
    const board = useBoard("waterloo");
    useLists();
    useEffect(() => {
        pageTitle.value = "";
    }, []);
    return (
        <main class="start">
            <section class="start-hero">
                <div class="start-words">
                    <p class="overline">{t("start.overline")}</p>
                    <h1>{t("start.title")}</h1>
                    <p class="told start-lead">{t("start.lead")}</p>
                    <div class="start-acts">
                        <a class="button primary" href="/sign-in?new=1" onClick={follow}>
                            {t("start.register")}
                        </a>
                        <a class="button" href="/sign-in" onClick={follow}>
                            {t("start.sign_in")}
                        </a>
                    </div>
                    <ul class="start-ways">
                        <li>
                            <a href="/sign-in?new=1&then=/?bot=1" onClick={follow}>
                                {t("start.bot")}
                            </a>
                            <span>{botName.value === null ? t("start.bot_note") : t("start.bot_here", { name: botName.value })}</span>
                        </li>
                        <li>
                            <a href="#watch">{t("start.watch")}</a>
                            <span>{t("start.watch_note")}</span>
                        </li>
                        <li>
                            <a href="/rules" onClick={follow}>
                                {t("start.rules")}
                            </a>
                            <span>{t("start.rules_note")}</span>
                        </li>
                    </ul>
                </div>
                <figure class="start-map card">
                    <Picture
                        board={board}
                        view={board === null ? null : eve(board)}
                        width={640}
                        height={520}
                        label={t("start.map")}
                    />
                    <figcaption>
                        <span>
                            <ArmyMark army="FR" size={16} /> {t("start.legend_fr")}
                        </span>
                        <span>
                            <ArmyMark army="AD" size={16} /> {t("start.legend_ad")}
                        </span>
                        <span>
                            <ArmyMark army="PR" size={16} /> {t("start.legend_pr")}
                        </span>
                    </figcaption>
                </figure>
            </section>
            <section class="start-facts">
                {(["fog", "fair", "pace"] as const).map((fact) => (
                    <div key={fact}>
                        <h2>{t(`start.fact.${fact}.title`)}</h2>
                        <p>{t(`start.fact.${fact}.text`)}</p>
                    </div>
                ))}
            </section>
            <section class="start-watch" id="watch" tabIndex={-1}>
                <h2>{t("start.running")}</h2>
                <WatchList matches={runningTables.value} empty={t("lobby.empty.watch")} />
                {(finishedTables.value?.length ?? 0) > 0 && (
                    <>
                        <h2>{t("start.finished")}</h2>
                        <WatchList matches={(finishedTables.value ?? []).slice(0, 6)} empty="" />
                    </>
                )}
            </section>
        </main>
    );
}
