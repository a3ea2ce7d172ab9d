import { beforeAll, describe, expect, it } from "vitest";
import { lengthOf, pointAt } from "../src/board/curves";
import { overlap, type Point } from "../src/board/geo";
import { guess } from "../src/board/measure";
import { View } from "../src/board/view";
import { shownNow } from "../src/hex/faces";
import { allHexes, beside, centre, chains, columnOf, cornersOf, distance, hexUnder, neighbour, neighbours, outlines, pointKey, rowOf, sideBetween, ways, wayTo } from "../src/hex/geo";
import { hexHitAt, viaHex } from "../src/hex/hits";
import { stepFrom } from "../src/hex/keys";
import { layOutHexes, placed } from "../src/hex/layout";
import { placeOf, spokenHex } from "../src/hex/names";
import { areaPath, arrow } from "../src/hex/shapes";
import { calm, hexSheetOf } from "../src/hex/sheet";
import { movesBetween } from "../src/hex/slide";
import { showHexes, theFighting } from "../src/hex/start";
import type { Hex, HexBoardData, HexMarks, HexUnit, HexView } from "../src/hex/types";
import { setLanguage } from "../src/words";
import board from "../../../schema/games/austerlitz/board.json";
import book from "../../../schema/games/austerlitz/oob.json";

const data = board as unknown as HexBoardData;
const sheet = hexSheetOf(data);
const { grid } = sheet;

interface Printed {
    id: string;
    side: "french" | "allied";
    type: HexUnit["type"];
    combat: number;
    movement: number;
    start: string;
}

const units: Record<Hex, HexUnit> = {};
for (const { id, side, type, combat, movement, start } of (book as unknown as { units: Printed[] }).units) {
    units[start] = { side, type, movement, ...(side === "french" ? { id, potential: combat } : {}) };
}
const view: HexView = { board: { units, broken_ice: [], destroyed_bridges: [] } };

const area = (loop: readonly Point[]): number => loop.reduce((sum, p, i) => sum + p.x * loop[(i + 1) % loop.length]!.y - loop[(i + 1) % loop.length]!.x * p.y, 0) / 2;
const nearest = (line: readonly Point[], p: Point): number => Math.min(...line.map((q) => Math.hypot(p.x - q.x, p.y - q.y)));

describe("hexes", () => {
    it("have the neighbours that the board's file gives them", () => {
        const offsets = (board as unknown as { grid: Record<string, Record<string, [number, number]>> }).grid;
        const wrong: string[] = [];
        for (const hex of allHexes(grid)) {
            const [column, row] = [columnOf(hex), rowOf(hex)];
            const table = offsets[column % 2 === 0 ? "neighbours_even_column" : "neighbours_odd_column"]!;
            for (const way of ways) {
                const next = beside(column, row, way);
                if (next.column !== column + table[way]![0] || next.row !== row + table[way]![1]) wrong.push(`${hex} ${way}`);
            }
        }
        expect(wrong).toEqual([]);
        expect(neighbours(grid, "0101")).toEqual(["0201", "0102"]);
        expect(neighbour(grid, "1822", "NE")).toBe("1922");
        expect(neighbour(grid, "4434", "S")).toBeUndefined();
    });

    it("are one apart from each neighbour, and share the side between them", () => {
        const wrong: string[] = [];
        for (const hex of allHexes(grid)) {
            for (const next of neighbours(grid, hex)) {
                const [a, b] = [centre(hex), centre(next)];
                const [p, q] = sideBetween(hex, next)!;
                const [r, s] = sideBetween(next, hex)!;
                if (Math.abs(Math.hypot(a.x - b.x, a.y - b.y) - 1) > 1e-9 || pointKey(p) !== pointKey(s) || pointKey(q) !== pointKey(r)) wrong.push(`${hex} ${next}`);
            }
        }
        expect(wrong).toEqual([]);
        expect(sideBetween("1822", "1824")).toBeUndefined();
    });

    it("lie under their middles and near their corners", () => {
        const wrong: Hex[] = [];
        for (const hex of allHexes(grid)) {
            const at = centre(hex);
            for (const corner of [at, ...cornersOf(hex)]) if (hexUnder(grid, { x: at.x + (corner.x - at.x) * 0.96, y: at.y + (corner.y - at.y) * 0.96 }) !== hex) wrong.push(hex);
        }
        expect(wrong).toEqual([]);
        expect(hexUnder(grid, { x: -0.4, y: 3 })).toBeUndefined();
        expect(hexUnder(grid, { x: 20, y: 35.2 })).toBeUndefined();
    });

    it("count steps as one walks them", () => {
        for (const from of ["0101", "2215", "1822", "4434"]) {
            const steps = new Map([[from, 0]]);
            let edge = [from];
            for (let n = 1; edge.length > 0; n++) {
                const next: Hex[] = [];
                for (const hex of edge.flatMap((one) => neighbours(grid, one))) {
                    if (steps.has(hex)) continue;
                    steps.set(hex, n);
                    next.push(hex);
                }
                edge = next;
            }
            expect([...steps].filter(([hex, n]) => distance(from, hex) !== n)).toEqual([]);
        }
    });

    it("have outlines that hold just their area, clockwise, with holes", () => {
        const one = Math.sqrt(3) / 2;
        const ring = new Set(neighbours(grid, "2010"));
        expect(outlines(grid, ring).length).toBe(2);
        for (const hexes of [ring, new Set(["0101"]), new Set(data.hexes.filter((hex) => hex.height).map((hex) => hex.id)), new Set(allHexes(grid))]) {
            const sum = outlines(grid, hexes).reduce((all, loop) => all + area(loop), 0);
            expect(sum).toBeCloseTo(hexes.size * one, 6);
        }
        expect(areaPath(grid, ["0101"], 10)).toMatch(/^M.*Z$/);
    });

    it("chain sides to lines and lose none", () => {
        const sides = data.hexsides.filter(({ kind }) => kind === "stream").map(({ a, b }) => sideBetween(a, b)!);
        const lines = chains(sides);
        expect(lines.reduce((sum, line) => sum + line.length - 1, 0)).toBe(sides.length);
        const closed = chains(ways.map((_, i) => [cornersOf("0505")[i]!, cornersOf("0505")[(i + 1) % 6]!] as const));
        expect(closed.length).toBe(1);
        expect(closed[0]!.length).toBe(7);
    });

    it("are stepped through by the keys, rows kept from side to side", () => {
        expect(["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"].map((key) => stepFrom(grid, "1822", key))).toEqual(["1821", "1922", "1823", "1722"]);
        expect(stepFrom(grid, "1922", "ArrowRight")).toBe("2022");
        expect(["Home", "PageUp", "End", "PageDown"].map((key) => stepFrom(grid, "1822", key))).toEqual(["1722", "1922", "1723", "1923"]);
        expect(stepFrom(grid, "0101", "ArrowUp")).toBeUndefined();
        expect(stepFrom(grid, "0101", "Enter")).toBeUndefined();
    });
});

