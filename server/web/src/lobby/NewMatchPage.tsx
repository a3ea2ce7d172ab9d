/** A new match: one page, every choice with what it does to play, and at the right the table in prose. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { pageTitle } from "@/app/banner";
import { LinkStrip } from "@/app/LinkStrip";
import { follow, go } from "@/app/router";
import { QuickSettings } from "@/account/QuickSettings";
import { ClockFields, isOfClock, memberWords } from "@/clock/ClockFields";
import { PaceField } from "@/clock/PaceField";
import { botOf, loadGames, games, playable, refreshListsSoon } from "@/lobby/data";
import { create, whyNot } from "@/lobby/join";
import { Company } from "@/lobby/Company";
import { FIRST, keepUsual, offers, paramsOf, seatsOf, usual, type Draft } from "@/lobby/options";
import { OptionFields } from "@/lobby/OptionFields";
import { ChoiceCards } from "@/lobby/ChoiceCards";
import { GamePicture } from "@/lobby/GamePicture";
import { YourTable } from "@/lobby/YourTable";
import { SeatChoice } from "@/lobby/SeatChoice";
import { gameTitle } from "@/lobby/words";
import { Refusal } from "@/net/rpc";
import { account } from "@/net/session";
import type { GameAbout } from "@/types";
import { Field } from "@/ui/Field";
import { rulesPath } from "@/ui/rules";
import { clockSteps, t } from "@/words";
import "@/lobby/lobby.css";
import "@/lobby/new.css";

function firstDraft(query: URLSearchParams): Draft {
    const kept = usual();
    const players = query.get("players");
    const name = query.get("invite");
    return {
        ...FIRST,
        ...kept,
        game: query.get("game") ?? "waterloo",
        options: { ...kept.options, ...(players === null ? {} : { players: Number(players) }) },
        access: name === null ? (kept.access ?? FIRST.access) : "invite",
        invite: name === null ? [] : [name],
    };
}

export default function NewMatchPage({ query }: { query: URLSearchParams }) {
    const [draft, setDraft] = useState<Draft>(() => firstDraft(query));
    useEffect(() => {
        pageTitle.value = t("new.title", { game: gameTitle(draft.game) });
    }, [draft.game]);
    useEffect(() => {
        void loadGames().catch(() => {});
        refreshListsSoon();
    }, []);
    const about = games.value.find((game) => game.game === draft.game);
    return (
        <>
            <Bar right={<QuickSettings />} />
            <LinkStrip />
            <main class="new">
                {account.value === null ? (
                    <SignInFirst />
                ) : about === undefined ? (
                    <div aria-busy="true" />
                ) : (
                    <Form draft={fitted(draft, about)} about={about} onChange={(part) => setDraft({ ...draft, ...part })} />
                )}
            </main>
        </>
    );
}

/**
 * A seat that the table does not have any more gives way to the first that it has; options and steps of the
 * clock of another game, which were kept as usual, are left out.
 */
function fitted(draft: Draft, about: GameAbout): Draft {
    const seats = seatsOf(draft, about);
    const fits = draft.seat === "lot" || draft.seat === "none" || seats.includes(draft.seat);
    const options = Object.fromEntries(Object.entries(draft.options).filter(([name]) => about.options?.[name] !== undefined));
    return { ...draft, options, clock: fittedClock(draft), seat: fits ? draft.seat : (seats[0] ?? "none") };
}

function fittedClock({ game, clock }: Draft): Draft["clock"] {
    if (clock?.phases === undefined) return clock;
    const { phases, ...rest } = clock;
    const kept = Object.entries(phases).filter(([phase]) => clockSteps(game).includes(phase));
    return kept.length === 0 ? rest : { ...rest, phases: Object.fromEntries(kept) };
}

function SignInFirst() {
    const then = encodeURIComponent(location.pathname + location.search);
    return (
        <div class="new-first">
            <h1>{t("new.sign_in_first")}</h1>
            <p class="table-acts">
                <a class="button primary" href={`/sign-in?new=1&then=${then}`} onClick={follow}>
                    {t("start.register")}
                </a>
                <a class="button" href={`/sign-in?then=${then}`} onClick={follow}>
                    {t("start.sign_in")}
                </a>
            </p>
        </div>
    );
}

