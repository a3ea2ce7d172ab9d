// The map in the match page: names that never meet, hidden units that look alike, panning that draws
// nothing anew, the keyboard along the roads.
import { accessible, act, equal, expect, openPage, picture, test } from "./harness.mjs";

const LANGUAGES = ["en", "fr", "ja", "ru", "zh"];

const QUARTERS = {
    AL: {
        brussels: "AD-F AD-M AD-N", enghien: "AD-A AD-D AD-K", ninove: "AD-G AD-H AD-I", ghent: "AD-B AD-C AD-L", nivelles: "AD-E", mons: "AD-J",
        charleroi: "PR-A PR-B PR-I PR-M", namur: "PR-C PR-D PR-J PR-N", ciney: "PR-E PR-G PR-K PR-O", liege: "PR-F PR-H PR-L PR-P",
    },
    FR: {
        solre: "FR-A FR-E FR-F FR-L FR-N", beaumont: "FR-B FR-C FR-D FR-H FR-O FR-Q", philippeville: "FR-G FR-I FR-J FR-K FR-M FR-P FR-R",
    },
};

/** The order to place an army; `swap` turns round who stands where, keeping how many of a nation stand in a town. */
function placing(seat, swap = false) {
    const list = Object.entries(QUARTERS[seat]).flatMap(([town, units]) => units.split(" ").map((unit) => ({ unit, town })));
    if (swap) {
        for (const nation of ["AD", "PR"]) {
            const own = list.filter(({ unit }) => unit.startsWith(nation));
            const units = own.map(({ unit }) => unit).reverse();
            own.forEach((one, i) => (one.unit = units[i]));
        }
    }
    return { do: "place", placements: list };
}

/** A match at the first march of the French. */
async function marching(daemon, names) {
    const [french, allies] = await Promise.all(names.map((name) => daemon.account(name)));
    const match = await daemon.match([french, allies]);
    const players = { FR: french, AL: allies };
    for (const seat of ["AL", "FR"]) await act(players[seat], match, seat, placing(seat), { do: "confirm_setup" });
    return { match, players };
}

/** The page of a match once the map is laid out and its sheet painted. */
async function boardPage(daemon, match, account, how = {}) {
    const page = await openPage(daemon, `/match/${match}`, { account, ...how });
    await page.locator("#board .board-name").first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => document.querySelectorAll("#board .board-tiles").length === 1);
    return page;
}

/** Pairs of names whose letters meet, by their boxes drawn in by a pixel. */
function meetingNames(page) {
    return page.evaluate(() => {
        const names = [...document.querySelectorAll("#board .board-name, #board .board-river")].map((node) => ({
            text: node.textContent,
            river: node.classList.contains("board-river"),
            box: node.getBoundingClientRect(),
        }));
        const found = [];
        names.forEach((a, i) =>
            names.slice(i + 1).forEach((b) => {
                const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
                const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
                // The box of a river's name is that of its whole slanting course; it counts where it covers much.
                const slack = a.river || b.river ? 0.35 * Math.min(a.box.width * a.box.height, b.box.width * b.box.height) : 18;
                if (w > 3 && h > 6 && w * h > slack) found.push(`${a.text} / ${b.text}`);
            }),
        );
        return found;
    });
}

test("names on the map never meet, in five languages, on a desk and on a phone", async (daemon) => {
    const { match, players } = await marching(daemon, ["Ney_names", "Picton_names"]);
    for (const language of LANGUAGES) {
        for (const size of ["desktop", "small"]) {
            const page = await boardPage(daemon, match, players.FR, { language, size });
            equal(await meetingNames(page), [], `names that meet (${language}, ${size})`);
            if (size === "small") continue;
            await page.locator("#board [data-board-ui] button").last().focus();
            await page.keyboard.press("Enter");
            await page.waitForFunction(() => document.querySelectorAll("#board .board-tiles").length === 1);
            equal(await meetingNames(page), [], `names that meet on the whole map (${language})`);
        }
    }
});

/** The most pixels that differ within a cell of 32 by 32 of two screenshots: counted in a page, which can read PNG. */
function differing(page, one, other) {
    return page.evaluate(
        async (pair) => {
            let width = 0;
            const [a, b] = await Promise.all(
                pair.map(async (base64) => {
                    const image = new Image();
                    image.src = `data:image/png;base64,${base64}`;
                    await image.decode();
                    width = image.width;
                    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
                    const context = canvas.getContext("2d");
                    context.drawImage(image, 0, 0);
                    return new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
                }),
            );
            if (a.length !== b.length) return Infinity;
            const cells = new Map();
            a.forEach((pixel, i) => {
                if (pixel === b[i]) return;
                const cell = `${Math.floor((i % width) / 32)} ${Math.floor(i / width / 32)}`;
                cells.set(cell, (cells.get(cell) ?? 0) + 1);
            });
            return Math.max(0, ...cells.values());
        },
        [one, other],
    );
}

// Chromium's raster smooths the edges of the same drawing otherwise in some hundred pixels all over the picture from time to time.
// The smallest thing that could tell one hidden unit from another has as many in one place; the drawing itself is held to
// the byte.
const NOISE_PX = 60;

