// The hex map by itself, from its page for looking at (server/web/dev/hex.html): every look, names that never
// meet, pointers and fingers, the keyboard from hex to hex, panning that draws nothing anew.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { accessible, equal, expect, openPage, picture, test } from "./harness.mjs";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "../../server/web");
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

/** The page built into a folder of its own and served; { url, close }. */
async function stage() {
    const { resolve: find } = createRequire(join(web, "package.json"));
    const { build } = await import(pathToFileURL(join(dirname(find("vite/package.json")), "dist/node/index.js")).href);
    const folder = mkdtempSync(join(tmpdir(), "vedette-hex-"));
    await build({
        root: web,
        configFile: join(web, "vite.config.ts"),
        logLevel: "error",
        build: { outDir: folder, emptyOutDir: true, minify: false, rollupOptions: { input: join(web, "dev/hex.html") } },
    });
    const server = createServer((request, response) => {
        const path = normalize(new URL(request.url, "http://x").pathname);
        try {
            const body = readFileSync(join(folder, path));
            response.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream" }).end(body);
        } catch {
            response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const close = () => {
        server.close();
        server.closeAllConnections();
        rmSync(folder, { recursive: true, force: true });
    };
    return { url: `http://127.0.0.1:${server.address().port}`, close };
}

/** A page of the map once it is laid out and its sheet painted. */
async function hexPage(staged, query, how = {}) {
    const page = await openPage(staged, `/dev/hex.html?${query}`, how);
    await settled(page);
    return page;
}

async function settled(page) {
    await page.locator("#board .board-name").first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => {
        const layers = document.querySelectorAll("#board .board-tiles");
        return layers.length === 1 && layers[0].style.visibility === "";
    });
}

/** Pairs of names whose boxes meet by more than a pixel. */
function meetingNames(page) {
    return page.evaluate(() => {
        const names = [...document.querySelectorAll("#board .board-names .board-name")].map((node) => ({ text: node.textContent, box: node.getBoundingClientRect() }));
        const found = [];
        names.forEach((a, i) =>
            names.slice(i + 1).forEach((b) => {
                const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
                const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
                if (w > 3 && h > 6) found.push(`${a.text} / ${b.text}`);
            }),
        );
        return { found, count: names.length };
    });
}

const said = (page) => page.locator("[data-said]").getAttribute("data-said");
const middle = async (page, hex) => {
    const box = await page.locator(`#board [data-hex="${hex}"]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

async function looks(staged) {
    for (const [name, query] of [["declare", "scene=declare"], ["ice-dark", "scene=ice&theme=bivouac"], ["move-night-safe", "scene=move&night&palette=safe"], ["counters", "scene=counters"]]) {
        const page = name === "counters" ? await openPage(staged, `/dev/hex.html?${query}`) : await hexPage(staged, query);
        await picture(page, `hex-${name}`);
        if (name === "declare") await accessible(page, "the hex map");
        await page.context().close();
    }
}

async function namesApart(staged) {
    for (const [language, scene, size, least] of [["ru", "full&fog", "desktop", 34], ["ja", "declare", "phone", 30]]) {
        const page = await hexPage(staged, `scene=${scene}&lang=${language}`, { size });
        const { found, count } = await meetingNames(page);
        equal(found, [], `names that meet (${language}, ${scene})`);
        expect(count >= least, `${count} names on the map (${language}, ${scene})`);
        await picture(page, `hex-names-${language}`);
        await page.context().close();
    }
}

async function pointers(staged) {
    const page = await hexPage(staged, "scene=move");
    const unit = await middle(page, "2110");
    await page.mouse.click(unit.x, unit.y);
    equal(await said(page), "unit 2110", "a click on a counter");
    const hex = await middle(page, "2312");
    await page.mouse.move(hex.x, hex.y);
    await page.getByText("4 of 6 points").waitFor();
    await page.mouse.click(hex.x, hex.y);
    equal(await said(page), "hex 2312", "a click on a hex");
    // BR10 lies between 2311 and 2411.
    const [a, b] = [await middle(page, "2311"), await middle(page, "2411")];
    await page.mouse.click((a.x + b.x) / 2, (a.y + b.y) / 2);
    equal(await said(page), "bridge BR10", "a click on a bridge");
    const from = await middle(page, "2212");
    const via = await middle(page, "2313");
    const to = await middle(page, "2413");
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const p of [via, to]) await page.mouse.move(p.x, p.y, { steps: 4 });
    await page.mouse.up();
    equal(await said(page), "drag 2212 2413 2313", "a counter dragged over a hex");
    const place = () => page.locator("#board .board-moving").evaluate((node) => node.style.transform);
    const before = await place();
    await page.mouse.move(900, 100);
    await page.mouse.down();
    await page.mouse.move(890, 104);
    await page.evaluate(() => {
        globalThis.redrawn = 0;
        new MutationObserver((list) => (globalThis.redrawn += list.length)).observe(document.querySelector("#board .board-svg"), { subtree: true, childList: true, attributes: true });
    });
    for (let i = 1; i <= 30; i++) await page.mouse.move(890 - i * 6, 104 + i * 3);
    const redrawn = await page.evaluate(() => globalThis.redrawn);
    await page.mouse.up();
    expect((await place()) !== before, "the map does not move");
    equal(redrawn, 0, "changes of the drawing while panning");
    const wide = async () => (await page.locator('#board [data-hex="2110"]').boundingBox()).width;
    const small = await wide();
    await page.mouse.wheel(0, -240);
    await page.waitForFunction((least) => document.querySelector('#board [data-hex="2110"]').getBoundingClientRect().width > least * 1.2, small);
    await page.context().close();
}

async function fingers(staged) {
    const page = await hexPage(staged, "scene=declare&start=2316", { size: "phone" });
    const p = await middle(page, "2416");
    const width = await page.locator('#board [data-hex="2416"]').evaluate((node) => node.getBoundingClientRect().width);
    expect(width >= 44, `a hex is ${width} px wide under a finger`);
    await page.touchscreen.tap(p.x - 6, p.y - 4);
    equal(await said(page), "unit 2416", "a tap on a counter");
    await page.context().close();
}

async function keys(staged) {
    const page = await hexPage(staged, "scene=move");
    equal(await page.locator("#board .board-town[tabindex='0']").count(), 1, "stops of the Tab key on the map");
    await page.keyboard.press("Tab");
    const at = () => page.evaluate(() => document.activeElement?.getAttribute("data-hex"));
    const walk = [await at()];
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "PageUp", "Home", "End"]) {
        await page.keyboard.press(key);
        walk.push(await at());
    }
    equal(walk, ["2212", "2213", "2313", "2413", "2513", "2412", "2313"], "the walk");
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "2313: clear ground; may be chosen. 4 of 6 points", "what is heard");
    await picture(page, "hex-keyboard");
    await page.keyboard.press("Enter");
    equal(await said(page), "hex 2313 keyboard", "Enter on a hex");
    for (let i = 0; i < 14; i++) await page.keyboard.press("ArrowDown");
    const box = await page.locator('#board [data-hex="2327"]').boundingBox();
    expect(box.y > 0 && box.y + box.height < 900, "the focus has left the window");
    await page.keyboard.press("Escape");
    equal(await at(), null, "Esc leaves the map");
    await page.context().close();
}

test("the hex map: looks, names, pointers, fingers, keys", async () => {
    const staged = await stage();
    try {
        for (const part of [looks, namesApart, pointers, fingers, keys]) await part(staged);
    } finally {
        staged.close();
    }
});
