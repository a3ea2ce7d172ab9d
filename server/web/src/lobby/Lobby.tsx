/** The lobby of who is signed in: what waits first, then everything else as rows. */
import { useEffect, useState } from "preact/hooks";
import { pageTitle } from "@/app/banner";
import { follow, go, path, placeOf } from "@/app/router";
import { isInvitation, mine, mineKnown, waiting, waitsForMe } from "@/app/waiting";
import { rpc, account } from "@/net/session";
import { FirstRun } from "@/account/FirstRun";
import { usePress } from "@/account/Saying";
import { BotSheet } from "@/lobby/BotSheet";
import { WaitingCard, InvitationCard } from "@/lobby/Cards";
import { finishedNext, finishedTables, moreFinished, openTables, runningTables, vacantTables, useBoard, useLists, useLongestFirst } from "@/lobby/data";
import { JoinSheet } from "@/lobby/JoinSheet";
import { News } from "@/lobby/News";
import { eve, Picture } from "@/lobby/Picture";
import { columns, Rows } from "@/lobby/Rows";
import { SitDown } from "@/lobby/SitDown";
import { outcome, players, state, WatchList } from "@/lobby/WatchList";
import { matchTitle } from "@/lobby/words";
import { VacantList } from "@/seats/VacantList";
import type { Summary } from "@/types";
import { Tabs } from "@/ui/Tabs";
import { t } from "@/words";

type Tab = "open" | "others" | "vacant" | "watch" | "finished";

export function Lobby() {
    useLists();
    const [joining, setJoining] = useState<Summary | null>(null);
    const [bot, setBot] = useState(placeOf(path.value).query.get("bot") !== null);
    useEffect(() => {
        pageTitle.value = t("bar.lobby");
    }, []);
    const waits = useLongestFirst(
        mine.value.filter((match) => waitsForMe(match).length > 0),
        (match) => waitsForMe(match)[0] ?? "FR",
    );
    const invitations = mine.value.filter(isInvitation);
    // Nothing is drawn that the first answer would push aside.
    if (!mineKnown.value) return <main class="lobby" aria-busy="true" />;
    const closeBot = (): void => {
        setBot(false);
        if (location.search !== "") go("/", { replace: true });
    };
    return (
        <main class="lobby">
            <div class="lobby-main">
                <WaitingPart waits={waits} invitations={invitations} onJoin={setJoining} onBot={() => setBot(true)} />
                <Lists onJoin={setJoining} />
            </div>
            <aside class="lobby-side">
                <FirstRun />
                <SitDown onBot={() => setBot(true)} />
                <News />
                <p class="lobby-link small">
                    <span class="dot" data-on={rpc.link.value.state === "open"} />
                    {rpc.link.value.state === "open" ? t("lobby.connected") : t("lobby.not_connected")}
                </p>
            </aside>
            {joining !== null && <JoinSheet match={joining} onClose={() => setJoining(null)} />}
            {bot && <BotSheet onClose={closeBot} />}
        </main>
    );
}

interface WaitingProps {
    /** null: not yet known in which order. */
    waits: Summary[] | null;
    invitations: Summary[];
    onJoin: (match: Summary) => void;
    onBot: () => void;
}

function WaitingPart({ waits, invitations, onJoin, onBot }: WaitingProps) {
    const n = waiting.value.length;
    return (
        <section aria-labelledby="lobby-waits">
            <div class="lobby-head">
                <h1 id="lobby-waits">{t("lobby.waiting", { n })}</h1>
                {n > 1 && <span class="small">{t(waits?.some((match) => match.clock !== undefined) ? "lobby.urgent_first" : "lobby.longest_first")}</span>}
            </div>
            {n === 0 ? (
                <NothingWaits onBot={onBot} />
            ) : (
                <div class="lobby-cards" aria-busy={waits === null}>
                    {(waits ?? []).map((match) => (
                        <WaitingCard key={match.match} match={match} />
                    ))}
                    {(waits === null ? [] : invitations).map((match) => (
                        <InvitationCard key={match.match} match={match} onJoin={onJoin} />
                    ))}
                </div>
            )}
        </section>
    );
}

function NothingWaits({ onBot }: { onBot: () => void }) {
    const board = useBoard("waterloo");
    return (
        <div class="lobby-none card">
            <Picture board={board} view={board === null ? null : eve(board)} width={300} height={150} />
            <div>
                <p class="told">{t("lobby.empty.waiting")}</p>
                <div class="lobby-none-acts">
                    <a class="button primary" href="/new" onClick={follow}>
                        {t("lobby.new_match")}
                    </a>
                    <button type="button" class="button" onClick={onBot}>
                        {t("lobby.play_bot")}
                    </button>
                </div>
            </div>
        </div>
    );
}

