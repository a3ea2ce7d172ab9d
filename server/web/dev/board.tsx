/** Scenes to look at the board without a server: ?scene=march|setup|full|crowd|blocks &theme= &palette= &lang= &k= */
import { render } from "preact";
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import data from "../../../schema/games/waterloo/board.json";
import { BoardMap, MapPicture, MiniMap, RecordStrip, type BoardData, type Marks } from "../src/board/Map";
import type { Board } from "../src/types/gen/waterloo-view";
import { Block, HiddenPile } from "../src/ui/Block";
import { Dice } from "../src/ui/Dice";
import { printed } from "../src/ui/oob";
import { setLanguage } from "../src/words";
import "@fontsource/eb-garamond/latin-400.css";
import "@fontsource/eb-garamond/latin-400-italic.css";
import "@fontsource/eb-garamond/latin-700.css";
import "@fontsource/eb-garamond/cyrillic-400.css";
import "@fontsource/eb-garamond/cyrillic-700.css";
import "../src/styles/tokens.css";
import "./board.css";

const query = new URLSearchParams(location.search);
const board = data as unknown as BoardData;
const scene = query.get("scene") ?? "march";
document.documentElement.dataset.theme = query.get("theme") ?? "parchment";
document.documentElement.dataset.palette = query.get("palette") ?? "standard";
document.documentElement.lang = query.get("lang") ?? "en";

type Counts = Record<string, Record<string, number>>;

function makeView(own: Record<string, string>, others: Counts): { board: Board } {
    const towns: Record<string, { units: Record<string, number> }> = {};
    for (const [town, units] of Object.entries(others)) towns[town] = { units: { ...units } };
    const units: Record<string, { type: string; cv: number; town: string }> = {};
    for (const [id, place] of Object.entries(own)) {
        const [town, cv] = place.split(" ");
        const facts = printed[id]!;
        units[id] = { type: facts.type, cv: cv ? Number(cv) : facts.cv, town: town! };
        towns[town!] ??= { units: {} };
        towns[town!]!.units[facts.army] = (towns[town!]!.units[facts.army] ?? 0) + 1;
    }
    return { board: { base: "real", towns, units, lost: {} } as unknown as Board };
}

const allies: Counts = {
    ninove: { AD: 1 }, brussels: { AD: 3 }, enghien: { AD: 2 }, waterloo: { AD: 2 }, nivelles: { AD: 2 }, mons: { AD: 1 },
    "quatre-bras": { AD: 3 }, wavre: { PR: 1 }, hannut: { PR: 1 }, perwez: { PR: 1 }, gembloux: { PR: 2 }, ligny: { PR: 4 },
    namur: { PR: 4 }, huy: { PR: 2 }, liege: { PR: 1 },
};
const french: Record<string, string> = {
    "FR-C": "charleroi", "FR-A": "charleroi", "FR-E": "charleroi", "FR-F": "charleroi 2", "FR-H": "charleroi", "FR-L": "charleroi",
    "FR-N": "charleroi", "FR-Q": "charleroi", "FR-B": "fosses", "FR-I": "fosses", "FR-J": "thuin", "FR-R": "thuin", "FR-D": "laneffe",
    "FR-M": "laneffe", "FR-O": "laneffe", "FR-G": "philippeville", "FR-K": "philippeville", "FR-P": "philippeville",
};

const march: Marks = {
    rings: { "quatre-bras": "edited", ligny: "legal", binche: "legal", thuin: "legal", laneffe: "legal" },
    selected: new Set(["FR-A", "FR-E", "FR-F", "FR-L", "FR-N"]),
    choosable: new Set(Object.keys(french)),
    roadUse: [
        { road: "charleroi-quatre-bras", used: 5, cap: 8, kind: "edited", army: "FR" },
        { road: "ligny-charleroi", used: 4, cap: 6, kind: "draft" },
        { road: "laneffe-charleroi", used: 1, cap: 4, kind: "draft" },
        { road: "binche-charleroi", used: 0, cap: 8, kind: "open" },
        { road: "thuin-charleroi", used: 0, cap: 3, kind: "open" },
    ],
    paths: [
        { towns: ["charleroi", "quatre-bras"], kind: "edited", army: "FR" },
        { towns: ["charleroi", "ligny"], kind: "draft", army: "FR" },
        { towns: ["laneffe", "charleroi", "ligny"], kind: "forced", army: "FR" },
    ],
    attacks: [
        { town: "quatre-bras", count: 5, min: 3 },
        { town: "ligny", count: 4, min: 3 },
    ],
    forced: [{ towns: ["laneffe", "charleroi", "ligny"], text: "1–3" }],
};

