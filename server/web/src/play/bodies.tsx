/** What the panel shows for each decision, between the question and the dark button. */
import type { JSX } from "preact";
import { AllotBody, SupplyBody } from "@/play/LossBody";
import { MarchBody } from "@/play/MarchBody";
import { RespondBody } from "@/play/RespondBody";
import { RoutBody } from "@/play/RoutBody";
import { SetUpBody } from "@/play/SetUpBody";
import type { View } from "@/types";

export const bodies: Readonly<Record<string, (props: { view: View }) => JSX.Element | null>> = {
    place_units: SetUpBody,
    move: MarchBody,
    respond: RespondBody,
    allot: AllotBody,
    rout_routes: RoutBody,
    remove_units: SupplyBody,
};
