/** Scenes to look at the hex map: ?scene=declare|move|full|retreat|ice|exits|counters|pictures &theme= &palette= &lang= &fog &night */
import { render } from "preact";
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import data from "../../../schema/games/austerlitz/board.json";
import book from "../../../schema/games/austerlitz/oob.json";
import { Counter, HexMap, HexMiniMap, HexPicture, SideTile, type HexBoardData, type HexMarks, type HexUnit, type HexView } from "../src/hex/Map";
import { neighbours } from "../src/hex/geo";
import { setLanguage } from "../src/words";
import "@fontsource/eb-garamond/latin-400.css";
import "@fontsource/eb-garamond/latin-400-italic.css";
import "@fontsource/eb-garamond/latin-700.css";
import "@fontsource/eb-garamond/cyrillic-400.css";
import "@fontsource/eb-garamond/cyrillic-400-italic.css";
import "../src/styles/tokens.css";
import "./board.css";

const query = new URLSearchParams(location.search);
const board = data as unknown as HexBoardData;
const scene = query.get("scene") ?? "declare";
document.documentElement.dataset.theme = query.get("theme") ?? "parchment";
document.documentElement.dataset.palette = query.get("palette") ?? "standard";
document.documentElement.lang = query.get("lang") ?? "en";
if (query.has("calm")) document.documentElement.dataset.motion = "reduced";

interface Printed {
    id: string;
    side: "french" | "allied";
    type: HexUnit["type"];
    combat: number;
    movement: number;
    start: string;
    name: string;
}

/** Counters where the battle begins, those of the other side mute. */
function deployed(mine: string | undefined, moved: Record<string, string> = {}): Record<string, HexUnit> {
    const units: Record<string, HexUnit> = {};
    for (const { id, side, type, combat, movement, start, name } of (book as unknown as { units: Printed[] }).units) {
        const open = mine === undefined || mine === side;
        units[moved[id] ?? start] = { side, type, movement, ...(open ? { id, name, potential: combat } : {}) };
    }
    return units;
}

const fighting = { "104": "2316", "204": "2415", A04: "2215", "201": "2114", "304": "1625", C04: "1623", "101": "2212", K1: "1724", K2: "1726", D1: "1725", W1: "2416", W2: "2517", "105": "1911" };

function viewOf(): HexView {
    const units = deployed("french", scene === "full" ? {} : fighting);
    if (scene === "move" && units["2114"]) units["2114"] = { ...units["2114"], moved: true };
    const view: HexView = {
        turn: { fog: query.has("fog"), night: query.has("night") },
        board: { units, broken_ice: scene === "ice" ? ["1427", "1526", "2127"] : [], destroyed_bridges: scene === "ice" || scene === "move" ? ["BR05", "BR08"] : [] },
    };
    if (scene === "hand") {
        units["2416"] = { ...units["2416"]!, id: "W1", name: "Kolowrat", potential: 5 };
        return { ...view, board: { ...view.board, hand: { contact: ["2415", "2316"], bombard: ["2215"], defenders: ["2416"] } } };
    }
    return view;
}

function around(hexes: readonly string[], steps: number): string[] {
    let seen = new Set(hexes);
    for (let i = 0; i < steps; i++) seen = new Set([...seen, ...[...seen].flatMap((hex) => neighbours(board.grid, hex))]);
    return [...seen];
}

function marksOf(view: HexView): HexMarks {
    const enemy = Object.entries(view.board.units).filter(([, unit]) => unit.side === "allied").map(([hex]) => hex);
    const odds = { head: "23 against ?", note: "shown when you roll" };
    switch (scene) {
        case "declare":
            return {
                combats: [
                    { n: 1, contact: ["2316", "2415"], bombard: ["2215"], defenders: ["2416"], side: "french", kind: "edited", odds },
                    { n: 2, contact: ["1625"], bombard: [], defenders: ["1725"], side: "french", kind: "draft", odds: { head: "9 against ?" } },
                ],
                urgent: { "1623": "Cavalry of IV Corps is in mutual control and must fight." },
                legal: [{ hex: "1724", kind: "attack" }],
                choosable: new Set(Object.keys(view.board.units)),
            };
        case "hand":
            return { combats: [{ n: 1, contact: ["2415", "2316"], bombard: ["2215"], defenders: ["2416"], side: "french", kind: "hand", odds: { head: "23 against 5", note: "4:1" } }] };
        case "move": {
            const reach = around(["2212"], 4).filter((hex) => !view.board.units[hex]);
            return {
                selected: ["2212"],
                choosable: new Set(Object.entries(view.board.units).filter(([, unit]) => unit.side === "french").map(([hex]) => hex)),
                reach,
                legal: reach.map((hex) => ({ hex, ...(query.has("notes") ? { note: "4" } : {}) })),
                zones: around(enemy, 1).filter((hex) => !view.board.units[hex]),
                paths: [{ hexes: ["2212", "2313", "2413", "2514"], side: "french", kind: "edited" }, { hexes: ["2108", "2109", "2210"], side: "french", kind: "draft" }],
                ghosts: [{ hex: "2514", unit: view.board.units["2212"]! }],
                bridges: { BR09: "legal", BR10: "draft" },
            };
        }
        case "retreat":
            return {
                legal: ["2517", "2617", "2616"].map((hex) => ({ hex, kind: "displace" as const })),
                paths: [{ hexes: ["2416", "2516"], side: "allied", kind: "retreat" }, { hexes: ["2316", "2416"], side: "french", kind: "advance" }],
                attacked: ["2416"],
                lost: ["2415"],
                told: ["1625", "1725"],
                hexsides: [{ a: "1625", b: "1725", kind: "told" }],
                dim: new Set(["2212", "2114"]),
            };
        case "ice":
            return { legal: [{ hex: "1428", kind: "ice" }, { hex: "1527", kind: "ice" }], combats: [{ n: 1, contact: [], bombard: ["1325"], defenders: [], ice: "1428", side: "french", kind: "edited", odds: { head: "The ice breaks" } }] };
        case "exits":
            return { exits: [{ hex: "0129", edge: "vienna" }, { hex: "0130", edge: "vienna" }, { hex: "0134", edge: "south" }], selected: ["0130"] };
        default:
            return {};
    }
}

