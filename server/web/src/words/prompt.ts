/** What is asked, or whom the match waits for. */
import { has, t, tt } from "./catalogue";
import { gameWords } from "./games";
import { list, sideName } from "./names";
import { text } from "./reader";
import type { Json } from "./reader";
import type { Asked, GameWords, PromptWords } from "./telling";

function waiting(view: Asked, words: GameWords): PromptWords {
    const who = view.waits_for.length > 0 ? view.waits_for : view.to_act;
    return {
        headline: t(`prompt.${words.infix}wait.headline`, {
            side_t: list(who.map((seat) => sideName(words.side(seat)))), state: view.state,
        }),
        sentence: tt("prompt.wait.sentence"),
        button: t("prompt.wait.button"),
    };
}

/** The words of a view's prompt, for the seat that must act and for those who wait. */
export function promptWords(view: Asked): PromptWords {
    const words = gameWords(view.game);
    const over = words.over(view);
    if (over !== null) return over;
    const prompt = view.prompt as Json | undefined;
    if (prompt === undefined) return waiting(view, words);
    const id = text(prompt.id);
    if (!has(`prompt.${words.infix}${id}.headline`)) {
        return { headline: t("prompt.other.headline"), sentence: [], button: t("prompt.wait.button") };
    }
    const args = words.argsOf(view, id, prompt);
    // Where nothing is left to answer the headline says it all.
    const all = args.towns === 0 && id === "respond";
    return {
        headline: t(`prompt.${words.infix}${id}.headline`, args),
        sentence: all ? [] : tt(`prompt.${words.infix}${id}.sentence`, args),
        button: t(`prompt.${words.infix}${id}.button`, args),
    };
}
