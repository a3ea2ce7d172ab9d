/** The board of a match as a small picture, and the marks of its armies, as its game draws them. */
import { lobbyGame, type GamePictureProps } from "@/lobby/game";
import { SideMarks } from "@/ui/ArmyMark";

/** A game that this page does not know has an empty frame. */
export function GamePicture({ game, ...props }: GamePictureProps & { game: string }) {
    const parts = lobbyGame(game);
    if (parts === undefined) return <div class="picture" style={{ aspectRatio: `${props.width} / ${props.height}` }} />;
    return <parts.Picture {...props} />;
}

export function GameMarks({ game, side, size = 14 }: { game: string; side: string; size?: number }) {
    const Marks = lobbyGame(game)?.SideMarks ?? SideMarks;
    return <Marks side={side} size={size} />;
}
