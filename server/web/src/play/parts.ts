/** Parts of the page that other folders draw, fetched when they are first shown. */
import type { ComponentType } from "preact";
import { lazy } from "@/app/lazy";

type Loader = () => Promise<{ default: ComponentType<never> }>;

const found = import.meta.glob<{ default: ComponentType<never> }>([
    "../battle/BattleScene.tsx",
    "../clock/WhyPart.tsx",
    "../orders/OrdersSheet.tsx",
    "../seats/SeatSheet.tsx",
    "../notices/MatchNoticesSheet.tsx",
    "../battle/BattlePanel.tsx",
    "../follow/FollowTabs.tsx",
    "../follow/ReplayBar.tsx",
    "../follow/OverPanel.tsx",
    "../lobby/OpenTable.tsx",
    "../ui/RuleSheet.tsx",
    "../proof/ProofNotice.tsx",
]);

function part<P extends object>(path: string): ComponentType<P> {
    const load = found[path] as Loader | undefined;
    if (load === undefined) return () => null;
    return lazy<P>(load as () => Promise<{ default: ComponentType<P> }>);
}

export const BattleScene = part<{ town: string }>("../battle/BattleScene.tsx");
export const BattlePanel = part<{ town: string | null }>("../battle/BattlePanel.tsx");
export const FollowTabs = part<{ only?: "log" | "chat" | "armies" }>("../follow/FollowTabs.tsx");
export const ReplayBar = part<object>("../follow/ReplayBar.tsx");
export const OpenTable = part<{ id: string; query: URLSearchParams; onBegun?: () => void }>("../lobby/OpenTable.tsx");
export const RuleSheet = part<{ game: string; rule: string; onRule: (rule: string) => void; onClose: () => void }>("../ui/RuleSheet.tsx");
export const ProofNotice = part<{ match: string }>("../proof/ProofNotice.tsx");
export const WhySheet = part<{ onClose: () => void }>("../clock/WhyPart.tsx");
export const OrdersSheet = part<{ onClose: () => void }>("../orders/OrdersSheet.tsx");
export const SeatSheet = part<{ onClose: () => void }>("../seats/SeatSheet.tsx");
export const MatchNoticesSheet = part<{ onClose: () => void }>("../notices/MatchNoticesSheet.tsx");
export const OverPanel = part<object>("../follow/OverPanel.tsx");