const setupOwn: Record<string, string> = {
    "AD-A": "ghent", "AD-K": "ghent", "AD-G": "ninove", "AD-H": "ninove", "AD-I": "ninove", "AD-B": "brussels", "AD-L": "brussels", "AD-N": "brussels",
    "AD-D": "enghien", "AD-E": "enghien", "AD-M": "enghien", "AD-F": "soignies", "AD-J": "mons", "AD-C": "nivelles",
    "PR-A": "charleroi", "PR-B": "charleroi", "PR-I": "charleroi", "PR-M": "charleroi", "PR-C": "namur", "PR-D": "namur", "PR-J": "namur", "PR-N": "namur",
    "PR-E": "ciney", "PR-G": "ciney", "PR-K": "ciney", "PR-O": "ciney", "PR-F": "liege", "PR-L": "liege",
};
const open = ["ghent", "alost", "ninove", "oudenarde", "grammont", "renaix", "hal", "waterloo", "wavre", "louvain", "leuze", "ath", "soignies", "nivelles", "quatre-bras", "mons", "binche"];
const setup: Marks = {
    rings: Object.fromEntries(open.map((town) => [town, "legal" as const])),
    choosable: new Set(Object.keys(setupOwn)),
    counts: { ghent: { text: "2/3" }, ninove: { text: "3/3", full: true }, brussels: { text: "3/3", full: true }, soignies: { text: "1/3" }, mons: { text: "1/3" }, nivelles: { text: "1/3" }, namur: { text: "4/4", full: true } },
    veil: "anglo",
    deploymentLine: true,
};

function Blocks(): JSX.Element {
    const own = ["FR-A", "FR-H", "FR-N", "FR-Q", "AD-B", "AD-H", "AD-L", "AD-N", "PR-A", "PR-J", "PR-M", "PR-P"];
    const [rolling, setRolling] = useState(false);
    return (
        <div class="dev-sheet">
            {[26, 33, 40, 52, 76].map((size) => (
                <div class="dev-row" key={size}>
                    {own.map((id) => (
                        <Block key={id} army={printed[id]!.army} type={printed[id]!.type} cv={Math.max(1, printed[id]!.cv - 1)} maxCv={printed[id]!.cv} formation="Guard" size={size} />
                    ))}
                </div>
            ))}
            <div class="dev-row">
                {(["FR", "AD", "PR"] as const).map((army) => (
                    <Block key={army} kind="hidden" army={army} size={60} />
                ))}
                <Block army="FR" type="cavalry" cv={3} maxCv={3} formation="Guard" size={60} state={{ selected: true }} />
                <Block army="AD" type="foot_artillery" cv={2} maxCv={2} formation="Br I" size={60} state={{ legal: true }} />
                <Block army="FR" type="infantry" cv={3} maxCv={3} formation="II" size={60} state={{ ghost: true }} />
                <Block army="PR" type="infantry" cv={3} maxCv={3} formation="II" size={60} state={{ marked: true }} />
                <Block army="AD" type="infantry" cv={4} maxCv={4} formation="KGL" size={60} state={{ square: true }} />
                <Block army="AD" type="infantry" cv={3} maxCv={4} formation="KGL" size={60} state={{ hit: 1, acted: "fired", target: true }} />
                <Block army="AD" type="infantry" cv={3} maxCv={4} formation="KGL" size={60} state={{ due: true, barred: "W9.2", ally: true }} />
            </div>
            <div class="dev-row">
                {[1, 2, 3, 4, 9].map((count) => (
                    <HiddenPile key={count} army="PR" count={count} size={52} marked={count === 4 ? 2 : 0} />
                ))}
                <button type="button" onClick={() => setRolling(!rolling)}>
                    roll
                </button>
                <Dice faces={[6, 2, 5, 1, 3, 4]} hits={(face) => face > 4} rolling={rolling} size={34} />
            </div>
            <div class="dev-row">
                <MapPicture board={board} view={makeView(french, allies)} width={300} height={170} />
                <MapPicture board={board} view={makeView({}, allies)} width={180} height={110} crop={["mons", "ligny"]} />
                <MiniMap board={board} view={makeView(french, allies)} />
            </div>
        </div>
    );
}

