/** How an act of an account went: one line that is read aloud, good or bad. */
export interface Said {
    good: boolean;
    text: string;
}

export function Saying({ said }: { said: Said | null }) {
    return (
        <p role={said?.good === false ? "alert" : "status"} class={said === null ? "" : said.good ? "notice good" : "notice wrong"}>
            {said?.text ?? ""}
        </p>
    );
}
