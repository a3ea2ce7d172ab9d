/** Cards of what waits: the board as picture, who plays whom, what is asked, one verb. */
import { follow } from "@/app/router";
import { waitsForMe } from "@/app/waiting";
import { serverNow, useTicking } from "@/clock/now";
import { faceOf, seatClock, span, urgencyOf } from "@/clock/state";
import { msOf } from "@/clock/types";
import { useLook } from "@/lobby/data";
import { GameMarks, GamePicture } from "@/lobby/GamePicture";
import { freeSeats, matchTitle, tableSentence, verbOf, whoPlays } from "@/lobby/words";
import type { Summary } from "@/types";
import { ago, deadline, promptWords, Rich, stopped, t, turnName, type Viewer } from "@/words";
import { lastSentence } from "@/lobby/told";

const WIDTH = 300;
const HEIGHT = 150;

/** A running match that waits for one of the account's seats. */
export function WaitingCard({ match }: { match: Summary }) {
    const seat = waitsForMe(match)[0] ?? "FR";
    const look = useLook(match, seat);
    const prompt = look?.view.prompt?.id;
    const words = look === null ? null : promptWords(look.view);
    const clock = seatClock(match, seat);
    useTicking(clock?.deadline !== undefined);
    const viewer: Viewer = seat;
    const told = look === null ? null : lastSentence(look.last, viewer, { game: match.game, board: look.view.board });
    return (
        <article
            class="match-card card"
            aria-label={matchTitle(match)}
            data-urgency={clock === null || match.clock === undefined ? undefined : urgencyOf(clock, match.clock.kind, serverNow.value)}
        >
            <a class="match-card-board" href={`/match/${match.match}`} onClick={follow} tabIndex={-1} aria-hidden="true">
                <GamePicture game={match.game} view={look?.view ?? null} width={WIDTH} height={HEIGHT} />
            </a>
            <div class="match-card-body">
                <div class="match-card-head">
                    <h2>{matchTitle(match)}</h2>
                    {clock === null || clock.deadline === undefined || match.clock === undefined ? (
                        <span class="match-card-when">{look === null ? "" : ago(look.since)}</span>
                    ) : (
                        <span class="match-card-when" data-urgency={urgencyOf(clock, match.clock.kind, serverNow.value)} title={deadline(msOf(clock.deadline), undefined, true)}>
                            {clock.state === "runs" ? span(msOf(clock.deadline) - serverNow.value) : faceOf(clock, serverNow.value)}
                            <span class="visually-hidden"> {deadline(msOf(clock.deadline), undefined, true)}</span>
                        </span>
                    )}
                </div>
                <p class="match-card-who">
                    <GameMarks game={match.game} side={seat} size={16} /> {whoPlays(match)}
                </p>
                <p class="told match-card-ask">
                    {look !== null && words !== null && (
                        <>
                            {look.view.turn === undefined || look.view.turn.slot === 0 ? "" : `${stopped(turnName(match.game, look.view.turn))} `}
                            {stopped(words.headline)}{told !== null && <> <Rich of={told} /></>}
                        </>
                    )}
                </p>
                <a class="button primary" href={`/match/${match.match}`} onClick={follow}>
                    {verbOf(prompt)}
                    <span class="visually-hidden">: {matchTitle(match)}</span>
                </a>
            </div>
        </article>
    );
}

/** A table that the account is asked to sit down at. */
export function InvitationCard({ match, onJoin }: { match: Summary; onJoin: (match: Summary) => void }) {
    return (
        <article class="match-card card" aria-label={matchTitle(match)}>
            <div class="match-card-board" aria-hidden="true">
                <GamePicture game={match.game} width={WIDTH} height={HEIGHT} />
            </div>
            <div class="match-card-body">
                <div class="match-card-head">
                    <h2>{matchTitle(match)}</h2>
                    <span class="match-card-when">{match.created_at === undefined ? "" : ago(match.created_at)}</span>
                </div>
                <p class="match-card-who">
                    {freeSeats(match).map((seat) => (
                        <GameMarks key={seat} game={match.game} side={seat} size={16} />
                    ))}{" "}
                    {t("lobby.asks_you", { name: match.creator ?? "" })}
                </p>
                <p class="told match-card-ask">
                    <Rich of={tableSentence(match)} />
                </p>
                <button type="button" class="button primary" onClick={() => onJoin(match)}>
                    {t("lobby.answer")}
                    <span class="visually-hidden">: {matchTitle(match)}</span>
                </button>
            </div>
        </article>
    );
}