function App(): JSX.Element {
    const crowd = Object.fromEntries(Object.keys(printed).filter((id) => id.startsWith("FR")).map((id) => [id, "charleroi"]));
    const fight = makeView({ ...french, "FR-A": "ligny", "FR-E": "ligny", "FR-F": "ligny", "FR-L": "quatre-bras", "FR-C": "quatre-bras", "FR-H": "quatre-bras" }, allies);
    const first = scene === "fight" ? fight : scene === "setup" ? makeView(setupOwn, {}) : scene === "crowd" ? makeView(crowd, allies) : makeView(french, allies);
    const [view, setView] = useState(first);
    const [marks, setMarks] = useState<Marks>(scene === "setup" ? setup : scene === "crowd" ? { choosable: new Set(Object.keys(crowd)) } : scene === "full" ? {} : scene === "fight" ? { rings: { ligny: "attacked", "quatre-bras": "attacked" }, battles: ["ligny"], told: ["quatre-bras"], night: query.has("night") } : march);
    if (scene === "blocks") return <Blocks />;
    const phone = innerWidth < 600;
    const nations = { FR: { left: 18, surrenders_at: 9 }, AD: { left: 14, surrenders_at: 7 }, PR: { left: 16, surrenders_at: 8 } };
    const turn = { slot: 5, of: 24, night: false, side: "FR" as const, date: "1815-06-16", part: "midday" };
    return (
        <>
            {phone ? (
                <div class="dev-card">
                    <RecordStrip turn={turn} nations={nations} form="card" />
                </div>
            ) : (
                <div class="dev-strip">
                    <RecordStrip turn={turn} record={board.time_record} nations={nations} form={innerWidth < 1200 ? "days" : "full"} />
                </div>
            )}
            <div class={`dev-map ${phone ? "dev-phone" : ""}`}>
                <BoardMap
                    board={board}
                    view={view}
                    marks={marks}
                    mine={scene === "setup" ? ["AD", "PR"] : ["FR"]}
                    start={scene === "setup" || scene === "full" ? "fit" : scene === "march" && !phone ? ["ninove", "brussels", "waremme", "philippeville", "mons", "huy"] : "fighting"}
                    caption={scene === "setup" ? "Allied set-up" : undefined}
                    inset={phone ? { top: 40, bottom: 380 } : undefined}
                    onBlock={(unit) => {
                        const selected = new Set(marks.selected ?? []);
                        if (!selected.delete(unit)) selected.add(unit);
                        setMarks({ ...marks, selected });
                    }}
                    onTown={(town, how) => console.log("town", town, how.keyboard)}
                    onDragBlocks={(units, town, via) => {
                        console.log("drop", units.join(), town, via.join());
                        const next = structuredClone(view);
                        for (const id of units) next.board.units![id]!.town = town;
                        setView(next);
                    }}
                    dropReason={(_, town) => (town === "mons" ? "Six units may not take this road: a crossing lets three pass." : undefined)}
                    dropNote={(_, town) => town}
                />
            </div>
        </>
    );
}

await setLanguage((query.get("lang") ?? "en") as "en");
render(<App />, document.getElementById("app")!);
