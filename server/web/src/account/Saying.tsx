/** How an act of an account went: one line that is read aloud, good or bad; its room is kept, so that nothing shifts. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { whyText } from "@/account/why";

export interface Said {
    good: boolean;
    text: string;
}

/** What a press asked for and did not come about: [the line that says so, how a press begins]. */
export function usePress(): [JSX.Element | null, (act: () => Promise<unknown>) => void] {
    const [wrong, setWrong] = useState<string | null>(null);
    const press = (act: () => Promise<unknown>): void => {
        setWrong(null);
        act().catch((error: unknown) => setWrong(whyText(error)));
    };
    return [wrong === null ? null : <Saying said={{ good: false, text: wrong }} />, press];
}

export function Saying({ said }: { said: Said | null }) {
    return (
        <p role={said?.good === false ? "alert" : "status"} class={said === null ? "saying" : said.good ? "saying notice good" : "saying notice wrong"}>
            {said?.text ?? ""}
        </p>
    );
}
