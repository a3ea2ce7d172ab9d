/** The page at /: for who is signed in the lobby, for a newcomer what this is and how to begin. */
import { Bar } from "@/app/Bar";
import { LinkStrip } from "@/app/LinkStrip";
import { QuickSettings } from "@/account/QuickSettings";
import { account } from "@/net/session";
import { Lobby } from "@/lobby/Lobby";
import { StartPage } from "@/lobby/StartPage";
import "@/lobby/lobby.css";

export function LobbyPage() {
    const who = account.value;
    return (
        <>
            <Bar right={<QuickSettings />} />
            <LinkStrip />
            {who === undefined ? <main class="page-empty" aria-busy="true" /> : who === null ? <StartPage /> : <Lobby />}
        </>
    );
}
