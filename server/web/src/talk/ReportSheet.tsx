/** A message is reported to the host of the server, who gets it as it was. */
import { useId, useState } from "preact/hooks";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import type { Channel } from "@/talk/channels";
import { Sheet } from "@/ui/Sheet";
import { refusalText, t } from "@/words";

export interface Accused {
    name: string;
    channel: Channel;
    n: number;
}

export function ReportSheet({ accused, onClose }: { accused: Accused; onClose: () => void }) {
    const { match } = useMatch();
    const id = useId();
    const [text, setText] = useState("");
    const [wrong, setWrong] = useState<string | null>(null);
    const [sent, setSent] = useState(false);
    const send = async (): Promise<void> => {
        if (text.trim() === "") {
            setWrong(t("report.empty"));
            return;
        }
        try {
            await rpc.call("match.report", { match: match.id, channel: accused.channel, n: accused.n, text: text.trim(), action_id: newActionId() });
            setSent(true);
        } catch (error) {
            setWrong(error instanceof Refusal ? refusalText(error) : t("error.internal"));
        }
    };
    return (
        <Sheet
            title={t("report.title", { name: accused.name })}
            onClose={onClose}
            foot={
                sent ? (
                    <button type="button" class="button primary" onClick={onClose}>
                        {t("ui.close")}
                    </button>
                ) : (
                    <>
                        <button type="button" class="button" onClick={onClose}>
                            {t("join.not_now")}
                        </button>
                        <button type="button" class="button primary" onClick={() => void send()}>
                            {t("report.send")}
                        </button>
                    </>
                )
            }
        >
            {sent ? (
                <p class="notice good" role="status">
                    {t("report.sent")}
                </p>
            ) : (
                <div class="field">
                    <label for={id}>{t("report.what")}</label>
                    <textarea id={id} rows={4} maxLength={2000} value={text} aria-invalid={wrong === null ? undefined : "true"} autofocus onInput={(event) => setText(event.currentTarget.value)} />
                    <span class="hint">{t("report.note")}</span>
                    {wrong !== null && (
                        <span class="wrong" role="alert">
                            {wrong}
                        </span>
                    )}
                </div>
            )}
        </Sheet>
    );
}
