/** What stands below the question: the log, the talk, notes, the armies. */
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import { Away } from "@/follow/Away";
import { Log } from "@/follow/Log";
import { Notes } from "@/follow/Notes";
import { ReplayStart } from "@/follow/ReplayStart";
import { unreadOf } from "@/net/match";
import { useMatch } from "@/play/context";
import { Talk } from "@/talk/Talk";
import { Tabs } from "@/ui/Tabs";
import "@/follow/follow.css";
import { t } from "@/words";

type TabId = "log" | "chat" | "notes" | "armies";
/** Which tab is open: kept while one goes from match to match. */
export const openTab = signal<TabId>("log");

export default function FollowTabs({ only }: { only?: "log" | "chat" | "armies" }) {
    const { match } = useMatch();
    useEffect(() => void match.loadTalk("table").catch(() => {}), [match]);
    if (only !== undefined) {
        return (
            <div class="follow only">
                <h2 class="follow-title">{t(`follow.${only}`)}</h2>
                <div class="follow-scroll">
                    <Part of={only} />
                </div>
            </div>
        );
    }
    const seat = match.seat.value;
    const now = seat === null && openTab.value === "notes" ? "log" : openTab.value;
    const items = [
        { id: "log" as const, label: t("follow.log") },
        { id: "chat" as const, label: t("follow.chat"), count: unreadOf(match.unread.value) },
        ...(seat === null ? [] : [{ id: "notes" as const, label: t("follow.notes") }]),
        { id: "armies" as const, label: t("follow.armies") },
    ];
    return (
        <div class="follow">
            <Tabs items={items} chosen={now} onChoose={(id) => (openTab.value = id)} name={t("follow.name")} class="follow-tabs">
                <div class="follow-scroll">
                    <Part of={now} />
                </div>
            </Tabs>
        </div>
    );
}

function Part({ of }: { of: TabId }) {
    const { game } = useMatch();
    switch (of) {
        case "log":
            return (
                <>
                    <Away />
                    <Log />
                    <ReplayStart />
                </>
            );
        case "chat":
            return <Talk />;
        case "notes":
            return <Notes />;
        default:
            return <game.Armies />;
    }
}
