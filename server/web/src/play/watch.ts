/** Looking on: one waits, watches, replays, or the battle board has the question. */
import { signal, type Signal } from "@preact/signals";
import type { Marks } from "@/board/types";
import type { Commit, Desk, Handlers, Key, Refused, RowAct } from "@/play/desk";
import { quietMarks } from "@/play/marks";
import type { View } from "@/types";
import { promptWords, type Token } from "@/words";

export class WatchDesk implements Desk {
    readonly refused: Signal<Refused | null> = signal(null);

    constructor(readonly kind: "wait" | "battle" | "over") {}

    headline(view: View): string {
        return promptWords(view).headline;
    }

    sentence(view: View): readonly Token[] {
        return promptWords(view).sentence;
    }

    marks(view: View): Marks {
        return quietMarks(view);
    }

    handlers(): Handlers {
        return {};
    }

    commit(): Commit | null {
        return null;
    }

    keys(): Key[] {
        return [];
    }

    townActs(): RowAct[] {
        return [];
    }

    unitActs(): RowAct[] {
        return [];
    }

    viewed(): void {}

    escape(): void {}
}
