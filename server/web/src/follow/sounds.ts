/** Which step sounds like what. */
import type { Sound } from "@/app/sounds";
import type { Step } from "@/types";

/** Which sound an event makes; the first that a step has is played. */
const SOUNDS: Readonly<Record<string, Sound>> = {
    attacked: "drums",
    fired: "dice",
    pursuit: "dice",
    march_dice: "dice",
    morale: "dice",
    revealed: "block",
    marched: "block",
    moved: "block",
    drafted: "block",
    placed: "block",
    // Austerlitz, whose "moved" is above.
    declared: "drums",
    rolled: "dice",
    displaced: "block",
    advanced: "block",
};

/** The sound of a step, if it has one. */
export function soundOf(step: Step): Sound | undefined {
    const sounds = step.events.map((event) => SOUNDS[String(event.ev)]);
    return sounds.find((sound) => sound === "drums" || sound === "dice") ?? sounds.find((sound) => sound !== undefined);
}
