/** The seat's notebook: kept by the server for this seat alone. */
import { useEffect, useRef, useState } from "preact/hooks";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import { refusalText, t } from "@/words";

const SAVE_AFTER_MS = 800;
const LENGTH_MAX = 16000;

export function Notes() {
    const { match } = useMatch();
    const seat = match.seat.value;
    const [text, setText] = useState<string | null>(null);
    const [said, setSaid] = useState<{ kind: "saved" | "wrong" | "none"; text: string }>({ kind: "none", text: "" });
    const timer = useRef<ReturnType<typeof setTimeout>>();
    const unsaved = useRef<string | null>(null);
    const call = (params: Record<string, unknown>): Promise<{ text?: string }> =>
        rpc.call<{ text?: string }>("match.note", { match: match.id, as: seat, ...params });
    const save = async (): Promise<void> => {
        const what = unsaved.current;
        if (what === null) return;
        unsaved.current = null;
        try {
            await call({ text: what, action_id: newActionId() });
            setSaid({ kind: "saved", text: t("notes.saved") });
        } catch (error) {
            unsaved.current ??= what;
            setSaid({ kind: "wrong", text: error instanceof Refusal ? refusalText(error) : t("error.internal") });
        }
    };
    useEffect(() => {
        let here = true;
        call({}).then(
            (note) => here && setText(note.text ?? ""),
            () => here && setSaid({ kind: "wrong", text: t("notes.failed") }),
        );
        return () => {
            here = false;
            clearTimeout(timer.current);
            void save();
        };
    }, [match, seat]);
    return (
        <div class="notes">
            <label class="small" for="notes">
                {t("notes.what")}
            </label>
            <textarea
                id="notes"
                class="notes-text"
                maxLength={LENGTH_MAX}
                disabled={text === null}
                value={text ?? ""}
                onKeyDown={(event) => event.stopPropagation()}
                onInput={(event) => {
                    unsaved.current = event.currentTarget.value;
                    setText(event.currentTarget.value);
                    clearTimeout(timer.current);
                    timer.current = setTimeout(() => void save(), SAVE_AFTER_MS);
                }}
                onBlur={() => void save()}
            />
            <p class={said.kind === "wrong" ? "notice wrong" : "small"} role="status">
                {said.text}
            </p>
        </div>
    );
}