/** Which game: shown where there are several. */
function GameChoice({ chosen, onChoose }: { chosen: string; onChoose: (game: string) => void }) {
    const all = playable.value.map((about) => about.game);
    if (all.length < 2) return null;
    return (
        <ChoiceCards
            name={t("new.game")}
            values={all}
            value={chosen}
            say={(game, what) => (what === "name" ? gameTitle(game) : t(`game.${game}.summary`))}
            onChange={onChoose}
        />
    );
}

interface FormProps {
    draft: Draft;
    about: GameAbout;
    onChange: (part: Partial<Draft>) => void;
}

function Form({ draft, about, onChange }: FormProps) {
    const [busy, setBusy] = useState(false);
    const [wrong, setWrong] = useState<{ member: string; text: string } | null>(null);
    const [kept, setKept] = useState(false);
    const seats = seatsOf(draft, about);
    const open = async (): Promise<void> => {
        setBusy(true);
        setWrong(null);
        try {
            const match = await create(paramsOf(draft, about));
            go(`/match/${match.match}`);
        } catch (error) {
            const member = error instanceof Refusal ? (error.data.member ?? "") : "";
            setWrong({ member, text: isOfClock(member) ? t("new.clock.wrong", { member: memberWords(member) }) : whyNot(error) });
            setBusy(false);
        }
    };
    return (
        <>
            <form
                class="new-form"
                onSubmit={(event) => {
                    event.preventDefault();
                    void open();
                }}
            >
                <h1>{t("new.title", { game: gameTitle(draft.game) })}</h1>
                <p class="new-lead">{t("new.lead")}</p>
                <GameChoice chosen={draft.game} onChoose={(game) => onChange({ game })} />
                <OptionFields draft={draft} about={about} part="seats" onChange={onChange} />
                <SeatChoice game={draft.game} seats={seats} chosen={draft.seat} lot="lot" onChoose={(seat) => onChange({ seat })} />
                <OptionFields draft={draft} about={about} part="rules" onChange={onChange} />
                <ClockFields
                    game={draft.game}
                    spec={draft.clock}
                    seats={seats.length}
                    wrong={wrong !== null && isOfClock(wrong.member) ? wrong : null}
                    onChange={(clock) => onChange({ clock })}
                />
                <PaceField pace={draft.pace} onChange={(pace) => onChange({ pace })} />
                <Company draft={draft} bot={botOf(draft.game)?.name ?? null} wrong={wrong?.member === "invite" ? wrong.text : null} offers={offers()} onChange={onChange} />
                <h2>{t("new.title_head")}</h2>
                <Field
                    label={t("new.title_label")}
                    value={draft.title}
                    maxLength={60}
                    hint={t("new.title_hint")}
                    {...(wrong?.member === "title" ? { wrong: wrong.text } : {})}
                    onInput={(title) => onChange({ title })}
                />
            </form>
            <aside class="new-table" aria-labelledby="your-table">
                <div class="card">
                    <GamePicture game={draft.game} width={460} height={236} />
                    <div class="new-table-body">
                        <h2 id="your-table">{t("new.your_table")}</h2>
                        <YourTable draft={draft} about={about} />
                        {wrong !== null && wrong.member !== "invite" && wrong.member !== "title" && !isOfClock(wrong.member) && (
                            <p class="notice wrong" role="alert">
                                {wrong.text}
                            </p>
                        )}
                        <button type="button" class="button primary" disabled={busy} onClick={() => void open()}>
                            {t("new.open", { access: draft.access })}
                        </button>
                    </div>
                </div>
                <p class="new-foot">
                    <button
                        type="button"
                        class="button quiet"
                        onClick={() => {
                            keepUsual(draft);
                            setKept(true);
                        }}
                    >
                        {kept ? t("new.kept") : t("new.keep")}
                    </button>
                    <a class="button quiet" href={rulesPath(draft.game)} onClick={follow}>
                        {t("new.read_rules")}
                    </a>
                </p>
            </aside>
        </>
    );
}

