/** What is asked, or whom the match waits for. */
import { t, tt } from "./catalogue";
import type { Token } from "./format";

/** headline: the question in the imperative; sentence: what the rules ask; button: what the dark
 * button will do. */
export interface PromptWords {
    headline: string;
    sentence: Token[];
    button: string;
}

/** What a view must have for its prompt to be told; views of match.view have it. */
export interface Asked {
    state: string;
    to_act: readonly string[];
    waits_for: readonly string[];
    turn?: { slot: number; side: string; night: boolean; date?: string; part?: string };
    prompt?: { id: string; [member: string]: unknown };
    board: object;
    as?: string;
}

/** The words of a view's prompt, for the seat that must act and for those who wait. */
export function promptWords(view: Asked): PromptWords {
    const id = view.prompt?.id ?? "wait";
    return { headline: t(`prompt.${id}.headline`), sentence: tt(`prompt.${id}.sentence`), button: t(`prompt.${id}.button`) };
}
