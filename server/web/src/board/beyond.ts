/**
 * What lies beyond the sheet's edge, so that a wide or tall window shows land and not a cut: rivers
 * and border go on for a while. Art only; no road of the game runs there.
 */

type Line = readonly (readonly [number, number])[];

/** Points put before and after the polylines of the board data, [latitude, longitude]. */
export const rivers: Readonly<Record<string, { before?: Line; after?: Line }>> = {
    Scheldt: {
        before: [[49.4, 3.28], [49.62, 3.25], [49.8, 3.22], [49.93, 3.24], [50.06, 3.2], [50.17, 3.22], [50.24, 3.29], [50.29, 3.38]],
        after: [[51.095, 4.3], [51.12, 4.32], [51.17, 4.31], [51.225, 4.385], [51.28, 4.31], [51.34, 4.25], [51.38, 4.1], [51.37, 3.9], [51.4, 3.7]],
    },
    Lys: { before: [[50.6, 2.7], [50.66, 2.85], [50.72, 2.95], [50.77, 3.08], [50.82, 3.22]] },
    Senne: { after: [[51.085, 4.36], [51.098, 4.33]] },
    Dyle: { after: [[51.082, 4.46]] },
    Sambre: { before: [[49.84, 3.72], [49.88, 3.56], [49.92, 3.52], [49.98, 3.62], [50.06, 3.64]] },
    Meuse: {
        before: [[48.6, 5.55], [48.95, 5.35], [49.2, 5.38], [49.4, 5.18], [49.52, 5.05], [49.7, 4.93], [49.76, 4.72], [49.84, 4.75], [49.92, 4.7]],
        after: [[50.79, 5.7], [50.85, 5.69], [50.93, 5.74], [51.02, 5.77], [51.1, 5.83], [51.2, 5.98], [51.37, 6.17]],
    },
};

/** The border from the west edge, and on to the south-east. */
export const border: { before: Line; after: Line } = {
    before: [[50.98, 2.5], [50.86, 2.62], [50.8, 2.7], [50.72, 2.9], [50.77, 3.1], [50.72, 3.2], [50.6, 3.27]],
    after: [[49.87, 5.05], [49.79, 5.1], [49.7, 5.3], [49.58, 5.4], [49.5, 5.55], [49.4, 5.8], [49.5, 6.3], [49.2, 6.8], [49.1, 7.4]],
};

/** Names of lands, each with its place, its turn in degrees, its size and its spread of letters. */
export const regions: readonly { id: string; lat: number; lon: number; turn: number; size: number; spread: number }[] = [
    { id: "flandre", lat: 50.925, lon: 3.83, turn: -24, size: 19, spread: 5 },
    { id: "brabant", lat: 50.775, lon: 4.77, turn: -4, size: 21, spread: 9 },
    { id: "hainaut", lat: 50.527, lon: 4.2, turn: -6, size: 20, spread: 8 },
    { id: "liege", lat: 50.735, lon: 5.36, turn: 0, size: 19, spread: 6 },
    { id: "ardenne", lat: 50.2, lon: 5.14, turn: -7, size: 20, spread: 6 },
    { id: "france", lat: 50.185, lon: 3.72, turn: 0, size: 28, spread: 12 },
];