/** What stands on the sheet looks alike: the sheet itself, which nobody's units change, is left out, since it is painted piece by piece. */
async function becomeAlike(...pages) {
    for (const page of pages) {
        await page.evaluate(() => {
            for (const tiles of document.querySelectorAll("#board canvas, #board .board-tiles")) tiles.style.visibility = "hidden";
        });
    }
    let least = Infinity;
    const shot = async (page) => (await page.locator("#board").screenshot({ animations: "disabled" })).toString("base64");
    for (let tries = 0; tries < 20; tries++) {
        const [one, other] = [await shot(pages[0]), await shot(pages[1])];
        least = Math.min(least, one === other ? 0 : await differing(pages[0], one, other));
        if (least <= NOISE_PX) return true;
        for (const page of pages) await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestAnimationFrame(done))));
    }
    console.log(`    ${least} pixels differ in one place`);
    return false;
}

/** Where two texts part, with what stands around it. */
function firstDifference(a, b) {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    return `${a.slice(Math.max(0, at - 80), at + 80)}\n${b.slice(Math.max(0, at - 80), at + 80)}`;
}

test("two hidden set-ups that look alike are the same picture", async (daemon) => {
    const [french, allies] = await Promise.all(["Soult_alike", "Blucher_alike"].map((name) => daemon.account(name)));
    const seen = [];
    // Both begin before a page is open: one that stocks nonces would open one in the second match alone.
    const matches = [];
    for (const swap of [false, true]) {
        const match = await daemon.match([french, allies]);
        await act(allies, match, "AL", placing("AL", swap), { do: "confirm_setup" });
        matches.push(match);
    }
    for (const match of matches) {
        const page = await boardPage(daemon, match, french);
        await page.mouse.move(2, 2);
        await page.locator('#board [data-board-ui] button').last().focus();
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.querySelectorAll("#board .board-tiles").length === 1);
        await page.evaluate(() => document.activeElement?.blur());
        const html = await page.locator("#board .board-svg").evaluate((node) => node.outerHTML);
        const labels = await page.locator("#board .board-town").evaluateAll((nodes) => nodes.map((node) => node.outerHTML));
        seen.push({ html, labels, page });
        expect(!/AD-[A-N]|PR-[A-P]/.test(html), "the map names a hidden unit");
    }
    equal(seen[0].labels, seen[1].labels, "what is read aloud");
    expect(seen[0].html === seen[1].html, `the drawing differs:\n${firstDifference(seen[0].html, seen[1].html)}`);
    expect(await becomeAlike(seen[0].page, seen[1].page), "the pictures differ");
});

test("panning moves layers and draws nothing anew", async (daemon) => {
    const { match, players } = await marching(daemon, ["Ney_pans", "Picton_pans"]);
    const page = await boardPage(daemon, match, players.FR);
    await page.evaluate(() => {
        globalThis.redrawn = 0;
        new MutationObserver((list) => (globalThis.redrawn += list.length)).observe(document.querySelector("#board .board-svg"), {
            subtree: true,
            childList: true,
            attributes: true,
        });
    });
    const place = () => page.locator("#board .board-moving").evaluate((node) => node.style.transform);
    const box = await page.locator("#board").boundingBox();
    const before = await place();
    await page.mouse.move(box.x + box.width - 80, box.y + 60);
    await page.mouse.down();
    for (let i = 1; i <= 30; i++) await page.mouse.move(box.x + box.width - 80 - i * 6, box.y + 60 + i * 3);
    const redrawn = await page.evaluate(() => globalThis.redrawn);
    await page.mouse.up();
    expect((await place()) !== before, "the map does not move");
    equal(redrawn, 0, "changes of the drawing while panning");
});

test("the arrow keys go along the roads", async (daemon) => {
    const { match, players } = await marching(daemon, ["Ney_keys", "Picton_keys"]);
    const page = await boardPage(daemon, match, players.FR);
    const at = () => page.evaluate(() => document.activeElement?.getAttribute("data-town"));
    equal(await page.locator("#board .board-town[tabindex='0']").count(), 1, "stops of the Tab key on the map");
    await page.locator("#board .board-town[data-town=charleroi]").focus();
    const walk = [];
    for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft"]) {
        await page.keyboard.press(key);
        walk.push(await at());
    }
    equal(walk, ["quatre-bras", "waterloo", "nivelles"], "the walk");
    await picture(page, "board-keyboard");
    await accessible(page, "the map");
});

test("the map in both themes and both palettes", async (daemon) => {
    const { match, players } = await marching(daemon, ["Ney_looks", "Picton_looks"]);
    // The safe palette in both themes of a chosen look is in "five languages and both themes" (play).
    for (const [name, dark, palette] of [["light", false, "standard"], ["dark-safe", true, "safe"]]) {
        const page = await boardPage(daemon, match, players.FR, { dark, stored: { "vedette.settings": JSON.stringify({ palette }) } });
        await picture(page, `board-${name}`);
    }
});
