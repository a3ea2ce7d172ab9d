/** What the map is told to mark, from real views of the rules (fixtures/play.json), and what desks make of them. */
import { describe, expect, it } from "vitest";
import { historical, suggested } from "@/play/deployments";
import { roadsAlong, roadsOf, waysOfLength } from "@/play/graph";
import { attackMarks, marchMarks, placedIn, quietMarks, routeMarks, rowsOf, setUpMarks, tightest, usedBy, withPlaced, type MarchGiven } from "@/play/marks";
import type { BoardData, View } from "@/types";
import { printed } from "@/ui/oob";
import boardJson from "../../../schema/games/waterloo/board.json";
import viewsJson from "./fixtures/play.json";

const board = boardJson as unknown as BoardData;
const views = viewsJson as unknown as { march: View; respond: View; setup: View };
const roads = roadsOf(board.roads);

describe("roads", () => {
    it("are found from both ends", () => {
        expect(roads.between("thuin", "charleroi")?.id).toBe("thuin-charleroi");
        expect(roads.between("charleroi", "thuin")?.id).toBe("thuin-charleroi");
        expect(roads.between("thuin", "ligny")).toBeUndefined();
    });
    it("of a path are those between its towns", () => {
        expect(roadsAlong(roads, "beaumont", ["thuin", "charleroi"]).map((road) => road.id)).toEqual(["beaumont-thuin", "thuin-charleroi"]);
    });
    it("give all ways of one length that pass no town twice", () => {
        const ways = waysOfLength(roads, "ligny", "nivelles", 2).map((way) => way.join(" "));
        expect(ways).toEqual(["quatre-bras nivelles"]);
        const three = waysOfLength(roads, "charleroi", "waterloo", 2).map((way) => way.join(" "));
        expect(three).toEqual(["quatre-bras waterloo"]);
        for (const way of waysOfLength(roads, "solre", "charleroi", 2)) expect(new Set(way).size).toBe(way.length);
    });
});

describe("rows of a march", () => {
    it("hold the blocks that go one way from one town, in the order of drafting", () => {
        const rows = rowsOf(views.march, ["FR"]);
        expect(rows.map((row) => [row.from, row.path.join(" "), row.units.join(" "), row.forced.length])).toEqual([
            ["beaumont", "thuin charleroi", "FR-B FR-C", 2],
            ["philippeville", "laneffe", "FR-G", 0],
        ]);
    });
    it("leave out what others have drafted", () => {
        expect(rowsOf(views.march, ["AD", "PR"])).toEqual([]);
    });
    it("tell the use of the road with the least room", () => {
        // thuin-charleroi is a country road over the Sambre: three units, W4.7; two of them go.
        expect(tightest(roads, views.march.board.roads, "beaumont", ["thuin", "charleroi"])).toEqual({ used: 2, cap: 3 });
        expect(tightest(roads, views.march.board.roads, "philippeville", ["laneffe"])).toEqual({ used: 1, cap: 8 });
        expect(tightest(roads, undefined, "philippeville", ["laneffe"])).toBeNull();
    });
});

function given(more: Partial<MarchGiven> = {}): MarchGiven {
    return {
        view: views.march,
        roads,
        rows: rowsOf(views.march, ["FR"]),
        editing: null,
        held: new Set(),
        legal: new Map(),
        choosable: ["FR-D"],
        reach: () => undefined,
        capacity: {},
        dieText: "1–3",
        ...more,
    };
}

describe("marks of a march", () => {
    it("show a path for every row, dashed where it is forced, with its die", () => {
        const marks = marchMarks(given());
        expect(marks.paths).toEqual([
            { towns: ["beaumont", "thuin", "charleroi"], kind: "forced", army: "FR" },
            { towns: ["philippeville", "laneffe"], kind: "draft", army: "FR" },
        ]);
        expect(marks.forced).toEqual([{ towns: ["beaumont", "thuin", "charleroi"], text: "1–3" }]);
    });
    it("show what is attacked, by how many, and the minimum", () => {
        expect(attackMarks(views.march)).toEqual([{ town: "charleroi", count: 2, min: 3 }]);
        expect(marchMarks(given()).rings).toEqual({ charleroi: "attacked" });
    });
    it("show the edited row in the army's colour, and its roads", () => {
        const marks = marchMarks(given({ editing: "philippeville laneffe" }));
        expect(marks.rings?.laneffe).toBe("edited");
        expect(marks.paths?.[1]?.kind).toBe("edited");
        const use = marks.roadUse?.find((one) => one.road === "philippeville-laneffe");
        expect(use).toEqual({ road: "philippeville-laneffe", used: 1, cap: 8, kind: "edited", army: "FR" });
        expect(marks.roadUse?.find((one) => one.road === "beaumont-thuin")?.kind).toBe("draft");
    });
    it("show legal towns and the room of the roads that lead there", () => {
        const marks = marchMarks(
            given({
                held: new Set(["FR-D"]),
                legal: new Map([["solre", { forced: false, attack: false }]]),
                reach: () => ({ path: ["solre"] }),
                capacity: { "solre-beaumont": { of: 6, left: 6 } },
            }),
        );
        expect(marks.rings?.solre).toBe("legal");
        expect([...(marks.legalTowns ?? [])]).toEqual(["solre"]);
        expect(marks.roadUse).toContainEqual({ road: "solre-beaumont", used: 0, cap: 6, kind: "open" });
    });
    it("let drafted blocks be chosen, too, so that the draft can be edited", () => {
        expect([...(marchMarks(given()).choosable ?? [])].sort()).toEqual(["FR-B", "FR-C", "FR-D", "FR-G"]);
    });
});

