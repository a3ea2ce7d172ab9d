/** Who may sit down, who may watch, what is open afterwards. */
import { useId } from "preact/hooks";
import { ChoiceCards } from "@/lobby/ChoiceCards";
import type { Draft, Offers } from "@/lobby/options";
import { t } from "@/words";

interface CompanyProps {
    draft: Draft;
    offers: Offers;
    bot: string | null;
    wrong: string | null;
    onChange: (part: Partial<Draft>) => void;
}

export function Company({ draft, offers, bot, wrong, onChange }: CompanyProps) {
    return (
        <section>
            <h2>{t("new.company")}</h2>
            <ChoiceCards
                name={t("new.company")}
                values={["open", "invite", "private"].filter((one) => offers.access.includes(one))}
                value={draft.access}
                say={(one, what) => t(`new.access.${one}.${what}`)}
                onChange={(access) => onChange({ access })}
            />
            {draft.access !== "open" && <Invite draft={draft} bot={bot} wrong={wrong} onChange={onChange} />}
            {draft.access !== "private" && offers.spectators.length > 1 && (
                <>
                    <Rows
                        name={t("new.watchers")}
                        values={["public", "delayed", "none"].filter((one) => offers.spectators.includes(one))}
                        value={draft.spectators}
                        say={(one, what) => t(`new.spectators.${one}.${what}`, { game: draft.game })}
                        onChange={(spectators) => onChange({ spectators })}
                    />
                    {draft.spectators === "delayed" && (
                        <Rows
                            name={t("new.delay")}
                            values={["1", "2", "3", "4", "6", "8"]}
                            value={String(draft.delay)}
                            say={(one, what) => (what === "name" ? t("new.delay.name", { n: Number(one) }) : t("new.delay.meaning"))}
                            onChange={(delay) => onChange({ delay: Number(delay) })}
                        />
                    )}
                    {draft.spectators !== "none" && (
                        <Rows
                            name={t("new.talk")}
                            values={["yes", "no"]}
                            value={draft.talk ? "yes" : "no"}
                            say={(one, what) => t(`new.talk.${one}.${what}`)}
                            onChange={(talk) => onChange({ talk: talk === "yes" })}
                        />
                    )}
                </>
            )}
            {offers.reveal.length > 1 && (
                <Rows
                    name={t("new.afterwards")}
                    values={["end", "seats"].filter((one) => offers.reveal.includes(one))}
                    value={draft.reveal}
                    say={(one, what) => t(`new.reveal.${one}.${what}`)}
                    onChange={(reveal) => onChange({ reveal })}
                />
            )}
            {offers.start.length > 1 && (
                <Rows
                    name={t("new.beginning")}
                    values={["full", "manual"].filter((one) => offers.start.includes(one))}
                    value={draft.start}
                    say={(one, what) => t(`new.start.${one}.${what}`)}
                    onChange={(start) => onChange({ start })}
                />
            )}
        </section>
    );
}

interface ChoiceProps {
    name: string;
    values: string[];
    value: string;
    /** The name of a value, or what it means. */
    say: (value: string, what: "name" | "meaning") => string;
    onChange: (value: string) => void;
}

function Rows({ name, values, value, say, onChange }: ChoiceProps) {
    const id = useId();
    return (
        <div class="choice-row">
            <label for={id}>{name}</label>
            <select id={id} value={value} aria-describedby={`${id}-meaning`} onChange={(event) => onChange(event.currentTarget.value)}>
                {values.map((one) => (
                    <option key={one} value={one}>
                        {say(one, "name")}
                    </option>
                ))}
            </select>
            <span id={`${id}-meaning`} class="small">
                {say(value, "meaning")}
            </span>
        </div>
    );
}

function Invite({ draft, bot, wrong, onChange }: Omit<CompanyProps, "offers">) {
    const id = useId();
    const add = (one: string): void => {
        const clean = one.trim();
        const fresh = clean !== "" && !draft.invite.includes(clean);
        onChange({ typed: "", ...(fresh ? { invite: [...draft.invite, clean] } : {}) });
    };
    return (
        <div class="invite">
            <label for={id}>{t("new.invite")}</label>
            <div class="invite-box">
                {draft.invite.map((one) => (
                    <button
                        key={one}
                        type="button"
                        class="chip"
                        aria-label={t("new.uninvite", { name: one })}
                        onClick={() => onChange({ invite: draft.invite.filter((other) => other !== one) })}
                    >
                        {one} <span aria-hidden="true">×</span>
                    </button>
                ))}
                <input
                    id={id}
                    type="text"
                    value={draft.typed}
                    autocomplete="off"
                    aria-describedby={`${id}-hint`}
                    aria-invalid={wrong === null ? undefined : "true"}
                    placeholder={t("new.invite_name")}
                    onInput={(event) => onChange({ typed: event.currentTarget.value })}
                    onKeyDown={(event) => {
                        if (event.key !== "Enter" && event.key !== ",") return;
                        event.preventDefault();
                        add(draft.typed);
                    }}
                />
            </div>
            <span id={`${id}-hint`} class="small">
                {t("new.invite_hint")}
            </span>
            {bot !== null && !draft.invite.includes(bot) && (
                <button type="button" class="button quiet" onClick={() => add(bot)}>
                    {t("new.invite_bot", { name: bot })}
                </button>
            )}
            {wrong !== null && (
                <span class="wrong" role="alert">
                    {wrong}
                </span>
            )}
        </div>
    );
}
