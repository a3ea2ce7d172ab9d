/** What everybody may know of an account, and its matches. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { pageTitle } from "@/app/banner";
import { LinkStrip } from "@/app/LinkStrip";
import { follow } from "@/app/router";
import { settings } from "@/app/settings";
import { QuickSettings } from "@/account/QuickSettings";
import { usePress } from "@/account/Saying";
import { WatchList } from "@/lobby/WatchList";
import { account, rpc } from "@/net/session";
import type { Account, Summary } from "@/types";
import { longDate, t } from "@/words";
import "@/account/account.css";
import "@/lobby/lobby.css";

interface Profile {
    name: string;
    created_at?: number;
    finished?: number;
    bot?: boolean;
}

export default function PlayerPage({ name }: { name: string }) {
    const [profile, setProfile] = useState<Profile | null>(null);
    const [lost, setLost] = useState(false);
    useEffect(() => {
        pageTitle.value = name;
        rpc.call<Profile>("account.profile", { name }).then(setProfile, () => setLost(true));
    }, [name]);
    return (
        <>
            <Bar right={<QuickSettings />} />
            <LinkStrip />
            <main class="page-plain player">
                {lost ? <h1>{t("player.lost")}</h1> : profile === null ? <div aria-busy="true" /> : <Known profile={profile} />}
            </main>
        </>
    );
}

function since(ms: number): string {
    return longDate(ms, settings.value.timezone || undefined);
}

function Known({ profile }: { profile: Profile }) {
    const { name } = profile;
    const me = account.value?.name === name;
    const running = useMatches("running", name);
    const finished = useMatches("finished", name);
    return (
        <>
            <div class="player-head">
                <span class="player-mark" aria-hidden="true">
                    {[...name][0]?.toUpperCase()}
                </span>
                <div>
                    <h1>
                        {name}
                        {profile.bot === true && <span class="bot-tag">{t("lobby.bot")}</span>}
                    </h1>
                    <p class="small">
                        {profile.created_at !== undefined && t("player.since", { date: since(profile.created_at) })}{" "}
                        {t("player.finished", { n: profile.finished ?? 0 })}
                    </p>
                </div>
                {account.value && (
                    <p class="player-acts">
                        {me ? (
                            <a class="button" href="/settings" onClick={follow}>
                                {t("settings.title")}
                            </a>
                        ) : (
                            <>
                                <a class="button primary" href={`/new?invite=${encodeURIComponent(name)}`} onClick={follow}>
                                    {t("player.invite", { name })}
                                </a>
                                <Block name={name} />
                            </>
                        )}
                    </p>
                )}
            </div>
            <h2>{t("player.running")}</h2>
            <WatchList matches={running} empty={t("player.none_running")} />
            <h2>{t("player.past")}</h2>
            <WatchList matches={finished} empty={t("player.none_past")} />
        </>
    );
}

function Block({ name }: { name: string }) {
    const [on, setOn] = useState(false);
    const [wrong, press] = usePress();
    useEffect(() => {
        rpc.call<Account>("account.get").then(
            ({ blocked }) => setOn(Array.isArray(blocked) && blocked.includes(name)),
            () => {},
        );
    }, [name]);
    const turn = async (): Promise<void> => {
        await rpc.call("account.block", { name, on: !on });
        setOn(!on);
    };
    return (
        <>
            <button type="button" class="button" onClick={() => press(turn)}>
                {on ? t("player.unblock") : t("player.block")}
            </button>
            {wrong}
        </>
    );
}

function useMatches(filter: string, player: string): Summary[] | null {
    const [matches, setMatches] = useState<Summary[] | null>(null);
    useEffect(() => {
        rpc.call<{ matches: Summary[] }>("match.list", { filter, player, limit: 40 }).then(
            (found) => setMatches(found.matches.filter((match) => match.state !== "aborted")),
            () => setMatches([]),
        );
    }, [filter, player]);
    return matches;
}
