/** Which seat: buttons with the army marks, one of them chosen. */
import { useId } from "preact/hooks";
import { GameMarks } from "@/lobby/GamePicture";
import { sideTitle } from "@/lobby/words";
import { t } from "@/words";

interface SeatChoiceProps<S extends string> {
    game: string;
    seats: readonly S[];
    chosen: S | undefined;
    onChoose: (seat: S) => void;
    /** Offers "by lot" as well, under this name. */
    lot?: S;
    name?: string;
}

export function SeatChoice<S extends string>({ game, seats, chosen, onChoose, lot, name }: SeatChoiceProps<S>) {
    const group = useId();
    const all = lot === undefined ? seats : [...seats, lot];
    return (
        <fieldset class="seat-choice">
            <legend>{name ?? t("new.you_play")}</legend>
            {all.map((seat) => (
                <label key={seat} class="seat-option" data-on={seat === chosen}>
                    <input type="radio" name={group} checked={seat === chosen} onChange={() => onChoose(seat)} />
                    <GameMarks game={game} side={seat} size={18} />
                    <span>{seat === lot ? t("new.by_lot") : sideTitle(game, seat)}</span>
                </label>
            ))}
        </fieldset>
    );
}
