/** The options of a game as fields: each with a sentence on what it does to play. */
import { useId } from "preact/hooks";
import { ChoiceCards } from "@/lobby/ChoiceCards";
import { follow } from "@/app/router";
import { valueOf, type Draft } from "@/lobby/options";
import { lobbyGame } from "@/lobby/game";
import { optionMeaning, optionName } from "@/lobby/words";
import type { GameAbout, OptionAbout } from "@/types";
import { rulesPath } from "@/ui/rules";
import { has, t } from "@/words";

interface OptionFieldsProps {
    draft: Draft;
    about: GameAbout;
    /** seats: how many play; rules: all else. */
    part: "seats" | "rules";
    onChange: (part: Partial<Draft>) => void;
}

export function OptionFields({ draft, about, part, onChange }: OptionFieldsProps) {
    const all = Object.entries(about.options ?? {});
    const value = (name: string): unknown => valueOf(draft, name, about.options?.[name]);
    const idle = lobbyGame(draft.game)?.isIdle ?? (() => false);
    const wanted = all.filter(([name]) => (name === "players") === (part === "seats") && !idle(name, value));
    const set = (name: string, value: unknown): void => onChange({ options: { ...draft.options, [name]: value } });
    if (wanted.length === 0) return null;
    return (
        <section>
            <h2>{part === "seats" ? t("new.seats") : t("new.rules")}</h2>
            {wanted.map(([name, option]) => (
                <OptionField
                    key={name}
                    game={draft.game}
                    name={name}
                    about={option}
                    value={valueOf(draft, name, option)}
                    onChange={(value) => set(name, value)}
                />
            ))}
        </section>
    );
}

interface OptionFieldProps {
    game: string;
    name: string;
    about: OptionAbout;
    value: unknown;
    onChange: (value: unknown) => void;
}

function OptionField(props: OptionFieldProps) {
    const { about } = props;
    if (Array.isArray(about["enum"])) return <Choice {...props} values={about["enum"] as (string | number)[]} />;
    if (about.type === "boolean") return <Switch {...props} />;
    if (about.type === "integer") return <Span {...props} />;
    return null;
}

function Choice({ game, name, about, value, values, onChange }: OptionFieldProps & { values: (string | number)[] }) {
    const say = (one: string | number, what: "name" | "meaning"): string => {
        if (has(`option.${game}.${name}.${one}.${what}`)) return t(`option.${game}.${name}.${one}.${what}`);
        return what === "name" ? String(one) : "";
    };
    return <ChoiceCards name={optionName(game, name, about)} shown={name !== "players"} more={<Rule game={game} about={about} />} values={values} value={value} say={say} onChange={onChange} />;
}

function Switch({ game, name, about, value, onChange }: OptionFieldProps) {
    const id = useId();
    return (
        <div class="option-row">
            <input
                id={id}
                type="checkbox"
                role="switch"
                class="switch"
                checked={value === true}
                aria-describedby={`${id}-meaning`}
                onChange={(event) => onChange(event.currentTarget.checked)}
            />
            <div>
                <label for={id}>{optionName(game, name, about)}</label> <Rule game={game} about={about} />
                <p id={`${id}-meaning`}>{optionMeaning(game, name, about)}</p>
            </div>
        </div>
    );
}

function Span({ game, name, about, value, onChange }: OptionFieldProps) {
    const id = useId();
    const least = Number(about["minimum"] ?? 1);
    const most = Number(about["maximum"] ?? least);
    const steps = Array.from({ length: most - least + 1 }, (_, i) => most - i);
    return (
        <div class="option-row">
            <select id={id} value={String(value)} aria-describedby={`${id}-meaning`} onChange={(event) => onChange(Number(event.currentTarget.value))}>
                {steps.map((step) => (
                    <option key={step} value={step}>
                        {step}
                    </option>
                ))}
            </select>
            <div>
                <label for={id}>{optionName(game, name, about)}</label> <Rule game={game} about={about} />
                <p id={`${id}-meaning`}>{optionMeaning(game, name, about)}</p>
            </div>
        </div>
    );
}

function Rule({ game, about }: { game: string; about: OptionAbout }) {
    const rule = about["rule"];
    if (typeof rule !== "string") return null;
    return (
        <a href={rulesPath(game, rule)} onClick={follow}>
            {rule}
        </a>
    );
}
