// The connection: nothing foreign is asked for, the strip tells of a loss, the page comes back by itself.
import { equal, expect, openPage, test } from "./harness.mjs";

test("the page asks its own server alone and keeps nothing in cookies", async (daemon) => {
    const page = await openPage(daemon, "/");
    const foreign = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(daemon.url) && !request.url().startsWith("data:")) foreign.push(request.url());
    });
    await page.reload();
    await page.locator("header.bar").waitFor();
    equal(foreign, [], "foreign requests");
    equal(await page.context().cookies(), [], "cookies");
});

test("the first load is under 150 KB packed", async (daemon) => {
    const page = await openPage(daemon, "/");
    await page.locator("header.bar").waitFor();
    await page.waitForLoadState("networkidle");
    const bytes = await page.evaluate(() =>
        [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")].reduce(
            (sum, entry) => sum + entry.transferSize,
            0,
        ),
    );
    expect(bytes > 0 && bytes < 150 * 1024, `the first load takes ${bytes} bytes`);
});

test("a lost server is told at once, and the page comes back by itself", async (daemon) => {
    const ney = await daemon.account("Ney_back");
    const page = await openPage(daemon, "/", { account: ney });
    page.allowed = /WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/;
    await page.locator(".bar-me").waitFor();
    await daemon.stop();
    await page.locator(".link-strip:not([hidden])").waitFor();
    await daemon.start();
    await page.locator(".link-strip[data-state=open]").waitFor({ state: "attached" });
    await page.locator(".bar-me").waitFor();
});

test("a part that cannot be fetched while the server is gone comes when it is back", async (daemon) => {
    const page = await openPage(daemon, "/");
    page.allowed = /WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource|Failed to fetch/;
    await page.locator("header.bar").waitFor();
    await page.waitForLoadState("networkidle");
    await daemon.stop();
    // The address is gone to without asking the server: the page stays itself, whatever it lacks.
    await page.locator('header.bar a[href="/rules"]').click();
    await page.locator(".link-strip:not([hidden])").waitFor();
    await daemon.start();
    await page.locator(".rules-text, h1").first().waitFor();
    expect(page.url().endsWith("/rules"), `the page went to ${page.url()}`);
});

test("title and favicon tell that a match waits", async (daemon) => {
    const [french, allies] = await Promise.all(["Ney_title", "Picton_title"].map((name) => daemon.account(name)));
    const page = await openPage(daemon, "/", { account: allies });
    await page.locator(".bar-me").waitFor();
    await page.waitForFunction(() => document.title === "Lobby · Vedette");
    equal(await page.locator("link[rel=icon]").getAttribute("href"), "/favicon.svg", "the favicon while nothing waits");
    const match = await daemon.match([french, allies]);
    await page.waitForFunction(() => document.title.startsWith("● "));
    equal(await page.locator("link[rel=icon]").getAttribute("href"), "/favicon-waiting.svg", "the favicon while the set-up waits");
    await page.goto(`${daemon.url}/match/${match}`);
    await page.waitForFunction(() => /^● .*Vedette$/.test(document.title) && !document.title.includes("Lobby"));
});

test("a page older than its server says so and goes on", async (daemon) => {
    const ney = await daemon.account("Ney_older");
    let hellos = 0;
    const page = await openPage(daemon, "/rules", { account: ney });
    page.allowed = /WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/;
    // From the next connection on the server names another version.
    await page.routeWebSocket("**/ws", (line) => {
        const server = line.connectToServer();
        server.onMessage((text) => {
            const message = JSON.parse(text);
            if (message.result?.protocol !== undefined) message.result.version = hellos++ < 1 ? message.result.version : "99.0.0";
            line.send(JSON.stringify(message));
        });
    });
    await page.reload();
    await page.locator(".bar-me").waitFor();
    await daemon.restart();
    await page.locator(".link-strip", { hasText: "A new version is out." }).waitFor();
    await page.locator("header.bar a[href='/']").first().click();
    await page.locator(".lobby-tabs").waitFor();
});

test("a chain that does not go on from what the browser holds is warned of", async (daemon) => {
    const [french, allies] = await Promise.all(["Ney_chain", "Picton_chain"].map((name) => daemon.account(name)));
    const match = await daemon.match([french, allies]);
    const page = await openPage(daemon, `/match/${match}`, { account: french });
    await page.locator("#board").waitFor();
    // What this browser holds is read and, in the second step, put as if another match had been shown before.
    const heads = (change) =>
        page.evaluate(
            ({ id, spoil }) =>
                new Promise((done, fail) => {
                    const open = indexedDB.open("keyval-store");
                    open.onerror = () => fail(open.error);
                    open.onsuccess = () => {
                        const store = open.result.transaction("keyval", "readwrite").objectStore("keyval");
                        const got = store.get(`match.${id}`);
                        got.onsuccess = () => {
                            const kept = got.result;
                            const known = kept?.heads?.FR;
                            if (spoil) {
                                for (const seq of Object.keys(known)) known[seq] = "A".repeat(43);
                                store.put(kept, `match.${id}`).onsuccess = () => done(true);
                            } else {
                                done(known !== undefined && Object.keys(known).length > 0);
                            }
                        };
                    };
                }),
            { id: match, spoil: change },
        );
    while (!(await heads(false)));
    equal(await page.locator("#panel [role=alert].notice.wrong").count(), 0, "warnings before");
    await heads(true);
    await page.reload();
    await page.locator("#panel .notice.wrong", { hasText: "does not go on" }).waitFor();
});
