/** Messages as elements: names in bold, dice as pictures, links where somebody listens. */
import type { ComponentChildren, JSX } from "preact";

import { Die } from "@/ui/Dice";
import { t, tt } from "./catalogue";
import type { Args, Token } from "./format";
import { commas } from "./names";

/** Who wants to hear of a press on a town, a unit or a rule; without one it is text. */
export interface Listeners {
    onTown?: (id: string) => void;
    onUnit?: (id: string) => void;
    onRule?: (rule: string) => void;
}

function link(press: (() => void) | undefined, kind: string, body: ComponentChildren): JSX.Element {
    if (press === undefined) return <span class={`word-${kind}`}>{body}</span>;
    return <button type="button" class={`word-link word-${kind}`} onClick={press}>{body}</button>;
}

function Piece({ token, to }: { token: Token; to: Listeners }): JSX.Element {
    if (token.dice) {
        return (
            <span class="word-dice" role="img" aria-label={t("list.dice.spoken", { dice: commas(token.dice.map(String)) })}>
                {token.dice.map((n, i) => <Die key={i} face={n} size={16} figure={false} />)}
            </span>
        );
    }
    const body = token.bold ? <b>{token.text}</b> : <>{token.text}</>;
    const { town, unit, rule } = token;
    if (rule) return link(to.onRule && (() => to.onRule?.(rule)), "rule", body);
    if (town) return link(to.onTown && (() => to.onTown?.(town)), "town", body);
    if (unit) return link(to.onUnit && (() => to.onUnit?.(unit)), "unit", body);
    return body;
}

/** Tokens as elements. */
export function Rich(props: { of: readonly Token[] } & Listeners): JSX.Element {
    return <>{props.of.map((token, i) => <Piece key={i} token={token} to={props} />)}</>;
}

/** The message of key k with its markup. */
export function T(props: { k: string; args?: Args } & Listeners): JSX.Element {
    return <Rich of={tt(props.k, props.args)} onTown={props.onTown} onUnit={props.onUnit}
        onRule={props.onRule} />;
}
