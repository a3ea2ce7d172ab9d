/** Entry of the page: styles, language, connection, then the page itself. */
import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/base.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { followChoices } from "@/account/choices";
import { App } from "@/app/App";
import { followMine } from "@/app/waiting";
import { followTurn } from "@/app/banner";
import { account, onReconnect, rpc } from "@/net/session";
import { followPresses } from "@/notices/push";
import { settings } from "@/app/settings";
import { followLanguage, startWords, useZone } from "@/words";

/** Begins to keep proofs; a line that is gone just now is waited for. */
function keepProofs(): void {
    import("@/proof/keeper").then(
        (keeper) => keeper.startKeeper(),
        () => {
            const end = onReconnect(() => {
                end();
                keepProofs();
            });
        },
    );
}

async function begin(): Promise<void> {
    await startWords();
    rpc.start();
    followPresses();
    followMine();
    followTurn();
    effect(() => useZone(settings.value.timezone));
    account.subscribe((who) => followLanguage(who?.language));
    followChoices();
    const unwatch = account.subscribe((who) => {
        if (!who) return;
        keepProofs();
        queueMicrotask(() => unwatch());
    });
    const root = document.getElementById("app");
    if (root !== null) render(<App />, root);
}

void begin();
