/** The page as a whole: the part that the address names, under one bar and one strip. */
import { lazy, Suspense } from "@/app/lazy";
import { path, placeOf } from "@/app/router";
import { LinkStrip } from "@/app/LinkStrip";
import { Bar } from "@/app/Bar";
import { LobbyPage } from "@/lobby/LobbyPage";
import { t } from "@/words";

const MatchPage = lazy(() => import("@/play/MatchPage"));
const NewMatchPage = lazy(() => import("@/lobby/NewMatchPage"));
const SignInPage = lazy(() => import("@/account/SignInPage"));
const SettingsPage = lazy(() => import("@/account/SettingsPage"));
const ConfirmPage = lazy(() => import("@/account/ConfirmPage"));
const ResetPage = lazy(() => import("@/account/ResetPage"));
const PlayerPage = lazy(() => import("@/account/PlayerPage"));
const RulesPage = lazy(() => import("@/ui/RulesPage"));
const VerifyPage = lazy(() => import("@/proof/VerifyPage"));

export function App() {
    return (
        <Suspense fallback={<Frame />}>
            <Page />
        </Suspense>
    );
}

function Page() {
    const place = placeOf(path.value);
    switch (place.page) {
        case "lobby":
            return <LobbyPage />;
        case "sign_in":
            return <SignInPage query={place.query} />;
        case "new":
            return <NewMatchPage query={place.query} />;
        case "match":
            return <MatchPage key={place.id} id={place.id ?? ""} query={place.query} />;
        case "settings":
            return <SettingsPage />;
        case "confirm":
            return <ConfirmPage />;
        case "reset":
            return <ResetPage query={place.query} />;
        case "player":
            return <PlayerPage key={place.id} name={place.id ?? ""} />;
        case "rules":
            return <RulesPage {...(place.game === undefined ? {} : { game: place.game })} {...(place.id === undefined ? {} : { rule: place.id })} />;
        case "verify":
            return <VerifyPage {...(place.id === undefined ? {} : { id: place.id })} />;
        default:
            return <Lost />;
    }
}

/** The bar and an empty sheet while a part is fetched: nothing shifts when it comes. */
function Frame() {
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-empty" aria-busy="true" />
        </>
    );
}

function Lost() {
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-plain">
                <h1>{t("app.lost.title")}</h1>
                <p>
                    <a href="/">{t("app.lost.home")}</a>
                </p>
            </main>
        </>
    );
}
