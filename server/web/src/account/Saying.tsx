/** How an act of an account went: one line that is read aloud, good or bad; its room is kept, so that nothing shifts. */
export interface Said {
    good: boolean;
    text: string;
}

export function Saying({ said }: { said: Said | null }) {
    return (
        <p role={said?.good === false ? "alert" : "status"} class={said === null ? "saying" : said.good ? "saying notice good" : "saying notice wrong"}>
            {said?.text ?? ""}
        </p>
    );
}
