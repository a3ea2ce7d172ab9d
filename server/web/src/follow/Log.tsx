/** The log: what this viewer was told, as sentences; each takes the eye to its town. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useMatch } from "@/play/context";
import type { Entry } from "@/play/games";
import { Rich, t } from "@/words";

const SHOWN = 120;

export function Log() {
    const { match, game, focus, scene, openRule } = useMatch();
    const [more, setMore] = useState(1);
    const as = match.as.value;
    useEffect(() => void match.loadHistory().catch(() => {}), [match, as]);
    const story = useMemo(() => game.reader(as), [as]);
    const entries = story.add(match.steps.value).entries;
    const first = Math.max(0, entries.length - SHOWN * more);
    const show = (town: string): void => {
        scene.value = { kind: "map" };
        focus.value = { town, n: (focus.value?.n ?? 0) + 1 };
    };
    const list = useRef<HTMLDivElement>(null);
    useStayAtEnd(list, entries.length);
    return (
        <div class="log" id="log" role="log" aria-label={t("follow.log")} tabIndex={0} ref={list}>
            {first > 0 && (
                <button type="button" class="button quiet" onClick={() => setMore(more + 1)}>
                    {t("log.earlier")}
                </button>
            )}
            {entries.length === 0 && <p class="follow-empty">{t("log.empty")}</p>}
            {entries.slice(first).map((entry) => (
                <Line key={entry.key} entry={entry} onTown={show} onRule={openRule} />
            ))}
        </div>
    );
}

interface LineProps {
    entry: Entry;
    onTown: (town: string) => void;
    onRule: (rule: string) => void;
}

function Line({ entry, onTown, onRule }: LineProps) {
    const { SideMarks } = useMatch().game;
    if (entry.kind === "heading") return <h3 class="log-heading overline">{entry.text}</h3>;
    const { town } = entry;
    return (
        <div class="log-line">
            <span class="log-mark">{entry.mark !== null && <SideMarks side={entry.mark} />}</span>
            <p>
                <Rich of={entry.tokens} onTown={onTown} onRule={onRule} />
            </p>
            {town !== null && (
                <button type="button" class="log-show" aria-label={t("log.show")} title={t("log.show")} onClick={() => onTown(town)}>
                    <Eye />
                </button>
            )}
        </div>
    );
}

function Eye() {
    return (
        <svg width="16" height="12" viewBox="0 0 16 12" aria-hidden="true">
            <path d="M1 6c2-3 4.3-4.5 7-4.5S13 3 15 6c-2 3-4.3 4.5-7 4.5S3 9 1 6z" fill="none" stroke="currentColor" stroke-width="1.3" />
            <circle cx="8" cy="6" r="2.1" fill="currentColor" />
        </svg>
    );
}

/** New lines keep the end in sight, and so does another height of the list or its frame, unless the reader has gone back. */
function useStayAtEnd(list: { current: HTMLElement | null }, count: number): void {
    const stays = useRef(true);
    useEffect(() => {
        const box = scroller(list.current);
        if (box === null || list.current === null) return;
        let top = box.scrollTop;
        const heard = (): void => {
            // Only who scrolls up has gone back; lines that come in below make no difference.
            const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
            if (atEnd) stays.current = true;
            else if (box.scrollTop < top) stays.current = false;
            top = box.scrollTop;
        };
        const sized = new ResizeObserver(() => {
            if (stays.current) box.scrollTop = box.scrollHeight;
        });
        sized.observe(box);
        sized.observe(list.current);
        box.addEventListener("scroll", heard, { passive: true });
        return () => {
            sized.disconnect();
            box.removeEventListener("scroll", heard);
        };
    }, []);
    useEffect(() => {
        const box = scroller(list.current);
        if (box !== null && stays.current) box.scrollTop = box.scrollHeight;
    }, [count]);
}

function scroller(from: HTMLElement | null): HTMLElement | null {
    return from?.closest<HTMLElement>(".follow-scroll") ?? null;
}
