/** Proves a finished match: its record from the server, or one from a file, with the receipts kept here. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { pageTitle } from "@/app/banner";
import { LinkStrip } from "@/app/LinkStrip";
import { follow } from "@/app/router";
import { Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { kept } from "@/proof/keep";
import { verify, type CheckName, type Verdict } from "@/proof/verify";
import "@/proof/verify.css";
import { commas, refusalText, t } from "@/words";

type State = { kind: "none" } | { kind: "working" } | { kind: "refused"; text: string } | { kind: "done"; verdict: Verdict; record: string };

const CHECKS: CheckName[] = ["form", "chain", "nonces", "rolls", "draws", "receipts"];

export default function VerifyPage({ id }: { id?: string }) {
    const [state, setState] = useState<State>({ kind: "none" });
    const prove = async (record: string): Promise<void> => {
        const match = /"match":"([^"]{1,64})"/.exec(record)?.[1];
        const receipts = match === undefined ? [] : (await kept(match)).receipts;
        setState({ kind: "done", verdict: verify(record, receipts), record });
    };
    const fetchAndProve = async (match: string): Promise<void> => {
        setState({ kind: "working" });
        try {
            const { record } = await rpc.call<{ record: string }>("match.record", { match });
            await prove(record);
        } catch (error) {
            setState({ kind: "refused", text: textOf(error) });
        }
    };
    useEffect(() => {
        pageTitle.value = t("verify.title");
        if (id !== undefined) void fetchAndProve(id);
        return () => {
            pageTitle.value = "";
        };
    }, [id]);
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-plain">
                <h1>{t("verify.title")}</h1>
                <p class="told">{t("verify.what")}</p>
                {state.kind === "working" && <p role="status">{t("verify.working")}</p>}
                {state.kind === "refused" && (
                    <p class="notice wrong" role="alert">
                        {state.text}
                    </p>
                )}
                {state.kind === "done" && <Said verdict={state.verdict} />}
                <div class="verify-acts">
                    {state.kind === "done" && <Download record={state.record} match={state.verdict.match} />}
                    <label class="button verify-file">
                        {t("verify.file")}
                        <input
                            type="file"
                            accept=".jsonl,.vedette,.txt,application/vnd.vedette.record+jsonl"
                            onChange={(event) => {
                                const file = event.currentTarget.files?.[0];
                                if (file !== undefined) void file.text().then(prove);
                            }}
                        />
                    </label>
                    {id !== undefined && (
                        <a class="button" href={`/match/${id}`} onClick={follow}>
                            {t("verify.back")}
                        </a>
                    )}
                </div>
            </main>
        </>
    );
}

function textOf(error: unknown): string {
    return error instanceof Refusal ? refusalText(error) : t("error.internal");
}

/** What was checked, line by line, and what was not. */
function Said({ verdict }: { verdict: Verdict }) {
    const failedAt = verdict.failed === undefined ? CHECKS.length : CHECKS.indexOf(verdict.failed.check);
    const said = (i: number): "good" | "bad" | "left" => (i < failedAt ? "good" : i === failedAt ? "bad" : "left");
    return (
        <section aria-live="polite">
            <p class={verdict.good ? "notice good" : "notice wrong"}>
                {verdict.good
                    ? t("verify.good", { lines: verdict.lines, rolls: verdict.rolls })
                    : t("verify.bad", { line: verdict.failed?.at ?? 0 })}
            </p>
            <ul class="verify-list">
                {CHECKS.map((check, i) => {
                    const none = check === "receipts" && verdict.good && verdict.receipts === 0;
                    const mark = none ? "left" : said(i);
                    return (
                        <li key={check}>
                            <span class="verify-mark" data-said={mark} aria-label={t(`verify.said.${mark}`)}>
                                {{ good: "✓", bad: "✕", left: "–" }[mark]}
                            </span>
                            <span>
                                <strong>{t(`verify.check.${check}`)}</strong>
                                {none && t("verify.no_receipts")}
                                {check === "receipts" && verdict.receipts > 0 && t("verify.receipts", { n: verdict.receipts })}
                                {verdict.failed?.check === check && verdict.failed.why}
                            </span>
                        </li>
                    );
                })}
                <li>
                    <span class="verify-mark" data-said="left" aria-label={t("verify.said.left")}>
                        –
                    </span>
                    <span>
                        <strong>{t("verify.check.rules")}</strong>
                        {t("verify.not_rules")}
                    </span>
                </li>
            </ul>
            {verdict.waived.length > 0 && <p>{t("verify.waived", { seats: commas(verdict.waived) })}</p>}
            {verdict.lost.length > 0 && <p>{t("verify.lost", { seats: commas(verdict.lost) })}</p>}
        </section>
    );
}

/** Saves the record as a file. */
function Download({ record, match }: { record: string; match: string }) {
    const save = (): void => {
        const address = URL.createObjectURL(new Blob([record], { type: "application/vnd.vedette.record+jsonl" }));
        const link = document.createElement("a");
        link.href = address;
        link.download = `${match}.vedette`;
        link.click();
        URL.revokeObjectURL(address);
    };
    return (
        <button type="button" class="button primary" onClick={save}>
            {t("verify.save")}
        </button>
    );
}
