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
