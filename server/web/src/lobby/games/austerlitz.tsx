/** Napoléon à Austerlitz in the lobby. */
import { SideTile } from "@/hex/SideTile";
import type { HexBoardData, HexView } from "@/hex/types";
import { lazy, Suspense } from "@/app/lazy";
import type { GamePictureProps, LobbyGame } from "@/lobby/game";
import { useBoard } from "@/lobby/data";
import { valueOf } from "@/lobby/options";
import { seatSide, t, tt } from "@/words";

const HexPicture = lazy(() => import("@/lobby/HexEve"));

function HexBoard({ view, width, height, label }: GamePictureProps) {
    const board = useBoard("austerlitz") as unknown as HexBoardData | null;
    return (
        <div class="picture" style={{ aspectRatio: `${width} / ${height}` }}>
            {board !== null && (
                <Suspense fallback={null}>
                    <HexPicture board={board} view={view as unknown as HexView | null | undefined} width={width} height={height} {...(label === undefined ? {} : { label })} />
                </Suspense>
            )}
        </div>
    );
}

export const game: LobbyGame = {
    Picture: HexBoard,
    SideMarks: ({ side, size = 14 }) => {
        const of = seatSide("austerlitz", side);
        return of === "french" || of === "allied" ? <SideTile side={of} size={size} /> : null;
    },
    tableArgs: (options) => ({
        information: String(options["information"] ?? "informed"),
        situation: String(options["situation"] ?? "1805"),
        guard: options["guard_1805"] === true && (options["situation"] ?? "1805") !== "1805",
        dealt: options["strengths"] === "dealt",
    }),
    inShort: (options) => [
        ...(options["information"] === "semi-blind" ? [t("lobby.short.austerlitz.semi-blind")] : []),
        ...((options["situation"] ?? "1805") === "1805" ? [] : [t(`option.austerlitz.situation.${String(options["situation"])}.name`)]),
        ...(options["guard_1805"] === true ? [t("lobby.short.austerlitz.guard")] : []),
        ...(options["strengths"] === "dealt" ? [t("lobby.short.austerlitz.dealt")] : []),
    ],
    prose: (draft, about) => {
        const value = (name: string): unknown => valueOf(draft, name, about.options?.[name]);
        const situation = String(value("situation"));
        return [
            tt("new.prose.austerlitz.seat", { seat: draft.seat }),
            tt("new.prose.austerlitz.rules", {
                information: String(value("information")), situation,
                guard: value("guard_1805") === true && situation !== "1805", dealt: value("strengths") === "dealt",
            }),
            tt("new.prose.austerlitz.turns"),
        ];
    },
    // The Guard of 1805 is no other in 1805.
    isIdle: (option, value) => option === "guard_1805" && value("situation") === "1805",
    asked: { option: "information", values: ["informed", "semi-blind"], name: (value) => t(`option.austerlitz.information.${value}.name`) },
};
