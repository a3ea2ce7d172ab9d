/** The time record of Waterloo, above the map or as a card over it. */
import { RecordStrip } from "@/board/Map";
import { useMatch } from "@/play/context";
import type { RecordForm } from "@/play/games";
import type { View } from "@/types";

export function WaterlooRecord({ view, form }: { view: View; form: RecordForm }) {
    const { match } = useMatch();
    const turn = view.turn;
    if (turn === undefined) return null;
    const record = match.board.value?.time_record;
    return <RecordStrip turn={turn as never} nations={view.board.nations as never} form={form} {...(record === undefined ? {} : { record })} />;
}
