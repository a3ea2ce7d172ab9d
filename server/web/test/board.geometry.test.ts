import { describe, expect, it } from "vitest";
import { meetings } from "../src/board/curves";
import { project } from "../src/board/geo";
import { fieldOf, hachures } from "../src/board/relief";
import { sheetOf } from "../src/board/sheet";
import type { BoardData } from "../src/board/types";
import board from "../../../schema/games/waterloo/board.json";
import { treesOf } from "../src/board/woods";

const data = board as unknown as BoardData;
const sheet = sheetOf(data);

describe("the sheet", () => {
    it("projects with x scaled by cos 50.5°", () => {
        const a = project(50.5, 4);
        const b = project(50.5, 5);
        const c = project(51.5, 4);
        expect((b.x - a.x) / (a.y - c.y)).toBeCloseTo(Math.cos((50.5 * Math.PI) / 180), 2);
    });

    it("draws every road across a river exactly where the data says so", () => {
        const wrong: string[] = [];
        for (const road of sheet.roads.values()) {
            const count = sheet.rivers.flatMap((river) => meetings(road.line, river.line)).length;
            const right = road.river ? count === 1 || count === 2 : count === 0;
            if (!right || road.crossings.length !== count) wrong.push(`${road.id}: ${count}`);
        }
        expect(wrong).toEqual([]);
    });

    it("bends most roads, none by more than a tenth", () => {
        let bent = 0;
        for (const road of sheet.roads.values()) {
            const a = road.line[0]!;
            const b = road.line[road.line.length - 1]!;
            const straight = Math.hypot(b.x - a.x, b.y - a.y);
            const mid = road.line[road.line.length >> 1]!;
            const off = Math.hypot(mid.x - (a.x + b.x) / 2, mid.y - (a.y + b.y) / 2) / straight;
            expect(off).toBeLessThan(0.101);
            if (off > 0.02) bent++;
        }
        expect(bent).toBeGreaterThan(sheet.roads.size / 2);
    });

    it("halves the capacity of a road with a crossing", () => {
        expect(sheet.roads.get("brussels-alost")!.cap).toBe(4);
        expect(sheet.roads.get("brussels-waterloo")!.cap).toBe(8);
        expect(sheet.roads.get("thuin-charleroi")!.cap).toBe(3);
    });
});

describe("relief and woods", () => {
    const field = fieldOf(sheet);

    it("is the same sheet whatever window it is asked for", () => {
        const whole = hachures(field, 9.5, { x: 0, y: 0, w: 40, h: 40 });
        const part = hachures(field, 9.5, { x: 10, y: 10, w: 10, h: 10 });
        const known = new Set(whole.flatMap((list) => list.map((value) => value.toFixed(6))));
        for (const list of part) for (const value of list) expect(known.has(value.toFixed(6))).toBe(true);
    });

    it("is flat in Flanders and steep in the Ardennes", () => {
        const count = (lat: number, lon: number): number => {
            const middle = project(lat, lon);
            return hachures(field, 9.5, { x: middle.x - 8, y: middle.y - 8, w: 16, h: 16 }).flat().length;
        };
        expect(count(50.15, 5.3)).toBeGreaterThan(2 * count(50.97, 3.9));
    });

    it("plants no tree in a town or on a road", () => {
        const trees = treesOf(sheet, project);
        expect(trees.length).toBeGreaterThan(150);
        let nearestTown = Infinity;
        let nearestRoad = Infinity;
        for (const tree of trees) {
            for (const town of sheet.towns.values()) nearestTown = Math.min(nearestTown, Math.hypot(town.at.x - tree.x, town.at.y - tree.y));
            for (const road of sheet.roads.values()) {
                for (const p of road.line) nearestRoad = Math.min(nearestRoad, Math.hypot(p.x - tree.x, p.y - tree.y));
            }
        }
        expect(nearestTown * 6).toBeGreaterThanOrEqual(16);
        expect(nearestRoad * 6).toBeGreaterThanOrEqual(6);
    });
});
