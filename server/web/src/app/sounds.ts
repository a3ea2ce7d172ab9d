/**
 * Four small sounds, made by the browser itself: a block set down, dice, drums of an attack, and two
 * notes when it is one's own turn. Only when the reader switched them on.
 */
import { settings } from "@/app/settings";

export type Sound = "block" | "dice" | "drums" | "turn";

let context: AudioContext | undefined;

/** A burst of noise through a band: wood on wood. */
function knock(on: AudioContext, at: number, pitch: number, loud: number, seconds: number): void {
    const frames = Math.ceil(on.sampleRate * seconds);
    const buffer = on.createBuffer(1, frames, on.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-6 * i) / frames);
    const source = on.createBufferSource();
    source.buffer = buffer;
    const band = on.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = pitch;
    band.Q.value = 2.2;
    const gain = on.createGain();
    gain.gain.value = loud;
    source.connect(band).connect(gain).connect(on.destination);
    source.start(at);
}

/** A tone that dies away; `to`: where its pitch falls. */
function tone(on: AudioContext, at: number, pitch: number, to: number, loud: number, seconds: number): void {
    const source = on.createOscillator();
    source.frequency.setValueAtTime(pitch, at);
    source.frequency.exponentialRampToValueAtTime(to, at + seconds);
    const gain = on.createGain();
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    source.connect(gain).connect(on.destination);
    source.start(at);
    source.stop(at + seconds);
}

const makers: Record<Sound, (on: AudioContext, now: number) => void> = {
    block: (on, now) => knock(on, now, 420, 0.5, 0.08),
    dice: (on, now) => {
        for (const [i, at] of [0, 0.09, 0.16, 0.27, 0.36, 0.5].entries()) knock(on, now + at, 1500 + 170 * (i % 3), 0.3, 0.05);
    },
    drums: (on, now) => {
        for (const at of [0, 0.16, 0.24, 0.4]) tone(on, now + at, 130, 60, 0.35, 0.18);
    },
    turn: (on, now) => {
        tone(on, now, 523, 520, 0.16, 0.5);
        tone(on, now + 0.17, 784, 780, 0.16, 0.7);
    },
};

/** Plays a sound if the reader wants sounds and the browser allows them. */
export function play(sound: Sound): void {
    if (!settings.peek().sounds || typeof AudioContext === "undefined") return;
    context ??= new AudioContext();
    const on = context;
    const begin = (): void => makers[sound](on, on.currentTime + 0.01);
    // Browsers hold sound back until the page was touched once.
    if (on.state === "suspended") on.resume().then(begin, () => {});
    else begin();
}
