// Matches at a given moment: both armies in their quarters, the French at Charleroi.
import { act } from "./harness.mjs";

const QUARTERS = {
    FR: {
        solre: "FR-A FR-E FR-F FR-L FR-N",
        beaumont: "FR-B FR-C FR-D FR-H FR-O FR-Q",
        philippeville: "FR-G FR-I FR-J FR-K FR-M FR-P FR-R",
    },
    AL: {
        brussels: "AD-F AD-M AD-N",
        enghien: "AD-A AD-D AD-K",
        ninove: "AD-G AD-H AD-I",
        ghent: "AD-B AD-C AD-L",
        nivelles: "AD-E",
        mons: "AD-J",
        charleroi: "PR-A PR-B PR-I PR-M",
        namur: "PR-C PR-D PR-J PR-N",
        ciney: "PR-E PR-G PR-K PR-O",
        liege: "PR-F PR-H PR-L PR-P",
    },
};

export function placements(seat) {
    return Object.entries(QUARTERS[seat]).flatMap(([town, units]) => units.split(" ").map((unit) => ({ unit, town })));
}

/** Two accounts at a table, both armies in their quarters: the French are to march. */
export async function campaign(daemon, name, more = {}) {
    const french = await daemon.account(`${name}_fr`);
    const allied = await daemon.account(`${name}_al`);
    const match = await daemon.match([french, allied], ["FR", "AL"], {}, more);
    const players = { FR: french, AL: allied };
    for (const seat of ["AL", "FR"]) {
        await act(players[seat], match, seat, { do: "place", placements: placements(seat) });
        await act(players[seat], match, seat, { do: "confirm_setup" });
    }
    return { match, players };
}

/** The French with three units on Charleroi: the Allies are to answer. */
export async function attacked(daemon, name, more = {}) {
    const table = await campaign(daemon, name, more);
    const { match, players } = table;
    const marches = ["FR-B", "FR-C", "FR-D"].map((unit) => ({ unit, path: ["thuin", "charleroi"], forced: true }));
    await act(players.FR, match, "FR", { do: "march", marches });
    await act(players.FR, match, "FR", { do: "end_movement" });
    return table;
}
