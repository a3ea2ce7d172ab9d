/** What the panel shows for each decision, between the question and the dark button. */
import type { ComponentType } from "preact";
import { AdvanceBody, ExchangeBody, RetreatBody } from "@/austerlitz/AfterBodies";
import { DeclareBody } from "@/austerlitz/DeclareBody";
import { MoveBody } from "@/austerlitz/MoveBody";
import { Plan } from "@/austerlitz/Plan";
import type { ResolveDesk } from "@/austerlitz/resolve";
import { hexView } from "@/austerlitz/types";
import { useHexDesk } from "@/austerlitz/use";
import type { View } from "@/types";

function ResolveBody({ view }: { view: View }) {
    const desk = useHexDesk<ResolveDesk>();
    const at = desk.at(hexView(view));
    return <Plan view={view} onChoose={(n) => desk.choose(n)} {...(at === undefined ? {} : { chosen: at })} />;
}

export const bodies: Readonly<Record<string, ComponentType<{ view: View }>>> = {
    "aus.move": MoveBody,
    "aus.declare": DeclareBody,
    "aus.resolve": ResolveBody,
    "aus.exchange": ExchangeBody,
    "aus.retreat": RetreatBody,
    "aus.battery": RetreatBody,
    "aus.advance": AdvanceBody,
};