describe("the sheet", () => {
    it("runs streams along the sides that the data name", () => {
        for (const { a, b, kind } of data.hexsides) {
            if (kind !== "stream") continue;
            const [p, q] = sideBetween(a, b)!;
            const mid = { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
            expect(Math.min(...sheet.streams.map((stream) => nearest(stream.line, mid))), `${a} ${b}`).toBeLessThan(0.2);
        }
    });

    it("sets every bridge on its side, where road and stream meet", () => {
        expect(sheet.bridges.size).toBe(19);
        const roads = [...sheet.roads, ...sheet.highways];
        for (const bridge of sheet.bridges.values()) {
            const [p, q] = sideBetween(bridge.a, bridge.b)!;
            expect(Math.hypot(bridge.at.x - (p.x + q.x) / 2, bridge.at.y - (p.y + q.y) / 2), bridge.id).toBeLessThan(0.25);
            const fine = (line: readonly Point[]): Point[] => Array.from({ length: 2000 }, (_, i) => pointAt(line, (lengthOf(line) * i) / 1999));
            expect(Math.min(...roads.filter((road) => nearest(road.line, bridge.at) < 0.5).map((road) => nearest(fine(road.line), bridge.at))), bridge.id).toBeLessThan(0.03);
        }
        expect(sheet.bridges.get("BR02")?.highway).toBe(true);
    });

    it("draws each stretch of road once", () => {
        const links = new Set(data.roads.flatMap(({ hexes }) => hexes.slice(1).map((hex, i) => [hex, hexes[i]!].sort().join(" "))));
        const drawn = [...sheet.roads, ...sheet.highways].reduce((sum, { line }) => sum + lengthOf(line), 0);
        const straight = [...links].reduce((sum, link) => {
            const [a, b] = link.split(" ").map(centre) as [Point, Point];
            return sum + Math.hypot(a.x - b.x, a.y - b.y);
        }, 0);
        // Off the board at their ends, calmer than the way from middle to middle: within an eighth.
        expect(Math.abs(drawn / straight - 1)).toBeLessThan(0.125);
        expect([...sheet.exits.keys()]).toEqual(expect.arrayContaining(["0108", "0130", "0132", "3434"]));
    });

    it("turns cliffs so that the water is on their right", () => {
        expect(sheet.escarpments.length).toBe(9);
        for (const [a, b] of sheet.escarpments) {
            const mid = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
            const right = { x: mid.x - (b.y - a.y) * 0.3, y: mid.y + (b.x - a.x) * 0.3 };
            expect(sheet.ground.get(hexUnder(grid, right)!)?.terrain).toBe("pond");
        }
    });

    it("is the same for everybody", () => {
        const again = hexSheetOf(structuredClone(data));
        expect(again.trees).toEqual(sheet.trees);
        expect(again.villages).toEqual(sheet.villages);
        expect(sheet.villages.filter((village) => village.fortified).map((village) => village.hex)).toEqual(["1725", "1822", "2507"]);
    });

    it("calms zigzags and leaves ends", () => {
        expect(calm([{ x: 0, y: 0 }, { x: 1, y: 1 }, { x: 2, y: 0 }], 0.5)).toEqual([{ x: 0, y: 0 }, { x: 1, y: 0.5 }, { x: 2, y: 0 }]);
    });
});

function lay(marks: HexMarks, k = 38, window = { x: 0, y: 0, w: 38 * 40, h: 38 * 36 }): ReturnType<typeof layOutHexes> {
    return layOutHexes({ sheet, units, marks, spoken: undefined, k, window, name: (hex) => placeOf(sheet, "austerlitz", hex), measure: guess, before: new Map() });
}

describe("names and odds", () => {
    beforeAll(() => setLanguage("en"));

    it("never meet a name, and few are left out", async () => {
        for (const language of ["en", "fr", "ja", "ru", "zh"] as const) {
            await setLanguage(language);
            for (const k of [19, 23, 34, 38, 44, 70]) {
                const names = lay({}, k).names.filter((label) => !label.hidden);
                names.forEach((a, i) => names.slice(i + 1).forEach((b) => expect(overlap(a.rect, b.rect), `${language} ${k}: ${a.text} ${b.text}`).toBe(0)));
                expect(names.length, `${language} ${k}`).toBeGreaterThan(k < 30 ? 34 : 37);
            }
        }
        await setLanguage("en");
    });

    it("keeps odds in the window, off the counters of their combat", () => {
        const combat = { n: 1, contact: ["2316", "2415"], bombard: ["2215"], defenders: ["2416"], side: "french", kind: "edited", odds: { head: "23 against ?", note: "shown when you roll" } } as const;
        const at = placed("2416", 44);
        const windows = [
            { x: at.x - 400, y: at.y - 300, w: 800, h: 600 },
            { x: at.x - 340, y: at.y - 300, w: 390, h: 500 },
            { x: at.x - 60, y: at.y - 300, w: 390, h: 500 },
            { x: at.x - 150, y: at.y - 300, w: 390, h: 340 },
        ];
        for (const window of windows) {
            const [odds] = lay({ combats: [combat] }, 44, window).odds;
            const { rect } = odds!;
            expect(rect.x >= window.x && rect.x + rect.w <= window.x + window.w && rect.y >= window.y && rect.y + rect.h <= window.y + window.h, JSON.stringify(window)).toBe(true);
            const s = 44 * 0.92;
            expect(overlap(rect, { x: at.x - s / 2, y: at.y - s / 2, w: s, h: s })).toBe(0);
        }
        expect(lay({ combats: [{ ...combat, kind: "draft" }] }, 44).odds).toEqual([]);
        expect(lay({ combats: [{ ...combat, kind: "done" }] }, 44).numbers.map(({ n }) => n)).toEqual([1]);
    });

    it("says a hex with its ground, its counter and what may be done", () => {
        const marks: HexMarks = { selected: ["1909"], legal: [{ hex: "1822", note: "3" }], zones: ["2419"] };
        expect(spokenHex(sheet, "austerlitz", view, marks, "1909")).toBe("1909: clear ground; French infantry IC, 7–6; selected");
        expect(spokenHex(sheet, "austerlitz", view, marks, "1822")).toBe("Sokolnitz, 1822: village, fortified; may be chosen, 3");
        const mute = Object.entries(units).find(([, unit]) => unit.side === "allied" && unit.type === "infantry")![0];
        expect(spokenHex(sheet, "austerlitz", view, {}, mute)).toMatch(/Allied infantry$/);
        const broken = { board: { ...view.board, broken_ice: ["1427"] } };
        expect(spokenHex(sheet, "austerlitz", broken, {}, "1427")).toBe("1427: broken ice");
    });
});

describe("pointers", () => {
    const marks: HexMarks = { bridges: { BR08: "legal" }, exits: [{ hex: "0130", edge: "vienna" }], legal: [{ hex: "2312" }], hexsides: [{ a: "1625", b: "1725", kind: "legal" }] };
    const aim = (k: number, touch: boolean): Parameters<typeof hexHitAt>[0] => ({ sheet, layout: lay(marks, k), marks, units, touch, combats: true });

    it("hit counters, hexes, bridges, sides and ways out", () => {
        const at = (hex: Hex): Point => placed(hex, 38);
        expect(hexHitAt(aim(38, false), at("1909"))).toEqual({ kind: "unit", hex: "1909" });
        expect(hexHitAt(aim(38, false), at("1312"))).toEqual({ kind: "hex", hex: "1312" });
        const bridge = sheet.bridges.get("BR08")!.at;
        expect(hexHitAt(aim(38, false), { x: bridge.x * 38, y: bridge.y * 38 })).toEqual({ kind: "bridge", bridge: "BR08" });
        const [p, q] = sideBetween("1625", "1725")!;
        expect(hexHitAt(aim(38, false), { x: ((p.x + q.x) / 2) * 38, y: ((p.y + q.y) / 2) * 38 })).toEqual({ kind: "side", a: "1625", b: "1725" });
        expect(hexHitAt(aim(38, false), { x: -12, y: at("0130").y })).toEqual({ kind: "exit", hex: "0130", edge: "vienna" });
        expect(hexHitAt(aim(38, false), { x: -400, y: 50 })).toBeUndefined();
    });

    it("reach 22 px about what may be chosen when hexes are smaller than a fingertip", () => {
        const p = placed("2312", 16);
        const beside = { x: p.x + 17, y: p.y + 4 };
        expect(hexHitAt(aim(16, true), beside)).toEqual({ kind: "hex", hex: "2312" });
        expect(hexHitAt(aim(16, false), beside)).not.toEqual({ kind: "hex", hex: "2312" });
    });

    it("drag along neighbours and back", () => {
        expect(viaHex("2212", [], "2313")).toEqual(["2313"]);
        expect(viaHex("2212", ["2313"], "2413")).toEqual(["2313", "2413"]);
        expect(viaHex("2212", ["2313", "2413"], "2313")).toEqual(["2313"]);
        expect(viaHex("2212", ["2313"], "2212")).toEqual([]);
        expect(viaHex("2212", ["2313"], "3030")).toEqual(["2313"]);
        expect(viaHex("2212", ["2313"], undefined)).toEqual(["2313"]);
        expect(wayTo("2212", "2313")).toBe("SE");
    });
});

describe("what moves and what shows", () => {
    const foot: HexUnit = { side: "allied", type: "infantry", movement: 6 };
    const named: HexUnit = { side: "french", type: "infantry", movement: 6, id: "104", potential: 9 };

    it("pairs counters that have moved where it is plain which", () => {
        expect(movesBetween({ "2020": named, "2121": foot }, { "2022": named, "2121": foot })).toEqual([{ from: "2020", to: "2022" }]);
        expect(movesBetween({ "2020": foot, "2121": foot }, { "2021": foot, "2122": foot })).toEqual([]);
        expect(movesBetween({ "2020": foot }, { "2020": { ...foot, id: "W1", potential: 5 } })).toEqual([]);
        expect(movesBetween({ "2020": foot }, {})).toEqual([]);
    });

    it("bears an eye on the enemy's faces in the combat in hand alone", () => {
        const open = { ...foot, id: "W1", potential: 5 };
        const hand = { contact: ["2020"], defenders: ["2121"] };
        const shown = (mine: string[]): Hex[] => [...shownNow({ board: { units: { "2020": named, "2121": open }, broken_ice: [], destroyed_bridges: [], hand } }, mine)];
        expect(shown(["french"])).toEqual(["2121"]);
        expect(shown([])).toEqual(["2020", "2121"]);
    });

    it("opens on the combat asked about, else where the armies face each other, large enough for a finger", () => {
        expect(theFighting(view, ["french"], { combats: [{ n: 1, contact: ["1625"], bombard: [], defenders: ["1725"], side: "french", kind: "edited" }] })).toEqual(["1625", "1725"]);
        const hot = theFighting(view, ["french"]);
        expect(hot.length).toBeGreaterThan(1);
        const gap = Math.min(...Object.keys(units).flatMap((a) => Object.keys(units).filter((b) => units[a]!.side !== units[b]!.side).map((b) => distance(a, b))));
        for (const hex of hot) expect(hot.some((other) => units[other]!.side !== units[hex]!.side && distance(hex, other) <= Math.max(3, gap + 1)), hex).toBe(true);
        const phone = new View(sheet);
        phone.resize(390, 600);
        showHexes(phone, Object.keys(units));
        expect(phone.k).toBe(44);
        expect(Object.keys(units).filter((hex) => Math.abs(centre(hex).x * phone.k + phone.x - 195) < 195).length).toBeGreaterThan(5);
    });

    it("aims arrows short of the last hex", () => {
        const { head } = arrow([{ x: 0, y: 0 }, { x: 100, y: 0 }], 10, 20, 12);
        expect(head).toEqual({ x: 80, y: 0, angle: 0 });
    });
});