describe("marks of the set-up", () => {
    const placed = new Map([["AD-A", "mons"], ["AD-B", "mons"], ["AD-C", "mons"], ["PR-A", "namur"]]);
    it("ring the towns where the chosen block may stand, but not those that are full", () => {
        const marks = setUpMarks({ view: views.setup, placed, selected: "AD-D", nations: ["AD", "PR"] });
        expect(marks.rings?.soignies).toBe("legal");
        expect(marks.rings?.mons).toBeUndefined();
        expect(marks.rings?.namur).toBeUndefined();
        expect(marks.veil).toBe("anglo");
    });
    it("count what stands there, full or not", () => {
        const marks = setUpMarks({ view: views.setup, placed, selected: null, nations: ["AD", "PR"] });
        expect(marks.counts).toEqual({ mons: { text: "3/3", full: true }, namur: { text: "1/4" } });
        expect(marks.rings).toEqual({});
    });
    it("ring the own town of a block that already stands", () => {
        const marks = setUpMarks({ view: views.setup, placed, selected: "AD-A", nations: ["AD", "PR"] });
        expect(marks.rings?.mons).toBe("legal");
    });
    it("draw the page's own draft in place of the server's", () => {
        const drawn = withPlaced(views.setup, new Map([["AD-A", "ghent"]]), ["AD", "PR"]);
        expect(drawn.board.units["AD-A"]?.town).toBe("ghent");
        expect(drawn.board.units["PR-A"]?.town).toBeUndefined();
        expect(drawn.board.towns).toEqual({ ghent: { units: { AD: 1 } } });
        expect(placedIn(placed, "AD", "mons")).toBe(3);
    });
});

describe("suggested deployments", () => {
    const all = { FR: 18, AD: 14, PR: 16 } as const;
    for (const nation of ["FR", "AD", "PR"] as const) {
        it(`place every unit of ${nation} where it may stand`, () => {
            // W2.3, W2.4: at most three Anglo-Dutch, four Prussians, twelve French to a town.
            const most = { FR: 12, AD: 3, PR: 4 }[nation];
            const zone = { FR: "none", AD: "anglo", PR: "prussian" }[nation];
            for (const one of suggested(board, [nation])) {
                expect(Object.keys(one.placement).sort()).toEqual(Object.keys(printed).filter((unit) => unit.startsWith(nation)).sort());
                expect(Object.keys(one.placement).length).toBe(all[nation]);
                const counts = new Map<string, number>();
                for (const town of Object.values(one.placement)) counts.set(town, (counts.get(town) ?? 0) + 1);
                for (const [town, n] of counts) {
                    const data = board.towns.find((there) => there.id === town);
                    expect(data?.zone, `${town} of ${one.id}`).toBe(zone);
                    expect(n, `${town} of ${one.id}`).toBeLessThanOrEqual(most);
                }
            }
        });
    }
    it("take the historical quarters from the board data", () => {
        const quarters = historical(board, ["PR"]);
        expect(quarters["PR-A"]).toBe("charleroi");
        expect(quarters["PR-P"]).toBe("liege");
    });
});

describe("marks of routes", () => {
    const routes = new Map([
        ["PR-A", { path: ["ligny"], forced: false }],
        ["PR-B", { path: ["ligny"], forced: false }],
        ["PR-I", { path: ["quatre-bras", "waterloo", "brussels"], forced: true }],
    ]);
    const marks = routeMarks({
        view: views.respond,
        roads,
        town: "charleroi",
        kind: "retreat",
        routes,
        chosen: new Set(["PR-M"]),
        units: ["PR-A", "PR-B", "PR-I", "PR-M"],
        legal: new Set(["binche"]),
        capacity: { "ligny-charleroi": { of: 6, left: 6 }, "charleroi-quatre-bras": { of: 8, left: 7 } },
        barred: ["thuin-charleroi"],
        dieText: "1–3",
    });
    it("are one path a way, with the use of its roads", () => {
        expect(marks.paths?.map((path) => path.towns.join(" "))).toEqual(["charleroi ligny", "charleroi quatre-bras waterloo brussels"]);
        expect(marks.roadUse).toContainEqual({ road: "ligny-charleroi", used: 2, cap: 6, kind: "edited", army: "PR" });
        expect(marks.roadUse).toContainEqual({ road: "charleroi-quatre-bras", used: 2, cap: 8, kind: "edited", army: "PR" });
        expect(marks.forced?.length).toBe(1);
    });
    it("bar the enemy's road and close the other town that is attacked", () => {
        expect(marks.roadUse).toContainEqual({ road: "thuin-charleroi", used: 0, cap: 0, kind: "barred" });
        expect(marks.rings).toEqual({ mons: "closed", binche: "legal", charleroi: "attacked" });
    });
    it("count every road of a plan", () => {
        expect(Object.fromEntries(usedBy(roads, "charleroi", routes.values()))).toEqual({
            "ligny-charleroi": 2,
            "charleroi-quatre-bras": 1,
            "quatre-bras-waterloo": 1,
            "brussels-waterloo": 1,
        });
    });
});

describe("marks of one who waits", () => {
    it("ring what is attacked", () => {
        expect(quietMarks(views.respond).rings).toEqual({ charleroi: "attacked", mons: "attacked" });
    });
});
