/** Links that the maker of a table hands out: an address each free seat of a closed match has. */
import { useState } from "preact/hooks";
import { announce } from "@/app/live";
import { GameMarks } from "@/lobby/GamePicture";
import { freeSeats, sideTitle } from "@/lobby/words";
import type { Summary } from "@/types";
import { t } from "@/words";

export function Links({ match }: { match: Summary }) {
    const closed = match.access !== "open";
    const links = closed
        ? freeSeats(match).map((seat) => ({ seat: seat as string, url: address(match, match.seats[seat]?.code) }))
        : [{ seat: "", url: address(match) }];
    return (
        <section class="links">
            <h2>{t("table.links", { n: links.length })}</h2>
            <p class="small">{closed ? t("table.links_closed") : t("table.links_open")}</p>
            {links.map(({ seat, url }) => (
                <LinkRow key={seat} game={match.game} seat={seat} url={url} />
            ))}
        </section>
    );
}

function address(match: Summary, code?: string): string {
    return `${location.origin}/match/${match.match}${code === undefined ? "" : `#code=${code}`}`;
}

function LinkRow({ game, seat, url }: { game: string; seat: string; url: string }) {
    const [copied, setCopied] = useState(false);
    const copy = async (): Promise<void> => {
        await navigator.clipboard.writeText(url);
        setCopied(true);
        announce(t("table.copied"));
    };
    const name = seat === "" ? t("table.link") : t("table.link_of", { side: sideTitle(game, seat) });
    return (
        <div class="link-row">
            {seat !== "" && <GameMarks game={game} side={seat} size={18} />}
            <input type="text" readOnly value={url} aria-label={name} onFocus={(event) => event.currentTarget.select()} />
            <button type="button" class="button" onClick={() => void copy().catch(() => {})}>
                {copied ? t("table.copied") : t("table.copy")}
                <span class="visually-hidden">: {name}</span>
            </button>
        </div>
    );
}
