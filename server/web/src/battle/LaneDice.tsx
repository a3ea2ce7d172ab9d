/** Dice in the middle ground of their lane, with one sentence under them. */
import type { JSX } from "preact";
import { Dice } from "@/ui/Dice";
import { capital, plain, Rich, sentence, type Token } from "@/words";
import { useMatch } from "@/play/context";
import type { View } from "@/types";
import { deskOf, type Throw } from "./desk";

/** The sentence of the event without its town and dice: both are seen. */
function told(thrown: Throw, view: View): Token[] {
    const [first, second, ...rest] = sentence(thrown.event, view.as, view).filter((token) => token.dice === undefined);
    if (first === undefined || second === undefined) return first === undefined ? [] : [first];
    if (first.town !== thrown.battle) return [first, second, ...rest];
    const after = second.text.replace(/^\s*[:：]\s*/, "");
    const [head, ...others] = after === "" ? rest : [{ ...second, text: after }, ...rest];
    return head === undefined ? [] : [{ ...head, text: capital(head.text) }, ...others];
}

export function LaneDice({ thrown, view }: { thrown: Throw; view: View }): JSX.Element {
    const { match } = useMatch();
    const words = told(thrown, view);
    return (
        <div class={`lane-dice ${thrown.rolling ? "is-rolling" : ""}`}>
            <Dice
                key={`${thrown.battle}/${thrown.event.ev}/${thrown.faces.join("")}/${thrown.rolling}`}
                faces={thrown.faces}
                hits={(face) => face >= thrown.hitOn}
                rolling={thrown.rolling}
                size={32}
                label={plain(words)}
                onSettled={() => deskOf(match).settle()}
            />
            <p class="lane-dice-told" aria-hidden="true">
                <Rich of={words} />
            </p>
        </div>
    );
}