function Lists({ onJoin }: { onJoin: (match: Summary) => void }) {
    const [tab, setTab] = useState<Tab>("open");
    const me = account.value?.name;
    const isMine = (match: Summary): boolean => (match.you ?? []).length > 0 || match.creator === me;
    const open = openTables.value?.filter((match) => !isMine(match) && match.invited !== true) ?? null;
    const others = mine.value.filter(
        (match) =>
            (match.state === "running" && (match.you ?? []).length > 0 && waitsForMe(match).length === 0) ||
            (match.state === "open" && isMine(match)),
    );
    const watch = runningTables.value?.filter((match) => (match.you ?? []).length === 0) ?? null;
    const vacant = vacantTables.value?.filter((match) => !isMine(match)) ?? null;
    const done = finishedTables.value;
    return (
        <Tabs<Tab>
            class="lobby-tabs"
            name={t("lobby.tabs")}
            chosen={tab}
            onChoose={setTab}
            items={[
                { id: "open", label: t("lobby.tab.open"), count: open?.length ?? 0 },
                { id: "others", label: t("lobby.tab.others"), count: others.length },
                ...(vacant === null || vacant.length === 0 ? [] : [{ id: "vacant" as const, label: t("lobby.tab.vacant"), count: vacant.length }]),
                { id: "watch", label: t("lobby.tab.watch"), count: watch?.length ?? 0 },
                { id: "finished", label: t("lobby.tab.finished"), count: done?.length ?? 0 },
            ]}
        >
            {tab === "open" && <OpenList matches={open} onJoin={onJoin} />}
            {tab === "others" && <OthersList matches={others} />}
            {tab === "vacant" && <VacantList matches={vacant} />}
            {tab === "watch" && <WatchList matches={watch} empty={t("lobby.empty.watch")} />}
            {tab === "finished" && <FinishedList matches={done} />}
        </Tabs>
    );
}

function OpenList({ matches, onJoin }: { matches: Summary[] | null; onJoin: (match: Summary) => void }) {
    if (matches === null) return <div class="rows-wait" aria-busy="true" />;
    if (matches.length === 0) {
        return (
            <div class="rows-empty">
                <p>{t("lobby.empty.open")}</p>
                <a class="button" href="/new" onClick={follow}>
                    {t("lobby.open_table")}
                </a>
            </div>
        );
    }
    return (
        <Rows
            name={t("lobby.tab.open")}
            matches={matches}
            columns={[columns.game(), columns.host(), columns.free(), columns.options(), columns.clock()]}
            act={(match) => (
                <button
                    type="button"
                    class="button"
                    onClick={() => onJoin(match)}
                >
                    {t("lobby.join")}
                    <span class="visually-hidden">
                        : {matchTitle(match)}, {match.creator}
                    </span>
                </button>
            )}
        />
    );
}

function OpenIt({ match, label }: { match: Summary; label: string }) {
    return (
        <a class="button" href={`/match/${match.match}`} onClick={follow}>
            {label}
            <span class="visually-hidden">: {matchTitle(match)}</span>
        </a>
    );
}

function OthersList({ matches }: { matches: Summary[] }) {
    if (matches.length === 0) return <p class="rows-empty">{t("lobby.empty.others")}</p>;
    return (
        <Rows
            name={t("lobby.tab.others")}
            matches={matches}
            columns={[columns.game(), players(), columns.options(), state()]}
            act={(match) => <OpenIt match={match} label={t("lobby.look")} />}
        />
    );
}

function FinishedList({ matches }: { matches: Summary[] | null }) {
    const [wrong, press] = usePress();
    if (matches === null) return <div class="rows-wait" aria-busy="true" />;
    if (matches.length === 0) return <p class="rows-empty">{t("lobby.empty.finished")}</p>;
    return (
        <>
            <Rows
                name={t("lobby.tab.finished")}
                matches={matches}
                columns={[columns.game(), players(), { id: "state", name: t("lobby.column.outcome"), cell: outcome }]}
                act={(match) => <OpenIt match={match} label={t("lobby.replay")} />}
            />
            {finishedNext.value !== null && (
                <p class="rows-more">
                    <button type="button" class="button" onClick={() => press(moreFinished)}>
                        {t("lobby.more")}
                    </button>
                </p>
            )}
            {wrong}
        </>
    );
}