function Counters(): JSX.Element {
    const unit = (side: "french" | "allied", type: HexUnit["type"], open: boolean, more: Partial<HexUnit> = {}): HexUnit => ({ side, type, movement: type === "infantry" ? 6 : type === "cavalry" ? 9 : 5, ...(open ? { id: side === "french" ? "204" : "M1", potential: 10 } : {}), ...more });
    return (
        <div class="dev-sheet">
            {[18, 22, 35, 46, 56, 76].map((size) => (
                <div class="dev-row" key={size} style="gap:20px">
                    {(["french", "allied"] as const).flatMap((side) => [true, false].flatMap((open) => (["infantry", "cavalry", "artillery"] as const).map((type) => <Counter key={`${side}${open}${type}`} unit={unit(side, type, open)} size={size} />)))}
                </div>
            ))}
            <div class="dev-row" style="gap:26px">
                <Counter unit={unit("french", "infantry", true)} size={56} selected />
                <Counter unit={unit("allied", "infantry", false)} size={56} attacked />
                <Counter unit={unit("allied", "cavalry", true)} size={56} shown />
                <Counter unit={unit("french", "cavalry", true, { moved: true })} size={56} />
                <Counter unit={unit("french", "artillery", true, { moved: true, destroyed_bridge: "BR01" })} size={56} />
                <Counter unit={unit("allied", "artillery", false, { moved: true })} size={56} />
                <Counter unit={unit("french", "infantry", true)} size={56} dim />
                <Counter unit={unit("french", "infantry", true)} size={56} ghost />
                <Counter unit={unit("french", "infantry", true)} size={56} lost />
                <SideTile side="french" size={22} />
                <SideTile side="allied" size={22} />
            </div>
        </div>
    );
}

function Pictures(): JSX.Element {
    const view = viewOf();
    return (
        <div class="dev-sheet">
            <div class="dev-row">
                <HexPicture board={board} view={view} width={300} height={170} label="The field of Austerlitz" />
                <HexPicture board={board} width={220} height={130} />
                <HexMiniMap board={board} view={view} />
            </div>
            <div class="dev-row">
                <HexPicture board={board} view={view} width={640} height={420} names />
            </div>
        </div>
    );
}

function App(): JSX.Element {
    const [view, setView] = useState(viewOf);
    const [marks, setMarks] = useState(() => marksOf(view));
    const [said, setSaid] = useState("");
    if (scene === "counters") return <Counters />;
    if (scene === "pictures") return <Pictures />;
    const phone = innerWidth < 600;
    const start = query.get("start")?.split(",");
    return (
        <div class="dev-map dev-phone" data-said={said}>
            <HexMap
                board={board}
                view={view}
                marks={marks}
                mine={["french"]}
                start={scene === "full" ? "fit" : (start ?? (phone || scene === "declare" ? "fighting" : scene === "ice" ? ["1427", "2127"] : scene === "exits" ? ["0130"] : ["2212", "2517"]))}
                inset={phone ? { top: 40, bottom: 300 } : undefined}
                hexNote={(hex) => (marks.legal?.some((mark) => mark.hex === hex) ? "4 of 6 points" : undefined)}
                onHex={(hex, how) => setSaid(`hex ${hex}${how.keyboard ? " keyboard" : ""}`)}
                onUnit={(hex, how) => {
                    setSaid(`unit ${hex}${how.keyboard ? " keyboard" : ""}`);
                    setMarks({ ...marks, selected: [hex] });
                }}
                onBridge={(bridge) => setSaid(`bridge ${bridge}`)}
                onCombat={(n) => setSaid(`combat ${n}`)}
                onExit={(hex, edge) => setSaid(`exit ${hex} ${edge}`)}
                onDragUnit={(from, to, via) => {
                    setSaid(`drag ${from} ${to} ${via.join()}`);
                    const units = { ...view.board.units };
                    units[to] = units[from]!;
                    delete units[from];
                    setView({ ...view, board: { ...view.board, units } });
                }}
                dropReason={(_, to) => (view.board.units[to] ? "No unit may end there." : undefined)}
                dropNote={(_, to) => to}
            />
        </div>
    );
}

await setLanguage((query.get("lang") ?? "en") as "en");
render(<App />, document.getElementById("app")!);
